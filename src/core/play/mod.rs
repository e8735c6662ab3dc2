//! Runs a program: positions, legal moves, doing a move, outcomes.
//!
//! A [`Machine`] interprets one [`crate::program::Program`]; each thread has its own. It works on
//! [`Position`]s (plain words), fills [`Moves`] (segments, not lists) and keeps a [`History`] of turn
//! starts where a rule asks how often a position was seen.
//!
//! The interpreter defines the meaning of a program:
//!
//! ```text
//! Program -> code: a closure for each expression and statement, made once at the width of the sets
//!         -> run:  the operations of a machine, on leaves, decisions, states and ends that hold closures
//! frame:  the position at hand, locals, the sink for offers; all that closures work on
//! ```
//!
//! A machine may be given compiled code of its program ([`Native`]), which does the same faster.
//!
//! Invariants: after the program was verified nothing here panics, and once its buffers are warm a
//! machine allocates nothing while playing. Nothing here knows the rules of any game.

mod board;
mod code;
mod ended;
mod flow;
mod frame;
mod hash;
mod history;
mod ledger;
mod longest;
mod machine;
mod moves;
mod native;
mod position;
mod relation;
mod repeat;
mod rng;
mod run;
mod setup;
mod slide;
mod threat;
mod turn;

/// Relations and rays at work, longest paths, and records of moves, for compiled code to call.
#[cfg(feature = "jit")]
pub(crate) mod tables {
    pub(crate) use super::longest::Plies;
    pub(crate) use super::moves::{nth_of, select};
    pub(crate) use super::relation::{distance, line, ring};
    pub(crate) use super::slide::{between, slide, slide_over};
}

pub use ended::EndedBy;
pub use history::History;
pub use ledger::Asker;
#[doc(hidden)]
pub use longest::Paths;
pub use machine::Machine;
pub(crate) use moves::Run;
pub use moves::{Move, Moves, MovesIter};
#[doc(hidden)]
pub use native::{Aids, Backend, Native, Played, Roamed, Starts, Task};
pub use position::{Outcome, Places, Position};
pub use rng::Rng;
pub use setup::Dealing;
