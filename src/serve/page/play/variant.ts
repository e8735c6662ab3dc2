// A variant as one word: a game, extensions, and the options that differ from what is usual.

import type { Option } from "../api";

export type Value = Option["value"];

/** The game of a variant, with its extension files: all but the options. */
export function base(word: string): string {
  // A path goes up to its `.toml`; names hold no marks.
  const path = /^[^+~]*?[/\\].*?\.toml(?=[+~:]|$)/.exec(word)?.[0];
  const game = path ?? word.split(/[+~:]/)[0]!;
  const rest = word.slice(game.length);
  const extensions = rest.match(/\+[^+~:]*[/\\].*?\.toml(?=[+~:]|$)/g) ?? [];
  return game + extensions.join("");
}

/** The word of a game with these values of its options. */
export function variant(game: string, options: Option[], values: Record<string, Value>): string {
  const parts = options.map((option) => {
    const value = values[option.name] ?? option.value;
    if (value === option.default) return "";
    if (value === true) return `+${option.name}`;
    if (value === false) return `~${option.name}`;
    return `:${option.name}=${value}`;
  });
  return game + parts.join("");
}
