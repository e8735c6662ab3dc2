//! Two sites chosen together: origins and ends as set algebra.
//!
//! Where the second site is at one of a few fixed differences `d` from the first, the legal pairs of each
//! `d` are a set of origins, made by shifts: `{x in O : x + d in R(x), c(x, x + d)}`. No piece is looked at
//! on its own.

use super::decision::{Plan, Test};
use super::state::{Lowerer, View};
use crate::improve::Over;
use crate::program::{self as prog, Binary, Block, IntId, IntOp, SetId, SetOp, Stmt};

/// The most differences between two sites that are generated together though nothing tests them together:
/// each costs a segment, where a loop costs a segment for each piece.
const MAX_UNTESTED_DIFFERENCES: usize = 4;

/// The most players for whom code is written one by one.
pub(super) const MAX_PLAYERS_WRITTEN_OUT: usize = 4;

impl<'r> Lowerer<'r> {
    /// Writes a segment of origins for each difference, if the second site is at one of a few fixed differences from
    /// the first. Returns whether it did.
    pub(super) fn in_pairs(
        &mut self,
        plan: &Plan<'r>,
        i: usize,
        set: SetId,
        base: IntId,
        block: &mut Block,
    ) -> bool {
        let (Some(x), Some(y)) = (plan.vars.get(i), plan.vars.get(i + 1)) else { return false };
        let Some(chosen) = plan.d.vars.get(i + 1) else { return false };
        let tests = plan.tests.get(i + 2).map_or(&[] as &[Test], Vec::as_slice);
        let lifts = tests.iter().all(|t| matches!(t, Test::Where(_)));
        let tested = !tests.is_empty();
        if !self.is_segment(plan, i + 1) || !lifts {
            return false;
        }
        let prog::Domain::Set(ends) = self.domain(&chosen.domain, plan.view) else { return false };
        let Some(parts) = self.b.by_difference(ends, x.local) else { return false };
        if !tested && parts.len() > MAX_UNTESTED_DIFFERENCES {
            return false;
        }
        let first = self.test(plan, i + 1);
        let origins = self.filter(x.local, set, first);
        let mut segments = Vec::new();
        for (by, part) in parts {
            let cond = self.test(plan, i + 2);
            let Some(passing) = self.b.lift(cond, &mut Over::new(x.local, vec![(y.local, by)])) else {
                return false;
            };
            let both = self.b.set(SetOp::And(part, passing));
            segments.push((by, both));
        }
        let local = self.b.set_local();
        let origins_now = self.b.set(SetOp::Local(local));
        block.push(Stmt::LetSet(local, origins));
        for (by, part) in segments {
            let set = self.b.set(SetOp::And(origins_now, part));
            if self.b.is_empty(set) {
                continue;
            }
            let constant =
                by * y.multiplier as i32 - x.offset * x.multiplier as i32 - y.offset * y.multiplier as i32;
            let constant = self.b.num(constant);
            let base = self.b.int(IntOp::Binary(Binary::Add, base, constant));
            block.push(Stmt::Emit { set, base, multiplier: x.multiplier + y.multiplier });
        }
        true
    }

    /// The same where the differences depend on the player: code for each player, of which the mover's runs. So in the
    /// code of player p the mover is p.
    pub(super) fn in_pairs_for_each(
        &mut self,
        plan: &Plan<'r>,
        i: usize,
        set: SetId,
        base: IntId,
        block: &mut Block,
    ) -> bool {
        let players = self.rules.players.len();
        if !(2..=MAX_PLAYERS_WRITTEN_OUT).contains(&players) || self.b.const_of(plan.view.me).is_some() {
            return false;
        }
        let mut each = Vec::new();
        for p in 0..players {
            let me = self.b.num(p as i32);
            let plan = Plan { view: View { me, ..plan.view }, ..plan.clone() };
            let mut inner = Vec::new();
            if !self.in_pairs(&plan, i, set, base, &mut inner) {
                return false;
            }
            each.push((me, inner));
        }
        let mut other: Option<prog::BlockId> = None;
        for (p, inner) in each.into_iter().rev() {
            let inner = self.b.block(inner);
            // A mover is always one of the players.
            other = Some(match other {
                None => inner,
                Some(other) => {
                    let mine = self.b.int(IntOp::Binary(Binary::Eq, plan.view.me, p));
                    self.b.block(vec![Stmt::If(mine, inner, Some(other))])
                }
            });
        }
        block.extend(other.map(|b| self.b.block_of(b).clone()).unwrap_or_default());
        true
    }
}
