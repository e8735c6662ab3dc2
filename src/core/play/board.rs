//! Positions of one program at one width: where layers and slots lie, and pieces, how they land, go and
//! change.
//!
//! Everything works on whole sets of sites. "At least `m` pieces" is the set of occupied sites for
//! `m = 1` and a level layer from 2 on; see [`crate::program::Pieces`].
//!
//! Layers are told by the number of their first word in a position, slots by their number among all of a
//! position's words taken as 32-bit integers.

use super::relation;
use crate::program::{self, Layout, Placement, Program, Relation};
use crate::siteset::Bits;

/// The members of the layer that starts at a word.
#[inline(always)]
pub(super) fn load<const W: usize>(words: &[u64], at: usize) -> Bits<W> {
    match words.get(at..at + W).and_then(<[u64]>::first_chunk) {
        Some(words) => Bits(*words),
        None => Bits::EMPTY,
    }
}

#[inline(always)]
pub(super) fn store<const W: usize>(words: &mut [u64], at: usize, members: Bits<W>) {
    if let Some(to) = words.get_mut(at..at + W) {
        to.copy_from_slice(&members.0);
    }
}

/// The value of a slot.
#[inline(always)]
pub(super) fn slot(words: &[u64], at: usize) -> i32 {
    bytemuck::cast_slice::<u64, i32>(words).get(at).copied().unwrap_or(0)
}

#[inline(always)]
pub(super) fn set_slot(words: &mut [u64], at: usize, value: i32) {
    if let Some(to) = bytemuck::cast_slice_mut::<u64, i32>(words).get_mut(at) {
        *to = value;
    }
}

/// The slots that every position has, by their numbers in [`program::slot`].
pub(super) type Core = [i32; program::slot::COUNT];

/// Layers that lie one after the other: the words from one to another, that one not included.
#[derive(Clone, Copy, Default, Debug)]
struct Layers<const W: usize> {
    from: u32,
    to: u32,
}

impl<const W: usize> Layers<W> {
    #[inline(always)]
    fn words(self) -> std::ops::Range<usize> {
        self.from as usize..self.to as usize
    }

    fn len(self) -> usize {
        self.words().len() / W
    }

    /// Where one of them lies.
    #[inline(always)]
    fn at(self, number: usize) -> Option<usize> {
        (number < self.len()).then(|| self.from as usize + number * W)
    }

    /// Where they lie.
    fn iter(self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator {
        self.words().step_by(W)
    }

    /// Their members.
    #[inline(always)]
    fn each(self, pos: &[u64]) -> impl Iterator<Item = Bits<W>> {
        pos.get(self.words()).unwrap_or(&[]).chunks_exact(W).map(Bits::load)
    }

    /// Which of them holds a site.
    #[inline(always)]
    fn which(self, pos: &[u64], site: usize) -> Option<usize> {
        let (word, bit) = (site / 64, site % 64);
        let mut layers = pos.get(self.words()).unwrap_or(&[]).chunks_exact(W);
        layers.position(|layer| layer.get(word).is_some_and(|word| word >> bit & 1 == 1))
    }

    /// Takes sites out of them.
    #[inline(always)]
    fn clear(self, pos: &mut [u64], sites: Bits<W>) {
        for layer in pos.get_mut(self.words()).unwrap_or(&mut []).chunks_exact_mut(W) {
            layer.iter_mut().zip(sites.0).for_each(|(word, gone)| *word &= !gone);
        }
    }
}

/// The layout of positions at one width.
#[derive(Debug)]
pub(super) struct Board<const W: usize> {
    /// The sites that exist.
    pub all: Bits<W>,
    pub players: usize,
    /// Where slot 0 is.
    pub slots_at: usize,
    /// The layers of kinds, if they are stored.
    kinds: Option<Layers<W>>,
    /// The layers of owners, likewise; the neutral one last.
    owners: Option<Layers<W>>,
    /// Kinds and owners: every piece is in one of each that is there. Neighbours are taken together.
    base: Box<[Layers<W>]>,
    /// The layers of levels, lowest first.
    levels: Layers<W>,
    /// `stack` of each kind.
    stack: Box<[u32]>,
    /// How the pieces below the top ones are numbered and where they are, if any may stand on each other.
    stacks: Option<(program::Pieces, program::Stacks)>,
}

impl<const W: usize> Board<W> {
    pub fn new(program: &Program) -> Board<W> {
        let layout: &Layout = &program.layout;
        let pieces = &layout.pieces;
        let layers = |from: usize, count: usize| Layers {
            from: layout.layer_at(from) as u32,
            to: layout.layer_at(from + count) as u32,
        };
        let kinds = pieces.kind_base.map(|at| layers(at, pieces.kinds));
        let owners = pieces.owner_base.map(|at| layers(at, layout.players + usize::from(pieces.neutral)));
        let base = match (kinds, owners) {
            (Some(kinds), Some(owners)) if kinds.to == owners.from => {
                vec![Layers { from: kinds.from, to: owners.to }]
            }
            _ => kinds.into_iter().chain(owners).collect(),
        };
        Board {
            all: Bits::load(&program.all),
            players: layout.players,
            slots_at: 2 * layout.slots_at(),
            base: base.into(),
            kinds,
            owners,
            levels: if pieces.levels == 0 {
                Layers::default()
            } else {
                layers(pieces.level_base, pieces.levels)
            },
            stack: pieces.stack.iter().map(|stack| (*stack).max(1)).collect(),
            stacks: pieces.stacks.map(|stacks| (pieces.clone(), stacks)),
        }
    }

