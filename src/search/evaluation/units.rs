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
