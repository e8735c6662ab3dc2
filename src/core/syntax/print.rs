//! Syntax trees to their one canonical text: single blanks, brackets only where the grammar needs
//! them. The text parses to the same tree.
//!
//! Trees that no text gives (joins of overlays can make some) are printed with the same meaning:
//! brackets around a single effect, or `&` between words that are no words.

use std::fmt::{Display, Formatter, Result, Write};

use crate::syntax::ast::{
    Choice, Choose, Clause, ClauseKind, Compare, Domain, Effect, EffectKind, Effects, Expr, ExprKind, Flow,
    FlowKind, Name, Op, Outcome, OutcomeKind, Pattern, Piece, Walk, WalkKind,
};

/// How tightly an expression binds; the rules of the grammar, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bind {
    Expr,
    Conj,
    Test,
    Value,
    Sum,
    Product,
    Unary,
}

impl Bind {
    /// The next tighter one.
    fn tighter(self) -> Bind {
        match self {
            Bind::Expr => Bind::Conj,
            Bind::Conj => Bind::Test,
            Bind::Test => Bind::Value,
            Bind::Value => Bind::Sum,
            Bind::Sum => Bind::Product,
            Bind::Product | Bind::Unary => Bind::Unary,
        }
    }

    fn of_op(op: Op) -> Bind {
        match op {
            Op::Or => Bind::Expr,
            Op::And => Bind::Conj,
            Op::Otherwise => Bind::Value,
            Op::Union | Op::Plus | Op::Minus => Bind::Sum,
            Op::Meet | Op::Times | Op::Divide | Op::Modulo => Bind::Product,
        }
    }

    fn of(expr: &Expr) -> Bind {
        match &expr.kind {
            ExprKind::Binary(op, ..) => Bind::of_op(*op),
            ExprKind::Compare(..) | ExprKind::Is(..) | ExprKind::Some(_) | ExprKind::No(_) => Bind::Test,
            _ if is_open(expr) => Bind::Test,
            ExprKind::Phrase(words) if !words.iter().all(is_word) => Bind::Product,
            _ => Bind::Unary,
        }
    }
}

/// Whether an expression may stand beside others in a phrase.
fn is_word(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Name(_) | ExprKind::Call { .. } | ExprKind::Converse { .. } | ExprKind::Index { .. }
    )
}

/// Whether an expression reaches as far right as it can.
fn is_open(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::If(..) | ExprKind::Quantified(..) | ExprKind::Let(..) | ExprKind::After(..))
}

/// An expression where the grammar has a rule that binds like `least`. `last` says that nothing
/// follows that an open form could take.
struct At<'a> {
    expr: &'a Expr,
    least: Bind,
    last: bool,
}

fn at(expr: &Expr, least: Bind) -> At<'_> {
    At { expr, least, last: false }
}

fn last(expr: &Expr, least: Bind) -> At<'_> {
    At { expr, least, last: true }
}

impl Display for At<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if Bind::of(self.expr) < self.least || (is_open(self.expr) && !self.last) {
            write!(f, "({})", self.expr)
        } else {
            bare(self.expr, self.last, f)
        }
    }
}

/// An expression without brackets around it.
fn bare(expr: &Expr, is_last: bool, f: &mut Formatter<'_>) -> Result {
    match &expr.kind {
        ExprKind::Int(n) => write!(f, "{n}"),
        ExprKind::Name(name) => f.write_str(name),
        ExprKind::Call { converse, name, by, args } => {
            let sign = if *converse { "~" } else { "" };
            write!(f, "{sign}{name}{}({})", Square(by), List(args, ", "))
        }
        ExprKind::Converse { name, by } => write!(f, "~{name}{}", Square(by)),
        ExprKind::Index { name, args } => write!(f, "{name}{}", Square(args)),
        ExprKind::Phrase(words) if words.iter().all(is_word) => {
            write!(f, "{}", List(words, " "))
        }
        ExprKind::Phrase(words) => {
            for (i, word) in words.iter().enumerate() {
                let mark = if i == 0 { "" } else { " & " };
                write!(f, "{mark}{}", at(word, Bind::Unary))?;
            }
            Ok(())
        }
        ExprKind::Binary(op, left, right) => {
            let bind = Bind::of_op(*op);
            let right = At { expr: right, least: bind.tighter(), last: is_last };
            write!(f, "{} {op} {right}", at(left, bind))
        }
        ExprKind::Compare(compare, left, right) => {
            let right = at(right, Bind::Value);
            let membership = matches!(compare, Compare::In | Compare::NotIn);
            if membership && matches!(left.kind, ExprKind::Not(_)) {
                return write!(f, "({left}) {compare} {right}");
            }
            write!(f, "{} {compare} {right}", at(left, Bind::Value))
        }
        ExprKind::Is(left, word) => write!(f, "{} is {word}", at(left, Bind::Value)),
        ExprKind::Some(inner) => write!(f, "some {}", at(inner, Bind::Value)),
        ExprKind::No(inner) => write!(f, "no {}", at(inner, Bind::Value)),
        ExprKind::Not(inner) => write!(f, "not {}", at(inner, Bind::Unary)),
        ExprKind::If(condition, then, otherwise) => {
            write!(f, "if {condition} then {then} else {otherwise}")
        }
        ExprKind::Quantified(quantifier, name, domain, body) => {
            write!(f, "{quantifier} {name} in {domain} : {body}")
        }
        ExprKind::Where(name, domain, body) => write!(f, "{{{name} in {domain} : {body}}}"),
        ExprKind::Let(name, value, body) => write!(f, "let {name} = {value} : {body}"),
        ExprKind::After(effects, body) => write!(f, "after ({effects}) : {body}"),
    }
}

