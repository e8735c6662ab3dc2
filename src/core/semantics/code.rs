//! The typed tree's expressions and effects.

pub use super::builtins::Builtin;
use super::types::Type;
use crate::board::DirGroup;
use crate::ids::{Kind, Player, Site};
use crate::source::Span;

use super::tree::{Relation, Steps};

/// A local: chosen, bound, let or a parameter. An index of [`super::Rules::locals`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalId(pub u32);

/// The name and the type of a local.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalInfo {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A typed expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// Its form.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where.
    pub span: Span,
}

/// Operators on two values of one type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// Both bools; the second is not needed if the first is false.
    And,
    /// Either bool.
    Or,
    /// Sites or kinds in either.
    Union,
    /// Sites or kinds in both. Of type `site?` where the first is a `site?`: the site, if it is in the
    /// second (`sites`), else none.
    Meet,
    /// Sites or kinds in the first only. Of type `site?` as with `Meet`.
    Minus,
    /// Sum of ints; arithmetic saturates.
    Add,
    /// Difference of ints.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, cut off; by 0 it is 0.
    Divide,
    /// Remainder, with the sign of the first; by 0 it is 0.
    Modulo,
    /// Equal values of one type (any but `Word`).
    Equal,
    /// First int less.
    Less,
    /// First int less or equal.
    LessOrEqual,
    /// The first (`site?` or `kind?`) is a member of the second (`sites` or `kinds`); none is not.
    In,
    /// The first unless it is empty (none, no member), else the second.
    Otherwise,
}

/// The forms of typed expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i32),
    /// The empty value of the expression's type.
    None,
    /// All sites.
    All,
    /// A site.
    Site(Site),
    /// A kind.
    Kind(Kind),
    /// Some kinds: a group trait.
    Kinds(Vec<Kind>),
    /// A player.
    Player(Player),
    /// A label of the board, one for each view.
    Direction(DirGroup),
    /// A local.
    Local(LocalId),
    /// `mover`, seen from here: me.
    Me,
    /// A built-in, with its arguments.
    Builtin(Builtin, Vec<Expr>),
    /// Indices of a state variable, one for each `per`.
    State(usize, Vec<Expr>),
    /// A definition with arguments; from another player's view, if one is given.
    Call(usize, Option<Box<Expr>>, Vec<Expr>),
    /// `R(S)`: the sites that R reaches from the members of S. `~R(S)`: the sites from which R reaches into S; for a
    /// trait the sites with a piece that does.
    Follow {
        /// The relation.
        relation: Relation,
        /// Backwards.
        converse: bool,
        /// The origins (or ends): sites.
        of: Box<Expr>,
    },
    /// `distance(x, y, R)`: the least number of steps from x to y; the board's number of sites
    /// where there is no way.
    Distance(Steps, Box<Expr>, Box<Expr>),
    /// `distance(S, k, R)`: the sites exactly k steps from the nearest member of S.
    Ring(Steps, Box<Expr>, Box<Expr>),
    /// `flood(seed, within, R)`: the sites that `seed & within` reaches by any number of steps inside `within`.
    Flood(Steps, Box<Expr>, Box<Expr>),
    /// `follow(S, n, R)`: the ends of n steps from the members of S; at most [`crate::limits::FOLLOWED`].
    FollowTimes(Steps, Box<Expr>, Box<Expr>),
    /// `line(S, k, directions)`: the members of S in a straight run of at least k members.
    Line(DirGroup, Box<Expr>, Box<Expr>),
    /// `value(x)`: an int or `kind?` trait of the piece on a `site?`, or of a `kind?`.
    TraitOf(usize, Box<Expr>),
    /// `can(D)`: the decision has a legal choice for that player as mover.
    Can(usize, Option<Box<Expr>>),
    /// Two values.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Not that bool; or the sites or kinds that are no members.
    Not(Box<Expr>),
    /// Not empty: a member, a site, a kind.
    Some(Box<Expr>),
    /// One or the other.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The case of that direction, by its number; empty if there is none.
    ByDirection(Box<Expr>, Vec<Expr>),
    /// The body with a value that has a name.
    Let(LocalId, Box<Expr>, Box<Expr>),
    /// `some no every count sum union NAME in D : body`.
    Quantified(Quantifier, LocalId, Box<Domain>, Box<Expr>),
    /// `{x in S : c}` of sites or kinds.
    Where(LocalId, Box<Domain>, Box<Expr>),
    /// The value in a copy of the position on which the effects were done.
    After(Vec<Effect>, Box<Expr>),
    /// The same value as a wider type.
    Widen(Box<Expr>),
}

pub use crate::syntax::ast::Quantifier;

/// The values that a bound name ranges over.
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    /// Ints, both ends included.
    Range(Expr, Expr),
    /// Sites, lowest first: an expression of type sites.
    Sites(Expr),
    /// Kinds, in order: an expression of type kinds.
    Kinds(Expr),
    /// All players, in order.
    Players,
    /// Labels of the board, in the board's order.
    Directions(DirGroup),
}

/// Effects, resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// Its form.
    pub kind: EffectKind,
    /// Where.
    pub span: Span,
}

/// Who owns a piece that is put or turned.
#[derive(Clone, PartialEq, Debug)]
pub enum Owner {
    /// A player.
    Player(Expr),
    /// Nobody.
    Neutral,
}

/// The forms of effects. On an empty site or set they do nothing.
#[derive(Clone, PartialEq, Debug)]
pub enum EffectKind {
    /// One after the other.
    Block(Vec<Effect>),
    /// One or the other.
    If(Expr, Box<Effect>, Option<Box<Effect>>),
    /// For each member, fixed first.
    For(LocalId, Domain, Box<Effect>),
    /// Binds a local to the end of the list.
    Let(LocalId, Expr),
    /// So many pieces land on each site.
    Put {
        /// Where: sites.
        at: Expr,
        /// Whose.
        owner: Owner,
        /// Their kind: `kind` or `kind?`.
        kind: Expr,
        /// How many.
        height: u32,
    },
    /// Pieces from the top of one `site?` land on another.
    Move {
        /// Where they stand.
        from: Expr,
        /// Where they go.
        to: Expr,
        /// Whether they go beneath what stands there.
        under: bool,
        /// How many at most, in a mixed stack; one if it is left out.
        upto: Option<Expr>,
    },
    /// All pieces of the sites go.
    Remove(Expr),
    /// The top piece of each site goes.
    Lift(Expr),
    /// Pieces change in place.
    Turn {
        /// Where: sites.
        at: Expr,
        /// The new owner.
        owner: Option<Owner>,
        /// The new kind: `kind` or `kind?`.
        kind: Option<Expr>,
    },
    /// Pieces go all at once along a one-to-one relation that does not depend on the position.
    Carry {
        /// Which: sites.
        what: Expr,
        /// The relation.
        relation: Relation,
        /// Backwards.
        converse: bool,
    },
    /// The players swap sides.
    SwapSides,
    /// Named effects.
    Call(usize, Vec<Expr>),
    /// A state variable's entry gets a new value (`+=` and its like are spelled out).
    Assign {
        /// Which variable.
        state: usize,
        /// Its indices.
        index: Vec<Expr>,
        /// The value.
        value: Expr,
    },
}
