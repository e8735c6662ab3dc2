// A game as a page that needs no server: all positions, and a few lines of script that step through them.

import type { Seen } from "../api";

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #23211d; --line: #8a8578; --here: #f0d98a; --on-here: #23211d; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1c1e; --ink: #e9e6df; --line: #8d8a82; } }
body { margin: 0 auto; padding: 16px; max-width: 1080px; background: var(--paper); color: var(--ink); font: 17px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4em; margin: 0 0 8px; }
.both { display: flex; flex-wrap: wrap; gap: 24px; }
#board { flex: 1 1 340px; max-width: min(100%, 80vh); }
#board svg { display: block; width: 100%; height: auto; background: #fff; border-radius: 6px; }
.side { flex: 1 1 240px; }
button { font: inherit; min-width: 44px; min-height: 44px; color: inherit; background: none; border: 1px solid var(--line); border-radius: 6px; }
button:focus-visible { outline: 3px solid #2f6bd0; outline-offset: 2px; }
#moves { display: flex; flex-wrap: wrap; gap: 4px; padding: 0; margin: 12px 0; list-style: none; }
#moves button { min-height: 40px; padding: 0 10px; border-color: transparent; }
#moves button + button { min-width: 24px; padding-left: 0; }
#moves button:has(+ button) { padding-right: 0; }
#moves [aria-current] { background: var(--here); color: var(--on-here); text-decoration: underline; }
`;

const SCRIPT = `
const game = JSON.parse(document.getElementById("game").textContent);
let at = 0;
const by = (id) => document.getElementById(id);
const list = by("moves");
game.plies.forEach(({ text, joined }, ply) => {
  const button = document.createElement("button");
  button.textContent = joined ?? text;
  button.onclick = () => show(ply + 1);
  if (joined === null) list.append(document.createElement("li"));
  list.lastChild.append(button);
});
function show(to) {
  at = Math.max(0, Math.min(game.frames.length - 1, to));
  by("board").innerHTML = game.frames[at].map((line) => game.lines[line]).join("\\n");
  by("says").textContent = game.says[at];
  list.querySelectorAll("button").forEach((button, ply) =>
    ply + 1 === at ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current"));
}
by("first").onclick = () => show(0);
by("back").onclick = () => show(at - 1);
by("next").onclick = () => show(at + 1);
by("last").onclick = () => show(game.frames.length - 1);
addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") show(at - 1);
  if (event.key === "ArrowRight") show(at + 1);
});
show(0);
`;

/** Positions of one game, one after the other, as a page. */
export function replay(all: Seen[]): string {
  const last = all.at(-1)!;
  // Most sites look the same from one position to the next: each line of the drawings is there once.
  const lines = new Map<string, number>();
  const number = (line: string) => lines.get(line) ?? (lines.set(line, lines.size), lines.size - 1);
  const frames = all.map((seen) => seen.svg.split("\n").map(number));
  // Plies of a turn that are one word share a place of the list.
  const plies = last.plies.map(({ text, joined, turn }) => ({ text, joined: turn ? null : (joined ?? null) }));
  const says = all.map((seen, at) => {
    const ply = last.plies[at - 1];
    const played = ply ? `${at}. ${ply.by}: ${ply.text}. ` : "The start. ";
    return played + (seen.over ? seen.prompt : "");
  });
  const data = JSON.stringify({ lines: [...lines.keys()], frames, plies, says }).replaceAll("<", "\\u003c");
  const title = escape(last.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<div class="both">
<div id="board"></div>
<div class="side">
<div>
<button id="first" aria-label="To the start">⏮</button>
<button id="back" aria-label="Back">◀</button>
<button id="next" aria-label="Forward">▶</button>
<button id="last" aria-label="To the end">⏭</button>
</div>
<p id="says" role="status"></p>
<ol id="moves"></ol>
<p>${escape(last.variant)}, position at the end: <code>${escape(last.position)}</code></p>
</div>
</div>
<script type="application/json" id="game">${data}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
