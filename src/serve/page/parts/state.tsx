// What the board does not show: reserves, counters, sets of sites.

import type { Seen } from "../api";

/** The variables of a player, or those of nobody: each with its entries. */
function told(seen: Seen, player: number | null): string[] {
  const found = new Map<string, string[]>();
  for (const variable of seen.state) {
    if (variable.player !== player) continue;
    const entry = variable.of ? `${variable.of} ${variable.value}` : variable.value;
    found.set(variable.name, [...(found.get(variable.name) ?? []), entry]);
  }
  return [...found].map(([name, entries]) => `${name.replaceAll("-", " ")}: ${entries.join(", ")}`);
}

/** What one player has, or nobody, in a line; with the player's name where that is not clear. */
export function State({ seen, player, named = false }: { seen: Seen; player: number | null; named?: boolean }) {
  const lines = told(seen, player);
  if (lines.length === 0) return null;
  return <p class="state">{(named && player !== null ? `${seen.players[player]}: ` : "") + lines.join(" · ")}</p>;
}

/** The state of everybody. */
export const WholeState = ({ seen }: { seen: Seen }) => (
  <>
    <State seen={seen} player={null} />
    {seen.players.map((name, at) => (
      <State key={name} seen={seen} player={at} named />
    ))}
  </>
);
