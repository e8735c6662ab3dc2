//! How often something happens a game, or a ply, and how sure that is.
//!
//! The plies of a game are not independent, so games are the units of the sample: a ratio of sums over games has the
//! error of the ratio estimator (Cochran 1977, chapter 6): with counts `x` and weights `w` of `n` games and
//! `r = sum x / sum w` it is the root of `n / (n - 1) * sum (x - r w)^2 / (sum w)^2`.

use serde::{Deserialize, Serialize};

use super::sums::{Additive, additive};

/// Over games: the sum of counts, of their squares, and of counts times weights.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Counted([u64; 3]);

/// Over games: how many, the sum of weights, and of their squares.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Weights([u64; 3]);

additive!(Counted { 0 });
additive!(Weights { 0 });

impl Counted {
    /// Adds a game. Games in which it did not happen need not be added.
    pub fn add(&mut self, count: u64, weight: u64) {
        self.0.add_all(&[count, count.saturating_mul(count), count.saturating_mul(weight)]);
    }

    /// How often it happened for each unit of weight, and the standard error of that.
    pub fn rate(&self, weights: &Weights) -> (f64, f64) {
        let [count, squares, products] = self.0.map(|n| n as f64);
        let [games, weight, weight_squares] = weights.0.map(|n| n as f64);
        if weight <= 0.0 {
            return (0.0, 0.0);
        }
        let rate = count / weight;
        let spread = (squares - 2.0 * rate * products + rate * rate * weight_squares).max(0.0);
        let error = if games > 1.0 { (games / (games - 1.0) * spread).sqrt() / weight } else { 0.0 };
        (rate, error)
    }
}

impl Weights {
    /// Adds a game.
    pub fn add(&mut self, weight: u64) {
        self.0.add_all(&[1, weight, weight.saturating_mul(weight)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_that_of_the_formula() {
        let games: [(u64, u64); 4] = [(3, 10), (0, 12), (5, 20), (2, 8)];
        let (mut counted, mut weights) = (Counted::default(), Weights::default());
        for (x, w) in games {
            weights.add(w);
            if x > 0 {
                counted.add(x, w);
            }
        }
        let (rate, error) = counted.rate(&weights);
        let spread: f64 = games.iter().map(|(x, w)| (*x as f64 - 0.2 * *w as f64).powi(2)).sum();
        assert!((rate - 0.2).abs() < 1e-12 && (error - (4.0 / 3.0 * spread).sqrt() / 50.0).abs() < 1e-12);
        // Of equal weights it is the standard error of the mean.
        let (mut counted, mut weights) = (Counted::default(), Weights::default());
        for x in [1, 2, 3] {
            weights.add(1);
            counted.add(x, 1);
        }
        let (mean, error) = counted.rate(&weights);
        assert!((mean - 2.0).abs() < 1e-12 && (error - (1.0f64 / 3.0).sqrt()).abs() < 1e-12);
    }
}
