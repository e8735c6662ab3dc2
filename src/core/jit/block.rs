//! Statements.

use cranelift_codegen::ir::Value;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_frontend::Variable;

use super::emit::Emit;
use super::values::WorkingPosition;
use crate::program::{BlockId, Stmt, slot};

impl Emit<'_> {
    /// Runs a block on the position at hand, or lays down moves. Room is made for all that is laid down up to the
    /// next loop, once.
    pub fn run(&mut self, block: BlockId) {
        let program = self.program;
        let mut rest = program.blocks[block.0 as usize].as_slice();
        while !rest.is_empty() {
            let looping = rest.iter().position(|statement| self.lays_in_loop(statement));
            let (now, later) = rest.split_at(looping.map_or(rest.len(), |at| at + 1));
            self.reserve(now.iter().map(|statement| self.records(statement)).sum());
            now.iter().for_each(|statement| self.statement(statement));
            rest = later;
        }
    }

    /// Runs a block that lays down nothing in a loop, where room was made for its records.
    fn run_in_room(&mut self, block: BlockId) {
        let program = self.program;
        for statement in &program.blocks[block.0 as usize] {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::SetLayer(layer, value) => {
                let value = self.set(*value);
                self.set_layer(*layer as usize, &value);
            }
            Stmt::SetLayerRow { base, count, index, value } => {
                let index = self.int(*index);
                let value = self.set(*value);
                self.set_layer_row(*base as usize, *count, index, &value);
            }
            Stmt::SetSlot(slot, value) => {
                let value = self.int(*value);
                self.set_slot(*slot as usize, value);
            }
            Stmt::SetSlotRow { base, count, index, value } => {
                let index = self.bounded(*index);
                let value = self.int(*value);
                self.set_slot_row(*base as usize, *count, index, value);
            }
            Stmt::LetSet(local, value) => self.let_set(*local, *value),
            Stmt::LetInt(local, value) => {
                let value = self.bounded(*value);
                self.bind_int(*local, value);
            }
            Stmt::Put { at, owner, kind, height, vacant } => {
                let alone = *vacant && *height == 1;
                if !(alone && self.land_on_vacant(*at, *owner, *kind)) {
                    self.put_pieces(*at, *owner, *kind, *height);
                }
            }
            Stmt::Move { from, to, owner, kind, vacant } => {
                let kind = kind.filter(|_| !self.any_kind);
                if !(*vacant && self.go_to_vacant(*from, *to, *owner, kind)) {
                    self.move_piece(*from, *to, *owner, kind);
                }
            }
            Stmt::Remove(at) => {
                let at = self.set(*at);
                self.remove(&at);
            }
            Stmt::Lift(at) => {
                let at = self.set(*at);
                self.lift(&at);
            }
            Stmt::Turn { at, owner, kind } => {
                let at = self.set(*at);
                self.turn_pieces(&at, *owner, *kind);
            }
            Stmt::Carry { at, relation } => {
                let at = self.set(*at);
                self.carry(&at, *relation);
            }
            Stmt::SwapSides => {
                let swap = self.slot(slot::SWAP);
                let none = self.cmp_to(IntCC::Equal, swap, 0);
                let value = self.number(none);
                self.set_slot(slot::SWAP, value);
            }
            Stmt::If(_, yes, None)
                if self.removes(*yes) && matches!(self.place, WorkingPosition::Copy(_)) =>
            {
                let none = self.empty();
                let removed = self.set_variable(&none);
                self.find_removed(statement, &removed);
                let removed = self.get_set(&removed);
                self.remove(&removed);
            }
            Stmt::If(cond, yes, no) => {
                let run = match self.lays_in_loop(statement) {
                    true => Self::run,
                    false => Self::run_in_room,
                };
                self.fork(*cond, [Some(*yes), *no], |e, block| {
                    if let Some(block) = block {
                        run(e, block);
                    }
                });
            }
            Stmt::For { local, domain, body } => {
                let body = *body;
                let margin = std::mem::take(&mut self.margin);
                self.each(*domain, *local, |e, _| e.run(body));
                self.margin = margin;
            }
            Stmt::Emit { set, base, multiplier } => {
                let set = self.set(*set);
                let base = self.int(*base);
                self.lay(&set, base, *multiplier);
            }
            Stmt::EmitOne(number) => {
                let number = self.int(*number);
                let legal = self.cmp_to(IntCC::SignedGreaterThanOrEqual, number, 0);
                self.when(legal, |e| e.lay_one(number));
            }
        }
    }

    /// Whether a block at most removes pieces, once. Then a branch to it becomes a removal of a set that may be empty
    /// (*if-conversion*). In a copy, which is variables, that costs less than to merge each layer after a branch. It
    /// saves 2 to 3 % of the instructions (callgrind) of a perft that makes its leaves, if moves are tried on copies.
    fn removes(&self, block: BlockId) -> bool {
        match self.program.blocks[block.0 as usize].as_slice() {
            [Stmt::Remove(_)] => true,
            [Stmt::If(_, yes, None)] => self.removes(*yes),
            _ => false,
        }
    }

    /// Finds the sites that a statement clears that does nothing else.
    fn find_removed(&mut self, statement: &Stmt, removed: &[Variable]) {
        let program = self.program;
        match statement {
            Stmt::Remove(at) => {
                let at = self.set(*at);
                self.put_set(removed, &at);
            }
            Stmt::If(cond, yes, None) => {
                let (then, after) = (self.block(), self.block());
                self.branch(*cond, then, after);
                self.at(then);
                for inner in &program.blocks[yes.0 as usize] {
                    self.find_removed(inner, removed);
                }
                self.jump(after);
                self.at(after);
            }
            _ => {}
        }
    }

    /// How many records a statement lays down at most. A statement with a loop makes room itself.
    fn records(&self, statement: &Stmt) -> u64 {
        let of = |block: BlockId| -> u64 {
            self.program.blocks[block.0 as usize].iter().map(|statement| self.records(statement)).sum()
        };
        match statement {
            statement if statement.emits() => 1,
            Stmt::If(_, yes, no) if !self.lays_in_loop(statement) => of(*yes).max(no.map_or(0, of)),
            _ => 0,
        }
    }

    /// Whether a statement lays down moves in a loop.
    fn lays_in_loop(&self, statement: &Stmt) -> bool {
        let any = |block: BlockId, what: &dyn Fn(&Stmt) -> bool| {
            self.program.blocks[block.0 as usize].iter().any(what)
        };
        match statement {
            Stmt::For { body, .. } => {
                any(*body, &|inner| self.lays_in_loop(inner) || self.records(inner) > 0)
            }
            Stmt::If(_, yes, no) => {
                any(*yes, &|inner| self.lays_in_loop(inner))
                    || no.is_some_and(|no| any(no, &|inner| self.lays_in_loop(inner)))
            }
            _ => false,
        }
    }

    /// Lays down one move. There is room.
    fn lay_one(&mut self, number: Value) {
        let mut one = vec![0; self.w];
        one[0] = 1;
        let one = self.constant(&one);
        self.lay(&one, number, 1);
    }

    /// Lays down a move of its own.
    pub fn lay_pass(&mut self, base: u32) {
        self.reserve(1);
        let base = self.i32(base as i32);
        self.lay_one(base);
    }
}
