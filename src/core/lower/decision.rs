//! Decisions: the loops that find legal moves, and the block that does one.
//!
//! Each conjunct of `where` stands in the outermost loop that binds all it names. The innermost loop over
//! sites is no loop but a segment: the set of the sites that pass.

use std::collections::BTreeSet;

use super::facts::Fact;
use super::state::{Lowerer, View};
use crate::improve::Node;
use crate::program::{
    self as prog, Binary, Block, DecisionCode, IntId, IntOp, SetId, SetOp, Stmt, Unary, Var, VarKind,
};
use crate::semantics::{self as sem, BinaryOp, Decision, Domain, Expr, ExprKind, LocalId, Relation, Type};

/// The most directions in one decision that are written out: each multiplies the code.
const MAX_DIRECTION_VARS: usize = 2;

/// A condition on a choice.
#[derive(Clone, Copy)]
pub(super) enum Test<'r> {
    /// A conjunct of `where`.
    Where(&'r Expr),
    /// `keeps`.
    Keeps(&'r Expr),
}

impl Test<'_> {
    /// The locals that it names, those of the effects too where it is made after them.
    fn locals(&self, d: &Decision) -> BTreeSet<LocalId> {
        let mut used = BTreeSet::new();
        let (Test::Where(e) | Test::Keeps(e)) = self;
        sem::Part::Expr(e).locals(&mut used);
        if let Test::Keeps(_) = self {
            d.effects.iter().for_each(|e| sem::Part::Effect(e).locals(&mut used));
        }
        used
    }
}

/// The parts of a generator.
#[derive(Clone)]
pub(super) struct Plan<'r> {
    pub(super) d: &'r Decision,
    pub(super) vars: Vec<Var>,
    /// The tests to be made once so many vars are bound.
    pub(super) tests: Vec<Vec<Test<'r>>>,
    pub(super) view: View,
}

impl<'r> Lowerer<'r> {
    /// A decision.
    pub(super) fn decision(&mut self, d: &'r Decision) -> DecisionCode {
        let view = self.mover();
        let vars = self.vars(d);
        let size = vars.first().map_or(1, |v| v.radix.saturating_mul(v.multiplier));
        let when = d.when.as_ref().map(|e| self.int(e, view));
        let plan = Plan { d, tests: tests(d), vars, view };
        let mut block = Vec::new();
        let leaf = self.b.int(IntOp::Local(0));
        self.bind_vars(&plan);
        self.generate(&plan, 0, leaf, &mut block);
        let generate = self.b.block(block);
        let apply = self.apply(&plan);
        let weight = d.weight.as_ref().map(|e| {
            self.bind_vars(&plan);
            self.with_lets(d, Test::Where(e).locals(d), view, |l| l.int(e, view))
        });
        DecisionCode {
            name: d.name.clone(),
            when,
            generate,
            apply,
            vars: plan.vars,
            size,
            repeats: d.repeats,
            chance: d.chance,
            weight,
        }
    }

    pub(super) fn vars(&mut self, d: &Decision) -> Vec<Var> {
        let mut vars = Vec::new();
        let mut multiplier = 1u64;
        for v in d.vars.iter().rev() {
            let ty = self.rules.locals.get(v.local.0 as usize).map_or(Type::Error, |l| l.ty);
            let name = self.rules.locals.get(v.local.0 as usize).map(|l| l.name.clone()).unwrap_or_default();
            let none = u64::from(v.optional);
            let (kind, offset, radix) = match (&v.domain, ty) {
                (Domain::Range(a, b), _) => {
                    let view = self.mover();
                    let (a, b) = (self.int(a, view), self.int(b, view));
                    let (a, b) = (self.b.const_of(a).unwrap_or(0), self.b.const_of(b).unwrap_or(0));
                    let radix = (i64::from(b) - i64::from(a) + 1).max(1) as u64;
                    (VarKind::Int, a, radix)
                }
                (Domain::Sites(_), _) => (VarKind::Site, -(none as i32), self.b.sites as u64 + none),
                (Domain::Kinds(_), _) => {
                    (VarKind::Kind, -(none as i32), self.rules.kinds.len() as u64 + none)
                }
                (Domain::Directions(_), _) => {
                    (VarKind::Direction, -(none as i32), self.rules.board.directions().len() as u64 + none)
                }
                (Domain::Players, _) => (VarKind::Player, 0, self.rules.players.len() as u64),
            };
            let size = multiplier.saturating_mul(radix);
            if size > i32::MAX as u64 {
                self.limit(
                    d.span,
                    format!("decision `{}` has more than {} conceivable choices", d.name, i32::MAX),
                );
                return Vec::new();
            }
            vars.push(Var {
                name,
                kind,
                local: self.b.int_local(),
                offset,
                radix: radix as u32,
                multiplier: multiplier as u32,
            });
            multiplier = size;
        }
        vars.reverse();
        vars
    }

