//! Sums over the games of a variant.
//!
//! Records are added in the order of their numbers. Everything is a count but the values of metrics, which
//! are kept one by one: means, spreads and tests are made of them at the end.

use std::collections::BTreeMap;

use super::contestant::Contestant;
use super::metric::{About, METRICS};
use super::model::Puzzle;
use super::record::{BEGINNING, GameRecord, Series};
use super::selfplay::{Rules, seat};

/// Plies beyond these are not told one by one.
const PLIES: usize = 1000;

/// Sums over games.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub(super) about: About,
    /// Main games.
    pub games: u64,
    /// For each of [`METRICS`] the values of the games that have one.
    pub(super) values: Vec<Vec<f64>>,
    pub(super) outcomes: BTreeMap<String, u64>,
    /// In how many games each player began.
    pub(super) firsts: Vec<u64>,
    pub(super) lengths: Vec<i64>,
    pub(super) turns: Vec<i64>,
    pub(super) margins: Vec<i64>,
    /// At each ply: how many games had so many legal moves.
    pub(super) legal: Vec<BTreeMap<u32, u64>>,
    /// At each ply: games, and in how many each player is ahead.
    pub(super) ahead: Vec<(u64, Vec<u64>)>,
    pub(super) landed: Vec<Vec<u64>>,
    pub(super) occupied: Vec<Vec<u64>>,
    pub(super) plies: u64,
    /// For each length from 1: beginnings and in how many games.
    pub(super) beginnings: Vec<BTreeMap<String, u64>>,
    /// Openings: how many games, and how many of them each player won.
    pub(super) openings: BTreeMap<Vec<String>, (u64, Vec<u64>)>,
    /// The opening of each game, as its place in the order of first occurrence.
    pub(super) kinds: Vec<u32>,
    kind_of: BTreeMap<String, u32>,
    /// For each decision and game: plies at which it was offered, moves made.
    pub(super) decisions: BTreeMap<String, Vec<[u32; 2]>>,
    pub(super) beside: BTreeMap<String, Stepped>,
    pub(super) puzzles: Vec<Puzzle>,
    /// Points of the stronger agent in each strength game, with 0 where it began, else 1.
    pub(super) strength: Vec<(usize, f64)>,
    /// Games of which the looks were not finished.
    unlooked: u64,
    opening: u32,
    looks: bool,
    paired: bool,
}

/// Sums over games beside the one without an option.
#[derive(Clone, Debug, Default)]
pub(super) struct Stepped {
    pub games: u64,
    pub differs: u64,
    pub left: u64,
    pub plies: u64,
    pub differ: u64,
    pub firsts: Vec<u32>,
}

impl Tally {
    /// Nothing yet.
    pub fn new(contestant: &Contestant, how: &Rules) -> Tally {
        let rules = &contestant.game.rules;
        let sites = rules.board.len();
        let owners = rules.players.len() + 1;
        Tally {
            about: About {
                players: rules.players.clone(),
                sites: rules.board.sites().count(),
                openings: f64::from(how.opening) * contestant.game.program.moves().max(1.0).log2(),
            },
            values: vec![Vec::new(); METRICS.len()],
            firsts: vec![0; rules.players.len()],
            landed: vec![vec![0; sites]; owners],
            occupied: vec![vec![0; sites]; owners],
            beginnings: vec![BTreeMap::new(); how.opening.max(BEGINNING) as usize],
            decisions: (rules.decisions.iter().map(|d| d.name.as_str()).chain(["pass"]))
                .map(|name| (name.to_owned(), Vec::new()))
                .collect(),
            opening: how.opening,
            looks: how.looks,
            paired: how.agents.len() == 2 && how.strength.is_none(),
            ..Tally::default()
        }
    }

    /// The number of games whose looks were not finished.
    pub fn unlooked(&self) -> u64 {
        self.unlooked
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        match game.series {
            Series::Main => self.add_main(game),
            Series::Strength => self.add_strength(game),
        }
    }

    fn add_strength(&mut self, game: &GameRecord) {
        let place = seat(2, usize::from(game.first.unwrap_or(0)), game.game);
        // The stronger agent is the first of the two.
        let won = self.about.players.iter().position(|p| *p == game.result);
        let points = match won {
            Some(player) => f64::from(u8::from(seat(2, player, game.game) == 0)),
            None => 0.5,
        };
        self.strength.push((place, points));
    }

