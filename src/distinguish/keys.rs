//! A definition as a list of keys, made of its [outline](crate::outline): what it says of each, what differs
//! between two, and a definition with some keys of another.
//!
//! The text of a key is canonical (printed from the syntax tree), so blanks, comments and the way in which
//! a table is written make no difference. A thing that only one definition has (a decision, a kind, a
//! variable, an end) is one key as a whole.

use serde::Serialize;

use crate::definition::{Definition, EndDef};
use crate::game::Game;
use crate::outline::{Env, Field, FilePlace, FilePlaces, Item, Section, pair_items, walk};
use crate::syntax::ast::Name;

/// A key that makes a difference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct KeyCause {
    /// Its path: `decisions.move.where`.
    pub key: String,
    /// What the first says, if anything.
    pub a: Option<Said>,
    /// What the second says, if anything.
    pub b: Option<Said>,
}

/// The value of a key in a definition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Said {
    /// In canonical form.
    pub text: String,
    /// Where; the first place is where it begins to differ.
    pub places: Vec<FilePlace>,
}

impl Said {
    /// Puts a place first. Others in its line go.
    pub(super) fn first(&mut self, place: FilePlace) {
        self.places.retain(|other| other.file != place.file || other.line != place.line);
        self.places.insert(0, place);
    }
}

/// A key of a definition: some fields of an item.
#[derive(Clone, Debug)]
pub(super) struct Key<'o> {
    /// Its path: `decisions`, `move`, `where`.
    pub path: Vec<String>,
    /// Its value.
    pub text: String,
    item: &'o Item,
    fields: Vec<&'o Field>,
}

/// A key that is not the same in two definitions.
#[derive(Clone, Debug)]
pub(super) struct Change<'o> {
    /// Its path.
    pub path: Vec<String>,
    a: Option<Key<'o>>,
    b: Option<Key<'o>>,
}

/// The path of the order of the ends.
const ENDS: [&str; 2] = ["end", ""];

/// All keys that mean something for play.
pub(super) fn keys<'o>(game: &Game, items: &'o [Item]) -> Vec<Key<'o>> {
    let mut out: Vec<Key<'o>> = Vec::new();
    // The players are told by their names, not by their number.
    let counts = |item: &&Item| match item.section {
        Section::About => ["players", "teams"].contains(&item.path.as_str()),
        section => section != Section::Players,
    };
    for item in items.iter().filter(counts) {
        for field in item.fields.iter().filter(|field| !field.note && field.key != "perft") {
            let path = match (item.section, field.id.split_once('@')) {
                (Section::Options, _) if field.id != "is" => continue,
                (Section::Options, _) | (_, Some(("", _))) => item.path.clone(),
                _ if field.id == "params" => item.path.clone(),
                // The values of all players are one key.
                (_, Some((key, _))) => format!("{}.{key}", item.path),
                (_, None) => item.path(field),
            };
            let path: Vec<String> = path.split('.').map(str::to_owned).collect();
            let text = match (&path.join(".")[..], &game.definition.setup.board) {
                // The same letters may be other pieces.
                ("setup.board", Some(picture)) => {
                    picture.text().split_whitespace().collect::<Vec<_>>().join(" ")
                }
                _ => field.term.says().to_owned(),
            };
            match out.last_mut().filter(|last| last.path == path) {
                Some(last) => {
                    last.text += if last.fields.iter().any(|f| f.id == "params") { " = " } else { ", " };
                    last.text += &text;
                    last.fields.push(field);
                }
                None => out.push(Key { path, text, item, fields: vec![field] }),
            }
        }
    }
    out
}

impl Key<'_> {
    /// Whether the files say it; else it is a default.
    pub fn is_said(&self) -> bool {
        self.fields.iter().any(|field| !field.parts.is_empty())
    }

    /// Its value in a definition, and the places of that.
    fn said(&self, places: &FilePlaces<'_>) -> Said {
        let mut parts: Vec<_> = self.fields.iter().flat_map(|field| field.parts.clone()).collect();
        if parts.is_empty() {
            parts.push(places.item(self.item));
        }
        let mut said = Said { text: self.text.clone(), places: Vec::new() };
        parts.iter().rev().for_each(|part| said.first(places.place(part)));
        said
    }
}

