//! Edges: moves, and what is known of the nodes that they lead to.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use bytemuck::Zeroable;

use Ordering::{Acquire, Relaxed, Release, SeqCst};

use crate::play::Move;

/// A move, and the node that it leads to.
#[derive(Debug, Zeroable)]
pub(super) struct Edge {
    /// One more than the place of the first group of the node's edges, in the low half; the order of its moves in the
    /// high half. 0 while it has none, [`super::arena::BUSY`] while a thread is about to make them.
    pub below: AtomicU64,
    /// The move; [`UNTRIED`] until it is known which.
    number: AtomicU32,
    /// How often a simulation went this way. It is counted on the way down: until the simulation is over its points are
    /// missing, as if it was lost, and other threads look elsewhere (*virtual loss*: Chaslot, Winands, van den Herik,
    /// CG 2008).
    visits: AtomicU32,
    /// The points over the visits, as the one sees them who chose the move.
    sum: AtomicU32,
    /// The person who decides at the node; of no meaning at a chance node.
    person: AtomicU8,
    /// [`CHANCE`] and [`SHARED`].
    flags: AtomicU8,
    /// The proved bounds of the node: see [`Range`].
    low: AtomicU8,
    high: AtomicU8,
    /// The proof numbers of the node, one for each of two persons: see [`Edge::proof`].
    proofs: [AtomicU32; 2],
}

/// How often the same person made the move of an edge later in a simulation through the node before, and the points
/// (*all moves as first*).
#[derive(Debug, Zeroable)]
pub(super) struct Later {
    times: AtomicU32,
    sum: AtomicU32,
}

/// The game decides at the node.
const CHANCE: u8 = 1;

/// Several lines lead to the group that begins with this edge.
const SHARED: u8 = 2;

/// Counting ends here, after an hour of one move: a count is made a float as a number with a sign.
const MOST: u32 = i32::MAX as u32;

/// The proof number of who cannot win.
pub(super) const NEVER: u32 = 1 << 30;

/// The number of no move: no program has so many.
pub(super) const UNTRIED: u32 = u32::MAX;

impl Edge {
    pub fn new() -> Edge {
        Edge {
            below: AtomicU64::new(0),
            number: AtomicU32::new(UNTRIED),
            visits: AtomicU32::new(0),
            sum: AtomicU32::new(0),
            person: AtomicU8::new(0),
            flags: AtomicU8::new(0),
            low: AtomicU8::new(Range::OPEN.low),
            high: AtomicU8::new(Range::OPEN.high),
            proofs: [AtomicU32::new(1), AtomicU32::new(1)],
        }
    }

    /// Becomes a copy of another, without its edges.
    pub fn become_like(&self, other: &Edge) {
        self.below.store(0, Relaxed);
        for (to, from) in [
            (&self.number, &other.number),
            (&self.visits, &other.visits),
            (&self.sum, &other.sum),
            (&self.proofs[0], &other.proofs[0]),
            (&self.proofs[1], &other.proofs[1]),
        ] {
            to.store(from.load(Relaxed), Relaxed);
        }
        for (to, from) in [
            (&self.person, &other.person),
            (&self.flags, &other.flags),
            (&self.low, &other.low),
            (&self.high, &other.high),
        ] {
            to.store(from.load(Relaxed), Relaxed);
        }
    }

    /// Says which move it is. Several threads that do so at once say the same.
    #[inline]
    pub fn begin(&self, number: Move) {
        self.number.store(number.0, Relaxed);
    }

    /// Whether it is known which move it is.
    #[inline]
    pub fn is_begun(&self) -> bool {
        self.number.load(Relaxed) != UNTRIED
    }

    #[inline]
    pub fn number(&self) -> Move {
        Move(self.number.load(Relaxed))
    }

