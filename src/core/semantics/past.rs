//! Rules that ask how often a position has occurred before it is counted.

use std::collections::BTreeSet;

use super::check::Checker;
use super::name::NO_REPEATS;
use super::tree::{Builtin, Expr, ExprKind};
use super::walk::Part;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

const END: &str = "let an end decide when the next turn begins: `[end.NAME]` with `at = \"turn\"` and `when = \"seen >= 2\"`";

impl Checker<'_> {
    /// Reports `seen` after effects were tried. Positions are counted when a turn begins, so it would count the
    /// position before the effects, not the one after.
    pub(super) fn refuse_seen(&mut self, tried: &Expr, keeps: bool) {
        let Some(span) = self.seen_in(tried) else { return };
        let message = "`seen` does not know the position after these effects: it counts when a turn begins";
        let found = Diagnostic::error("seen", span, message)
            .here("this still tells of the position before")
            .help(if keeps { NO_REPEATS } else { END });
        self.out.push(found);
    }

    /// The place of `seen` in an expression, or of a call of a definition that has it.
    fn seen_in(&self, e: &Expr) -> Option<Span> {
        let (mut direct, mut calls) = (None, Vec::new());
        Part::Expr(e).exprs(&mut |e| match &e.kind {
            ExprKind::Builtin(Builtin::Seen, _) => direct = direct.or(Some(e.span)),
            ExprKind::Call(f, ..) => calls.push((*f, e.span)),
            _ => {}
        });
        let mut known = BTreeSet::new();
        direct.or_else(|| {
            calls.into_iter().find(|(f, _)| self.definition_asks(*f, &mut known)).map(|(_, span)| span)
        })
    }

    /// Whether a definition, or one that it calls, has `seen`. `known` are those that do not.
    fn definition_asks(&self, first: usize, known: &mut BTreeSet<usize>) -> bool {
        let (mut asks, mut todo) = (false, vec![first]);
        while let Some(f) = todo.pop() {
            if !known.insert(f) {
                continue;
            }
            let bodies = self.functions.get(f).and_then(Option::as_ref).map_or(&[][..], |f| &f.bodies);
            for body in bodies {
                Part::Expr(body).exprs(&mut |e| match &e.kind {
                    ExprKind::Builtin(Builtin::Seen, _) => asks = true,
                    ExprKind::Call(f, ..) => todo.push(*f),
                    _ => {}
                });
            }
        }
        asks
    }
}
