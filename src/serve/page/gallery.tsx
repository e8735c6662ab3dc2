// All games: those of the folder, those that come with Farrier, and games in progress.

import { useEffect, useMemo, useState } from "preact/hooks";
import { about, games, picture, type About, type Game } from "./api";
import { all, forget, show, values, type Kept } from "./play/kept";
import { why } from "./play/table";
import { count } from "./play/text";
import { path } from "./play/tree";
import { base } from "./play/variant";
import { link } from "./route";

export function Gallery() {
  const [list, setList] = useState<Game[] | null>(null);
  const [said, setSaid] = useState<About | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [wanted, setWanted] = useState("");
  const load = () => {
    setError(null);
    games().then(setList, (error: unknown) => setError(why(error)));
    about().then(setSaid, () => setSaid(null));
  };
  useEffect(load, []);

  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (game: Game) => {
    const text = [game.title, game.name, game.summary, game.author].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const shown = (list ?? []).filter(fits);
  const own = shown.filter((game) => !game.shipped);
  const shipped = shown.filter((game) => game.shipped);
  return (
    <div class="gallery">
      <div class="gallery-head">
        <h1>Games</h1>
        <a class="button" href={link("edit")}>
          Write a new game
        </a>
        <label class="search">
          <span class="unseen">Search</span>
          <input
            type="search"
            placeholder="Search the games"
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </label>
      </div>
      {error && (
        <div class="alarm" role="alert">
          <p>{error}</p>
          <button type="button" onClick={load}>
            Try again
          </button>
        </div>
      )}
      {!list && !error && <p class="note">Loading …</p>}
      {list && (
        <p class="unseen" role="status">
          {count(shown.length, "game", "games")}
        </p>
      )}
      <Progress words={words} />
      {own.length > 0 && <Group name="In this folder" games={own} />}
      {shipped.length > 0 && <Group name="With Farrier" games={shipped} />}
      {list && shown.length === 0 && <p class="note">No game fits “{wanted}”.</p>}
      {said && (
        <p class="foot quiet">
          Farrier {said.version}
          {said.read_only && ". Files are only shown here, not written."}
        </p>
      )}
    </div>
  );
}

function Group({ name, games }: { name: string; games: Game[] }) {
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <ul class="game-cards">
        {games.map((game) => (
          <Card key={game.name} game={game} />
        ))}
      </ul>
    </section>
  );
}

function Card({ game }: { game: Game }) {
  const [drawn, setDrawn] = useState(true);
  const options = count(game.options, "option", "options");
  const facts = [game.players.join(", "), game.options > 0 && options].filter(Boolean).join(" · ");
  if (game.wrong !== null) {
    return (
      <li class="game-card faulty">
        <div class="game-card-text">
          <h3>{game.title}</h3>
          <p class="file-name">{game.name}</p>
          <p>
            <strong>It cannot be played yet:</strong> {game.wrong}
          </p>
        </div>
        <p class="game-card-links">
          <a class="button primary" href={link("edit", { f: game.name })}>
            Mend it<span class="unseen"> in {game.title}</span>
          </a>
        </p>
      </li>
    );
  }
  return (
    <li class="game-card">
      <a class="game-card-picture" href={link("play", { v: game.name })} tabIndex={-1} aria-hidden="true">
        {drawn ? (
          <img src={picture(game.name)} alt="" loading="lazy" onError={() => setDrawn(false)} />
        ) : (
          <span class="no-picture">It cannot be drawn: look into it with Edit.</span>
        )}
      </a>
      <div class="game-card-text">
        <h3>{game.title}</h3>
        {!game.shipped && <p class="file-name">{game.name}</p>}
        {game.summary && <p>{game.summary}</p>}
        <p class="facts">{facts}</p>
      </div>
      <p class="game-card-links">
        <a class="button primary" href={link("play", { v: game.name })}>
          Play<span class="unseen"> {game.title}</span>
        </a>
        <a class="button" href={link("edit", { f: game.name })}>
          Edit<span class="unseen"> {game.title}</span>
        </a>
        <a class="button" href={link("compare", { a: game.name })}>
          Compare<span class="unseen"> {game.title}</span>
        </a>
      </p>
    </li>
  );
}

/** The games that the browser keeps. */
function Progress({ words }: { words: string[] }) {
  const [kept, setKept] = useState<Kept[]>(all);
  const [more, setMore] = useState(false);
  const fits = useMemo(
    () => kept.filter((game) => words.every((word) => `${game.title} ${game.variant}`.toLowerCase().includes(word))),
    [kept, words.join(" ")],
  );
  if (fits.length === 0) return null;
  const shown = more ? fits : fits.slice(0, 4);
  return (
    <section aria-label="Your games">
      <h2>Your games</h2>
      <ul class="rows">
        {shown.map((game) => (
          <li key={game.id}>
            <span class="row-text">
              <strong>{game.title || game.variant}</strong>
              {game.variant !== base(game.variant) && <span class="file-name">{game.variant}</span>}
              <span class="quiet">
                {count(path(game.tree).length, "ply", "plies")}{game.result ? `, ended: ${game.result}` : ""}, {ago(game.when)}
              </span>
            </span>
            <a class="button" href={link("play", values(game))} onClick={() => show(game)}>
              {game.result ? "Look at it" : "Go on"}
              <span class="unseen"> with {game.title}, {count(path(game.tree).length, "ply", "plies")}</span>
            </a>
            <button
              type="button"
              class="quiet-button"
              onClick={() => {
                forget(game);
                setKept(all());
              }}
            >
              Delete<span class="unseen"> {game.title}</span>
            </button>
          </li>
        ))}
      </ul>
      {fits.length > 4 && (
        <button type="button" class="quiet-button" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? "Show fewer" : `Show all ${fits.length}`}
        </button>
      )}
    </section>
  );
}

/** How long ago a time was, roughly. */
function ago(when: number): string {
  const minutes = Math.round((Date.now() - when) / 60_000);
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  if (minutes < 60) return minutes < 1 ? "just now" : format.format(-minutes, "minute");
  if (minutes < 48 * 60) return format.format(-Math.round(minutes / 60), "hour");
  return format.format(-Math.round(minutes / 60 / 24), "day");
}
