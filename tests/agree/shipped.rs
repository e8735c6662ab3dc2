//! The naive evaluator and the program agree on random play of every shipped game with random options:
//! the same mover, the same legal moves, the same pieces, the same result and scores.

use crate::cases::cases;
use crate::random;
use farrier::analysis::{own_tests, playout};
use farrier::definition::{Choices, combinations};
use farrier::game::Game;
use farrier::ids::Player;
use farrier::play::{Dealing, History, Moves, Rng};
use farrier::program::{DealTo, slot};
use farrier::shipped::Shipped;
use farrier::source::{Files, MemoryFiles, Sources};
use naive::Naive;

fn agree(name: &str, files: &dyn Files, choices: &Choices, seed: u64, most: u32) {
    agree_from(name, files, choices, None, seed, most);
}

/// The same from a position's text.
fn agree_from(name: &str, files: &dyn Files, choices: &Choices, setup: Option<&str>, seed: u64, most: u32) {
    let (game, found) = Game::load(name, files, choices, &mut Sources::default());
    let game = game.unwrap_or_else(|| panic!("{name} {choices:?}: {found:?}"));
    let rules = &game.rules;
    let slow = Naive::new(rules);
    // Compiled code is compared with the interpreter elsewhere, and takes longer to make than a game to play.
    let mut machine = game.interpreter().unwrap();
    let mut pos = game.start(&mut machine, setup, seed).unwrap();
    let dealt = machine.blank(Dealing::Seed(seed));
    let deals: Vec<(usize, Vec<i32>)> = game
        .program
        .layout
        .deals
        .iter()
        .map(|d| {
            let state = rules.state.iter().position(|v| v.name == d.name).unwrap();
            let numbers = match d.to {
                DealTo::Dealt(base) | DealTo::Lots(base) => {
                    d.sites.iter().map(|s| dealt.dealt()[base + usize::from(*s)]).collect()
                }
                DealTo::Slots(base) => {
                    d.sites.iter().map(|s| dealt.slot(&game.program.layout, base + usize::from(*s))).collect()
                }
            };
            (state, numbers)
        })
        .collect();
    let mut other = match setup {
        None => slow.start(&deals),
        Some(text) => slow.read(text).unwrap_or_else(|| panic!("{name}: `{text}`")),
    };
    let (mut history, mut moves) = (History::new(), Moves::new());
    history.push(machine.full_hash(&pos));
    machine.set_hashing(true);
    machine.moves(&pos, &mut moves);
    let mut rng = Rng::new(seed);
    let mut line = Vec::new();
    for _ in 0..most {
        let place = || format!("{name} {choices:?}, seed {seed}, after {}", line.join(" "));
        let mut fast = game.move_texts(&moves);
        let mut naive: Vec<String> = slow.legal(&other).into_iter().map(|(t, _)| t).collect();
        fast.sort();
        naive.sort();
        assert_eq!(fast, naive, "legal moves (program, naive): {}", place());
        let outcome = machine.outcome(&pos);
        let result = outcome.map(|o| playout::outcome_name(&game, Some(o)));
        assert_eq!(result, slow.result(&other), "result: {}", place());
        for s in rules.board.sites() {
            let single = |(owner, kind): (u8, u8)| {
                let owner = (usize::from(owner) < rules.players.len()).then_some(usize::from(owner));
                (owner, usize::from(kind))
            };
            let here: Vec<_> = pos.stack(&game.program.layout, s.index()).into_iter().map(single).collect();
            let there = other.stack(s.index());
            assert_eq!(here, there, "pieces on {}: {}", rules.board.name(s), place());
        }
        let layout = &game.program.layout;
        let counted =
            [slot::TURN, slot::PLY, slot::ROUND, slot::PASSES, slot::SIDES].map(|s| pos.slot(layout, s));
        // Sides are swapped when the turn ends; the naive evaluator does so at once.
        let (turn, sides) = (other.turn as i32, i32::from(other.sides != other.swap));
        assert_eq!(
            counted,
            [turn, other.ply, other.round, other.passes, sides],
            "turn, ply, round, passes, sides: {}",
            place()
        );
        if outcome.is_some() {
            if let Some(scores) = slow.scores(&other) {
                assert_eq!(machine.scores(&pos), scores, "scores: {}", place());
            }
            break;
        }
        if !moves.is_chance() {
            assert_eq!(
                Some(moves.mover()),
                slow.mover(&other).map(|p| Player(p as u8)),
                "mover: {}",
                place()
            );
        }
        let m = playout::draw(&mut machine, &pos, &moves, &mut rng).unwrap();
        let text = game.move_text(m);
        other = slow.play(&other, &text).unwrap();
        machine.play(&mut pos, m, &mut history, &mut moves);
        assert_eq!(pos.hash(), machine.full_hash(&pos), "hash: {}", place());
        line.push(text);
    }
}