impl Change<'_> {
    /// The values of the key in both. The first places are where they begin to differ.
    pub fn cause(&self, first: &FilePlaces<'_>, second: &FilePlaces<'_>) -> KeyCause {
        let said = |key: &Option<Key<'_>>, places| key.as_ref().map(|key| key.said(places));
        let (mut a, mut b) = (said(&self.a, first), said(&self.b, second));
        if let (Some(x), Some(y), Some(a), Some(b)) = (&self.a, &self.b, &mut a, &mut b) {
            let mut env = Env::default();
            pair_items(&mut env, x.item, y.item);
            let mut fields = x.fields.iter().zip(&y.fields);
            let found = fields.find_map(|(l, r)| {
                let found = walk(&mut env, &l.term, &r.term).into_iter().next()?;
                Some(((*l, found.left), (*r, found.right)))
            });
            if let Some(((l, left), (r, right))) = found {
                a.first(first.place(&first.spot(x.item, l, left)));
                b.first(second.place(&second.spot(y.item, r, right)));
            }
        }
        let path: Vec<&str> = self.path.iter().filter(|p| !p.is_empty()).map(String::as_str).collect();
        KeyCause { key: path.join("."), a, b }
    }
}

/// The keys that differ.
pub(super) fn changes<'o>(
    (a, all_a): (&Definition, &[Key<'o>]),
    (b, all_b): (&Definition, &[Key<'o>]),
) -> Vec<Change<'o>> {
    let (lone_a, lone_b) = (whole(all_a, all_b), whole(all_b, all_a));
    let mut found: Vec<Change<'o>> = Vec::new();
    for key in &lone_a {
        let other = lone_b.iter().find(|k| k.path == key.path);
        if other.is_none_or(|k| k.text != key.text) {
            found.push(Change { path: key.path.clone(), a: Some(key.clone()), b: other.cloned() });
        }
    }
    for key in lone_b.into_iter().filter(|k| !lone_a.iter().any(|o| o.path == k.path)) {
        found.push(Change { path: key.path.clone(), a: None, b: Some(key) });
    }
    let order = |one: &Definition, other: &Definition| -> Vec<String> {
        let there = |e: &&EndDef| other.ends.iter().any(|o| o.name.text == e.name.text);
        one.ends.iter().filter(there).map(|e| e.name.text.clone()).collect()
    };
    let (first, second) = (order(a, b), order(b, a));
    if first != second {
        let path: Vec<String> = ENDS.map(str::to_owned).to_vec();
        let key = |all: &[Key<'o>], names: Vec<String>| {
            let end = all.iter().find(|key| key.path[0] == ENDS[0])?;
            let text = format!("in the order {}", names.join(", "));
            Some(Key { path: path.clone(), text, item: end.item, fields: Vec::new() })
        };
        found.push(Change { path: path.clone(), a: key(all_a, first), b: key(all_b, second) });
    }
    found
}

/// The keys; those of an item that the other definition does not have are one.
fn whole<'o>(own: &[Key<'o>], other: &[Key<'o>]) -> Vec<Key<'o>> {
    let mut out: Vec<Key<'o>> = Vec::new();
    for key in own {
        if other.iter().any(|k| k.item.path == key.item.path) {
            out.push(key.clone());
            continue;
        }
        let path: Vec<String> = key.item.path.split('.').map(str::to_owned).collect();
        let text = match &key.path[path.len()..] {
            [] => key.text.clone(),
            _ if !key.is_said() => String::new(),
            below => format!("{} = {}", below.join("."), key.text),
        };
        match out.iter_mut().find(|k| k.path == path) {
            Some(all) => {
                all.text += if all.text.is_empty() || text.is_empty() { "" } else { "; " };
                all.text += &text;
                all.fields.extend(&key.fields);
            }
            None => out.push(Key { path, text, ..key.clone() }),
        }
    }
    out
}

/// Copies the value of a key from one definition to another.
pub(super) fn graft(to: &mut Definition, from: &Definition, path: &[String]) {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    match words[..] {
        ["players"] => {
            to.players.clone_from(&from.players);
            to.board.players = from.board.players;
        }
        ["teams"] => to.teams.clone_from(&from.teams),
        ["board" | "directions", ..] => {
            let players = to.board.players;
            to.board = from.board.clone();
            to.board.players = players;
        }
        ["pieces", name] => row(&mut to.pieces, &from.pieces, name, |p| &p.name),
        ["pieces", name, key] => {
            let Some((to, from)) = two(&mut to.pieces, &from.pieces, name, |p| &p.name) else { return };
            match key {
                "letter" => to.letter.clone_from(&from.letter),
                "stack" => to.stack = from.stack,
                _ => row(&mut to.traits, &from.traits, key, |t| &t.0),
            }
        }
        ["relations", name] => row(&mut to.relations, &from.relations, name, |r| &r.name),
        ["define" | "regions", name, ..] => row(&mut to.defines, &from.defines, name, |d| &d.name),
        ["effects", name, ..] => row(&mut to.effects, &from.effects, name, |e| &e.name),
        ["state", name] => row(&mut to.state, &from.state, name, |s| &s.name),
        ["state", name, key, ..] => {
            let Some((to, from)) = two(&mut to.state, &from.state, name, |s| &s.name) else { return };
            match key {
                "type" => to.ty.clone_from(&from.ty),
                "per" => to.per.clone_from(&from.per),
                "start" => to.start.clone_from(&from.start),
                "shuffle" => to.shuffle = from.shuffle,
                "lasts" => to.lasts = from.lasts,
                _ => to.identity = from.identity,
            }
        }
        ["setup", "board"] => to.setup.board.clone_from(&from.setup.board),
        ["setup", "do"] => to.setup.effects.clone_from(&from.setup.effects),
        ["setup", "text"] => to.setup.text.clone_from(&from.setup.text),
        ["setup", ..] => to.setup.named.clone_from(&from.setup.named),
        ["position"] => to.position.clone_from(&from.position),
        ["position", key] => {
            let (Some(to), Some(from)) = (&mut to.position, &from.position) else { return };
            match key {
                "start" => to.start.clone_from(&from.start),
                "tidy" => to.tidy.clone_from(&from.tidy),
                _ => {
                    let old = std::mem::replace(to, from.clone());
                    (to.start, to.tidy) = (old.start, old.tidy);
                }
            }
        }
        ["decisions", name] => row(&mut to.decisions, &from.decisions, name, |d| &d.name),
        ["decisions", name, ref keys @ ..] => {
            let Some((to, from)) = two(&mut to.decisions, &from.decisions, name, |d| &d.name) else { return };
            match *keys {
                ["when"] => to.when.clone_from(&from.when),
                ["choose"] => to.choose.clone_from(&from.choose),
                ["let", name] => row(&mut to.lets, &from.lets, name, |l| &l.0),
                ["where"] => to.where_.clone_from(&from.where_),
                ["do"] => to.effects.clone_from(&from.effects),
                ["keeps"] => to.keeps.clone_from(&from.keeps),
                ["repeats"] => to.repeats = from.repeats,
                ["text"] => to.text.clone_from(&from.text),
                ["joined"] => to.joined.clone_from(&from.joined),
                ["by"] => to.chance = from.chance,
                _ => to.weight.clone_from(&from.weight),
            }
        }
        ["flow", name] => row(&mut to.flows, &from.flows, name, |f| &f.0),
        ["turn", key] => match key {
            "opening" => to.turn.opening.clone_from(&from.turn.opening),
            "main" => to.turn.main.clone_from(&from.turn.main),
            "finish" => to.turn.finish.clone_from(&from.turn.finish),
            "skip" => to.turn.skip.clone_from(&from.turn.skip),
            _ => to.turn.stuck.clone_from(&from.turn.stuck),
        },
        ["end", ""] => {
            let place = |e: &EndDef| from.ends.iter().position(|o| o.name.text == e.name.text);
            to.ends.sort_by_key(|e| place(e).unwrap_or(usize::MAX));
        }
        ["end", name] => row(&mut to.ends, &from.ends, name, |e| &e.name),
        ["end", name, key] => {
            let Some((to, from)) = two(&mut to.ends, &from.ends, name, |e| &e.name) else { return };
            match key {
                "when" => to.when.clone_from(&from.when),
                "result" => to.result.clone_from(&from.result),
                _ => to.at_turn = from.at_turn,
            }
        }
        ["score", _] => to.score.clone_from(&from.score),
        ["match", ..] => to.match_.clone_from(&from.match_),
        ["options", name] => row(&mut to.options, &from.options, name, |o| &o.name),
        _ => {}
    }
}

/// Puts in, replaces or takes out a row; a new one goes behind the row that it follows in `from`.
fn row<T: Clone>(to: &mut Vec<T>, from: &[T], name: &str, of: fn(&T) -> &Name) {
    let at = to.iter().position(|t| of(t).text == name);
    let source = from.iter().position(|t| of(t).text == name);
    match (at, source) {
        (Some(at), Some(source)) => to[at] = from[source].clone(),
        (Some(at), None) => {
            to.remove(at);
        }
        (None, Some(source)) => {
            let before = from[..source].iter().rev();
            let after =
                before.filter_map(|f| to.iter().position(|t| of(t).text == of(f).text)).map(|i| i + 1).next();
            to.insert(after.unwrap_or(0), from[source].clone());
        }
        (None, None) => {}
    }
}

/// A row that both have.
fn two<'t, 'f, T>(
    to: &'t mut [T],
    from: &'f [T],
    name: &str,
    of: fn(&T) -> &Name,
) -> Option<(&'t mut T, &'f T)> {
    Some((to.iter_mut().find(|t| of(t).text == name)?, from.iter().find(|t| of(t).text == name)?))
}