    fn add_main(&mut self, game: &GameRecord) {
        self.games += 1;
        if self.paired {
            self.add_strength(game);
        }
        for (row, values) in METRICS.iter().zip(&mut self.values) {
            values.extend(row.of.and_then(|of| of(game, &self.about)));
        }
        *self.outcomes.entry(game.result.clone()).or_default() += 1;
        if let Some(n) = game.first.and_then(|player| self.firsts.get_mut(usize::from(player))) {
            *n += 1;
        }
        self.lengths.push(i64::from(game.plies));
        self.turns.push(i64::from(game.turns));
        self.unlooked += u64::from(self.looks && game.only_wins.is_none());
        if let (true, Some(best)) = (game.is_finished(), game.scores.iter().max()) {
            let second = {
                let mut scores = game.scores.clone();
                scores.sort_unstable();
                scores.iter().rev().nth(1).copied()
            };
            self.margins.extend(second.map(|second| i64::from(*best) - i64::from(second)));
        }
        for (ply, legal) in game.legal.iter().enumerate().take(PLIES) {
            if self.legal.len() <= ply {
                self.legal.push(BTreeMap::new());
            }
            if let (Some(at), 1..) = (self.legal.get_mut(ply), *legal) {
                *at.entry(*legal).or_default() += 1;
            }
        }
        self.add_leads(game);
        for (to, from) in [(&mut self.landed, &game.landed), (&mut self.occupied, &game.occupied)] {
            for (list, sites) in to.iter_mut().zip(from) {
                for (site, n) in sites {
                    if let Some(sum) = list.get_mut(usize::from(*site)) {
                        *sum += u64::from(*n);
                    }
                }
            }
        }
        self.plies += u64::from(game.plies);
        self.add_opening(game);
        for (name, list) in &mut self.decisions {
            list.push(game.decisions.get(name).copied().unwrap_or_default());
        }
        for step in &game.beside {
            let sum = self.beside.entry(step.option.clone()).or_default();
            sum.games += 1;
            sum.differs += u64::from(step.first.is_some());
            sum.left += u64::from(step.left);
            sum.plies += u64::from(step.plies);
            sum.differ += u64::from(step.differ);
            sum.firsts.extend(step.first);
        }
        self.puzzles.extend(game.puzzles.iter().cloned());
    }

    fn add_leads(&mut self, game: &GameRecord) {
        for (ply, leader) in game.ahead.iter().enumerate().take(PLIES) {
            if self.ahead.len() <= ply {
                self.ahead.push((0, vec![0; self.about.players.len()]));
            }
            let Some((games, ahead)) = self.ahead.get_mut(ply) else { continue };
            *games += 1;
            if let Some(n) = usize::try_from(*leader).ok().and_then(|p| ahead.get_mut(p)) {
                *n += 1;
            }
        }
    }

    fn add_opening(&mut self, game: &GameRecord) {
        let mut text = String::new();
        for (moves, sum) in game.opening.iter().zip(&mut self.beginnings) {
            text += moves;
            text.push(' ');
            *sum.entry(text.clone()).or_default() += 1;
        }
        let Some(opening) = game.opening.get(..self.opening as usize) else { return };
        let players = self.about.players.len();
        let (games, wins) = self.openings.entry(opening.to_vec()).or_insert_with(|| (0, vec![0; players]));
        *games += 1;
        let winner = self.about.players.iter().position(|p| *p == game.result);
        if let Some(n) = winner.and_then(|p| wins.get_mut(p)) {
            *n += 1;
        }
        let next = self.kind_of.len() as u32;
        self.kinds.push(*self.kind_of.entry(opening.join(" ")).or_insert(next));
    }

    /// The opening of each game as a number, one numbering for this tally and another one; and how many.
    pub(super) fn kinds_with(&self, other: &Tally) -> (Vec<u32>, Vec<u32>, usize) {
        let mut names: BTreeMap<&str, u32> =
            self.kind_of.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
        let mut map = vec![0; other.kind_of.len()];
        for (name, kind) in &other.kind_of {
            let next = names.len() as u32;
            let joint = *names.entry(name).or_insert(next);
            if let Some(to) = map.get_mut(*kind as usize) {
                *to = joint;
            }
        }
        let others = other.kinds.iter().filter_map(|k| map.get(*k as usize).copied()).collect();
        (self.kinds.clone(), others, names.len())
    }
}
