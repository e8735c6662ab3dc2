//! The weights of a network from games.
//!
//! The linear sum is fitted first ([`super::fit`]), and the network to what is left: the same loss is minimised in the
//! same way, with the linear sum held. Where two players can change places, each unit that looks at the board from one
//! player's place has a *twin* that looks from the other's and counts against it; symmetries that leave the players in
//! place are learned by turning each sample at random.

use std::array::from_fn;

use super::fit::Samples;
use super::network::{Hidden, UNITS};
use super::symmetry::Shares;
use super::terms::Terms;
use crate::play::Rng;

/// How many units are learned: the others are their twins.
const LANES: usize = UNITS / 2;

type Lanes = [f32; LANES];

/// A network that is being fitted.
#[derive(Clone, Debug)]
pub struct Learner {
    /// For each weight of the terms that of each unit.
    weights: Vec<Lanes>,
    bias: Lanes,
    worth: Lanes,
    /// Weights that are seen by the units.
    seen: Vec<bool>,
}

/// Weights of sites begin at random within this, so that units come to differ.
const SPREAD: f32 = 0.05;

/// The bias and the worth that units begin with.
const BIAS: f32 = 0.3;
const WORTH: f32 = 0.3;

/// How fast weights change, and the squares of slopes that are taken as seen before: until there are as many, a weight
/// that few positions speak of changes little.
const RATE: f32 = 0.03;
const SQUARES: f32 = 0.3;

impl Learner {
    /// A network that says next to nothing.
    pub fn new(terms: &Terms, shares: &Shares, rng: &mut Rng) -> Learner {
        // Which player a number of the state is good for is not known: a twin would see it from the wrong side.
        // Pairs say by themselves what is worth something together, and would cost more than all else.
        let seen = terms.are_numbers().zip(terms.are_pairs());
        let seen = seen.map(|(number, pair)| !pair && (!number || shares.swap().is_none())).collect();
        let mut random = || (rng.pick(2001) as f32 / 1000.0 - 1.0) * SPREAD;
        let weights =
            terms.of_one_site().map(|site| [0.0; LANES].map(|zero| if site { random() } else { zero }));
        let sign = |unit: usize| if shares.swap().is_none() && unit % 2 == 1 { -1.0 } else { 1.0 };
        Learner {
            weights: weights.collect(),
            bias: [BIAS; LANES],
            worth: from_fn(|unit| sign(unit) * WORTH),
            seen,
        }
    }

    /// Goes on from a network that was learned before.
    pub fn resume(&mut self, hidden: &Hidden) {
        for (unit, row) in hidden.rows.iter().enumerate().take(LANES) {
            self.weights.iter_mut().zip(row).for_each(|(lanes, weight)| lanes[unit] = *weight as f32);
        }
        self.bias.iter_mut().zip(&hidden.bias).for_each(|(to, from)| *to = *from as f32);
        self.worth.iter_mut().zip(&hidden.worth).for_each(|(to, from)| *to = *from as f32);
    }

    /// The network as it is now, twins and all.
    pub fn hidden(&self, shares: &Shares) -> Hidden {
        let twins = shares.swap();
        let places = 0..self.weights.len();
        let row = |unit: usize, from: &dyn Fn(usize) -> usize| -> Vec<f64> {
            places.clone().map(|at| self.weights.get(from(at)).map_or(0.0, |l| f64::from(l[unit]))).collect()
        };
        let mut rows: Vec<Vec<f64>> = (0..LANES).map(|unit| row(unit, &|at| at)).collect();
        let (mut bias, mut worth) = (self.bias.to_vec(), self.worth.to_vec());
        if let Some(twins) = twins {
            let twin = |at: usize| twins.get(at).map_or(at, |at| *at as usize);
            rows.extend((0..LANES).map(|unit| row(unit, &twin)));
            bias.extend(self.bias);
            worth.extend(self.worth.map(|worth| -worth));
        }
        let wide = |list: Vec<f32>| list.into_iter().map(f64::from).collect();
        Hidden { rows, bias: wide(bias), worth: wide(worth) }
    }

