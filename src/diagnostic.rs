//! Diagnostics as data: what is wrong, where, what was expected, what was perhaps meant.
//! Front ends draw them; nothing here prints.

use crate::source::Span;

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

/// A place and what to say there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What to say there; may be empty.
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
    /// What to do about it.
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

    /// Adds "did you mean", where some candidate is near.
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

    /// The first place.
    pub fn span(&self) -> Span {
        self.labels.first().map(|l| l.span).unwrap_or_default()
    }
}

/// A list of findings with the questions that phases ask of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    /// Adds one, unless the same finding is there already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.0.contains(&diagnostic) {
            self.0.push(diagnostic);
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

    /// In the order of the files' text.
    pub fn sort(&mut self) {
        self.0.sort_by_key(|d| (d.span(), d.code));
    }
}

/// Longer names are not guessed at: comparing takes as many steps as the product of the lengths.
const GUESSED_LETTERS: usize = 64;

/// Of names that are about as long, so many are compared.
const GUESSED_NAMES: usize = 500;

/// The candidate that a mistyped name most likely meant: the nearest by edits of letters, an exchange of two
/// neighbours being one, if that is at most a third of the name's length (at least 1).
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    if letters > GUESSED_LETTERS {
        return None;
    }
    let allowed = (letters / 3).max(1);
    candidates
        .into_iter()
        .filter(|c| *c != name && c.len() <= 4 * (letters + allowed))
        .filter(|c| c.chars().count().abs_diff(letters) <= allowed)
        .take(GUESSED_NAMES)
        .map(|c| {
            let far = if c.eq_ignore_ascii_case(name) { 0 } else { strsim::osa_distance(name, c) };
            (far, c)
        })
        .filter(|(far, _)| *far <= allowed)
        .min()
        .map(|(_, c)| c)
}
