//! The course of turns as code: the compiler's side of [`crate::program::Course`].

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Switch;

use super::emit::Emit;
use crate::program::{Slots, StateId};

impl Emit<'_> {
    /// Code for each of some states, entered by the number of one. Another goes to a block of its own; without one
    /// there is no other.
    pub fn states(
        &mut self,
        states: &[StateId],
        state: Value,
        other: Option<Block>,
        each: impl Fn(&mut Self, StateId),
    ) {
        let blocks: Vec<Block> = states.iter().map(|_| self.block()).collect();
        match (other, blocks.as_slice()) {
            (None, [only]) => self.jump(*only),
            (Some(other), _) => self.by_state(states, &blocks, state, other),
            (None, _) => {
                // Nearly all turns begin in the main state: a branch is predicted, a jump by a table costs more.
                let main = self.program.main;
                let place = states.iter().position(|state| *state == main);
                let usual = blocks[place.unwrap_or(0)];
                let (is_main, rare) = (self.cmp_to(IntCC::Equal, state, i64::from(main.0)), self.block());
                self.brif(is_main, usual, rare);
                self.at(rare);
                self.by_state(states, &blocks, state, usual);
            }
        }
        for (state, block) in states.iter().zip(blocks) {
            self.at(block);
            each(self, *state);
        }
    }

    fn by_state(&mut self, states: &[StateId], blocks: &[Block], state: Value, other: Block) {
        let mut switch = Switch::new();
        for (state, block) in states.iter().zip(blocks) {
            switch.set_entry(u128::from(state.0), *block);
        }
        switch.emit(&mut self.b, state, other);
    }
}

impl Slots for Emit<'_> {
    type Int = Value;
    type Truth = Value;

    fn constant(&mut self, value: i32) -> Value {
        self.i32(value)
    }

    fn slot(&mut self, slot: usize) -> Value {
        Emit::slot(self, slot)
    }

    fn set_slot(&mut self, slot: usize, value: Value) {
        Emit::set_slot(self, slot, value);
    }

    fn successor(&mut self, number: Value) -> Value {
        self.b.ins().iadd_imm_s(number, 1)
    }

    fn is_zero(&mut self, number: Value) -> Value {
        self.cmp_to(IntCC::Equal, number, 0)
    }

    fn is_at_most(&mut self, a: Value, b: Value) -> Value {
        self.cmp(IntCC::SignedLessThanOrEqual, a, b)
    }

    fn is_player(&mut self, number: Value) -> Value {
        let players = self.program.layout.players as i64;
        self.cmp_to(IntCC::UnsignedLessThan, number, players)
    }

    fn select(&mut self, truth: Value, yes: Value, no: Value) -> Value {
        Emit::select(self, truth, yes, no)
    }

    fn when(&mut self, truth: Value, then: impl FnOnce(&mut Self)) {
        Emit::when(self, truth, then);
    }

    fn either(
        &mut self,
        truth: Value,
        yes: impl FnOnce(&mut Self) -> Value,
        no: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let value = self.b.declare_var(types::I32);
        let (then, otherwise, after) = (self.block(), self.block(), self.block());
        self.brif(truth, then, otherwise);
        self.at(then);
        let found = yes(self);
        self.put(value, found);
        self.jump(after);
        self.at(otherwise);
        let found = no(self);
        self.put(value, found);
        self.jump(after);
        self.at(after);
        self.get(value)
    }

    fn entry<T: Copy + PartialEq>(
        &mut self,
        number: Value,
        table: &[T],
        each: impl Fn(&mut Self, Option<T>) -> Value,
    ) -> Value {
        let value = self.b.declare_var(types::I32);
        let after = self.block();
        // Entries that are alike are written once.
        let mut blocks = vec![(None, self.block())];
        let mut switch = Switch::new();
        for (place, entry) in table.iter().enumerate() {
            let known = blocks.iter().find(|(other, _)| *other == Some(*entry)).map(|(_, block)| *block);
            let block = known.unwrap_or_else(|| {
                let block = self.block();
                blocks.push((Some(*entry), block));
                block
            });
            switch.set_entry(place as u128, block);
        }
        // Most numbers are behind the last entry: likewise a branch comes before the table.
        let behind = self.cmp_to(IntCC::SignedGreaterThanOrEqual, number, table.len() as i64);
        let within = self.block();
        self.brif(behind, blocks[0].1, within);
        self.at(within);
        let first = self.i32(0);
        let place = self.b.ins().smax(number, first);
        switch.emit(&mut self.b, place, blocks[0].1);
        for (entry, block) in blocks {
            self.at(block);
            let found = each(self, entry);
            self.put(value, found);
            self.jump(after);
        }
        self.at(after);
        self.get(value)
    }
}
