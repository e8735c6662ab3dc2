//! Diagnostics as data: the mistake, its place, advice.
//! Nothing here prints: [`Diagnostic::render`] gives the plain text, front ends may draw it their own way.

use std::fmt;

use crate::source::{Sources, Span};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Perhaps worth knowing: most likely nothing is wrong.
    Note,
    /// Worth knowing; the definition is usable.
    Warning,
    /// The definition cannot be used.
    Error,
}

impl Severity {
    /// As reports have it.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A place and a text for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// The text; may be empty.
    pub text: String,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A short stable name for the kind of finding: `unknown-name`.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// Where; the first is the place itself, the others give context.
    pub labels: Vec<Label>,
    /// The advice.
    pub help: Option<String>,
    /// The options under which it was found, such as `with switch-move`; none for the default.
    pub context: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            labels: vec![Label { span, text: String::new() }],
            help: None,
            context: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// A note at a place.
    pub fn note(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(code, span, message) }
    }

    /// Says something at the first place.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(label) = self.labels.first_mut() {
            label.text = text.into();
        }
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Adds "did you mean", if some candidate is near.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        match nearest(name, candidates) {
            Some(found) => {
                let text = format!("did you mean `{found}`?");
                self.help(text)
            }
            None => self,
        }
    }

    /// Plain text: the message, then for each place file, line and column, the line with a mark under it and the
    /// text of the label, then the advice. It ends with a line end.
    pub fn render(&self, sources: &Sources) -> String {
        let mut out = format!("{}[{}]: {}\n", self.severity.word(), self.code, harmless(&self.message));
        let numbers = self.labels.iter().map(|l| sources.line_column(l.span).line.to_string().len());
        let margin = " ".repeat(numbers.max().unwrap_or(1));
        for (label, mark) in self.labels.iter().zip(["^"].into_iter().chain(std::iter::repeat("-"))) {
            let Some(source) = sources.get(label.span.file) else { continue };
            let at = sources.line_column(label.span);
            let line = source.text.lines().nth(at.line - 1).unwrap_or_default();
            let length = sources.slice(label.span).lines().next().unwrap_or_default().chars().count();
            let marks = mark.repeat(length.max(1));
            let row = format!("{} {}", marks, harmless(&label.text));
            out += &format!("{margin}--> {}:{}:{}\n", harmless(&source.name), at.line, at.column);
            out += &format!("{:>width$} | {}\n", at.line, harmless(line), width = margin.len());
            out += &format!("{margin} | {}{}\n", " ".repeat(at.column - 1), row.trim_end());
        }
        if let Some(context) = &self.context {
            out += &format!("{margin} = note: found {}\n", harmless(context));
        }
        if let Some(help) = &self.help {
            out += &format!("{margin} = help: {}\n", harmless(help));
        }
        out
    }

    /// The first place.
    pub fn span(&self) -> Span {
        self.labels.first().map(|l| l.span).unwrap_or_default()
    }
}

/// A text from a file without characters that control a terminal.
fn harmless(text: &str) -> String {
    let one = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(one).collect()
}

/// The message and the advice, without places.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: ", self.severity.word(), self.code)?;
        with_help(f, &self.message, self.help.as_deref())
    }
}

/// Why something cannot be had or read, where there is no text to point into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_help(f, &self.message, Some(&self.help))
    }
}

impl std::error::Error for Refusal {}

/// How errors print that have a sentence and advice.
#[doc(hidden)]
pub fn with_help(f: &mut fmt::Formatter<'_>, message: &str, help: Option<&str>) -> fmt::Result {
    match help {
        Some(help) => write!(f, "{message} ({help})"),
        None => f.write_str(message),
    }
}

/// The most findings of one severity that are kept: nobody reads more, and each is compared with those before it.
const MAX_KEPT: usize = 100;

/// The code of the finding that takes the place of all that are not kept.
const MORE: &str = "more";

