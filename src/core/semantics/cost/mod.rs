//! How much work a rule can be.
//!
//! Every rule ends, but `count i in 1..2000000000` ends next week. A step is one part of a rule, worked out once.
//! So a rule takes as many steps as it has parts, each counted once for each member of the domains around it,
//! with definitions, effects and the patterns of relations inlined, and with the decisions and conditions of `can`
//! and `next` ([`work`]). It does not matter where an expression is written: its steps are the same.
//! How many members a domain has is bounded from above ([`size`]), so most rules take far fewer steps.
//!
//! More than [`PLY_STEPS`] in one rule, or in all rules that one ply can ask, is an error. What is less says nothing of
//! the speed: that is measured in play ([`crate::analysis::check`]), and [`Dear`] says where the work of a rule lies.

mod dear;
mod size;
mod work;

use super::cycles::Item;
use super::tree::{Decision, Effect, Outcome, Rules, Trait, TraitValues};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::limits::{LONGEST_PATHS, LONGEST_RANGE, PLY_STEPS};
use crate::source::Span;
pub use dear::Dear;
use size::UNBOUNDED;
use work::{Costs, Loop, Work};

/// More choices of a decision than this are an error: a position keeps the list of them. It is a bound
/// from above, far above the number that a position really offers.
const MAX_CHOICES: u64 = 100_000_000;

/// More numbers to choose from than this are an error: of these each is really offered.
const MAX_NUMBER_CHOICES: u64 = 65_536;

/// Reports rules that are too much work.
struct Judge<'a> {
    out: &'a mut Diagnostics,
}

impl Judge<'_> {
    /// Judges a rule. A refused rule costs nothing from now on: a rule that is too much by itself is reported once, not
    /// at every place that names it.
    fn of(&mut self, work: &mut Work, span: Span, what: &str) {
        let unbounded = work.loops.iter().any(|l| l.size >= UNBOUNDED);
        let mut d = if unbounded {
            let message = format!("{what} has a range that may be longer than {LONGEST_RANGE} numbers");
            Diagnostic::error("cost", span, message)
        } else if work.steps > PLY_STEPS {
            Diagnostic::error("cost", span, format!("{what} can take more than {} steps", power(PLY_STEPS)))
        } else {
            return;
        };
        let list: Vec<String> = work.loops.iter().map(Loop::print).collect();
        d = d.here(list.join(", for each of them "));
        if let (Some(most), true) = (work.loops.iter().max_by_key(|l| l.size), list.len() > 1) {
            d = d.and(most.span, most.print());
        }
        self.out.push(d.help(if unbounded {
            "bound the range, such as `1..min(n, 100)`"
        } else if list.is_empty() {
            "what a rule names is worked out wherever it is named, and what that names in it"
        } else {
            "narrow the domains, or put what does not depend on a name outside its loop"
        }));
        *work = Work::default();
    }

    /// Whether a decision has so many choices that they cannot be kept.
    fn choices(&mut self, choices: u64, numbers: u64, d: &Decision) -> bool {
        let (found, most, what) = match numbers > MAX_NUMBER_CHOICES {
            true => (numbers, MAX_NUMBER_CHOICES, "numbers to choose from"),
            false => (choices, MAX_CHOICES, "choices"),
        };
        let many = numbers < UNBOUNDED && found > most;
        if many {
            let message = format!("decision `{}` can have {found} {what}", d.name);
            self.out.push(
                Diagnostic::error("cost", d.span, message)
                    .here(format!("more than {most}"))
                    .help("narrow the domains of `choose`"),
            );
        }
        many
    }
}

