//! The whole numbers that sums are made of.

/// So many make one logit.
pub const UNIT: f64 = 1024.0;

/// The greatest sum that is told: no evaluation looks like a proved result.
pub const MAX_SUM: i32 = 1 << 20;

/// Mobilities are the same from so many legal moves on.
pub(super) const CROWD: usize = 512;

/// A word of a position as a bit: words that are 64 apart share one.
#[inline]
pub(super) fn mask(word: usize) -> u64 {
    1 << (word % 64)
}

/// A weight in units.
pub(super) fn units(weight: f64) -> i32 {
    // INVARIANT: fitted weights are finite; the cast is saturating in any case.
    (weight * UNIT).round() as i32
}

/// A sum as a share of the point.
pub fn share(sum: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(sum) / UNIT).exp())
}

/// The sum that is worth a share of the point: the inverse of [`share`].
pub fn sum_worth(share: f64) -> i32 {
    let most = f64::from(MAX_SUM);
    ((share / (1.0 - share)).ln() * UNIT).round().clamp(-most, most) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_worth_its_share() {
        for sum in [-5000, -1, 0, 1024, 9000] {
            assert_eq!(sum_worth(share(sum)), sum);
        }
        assert_eq!([0.0, 1.0].map(sum_worth), [-MAX_SUM, MAX_SUM]);
        // One win in 36, all else level, is worth little more than level.
        let mean = (share(MAX_SUM) + 35.0 * share(0)) / 36.0;
        assert!((0..100).contains(&sum_worth(mean)), "{}", sum_worth(mean));
    }
}
