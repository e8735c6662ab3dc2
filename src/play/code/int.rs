//! Expressions of integers. Never fails: arithmetic saturates, what lies outside has the value that the
//! program states.

use std::sync::Arc;

use super::Builder;
use super::arg::{
    Arg, Call, CondArg, Const, HasAny, In, IntArg, IntLocal, Layer, Real, SetArg, SetLocal, Slot, Thunk,
    pick, thunk,
};
use crate::play::board::slot;
use crate::play::relation;
use crate::program::{Binary, Domain, IntId, IntOp, SetId, SetOp, Unary};

/// The code of an operand.
pub(super) fn owned(arg: IntArg) -> Thunk<i32> {
    match arg {
        IntArg::Call(call) => call.0,
        arg => pick!(int arg = arg => thunk(arg)),
    }
}

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

/// Code of two operands, both always evaluated.
macro_rules! two {
    ($self:ident, $a:ident, $b:ident, |$x:ident, $y:ident| $body:expr) => {
        pick!(int a = $self.int_arg(*$a), int b = $self.int_arg(*$b) => Box::new(move |frame| {
            let ($x, $y): (i32, i32) = (a.get(frame), b.get(frame));
            $body
        }))
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
                let (base, count, missing) = (slots_at + *base as usize, *count, *missing);
                pick!(int index = self.int_arg(*index) => Box::new(move |frame| {
                    let index = index.get(frame) as u32;
                    if index < count { slot(&frame.pos, base + index as usize) } else { missing }
                }))
            }
            IntOp::Dealt { base, count, index, missing } => {
                let (base, count, missing) = (*base as usize, *count, *missing);
                pick!(int index = self.int_arg(*index) => Box::new(move |frame| {
                    let index = index.get(frame) as u32;
                    if index >= count {
                        return missing;
                    }
                    frame.deal.get(base + index as usize).copied().unwrap_or(missing)
                }))
            }
            IntOp::Lookup { table, index, missing } => {
                let (program, table, missing) = (Arc::clone(&program), *table as usize, *missing);
                pick!(int index = self.int_arg(*index) => Box::new(move |frame| {
                    let index = index.get(frame) as u32 as usize;
                    program.tables[table].get(index).copied().unwrap_or(missing)
                }))
            }
            IntOp::Binary(Binary::Add, a, b) => self.sum(*a, *b),
            IntOp::Binary(op, a, b) => by_operator!(
                op,
                Binary: Add Sub Mul Div Rem Min Max BitAnd BitOr BitSub Eq Lt Le,
                |OP| two!(self, a, b, |a, b| OP.of(a, b))
            ),
            IntOp::Unary(op, a) => by_operator!(
                op,
                Unary: Abs Bit BitCount BitFirst Not,
                |OP| pick!(int a = self.int_arg(*a) => Box::new(move |frame| OP.of(a.get(frame))))
            ),
            IntOp::And(a, b) => {
                let b = self.int(*b);
                pick!(cond a = self.cond(*a) => Box::new(move |frame| {
                    i32::from(a.get(frame) != 0 && b(frame) != 0)
                }))
            }
            IntOp::Or(a, b) => {
                let b = self.int(*b);
                pick!(cond a = self.cond(*a) => Box::new(move |frame| {
                    i32::from(a.get(frame) != 0 || b(frame) != 0)
                }))
            }
            IntOp::If(cond, a, b) => {
                let b = self.int(*b);
                pick!(cond cond = self.cond(*cond), int a = self.int_arg(*a) => Box::new(move |frame| {
                    if cond.get(frame) != 0 { a.get(frame) } else { b(frame) }
                }))
            }
            IntOp::Switch(index, cases, missing) => {
                let missing = *missing;
                let cases: Box<[Thunk<i32>]> = cases.iter().map(|case| self.int(*case)).collect();
                pick!(int index = self.int_arg(*index) => Box::new(move |frame| {
                    match cases.get(index.get(frame) as u32 as usize) {
                        Some(case) => case(frame),
                        None => missing,
                    }
                }))
            }
            IntOp::Count(set) => pick!(set set = self.set_arg(*set) => Box::new(move |frame| {
                set.get(frame).count() as i32
            })),
            IntOp::Some(set) => pick!(set set = self.set_arg(*set) => Box::new(move |frame| {
                i32::from(!set.get(frame).is_empty())
            })),
            IntOp::Meets(a, b) => self.meets(*a, *b),
            IntOp::Same(a, b) => {
                let (a, b) = (self.set(*a), self.set(*b));
                Box::new(move |frame| i32::from(a(frame) == b(frame)))
            }
            IntOp::First(set) => pick!(set set = self.set_arg(*set) => Box::new(move |frame| {
                set.get(frame).first().map_or(-1, |site| site as i32)
            })),
            IntOp::Only(set) => {
                let set = self.set(*set);
                Box::new(move |frame| {
                    let set = set(frame);
                    match set.first() {
                        Some(site) if set.count() == 1 => site as i32,
                        _ => -1,
                    }
                })
            }
            IntOp::Has(set, site) => self.has(*set, *site),
            IntOp::KindAt(site) => {
                let site = self.int(*site);
                Box::new(move |frame| {
                    let site = board.site(site(frame));
                    site.map_or(-1, |site| board.kind_at(&frame.pos, site))
                })
            }
            IntOp::OwnerAt(site) => {
                let site = self.int(*site);
                Box::new(move |frame| {
                    let site = board.site(site(frame));
                    site.map_or(-1, |site| board.owner_at(&frame.pos, site))
                })
            }
            IntOp::HeightAt(site) => {
                let site = self.int(*site);
                Box::new(move |frame| {
                    let site = board.site(site(frame));
                    site.map_or(0, |site| board.height_at(&frame.pos, site))
                })
            }
            IntOp::Distance { relation, from, to } => {
                let (program, relation) = (Arc::clone(&program), *relation as usize);
                two!(self, from, to, |from, to| {
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
                Box::new(move |frame| {
                    let mut sum = 0i32;
                    for member in domain.get(frame) {
                        frame.work += 1;
                        frame.set_int(local, member);
                        sum = sum.saturating_add(body(frame));
                    }
                    sum
                })
            }
            IntOp::LetSet { local, value, body } => {
                let (local, value, body) = (Self::set_local(*local), self.set(*value), self.int(*body));
                Box::new(move |frame| {
                    let value = value(frame);
                    frame.set_set(local, value);
                    body(frame)
                })
            }
            IntOp::LetInt { local, value, body } => {
                let (local, body) = (*local as usize, self.int(*body));
                pick!(int value = self.int_arg(*value) => Box::new(move |frame| {
                    let value = value.get(frame);
                    frame.set_int(local, value);
                    body(frame)
                }))
            }
            IntOp::After(block, value) => {
                let (block, value) = (self.block(*block), self.int(*value));
                Box::new(move |frame| frame.after(&block, &value))
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
            arg => CondArg::Call(Call(owned(arg))),
        }
    }

    /// A sum. A multiple of something is added at once: that is how moves are numbered.
    fn sum(&mut self, a: IntId, b: IntId) -> Thunk<i32> {
        let int = |id: IntId| &self.program.ints[id.0 as usize];
        if let IntOp::Binary(Binary::Mul, of, by) = int(b)
            && let (IntOp::Const(by), of) = (int(*by), *of)
        {
            let by = *by;
            return pick!(int a = self.int_arg(a), int of = self.int_arg(of) => Box::new(move |frame| {
                let (a, of): (i32, i32) = (a.get(frame), of.get(frame));
                a.saturating_add(of.saturating_mul(by))
            }));
        }
        pick!(int a = self.int_arg(a), int b = self.int_arg(b) => Box::new(move |frame| {
            let (a, b): (i32, i32) = (a.get(frame), b.get(frame));
            a.saturating_add(b)
        }))
    }

    fn meets(&mut self, a: SetId, b: SetId) -> Thunk<i32> {
        pick!(set a = self.first(a), set b = self.set_arg(b) => Box::new(move |frame| {
            let first = a.get(frame);
            i32::from(!first.is_empty() && !(first & b.get(frame)).is_empty())
        }))
    }

    fn has(&mut self, set: SetId, site: IntId) -> Thunk<i32> {
        // Members are sites that exist, so whatever else the number is, it is none of them.
        pick!(set set = self.set_arg(set), int site = self.int_arg(site) => Box::new(move |frame| {
            let site = site.get(frame) as u32 as usize;
            i32::from(set.get(frame).contains(site))
        }))
    }

    fn any(&mut self, local: usize, domain: Domain, cond: IntId) -> Thunk<i32> {
        let (domain, cond) = (self.members(domain), self.int(cond));
        Box::new(move |frame| {
            for member in domain.get(frame) {
                frame.work += 1;
                frame.set_int(local, member);
                if cond(frame) != 0 {
                    return 1;
                }
            }
            0
        })
    }
}
