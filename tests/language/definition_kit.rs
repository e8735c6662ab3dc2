//! A small definition, and ways to load it with more text and with options.
#![allow(dead_code, reason = "each test file uses a part of the kit")]
#![allow(missing_docs, reason = "a test kit")]

use farrier::definition::{Choices, Define, Definition, PerPlayer, load};
use farrier::diagnostic::{Diagnostic, Diagnostics};
use farrier::source::{MemoryFiles, Sources};

pub const BASE: &str = r#"
name = "Base"
players = ["white", "black"]
[board]
square = [4, 4]
[pieces]
rook = { letter = "r", goes = "slide orthogonal", heavy = true, value = 5 }
pawn = { letter = "p", stack = 2, goes = "step forward", becomes = "rook" }
[relations]
around = "step any"
[define]
"targets(x)" = "goes(x) & vacant"
starts = { white = "row(1)", black = "row(4)" }
open = "vacant"
[state]
quiet = { type = "int", per = "player", start = 3, lasts = 0, identity = false }
[decisions.move]
choose = "x in own, y in targets(x)"
where = "some own"
do = "move x -> y"
text = "{x}{y:02}"
[turn]
main = "move"
opening = ["move"]
[end.gone]
when = "no own"
result = "mover loses"
"#;

pub const VALUES: &str = r#"
[options.size]
summary = "How large"
values = [4, 5]
[options.style]
values = ["slow", "fast"]
default = "fast"
[options.style.is.slow]
decisions.move.where.and = "some enemy"
[options.deep]
range = [2, 9]
default = 3
[options.flag]
[match]
target = 3
points = "1"
alternate = "style"
"#;

pub fn files(list: &[(&str, &str)]) -> MemoryFiles {
    let entries = list.iter().map(|(n, t)| (n.to_string(), t.to_string()));
    MemoryFiles(entries.collect())
}

pub fn with(names: &[&str]) -> Choices {
    Choices { with: names.iter().map(|n| n.to_string()).collect(), ..Choices::default() }
}

pub fn set(name: &str, value: &str) -> Choices {
    Choices { set: vec![(name.to_string(), value.to_string())], ..Choices::default() }
}

pub fn loaded(
    list: &[(&str, &str)],
    name: &str,
    choices: &Choices,
) -> (Option<Definition>, Diagnostics, Sources) {
    let mut sources = Sources::default();
    let (definition, found) = load(name, &files(list), choices, &mut sources);
    (definition, found, sources)
}

pub fn good(list: &[(&str, &str)], name: &str, choices: &Choices) -> Definition {
    let (definition, found, _) = loaded(list, name, choices);
    assert!(found.is_empty(), "{found:#?}");
    definition.expect("a definition")
}

/// `BASE` with more text after it.
pub fn base(more: &str, choices: &Choices) -> Definition {
    good(&[("base", &format!("{BASE}{more}"))], "base", choices)
}

/// Each finding as `code @ text under the first label: message`.
pub fn reports(list: &[(&str, &str)], name: &str, choices: &Choices) -> Vec<String> {
    let (_, found, sources) = loaded(list, name, choices);
    let show = |d: &Diagnostic| {
        let place = match d.labels.first() {
            Some(label) => sources.slice(label.span),
            None => "",
        };
        format!("{} @ {place}: {}", d.code, d.message)
    };
    found.0.iter().map(show).collect()
}

pub fn wrong(more: &str, choices: &Choices) -> Vec<String> {
    reports(&[("base", &format!("{BASE}{more}"))], "base", choices)
}

pub fn only(more: &str, choices: &Choices, expected: &str) {
    let found = wrong(more, choices);
    assert_eq!(found, [expected], "of {more}");
}

pub fn define<'a>(definition: &'a Definition, name: &str) -> &'a Define {
    let found = definition.defines.iter().find(|d| d.name.text == name);
    found.expect("a definition of that name")
}

pub fn body(definition: &Definition, name: &str) -> String {
    match &define(definition, name).body {
        PerPlayer::All(rule) => rule.tree.to_string(),
        PerPlayer::Each(rules) => {
            let texts: Vec<String> = rules.iter().map(|r| r.tree.to_string()).collect();
            texts.join(" / ")
        }
    }
}

pub fn main_flow(definition: &Definition) -> String {
    definition.turn.main.as_ref().expect("main").tree.to_string()
}
