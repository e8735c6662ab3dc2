//! Sums over the games of a variant.
//!
//! All of them are counts and exact [sums](super::sums): it does not matter in what order games are added, or in how
//! many parts, and their memory does not grow with the games. Only the first games are [watched](super::selfplay) move
//! by move, so the records of single moves (openings, legal moves, puzzles) are bounded too.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::contestant::Contestant;
use super::metric::{About, METRICS, Row, STRENGTH_ROW, at_level};
use super::model::{MetricKind, Puzzle};
use super::ratio::{Counted, Weights};
use super::record::{BEGINNING, FirstUse, GameRecord, Series};
use super::selfplay::{Rules, seat};
use super::sums::{Additive, Counts, Sum, additive};
use crate::notation::record::winners;

/// Plies beyond these are not told one by one.
const MAX_PLIES: usize = 1000;

/// Sums over games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    #[serde(skip)]
    pub(super) about: About,
    /// The games of the comparison.
    pub(super) main: Played,
    /// The games at each level of thought, with the agent's word.
    pub(super) levels: Vec<(String, Played)>,
    /// The games in which a player goes without a rule, at the strongest level: one for each of
    /// [`Contestant::restricted`].
    #[serde(default)]
    pub(super) restricted: Vec<Played>,
    /// In how many games each player began.
    pub(super) firsts: Vec<u64>,
    pub(super) lengths: Counts,
    pub(super) turns: Counts,
    pub(super) margins: Counts,
    /// How many games were watched.
    pub(super) watched: u64,
    /// At each ply: how many games got there, and how many of them had so many legal moves.
    pub(super) legal: Vec<(u64, Counts)>,
    /// At each ply: games, and in how many each player is ahead.
    pub(super) ahead: Vec<(u64, Vec<u64>)>,
    /// The watched games, a weight of one each, and by plies.
    pub(super) each: Weights,
    pub(super) by_plies: Weights,
    /// For each player, neutral pieces, and all together: how often something landed on each site, and at how many
    /// plies something stood there.
    pub(super) landed: Vec<Vec<Counted>>,
    pub(super) occupied: Vec<Vec<Counted>>,
    /// At each ply: how many moves of each decision were offered, summed over games, and in how many there were any.
    pub(super) offers: BTreeMap<String, Vec<[u64; 2]>>,
    /// For each decision that an option adds its first moves in games: how many games began to use it so, and how many
    /// of these who did so won; and at which plies.
    pub(super) firsts_used: BTreeMap<String, FirstUses>,
    #[serde(serialize_with = "as_pairs", deserialize_with = "from_pairs")]
    beginnings: Beginnings,
    pub(super) decisions: BTreeMap<String, Used>,
    /// Of the decisions that an option adds, together.
    pub(super) options: BTreeMap<String, Used>,
    pub(super) beside: BTreeMap<String, Stepped>,
    pub(super) puzzles: Vec<Puzzle>,
    /// For each pair of agents how many strength games the stronger one won, drew and lost: where it began, and where
    /// it did not.
    pub(super) strength: Vec<[[u64; 3]; 2]>,
    /// Games in which looking ahead took too long.
    unlooked: u64,
    opening: usize,
    looks: bool,
    paired: bool,
}

/// Sums over the games of a series.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Played {
    pub games: u64,
    /// How many games each player won, how many were drawn, and how many were cut.
    pub outcomes: Vec<u64>,
    /// For each of [`METRICS`] the values of the games that have one.
    pub sums: Vec<Sum>,
    /// Why games ended, with their lengths.
    pub ends: BTreeMap<String, Sum>,
}

/// How a decision was used, or several together.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Used {
    /// At how many plies it was offered.
    pub offered: u64,
    /// How many of its moves were made in each game.
    pub made: Sum,
    /// In how many games there was one.
    pub games: u64,
}

