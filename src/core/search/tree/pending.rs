//! What a thread found out about the nodes that all threads visit all the time, until it tells the others.
//!
//! A processor that reads what another has just written waits for it, for longer than a short playout takes. Near the
//! root each simulation writes, and reads what the others wrote. So visits and points of nodes with many visits are
//! added up by each thread and written together, as soon as they are a small part of what is known. (How threads that
//! share a tree are slowed down: Mirsoleimani, Plaat, van den Herik, Vermaseren, *Scaling Monte Carlo Tree Search on
//! Intel Xeon Phi*, ICPADS 2015.)

use super::edge::Edge;

/// So many visits are told together as are this part of those that are known, and no more than so many. With a 16th four
/// threads played worse: all that none of them had told yet was too much.
const PART: u32 = 64;
const MOST: u32 = 32;

/// Nodes fall on so many places.
const PLACES: usize = 256;

/// Visits and points that are not told yet.
#[derive(Clone, Copy, Default)]
struct Untold<'a> {
    edge: Option<&'a Edge>,
    visits: u32,
    points: f32,
}

impl Untold<'_> {
    fn tell(&mut self) {
        if let Some(edge) = self.edge.filter(|_| self.visits > 0) {
            edge.add_together(self.visits, self.points);
        }
        (self.visits, self.points) = (0, 0.0);
    }
}

/// All that a thread has not told yet.
pub(super) struct Pending<'a> {
    /// Empty where there is nobody to tell.
    places: Vec<Untold<'a>>,
}

impl<'a> Pending<'a> {
    /// Of a thread that is not alone, or is.
    pub fn new(alone: bool) -> Pending<'a> {
        Pending { places: vec![Untold::default(); if alone { 0 } else { PLACES }] }
    }

    /// How many visits of a node may be told together.
    fn most(edge: &Edge) -> u32 {
        (edge.visits() / PART).min(MOST)
    }

    /// Whether a visit of a node is told when its points are known. Until then others do not see it, which matters
    /// where there are few.
    #[inline]
    pub fn waits(&self, edge: &Edge) -> bool {
        !self.places.is_empty() && edge.visits() >= PART
    }

    /// Adds a visit of a node, which waited, and its points.
    #[inline]
    pub fn add(&mut self, edge: &'a Edge, points: f32) {
        if Pending::most(edge) <= 1 {
            edge.add(points);
            edge.visit();
            return;
        }
        let place = std::ptr::from_ref(edge).addr() / size_of::<Edge>() % PLACES;
        let Some(untold) = self.places.get_mut(place) else { return };
        if untold.edge.is_none_or(|of| !std::ptr::eq(of, edge)) {
            untold.tell();
            untold.edge = Some(edge);
        }
        untold.visits += 1;
        untold.points += points;
        if untold.visits >= Pending::most(edge) {
            untold.tell();
        }
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        self.places.iter_mut().for_each(Untold::tell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_together_is_told_in_the_end() {
        let (few, many) = (Edge::new(), Edge::new());
        (0..PART).for_each(|_| _ = few.visit());
        (0..10 * PART).for_each(|_| _ = many.visit());
        assert!(Pending::new(true).places.is_empty() && !Pending::new(true).waits(&many));
        let mut pending = Pending::new(false);
        assert!(pending.waits(&few) && !pending.waits(&Edge::new()));
        pending.add(&few, 0.5);
        assert_eq!((few.visits(), few.sum()), (PART + 1, 0.5));
        (0..9).for_each(|_| pending.add(&many, 1.0));
        assert_eq!((many.visits(), many.sum()), (10 * PART, 0.0));
        pending.add(&many, 1.0);
        assert_eq!((many.visits(), many.sum()), (10 * PART + 10, 10.0));
        pending.add(&many, 1.0);
        drop(pending);
        assert_eq!((many.visits(), many.sum()), (10 * PART + 11, 11.0));
    }
}
