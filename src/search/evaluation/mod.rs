//! The static evaluation of a position, without looking ahead.
//!
//! An [`Evaluation`] is a sum over *terms* of a position that every game has, times weights that are fitted
//! ([`fit`](self::fit)): nothing here knows a game.
//!
//! | term | weights |
//! | --- | --- |
//! | a piece of an owner and a kind on a site (a stack counts as often as it is high) | owner x kind x site |
//! | a piece below the top one of a stack of any pieces | owner of the top one x owner x kind |
//! | a site in any other set of the state | set x site |
//! | a number of the state | one each |
//! | a score | one for each player |
//! | who is to decide, in which state of the turn | mover x state |
//! | mobility: the logarithm of 1 + the number of legal moves | one for each mover |
//!
//! The sum is the *logit* of a player's points: `1 / (1 + exp(-sum))` is the share of the point that is expected.
//! Players of a team win and lose together, so sums are of sides: teams, or players who play alone ([`Sides`]). Where
//! there are two sides there is one sum, for the first player's; else each side has one. Sums are whole numbers of
//! [`UNIT`]s, so that they are the same on every machine and can be kept up to date: [`Evaluation::change`] looks
//! only at the words of a position that a move changed.

mod covered;
mod file;
mod fit;
mod sides;
mod symmetry;
mod terms;

pub use file::{Weights, WeightsError};
pub use fit::{Sample, Samples, fit, guess, guessed};
pub use sides::Sides;
pub use symmetry::Shares;
pub use terms::{Term, Terms};

use self::covered::Covered;
use crate::play::{Machine, Moves, Position};
use crate::program::slot;

/// So many make one logit.
pub const UNIT: f64 = 1024.0;

/// The greatest sum that is told: no evaluation looks like a proved result.
pub const MAX_SUM: i32 = 1 << 20;

/// Mobilities are the same from so many legal moves on.
const CROWD: usize = 512;

/// A static evaluation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    sums: Vec<Sum>,
    /// Whose points they are.
    sides: Sides,
    /// The pieces below others, where they weigh anything.
    covered: Option<Covered>,
    /// Whether scores weigh anything: they take a call of the program.
    scored: bool,
}

/// The weights of one sum.
#[derive(Clone, Debug, Default)]
struct Sum {
    sets: Vec<SetWeights>,
    /// How many words of a position there are up to the last of a set.
    words: usize,
    /// Of pieces below others, by their place.
    below: Vec<i32>,
    /// Slots and their weights in units.
    slots: Vec<(usize, f64)>,
    /// By player.
    scores: Vec<f64>,
    /// By mover, then by state.
    turns: Vec<Vec<i32>>,
    /// By mover, then by the number of legal moves.
    mobility: Vec<Vec<i32>>,
}

/// A set of a position, intersected with another where there is one, and the weight of each member.
#[derive(Clone, Debug)]
struct SetWeights {
    /// The first word of each; twice the same where there is no other.
    at: (usize, usize),
    /// The words of both, as a [`mask`].
    mask: u64,
    weights: Vec<i32>,
}

/// A word of a position as a bit: words that are 64 apart share one.
#[inline]
fn mask(word: usize) -> u64 {
    1 << (word % 64)
}

impl SetWeights {
    #[inline]
    fn word(&self, words: &[u64], w: usize) -> u64 {
        let word = |at: usize| words.get(at + w).copied().unwrap_or(0);
        word(self.at.0) & word(self.at.1)
    }

    #[inline]
    fn of_bits(&self, mut bits: u64, w: usize) -> i32 {
        let mut sum = 0;
        while bits != 0 {
            let site = 64 * w + bits.trailing_zeros() as usize;
            sum += self.weights.get(site).copied().unwrap_or(0);
            bits &= bits - 1;
        }
        sum
    }
}

impl Evaluation {
    /// The evaluation of fitted weights, in the order of [`Terms`], one list for each sum.
    pub fn new(terms: &Terms, weights: &[Vec<f64>]) -> Evaluation {
        let words = |first: usize| (first..first + terms.width()).fold(0, |all, word| all | mask(word));
        let mut sums = Vec::new();
        for weights in weights {
            let mut sum = Sum { scores: vec![0.0; terms.players()], ..Sum::default() };
            sum.mobility = vec![Vec::new(); terms.players()];
            sum.turns = vec![vec![0; terms.states()]; terms.players()];
            for (term, range) in terms.ranges() {
                let own = weights.get(range).unwrap_or(&[]);
                let one = own.first().copied().unwrap_or(0.0);
                match term {
                    Term::Set(at, sites) => {
                        // The first weight is for all sites alike.
                        let weights =
                            (0..*sites).map(|s| units(one + own.get(1 + s).copied().unwrap_or(0.0)));
                        let at = (at.0, at.1.unwrap_or(at.0));
                        let mask = words(at.0) | words(at.1);
                        sum.sets.push(SetWeights { at, mask, weights: weights.collect() });
                    }
                    Term::Below(..) => sum.below.push(units(one)),
                    Term::Slot(slot, scale) => sum.slots.push((*slot, one * UNIT / scale)),
                    // INVARIANT: terms are of players that there are.
                    Term::Score(player, scale) => sum.scores[*player] = one * UNIT / scale,
                    Term::Turn(mover) => sum.turns[*mover] = own.iter().map(|w| units(*w)).collect(),
                    Term::Mobility(mover) => {
                        let logs = (0..=CROWD).map(|n| f64::from(units((1.0 + n as f64).ln())));
                        sum.mobility[*mover] = logs.map(|log| (one * log) as i32).collect();
                    }
                }
            }
            sum.sets.retain(|set| set.weights.iter().any(|w| *w != 0));
            let ends = sum.sets.iter().map(|set| set.at.0.max(set.at.1) + terms.width());
            sum.words = ends.max().unwrap_or(0);
            sum.slots.retain(|(_, weight)| *weight != 0.0);
            sums.push(sum);
        }
        let scored = sums.iter().any(|sum| sum.scores.iter().any(|w| *w != 0.0));
        let weighs = sums.iter().any(|sum| sum.below.iter().any(|w| *w != 0));
        let covered = terms.covered().filter(|_| weighs).cloned();
        Evaluation { sums, sides: terms.sides().clone(), covered, scored }
    }

