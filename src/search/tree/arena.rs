//! The tree in memory: edges in blocks, blocks in chunks, for several threads at once.
//!
//! A node has no record of its own. What is known of it stands in the edge that leads to it, which was read to get
//! there, and its edges are one block: a step down the tree looks at one place of memory. Threads share the tree
//! without locks and may lose an update of another (Enzenberger and Mueller, *A Lock-free Multithreaded Monte-Carlo
//! Tree Search Algorithm*, ACG 2009); proved bounds lose none. Each thread takes chunks of its own to put blocks in.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use Ordering::{Acquire, Relaxed, Release, SeqCst};

use super::transpositions::{Key, Transpositions};
use crate::play::Move;
use crate::search::Limit;

/// A move, and the node that it leads to.
#[derive(Debug)]
pub(super) struct Edge {
    /// The [`Block`] of the node's edges; [`NONE`] while it has none.
    below: AtomicU64,
    number: AtomicU32,
    /// How often a simulation went this way. It is counted on the way down: until the simulation is over its points are
    /// missing, as if it was lost, and other threads look elsewhere (*virtual loss*: Chaslot, Winands, van den Herik,
    /// CG 2008).
    visits: AtomicU32,
    /// The points over the visits, as the one sees them who chose the move.
    sum: AtomicU32,
    /// How often the same person made this move later in a simulation through the node before, and the points (*all
    /// moves as first*).
    later: AtomicU32,
    later_sum: AtomicU32,
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

/// The game decides at the node.
const CHANCE: u8 = 1;

/// Several lines lead to the block that begins with this edge.
const SHARED: u8 = 2;

/// The proof number of who cannot win.
pub(super) const NEVER: u32 = 1 << 30;

/// No block, and one that a thread is about to make.
const NONE: u64 = 0;
const BUSY: u64 = u64::MAX;

/// The clock is looked at once in so many blocks that are copied.
const OFTEN: u64 = 1 << 10;

/// There is room for one transposition in so many edges.
const EDGES: usize = 8;

/// Edges of a chunk: larger blocks have a chunk of their own.
const CHUNK: usize = 1 << 12;

impl Edge {
    fn new() -> Edge {
        Edge {
            below: AtomicU64::new(NONE),
            number: AtomicU32::new(0),
            visits: AtomicU32::new(0),
            sum: AtomicU32::new(0),
            later: AtomicU32::new(0),
            later_sum: AtomicU32::new(0),
            person: AtomicU8::new(0),
            flags: AtomicU8::new(0),
            low: AtomicU8::new(Range::OPEN.low),
            high: AtomicU8::new(Range::OPEN.high),
            proofs: [AtomicU32::new(1), AtomicU32::new(1)],
        }
    }

