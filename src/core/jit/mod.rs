//! Compiles a program to machine code with Cranelift.
//!
//! The interpreter of [`crate::play`] defines the meaning of a program; compiled code does the same. It covers
//! everything that happens between two decisions: doing a move with the ends after it ([`turn`]), resolving the rest
//! of a turn, generating the legal moves and beginning the next turn ([`flow`], [`longest`]), and scores. Each is one
//! function, and so is each generator that stands in several places; where a program is too large, so is each
//! condition that does ([`asked`]). All that do more than a move are compiled at their first call: play calls one that
//! does a move and resolves the position after it, perft also one that makes each of some moves ([`each`]), and who
//! looks ahead one that does a move and leaves the moves that follow to another.
//!
//! # How code looks
//!
//! - A set of `W` words is `W` values of 64 bits; an integer is a value of 32 bits. Locals are variables:
//!   Cranelift finds their registers, removes common subexpressions and folds constants.
//! - A position is memory. A copy of it (`after`) is no memory: the layers and slots that its block writes
//!   become variables, all else is read from the position below ([`place`]). Nothing is copied to ask
//!   about the position after a move.
//! - Sets are handled by whole words ([`words`]); a relation is a handful of shifts or a row of a table
//!   ([`relation`]), a slide along a ray two or three instructions ([`slide`]).
//! - What several ends ask for is found once ([`ends`]).
//! - Layers and slots are told apart as regions of memory: a write to one does not make the others be read again.
//! - Loops are written so that Cranelift moves out of them what is the same in every round (*loop-invariant code
//!   motion*, [`loops`]).
//! - Known bounds of integers ([`bounds`]) save checks and saturation.
//! - Expensive values are skipped where they cannot matter; code does not branch around cheap ones
//!   ([`cost`]).
//!
//! # Safety
//!
//! Only [`code`] has unsafe code: it holds the memory, calls the functions and gives them the few helpers
//! that they call back. These facts keep compiled code inside its memory:
//!
//! - The program was verified: layers, slots, tables and rows that it names exist. Relations and rays have a row
//!   for each number below the board's sites, an empty one where the board has a hole.
//! - Every load and every store is made in [`memory`]. An address is either memory that is there as long as the
//!   function runs (the context, the position, memory of the function's own, a table) with a constant added, or an
//!   entry of a row by an index, or a record of moves.
//! - An index is below its row's count. Either it was *cut*: a test chose 0 in its place where it was too large, so
//!   the number is good wherever it is computed. Or it is good where it is *used*: because of its bounds, or because
//!   of a test or a loop around it. Members of sets are sites below the board's number: constants, shifts and rows
//!   are verified, positions hold no other bits, complements are taken within the board.
//! - **No load moves before the test that makes its index good.** Memory that never changes (tables, the position below
//!   a copy) could be read at any time. Cranelift moves such a read out of loops, above their tests, if it is told that
//!   the read may move. It is told so of an address only if each index in it was cut: the computation of the address,
//!   with the cut, then moves along with the read. All other reads and all stores stay behind the branches that they
//!   stand behind. An address holds whether it may move, and only `memory` can set that.
//! - Positions, dealt numbers and movers that do not fit the program are turned away before the call. Dealt numbers
//!   lie within their deal's range, whoever gives them.
//! - Moves are laid down where room was made: by each block for all that it lays down up to its next loop, which
//!   makes room itself in each round. Only the first few outside loops are laid down without a look: that many find
//!   room behind the end that is looked at, in each call.
//! - Two accesses that may meet are of one region. Where the program chooses among layers or slots, it tells which; a
//!   function that chooses among others is given up.
//! - Loops run over sets, masks and bounded ranges that are fixed when they start, or grow a set until it
//!   grows no more.
//! - Functions do not call themselves, and their memory on the stack is bounded. A large frame touches each of its
//!   pages in order, so that none jumps over a stack's guard. One helper calls functions back ([`longest`]), none that
//!   calls it.
//!
//! [`compile_checked`] makes code that takes none of this for granted. Before each entry, each record and each site
//! that is given to a helper, a test asks whether the index is below its bound. If not, the name of the operation is
//! noted and the first entry is taken instead. Tests and fuzzers run this code beside the other.
//!
//! Tables outlive the code: it holds the program that owns them.

mod asked;
mod block;
mod bounds;
mod code;
mod cost;
mod course;
mod each;
mod emit;
mod ends;
mod flow;
mod int;
mod lines;
mod longest;
mod loops;
mod memory;
mod pieces;
mod place;
mod relation;
mod set;
mod slide;
mod turn;
mod vacant;
mod values;
mod words;

pub use code::{Checked, Fault};

use std::fmt;
use std::sync::Arc;

use crate::play::Native;
use crate::program::{Program, ProgramError};

/// Why a program is not compiled. It is interpreted then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Uncompiled {
    /// Written out in full it is larger than worth while.
    TooLarge,
    /// It does something that only the interpreter does.
    Unsupported(&'static str),
    /// It does not verify: a mistake of the code that made it.
    Unsound(ProgramError),
    /// There is no back end for this processor, or it failed.
    Backend(String),
}

impl fmt::Display for Uncompiled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Uncompiled::TooLarge => write!(out, "the program is too large to be compiled"),
            Uncompiled::Unsound(error) => error.fmt(out),
            Uncompiled::Unsupported(what) => write!(out, "{what} is not compiled"),
            Uncompiled::Backend(message) => write!(out, "the program could not be compiled: {message}"),
        }
    }
}

impl std::error::Error for Uncompiled {}

/// Compiles a program, which is verified first.
pub fn compile(program: &Arc<Program>) -> Result<Arc<dyn Native>, Uncompiled> {
    let code = code::Compiled::new(program.clone(), None)?;
    Ok(Arc::new(code))
}

/// Compiles a program, which is verified first, to code that tests every computed index: see [`Checked`].
pub fn compile_checked(program: &Arc<Program>) -> Result<Arc<Checked>, Uncompiled> {
    Ok(Arc::new(Checked::new(program)?))
}
