//! The work that making a program takes, and its limits.
//!
//! Definitions are inlined, so little text can become much code, and passes walk that code again and again. Each
//! step is counted. After too many steps, or if code would get too large, every constructor yields an empty set or 0 at
//! once. So the work ends soon, and the rule that took most of it is reported.

use crate::diagnostic::Diagnostic;
use crate::limits::{CODE_LEVELS, CODE_PARTS, LOAD_STEPS};
use crate::source::Span;

/// The limit that was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Excess {
    Steps,
    Levels,
    Parts,
}

/// A rule, and how many steps it took.
#[derive(Clone, Debug)]
struct Took {
    span: Span,
    what: String,
    steps: u64,
}

/// The work so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    steps: u64,
    excess: Option<Excess>,
    rules: Vec<Took>,
    /// The rule whose code got too large.
    culprit: Option<usize>,
}

impl Work {
    /// Counts steps. Returns whether more are allowed.
    pub(crate) fn take(&mut self, steps: u64) -> bool {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > LOAD_STEPS {
            self.excess.get_or_insert(Excess::Steps);
        }
        self.excess.is_none()
    }

    /// Notes that code nests too deeply.
    pub(crate) fn deep(&mut self) {
        self.excess.get_or_insert(Excess::Levels);
    }

    /// Notes that code has too many parts.
    pub(crate) fn large(&mut self) {
        self.excess.get_or_insert(Excess::Parts);
    }

    /// Whether a limit was exceeded.
    pub(crate) fn is_over(&self) -> bool {
        self.excess.is_some()
    }

    /// All steps.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Notes how many steps a rule took, of all that there were before it.
    pub(crate) fn of_rule(&mut self, span: Span, what: &str, before: u64) {
        if self.is_over() && self.culprit.is_none() {
            self.culprit = Some(self.rules.len());
        }
        self.rules.push(Took { span, what: what.to_owned(), steps: self.steps - before });
    }

    /// The diagnostic, if a limit was exceeded.
    pub(crate) fn report(&self) -> Option<Diagnostic> {
        let most = self.rules.iter().max_by_key(|r| r.steps);
        let rule = match self.excess? {
            Excess::Steps => most,
            Excess::Levels | Excess::Parts => self.culprit.and_then(|i| self.rules.get(i)),
        };
        let (span, what) = rule.map_or((Span::default(), "a rule"), |r| (r.span, r.what.as_str()));
        let message = match self.excess? {
            Excess::Steps => {
                format!("the game takes more than {LOAD_STEPS} steps to load, most of them for {what}")
            }
            Excess::Levels => {
                format!("{what} becomes code that is nested more than {CODE_LEVELS} levels deep")
            }
            Excess::Parts => format!("{what} becomes code of more than {CODE_PARTS} parts"),
        };
        Some(Diagnostic::error("limit", span, message).help(
            "what a rule names is put in where it is named, and what that names in it: name less, or keep a value as state",
        ))
    }
}
