//! What is known before any position: numbers, and which expressions are the same in every position.

use super::builtins::Asks;
use super::check::Checker;
use super::tree::{BinaryOp, Builtin, Domain, Expr, ExprKind};
use super::types::Type;

/// The number that an expression is in every position, if it is made of numbers alone.
pub(super) fn int(e: &Expr) -> Option<i32> {
    Some(match &e.kind {
        ExprKind::Int(i) => *i,
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (int(a)?, int(b)?);
            match op {
                BinaryOp::Add => a.saturating_add(b),
                BinaryOp::Subtract => a.saturating_sub(b),
                BinaryOp::Multiply => a.saturating_mul(b),
                BinaryOp::Divide if b != 0 => a.saturating_div(b),
                BinaryOp::Modulo if b != 0 => a.wrapping_rem(b),
                BinaryOp::Divide | BinaryOp::Modulo => 0,
                _ => return None,
            }
        }
        ExprKind::Builtin(Builtin::Min, args) => {
            args.iter().map(int).collect::<Option<Vec<_>>>()?.into_iter().min()?
        }
        ExprKind::Builtin(Builtin::Max, args) => {
            args.iter().map(int).collect::<Option<Vec<_>>>()?.into_iter().max()?
        }
        ExprKind::Builtin(Builtin::Abs, args) => int(args.first()?)?.saturating_abs(),
        ExprKind::If(c, a, b) => match &c.kind {
            ExprKind::Bool(true) => int(a)?,
            ExprKind::Bool(false) => int(b)?,
            _ => return None,
        },
        _ => return None,
    })
}

impl Checker<'_> {
    /// Whether an expression has the same value in every position, for the same locals and the same view.
    pub(super) fn is_fixed(&self, e: &Expr) -> bool {
        let all = |args: &[Expr]| args.iter().all(|a| self.is_fixed(a));
        match &e.kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::None
            | ExprKind::All
            | ExprKind::Site(_)
            | ExprKind::Kind(_)
            | ExprKind::Kinds(_)
            | ExprKind::Player(_)
            | ExprKind::Local(_)
            | ExprKind::Me => true,
            ExprKind::State(..) | ExprKind::Can(..) | ExprKind::After(..) => false,
            ExprKind::Builtin(b, args) => b.about().0 == Asks::Board && all(args),
            ExprKind::Call(f, who, args) => {
                self.functions.get(*f).and_then(Option::as_ref).is_some_and(|f| f.fixed)
                    && who.as_ref().is_none_or(|w| self.is_fixed(w))
                    && all(args)
            }
            ExprKind::Follow { relation, of, .. } => self.relation_fixed(*relation) && self.is_fixed(of),
            ExprKind::Distance(r, a, b) | ExprKind::Ring(r, a, b) | ExprKind::Flood(r, a, b) => {
                self.relation_fixed(*r) && self.is_fixed(a) && self.is_fixed(b)
            }
            ExprKind::Line(_, a, b) | ExprKind::Binary(_, a, b) => self.is_fixed(a) && self.is_fixed(b),
            // Of a kind it is fixed; of a site it asks what stands there.
            ExprKind::TraitOf(_, of) => of.ty.widens_to(Type::KindOpt) && self.is_fixed(of),
            // A kind or a player as sites means where the pieces are.
            ExprKind::Widen(inner) => {
                let place = matches!(inner.ty, Type::Site | Type::SiteOpt);
                (place || e.ty != Type::Sites) && self.is_fixed(inner)
            }
            ExprKind::Not(a) | ExprKind::Some(a) => self.is_fixed(a),
            ExprKind::If(a, b, c) => self.is_fixed(a) && self.is_fixed(b) && self.is_fixed(c),
            ExprKind::Quantified(_, _, d, b) | ExprKind::Where(_, d, b) => {
                self.domain_fixed(d) && self.is_fixed(b)
            }
        }
    }

    fn domain_fixed(&self, d: &Domain) -> bool {
        match d {
            Domain::Range(a, b) => self.is_fixed(a) && self.is_fixed(b),
            Domain::Sites(e) | Domain::Kinds(e) => self.is_fixed(e),
            Domain::Players => true,
        }
    }
}
