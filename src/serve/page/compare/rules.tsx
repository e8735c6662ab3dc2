// How the rules of two variants differ, section by section.

import { useState } from "preact/hooks";
import type { Differs } from "../api";
import { Coded } from "../parts/coded";
import { SideMark } from "./pick";

/** Where more rules differ, the rest is shown on demand: the boards come after them. */
const MANY = 10;

type Rule = Differs["rules"][number];

/** Whether the sentence has said all that the sides say. */
const isSaid = ({ sentence, left, right }: Rule) =>
  [left, right].every((text) => !text || sentence.includes(`\`${text}\``));

export function Rules({ found }: { found: Differs }) {
  const [all, setAll] = useState(false);
  const isLong = found.rules.length > MANY && !all;
  const shown = isLong ? found.rules.slice(0, MANY) : found.rules;
  const sections = new Map<string, Rule[]>();
  for (const rule of shown) sections.set(rule.section, [...(sections.get(rule.section) ?? []), rule]);
  if (found.rules.length === 0) {
    return <p class="hint">{found.same_program ? "The rules are the same." : "The rules read the same."}</p>;
  }
  return (
    <div class="rules">
      <p>
        {found.rules.length === 1 ? "One rule differs" : `${found.rules.length} rules differ`}, told from A to B.
        {found.same_program && " Yet both mean the same program: they are the same in play."}
      </p>
      {[...sections].map(([section, rules]) => (
        <section key={section} class="rules-section">
          <h3>{section}</h3>
          <ul>
            {rules.map((rule, at) => (
              <li key={at}>
                <p>
                  <Coded text={rule.sentence} />
                </p>
                {!isSaid(rule) && (
                  <dl class="sides">
                    <dt>
                      <SideMark side="A" />
                    </dt>
                    <dd>{rule.left ? <code>{rule.left}</code> : <span class="hint">nothing</span>}</dd>
                    <dt>
                      <SideMark side="B" />
                    </dt>
                    <dd>{rule.right ? <code>{rule.right}</code> : <span class="hint">nothing</span>}</dd>
                  </dl>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {isLong && (
        <button type="button" class="more" onClick={() => setAll(true)}>
          Show all {found.rules.length}
        </button>
      )}
    </div>
  );
}
