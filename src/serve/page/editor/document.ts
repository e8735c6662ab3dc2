// A definition that is edited: its text, what is saved of it, and what other programs do to its file.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { why } from "../play/table";
import { useVisible } from "../play/thoughts";
import * as drafts from "./drafts";
import { plain } from "./names";

/** A definition as it was opened. */
export interface Opened {
  name: string;
  /** The text of the file; none where there is no file yet. */
  saved: string | null;
  seal: string | null;
  writable: boolean;
  /** The text to begin with: that of the file, or a draft. */
  text: string;
  /** When the draft was written, where there is one. */
  draftOf: number | null;
  /** Whether the file was changed after the draft was begun. */
  stale: boolean;
}

/** Another program has changed the file, and so have we. */
export interface Conflict {
  /** What stands in the file now; none where it is gone. */
  theirs: api.FileText | null;
}

export interface Document {
  text: string;
  dirty: boolean;
  saving: boolean;
  conflict: Conflict | null;
  /** Why it could not be saved. */
  failed: string | null;
  /** When the draft was written that was brought back. */
  restored: number | null;
  /** Whether the browser keeps no draft of the changes. */
  unkept: boolean;
  /** A number that grows whenever the text did not come from the keys: the editor takes it then. */
  version: number;
  type(text: string): void;
  save(): void;
  discard(): void;
  takeTheirs(): void;
  overwrite(): void;
  dismiss(): void;
  /** Keeps no draft any more: the changes are elsewhere. */
  forget(): void;
}

export async function open(name: string): Promise<Opened> {
  const file = await api.read(name);
  const draft = drafts.kept(name);
  const none = { name, saved: file.text, seal: file.seal, writable: file.writable };
  if (!draft || draft.text === file.text) return { ...none, text: file.text, draftOf: null, stale: false };
  return { ...none, text: draft.text, draftOf: draft.when, stale: draft.seal !== file.seal };
}

/** A definition that is in no file yet. */
export const begin = (name: string, text: string, draftOf: number | null): Opened => ({
  name,
  saved: null,
  seal: null,
  writable: true,
  text,
  draftOf,
  stale: false,
});

/** How long the keys must rest before a draft is written. */
const REST = 300;

/** How long to wait before the server is asked again for news. */
const AGAIN = 3000;

interface State {
  text: string;
  saved: string | null;
  seal: string | null;
  version: number;
  saving: boolean;
  conflict: Conflict | null;
  failed: string | null;
  restored: number | null;
  unkept: boolean;
}

export function useDocument(opened: Opened, say: (text: string) => void): Document {
  const { name } = opened;
  const [state, setState] = useState<State>(() => ({
    text: opened.text,
    saved: opened.saved,
    seal: opened.seal,
    version: 0,
    saving: false,
    conflict: opened.stale ? { theirs: { text: opened.saved!, seal: opened.seal!, writable: opened.writable } } : null,
    failed: null,
    restored: opened.draftOf,
    unkept: false,
  }));
  // Answers come later: what they are compared with is the state of then.
  const now = useRef(state);
  const change = useCallback((more: Partial<State>) => {
    now.current = { ...now.current, ...more };
    setState(now.current);
  }, []);

  const forgotten = useRef(false);
  const keep = () => {
    if (forgotten.current) return;
    const unkept = !keepDraft(name, now.current);
    if (unkept !== now.current.unkept) change({ unkept });
  };
  useEffect(() => {
    const timer = setTimeout(keep, REST);
    return () => clearTimeout(timer);
  }, [state.text, state.saved]);
  useEffect(() => {
    // A page that is left at once keeps the last keys too.
    addEventListener("pagehide", keep);
    return () => {
      removeEventListener("pagehide", keep);
      keep();
    };
  }, [name]);
  useEffect(() => {
    if (!state.unkept) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [state.unkept]);

  const take = (file: api.FileText) => {
    const { version } = now.current;
    const none = { conflict: null, failed: null, restored: null };
    change({ text: file.text, saved: file.text, seal: file.seal, version: version + 1, ...none });
  };

  /** What to do about the file as it is now. */
  const look = async () => {
    let theirs: api.FileText | null = null;
    try {
      theirs = await api.read(name);
    } catch (error) {
      if (!(error instanceof api.Refused && error.status === 404)) return;
    }
    const { seal, text, saved, saving, conflict } = now.current;
    if (saving) return;
    if ((theirs?.seal ?? null) === seal) {
      // An old draft is in conflict with the file as it was opened.
      if (conflict?.theirs?.seal !== seal) change({ conflict: null });
      return;
    }
    if (theirs && theirs.text === text) return change({ saved: text, seal: theirs.seal, conflict: null });
    if (theirs && text === saved) {
      take(theirs);
      return say("Another program has changed the file. It is loaded again.");
    }
    change({ conflict: { theirs } });
    say(theirs ? "Another program has changed the file, and you have changes too." : "The file is gone.");
  };

  const visible = useVisible();
  const wasHidden = useRef(false);
  useEffect(() => {
    if (!opened.writable && opened.saved !== null && !name.startsWith("./")) return;
    // Browsers have few connections for all pages together: one that is hidden gives its own back.
    if (!visible) wasHidden.current = true;
    if (!visible) return;
    const stop = new AbortController();
    const watch = async () => {
      if (wasHidden.current) await look();
      while (!stop.signal.aborted) {
        try {
          for await (const { changed } of api.watch(stop.signal)) if (plain(changed) === name) await look();
        } catch {
          // The server is away, or we are.
        }
        await new Promise((done) => setTimeout(done, AGAIN));
        if (!stop.signal.aborted) await look();
      }
    };
    void watch();
    return () => stop.abort();
  }, [name, visible]);

  const write = async (seal: string | null) => {
    const { text } = now.current;
    if (now.current.saving) return;
    change({ saving: true, failed: null });
    try {
      const file = await api.write(name, text, seal);
      change({ saving: false, saved: text, seal: file.seal, conflict: null, restored: null });
      say("Saved.");
    } catch (error) {
      const isConflict = error instanceof api.Refused && error.status === 409;
      if (!isConflict) {
        change({ saving: false, failed: why(error) });
        return say(`Not saved: ${why(error)}`);
      }
      const theirs = await api.read(name).catch(() => null);
      change({ saving: false, conflict: { theirs } });
      say("Not saved: another program has changed the file.");
    }
  };

  const dirty = state.saved !== state.text;
  return {
    ...state,
    dirty,
    type: useCallback((text: string) => change({ text }), []),
    save: () => void write(now.current.seal),
    overwrite: () => void write(now.current.conflict?.theirs?.seal ?? null),
    discard() {
      const { saved, version } = now.current;
      if (saved !== null) change({ text: saved, version: version + 1, restored: null, conflict: null, failed: null });
      say("Your changes are discarded.");
    },
    takeTheirs() {
      const theirs = now.current.conflict?.theirs;
      if (theirs) take(theirs);
      say("The file is loaded again.");
    },
    forget() {
      forgotten.current = true;
      drafts.drop(name);
    },
    dismiss: () => change({ restored: null, failed: null }),
  };
}

/** Whether nothing is lost when the page is left. */
function keepDraft(name: string, { text, saved, seal }: State): boolean {
  if (text !== saved) return drafts.keep(name, text, seal);
  drafts.drop(name);
  return true;
}
