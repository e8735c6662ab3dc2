//! The record of one game: a line of JSON.
//!
//! Everything that a comparison shows is made of these records, so a game that was recorded need not be
//! played again, and the figures of a run that was stopped and gone on with are those of one that was not.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::model::Puzzle;

/// How many plies of a beginning are kept, at least.
pub const BEGINNING: u32 = 6;

/// One game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which variant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
    /// Its number, from 0, in its series.
    pub game: u64,
    /// Which series: games of the comparison, or of the strength of agents.
    #[serde(default, skip_serializing_if = "is_default")]
    pub series: Series,
    /// Its seed. Two `random` agents play the game of `farrier playout GAME --seed SEED`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seed: u64,
    /// The agent of each player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
    /// The number of the person who made the first ply, plies of chance left out; none where nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u8>,
    /// A player's name, several (see [`winners`](crate::notation::record::winners)), `draw`, or `unfinished`.
    pub result: String,
    /// The number of the person who won: after `swap sides` another than the player's; none where nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub won: Option<u8>,
    /// The numbers of the persons who won together, or before others who have places of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<u8>,
    /// Why it ended: `end.` with an end's name, or `stuck`; empty where it was cut, or not watched.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ended: String,
    /// Plies made.
    pub plies: u32,
    /// Turns begun; 0 where they were not counted.
    #[serde(default, skip_serializing_if = "is_default")]
    pub turns: u32,
    /// How many legal moves there were at each ply; 0 where chance decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal: Vec<u32>,
    /// Each player's score at the end; empty where the game counts none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<i32>,
    /// Who was ahead at each ply: a player's number, -1 where nobody alone; empty where nothing says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ahead: Vec<i8>,
    /// How far the winner was behind, see [`lead`](super::lead); none where nothing says so or nobody won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drama: Option<f64>,
    /// For each decision that was ever offered: at how many plies, and how many of its moves were made.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub decisions: BTreeMap<String, [u32; 2]>,
    /// Where more than one decision was ever offered: for each, how many of its moves were legal at each ply, as far as
    /// there were any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub offers: BTreeMap<String, Vec<u32>>,
    /// The first move of each decision that an option adds, plies drawn by lot left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub first_uses: BTreeMap<String, FirstUse>,
    /// For each player, then neutral pieces: sites and how often something landed there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub landed: Vec<Vec<(u16, u32)>>,
    /// The same: at how many plies something stood there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub occupied: Vec<Vec<(u16, u32)>>,
    /// The first moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// At how many plies exactly one of several moves won at once; none where that was not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_wins: Option<u32>,
    /// How many moves of the last ply of a loser avoided an immediate loss, and how many there were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defences: Option<[u32; 2]>,
    /// For each option: how the game went beside the one without it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Step>,
    /// Puzzles, of the first games only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub puzzles: Vec<Puzzle>,
}

/// A series of games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Series {
    /// The games that are compared.
    #[default]
    Main,
    /// An agent against the next weaker one: which of the pairs.
    Strength(u8),
    /// An agent that thinks against itself: which of the levels.
    Level(u8),
}

impl Series {
    /// A number that is another for each.
    fn number(self) -> u8 {
        match self {
            Series::Main => 0,
            // There are at most eight of each.
            Series::Strength(pair) => 1 + pair,
            Series::Level(level) => 16 + level,
        }
    }
}

/// Whether a value is its default, so that it is not written.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The first move of a decision in a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FirstUse {
    /// The ply, the first is 0.
    pub ply: u32,
    /// The move.
    pub text: String,
    /// The number of the person who made it.
    pub person: u8,
}

/// How a game went beside the one without an option.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Step {
    /// The option.
    pub option: String,
    /// How many plies were in step.
    pub plies: u32,
    /// At how many of these the offers differed.
    pub differ: u32,
    /// The first ply at which they (or the outcomes) did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// Whether a move was made that the other game does not allow.
    pub left: bool,
}

impl GameRecord {
    /// Whether a person won, alone or with others; none where nobody did.
    pub fn has_won(&self, person: u8) -> Option<bool> {
        match self.won {
            None if self.shared.is_empty() => None,
            won => Some(won == Some(person) || self.shared.contains(&person)),
        }
    }

    /// Whether somebody won.
    pub fn is_decided(&self) -> bool {
        self.is_finished() && self.result != "draw"
    }

    /// Whether it was watched move by move.
    pub fn is_watched(&self) -> bool {
        !self.landed.is_empty()
    }

    /// The best score less the second best, of a game that was not cut.
    pub fn margin(&self) -> Option<i64> {
        let best = self.scores.iter().enumerate().max_by_key(|(_, score)| **score)?;
        let rest = self.scores.iter().enumerate().filter(|(player, _)| *player != best.0);
        let second = rest.map(|(_, score)| *score).max().filter(|_| self.is_finished())?;
        Some(i64::from(*best.1) - i64::from(second))
    }

    /// Whether it was not cut.
    pub fn is_finished(&self) -> bool {
        self.result != "unfinished"
    }
}

/// Where [`hashed`] begins.
pub(super) const HASH: u64 = 0xcbf2_9ce4_8422_2325;

/// A hash with some bytes added: FNV-1a.
pub(super) fn hashed(hash: u64, bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The seed of a game, from the comparison's seed, the variant's text, the series and the game's number:
/// FNV-1a over their bytes, then the finish of splitmix64.
pub fn game_seed(seed: u64, variant: &str, series: Series, game: u64) -> u64 {
    let tail = [series.number()].into_iter().chain(game.to_le_bytes());
    let mut hash = hashed(HASH, seed.to_le_bytes().into_iter().chain(variant.bytes()).chain(tail));
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
