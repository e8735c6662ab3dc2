//! The results of a match, added up by whole rounds.

use std::collections::BTreeMap;

use super::game::{Ending, Played};
use super::schedule::Schedule;
use super::stats::{self, Sprt, Verdict};
use crate::notation::record::Lost;
use crate::statistics::Estimate;

/// The results so far.
#[derive(Clone, Debug)]
pub struct Standings {
    schedule: Schedule,
    rows: Vec<Row>,
    /// The games of rounds that are not whole yet.
    open: BTreeMap<u64, Vec<Played>>,
    /// How many games were given up or lost by time, cut, ended by a proof.
    pub forfeits: u64,
    /// Games that were cut: they count as draws.
    pub cut: u64,
    /// Games that a proof ended.
    pub proved: u64,
    /// How many games ended in each way.
    pub endings: BTreeMap<String, u64>,
    /// How often each agent gave up, and why.
    pub given_up: BTreeMap<(usize, String), u64>,
    /// For each seat: the points that its players got.
    pub seats: Vec<f64>,
}

/// The results of one agent.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Games in whole rounds.
    pub games: u64,
    /// Won.
    pub wins: u64,
    /// Drawn or cut.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// The share of the points of each round.
    pub shares: Vec<f64>,
    /// The same by opponent, where there are two players.
    pub against: BTreeMap<usize, Vec<f64>>,
    /// Points of the match that the definition describes.
    pub match_points: i64,
}

impl Row {
    /// The score, with its interval.
    pub fn score(&self) -> Option<Estimate> {
        stats::mean(&self.shares)
    }
}

impl Standings {
    /// The standings of a match that has not begun.
    pub fn new(schedule: &Schedule, agents: usize) -> Standings {
        Standings {
            rows: vec![Row::default(); agents],
            open: BTreeMap::new(),
            forfeits: 0,
            cut: 0,
            proved: 0,
            endings: BTreeMap::new(),
            given_up: BTreeMap::new(),
            seats: vec![0.0; schedule.per_round() as usize],
            schedule: schedule.clone(),
        }
    }

    /// Adds a game. It counts once its round is whole.
    pub fn add(&mut self, played: Played) {
        let round = self.schedule.game(played.game).round;
        let games = self.open.entry(round).or_default();
        games.push(played);
        if games.len() as u64 == self.schedule.per_round()
            && let Some(games) = self.open.remove(&round)
        {
            self.count(&games);
        }
    }

    fn count(&mut self, games: &[Played]) {
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for played in games {
            for (player, (agent, points)) in played.seats.iter().zip(&played.points).enumerate() {
                let Some(row) = self.rows.get_mut(*agent) else { continue };
                row.games += 1;
                let best = played.points.iter().copied().fold(0.0, f64::max);
                let drawn = played.points.iter().all(|p| p == points);
                match drawn {
                    true => row.draws += 1,
                    false if *points >= best => row.wins += 1,
                    false => row.losses += 1,
                }
                row.match_points += i64::from(played.match_points.get(player).copied().unwrap_or(0));
                *sums.entry(*agent).or_default() += points;
                if let Some(seat) = self.seats.get_mut(player) {
                    *seat += points;
                }
            }
            if let Some((player, why)) = played.end.lost()
                && let Some(agent) = played.seats.get(player)
            {
                *self.given_up.entry((*agent, why.to_owned())).or_default() += 1;
            }
            let ending = match &played.end {
                Ending::Rule(name) => name.clone(),
                Ending::Forfeit(..) => "given up".to_owned(),
                Ending::Late(_) => Lost::Late.reason().to_owned(),
                Ending::Proof => "proved".to_owned(),
                Ending::Cut => "cut".to_owned(),
            };
            *self.endings.entry(ending).or_default() += 1;
            self.forfeits += u64::from(played.end.lost().is_some());
            self.cut += u64::from(played.end == Ending::Cut);
            self.proved += u64::from(played.end == Ending::Proof);
        }
        let n = games.len() as f64;
        for (agent, sum) in &sums {
            let Some(row) = self.rows.get_mut(*agent) else { continue };
            row.shares.push(sum / n);
            if sums.len() == 2 {
                let other = sums.keys().find(|other| *other != agent).copied().unwrap_or_default();
                row.against.entry(other).or_default().push(sum / n);
            }
        }
    }

    /// Each agent's row.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// How many games of whole rounds there are.
    pub fn games(&self) -> u64 {
        self.endings.values().sum()
    }

    /// How many pairs of games had each of [`stats::SHARES`], for the first of two agents.
    pub fn pairs(&self) -> [u64; 5] {
        stats::pentanomial(self.rows.first().map_or(&[], |row| &row.shares))
    }

    /// The verdict of a sequential test on the first of two agents.
    pub fn verdict(&self, sprt: &Sprt) -> Verdict {
        sprt.verdict(&self.pairs())
    }
}
