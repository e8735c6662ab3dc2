// What games of both variants measure: sentences first, then a table of figures.

import type { Compared, Figure } from "../api";
import { Coded } from "../parts/coded";
import { SideMark } from "./pick";

type Row = Compared["rows"][number];

const Value = ({ value: { figure, interval } }: { value: Figure }) => (
  <>
    <span class="figure">{figure}</span>
    {interval && <span class="interval">{interval}</span>}
  </>
);

/** Both intervals on one scale. The numbers say the same. Where one is only a bound there is no place for it. */
function Plot({ row }: { row: Row }) {
  const ends = row.values.flatMap(({ at: [, low, high] }) => [low, high]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  if (row.values.some(({ interval }) => interval === null)) return null;
  if (!Number.isFinite(least) || !Number.isFinite(most)) return null;
  const x = (value: number) => (most === least ? 60 : 6 + ((value - least) / (most - least)) * 108);
  return (
    <svg class="plot" viewBox="0 0 120 30" width="120" height="30" aria-hidden="true">
      {row.values.map(({ at: [value, low, high] }, side) => {
        const y = side === 0 ? 9 : 21;
        return (
          <g key={side} class={`plot-${side === 0 ? "A" : "B"}`}>
            <line x1={x(low)} x2={x(high)} y1={y} y2={y} />
            {side === 0 ? (
              <circle cx={x(value)} cy={y} r="4" />
            ) : (
              <rect x={x(value) - 3.6} y={y - 3.6} width="7.2" height="7.2" />
            )}
          </g>
        );
      })}
    </svg>
  );
}

export function Figures({ found }: { found: Compared }) {
  return (
    <div class="figures">
      <ul class="verdict-of">
        {found.verdict.map((sentence) => (
          <li key={sentence}>
            <Coded text={sentence} />
          </li>
        ))}
      </ul>
      <p>
        <a href={`/report/${found.report}`} target="_blank" rel="noopener">
          The full report<span class="unseen"> (opens in a new tab)</span> <span aria-hidden="true">↗</span>
        </a>
      </p>
      <p class="hint">
        Each figure stands above its 95 % interval. p is the probability that chance alone makes such a difference,
        corrected for the number of questions: 0.05 or less is taken to be one. "less than" says how large a difference
        would have been found.
      </p>
      <table class="figure-table" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              Figure
            </th>
            <th scope="col" role="columnheader">
              <SideMark side="A" />
            </th>
            <th scope="col" role="columnheader">
              <SideMark side="B" />
            </th>
            <td class="plot-cell" role="presentation" />
            <th scope="col" role="columnheader">
              p
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {found.rows.map((row) => (
            <FigureRow key={row.name} row={row} />
          ))}
        </tbody>
      </table>
      {found.notes.length > 0 && (
        <ul class="figure-notes hint">
          {found.notes.map((note) => (
            <li key={note}>
              <Coded text={note} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function FigureRow({ row }: { row: Row }) {
  const { test } = row;
  return (
    <tr class={test?.differs ? "differs" : undefined} role="row">
      <th scope="row" role="rowheader">
        <span class="figure-name">{row.name}</span>
        {row.unit !== "share" && <span class="figure-unit"> in {row.unit}</span>}
        <span class="figure-says">{row.definition}</span>
      </th>
      <td role="cell" data-side="A">
        <Value value={row.values[0]} />
      </td>
      <td role="cell" data-side="B">
        <Value value={row.values[1]} />
      </td>
      <td class="plot-cell" role="presentation">
        <Plot row={row} />
      </td>
      <td role="cell" class="p-cell">
        {test ? <span class="figure">{test.p}</span> : <span class="hint">not tested</span>}
        {test && (
          <span class="outcome">
            {test.differs && <span aria-hidden="true">≠ </span>}
            {test.says}
          </span>
        )}
      </td>
    </tr>
  );
}
