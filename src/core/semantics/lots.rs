//! `drawn(S)`: a member of a set by the game's seed, while a game is set up.
//!
//! Each `drawn` of a definition has a lot of its own: a hidden state variable whose numbers are dealt to the sites. It
//! draws the member with the least number. So `drawn` needs no code of its own. The numbers are a random order of all
//! sites: where a loop runs a `drawn` again, it takes the same member of the same set, and a fair one of what is left.

use super::check::Checker;
use super::tree::{BinaryOp, Builtin, Domain, Expr, ExprKind, Per, Quantifier, StateVar};
use super::types::Type;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

impl Checker<'_> {
    /// `drawn(from)`, said at `span` by a name at `name`.
    pub(super) fn drawn(&mut self, from: Expr, name: Span, span: Span) -> Expr {
        if !self.draws {
            let found = Diagnostic::error("drawn", name, "only the set-up draws by the seed")
                .here("no effect of `[setup] do` itself")
                .help("draw there, and keep what was drawn in `[state]`; in play `by = \"chance\"` lets chance decide");
            return self.refuse(span, found);
        }
        if let Some(text) = &self.def.setup.text {
            let found = Diagnostic::error("drawn", name, "a set-up that is drawn has no text")
                .and(text.span, "this text would not tell what was drawn")
                .help("deal the numbers by `shuffle` and let the text tell them, or leave the text out");
            return self.refuse(span, found);
        }
        let lot = self.lot(name);
        let (among, one, other) =
            (self.names.hidden(Type::Sites), self.names.hidden(Type::Site), self.names.hidden(Type::Site));
        let expr = |kind, ty| Expr::new(kind, ty, span);
        let local = |id, ty| expr(ExprKind::Local(id), ty);
        let number = |id| expr(ExprKind::State(lot, vec![local(id, Type::Site)]), Type::Int);
        let members = || Box::new(Domain::Sites(local(among, Type::Sites)));
        let less = Expr::binary(BinaryOp::Less, number(other), number(one), Type::Bool, span);
        let least = expr(ExprKind::Quantified(Quantifier::No, other, members(), Box::new(less)), Type::Bool);
        let least = expr(ExprKind::Where(one, members(), Box::new(least)), Type::Sites);
        let first = expr(ExprKind::Builtin(Builtin::First, vec![least]), Type::SiteOpt);
        expr(ExprKind::Let(among, Box::new(from), Box::new(first)), Type::SiteOpt)
    }

    /// A new lot: its index among the state variables.
    fn lot(&mut self, span: Span) -> usize {
        let sites = self.board.sites().count() as i32;
        self.state.push(StateVar {
            // No rule and no text can name it.
            name: format!("drawn {}", self.state.len()),
            ty: Type::Int,
            per: vec![Per::Site],
            start: Vec::new(),
            shuffle: Some((0, sites - 1)),
            lasts: None,
            identity: false,
            assigned: false,
            drawn: true,
            span,
        });
        self.state.len() - 1
    }
}