/// Plies for which a game is played naively, by how slow that is.
fn plies(name: &str) -> u32 {
    match name {
        "chess" | "knight-scattering-chess" => 70,
        "antichess" | "atomic-chess" | "chess960" | "chigorin-chess" | "crazyhouse" | "horde-chess" => 50,
        "king-of-the-hill" | "knight-relay-chess" | "knightmate" | "racing-kings" | "three-check" => 50,
        "amazons" | "gomoku" | "hex" | "havannah" | "lines-of-action" => 40,
        "game-of-y" | "minishogi" | "nightrider-chess" | "pocket-knight" | "shogi" | "xiangqi" => 30,
        "go" => 60,
        "pente" => 8,
        "quoridor" => 3,
        "./nowhere-wide.toml" => 20,
        "./paths.toml" | "./pins.toml" => 60,
        _ => 120,
    }
}

fn all(seeds: std::ops::Range<u64>) {
    for name in Shipped::list() {
        let (game, _) = Game::load(&name, &Shipped, &Choices::default(), &mut Sources::default());
        let game = game.unwrap();
        for seed in seeds.clone() {
            let mut rng = Rng::new(seed);
            let choices = if seed == 0 { Choices::default() } else { random::choices(&game, &mut rng) };
            agree(&name, &Shipped, &choices, seed, plies(&name));
        }
    }
}

#[test]
fn program_and_oracle_agree() {
    all(0..1);
}

#[test]
fn program_and_oracle_agree_with_more_options() {
    all(1..1 + u64::from(cases(1)));
}

fn definitions() -> MemoryFiles {
    let mut files = MemoryFiles::default();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/definitions");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = format!("./{}", path.file_name().unwrap().to_string_lossy());
        files.0.insert(name, std::fs::read_to_string(&path).unwrap());
    }
    files
}

/// What no shipped game does, or only one: three players, wrapped boards, graphs, chance, the longest chain, pieces
/// that are carried, decisions by another player.
#[test]
fn program_and_oracle_agree_on_what_no_shipped_game_does() {
    let files = definitions();
    assert!(files.0.len() >= 4);
    for name in files.names() {
        let (game, found) = Game::load(&name, &files, &Choices::default(), &mut Sources::default());
        let game = game.unwrap_or_else(|| panic!("{name}: {found:?}"));
        let (all, _) = combinations(&game.definition.options, usize::MAX);
        let games = (u64::from(cases(2)) / all.len() as u64).max(1);
        for choices in &all {
            for seed in 0..games {
                agree(&name, &files, choices, seed, plies(&name));
            }
        }
        for test in &game.definition.tests {
            // The naive evaluator reads fields only.
            let Some(setup) = test.setup.as_ref().filter(|setup| !setup.text.contains('&')) else { continue };
            let named = game.rules.setup.named.iter().find(|(name, _)| *name == setup.text);
            let choices = own_tests::choices(test, &Choices::default(), &game.definition.options);
            let start = named.map_or(&setup.text, |(_, text)| text);
            agree_from(&name, &files, &choices, Some(start), 1, plies(&name));
        }
    }
}

/// The definitions carry tests too.
#[test]
fn definitions_pass_the_tests_that_they_carry() {
    let files = definitions();
    let mut wrong = Vec::new();
    for name in files.names() {
        let mut sources = Sources::default();
        let (game, found) = Game::load(&name, &files, &Choices::default(), &mut sources);
        let game = game.unwrap_or_else(|| panic!("{name}: {found:?}"));
        let how = own_tests::Run::with(Choices::default());
        for verdict in own_tests::run(&name, &game.definition, &how, &files, &mut sources) {
            let failures = verdict.failures.iter();
            wrong.extend(failures.map(|d| format!("{name}: {}: {}", verdict.name, d.message)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where new lines go through the piece that was put, and only there, that piece is remembered.
#[test]
fn the_last_put_is_remembered_only_where_lines_are_new() {
    let text = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/definitions");
        std::fs::read_to_string(format!("{folder}/{name}.toml")).unwrap()
    };
    let new = text("lines-new");
    let changed = |from: &str, to: &str| {
        assert!(new.contains(from));
        new.replace(from, to)
    };
    for (memos, text) in [
        (2, new.clone()),
        (2, text("lines-set-up")),
        (0, text("lines-moved")),
        // Perft passes by the end; a line of the other's; several sites; another's piece.
        (0, changed("[end.five]", "[end.five]\nperft  = false")),
        (0, changed("some line(own, 5)", "some line(enemy, 5)")),
        (0, changed("put own stone at to;", "put own stone at near(to) & vacant;")),
        (0, changed("put own stone at to;", "put own stone at to; put black stone at first(near(to));")),
        // A turn that ends with more pieces; a board of two words.
        (0, changed("stuck =", "finish = \"put own stone at a1\"\nstuck =")),
        (0, changed("square = [13, 11]", "square = [11, 11]")),
    ] {
        let files = MemoryFiles([("./lines.toml".to_owned(), text.clone())].into());
        let (game, found) = Game::load("./lines.toml", &files, &Choices::default(), &mut Sources::default());
        let game = game.unwrap_or_else(|| panic!("{found:?}\n{text}"));
        assert_eq!(game.program.layout.memos().count(), memos, "{text}");
    }
}

#[test]
#[ignore = "long: cargo test --release --test agree shipped -- --ignored"]
fn program_and_oracle_agree_at_length() {
    all(4..60);
}
