// Games of both variants, played by the server for as long as somebody waits for them.

import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { why } from "../play/table";
import { Figures } from "./figures";

interface Props {
  variants: [string, string];
  say: (text: string) => void;
}

interface State {
  progress: { done: number; of: number } | null;
  found: api.Compared | null;
  error: string | null;
  stopped: boolean;
}

const NOTHING: State = { progress: null, found: null, error: null, stopped: false };

/** Progress is read out at each of these shares. */
const TOLD = [0.25, 0.5, 0.75];

export function SelfPlay({ variants, say }: Props) {
  const [state, setState] = useState<State>(NOTHING);
  const [games, setGames] = useState(1000);
  const [levels, setLevels] = useState(20);
  const playing = useRef<AbortController | null>(null);
  useEffect(() => () => playing.current?.abort(), []);

  const start = async (event: Event) => {
    event.preventDefault();
    const stop = new AbortController();
    playing.current = stop;
    setState({ ...NOTHING, progress: { done: 0, of: 0 } });
    say("Games are played.");
    let told = 0;
    try {
      for await (const line of api.compare(variants, games, levels, stop.signal)) {
        if (stop.signal.aborted) return;
        if ("progress" in line) {
          setState((old) => ({ ...old, progress: line.progress }));
          const share = line.progress.done / line.progress.of;
          const next = TOLD[told];
          if (next !== undefined && share >= next) {
            told += 1;
            say(`${Math.floor(share * 100)} percent of the games are played.`);
          }
        } else if ("done" in line) {
          setState({ ...NOTHING, found: line.done });
          say(`Done. ${line.done.verdict.join(" ").replaceAll("`", "")}`);
          return;
        } else throw new api.Refused(line.error, 200);
      }
      throw new api.Refused("The games ended before there was a result.", 200);
    } catch (error) {
      if (stop.signal.aborted) return;
      setState({ ...NOTHING, error: why(error) });
      say(why(error));
    }
  };
  const stop = () => {
    playing.current?.abort();
    setState({ ...NOTHING, stopped: true });
    say("Stopped.");
  };

  const { progress, found, error, stopped } = state;
  return (
    <div class="selfplay">
      <form class="selfplay-form" onSubmit={start}>
        <Amount id="games" name="Random games of each" least={10} most={20000} value={games} change={setGames} />
        <Amount id="levels" name="Thinking games at each level" least={0} most={1000} value={levels} change={setLevels} />
        {/* Two buttons, not one: a click on the one that stops must not end on the one that starts. */}
        {progress ? (
          <button key="stop" type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button key="start" type="submit" class="primary">
            {found ? "Play again" : "Play the games"}
          </button>
        )}
      </form>
      <p class="hint">
        Random games are quick. Thinking games show how the variants are when they are played well; they take far
        longer, and there are two levels of them.
      </p>
      {progress && (
        <div class="progress">
          <progress aria-label="Games played" max={progress.of || undefined} value={progress.of ? progress.done : undefined} />
          <p>
            {progress.of
              ? `${progress.done.toLocaleString("en")} of ${progress.of.toLocaleString("en")} games`
              : "The first games are played …"}
          </p>
        </div>
      )}
      {stopped && <p class="hint">Stopped. Nothing is kept of these games.</p>}
      {error && (
        <p class="wrong" role="alert">
          <span aria-hidden="true">✕ </span>
          {error}
        </p>
      )}
      {found && <Figures found={found} />}
    </div>
  );
}

interface AmountProps {
  id: string;
  name: string;
  least: number;
  most: number;
  value: number;
  change: (value: number) => void;
}

function Amount({ id, name, least, most, value, change }: AmountProps) {
  return (
    <div class="amount">
      <label for={`amount-${id}`}>{name}</label>
      <input
        id={`amount-${id}`}
        type="number"
        required
        min={least}
        max={most}
        value={value}
        onInput={(event) => {
          const typed = event.currentTarget.valueAsNumber;
          if (Number.isInteger(typed)) change(typed);
        }}
      />
    </div>
  );
}
