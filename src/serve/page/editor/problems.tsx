// What is wrong, as a list: each item leads to its place in the text.

import type { Diagnostic } from "../api";
import { Coded } from "../parts/coded";
import { link } from "../route";
import { SIGNS, isHere } from "./places";

interface Props {
  found: Diagnostic[];
  file: string;
  go: (found: Diagnostic) => void;
}

export function Problems({ found, file, go }: Props) {
  return (
    <ul class="problems">
      {found.map((one, at) => (
        <li key={at} class={`problem ${one.severity}`}>
          <Problem one={one} file={file} go={go} />
        </li>
      ))}
    </ul>
  );
}

function Problem({ one, file, go }: { one: Diagnostic; file: string; go: (found: Diagnostic) => void }) {
  const { sign, word } = SIGNS[one.severity];
  const body = (
    <>
      <span class="problem-sign" aria-hidden="true">
        {sign}
      </span>
      <span class="problem-body">
        <span class="problem-head">
          <b>{word}</b>
          {one.line !== null && (
            <span class="problem-place">
              {isHere(one, file) ? "" : `${one.file}, `}line {one.line}
              {one.column !== null && `, column ${one.column}`}
            </span>
          )}
        </span>
        <span class="problem-message">
          <Coded text={one.message} />
        </span>
        {one.help && (
          <span class="problem-help">
            Help: <Coded text={one.help} />
          </span>
        )}
      </span>
    </>
  );
  if (one.line === null) return <div class="problem-row">{body}</div>;
  if (isHere(one, file)) {
    return (
      <button type="button" class="problem-row" onClick={() => go(one)}>
        {body}
      </button>
    );
  }
  return (
    <a class="problem-row" href={link("edit", { f: one.file })}>
      {body}
    </a>
  );
}
