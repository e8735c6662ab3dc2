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
