//! Writes a shipped game anew so that nothing looks alike and all means the same: one dotted key a line,
//! in the reverse order where order has no meaning, all strings in other quotes, blanks and comments in
//! rules, brackets around conditions, every local under another name. Or with all names exchanged.

use std::collections::{BTreeMap, BTreeSet};
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
    // A label of the board stays one where a local elsewhere has its letters.
    let labels = ["n", "e", "s", "w"];
    let is_local = |word: &str| locals.contains(word) && !labels.contains(&word);
    let other = |word: &str| if is_local(word) { format!("any-{word}") } else { word.to_owned() };
    words(text).into_iter().map(other).collect()
}

/// A rule with a comment and a line end at each of its blanks, but those of its own comments.
fn spaced(text: &str) -> String {
    words(text).into_iter().map(|word| if word == " " { " # so it is\n\t " } else { word }).collect()
}

/// A text with the names in its fields renamed; what stands between the fields is no name.
fn fields_renamed(text: &str, locals: &BTreeSet<String>) -> String {
    let parts = text.split_inclusive(['{', '}']);
    parts.map(|part| if part.ends_with('}') { renamed(part, locals) } else { part.to_owned() }).collect()
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
            let text = spaced(&renamed(text, locals));
            quoted(&if is_expr(path) { format!("( {text} )") } else { text })
        }
        Value::Text(text) if matches!(key[..], ["decisions", _, "text" | "joined"]) => {
            quoted(&fields_renamed(text, locals))
        }
        Value::Text(text) => quoted(text),
    };
    format!("{}   = {value}", keys.join(" . "))
}

/// Names and what they become: of things, of decisions and flows, and of ends.
type Names = [BTreeMap<String, String>; 3];

const THING: usize = 0;
const MOVE: usize = 1;
const END: usize = 2;

/// A shipped game and those that it extends, in which the names of what they define are dealt anew among
/// themselves: kinds, traits, relations, regions, definitions, effects, variables and directions in one
/// heap, decisions and flows in another, ends in a third.
pub fn exchanged(name: &str, seed: u64) -> Vec<(String, String)> {
    let mut chain = vec![name.to_owned()];
    let mut files = Vec::new();
    while let Some(name) = chain.pop() {
        let rows = rows(&Shipped.read(&name).unwrap());
        for (path, value) in &rows {
            if let ("extends", Value::Text(parent)) = (path.join(".").as_str(), value) {
                chain.push(parent.clone());
            }
        }
        files.push((name, rows));
    }
    let mut found: [BTreeSet<String>; 3] = Default::default();
    for (path, _) in files.iter().flat_map(|(_, rows)| rows) {
        for (at, heap) in defined(path) {
            found[heap].insert(path[at].split('(').next().unwrap().to_owned());
        }
    }
    let mut state = seed;
    let mut pick = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let names: Names = found.map(|names| {
        let from: Vec<String> = names.into_iter().collect();
        let mut to = from.clone();
        (1..to.len()).rev().for_each(|i| to.swap(i, pick(i + 1)));
        from.into_iter().zip(to).collect()
    });
    let text = |rows: Vec<(Vec<String>, Value)>| {
        rows.iter().map(|(path, value)| row(path, value, &names) + "\n").collect::<String>()
    };
    files.into_iter().map(|(name, rows)| (name, text(rows))).collect()
}

/// The parts of a path that name what is defined there.
fn defined(path: &[String]) -> Vec<(usize, usize)> {
    let key = inner(path);
    let base = path.len() - key.len() - usize::from(inner_cut(path));
    let (first, heap) = match key[..] {
        ["define" | "regions" | "relations" | "effects" | "state" | "directions" | "pieces", _, ..] => {
            (1, THING)
        }
        ["decisions" | "flow", _, ..] => (1, MOVE),
        ["end", _, ..] => (1, END),
        _ => return Vec::new(),
    };
    let mut out = vec![(base + first, heap)];
    if let ["pieces", _, key, ..] = key[..]
        && !["letter", "stack"].contains(&key)
    {
        out.push((base + 2, THING));
    }
    out
}

