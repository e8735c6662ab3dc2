//! One overlay: the keys that a file, an option or an extension sets, joins and drops.

use std::fmt::Display;
use std::sync::Arc;

use super::model::{Param, Text};
use super::names;
use super::schema::{Holds, Join, KeyDoc, Rows};
use super::tree::{Key, Kind, Node};
use super::value::{Value, Values, wrong_type};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::source::{FileId, Span};
use crate::syntax::parse;
use crate::syntax::text::RuleText;
use crate::wording::either;

/// One key that an overlay sets or joins.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The path; a head with parameters is its bare name.
    pub path: Vec<Key>,
    /// The parameters, if the key was a head that has them.
    pub params: Option<Vec<Param>>,
    /// How it joins; none if it replaces.
    pub join: Option<Join>,
    /// Its value.
    pub value: Value,
    /// Where the value stands.
    pub span: Span,
    /// Its value as a text, to tell whether two values are the same.
    pub print: String,
}

impl Entry {
    /// The path as it is written.
    pub fn path_text(&self) -> String {
        path_text(&self.path)
    }

    /// Whether it lies at or under a path.
    pub fn under(&self, path: &[String]) -> bool {
        self.path.len() >= path.len() && self.path.iter().zip(path).all(|(a, b)| a.text == *b)
    }
}

/// `decisions.move.where`.
pub(super) fn path_text(path: &[Key]) -> String {
    let words: Vec<&str> = path.iter().map(|key| key.text.as_str()).collect();
    words.join(".")
}

/// A path that is taken out.
#[derive(Clone, Debug)]
pub(super) struct Drop {
    /// Its words.
    pub path: Vec<String>,
    /// Where it is said.
    pub span: Span,
}

/// The content of one overlay.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// In the order of the file.
    pub entries: Vec<Entry>,
    /// The paths that it takes out.
    pub drops: Vec<Drop>,
}

/// Reads the overlays of one file.
pub(super) struct Flatten<'a> {
    /// The file's text.
    pub source: Arc<str>,
    /// The file.
    pub file: FileId,
    /// Where mistakes go.
    pub out: &'a mut Diagnostics,
    /// Names in parts of the file that cannot be read.
    pub lost: Vec<String>,
}

