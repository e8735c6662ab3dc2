//! Square and hexagonal grids: coordinates, numbering, compass labels, borders.
//!
//! Columns and rows count from 1. A grid is numbered by its bounding grid, `(row - 1) * columns +
//! column - 1`, so that an offset in coordinates is one difference of site numbers wherever nothing
//! wraps. Sizes are checked once, in [`Grid::new`]; after that `columns * rows` is at most
//! [`MAX_SITES`] and all arithmetic on coordinates is in `i64`, where it cannot overflow.

use super::error::{BoardError, BoardPart};
use crate::siteset::MAX_SITES;
use crate::wording::many;

/// The kind of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lattice {
    /// Squares.
    Square,
    /// A hexagon of hexagons: cells where `|column - row| < base`.
    HexHex,
    /// A rhombus of hexagons.
    Rhombus,
    /// A triangle of hexagons: cells where `column + row <= base + 1`.
    Triangle,
}

/// The form of a grid's cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// A square, with four neighbours.
    Square,
    /// A hexagon, with six.
    Hexagon,
}

impl Lattice {
    /// The form of its cells. Directions and pictures go by it.
    pub fn cell(self) -> Cell {
        match self {
            Lattice::Square => Cell::Square,
            Lattice::HexHex | Lattice::Rhombus | Lattice::Triangle => Cell::Hexagon,
        }
    }
}

/// A label of a grid: its name and its offset in columns and rows.
pub(super) type Point = (&'static str, i64, i64);

/// Edges first, clockwise from north; then the diagonals, clockwise, each right after the edge
/// direction with its index.
const SQUARE: [Point; 8] = [
    ("n", 0, 1),
    ("e", 1, 0),
    ("s", 0, -1),
    ("w", -1, 0),
    ("ne", 1, 1),
    ("se", 1, -1),
    ("sw", -1, -1),
    ("nw", -1, 1),
];

/// As [`SQUARE`]; a diagonal is the sum of the two edge directions beside it.
const HEXHEX: [Point; 12] = [
    ("n", 0, 1),
    ("ne", 1, 1),
    ("e", 1, 0),
    ("s", 0, -1),
    ("sw", -1, -1),
    ("w", -1, 0),
    ("nne", 1, 2),
    ("ene", 2, 1),
    ("se", 1, -1),
    ("ssw", -1, -2),
    ("wsw", -2, -1),
    ("nw", -1, 1),
];

/// As [`HEXHEX`], for the grid in which north and east are 60 degrees apart.
const RHOMBUS: [Point; 12] = [
    ("n", 0, 1),
    ("e", 1, 0),
    ("se", 1, -1),
    ("s", 0, -1),
    ("w", -1, 0),
    ("nw", -1, 1),
    ("ne", 1, 1),
    ("ese", 2, -1),
    ("sse", 1, -2),
    ("sw", -1, -1),
    ("wnw", -2, 1),
    ("nnw", -1, 2),
];

/// A grid of sites.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Grid {
    /// Its kind.
    pub lattice: Lattice,
    /// Columns of the bounding grid.
    pub columns: i64,
    /// Rows of the bounding grid.
    pub rows: i64,
    /// Whether the last column is beside the first.
    pub wrap_columns: bool,
    /// Whether the last row is beside the first.
    pub wrap_rows: bool,
}

impl Grid {
    /// A grid of a kind, with the sizes of its bounding grid.
    ///
    /// # Errors
    /// No site, or a bounding grid of more than [`MAX_SITES`].
    pub fn new(lattice: Lattice, columns: usize, rows: usize) -> Result<Grid, BoardError> {
        let message = match columns.checked_mul(rows) {
            Some(0) => "the board has no site: every size must be at least 1".to_owned(),
            Some(cells) if cells <= MAX_SITES => {
                return Ok(Grid {
                    lattice,
                    columns: columns as i64,
                    rows: rows as i64,
                    wrap_columns: false,
                    wrap_rows: false,
                });
            }
            Some(cells) => format!(
                "the board is too large: {} by {} is {cells} sites, at most {MAX_SITES} are possible",
                many(columns as u64, "column"),
                many(rows as u64, "row")
            ),
            None => format!("the board is too large: at most {MAX_SITES} sites are possible"),
        };
        Err(BoardError::new(BoardPart::Shape, message))
    }

