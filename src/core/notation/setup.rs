//! Set-ups as text: the numbers that are dealt or chosen before the first turn.

use super::position::{TextError, Texts, fault};
use super::value::Value;
use crate::play::{Dealing, History, Machine, Moves, Position};
use crate::program::slot;
use crate::semantics::{Per, TextField};
use crate::wording::many;

impl Texts<'_> {
    /// Whether the game has texts of set-ups.
    pub fn has_setup(&self) -> bool {
        self.rules.setup.text.is_some()
    }

    /// The start of a game with the set-up of a text.
    pub fn read_setup(&self, machine: &mut Machine, text: &str) -> Result<Position, TextError> {
        let Some(fields) = &self.rules.setup.text else { return fault("this game has no text for set-ups") };
        let mut words = text.split_whitespace();
        let mut given = self.in_order();
        let mut later = Vec::new();
        for f in fields {
            match f {
                TextField::State(var, _) => {
                    let Some(v) = self.rules.state.get(*var) else { continue };
                    let deal = self.layout.deals.iter().position(|d| d.name == v.name);
                    let by_site = deal.is_some() || v.per.last() == Some(&Per::Site);
                    let n = if by_site { self.rules.board.sites().count() } else { self.entries(*var) };
                    let mut list = Vec::new();
                    for i in 0..n {
                        let Some(word) = words.next() else {
                            let (values, name) = (many(n as u64, "value"), &v.name);
                            return fault(format!("the set-up has {values} of `{name}`, this text {i}"));
                        };
                        list.push(self.read_value(*var, word)?);
                    }
                    let Some(deal) = deal else {
                        later.push((*var, list));
                        continue;
                    };
                    let (low, high) = v.shuffle.unwrap_or((0, 0));
                    let mut seen = std::collections::BTreeSet::new();
                    let mut numbers = Vec::new();
                    for value in &list {
                        let Value::Int(n) = value else { continue };
                        if !(low..=high).contains(n) || !seen.insert(*n) {
                            return fault(format!(
                                "each number from {low} to {high} goes to one site: {n} is out of place"
                            ));
                        }
                        numbers.push(*n);
                    }
                    if let Some(place) = given.get_mut(deal) {
                        *place = numbers;
                    }
                }
                TextField::Literal(t) => {
                    for t in t.split_whitespace() {
                        if words.next() != Some(t) {
                            return fault(format!("expected `{t}`"));
                        }
                    }
                }
                _ => return fault("the text of a set-up is made of state variables"),
            }
        }
        if let Some(word) = words.next() {
            return fault(format!("`{word}` is more than the set-up has"));
        }
        let mut pos = machine.blank(Dealing::Given(&given));
        for (var, list) in later {
            for (e, value) in list.iter().enumerate() {
                self.put(&mut pos, var, e, value);
            }
        }
        machine.set_up(&mut pos);
        let first = machine.program().opening.first().and_then(|t| t.1);
        pos.set_slot(self.layout, slot::TURN, first.map_or(0, i32::from));
        machine.begin(&mut pos, &mut History::new(), &mut Moves::new());
        Ok(pos)
    }

    /// The text of a position's set-up, if the game has one.
    pub fn write_setup(&self, pos: &Position) -> Option<String> {
        let fields = self.rules.setup.text.as_ref()?;
        let mut out = String::new();
        for f in fields {
            match f {
                TextField::Literal(t) => out += t,
                TextField::State(var, width) => out += &self.all_entries(pos, *var, *width),
                _ => {}
            }
        }
        Some(out)
    }
}
