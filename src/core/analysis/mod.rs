//! Analyses that play a game: perft, playouts, replays of records, the tests that
//! a definition carries, mistakes that only options or play show, the things that play touched, work whose speed
//! is measured, and the working space of threads.

#[doc(hidden)]
pub mod bench;
pub mod check;
mod one_text;
mod options;
pub mod own_tests;
pub mod perft;
pub mod playout;
pub mod replay;
pub mod seen;
pub mod slow;
#[doc(hidden)]
pub mod workers;
