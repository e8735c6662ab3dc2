//! Rule strings as they stand in a file.
//!
//! A rule string is read from a TOML string, in which escapes, line continuations and a first line
//! end make the text differ from the bytes of the file. [`RuleText`] keeps the way back, so that every
//! tree and every error points at the file.

use std::ops::Range;

use crate::source::{FileId, Span};

/// A decoded rule string and where each of its bytes stands in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleText {
    file: FileId,
    text: String,
    map: Map,
}

/// From offsets of the decoded text to offsets of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Map {
    /// The text stands in the file as it is, from this offset on.
    Plain(u32),
    /// For each byte of the text, the stretch of the file that wrote its character; then the stretch
    /// of the closing quotes, for the end of an empty text.
    Table(Vec<(u32, u32)>),
}

impl RuleText {
    /// A text that stands in the file as it is, from byte `base` on.
    pub fn plain(file: FileId, base: u32, text: impl Into<String>) -> RuleText {
        RuleText { file, text: text.into(), map: Map::Plain(base) }
    }

    /// Decodes the TOML string that stands at `raw_span` (its quotes included) of a file's text.
    ///
    /// The TOML parser has accepted the file before, so nothing is reported here: a text that is
    /// no string is taken as it stands.
    pub fn from_toml(sources_text: &str, file: FileId, raw_span: Range<usize>) -> RuleText {
        let base = raw_span.start;
        let raw = sources_text.get(raw_span).unwrap_or("");
        let body = |quotes: usize| raw.get(quotes..raw.len().saturating_sub(quotes));
        let quoted = |q: &str| raw.len() >= 2 * q.len() && raw.starts_with(q) && raw.ends_with(q);
        let (quotes, escapes) = if quoted("\"\"\"") {
            (3, true)
        } else if quoted("'''") {
            (3, false)
        } else if quoted("\"") {
            (1, true)
        } else if quoted("'") {
            (1, false)
        } else {
            return RuleText::plain(file, offset(base), raw);
        };
        let Some(mut text) = body(quotes) else { return RuleText::plain(file, offset(base), raw) };
        let mut start = base + quotes;
        if quotes == 3 {
            let skipped =
                ["\r\n", "\n"].iter().find_map(|end| text.strip_prefix(end).map(|rest| (end.len(), rest)));
            if let Some((length, rest)) = skipped {
                start += length;
                text = rest;
            }
        }
        if escapes && text.contains('\\') {
            decode(file, start, text)
        } else {
            RuleText::plain(file, offset(start), text)
        }
    }

    /// The decoded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file in which it stands.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The place in the file of a stretch of the decoded text. Offsets past the end mean the end.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let start = start.min(self.text.len());
        let end = end.clamp(start, self.text.len());
        let (first, last) = match &self.map {
            Map::Plain(base) => (base.saturating_add(offset(start)), base.saturating_add(offset(end))),
            Map::Table(table) => {
                let first = table.get(start).map_or(0, |place| place.0);
                // The end of the last byte, not the start of the next: between them a line
                // continuation may stand.
                let last = match end > start {
                    true => table.get(end - 1).map_or(first, |place| place.1),
                    false => first,
                };
                (first, last)
            }
        };
        Span { file: self.file, start: first, end: last }
    }

    /// The place of the whole text.
    pub fn whole(&self) -> Span {
        self.span(0, self.text.len())
    }
}

/// Spans count in 32 bits; files beyond that are cut off rather than wrapped.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Decodes the inside of a basic string that has escapes.
fn decode(file: FileId, base: usize, raw: &str) -> RuleText {
    let mut text = String::with_capacity(raw.len());
    let mut table = Vec::with_capacity(raw.len() + 1);
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        let at = base + raw.len() - rest.len();
        let (decoded, length) = if c == '\\' { escape(rest) } else { (Some(c), c.len_utf8()) };
        if let Some(c) = decoded {
            text.push(c);
            table.resize(text.len(), (offset(at), offset(at + length)));
        }
        rest = rest.get(length..).unwrap_or("");
    }
    let end = offset(base + raw.len());
    table.push((end, end));
    RuleText { file, text, map: Map::Table(table) }
}

