//! Small typed ids, so that a site is never taken for a player.

use serde::Serialize;

/// Declares a newtype over a small unsigned integer.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $repr:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
        pub struct $name(pub $repr);

        impl $name {
            /// The id as an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A site of the board: the number of its bit in every site set. On a grid that is
    /// `row * columns + column` counted from 0, holes included, so that site order is row 1 first.
    Site,
    u16
);
id!(
    /// A player, by place in `players`.
    Player,
    u8
);
id!(
    /// A kind of piece, by place in `[pieces]`.
    Kind,
    u8
);
id!(
    /// A direction (an edge label) of a board.
    Dir,
    u16
);
