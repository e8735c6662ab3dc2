//! Fits an evaluation to a game by self-play.
//!
//! ```text
//! weights (of a parent, or guessed) -> round: games of alpha-beta against itself, each from an opening at random
//!     ^                                  at each choice the position at the end of the principal variation is a sample,
//!     |                                  with the later values of the game, the result most of all
//!     +------- fit to the last samples <-+
//! ```
//!
//! Without weights several trainings begin, and the best goes on ([`Contest`]).
//!
//! Young weights are fitted soon, after each round; those that many samples know wait for many new ones ([`Fit`]). In the
//! end the sum is fitted once more, for longer, and that is used when games have said that it is better
//! ([`Trainer::refit`]).
//!
//! A network is fitted to what the linear sum leaves. It is used when games have said that the evaluation is better
//! with it ([`Trainer::judge`]).
//!
//! While nearly nobody wins, games go on past repetitions and count by how near the ends were
//! ([`Nearness`](crate::search::evaluation::Nearness)).
//!
//! The search has valued the leaf of the principal variation, so the weights are fitted to that (*TDLeaf(lambda)*:
//! Baxter, Tridgell, Weaver, Machine Learning 2000; in games of more than two lambda is 1). All chance comes from the
//! seed, and the games of a round do not depend on each other: the same on any number of threads.

mod contest;
mod game;

use std::ops::ControlFlow;
use std::sync::Arc;

use rayon::prelude::*;

pub use self::contest::{Contest, Duel};
use self::game::{Table, player};
use crate::analysis::workers::Workers;
use crate::game::Game;
use crate::notation::position::TextError;
use crate::play::{Machine, Position, Rng};
use crate::search::Limit;
use crate::search::evaluation::{
    Descent, Evaluation, Hidden, Learner, Sample, Samples, Shares, TRACE, Terms, Weights, at_random, fit,
    guessed, targets,
};

/// How training is done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// All chance.
    pub seed: u64,
    /// Games of a round.
    pub games: u64,
    /// Nodes of each choice.
    pub nodes: u64,
    /// A game is cut after so many plies.
    pub plies: u32,
    /// The most plies of an opening at random.
    pub opening: u32,
    /// How many of the last samples are fitted to at the most.
    pub window: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { seed: 1, games: 200, nodes: 500, plies: 400, opening: 12, window: 2_000_000 }
    }
}

/// The samples of a training have no more terms than this, of eight bytes each.
const MOST_TERMS: usize = 80_000_000;

/// Weights that were fitted to many samples are good, and a fit to few makes them worse. So known weights wait for as
/// many as they were fitted to, at the most so many, and from so many on a fit waits for new ones: for this share of what
/// there is. Before, each round is followed by one: young weights learn soon.
const MANY: usize = 200_000;
const NEW: f64 = 0.25;

/// How many new samples a fit waits for after one to so many.
fn awaited(learned: usize) -> usize {
    if learned < MANY { 0 } else { (NEW * learned as f64) as usize }
}

/// How a fit goes over the samples.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fit {
    /// Soon: each sample is seen twice.
    Young,
    /// With care: the mean of the second half of all steps, for nothing is played by the weights on the way.
    Careful,
    /// The same for longer: of one large game four passes got 55 % of the points against the weights before, sixteen
    /// 58 %, as the exact minimum did.
    Last,
}

impl Fit {
    /// How often each sample is seen, and how often the network sees it.
    fn passes(self) -> [usize; 2] {
        match self {
            Fit::Young => [2, 2],
            Fit::Careful => [4, 8],
            Fit::Last => [16, 8],
        }
    }
}

/// Fewer samples teach a network what happened in them, not what is good.
const ENOUGH: usize = 100_000;

/// Where more games of a round are undecided, these count by how near the ends were. In the next round a move at random
/// follows where a position is there again: else games end by repetition before anything happens.
const UNDECIDED: f64 = 0.9;

/// One choice in so many is made at random, so that games differ.
const STRAY: usize = 20;

/// The result of a round.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Round {
    /// Its number, from 1.
    pub number: u64,
    /// Its plies.
    pub plies: u64,
    /// Samples that weights are fitted to now.
    pub samples: usize,
    /// Samples that the next fit waits for.
    pub awaited: usize,
    /// How many of its games were drawn or cut.
    pub undecided: u64,
}

/// Games between the learned weights and the first ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gauge {
    /// Games that the new won.
    pub wins: u64,
    /// Games that nobody won, or that were cut.
    pub draws: u64,
    /// Games that the old won.
    pub losses: u64,
}

