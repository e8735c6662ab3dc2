//! Rule strings: text to syntax trees and back.
//!
//! The grammar is `grammar/rules.pest`; [`parse`] makes the trees of [`ast`] from a [`text::RuleText`],
//! [`print`](mod@print) writes them in one canonical form that parses to the same tree.

pub mod ast;
pub mod parse;
pub mod print;
pub mod text;
