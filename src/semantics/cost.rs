//! How much work a rule can be: the product of the domains that lie in each other.
//!
//! Every rule ends, but `count i in 1..2000000000` ends next week. The cost of a rule is the greatest
//! product of nested domains in it, with definitions and effects as if they stood where they are
//! called, and with what `can` tries. Above sites^3 it is a warning, above 10^9 an error.

use super::tree::{
    BinaryOp, Builtin, Decision, Domain, Effect, EffectKind, Expr, ExprKind, Flow, LocalId, Outcome, Owner,
    Pattern, Per, Relation, Rules, TraitValues, WalkKind,
};
use super::types::Type;
use crate::board::DirGroup;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{FileId, Span};

/// More than this is an error.
const MOST: u64 = 1_000_000_000;

/// More choices of a decision than this are an error: a position keeps the list of them. It is a bound
/// from above, far from what a position really offers.
const MANY: u64 = 100_000_000;

/// More numbers to choose from than this are an error: of these each is really offered.
const MANY_NUMBERS: u64 = 65_536;

/// Less than this is nothing, however small the board is.
const LITTLE: u64 = 100_000;

/// More parts than this, definitions put in, is an error.
const LARGEST: u64 = 1_000_000;

/// A definition with more parts is not looked into for how many members it has.
const SHORT: u64 = 10_000;

/// One loop: how its name ranges, and where.
#[derive(Clone, PartialEq, Debug)]
struct Loop {
    name: String,
    size: u64,
    span: Span,
}

/// The work of a part of a rule.
#[derive(Clone, Default, PartialEq, Debug)]
struct Work {
    /// The loops of the greatest product, outermost first.
    loops: Vec<Loop>,
    /// How many parts there are, definitions put in.
    parts: u64,
}

impl Work {
    fn product(&self) -> u64 {
        self.loops.iter().fold(1, |n, l| n.saturating_mul(l.size))
    }

    /// Both one after the other.
    fn and(self, other: Work) -> Work {
        let parts = self.parts.saturating_add(other.parts);
        let loops = if other.product() > self.product() { other.loops } else { self.loops };
        Work { loops, parts }
    }

    /// The same again for each member of a domain.
    fn times(mut self, one: Loop) -> Work {
        if one.size > 1 {
            self.loops.insert(0, one);
        }
        self
    }
}

/// The costs of a game's rules.
struct Costs<'r> {
    rules: &'r Rules,
    defines: Vec<Option<Work>>,
    effects: Vec<Option<Work>>,
    decisions: Vec<Option<Work>>,
    /// How far a slide goes at most, about: a row or a column of a grid.
    longest: u64,
}

