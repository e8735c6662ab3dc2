//! Peephole simplification of nodes as they are made: algebraic identities and constant folding.

use std::collections::BTreeSet;

use super::Node;
use super::builder::{Builder, key};
use crate::program::{Binary, Domain, IntId, IntOp, Local, OfSet, SetId, SetOp, Unary};

/// How deeply a chain of operations may nest before it is grouped otherwise.
const MAX_CHAIN_LEVELS: u32 = 48;

/// One of two operands: itself, or two that are joined first.
type Group<T> = (T, Option<T>);

/// Two operands grouped otherwise, in the same order, so that a long chain does not nest deeply; none where that is
/// good as it is.
fn regrouped<T: Copy>(
    a: T,
    b: T,
    depth: impl Fn(T) -> u32,
    parts: impl Fn(T) -> Option<(T, T)>,
) -> Option<[Group<T>; 2]> {
    let steep = |deeper: T, other: T| depth(deeper) > MAX_CHAIN_LEVELS && depth(deeper) > depth(other) + 1;
    if steep(a, b) {
        let (x, y) = parts(a).filter(|(x, y)| depth(*y) < depth(*x))?;
        return Some([(x, None), (y, Some(b))]);
    }
    if steep(b, a) {
        let (x, y) = parts(b).filter(|(x, y)| depth(*x) < depth(*y))?;
        return Some([(a, Some(x)), (y, None)]);
    }
    None
}

