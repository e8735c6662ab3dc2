//! Sums that do not depend on the order of additions. They make one comparison of its shards.
//!
//! Sums of floating-point numbers depend on their order. So a value is taken as a whole number of
//! 2^-32, and whole numbers are added: exact, and alike on one thread, on many, and in files that are merged.
//! Values are held within 2^31 both ways.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::statistics::Moments;

/// More than any run counts. Two such numbers can be added.
const MAX_COUNT: u64 = 1 << 60;

/// A count over games. The parts may be put together in any order.
pub(super) trait Additive {
    /// Adds another part.
    fn add_all(&mut self, other: &Self);

    /// Whether all numbers are such that a run could have counted them. Those of a file are not trusted.
    fn is_plausible(&self) -> bool;
}

/// Adds the named fields one by one.
macro_rules! additive {
    ($of:ty { $($field:tt),* }) => {
        impl $crate::compare::sums::Additive for $of {
            fn add_all(&mut self, other: &Self) {
                $($crate::compare::sums::Additive::add_all(&mut self.$field, &other.$field);)*
            }

            fn is_plausible(&self) -> bool {
                $($crate::compare::sums::Additive::is_plausible(&self.$field))&&*
            }
        }
    };
}
pub(super) use additive;

impl Additive for u64 {
    fn add_all(&mut self, other: &u64) {
        *self = self.saturating_add(*other);
    }

    fn is_plausible(&self) -> bool {
        *self <= MAX_COUNT
    }
}

/// The name of what is counted is the same in all parts.
impl Additive for String {
    fn add_all(&mut self, _: &String) {}

    fn is_plausible(&self) -> bool {
        true
    }
}

impl<A: Additive, B: Additive> Additive for (A, B) {
    fn add_all(&mut self, other: &(A, B)) {
        self.0.add_all(&other.0);
        self.1.add_all(&other.1);
    }

    fn is_plausible(&self) -> bool {
        self.0.is_plausible() && self.1.is_plausible()
    }
}

impl<T: Additive, const N: usize> Additive for [T; N] {
    fn add_all(&mut self, other: &[T; N]) {
        self.iter_mut().zip(other).for_each(|(to, from)| to.add_all(from));
    }

    fn is_plausible(&self) -> bool {
        self.iter().all(T::is_plausible)
    }
}

impl<T: Additive + Default> Additive for Vec<T> {
    fn add_all(&mut self, other: &Vec<T>) {
        self.resize_with(self.len().max(other.len()), T::default);
        self.iter_mut().zip(other).for_each(|(to, from)| to.add_all(from));
    }

    fn is_plausible(&self) -> bool {
        self.iter().all(T::is_plausible)
    }
}

impl<K: Clone + Ord, T: Additive + Default> Additive for BTreeMap<K, T> {
    fn add_all(&mut self, other: &BTreeMap<K, T>) {
        other.iter().for_each(|(key, from)| self.entry(key.clone()).or_default().add_all(from));
    }

    fn is_plausible(&self) -> bool {
        self.values().all(T::is_plausible)
    }
}

/// Parts of one.
const ONE: f64 = 4_294_967_296.0;

/// Number, sum, sum of squares and range of values.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Sum {
    /// How many.
    pub n: u64,
    /// Their sum, in parts.
    sum: i128,
    /// The sum of their squares in squared parts, modulo 2^128.
    squares: u128,
    /// The least and the greatest, in parts.
    range: [i64; 2],
}

impl Sum {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        let parts = (value * ONE).round() as i64;
        let square = i128::from(parts) * i128::from(parts);
        self.add_all(&Sum {
            n: 1,
            sum: i128::from(parts),
            squares: square.unsigned_abs(),
            range: [parts, parts],
        });
    }

    /// Adds a value so many times.
    pub fn add_times(&mut self, value: f64, times: u64) {
        if times > 0 {
            let mut one = Sum::default();
            one.add(value);
            let squares = one.squares.wrapping_mul(u128::from(times));
            self.add_all(&Sum { n: times, sum: one.sum * i128::from(times), squares, ..one });
        }
    }

    /// How many of zeros and ones are ones.
    pub fn ones(&self) -> u64 {
        u64::try_from(self.sum >> 32).unwrap_or(0)
    }

    /// Mean and spread; none of nothing.
    pub fn moments(&self) -> Option<Moments> {
        let n = i128::from(self.n);
        let mean = (self.n > 0).then(|| self.sum as f64 / self.n as f64 / ONE)?;
        let span = (i128::from(self.range[1]) - i128::from(self.range[0])) as f64;
        // Squared distances from the whole number below the mean. They are below 2^128, so that the remainder is all
        // of them, but for values so far apart that only the most their range allows is known.
        let base = self.sum.div_euclid(n);
        let rest = self.sum - base * n;
        let about = self.squares.wrapping_sub(base.wrapping_mul(self.sum.wrapping_add(rest)) as u128);
        let most = self.n as f64 * span * span;
        let squares =
            if most < 3e38 { about as f64 - rest as f64 * rest as f64 / n as f64 } else { most / 4.0 };
        let variance = match self.n {
            0 | 1 => 0.0,
            _ if span == 0.0 => 0.0,
            n => (squares / (n - 1) as f64 / ONE / ONE).max(0.0),
        };
        Some(Moments { n: self.n, mean, variance })
    }
}