    /// Who sees a visit sees what the node is, too.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Acquire)
    }

    /// Counts a visit; gives back how many there are.
    #[inline]
    pub fn visit(&self) -> u32 {
        let visits = (self.visits.load(Relaxed) + 1).min(MOST);
        self.visits.store(visits, Release);
        visits
    }

    /// The points over all visits.
    #[inline]
    pub fn sum(&self) -> f32 {
        f32::from_bits(self.sum.load(Relaxed))
    }

    /// Adds points.
    #[inline]
    pub fn add(&self, points: f32) {
        self.sum.store((self.sum() + points).to_bits(), Relaxed);
    }

    /// Counts visits with their points, and loses none where another thread does so too.
    pub fn add_together(&self, visits: u32, points: f32) {
        let more = |seen: u32| Some(seen.saturating_add(visits).min(MOST));
        let sum = |bits: u32| Some((f32::from_bits(bits) + points).to_bits());
        // Neither gives up.
        let _ = self.sum.fetch_update(Relaxed, Relaxed, sum);
        let _ = self.visits.fetch_update(Release, Relaxed, more);
    }

    /// Makes the mean of all visits so many points.
    #[inline]
    pub fn set_mean(&self, points: f32) {
        self.sum.store((points * self.visits.load(Relaxed) as f32).to_bits(), Relaxed);
    }

    /// The mean points; none without a visit.
    #[inline]
    pub fn mean(&self) -> Option<f32> {
        let visits = self.visits();
        (visits > 0).then(|| self.sum() / visits as f32)
    }

    /// Says what the node is, when it is reached first.
    #[inline]
    pub fn settle(&self, person: u8, chance: bool, range: Range) {
        self.person.store(person, Relaxed);
        if chance {
            self.flags.fetch_or(CHANCE, Relaxed);
        }
        if self.narrow(range) {
            let of = |person| match range.seen_by(person) {
                Range { low: 2, .. } => 0,
                Range { high: 2, .. } => 1,
                _ => NEVER,
            };
            self.set_proofs([of(0), of(1)]);
        }
    }

    /// How many nodes below have to be won at the least, before it is proved that a person wins: 0 where it is,
    /// [`NEVER`] where it cannot be (*proof numbers*: Allis, van der Meulen, van den Herik, Artificial Intelligence
    /// 1994).
    #[inline]
    pub fn proof(&self, person: u8) -> u32 {
        self.proofs[usize::from(person != 0)].load(Relaxed)
    }

    /// Takes over proof numbers; whether they are news.
    #[inline]
    pub fn set_proofs(&self, proofs: [u32; 2]) -> bool {
        let news = proofs != [self.proof(0), self.proof(1)];
        self.proofs[0].store(proofs[0], Relaxed);
        self.proofs[1].store(proofs[1], Relaxed);
        news
    }

    #[inline]
    pub fn person(&self) -> u8 {
        self.person.load(Relaxed)
    }

    #[inline]
    pub fn is_chance(&self) -> bool {
        self.flags.load(Relaxed) & CHANCE != 0
    }

    /// Several lines lead to the group that begins with this edge.
    #[inline]
    pub fn share(&self) {
        self.flags.fetch_or(SHARED, Relaxed);
    }

    #[inline]
    pub fn is_shared(&self) -> bool {
        self.flags.load(Relaxed) & SHARED != 0
    }

    /// The proved bounds of the node.
    #[inline]
    pub fn range(&self) -> Range {
        Range { low: self.low.load(Relaxed), high: self.high.load(Relaxed) }
    }

    /// Takes over proved bounds; whether they are news. Of two threads that do so at once for two edges of a node, one
    /// sees both: no proof is overlooked.
    #[inline]
    pub fn narrow(&self, range: Range) -> bool {
        let low = range.low > self.low.load(Relaxed) && self.low.fetch_max(range.low, SeqCst) < range.low;
        let high =
            range.high < self.high.load(Relaxed) && self.high.fetch_min(range.high, SeqCst) > range.high;
        low || high
    }
}

impl Later {
    /// How often the move was made later, and the points.
    #[inline]
    pub fn get(&self) -> (u32, f32) {
        (self.times.load(Relaxed), f32::from_bits(self.sum.load(Relaxed)))
    }

    pub fn set(&self, (times, sum): (u32, f32)) {
        self.times.store(times, Relaxed);
        self.sum.store(sum.to_bits(), Relaxed);
    }

    /// Adds points of a simulation in which the move was made later.
    #[inline]
    pub fn add(&self, points: f32) {
        let (times, sum) = self.get();
        self.set(((times + 1).min(MOST), sum + points));
    }
}

/// The proved bounds of a position: bounds of the first person's points, 0 lost, 1 drawn, 2 won (*score bounds*:
/// Cazenave and Saffidine, CG 2010). Only in games of two persons.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub low: u8,
    pub high: u8,
}

impl Range {
    /// Nothing is known.
    pub const OPEN: Range = Range { low: 0, high: 2 };

    /// Known exactly.
    #[inline]
    pub fn exactly(value: u8) -> Range {
        Range { low: value, high: value }
    }

    /// Whether it is known exactly.
    #[inline]
    pub fn is_known(self) -> bool {
        self.low == self.high
    }

    /// The same as a person sees it.
    #[inline]
    pub fn seen_by(self, person: u8) -> Range {
        match person {
            0 => self,
            _ => Range { low: 2 - self.high, high: 2 - self.low },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_turn_round_and_only_narrow() {
        let range = Range { low: 1, high: 2 };
        assert_eq!(range.seen_by(1), Range { low: 0, high: 1 });
        assert_eq!(range.seen_by(1).seen_by(1), range);
        let edge = Edge::new();
        assert!(edge.narrow(range) && !edge.narrow(range) && !edge.narrow(Range::OPEN));
        assert!(edge.narrow(Range { low: 0, high: 1 }));
        assert_eq!(edge.range(), Range::exactly(1));
    }
}
