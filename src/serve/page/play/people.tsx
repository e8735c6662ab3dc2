// Who plays, with what each has got.

import type { Seen } from "../api";
import { State } from "../parts/state";
import type { GameState } from "./game";
import { judged } from "./analysis";
import { AGENTS, called, type Turn } from "./seats";
import { capital } from "./text";

export function People({ game, seen, turn }: { game: GameState; seen: Seen; turn: Turn }) {
  const best = turn.thoughts.lines[0];
  return (
    <section class="people" aria-label="Players">
      {seen.players.map((name, at) => {
        const person = seen.persons[at] ?? at;
        const agent = game.kept.seats[person] ?? "";
        const isDue = seen.mover === at && !seen.over;
        return (
          <div class={`person${isDue ? " is-due" : ""}`} key={name}>
            <span class="swatch" data-name={name} data-place={at % 8} aria-hidden="true" />
            <span class="name">
              {capital(name)}
              {isDue && <span class="to-move"> to move</span>}
            </span>
            <span class="score">
              {seen.scores[at] !== undefined && (
                <>
                  <span class="unseen">score </span>
                  {seen.scores[at]}
                </>
              )}
            </span>
            <select aria-label={`Who plays ${name}`} onChange={(event) => game.seat(person, event.currentTarget.value)}>
              {AGENTS.map(([word, text]) => (
                <option key={word} value={word} selected={word === agent}>
                  {text}
                </option>
              ))}
            </select>
            <State seen={seen} player={at} />
          </div>
        );
      })}
      {seen.persons.some((person, at) => person !== at) && (
        <p class="quiet">The sides are swapped: who played {seen.players[0]} plays {seen.players[1]} now.</p>
      )}
      <State seen={seen} player={null} />
      {turn.who && turn.who !== "chance" && (
        <p class="thinking">
          {turn.acts ? (
            <>
              <span class="thinks">{called(turn.who)} thinks{best && ":"}</span>
              {best && (
                <>
                  {" "}
                  <span class="value">{judged(best)}</span> <span class="best-line">{best.line.slice(0, 6).join(" ")}</span>
                </>
              )}
            </>
          ) : (
            <button type="button" class="primary" onClick={game.goOn}>
              Let {called(turn.who)} play on
            </button>
          )}
        </p>
      )}
      {turn.who === "chance" && (
        <p class="thinking">
          {turn.acts ? (
            <>Chance gives {seen.chance}</>
          ) : (
            <button type="button" class="primary" onClick={game.goOn}>
              Let chance decide: {seen.chance}
            </button>
          )}
        </p>
      )}
    </section>
  );
}
