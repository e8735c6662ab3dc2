//! Agents: what chooses moves.
//!
//! An [`Agent`] is given a position with its history and legal moves, a [`Machine`] to try things on, and
//! random numbers, and gives back a [`Choice`]: a move, and what it thinks of the position if it thinks at
//! all. It keeps no memory that matters between two choices: the same question with the same random
//! numbers has the same answer, so games can be played again one by one. Chance is no agent's business: at
//! a chance node the game is asked ([`draw`]).
//!
//! A new agent is one new file and one row of [`AGENTS`].

mod draw;
mod flat;
mod random;
mod spec;

pub use draw::{draw, play_out};
pub use spec::{AGENTS, AgentError, AgentRow, AgentSpec};

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

/// What an agent decides.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move.
    pub number: Move,
    /// How many points of 1 it expects each player to get from here, in the players' order; empty if it
    /// has no opinion.
    pub expects: Vec<f64>,
}

/// Something that chooses moves.
pub trait Agent {
    /// Chooses one of the legal moves; none only where there is none.
    fn choose(&mut self, machine: &mut Machine, at: Situation<'_>, rng: &mut Rng) -> Option<Choice>;
}
