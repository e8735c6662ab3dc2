//! Measurements of a game's speed, without a clock.
//!
//! ```text
//! machine + start -> Work -> slice: pieces of the same work, until the caller says stop -> Amount
//!                                              amounts / seconds of several slices -> Spread
//! ```
//!
//! A [`Work`] is cloned for each thread. The caller has the clock: it says when a slice is over and how
//! long it took. A slice is short, and many are taken: the median is the speed, and the spread
//! between lowest and highest is the load of other work.

use super::perft::{Leaves, Perft};
use super::playout::{Space, play_from};
use crate::play::{Machine, Moves, Position, Rng};

/// Work that can be done again and again.
#[derive(Clone, Debug)]
pub enum Work {
    /// Perft counts; the units are nodes at the full depth.
    Perft(Box<Counting>),
    /// Playouts; the units are plies.
    Playouts(Box<Playouts>),
    /// Arithmetic that needs no memory and shares nothing: its gain by more threads is the gain that the machine
    /// allows any work. The units are steps of [`Yardstick`].
    Yardstick(Yardstick),
}

/// Numbers that change independently of each other, so that several units of a processor have work, as in a
/// game: where two threads share one processor's units, this feels it.
#[derive(Clone, Debug)]
pub struct Yardstick([u64; 4]);

impl Default for Yardstick {
    fn default() -> Yardstick {
        Yardstick([1, 3, 5, 7])
    }
}

impl Yardstick {
    /// Steps in a piece.
    const STEPS: u64 = 1000;

    fn piece(&mut self) -> u64 {
        // A product of two words is made by no vector unit: each number goes its own way.
        let next = |n: u64| {
            let product = u128::from(n) * 0x9e37_79b9_7f4a_7c15;
            (product >> 64) as u64 ^ product as u64
        };
        let [mut a, mut b, mut c, mut d] = self.0;
        for _ in 0..Self::STEPS {
            (a, b, c, d) = (next(a), next(b), next(c), next(d));
        }
        self.0 = std::hint::black_box([a, b, c, d]);
        Self::STEPS
    }
}

/// A perft that is counted again and again.
#[derive(Clone, Debug)]
pub struct Counting {
    /// Its machine.
    pub machine: Machine,
    /// Where it begins.
    pub start: Position,
    /// How many plies deep.
    pub depth: u32,
    /// How the leaves are counted.
    pub leaves: Leaves,
}

/// Playouts from one position, one after the other, with the space that they need.
#[derive(Clone, Debug)]
pub struct Playouts {
    machine: Machine,
    start: Position,
    first: Moves,
    pos: Position,
    rng: Rng,
    most: u32,
    space: Space,
}

/// The work of a slice.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Amount {
    /// Whole pieces: perft counts or playouts.
    pub pieces: u64,
    /// Nodes or plies.
    pub units: u64,
}

impl Playouts {
    /// Playouts from a start, each of at most so many plies; the seed begins one stream for all of them.
    pub fn new(mut machine: Machine, mut start: Position, seed: u64, most: u32) -> Playouts {
        let mut first = Moves::new();
        machine.moves(&start, &mut first);
        machine.settle_hash(&mut start);
        let (pos, rng, space) = (start.clone(), Rng::new(seed), Space::default());
        Playouts { machine, pos, start, first, rng, most, space }
    }

    /// The same playouts with another stream of random numbers.
    pub fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    /// Plays one game and says who won; gives back its plies.
    pub fn one(&mut self) -> u32 {
        self.pos.copy_from(&self.start);
        let Playouts { machine, pos, first, rng, most, space, .. } = self;
        let played = play_from(space, machine, pos, first, rng, *most);
        std::hint::black_box(played).plies
    }
}

impl Work {
    /// Does pieces, at least one, as long as there is time. It is asked after the first few pieces, then
    /// ever more seldom: never more than 3 % too late, and never so often that asking is felt.
    pub fn slice(&mut self, time: impl FnMut() -> bool) -> Amount {
        match self {
            Work::Perft(counting) => {
                let Counting { machine, start, depth, leaves } = &mut **counting;
                let mut perft = Perft::new(machine, *leaves);
                repeat(time, || perft.count(start, *depth))
            }
            Work::Playouts(playouts) => repeat(time, || u64::from(playouts.one())),
            Work::Yardstick(yardstick) => repeat(time, || yardstick.piece()),
        }
    }
}

fn repeat(mut time: impl FnMut() -> bool, mut piece: impl FnMut() -> u64) -> Amount {
    let mut done = Amount::default();
    let mut ask = 1;
    loop {
        done.units += piece();
        done.pieces += 1;
        if done.pieces >= ask {
            if !time() {
                return done;
            }
            ask = done.pieces + done.pieces / 32 + 1;
        }
    }
}

/// Several measurements of one thing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The one in the middle; of an even number the mean of the two there.
    pub median: f64,
    /// The smallest.
    pub lowest: f64,
    /// The largest.
    pub highest: f64,
}

impl Spread {
    /// Of at least one measurement.
    pub fn of(mut values: Vec<f64>) -> Option<Spread> {
        values.sort_by(f64::total_cmp);
        let (lowest, highest) = (*values.first()?, *values.last()?);
        let middle = values.len() / 2;
        let upper = *values.get(middle)?;
        let lower = if values.len() % 2 == 1 { upper } else { *values.get(middle - 1)? };
        Some(Spread { median: (lower + upper) / 2.0, lowest, highest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let odd = Spread::of(vec![9.0, 1.0, 2.0]).unwrap();
        assert_eq!((odd.median, odd.lowest, odd.highest), (2.0, 1.0, 9.0));
        assert_eq!(Spread::of(vec![4.0, 1.0, 2.0, 9.0]).unwrap().median, 3.0);
        assert_eq!(Spread::of(vec![7.0]).unwrap().median, 7.0);
        assert!(Spread::of(Vec::new()).is_none());
    }

    #[test]
    fn a_slice_ends_when_the_time_does() {
        let one = repeat(|| false, || 5);
        assert_eq!(one, Amount { pieces: 1, units: 5 });
        let mut asked = 0;
        let many = repeat(
            || {
                asked += 1;
                asked < 200
            },
            || 2,
        );
        assert_eq!(many.units, 2 * many.pieces);
        assert!(many.pieces > 500, "it is asked ever more seldom: {many:?}");
    }
}
