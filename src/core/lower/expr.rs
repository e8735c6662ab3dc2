//! Expressions that are integers here: bools, ints, sites, kinds, masks of kinds, players.

use super::layout::missing;
use super::state::{Lowerer, View};
use crate::improve::Node;
use crate::program::{Binary, Domain, IntId, IntOp, OfSet, SetId, SetOp, Unary};
use crate::semantics::{self as sem, BinaryOp, Expr, ExprKind, LocalId, Quantifier, TraitValues, Type};

/// The most kinds or players over which a loop is written out instead of run.
const MAX_WRITTEN_OUT: usize = 8;

impl Lowerer<'_> {
    /// An expression of any type.
    pub(super) fn value(&mut self, e: &Expr, view: View) -> Node {
        self.value_of_type(e.ty, e, view)
    }

    /// An expression as a value of a type.
    pub(super) fn value_of_type(&mut self, ty: Type, e: &Expr, view: View) -> Node {
        if ty == Type::Sites { self.set(e, view).into() } else { self.int(e, view).into() }
    }

    /// The empty value of a type.
    pub(super) fn nothing(&mut self, ty: Type) -> Node {
        if ty == Type::Sites { self.b.empty().into() } else { self.b.num(missing(ty)).into() }
    }

    /// An expression whose parts of its own type are lowered by `of`; none if it is not lowered alike for all types.
    pub(super) fn of_any_type(
        &mut self,
        e: &Expr,
        view: View,
        of: impl Fn(&mut Self, &Expr, View) -> Node,
    ) -> Option<Node> {
        Some(match &e.kind {
            ExprKind::Local(id) => *self.values.get(id)?,
            ExprKind::Builtin(b, args) => self.builtin(*b, args, view),
            ExprKind::State(s, index) => {
                let entry = self.entry(*s, index, view);
                let v = self.storage.vars.get(*s).cloned()?;
                self.load(&v, entry, missing(e.ty))
            }
            ExprKind::If(c, a, b) => {
                let c = self.int(c, view);
                match self.b.const_of(c) {
                    Some(0) => of(self, b, view),
                    Some(_) => of(self, a, view),
                    None => {
                        let (a, b) = (of(self, a, view), of(self, b, view));
                        self.b.choose(c, a, b)
                    }
                }
            }
            ExprKind::ByDirection(d, cases) => {
                let d = self.int(d, view);
                let cases = cases.iter().map(|case| of(self, case, view)).collect();
                self.b.switch(d, cases, missing(e.ty))
            }
            ExprKind::Let(local, value, body) => self.bound(*local, value, view, |l| of(l, body, view)),
            ExprKind::After(effects, body) => {
                let (block, view) = self.copy(effects, view);
                let body = of(self, body, view);
                self.b.depth -= 1;
                self.b.after(block, body)
            }
            _ => return None,
        })
    }

    /// All kinds, as a mask.
    fn all_kinds(&mut self) -> IntId {
        let n = self.rules.kinds.len().min(31);
        self.b.num(((1u32 << n) - 1) as i32)
    }

    /// The number of players that is me's opponent.
    pub(super) fn opponent(&mut self, me: IntId) -> IntId {
        let one = self.b.num(1);
        self.b.int(IntOp::Binary(Binary::Sub, one, me))
    }

    /// An expression of a type other than sites.
    pub(super) fn int(&mut self, e: &Expr, view: View) -> IntId {
        if !self.b.work.take(1) {
            return self.b.num(0);
        }
        if let Some(value) = self.of_any_type(e, view, |l, e, view| l.int(e, view).into()) {
            return self.b.int_of(value);
        }
        match &e.kind {
            ExprKind::Bool(b) => self.b.num(i32::from(*b)),
            ExprKind::Int(n) => self.b.num(*n),
            ExprKind::None => self.b.num(missing(e.ty)),
            ExprKind::Site(s) => self.b.num(i32::from(s.0)),
            ExprKind::Kind(k) => self.b.num(i32::from(k.0)),
            ExprKind::Kinds(list) => {
                let mask = list.iter().fold(0, |m, k| m | 1 << k.0);
                self.b.num(mask)
            }
            ExprKind::Player(p) => self.b.num(i32::from(p.0)),
            ExprKind::Direction(group) => self.direction(group, view),
            ExprKind::Me => view.me,
            ExprKind::Call(f, who, args) => match self.call(*f, who.as_deref(), args, view) {
                Node::Int(i) => i,
                Node::Set(s) => self.b.int(IntOp::OfSet(OfSet::First, s)),
            },
            ExprKind::Distance(steps, x, y) => {
                let (from, to) = (self.int(x, view), self.int(y, view));
                if !self.relation_is_fixed(steps.relation) {
                    let (from, to) = (self.b.set(SetOp::Site(from)), self.b.set(SetOp::Site(to)));
                    let (local, step) = self.step(*steps, view);
                    return self.b.int(IntOp::Steps { local, from, to, step });
                }
                match self.relation_table(*steps) {
                    super::relation::Tables::One(relation) => {
                        self.b.int(IntOp::Distance { relation, from, to })
                    }
                    super::relation::Tables::Each(list) => {
                        let far = self.b.all.count() as i32;
                        let cases = list
                            .into_iter()
                            .map(|relation| self.b.int(IntOp::Distance { relation, from, to }))
                            .collect();
                        self.b.int(IntOp::Switch(view.me, cases, far))
                    }
                }
            }
            ExprKind::TraitOf(t, of) => self.trait_of(*t, of, view),
            ExprKind::Can(d, who) => {
                let me = who.as_ref().map_or(view.me, |w| self.int(w, view));
                let real = who.as_ref().and_then(|who| self.is_player(who, me));
                let can = self.can(*d, View { me, ..view });
                real.map_or(can, |real| self.b.int(IntOp::And(real, can)))
            }
            ExprKind::Binary(op, a, b) => self.binary_int(*op, a, b, e, view),
            ExprKind::Not(a) => {
                let inner = self.int(a, view);
                if e.ty == Type::Kinds {
                    let all = self.all_kinds();
                    self.b.int(IntOp::Binary(Binary::BitSub, all, inner))
                } else {
                    self.b.int(IntOp::Unary(Unary::Not, inner))
                }
            }
            ExprKind::Some(a) => self.some(a, view),
            ExprKind::Quantified(q, local, domain, body) => {
                self.quantified(*q, *local, domain, body, e.ty, view)
            }
            ExprKind::Where(local, domain, cond) => {
                // Of kinds: each kind on its own.
                let sem::Domain::Kinds(of) = &**domain else { return self.b.num(0) };
                let mask = self.int(of, view);
                self.each_kind(mask, |l, k, bit| {
                    l.values.insert(*local, Node::Int(k));
                    let holds = l.int(cond, view);
                    let zero = l.b.num(0);
                    l.b.int(IntOp::If(holds, bit, zero))
                })
            }
            ExprKind::Widen(inner) => {
                let value = self.int(inner, view);
                match (inner.ty, e.ty) {
                    (Type::Kind | Type::KindOpt, Type::Kinds) => self.bit(value),
                    _ => value,
                }
            }
            ExprKind::All
            | ExprKind::Follow { .. }
            | ExprKind::Ring(..)
            | ExprKind::FollowTimes(..)
            | ExprKind::Flood(..)
            | ExprKind::Line(..) => self.b.num(0),
            // Expressions of any type whose local or state does not exist.
            ExprKind::Local(_)
            | ExprKind::Builtin(..)
            | ExprKind::State(..)
            | ExprKind::If(..)
            | ExprKind::ByDirection(..)
            | ExprKind::Let(..)
            | ExprKind::After(..) => self.b.num(missing(e.ty)),
        }
    }

    fn bit(&mut self, kind: IntId) -> IntId {
        match self.b.const_of(kind) {
            Some(k) if k >= 0 => self.b.num(1 << k.min(30)),
            Some(_) => self.b.num(0),
            None => self.b.int(IntOp::Unary(Unary::Bit, kind)),
        }
    }

    /// The union of the masks that the kinds of a mask yield, the kinds written out.
    fn each_kind(&mut self, mask: IntId, mut of: impl FnMut(&mut Self, IntId, IntId) -> IntId) -> IntId {
        let mut out = self.b.num(0);
        for k in 0..self.rules.kinds.len() {
            let (kind, bit) = (self.b.num(k as i32), self.b.num(1 << k));
            let member = self.b.int(IntOp::Binary(Binary::BitAnd, mask, bit));
            if self.b.const_of(member) == Some(0) {
                continue;
            }
            let value = of(self, kind, bit);
            let zero = self.b.num(0);
            let value = self.b.int(IntOp::If(member, value, zero));
            out = self.b.int(IntOp::Binary(Binary::BitOr, out, value));
        }
        out
    }

    fn some(&mut self, a: &Expr, view: View) -> IntId {
        match a.ty {
            Type::Sites => {
                let set = self.set(a, view);
                self.b.int(IntOp::Some(set))
            }
            Type::Site | Type::SiteOpt | Type::Kind | Type::KindOpt => {
                let (zero, value) = (self.b.num(0), self.int(a, view));
                self.b.int(IntOp::Binary(Binary::Le, zero, value))
            }
            Type::Kinds => {
                let (zero, value) = (self.b.num(0), self.int(a, view));
                let none = self.b.int(IntOp::Binary(Binary::Eq, zero, value));
                self.b.int(IntOp::Unary(Unary::Not, none))
            }
            _ => self.b.num(0),
        }
    }

    /// Who has the turn after me: the next in order whom `skip` leaves in, me the last; the next in order where it
    /// leaves in nobody. Rules call it `next`, and the end of a turn asks for it.
    pub(super) fn next(&mut self, view: View) -> IntId {
        let players = self.rules.players.len() as i32;
        let n = self.b.num(players);
        let after = |l: &mut Self, step: i32| {
            let step = l.b.num(step);
            let sum = l.b.int(IntOp::Binary(Binary::Add, view.me, step));
            l.b.int(IntOp::Binary(Binary::Rem, sum, n))
        };
        let mut out = after(self, 1);
        if let Some(skip) = &self.rules.turn.skip {
            for step in (1..=players).rev() {
                let player = after(self, step);
                let skipped = self.int(skip, View { me: player, fresh: false });
                out = self.b.int(IntOp::If(skipped, out, player));
            }
        }
        out
    }

    fn trait_of(&mut self, t: usize, of: &Expr, view: View) -> IntId {
        let values: Vec<i32> = match self.rules.traits.get(t).map(|t| &t.values) {
            Some(TraitValues::Ints(list)) => list.clone(),
            Some(TraitValues::Kinds(list)) => list.iter().map(|k| k.map_or(-1, |k| i32::from(k.0))).collect(),
            _ => Vec::new(),
        };
        let none = match self.rules.traits.get(t).map(|t| &t.values) {
            Some(TraitValues::Kinds(_)) => -1,
            _ => 0,
        };
        let table = self.b.table(values);
        let index = self.int(of, view);
        let index = if of.ty.widens_to(Type::KindOpt) { index } else { self.kind_at(index, view) };
        self.b.int(IntOp::Lookup { table, index, missing: none })
    }

    fn binary_int(&mut self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr, view: View) -> IntId {
        match (op, a.ty) {
            (BinaryOp::In, Type::SiteOpt) => {
                let x = self.int(a, view);
                return self.inside(x, b, view);
            }
            (BinaryOp::In, _) => {
                let k = self.int(a, view);
                let (mask, bit) = (self.int(b, view), self.bit(k));
                let (zero, both) = (self.b.num(0), self.b.int(IntOp::Binary(Binary::BitAnd, mask, bit)));
                let none = self.b.int(IntOp::Binary(Binary::Eq, both, zero));
                return self.b.int(IntOp::Unary(Unary::Not, none));
            }
            (BinaryOp::Equal, Type::Sites) => {
                let (a, b) = (self.set(a, view), self.set(b, view));
                return self.b.int(IntOp::Same(a, b));
            }
            // A site that is in a set or not: itself or none.
            (BinaryOp::Meet | BinaryOp::Minus, Type::SiteOpt) => {
                let x = self.int(a, view);
                let inside = self.inside(x, b, view);
                let none = self.b.num(-1);
                return match op {
                    BinaryOp::Meet => self.b.int(IntOp::If(inside, x, none)),
                    _ => self.b.int(IntOp::If(inside, none, x)),
                };
            }
            (BinaryOp::And | BinaryOp::Or, _) => {
                let x = self.int(a, view);
                match (op, self.b.const_of(x)) {
                    (BinaryOp::And, Some(0)) => return x,
                    (BinaryOp::Or, Some(n)) if n != 0 => return x,
                    _ => {}
                }
                let y = self.int(b, view);
                return self.b.int(if op == BinaryOp::And { IntOp::And(x, y) } else { IntOp::Or(x, y) });
            }
            _ => {}
        }
        let (x, y) = (self.int(a, view), self.int(b, view));
        let op = match op {
            BinaryOp::Union => IntOp::Binary(Binary::BitOr, x, y),
            BinaryOp::Meet => IntOp::Binary(Binary::BitAnd, x, y),
            BinaryOp::Minus => IntOp::Binary(Binary::BitSub, x, y),
            BinaryOp::Add => IntOp::Binary(Binary::Add, x, y),
            BinaryOp::Subtract => IntOp::Binary(Binary::Sub, x, y),
            BinaryOp::Multiply => IntOp::Binary(Binary::Mul, x, y),
            BinaryOp::Divide => IntOp::Binary(Binary::Div, x, y),
            BinaryOp::Modulo => IntOp::Binary(Binary::Rem, x, y),
            BinaryOp::Equal => IntOp::Binary(Binary::Eq, x, y),
            BinaryOp::Less => IntOp::Binary(Binary::Lt, x, y),
            BinaryOp::LessOrEqual => IntOp::Binary(Binary::Le, x, y),
            BinaryOp::Otherwise => {
                let zero = self.b.num(0);
                let empty = if e.ty == Type::Kinds {
                    IntOp::Binary(Binary::Eq, x, zero)
                } else {
                    IntOp::Binary(Binary::Lt, x, zero)
                };
                let empty = self.b.int(empty);
                IntOp::If(empty, y, x)
            }
            BinaryOp::And => IntOp::And(x, y),
            BinaryOp::Or => IntOp::Or(x, y),
            BinaryOp::In => IntOp::Binary(Binary::Eq, x, y),
        };
        self.b.int(op)
    }

    /// Whether a site lies in a set.
    fn inside(&mut self, x: IntId, set: &Expr, view: View) -> IntId {
        if let Some(holds) = self.known_in(x, set).filter(|_| view.fresh) {
            return self.b.num(i32::from(holds));
        }
        let set = self.set(set, view);
        self.b.int(IntOp::Has(set, x))
    }

    /// Whether facts tell that a site lies in a set of kinds, or does not.
    fn known_in(&self, x: IntId, set: &Expr) -> Option<bool> {
        let fact = self.facts.get(&x)?;
        let ExprKind::Widen(inner) = &set.kind else { return None };
        let mask = match &inner.kind {
            ExprKind::Kind(k) => 1u32 << k.0,
            ExprKind::Kinds(list) => list.iter().fold(0, |m, k| m | 1 << k.0),
            _ => return None,
        };
        if fact.kinds & mask == 0 {
            Some(false)
        } else if fact.kinds & !mask == 0 {
            Some(true)
        } else {
            None
        }
    }

    /// A domain for a loop.
    pub(super) fn domain(&mut self, domain: &sem::Domain, view: View) -> Domain {
        match domain {
            sem::Domain::Range(a, b) => {
                let (a, b) = (self.int(a, view), self.int(b, view));
                Domain::Range(a, b)
            }
            sem::Domain::Sites(e) => Domain::Set(self.set(e, view)),
            sem::Domain::Kinds(e) => Domain::Mask(self.int(e, view)),
            sem::Domain::Directions(group) => Domain::Mask(self.directions(group, view)),
            sem::Domain::Players => {
                let (a, b) = (self.b.num(0), self.b.num(self.rules.players.len() as i32 - 1));
                Domain::Range(a, b)
            }
        }
    }

    /// The members of a domain that is worth writing out: kinds that are known, or the players.
    pub(super) fn written_out(&self, domain: &Domain, of: &sem::Domain) -> Option<Vec<i32>> {
        let list: Vec<i32> = match (domain, of) {
            (Domain::Mask(m), _) => {
                let mask = self.b.const_of(*m)?;
                (0..31).filter(|k| mask >> k & 1 == 1).collect()
            }
            (_, sem::Domain::Players) => (0..self.rules.players.len() as i32).collect(),
            _ => return None,
        };
        (list.len() <= MAX_WRITTEN_OUT).then_some(list)
    }

    fn quantified(
        &mut self,
        q: Quantifier,
        local: LocalId,
        of: &sem::Domain,
        body: &Expr,
        ty: Type,
        view: View,
    ) -> IntId {
        let domain = self.domain(of, view);
        if q == Quantifier::Union && ty == Type::Kinds {
            let any = self.all_kinds();
            return self.each_kind(any, |l, _, bit| {
                let slot = l.b.int_local();
                let bound = l.b.int(IntOp::Local(slot));
                l.values.insert(local, Node::Int(bound));
                let mask = l.int(body, view);
                let (zero, has) = (l.b.num(0), l.b.int(IntOp::Binary(Binary::BitAnd, mask, bit)));
                let cond = l.b.int(IntOp::Binary(Binary::Eq, has, zero));
                let cond = l.b.int(IntOp::Unary(Unary::Not, cond));
                let found = l.b.int(IntOp::Any { local: slot, domain, cond });
                l.b.int(IntOp::If(found, bit, zero))
            });
        }
        if let Some(list) = self.written_out(&domain, of) {
            let sums = matches!(q, Quantifier::Count | Quantifier::Sum);
            let mut out = self.b.num(i32::from(q == Quantifier::Every));
            for n in list {
                let n = self.b.num(n);
                self.values.insert(local, Node::Int(n));
                let value = self.int(body, view);
                out = self.b.int(match q {
                    Quantifier::Every => IntOp::And(out, value),
                    _ if sums => IntOp::Binary(Binary::Add, out, value),
                    _ => IntOp::Or(out, value),
                });
            }
            return if q == Quantifier::No { self.b.int(IntOp::Unary(Unary::Not, out)) } else { out };
        }
        let slot = self.bind_loop(local, of, view);
        let body = self.int(body, view);
        match q {
            Quantifier::Some => self.b.int(IntOp::Any { local: slot, domain, cond: body }),
            Quantifier::No | Quantifier::Every => {
                let every = q == Quantifier::Every;
                let cond = if every { self.b.int(IntOp::Unary(Unary::Not, body)) } else { body };
                let any = self.b.int(IntOp::Any { local: slot, domain, cond });
                self.b.int(IntOp::Unary(Unary::Not, any))
            }
            _ => self.b.int(IntOp::Sum { local: slot, domain, body }),
        }
    }

    /// Binds a loop's local and notes the facts about the site.
    pub(super) fn bind_loop(&mut self, local: LocalId, of: &sem::Domain, view: View) -> u32 {
        let slot = self.b.int_local();
        let bound = self.b.int(IntOp::Local(slot));
        self.values.insert(local, Node::Int(bound));
        if view.fresh
            && let sem::Domain::Sites(e) = of
        {
            let fact = self.known.of_set(e);
            self.facts.insert(bound, fact);
        }
        slot
    }

    /// The block of `after`: the caller leaves the copy by `depth -= 1`.
    pub(super) fn copy(&mut self, effects: &[sem::Effect], view: View) -> (crate::program::BlockId, View) {
        self.b.depth += 1;
        let mut block = Vec::new();
        self.effects(effects, view, &mut block);
        (self.b.block(block), View { fresh: false, ..view })
    }

    /// Sites with a player's pieces; empty for a number that is no player.
    pub(super) fn pieces_of(&mut self, player: IntId) -> SetId {
        let base = self.b.pieces.owner_base;
        match base {
            None => self.b.empty(),
            Some(base) => {
                let count = self.rules.players.len() as u32;
                self.b.set(SetOp::LayerRow { base: base as u32, count, index: player })
            }
        }
    }
}
