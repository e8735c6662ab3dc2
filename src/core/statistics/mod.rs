//! Estimates, their intervals, tests, corrections and sample sizes.
//!
//! | what | interval | test of a difference |
//! | --- | --- | --- |
//! | a share of games | Wilson's score interval (Wilson 1927) | two proportions: z with the pooled share; Fisher's exact test where fewer than 5 of any sort are expected. Interval of the difference: Newcombe's (1998), of the two Wilson intervals |
//! | whether a share is one half | Wilson's | binomial, exact |
//! | a mean over games | Student's t | Welch's t with the degrees of freedom of Satterthwaite: the variants need not spread alike |
//!
//! Entropies are in [`entropy`].
//!
//! Student's t assumes normal *means*, not normal games; with the hundreds of games that are usual the mean
//! is normal enough. With few and skewed values its interval is a little too short: of an exponential it
//! covers about 92 % with 20 values and 94 % with 100, instead of 95 % (`tests/tools/promises.rs` measures it).
//!
//! Tests of one comparison are corrected together by Holm's step-down method (Holm 1979): the chance of
//! even one false "significant" stays at most alpha, also for dependent tests.
//!
//! Games that are needed come from the usual normal approximation for two groups of equal size, at the
//! level that Holm's method asks of the next difference to be found.

pub mod entropy;

use serde::{Deserialize, Serialize};
use statrs::distribution::{
    Binomial, ContinuousCDF, Discrete, DiscreteCDF, Hypergeometric, Normal, StudentsT,
};
use statrs::function::gamma::ln_gamma;

/// An estimate with its interval.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Estimate {
    /// The best guess.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How many games (or plies, where that is said) it comes from.
    pub n: u64,
    /// Whether nothing is known but that it is at least this: value, low and high are the same bound.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
}

impl Estimate {
    /// An estimate with its interval.
    pub fn new(value: f64, low: f64, high: f64, n: u64) -> Estimate {
        Estimate { value, low, high, n, at_least: false }
    }

    /// Whether the sample showed no spread at all, so that no interval can be made of it.
    pub fn is_alike(&self) -> bool {
        self.low == self.high && !self.at_least
    }
}

/// Beyond so many games no number is told.
const MAX_GAMES: f64 = 1e7;

/// The result of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tested {
    /// The difference, b minus a, with its interval.
    pub estimate: Estimate,
    /// The chance of a difference at least so great if there were none.
    pub p: f64,
    /// The difference in standard deviations.
    pub effect: Option<f64>,
    /// The name of the test.
    pub test: &'static str,
}

/// Number, mean and spread of values.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moments {
    /// How many.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// Their variance, with `n - 1`; 0 of fewer than two.
    pub variance: f64,
}

impl Moments {
    /// The moments of values; none without values.
    pub fn of(values: &[f64]) -> Option<Moments> {
        let n = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        // Values that are all alike have no spread, not even that of rounding.
        if let Some(first) = values.first().filter(|first| values.iter().all(|v| v == *first)) {
            return Some(Moments { n: values.len() as u64, mean: *first, variance: 0.0 });
        }
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let variance = if values.len() < 2 { 0.0 } else { squares / (n - 1.0) };
        Some(Moments { n: values.len() as u64, mean, variance })
    }

    /// The moments of a share: so many ones, the rest zeros.
    pub fn of_share(yes: u64, n: u64) -> Option<Moments> {
        let share = (n > 0).then(|| yes as f64 / n as f64)?;
        let least = n.saturating_sub(1).max(1) as f64;
        Some(Moments { n, mean: share, variance: share * (1.0 - share) * n as f64 / least })
    }

    /// The squared standard error of the mean.
    pub fn error2(&self) -> f64 {
        self.variance / self.n.max(1) as f64
    }

    /// The mean with Student's t interval.
    pub fn estimate(&self, confidence: f64) -> Estimate {
        let half = t_quantile(confidence, self.n.saturating_sub(1) as f64) * self.error2().sqrt();
        // One value says nothing about the spread: the interval is the value itself.
        let half = if half.is_finite() { half } else { 0.0 };
        Estimate::new(self.mean, self.mean - half, self.mean + half, self.n)
    }

