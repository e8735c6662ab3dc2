//! Texts with `{names}` in them.

use super::model::{Template, TemplatePart};
use super::tree::Node;
use super::value::{Found, Values};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::Name;
use crate::wording::is_identifier;

impl Values<'_> {
    /// A text with `{name}` and `{name:02}`; `{{` and `}}` stand for braces.
    pub(super) fn template(&self, node: &Node, expected: &str) -> Found<Template> {
        let text = &self.text(node, expected)?.text;
        let bad = |at: usize, message: &str| {
            let found = Diagnostic::error("bad-template", self.inside(node, at..at + 1), message);
            Err(Box::new(found.help("a brace that stands for itself is written twice")))
        };
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut at = 0;
        while let Some(letter) = text[at..].chars().next() {
            let rest = &text[at..];
            if rest.starts_with("{{") || rest.starts_with("}}") {
                literal.push(letter);
                at += 2;
            } else if letter == '{' {
                let Some(length) = rest.find('}') else { return bad(at, "this `{` is not closed") };
                let part = field(&rest[1..length], self.inside(node, at + 1..at + length))?;
                if !literal.is_empty() {
                    parts.push(TemplatePart::Literal(std::mem::take(&mut literal)));
                }
                parts.push(part);
                at += length + 1;
            } else if letter == '}' {
                return bad(at, "this `}` closes nothing");
            } else {
                literal.push(letter);
                at += letter.len_utf8();
            }
        }
        if !literal.is_empty() {
            parts.push(TemplatePart::Literal(literal));
        }
        Ok(Template { parts, span: node.span })
    }
}

/// `name` or `name:02`.
fn field(inner: &str, span: Span) -> Found<TemplatePart> {
    let (name, width) = match inner.split_once(':') {
        Some((name, digits)) => (name, digits.parse::<usize>().ok().filter(|w| *w <= 18)),
        None => (inner, Some(0)),
    };
    let Some(width) = width else {
        let message = "expected a number of digits after `:`, such as `02`";
        return Err(Box::new(Diagnostic::error("bad-template", span, message)));
    };
    if !is_identifier(name) {
        let message = format!("`{{{inner}}}` is not a field such as `{{name}}` or `{{name:02}}`");
        return Err(Box::new(Diagnostic::error("bad-template", span, message)));
    }
    Ok(TemplatePart::Field { name: Name { text: name.to_string(), span }, width })
}
