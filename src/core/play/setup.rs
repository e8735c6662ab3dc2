//! The start of a game, and positions that are made from outside.

use std::sync::Arc;

use super::history::History;
use super::machine::Machine;
use super::moves::Moves;
use super::position::Position;
use super::rng::Rng;
use crate::program::{DealTo, Layout, Placement, slot};

/// Where the numbers come from that are dealt at the set-up.
#[derive(Clone, Copy, Debug)]
pub enum Dealing<'a> {
    /// From the game's seed: one [`Rng`] of the seed deals [`Layout::deals`] one after the other, each
    /// by [`Rng::shuffle`] of its numbers in order.
    Seed(u64),
    /// For each of [`Layout::deals`] the numbers of its sites in order; missing numbers are `low`, numbers out of
    /// range are cut to it. Of numbers
    /// that nothing ever assigns each goes to one site: where one is missing or given twice, what is left
    /// over is dealt in order.
    Given(&'a [Vec<i32>]),
    /// In order: the first site gets `low`.
    InOrder,
}

impl Machine {
    /// The start of a game, its first turn begun, and the history with it.
    pub fn start(&mut self, seed: u64, history: &mut History) -> Position {
        let mut pos = self.blank(Dealing::Seed(seed));
        self.set_up(&mut pos);
        history.clear();
        let first = self.program().opening.first().and_then(|turn| turn.1);
        let layout = self.layout();
        pos.set_slot(layout, slot::TURN, first.map_or(0, i32::from));
        let mut moves = self.unused.take().unwrap_or_default();
        self.begin(&mut pos, history, &mut moves);
        self.unused = Some(moves);
        pos
    }

    /// A position with the starts of layers and slots and the dealt numbers, nothing else.
    pub fn blank(&mut self, dealing: Dealing<'_>) -> Position {
        let layout = self.layout();
        let mut words = vec![0; layout.words()].into_boxed_slice();
        for (number, layer) in layout.layers.iter().enumerate() {
            words[layout.layer_at(number)..][..layout.width].copy_from_slice(&layer.start);
        }
        let mut deal: Arc<[i32]> = std::iter::repeat_n(0, layout.dealt).collect();
        let slots = bytemuck::cast_slice_mut::<u64, i32>(&mut words[layout.slots_at()..]);
        for (to, from) in slots.iter_mut().zip(&layout.slots) {
            *to = from.start;
        }
        // Rounds count from 1, even if a program says otherwise.
        slots[slot::ROUND] = slots[slot::ROUND].max(1);
        // Nobody else has it yet.
        deal_numbers(layout, dealing, Arc::get_mut(&mut deal).unwrap_or_default(), slots);
        Position { words, deal, shape: self.shape, barred: Vec::new() }
    }

    /// The pieces of the start, then the `setup` block with player 0 as mover. Slot `TURN` is 0 after it.
    pub fn set_up(&mut self, pos: &mut Position) {
        self.layout().forget(&mut pos.words);
        self.on(pos, |run, frame| run.set_up(frame));
        put_lots_back(self.layout(), pos);
    }

    /// The `tidy` block after a position was read from text, with the player in slot `TURN` as mover.
    pub fn tidy(&mut self, pos: &mut Position) {
        self.layout().forget(&mut pos.words);
        self.on(pos, |run, frame| run.tidy(frame));
    }

    /// Begins the turn of the player in slot `TURN` and resolves it: the start of a game, and a position
    /// that was read from text.
    ///
    /// Slot `OPENED` says how many opening turns were begun *before* this one: below their number the
    /// next opening turn begins (whoever it belongs to), else the main turn. Ends at turn starts are not
    /// looked at, for no ply was made. The start is the first in the history, if one is kept.
    pub fn begin(&mut self, pos: &mut Position, history: &mut History, moves: &mut Moves) {
        self.offering(pos, moves, |run, frame| run.begin(frame, history));
        self.bar(pos, history, moves);
    }

