//! Texts of moves, positions and set-ups, and back; records of games.
//!
//! A move has one text within its position ([`moves`]); it is chosen part by part ([`parts`]). A position's text
//! ([`position`]) has the fields of its definition, then everything that tells the position from the one that these
//! fields alone would give, so that every position reads back. Records ([`record`]) are JSON Lines.

pub mod moves;
pub mod parts;
pub mod position;
mod read;
pub mod record;
mod setup;
pub mod turns;
mod value;
