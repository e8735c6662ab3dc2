//! Mutated definitions: shipped games and those of `tests/definitions` with words, rules, lines and boards
//! replaced, most of them wrong, some of them playable and like nothing that somebody wrote.

use farrier::shipped::Shipped;
use farrier::source::Files;

use super::dice::Dice;
use super::doc::{Doc, entries, is_balanced, is_header, strings, words};
use super::page::quoted;

/// The definitions that are mutated.
pub struct Stock {
    docs: Vec<Doc>,
    /// The names of the first ones, which are shipped.
    shipped: Vec<String>,
}

impl Stock {
    /// All shipped games and all definitions of the tests, without their own tests.
    pub fn new() -> Stock {
        let shipped: Vec<String> = Shipped::list();
        let games = shipped.iter().filter_map(|name| Shipped.read(name).ok());
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/definitions");
        let paths = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut paths: Vec<_> = paths.collect();
        paths.sort();
        let own = paths.into_iter().filter_map(|path| std::fs::read_to_string(path).ok());
        let docs = games.chain(own).map(|text| Doc::read(&text).without("[[tests]]")).collect();
        Stock { docs, shipped }
    }

    /// A mutated definition.
    pub fn mutated(&self, seed: u64) -> String {
        let mut dice = Dice::new(seed);
        let number = dice.pick(self.docs.len());
        let mut doc = self.docs[number].clone();
        let child = self.shipped.get(number).filter(|_| dice.one_in(5)).cloned();
        let donor = &self.docs[dice.pick(self.docs.len())];
        for _ in 0..[1, 1, 1, 2, 3, 5][dice.pick(6)] {
            if let Some(next) = mutation(&mut dice, &doc, donor) {
                doc = next;
            }
        }
        match child {
            Some(parent) => of_parent(&parent, &doc, &self.docs[number]).write(),
            None => doc.write(),
        }
    }
}

/// A child of a shipped game that says what a mutated one says otherwise.
fn of_parent(parent: &str, doc: &Doc, before: &Doc) -> Doc {
    let mut child = vec!["name = \"A child\"".to_owned(), format!("extends = {}", quoted(parent))];
    for table in doc.tables() {
        let header = &doc.0[table.start];
        let others = doc.0[table.start + 1..table.end].iter().filter(|key| !before.0.contains(key));
        let keys: Vec<String> = others.cloned().collect();
        if !keys.is_empty() {
            child.push(header.clone());
            child.extend(keys);
        }
    }
    Doc(child)
}

/// A statement that is a key of the definition, by number.
fn key(dice: &mut Dice, doc: &Doc) -> Option<usize> {
    let keys: Vec<usize> = (0..doc.0.len()).filter(|i| !is_header(&doc.0[*i])).collect();
    dice.any(&keys)
}

/// A rule string: of which statement, where in it.
fn rule(dice: &mut Dice, doc: &Doc) -> Option<(usize, std::ops::Range<usize>)> {
    let statement = key(dice, doc)?;
    let list = strings(&doc.0[statement]);
    Some((statement, dice.any(&list)?))
}

/// A run of words in which brackets match.
fn run(dice: &mut Dice, text: &str, inside: &std::ops::Range<usize>) -> Option<std::ops::Range<usize>> {
    let list = words(text, inside);
    for _ in 0..20 {
        let first = dice.pick(list.len());
        let size = [1, 1, 2, 3, 4, 6, 9][dice.pick(7)];
        if let Some(run) = list.get(first..first + size)
            && is_balanced(text, run)
        {
            return Some(run[0].start..run[size - 1].end);
        }
    }
    None
}

/// Words that fit in many places.
const WORDS: [&str; 36] = [
    "own",
    "enemy",
    "neutral",
    "vacant",
    "occupied",
    "all",
    "none",
    "edge",
    "corners",
    "centre",
    "mover",
    "opponent",
    "next",
    "true",
    "false",
    "single",
    "double",
    "0",
    "1",
    "-1",
    "2",
    "7",
    "2147483647",
    "ply",
    "round",
    "seen",
    "passes",
    "a1",
    "only(own)",
    "first(vacant)",
    "near(own)",
    "between(own, own)",
    "only(single)",
    "(own | enemy)",
    "not own",
    "row(1)",
];

/// Marks and words that join.
const MARKS: [&[&str]; 6] = [
    &["|", "&", "-", "otherwise"],
    &["=", "!=", "<", "<=", ">", ">="],
    &["and", "or"],
    &["some", "no", "every"],
    &["try", "may", "repeat", "longest"],
    &["+", "-", "*", "/", "%"],
];

