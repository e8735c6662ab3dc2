// The play view: the board, what is due, and a panel with all the rest.

import { useEffect, useRef, useState } from "preact/hooks";
import { Entries, placeOf } from "../parts/entries";
import { Tabs } from "../parts/tabs";
import { link } from "../route";
import { About } from "./about";
import { Analysis } from "./analysis";
import { Board } from "./board";
import { useGame, type GameState } from "./game";
import { useHint } from "./hint";
import { Icon } from "./icon";
import { Moves, Steps, useStepKeys } from "./moves";
import { another, NewGame } from "./new";
import { OptionsTab } from "./options";
import { People } from "./people";
import { Prompt, Typed } from "./prompt";
import { useSeats, type Turn } from "./seats";
import { ShareTab } from "./share-tab";
import { news, sentence } from "./text";
import { turnBefore } from "./tree";
import type { Seen } from "../api";
import { useWish } from "./kept";
import { base } from "./variant";

export function PlayView({ query }: { query: URLSearchParams }) {
  const game = useGame(query);
  const turn = useSeats(game);
  const said = useNews(game);
  useStepKeys(game);
  const { seen, play, kept } = game;
  useEffect(() => {
    if (seen) document.title = `${seen.title} – Farrier`;
  }, [seen?.title]);

  if (!seen) {
    return (
      <div class="play-none">
        {play.error ? (
          <div class="alarm" role="alert">
            <h1>{kept.variant ? `“${kept.variant}” cannot be played` : "No game is named"}</h1>
            <p>{play.error}</p>
            <p class="row">
              <button type="button" onClick={play.again}>
                Try again
              </button>
              {kept.variant && (
                <a class="button" href={link("edit", { f: base(kept.variant) })}>
                  Edit its definition
                </a>
              )}
              <a class="button" href={link("")}>
                All games
              </a>
            </p>
          </div>
        ) : (
          <p class="note">Loading …</p>
        )}
      </div>
    );
  }
  return (
    <>
      <div class="play" data-busy={play.busy}>
        <Table game={game} seen={seen} turn={turn} />
        <Panel game={game} seen={seen} turn={turn} />
      </div>
      <div class="unseen" role="status" aria-live="polite">
        {said}
      </div>
    </>
  );
}

/** What a screen reader is told after each step. */
function useNews(game: GameState): string {
  const before = useRef<Seen | null>(null);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (!game.seen) return;
    setSaid(news(before.current, game.seen));
    before.current = game.seen;
  }, [game.seen]);
  return said;
}

interface Parts {
  game: GameState;
  seen: Seen;
  turn: Turn;
}

function Table({ game, seen, turn }: Parts) {
  const [flipped, setFlipped] = useState(false);
  const [threats, setThreats] = useWish("threats", true);
  const hint = useHint(game);
  const { tree } = game.kept;
  return (
    <section class="table" aria-label="Board">
      <div class="above">
        <Prompt seen={seen} turn={turn} hint={hint.said} />
      </div>
      <div class="ground-of-board">
        <Board
          seen={seen}
          flipped={flipped}
          onChoose={game.choose}
          onType={game.type}
          threats={threats}
          readonly={turn.acts || seen.over !== null}
          label={`${seen.title}. Arrow keys go from site to site, Enter chooses.`}
          hints={hint.sites}
        />
      </div>
      <div class="below">
        <Notices game={game} turn={turn} />
        <div class="controls">
          {!turn.acts && placeOf(seen) === null && <Entries seen={seen} choose={game.choose} type={game.type} />}
          {seen.over && (
            <button type="button" class="primary" onClick={() => another(game)}>
              <Icon name="new" /> New game
            </button>
          )}
          <button type="button" aria-disabled={tree.at === 0 && seen.chosen.length === 0} onClick={() => takeBack(game, seen)}>
            <Icon name="undo" /> Undo
          </button>
          <button type="button" aria-disabled={!hint.may || turn.acts} onClick={hint.ask}>
            <Icon name="hint" /> {hint.busy ? "Thinking …" : "Hint"}
          </button>
          <button type="button" aria-pressed={flipped} onClick={() => setFlipped(!flipped)}>
            <Icon name="flip" /> Flip
          </button>
          <button
            type="button"
            aria-pressed={threats}
            title="Marks your pieces that the next player could take"
            onClick={() => setThreats(!threats)}
          >
            <Icon name="threat" /> Threats
          </button>
          <Typed game={game} seen={seen} />
        </div>
      </div>
    </section>
  );
}

/**
 * Takes back what is chosen; else goes back to the last time that a person decided: what agents and chance answered is
 * taken back with it.
 */
function takeBack(game: GameState, seen: Seen) {
  if (seen.chosen.length > 0) return game.choose(seen.chosen.slice(0, -1));
  const { tree, seats, resigned } = game.kept;
  if (resigned?.at === tree.at) return game.resign(null);
  const isPerson = (at: number) => {
    const { person } = tree.nodes[at]!;
    return person != null && !seats[person];
  };
  let at = tree.at;
  while (at > 0 && !isPerson(at)) at = tree.nodes[at]!.up;
  game.go(at > 0 ? turnBefore(tree, at) : turnBefore(tree, tree.at));
}

function Notices({ game, turn }: { game: GameState; turn: Turn }) {
  const { clash, notice, play } = game;
  return (
    <>
      {play.error && (
        <div class="alarm" role="alert">
          <p>{play.error}</p>
          <button type="button" onClick={play.again}>
            Ask again
          </button>
        </div>
      )}
      {!play.error && turn.acts && turn.thoughts.error && (
        <div class="alarm" role="alert">
          <p>{turn.thoughts.error}</p>
          <button type="button" onClick={turn.again}>
            Ask again
          </button>
        </div>
      )}
      {clash?.seen.illegal && (
        <div class="alarm" role="alert">
          <p>
            With these options the game is legal up to ply {clash.seen.illegal.ply}. Then it says{" "}
            <b>{clash.seen.illegal.text}</b>: {sentence(clash.seen.illegal.why)}
          </p>
          <p class="row">
            <button type="button" onClick={() => game.settle(false)}>
              Keep the old game
            </button>
            <button type="button" onClick={() => game.settle(true)}>
              Go on from there
            </button>
          </p>
        </div>
      )}
      {notice && (
        <div class="notice" role="status">
          <p>{notice}</p>
          <button type="button" class="small" onClick={() => game.tell(null)}>
            Close
          </button>
        </div>
      )}
    </>
  );
}

function Panel({ game, seen, turn }: Parts) {
  const tabs = [
    {
      name: "Moves",
      show: () => (
        <>
          <Steps game={game} />
          <Moves game={game} />
          <NewGame game={game} seen={seen} />
        </>
      ),
    },
    { name: "Options", show: () => <OptionsTab game={game} seen={seen} /> },
    { name: "Analysis", show: () => <Analysis game={game} seen={seen} turn={turn} /> },
    { name: "Share", show: () => <ShareTab game={game} seen={seen} /> },
    { name: "About", show: () => <About seen={seen} /> },
  ];
  return (
    <aside class="panel" aria-label="Game">
      <h1>{seen.title}</h1>
      <People game={game} seen={seen} turn={turn} />
      <Tabs label="More of the game" tabs={tabs} keep />
    </aside>
  );
}
