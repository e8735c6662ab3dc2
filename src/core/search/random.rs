//! The agent that thinks nothing: every legal move is as likely.

use super::{Agent, Forfeit, Situation, Thought, draw, no_move};
use crate::play::{Machine, Move};

/// Chooses evenly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Random;

impl Agent for Random {
    fn choose(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        thought: &mut Thought<'_>,
    ) -> Result<Move, Forfeit> {
        draw(machine, at.pos, at.moves, thought.rng).ok_or_else(no_move)
    }
}
