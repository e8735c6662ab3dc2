//! Random choices of a seed.

use farrier::play::Rng;

/// Throws dice: every choice that makes a definition comes from here.
pub struct Dice(Rng);

impl Dice {
    /// The dice of a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(Rng::new(seed))
    }

    /// A number below `n`.
    pub fn pick(&mut self, n: usize) -> usize {
        self.0.pick(n)
    }

    /// A number from `low` to `high`, both ends included.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.pick((high - low + 1).max(1) as usize) as i32
    }

    /// True once in `n` throws.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.pick(n) == 0
    }

    /// One of some; a list that is not empty.
    pub fn of<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.pick(list.len())]
    }

    /// One of some, if there are any.
    pub fn any<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        list.get(self.pick(list.len())).cloned()
    }

    /// Puts a list into random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        self.0.shuffle(list);
    }
}
