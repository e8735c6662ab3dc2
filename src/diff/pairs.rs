//! Which things of two outlines are the same under any names.
//!
//! Two ways lead to pairs, and the [report](super::report) takes the one that leaves fewer differences:
//! [by names](by_names), where things with one name are one thing; and [by content](by_content), where names
//! only break ties. In both, a thing that is left over is paired where it means the same as one other thing only.

use std::collections::{BTreeMap, BTreeSet};

use super::colour;
use crate::outline::{Class, Env, Field, Item, Label, hash};

/// The classes that can be renamed without a change of meaning, in the order of the search.
pub(super) const RENAMED: [Class; 10] = [
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

/// Two things that are taken for one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    /// Their class.
    pub class: Class,
    /// The name on the left.
    pub left: String,
    /// The name on the right.
    pub right: String,
}

impl Pair {
    /// A pair.
    pub fn new(class: Class, left: &str, right: &str) -> Pair {
        Pair { class, left: left.to_owned(), right: right.to_owned() }
    }

    /// The name on one side: 0 is the left one.
    pub fn name(&self, side: usize) -> &str {
        if side == 0 { &self.left } else { &self.right }
    }
}

/// Pairs things by their names, and the rest by their meanings.
pub(super) fn by_names(lefts: &[Item], rights: &[Item], known: &[Pair]) -> Vec<Pair> {
    let mut pairs = known.to_vec();
    RENAMED.into_iter().for_each(|class| same_names(lefts, rights, class, &mut pairs));
    same_meanings(lefts, rights, &mut pairs);
    pairs
}

/// Pairs things that are built and used alike, then things that mean the same, and the rest by names.
pub(super) fn by_content(lefts: &[Item], rights: &[Item], known: &[Pair]) -> Vec<Pair> {
    let mut pairs = colour::pairs(lefts, rights, known);
    same_meanings(lefts, rights, &mut pairs);
    for class in RENAMED {
        same_names(lefts, rights, class, &mut pairs);
        exchanged_names(lefts, rights, class, &mut pairs);
        same_meanings(lefts, rights, &mut pairs);
    }
    pairs
}

/// The things that `--map` says are one; none if there are no such two.
pub(super) fn mapped(lefts: &[Item], rights: &[Item], from: &str, to: &str) -> Option<Pair> {
    let both = |class: &Class| names(lefts, *class).contains(&from) && names(rights, *class).contains(&to);
    RENAMED.into_iter().find(both).map(|class| Pair::new(class, from, to))
}

/// The names that could be mapped.
pub(super) fn mappable(items: &[Item]) -> Vec<&str> {
    RENAMED.into_iter().flat_map(|class| names(items, class)).collect()
}

/// The names of one class, in the order of the file.
pub(super) fn names(items: &[Item], class: Class) -> Vec<&str> {
    let mut known = BTreeSet::new();
    let mut out: Vec<&str> = Vec::new();
    for item in items {
        if class == Class::Trait {
            let traits = item.fields.iter().filter(|field| naming(item, field) == Some(class));
            out.extend(traits.map(|field| field.id.as_str()).filter(|name| known.insert(*name)));
        } else if item.class == Some(class) && known.insert(&item.id) {
            out.push(&item.id);
        }
    }
    out
}

/// The class of the name that a field has, where that can be renamed: a trait, or a variable that it spells.
pub(super) fn naming(item: &Item, field: &Field) -> Option<Class> {
    let spelled = matches!(&field.term.label, Label::Form(name) if name == "spelled");
    match item.class {
        Some(Class::Piece) if !["letter", "stack"].contains(&field.id.as_str()) => Some(Class::Trait),
        None if spelled => Some(Class::State),
        _ => None,
    }
}

