//! Writes a shipped game anew so that nothing looks alike and all means the same: one dotted key a line,
//! in the reverse order where order has no meaning, all strings in other quotes, blanks and comments in
//! rules, brackets around conditions, every local under another name.

use std::collections::BTreeSet;
use std::fmt::Write;

use farrier::shipped::Shipped;
use farrier::source::Files;
use toml::de::{DeTable, DeValue};

/// The copy of a shipped game.
pub fn reformat(name: &str) -> String {
    let text = Shipped.read(name).unwrap();
    let mut locals = BTreeSet::new();
    let mut from = text.clone();
    // What a child says uses the locals of its parent.
    loop {
        let rows = rows(&from);
        rows.iter().for_each(|(path, value)| bound(path, value, &mut locals));
        let parent = rows.iter().find(|(path, _)| path.join(".") == "extends");
        let Some((_, Value::Text(parent))) = parent else { break };
        from = Shipped.read(parent).unwrap();
    }
    let (mut fixed, mut free) = (Vec::new(), Vec::new());
    for (path, value) in rows(&text) {
        // The order of ends, options, labels and letters has a meaning.
        let first = path[0].as_str();
        let ordered = ["end", "options", "board", "position"].contains(&first) || path.len() == 1;
        let line = line(&path, &value, &locals);
        if ordered { fixed.push(line) } else { free.push(line) }
    }
    free.reverse();
    fixed.extend(free);
    fixed.join("\n# another line\n") + "\n"
}

enum Value {
    Text(String),
    Other(String),
}

/// All keys but those of tests, in the order of the file.
fn rows(text: &str) -> Vec<(Vec<String>, Value)> {
    fn walk(table: &DeTable<'_>, path: &mut Vec<String>, out: &mut Vec<(usize, Vec<String>, Value)>) {
        for (key, value) in table.iter() {
            path.push(key.get_ref().to_string());
            match value.get_ref() {
                DeValue::Table(inner) => walk(inner, path, out),
                _ if path[0] == "tests" => {}
                DeValue::String(text) => {
                    out.push((value.span().start, path.clone(), Value::Text(text.to_string())));
                }
                other => out.push((value.span().start, path.clone(), Value::Other(print(other)))),
            }
            path.pop();
        }
    }
    let table = DeTable::parse(text).unwrap();
    let mut out = Vec::new();
    walk(table.get_ref(), &mut Vec::new(), &mut out);
    out.sort_by_key(|(at, ..)| *at);
    out.into_iter().map(|(_, path, value)| (path, value)).collect()
}

fn print(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => quoted(text),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Array(list) => {
            let inner: Vec<String> = list.iter().map(|v| print(v.get_ref())).collect();
            format!("[\n  {},\n]", inner.join(" ,\n  "))
        }
        _ => panic!("no game says that"),
    }
}

/// A string with every fifth letter escaped.
fn quoted(text: &str) -> String {
    let mut out = "\"".to_owned();
    for (i, c) in text.chars().enumerate() {
        match c {
            '"' | '\\' => write!(out, "\\{c}").unwrap(),
            '\n' => out += "\\n",
            c if i % 5 == 2 => write!(out, "\\u{:04x}", c as u32).unwrap(),
            c => out.push(c),
        }
    }
    out + "\""
}

/// The key below options and their values, without a joining word.
fn inner(path: &[String]) -> Vec<&str> {
    let mut path: Vec<&str> = path.iter().map(String::as_str).collect();
    if path[0] == "options" {
        path.drain(..2);
        if path[0] == "is" {
            path.drain(..2);
        }
    }
    let joins = ["or", "and", "plus", "without", "first", "then"];
    if path.last().is_some_and(|word| joins.contains(word)) {
        path.pop();
    }
    path
}