impl Used {
    fn add(&mut self, offered: u32, made: u32) {
        self.offered += u64::from(offered);
        self.made.add(f64::from(made));
        self.games += u64::from(made > 0);
    }
}

additive!(Used { offered, made, games });

/// Sums over games beside the one without an option.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Stepped {
    pub games: u64,
    pub differs: u64,
    pub left: u64,
    pub plies: u64,
    pub differ: u64,
    pub firsts: Counts,
}

additive!(Stepped { games, differs, left, plies, differ, firsts });

/// How a decision was used for the first time in games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct FirstUses {
    /// By the move: in how many games, and how many of them who made it won.
    pub moves: BTreeMap<String, [u64; 2]>,
    /// At which plies.
    pub plies: Counts,
}

impl FirstUses {
    fn add(&mut self, first: &FirstUse, game: &GameRecord) {
        let [games, wins] = self.moves.entry(first.text.clone()).or_default();
        *games += 1;
        *wins += u64::from(game.has_won(first.person) == Some(true));
        self.plies.add(i64::from(first.ply));
    }
}

additive!(FirstUses { moves, plies });

/// The players who have won by a result.
fn winners_of(players: &[String], result: &str) -> Vec<usize> {
    winners(result).filter_map(|name| players.iter().position(|player| player == name)).collect()
}

impl Played {
    fn new(players: usize) -> Played {
        Played {
            outcomes: vec![0; players + 2],
            sums: vec![Sum::default(); METRICS.len()],
            ..Played::default()
        }
    }

    fn add(&mut self, game: &GameRecord, about: &About) {
        self.games += 1;
        for (row, sum) in METRICS.iter().zip(&mut self.sums) {
            if let Some(value) = row.of.value.and_then(|of| of(game, about)) {
                sum.add(value);
            }
        }
        let cut = about.players.len() + 1;
        // Of joint winners each has won the game.
        let mut places = winners_of(&about.players, &game.result);
        if places.is_empty() {
            places.push(cut - usize::from(game.is_finished()));
        }
        for place in places {
            if let Some(n) = self.outcomes.get_mut(place) {
                *n += 1;
            }
        }
        if !game.ended.is_empty() {
            self.ends.entry(game.ended.clone()).or_default().add(f64::from(game.plies));
        }
    }

    /// How many games were drawn.
    pub fn drawn(&self) -> u64 {
        self.outcomes.iter().rev().nth(1).copied().unwrap_or(0)
    }

    /// How many games were cut.
    pub fn cut(&self) -> u64 {
        self.outcomes.last().copied().unwrap_or(0)
    }
}

additive!(Played { games, outcomes, sums, ends });

// All but the puzzles, which are no counts.
additive!(Tally {
    main,
    levels,
    restricted,
    firsts,
    lengths,
    turns,
    margins,
    watched,
    legal,
    ahead,
    each,
    by_plies,
    landed,
    occupied,
    offers,
    firsts_used,
    beginnings,
    decisions,
    options,
    beside,
    strength,
    unlooked
});

impl Tally {
    /// Nothing yet.
    pub fn new(contestant: &Contestant, how: &Rules) -> Tally {
        let rules = &contestant.game.rules;
        let (sites, players) = (rules.board.len(), rules.players.len());
        let about = About::of(contestant, how.opening);
        let names = rules.decisions.iter().map(|d| d.name.as_str());
        Tally {
            main: Played::new(players),
            levels: how.levels.iter().map(|agent| (agent.to_string(), Played::new(players))).collect(),
            restricted: vec![Played::new(players); contestant.restricted.len()],
            firsts: vec![0; players],
            landed: vec![vec![Counted::default(); sites]; players + 2],
            occupied: vec![vec![Counted::default(); sites]; players + 2],
            decisions: names.chain(["pass"]).map(|name| (name.to_owned(), Used::default())).collect(),
            options: about.adds.keys().map(|option| (option.clone(), Used::default())).collect(),
            about,
            opening: how.opening as usize,
            looks: how.looks,
            strength: vec![[[0; 3]; 2]; how.pairs()],
            paired: how.is_paired(),
            ..Tally::default()
        }
    }

