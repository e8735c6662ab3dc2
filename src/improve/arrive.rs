//! Where a piece may arrive so that nothing meets it there.
//!
//! A condition such as "the royal piece is not attacked" is about the piece that moves, if that is the royal
//! one. Then each end has its own answer, so each would be tested. But attack is symmetric: a piece on `to` is
//! attacked exactly by the pieces that reach `to`. So all ends where the piece is attacked are found at once, by
//! following the relations and rays backwards from the attackers.
//!
//! Let `L` be the position in which the piece is lifted. In it let `K` be a pointwise set (see
//! [`change`](super::change)) that a piece is in once it is put. If `K` is empty in `L`, then it is `{to}`
//! after the move, and for a pointwise set `X`, which changes at `to` at most,
//!
//! ```text
//! image(K) meets X                 =  to in the image of X backwards
//! slide(K through T) meets X       =  to in slide(X through T) along the rays backwards
//! ```
//!
//! both with `X` and `T` as they are in `L`: a relation that is followed here leads from no site to itself, nor
//! does a ray, so neither the image nor the slide contains `to`. A reversed ray has from each site of each path the
//! path back to the origin, and the other way round, so the same sites lie between. The other sets of the intersection
//! need not be pointwise: ends where the move may change them are tested. Where `K` is not empty all ends are tested.

use super::Pass;
use super::builder::Builder;
use super::change::Change;
use crate::program::{IntId, IntOp, Order, SetId, SetOp, Unary};

/// Where a condition does not hold after a piece is put.
pub(crate) struct Arrivals {
    /// It does not hold on these sites, and holds on all others,
    pub(crate) met: SetId,
    /// these left out, for which nothing is said,
    pub(crate) open: SetId,
    /// if these sets together are empty. All are of the position in which the piece is lifted.
    pub(crate) others: SetId,
}

impl Builder {
    /// Where the condition does not hold once the piece is put; none if that is not understood.
    pub(crate) fn arrivals(&mut self, put: &mut Change, cond: IntId) -> Option<Arrivals> {
        let IntOp::Unary(Unary::Not, any) = *self.int_op(cond) else { return None };
        if !self.passes.has(Pass::Arrivals) {
            return None;
        }
        let empty = self.empty();
        let mut out = Arrivals { met: empty, open: empty, others: empty };
        let mut queue = vec![any];
        while let Some(c) = queue.pop() {
            let sets = match *self.int_op(c) {
                IntOp::Or(a, b) => {
                    queue.extend([a, b]);
                    continue;
                }
                IntOp::Some(s) => vec![s],
                IntOp::Meets(a, b) => vec![a, b],
                _ => return None,
            };
            let met = self.meeting(put, &sets, &mut out)?;
            out.met = self.set(SetOp::Or(out.met, met));
        }
        Some(out)
    }

    /// The ends for which the meet of some sets has a member.
    fn meeting(&mut self, put: &mut Change, sets: &[SetId], out: &mut Arrivals) -> Option<SetId> {
        let mut parts = Vec::new();
        sets.iter().for_each(|s| self.parts(*s, &mut parts));
        let (mut origin, mut rest) = (None, Vec::new());
        for part in parts {
            if self.leaves_piece(put, part) {
                if origin.replace(part).is_some() {
                    return None;
                }
                continue;
            }
            let (more, less) = self.elsewhere(put, part)?;
            out.open = self.any_of([out.open, more, less]);
            rest.push(part);
        }
        let rest = self.all_of(&rest);
        self.backwards(put, origin?, rest, out)
    }

    /// Whether a set is the set of sites reached from the piece.
    fn leaves_piece(&mut self, put: &mut Change, set: SetId) -> bool {
        match self.op(set).clone() {
            SetOp::Image { of, .. } => self.joins(put, of),
            SetOp::Slide { from, over: None, .. } => self.joins(put, from),
            SetOp::If(_, a, b) | SetOp::Or(a, b) => self.leaves_piece(put, a) && self.leaves_piece(put, b),
            SetOp::Switch(_, cases) => !cases.is_empty() && cases.iter().all(|s| self.leaves_piece(put, *s)),
            _ => false,
        }
    }

    /// The sites from which a set reaches into another one.
    fn backwards(&mut self, put: &mut Change, set: SetId, into: SetId, out: &mut Arrivals) -> Option<SetId> {
        match self.op(set).clone() {
            SetOp::Image { relation, of } => {
                let rows = &self.relations.get(relation as usize)?.1;
                if rows.iter().enumerate().any(|(x, row)| row.contains(x)) {
                    return None;
                }
                out.others = self.set(SetOp::Or(out.others, of));
                self.origins(relation, into)
            }
            SetOp::Slide { rays, from, through, over: None } => {
                if !self.is_pointwise(put, through) {
                    return None;
                }
                let rays = rays.iter().map(|r| self.reversed(*r, &rays)).collect::<Option<_>>()?;
                out.others = self.set(SetOp::Or(out.others, from));
                Some(self.set(SetOp::Slide { rays, from: into, through, over: None }))
            }
            SetOp::Or(a, b) => {
                let (a, b) = (self.backwards(put, a, into, out)?, self.backwards(put, b, into, out)?);
                Some(self.set(SetOp::Or(a, b)))
            }
            SetOp::If(cond, a, b) if self.int_stays(put, cond) => {
                let (a, b) = (self.backwards(put, a, into, out)?, self.backwards(put, b, into, out)?);
                Some(self.set(SetOp::If(cond, a, b)))
            }
            SetOp::Switch(index, cases) if self.int_stays(put, index) => {
                let cases =
                    cases.iter().map(|s| self.backwards(put, *s, into, out)).collect::<Option<_>>()?;
                Some(self.set(SetOp::Switch(index, cases)))
            }
            _ => None,
        }
    }

    /// The ray of some that leads back on the paths of another, and on no others.
    fn reversed(&self, ray: u32, rays: &[u32]) -> Option<u32> {
        rays.iter().copied().find(|back| self.leads_back(ray, *back) && self.leads_back(*back, ray))
    }

    /// Whether from each site of each path of a ray another ray leads back to its origin.
    fn leads_back(&self, ray: u32, back: u32) -> bool {
        (0..self.sites).all(|origin| {
            let path = self.path(ray, origin);
            let mut behind = vec![origin];
            path.iter().all(|site| {
                let there = !behind.contains(site);
                let leads = self.path(back, *site).iter().take(behind.len()).eq(behind.iter().rev());
                behind.push(*site);
                there && leads
            })
        })
    }

    /// The sites on a ray in order.
    fn path(&self, ray: u32, origin: usize) -> Vec<usize> {
        let Some(ray) = self.rays.get(ray as usize) else { return Vec::new() };
        let mut path: Vec<usize> = ray.reach.get(origin).into_iter().flat_map(|r| r.iter()).collect();
        match ray.order {
            Order::Ascending => {}
            Order::Descending => path.reverse(),
            Order::Mixed => {
                path = ray.lists.get(origin).into_iter().flatten().map(|s| usize::from(*s)).collect();
            }
        }
        path
    }
}
