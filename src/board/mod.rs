//! The board: a labelled graph of sites, and the flat tables made from it.
//!
//! A [`BoardSpec`] becomes a [`Board`]: sites with names, coordinates and places on paper, and for each
//! direction a partial function from site to site. The graph (petgraph) is what is built and analysed;
//! [`Relation`] and [`Rays`] are what is played on.
//!
//! Square and hexagonal grids keep the numbering of their bounding grid, so that a direction is one
//! shift of a whole set; sites that do not exist are holes, absent from [`Board::all`].

pub mod spec;

pub use spec::{BoardSpec, DirectionSpec, DirectionTable, Shape};

/// Directions, perhaps different ones for each player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DirGroup {
    /// The same for everybody.
    Fixed(Vec<crate::ids::Dir>),
    /// One list for each player.
    PerPlayer(Vec<Vec<crate::ids::Dir>>),
}

/// The board.
#[derive(Clone, Debug)]
pub struct Board;
