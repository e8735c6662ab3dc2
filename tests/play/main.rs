//! Playing: programs made by hand, random programs, and the shipped games with their counts, records and texts of
//! positions.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot go on must fail, loudly"
)]

mod agents;
#[path = "../cases/mod.rs"]
mod cases;
mod evaluation;
mod games;
mod kit;
mod machine;
mod matches;
mod moves;
mod ops;
mod pairs;
mod perft;
mod pieces;
mod positions;
mod proved;
mod random_programs;
mod search;
mod sessions;
mod traces;
mod training;
