// Another game: with another deal, from another set-up; or the end of this one.

import { useState } from "preact/hooks";
import type { Seen } from "../api";
import type { GameState } from "./game";
import { seedOf } from "./kept";

/** Whether chance has a say in the game. */
const draws = (seen: Seen) => seen.deals || seen.chance !== null || seen.plies.some((ply) => ply.by === "chance");

/** Begins anew: whatever chance and agents draw is drawn anew too. */
export function another(game: GameState, seed: string | null = null) {
  game.begin({ seed: seed ?? String(Math.floor(Math.random() * 1_000_000)) });
}

export function NewGame({ game, seen }: { game: GameState; seen: Seen }) {
  const { kept } = game;
  const [seed, setSeed] = useState<string | null>(null);
  const begin = () => {
    another(game, seedOf(seed));
    setSeed(null);
  };
  const { mover } = seen;
  const setups = kept.setup && !seen.setups.includes(kept.setup) ? [kept.setup, ...seen.setups] : seen.setups;
  return (
    <div class="new">
      {setups.length > 0 && (
        <label>
          Set-up
          <select onChange={(event) => game.begin({ setup: event.currentTarget.value || null })}>
            <option value="" selected={!kept.setup}>
              as usual
            </option>
            {setups.map((name) => (
              <option key={name} value={name} selected={kept.setup === name}>
                {seen.setups.includes(name) ? name : "as this game began"}
              </option>
            ))}
          </select>
        </label>
      )}
      {draws(seen) && (
        <label>
          Seed of the next game
          <input
            type="text"
            inputMode="numeric"
            pattern="[0-9]*"
            placeholder={`any (now ${kept.seed})`}
            value={seed ?? ""}
            onInput={(event) => setSeed(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="row">
        <button type="button" onClick={begin}>
          New game
        </button>
        {!seen.over && mover !== null && (
          <button type="button" onClick={() => game.resign(mover)}>
            Resign for {seen.players[mover]}
          </button>
        )}
        {kept.resigned?.at === kept.tree.at && (
          <button type="button" onClick={() => game.resign(null)}>
            {kept.resigned.late ? "Play on without a clock" : "Take the resignation back"}
          </button>
        )}
      </div>
    </div>
  );
}
