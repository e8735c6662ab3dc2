//! What the names in rules stand for.

use std::collections::BTreeMap;

use super::term::Class;
use crate::definition::{Definition, OptionValue};

/// The names of a definition.
pub struct Names {
    /// All but decisions and flows.
    things: BTreeMap<String, Class>,
    /// Decisions and flows, which have a name space of their own.
    moves: BTreeMap<String, Class>,
    /// The players, in order.
    players: Vec<String>,
    /// The values of options.
    options: BTreeMap<String, OptionValue>,
}

impl Names {
    /// All names of a definition.
    pub fn of(def: &Definition) -> Names {
        let mut things = BTreeMap::new();
        let mut add = |class: Class, names: Vec<&str>| {
            for name in names {
                things.entry(name.to_owned()).or_insert(class);
            }
        };
        add(Class::Player, def.players.iter().map(|p| p.text.as_str()).collect());
        add(Class::Piece, def.pieces.iter().map(|p| p.name.text.as_str()).collect());
        let traits = def.pieces.iter().flat_map(|p| &p.traits);
        add(Class::Trait, traits.map(|(name, _)| name.text.as_str()).collect());
        add(Class::Relation, def.relations.iter().map(|r| r.name.text.as_str()).collect());
        add(Class::Definition, def.defines.iter().map(|d| d.name.text.as_str()).collect());
        add(Class::Effect, def.effects.iter().map(|e| e.name.text.as_str()).collect());
        add(Class::State, def.state.iter().map(|s| s.name.text.as_str()).collect());
        add(Class::Option, def.options.iter().map(|o| o.name.text.as_str()).collect());
        add(Class::Direction, def.board.directions.iter().map(|d| d.name.as_str()).collect());
        let mut moves = BTreeMap::new();
        for decision in &def.decisions {
            moves.insert(decision.name.text.clone(), Class::Decision);
        }
        for (name, _) in &def.flows {
            moves.insert(name.text.clone(), Class::Flow);
        }
        Names {
            things,
            moves,
            players: def.players.iter().map(|p| p.text.clone()).collect(),
            options: def.options.iter().map(|o| (o.name.text.clone(), o.value.clone())).collect(),
        }
    }

    /// The class of a name that the definition defines.
    pub fn thing(&self, name: &str) -> Option<Class> {
        self.things.get(name).copied()
    }

    /// The class of a name in a flow.
    pub fn flow(&self, name: &str) -> Option<Class> {
        self.moves.get(name).copied()
    }

    /// A player's place in the order.
    pub fn player(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| player == name)
    }

    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&OptionValue> {
        self.options.get(name)
    }
}