    /// Becomes a copy of another, without its edges.
    fn become_like(&self, other: &Edge) {
        self.below.store(NONE, Relaxed);
        for (to, from) in [
            (&self.number, &other.number),
            (&self.visits, &other.visits),
            (&self.sum, &other.sum),
            (&self.later, &other.later),
            (&self.later_sum, &other.later_sum),
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

    /// Becomes a move that was never tried.
    fn begin(&self, number: Move) {
        self.become_like(&Edge { number: AtomicU32::new(number.0), ..Edge::new() });
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
        let visits = self.visits.load(Relaxed).saturating_add(1);
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

    /// How often the move was made later, and the points.
    #[inline]
    pub fn later(&self) -> (u32, f32) {
        (self.later.load(Relaxed), f32::from_bits(self.later_sum.load(Relaxed)))
    }

    /// Adds points of a simulation in which the move was made later.
    #[inline]
    pub fn add_later(&self, points: f32) {
        let (times, sum) = self.later();
        self.later.store(times.saturating_add(1), Relaxed);
        self.later_sum.store((sum + points).to_bits(), Relaxed);
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

/// How a node got its edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grown {
    /// They were never tried.
    New,
    /// They are those of an equal position.
    Known,
}

/// Where the edges of a node are: the chunk, the first edge in it, how many.
#[derive(Clone, Copy, Debug)]
struct Block {
    chunk: usize,
    first: usize,
    edges: usize,
}

impl Block {
    /// As a number that is neither [`NONE`] nor [`BUSY`]: a block has at least one edge, and not all bits set.
    fn number(self) -> u64 {
        (self.chunk as u64) << 44 | (self.first as u64) << 32 | self.edges as u64
    }

    fn of(number: u64) -> Option<Block> {
        let block = Block {
            chunk: (number >> 44) as usize,
            first: (number >> 32) as usize % CHUNK,
            edges: number as u32 as usize,
        };
        (number != NONE && number != BUSY).then_some(block)
    }
}

/// The tree. Chunks are made when they are first needed, and kept.
#[derive(Debug)]
pub(super) struct Arena {
    /// Leads to the root.
    pub root: Edge,
    chunks: Box<[OnceLock<Box<[Edge]>>]>,
    /// How many chunks are taken.
    taken: AtomicUsize,
    known: Transpositions,
}

/// Room for blocks that one thread fills.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Room {
    chunk: usize,
    next: usize,
    end: usize,
}

impl Arena {
    /// Room for about so many bytes, and for one block of so many edges in any case.
    pub fn new(bytes: usize, edges: usize) -> Arena {
        let chunks = (bytes / (CHUNK * size_of::<Edge>())).clamp(1, (1 << 20) - 1) + edges.div_ceil(CHUNK);
        let chunks = (0..chunks).map(|_| OnceLock::new()).collect();
        let known = Transpositions::new(bytes / size_of::<Edge>() / EDGES);
        Arena { root: Edge::new(), chunks, taken: AtomicUsize::new(0), known }
    }

    /// Whether one block of so many edges fits, were it empty.
    pub fn can_hold(&self, edges: usize) -> bool {
        self.chunks.len() >= edges.div_ceil(CHUNK)
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.root = Edge::new();
        *self.taken.get_mut() = 0;
        self.known.clear();
    }

    /// The edges of a node; empty while it has none.
    #[inline]
    pub fn edges(&self, node: &Edge) -> &[Edge] {
        self.block_edges(node.below.load(Acquire))
    }

    #[inline]
    fn block_edges(&self, number: u64) -> &[Edge] {
        let Some(block) = Block::of(number) else { return &[] };
        let chunk = self.chunks.get(block.chunk).and_then(OnceLock::get);
        chunk.and_then(|edges| edges.get(block.first..)?.get(..block.edges)).unwrap_or(&[])
    }

    /// Whether several lines lead to a node's edges.
    #[inline]
    pub fn is_shared(&self, node: &Edge) -> bool {
        self.edges(node).first().is_some_and(|edge| edge.flags.load(Relaxed) & SHARED != 0)
    }

    /// Gives a node an edge for each move, those of the same position where that is known; none where another thread
    /// does so, or there is no room.
    pub fn expand(&self, node: &Edge, key: Option<Key>, moves: &[Move], room: &mut Room) -> Option<Grown> {
        node.below.compare_exchange(NONE, BUSY, Acquire, Relaxed).ok()?;
        if let Some(block) = key.and_then(|key| self.known.get(key))
            && let edges = self.block_edges(block)
            && edges.len() == moves.len()
            && let Some(first) = edges.first()
        {
            first.flags.fetch_or(SHARED, Relaxed);
            node.below.store(block, Release);
            return Some(Grown::Known);
        }
        let block = self.block(moves.len(), room);
        if let Some((block, edges)) = block {
            edges.iter().zip(moves).for_each(|(edge, number)| edge.begin(*number));
            if let Some(key) = key {
                self.known.put(key, block.number());
            }
        }
        node.below.store(block.map_or(NONE, |(block, _)| block.number()), Release);
        block.map(|_| Grown::New)
    }

    /// Takes a block of so many edges, at least one, which may hold anything.
    fn block(&self, edges: usize, room: &mut Room) -> Option<(Block, &[Edge])> {
        if edges == 0 || u32::try_from(edges).is_err() {
            return None;
        }
        if edges > room.end - room.next {
            *room = self.room(edges)?;
        }
        let block = Block { chunk: room.chunk, first: room.next, edges };
        room.next += edges;
        let chunk = self.chunks.get(block.chunk).and_then(OnceLock::get)?;
        Some((block, chunk.get(block.first..block.first + edges)?))
    }

    /// Takes a chunk in which so many edges fit. A large one counts as often as it is larger than others.
    fn room(&self, edges: usize) -> Option<Room> {
        loop {
            let chunk = self.taken.fetch_add(edges.div_ceil(CHUNK), Relaxed);
            let last = chunk.checked_add(edges.div_ceil(CHUNK) - 1)?;
            if last >= self.chunks.len() {
                self.taken.store(self.chunks.len(), Relaxed);
                return None;
            }
            let made = self.chunks[chunk]
                .get_or_init(|| (0..edges.max(CHUNK)).map(|_| Edge::new()).collect::<Box<[Edge]>>());
            // One that was made for smaller blocks is passed over.
            if made.len() >= edges {
                return Some(Room { chunk, next: 0, end: made.len() });
            }
        }
    }

    /// Becomes the tree below a node of another; what would take too long is forgotten.
    pub fn take_over(&mut self, other: &Arena, node: &Edge, limit: &Limit<'_>) {
        self.clear();
        let arena = &*self;
        arena.root.become_like(node);
        let mut room = Room::default();
        // Where the blocks are to which several lines lead.
        let mut shared = HashMap::new();
        let (mut left, mut blocks) = (vec![(node, &arena.root)], 0_u64);
        while let Some((from, to)) = left.pop() {
            blocks += 1;
            if blocks.is_multiple_of(OFTEN) && limit.is_over(0) {
                break;
            }
            let old = other.edges(from);
            let is_shared = other.is_shared(from);
            if is_shared && let Some(block) = shared.get(&from.below.load(Relaxed)) {
                to.below.store(*block, Relaxed);
                continue;
            }
            // What does not fit is forgotten.
            let Some((block, new)) = arena.block(old.len(), &mut room) else { continue };
            for (from, to) in old.iter().zip(new) {
                to.become_like(from);
                if from.below.load(Relaxed) != NONE {
                    left.push((from, to));
                }
            }
            to.below.store(block.number(), Relaxed);
            if is_shared {
                shared.insert(from.below.load(Relaxed), block.number());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(arena: &Arena, node: &Edge) -> Vec<u32> {
        arena.edges(node).iter().map(|edge| edge.number().0).collect()
    }

    #[test]
    fn a_subtree_stands_alone() {
        let (arena, mut room) = (Arena::new(1 << 20, 3), Room::default());
        assert_eq!(arena.expand(&arena.root, None, &[Move(10), Move(11)], &mut room), Some(Grown::New));
        assert_eq!(arena.expand(&arena.root, None, &[Move(9)], &mut room), None, "it has edges");
        let [first, second] = arena.edges(&arena.root) else { panic!() };
        assert!(arena.expand(first, None, &[Move(12)], &mut room).is_some());
        assert!(arena.expand(second, None, &[Move(13), Move(14)], &mut room).is_some());
        let below = &arena.edges(second)[1];
        below.settle(1, false, Range::exactly(2));
        below.visit();
        below.add(0.5);
        assert!(arena.expand(below, None, &[Move(15)], &mut room).is_some());
        let mut kept = Arena::new(1 << 20, 3);
        kept.take_over(&arena, second, &Limit::nodes(1));
        assert_eq!((kept.root.number(), numbers(&kept, &kept.root)), (Move(11), vec![13, 14]));
        let edges = kept.edges(&kept.root);
        assert_eq!((numbers(&kept, &edges[0]), numbers(&kept, &edges[1])), (vec![], vec![15]));
        let edge = &edges[1];
        assert_eq!((edge.person(), edge.range(), edge.mean()), (1, Range::exactly(2), Some(0.5)));
    }

    #[test]
    fn equal_positions_have_their_edges_once() {
        let (arena, mut room) = (Arena::new(1 << 20, 3), Room::default());
        let [key, other] = [Key::from(1), Key::from(2)];
        assert!(arena.expand(&arena.root, None, &[Move(1), Move(2), Move(3)], &mut room).is_some());
        let edges = arena.edges(&arena.root);
        let grown = [key, key, other].into_iter().zip(edges);
        let grown = grown.map(|(key, edge)| arena.expand(edge, Some(key), &[Move(4), Move(5)], &mut room));
        let grown: Vec<_> = grown.collect();
        assert_eq!(grown, [Some(Grown::New), Some(Grown::Known), Some(Grown::New)]);
        arena.edges(&edges[0])[1].visit();
        let visits = |arena: &Arena| -> Vec<(bool, u32)> {
            let edges = arena.edges(&arena.root).iter();
            edges.map(|edge| (arena.is_shared(edge), arena.edges(edge)[1].visits())).collect()
        };
        assert_eq!(visits(&arena), [(true, 1), (true, 1), (false, 0)]);
        // So it stays when the tree is copied, and what is counted then counts for both.
        let mut kept = Arena::new(1 << 20, 3);
        kept.take_over(&arena, &arena.root, &Limit::nodes(1));
        kept.edges(&kept.edges(&kept.root)[1])[1].visit();
        assert_eq!(visits(&kept), [(true, 2), (true, 2), (false, 0)]);
        // As many moves, else it is another position that has the same key.
        kept.clear();
        assert!(kept.expand(&kept.root, Some(key), &[Move(1), Move(2)], &mut room).is_some());
        let edge = &kept.edges(&kept.root)[0];
        assert_eq!(kept.expand(edge, Some(key), &[Move(1)], &mut room), Some(Grown::New));
    }

    #[test]
    fn memory_is_bounded() {
        let (mut arena, mut room) = (Arena::new(CHUNK * size_of::<Edge>() * 3, 1), Room::default());
        let many: Vec<Move> = (0..CHUNK as u32 + 1).map(Move).collect();
        let nodes = || (0..10_000).map(|_| Edge::new());
        let expanded = |arena: &Arena, room: &mut Room, len: usize| {
            nodes().filter(|node| arena.expand(node, None, &many[..len], room).is_some()).count()
        };
        assert_eq!(expanded(&arena, &mut room, 1000), 4 * (CHUNK / 1000));
        arena.clear();
        // Blocks of more than a chunk, where there were smaller chunks and where there were none.
        assert!(arena.can_hold(CHUNK + 1) && !arena.can_hold(5 * CHUNK));
        let mut room = Room::default();
        assert!(expanded(&arena, &mut room, CHUNK + 1) <= 2);
        let fresh = Arena::new(CHUNK * size_of::<Edge>() * 3, 1);
        assert_eq!(expanded(&fresh, &mut Room::default(), CHUNK + 1), 2);
        let node = Edge::new();
        assert!(
            fresh.can_hold(CHUNK + 1) && fresh.expand(&node, None, &many, &mut Room::default()).is_none()
        );
        assert!(fresh.edges(&node).is_empty());
    }

    #[test]
    fn threads_give_a_node_edges_once() {
        let arena = Arena::new(1 << 22, 1);
        let made: usize = std::thread::scope(|scope| {
            let work = || {
                let (mut room, mut made) = (Room::default(), 0);
                let mut level = vec![&arena.root];
                for _ in 0..8 {
                    for node in &level {
                        let grown = arena.expand(node, None, &[Move(1), Move(2)], &mut room);
                        made += usize::from(grown.is_some());
                        while arena.edges(node).is_empty() {
                            std::thread::yield_now();
                        }
                    }
                    level = level.iter().flat_map(|node| arena.edges(node)).collect();
                }
                made
            };
            let threads: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(made, (1 << 8) - 1);
    }

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
