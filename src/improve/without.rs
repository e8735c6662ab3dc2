//! Sets of the position in which a piece is lifted, as sets of the position at hand.
//!
//! Lifting a piece takes its site from the layers in which it stands, and changes nothing else. So a set
//! after that is the same set with `layer - site` for those layers. Written so, all that does not depend on
//! which piece is lifted is seen to stay, and is found once for all of them. A part that the lift does
//! not change is left as it is: where the enemy's piece is lifted, `own & royal` is what it was.

use super::builder::Builder;
use super::change::Change;
use crate::program::{IntId, SetId, SetOp};

impl Builder {
    /// The set after the piece is lifted from a site; none where that is no such set.
    pub(crate) fn without(&mut self, lift: &mut Change, set: SetId, site: IntId) -> Option<SetId> {
        if self.remains(lift, set) {
            return Some(set);
        }
        let op = match self.op(set).clone() {
            SetOp::Layer(_) | SetOp::LayerRow { .. } => {
                if !self.of_pieces(set) {
                    return None;
                }
                let site = self.set(SetOp::Site(site));
                SetOp::Sub(set, site)
            }
            SetOp::And(a, b) => SetOp::And(self.without(lift, a, site)?, self.without(lift, b, site)?),
            SetOp::Or(a, b) => SetOp::Or(self.without(lift, a, site)?, self.without(lift, b, site)?),
            SetOp::Sub(a, b) => SetOp::Sub(self.without(lift, a, site)?, self.without(lift, b, site)?),
            SetOp::Not(a) => SetOp::Not(self.without(lift, a, site)?),
            SetOp::If(cond, a, b) if self.int_stays(lift, cond) => {
                SetOp::If(cond, self.without(lift, a, site)?, self.without(lift, b, site)?)
            }
            SetOp::Switch(index, cases) if self.int_stays(lift, index) => {
                let cases = cases.iter().map(|s| self.without(lift, *s, site)).collect::<Option<_>>()?;
                SetOp::Switch(index, cases)
            }
            SetOp::Image { relation, of } => SetOp::Image { relation, of: self.without(lift, of, site)? },
            SetOp::Slide { rays, from, through, over: None } => {
                let from = self.without(lift, from, site)?;
                SetOp::Slide { rays, from, through: self.without(lift, through, site)?, over: None }
            }
            SetOp::Between { rays, from, to } => {
                let from = self.without(lift, from, site)?;
                SetOp::Between { rays, from, to: self.without(lift, to, site)? }
            }
            _ => return None,
        };
        Some(self.set(op))
    }
}
