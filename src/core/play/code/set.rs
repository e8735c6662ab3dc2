//! Expressions of sets.

use std::sync::Arc;

use super::Builder;
use super::arg::{
    Arg, Call, CondArg, Const, IntArg, Layer, LayerOf, SetArg, SetLocal, Thunk, closure, pick, thunk,
};
use super::steps::Steps;
use crate::limits::{FOLLOWED, LONGEST_RANGE};
use crate::play::board::load;
use crate::play::frame::Frame;
use crate::play::{relation, slide};
use crate::program::{Binary, Domain, IntId, IntOp, Program, RayTable, SetId, SetOp};
use crate::siteset::{Bits, BitsIter};

pub(super) fn call<const W: usize>(code: Thunk<Bits<W>>) -> SetArg<W> {
    SetArg::Call(Call(code))
}

/// The members of a loop.
pub(super) enum Members<const W: usize> {
    Sites(Thunk<Bits<W>>),
    Numbers(Thunk<i32>, Thunk<i32>),
    Mask(Thunk<i32>),
}

/// The same, fixed.
pub(super) enum MembersIter<const W: usize> {
    Sites(BitsIter<W>),
    Numbers { next: i64, last: i64 },
    Mask(u32),
}

impl<const W: usize> Members<W> {
    #[inline]
    pub fn get(&self, frame: &mut Frame) -> MembersIter<W> {
        match self {
            Members::Sites(set) => MembersIter::Sites(set.run(frame).iter()),
            Members::Numbers(low, high) => {
                let next = i64::from(low.run(frame));
                let last = i64::from(high.run(frame)).min(next + i64::from(LONGEST_RANGE) - 1);
                MembersIter::Numbers { next, last }
            }
            Members::Mask(mask) => MembersIter::Mask(mask.run(frame) as u32),
        }
    }
}

impl<const W: usize> Iterator for MembersIter<W> {
    type Item = i32;

    #[inline]
    fn next(&mut self) -> Option<i32> {
        match self {
            MembersIter::Sites(sites) => sites.next().map(|site| site as i32),
            MembersIter::Numbers { next, last } => {
                let number = *next;
                *next += 1;
                (number <= *last).then_some(number as i32)
            }
            MembersIter::Mask(0) => None,
            MembersIter::Mask(mask) => {
                let bit = mask.trailing_zeros() as i32;
                *mask &= *mask - 1;
                Some(bit)
            }
        }
    }
}

impl<const W: usize> Builder<W> {
    /// The code of a set expression.
    pub(super) fn set(&mut self, id: SetId) -> Thunk<Bits<W>> {
        self.set_arg(id).code()
    }

    /// Where a set local starts in the frame.
    pub(super) fn set_local(local: u32) -> usize {
        local as usize * W
    }

    /// The members of a loop.
    pub(super) fn members(&mut self, domain: Domain) -> Members<W> {
        match domain {
            Domain::Set(set) => Members::Sites(self.set(set)),
            Domain::Range(low, high) => Members::Numbers(self.int(low), self.int(high)),
            Domain::Mask(mask) => Members::Mask(self.int(mask)),
        }
    }

