//! How diverse the openings of games are: Shannon's entropy, from samples that may not show them all.
//!
//! A sample of games shows less than there is: of 130,000 openings that are all alike a thousand games show a
//! thousand, 10 bits in place of 17. So the estimate is that of Chao, Wang and Jost (*Entropy and the species
//! accumulation curve*, 2013), which estimates the unseen openings from the numbers of openings that were seen once and
//! twice. Its spread comes from a bootstrap of the community that Chao and others (2013, 2014) make of the sample:
//! the seen openings with smaller shares, and so many unseen ones as Chao's (1984) estimate has, which share
//! alike what is left.
//!
//! That is right for many laws of openings, and too low where a long tail of rare ones is unseen: nothing in the
//! sample says how long the tail is. So two things are added.
//!
//! - *The interval is widened upwards* by as much as the unseen could hold. Their share is at most
//!   `u = (f1 + 1 + z sqrt(f1 + 2 f2 + 1)) / n`, after Good's estimate `f1 / n` and its variance (Good 1953; with
//!   nothing seen once or twice it is the rule of three), and there are at most `K` of them, which the numbers of
//!   moves of the program bound. So they hold at most `u log2(K / u)` bits, of which the estimate has counted
//!   `u log2(1 / A)`, its `A` being the share of an opening that is seen hardly ever.
//! - *Where `u` is above [`UNSEEN`], no interval is given* but a lower bound: the diversity is *at least* that. It
//!   is the lower of two: the lower end of the interval, and the estimate made with as many openings seen twice
//!   as chance may have hidden.
//!
//! `tests/tools/promises.rs` measures how often both hold: for even openings (8 to 130,000 of them), for those of Zipf's
//! law, for geometric ones, and for a few frequent ones with a long tail.
//!
//! Whether two variants are equally diverse is told by Hutcheson's t (1970) of the estimates of Miller and Madow,
//! and by permutation of the games between the two variants: the larger of the two chances. t alone errs where
//! games are few for so many kinds; permutation alone tests whether the kinds are the same ones, and takes
//! openings that are others but as diverse for a difference (Chung and Romano 2013). Where one of the two is only
//! known to be at least something there is no test.

use std::collections::BTreeMap;

use statrs::function::gamma::digamma;

use super::{Estimate, Moments, satterthwaite, t_tails, z_quantile};
use crate::play::Rng;

/// The greatest share of games with openings not seen in the sample that an interval is given for.
pub const UNSEEN: f64 = 0.05;

/// How many openings were seen how often.
struct Seen {
    /// How many, by how often; none of 0.
    times: BTreeMap<u64, u64>,
    n: f64,
    /// How many openings were seen once.
    once: f64,
    /// And twice.
    twice: f64,
}

impl Seen {
    fn of(counts: &[u64]) -> Seen {
        let mut times = BTreeMap::new();
        counts.iter().filter(|c| **c > 0).for_each(|c| *times.entry(*c).or_insert(0) += 1);
        let of = |n: u64| times.get(&n).copied().unwrap_or(0) as f64;
        Seen { n: counts.iter().sum::<u64>() as f64, once: of(1), twice: of(2), times }
    }

    /// The share of an opening that is seen hardly ever; 1 where nothing is unseen.
    fn rare(&self) -> f64 {
        let left = match (self.once > 0.0, self.twice > 0.0) {
            (false, _) => return 1.0,
            (_, true) => 2.0 * self.twice / self.once,
            (_, false) => 2.0 / (self.once - 1.0).max(0.0),
        };
        if left.is_finite() { left / (self.n - 1.0 + left) } else { 1.0 }
    }

    /// The estimate of Chao, Wang and Jost, in bits.
    fn entropy(&self) -> f64 {
        let (n, rare) = (self.n, self.rare());
        let top = digamma(n);
        let of = |(c, openings): (&u64, &u64)| *openings as f64 * *c as f64 / n * (top - digamma(*c as f64));
        let seen: f64 = self.times.iter().map(of).sum();
        (seen + self.once / n * tail(n, rare)) / std::f64::consts::LN_2
    }

    /// The share of games whose opening is not in the sample, at most.
    fn unseen(&self, z: f64) -> f64 {
        ((self.once + 1.0 + z * (self.once + 2.0 * self.twice + 1.0).sqrt()) / self.n).min(1.0)
    }

