//! The layout of positions, and the flat tables of the board.

use serde::Serialize;

use super::Stacks;

/// The integers that every position has, by their place among [`Layout::slots`].
pub mod slot {
    /// Who decides this ply.
    pub const MOVER: usize = 0;
    /// Whose turn it is; differs from the mover where a flow says `by`.
    pub const TURN: usize = 1;
    /// The [`super::super::FlowState`] to be resolved.
    pub const STATE: usize = 2;
    /// Plies made in this turn.
    pub const TURN_PLIES: usize = 3;
    /// Plies made in this turn that were no pass.
    pub const TURN_ACTS: usize = 4;
    /// Plies made in the game.
    pub const PLY: usize = 5;
    /// Rounds begun: 1 at first, one more with each turn of a player who is not later in order than the one before,
    /// unless that player moves again because of `swap sides`.
    pub const ROUND: usize = 6;
    /// Turns in a row that were only a pass.
    pub const PASSES: usize = 7;
    /// How often this position occurred at a turn's start, this time included.
    pub const SEEN: usize = 8;
    /// 1 while `swap sides` was done in this turn: then the same side is to move next.
    pub const SWAP: usize = 9;
    /// 1 if the players have swapped sides.
    pub const SIDES: usize = 10;
    /// Opening turns begun, at most their number.
    pub const OPENED: usize = 11;
    /// How the game ended: see [`super::super::result`].
    pub const RESULT: usize = 12;
    /// How many slots these are; a definition's own state follows.
    pub const COUNT: usize = 13;
    /// Their names, for listings.
    pub const NAMES: [&str; COUNT] = [
        "mover",
        "turn",
        "state",
        "turn-plies",
        "turn-acts",
        "ply",
        "round",
        "passes",
        "seen",
        "swap",
        "sides",
        "opened",
        "result",
    ];
}

/// The layout of a position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Layout {
    /// Words of a set in memory, one of [`super::WIDTHS`]. Sites may be in fewer: [`Layout::words_in_use`].
    pub width: usize,
    /// Bits of a set in use, at most `64 * width`.
    pub sites: usize,
    /// Number of players.
    pub players: usize,
    /// The sets.
    pub layers: Vec<Layer>,
    /// The integers, [`slot::COUNT`] built-in ones first.
    pub slots: Vec<Slot>,
    /// Which layers hold the pieces.
    pub pieces: Pieces,
    /// How many integers are dealt at the set-up and never change.
    pub dealt: usize,
    /// The numbers that are dealt.
    pub deals: Vec<Deal>,
    /// Words that hold nothing, so many before the layers and so many at the end: code may read beside a layer. They are no
    /// part of the rules.
    #[serde(skip)]
    pub margin: usize,
}

impl Layout {
    /// The layout as a number: programs of one shape may exchange positions. `all` are
    /// the sites that exist.
    pub fn shape(&self, all: &[u64]) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hash = DefaultHasher::new();
        (all, self.sites, self.width, self.players, self.dealt).hash(&mut hash);
        (self.layers.len(), self.slots.len(), self.margin).hash(&mut hash);
        self.pieces.stacks.iter().for_each(|stacks| stacks.hash(&mut hash));
        for (number, slot) in self.memos() {
            (number, &slot.name).hash(&mut hash);
        }
        for deal in &self.deals {
            (&deal.sites, deal.low, deal.high, deal.inverse).hash(&mut hash);
            match deal.to {
                DealTo::Dealt(base) => (0, base).hash(&mut hash),
                DealTo::Slots(base) => (1, base).hash(&mut hash),
                DealTo::Lots(base) => (2, base).hash(&mut hash),
            }
        }
        hash.finish()
    }

    /// Words of a set that sites are in, at least one.
    pub fn words_in_use(&self) -> usize {
        self.sites.div_ceil(64).max(1)
    }

    /// Words of a position: the hash, the layers, the slots, with a margin before and after these.
    pub fn words(&self) -> usize {
        self.slots_at() + self.slots.len().div_ceil(2) + self.margin
    }

    /// The first word of a layer.
    #[inline]
    pub fn layer_at(&self, layer: usize) -> usize {
        1 + self.margin + layer * self.width
    }

    /// The first words of sets of pieces that together are all: those of owners, or of kinds where nobody owns any.
    pub fn pieces_at(&self) -> Vec<usize> {
        let owners: Vec<usize> = self.pieces.owner_layers(self.players).collect();
        let layers = match owners.is_empty() {
            true => self.pieces.kind_layers().into_iter().flatten().collect(),
            false => owners,
        };
        layers.into_iter().map(|layer| self.layer_at(layer)).collect()
    }

    /// The first word of the slots.
    #[inline]
    pub fn slots_at(&self) -> usize {
        self.layer_at(self.layers.len())
    }

    /// The slots that only remember, with their numbers.
    pub fn memos(&self) -> impl Iterator<Item = (usize, &Slot)> {
        self.slots.iter().enumerate().filter(|(_, slot)| slot.memo)
    }

    /// Whether the seed decides the start: something is dealt while the game is set up.
    #[must_use]
    pub fn is_dealt(&self) -> bool {
        !self.deals.is_empty()
    }

    /// Makes the words of a position remember nothing. Code that changes a position from outside must call this.
    pub fn forget(&self, words: &mut [u64]) {
        if let Some(hash) = words.first_mut() {
            *hash = 0;
        }
        for (number, slot) in self.memos() {
            self.set_slot(words, number, slot.start);
        }
    }

    /// The value of a slot in the words of a position; 0 if there is no such slot.
    #[inline]
    pub fn slot(&self, words: &[u64], slot: usize) -> i32 {
        let slots = words.get(self.slots_at()..).map(bytemuck::cast_slice::<u64, i32>);
        slots.and_then(|slots| slots.get(slot)).copied().unwrap_or(0)
    }

    /// Sets the value of a slot in the words of a position; one that is not there is ignored.
    #[inline]
    pub fn set_slot(&self, words: &mut [u64], slot: usize, value: i32) {
        let slots = words.get_mut(self.slots_at()..).map(bytemuck::cast_slice_mut::<u64, i32>);
        if let Some(to) = slots.and_then(|slots| slots.get_mut(slot)) {
            *to = value;
        }
    }
}

