//! A plain reading of a rule string as words and marks, for the limits and for error messages. It
//! takes every text; an unknown character is a mark of its own.

/// A word, a number or a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'t> {
    /// Its letters.
    pub text: &'t str,
    /// Its first byte.
    pub start: usize,
}

impl Token<'_> {
    /// One past its last byte.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is a word of letters (a name or a reserved word).
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic())
    }

    /// Whether it is a word of digits.
    pub(super) fn is_number(&self) -> bool {
        self.text.bytes().all(|b| b.is_ascii_digit())
    }

    /// Whether it is made of letters and digits but is no word and no number of the language.
    pub(super) fn is_malformed(&self) -> bool {
        let letters = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
        self.text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
            && !self.is_number()
            && !(self.is_word() && self.text.split('-').all(letters))
    }

    /// Whether it is a word that may not be a name.
    pub(super) fn is_reserved(&self) -> bool {
        RESERVED.contains(&self.text)
    }
}

/// The words that are reserved everywhere: no name may be one of them.
pub const RESERVED: [&str; 27] = [
    "and",
    "or",
    "not",
    "in",
    "is",
    "no",
    "some",
    "every",
    "sum",
    "union",
    "count",
    "if",
    "then",
    "else",
    "otherwise",
    "after",
    "at",
    "by",
    "through",
    "over",
    "onto",
    "upto",
    "leaving",
    "wins",
    "loses",
    "let",
    "for",
];

/// Marks of more than one character, those of the language and those of others that are often meant.
const MARKS: [&str; 18] = [
    ":=", "->", "..", "==", "!=", "<=", ">=", "+=", "-=", "|=", "&=", "&&", "||", "=>", "<>", "**", "++",
    "::",
];

/// A text with hyphens for its underscores, if that makes it a name.
pub fn hyphenated(text: &str) -> Option<String> {
    let name = text.replace('_', "-");
    let is_name = |token: Token<'_>| token.is_word() && !token.is_malformed() && !token.is_reserved();
    (name != text && is_name(Token { text: &name, start: 0 })).then_some(name)
}

/// The tokens of a text, without blanks and comments.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let token = token_at(text, at)?;
        at = token.end();
        Some(token)
    })
}

/// The first token at or after a byte.
fn token_at(text: &str, mut at: usize) -> Option<Token<'_>> {
    loop {
        let rest = text.get(at..)?;
        let first = rest.chars().next()?;
        if matches!(first, ' ' | '\t' | '\r' | '\n') {
            at += 1;
        } else if first == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            let length = length(rest, first);
            return Some(Token { text: rest.get(..length)?, start: at });
        }
    }
}

/// The length of the token that begins a text.
fn length(rest: &str, first: char) -> usize {
    if first.is_alphanumeric() || first == '_' {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let mut length = rest.find(|c| !word(c)).unwrap_or(rest.len());
        // A hyphen belongs to the word if a letter or digit follows; numbers have none.
        while first.is_alphabetic()
            && let Some(more) = rest[length..].strip_prefix('-')
            && more.starts_with(char::is_alphanumeric)
        {
            length += 1 + more.find(|c| !word(c)).unwrap_or(more.len());
        }
        return length;
    }
    MARKS.iter().find(|mark| rest.starts_with(**mark)).map_or(first.len_utf8(), |mark| mark.len())
}