impl Flatten<'_> {
    /// The keys of a table: some words, or any name if it is `free`. Any other key is a mistake. A key that is
    /// near one of the words is read as that word, so that its value is known.
    pub fn keys<'n>(
        &mut self,
        entries: &'n [(Key, Node)],
        above: &str,
        words: &[&str],
        free: bool,
    ) -> Vec<(Key, &'n Node)> {
        let mut found: Vec<(Key, &Node)> = Vec::new();
        for (key, node) in entries {
            let mut key = key.clone();
            if !free && !words.contains(&key.text.as_str()) {
                let near = self.unknown(&key, above, words);
                let taken = |near: &String| {
                    let mut others =
                        entries.iter().map(|(key, _)| key).chain(found.iter().map(|(key, _)| key));
                    others.any(|other| other.text == *near)
                };
                match near.filter(|near| !taken(near)) {
                    Some(near) => key.text = near,
                    None => {
                        self.lose(&key, node);
                        continue;
                    }
                }
            }
            found.push((key, node));
        }
        found
    }

    /// The entries of a table; a mistake if it is none.
    pub fn entries<'n>(&mut self, node: &'n Node, expected: &str) -> Option<&'n [(Key, Node)]> {
        match &node.kind {
            Kind::Table(entries) => Some(entries),
            _ => {
                self.out.push(wrong_type(node, expected));
                None
            }
        }
    }

    /// Notes the names that a key which cannot be read would have given: its own, or those of its table.
    fn lose(&mut self, key: &Key, node: &Node) {
        let keys = match &node.kind {
            Kind::Table(entries) => entries.iter().map(|(key, _)| key).collect(),
            _ => Vec::new(),
        };
        let names = keys.into_iter().chain([key]).filter_map(|key| key.text.split('(').next());
        self.lost.extend(names.map(str::to_string));
    }

    /// The keys of a table that is an overlay, or of a row's part of it.
    pub fn layer(&mut self, entries: &[(&Key, &Node)], rows: &Rows) -> Layer {
        let mut layer = Layer::default();
        let (drops, entries): (Vec<_>, Vec<_>) = entries.iter().partition(|(key, _)| key.text == "drop");
        layer.drops = drops.into_iter().flat_map(|(_, node)| self.drops(node)).collect();
        self.table(&entries, rows, &mut Vec::new(), &mut layer.entries);
        self.check_doubles(&layer.entries);
        layer
    }

    /// One value by its row, without a path: of options and tests.
    fn value(&mut self, node: &Node, holds: Holds, join: Option<Join>) -> Value {
        Values { source: Arc::clone(&self.source), file: self.file, out: self.out }.read(node, holds, join)
    }

    /// Paths to be taken out.
    fn drops(&mut self, node: &Node) -> Vec<Drop> {
        let Value::Texts(texts) = self.value(node, Holds::Texts, None) else { return Vec::new() };
        let path = |text: &str| text.split('.').map(|word| word.trim().to_string()).collect();
        let drop = |text: Text| Drop { path: path(&text.text), span: text.span };
        texts.into_iter().map(drop).collect()
    }

    fn table(&mut self, entries: &[(&Key, &Node)], rows: &Rows, path: &mut Vec<Key>, found: &mut Vec<Entry>) {
        for (key, node) in entries {
            let Some(under) = rows.under(&key.text) else { continue };
            let starred = rows.free() && !rows.words().contains(&key.text.as_str());
            let Some((key, params)) = self.name(key, starred, path) else {
                self.lose(key, node);
                continue;
            };
            path.push(key);
            match (under.leaf(), &node.kind) {
                (Some(row), _) => self.leaf(row, node, rows, path, params, found),
                (None, Kind::Table(inner)) => {
                    found.push(Entry {
                        path: path.clone(),
                        params: None,
                        join: None,
                        value: Value::Table,
                        span: node.span,
                        print: String::new(),
                    });
                    let inner = self.keys(inner, &path_text(path), &under.words(), under.free());
                    let inner: Vec<(&Key, &Node)> = inner.iter().map(|(k, n)| (k, *n)).collect();
                    self.table(&inner, &under, path, found);
                }
                (None, _) => {
                    let words = under.words();
                    let expected = match words[..] {
                        [] => "a table".to_string(),
                        _ => format!("a table with {}", list(&words)),
                    };
                    self.out.push(wrong_type(node, &expected));
                }
            }
            path.pop();
        }
    }

    fn leaf(
        &mut self,
        row: &'static KeyDoc,
        node: &Node,
        siblings: &Rows,
        path: &[Key],
        params: Option<Vec<Param>>,
        found: &mut Vec<Entry>,
    ) {
        // A key that is neither a word of the table nor of the right form is a mistyped word.
        if row.path == "position.*" && !matches!(node.kind, Kind::Table(_)) {
            if let Some((key, above)) = path.split_last() {
                self.unknown(key, &path_text(above), &siblings.words());
            }
            return;
        }
        let mut add = |this: &mut Self, join: Option<Join>, node: &Node| {
            let value = this.value(node, row.holds, join);
            found.push(Entry {
                path: path.to_vec(),
                params: params.clone(),
                join,
                value,
                span: node.span,
                print: node.print(),
            });
        };
        let joins = row.joins();
        let joined = match &node.kind {
            Kind::Table(entries) if !joins.is_empty() => {
                entries.iter().any(|(key, _)| Join::of(&key.text).is_some())
            }
            _ => false,
        };
        let Kind::Table(entries) = &node.kind else { return add(self, None, node) };
        if !joined {
            return match joins.is_empty() && self.joined_alone(row, node, &path_text(path)) {
                true => {}
                false => add(self, None, node),
            };
        }
        let words: Vec<&str> = joins.iter().map(|join| join.word()).collect();
        for (key, node) in entries {
            match Join::of(&key.text) {
                Some(join) if joins.contains(&join) => add(self, Some(join), node),
                Some(join) => {
                    let path = path_text(path);
                    let message = format!("`{path}` cannot be joined by `.{}`", join.word());
                    let help = format!("it holds {}, which takes {}", row.holds.describe(), list(&words));
                    let found = Diagnostic::error("wrong-join", key.span, message).help(help);
                    self.out.push(found);
                }
                None => drop(self.unknown(key, &path_text(path), &words)),
            }
        }
    }

    /// Reports `values.then = ...` of a key that has no joins.
    fn joined_alone(&mut self, row: &KeyDoc, node: &Node, path: &str) -> bool {
        let Kind::Table(entries) = &node.kind else { return false };
        let tabular = matches!(row.holds, Holds::Letters | Holds::ValueTable | Holds::Scores);
        let join = entries.iter().find(|(key, _)| Join::of(&key.text).is_some() && !tabular);
        let Some((key, _)) = join else { return false };
        let message = format!("nothing can be added to `{path}`");
        let found = Diagnostic::error("wrong-join", key.span, message)
            .help(format!("it holds {}: set it anew", row.holds.describe()));
        self.out.push(found);
        true
    }

    /// The value of a key that belongs to a file, an option or a test as such.
    pub fn own(&mut self, row: Option<&'static KeyDoc>, node: &Node, path: &str) -> Value {
        match row {
            Some(row) if self.joined_alone(row, node, path) => Value::Broken,
            row => self.value(node, row.map_or(Holds::Text, |row| row.holds), None),
        }
    }

    /// Checks a name that the definition chooses and takes its parameters off.
    fn name(&mut self, key: &Key, starred: bool, path: &[Key]) -> Option<(Key, Option<Vec<Param>>)> {
        if !starred {
            return Some((key.clone(), None));
        }
        let section = path.first().map_or("", |key| key.text.as_str());
        let above: Vec<&str> = path.iter().map(|key| key.text.as_str()).collect();
        // Labels of edges and names of set-ups are free texts; `is.VALUE` is checked by the option.
        if matches!(above[..], ["setup", "named"] | ["board", "graph", "edges"]) {
            return Some((key.clone(), None));
        }
        if matches!(section, "relations" | "define" | "regions" | "effects") && key.text.contains('(') {
            let raw = key.span.start as usize..key.span.end as usize;
            return match parse::params(&RuleText::from_toml(&self.source, self.file, raw)) {
                Ok((name, params)) => {
                    let params: Vec<Param> =
                        params.into_iter().map(|(name, ty)| Param { name, ty }).collect();
                    self.check(&name.text, name.span, "a definition");
                    for (i, param) in params.iter().enumerate() {
                        self.check(&param.name.text, param.name.span, "a parameter");
                        if params[..i].iter().any(|p| p.name.text == param.name.text) {
                            let message = format!("two parameters are called `{}`", param.name.text);
                            let found = Diagnostic::error("double-name", param.name.span, message);
                            self.out.push(found);
                        }
                    }
                    let key = Key { text: name.text, span: name.span };
                    Some((key, Some(params)))
                }
                Err(diagnostic) => {
                    self.out.push(diagnostic);
                    None
                }
            };
        }
        let what = match section {
            "pieces" if path.len() == 1 => "a kind of piece",
            "pieces" => "a trait",
            "decisions" if path.len() > 1 => "a value",
            "decisions" => "a decision",
            "state" | "position" => "a state variable",
            "directions" => "a direction",
            "relations" => "a relation",
            "flow" => "a flow",
            "end" => "an end",
            "effects" => "an effect",
            _ => "a definition",
        };
        let named = self.check(&key.text, key.span, what);
        // A piece is kept whatever it is called: a set-up shows it by its letter.
        (named || what == "a kind of piece").then(|| (key.clone(), None))
    }

    /// Reports a text that cannot be a name.
    pub fn check(&mut self, text: &str, span: Span, what: &str) -> bool {
        names::check(text, span, what).map_err(|mistake| self.out.push(*mistake)).is_ok()
    }

    /// Reports a key that is not in the table; gives the word that it most likely is.
    fn unknown(&mut self, key: &Key, above: &str, words: &[&str]) -> Option<String> {
        let message = match above {
            "" => format!("there is no key `{}`", key.text),
            _ => format!("there is no key `{}` in `{above}`", key.text),
        };
        let found = Diagnostic::error("unknown-key", key.span, message);
        let near = nearest(&key.text, words.iter().copied());
        let found = match near {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None if words.is_empty() => found,
            None => found.help(format!("known here: {}", list(words))),
        };
        self.out.push(found);
        near.map(str::to_string)
    }

    /// `"f(x)"` and `f` in one overlay are one key twice.
    fn check_doubles(&mut self, entries: &[Entry]) {
        let mut seen: std::collections::BTreeMap<(String, Option<Join>), Span> =
            std::collections::BTreeMap::new();
        for entry in entries.iter().filter(|e| e.value != Value::Table) {
            let place = entry.path.last().map(|key| key.span).unwrap_or_default();
            let text = entry.path_text();
            if let Some(first) = seen.insert((text.clone(), entry.join), place) {
                let message = format!("`{text}` is set twice");
                let found =
                    Diagnostic::error("double-name", place, message).and(first, "it is set here already");
                self.out.push(found);
            }
        }
    }
}

/// `a`, `b` or `c`.
pub(super) fn list(words: &[impl Display]) -> String {
    either(&words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>())
}
