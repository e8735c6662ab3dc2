//! Relations of sites: for each site, the set of sites that it is related to.
//!
//! A relation knows how many sites (bits) its board has; its rows hold no site beyond. Everything
//! here is for the compile side and for tests: it is exact and plain.

use crate::ids::Site;
use crate::siteset::{MAX_SITES, SiteSet};
use std::collections::BTreeMap;

/// For each site, a set of sites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    rows: Vec<SiteSet>,
}

impl Relation {
    /// The empty relation on a board of so many bits (at most [`MAX_SITES`] are kept).
    pub fn empty(len: usize) -> Relation {
        Relation { rows: vec![SiteSet::EMPTY; len.min(MAX_SITES)] }
    }

    /// The relation of these pairs; a pair beyond the board is left out.
    pub fn from_pairs(len: usize, pairs: impl IntoIterator<Item = (Site, Site)>) -> Relation {
        let mut relation = Relation::empty(len);
        for (from, to) in pairs {
            relation.insert(from, to);
        }
        relation
    }

    /// Adds a pair; one beyond the board is ignored.
    pub fn insert(&mut self, from: Site, to: Site) {
        if to.index() < self.rows.len()
            && let Some(row) = self.rows.get_mut(from.index())
        {
            row.insert(to.index());
        }
    }

    /// How many bits the board has.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it relates nothing.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(SiteSet::is_empty)
    }

    /// The sites that one site is related to; none for a site beyond the board.
    pub fn of(&self, site: Site) -> SiteSet {
        self.rows.get(site.index()).copied().unwrap_or_default()
    }

    /// The sites that any site of a set is related to.
    pub fn image(&self, set: &SiteSet) -> SiteSet {
        set.iter().filter_map(|site| self.rows.get(site)).fold(SiteSet::EMPTY, |sum, row| sum | *row)
    }

    /// All pairs, in the order of sites.
    pub fn pairs(&self) -> impl Iterator<Item = (Site, Site)> + '_ {
        self.rows
            .iter()
            .enumerate()
            .flat_map(|(from, row)| row.iter().map(move |to| (Site(from as u16), Site(to as u16))))
    }

    /// The relation read backwards.
    #[must_use]
    pub fn converse(&self) -> Relation {
        Relation::from_pairs(self.len(), self.pairs().map(|(from, to)| (to, from)))
    }

    /// The pairs of either.
    #[must_use]
    pub fn union(&self, other: &Relation) -> Relation {
        let len = self.len().max(other.len());
        Relation {
            rows: (0..len).map(|site| self.of(Site(site as u16)) | other.of(Site(site as u16))).collect(),
        }
    }

    /// First this, then the other: `a.then(b).image(s) = b.image(a.image(s))`.
    #[must_use]
    pub fn then(&self, other: &Relation) -> Relation {
        Relation { rows: self.rows.iter().map(|row| other.image(row)).collect() }
    }

    /// The steps that each site is away from one, by this relation; none if it is not reached.
    /// One entry a bit.
    pub fn distance(&self, from: Site) -> Vec<Option<u32>> {
        let mut away = vec![None; self.len()];
        let start = SiteSet::one(from.index());
        for (steps, layer) in (0..).zip(self.layers(start)) {
            for site in layer.iter() {
                if let Some(entry) = away.get_mut(site) {
                    *entry = Some(steps);
                }
            }
        }
        away
    }

    /// The sites exactly `k` steps off a set: reached from it in `k` steps and in no fewer. For 0,
    /// the set itself.
    pub fn ring(&self, set: &SiteSet, k: u32) -> SiteSet {
        self.layers(*set).nth(k as usize).unwrap_or(SiteSet::EMPTY)
    }

    /// The sites that `seed & within` reaches by steps inside `within`, itself included.
    pub fn flood(&self, seed: &SiteSet, within: &SiteSet) -> SiteSet {
        let mut reached = *seed & *within;
        let mut fresh = reached;
        while !fresh.is_empty() {
            fresh = (self.image(&fresh) & *within) - reached;
            reached = reached | fresh;
        }
        reached
    }

    /// The sets 0, 1, 2, ... steps off a set, up to the last that is not empty.
    fn layers(&self, start: SiteSet) -> impl Iterator<Item = SiteSet> + '_ {
        let mut seen = start;
        std::iter::successors(Some(start), move |layer| {
            let next = self.image(layer) - seen;
            seen = seen | next;
            (!next.is_empty()).then_some(next)
        })
    }

    /// The pairs grouped by the difference of their site numbers: `(d, from)` says that each site of
    /// `from` is related to the site `d` bits higher. So `image(s)` is the union of
    /// `(s & from).shift(d)`. In the order of the differences; `None` if there are more than `limit`.
    pub fn translations(&self, limit: usize) -> Option<Vec<(i32, SiteSet)>> {
        let mut groups: BTreeMap<i32, SiteSet> = BTreeMap::new();
        for (from, to) in self.pairs() {
            let difference = i32::from(to.0) - i32::from(from.0);
            groups.entry(difference).or_default().insert(from.index());
            if groups.len() > limit {
                return None;
            }
        }
        Some(groups.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path 0 - 1 - ... of so many sites.
    fn path(len: u16) -> Relation {
        let pairs = (1..len).flat_map(|b| [(Site(b - 1), Site(b)), (Site(b), Site(b - 1))]);
        Relation::from_pairs(len.into(), pairs)
    }

    fn set(sites: &[usize]) -> SiteSet {
        sites.iter().copied().collect()
    }

    #[test]
    fn distances_and_rings() {
        let path = path(6);
        let away = path.distance(Site(2));
        assert_eq!(away, [2, 1, 0, 1, 2, 3].map(Some));
        assert_eq!(path.ring(&set(&[0, 1]), 0), set(&[0, 1]));
        assert_eq!(path.ring(&set(&[0, 1]), 2), set(&[3]));
        assert_eq!(path.ring(&set(&[0]), u32::MAX), SiteSet::EMPTY);
        assert_eq!(path.ring(&SiteSet::EMPTY, 0), SiteSet::EMPTY);
    }

    #[test]
    fn a_flood_stays_inside() {
        let path = path(6);
        let within = set(&[0, 1, 3, 4, 5]);
        assert_eq!(path.flood(&set(&[4, 2]), &within), set(&[3, 4, 5]));
        assert_eq!(path.flood(&set(&[2]), &within), SiteSet::EMPTY);
    }

    #[test]
    fn composition_and_converse() {
        let one = Relation::from_pairs(3, [(Site(0), Site(1)), (Site(1), Site(2))]);
        assert_eq!(one.then(&one).of(Site(0)), set(&[2]));
        assert_eq!(one.converse().of(Site(2)), set(&[1]));
        assert_eq!(one.union(&one.converse()).of(Site(1)), set(&[0, 2]));
        assert!(one.then(&one).then(&one).is_empty());
    }

    #[test]
    fn translations_have_a_limit() {
        let path = path(6);
        let both = path.translations(2).unwrap();
        assert_eq!(both.iter().map(|(d, _)| *d).collect::<Vec<_>>(), [-1, 1]);
        assert_eq!(path.translations(1), None);
    }

    #[test]
    fn pairs_beyond_the_board_are_left_out() {
        let relation = Relation::from_pairs(3, [(Site(0), Site(3)), (Site(9), Site(0))]);
        assert!(relation.is_empty());
        assert_eq!(relation.of(Site(900)), SiteSet::EMPTY);
    }
}
