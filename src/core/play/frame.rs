//! The memory that a machine keeps between calls: locals, copies, buffers.

use std::sync::Arc;

use super::board::{load, store};
use super::ledger::Ledger;
use super::longest::Paths;
use super::moves::Moves;
use crate::program::Program;
use crate::siteset::Bits;

/// Locals and scratch memory. Made once for a program; everything in it is overwritten before it is read.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The position at hand. The caller's words are swapped in here for the time of a call.
    pub pos: Box<[u64]>,
    /// Set locals, `width` words each.
    sets: Box<[u64]>,
    /// Integer locals.
    ints: Box<[i32]>,
    /// The numbers dealt in the game of the position at hand.
    pub deal: Arc<[i32]>,
    /// A copy of the position for each level of `after`.
    copies: Vec<Box<[u64]>>,
    /// How many of them are in use.
    level: usize,
    /// Where generators emit. The caller's [`Moves`] are swapped in here for the time of a call.
    pub sink: Moves,
    /// Where longest paths are looked for, once they were.
    pub paths: Option<Box<Paths>>,
    /// How often loops have turned; of code that counts, all operations.
    pub work: u64,
    /// Who asked for it, of code that counts.
    pub ledger: Ledger,
    /// The position to which the kept hash belongs.
    pub before: Box<[u64]>,
    /// Whether hashes are kept.
    pub hashing: bool,
    /// Whether the history of turn starts is kept.
    pub keeping: bool,
    /// Whether ends that perft ignores are ignored.
    pub perft: bool,
}

impl Frame {
    pub fn new(program: &Program) -> Frame {
        let words = program.layout.words();
        let blank = || vec![0; words].into_boxed_slice();
        Frame {
            pos: blank(),
            sets: vec![0; program.set_locals * program.layout.width].into(),
            // Local 0 is always there: it is the base of a generator.
            ints: vec![0; program.int_locals.max(1)].into(),
            deal: Arc::default(),
            copies: (0..program.copies).map(|_| blank()).collect(),
            level: 0,
            sink: Moves::new(),
            paths: None,
            work: 0,
            ledger: Ledger::default(),
            before: blank(),
            hashing: program.keeps_history(),
            keeping: program.keeps_history(),
            perft: false,
        }
    }

    /// Takes on the numbers dealt in a game.
    #[inline]
    pub fn of_deal(&mut self, deal: &Arc<[i32]>) {
        // Counting references up and down costs more than looking.
        if !Arc::ptr_eq(&self.deal, deal) {
            self.deal = Arc::clone(deal);
        }
    }

    /// An integer local.
    #[inline(always)]
    pub fn int(&self, local: usize) -> i32 {
        self.ints.get(local).copied().unwrap_or(0)
    }

    #[inline(always)]
    pub fn set_int(&mut self, local: usize, value: i32) {
        if let Some(to) = self.ints.get_mut(local) {
            *to = value;
        }
    }

    /// The set local that starts at a word.
    #[inline(always)]
    pub fn set<const W: usize>(&self, at: usize) -> Bits<W> {
        load(&self.sets, at)
    }

    #[inline(always)]
    pub fn set_set<const W: usize>(&mut self, at: usize, value: Bits<W>) {
        store(&mut self.sets, at, value);
    }

    /// Something found in a copy of the position to which something was done.
    pub fn after<T>(&mut self, change: impl FnOnce(&mut Frame), then: impl FnOnce(&mut Frame) -> T) -> T {
        let level = self.level;
        self.copies[level].copy_from_slice(&self.pos);
        std::mem::swap(&mut self.pos, &mut self.copies[level]);
        self.level = level + 1;
        change(self);
        let value = then(self);
        self.level = level;
        std::mem::swap(&mut self.pos, &mut self.copies[level]);
        value
    }
}
