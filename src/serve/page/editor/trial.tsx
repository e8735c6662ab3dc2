// The board of what is being written: it plays by the rules of the text as soon as they can be played.

import { useEffect, useRef } from "preact/hooks";
import type { Seen, Word } from "../api";
import { Choices } from "../parts/choices";
import { Coded } from "../parts/coded";
import { Options } from "../parts/options";
import { WholeState } from "../parts/state";
import { Board } from "../play/board";
import { useTable } from "../play/table";
import { news } from "../play/text";
import { base, variant } from "../play/variant";

interface Props {
  file: string;
  /** What is played. */
  variant: string;
  /** The last text that could be played. */
  text: string;
  /** Whether the text has mistakes now: the board shows an older one. */
  behind: boolean;
  say: (text: string) => void;
}

export function Trial({ file, variant: word, text, behind, say }: Props) {
  const play = useTable({ variant: word, seed: "1", moves: [], unsaved: { file, text } });
  const { seen, table } = play;
  useEffect(() => {
    if (table.unsaved?.text === text) return;
    // Options stay as they are, unless another game is played.
    const kept = base(table.variant) === base(word) ? table.variant : word;
    play.set({ ...table, variant: kept, unsaved: { file, text } });
  }, [text, word]);
  const told = useRef<Seen | null>(null);
  useEffect(() => {
    if (!seen) return;
    const before = told.current;
    told.current = seen;
    const { illegal } = seen;
    // A change of the text alone says nothing, unless it changes the game so far.
    if (illegal) {
      if (before?.illegal?.text !== illegal.text) say(`Move ${illegal.ply + 1}, ${illegal.text}, is not legal any more.`);
    } else if (before && (before.plies.length !== seen.plies.length || seen.chosen.length > 0)) say(news(before, seen));
  }, [seen]);

  if (!seen) return <p class="hint">{play.error ?? "Loading the board …"}</p>;

  const { illegal } = seen;
  // Moves that are not legal now are kept until another one is played: the next change of the text may mend them.
  const cut = () => illegal && play.set({ ...table, moves: table.moves.slice(0, illegal.ply) });
  const choose = (words: Word[], held?: boolean) => {
    cut();
    play.choose(words, held);
  };
  const type = (text: string) => {
    cut();
    play.type(text);
  };
  const back = () => play.set({ ...table, moves: (illegal ? seen.plies.map((ply) => ply.text) : table.moves).slice(0, -1) });
  const played = seen.plies.length;
  return (
    <div class="trial">
      {behind && (
        <p class="trial-note">
          <span aria-hidden="true">↺ </span>The text has mistakes. The board shows it as it was before them.
        </p>
      )}
      {illegal && (
        <p class="trial-note warn">
          <span aria-hidden="true">▲ </span>
          Move {illegal.ply + 1}, <b>{illegal.text}</b>, is not legal any more: <Coded text={illegal.why} />. The board stands before it.
        </p>
      )}
      {play.error && <p class="trial-note warn">{play.error}</p>}
      <div class="trial-board">
        <Board seen={seen} onChoose={choose} onType={type} label={`Board of ${seen.title}`} />
      </div>
      <Choices seen={seen} choose={choose} type={type} />
      <WholeState seen={seen} />
      <div class="trial-line">
        <button type="button" disabled={played === 0} onClick={back}>
          Take back
        </button>
        <button type="button" disabled={table.moves.length === 0} onClick={() => play.set({ ...table, moves: [] })}>
          From the start
        </button>
        <p class="trial-moves">
          {seen.plies.map((ply, at) => (
            <span key={at} class={ply.turn ? "trial-ply turn" : "trial-ply"}>
              {ply.text}{" "}
            </span>
          ))}
          {illegal &&
            table.moves.slice(illegal.ply).map((text, at) => (
              <s key={at} title="not legal any more">
                {text}{" "}
              </s>
            ))}
        </p>
      </div>
      {seen.setups.length > 0 && (
        <label class="setup-of">
          <span>Set-up</span>
          <select
            value={table.setup ?? ""}
            onChange={(event) => play.set({ ...table, moves: [], setup: event.currentTarget.value || null })}
          >
            <option value="">the usual one</option>
            {seen.setups.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      {seen.options.length > 0 && (
        <details class="trial-options">
          <summary>Options ({seen.options.length})</summary>
          <Options
            id="trial"
            options={seen.options}
            eager
            change={(values) => {
              play.set({ ...table, variant: variant(base(table.variant), seen.options, values) });
            }}
          />
        </details>
      )}
    </div>
  );
}
