//! A variant as one word: a game and the choices of its options.
//!
//! ```text
//! my-game                               the game as it is
//! my-game+swift                         with an option on
//! my-game+swift+bold~timid              some on, one off
//! my-game:size=7                        an option with a value
//! ./my-game.toml+./twist.toml:size=9    paths, of a game and of an extension
//! ```
//!
//! `+` turns an option on or adds an extension file, `~` turns one off, `:NAME=VALUE` gives a value.

use std::str::FromStr;

use crate::definition::Choices;
use crate::diagnostic::Diagnostics;
use crate::game::{Game, LoadError};
use crate::source::{Files, Sources};

/// A game and the choices of its options.
///
/// ```
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let variant: Variant = "knights-and-pawns+switch-move".parse()?;
/// let game = variant.open(&Shipped)?;
/// let changed = game.changed_options();
/// assert_eq!(changed.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["switch-move"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    /// As it was written.
    pub text: String,
    /// A shipped name or a path.
    pub game: String,
    /// The choices.
    pub choices: Choices,
}

/// Why a word is no variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantError {
    /// The mistake, in one sentence.
    pub message: String,
}

impl std::fmt::Display for VariantError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for VariantError {}

impl Variant {
    /// Reads a variant.
    ///
    /// Names hold neither `+`, `~` nor `:`; a path may, up to its `.toml`.
    pub fn parse(text: &str) -> Result<Variant, VariantError> {
        let wrong = |message: &str| VariantError { message: format!("`{text}` is no variant: {message}") };
        let (game, mut rest) = split(text);
        if game.is_empty() {
            return Err(wrong("it begins with the name of a game or the path of a definition"));
        }
        let mut choices = Choices::default();
        while let Some(mark) = rest.chars().next() {
            let (word, more) = split(&rest[1..]);
            rest = more;
            if word.is_empty() {
                return Err(wrong(&format!("nothing follows `{mark}`")));
            }
            match (mark, word.split_once('=')) {
                ('+', None) => choices.with.push(word.to_owned()),
                ('~', None) => choices.without.push(word.to_owned()),
                (':' | '+', Some((name, value))) if !name.is_empty() && !value.is_empty() => {
                    choices.set.push((name.to_owned(), value.to_owned()));
                }
                (':', _) => return Err(wrong("an option and its value are written `:NAME=VALUE`")),
                _ => return Err(wrong("an option is written `+NAME`, `~NAME` or `:NAME=VALUE`")),
            }
        }
        Ok(Variant { text: text.to_owned(), game: game.to_owned(), choices })
    }

    /// Loads the game with these choices; see [`Game::open`].
    pub fn open(&self, files: &dyn Files) -> Result<Game, LoadError> {
        Game::open(&self.game, files, &self.choices)
    }

    /// Loads the game with these choices; see [`Game::load`].
    pub fn load(&self, files: &dyn Files, sources: &mut Sources) -> (Option<Game>, Diagnostics) {
        Game::load(&self.game, files, &self.choices, sources)
    }
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(text: &str) -> Result<Variant, VariantError> {
        Variant::parse(text)
    }
}

/// The text up to the next mark, and the rest from it. A path goes up to its `.toml`.
fn split(text: &str) -> (&str, &str) {
    let marks = ['+', '~', ':'];
    let path_end = text
        .match_indices(".toml")
        .map(|(at, ending)| at + ending.len())
        .find(|end| text[*end..].is_empty() || text[*end..].starts_with(marks));
    let end = match (path_end, text.find(['/', '\\'])) {
        // A separator before any mark, or a drive's letter, says that a path begins here.
        (Some(end), Some(slash)) if slash < end && !text[..slash].contains(['+', '~']) => end,
        (Some(end), None) if !text[..end].contains(marks) => end,
        _ => text.find(marks).unwrap_or(text.len()),
    };
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Parts = (String, Vec<String>, Vec<String>, Vec<(String, String)>);

    fn parts(text: &str) -> Parts {
        match Variant::parse(text) {
            Ok(v) => (v.game, v.choices.with, v.choices.without, v.choices.set),
            Err(error) => (error.message, Vec::new(), Vec::new(), Vec::new()),
        }
    }

    fn words(list: &[&str]) -> Vec<String> {
        list.iter().map(|w| (*w).to_owned()).collect()
    }

    #[test]
    fn a_variant_is_one_word() {
        let set = |n: &str, v: &str| vec![(n.to_owned(), v.to_owned())];
        assert_eq!(parts("abc"), ("abc".into(), vec![], vec![], vec![]));
        assert_eq!(parts("a+b+c~d"), ("a".into(), words(&["b", "c"]), words(&["d"]), vec![]));
        assert_eq!(parts("a:base=7"), ("a".into(), vec![], vec![], set("base", "7")));
        assert_eq!(parts("a+base=7"), ("a".into(), vec![], vec![], set("base", "7")));
        assert_eq!(
            parts("./a+b/c~1.toml+./x.toml:n=2"),
            ("./a+b/c~1.toml".into(), words(&["./x.toml"]), vec![], set("n", "2"))
        );
        assert_eq!(parts("C:\\g\\a.toml+b"), ("C:\\g\\a.toml".into(), words(&["b"]), vec![], vec![]));
        assert_eq!(parts("a+./x.toml"), ("a".into(), words(&["./x.toml"]), vec![], vec![]));
        assert_eq!(parts("a.toml+b"), ("a.toml".into(), words(&["b"]), vec![], vec![]));
    }

    #[test]
    fn what_is_no_variant_says_why() {
        for text in ["", "+a", "a+", "a:b", "a:=1", "a~b=1"] {
            assert!(Variant::parse(text).is_err(), "{text}");
        }
    }
}