/// Reports rules that can be too much work. Warnings are given on the files that are a game's `own` only.
pub(super) fn check(rules: &Rules, own: &[FileId], out: &mut Diagnostics) {
    let mut costs = Costs {
        rules,
        defines: vec![None; rules.defines.len()],
        effects: vec![None; rules.effects.len()],
        decisions: vec![None; rules.decisions.len()],
        longest: longest(rules),
    };
    let sites = rules.board.len() as u64;
    let much = sites.saturating_pow(3).max(LITTLE);
    let judge = |out: &mut Diagnostics, work: &Work, span: Span, what: String| {
        let product = work.product();
        let mut d = if work.parts > LARGEST {
            Diagnostic::error("cost", span, format!("{what} has more than {LARGEST} parts"))
                .help("definitions are put in where they are named, and those that they name in them")
        } else if work.loops.iter().any(|l| l.size >= UNKNOWN) {
            let message = format!("{what} has a range that may be longer than {LONGEST_RANGE} numbers");
            Diagnostic::error("cost", span, message)
        } else if product > MOST {
            Diagnostic::error("cost", span, format!("{what} can take more than 10^9 steps"))
        } else if product > much && own.contains(&span.file) {
            Diagnostic::warning("cost", span, format!("{what} can take {product} steps"))
        } else {
            return false;
        };
        if work.parts <= LARGEST {
            let unbounded = work.loops.iter().any(|l| l.size >= UNKNOWN);
            let list: Vec<String> = work.loops.iter().map(Loop::print).collect();
            d = d.here(list.join(", for each of them "));
            if let (Some(most), true) = (work.loops.iter().max_by_key(|l| l.size), list.len() > 1) {
                d = d.and(most.span, most.print());
            }
            d = d.help(if unbounded {
                "bound the range, such as `1..min(n, 100)`"
            } else {
                "narrow the domains, or put what does not depend on a name outside its loop"
            });
        }
        out.push(d);
        true
    };
    // A definition that is too much by itself is reported once, not wherever it is named.
    for (i, f) in rules.defines.iter().enumerate() {
        let work = costs.define(i);
        if judge(out, &work, f.span, format!("`{}`", f.name)) {
            costs.defines[i] = Some(Work::default());
        }
    }
    for (i, f) in rules.effects.iter().enumerate() {
        let work = costs.effect_function(i);
        if judge(out, &work, f.span, format!("`{}`", f.name)) {
            costs.effects[i] = Some(Work::default());
        }
    }
    for (i, d) in rules.decisions.iter().enumerate() {
        let work = costs.decision(i);
        let (choices, numbers) = (costs.choices(d, false), costs.choices(d, true));
        if numbers < UNKNOWN && (choices > MANY || numbers > MANY_NUMBERS) {
            let (found, most, what) = match numbers > MANY_NUMBERS {
                true => (numbers, MANY_NUMBERS, "numbers to choose from"),
                false => (choices, MANY, "choices"),
            };
            let message = format!("decision `{}` can have {found} {what}", d.name);
            out.push(
                Diagnostic::error("cost", d.span, message)
                    .here(format!("more than {most}"))
                    .help("narrow the domains of `choose`"),
            );
            costs.decisions[i] = Some(Work::default());
            continue;
        }
        if judge(out, &work, d.span, format!("decision `{}`", d.name)) {
            costs.decisions[i] = Some(Work::default());
        }
    }
    for end in &rules.ends {
        let work = costs.expr(&end.when).and(costs.outcome(&end.result));
        judge(out, &work, end.span, format!("end `{}`", end.name));
    }
    for relation in &rules.relations {
        judge(out, &costs.pattern(&relation.pattern), relation.span, format!("relation `{}`", relation.name));
    }
    for state in &rules.state {
        let entries = state.per.iter().fold(1, |n, p| n * costs.entries(*p));
        let all = Loop { name: state.name.clone(), size: entries, span: state.span };
        let start = costs.exprs(&state.start).times(all);
        judge(out, &start, state.span, format!("the start of `{}`", state.name));
    }
    let kinds = rules.kinds.iter().map(|k| k.span);
    for t in &rules.traits {
        if let TraitValues::Patterns(patterns) = &t.values {
            for (pattern, span) in patterns.iter().zip(kinds.clone()) {
                if let Some(pattern) = pattern {
                    judge(out, &costs.pattern(pattern), span, format!("the trait `{}`", t.name));
                }
            }
        }
    }
    let mut rest: Vec<(Work, Span, &str)> = Vec::new();
    let first = |e: &[Effect]| e.first().map(|e| e.span).unwrap_or_default();
    rest.push((costs.list(&rules.setup.effects), first(&rules.setup.effects), "the set-up"));
    rest.push((costs.list(&rules.turn.finish), first(&rules.turn.finish), "`finish`"));
    if let Some(p) = &rules.position {
        rest.push((costs.list(&p.tidy), first(&p.tidy), "`tidy`"));
    }
    if let Some(e) = &rules.score {
        rest.push((costs.expr(e), e.span, "the score"));
    }
    if let Some(e) = &rules.turn.skip {
        rest.push((costs.expr(e), e.span, "`skip`"));
    }
    let flows = rules.turn.opening.iter().map(|(f, _)| f).chain([&rules.turn.main]);
    for flow in flows {
        costs.flow(flow, &mut rest);
    }
    let stuck = costs.outcome(&rules.turn.stuck);
    if let Outcome::If(e, ..) = &rules.turn.stuck {
        rest.push((stuck, e.span, "`stuck`"));
    }
    for (work, span, what) in rest {
        judge(out, &work, span, what.to_owned());
    }
}

