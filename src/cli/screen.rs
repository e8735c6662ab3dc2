//! Printing. A terminal obeys nothing that is printed but colours.
//!
//! Names, texts and paths come from others, and a terminal obeys control characters: they clear it, name its
//! window, put words into its input. Whoever prints such a text makes it [plain](text::plain). So that no place
//! can be forgotten, all that is printed goes through a [`Screen`], which lets the sequences for colours pass and
//! shows all other characters that no text should hold as an unknown one. In JSON such a character can only be part of
//! a string and becomes an escape: the text that is read back is the same.

use std::io::{self, Write};

use super::text;

/// A stream that passes no control characters on. Characters and sequences come whole, as `write!` gives them.
pub(super) struct Screen<W> {
    inner: W,
    json: bool,
}

impl<W: Write> Screen<W> {
    /// A stream in front of another one: for lines of JSON, or for people.
    pub(super) fn new(inner: W, json: bool) -> Screen<W> {
        Screen { inner, json }
    }
}

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let all = String::from_utf8_lossy(bytes);
        let mut rest = &*all;
        while let Some(at) = rest.find(|c| !text::is_plain(c)) {
            let (before, from) = rest.split_at(at);
            self.inner.write_all(before.as_bytes())?;
            let c = from.chars().next().unwrap_or_default();
            let (length, shown) = match (colour(from), self.json) {
                (Some(length), _) => (length, from[..length].to_owned()),
                (None, false) => (c.len_utf8(), text::UNKNOWN.to_string()),
                (None, true) => {
                    let units =
                        c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
                    (c.len_utf8(), units)
                }
            };
            self.inner.write_all(shown.as_bytes())?;
            rest = &from[length..];
        }
        self.inner.write_all(rest.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The length of the colour sequence at the beginning of a text: `ESC [ 1 ; 31 m`.
fn colour(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("\u{1b}[")?;
    let length = inner.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    inner[length..].starts_with('m').then_some(length + 3)
}

/// The stream for messages beside the results.
pub(super) fn err() -> impl Write {
    Screen::new(anstream::stderr().lock(), false)
}

/// Says something beside the results. Failing to print it is no reason to stop.
pub(super) fn note(message: &str) {
    let _ = writeln!(err(), "note: {}", super::said(message));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, json: bool) -> String {
        let mut out = Vec::new();
        Screen::new(&mut out, json).write_all(text.as_bytes()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_colours_pass() {
        assert_eq!(shown("a\tb\n\u{1b}[1;31mé\u{1b}[0m", false), "a\tb\n\u{1b}[1;31mé\u{1b}[0m");
        assert_eq!(
            shown("\u{1b}[2J\u{1b}]0;x\u{7}\u{9b}1m\r\u{8}", false),
            "?[2J?]0;x??1m??".replace('?', "\u{fffd}")
        );
        assert_eq!(shown("a\u{202e}b\u{10fee9}\0", false), "a?b??".replace('?', "\u{fffd}"));
        assert_eq!(shown("\u{1b}[\u{1b}[31", false), "?[?[31".replace('?', "\u{fffd}"));
        let value = serde_json::json!("a\u{7f}\u{9b}\u{1b}\u{202e}\u{10fee9}é");
        let line = shown(&value.to_string(), true);
        assert!(line.chars().all(text::is_plain), "{line}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&line).unwrap(), value);
    }
}
