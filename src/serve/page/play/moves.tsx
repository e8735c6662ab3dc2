// The moves: a main line with the lines that branch off, and the ways through them.

import { useEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { GameState } from "./game";
import { Icon } from "./icon";
import { after, cut, end, path, promote, turnAfter, turnBefore, type Node, type Tree } from "./tree";

export function Steps({ game }: { game: GameState }) {
  const { tree } = game.kept;
  const hasTurns = tree.nodes.some((node, at) => at > 0 && !node.turn);
  const next = after(tree, tree.at);
  const step = (icon: string, name: string, to: number | null, keys: string) => (
    <button
      type="button"
      class="icon"
      aria-label={name}
      title={`${name} (${keys})`}
      aria-disabled={to === null || to === tree.at}
      onClick={() => to !== null && game.go(to)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="step-bar" role="toolbar" aria-label="Through the game">
      {step("first", "To the start", 0, "Shift+Page up")}
      {hasTurns && step("back-turn", "Back a turn", turnBefore(tree, tree.at), "Ctrl+Z")}
      {step("back", "Back a ply", tree.at > 0 ? tree.nodes[tree.at]!.up : null, "Page up")}
      {step("forward", "Forward a ply", next, "Page down")}
      {hasTurns && step("forward-turn", "Forward a turn", turnAfter(tree, tree.at), "Ctrl+Y")}
      {step("last", "To the end", end(tree), "Shift+Page down")}
    </div>
  );
}

/** Keys that step through the game wherever the focus is, but in fields of text. */
export function useStepKeys(game: GameState) {
  const now = useRef(game);
  now.current = game;
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      const { tree } = now.current.kept;
      const to = event.target as Element;
      if (to.closest("input, textarea, select, [contenteditable]")) return;
      const ctrl = event.ctrlKey || event.metaKey;
      const letter = event.key.toLowerCase();
      let at: number | null = null;
      if (event.key === "PageUp") at = event.shiftKey ? 0 : Math.max(0, tree.nodes[tree.at]!.up);
      else if (event.key === "PageDown") at = event.shiftKey ? end(tree) : after(tree, tree.at);
      else if (ctrl && letter === "z" && !event.shiftKey) at = turnBefore(tree, tree.at);
      else if (ctrl && (letter === "y" || letter === "z")) at = turnAfter(tree, tree.at);
      else return;
      event.preventDefault();
      if (at !== null) now.current.go(at);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
}

/** Parts of the list: lines, each a row of plies with the lines that branch off after it. */
export function Moves({ game }: { game: GameState }) {
  const { tree } = game.kept;
  const players = game.seen?.players ?? [];
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>("[aria-current]");
    const box = list.current;
    if (!box) return;
    // Only the list scrolls, not the page.
    if (!here) box.scrollTop = 0;
    else box.scrollTop += here.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
  }, [tree]);
  if (tree.nodes[0]!.next.length === 0) return <p class="quiet">No moves yet. What you play is listed here.</p>;
  const isAside = tree.at > 0 && !isMain(tree, tree.at);
  return (
    <>
      <div class="moves" ref={list} role="group" aria-label="Moves" tabIndex={0}>
        <Line tree={tree} from={0} go={game.go} players={players} />
      </div>
      {isAside && (
        <p class="row">
          <button type="button" onClick={() => game.change(promote(tree, tree.at))}>
            Make this the main line
          </button>
          <button type="button" onClick={() => game.change(cut(tree, start(tree, tree.at)))}>
            Delete this line
          </button>
        </p>
      )}
    </>
  );
}

const isMain = (tree: Tree, at: number) => path(tree, at).every((one) => tree.nodes[tree.nodes[one]!.up]!.next[0] === one);

/** Where the line of a node branched off. */
function start(tree: Tree, at: number): number {
  let one = at;
  while (one > 0 && tree.nodes[tree.nodes[one]!.up]!.next[0] === one) one = tree.nodes[one]!.up;
  return one;
}

interface LineProps {
  tree: Tree;
  /** The node before the line. */
  from: number;
  /** The first ply, where it is not the main one. */
  first?: number;
  go(at: number): void;
  players: string[];
}

function Line({ tree, from, first, go, players }: LineProps) {
  const rows: ComponentChildren[] = [];
  let turn: ComponentChildren[] = [];
  let by = "";
  const close = (key: string) => {
    if (turn.length > 0) rows.push(<Row key={key} by={by} place={players.indexOf(by)} plies={turn} />);
    turn = [];
  };
  let up = from;
  let at = first ?? tree.nodes[from]!.next[0] ?? null;
  while (at !== null) {
    const node = tree.nodes[at]!;
    if (node.turn) close(`t${at}`);
    // A turn is that of the player who decides, even if chance begins it.
    if (turn.length === 0 || by === "chance") by = node.by;
    turn.push(<Ply key={at} {...written(node, turn.length === 0)} at={at} here={at === tree.at} go={go} />);
    // Lines beside this ply stand below it.
    const others = first !== undefined && at === first ? [] : tree.nodes[up]!.next.slice(1);
    if (others.length > 0) {
      close(`t${at}`);
      rows.push(
        ...others.map((other) => (
          <div class="aside" key={`l${other}`} role="group" aria-label={`Another line, from ${tree.nodes[other]!.text} on`}>
            <Line tree={tree} from={up} first={other} go={go} players={players} />
          </div>
        )),
      );
    }
    up = at;
    at = node.next[0] ?? null;
  }
  close("end");
  // Two players stand side by side.
  return <div class={`line${players.length === 2 ? " two" : ""}`}>{rows}</div>;
}

/** The text of a ply in its row. Plies of a turn may be one word: each but the first is written right behind the one before. */
function written({ text, joined }: Node, isFirst: boolean): { text: string; isJoined: boolean } {
  const behind = isFirst ? null : joined;
  return { text: behind ?? text, isJoined: behind != null };
}

function Row({ by, place, plies }: { by: string; place: number; plies: ComponentChildren[] }) {
  return (
    <div class="turn" data-place={place}>
      <span class="by">{by}</span>
      <span class="ply-list">{plies}</span>
    </div>
  );
}

interface PlyProps {
  text: string;
  isJoined: boolean;
  at: number;
  here: boolean;
  go(at: number): void;
}

function Ply({ text, isJoined, at, here, go }: PlyProps) {
  return (
    <button type="button" class={`ply${isJoined ? " joined" : ""}`} aria-current={here ? "step" : undefined} onClick={() => go(at)}>
      {text}
    </button>
  );
}
