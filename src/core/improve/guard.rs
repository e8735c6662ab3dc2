//! Conditions before what they leave nothing to compute of.
//!
//! ```text
//! let x = (if c then a else b) : F(x)  ->  if c then F(a) else F(b)     where nothing is left to compute of F(b)
//! remove S                             ->  if c: remove A               where S is empty unless c holds, and A if it does
//! (if c then all else {}) & A          ->  if c then A else {}
//! A & not B                            ->  A - B
//! ```
//!
//! A set is empty unless `c` holds if it is `if c then A else {}`, the row of `if c then a else none`, or made of one in
//! such a way. [`Sharing`](super::Sharing) asks for this as it rewrites expressions and statements. It comes last: what
//! asks of an expression how it depends on the position finds it as it was written. So does what looks for terms of
//! intersections, so a complement becomes a difference here too. Nothing is computed twice for it.
//! Other sets of expressions stay as they are: to choose between two short ones is cheaper than a branch that a processor
//! does not foresee.

use super::Pass;
use super::builder::Builder;
use super::children::Node;
use super::open::Opened;
use crate::program::{IntId, IntOp, Local, SetId, SetOp, Stmt, Unary};

impl Builder {
    /// For the body of a local that is bound to an integer: a condition, the integer if it holds, and what the body is
    /// if not; none unless the latter takes no computing. Substitution finds that, and it has a limit: rewriting the
    /// body for both cases would take twice as long with each `let` around another.
    pub(super) fn settled_case(
        &mut self,
        local: u32,
        value: IntId,
        body: Node,
    ) -> Option<(IntId, IntId, Node)> {
        let (cond, number, constant) = self.cases(value)?;
        let mut opened = Opened::new();
        opened.bind(Local::Int(local), constant.into());
        let settled = self.open(body, &mut opened)?;
        let is_settled = match settled {
            Node::Int(int) => self.const_of(int).is_some(),
            Node::Set(set) => self.is_empty(set),
        };
        is_settled.then_some((cond, number, settled))
    }

    /// An intersection with a condition as a choice, or with a complement as a difference: an operation less.
    pub(super) fn asked_first(&mut self, id: SetId) -> SetId {
        let SetOp::And(a, b) = *self.op(id) else { return id };
        for (one, other) in [(a, b), (b, a)] {
            match *self.op(one) {
                SetOp::If(cond, all, none) if self.is_all(all) && self.is_empty(none) => {
                    return self.set(SetOp::If(cond, other, none));
                }
                SetOp::Not(one) => return self.set(SetOp::Sub(other, one)),
                _ => {}
            }
        }
        id
    }

    /// A removal, asked for only where there is something to remove.
    pub(super) fn removal(&mut self, at: SetId) -> Stmt {
        match self.guard(at) {
            Some((cond, at)) => {
                let remove = self.removal(at);
                let remove = self.block(vec![remove]);
                Stmt::If(cond, remove, None)
            }
            None => Stmt::Remove(at),
        }
    }

    /// A condition without which a set is empty, and the set if it holds.
    fn guard(&mut self, id: SetId) -> Option<(IntId, SetId)> {
        let (cond, op) = match *self.op(id) {
            SetOp::If(cond, set, none) if self.is_empty(none) && self.passes.has(Pass::Guard) => {
                return Some((cond, set));
            }
            SetOp::Site(site) => self.sure_site(site).map(|(cond, site)| (cond, SetOp::Site(site)))?,
            SetOp::Row { relation, site } => {
                self.sure_site(site).map(|(cond, site)| (cond, SetOp::Row { relation, site }))?
            }
            SetOp::And(a, b) => match self.guard(a) {
                Some((cond, a)) => (cond, SetOp::And(a, b)),
                None => self.guard(b).map(|(cond, b)| (cond, SetOp::And(a, b)))?,
            },
            SetOp::Sub(a, b) => self.guard(a).map(|(cond, a)| (cond, SetOp::Sub(a, b)))?,
            SetOp::Image { relation, of } => {
                self.guard(of).map(|(cond, of)| (cond, SetOp::Image { relation, of }))?
            }
            _ => return None,
        };
        Some((cond, self.set(op)))
    }

    /// The condition without which a number is no site, and what it is with it.
    fn sure_site(&mut self, number: IntId) -> Option<(IntId, IntId)> {
        let (cond, site, none) = self.cases(number)?;
        self.const_of(none).filter(|none| *none < 0).map(|_| (cond, site))
    }

    /// The two cases of a number, if one of them is a constant: a condition, the number if it holds, the constant.
    fn cases(&mut self, number: IntId) -> Option<(IntId, IntId, IntId)> {
        let &IntOp::If(cond, yes, no) = self.int_op(number) else { return None };
        if !self.passes.has(Pass::Guard) {
            return None;
        }
        match (self.const_of(yes), self.const_of(no)) {
            (None, Some(_)) => Some((cond, yes, no)),
            (Some(_), None) => Some((self.int(IntOp::Unary(Unary::Not, cond)), no, yes)),
            _ => None,
        }
    }
}