    /// A hexagon of hexagons, so many cells an edge.
    ///
    /// # Errors
    /// As [`Grid::new`].
    pub fn hexhex(base: usize) -> Result<Grid, BoardError> {
        let across = base.saturating_mul(2).saturating_sub(1);
        Grid::new(Lattice::HexHex, across, across)
    }

    /// Cells of the bounding grid, holes included.
    pub fn cells(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// The form of its cells.
    pub fn cell(&self) -> Cell {
        self.lattice.cell()
    }

    /// Column and row of a cell, from 1.
    pub fn at(&self, cell: usize) -> (i64, i64) {
        let cell = cell as i64;
        (cell % self.columns + 1, cell / self.columns + 1)
    }

    /// The cell at a column and row, which are wrapped where the grid wraps; none off the board.
    pub fn find(&self, column: i64, row: i64) -> Option<usize> {
        let column = match self.wrap_columns {
            true => (column - 1).rem_euclid(self.columns) + 1,
            false => column,
        };
        let row = match self.wrap_rows {
            true => (row - 1).rem_euclid(self.rows) + 1,
            false => row,
        };
        let inside = (1..=self.columns).contains(&column) && (1..=self.rows).contains(&row);
        let exists = inside
            && match self.lattice {
                Lattice::Square | Lattice::Rhombus => true,
                Lattice::HexHex => 2 * (column - row).abs() < self.columns + 1,
                Lattice::Triangle => column + row <= self.columns + 1,
            };
        exists.then(|| ((row - 1) * self.columns + column - 1) as usize)
    }

    /// Whether a cell of the bounding grid is a site.
    pub fn has(&self, cell: usize) -> bool {
        let (column, row) = self.at(cell);
        self.find(column, row).is_some()
    }

    /// Column letters, then the row's number: `a1`, `aa10`.
    pub fn name(&self, cell: usize) -> String {
        let (mut column, row) = self.at(cell);
        let mut letters = Vec::new();
        while column > 0 {
            letters.push((b'a' + ((column - 1) % 26) as u8) as char);
            column = (column - 1) / 26;
        }
        letters.into_iter().rev().chain(row.to_string().chars()).collect()
    }

    /// Its labels: first the edge directions, clockwise from north, then the diagonals, clockwise.
    pub fn points(&self) -> &'static [Point] {
        match self.lattice {
            Lattice::Square => &SQUARE,
            Lattice::HexHex => &HEXHEX,
            Lattice::Rhombus | Lattice::Triangle => &RHOMBUS,
        }
    }

    /// How many of its labels are edge directions.
    pub fn edges(&self) -> usize {
        match self.cell() {
            Cell::Square => 4,
            Cell::Hexagon => 6,
        }
    }

