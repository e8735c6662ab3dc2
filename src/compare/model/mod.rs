//! The figures of a comparison: plain data, from which texts, tables and pictures are made.
//!
//! ```text
//! Comparison
//!   settings     how the games were played
//!   metrics      the metrics, each with its unit and its definition in words
//!   variants     one VariantResult each: estimates by metric, distributions, heat maps, openings, use of rules
//!   differences  the baseline (the first variant) against each other one, metric by metric
//!   same         pairs of variants that mean the same program
//!   verdict      the conclusions, in sentences
//!   matrix       only of `matrix`: the options, the combinations, and the effect of each option
//! ```
//!
//! Everything is serialised by serde with the field names that stand here. A figure that does not exist (the
//! score of a game that counts none, a share of no games) is absent from its map or `None`, never a made-up
//! number: no field holds a NaN. A figure that is only a lower bound says so. Shares are between 0 and 1. Plies, turns
//! and games count from 0.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::drawing::plan::Plan;

mod effects;
mod measure;
mod tuned;
mod uses;

pub use crate::statistics::Estimate;
pub use effects::{Combination, Design, Difference, Effect, Matrix, MatrixOption, TRIVIAL};
pub use measure::{Metric, MetricKind, STRENGTH};
pub use tuned::{Tuned, TunedVariant};
pub use uses::{Beside, DecisionUse, FirstUse, FirstUses, OptionUse, RestrictedPlay};

/// The version of this form of data, in [`Comparison::format`].
pub const FORMAT: u32 = 2;

/// The result of `compare` and of `matrix`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Comparison {
    /// [`FORMAT`].
    pub format: u32,
    /// How the games were played.
    pub settings: Settings,
    /// The metrics that at least one variant has, in the order in which they are shown.
    pub metrics: Vec<Metric>,
    /// The variants in the order in which they were named; the first is the baseline.
    pub variants: Vec<VariantResult>,
    /// Differences, grouped by pair of variants, within a pair in the order of the metrics.
    pub differences: Vec<Difference>,
    /// Pairs of variants that are the same game: they mean the same program. A significant difference between
    /// them is a false alarm, and no number of games is needed.
    #[serde(default)]
    pub same: Vec<[String; 2]>,
    /// The conclusions in sentences for people, the most important first.
    pub verdict: Vec<String>,
    /// Notes for reading the figures: games that were cut, entropies that are at their
    /// limit, looks that were left out. One sentence each.
    pub notes: Vec<String>,
    /// Effects of options; only of `matrix`.
    pub matrix: Option<Matrix>,
}

/// How the games were played.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Settings {
    /// How many games of each variant.
    pub games: u64,
    /// The agents by seat: one for all seats, or two that are tried in both seats.
    pub agents: Vec<String>,
    /// The agents of the strength games, the strongest first; none where there were none.
    pub strength: Vec<String>,
    /// How many strength games of each variant and pair.
    pub strength_games: u64,
    /// Agents that each played against themselves, the weakest first: levels of thought.
    #[serde(default)]
    pub levels: Vec<String>,
    /// How many games of each variant at each of these.
    #[serde(default)]
    pub level_games: u64,
    /// Of the games, how many at most were watched move by move; metrics that need that are of these.
    #[serde(default)]
    pub watch: u64,
    /// The seed.
    pub seed: u64,
    /// A game is cut after so many plies.
    pub plies: u32,
    /// How many plies are an opening.
    pub opening: u32,
    /// How many playouts from each position said who is ahead, in games that count no score; 0 for none.
    #[serde(default)]
    pub leads: u32,
    /// The same in games at the strongest level.
    #[serde(default)]
    pub level_leads: u32,
    /// How many games at the strongest level were watched at most.
    #[serde(default)]
    pub level_watch: u64,
    /// The level of the intervals: 0.95.
    pub confidence: f64,
    /// The greatest chance of even one false "significant" in the whole comparison: 0.05.
    pub alpha: f64,
    /// The chance of finding a difference of the observed size that [`Difference::games_needed`] is for: 0.8.
    pub power: f64,
}

impl Settings {
    /// Whether nobody thinks in the games that are compared: how they begin is noise.
    pub fn is_random(&self) -> bool {
        self.agents.iter().all(|agent| agent == "random")
    }

    /// `, played by AGENT` of the strongest level, to stand behind a name; nothing where there are no levels.
    pub fn strongest_play(&self) -> String {
        self.levels.last().map_or(String::new(), |agent| format!(", played by {agent}"))
    }

    /// The agents whose strength is compared, the strongest first: those of the strength games, else the two that play.
    pub fn ladder(&self) -> &[String] {
        match (&self.strength[..], &self.agents[..]) {
            ([], two @ [_, _]) => two,
            (all, _) => all,
        }
    }

    /// How many games of each variant a metric is of, at most.
    pub fn games_of(&self, key: &str) -> u64 {
        match key {
            STRENGTH if !self.strength.is_empty() => self.strength_games,
            _ if key.contains('@') => self.level_games,
            _ => self.games,
        }
    }
}

