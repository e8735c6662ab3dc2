// Sentences with code in them.

/** A sentence of the server: what stands between backticks is code. */
export function Coded({ text }: { text: string }) {
  return <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}
