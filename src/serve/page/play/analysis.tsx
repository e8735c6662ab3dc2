// What the strongest agent thinks of the position that is shown.

import { useState } from "preact/hooks";
import type { Found, Seen } from "../api";
import type { GameState } from "./game";
import { table } from "./kept";
import type { Turn } from "./seats";
import { capital } from "./text";
import { percent, useThoughts } from "./thoughts";

/** What a proved value says. */
export function judged(found: Found): string {
  if (found.proved === null) return percent(found.value);
  if (found.value > 0.99) return `wins in ${found.proved}`;
  if (found.value < 0.01) return `loses in ${found.proved}`;
  return `draw in ${found.proved}`;
}

export function Analysis({ game, seen, turn }: { game: GameState; seen: Seen; turn: Turn }) {
  const [on, setOn] = useState(false);
  const isDue = seen.mover !== null && !seen.over && !turn.acts && !game.play.busy;
  const asked = on && isDue ? table(game.kept) : null;
  const thoughts = useThoughts(asked, JSON.stringify(asked), "auto:3s", 3);
  const best = thoughts.lines[0];
  const mover = seen.mover === null ? "" : seen.players[seen.mover]!;
  return (
    <div class="analysis">
      <p class="row between">
        <span id="analysis-name">Analysis of this position</span>
        <button
          type="button"
          role="switch"
          class="switch"
          aria-checked={on}
          aria-labelledby="analysis-name"
          onClick={() => setOn(!on)}
        >
          <span class="knob" />
          <span class="state">{on ? "on" : "off"}</span>
        </button>
      </p>
      {!on && <p class="quiet">The strongest agent looks for three seconds and shows its three best lines.</p>}
      {on && !isDue && <p class="quiet">{turn.acts ? "It waits until a person is to move." : "Nobody is to move here."}</p>}
      {on && thoughts.error && <p class="wrong">{thoughts.error}</p>}
      {on && isDue && best && seen.players.length === 2 && <Bar seen={seen} value={best.value} />}
      {on && isDue && (
        <ol class="lines">
          {thoughts.lines.map((line) => (
            <li key={line.rank}>
              <span class="value">{judged(line)}</span>
              <Playable line={line.line} game={game} />
            </li>
          ))}
        </ol>
      )}
      {on && isDue && (
        <p class="quiet" aria-live={thoughts.busy ? "off" : "polite"}>
          {thoughts.busy
            ? best
              ? `${capital(mover)} is to move. Looking ${best.depth} plies deep …`
              : "Looking …"
            : best && `Values are what ${mover} is expected to get. It looked at ${best.nodes.toLocaleString("en")} positions.`}
        </p>
      )}
    </div>
  );
}

function Bar({ seen, value }: { seen: Seen; value: number }) {
  const first = seen.mover === 0 ? value : 1 - value;
  return (
    <div class="bar-row">
      <span>
        {seen.players[0]} {percent(first)}
      </span>
      <div
        class="bar"
        role="meter"
        aria-label={`Expected for ${seen.players[0]}, in hundredths`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(first * 100)}
      >
        <span data-name={seen.players[0]} data-place={0} style={{ flexGrow: first }} />
        <span data-name={seen.players[1]} data-place={1} style={{ flexGrow: 1 - first }} />
      </div>
      <span>
        {percent(1 - first)} {seen.players[1]}
      </span>
    </div>
  );
}

/** A line whose plies can be played: up to the one that is clicked. */
function Playable({ line, game }: { line: string[]; game: GameState }) {
  return (
    <span class="ply-list">
      {line.map((text, at) => (
        <button type="button" class="ply" key={at} onClick={() => game.push(...line.slice(0, at + 1))}>
          {text}
        </button>
      ))}
    </span>
  );
}