impl Builder {
    /// A set, simplified.
    pub(crate) fn set(&mut self, op: SetOp) -> SetId {
        if !self.work.take(1) {
            return self.empty();
        }
        match &op {
            SetOp::And(a, b) => {
                let (a, b) = (*a, *b);
                if a == b || self.is_all(b) || self.is_empty(a) {
                    return a;
                }
                if self.is_all(a) || self.is_empty(b) || self.is_within(b, a) {
                    return b;
                }
                if self.is_within(a, b) {
                    return a;
                }
                // Cheap sets are grouped: if they have no member the rest is skipped, and they may be loop invariant.
                for (one, other) in [(a, b), (b, a)] {
                    if let SetOp::And(x, y) = *self.op(other)
                        && self.is_plain(one)
                        && self.is_plain(x) != self.is_plain(y)
                    {
                        let (plain, rest) = if self.is_plain(x) { (x, y) } else { (y, x) };
                        let both = self.set(SetOp::And(one, plain));
                        return self.set(SetOp::And(both, rest));
                    }
                }
                let parts = |op: &SetOp| if let SetOp::And(x, y) = op { Some((*x, *y)) } else { None };
                if self.is_plain(a) == self.is_plain(b)
                    && let Some(set) = self.regrouped_sets((a, b), SetOp::And, parts)
                {
                    return set;
                }
                if a > b {
                    return self.set(SetOp::And(b, a));
                }
            }
            SetOp::Or(a, b) => {
                let (a, b) = (*a, *b);
                if a == b || self.is_empty(b) || self.is_all(a) {
                    return a;
                }
                if self.is_empty(a) || self.is_all(b) {
                    return b;
                }
                let parts = |op: &SetOp| if let SetOp::Or(x, y) = op { Some((*x, *y)) } else { None };
                if let Some(set) = self.regrouped_sets((a, b), SetOp::Or, parts) {
                    return set;
                }
                if a > b {
                    return self.set(SetOp::Or(b, a));
                }
            }
            SetOp::Sub(a, b) => {
                let (a, b) = (*a, *b);
                if self.is_empty(b) || self.is_empty(a) {
                    return a;
                }
                if a == b || self.is_all(b) || self.is_within(a, b) {
                    return self.empty();
                }
                if *self.op(a) == SetOp::Not(b) {
                    return a;
                }
                if let Some(less) = self.less_of(a, b) {
                    return self.set(SetOp::Sub(a, less));
                }
                if let SetOp::Not(inner) = self.op(b) {
                    let inner = *inner;
                    return self.set(SetOp::And(a, inner));
                }
                if self.is_all(a) {
                    return self.set(SetOp::Not(b));
                }
                if let Some(b) = self.if_it_is_in(b) {
                    return self.set(SetOp::Sub(a, b));
                }
                // `(a - b) - c` becomes `a - (b | c)`: the union may be loop invariant.
                if let SetOp::Sub(a, first) = *self.op(a) {
                    let both = self.set(SetOp::Or(first, b));
                    return self.set(SetOp::Sub(a, both));
                }
            }
            SetOp::Not(a) => {
                if let SetOp::Not(inner) = self.op(*a) {
                    return *inner;
                }
            }
            SetOp::If(c, a, b) => {
                if let Some(n) = self.const_of(*c) {
                    return if n != 0 { *a } else { *b };
                }
                if a == b {
                    return *a;
                }
            }
            SetOp::Otherwise(a, b) => {
                if self.is_empty(*a) {
                    return *b;
                }
                if self.is_empty(*b) {
                    return *a;
                }
                if self.set_const_of(*a).is_some() {
                    return *a;
                }
            }
            SetOp::Switch(index, cases) => {
                if let Some(n) = self.const_of(*index) {
                    let chosen = usize::try_from(n).ok().and_then(|n| cases.get(n)).copied();
                    return chosen.unwrap_or_else(|| self.empty());
                }
                if let Some(first) = cases.first()
                    && cases.iter().all(|c| c == first)
                    && self.is_one_of(*index, cases.len())
                {
                    return *first;
                }
            }
            SetOp::LayerRow { base, count, index } => {
                if let Some(n) = self.const_of(*index) {
                    let inside = n >= 0 && (n as u32) < *count;
                    return if inside { self.set(SetOp::Layer(base + n as u32)) } else { self.empty() };
                }
            }
            SetOp::Image { relation, of } => {
                if self.is_empty(*of) {
                    return *of;
                }
                if let SetOp::Site(site) = self.op(*of) {
                    let (relation, site) = (*relation, *site);
                    return self.set(SetOp::Row { relation, site });
                }
            }
            SetOp::Flood { seed, within, .. } if self.is_empty(*seed) || self.is_empty(*within) => {
                return self.empty();
            }
            SetOp::Slide { from, .. } if self.is_empty(*from) => return *from,
            SetOp::Sieve { domain, .. } if self.is_empty(*domain) => return *domain,
            SetOp::Between { from, to, .. } if self.is_empty(*from) || self.is_empty(*to) => {
                return self.empty();
            }
            SetOp::Filter { domain, cond, .. } => {
                if self.is_empty(*domain) {
                    return *domain;
                }
                match self.const_of(*cond) {
                    Some(0) => return self.empty(),
                    Some(_) => return *domain,
                    None => {}
                }
            }
            SetOp::Union { domain: Domain::Set(s), .. } if self.is_empty(*s) => return *s,
            SetOp::Union { body, .. } if self.is_empty(*body) => return *body,
            SetOp::LetSet { body, .. } | SetOp::LetInt { body, .. } if !self.names(*body, op.binds()) => {
                return *body;
            }
            SetOp::LetSet { local, value, body } if *self.op(*body) == SetOp::Local(*local) => {
                return *value;
            }
            _ => {}
        }
        let id = self.raw_set(op);
        let info = self.info(id);
        if !info.reads && info.free.is_empty() && !matches!(self.op(id), SetOp::Const(_)) {
            match self.eval(id) {
                Some(value) => return self.constant(value),
                None => self.leave_set(id),
            }
        }
        id
    }

