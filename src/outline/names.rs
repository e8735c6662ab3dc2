//! The meanings of names in rules.

use std::collections::BTreeMap;

use super::term::Class;
use crate::definition::{Definition, OptionValue};

/// The names of a definition.
pub struct Names<'d> {
    def: &'d Definition,
    /// All but decisions and flows, which have a name space of their own.
    things: BTreeMap<&'d str, Class>,
}

impl<'d> Names<'d> {
    /// All names of a definition.
    pub fn of(def: &'d Definition) -> Names<'d> {
        let traits = def.pieces.iter().flat_map(|piece| &piece.traits);
        let named = (def.players.iter().map(|name| (name, Class::Player)))
            .chain(def.pieces.iter().map(|piece| (&piece.name, Class::Piece)))
            .chain(traits.map(|(name, _)| (name, Class::Trait)))
            .chain(def.relations.iter().map(|relation| (&relation.name, Class::Relation)))
            .chain(def.defines.iter().map(|define| (&define.name, Class::Definition)))
            .chain(def.effects.iter().map(|effect| (&effect.name, Class::Effect)))
            .chain(def.state.iter().map(|state| (&state.name, Class::State)))
            .chain(def.options.iter().map(|option| (&option.name, Class::Option)));
        let directions = def.board.directions.iter().map(|d| (d.name.as_str(), Class::Direction));
        let mut things = BTreeMap::new();
        for (name, class) in named.map(|(name, class)| (name.text.as_str(), class)).chain(directions) {
            things.entry(name).or_insert(class);
        }
        Names { def, things }
    }

    /// The class of a name that the definition defines.
    pub fn thing(&self, name: &str) -> Option<Class> {
        self.things.get(name).copied()
    }

    /// The class of a name in a flow.
    pub fn flow(&self, name: &str) -> Option<Class> {
        let flow = self.def.flows.iter().any(|(flow, _)| flow.text == name);
        let decision = || self.def.decisions.iter().any(|decision| decision.name.text == name);
        if flow { Some(Class::Flow) } else { decision().then_some(Class::Decision) }
    }

    /// A player's place in the order.
    pub fn player(&self, name: &str) -> Option<usize> {
        self.def.players.iter().position(|player| player.text == name)
    }

    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&OptionValue> {
        self.def.options.iter().find(|option| option.name.text == name).map(|option| &option.value)
    }
}
