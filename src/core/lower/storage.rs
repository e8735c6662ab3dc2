//! The storage of the state variables of a position.

use crate::improve::Node;

/// How a state variable is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Storing {
    /// An entry a layer: sets of sites.
    Layers { base: usize },
    /// A bool by site, the last index being the site: an entry a bit.
    Bits { base: usize },
    /// An entry a slot.
    Slots { base: usize },
    /// Dealt at the set-up, the same in every position of a game.
    Dealt { base: usize },
}

/// A state variable's storage.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    /// Where.
    pub(super) place: Storing,
    /// The number of entries.
    pub(super) entries: usize,
    /// The first of the slots that count the turns an entry has left, where it does not last for ever and
    /// not just for its turn.
    pub(super) ages: Option<usize>,
    /// The start value of each entry, as a constant: the first for all, or one for each player.
    pub(super) starts: Vec<Node>,
}

/// The storage of all state variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Storage {
    /// By number of the variable.
    pub(super) vars: Vec<Stored>,
}
