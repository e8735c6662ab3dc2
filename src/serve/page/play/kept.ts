// Games that the browser keeps.

import { useState } from "preact/hooks";
import type { Table } from "../api";
import { empty, find, grow, moves, type Tree } from "./tree";

/** A game that a player has lost by more than its rules. */
export interface Loss {
  at: number;
  player: number;
  /** There where it was the clock: two games are the same where their texts are. */
  late?: true;
}

export const loss = (at: number, player: number, late: boolean): Loss => ({ at, player, ...(late && { late }) });

export interface Kept {
  id: string;
  variant: string;
  /** The game's title, and its word for whatever differs in anything that is played. */
  title: string;
  fingerprint: string;
  setup: string | null;
  seed: string;
  tree: Tree;
  /** Who gave up or had no time left, and where. */
  resigned: Loss | null;
  /** Who plays, by the numbers of persons: an agent's word, or nothing. */
  seats: string[];
  /** How it ended, where it did. */
  result: string | null;
  /** When it was kept last. */
  when: number;
}

const KEY = "farrier.game.";

/** The most games that are kept; the oldest ones make room. */
const MOST = 60;

const id = () => Math.random().toString(36).slice(2, 10);

export function fresh(from: Partial<Kept> & { variant: string }): Kept {
  const none = { title: "", fingerprint: "", setup: null, seed: "1", resigned: null, seats: [], result: null };
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
        const kept = stored(key)!;
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

function stored(key: string): Kept | null {
  const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null;
  // Seeds were numbers once.
  return kept && { ...kept, seed: String(kept.seed) };
}

/**
 * Keeps a game. If another window has changed it meanwhile, it becomes a game of its own, so that no line is lost. An
 * error where the browser keeps no more.
 */
export function save(kept: Kept): Kept {
  const old = stored(KEY + kept.id);
  const content = (game: Kept) => JSON.stringify({ ...game, when: 0 });
  if (old && content(old) === content(kept)) return { ...kept, when: old.when };
  const isNew = !old || old.when !== kept.when;
  const next = { ...kept, id: old && isNew ? id() : kept.id, when: Date.now() };
  localStorage.setItem(KEY + next.id, JSON.stringify(next));
  if (isNew) for (const other of all().slice(MOST)) localStorage.removeItem(KEY + other.id);
  return next;
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
  const lost = lostAt(kept);
  return { v: kept.variant, s: kept.seed, m: line, u: kept.setup, r: lost && `${lost.player}${lost.late ? "t" : ""}` };
}

/** Who has resigned or was late where the game is. */
const lostAt = ({ resigned, tree }: Kept) => (resigned?.at === tree.at ? resigned : null);

/** A seed that somebody wrote. */
export function seedOf(text: string | null): string | null {
  const digits = text?.trim() ?? "";
  return /^\d{1,20}$/.test(digits) && BigInt(digits) < 2n ** 64n ? String(BigInt(digits)) : null;
}

/** The game of an address: one that is kept where it is the same, else a new one. */
export function open(query: URLSearchParams): Kept {
  const variant = query.get("v") ?? "";
  const setup = query.get("u") || null;
  const seed = seedOf(query.get("s")) ?? "1";
  const lost = /^(\d+)(t?)$/.exec(query.get("r") ?? "");
  const ended = (at: number) => lost && loss(at, Number(lost[1]), lost[2] === "t");
  const line = (query.get("m") ?? "").split(",").filter(Boolean).map(decoded);
  if (query.has("s")) {
    const id = shown();
    const list = all().sort((a, b) => Number(b.id === id) - Number(a.id === id));
    for (const kept of list) {
      const isSame = kept.variant === variant && kept.seed === seed && kept.setup === setup;
      // All games begin at the start: there it is only the one that was shown.
      if (line.length === 0 && kept.id !== id) break;
      const at = isSame ? find(kept.tree, line) : null;
      if (at !== null) return { ...kept, tree: { ...kept.tree, at }, resigned: ended(at) ?? kept.resigned };
    }
  }
  const plies = line.map((text) => ({ text, by: "", turn: true }));
  const tree = grow(empty(), plies);
  return fresh({ variant, setup, seed, tree, resigned: ended(tree.at) });
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
  const { variant, setup, seed, tree } = kept;
  const lost = lostAt(kept);
  return { variant, setup, seed, moves: moves(tree), resigned: lost?.player ?? null, late: lost?.late ?? false };
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
