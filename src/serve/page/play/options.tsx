// The options of the game that is played: a change goes on with the same moves.

import type { Seen } from "../api";
import { Options } from "../parts/options";
import type { GameState } from "./game";
import { base, variant } from "./variant";

export function OptionsTab({ game, seen }: { game: GameState; seen: Seen }) {
  const { options } = seen;
  if (options.length === 0) return <p class="quiet">This game has no options.</p>;
  const word = base(game.kept.variant);
  const isUsual = options.every((option) => option.value === option.default);
  return (
    <>
      <p class="quiet">
        A change goes on with the same moves. <code class="word">{game.kept.variant}</code>
      </p>
      <Options id="option" options={options} change={(values) => game.toVariant(variant(word, options, values))} />
      {!isUsual && (
        <button type="button" onClick={() => game.toVariant(word)}>
          All as usual
        </button>
      )}
    </>
  );
}
