//! Merges overlays into a tree of slots, each with the value that sets it and the values that join it.

use std::collections::{BTreeMap, BTreeSet};

use super::model::Param;
use super::overlay::{Drop, Entry, Layer, path_text};
use super::tree::Key;
use super::value::{Held, Value};
use crate::board::Shape;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Span;

/// An entry and the overlay that it comes from.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    /// The entry.
    pub entry: Entry,
    /// Its overlay: an index of the definition's origins.
    pub origin: usize,
}

/// A key and all that the overlays say of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    /// The key where it was first written.
    pub key: Option<Key>,
    /// The place of the first table.
    pub table: Option<Span>,
    /// The value that sets it.
    pub set: Option<Placed>,
    /// The values that join it.
    pub joins: Vec<Placed>,
    /// Values that no longer count, since another value was set.
    pub lost: Vec<Placed>,
    /// The parameters of its head.
    pub params: Option<Vec<Param>>,
    /// Keys below, in the order in which they came; none if one was dropped.
    children: Vec<Option<Slot>>,
    index: BTreeMap<String, usize>,
}

impl Slot {
    /// A key below.
    pub fn get(&self, key: &str) -> Option<&Slot> {
        self.children.get(*self.index.get(key)?)?.as_ref()
    }

    /// The value that sets it, if it is of this form.
    pub fn held<T: Held>(&self) -> Option<&T> {
        T::of(&self.set.as_ref()?.entry.value)
    }

    /// The value that sets a key below, if it is of this form.
    pub fn value<T: Held>(&self, key: &str) -> Option<&T> {
        self.get(key)?.held()
    }

    /// A key some levels below.
    pub fn at(&self, path: &[&str]) -> Option<&Slot> {
        path.iter().try_fold(self, |slot, key| slot.get(key))
    }

    /// All keys below, in order.
    pub fn children(&self) -> impl Iterator<Item = (&Key, &Slot)> {
        let live = self.children.iter().flatten();
        live.filter_map(|slot| Some((slot.key.as_ref()?, slot)))
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        let first = self.set.as_ref().or(self.joins.first());
        let value = first.map(|placed| placed.entry.span);
        value.or(self.table).or(self.key.as_ref().map(|key| key.span)).unwrap_or_default()
    }

    /// The place of its key.
    pub fn key_span(&self) -> Span {
        self.key.as_ref().map(|key| key.span).unwrap_or_default()
    }

    /// Whether anything sets or joins it.
    pub fn is_said(&self) -> bool {
        self.set.is_some() || !self.joins.is_empty()
    }

    fn child(&mut self, key: &Key) -> &mut Slot {
        let next = self.children.len();
        let at = *self.index.entry(key.text.clone()).or_insert(next);
        if at == next {
            self.children.push(None);
        }
        self.children[at].get_or_insert_with(|| Slot { key: Some(key.clone()), ..Slot::default() })
    }

    fn remove(&mut self, path: &[String]) -> bool {
        let Some((key, rest)) = path.split_first() else { return false };
        let Some(at) = self.index.get(key).copied() else { return false };
        if rest.is_empty() {
            self.index.remove(key);
            return self.children.get_mut(at).and_then(Option::take).is_some();
        }
        self.children.get_mut(at).and_then(Option::as_mut).is_some_and(|child| child.remove(rest))
    }

    fn paths(&self, depth: usize, above: &str, found: &mut Vec<String>) {
        for (key, slot) in self.children() {
            let path = match above {
                "" => key.text.clone(),
                _ => format!("{above}.{}", key.text),
            };
            match depth {
                0 | 1 => found.push(path),
                _ => slot.paths(depth - 1, &path, found),
            }
        }
    }
}

/// An option that is on, with all its overlays.
#[derive(Clone, Debug)]
pub(super) struct Active<'a> {
    /// The option.
    pub name: String,
    /// The options that it overrules.
    pub over: Vec<String>,
    /// Its overlays, a parent's before a child's.
    pub layers: Vec<&'a Layer>,
    /// Its place among the origins.
    pub origin: usize,
}

