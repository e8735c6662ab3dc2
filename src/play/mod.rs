//! Runs a program: positions, legal moves, doing a move, outcomes.
//!
//! A [`Machine`] interprets one [`crate::program::Program`]; each thread has its own. It works on
//! [`Position`]s (plain words), fills [`Moves`] (segments, not lists) and keeps a [`History`] of turn
//! starts where a rule asks how often a position was seen.
//!
//! Invariants: after the program was verified nothing here panics, and once its buffers are warm a
//! machine allocates nothing while playing. Nothing here knows the rules of any game.

mod eval;
mod flow;
mod frame;
mod hash;
mod history;
mod machine;
mod moves;
mod number;
mod pieces;
mod position;
mod relation;
mod rng;
mod run;
mod setup;
mod slide;
mod turn;

pub use history::History;
pub use machine::Machine;
pub use moves::{Move, Moves, MovesIter};
pub use position::{Outcome, Position};
pub use rng::Rng;
pub use setup::Dealing;
