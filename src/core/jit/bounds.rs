//! Range analysis: the least and the greatest value that an integer can have.

use super::emit::Emit;
use super::values::ANY;
use crate::program::{Binary, DealTo, Domain, IntId, IntOp, SetId, SetOp, Unary, slot};

/// How deeply an expression is looked into.
const MAX_DEPTH: u32 = 6;

impl Emit<'_> {
    /// The bounds of an expression, with the locals bound as they are now.
    pub fn bounds(&self, id: IntId) -> (i64, i64) {
        self.bounds_within(id, MAX_DEPTH)
    }

    fn bounds_within(&self, id: IntId, deep: u32) -> (i64, i64) {
        let Some(deep) = deep.checked_sub(1) else { return ANY };
        let of = |id: &IntId| self.bounds_within(*id, deep);
        let program = self.program;
        let layout = &program.layout;
        let last = layout.sites as i64 - 1;
        match &program.ints[id.0 as usize] {
            IntOp::Const(value) => (i64::from(*value), i64::from(*value)),
            IntOp::Local(local) => self.bounds[*local as usize],
            // A position with another mover is turned away before compiled code sees it.
            IntOp::Slot(s) if *s as usize == slot::MOVER => (0, layout.players as i64 - 1),
            IntOp::Lookup { table, missing, .. } => {
                let low = program.tables[*table as usize].iter().chain([missing]).min();
                let high = program.tables[*table as usize].iter().chain([missing]).max();
                low.zip(high).map_or(ANY, |(low, high)| (i64::from(*low), i64::from(*high)))
            }
            IntOp::Binary(Binary::Add, a, b) => cut(sum(of(a), of(b))),
            IntOp::Binary(Binary::Sub, a, b) => cut(difference(of(a), of(b))),
            IntOp::Binary(Binary::Mul, a, b) => cut(product(of(a), of(b))),
            IntOp::Binary(Binary::Div, a, b) => match (of(a), of(b)) {
                // Not below 0 and no division by 0.
                ((0.., high), (1.., _)) => (0, high),
                _ => ANY,
            },
            IntOp::Binary(Binary::Rem, a, b) => match (of(a), of(b)) {
                ((0.., high), (1.., most)) => (0, high.min(most - 1)),
                _ => ANY,
            },
            IntOp::Binary(Binary::Min, a, b) => {
                let (a, b) = (of(a), of(b));
                (a.0.min(b.0), a.1.min(b.1))
            }
            IntOp::Binary(Binary::Max, a, b) => {
                let (a, b) = (of(a), of(b));
                (a.0.max(b.0), a.1.max(b.1))
            }
            IntOp::Unary(Unary::BitCount, _) => (0, 32),
            IntOp::Unary(Unary::BitFirst, _) => (-1, 31),
            op if op.is_condition() => (0, 1),
            IntOp::If(_, a, b) => join(of(a), of(b)),
            IntOp::Switch(_, cases, missing) => {
                let missing = i64::from(*missing);
                cases.iter().fold((missing, missing), |all, case| join(all, of(case)))
            }
            IntOp::Dealt { base, count, index, missing } => {
                let dealt = self.dealt_bounds(*base, *count);
                match of(index) {
                    (0.., high) if high < i64::from(*count) => dealt,
                    _ => join(dealt, (i64::from(*missing), i64::from(*missing))),
                }
            }
            IntOp::OfSet(op, _) => op.bounds(last + 1),
            IntOp::KindAt(_) => (-1, layout.pieces.kinds as i64 - 1),
            IntOp::OwnerAt(_) => (-1, layout.players as i64),
            IntOp::HeightAt(_) => (0, layout.pieces.levels as i64 + 1),
            IntOp::Distance { .. } | IntOp::Steps { .. } => (0, last + 1),
            _ => ANY,
        }
    }

    /// The bounds of dealt numbers, or of the sites on which they lie.
    fn dealt_bounds(&self, base: u32, count: u32) -> (i64, i64) {
        let layout = &self.program.layout;
        let (base, end) = (base as usize, base as usize + count as usize);
        let within = |from: usize, to: usize| from <= base && end <= to;
        for deal in &layout.deals {
            let (low, high) = (i64::from(deal.low), i64::from(deal.high));
            // Sites that are dealt nothing have 0.
            if matches!(deal.to, DealTo::Dealt(at) if within(at, at + layout.sites)) {
                return (low.min(0), high.max(0));
            }
            if deal.inverse.is_some_and(|at| within(at, at + deal.sites.len())) {
                return (0, layout.sites as i64 - 1);
            }
        }
        ANY
    }

    /// The bounds of a loop's domain.
    pub fn domain_bounds(&self, domain: Domain) -> (i64, i64) {
        match domain {
            Domain::Set(_) => (0, self.program.layout.sites as i64 - 1),
            Domain::Range(low, high) => {
                let (low, high) = (self.bounds(low), self.bounds(high));
                if low.0 <= high.1 { (low.0, high.1) } else { (low.0, low.0) }
            }
            Domain::Mask(_) => (0, 31),
        }
    }

    /// Whether a number within bounds is a site's or that of a hole.
    pub fn is_site(&self, bounds: (i64, i64)) -> bool {
        bounds.0 >= 0 && bounds.1 < self.program.layout.sites as i64
    }

    /// The number of a set that is one site, if that is how it is written.
    pub fn single(&self, set: SetId) -> Option<IntId> {
        match &self.program.sets[set.0 as usize] {
            SetOp::Site(site) => Some(*site),
            _ => None,
        }
    }
}

/// The bounds of a result from the bounds of two operands, not cut to 32 bits.
pub(super) type Exact = fn((i64, i64), (i64, i64)) -> (i64, i64);

pub(super) fn sum(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    (a.0 + b.0, a.1 + b.1)
}

pub(super) fn difference(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    (a.0 - b.1, a.1 - b.0)
}

pub(super) fn product(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
    (all.into_iter().fold(i64::MAX, i64::min), all.into_iter().fold(i64::MIN, i64::max))
}

fn cut(bounds: (i64, i64)) -> (i64, i64) {
    (bounds.0.clamp(ANY.0, ANY.1), bounds.1.clamp(ANY.0, ANY.1))
}

fn join(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    (a.0.min(b.0), a.1.max(b.1))
}
