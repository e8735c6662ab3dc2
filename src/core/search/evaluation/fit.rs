//! Weights from games: logistic regression of the result on the terms of positions.
//!
//! For a sample with terms `x`, told once as they are and once times the phase, and result `y` (the share of the point
//! that a player got) the loss is `-y ln p - (1 - y) ln (1 - p)` with `p = 1 / (1 + exp(-w x))`, summed over the samples,
//! plus [`PRIOR`]` w^2 / 2` for each weight of a single site or a pair (ridge regression): it weighs nothing as long as few
//! games say otherwise. It is minimised by stochastic gradient descent with a rate for each weight (AdaGrad: Duchi,
//! Hazan, Singer, JMLR 2011), in an order that the seed decides. Where the phases of a game are all alike, a weight and
//! what the phase adds to it say nearly the same, and the descent takes long to tell them apart: a long one
//! *standardises* phases. A single fit to few samples is better by the mean of the weights on the way (Polyak and
//! Juditsky, SIAM Journal on Control and Optimization 1992): the last weights say too much about the last samples.

use super::{Shares, Terms};
use crate::play::Rng;

/// A position of a game: its terms, and the result of each sum's player.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Weights' places, and how often or how much, as [`Terms::tell`] tells them.
    pub terms: Vec<(u32, f32)>,
    /// How far the game is, from -1 to 1.
    pub phase: f32,
    /// The share of the point, for each sum.
    pub results: Vec<f32>,
    /// The share that a search expected for the first sum.
    pub expected: f32,
}

/// Samples, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    terms: Vec<(u32, f32)>,
    ends: Vec<usize>,
    phases: Vec<f32>,
    results: Vec<f32>,
    expected: Vec<f32>,
    /// Where the samples of each game end.
    games: Vec<usize>,
}

/// How much of the target of a position is that of the next, the rest what was expected there: lambda, for the linear
/// sum. It is little disturbed by noise, and learns fastest from results.
pub const TRACE: f32 = 0.95;

/// The same for a network, which has many weights: it learns what happened in a few games by heart where the result
/// says most. What a search expects has less noise, but is no truth, so the more samples there are, the more the
/// results say.
fn steady_trace(samples: usize) -> f32 {
    1.0 - (60_000.0 / samples as f32).min(0.3)
}

/// The targets of the positions of a game of two, from the value at each and the result: later values tell the value of
/// a position with less noise than the result.
pub fn targets(expected: &[f32], result: f32, trace: f32) -> Vec<f32> {
    let mut target = result;
    let mut out: Vec<f32> = Vec::with_capacity(expected.len());
    for value in expected.iter().rev() {
        out.push(target);
        target = trace * target + (1.0 - trace) * value;
    }
    out.reverse();
    out
}