    /// The community that the bootstrap draws from: the seen openings, those that were seen as often together, as
    /// how many they are and their share with all before them; at last the unseen ones, which share the rest.
    fn community(&self) -> Vec<(u64, f64)> {
        let n = self.n;
        let pairs = if self.twice > 0.0 {
            self.once * self.once / (2.0 * self.twice)
        } else {
            self.once * (self.once - 1.0) / 2.0
        };
        let unseen = (n - 1.0) / n * pairs;
        let rest = if unseen > 0.0 { self.once / n * (n * unseen / (n * unseen + self.once)) } else { 0.0 };
        let missed = |c: u64| c as f64 / n * (1.0 - c as f64 / n).powf(n);
        let all: f64 = self.times.iter().map(|(c, openings)| *openings as f64 * missed(*c)).sum();
        let by = if all > 0.0 { rest / all } else { 0.0 };
        let mut sum = 0.0;
        let sorts = self.times.iter().map(|(c, openings)| {
            sum += *openings as f64 * (*c as f64 / n - by * missed(*c));
            (*openings, sum)
        });
        sorts.chain([((unseen.ceil() as u64).max(1), f64::INFINITY)]).collect()
    }

    /// The standard deviation of the estimate in bootstrap samples.
    fn error(&self, seed: u64) -> f64 {
        // The number of the first opening of each sort.
        let mut first = 0;
        let sorts: Vec<(u64, u64, f64)> = self
            .community()
            .into_iter()
            .map(|(openings, sum)| {
                first += openings;
                (first - openings, openings, sum)
            })
            .collect();
        // The work is bounded.
        let rounds = (20_000_000 / (self.n as usize).max(1)).clamp(49, 199);
        let mut rng = Rng::new(seed);
        let (mut drawn, mut counts) = (Vec::new(), Vec::new());
        let values: Vec<f64> = (0..rounds)
            .map(|_| {
                drawn.clear();
                for _ in 0..self.n as u64 {
                    let at = (rng.bits() >> 11) as f64 / (1u64 << 53) as f64;
                    let sort = sorts.partition_point(|(.., sum)| *sum <= at);
                    let (first, openings) = sorts.get(sort).map_or((0, 1), |sort| (sort.0, sort.1));
                    drawn.push(first + rng.pick(openings as usize) as u64);
                }
                drawn.sort_unstable();
                counts.clear();
                counts.extend(drawn.chunk_by(|a, b| a == b).map(|same| same.len() as u64));
                Seen::of(&counts).entropy()
            })
            .collect();
        Moments::of(&values).map_or(0.0, |m| m.variance.sqrt())
    }
}

/// `sum over j from 0 of q^(j + 1) / (n + j)`, where `q = 1 - rare`: the part that the rarest openings lack.
fn tail(n: f64, rare: f64) -> f64 {
    let q = 1.0 - rare;
    if q <= 0.0 {
        return 0.0;
    }
    // As it stands where it ends soon; else all of the logarithm's series less its beginning, which loses as many
    // digits as `(1 - rare)^-n` has.
    if rare * n > 5.0 {
        let (mut sum, mut power, mut at) = (0.0, q, n);
        while power > 1e-12 {
            sum += power / at;
            power *= q;
            at += 1.0;
        }
        return sum;
    }
    let (mut begins, mut power) = (0.0, 1.0);
    for r in 1..n as u64 {
        power *= q;
        begins += power / r as f64;
    }
    (-rare.ln() - begins) * q.powf(1.0 - n)
}

/// The diversity of openings in bits, of how often each was seen; none where nothing was. `most` is the binary
/// logarithm of a number of openings that there are at most.
pub fn diversity(counts: &[u64], most: f64, confidence: f64, seed: u64) -> Option<Estimate> {
    let seen = Seen::of(counts);
    let n = counts.iter().sum();
    let z = z_quantile(confidence);
    if n == 0 {
        return None;
    }
    let value = seen.entropy().min(most);
    let half = z * seen.error(seed);
    let (low, unseen) = ((value - half).max(0.0), seen.unseen(z));
    if unseen > UNSEEN {
        let twice = seen.twice + 1.0 + z * (seen.twice + 1.0).sqrt();
        let hidden = Seen { twice, ..seen };
        let bound = low.min(hidden.entropy());
        return Some(Estimate { value: bound, low: bound, high: bound, n, at_least: true });
    }
    let more = unseen * (most - unseen.log2() + seen.rare().log2()).max(0.0);
    Some(Estimate::new(value, low, (value + half + more).min(most).max(value), n))
}

/// Shannon's entropy of counts, in bits, as it is seen.
pub fn entropy(counts: &[u64]) -> f64 {
    let n: u64 = counts.iter().sum();
    if n == 0 {
        return 0.0;
    }
    let n = n as f64;
    -counts.iter().filter(|c| **c > 0).map(|c| *c as f64 / n).map(|p| p * p.log2()).sum::<f64>() + 0.0
}