    /// The same with the facts about the contestant, which no file has.
    pub(super) fn of(self, contestant: &Contestant, how: &Rules) -> Tally {
        Tally { about: About::of(contestant, how.opening), ..self }
    }

    /// Whether it may be of so many games: to compare, of strength, at each level, and watched ones. The numbers
    /// of a file are not trusted, since work is done for each game that was watched.
    pub(super) fn is_within(&self, [games, strength, level]: [u64; 3], watched: u64) -> bool {
        let began = self.beginnings.values().fold(0u64, |all, (n, _)| all.saturating_add(*n));
        let strong = |pair: &[[u64; 3]; 2]| pair.iter().flatten().fold(0u64, |all, n| all.saturating_add(*n));
        self.main.games <= games
            && self.watched <= watched.min(games)
            && self.is_plausible()
            && began <= self.watched
            && self.strength.iter().all(|pair| strong(pair) <= strength.max(games))
            && self
                .levels
                .iter()
                .map(|(_, played)| played)
                .chain(&self.restricted)
                .all(|played| played.games <= level)
    }

    /// How many games of the comparison there are.
    pub fn games(&self) -> u64 {
        self.main.games
    }

    /// The number of games in which looking ahead took too long.
    pub fn unlooked(&self) -> u64 {
        self.unlooked
    }

    /// The measured metrics: the key of each, its row, its values, and how many games could have had one.
    pub(super) fn measured(&self) -> Vec<(String, &'static Row, Sum, u64)> {
        let main = METRICS
            .iter()
            .zip(&self.main.sums)
            .map(|(row, sum)| (row.key.to_owned(), row, *sum, self.main.games));
        let levels = self.levels.iter().flat_map(|(agent, played)| {
            let told = METRICS.iter().zip(&played.sums).filter(|(row, _)| row.of.games.has_levels());
            told.map(|(row, sum)| (at_level(row.key, agent), row, *sum, played.games))
        });
        let strength = points(&self.strength, &[0, 1]);
        let strength = (STRENGTH_ROW.key.to_owned(), &STRENGTH_ROW, strength, strength.n);
        let all = main.chain(levels).chain([strength]);
        // A metric of all games together has no sum.
        let is_known = |row: &Row, sum: &Sum| match row.of.kind {
            MetricKind::Whole => self.watched > 0,
            MetricKind::Mean | MetricKind::Share => sum.n > 0,
        };
        all.filter(|(_, row, sum, _)| is_known(row, sum)).collect()
    }

    /// One of them.
    pub(super) fn sum(&self, key: &str) -> Option<(&'static Row, Sum)> {
        self.measured().into_iter().find(|(k, ..)| k == key).map(|(_, row, sum, _)| (row, sum))
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        match game.series {
            Series::Main => self.add_main(game),
            Series::Strength(pair) => self.add_strength(game, pair),
            Series::Level(level) => {
                if let Some((_, played)) = self.levels.get_mut(usize::from(level)) {
                    played.add(game, &self.about);
                }
                self.add_looks(game);
            }
        }
    }

    /// Adds the sums of other games of the same contestant and rules.
    pub fn merge(&mut self, other: &Tally) {
        self.add_all(other);
        self.puzzles.extend(other.puzzles.iter().cloned());
        self.puzzles.sort_by(|a, b| a.place().cmp(&b.place()));
    }

    fn add_strength(&mut self, game: &GameRecord, pair: u8) {
        // The stronger agent is the first of the two.
        let place = seat(2, usize::from(game.first.unwrap_or(0)), game.game);
        let lost = game.won.map(|person| seat(2, usize::from(person), game.game) != 0);
        let points = lost.map_or(1, |lost| if lost { 2 } else { 0 });
        let pair = self.strength.get_mut(usize::from(pair));
        if let Some(n) = pair.and_then(|pair| pair.get_mut(place)?.get_mut(points)) {
            *n += 1;
        }
    }

