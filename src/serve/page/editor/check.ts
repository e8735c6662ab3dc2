// What is wrong with a text, asked while somebody types.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { why } from "../play/table";

/** How long the keys must rest before the server is asked. */
const REST = 300;

export interface Checking {
  checked: api.Checked | null;
  /** Whether an answer is awaited: what is shown is about an older text. */
  busy: boolean;
  error: string | null;
  /** The last text that could be played. */
  playable: string | null;
  /** What is played with it: the definition itself, or the game that an extension is for, with the extension. */
  variant: string;
  /** What that text means. */
  described: api.Described | null;
}

export function useCheck(file: string, text: string): Checking {
  const none = { checked: null, busy: true, error: null, playable: null, variant: file, described: null };
  const [state, setState] = useState<Checking>(none);
  const first = useRef(true);
  useEffect(() => {
    const stop = new AbortController();
    setState((old) => ({ ...old, busy: true }));
    const ask = async () => {
      try {
        const checked = await api.check({ file, text }, false, stop.signal);
        const { variant, described } = checked;
        const good = checked.playable ? { playable: text, variant, described } : {};
        setState((old) => ({ ...old, ...good, checked, busy: false, error: null }));
      } catch (error) {
        if (!stop.signal.aborted) setState((old) => ({ ...old, busy: false, error: why(error) }));
      }
    };
    const timer = setTimeout(ask, first.current ? 0 : REST);
    first.current = false;
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [file, text]);
  return state;
}

export interface Testing {
  found: api.Checked | null;
  /** The text that was tested. */
  of: string | null;
  busy: boolean;
  error: string | null;
  run(): void;
  stop(): void;
}

/** The tests and random games of a text: asked for, since they take a while. */
export function useTests(file: string, text: string): Testing {
  const [state, setState] = useState<Omit<Testing, "run" | "stop">>({ found: null, of: null, busy: false, error: null });
  const asking = useRef<AbortController | null>(null);
  const stop = useCallback(() => {
    asking.current?.abort();
    asking.current = null;
    setState((old) => ({ ...old, busy: false }));
  }, []);
  const run = useCallback(() => {
    asking.current?.abort();
    const mine = new AbortController();
    asking.current = mine;
    setState((old) => ({ ...old, busy: true, error: null }));
    api.check({ file, text }, true, mine.signal).then(
      (found) => asking.current === mine && setState({ found, of: text, busy: false, error: null }),
      (error: unknown) => asking.current === mine && setState((old) => ({ ...old, busy: false, error: why(error) })),
    );
  }, [file, text]);
  useEffect(() => stop, []);
  return { ...state, run, stop };
}
