// Picks a variant: a game, and its options, as one word that can be typed too.

import { useEffect, useState } from "preact/hooks";
import * as api from "../api";
import { Options } from "../parts/options";
import { why } from "../play/table";
import { base, variant } from "../play/variant";

export type Side = "A" | "B";

interface Props {
  side: Side;
  word: string;
  games: api.Game[];
  change: (word: string) => void;
}

/** How long the keys must rest before the server is asked. */
const REST = 300;

export function Pick({ side, word, games, change }: Props) {
  const [seen, setSeen] = useState<api.Seen | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  useEffect(() => {
    if (!word) {
      setSeen(null);
      return setWrong(null);
    }
    const stop = new AbortController();
    const ask = () =>
      api.see({ variant: word, seed: "1", moves: [] }, stop.signal).then(
        (seen) => {
          setSeen(seen);
          setWrong(null);
        },
        (error: unknown) => {
          if (stop.signal.aborted) return;
          setWrong(why(error));
        },
      );
    const timer = setTimeout(ask, seen ? REST : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [word]);

  const game = base(word);
  // The switches stay while a word is wrong, so that they can mend it.
  const fits = seen !== null && base(seen.variant) === game;
  const known = games.some((one) => one.name === game);
  const own = games.filter((one) => !one.shipped);
  const shipped = games.filter((one) => one.shipped);
  const id = `pick-${side}`;
  const group = (label: string, list: api.Game[]) =>
    list.length > 0 && (
      <optgroup label={label}>
        {list.map((one) => (
          <option key={one.name} value={one.name} disabled={one.wrong !== null} selected={one.name === game}>
            {one.title}
            {!one.shipped && ` (${one.name})`}
          </option>
        ))}
      </optgroup>
    );
  return (
    <fieldset class={`pick side-${side}`}>
      <legend>
        <SideMark side={side} /> {fits ? seen.title : side === "A" ? "First variant" : "Second variant"}
      </legend>
      <label for={`${id}-game`}>Game</label>
      <select id={`${id}-game`} onChange={(event) => change(event.currentTarget.value)}>
        {!known && (
          <option value={game} selected>
            {game || "Choose a game"}
          </option>
        )}
        {group("Of this folder", own)}
        {group("Come with Farrier", shipped)}
      </select>
      <label for={`${id}-word`}>As a word</label>
      <input
        id={`${id}-word`}
        type="text"
        class="word"
        value={word}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder="game+option:name=value"
        aria-invalid={wrong !== null}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onInput={(event) => change(event.currentTarget.value.trim())}
      />
      {wrong && (
        <p class="wrong" id={`${id}-wrong`}>
          <span aria-hidden="true">✕ </span>
          {wrong}
        </p>
      )}
      {fits && seen.options.length > 0 && (
        <details open>
          <summary>Options ({seen.options.length})</summary>
          <Options
            id={id}
            options={seen.options}
            eager
            change={(values) => change(variant(game, seen.options, values))}
          />
        </details>
      )}
      {fits && seen.options.length === 0 && <p class="hint">This game has no options.</p>}
    </fieldset>
  );
}

/** The letter of a side, so that colour is never the only sign. */
export const SideMark = ({ side }: { side: Side }) => <span class={`side-mark side-${side}`}>{side}</span>;
