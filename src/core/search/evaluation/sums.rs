//! Weighted sums over the terms of a position, several over the same terms at once.
//!
//! This is the innermost work of a search, and is written in loops over numbers: what the standard library does not mark
//! to be inlined stays a call where units of a crate are compiled one by one.

#![allow(clippy::needless_range_loop, reason = "iterators over two lists are calls here, see above")]

use std::array::from_fn;

use super::covered::Covered;
use super::pairs::Pairs;
use super::terms::{Term, Terms};
use super::units::{CROWD, UNIT, mask, units};
use crate::play::Position;
use crate::program::Layout;

/// `N` sums: the two of a linear evaluation, or one for each unit of a network.
#[derive(Clone, Debug)]
pub(super) struct Sums<const N: usize> {
    sets: Vec<SetWeights<N>>,
    /// How many words of a position there are up to the last of a set.
    words: usize,
    /// Of pieces below others, by their place.
    below: Vec<[i32; N]>,
    /// Of pieces beside each other, by their place; empty where they weigh nothing.
    pairs: Vec<[i32; N]>,
    /// Slots and their weights in units.
    slots: Vec<(usize, [f64; N])>,
    /// By player; empty where scores weigh nothing.
    scores: Vec<[f64; N]>,
    /// By mover, then by state.
    turns: Vec<Vec<[i32; N]>>,
    /// By mover, then by the number of legal moves.
    mobility: Vec<Vec<[i32; N]>>,
}

/// A set of a position, intersected with another where there is one, and the weights of each member.
#[derive(Clone, Debug)]
struct SetWeights<const N: usize> {
    /// The first word of each; twice the same where there is no other.
    at: (usize, usize),
    /// The words of both, as a [`mask`].
    mask: u64,
    weights: Vec<[i32; N]>,
}

/// The parts of a position that are no sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest<'a> {
    pub pos: &'a Position,
    pub layout: &'a Layout,
    pub mover: usize,
    pub state: usize,
    /// How many legal moves there are.
    pub choices: usize,
    /// By player; empty where they weigh nothing.
    pub scores: &'a [i32],
}

/// Adds to sums. Weights come from files, and too large ones may do no more than play badly.
#[inline]
fn add<const N: usize>(sums: &mut [i32; N], by: &[i32; N]) {
    for n in 0..N {
        sums[n] = sums[n].wrapping_add(by[n]);
    }
}

#[inline]
fn subtract<const N: usize>(sums: &mut [i32; N], by: &[i32; N]) {
    for n in 0..N {
        sums[n] = sums[n].wrapping_sub(by[n]);
    }
}

impl<const N: usize> SetWeights<N> {
    #[inline]
    fn word(&self, words: &[u64], w: usize) -> u64 {
        let word = |at: usize| words.get(at + w).copied().unwrap_or(0);
        word(self.at.0) & word(self.at.1)
    }

    /// The weights of the members in a word.
    #[inline]
    fn of_bits(&self, mut bits: u64, w: usize, mut each: impl FnMut(&[i32; N])) {
        while bits != 0 {
            let site = 64 * w + bits.trailing_zeros() as usize;
            if let Some(weights) = self.weights.get(site) {
                each(weights);
            }
            bits &= bits - 1;
        }
    }
}

impl<const N: usize> Sums<N> {
    /// The sums of fitted weights, in the order of [`Terms`], one row for each sum.
    pub fn new(terms: &Terms, rows: [&[f64]; N]) -> Sums<N> {
        let words = |first: usize| (first..first + terms.width()).fold(0, |all, word| all | mask(word));
        let of = |place: usize| rows.map(|row| row.get(place).copied().unwrap_or(0.0));
        let whole = |weights: [f64; N]| weights.map(units);
        let mut sums = Sums {
            sets: Vec::new(),
            words: 0,
            below: Vec::new(),
            pairs: Vec::new(),
            slots: Vec::new(),
            scores: Vec::new(),
            turns: vec![Vec::new(); terms.players()],
            mobility: vec![Vec::new(); terms.players()],
        };
        for (term, range) in terms.ranges() {
            let one = of(range.start);
            let scaled = |scale: &f64| one.map(|weight| weight * UNIT / scale);
            match term {
                Term::Set(at, sites) => {
                    // The first weight is for all sites alike.
                    let of_site = |site: usize| {
                        let own = of(range.start + 1 + site);
                        whole(from_fn(|n| one[n] + own[n]))
                    };
                    let at = (at.0, at.1.unwrap_or(at.0));
                    let weights = (0..*sites).map(of_site).collect();
                    sums.sets.push(SetWeights { at, mask: words(at.0) | words(at.1), weights });
                }
                Term::Below(..) => sums.below.push(whole(one)),
                Term::Pair(..) => {}
                Term::Slot(slot, scale) => sums.slots.push((*slot, scaled(scale))),
                // Terms are by player.
                Term::Score(_, scale) => sums.scores.push(scaled(scale)),
                // INVARIANT: terms are of players that there are.
                Term::Turn(mover) => sums.turns[*mover] = range.map(|place| whole(of(place))).collect(),
                Term::Mobility(mover) => {
                    let logs = (0..=CROWD).map(|n| f64::from(units((1.0 + n as f64).ln())));
                    sums.mobility[*mover] = logs.map(|log| one.map(|one| (one * log) as i32)).collect();
                }
            }
        }
        let places = terms.pairs().map_or(0, Pairs::places);
        sums.pairs = (0..places).map(|place| whole(terms.pair(place).map_or([0.0; N], of))).collect();
        if sums.pairs.iter().all(|of| *of == [0; N]) {
            sums.pairs.clear();
        }
        sums.sets.retain(|set| set.weights.iter().any(|of| *of != [0; N]));
        let ends = sums.sets.iter().map(|set| set.at.0.max(set.at.1) + terms.width());
        sums.words = ends.max().unwrap_or(0);
        sums.slots.retain(|(_, of)| *of != [0.0; N]);
        if sums.scores.iter().all(|of| *of == [0.0; N]) {
            sums.scores.clear();
        }
        sums
    }

