//! Where a piece may arrive so that nothing meets it there.
//!
//! A condition such as "the royal piece is not attacked" is about the piece that moves, if that is the royal
//! one. Then each end has its own answer, so each would be tested. But attack is symmetric: a piece on `to` is
//! attacked exactly by the pieces that reach `to`. So all ends where the piece is attacked are found at once, by
//! following the relations and rays backwards from the attackers.
//!
//! Let `L` be the position in which the piece is lifted. In it let `K` be a pointwise set (see
//! [`change`](super::change)) that a piece is in once it is put. If `K` is empty in `L`, then it is `{to}`
//! after the move. Let `f(K)` be made of images, slides, intersections with other sets, unions and choices of `K`. Such
//! an `f` reaches from each site of `K` what it would reach from that site alone, so it can be followed backwards, one
//! part after the other:
//!
//! ```text
//! K meets X                      =  to in X
//! image(A) meets X               =  A meets the image of X backwards
//! slide(A through T) meets X     =  A meets slide(X through T) along the rays backwards
//! (A & B) meets X                =  A meets (B & X)
//! ```
//!
//! all with `X`, `B` and `T` as they are in `L`. There they may differ from what they are after the move at `to` alone.
//! So it is asked of the tables alone whether any way from a site leads back to it: if one does, only sets will do that
//! the move leaves as they are. A reversed ray has from each site of each path the path back to the origin, and the
//! other way round, so the same sites lie between. Where a set changes at other sites, too, those ends are tested.
//! Where `K` is not empty all ends are tested.

use super::Pass;
use super::builder::Builder;
use super::change::Change;
use crate::program::{IntId, IntOp, Order, SetId, SetOp, Unary};
use crate::siteset::SiteSet;

/// Where a condition does not hold after a piece is put.
pub(crate) struct Arrivals {
    /// It does not hold on these sites, and holds on all others,
    pub(crate) met: SetId,
    /// these left out, for which nothing is said,
    pub(crate) open: SetId,
    /// if these sets together are empty. All are of the position in which the piece is lifted.
    pub(crate) others: SetId,
}

/// For each site the sites to which ways from there may lead, whatever the position.
type Ways = Vec<SiteSet>;

