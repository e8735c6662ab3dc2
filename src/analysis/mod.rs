//! What can be found out about a game by playing it: perft, playouts, replays of records, the tests that
//! a definition carries, and mistakes that only options or play show.

pub mod check;
pub mod own_tests;
pub mod perft;
pub mod playout;
pub mod replay;
