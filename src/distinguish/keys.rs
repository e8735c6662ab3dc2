//! A definition as a list of keys, each with its text and its places; what differs between two; and a
//! definition with some keys of another.
//!
//! The text of a key is canonical (printed from the syntax tree), so blanks, comments and the way in which
//! a table is written make no difference. A thing that only one definition has (a decision, a kind, a
//! variable, an end) is one key as a whole.

use std::fmt::Display;

use crate::board::Shape;
use crate::definition::{
    DecisionDef, Definition, EndDef, OptionValue, Part, PerPlayer, PieceDef, PositionDef, Rule, StateDef,
    Template, TemplatePart, TraitValue,
};
use crate::source::Span;
use crate::syntax::ast::Name;

/// A key of a definition.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Key {
    /// Its path: `decisions`, `move`, `where`.
    pub path: Vec<String>,
    /// What it says.
    pub text: String,
    /// The values it is made of; empty where the definition does not know.
    pub parts: Vec<Part>,
}

/// A key that is not the same in two definitions.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Change {
    /// Its path.
    pub path: Vec<String>,
    /// What the first says; none where it has no such key.
    pub a: Option<Key>,
    /// What the second says.
    pub b: Option<Key>,
}

/// The tables whose rows are one key where only one definition has them.
const ITEMS: [&str; 5] = ["pieces", "state", "decisions", "end", "position"];

/// The path of the order of the ends.
const ENDS: [&str; 2] = ["end", ""];

struct Keys(Vec<Key>);

impl Keys {
    fn put(&mut self, path: &[&str], text: String, parts: Vec<Part>) {
        let path = path.iter().map(|p| (*p).to_owned()).collect();
        self.0.push(Key { path, text, parts });
    }

    fn rule<T: Display>(&mut self, path: &[&str], rule: Option<&Rule<T>>) {
        if let Some(rule) = rule {
            self.put(path, rule.tree.to_string(), rule.parts.clone());
        }
    }

    fn each<T: Display>(&mut self, path: &[&str], rules: &PerPlayer<Rule<T>>, head: &str) {
        match rules {
            PerPlayer::All(rule) => self.put(path, format!("{head}{}", rule.tree), rule.parts.clone()),
            PerPlayer::Each(list) => {
                let texts: Vec<String> = list.iter().map(|r| r.tree.to_string()).collect();
                let parts = list.iter().flat_map(|r| r.parts.clone()).collect();
                self.put(path, format!("{head}{}", texts.join(" / ")), parts);
            }
        }
    }
}

/// All keys that mean something for play.
pub(super) fn keys(def: &Definition) -> Vec<Key> {
    let mut out = Keys(Vec::new());
    let names: Vec<&str> = def.players.iter().map(|p| p.text.as_str()).collect();
    out.put(&["players"], names.join(", "), Vec::new());
    board(def, &mut out);
    def.pieces.iter().for_each(|p| piece(p, &mut out));
    for (name, rule) in &def.relations {
        out.rule(&["relations", &name.text], Some(rule));
    }
    for define in &def.defines {
        let table = if define.region { "regions" } else { "define" };
        out.each(&[table, &define.name.text], &define.body, &head(&define.params));
    }
    for effect in &def.effects {
        let text = format!("{}{}", head(&effect.params), effect.body.tree);
        out.put(&["effects", &effect.name.text], text, effect.body.parts.clone());
    }
    def.state.iter().for_each(|s| state(s, &mut out));
    let setup = &def.setup;
    if let Some(picture) = &setup.board {
        let text: Vec<&str> = picture.text().split_whitespace().collect();
        out.put(&["setup", "board"], text.join(" "), Vec::new());
    }
    out.rule(&["setup", "do"], setup.effects.as_ref());
    if let Some(position) = &def.position {
        self::position(position, &mut out);
    }
    def.decisions.iter().for_each(|d| decision(d, &mut out));
    for (name, rule) in &def.flows {
        out.rule(&["flow", &name.text], Some(rule));
    }
    if !def.turn.opening.is_empty() {
        let texts: Vec<String> = def.turn.opening.iter().map(|r| r.tree.to_string()).collect();
        let parts = def.turn.opening.iter().flat_map(|r| r.parts.clone()).collect();
        out.put(&["turn", "opening"], texts.join(" / "), parts);
    }
    out.rule(&["turn", "main"], def.turn.main.as_ref());
    out.rule(&["turn", "finish"], def.turn.finish.as_ref());
    out.rule(&["turn", "skip"], def.turn.skip.as_ref());
    out.rule(&["turn", "stuck"], def.turn.stuck.as_ref());
    for end in &def.ends {
        let n = end.name.text.as_str();
        out.rule(&["end", n, "when"], Some(&end.when));
        out.rule(&["end", n, "result"], Some(&end.result));
        let at = if end.at_turn { "turn" } else { "ply" };
        out.put(&["end", n, "at"], at.to_owned(), Vec::new());
    }
    out.rule(&["score", "value"], def.score.as_ref());
    if let Some(m) = &def.match_ {
        let by = m.alternate.as_ref().map_or("", |n| n.text.as_str());
        let text = format!("target {}, points {}, alternate {by}", m.target, m.points.tree);
        out.put(&["match"], text, m.points.parts.clone());
    }
    for option in &def.options {
        let value = match &option.value {
            OptionValue::Flag(on) => on.to_string(),
            OptionValue::Word(word) => word.clone(),
            OptionValue::Number(n) => n.to_string(),
        };
        out.put(&["options", &option.name.text], value, Vec::new());
    }
    out.0
}

