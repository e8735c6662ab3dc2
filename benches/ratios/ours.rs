//! Farrier's side.

use std::time::Duration;

use cpu_time::ThreadTime;
use farrier::analysis::bench::{Counting, Playouts, Work};
use farrier::analysis::perft::{Leaves, Perft};
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::improve::{Pass, Passes};
use farrier::play::{Machine, Position};
use farrier::shipped::Shipped;
use farrier::source::Sources;

use super::Slice;

/// A game at its start.
pub struct Ours {
    machine: Machine,
    start: Position,
}

/// How Farrier's programs are made and run.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// Interpreted, never compiled.
    pub interpreter: bool,
    /// The passes that make the program.
    pub passes: Passes,
}

fn load(name: &str, options: &[&str]) -> Game {
    let with = options.iter().map(|o| (*o).to_owned()).collect();
    let choices = Choices { with, ..Choices::default() };
    Game::load(name, &Shipped, &choices, &mut Sources::default()).0.expect("a shipped game loads")
}

impl Ours {
    /// A shipped game with some options on, from its start or a set-up; compiled or interpreted.
    pub fn new(name: &str, options: &[&str], setup: Option<&str>, how: How) -> Ours {
        let game = load(name, options).with_passes(how.passes).expect("a shipped game is small");
        let machine = if how.interpreter { game.interpreter() } else { game.machine() };
        let mut machine = machine.expect("a shipped game is sound");
        machine.warm_up();
        let start = game.start(&mut machine, setup, 1).expect("a shipped game has its set-ups");
        Ours { machine, start }
    }

    /// Whether a pass does something to a shipped game.
    pub fn uses(name: &str, pass: Pass) -> bool {
        let game = load(name, &[]);
        let without = game.with_passes(Passes::ALL.without(pass)).expect("a shipped game is small");
        game.program.fingerprint() != without.program.fingerprint()
    }

    /// The text of a set-up that has a name.
    pub fn setup_text(name: &str, setup: &str) -> String {
        let game = load(name, &[]);
        let named = game.rules.setup.named.iter().find(|(n, _)| n == setup).expect("the set-up");
        named.1.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Random playouts, one slice after the other.
    pub fn playouts(&mut self, most: u32) -> impl FnMut(f64) -> Slice + use<> {
        let playouts = Playouts::new(self.machine.clone(), self.start.clone(), 1, most);
        slices(Work::Playouts(Box::new(playouts)))
    }

    /// Perft to a depth, again and again.
    pub fn perft(&mut self, depth: u32, leaves: Leaves) -> impl FnMut(f64) -> Slice + use<> {
        let (machine, start) = (self.machine.clone(), self.start.clone());
        let nodes = Perft::new(&mut self.machine, leaves).count(&self.start, depth);
        let mut work = slices(Work::Perft(Box::new(Counting { machine, start, depth, leaves })));
        move |seconds| {
            let Slice { rate, .. } = work(seconds);
            // Playouts of a perft are its counts: what is told is nodes.
            Slice { rate: rate * nodes as f64, size: nodes as f64 }
        }
    }
}

/// Slices of processor time of this thread.
fn slices(mut work: Work) -> impl FnMut(f64) -> Slice {
    move |seconds| {
        let (began, time) = (ThreadTime::now(), Duration::from_secs_f64(seconds));
        let done = work.slice(|| began.elapsed() < time);
        let rate = done.pieces as f64 / began.elapsed().as_secs_f64();
        Slice { rate, size: done.units as f64 / done.pieces as f64 }
    }
}
