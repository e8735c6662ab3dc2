// The place of the text editor in the page. The editor itself comes when it is needed.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Diagnostic, Meaning } from "../api";
import type { Code } from "./codemirror";

interface Props {
  file: string;
  text: string;
  /** Grows whenever the text did not come from the keys. */
  version: number;
  found: Diagnostic[];
  changed: (text: string) => void;
  explained: (meaning: Meaning | null) => void;
  /** The editor, once it is there. */
  given: (code: Code) => void;
}

export function CodeField({ file, text, version, found, changed, explained, given }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [code, setCode] = useState<Code | null>(null);
  const [failed, setFailed] = useState(false);
  const now = useRef({ text, changed, explained });
  now.current = { text, changed, explained };

  useEffect(() => {
    let made: Code | null = null;
    let gone = false;
    import("./codemirror").then(
      ({ open }) => {
        if (gone) return;
        made = open({
          host: host.current!,
          file,
          text: now.current.text,
          label: `Text of ${file}`,
          changed: (text) => now.current.changed(text),
          explained: (meaning) => now.current.explained(meaning),
        });
        setCode(made);
        given(made);
      },
      () => setFailed(true),
    );
    return () => {
      gone = true;
      made?.destroy();
    };
  }, [file]);

  useEffect(() => code?.replace(text), [code, version]);
  useEffect(() => code?.mark(found), [code, found]);

  return (
    <div class="code-field">
      {!code && <p class="code-waits">{failed ? "The editor did not come. Reload the page." : "Loading the editor …"}</p>}
      <div class="code-host" ref={host} />
    </div>
  );
}
