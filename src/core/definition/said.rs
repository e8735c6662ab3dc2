//! For each key the places and overlays that its value comes from.

use super::file::File;
use super::join::in_order;
use super::merge::{Active, Placed, Slot};
use super::model::{Part, Replaced, Said};
use super::schema::{KeyDoc, Rows};

impl Replaced {
    /// The replacement of a slot whose rule lost parts.
    fn of(slot: &Slot, path: &str, row: &KeyDoc) -> Option<Replaced> {
        let part = |placed: &Placed| Part { span: placed.entry.span, origin: placed.origin };
        let new = slot.set.as_ref().filter(|_| !row.joins().is_empty())?;
        let now = new.entry.value.parts();
        // An empty rule takes out on purpose.
        if now.is_empty() {
            return None;
        }
        let gone = |text: &String| !now.iter().any(|part| part.contains(text));
        let mut lost: Vec<String> = slot.lost.iter().flat_map(|old| old.entry.value.parts()).collect();
        lost.retain(gone);
        let old = part(slot.lost.first()?);
        (!lost.is_empty()).then(|| Replaced {
            path: path.to_owned(),
            holds: row.holds,
            old,
            new: part(new),
            lost,
        })
    }
}

impl Said {
    /// Collects the places from the merged tree, the files and the active options.
    pub(super) fn of(root: &Slot, chain: &[File], active: &[Active<'_>]) -> Said {
        let mut said = Said::default();
        said.add(root, &Rows::all(), "");
        if let Some((origin, file)) = chain.iter().enumerate().next_back() {
            for key in ["name", "author", "source", "summary", "group"] {
                if let Some(text) = file.own.text(key) {
                    said.keys.insert(key.to_owned(), vec![Part { span: text.span, origin }]);
                }
            }
        }
        let files = chain.iter().enumerate().map(|(origin, file)| (origin, &file.layer));
        let options = active.iter().flat_map(|a| a.layers.iter().map(|layer| (a.origin, *layer)));
        for (origin, layer) in files.chain(options) {
            let drops = layer.drops.iter().map(|d| (d.path.join("."), Part { span: d.span, origin }));
            said.drops.extend(drops);
        }
        said
    }

    /// Adds a slot and all below it. Gives the overlay of its first value.
    fn add(&mut self, slot: &Slot, rows: &Rows, path: &str) -> Option<usize> {
        let mut first = None;
        for (key, child) in slot.children() {
            let below = if path.is_empty() { key.text.clone() } else { format!("{path}.{}", key.text) };
            let parts: Vec<Part> = in_order(child)
                .into_iter()
                .map(|placed| Part { span: placed.entry.span, origin: placed.origin })
                .collect();
            let rows = rows.under(&key.text);
            let row = rows.as_ref().and_then(Rows::leaf);
            self.replaced.extend(row.and_then(|row| Replaced::of(child, &below, row)));
            let inner = rows.and_then(|rows| self.add(child, &rows, &below));
            let origin = parts.first().map(|part| part.origin).or(inner);
            first = first.or(origin);
            if !parts.is_empty() {
                self.keys.insert(below, parts);
            } else if let Some(origin) = origin {
                self.keys.insert(below, vec![Part { span: child.key_span(), origin }]);
            }
        }
        first
    }
}
