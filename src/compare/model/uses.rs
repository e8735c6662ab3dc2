//! The use of decisions, options and rules in the games of a variant.

use serde::{Deserialize, Serialize};

use crate::statistics::Estimate;

/// How a decision was used.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct DecisionUse {
    /// Its name; `pass` for passes.
    pub decision: String,
    /// The option that adds it; none where the game has it anyway.
    pub option: Option<String>,
    /// The options and extensions that change one of its keys.
    pub changed_by: Vec<String>,
    /// At how many plies one of its moves was legal.
    pub offered: u64,
    /// How many of its moves were made.
    pub used: u64,
    /// `used` a game, Student t.
    pub per_game: Estimate,
    /// The share of games with at least one, Wilson.
    pub games: Estimate,
    /// `used / offered`; none where it was never offered.
    pub taken: Option<f64>,
}

/// The effects of an option that is not at its default.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OptionUse {
    /// The option.
    pub option: String,
    /// Its value, as text.
    pub value: String,
    /// The summary that the definition gives of it.
    pub summary: String,
    /// The decisions that it adds.
    pub adds: Vec<String>,
    /// The decisions of the game that it changes.
    pub changes: Vec<String>,
    /// Moves a game of the decisions that it adds; none where it adds none.
    pub used: Option<Estimate>,
    /// The share of games with at least one of these.
    pub games_used: Option<Estimate>,
    /// How games begin to use these: those that are watched at the strongest level, or without levels those that are
    /// compared.
    #[serde(default)]
    pub first_uses: Vec<FirstUses>,
    /// The same games played beside the game in which only this option is at its default; none where the two
    /// cannot be compared move by move.
    pub beside: Option<Beside>,
    /// Why they cannot: a note on the game without the option.
    #[serde(default)]
    pub apart: Option<String>,
}

/// How games use a decision for the first time.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct FirstUses {
    /// The decision.
    pub decision: String,
    /// At which ply (from 0), the median.
    pub ply: u32,
    /// The most frequent first moves, at most 10, the most frequent first.
    pub top: Vec<FirstUse>,
}

/// A first move of a decision.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct FirstUse {
    /// The move.
    pub text: String,
    /// In how many games.
    pub games: u64,
    /// The share of the games that use the decision, Wilson.
    pub share: Estimate,
    /// Of these games the share that was won by who made it, Wilson.
    pub won: Estimate,
}

/// A game played move by move beside the game without the option. The two are *in step* as long as all
/// moves so far are legal in both, the same player decides, and neither or both are over.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Beside {
    /// The share of games in which, while in step, the offered moves differed at least once (or one of the
    /// two was over), Wilson: there the option makes a difference.
    pub differs: Estimate,
    /// The share of games in which a move was made that the other game does not allow, Wilson: the option
    /// was used.
    pub used: Estimate,
    /// Of the plies in step, the share at which the offered moves differ; none where there are no such plies.
    pub plies_differ: Option<f64>,
    /// How many plies were in step.
    pub plies: u64,
    /// The ply of the first difference, over the games that have one: the median.
    pub first: Option<u32>,
}

/// The points of a player who may not use a rule, against one who may. One agent plays both.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RestrictedPlay {
    /// The decision, the kind of piece or the option that the player goes without.
    pub what: String,
    /// The option that adds the decision, or itself; none where the game has it anyway.
    pub option: Option<String>,
    /// The agent.
    pub agent: String,
    /// The points of who goes without it, a game that was not cut: 1 for a win, an even share for a draw. Each player
    /// goes without it in as many games.
    pub points: Estimate,
    /// The same by the player who goes without it, in the players' order.
    pub by_player: Vec<Estimate>,
    /// How many sides play against each other: teams, or players.
    #[serde(default)]
    pub sides: usize,
    /// The chance of points so far from an even share, or farther, if the rule were worth nothing.
    pub p: f64,
    /// The same, adjusted for all tests of the comparison (Holm).
    pub p_adjusted: f64,
    /// Whether `p_adjusted` is at most alpha.
    pub significant: bool,
    /// The least worth that these games would have shown with the comparison's power; none where one is shown.
    pub seen: Option<f64>,
}

impl RestrictedPlay {
    /// The worth of the rule: how far the points are from an even share.
    pub fn worth(&self) -> Estimate {
        let sides = if self.sides > 0 { self.sides } else { self.by_player.len() };
        let even = 1.0 / sides.max(1) as f64;
        let Estimate { value, low, high, n, .. } = self.points;
        Estimate::new(even - value, even - high, even - low, n)
    }
}
