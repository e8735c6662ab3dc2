//! What tests of definitions from outside have in common: texts that are loaded and played a little.

#![allow(dead_code, reason = "each test file uses some of it")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use farrier::analysis::playout;
use farrier::definition::Choices;
use farrier::diagnostic::Diagnostics;
use farrier::game::Game;
use farrier::play::Rng;
use farrier::shipped::Shipped;
use farrier::source::{FileError, Files, Sources};

/// One text in front of the shipped games.
pub struct One<'a>(pub &'a str);

impl Files for One<'_> {
    fn read(&self, path: &str) -> Result<String, FileError> {
        if path == "hostile" { Ok(self.0.to_owned()) } else { Shipped.read(path) }
    }

    fn names(&self) -> Vec<String> {
        Shipped::list()
    }
}

/// The longest that one definition may take to be loaded and played a little: far more than any takes, so that
/// only what does not end is caught, on slow machines too.
pub const LONG: Duration = Duration::from_secs(60);

/// Loads a text and plays it a little, if it is a game. What was found, and whether it was a game.
pub fn try_out(text: &str, seed: u64) -> (bool, Diagnostics) {
    try_with(text, &Choices::default(), seed)
}

pub fn try_with(text: &str, choices: &Choices, seed: u64) -> (bool, Diagnostics) {
    let begin = Instant::now();
    let done = catch_unwind(AssertUnwindSafe(|| {
        let mut sources = Sources::default();
        let (game, found) = Game::load("hostile", &One(text), choices, &mut sources);
        for d in &found.0 {
            // Every place can be shown.
            for label in &d.labels {
                sources.line_column(label.span);
                sources.slice(label.span);
            }
        }
        assert!(game.is_some() != found.has_errors(), "errors or a game: {found:?}");
        let loaded = begin.elapsed();
        assert!(loaded < LONG, "loading took {loaded:?}");
        if let Some(game) = &game {
            // What is warned of may take its time.
            let slow = found.0.iter().any(|d| d.code == "cost");
            play(game, seed, if slow { 2 } else { 20 });
        }
        (game.is_some(), found)
    }));
    let took = begin.elapsed();
    let shown = || text.chars().take(4000).collect::<String>();
    assert!(took < LONG, "it took {took:?}:\n{}", shown());
    match done {
        Ok(done) => done,
        Err(_) => panic!("it panicked, seed {seed}:\n{}", shown()),
    }
}

/// Some random plies, and the texts of the position that they lead to.
pub fn play(game: &Game, seed: u64, plies: u32) {
    let mut machine = game.machine().expect("what is loaded is a sound program");
    let Ok(mut pos) = game.start(&mut machine, None, seed) else { return };
    let mut rng = Rng::new(seed);
    playout::play(&mut machine, &mut pos, &mut rng, plies, |_, _, _, _| {});
    let text = game.texts().write(&mut machine, &pos);
    let _ = game.start(&mut machine, Some(&text), seed);
}

/// The text of a shipped game.
pub fn shipped(name: &str) -> String {
    Shipped.read(name).expect("a shipped game")
}

/// A game of a few lines with something put in.
pub fn small(board: &str, define: &str, rest: &str) -> String {
    format!(
        r#"name = "Small"
players = ["north", "south"]
[board]
{board}
[pieces]
guard = {{ letter = "g", goes = "step any" }}
[define]
{define}
[decisions.put]
choose = "to in vacant"
do = "put own guard at to"
text = "{{to}}"
[turn]
main = "put"
{rest}
"#
    )
}

/// What is said of a game that must not be loaded: one of the codes.
pub fn refused(text: &str, codes: &[&str]) {
    let (loaded, found) = try_out(text, 1);
    assert!(!loaded, "this must not be loaded:\n{}", text.chars().take(2000).collect::<String>());
    let known = found.0.iter().any(|d| codes.contains(&d.code));
    assert!(known, "expected one of {codes:?}, found {:?}", found.0.iter().take(3).collect::<Vec<_>>());
}
