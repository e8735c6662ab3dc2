//! Joins made on syntax trees.

use super::merge::{Placed, Slot};
use super::model::{Part, PerPlayer, Rule};
use super::schema::Join;
use super::value::{Held, Value};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Span;
use crate::syntax::ast::{self, Effects, Expr, ExprKind, Flow, FlowKind, Name, Op, Pattern, WalkKind};

/// Rules that overlays can add to.
pub(super) trait Joined: Held + Clone {
    /// Adds another tree. `condition`: both are conditions.
    fn join(&mut self, new: &Self, join: Join, condition: bool, span: Span);
}

impl Joined for Expr {
    fn join(&mut self, new: &Expr, join: Join, condition: bool, span: Span) {
        let op = match join {
            Join::Or if condition => Op::Or,
            Join::And if condition => Op::And,
            Join::Or => Op::Union,
            Join::And => Op::Meet,
            Join::Without => Op::Minus,
            _ => Op::Plus,
        };
        let old = self.clone();
        *self = Expr { kind: ExprKind::Binary(op, Box::new(old), Box::new(new.clone())), span };
    }
}

impl Joined for Pattern {
    fn join(&mut self, new: &Pattern, _: Join, _: bool, _: Span) {
        self.walks.extend(new.walks.iter().cloned());
        // `none` adds nothing to what there is.
        if self.walks.iter().any(|walk| walk.kind != WalkKind::None) {
            self.walks.retain(|walk| walk.kind != WalkKind::None);
        }
    }
}

impl Joined for Effects {
    fn join(&mut self, new: &Effects, join: Join, _: bool, _: Span) {
        add_to(&mut self.0, new.0.iter().cloned(), Some(join));
    }
}

impl Joined for Flow {
    fn join(&mut self, new: &Flow, join: Join, _: bool, span: Span) {
        let parts = |flow: &Flow| match &flow.kind {
            FlowKind::Sequence(parts) => parts.clone(),
            _ => vec![flow.clone()],
        };
        let kind = match join {
            Join::Or => {
                let mut parts = match &self.kind {
                    FlowKind::Either(parts) => parts.clone(),
                    _ => vec![self.clone()],
                };
                parts.push(new.clone());
                FlowKind::Either(parts)
            }
            Join::First => FlowKind::Sequence([parts(new), parts(self)].concat()),
            _ => FlowKind::Sequence([parts(self), parts(new)].concat()),
        };
        *self = Flow { kind, span };
    }
}

impl Joined for ast::Outcome {
    fn join(&mut self, _: &ast::Outcome, _: Join, _: bool, _: Span) {}
}

impl Joined for ast::Choose {
    fn join(&mut self, _: &ast::Choose, _: Join, _: bool, _: Span) {}
}

/// Adds the entries of one overlay to a list: at its beginning if they join it so.
fn add_to<T>(list: &mut Vec<T>, new: impl Iterator<Item = T>, join: Option<Join>) {
    match join {
        Some(Join::First) => drop(list.splice(0..0, new)),
        _ => list.extend(new),
    }
}

/// The entries of a list with all joins; `entries` makes them of the value of one overlay.
pub(super) fn list<H: Held, T, I: IntoIterator<Item = T>>(
    slot: &Slot,
    entries: impl Fn(&H, &Placed) -> I,
) -> Vec<T> {
    let mut all = Vec::new();
    for placed in in_order(slot) {
        if let Some(held) = H::of(&placed.entry.value) {
            add_to(&mut all, entries(held, placed).into_iter(), placed.entry.join);
        }
    }
    all
}

fn part(placed: &Placed) -> Part {
    Part { span: placed.entry.span, origin: placed.origin }
}

/// The value that sets a slot, then those that join it: widening joins before narrowing ones before
/// lists, each in the order of declaration.
pub(super) fn in_order(slot: &Slot) -> Vec<&Placed> {
    let mut joins: Vec<&Placed> = slot.joins.iter().collect();
    joins.sort_by_key(|placed| placed.entry.join.map(Join::round));
    let all = slot.set.iter().chain(joins);
    all.filter(|placed| placed.entry.value != Value::Broken).collect()
}

/// Whether something of a slot could not be read.
pub(super) fn is_broken(slot: &Slot) -> bool {
    let mut all = slot.set.iter().chain(&slot.joins);
    all.any(|placed| placed.entry.value == Value::Broken)
}

