//! The names in the rules of a definition, their places, and how deeply rules nest.

use crate::definition::{DecisionDef, PerPlayer, Rule};
use crate::source::Span;
use crate::syntax::ast::{
    Choose, Domain, Effect, EffectKind, Effects, Expr, ExprKind, Flow, FlowKind, Outcome, OutcomeKind,
    Pattern,
};

/// In which name space a rule names something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Space {
    /// That of relations, definitions, effects and all other values.
    Values,
    /// A decision, asked for by `can`.
    Can,
    /// A decision or a flow, as a part of a flow.
    Flows,
}

/// A place where a rule names something.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Use {
    /// The name.
    pub name: String,
    /// Its name space.
    pub space: Space,
    /// Where.
    pub span: Span,
    /// So many levels of the rule are around it.
    pub above: usize,
}

/// The names in some rules.
#[derive(Default)]
pub(super) struct Uses {
    /// Each place.
    pub list: Vec<Use>,
    /// How many levels the deepest rule has.
    pub height: usize,
    /// How many parts the flows have.
    pub parts: usize,
    /// The levels around the present part.
    level: usize,
}

impl Uses {
    /// Looks at parts that are some levels deeper.
    fn below(&mut self, levels: usize, inner: impl FnOnce(&mut Uses)) {
        self.level += levels;
        self.height = self.height.max(self.level);
        inner(self);
        self.level -= levels;
    }

    fn named(&mut self, name: &str, space: Space, span: Span) {
        self.list.push(Use { name: name.to_owned(), space, span, above: self.level });
    }

    /// One expression, or one for each player.
    pub fn by_player(&mut self, rules: &PerPlayer<Rule<Expr>>) {
        rules.all().iter().for_each(|rule| self.expr(&rule.tree));
    }

    /// A decision. Its choices are loops in each other, its `let`s are bound around each other.
    pub fn decision(&mut self, d: &DecisionDef) {
        let choices = d.choose.as_ref().map_or(0, |r| r.tree.choices.len());
        self.below(choices + d.lets.len(), |u| {
            let exprs = [&d.when, &d.where_, &d.keeps, &d.weight];
            exprs.into_iter().flatten().for_each(|r| u.expr(&r.tree));
            d.lets.iter().for_each(|(_, r)| u.expr(&r.tree));
            d.choose.iter().for_each(|r| u.choose(&r.tree));
            d.effects.iter().for_each(|r| u.effects(&r.tree));
        });
    }

    fn choose(&mut self, choose: &Choose) {
        choose.choices.iter().for_each(|c| self.domain(&c.domain));
    }

    pub fn pattern(&mut self, pattern: &Pattern) {
        // Its walks are joined one to the other.
        self.below(pattern.walks.len(), |u| {
            pattern.walks.iter().flat_map(|w| &w.clauses).for_each(|c| u.expr(&c.value));
        });
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

    pub fn expr(&mut self, e: &Expr) {
        let levels = match &e.kind {
            // Words side by side are an intersection of each with those before it.
            ExprKind::Phrase(words) => words.len(),
            _ => 1,
        };
        self.below(levels, |u| u.inside(e));
    }

    fn inside(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Int(_) => {}
            ExprKind::Name(n) => self.named(n, Space::Values, e.span),
            ExprKind::Call { name, by, args, .. } => {
                self.named(&name.text, Space::Values, name.span);
                by.iter().for_each(|a| self.expr(a));
                let asked = usize::from(name.text == "can");
                if let (1, Some(ExprKind::Name(n))) = (asked, args.first().map(|a| &a.kind)) {
                    self.named(n, Space::Can, e.span);
                }
                args.iter().skip(asked).for_each(|a| self.expr(a));
            }
            ExprKind::Index { name, args } | ExprKind::Converse { name, by: args } => {
                self.named(&name.text, Space::Values, name.span);
                args.iter().for_each(|a| self.expr(a));
            }
            ExprKind::Phrase(words) => words.iter().for_each(|w| self.expr(w)),
            ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) | ExprKind::Let(_, a, b) => {
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

    pub fn effects(&mut self, effects: &Effects) {
        self.below(1, |u| effects.0.iter().for_each(|e| u.effect(e)));
    }

    fn effect(&mut self, e: &Effect) {
        self.below(1, |u| u.inside_effect(e));
    }

    fn inside_effect(&mut self, e: &Effect) {
        match &e.kind {
            EffectKind::Block(b) => self.effects(b),
            EffectKind::If(c, a, b) => {
                self.expr(c);
                self.effect(a);
                b.iter().for_each(|b| self.effect(b));
            }
            EffectKind::For(_, d, b) => {
                self.domain(d);
                self.effect(b);
            }
            EffectKind::Let(_, e) | EffectKind::Remove(e) | EffectKind::Lift(e) => self.expr(e),
            EffectKind::Put(piece, at) | EffectKind::Turn(at, piece) => {
                self.expr(at);
                piece.words.iter().for_each(|w| self.named(&w.text, Space::Values, w.span));
            }
            EffectKind::Move { from, to, upto, .. } => {
                [from, to].into_iter().chain(upto).for_each(|e| self.expr(e));
            }
            EffectKind::Carry { what, relation, by, .. } => {
                self.expr(what);
                by.iter().for_each(|a| self.expr(a));
                self.named(&relation.text, Space::Values, relation.span);
            }
            EffectKind::SwapSides => {}
            EffectKind::Call(name, args) => {
                self.named(&name.text, Space::Values, name.span);
                args.iter().for_each(|a| self.expr(a));
            }
            EffectKind::Assign { name, index, value, .. } => {
                self.named(&name.text, Space::Values, name.span);
                index.iter().for_each(|a| self.expr(a));
                self.expr(value);
            }
        }
    }

    pub fn flow(&mut self, flow: &Flow) {
        self.parts = self.parts.saturating_add(1);
        self.below(1, |u| match &flow.kind {
            FlowKind::Sequence(list) | FlowKind::Either(list) => list.iter().for_each(|f| u.flow(f)),
            FlowKind::Try(f) | FlowKind::May(f) | FlowKind::Repeat(f) | FlowKind::Longest(f) => u.flow(f),
            FlowKind::If(f, c) => {
                u.expr(c);
                u.flow(f);
            }
            FlowKind::By(f, player) => {
                u.named(&player.text, Space::Values, player.span);
                u.flow(f);
            }
            FlowKind::Name(name) => u.named(name, Space::Flows, flow.span),
        });
    }

    pub fn outcome(&mut self, outcome: &Outcome) {
        self.below(1, |u| match &outcome.kind {
            OutcomeKind::If(c, a, b) => {
                u.expr(c);
                u.outcome(a);
                u.outcome(b);
            }
            OutcomeKind::Places(e) => u.expr(e),
            OutcomeKind::Wins(p) | OutcomeKind::Loses(p) => u.named(&p.text, Space::Values, p.span),
            OutcomeKind::Pass | OutcomeKind::Draw | OutcomeKind::Score => {}
        });
    }
}

/// The first place in an outcome that says `pass`, where it must not.
pub(super) fn pass_in(outcome: &Outcome) -> Option<Span> {
    match &outcome.kind {
        OutcomeKind::If(_, a, b) => pass_in(a).or_else(|| pass_in(b)),
        OutcomeKind::Pass => Some(outcome.span),
        _ => None,
    }
}
