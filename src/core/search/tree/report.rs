//! The findings of a tree: the best moves of the root, each with the line that is expected.

use std::collections::HashMap;

use super::arena::Arena;
use super::edge::Edge;
use crate::search::{Found, Thought};

/// The longest line that is told.
const LONGEST: usize = 64;

/// A distance that is not known. Greater than each that is.
const UNKNOWN: u32 = u32::MAX;
/// How many nodes are looked at for the distances of a report: it must not make the choice late.
const MOST: usize = 20_000;
/// How deep they lie at most.
const DEEPEST: u32 = 200;

/// What a tree says of its nodes.
pub(super) struct Report<'a> {
    arena: &'a Arena,
    /// The distances that were asked for.
    distances: HashMap<*const Edge, u32>,
}

impl<'a> Report<'a> {
    pub fn new(arena: &'a Arena) -> Report<'a> {
        Report { arena, distances: HashMap::new() }
    }

    /// The plies from a node to the end of the game, where a win is proved: who wins takes the shortest way that was
    /// found, the others the longest. So it takes no longer, whatever they do.
    fn distance(&mut self, node: &'a Edge, depth: u32) -> u32 {
        let range = node.range().seen_by(node.person());
        if !range.is_known() || range.low == 1 {
            return UNKNOWN;
        }
        if let Some(known) = self.distances.get(&std::ptr::from_ref(node)) {
            return *known;
        }
        if depth >= DEEPEST || self.distances.len() >= MOST {
            return UNKNOWN;
        }
        // Lines may come back to a node: no way to the end leads through it twice.
        self.distances.insert(node, UNKNOWN);
        let wins = range.low == 2 && !node.is_chance();
        let mut far = None;
        for edge in self.arena.edges(node) {
            if wins && edge.range().seen_by(node.person()).low < 2 {
                continue;
            }
            let further = self.distance(edge, depth + 1).saturating_add(1);
            far =
                Some(far.map_or(further, |far: u32| if wins { far.min(further) } else { far.max(further) }));
        }
        // A game that is over has no moves.
        let far = far.unwrap_or(0);
        self.distances.insert(node, far);
        far
    }

    /// How good an edge is for its node's person, the greater the better: a win for sure, the nearest first; else, where
    /// the result is known, what is as good for sure; else what was tried most; at last what is lost for sure, the
    /// farthest first.
    fn rank(&mut self, node: &Edge, edge: &'a Edge) -> (u8, u32, f32) {
        let [own, range] = [node, edge].map(|of| of.range().seen_by(node.person()));
        let mean = edge.mean().unwrap_or(0.0);
        match (range.low, range.high) {
            (2, _) => (4, UNKNOWN - self.distance(edge, 0), mean),
            (_, 0) => (1, self.distance(edge, 0), mean),
            (1, _) if own.is_known() => (3, 0, mean),
            _ => (2, edge.visits(), mean),
        }
    }

    /// The edge that a node's person would choose, or the so many-th after it.
    pub fn best(&mut self, node: &Edge, after: usize) -> Option<&'a Edge> {
        let arena = self.arena;
        let mut ranked: Vec<_> = arena.edges(node).map(|edge| (self.rank(node, edge), edge)).collect();
        ranked.sort_by(|(a, _), (b, _)| (b.0, b.1).cmp(&(a.0, a.1)).then(b.2.total_cmp(&a.2)));
        ranked.get(after).map(|(_, edge)| *edge)
    }

    /// The report on the move of a rank, from 1; none if that was never tried.
    fn found(&mut self, nodes: u64, rank: u32) -> Option<Found> {
        let root = &self.arena.root;
        let first = self.tried(root, rank as usize - 1)?;
        let mut line = vec![first.number()];
        let mut at = first;
        while line.len() < LONGEST
            && let Some(edge) = self.tried(at, 0)
        {
            line.push(edge.number());
            at = edge;
        }
        let depth = line.len() as u32;
        // The value of the root is that of its best move.
        let range = if rank == 1 { root.range() } else { first.range() }.seen_by(root.person());
        let value = if range.is_known() { f32::from(range.low) / 2.0 } else { first.mean().unwrap_or(0.5) };
        let proved = range.is_known().then(|| match (range.low, self.distance(first, 0)) {
            (1, _) => depth,
            (_, UNKNOWN) => depth.max(DEEPEST),
            (_, further) => further + 1,
        });
        Some(Found { depth, nodes, value: f64::from(value), proved, line, rank })
    }

    fn tried(&mut self, node: &Edge, after: usize) -> Option<&'a Edge> {
        self.best(node, after).filter(|edge| edge.visits() > 0)
    }
}

/// Reports the best moves of the root, as many as are wanted.
pub(super) fn tell(arena: &Arena, nodes: u64, thought: &mut Thought<'_>) {
    if thought.tell.is_none() {
        return;
    }
    let mut report = Report::new(arena);
    for rank in 1..=thought.lines {
        if let Some(found) = report.found(nodes, rank) {
            thought.tell(&found);
        }
    }
}
