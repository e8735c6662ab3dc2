//! Playing the games of a comparison, and going on where an earlier run stopped.
//!
//! Games are dealt to the threads, each of which adds its own up; the sums of all are merged. A taker of the games
//! gets them in the order of their numbers. So nothing depends on how many threads there are, or on
//! how many [shards](Shard) the games are dealt to. A game that the [`Archive`] has is not played again.

use std::convert::Infallible;
use std::fmt;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use super::archive::{Archive, ArchiveError, Keeper};
use super::contestant::Contestant;
use super::record::{GameRecord, Series};
use super::selfplay::{Rules, Worker};
use super::sums::Additive;
use super::tally::Tally;
use crate::analysis::workers::Workers;
use crate::notation::position::TextError;
use crate::search::{AgentError, Making};

/// Games that are dealt out before all are waited for: of thinking agents, and of random ones.
const PORTION: u64 = 128;
const RANDOM_PORTION: u64 = 1 << 14;

/// Random games that one thread is given at once.
const HAND: usize = 64;

/// The games that are to be played of each variant.
#[derive(Clone)]
pub struct Plan {
    /// How games are played.
    pub rules: Rules,
    /// How many games.
    pub games: u64,
    /// How many strength games of each pair of agents.
    pub strength_games: u64,
    /// How many games at each level of thought.
    pub level_games: u64,
    /// Games of lower numbers are left out.
    pub from: u64,
    /// Which of these are played here.
    pub shard: Shard,
    /// The means to make agents.
    pub making: Making,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            rules: Rules::default(),
            games: 1000,
            strength_games: 200,
            level_games: 200,
            from: 0,
            shard: Shard::default(),
            making: Making::default(),
        }
    }
}

impl Plan {
    /// The series of each variant, and the number of games of each.
    pub fn series(&self) -> Vec<(Series, u64)> {
        let pairs = self.rules.strength.windows(2).enumerate();
        let strength = pairs.map(|(pair, _)| (Series::Strength(pair as u8), self.strength_games));
        let levels = (0..self.rules.levels.len()).map(|level| (Series::Level(level as u8), self.level_games));
        [(Series::Main, self.games)].into_iter().chain(strength).chain(levels).collect()
    }

    /// The series of a variant in which one of so many players goes without a rule: together as many games as at a
    /// level, all at the strongest one.
    fn restricted(&self, players: usize) -> Vec<(Series, u64)> {
        let strongest = self.rules.levels.len().checked_sub(1);
        let games = self.level_games.div_ceil(players.max(1) as u64);
        strongest.map(|level| (Series::Level(level as u8), games)).into_iter().collect()
    }

    /// How many games of a variant are played here.
    pub fn here(&self, contestant: &Contestant) -> u64 {
        let of = |games: u64| (games + self.shard.of - self.shard.number) / self.shard.of;
        let all = |series: Vec<(Series, u64)>| series.into_iter().map(|(_, games)| of(games)).sum::<u64>();
        let restricted = all(self.restricted(contestant.game.rules.players.len()));
        all(self.series()) + restricted * contestant.restricted.len() as u64
    }
}

/// A part of the games: those whose numbers leave a remainder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub number: u64,
    /// Of how many.
    pub of: u64,
}

impl Default for Shard {
    fn default() -> Shard {
        Shard { number: 1, of: 1 }
    }
}

