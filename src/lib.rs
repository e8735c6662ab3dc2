//! **Farrier**: board games as data.
//!
//! A game is a TOML file with a small rule language. Two chains meet at one inert thing, the
//! [`program`]: the *compile side* turns text into a program, the *play side* runs it, and the play
//! side never sees syntax.
//!
//! ```text
//! TOML + rule strings -> definition (overlays merged) -> rules (names, types) -> program <- positions, legal moves, outcomes
//!                                        board spec -> board graph -> flat tables ----^
//! ```
//!
//! A position is a family of site sets and a few integers; movement, capture and scoring are set
//! algebra over the labelled board graph.
//!
//! # From a text to a played game
//!
//! ```
//! use farrier::definition::Choices;
//! use farrier::game::Game;
//! use farrier::session::Session;
//! use farrier::source::MemoryFiles;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = r#"
//!     name    = "Race"
//!     players = ["red", "blue"]
//!     [board]
//!     size = "1x6"
//! "#;
//! let files = MemoryFiles::default().with("./race.toml", text);
//! // What is wrong with the text is told with its place: see `diagnostic`.
//! let wrong = Game::open("./race.toml", &files, &Choices::default()).unwrap_err();
//! assert!(wrong.to_string().contains("--> ./race.toml:"));
//!
//! // The games that come with Farrier are files too.
//! let game = Game::open("tic-tac-toe", &farrier::shipped::Shipped, &Choices::default())?;
//! let mut session = Session::new(game, None, 1)?;
//! session.play_text("b2")?;
//! assert_eq!(session.moves().len(), 8);
//! # Ok(())
//! # }
//! ```
//!
//! Several choices in one word are a [`variant::Variant`]. A [`play::Machine`] plays fast, [`search`] has agents and
//! the trait for your own, [`analysis`] counts and tests, [`mod@diff`], [`mod@distinguish`] and [`mod@compare`] say how
//! variants differ, [`matches`] who plays best. The folder `examples` has whole programs. What works inside is not
//! listed here: see the source.
//!
//! # Floors
//!
//! A module uses only modules of lower floors; modules of one floor do not use each other.
//! `tests/source/layers.rs` reads this table and fails on an import that goes up or sideways.
//!
//! | floor | modules | job |
//! | --- | --- | --- |
//! | 0 | `source` `diagnostic` `ids` `siteset` `limits` `wording` | files and spans; diagnostics as data; small typed ids; the bit set; bounds of work and depth; numbers and words for people |
//! | 1 | `syntax` `board` `shipped` | rule text to AST and back; the board graph and its tables; the embedded games |
//! | 2 | `definition` `program` | TOML, overlays, options; the lowered form that is run, and its listing |
//! | 3 | `semantics` `improve` `play` | names, types, the table of built-ins; programs made better; running a program: moves, apply, outcome, hash |
//! | 4 | `lower` `notation` `jit` `search` `statistics` | rules to program; texts of moves and positions, records; programs to machine code (feature `jit`); agents that choose moves; estimates and tests |
//! | 5 | `game` | the facade: load a definition with options, get a playable game |
//! | 6 | `session` `analysis` `variant` | a game in progress; perft, playouts, replays, a definition's own tests; a variant as one word |
//! | 7 | `html` `outline` `drawing` `hints` | text as HTML; what a definition says, with its places; a position as people see it; what fits at a place of a definition |
//! | 8 | `diff` `distinguish` `compare` `matches` `training` | how one variant differs from another: by meaning; by the first line of play that tells them apart; by games of self-play; games between agents; an evaluation fitted by self-play |
//! | 9 | `report` | a comparison as a page with pictures (feature `report`) |
//! | 10 | `cli` | the command line (feature `cli`) |
//!
//! Floors 0 to 6 do the work of a game. They are a crate by themselves, `farrier-core` in `src/core`, which is built with
//! optimisation in tests too; this crate gives them on under their names. A change above them leaves them as built.
//!
//! The module `diagnostic` may use `source` (a diagnostic points into a file), `siteset` may use `ids`, `drawing` may
//! use `html`.
//!
//! # Invariants
//!
//! - The library does no input or output, reads no clock and no global random numbers: files come
//!   through [`source::Files`], every random choice comes from a seed that the caller gives.
//! - Phases return a value and diagnostics; only front ends print.
//! - The play path allocates nothing per node and looks up no name: sizes, options and constants are
//!   resolved when the program is made.

#[cfg(feature = "jit")]
#[doc(hidden)]
pub use farrier_core::jit;
use farrier_core::wording;
#[doc(inline)]
pub use farrier_core::{
    analysis, board, definition, diagnostic, game, ids, improve, notation, play, program, search, semantics,
    session, shipped, source, statistics, variant,
};
#[doc(hidden)]
pub use farrier_core::{limits, lower, siteset, syntax};

pub mod drawing;
pub mod hints;
mod html;
mod outline;

pub mod compare;
pub mod diff;
pub mod distinguish;
pub mod matches;
pub mod training;

#[cfg(feature = "report")]
pub mod report;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