/// The title of a field without names that can be renamed. The locals of its item are numbered.
pub(super) fn titled(env: &Env<'_>, item: &Item, field: &Field) -> String {
    if let Some((_, id)) = &field.local {
        return format!("let {:?}", env.locals.get(id));
    }
    let colour = naming(item, field).and_then(|class| env.colours.get(&(class, field.id.as_str())));
    colour.map_or_else(|| field.id.clone(), |colour| format!("#{colour:x}"))
}

/// Numbers the locals that fields of an item share, alike for all items that mean the same: choices by
/// their order, values by their meaning.
pub(super) fn number(env: &mut Env<'_>, item: &Item) {
    // No pair of locals has such numbers.
    let free = u32::MAX - 4096..u32::MAX;
    let mut lets: Vec<(u32, &Field)> = Vec::new();
    for field in &item.fields {
        if let Some((_, id)) = &field.local {
            env.locals.insert(*id, u32::MAX);
            lets.push((*id, field));
        }
    }
    for (i, (_, id)) in free.clone().zip(&item.locals) {
        env.locals.insert(*id, i);
    }
    lets.sort_by_cached_key(|(_, field)| env.key(&field.term));
    for (i, (id, _)) in free.skip(item.locals.len()).zip(lets) {
        env.locals.insert(id, i);
    }
}

/// The meaning of an item without its name.
pub(super) fn meaning(env: &Env<'_>, item: &Item) -> String {
    let mut env = env.clone();
    number(&mut env, item);
    let says = |field: &Field| format!("{}={}", titled(&env, item, field), env.key(&field.term));
    let mut fields: Vec<String> = item.fields.iter().filter(|field| !field.note).map(says).collect();
    fields.sort();
    fields.join(";")
}

/// Pairs unpaired things of one name.
fn same_names(lefts: &[Item], rights: &[Item], class: Class, pairs: &mut Vec<Pair>) {
    let others: BTreeSet<&str> = left_over(rights, class, pairs, 1).into_iter().collect();
    let both = left_over(lefts, class, pairs, 0).into_iter().filter(|name| others.contains(name));
    let new: Vec<Pair> = both.map(|name| Pair::new(class, name, name)).collect();
    pairs.extend(new);
}

/// Follows a chain of exchanged names: where `a` is called `b` now, and `b` is called `c`, then `c` is called `a` if
/// nothing better is known of it.
fn exchanged_names(lefts: &[Item], rights: &[Item], class: Class, pairs: &mut Vec<Pair>) {
    let free: BTreeSet<&str> = left_over(rights, class, pairs, 1).into_iter().collect();
    let by_right: BTreeMap<String, String> =
        pairs.iter().filter(|p| p.class == class).map(|p| (p.right.clone(), p.left.clone())).collect();
    for left in left_over(lefts, class, pairs, 0) {
        let mut name = left;
        // Each step goes to another pair: no two have one name on a side.
        while let Some(other) = by_right.get(name) {
            name = other;
        }
        if free.contains(name) {
            pairs.push(Pair::new(class, left, name));
        }
    }
}

/// Pairs unpaired things that mean the same, until nothing more is found. A thing that means the same as several
/// others is left alone.
fn same_meanings(lefts: &[Item], rights: &[Item], pairs: &mut Vec<Pair>) {
    loop {
        let before = pairs.len();
        for class in RENAMED {
            let (left, right) = (left_over(lefts, class, pairs, 0), left_over(rights, class, pairs, 1));
            if left.is_empty() || right.is_empty() {
                continue;
            }
            let (left, right) =
                (meanings(lefts, class, left, pairs, 0), meanings(rights, class, right, pairs, 1));
            for (meaning, names) in left {
                if let ([l], Some([r])) = (&names[..], right.get(&meaning).map(Vec::as_slice)) {
                    pairs.push(Pair::new(class, l, r));
                }
            }
        }
        if pairs.len() == before {
            return;
        }
    }
}