    /// An integer, simplified.
    pub(crate) fn int(&mut self, op: IntOp) -> IntId {
        if !self.work.take(1) {
            return self.num(0);
        }
        let value = |b: &Builder, id: &IntId| b.const_of(*id);
        match &op {
            IntOp::And(a, b) | IntOp::Or(a, b) => {
                // A constant operand decides the value, or the other operand is the value.
                let both = matches!(op, IntOp::And(..));
                match (value(self, a), value(self, b)) {
                    (Some(n), _) => return if (n != 0) == both { *b } else { *a },
                    (_, Some(n)) => return if (n != 0) == both { *a } else { *b },
                    _ if a == b => return *a,
                    _ => {}
                }
                let parts = |op: &IntOp| match *op {
                    IntOp::And(x, y) if both => Some((x, y)),
                    IntOp::Or(x, y) if !both => Some((x, y)),
                    _ => None,
                };
                let join = if both { IntOp::And } else { IntOp::Or };
                if let Some(int) = self.regrouped_ints((*a, *b), join, parts) {
                    return int;
                }
            }
            IntOp::Unary(Unary::Not, a) => {
                if let IntOp::Unary(Unary::Not, inner) = self.int_op(*a)
                    && self.is_bool(*inner)
                {
                    return *inner;
                }
            }
            IntOp::If(c, a, b) => {
                if let Some(n) = value(self, c) {
                    return if n != 0 { *a } else { *b };
                }
                if a == b {
                    return *a;
                }
            }
            IntOp::Switch(index, cases, missing) => {
                if let Some(n) = value(self, index) {
                    let missing = *missing;
                    let chosen = usize::try_from(n).ok().and_then(|n| cases.get(n)).copied();
                    return chosen.unwrap_or_else(|| self.num(missing));
                }
                if let Some(first) = cases.first()
                    && cases.iter().all(|c| c == first)
                    && self.is_one_of(*index, cases.len())
                {
                    return *first;
                }
            }
            IntOp::SlotRow { base, count, index, missing } => {
                if let Some(n) = value(self, index) {
                    let inside = n >= 0 && (n as u32) < *count;
                    let (base, missing) = (*base, *missing);
                    return if inside { self.int(IntOp::Slot(base + n as u32)) } else { self.num(missing) };
                }
            }
            IntOp::Binary(Binary::Add, a, b) => match (value(self, a), value(self, b)) {
                (Some(0), _) => return *b,
                (_, Some(0)) => return *a,
                _ => {}
            },
            IntOp::Binary(Binary::Sub, a, b) => {
                if value(self, b) == Some(0) {
                    return *a;
                }
                // 1 - (1 - x): the opponent's opponent.
                if let (Some(n), IntOp::Binary(Binary::Sub, c, x)) = (value(self, a), self.int_op(*b))
                    && value(self, c) == Some(n)
                {
                    return *x;
                }
            }
            IntOp::Binary(Binary::Mul, a, b) => match (value(self, a), value(self, b)) {
                (Some(1), _) => return *b,
                (_, Some(1)) => return *a,
                _ => {}
            },
            IntOp::Binary(Binary::Eq, a, b) => {
                for (one, other) in [(*a, *b), (*b, *a)] {
                    // One of two constants is asked for: the condition itself, or its opposite.
                    if let (IntOp::If(c, x, y), Some(k)) = (self.int_op(one), self.const_of(other))
                        && let (Some(x), Some(y)) = (self.const_of(*x), self.const_of(*y))
                    {
                        let c = *c;
                        let not = self.int(IntOp::Unary(Unary::Not, c));
                        return match (x == k, y == k) {
                            (true, true) => self.num(1),
                            (true, false) => self.int(IntOp::Unary(Unary::Not, not)),
                            (false, true) => not,
                            (false, false) => self.num(0),
                        };
                    }
                }
            }
            IntOp::Some(s) => match *self.op(*s) {
                // The `let` moves outside, so that the test inside can stop early.
                SetOp::LetSet { local, value, body } => {
                    let body = self.int(IntOp::Some(body));
                    return self.int(IntOp::LetSet { local, value, body });
                }
                SetOp::Or(a, b) => {
                    let (a, b) = (self.int(IntOp::Some(a)), self.int(IntOp::Some(b)));
                    return self.int(IntOp::Or(a, b));
                }
                SetOp::And(a, b) => return self.int(IntOp::Meets(a, b)),
                // A site alone is empty only if it is none.
                SetOp::Site(x) => {
                    let zero = self.num(0);
                    return self.int(IntOp::Binary(Binary::Le, zero, x));
                }
                _ => {}
            },
            IntOp::Meets(a, b) => {
                let (a, b) = (*a, *b);
                if self.is_empty(a) || self.is_empty(b) {
                    return self.num(0);
                }
                for (one, other) in [(a, b), (b, a)] {
                    match *self.op(one) {
                        SetOp::Site(x) => return self.int(IntOp::Has(other, x)),
                        SetOp::LetSet { local, value, body } => {
                            let body = self.int(IntOp::Meets(other, body));
                            return self.int(IntOp::LetSet { local, value, body });
                        }
                        // Branch by branch, so that the first that hits ends it.
                        SetOp::Or(x, y) if !self.is_plain(one) => {
                            let (x, y) = (self.int(IntOp::Meets(other, x)), self.int(IntOp::Meets(other, y)));
                            return self.int(IntOp::Or(x, y));
                        }
                        // Layers first: where they have nothing in common the rest is not computed.
                        SetOp::And(x, y) if self.is_plain(other) && self.is_plain(x) != self.is_plain(y) => {
                            let (plain, rest) = if self.is_plain(x) { (x, y) } else { (y, x) };
                            let both = self.set(SetOp::And(other, plain));
                            if both != other {
                                return self.int(IntOp::Meets(both, rest));
                            }
                        }
                        _ => {}
                    }
                }
            }
            IntOp::Has(set, x) => {
                if self.is_empty(*set) || value(self, x).is_some_and(|n| n < 0) {
                    return self.num(0);
                }
                let value = *x;
                if let Some((local, domain, cond)) = self.filter_of(*set) {
                    // One site is asked for, so only that one is tested.
                    let (inside, holds) = (
                        self.int(IntOp::Has(domain, value)),
                        self.int(IntOp::LetInt { local, value, body: cond }),
                    );
                    return self.int(IntOp::And(inside, holds));
                }
                if let SetOp::Site(y) = self.op(*set) {
                    // Both may be none, which is in no set.
                    let (x, y, zero) = (*x, *y, self.num(0));
                    let same = self.int(IntOp::Binary(Binary::Eq, x, y));
                    let real = self.int(IntOp::Binary(Binary::Le, zero, x));
                    return self.int(IntOp::And(real, same));
                }
            }
            IntOp::Any { domain, cond, .. } => {
                if value(self, cond) == Some(0) {
                    return *cond;
                }
                if let Domain::Set(s) = domain {
                    let s = *s;
                    if self.is_empty(s) {
                        return self.num(0);
                    }
                    if value(self, cond).is_some() {
                        return self.int(IntOp::Some(s));
                    }
                }
            }
            IntOp::Sum { domain: Domain::Set(s), body, .. } => {
                let s = *s;
                if value(self, body) == Some(1) {
                    return self.int(IntOp::OfSet(OfSet::Count, s));
                }
            }
            IntOp::LetSet { body, .. } | IntOp::LetInt { body, .. } if !self.names(*body, op.binds()) => {
                return *body;
            }
            _ => {}
        }
        let id = self.raw_int(op);
        let info = self.int_info(id);
        if !info.reads && info.free.is_empty() && !matches!(self.int_op(id), IntOp::Const(_)) {
            match self.eval_int(id) {
                Some(n) => return self.num(n),
                None => self.leave_int(id),
            }
        }
        id
    }

