//! The legal moves of a position, as segments.

use crate::ids::Player;
use crate::siteset::Bits;

/// A move: the base of the leaf that offers it plus what was chosen, as one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(pub u32);

/// The moves `base + multiplier * site` for the `count` sites of a set in the words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Head {
    base: u32,
    multiplier: u32,
    count: u32,
}

impl Head {
    fn at(self, site: usize) -> Move {
        let step = self.multiplier.wrapping_mul(site as u32);
        Move(self.base.wrapping_add(step))
    }
}

/// The legal moves of a position: segments of a set, a base and a multiplier. Their order is that of
/// the generators. Buffers are kept from one use to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moves {
    heads: Vec<Head>,
    /// `width` words for each head.
    words: Vec<u64>,
    width: usize,
    total: usize,
    pub(super) mover: Player,
    pub(super) chance: bool,
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::new()
    }
}

impl Moves {
    /// No moves.
    pub fn new() -> Moves {
        Moves {
            heads: Vec::with_capacity(64),
            words: Vec::with_capacity(64),
            width: 1,
            total: 0,
            mover: Player(0),
            chance: false,
        }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.total
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The move with exactly `k` before it.
    pub fn nth(&self, k: usize) -> Option<Move> {
        self.nth_from(0, k)
    }

    /// All moves in order.
    pub fn iter(&self) -> MovesIter<'_> {
        MovesIter { moves: self, head: 0, word: 0, rest: self.words.first().copied().unwrap_or(0) }
    }

    /// Whether a move is among them.
    pub fn contains(&self, wanted: Move) -> bool {
        self.heads.iter().zip(self.words.chunks_exact(self.width)).any(|(head, set)| {
            let distance = wanted.0.wrapping_sub(head.base);
            if !distance.is_multiple_of(head.multiplier) {
                return false;
            }
            let site = (distance / head.multiplier) as usize;
            set.get(site / 64).is_some_and(|word| word >> (site % 64) & 1 == 1)
        })
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.heads.clear();
        self.words.clear();
        self.total = 0;
        self.chance = false;
    }

    /// Who decides among them. For a chance node the player whose turn it is.
    pub fn mover(&self) -> Player {
        self.mover
    }

    /// Whether the seed decides among them, not a player.
    pub fn is_chance(&self) -> bool {
        self.chance
    }

    /// Forgets them and takes sets of that many words from now on.
    pub(super) fn reset(&mut self, width: usize) {
        self.clear();
        self.width = width;
    }

    /// How many segments there are: what [`Moves::truncate`] and others take for "from here".
    #[inline]
    pub(super) fn mark(&self) -> usize {
        self.heads.len()
    }

    /// How many moves there are from a mark.
    pub(super) fn len_from(&self, mark: usize) -> usize {
        self.heads[mark..].iter().map(|h| h.count as usize).sum()
    }

    /// Forgets the segments after a mark.
    pub(super) fn truncate(&mut self, mark: usize) {
        self.total -= self.len_from(mark);
        self.heads.truncate(mark);
        self.words.truncate(mark * self.width);
    }

    /// Adds a segment; an empty one is left out. The multiplier is at least 1.
    #[inline]
    pub(super) fn push<const W: usize>(&mut self, set: Bits<W>, base: u32, multiplier: u32) {
        let count = set.count();
        if count == 0 {
            return;
        }
        self.heads.push(Head { base, multiplier, count });
        self.words.extend_from_slice(&set.0);
        self.total += count as usize;
    }

    /// Adds one move.
    #[inline]
    pub(super) fn push_one<const W: usize>(&mut self, number: u32) {
        self.push(Bits::<W>::one(0), number, 1);
    }

    /// The `k`-th move from a mark.
    pub(super) fn nth_from(&self, mark: usize, mut k: usize) -> Option<Move> {
        for (i, head) in self.heads.iter().enumerate().skip(mark) {
            if k >= head.count as usize {
                k -= head.count as usize;
                continue;
            }
            let set = &self.words[i * self.width..][..self.width];
            for (w, word) in set.iter().enumerate() {
                let here = word.count_ones() as usize;
                if k >= here {
                    k -= here;
                    continue;
                }
                let mut rest = *word;
                for _ in 0..k {
                    rest &= rest - 1;
                }
                return Some(head.at(w * 64 + rest.trailing_zeros() as usize));
            }
        }
        None
    }

    /// Keeps of the moves from a mark those for which `keep`, given the move's number from the mark,
    /// says so.
    pub(super) fn retain_from(&mut self, mark: usize, mut keep: impl FnMut(usize) -> bool) {
        let mut number = 0;
        let width = self.width;
        let sets = self.words[mark * width..].chunks_exact_mut(width);
        for (head, set) in self.heads[mark..].iter_mut().zip(sets) {
            for word in set {
                let mut rest = *word;
                while rest != 0 {
                    let bit = rest & rest.wrapping_neg();
                    rest ^= bit;
                    if !keep(number) {
                        *word ^= bit;
                        head.count -= 1;
                        self.total -= 1;
                    }
                    number += 1;
                }
            }
        }
    }
}

impl<'a> IntoIterator for &'a Moves {
    type Item = Move;
    type IntoIter = MovesIter<'a>;

    fn into_iter(self) -> MovesIter<'a> {
        self.iter()
    }
}

/// The moves in order.
#[derive(Clone, Debug)]
pub struct MovesIter<'a> {
    moves: &'a Moves,
    head: usize,
    /// Which word of the head's set.
    word: usize,
    /// What is left of that word.
    rest: u64,
}

impl Iterator for MovesIter<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        while self.rest == 0 {
            self.word += 1;
            if self.word >= self.moves.width {
                self.word = 0;
                self.head += 1;
            }
            let at = self.head * self.moves.width + self.word;
            self.rest = *self.moves.words.get(at)?;
        }
        let site = self.word * 64 + self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        self.moves.heads.get(self.head).map(|head| head.at(site))
    }
}