    /// A set expression as an operand, built.
    pub(super) fn set_code(&mut self, id: SetId) -> SetArg<W> {
        let program = Arc::clone(&self.program);
        let code: Thunk<Bits<W>> = match &program.sets[id.0 as usize] {
            SetOp::Const(number) => {
                return SetArg::Const(Const(load(&program.consts, *number as usize * W)));
            }
            SetOp::Local(local) => return SetArg::Local(SetLocal(*local * W as u32)),
            SetOp::Layer(layer) => {
                return SetArg::Layer(Layer(program.layout.layer_at(*layer as usize) as u32));
            }
            SetOp::LayerRow { base, count, index } => return self.layer_row(*base, *count, *index),
            SetOp::Site(site) => {
                let all = self.board.all;
                pick!(int site = self.int_arg(*site) => closure(move |frame| {
                    Bits::one(site.get(frame) as u32 as usize) & all
                }))
            }
            SetOp::And(a, b) => {
                // The operand that is read in place comes first, or the one with a condition: where it is empty, the
                // other is not called.
                let conditional = self.is_conditional(*b);
                let (a, b) = match (self.first(*a), self.set_arg(*b)) {
                    (
                        call @ SetArg::Call(_),
                        b @ (SetArg::Local(_) | SetArg::Layer(_) | SetArg::LayerOf(_)),
                    ) => (b, call),
                    (a @ SetArg::Call(_), b @ SetArg::Call(_)) if conditional => (b, a),
                    operands => operands,
                };
                pick!(set a = a, set b = b => both(a, b))
            }
            SetOp::Or(a, b) => {
                pick!(set a = self.first(*a), set b = self.set_arg(*b) => closure(move |frame| {
                    a.get(frame) | b.get(frame)
                }))
            }
            SetOp::Sub(a, b) => {
                pick!(set a = self.first(*a), set b = self.set_arg(*b) => without(a, b))
            }
            SetOp::Not(a) => {
                let all = self.board.all;
                pick!(set a = self.set_arg(*a) => closure(move |frame| all - a.get(frame)))
            }
            SetOp::Otherwise(a, b) => {
                let (a, b) = (self.set(*a), self.set(*b));
                closure(move |frame| {
                    let first = a.run(frame);
                    if first.is_empty() { b.run(frame) } else { first }
                })
            }
            SetOp::If(cond, a, b) => {
                let (a, b) = (self.set(*a), self.set(*b));
                pick!(cond cond = self.cond(*cond) => closure(move |frame| {
                    if cond.get(frame) != 0 { a.run(frame) } else { b.run(frame) }
                }))
            }
            SetOp::Switch(index, cases) => self.set_switch(*index, cases),
            SetOp::Image { relation, of } => self.image(*relation, *of),
            SetOp::Row { relation, site } => {
                let steps = self.steps(*relation);
                pick!(int site = self.int_arg(*site) => closure(move |frame| {
                    steps.row(site.get(frame))
                }))
            }
            SetOp::Slide { rays, from, through, over: None } => self.slide(rays, *from, *through),
            SetOp::Slide { rays, from, through, over: Some(over) } => {
                let (from, through, over) = (self.set(*from), self.set(*through), self.set(*over));
                let (program, rays) = (Arc::clone(&program), rays.clone());
                closure(move |frame| {
                    let from = from.run(frame);
                    if from.is_empty() {
                        return from;
                    }
                    let through = through.run(frame);
                    let over = over.run(frame);
                    if over.is_empty() {
                        return over;
                    }
                    along(&program, &rays, from, |ray, origin| slide::slide_over(ray, origin, through, over))
                })
            }
            SetOp::Between { rays, from, to } => {
                let (from, to) = (self.set(*from), self.set(*to));
                let (program, rays) = (Arc::clone(&program), rays.clone());
                closure(move |frame| {
                    let from = from.run(frame);
                    if from.is_empty() {
                        return from;
                    }
                    let to = to.run(frame);
                    if to.is_empty() {
                        return to;
                    }
                    along(&program, &rays, from, |ray, origin| slide::between(ray, origin, to))
                })
            }
            SetOp::Flood { relation, seed, within } => {
                let steps = self.steps(*relation);
                let (seed, within) = (self.set(*seed), self.set(*within));
                closure(move |frame| {
                    let within = within.run(frame);
                    if within.is_empty() {
                        return within;
                    }
                    let reached = steps.flood(seed.run(frame), within);
                    frame.work += u64::from(reached.count());
                    reached
                })
            }
            SetOp::Path { relation, from, within, to } => {
                let steps = self.steps(*relation);
                let (from, within, to) = (self.set(*from), self.set(*within), self.set(*to));
                closure(move |frame| {
                    let (from, within, to) = (from.run(frame), within.run(frame), to.run(frame));
                    frame.work += u64::from(within.count());
                    steps.path(from, within, to)
                })
            }
            SetOp::Fix { local, seed, within, step } => {
                let local = Self::set_local(*local);
                let (seed, within, step) = (self.set(*seed), self.set(*within), self.set(*step));
                closure(move |frame| {
                    let within = within.run(frame);
                    let mut reached = seed.run(frame) & within;
                    loop {
                        frame.work += 1;
                        frame.set_set(local, reached);
                        let more = (step.run(frame) & within) - reached;
                        if more.is_empty() {
                            return reached;
                        }
                        reached = reached | more;
                    }
                })
            }
            SetOp::Times { local, of, times, step } => {
                let local = Self::set_local(*local);
                let (of, times, step) = (self.set(*of), self.int(*times), self.set(*step));
                closure(move |frame| {
                    let mut reached = of.run(frame);
                    for _ in 0..times.run(frame).min(FOLLOWED) {
                        if reached.is_empty() {
                            break;
                        }
                        frame.work += 1;
                        frame.set_set(local, reached);
                        reached = step.run(frame);
                    }
                    reached
                })
            }
            SetOp::Ring { relation, of, steps } => {
                let (of, steps) = (self.set(*of), self.int(*steps));
                let (program, relation) = (Arc::clone(&program), *relation as usize);
                let shifts = program.relations[relation].shifts.len().max(1) as u64;
                let sites = program.layout.sites as u64;
                closure(move |frame| {
                    let (of, steps) = (of.run(frame), steps.run(frame));
                    // Nothing is farther away than there are sites.
                    frame.work += u64::from(steps.max(0).unsigned_abs()).min(sites) * shifts;
                    relation::ring(&program.relations[relation], of, steps)
                })
            }
            SetOp::Line { steps, of, length } => {
                let (of, length) = (self.set(*of), self.int(*length));
                let (program, steps) = (Arc::clone(&program), steps.clone());
                closure(move |frame| {
                    let of = of.run(frame);
                    let length = length.run(frame);
                    if length <= 1 {
                        return of;
                    }
                    steps.iter().fold(Bits::EMPTY, |out, step| {
                        out | relation::line(&program.relations[*step as usize], of, length)
                    })
                })
            }
            SetOp::Filter { local, domain, cond } => {
                let (local, domain, cond) = (*local as usize, self.set(*domain), self.int(*cond));
                closure(move |frame| {
                    let domain = domain.run(frame);
                    let mut out = domain;
                    for site in domain.iter() {
                        frame.work += 1;
                        frame.set_int(local, site as i32);
                        if cond.run(frame) == 0 {
                            out.remove(site);
                        }
                    }
                    out
                })
            }
            SetOp::Sieve { local, domain, passing } => {
                let (local, domain, passing) = (*local as usize, self.set(*domain), self.set(*passing));
                closure(move |frame| {
                    let mut rest = domain.run(frame);
                    let mut out = Bits::EMPTY;
                    while let Some(site) = rest.first() {
                        frame.work += 1;
                        frame.set_int(local, site as i32);
                        let passed = passing.run(frame) & rest;
                        out = out | passed;
                        rest = rest - passed;
                        rest.remove(site);
                    }
                    out
                })
            }
            SetOp::Union { local, domain, body } => {
                let (local, domain, body) = (*local as usize, self.members(*domain), self.set(*body));
                closure(move |frame| {
                    let mut out = Bits::EMPTY;
                    for member in domain.get(frame) {
                        frame.work += 1;
                        frame.set_int(local, member);
                        out = out | body.run(frame);
                    }
                    out
                })
            }
            SetOp::LetSet { local, value, body } => {
                let (local, value, body) = (Self::set_local(*local), self.set(*value), self.set(*body));
                closure(move |frame| {
                    let value = value.run(frame);
                    frame.set_set(local, value);
                    body.run(frame)
                })
            }
            SetOp::LetInt { local, value, body } => {
                let (local, value, body) = (*local as usize, self.int(*value), self.set(*body));
                closure(move |frame| {
                    let value = value.run(frame);
                    frame.set_int(local, value);
                    body.run(frame)
                })
            }
            SetOp::After(block, value) => {
                let (block, value) = (self.block(*block), self.set(*value));
                closure(move |frame| frame.after(|frame| block.run(frame), |frame| value.run(frame)))
            }
        };
        call(code)
    }

