//! Which items of two outlines are the same thing: by name, and what was only renamed by meaning.

use std::collections::BTreeMap;

use super::outline::Item;
use super::term::{Class, Env, Label};

/// What can be renamed without a change of meaning, in the order in which it is looked for.
const RENAMED: [Class; 10] = [
    Class::Piece,
    Class::Trait,
    Class::Direction,
    Class::State,
    Class::Relation,
    Class::Definition,
    Class::Effect,
    Class::Decision,
    Class::Flow,
    Class::End,
];

/// A thing that has two names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Renamed {
    /// What it is.
    pub class: Class,
    /// Its name on the left.
    pub left: String,
    /// Its name on the right.
    pub right: String,
}

/// The meaning of an item without its name: its fields, what several of them bind told apart by order.
pub(super) fn meaning(env: &Env<'_>, item: &Item) -> String {
    let mut env = env.clone();
    let lets = item.fields.iter().filter_map(|field| field.local.as_ref());
    // Numbers that no pair of locals has, the same for both sides.
    for (i, (_, id)) in (u32::MAX - 4096..).zip(item.locals.iter().chain(lets)) {
        env.locals.insert(*id, i);
    }
    let mut fields: Vec<String> = Vec::new();
    let mut lets = 0;
    for field in item.fields.iter().filter(|field| !field.note) {
        let id = match field.local {
            Some(_) => {
                lets += 1;
                format!("let {lets}")
            }
            None => field.id.clone(),
        };
        fields.push(format!("{id}={}", env.key(&field.term)));
    }
    fields.sort();
    fields.join(";")
}

/// Where something is used: sections and keys, and how often. Without the names of decisions and the
/// like, which may have been renamed too.
fn uses(items: &[Item], class: Class, name: &str) -> String {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for item in items {
        for field in &item.fields {
            field.term.each(&mut |term| {
                if matches!(&term.label, Label::Ref(c, n) if *c == class && n == name) {
                    let key = if field.local.is_some() { "let" } else { field.key.as_str() };
                    *found.entry(format!("{} {key}", item.section.word())).or_insert(0) += 1;
                }
            });
        }
    }
    format!("{found:?}")
}

/// The meaning of a trait: what each piece has for it.
fn trait_meaning(env: &Env<'_>, items: &[Item], name: &str) -> String {
    let mut found = Vec::new();
    for item in items.iter().filter(|item| item.class == Some(Class::Piece)) {
        for field in item.fields.iter().filter(|field| field.id == name) {
            found.push(format!("{}={}", item.id, env.key(&field.term)));
        }
    }
    found.sort();
    found.join(";")
}

/// The names of one class, in the order of the file.
fn names(items: &[Item], class: Class) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !out.iter().any(|known| known == name) {
            out.push(name.to_owned());
        }
    };
    for item in items {
        if class == Class::Trait && item.class == Some(Class::Piece) {
            let own = item.fields.iter().filter(|field| !["letter", "stack"].contains(&field.id.as_str()));
            own.for_each(|field| add(&field.id));
        } else if item.class == Some(class) {
            add(&item.id);
        }
    }
    out
}

/// Names that only the first has.
fn only(items: &[Item], others: &[Item], class: Class) -> Vec<String> {
    let known = names(others, class);
    names(items, class).into_iter().filter(|name| !known.contains(name)).collect()
}

/// What a thing means; a variable, a piece or a trait means what is done with it, too.
fn fingerprint(items: &[Item], class: Class, name: &str) -> String {
    let env = Env::default();
    let what = match class {
        Class::Trait => trait_meaning(&env, items, name),
        _ => {
            let own = items.iter().find(|item| item.class == Some(class) && item.id == name);
            own.map(|item| meaning(&env, item)).unwrap_or_default()
        }
    };
    match class {
        Class::State | Class::Piece | Class::Trait => what + &uses(items, class, name),
        _ => what,
    }
}

/// Gives what was renamed its left name in the right outline, until nothing more is found. What means
/// the same as several things is left alone.
pub(super) fn rename(left: &[Item], right: &mut [Item]) -> Vec<Renamed> {
    let mut found = Vec::new();
    loop {
        let before = found.len();
        for class in RENAMED {
            let group = |items: &[Item], others: &[Item]| -> BTreeMap<String, Vec<String>> {
                let mut by_meaning: BTreeMap<String, Vec<String>> = BTreeMap::new();
                for name in only(items, others, class) {
                    by_meaning.entry(fingerprint(items, class, &name)).or_default().push(name);
                }
                by_meaning
            };
            let (lefts, rights) = (group(left, right), group(right, left));
            for (meaning, names) in lefts {
                if let ([l], Some([r])) = (&names[..], rights.get(&meaning).map(Vec::as_slice)) {
                    apply(right, class, r, l);
                    found.push(Renamed { class, left: l.clone(), right: r.clone() });
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Takes a thing of the left and one of the right for the same. False if there are no such two.
pub(super) fn map(left: &[Item], right: &mut [Item], from: &str, to: &str) -> Option<Renamed> {
    let class = RENAMED.into_iter().find(|class| {
        let has = |list: Vec<String>, name: &str| list.iter().any(|n| n == name);
        has(only(left, right, *class), from) && has(only(right, left, *class), to)
    })?;
    apply(right, class, to, from);
    Some(Renamed { class, left: from.to_owned(), right: to.to_owned() })
}

/// The names that could be mapped, of one side.
pub(super) fn mappable(items: &[Item], others: &[Item]) -> Vec<String> {
    RENAMED.into_iter().flat_map(|class| only(items, others, class)).collect()
}

fn apply(right: &mut [Item], class: Class, from: &str, to: &str) {
    for item in right {
        if item.class == Some(class) && item.id == from {
            item.id = to.to_owned();
        }
        let by_name = match class {
            Class::Trait => item.class == Some(Class::Piece),
            Class::State => item.path == "position",
            _ => false,
        };
        for field in &mut item.fields {
            if by_name && field.id == from {
                field.id = to.to_owned();
            }
            field.term.rename(class, from, to);
        }
    }
}
