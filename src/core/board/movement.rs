//! Relations of a board: steps, leaps, walks, pairs.
//!
//! A leap and a walk on a grid are by coordinates, and look at no site between; where the grid wraps,
//! so do they. All of them relate existing sites only.

use std::collections::BTreeSet;

use super::direction::Motion;
use super::{Board, BoardError, BoardPart, Relation};
use crate::ids::{Dir, Site};

impl Board {
    /// One step in any of these directions.
    pub fn steps(&self, dirs: &[Dir]) -> Relation {
        let mut relation = Relation::empty(self.len());
        for site in self.sites() {
            for to in dirs.iter().filter_map(|dir| self.step(*dir, site)) {
                relation.insert(site, to);
            }
        }
        relation
    }

    /// One step between neighbours: orthogonal on squares, along any edge otherwise.
    pub fn near(&self) -> Relation {
        let edges = match &self.grid {
            Some(grid) => grid.edges(),
            None => self.shape_labels,
        };
        let dirs: Vec<Dir> = (0..edges).map(|i| Dir(i as u16)).collect();
        self.steps(&dirs)
    }

    /// Leaps of `a` and `b`, every image under the grid's symmetry: on squares `a` columns and `b`
    /// rows or the other way round; on hexagons `a` steps in an edge direction, then `b` at 60
    /// degrees to either side. Never a leap back onto the same site by wrapping.
    ///
    /// # Errors
    /// The board is a graph, or both lengths are 0.
    pub fn leap(&self, a: i32, b: i32) -> Result<Relation, BoardError> {
        let Some(grid) = &self.grid else {
            return Err(BoardError::new(
                BoardPart::Question,
                "there are no leaps on a board that is a graph; `walk` along its labels, or give `pairs`",
            ));
        };
        if (a, b) == (0, 0) {
            let message = "a leap of 0,0 leads nowhere";
            return Err(BoardError::new(BoardPart::Question, message));
        }
        let mut relation = Relation::empty(self.len());
        let offsets = grid.leaps(a.into(), b.into());
        for site in self.sites() {
            let (column, row) = grid.at(site.index());
            for (c, r) in &offsets {
                if let Some(to) = grid.find(column + c, row + r)
                    && self.exists(to)
                    && to != site.index()
                {
                    relation.insert(site, Site(to as u16));
                }
            }
        }
        Ok(relation)
    }

    /// From each site to the end of a walk. On a grid labels are taken as offsets, so that the walk
    /// may pass over holes and beyond the border; on a graph it follows the labels, over removed
    /// sites too. It may end where it began. A label that this board does not have leads nowhere.
    pub fn walk(&self, dirs: &[Dir]) -> Relation {
        let groups: Vec<&[Dir]> = dirs.iter().map(std::slice::from_ref).collect();
        self.walks(&groups, usize::MAX).0
    }

    /// From each site to the ends of the walks with a direction of each group in turn, and how many steps were
    /// made. After `most` steps it stops, and the relation is incomplete.
    pub fn walks(&self, groups: &[&[Dir]], most: usize) -> (Relation, usize) {
        let mut relation = Relation::empty(self.len());
        let mut steps = 0;
        for from in self.sites() {
            let mut places = BTreeSet::from([match &self.grid {
                Some(grid) => grid.at(from.index()),
                None => (from.index() as i64, 0),
            }]);
            for dirs in groups {
                steps += places.len() * dirs.len();
                if steps > most {
                    return (relation, steps);
                }
                places =
                    places.iter().flat_map(|at| dirs.iter().filter_map(|d| self.walked(*at, *d))).collect();
            }
            for (column, row) in places {
                let end = match &self.grid {
                    Some(grid) => grid.find(column, row),
                    None => usize::try_from(column).ok(),
                };
                if let Some(to) = end.filter(|to| self.exists(*to)) {
                    relation.insert(from, Site(to as u16));
                }
            }
        }
        (relation, steps)
    }

    /// A step of a walk: from a column and row on a grid, from the number of a site on a graph.
    fn walked(&self, at: (i64, i64), dir: Dir) -> Option<(i64, i64)> {
        match (self.motions.get(dir.index())?, &self.grid) {
            (Motion::Offset(c, r), Some(_)) => Some((at.0 + c, at.1 + r)),
            (Motion::Offset(..), None) => None,
            (Motion::Links(links), Some(grid)) => Some(grid.at(links.get(grid.find(at.0, at.1)?)?)),
            (Motion::Links(links), None) => Some((links.get(usize::try_from(at.0).ok()?)? as i64, 0)),
        }
    }

    /// From each site of a chain to the next.
    pub fn pairs(&self, chains: &[Vec<Site>]) -> Relation {
        let links = chains.iter().flat_map(|chain| chain.windows(2)).filter_map(|pair| match pair {
            [a, b] if self.exists(a.index()) && self.exists(b.index()) => Some((*a, *b)),
            _ => None,
        });
        Relation::from_pairs(self.len(), links)
    }
}
