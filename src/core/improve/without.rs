//! Sets of the position in which a piece is lifted, as sets of the position at hand.
//!
//! Lifting a piece takes its site from its layers and changes nothing else. So a set after the lift is the same
//! expression with `layer - site` in place of those layers. In this form the parts that do not depend on the lifted
//! piece are loop invariants, computed once for all pieces. A part that the lift does not change stays as it is: if an
//! enemy's piece is lifted, `own & royal` is unchanged.

use super::builder::Builder;
use super::change::Change;
use crate::program::{IntId, Part, SetId, SetOp};

impl Builder {
    /// The set after the piece is lifted from a site; none where that is no such set.
    pub(crate) fn without(&mut self, lift: &mut Change, set: SetId, site: IntId) -> Option<SetId> {
        if self.remains(lift, set) {
            return Some(set);
        }
        match self.op(set) {
            SetOp::Layer(_) | SetOp::LayerRow { .. } => {
                if !self.of_pieces(set) {
                    return None;
                }
                let site = self.set(SetOp::Site(site));
                return Some(self.set(SetOp::Sub(set, site)));
            }
            SetOp::And(..)
            | SetOp::Or(..)
            | SetOp::Sub(..)
            | SetOp::Not(_)
            | SetOp::If(..)
            | SetOp::Switch(..)
            | SetOp::Image { .. }
            | SetOp::Slide { .. }
            | SetOp::Between { .. } => {}
            _ => return None,
        }
        let lifted = self.replaced(set.into(), |b, hole| match hole {
            Part::Set(part) => b.without(lift, *part, site).map(|lifted| *part = lifted),
            Part::Int(part) => b.int_stays(lift, *part).then_some(()),
            Part::Block(_) | Part::After(_) => None,
        })?;
        Some(self.set_of(lifted))
    }
}