    /// The pieces on a site: owner (the number of players for neutral), kind and how many.
    pub fn piece(&mut self, pos: &Position, site: usize) -> Option<(u8, u8, u32)> {
        self.run.piece(&pos.words, site)
    }

    /// Puts pieces on a site, by the rules of landing. A site, owner or kind that is not there is
    /// ignored.
    pub fn put_piece(&mut self, pos: &mut Position, placement: Placement) {
        self.layout().forget(&mut pos.words);
        self.run.place(&mut pos.words, placement);
    }

    /// Takes all pieces off a site.
    pub fn clear_site(&mut self, pos: &mut Position, site: usize) {
        self.layout().forget(&mut pos.words);
        self.run.clear(&mut pos.words, site);
    }
}

/// Puts the lots in order, so that positions that look alike are alike, whatever was drawn before.
fn put_lots_back(layout: &Layout, pos: &mut Position) {
    let lots = layout.deals.iter().filter_map(|deal| match deal.to {
        DealTo::Lots(base) => Some((deal, base)),
        DealTo::Dealt(_) | DealTo::Slots(_) => None,
    });
    for (deal, base) in lots {
        let numbers = Arc::make_mut(&mut pos.deal);
        for (site, number) in deal.sites.iter().zip(deal.low..) {
            numbers[base + usize::from(*site)] = number;
        }
    }
}

/// Deals the numbers to their places.
fn deal_numbers(layout: &Layout, dealing: Dealing<'_>, dealt: &mut [i32], slots: &mut [i32]) {
    let mut rng = match dealing {
        Dealing::Seed(seed) => Some(Rng::new(seed)),
        Dealing::Given(_) | Dealing::InOrder => None,
    };
    for (number, deal) in layout.deals.iter().enumerate() {
        let mut numbers: Vec<i32> = (deal.low..=deal.high).collect();
        if let Some(rng) = &mut rng {
            rng.shuffle(&mut numbers);
        }
        if let Dealing::Given(given) = dealing {
            let given = given.get(number).map_or(&[][..], Vec::as_slice);
            numbers.clear();
            numbers.extend_from_slice(given);
            numbers.resize(deal.sites.len(), deal.low);
            match deal.inverse {
                Some(_) => each_once(&mut numbers, deal.low),
                None => numbers.iter_mut().for_each(|number| *number = (*number).clamp(deal.low, deal.high)),
            }
        }
        if let Some(inverse) = deal.inverse {
            let sites = &mut dealt[inverse..][..numbers.len()];
            for (site, number) in deal.sites.iter().zip(&numbers) {
                sites[(number - deal.low) as usize] = i32::from(*site);
            }
        }
        let (to, base) = match deal.to {
            DealTo::Dealt(base) | DealTo::Lots(base) => (&mut *dealt, base),
            DealTo::Slots(base) => (&mut *slots, base),
        };
        let to = &mut to[base..];
        for (site, number) in deal.sites.iter().zip(numbers) {
            to[usize::from(*site)] = number;
        }
    }
}

/// Makes some numbers a permutation of as many numbers from `low` on: numbers out of range and duplicates are replaced
/// by the missing ones.
fn each_once(numbers: &mut [i32], low: i32) {
    let mut taken = vec![false; numbers.len()];
    let place = |number: i32| usize::try_from(i64::from(number) - i64::from(low)).ok();
    let fits: Vec<bool> = numbers
        .iter()
        .map(|number| match place(*number).and_then(|at| taken.get_mut(at)) {
            Some(taken) => !std::mem::replace(taken, true),
            None => false,
        })
        .collect();
    let mut left = (low..).zip(&taken).filter(|(_, taken)| !**taken).map(|(number, _)| number);
    for (number, fits) in numbers.iter_mut().zip(fits) {
        if !fits && let Some(other) = left.next() {
            *number = other;
        }
    }
}
