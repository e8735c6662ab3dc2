//! Which definitions use which, in what order they can be checked, and which go round in circles.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::HashMap;

use super::scope::{Act, Entity, Names};
use crate::definition::{Definition, PerPlayer, TraitValue};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Span;
use crate::syntax::ast::{
    Choose, Domain, Effect, EffectKind, Effects, Expr, ExprKind, Outcome, OutcomeKind, Pattern,
};

/// Something that is defined by other things.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Item {
    Relation(usize),
    Trait(usize),
    Define(usize),
    Effect(usize),
    Decision(usize),
}

/// The items in an order in which each stands after what it uses; those that go round in circles are
/// reported and left out.
pub(super) fn order(def: &Definition, names: &Names, out: &mut Diagnostics) -> Vec<Item> {
    let mut graph: DiGraph<(Item, Span, String), ()> = DiGraph::new();
    let mut nodes: HashMap<Item, NodeIndex> = HashMap::new();
    let mut add = |item: Item, span: Span, name: &str| {
        let node = graph.add_node((item, span, name.to_owned()));
        nodes.insert(item, node);
    };
    for (i, (n, _)) in def.relations.iter().enumerate() {
        add(Item::Relation(i), n.span, &n.text);
    }
    for (i, name) in names.traits.iter().enumerate() {
        add(Item::Trait(i), names.place(name).unwrap_or_default(), name);
    }
    for (i, d) in def.defines.iter().enumerate() {
        add(Item::Define(i), d.name.span, &d.name.text);
    }
    for (i, d) in def.effects.iter().enumerate() {
        add(Item::Effect(i), d.name.span, &d.name.text);
    }
    for (i, d) in def.decisions.iter().enumerate() {
        add(Item::Decision(i), d.name.span, &d.name.text);
    }
    let items: Vec<Item> = graph.node_weights().map(|w| w.0).collect();
    for item in items {
        let mut uses = Uses::default();
        uses.item(def, names, item);
        for name in uses.0 {
            let to = match name {
                Used::Entity(n) => match names.peek(&n) {
                    Some(Entity::Relation(i)) => Item::Relation(i),
                    Some(Entity::Trait(i)) => Item::Trait(i),
                    Some(Entity::Define(i)) => Item::Define(i),
                    Some(Entity::Effect(i)) => Item::Effect(i),
                    _ => continue,
                },
                Used::Decision(n) => match names.peek_act(&n) {
                    Some(Act::Decision(i)) => Item::Decision(i),
                    _ => continue,
                },
            };
            if let (Some(from), Some(to)) = (nodes.get(&item), nodes.get(&to)) {
                graph.update_edge(*from, *to, ());
            }
        }
    }
    let mut ordered = Vec::new();
    for component in tarjan_scc(&graph) {
        let round = component.len() > 1 || component.iter().any(|n| graph.contains_edge(*n, *n));
        if !round {
            ordered.extend(component.iter().filter_map(|n| graph.node_weight(*n)).map(|w| w.0));
            continue;
        }
        let mut members: Vec<&(Item, Span, String)> =
            component.iter().filter_map(|n| graph.node_weight(*n)).collect();
        members.sort();
        let Some((_, span, name)) = members.first() else {
            continue;
        };
        let mut d = if let [(Item::Decision(_), ..)] = members[..] {
            Diagnostic::error("cycle", *span, format!("`{name}` asks for itself by `can`"))
        } else if members.len() == 1 {
            Diagnostic::error("cycle", *span, format!("`{name}` is defined by itself"))
        } else if members.iter().all(|m| matches!(m.0, Item::Decision(_))) {
            let all: Vec<String> = members.iter().map(|m| format!("`{}`", m.2)).collect();
            let message = format!("{} ask for each other by `can`", all.join(" and "));
            Diagnostic::error("cycle", *span, message)
        } else {
            let all: Vec<String> = members.iter().map(|m| format!("`{}`", m.2)).collect();
            Diagnostic::error("cycle", *span, format!("{} are defined by each other", all.join(", ")))
        }
        .help("every rule must end, so nothing may be defined in a circle; to repeat a step say `flood(...)`, or `repeat` in a flow");
        for (_, span, _) in members.iter().skip(1) {
            d = d.and(*span, "and this");
        }
        out.push(d);
    }
    ordered
}

enum Used {
    Entity(String),
    Decision(String),
}

#[derive(Default)]
struct Uses(Vec<Used>);

