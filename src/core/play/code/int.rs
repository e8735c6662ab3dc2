//! Expressions of integers. They never fail: arithmetic saturates, and an index that is out of range gives the value
//! that the program states.
//!
//! Operations on integers alone are functions outside [`Builder`], so that they are compiled once and not for each
//! width.

use std::sync::Arc;

use super::Builder;
use super::arg::{
    Arg, Call, CondArg, Const, HasAny, In, IntArg, IntLocal, Layer, Real, SetArg, SetLocal, Slot, Thunk,
    closure, pick,
};
use crate::play::board::slot;
use crate::play::relation;
use crate::program::{Binary, Domain, IntId, IntOp, Program, SetId, SetOp, Unary};

pub(super) fn call(code: Thunk<i32>) -> IntArg {
    IntArg::Call(Call(code))
}

/// Code of its own for each operator, in which the operator is a constant.
macro_rules! by_operator {
    ($op:expr, $ops:ident: $($name:ident)*, |$of:ident| $code:expr) => {
        match $op {
            $($ops::$name => {
                const $of: $ops = $ops::$name;
                $code
            })*
        }
    };
}

impl<const W: usize> Builder<W> {
    /// An integer expression as an operand, built.
    pub(super) fn int_code(&mut self, id: IntId) -> IntArg {
        let program = Arc::clone(&self.program);
        let (board, slots_at) = (Arc::clone(&self.board), self.board.slots_at);
        let code: Thunk<i32> = match &program.ints[id.0 as usize] {
            IntOp::Const(value) => return IntArg::Const(Const(*value)),
            IntOp::Local(local) => return IntArg::Local(IntLocal(*local as usize)),
            IntOp::Slot(slot) => return IntArg::Slot(Slot(slots_at + *slot as usize)),
            IntOp::SlotRow { base, count, index, missing } => {
                slot_row(slots_at + *base as usize, *count, self.int_arg(*index), *missing)
            }
            IntOp::Dealt { base, count, index, missing } => {
                dealt(*base as usize, *count, self.int_arg(*index), *missing)
            }
            IntOp::Lookup { table, index, missing } => {
                lookup(Arc::clone(&program), *table as usize, self.int_arg(*index), *missing)
            }
            IntOp::Binary(Binary::Add, a, b) => match program.ints[b.0 as usize] {
                // A multiple is added at once: so moves are numbered.
                IntOp::Binary(Binary::Mul, of, by) if let IntOp::Const(by) = program.ints[by.0 as usize] => {
                    multiply_add(self.int_arg(*a), self.int_arg(of), by)
                }
                _ => binary(Binary::Add, self.int_arg(*a), self.int_arg(*b)),
            },
            IntOp::Binary(op, a, b) => binary(*op, self.int_arg(*a), self.int_arg(*b)),
            IntOp::Unary(op, a) => unary(*op, self.int_arg(*a)),
            IntOp::And(a, b) => {
                let b = self.int(*b);
                pick!(cond a = self.cond(*a) => closure(move |frame| {
                    i32::from(a.get(frame) != 0 && b.run(frame) != 0)
                }))
            }
            IntOp::Or(a, b) => {
                let b = self.int(*b);
                pick!(cond a = self.cond(*a) => closure(move |frame| {
                    i32::from(a.get(frame) != 0 || b.run(frame) != 0)
                }))
            }
            IntOp::If(cond, a, b) => {
                let b = self.int(*b);
                pick!(cond cond = self.cond(*cond), int a = self.int_arg(*a) => closure(move |frame| {
                    if cond.get(frame) != 0 { a.get(frame) } else { b.run(frame) }
                }))
            }
            IntOp::Switch(index, cases, missing) => {
                let cases = cases.iter().map(|case| self.int(*case)).collect();
                switch(self.int_arg(*index), cases, *missing)
            }
            IntOp::OfSet(op, set) => {
                let op = *op;
                pick!(set set = self.set_arg(*set) => closure(move |frame| op.of(&set.get(frame))))
            }
            IntOp::Some(set) => pick!(set set = self.set_arg(*set) => closure(move |frame| {
                i32::from(!set.get(frame).is_empty())
            })),
            IntOp::Meets(a, b) => self.meets(*a, *b),
            IntOp::Same(a, b) => {
                let (a, b) = (self.set(*a), self.set(*b));
                closure(move |frame| i32::from(a.run(frame) == b.run(frame)))
            }
            IntOp::Has(set, site) => self.has(*set, *site),
            IntOp::KindAt(site) => {
                let site = self.int(*site);
                closure(move |frame| {
                    let site = board.site(site.run(frame));
                    site.map_or(-1, |site| board.kind_at(&frame.pos, site))
                })
            }
            IntOp::OwnerAt(site) => {
                let site = self.int(*site);
                closure(move |frame| {
                    let site = board.site(site.run(frame));
                    site.map_or(-1, |site| board.owner_at(&frame.pos, site))
                })
            }
            IntOp::HeightAt(site) => {
                let site = self.int(*site);
                closure(move |frame| {
                    let site = board.site(site.run(frame));
                    site.map_or(0, |site| board.height_at(&frame.pos, site))
                })
            }
            IntOp::Steps { local, from, to, step } => {
                let local = Self::set_local(*local);
                let (from, to, step) = (self.set(*from), self.set(*to), self.set(*step));
                closure(move |frame| {
                    let to = to.run(frame);
                    let mut reached = from.run(frame);
                    let mut steps = 0;
                    if reached.is_empty() {
                        return board.all.count() as i32;
                    }
                    while (reached & to).is_empty() {
                        frame.work += 1;
                        frame.set_set(local, reached);
                        let more = step.run(frame) - reached;
                        if more.is_empty() {
                            return board.all.count() as i32;
                        }
                        reached = reached | more;
                        steps += 1;
                    }
                    steps
                })
            }
            IntOp::Distance { relation, from, to } => {
                let (program, relation) = (Arc::clone(&program), *relation as usize);
                let (from, to) = (self.int(*from), self.int(*to));
                closure(move |frame| {
                    let (from, to) = (from.run(frame), to.run(frame));
                    match (board.site(from), board.site(to)) {
                        (Some(from), Some(to)) => {
                            relation::distance::<W>(&program.relations[relation], from, to)
                        }
                        _ => None,
                    }
                    .unwrap_or_else(|| board.all.count() as i32)
                })
            }
            IntOp::Any { local, domain, cond } => self.any(*local as usize, *domain, *cond),
            IntOp::Sum { local, domain, body } => {
                let (local, domain, body) = (*local as usize, self.members(*domain), self.int(*body));
                closure(move |frame| {
                    let mut sum = 0i32;
                    for member in domain.get(frame) {
                        frame.work += 1;
                        frame.set_int(local, member);
                        sum = sum.saturating_add(body.run(frame));
                    }
                    sum
                })
            }
            IntOp::LetSet { local, value, body } => {
                let (local, value, body) = (Self::set_local(*local), self.set(*value), self.int(*body));
                closure(move |frame| {
                    let value = value.run(frame);
                    frame.set_set(local, value);
                    body.run(frame)
                })
            }
            IntOp::LetInt { local, value, body } => {
                let_int(*local as usize, self.int_arg(*value), self.int(*body))
            }
            IntOp::After(block, value) => {
                let (block, value) = (self.block(*block), self.int(*value));
                closure(move |frame| frame.after(|frame| block.run(frame), |frame| value.run(frame)))
            }
        };
        call(code)
    }

