//! Numbers and words for people.

/// Digits in groups of three: `4,865,609`.
pub fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A number with its thousands apart.
pub fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// A number of things: `1 game`, `2,000 games`, `2 plies`.
pub fn many(n: u64, one: &str) -> String {
    match (n, one.strip_suffix("ly")) {
        (1, _) => format!("1 {one}"),
        (_, Some(stem)) => format!("{} {stem}lies", count(n)),
        (_, None) => format!("{} {one}s", count(n)),
    }
}

/// Each thing once, in the order in which they come first.
pub fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut out = Vec::new();
    for one in all {
        if !out.contains(&one) {
            out.push(one);
        }
    }
    out
}

/// With a capital at the beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().collect::<String>());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_things_counted() {
        assert_eq!(
            ["1", "999", "1,000", "4,865,609"],
            [1, 999, 1000, 4_865_609].map(count).each_ref().map(String::as_str)
        );
        assert_eq!(
            ["1 ply", "2 plies", "1,000 games"],
            [many(1, "ply"), many(2, "ply"), many(1000, "game")].each_ref().map(String::as_str)
        );
    }
}