    /// Whether a set is empty unless a condition holds.
    fn is_conditional(&self, id: SetId) -> bool {
        let SetOp::If(_, _, other) = self.program.sets[id.0 as usize] else { return false };
        let SetOp::Const(number) = self.program.sets[other.0 as usize] else { return false };
        load::<W>(&self.program.consts, number as usize * W).is_empty()
    }

    /// The first of two operands: one kind less, for a constant rarely is the first.
    pub(super) fn first(&mut self, id: SetId) -> SetArg<W> {
        match self.set_arg(id) {
            SetArg::Const(set) => call(thunk(set)),
            other => other,
        }
    }

    /// Where a layer's index is a slot, or the other player's number, it is read in place.
    fn layer_row(&mut self, base: u32, count: u32, index: IntId) -> SetArg<W> {
        let slots_at = self.board.slots_at;
        let at = self.program.layout.layer_at(base as usize);
        let int = |id: IntId| &self.program.ints[id.0 as usize];
        let read = match int(index) {
            IntOp::Slot(slot) => Some((*slot, 0)),
            // Of two numbers `1 - x` is the other; for any other x neither form is one of them.
            IntOp::Binary(Binary::Sub, one, slot) if count == 2 => match (int(*one), int(*slot)) {
                (IntOp::Const(1), IntOp::Slot(slot)) => Some((*slot, 1)),
                _ => None,
            },
            _ => None,
        };
        if let Some((slot, flip)) = read {
            return SetArg::LayerOf(LayerOf { at: at as u32, count, slot: slots_at + slot as usize, flip });
        }
        call(pick!(int index = self.int_arg(index) => closure(move |frame| {
            let index = index.get(frame) as u32;
            if index < count { load(&frame.pos, at + index as usize * W) } else { Bits::EMPTY }
        })))
    }

