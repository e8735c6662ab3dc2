//! What Farrier defines and plays games with: the lower floors of the crate `farrier`, which gives all of
//! this on under the same names. Its documentation, in `src/lib.rs`, has the table of floors, and says why
//! they are a crate by themselves.

pub mod diagnostic;
pub mod ids;
#[doc(hidden)]
pub mod limits;
#[doc(hidden)]
pub mod siteset;
pub mod source;
#[doc(hidden)]
pub mod wording;

pub mod board;
pub mod shipped;
#[doc(hidden)]
pub mod syntax;

pub mod definition;
pub mod program;

pub mod improve;
pub mod play;
pub mod semantics;

#[cfg(feature = "jit")]
#[doc(hidden)]
pub mod jit;
#[doc(hidden)]
pub mod lower;
pub mod notation;
pub mod search;
pub mod statistics;

pub mod game;

pub mod analysis;
pub mod session;
pub mod variant;
