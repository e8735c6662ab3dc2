//! The syntax trees of rule strings. Every node knows where it stands in its file.

use crate::source::Span;
use crate::wording::words;

/// A name as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The letters.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// Its form.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

words! {
    /// Operators between two expressions, as written.
    pub enum Op {
        Or = "or",
        And = "and",
        Union = "|",
        Plus = "+",
        /// Difference of sets, minus of ints.
        Minus = "-",
        Meet = "&",
        Times = "*",
        Divide = "/",
        Modulo = "%",
        Otherwise = "otherwise",
    }
}

words! {
    /// Comparisons.
    pub enum Compare {
        In = "in",
        NotIn = "not in",
        Equal = "=",
        NotEqual = "!=",
        Less = "<",
        LessOrEqual = "<=",
        Greater = ">",
        GreaterOrEqual = ">=",
    }
}

words! {
    /// Statements on the members of a domain.
    pub enum Quantifier {
        Some = "some",
        No = "no",
        Every = "every",
        Count = "count",
        Sum = "sum",
        Union = "union",
    }
}

/// The forms of expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `12`, `-3`
    Int(i32),
    /// `vacant`
    Name(String),
    /// `leap(from)`, `reach[opponent](from)`; `converse` for `~leap(from)`.
    Call {
        /// Written with `~`.
        converse: bool,
        /// The name of the function or relation.
        name: Name,
        /// The player or the direction in square brackets.
        by: Vec<Expr>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `reserve[mover]`
    Index {
        /// The state variable or definition.
        name: Name,
        /// The indices.
        args: Vec<Expr>,
    },
    /// `~leap`, `~push[d]`: a relation backwards, as an argument.
    Converse {
        /// The relation.
        name: Name,
        /// Its direction.
        by: Vec<Expr>,
    },
    /// Words side by side, at least two: `own double runner`.
    Phrase(Vec<Expr>),
    /// `a OP b`
    Binary(Op, Box<Expr>, Box<Expr>),
    /// `a = b`, `x in S`
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// `scoring is compound`
    Is(Box<Expr>, Name),
    /// `some S`
    Some(Box<Expr>),
    /// `no S`
    No(Box<Expr>),
    /// `not e`
    Not(Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `every x in D : c` and its like.
    Quantified(Quantifier, Name, Box<Domain>, Box<Expr>),
    /// `{x in D : c}`
    Where(Name, Box<Domain>, Box<Expr>),
    /// `let v = e : body`
    Let(Name, Box<Expr>, Box<Expr>),
    /// `after (effects) : e`
    After(Effects, Box<Expr>),
}

/// The values that a bound name ranges over.
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    /// `1..6`, both ends included.
    Range(Expr, Expr),
    /// A set of sites or kinds, or `players`.
    Set(Expr),
}

/// `name in DOMAIN` of a `choose`, `name? in DOMAIN`.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The name that is chosen.
    pub name: Name,
    /// Written with `?`.
    pub optional: bool,
    /// The values to choose from.
    pub domain: Domain,
}

/// A whole `choose`.
#[derive(Clone, PartialEq, Debug)]
pub struct Choose {
    /// The choices, outermost first.
    pub choices: Vec<Choice>,
    /// Where.
    pub span: Span,
}

/// Effects one after the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Effects(pub Vec<Effect>);

/// One effect.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// Its form.
    pub kind: EffectKind,
    /// Where.
    pub span: Span,
}

words! {
    /// How an assignment joins the old value.
    pub enum Assign {
        Set = "=",
        Add = "+=",
        /// Minus or difference.
        Subtract = "-=",
        Unite = "|=",
        Meet = "&=",
    }
}