/// Who hears of games.
pub enum Taker<'t, E> {
    /// Is given each in order, and whether it is new.
    Games(&'t mut dyn FnMut(&GameRecord, bool) -> Result<(), E>),
    /// Is told how many more were played; an error stops it.
    Count(&'t mut dyn FnMut(u64) -> Result<(), E>),
}

/// A game as a line, without the line's end; not sealed.
pub fn line(game: &GameRecord) -> String {
    // Names and numbers always have a form in JSON.
    serde_json::to_string(game).unwrap_or_default()
}

/// Why games could not be played.
#[derive(Debug)]
pub enum RunError<E> {
    /// The start cannot be set up.
    Start(TextError),
    /// An agent cannot be had.
    Agent(AgentError),
    /// The taker of the games failed.
    Taker(E),
}

impl<E: fmt::Display> fmt::Display for RunError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Start(error) => write!(f, "{error}"),
            RunError::Agent(error) => write!(f, "{error}"),
            RunError::Taker(error) => write!(f, "{error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for RunError<E> {}

/// Plays the games of all contestants.
pub fn play_all(contestants: &[Contestant], plan: &Plan) -> Result<Vec<Tally>, RunError<Infallible>> {
    let one = |contestant| play(contestant, plan, &mut Archive::default(), Taker::Count(&mut |_| Ok(())));
    contestants.iter().map(one).collect()
}

/// Plays the games of a contestant, those in which a player goes without a rule too, or takes them from the archive,
/// which forgets them.
pub fn play<E>(
    contestant: &Contestant,
    plan: &Plan,
    archive: &mut Archive,
    mut taker: Taker<'_, E>,
) -> Result<Tally, RunError<E>> {
    plan.rules.admits(&plan.making).map_err(RunError::Agent)?;
    let mut tally = play_series(contestant, plan, &plan.series(), archive, &mut taker)?;
    let series = plan.restricted(contestant.game.rules.players.len());
    // Only their results are told.
    let plan = Plan { rules: Rules { watch: 0, ..plan.rules.clone() }, ..plan.clone() };
    for (restricted, sum) in contestant.restricted.iter().zip(&mut tally.restricted) {
        let played = play_series(&restricted.contestant, &plan, &series, archive, &mut taker)?;
        if let Some((_, played)) = played.levels.last() {
            sum.add_all(played);
        }
    }
    Ok(tally)
}

/// Plays some series of a contestant.
fn play_series<E>(
    contestant: &Contestant,
    plan: &Plan,
    all: &[(Series, u64)],
    archive: &mut Archive,
    taker: &mut Taker<'_, E>,
) -> Result<Tally, RunError<E>> {
    let rules = &plan.rules;
    let mut tally = Tally::new(contestant, rules);
    let workers = Workers::new(|_| (Worker::new(contestant, rules, &plan.making), GameRecord::default()));
    let wanted = matches!(taker, Taker::Games(_));
    for (series, games) in all.iter().copied() {
        let (portion, hand) = if rules.is_random(series) { (RANDOM_PORTION, HAND) } else { (PORTION, 1) };
        let mut numbers = (plan.from + plan.shard.number - 1..games).step_by(plan.shard.of as usize);
        loop {
            let numbers: Vec<u64> = numbers.by_ref().take(portion as usize).collect();
            if numbers.is_empty() {
                break;
            }
            let known = |number: u64| archive.take(contestant, rules, series, number);
            let known: Vec<Option<GameRecord>> = numbers.iter().copied().map(known).collect();
            known.iter().flatten().for_each(|game| tally.add(game));
            let new: Vec<u64> =
                numbers.iter().zip(&known).filter(|(_, game)| game.is_none()).map(|(n, _)| *n).collect();
            let play = |numbers: &[u64]| -> Result<Vec<GameRecord>, TextError> {
                workers.with(|(worker, record)| {
                    let mut games = Vec::new();
                    for number in numbers {
                        worker.play(series, *number, record)?;
                        games.extend(wanted.then(|| record.clone()));
                    }
                    Ok(games)
                })
            };
            let played: Vec<Result<_, _>> = new.par_chunks(hand).map(play).collect();
            let played: Vec<_> = played.into_iter().collect::<Result<_, _>>().map_err(RunError::Start)?;
            match taker {
                Taker::Count(count_up) => count_up(numbers.len() as u64).map_err(RunError::Taker)?,
                Taker::Games(take) => {
                    let mut fresh = played.into_iter().flatten();
                    for game in &known {
                        let found = match game {
                            Some(game) => take(game, false),
                            None => fresh.next().map_or(Ok(()), |game| take(&game, true)),
                        };
                        found.map_err(RunError::Taker)?;
                    }
                }
            }
        }
    }
    workers.into_all().for_each(|(worker, _)| tally.merge(&worker.tally));
    Ok(tally)
}
