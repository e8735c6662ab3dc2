//! Integers.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Type, Value, types};

use super::bounds::{self, Exact};
use super::emit::Emit;
use super::memory::{Address, Index, Row};
use super::values::{ANY, Number};
use crate::program::{Binary, IntId, IntOp, OfSet, SetOp, Unary};

impl Emit<'_> {
    /// The value of an expression.
    pub fn int(&mut self, id: IntId) -> Value {
        let program = self.program;
        match &program.ints[id.0 as usize] {
            IntOp::Const(value) => self.i32(*value),
            IntOp::Local(local) => self.int_local(*local),
            IntOp::Slot(slot) => self.slot(*slot as usize),
            IntOp::SlotRow { base, count, index, missing } => {
                let index = self.bounded(*index);
                self.slot_row(*base as usize, *count, index, *missing)
            }
            IntOp::Dealt { base, count, index, missing } => {
                let index = self.bounded(*index);
                let deal = self.load_constant(types::I64, self.context, super::code::context::DEAL);
                let at = Address::of(self.b.ins().iadd_imm_s(deal, 4 * i64::from(*base)));
                let row = Row { name: "a dealt number", at, count: *count as usize, size: 4 };
                self.entry_or(row, index, *missing)
            }
            IntOp::Lookup { table, index, missing } => {
                let index = self.bounded(*index);
                let table = &program.tables[*table as usize];
                let row = self.table("an entry of a table", table.as_ptr() as usize, table.len(), 4);
                self.entry_or(row, index, *missing)
            }
            IntOp::Binary(Binary::Add, a, b) => {
                self.saturating(bounds::sum, *a, *b, |e, a, b| e.b.ins().iadd(a, b))
            }
            IntOp::Binary(Binary::Sub, a, b) => {
                self.saturating(bounds::difference, *a, *b, |e, a, b| e.b.ins().isub(a, b))
            }
            IntOp::Binary(Binary::Mul, a, b) => {
                self.saturating(bounds::product, *a, *b, |e, a, b| e.b.ins().imul(a, b))
            }
            IntOp::Binary(Binary::Div, a, b) => self.divide(*a, *b, false),
            IntOp::Binary(Binary::Rem, a, b) => self.divide(*a, *b, true),
            IntOp::Binary(Binary::Min, a, b) => self.pair(*a, *b, |e, a, b| e.b.ins().smin(a, b)),
            IntOp::Binary(Binary::Max, a, b) => self.pair(*a, *b, |e, a, b| e.b.ins().smax(a, b)),
            IntOp::Unary(Unary::Abs, a) => {
                let a = self.int(*a);
                let wide = self.b.ins().sextend(types::I64, a);
                let abs = self.b.ins().iabs(wide);
                self.clamped(abs)
            }
            IntOp::Binary(Binary::BitAnd, a, b) => self.pair(*a, *b, |e, a, b| e.b.ins().band(a, b)),
            IntOp::Binary(Binary::BitOr, a, b) => self.pair(*a, *b, |e, a, b| e.b.ins().bor(a, b)),
            IntOp::Binary(Binary::BitSub, a, b) => self.pair(*a, *b, |e, a, b| e.b.ins().band_not(a, b)),
            IntOp::Unary(Unary::Bit, a) => {
                let a = self.int(*a);
                let ok = self.cmp_to(IntCC::UnsignedLessThan, a, 32);
                let one = self.i32(1);
                let bit = self.b.ins().ishl(one, a);
                let none = self.i32(0);
                self.select(ok, bit, none)
            }
            IntOp::Unary(Unary::BitCount, a) => {
                let a = self.int(*a);
                self.b.ins().popcnt(a)
            }
            IntOp::Unary(Unary::BitFirst, a) => {
                let a = self.int(*a);
                let bit = self.b.ins().ctz(a);
                let some = self.cmp_to(IntCC::NotEqual, a, 0);
                let none = self.i32(-1);
                self.select(some, bit, none)
            }
            IntOp::If(cond, a, b) => self.either_int(*cond, *a, *b),
            IntOp::Switch(index, cases, missing) => self.switch_int(*index, cases, *missing),
            IntOp::OfSet(OfSet::Count, set) => {
                let set = self.set(*set);
                let count = self.count(&set);
                self.narrow(count)
            }
            IntOp::OfSet(OfSet::First, set) => {
                if let Some(site) = self.only(*set) {
                    return self.site_or_none(site);
                }
                let set = self.set(*set);
                self.first(&set)
            }
            IntOp::OfSet(OfSet::Only, set) => {
                let set = self.set(*set);
                let (first, count) = (self.first(&set), self.count(&set));
                let one = self.cmp_to(IntCC::Equal, count, 1);
                let none = self.i32(-1);
                self.select(one, first, none)
            }
            IntOp::KindAt(site) => {
                let pieces = &program.layout.pieces;
                match pieces.kind_base {
                    Some(base) => self.which_layer(*site, base, pieces.kinds),
                    None => self.occupied_number(*site, 0),
                }
            }
            IntOp::OwnerAt(site) => match program.layout.pieces.owner_base {
                Some(base) => self.which_layer(*site, base, self.owners()),
                None => self.occupied_number(*site, program.layout.players as i32),
            },
            IntOp::HeightAt(site) => self.height_at(*site),
            IntOp::Distance { relation, from, to } => self.distance(*relation, *from, *to),
            IntOp::Steps { local, from, to, step } => self.steps(*local, *from, *to, *step),
            IntOp::Sum { local, domain, body } => {
                let plain = {
                    let (low, high) = self.bounds(*body);
                    low > -10_000 && high < 10_000
                };
                let none = self.i32(0);
                let sum = self.variable(types::I32, none);
                let (local, body) = (*local, *body);
                self.each(*domain, local, |e, _| {
                    let value = e.int(body);
                    let before = e.get(sum);
                    let after = match plain {
                        true => e.b.ins().iadd(before, value),
                        false => {
                            let (a, b) = (e.signed(before), e.signed(value));
                            let wide = e.b.ins().iadd(a, b);
                            e.clamped(wide)
                        }
                    };
                    e.put(sum, after);
                });
                self.get(sum)
            }
            IntOp::LetSet { local, value, body } => {
                self.let_set(*local, *value);
                self.int(*body)
            }
            IntOp::LetInt { local, value, body } => {
                let value = self.bounded(*value);
                self.bind_int(*local, value);
                self.int(*body)
            }
            IntOp::After(block, value) => {
                let value = *value;
                self.after(*block, |e| e.int(value))
            }
            IntOp::Binary(Binary::Eq, ..)
            | IntOp::Binary(Binary::Lt, ..)
            | IntOp::Binary(Binary::Le, ..)
            | IntOp::And(..)
            | IntOp::Or(..)
            | IntOp::Unary(Unary::Not, _)
            | IntOp::Some(_)
            | IntOp::Meets(..)
            | IntOp::Same(..)
            | IntOp::Has(..)
            | IntOp::Any { .. } => {
                let truth = self.test(id);
                self.number(truth)
            }
        }
    }

    /// The value of an expression, with its bounds.
    pub fn bounded(&mut self, id: IntId) -> Number {
        let bounds = self.bounds(id);
        Number { value: self.int(id), bounds }
    }

    /// Whether an expression is not 0.
    pub fn test(&mut self, id: IntId) -> Value {
        let program = self.program;
        match &program.ints[id.0 as usize] {
            IntOp::Binary(Binary::Eq, a, b) => self.compare(IntCC::Equal, *a, *b),
            IntOp::Binary(Binary::Lt, a, b) => self.compare(IntCC::SignedLessThan, *a, *b),
            IntOp::Binary(Binary::Le, a, b) => self.compare(IntCC::SignedLessThanOrEqual, *a, *b),
            IntOp::Unary(Unary::Not, a) => {
                let a = self.test(*a);
                self.cmp_to(IntCC::Equal, a, 0)
            }
            IntOp::And(a, b) if !self.shared.costs.heavy_int(*b) => {
                let (a, b) = (self.test(*a), self.test(*b));
                self.and(a, b)
            }
            IntOp::Or(a, b) if !self.shared.costs.heavy_int(*b) => {
                let (a, b) = (self.test(*a), self.test(*b));
                self.or(a, b)
            }
            IntOp::And(..) | IntOp::Or(..) => {
                let result = self.b.declare_var(types::I8);
                self.fork(id, [1, 0], |e, value| {
                    let value = e.b.ins().iconst(types::I8, value);
                    e.put(result, value);
                });
                self.get(result)
            }
            IntOp::Some(set) => {
                if let SetOp::Line { steps, of, length } = &self.program.sets[set.0 as usize] {
                    return self.some_line(steps, *of, *length);
                }
                let set = self.set(*set);
                self.some(&set)
            }
            IntOp::Meets(a, b) => {
                let (a, b) = (*a, *b);
                if self.shared.costs.heavy_set(b) {
                    let first = self.set(a);
                    let some = self.some(&first);
                    let no = self.b.ins().iconst(types::I8, 0);
                    let result = self.variable(types::I8, no);
                    self.when(some, |e| {
                        let second = e.set(b);
                        let both = e.both(&first, &second);
                        let some = e.some(&both);
                        e.put(result, some);
                    });
                    return self.get(result);
                }
                let (a, b) = (self.set(a), self.set(b));
                let both = self.both(&a, &b);
                self.some(&both)
            }
            IntOp::Same(a, b) => {
                let (a, b) = (self.set(*a), self.set(*b));
                let differ = self.zip(&a, &b, |e, a, b| e.b.ins().bxor(a, b));
                self.none(&differ)
            }
            IntOp::Has(set, site) => {
                if let SetOp::Line { steps, of, length } = &program.sets[set.0 as usize] {
                    return self.in_line(steps, *of, *length, *site);
                }
                let site = self.bounded(*site);
                let word = self.word_of(*set, site.value);
                let bit = self.bit(word, site.value);
                let inside = self.cmp_to(IntCC::NotEqual, bit, 0);
                if self.is_site(site.bounds) {
                    return inside;
                }
                let exists = self.cmp_to(IntCC::UnsignedLessThan, site.value, program.layout.sites as i64);
                self.and(exists, inside)
            }
            IntOp::Any { local, domain, cond } => {
                let no = self.b.ins().iconst(types::I8, 0);
                let found = self.variable(types::I8, no);
                let (local, cond) = (*local, *cond);
                self.each(*domain, local, |e, out| {
                    let (yes, on) = (e.block(), e.block());
                    e.branch(cond, yes, on);
                    e.at(yes);
                    let one = e.b.ins().iconst(types::I8, 1);
                    e.put(found, one);
                    e.jump(out);
                    e.at(on);
                });
                self.get(found)
            }
            _ => {
                let value = self.int(id);
                self.cmp_to(IntCC::NotEqual, value, 0)
            }
        }
    }

    /// Goes one way where an expression is not 0, else the other. Both blocks are still to be filled.
    pub fn branch(&mut self, id: IntId, yes: Block, no: Block) {
        let program = self.program;
        match &program.ints[id.0 as usize] {
            IntOp::Unary(Unary::Not, a) => self.branch(*a, no, yes),
            IntOp::And(a, b) if self.shared.costs.heavy_int(*b) => {
                let on = self.block();
                self.branch(*a, on, no);
                self.at(on);
                self.branch(*b, yes, no);
            }
            IntOp::Or(a, b) if self.shared.costs.heavy_int(*b) => {
                let on = self.block();
                self.branch(*a, yes, on);
                self.at(on);
                self.branch(*b, yes, no);
            }
            _ => {
                let truth = self.test(id);
                self.brif(truth, yes, no);
            }
        }
    }

    pub fn int_local(&mut self, local: u32) -> Value {
        match self.int_locals[local as usize] {
            Some(variable) => self.get(variable),
            // Bound nowhere: reached only by code that never runs.
            None => self.i32(0),
        }
    }

    /// A number if it is that of a site that exists; else -1.
    fn site_or_none(&mut self, site: Number) -> Value {
        let exists = self.exists(site);
        let none = self.i32(-1);
        self.select_certain(exists, site.value, none)
    }

    /// Whether a number is a site that exists; none where that is certain.
    pub fn exists(&mut self, Number { value: site, bounds }: Number) -> Option<Value> {
        if self.is_site(bounds) && !self.shared.holes {
            return None;
        }
        let sites = self.program.layout.sites as i64;
        let below = self.cmp_to(IntCC::UnsignedLessThan, site, sites);
        if !self.shared.holes {
            return Some(below);
        }
        let all = self.all();
        let word = self.word_at(&all, site);
        let bit = self.bit(word, site);
        let there = self.cmp_to(IntCC::NotEqual, bit, 0);
        Some(self.and(below, there))
    }

    /// A site that exists, and whether the number is one's; none where that is certain. Where it is none, the site
    /// of bit 0.
    pub fn site(&mut self, number: Number) -> (Index, Option<Value>) {
        match self.exists(number) {
            Some(exists) => (self.index_if(number.value, exists), Some(exists)),
            None => (Index::here(number.value), None),
        }
    }

    fn pair(&mut self, a: IntId, b: IntId, join: impl Fn(&mut Self, Value, Value) -> Value) -> Value {
        let (a, b) = (self.int(a), self.int(b));
        join(self, a, b)
    }

    fn compare(&mut self, cond: IntCC, a: IntId, b: IntId) -> Value {
        let (a, b) = (self.int(a), self.int(b));
        self.cmp(cond, a, b)
    }

    pub fn signed(&mut self, value: Value) -> Value {
        self.b.ins().sextend(types::I64, value)
    }

    /// A number of 64 bits cut to the range of 32.
    pub fn clamped(&mut self, value: Value) -> Value {
        let (low, high) = (self.i64(i64::from(i32::MIN)), self.i64(i64::from(i32::MAX)));
        let value = self.b.ins().smax(value, low);
        let value = self.b.ins().smin(value, high);
        self.narrow(value)
    }

    /// A sum, difference or product that saturates.
    fn saturating(
        &mut self,
        exact: Exact,
        a: IntId,
        b: IntId,
        join: impl Fn(&mut Self, Value, Value) -> Value,
    ) -> Value {
        let (low, high) = exact(self.bounds(a), self.bounds(b));
        let (a, b) = (self.int(a), self.int(b));
        if low >= ANY.0 && high <= ANY.1 {
            return join(self, a, b);
        }
        let (a, b) = (self.signed(a), self.signed(b));
        let wide = join(self, a, b);
        self.clamped(wide)
    }

    /// A quotient or a remainder; 0 for a division by 0.
    fn divide(&mut self, a: IntId, b: IntId, remainder: bool) -> Value {
        let program = self.program;
        let low = self.bounds(a).0;
        if let IntOp::Const(by) = program.ints[b.0 as usize]
            && by > 0
        {
            let a = self.int(a);
            // Division by a constant becomes a multiplication; unsigned is cheaper.
            return match (remainder, low >= 0) {
                (false, true) => self.b.ins().udiv_imm_s(a, i64::from(by)),
                (false, false) => self.b.ins().sdiv_imm_s(a, i64::from(by)),
                (true, true) => self.b.ins().urem_imm_s(a, i64::from(by)),
                (true, false) => self.b.ins().srem_imm_s(a, i64::from(by)),
            };
        }
        let (a, b) = (self.int(a), self.int(b));
        let (a, b) = (self.signed(a), self.signed(b));
        let zero = self.cmp_to(IntCC::Equal, b, 0);
        let one = self.i64(1);
        let by = self.select(zero, one, b);
        let value = match remainder {
            true => self.b.ins().srem(a, by),
            false => self.b.ins().sdiv(a, by),
        };
        let none = self.i64(0);
        let value = self.select(zero, none, value);
        self.clamped(value)
    }

    fn either_int(&mut self, cond: IntId, a: IntId, b: IntId) -> Value {
        if !self.shared.costs.heavy_int(a) && !self.shared.costs.heavy_int(b) {
            let cond = self.test(cond);
            let (a, b) = (self.int(a), self.int(b));
            return self.select(cond, a, b);
        }
        let result = self.b.declare_var(types::I32);
        self.fork(cond, [a, b], |e, id| {
            let value = e.int(id);
            e.put(result, value);
        });
        self.get(result)
    }

    fn switch_int(&mut self, number: IntId, cases: &[IntId], missing: i32) -> Value {
        let index = self.int(number);
        let missing = self.i32(missing);
        let heavy = cases.iter().any(|case| self.shared.costs.heavy_int(*case));
        if !heavy && cases.len() <= 8 {
            let (cases, last) = match cases.split_last() {
                Some((last, cases)) if self.has_case(number, cases.len() + 1) => (cases, self.int(*last)),
                _ => (cases, missing),
            };
            return self.chosen(index, cases, last, |e, here, case, other| {
                let value = e.int(*case);
                e.select(here, value, other)
            });
        }
        let result = self.variable(types::I32, missing);
        self.switch(index, cases.len(), |e, i| {
            let value = e.int(cases[i]);
            e.put(result, value);
        });
        self.get(result)
    }

    /// Whether a number is one of so many cases, counted from 0, for certain.
    pub fn has_case(&self, number: IntId, cases: usize) -> bool {
        let (low, high) = self.bounds(number);
        low >= 0 && high < cases as i64
    }

    /// The case of a number, or `otherwise` where there is none. All cases are evaluated.
    pub fn chosen<C, T>(
        &mut self,
        index: Value,
        cases: &[C],
        otherwise: T,
        mut choose: impl FnMut(&mut Self, Value, &C, T) -> T,
    ) -> T {
        cases.iter().enumerate().rev().fold(otherwise, |other, (i, case)| {
            let here = self.cmp_to(IntCC::Equal, index, i as i64);
            choose(self, here, case, other)
        })
    }

    /// Runs the case of a number; nothing where there is none.
    pub fn switch(&mut self, index: Value, cases: usize, mut run: impl FnMut(&mut Self, usize)) {
        let after = self.block();
        let mut switch = cranelift_frontend::Switch::new();
        let blocks: Vec<Block> = (0..cases).map(|_| self.block()).collect();
        for (i, block) in blocks.iter().enumerate() {
            switch.set_entry(i as u128, *block);
        }
        switch.emit(&mut self.b, index, after);
        for (i, block) in blocks.into_iter().enumerate() {
            self.at(block);
            run(self, i);
            self.jump(after);
        }
        self.at(after);
    }

    /// An entry of a table of integers that never changes.
    fn entry_or(&mut self, row: Row, index: Number, missing: i32) -> Value {
        let missing = self.i32(missing);
        if row.count == 0 {
            return missing;
        }
        let (index, ok) = self.index(index, row.count);
        let at = self.entry(row, index);
        let value = self.load_constant(types::I32, at, 0);
        self.select_certain(ok, value, missing)
    }

    /// The result of a helper, a number.
    pub fn call_int(&mut self, address: usize, args: &[Value], ty: Type) -> Value {
        match self.call(address, args, Some(ty)) {
            Some(value) => value,
            None => self.b.ins().iconst(ty, 0),
        }
    }
}
