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

export function State({ seen, player }: { seen: Seen; player: number | null }) {
  const lines = told(seen, player);
  return lines.length > 0 ? <p class="state">{lines.join(" · ")}</p> : null;
}

/** The state of everybody, in one line for each. */
export function WholeState({ seen }: { seen: Seen }) {
  return (
    <>
      <State seen={seen} player={null} />
      {seen.players.map((name, at) => {
        const lines = told(seen, at);
        return lines.length > 0 && <p class="state" key={name}>{`${name}: ${lines.join(" · ")}`}</p>;
      })}
    </>
  );
}
