//! One file: its own keys, its overlay, its options and its tests.

use std::sync::Arc;

use super::model::{OptionValue, Text};
use super::overlay::{Flatten, Layer};
use super::schema::{Holds, OWN, Rows};
use super::tree::{Key, Kind, Node};
use super::value::{Held, Value, key_name, wrong_type};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{FileId, Span};
use crate::syntax::ast::Name;

/// The content of one file.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    /// The file.
    pub id: FileId,
    /// As reports call it.
    pub shown: String,
    /// The name or path that it was asked for by.
    pub asked: String,
    /// Its own keys: `name`, `extends`, `for`, `requires` and their like.
    pub own: Row,
    /// Its overlay.
    pub layer: Layer,
    /// Its options, in order.
    pub options: Vec<OptionRow>,
    /// Its tests.
    pub tests: Vec<Row>,
    /// Names in parts that cannot be read, which was reported.
    pub lost: Vec<String>,
}

/// Some keys and their values.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// In the order of the file.
    pub keys: Vec<(Name, Value, Span)>,
    /// The table's place.
    pub span: Span,
}

impl Row {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.find(key).map(|(_, value, _)| value)
    }

    /// Where a key stands.
    pub fn place(&self, key: &str) -> Option<Span> {
        self.find(key).map(|(name, _, _)| name.span)
    }

    /// A key, its value and the value's place.
    pub fn find(&self, key: &str) -> Option<&(Name, Value, Span)> {
        self.keys.iter().find(|(name, _, _)| name.text == key)
    }

    /// The value of a key, if it is of this form.
    pub fn held<T: Held>(&self, key: &str) -> Option<&T> {
        T::of(self.get(key)?)
    }

    /// The string of a key.
    pub fn text(&self, key: &str) -> Option<&Text> {
        self.held(key)
    }

    /// The names of a key.
    pub fn names(&self, key: &str) -> &[Name] {
        self.held::<Vec<Name>>(key).map_or(&[], Vec::as_slice)
    }
}

/// An option as one file declares it, or adds to it.
#[derive(Clone, Debug)]
pub(super) struct OptionRow {
    /// Its name.
    pub name: Name,
    /// `summary`, `values` and their like.
    pub own: Row,
    /// Its overlay if it is on.
    pub layer: Layer,
    /// The overlays of its values.
    pub is: Vec<(OptionValue, Span, Layer)>,
}

/// Keys that belong to an option as such.
const OPTION_OWN: &[&str] = &["summary", "default", "values", "range", "requires", "conflicts", "over"];

/// Reads the tree of a file.
pub(super) fn read(id: FileId, source: Arc<str>, root: &Node, out: &mut Diagnostics) -> File {
    let mut file = File { id, ..File::default() };
    file.own.span.file = id;
    let mut flat = Flatten { source, file: id, out, lost: Vec::new() };
    let rows = Rows::all();
    let mut rest = Vec::new();
    let Kind::Table(entries) = &root.kind else { return file };
    let keys = flat.keys(entries, "", &rows.words(), false);
    for (key, node) in &keys {
        match key.text.as_str() {
            "options" => file.options = options(&mut flat, node),
            "tests" => file.tests = tests(&mut flat, node),
            own if OWN.contains(&own) => {
                let value = flat.own(rows.under(own).and_then(|rows| rows.leaf()), node, own);
                file.own.keys.push((key_name(key), value, node.span));
            }
            _ => rest.push((key, *node)),
        }
    }
    file.layer = flat.layer(&rest, &rows);
    file.lost = std::mem::take(&mut flat.lost);
    if file.own.get("for").is_none() {
        for key in ["requires", "conflicts", "over"] {
            if let Some(place) = file.own.place(key) {
                let message = format!("`{key}` is a key of options and extension files");
                let found = Diagnostic::error("unknown-key", place, message)
                    .help("an extension file says with `for` what it extends");
                flat.out.push(found);
            }
        }
    } else if let Some(place) = file.own.place("extends") {
        let message = "a file has either `extends` or `for`";
        let found = Diagnostic::error("extends", place, message)
            .help("`extends` makes a game of its own, `for` an extension that can be added");
        flat.out.push(found);
    }
    file
}

fn options(flat: &mut Flatten<'_>, node: &Node) -> Vec<OptionRow> {
    let mut found = Vec::new();
    for (key, node) in flat.entries(node, "a table of options").unwrap_or_default() {
        if flat.check(&key.text, key.span, "an option")
            && let Some(inner) = flat.entries(node, "a table")
        {
            found.push(option(flat, key, inner));
        }
    }
    found
}

fn option(flat: &mut Flatten<'_>, name: &Key, entries: &[(Key, Node)]) -> OptionRow {
    let own_rows = Rows::all().under("options").and_then(|rows| rows.under(&name.text));
    let rows = Rows::overlay();
    let mut own = Row { keys: Vec::new(), span: name.span };
    let (mut rest, mut is) = (Vec::new(), Vec::new());
    let path = format!("options.{}", name.text);
    let words = [OPTION_OWN, &["drop", "is"], &rows.words()].concat();
    let keys = flat.keys(entries, &path, &words, false);
    for (key, node) in &keys {
        match key.text.as_str() {
            "is" => is = values(flat, name, node),
            word if OPTION_OWN.contains(&word) => {
                let row = own_rows.as_ref().and_then(|rows| rows.under(word)?.leaf());
                let value = flat.own(row, node, &format!("{path}.{word}"));
                own.keys.push((key_name(key), value, node.span));
            }
            _ => rest.push((key, *node)),
        }
    }
    OptionRow { name: key_name(name), own, layer: flat.layer(&rest, &rows), is }
}

/// `[options.O.is.VALUE]`.
fn values(flat: &mut Flatten<'_>, name: &Key, node: &Node) -> Vec<(OptionValue, Span, Layer)> {
    let rows = Rows::overlay();
    let mut found = Vec::new();
    for (key, node) in flat.entries(node, "a table with an overlay for each value").unwrap_or_default() {
        let Some(inner) = flat.entries(node, &Holds::Overlay.describe()) else { continue };
        let words = [&rows.words()[..], &["drop"]].concat();
        let above = format!("options.{}.is.{}", name.text, key.text);
        let keys = flat.keys(inner, &above, &words, false);
        let entries: Vec<(&Key, &Node)> = keys.iter().map(|(key, node)| (key, *node)).collect();
        let layer = flat.layer(&entries, &rows);
        let value = match key.text.as_str() {
            "true" => OptionValue::Flag(true),
            "false" => OptionValue::Flag(false),
            text => match text.parse::<i32>() {
                Ok(number) => OptionValue::Number(number),
                Err(_) => OptionValue::Word(text.to_string()),
            },
        };
        found.push((value, key.span, layer));
    }
    found
}

fn tests(flat: &mut Flatten<'_>, node: &Node) -> Vec<Row> {
    let Kind::List(nodes) = &node.kind else {
        flat.out.push(wrong_type(node, "a list of tables (`[[tests]]`)"));
        return Vec::new();
    };
    let Some(rows) = Rows::all().under("tests").and_then(|rows| rows.under("*")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for node in nodes {
        let Some(entries) = flat.entries(node, "a table") else { continue };
        let mut test = Row { keys: Vec::new(), span: node.span };
        for (key, node) in flat.keys(entries, "tests", &rows.words(), false) {
            let row = rows.under(&key.text).and_then(|rows| rows.leaf());
            let value = flat.own(row, node, &format!("tests.{}", key.text));
            test.keys.push((key_name(&key), value, node.span));
        }
        found.push(test);
    }
    found
}
