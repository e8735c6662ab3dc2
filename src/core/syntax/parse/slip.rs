//! Mistakes before the place where reading stopped: after a missing or an extra word the text can be read as
//! something else for a while.

use super::CODE;
use super::grammar::Rule;
use super::report::Stop;
use super::token::Token;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// The keys of a decision that are written into `choose` by mistake.
pub const DECISION_KEYS: [&str; 5] = ["when", "where", "do", "keeps", "text"];

/// At most so many letters of a rule are written again in advice.
pub(super) const MAX_SHOWN_LETTERS: usize = 80;

/// Two effects with nothing between them: `before` is the text and the place of the first, or of its end.
pub fn missing_semicolon(before: &str, first: Span, next: Span) -> Diagnostic {
    let end = Span { start: first.end, ..first };
    let found = Diagnostic::error(CODE, end, "a `;` is missing between two effects")
        .here("the first ends here")
        .and(next, "the second begins here");
    match before.len() > MAX_SHOWN_LETTERS {
        true => found.help("effects are separated by `;`"),
        false => found.help(format!("effects are separated by `;`: write `{before};`")),
    }
}

impl Stop<'_> {
    /// The mistake that lies before this place, if one is seen.
    pub(super) fn slip(&self) -> Option<Diagnostic> {
        match self.whole {
            Rule::whole_effects => self.two_effects(),
            Rule::whole_choose => self.key_in_choose(),
            _ => None,
        }
    }

    /// An effect that begins where the one before has not ended. It reads as more words of that one, until its own
    /// mark comes.
    fn two_effects(&self) -> Option<Diagnostic> {
        let found = self.found().filter(|_| self.rules.contains(&Rule::semicolon))?;
        let verb = |verbs: &[&str]| {
            let mut before = self.tokens.iter().take(self.index);
            before.rposition(|token| verbs.contains(&token.text))
        };
        let next = match found.text {
            "->" => verb(&["move", "turn"])?,
            "at" => verb(&["put"])?,
            "by" => verb(&["carry"])?,
            "=" | "+=" | "-=" | "|=" | "&=" => self.assigned()?,
            // `e if c`: the condition comes first, which is another mistake.
            "if" if !self.tokens.iter().skip(self.index).any(|token| token.text == "then") => return None,
            "if" | "for" | "let" => self.index,
            _ if found.is_reserved() || !found.is_word() => return None,
            _ => self.index,
        };
        let (before, next) = (self.tokens.get(next.checked_sub(1)?)?, self.tokens.get(next)?);
        let ends = before.is_word() && !before.is_reserved() || before.is_number();
        if !ends && !matches!(before.text, ")" | "]" | "}") {
            return None;
        }
        let line = self.line_to(before.end());
        Some(missing_semicolon(line, self.span(*before), self.span(*next)))
    }

    /// The name to which something is assigned here: the word before, or the one before its index.
    fn assigned(&self) -> Option<usize> {
        let last = self.index.checked_sub(1)?;
        let name = match self.tokens.get(last)?.text {
            "]" => self.bracket(last)?.checked_sub(1)?,
            _ => last,
        };
        self.tokens.get(name).filter(|token| token.is_word() && !token.is_reserved()).map(|_| name)
    }

    /// A condition that stands in `choose` and has a key of its own.
    fn key_in_choose(&self) -> Option<Diagnostic> {
        let is_key = |token: &Token<'_>| DECISION_KEYS.contains(&token.text) || token.text == "if";
        let at = self.tokens.iter().take(self.index + 1).position(is_key)?;
        let token = *self.tokens.get(at)?;
        if self.bracket(at).is_some() || self.tokens.get(at + 1).is_some_and(|next| next.text == "in") {
            return None;
        }
        let key = if token.text == "if" { "where" } else { token.text };
        let rest = self.text.text().get(token.end()..).unwrap_or("").trim().trim_end_matches(',');
        let found =
            Diagnostic::error(CODE, self.span(token), format!("`{}` is no part of `choose`", token.text))
                .here(format!("`{key}` is a key of its own"));
        let plain =
            rest.len() <= MAX_SHOWN_LETTERS && !rest.is_empty() && !rest.contains(['"', '\\', '\n', '#']);
        Some(match plain {
            true => found.help(format!("end `choose` before it and write `{key} = \"{rest}\"` below")),
            false => found.help(format!("end `choose` before it and write `{key} = \"...\"` below")),
        })
    }

    /// The text of a line before a byte, from the last separator on.
    fn line_to(&self, end: usize) -> &str {
        let before = self.text.text().get(..end).unwrap_or("");
        before.rsplit(['\n', ';']).next().unwrap_or("").trim_start()
    }
}
