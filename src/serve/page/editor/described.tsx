// What a definition means: what its names stand for, its decisions, the course of a turn, and the program that is run.

import type { Described as Found, RuleRow } from "../api";

export function Described({ found, behind }: { found: Found | null; behind: boolean }) {
  if (found === null) return <p class="hint">What it means is told as soon as the text has no mistakes.</p>;
  return (
    <div class="described">
      {behind && <p class="hint">The text has mistakes. This is what it meant before them.</p>}
      {found.named
        .filter((section) => section.rows.length > 0)
        .map((section) => (
          <section key={section.name}>
            <h2>{section.name.charAt(0).toUpperCase() + section.name.slice(1)}</h2>
            <Rules rows={section.rows} />
          </section>
        ))}
      {found.decisions.map((decision) => (
        <section key={decision.name}>
          <h2>
            {decision.name} <span class="quiet">{decision.chance ? "chance decides" : "decision"}</span>
          </h2>
          <Rules rows={decision.rules} />
        </section>
      ))}
      <section>
        <h2>Turns and ends</h2>
        <Rules rows={found.turn} />
      </section>
      <details>
        <summary>The program that Farrier makes of it and plays by</summary>
        <pre class="listing" tabIndex={0} role="region" aria-label="Program">
          {found.listing}
        </pre>
      </details>
    </div>
  );
}

function Rules({ rows }: { rows: RuleRow[] }) {
  return (
    <dl>
      {rows.map((row, at) => (
        <div key={at}>
          <dt>{row.key}</dt>
          <dd>
            <code>{row.rule}</code>
            {row.by.length > 0 && <span class="quiet"> by {row.by.join(", ")}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
