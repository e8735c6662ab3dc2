// What games of both variants measure: sentences first, then a table of figures.

import type { Compared } from "../api";
import { Coded } from "../parts/coded";
import { SideMark } from "./pick";

type Row = Compared["rows"][number];

/** Below this probability a difference is taken to be one. */
const LEVEL = 0.05;

/** A value in its unit: shares are told as percentages. */
export function number(value: number, unit: string): string {
  const shown = unit === "share" ? value * 100 : value;
  const size = Math.abs(shown);
  const digits = size >= 1000 || size === 0 || shown === 100 ? 0 : size >= 10 ? 1 : 2;
  const text = shown.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return unit === "share" ? `${text} %` : text;
}

const probability = (p: number) => (p < 0.001 ? "< 0.001" : p > 0.995 ? "1" : p.toFixed(p < 0.01 ? 3 : 2));

function Value({ values, unit }: { values: number[]; unit: string }) {
  const [value, low, high] = values as [number, number, number];
  const plain = (value: number) => number(value, unit).replace(" %", "");
  return (
    <>
      <span class="figure">{number(value, unit)}</span>
      <span class="interval">
        {plain(low)} to {plain(high)}
      </span>
    </>
  );
}

/** Both intervals on one scale. The numbers say the same. */
function Plot({ row }: { row: Row }) {
  const ends = row.values.flatMap(([, low, high]) => [low!, high!]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  if (!Number.isFinite(least) || !Number.isFinite(most)) return null;
  const x = (value: number) => (most === least ? 60 : 6 + ((value - least) / (most - least)) * 108);
  return (
    <svg class="plot" viewBox="0 0 120 30" width="120" height="30" aria-hidden="true">
      {row.values.map(([value, low, high], side) => {
        const y = side === 0 ? 9 : 21;
        return (
          <g key={side} class={`plot-${side === 0 ? "A" : "B"}`}>
            <line x1={x(low!)} x2={x(high!)} y1={y} y2={y} />
            {side === 0 ? (
              <circle cx={x(value!)} cy={y} r="4" />
            ) : (
              <rect x={x(value!) - 3.6} y={y - 3.6} width="7.2" height="7.2" />
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
        corrected for the number of questions: below 0.05 it is taken to be one.
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
    </div>
  );
}

function FigureRow({ row }: { row: Row }) {
  const differs = row.p !== null && row.p < LEVEL;
  return (
    <tr class={differs ? "differs" : undefined} role="row">
      <th scope="row" role="rowheader">
        <span class="figure-name">{row.name}</span>
        {row.unit !== "share" && <span class="figure-unit"> in {row.unit}</span>}
        <span class="figure-says">{row.definition}</span>
      </th>
      <td role="cell" data-side="A">
        <Value values={row.values[0]} unit={row.unit} />
      </td>
      <td role="cell" data-side="B">
        <Value values={row.values[1]} unit={row.unit} />
      </td>
      <td class="plot-cell" role="presentation">
        <Plot row={row} />
      </td>
      <td role="cell" class="p-cell">
        {row.p === null ? <span class="hint">not tested</span> : <span class="figure">{probability(row.p)}</span>}
        {differs && <span class="differs-word">≠ differs</span>}
      </td>
    </tr>
  );
}
