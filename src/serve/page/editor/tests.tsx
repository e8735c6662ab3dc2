// The tests of a definition, and what random games found.

import { useEffect } from "preact/hooks";
import type { Diagnostic, TestVerdict } from "../api";
import type { Testing } from "./check";
import { Problems } from "./problems";

interface Props {
  testing: Testing;
  file: string;
  text: string;
  playable: boolean;
  go: (found: Diagnostic) => void;
  goLine: (line: number) => void;
  say: (text: string) => void;
}

/** How long the keys must rest before the tests run again. */
const REST = 900;

const ofTests = (n: number) => (n === 1 ? "1 test" : `${n} tests`);

/** One sentence about all tests. */
export function summary(tests: TestVerdict[]): string {
  const failed = tests.filter((test) => !test.ok && !test.skipped).length;
  const skipped = tests.filter((test) => test.skipped).length;
  if (tests.length === 0) return "The definition has no tests.";
  const passed = tests.length - failed - skipped;
  const parts = [`${passed} of ${ofTests(tests.length)} passed`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  return `${parts.join(", ")}.`;
}

export function Tests({ testing, file, text, playable, go, goLine, say }: Props) {
  const { found, busy, error, of } = testing;
  useEffect(() => {
    if (!playable || of === text) return;
    const timer = setTimeout(testing.run, of === null ? 0 : REST);
    return () => clearTimeout(timer);
  }, [text, playable]);
  useEffect(() => {
    if (found) say(summary(found.tests));
  }, [found]);
  // Tests that fail stand in the list of tests already.
  const others = found?.diagnostics.filter((one) => one.code !== "test") ?? [];
  return (
    <div class="tests" aria-busy={busy}>
      <div class="tests-bar">
        {busy ? (
          <>
            <progress aria-label="Tests and random games run" />
            <button type="button" onClick={testing.stop}>
              Stop
            </button>
          </>
        ) : (
          <button type="button" onClick={testing.run} disabled={!playable}>
            Run again
          </button>
        )}
        <p>{busy ? "Tests and random games run …" : found ? summary(found.tests) : ""}</p>
      </div>
      {!playable && <p class="trial-note">The text has mistakes: its tests run once it can be played.</p>}
      {error && <p class="trial-note warn">{error}</p>}
      {found && of !== text && !busy && <p class="trial-note">The text has changed since.</p>}
      {found && (
        <>
          <ul class="verdicts">
            {found.tests.map((test) => (
              <li key={`${test.line} ${test.test}`} class={test.skipped ? "skipped" : test.ok ? "ok" : "failed"}>
                <button type="button" class="verdict" onClick={() => goLine(test.line)}>
                  <span class="verdict-sign" aria-hidden="true">
                    {test.skipped ? "–" : test.ok ? "✓" : "✕"}
                  </span>
                  <span class="verdict-name">{test.test}</span>
                  <span class="verdict-word">{test.skipped ? "skipped" : test.ok ? "passed" : "failed"}</span>
                </button>
                {test.skipped && <p class="verdict-why">{test.skipped}</p>}
                {test.failures.length > 0 && <Problems found={test.failures} file={file} go={go} />}
              </li>
            ))}
          </ul>
          {found.seen && <p class="tests-seen">{found.seen}.</p>}
          {others.length > 0 && (
            <section>
              <h2>What was found</h2>
              <Problems found={others} file={file} go={go} />
            </section>
          )}
          {found.notes.length > 0 && (
            <details class="tests-notes">
              <summary>Notes ({found.notes.length})</summary>
              <Problems found={found.notes} file={file} go={go} />
            </details>
          )}
        </>
      )}
    </div>
  );
}
