//! The steps of rules.

use std::collections::HashMap;

use super::super::builtins::Extra;
use super::super::cycles::Item;
use super::super::tree::{
    Decision, Domain, Effect, EffectKind, Expr, ExprKind, Flow, Outcome, Pattern, Relation, Rules, StateVar,
    Trait,
};
use super::super::walk::Part;
use super::size::{Sizes, UNBOUNDED};
use crate::limits::{FOLLOWED, LONGEST_PATHS, LONGEST_RANGE};
use crate::source::Span;

/// One loop: how its name ranges, and where.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Loop {
    pub name: String,
    pub size: u64,
    pub span: Span,
}

impl Loop {
    pub fn print(&self) -> String {
        match self.size {
            UNBOUNDED.. => format!("`{}`, whose range has no known bound below {LONGEST_RANGE}", self.name),
            n => format!("`{}` of {n}", self.name),
        }
    }
}

/// The work of a part of a rule.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Work {
    /// All steps.
    pub steps: u64,
    /// The loops of the greatest product, outermost first.
    pub loops: Vec<Loop>,
}

impl Work {
    pub fn product(&self) -> u64 {
        self.loops.iter().fold(1, |n, l| n.saturating_mul(l.size))
    }

    /// So many more steps.
    fn plus(self, steps: u64) -> Work {
        Work { steps: self.steps.saturating_add(steps), ..self }
    }

    /// As often as that.
    pub fn again(self, times: usize) -> Work {
        Work { steps: self.steps.saturating_mul(times as u64), ..self }
    }

    /// Both one after the other.
    pub fn and(self, other: Work) -> Work {
        let loops = if other.product() > self.product() { other.loops } else { self.loops };
        Work { steps: self.steps.saturating_add(other.steps), loops }
    }

    /// One or the other.
    fn or(self, other: Work) -> Work {
        let steps = self.steps.max(other.steps);
        Work { steps, ..self.and(other) }
    }

    /// The same again for each member of a domain.
    fn times(mut self, one: Loop) -> Work {
        self.steps = self.steps.saturating_mul(one.size);
        if one.size > 1 {
            self.loops.insert(0, one);
        }
        self
    }
}

/// The costs of a game's rules.
pub(super) struct Costs<'r> {
    rules: &'r Rules,
    pub sizes: Sizes<'r>,
    /// The cached work of items.
    pub known: HashMap<Item, Work>,
}

