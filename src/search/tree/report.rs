//! The findings of a tree: the best moves of the root, each with the line that is expected.

use super::arena::Arena;
use super::edge::Edge;
use crate::search::{Found, Thought};

/// The longest line that is told.
const LONGEST: usize = 64;

/// The edge that a node's person would choose, or the so many-th after it: won for sure, else the one tried most, none
/// that is lost for sure.
pub(super) fn best<'a>(arena: &'a Arena, node: &'a Edge, after: usize) -> Option<&'a Edge> {
    let rank = |edge: &Edge| {
        let range = edge.range().seen_by(node.person());
        let sure = match (range.low, range.high) {
            (2, _) => 3,
            (_, 0) => 1,
            _ => 2,
        };
        (sure, if sure == 2 { edge.visits() } else { 0 }, edge.mean().unwrap_or(0.0))
    };
    let order = |a: &Edge, b: &Edge| {
        let (a, b) = (rank(a), rank(b));
        (b.0, b.1).cmp(&(a.0, a.1)).then(b.2.total_cmp(&a.2))
    };
    let edges = arena.edges(node);
    if after == 0 {
        return edges.min_by(|a, b| order(a, b));
    }
    let mut sorted: Vec<&Edge> = edges.collect();
    sorted.sort_by(|a, b| order(a, b));
    sorted.get(after).copied()
}

/// Reports the best moves of the root, as many as are wanted.
pub(super) fn tell(arena: &Arena, nodes: u64, thought: &mut Thought<'_>) {
    if thought.tell.is_none() {
        return;
    }
    for rank in 1..=thought.lines {
        if let Some(found) = found(arena, nodes, rank) {
            thought.tell(&found);
        }
    }
}

/// The report on the move of a rank, from 1; none if that was never tried.
fn found(arena: &Arena, nodes: u64, rank: u32) -> Option<Found> {
    let root = &arena.root;
    let tried = |node, after| best(arena, node, after).filter(|edge| edge.visits() > 0);
    let first = tried(root, rank as usize - 1)?;
    let mut line = vec![first.number()];
    let mut at = first;
    while line.len() < LONGEST
        && let Some(edge) = tried(at, 0)
    {
        line.push(edge.number());
        at = edge;
    }
    let depth = line.len() as u32;
    // The value of the root is that of its best move.
    let range = if rank == 1 { root.range() } else { first.range() }.seen_by(root.person());
    let proved = range.is_known().then_some(depth);
    let value = if range.is_known() { f32::from(range.low) / 2.0 } else { first.mean().unwrap_or(0.5) };
    Some(Found { depth, nodes, value: f64::from(value), proved, line, rank })
}
