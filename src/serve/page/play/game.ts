// The game that is shown: its tree, its place in the tree, and what happens to both.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { see, type Seen, type Word } from "../api";
import { keep, link } from "../route";
import { forget, fresh, loss, open, save, show, table, values, type Kept } from "./kept";
import { sentence } from "./text";
import { useTable, why, type Play } from "./table";
import { empty, grow, path, visit, type Tree } from "./tree";

/** A change of options that the moves so far do not stand. */
export interface Clash {
  variant: string;
  seen: Seen;
}

export interface GameState {
  kept: Kept;
  play: Play;
  seen: Seen | null;
  /** Whether agents and chance go on by themselves: not while somebody looks back. */
  live: boolean;
  clash: Clash | null;
  /** Something to be told about the game. */
  notice: string | null;
  choose(words: Word[], held?: boolean): void;
  type(text: string): void;
  /** Plays moves that are known to be legal. */
  push(...texts: string[]): void;
  go(at: number): void;
  goOn(): void;
  change(tree: Tree): void;
  begin(from: Partial<Kept>): void;
  seat(person: number, agent: string): void;
  /** A player resigns here; with none, a resignation is taken back. */
  resign(player: number | null): void;
  /** Goes on with the same moves under another variant. */
  toVariant(variant: string): void;
  settle(goOn: boolean): void;
  tell(notice: string | null): void;
}

export function useGame(query: URLSearchParams): GameState {
  const [kept, setKept] = useState<Kept>(() => open(query));
  const [live, setLive] = useState(true);
  const [clash, setClash] = useState<Clash | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const play = useTable(table(kept));
  const now = useRef(kept);
  const isFull = useRef(false);
  const { set } = play;

  /** Keeps the game, if there is anything of it to keep. */
  const stored = (game: Kept): Kept => {
    if (game.tree.nodes.length === 1 && !game.resigned) return forget(game), game;
    try {
      return save(game);
    } catch {
      if (!isFull.current) setNotice("This browser keeps no more games. The address of the page still holds the line that is shown.");
      isFull.current = true;
      return game;
    }
  };
  const update = useCallback((game: Kept, isNew: boolean) => {
    const next = stored(game);
    now.current = next;
    setKept(next);
    show(next);
    keep(link("play", values(next)));
    if (isNew) set(table(next));
  }, []);

  // What was played becomes part of the tree.
  useEffect(() => {
    const seen = play.seen;
    if (!seen) return;
    const kept = now.current;
    const rest = { title: seen.title, fingerprint: seen.fingerprint, result: seen.over?.result ?? null };
    if (seen.illegal) {
      const { ply, text, why } = seen.illegal;
      setNotice(`The game is legal up to ply ${ply}. Then it says ${text}: ${sentence(why)}`);
      const tree = { ...kept.tree, at: path(kept.tree)[ply - 1] ?? 0 };
      return update({ ...kept, ...rest, result: null, tree }, true);
    }
    const seats = kept.seats.length === seen.players.length ? kept.seats : seen.players.map((_, at) => kept.seats[at] ?? "");
    // A part that is chosen changes nothing that is kept.
    if (seen.chosen.length > 0 && kept.title) return;
    update({ ...kept, ...rest, seats, tree: grow(kept.tree, seen.plies) }, false);
  }, [play.seen]);

  const choose = useCallback((words: Word[], held?: boolean) => {
    setLive(true);
    setNotice(null);
    play.choose(words, held);
  }, []);
  const type = useCallback((text: string) => {
    setLive(true);
    setNotice(null);
    play.type(text);
  }, []);
  const push = useCallback((...texts: string[]) => {
    const { tree } = now.current;
    const known = path(tree).map((at) => tree.nodes[at]!);
    // Who plays it, and whether it begins a turn, is filled in by the answer.
    const grown = grow(tree, [...known, ...texts.map((text) => ({ text, by: "", turn: true }))], false);
    update({ ...now.current, tree: grown }, true);
  }, []);
  const go = useCallback((at: number) => {
    if (at === now.current.tree.at) return;
    setLive(false);
    setNotice(null);
    update({ ...now.current, tree: visit(now.current.tree, at) }, true);
  }, []);
  const change = useCallback((tree: Tree) => {
    const moved = tree.at !== now.current.tree.at;
    if (moved) setLive(false);
    update({ ...now.current, tree }, moved);
  }, []);
  const begin = useCallback((from: Partial<Kept>) => {
    const { variant, setup, seed, seats } = now.current;
    setLive(true);
    setClash(null);
    setNotice(null);
    update(fresh({ variant, setup, seed, seats, ...from }), true);
  }, []);
  const seat = useCallback((person: number, agent: string) => {
    const seats = [...now.current.seats];
    seats[person] = agent;
    setLive(true);
    update({ ...now.current, seats }, false);
  }, []);
  const resign = useCallback((player: number | null) => {
    const resigned = player === null ? null : loss(now.current.tree.at, player, false);
    update({ ...now.current, resigned }, true);
  }, []);

  const carry = (variant: string, seen: Seen) => {
    const { setup, seed, seats } = now.current;
    const tree = grow(empty(), seen.plies);
    const isOld = now.current.tree.nodes.length > 1;
    const from = { variant, setup, seed, seats, tree };
    setClash(null);
    setLive(true);
    // The game so far stays kept as it was.
    update(isOld ? fresh(from) : { ...now.current, ...from }, true);
  };
  const toVariant = useCallback((variant: string) => {
    setNotice(null);
    see({ ...table(now.current), variant, resigned: null }).then(
      (seen) => {
        if (seen.illegal) return setClash({ variant, seen });
        const had = now.current.tree.nodes.length > 1;
        carry(variant, seen);
        if (had) setNotice("The options have changed. The game as it was is kept among your games.");
      },
      (error: unknown) => setNotice(why(error)),
    );
  }, []);
  const settle = (goOn: boolean) => {
    if (clash && goOn) carry(clash.variant, clash.seen);
    setClash(null);
  };

  const goOn = useCallback(() => setLive(true), []);
  const all = { choose, type, push, go, goOn, change, begin, seat, resign, toVariant, settle, tell: setNotice };
  return { kept, play, seen: play.seen, live, clash, notice, ...all };
}
