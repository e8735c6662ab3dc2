//! Facts about the pieces on a site or in a set, from how it is written.

use std::cell::Cell;

use crate::semantics::{BinaryOp, Builtin, Domain, Expr, ExprKind, Rules, Type};

/// Whose pieces stand somewhere, seen from the view in which it is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Whose {
    /// Mine.
    Mine,
    /// The opponent's.
    Theirs,
}

/// A fact about pieces: all of them are of this owner and of these kinds, or there are none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Fact {
    /// Whose, if known.
    pub(super) whose: Option<Whose>,
    /// A mask of kinds.
    pub(super) kinds: u32,
    /// Whether no piece is there.
    pub(super) vacant: bool,
}

impl Fact {
    /// Nothing is known.
    pub(super) const NONE: Fact = Fact { whose: None, kinds: u32::MAX, vacant: false };

    /// Both facts hold.
    pub(super) fn and(self, other: Fact) -> Fact {
        Fact {
            whose: self.whose.or(other.whose),
            kinds: self.kinds & other.kinds,
            vacant: self.vacant || other.vacant,
        }
    }

    /// One of the facts holds.
    pub(super) fn or(self, other: Fact) -> Fact {
        Fact {
            whose: self.whose.filter(|w| other.whose == Some(*w)),
            kinds: self.kinds | other.kinds,
            vacant: self.vacant && other.vacant,
        }
    }

    /// The kind, if there can be only one.
    pub(super) fn kind(self) -> Option<u32> {
        (self.kinds.count_ones() == 1).then(|| self.kinds.trailing_zeros())
    }

    /// The same seen by the other player.
    fn flipped(self) -> Fact {
        let whose = self.whose.map(|w| match w {
            Whose::Mine => Whose::Theirs,
            Whose::Theirs => Whose::Mine,
        });
        Fact { whose, ..self }
    }
}

/// The facts about sets, as they are written. The facts about definitions are cached.
pub(super) struct Known<'r> {
    rules: &'r Rules,
    facts: Vec<Cell<Option<Fact>>>,
    full: Vec<Cell<Option<bool>>>,
}

impl<'r> Known<'r> {
    pub(super) fn new(rules: &'r Rules) -> Known<'r> {
        let n = rules.defines.len();
        Known { rules, facts: vec![Cell::new(None); n], full: vec![Cell::new(None); n] }
    }

    /// The facts about the members of a set.
    pub(super) fn of_set(&self, e: &Expr) -> Fact {
        let rules = self.rules;
        let kinds = |mask| Fact { kinds: mask, ..Fact::NONE };
        match &e.kind {
            ExprKind::Builtin(Builtin::Vacant, _) => Fact { vacant: true, ..Fact::NONE },
            ExprKind::Builtin(Builtin::Own, _) => Fact { whose: Some(Whose::Mine), ..Fact::NONE },
            ExprKind::Builtin(Builtin::Enemy, _) if rules.players.len() == 2 => {
                Fact { whose: Some(Whose::Theirs), ..Fact::NONE }
            }
            ExprKind::Widen(inner) => match (&inner.kind, inner.ty) {
                (ExprKind::Kind(k), _) => kinds(1 << k.0),
                (ExprKind::Kinds(list), _) => kinds(list.iter().fold(0, |m, k| m | 1 << k.0)),
                (ExprKind::Me, _) => Fact { whose: Some(Whose::Mine), ..Fact::NONE },
                (_, Type::Sites | Type::SiteOpt) => self.of_set(inner),
                _ => Fact::NONE,
            },
            ExprKind::Binary(BinaryOp::Meet, a, b) => self.of_set(a).and(self.of_set(b)),
            ExprKind::Binary(BinaryOp::Minus, a, b) => {
                let fact = self.of_set(a);
                Fact { vacant: fact.vacant || self.has_all_pieces(b), ..fact }
            }
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Otherwise, a, b) => {
                self.of_set(a).or(self.of_set(b))
            }
            ExprKind::If(_, a, b) => self.of_set(a).or(self.of_set(b)),
            ExprKind::Where(_, domain, _) => match &**domain {
                Domain::Sites(e) => self.of_set(e),
                _ => Fact::NONE,
            },
            ExprKind::Call(f, who, _) => {
                let fact = kept(&self.facts, *f, || {
                    let bodies = self.bodies(*f).iter();
                    bodies.map(|b| self.of_set(b)).reduce(Fact::or).unwrap_or(Fact::NONE)
                });
                match who.as_ref().map(|w| &w.kind) {
                    None | Some(ExprKind::Me) => fact,
                    Some(ExprKind::Builtin(Builtin::Opponent, _)) => fact.flipped(),
                    Some(_) => Fact { whose: None, ..fact },
                }
            }
            _ => Fact::NONE,
        }
    }

    /// Whether a set, as it is written, has all sites with pieces.
    fn has_all_pieces(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Builtin(Builtin::Occupied, _) => true,
            ExprKind::Binary(BinaryOp::Union, a, b) => self.has_all_pieces(a) || self.has_all_pieces(b),
            ExprKind::Call(f, ..) => kept(&self.full, *f, || {
                let bodies = self.bodies(*f);
                !bodies.is_empty() && bodies.iter().all(|b| self.has_all_pieces(b))
            }),
            _ => false,
        }
    }

    fn bodies(&self, f: usize) -> &'r [Expr] {
        self.rules.defines.get(f).map_or(&[], |f| &f.bodies)
    }
}

/// The cached value of that number, or the value that is found now.
fn kept<T: Copy>(list: &[Cell<Option<T>>], i: usize, find: impl FnOnce() -> T) -> T {
    if let Some(found) = list.get(i).and_then(Cell::get) {
        return found;
    }
    let found = find();
    list.iter().skip(i).take(1).for_each(|c| c.set(Some(found)));
    found
}
