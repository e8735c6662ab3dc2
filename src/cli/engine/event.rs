//! Events that other threads send to the desk.

use std::time::Duration;

use crate::play::Move;
use crate::search::Found;

/// An event for the desk.
pub(super) enum Event {
    /// A command, and when it came.
    Line(String, Duration),
    /// A line that is too long to be one.
    Long,
    /// There are no more commands.
    End,
    /// A result of the search for a question.
    Told(u64, Box<Found>),
    /// The move of a question, or why there is none.
    Chosen(u64, Result<Move, String>),
    /// The agent broke off at a question.
    Broken(u64),
    /// Something for the client to know.
    Note(String),
}
