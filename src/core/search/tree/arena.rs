//! The tree in memory: edges in groups, for several threads at once.
//!
//! A node has no record of its own. What is known of it stands in the edge that leads to it, which was read to get
//! there. Its edges stand in groups of [`LANES`], one group behind the other, and begin one by one when a move is first
//! tried: most nodes see few of their moves tried, and a tree of those alone is small. The order of a node's moves is
//! random ([`in_order`]); searches that need all edges at once begin them at once.
//!
//! What only some searches count stands apart ([`Later`]). Threads share the tree without locks and may lose an update
//! of another (Enzenberger and Mueller, *A Lock-free Multithreaded Monte-Carlo Tree Search Algorithm*, ACG 2009);
//! proved bounds lose none. Each thread takes [`ROOM`] groups at a time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use branches::prefetch_read_data;
use bytemuck::Zeroable;

use Ordering::{Acquire, Relaxed, Release};

use super::edge::{Edge, Later, UNTRIED};
use super::transpositions::{Key, Transpositions};
use crate::play::Move;
use crate::search::Limit;
use crate::search::memory::zeroed;

/// The place of a group that a thread is about to make.
pub(super) const BUSY: u32 = u32::MAX;

/// How many edges are in a group: their bounds are found at once ([`super::choice`]).
pub(super) const LANES: usize = 4;

/// The clock is looked at once in so many nodes that are copied.
const OFTEN: u64 = 1 << 10;

/// There is room for one transposition in so many edges.
const EDGES: usize = 8;

/// How many groups a thread takes at once, unless it needs more.
const ROOM: usize = 1 << 10;

/// How a node got its edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grown {
    /// They were never tried.
    New,
    /// They are those of an equal position.
    Known,
}

/// Edges of a node that are looked at together. They begin from the first to the last.
#[derive(Debug, Zeroable)]
pub(super) struct Group {
    edges: [Edge; LANES],
    /// One more than the place of the next group; 0 while there is none, [`BUSY`] while a thread is about to make it.
    next: AtomicU32,
    /// How many moves of the node are here or behind.
    left: AtomicU32,
}

impl Group {
    /// Becomes a group of edges that were never tried.
    fn begin(&self, left: usize, next: u32) {
        self.edges.iter().for_each(|edge| edge.become_like(&Edge::new()));
        self.left.store(left as u32, Relaxed);
        self.next.store(next, Relaxed);
    }

    /// The edges, begun or not.
    #[inline]
    pub fn edges(&self) -> &[Edge] {
        self.edges.get(..self.left.load(Relaxed) as usize).unwrap_or(&self.edges)
    }

    /// How many moves of the node are behind it.
    #[inline]
    pub fn behind(&self) -> u32 {
        self.left.load(Relaxed).saturating_sub(LANES as u32)
    }
}

/// Which of `count` moves is the `k`-th in a random order. From one to the next the step is the same, a prime that
/// divides no count: so each comes once.
pub(super) fn in_order(order: u32, k: usize, count: usize) -> usize {
    const STEPS: [u64; 8] = [
        10_000_000_019,
        100_000_000_003,
        1_000_000_000_039,
        10_000_000_000_037,
        100_000_000_000_031,
        1_000_000_000_000_037,
        10_000_000_000_000_061,
        1_000_000_000_000_000_003,
    ];
    let (count, order) = (count.max(1) as u64, u64::from(order));
    let step = STEPS[(order % 8) as usize] % count;
    ((order / 8 % count + k as u64 % count * step) % count) as usize
}

/// The tree.
#[derive(Debug)]
pub(super) struct Arena {
    /// Leads to the root.
    pub root: Edge,
    groups: Box<[Group]>,
    /// For each group, or none at all.
    later: Box<[[Later; LANES]]>,
    /// How many groups are taken.
    taken: AtomicUsize,
    known: Transpositions,
}

/// Groups that one thread takes next.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Room {
    next: usize,
    end: usize,
}

impl Arena {
    /// Room for about so many bytes, and for so many edges of one node in any case, or as much as there is memory for.
    /// `later` says whether moves that are made later count.
    pub fn new(bytes: usize, edges: usize, later: bool) -> Arena {
        let each = size_of::<Group>() + if later { size_of::<[Later; LANES]>() } else { 0 };
        let groups = ((bytes / each).max(ROOM) + edges.div_ceil(LANES)).min(BUSY as usize - 1);
        let known = Transpositions::new(bytes / each * LANES / EDGES);
        let later = zeroed(if later { groups } else { 0 });
        // Each group needs its own, of which there may be fewer than were asked for.
        let groups = if later.is_empty() { groups } else { later.len() };
        Arena { root: Edge::new(), groups: zeroed(groups), later, taken: AtomicUsize::new(0), known }
    }