/// The results of one variant.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct VariantResult {
    /// The variant as one word, as it was asked for: `game+option`. Unique in a comparison.
    pub variant: String,
    /// The game's title.
    pub title: String,
    /// The options that are not at their defaults, with the values they have as text.
    pub options: Vec<(String, String)>,
    /// The players' names, as the definition has them.
    pub players: Vec<String>,
    /// The player who began: who made the first ply that was no chance. None where not all games had the same, or
    /// where players can swap sides: who began may be any of them at the end.
    #[serde(default)]
    pub first: Option<String>,
    /// How many sides play against each other: teams, or players; 0 where an older program did not say it.
    #[serde(default)]
    pub sides: usize,
    /// Whether beginning is an advantage; only of two players, and only in a comparison without a matrix.
    #[serde(default)]
    pub first_move: Option<Evenness>,
    /// A number for the weights by which agents play it, another one for others; none where they guess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// How many games were played.
    pub games: u64,
    /// How many of them were watched move by move.
    #[serde(default)]
    pub watched: u64,
    /// Why the watched games ended, the most frequent first; games that were cut have no reason.
    #[serde(default)]
    pub ends: Vec<EndShare>,
    /// Games at each level of thought, the weakest first.
    #[serde(default)]
    pub levels: Vec<LevelResult>,
    /// An estimate for each metric that it has, by [`Metric::key`].
    pub estimates: BTreeMap<String, Estimate>,
    /// How the games ended: each player, `draw`, `unfinished` (cut). The shares add up to 1 where nobody wins together.
    pub outcomes: Vec<OutcomeShare>,
    /// How many plies the games took.
    pub lengths: Histogram,
    /// How many turns the games took.
    pub turns: Histogram,
    /// How far apart the scores were at the end; none where the game counts no score.
    pub margins: Option<Histogram>,
    /// How many legal moves there were, ply by ply. Ends where less than a twentieth of the games went on
    /// (and at least 10 games did).
    pub branching: Vec<PlyBand>,
    /// How many moves of each decision there were to choose from, in the order of the definition, where there is more
    /// than one.
    #[serde(default)]
    pub offers: Vec<Offers>,
    /// Who was ahead, ply by ply, as far as scores or playouts say, in the watched games at the strongest level, or
    /// without levels in those that are compared; empty without.
    pub leads: Vec<LeadAt>,
    /// The board, to draw the heat maps on.
    pub board: Plan,
    /// A number for each site of the board.
    pub heat: Vec<HeatMap>,
    /// How the games began.
    pub openings: Openings,
    /// How often each decision was offered and used, in the order of the definition.
    pub decisions: Vec<DecisionUse>,
    /// The use of each option that is not at its default.
    pub option_uses: Vec<OptionUse>,
    /// Positions with exactly one good move, a few of them.
    pub puzzles: Vec<Puzzle>,
    /// The worth of rules to a player who goes without them, at the strongest level; only in a comparison without a
    /// matrix.
    #[serde(default)]
    pub restricted: Vec<RestrictedPlay>,
    /// Whether more thought wins more; none where no strength games were played.
    pub strength: Option<Strength>,
}

/// How often games ended for one reason.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct EndShare {
    /// `end.` with the name of an end, or `stuck`.
    pub end: String,
    /// How many games.
    pub games: u64,
    /// The share of all games that were looked at, cut ones too, Wilson.
    pub share: Estimate,
    /// How many plies these games took, Student t.
    pub length: Estimate,
}

/// The games of an agent against itself.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LevelResult {
    /// The agent.
    pub agent: String,
    /// How many games.
    pub games: u64,
    /// How they ended: each player, `draw`, `unfinished` (cut).
    pub outcomes: Vec<OutcomeShare>,
    /// Why they ended, the most frequent first.
    pub ends: Vec<EndShare>,
}

/// Whether the first player's share of the decided games is one half.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Evenness {
    /// The chance of a share at least so far from it if it were (binomial, exact).
    pub p: f64,
    /// The same, adjusted for all tests of the comparison (Holm): these and those of differences.
    pub p_adjusted: f64,
    /// Whether `p_adjusted` is at most alpha.
    pub significant: bool,
}

/// How often games ended in one way.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OutcomeShare {
    /// A player's name, `draw` or `unfinished`.
    pub outcome: String,
    /// In how many games.
    pub games: u64,
    /// The share of all games, Wilson.
    pub share: Estimate,
}

/// A distribution of whole numbers.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Histogram {
    /// Neighbouring ranges without gaps, at most 40, equally wide. All variants of a comparison have the
    /// same ranges.
    pub bins: Vec<Bin>,
    /// Nearest-rank quantiles; none where there is nothing.
    pub quantiles: Option<Quantiles>,
}