impl<'r> Costs<'r> {
    pub fn new(rules: &'r Rules) -> Costs<'r> {
        Costs { rules, sizes: Sizes::new(rules), known: HashMap::new() }
    }

    /// The work of an item.
    pub fn of(&mut self, item: Item) -> Work {
        if let Some(work) = self.known.get(&item) {
            return work.clone();
        }
        let work = self.find(item).unwrap_or_default();
        self.known.insert(item, work.clone());
        work
    }

    fn find(&mut self, item: Item) -> Option<Work> {
        let rules = self.rules;
        Some(match item {
            // Of bodies for each player one is worked out.
            Item::Define(i) => rules.defines.get(i)?.bodies.iter().map(|e| self.expr(e)).reduce(Work::or)?,
            Item::Effect(i) => self.list(&rules.effects.get(i)?.body),
            Item::Decision(i) => self.of_decision(rules.decisions.get(i)?),
            Item::Relation(i) => self.pattern(&rules.relations.get(i)?.pattern),
            // Each kind by its own pattern, as each of the players sees it.
            Item::Trait(i) => {
                let all = rules.traits.get(i)?.patterns();
                all.fold(Work::default(), |work, p| work.and(self.pattern(p))).again(rules.players.len())
            }
            // The other players, each asked whether they are skipped.
            Item::Skip => self.expr(rules.turn.skip.as_ref()?).again(rules.players.len()),
            Item::Flow(_) => return None,
        })
    }

    fn of_decision(&mut self, d: &Decision) -> Work {
        let mut work = self.list(&d.effects).plus(1);
        for e in d.where_.iter().chain(&d.keeps).chain(&d.weight).chain(d.lets.iter().map(|(_, e)| e)) {
            work = work.and(self.expr(e));
        }
        for var in d.vars.iter().rev() {
            let domain = self.domain(&var.domain);
            let one = self.sizes.loop_of(var.local, &var.domain, d.span);
            work = work.times(one).and(domain);
        }
        work.and(d.when.as_ref().map(|e| self.expr(e)).unwrap_or_default())
    }

    /// How many choices a decision has at most, of numbers only if asked so.
    pub fn choices(&mut self, d: &Decision, numbers: bool) -> u64 {
        let vars = d.vars.iter().filter(|v| !numbers || matches!(v.domain, Domain::Range(..)));
        let sizes = vars.map(|v| self.sizes.loop_of(v.local, &v.domain, d.span).size);
        sizes.fold(1, u64::saturating_mul)
    }

    /// The starts of a state variable's entries.
    pub fn start(&mut self, state: &StateVar) -> Work {
        let sizes = state.per.iter().map(|per| (self.rules.indices(*per) as u64).max(1));
        let size = sizes.fold(1, u64::saturating_mul);
        let work = state.start.iter().fold(Work::default(), |work, e| work.and(self.expr(e)));
        work.times(Loop { name: state.name.clone(), size, span: state.span })
    }

    pub fn pattern(&mut self, pattern: &Pattern) -> Work {
        let clauses = pattern.walks.iter().flat_map(|w| [&w.through, &w.over, &w.onto, &w.leaving]);
        let walks = pattern.walks.len() as u64;
        clauses.flatten().fold(Work::default(), |work, e| work.and(self.expr(e))).plus(walks)
    }

    /// The work of following a relation once, and how many walks are followed then.
    pub fn follow(&mut self, relation: Relation) -> (Work, u64) {
        let rules = self.rules;
        match relation {
            Relation::Near => (Work::default().plus(1), 1),
            Relation::Named(i) => {
                let walks = rules.relations.get(i).map_or(0, |named| named.pattern.walks.len());
                (self.of(Item::Relation(i)), walks as u64)
            }
            Relation::Trait(i) => {
                let patterns = rules.traits.get(i).into_iter().flat_map(Trait::patterns);
                let walks: usize = patterns.map(|p| p.walks.len()).sum();
                (self.of(Item::Trait(i)), (walks * rules.players.len()) as u64)
            }
        }
    }

    /// The work of following a relation repeatedly, until all sites are reached.
    fn follow_on(&mut self, relation: Relation) -> Work {
        let (work, walks) = self.follow(relation);
        work.plus(walks.saturating_mul(self.sizes.sites()))
    }

    fn domain(&mut self, domain: &Domain) -> Work {
        let mut work = Work::default();
        domain.each(&mut |e| work = std::mem::take(&mut work).and(self.expr(e)));
        work
    }

    pub fn expr(&mut self, e: &Expr) -> Work {
        let own = match &e.kind {
            ExprKind::Quantified(_, local, domain, body) | ExprKind::Where(local, domain, body) => {
                let one = self.sizes.loop_of(*local, domain, e.span);
                return self.each_of(domain, one, Part::Expr(body));
            }
            ExprKind::Builtin(b, _) => match b.about().1 {
                Extra::Step => Work::default(),
                Extra::Sites => Work::default().plus(self.sizes.sites()),
                Extra::Skip => self.of(Item::Skip),
            },
            ExprKind::Call(f, ..) => self.of(Item::Define(*f)),
            ExprKind::Follow { relation, .. } => self.follow(*relation).0,
            ExprKind::Distance(s, ..) | ExprKind::Ring(s, ..) | ExprKind::Flood(s, ..) => {
                self.follow_on(s.relation)
            }
            ExprKind::FollowTimes(s, _, n) => {
                let (mut work, walks) = self.follow(s.relation);
                let times = self.sizes.at_most(n, i64::from(FOLLOWED));
                work.steps = work.steps.saturating_add(walks).saturating_mul(times);
                work
            }
            ExprKind::Line(..) => Work::default().plus(self.sizes.longest),
            ExprKind::Can(d, _) => self.of(Item::Decision(*d)),
            _ => Work::default(),
        };
        self.with_parts(own, Part::Expr(e))
    }

    /// One step and the own work, then the parts.
    fn with_parts(&mut self, own: Work, of: Part<'_>) -> Work {
        let mut work = own.plus(1);
        of.each(&mut |part| work = std::mem::take(&mut work).and(self.part(part)));
        work
    }

    pub fn part(&mut self, part: Part<'_>) -> Work {
        match part {
            Part::Expr(e) => self.expr(e),
            Part::Effect(e) => self.effect(e),
        }
    }

    /// A loop: its body for each member of its domain.
    fn each_of(&mut self, domain: &Domain, one: Loop, body: Part<'_>) -> Work {
        let inside = self.domain(domain);
        self.part(body).times(one).and(inside).plus(1)
    }

    pub fn list(&mut self, effects: &[Effect]) -> Work {
        effects.iter().fold(Work::default(), |work, e| work.and(self.effect(e)))
    }

    fn effect(&mut self, e: &Effect) -> Work {
        let own = match &e.kind {
            EffectKind::For(local, domain, body) => {
                let one = self.sizes.loop_of(*local, domain, e.span);
                return self.each_of(domain, one, Part::Effect(body));
            }
            EffectKind::Call(f, _) => self.of(Item::Effect(*f)),
            EffectKind::Move { upto: Some(_), .. } => {
                Work::default().plus(u64::from(self.rules.stack().unwrap_or(1)))
            }
            EffectKind::Block(_)
            | EffectKind::If(..)
            | EffectKind::Let(..)
            | EffectKind::Put { .. }
            | EffectKind::Move { .. }
            | EffectKind::Remove(_)
            | EffectKind::Lift(_)
            | EffectKind::Turn { .. }
            | EffectKind::Carry { .. }
            | EffectKind::SwapSides
            | EffectKind::Assign { .. } => Work::default(),
        };
        self.with_parts(own, Part::Effect(e))
    }

    pub fn outcome(&mut self, outcome: &Outcome) -> Work {
        match outcome {
            Outcome::If(c, a, b) => self.expr(c).and(self.outcome(a)).and(self.outcome(b)),
            Outcome::Wins(e) | Outcome::Loses(e) => self.expr(e),
            Outcome::Places(e) => {
                let mut work = self.expr(e);
                work.steps = work.steps.saturating_mul(self.rules.players.len() as u64);
                work
            }
            Outcome::Pass | Outcome::Draw | Outcome::Score => Work::default(),
        }
    }

    /// The decisions and conditions of a flow that is resolved so often.
    pub fn flow(&mut self, flow: &Flow, mut times: u64, found: &mut Vec<(Work, Span, String)>) {
        match flow {
            Flow::Decision(d) => {
                let Some(of) = self.rules.decisions.get(*d) else { return };
                let what = match times {
                    1 => format!("decision `{}`", of.name),
                    _ => super::longest(&of.name),
                };
                let mut work = self.of(Item::Decision(*d));
                work.steps = work.steps.saturating_mul(times);
                found.push((work, of.span, what));
            }
            Flow::Longest(_) => times = times.saturating_mul(LONGEST_PATHS as u64),
            Flow::If(_, e) | Flow::By(_, e) => {
                let mut work = self.expr(e);
                work.steps = work.steps.saturating_mul(times);
                found.push((work, e.span, "this condition of a flow".to_owned()));
            }
            _ => {}
        }
        flow.parts().iter().for_each(|f| self.flow(f, times, found));
    }
}

impl Costs<'_> {
    /// The decisions of a turn that may not bring back a position: each choice is made, what may be left of the turn is
    /// resolved, and the turn ended, which takes so many `steps`.
    pub fn tries(&mut self, turn: &Flow, steps: u64, found: &mut Vec<(Work, Span, String)>) {
        let rules = self.rules;
        for (i, d) in rules.decisions.iter().enumerate().filter(|(_, d)| !d.repeats) {
            let Some(rest) = self.rest(turn, i) else { continue };
            let one = self.list(&d.effects).steps.saturating_add(rest).saturating_add(steps);
            let steps = one.saturating_mul(self.choices(d, false));
            let what = format!("what `repeats` asks of each choice of decision `{}`", d.name);
            let mut work = self.of(Item::Decision(i));
            work.steps = steps;
            found.push((work, d.span, what));
        }
    }

