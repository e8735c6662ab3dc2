//! Runs along rays, for all sites at once.
//!
//! `some between(x, A & slide(x through E))` asks whether on some ray from `x` at least one member of `E`, and nothing
//! else, stands before a member of `A`. Without a loop over `x` (see `lift`): the members of `E` before such a run's end
//! are a flood of steps back from `A` within `E`, and `x` is one step back from one of them.

use super::builder::Builder;
use super::lift::Over;
use crate::program::{IntId, IntOp, Order, SetId, SetOp};
use crate::siteset::SiteSet;

impl Builder {
    /// The sites `x` from which a run leads to a member of a set; none where a condition is no such thing.
    pub(super) fn before_runs(&mut self, cond: IntId, over: &Over) -> Option<SetId> {
        let IntOp::Some(between) = *self.int_op(cond) else { return None };
        let SetOp::Between { rays, from, to } = self.op(between).clone() else { return None };
        let SetOp::And(a, b) = *self.op(to) else { return None };
        let x = self.int(IntOp::Local(over.x));
        if *self.op(from) != SetOp::Site(x) {
            return None;
        }
        let run = |b: &Builder, slide: SetId| match b.op(slide) {
            SetOp::Slide { rays: along, from: start, through, over: None }
                if *along == rays && *start == from =>
            {
                Some(*through)
            }
            _ => None,
        };
        let (ends, within) =
            run(self, b).map(|within| (a, within)).or(run(self, a).map(|within| (b, within)))?;
        if [ends, within].iter().any(|set| self.depends(self.info(*set), over)) {
            return None;
        }
        let steps: Vec<Vec<SiteSet>> = rays.iter().map(|ray| self.steps_back(*ray)).collect::<Option<_>>()?;
        if !self.lie_apart(&rays) {
            return None;
        }
        let mut out = self.empty();
        for back in steps {
            let relation = self.relation_of_rows("back", back);
            let seed = self.set(SetOp::Image { relation, of: ends });
            let of = self.set(SetOp::Flood { relation, seed, within });
            let before = self.set(SetOp::Image { relation, of });
            out = self.set(SetOp::Or(out, before));
        }
        Some(out)
    }

    /// From each site the one before it on a ray; none where rays are cut short, or go twice through a site.
    fn steps_back(&self, ray: u32) -> Option<Vec<SiteSet>> {
        let ray = self.rays.get(ray as usize)?;
        let mut back = vec![SiteSet::EMPTY; self.sites];
        for (x, (reach, beyond)) in ray.reach.iter().zip(&ray.beyond).enumerate() {
            let next = match ray.order {
                Order::Ascending => beyond.iter().next(),
                Order::Descending => beyond.iter().last(),
                Order::Mixed => return None,
            };
            let Some(next) = next else { continue };
            if reach != beyond || *beyond != (SiteSet::one(next) | *ray.beyond.get(next)?) {
                return None;
            }
            back.get_mut(next)?.insert(x);
        }
        Some(back)
    }

    /// Whether no site is on two of some rays from another site.
    fn lie_apart(&self, rays: &[u32]) -> bool {
        (0..self.sites).all(|x| {
            let mut seen = SiteSet::EMPTY;
            rays.iter().filter_map(|ray| self.rays.get(*ray as usize)?.beyond.get(x)).all(|beyond| {
                let new = (seen & *beyond).is_empty();
                seen = seen | *beyond;
                new
            })
        })
    }
}