/// A set of sites that every position has.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Layer {
    /// For listings.
    pub name: String,
    /// Whether it tells positions apart.
    pub identity: bool,
    /// Its members at the start, `width` words.
    pub start: Vec<u64>,
}

/// An integer that every position has.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Slot {
    /// For listings.
    pub name: String,
    /// Whether it tells positions apart.
    pub identity: bool,
    /// Its value at the start.
    pub start: i32,
    /// Whether it is only a cache of a fact about the rest of the position. Its start says that nothing is cached. The
    /// name tells everything that its meaning depends on.
    pub memo: bool,
}

/// Which layers hold the pieces.
///
/// INVARIANT: at least one of `kind_base` and `owner_base` is there. A site holds pieces of one kind and
/// one owner only, so it is in at most one kind layer and one owner layer, and in level layer `j` only if
/// it is in all before.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct Pieces {
    /// How many kinds there are.
    pub kinds: usize,
    /// The first kind's layer, the others following; none where there is one kind only and owners are
    /// stored: then every piece is of kind 0.
    pub kind_base: Option<usize>,
    /// The first player's layer, the others following, then the neutral one if `neutral`; none where every
    /// piece is neutral.
    pub owner_base: Option<usize>,
    /// Whether a layer of neutral pieces follows the players' layers.
    pub neutral: bool,
    /// The first level layer: sites with at least two pieces; then at least three, ...
    pub level_base: usize,
    /// How many level layers there are: the highest `stack` less 1.
    pub levels: usize,
    /// `stack` of each kind.
    pub stack: Vec<u32>,
    /// Where the pieces below the top ones are, if any pieces may stand on each other. Then `levels` is 0, and the
    /// layers hold the top pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stacks: Option<Stacks>,
}

impl Pieces {
    /// How many sorts of pieces there are: kinds of each owner.
    pub fn sorts(&self, players: usize) -> usize {
        self.kinds * self.owner_layers(players).len().max(1)
    }

    /// The number of a sort of pieces among all sorts.
    pub fn sort(&self, players: usize, owner: usize, kind: usize) -> usize {
        let owners = self.owner_layers(players).len().max(1);
        kind * owners + owner % owners
    }

    /// Owner and kind of a sort.
    pub fn of_sort(&self, players: usize, sort: usize) -> (usize, usize) {
        let owners = self.owner_layers(players).len();
        (if owners == 0 { players } else { sort % owners }, sort / owners.max(1))
    }

    /// The layers of kinds, if there are any.
    pub fn kind_layers(&self) -> Option<std::ops::Range<usize>> {
        self.kind_base.map(|at| at..at + self.kinds)
    }

    /// The layers of owners, that of neutral pieces included, for so many players.
    pub fn owner_layers(&self, players: usize) -> std::ops::Range<usize> {
        self.owner_base.map_or(0..0, |at| at..at + players + usize::from(self.neutral))
    }
}

/// Numbers that are dealt to the sites by the game's seed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Deal {
    /// The state variable, for texts.
    pub name: String,
    /// The sites that get a number, in order.
    pub sites: Vec<u16>,
    /// The first number dealt.
    pub low: i32,
    /// The last number dealt; `high - low + 1` is the number of sites.
    pub high: i32,
    /// Where the numbers go.
    pub to: DealTo,
    /// Where it lies beside the positions on which site each number is, `low` first; only for numbers that
    /// nothing ever assigns.
    pub inverse: Option<usize>,
}

/// Where dealt numbers go: the number of site `s` to index `base + s`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum DealTo {
    /// Beside the positions: nothing ever assigns them.
    Dealt(usize),
    /// Into slots: some rule assigns them.
    Slots(usize),
    /// Beside the positions while a game is set up; then they are in order. Only the set-up asks for them.
    Lots(usize),
}

/// Pieces on a site at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Placement {
    /// Where.
    pub site: u16,
    /// A player's number, or the number of players for neutral.
    pub owner: u8,
    /// The kind.
    pub kind: u8,
    /// How many.
    pub height: u32,
}

/// A relation from site to sites that does not depend on the position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Relation {
    /// For listings.
    pub name: String,
    /// The sites reached from each site: `sites * width` words.
    pub rows: Vec<u64>,
    /// The same as moves of whole sets: members of the mask move by so many bits. Empty where there
    /// would be too many; then only the rows are there.
    pub shifts: Vec<(i32, Vec<u64>)>,
}

/// How the bit numbers of sites run along the rays of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Order {
    /// Upwards on every ray: the first is the lowest bit.
    Ascending,
    /// Downwards on every ray: the first is the highest bit.
    Descending,
    /// Neither: rays are walked site by site.
    Mixed,
}

/// The sites in one direction from each site.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RayTable {
    /// For listings.
    pub name: String,
    /// How bit numbers run.
    pub order: Order,
    /// The sites that a slide may reach at all (`upto` applied): `sites * width` words.
    pub reach: Vec<u64>,
    /// The whole ray from each site: `sites * width` words. A slide stopped on site `b` has
    /// `reach(x) - beyond(b)` left.
    pub beyond: Vec<u64>,
    /// The rays in `reach` as lists, in order from the origin; only where `order` is mixed.
    pub lists: Vec<Vec<u16>>,
}
