//! What expressions come to.

use std::collections::BTreeMap;

use farrier::semantics::{LocalId, Type};

use super::set::Set;

/// The value of an expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// `bool`
    Bool(bool),
    /// `int`
    Int(i32),
    /// `site` and `site?`
    Site(Option<usize>),
    /// `sites`
    Sites(Set),
    /// `kind` and `kind?`
    Kind(Option<usize>),
    /// `kinds`
    Kinds(Set),
    /// `player`; none where there is no such player
    Player(Option<usize>),
    /// `direction`; none where there is no such direction
    Direction(Option<usize>),
}

/// What locals are bound to. An id is unique in the whole game and nothing is recursive, so one flat map
/// does for all scopes.
pub type Env = BTreeMap<LocalId, Value>;

impl Value {
    /// The empty value of a type: none, no member, 0, false.
    pub fn empty(ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(false),
            Type::Int => Value::Int(0),
            Type::Site | Type::SiteOpt => Value::Site(None),
            Type::Sites => Value::Sites(Set::new()),
            Type::Kind | Type::KindOpt => Value::Kind(None),
            Type::Kinds => Value::Kinds(Set::new()),
            Type::Player => Value::Player(None),
            Type::Direction => Value::Direction(None),
            Type::Error | Type::Nothing | Type::Word(_) => panic!("no values of type `{ty}`"),
        }
    }

    /// Whether it is none or has no member.
    pub fn is_empty(&self) -> bool {
        match self {
            Value::Site(x) | Value::Kind(x) | Value::Player(x) | Value::Direction(x) => x.is_none(),
            Value::Sites(set) | Value::Kinds(set) => set.is_empty(),
            Value::Bool(_) | Value::Int(_) => panic!("{self:?} cannot be empty"),
        }
    }

    /// A bool.
    pub fn bool(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            other => panic!("{other:?} is no bool"),
        }
    }

    /// An int.
    pub fn int(&self) -> i32 {
        match self {
            Value::Int(n) => *n,
            other => panic!("{other:?} is no int"),
        }
    }

    /// A site or none.
    pub fn site(&self) -> Option<usize> {
        match self {
            Value::Site(x) => *x,
            other => panic!("{other:?} is no site"),
        }
    }

    /// A kind or none.
    pub fn kind(&self) -> Option<usize> {
        match self {
            Value::Kind(k) => *k,
            other => panic!("{other:?} is no kind"),
        }
    }

    /// A player or none.
    pub fn player(&self) -> Option<usize> {
        match self {
            Value::Player(p) => *p,
            other => panic!("{other:?} is no player"),
        }
    }

    /// A direction or none.
    pub fn direction(&self) -> Option<usize> {
        match self {
            Value::Direction(d) => *d,
            other => panic!("{other:?} is no direction"),
        }
    }

    /// A set of kinds.
    pub fn kinds(self) -> Set {
        match self {
            Value::Kinds(set) => set,
            Value::Kind(k) => k.into_iter().collect(),
            other => panic!("{other:?} are no kinds"),
        }
    }
}