    /// The directions in which straight lines run, clockwise from north, as places in
    /// [`points`](Grid::points).
    pub fn ring(&self) -> &'static [usize] {
        match self.cell() {
            Cell::Square => &[0, 4, 1, 5, 2, 6, 3, 7],
            Cell::Hexagon => &[0, 1, 2, 3, 4, 5],
        }
    }

    /// The offsets of a leap of `a` and `b`: every image under the grid's symmetry. On hexagons `a`
    /// steps in one edge direction, then `b` in a direction beside it. May hold repetitions.
    pub fn leaps(&self, a: i64, b: i64) -> Vec<(i64, i64)> {
        if self.cell() == Cell::Square {
            return [(a, b), (b, a)]
                .into_iter()
                .flat_map(|(x, y)| [(x, y), (-x, y), (x, -y), (-x, -y)])
                .collect();
        }
        let edges = &self.points()[..6];
        (0..6)
            .flat_map(|i| [(i, (i + 1) % 6), (i, (i + 5) % 6)])
            .map(|(i, j)| {
                let ((_, c, r), (_, d, s)) = (edges[i], edges[j]);
                (a * c + b * d, a * r + b * s)
            })
            .collect()
    }

    /// How many sides it has.
    pub fn sides(&self) -> usize {
        match self.lattice {
            Lattice::Square | Lattice::Rhombus => 4,
            Lattice::HexHex => 6,
            Lattice::Triangle => 3,
        }
    }

    /// Whether a cell lies on a side, counted from 1: row 1 is the first, then anticlockwise, as
    /// row 1 is drawn lowest. A border that is joined to its opposite is no side.
    pub fn on_side(&self, side: usize, column: i64, row: i64) -> bool {
        let half = (self.columns - 1) / 2;
        match self.lattice {
            Lattice::HexHex => match side {
                1 => row == 1,
                2 => column - row == half,
                3 => column == self.columns,
                4 => row == self.rows,
                5 => row - column == half,
                6 => column == 1,
                _ => false,
            },
            Lattice::Triangle => match side {
                1 => row == 1,
                2 => column + row == self.columns + 1,
                3 => column == 1,
                _ => false,
            },
            Lattice::Square | Lattice::Rhombus => match side {
                1 => !self.wrap_rows && row == 1,
                2 => !self.wrap_columns && column == self.columns,
                3 => !self.wrap_rows && row == self.rows,
                4 => !self.wrap_columns && column == 1,
                _ => false,
            },
        }
    }

    /// Whether a cell is central: in a middle column and a middle row; on a triangle, if its
    /// distances to the three sides differ by no more than 1.
    pub fn is_central(&self, column: i64, row: i64) -> bool {
        match self.lattice {
            Lattice::Triangle => {
                let third = self.columns + 2 - column - row;
                column.max(row).max(third) - column.min(row).min(third) <= 1
            }
            Lattice::Square | Lattice::HexHex | Lattice::Rhombus => {
                let middle = |at: i64, of: i64| (2 * at - of - 1).abs() == (of + 1) % 2;
                middle(column, self.columns) && middle(row, self.rows)
            }
        }
    }

    /// Where a cell is drawn, in units of the distance of neighbours, x to the right, y upwards, no
    /// coordinate below 0.
    pub fn place(&self, cell: usize) -> (f32, f32) {
        let (column, row) = self.at(cell);
        let (x, y) = ((column - 1) as f32, (row - 1) as f32);
        let height = 3f32.sqrt() / 2.0;
        match self.lattice {
            Lattice::Square => (x, y),
            Lattice::HexHex => (x - y / 2.0 + (self.columns - 1) as f32 / 4.0, y * height),
            Lattice::Rhombus | Lattice::Triangle => (x + y / 2.0, y * height),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_like_a_spreadsheet() {
        let grid = Grid::new(Lattice::Square, 1024, 1).unwrap();
        let names: Vec<_> = [0, 25, 26, 51, 52, 701, 702].map(|cell| grid.name(cell)).into();
        assert_eq!(names, ["a1", "z1", "aa1", "az1", "ba1", "zz1", "aaa1"]);
    }

    #[test]
    fn edge_directions_are_one_unit_long_and_go_clockwise() {
        for grid in [Grid::hexhex(4), Grid::new(Lattice::Rhombus, 7, 7)] {
            let grid = grid.unwrap();
            let middle = grid.find(4, 4).unwrap();
            let angle = |i: usize| {
                let (_, c, r) = grid.points()[i];
                let (x0, y0) = grid.place(middle);
                let (x1, y1) = grid.place(grid.find(4 + c, 4 + r).unwrap());
                let (x, y) = (x1 - x0, y1 - y0);
                let long = (x * x + y * y).sqrt();
                let right = if i < 6 { 1.0 } else { 3f32.sqrt() };
                assert!((long - right).abs() < 1e-5, "{:?} {i}", grid.lattice);
                y.atan2(x).to_degrees()
            };
            for i in 0..6 {
                let turn = |a: f32, b: f32| (a - b).rem_euclid(360.0).round();
                assert_eq!(turn(angle(i), angle((i + 1) % 6)), 60.0);
                assert_eq!(turn(angle(i), angle(i + 6)), 30.0);
            }
        }
    }

    #[test]
    fn a_central_cell_of_a_triangle() {
        let count = |base| {
            let grid = Grid::new(Lattice::Triangle, base, base).unwrap();
            (0..grid.cells())
                .filter(|cell| {
                    let (c, r) = grid.at(*cell);
                    grid.has(*cell) && grid.is_central(c, r)
                })
                .count()
        };
        assert_eq!([1, 2, 3, 4, 5].map(count), [1, 3, 3, 1, 3]);
    }
}