/// The names of a class that are in no pair.
fn left_over<'i>(items: &'i [Item], class: Class, pairs: &[Pair], side: usize) -> Vec<&'i str> {
    let paired: BTreeSet<&str> = pairs.iter().filter(|p| p.class == class).map(|p| p.name(side)).collect();
    names(items, class).into_iter().filter(|name| !paired.contains(name)).collect()
}

/// Names by their meanings. The meaning of a variable, a piece or a trait includes its uses.
fn meanings<'i>(
    items: &[Item],
    class: Class,
    names: Vec<&'i str>,
    pairs: &[Pair],
    side: usize,
) -> BTreeMap<String, Vec<&'i str>> {
    let mut env = Env::default();
    for class in RENAMED {
        // A thing that is in no pair is like nothing on the other side.
        let alone =
            self::names(items, class).into_iter().map(|name| ((class, name), hash(&(side, class, name))));
        env.colours.extend(alone);
    }
    for (i, pair) in pairs.iter().enumerate() {
        env.colours.insert((pair.class, pair.name(side)), hash(&i));
    }
    let mut out: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        let own = items.iter().find(|item| item.class == Some(class) && item.id == name);
        let mut what = match class {
            Class::Trait => trait_meaning(&env, items, name),
            _ => own.map(|item| meaning(&env, item)).unwrap_or_default(),
        };
        if matches!(class, Class::State | Class::Piece | Class::Trait) {
            what += &uses(items, class, name);
        }
        out.entry(what).or_default().push(name);
    }
    out
}

/// Where something is used: sections and keys, and how often. Without the names of decisions, traits and
/// the like, which may have been renamed too.
fn uses(items: &[Item], class: Class, name: &str) -> String {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for item in items {
        for field in &item.fields {
            field.term.each(&mut |term| {
                if matches!(&term.label, Label::Ref(c, n) if *c == class && n == name) {
                    let key = match (&field.local, naming(item, field)) {
                        (Some(_), _) => "let",
                        (_, Some(_)) => "named",
                        _ => field.key.as_str(),
                    };
                    *found.entry(format!("{:?} {key}", item.section)).or_insert(0) += 1;
                }
            });
        }
    }
    format!("{found:?}")
}

/// The meaning of a trait: its value for each piece.
fn trait_meaning(env: &Env<'_>, items: &[Item], name: &str) -> String {
    let mut found = Vec::new();
    for item in items.iter().filter(|item| item.class == Some(Class::Piece)) {
        let piece = env.colours.get(&(Class::Piece, item.id.as_str()));
        for field in item.fields.iter().filter(|field| field.id == name) {
            found.push(format!("{piece:?}={}", env.key(&field.term)));
        }
    }
    found.sort();
    found.join(";")
}

/// The right outline with the left one's names for paired things.
pub(super) fn renamed(lefts: &[Item], rights: &[Item], pairs: &[Pair]) -> Vec<Item> {
    let mut to: BTreeMap<(Class, &str), String> = BTreeMap::new();
    for class in RENAMED {
        let taken: BTreeSet<&str> = names(lefts, class).into_iter().collect();
        for name in left_over(rights, class, pairs, 1).into_iter().filter(|name| taken.contains(name)) {
            // The left one's of that name is something else. No name has a blank.
            to.insert((class, name), format!("{name} of B"));
        }
    }
    to.extend(pairs.iter().map(|pair| ((pair.class, pair.right.as_str()), pair.left.clone())));
    let new = |class: Class, name: &str| to.get(&(class, name)).cloned();
    let mut out = rights.to_vec();
    for item in &mut out {
        for i in 0..item.fields.len() {
            let class = naming(item, &item.fields[i]);
            let field = &mut item.fields[i];
            if let Some(name) = class.and_then(|class| new(class, &field.id)) {
                field.id = name;
            }
            field.term.rename(&new);
        }
        if let Some(name) = item.class.and_then(|class| new(class, &item.id)) {
            item.id = name;
        }
    }
    out
}
