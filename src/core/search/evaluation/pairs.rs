//! Pieces beside each other, by the sorts of both and by the direction from one to the other.
//!
//! What a piece is worth depends on what stands next to it: one that covers another, a chain, one that joins two others.
//! A sum over single pieces cannot say that. Neighbours are those that the lines of the board lead to, so a pair is the
//! same wherever on the board it stands, and few games tell what it is worth. (Terms of sites that lie together:
//! *n-tuples*, Lucas, Journal of Computer Science and Technology 2008.)

#![allow(clippy::needless_range_loop, reason = "iterators over two lists are calls here, as in the sums")]

use super::units::mask;
use crate::board::Board;
use crate::program::Layout;
use crate::siteset::MAX_WORDS;

/// No game has more pairs than this: sorts by sorts by axes.
const MOST_PAIRS: usize = 8192;

/// Where the pieces are that may stand beside each other.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    /// The first words of the sets of owners and of kinds; either may be empty.
    owners: Vec<usize>,
    kinds: Vec<usize>,
    width: usize,
    /// For each site the sites beside it, by the words that they are in.
    near: Vec<Vec<Near>>,
    sorts: usize,
    axes: usize,
    /// The words that tell of them, as a [`mask`], and the end of the last one.
    pub mask: u64,
    pub words: usize,
}

/// A word of a position.
#[inline]
fn word(words: &[u64], at: usize) -> u64 {
    words.get(at).copied().unwrap_or(0)
}

/// Sites of a word that are beside another site.
#[derive(Clone, Debug)]
struct Near {
    word: usize,
    sites: u64,
    /// The way to each, in the order of the sites: an axis forwards is an even number, backwards an odd one.
    ways: Vec<u16>,
}

impl Near {
    /// Takes a site up, if it is in the word and not here.
    fn take(&mut self, site: usize, way: usize) -> bool {
        let bit = 1 << (site % 64);
        let fits = self.word == site / 64 && self.sites & bit == 0;
        if fits {
            self.ways.insert(self.rank(bit), way as u16);
            self.sites |= bit;
        }
        fits
    }

    /// How many of the sites stand before one.
    #[inline]
    fn rank(&self, bit: u64) -> usize {
        (self.sites & (bit - 1)).count_ones() as usize
    }

    /// Sites and ways.
    fn list(&self) -> impl Iterator<Item = (usize, usize)> {
        let sites = (0..64).filter(|bit| self.sites >> bit & 1 == 1).map(|bit| 64 * self.word + bit);
        sites.zip(self.ways.iter().map(|way| usize::from(*way)))
    }
}

impl Pairs {
    /// None where there are no pieces, or too many sorts.
    pub fn new(layout: &Layout, board: &Board) -> Option<Pairs> {
        let first = |layer: usize| layout.layer_at(layer);
        let owners: Vec<usize> = layout.pieces.owner_layers(layout.players).map(first).collect();
        let kinds: Vec<usize> = layout.pieces.kind_layers().into_iter().flatten().map(first).collect();
        let all = || owners.iter().chain(&kinds);
        let sorts = layout.pieces.sorts(layout.players);
        let lines = board.axes();
        let axes = lines.len();
        if all().next().is_none() || axes == 0 || sorts * sorts * axes > MOST_PAIRS {
            return None;
        }
        let mut near: Vec<Vec<Near>> = vec![Vec::new(); layout.sites];
        for (axis, (dir, _)) in lines.into_iter().enumerate() {
            for from in board.sites() {
                let Some(to) = board.step(dir, from) else { continue };
                let (from, to) = (from.index(), to.index());
                for (of, site, way) in [(from, to, 2 * axis), (to, from, 2 * axis + 1)] {
                    let Some(list) = near.get_mut(of) else { continue };
                    if !list.iter_mut().any(|near| near.take(site, way)) {
                        let sites = 1 << (site % 64);
                        list.push(Near { word: site / 64, sites, ways: vec![way as u16] });
                    }
                }
            }
        }
        let words = || all().flat_map(|first| *first..first + layout.width);
        let (mask, end) = words().fold((0, 0), |(all, end), word| (all | mask(word), end.max(word + 1)));
        Some(Pairs { owners, kinds, width: layout.width, near, sorts, axes, mask, words: end })
    }

    /// How many weights a pair of sorts has: one for each axis.
    pub fn axes(&self) -> usize {
        self.axes
    }

    /// How many sorts of pieces there are.
    pub fn sorts(&self) -> usize {
        self.sorts
    }

    /// How many weights there are: by sort, sort and axis.
    pub fn weights(&self) -> usize {
        self.sorts * self.sorts * self.axes
    }

    /// How many places there are, of all ways from a sort to a sort: one of each weight forwards, one backwards.
    pub fn places(&self) -> usize {
        2 * self.weights()
    }