/// Whether a joining word stands at the end of a path.
fn inner_cut(path: &[String]) -> bool {
    path.last().is_some_and(|last| inner(path).last().is_some_and(|other| other != last))
}

fn row(path: &[String], value: &Value, names: &Names) -> String {
    let key = inner(path);
    let keys: Vec<String> = path_renamed(path, names).iter().map(|key| format!("\"{key}\"")).collect();
    let value = match value {
        Value::Other(text) if is_flow(&key) || path.last().is_some_and(|key| key == "drop") => {
            let list: toml::Table = format!("list = {text}").parse().unwrap();
            let one = |text: &toml::Value| {
                let text = text.as_str().unwrap();
                let path: Vec<String> = text.split('.').map(str::to_owned).collect();
                quoted(&match is_flow(&key) {
                    true => rule_renamed(text, true, names),
                    false => path_renamed(&path, names).join("."),
                })
            };
            let list: Vec<String> = list["list"].as_array().unwrap().iter().map(one).collect();
            format!("[{}]", list.join(", "))
        }
        Value::Other(text) => text.clone(),
        Value::Text(text) if is_rule(path) => quoted(&rule_renamed(text, is_flow(&key), names)),
        // A direction may be made of others that have names.
        Value::Text(text) if key[0] == "directions" => quoted(&rule_renamed(text, false, names)),
        Value::Text(text) if matches!(key[..], ["position" | "setup", "text"]) => {
            let field = |part: &str| match part.split_once(['}', ':']) {
                Some((name, _)) => {
                    names[THING].get(name).map_or(name.to_owned(), String::clone) + &part[name.len()..]
                }
                None => part.to_owned(),
            };
            quoted(&text.split('{').map(field).collect::<Vec<_>>().join("{"))
        }
        Value::Text(text) => quoted(text),
    };
    format!("{} = {value}", keys.join("."))
}

fn is_flow(key: &[&str]) -> bool {
    matches!(key, ["flow", ..] | ["turn", "main" | "opening", ..])
}

fn path_renamed(path: &[String], names: &Names) -> Vec<String> {
    let mut out = path.to_vec();
    let mut parts = defined(path);
    if let ["position", variable, ..] = inner(path)[..]
        && names[THING].contains_key(variable)
    {
        parts.push((path.iter().position(|key| key == variable).unwrap(), THING));
    }
    for (at, heap) in parts {
        let name = out[at].split('(').next().unwrap().to_owned();
        let new = names[heap].get(&name).cloned().unwrap_or(name.clone());
        out[at] = new + &out[at][name.len()..];
    }
    out
}

/// A rule with other names. In a flow they are decisions and flows, but for conditions and players.
fn rule_renamed(text: &str, flow: bool, names: &Names) -> String {
    let all = words(text);
    let solid: Vec<usize> = (0..all.len()).filter(|i| !all[*i].trim().is_empty()).collect();
    let mut out: Vec<String> = all.iter().map(|word| (*word).to_owned()).collect();
    // The depth of brackets at which a condition began, and whether it is one thing in brackets.
    let mut test: Option<usize> = None;
    let mut depth: usize = 0;
    for (at, i) in solid.iter().enumerate() {
        let before = |n: usize| at.checked_sub(n).map_or("", |at| all[solid[at]]);
        let word = all[*i];
        depth -= usize::from(word == ")");
        if test.is_some_and(|begun| depth < begun || depth == begun && [",", "or"].contains(&word)) {
            test = None;
        }
        let heap = match before(2) == "can" && before(1) == "(" || flow && test.is_none() && before(1) != "by"
        {
            true => MOVE,
            false => THING,
        };
        // `leap 1,2` is a word of patterns.
        let digit =
            |at: usize| all.get(at).is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let pattern = word == "leap" && solid.get(at + 1).is_some_and(|next| digit(*next));
        if let Some(new) = names[heap].get(word).filter(|_| !pattern) {
            out[*i].clone_from(new);
        }
        if flow && word == "if" {
            test = Some(depth);
        }
        depth += usize::from(word == "(");
    }
    out.concat()
}
