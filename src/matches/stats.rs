//! How much a score says: Elo differences, their intervals, and when a match may stop.
//!
//! Games come in *rounds*: from one opening each agent has each seat once, so with two agents a round is a pair of
//! games. The games of a round hang together by their opening, so the unit is the share `x` of the points of
//! a round that an agent got: for a pair 0, 1/4, 1/2, 3/4 or 1 (the five of the *pentanomial* model).
//!
//! | what | how |
//! | --- | --- |
//! | score `s` | the mean of `x` over the rounds |
//! | its error | `sqrt(v / n)` with the variance `v` of `x` over `n` rounds (with `n - 1`); 95 % are 1.96 errors. Where all rounds are alike `v` says nothing: then it is Wilson's interval (1927) of `n` rounds |
//! | Elo difference | `400 log10(s / (1 - s))`, of the score and of the ends of its interval |
//! | likelihood of superiority | the normal distribution at `(s - 1/2) / error` |
//! | whether to stop | the generalized sequential probability ratio test (Li, Liu, Ying 2014) of `s0` against `s1`, which are what the two Elo differences make of `s`: `sum n_i ln(q1_i / q0_i)` over the five outcomes, where `q0` and `q1` are the likeliest distributions with the means `s0` and `s1` (Van den Bergh, "A practical introduction to the GSPRT", as used by Fishtest). Counts of 0 are taken as 1/1000. At `ln((1 - beta) / alpha)` the second is accepted, at `ln(beta / (1 - alpha))` the first; alpha and beta are 0.05 |

use statrs::distribution::{ContinuousCDF, Normal};

use crate::statistics::{Estimate, Moments, wilson_of, z_quantile};

/// How sure intervals are.
const CONFIDENCE: f64 = 0.95;

/// The chance of either mistake of the sequential test.
pub const ERROR: f64 = 0.05;

/// The Elo difference that a score is; infinite for 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score that an Elo difference is.
pub fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A score and its interval in Elo.
pub fn in_elo(score: Estimate) -> Estimate {
    Estimate { value: elo(score.value), low: elo(score.low), high: elo(score.high), ..score }
}

/// The mean share of some rounds, with its interval of 95 %; none of no rounds.
pub fn mean(shares: &[f64]) -> Option<Estimate> {
    let moments = moments(shares)?;
    if moments.variance == 0.0 {
        return wilson_of(moments.mean, moments.n, CONFIDENCE);
    }
    let end = |by: f64| (moments.mean + by * moments.error2().sqrt()).clamp(0.0, 1.0);
    let z = z_quantile(CONFIDENCE);
    Some(Estimate::new(moments.mean, end(-z), end(z), moments.n))
}

/// The chance that an agent is better than one half, going by its shares; one half of no rounds.
pub fn superiority(shares: &[f64]) -> f64 {
    let Some(moments) = moments(shares) else { return 0.5 };
    let error = match moments.variance == 0.0 {
        // The error as if the next round had the other result.
        true => 0.5 / (moments.n as f64).sqrt(),
        false => moments.error2().sqrt(),
    };
    Normal::standard().cdf((moments.mean - 0.5) / error)
}

/// The moments of shares. Threads finish rounds in any order, and a sum in another order is rounded otherwise: so they
/// are added in the order of their size.
fn moments(shares: &[f64]) -> Option<Moments> {
    let mut shares = shares.to_vec();
    shares.sort_by(f64::total_cmp);
    Moments::of(&shares)
}

/// The shares that a pair of games can have.
pub const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The number of pairs with each of [`SHARES`].
pub fn pentanomial(shares: &[f64]) -> [u64; 5] {
    let mut counts = [0; 5];
    for x in shares {
        let place = (x * 4.0).round().clamp(0.0, 4.0) as usize;
        counts[place] += 1;
    }
    counts
}

/// The verdict of a sequential test so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Too little is known.
    GoOn,
    /// The first Elo difference is accepted.
    First,
    /// The second is.
    Second,
}

/// A sequential test of two Elo differences.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The first, lower one.
    pub elo0: f64,
    /// The second.
    pub elo1: f64,
}

impl Sprt {
    /// The bounds beyond which the test ends.
    pub fn bounds() -> (f64, f64) {
        ((ERROR / (1.0 - ERROR)).ln(), ((1.0 - ERROR) / ERROR).ln())
    }

    /// The logarithm of the ratio of the likelihoods.
    pub fn llr(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().all(|n| *n == 0) {
            return 0.0;
        }
        let counts = pairs.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let all: f64 = counts.iter().sum();
        let shares = counts.map(|n| n / all);
        let (first, second) = (likeliest(&shares, score(self.elo0)), likeliest(&shares, score(self.elo1)));
        counts.iter().zip(first.iter().zip(second)).map(|(n, (q0, q1))| n * (q1 / q0).ln()).sum()
    }

    /// The verdict.
    pub fn verdict(&self, pairs: &[u64; 5]) -> Verdict {
        let (low, high) = Sprt::bounds();
        match self.llr(pairs) {
            llr if llr >= high => Verdict::Second,
            llr if llr <= low => Verdict::First,
            _ => Verdict::GoOn,
        }
    }
}

