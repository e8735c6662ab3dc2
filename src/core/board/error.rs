//! Mistakes in a board, as data that a caller can point at a place in its file.

use crate::diagnostic::nearest;

/// The part of a [`BoardSpec`](super::BoardSpec) that a mistake is in; numbers are places in its lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardPart {
    /// The shape and its sizes.
    Shape,
    /// An entry of `remove`.
    Remove(usize),
    /// `wrap_columns`.
    WrapColumns,
    /// `wrap_rows`.
    WrapRows,
    /// An entry of a graph's `edges`.
    Edges(usize),
    /// An entry of `directions`.
    Direction(usize),
    /// None: the question that was asked of a finished board.
    Question,
}

/// One mistake in a board, or in a question to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardError {
    /// Where it is.
    pub part: BoardPart,
    /// One sentence.
    pub message: String,
    /// The offending name, if it is about one.
    pub name: Option<String>,
    /// The name that was perhaps meant.
    pub nearest: Option<String>,
}

impl BoardError {
    /// A mistake that is about no name.
    pub(super) fn new(part: BoardPart, message: impl Into<String>) -> BoardError {
        BoardError { part, message: message.into(), name: None, nearest: None }
    }

    /// A mistake about a name.
    pub(super) fn about(part: BoardPart, name: &str, message: impl Into<String>) -> BoardError {
        BoardError { name: Some(name.to_owned()), ..BoardError::new(part, message) }
    }

    /// An unknown name: `what` is its sort, `candidates` are the names that exist.
    pub(super) fn unknown<'a>(
        part: BoardPart,
        what: &str,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> BoardError {
        BoardError {
            nearest: nearest(name, candidates).map(str::to_owned),
            ..BoardError::about(part, name, format!("there is no {what} `{name}`"))
        }
    }
}

impl std::fmt::Display for BoardError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        match &self.nearest {
            Some(name) => write!(f, " (did you mean `{name}`?)"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for BoardError {}
