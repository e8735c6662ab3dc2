//! The static evaluation of a position, without looking ahead.
//!
//! An [`Evaluation`] is a sum over *terms* of a position that every game has, times weights that are fitted
//! ([`fit`](self::fit)) or guessed ([`guess`](self::guess)): nothing here knows a game.
//!
//! | term | weights |
//! | --- | --- |
//! | a piece of an owner and a kind on a site (a stack counts as often as it is high) | owner x kind x site |
//! | a piece below the top one of a stack of any pieces | owner of the top one x owner x kind |
//! | a piece beside another, in the direction of each line ([`pairs`]) | owner x kind x owner x kind x axis |
//! | a site in any other set of the state | set x site |
//! | a number of the state | one each |
//! | a score | one for each player |
//! | who is to decide, in which state of the turn | mover x state |
//! | mobility: the logarithm of 1 + the number of legal moves | one for each mover |
//!
//! Each weight has a second one beside it, which counts times the phase of the game ([`phase`]), from -1 on a full board
//! to 1 on an empty one: a *tapered evaluation*.
//!
//! The sum is the *logit* of a player's points: `1 / (1 + exp(-sum))` is the share of the point that is expected.
//! Players of a team win and lose together, so sums are of sides: teams, or players who play alone ([`Sides`]). Where
//! there are two sides there is one sum, for the first player's; else each side has one. Sums are whole numbers of
//! [`UNIT`]s, so that they are the same on every machine and can be kept up to date: [`Evaluation::change`] looks
//! only at the words of a position that a move changed. A small network over the same terms may correct the first sum
//! ([`network`]).

mod covered;
mod file;
mod fit;
mod guess;
mod learn;
mod nearness;
mod network;
mod pairs;
mod phase;
mod sides;
mod sums;
mod symmetry;
mod terms;
mod units;

pub use file::{Weights, WeightsError};
pub use fit::{Descent, Sample, Samples, TRACE, fit, targets};
pub use guess::{Start, at_random, guess, guessed};
pub use learn::Learner;
pub use nearness::Nearness;
pub use network::Hidden;
pub use sides::Sides;
pub use symmetry::Shares;
pub use terms::{Term, Terms};
pub use units::{MAX_SUM, UNIT, share, sum_worth};

use self::covered::Covered;
use self::network::{Network, UNITS};
use self::pairs::Pairs;
use self::phase::{Phase, tapered};
use self::sums::{Rest, Sums};
use crate::limits::PLAYERS;
use crate::play::{Machine, Moves, Position};
use crate::program::slot;

/// A static evaluation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The linear part, and the network that corrects it; none is as good as one that says 0.
    sums: Vec<(Sums<2>, Option<Network>)>,
    phase: Phase,
    /// Whose points they are.
    sides: Sides,
    /// The pieces below others, where they weigh anything.
    covered: Option<Covered>,
    /// The pieces beside others, where they weigh anything. A network does not see them.
    pairs: Option<Pairs>,
}

/// The part of a sum that only the words of a position decide, which can be kept up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accumulator {
    /// What it is on a board that is half full, and what the phase adds.
    linear: [i32; 2],
    phase: i32,
    units: [i32; UNITS],
}

impl Accumulator {
    /// The linear part.
    #[inline]
    pub fn linear(&self) -> i32 {
        tapered(self.linear, self.phase)
    }
}

impl Evaluation {
    /// The evaluation of fitted weights, in the order of [`Terms`], one list for each sum, twice as long where they
    /// change with the phase, and of the networks that correct the first of them.
    pub fn new(terms: &Terms, weights: &[Vec<f64>], networks: &[Hidden]) -> Evaluation {
        let sums = weights.iter().enumerate().map(|(number, row)| {
            let (half, more) = terms.halves(row);
            (Sums::new(terms, [half, more]), networks.get(number).map(|hidden| Network::new(terms, hidden)))
        });
        let sums: Vec<(Sums<2>, Option<Network>)> = sums.collect();
        let looks = |(linear, network): &(Sums<2>, Option<Network>)| {
            linear.look_below() || network.as_ref().is_some_and(|network| network.sums.look_below())
        };
        let covered = terms.covered().filter(|_| sums.iter().any(looks)).cloned();
        let pairs = terms.pairs().filter(|_| sums.iter().any(|(linear, _)| linear.look_beside())).cloned();
        Evaluation { sums, phase: terms.phase().clone(), sides: terms.sides().clone(), covered, pairs }
    }

