//! The pieces below the top one of a stack, by who owns the top one and by sort.
//!
//! What stands beneath a piece of others is a prisoner, what stands beneath one's own piece waits for its turn: so
//! whose the top piece is matters as much as what is below it.

use super::units::mask;
use crate::program::{Layout, Stacks};

/// Where the pieces are that stand below others.
#[derive(Clone, Debug)]
pub(super) struct Covered {
    stacks: Stacks,
    /// The first word of each owner's set, and of the slots.
    owners: Vec<usize>,
    slots_at: usize,
    /// How many sorts of pieces there are.
    sorts: usize,
    /// The words that tell of them, as a [`mask`].
    pub mask: u64,
}

impl Covered {
    /// None where no piece stands on others of any sort.
    pub fn new(layout: &Layout) -> Option<Covered> {
        let stacks = layout.pieces.stacks?;
        let owners = layout.pieces.owner_layers(layout.players).map(|layer| layout.layer_at(layer));
        let owners: Vec<usize> = owners.collect();
        let slots_at = layout.slots_at();
        let slots = slots_at + stacks.slots().start / 2..slots_at + stacks.slots().end.div_ceil(2);
        let tops = owners.iter().flat_map(|first| *first..first + layout.width);
        let mask = tops.chain(slots).fold(0, |all, word| all | mask(word));
        Some(Covered { stacks, owners, slots_at, sorts: layout.pieces.sorts(layout.players), mask })
    }

    /// The owners of top pieces by number, each with each sort below.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (tops, sorts) = (self.owners.len().max(1), self.sorts);
        (0..tops).flat_map(move |top| (0..sorts).map(move |sort| (top, sort)))
    }

    /// The place of a pair among all of them.
    pub fn place(&self, top: usize, sort: usize) -> usize {
        top * self.sorts + sort
    }

    /// Tells the place of each piece below the top one of a stack.
    #[inline]
    pub fn each(&self, words: &[u64], mut tell: impl FnMut(usize)) {
        let slots: &[i32] = words.get(self.slots_at..).map_or(&[], bytemuck::cast_slice::<u64, i32>);
        let slot = |number: usize| slots.get(number).copied().unwrap_or(0);
        for site in (0..self.stacks.sites).filter(|site| slot(self.stacks.heights + site) != 0) {
            let is_top =
                |first: &usize| words.get(first + site / 64).is_some_and(|w| w >> (site % 64) & 1 == 1);
            let top = self.owners.iter().position(is_top).unwrap_or(0);
            self.stacks.below(site, slot).for_each(|sort| tell(self.place(top, sort)));
        }
    }

    /// How many there are of each pair.
    pub fn counts(&self, words: &[u64]) -> Vec<u32> {
        let mut counts = vec![0; self.pairs().count()];
        self.each(words, |place| {
            if let Some(count) = counts.get_mut(place) {
                *count += 1;
            }
        });
        counts
    }
}
