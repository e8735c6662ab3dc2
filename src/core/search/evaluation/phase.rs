//! How far a game is, as the board tells it: many games empty it, others fill it.
//!
//! A weight that changes with the phase is a weight of a *tapered evaluation*: what hides on a full board may fight on
//! an empty one.

use super::units::UNIT;
use crate::program::Program;

/// Where the pieces of the board are, for how full it is.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    /// See [`Layout::pieces_at`](crate::program::Layout::pieces_at).
    sets: Vec<usize>,
    width: usize,
    /// The phase, by how many sites are held.
    by_held: Vec<i32>,
}

impl Phase {
    pub fn new(program: &Program) -> Phase {
        let layout = &program.layout;
        let sites: u32 = program.all.iter().map(|word| word.count_ones()).sum();
        let (sites, one) = (sites.max(1) as i32, UNIT as i32);
        Phase {
            sets: layout.pieces_at(),
            width: layout.width,
            by_held: (0..=sites).map(|held| one - 2 * one * held / sites).collect(),
        }
    }

    /// From minus one unit, where a piece stands on each site, to one unit, where none does. Where there are no pieces
    /// all is one phase.
    #[inline]
    pub fn of(&self, words: &[u64]) -> i32 {
        if self.sets.is_empty() {
            return 0;
        }
        let mut held = 0;
        for w in 0..self.width {
            let mut any = 0;
            for first in &self.sets {
                any |= words.get(first + w).copied().unwrap_or(0);
            }
            held += any.count_ones() as usize;
        }
        self.by_held.get(held).copied().unwrap_or(-(UNIT as i32))
    }
}

/// A sum, from what it is when the board is half full and from what the phase adds.
#[inline]
pub(super) fn tapered([half, more]: [i32; 2], phase: i32) -> i32 {
    let more = i64::from(more) * i64::from(phase) / UNIT as i64;
    half.wrapping_add(more as i32)
}