    /// A pair of sets of an operation that may be grouped in any way: see [`regrouped`].
    fn regrouped_sets(
        &mut self,
        (a, b): (SetId, SetId),
        join: fn(SetId, SetId) -> SetOp,
        parts: fn(&SetOp) -> Option<(SetId, SetId)>,
    ) -> Option<SetId> {
        let groups = regrouped(a, b, |id| self.info(id).extent.levels, |id| parts(self.op(id)))?;
        let [x, y] = groups.map(|(x, y)| y.map_or(x, |y| self.set(join(x, y))));
        Some(self.set(join(x, y)))
    }

    /// A pair of integers of such an operation.
    fn regrouped_ints(
        &mut self,
        (a, b): (IntId, IntId),
        join: fn(IntId, IntId) -> IntOp,
        parts: impl Fn(&IntOp) -> Option<(IntId, IntId)>,
    ) -> Option<IntId> {
        let groups = regrouped(a, b, |id| self.int_info(id).extent.levels, |id| parts(self.int_op(id)))?;
        let [x, y] = groups.map(|(x, y)| y.map_or(x, |y| self.int(join(x, y))));
        Some(self.int(join(x, y)))
    }

    /// Whether it is plain that all members of the one set are members of the other.
    fn is_within(&self, a: SetId, b: SetId) -> bool {
        /// How deeply the sets are compared.
        const MAX_LEVELS: u32 = 4;
        fn layers(builder: &Builder, id: SetId, out: &mut BTreeSet<u32>, left: u32) {
            match builder.op(id) {
                SetOp::Layer(layer) => drop(out.insert(*layer)),
                SetOp::Or(a, b) if left > 0 => {
                    layers(builder, *a, out, left - 1);
                    layers(builder, *b, out, left - 1);
                }
                _ => {}
            }
        }
        fn within(builder: &Builder, a: SetId, b: SetId, left: u32) -> bool {
            if a == b {
                return true;
            }
            let Some(left) = left.checked_sub(1) else { return false };
            let inside = |a: SetId, b: SetId| within(builder, a, b, left);
            let plain = match *builder.op(a) {
                SetOp::And(x, y) => inside(x, b) || inside(y, b),
                SetOp::Sub(x, _) => inside(x, b),
                SetOp::LayerRow { base, count, .. } => {
                    let mut all = BTreeSet::new();
                    layers(builder, b, &mut all, MAX_LEVELS);
                    (base..base + count).all(|layer| all.contains(&layer))
                }
                _ => false,
            };
            plain || matches!(*builder.op(b), SetOp::Or(x, y) if inside(a, x) || inside(a, y))
        }
        within(self, a, b, MAX_LEVELS)
    }

