// A game in progress as the page holds it: what is kept of it, and what the server says is seen of it.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused, see, type Seen, type Table, type Word } from "../api";

export interface Play {
  table: Table;
  /** The last answer; none before the first one. */
  seen: Seen | null;
  /** Why there is no answer. */
  error: string | null;
  busy: boolean;
  /** Chooses parts of the next move, from its first part on. A move that is `held` is not played yet: it is dragged. */
  choose(words: Word[], held?: boolean): void;
  /** Plays a move that is typed. */
  type(text: string): void;
  /** Goes to another game, or to another place in this one. */
  set(table: Table): void;
  /** Asks again. */
  again(): void;
}

/** What is wrong, in a sentence. */
export function why(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return "Farrier does not answer. Is `farrier serve` still running?";
}

interface State {
  table: Table;
  seen: Seen | null;
  error: string | null;
  busy: boolean;
}

export function useTable(initial: Table): Play {
  const [state, setState] = useState<State>({ table: initial, seen: null, error: null, busy: true });
  const table = useRef(initial);
  const asking = useRef<AbortController | null>(null);

  const ask = useCallback((more: Partial<Table>, held = false) => {
    // Only the last question counts: an answer to an older one would show what is no longer asked.
    asking.current?.abort();
    const mine = new AbortController();
    asking.current = mine;
    const asked = table.current;
    setState((old) => ({ ...old, busy: true }));
    see({ ...asked, ...more }, mine.signal).then(
      (seen) => {
        if (asking.current !== mine) return;
        const isPlayed = seen.plies.length > asked.moves.length;
        if (held && isPlayed) return setState((old) => ({ ...old, busy: false, error: null }));
        if (isPlayed) table.current = { ...asked, moves: seen.plies.map((ply) => ply.text) };
        // The server passes over parts that are the same in all moves. What is sent next begins with what was sent.
        const chosen = seen.chosen.length > 0 ? (more.chosen ?? []) : [];
        setState({ table: table.current, seen: { ...seen, chosen }, error: null, busy: false });
      },
      (error: unknown) => {
        if (asking.current !== mine) return;
        setState((old) => ({ ...old, busy: false, error: why(error) }));
      },
    );
  }, []);

  const set = useCallback(
    (next: Table) => {
      table.current = next;
      setState((old) => ({ ...old, table: next }));
      ask({});
    },
    [ask],
  );

  useEffect(() => {
    ask({});
    return () => asking.current?.abort();
  }, [ask]);

  return {
    ...state,
    choose: useCallback((words, held) => ask({ chosen: words }, held), [ask]),
    type: useCallback((text) => ask({ typed: text }), [ask]),
    set,
    again: useCallback(() => ask({}), [ask]),
  };
}
