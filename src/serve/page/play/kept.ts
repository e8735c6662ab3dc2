// Games that the browser keeps.

import { useState } from "preact/hooks";
import type { Table } from "../api";
import { empty, find, grow, moves, type Tree } from "./tree";

export interface Kept {
  id: string;
  variant: string;
  /** The game's title, and its word for whatever differs in anything that is played. */
  title: string;
  fingerprint: string;
  setup: string | null;
  seed: number;
  tree: Tree;
  resigned: { at: number; player: number } | null;
  /** Who plays, by the numbers of persons: an agent's word, or nothing. */
  seats: string[];
  /** How it ended, where it did. */
  result: string | null;
  when: number;
}

const KEY = "farrier.game.";

/** The most games that are kept; the oldest ones make room. */
const MOST = 60;

const id = () => Math.random().toString(36).slice(2, 10);

export function fresh(from: Partial<Kept> & { variant: string }): Kept {
  const none = { title: "", fingerprint: "", setup: null, seed: 1, resigned: null, seats: [], result: null };
  return { ...none, tree: empty(), ...from, id: id(), when: Date.now() };
}

/** All games that are kept, the last one first. A browser that keeps nothing has none. */
export function all(): Kept[] {
  const found: Kept[] = [];
  try {
    for (let at = 0; at < localStorage.length; at += 1) {
      const key = localStorage.key(at)!;
      if (!key.startsWith(KEY)) continue;
      try {
        const kept = JSON.parse(localStorage.getItem(key)!) as Kept;
        if (kept.tree.nodes[0]) found.push(kept);
      } catch {
        localStorage.removeItem(key);
      }
    }
  } catch {
    return [];
  }
  return found.sort((a, b) => b.when - a.when);
}

export function save(kept: Kept) {
  try {
    const isNew = localStorage.getItem(KEY + kept.id) === null;
    localStorage.setItem(KEY + kept.id, JSON.stringify({ ...kept, when: Date.now() }));
    if (isNew) for (const old of all().slice(MOST)) localStorage.removeItem(KEY + old.id);
  } catch {
    // The address keeps the line that is shown.
  }
}

export function forget(kept: Kept) {
  try {
    localStorage.removeItem(KEY + kept.id);
  } catch {
    // Nothing is kept.
  }
}

const SHOWN = "farrier.shown";

/** Notes which game this window shows: two games may begin with the same moves. */
export function show(kept: Kept) {
  try {
    sessionStorage.setItem(SHOWN, kept.id);
  } catch {
    // The moves alone say which game it is.
  }
}

function shown(): string | null {
  try {
    return sessionStorage.getItem(SHOWN);
  } catch {
    return null;
  }
}

/** The values of a game in an address. */
export function values(kept: Kept): Record<string, string | null> {
  // Commas part the moves; all else is encoded with the address.
  const line = moves(kept.tree).map((text) => text.replace(/[%,]/g, encodeURIComponent)).join(",");
  return { v: kept.variant, s: String(kept.seed), m: line, u: kept.setup };
}

/** The game of an address: one that is kept where it is the same, else a new one. */
export function open(query: URLSearchParams): Kept {
  const variant = query.get("v") ?? "";
  const setup = query.get("u") || null;
  const seed = Number(query.get("s") ?? 1);
  const line = (query.get("m") ?? "").split(",").filter(Boolean).map(decoded);
  if (query.has("s")) {
    const id = shown();
    const list = all().sort((a, b) => Number(b.id === id) - Number(a.id === id));
    for (const kept of list) {
      const isSame = kept.variant === variant && kept.seed === seed && kept.setup === setup;
      // All games begin at the start: there it is only the one that was shown.
      if (line.length === 0 && kept.id !== id) break;
      const at = isSame ? find(kept.tree, line) : null;
      if (at !== null) return { ...kept, tree: { ...kept.tree, at } };
    }
  }
  const plies = line.map((text) => ({ text, by: "", turn: true }));
  return fresh({ variant, setup, seed: Number.isSafeInteger(seed) && seed >= 0 ? seed : 1, tree: grow(empty(), plies) });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What the server is asked about a game. */
export function table(kept: Kept): Table {
  const resigned = kept.resigned?.at === kept.tree.at ? kept.resigned.player : null;
  return { variant: kept.variant, setup: kept.setup, seed: kept.seed, moves: moves(kept.tree), resigned };
}

/** Whether somebody wants something shown, as this browser keeps it. */
export function useWish(name: string, usual: boolean): [boolean, (wish: boolean) => void] {
  const key = `farrier.wish.${name}`;
  const [wish, setWish] = useState(() => {
    try {
      return (localStorage.getItem(key) ?? String(usual)) === "true";
    } catch {
      return usual;
    }
  });
  const set = (wish: boolean) => {
    setWish(wish);
    try {
      localStorage.setItem(key, String(wish));
    } catch {
      // A browser that keeps nothing shows what is usual the next time.
    }
  };
  return [wish, set];
}