    fn set_switch(&mut self, index: IntId, cases: &[SetId]) -> Thunk<Bits<W>> {
        let index = self.int_arg(index);
        if let Some((steps, site)) = self.rows(cases) {
            return pick!(int index = index, int site = site => closure(move |frame| {
                match steps.get(index.get(frame) as u32 as usize) {
                    Some(steps) => steps.row(site.get(frame)),
                    None => Bits::EMPTY,
                }
            }));
        }
        let cases: Vec<SetArg<W>> = cases.iter().map(|case| self.set_arg(*case)).collect();
        let fixed = |case: &SetArg<W>| match case {
            SetArg::Const(set) => Some(set.0),
            _ => None,
        };
        if let Some(sets) = cases.iter().map(fixed).collect::<Option<Box<[Bits<W>]>>>() {
            return pick!(int index = index => closure(move |frame| {
                sets.get(index.get(frame) as u32 as usize).copied().unwrap_or(Bits::EMPTY)
            }));
        }
        let cases: Box<[Thunk<Bits<W>>]> = cases.into_iter().map(SetArg::code).collect();
        pick!(int index = index => closure(move |frame| {
            match cases.get(index.get(frame) as u32 as usize) {
                Some(case) => case.run(frame),
                None => Bits::EMPTY,
            }
        }))
    }