    /// A condition as an operand.
    pub(super) fn cond(&mut self, id: IntId) -> CondArg<W> {
        let program = &self.program;
        let op = &program.ints[id.0 as usize];
        if let IntOp::Has(set, site) = *op
            && let IntOp::Local(site) = program.ints[site.0 as usize]
        {
            let site = IntLocal(site as usize);
            match program.sets[set.0 as usize] {
                SetOp::Layer(layer) => {
                    let set = Layer(program.layout.layer_at(layer as usize) as u32);
                    return CondArg::InLayer(In { set, site });
                }
                SetOp::Local(local) => return CondArg::InLocal(In { set: SetLocal(local * W as u32), site }),
                _ => {}
            }
        }
        match *op {
            IntOp::Binary(Binary::Le, zero, local) => {
                let ops = (&program.ints[zero.0 as usize], &program.ints[local.0 as usize]);
                if let (IntOp::Const(0), IntOp::Local(local)) = ops {
                    return CondArg::Real(Real(IntLocal(*local as usize)));
                }
            }
            IntOp::Some(set) => {
                if let SetOp::Layer(layer) = program.sets[set.0 as usize] {
                    let at = program.layout.layer_at(layer as usize) as u32;
                    return CondArg::Some(HasAny(Layer(at)));
                }
            }
            _ => {}
        }
        match self.int_arg(id) {
            IntArg::Slot(slot) => CondArg::Slot(slot),
            arg => CondArg::Call(Call(arg.code())),
        }
    }