    /// The steps of what a flow may resolve after a decision in it; none where it is not in it.
    fn rest(&mut self, flow: &Flow, decision: usize) -> Option<u64> {
        if let Flow::Decision(d) = flow {
            return (*d == decision).then_some(0);
        }
        let parts = flow.parts();
        let mut most = None;
        for (i, part) in parts.iter().enumerate() {
            let Some(inside) = self.rest(part, decision) else { continue };
            let behind: &[Flow] = match flow {
                Flow::Sequence(_) => parts.get(i + 1..).unwrap_or(&[]),
                Flow::Repeat(_) | Flow::Longest(_) => std::slice::from_ref(flow),
                _ => &[],
            };
            let mut found = Vec::new();
            behind.iter().for_each(|flow| self.flow(flow, 1, &mut found));
            let all = found.iter().fold(inside, |n, (work, ..)| n.saturating_add(work.steps));
            most = most.max(Some(all));
        }
        most
    }
}

/// How many paths a flow compares at most, times those that are compared along each of them.
pub(super) fn paths(flow: &Flow) -> u64 {
    let inside = flow.parts().iter().map(paths).max().unwrap_or(1);
    match flow {
        Flow::Longest(_) => inside.saturating_mul(LONGEST_PATHS as u64),
        _ => inside,
    }
}
