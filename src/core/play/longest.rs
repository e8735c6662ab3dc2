//! The choice of the longest paths: of some offers, those that begin a path with the most plies.
//!
//! Paths are followed breadth first: all of one ply, one for each offer, then all of two. There is no recursion,
//! because paths may be long. If the next ply would make more than [`LONGEST_PATHS`] paths in all, it is not followed:
//! all paths that have come so far count as equally long.
//!
//! **A ply that leaves the flow around it ends its path.** Which ones do is known by their leaf: such a ply is counted,
//! and never made. So of a turn of two plies only the first is made, and where no offer leads on, none is.
//!
//! Only this is the same for all: who makes a ply, and finds what can follow it, are the interpreter or compiled code,
//! by [`Plies`].

use super::moves::{Move, Moves, count_in, moves_in, retain_in};
use crate::limits::LONGEST_PATHS;

/// How the plies of paths are made.
pub(crate) trait Plies {
    /// Whether a path may go on after a move: the state that the move leaves is inside. All moves of one record are
    /// alike.
    fn lead_on(&self, number: Move) -> bool;

    /// Makes a move in a position, and adds what may follow it to offers of the same width. Who decides about these
    /// becomes the mover.
    fn make(&mut self, words: &mut Box<[u64]>, number: Move, offers: &mut Moves);
}

/// The memory in which paths are followed. It grows to the most there ever were.
#[derive(Clone, Default, Debug)]
pub struct Paths {
    /// The ends of all paths of one length, and those of one ply more.
    now: Ends,
    next: Ends,
    /// How long the longest path is that begins with each of the offers.
    lengths: Vec<u32>,
}

/// The ends of some paths.
#[derive(Clone, Default, Debug)]
struct Ends {
    /// Those in use come first.
    ends: Vec<End>,
    used: usize,
    /// What may follow them, one end after the other.
    offers: Moves,
}

/// The position at the end of a path.
#[derive(Clone, Debug)]
struct End {
    words: Box<[u64]>,
    /// Where its offers end among those of all.
    upto: usize,
    /// With which of the offers to choose from the path began.
    first: usize,
}

impl Paths {
    /// Takes those moves out of the records of a position that begin no longest path; gives back how many. The mover of
    /// the position is who decides about them.
    pub(crate) fn choose(
        &mut self,
        root: &[u64],
        records: &mut [u64],
        width: usize,
        plies: &mut impl Plies,
    ) -> usize {
        let offers = count_in(records, width);
        if !(2..=LONGEST_PATHS).contains(&offers) {
            return 0;
        }
        let Paths { now, next, lengths } = self;
        lengths.clear();
        lengths.resize(offers, 1);
        next.clear(width);
        next.follow(root, records, 0.., plies);
        let (mut paths, mut length) = (offers, 1);
        loop {
            std::mem::swap(now, next);
            let more = now.offers.len();
            paths = paths.saturating_add(more);
            if more == 0 || paths > LONGEST_PATHS {
                break;
            }
            length += 1;
            next.clear(width);
            let mut from = 0;
            for end in now.ends.iter().take(now.used) {
                let records = now.offers.records().get(from..end.upto).unwrap_or(&[]);
                from = end.upto;
                if records.is_empty() {
                    continue;
                }
                if let Some(of_first) = lengths.get_mut(end.first) {
                    *of_first = length;
                }
                next.follow(&end.words, records, std::iter::repeat(end.first), plies);
            }
        }
        match length {
            1 => 0,
            _ => retain_in(records, width, |k, _| lengths.get(k) == Some(&length)),
        }
    }
}

impl Ends {
    fn clear(&mut self, width: usize) {
        self.used = 0;
        self.offers.reset(width);
    }

    /// Makes those moves of some records that lead on, each in a copy of the position. Each belongs to the next of the
    /// given offers.
    fn follow(
        &mut self,
        from: &[u64],
        records: &[u64],
        mut firsts: impl Iterator<Item = usize>,
        plies: &mut impl Plies,
    ) {
        let width = self.offers.width();
        for record in records.chunks_exact(1 + width) {
            let moves = moves_in(record, width);
            let leads_on = moves.clone().next().is_some_and(|number| plies.lead_on(number));
            match leads_on {
                true => {
                    moves.zip(&mut firsts).for_each(|(number, first)| self.step(from, number, first, plies))
                }
                false => (0..count_in(record, width)).for_each(|_| _ = firsts.next()),
            }
        }
    }

    fn step(&mut self, from: &[u64], number: Move, first: usize, plies: &mut impl Plies) {
        if self.used == self.ends.len() {
            self.ends.push(End { words: from.into(), upto: 0, first });
        }
        let Some(end) = self.ends.get_mut(self.used) else { return };
        self.used += 1;
        end.words.copy_from_slice(from);
        plies.make(&mut end.words, number, &mut self.offers);
        (end.upto, end.first) = (self.offers.mark(), first);
    }
}
