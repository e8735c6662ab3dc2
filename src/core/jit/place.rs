//! Where a position is: in memory, or a copy that is only variables.
//!
//! A copy for `after` holds variables for the layers and slots that its block may write. All else is read
//! from the position below. Where a block may write many slots by a computed index the copy is memory.

use std::collections::BTreeSet;
use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::emit::Emit;
use super::memory::{Address, Index, Region, Row};
use super::values::{Copy, Number, Words, WorkingPosition};
use crate::program::{BlockId, Part, Program, Stmt, Use};

/// What [`Emit::unsound`] says of a write that the function would forget.
const LOST: &str = "a copy of the position does not hold what is written to it";

/// The most slots of a row that a copy holds in variables.
const MAX_HELD_SLOTS: u32 = 12;

/// The layers and slots that a block may write.
#[derive(Default, Clone, Debug)]
pub(super) struct Writes {
    pub layers: BTreeSet<usize>,
    pub slots: BTreeSet<usize>,
    /// A row of slots too long for variables.
    pub long: bool,
}

impl Writes {
    pub fn of(program: &Program, block: BlockId) -> Writes {
        let mut writes = Writes::default();
        writes.block(program, block);
        writes
    }

    fn block(&mut self, program: &Program, block: BlockId) {
        for statement in &program.blocks[block.0 as usize] {
            self.statement(program, statement);
        }
    }

    fn statement(&mut self, program: &Program, statement: &Stmt) {
        statement.uses(&mut |used| match used {
            Use::Layers(base, count) => self.layers.extend(base as usize..(base + count) as usize),
            Use::Slots(base, count) => {
                self.long |= count > MAX_HELD_SLOTS;
                self.slots.extend(base as usize..(base + count) as usize);
            }
            Use::Const(_)
            | Use::Dealt(..)
            | Use::Local(_)
            | Use::Relation(_)
            | Use::Ray(_)
            | Use::Table(_) => {}
        });
        if statement.moves_pieces() {
            self.layers.extend(piece_layers(program));
        }
        statement.each(&mut |part| {
            if let Part::Block(block) = part {
                self.block(program, block);
            }
        });
    }
}

/// The layers in which pieces are.
pub(super) fn piece_layers(program: &Program) -> Vec<usize> {
    let pieces = &program.layout.pieces;
    let (kinds, owners) = (pieces.kind_layers(), pieces.owner_layers(program.layout.players));
    kinds
        .unwrap_or_default()
        .chain(owners)
        .chain(pieces.level_base..pieces.level_base + pieces.levels)
        .collect()
}