/// A list of findings with the questions that phases ask of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    /// Adds one, unless the same finding is there already. After many, one finding says that there are more.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.0.contains(&diagnostic) {
            return;
        }
        let severity = diagnostic.severity;
        if self.0.iter().filter(|d| d.severity == severity).count() < MAX_KEPT {
            return self.0.push(diagnostic);
        }
        let message = format!("there are more {}s than these {MAX_KEPT}", severity.word());
        let more = Diagnostic { labels: Vec::new(), ..Diagnostic::note(MORE, Span::default(), message) };
        if !self.0.contains(&more) {
            self.0.push(more);
        }
    }

    /// Adds all of another list.
    pub fn append(&mut self, other: Diagnostics) {
        for diagnostic in other.0 {
            self.push(diagnostic);
        }
    }

    /// Whether anything makes the definition unusable.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|d| d.severity == Severity::Error)
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The plain text of all: see [`Diagnostic::render`].
    pub fn render(&self, sources: &Sources) -> String {
        self.0.iter().map(|d| d.render(sources)).collect::<Vec<_>>().join("\n")
    }

    /// In the order of the files' text.
    pub fn sort(&mut self) {
        self.0.sort_by_key(|d| (d.code == MORE, d.span(), d.code));
    }
}

/// One finding a line, without places.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Diagnostic::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Diagnostics {}

/// Longer names are not guessed at: comparing takes as many steps as the product of the lengths.
const MAX_GUESSED_LETTERS: usize = 64;

/// Of names that are about as long, so many are compared.
const MAX_GUESSED_NAMES: usize = 500;

/// The candidate that a mistyped name most likely meant: the nearest by edits of letters, an exchange of two
/// neighbours being one, if that is at most a third of the name's length (at least 1).
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    if letters > MAX_GUESSED_LETTERS {
        return None;
    }
    let allowed = (letters / 3).max(1);
    candidates
        .into_iter()
        .filter(|c| *c != name && c.len() <= 4 * (letters + allowed))
        .filter(|c| c.chars().count().abs_diff(letters) <= allowed)
        .take(MAX_GUESSED_NAMES)
        .map(|c| {
            let far = if c.eq_ignore_ascii_case(name) { 0 } else { strsim::osa_distance(name, c) };
            (far, c)
        })
        .filter(|(far, _)| *far <= allowed)
        .min()
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_shown_with_its_line() {
        let mut sources = Sources::default();
        let file = sources.add("game.toml", "a = 1\n\twhere = \"some ownn piece\"\n");
        let span = |start, end| Span { file, start, end };
        let found = Diagnostic::error("unknown-name", span(21, 25), "unknown name `ownn`")
            .here("stands for nothing")
            .and(span(0, 1), "")
            .help("did you mean `own`?");
        let text = "error[unknown-name]: unknown name `ownn`\n\
                    \x20--> game.toml:2:16\n\
                    2 |  where = \"some ownn piece\"\n\
                    \x20 |                ^^^^ stands for nothing\n\
                    \x20--> game.toml:1:1\n\
                    1 | a = 1\n\
                    \x20 | -\n\
                    \x20 = help: did you mean `own`?\n";
        assert_eq!(found.render(&sources), text);
        assert_eq!(found.to_string(), "error[unknown-name]: unknown name `ownn` (did you mean `own`?)");
    }

    #[test]
    fn of_many_findings_the_first_are_kept() {
        let mut found = Diagnostics::default();
        for start in (1..=300).rev() {
            let span = Span { start, ..Span::default() };
            found.push(Diagnostic::error("x", span, "wrong"));
            found.push(Diagnostic::error("x", span, "wrong"));
        }
        found.push(Diagnostic::warning("y", Span::default(), "odd"));
        found.sort();
        assert_eq!(found.0.len(), 102);
        let last = found.0.last().map(ToString::to_string);
        assert_eq!(last.as_deref(), Some("note[more]: there are more errors than these 100"));
    }

    #[test]
    fn a_place_may_be_anywhere() {
        let mut sources = Sources::default();
        let file = sources.add("odd\u{7}.toml", "é\u{1b}\n");
        for (start, end) in [(0, 0), (1, 1), (0, 99), (4, 4), (99, 99)] {
            let text = Diagnostic::warning("x", Span { file, start, end }, "m").render(&sources);
            assert!(
                text.starts_with("warning[x]: m\n --> odd\u{fffd}.toml:") && text.contains('^'),
                "{text}"
            );
        }
        let nowhere = Diagnostic::note("x", Span { file: crate::source::FileId(7), ..Span::default() }, "m");
        assert_eq!(nowhere.render(&sources), "note[x]: m\n");
    }
}
