//! Joins made on syntax trees.

use super::merge::{Placed, Slot};
use super::model::{Part, PerPlayer, Rule};
use super::schema::Join;
use super::value::Value;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Span;
use crate::syntax::ast::{self, Effects, Expr, ExprKind, Flow, FlowKind, Name, Op, Pattern, WalkKind};

/// What can be joined.
pub(super) trait Joined: Clone {
    /// The tree that a value holds.
    fn of(value: &Value) -> Option<&Self>;

    /// Adds another tree. `condition`: both are conditions.
    fn join(&mut self, new: &Self, join: Join, condition: bool, span: Span);
}

impl Joined for Expr {
    fn of(value: &Value) -> Option<&Expr> {
        match value {
            Value::Expr(expr) => Some(expr),
            _ => None,
        }
    }

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
    fn of(value: &Value) -> Option<&Pattern> {
        match value {
            Value::Pattern(pattern) => Some(pattern),
            _ => None,
        }
    }

    fn join(&mut self, new: &Pattern, _: Join, _: bool, _: Span) {
        self.walks.extend(new.walks.iter().cloned());
        // `none` adds nothing to what there is.
        if self.walks.iter().any(|walk| walk.kind != WalkKind::None) {
            self.walks.retain(|walk| walk.kind != WalkKind::None);
        }
    }
}

impl Joined for Effects {
    fn of(value: &Value) -> Option<&Effects> {
        match value {
            Value::Effects(effects) => Some(effects),
            _ => None,
        }
    }

    fn join(&mut self, new: &Effects, join: Join, _: bool, _: Span) {
        let new = new.0.iter().cloned();
        match join {
            Join::First => {
                self.0.splice(0..0, new);
            }
            _ => self.0.extend(new),
        }
    }
}

impl Joined for Flow {
    fn of(value: &Value) -> Option<&Flow> {
        match value {
            Value::Flow(flow) => Some(flow),
            _ => None,
        }
    }

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
    fn of(value: &Value) -> Option<&ast::Outcome> {
        match value {
            Value::Outcome(outcome) => Some(outcome),
            _ => None,
        }
    }

    fn join(&mut self, _: &ast::Outcome, _: Join, _: bool, _: Span) {}
}

impl Joined for ast::Choose {
    fn of(value: &Value) -> Option<&ast::Choose> {
        match value {
            Value::Choose(choose) => Some(choose),
            _ => None,
        }
    }

    fn join(&mut self, _: &ast::Choose, _: Join, _: bool, _: Span) {}
}

fn part(placed: &Placed) -> Part {
    Part { span: placed.entry.span, origin: placed.origin }
}

/// What sets a slot and what joins it, in the order in which it counts: widening before narrowing
/// before lists, each in order of declaration.
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

/// A join that narrows needs something to be narrowed.
fn narrows_nothing(slot: &Slot, placed: &Placed, out: &mut Diagnostics) -> bool {
    if placed.entry.join != Some(Join::Without) || is_broken(slot) {
        return false;
    }
    let message = format!("there is no `{}` that something could be taken from", placed.entry.path_text());
    out.push(Diagnostic::error("unknown-key", placed.entry.span, message));
    true
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
        let Some(tree) = T::of(&placed.entry.value) else {
            continue;
        };
        match (&mut rule, placed.entry.join) {
            (Some(rule), Some(join)) => add(rule, tree, join, condition, placed),
            (Some(_), None) => {}
            (None, _) => {
                if narrows_nothing(slot, placed, out) {
                    return None;
                }
                rule = Some(Rule { tree: tree.clone(), parts: vec![part(placed)] });
            }
        }
    }
    rule
}

fn add<T: Joined>(rule: &mut Rule<T>, tree: &T, join: Join, condition: bool, placed: &Placed) {
    rule.tree.join(tree, join, condition, placed.entry.span);
    // The base stays the first part: it is where the rule stands.
    rule.parts.push(part(placed));
}

/// The expression of a slot that may differ by player.
pub(super) fn by_player(
    slot: &Slot,
    players: &[Name],
    out: &mut Diagnostics,
) -> Option<PerPlayer<Rule<Expr>>> {
    let mut found: Option<PerPlayer<Rule<Expr>>> = None;
    for placed in in_order(slot) {
        let join = placed.entry.join.unwrap_or(Join::Or);
        if found.is_none() && narrows_nothing(slot, placed, out) {
            return None;
        }
        match &placed.entry.value {
            Value::Expr(expr) => match &mut found {
                None => {
                    found = Some(PerPlayer::All(Rule { tree: expr.clone(), parts: vec![part(placed)] }));
                }
                Some(PerPlayer::All(rule)) => add(rule, expr, join, false, placed),
                Some(PerPlayer::Each(rules)) => {
                    for rule in rules {
                        add(rule, expr, join, false, placed);
                    }
                }
            },
            Value::ExprBy(table) => {
                let names = table.iter().map(|(name, _, _)| name);
                let base = found.take();
                let all = base.is_none();
                let order = players_of(names, players, all.then_some(placed.entry.span), out)?;
                let mut each: Vec<Option<Rule<Expr>>> = match base {
                    None => vec![None; players.len()],
                    Some(PerPlayer::All(rule)) => vec![Some(rule); players.len()],
                    Some(PerPlayer::Each(rules)) => rules.into_iter().map(Some).collect(),
                };
                for ((_, expr, span), player) in table.iter().zip(order) {
                    let Some(slot) = each.get_mut(player) else {
                        continue;
                    };
                    let part = Part { span: *span, origin: placed.origin };
                    match slot {
                        Some(rule) => {
                            rule.tree.join(expr, join, false, *span);
                            rule.parts.push(part);
                        }
                        None => {
                            *slot = Some(Rule { tree: expr.clone(), parts: vec![part] });
                        }
                    }
                }
                found = Some(PerPlayer::Each(each.into_iter().collect::<Option<_>>()?));
            }
            _ => {}
        }
    }
    found
}

/// The players that the keys of a table name. Each must be one; with `all`, the table's place, each
/// player must be there. None where one is wrong: that was reported.
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
        let missing: Vec<&str> = players
            .iter()
            .enumerate()
            .filter(|(i, _)| !found.contains(i))
            .map(|(_, player)| player.text.as_str())
            .collect();
        if !missing.is_empty() {
            let list = missing.join("`, `");
            let message = format!("this table has nothing for `{list}`");
            out.push(Diagnostic::error("missing-player", span, message));
            good = false;
        }
    }
    good.then_some(found)
}
