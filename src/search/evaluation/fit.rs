//! Weights from games: logistic regression of the result on the terms of positions.
//!
//! For a sample with terms `x` and result `y` (the share of the point that a player got) the loss is
//! `-y ln p - (1 - y) ln (1 - p)` with `p = 1 / (1 + exp(-w x))`, summed over the samples, plus [`PRIOR`]` w^2 / 2` for
//! each weight of a single site (ridge regression): a site weighs nothing as long as few games say otherwise. It is
//! minimised by stochastic gradient descent with a rate for each weight (AdaGrad: Duchi, Hazan, Singer, JMLR 2011), in
//! an order that the seed decides. A single fit to few samples is better by the mean of the weights on the way (Polyak and
//! Juditsky, SIAM Journal on Control and Optimization 1992): the last weights say too much about the last samples.

use super::{Shares, Terms};
use crate::play::Rng;

/// A position of a game: its terms, and the result of each sum's player.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Weights' places, and how often or how much, as [`Terms::tell`] tells them.
    pub terms: Vec<(u32, f32)>,
    /// The share of the point, for each sum.
    pub results: Vec<f32>,
    /// What a network learns for the first sum: a result with less noise.
    pub steady: f32,
}

/// Samples, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    terms: Vec<(u32, f32)>,
    ends: Vec<usize>,
    results: Vec<f32>,
    steady: Vec<f32>,
    /// Of how many games they are; no whole number where the oldest of a game are forgotten.
    games: f64,
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
            self.results.extend(&sample.results);
            self.steady.push(sample.steady);
        }
        self.games += f64::from(u8::from(self.len() > before));
    }

    /// Forgets the oldest, so that no more than so many are left.
    pub fn keep_last(&mut self, most: usize) {
        let Some(gone) = self.len().checked_sub(most).filter(|gone| *gone > 0) else { return };
        let sums = self.results.len() / self.len().max(1);
        self.games *= most as f64 / self.len() as f64;
        let from = self.ends.get(gone - 1).copied().unwrap_or(0);
        self.terms.drain(..from);
        self.ends.drain(..gone);
        self.ends.iter_mut().for_each(|end| *end -= from);
        self.results.drain(..gone * sums);
        self.steady.drain(..gone);
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
        let prior = PRIOR * self.len() as f64 / self.games.max(1.0);
        let pull = |(often, single): (f64, bool)| if single { prior / often.max(1.0) } else { 0.0 };
        often.into_iter().zip(terms.of_one_site()).map(pull).collect()
    }

    /// A sample's terms, and the result of a sum's player.
    pub(super) fn get(&self, number: usize, sum: usize) -> (&[(u32, f32)], f32) {
        let sums = self.results.len() / self.len().max(1);
        (self.terms(number), self.results.get(number * sums + sum).copied().unwrap_or(0.5))
    }

    /// A sample's terms, and its steady result.
    pub(super) fn steady(&self, number: usize) -> (&[(u32, f32)], f32) {
        (self.terms(number), self.steady.get(number).copied().unwrap_or(0.5))
    }

    fn terms(&self, number: usize) -> &[(u32, f32)] {
        let from = number.checked_sub(1).and_then(|n| self.ends.get(n)).copied().unwrap_or(0);
        let to = self.ends.get(number).copied().unwrap_or(from);
        self.terms.get(from..to).unwrap_or(&[])
    }
}

/// How fast weights change at first.
const RATE: f64 = 0.1;

/// How strongly weights of single sites are held at 0: as by the samples of so many games, for those of one game say
/// much the same.
const PRIOR: f64 = 50.0;

/// A mean is of the weights before every so many samples.
const MEAN_EVERY: usize = 64;

/// Fits the weights of each sum to samples, in so many rounds, from the weights that are given. They become the mean of
/// those in the last `averaged` rounds; 0: those that are reached.
pub fn fit(
    samples: &Samples,
    terms: &Terms,
    shares: &Shares,
    weights: &mut [Vec<f64>],
    rounds: usize,
    averaged: usize,
    rng: &mut Rng,
) {
    let roots = shares.roots();
    let pulls = samples.pulls(terms, &roots);
    let mut order: Vec<usize> = (0..samples.len()).collect();
    for (sum, weights) in weights.iter_mut().enumerate() {
        let mut squares = vec![1e-2; weights.len()];
        let (mut total, mut added) = (vec![0.0; weights.len()], 0.0);
        for round in 0..rounds {
            rng.shuffle(&mut order);
            for (at, number) in order.iter().enumerate() {
                if round + averaged >= rounds && at.is_multiple_of(MEAN_EVERY) {
                    total.iter_mut().zip(weights.iter()).for_each(|(total, weight)| *total += weight);
                    added += 1.0;
                }
                let (terms, result) = samples.get(*number, sum);
                let shared = || {
                    terms.iter().map(|(at, much)| {
                        let (root, sign) = roots[*at as usize];
                        (root as usize, f64::from(much * sign))
                    })
                };
                let logit: f64 = shared().map(|(at, much)| weights[at] * much).sum();
                let error = 1.0 / (1.0 + (-logit).exp()) - f64::from(result);
                for (at, much) in shared() {
                    let slope = error * much + pulls[at] * weights[at];
                    squares[at] += slope * slope;
                    weights[at] -= RATE * slope / f64::sqrt(squares[at]);
                }
            }
        }
        if added > 0.0 {
            weights.iter_mut().zip(total).for_each(|(weight, total)| *weight = total / added);
        }
        *weights = shares.spread(weights);
    }
}
