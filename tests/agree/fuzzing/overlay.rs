//! The tables of options, and what they change.

use std::collections::BTreeSet;

use farrier::semantics::Type;

use super::page::{Page, quoted};
use super::words::{OptionName, Writer};

/// What the tables of overlays can add to.
#[derive(Default)]
pub struct Said {
    /// Paths of expressions, with the type.
    pub exprs: Vec<(String, Type)>,
    /// Paths of effects.
    pub effects: Vec<String>,
    /// Paths of conditions, with the locals that are in sight.
    pub conditions: Vec<String>,
    /// Paths of patterns.
    pub patterns: Vec<String>,
    /// Paths that can be dropped.
    pub drops: Vec<String>,
}

impl Writer {
    /// The tables of the options, with what they change.
    pub fn overlays(&mut self, page: &mut Page, said: &Said, count: usize) {
        let options: Vec<OptionName> = self.names.options.iter().take(count).cloned().collect();
        let mut before: Vec<String> = Vec::new();
        for option in options {
            let (OptionName::Flag(name) | OptionName::Number(name) | OptionName::Words(name, _)) = &option;
            let other = self.dice.any(&before);
            before.push(name.clone());
            match &option {
                OptionName::Flag(name) => {
                    page.table(&format!("options.{name}"));
                    page.text("summary", "on or off");
                    if self.dice.one_in(6) {
                        page.key("default", "true");
                    }
                    if let Some(other) = other {
                        let word = self.dice.of(&["requires", "conflicts", "over", "over", "over"]);
                        page.key(word, &format!("[{}]", quoted(&other)));
                    }
                    self.overlay(page, said);
                }
                OptionName::Number(name) => {
                    page.table(&format!("options.{name}"));
                    page.text("summary", "a number");
                    match self.dice.one_in(2) {
                        true => page.key("values", "[2, 3, 4]"),
                        false => page.key("range", "[2, 4]"),
                    }
                }
                OptionName::Words(name, words) => {
                    page.table(&format!("options.{name}"));
                    page.text("summary", "a word");
                    page.key(
                        "values",
                        &format!("[{}]", words.iter().map(|w| quoted(w)).collect::<Vec<_>>().join(", ")),
                    );
                    page.table(&format!("options.{name}.is.wild"));
                    self.overlay(page, said);
                }
            }
        }
    }

    fn overlay(&mut self, page: &mut Page, said: &Said) {
        let mut keys = BTreeSet::new();
        for _ in 0..1 + self.dice.pick(2) {
            match self.dice.pick(6) {
                0 => {
                    if let Some(path) = self.dice.any(&said.patterns) {
                        let text = self.rule(Writer::pattern).0;
                        page.once(&mut keys, &format!("{path}.or"), &text);
                    }
                }
                1 => {
                    if let Some(path) = self.dice.any(&said.effects) {
                        let word = self.dice.of(&["first", "then"]);
                        let text = self.rule(|w| w.effects(2, 1));
                        page.once(&mut keys, &format!("{path}.{word}"), &text);
                    }
                }
                2 => {
                    if let Some(path) = self.dice.any(&said.conditions) {
                        let word = self.dice.of(&["or", "and"]);
                        let text = self.rule(|w| w.expr(Type::Bool));
                        page.once(&mut keys, &format!("{path}.{word}"), &text);
                    }
                }
                3 => {
                    if let Some((path, ty)) = self.dice.any(&said.exprs) {
                        let word =
                            if ty == Type::Int { "plus" } else { self.dice.of(&["or", "and", "without"]) };
                        self.fixed = path.starts_with("regions");
                        let text = self.rule(|w| w.exactly(ty));
                        self.fixed = false;
                        page.once(&mut keys, &format!("{path}.{word}"), &text);
                    }
                }
                4 => {
                    let word = self.dice.of(&["or", "first", "then"]);
                    let text = self.rule(|w| w.flow(1));
                    page.once(&mut keys, &format!("turn.main.{word}"), &text);
                }
                _ => {
                    if let Some(path) = self.dice.any(&said.drops).filter(|_| keys.insert("drop".to_owned()))
                    {
                        page.key("drop", &format!("[{}]", quoted(&path)));
                    }
                }
            }
        }
    }
}
