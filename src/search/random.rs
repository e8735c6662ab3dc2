//! The agent that thinks nothing: every legal move is as likely.

use super::{Agent, Situation, draw};
use crate::play::{Machine, Move, Rng};

/// Chooses evenly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random;

impl Agent for Random {
    fn choose(&mut self, machine: &mut Machine, at: Situation<'_>, rng: &mut Rng) -> Option<Move> {
        draw(machine, at.pos, at.moves, rng)
    }
}
