//! What can be found out about a game by playing it: perft, playouts, replays of records, and the tests
//! that a definition carries.

pub mod own_tests;
pub mod perft;
pub mod playout;
pub mod replay;
