//! A part of a comparison's games, added up, as a file: it may run on another machine, or later, or again.
//!
//! A [`Part`] has the sums of some shards, the settings of their games, and the metrics that are wanted. Parts of one
//! comparison are [merged](Part::merge) in any order, and parts of parts; once all shards are there the comparison is
//! that of one run, figure by figure. The file is one [sealed](super::seal) line of JSON; its size does not grow with
//! the games.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::archive::Header;
use super::contestant::Contestant;
use super::model::Comparison;
use super::run::Plan;
use super::seal::{Seal, other_form};
use super::selfplay::MAX_WATCHED;
use super::tally::Tally;
use super::{Pairs, compare};

/// The most shards.
pub const MAX_SHARDS: u64 = 1_000_000;

/// The version of the file's form.
const FORMAT: u32 = 1;

/// The sums of some shards.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    farrier: String,
    format: u32,
    /// How the games are played.
    rules: Header,
    /// How many games of each variant there are in all: to compare, of strength, at each level.
    games: [u64; 3],
    /// Into how many shards they are dealt, and which of these are here.
    of: u64,
    shards: BTreeSet<u64>,
    /// Each variant's word, and the fingerprint of its definition.
    variants: Vec<(String, String)>,
    /// The metrics that are wanted; all if empty.
    wanted: Vec<String>,
    all_pairs: bool,
    /// The rules that players go without; none: the decisions that options add.
    restrict: Option<Vec<String>>,
    tallies: Vec<Tally>,
}

impl Part {
    /// The played part of a plan; `words` are the variants as they were asked for.
    pub fn new(
        words: &[String],
        contestants: &[Contestant],
        plan: &Plan,
        wanted: &[String],
        pairs: Pairs,
        restrict: Option<&[String]>,
        tallies: Vec<Tally>,
    ) -> Part {
        let prints = contestants.iter().map(Contestant::fingerprint);
        Part {
            farrier: "shard".to_owned(),
            format: FORMAT,
            rules: Header::of(&plan.rules),
            games: [plan.games, plan.strength_games, plan.level_games],
            of: plan.shard.of,
            shards: [plan.shard.number].into(),
            variants: words.iter().cloned().zip(prints).collect(),
            wanted: wanted.to_vec(),
            all_pairs: pairs == Pairs::All,
            restrict: restrict.map(<[String]>::to_vec),
            tallies,
        }
    }

    /// As the line of a file.
    pub fn write(&self) -> String {
        Seal::default().seal(&serde_json::to_string(self).unwrap_or_default()) + "\n"
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Where it is no part of a comparison, or damaged, or of another version: a sentence.
    pub fn read(text: &str) -> Result<Part, String> {
        #[derive(Deserialize)]
        struct Kind {
            farrier: String,
            format: u32,
        }
        let other = "it is no part of a comparison".to_owned();
        let line = text.trim_end();
        let kind: Kind = serde_json::from_str(line).map_err(|_| other.clone())?;
        if kind.farrier != "shard" {
            return Err(other);
        }
        if kind.format != FORMAT {
            return Err(other_form(kind.format, FORMAT));
        }
        let line = Seal::default()
            .open(line)
            .ok_or_else(|| "it is damaged: this is not what was written".to_owned())?;
        let part: Part = serde_json::from_str(&line).map_err(|error| format!("it is damaged: {error}"))?;
        let known = |number: &u64| (1..=part.of).contains(number);
        let rules = &part.rules.rules;
        let sound = part.tallies.len() == part.variants.len()
            && part.of <= MAX_SHARDS
            && part.shards.iter().all(known)
            && rules.watch.max(rules.level_watch) <= MAX_WATCHED
            && part.tallies.iter().all(|tally| tally.is_within(part.games, rules.watch));
        if sound { Ok(part) } else { Err("it is damaged: its parts do not fit together".to_owned()) }
    }

    /// Adds another part.
    ///
    /// # Errors
    /// Where it is of another comparison, or its games are here already: a sentence.
    pub fn merge(&mut self, other: &Part) -> Result<(), String> {
        if let Some((what, there, here)) = other.rules.difference(&self.rules) {
            return Err(format!("its games were played with other settings: {what} is {there}, not {here}"));
        }
        let lists = |part: &Part| {
            let words = part.variants.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ");
            let wanted = if part.wanted.is_empty() { "all".to_owned() } else { part.wanted.join(",") };
            [
                ("the variants are", words),
                ("the number of games is", part.games.map(|n| n.to_string()).join(", ")),
                ("the number of shards is", part.of.to_string()),
                ("--metrics is", wanted),
                ("--all-pairs is", part.all_pairs.to_string()),
                (
                    "--restrict is",
                    part.restrict.as_ref().map_or("not said".to_owned(), |names| names.join(",")),
                ),
            ]
        };
        for ((what, there), (_, here)) in lists(other).into_iter().zip(lists(self)) {
            if there != here {
                return Err(format!("it is of another comparison: {what} {there}, not {here}"));
            }
        }
        for ((word, print), (_, own)) in other.variants.iter().zip(&self.variants) {
            if print != own {
                return Err(format!("`{word}` was another game when its games were played"));
            }
        }
        if let Some(twice) = self.shards.intersection(&other.shards).next() {
            return Err(format!("the games of shard {twice} of {} were given before", self.of));
        }
        self.shards.extend(&other.shards);
        self.tallies.iter_mut().zip(&other.tallies).for_each(|(to, from)| to.merge(from));
        Ok(())
    }

    /// The shards that are not here, and of how many.
    pub fn missing(&self) -> (Vec<u64>, u64) {
        ((1..=self.of).filter(|number| !self.shards.contains(number)).collect(), self.of)
    }

    /// The words of the variants.
    pub fn words(&self) -> Vec<&str> {
        self.variants.iter().map(|(word, _)| word.as_str()).collect()
    }

    /// The rules that players go without: see [`Contestant::restrict`]. None where there are no games at a level.
    pub fn restrict(&self) -> Option<Option<&[String]>> {
        (self.games[2] > 0).then_some(self.restrict.as_deref())
    }

    /// The comparison, of contestants that were loaded by its words, and restricted as it says.
    ///
    /// # Errors
    /// Where a definition is another than the one that was played: a sentence.
    pub fn finish(self, contestants: &[Contestant]) -> Result<Comparison, String> {
        for (contestant, (word, print)) in contestants.iter().zip(&self.variants) {
            if contestant.fingerprint() != *print {
                return Err(format!("`{word}` has changed since its games were played"));
            }
        }
        let [games, strength_games, level_games] = self.games;
        let plan = Plan { rules: self.rules.rules, games, strength_games, level_games, ..Plan::default() };
        let known = self.tallies.into_iter().zip(contestants);
        let tallies: Vec<Tally> = known.map(|(tally, one)| tally.of(one, &plan.rules)).collect();
        let pairs = if self.all_pairs { Pairs::All } else { Pairs::WithFirst };
        Ok(compare(contestants, &tallies, &plan, &self.wanted, pairs))
    }
}
