//! Numbers and words for people; enums whose variants are words.

/// Declares an enum whose variants are words or marks, and the ways between both.
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $vis enum $name {
            $(#[doc = concat!("`", $word, "`")] $(#[$doc])* $variant,)*
        }

        impl $name {
            /// As it is written.
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// The one that is written so.
            pub fn of(word: &str) -> Option<$name> {
                match word { $($word => Some($name::$variant),)* _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

pub(crate) use words;

/// Whether a text has the form of a name: a letter, letters and digits, then groups of `-` and letters or digits.
pub fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.split('-').all(is_site)
}

/// Whether a text has the form of a site's name: letters and digits.
pub fn is_site(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// `a`, `b` or `c`.
pub fn either(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

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