/// The forms of effects.
#[derive(Clone, PartialEq, Debug)]
pub enum EffectKind {
    /// `( a; b )`
    Block(Effects),
    /// `if c then E else E`
    If(Expr, Box<Effect>, Option<Box<Effect>>),
    /// `for x in D : E`
    For(Name, Box<Domain>, Box<Effect>),
    /// `let v = e`
    Let(Name, Expr),
    /// `put PIECE at S`
    Put(Piece, Expr),
    /// `move x -> y`, `move x -> under y`, `move x -> y upto n`
    Move {
        /// Where the pieces stand.
        from: Expr,
        /// Where they go.
        to: Expr,
        /// Whether they go beneath what stands there.
        under: bool,
        /// How many at most; one if it is left out.
        upto: Option<Expr>,
    },
    /// `turn S -> PIECE`
    Turn(Expr, Piece),
    /// `remove S`
    Remove(Expr),
    /// `lift S`
    Lift(Expr),
    /// `carry S by R`, `carry S by ~R`, `carry S by R[d]`
    Carry {
        /// The pieces that go.
        what: Expr,
        /// Written with `~`.
        converse: bool,
        /// The relation along which they go.
        relation: Name,
        /// The direction in square brackets.
        by: Vec<Expr>,
    },
    /// `swap sides`
    SwapSides,
    /// `go(from, to)`
    Call(Name, Vec<Expr>),
    /// `v = e`, `v[i] += e`
    Assign {
        /// The state variable.
        name: Name,
        /// Its indices.
        index: Vec<Expr>,
        /// How.
        how: Assign,
        /// The new value.
        value: Expr,
    },
}

/// A piece phrase: `own double runner`, `white`, `k`.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// Its words.
    pub words: Vec<Name>,
    /// Where.
    pub span: Span,
}

/// A turn flow.
#[derive(Clone, PartialEq, Debug)]
pub struct Flow {
    /// Its form.
    pub kind: FlowKind,
    /// Where.
    pub span: Span,
}

/// The forms of flows.
#[derive(Clone, PartialEq, Debug)]
pub enum FlowKind {
    /// `f, g`
    Sequence(Vec<Flow>),
    /// `either f or g`
    Either(Vec<Flow>),
    /// `try f`
    Try(Box<Flow>),
    /// `may f`
    May(Box<Flow>),
    /// `repeat f`
    Repeat(Box<Flow>),
    /// `longest f`
    Longest(Box<Flow>),
    /// `f if c`
    If(Box<Flow>, Expr),
    /// `f by P`
    By(Box<Flow>, Name),
    /// A decision, a named flow, or `pass`.
    Name(String),
}

/// How a game or a turn without a move ends.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Its form.
    pub kind: OutcomeKind,
    /// Where.
    pub span: Span,
}

/// The forms of outcomes.
#[derive(Clone, PartialEq, Debug)]
pub enum OutcomeKind {
    /// `if c then O else O`
    If(Expr, Box<Outcome>, Box<Outcome>),
    /// `pass`
    Pass,
    /// `draw`
    Draw,
    /// `score`
    Score,
    /// `places by e`
    Places(Expr),
    /// `P wins`
    Wins(Name),
    /// `P loses`
    Loses(Name),
}

/// A movement pattern: the sites that any of its walks reaches.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// The walks; none for `none`.
    pub walks: Vec<Walk>,
    /// Where.
    pub span: Span,
}

/// One way to go.
#[derive(Clone, PartialEq, Debug)]
pub struct Walk {
    /// How.
    pub kind: WalkKind,
    /// The conditions on the way, in the order written.
    pub clauses: Vec<Clause>,
    /// Where.
    pub span: Span,
}

/// The forms of walks.
#[derive(Clone, PartialEq, Debug)]
pub enum WalkKind {
    /// `none`
    None,
    /// `pairs a1-b2-c3 d4-e5`: chains of site names.
    Pairs(Vec<Vec<Name>>),
    /// `leap 1,2`
    Leap(i32, i32),
    /// `step forward`
    Step(Vec<Name>),
    /// `slide any`
    Slide(Vec<Name>),
    /// `walk n n e`
    Walk(Vec<Name>),
    /// `ride n n e`: that walk again and again
    Ride(Vec<Name>),
    /// `ride 1,2`: that leap again and again
    RideLeap(i32, i32),
}

/// A condition on a walk.
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    /// Which.
    pub kind: ClauseKind,
    /// Its set, or its number for `upto`.
    pub value: Expr,
    /// Where.
    pub span: Span,
}

words! {
    /// The conditions on walks.
    pub enum ClauseKind {
        /// All sites strictly between are in the set.
        Through = "through",
        /// Exactly one of those between is in the set.
        Over = "over",
        /// The end is in the set.
        Onto = "onto",
        /// At most so many steps.
        Upto = "upto",
        /// The origin is in the set.
        Leaving = "leaving",
    }
}
