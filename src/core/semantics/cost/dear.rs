//! Which part of a rule is most of its work.
//!
//! How much a rule really costs is measured in play ([`crate::analysis::slow`]). What in it costs that is read off the
//! bounds: the search goes from the rule inwards as long as one part is at least half of the whole, and keeps the loops
//! that it enters.

use super::super::code::LocalId;
use super::super::tree::{Decision, Domain, Effect, EffectKind, End, Expr, ExprKind, Rules};
use super::super::walk::Part;
use super::work::{Costs, Loop};
use crate::source::Span;

/// The part of a rule that is most of its work.
#[derive(Clone, PartialEq, Debug)]
pub struct Dear {
    /// Where it stands.
    pub span: Span,
    /// The loops around it, in words, the outermost first; empty where there are none.
    pub loops: String,
}

impl Dear {
    /// The dearest part of a decision: of its choices, or of what they do.
    pub fn of_decision(rules: &Rules, decision: &Decision) -> Option<Dear> {
        Search::new(rules).among(of_decision(decision))
    }

    /// The dearest part of an end's condition.
    pub fn of_end(rules: &Rules, end: &End) -> Option<Dear> {
        Search::new(rules).among(vec![(vec![], Part::Expr(&end.when))])
    }

    /// The dearest part of effects.
    pub fn of_effects(rules: &Rules, effects: &[Effect]) -> Option<Dear> {
        Search::new(rules).among(effects.iter().map(|e| (vec![], Part::Effect(e))).collect())
    }
}

/// Parts, each with the loops over it that are its own. A loop is a name of the rules with its domain.
type Parts<'r> = Vec<(Vec<Around<'r>>, Part<'r>)>;

/// A loop around a part.
#[derive(Clone, Copy)]
struct Around<'r> {
    local: LocalId,
    domain: &'r Domain,
    span: Span,
}

struct Search<'r> {
    rules: &'r Rules,
    costs: Costs<'r>,
    loops: Vec<Loop>,
}

impl<'r> Search<'r> {
    fn new(rules: &'r Rules) -> Search<'r> {
        Search { rules, costs: Costs::new(rules), loops: Vec::new() }
    }

    /// The dearest of some parts, and the dearest in that.
    fn among(&mut self, parts: Parts<'r>) -> Option<Dear> {
        let (_, loops, part) = self.dearest(parts)?;
        Some(self.within(loops, part))
    }

    /// The part of most steps, each taken once for each member of the loops over it.
    fn dearest(&mut self, parts: Parts<'r>) -> Option<(u64, Vec<Loop>, Part<'r>)> {
        let costs = parts.into_iter().map(|(around, part)| {
            let loops: Vec<Loop> =
                around.iter().map(|a| self.costs.sizes.loop_of(a.local, a.domain, a.span)).collect();
            let times = loops.iter().fold(1u64, |n, l| n.saturating_mul(l.size));
            (self.costs.part(part).steps.saturating_mul(times), loops, part)
        });
        costs.max_by_key(|(steps, ..)| *steps)
    }

    fn within(&mut self, loops: Vec<Loop>, part: Part<'r>) -> Dear {
        self.loops.extend(loops);
        let whole = self.costs.part(part).steps;
        match self.dearest(inner(self.rules, part)) {
            Some((steps, loops, inner)) if steps.saturating_mul(2) >= whole => self.within(loops, inner),
            _ => {
                let span = match part {
                    Part::Expr(e) => e.span,
                    Part::Effect(e) => e.span,
                };
                let loops = self.loops.iter().filter(|l| l.size > 1).map(Loop::print).collect::<Vec<_>>();
                Dear { span, loops: loops.join(", for each of them ") }
            }
        }
    }
}

/// The parts of a decision: each is asked for all choices of the names before it.
fn of_decision<'r>(d: &'r Decision) -> Parts<'r> {
    let vars: Vec<Around<'r>> =
        d.vars.iter().map(|v| Around { local: v.local, domain: &v.domain, span: d.span }).collect();
    let conditions = d.where_.iter().chain(&d.keeps).chain(d.lets.iter().map(|(_, e)| e));
    let mut parts: Parts<'r> = conditions.map(|e| (vars.clone(), Part::Expr(e))).collect();
    for (i, var) in d.vars.iter().enumerate() {
        var.domain.each(&mut |e| parts.push((vars[..i].to_vec(), Part::Expr(e))));
    }
    parts.extend(d.when.iter().map(|e| (vec![], Part::Expr(e))));
    parts.extend(d.effects.iter().map(|e| (vec![], Part::Effect(e))));
    parts
}

/// What a part is made of, and what it calls.
fn inner<'r>(rules: &'r Rules, part: Part<'r>) -> Parts<'r> {
    let mut parts: Parts<'r> = Vec::new();
    match part {
        Part::Expr(Expr { kind: ExprKind::Quantified(_, local, domain, body), span, .. })
        | Part::Expr(Expr { kind: ExprKind::Where(local, domain, body), span, .. }) => {
            parts.push((vec![Around { local: *local, domain, span: *span }], Part::Expr(body)));
            domain.each(&mut |e| parts.push((vec![], Part::Expr(e))));
            return parts;
        }
        Part::Effect(Effect { kind: EffectKind::For(local, domain, body), span }) => {
            parts.push((vec![Around { local: *local, domain, span: *span }], Part::Effect(body)));
            domain.each(&mut |e| parts.push((vec![], Part::Expr(e))));
            return parts;
        }
        Part::Expr(Expr { kind: ExprKind::Call(f, ..), .. }) => {
            let bodies = rules.defines.get(*f).into_iter().flat_map(|f| &f.bodies);
            parts.extend(bodies.map(|e| (vec![], Part::Expr(e))));
        }
        Part::Effect(Effect { kind: EffectKind::Call(f, _), .. }) => {
            let body = rules.effects.get(*f).into_iter().flat_map(|f| &f.body);
            parts.extend(body.map(|e| (vec![], Part::Effect(e))));
        }
        Part::Expr(Expr { kind: ExprKind::Can(d, _), .. }) => {
            parts.extend(rules.decisions.get(*d).into_iter().flat_map(|d| of_decision(d)));
        }
        _ => {}
    }
    part.each(&mut |part| parts.push((vec![], part)));
    parts
}
