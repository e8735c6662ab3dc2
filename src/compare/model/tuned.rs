//! The result of a race of variants for their maker's goals.

use serde::{Deserialize, Serialize};

use super::measure::Metric;
use crate::statistics::Estimate;

/// The result of `tune`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Tuned {
    /// The game.
    pub game: String,
    /// Who played, against itself.
    pub agent: String,
    /// The seed.
    pub seed: u64,
    /// The goals as they are written, the most important first.
    pub goals: Vec<String>,
    /// The metric that each goal looks at.
    pub metrics: Vec<Metric>,
    /// The figure that each goal wants: none but the least of it.
    pub wanted: Vec<f64>,
    /// How many games were played in all.
    pub games: u64,
    /// How many there would have been if each variant had played as many as the nearest.
    pub even: u64,
    /// How many variants there could be: of more than are tried, some are drawn.
    pub possible: u64,
    /// How many combinations the game does not allow.
    pub left_out: u64,
    /// All that took part: the front, the nearest to the first goal first; then those that ran longest, the nearest
    /// first.
    pub candidates: Vec<TunedVariant>,
}

/// A variant of a race.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TunedVariant {
    /// The variant as one word.
    pub variant: String,
    /// Where its games start; none: where the game says.
    pub setup: Option<String>,
    /// Whether no other is nearer to all goals.
    pub front: bool,
    /// In how many rounds it was: all but those of the last round were dropped.
    pub rounds: u32,
    /// How many games it played.
    pub games: u64,
    /// The figure of each goal; none where no game has one.
    pub figures: Vec<Option<Estimate>>,
    /// How far it is from each goal.
    pub off: Vec<f64>,
}

impl Tuned {
    /// Those that nobody surpasses.
    pub fn front(&self) -> impl Iterator<Item = &TunedVariant> {
        self.candidates.iter().filter(|one| one.front)
    }

    /// The others of the last round.
    pub fn others(&self) -> impl Iterator<Item = &TunedVariant> {
        let last = self.candidates.iter().map(|one| one.rounds).max().unwrap_or(0);
        self.candidates.iter().filter(move |one| !one.front && one.rounds == last)
    }
}

impl TunedVariant {
    /// Its name: the variant, and where it starts.
    pub fn name(&self) -> String {
        match &self.setup {
            Some(setup) => format!("{} from {setup}", self.variant),
            None => self.variant.clone(),
        }
    }

    /// The command that plays it.
    pub fn command(&self) -> String {
        match &self.setup {
            Some(setup) => format!("farrier play {} --setup '{setup}'", self.variant),
            None => format!("farrier play {}", self.variant),
        }
    }
}
