//! The command of an engine: the program that is run, and the options that it is given.
//!
//! ```text
//! stockfish
//! 'my engine' --fast ; UCI_Variant = breakthrough ; Skill Level = 3
//! ```
//!
//! Blanks part words; quotation marks of either kind hold one together. There is no shell: nothing else has a
//! meaning. Behind the command come options of the engine, `NAME=VALUE`, or `NAME` for one that is a button.

use crate::search::AgentError;

/// A command and options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Command {
    /// The program, then its arguments.
    pub words: Vec<String>,
    /// Names and values.
    pub options: Vec<(String, Option<String>)>,
}

/// Takes a text apart.
pub(super) fn parse(text: &str) -> Result<Command, AgentError> {
    let wrong = |message: &str| AgentError {
        message: format!("`{text}` is no command of an engine: {message}"),
        help: "write COMMAND, or COMMAND ; OPTION=VALUE ; OPTION=VALUE".to_owned(),
    };
    let mut parts: Vec<Vec<String>> = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars().filter(|c| *c != '\n' && *c != '\r') {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c == ';' || c.is_whitespace() => {
                if let (Some(word), Some(part)) = (word.take(), parts.last_mut()) {
                    part.push(word);
                }
                if c == ';' {
                    parts.push(Vec::new());
                }
            }
            None => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(wrong("a quotation mark is not closed"));
    }
    if let (Some(word), Some(part)) = (word, parts.last_mut()) {
        part.push(word);
    }
    let mut parts = parts.into_iter();
    let words = parts.next().unwrap_or_default();
    if words.first().is_none_or(String::is_empty) {
        return Err(wrong("the program is missing"));
    }
    let mut options = Vec::new();
    for part in parts.filter(|part| !part.is_empty()) {
        let option = part.join(" ");
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
            None => (option.trim(), None),
        };
        if name.is_empty() {
            return Err(wrong("an option has no name"));
        }
        options.push((name.to_owned(), value));
    }
    Ok(Command { words, options })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_taken_apart() {
        let found = parse("'my engine' --a=b \"\" ; UCI_Elo=1500;Skill Level = 3 ; Clear Hash;").unwrap();
        assert_eq!(found.words, ["my engine", "--a=b", ""]);
        let option = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        let expected =
            [option("UCI_Elo", Some("1500")), option("Skill Level", Some("3")), option("Clear Hash", None)];
        assert_eq!(found.options, expected);
        assert_eq!(parse("a;b\nc").unwrap().options, [option("bc", None)]);
        for wrong in ["", " ", "'a", ";x=1", "a;=1", "''"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