fn head(params: &[crate::definition::Param]) -> String {
    let one = |p: &crate::definition::Param| match &p.ty {
        Some(ty) => format!("{}: {ty}", p.name),
        None => p.name.text.clone(),
    };
    match params {
        [] => String::new(),
        _ => format!("({}) ", params.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

fn board(def: &Definition, out: &mut Keys) {
    let spec = &def.board;
    let (key, text) = match &spec.shape {
        Shape::Square { columns, rows } => ("square", format!("{columns}, {rows}")),
        Shape::HexHex { base } => ("hexhex", base.to_string()),
        Shape::Hex { columns, rows } => ("hex", format!("{columns}, {rows}")),
        Shape::Triangle { base } => ("triangle", base.to_string()),
        Shape::Graph { edges } => ("graph", format!("{edges:?}")),
    };
    out.put(&["board", key], text, Vec::new());
    if !spec.remove.is_empty() {
        out.put(&["board", "remove"], spec.remove.join(" "), Vec::new());
    }
    if spec.wrap_columns || spec.wrap_rows {
        let text = format!("columns {}, rows {}", spec.wrap_columns, spec.wrap_rows);
        out.put(&["board", "wrap"], text, Vec::new());
    }
    for direction in &spec.directions {
        out.put(&["directions", &direction.name], format!("{:?}", direction.table), Vec::new());
    }
}

fn piece(p: &PieceDef, out: &mut Keys) {
    let n = p.name.text.as_str();
    out.put(&["pieces", n, "letter"], p.letter.clone(), Vec::new());
    if p.stack != 1 {
        out.put(&["pieces", n, "stack"], p.stack.to_string(), Vec::new());
    }
    for (name, value) in &p.traits {
        let path = ["pieces", n, name.text.as_str()];
        match value {
            TraitValue::Pattern(rule) => out.rule(&path, Some(rule)),
            TraitValue::Group(on, _) => out.put(&path, on.to_string(), Vec::new()),
            TraitValue::Int(number, _) => out.put(&path, number.to_string(), Vec::new()),
            TraitValue::Kind(kind) => out.put(&path, kind.text.clone(), Vec::new()),
        }
    }
}

fn state(s: &StateDef, out: &mut Keys) {
    let n = s.name.text.as_str();
    out.put(&["state", n, "type"], s.ty.text.clone(), Vec::new());
    if !s.per.is_empty() {
        let per: Vec<&str> = s.per.iter().map(|p| p.text.as_str()).collect();
        out.put(&["state", n, "per"], per.join(", "), Vec::new());
    }
    if let Some(start) = &s.start {
        out.each(&["state", n, "start"], start, "");
    }
    if let Some((low, high, _)) = s.shuffle {
        out.put(&["state", n, "shuffle"], format!("{low}..{high}"), Vec::new());
    }
    if let Some(lasts) = s.lasts {
        out.put(&["state", n, "lasts"], lasts.to_string(), Vec::new());
    }
    if !s.identity {
        out.put(&["state", n, "identity"], "false".to_owned(), Vec::new());
    }
}

fn template(template: &Template) -> String {
    let one = |part: &TemplatePart| match part {
        TemplatePart::Literal(text) => text.clone(),
        TemplatePart::Field { name, width: 0 | 1 } => format!("{{{name}}}"),
        TemplatePart::Field { name, width } => format!("{{{name}:0{width}}}"),
    };
    template.parts.iter().map(one).collect()
}

fn position(p: &PositionDef, out: &mut Keys) {
    if let Some(start) = &p.start {
        out.put(&["position", "start"], start.text.clone(), Vec::new());
    }
    out.rule(&["position", "tidy"], p.tidy.as_ref());
    let spell = |list: &[(Name, String)]| {
        list.iter().map(|(site, letter)| format!("{site} {letter}")).collect::<Vec<_>>().join(", ")
    };
    let spellings: Vec<String> =
        p.spellings.iter().map(|(name, list)| format!("{name}: {}", spell(list))).collect();
    let text = [template(&p.text), p.turn.join(" "), spellings.join("; "), p.empty.text.clone()].join(" | ");
    out.put(&["position", "text"], text, Vec::new());
}

fn decision(d: &DecisionDef, out: &mut Keys) {
    let n = d.name.text.as_str();
    out.rule(&["decisions", n, "when"], d.when.as_ref());
    out.rule(&["decisions", n, "choose"], d.choose.as_ref());
    for (name, rule) in &d.lets {
        out.rule(&["decisions", n, "let", &name.text], Some(rule));
    }
    out.rule(&["decisions", n, "where"], d.where_.as_ref());
    out.rule(&["decisions", n, "do"], d.effects.as_ref());
    out.rule(&["decisions", n, "keeps"], d.keeps.as_ref());
    if let Some(text) = &d.text {
        out.put(&["decisions", n, "text"], template(text), Vec::new());
    }
    if d.chance {
        out.put(&["decisions", n, "by"], "chance".to_owned(), Vec::new());
    }
    out.rule(&["decisions", n, "weight"], d.weight.as_ref());
}

/// The keys whose texts differ.
pub(super) fn changes(a: &Definition, b: &Definition) -> Vec<Change> {
    let (all_a, all_b) = (keys(a), keys(b));
    let (lone_a, lone_b) = (whole(&all_a, &all_b), whole(&all_b, &all_a));
    let mut found: Vec<Change> = Vec::new();
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
        let key = |names: Vec<String>| {
            let text = format!("in the order {}", names.join(", "));
            Some(Key { path: path.clone(), text, parts: Vec::new() })
        };
        found.push(Change { path: path.clone(), a: key(first), b: key(second) });
    }
    found
}

/// The keys, those of a thing that the other definition has not as one.
fn whole(own: &[Key], other: &[Key]) -> Vec<Key> {
    let mut out: Vec<Key> = Vec::new();
    for key in own {
        let depth = if key.path[0] == "position" { 1 } else { 2 };
        let item = &key.path[..depth.min(key.path.len())];
        let lone = ITEMS.contains(&key.path[0].as_str()) && !other.iter().any(|k| k.path.starts_with(item));
        if !lone {
            out.push(key.clone());
            continue;
        }
        let text = format!("{} = {}", key.path[depth..].join("."), key.text);
        match out.iter_mut().find(|k| k.path == item) {
            Some(all) => {
                all.text += "; ";
                all.text += &text;
                all.parts.extend(key.parts.clone());
            }
            None => out.push(Key { path: item.to_vec(), text, parts: key.parts.clone() }),
        }
    }
    out
}

/// Makes a definition say of a key what another one says.
pub(super) fn graft(to: &mut Definition, from: &Definition, path: &[String]) {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    match words[..] {
        ["players"] => {
            to.players.clone_from(&from.players);
            to.board.players = from.board.players;
        }
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
        ["relations", name] => row(&mut to.relations, &from.relations, name, |r| &r.0),
        ["define" | "regions", name] => row(&mut to.defines, &from.defines, name, |d| &d.name),
        ["effects", name] => row(&mut to.effects, &from.effects, name, |e| &e.name),
        ["state", name] => row(&mut to.state, &from.state, name, |s| &s.name),
        ["state", name, key] => {
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
        ["setup", _] => to.setup.effects.clone_from(&from.setup.effects),
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
                ["text"] => to.text.clone_from(&from.text),
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
        ["match"] => to.match_.clone_from(&from.match_),
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

/// The place of the name of what a key is about, where the key itself has none.
pub(super) fn name_span(def: &Definition, path: &[String]) -> Option<Span> {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    let name = match words[..] {
        ["players"] => def.players.first(),
        ["board" | "directions", ..] => return Some(def.board_span),
        ["pieces", name, ..] => def.pieces.iter().map(|p| &p.name).find(|n| n.text == name),
        ["state", name, ..] => def.state.iter().map(|s| &s.name).find(|n| n.text == name),
        ["decisions", name, ..] => def.decisions.iter().map(|d| &d.name).find(|n| n.text == name),
        ["end", name, ..] => def.ends.iter().map(|e| &e.name).find(|n| n.text == name || name.is_empty()),
        ["options", name] => def.options.iter().map(|o| &o.name).find(|n| n.text == name),
        _ => None,
    };
    name.map(|n| n.span)
}
