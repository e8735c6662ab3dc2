//! Which edge of a node a simulation follows: the one with the highest bound.
//!
//! Nothing of a simulation takes longer than to look at the edges of the nodes on its way. So their bounds are found
//! [`LANES`] at a time, which a processor does at once, and each kind of search has a loop of its own.

use wide::f32x4;

use super::Settings;
use super::arena::{Group, LANES};
use super::edge::{Edge, Later, Range};

/// What was chosen.
pub(super) enum Chosen<'a> {
    /// A move that was tried before.
    Edge(&'a Edge),
    /// One that was not: its edge, and which it is in the order of the node's moves.
    Untried(&'a Edge, usize),
    /// One that was not and has no edge yet: the node's last group, and which it is in the order.
    Behind(&'a Group, usize),
}

/// A choice that is due.
pub(super) struct Choice {
    /// The weight of moves that were seldom tried, with what it owes to the visits of the node.
    explore: f32,
    /// What a move is worth that was never tried.
    untried: f32,
    /// How much more a move is worth that is near to a proof.
    proofs: f32,
    /// For how many visits the points of moves made later count as much.
    later: f32,
    solve: bool,
    /// Who chooses, with the proved bounds and the proof number of the node.
    person: u8,
    own: Range,
    fewest: u32,
}

impl Choice {
    /// The choice at a node that was visited so often.
    pub fn new(node: &Edge, visits: u32, settings: Settings) -> Choice {
        let explore = settings.explore * (visits.saturating_sub(1).max(1) as f32).ln().sqrt();
        let untried = |urgency: f32| urgency + explore * std::f32::consts::FRAC_1_SQRT_2;
        let person = node.person();
        Choice {
            explore,
            untried: settings.urgency.map_or(f32::INFINITY, untried),
            proofs: settings.proofs,
            later: settings.later,
            solve: settings.solve,
            person,
            own: node.range().seen_by(person),
            fewest: node.proof(person),
        }
    }

    /// Whether there is something to find behind an edge: it is not lost for sure, and may be better than what is
    /// proved.
    #[inline]
    fn is_open(&self, edge: &Edge, visits: u32) -> bool {
        let high = edge.range().seen_by(self.person).high;
        !self.solve || high != 0 && (high > self.own.low || visits == 0)
    }

    /// UCB1, and what a proof is near (*PN-MCTS*). Moves that were never tried are alike and are tried in order.
    pub fn by_visits<'a>(&self, groups: impl Iterator<Item = &'a Group>) -> Option<Chosen<'a>> {
        let (explore, proofs) = (f32x4::splat(self.explore), f32x4::splat(self.proofs));
        let (fewest, one) = (f32x4::splat(self.fewest as f32), f32x4::ONE);
        let (mut best, mut any) = (Best::default(), None);
        let (mut place, mut untried) = (0, None);
        for group in groups {
            let edges = group.edges();
            let Lanes { tried, sums, closed } = self.lanes(edges);
            let mut missing = [0; LANES];
            for (lane, edge) in edges.iter().enumerate().take(LANES) {
                missing[lane] = edge.proof(self.person) as i32;
            }
            let missing = f32x4::from_i32x4(missing.into());
            let near = fewest.fast_min(missing) / missing.fast_max(one);
            // What was never tried is divided by 0 and is above nothing.
            best.see(edges, sums / tried + explore / tried.sqrt() + proofs * near + closed);
            any = any.or(edges.first());
            let new = tried.to_array().iter().take(edges.len()).position(|tried| *tried == 0.0);
            if let Some(lane) = new {
                untried = edges.get(lane).map(|edge| Chosen::Untried(edge, place + lane));
                break;
            }
            place += LANES;
            untried = (group.behind() > 0).then_some(Chosen::Behind(group, place));
        }
        let as_new = self.untried + self.proofs * self.fewest.min(1) as f32;
        // Where all are lost any will do.
        untried.filter(|_| as_new > best.bound).or(best.edge.or(any).map(Chosen::Edge))
    }

    /// UCB1 with the points of moves that were made later (*RAVE*).
    pub fn by_later<'a>(
        &self,
        groups: impl Iterator<Item = (&'a Group, &'a [Later; LANES])>,
    ) -> Option<&'a Edge> {
        let (explore, weight) = (f32x4::splat(self.explore), f32x4::splat(self.later));
        // Not without end: it is taken zero times, too.
        let untried = f32x4::splat(self.untried.min(f32::MAX));
        let (one, three) = (f32x4::ONE, f32x4::splat(3.0));
        let mut best = Best::default();
        for (group, later) in groups {
            let edges = group.edges();
            let Lanes { tried, sums, closed } = self.lanes(edges);
            let (mut times, mut points) = ([0; LANES], [0.0; LANES]);
            for (lane, later) in later.iter().enumerate() {
                let found = later.get();
                (times[lane], points[lane]) = (found.0 as i32, found.1);
            }
            let times = f32x4::from_i32x4(times.into());
            // Nothing divided by nothing is nothing here.
            let mean = sums / tried.fast_max(one);
            let second = f32x4::from(points) / times.fast_max(one);
            let trust = (weight / (three * tried + weight)).sqrt() * times.fast_min(one);
            let bounds = (one - trust) * mean + trust * second + explore / (tried + one).sqrt();
            let unknown = one - (tried + times).fast_min(one);
            best.see(edges, bounds + unknown * untried + closed);
        }
        best.edge
    }

    /// What is looked at of each of some edges at once.
    #[inline]
    fn lanes(&self, edges: &[Edge]) -> Lanes {
        let (mut visits, mut sums, mut closed) = ([0; LANES], [0.0; LANES], [f32::NEG_INFINITY; LANES]);
        for (lane, edge) in edges.iter().enumerate().take(LANES) {
            let seen = edge.visits();
            // No number is so large that it would be negative.
            (visits[lane], sums[lane]) = (seen as i32, edge.sum());
            if self.is_open(edge, seen) {
                closed[lane] = 0.0;
            }
        }
        Lanes { tried: f32x4::from_i32x4(visits.into()), sums: sums.into(), closed: closed.into() }
    }

    /// The edge worth most, of equal ones the one visited least.
    pub fn best<'a>(&self, edges: impl Iterator<Item = &'a Edge>) -> Option<&'a Edge> {
        let (mut best, mut highest, mut fewest) = (None, f32::NEG_INFINITY, 0);
        for edge in edges {
            let visits = edge.visits();
            if !self.is_open(edge, visits) {
                continue;
            }
            let value = edge.mean().unwrap_or(self.untried);
            if value > highest || value == highest && visits < fewest {
                (best, highest, fewest) = (Some(edge), value, visits);
            }
        }
        best
    }
}

/// What is known of [`LANES`] edges, of which some may be missing.
struct Lanes {
    /// Visits; 0 of a missing one.
    tried: f32x4,
    /// Points over all visits.
    sums: f32x4,
    /// Without end below 0 where there is nothing to find, or no edge; else 0.
    closed: f32x4,
}

/// The edge with the highest bound so far.
struct Best<'a> {
    edge: Option<&'a Edge>,
    bound: f32,
}

impl Default for Best<'_> {
    fn default() -> Self {
        Best { edge: None, bound: f32::NEG_INFINITY }
    }
}

impl<'a> Best<'a> {
    #[inline]
    fn see(&mut self, edges: &'a [Edge], bounds: f32x4) {
        let bounds = bounds.to_array();
        for (lane, edge) in edges.iter().enumerate().take(LANES) {
            if bounds[lane] > self.bound {
                (self.edge, self.bound) = (Some(edge), bounds[lane]);
            }
        }
    }
}
