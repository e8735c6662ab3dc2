//! `[board]` and `[directions]`.

use super::fold;
use super::join::{in_order, is_broken, players_of};
use super::merge::Slot;
use super::overlay::list;
use super::read::Reader;
use super::schema::Join;
use super::value::Value;
use crate::board::{BoardSpec, DirectionSpec, DirectionTable, Shape};
use crate::diagnostic::Diagnostic;
use crate::siteset::MAX_SITES;
use crate::syntax::ast::{Expr, Name};

impl Reader<'_> {
    /// The board, with options put in.
    pub(super) fn board(&mut self) -> Option<BoardSpec> {
        let shape = self.shape()?;
        let (wrap_columns, wrap_rows) = self.wrap(&shape);
        Some(BoardSpec {
            shape,
            remove: self.removed(),
            wrap_columns,
            wrap_rows,
            directions: self.directions(),
            players: self.players.len(),
        })
    }

    fn shape(&mut self) -> Option<Shape> {
        let place = self.table_span(&["board"]);
        let shapes: Vec<(&str, &Slot)> =
            Shape::KEYS.into_iter().filter_map(|key| Some((key, self.root.at(&["board", key])?))).collect();
        let (word, slot) = match shapes[..] {
            [] => {
                let found = Diagnostic::error("missing-key", place, "the board has no shape")
                    .help(format!("`[board]` needs one of {}", list(&Shape::KEYS)));
                self.out.push(found);
                return None;
            }
            [one] => one,
            [(a, first), (b, second), ..] => {
                let message = format!("a board has one shape, not both `{a}` and `{b}`");
                let found =
                    Diagnostic::error("conflict", first.span(), message).and(second.span(), "the other one");
                self.out.push(found);
                return None;
            }
        };
        if word == "graph" {
            return self.graph(slot);
        }
        let Some(Value::Sizes(sizes)) = self.set(Some(slot)) else {
            return None;
        };
        let mut numbers = Vec::new();
        for size in sizes {
            numbers.push(self.size(size));
        }
        let numbers: Vec<usize> = numbers.into_iter().collect::<Option<_>>()?;
        Shape::of_sizes(word, &numbers)
    }

    /// A size: at least 1, and no longer than the largest board.
    fn size(&mut self, expr: &Expr) -> Option<usize> {
        match fold::int(expr, self.options) {
            Ok(number) => match usize::try_from(number) {
                Ok(size) if (1..=MAX_SITES).contains(&size) => Some(size),
                _ => {
                    let message = format!("a size is 1 to {MAX_SITES}, not {number}");
                    self.out.push(Diagnostic::error("wrong-value", expr.span, message));
                    None
                }
            },
            Err(diagnostic) => {
                self.out.push(*diagnostic);
                None
            }
        }
    }

    fn graph(&mut self, slot: &Slot) -> Option<Shape> {
        let mut edges = Vec::new();
        let mut broken = false;
        let children = slot.get("edges").into_iter().flat_map(Slot::children);
        for (key, slot) in children {
            let labels: Vec<&str> = key.text.split_whitespace().collect();
            let bad = labels.iter().find(|label| !super::names::is_identifier(label));
            let (forwards, backwards) = match (&labels[..], bad) {
                ([one], None) => (one.to_string(), None),
                ([one, other], None) => (one.to_string(), Some(other.to_string())),
                _ => {
                    let message = format!("`{}` is not one label or two", key.text);
                    let found = Diagnostic::error("bad-name", key.span, message)
                        .help("the first leads forwards along each chain, the second backwards: `\"e w\"`");
                    self.out.push(found);
                    broken = true;
                    continue;
                }
            };
            match self.set(Some(slot)) {
                Some(Value::Chains(chains)) => edges.push((forwards, backwards, chains.clone())),
                _ => broken = true,
            }
        }
        if broken {
            return None;
        }
        if edges.is_empty() {
            let path = "board.graph.edges";
            self.missing(path, slot.span());
            return None;
        }
        Some(Shape::Graph { edges })
    }

    fn removed(&mut self) -> Vec<String> {
        let Some(slot) = self.root.at(&["board", "remove"]) else {
            return Vec::new();
        };
        let mut sites: Vec<String> = Vec::new();
        for placed in in_order(slot) {
            if let Value::Labels(new) = &placed.entry.value {
                match placed.entry.join {
                    Some(Join::First) => {
                        sites.splice(0..0, new.iter().cloned());
                    }
                    _ => sites.extend(new.iter().cloned()),
                }
            }
        }
        sites
    }

    fn wrap(&mut self, shape: &Shape) -> (bool, bool) {
        let Some(wrap) = self.name(self.root.at(&["board", "wrap"])) else {
            return (false, false);
        };
        if !matches!(shape, Shape::Square { .. } | Shape::Hex { .. }) {
            let message = "only a board of columns and rows can wrap around";
            let found =
                Diagnostic::error("wrong-value", wrap.span, message).help("that is `square` or `hex`");
            self.out.push(found);
        }
        let both = wrap.text == "both";
        (both || wrap.text == "columns", both || wrap.text == "rows")
    }

    fn directions(&mut self) -> Vec<DirectionSpec> {
        let mut found = Vec::new();
        for (name, slot) in self.section(&["directions"]) {
            if is_broken(slot) {
                self.lost.push(name.text);
                continue;
            }
            let table = match self.set(Some(slot)) {
                Some(Value::Labels(labels)) => DirectionTable::Group(labels.clone()),
                Some(Value::Chains(chains)) => DirectionTable::Pairs(chains.clone()),
                Some(Value::Walk(labels)) => DirectionTable::Walk(labels.clone()),
                Some(Value::LabelsBy(table)) => {
                    let names = table.iter().map(|(name, _): &(Name, _)| name);
                    let all = Some(slot.span());
                    let Some(order) = players_of(names, &self.players, all, self.out) else {
                        continue;
                    };
                    let mut each = vec![Vec::new(); self.players.len()];
                    for ((_, labels), player) in table.iter().zip(order) {
                        each[player] = labels.clone();
                    }
                    DirectionTable::PerPlayer(each)
                }
                _ => continue,
            };
            let name = name.text;
            found.push(DirectionSpec { name, table });
        }
        found
    }
}
