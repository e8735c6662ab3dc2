//! Small things about text.

use crate::definition::{OptionDef, OptionKind, OptionValue};

/// A text that comes from a file, safe to print: a terminal obeys control characters.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect()
}

/// As many as there are: `1 game`, `2 games`.
pub(super) fn many(n: u64, one: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        _ => format!("{} {one}s", grouped(n)),
    }
}

/// A number with its thousands apart: `4,865,609`.
pub(super) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Words in lines of at most `width` characters, each begun by `indent`.
pub(super) fn wrapped(words: &[String], indent: &str, width: usize) -> String {
    let mut out = String::new();
    let mut line = indent.to_owned();
    for word in words {
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

/// What an option can be.
pub(super) fn values(option: &OptionDef) -> String {
    match &option.kind {
        OptionKind::Flag => "on, off".to_owned(),
        OptionKind::Words(words) => words.join(", "),
        OptionKind::Numbers(numbers) => numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(", "),
        OptionKind::Range(low, high) => format!("{low} to {high}"),
    }
}

/// An option's value.
pub(super) fn value(value: &OptionValue) -> String {
    match value {
        OptionValue::Flag(true) => "on".to_owned(),
        OptionValue::Flag(false) => "off".to_owned(),
        OptionValue::Word(word) => word.clone(),
        OptionValue::Number(number) => number.to_string(),
    }
}

/// Lines of cells, the columns aligned; the last column wraps at the terminal's width.
pub(super) fn table(head: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = comfy_table::Table::new();
    table.load_preset(comfy_table::presets::NOTHING);
    table.set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    table.set_header(head.iter().copied());
    for row in rows {
        table.add_row(row.iter().map(|cell| plain(cell)));
    }
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
    let lines: Vec<String> = table.to_string().lines().map(|l| l.trim_end().to_owned()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            ["1", "999", "1,000", "4,865,609"],
            [1, 999, 1000, 4_865_609].map(grouped).each_ref().map(String::as_str)
        );
    }

    #[test]
    fn words_wrap() {
        let words: Vec<String> = ["aa", "bb", "cc"].map(str::to_owned).to_vec();
        assert_eq!(wrapped(&words, "  ", 7), "  aa bb\n  cc");
    }
}
