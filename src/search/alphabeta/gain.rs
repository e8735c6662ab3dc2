//! What moves bring, learned from those that were made.
//!
//! Whether a move captures or promotes is not said by its number, and no rule of the language says it ahead. But moves
//! of one decision, from the same sort of piece onto the same sort, do much the same: a *class* of moves is the leaf,
//! the pieces on the first and the last site that is chosen, and the kind that is chosen. [`Gains`] remembers for each
//! class how much the evaluation rose for who moved, and how often the move was *loud*: took pieces of others, or
//! changed what kinds the own pieces are. It orders moves and says which a quiet search has to look at.

use crate::play::{Move, Position};
use crate::program::{Program, VarKind, slot};

/// Classes fall on so many places.
const PLACES: usize = 1 << 12;

/// The sorts of pieces on the sites of a position, and what is needed to tell the class of a move.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorts {
    by_site: Vec<u8>,
}

impl Sorts {
    /// Looks at a position.
    pub fn look(&mut self, program: &Program, pos: &Position) {
        let layout = &program.layout;
        self.by_site.clear();
        self.by_site.resize(layout.sites, 0);
        let owners = layout.pieces.owner_layers(layout.players);
        // Who is to move sees own pieces and others alike, whichever player it is.
        let mover = pos.mover(layout).index();
        let own = owners.start + mover;
        let is_owners = |layer: usize| owners.contains(&layer);
        for (number, layer) in
            owners.clone().chain(layout.pieces.kind_layers().into_iter().flatten()).enumerate()
        {
            let sort = match is_owners(layer) {
                true if layer == own => 1,
                true => 2,
                false => 3 + 2 * (number - owners.len()).min(100) as u8,
            };
            for (w, word) in pos.layer(layout, layer).iter().enumerate() {
                let mut bits = *word;
                while bits != 0 {
                    let site = 64 * w + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if let Some(to) = self.by_site.get_mut(site) {
                        *to = to.wrapping_add(sort);
                    }
                }
            }
        }
    }

    /// The class of a move.
    pub fn class(&self, program: &Program, state: i32, number: Move) -> usize {
        let Some(place) = program.leaf_of(number.0) else { return 0 };
        let Some(leaf) = program.leaves.get(place) else { return 0 };
        let Some(decision) = leaf.decision.and_then(|d| program.decisions.get(d)) else {
            return place % PLACES;
        };
        let choice = number.0 - leaf.base;
        let (mut first, mut last, mut kind) = (None, 0, 0);
        for var in &decision.vars {
            let value = var.value(choice);
            match var.kind {
                VarKind::Site => {
                    let sort = usize::try_from(value).ok().and_then(|site| self.by_site.get(site)).copied();
                    last = u64::from(sort.unwrap_or(255));
                    first = first.or(Some(last));
                }
                VarKind::Kind => kind = u64::from(value.wrapping_add(1).unsigned_abs()),
                VarKind::Int | VarKind::Player | VarKind::Direction => {}
            }
        }
        let word =
            place as u64 | first.unwrap_or(0) << 16 | last << 24 | (kind & 255) << 32 | (state as u64) << 40;
        (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize % PLACES
    }
}

/// What a class of moves brought so far.
#[derive(Clone, Copy, Debug, Default)]
struct Gain {
    seen: f32,
    rise: f32,
    loud: f32,
}

/// What moves bring.
#[derive(Clone, Debug)]
pub(super) struct Gains {
    classes: Vec<Gain>,
    all: Gain,
}

/// A class is believed to be like the last so many of its moves.
const MEMORY: f32 = 256.0;

impl Gains {
    pub fn new() -> Gains {
        Gains { classes: vec![Gain::default(); PLACES], all: Gain::default() }
    }

    /// A move of a class was made: the evaluation rose by so much, and it was loud or not.
    pub fn learn(&mut self, class: usize, rise: i32, loud: bool) {
        let learn = |gain: &mut Gain| {
            gain.seen = (gain.seen + 1.0).min(MEMORY);
            gain.rise += (rise as f32 - gain.rise) / gain.seen;
            gain.loud += (f32::from(u8::from(loud)) - gain.loud) / gain.seen;
        };
        self.classes.get_mut(class).into_iter().for_each(learn);
        learn(&mut self.all);
    }

    /// How much the evaluation is expected to rise.
    pub fn rise(&self, class: usize) -> i32 {
        self.classes.get(class).map_or(0, |gain| gain.rise as i32)
    }

    /// Whether a move of the class is expected to be loud. A class that was never seen is not.
    pub fn is_loud(&self, class: usize) -> bool {
        self.classes.get(class).is_some_and(|gain| gain.loud > 0.5)
    }

    /// Whether most moves of the game are loud: then none is worth a search of its own.
    pub fn all_loud(&self) -> bool {
        self.all.loud > 0.6
    }
}

/// Whether a ply took pieces of others or changed the kinds of the mover's own.
pub(super) fn was_loud(program: &Program, before: &Position, after: &Position) -> bool {
    let layout = &program.layout;
    let count = |pos: &Position, layer: usize| -> u32 {
        pos.layer(layout, layer).iter().map(|word| word.count_ones()).sum()
    };
    let mover = usize::try_from(before.slot(layout, slot::MOVER)).unwrap_or(0);
    let owners = layout.pieces.owner_layers(layout.players);
    let own = owners.start + mover;
    let taken = owners.clone().any(|layer| layer != own && count(after, layer) < count(before, layer));
    if taken {
        return true;
    }
    let same = owners.into_iter().all(|layer| count(after, layer) == count(before, layer));
    let mut kinds = layout.pieces.kind_layers().into_iter().flatten();
    same && kinds.any(|layer| count(after, layer) != count(before, layer))
}