impl Samples {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds those of a game.
    pub fn add<'s>(&mut self, game: impl IntoIterator<Item = &'s Sample>) {
        let before = self.len();
        for sample in game {
            self.terms.extend(&sample.terms);
            self.ends.push(self.terms.len());
            self.phases.push(sample.phase);
            self.results.extend(&sample.results);
            self.expected.push(sample.expected);
        }
        if self.len() > before {
            self.games.push(self.len());
        }
    }

    /// Forgets the oldest games, so that no more than so many samples with so many terms are left.
    pub fn keep_last(&mut self, most: usize, terms: usize) {
        let (all, told) = (self.len(), self.terms.len());
        let from = |samples: usize| {
            samples.checked_sub(1).and_then(|last| self.ends.get(last)).map_or(0, |end| *end)
        };
        let fits = |gone: &usize| all - gone <= most && told - from(*gone) <= terms;
        let Some(gone) = std::iter::once(0).chain(self.games.iter().copied()).find(fits) else { return };
        let (sums, from) = (self.sums(), from(gone));
        self.terms.drain(..from);
        self.ends.drain(..gone);
        self.phases.drain(..gone);
        self.ends.iter_mut().for_each(|end| *end -= from);
        self.results.drain(..gone * sums);
        self.expected.drain(..gone);
        self.games.retain(|end| *end > gone);
        self.games.iter_mut().for_each(|end| *end -= gone);
    }

    /// How many sums they have results for.
    fn sums(&self) -> usize {
        self.results.len() / self.len().max(1)
    }

    /// The numbers of samples in the order in which they are learned from: all at random, again and again, so many in
    /// all.
    pub(super) fn order(&self, steps: usize, rng: &mut Rng) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.len()).collect();
        let mut order = Vec::with_capacity(steps);
        while order.len() < steps && !all.is_empty() {
            rng.shuffle(&mut all);
            order.extend(all.iter().take(steps - order.len()));
        }
        order
    }

    /// Divides numbers by their usual size, the mean of those that are not 0, here and from now on: numbers that share
    /// a weight by the same.
    pub fn scale(&mut self, terms: &mut Terms, shares: &Shares) {
        let (mut total, mut often) = (vec![0.0; terms.len()], vec![0.0_f64; terms.len()]);
        let roots = shares.roots();
        for (at, much) in self.terms.iter().filter(|(_, much)| *much != 0.0) {
            let root = roots[*at as usize].0 as usize;
            total[root] += f64::from(much.abs());
            often[root] += 1.0;
        }
        let usual: Vec<f64> = total.iter().zip(&often).map(|(total, often)| total / often.max(1.0)).collect();
        terms.scale(&shares.shared(&usual));
        let scales = terms.scales();
        self.terms.iter_mut().for_each(|(at, much)| *much /= scales[*at as usize] as f32);
    }

    /// How strongly each sample that has a weight's term pulls the weight to 0, so that all together do as the prior.
    fn pulls(&self, terms: &Terms, roots: &[(u32, f32)]) -> Vec<f64> {
        let mut often = vec![0.0; terms.len()];
        self.terms.iter().for_each(|(at, _)| often[roots[*at as usize].0 as usize] += 1.0);
        let prior = PRIOR * self.len() as f64 / self.games.len().max(1) as f64;
        let pull = |(often, held): (f64, bool)| if held { prior / often.max(1.0) } else { 0.0 };
        often.into_iter().zip(terms.are_held()).map(pull).collect()
    }

    /// A sample's terms, and the result of a sum's player.
    pub(super) fn get(&self, number: usize, sum: usize) -> (&[(u32, f32)], f32) {
        (self.terms(number), self.results.get(number * self.sums() + sum).copied().unwrap_or(0.5))
    }

    /// What a network learns from each: the result of the first sum with less noise.
    pub(super) fn steady(&self) -> Vec<f32> {
        // Of more than two sides it is not known what the others expect.
        let trace = if self.sums() > 1 { 1.0 } else { steady_trace(self.len()) };
        let begins = std::iter::once(&0).chain(&self.games);
        let games =
            begins.zip(&self.games).filter_map(|(from, to)| Some((self.expected.get(*from..*to)?, *to)));
        games.flat_map(|(expected, to)| targets(expected, self.get(to - 1, 0).1, trace)).collect()
    }

    /// A sample's phase.
    pub(super) fn phase(&self, number: usize) -> f64 {
        f64::from(self.phases.get(number).copied().unwrap_or(0.0))
    }

    /// A sample's terms.
    pub(super) fn terms(&self, number: usize) -> &[(u32, f32)] {
        let from = number.checked_sub(1).and_then(|n| self.ends.get(n)).copied().unwrap_or(0);
        let to = self.ends.get(number).copied().unwrap_or(from);
        self.terms.get(from..to).unwrap_or(&[])
    }
}

/// The mean of phases, and how far they lie from it as a rule.
#[derive(Clone, Copy, Debug)]
struct Scale {
    mean: f64,
    spread: f64,
}

impl Scale {
    /// Phases as they are.
    const NONE: Scale = Scale { mean: 0.0, spread: 1.0 };

    fn of(samples: &Samples) -> Scale {
        let mean_of = |of: &dyn Fn(f64) -> f64| {
            samples.phases.iter().map(|phase| of(f64::from(*phase))).sum::<f64>()
                / samples.len().max(1) as f64
        };
        let mean = mean_of(&|phase| phase);
        let spread = mean_of(&|phase| (phase - mean).powi(2)).sqrt();
        Scale { mean, spread: if spread > LEAST_SPREAD { spread } else { 1.0 } }
    }

    /// A phase on this scale: 0 at the mean, 1 as far above it as is usual.
    fn standard(self, phase: f64) -> f64 {
        (phase - self.mean) / self.spread
    }

    /// Makes weights, and what the phase adds to each, those of phases on this scale.
    fn enter(self, weights: &mut [f64]) {
        let (half, more) = weights.split_at_mut(weights.len() / 2);
        for (half, more) in half.iter_mut().zip(more) {
            *half += self.mean * *more;
            *more *= self.spread;
        }
    }

    /// The other way round.
    fn leave(self, weights: &mut [f64]) {
        let (half, more) = weights.split_at_mut(weights.len() / 2);
        for (half, more) in half.iter_mut().zip(more) {
            *more /= self.spread;
            *half -= self.mean * *more;
        }
    }
}

/// Phases that lie nearer together are all the same.
const LEAST_SPREAD: f64 = 1e-3;

/// How fast weights change at first.
const RATE: f64 = 0.1;

/// How strongly weights of single sites and of pairs are held at 0: as by the samples of so many games, for those of one game say
/// much the same.
const PRIOR: f64 = 50.0;

/// A mean is of the weights before every so many samples.
const MEAN_EVERY: usize = 64;

/// How weights go down to the least loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Descent {
    /// A sample each.
    pub steps: usize,
    /// The weights become the mean of those in so many last steps; 0: those that are reached.
    pub averaged: usize,
    /// Whether phases are standardised. What the phase adds is learned as fast as all else then, which is too fast where
    /// samples are few.
    pub standard: bool,
}

