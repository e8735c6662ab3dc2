//! The turn starts of a game, by hash.

/// How many buckets hashes fall on. A long game has fewer turn starts, so most have a bucket alone.
const BUCKETS: usize = 1024;

/// The hashes of the positions in which turns started, oldest first.
///
/// It has no memory before the first, and then enough for a long game: most games keep no history.
#[derive(Clone, Default, Debug)]
pub struct History {
    hashes: Vec<u64>,
    /// How many hashes fall on each bucket: one that has its bucket alone occurs once. Empty before the first hash.
    ///
    /// INVARIANT: these are the counts of `hashes`.
    buckets: Vec<u32>,
}

impl PartialEq for History {
    fn eq(&self, other: &History) -> bool {
        self.hashes == other.hashes
    }
}

impl Eq for History {}

/// Where a hash falls.
#[inline]
fn bucket(hash: u64) -> usize {
    hash as usize % BUCKETS
}

impl History {
    /// An empty history.
    pub fn new() -> History {
        History::default()
    }

    /// Memory for a long game.
    #[cold]
    fn make_room(&mut self) {
        self.buckets = vec![0; BUCKETS];
        self.hashes.reserve(BUCKETS);
    }

    /// Adds a turn start.
    #[inline]
    pub fn push(&mut self, hash: u64) {
        if self.buckets.is_empty() {
            self.make_room();
        }
        self.buckets[bucket(hash)] += 1;
        self.hashes.push(hash);
    }

    /// Takes the last turn start back.
    pub fn pop(&mut self) -> Option<u64> {
        let hash = self.hashes.pop()?;
        self.buckets[bucket(hash)] -= 1;
        Some(hash)
    }

    /// How often a hash occurs.
    #[inline]
    pub fn count(&self, hash: u64) -> usize {
        match self.buckets.get(bucket(hash)) {
            None | Some(0) => 0,
            Some(1) if self.hashes.last() == Some(&hash) => 1,
            _ => self.hashes.iter().filter(|h| **h == hash).count(),
        }
    }

    /// Whether the last hash was there before.
    pub fn repeats(&self) -> bool {
        self.hashes.last().is_some_and(|last| self.count(*last) > 1)
    }

    /// A checksum of the hashes, in any order.
    pub fn sum(&self) -> u64 {
        self.hashes.iter().fold(0, |sum: u64, hash| sum.wrapping_add(*hash))
    }

    /// How many turn starts it holds. A move adds none or one. To take a move back, note the length before it and
    /// truncate to that.
    #[inline]
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Forgets all but the first `len` turn starts.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        while self.hashes.len() > len {
            self.pop();
        }
    }

    /// Becomes a copy of another history, in the memory it has.
    #[inline]
    pub fn copy_from(&mut self, other: &History) {
        self.clear();
        other.hashes.iter().for_each(|hash| self.push(*hash));
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.truncate(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_counted_also_where_others_fall_on_its_place() {
        let mut history = History::new();
        let hashes = [5, 5 + BUCKETS as u64, 7, 5, 7 + 3 * BUCKETS as u64, 5];
        hashes.into_iter().for_each(|hash| history.push(hash));
        let counts = hashes.map(|hash| history.count(hash));
        assert_eq!(counts, [3, 1, 1, 3, 1, 3]);
        assert_eq!([history.count(7 + BUCKETS as u64), history.count(9)], [0, 0]);
        assert_eq!(history.pop(), Some(5));
        assert_eq!(history.count(5), 2);
        let mut other = History::new();
        other.push(9);
        other.copy_from(&history);
        history.truncate(2);
        assert_eq!((history.count(5), history.count(7), history.len()), (1, 0, 2));
        assert_eq!((other.count(5), other.count(7), other.count(9)), (2, 1, 0));
        history.clear();
        assert_eq!((history.count(5), history.is_empty()), (0, true));
        assert_eq!((history, History::new().count(5)), (History::new(), 0));
    }
}
