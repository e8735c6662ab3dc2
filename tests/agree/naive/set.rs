//! Sets of sites and of kinds. Those of the library are not used: what is compared with it should share nothing.

use std::iter::from_fn;
use std::ops::{BitAnd, BitOr, Sub};

/// A set of small numbers, a bit for each: most of what the naive evaluator does is to make sets and to walk them.
/// There is no empty word at the end, so equal sets have equal words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Set(Vec<u64>);

impl Set {
    /// No member.
    pub fn new() -> Set {
        Set::default()
    }

    /// Puts a number in.
    pub fn insert(&mut self, member: usize) {
        if self.0.len() <= member / 64 {
            self.0.resize(member / 64 + 1, 0);
        }
        self.0[member / 64] |= 1 << (member % 64);
    }

    /// Whether a number is in it.
    pub fn contains(&self, member: usize) -> bool {
        self.0.get(member / 64).is_some_and(|word| word >> (member % 64) & 1 == 1)
    }

    /// Its members, the lowest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(w, word)| {
            let mut rest = *word;
            from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(64 * w + bit)
            })
        })
    }

    /// How many members it has.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Word by word with another; a word that is missing is empty.
    fn with(&self, other: &Set, word: impl Fn(u64, u64) -> u64) -> Set {
        let of = |set: &Set, w: usize| set.0.get(w).copied().unwrap_or(0);
        let mut words: Vec<u64> =
            (0..self.0.len().max(other.0.len())).map(|w| word(of(self, w), of(other, w))).collect();
        while words.last() == Some(&0) {
            words.pop();
        }
        Set(words)
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