    /// Whether a node of so many edges fits, were it empty.
    pub fn can_hold(&self, edges: usize) -> bool {
        self.groups.len() >= edges.div_ceil(LANES)
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.root = Edge::new();
        *self.taken.get_mut() = 0;
        self.known.clear();
    }

    /// The group whose place is one less, with its place.
    #[inline]
    fn group(&self, after: u32) -> Option<(usize, &Group)> {
        let place = (after as usize).checked_sub(1)?;
        Some((place, self.groups.get(place)?))
    }

    #[inline]
    fn places(&self, node: &Edge) -> impl Iterator<Item = (usize, &Group)> {
        std::iter::successors(self.first(node), |(_, group)| self.group(group.next.load(Acquire)))
    }

    /// The groups of a node's edges.
    #[inline]
    pub fn groups(&self, node: &Edge) -> impl Iterator<Item = &Group> {
        self.places(node).map(|(_, group)| group)
    }

    /// The edges of a node that began.
    #[inline]
    pub fn edges(&self, node: &Edge) -> impl Iterator<Item = &Edge> {
        self.groups(node).flat_map(Group::edges).take_while(|edge| edge.is_begun())
    }

    /// Whether a node has edges.
    #[inline]
    pub fn is_grown(&self, node: &Edge) -> bool {
        self.first(node).is_some()
    }

    #[inline]
    fn first(&self, node: &Edge) -> Option<(usize, &Group)> {
        self.group(node.below.load(Acquire) as u32)
    }

    /// Begins to bring the first edges of a node into the cache, while other things are done.
    #[inline]
    pub fn fetch(&self, node: &Edge) {
        if let Some((_, group)) = self.first(node) {
            for edge in group.edges.iter().step_by(2) {
                prefetch_read_data::<_, 0>(edge);
            }
            prefetch_read_data::<_, 0>(&raw const group.next);
        }
    }

    /// The groups of a node's edges, with what is counted of moves made later.
    #[inline]
    pub fn with_later(&self, node: &Edge) -> impl Iterator<Item = (&Group, &[Later; LANES])> {
        self.places(node).filter_map(|(place, group)| Some((group, self.later.get(place)?)))
    }

    /// Whether several lines lead to a node's edges.
    #[inline]
    pub fn is_shared(&self, node: &Edge) -> bool {
        self.first(node).is_some_and(|(_, group)| group.edges[0].is_shared())
    }

    /// Gives edges to a node with so many moves, of which the given ones begin at once; those of the same position where
    /// that is known. None where another thread does so, or there is no room.
    pub fn expand(
        &self,
        node: &Edge,
        key: Option<Key>,
        moves: usize,
        begin: &[Move],
        order: u32,
        room: &mut Room,
    ) -> Option<Grown> {
        node.below.compare_exchange(0, u64::from(BUSY), Acquire, Relaxed).ok()?;
        if let Some(below) = key.and_then(|key| self.known.get(key))
            && let Some((_, group)) = self.group(below as u32)
            && group.left.load(Relaxed) as usize == moves
        {
            group.edges[0].share();
            node.below.store(below, Release);
            return Some(Grown::Known);
        }
        let first = self.begin(moves, begin.len().div_ceil(LANES).max(1), room);
        let below = first.map_or(0, |first| u64::from(order) << 32 | (first as u64 + 1));
        if let Some(first) = first {
            let edges = self.groups.iter().skip(first).flat_map(Group::edges);
            begin.iter().zip(edges).for_each(|(number, edge)| edge.begin(*number));
            if let Some(key) = key {
                self.known.put(key, below);
            }
        }
        node.below.store(below, Release);
        first.map(|_| Grown::New)
    }

    /// Gives a node one more group, behind its last one; none where another thread does so, or there is no room.
    pub fn expand_more(&self, last: &Group, room: &mut Room) -> Option<&Group> {
        last.next.compare_exchange(0, BUSY, Acquire, Relaxed).ok()?;
        let next = self.begin(last.behind() as usize, 1, room);
        last.next.store(next.map_or(0, |next| next as u32 + 1), Release);
        self.groups.get(next?)
    }

