// The view that compares two variants: `#/compare?a=VARIANT&b=VARIANT`.

import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { useSay } from "../parts/say";
import { why } from "../play/table";
import { keep, link } from "../route";
import { Pick } from "./pick";
import { Rules } from "./rules";
import { SelfPlay } from "./selfplay";
import { InStep } from "./step";

type Pair = [string, string];

interface State {
  /** What is compared; the words above may have changed since. */
  pair: Pair | null;
  found: api.Differs | null;
  busy: boolean;
  error: string | null;
}

const NOTHING: State = { pair: null, found: null, busy: false, error: null };

export function CompareView({ query }: { query: URLSearchParams }) {
  const [Region, say] = useSay();
  const [a, setA] = useState(query.get("a") ?? "");
  const [b, setB] = useState(query.get("b") ?? query.get("a") ?? "");
  const [games, setGames] = useState<api.Game[]>([]);
  const [state, setState] = useState<State>(NOTHING);
  const asking = useRef<AbortController | null>(null);

  const compare = (pair: Pair) => {
    asking.current?.abort();
    const mine = new AbortController();
    asking.current = mine;
    keep(link("compare", { a: pair[0], b: pair[1] }));
    setState({ ...NOTHING, pair, busy: true });
    say("The rules are compared.");
    api.differ(pair, mine.signal).then(
      (found) => {
        if (mine.signal.aborted) return;
        setState({ pair, found, busy: false, error: null });
        say(`${found.rules.length} rules differ. In play: ${found.says}.`);
      },
      (error: unknown) => {
        if (mine.signal.aborted) return;
        setState({ pair, found: null, busy: false, error: why(error) });
        say(why(error));
      },
    );
  };
  const stop = () => {
    asking.current?.abort();
    setState(NOTHING);
    say("Stopped.");
  };
  useEffect(() => {
    api.games().then(setGames, () => {});
    if (query.get("a") && query.get("b")) compare([query.get("a")!, query.get("b")!]);
    return () => asking.current?.abort();
  }, []);

  const chooseA = (word: string) => {
    // Most who choose a game compare it with itself under other options.
    if (!b || b === a) setB(word);
    setA(word);
  };
  const { pair, found, busy, error } = state;
  const isOld = pair !== null && (pair[0] !== a || pair[1] !== b);
  return (
    <div class="compare">
      <Region />
      <div class="compare-head">
        <h1>Compare two variants</h1>
        {!pair && <p class="hint">Take one game twice and change an option of one of them, or take two games.</p>}
      </div>
      <form
        class="picks"
        onSubmit={(event) => {
          event.preventDefault();
          if (a && b) compare([a, b]);
        }}
      >
        <Pick side="A" word={a} games={games} change={chooseA} />
        <Pick side="B" word={b} games={games} change={setB} />
        <div class="picks-go">
          <button type="submit" class="primary" disabled={!a || !b || busy}>
            Compare
          </button>
          <button
            type="button"
            disabled={!a || !b}
            onClick={() => {
              setA(b);
              setB(a);
            }}
          >
            <span aria-hidden="true">⇄</span> Swap A and B
          </button>
          {a !== "" && a === b && <p class="hint">Both are the same. Change an option of one of them.</p>}
          {isOld && a !== b && <p class="hint">Below are the variants as they were before you changed them.</p>}
        </div>
      </form>
      <div aria-busy={busy}>
        {busy && (
          <div class="progress card">
            <progress aria-label="Rules and lines of play compared" />
            <p>The rules are compared, and a line is sought that tells them apart …</p>
            <button type="button" onClick={stop}>
              Stop
            </button>
          </div>
        )}
        {error && (
          <p class="alarm" role="alert">
            <span>
              <span aria-hidden="true">✕ </span>
              {error}
            </span>
          </p>
        )}
        {pair && found && (
          <div class="results" key={pair.join(" ")}>
            <section class="card" aria-labelledby="compare-rules">
              <h2 id="compare-rules">How the rules differ</h2>
              <Rules found={found} />
            </section>
            <section class="card" aria-labelledby="compare-line">
              <h2 id="compare-line">How they differ in play</h2>
              <InStep variants={pair} told={found.line} says={found.says} say={say} />
            </section>
            <section class="card" aria-labelledby="compare-games">
              <h2 id="compare-games">How their games go</h2>
              <SelfPlay variants={pair} say={say} />
            </section>
          </div>
        )}
      </div>
    </div>
  );
}