    pub(super) fn bind_vars(&mut self, plan: &Plan) {
        for (v, var) in plan.d.vars.iter().zip(&plan.vars) {
            let bound = self.b.int(IntOp::Local(var.local));
            self.values.insert(v.local, Node::Int(bound));
            self.facts.remove(&bound);
            self.b.ranges.remove(&var.local);
            self.b.masks.remove(&var.local);
        }
    }

    /// The tests due once so many vars are bound, as one condition. A let that several of them name is bound once around
    /// these; but sites may be tested all at once, where each test stands alone, so that passes see what it is about.
    pub(super) fn test(&mut self, plan: &Plan<'r>, bound: usize) -> IntId {
        let tests = plan.tests.get(bound).cloned().unwrap_or_default();
        let last = bound.checked_sub(1).and_then(|last| plan.vars.get(last));
        let apart = last.is_some_and(|var| var.kind == VarKind::Site);
        let lets = |t: &Test<'r>| -> BTreeSet<LocalId> {
            lets_of(plan.d, &mut t.locals(plan.d)).into_iter().map(|(id, _)| id).collect()
        };
        let named: Vec<_> = tests.iter().map(lets).collect();
        let shares = |i: usize| {
            let mut others = named.iter().enumerate().filter(|(j, _)| *j != i);
            !apart && others.any(|(_, other)| named.get(i).is_some_and(|own| !own.is_disjoint(other)))
        };
        let mut together = Vec::new();
        let mut groups: Vec<Vec<Test<'r>>> = Vec::new();
        for (i, test) in tests.iter().enumerate() {
            if shares(i) { together.push(*test) } else { groups.push(vec![*test]) }
        }
        // What is tested after the effects costs most: it comes last.
        let is_where = |group: &Vec<Test<'r>>| matches!(group[..], [Test::Where(_)]);
        groups.insert(groups.iter().take_while(|group| is_where(group)).count(), together);
        let mut all = self.b.num(1);
        for group in groups {
            let used = group.iter().flat_map(|t| t.locals(plan.d)).collect();
            let one = self.with_lets(plan.d, used, plan.view, |l| {
                let yes = l.b.num(1);
                let codes: Vec<IntId> = group.iter().map(|t| l.one_test(plan, *t)).collect();
                codes.into_iter().rev().fold(yes, |rest, code| l.b.int(IntOp::And(code, rest)))
            });
            all = self.b.int(IntOp::And(all, one));
        }
        all
    }

    /// A test, the lets that it names being bound.
    fn one_test(&mut self, plan: &Plan<'r>, test: Test<'r>) -> IntId {
        match test {
            Test::Where(e) => self.int(e, plan.view),
            Test::Keeps(e) => {
                let (block, view) = self.copy(&plan.d.effects, plan.view);
                let kept = self.int(e, view);
                self.b.depth -= 1;
                self.b.after_int(block, kept)
            }
        }
    }

    /// Code with the lets bound around it that are among some locals, or are named by those.
    fn with_lets(
        &mut self,
        d: &'r Decision,
        mut used: BTreeSet<LocalId>,
        view: View,
        code: impl FnOnce(&mut Self) -> IntId,
    ) -> IntId {
        let wanted = lets_of(d, &mut used);
        let mut lets = Vec::new();
        for (id, value) in wanted {
            let value = self.value(value, view);
            let (value, held) = self.b.hold(value);
            self.values.insert(id, value);
            lets.extend(held);
        }
        let body = code(self);
        let wrapped = self.b.wrap(body.into(), lets);
        self.b.int_of(wrapped)
    }

    /// The base with a var's value added.
    fn add(&mut self, base: IntId, var: &Var, value: IntId) -> IntId {
        let (offset, multiplier) = (self.b.num(var.offset), self.b.num(var.multiplier as i32));
        let digit = self.b.int(IntOp::Binary(Binary::Sub, value, offset));
        let part = self.b.int(IntOp::Binary(Binary::Mul, digit, multiplier));
        self.b.int(IntOp::Binary(Binary::Add, base, part))
    }

    /// The loops from var `i` inwards.
    fn generate(&mut self, plan: &Plan<'r>, i: usize, base: IntId, block: &mut Block) {
        // The tests of the outer loops are made by the caller.
        let cond = if i == 0 { self.test(plan, 0) } else { self.b.num(1) };
        if self.b.const_of(cond) == Some(0) {
            return;
        }
        let mut inner = Vec::new();
        self.choices(plan, i, base, &mut inner);
        self.guarded(cond, inner, block);
    }

    /// Statements under a condition.
    pub(super) fn guarded(&mut self, cond: IntId, inner: Block, block: &mut Block) {
        match self.b.const_of(cond) {
            Some(0) => {}
            Some(_) => block.extend(inner),
            None if inner.is_empty() => {}
            None => {
                let then = self.b.block(inner);
                block.push(Stmt::If(cond, then, None));
            }
        }
    }

    pub(super) fn is_segment(&self, plan: &Plan, i: usize) -> bool {
        i + 1 == plan.vars.len()
            && plan.vars.get(i).is_some_and(|v| v.kind == VarKind::Site)
            && plan.d.vars.get(i).is_some_and(|v| !v.optional)
    }

    fn choices(&mut self, plan: &Plan<'r>, i: usize, base: IntId, block: &mut Block) {
        let (Some(var), Some(chosen)) = (plan.vars.get(i), plan.d.vars.get(i)) else {
            block.push(Stmt::EmitOne(base));
            return;
        };
        let domain = self.domain(&chosen.domain, plan.view);
        let bound = self.b.int(IntOp::Local(var.local));
        // Each direction on its own: a step in it is one relation then, not a choice among those of all labels.
        if let Some(directions) = self.each_direction(plan, i, &domain) {
            for d in directions {
                let d = self.b.num(d);
                block.extend(self.chosen(plan, i, base, d));
            }
            self.values.insert(chosen.local, Node::Int(bound));
            return;
        }
        if let prog::Domain::Set(set) = domain {
            if self.b.is_empty(set) && !chosen.optional {
                return;
            }
            let fact = match &chosen.domain {
                Domain::Sites(e) => self.known.of_set(e),
                _ => Fact::NONE,
            };
            // Each kind on its own, where its own pattern is asked for: then the kind is known. A site that may
            // be vacant has none.
            if let Some(kinds) = self.each_kind_of(plan, i, fact) {
                for k in kinds {
                    let kind = self.b.num(k as i32);
                    let of_kind = self.kind_set(kind);
                    let part = self.b.set(SetOp::And(set, of_kind));
                    let fact = Fact { kinds: 1 << k, ..fact };
                    self.over_sites(plan, i, part, fact, base, block);
                }
                self.facts.remove(&bound);
                return;
            }
            if !chosen.optional {
                self.over_sites(plan, i, set, fact, base, block);
                self.facts.remove(&bound);
                return;
            }
        }
        self.optional_or_counted(plan, i, domain, base, block);
    }

    /// The kinds of the pieces on the sites of var `i`, where each is looked at on its own.
    pub(super) fn each_kind_of(&self, plan: &Plan, i: usize, fact: Fact) -> Option<Vec<usize>> {
        let chosen = plan.d.vars.get(i)?;
        let pieces = fact.whose.is_some() || fact.kinds != Fact::NONE.kinds;
        let apart = !chosen.optional
            && pieces
            && fact.kinds.count_ones() > 1
            && uses_patterns(plan.d, chosen.local, self.rules);
        apart.then(|| (0..self.rules.kinds.len()).filter(|k| fact.kinds & 1 << k != 0).collect())
    }

    /// The code for one value of var `i`: its tests, and the loops inside.
    fn chosen(&mut self, plan: &Plan<'r>, i: usize, base: IntId, value: IntId) -> Block {
        let mut block = Vec::new();
        let (Some(var), Some(chosen)) = (plan.vars.get(i), plan.d.vars.get(i)) else { return block };
        self.values.insert(chosen.local, Node::Int(value));
        let cond = self.test(plan, i + 1);
        let next = self.add(base, var, value);
        let mut inner = Vec::new();
        self.choices(plan, i + 1, next, &mut inner);
        self.guarded(cond, inner, &mut block);
        block
    }

    /// The directions that var `i` ranges over, where code is written for each on its own.
    pub(super) fn each_direction(&self, plan: &Plan, i: usize, domain: &prog::Domain) -> Option<Vec<i32>> {
        let vars = plan.vars.iter().filter(|var| var.kind == VarKind::Direction).count();
        let of = &plan.d.vars.get(i)?.domain;
        if vars > MAX_DIRECTION_VARS || !matches!(of, Domain::Directions(_)) {
            return None;
        }
        self.written_out(domain, of)
    }

    /// A loop over sites, or a segment.
    fn over_sites(
        &mut self,
        plan: &Plan<'r>,
        i: usize,
        set: SetId,
        fact: Fact,
        base: IntId,
        block: &mut Block,
    ) {
        let Some(var) = plan.vars.get(i) else { return };
        let bound = self.b.int(IntOp::Local(var.local));
        self.facts.insert(bound, fact);
        self.b.ranges.insert(var.local, set);
        if self.is_segment(plan, i) {
            let cond = self.test(plan, i + 1);
            let set = self.filter(var.local, set, cond);
            if self.b.is_empty(set) {
                return;
            }
            let offset = self.b.num(-var.offset * var.multiplier as i32);
            let base = self.b.int(IntOp::Binary(Binary::Add, base, offset));
            block.push(Stmt::Emit { set, base, multiplier: var.multiplier });
            return;
        }
        if self.in_pairs(plan, i, set, base, block) || self.in_pairs_for_each(plan, i, set, base, block) {
            return;
        }
        if self.splits(plan, i + 1) {
            self.split(plan, i, set, base, block);
            return;
        }
        let body = self.chosen(plan, i, base, bound);
        if body.is_empty() {
            return;
        }
        let body = self.b.block(body);
        block.push(Stmt::For { local: var.local, domain: prog::Domain::Set(set), body });
    }

    /// Whether var `i` is a last var that may be none.
    fn splits(&self, plan: &Plan, i: usize) -> bool {
        i + 1 == plan.vars.len()
            && plan.d.vars.get(i).is_some_and(|v| v.optional && matches!(v.domain, Domain::Kinds(_)))
    }

    /// Sites followed by a kind that may be none: the sites without a kind are a segment, the others a loop.
    fn split(&mut self, plan: &Plan<'r>, i: usize, set: SetId, base: IntId, block: &mut Block) {
        let (Some(var), Some(last)) = (plan.vars.get(i), plan.vars.get(i + 1)) else { return };
        let Some(chosen) = plan.d.vars.get(i + 1) else { return };
        let bound = self.b.int(IntOp::Local(var.local));
        let first = self.test(plan, i + 1);
        let prog::Domain::Mask(mask) = self.domain(&chosen.domain, plan.view) else { return };
        let zero = self.b.num(0);
        let plain = self.b.int(IntOp::Binary(Binary::Eq, mask, zero));
        // Without a kind.
        let none = self.b.num(-1);
        self.values.insert(chosen.local, Node::Int(none));
        let quiet = self.b.int(IntOp::And(first, plain));
        let candidates = self.filter(var.local, set, quiet);
        let cond = self.test(plan, i + 2);
        let sites = self.filter(var.local, candidates, cond);
        if !self.b.is_empty(sites) {
            let offset = self.b.num(-var.offset * var.multiplier as i32);
            let base = self.b.int(IntOp::Binary(Binary::Add, base, offset));
            let base = self.add(base, last, none);
            block.push(Stmt::Emit { set: sites, base, multiplier: var.multiplier });
        }
        // With one.
        let kind = self.b.int(IntOp::Local(last.local));
        self.values.insert(chosen.local, Node::Int(kind));
        let some = self.b.int(IntOp::Unary(Unary::Not, plain));
        let some = self.b.int(IntOp::And(first, some));
        let others = self.filter(var.local, set, some);
        if self.b.is_empty(others) {
            return;
        }
        let cond = self.test(plan, i + 2);
        let next = self.add(base, var, bound);
        let next = self.add(next, last, kind);
        let mut one = Vec::new();
        self.guarded(cond, vec![Stmt::EmitOne(next)], &mut one);
        let one = self.b.block(one);
        let body =
            self.b.block(vec![Stmt::For { local: last.local, domain: prog::Domain::Mask(mask), body: one }]);
        block.push(Stmt::For { local: var.local, domain: prog::Domain::Set(others), body });
    }

    /// Any other var: a loop, and one choice of none where it may be none.
    fn optional_or_counted(
        &mut self,
        plan: &Plan<'r>,
        i: usize,
        domain: prog::Domain,
        base: IntId,
        block: &mut Block,
    ) {
        let (Some(var), Some(chosen)) = (plan.vars.get(i), plan.d.vars.get(i)) else { return };
        let bound = self.b.int(IntOp::Local(var.local));
        if chosen.optional {
            let some = match domain {
                prog::Domain::Set(s) => self.b.int(IntOp::Some(s)),
                prog::Domain::Mask(m) => {
                    let zero = self.b.num(0);
                    let none = self.b.int(IntOp::Binary(Binary::Eq, m, zero));
                    self.b.int(IntOp::Unary(Unary::Not, none))
                }
                prog::Domain::Range(..) => self.b.num(1),
            };
            let empty = self.b.int(IntOp::Unary(Unary::Not, some));
            if self.b.const_of(empty) != Some(0) {
                let none = self.b.num(-1);
                let body = self.chosen(plan, i, base, none);
                self.guarded(empty, body, block);
            }
        }
        if let prog::Domain::Mask(mask) = domain {
            self.b.masks.insert(var.local, mask);
        }
        let body = self.chosen(plan, i, base, bound);
        if body.is_empty() {
            return;
        }
        let body = self.b.block(body);
        block.push(Stmt::For { local: var.local, domain, body });
    }

    /// The block that does a move: the lets that the effects use, then the effects.
    fn apply(&mut self, plan: &Plan<'r>) -> prog::BlockId {
        let d = plan.d;
        self.bind_vars(plan);
        self.know_choice(&d.vars, &plan.vars);
        let view = plan.view;
        let mut used = BTreeSet::new();
        d.effects.iter().for_each(|e| sem::Part::Effect(e).locals(&mut used));
        let wanted = lets_of(d, &mut used);
        let mut block = Vec::new();
        for (id, value) in wanted {
            let value = self.value(value, view);
            let value = self.keep(value, &mut block);
            self.values.insert(id, value);
        }
        self.effects(&d.effects, view, &mut block);
        self.b.block(block)
    }
}