    /// Takes so many groups, one behind the other, for so many moves; gives back the place of the first.
    fn begin(&self, moves: usize, count: usize, room: &mut Room) -> Option<usize> {
        if moves == 0 || moves >= UNTRIED as usize {
            return None;
        }
        if count > room.end - room.next {
            let size = count.max(ROOM);
            let next = self.taken.fetch_add(size, Relaxed);
            // The last room is as large as what is left.
            let end = next.checked_add(size)?.min(self.groups.len());
            if end < next.checked_add(count)? {
                self.taken.fetch_sub(size, Relaxed);
                return None;
            }
            *room = Room { next, end };
        }
        let first = room.next;
        room.next += count;
        for (at, group) in self.groups.get(first..first + count)?.iter().enumerate() {
            let next = if at + 1 < count { first + at + 2 } else { 0 };
            group.begin(moves.saturating_sub(at * LANES), next as u32);
        }
        let later = self.later.get(first..first + count).unwrap_or(&[]);
        later.as_flattened().iter().for_each(|later| later.set((0, 0.0)));
        Some(first)
    }

    /// Becomes the tree below a node of another; what would take too long is forgotten.
    pub fn take_over(&mut self, other: &Arena, node: &Edge, limit: &Limit<'_>) {
        self.clear();
        let arena = &*self;
        arena.root.become_like(node);
        let mut room = Room::default();
        // Where the edges are to which several lines lead.
        let mut shared = HashMap::new();
        let (mut left, mut nodes) = (vec![(node, &arena.root)], 0_u64);
        while let Some((from, to)) = left.pop() {
            nodes += 1;
            if nodes.is_multiple_of(OFTEN) && limit.is_over(0) {
                break;
            }
            let old = from.below.load(Relaxed);
            let is_shared = other.is_shared(from);
            if is_shared && let Some(below) = shared.get(&old) {
                to.below.store(*below, Relaxed);
                continue;
            }
            let groups: Vec<_> = other.places(from).collect();
            let Some((_, begin)) = groups.first() else { continue };
            let moves = begin.left.load(Relaxed) as usize;
            // What does not fit is forgotten.
            let Some(first) = arena.begin(moves, groups.len(), &mut room) else { continue };
            for (at, (place, group)) in groups.into_iter().enumerate() {
                for (from, to) in group.edges().iter().zip(arena.groups[first + at].edges()) {
                    to.become_like(from);
                    if from.below.load(Relaxed) != 0 {
                        left.push((from, to));
                    }
                }
                if let (Some(from), Some(to)) = (other.later.get(place), arena.later.get(first + at)) {
                    from.iter().zip(to).for_each(|(from, to)| to.set(from.get()));
                }
            }
            let below = old & !u64::from(u32::MAX) | (first as u64 + 1);
            to.below.store(below, Relaxed);
            if is_shared {
                shared.insert(old, below);
            }
        }
    }

    /// The order of a node's moves.
    #[inline]
    pub fn order(node: &Edge) -> u32 {
        (node.below.load(Relaxed) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tree::edge::Range;

    fn numbers(arena: &Arena, node: &Edge) -> Vec<u32> {
        arena.edges(node).map(|edge| edge.number().0).collect()
    }

    /// Gives a node edges that begin at once.
    fn expand(arena: &Arena, node: &Edge, key: Option<Key>, moves: &[u32], room: &mut Room) -> Option<Grown> {
        let moves: Vec<Move> = moves.iter().map(|number| Move(*number)).collect();
        arena.expand(node, key, moves.len(), &moves, 0, room)
    }

    fn nth<'a>(arena: &'a Arena, node: &Edge, at: usize) -> &'a Edge {
        arena.groups(node).flat_map(Group::edges).nth(at).unwrap()
    }

    #[test]
    fn each_move_has_a_place_in_the_order() {
        for count in 1..100 {
            for order in 0..40 {
                let mut found: Vec<usize> = (0..count).map(|k| in_order(order * 997, k, count)).collect();
                found.sort_unstable();
                assert!(found.into_iter().eq(0..count), "{order} {count}");
            }
        }
        let most = UNTRIED as usize - 1;
        assert!([0, 1, most - 1].iter().all(|k| in_order(u32::MAX, *k, most) < most));
        let firsts = |k| (0..4000).map(move |order| in_order(order * 8 + order / 500, k, 10));
        for k in [0, 1, 9] {
            let mut times = [0; 10];
            firsts(k).for_each(|first| times[first] += 1);
            assert_eq!(times, [400; 10], "the {k}th move is each as often");
        }
    }

