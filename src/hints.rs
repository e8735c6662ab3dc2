//! Completion and explanation of words in a definition that is being written: for editors. Nothing here
//! knows a protocol or a screen.
//!
//! The text may be wrong anywhere, since somebody is typing: it is read line by line and not parsed. A line with a
//! header names the table of the lines below; a word in quotes belongs to a rule, one outside is a key.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::definition::{KeyDoc, schema};
use crate::semantics::builtins;

/// A word that fits, or that stands there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hint {
    /// The word.
    pub label: String,
    /// Its sort: `key`, `table`, `built-in`, or the table that names it, as `decisions`.
    pub kind: &'static str,
    /// Its types or its contents; the line that names it.
    pub detail: String,
    /// One sentence.
    pub says: String,
}

/// Tables whose keys are names that rules use.
const NAMED: &str = "pieces relations traits define effects state decisions options regions directions";

/// Where a place is.
struct Spot<'t> {
    /// The table's path.
    table: Vec<&'t str>,
    /// The text on the line before the word.
    before: &'t str,
    /// Whether it is inside quotes.
    quoted: bool,
    /// The word that begins before the place and ends after it.
    word: (usize, usize),
}

impl<'t> Spot<'t> {
    /// The table's path with the parts of a dotted key before the word.
    fn path(&self) -> Vec<&'t str> {
        self.table.iter().copied().chain(parts(self.before)).collect()
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

fn spot(text: &str, at: usize) -> Spot<'_> {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let mut table = Vec::new();
    let mut long = false;
    for line in text[..start].lines() {
        if !long && let Some(path) = header(line) {
            table = path;
        }
        // A long string begins and ends with three quotes.
        long ^= line.matches("\"\"\"").count() % 2 == 1 || line.matches("'''").count() % 2 == 1;
    }
    let line = &text[start..at];
    let quotes = line.matches("\"\"\"").count();
    let single = line.replace("\"\"\"", "").matches(['"']).count();
    let quoted = (long ^ (quotes % 2 == 1)) || (!long && single % 2 == 1);
    let from = text[..at]
        .rfind(|c| !is_word(c))
        .map_or(0, |i| i + text[i..].chars().next().map_or(1, char::len_utf8));
    let to = text[at..].find(|c| !is_word(c)).map_or(text.len(), |i| at + i);
    Spot { table, before: &text[start..from.max(start)], quoted, word: (from, to) }
}

/// The parts of a path that is being written.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('.').map(str::trim).filter(|part| !part.is_empty())
}

/// The path of a header.
fn header(line: &str) -> Option<Vec<&str>> {
    let inside = line.trim().strip_prefix('[')?;
    let inside = inside.strip_prefix('[').unwrap_or(inside);
    let inside = inside.split(']').next()?;
    Some(inside.split('.').map(|part| part.trim().trim_matches('"')).collect())
}

/// Whether a path of the schema is under another one, `*` standing for any name; the rest of it.
fn under<'s>(path: &'s str, table: &[&str]) -> Option<Vec<&'s str>> {
    let path: Vec<&str> = path.split('.').collect();
    let fits = path.len() > table.len() && path.iter().zip(table).all(|(a, b)| *a == "*" || a == b);
    fits.then(|| path[table.len()..].to_vec())
}

fn key(label: &str, row: &KeyDoc) -> Hint {
    Hint { label: label.to_owned(), kind: "key", detail: row.holds.describe(), says: row.doc.to_owned() }
}

