//! Names: the meaning of each name in rules, and which names are used.

use std::collections::{BTreeSet, HashMap};

use super::builtins::{self, TABLE, YOUNGER};
use super::tree::{LocalId, LocalInfo};
use super::types::Type;
use crate::definition::Definition;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ids::{Kind, Player};
use crate::source::Span;
use crate::syntax::ast::Name;

/// The meaning of a name. Decisions and flows have a name space of their own: see [`Act`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Entity {
    /// A kind of piece.
    Kind(Kind),
    /// A trait.
    Trait(usize),
    /// A player.
    Player(Player),
    /// A relation of `[relations]`.
    Relation(usize),
    /// A definition or region.
    Define(usize),
    /// Named effects.
    Effect(usize),
    /// A state variable.
    State(usize),
    /// An option.
    Option(usize),
    /// A built-in.
    Builtin,
}

impl Entity {
    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Entity::Kind(_) => "a kind of piece",
            Entity::Trait(_) => "a trait",
            Entity::Player(_) => "a player",
            Entity::Relation(_) => "a relation",
            Entity::Define(_) => "a definition",
            Entity::Effect(_) => "named effects",
            Entity::State(_) => "a state variable",
            Entity::Option(_) => "an option",
            Entity::Builtin => "built in",
        }
    }
}

/// The meaning of a name in a flow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Act {
    /// A decision.
    Decision(usize),
    /// A named flow.
    Flow(usize),
}

/// All names of a definition.
#[derive(Debug, Default)]
pub struct Names {
    entities: HashMap<String, (Entity, Span)>,
    acts: HashMap<String, (Act, Span)>,
    /// Names that were given twice or are built in, which was reported.
    pub refused: BTreeSet<String>,
    /// All names but locals, in order.
    known: Vec<String>,
    /// The trait names in order of first use.
    pub traits: Vec<String>,
    /// The entities that rules have named so far.
    pub used: BTreeSet<Entity>,
    /// The decisions and flows that flows have named so far.
    pub used_acts: BTreeSet<Act>,
    /// Locals in sight, innermost last.
    scope: Vec<(String, LocalId)>,
    /// Every local of the game.
    pub locals: Vec<LocalInfo>,
}

impl Names {
    /// Collects the names of a definition; a name that is given twice is a mistake.
    pub fn collect(def: &Definition, out: &mut Diagnostics) -> Names {
        let mut names = Names::default();
        let mut add = |name: &Name, entity: Entity| {
            let (text, span) = (name.text.as_str(), name.span);
            let before = out.0.len();
            // An option is never called, so it may share its name with a function.
            let function = |r: &&builtins::Row| matches!(entity, Entity::Option(_)) && !r.params.is_empty();
            let older = !YOUNGER.contains(&text);
            let double = |message| Diagnostic::error("duplicate-name", span, message);
            if older && TABLE.iter().any(|r| r.name == text && !function(&r)) {
                out.push(double(format!("`{text}` is built into the language")).here("choose another name"));
            } else if let Some((other, before)) = names.entities.get(text) {
                let found = double(format!("`{text}` is {} already", other.word()))
                    .here("a second meaning for the name")
                    .and(*before, "first here");
                out.push(found);
            } else {
                names.entities.insert(text.to_owned(), (entity, span));
            }
            if out.0.len() > before {
                names.refused.insert(text.to_owned());
            }
        };
        for (i, p) in def.players.iter().enumerate() {
            add(p, Entity::Player(Player(i as u8)));
        }
        for (i, p) in def.pieces.iter().enumerate() {
            add(&p.name, Entity::Kind(Kind(i as u8)));
        }
        let mut traits: Vec<String> = Vec::new();
        for (name, _) in def.pieces.iter().flat_map(|p| &p.traits) {
            if !traits.contains(&name.text) {
                add(name, Entity::Trait(traits.len()));
                traits.push(name.text.clone());
            }
        }
        for (i, r) in def.relations.iter().enumerate() {
            add(&r.name, Entity::Relation(i));
        }
        for (i, d) in def.defines.iter().enumerate() {
            add(&d.name, Entity::Define(i));
        }
        for (i, d) in def.effects.iter().enumerate() {
            add(&d.name, Entity::Effect(i));
        }
        for (i, d) in def.state.iter().enumerate() {
            add(&d.name, Entity::State(i));
        }
        for (i, o) in def.options.iter().enumerate() {
            // Rules cannot name an extension file.
            if o.extension.is_none() {
                add(&o.name, Entity::Option(i));
            }
        }
        for (i, d) in def.decisions.iter().enumerate() {
            names.acts.insert(d.name.text.clone(), (Act::Decision(i), d.name.span));
        }
        for (i, (n, _)) in def.flows.iter().enumerate() {
            if let Some((_, before)) = names.acts.insert(n.text.clone(), (Act::Flow(i), n.span)) {
                let message = format!("`{n}` is a decision already");
                out.push(Diagnostic::error("duplicate-name", n.span, message).and(before, "first here"));
            }
        }
        names.traits = traits;
        names.known = names.entities.keys().cloned().chain(TABLE.iter().map(|r| r.name.to_owned())).collect();
        names.known.sort_unstable();
        names
    }

