// Who plays: agents and chance do it by themselves.

import { useEffect, useRef, useState } from "preact/hooks";
import type { GameState } from "./game";
import { table } from "./kept";
import { ask, NONE, useVisible, type Thoughts } from "./thoughts";

/** How long a move of chance is shown, and how long an agent takes at least. */
const PAUSE = 700;

export const AGENTS: [string, string][] = [
  ["", "Person"],
  ...Array.from({ length: 10 }, (_, at): [string, string] => [`level:${at + 1}`, `Level ${at + 1}`]),
  ["auto:1s", "Strongest (1 s)"],
  ["random", "Random moves"],
];

export const called = (agent: string) => AGENTS.find(([word]) => word === agent)?.[1] ?? agent;

const wait = (time: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, time);
    signal.addEventListener("abort", () => (clearTimeout(timer), done()));
  });

export interface Turn {
  /** Who is to play by itself, where somebody is: an agent's word, or `chance`. */
  who: string | null;
  /** Whether it does now. */
  acts: boolean;
  thoughts: Thoughts;
  /** Asks again, after a thought that came to nothing. */
  again(): void;
}

/** Lets agents and chance play when it is their turn. */
export function useSeats(game: GameState): Turn {
  const { seen, kept, live, play } = game;
  const [thoughts, setThoughts] = useState<Thoughts>(NONE);
  const [round, setRound] = useState(0);
  const visible = useVisible();
  const push = useRef(game.push);
  push.current = game.push;
  const isHere = seen !== null && !seen.over && !seen.illegal && seen.plies.length === play.table.moves.length;
  const agent = isHere && seen.person !== null ? (kept.seats[seen.person] ?? "") : "";
  const chance = isHere ? seen.chance : null;
  const who = chance ? "chance" : agent || null;
  const acts = who !== null && live && visible && !game.clash;
  const key = JSON.stringify([play.table, who, chance, round]);

  useEffect(() => {
    setThoughts(NONE);
    if (!acts || play.busy) return;
    const stop = new AbortController();
    const { signal } = stop;
    const act = async () => {
      if (chance) {
        await wait(PAUSE, signal);
        if (!signal.aborted) push.current(chance);
        return;
      }
      const pause = wait(PAUSE, signal);
      const tell = (now: Thoughts) => !signal.aborted && setThoughts(now);
      const found = await ask(table(kept), agent, 1, signal, tell);
      await pause;
      if (signal.aborted) return;
      setThoughts(found);
      if (found.move) push.current(found.move);
    };
    void act();
    return () => stop.abort();
  }, [acts, key, play.busy]);

  return { who, acts, thoughts, again: () => setRound(round + 1) };
}