    /// The mean of values between 0 and 1. Where all are alike Student's t knows nothing; then so many are taken to
    /// be anything between as Wilson's interval of none of them allows.
    pub fn estimate_share(&self, confidence: f64) -> Estimate {
        let e = self.estimate(confidence);
        match wilson(0, self.n, confidence) {
            Some(others) if self.variance == 0.0 => {
                let low = self.mean * (1.0 - others.high);
                Estimate { low, high: low + others.high, ..e }
            }
            _ => Estimate { low: e.low.max(0.0), high: e.high.min(1.0), ..e },
        }
    }
}

/// The quantile of the normal distribution that leaves `(1 - confidence) / 2` above it.
pub fn z_quantile(confidence: f64) -> f64 {
    Normal::standard().inverse_cdf(0.5 + confidence / 2.0)
}

/// The same of Student's t; infinite without degrees of freedom.
pub fn t_quantile(confidence: f64, freedom: f64) -> f64 {
    if freedom > 1e6 {
        return z_quantile(confidence);
    }
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(t) => t.inverse_cdf(0.5 + confidence / 2.0),
        Err(_) => f64::INFINITY,
    }
}

/// Both tails of Student's t beyond a value.
pub fn t_tails(t: f64, freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom.min(1e6)) {
        Ok(law) => (2.0 * law.cdf(-t.abs())).clamp(0.0, 1.0),
        Err(_) => 1.0,
    }
}

/// The chance of a value so far from nothing, or farther, where it is drawn from a normal distribution around nothing
/// with a standard error.
pub fn tails(value: f64, error: f64) -> f64 {
    if value == 0.0 {
        return 1.0;
    }
    2.0 * Normal::standard().cdf(-(value / error).abs())
}

/// A share with Wilson's interval (1927); none of nothing.
pub fn wilson(yes: u64, n: u64, confidence: f64) -> Option<Estimate> {
    wilson_of(yes as f64 / n as f64, n, confidence)
}

/// The same of a mean of values between 0 and 1.
pub fn wilson_of(share: f64, n: u64, confidence: f64) -> Option<Estimate> {
    if n == 0 {
        return None;
    }
    let (games, z) = (n as f64, z_quantile(confidence));
    let z2 = z * z;
    let middle = (share + z2 / (2.0 * games)) / (1.0 + z2 / games);
    let half = z / (1.0 + z2 / games) * (share * (1.0 - share) / games + z2 / (4.0 * games * games)).sqrt();
    // At the ends the formula is exact but for rounding.
    let low = if share == 0.0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if share == 1.0 { 1.0 } else { (middle + half).min(1.0) };
    Some(Estimate::new(share, low, high, n))
}

/// Two means by Welch's t.
pub fn welch(a: &Moments, b: &Moments, confidence: f64) -> Tested {
    let difference = b.mean - a.mean;
    let (ea, eb) = (a.error2(), b.error2());
    let error2 = ea + eb;
    let spread = ((a.variance + b.variance) / 2.0).sqrt();
    let n = a.n + b.n;
    if error2 == 0.0 {
        // All values are alike in both: nothing but which games went where could make a difference.
        let alike = difference == 0.0 || a.n < 2 || b.n < 2;
        let (na, nb) = (a.n as f64, b.n as f64);
        let ways = ln_gamma(na + nb + 1.0) - ln_gamma(na + 1.0) - ln_gamma(nb + 1.0);
        let p = if alike { 1.0 } else { (2.0 * (-ways).exp()).min(1.0) };
        let estimate = Estimate::new(difference, difference, difference, n);
        return Tested { estimate, p, effect: None, test: "Welch t" };
    }
    let freedom = satterthwaite(&[(ea, a.n), (eb, b.n)]);
    let half = t_quantile(confidence, freedom) * error2.sqrt();
    let estimate = Estimate::new(difference, difference - half, difference + half, n);
    let p = t_tails(difference / error2.sqrt(), freedom);
    Tested { estimate, p, effect: Some(difference / spread), test: "Welch t" }
}

