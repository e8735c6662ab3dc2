//! A small network that corrects a linear sum: what terms are worth together.
//!
//! ```text
//! unit j:      a_j = bias_j + sum over the terms of weight_ij * x_i     kept up to date as the linear sum is
//! correction:  sum over the units of worth_j * c(a_j)^2                 c cuts off below 0 and above 1
//! ```
//!
//! It is one hidden layer of an efficiently updatable network (*NNUE*: Nasu 2018) in whole numbers, so small that it
//! costs no more than the linear sum. A cut-off square has a slope that grows with the unit, so few units say much.

use std::array::from_fn;

use super::sums::Sums;
use super::terms::Terms;
use super::units::{UNIT, units};

/// How many units a network has.
pub const UNITS: usize = 16;

/// A unit's inner sum from which on it says no more.
const FULL: i32 = UNIT as i32;

/// The weights of a network's units.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Hidden {
    /// For each unit the weights of its terms, in the order of [`Terms`].
    pub rows: Vec<Vec<f64>>,
    /// The sum that a unit begins with.
    pub bias: Vec<f64>,
    /// What a unit adds to the logit at most.
    pub worth: Vec<f64>,
}

/// A network that is ready for use.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub sums: Sums<UNITS>,
    bias: [i32; UNITS],
    /// 32 logits at most: small enough for the multiplications of short numbers that processors do eight at a time.
    worth: [i16; UNITS],
}

impl Network {
    pub fn new(terms: &Terms, hidden: &Hidden) -> Network {
        let row = |unit: usize| hidden.rows.get(unit).map_or(&[][..], |row| row);
        let of = |list: &[f64], unit: usize| units(list.get(unit).copied().unwrap_or(0.0));
        let short = |all: i32| all.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Network {
            sums: Sums::new(terms, from_fn(row)),
            bias: from_fn(|unit| of(&hidden.bias, unit)),
            worth: from_fn(|unit| short(of(&hidden.worth, unit))),
        }
    }

    /// What the units add to the sum.
    #[inline]
    pub fn output(&self, units: [i32; UNITS]) -> i32 {
        let mut total = 0;
        // By number: iterators over three lists cost more than what they do.
        #[allow(clippy::needless_range_loop, reason = "see above")]
        for unit in 0..UNITS {
            let cut = units[unit].wrapping_add(self.bias[unit]).clamp(0, FULL);
            total += (cut * cut / FULL) * i32::from(self.worth[unit]);
        }
        total / FULL
    }
}
