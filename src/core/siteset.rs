//! Sets of sites: one bit a site.
//!
//! The compile side works on [`SiteSet`], wide enough for any board. The play side chooses the number
//! of words for the board at hand and is generic over it: [`Bits`].

use crate::ids::Site;

/// The most sites a board may have, holes of its grid included.
pub const MAX_SITES: usize = 1024;

/// Words of the widest set.
pub const MAX_WORDS: usize = MAX_SITES / 64;

/// A set of sites on a board of any size.
pub type SiteSet = Bits<MAX_WORDS>;

/// A set of up to `64 * W` sites.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bits<const W: usize>(pub [u64; W]);

impl<const W: usize> Default for Bits<W> {
    fn default() -> Self {
        Bits::EMPTY
    }
}

impl<const W: usize> Bits<W> {
    /// No site.
    pub const EMPTY: Bits<W> = Bits([0; W]);

    /// The set with these words, by their numbers. A call for each word that is not inlined takes longer than the word:
    /// `array::from_fn` makes one where code is compiled in several units.
    #[inline(always)]
    fn each(word: impl Fn(usize) -> u64) -> Bits<W> {
        let mut set = Bits::EMPTY;
        for (i, to) in set.0.iter_mut().enumerate() {
            *to = word(i);
        }
        set
    }

    /// The set of one site; empty if the site lies beyond the width.
    #[inline]
    pub fn one(site: usize) -> Bits<W> {
        // In registers: a word written alone and read together with others is waited for.
        Bits::each(|word| u64::from(site / 64 == word) << (site % 64))
    }

    /// Reads the first `W` words of a slice; missing words are empty.
    #[inline]
    pub fn load(words: &[u64]) -> Bits<W> {
        match words.first_chunk::<W>() {
            Some(chunk) => Bits(*chunk),
            None => {
                let mut set = Bits::EMPTY;
                set.0.iter_mut().zip(words).for_each(|(to, from)| *to = *from);
                set
            }
        }
    }

    /// Adds a site; one beyond the width is ignored.
    #[inline]
    pub fn insert(&mut self, site: usize) {
        if let Some(word) = self.0.get_mut(site / 64) {
            *word |= 1 << (site % 64);
        }
    }

    /// Takes a site out.
    #[inline]
    pub fn remove(&mut self, site: usize) {
        if let Some(word) = self.0.get_mut(site / 64) {
            *word &= !(1 << (site % 64));
        }
    }

    /// Whether it holds a site.
    #[inline]
    pub fn contains(&self, site: usize) -> bool {
        self.0.get(site / 64).is_some_and(|word| word >> (site % 64) & 1 == 1)
    }

    /// Whether it holds no site.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// How many sites it holds.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The lowest site.
    #[inline]
    pub fn first(&self) -> Option<usize> {
        self.0.iter().position(|word| *word != 0).map(|i| i * 64 + self.0[i].trailing_zeros() as usize)
    }

    /// The highest site.
    #[inline]
    pub fn last(&self) -> Option<usize> {
        self.0.iter().rposition(|word| *word != 0).map(|i| i * 64 + 63 - self.0[i].leading_zeros() as usize)
    }

    /// The lowest site, or the first number beyond the width. For one word: no branch.
    #[inline]
    pub fn first_or_end(&self) -> usize {
        if W == 1 { self.0[0].trailing_zeros() as usize } else { self.first().unwrap_or(64 * W) }
    }

    /// One more than the highest site, 0 for none. For one word: no branch.
    #[inline]
    pub fn end(&self) -> usize {
        if W == 1 { 64 - self.0[0].leading_zeros() as usize } else { self.last().map_or(0, |last| last + 1) }
    }

    /// The site with exactly `k` lower members.
    #[inline]
    pub fn nth(&self, mut k: u32) -> Option<usize> {
        for (i, word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if k < here {
                let mut rest = *word;
                for _ in 0..k {
                    rest &= rest - 1;
                }
                return Some(i * 64 + rest.trailing_zeros() as usize);
            }
            k -= here;
        }
        None
    }

    /// Its sites, lowest first.
    #[inline]
    pub fn iter(&self) -> BitsIter<W> {
        BitsIter { rest: *self, at: 0 }
    }

