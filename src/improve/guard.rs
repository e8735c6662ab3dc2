//! What is empty unless a condition holds is computed where it holds.
//!
//! ```text
//! site(if c then x else none)            ->  if c then site(x) else {}
//! (if c then A else {}) & B              ->  if c then A & B else {}
//! let s = (if c then A else {}) : F(s)   ->  if c then (let s = A : F(s)) else {}    where F({}) is {}
//! remove (if c then A else {})           ->  if c: remove A
//! a & (b - C), a and b at hand           ->  (a & b) - C
//! ```
//!
//! This is done last: what asks of an expression how it depends on the position finds it as it was written.

use super::Pass;
use super::builder::{Builder, SET_LOCAL};
use crate::program::{Binary, IntId, IntOp, SetId, SetOp, Stmt, Unary};

/// How deeply an expression is looked into.
const DEEP: u32 = 6;

impl Builder {
    /// The condition without which a set is empty, and what it is else, if that is how it is written.
    pub(crate) fn guard(&self, id: SetId) -> Option<(IntId, SetId)> {
        match *self.op(id) {
            SetOp::If(cond, set, none) if self.is_empty(none) => Some((cond, set)),
            _ => None,
        }
    }

    /// A set that is empty where a condition does not hold.
    pub(crate) fn set_if(&mut self, cond: IntId, set: SetId) -> SetId {
        let none = self.empty();
        self.set(SetOp::If(cond, set, none))
    }

    /// A set, its condition outside.
    pub(crate) fn guarded(&mut self, op: SetOp) -> SetId {
        if !self.passes.has(Pass::Guard) {
            return self.set(op);
        }
        match op {
            SetOp::Site(x) => {
                let IntOp::If(cond, a, b) = *self.int_op(x) else { return self.set(op) };
                let never = |id: IntId| self.const_of(id).is_some_and(|n| n < 0);
                let (cond, site) = match (never(a), never(b)) {
                    (false, true) => (cond, a),
                    (true, false) => (self.int(IntOp::Unary(Unary::Not, cond)), b),
                    _ => return self.set(op),
                };
                let set = self.set(SetOp::Site(site));
                self.set_if(cond, set)
            }
            SetOp::And(a, b) => {
                for (one, other) in [(a, b), (b, a)] {
                    if let Some((cond, one)) = self.guard(one) {
                        let both = self.guarded(SetOp::And(one, other));
                        return self.set_if(cond, both);
                    }
                    if let SetOp::Not(one) = *self.op(one) {
                        return self.guarded(SetOp::Sub(other, one));
                    }
                    // What lies at hand together: where that is empty the rest is not computed.
                    if let SetOp::Sub(set, rest) = *self.op(other)
                        && self.is_plain(one)
                        && self.is_plain(set)
                        && !self.is_plain(rest)
                    {
                        let both = self.guarded(SetOp::And(one, set));
                        return self.guarded(SetOp::Sub(both, rest));
                    }
                }
                self.set(op)
            }
            SetOp::Sub(a, b) => match self.guard(a) {
                Some((cond, a)) => {
                    let rest = self.guarded(SetOp::Sub(a, b));
                    self.set_if(cond, rest)
                }
                None => self.set(op),
            },
            SetOp::Image { relation, of } => match self.guard(of) {
                Some((cond, of)) => {
                    let image = self.guarded(SetOp::Image { relation, of });
                    self.set_if(cond, image)
                }
                None => self.set(op),
            },
            // The number of a site, not a set: that can be read in place.
            SetOp::LetInt { local, value, body } => match *self.op(body) {
                SetOp::Site(body) => {
                    let site = self.int(IntOp::LetInt { local, value, body });
                    self.guarded(SetOp::Site(site))
                }
                _ => self.set(op),
            },
            SetOp::LetSet { local, value, body } => {
                let (cond, value) = match self.guard(value) {
                    Some((cond, value)) if self.vanishes(body, local, DEEP) => (Some(cond), value),
                    _ => (None, value),
                };
                let written = if self.is_at_hand(value) { self.with(body, local, value, DEEP) } else { None };
                let set = written.unwrap_or_else(|| self.set(SetOp::LetSet { local, value, body }));
                cond.map_or(set, |cond| self.set_if(cond, set))
            }
            _ => self.set(op),
        }
    }

    /// Whether a set is empty where the set that a local is bound to is empty.
    fn vanishes(&self, id: SetId, local: u32, deep: u32) -> bool {
        let Some(deep) = deep.checked_sub(1) else { return false };
        let inner = |id: &SetId| self.vanishes(*id, local, deep);
        match self.op(id) {
            SetOp::Local(l) => *l == local,
            SetOp::And(a, b) => inner(a) || inner(b),
            SetOp::Or(a, b) => inner(a) && inner(b),
            SetOp::Sub(a, _) => inner(a),
            SetOp::If(_, a, b) => inner(a) && inner(b),
            SetOp::Switch(_, cases) => cases.iter().all(inner),
            SetOp::Image { of, .. } => inner(of),
            SetOp::Slide { from, .. } => inner(from),
            SetOp::LetSet { local: other, body, .. } => *other != local && inner(body),
            _ => self.is_empty(id),
        }
    }

    /// Whether a set is read as easily as a local: a layer, a site.
    fn is_at_hand(&self, id: SetId) -> bool {
        match self.op(id) {
            SetOp::Layer(_) => true,
            SetOp::LayerRow { index, .. } => match self.int_op(*index) {
                IntOp::Slot(_) => true,
                IntOp::Binary(Binary::Sub, a, b) => {
                    matches!((self.int_op(*a), self.int_op(*b)), (IntOp::Const(_), IntOp::Slot(_)))
                }
                _ => false,
            },
            SetOp::Site(site) => matches!(self.int_op(*site), IntOp::Local(_) | IntOp::Const(_)),
            _ => false,
        }
    }

    /// A set with a local written out; none where that is not worth while. Nothing is bound on the way, nor is the
    /// position changed, so the value means the same there.
    fn with(&mut self, id: SetId, local: u32, value: SetId, deep: u32) -> Option<SetId> {
        if !self.info(id).free.contains(&(local | SET_LOCAL)) {
            return Some(id);
        }
        let deep = deep.checked_sub(1)?;
        let here = self.op(id).clone();
        if let SetOp::Switch(index, _) = here
            && self.int_info(index).free.contains(&(local | SET_LOCAL))
        {
            return None;
        }
        let mut inner = |id: SetId| self.with(id, local, value, deep);
        let op = match here {
            SetOp::Local(_) => return Some(value),
            SetOp::And(a, b) => SetOp::And(inner(a)?, inner(b)?),
            SetOp::Or(a, b) => SetOp::Or(inner(a)?, inner(b)?),
            SetOp::Sub(a, b) => SetOp::Sub(inner(a)?, inner(b)?),
            SetOp::Image { relation, of } => SetOp::Image { relation, of: inner(of)? },
            SetOp::Switch(index, cases) => {
                SetOp::Switch(index, cases.iter().map(|case| inner(*case)).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Some(self.guarded(op))
    }

    /// Pieces go from some sites.
    pub(crate) fn removed(&mut self, at: SetId) -> Stmt {
        match self.guard(at).filter(|_| self.passes.has(Pass::Guard)) {
            Some((cond, at)) => {
                let remove = self.removed(at);
                Stmt::If(cond, self.block(vec![remove]), None)
            }
            None => Stmt::Remove(at),
        }
    }
}