    /// The `x` of `a - (a & x)`, also where a `let` stands around the second set.
    fn less_of(&mut self, a: SetId, b: SetId) -> Option<SetId> {
        match *self.op(b) {
            SetOp::And(x, y) if self.is_within(a, x) => Some(y),
            SetOp::And(x, y) if self.is_within(a, y) => Some(x),
            SetOp::LetInt { local, value, body } if !self.info(a).free.contains(&local) => {
                let body = self.less_of(a, body)?;
                Some(self.set(SetOp::LetInt { local, value, body }))
            }
            _ => None,
        }
    }

    /// `S & site(x)`, of `site(if x in S then x else none)`: a bit is taken from a set that is cheap to compute, without
    /// making a number of it first. Of other sets less is computed to see whether one site is in them.
    fn if_it_is_in(&mut self, one: SetId) -> Option<SetId> {
        let &SetOp::Site(number) = self.op(one) else { return None };
        let &IntOp::If(cond, site, none) = self.int_op(number) else { return None };
        let &IntOp::Has(set, asked) = self.int_op(cond) else { return None };
        let is_none = self.const_of(none).is_some_and(|none| none < 0);
        (asked == site && is_none && self.is_plain(set)).then(|| {
            let site = self.set(SetOp::Site(site));
            self.set(SetOp::And(set, site))
        })
    }

    /// Whether a node, such as the body of a `let`, names a local.
    pub(super) fn names(&self, body: impl Into<Node>, bound: Option<Local>) -> bool {
        bound.is_some_and(|local| self.node_info(body.into()).free.contains(&key(local)))
    }

    /// Whether a set is made of layers and constants alone: cheap to compute.
    pub(crate) fn is_plain(&self, id: SetId) -> bool {
        self.info(id).plain
    }

    /// Whether a node is 0 or 1 always.
    fn is_bool(&self, id: IntId) -> bool {
        match self.int_op(id) {
            IntOp::Const(value) => (0..=1).contains(value),
            IntOp::And(..) | IntOp::Or(..) => false,
            op => op.is_condition(),
        }
    }
}
