//! Random choices that come out alike on every machine.

use rand::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;

/// A stream of random numbers.
///
/// The algorithm is fixed, so that a seed means the same playout everywhere: xoshiro256** whose state is
/// four outputs of splitmix64 from the seed; [`Rng::pick`] multiplies a 64-bit output by `n` and takes
/// the upper 64 bits of the product, drawing again while the lower ones are less than `2^64 mod n`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng(Xoshiro256StarStar);

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256StarStar::seed_from_u64(seed))
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, each equally likely; 0 if `n` is 0.
    #[inline]
    pub fn pick(&mut self, n: usize) -> usize {
        let n = n as u64;
        if n == 0 {
            return 0;
        }
        let mut product = u128::from(self.bits()) * u128::from(n);
        if (product as u64) < n {
            let unfair = n.wrapping_neg() % n;
            while (product as u64) < unfair {
                product = u128::from(self.bits()) * u128::from(n);
            }
        }
        (product >> 64) as usize
    }

    /// Puts values into random order.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        self.deal(values, values.len());
    }

    /// The last values, so many, become a random choice of them all, in random order: from the last one each changes
    /// places with one of those up to itself.
    pub fn deal<T>(&mut self, values: &mut [T], many: usize) {
        let least = values.len().saturating_sub(many).max(1);
        for last in (least..values.len()).rev() {
            let other = self.pick(last + 1);
            values.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_numbers_everywhere() {
        let mut rng = Rng::new(1);
        let bits: Vec<_> = (0..3).map(|_| rng.bits()).collect();
        // splitmix64(1) gives the state; the first output is rotl(s1 * 5, 7) * 9.
        let mut z = 1u64.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(2));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        assert_eq!(bits[0], z.wrapping_mul(5).rotate_left(7).wrapping_mul(9));
        assert_eq!(bits.len(), 3);
    }

    #[test]
    fn picks_are_below_and_spread() {
        let mut rng = Rng::new(7);
        let mut seen = [0; 5];
        for _ in 0..5000 {
            seen[rng.pick(5)] += 1;
        }
        assert!(seen.iter().all(|n| (800..1200).contains(n)), "{seen:?}");
        assert_eq!((rng.pick(0), rng.pick(1)), (0, 0));
        let mut values: Vec<_> = (0..10).collect();
        rng.shuffle(&mut values);
        values.sort_unstable();
        assert_eq!(values, (0..10).collect::<Vec<_>>());
        let mut dealt = [0; 10];
        for _ in 0..5000 {
            rng.deal(&mut values, 2);
            values[8..].iter().for_each(|value| dealt[*value] += 1);
        }
        assert!(dealt.iter().all(|n| (850..1150).contains(n)), "{dealt:?}");
    }
}
