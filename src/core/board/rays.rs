//! Rays: for each site, the sites that lie in one direction from it, in order.
//!
//! A ray ends where the direction leads nowhere, and before it comes to a site for the second time
//! (its own origin included), so that it is finite on boards that wrap. It never holds its origin.

use super::Board;
use crate::ids::{Dir, Site};
use crate::siteset::SiteSet;

/// How site numbers run along all rays of a direction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RayOrder {
    /// Upwards along each ray: the lowest member of a set on the ray is the nearest.
    Ascending,
    /// Downwards along each ray: the highest member is the nearest.
    Descending,
    /// Neither: a ray must be walked.
    Mixed,
}

/// The rays of one direction, one for each bit of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rays {
    rays: Vec<Vec<Site>>,
    masks: Vec<SiteSet>,
    order: RayOrder,
}

impl Rays {
    /// The sites along the ray from a site, nearest first; none from a site beyond the board.
    pub fn ray(&self, site: Site) -> &[Site] {
        self.rays.get(site.index()).map_or(&[], Vec::as_slice)
    }

    /// The sites of the ray as a set.
    pub fn mask(&self, site: Site) -> SiteSet {
        self.masks.get(site.index()).copied().unwrap_or_default()
    }

    /// How site numbers run along every ray.
    pub fn order(&self) -> RayOrder {
        self.order
    }

    /// The nearest site of a set on the ray from a site.
    pub fn nearest(&self, site: Site, set: &SiteSet) -> Option<Site> {
        let on_ray = self.mask(site) & *set;
        match self.order {
            RayOrder::Ascending => on_ray.first().map(|s| Site(s as u16)),
            RayOrder::Descending => on_ray.last().map(|s| Site(s as u16)),
            RayOrder::Mixed => self.walk_to(site, set),
        }
    }

    /// As [`nearest`](Rays::nearest), by walking: slow and plain, to compare with.
    pub fn walk_to(&self, site: Site, set: &SiteSet) -> Option<Site> {
        let found = self.ray(site).iter().find(|s| set.contains(s.index()));
        found.copied()
    }

    /// The sites that a slide from a site reaches while every site between is in `through`, by
    /// walking: slow and plain, to compare with. The first site outside `through` is reached too.
    pub fn slide(&self, site: Site, through: &SiteSet, upto: Option<u32>) -> SiteSet {
        let mut reached = SiteSet::EMPTY;
        let limit = upto.map_or(usize::MAX, |k| k as usize);
        for next in self.ray(site).iter().take(limit) {
            reached.insert(next.index());
            if !through.contains(next.index()) {
                break;
            }
        }
        reached
    }
}

impl Board {
    /// The rays of a direction; empty ones for a direction that this board does not have.
    pub fn rays(&self, dir: Dir) -> Rays {
        let rays: Vec<Vec<Site>> = (0..self.len()).map(|site| self.ray(dir, Site(site as u16))).collect();
        let runs = |ahead: fn(&Site, &Site) -> bool| rays.iter().all(|ray| ray.is_sorted_by(ahead));
        let order = if runs(|a, b| a < b) {
            RayOrder::Ascending
        } else if runs(|a, b| a > b) {
            RayOrder::Descending
        } else {
            RayOrder::Mixed
        };
        Rays { masks: rays.iter().map(|ray| ray.iter().copied().collect()).collect(), rays, order }
    }

    /// One ray.
    fn ray(&self, dir: Dir, from: Site) -> Vec<Site> {
        let mut seen = SiteSet::one(from.index());
        std::iter::successors(self.step(dir, from), |at| self.step(dir, *at))
            .take_while(|at| {
                let fresh = !seen.contains(at.index());
                seen.insert(at.index());
                fresh
            })
            .collect()
    }

    /// The sites strictly between two sites on straight lines (see [`Board::lines`]); empty if no
    /// line joins them. On a board that wraps, those of every line that does.
    pub fn between(&self, a: Site, b: Site) -> SiteSet {
        self.lines()
            .into_iter()
            .filter_map(|dir| {
                let ray = self.ray(dir, a);
                let end = ray.iter().position(|site| *site == b)?;
                Some(ray.into_iter().take(end).collect::<SiteSet>())
            })
            .fold(SiteSet::EMPTY, |sum, sites| sum | sites)
    }
}