impl Additive for Sum {
    fn add_all(&mut self, other: &Sum) {
        self.range = match (self.n, other.n) {
            (_, 0) => self.range,
            (0, _) => other.range,
            _ => [self.range[0].min(other.range[0]), self.range[1].max(other.range[1])],
        };
        self.n.add_all(&other.n);
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.wrapping_add(other.squares);
    }

    fn is_plausible(&self) -> bool {
        let [low, high] = self.range.map(|end| i128::from(end) * i128::from(self.n));
        self.n.is_plausible() && (low..=high).contains(&self.sum)
    }
}

/// How often each whole number came.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts(BTreeMap<i64, u64>);

additive!(Counts { 0 });

impl Counts {
    /// Adds a number. Of large ones only the first sixteen binary digits are kept, so that there are never many.
    pub fn add(&mut self, value: i64) {
        let spare = 48u32.saturating_sub(value.unsigned_abs().leading_zeros());
        *self.0.entry(value >> spare << spare).or_default() += 1;
    }

    /// The numbers in order, each with how often it came.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        self.0.iter().map(|(value, n)| (*value, *n))
    }

    /// How many numbers.
    pub fn total(&self) -> u64 {
        self.0.values().fold(0, |all: u64, n| all.saturating_add(*n))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number that so great a share is not above: nearest rank.
    pub fn quantile(&self, share: f64) -> Option<i64> {
        let rank = ((share * self.total() as f64).ceil() as u64).max(1);
        let mut seen = 0u64;
        self.iter()
            .find(|(_, n)| {
                // Sums that were read from a file may be of any size.
                seen = seen.saturating_add(*n);
                seen >= rank
            })?
            .0
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Rng;

    #[test]
    fn sums_are_the_figures_of_the_values() {
        let mut rng = Rng::new(5);
        for (low, wide) in [(0, 2), (-40, 80), (1_000_000, 7), (-2_000_000_000, 4_000_000)] {
            let values: Vec<f64> =
                (0..900).map(|_| f64::from(low) + rng.pick(wide * 16) as f64 / 16.0).collect();
            let mut sum = Sum::default();
            values.iter().for_each(|value| sum.add(*value));
            let (found, wanted) = (sum.moments().unwrap(), Moments::of(&values).unwrap());
            assert!((found.mean - wanted.mean).abs() <= 1e-12 * wanted.mean.abs().max(1.0), "{low} {wide}");
            assert!((found.variance / wanted.variance - 1.0).abs() < 1e-9, "{low}: {found:?} {wanted:?}");
        }
        assert_eq!(Sum::default().moments(), None);
    }

    #[test]
    fn it_does_not_matter_what_comes_first() {
        let values: Vec<f64> = (1..400).map(|i| 1.0 / f64::from(i)).collect();
        let of = |values: &mut dyn Iterator<Item = &f64>| {
            let mut sum = Sum::default();
            values.for_each(|value| sum.add(*value));
            sum
        };
        let mut parts: Vec<Sum> = values.chunks(7).map(|part| of(&mut part.iter())).collect();
        parts.reverse();
        let mut merged = Sum::default();
        parts.iter().for_each(|part| merged.add_all(part));
        assert_eq!(merged, of(&mut values.iter()));
        let text = serde_json::to_string(&merged).unwrap();
        assert_eq!(serde_json::from_str::<Sum>(&text).unwrap(), merged);
    }

    #[test]
    fn what_is_far_apart_spreads_at_most_as_its_range_allows() {
        let mut sum = Sum::default();
        (0..1_000_000).for_each(|i| sum.add(if i % 2 == 0 { 2e9 } else { -2e9 }));
        assert!((sum.moments().unwrap().variance / 4e18 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn there_are_never_many_counts() {
        let mut counts = Counts::default();
        (0..3_000_000).for_each(|i| counts.add(i * 1000));
        assert!(counts.iter().count() < 700_000);
        assert_eq!(counts.total(), 3_000_000);
        let mut few = Counts::default();
        [5, 1, 3, -2, 3].into_iter().for_each(|n| few.add(n));
        assert_eq!([0.0, 0.5, 0.8, 1.0].map(|q| few.quantile(q)), [-2, 3, 3, 5].map(Some));
        assert_eq!(Counts::default().quantile(0.5), None);
    }
}