    /// The weight that a place has. A way backwards is the same pair forwards, from the other piece.
    pub fn weight(&self, place: usize) -> usize {
        let (way, a, b) = self.parts(place);
        let (a, b) = if way % 2 == 0 { (a, b) } else { (b, a) };
        (a * self.sorts + b) * self.axes + way / 2
    }

    /// How many pairs of each weight a position has.
    pub fn counts(&self, words: &[u64]) -> Vec<u16> {
        let mut counts = vec![0; self.weights()];
        self.each(words, |place| counts[self.weight(place)] += 1);
        counts
    }

    /// The place that a place becomes on a board that is turned, where sorts become others.
    pub fn image(&self, place: usize, sites: &[u16], sort: impl Fn(usize) -> usize) -> Option<usize> {
        let (way, a, b) = self.parts(place);
        let to = |site: usize| sites.get(site).map(|to| usize::from(*to));
        let mut all = self.near.iter().enumerate().flat_map(|(from, list)| {
            let list = list.iter().flat_map(Near::list);
            list.filter(move |(_, found)| *found == way).map(move |(beside, _)| (from, beside))
        });
        let (from, beside) = all.next()?;
        let (from, beside) = (to(from)?, to(beside)?);
        let (_, way) = self.near.get(from)?.iter().flat_map(Near::list).find(|(site, _)| *site == beside)?;
        Some(self.place(way, sort(a), sort(b)))
    }

    #[inline]
    fn parts(&self, place: usize) -> (usize, usize, usize) {
        (place / (self.sorts * self.sorts), place / self.sorts % self.sorts, place % self.sorts)
    }

    #[inline]
    fn place(&self, way: usize, a: usize, b: usize) -> usize {
        (way * self.sorts + a) * self.sorts + b
    }

    /// The sort of the piece on a site.
    #[inline]
    fn sort(&self, words: &[u64], site: usize) -> Option<usize> {
        let (w, shift) = (site / 64, site % 64);
        let find = |sets: &[usize]| {
            for at in 0..sets.len() {
                if word(words, sets[at] + w) >> shift & 1 == 1 {
                    return Some(at);
                }
            }
            sets.is_empty().then_some(0)
        };
        let owner = find(&self.owners)?;
        let kind = find(&self.kinds)?;
        Some(kind * self.owners.len().max(1) + owner)
    }

    /// The sites of a word on which there is a piece.
    #[inline]
    fn held(&self, words: &[u64], w: usize) -> u64 {
        let sets = if self.owners.is_empty() { &self.kinds } else { &self.owners };
        let mut held = 0;
        for at in 0..sets.len() {
            held |= word(words, sets[at] + w);
        }
        held
    }

    /// Tells the pieces beside a site: where each is, of which sort, and the way there.
    #[inline]
    fn around(&self, words: &[u64], site: usize, mut tell: impl FnMut(usize, usize, usize)) {
        let Some(near) = self.near.get(site) else { return };
        for near in near {
            let mut held = self.held(words, near.word) & near.sites;
            while held != 0 {
                let bit = held & held.wrapping_neg();
                held ^= bit;
                let beside = 64 * near.word + bit.trailing_zeros() as usize;
                if let (Some(sort), Some(way)) = (self.sort(words, beside), near.ways.get(near.rank(bit))) {
                    tell(beside, sort, usize::from(*way));
                }
            }
        }
    }

    /// Tells the place of each pair.
    #[inline]
    pub fn each(&self, words: &[u64], mut tell: impl FnMut(usize)) {
        for w in 0..self.width {
            let mut held = self.held(words, w);
            while held != 0 {
                let site = 64 * w + held.trailing_zeros() as usize;
                held &= held - 1;
                let Some(a) = self.sort(words, site) else { continue };
                self.around(words, site, |_, b, way| {
                    if way % 2 == 0 {
                        tell(self.place(way, a, b));
                    }
                });
            }
        }
    }

    /// Tells the place of each pair that two positions do not share, and whether it is one of the second.
    #[inline]
    pub fn changes(&self, both: [&[u64]; 2], mut tell: impl FnMut(usize, bool)) {
        let width = self.width.min(MAX_WORDS);
        let mut changed = [0; MAX_WORDS];
        for sets in [&self.owners, &self.kinds] {
            for at in 0..sets.len() {
                for w in 0..width {
                    changed[w] |= word(both[0], sets[at] + w) ^ word(both[1], sets[at] + w);
                }
            }
        }
        for w in 0..width {
            let mut left = changed[w];
            while left != 0 {
                let site = 64 * w + left.trailing_zeros() as usize;
                left &= left - 1;
                for which in 0..2 {
                    let Some(a) = self.sort(both[which], site) else { continue };
                    self.around(both[which], site, |beside, b, way| {
                        // A pair of which both have changed is told once.
                        if beside > site || changed[beside / 64] >> (beside % 64) & 1 == 0 {
                            tell(self.place(way, a, b), which == 1);
                        }
                    });
                }
            }
        }
    }
}
