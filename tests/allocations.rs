//! Playing allocates nothing: once the working space has grown to its size, no ply of any shipped game
//! asks for memory, nor does a perft. And it counts no references to what machines share: threads that count
//! up and down in one place wait for each other.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on must fail, loudly")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use farrier::analysis::perft::{Leaves, Perft};
use farrier::analysis::playout::{Space, draw, play_from};
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::play::{Aids, Backend, History, Machine, Moves, Native, Played, Position, Rng, Roamed, Task};
use farrier::program::Program;
use farrier::shipped::Shipped;
use farrier::source::Sources;

struct Playing {
    machine: Machine,
    start: Position,
    pos: Position,
    history: History,
    moves: Moves,
    rng: Rng,
}

impl Playing {
    /// Begins a game.
    fn begin(&mut self) {
        self.pos.copy_from(&self.start);
        self.history.clear();
        self.machine.moves(&self.pos, &mut self.moves);
    }

    fn plies(&mut self, most: u32) {
        for _ in 0..most {
            let Some(m) = draw(&mut self.machine, &self.pos, &self.moves, &mut self.rng) else {
                self.begin();
                continue;
            };
            self.machine.play(&mut self.pos, m, &mut self.history, &mut self.moves);
        }
    }
}

#[test]
fn no_ply_allocates() {
    for name in Shipped::list() {
        let (game, _) = Game::load(&name, &Shipped, &Choices::default(), &mut Sources::default());
        let game = game.unwrap();
        let mut machine = game.machine().unwrap();
        let start = game.start(&mut machine, None, 1).unwrap();
        let mut moves = Moves::new();
        machine.moves(&start, &mut moves);
        let (history, rng) = (History::new(), Rng::new(1));
        let mut playing = Playing { machine, pos: start.clone(), start, history, moves, rng };
        // The working space grows to the longest game and the largest choice.
        playing.plies(4000);
        playing.rng = Rng::new(1);
        // A game that goes on for ever would be longer now than before.
        playing.begin();
        let found = allocation_counter::measure(|| playing.plies(1000));
        assert_eq!(found.count_total, 0, "{name}");
    }
}

#[test]
fn no_node_of_a_perft_allocates() {
    for name in Shipped::list() {
        let (game, _) = Game::load(&name, &Shipped, &Choices::default(), &mut Sources::default());
        let game = game.unwrap();
        let mut machine = game.machine().unwrap();
        machine.warm_up();
        let start = game.start(&mut machine, None, 1).unwrap();
        for leaves in [Leaves::Counted, Leaves::Made] {
            let mut perft = Perft::new(&mut machine, leaves);
            let nodes = perft.count(&start, 2);
            let mut again = 0;
            let found = allocation_counter::measure(|| again = perft.count(&start, 2));
            assert_eq!((found.count_total, again), (0, nodes), "{name} {leaves:?}");
        }
    }
}

/// Compiled code that does nothing but look, each time it is called, how many hold it and the program.
#[derive(Debug)]
struct Looks {
    own: Weak<Looks>,
    program: Weak<Program>,
    calls: AtomicUsize,
    most: AtomicUsize,
}

impl Looks {
    fn holders(&self) -> usize {
        self.own.strong_count() + self.program.strong_count()
    }

    fn look<T>(&self) -> Option<T> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.most.fetch_max(self.holders(), Ordering::Relaxed);
        None
    }
}

impl Native for Looks {
    fn apply(&self, _: Task<'_>, _: u32) -> Option<()> {
        self.look()
    }

    fn resolve(&self, _: Task<'_>, _: &mut Moves, _: Aids<'_>) -> Option<()> {
        self.look()
    }

    fn play(&self, _: Task<'_>, _: u32, _: &mut Moves, _: Aids<'_>) -> Option<Played> {
        self.look()
    }

    fn play_on(&self, _: Task<'_>, _: u32, _: &mut Moves, _: Aids<'_>) -> Option<Played> {
        self.look()
    }

    fn list(&self, _: Task<'_>, _: &mut Moves, _: Aids<'_>) -> Option<()> {
        self.look()
    }

    fn roam(&self, _: Task<'_>, _: &mut Moves, _: Aids<'_>, _: &mut Rng, _: u32) -> Option<Roamed> {
        self.look()
    }

    fn make_each(&self, _: &[u64], _: Task<'_>, _: &Moves) -> Option<u64> {
        self.look()
    }

    fn score(&self, _: Task<'_>) -> Option<i32> {
        self.look()
    }
}

#[derive(Debug)]
struct Ready(Arc<Looks>);

impl Backend for Ready {
    fn native(&self) -> Option<Arc<dyn Native>> {
        Some(self.0.clone())
    }
}

#[test]
fn no_call_of_compiled_code_counts_references() {
    // Its games end with a score.
    let (game, _) = Game::load("knightcap", &Shipped, &Choices::default(), &mut Sources::default());
    let game = game.unwrap();
    let looks = Arc::new_cyclic(|own| Looks {
        own: own.clone(),
        program: Arc::downgrade(&game.program),
        calls: AtomicUsize::new(0),
        most: AtomicUsize::new(0),
    });
    let machine = Machine::new(game.program.clone()).unwrap();
    let mut machine = machine.with_backend(Arc::new(Ready(looks.clone())));
    assert!(machine.warm_up());
    let mut called = 0;
    let mut check = |what: &str, call: &mut dyn FnMut()| {
        let before = looks.holders();
        looks.most.store(0, Ordering::Relaxed);
        call();
        let calls = looks.calls.load(Ordering::Relaxed);
        assert!(calls > called, "{what} does not ask compiled code");
        called = calls;
        assert_eq!(looks.most.load(Ordering::Relaxed), before, "{what} holds what is shared");
    };
    let start = game.start(&mut machine, None, 1).unwrap();
    let (mut moves, mut pos) = (Moves::new(), start.clone());
    machine.moves(&start, &mut moves);
    let first = moves.nth(0).unwrap();
    let mut history = History::new();
    check("a ply without its moves", &mut || {
        machine.play_on(&mut start.clone(), first, &mut History::new(), &mut Moves::new());
    });
    check("a ply", &mut || machine.play(&mut pos, first, &mut history, &mut moves));
    check("a move", &mut || machine.apply(&mut pos.clone(), moves.nth(0).unwrap()));
    check("a score", &mut || _ = machine.score(&pos, 0));
    check("a perft", &mut || _ = Perft::new(&mut machine, Leaves::Made).count(&start, 2));
    let mut space = Space::default();
    let rng = &mut Rng::new(1);
    check("a playout", &mut || _ = play_from(&mut space, &mut machine, &mut pos, &moves, rng, 10_000));
}