    fn add_main(&mut self, game: &GameRecord) {
        self.main.add(game, &self.about);
        if self.paired {
            self.add_strength(game, 0);
        }
        if let Some(n) = game.first.and_then(|player| self.firsts.get_mut(usize::from(player))) {
            *n += 1;
        }
        self.lengths.add(i64::from(game.plies));
        if let Some(margin) = game.margin() {
            self.margins.add(margin);
        }
        if game.is_watched() {
            self.add_watched(game);
        }
    }

    fn add_watched(&mut self, game: &GameRecord) {
        self.watched += 1;
        self.turns.add(i64::from(game.turns));
        grow(&mut self.legal, game.legal.len().min(MAX_PLIES), || (0, Counts::default()));
        for ((games, counts), legal) in self.legal.iter_mut().zip(&game.legal) {
            *games += 1;
            if *legal > 0 {
                counts.add(i64::from(*legal));
            }
        }
        let plies = u64::from(game.plies);
        self.each.add(1);
        self.by_plies.add(plies);
        add_sites(&mut self.landed, &game.landed, 1);
        add_sites(&mut self.occupied, &game.occupied, plies);
        for (decision, offers) in &game.offers {
            let sums = self.offers.entry(decision.clone()).or_default();
            grow(sums, offers.len().min(MAX_PLIES), || [0; 2]);
            sums.iter_mut().zip(offers).for_each(|(to, n)| to.add_all(&[u64::from(*n), u64::from(*n > 0)]));
        }
        let players = self.about.players.len();
        let opening = game.opening.get(..self.opening.max(BEGINNING as usize)).unwrap_or(&game.opening);
        let (games, wins) = self.beginnings.entry(opening.to_vec()).or_insert_with(|| (0, vec![0; players]));
        *games += 1;
        for winner in winners_of(&self.about.players, &game.result) {
            if let Some(n) = wins.get_mut(winner) {
                *n += 1;
            }
        }
        for (name, used) in &mut self.decisions {
            let [offered, made] = game.decisions.get(name).copied().unwrap_or_default();
            used.add(offered, made);
        }
        for (option, used) in &mut self.options {
            let of = self.about.adds.get(option).into_iter().flatten();
            let made = of.filter_map(|name| game.decisions.get(name)).map(|[_, made]| made).sum();
            used.add(0, made);
        }
        for step in &game.beside {
            let sum = self.beside.entry(step.option.clone()).or_default();
            sum.games += 1;
            sum.differs += u64::from(step.first.is_some());
            sum.left += u64::from(step.left);
            sum.plies += u64::from(step.plies);
            sum.differ += u64::from(step.differ);
            if let Some(first) = step.first {
                sum.firsts.add(i64::from(first));
            }
        }
        self.add_looks(game);
    }

    /// Adds the records of the best play that is watched: who is ahead, the first uses of new rules, and the results of
    /// looking ahead.
    fn add_looks(&mut self, game: &GameRecord) {
        if self.levels.is_empty() || game.series != Series::Main {
            self.add_ahead(&game.ahead);
            for (decision, first) in &game.first_uses {
                self.firsts_used.entry(decision.clone()).or_default().add(first, game);
            }
        }
        self.unlooked += u64::from(self.looks && game.is_watched() && game.only_wins.is_none());
        self.puzzles.extend(game.puzzles.iter().cloned());
    }

    fn add_ahead(&mut self, leaders: &[i8]) {
        let players = self.about.players.len();
        grow(&mut self.ahead, leaders.len().min(MAX_PLIES), || (0, vec![0; players]));
        for ((games, ahead), leader) in self.ahead.iter_mut().zip(leaders) {
            *games += 1;
            if let Some(n) = usize::try_from(*leader).ok().and_then(|p| ahead.get_mut(p)) {
                *n += 1;
            }
        }
    }

