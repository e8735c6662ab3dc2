//! What a machine keeps between calls: locals, copies, buffers.

use super::moves::Moves;
use crate::program::Program;

/// Locals and scratch memory. Made once for a program; everything in it is overwritten before it is read.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Set locals, `width` words each.
    pub sets: Vec<u64>,
    /// Integer locals.
    pub ints: Vec<i32>,
    /// A copy of the position for each level of `after`.
    pub copies: Vec<Box<[u64]>>,
    /// How many of them are in use.
    pub level: usize,
    /// Where generators emit. The caller's [`Moves`] are swapped in here for the time of a call.
    pub sink: Moves,
    /// The path on which `longest` searches; grows to the longest path ever searched.
    pub path: Vec<Step>,
    /// How many of its steps are in use.
    pub steps: usize,
    /// Lengths that `longest` found, used as a stack.
    pub lengths: Vec<u32>,
    /// A copy of the position for calls that must not change it.
    pub probe: Box<[u64]>,
    /// The position to which the kept hash belongs.
    pub before: Box<[u64]>,
    /// Whether hashes are kept.
    pub hashing: bool,
    /// Whether the history of turn starts is kept.
    pub keeping: bool,
    /// Whether ends that perft ignores are ignored.
    pub perft: bool,
}

/// A position on the path that `longest` searches.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub words: Box<[u64]>,
    /// Where its offers start in the sink.
    pub mark: usize,
    /// How many offers it has.
    pub total: usize,
    /// Which of them is next.
    pub next: usize,
}

impl Frame {
    pub fn new(program: &Program) -> Frame {
        let words = program.layout.words();
        let blank = || vec![0; words].into_boxed_slice();
        Frame {
            sets: vec![0; program.set_locals * program.layout.width],
            // Local 0 is always there: it is the base of a generator.
            ints: vec![0; program.int_locals.max(1)],
            copies: (0..program.copies).map(|_| blank()).collect(),
            level: 0,
            sink: Moves::new(),
            path: Vec::new(),
            steps: 0,
            lengths: Vec::with_capacity(64),
            probe: blank(),
            before: blank(),
            hashing: program.reads_seen,
            keeping: program.reads_seen,
            perft: false,
        }
    }
}
