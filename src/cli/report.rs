//! Diagnostics drawn for people, and as JSON.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet, normalize_untrusted_str};
use serde_json::{Value, json};

use super::text;
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::source::{Sources, Span};
use crate::wording::distinct;

/// A diagnostic as text, with colours, which the stream takes out where nobody sees them.
pub(super) fn draw(d: &Diagnostic, sources: &Sources) -> String {
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    // Control characters must not reach the terminal: texts from files are made harmless.
    let clean = |text: &str| normalize_untrusted_str(&super::said(text));
    let title = level.primary_title(clean(&d.message)).id(d.code);
    let mut parts: Vec<Element<'_>> = Vec::new();
    for file in distinct(d.labels.iter().map(|label| label.span.file)) {
        let Some(source) = sources.get(file) else { continue };
        let mut snippet = Snippet::source(&*source.text).path(clean(&source.name));
        for (i, Label { span, text }) in d.labels.iter().enumerate().filter(|(_, l)| l.span.file == file) {
            let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(inside(&source.text, *span));
            let is_bare = text.is_empty();
            snippet = snippet.annotation(if is_bare { annotation } else { annotation.label(clean(text)) });
        }
        parts.push(snippet.into());
    }
    let context = d.context.as_deref().map(|c| format!("found {}", clean(c)));
    if parts.is_empty() {
        // Without a place there is no frame to hang advice on.
        let note = context.map(|c| Level::NOTE.secondary_title(c));
        let help = d.help.as_deref().map(|h| Level::HELP.secondary_title(clean(h)));
        let mut out = String::new();
        for title in [Some(title), note, help].into_iter().flatten() {
            out += &Renderer::styled().render(&[Group::with_title(title)]);
            out.push('\n');
        }
        return out;
    }
    let note = context.map(|c| Level::NOTE.message(c));
    let help = d.help.as_deref().map(|h| Level::HELP.message(clean(h)));
    parts.extend(note.map(Element::from));
    parts.extend(help.map(Element::from));
    let group = parts.into_iter().fold(Group::with_title(title), Group::element);
    Renderer::styled().render(&[group]) + "\n"
}

/// The bytes of a span, within the text and between characters.
fn inside(text: &str, span: Span) -> std::ops::Range<usize> {
    let floor = |at: u32| {
        let mut at = (at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start);
    start..floor(span.end).max(start)
}

/// Diagnostics as a list in JSON.
pub(super) fn list(all: &[Diagnostic], sources: &Sources) -> Value {
    all.iter().map(|d| json(d, sources)).collect()
}

/// A diagnostic as JSON.
pub(super) fn json(d: &Diagnostic, sources: &Sources) -> Value {
    let mut out = json!({
        "severity": d.severity.word(),
        "code": d.code,
        "message": text::brief(&d.message),
        "file": null,
        "line": null,
        "column": null,
        "end": null,
        "label": null,
        "help": d.help.as_deref().map(text::brief),
        "context": d.context,
    });
    let mut labels = d.labels.iter().map(|label| place(label, sources));
    if let (Some(Value::Object(first)), Some(all)) = (labels.next(), out.as_object_mut()) {
        all.extend(first);
    }
    out["others"] = labels.collect();
    out
}

fn place(label: &Label, sources: &Sources) -> Value {
    let start = sources.line_column(label.span);
    let end = sources.line_column(Span { start: label.span.end, ..label.span });
    json!({
        "file": sources.get(label.span.file).map(|s| s.name.as_str()),
        "line": start.line,
        "column": start.column,
        "end": { "line": end.line, "column": end.column },
        "label": (!label.text.is_empty()).then(|| text::brief(&label.text)),
    })
}
