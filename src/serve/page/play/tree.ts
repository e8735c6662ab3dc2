// A game with all lines that were tried: a tree of plies.

import type { Ply } from "../api";

/** A ply. All but its text is known once the server has seen it. */
export interface Node extends Ply {
  /** The ply before. */
  up: number;
  /** What was played after it, the main line first. */
  next: number[];
  /** Which of these was looked at last. */
  last: number | null;
}

/** The first node is the position before all plies. Nodes are never taken out of the list, so that numbers stay. */
export interface Tree {
  nodes: Node[];
  at: number;
}

const told = ({ text, joined, by, person, turn }: Ply): Ply => ({ text, joined, by, person, turn });
const node = (ply: Ply, up: number): Node => ({ ...told(ply), up, next: [], last: null });

export const empty = (): Tree => ({ nodes: [node({ text: "", by: "", turn: true }, -1)], at: 0 });

/** The nodes from the first ply to one. */
export function path(tree: Tree, to = tree.at): number[] {
  const out: number[] = [];
  for (let at = to; at > 0; at = tree.nodes[at]!.up) out.push(at);
  return out.reverse();
}

export const moves = (tree: Tree, to = tree.at): string[] => path(tree, to).map((at) => tree.nodes[at]!.text);

/** The node that these moves lead to; none where they were never played. */
export function find(tree: Tree, texts: string[]): number | null {
  let at = 0;
  for (const text of texts) {
    const next = tree.nodes[at]!.next.find((one) => tree.nodes[one]!.text === text);
    if (next === undefined) return null;
    at = next;
  }
  return at;
}

/** Goes along these plies. What was not played yet becomes a new line. What is `known` of them is kept. */
export function grow(tree: Tree, plies: Ply[], known = true): Tree {
  const nodes = [...tree.nodes];
  let at = 0;
  for (const ply of plies) {
    const here = nodes[at]!;
    let next = here.next.find((one) => nodes[one]!.text === ply.text);
    if (next === undefined) {
      next = nodes.length;
      nodes.push(node(ply, at));
      nodes[at] = { ...here, next: [...here.next, next], last: next };
    } else {
      if (known) nodes[next] = { ...nodes[next]!, ...told(ply) };
      nodes[at] = { ...here, last: next };
    }
    at = next;
  }
  return { nodes, at };
}

/** Goes to a node. The way to it is what `forward` takes again. */
export function visit(tree: Tree, to: number): Tree {
  const nodes = [...tree.nodes];
  for (let at = to; at > 0; ) {
    const up = nodes[at]!.up;
    nodes[up] = { ...nodes[up]!, last: at };
    at = up;
  }
  return { nodes, at: to };
}

/** The node after one, on the line that was looked at last. */
export function after(tree: Tree, at: number): number | null {
  const here = tree.nodes[at]!;
  return here.last ?? here.next[0] ?? null;
}

/** The last node of the line. */
export function end(tree: Tree, from = tree.at): number {
  let at = from;
  for (let next = after(tree, at); next !== null; next = after(tree, at)) at = next;
  return at;
}

/** Where the turn of a node began. */
export function turnBefore(tree: Tree, from: number): number {
  let at = from;
  while (at > 0) {
    const { turn, up } = tree.nodes[at]!;
    at = up;
    if (turn) break;
  }
  return at;
}

/** Where the turn after a node ends. */
export function turnAfter(tree: Tree, from: number): number {
  let at = after(tree, from) ?? from;
  for (let next = after(tree, at); next !== null && !tree.nodes[next]!.turn; next = after(tree, at)) at = next;
  return at;
}

/** Makes the line of a node the main line of its fork. */
export function promote(tree: Tree, at: number): Tree {
  const nodes = [...tree.nodes];
  for (let one = at; one > 0; one = nodes[one]!.up) {
    const up = nodes[one]!.up;
    const others = nodes[up]!.next.filter((other) => other !== one);
    nodes[up] = { ...nodes[up]!, next: [one, ...others] };
  }
  return { ...tree, nodes };
}

/** Takes a node and all after it out of the tree. */
export function cut(tree: Tree, at: number): Tree {
  const up = tree.nodes[at]!.up;
  const nodes = [...tree.nodes];
  const next = nodes[up]!.next.filter((other) => other !== at);
  nodes[up] = { ...nodes[up]!, next, last: next[0] ?? null };
  return { nodes, at: path(tree).includes(at) ? up : tree.at };
}
