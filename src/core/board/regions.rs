//! Regions that every board has: rows, columns, border, corners, centre, sides.
//!
//! They are geometry: a site that is taken out belongs to none, and no other site takes its part. A
//! border that is joined to its opposite is no border.

use super::Board;
use crate::ids::Site;
use crate::siteset::SiteSet;

impl Board {
    /// The row of a site, from 1; 0 on a graph.
    pub fn row(&self, site: Site) -> i32 {
        self.coordinates(site).1 as i32
    }

    /// The column of a site, from 1; 0 on a graph.
    pub fn column(&self, site: Site) -> i32 {
        self.coordinates(site).0 as i32
    }

    /// How many rows there are; 0 on a graph.
    pub fn rows(&self) -> i32 {
        self.grid.map_or(0, |grid| grid.rows as i32)
    }

    /// How many columns there are; 0 on a graph.
    pub fn columns(&self) -> i32 {
        self.grid.map_or(0, |grid| grid.columns as i32)
    }

    /// The sites of a row; none out of range and on a graph.
    pub fn row_set(&self, row: i32) -> SiteSet {
        self.where_at(|_, r| r == i64::from(row))
    }

    /// The sites of a column; none out of range and on a graph.
    pub fn column_set(&self, column: i32) -> SiteSet {
        self.where_at(|c, _| c == i64::from(column))
    }

    /// How many sides there are: 4 on squares and rhombi, 6 on hexagons, 3 on triangles, 0 on graphs.
    pub fn sides(&self) -> i32 {
        self.grid.map_or(0, |grid| grid.sides() as i32)
    }

    /// The sites of a side; none out of range. Side 1 is row 1; the others follow anticlockwise, as
    /// row 1 is drawn lowest (on squares: the last column, the last row, column 1). A corner belongs
    /// to both its sides.
    pub fn side(&self, side: i32) -> SiteSet {
        let side = usize::try_from(side).unwrap_or(0);
        match &self.grid {
            Some(grid) => self.where_at(|c, r| grid.on_side(side, c, r)),
            None => SiteSet::EMPTY,
        }
    }

    /// The sites on the outer border. On a graph: those with fewer neighbours than some other has.
    pub fn edge(&self) -> SiteSet {
        if self.grid.is_some() {
            return (1..=self.sides()).fold(SiteSet::EMPTY, |sum, side| sum | self.side(side));
        }
        let near = self.near();
        let most = self.sites().map(|site| near.of(site).count()).max();
        self.sites().filter(|site| Some(near.of(*site).count()) != most).collect()
    }

    /// The sites where two neighbouring sides meet; none on a graph.
    pub fn corners(&self) -> SiteSet {
        let sides = self.sides();
        (1..=sides).fold(SiteSet::EMPTY, |sum, side| sum | (self.side(side) & self.side(side % sides + 1)))
    }

    /// The central sites: those in a middle column and a middle row (1, 2 or 4); on a triangle 1 or
    /// 3; on a graph those whose farthest site is nearest. On a grid, wrapping changes nothing.
    pub fn centre(&self) -> SiteSet {
        if let Some(grid) = &self.grid {
            return self.where_at(|c, r| grid.is_central(c, r));
        }
        let near = self.near();
        let farthest: Vec<(Option<u32>, Site)> = self
            .sites()
            .map(|site| {
                let away = near.distance(site);
                let most = self.sites().try_fold(0, |most: u32, to| {
                    away.get(to.index()).copied().flatten().map(|k| k.max(most))
                });
                (most, site)
            })
            .collect();
        let least = farthest.iter().filter_map(|(most, _)| *most).min();
        let central = farthest.iter().filter(|(most, _)| least.is_some() && *most == least);
        central.map(|(_, site)| *site).collect()
    }

    /// Column and row of a bit; 0 on a graph and beyond the board.
    fn coordinates(&self, site: Site) -> (i64, i64) {
        match &self.grid {
            Some(grid) if site.index() < grid.cells() => grid.at(site.index()),
            _ => (0, 0),
        }
    }

    /// The sites at certain columns and rows; none on a graph.
    fn where_at(&self, test: impl Fn(i64, i64) -> bool) -> SiteSet {
        let Some(grid) = &self.grid else { return SiteSet::EMPTY };
        let at = |site: &Site| {
            let (column, row) = grid.at(site.index());
            test(column, row)
        };
        self.sites().filter(at).collect()
    }
}