/// The lets of a decision that are among some locals or are used by those lets, outermost first. Their locals are added
/// to the used ones.
fn lets_of<'d>(d: &'d Decision, used: &mut BTreeSet<LocalId>) -> Vec<(LocalId, &'d Expr)> {
    let mut wanted = Vec::new();
    for (id, value) in d.lets.iter().rev() {
        if used.contains(id) {
            wanted.push((*id, value));
            sem::Part::Expr(value).locals(used);
        }
    }
    wanted.reverse();
    wanted
}

/// The tests of a decision, each at the number of vars that it needs.
pub(super) fn tests(d: &Decision) -> Vec<Vec<Test<'_>>> {
    let mut out = vec![Vec::new(); d.vars.len() + 1];
    let mut conjuncts = Vec::new();
    if let Some(e) = &d.where_ {
        split_and(e, &mut conjuncts);
    }
    for e in conjuncts {
        let mut used = Test::Where(e).locals(d);
        lets_of(d, &mut used);
        let level = d.vars.iter().rposition(|v| used.contains(&v.local)).map_or(0, |i| i + 1);
        if let Some(list) = out.get_mut(level) {
            list.push(Test::Where(e));
        }
    }
    if let (Some(e), Some(list)) = (&d.keeps, out.last_mut()) {
        list.push(Test::Keeps(e));
    }
    out
}

