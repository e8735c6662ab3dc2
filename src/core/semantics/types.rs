//! Types and how they widen.

use std::fmt;

use serde::Serialize;

/// The type of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum Type {
    /// Already reported; fits anywhere.
    Error,
    /// `none`, before its type is known.
    Nothing,
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `site`
    Site,
    /// `site?`
    SiteOpt,
    /// `sites`
    Sites,
    /// `kind`
    Kind,
    /// `kind?`
    KindOpt,
    /// `kinds`
    Kinds,
    /// `player`
    Player,
    /// `direction`: a label of the board
    Direction,
    /// The words of the option of that number.
    Word(usize),
}

impl Type {
    /// The types that definitions can name.
    const NAMED: [Type; 10] = {
        use Type::*;
        [Bool, Int, Site, SiteOpt, Sites, Kind, KindOpt, Kinds, Player, Direction]
    };

    /// All names of types, for suggestions.
    pub const NAMES: [&'static str; 10] =
        ["bool", "int", "site", "site?", "sites", "kind", "kind?", "kinds", "player", "direction"];

    /// The type of a name in a definition: `sites`, `site?`.
    pub fn named(name: &str) -> Option<Type> {
        let place = Type::NAMES.iter().position(|known| *known == name);
        place.map(|place| Type::NAMED[place])
    }

    /// Whether a value of this type can stand where `to` is wanted.
    pub fn widens_to(self, to: Type) -> bool {
        use Type::{Error, Kind, KindOpt, Kinds, Nothing, Player, Site, SiteOpt, Sites};
        if self == to {
            return true;
        }
        match self {
            Error => true,
            Nothing => matches!(to, SiteOpt | Sites | KindOpt | Kinds | Error),
            Site => matches!(to, SiteOpt | Sites | Error),
            SiteOpt => matches!(to, Sites | Error),
            Kind => matches!(to, KindOpt | Kinds | Sites | Error),
            KindOpt => matches!(to, Kinds | Sites | Error),
            Kinds | Player => matches!(to, Sites | Error),
            _ => to == Error,
        }
    }

    /// The narrowest type to which both widen.
    pub fn join(self, other: Type) -> Option<Type> {
        if self.widens_to(other) {
            return Some(other);
        }
        if other.widens_to(self) {
            return Some(self);
        }
        [Type::SiteOpt, Type::KindOpt, Type::Kinds, Type::Sites]
            .into_iter()
            .find(|t| self.widens_to(*t) && other.widens_to(*t))
    }

    /// Whether it can stand as a set of sites.
    pub fn is_setlike(self) -> bool {
        self.widens_to(Type::Sites)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Error => "unknown",
            Type::Nothing => "none",
            Type::Word(_) => "option",
            named => Type::NAMED.iter().position(|ty| ty == named).map_or("", |place| Type::NAMES[place]),
        })
    }
}
