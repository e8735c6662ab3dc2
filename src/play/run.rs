//! Statements.

use super::eval::Eval;
use crate::program::{BlockId, Stmt, slot};

impl<const W: usize> Eval<'_, W> {
    /// Runs a block: changes the position, or emits into the sink.
    pub fn run(&mut self, pos: &mut [u64], block: BlockId) {
        let program = self.program;
        for statement in &program.blocks[block.0 as usize] {
            self.statement(pos, statement);
        }
    }

    fn statement(&mut self, pos: &mut [u64], statement: &Stmt) {
        match statement {
            Stmt::SetLayer(layer, value) => {
                let value = self.set(pos, *value);
                self.set_layer(pos, *layer as usize, value);
            }
            Stmt::SetLayerRow { base, count, index, value } => {
                if let Some(index) = self.index(pos, *index, *count) {
                    let value = self.set(pos, *value);
                    self.set_layer(pos, *base as usize + index, value);
                }
            }
            Stmt::SetSlot(slot, value) => {
                let value = self.int(pos, *value);
                self.set_slot(pos, *slot as usize, value);
            }
            Stmt::SetSlotRow { base, count, index, value } => {
                if let Some(index) = self.index(pos, *index, *count) {
                    let value = self.int(pos, *value);
                    self.set_slot(pos, *base as usize + index, value);
                }
            }
            Stmt::LetSet(local, value) => {
                let value = self.set(pos, *value);
                self.set_local(*local, value);
            }
            Stmt::LetInt(local, value) => {
                let value = self.int(pos, *value);
                self.int_local(*local, value);
            }
            Stmt::Put { at, owner, kind, height } => {
                let at = self.set(pos, *at);
                let owner = self.int(pos, *owner);
                let kind = self.int(pos, *kind);
                self.put(pos, at, owner, kind, *height);
            }
            Stmt::Move { from, to, .. } => {
                let from = self.int(pos, *from);
                let to = self.int(pos, *to);
                if let (Some(from), Some(to)) = (self.site(from), self.site(to)) {
                    self.move_piece(pos, from, to);
                }
            }
            Stmt::Remove(at) => {
                let at = self.set(pos, *at);
                self.remove(pos, at);
            }
            Stmt::Lift(at) => {
                let at = self.set(pos, *at);
                self.lift(pos, at);
            }
            Stmt::Turn { at, owner, kind } => {
                let at = self.set(pos, *at);
                let owner = owner.map(|owner| self.int(pos, owner));
                let kind = kind.map(|kind| self.int(pos, kind));
                self.turn_pieces(pos, at, owner, kind);
            }
            Stmt::Carry { at, relation } => {
                let at = self.set(pos, *at);
                self.carry(pos, at, *relation);
            }
            Stmt::SwapSides => {
                let swap = self.slot(pos, slot::SWAP);
                self.set_slot(pos, slot::SWAP, i32::from(swap == 0));
            }
            Stmt::If(cond, then, otherwise) => {
                if self.int(pos, *cond) != 0 {
                    self.run(pos, *then);
                } else if let Some(otherwise) = otherwise {
                    self.run(pos, *otherwise);
                }
            }
            Stmt::For { local, domain, body } => {
                for member in self.members(pos, *domain) {
                    self.int_local(*local, member);
                    self.run(pos, *body);
                }
            }
            Stmt::Emit { set, base, multiplier } => {
                let set = self.set(pos, *set);
                // The base alone may lie below 0: with a member's part added it is a move's number.
                let base = self.int(pos, *base) as u32;
                self.frame.sink.push(set, base, *multiplier);
            }
            Stmt::EmitOne(number) => {
                if let Ok(number) = u32::try_from(self.int(pos, *number)) {
                    self.frame.sink.push_one::<W>(number);
                }
            }
        }
    }
}