fn longest(rules: &Rules) -> u64 {
    if !rules.board.is_grid() {
        return rules.board.len() as u64;
    }
    let rows = rules.board.picture_rows();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    rows.len().max(columns) as u64
}

/// The longest range that is run through; the machine stops there.
const LONGEST_RANGE: u64 = 65_536;

/// Stands for the size of a range that may be longer than that.
const UNKNOWN: u64 = 1 << 33;

impl Loop {
    fn print(&self) -> String {
        match self.size {
            UNKNOWN.. => format!("`{}`, whose range has no known bound below {LONGEST_RANGE}", self.name),
            n => format!("`{}` of {n}", self.name),
        }
    }
}

impl Costs<'_> {
    fn sites(&self) -> u64 {
        (self.rules.board.len() as u64).max(1)
    }

    fn entries(&self, per: Per) -> u64 {
        match per {
            Per::Player => self.rules.players.len() as u64,
            Per::Site => self.sites(),
            Per::Kind => self.rules.kinds.len() as u64,
        }
    }

    fn define(&mut self, i: usize) -> Work {
        if let Some(Some(work)) = self.defines.get(i) {
            return work.clone();
        }
        let rules = self.rules;
        let work = rules.defines.get(i).map(|f| self.exprs(&f.bodies)).unwrap_or_default();
        if let Some(place) = self.defines.get_mut(i) {
            *place = Some(work.clone());
        }
        work
    }

    fn effect_function(&mut self, i: usize) -> Work {
        if let Some(Some(work)) = self.effects.get(i) {
            return work.clone();
        }
        let rules = self.rules;
        let work = rules.effects.get(i).map(|f| self.list(&f.body)).unwrap_or_default();
        if let Some(place) = self.effects.get_mut(i) {
            *place = Some(work.clone());
        }
        work
    }

    fn decision(&mut self, i: usize) -> Work {
        if let Some(Some(work)) = self.decisions.get(i) {
            return work.clone();
        }
        let rules = self.rules;
        let work = rules.decisions.get(i).map(|d| self.of_decision(d)).unwrap_or_default();
        if let Some(place) = self.decisions.get_mut(i) {
            *place = Some(work.clone());
        }
        work
    }

    fn of_decision(&mut self, d: &Decision) -> Work {
        let mut work = self.list(&d.effects);
        for e in d.where_.iter().chain(&d.keeps).chain(&d.weight).chain(d.lets.iter().map(|(_, e)| e)) {
            work = work.and(self.expr(e));
        }
        for var in d.vars.iter().rev() {
            let domain = self.domain(&var.domain);
            let one = self.loop_of(var.local, &var.domain, d.span);
            work = work.times(one).and(domain);
        }
        work.and(d.when.as_ref().map(|e| self.expr(e)).unwrap_or_default())
    }

    /// How many choices a decision has at most, of numbers only if asked so.
    fn choices(&self, d: &Decision, numbers: bool) -> u64 {
        let vars = d.vars.iter().filter(|v| !numbers || matches!(v.domain, Domain::Range(..)));
        let sizes = vars.map(|v| self.loop_of(v.local, &v.domain, d.span).size);
        sizes.fold(1, u64::saturating_mul)
    }

    fn exprs(&mut self, list: &[Expr]) -> Work {
        list.iter().fold(Work::default(), |work, e| work.and(self.expr(e)))
    }

    fn pattern(&mut self, pattern: &Pattern) -> Work {
        let clauses = pattern.walks.iter().flat_map(|w| [&w.through, &w.over, &w.onto, &w.leaving]);
        clauses.flatten().fold(Work::default(), |work, e| work.and(self.expr(e)))
    }

    fn domain(&mut self, domain: &Domain) -> Work {
        match domain {
            Domain::Range(a, b) => self.expr(a).and(self.expr(b)),
            Domain::Sites(e) | Domain::Kinds(e) => self.expr(e),
            Domain::Players => Work::default(),
        }
    }

    fn expr(&mut self, e: &Expr) -> Work {
        let one = Work { loops: Vec::new(), parts: 1 };
        let inner = match &e.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::None
            | ExprKind::All
            | ExprKind::Site(_)
            | ExprKind::Kind(_)
            | ExprKind::Kinds(_)
            | ExprKind::Player(_)
            | ExprKind::Local(_)
            | ExprKind::Me => return one,
            ExprKind::Builtin(_, args) | ExprKind::State(_, args) => self.exprs(args),
            ExprKind::Call(f, who, args) => {
                let who = who.as_ref().map(|w| self.expr(w)).unwrap_or_default();
                self.define(*f).and(who).and(self.exprs(args))
            }
            ExprKind::Follow { of: a, .. }
            | ExprKind::TraitOf(_, a)
            | ExprKind::Not(a)
            | ExprKind::Some(a)
            | ExprKind::Widen(a) => self.expr(a),
            ExprKind::Distance(_, a, b)
            | ExprKind::Ring(_, a, b)
            | ExprKind::Flood(_, a, b)
            | ExprKind::Line(_, a, b)
            | ExprKind::Binary(_, a, b) => self.expr(a).and(self.expr(b)),
            ExprKind::Can(d, who) => {
                self.decision(*d).and(who.as_ref().map(|w| self.expr(w)).unwrap_or_default())
            }
            ExprKind::If(a, b, c) => self.expr(a).and(self.expr(b)).and(self.expr(c)),
            ExprKind::Quantified(_, local, domain, body) | ExprKind::Where(local, domain, body) => {
                let inside = self.domain(domain);
                let one = self.loop_of(*local, domain, e.span);
                self.expr(body).times(one).and(inside)
            }
            ExprKind::After(effects, body) => self.list(effects).and(self.expr(body)),
        };
        inner.and(one)
    }

    fn list(&mut self, effects: &[Effect]) -> Work {
        effects.iter().fold(Work::default(), |work, e| work.and(self.effect(e)))
    }

    fn effect(&mut self, e: &Effect) -> Work {
        let one = Work { loops: Vec::new(), parts: 1 };
        let inner = match &e.kind {
            EffectKind::Block(list) => self.list(list),
            EffectKind::If(c, a, b) => {
                let b = b.as_ref().map(|b| self.effect(b)).unwrap_or_default();
                self.expr(c).and(self.effect(a)).and(b)
            }
            EffectKind::For(local, domain, body) => {
                let inside = self.domain(domain);
                let one = self.loop_of(*local, domain, e.span);
                self.effect(body).times(one).and(inside)
            }
            EffectKind::Let(_, e) | EffectKind::Remove(e) | EffectKind::Lift(e) => self.expr(e),
            EffectKind::Put { at, owner, kind, .. } => {
                self.expr(at).and(self.expr(kind)).and(self.owner(Some(owner)))
            }
            EffectKind::Turn { at, owner, kind } => {
                let kind = kind.as_ref().map(|e| self.expr(e)).unwrap_or_default();
                self.expr(at).and(kind).and(self.owner(owner.as_ref()))
            }
            EffectKind::Move(a, b) => self.expr(a).and(self.expr(b)),
            EffectKind::Carry { what, .. } => self.expr(what),
            EffectKind::SwapSides => return one,
            EffectKind::Call(f, args) => self.effect_function(*f).and(self.exprs(args)),
            EffectKind::Assign { index, value, .. } => self.exprs(index).and(self.expr(value)),
        };
        inner.and(one)
    }

    fn owner(&mut self, owner: Option<&Owner>) -> Work {
        match owner {
            Some(Owner::Player(e)) => self.expr(e),
            _ => Work::default(),
        }
    }

    fn outcome(&mut self, outcome: &Outcome) -> Work {
        match outcome {
            Outcome::If(c, a, b) => self.expr(c).and(self.outcome(a)).and(self.outcome(b)),
            Outcome::Wins(e) => self.expr(e),
            Outcome::Pass | Outcome::Draw | Outcome::Score => Work::default(),
        }
    }

    /// The conditions in a flow.
    fn flow(&mut self, flow: &Flow, found: &mut Vec<(Work, Span, &str)>) {
        match flow {
            Flow::Decision(_) | Flow::Pass => {}
            Flow::Sequence(list) | Flow::Either(list) => list.iter().for_each(|f| self.flow(f, found)),
            Flow::Try(f) | Flow::May(f) | Flow::Repeat(f) | Flow::Longest(f) => self.flow(f, found),
            Flow::If(f, e) | Flow::By(f, e) => {
                found.push((self.expr(e), e.span, "this condition of a flow"));
                self.flow(f, found);
            }
        }
    }

    fn loop_of(&self, local: LocalId, domain: &Domain, span: Span) -> Loop {
        let name = self.rules.locals.get(local.0 as usize).map(|l| l.name.clone()).unwrap_or_default();
        let (size, span) = match domain {
            Domain::Range(a, b) => (self.range(a, b), a.span.to(b.span)),
            Domain::Sites(e) => (self.members(e), e.span),
            Domain::Kinds(e) => match &e.kind {
                ExprKind::Kinds(list) => (list.len() as u64, e.span),
                _ => (self.rules.kinds.len() as u64, e.span),
            },
            Domain::Players => (self.rules.players.len() as u64, span),
        };
        Loop { name, size: size.max(1), span }
    }

    fn range(&self, a: &Expr, b: &Expr) -> u64 {
        match (self.bounds(a), self.bounds(b)) {
            (Some((low, _)), Some((_, high))) => match u64::try_from(high - low + 1).unwrap_or(0) {
                n if n > LONGEST_RANGE => UNKNOWN,
                n => n,
            },
            _ => UNKNOWN,
        }
    }

    /// The bodies of a definition that is short enough to look into.
    fn bodies(&self, f: usize) -> Option<&[Expr]> {
        let short = self.defines.get(f)?.as_ref().is_some_and(|w| w.parts <= SHORT);
        self.rules.defines.get(f).filter(|_| short).map(|f| &f.bodies[..])
    }

    /// The least and the greatest value of a number, where they are known.
    fn bounds(&self, e: &Expr) -> Option<(i64, i64)> {
        let sites = self.sites() as i64;
        let clip = |n: i64| n.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
        Some(match &e.kind {
            ExprKind::Int(n) => (i64::from(*n), i64::from(*n)),
            ExprKind::Builtin(b, args) => match (b, &args[..]) {
                (Builtin::Count, _) => (0, sites.max(self.rules.kinds.len() as i64)),
                (Builtin::RowOf | Builtin::ColumnOf, _) => (0, sites),
                (Builtin::Height, _) => {
                    (0, self.rules.kinds.iter().map(|k| i64::from(k.stack)).max().unwrap_or(1))
                }
                (Builtin::Min, [a, b]) => match (self.bounds(a), self.bounds(b)) {
                    (Some(a), Some(b)) => (a.0.min(b.0), a.1.min(b.1)),
                    // One end is enough for what ranges up to it.
                    (Some(one), None) | (None, Some(one)) => (i64::from(i32::MIN), one.1),
                    (None, None) => return None,
                },
                (Builtin::Max, [a, b]) => match (self.bounds(a), self.bounds(b)) {
                    (Some(a), Some(b)) => (a.0.max(b.0), a.1.max(b.1)),
                    (Some(one), None) | (None, Some(one)) => (one.0, i64::from(i32::MAX)),
                    (None, None) => return None,
                },
                _ => return None,
            },
            ExprKind::Distance(..) => (0, sites),
            ExprKind::TraitOf(t, _) => match &self.rules.traits.get(*t)?.values {
                TraitValues::Ints(list) => {
                    let all = || list.iter().map(|n| i64::from(*n)).chain([0]);
                    (all().min()?, all().max()?)
                }
                _ => return None,
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                match op {
                    BinaryOp::Add => (clip(a.0 + b.0), clip(a.1 + b.1)),
                    BinaryOp::Subtract => (clip(a.0 - b.1), clip(a.1 - b.0)),
                    BinaryOp::Multiply => {
                        let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1].map(clip);
                        (all.into_iter().min()?, all.into_iter().max()?)
                    }
                    BinaryOp::Divide => {
                        let most = a.0.abs().max(a.1.abs());
                        (-most, most)
                    }
                    BinaryOp::Modulo => {
                        let most = b.0.abs().max(b.1.abs());
                        (if a.0 < 0 { -most } else { 0 }, most)
                    }
                    _ => return None,
                }
            }
            ExprKind::If(_, a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                (a.0.min(b.0), a.1.max(b.1))
            }
            ExprKind::State(s, _) => {
                let var = self.rules.state.get(*s)?;
                match var.shuffle {
                    Some((low, high)) if !var.assigned => (i64::from(low), i64::from(high)),
                    _ => return None,
                }
            }
            ExprKind::Call(f, _, _) => {
                let bodies = self.bodies(*f)?;
                let all: Option<Vec<_>> = bodies.iter().map(|b| self.bounds(b)).collect();
                let all = all?;
                (all.iter().map(|b| b.0).min()?, all.iter().map(|b| b.1).max()?)
            }
            _ => return None,
        })
    }

    /// How many sites a set has at most.
    fn members(&self, e: &Expr) -> u64 {
        let sites = self.sites();
        let found = match &e.kind {
            _ if matches!(e.ty, Type::Site | Type::SiteOpt) => 1,
            ExprKind::None => 0,
            ExprKind::Widen(inner) => match inner.ty {
                Type::Site | Type::SiteOpt => 1,
                _ => sites,
            },
            ExprKind::Binary(BinaryOp::Meet, a, b) => self.members(a).min(self.members(b)),
            ExprKind::Binary(BinaryOp::Minus, a, _) => self.members(a),
            ExprKind::Binary(BinaryOp::Union, a, b) => self.members(a) + self.members(b),
            ExprKind::Binary(BinaryOp::Otherwise, a, b) | ExprKind::If(_, a, b) => {
                self.members(a).max(self.members(b))
            }
            ExprKind::Where(_, domain, _) => match &**domain {
                Domain::Sites(e) => self.members(e),
                _ => sites,
            },
            ExprKind::Call(f, _, _) => {
                let bodies = self.bodies(*f).unwrap_or_default();
                bodies.iter().map(|b| self.members(b)).max().unwrap_or(sites)
            }
            ExprKind::Follow { relation, converse: false, of } => {
                self.members(of).saturating_mul(self.reach(*relation))
            }
            _ => sites,
        };
        found.min(sites)
    }

    /// How many sites a relation reaches from one at most.
    fn reach(&self, relation: Relation) -> u64 {
        let sites = self.sites();
        match relation {
            Relation::Near if self.rules.board.is_grid() => 6,
            Relation::Near => sites,
            Relation::Named(r) => self.rules.relations.get(r).map_or(sites, |p| self.ends(&p.pattern)),
            Relation::Trait(t) => match self.rules.traits.get(t).map(|t| &t.values) {
                Some(TraitValues::Patterns(list)) => {
                    list.iter().flatten().map(|p| self.ends(p)).max().unwrap_or(0)
                }
                _ => sites,
            },
        }
    }

    fn ends(&self, pattern: &Pattern) -> u64 {
        let sites = self.sites();
        let dirs = |group: &DirGroup| match group {
            DirGroup::Fixed(list) => list.len() as u64,
            DirGroup::PerPlayer(each) => each.iter().map(|l| l.len() as u64).max().unwrap_or(0),
        };
        let walk = |kind: &WalkKind, upto: Option<u32>| match kind {
            WalkKind::Leap(..) => 12,
            WalkKind::Step(group) => dirs(group),
            WalkKind::Slide(group) => dirs(group).saturating_mul(upto.map_or(self.longest, u64::from)),
            WalkKind::Walk(groups) => groups.iter().fold(1, |n: u64, g| n.saturating_mul(dirs(g))),
            WalkKind::Pairs(pairs) => pairs.len() as u64,
        };
        pattern.walks.iter().fold(0u64, |n, w| n.saturating_add(walk(&w.kind, w.upto))).min(sites)
    }
}
