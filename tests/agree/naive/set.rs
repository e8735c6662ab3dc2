//! Sets of sites and of kinds. Those of the library are not used: what is compared with it should share nothing.

use std::iter::from_fn;
use std::ops::{BitAnd, BitOr, Sub};

/// A set of small numbers, a bit for each: most of what the naive evaluator does is to make sets and to walk them, so
/// those of most boards need no memory of their own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Set {
    few: [u64; FEW],
    /// The words after these. There is no empty word at the end, so equal sets have equal words.
    more: Vec<u64>,
}

const FEW: usize = 2;

impl Set {
    /// No member.
    pub fn new() -> Set {
        Set::default()
    }

    /// Puts a number in.
    #[inline]
    pub fn insert(&mut self, member: usize) {
        let w = member / 64;
        if w >= self.words() {
            self.more.resize(w + 1 - FEW, 0);
        }
        let word = if w < FEW { &mut self.few[w] } else { &mut self.more[w - FEW] };
        *word |= 1 << (member % 64);
    }

    /// So many words hold all members.
    #[inline]
    fn words(&self) -> usize {
        FEW + self.more.len()
    }

    /// A word of it; one that is missing is empty.
    #[inline]
    fn word(&self, w: usize) -> u64 {
        if w < FEW { self.few[w] } else { self.more.get(w - FEW).copied().unwrap_or(0) }
    }

    /// Whether a number is in it.
    #[inline]
    pub fn contains(&self, member: usize) -> bool {
        self.word(member / 64) >> (member % 64) & 1 == 1
    }

    /// Its members, the lowest first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let (mut w, mut rest) = (0, self.few[0]);
        from_fn(move || {
            while rest == 0 {
                w += 1;
                if w >= self.words() {
                    return None;
                }
                rest = self.word(w);
            }
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(64 * w + bit)
        })
    }

    /// How many members it has.
    pub fn len(&self) -> usize {
        (0..self.words()).map(|w| self.word(w).count_ones() as usize).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        (0..self.words()).all(|w| self.word(w) == 0)
    }

    /// Word by word with another.
    #[inline]
    fn with(&self, other: &Set, word: impl Fn(u64, u64) -> u64) -> Set {
        let at = |w: usize| word(self.word(w), other.word(w));
        let mut more: Vec<u64> = (FEW..self.words().max(other.words())).map(at).collect();
        while more.last() == Some(&0) {
            more.pop();
        }
        Set { few: std::array::from_fn(at), more }
    }
}

impl BitAnd for &Set {
    type Output = Set;

    fn bitand(self, other: &Set) -> Set {
        self.with(other, |a, b| a & b)
    }
}

impl BitOr for &Set {
    type Output = Set;

    fn bitor(self, other: &Set) -> Set {
        self.with(other, |a, b| a | b)
    }
}

impl Sub for &Set {
    type Output = Set;

    fn sub(self, other: &Set) -> Set {
        self.with(other, |a, b| a & !b)
    }
}

impl Extend<usize> for Set {
    fn extend<I: IntoIterator<Item = usize>>(&mut self, members: I) {
        members.into_iter().for_each(|member| self.insert(member));
    }
}

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(members: I) -> Set {
        let mut set = Set::new();
        set.extend(members);
        set
    }
}
