//! Text as HTML.

/// Text as it stands in HTML and in attributes. Control characters, which no XML may have, are left out.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c if is_allowed(c) => out.push(c),
            _ => {}
        }
    }
    out
}

/// Whether XML may have a character at all.
pub fn is_allowed(c: char) -> bool {
    matches!(c, '\n' | '\t') || !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// A sentence in which what stands in backticks is code.
#[cfg(any(feature = "cli", feature = "report"))]
pub fn code(sentence: &str) -> String {
    let pieces = sentence.split('`').enumerate().map(|(i, piece)| match i % 2 {
        0 => escape(piece),
        _ => format!("<code>{}</code>", escape(piece)),
    });
    pieces.collect()
}