/// Reports a join by `without` of a key that has no value.
fn narrows_nothing(slot: &Slot, placed: &Placed, out: &mut Diagnostics) -> bool {
    if placed.entry.join != Some(Join::Without) || is_broken(slot) {
        return false;
    }
    let message = format!("there is no `{}` that something could be taken from", placed.entry.path_text());
    out.push(Diagnostic::error("unknown-key", placed.entry.span, message));
    true
}

/// Sets a rule, or joins it if there is one.
fn put<T: Joined>(rule: &mut Option<Rule<T>>, tree: &T, join: Option<Join>, condition: bool, part: Part) {
    match rule {
        // The base stays the first part: it is where the rule stands.
        Some(rule) => {
            rule.tree.join(tree, join.unwrap_or(Join::Or), condition, part.span);
            rule.parts.push(part);
        }
        None => *rule = Some(Rule { tree: tree.clone(), parts: vec![part] }),
    }
}

/// The rule of a slot, with all joins.
pub(super) fn rule<T: Joined>(
    slot: Option<&Slot>,
    condition: bool,
    out: &mut Diagnostics,
) -> Option<Rule<T>> {
    let slot = slot?;
    let mut rule: Option<Rule<T>> = None;
    for placed in in_order(slot) {
        let Some(tree) = T::of(&placed.entry.value) else { continue };
        if rule.is_none() && narrows_nothing(slot, placed, out) {
            return None;
        }
        put(&mut rule, tree, placed.entry.join, condition, part(placed));
    }
    rule
}

/// The expression of a slot that may differ by player.
pub(super) fn by_player(
    slot: &Slot,
    players: &[Name],
    out: &mut Diagnostics,
) -> Option<PerPlayer<Rule<Expr>>> {
    // One for all, until a table says something of each.
    let mut rules: Vec<Option<Rule<Expr>>> = vec![None];
    let mut each = false;
    for placed in in_order(slot) {
        let first = rules.iter().all(Option::is_none);
        if first && narrows_nothing(slot, placed, out) {
            return None;
        }
        let join = placed.entry.join;
        match &placed.entry.value {
            Value::Expr(expr) => rules.iter_mut().for_each(|rule| put(rule, expr, join, false, part(placed))),
            Value::ExprBy(table) => {
                let names = table.iter().map(|(name, _, _)| name);
                let order = players_of(names, players, first.then_some(placed.entry.span), out)?;
                if !each {
                    rules = vec![rules.swap_remove(0); players.len()];
                    each = true;
                }
                for ((_, expr, span), player) in table.iter().zip(order) {
                    let part = Part { span: *span, origin: placed.origin };
                    put(&mut rules[player], expr, join, false, part);
                }
            }
            _ => {}
        }
    }
    let mut rules = rules.into_iter().collect::<Option<Vec<_>>>()?;
    if each { Some(PerPlayer::Each(rules)) } else { rules.pop().map(PerPlayer::All) }
}

/// The players that the keys of a table name. Each must be one; with `all`, the table's place, each
/// player must be there. None if one is wrong: that was reported.
pub(super) fn players_of<'a>(
    names: impl Iterator<Item = &'a Name>,
    players: &[Name],
    all: Option<Span>,
    out: &mut Diagnostics,
) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    let mut good = true;
    for name in names {
        match players.iter().position(|player| player.text == name.text) {
            Some(player) => found.push(player),
            None => {
                let known: Vec<&str> = players.iter().map(|p| p.text.as_str()).collect();
                let message = format!("there is no player `{}`", name.text);
                let diagnostic = Diagnostic::error("unknown-player", name.span, message)
                    .help(format!("the players are {}", super::overlay::list(&known)))
                    .suggest(&name.text, known);
                out.push(diagnostic);
                good = false;
            }
        }
    }
    if let Some(span) = all.filter(|_| good) {
        let missing = players.iter().enumerate().filter(|(i, _)| !found.contains(i));
        let missing: Vec<&str> = missing.map(|(_, player)| player.text.as_str()).collect();
        if !missing.is_empty() {
            let list = missing.join("`, `");
            let message = format!("this table has nothing for `{list}`");
            out.push(Diagnostic::error("missing-player", span, message));
            good = false;
        }
    }
    good.then_some(found)
}
