// The view in which definitions are written: `#/edit?f=./FILE.toml`, or a shipped game's name.

import { useEffect, useState } from "preact/hooks";
import * as api from "../api";
import { why } from "../play/table";
import { keep, link } from "../route";
import { Desk } from "./desk";
import { begin, open, type Opened } from "./document";
import * as drafts from "./drafts";
import { fresh } from "./fresh";
import { isFile, plain } from "./names";
import { Missing } from "./missing";

interface State {
  opened: Opened | null;
  /** Why nothing is open. */
  wrong: string | null;
  busy: boolean;
  readOnly: boolean;
}

export function EditorView({ query }: { query: URLSearchParams }) {
  const name = plain(query.get("f") ?? "");
  const [state, setState] = useState<State>({ opened: null, wrong: null, busy: name !== "", readOnly: false });
  useEffect(() => {
    let gone = false;
    const change = (more: Partial<State>) => !gone && setState((old) => ({ ...old, ...more }));
    api.about().then(
      (about) => change({ readOnly: about.read_only }),
      () => {},
    );
    if (!name) return change({ opened: null, wrong: null, busy: false }), undefined;
    change({ opened: null, wrong: null, busy: true });
    open(name).then(
      (opened) => change({ opened, busy: false }),
      (error: unknown) => {
        const missing = error instanceof api.Refused && error.status === 404;
        const draft = missing && isFile(name) ? drafts.kept(name) : null;
        // What was never saved is no file yet.
        if (draft) change({ opened: begin(name, draft.text, draft.when), busy: false });
        else change({ wrong: why(error), busy: false });
      },
    );
    return () => {
      gone = true;
    };
  }, [name]);

  const { opened, wrong, busy, readOnly } = state;
  if (busy) return <p class="hint">Loading …</p>;
  if (opened) return <Desk key={opened.name} opened={opened} readOnly={readOnly} />;
  const start = (file: string) => {
    const draft = drafts.kept(file);
    const opened = begin(file, draft?.text ?? fresh(file), draft?.when ?? null);
    if (!draft) drafts.keep(file, opened.text, null);
    // The draft is found by the address that a reload goes to.
    keep(link("edit", { f: file }));
    setState((old) => ({ ...old, opened, wrong: null }));
  };
  return <Missing key={name} name={name} why={wrong} readOnly={readOnly} begin={start} />;
}
