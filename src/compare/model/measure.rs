//! Metrics and their estimates.

use serde::{Deserialize, Serialize};

/// The key of the metric of the strength games.
pub const STRENGTH: &str = "strength";

/// Something that is measured.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Metric {
    /// Its name for programs: the key of [`VariantResult::estimates`], such as `length`.
    pub key: String,
    /// Its name for people, such as `length of the game`.
    pub name: String,
    /// `plies`, `turns`, `moves`, `bits`, `digits`, `minutes`, `points`, `times` (a game), `ratio` (a bare number), or
    /// `share` (of 1, for people as per cent).
    pub unit: String,
    /// The exact definition in one or two sentences, with its source where it has one.
    pub definition: String,
    /// Whether it is an average, a share or one number.
    pub kind: MetricKind,
    /// How its interval is made: `Wilson`, `Student t`, ...
    pub interval: String,
    /// How two variants are told apart: `two proportions`, `Welch t`, `Hutcheson t and permutation`.
    pub test: String,
}

/// The sort of number that a metric is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetricKind {
    /// One number for each game; the estimate is their mean.
    #[default]
    Mean,
    /// Yes or no for each game; the estimate is the share of yes.
    Share,
    /// One number for all games together.
    Whole,
}

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