fn is_rule(path: &[String]) -> bool {
    match inner(path)[..] {
        ["define" | "regions" | "relations" | "effects" | "flow", ..] => true,
        ["decisions", _, "when" | "choose" | "where" | "do" | "keeps" | "weight" | "let", ..] => true,
        ["turn", ..] | ["score", "value"] | ["match", "points"] | ["setup", "do"] | ["position", "tidy"] => {
            true
        }
        ["end", _, "when" | "result"] | ["state", _, "start", ..] => true,
        ["pieces", _, key] => key != "letter",
        _ => false,
    }
}

fn is_expr(path: &[String]) -> bool {
    matches!(
        inner(path)[..],
        ["define" | "regions", ..]
            | ["decisions", _, "when" | "where" | "keeps" | "let", ..]
            | ["end", _, "when"]
    )
}

/// The words of a rule and what stands between.
fn words(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = match (c, rest.find('\n')) {
            ('#', end) => end.unwrap_or(rest.len()),
            (c, _) if c.is_ascii_alphabetic() => {
                let letter = |c: char| c.is_ascii_alphanumeric() || c == '-';
                let end = rest.find(|c| !letter(c)).unwrap_or(rest.len());
                rest[..end].trim_end_matches('-').len()
            }
            (c, _) => c.len_utf8(),
        };
        out.push(&rest[..end]);
        rest = &rest[end..];
    }
    out
}

/// Finds the names that a key or its rule binds.
fn bound(path: &[String], value: &Value, locals: &mut BTreeSet<String>) {
    let key = inner(path);
    if let ["define" | "regions" | "effects", head, ..] = key[..]
        && let Some((_, params)) = head.trim_end_matches(')').split_once('(')
    {
        locals.extend(params.split(',').map(|p| p.split(':').next().unwrap().trim().to_owned()));
    }
    if let ["decisions", _, "let", name] = key[..] {
        locals.insert(name.to_owned());
    }
    let Value::Text(text) = value else { return };
    if !is_rule(path) {
        return;
    }
    let words: Vec<&str> = words(text).into_iter().filter(|w| !w.trim().is_empty()).collect();
    let chosen = matches!(key[..], ["decisions", _, "choose"]);
    for (i, word) in words.iter().enumerate() {
        let name = |at: usize| words.get(at).filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic()));
        let is = |at: usize, word: &str| words.get(at) == Some(&word);
        let binds = match *word {
            "some" | "no" | "every" | "count" | "sum" | "union" | "for" | "{" => is(i + 2, "in"),
            "let" => is(i + 2, "="),
            _ => false,
        };
        if binds && let Some(name) = name(i + 1) {
            locals.insert((*name).to_owned());
        }
        let begins = chosen && (i == 0 || words[i - 1] == ",");
        if begins && (is(i + 1, "in") || is(i + 1, "?") && is(i + 2, "in")) {
            locals.insert((*word).to_owned());
        }
    }
}

fn renamed(text: &str, locals: &BTreeSet<String>) -> String {
    let other = |word: &str| if locals.contains(word) { format!("any-{word}") } else { word.to_owned() };
    words(text).into_iter().map(other).collect()
}

fn line(path: &[String], value: &Value, locals: &BTreeSet<String>) -> String {
    let mut keys: Vec<String> = path.to_vec();
    let key = inner(path);
    let is_let = matches!(key[..], ["decisions", _, "let", _]);
    for word in &mut keys {
        let is_name = is_let && *word == key[3];
        if word.contains('(') || is_name {
            *word = renamed(word, locals);
        }
    }
    let keys: Vec<String> = keys.iter().map(|key| format!("\"{key}\"")).collect();
    let value = match value {
        Value::Other(text) => text.clone(),
        Value::Text(text) if is_rule(path) => {
            let text = renamed(text, locals).replace(' ', " # so it is\n\t ");
            quoted(&if is_expr(path) { format!("( {text} )") } else { text })
        }
        Value::Text(text) if matches!(key[..], ["decisions", _, "text"]) => quoted(&renamed(text, locals)),
        Value::Text(text) => quoted(text),
    };
    format!("{}   = {value}", keys.join(" . "))
}