impl Active<'_> {
    fn rules_over(&self, other: &Active<'_>) -> bool {
        self.over.contains(&other.name)
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        let all = self.layers.iter().flat_map(|layer| layer.entries.iter());
        all.filter(|entry| entry.value != Value::Table)
    }

    fn drops(&self) -> impl Iterator<Item = &Drop> {
        self.layers.iter().flat_map(|layer| layer.drops.iter())
    }
}

/// Puts the overlay of a file over the tree: a child may replace anything of its parent.
pub(super) fn put_file(root: &mut Slot, layer: &Layer, origin: usize, out: &mut Diagnostics) {
    for drop in &layer.drops {
        // Options are no part of this tree.
        let options = drop.path.first().is_some_and(|word| word == "options");
        if !options && !root.remove(&drop.path) {
            missing(root, drop, out);
        }
    }
    one_shape(root, &[layer]);
    for entry in &layer.entries {
        put(root, entry, origin, true, out);
    }
}

/// Puts the overlays of all active options over the files'. They do not know of each other: where
/// they contradict each other, that is reported.
pub(super) fn put_options(root: &mut Slot, active: &[Active<'_>], out: &mut Diagnostics) {
    drop_conflicts(active, out);
    let lost = replace_conflicts(active, out);
    for one in active {
        for drop in one.drops() {
            let elsewhere = active.iter().any(|other| other.entries().any(|entry| entry.under(&drop.path)));
            if !root.remove(&drop.path) && !elsewhere {
                missing(root, drop, out);
            }
        }
    }
    let layers: Vec<&Layer> = active.iter().flat_map(|one| one.layers.clone()).collect();
    one_shape(root, &layers);
    for (i, one) in active.iter().enumerate() {
        let taken = |entry: &Entry| {
            let others = active.iter().filter(|other| other.name != one.name);
            let stronger = others.filter(|other| !one.rules_over(other));
            stronger.flat_map(Active::drops).any(|drop| entry.under(&drop.path))
        };
        for entry in one.layers.iter().flat_map(|layer| &layer.entries) {
            let loses = entry.join.is_none() && lost.contains(&(i, entry.path_text()));
            if !loses && !taken(entry) {
                put(root, entry, one.origin, false, out);
            }
        }
    }
}

/// Removes the shapes of boards that a new shape replaces.
fn one_shape(root: &mut Slot, layers: &[&Layer]) {
    let entries = layers.iter().flat_map(|layer| &layer.entries);
    let shapes: Vec<&str> = entries
        .filter_map(|entry| match &entry.path[..] {
            [board, shape, ..] if board.text == "board" => Some(shape.text.as_str()),
            _ => None,
        })
        .filter(|shape| Shape::KEYS.contains(shape))
        .collect();
    if shapes.is_empty() {
        return;
    }
    for shape in Shape::KEYS.iter().filter(|shape| !shapes.contains(shape)) {
        root.remove(&["board".to_string(), (*shape).to_string()]);
    }
}

fn put(root: &mut Slot, entry: &Entry, origin: usize, file: bool, out: &mut Diagnostics) {
    let slot = entry.path.iter().fold(root, |slot, key| slot.child(key));
    if entry.value == Value::Table {
        slot.table.get_or_insert(entry.span);
        return;
    }
    let placed = Placed { entry: entry.clone(), origin };
    if entry.join.is_none() {
        let old = slot.set.take();
        slot.lost.extend(old);
        if file {
            slot.lost.append(&mut slot.joins);
        }
        if entry.params.is_some() {
            slot.params.clone_from(&entry.params);
        }
        slot.set = Some(placed);
        return;
    }
    if let Some(params) = &entry.params {
        let names =
            |params: &[Param]| -> Vec<String> { params.iter().map(|p| p.name.text.clone()).collect() };
        let old = slot.params.as_deref().map(names);
        if !slot.is_said() {
            slot.params.clone_from(&entry.params);
        } else if old.clone().unwrap_or_default() != names(params) {
            let place = entry.path.last().map(|key| key.span).unwrap_or_default();
            let path = entry.path_text();
            let message = format!("`{path}` has other parameters");
            let help = format!("write `{path}` alone: the parameters of what is joined are known");
            let found = Diagnostic::error("parameters", place, message)
                .and(slot.key_span(), "it is defined here")
                .help(help);
            out.push(found);
        }
    }
    slot.joins.push(placed);
}

fn missing(root: &Slot, drop: &Drop, out: &mut Diagnostics) {
    let path = drop.path.join(".");
    let mut known = Vec::new();
    root.paths(drop.path.len(), "", &mut known);
    let message = format!("there is no `{path}` to be dropped");
    let found = Diagnostic::error("unknown-drop", drop.span, message)
        .help("a path such as `end.draw` or `decisions.move.where`");
    out.push(found.suggest(&path, known.iter().map(String::as_str)));
}

/// Reports an option that adds to a key which another drops.
fn drop_conflicts(active: &[Active<'_>], out: &mut Diagnostics) {
    for (i, one) in active.iter().enumerate() {
        for (j, other) in active.iter().enumerate() {
            if i == j || one.rules_over(other) || other.rules_over(one) {
                continue;
            }
            for drop in one.drops() {
                if let Some(entry) = other.entries().find(|entry| entry.under(&drop.path)) {
                    let path = drop.path.join(".");
                    let message =
                        format!("option `{}` drops `{path}`, option `{}` adds to it", one.name, other.name);
                    let found = Diagnostic::error("conflict", drop.span, message)
                        .here(format!("dropped with `{}`", one.name))
                        .and(entry.span, format!("added to with `{}`", other.name))
                        .help(format!(
                            "say `over = [\"{}\"]` in `{}`, or that they conflict",
                            other.name, one.name
                        ));
                    out.push(found);
                }
            }
        }
    }
}

/// Reports two options that replace one key differently. Returns the replacements that do not count.
fn replace_conflicts(active: &[Active<'_>], out: &mut Diagnostics) -> BTreeSet<(usize, String)> {
    let mut sets: BTreeMap<String, BTreeMap<usize, &Entry>> = BTreeMap::new();
    for (i, one) in active.iter().enumerate() {
        for entry in one.entries().filter(|entry| entry.join.is_none()) {
            sets.entry(path_text(&entry.path)).or_default().insert(i, entry);
        }
    }
    let mut lost = BTreeSet::new();
    for (path, by) in sets {
        let by: Vec<(usize, &Entry)> = by.into_iter().collect();
        for (n, (i, a)) in by.iter().enumerate() {
            for (j, b) in &by[n + 1..] {
                let (one, other) = (&active[*i], &active[*j]);
                match (one.rules_over(other), other.rules_over(one)) {
                    (true, false) => lost.extend([(*j, path.clone())]),
                    (false, true) => lost.extend([(*i, path.clone())]),
                    _ if same(a, b) => {}
                    _ => {
                        let message =
                            format!("options `{}` and `{}` both replace `{path}`", one.name, other.name);
                        let found = Diagnostic::error("conflict", a.span, message)
                            .here(format!("with `{}`", one.name))
                            .and(b.span, format!("with `{}`", other.name))
                            .help(format!(
                                "add to the key with a joining word, or say `over = [\"{}\"]` in `{}`, or that they conflict",
                                one.name, other.name
                            ));
                        out.push(found);
                    }
                }
            }
        }
    }
    lost
}

fn same(a: &Entry, b: &Entry) -> bool {
    let params = |entry: &Entry| -> Option<Vec<(String, Option<String>)>> {
        let params = entry.params.as_ref()?.iter();
        let texts = params.map(|p| (p.name.text.clone(), p.ty.as_ref().map(|t| t.text.clone())));
        Some(texts.collect())
    };
    a.print == b.print && params(a) == params(b)
}
