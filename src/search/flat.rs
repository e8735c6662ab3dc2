//! Flat Monte-Carlo: every move is tried in equally many random games, the best average is played.
//!
//! A budget of `n` playouts is dealt to the moves one by one, in random order, round after round; with more
//! moves than playouts a random `n` of them are tried. Among equal averages the choice is even. What the
//! position is worth it does not say: the best of several averages that chance makes is no estimate of anything.

use super::value::{Playouts, points};
use super::{Agent, Situation};
use crate::play::{Machine, Move, Rng};

/// Flat Monte-Carlo with its working space.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    budget: u32,
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

impl Flat {
    /// With a budget of playouts a choice.
    pub fn new(budget: u32) -> Flat {
        Flat { budget, playouts: Playouts::default(), tried: Vec::new() }
    }
}

impl Agent for Flat {
    fn choose(&mut self, machine: &mut Machine, at: Situation<'_>, rng: &mut Rng) -> Option<Move> {
        let players = machine.layout().players;
        let mover = at.moves.mover().index();
        self.tried.clear();
        self.tried.extend(at.moves.iter().map(|number| Tried { number, points: 0.0, playouts: 0 }));
        rng.shuffle(&mut self.tried);
        for one in 0..self.budget as usize {
            let place = one % self.tried.len().max(1);
            let Some(trial) = self.tried.get_mut(place) else { break };
            let outcome = self.playouts.play(machine, at, Some(trial.number), rng);
            trial.playouts += 1;
            trial.points += points(outcome, mover, players);
        }
        // The order is random already: the first of equals is as good as any.
        let average = |t: &Tried| t.points / f64::from(t.playouts.max(1));
        let mut best = *self.tried.first()?;
        for trial in self.tried.iter().take_while(|t| t.playouts > 0) {
            if average(trial) > average(&best) {
                best = *trial;
            }
        }
        Some(best.number)
    }
}