impl Emit<'_> {
    /// Something evaluated in a copy on which a block was run.
    pub fn after<T>(&mut self, block: BlockId, then: impl FnOnce(&mut Self) -> T) -> T {
        let writes = Writes::of(self.program, block);
        let below = self.place.clone();
        self.place = match writes.long {
            true => WorkingPosition::Memory(self.copied()),
            false => self.held(&writes),
        };
        let held = std::mem::take(&mut self.held);
        self.run(block);
        let value = then(self);
        (self.place, self.held) = (below, held);
        value
    }

    /// A copy of the position that holds in variables the layers and slots that may be written.
    pub fn held(&mut self, writes: &Writes) -> WorkingPosition {
        let layers = writes.layers.iter().map(|layer| {
            let words = self.layer(*layer);
            (*layer, self.set_variable(&words))
        });
        let layers = layers.collect();
        let slots = writes.slots.iter().map(|slot| {
            let value = self.slot(*slot);
            (*slot, self.variable(types::I32, value))
        });
        let slots = slots.collect();
        WorkingPosition::Copy(Rc::new(Copy { layers, slots, below: self.place.clone() }))
    }

    /// Writes the variables of a copy to a position in memory.
    pub fn write_held(&mut self, to: Address) {
        let WorkingPosition::Copy(copy) = self.place.clone() else { return };
        for (layer, words) in &copy.layers {
            let words = self.get_set(words);
            self.write(&words, self.layers(to, *layer, 1).at);
        }
        for (slot, value) in &copy.slots {
            let value = self.get(*value);
            self.store(value, self.slots(to, *slot, 1).at, 0);
        }
    }

    /// A copy of the position in memory of the function's own.
    fn copied(&mut self) -> Address {
        let layout = &self.program.layout;
        let at = self.scratch(layout.words());
        for layer in 0..layout.layers.len() {
            let words = self.layer(layer);
            self.write(&words, self.layers(at, layer, 1).at);
        }
        for slot in 0..layout.slots.len() {
            let value = self.slot(slot);
            self.store(value, self.slots(at, slot, 1).at, 0);
        }
        at
    }

    /// Reads a position, one that stays as it is or one that may be written.
    fn read(&mut self, ty: types::Type, at: Address, still: bool) -> Value {
        match still {
            true => self.load_constant(ty, at, 0),
            false => self.load(ty, at, 0),
        }
    }

    fn read_words(&mut self, at: Address, still: bool) -> Words {
        match still {
            true => self.load_words(at),
            false => self.reload(at),
        }
    }

    /// The region of things that code chooses among. The program says which these are.
    fn region(&self, region: Option<Region>) -> Region {
        if region.is_none() {
            self.unsound("things that are chosen among are of several regions");
        }
        region.unwrap_or(Region::OWN)
    }

    /// So many layers of a position, from one on.
    pub fn layers(&self, pos: Address, base: usize, count: usize) -> Row {
        let at = pos.plus(8 * self.program.layout.layer_at(base));
        let at = at.within(self.region(self.shared.regions.layers(base..base + count)));
        Row { name: "a layer", at, count, size: self.set_size() }
    }

    /// The first word of a position's layers moved to the word in which a site lies.
    pub fn word_of_site(&mut self, pos: Address, site: Index) -> Address {
        let row = Row { name: "the word of a site", at: pos, count: self.w, size: 8 };
        let word = self.b.ins().ushr_imm_u(site.value, 6);
        self.entry(row, Index::here(word))
    }

    /// A layer's members.
    pub fn layer(&mut self, layer: usize) -> Words {
        match self.find(|copy| copy.layers.get(&layer).cloned()) {
            Ok(variables) => self.get_set(&variables),
            Err((at, still)) => self.read_words(self.layers(at, layer, 1).at, still),
        }
    }

    pub fn set_layer(&mut self, layer: usize, words: &Words) {
        match self.place.clone() {
            WorkingPosition::Memory(at) => {
                self.write(words, self.layers(at, layer, 1).at);
            }
            WorkingPosition::Copy(copy) => match copy.layers.get(&layer) {
                Some(variables) => self.put_set(variables, words),
                None => self.unsound(LOST),
            },
            // INVARIANT: where a position stays as it is, a copy is written.
            WorkingPosition::Still(_) => {}
        }
    }

    /// Changes a layer's members.
    pub fn update(&mut self, layer: usize, change: impl FnOnce(&mut Self, Words) -> Words) {
        let old = self.layer(layer);
        let new = change(self, old);
        self.set_layer(layer, &new);
    }

    /// A slot's value.
    pub fn slot(&mut self, slot: usize) -> Value {
        match self.find(|copy| copy.slots.get(&slot).copied()) {
            Ok(variable) => self.get(variable),
            Err((at, still)) => self.read(types::I32, self.slots(at, slot, 1).at, still),
        }
    }

    pub fn set_slot(&mut self, slot: usize, value: Value) {
        match self.place.clone() {
            WorkingPosition::Memory(at) => self.store(value, self.slots(at, slot, 1).at, 0),
            WorkingPosition::Copy(copy) => match copy.slots.get(&slot) {
                Some(variable) => self.put(*variable, value),
                None => self.unsound(LOST),
            },
            WorkingPosition::Still(_) => {}
        }
    }

    /// So many slots of a position, from one on.
    fn slots(&self, pos: Address, base: usize, count: usize) -> Row {
        let at = pos.plus(8 * self.program.layout.slots_at() + 4 * base);
        let at = at.within(self.region(self.shared.regions.slots(base..base + count)));
        Row { name: "a slot", at, count, size: 4 }
    }

    /// The value that the nearest copy holds, given how to ask a copy. An error where no copy holds one: the position
    /// below all copies, and whether that stays as it is.
    fn find<T>(&self, held: impl Fn(&Copy) -> Option<T>) -> Result<T, (Address, bool)> {
        let mut place = &self.place;
        loop {
            match place {
                WorkingPosition::Memory(at) => return Err((*at, false)),
                WorkingPosition::Still(at) => return Err((*at, true)),
                WorkingPosition::Copy(copy) => match held(copy) {
                    Some(found) => return Ok(found),
                    None => place = &copy.below,
                },
            }
        }
    }

    /// Layers that lie in memory, and whether they stay as they are; none where a copy holds one of them.
    pub fn layers_in_memory(&self, base: usize, count: usize) -> Option<(Row, bool)> {
        let held = self.find(|copy| copy.layers.range(base..base + count).next().map(drop));
        held.err().map(|(at, still)| (self.layers(at, base, count), still))
    }

    /// Layer `base + index`; empty where the index is not below the count.
    pub fn layer_row(&mut self, base: usize, count: u32, index: Number) -> Words {
        let none = self.empty();
        if count == 0 {
            return none;
        }
        let Some((row, still)) = self.layers_in_memory(base, count as usize) else {
            return (base..base + count as usize).enumerate().fold(none, |out, (i, layer)| {
                let words = self.layer(layer);
                let here = self.cmp_to(IntCC::Equal, index.value, i as i64);
                self.choose(here, &words, &out)
            });
        };
        let (index, ok) = self.index(index, row.count);
        let at = self.entry(row, index);
        let words = self.read_words(at, still);
        self.only_certain(ok, words)
    }

    /// Sets layer `base + index`, if the index is below the count.
    pub fn set_layer_row(&mut self, base: usize, count: u32, index: Value, words: &Words) {
        for i in 0..count as usize {
            self.update(base + i, |e, before| {
                let here = e.cmp_to(IntCC::Equal, index, i as i64);
                e.choose(here, words, &before)
            });
        }
    }

    /// Slot `base + index`; `missing` where the index is not below the count.
    pub fn slot_row(&mut self, base: usize, count: u32, index: Number, missing: i32) -> Value {
        let range = base..base + count as usize;
        let missing = self.i32(missing);
        if count == 0 {
            return missing;
        }
        let held = self.find(|copy| copy.slots.range(range.clone()).next().map(drop));
        let Err((at, still)) = held else {
            return range.enumerate().fold(missing, |out, (i, slot)| {
                let value = self.slot(slot);
                let here = self.cmp_to(IntCC::Equal, index.value, i as i64);
                self.select(here, value, out)
            });
        };
        let row = self.slots(at, base, count as usize);
        let (index, ok) = self.index(index, row.count);
        let at = self.entry(row, index);
        let value = self.read(types::I32, at, still);
        self.select_certain(ok, value, missing)
    }

    /// Sets slot `base + index`, if the index is below the count.
    pub fn set_slot_row(&mut self, base: usize, count: u32, index: Number, value: Value) {
        if let WorkingPosition::Memory(at) = self.place {
            if count == 0 {
                return;
            }
            let row = self.slots(at, base, count as usize);
            let (index, ok) = self.index(index, row.count);
            let at = self.entry(row, index);
            return self.when_certain(ok, |e| e.store(value, at, 0));
        }
        for i in 0..count as usize {
            let before = self.slot(base + i);
            let here = self.cmp_to(IntCC::Equal, index.value, i as i64);
            let after = self.select(here, value, before);
            self.set_slot(base + i, after);
        }
    }
}
