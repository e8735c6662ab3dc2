//! What can be found out about a game by playing it: perft, playouts, replays of records, the tests that
//! a definition carries, mistakes that only options or play show, what play touched, work whose speed is
//! measured, and what each thread needs to do all this.

#[doc(hidden)]
pub mod bench;
pub mod check;
mod options;
pub mod own_tests;
pub mod perft;
pub mod playout;
pub mod replay;
pub mod seen;
#[doc(hidden)]
pub mod workers;
