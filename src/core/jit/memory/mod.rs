//! Memory access: every load and every store is made here.

mod address;
mod region;

use std::sync::Arc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AliasRegionData, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Type, Value, types,
};

use super::code::context;
use super::emit::Emit;
use super::values::{Number, Words};
pub(super) use address::{Address, Index, Row};
pub(super) use region::{Region, Regions};

impl Emit<'_> {
    /// A row of the program's or the library's own, which never changes.
    pub fn table(&mut self, name: &'static str, at: usize, count: usize, size: usize) -> Row {
        let at = Address::of(self.i64(at as i64));
        Row { name, at, count, size }
    }

    /// An index below a count, and whether the number is one; none where that is certain.
    pub fn index(&mut self, number: Number, count: usize) -> (Index, Option<Value>) {
        if number.bounds.0 >= 0 && number.bounds.1 < count as i64 {
            return (Index::here(number.value), None);
        }
        let ok = self.cmp_to(IntCC::UnsignedLessThan, number.value, count as i64);
        (self.index_if(number.value, ok), Some(ok))
    }

    /// A number where a test says that it is an index, else 0, the index of the first entry.
    pub fn index_if(&mut self, number: Value, ok: Value) -> Index {
        let first = self.i32(0);
        Index { value: self.select(ok, number, first), anywhere: true }
    }

    /// The address of an entry.
    pub fn entry(&mut self, row: Row, index: Index) -> Address {
        let number = self.checked(row.name, index.value, row.count);
        let wide = match self.b.func.dfg.value_type(number) {
            types::I64 => number,
            _ => self.wide(number),
        };
        let step = match row.size.is_power_of_two() {
            true => self.b.ins().ishl_imm_s(wide, i64::from(row.size.trailing_zeros())),
            false => self.b.ins().imul_imm_s(wide, row.size as i64),
        };
        let value = self.b.ins().iadd(row.at.value, step);
        Address { value, anywhere: row.at.anywhere && index.anywhere, ..row.at }
    }

    /// The address of a record of moves, which lies before an end that the context says.
    pub fn record_at(&mut self, name: &'static str, at: Value, limit: usize) -> Address {
        let mut at = at;
        if self.shared.faults.is_some() {
            let end = self.load(types::I64, self.context, limit);
            let first = self.load(types::I64, self.context, context::START);
            let (mut room, used) = (self.b.ins().isub(end, first), self.b.ins().isub(at, first));
            let size = self.record_size() as i64;
            if limit == context::END {
                room = self.b.ins().iadd_imm_s(room, size * context::MARGIN as i64);
            }
            let behind = self.b.ins().iadd_imm_s(used, size);
            let out = self.cmp(IntCC::UnsignedGreaterThan, behind, room);
            self.fault_if(out, name, used, room);
            let none = self.empty();
            let spare = self.scratch(1 + self.program.layout.width);
            self.write(&none, spare.plus(8));
            at = self.select(out, spare.value, at);
        }
        Address { anywhere: false, region: Region::RECORDS, ..Address::of(at) }
    }

    /// Bytes of a set in memory.
    pub fn set_size(&self) -> usize {
        8 * self.program.layout.width
    }

    /// Bytes of a record of moves.
    pub fn record_size(&self) -> usize {
        8 + self.set_size()
    }

    /// An index, which is tested where code is checked.
    pub fn checked(&mut self, name: &'static str, index: Value, count: usize) -> Value {
        if self.shared.faults.is_none() {
            return index;
        }
        let ty = self.b.func.dfg.value_type(index);
        let bound = self.b.ins().iconst(ty, count as i64);
        let out = self.cmp(IntCC::UnsignedGreaterThanOrEqual, index, bound);
        self.fault_if(out, name, index, bound);
        let first = self.b.ins().iconst(ty, 0);
        self.select(out, first, index)
    }

    /// An address as a number, to be handed on.
    pub fn pointer(&mut self, at: Address) -> Value {
        match at.offset {
            0 => at.value,
            bytes => self.b.ins().iadd_imm_s(at.value, bytes as i64),
        }
    }

    /// Notes a failed test where a truth holds.
    fn fault_if(&mut self, truth: Value, name: &'static str, index: Value, bound: Value) {
        let Some(faults) = self.shared.faults.as_ref().map(Arc::as_ptr) else { return };
        let (note, on) = (self.block(), self.block());
        self.b.set_cold_block(note);
        self.brif(truth, note, on);
        self.at(note);
        let [index, bound] = [index, bound].map(|value| match self.b.func.dfg.value_type(value) {
            types::I64 => value,
            _ => self.wide(value),
        });
        let known = [faults.addr(), name.as_ptr().addr(), name.len()].map(|value| self.i64(value as i64));
        self.call(self.shared.helpers.fault, &[known[0], known[1], known[2], index, bound], None);
        self.jump(on);
        self.at(on);
    }

    /// Memory of the function's own, in words.
    pub fn scratch(&mut self, words: usize) -> Address {
        let bytes = 8 * words.max(1) as u32;
        self.frame += bytes as usize;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes, 3);
        let slot = self.b.create_sized_stack_slot(data);
        Address::of(self.b.ins().stack_addr(types::I64, slot, 0))
    }

    /// Flags of a load or a store of a region's memory.
    fn flags(&mut self, region: Region) -> MemFlagsData {
        let region = AliasRegionData { user_id: region.0, description: "".into() };
        let region = self.b.func.dfg.alias_regions.insert(region);
        MemFlagsData::trusted().with_alias_region(Some(region))
    }

    pub fn load(&mut self, ty: Type, at: Address, offset: usize) -> Value {
        let flags = self.flags(at.region);
        self.b.ins().load(ty, flags, at.value, (at.offset + offset) as i32)
    }

    pub fn store(&mut self, value: Value, at: Address, offset: usize) {
        let flags = self.flags(at.region);
        self.b.ins().store(flags, value, at.value, (at.offset + offset) as i32);
    }

    /// Copies a word of whatever regions from memory that stays as it is. Afterwards nothing is known of any of them.
    pub fn copy_word(&mut self, from: Address, to: Address, offset: usize) {
        let flags = MemFlagsData::trusted();
        let value = self.b.ins().load(types::I64, flags, from.value, (from.offset + offset) as i32);
        self.b.ins().store(flags, value, to.value, (to.offset + offset) as i32);
    }

    /// Reads memory that never changes. The read may move if the address allows it.
    pub fn load_constant(&mut self, ty: Type, at: Address, offset: usize) -> Value {
        let flags = self.flags(Region::STILL).with_readonly();
        let flags = if at.anywhere { flags.with_can_move() } else { flags };
        self.b.ins().load(ty, flags, at.value, (at.offset + offset) as i32)
    }

    /// A word that may change, so many bytes after an address or before it.
    pub fn load_beside(&mut self, at: Address, offset: i32) -> Value {
        let flags = self.flags(at.region);
        self.b.ins().load(types::I64, flags, at.value, at.offset as i32 + offset)
    }

    /// The words at an address of a table.
    pub fn load_words(&mut self, at: Address) -> Words {
        Words((0..self.w).map(|word| self.load_constant(types::I64, at, 8 * word)).collect())
    }

    /// Lays a set down at an address; the words that no site is in, too.
    pub fn write(&mut self, words: &Words, at: Address) {
        let none = self.i64(0);
        for word in 0..self.program.layout.width {
            let value = words.0.get(word).copied().unwrap_or(none);
            self.store(value, at, 8 * word);
        }
    }

    /// Words laid down in memory of the function's own.
    pub fn spill(&mut self, words: &Words) -> Address {
        let at = self.scratch(self.program.layout.width);
        self.write(words, at);
        at
    }

    /// The words at an address that may change.
    pub fn reload(&mut self, at: Address) -> Words {
        Words((0..self.w).map(|word| self.load(types::I64, at, 8 * word)).collect())
    }
}
