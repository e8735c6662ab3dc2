// A hint: what the strongest agent would play, found in a second.

import { useEffect, useRef, useState } from "preact/hooks";
import { judged } from "./analysis";
import type { GameState } from "./game";
import { table } from "./kept";
import { sitesIn } from "./text";
import { ask } from "./thoughts";

export interface Hint {
  may: boolean;
  busy: boolean;
  said: string | null;
  /** The sites that the move names. */
  sites: string[];
  ask(): void;
}

export function useHint(game: GameState): Hint {
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<{ said: string; sites: string[] } | null>(null);
  const stop = useRef<AbortController | null>(null);
  const { seen, play } = game;
  const key = JSON.stringify(play.table);
  // A hint is for one position.
  useEffect(() => {
    setFound(null);
    setBusy(false);
    return () => stop.current?.abort();
  }, [key]);

  const may = seen !== null && seen.mover !== null && !seen.over && !busy;
  const begin = async () => {
    if (!may || !seen) return;
    const mine = new AbortController();
    stop.current = mine;
    setBusy(true);
    const thoughts = await ask(table(game.kept), "auto:1s", 1, mine.signal, () => {});
    if (mine.signal.aborted) return;
    setBusy(false);
    const { move, error } = thoughts;
    const best = thoughts.lines[0];
    const value = best && best.line[0] === move ? `, expected ${judged(best)}` : "";
    if (move) setFound({ said: `Hint: ${move}${value}`, sites: sitesIn(move, seen) });
    else setFound({ said: error ?? "There is no hint.", sites: [] });
  };
  return { may, busy, said: found?.said ?? null, sites: found?.sites ?? [], ask: () => void begin() };
}
