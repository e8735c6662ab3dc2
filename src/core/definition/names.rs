//! Which texts are names.

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::parse::{RESERVED, hyphenated};
use crate::wording::is_identifier;

/// Says why a text cannot be a name, if it cannot; `what` is `a player`, `a kind of piece`.
pub(super) fn check(text: &str, span: Span, what: &str) -> Result<(), Box<Diagnostic>> {
    if RESERVED.contains(&text) {
        let message = format!("`{text}` is a word of the language and cannot name {what}");
        let found = Diagnostic::error("reserved-name", span, message);
        return Err(Box::new(found.help(format!("choose another, such as `{text}2`"))));
    }
    if is_identifier(text) {
        return Ok(());
    }
    let message = format!("`{text}` cannot name {what}");
    let found = Diagnostic::error("bad-name", span, message);
    Err(Box::new(match hyphenated(text) {
        Some(name) => found.help(format!("names have hyphens: write `{name}`")),
        None => found.help("a name is a letter, then letters and digits, in groups joined by single hyphens"),
    }))
}
