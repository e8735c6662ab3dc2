//! The counts of `tests/perft/counts.toml`: every one that is small here, the deep ones with
//! `cargo test --release --test play perft -- --ignored`. `PERFT_MOST` sets another bound for the deep ones.

use std::collections::BTreeMap;

use farrier::analysis::perft::{Leaves, Perft};
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::shipped::Shipped;
use farrier::source::Sources;
use serde::Deserialize;

/// The greatest count of the normal run.
const SMALL: u64 = 300_000;
/// The greatest count of the deep run: all there are. The last ply is counted, not made, so even a count of
/// thousands of millions is a matter of seconds or a minute.
const DEEP: u64 = u64::MAX;

#[derive(Deserialize)]
struct File {
    table: Vec<Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    game: String,
    #[serde(default)]
    options: BTreeMap<String, toml::Value>,
    setup: Option<String>,
    #[serde(default)]
    unit: Unit,
    counts: Vec<u64>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Default)]
#[serde(rename_all = "lowercase")]
enum Unit {
    #[default]
    Ply,
    Turn,
}

fn tables() -> Result<Vec<Table>, String> {
    toml::from_str(include_str!("../perft/counts.toml")).map(|f: File| f.table).map_err(|e| e.to_string())
}

/// Counts all that a game's tables say above `low` and up to `high`.
fn verify(game: &str, low: u64, high: u64) -> Result<(), String> {
    let mut wrong = Vec::new();
    let mut known = false;
    for table in tables()?.iter().filter(|t| t.game == game) {
        known = true;
        wrong.extend(differences(table, low, high).unwrap_or_else(|e| vec![format!("{game}: {e}")]));
    }
    assert!(known, "there are counts of {game}");
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The first count of a table that is not met.
fn differences(table: &Table, low: u64, high: u64) -> Result<Vec<String>, String> {
    let options = table.options.iter().map(|(name, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (name.clone(), text)
    });
    let choices = Choices { set: options.collect(), ..Choices::default() };
    let (game, found) = Game::load(&table.game, &Shipped, &choices, &mut Sources::default());
    let game = game.ok_or_else(|| format!("does not load: {:?}", found.0))?;
    let mut machine = game.machine().map_err(|e| e.to_string())?;
    let pos = game.start(&mut machine, table.setup.as_deref(), 0).map_err(|e| e.message)?;
    let mut perft = Perft::new(&mut machine, Leaves::Counted);
    let mut wrong = Vec::new();
    for (wanted, depth) in table.counts.iter().zip(1..).filter(|(n, _)| (low..=high).contains(*n)) {
        let found = match table.unit {
            Unit::Ply => perft.count(&pos, depth),
            Unit::Turn => perft.count_turns(&pos, depth),
        };
        let setup = table.setup.as_deref().unwrap_or("start");
        let what = format!("{} {:?}, {setup}, perft({depth})", table.game, choices.set);
        println!("{what} = {found}");
        if found != *wanted {
            wrong.push(format!("{what} is {found}, not {wanted}"));
            break;
        }
    }
    Ok(wrong)
}

/// One test for each game, so that they run side by side.
macro_rules! games {
    ($($test:ident = $game:literal)*) => {
        const TESTED: &[&str] = &[$($game),*];

        mod small {
            $(#[test]
            fn $test() -> Result<(), String> {
                super::verify($game, 0, super::SMALL)
            })*
        }

        mod deep {
            $(#[test]
            #[ignore = "for an optimised build: cargo test --release --test play perft -- --ignored"]
            fn $test() -> Result<(), String> {
                let most = std::env::var("PERFT_MOST").ok().and_then(|n| n.parse().ok());
                super::verify($game, super::SMALL + 1, most.unwrap_or(super::DEEP))
            })*
        }
    };
}

games! {
    abalone = "abalone"
    amazons = "amazons"
    antichess = "antichess"
    arimaa = "arimaa"
    ataxx = "ataxx"
    atomic_chess = "atomic-chess"
    backgammon = "backgammon"
    breakthrough = "breakthrough"
    chess = "chess"
    chess960 = "chess960"
    chigorin_chess = "chigorin-chess"
    clobber = "clobber"
    crazyhouse = "crazyhouse"
    dai_hasami_shogi = "dai-hasami-shogi"
    dobutsu_shogi = "dobutsu-shogi"
    domineering = "domineering"
    dots_and_boxes = "dots-and-boxes"
    draughts = "draughts"
    fox_and_hounds = "fox-and-hounds"
    game_of_y = "game-of-y"
    gardner_minichess = "gardner-minichess"
    go = "go"
    gomoku = "gomoku"
    hamilton_chess = "hamilton-chess"
    hex = "hex"
    horde_chess = "horde-chess"
    jeson_mor = "jeson-mor"
    joust = "joust"
    king_of_the_hill = "king-of-the-hill"
    knight_fight = "knight-fight"
    knight_relay_chess = "knight-relay-chess"
    knight_scattering_chess = "knight-scattering-chess"
    knightcap = "knightcap"
    knightmate = "knightmate"
    knights_and_pawns = "knights-and-pawns"
    knightshade = "knightshade"
    knightthrough = "knightthrough"
    konane = "konane"
    lasca = "lasca"
    lines_of_action = "lines-of-action"
    los_alamos_chess = "los-alamos-chess"
    minishogi = "minishogi"
    nightrider_chess = "nightrider-chess"
    nine_mens_morris = "nine-mens-morris"
    no_knights_attack = "no-knights-attack"
    oware = "oware"
    pocket_knight = "pocket-knight"
    quoridor = "quoridor"
    racing_kings = "racing-kings"
    reversi = "reversi"
    shogi = "shogi"
    teeko = "teeko"
    three_check = "three-check"
    tic_tac_toe = "tic-tac-toe"
    twixt = "twixt"
    xiangqi = "xiangqi"
    yavalath = "yavalath"
}

#[test]
fn every_table_is_tested() -> Result<(), String> {
    for table in tables()? {
        assert!(TESTED.contains(&table.game.as_str()), "no test counts {}", table.game);
    }
    Ok(())
}
