//! Compiles a program to machine code with Cranelift.
//!
//! The interpreter of [`crate::play`] says what a program means; this says the same to the processor. What
//! is compiled is everything that happens between two decisions: doing a move with the ends after it
//! ([`turn`]), resolving the rest of a turn, generating the legal moves and beginning the next turn
//! ([`flow`]), and scores. One function each, and one for each generator that stands in several places. What only
//! some ask for is compiled when it is first asked for: random play wants a move and what follows it as one
//! function, perft one that makes each of some moves.
//!
//! # How code looks
//!
//! - A set of `W` words is `W` values of 64 bits; an integer is a value of 32 bits. Locals are variables:
//!   Cranelift finds their registers, removes what is computed twice and folds constants.
//! - A position is memory. A copy of it (`after`) is no memory: the layers and slots that its block writes
//!   become variables, all else is read from the position below ([`place`]). Nothing is copied to ask
//!   what a move would leave behind.
//! - Sets are handled by whole words ([`words`]); a relation is a handful of shifts or a row of a table
//!   ([`relation`]), a slide along a ray two or three instructions ([`slide`]).
//! - What is known of an integer's bounds ([`bounds`]) saves checks and saturation.
//! - What is expensive is skipped where its value cannot matter, what is cheap is not branched around
//!   ([`cost`]).
//!
//! # Safety
//!
//! Only [`code`] has unsafe code: it holds the memory, calls the functions and gives them the few helpers
//! that they call back. That compiled code stays inside its memory follows from this:
//!
//! - The program was verified: layers, slots, tables and rows that it names exist.
//! - Every index that is computed is below its bound by its bounds or is checked. Members of sets are
//!   sites below the board's number: constants, shifts and rows are verified, positions hold no other
//!   bits, complements are taken within the board.
//! - Positions, dealt numbers and movers that do not fit the program are turned away before the call.
//! - Moves are laid down with a check of the room that is left.
//! - Loops run over sets, masks and bounded ranges that are fixed when they start, or grow a set until it
//!   grows no more.
//!
//! Tables outlive the code: it holds the program that owns them.

mod block;
mod bounds;
mod code;
mod cost;
mod emit;
mod flow;
mod int;
mod lines;
mod loops;
mod pieces;
mod place;
mod relation;
mod set;
mod slide;
mod turn;
mod vacant;
mod words;

use std::fmt;
use std::sync::Arc;

use crate::play::Native;
use crate::program::Program;

/// Why a program is not compiled. It is interpreted then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Uncompiled {
    /// Written out in full it is larger than worth while.
    TooLarge,
    /// It does something that only the interpreter does.
    Unsupported(&'static str),
    /// There is no back end for this processor, or it failed.
    Backend(String),
}

impl fmt::Display for Uncompiled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uncompiled::TooLarge => write!(out, "the program is too large to be compiled"),
            Uncompiled::Unsupported(what) => write!(out, "{what} is not compiled"),
            Uncompiled::Backend(message) => write!(out, "the program could not be compiled: {message}"),
        }
    }
}

impl std::error::Error for Uncompiled {}

/// Compiles a program, which is verified first.
pub fn compile(program: &Arc<Program>) -> Result<Arc<dyn Native>, Uncompiled> {
    let code = code::Compiled::new(program.clone())?;
    Ok(Arc::new(code))
}