/// The entropy of counts in nats, corrected for unseen kinds (Miller 1955): `(seen kinds - 1) / (2 n)` more. And its
/// squared standard error, of the second order, so that it is above 0 where all kinds are as frequent (Harris 1975;
/// Hutcheson 1970 has the same for his t).
fn corrected(counts: &[u64]) -> (f64, f64) {
    let n = counts.iter().sum::<u64>() as f64;
    if n == 0.0 {
        return (0.0, 0.0);
    }
    let (mut mean, mut squares, mut seen) = (0.0, 0.0, 0.0);
    for count in counts {
        if *count > 0 {
            let share = *count as f64 / n;
            let nats = share.ln();
            mean -= share * nats;
            squares += share * nats * nats;
            seen += 1.0;
        }
    }
    let error2 = (squares - mean * mean).max(0.0) / n + (seen - 1.0) / (2.0 * n * n);
    (mean + (seen - 1.0) / (2.0 * n), error2)
}

/// Whether the kinds of two variants' games (numbers below `of`) are as diverse: the chance of such a
/// difference in entropy by Hutcheson's t, or that games dealt at random to the two have as large a t, whichever
/// is larger. Where no deal does the chance is that of t: it may be less than deals can tell.
pub fn entropy_test(a: &[u32], b: &[u32], of: usize, seed: u64) -> f64 {
    // A deal is known by what the variant of fewer games gets, which are the last ones.
    let (more, fewer) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut all: Vec<u32> = more.iter().chain(fewer).copied().collect();
    let (mut rest, mut dealt) = (vec![0u64; of], vec![0u64; of]);
    let mut gap = |all: &[u32]| {
        rest.fill(0);
        dealt.fill(0);
        for (at, kind) in all.iter().enumerate() {
            let counts = if at < more.len() { &mut rest } else { &mut dealt };
            if let Some(count) = counts.get_mut(*kind as usize) {
                *count += 1;
            }
        }
        let ((ra, ea), (rb, eb)) = (corrected(&rest), corrected(&dealt));
        // Without any error there is one kind in each, and no difference.
        let t = if ea + eb > 0.0 { (ra - rb).abs() / (ea + eb).sqrt() } else { 0.0 };
        (t, satterthwaite(&[(ea, more.len() as u64), (eb, fewer.len() as u64)]))
    };
    let (seen, freedom) = gap(&all);
    // The work is bounded.
    let rounds = (20_000_000 / all.len().max(1)).clamp(999, 9999);
    let mut rng = Rng::new(seed);
    let mut reached = 1u64;
    for _ in 0..rounds {
        rng.deal(&mut all, fewer.len());
        reached += u64::from(gap(&all).0 >= seen * (1.0 - 1e-12));
    }
    let t = t_tails(seen, freedom);
    if reached > 1 { t.max(reached as f64 / (rounds as f64 + 1.0)) } else { t }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() < by, "{a} is not {b}");
    }

    #[test]
    fn entropies() {
        near(entropy(&[5, 5, 5, 5]), 2.0, 1e-12);
        assert_eq!(entropy(&[7]), 0.0);
        assert_eq!(entropy(&[]), 0.0);
        near(corrected(&[5, 5]).0, std::f64::consts::LN_2 + 1.0 / 20.0, 1e-12);
        let (a, b): (Vec<u32>, Vec<u32>) =
            ((0..60).map(|i| i % 8).collect(), (0..60).map(|i| i % 2).collect());
        assert!(entropy_test(&a, &b, 8, 1) < 0.001);
        assert!(entropy_test(&a, &a, 8, 1) > 0.5);
        assert_eq!(entropy_test(&[0; 9], &[0; 9], 1, 1), 1.0);
    }

    #[test]
    fn the_tail_is_the_same_both_ways() {
        for (n, rare) in [(30.0, 0.5), (100.0, 0.049), (100.0, 0.051), (2000.0, 0.0024), (2000.0, 0.0026)] {
            let slowly: f64 = (0..200_000).map(|j| f64::powi(1.0 - rare, j + 1) / (n + f64::from(j))).sum();
            near(tail(n, rare), slowly, 1e-9);
        }
    }

    #[test]
    fn entropies_of_what_is_seen_whole() {
        // Nothing is seen once, so nothing is unseen.
        near(Seen::of(&[500; 4]).entropy(), 2.0, 2e-3);
        assert_eq!(Seen::of(&[70]).entropy(), 0.0);
        assert_eq!(diversity(&[], 3.0, 0.95, 1), None);
        let one = diversity(&[1000], 20.0, 0.95, 1).unwrap();
        assert_eq!((one.value, one.low, one.at_least), (0.0, 0.0, false));
        assert!(one.high > 0.0 && one.high < 0.15, "{one:?}");
        // A thousand openings, each another: there is no end to be seen.
        let many = diversity(&[1; 1000], 17.0, 0.95, 1).unwrap();
        assert!(many.at_least && many.value > 12.0 && many.value < 17.0, "{many:?}");
    }
}
