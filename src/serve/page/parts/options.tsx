// The options of a game, as switches and fields, with what bars a change.

import { useEffect, useState } from "preact/hooks";
import type { Option } from "../api";
import type { Value } from "../play/variant";

interface Props {
  options: Option[];
  /** Where several of these stand on a page, their ids must differ. */
  id: string;
  /** Whether a switch goes over at once: what the server says of it comes later. Else it waits until it holds. */
  eager?: boolean;
  /** What is not as it was: the values of some options. */
  change(values: Record<string, Value>): void;
}

/** Why an option cannot be changed now; nothing where it can. */
function barred(option: Option, options: Option[]): string | null {
  const on = options.filter((other) => other.value === true);
  const isOn = (name: string) => on.some((other) => other.name === name);
  if (option.value === true) {
    const needed = on.filter((other) => other.requires.includes(option.name)).map((other) => other.name);
    return needed.length > 0 ? `${needed.join(", ")} needs it.` : null;
  }
  if (option.value !== false) return null;
  const lacks = option.requires.filter((name) => !isOn(name));
  if (lacks.length > 0) return `It needs ${lacks.join(", ")}.`;
  const others = on.filter((other) => other.conflicts.includes(option.name)).map((other) => other.name);
  const enemies = [...new Set([...option.conflicts.filter(isOn), ...others])];
  return enemies.length > 0 ? `It does not go with ${enemies.join(", ")}.` : null;
}

export function Options({ options: known, id, eager = false, change }: Props) {
  const [pending, setPending] = useState<Record<string, Value>>({});
  useEffect(() => setPending({}), [known]);
  const options = known.map((option) => ({ ...option, value: pending[option.name] ?? option.value }));
  const set = (name: string, value: Value) => {
    const all = { ...pending, [name]: value };
    if (eager) setPending(all);
    change(all);
  };
  return (
    <div class="options">
      {options.map((option) => (
        <Row
          key={option.name}
          option={option}
          id={`${id}-${option.name}`}
          why={barred(option, options)}
          change={(value) => set(option.name, value)}
        />
      ))}
    </div>
  );
}

interface RowProps {
  option: Option;
  id: string;
  why: string | null;
  change(value: Value): void;
}

function Row({ option, id, why, change }: RowProps) {
  const { name, summary, values, value } = option;
  const about = `${id}-about`;
  const said = { id, "aria-labelledby": `${id}-name`, "aria-describedby": about };
  let field;
  if (typeof value === "boolean") {
    field = (
      <button
        {...said}
        type="button"
        role="switch"
        class="switch"
        aria-checked={value}
        aria-disabled={why !== null}
        onClick={() => why === null && change(!value)}
      >
        <span class="knob" />
        <span class="state">{value ? "on" : "off"}</span>
      </button>
    );
  } else if (Array.isArray(values)) {
    field = (
      <select
        {...said}
        onChange={(event) => {
          const chosen = values[event.currentTarget.selectedIndex];
          // It shows what holds until the change is made: the moves so far may be against it.
          event.currentTarget.selectedIndex = values.findIndex((one) => one === value);
          if (chosen !== undefined) change(chosen);
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
    field = (
      <input
        {...said}
        type="number"
        min={values.from}
        max={values.to}
        value={Number(value)}
        onChange={(event) => {
          const chosen = Math.round(event.currentTarget.valueAsNumber);
          event.currentTarget.value = String(value);
          if (chosen >= values.from && chosen <= values.to) change(chosen);
        }}
      />
    );
  }
  return (
    <div class={`option${why ? " barred" : ""}`}>
      <span class="option-name" id={`${id}-name`}>
        {name.replaceAll("-", " ")}
      </span>
      {field}
      <p id={about}>
        {summary}.{!Array.isArray(values) && ` From ${values.from} to ${values.to}.`}
        {option.extension && ` (from ${option.extension})`} {why && <strong class="barred-why">{why}</strong>}
      </p>
    </div>
  );
}