/// The words that fit at a byte of a text, and the byte at which the word begins that they replace.
///
/// ```
/// let text = "[decisions.move]\ncho";
/// let (from, hints) = farrier::hints::complete(text, text.len());
/// assert_eq!(&text[from..], "cho");
/// assert!(hints.iter().any(|hint| hint.label == "choose" && hint.kind == "key"));
/// let text = "[define]\nfree = \"vac\"";
/// let (_, hints) = farrier::hints::complete(text, text.len() - 1);
/// assert!(hints.iter().any(|hint| hint.label == "vacant" && hint.kind == "built-in"));
/// assert!(hints.iter().any(|hint| hint.label == "free" && hint.kind == "define"));
/// ```
pub fn complete(text: &str, at: usize) -> (usize, Vec<Hint>) {
    let place = spot(text, at);
    let mut out: Vec<Hint> = Vec::new();
    if place.quoted {
        out = names(text);
        // A name of one's own hides a built-in.
        let own: BTreeSet<String> = out.iter().map(|hint| hint.label.clone()).collect();
        out.extend(builtins::TABLE.iter().filter(|row| !own.contains(row.name)).map(built_in));
        return (place.word.0, out);
    }
    let opening = place.before.trim_start();
    let header = opening.strip_prefix("[[").or(opening.strip_prefix('['));
    if header.is_none() && place.before.contains('=') {
        return (place.word.0, out);
    }
    let table = header.map_or_else(|| place.path(), |path| parts(path).collect());
    for row in schema() {
        let Some(rest) = under(row.path, &table) else { continue };
        if rest[0] == "*" || out.iter().any(|hint| hint.label == rest[0]) {
            continue;
        }
        let label = rest[0].to_owned();
        match header {
            None => out.push(key(rest[0], row)),
            Some(_) if rest.len() > 1 => {
                out.push(Hint { label, kind: "table", detail: "a table".to_owned(), says: String::new() });
            }
            Some(_) => {}
        }
    }
    (place.word.0, out)
}

fn built_in(row: &builtins::Row) -> Hint {
    Hint { label: row.name.to_owned(), kind: "built-in", detail: row.signature(), says: row.doc.to_owned() }
}

/// The names that a definition gives, each with the line that gives it.
fn names(text: &str) -> Vec<Hint> {
    let mut out: Vec<Hint> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut table: Vec<&str> = Vec::new();
    let mut long = false;
    let mut add = |label: &str, kind: &'static str, detail: &str| {
        let label = label.trim().trim_matches('"').split('(').next().unwrap_or("").trim();
        if !label.is_empty() && label.chars().all(is_word) && seen.insert(label.to_owned()) {
            let detail = detail.trim().chars().take(100).collect();
            out.push(Hint { label: label.to_owned(), kind, detail, says: String::new() });
        }
    };
    for line in text.lines() {
        if !long {
            let kind = |table: &[&str]| NAMED.split(' ').find(|name| table.first() == Some(name));
            if let Some(path) = header(line) {
                if let (Some(kind), Some(name)) = (kind(&path), path.get(1)) {
                    add(name, kind, line);
                }
                table = path;
            } else if let (Some(kind), Some((name, _)), 1) = (kind(&table), line.split_once('='), table.len())
            {
                add(name, kind, line);
            }
        }
        long ^= line.matches("\"\"\"").count() % 2 == 1;
    }
    out
}

/// The meaning of the word at a byte of a text; none where nothing is known of it.
///
/// ```
/// let text = "[turn]\nmain = \"move\"";
/// assert_eq!(farrier::hints::explain(text, 8).map(|hint| hint.kind), Some("key"));
/// let text = "x = \"some vacant\"";
/// assert_eq!(farrier::hints::explain(text, 12).map(|hint| hint.label).as_deref(), Some("vacant"));
/// ```
pub fn explain(text: &str, at: usize) -> Option<Hint> {
    let place = spot(text, at);
    let word = text.get(place.word.0..place.word.1)?;
    if word.is_empty() {
        return None;
    }
    if place.quoted {
        let own = names(text).into_iter().find(|hint| hint.label == word);
        return own.or_else(|| builtins::named(word).next().map(built_in));
    }
    let table = place.path();
    let row = schema().iter().find(|row| under(row.path, &table).is_some_and(|rest| rest[0] == word))?;
    Some(key(word, row))
}
