//! Nodes from which several simulations begin, one after the other.
//!
//! What a node with many visits is worth hardly changes by one more, and neither does which of its moves is the best. So
//! a simulation that comes to such a node is followed by others from there, as many as are a small part of its visits.
//! They need not be led there move by move, and count above it as if they had been.

use super::edge::Edge;
use crate::play::{Moves, Position};

/// All that follow each other are this part of the visits at the most, and no more than so many.
const PART: u32 = 64;
const MOST: u32 = 32;

/// What a line is cut back to: how many turn starts, nodes and noted moves there are up to its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Begin {
    pub starts: usize,
    pub nodes: usize,
    pub noted: usize,
}

/// The nodes of a line from which simulations begin, the one nearest to the root first.
#[derive(Default)]
pub(super) struct Stands {
    /// Where each is, and how many simulations are still to begin there.
    list: Vec<(Begin, u32)>,
    /// The position of each and its moves, with others behind them whose memory is used again.
    kept: Vec<(Position, Moves)>,
}

impl Stands {
    /// Takes a simulation from the last stand of a line that has one left. None where the next begins at the root.
    pub fn next(&mut self, path: &[&Edge]) -> Option<Begin> {
        loop {
            let (begin, left) = self.list.last_mut()?;
            let known = path.get(begin.nodes - 1).is_none_or(|node| node.range().is_known());
            if *left > 0 && !known {
                *left -= 1;
                return Some(*begin);
            }
            self.list.pop();
        }
    }

    /// The position of the last stand, and its moves.
    pub fn kept(&self) -> Option<&(Position, Moves)> {
        self.kept.get(self.list.len().checked_sub(1)?)
    }

    /// A simulation comes to a node that was visited so often.
    #[inline]
    pub fn come(&mut self, visits: u32, pos: &Position, moves: &Moves, begin: Begin) {
        if visits < 2 * PART || !self.push(visits, begin) {
            return;
        }
        match self.kept.get_mut(self.list.len() - 1) {
            Some(kept) => {
                kept.0.copy_from(pos);
                kept.1.copy_from(moves);
            }
            None => self.kept.push((pos.clone(), moves.clone())),
        }
    }

    /// Adds a stand, if simulations are to begin there. They are some of those that follow at the stand before.
    fn push(&mut self, visits: u32, begin: Begin) -> bool {
        let mut left = (visits / PART).min(MOST).saturating_sub(1);
        if let Some((_, before)) = self.list.last_mut() {
            left = left.min(*before);
            *before -= left;
        }
        if left > 0 {
            self.list.push((begin, left));
        }
        left > 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::edge::Range;
    use super::*;

    fn begin(nodes: usize) -> Begin {
        Begin { starts: 1, nodes, noted: 0 }
    }

    #[test]
    fn as_many_follow_as_are_a_small_part_of_the_visits() {
        let edges = [(); 3].map(|()| Edge::new());
        let path: Vec<&Edge> = edges.iter().collect();
        let mut stands = Stands::default();
        assert!(!stands.push(2 * PART - 1, begin(1)));
        // Ten in all: the one that came, and nine more, two of which begin nearer to the leaf.
        assert!(stands.push(10 * PART, begin(1)) && stands.push(3 * PART, begin(3)));
        let all: Vec<usize> = std::iter::from_fn(|| stands.next(&path)).map(|begin| begin.nodes).collect();
        assert_eq!(all, [&[3; 2][..], &[1; 7]].concat());
        assert!(stands.push(u32::MAX, begin(1)));
        assert_eq!(std::iter::from_fn(|| stands.next(&path)).count(), MOST as usize - 1);
    }

    #[test]
    fn none_begins_where_the_result_is_known() {
        let edges = [(); 2].map(|()| Edge::new());
        let path: Vec<&Edge> = edges.iter().collect();
        let mut stands = Stands::default();
        assert!(stands.push(10 * PART, begin(1)) && stands.push(5 * PART, begin(2)));
        edges[1].settle(0, false, Range::exactly(2));
        assert_eq!(stands.next(&path), Some(begin(1)));
        assert_eq!(Stands::default().next(&path), None);
    }
}
