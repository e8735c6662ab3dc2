//! The places in syntax trees, all at once: to take them away, or to compare trees without them.

use crate::source::Span;
use crate::syntax::ast::{
    Choice, Choose, Clause, Domain, Effect, EffectKind, Effects, Expr, ExprKind, Flow, FlowKind, Name,
    Outcome, OutcomeKind, Pattern, Piece, Walk, WalkKind,
};

/// A tree that knows where its nodes stand.
pub trait Spans: Clone + PartialEq {
    /// Shows every place in the tree to `f`, which may change it.
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span));

    /// The tree without places.
    #[must_use]
    fn strip(mut self) -> Self {
        self.each_span(&mut |span| *span = Span::default());
        self
    }

    /// Whether two trees say the same, wherever they stand.
    fn same(&self, other: &Self) -> bool {
        self.clone().strip() == other.clone().strip()
    }
}

impl<T: Spans> Spans for Vec<T> {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        for tree in self {
            tree.each_span(f);
        }
    }
}

impl<T: Spans> Spans for Box<T> {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        (**self).each_span(f);
    }
}

impl<T: Spans> Spans for Option<T> {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        if let Some(tree) = self {
            tree.each_span(f);
        }
    }
}

impl Spans for Name {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        f(&mut self.span);
    }
}

impl Spans for Expr {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        f(&mut self.span);
        match &mut self.kind {
            ExprKind::Int(_) | ExprKind::Name(_) => {}
            ExprKind::Call { name, args, .. } | ExprKind::Index { name, args } => {
                name.each_span(f);
                args.each_span(f);
            }
            ExprKind::Phrase(words) => words.each_span(f),
            ExprKind::Binary(_, left, right) | ExprKind::Compare(_, left, right) => {
                left.each_span(f);
                right.each_span(f);
            }
            ExprKind::Is(left, word) => {
                left.each_span(f);
                word.each_span(f);
            }
            ExprKind::Some(inner) | ExprKind::No(inner) | ExprKind::Not(inner) => {
                inner.each_span(f);
            }
            ExprKind::If(condition, then, otherwise) => {
                condition.each_span(f);
                then.each_span(f);
                otherwise.each_span(f);
            }
            ExprKind::Quantified(_, name, domain, body) | ExprKind::Where(name, domain, body) => {
                name.each_span(f);
                domain.each_span(f);
                body.each_span(f);
            }
            ExprKind::After(effects, body) => {
                effects.each_span(f);
                body.each_span(f);
            }
        }
    }
}

impl Spans for Domain {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        match self {
            Domain::Range(first, last) => {
                first.each_span(f);
                last.each_span(f);
            }
            Domain::Set(set) => set.each_span(f),
        }
    }
}

impl Spans for Choice {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        self.name.each_span(f);
        self.domain.each_span(f);
    }
}

impl Spans for Choose {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        f(&mut self.span);
        self.choices.each_span(f);
    }
}

impl Spans for Effects {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        self.0.each_span(f);
    }
}

impl Spans for Effect {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        f(&mut self.span);
        match &mut self.kind {
            EffectKind::Block(effects) => effects.each_span(f),
            EffectKind::If(condition, then, otherwise) => {
                condition.each_span(f);
                then.each_span(f);
                otherwise.each_span(f);
            }
            EffectKind::For(name, domain, body) => {
                name.each_span(f);
                domain.each_span(f);
                body.each_span(f);
            }
            EffectKind::Let(name, value) => {
                name.each_span(f);
                value.each_span(f);
            }
            EffectKind::Put(piece, value) | EffectKind::Turn(value, piece) => {
                piece.each_span(f);
                value.each_span(f);
            }
            EffectKind::Move(from, to) => {
                from.each_span(f);
                to.each_span(f);
            }
            EffectKind::Remove(what) | EffectKind::Lift(what) => what.each_span(f),
            EffectKind::Carry { what, relation, .. } => {
                what.each_span(f);
                relation.each_span(f);
            }
            EffectKind::SwapSides => {}
            EffectKind::Call(name, args) => {
                name.each_span(f);
                args.each_span(f);
            }
            EffectKind::Assign { name, index, value, .. } => {
                name.each_span(f);
                index.each_span(f);
                value.each_span(f);
            }
        }
    }
}

impl Spans for Piece {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        f(&mut self.span);
        self.words.each_span(f);
    }
}

impl Spans for Flow {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        f(&mut self.span);
        match &mut self.kind {
            FlowKind::Sequence(flows) | FlowKind::Either(flows) => flows.each_span(f),
            FlowKind::Try(inner)
            | FlowKind::May(inner)
            | FlowKind::Repeat(inner)
            | FlowKind::Longest(inner) => inner.each_span(f),
            FlowKind::If(inner, condition) => {
                inner.each_span(f);
                condition.each_span(f);
            }
            FlowKind::By(inner, player) => {
                inner.each_span(f);
                player.each_span(f);
            }
            FlowKind::Name(_) => {}
        }
    }
}

impl Spans for Outcome {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        f(&mut self.span);
        match &mut self.kind {
            OutcomeKind::If(condition, then, otherwise) => {
                condition.each_span(f);
                then.each_span(f);
                otherwise.each_span(f);
            }
            OutcomeKind::Pass | OutcomeKind::Draw | OutcomeKind::Score => {}
            OutcomeKind::Wins(player) | OutcomeKind::Loses(player) => player.each_span(f),
        }
    }
}

impl Spans for Pattern {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        f(&mut self.span);
        self.walks.each_span(f);
    }
}

impl Spans for Walk {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        f(&mut self.span);
        match &mut self.kind {
            WalkKind::None | WalkKind::Leap(..) => {}
            WalkKind::Pairs(chains) => chains.each_span(f),
            WalkKind::Step(names) | WalkKind::Slide(names) | WalkKind::Walk(names) => {
                names.each_span(f);
            }
        }
        self.clauses.each_span(f);
    }
}

impl Spans for Clause {
    fn each_span(&mut self, f: &mut dyn FnMut(&mut Span)) {
        f(&mut self.span);
        self.value.each_span(f);
    }
}
