//! The transposition table: results of searches by the hash of the position.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use branches::prefetch_read_data;

use crate::play::Move;
use crate::search::memory::zeroed;

/// The kind of a stored value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// The position is worth exactly this.
    Exact,
    /// At least this: a move was too good to look further.
    Lower,
    /// At most this: no move reached the bound.
    Upper,
}

/// The stored result of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub value: i32,
    /// The best move, or the one that was too good; none where no move was.
    pub best: Option<Move>,
    pub depth: i32,
    pub bound: Bound,
}

/// Entries in buckets of [`WAYS`]. A new entry takes the place of the oldest and least deep of its bucket.
///
/// An entry is two words: the value and the move, then the hash, whose low bits give way to depth, bound and age. The
/// second is mixed with the first, so that an entry with one word of another thread is no entry (Hyatt and
/// Mann, ICGA Journal 2002).
#[derive(Debug)]
pub(super) struct Table {
    words: Box<[AtomicU64]>,
    /// Words before the first bucket, so that a bucket is one line of the cache.
    skip: usize,
    buckets: usize,
    /// For how many bytes it was made; the system may not have had so many.
    asked: usize,
}

/// Entries of a bucket, and its words.
const WAYS: usize = 4;
const WORDS: usize = 2 * WAYS;

/// The bits of a hash that an entry keeps.
const KEPT: u64 = !0xffff;

/// Stands for no move: no program has so many moves.
const NONE: u32 = u32::MAX;

/// The depth that is stored for 0.
const GROUND: i32 = 16;

impl Table {
    /// A table of about so many bytes, or of as many as there are.
    pub fn new(bytes: usize) -> Table {
        let buckets = (bytes / (WORDS * size_of::<u64>())).max(1);
        let words: Box<[AtomicU64]> = zeroed((buckets + 1) * WORDS);
        let skip = words.as_ptr().align_offset(WORDS * size_of::<u64>()).min(WORDS);
        let buckets = (words.len() / WORDS).saturating_sub(1);
        Table { words, skip, buckets, asked: bytes }
    }

    /// For how many bytes it was made.
    pub fn asked(&self) -> usize {
        self.asked
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &[AtomicU64] {
        // The high half of the product: as good as a remainder, and quicker.
        let bucket = ((u128::from(hash) * self.buckets as u128) >> 64) as usize;
        let at = self.skip + bucket * WORDS;
        self.words.get(at..at + WORDS).unwrap_or(&[])
    }

    /// Begins to bring the bucket of a position into the cache, while other things are done.
    #[inline]
    pub fn fetch(&self, hash: u64) {
        prefetch_read_data::<_, 0>(self.bucket(hash).as_ptr());
    }

    /// The stored result of a position.
    #[inline]
    pub fn get(&self, hash: u64) -> Option<Entry> {
        self.bucket(hash).as_chunks().0.iter().find_map(|[first, second]| {
            let found = first.load(Relaxed);
            let rest = second.load(Relaxed) ^ found;
            (rest & KEPT == hash & KEPT && rest & 0xffff != 0).then(|| read(found, rest))
        })
    }

    /// Stores the result of a search of some age, from 0 to 63.
    pub fn put(&self, hash: u64, entry: Entry, age: u8) {
        let mut place = None;
        let mut least = i32::MAX;
        let mut kept = None;
        for [first, second] in self.bucket(hash).as_chunks().0 {
            let found = first.load(Relaxed);
            let rest = second.load(Relaxed) ^ found;
            // The same position first, then a free place, then the least worth.
            let known = rest & 0xffff != 0;
            if known && rest & KEPT == hash & KEPT {
                (place, kept) = (Some((first, second)), read(found, rest).best);
                break;
            }
            let old = i32::from(age.wrapping_sub(rest as u8) & 63);
            let worth = if known { read(found, rest).depth - 8 * old } else { i32::MIN };
            if worth < least {
                (place, least) = (Some((first, second)), worth);
            }
        }
        let Some((first, second)) = place else { return };
        let best = entry.best.or(kept).map_or(NONE, |number| number.0);
        let found = u64::from(best) << 32 | u64::from(entry.value as u32);
        let bound = match entry.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        let depth = (entry.depth + GROUND).clamp(0, 255) as u64;
        let rest = hash & KEPT | depth << 8 | bound << 6 | u64::from(age & 63);
        first.store(found, Relaxed);
        second.store(rest ^ found, Relaxed);
    }
}

#[inline]
fn read(found: u64, rest: u64) -> Entry {
    let number = (found >> 32) as u32;
    Entry {
        value: found as u32 as i32,
        best: (number != NONE).then_some(Move(number)),
        depth: (rest >> 8 & 255) as i32 - GROUND,
        bound: match rest >> 6 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hash that falls into the only bucket.
    fn hash(number: u64) -> u64 {
        number << 16
    }

    fn entry(value: i32, best: Option<Move>, depth: i32, bound: Bound) -> Entry {
        Entry { value, best, depth, bound }
    }

    #[test]
    fn the_deep_and_the_young_stay() {
        let table = Table::new(1);
        for (number, depth) in [(1, 9), (2, 1), (3, 8), (4, 7)] {
            table.put(hash(number), entry(0, None, depth, Bound::Exact), 5);
        }
        table.put(hash(5), entry(-50, Some(Move(7)), 3, Bound::Lower), 5);
        assert!(table.get(hash(2)).is_none());
        assert_eq!(table.get(hash(5)), Some(entry(-50, Some(Move(7)), 3, Bound::Lower)));
        // A result without a move keeps the known one.
        table.put(hash(5), entry(60, None, -1, Bound::Upper), 5);
        assert_eq!(table.get(hash(5)), Some(entry(60, Some(Move(7)), -1, Bound::Upper)));
        table.put(hash(6), entry(0, None, 2, Bound::Exact), 6);
        table.put(hash(7), entry(0, None, 2, Bound::Exact), 6);
        assert!(table.get(hash(6)).is_some() && table.get(hash(7)).is_some());
        assert!(table.get(hash(1)).is_some() && table.get(hash(5)).is_none());
    }

    #[test]
    fn a_table_is_as_large_as_there_is_memory() {
        let asked = usize::MAX / 4;
        let table = Table::new(asked);
        assert!(table.buckets > 0 && table.words.len() >= table.skip + table.buckets * WORDS);
        table.put(!0, entry(5, None, 4, Bound::Exact), 0);
        assert_eq!(table.get(!0), Some(entry(5, None, 4, Bound::Exact)));
        // It is not made anew for each choice.
        assert_eq!(table.asked(), asked);
    }

    #[test]
    fn half_an_entry_is_none() {
        let table = Table::new(1);
        table.put(hash(1), entry(5, Some(Move(3)), 4, Bound::Exact), 0);
        let place = table.bucket(hash(1)).iter().position(|word| word.load(Relaxed) != 0).unwrap();
        let word = &table.bucket(hash(1))[place];
        word.store(word.load(Relaxed) ^ (1 << 40), Relaxed);
        assert!(table.get(hash(1)).is_none());
    }
}