    #[test]
    fn edges_begin_one_by_one() {
        let (arena, mut room) = (Arena::new(1 << 20, 3, false), Room::default());
        let root = &arena.root;
        assert!(!arena.is_grown(root));
        assert_eq!(arena.expand(root, None, 9, &[], 77, &mut room), Some(Grown::New));
        assert!(arena.is_grown(root) && numbers(&arena, root).is_empty());
        assert_eq!(Arena::order(root), 77);
        let behind =
            || -> Vec<_> { arena.groups(root).map(|group| (group.edges().len(), group.behind())).collect() };
        assert_eq!(behind(), [(4, 5)]);
        (0..3).for_each(|at| nth(&arena, root, at).begin(Move(at as u32 + 5)));
        assert_eq!(numbers(&arena, root), [5, 6, 7]);
        let more = |room: &mut Room| arena.expand_more(arena.groups(root).last().unwrap(), room).is_some();
        assert!(more(&mut room));
        // Another node's edges between them.
        assert!(expand(&arena, nth(&arena, root, 1), None, &[1, 2, 3, 4, 5], &mut room).is_some());
        assert!(more(&mut room));
        assert_eq!(behind(), [(4, 5), (4, 1), (1, 0)]);
        assert!(arena.expand_more(arena.groups(root).next().unwrap(), &mut room).is_none(), "it has a next");
        (3..9).for_each(|at| nth(&arena, root, at).begin(Move(at as u32 + 5)));
        let all: Vec<u32> = (5..14).collect();
        assert_eq!(numbers(&arena, root), all);
        let mut kept = Arena::new(1 << 20, 3, false);
        kept.take_over(&arena, root, &Limit::nodes(1));
        assert_eq!((numbers(&kept, &kept.root), Arena::order(&kept.root)), (all, 77));
        assert_eq!(numbers(&kept, nth(&kept, &kept.root, 1)), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_subtree_stands_alone() {
        let (arena, mut room) = (Arena::new(1 << 20, 3, false), Room::default());
        assert_eq!(expand(&arena, &arena.root, None, &[10, 11], &mut room), Some(Grown::New));
        assert_eq!(expand(&arena, &arena.root, None, &[9], &mut room), None, "it has edges");
        let [first, second] = [0, 1].map(|at| nth(&arena, &arena.root, at));
        assert!(expand(&arena, first, None, &[12], &mut room).is_some());
        assert!(expand(&arena, second, None, &[13, 14], &mut room).is_some());
        let below = nth(&arena, second, 1);
        below.settle(1, false, Range::exactly(2));
        below.visit();
        below.add(0.5);
        assert!(expand(&arena, below, None, &[15], &mut room).is_some());
        let mut kept = Arena::new(1 << 20, 3, false);
        kept.take_over(&arena, second, &Limit::nodes(1));
        assert_eq!((kept.root.number(), numbers(&kept, &kept.root)), (Move(11), vec![13, 14]));
        let edges = [0, 1].map(|at| nth(&kept, &kept.root, at));
        assert_eq!(edges.map(|edge| numbers(&kept, edge)), [vec![], vec![15]]);
        let edge = edges[1];
        assert_eq!((edge.person(), edge.range(), edge.mean()), (1, Range::exactly(2), Some(0.5)));
    }

    #[test]
    fn equal_positions_have_their_edges_once() {
        let (arena, mut room) = (Arena::new(1 << 20, 3, false), Room::default());
        let [key, other] = [Key::from(1), Key::from(2)];
        assert!(expand(&arena, &arena.root, None, &[1, 2, 3], &mut room).is_some());
        let edges: Vec<&Edge> = arena.edges(&arena.root).collect();
        let grown = [key, key, other].into_iter().zip(&edges);
        let grown = grown.map(|(key, edge)| expand(&arena, edge, Some(key), &[4, 5], &mut room));
        let grown: Vec<_> = grown.collect();
        assert_eq!(grown, [Some(Grown::New), Some(Grown::Known), Some(Grown::New)]);
        nth(&arena, edges[0], 1).visit();
        let visits = |arena: &Arena| -> Vec<(bool, u32)> {
            let edges = arena.edges(&arena.root);
            edges.map(|edge| (arena.is_shared(edge), nth(arena, edge, 1).visits())).collect()
        };
        assert_eq!(visits(&arena), [(true, 1), (true, 1), (false, 0)]);
        // So it stays when the tree is copied, and what is counted then counts for both.
        let mut kept = Arena::new(1 << 20, 3, false);
        kept.take_over(&arena, &arena.root, &Limit::nodes(1));
        nth(&kept, nth(&kept, &kept.root, 1), 1).visit();
        assert_eq!(visits(&kept), [(true, 2), (true, 2), (false, 0)]);
        // As many moves, else it is another position that has the same key.
        kept.clear();
        assert!(expand(&kept, &kept.root, Some(key), &[1, 2], &mut room).is_some());
        let edge = nth(&kept, &kept.root, 0);
        assert_eq!(expand(&kept, edge, Some(key), &[1], &mut room), Some(Grown::New));
    }

    #[test]
    fn memory_is_bounded() {
        let mut arena = Arena::new(ROOM * size_of::<Group>() * 3, 1, false);
        let groups = 3 * ROOM + 1;
        let many: Vec<u32> = (0..(groups * LANES) as u32 + 1).collect();
        let expanded = |arena: &Arena, room: &mut Room, groups: usize| {
            let nodes = (0..10_000).map(|_| Edge::new());
            nodes.filter(|node| expand(arena, node, None, &many[..groups * LANES], room).is_some()).count()
        };
        let mut room = Room::default();
        assert_eq!(expanded(&arena, &mut room, 250), 3 * (ROOM / 250));
        // What is left is too little for so many, but not for fewer.
        assert_eq!(expanded(&arena, &mut room, 2), ROOM % 250 / 2);
        assert_eq!(expanded(&arena, &mut Room::default(), 1), 1);
        let node = Edge::new();
        assert!(
            arena.expand(&node, None, 2, &[], 0, &mut Room::default()).is_none() && !arena.is_grown(&node)
        );
        arena.clear();
        // What needs more than a room has one of its own.
        assert!(arena.can_hold(groups * LANES) && !arena.can_hold(groups * LANES + 1));
        let mut room = Room::default();
        assert_eq!(expanded(&arena, &mut room, 2 * ROOM), 1);
        assert_eq!(expanded(&arena, &mut room, 1), ROOM + 1);
        arena.clear();
        let mut room = Room::default();
        assert_eq!(arena.expand(&node, None, groups * LANES, &[], 0, &mut room), Some(Grown::New));
        for _ in 1..groups {
            let last = arena.groups(&node).last().unwrap();
            assert!(arena.expand_more(last, &mut room).is_some());
        }
        assert_eq!((arena.groups(&node).count(), arena.groups(&node).last().unwrap().behind()), (groups, 0));
        arena.clear();
        assert_eq!(expanded(&arena, &mut Room::default(), groups), 1);
        let node = Edge::new();
        assert!(expand(&arena, &node, None, &many, &mut Room::default()).is_none());
        assert!(!arena.is_grown(&node));
    }

    #[test]
    fn what_is_counted_later_goes_with_its_edges() {
        let (arena, mut room) = (Arena::new(1 << 20, 3, true), Room::default());
        assert!(expand(&arena, &arena.root, None, &[1, 2, 3], &mut room).is_some());
        let below = nth(&arena, &arena.root, 1);
        assert!(expand(&arena, below, None, &[4, 5, 6, 7, 8, 9], &mut room).is_some());
        let (group, later) = arena.with_later(below).nth(1).unwrap();
        assert_eq!(group.edges()[1].number(), Move(9));
        later[1].add(0.5);
        later[1].add(1.0);
        let counted = |arena: &Arena, node: &Edge| -> Vec<_> {
            let groups = arena.with_later(node);
            groups
                .flat_map(|(group, later)| group.edges().iter().zip(later).map(|(_, later)| later.get()))
                .collect()
        };
        let none = (0, 0.0);
        assert_eq!(counted(&arena, &arena.root), [none; 3]);
        let mut kept = Arena::new(1 << 20, 3, true);
        kept.take_over(&arena, below, &Limit::nodes(1));
        assert_eq!(counted(&kept, &kept.root), [none, none, none, none, none, (2, 1.5)]);
        // Memory that was used before.
        kept.clear();
        assert!(expand(&kept, &kept.root, None, &[1, 2, 3, 4, 5, 6], &mut Room::default()).is_some());
        assert_eq!(counted(&kept, &kept.root), [none; 6]);
    }

    #[test]
    fn threads_give_a_node_edges_once() {
        let arena = Arena::new(1 << 22, 1, false);
        let made: usize = std::thread::scope(|scope| {
            let work = || {
                let (mut room, mut made) = (Room::default(), 0);
                let mut level = vec![&arena.root];
                for _ in 0..6 {
                    for node in &level {
                        made += usize::from(arena.expand(node, None, 6, &[], 0, &mut room).is_some());
                        while !arena.is_grown(node) {
                            std::thread::yield_now();
                        }
                        let first = arena.groups(node).next().unwrap();
                        made += usize::from(arena.expand_more(first, &mut room).is_some());
                        while arena.groups(node).count() < 2 {
                            std::thread::yield_now();
                        }
                    }
                    level = level.iter().flat_map(|node| [3, 5].map(|at| nth(&arena, node, at))).collect();
                }
                made
            };
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(made, 2 * ((1 << 6) - 1));
    }
}
