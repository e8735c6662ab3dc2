//! Constant folding: numbers, and which expressions are the same in every position.

use super::builtins::Asks;
use super::check::Checker;
use super::tree::{BinaryOp, Builtin, Expr, ExprKind, Steps};
use super::types::Type;
use super::walk::Part;

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
        let mut fixed = match &e.kind {
            ExprKind::State(..) | ExprKind::Can(..) | ExprKind::After(..) => false,
            ExprKind::Builtin(b, _) => b.about().0 == Asks::Board,
            ExprKind::Call(f, ..) => self.functions.get(*f).and_then(Option::as_ref).is_some_and(|f| f.fixed),
            ExprKind::Follow { relation, .. }
            | ExprKind::Distance(Steps { relation, .. }, ..)
            | ExprKind::Ring(Steps { relation, .. }, ..)
            | ExprKind::FollowTimes(Steps { relation, .. }, ..)
            | ExprKind::Flood(Steps { relation, .. }, ..) => self.relation_fixed(*relation),
            // Of a kind it is fixed; of a site it depends on the piece there.
            ExprKind::TraitOf(_, of) => of.ty.widens_to(Type::KindOpt),
            // A kind or a player as sites means where the pieces are.
            ExprKind::Widen(inner) => matches!(inner.ty, Type::Site | Type::SiteOpt) || e.ty != Type::Sites,
            _ => true,
        };
        // Changes by effects are only seen in `after`, which is not fixed.
        Part::Expr(e).each(&mut |part| fixed = fixed && matches!(part, Part::Expr(e) if self.is_fixed(e)));
        fixed
    }
}