/// Things with a mark between them.
struct List<'a, T>(&'a [T], &'a str);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (i, item) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(self.1)?;
            }
            write!(f, "{item}")?;
        }
        Ok(())
    }
}

/// Expressions in square brackets; nothing if there are none.
struct Square<'a>(&'a [Expr]);

impl Display for Square<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "[{}]", List(self.0, ", ")) }
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.text)
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", last(self, Bind::Expr))
    }
}

impl Display for Domain {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Domain::Range(first, end) => {
                write!(f, "{}..{}", at(first, Bind::Sum), at(end, Bind::Sum))
            }
            Domain::Set(set) => write!(f, "{}", at(set, Bind::Value)),
        }
    }
}

impl Display for Choice {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mark = if self.optional { "?" } else { "" };
        write!(f, "{}{mark} in {}", self.name, self.domain)
    }
}

impl Display for Choose {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", List(&self.choices, ", "))
    }
}

impl Display for Effects {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", List(&self.0, "; "))
    }
}

/// Whether an `else` after this effect would become a part of it.
fn takes_else(effect: &Effect) -> bool {
    match &effect.kind {
        EffectKind::If(_, _, None) => true,
        EffectKind::If(_, _, Some(inner)) | EffectKind::For(_, _, inner) => takes_else(inner),
        EffectKind::Block(_)
        | EffectKind::Let(..)
        | EffectKind::Put(..)
        | EffectKind::Move { .. }
        | EffectKind::Turn(..)
        | EffectKind::Remove(_)
        | EffectKind::Lift(_)
        | EffectKind::Carry { .. }
        | EffectKind::SwapSides
        | EffectKind::Call(..)
        | EffectKind::Assign { .. } => false,
    }
}

impl Display for Effect {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.kind {
            EffectKind::Block(effects) => write!(f, "({effects})"),
            EffectKind::If(condition, then, None) => write!(f, "if {condition} then {then}"),
            EffectKind::If(condition, then, Some(otherwise)) if takes_else(then) => {
                write!(f, "if {condition} then ({then}) else {otherwise}")
            }
            EffectKind::If(condition, then, Some(otherwise)) => {
                write!(f, "if {condition} then {then} else {otherwise}")
            }
            EffectKind::For(name, domain, body) => write!(f, "for {name} in {domain} : {body}"),
            EffectKind::Let(name, value) => write!(f, "let {name} = {value}"),
            EffectKind::Put(piece, place) => write!(f, "put {piece} at {place}"),
            EffectKind::Move { from, to, under, upto } => {
                write!(f, "move {} -> ", at(from, Bind::Value))?;
                let end = at(to, Bind::Value).to_string();
                match (under, end.starts_with('-')) {
                    (false, _) => f.write_str(&end)?,
                    (true, false) => write!(f, "under {end}")?,
                    // Else it would be `under` minus something.
                    (true, true) => write!(f, "under ({end})")?,
                }
                upto.iter().try_for_each(|most| write!(f, " upto {}", at(most, Bind::Value)))
            }
            EffectKind::Turn(what, piece) => {
                write!(f, "turn {} -> {piece}", at(what, Bind::Value))
            }
            EffectKind::Remove(what) => write!(f, "remove {what}"),
            EffectKind::Lift(what) => write!(f, "lift {what}"),
            EffectKind::Carry { what, converse, relation, by } => {
                let sign = if *converse { "~" } else { "" };
                write!(f, "carry {} by {sign}{relation}{}", at(what, Bind::Value), Square(by))
            }
            EffectKind::SwapSides => f.write_str("swap sides"),
            EffectKind::Call(name, args) => write!(f, "{name}({})", List(args, ", ")),
            EffectKind::Assign { name, index, how, value } => {
                write!(f, "{name}{} {how} {value}", Square(index))
            }
        }
    }
}

