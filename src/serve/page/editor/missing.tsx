// Where there is no definition to edit: which one, or a new one.

import { useEffect, useState } from "preact/hooks";
import * as api from "../api";
import { Coded } from "../parts/coded";
import { link } from "../route";
import * as drafts from "./drafts";
import { typed } from "./names";

interface Props {
  /** What was asked for; empty where nothing was. */
  name: string;
  why: string | null;
  readOnly: boolean;
  /** Begins a new definition; it is written where it is saved. */
  begin: (file: string) => void;
}

export function Missing({ name, why, readOnly, begin }: Props) {
  const [value, setValue] = useState(() => name.replace(/^\.\//, "") || "new-game.toml");
  const [wrong, setWrong] = useState<string | null>(null);
  const [games, setGames] = useState<api.Game[]>([]);
  const [unsaved, setUnsaved] = useState(drafts.names);
  useEffect(() => {
    api.games().then(setGames, () => {});
  }, []);
  const start = async (event: Event) => {
    event.preventDefault();
    const to = typed(value);
    if ("wrong" in to) return setWrong(to.wrong);
    const taken = await api.read(to.file).then(
      () => true,
      () => false,
    );
    if (taken) setWrong(`There is a file ${to.file} already. Choose another name.`);
    else begin(to.file);
  };
  return (
    <div class="missing">
      <h1>{name ? "There is nothing to edit here" : "Which definition?"}</h1>
      {why && (
        <p class="missing-why" role="alert">
          <span aria-hidden="true">▲ </span>
          <Coded text={why} />
        </p>
      )}
      <form onSubmit={start}>
        <h2>Write a new one</h2>
        <p class="hint">
          It begins as a small game that can be played.{" "}
          {readOnly ? "This server writes no files: your text stays in this browser." : "The file is written once you save it."}
        </p>
        <label for="new-name">Name of the file</label>
        <div class="row">
          <input
            id="new-name"
            type="text"
            value={value}
            spellcheck={false}
            autocomplete="off"
            aria-invalid={wrong !== null}
            aria-describedby={wrong ? "new-wrong" : undefined}
            onInput={(event) => {
              setValue(event.currentTarget.value);
              setWrong(null);
            }}
          />
          <button type="submit" class="primary">
            Begin
          </button>
        </div>
        {wrong && (
          <p id="new-wrong" class="wrong" role="alert">
            {wrong}
          </p>
        )}
      </form>
      {unsaved.length > 0 && (
        <section>
          <h2>What you have not saved</h2>
          <ul class="missing-drafts">
            {unsaved.map((file) => (
              <li key={file} class="row">
                <a href={link("edit", { f: file })}>{file.replace(/^\.\//, "")}</a>
                <button
                  type="button"
                  class="quiet"
                  onClick={() => {
                    drafts.drop(file);
                    setUnsaved(drafts.names());
                  }}
                >
                  Delete<span class="unseen"> what is not saved of {file}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {games.length > 0 && (
        <section>
          <h2>Or open one</h2>
          <ul class="missing-games">
            {games.map((game) => (
              <li key={game.name}>
                <a href={link("edit", { f: game.name })}>
                  <b>{game.title}</b>
                  <span>{game.shipped ? "comes with Farrier" : game.name}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
