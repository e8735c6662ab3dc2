//! The parts of each node of the typed tree. A walk over the tree names only the forms that it treats in a special way.

use std::collections::BTreeSet;

use super::code::{Domain, Effect, EffectKind, Expr, ExprKind, LocalId, Owner};
use super::tree::Flow;

/// A part of an expression or of an effect.
#[derive(Clone, Copy)]
pub(crate) enum Part<'t> {
    Expr(&'t Expr),
    Effect(&'t Effect),
}

impl<'t> Part<'t> {
    /// Tells its own parts.
    pub(crate) fn each(self, tell: &mut dyn FnMut(Part<'t>)) {
        match self {
            Part::Expr(e) => e.each(tell),
            Part::Effect(e) => e.each(tell),
        }
    }

    /// Tells each expression in it, itself included, the outer ones first.
    pub(crate) fn exprs(self, tell: &mut dyn FnMut(&'t Expr)) {
        if let Part::Expr(e) = self {
            tell(e);
        }
        self.each(&mut |part| part.exprs(tell));
    }

    /// The locals that it names.
    pub(crate) fn locals(self, out: &mut BTreeSet<LocalId>) {
        self.exprs(&mut |e| {
            if let ExprKind::Local(id) = &e.kind {
                out.insert(*id);
            }
        });
    }
}

impl Expr {
    fn each<'t>(&'t self, tell: &mut dyn FnMut(Part<'t>)) {
        let mut tell_expr = |e| tell(Part::Expr(e));
        match &self.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::None
            | ExprKind::All
            | ExprKind::Site(_)
            | ExprKind::Kind(_)
            | ExprKind::Kinds(_)
            | ExprKind::Player(_)
            | ExprKind::Direction(_)
            | ExprKind::Local(_)
            | ExprKind::Me => {}
            ExprKind::Builtin(_, args) | ExprKind::State(_, args) => args.iter().for_each(tell_expr),
            ExprKind::Call(_, who, args) => who.as_deref().into_iter().chain(args).for_each(tell_expr),
            ExprKind::Can(_, who) => who.as_deref().into_iter().for_each(tell_expr),
            ExprKind::Follow { of: a, .. }
            | ExprKind::TraitOf(_, a)
            | ExprKind::Not(a)
            | ExprKind::Some(a)
            | ExprKind::Widen(a) => tell_expr(a),
            ExprKind::Distance(_, a, b)
            | ExprKind::Ring(_, a, b)
            | ExprKind::FollowTimes(_, a, b)
            | ExprKind::Flood(_, a, b)
            | ExprKind::Line(_, a, b)
            | ExprKind::Let(_, a, b)
            | ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|e| tell_expr(e)),
            ExprKind::ByDirection(d, cases) => [&**d].into_iter().chain(cases).for_each(tell_expr),
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|e| tell_expr(e)),
            ExprKind::Quantified(_, _, domain, body) | ExprKind::Where(_, domain, body) => {
                domain.each(&mut tell_expr);
                tell_expr(body);
            }
            ExprKind::After(effects, body) => {
                effects.iter().for_each(|e| tell(Part::Effect(e)));
                tell(Part::Expr(body));
            }
        }
    }
}

impl Domain {
    /// Tells its expressions.
    pub(crate) fn each<'t>(&'t self, tell: &mut dyn FnMut(&'t Expr)) {
        match self {
            Domain::Range(a, b) => [a, b].into_iter().for_each(tell),
            Domain::Sites(e) | Domain::Kinds(e) => tell(e),
            Domain::Players | Domain::Directions(_) => {}
        }
    }
}

impl Owner {
    fn expr(&self) -> Option<&Expr> {
        match self {
            Owner::Player(e) => Some(e),
            Owner::Neutral => None,
        }
    }
}

impl Effect {
    fn each<'t>(&'t self, tell: &mut dyn FnMut(Part<'t>)) {
        let mut tell_expr = |e| tell(Part::Expr(e));
        match &self.kind {
            EffectKind::Block(list) => list.iter().for_each(|e| tell(Part::Effect(e))),
            EffectKind::If(condition, then, otherwise) => {
                tell_expr(condition);
                [Some(then), otherwise.as_ref()].into_iter().flatten().for_each(|e| tell(Part::Effect(e)));
            }
            EffectKind::For(_, domain, body) => {
                domain.each(&mut tell_expr);
                tell(Part::Effect(body));
            }
            EffectKind::Let(_, e) | EffectKind::Remove(e) | EffectKind::Lift(e) => tell_expr(e),
            EffectKind::Carry { what, .. } => tell_expr(what),
            EffectKind::Put { at, owner, kind, .. } => {
                [at, kind].into_iter().chain(owner.expr()).for_each(tell_expr);
            }
            EffectKind::Turn { at, owner, kind } => {
                let owner = owner.as_ref().and_then(Owner::expr);
                [Some(at), kind.as_ref(), owner].into_iter().flatten().for_each(tell_expr);
            }
            EffectKind::Move { from, to, upto, .. } => {
                [from, to].into_iter().chain(upto).for_each(tell_expr);
            }
            EffectKind::SwapSides => {}
            EffectKind::Call(_, args) => args.iter().for_each(tell_expr),
            EffectKind::Assign { index, value, .. } => index.iter().chain([value]).for_each(tell_expr),
        }
    }
}

impl Flow {
    /// The flows that it is made of.
    pub(crate) fn parts(&self) -> &[Flow] {
        match self {
            Flow::Decision(_) | Flow::Pass => &[],
            Flow::Sequence(list) | Flow::Either(list) => list,
            Flow::Try(f)
            | Flow::May(f)
            | Flow::Repeat(f)
            | Flow::Longest(f)
            | Flow::If(f, _)
            | Flow::By(f, _) => std::slice::from_ref::<Flow>(f),
        }
    }
}