fn mutation(dice: &mut Dice, doc: &Doc, donor: &Doc) -> Option<Doc> {
    match dice.pick(14) {
        0..=2 => {
            // A word is replaced by another.
            let (statement, inside) = rule(dice, doc)?;
            let text = &doc.0[statement];
            let list = words(text, &inside);
            let place = dice.any(&list)?;
            let word = &text[place.clone()];
            let by = match MARKS.iter().find(|marks| marks.contains(&word)) {
                Some(marks) => dice.of(marks).to_owned(),
                None if dice.one_in(3) => {
                    let (other, inside) = rule(dice, doc)?;
                    let list = words(&doc.0[other], &inside);
                    doc.0[other][dice.any(&list)?].to_owned()
                }
                None => dice.of(&WORDS).to_owned(),
            };
            Some(doc.with(statement, &place, &by))
        }
        3..=5 => {
            // A part of a rule by a part of another rule, from here or from elsewhere.
            let (statement, inside) = rule(dice, doc)?;
            let place = run(dice, &doc.0[statement], &inside)?;
            let from = if dice.one_in(3) { donor } else { doc };
            let (other, inside) = rule(dice, from)?;
            let text = &from.0[other];
            let by = text[run(dice, text, &inside)?].to_owned();
            let by = if dice.one_in(2) { format!("({by})") } else { by };
            Some(doc.with(statement, &place, &by))
        }
        6 => {
            let (statement, inside) = rule(dice, doc)?;
            let place = run(dice, &doc.0[statement], &inside)?;
            Some(doc.with(statement, &place, ""))
        }
        7 => {
            let mut doc = doc.clone();
            let gone = key(dice, &doc)?;
            doc.0.remove(gone);
            Some(doc)
        }
        8 => {
            let mut doc = doc.clone();
            let (a, b) = (key(dice, &doc)?, key(dice, &doc)?);
            doc.0.swap(a, b);
            Some(doc)
        }
        9 => {
            // A key's value by another key's.
            let (to, from) = (key(dice, doc)?, if dice.one_in(2) { donor } else { doc });
            let other = &from.0[key(dice, from)?];
            let (name, value) = (doc.0[to].split_once('=')?.0, other.split_once('=')?.1);
            let mut next = doc.clone();
            next.0[to] = format!("{name}={value}");
            Some(next)
        }
        10 => {
            let statement = key(dice, doc)?;
            let list = entries(&doc.0[statement]);
            let place = dice.any(&list)?;
            Some(doc.with(statement, &place, ""))
        }
        11 => {
            // A table from elsewhere.
            let tables = donor.tables();
            let table = dice.any(&tables)?;
            let mut doc = doc.clone();
            doc.0.extend_from_slice(&donor.0[table]);
            Some(doc)
        }
        12 => Some(boarded(dice, doc)),
        _ => {
            // The turn goes otherwise.
            let mut doc = doc.clone();
            let main = doc.0.iter_mut().find(|s| s.starts_with("main") && s.contains('='))?;
            let flow = main.split('"').nth(1)?.to_owned();
            let flow = match dice.pick(9) {
                0 => format!("({flow}) by next"),
                1 => format!("try ({flow})"),
                2 => format!("may ({flow})"),
                3 => format!("longest ({flow})"),
                4 => format!("({flow}), try ({flow})"),
                5 => format!("repeat ({flow})"),
                6 => format!("({flow}) by opponent, pass"),
                7 => format!("either ({flow}) or pass"),
                _ => format!("try (({flow}) by opponent), ({flow})"),
            };
            *main = format!("main = {}", quoted(&flow));
            Some(doc)
        }
    }
}

/// The same on another board.
fn boarded(dice: &mut Dice, doc: &Doc) -> Doc {
    let mut doc = doc.without("[board");
    let (a, b) = (dice.between(1, 9), dice.between(1, 14));
    let shape = match dice.pick(6) {
        0 | 1 => format!("square = [{a}, {b}]"),
        2 => format!("hex = [{a}, {b}]"),
        3 => format!("hexhex = {}", dice.between(1, 6)),
        4 => format!("triangle = {}", dice.between(1, 12)),
        _ => format!("square = [{a}, {b}]\nwrap = \"{}\"", dice.of(&["columns", "rows", "both"])),
    };
    doc.0.push(format!("[board]\n{shape}"));
    doc
}