/// The degrees of freedom of a sum of independent means, from the squared error and the number of values
/// of each (Satterthwaite 1946).
pub fn satterthwaite(parts: &[(f64, u64)]) -> f64 {
    let sum: f64 = parts.iter().map(|(e, _)| e).sum();
    let below: f64 =
        parts.iter().filter(|(e, _)| *e > 0.0).map(|(e, n)| e * e / (*n as f64 - 1.0).max(1.0)).sum();
    if below > 0.0 { sum * sum / below } else { 1.0 }
}

/// The difference of two independent estimates, b minus a, from their intervals (Newcombe 1998; Zou and Donner
/// 2008 for others than shares).
pub fn apart(a: &Estimate, b: &Estimate) -> Estimate {
    let value = b.value - a.value;
    let below = (b.value - b.low).hypot(a.high - a.value);
    let above = (b.high - b.value).hypot(a.value - a.low);
    Estimate::new(value, value - below, value + above, a.n + b.n)
}

/// The chance that an even coin shows a share so far from one half, or farther.
pub fn coin(yes: u64, n: u64) -> f64 {
    let Ok(law) = Binomial::new(0.5, n) else { return 1.0 };
    (2.0 * law.cdf(yes.min(n - yes.min(n)))).min(1.0)
}

/// Two shares, each `(yes, n)`; both of something.
pub fn proportions(a: (u64, u64), b: (u64, u64), confidence: f64) -> Option<Tested> {
    let (wa, wb) = (wilson(a.0, a.1, confidence)?, wilson(b.0, b.1, confidence)?);
    let (na, nb) = (a.1 as f64, b.1 as f64);
    let estimate = apart(&wa, &wb);
    let estimate = Estimate { low: estimate.low.max(-1.0), high: estimate.high.min(1.0), ..estimate };
    let pooled = (a.0 + b.0) as f64 / (na + nb);
    let fewest = pooled.min(1.0 - pooled) * na.min(nb);
    let (p, test) = if fewest < 5.0 {
        (fisher(a, b), "Fisher exact")
    } else {
        let error = (pooled * (1.0 - pooled) * (1.0 / na + 1.0 / nb)).sqrt();
        (2.0 * Normal::standard().cdf(-(estimate.value / error).abs()), "two proportions")
    };
    let arc = |share: f64| 2.0 * share.sqrt().asin();
    Some(Tested { estimate, p: p.clamp(0.0, 1.0), effect: Some(arc(wb.value) - arc(wa.value)), test })
}

/// Fisher's exact test, two-sided: the chance of all tables that are no likelier than this one. Chances are
/// made of their logarithms: the numbers of ways to deal a thousand games are too large for any float.
fn fisher(a: (u64, u64), b: (u64, u64)) -> f64 {
    let yes = a.0 + b.0;
    let all = a.1 + b.1;
    let Ok(law) = Hypergeometric::new(all, yes, a.1) else { return 1.0 };
    // Tables that are as likely differ by rounding, the more the larger they are.
    let here = law.ln_pmf(a.0) + 1e-7;
    let (low, high) = (yes.saturating_sub(b.1), yes.min(a.1));
    let sum: f64 = (low..=high).map(|k| law.ln_pmf(k)).filter(|p| *p <= here).map(f64::exp).sum();
    sum.min(1.0)
}

/// Holm's adjusted chances, in the order of the given ones.
pub fn holm(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|x, y| chances[*x].total_cmp(&chances[*y]));
    let mut out = vec![1.0; chances.len()];
    let mut least: f64 = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        let left = (chances.len() - rank) as f64;
        least = least.max((chances[at] * left).min(1.0));
        out[at] = least;
    }
    out
}

/// The level that Holm's method asks of the next difference to be found, from the adjusted chances.
pub fn next_level(adjusted: &[f64], alpha: f64) -> f64 {
    let left = adjusted.iter().filter(|p| **p > alpha).count();
    alpha / left.max(1) as f64
}

