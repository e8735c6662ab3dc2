// What is due, and what can be chosen besides the sites of the board.

import { useState } from "preact/hooks";
import type { Seen } from "../api";
import type { GameState } from "./game";
import type { Turn } from "./seats";
import { capital, prompt } from "./text";

interface Due {
  seen: Seen;
  turn: Turn;
  hint: string | null;
}

export function Prompt({ seen, turn, hint }: Due) {
  const { who, what } = prompt(seen);
  const last = seen.plies.at(-1);
  return (
    <div class={`prompt${seen.over ? " over" : ""}`}>
      <p class="task">
        {who && (
          <>
            <span class="swatch" data-name={who} data-place={(seen.mover ?? 0) % 8} aria-hidden="true" />
            <strong>{capital(who)}</strong>{" "}
          </>
        )}
        <span class="what">{turn.acts && turn.who !== "chance" ? "is thinking …" : what}</span>
      </p>
      <p class="last-ply">
        {last && (
          <>
            {last.by} played <b>{last.text}</b>
          </>
        )}
      </p>
      <p class="hint-said" role="status">
        {hint}
      </p>
    </div>
  );
}

export function Typed({ game, seen }: { game: GameState; seen: Seen }) {
  const [text, setText] = useState("");
  if (seen.over || seen.chance) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    const typed = text.trim();
    if (!typed) return;
    game.type(typed);
    setText("");
  };
  return (
    <form class="typed" onSubmit={submit}>
      <input
        type="text"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        placeholder="Type a move"
        aria-label="Type a move"
        aria-describedby={seen.mistyped ? "mistyped" : undefined}
        aria-invalid={seen.mistyped !== null}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
      <button type="submit">Play</button>
      {seen.mistyped && (
        <p id="mistyped" class="wrong">
          {seen.mistyped}
        </p>
      )}
    </form>
  );
}
