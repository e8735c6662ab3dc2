//! The differences between variants, and the effects of options.

use serde::{Deserialize, Serialize};

use crate::statistics::Estimate;

/// How two variants differ in a metric.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Difference {
    /// [`Metric::key`](super::Metric::key).
    pub metric: String,
    /// The variant that is compared with ([`VariantResult::variant`](super::VariantResult::variant)).
    pub a: String,
    /// The variant that is compared.
    pub b: String,
    /// `b` minus `a`, with its own interval (not adjusted).
    pub estimate: Estimate,
    /// The difference in standard deviations: Cohen's d of means, h of shares; none where it has none.
    pub effect: Option<f64>,
    /// How it was tested.
    pub test: String,
    /// The chance of a difference at least so great if there were none.
    pub p: f64,
    /// The same, adjusted for all tests of the comparison (Holm).
    pub p_adjusted: f64,
    /// Whether `p_adjusted` is at most alpha.
    pub significant: bool,
    /// The least difference that these games would have shown with the comparison's power; none where one is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<f64>,
    /// How many games **of each variant** in all would find a difference of the observed size with the
    /// comparison's power; none where it is significant already, or nothing was observed, or the number
    /// is beyond ten million.
    pub games_needed: Option<u64>,
}

/// Effects below so many standard deviations of a game are trivial: *small* effects begin there (Cohen 1988).
pub const TRIVIAL: f64 = 0.2;

impl Difference {
    /// Whether it is below [`TRIVIAL`], as far as its effect is known.
    pub fn is_trivial(&self) -> bool {
        self.effect.is_some_and(|effect| effect.abs() < TRIVIAL)
    }
}

/// The effects of each option, and of each pair of options.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Matrix {
    /// The game.
    pub game: String,
    /// The options.
    pub options: Vec<MatrixOption>,
    /// Which combinations were played.
    pub design: Design,
    /// The combinations; the same order and number as [`Comparison::variants`](super::Comparison::variants).
    pub combinations: Vec<Combination>,
    /// Combinations that the game does not allow, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// Main effects first, then pairs, each in the order of the options, by metric.
    pub effects: Vec<Effect>,
    /// Pairs whose effect cannot be told from those of others with the combinations that were played.
    pub aliased: Vec<[String; 2]>,
}

/// Which combinations are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// All.
    #[default]
    Full,
    /// A part in which every pair of options occurs in each of its four states.
    Pairwise,
}

/// An option of a matrix.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MatrixOption {
    /// Its name.
    pub name: String,
    /// The summary that the definition gives of it.
    pub summary: String,
    /// Its value in the combinations without it.
    pub off: String,
    /// Its value in those with it.
    pub on: String,
}

/// A combination of options.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Combination {
    /// [`VariantResult::variant`](super::VariantResult::variant).
    pub variant: String,
    /// Whether each of [`Matrix::options`] is on.
    pub on: Vec<bool>,
}

/// The effect of one option, or of two together, on a metric.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Effect {
    /// [`Metric::key`](super::Metric::key).
    pub metric: String,
    /// One option: the metric with it less the metric without it, averaged over the states of the others.
    /// Two: how much greater the effect of the one is with the other on than with it off.
    pub options: Vec<String>,
    /// The effect, with its interval (not adjusted). `n` counts all games that take part.
    pub estimate: Estimate,
    /// The chance of an effect at least so great if there were none.
    pub p: f64,
    /// The same, adjusted for all effects of the matrix (Holm).
    pub p_adjusted: f64,
    /// Whether `p_adjusted` is at most alpha.
    pub significant: bool,
    /// See [`Difference::seen`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<f64>,
    /// How many games of each combination would find it; see [`Difference::games_needed`].
    pub games_needed: Option<u64>,
}