/// Fits the weights of each sum to samples, from the weights that are given.
pub fn fit(
    samples: &Samples,
    terms: &Terms,
    shares: &Shares,
    weights: &mut [Vec<f64>],
    Descent { steps, averaged, standard }: Descent,
    rng: &mut Rng,
) {
    let roots = shares.roots();
    let pulls = samples.pulls(terms, &roots);
    let scale = if standard { Scale::of(samples) } else { Scale::NONE };
    for (sum, weights) in weights.iter_mut().enumerate() {
        let places = terms.len();
        weights.resize(2 * places, 0.0);
        scale.enter(weights);
        let mut squares = vec![1e-2; weights.len()];
        let (mut total, mut added) = (vec![0.0; weights.len()], 0.0);
        for (at, number) in samples.order(steps, rng).into_iter().enumerate() {
            if at + averaged >= steps && (at % samples.len()).is_multiple_of(MEAN_EVERY) {
                total.iter_mut().zip(weights.iter()).for_each(|(total, weight)| *total += weight);
                added += 1.0;
            }
            let ((terms, result), phase) = (samples.get(number, sum), scale.standard(samples.phase(number)));
            let shared = || {
                terms.iter().map(|(at, much)| {
                    let (root, sign) = roots[*at as usize];
                    (root as usize, f64::from(much * sign))
                })
            };
            let logit: f64 =
                shared().map(|(at, much)| (weights[at] + phase * weights[places + at]) * much).sum();
            let error = 1.0 / (1.0 + (-logit).exp()) - f64::from(result);
            for (root, much) in shared() {
                for (at, much) in [(root, much), (places + root, much * phase)] {
                    let slope = error * much + pulls[root] * weights[at];
                    squares[at] += slope * slope;
                    weights[at] -= RATE * slope / f64::sqrt(squares[at]);
                }
            }
        }
        if added > 0.0 {
            weights.iter_mut().zip(total).for_each(|(weight, total)| *weight = total / added);
        }
        scale.leave(weights);
        *weights = shares.spread(weights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_position_learns_the_result_and_those_before_what_was_expected_after_them() {
        let trace = 0.75;
        let first = trace * trace + (1.0 - trace) * 0.5;
        assert_eq!(targets(&[0.5, 0.5, 0.0], 1.0, trace), [first, trace, 1.0]);
        assert_eq!(targets(&[0.5, 0.5, 0.0], 1.0, 1.0), [1.0; 3]);
        assert!(targets(&[0.2; 500], 1.0, trace)[0] < 0.201);
        assert!(targets(&[], 1.0, trace).is_empty());
    }

    /// So many games of two samples, the first with one term, the second with two. The first of all is told apart.
    fn games(number: usize) -> Samples {
        let mut samples = Samples::default();
        for n in 0..number {
            let result = f32::from(u8::from(n == 0));
            let sample = |much: usize| Sample {
                terms: vec![(n as u32, 1.0); much],
                phase: n as f32,
                results: vec![result],
                expected: 0.25,
            };
            samples.add(&[sample(1), sample(2)]);
        }
        samples
    }

    #[test]
    fn the_more_samples_there_are_the_more_a_result_says() {
        let first = |number: usize| games(number).steady()[..2].to_vec();
        assert_eq!(first(2), [0.7 + 0.3 * 0.25, 1.0]);
        let many = first(300_000);
        assert!((many[0] - (0.9 + 0.1 * 0.25)).abs() < 1e-6 && many[1] == 1.0, "{many:?}");
        assert_eq!(games(2).steady()[2..], [0.3 * 0.25, 0.0]);
    }

    #[test]
    fn of_more_sides_only_the_result_is_learned() {
        let mut samples = Samples::default();
        let sample = || Sample { terms: vec![(0, 1.0)], phase: 0.0, results: vec![1.0, 0.0], expected: 0.25 };
        samples.add(&[sample(), sample()]);
        assert_eq!(samples.steady(), [1.0; 2]);
    }

    #[test]
    fn the_oldest_games_are_forgotten() {
        for (most, terms, left) in
            [(4, 100, 2), (5, 100, 2), (100, 6, 2), (100, 5, 1), (1, 100, 0), (6, 9, 3)]
        {
            let mut samples = games(3);
            samples.keep_last(most, terms);
            let lengths = [samples.len(), samples.results.len(), samples.expected.len()];
            assert_eq!(lengths, [2 * left; 3], "{most} {terms}");
            let told: Vec<f32> = (0..samples.len()).map(|n| samples.get(n, 0).1).collect();
            assert_eq!(told, [1.0, 1.0, 0.0, 0.0, 0.0, 0.0][6 - 2 * left..]);
            let numbers: Vec<u32> = (0..samples.len()).map(|n| samples.terms(n)[0].0).collect();
            assert_eq!(samples.phases, numbers.iter().map(|n| *n as f32).collect::<Vec<_>>());
            assert_eq!(numbers, (3 - left as u32..3).flat_map(|n| [n; 2]).collect::<Vec<_>>());
            assert_eq!(samples.games, (1..=left).map(|n| 2 * n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_sample_is_learned_from_before_one_is_again() {
        let mut order = games(2).order(6, &mut Rng::new(1));
        order[..4].sort_unstable();
        assert!(order[..4] == [0, 1, 2, 3] && order.len() == 6 && order[4] != order[5]);
        assert!(games(0).order(6, &mut Rng::new(1)).is_empty());
    }
}