/// Where the members of a set come from.
enum Source {
    /// The set is the site of the piece, or more if it was not empty.
    Piece(SetId),
    /// The set is reached from the piece by images and slides.
    Way(SetId),
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
        let (way, rest) = self.way_among(put, &parts)?;
        let ways = self.ways(put, way)?;
        for part in &rest {
            self.holds_at_ends(put, *part, &ways, out)?;
        }
        let rest = self.all_of(&rest);
        self.backwards(put, Source::Way(way), rest, out)
    }

    /// The one of some sets that is reached from the piece, and the others; none where that is not one.
    fn way_among(&mut self, put: &mut Change, parts: &[SetId]) -> Option<(SetId, Vec<SetId>)> {
        let (ways, rest): (Vec<SetId>, _) = parts.iter().partition(|part| self.ways(put, **part).is_some());
        match ways.as_slice() {
            [way] => Some((*way, rest)),
            _ => None,
        }
    }

    /// Where the members of a set come from, and the sets that it is cut to.
    fn source(&mut self, put: &mut Change, set: SetId) -> Option<(Source, Vec<SetId>)> {
        let mut parts = Vec::new();
        self.parts(set, &mut parts);
        if parts.iter().any(|part| self.ways(put, *part).is_some()) {
            let (way, rest) = self.way_among(put, &parts)?;
            return Some((Source::Way(way), rest));
        }
        let (piece, rest): (Vec<SetId>, _) = parts.into_iter().partition(|part| self.joins(put, *part));
        if piece.is_empty() {
            return None;
        }
        Some((Source::Piece(self.all_of(&piece)), rest))
    }

    /// Notes the ends for which a set, asked where some ways lead, is not as it was; none if those are not known.
    fn holds_at_ends(&mut self, put: &mut Change, set: SetId, ways: &Ways, out: &mut Arrivals) -> Option<()> {
        if self.remains(put, set) {
            return Some(());
        }
        if ways.iter().enumerate().any(|(x, ends)| ends.contains(x)) {
            return None;
        }
        let (more, less) = self.elsewhere(put, set)?;
        out.open = self.any_of([out.open, more, less]);
        Some(())
    }

    /// Where a set that is reached from the piece alone may lie, for each site of the piece; none for other sets.
    fn ways(&mut self, put: &mut Change, set: SetId) -> Option<Ways> {
        if self.stays(put, set) || !self.work.take(self.sites as u64) {
            return None;
        }
        let on = |ways: Ways, rows: &dyn Fn(usize) -> SiteSet| -> Ways {
            ways.iter().map(|ends| ends.iter().fold(SiteSet::EMPTY, |out, x| out | rows(x))).collect()
        };
        match self.op(set).clone() {
            SetOp::Image { relation, of } => {
                let ways = self.ways_from(put, of)?;
                let rows = &self.relations.get(relation as usize)?.1;
                Some(on(ways, &|x| rows.get(x).copied().unwrap_or(SiteSet::EMPTY)))
            }
            SetOp::Slide { rays, from, .. } => {
                let ways = self.ways_from(put, from)?;
                let reach = |ray: &u32, x: usize| self.rays.get(*ray as usize)?.reach.get(x).copied();
                Some(on(ways, &|x| {
                    rays.iter().filter_map(|ray| reach(ray, x)).fold(SiteSet::EMPTY, |out, row| out | row)
                }))
            }
            SetOp::If(_, a, b) | SetOp::Or(a, b) => self.ways_of_all(put, &[a, b]),
            SetOp::Switch(_, cases) => self.ways_of_all(put, &cases),
            _ => None,
        }
    }

    /// The same of a set that may be the piece itself, cut to other sets.
    fn ways_from(&mut self, put: &mut Change, set: SetId) -> Option<Ways> {
        match self.source(put, set)?.0 {
            Source::Piece(_) => Some((0..self.sites).map(|x| SiteSet::one(x) & self.all).collect()),
            Source::Way(set) => self.ways(put, set),
        }
    }

    /// The same of the union of some.
    fn ways_of_all(&mut self, put: &mut Change, sets: &[SetId]) -> Option<Ways> {
        let all = sets.iter().map(|set| self.ways_from(put, *set)).collect::<Option<Vec<Ways>>>()?;
        all.into_iter().reduce(|a, b| a.iter().zip(&b).map(|(x, y)| *x | *y).collect())
    }

    /// The sites from which a set, which may be cut to others, reaches into another one.
    fn back_from(&mut self, put: &mut Change, set: SetId, into: SetId, out: &mut Arrivals) -> Option<SetId> {
        let (source, cut) = self.source(put, set)?;
        let ways = self.ways_from(put, set)?;
        for part in &cut {
            self.holds_at_ends(put, *part, &ways, out)?;
        }
        let cut = self.all_of(&cut);
        let into = self.set(SetOp::And(into, cut));
        self.backwards(put, source, into, out)
    }

    /// The sites from which a source reaches into a set.
    fn backwards(
        &mut self,
        put: &mut Change,
        from: Source,
        into: SetId,
        out: &mut Arrivals,
    ) -> Option<SetId> {
        let way = match from {
            Source::Piece(piece) => {
                out.others = self.set(SetOp::Or(out.others, piece));
                return Some(into);
            }
            Source::Way(way) => way,
        };
        match self.op(way).clone() {
            SetOp::Image { relation, of } => {
                let into = self.origins(relation, into)?;
                self.back_from(put, of, into, out)
            }
            SetOp::Slide { rays, from, through, over } => {
                let ways = self.ways(put, way)?;
                for passed in [Some(through), over].into_iter().flatten() {
                    if !self.is_pointwise(put, passed) {
                        return None;
                    }
                    self.holds_at_ends(put, passed, &ways, out)?;
                }
                let rays = rays.iter().map(|r| self.reversed(*r, &rays)).collect::<Option<_>>()?;
                let into = self.set(SetOp::Slide { rays, from: into, through, over });
                self.back_from(put, from, into, out)
            }
            SetOp::Or(a, b) => {
                let (a, b) = (self.back_from(put, a, into, out)?, self.back_from(put, b, into, out)?);
                Some(self.set(SetOp::Or(a, b)))
            }
            SetOp::If(cond, a, b) if self.int_stays(put, cond) => {
                let (a, b) = (self.back_from(put, a, into, out)?, self.back_from(put, b, into, out)?);
                Some(self.set(SetOp::If(cond, a, b)))
            }
            SetOp::Switch(index, cases) if self.int_stays(put, index) => {
                let cases =
                    cases.iter().map(|s| self.back_from(put, *s, into, out)).collect::<Option<_>>()?;
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
