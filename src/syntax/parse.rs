//! Rule strings to syntax trees.
//!
//! Each function reads one kind of rule string and gives its tree, or the one diagnostic (code
//! `syntax`) that says what was expected where. Any text is safe: what is too long or nested too
//! deeply for the recursion of parser and later phases is refused before it is read.

mod effect;
mod expr;
mod flow;
mod limits;
mod parts;
mod pattern;
mod report;
mod token;

use pest::Parser;
use pest::iterators::Pairs;

use super::ast::{Choose, Effects, Expr, Flow, Name, Outcome, Pattern};
use super::text::RuleText;
use crate::diagnostic::Diagnostic;
use grammar::{Grammar, Rule};
use parts::Builder;

pub use report::minus_hint;

/// What pest derives from the grammar, apart, since its items have no documentation.
mod grammar {
    use pest_derive::Parser;

    #[derive(Parser)]
    #[grammar = "../grammar/rules.pest"]
    pub struct Grammar;
}

/// The code of every diagnostic of this module.
pub const CODE: &str = "syntax";

/// The head of a definition or an effect, as its key is written (`reach(x, S: sites)`): the name that
/// is defined, and the parameters, each with its type where one is written. A type's text holds its `?`.
pub type Head = (Name, Vec<(Name, Option<Name>)>);

/// Reads an expression.
pub fn expr(text: &RuleText) -> Result<Expr, Diagnostic> {
    let builder = Builder::new(text);
    let mut parts = builder.parts(read(text, Rule::whole_expr)?);
    builder.expr(parts.must()?)
}

/// Reads the list of choices of a decision.
pub fn choose(text: &RuleText) -> Result<Choose, Diagnostic> {
    let builder = Builder::new(text);
    let mut parts = builder.parts(read(text, Rule::whole_choose)?);
    builder.choose(parts.must()?)
}

/// Reads a list of effects.
pub fn effects(text: &RuleText) -> Result<Effects, Diagnostic> {
    let builder = Builder::new(text);
    let mut parts = builder.parts(read(text, Rule::whole_effects)?);
    builder.effects(parts.must()?)
}

/// Reads a turn flow.
pub fn flow(text: &RuleText) -> Result<Flow, Diagnostic> {
    let builder = Builder::new(text);
    let mut parts = builder.parts(read(text, Rule::whole_flow)?);
    builder.flow(parts.must()?)
}

/// Reads an outcome.
pub fn outcome(text: &RuleText) -> Result<Outcome, Diagnostic> {
    let builder = Builder::new(text);
    let mut parts = builder.parts(read(text, Rule::whole_outcome)?);
    builder.outcome(parts.must()?)
}

/// Reads a movement pattern.
pub fn pattern(text: &RuleText) -> Result<Pattern, Diagnostic> {
    let builder = Builder::new(text);
    let mut parts = builder.parts(read(text, Rule::whole_pattern)?);
    builder.pattern(parts.must()?)
}

/// Reads the head of a definition: `last-row`, `reach(x)`, `near-to(S: sites, n: int)`.
pub fn params(text: &RuleText) -> Result<Head, Diagnostic> {
    let builder = Builder::new(text);
    let mut parts = builder.parts(read(text, Rule::whole_head)?);
    builder.head(parts.must()?)
}

/// Reads names with blanks between them, at least one.
pub fn names(text: &RuleText) -> Result<Vec<Name>, Diagnostic> {
    let builder = Builder::new(text);
    let parts = builder.parts(read(text, Rule::whole_names)?);
    Ok(builder.names(parts))
}

/// Reads chains of sites with blanks between them, at least one: `a1-b1-c1 d1-e1`.
pub fn chains(text: &RuleText) -> Result<Vec<Vec<Name>>, Diagnostic> {
    let builder = Builder::new(text);
    let parts = builder.parts(read(text, Rule::whole_chains)?);
    Ok(builder.chains(parts))
}

/// Checks the limits and lets pest read the text; gives what stands inside the rule `whole`.
fn read(text: &RuleText, whole: Rule) -> Result<Pairs<'_, Rule>, Diagnostic> {
    limits::check(text)?;
    match Grammar::parse(whole, text.text()) {
        Ok(mut pairs) => Ok(pairs.next().map_or(pairs, pest::iterators::Pair::into_inner)),
        Err(error) => Err(report::report(text, whole, &error)),
    }
}

