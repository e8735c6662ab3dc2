//! Texts with `{names}` in them.

use super::model::{Template, TemplatePart};
use super::names;
use super::tree::{Kind, Node};
use super::value::{Found, Values};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::Name;

impl Values<'_> {
    /// A text with `{name}` and `{name:02}`; `{{` and `}}` stand for braces.
    pub(super) fn template(&mut self, node: &Node) -> Option<Found<Template>> {
        let Kind::Text(text) = &node.kind else {
            return None;
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
                let Some(length) = rest.find('}') else {
                    let span = self.inside(node, at..at + 1);
                    let found = Diagnostic::error("bad-template", span, "this `{` is not closed")
                        .help("a brace that stands for itself is written twice");
                    return Some(Err(Box::new(found)));
                };
                let span = self.inside(node, at + 1..at + length);
                match field(&rest[1..length], span) {
                    Ok(part) => {
                        if !literal.is_empty() {
                            parts.push(TemplatePart::Literal(std::mem::take(&mut literal)));
                        }
                        parts.push(part);
                    }
                    Err(diagnostic) => return Some(Err(diagnostic)),
                }
                at += length + 1;
            } else if letter == '}' {
                let span = self.inside(node, at..at + 1);
                let found = Diagnostic::error("bad-template", span, "this `}` closes nothing")
                    .help("a brace that stands for itself is written twice");
                return Some(Err(Box::new(found)));
            } else {
                literal.push(letter);
                at += letter.len_utf8();
            }
        }
        if !literal.is_empty() {
            parts.push(TemplatePart::Literal(literal));
        }
        let span = node.span;
        Some(Ok(Template { parts, span }))
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
    if !names::is_identifier(name) {
        let message = format!("`{{{inner}}}` is not a field such as `{{name}}` or `{{name:02}}`");
        return Err(Box::new(Diagnostic::error("bad-template", span, message)));
    }
    let text = name.to_string();
    let name = Name { text, span };
    Ok(TemplatePart::Field { name, width })
}
