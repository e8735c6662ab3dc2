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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Move, Rng};
    use crate::search::tree::arena::{Arena, Room};
    use crate::search::tree::{MCTS, RAVE, UCT};

    /// A node of so many moves, of which the first are tried, with anything noted of them.
    fn node(rng: &mut Rng, moves: usize, tried: usize) -> Arena {
        let (arena, mut room) = (Arena::new(1 << 16, moves, true), Room::default());
        let begin: Vec<Move> = (0..tried).map(|number| Move(number as u32)).collect();
        assert!(arena.expand(&arena.root, None, moves, &begin, 0, &mut room).is_some());
        let ranges = [(0, 2), (0, 2), (0, 2), (1, 2), (0, 1), (1, 1), (0, 0), (2, 2)];
        arena.root.settle(rng.pick(2) as u8, false, Range { low: rng.pick(2) as u8, high: 2 });
        arena.root.set_proofs([0; 2].map(|_| rng.pick(20) as u32 + 1));
        for edge in arena.edges(&arena.root) {
            for _ in 0..=rng.pick(9) {
                edge.visit();
                edge.add(rng.pick(3) as f32 / 2.0);
            }
            edge.set_proofs([0; 2].map(|_| rng.pick(20) as u32));
            let (low, high) = ranges[rng.pick(ranges.len())];
            edge.narrow(Range { low, high });
        }
        for (_, later) in arena.with_later(&arena.root) {
            later.iter().for_each(|later| (0..rng.pick(4)).for_each(|_| later.add(rng.pick(3) as f32 / 2.0)));
        }
        arena
    }

    /// The number of the first of those with the highest bound that is told.
    fn highest(bounds: impl Iterator<Item = Option<f32>>) -> Option<usize> {
        let mut best: Option<(usize, f32)> = None;
        for (number, bound) in bounds.enumerate() {
            if let Some(bound) = bound.filter(|bound| best.is_none_or(|(_, highest)| *bound > highest)) {
                best = Some((number, bound));
            }
        }
        best.map(|(number, _)| number)
    }

    /// Whether there is something to find behind a tried edge.
    fn open(arena: &Arena, settings: &Settings, edge: &Edge) -> bool {
        let person = arena.root.person();
        let [own, range] = [&arena.root, edge].map(|of| of.range().seen_by(person));
        !settings.solve || range.high > own.low
    }

    #[test]
    fn bounds_are_those_of_the_formula() {
        let mut rng = Rng::new(8);
        let mut kinds = [0; 3];
        for _ in 0..2000 {
            let moves = rng.pick(11) + 1;
            let tried = rng.pick(moves + 1);
            let arena = node(&mut rng, moves, tried);
            let (root, visits) = (&arena.root, rng.pick(90) as u32 + 2);
            for settings in [UCT, MCTS] {
                let explore = settings.explore * ((visits - 1) as f32).ln().sqrt();
                let near = |missing: u32| {
                    let fewest = root.proof(root.person());
                    settings.proofs * (fewest.min(missing) as f32 / missing.max(1) as f32)
                };
                let new = settings.urgency.map_or(f32::INFINITY, |worth| worth + explore * 0.5_f32.sqrt());
                let bounds = arena.edges(root).map(|edge| {
                    let count = edge.visits() as f32;
                    let bound = edge.sum() / count + explore / count.sqrt() + near(edge.proof(root.person()));
                    open(&arena, &settings, edge).then_some(bound)
                });
                let wanted = highest(bounds.chain((tried < moves).then_some(Some(new + near(1)))));
                let chosen = Choice::new(root, visits, settings).by_visits(arena.groups(root));
                let (found, kind) = match chosen {
                    None => (None, 0),
                    Some(Chosen::Edge(edge)) => (Some(edge.number().0 as usize), 0),
                    Some(Chosen::Untried(edge, place)) => {
                        assert!(!edge.is_begun());
                        (Some(place), 1)
                    }
                    Some(Chosen::Behind(_, place)) => (Some(place), 2),
                };
                kinds[kind] += 1;
                // Where all are lost it is the first.
                assert_eq!(found, wanted.or(Some(0)), "{tried} of {moves}");
            }
        }
        assert!(kinds.iter().all(|times| *times > 100), "{kinds:?}");
    }

    #[test]
    fn points_of_later_moves_weigh_as_the_formula_says() {
        let mut rng = Rng::new(9);
        for _ in 0..2000 {
            let moves = rng.pick(11) + 1;
            let arena = node(&mut rng, moves, moves);
            let settings = Settings { explore: 0.25, later: 3.0, ..RAVE };
            let visits = rng.pick(90) as u32 + 2;
            let explore = settings.explore * ((visits - 1) as f32).ln().sqrt();
            let noted =
                arena.with_later(&arena.root).flat_map(|(group, later)| group.edges().iter().zip(later));
            let bounds = noted.map(|(edge, later)| {
                let (count, (times, points)) = (edge.visits() as f32, later.get());
                let trust = match times {
                    0 => 0.0,
                    _ => (settings.later / (3.0 * count + settings.later)).sqrt(),
                };
                let second = points / times.max(1) as f32;
                let mean = (1.0 - trust) * (edge.sum() / count) + trust * second;
                open(&arena, &settings, edge).then_some(mean + explore / (count + 1.0).sqrt())
            });
            let wanted = highest(bounds);
            let found = Choice::new(&arena.root, visits, settings).by_later(arena.with_later(&arena.root));
            assert_eq!(found.map(|edge| edge.number().0 as usize), wanted);
        }
    }
}
