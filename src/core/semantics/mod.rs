//! Names and types: a [`Definition`](crate::definition::Definition) becomes [`Rules`], where every name is
//! resolved and every expression has a type, or a list of all its mistakes.
//!
//! The tree stays close to the source: definitions are called, not inlined, patterns are patterns. The
//! module `lower` makes programs of it. The tests interpret this tree directly, slowly, as the oracle.
//!
//! # Whose view
//!
//! Every expression is evaluated from the view of one player, *me*: the mover in a decision, the owner of
//! the piece in a trait, the indexed player in `last-rank[p]`. `mover`, `own`, `enemy`, `opponent`,
//! `forward` and per-player definitions all mean that player's.

pub mod builtins;
mod call;
mod check;
pub mod code;
mod cost;
mod cycles;
mod direction;
mod effect;
mod expr;
mod flow;
mod fold;
mod lint;
mod lots;
mod name;
mod operator;
mod past;
mod pattern;
pub mod picture;
mod position;
mod scope;
mod slip;
pub mod tree;
pub mod types;
mod uses;
mod walk;

pub use check::check;
pub use cost::Dear;
pub use tree::*;
pub use types::Type;
pub(crate) use walk::Part;
