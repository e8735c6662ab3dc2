// What agents think, as long as somebody wants to know.

import { useEffect, useState } from "preact/hooks";
import { think, type Found, type Table } from "../api";
import { why } from "./table";

export interface Thoughts {
  /** The best lines so far, the best one first. */
  lines: Found[];
  move: string | null;
  error: string | null;
  busy: boolean;
}

export const NONE: Thoughts = { lines: [], move: null, error: null, busy: false };

/** Asks an agent, and tells what it finds as it comes. */
export async function ask(
  table: Table,
  agent: string,
  count: number,
  signal: AbortSignal,
  tell: (thoughts: Thoughts) => void,
): Promise<Thoughts> {
  let now: Thoughts = { ...NONE, busy: true };
  try {
    for await (const line of think(table, agent, count, signal)) {
      if ("found" in line) {
        const lines = [...now.lines];
        lines[line.found.rank - 1] = line.found;
        now = { ...now, lines: lines.filter(Boolean) };
      } else if ("move" in line) now = { ...now, move: line.move };
      else now = { ...now, error: line.error };
      tell(now);
    }
  } catch (error) {
    if (!signal.aborted) now = { ...now, error: why(error) };
  }
  // A thought that breaks off was cut by the end of the server.
  if (!now.move && !now.error && !signal.aborted) now = { ...now, error: why(null) };
  return { ...now, busy: false };
}

/** Whether the page is looked at. Nobody thinks for a page that is hidden. */
export function useVisible(): boolean {
  const [visible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const changed = () => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", changed);
    return () => document.removeEventListener("visibilitychange", changed);
  }, []);
  return visible;
}

/** Thinks about a table as long as it is shown. Another `key` is another question. */
export function useThoughts(table: Table | null, key: string, agent: string, count: number): Thoughts {
  const [thoughts, setThoughts] = useState<Thoughts>(NONE);
  const visible = useVisible();
  useEffect(() => {
    setThoughts(NONE);
    if (!table || !visible) return;
    const stop = new AbortController();
    setThoughts({ ...NONE, busy: true });
    const tell = (now: Thoughts) => !stop.signal.aborted && setThoughts(now);
    void ask(table, agent, count, stop.signal, tell).then(tell);
    return () => stop.abort();
  }, [key, agent, count, visible, table !== null]);
  return thoughts;
}

/** What somebody is expected to get, in hundredths. */
export const percent = (value: number) => `${Math.round(value * 100)} %`;
