//! Definitions: TOML with spans, overlays merged, options resolved.
//!
//! A definition file is read as a tree of keys that each know their file, their place and the overlay
//! they came from. Overlays (parents by `extends`, options, their values, extension files) are merged
//! key by key; rule strings are parsed, joins are made on syntax trees. The result is a
//! [`Definition`]: plain data, each rule still a syntax tree, nothing resolved but options.

mod aside;
mod board;
mod file;
mod fold;
mod join;
mod load;
mod merge;
pub mod model;
mod names;
mod options;
mod overlay;
mod play;
mod proofs;
mod read;
mod said;
mod schema;
mod template;
mod tree;
mod value;

pub use crate::syntax::parse::RESERVED;
pub use aside::aside;
pub use load::{Parsed, game_of, load, weights_of};
pub use model::*;
pub use options::{Choices, combinations};
pub use schema::{Holds, Join, KeyDoc, schema};
