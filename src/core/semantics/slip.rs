//! Guesses at the meaning of rules with mistakes.

use super::check::Checker;
use super::scope::Entity;
use super::tree::{Builtin, Expr as Typed};
use super::types::Type;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Compare, Effect, EffectKind, Expr, ExprKind, Name, Op};
use crate::syntax::parse::{VERBS, missing_semicolon};
use crate::wording::many;

impl Checker<'_> {
    /// Where an effect with mistakes would be two without any: after a word, the next effect reads as more words
    /// of the same phrase.
    pub(super) fn two_effects(&self, effect: &Effect) -> Option<Diagnostic> {
        let last = match &effect.kind {
            EffectKind::Let(_, e) | EffectKind::Put(_, e) => e,
            EffectKind::Move { to, upto, .. } => upto.as_ref().unwrap_or(to),
            EffectKind::Remove(e) | EffectKind::Lift(e) | EffectKind::Assign { value: e, .. } => e,
            _ => return None,
        };
        let words = words_at_the_end(last)?;
        let begins = |word: &Expr| match &word.kind {
            ExprKind::Name(n) if VERBS.contains(&n.as_str()) => self.names.peek(n).is_none(),
            ExprKind::Name(n) => compared(last) && matches!(self.names.peek(n), Some(Entity::State(_))),
            ExprKind::Index { name, .. } => {
                compared(last) && matches!(self.names.peek(&name.text), Some(Entity::State(_)))
            }
            ExprKind::Call { name, .. } => matches!(self.names.peek(&name.text), Some(Entity::Effect(_))),
            _ => false,
        };
        let at = words.iter().skip(1).position(begins)? + 1;
        let (first, next) = (words.get(at - 1)?, words.get(at)?);
        Some(missing_semicolon(&first.to_string(), first.span, next.span))
    }

    /// The declaration of a state variable to which this can be assigned.
    pub(super) fn declaration(&self, name: &Name, index: &[Typed], value: Type) -> String {
        let ty = match value {
            Type::Site | Type::SiteOpt => "site?",
            Type::Kind | Type::KindOpt => "kind?",
            Type::Bool => "bool",
            Type::Sites => "sites",
            Type::Kinds => "kinds",
            Type::Player => "player",
            Type::Direction => "direction",
            _ => "int",
        };
        let per: Vec<&str> = index
            .iter()
            .map(|i| match i.ty {
                Type::Player => "\"player\"",
                Type::Kind | Type::KindOpt => "\"kind\"",
                Type::Direction => "\"direction\"",
                _ => "\"site\"",
            })
            .collect();
        let per = match per[..] {
            [] => String::new(),
            [one] => format!(", per = {one}"),
            _ => format!(", per = [{}]", per.join(", ")),
        };
        format!("to have such a variable, write `{} = {{ type = \"{ty}\"{per} }}` under `[state]`", name.text)
    }

    /// `a | b - c` takes `c` from both, which is easily read otherwise.
    pub(super) fn doubt_order(&mut self, a: &Expr, b: &Expr, span: Span) {
        let ExprKind::Binary(Op::Union, first, second) = &a.kind else { return };
        // The place of an expression includes its brackets; trees that overlays join have other places.
        let bare = a.span == first.span.to(second.span) && span == a.span.to(b.span);
        // A chain is reported once, at its first such place.
        let told = self.doubts.iter().any(|d| (d.span().file, d.span().start) == (span.file, span.start));
        if !bare || told {
            return;
        }
        let [first, second, third] = [&**first, &**second, b].map(ToString::to_string);
        let mut d =
            Diagnostic::warning("order", span, "`|` and `-` bind alike: this takes from both sides of `|`");
        if first.len() + second.len() + third.len() < 100 {
            d = d
                .help(format!("write `({first} | {second}) - {third}`, or `{first} | ({second} - {third})`"));
        }
        self.doubts.push(d);
    }

    /// `not k` of a kind means the pieces of the other kinds, where sites without one of that kind may be meant.
    pub(super) fn doubt_not(&mut self, kinds: &Typed) {
        if self.doubts.iter().any(|d| d.span() == kinds.span) {
            return;
        }
        let message = "`not` of a kind is the other kinds: as sites, those with their pieces";
        let help =
            "for all sites without such a piece write `all - ...`, for the other pieces `occupied - ...`";
        self.doubts.push(Diagnostic::warning("other-kinds", kinds.span, message).help(help));
    }

    /// `row(9)` of a board with five rows.
    pub(super) fn doubt_number(&mut self, builtin: Builtin, value: &Typed, span: Span) {
        let (most, what) = match builtin {
            Builtin::RowSites => (self.board.rows(), "row"),
            Builtin::ColumnSites => (self.board.columns(), "column"),
            Builtin::Side => (self.board.sides(), "side"),
            _ => return,
        };
        let Some(n) = super::fold::int(value).filter(|n| most > 0 && !(1..=most).contains(n)) else { return };
        let message =
            format!("`{what}({n})` is empty: the board has {}", many(most.unsigned_abs().into(), what));
        let d = Diagnostic::warning("off-board", span, message).here("no site of the board");
        self.doubts.push(d.help(format!("they are counted from 1 to {most}")));
    }
}

/// The words side by side with which an expression ends, or with which it ends before a last `=`.
fn words_at_the_end(e: &Expr) -> Option<&[Expr]> {
    match &e.kind {
        ExprKind::Phrase(words) => Some(words),
        ExprKind::Binary(_, _, last)
        | ExprKind::If(_, _, last)
        | ExprKind::Compare(Compare::Equal, last, _) => words_at_the_end(last),
        _ => None,
    }
}

/// Whether the last thing that an expression says is that two values are equal.
fn compared(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(_, _, last) | ExprKind::If(_, _, last) => compared(last),
        ExprKind::Compare(compare, ..) => *compare == Compare::Equal,
        _ => false,
    }
}
