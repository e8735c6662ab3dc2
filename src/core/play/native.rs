//! The interface of compiled code, seen from the play side.
//!
//! The interpreter defines the meaning of a program. A back end that has compiled the program does the same to the
//! same words. A machine with a back end calls it, and falls back on the interpreter where the back end answers `None`.

use std::fmt;
use std::sync::Arc;

use super::longest::Paths;
use super::moves::Moves;
use super::position::Position;
use super::rng::Rng;

/// A program compiled to machine code.
///
/// INVARIANT: every method does to the position and the moves exactly what the interpreter does.
/// Implementations check the sizes of their arguments and answer `None` where they do not fit.
pub trait Native: fmt::Debug + Send + Sync {
    /// Does a move with the player in slot `MOVER`, then looks at the ends after a ply. Keeps no hash.
    fn apply(&self, task: Task<'_>, number: u32) -> Option<()>;

    /// Goes on after a ply and lays down the legal moves.
    fn resolve(&self, task: Task<'_>, moves: &mut Moves, aids: Aids<'_>) -> Option<()>;

    /// Does a move and goes on: [`Native::apply`], then [`Native::resolve`].
    fn play(&self, task: Task<'_>, number: u32, moves: &mut Moves, aids: Aids<'_>) -> Option<Played>;

    /// The same, but the moves need not be laid down: see [`Machine::play_on`](super::Machine::play_on).
    fn play_on(&self, task: Task<'_>, number: u32, moves: &mut Moves, aids: Aids<'_>) -> Option<Played>;

    /// Lays down the moves of a position that [`Native::play_on`] left without.
    fn list(&self, task: Task<'_>, moves: &mut Moves, aids: Aids<'_>) -> Option<()>;

    /// Plays random moves, each as likely as the others, from a resolved position whose moves are given, until
    /// there are none or so many plies were made. Gives back how many; the position is resolved.
    fn roam(
        &self,
        task: Task<'_>,
        moves: &mut Moves,
        aids: Aids<'_>,
        rng: &mut Rng,
        most: u32,
    ) -> Option<Roamed>;

    /// Makes each of some moves of a position, one after the other, in the task's words, which become a copy
    /// of the position for each; gives back how many. The last stays there. Ends are not looked at, no hash
    /// is kept.
    fn make_each(&self, from: &[u64], task: Task<'_>, moves: &Moves) -> Option<u64>;

    /// The score of the player in slot `MOVER`.
    fn score(&self, task: Task<'_>) -> Option<i32>;
}

/// What going on needs besides the position.
pub struct Aids<'a> {
    /// Called when a turn has begun; none: no history is kept.
    pub starts: Option<Starts<'a>>,
    /// Where longest paths are looked for, once they were.
    pub paths: &'a mut Option<Box<Paths>>,
}

impl fmt::Debug for Aids<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Aids").field("starts", &self.starts.is_some()).finish_non_exhaustive()
    }
}

/// Called with the words of a position whose turn has begun; gives back how often it was seen.
pub type Starts<'a> = &'a mut dyn FnMut(&mut [u64]) -> i32;

/// Compiles a program once it is worth it.
pub trait Backend: fmt::Debug + Send + Sync {
    /// The compiled program, made at the first call; none where it cannot be compiled.
    fn native(&self) -> Option<Arc<dyn Native>>;
}

/// What random play did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Roamed {
    /// How many plies were made.
    pub plies: u32,
    /// How many moves were legal before each of them, added up.
    pub choices: u64,
}

/// How much of a ply was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Played {
    /// The position is resolved but for its moves.
    Due,
    /// The position is resolved.
    Resolved,
}

impl Position {
    /// The task of compiled code on this position.
    #[inline]
    pub(super) fn task(&mut self, perft: bool) -> Task<'_> {
        Task { words: &mut self.words, deal: &self.deal, shape: self.shape, perft }
    }
}

/// The task of compiled code. Only machines make one, of a position of theirs.
#[derive(Debug)]
#[non_exhaustive]
pub struct Task<'a> {
    /// The words of a position.
    pub words: &'a mut [u64],
    /// The numbers dealt at the start.
    pub deal: &'a [i32],
    /// The shape of the position: see [`crate::program::Layout::shape`].
    pub shape: u64,
    /// Whether ends that perft ignores are ignored.
    pub perft: bool,
}
