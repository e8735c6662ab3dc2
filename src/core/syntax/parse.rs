//! Rule strings to syntax trees.
//!
//! Each function reads one kind of rule string and gives its tree, or the one diagnostic (code
//! `syntax`) with the words that were expected. Any text is safe: a text that is too long or nested too
//! deeply for the recursion of parser and later phases is refused before it is read.

mod advice;
mod betza;
mod effect;
mod expr;
mod flow;
mod limits;
mod parts;
mod pattern;
mod report;
mod slip;
mod token;

use pest::Parser;

use super::ast::{Choose, Effects, Expr, Flow, Name, Outcome, Pattern};
use super::text::RuleText;
use crate::diagnostic::Diagnostic;
use grammar::{Grammar, Rule};
use parts::{Builder, Parts};

pub use effect::VERBS;
pub use report::minus_hint;
pub use slip::{DECISION_KEYS, missing_semicolon};
pub use token::{RESERVED, hyphenated};

/// The parser that pest derives from the grammar; in its own module, since its items have no documentation.
mod grammar {
    use pest_derive::Parser;

    #[derive(Parser)]
    #[grammar = "../../grammar/rules.pest"]
    pub struct Grammar;
}

/// The code of every diagnostic of this module.
pub const CODE: &str = "syntax";

/// The head of a definition or an effect, as its key is written (`reach(x, S: sites)`): the name that
/// is defined, and the parameters, each with its type where one is written. A type's text holds its `?`.
pub type Head = (Name, Vec<(Name, Option<Name>)>);

/// Reads an expression.
pub fn expr(text: &RuleText) -> Result<Expr, Diagnostic> {
    read(text, Rule::whole_expr, |b, mut parts| b.expr(parts.must()?))
}

/// Reads the list of choices of a decision.
pub fn choose(text: &RuleText) -> Result<Choose, Diagnostic> {
    read(text, Rule::whole_choose, |b, mut parts| b.choose(parts.must()?))
}

/// Reads a list of effects.
pub fn effects(text: &RuleText) -> Result<Effects, Diagnostic> {
    read(text, Rule::whole_effects, |b, mut parts| b.effects(parts.must()?))
}

/// Reads a turn flow.
pub fn flow(text: &RuleText) -> Result<Flow, Diagnostic> {
    read(text, Rule::whole_flow, |b, mut parts| b.flow(parts.must()?))
}

/// Reads an outcome.
pub fn outcome(text: &RuleText) -> Result<Outcome, Diagnostic> {
    read(text, Rule::whole_outcome, |b, mut parts| b.outcome(parts.must()?))
}

/// Reads a movement pattern.
pub fn pattern(text: &RuleText) -> Result<Pattern, Diagnostic> {
    read(text, Rule::whole_pattern, |b, mut parts| b.pattern(parts.must()?))
}

/// Reads the head of a definition: `last-row`, `reach(x)`, `near-to(S: sites, n: int)`.
pub fn params(text: &RuleText) -> Result<Head, Diagnostic> {
    read(text, Rule::whole_head, |b, mut parts| b.head(parts.must()?))
}

/// Reads names with blanks between them, at least one.
pub fn names(text: &RuleText) -> Result<Vec<Name>, Diagnostic> {
    read(text, Rule::whole_names, |b, parts| Ok(b.names(parts)))
}

/// Reads chains of sites with blanks between them, at least one: `a1-b1-c1 d1-e1`.
pub fn chains(text: &RuleText) -> Result<Vec<Vec<Name>>, Diagnostic> {
    read(text, Rule::whole_chains, |b, parts| Ok(b.chains(parts)))
}

/// Makes a tree of the parts of a whole rule string.
type Build<'t, T> = fn(Builder<'t>, Parts<'t>) -> Result<T, Diagnostic>;

/// Checks the limits, lets pest read the text and makes the tree.
fn read<'t, T: Send>(text: &'t RuleText, whole: Rule, build: Build<'t, T>) -> Result<T, Diagnostic> {
    limits::check_length(text)?;
    // Lists do not nest, however long they are.
    let nesting = match whole {
        Rule::whole_names | Rule::whole_chains => 0,
        _ => limits::check_depth(text)?,
    };
    limits::with_stack(text, nesting, || {
        let mut pairs =
            Grammar::parse(whole, text.text()).map_err(|error| report::report(text, whole, &error))?;
        let builder = Builder::new(text);
        let inside = pairs.next().ok_or_else(|| builder.fault(Some(whole)))?;
        build(builder, builder.inside(inside))
    })
}
