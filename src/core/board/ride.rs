//! Labels for walks that are repeated, and the ways of leaps.
//!
//! A slide follows one label again and again. A ride repeats a walk of several steps, so the board gets a label that
//! leads as far as that walk. No name of the language stands for such a label.

use super::direction::{Direction, Links, Motion};
use super::graph::MAX_LABELS;
use super::grid::Cell;
use super::{Board, BoardError, BoardPart};
use crate::ids::{Dir, Site};

/// The mark between the labels of a walk in the name of its own label: no letter of a name.
const THEN: &str = "+";

impl Board {
    /// The name of a label.
    pub fn label(&self, dir: Dir) -> &str {
        self.directions.get(dir.index()).map_or("", |d| d.name.as_str())
    }

    /// The labels that have a name in the language.
    pub fn named_labels(&self) -> impl Iterator<Item = Dir> + use<> {
        let named = self.directions.iter().take_while(|d| !d.name.contains(THEN)).count();
        (0..named).map(|i| Dir(i as u16))
    }

    /// The ways of a leap of `a` and `b`, as labels: on squares the orthogonal steps first, then the diagonal ones;
    /// on hexagons `a` steps along an edge direction, then `b` at 60 degrees to either side. Those that come back to
    /// where they begin, by wrapping, are left out.
    ///
    /// # Errors
    /// As of [`Board::leap`]; a leap of too many steps.
    pub fn leap_ways(&self, a: i32, b: i32) -> Result<Vec<Vec<Dir>>, BoardError> {
        self.leap(a, b)?;
        let Some(grid) = &self.grid else { return Ok(Vec::new()) };
        let (a, b) = (a.unsigned_abs() as usize, b.unsigned_abs() as usize);
        if a.max(b) > self.len() {
            let message = "a leap of so many steps leads beyond every board";
            return Err(BoardError::new(BoardPart::Question, message));
        }
        let ring: Vec<Dir> = grid.ring().iter().map(|at| Dir(*at as u16)).collect();
        let along = |at: usize| ring.get(at % ring.len()).copied();
        let returns = |way: &[Dir]| {
            let motions = way.iter().filter_map(|dir| self.motions.get(dir.index()));
            let back = |by| matches!(by, Motion::Offset(c, r) if grid.find(1 + c, 1 + r) == grid.find(1, 1));
            Motion::sum(motions).is_some_and(back)
        };
        let mut ways: Vec<Vec<Dir>> = Vec::new();
        for at in 0..ring.len() {
            for beside in [at + 1, at + ring.len() - 1] {
                // On squares the ring goes through diagonals, too: every other place is orthogonal.
                let (first, straight, second) = match grid.cell() {
                    Cell::Hexagon => (at, a, b),
                    Cell::Square if at % 2 == 1 => continue,
                    Cell::Square => (at, a.max(b) - a.min(b), a.min(b)),
                };
                let straight = std::iter::repeat_n(along(first), straight);
                let way: Vec<Dir> =
                    straight.chain(std::iter::repeat_n(along(beside), second)).flatten().collect();
                if !ways.contains(&way) && !returns(&way) {
                    ways.push(way);
                }
            }
        }
        Ok(ways)
    }

    /// The label that leads as far as a walk does, over any site between. If there is none it is added. None for a
    /// walk of no steps, and if the board has too many labels.
    pub fn label_of(&mut self, way: &[Dir]) -> Option<Dir> {
        if let [one] = way {
            return Some(*one);
        }
        let names: Vec<&str> = way.iter().map(|dir| self.label(*dir)).collect();
        let name = names.join(THEN);
        if way.is_empty() || self.directions.len() >= MAX_LABELS {
            return None;
        }
        if let Some(known) = self.dir(&name) {
            return Some(known);
        }
        let walk = self.walk(way);
        let step = |site: usize| walk.of(Site(site as u16)).first().filter(|to| *to != site);
        let steps: Vec<Option<Site>> =
            (0..self.len()).map(|site| step(site).map(|to| Site(to as u16))).collect();
        let motions = way.iter().filter_map(|dir| self.motions.get(dir.index()));
        let offset = Motion::sum(motions).filter(|_| self.is_grid());
        let motion = offset.unwrap_or_else(|| Motion::Links(Links::from(steps.clone())));
        let label = Dir(self.directions.len() as u16);
        for (from, to) in steps.iter().enumerate() {
            if let Some(to) = to {
                let (from, to) = (from as u32, u32::from(to.0));
                self.graph.add_edge(from.into(), to.into(), label);
            }
        }
        let opposite = self.motions.iter().position(|other| motion.is_back_of(other));
        if let Some(other) = opposite.and_then(|at| self.directions.get_mut(at)) {
            other.opposite.get_or_insert(label);
        }
        let opposite = opposite.map(|at| Dir(at as u16));
        self.directions.push(Direction { name, opposite });
        self.motions.push(motion);
        self.steps.push(steps);
        Some(label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{BoardSpec, Shape};

    fn board(shape: Shape, wraps: bool) -> Board {
        let spec = BoardSpec {
            shape,
            remove: Vec::new(),
            wrap_columns: wraps,
            wrap_rows: wraps,
            directions: Vec::new(),
            players: 2,
        };
        Board::build(&spec).unwrap()
    }

    #[test]
    fn the_ways_of_a_leap_end_where_the_leap_does() {
        let square = |columns, rows| Shape::Square { columns, rows };
        let hex = Shape::Hex { columns: 4, rows: 3 };
        for (shape, wraps) in [
            (square(7, 7), false),
            (Shape::HexHex { base: 4 }, false),
            (square(3, 5), true),
            (square(1, 5), true),
            (hex, true),
        ] {
            let board = board(shape, wraps);
            for (a, b) in [(1, 2), (2, 1), (0, 2), (2, 0), (2, 2), (1, 3), (0, 3), (3, 3), (3, 5), (4, 0)] {
                let leap = board.leap(a, b).unwrap();
                let ways = board.leap_ways(a, b).unwrap();
                for site in board.sites() {
                    let ends = ways.iter().map(|way| board.walk(way).of(site));
                    let ends = ends.fold(crate::siteset::SiteSet::EMPTY, |sum, one| sum | one);
                    assert_eq!(ends, leap.of(site), "{a},{b} from {}", board.name(site));
                }
            }
        }
    }

    #[test]
    fn a_label_of_a_walk_leads_there_and_back() {
        let mut board = board(Shape::Square { columns: 5, rows: 5 }, false);
        let [n, e, s, w] = ["n", "e", "s", "w"].map(|name| board.dir(name).unwrap());
        let there = board.label_of(&[n, n, e]).unwrap();
        let back = board.label_of(&[s, w, s]).unwrap();
        assert_eq!(board.label_of(&[n, n, e]), Some(there));
        assert_eq!(board.directions()[there.index()].opposite, Some(back));
        assert_eq!(board.directions()[back.index()].opposite, Some(there));
        let a1 = board.site("a1").unwrap();
        let ray: Vec<&str> = board.rays(there).ray(a1).iter().map(|s| board.name(*s)).collect();
        assert_eq!(ray, ["b3", "c5"]);
        assert!(board.named_labels().all(|dir| dir < there));
    }
}
