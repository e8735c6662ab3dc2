//! Relations of a board: steps, leaps, walks, pairs.
//!
//! A leap and a walk on a grid are by coordinates, and look at no site between; where the grid wraps,
//! so do they. All of them relate existing sites only.

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
        let ends = self.sites().filter_map(|from| {
            let to = match &self.grid {
                Some(_) => self.walk_grid(from, dirs),
                None => self.walk_graph(from, dirs),
            };
            let to = to.filter(|to| self.exists(*to))?;
            Some((from, Site(to as u16)))
        });
        Relation::from_pairs(self.len(), ends)
    }

    /// The end of a walk by coordinates.
    fn walk_grid(&self, from: Site, dirs: &[Dir]) -> Option<usize> {
        let grid = self.grid.as_ref()?;
        let mut at = grid.at(from.index());
        for dir in dirs {
            at = match self.motions.get(dir.index())? {
                Motion::Offset(c, r) => (at.0 + c, at.1 + r),
                Motion::Links(links) => grid.at(links.get(grid.find(at.0, at.1)?)?),
            };
        }
        grid.find(at.0, at.1)
    }

    /// The end of a walk by labels.
    fn walk_graph(&self, from: Site, dirs: &[Dir]) -> Option<usize> {
        let mut at = from.index();
        for dir in dirs {
            at = match self.motions.get(dir.index())? {
                Motion::Offset(..) => return None,
                Motion::Links(links) => links.get(at)?,
            };
        }
        Some(at)
    }

    /// From each site of a chain to the next.
    pub fn pairs(&self, chains: &[Vec<Site>]) -> Relation {
        let links =
            chains
                .iter()
                .flat_map(|chain| chain.windows(2))
                .filter_map(|pair| match pair {
                    [a, b] if self.exists(a.index()) && self.exists(b.index()) => Some((*a, *b)),
                    _ => None,
                });
        Relation::from_pairs(self.len(), links)
    }
}
