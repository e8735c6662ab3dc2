//! The turn starts of a game, by hash.

/// The hashes of the positions in which turns started, oldest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    hashes: Vec<u64>,
}

impl Default for History {
    fn default() -> History {
        History::new()
    }
}

impl History {
    /// An empty history with room for a long game.
    pub fn new() -> History {
        History { hashes: Vec::with_capacity(1024) }
    }

    /// Adds a turn start.
    pub fn push(&mut self, hash: u64) {
        self.hashes.push(hash);
    }

    /// Takes the last turn start back.
    pub fn pop(&mut self) -> Option<u64> {
        self.hashes.pop()
    }

    /// How often a hash occurs.
    pub fn count(&self, hash: u64) -> usize {
        self.hashes.iter().filter(|h| **h == hash).count()
    }

    /// How many turn starts it holds. A move adds none or one: whoever takes moves back notes the
    /// length before and truncates to it.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Forgets all but the first `len` turn starts.
    pub fn truncate(&mut self, len: usize) {
        self.hashes.truncate(len);
    }

    /// Becomes a copy of another history, in the memory it has.
    pub fn copy_from(&mut self, other: &History) {
        self.hashes.clear();
        self.hashes.extend_from_slice(&other.hashes);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.hashes.clear();
    }
}