fn split_and<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => {
            split_and(a, out);
            split_and(b, out);
        }
        _ => out.push(e),
    }
}

/// Whether a decision follows a pattern trait from a chosen site, or asks for its kind.
fn uses_patterns(d: &Decision, local: LocalId, rules: &sem::Rules) -> bool {
    let mut found = false;
    let mut look = |e: &Expr| {
        if matches!(e.kind, ExprKind::Follow { relation: Relation::Trait(_), converse: false, .. }) {
            found = true;
        }
    };
    let mut exprs: Vec<&Expr> = d.where_.iter().collect();
    for v in &d.vars {
        match &v.domain {
            Domain::Sites(e) | Domain::Kinds(e) => exprs.push(e),
            _ => {}
        }
    }
    // Each definition is looked into once.
    let (mut seen, mut new) = (BTreeSet::new(), Vec::new());
    let mut queue: Vec<&Expr> = Vec::new();
    for e in exprs {
        let mut used = BTreeSet::new();
        sem::Part::Expr(e).locals(&mut used);
        if used.contains(&local) {
            queue.push(e);
        }
    }
    while let Some(e) = queue.pop() {
        sem::Part::Expr(e).exprs(&mut |e| {
            look(e);
            if let ExprKind::Call(f, ..) = &e.kind
                && seen.insert(*f)
            {
                new.push(*f);
            }
        });
        let bodies = new.drain(..).filter_map(|f| rules.defines.get(f)).flat_map(|f| &f.bodies);
        queue.extend(bodies);
    }
    found
}
