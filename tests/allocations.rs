//! Playing allocates nothing: once the working space has grown to its size, no ply of any shipped game
//! asks for memory, nor does a perft.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on must fail, loudly")]

use farrier::analysis::perft::{Leaves, Perft};
use farrier::analysis::playout::draw;
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::play::{History, Machine, Moves, Position, Rng};
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
    fn plies(&mut self, most: u32) {
        for _ in 0..most {
            let Some(m) = draw(&mut self.machine, &self.pos, &self.moves, &mut self.rng) else {
                self.pos.copy_from(&self.start);
                self.history.clear();
                self.machine.moves(&self.pos, &mut self.moves);
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
