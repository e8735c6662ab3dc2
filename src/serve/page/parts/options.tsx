// Switches for the options of a game.

import { useEffect, useState } from "preact/hooks";
import type { Option } from "../api";
import type { Value } from "../play/variant";

interface Props {
  options: Option[];
  /** Where several of these stand on a page, their ids must differ. */
  id: string;
  /** What is not as it was: the values of some options. */
  change: (values: Record<string, Value>) => void;
}

const named = (value: Value) => (value === true ? "on" : value === false ? "off" : String(value));

export function Options({ options: known, id, change }: Props) {
  // A switch goes over at once: what the server says of it comes later.
  const [pending, setPending] = useState<Record<string, Value>>({});
  useEffect(() => setPending({}), [known]);
  const options = known.map((option) => ({ ...option, value: pending[option.name] ?? option.value }));
  const set = (name: string, value: Value) => {
    const all = { ...pending, [name]: value };
    setPending(all);
    change(all);
  };
  return (
    <div class="options-of">
      {options.map((option) => (
        <div key={option.name} class="option-of">
          <One option={option} id={`${id}-${option.name}`} change={(value) => set(option.name, value)} />
          <p class="option-says" id={`${id}-${option.name}-says`}>
            {option.summary}.
            {option.requires.length > 0 && ` Needs ${option.requires.join(", ")}.`}
            {option.conflicts.length > 0 && ` Not with ${option.conflicts.join(", ")}.`}
          </p>
        </div>
      ))}
    </div>
  );
}

function One({ option, id, change }: { option: Option; id: string; change: (value: Value) => void }) {
  const says = `${id}-says`;
  if (typeof option.value === "boolean") {
    return (
      <label class="switch-of">
        <input
          type="checkbox"
          checked={option.value}
          aria-describedby={says}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        <span>{option.name.replaceAll("-", " ")}</span>
      </label>
    );
  }
  const { values } = option;
  return (
    <label class="pick-of" for={id}>
      <span>{option.name.replaceAll("-", " ")}</span>
      {Array.isArray(values) ? (
        <select
          id={id}
          aria-describedby={says}
          value={String(option.value)}
          onChange={(event) => change(values.find((value) => String(value) === event.currentTarget.value)!)}
        >
          {values.map((value) => (
            <option key={String(value)} value={String(value)}>
              {named(value)}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="number"
          aria-describedby={says}
          min={values.from}
          max={values.to}
          value={String(option.value)}
          onChange={(event) => {
            const value = Math.round(event.currentTarget.valueAsNumber);
            if (value >= values.from && value <= values.to) change(value);
            else event.currentTarget.value = String(option.value);
          }}
        />
      )}
    </label>
  );
}