/// Reports rules that can be too much work. Each item stands after those that it names.
pub(super) fn check(rules: &Rules, items: &[Item], out: &mut Diagnostics) {
    let mut costs = Costs::new(rules);
    let mut judge = Judge { out };
    // An item comes before those that name it, so that it is reported there.
    for item in items {
        let mut work = costs.of(*item);
        match *item {
            Item::Relation(i) => {
                let Some(relation) = rules.relations.get(i) else { continue };
                judge.of(&mut work, relation.span, &format!("relation `{}`", relation.name));
            }
            Item::Trait(i) => {
                let Some(Trait { name, values: TraitValues::Patterns(patterns) }) = rules.traits.get(i)
                else {
                    continue;
                };
                let before = judge.out.0.len();
                for (pattern, kind) in patterns.iter().zip(&rules.kinds) {
                    let mut work = pattern.as_ref().map(|p| costs.pattern(p)).unwrap_or_default();
                    judge.of(&mut work, kind.span, &format!("the trait `{name}`"));
                }
                if judge.out.0.len() > before {
                    work = Work::default();
                }
            }
            Item::Define(i) => {
                let Some(f) = rules.defines.get(i) else { continue };
                judge.of(&mut work, f.span, &format!("`{}`", f.name));
            }
            Item::Effect(i) => {
                let Some(f) = rules.effects.get(i) else { continue };
                judge.of(&mut work, f.span, &format!("`{}`", f.name));
            }
            Item::Decision(i) => {
                let Some(d) = rules.decisions.get(i) else { continue };
                match judge.choices(costs.choices(d, false), costs.choices(d, true), d) {
                    true => work = Work::default(),
                    false => judge.of(&mut work, d.span, &format!("decision `{}`", d.name)),
                }
            }
            Item::Flow(_) | Item::Skip => continue,
        }
        costs.known.insert(*item, work);
    }
    for state in &rules.state {
        let mut start = costs.start(state);
        judge.of(&mut start, state.span, &format!("the start of `{}`", state.name));
    }
    let mut alone: Vec<(Work, Span, &str)> = Vec::new();
    let first = |e: &[Effect]| e.first().map(|e| e.span).unwrap_or_default();
    alone.push((costs.list(&rules.setup.effects), first(&rules.setup.effects), "the set-up"));
    if let Some(p) = &rules.position {
        alone.push((costs.list(&p.tidy), first(&p.tidy), "`tidy`"));
    }
    if let Some(e) = &rules.score {
        alone.push((costs.expr(e), e.span, "the score"));
    }
    if let Some(m) = &rules.match_ {
        alone.push((costs.expr(&m.points), m.points.span, "`points`"));
    }
    for (mut work, span, what) in alone {
        judge.of(&mut work, span, what);
    }
    whole_ply(rules, &mut costs, &mut judge);
}

/// Judges the rules that one ply asks for, each and all together.
fn whole_ply(rules: &Rules, costs: &mut Costs<'_>, judge: &mut Judge<'_>) {
    let mut asked: Vec<(Work, Span, String)> = Vec::new();
    let turns = || rules.turn.opening.iter().map(|(f, _)| f).chain([&rules.turn.main]);
    // Ends are evaluated after each ply of a path, too.
    let paths = turns().map(work::paths).max().unwrap_or(1);
    for end in &rules.ends {
        let mut work = costs.expr(&end.when).and(costs.outcome(&end.result));
        if !end.at_turn {
            work.steps = work.steps.saturating_mul(paths);
        }
        asked.push((work, end.span, format!("end `{}`", end.name)));
    }
    let first = rules.turn.finish.first().map(|e| e.span).unwrap_or_default();
    asked.push((costs.list(&rules.turn.finish), first, "`finish`".to_owned()));
    if let Some(e) = &rules.turn.skip {
        // Each player may be asked.
        let work = costs.of(Item::Skip);
        asked.push((work, e.span, "`skip`".to_owned()));
    }
    if let Outcome::If(e, ..) = &rules.turn.stuck {
        asked.push((costs.outcome(&rules.turn.stuck), e.span, "`stuck`".to_owned()));
    }
    let sum = |list: &[(Work, Span, String)]| list.iter().fold(0u64, |n, (w, ..)| n.saturating_add(w.steps));
    let end_of_turn = sum(&asked);
    // A ply is of one turn: the one that costs most counts.
    let turns: Vec<Vec<(Work, Span, String)>> = turns()
        .map(|flow| {
            let mut found = Vec::new();
            costs.flow(flow, 1, &mut found);
            costs.tries(flow, end_of_turn, &mut found);
            found
        })
        .collect();
    asked.extend(turns.into_iter().max_by_key(|t| sum(t)).unwrap_or_default());
    let before = judge.out.0.len();
    for (work, span, what) in &mut asked {
        judge.of(work, *span, what);
    }
    let all = sum(&asked);
    if all > PLY_STEPS
        && !judge.out.0[before..].iter().any(|d| d.code == "cost")
        && let Some((work, span, what)) = asked.iter().max_by_key(|(w, ..)| w.steps)
    {
        let message = format!("one ply can take more than {} steps", power(PLY_STEPS));
        judge.out.push(
            Diagnostic::error("cost", *span, message)
                .here(format!("{} of {all} are for {what}", work.steps))
                .help("narrow the domains of its loops, or ask for less in the rules that are looked at after each ply"),
        );
    }
}

/// The words for a decision of a flow's `longest`.
fn longest(decision: &str) -> String {
    format!("`longest`, which compares up to {LONGEST_PATHS} paths of `{decision}`,")
}

/// A power of ten as people write it.
fn power(n: u64) -> String {
    format!("10^{}", n.ilog10())
}
