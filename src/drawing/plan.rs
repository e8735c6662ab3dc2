//! Where the sites of a board stand in the plane.

use serde::{Deserialize, Serialize};

use crate::board::{Board, Cell, Lattice};

/// A board as it is drawn.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Plan {
    /// The form of the sites.
    pub form: SiteForm,
    /// The sites that exist.
    pub sites: Vec<SitePlace>,
    /// Pairs of neighbours, as indexes of `sites`, the smaller first.
    pub edges: Vec<(usize, usize)>,
}

/// The form in which a site is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SiteForm {
    /// A unit square around its place.
    #[default]
    Square,
    /// A hexagon with a corner up, neighbours at distance 1.
    Hexagon,
    /// A dot, with lines to its neighbours.
    Dot,
}

impl SiteForm {
    /// The form of a board's sites.
    pub fn of(board: &Board) -> SiteForm {
        match board.lattice().map(Lattice::cell) {
            Some(Cell::Square) => SiteForm::Square,
            Some(Cell::Hexagon) => SiteForm::Hexagon,
            None => SiteForm::Dot,
        }
    }
}

/// A site in the plane: x to the right, y **down**; neighbours are about 1 apart.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct SitePlace {
    /// Its name.
    pub name: String,
    /// To the right.
    pub x: f32,
    /// Down.
    pub y: f32,
}

impl Plan {
    /// The plan of a board.
    pub fn of(board: &Board) -> Plan {
        let sites: Vec<_> = board.sites().collect();
        let top = sites.iter().map(|s| board.place(*s).1).fold(0.0, f32::max);
        let places = sites.iter().map(|site| {
            let (x, y) = board.place(*site);
            SitePlace { name: board.name(*site).to_owned(), x, y: top - y }
        });
        let place = |site| sites.iter().position(|s| *s == site);
        let near = board.near();
        let edge = |(a, b)| Some((place(a)?, place(b)?)).filter(|(a, b)| a < b);
        let mut edges: Vec<(usize, usize)> = near.pairs().filter_map(edge).collect();
        edges.sort_unstable();
        edges.dedup();
        Plan { form: SiteForm::of(board), sites: places.collect(), edges }
    }
}
