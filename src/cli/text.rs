//! Small things about text.

use super::files::name;
pub(super) use crate::wording::{count, many};

/// Stands for a character that cannot be shown.
pub(super) const UNKNOWN: char = '\u{fffd}';

/// Whether a character can be shown: a terminal obeys control characters, some reverse the direction of text,
/// and some stand for bytes in the name of a file.
pub(super) fn is_plain(c: char) -> bool {
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (!c.is_control() || c == '\n' || c == '\t') && !turns && name::byte(c).is_none()
}

/// A text that comes from a file, safe to print.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if is_plain(c) { c } else { UNKNOWN }).collect()
}

/// The most characters that a message shows of one thing in quotes, and of all.
const MAX_QUOTED: usize = 400;
const MAX_SAID: usize = 4000;

/// A message with its long parts cut: a quoted text may be as long as a file.
pub(super) fn brief(message: &str) -> String {
    if message.len() <= MAX_QUOTED {
        return message.to_owned();
    }
    let part = |(i, part)| cut(part, if i % 2 == 1 { MAX_QUOTED } else { MAX_SAID });
    let parts: Vec<String> = message.split('`').enumerate().map(part).collect();
    cut(&parts.join("`"), MAX_SAID)
}

/// The beginning of a text, of at most so many characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}\u{2026}", &text[..at]),
    }
}

/// Words in lines of at most `width` characters, each begun by `indent`.
pub(super) fn wrapped<W: AsRef<str>>(
    words: impl IntoIterator<Item = W>,
    indent: &str,
    width: usize,
) -> String {
    let mut out = String::new();
    let mut line = indent.to_owned();
    for word in words {
        let word = word.as_ref();
        let long = line.chars().count() + word.chars().count();
        if long > width && line.trim() != "" {
            out += line.trim_end();
            out.push('\n');
            line = indent.to_owned();
        }
        line += word;
        line.push(' ');
    }
    out + line.trim_end()
}

/// Lines of cells, the columns aligned; the last column wraps at the terminal's width.
pub(super) fn table(head: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = comfy_table::Table::new();
    table.load_preset(comfy_table::presets::NOTHING);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table.set_header(head.iter().copied());
    table.add_rows(rows.iter().map(|row| row.iter().map(|cell| plain(cell))));
    // Only the last column is ever broken, and only where there is room for it.
    if table.width().is_some_and(|width| width < 72) {
        table.set_content_arrangement(comfy_table::ContentArrangement::Disabled);
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if i + 1 < head.len() {
            column.set_constraint(comfy_table::ColumnConstraint::ContentWidth);
        }
    }
    table.to_string().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_cut() {
        assert_eq!(brief("short `x`"), "short `x`");
        let long = brief(&format!("`{}` is unknown; did you mean `y`?", "x".repeat(1000)));
        assert_eq!(long, format!("`{}\u{2026}` is unknown; did you mean `y`?", "x".repeat(MAX_QUOTED)));
        assert_eq!(brief(&"é".repeat(100_000)).chars().count(), MAX_SAID + 1);
    }

    #[test]
    fn words_wrap() {
        assert_eq!(wrapped(["aa", "bb", "cc"], "  ", 7), "  aa bb\n  cc");
    }
}
