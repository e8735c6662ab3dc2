// The options of a game, as switches and fields.

import type { Option, Seen } from "../api";
import type { GameState } from "./game";
import { base, variant, type Value } from "./variant";

/** Why an option cannot be changed now; nothing where it can. */
function barred(option: Option, options: Option[]): string | null {
  const isOn = (name: string) => options.find((other) => other.name === name)?.value === true;
  const lacks = option.requires.filter((name) => !isOn(name));
  const against = option.conflicts.filter(isOn);
  if (option.value !== false) {
    const needed = options.filter((other) => other.value === true && other.requires.includes(option.name));
    return needed.length > 0 && option.value === true ? `${needed.map((o) => o.name).join(", ")} needs it.` : null;
  }
  const others = options.filter((other) => other.value === true && other.conflicts.includes(option.name));
  const enemies = [...new Set([...against, ...others.map((other) => other.name)])];
  if (lacks.length > 0) return `It needs ${lacks.join(", ")}.`;
  if (enemies.length > 0) return `It does not go with ${enemies.join(", ")}.`;
  return null;
}

export function Options({ game, seen }: { game: GameState; seen: Seen }) {
  const { options } = seen;
  if (options.length === 0) return <p class="quiet">This game has no options.</p>;
  const game_word = base(game.kept.variant);
  const change = (name: string, value: Value) => game.toVariant(variant(game_word, options, { [name]: value }));
  const isUsual = options.every((option) => option.value === option.default);
  return (
    <div class="options">
      <p class="quiet">
        A change goes on with the same moves. <code class="word">{game.kept.variant}</code>
      </p>
      {options.map((option) => (
        <OptionRow key={option.name} option={option} why={barred(option, options)} change={change} />
      ))}
      {!isUsual && (
        <button type="button" onClick={() => game.toVariant(game_word)}>
          All as usual
        </button>
      )}
    </div>
  );
}

interface RowProps {
  option: Option;
  why: string | null;
  change(name: string, value: Value): void;
}

function OptionRow({ option, why, change }: RowProps) {
  const { name, summary, values, value } = option;
  const id = `option-${name}`;
  const about = `${id}-about`;
  const isFlag = Array.isArray(values) && typeof values[0] === "boolean";
  let field;
  if (isFlag) {
    field = (
      <button
        type="button"
        role="switch"
        class="switch"
        id={id}
        aria-checked={value === true}
        aria-disabled={why !== null}
        aria-labelledby={`${id}-name`}
        aria-describedby={about}
        onClick={() => why === null && change(name, value !== true)}
      >
        <span class="knob" />
        <span class="state">{value === true ? "on" : "off"}</span>
      </button>
    );
  } else if (Array.isArray(values)) {
    field = (
      <select
        id={id}
        aria-labelledby={`${id}-name`}
        aria-describedby={about}
        onChange={(event) => {
          const chosen = values[event.currentTarget.selectedIndex];
          // It shows what holds until the change is made: the moves so far may be against it.
          event.currentTarget.selectedIndex = values.findIndex((one) => one === value);
          if (chosen !== undefined) change(name, chosen);
        }}
      >
        {values.map((one) => (
          <option key={String(one)} selected={one === value}>
            {String(one)}
          </option>
        ))}
      </select>
    );
  } else {
    const numbers = values;
    field = (
      <input
        id={id}
        type="number"
        min={numbers.from}
        max={numbers.to}
        value={Number(value)}
        aria-labelledby={`${id}-name`}
        aria-describedby={about}
        onChange={(event) => {
          const chosen = Math.round(event.currentTarget.valueAsNumber);
          const fits = chosen >= numbers.from && chosen <= numbers.to;
          event.currentTarget.value = String(value);
          if (fits) change(name, chosen);
        }}
      />
    );
  }
  const from = option.extension ? ` (from ${option.extension})` : "";
  const range = Array.isArray(values) ? "" : ` From ${values.from} to ${values.to}.`;
  return (
    <div class={`option${why ? " barred" : ""}`}>
      <span class="option-name" id={`${id}-name`}>
        {name.replaceAll("-", " ")}
      </span>
      {field}
      <p id={about}>
        {summary}.{range}
        {from} {why && <strong class="barred-why">{why}</strong>}
      </p>
    </div>
  );
}