/// How many values of each group show a difference of means with a chance of `power` at level `alpha`,
/// where the variances of the two groups add up to `variances`; none beyond ten million.
pub fn needed(difference: f64, variances: f64, alpha: f64, power: f64) -> Option<u64> {
    let z = z_quantile(1.0 - alpha) + Normal::standard().inverse_cdf(power);
    let n = (z * z * variances / (difference * difference)).ceil();
    (n.is_finite() && n <= MAX_GAMES).then_some(n as u64)
}

/// The least difference that is found with a chance of `power` at level `alpha`, where its squared standard error is
/// `error2`.
pub fn seen(error2: f64, alpha: f64, power: f64) -> f64 {
    (z_quantile(1.0 - alpha) + Normal::standard().inverse_cdf(power)) * error2.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() < by, "{a} is not {b}");
    }

    #[test]
    fn figures_of_textbooks() {
        // Wilson's interval of 7 of 20 and of 0 of 10, as R's prop.test(correct = FALSE) gives them.
        let w = wilson(7, 20, 0.95).unwrap();
        near(w.low, 0.1812, 5e-4);
        near(w.high, 0.5671, 5e-4);
        let none = wilson(0, 10, 0.95).unwrap();
        assert_eq!(none.low, 0.0);
        near(none.high, 0.2775, 5e-4);
        // Student's table.
        near(t_quantile(0.95, 4.0), 2.776, 1e-3);
        near(t_quantile(0.95, 1e9), 1.96, 1e-3);
        assert!(t_quantile(0.95, 0.0).is_infinite());
        // The tea-tasting lady: 3 of 4 against 1 of 4.
        near(fisher((3, 4), (1, 4)), 0.4857, 1e-4);
        // With thousands of games none and none is no difference, and five in one half of them happen by
        // chance as often as five coins fall alike.
        near(fisher((0, 2000), (0, 2000)), 1.0, 1e-6);
        near(fisher((2, 1000), (2, 1000)), 1.0, 1e-6);
        near(fisher((0, 2_000_000), (5, 2_000_000)), 2.0 / 32.0, 1e-4);
        // Newcombe 1998, table II (a): 56/70 against 48/80, difference 0.2, 0.0524 to 0.3339.
        let t = proportions((48, 80), (56, 70), 0.95).unwrap();
        near(t.estimate.low, 0.0524, 1e-4);
        near(t.estimate.high, 0.3339, 1e-4);
    }

    #[test]
    fn welch_against_a_known_example() {
        let a = [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4];
        let b = [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 30.4, 19.6];
        let t = welch(&Moments::of(&a).unwrap(), &Moments::of(&b).unwrap(), 0.95);
        // t = 2.4567 with 27.8 degrees of freedom.
        near(t.p, 0.0205, 1e-3);
        near(t.estimate.value, 2.507, 1e-2);
    }

    #[test]
    fn values_that_never_vary_are_told_apart_all_the_same() {
        let m = |value, n| Moments { n, mean: value, variance: 0.0 };
        assert_eq!(welch(&m(9.0, 100), &m(9.0, 100), 0.95).p, 1.0);
        assert!(welch(&m(9.0, 100), &m(10.0, 100), 0.95).p < 1e-50);
        assert_eq!(welch(&m(9.0, 1), &m(10.0, 1), 0.95).p, 1.0);
    }

    #[test]
    fn holm_steps_down() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, wanted) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            near(*found, wanted, 1e-12);
        }
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn sample_sizes() {
        // Half a standard deviation, 5 %, 80 %: 63 each (Cohen's table says 64 for t).
        assert_eq!(needed(0.5, 2.0, 0.05, 0.8), Some(63));
        near(seen(2.0 / 63.0, 0.05, 0.8), 0.5, 0.002);
        assert_eq!(needed(0.0, 2.0, 0.05, 0.8), None);
        assert_eq!(needed(1e-9, 2.0, 0.05, 0.8), None);
    }
}
