// Two boards in step: the same moves on both, as far as they are legal.

import { useEffect, useState } from "preact/hooks";
import type { Seen, Word } from "../api";
import { Choices } from "../parts/choices";
import { WholeState } from "../parts/state";
import { Board } from "../play/board";
import { Icon } from "../play/icon";
import { useTable, type Play } from "../play/table";
import { SideMark, type Side } from "./pick";

interface Props {
  variants: [string, string];
  /** The line that tells them apart; none where no such line is known. */
  told: string[] | null;
  says: string;
  say: (text: string) => void;
}

const same = (a: string[], b: string[]) => a.length === b.length && a.every((text, at) => text === b[at]);

/** What is different between two positions, as far as it is seen. */
function differences(a: Seen, b: Seen): string[] {
  const out: string[] = [];
  const whose = (seen: Seen) => (seen.mover === null ? "nobody" : seen.players[seen.mover]!);
  if (a.illegal || b.illegal) return out;
  if (!a.over !== !b.over) out.push(`In ${a.over ? "A" : "B"} the game is over, in ${a.over ? "B" : "A"} it goes on.`);
  else if (a.over && b.over && a.over.result !== b.over.result) out.push(`A: ${a.over.result}. B: ${b.over.result}.`);
  if (!a.over && !b.over) {
    if (whose(a) !== whose(b)) out.push(`In A ${whose(a)} is to move, in B ${whose(b)}.`);
    if (a.legal !== b.legal) out.push(`${a.legal} moves are legal in A, ${b.legal} in B.`);
    const only = (one: Seen, other: Seen) => one.targets.filter((site) => !other.targets.includes(site));
    const sites = (name: string, list: string[]) => {
      if (list.length > 0 && list.length <= 12) out.push(`Only in ${name} can be chosen: ${list.join(", ")}.`);
    };
    if (a.chosen.length === 0 && b.chosen.length === 0 && whose(a) === whose(b)) {
      sites("A", only(a, b));
      sites("B", only(b, a));
    }
  }
  const stands = (seen: Seen) => seen.sites.map((site) => `${site.name} ${site.says}`).join();
  if (stands(a) !== stands(b)) out.push("The boards are not the same.");
  return out;
}

export function InStep({ variants, told, says, say }: Props) {
  const [line, setLine] = useState<string[]>(told ?? []);
  const [at, setAt] = useState(told?.length ?? 0);
  const desired = line.slice(0, at);
  const begin = (variant: string) => ({ variant, seed: "1", moves: desired });
  const sides: [Play, Play] = [useTable(begin(variants[0])), useTable(begin(variants[1]))];

  useEffect(() => {
    for (const play of sides) if (!same(play.table.moves, desired)) play.set({ ...play.table, moves: desired });
  }, [line, at]);
  for (const play of sides) {
    useEffect(() => {
      const { moves } = play.table;
      const isPlayed = moves.length > at && same(moves.slice(0, at), desired);
      if (!isPlayed) return;
      // A move that is the line's next one stays on the line.
      if (!same(moves, line.slice(0, moves.length))) setLine(moves);
      setAt(moves.length);
    }, [play.table.moves]);
  }

  const [a, b] = [sides[0].seen, sides[1].seen];
  const settled = a !== null && b !== null && !sides[0].busy && !sides[1].busy;
  const differing = a && b && settled ? differences(a, b) : [];
  useEffect(() => {
    if (!settled) return;
    const where = at === 0 ? "At the start." : `After ply ${at}, ${line[at - 1]}.`;
    const not = [a, b].flatMap((seen, n) => (seen!.illegal ? [`Not legal in ${n === 0 ? "A" : "B"}: ${seen!.illegal.text}.`] : []));
    say([where, ...not, ...differing].join(" "));
  }, [a, b, settled]);

  const onTold = told !== null && same(line, told);
  const go = (to: number) => setAt(Math.max(0, Math.min(line.length, to)));
  return (
    <div class="in-step">
      <p class="in-step-says">
        {says.charAt(0).toUpperCase() + says.slice(1)}.
        {told && told.length > 0 && !onTold && (
          <button
            type="button"
            class="link"
            onClick={() => {
              setLine(told);
              setAt(told.length);
            }}
          >
            Back to that line
          </button>
        )}
      </p>
      <div class="steps" role="group" aria-label="Steps along the line">
        <StepButton name="First" sign="first" off={at === 0} go={() => go(0)} />
        <StepButton name="Previous" sign="back" off={at === 0} go={() => go(at - 1)} />
        <StepButton name="Next" sign="forward" off={at === line.length} go={() => go(at + 1)} />
        <StepButton name="Last" sign="last" off={at === line.length} go={() => go(line.length)} />
        <span class="steps-at">{line.length === 0 ? "At the start" : `Ply ${at} of ${line.length}`}</span>
      </div>
      {line.length > 0 && (
        <ol class="plies" aria-label="Plies of the line">
          {line.map((text, ply) => (
            <li key={ply}>
              <button type="button" aria-current={ply + 1 === at ? "step" : undefined} onClick={() => go(ply + 1)}>
                {text}
              </button>
            </li>
          ))}
        </ol>
      )}
      {differing.length > 0 && (
        <ul class="differing">
          {differing.map((text) => (
            <li key={text}>
              <span aria-hidden="true">≠ </span>
              {text}
            </li>
          ))}
        </ul>
      )}
      <div class="boards">
        {sides.map((play, n) => (
          <OneBoard key={n} side={n === 0 ? "A" : "B"} word={variants[n]!} play={play} />
        ))}
      </div>
    </div>
  );
}

function StepButton({ name, sign, off, go }: { name: string; sign: string; off: boolean; go: () => void }) {
  // A button that is off keeps the focus, so that keys do not fall out of the row at its ends.
  return (
    <button type="button" aria-label={name} title={name} aria-disabled={off} onClick={() => !off && go()}>
      <Icon name={sign} />
    </button>
  );
}

function OneBoard({ side, word, play }: { side: Side; word: string; play: Play }) {
  const { seen, error } = play;
  const stuck = seen?.illegal ?? null;
  const choose = (words: Word[], held?: boolean) => play.choose(words, held);
  return (
    <section class={`one-board side-${side}`} aria-label={`Board of ${side}, ${word}`}>
      <h3>
        <SideMark side={side} /> <code>{word}</code>
      </h3>
      {error && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
      {!seen && !error && <p class="hint">Loading the board …</p>}
      {seen && (
        <>
          <Board seen={seen} onChoose={choose} onType={play.type} readonly={stuck !== null} label={`Board of ${side}: ${seen.title}`} />
          {stuck ? (
            <p class="stuck">
              <span aria-hidden="true">✕ </span>
              <b>{stuck.text}</b> is not legal here: {stuck.why}. This board stands {stuck.ply === 0 ? "at the start" : `after ply ${stuck.ply}`}.
            </p>
          ) : (
            <>
              <Choices seen={seen} choose={play.choose} type={play.type} />
              {!seen.over && <p class="hint">{seen.legal === 1 ? "1 legal move" : `${seen.legal} legal moves`}</p>}
            </>
          )}
          <WholeState seen={seen} />
        </>
      )}
    </section>
  );
}