/// What was seen in a game.
struct Learned {
    /// For each choice the terms that a sample is made of, with the phase.
    taken: Vec<Option<Told>>,
    /// For each choice the value for the first player's side.
    expected: Vec<f32>,
    /// The points of each sum's side.
    results: Vec<f32>,
    /// The same by how near the ends were, where nobody won.
    nearness: Option<Vec<f32>>,
}

/// The terms of a position, with the phase.
type Told = (Vec<(u32, f32)>, f32);

impl Learned {
    /// The samples of the game, by its points, or by how near the ends were.
    fn samples(self, by_nearness: bool) -> Vec<Sample> {
        let Learned { taken, expected, results, nearness } = self;
        let results = nearness.filter(|_| by_nearness).unwrap_or(results);
        let first = results.first().copied().unwrap_or(0.5);
        let told = match results.len() {
            1 => targets(&expected, first, TRACE),
            _ => vec![first; expected.len()],
        };
        let samples = taken.into_iter().zip(told).zip(expected).filter_map(|((taken, told), expected)| {
            let mut results = results.clone();
            results.iter_mut().take(1).for_each(|first| *first = told);
            let (terms, phase) = taken?;
            Some(Sample { terms, phase, results, expected })
        });
        samples.collect()
    }
}

/// Learns a game.
pub struct Trainer {
    game: Game,
    machine: Machine,
    start: Position,
    plan: Plan,
    terms: Terms,
    shares: Shares,
    /// The first weights, and the present ones.
    began: Arc<Evaluation>,
    rows: Vec<Vec<f64>>,
    /// The network of the first sum.
    learner: Learner,
    /// Whether the network is used, and whether there is one.
    networked: bool,
    has_network: bool,
    samples: Samples,
    /// How many samples the weights are fitted to, and for how many more the next fit waits.
    learned: usize,
    awaited: usize,
    rounds: u64,
    /// Whether nearly all games of the last round were undecided.
    barren: bool,
}

/// Terms, which of them share their weights, and the weights of each sum.
type First = (Terms, Shares, Vec<Vec<f64>>);

/// The same with the terms of pieces beside each other, which weigh nothing yet.
fn with_pairs(game: &Game, machine: &mut Machine, start: &Position, (terms, _, rows): First) -> First {
    let terms = terms.with_pairs(&game.program, &game.rules.board);
    let shares = Shares::find(machine, &terms, start);
    let rows = rows.iter().map(|row| terms.widened(row)).collect();
    (terms, shares, rows)
}

impl Trainer {
    /// Begins with weights that are known, else with a guess.
    ///
    /// # Errors
    /// Where the game cannot be set up.
    pub fn new(game: Game, plan: Plan, known: Option<&Weights>) -> Result<Trainer, TextError> {
        // INVARIANT: the program of a game is sound.
        let mut machine = match game.machine() {
            Ok(machine) => machine,
            Err(error) => return Err(TextError { message: error.to_string(), help: None, place: None }),
        };
        machine.warm_up();
        let start = game.start(&mut machine, None, plan.seed)?;
        // The guess says too how large numbers usually are.
        let starts = game.starts(&mut machine)?;
        let guess = guessed(&mut machine, &starts, &Limit::nodes(u64::MAX));
        let (terms, shares, guess) = with_pairs(&game, &mut machine, &start, guess);
        let rows = known.and_then(|known| known.rows(&terms));
        let learned = match (known, &rows) {
            (Some(known), Some(_)) => known.positions.unwrap_or(MANY),
            _ => 0,
        };
        let rows = rows.unwrap_or(guess);
        let network = known.and_then(|known| known.network(&terms));
        let began = Arc::new(Evaluation::new(&terms, &rows, network.as_slice()));
        let mut trainer = Trainer::with(game, machine, start, plan, (terms, shares, rows), began);
        (trainer.learned, trainer.awaited) = (learned, learned.min(MANY));
        if let Some(network) = &network {
            trainer.learner.resume(network);
            (trainer.networked, trainer.has_network) = (true, true);
        }
        Ok(trainer)
    }

    /// The same game learned from games at random, other ones for each number. Its gain is told against the same first
    /// weights.
    fn otherwise(&mut self, number: u64) -> Result<Trainer, TextError> {
        let plan = Plan { seed: self.plan.seed.wrapping_add(number << 32), ..self.plan };
        let starts = self.game.starts(&mut self.machine)?;
        let first = at_random(&mut self.machine, &starts, plan.seed);
        let first = with_pairs(&self.game, &mut self.machine, &self.start, first);
        let (game, machine, start) = (self.game.clone(), self.machine.clone(), self.start.clone());
        Ok(Trainer::with(game, machine, start, plan, first, self.began.clone()))
    }

