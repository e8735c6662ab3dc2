//! How one variant differs from another: by meaning, not by text.
//!
//! ```text
//! Game -> outline: items (a piece, a decision, an end ...) with fields, each field one term
//! outline x outline -> pairs of items -> pairs of fields -> walk: the smallest differing terms
//!                                                        -> differences, each a sentence with two places
//! ```
//!
//! Which items belong together is found in two ways: [by their names](pairs), and [by their content and
//! uses](colour), with which names only break ties. The account with fewer differences is told, the
//! one by names where both have as many.
//!
//! # What "equal by meaning" covers
//!
//! - How a file is written: blanks, comments, quotes, brackets, the order of keys.
//! - The names of locals inside a rule: chosen, bound by `in`, named by `let`, parameters.
//! - The names of things that a definition defines: kinds, traits, directions, variables, relations, definitions,
//!   effects, decisions, flows, ends. Where the two call one thing by two names that is a note, also where
//!   they have each other's names.
//! - The names of the players, where no text of a move prints them: they are notes. Where both variants have
//!   the same names in another order, that is one difference and no note: either the rules go with the names,
//!   and another player begins, or with the order, and the names are exchanged. `map` can say who is who.
//! - The order of the parts of `and`, `or`, `|`, `&`, of the two sides of `+`, `*`, `=` and `!=`, of words
//!   side by side, of `either`, of the ways of a pattern and their clauses, of directions in `step` and
//!   `slide`. Not of `-`, of longer sums (numbers have 32 bits and stay at the greatest), of effects, of
//!   choices or of the steps of a turn.
//! - `a < b` for `b > a`, `x not in S` for `not (x in S)`, `no S` for `not (some S)`, `own double`
//!   for `own & double`, brackets around effects and flows, `leap 2,1` for `leap 1,2`.
//! - A definition without parameters that only one of the two has stands for its body, unless it
//!   is one of kinds (the range of a name depends on how kinds are written).
//! - An option in a rule stands for its value.
//!
//! It is no proof of equal behaviour. Two rules that always come to the same but are built differently,
//! such as `not (a or b)` and `not a and not b`, are different here. The tests that a file carries are
//! not compared; title, author, source and summaries are notes. [`Diff::same_program`] says whether
//! both come to one program, which does prove it.
//!
//! # Invariants
//!
//! - Two variants are [equal](Diff::is_equal) exactly if there is no difference: a rule whose keys
//!   differ always gives one, the whole rule if nothing smaller is found.
//! - The comparison is symmetric: [`Diff::mirrored`] of `diff(a, b)` is `diff(b, a)`. Where several
//!   alignments are as good, the choice does not depend on which side is the left one.

mod colour;
mod model;
mod pairs;
mod report;
mod sentence;
mod toggled;

pub use crate::outline::{Change, FilePlace, Section};
pub use model::{Diff, Difference, Excerpt, Side};
pub use report::{MapError, diff};
pub use toggled::{Toggled, toggled};
