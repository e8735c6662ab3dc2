//! `[board]` and `[directions]`.

use super::fold;
use super::join::{self, is_broken, players_of};
use super::merge::Slot;
use super::overlay::list;
use super::read::Reader;
use super::value::Value;
use crate::board::{BoardSpec, DirectionSpec, DirectionTable, Shape};
use crate::diagnostic::Diagnostic;
use crate::siteset::MAX_SITES;
use crate::source::Span;
use crate::syntax::ast::{Expr, Name};

/// The most pieces on a site.
pub(super) const MAX_STACK: u32 = 255;

impl Reader<'_> {
    /// The board, with options resolved.
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
        let sizes = slot.held::<Vec<Expr>>()?;
        let numbers: Vec<Option<usize>> = sizes.iter().map(|size| self.size(size)).collect();
        Shape::of_sizes(word, &numbers.into_iter().collect::<Option<Vec<_>>>()?)
    }

    /// A size: at least 1, and no longer than the largest board.
    fn size(&mut self, expr: &Expr) -> Option<usize> {
        let number = fold::int(expr, self.options).map_err(|mistake| self.out.push(*mistake)).ok()?;
        let size = usize::try_from(number).ok().filter(|size| (1..=MAX_SITES).contains(size));
        if size.is_none() {
            let message = format!("a size is 1 to {MAX_SITES}, not {number}");
            self.out.push(Diagnostic::error("wrong-value", expr.span, message));
        }
        size
    }

    /// How high stacks of any pieces may be.
    pub(super) fn mixed_stack(&mut self) -> Option<(u32, Span)> {
        let slot = self.root.at(&["board", "stack"])?;
        let expr = slot.held::<Vec<Expr>>()?.first()?;
        let number = fold::int(expr, self.options).map_err(|mistake| self.out.push(*mistake)).ok()?;
        let stack = u32::try_from(number).ok().filter(|stack| (2..=MAX_STACK).contains(stack));
        if stack.is_none() {
            let message = format!("a stack is of 2 to {MAX_STACK} pieces, not {number}");
            let found = Diagnostic::error("wrong-value", expr.span, message);
            self.out.push(found.help("where one piece stands on a site, leave `stack` out"));
        }
        stack.map(|stack| (stack, expr.span))
    }

    fn graph(&mut self, slot: &Slot) -> Option<Shape> {
        let mut edges = Vec::new();
        let mut broken = false;
        let children = slot.get("edges").into_iter().flat_map(Slot::children);
        for (key, slot) in children {
            let labels: Vec<&str> = key.text.split_whitespace().collect();
            let bad = labels.iter().find(|label| !crate::wording::is_identifier(label));
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
            match slot.held::<Vec<Vec<String>>>() {
                Some(chains) => edges.push((forwards, backwards, chains.clone())),
                None => broken = true,
            }
        }
        if broken {
            return None;
        }
        if edges.is_empty() {
            match slot.get("edges") {
                Some(edges) => {
                    let message = "`board.graph.edges` is empty";
                    let found = Diagnostic::error("wrong-value", edges.span(), message);
                    self.out.push(found.help("a board has at least one chain of sites: `n = \"a-b-c\"`"));
                }
                None => self.missing("board.graph.edges", slot.span()),
            }
            return None;
        }
        Some(Shape::Graph { edges })
    }

    fn removed(&mut self) -> Vec<String> {
        let slot = self.root.at(&["board", "remove"]);
        slot.map(|slot| join::list(slot, |sites: &Vec<String>, _| sites.clone())).unwrap_or_default()
    }

    fn wrap(&mut self, shape: &Shape) -> (bool, bool) {
        let wrap = self.root.at(&["board", "wrap"]).and_then(Slot::held::<Name>);
        let Some(wrap) = wrap else { return (false, false) };
        if !shape.can_wrap() {
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
            let Some(set) = &slot.set else { continue };
            let table = match &set.entry.value {
                Value::Labels(labels) => DirectionTable::Group(labels.clone()),
                Value::Chains(chains) => DirectionTable::Pairs(chains.clone()),
                Value::Walk(labels) => DirectionTable::Walk(labels.clone()),
                Value::LabelsBy(table) => {
                    let names = table.iter().map(|(name, _)| name);
                    let all = Some(slot.span());
                    let Some(order) = players_of(names, &self.players, all, self.out) else { continue };
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
