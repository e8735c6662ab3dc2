//! The board: a labelled graph of sites, and the flat tables made from it.
//!
//! A [`BoardSpec`] becomes a [`Board`]: sites with names, coordinates and places on paper, and for each
//! direction a partial function from site to site. The graph (petgraph) is built and analysed;
//! games are played on [`Relation`] and [`Rays`].
//!
//! Square and hexagonal grids keep the numbering of their bounding grid, so that a direction is one
//! shift of a whole set; sites that do not exist are holes, absent from [`Board::all`]. A site that is
//! taken out is a hole too: its name is unknown, no direction leads to it or from it.
//!
//! Invariants: [`Board::len`] is at most [`MAX_SITES`](crate::siteset::MAX_SITES); every set and
//! relation that a board gives out holds existing sites only; a question about a site or direction
//! that the board does not have is answered with nothing.

mod build;
mod direction;
mod error;
mod graph;
mod grid;
mod movement;
mod picture;
mod rays;
mod regions;
mod relation;
mod ride;
pub mod spec;

pub use direction::{DirGroup, Direction};
pub use error::{BoardError, BoardPart};
pub use grid::{Cell, Lattice};
pub use rays::{RayOrder, Rays};
pub use relation::Relation;
pub use spec::{BoardSpec, DirectionSpec, DirectionTable, Shape};

use crate::ids::{Dir, Site};
use crate::siteset::SiteSet;
use direction::Motion;
use grid::Grid;
use petgraph::graph::DiGraph;
use std::collections::{BTreeMap, HashMap};

/// A board: its sites, its graph, and the tables read from it.
#[derive(Clone, Debug)]
pub struct Board {
    /// Coordinates; none if the board is a graph.
    grid: Option<Grid>,
    /// A name for each bit, holes included.
    names: Vec<String>,
    /// Existing sites by name.
    by_name: HashMap<String, Site>,
    /// Names of sites that were taken out.
    removed: Vec<String>,
    /// Existing sites.
    all: SiteSet,
    /// The labels.
    directions: Vec<Direction>,
    /// The motion of each label: of coordinates, or of sites before any was taken out.
    motions: Vec<Motion>,
    /// How many of the labels are the shape's own.
    shape_labels: usize,
    /// One node a bit, one edge for each step under a label.
    graph: DiGraph<Site, Dir>,
    /// The graph as tables, `steps[dir][site]`.
    steps: Vec<Vec<Option<Site>>>,
    /// Groups and player-relative directions.
    groups: BTreeMap<String, DirGroup>,
    /// Where each bit is drawn.
    places: Vec<(f32, f32)>,
}

impl Board {
    /// The number of bits a set of sites needs: the size of the bounding grid, holes included.
    #[allow(clippy::len_without_is_empty, reason = "a board has at least one site")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The sites that exist.
    pub fn all(&self) -> SiteSet {
        self.all
    }

    /// The sites that exist, in site order: row 1 first, columns upwards.
    pub fn sites(&self) -> impl Iterator<Item = Site> + use<> {
        self.all.iter().map(|bit| Site(bit as u16))
    }

    /// The existing site of a name.
    pub fn site(&self, name: &str) -> Option<Site> {
        self.by_name.get(name).copied()
    }

    /// Whether a name is that of a site that was taken out.
    pub fn is_removed(&self, name: &str) -> bool {
        self.removed.iter().any(|removed| removed == name)
    }

    /// The name of a site, or the name that a hole would have; empty beyond the board.
    pub fn name(&self, site: Site) -> &str {
        self.names.get(site.index()).map_or("", String::as_str)
    }

    /// Whether the board has columns and rows.
    pub fn is_grid(&self) -> bool {
        self.grid.is_some()
    }

    /// The kind of its grid; none for a graph.
    pub fn lattice(&self) -> Option<Lattice> {
        self.grid.map(|grid| grid.lattice)
    }

    /// Whether the last column is beside the first, and whether the last row is.
    pub fn wraps(&self) -> (bool, bool) {
        self.grid.map_or((false, false), |grid| (grid.wrap_columns, grid.wrap_rows))
    }

    /// The labelled graph: the node with the index of each bit, holes without edges, and one edge for
    /// each step.
    pub fn graph(&self) -> &DiGraph<Site, Dir> {
        &self.graph
    }

    /// The labels, in the order of [`Dir`]: first the shape's own, then those that the definition
    /// gives as pairs.
    pub fn directions(&self) -> &[Direction] {
        &self.directions
    }

    /// The label of a name.
    pub fn dir(&self, name: &str) -> Option<Dir> {
        let place = self.directions.iter().position(|dir| dir.name == name);
        place.map(|place| Dir(place as u16))
    }

    /// Where a label leads from a site: never to the same site, nor to one that does not exist.
    pub fn step(&self, dir: Dir, from: Site) -> Option<Site> {
        let table = self.steps.get(dir.index())?;
        table.get(from.index()).copied().flatten()
    }

    /// The meaning of a name: a label, a group, or a direction relative to a player.
    pub fn resolve(&self, name: &str) -> Option<DirGroup> {
        match self.dir(name) {
            Some(dir) => Some(DirGroup::Fixed(vec![dir])),
            None => self.groups.get(name).cloned(),
        }
    }

    /// Every name that [`resolve`](Board::resolve) knows: labels, then groups and relative directions.
    pub fn direction_names(&self) -> Vec<&str> {
        let labels = self.named_labels().map(|dir| self.label(dir));
        let groups = self.groups.keys().map(String::as_str);
        labels.chain(groups.filter(|name| self.dir(name).is_none())).collect()
    }

    /// The directions in which straight lines run: all eight on squares, the six edge directions on
    /// hexagons, the labels of its edges on a graph.
    pub fn lines(&self) -> Vec<Dir> {
        let count = match &self.grid {
            Some(grid) => grid.ring().len(),
            None => self.shape_labels,
        };
        (0..count).map(|place| Dir(place as u16)).collect()
    }

    /// One of each pair of opposite [`lines`](Board::lines), with its opposite where there is one:
    /// 4 axes on squares, 3 on hexagons.
    pub fn axes(&self) -> Vec<(Dir, Option<Dir>)> {
        self.lines()
            .into_iter()
            .filter_map(|dir| {
                let opposite = self.directions.get(dir.index())?.opposite;
                let back = opposite.filter(|back| *back != dir);
                back.is_none_or(|back| back > dir).then_some((dir, back))
            })
            .collect()
    }

    /// Whether a bit is that of an existing site.
    fn exists(&self, bit: usize) -> bool {
        self.all.contains(bit)
    }
}