/// How many values lie in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Bin {
    /// The first value.
    pub from: i64,
    /// The last value, included.
    pub to: i64,
    /// How many.
    pub count: u64,
}

/// Quantiles of a distribution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Quantiles {
    /// The least value.
    pub min: i64,
    /// 5 % are not above it.
    pub p5: i64,
    /// 25 %.
    pub p25: i64,
    /// Half.
    pub median: i64,
    /// 75 %.
    pub p75: i64,
    /// 95 %.
    pub p95: i64,
    /// The greatest value.
    pub max: i64,
}

/// The number of legal moves at one ply, over the games that got there.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PlyBand {
    /// The ply, the first is 0.
    pub ply: u32,
    /// How many games got there with a player to decide.
    pub games: u64,
    /// The mean.
    pub mean: f64,
    /// A tenth of the games had at most so many.
    pub p10: f64,
    /// Half of them.
    pub median: f64,
    /// Nine tenths.
    pub p90: f64,
}

/// How many moves of a decision there were.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Offers {
    /// The decision; `pass` for passes.
    pub decision: String,
    /// The mean over the games in which there was any, at each of the plies of [`VariantResult::branching`]; none where
    /// these are too few to tell.
    pub means: Vec<Option<f64>>,
}

/// Who is ahead at one ply.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LeadAt {
    /// The ply: by score as it stands after it, by playouts (only plies that a player decides) as it is before.
    pub ply: u32,
    /// How many games got there.
    pub games: u64,
    /// The share of games in which each player is ahead alone, in the players' order; the rest is level.
    pub ahead: Vec<f64>,
}

/// A number for each site.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HeatMap {
    /// What is counted.
    pub kind: HeatKind,
    /// Whose; none: of all together (and of neutral pieces).
    pub player: Option<String>,
    /// For each of [`Plan::sites`]: see [`HeatKind`].
    pub values: Vec<f64>,
    /// The standard errors of these, over games; empty of fewer than two games.
    #[serde(default)]
    pub errors: Vec<f64>,
}

/// The events that a heat map counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeatKind {
    /// Times a game that a ply brought a piece of the player to the site (its owner there became the player,
    /// or the player's pieces there became more or of another kind).
    #[default]
    Landed,
    /// The share of plies after which a piece of the player stood on the site.
    Occupied,
}

/// How games began.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Openings {
    /// How many plies are an opening here ([`Settings::opening`]).
    pub plies: u32,
    /// How diverse the beginnings of each length are, from 1 ply on.
    pub depths: Vec<OpeningDepth>,
    /// The most frequent openings of `plies` plies, at most 10, the most frequent first.
    pub top: Vec<Opening>,
}

/// How diverse the beginnings of one length are.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OpeningDepth {
    /// The length in plies.
    pub plies: u32,
    /// How many games got so far.
    pub games: u64,
    /// How many different beginnings there were.
    pub distinct: u64,
    /// Shannon's entropy in bits, as it was seen. At most log2 of `games`.
    pub entropy: f64,
}

/// One opening.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Opening {
    /// Its moves.
    pub moves: Vec<String>,
    /// In how many games.
    pub games: u64,
    /// The share of the games that got so far, Wilson.
    pub share: Estimate,
    /// How often each player won from it, in the players' order.
    pub wins: Vec<u64>,
}

/// A position with exactly one good move.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Puzzle {
    /// The question.
    pub kind: PuzzleKind,
    /// The position's text.
    pub position: String,
    /// Who decides.
    pub player: String,
    /// The one move.
    pub solution: String,
    /// How many legal moves there are.
    pub legal: u64,
    /// Who played the game that it comes from.
    #[serde(default)]
    pub agent: String,
    /// The game and ply.
    pub game: u64,
    /// See there.
    pub ply: u32,
}

impl Puzzle {
    /// The key by which puzzles are sorted. No two puzzles have the same.
    pub(crate) fn place(&self) -> (&str, u64, u32, PuzzleKind) {
        (&self.agent, self.game, self.ply, self.kind)
    }
}

/// The question of a [`Puzzle`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleKind {
    /// One ply wins at once, and no other.
    #[default]
    OnlyWin,
    /// After every ply but one the next player can win at once.
    OnlyDefence,
}

/// How more thought fares against less: a ladder of agents, each against the next weaker one.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Strength {
    /// The pairs, the strongest first.
    pub steps: Vec<Step>,
    /// Points of the stronger ones a game, of all pairs: 1 for a win, one half for a draw, Student t. 0.5: thought
    /// does not help.
    pub score: Estimate,
    /// The same where it begins, and where it does not.
    pub by_seat: [Option<Estimate>; 2],
}

/// The games of two agents, of which one thinks more.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Step {
    /// The agent that thinks more.
    pub stronger: String,
    /// The agent that thinks less.
    pub weaker: String,
    /// How many games; the agents change seats from game to game.
    pub games: u64,
    /// Won by the stronger one.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// Points of the stronger one a game.
    pub score: Estimate,
}
