//! The transposition table: what was found of positions, by hash.

use crate::play::Move;

/// What a stored value says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// The position is worth exactly this.
    Exact,
    /// At least this: a move was too good to look further.
    Lower,
    /// At most this: no move reached what was asked for.
    Upper,
}

/// What was found of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    pub value: i32,
    /// The best move, or the one that was too good; none where no move was.
    pub best: Option<Move>,
    pub depth: i8,
    pub bound: Bound,
    age: u8,
}

/// Entries in buckets of [`WAYS`]. A new entry takes the place of the oldest and least deep of its bucket.
#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<Option<Entry>>,
    age: u8,
}

/// Entries of a bucket.
const WAYS: usize = 4;

impl Table {
    /// A table of about so many bytes.
    pub fn new(bytes: usize) -> Table {
        let buckets = (bytes / (WAYS * size_of::<Option<Entry>>())).max(1);
        Table { entries: vec![None; buckets * WAYS], age: 0 }
    }

    /// Makes it about so large where it is less than half of that; then what is known is lost.
    pub fn reach(&mut self, bytes: usize) {
        if self.entries.len() * size_of::<Option<Entry>>() < bytes / 2 {
            *self = Table::new(bytes);
        }
    }

    /// A new search begins: what is there grows older.
    pub fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    fn bucket(&self, hash: u64) -> usize {
        let buckets = (self.entries.len() / WAYS) as u64;
        // The high half of the product: as good as a remainder, and quicker.
        ((u128::from(hash) * u128::from(buckets)) >> 64) as usize * WAYS
    }

    /// What is known of a position.
    pub fn get(&self, hash: u64) -> Option<Entry> {
        let at = self.bucket(hash);
        self.entries.get(at..at + WAYS)?.iter().flatten().find(|entry| entry.key == hash).copied()
    }

    /// Stores what was found.
    pub fn put(&mut self, hash: u64, value: i32, best: Option<Move>, depth: i32, bound: Bound) {
        let (at, age) = (self.bucket(hash), self.age);
        let Some(bucket) = self.entries.get_mut(at..at + WAYS) else { return };
        let worth = |entry: &Option<Entry>| match entry {
            None => i32::MIN,
            Some(entry) if entry.key == hash => i32::MIN + 1,
            Some(entry) => i32::from(entry.depth) - 8 * i32::from(age.wrapping_sub(entry.age)),
        };
        // The same position first, then a free place, then the least worth.
        let same = bucket.iter().position(|e| e.is_some_and(|e| e.key == hash));
        let place = same.or_else(|| (0..WAYS).min_by_key(|i| bucket.get(*i).map_or(0, worth)));
        let Some(entry) = place.and_then(|place| bucket.get_mut(place)) else { return };
        let best = best.or(entry.filter(|e| e.key == hash).and_then(|e| e.best));
        let depth = i8::try_from(depth.clamp(-1, 127)).unwrap_or(0);
        *entry = Some(Entry { key: hash, value, best, depth, bound, age });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deep_and_the_young_stay() {
        let mut table = Table::new(1);
        for (hash, depth) in [(1, 9), (2, 1), (3, 8), (4, 7)] {
            table.put(hash, 0, None, depth, Bound::Exact);
        }
        table.put(5, 50, Some(Move(7)), 3, Bound::Lower);
        assert!(table.get(2).is_none());
        assert_eq!(table.get(5).map(|e| (e.value, e.best)), Some((50, Some(Move(7)))));
        // What is found again without a move keeps the one that is known.
        table.put(5, 60, None, 4, Bound::Upper);
        assert_eq!(table.get(5).map(|e| (e.value, e.best, e.depth)), Some((60, Some(Move(7)), 4)));
        table.grow_older();
        table.put(6, 0, None, 2, Bound::Exact);
        table.put(7, 0, None, 2, Bound::Exact);
        assert!(table.get(6).is_some() && table.get(7).is_some() && table.get(1).is_some());
    }
}