    /// Begins with weights, and without a network.
    fn with(
        game: Game,
        machine: Machine,
        start: Position,
        plan: Plan,
        (terms, shares, rows): First,
        began: Arc<Evaluation>,
    ) -> Trainer {
        let learner = Learner::new(&terms, &shares, &mut Rng::new(plan.seed));
        Trainer {
            game,
            machine,
            start,
            plan,
            terms,
            shares,
            began,
            rows,
            learner,
            networked: false,
            has_network: false,
            samples: Samples::default(),
            learned: 0,
            awaited: 0,
            rounds: 0,
            barren: false,
        }
    }

    /// The present evaluation.
    pub fn evaluation(&self) -> Arc<Evaluation> {
        Arc::new(Evaluation::new(&self.terms, &self.rows, self.network().as_slice()))
    }

    fn network(&self) -> Option<Hidden> {
        self.networked.then(|| self.learner.hidden(&self.shares))
    }

    /// The same as a text is made of.
    pub fn weights(&self) -> Weights {
        let (name, fingerprint) = (&self.game.name, self.game.fingerprint().to_string());
        let weights = Weights::of(&self.terms, &self.rows, self.network().as_ref(), name, &fingerprint);
        Weights { positions: Some(self.learned), ..weights }
    }

    /// Plays a round and fits the weights; gives up between games where it is told to.
    pub fn round(&mut self, go_on: &(dyn Fn() -> ControlFlow<()> + Sync)) -> ControlFlow<(), Round> {
        self.rounds += 1;
        let evaluation = self.evaluation();
        let first = self.rounds.wrapping_mul(self.plan.games);
        let workers = Workers::new(|_| Table::new(self.machine.clone(), [player(&evaluation)].into()));
        let played: Vec<Option<Learned>> = (0..self.plan.games)
            .into_par_iter()
            .map(|number| {
                if go_on().is_break() {
                    return None;
                }
                let rng = Rng::new(self.plan.seed ^ (first + number).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                Some(workers.with(|table| self.learn(table, rng)))
            })
            .collect();
        drop(workers);
        let mut round = Round { number: self.rounds, ..Round::default() };
        let Some(played) = played.into_iter().collect::<Option<Vec<Learned>>>() else {
            return ControlFlow::Break(());
        };
        round.undecided = played.iter().filter(|learned| learned.nearness.is_some()).count() as u64;
        self.barren = round.undecided as f64 > UNDECIDED * self.plan.games as f64;
        for learned in played {
            let samples = learned.samples(self.barren);
            round.plies += samples.len() as u64;
            self.samples.add(&samples);
        }
        self.samples.keep_last(self.plan.window, MOST_TERMS);
        self.awaited = self.awaited.saturating_sub(round.plies as usize);
        if self.awaited == 0 {
            self.learned = self.samples.len();
            self.awaited = awaited(self.learned);
            let mut rng = Rng::new(self.plan.seed.wrapping_add(self.rounds));
            let how = if self.learned < MANY { Fit::Young } else { Fit::Careful };
            self.rows = self.fit(how, &mut rng);
            self.fit_network(how, &mut rng);
        }
        (round.samples, round.awaited) = (self.learned, self.awaited);
        ControlFlow::Continue(round)
    }

    /// The weights fitted to the samples.
    fn fit(&self, how: Fit, rng: &mut Rng) -> Vec<Vec<f64>> {
        let (mut rows, steps) = (self.rows.clone(), how.passes()[0] * self.samples.len());
        let descent = match how {
            Fit::Young => Descent { steps, ..Descent::default() },
            Fit::Careful | Fit::Last => Descent { steps, averaged: steps / 2, standard: true },
        };
        fit(&self.samples, &self.terms, &self.shares, &mut rows, descent, rng);
        rows
    }

    /// Fits the network to what the linear sum leaves, if there are samples enough.
    fn fit_network(&mut self, how: Fit, rng: &mut Rng) {
        if let Some(linear) = self.rows.first().filter(|_| self.samples.len() >= ENOUGH) {
            self.has_network = true;
            let steps = how.passes()[1] * self.samples.len();
            self.learner.fit(&self.samples, &self.shares, linear, steps, rng);
        }
    }

    /// Plays a game and learns from it.
    fn learn(&self, table: &mut Table, mut rng: Rng) -> Learned {
        let opening = rng.pick(self.plan.opening as usize + 1) as u32;
        table.begin(&self.game, &self.start, rng.bits());
        let (mut expected, mut taken) = (Vec::new(), Vec::new());
        for ply in 0..self.plan.plies {
            if table.moves().is_empty() {
                break;
            }
            let stray = ply < opening || rng.pick(STRAY) == 0 || self.barren && table.repeats();
            if table.moves().is_chance() || stray {
                table.stray(&mut rng);
                continue;
            }
            let (chosen, found) = table.choose(0, self.plan.nodes, &mut rng);
            // A proved result is known to the search: the evaluation need not know it.
            let leaf = if found.proved.is_none() { table.leaf(&found.line, &self.terms) } else { None };
            taken.push(leaf);
            let value = found.value as f32;
            expected.push(if self.terms.sides().of(table.mover()).1 { 1.0 - value } else { value });
            table.play(chosen);
        }
        let results = table.results(&self.terms);
        let nearness = table.nearness(&self.terms);
        Learned { taken, expected, results, nearness }
    }

    /// Plays games of the present weights against the first ones, in pairs from the same opening with seats exchanged;
    /// gives up between games where it is told to.
    pub fn gauge(&self, pairs: u64, go_on: &(dyn Fn() -> ControlFlow<()> + Sync)) -> Gauge {
        self.pairs(&self.evaluation(), &self.began, pairs, go_on)
    }

    /// Fits the linear sum to all samples once more, and plays games of it against the sum as it was. It is used from now
    /// on if it won more of them than it lost; then the network is fitted to what it leaves.
    pub fn refit(&mut self, pairs: u64, go_on: &(dyn Fn() -> ControlFlow<()> + Sync)) -> Gauge {
        if pairs == 0 || self.samples.is_empty() {
            return Gauge::default();
        }
        let sums = |rows: &[Vec<f64>]| Arc::new(Evaluation::new(&self.terms, rows, &[]));
        let mut rng = Rng::new(self.plan.seed.wrapping_sub(1));
        let rows = self.fit(Fit::Last, &mut rng);
        let gauge = self.pairs(&sums(&rows), &sums(&self.rows), pairs, go_on);
        if gauge.wins > gauge.losses {
            (self.rows, self.learned) = (rows, self.samples.len());
            self.fit_network(Fit::Last, &mut rng);
        }
        gauge
    }

    /// Plays games with the network against the linear sum alone, in the same way. It is used from now on if it won
    /// more of them than it lost; so where none is played it is not. None is played before there are samples enough
    /// for a network.
    pub fn judge(&mut self, pairs: u64, go_on: &(dyn Fn() -> ControlFlow<()> + Sync)) -> Gauge {
        if !self.has_network {
            return Gauge::default();
        }
        let [without, with] = [false, true].map(|networked| {
            self.networked = networked;
            self.evaluation()
        });
        let gauge = self.pairs(&with, &without, pairs, go_on);
        self.networked = gauge.wins > gauge.losses;
        gauge
    }

    fn pairs(
        &self,
        new: &Arc<Evaluation>,
        old: &Arc<Evaluation>,
        pairs: u64,
        go_on: &(dyn Fn() -> ControlFlow<()> + Sync),
    ) -> Gauge {
        let players = || [player(new), player(old)].into();
        let workers = Workers::new(|_| Table::new(self.machine.clone(), players()));
        let played: Vec<Option<f32>> = (0..2 * pairs)
            .into_par_iter()
            .map(|number| go_on().is_continue().then(|| workers.with(|table| self.compare(table, number))))
            .collect();
        let mut gauge = Gauge::default();
        for points in played.into_iter().flatten() {
            match points {
                p if p > 0.75 => gauge.wins += 1,
                p if p < 0.25 => gauge.losses += 1,
                _ => gauge.draws += 1,
            }
        }
        gauge
    }

    /// The points of the new weights in a game against the old.
    fn compare(&self, table: &mut Table, number: u64) -> f32 {
        let mut rng = Rng::new(self.plan.seed ^ (number / 2 + 1).wrapping_mul(0xd134_2543_de82_ef95));
        table.begin(&self.game, &self.start, rng.bits());
        let opening = 2 + rng.pick(5) as u32;
        for ply in 0..self.plan.plies {
            if table.moves().is_empty() {
                break;
            }
            if table.moves().is_chance() || ply < opening {
                table.stray(&mut rng);
                continue;
            }
            let seat = usize::from((table.person() as u64 + number) % 2 == 1);
            let (chosen, _) = table.choose(seat, self.plan.nodes, &mut rng);
            table.play(chosen);
        }
        table.points((number % 2) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn young_weights_are_fitted_after_each_round_and_others_after_a_quarter_more() {
        assert_eq!([0, 10, 199_999, 200_000, 1_000_000].map(awaited), [0, 0, 0, 50_000, 250_000]);
    }
}