    /// The beginnings of so many plies, in order, each with how many games and how many of them each player won.
    pub(super) fn beginnings(&self, plies: usize) -> Vec<(&[String], u64, Vec<u64>)> {
        let mut out: Vec<(&[String], u64, Vec<u64>)> = Vec::new();
        for (moves, (games, wins)) in &self.beginnings {
            let Some(moves) = moves.get(..plies) else { continue };
            match out.last_mut().filter(|(last, ..)| *last == moves) {
                Some((_, n, won)) => {
                    n.add_all(games);
                    won.add_all(wins);
                }
                None => out.push((moves, *games, wins.clone())),
            }
        }
        out
    }

    /// The openings, as the comparison has them.
    pub(super) fn openings(&self) -> Vec<(&[String], u64, Vec<u64>)> {
        self.beginnings(self.opening)
    }

    /// How long the longest beginning is.
    pub(super) fn deepest(&self) -> usize {
        self.beginnings.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// The opening of each game as a number, one numbering for this tally and another one; and how many.
    pub(super) fn kinds_with(&self, other: &Tally) -> (Vec<u32>, Vec<u32>, usize) {
        let mut numbers: BTreeMap<&[String], u32> = BTreeMap::new();
        let (own, others) = (self.openings(), other.openings());
        for (moves, ..) in own.iter().chain(&others) {
            let next = numbers.len() as u32;
            numbers.entry(moves).or_insert(next);
        }
        let kinds = |all: &[(&[String], u64, Vec<u64>)]| {
            let of = |(moves, n, _): &(&[String], u64, Vec<u64>)| {
                std::iter::repeat_n(numbers.get(moves).copied().unwrap_or(0), *n as usize)
            };
            all.iter().flat_map(of).collect()
        };
        (kinds(&own), kinds(&others), numbers.len())
    }
}

/// The points of the stronger agent of some pairs from some of its places.
pub(super) fn points(pairs: &[[[u64; 3]; 2]], places: &[usize]) -> Sum {
    let mut sum = Sum::default();
    for counts in pairs.iter().flat_map(|pair| places.iter().filter_map(|place| pair.get(*place))) {
        for (points, n) in [1.0, 0.5, 0.0].into_iter().zip(counts) {
            sum.add_times(points, *n);
        }
    }
    sum
}

/// Adds the sites of a game: of each owner, and of all together.
fn add_sites(to: &mut [Vec<Counted>], game: &[Vec<(u16, u32)>], weight: u64) {
    let mut all: BTreeMap<u16, u64> = BTreeMap::new();
    for (owner, sites) in game.iter().enumerate() {
        for (site, n) in sites {
            *all.entry(*site).or_default() += u64::from(*n);
            if let Some(sum) = to.get_mut(owner).and_then(|list| list.get_mut(usize::from(*site))) {
                sum.add(u64::from(*n), weight);
            }
        }
    }
    let Some(together) = to.last_mut() else { return };
    for (site, n) in all {
        if let Some(sum) = together.get_mut(usize::from(site)) {
            sum.add(n, weight);
        }
    }
}

fn grow<T>(list: &mut Vec<T>, to: usize, with: impl FnMut() -> T) {
    if list.len() < to {
        list.resize_with(to, with);
    }
}

/// First moves: how many games, and how many of them each player won. In files a list of pairs, since keys of JSON are
/// texts.
type Beginnings = BTreeMap<Vec<String>, (u64, Vec<u64>)>;

fn as_pairs<S: Serializer>(map: &Beginnings, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(map)
}

fn from_pairs<'de, D: Deserializer<'de>>(from: D) -> Result<Beginnings, D::Error> {
    Ok(Vec::deserialize(from)?.into_iter().collect())
}
