// What is told to those who do not see the page change.

import { useCallback, useState } from "preact/hooks";

/** A region that is read out, and what puts words into it. */
export function useSay(): [() => preact.JSX.Element, (text: string) => void] {
  const [text, setText] = useState("");
  const say = useCallback((text: string) => {
    // The same words twice are read out twice only where the text differs.
    setText((old) => (old === text ? `${text}\u00a0` : text));
  }, []);
  const region = () => (
    <p class="unseen" role="status">
      {text}
    </p>
  );
  return [region, say];
}
