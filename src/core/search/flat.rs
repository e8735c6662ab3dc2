//! Flat Monte-Carlo: every move is tried in equally many random games, the best average is played.
//!
//! A node is a playout. The playouts of a choice are dealt to the moves one by one, in random order, round after
//! round; with more moves than playouts a random part of them is tried. Among equal averages the choice is even. What
//! the position is worth it does not say: the best of several averages that chance makes is no estimate of anything.

use super::value::{Playouts, points};
use super::{Agent, Forfeit, Situation, Thought, no_move};
use crate::play::{Machine, Move};

/// Flat Monte-Carlo with its working space.
#[derive(Clone, Debug, Default)]
pub(super) struct Flat {
    playouts: Playouts,
    tried: Vec<Tried>,
}

/// A move and the points of the player who decides, over its playouts.
#[derive(Clone, Copy, Debug)]
struct Tried {
    number: Move,
    points: f64,
    playouts: u32,
}

impl Agent for Flat {
    fn choose(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        thought: &mut Thought<'_>,
    ) -> Result<Move, Forfeit> {
        let sides = machine.program().sides();
        let mover = at.moves.mover().index();
        self.tried.clear();
        self.tried.extend(at.moves.iter().map(|number| Tried { number, points: 0.0, playouts: 0 }));
        thought.rng.shuffle(&mut self.tried);
        let mut nodes = 0;
        // The first playout is always played: something has to be chosen.
        while nodes == 0 || !thought.limit.is_over_at(nodes, 16) {
            let place = nodes as usize % self.tried.len().max(1);
            let Some(trial) = self.tried.get_mut(place) else { break };
            let outcome = self.playouts.play(machine, at, Some(trial.number), thought.rng);
            trial.playouts += 1;
            trial.points += points(outcome, mover, sides);
            nodes += 1;
        }
        // The order is random already: the first of equals is as good as any.
        let average = |t: &Tried| t.points / f64::from(t.playouts.max(1));
        let mut best = *self.tried.first().ok_or_else(no_move)?;
        for trial in self.tried.iter().take_while(|t| t.playouts > 0) {
            if average(trial) > average(&best) {
                best = *trial;
            }
        }
        Ok(best.number)
    }
}
