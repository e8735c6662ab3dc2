//! Pieces: landing, going, changing. The same as the interpreter does, without a branch: who lands is a
//! mask for each layer, all ones for the owner's and the kind's, zeros for the others.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::emit::Emit;
use super::memory::Address;
use super::place::piece_layers;
use super::values::{Words, WorkingPosition};
use crate::program::{IntId, IntOp, SetId};

/// A mask for each layer of a range: ones where the piece is of that owner or kind, else zeros. None: always zeros.
type Masks = Vec<Option<Value>>;

/// The piece that lands: masks of its owner and kind, and a mask of ones if there are such an owner and kind.
struct Who {
    owners: Masks,
    kinds: Masks,
    /// None: there certainly are.
    there: Option<Value>,
}

/// Masks of so many layers for an owner or kind that is known; all zeros if it is none.
fn only_of(count: usize, meant: Option<usize>, ones: Value) -> Masks {
    (0..count).map(|i| (Some(i) == meant).then_some(ones)).collect()
}

impl Emit<'_> {
    /// How many layers of owners there are.
    pub fn owners(&self) -> usize {
        self.program.layout.players + usize::from(self.program.layout.pieces.neutral)
    }

    /// The sites with pieces.
    pub fn occupied(&mut self) -> Words {
        let pieces = &self.program.layout.pieces;
        let layers = match (pieces.owner_base, pieces.kind_base) {
            (Some(base), _) => base..base + self.owners(),
            (None, Some(base)) => base..base + pieces.kinds,
            (None, None) => 0..0,
        };
        let none = self.empty();
        layers.fold(none, |out, layer| {
            let here = self.layer(layer);
            self.either(&out, &here)
        })
    }

    /// The sites with at least so many pieces, one or more.
    fn at_least(&mut self, height: u32, occupied: &Words) -> Words {
        let pieces = &self.program.layout.pieces;
        match height {
            0 => self.all(),
            1 => occupied.clone(),
            _ if height as usize - 2 < pieces.levels => self.layer(pieces.level_base + height as usize - 2),
            _ => self.empty(),
        }
    }

    /// Masks of a number: which of so many it is, and whether it is one.
    fn masks(&mut self, number: IntId, count: usize) -> (Masks, Option<Value>) {
        let program = self.program;
        if let IntOp::Const(number) = program.ints[number.0 as usize] {
            let ones = self.i64(-1);
            let at = usize::try_from(number).ok().filter(|n| *n < count);
            let never = self.i64(0);
            return (only_of(count, at, ones), at.is_none().then_some(never));
        }
        let bounds = self.bounds(number);
        let number = self.int(number);
        let masks = (0..count)
            .map(|i| {
                let here = self.cmp_to(IntCC::Equal, number, i as i64);
                Some(self.mask(here))
            })
            .collect();
        if bounds.0 >= 0 && bounds.1 < count as i64 {
            return (masks, None);
        }
        let ok = self.cmp_to(IntCC::UnsignedLessThan, number, count as i64);
        (masks, Some(self.mask(ok)))
    }

    /// Masks of an owner.
    fn owner_masks(&mut self, owner: IntId) -> (Masks, Option<Value>) {
        if self.program.layout.pieces.owner_base.is_some() {
            let owners = self.owners();
            return self.masks(owner, owners);
        }
        // Owners are not stored: all pieces are neutral.
        let value = self.int(owner);
        let neutral = self.cmp_to(IntCC::Equal, value, self.program.layout.players as i64);
        (Vec::new(), Some(self.mask(neutral)))
    }

    /// Masks of a kind.
    fn kind_masks(&mut self, kind: IntId) -> (Masks, Option<Value>) {
        let kinds = self.program.layout.pieces.kinds;
        self.masks(kind, kinds)
    }

    fn cut(&mut self, at: &Words, there: Option<Value>) -> Words {
        match there {
            Some(there) => self.masked(there, at),
            None => at.clone(),
        }
    }

    /// Pieces land on each site.
    pub fn put_pieces(&mut self, at: SetId, owner: IntId, kind: IntId, height: u32) {
        if height == 0 {
            return;
        }
        let site = self.single(at).filter(|_| self.w > 1 && self.program.layout.pieces.levels == 0);
        let (owners, some) = self.owner_masks(owner);
        let (kinds, other) = self.kind_masks(kind);
        let there = self.and_certain(some, other);
        let who = Who { owners, kinds, there };
        match (site, self.place.clone()) {
            (Some(site), WorkingPosition::Memory(place)) => self.land_on(place, site, &who),
            _ => {
                let at = self.set(at);
                self.land(&at, &who, height);
            }
        }
    }

    /// A piece lands on one site of a position in memory, where none stands on another: of each layer only the
    /// word in which the site lies is written.
    fn land_on(&mut self, place: Address, site: IntId, who: &Who) {
        let site = self.bounded(site);
        let (site, exists) = self.site(site);
        let (one, wide) = (self.i64(1), self.wide(site.value));
        let mut bit = self.b.ins().ishl(one, wide);
        let exists = exists.map(|truth| self.mask(truth));
        for there in [exists, who.there].into_iter().flatten() {
            bit = self.and(bit, there);
        }
        let at = self.word_of_site(place, site);
        for (layer, mask) in self.meant(Some(&who.owners), Some(&who.kinds)) {
            let at = self.layers(at, layer, 1).at;
            let old = self.load(types::I64, at, 0);
            let mut new = self.b.ins().band_not(old, bit);
            if let Some(mask) = mask {
                let more = self.and(bit, mask);
                new = self.or(new, more);
            }
            self.store(new, at, 0);
        }
    }

    /// The layers of owners and kinds that masks are for, each with its mask.
    fn meant(&self, owners: Option<&Masks>, kinds: Option<&Masks>) -> Vec<(usize, Option<Value>)> {
        let pieces = &self.program.layout.pieces;
        let owners = pieces.owner_base.zip(owners);
        let kinds = pieces.kind_base.zip(kinds);
        let layers = owners.into_iter().chain(kinds);
        layers.flat_map(|(base, masks)| (base..).zip(masks.iter().copied())).collect()
    }

    /// The pieces of some sites leave these layers for the one that is meant.
    fn change_layers(&mut self, layers: Vec<(usize, Option<Value>)>, at: &Words) {
        for (layer, mask) in layers {
            self.update(layer, |e, old| {
                let rest = e.less(&old, at);
                let Some(mask) = mask else { return rest };
                let more = e.masked(mask, at);
                e.either(&rest, &more)
            });
        }
    }

    fn land(&mut self, at: &Words, who: &Who, height: u32) {
        let program = self.program;
        let pieces = &program.layout.pieces;
        let at = self.cut(at, who.there);
        let fresh = match pieces.levels {
            0 => at,
            _ => {
                let top = self.pile(&at, who, height);
                self.less(&at, &top)
            }
        };
        self.change_layers(self.meant(Some(&who.owners), Some(&who.kinds)), &fresh);
        for level in 0..pieces.levels {
            let old = self.layer(pieces.level_base + level);
            let mut new = self.less(&old, &fresh);
            for (mask, stack) in who.kinds.iter().zip(&pieces.stack) {
                let Some(mask) = mask else { continue };
                if (level as u32) < height.min(*stack).saturating_sub(1) {
                    let more = self.masked(*mask, &fresh);
                    new = self.either(&new, &more);
                }
            }
            self.set_layer(pieces.level_base + level, &new);
        }
    }

    /// The sites on which the pieces go on top of the same owner's same kind. Raises the levels there.
    fn pile(&mut self, at: &Words, who: &Who, height: u32) -> Words {
        let program = self.program;
        let pieces = &program.layout.pieces;
        let mut top = self.empty();
        let room = |stack: u32| height < stack;
        if !who.kinds.iter().zip(&pieces.stack).any(|(mask, stack)| mask.is_some() && room(*stack)) {
            return top;
        }
        let occupied = self.occupied();
        let mut own = match pieces.owner_base {
            None => occupied.clone(),
            Some(_) => self.empty(),
        };
        if let Some(base) = pieces.owner_base {
            for (i, mask) in who.owners.iter().enumerate() {
                let Some(mask) = mask else { continue };
                let layer = self.layer(base + i);
                let part = self.masked(*mask, &layer);
                own = self.either(&own, &part);
            }
        }
        let own = self.both(at, &own);
        for (k, (mask, stack)) in who.kinds.iter().zip(&pieces.stack).enumerate() {
            let (Some(mask), true) = (mask, room(*stack)) else { continue };
            let kind = match pieces.kind_base {
                Some(base) => self.layer(base + k),
                None => occupied.clone(),
            };
            let like = self.both(&own, &kind);
            let full = self.at_least(stack - height + 1, &occupied);
            let free = self.less(&like, &full);
            let part = self.masked(*mask, &free);
            top = self.either(&top, &part);
        }
        // From the highest level down: each looks at lower ones as they were.
        for level in (0..pieces.levels).rev() {
            let below = (level as u32 + 2).saturating_sub(height);
            let under = self.at_least(below, &occupied);
            let more = self.both(&top, &under);
            self.update(pieces.level_base + level, |e, old| e.either(&old, &more));
        }
        top
    }

    /// The top piece of a site lands on another. Its owner and kind may be known.
    pub fn move_piece(&mut self, from: IntId, to: IntId, owner: Option<IntId>, kind: Option<u32>) {
        let program = self.program;
        let pieces = &program.layout.pieces;
        let (from, to) = (self.bounded(from), self.bounded(to));
        let (from, is_from) = self.site(from);
        let (to, is_to) = self.site(to);
        let exist = self.and_certain(is_from, is_to);
        let exist = exist.map(|truth| self.mask(truth));
        let (from_set, to_set) = (self.one(from), self.one(to));
        let from_set = self.cut(&from_set, exist);
        let only = if pieces.kinds == 1 { Some(0) } else { kind };
        if self.w == 1 && exist.is_none() && pieces.levels == 0 {
            let certain = owner.is_some() || kind.is_some();
            self.move_bits(from.value, to.value, owner, only, certain);
            return;
        }
        let owners = match owner {
            Some(owner) if pieces.owner_base.is_some() => self.owner_masks(owner).0,
            _ => self.masks_on(&from_set, pieces.owner_base, self.owners()),
        };
        // Where owner and kind are known a piece is certainly there, and with it both sites.
        let there = match (owner, kind) {
            (Some(_), _) | (_, Some(_)) => exist,
            _ => {
                let occupied = self.occupied();
                let here = self.both(&occupied, &from_set);
                let some = self.some(&here);
                Some(self.mask(some))
            }
        };
        let ones = self.i64(-1);
        let kinds: Masks = match only {
            Some(kind) => only_of(pieces.kinds, Some(kind as usize), ones),
            None => self.masks_on(&from_set, pieces.kind_base, pieces.kinds),
        };
        let who = Who { owners, kinds, there };
        let single = |(mask, stack): (&Option<Value>, &u32)| mask.is_none() || *stack == 1;
        match who.kinds.iter().zip(&pieces.stack).all(single) {
            true => self.move_single(&from_set, &to_set, &who),
            false => {
                self.lift(&from_set);
                self.land(&to_set, &who, 1);
            }
        }
    }

    /// The same on sets of one word, where both sites exist and nothing is stacked. In each layer that the piece may be
    /// in, its bit is moved from one place to the other. `certain`: a piece stands there.
    fn move_bits(&mut self, from: Value, to: Value, owner: Option<IntId>, kind: Option<u32>, certain: bool) {
        let program = self.program;
        let pieces = &program.layout.pieces;
        let one = self.i64(1);
        let (leaves, lands) = (self.b.ins().ishl(one, from), self.b.ins().ishl(one, to));
        let lands = match certain {
            true => lands,
            // Where no piece is nothing changes.
            false => {
                let occupied = self.occupied();
                let here = self.b.ins().ushr(occupied.0[0], from);
                let here = self.b.ins().band_imm_s(here, 1);
                self.b.ins().ishl(here, to)
            }
        };
        let both = self.or(leaves, lands);
        let owners = owner.filter(|_| pieces.owner_base.is_some()).map(|owner| self.owner_masks(owner).0);
        let ones = self.i64(-1);
        let kinds = kind.map(|kind| only_of(pieces.kinds, Some(kind as usize), ones));
        let owners = pieces.owner_base.map(|base| (base, self.owners(), owners));
        let kinds = pieces.kind_base.map(|base| (base, pieces.kinds, kinds));
        for (base, count, known) in owners.into_iter().chain(kinds) {
            for i in 0..count {
                let old = self.layer(base + i).0[0];
                let more = match &known {
                    Some(masks) => masks[i].map(|mask| self.and(mask, lands)),
                    None => {
                        let here = self.b.ins().ushr(old, from);
                        let here = self.b.ins().band_imm_s(here, 1);
                        Some(self.b.ins().ishl(here, to))
                    }
                };
                let new = match more {
                    None => self.b.ins().band_not(old, lands),
                    Some(more) => {
                        let rest = self.b.ins().band_not(old, both);
                        self.or(rest, more)
                    }
                };
                self.set_layer(base + i, &Words(vec![new]));
            }
        }
    }

    /// A piece that never stands on another: it leaves the layers that it may be in, and all layers are
    /// cleared where it lands.
    fn move_single(&mut self, from: &Words, to: &Words, who: &Who) {
        let program = self.program;
        let pieces = &program.layout.pieces;
        let to = self.cut(to, who.there);
        let both = self.either(from, &to);
        for (layer, mask) in self.meant(Some(&who.owners), Some(&who.kinds)) {
            self.update(layer, |e, old| {
                let Some(mask) = mask else { return e.less(&old, &to) };
                let rest = e.less(&old, &both);
                let more = e.masked(mask, &to);
                e.either(&rest, &more)
            });
        }
        for level in 0..pieces.levels {
            self.update(pieces.level_base + level, |e, old| e.less(&old, &to));
        }
    }

    /// Masks of the layers that the one site of a set is in.
    fn masks_on(&mut self, site: &Words, base: Option<usize>, count: usize) -> Masks {
        let Some(base) = base else { return Vec::new() };
        (0..count)
            .map(|i| {
                let layer = self.layer(base + i);
                let here = self.both(&layer, site);
                let some = self.some(&here);
                Some(self.mask(some))
            })
            .collect()
    }

    /// All pieces of the sites go.
    pub fn remove(&mut self, at: &Words) {
        for layer in piece_layers(self.program) {
            self.update(layer, |e, old| e.less(&old, at));
        }
    }

    /// The top piece of each site goes.
    pub fn lift(&mut self, at: &Words) {
        let program = self.program;
        let pieces = &program.layout.pieces;
        if pieces.levels == 0 {
            self.remove(at);
            return;
        }
        let first = self.layer(pieces.level_base);
        let stacked = self.both(at, &first);
        let last = self.less(at, &stacked);
        let levels = pieces.level_base..pieces.level_base + pieces.levels;
        for layer in piece_layers(program) {
            if !levels.contains(&layer) {
                self.update(layer, |e, old| e.less(&old, &last));
            }
        }
        for layer in levels.clone() {
            let old = self.layer(layer);
            let mut new = self.less(&old, &stacked);
            if layer + 1 < levels.end {
                let above = self.layer(layer + 1);
                let kept = self.both(&stacked, &above);
                new = self.either(&new, &kept);
            }
            self.set_layer(layer, &new);
        }
    }

    /// The pieces of the sites change owner, kind or both.
    pub fn turn_pieces(&mut self, at: &Words, owner: Option<IntId>, kind: Option<IntId>) {
        let program = self.program;
        let pieces = &program.layout.pieces;
        let owners = owner.map(|owner| self.owner_masks(owner));
        let kinds = kind.map(|kind| self.kind_masks(kind));
        let occupied = self.occupied();
        let mut at = self.both(at, &occupied);
        for (_, there) in owners.iter().chain(&kinds) {
            at = self.cut(&at, *there);
        }
        let (owners, kinds) = (owners.map(|(masks, _)| masks), kinds.map(|(masks, _)| masks));
        self.change_layers(self.meant(owners.as_ref(), kinds.as_ref()), &at);
        let Some(masks) = &kinds else { return };
        for level in 0..pieces.levels {
            let mut cut = self.empty();
            for (mask, stack) in masks.iter().zip(&pieces.stack) {
                if let (Some(mask), true) = (mask, level as u32 + 1 >= *stack) {
                    let part = self.masked(*mask, &at);
                    cut = self.either(&cut, &part);
                }
            }
            self.update(pieces.level_base + level, |e, old| e.less(&old, &cut));
        }
    }

    /// Whole stacks go at once along a one-to-one relation.
    pub fn carry(&mut self, at: &Words, relation: u32) {
        let program = self.program;
        let rows = program.relations[relation as usize].rows.chunks_exact(program.layout.width).enumerate();
        let mut origins = vec![0u64; self.w];
        for (site, _) in rows.filter(|(_, row)| row.iter().any(|word| *word != 0)) {
            origins[site / 64] |= 1 << (site % 64);
        }
        let origins = self.constant(&origins);
        let occupied = self.occupied();
        let going = self.both(at, &occupied);
        let going = self.both(&going, &origins);
        let ends = self.image(relation, &going);
        for layer in piece_layers(program) {
            self.update(layer, |e, old| {
                let part = e.both(&old, &going);
                let gone = e.image(relation, &part);
                let rest = e.less(&old, &going);
                let rest = e.less(&rest, &ends);
                e.either(&rest, &gone)
            });
        }
    }

    /// Which of a range of layers a site is in; -1 for none.
    pub fn which_layer(&mut self, site: IntId, base: usize, count: usize) -> Value {
        let site = self.bounded(site);
        let none = self.i32(-1);
        let found = (0..count).rev().fold(none, |out, i| {
            let layer = self.layer(base + i);
            let here = self.has(&layer, site.value);
            let number = self.i32(i as i32);
            self.select(here, number, out)
        });
        let exists = self.exists(site);
        self.select_certain(exists, found, none)
    }

    /// A number where a site is occupied, else -1.
    pub fn occupied_number(&mut self, site: IntId, number: i32) -> Value {
        let site = self.bounded(site);
        let occupied = self.occupied();
        let here = self.has(&occupied, site.value);
        let here = match self.exists(site) {
            Some(exists) => self.and(here, exists),
            None => here,
        };
        let (number, none) = (self.i32(number), self.i32(-1));
        self.select(here, number, none)
    }

    /// How many pieces are on a site.
    pub fn height_at(&mut self, site: IntId) -> Value {
        let program = self.program;
        let pieces = &program.layout.pieces;
        let site = self.bounded(site);
        let occupied = self.occupied();
        let some = self.has(&occupied, site.value);
        let mut height = self.number(some);
        // Each level is within the one below.
        for level in 0..pieces.levels {
            let layer = self.layer(pieces.level_base + level);
            let here = self.has(&layer, site.value);
            let more = self.number(here);
            height = self.b.ins().iadd(height, more);
        }
        let none = self.i32(0);
        let exists = self.exists(site);
        self.select_certain(exists, height, none)
    }
}
