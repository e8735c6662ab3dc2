// The game for others: a link, files, and a record from a file.

import { useEffect, useRef, useState } from "preact/hooks";
import { readRecord, record, type Seen } from "../api";
import { link } from "../route";
import { Copy } from "./copy";
import type { GameState } from "./game";
import { loss, table, values } from "./kept";
import { why } from "./table";
import { empty, grow } from "./tree";

type Files = typeof import("./files");

export function ShareTab({ game, seen }: { game: GameState; seen: Seen }) {
  const [work, setWork] = useState<{ name: string; done: number } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const name = seen.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "game";

  /** Makes a file with what is loaded only for that. */
  const make = async (ending: string, how: (files: Files, signal: AbortSignal) => Promise<Blob>) => {
    stop.current?.abort();
    const mine = new AbortController();
    stop.current = mine;
    setError(null);
    setWork({ name: ending, done: 0 });
    try {
      const files = await import("./files");
      const content = await how(files, mine.signal);
      if (!mine.signal.aborted) files.save(`${name}.${ending}`, content);
    } catch (error) {
      if (!mine.signal.aborted) setError(why(error));
    }
    if (stop.current === mine) setWork(null);
  };
  const progress = (ending: string) => (done: number) => setWork({ name: ending, done });
  const now = () => table(game.kept);

  const upload = async (event: Event) => {
    const field = event.currentTarget as HTMLInputElement;
    const file = field.files?.[0];
    field.value = "";
    if (!file) return;
    setError(null);
    try {
      const read = await readRecord(await file.text());
      const plies = read.moves.map((text) => ({ text, by: "", turn: true }));
      const tree = grow(empty(), plies);
      const resigned = read.resigned == null ? null : loss(tree.at, read.resigned, read.late === true);
      game.begin({ variant: read.variant, setup: read.setup ?? null, seed: read.seed, tree, resigned, seats: [] });
    } catch (error) {
      setError(why(error));
    }
  };

  return (
    <div class="share">
      <p class="quiet">The link holds the whole line that is shown, and whoever opens it can go on from there.</p>
      <Copy name="Copy the link" text={() => new URL(link("play", values(game.kept)), location.href).href} />
      <h2>This position</h2>
      <div class="row">
        <button type="button" onClick={() => void make("svg", async () => new Blob([seen.svg], { type: "image/svg+xml" }))}>
          SVG
        </button>
        <button type="button" onClick={() => void make("png", (files) => files.png(seen.svg))}>
          PNG
        </button>
      </div>
      <h2>This line of play</h2>
      <div class="row">
        <button type="button" onClick={() => void make("gif", (files, signal) => files.gif(now(), signal, progress("gif")))}>
          GIF
        </button>
        <button type="button" onClick={() => void make("html", (files, signal) => files.page(now(), signal, progress("html")))}>
          Page to replay it
        </button>
        <button type="button" onClick={() => void make("txt", async () => new Blob([await record(now())], { type: "text/plain" }))}>
          Record
        </button>
      </div>
      {work && (
        <p class="row" role="status">
          <progress max={1} value={work.done} aria-label={`Making the ${work.name} file`} />
          <button type="button" onClick={() => (stop.current?.abort(), setWork(null))}>
            Stop
          </button>
        </p>
      )}
      {error && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
      <h2>A record from a file</h2>
      <label class="file">
        Open a record
        <input type="file" onChange={(event) => void upload(event)} />
      </label>
    </div>
  );
}