/// The character of the escape at the start of `rest`, and the escape's length. A line continuation has no
/// character; a backslash that begins no escape of TOML stands for itself.
fn escape(rest: &str) -> (Option<char>, usize) {
    let digits = |count: usize| {
        let value = rest
            .get(2..2 + count)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .and_then(char::from_u32);
        match value {
            Some(c) => (Some(c), 2 + count),
            None => (Some('\\'), 1),
        }
    };
    match rest.as_bytes().get(1) {
        Some(b'b') => (Some('\u{8}'), 2),
        Some(b't') => (Some('\t'), 2),
        Some(b'n') => (Some('\n'), 2),
        Some(b'f') => (Some('\u{c}'), 2),
        Some(b'r') => (Some('\r'), 2),
        Some(b'e') => (Some('\u{1b}'), 2),
        Some(b'"') => (Some('"'), 2),
        Some(b'\\') => (Some('\\'), 2),
        Some(b'x') => digits(2),
        Some(b'u') => digits(4),
        Some(b'U') => digits(8),
        Some(b' ' | b'\t' | b'\r' | b'\n') => {
            let blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
            let after = rest[1..].trim_start_matches(blank);
            (None, rest.len() - after.len())
        }
        _ => (Some('\\'), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of the string that stands after `=`, and for each of its characters what stands in
    /// the file at its place.
    fn decoded(file: &str) -> (String, Vec<&str>) {
        let start = file.find('=').unwrap() + 1;
        let rule = RuleText::from_toml(file, FileId(7), start..file.len());
        let places = rule
            .text()
            .char_indices()
            .map(|(at, c)| {
                let span = rule.span(at, at + c.len_utf8());
                assert_eq!(span.file, FileId(7));
                &file[span.start as usize..span.end as usize]
            })
            .collect();
        (rule.text().to_string(), places)
    }

    #[test]
    fn plain_strings_keep_their_offsets() {
        for file in ["k=\"a b\"", "k='a b'", "k=\"\"\"a b\"\"\"", "k='''\na b'''"] {
            let (text, places) = decoded(file);
            assert_eq!(text, "a b", "{file}");
            assert_eq!(places.concat(), "a b", "{file}");
        }
    }

    #[test]
    fn escapes_map_to_what_was_written() {
        let (text, places) = decoded(r#"k="a\t\u00e9\"é\\\x41\U0001F600.""#);
        assert_eq!(text, "a\té\"é\\A😀.");
        let written = ["a", r"\t", r"\u00e9", "\\\"", "é", r"\\", r"\x41", r"\U0001F600", "."];
        assert_eq!(places, written);
    }

    #[test]
    fn line_continuations_are_jumped_over() {
        let file = "k=\"\"\"\nab \\  \n\n   cd\"\"\"";
        let (text, places) = decoded(file);
        assert_eq!(text, "ab cd");
        assert_eq!(places.concat(), "ab cd");
        let rule = RuleText::from_toml(file, FileId(0), 2..file.len());
        let span = rule.span(0, 2);
        assert_eq!(&file[span.start as usize..span.end as usize], "ab");
    }

    #[test]
    fn first_line_end_is_dropped_in_multi_line_strings_only() {
        assert_eq!(decoded("k=\"\"\"\r\na\n\"\"\"").0, "a\n");
        assert_eq!(decoded("k='''\n\na'''").0, "\na");
        assert_eq!(decoded(r"k='a\nb'").0, r"a\nb");
    }

    #[test]
    fn nothing_is_too_odd() {
        for file in
            ["=\"", "='", "=\"\"", "=\"\"\"", "=\"\"\"\"", "=\"\\\"", "=\"\\u12\"", "=\"\\xé\"", "=abc", "="]
        {
            let rule = RuleText::from_toml(file, FileId(0), 1..file.len());
            rule.span(0, 100);
            rule.span(100, 0);
        }
        let rule = RuleText::from_toml("abc", FileId(0), 2..90);
        assert_eq!(rule.text(), "");
    }
}
