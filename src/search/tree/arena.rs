//! The tree: nodes and edges in two arenas, bounded in memory.

use crate::play::Move;

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Where its edges begin; meaningless while it has none.
    pub first: u32,
    /// How many edges it has: one for each move, once it is expanded.
    pub edges: u32,
    pub visits: u32,
    /// The person who decides; of no meaning at a chance node.
    pub person: u8,
    pub chance: bool,
    /// The proved bounds: see [`Range`].
    pub range: Range,
}

/// A move from a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub number: Move,
    /// The node that it leads to; 0 while it was never tried.
    pub child: u32,
    pub visits: u32,
    /// The points of the node's person over the visits.
    pub sum: f32,
    /// The proved bounds of the child.
    pub range: Range,
    /// How often the node's person made this move later in a simulation through the node, and the points (*all
    /// moves as first*).
    pub later: u32,
    pub later_sum: f32,
}

impl Edge {
    /// A move that was never tried.
    pub fn new(number: Move) -> Edge {
        Edge { number, child: 0, visits: 0, sum: 0.0, range: Range::OPEN, later: 0, later_sum: 0.0 }
    }

    /// The mean points of the person; none without a visit.
    pub fn mean(&self) -> Option<f32> {
        (self.visits > 0).then(|| self.sum / self.visits as f32)
    }
}

/// The proved bounds of a position: bounds of the first person's points, 0 lost, 1 drawn, 2 won (*score bounds*: Cazenave
/// and Saffidine, CG 2010). In games of more than two persons only exact results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub low: u8,
    pub high: u8,
}

impl Range {
    /// Nothing is known.
    pub const OPEN: Range = Range { low: 0, high: 2 };

    /// Known exactly.
    pub fn exactly(value: u8) -> Range {
        Range { low: value, high: value }
    }

    /// Whether it is known exactly.
    pub fn is_known(self) -> bool {
        self.low == self.high
    }

    /// The same as a person sees it.
    pub fn seen_by(self, person: u8) -> Range {
        match person {
            0 => self,
            _ => Range { low: 2 - self.high, high: 2 - self.low },
        }
    }
}

/// The arenas. Node 0 is the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    most_edges: usize,
}

impl Arena {
    /// Room for about so many bytes.
    pub fn new(bytes: usize) -> Arena {
        // Few nodes have edges, so edges are most of it.
        Arena { nodes: Vec::new(), edges: Vec::new(), most_edges: bytes / size_of::<Edge>() }
    }

    /// Whether a node with so many edges more is too much.
    pub fn is_full(&self, edges: usize) -> bool {
        self.edges.len() + edges > self.most_edges || self.nodes.len() + 1 >= self.most_edges
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    pub fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }

    pub fn edges_of(&self, node: &Node) -> &[Edge] {
        let first = node.first as usize;
        self.edges.get(first..first + node.edges as usize).unwrap_or(&[])
    }

    /// The tree below a node as a tree of its own; everything else is forgotten.
    pub fn rooted_at(&self, root: u32) -> Arena {
        let mut kept = Arena { most_edges: self.most_edges, ..Arena::default() };
        let Some(node) = self.node(root) else { return kept };
        kept.nodes.push(*node);
        let mut next = 0;
        // Nodes of the new arena in order; their edges still name children of the old one until they are reached.
        while next < kept.nodes.len() {
            let node = kept.nodes[next];
            if node.edges > 0 {
                let first = kept.edges.len();
                kept.edges.extend_from_slice(self.edges_of(&node));
                kept.nodes[next].first = first as u32;
                for edge in first..kept.edges.len() {
                    let old = kept.edges[edge].child;
                    if old != 0
                        && let Some(child) = self.node(old)
                    {
                        kept.edges[edge].child = kept.nodes.len() as u32;
                        kept.nodes.push(*child);
                    }
                }
            }
            next += 1;
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(first: u32, edges: u32) -> Node {
        Node { first, edges, visits: 1, person: 0, chance: false, range: Range::OPEN }
    }

    fn edge(number: u32, child: u32) -> Edge {
        Edge { child, visits: 1, sum: 0.5, ..Edge::new(Move(number)) }
    }

    #[test]
    fn a_subtree_stands_alone() {
        let mut arena = Arena::new(1 << 16);
        arena.nodes = vec![node(0, 2), node(2, 1), node(3, 2), node(0, 0), node(0, 0)];
        arena.edges = vec![edge(10, 1), edge(11, 2), edge(12, 3), edge(13, 0), edge(14, 4)];
        let kept = arena.rooted_at(2);
        assert_eq!((kept.nodes.len(), kept.edges.len()), (2, 2));
        let edges: Vec<_> = kept.edges_of(&kept.nodes[0]).iter().map(|e| (e.number.0, e.child)).collect();
        assert_eq!(edges, [(13, 0), (14, 1)]);
    }

    #[test]
    fn ranges_turn_round() {
        let range = Range { low: 1, high: 2 };
        assert_eq!(range.seen_by(1), Range { low: 0, high: 1 });
        assert_eq!(range.seen_by(1).seen_by(1), range);
    }
}