    /// All sites moved up by `by` bits (down if negative); sites beyond the width are lost.
    #[inline]
    pub fn shift(&self, by: i32) -> Bits<W> {
        if by >= 0 { self.up(by.unsigned_abs()) } else { self.down(by.unsigned_abs()) }
    }

    /// All sites moved up by so many bits.
    #[inline]
    pub fn up(&self, by: u32) -> Bits<W> {
        if W == 1 {
            return Bits([self.0[0].checked_shl(by).unwrap_or(0); W]);
        }
        let (words, bits) = ((by / 64) as usize, by % 64);
        let word = |i: Option<usize>| i.and_then(|i| self.0.get(i)).copied().unwrap_or(0);
        // The neighbour's bits come along; two shifts, for 64 at once would be too many.
        let merged = |at: u64, below: u64| at << bits | below >> 1 >> (63 - bits);
        if words == 0 {
            return Bits::each(|i| merged(self.0[i], word(i.checked_sub(1))));
        }
        Bits::each(|i| {
            let from = i.checked_sub(words);
            merged(word(from), word(from.and_then(|i| i.checked_sub(1))))
        })
    }

    /// All sites moved down by so many bits.
    #[inline]
    pub fn down(&self, by: u32) -> Bits<W> {
        if W == 1 {
            return Bits([self.0[0].checked_shr(by).unwrap_or(0); W]);
        }
        let (words, bits) = ((by / 64) as usize, by % 64);
        let word = |i: usize| self.0.get(i).copied().unwrap_or(0);
        let merged = |at: u64, above: u64| at >> bits | above << 1 << (63 - bits);
        if words == 0 {
            return Bits::each(|i| merged(self.0[i], word(i + 1)));
        }
        Bits::each(|i| merged(word(i + words), word(i + words + 1)))
    }
}

/// An operator on sets, word by word.
macro_rules! by_word {
    ($trait:ident, $name:ident, |$a:ident, $b:ident| $word:expr) => {
        impl<const W: usize> std::ops::$trait for Bits<W> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Bits::each(|i| {
                    let ($a, $b) = (self.0[i], other.0[i]);
                    $word
                })
            }
        }
    };
}
by_word!(BitAnd, bitand, |a, b| a & b);
by_word!(BitOr, bitor, |a, b| a | b);
by_word!(BitXor, bitxor, |a, b| a ^ b);
by_word!(Sub, sub, |a, b| a & !b);

impl<const W: usize> FromIterator<usize> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(sites: I) -> Self {
        let mut set = Bits::EMPTY;
        for site in sites {
            set.insert(site);
        }
        set
    }
}

impl<const W: usize> FromIterator<Site> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = Site>>(sites: I) -> Self {
        sites.into_iter().map(Site::index).collect()
    }
}

/// The sites of a set, lowest first.
#[derive(Clone, Debug)]
pub struct BitsIter<const W: usize> {
    rest: Bits<W>,
    at: usize,
}

impl<const W: usize> Iterator for BitsIter<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.at < W {
            let word = &mut self.rest.0[self.at];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.at * 64 + bit);
            }
            self.at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_cross_words() {
        let set: Bits<3> = [0usize, 63, 64, 100, 191].into_iter().collect();
        for by in [-130, -64, -1, 0, 1, 63, 64, 65, 130] {
            let slow: Bits<3> =
                set.iter().filter_map(|s| usize::try_from(s as i32 + by).ok()).filter(|s| *s < 192).collect();
            assert_eq!(set.shift(by), slow, "by {by}");
        }
    }

    #[test]
    fn shifts_of_one_word_leave_it() {
        let set: Bits<1> = [0usize, 5, 63].into_iter().collect();
        for by in [-70, -64, -63, -1, 0, 1, 5, 63, 64, 70] {
            let slow: Bits<1> =
                set.iter().filter_map(|s| usize::try_from(s as i32 + by).ok()).filter(|s| *s < 64).collect();
            assert_eq!(set.shift(by), slow, "by {by}");
        }
    }

    #[test]
    fn nth_walks_in_order() {
        let set: Bits<2> = [3usize, 64, 70].into_iter().collect();
        let listed: Vec<_> = (0..4).map(|k| set.nth(k)).collect();
        assert_eq!(listed, [Some(3), Some(64), Some(70), None]);
        assert_eq!((set.first(), set.last()), (Some(3), Some(70)));
    }
}
