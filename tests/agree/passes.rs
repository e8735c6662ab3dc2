//! Passes keep the meaning of programs, and each changes the definitions that the table of `improve` names.
//!
//! Every shipped game and every definition of `tests/definitions` plays the same with each pass switched off. For
//! each pass `tests/passes/NAME.toml` is a small definition, and `NAME.txt` beside it its program without the pass
//! and with it, as far as they differ. `UPDATE=1` in the environment writes these anew.
use std::path::{Path, PathBuf};

use crate::cases::cases;
use farrier::analysis::playout;
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::improve::{Pass, Passes};
use farrier::play::{History, Moves, Rng};
use farrier::program::listing;
use farrier::shipped::Shipped;
use farrier::source::{Files, MemoryFiles, Sources};
use similar::TextDiff;

fn load(name: &str, files: &dyn Files) -> Game {
    let (game, found) = Game::load(name, files, &Choices::default(), &mut Sources::default());
    game.unwrap_or_else(|| panic!("{name}: {found:?}"))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// The definitions of a folder of tests, by their names.
fn definitions(of: &str) -> Vec<(String, Game)> {
    let mut files = MemoryFiles::default();
    for entry in std::fs::read_dir(folder(of)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml") {
            let name = format!("./{}", path.file_name().unwrap().to_string_lossy());
            files.0.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
    let stem = |name: &str| name.trim_start_matches("./").trim_end_matches(".toml").to_owned();
    files.names().iter().map(|name| (stem(name), load(name, &files))).collect()
}

/// Both games have the same legal moves and the same ends in a random game.
fn play_alike(a: &Game, b: &Game, what: &str, seed: u64, plies: usize) {
    let games = [a, b];
    let mut machines = games.map(|game| game.interpreter().unwrap());
    let mut positions = [0, 1].map(|i| games[i].start(&mut machines[i], None, seed).unwrap());
    let mut histories = [History::new(), History::new()];
    let mut moves = [Moves::new(), Moves::new()];
    for i in 0..2 {
        machines[i].set_hashing(true);
        histories[i].push(machines[i].full_hash(&positions[i]));
        machines[i].moves(&positions[i], &mut moves[i]);
    }
    let mut rng = Rng::new(seed);
    for ply in 0..plies {
        let place = format!("{what}, seed {seed}, ply {ply}");
        let legal = [0, 1].map(|i| {
            let mut numbers: Vec<_> = moves[i].iter().collect();
            numbers.sort_unstable();
            numbers
        });
        assert_eq!(legal[0], legal[1], "legal moves: {place}");
        let ends = [0, 1].map(|i| (machines[i].outcome(&positions[i]), machines[i].scores(&positions[i])));
        assert_eq!(ends[0], ends[1], "end and scores: {place}");
        if ends[0].0.is_some() || legal[0].is_empty() {
            return;
        }
        let Some(chosen) = playout::draw(&mut machines[0], &positions[0], &moves[0], &mut rng) else {
            return;
        };
        for i in 0..2 {
            machines[i].play(&mut positions[i], chosen, &mut histories[i], &mut moves[i]);
        }
    }
}

fn all_alike(games: &[(String, Game)], plies: usize) {
    for (name, game) in games {
        for pass in Pass::ALL {
            let other = game.with_passes(Passes::ALL.without(pass)).unwrap();
            for seed in 0..u64::from(cases(1)) {
                play_alike(game, &other, &format!("{name} without {}", pass.name()), seed, plies);
            }
        }
    }
}

#[test]
fn shipped_games_play_the_same_without_each_pass() {
    let games: Vec<_> =
        Shipped::list().into_iter().map(|name| (name.clone(), load(&name, &Shipped))).collect();
    all_alike(&games, 60);
}

#[test]
fn what_no_shipped_game_does_plays_the_same_without_each_pass() {
    all_alike(&definitions("definitions"), 40);
    all_alike(&definitions("passes"), 40);
}

/// What the table of `src/core/improve/mod.rs` says each pass is shown by: folders and names of definitions.
fn shown_by() -> Vec<(Pass, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core/improve/mod.rs");
    let text = std::fs::read_to_string(path).unwrap();
    let mut rows = text.lines().filter_map(|line| line.strip_prefix("//! | "));
    let cells = |row: &str| row.split(" | ").map(|cell| cell.trim_end_matches(" |").to_owned()).collect();
    let titles: Vec<String> = cells(rows.next().unwrap());
    let column = titles.iter().position(|title| title == "shown by").unwrap();
    let rows = rows.skip(1).map(|row| {
        let row: Vec<String> = cells(row);
        assert_eq!(row.len(), titles.len(), "cells of {}", row[0]);
        let pass = Pass::ALL.into_iter().find(|pass| row[0] == format!("[`Pass::{pass:?}`]"));
        let names = row[column].split('`').filter_map(|name| name.strip_suffix(".toml"));
        (pass.unwrap_or_else(|| panic!("{} is no pass", row[0])), names.map(str::to_owned).collect())
    });
    rows.collect()
}

#[test]
fn each_pass_changes_the_definitions_that_it_is_shown_by() {
    let folders = ["definitions", "passes"];
    let games: Vec<(String, Game)> = folders
        .into_iter()
        .flat_map(|of| definitions(of).into_iter().map(move |(name, game)| (format!("{of}/{name}"), game)))
        .collect();
    let table = shown_by();
    let passes: Vec<Pass> = table.iter().map(|(pass, _)| *pass).collect();
    assert_eq!(passes, Pass::ALL, "a row for each pass, in order");
    let mut wrong = Vec::new();
    for (pass, names) in table {
        if names.is_empty() {
            wrong.push(format!("{pass:?} is shown by nothing"));
        }
        for name in names {
            let Some((_, game)) = games.iter().find(|(other, _)| *other == name) else {
                wrong.push(format!("{pass:?}: there is no tests/{name}.toml"));
                continue;
            };
            let without = game.with_passes(Passes::ALL.without(pass)).unwrap();
            if listing(&without.program).to_string() == listing(&game.program).to_string() {
                wrong.push(format!("{pass:?} changes nothing of tests/{name}.toml"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_site_that_is_taken_away_if_it_is_in_a_set_is_a_bit_of_it() {
    let games = definitions("definitions");
    let (_, game) = games.iter().find(|(name, _)| name == "left").unwrap();
    let text = listing(&game.program).to_string();
    assert!(text.contains("site(hole)") && !text.contains("(if (hole in {"), "{text}");
    // Whether one site is beside another is asked of that site alone.
    assert!(text.contains("(if (hole in near("), "{text}");
}

#[test]
fn a_local_that_is_named_once_as_an_operand_is_written_out() {
    let text = listing(&load("knight-fight", &Shipped).program).to_string();
    assert!(text.contains("leap(layer[white + (1 - mover)])"), "{text}");
}

/// The lines of a listing that a pass changes, with a line around each.
fn shown(without: &str, with: &str) -> String {
    let lines = TextDiff::from_lines(without, with);
    let groups = lines.grouped_ops(1);
    let changes = groups.iter().flatten().flat_map(|op| lines.iter_changes(op));
    changes.map(|change| format!("{}{change}", change.tag())).collect()
}

#[test]
fn each_pass_does_to_a_small_program_what_is_shown() {
    let games = definitions("passes");
    let names: Vec<String> = games.iter().map(|(name, _)| name.clone()).collect();
    let mut passes = Pass::ALL.map(Pass::name).to_vec();
    passes.sort();
    assert_eq!(names, passes, "a definition for each pass");
    for pass in Pass::ALL {
        let (_, game) = games.iter().find(|(name, _)| *name == pass.name()).unwrap();
        let without = game.with_passes(Passes::ALL.without(pass)).unwrap();
        let found = shown(&listing(&without.program).to_string(), &listing(&game.program).to_string());
        assert!(!found.is_empty(), "{} does nothing", pass.name());
        let path = folder("passes").join(format!("{}.txt", pass.name()));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            found,
            expected,
            "{}; `UPDATE=1 cargo test --test agree passes` writes it anew",
            path.display()
        );
    }
}