impl Uses {
    fn item(&mut self, def: &Definition, names: &Names, item: Item) {
        match item {
            Item::Relation(i) => {
                if let Some((_, rule)) = def.relations.get(i) {
                    self.pattern(&rule.tree);
                }
            }
            Item::Trait(i) => {
                let name = names.traits.get(i);
                for (n, value) in def.pieces.iter().flat_map(|p| &p.traits) {
                    if let (true, TraitValue::Pattern(rule)) = (Some(&n.text) == name, value) {
                        self.pattern(&rule.tree);
                    }
                }
            }
            Item::Define(i) => match def.defines.get(i).map(|d| &d.body) {
                Some(PerPlayer::All(rule)) => self.expr(&rule.tree),
                Some(PerPlayer::Each(rules)) => rules.iter().for_each(|r| self.expr(&r.tree)),
                None => {}
            },
            Item::Effect(i) => {
                if let Some(e) = def.effects.get(i) {
                    self.effects(&e.body.tree);
                }
            }
            Item::Decision(i) => {
                let Some(d) = def.decisions.get(i) else {
                    return;
                };
                let exprs = [&d.when, &d.where_, &d.keeps, &d.weight];
                exprs.into_iter().flatten().for_each(|r| self.expr(&r.tree));
                d.lets.iter().for_each(|(_, r)| self.expr(&r.tree));
                if let Some(r) = &d.choose {
                    self.choose(&r.tree);
                }
                if let Some(r) = &d.effects {
                    self.effects(&r.tree);
                }
            }
        }
    }

    fn choose(&mut self, choose: &Choose) {
        choose.choices.iter().for_each(|c| self.domain(&c.domain));
    }

    fn pattern(&mut self, pattern: &Pattern) {
        pattern.walks.iter().flat_map(|w| &w.clauses).for_each(|c| self.expr(&c.value));
    }

    fn domain(&mut self, domain: &Domain) {
        match domain {
            Domain::Range(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Domain::Set(e) => self.expr(e),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Int(_) => {}
            ExprKind::Name(n) => self.0.push(Used::Entity(n.clone())),
            ExprKind::Call { name, args, .. } => {
                self.0.push(Used::Entity(name.text.clone()));
                if name.text == "can" {
                    if let Some(ExprKind::Name(n)) = args.first().map(|a| &a.kind) {
                        self.0.push(Used::Decision(n.clone()));
                    }
                    args.iter().skip(1).for_each(|a| self.expr(a));
                } else {
                    args.iter().for_each(|a| self.expr(a));
                }
            }
            ExprKind::Index { name, args } => {
                self.0.push(Used::Entity(name.text.clone()));
                args.iter().for_each(|a| self.expr(a));
            }
            ExprKind::Phrase(words) => words.iter().for_each(|w| self.expr(w)),
            ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Is(a, _) | ExprKind::Some(a) | ExprKind::No(a) | ExprKind::Not(a) => self.expr(a),
            ExprKind::If(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
            ExprKind::Quantified(_, _, d, b) | ExprKind::Where(_, d, b) => {
                self.domain(d);
                self.expr(b);
            }
            ExprKind::After(effects, b) => {
                self.effects(effects);
                self.expr(b);
            }
        }
    }

    fn effects(&mut self, effects: &Effects) {
        effects.0.iter().for_each(|e| self.effect(e));
    }

    fn effect(&mut self, e: &Effect) {
        match &e.kind {
            EffectKind::Block(b) => self.effects(b),
            EffectKind::If(c, a, b) => {
                self.expr(c);
                self.effect(a);
                if let Some(b) = b {
                    self.effect(b);
                }
            }
            EffectKind::For(_, d, b) => {
                self.domain(d);
                self.effect(b);
            }
            EffectKind::Let(_, e) | EffectKind::Remove(e) | EffectKind::Lift(e) => self.expr(e),
            EffectKind::Put(piece, at) | EffectKind::Turn(at, piece) => {
                self.expr(at);
                piece.words.iter().for_each(|w| self.0.push(Used::Entity(w.text.clone())));
            }
            EffectKind::Move(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            EffectKind::Carry { what, relation, .. } => {
                self.expr(what);
                self.0.push(Used::Entity(relation.text.clone()));
            }
            EffectKind::SwapSides => {}
            EffectKind::Call(name, args) => {
                self.0.push(Used::Entity(name.text.clone()));
                args.iter().for_each(|a| self.expr(a));
            }
            EffectKind::Assign { name, index, value, .. } => {
                self.0.push(Used::Entity(name.text.clone()));
                index.iter().for_each(|a| self.expr(a));
                self.expr(value);
            }
        }
    }
}

/// Whether an expression mentions a name, bound or not: enough to put `let`s in order.
pub(super) fn mentions(e: &Expr, name: &str) -> bool {
    let mut uses = Uses::default();
    uses.expr(e);
    uses.0.iter().any(|u| matches!(u, Used::Entity(n) if n == name))
}

/// The first place in an outcome that says `pass`, where it must not.
pub(super) fn pass_in(outcome: &Outcome) -> Option<Span> {
    match &outcome.kind {
        OutcomeKind::If(_, a, b) => pass_in(a).or_else(|| pass_in(b)),
        OutcomeKind::Pass => Some(outcome.span),
        _ => None,
    }
}
