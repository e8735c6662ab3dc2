//! Walks over the typed tree: what an expression or an effect names.

use std::collections::BTreeSet;

use crate::semantics::{Domain, Effect, EffectKind, Expr, ExprKind, LocalId, Owner};

/// The locals that an expression names.
pub(super) fn locals_of(e: &Expr, out: &mut BTreeSet<LocalId>) {
    each(e, &mut |e| {
        if let ExprKind::Local(id) = &e.kind {
            out.insert(*id);
        }
    });
}

/// The locals that an effect names.
pub(super) fn locals_of_effect(e: &Effect, out: &mut BTreeSet<LocalId>) {
    each_in_effect(e, &mut |e| {
        if let ExprKind::Local(id) = &e.kind {
            out.insert(*id);
        }
    });
}

/// Visits an expression and everything in it.
pub(super) fn each<'e>(e: &'e Expr, f: &mut dyn FnMut(&'e Expr)) {
    f(e);
    match &e.kind {
        ExprKind::Builtin(_, args) | ExprKind::State(_, args) => args.iter().for_each(|a| each(a, f)),
        ExprKind::Call(_, who, args) => {
            who.iter().for_each(|w| each(w, f));
            args.iter().for_each(|a| each(a, f));
        }
        ExprKind::Follow { of, .. } => each(of, f),
        ExprKind::Distance(_, a, b)
        | ExprKind::Ring(_, a, b)
        | ExprKind::Flood(_, a, b)
        | ExprKind::Line(_, a, b)
        | ExprKind::Binary(_, a, b) => {
            each(a, f);
            each(b, f);
        }
        ExprKind::TraitOf(_, a) | ExprKind::Not(a) | ExprKind::Some(a) | ExprKind::Widen(a) => each(a, f),
        ExprKind::Can(_, who) => who.iter().for_each(|w| each(w, f)),
        ExprKind::If(a, b, c) => {
            each(a, f);
            each(b, f);
            each(c, f);
        }
        ExprKind::Quantified(_, _, d, b) | ExprKind::Where(_, d, b) => {
            each_in_domain(d, f);
            each(b, f);
        }
        ExprKind::After(effects, b) => {
            effects.iter().for_each(|e| each_in_effect(e, f));
            each(b, f);
        }
        ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::None
        | ExprKind::All
        | ExprKind::Site(_)
        | ExprKind::Kind(_)
        | ExprKind::Kinds(_)
        | ExprKind::Player(_)
        | ExprKind::Local(_)
        | ExprKind::Me => {}
    }
}

fn each_in_domain<'e>(d: &'e Domain, f: &mut dyn FnMut(&'e Expr)) {
    match d {
        Domain::Range(a, b) => {
            each(a, f);
            each(b, f);
        }
        Domain::Sites(e) | Domain::Kinds(e) => each(e, f),
        Domain::Players => {}
    }
}

fn each_in_effect<'e>(e: &'e Effect, f: &mut dyn FnMut(&'e Expr)) {
    let owner = |o: &'e Owner, f: &mut dyn FnMut(&'e Expr)| {
        if let Owner::Player(e) = o {
            each(e, f);
        }
    };
    match &e.kind {
        EffectKind::Block(list) => list.iter().for_each(|e| each_in_effect(e, f)),
        EffectKind::If(c, a, b) => {
            each(c, f);
            each_in_effect(a, f);
            b.iter().for_each(|b| each_in_effect(b, f));
        }
        EffectKind::For(_, d, b) => {
            each_in_domain(d, f);
            each_in_effect(b, f);
        }
        EffectKind::Let(_, e) | EffectKind::Remove(e) | EffectKind::Lift(e) => each(e, f),
        EffectKind::Put { at, owner: o, kind, .. } => {
            each(at, f);
            owner(o, f);
            each(kind, f);
        }
        EffectKind::Move(a, b) => {
            each(a, f);
            each(b, f);
        }
        EffectKind::Turn { at, owner: o, kind } => {
            each(at, f);
            o.iter().for_each(|o| owner(o, f));
            kind.iter().for_each(|k| each(k, f));
        }
        EffectKind::Carry { what, .. } => each(what, f),
        EffectKind::SwapSides => {}
        EffectKind::Call(_, args) => args.iter().for_each(|a| each(a, f)),
        EffectKind::Assign { index, value, .. } => {
            index.iter().for_each(|a| each(a, f));
            each(value, f);
        }
    }
}
