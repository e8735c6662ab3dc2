//! Agents: what chooses moves.
//!
//! An [`Agent`] is given a position with its history and legal moves, a [`Machine`] to try things on, and
//! random numbers, and gives back a move. It keeps no memory that matters between two choices: the same
//! question with the same random numbers has the same answer, so games can be played again one by one. Chance
//! is no agent's business: at a chance node the game is asked ([`draw`]). Nor is it an agent's to say who is
//! ahead, or each would be believed in its own case: [`Playouts`] says that, for all alike.
//!
//! A new agent is one new file and one row of [`AGENTS`].

mod draw;
mod flat;
mod random;
mod spec;
mod value;

pub use draw::{draw, play_out};
pub use spec::{AGENTS, AgentError, AgentRow, AgentSpec};
pub use value::Playouts;

use crate::play::{History, Machine, Move, Moves, Position, Rng};

/// What an agent decides on.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The position, resolved: a player is to decide.
    pub pos: &'a Position,
    /// The turn starts before it.
    pub history: &'a History,
    /// The legal moves, at least one, no chance.
    pub moves: &'a Moves,
}

/// Something that chooses moves.
pub trait Agent {
    /// Chooses one of the legal moves; none only where there is none.
    fn choose(&mut self, machine: &mut Machine, at: Situation<'_>, rng: &mut Rng) -> Option<Move>;
}