impl Display for Piece {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", List(&self.words, " "))
    }
}

/// How tightly a flow binds, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tie {
    Sequence,
    Either,
    By,
    If,
    Unit,
}

/// A flow as a part of another: in brackets where it binds less than `least`.
struct Part<'a> {
    flow: &'a Flow,
    least: Tie,
}

fn part(flow: &Flow, least: Tie) -> Part<'_> {
    Part { flow, least }
}

impl Display for Part<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let tie = match self.flow.kind {
            FlowKind::Sequence(_) => Tie::Sequence,
            FlowKind::Either(_) => Tie::Either,
            FlowKind::By(..) => Tie::By,
            FlowKind::If(..) => Tie::If,
            _ => Tie::Unit,
        };
        if tie < self.least { write!(f, "({})", self.flow) } else { write!(f, "{}", self.flow) }
    }
}

impl Display for Flow {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.kind {
            FlowKind::Sequence(flows) => {
                let parts: Vec<_> = flows.iter().map(|flow| part(flow, Tie::Either)).collect();
                write!(f, "{}", List(&parts, ", "))
            }
            FlowKind::Either(flows) => {
                // A choice inside would take the next `or`.
                let parts: Vec<_> = flows.iter().map(|flow| part(flow, Tie::By)).collect();
                write!(f, "either {}", List(&parts, " or "))
            }
            FlowKind::Try(inner) => write!(f, "try {}", part(inner, Tie::Unit)),
            FlowKind::May(inner) => write!(f, "may {}", part(inner, Tie::Unit)),
            FlowKind::Repeat(inner) => write!(f, "repeat {}", part(inner, Tie::Unit)),
            FlowKind::Longest(inner) => write!(f, "longest {}", part(inner, Tie::Unit)),
            // An open form would take the `or` of a choice around this.
            FlowKind::If(inner, condition) => {
                write!(f, "{} if {}", part(inner, Tie::Unit), at(condition, Bind::Test))
            }
            FlowKind::By(inner, player) => write!(f, "{} by {player}", part(inner, Tie::If)),
            FlowKind::Name(name) => f.write_str(name),
        }
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.kind {
            OutcomeKind::If(condition, then, otherwise) => {
                write!(f, "if {condition} then {then} else {otherwise}")
            }
            OutcomeKind::Pass => f.write_str("pass"),
            OutcomeKind::Draw => f.write_str("draw"),
            OutcomeKind::Score => f.write_str("score"),
            OutcomeKind::Places(value) => write!(f, "places by {value}"),
            OutcomeKind::Wins(player) => write!(f, "{player} wins"),
            OutcomeKind::Loses(player) => write!(f, "{player} loses"),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.walks.as_slice() {
            [] => f.write_str("none"),
            walks => write!(f, "{}", List(walks, " or ")),
        }
    }
}

impl Display for Walk {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.kind {
            WalkKind::None => f.write_str("none")?,
            WalkKind::Pairs(chains) => {
                f.write_str("pairs")?;
                for chain in chains {
                    write!(f, " {}", List(chain, "-"))?;
                }
            }
            WalkKind::Leap(a, b) => write!(f, "leap {a},{b}")?,
            WalkKind::Step(names) => write!(f, "step {}", List(names, " "))?,
            WalkKind::Slide(names) => write!(f, "slide {}", List(names, " "))?,
            WalkKind::Ride(names) => write!(f, "ride {}", List(names, " "))?,
            WalkKind::RideLeap(a, b) => write!(f, "ride {a},{b}")?,
            WalkKind::Walk(names) => write!(f, "walk {}", List(names, " "))?,
        }
        for clause in &self.clauses {
            f.write_char(' ')?;
            clause.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Clause {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let least = if self.kind == ClauseKind::Upto { Bind::Unary } else { Bind::Sum };
        write!(f, "{} {}", self.kind, at(&self.value, least))
    }
}
