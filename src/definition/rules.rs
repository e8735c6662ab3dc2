//! The door to the parsers of rule strings.

use super::model::Param;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::syntax::ast::{self, Name};
use crate::syntax::{parse, text::RuleText};

/// Parses the string that stands at a place of a file's text.
pub(super) type Parser<T> = fn(&str, FileId, Span) -> Result<T, Diagnostic>;

fn rule(source: &str, file: FileId, span: Span) -> RuleText {
    RuleText::from_toml(source, file, span.start as usize..span.end as usize)
}

pub(super) fn expr(source: &str, file: FileId, span: Span) -> Result<ast::Expr, Diagnostic> {
    parse::expr(&rule(source, file, span))
}

pub(super) fn choose(source: &str, file: FileId, span: Span) -> Result<ast::Choose, Diagnostic> {
    parse::choose(&rule(source, file, span))
}

pub(super) fn effects(source: &str, file: FileId, span: Span) -> Result<ast::Effects, Diagnostic> {
    parse::effects(&rule(source, file, span))
}

pub(super) fn flow(source: &str, file: FileId, span: Span) -> Result<ast::Flow, Diagnostic> {
    parse::flow(&rule(source, file, span))
}

pub(super) fn outcome(source: &str, file: FileId, span: Span) -> Result<ast::Outcome, Diagnostic> {
    parse::outcome(&rule(source, file, span))
}

pub(super) fn pattern(source: &str, file: FileId, span: Span) -> Result<ast::Pattern, Diagnostic> {
    parse::pattern(&rule(source, file, span))
}

/// The head of a definition with parameters: `threats(S: sites)`.
pub(super) fn head(source: &str, file: FileId, span: Span) -> Result<(Name, Vec<Param>), Diagnostic> {
    let (name, params) = parse::params(&rule(source, file, span))?;
    let param = |(name, ty)| Param { name, ty };
    Ok((name, params.into_iter().map(param).collect()))
}