    /// The part of a player's sum that only the words of the sets and the stacks decide.
    #[inline]
    pub fn of_sets(&self, words: &[u64], width: usize, player: usize) -> Accumulator {
        let Some((linear, network)) = self.sum(player) else { return Accumulator::default() };
        let covered = self.covered.as_ref();
        let mut sum = linear.of_sets(words, width, covered);
        if let Some(pairs) = &self.pairs {
            linear.add_pairs(words, pairs, &mut sum);
        }
        Accumulator {
            linear: sum,
            phase: self.phase.of(words),
            units: network.as_ref().map_or([0; UNITS], |net| net.sums.of_sets(words, width, covered)),
        }
    }

    /// Changes [`Evaluation::of_sets`] from that of one position to that of another.
    #[inline]
    pub fn change(&self, words: [&[u64]; 2], width: usize, player: usize, sets: &mut Accumulator) {
        let Some((linear, network)) = self.sum(player) else { return };
        let mut changed = 0;
        let [before, after] = words;
        // What is below other pieces is said by slots, which come last.
        let most = match &self.covered {
            Some(_) => before.len(),
            None => {
                let beside = self.pairs.as_ref().map_or(0, |pairs| pairs.words);
                network.as_ref().map_or(0, |network| network.sums.words()).max(linear.words()).max(beside)
            }
        };
        for w in 0..most.min(before.len()).min(after.len()) {
            changed |= u64::from(before[w] != after[w]) << (w % 64);
        }
        let covered = self.covered.as_ref();
        sets.phase = self.phase.of(after);
        linear.change(words, changed, width, covered, &mut sets.linear);
        if let Some(pairs) = self.pairs.as_ref().filter(|pairs| pairs.mask & changed != 0) {
            linear.change_pairs(words, pairs, &mut sets.linear);
        }
        if let Some(network) = network {
            network.sums.change(words, changed, width, covered, &mut sets.units);
        }
    }

    /// The whole of a player's sum. There are so many legal moves.
    pub fn sum_of(
        &self,
        machine: &mut Machine,
        pos: &Position,
        choices: usize,
        player: usize,
        sets: &Accumulator,
    ) -> i32 {
        let Some((linear, network)) = self.sum(player) else { return 0 };
        let scored = linear.are_scored() || network.as_ref().is_some_and(|network| network.sums.are_scored());
        let mut scores = [0; PLAYERS];
        if scored {
            for (player, score) in scores.iter_mut().enumerate().take(machine.layout().players) {
                *score = machine.score(pos, player);
            }
        }
        let layout = machine.layout();
        let rest = Rest {
            pos,
            layout,
            mover: pos.mover(layout).index(),
            state: usize::try_from(pos.slot(layout, slot::STATE)).unwrap_or(0),
            choices,
            scores: &scores,
        };
        let mut sum = sets.linear;
        linear.add_rest(rest, &mut sum);
        let correction = network.as_ref().map_or(0, |network| {
            let mut units = sets.units;
            network.sums.add_rest(rest, &mut units);
            network.output(units)
        });
        tapered(sum, sets.phase).saturating_add(correction).clamp(-MAX_SUM, MAX_SUM)
    }

    /// The whole sum as a player sees it, from nothing: of two sides the second sees the first's the other way round.
    pub fn value(&self, machine: &mut Machine, pos: &Position, moves: &Moves, player: usize) -> i32 {
        let sets = self.of_sets(pos.words(), machine.layout().width, player);
        let sum = self.sum_of(machine, pos, moves.len(), player, &sets);
        if self.sides.of(player).1 { -sum } else { sum }
    }

    #[inline]
    fn sum(&self, player: usize) -> Option<&(Sums<2>, Option<Network>)> {
        self.sums.get(self.sides.of(player).0)
    }
}