    /// The meaning of a name, which is marked as used. A name with two meanings has none, so that nothing is said of
    /// what either would be.
    pub fn entity(&mut self, name: &str) -> Option<Entity> {
        let found = self.peek(name).filter(|_| !self.refused.contains(name))?;
        self.used.insert(found);
        Some(found)
    }

    /// The meaning of a name.
    pub fn peek(&self, name: &str) -> Option<Entity> {
        if let Some((entity, _)) = self.entities.get(name) {
            return Some(*entity);
        }
        builtins::named(name).next().map(|_| Entity::Builtin)
    }

    /// The meaning of a name of a flow, which is marked as used.
    pub fn act(&mut self, name: &str) -> Option<Act> {
        let found = self.acts.get(name).map(|(act, _)| *act)?;
        self.used_acts.insert(found);
        Some(found)
    }

    /// The meaning of a name of a flow.
    pub fn peek_act(&self, name: &str) -> Option<Act> {
        self.acts.get(name).map(|(act, _)| *act)
    }

    /// All names of flows.
    pub fn act_names(&self) -> impl Iterator<Item = &str> {
        self.acts.keys().map(String::as_str)
    }

    /// All names that an expression can use here.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.scope.iter().map(|(n, _)| n).chain(&self.known).map(String::as_str)
    }

    /// The names of entities that satisfy a condition, for suggestions.
    pub fn entities_where(&self, wanted: impl Fn(Entity) -> bool) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.entities.iter().filter(|(_, (e, _))| wanted(*e)).map(|(n, _)| n.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// The local of a name.
    pub fn local(&self, name: &str) -> Option<LocalId> {
        self.scope.iter().rev().find(|(n, _)| n == name).map(|(_, id)| *id)
    }

    /// Binds a local until the scope is [closed](Names::close).
    pub fn bind(&mut self, name: &str, ty: Type) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(LocalInfo { name: name.to_owned(), ty });
        self.scope.push((name.to_owned(), id));
        id
    }

    /// A local that no name stands for.
    pub fn hidden(&mut self, ty: Type) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(LocalInfo { name: String::new(), ty });
        id
    }

    /// Puts a local that was bound before in sight again: a parameter, in its body.
    pub fn enter(&mut self, name: &str, id: LocalId) {
        self.scope.push((name.to_owned(), id));
    }

    /// Marks the present scope, for [`Names::close`].
    pub fn open(&self) -> usize {
        self.scope.len()
    }

    /// Forgets the locals bound since [`Names::open`].
    pub fn close(&mut self, mark: usize) {
        self.scope.truncate(mark);
    }

    /// Where a name is defined.
    pub fn place(&self, name: &str) -> Option<Span> {
        self.entities.get(name).map(|(_, span)| *span)
    }
}