    /// How many words of a position there are up to the last of a set.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Whether scores weigh anything: they take a call of the program.
    pub fn are_scored(&self) -> bool {
        !self.scores.is_empty()
    }

    /// Whether pieces below others weigh anything.
    pub fn look_below(&self) -> bool {
        self.below.iter().any(|of| *of != [0; N])
    }

    /// Whether pieces beside each other weigh anything.
    pub fn look_beside(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// Adds the part of pieces beside each other.
    pub fn add_pairs(&self, words: &[u64], pairs: &Pairs, sums: &mut [i32; N]) {
        pairs.each(words, |place| add(sums, self.pairs.get(place).unwrap_or(&[0; N])));
    }

    /// Changes that part from one position's to another's.
    #[inline]
    pub fn change_pairs(&self, both: [&[u64]; 2], pairs: &Pairs, sums: &mut [i32; N]) {
        pairs.changes(both, |place, after| {
            let by = self.pairs.get(place).unwrap_or(&[0; N]);
            match after {
                true => add(sums, by),
                false => subtract(sums, by),
            }
        });
    }

    /// The part of the sums that only the words of the sets and the stacks decide.
    #[inline]
    pub fn of_sets(&self, words: &[u64], width: usize, covered: Option<&Covered>) -> [i32; N] {
        let mut sums = [0; N];
        for set in &self.sets {
            for w in 0..width {
                set.of_bits(set.word(words, w), w, |weights| add(&mut sums, weights));
            }
        }
        if let Some(covered) = covered {
            covered.each(words, |place| add(&mut sums, self.below.get(place).unwrap_or(&[0; N])));
        }
        sums
    }

    /// Changes that part from one position's to another's. The words that differ are those of a [`mask`].
    #[inline]
    pub fn change(
        &self,
        [before, after]: [&[u64]; 2],
        changed: u64,
        width: usize,
        covered: Option<&Covered>,
        sums: &mut [i32; N],
    ) {
        for set in &self.sets {
            if set.mask & changed == 0 {
                continue;
            }
            for w in 0..width {
                let (old, new) = (set.word(before, w), set.word(after, w));
                if old != new {
                    set.of_bits(new & !old, w, |weights| add(sums, weights));
                    set.of_bits(old & !new, w, |weights| subtract(sums, weights));
                }
            }
        }
        if let Some(covered) = covered.filter(|covered| covered.mask & changed != 0) {
            covered.each(after, |place| add(sums, self.below.get(place).unwrap_or(&[0; N])));
            covered.each(before, |place| subtract(sums, self.below.get(place).unwrap_or(&[0; N])));
        }
    }

    /// Adds the rest of the sums: numbers, scores, the turn, mobility.
    #[inline]
    pub fn add_rest(&self, rest: Rest<'_>, sums: &mut [i32; N]) {
        if !self.slots.is_empty() || !self.scores.is_empty() {
            let (mut totals, mut any) = ([0.0; N], false);
            let mut count = |much: i32, by: &[f64; N]| {
                // Most numbers are 0 most of the time.
                if much != 0 {
                    any = true;
                    for n in 0..N {
                        totals[n] += f64::from(much) * by[n];
                    }
                }
            };
            for player in 0..self.scores.len().min(rest.scores.len()) {
                count(rest.scores[player], &self.scores[player]);
            }
            for (slot, by) in &self.slots {
                count(rest.pos.slot(rest.layout, *slot), by);
            }
            if any {
                for n in 0..N {
                    sums[n] = sums[n].wrapping_add(totals[n] as i32);
                }
            }
        }
        let of_turn = self.turns.get(rest.mover).and_then(|states| states.get(rest.state));
        let of_choices = self.mobility.get(rest.mover).and_then(|by| by.get(rest.choices.min(CROWD)));
        if let Some(by) = of_turn {
            add(sums, by);
        }
        if let Some(by) = of_choices {
            add(sums, by);
        }
    }
}
