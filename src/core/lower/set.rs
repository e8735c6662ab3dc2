//! Expressions that are sets of sites.

use super::facts::Fact;
use super::relation::Tables;
use super::state::{Lowerer, View};
use crate::board::DirGroup;
use crate::improve::Node;
use crate::program::{Binary, IntId, IntOp, SetId, SetOp};
use crate::semantics::{BinaryOp, Expr, ExprKind, Quantifier, Relation, Steps, Type};

impl Lowerer<'_> {
    /// An expression of type sites.
    pub(super) fn set(&mut self, e: &Expr, view: View) -> SetId {
        if !self.b.work.take(1) {
            return self.b.empty();
        }
        if let Some(value) = self.of_any_type(e, view, |l, e, view| l.set(e, view).into()) {
            return self.b.set_of(value);
        }
        match &e.kind {
            ExprKind::None => self.b.empty(),
            ExprKind::All => self.b.all_sites(),
            ExprKind::Call(f, who, args) => match self.call(*f, who.as_deref(), args, view) {
                Node::Set(s) => s,
                Node::Int(i) => self.b.set(SetOp::Site(i)),
            },
            ExprKind::Follow { relation, converse, of } => {
                self.follow(*relation, *converse, of, Fact::NONE, view)
            }
            ExprKind::Ring(steps, of, k) => {
                let (of, k) = (self.set(of, view), self.int(k, view));
                if self.relation_is_fixed(steps.relation) {
                    let tables = self.relation_table(*steps);
                    return self.per_table(tables, view, |l, relation| {
                        l.b.set(SetOp::Ring { relation, of, steps: k })
                    });
                }
                self.ring(*steps, of, k, view)
            }
            ExprKind::FollowTimes(steps, of, n) => {
                let (of, times) = (self.set(of, view), self.int(n, view));
                if let Some(0 | i32::MIN..0) = self.b.const_of(times) {
                    return of;
                }
                let (local, step) = self.step(*steps, view);
                self.b.set(SetOp::Times { local, of, times, step })
            }
            ExprKind::Flood(steps, seed, within) => {
                let (seed, within) = (self.set(seed, view), self.set(within, view));
                if self.relation_is_fixed(steps.relation) {
                    let tables = self.relation_table(*steps);
                    return self.per_table(tables, view, |l, relation| {
                        l.b.set(SetOp::Flood { relation, seed, within })
                    });
                }
                let (local, step) = self.step(*steps, view);
                self.b.set(SetOp::Fix { local, seed, within, step })
            }
            ExprKind::Line(dirs, of, k) => {
                let (of, length) = (self.set(of, view), self.int(k, view));
                match dirs {
                    DirGroup::Fixed(list) => self.line(list, of, length),
                    DirGroup::PerPlayer(each) => {
                        let cases = each.iter().map(|list| self.line(list, of, length)).collect();
                        self.b.set(SetOp::Switch(view.me, cases))
                    }
                }
            }
            ExprKind::Binary(op, a, b) => self.binary_set(*op, a, b, view),
            ExprKind::Not(a) => {
                let a = self.set(a, view);
                self.b.set(SetOp::Not(a))
            }
            ExprKind::Quantified(Quantifier::Union, local, of, body) => {
                let domain = self.domain(of, view);
                if let Some(list) = self.written_out(&domain, of) {
                    let mut out = self.b.empty();
                    for n in list {
                        let n = self.b.num(n);
                        self.values.insert(*local, Node::Int(n));
                        let part = self.set(body, view);
                        out = self.b.set(SetOp::Or(out, part));
                    }
                    return out;
                }
                let slot = self.bind_loop(*local, of, view);
                let body = self.set(body, view);
                self.b.set(SetOp::Union { local: slot, domain, body })
            }
            ExprKind::Where(local, of, cond) => {
                let crate::program::Domain::Set(domain) = self.domain(of, view) else {
                    return self.b.empty();
                };
                let slot = self.bind_loop(*local, of, view);
                let cond = self.int(cond, view);
                self.filter(slot, domain, cond)
            }
            ExprKind::Widen(inner) => self.widen(inner, view),
            _ => self.b.empty(),
        }
    }

    /// One step from the sites reached so far, which a local holds.
    pub(super) fn step(&mut self, steps: Steps, view: View) -> (u32, SetId) {
        let local = self.b.set_local();
        let reached = self.b.set(SetOp::Local(local));
        (local, self.follow_set(steps.relation, steps.converse, reached, Fact::NONE, view))
    }

    /// The sites at a distance along a relation that is not the same in every position: what one step more reaches from
    /// all that is nearer.
    fn ring(&mut self, steps: Steps, of: SetId, distance: IntId, view: View) -> SetId {
        let (one, sites) = (self.b.num(1), self.b.num(self.b.sites as i32));
        let before = self.b.int(IntOp::Binary(Binary::Sub, distance, one));
        // Nothing is farther away than there are sites.
        let times = self.b.int(IntOp::Binary(Binary::Min, before, sites));
        let (local, step) = self.step(steps, view);
        let reached = self.b.set(SetOp::Local(local));
        let more = self.b.set(SetOp::Or(reached, step));
        let nearer = self.b.set(SetOp::Times { local, of, times, step: more });
        let (nearer, lets) = self.b.hold(nearer.into());
        let nearer = self.b.set_of(nearer);
        let next = self.follow_set(steps.relation, steps.converse, nearer, Fact::NONE, view);
        let next = self.b.set(SetOp::Sub(next, nearer));
        let next = self.b.wrap(next.into(), lets);
        let next = self.b.set_of(next);
        let empty = self.b.empty();
        let (zero, far) = (self.b.num(0), self.b.int(IntOp::Binary(Binary::Le, one, distance)));
        let here = self.b.int(IntOp::Binary(Binary::Eq, distance, zero));
        let near = self.b.set(SetOp::If(here, of, empty));
        self.b.set(SetOp::If(far, next, near))
    }

    /// The members of a set for which a condition holds.
    pub(super) fn filter(&mut self, local: u32, domain: SetId, cond: IntId) -> SetId {
        match self.b.const_of(cond) {
            Some(0) => self.b.empty(),
            Some(_) => domain,
            None => self.b.sift(local, domain, cond),
        }
    }

    fn widen(&mut self, inner: &Expr, view: View) -> SetId {
        match inner.ty {
            Type::Site | Type::SiteOpt => {
                let x = self.int(inner, view);
                self.b.set(SetOp::Site(x))
            }
            Type::Kind | Type::KindOpt => {
                let k = self.int(inner, view);
                self.kind_set(k)
            }
            Type::Kinds => {
                let mask = self.int(inner, view);
                let mut out = self.b.empty();
                for k in 0..self.rules.kinds.len() {
                    let bit = self.b.num(1 << k);
                    let member = self.b.int(IntOp::Binary(Binary::BitAnd, mask, bit));
                    if self.b.const_of(member) == Some(0) {
                        continue;
                    }
                    let k = self.b.num(k as i32);
                    let (set, empty) = (self.kind_set(k), self.b.empty());
                    let set = self.b.set(SetOp::If(member, set, empty));
                    out = self.b.set(SetOp::Or(out, set));
                }
                out
            }
            Type::Player => {
                let p = self.int(inner, view);
                self.pieces_of(p)
            }
            _ => self.set(inner, view),
        }
    }

    /// Sites with pieces of a kind; empty for none.
    pub(super) fn kind_set(&mut self, kind: IntId) -> SetId {
        let base = self.b.pieces.kind_base;
        match base {
            Some(base) => {
                let count = self.rules.kinds.len() as u32;
                self.b.set(SetOp::LayerRow { base: base as u32, count, index: kind })
            }
            None => {
                let occupied = self.occupied();
                let (zero, empty) = (self.b.num(0), self.b.empty());
                let real = self.b.int(IntOp::Binary(Binary::Le, zero, kind));
                self.b.set(SetOp::If(real, occupied, empty))
            }
        }
    }

    /// Sites with a piece.
    pub(super) fn occupied(&mut self) -> SetId {
        let p = self.b.pieces.clone();
        let owners = self.rules.players.len() + usize::from(p.neutral);
        let (base, count) = match (p.owner_base, p.kind_base) {
            (Some(owner), Some(kind)) => {
                if owners <= p.kinds {
                    (owner, owners)
                } else {
                    (kind, p.kinds)
                }
            }
            (Some(owner), None) => (owner, owners),
            (None, Some(kind)) => (kind, p.kinds),
            (None, None) => return self.b.empty(),
        };
        let mut out = self.b.empty();
        for i in 0..count {
            let layer = self.b.set(SetOp::Layer((base + i) as u32));
            out = self.b.set(SetOp::Or(out, layer));
        }
        out
    }

    fn binary_set(&mut self, op: BinaryOp, a: &Expr, b: &Expr, view: View) -> SetId {
        if op == BinaryOp::Meet {
            let mut factors = Vec::new();
            flatten(a, &mut factors);
            flatten(b, &mut factors);
            return self.meet(&factors, view);
        }
        let (a, b) = (self.set(a, view), self.set(b, view));
        let op = match op {
            BinaryOp::Union => SetOp::Or(a, b),
            BinaryOp::Minus => SetOp::Sub(a, b),
            BinaryOp::Otherwise => SetOp::Otherwise(a, b),
            _ => return self.b.empty(),
        };
        self.b.set(op)
    }

    /// The intersection of some sets. The facts about the others narrow the patterns that are
    /// followed backwards: `enemy & ~takes(S)` looks at the enemy's patterns only.
    fn meet(&mut self, factors: &[&Expr], view: View) -> SetId {
        let mut whole: Option<SetId> = None;
        let backwards = |e: &Expr| {
            matches!(e.kind, ExprKind::Follow { relation: Relation::Trait(_), converse: true, .. })
        };
        let known = factors
            .iter()
            .filter(|f| !backwards(f))
            .map(|f| self.known.of_set(f))
            .fold(Fact::NONE, Fact::and);
        // Plain sets first: they are cheap, and may be empty.
        let (last, first): (Vec<&&Expr>, Vec<&&Expr>) = factors.iter().partition(|f| backwards(f));
        for f in first.into_iter().chain(last) {
            let next = match &f.kind {
                ExprKind::Follow { relation, converse: true, of } if backwards(f) => {
                    self.follow(*relation, true, of, known, view)
                }
                _ => self.set(f, view),
            };
            whole = Some(match whole {
                None => next,
                Some(before) => self.b.set(SetOp::And(before, next)),
            });
        }
        whole.unwrap_or_else(|| self.b.empty())
    }

    /// One set for each table, chosen by me.
    pub(super) fn per_table(
        &mut self,
        tables: Tables,
        view: View,
        mut of: impl FnMut(&mut Self, u32) -> SetId,
    ) -> SetId {
        match tables {
            Tables::One(t) => of(self, t),
            Tables::Each(list) => {
                let cases = list.into_iter().map(|t| of(self, t)).collect();
                self.b.set(SetOp::Switch(view.me, cases))
            }
        }
    }

    fn line(&mut self, dirs: &[crate::ids::Dir], of: SetId, length: IntId) -> SetId {
        let board = self.rules.board.clone();
        let mut axes: Vec<crate::ids::Dir> = Vec::new();
        for d in dirs {
            let opposite = board.directions().get(d.index()).and_then(|d| d.opposite);
            if !axes.contains(d) && !opposite.is_some_and(|o| axes.contains(&o)) {
                axes.push(*d);
            }
        }
        let steps = axes.iter().map(|d| self.step_table(*d)).collect();
        self.b.set(SetOp::Line { steps, of, length })
    }
}

/// The factors of an intersection.
fn flatten<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Meet, a, b) if e.ty == Type::Sites => {
            flatten(a, out);
            flatten(b, out);
        }
        _ => out.push(e),
    }
}
