// What can be chosen that is no site: kinds, numbers, directions, whole moves, as buttons.

import type { Seen, Word } from "../api";

interface Props {
  seen: Seen;
  choose(words: Word[]): void;
  type(text: string): void;
}

export function Entries({ seen, choose, type }: Props) {
  if (seen.entries.length === 0) return null;
  return (
    <div class="entries" role="group" aria-label="Other choices">
      {seen.entries.map((entry) => (
        <button
          type="button"
          key={entry.text}
          class="entry"
          onClick={(event) => {
            toBoard(event.currentTarget);
            if (entry.part === null) type(entry.text);
            else choose([...seen.chosen, entry.part]);
          }}
        >
          {entry.text}
        </button>
      ))}
    </div>
  );
}

/** A button that goes away once it is chosen gives the keys back to its board. */
function toBoard(button: HTMLElement) {
  const site = button.closest("section")?.querySelector<SVGElement>('.board-host [tabindex="0"]');
  site?.focus({ preventScroll: true });
}

/** The sites among what is chosen. */
export const sitesOf = (words: Word[]): string[] =>
  words.flatMap((word) => (typeof word === "object" && "site" in word ? [word.site] : []));

/** The most buttons that have room on a board. */
const ROOM = 12;

/**
 * The site at which the buttons stand: that which was chosen last, where nothing but them is due. Where sites can be
 * chosen too, the buttons would cover them.
 */
export function placeOf(seen: Seen): string | null {
  const { entries, targets, chosen } = seen;
  if (targets.length > 0 || entries.length === 0 || entries.length > ROOM) return null;
  return sitesOf(chosen).at(-1) ?? null;
}