    fn meets(&mut self, a: SetId, b: SetId) -> Thunk<i32> {
        pick!(set a = self.first(a), set b = self.set_arg(b) => closure(move |frame| {
            let first = a.get(frame);
            i32::from(!first.is_empty() && !(first & b.get(frame)).is_empty())
        }))
    }

    fn has(&mut self, set: SetId, site: IntId) -> Thunk<i32> {
        // Members are sites that exist, so any other number is no member.
        pick!(set set = self.set_arg(set), int site = self.int_arg(site) => closure(move |frame| {
            let site = site.get(frame) as u32 as usize;
            i32::from(set.get(frame).contains(site))
        }))
    }

    fn any(&mut self, local: usize, domain: Domain, cond: IntId) -> Thunk<i32> {
        let (domain, cond) = (self.members(domain), self.int(cond));
        closure(move |frame| {
            for member in domain.get(frame) {
                frame.work += 1;
                frame.set_int(local, member);
                if cond.run(frame) != 0 {
                    return 1;
                }
            }
            0
        })
    }
}

fn slot_row(base: usize, count: u32, index: IntArg, missing: i32) -> Thunk<i32> {
    pick!(int index = index => closure(move |frame| {
        let index = index.get(frame) as u32;
        if index < count { slot(&frame.pos, base + index as usize) } else { missing }
    }))
}

fn dealt(base: usize, count: u32, index: IntArg, missing: i32) -> Thunk<i32> {
    pick!(int index = index => closure(move |frame| match index.get(frame) as u32 {
        index if index < count => frame.deal.get(base + index as usize).copied().unwrap_or(missing),
        _ => missing,
    }))
}

fn lookup(program: Arc<Program>, table: usize, index: IntArg, missing: i32) -> Thunk<i32> {
    pick!(int index = index => closure(move |frame| {
        let index = index.get(frame) as u32 as usize;
        program.tables[table].get(index).copied().unwrap_or(missing)
    }))
}

/// Both operands are always evaluated.
fn binary(op: Binary, a: IntArg, b: IntArg) -> Thunk<i32> {
    by_operator!(
        op,
        Binary: Add Sub Mul Div Rem Min Max BitAnd BitOr BitSub Eq Lt Le,
        |OP| pick!(int a = a, int b = b => closure(move |frame| {
            let (a, b): (i32, i32) = (a.get(frame), b.get(frame));
            OP.of(a, b)
        }))
    )
}

fn unary(op: Unary, a: IntArg) -> Thunk<i32> {
    by_operator!(
        op,
        Unary: Abs Bit BitCount BitFirst Not,
        |OP| pick!(int a = a => closure(move |frame| OP.of(a.get(frame))))
    )
}

fn multiply_add(a: IntArg, of: IntArg, by: i32) -> Thunk<i32> {
    pick!(int a = a, int of = of => closure(move |frame| {
        let (a, of): (i32, i32) = (a.get(frame), of.get(frame));
        a.saturating_add(of.saturating_mul(by))
    }))
}

fn switch(index: IntArg, cases: Box<[Thunk<i32>]>, missing: i32) -> Thunk<i32> {
    pick!(int index = index => closure(move |frame| match cases.get(index.get(frame) as u32 as usize) {
        Some(case) => case.run(frame),
        None => missing,
    }))
}

fn let_int(local: usize, value: IntArg, body: Thunk<i32>) -> Thunk<i32> {
    pick!(int value = value => closure(move |frame| {
        let value = value.get(frame);
        frame.set_int(local, value);
        body.run(frame)
    }))
}