    /// Fits to what the linear sum leaves of the steady results, in so many steps.
    pub fn fit(&mut self, samples: &Samples, shares: &Shares, linear: &[f64], steps: usize, rng: &mut Rng) {
        let own: Vec<u32> = (0..self.weights.len() as u32).collect();
        let turns: Vec<&[u32]> = std::iter::once(&own[..]).chain(shares.turns()).collect();
        let mut squares = Squares { weights: vec![[SQUARES; LANES]; own.len()], rims: [[SQUARES; LANES]; 2] };
        let steady = samples.steady();
        // The terms as each view sees them: the places of weights, and how much.
        let mut views: [Vec<(usize, f32)>; 2] = [Vec::new(), Vec::new()];
        for number in samples.order(steps, rng) {
            let (terms, result) = (samples.terms(number), steady[number]);
            let phase = samples.phase(number);
            let weight = |at: usize| linear[at] + phase * linear.get(own.len() + at).copied().unwrap_or(0.0);
            let logit = terms.iter().map(|(at, much)| weight(*at as usize) * f64::from(*much)).sum();
            let turn = turns[rng.pick(turns.len())];
            let turned = terms.iter().filter(|(at, _)| self.seen[*at as usize]);
            let turned = turned.map(|(at, much)| (turn[*at as usize] as usize, *much));
            let [own, twins] = &mut views;
            own.clear();
            own.extend(turned);
            twins.clear();
            if let Some(swap) = shares.swap() {
                twins.extend(own.iter().map(|(at, much)| (swap[*at] as usize, *much)));
            }
            self.learn([own, twins], logit, result, &mut squares);
        }
    }

    /// Learns from one sample: its terms as the units see them and as their twins do, the linear sum, and the result.
    fn learn(&mut self, views: [&[(usize, f32)]; 2], linear: f64, result: f32, squares: &mut Squares) {
        // Where there are no twins nothing counts against a unit.
        let signs = [1.0, if views[1].is_empty() { 0.0 } else { -1.0 }];
        let inner = views.map(|view| {
            let mut inner = self.bias;
            for (at, much) in view {
                inner.iter_mut().zip(&self.weights[*at]).for_each(|(sum, weight)| *sum += much * weight);
            }
            inner
        });
        let cut = inner.map(|inner| inner.map(|sum| sum.clamp(0.0, 1.0)));
        let says: Lanes = from_fn(|j| signs[0] * cut[0][j] * cut[0][j] + signs[1] * cut[1][j] * cut[1][j]);
        let correction: f32 = says.iter().zip(&self.worth).map(|(says, worth)| says * worth).sum();
        let error = 1.0 / (1.0 + (-linear - f64::from(correction)).exp()) as f32 - result;
        for (view, terms) in views.into_iter().enumerate() {
            let slope: Lanes = from_fn(|j| {
                let inside = cut[view][j] > 0.0 && cut[view][j] < 1.0;
                if inside { error * signs[view] * self.worth[j] * 2.0 * cut[view][j] } else { 0.0 }
            });
            for (at, much) in terms {
                step(&mut self.weights[*at], &mut squares.weights[*at], slope.map(|slope| slope * much));
            }
            step(&mut self.bias, &mut squares.rims[0], slope);
        }
        step(&mut self.worth, &mut squares.rims[1], says.map(|says| says * error));
    }
}

/// The squares of all slopes so far: of the weights, of the biases and of the worths.
struct Squares {
    weights: Vec<Lanes>,
    rims: [Lanes; 2],
}

/// A step of each weight down its slope.
#[inline]
fn step(weights: &mut Lanes, squares: &mut Lanes, slope: Lanes) {
    for ((weight, square), slope) in weights.iter_mut().zip(squares).zip(slope) {
        *square += slope * slope;
        *weight -= RATE * slope / square.sqrt();
    }
}