    /// Cases that are rows of different relations at the same site: those relations, and the site.
    fn rows(&mut self, cases: &[SetId]) -> Option<(Box<[Arc<Steps<W>>]>, IntArg)> {
        let row = |case: &SetId| match self.program.sets[case.0 as usize] {
            SetOp::Row { relation, site } => Some((relation, site)),
            _ => None,
        };
        let rows = cases.iter().map(row).collect::<Option<Vec<_>>>()?;
        let site = rows.first()?.1;
        if rows.iter().any(|row| row.1 != site) {
            return None;
        }
        let steps = rows.iter().map(|(relation, _)| self.steps(*relation)).collect();
        Some((steps, self.int_arg(site)))
    }

    fn image(&mut self, relation: u32, of: SetId) -> Thunk<Bits<W>> {
        let steps = self.steps(relation);
        let of = self.set_arg(of);
        // Lifted conditions are images under one move of the whole set.
        match steps.single() {
            Some((true, shift)) => pick!(set of = of => closure(move |frame| {
                (of.get(frame) & shift.mask).up(shift.by)
            })),
            Some((false, shift)) => pick!(set of = of => closure(move |frame| {
                (of.get(frame) & shift.mask).down(shift.by)
            })),
            None => pick!(set of = of => closure(move |frame| steps.image(of.get(frame)))),
        }
    }

    fn slide(&mut self, rays: &[u32], from: SetId, through: SetId) -> Thunk<Bits<W>> {
        let (from, through) = (self.set(from), self.set_arg(through));
        if let Some(rays) = self.rays(rays) {
            return match rays.only() {
                Some(true) => {
                    pick!(set through = through => from_each(from, through, move |origin, through| {
                        rays.slide_up(origin, through)
                    }))
                }
                Some(false) => {
                    pick!(set through = through => from_each(from, through, move |origin, through| {
                        rays.slide_down(origin, through)
                    }))
                }
                None => pick!(set through = through => from_each(from, through, move |origin, through| {
                    rays.slide_up(origin, through) | rays.slide_down(origin, through)
                })),
            };
        }
        let (program, rays, through) = (Arc::clone(&self.program), Box::<[u32]>::from(rays), through.code());
        closure(move |frame| {
            let from = from.run(frame);
            if from.is_empty() {
                return from;
            }
            let through = through.run(frame);
            along(&program, &rays, from, |ray, origin| slide::slide(ray, origin, through))
        })
    }
}

/// The union of slides from each of some sites.
fn from_each<const W: usize>(
    from: Thunk<Bits<W>>,
    through: impl Arg<Bits<W>>,
    slide: impl Fn(usize, Bits<W>) -> Bits<W> + Send + Sync + 'static,
) -> Thunk<Bits<W>> {
    closure(move |frame| {
        let from = from.run(frame);
        let mut out = Bits::EMPTY;
        if from.is_empty() {
            return out;
        }
        let through = through.get(frame);
        for origin in from.iter() {
            out = out | slide(origin, through);
        }
        out
    })
}

/// The union over all rays from each of some sites.
fn along<const W: usize>(
    program: &Program,
    rays: &[u32],
    from: Bits<W>,
    on_ray: impl Fn(&RayTable, usize) -> Bits<W>,
) -> Bits<W> {
    let tables = rays.iter().map(|ray| &program.rays[*ray as usize]);
    from.iter()
        .fold(Bits::EMPTY, |out, origin| tables.clone().fold(out, |out, ray| out | on_ray(ray, origin)))
}

/// Members of both. The second is spared where the first is empty, if it costs more than looking.
fn both<const W: usize, A: Arg<Bits<W>>, B: Arg<Bits<W>>>(a: A, b: B) -> Thunk<Bits<W>> {
    closure(move |frame| {
        let first = a.get(frame);
        if B::CALLS && first.is_empty() {
            return first;
        }
        first & b.get(frame)
    })
}

/// Members of the first alone.
fn without<const W: usize, A: Arg<Bits<W>>, B: Arg<Bits<W>>>(a: A, b: B) -> Thunk<Bits<W>> {
    closure(move |frame| {
        let first = a.get(frame);
        if B::CALLS && first.is_empty() {
            return first;
        }
        first - b.get(frame)
    })
}