    /// A number as a site that exists.
    #[inline(always)]
    pub fn site(&self, number: i32) -> Option<usize> {
        // A negative number becomes one far beyond any site.
        let site = number as u32 as usize;
        self.all.contains(site).then_some(site)
    }

    /// The value of a slot, by its number.
    #[inline(always)]
    pub fn slot(&self, pos: &[u64], number: usize) -> i32 {
        slot(pos, self.slots_at + number)
    }

    #[inline(always)]
    pub fn set_slot(&self, pos: &mut [u64], number: usize, value: i32) {
        set_slot(pos, self.slots_at + number, value);
    }

    /// The built-in slots; for code that needs several of them.
    #[inline(always)]
    pub fn core<'p>(&self, pos: &'p mut [u64]) -> Option<&'p mut Core> {
        let slots = bytemuck::cast_slice_mut::<u64, i32>(pos);
        slots.get_mut(self.slots_at..self.slots_at + program::slot::COUNT)?.first_chunk_mut()
    }

    /// Whether a number is a player's.
    #[inline(always)]
    pub fn is_player(&self, number: i32) -> bool {
        (number as u32 as usize) < self.players
    }

    /// The sites with pieces.
    pub fn occupied(&self, pos: &[u64]) -> Bits<W> {
        let layers = self.owners.or(self.kinds);
        layers.into_iter().flat_map(|layers| layers.each(pos)).fold(Bits::EMPTY, |out, layer| out | layer)
    }

    /// The sites with at least so many pieces; `none` is the value for no piece.
    fn at_least(&self, pos: &[u64], height: u32, occupied: Bits<W>, none: Bits<W>) -> Bits<W> {
        match height {
            0 => none,
            1 => occupied,
            _ => self.levels.at(height as usize - 2).map_or(Bits::EMPTY, |at| load(pos, at)),
        }
    }

    /// The kind on a site that exists, -1 if it is vacant.
    pub fn kind_at(&self, pos: &[u64], site: usize) -> i32 {
        match &self.kinds {
            Some(layers) => layers.which(pos, site).map_or(-1, |kind| kind as i32),
            None if self.occupied(pos).contains(site) => 0,
            None => -1,
        }
    }

    /// The owner on a site that exists: the number of players for neutral, -1 if it is vacant.
    pub fn owner_at(&self, pos: &[u64], site: usize) -> i32 {
        match &self.owners {
            Some(layers) => layers.which(pos, site).map_or(-1, |owner| owner as i32),
            None if self.occupied(pos).contains(site) => self.players as i32,
            None => -1,
        }
    }

    /// How many pieces are on a site that exists.
    pub fn height_at(&self, pos: &[u64], site: usize) -> i32 {
        match self.levels.iter().rev().position(|at| load::<W>(pos, at).contains(site)) {
            Some(above) => (self.levels.len() - 1 - above) as i32 + 2,
            None => i32::from(self.occupied(pos).contains(site)),
        }
    }

    /// The layer of an owner. `Ok(None)`: owners are not stored. An error: no such owner.
    fn owner_layer(&self, owner: i32) -> Result<Option<usize>, ()> {
        let owner = usize::try_from(owner).map_err(drop)?;
        match &self.owners {
            Some(layers) => layers.at(owner).map(Some).ok_or(()),
            None if owner == self.players => Ok(None),
            None => Err(()),
        }
    }

    /// The layer of a kind. `Ok(None)`: kinds are not stored. An error: no such kind.
    fn kind_layer(&self, kind: i32) -> Result<Option<usize>, ()> {
        let kind = usize::try_from(kind).ok().filter(|kind| *kind < self.stack.len()).ok_or(())?;
        Ok(self.kinds.and_then(|layers| layers.at(kind)))
    }

    /// The `stack` of a kind.
    fn stack(&self, kind: i32) -> u32 {
        usize::try_from(kind).ok().and_then(|kind| self.stack.get(kind)).copied().unwrap_or(1)
    }

    /// Pieces land on each site: on top of their like where all fit, else they replace the pieces there.
    pub fn put(&self, pos: &mut [u64], at: Bits<W>, owner: i32, kind: i32, height: u32) {
        let (Ok(owner_layer), Ok(kind_layer)) = (self.owner_layer(owner), self.kind_layer(kind)) else {
            return;
        };
        if at.is_empty() || height == 0 {
            return;
        }
        let stack = self.stack(kind);
        let mut top = Bits::EMPTY;
        if height < stack {
            let occupied = self.occupied(pos);
            top = at & occupied;
            for layer in [owner_layer, kind_layer].into_iter().flatten() {
                top = top & load(pos, layer);
            }
            top = top - self.at_least(pos, stack - height + 1, occupied, self.all);
            if !top.is_empty() {
                // From the highest level down: each looks at lower ones as they were.
                for (level, layer) in (0..self.levels.len()).zip(self.levels.iter()).rev() {
                    let below = (level as u32 + 2).saturating_sub(height);
                    let more = top & self.at_least(pos, below, occupied, self.all);
                    store(pos, layer, load(pos, layer) | more);
                }
            }
        }
        let fresh = at - top;
        if fresh.is_empty() {
            return;
        }
        self.remove(pos, fresh);
        for layer in [owner_layer, kind_layer].into_iter().flatten() {
            store(pos, layer, load(pos, layer) | fresh);
        }
        let levels = (height.min(stack) - 1) as usize;
        for layer in self.levels.iter().take(levels) {
            store(pos, layer, load(pos, layer) | fresh);
        }
    }

    /// The top piece of a site lands on another.
    #[inline(always)]
    pub fn move_piece(&self, pos: &mut [u64], from: usize, to: usize) {
        if let ([layers], 1, 0) = (&*self.base, W, self.levels.to) {
            move_bit(pos.get_mut(layers.words()).unwrap_or(&mut []), from as u32 % 64, to as u32 % 64);
        } else {
            self.move_any_piece(pos, from, to);
        }
    }

    /// The same on boards of more than 64 sites, or where pieces stack.
    #[inline(never)]
    fn move_any_piece(&self, pos: &mut [u64], from: usize, to: usize) {
        if self.levels.len() > 0 {
            let (owner, kind) = (self.owner_at(pos, from), self.kind_at(pos, from));
            if owner >= 0 && kind >= 0 {
                self.lift(pos, Bits::one(from));
                self.put(pos, Bits::one(to), owner, kind, 1);
            }
            return;
        }
        // Where nothing stacks its bit goes from one place to the other in each layer.
        if !self.occupied(pos).contains(from) {
            return;
        }
        for layers in &self.base {
            let words = pos.get_mut(layers.words()).unwrap_or(&mut []);
            let (from_word, to_word) = (from / 64, to / 64);
            let (from, to) = (from % 64, to % 64);
            for layer in words.chunks_exact_mut(W) {
                let here = layer[from_word] >> from & 1;
                layer[from_word] &= !(1 << from);
                layer[to_word] = layer[to_word] & !(1 << to) | here << to;
            }
        }
    }

    /// A piece of an owner goes from where it is to a vacant site; `kind` is where the layer of its kind lies, if
    /// kinds are stored.
    #[inline(always)]
    pub fn go_to_vacant(&self, pos: &mut [u64], from: usize, to: usize, owner: i32, kind: Option<usize>) {
        let Ok(owner) = self.owner_layer(owner) else { return };
        for at in owner.into_iter().chain(kind) {
            if let Some(layer) = pos.get_mut(at..at + W) {
                layer[from / 64 % W] &= !(1 << (from % 64));
                layer[to / 64 % W] |= 1 << (to % 64);
            }
        }
    }

    /// A piece lands on a vacant site: there is nothing to clear.
    #[inline(always)]
    pub fn land_on_vacant(&self, pos: &mut [u64], site: usize, owner: i32, kind: i32) {
        let (Ok(owner), Ok(kind)) = (self.owner_layer(owner), self.kind_layer(kind)) else { return };
        for at in owner.into_iter().chain(kind) {
            if let Some(layer) = pos.get_mut(at..at + W) {
                layer[site / 64 % W] |= 1 << (site % 64);
            }
        }
    }

    /// The argument `kind` of [`Board::go_to_vacant`]: where its layer lies, if kinds are stored. None where the
    /// kind is not known, or where pieces stack.
    pub fn known_kind(&self, kind: Option<u32>) -> Option<Option<usize>> {
        let only = if self.stack.len() == 1 { Some(0) } else { kind };
        match (&self.kinds, only) {
            _ if self.levels.len() > 0 => None,
            (Some(layers), Some(kind)) => layers.at(kind as usize).map(Some),
            (Some(_), None) => None,
            (None, _) => Some(None),
        }
    }

    /// All pieces of the sites go.
    pub fn remove(&self, pos: &mut [u64], at: Bits<W>) {
        if at.is_empty() {
            return;
        }
        for layers in self.base.iter().chain([&self.levels]) {
            layers.clear(pos, at);
        }
    }

    /// The top piece of each site goes.
    pub fn lift(&self, pos: &mut [u64], at: Bits<W>) {
        if at.is_empty() {
            return;
        }
        let stacked = match self.levels.at(0) {
            Some(first) => at & load(pos, first),
            None => Bits::EMPTY,
        };
        let last = at - stacked;
        for layers in &self.base {
            layers.clear(pos, last);
        }
        if stacked.is_empty() {
            return;
        }
        for (level, layer) in self.levels.iter().enumerate() {
            let above = self.levels.at(level + 1).map_or(Bits::EMPTY, |above| load(pos, above));
            store(pos, layer, (load(pos, layer) - stacked) | (stacked & above));
        }
    }

    /// The pieces of the sites change owner, kind or both.
    pub fn turn_pieces(&self, pos: &mut [u64], at: Bits<W>, owner: Option<i32>, kind: Option<i32>) {
        // Both are looked at before anything is done: a statement is done wholly or not at all.
        let (Ok(owner_layer), Ok(kind_layer)) = (
            owner.map_or(Ok(None), |owner| self.owner_layer(owner)),
            kind.map_or(Ok(None), |kind| self.kind_layer(kind)),
        ) else {
            return;
        };
        let at = at & self.occupied(pos);
        if at.is_empty() {
            return;
        }
        for (to, layers) in [(owner_layer, self.owners), (kind_layer, self.kinds)] {
            if let (Some(to), Some(layers)) = (to, layers) {
                // They leave all of these layers for one of them.
                layers.clear(pos, at);
                store(pos, to, load(pos, to) | at);
            }
        }
        if let Some(kind) = kind {
            let kept = self.stack(kind) as usize - 1;
            for layer in self.levels.iter().skip(kept) {
                store(pos, layer, load(pos, layer) - at);
            }
        }
    }

    /// Whole stacks go at once along a one-to-one relation.
    pub fn carry(&self, pos: &mut [u64], at: Bits<W>, relation: &Relation) {
        let mut going = at & self.occupied(pos);
        for site in going.iter() {
            if relation::row::<W>(relation, site).is_empty() {
                going.remove(site);
            }
        }
        if going.is_empty() {
            return;
        }
        let ends = relation::image(relation, going);
        for layer in self.base.iter().chain([&self.levels]).flat_map(|layers| layers.iter()) {
            let old = load(pos, layer);
            let gone = relation::image(relation, old & going);
            store(pos, layer, ((old - going) - ends) | gone);
        }
    }

    /// Pieces are put on a site, if there is such a site and, on top of what stands there, room.
    pub fn place(&self, pos: &mut [u64], placement: Placement) {
        if let Some(site) = self.site(i32::from(placement.site))
            && self.covers_top(pos, site)
        {
            let (owner, kind) = (i32::from(placement.owner), i32::from(placement.kind));
            self.put(pos, Bits::one(site), owner, kind, placement.height);
        }
    }

    /// Where any pieces may stand on each other, the top piece of a site joins those below it; whether there is room
    /// for another one above it.
    fn covers_top(&self, pos: &mut [u64], site: usize) -> bool {
        let Some((pieces, stacks)) = &self.stacks else { return true };
        let (owner, kind) = (self.owner_at(pos, site), self.kind_at(pos, site));
        let (Ok(owner), Ok(kind)) = (usize::try_from(owner), usize::try_from(kind)) else { return true };
        let below = self.slot(pos, stacks.heights + site);
        if below + 1 >= stacks.most as i32 {
            return false;
        }
        let (at, worth) = stacks.place(site, below.max(0) as usize);
        let sort = pieces.sort(self.players, owner, kind) as i32;
        self.set_slot(pos, at, self.slot(pos, at) + sort * worth);
        self.set_slot(pos, stacks.heights + site, below + 1);
        true
    }

    /// How many pieces there are in all on a site that exists.
    pub fn pieces_on(&self, pos: &[u64], site: usize) -> i32 {
        let stacks = self.stacks.as_ref().map(|(_, stacks)| stacks.heights + site);
        self.height_at(pos, site) + stacks.map_or(0, |at| self.slot(pos, at))
    }

    /// Takes all pieces off a site that exists.
    pub fn clear(&self, pos: &mut [u64], site: usize) {
        self.remove(pos, Bits::one(site));
        let stacks = self.stacks.iter().flat_map(|(_, stacks)| stacks.of_site(site));
        stacks.for_each(|at| self.set_slot(pos, at, 0));
    }
}

/// Moves a bit of each word to another place, if it is in any.
#[inline(never)]
fn move_bit(words: &mut [u64], from: u32, to: u32) {
    /// Where the number of words is known there is no loop.
    fn known<const N: usize>(words: &mut [u64], from: u32, to: u32) {
        if let Some(words) = words.first_chunk_mut::<N>() {
            moved(words, from, to);
        }
    }
    #[inline(always)]
    fn moved(words: &mut [u64], from: u32, to: u32) {
        if words.iter().fold(0, |any, word| any | word) >> from & 1 == 0 {
            return;
        }
        let kept = !(1 << from | 1 << to);
        for word in words {
            *word = *word & kept | (*word >> from & 1) << to;
        }
    }
    match words.len() {
        2 => known::<2>(words, from, to),
        3 => known::<3>(words, from, to),
        4 => known::<4>(words, from, to),
        5 => known::<5>(words, from, to),
        6 => known::<6>(words, from, to),
        7 => known::<7>(words, from, to),
        8 => known::<8>(words, from, to),
        9 => known::<9>(words, from, to),
        _ => moved(words, from, to),
    }
}
