// What is due in a game, and what can be chosen besides sites of the board.

import type { Seen, Word } from "../api";
import { capital, prompt } from "../play/text";
import { Entries, placeOf } from "./entries";

interface Props {
  seen: Seen;
  choose: (words: Word[]) => void;
  type: (text: string) => void;
}

export function Choices({ seen, choose, type }: Props) {
  const { who, what } = prompt(seen);
  return (
    <div class="due">
      <p class="due-prompt">
        {who && <b>{capital(who)}</b>} {what}
      </p>
      <div class="due-rest">
        {seen.chance !== null && (
          <button type="button" onClick={() => type(seen.chance!)}>
            Let chance decide
          </button>
        )}
        {placeOf(seen) === null && <Entries seen={seen} choose={choose} type={type} />}
        {seen.chosen.length > 0 && (
          <button type="button" class="quiet" onClick={() => choose([])}>
            Choose anew
          </button>
        )}
      </div>
    </div>
  );
}