    /// The part of a sum that only the words of the sets and the stacks decide.
    #[inline]
    pub fn of_sets(&self, words: &[u64], width: usize, player: usize) -> i32 {
        let Some(sum) = self.sum(player) else { return 0 };
        let mut total = 0;
        for set in &sum.sets {
            for w in 0..width {
                total += set.of_bits(set.word(words, w), w);
            }
        }
        total + self.covered.as_ref().map_or(0, |covered| covered.sum(words, &sum.below))
    }

    /// The change of [`Evaluation::of_sets`] from one position to another.
    #[inline]
    pub fn change(&self, before: &[u64], after: &[u64], width: usize, player: usize) -> i32 {
        let Some(sum) = self.sum(player) else { return 0 };
        let mut changed = 0;
        // What is below other pieces is said by slots, which come last.
        let words = if self.covered.is_some() { before.len() } else { sum.words };
        for w in 0..words.min(before.len()).min(after.len()) {
            changed |= u64::from(before[w] != after[w]) << (w % 64);
        }
        let mut total = 0;
        for set in sum.sets.iter().filter(|set| set.mask & changed != 0) {
            for w in 0..width {
                let (old, new) = (set.word(before, w), set.word(after, w));
                if old != new {
                    total += set.of_bits(new & !old, w) - set.of_bits(old & !new, w);
                }
            }
        }
        match self.covered.as_ref().filter(|covered| covered.mask & changed != 0) {
            Some(covered) => total + covered.sum(after, &sum.below) - covered.sum(before, &sum.below),
            None => total,
        }
    }

    /// The rest of a sum: numbers, scores, the turn, mobility. There are so many legal moves.
    pub fn of_rest(&self, machine: &mut Machine, pos: &Position, choices: usize, player: usize) -> i32 {
        let Some(sum) = self.sum(player) else { return 0 };
        let mut total = 0.0;
        for (player, weight) in sum.scores.iter().enumerate().filter(|_| self.scored) {
            total += f64::from(machine.score(pos, player)) * weight;
        }
        let layout = machine.layout();
        let mover = pos.mover(layout).index();
        for (slot, weight) in &sum.slots {
            total += f64::from(pos.slot(layout, *slot)) * weight;
        }
        let state = usize::try_from(pos.slot(layout, slot::STATE)).unwrap_or(0);
        let turn = sum.turns.get(mover).and_then(|states| states.get(state)).copied().unwrap_or(0);
        total as i32 + turn + self.of_choices(mover, choices, player)
    }

    /// The part of the rest of a sum that the number of a mover's legal moves decides.
    #[inline]
    pub fn of_choices(&self, mover: usize, choices: usize, player: usize) -> i32 {
        let mobility = self.sum(player).and_then(|sum| sum.mobility.get(mover));
        mobility.and_then(|by| by.get(choices.min(CROWD))).copied().unwrap_or(0)
    }

    /// The whole sum as a player sees it, from nothing: of two sides the second sees the first's the other way round.
    pub fn value(&self, machine: &mut Machine, pos: &Position, moves: &Moves, player: usize) -> i32 {
        let width = machine.layout().width;
        let sets = self.of_sets(pos.words(), width, player);
        let sum =
            sets.saturating_add(self.of_rest(machine, pos, moves.len(), player)).clamp(-MAX_SUM, MAX_SUM);
        if self.sides.of(player).1 { -sum } else { sum }
    }

    fn sum(&self, player: usize) -> Option<&Sum> {
        self.sums.get(self.sides.of(player).0)
    }
}

/// A weight in units.
fn units(weight: f64) -> i32 {
    // INVARIANT: fitted weights are finite; the cast is saturating in any case.
    (weight * UNIT).round() as i32
}

/// A sum as a share of the point.
pub fn share(sum: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(sum) / UNIT).exp())
}