/// The likeliest distribution over [`SHARES`] with a given mean, where `shares` were observed, none of them 0:
/// `p_i / (1 + t (a_i - mean))` with the one `t` for which the mean is right.
fn likeliest(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let part = |t: f64, i: usize| shares[i] / (1.0 + t * (SHARES[i] - mean));
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // The sum falls from infinity to minus infinity between these two.
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        let sum: f64 = (0..5).map(|i| part(middle, i) * (SHARES[i] - mean)).sum();
        if sum > 0.0 { low = middle } else { high = middle }
    }
    let t = (low + high) / 2.0;
    [0, 1, 2, 3, 4].map(|i| part(t, i))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} is not {b}");
    }

    fn shares(pairs: [u64; 5]) -> Vec<f64> {
        pairs.iter().zip(SHARES).flat_map(|(n, x)| std::iter::repeat_n(x, *n as usize)).collect()
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(elo(0.5), 0.0, 1e-12);
        close(elo(0.76), 200.24, 0.01);
        close(score(400.0), 10.0 / 11.0, 1e-12);
        for s in [0.01, 0.3, 0.5, 0.99] {
            close(score(elo(s)), s, 1e-12);
        }
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    /// By hand: the pairs 0, 1/4 x 2, 1/2 x 5, 3/4 x 6, 1 x 4 have the mean 11.5/18 and the error 0.06771.
    #[test]
    fn a_score_has_its_interval() {
        let pairs = shares([1, 2, 5, 6, 4]);
        let found = mean(&pairs).unwrap();
        close(found.value, 11.5 / 18.0, 1e-9);
        close(found.low, 11.5 / 18.0 - 1.96 * 0.067_707, 1e-4);
        let elo = in_elo(found);
        close(elo.value, 99.11, 0.01);
        close(elo.low, 4.30, 0.01);
        close(elo.high, 211.47, 0.01);
        close(superiority(&pairs), 0.97988, 1e-5);
        assert_eq!(pentanomial(&pairs), [1, 2, 5, 6, 4]);
    }

    #[test]
    fn the_order_of_rounds_does_not_matter() {
        let mut pairs = shares([1, 2, 5, 6, 1]);
        let first = (mean(&pairs), superiority(&pairs));
        for _ in 1..pairs.len() {
            pairs.rotate_left(1);
            assert_eq!((mean(&pairs), superiority(&pairs)), first);
        }
    }

    /// Published with cutechess: 449 wins, 276 losses and 275 draws are 60.7 +/- 18.5 Elo. These are single games.
    #[test]
    fn single_games_give_what_others_give() {
        let games = shares([276, 0, 275, 0, 449]);
        let elo = in_elo(mean(&games).unwrap());
        close(elo.value, 60.7, 0.05);
        close((elo.high - elo.low) / 2.0, 18.5, 0.1);
    }

    #[test]
    fn rounds_that_are_alike_do_not_prove_all() {
        assert_eq!(mean(&[]), None);
        let won = mean(&[1.0; 10]).unwrap();
        close(won.low, 0.7225, 1e-4);
        assert_eq!((won.value, won.high), (1.0, 1.0));
        let drawn = mean(&[0.5; 4]).unwrap();
        assert!(drawn.low < 0.2 && drawn.high > 0.8);
        close(superiority(&[0.5; 4]), 0.5, 1e-12);
        assert!(superiority(&[1.0; 10]) > 0.99 && superiority(&[1.0]) < 0.9);
    }

    /// The counts and what is decided are of the tests of other programs; the ratios were found by maximising the
    /// likelihood with another program.
    #[test]
    fn the_sequential_test_decides() {
        let llr = |elo0, elo1, pairs| Sprt { elo0, elo1 }.llr(&pairs);
        close(llr(0.0, 5.0, [485, 1923, 2942, 1937, 594]), 3.29328, 1e-4);
        close(llr(-10.0, 0.0, [261, 739, 2683, 737, 253]), 8.83713, 1e-4);
        close(llr(0.0, 10.0, [63, 252, 385, 250, 74]), -0.53070, 1e-4);
        close(llr(0.0, 5.0, [527, 1007, 1932, 933, 511]), -4.09309, 1e-4);
        close(llr(0.0, 20.0, [0, 0, 2, 0, 37]), 2.18049, 1e-4);
        close(llr(0.0, 10.0, [0; 5]), 0.0, 0.0);
        let verdict = |elo0, elo1, pairs| Sprt { elo0, elo1 }.verdict(&pairs);
        assert_eq!(verdict(0.0, 5.0, [485, 1923, 2942, 1937, 594]), Verdict::Second);
        assert_eq!(verdict(0.0, 10.0, [63, 252, 385, 250, 74]), Verdict::GoOn);
        assert_eq!(verdict(0.0, 10.0, [175, 305, 694, 291, 157]), Verdict::First);
        close(Sprt::bounds().1, 2.944, 1e-3);
    }
}
