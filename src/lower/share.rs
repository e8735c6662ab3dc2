//! What is computed twice is computed once.
//!
//! Equal nodes are one node of the arena, but running a tree computes them wherever they stand. This pass
//! binds a set that stands in several branches of a node, or inside a loop that it does not depend on, to a
//! local around that node: as deep as possible, so that a branch that is not taken costs nothing.
//!
//! The value of an expression is the same wherever it stands between two changes of the position, so
//! generators (which change nothing) are shared as a whole, effects statement by statement, and what is
//! evaluated in a copy of the position on its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::builder::{Builder, SET_LOCAL};
use super::children::{Child, Node, children, children_of_block};
use crate::program::{Block, BlockId, Domain, IntId, IntOp, SetId, SetOp, Stmt};

/// What a loop and the loops that are all there is in it run over, as far as that is known before: where one of
/// them is empty none does anything.
fn domains(b: &Builder, s: &Stmt, scope: &Scope) -> Vec<SetId> {
    let (mut inner, mut out) = (s, Vec::new());
    while let Stmt::For { domain: Domain::Set(domain), body, .. } = inner {
        if b.info(*domain).free.iter().all(|l| scope.locals.contains(l)) {
            out.push(*domain);
        }
        match b.block_of(*body).as_slice() {
            [only] => inner = only,
            _ => break,
        }
    }
    out
}

/// From so many sets on that are computed before a loop it is asked first whether it runs.
const MUCH: usize = 4;

/// The locals in sight, and what is bound to one already.
#[derive(Clone, Default)]
struct Scope {
    locals: BTreeSet<u32>,
    bound: BTreeMap<SetId, u32>,
    /// Integer locals that are only another name of a local or a constant.
    names: BTreeMap<u32, IntId>,
    /// Integer locals that are dealt numbers, and which.
    dealt: BTreeMap<u32, IntId>,
}

/// The pass.
#[derive(Default)]
pub(super) struct Sharing {
    contained: HashMap<Node, Rc<BTreeSet<SetId>>>,
    done: HashMap<BlockId, BlockId>,
}

impl Sharing {
    /// An expression that is evaluated on its own, with these integer locals in sight.
    pub(super) fn int(&mut self, b: &mut Builder, id: IntId, locals: &[u32]) -> IntId {
        let scope = Scope { locals: locals.iter().copied().collect(), ..Scope::default() };
        self.rewrite_int(b, id, &scope)
    }

    /// A generator.
    pub(super) fn generator(&mut self, b: &mut Builder, id: BlockId) -> BlockId {
        let scope = Scope { locals: BTreeSet::from([0]), ..Scope::default() };
        self.quiet_inner(b, id, &scope)
    }

    /// A block of effects, with these integer locals in sight.
    pub(super) fn effects(&mut self, b: &mut Builder, id: BlockId, locals: &[u32]) -> BlockId {
        let scope = Scope { locals: locals.iter().copied().collect(), ..Scope::default() };
        self.loud_block(b, id, &scope)
    }

    /// The sets worth binding that stand in a node, itself included.
    fn contained(&mut self, b: &mut Builder, node: Node) -> Rc<BTreeSet<SetId>> {
        if let Some(known) = self.contained.get(&node) {
            return known.clone();
        }
        let mut all = BTreeSet::new();
        for c in children(b, node) {
            let inner = self.contained(b, c.node);
            if !b.work.take(1 + inner.len() as u64) {
                return Rc::default();
            }
            all.extend(inner.iter().copied());
        }
        if let Node::Set(id) = node
            && worth_binding(b, id)
        {
            all.insert(id);
        }
        let all = Rc::new(all);
        self.contained.insert(node, all.clone());
        all
    }

    /// What is to be bound around some children: what stands in two of them, or in a loop.
    fn wanted(&mut self, b: &mut Builder, parts: &[Child], scope: &Scope) -> Vec<SetId> {
        let mut times: BTreeMap<SetId, u32> = BTreeMap::new();
        let mut own: BTreeSet<(usize, SetId)> = BTreeSet::new();
        for c in parts {
            let inner = self.contained(b, c.node);
            b.work.take(inner.len() as u64);
            for s in inner.iter() {
                let free = b.info(*s).free.iter().all(|l| scope.locals.contains(l));
                if free && !scope.bound.contains_key(s) && c.branch.is_none_or(|at| own.insert((at, *s))) {
                    *times.entry(*s).or_default() += c.times();
                }
            }
        }
        let mut wanted: Vec<SetId> = times.into_iter().filter(|(_, n)| *n > 1).map(|(s, _)| s).collect();
        // A set that stands only in another one to be bound is bound with it. Operands have lower numbers.
        wanted.reverse();
        let mut kept: Vec<SetId> = Vec::new();
        for s in wanted {
            let mut outside = 0;
            let mut seen: BTreeSet<usize> = BTreeSet::new();
            for c in parts {
                let stands = self.stands(b, c.node, s, &kept, scope);
                if stands > 0 && c.branch.is_none_or(|at| seen.insert(at)) {
                    outside += c.times();
                }
            }
            for k in kept.clone() {
                for c in children(b, Node::Set(k)) {
                    outside += self.stands(b, c.node, s, &kept, scope);
                }
            }
            if outside > 1 {
                kept.push(s);
            }
        }
        kept.reverse();
        kept
    }

    /// Whether a set stands in a node other than inside the sets that are bound already; 0 or 1.
    fn stands(&mut self, b: &mut Builder, node: Node, set: SetId, kept: &[SetId], scope: &Scope) -> u32 {
        if !b.work.take(1 + kept.len() as u64 / 8) || node == Node::Set(set) {
            return 1;
        }
        if matches!(node, Node::Set(s) if kept.contains(&s) || scope.bound.contains_key(&s))
            || !self.contained(b, node).contains(&set)
        {
            return 0;
        }
        u32::from(children(b, node).into_iter().any(|c| self.stands(b, c.node, set, kept, scope) > 0))
    }

    /// Binds some sets in order: the locals with their values, and the scope with them.
    fn bind(&mut self, b: &mut Builder, wanted: &[SetId], scope: &Scope) -> (Vec<(u32, SetId)>, Scope) {
        b.work.take((scope.bound.len() + scope.locals.len()) as u64 / 8);
        let mut scope = scope.clone();
        let mut lets = Vec::new();
        for s in wanted {
            let value = self.inside_set(b, *s, &scope);
            let local = b.set_local();
            lets.push((local, value));
            scope.bound.insert(*s, local);
            scope.locals.insert(local | SET_LOCAL);
        }
        (lets, scope)
    }

    fn rewrite_set(&mut self, b: &mut Builder, id: SetId, scope: &Scope) -> SetId {
        if !b.work.take(1) {
            return id;
        }
        if let Some(local) = scope.bound.get(&id) {
            return b.set(SetOp::Local(*local));
        }
        let parts = children(b, Node::Set(id));
        let wanted = self.wanted(b, &parts, scope);
        let (lets, inner) = self.bind(b, &wanted, scope);
        let mut out = self.inside_set(b, id, &inner);
        for (local, value) in lets.into_iter().rev() {
            out = b.set(SetOp::LetSet { local, value, body: out });
        }
        out
    }

    fn rewrite_int(&mut self, b: &mut Builder, id: IntId, scope: &Scope) -> IntId {
        if !b.work.take(1) {
            return id;
        }
        let id = b.by_dealt_number(id, &scope.dealt).unwrap_or(id);
        let parts = children(b, Node::Int(id));
        let wanted = self.wanted(b, &parts, scope);
        let (lets, inner) = self.bind(b, &wanted, scope);
        let mut out = self.inside_int(b, id, &inner);
        for (local, value) in lets.into_iter().rev() {
            out = b.int(IntOp::LetSet { local, value, body: out });
        }
        out
    }

    /// The scope of the body of a local that is bound to a number, and whether it is to be bound at all.
    fn named(b: &Builder, scope: &Scope, local: u32, value: IntId) -> (Scope, bool) {
        let mut inner = Self::within(scope, local);
        match b.int_op(value) {
            IntOp::Local(_) | IntOp::Const(_) => {
                inner.names.insert(local, value);
                return (inner, false);
            }
            IntOp::Dealt { .. } => drop(inner.dealt.insert(local, value)),
            _ => {}
        }
        (inner, true)
    }

    /// The scope of a child that binds a local.
    fn within(scope: &Scope, local: u32) -> Scope {
        let mut inner = scope.clone();
        inner.locals.insert(local);
        // What a local of that number was outside says nothing of this one.
        inner.names.remove(&local);
        inner.dealt.remove(&local);
        inner
    }

    fn domain(&mut self, b: &mut Builder, d: Domain, scope: &Scope) -> Domain {
        match d {
            Domain::Set(s) => Domain::Set(self.rewrite_set(b, s, scope)),
            Domain::Range(x, y) => {
                let x = self.rewrite_int(b, x, scope);
                Domain::Range(x, self.rewrite_int(b, y, scope))
            }
            Domain::Mask(m) => Domain::Mask(self.rewrite_int(b, m, scope)),
        }
    }

    /// A node with its children rewritten.
    fn inside_set(&mut self, b: &mut Builder, id: SetId, scope: &Scope) -> SetId {
        let op = match b.op(id).clone() {
            op @ (SetOp::Const(_) | SetOp::Layer(_) | SetOp::Local(_)) => op,
            SetOp::LayerRow { base, count, index } => {
                SetOp::LayerRow { base, count, index: self.rewrite_int(b, index, scope) }
            }
            SetOp::Site(x) => SetOp::Site(self.rewrite_int(b, x, scope)),
            SetOp::And(x, y) => SetOp::And(self.rewrite_set(b, x, scope), self.rewrite_set(b, y, scope)),
            SetOp::Or(x, y) => SetOp::Or(self.rewrite_set(b, x, scope), self.rewrite_set(b, y, scope)),
            SetOp::Sub(x, y) => SetOp::Sub(self.rewrite_set(b, x, scope), self.rewrite_set(b, y, scope)),
            SetOp::Otherwise(x, y) => {
                SetOp::Otherwise(self.rewrite_set(b, x, scope), self.rewrite_set(b, y, scope))
            }
            SetOp::Not(x) => SetOp::Not(self.rewrite_set(b, x, scope)),
            SetOp::If(c, x, y) => SetOp::If(
                self.rewrite_int(b, c, scope),
                self.rewrite_set(b, x, scope),
                self.rewrite_set(b, y, scope),
            ),
            SetOp::Switch(c, cases) => {
                let c = self.rewrite_int(b, c, scope);
                SetOp::Switch(c, cases.iter().map(|s| self.rewrite_set(b, *s, scope)).collect())
            }
            SetOp::Image { relation, of } => SetOp::Image { relation, of: self.rewrite_set(b, of, scope) },
            SetOp::Row { relation, site } => SetOp::Row { relation, site: self.rewrite_int(b, site, scope) },
            SetOp::Slide { rays, from, through, over } => SetOp::Slide {
                rays,
                from: self.rewrite_set(b, from, scope),
                through: self.rewrite_set(b, through, scope),
                over: over.map(|o| self.rewrite_set(b, o, scope)),
            },
            SetOp::Between { rays, from, to } => SetOp::Between {
                rays,
                from: self.rewrite_set(b, from, scope),
                to: self.rewrite_set(b, to, scope),
            },
            SetOp::Flood { relation, seed, within } => SetOp::Flood {
                relation,
                seed: self.rewrite_set(b, seed, scope),
                within: self.rewrite_set(b, within, scope),
            },
            SetOp::Fix { local, seed, within, step } => {
                let (seed, within) = (self.rewrite_set(b, seed, scope), self.rewrite_set(b, within, scope));
                let inner = Self::within(scope, local | SET_LOCAL);
                SetOp::Fix { local, seed, within, step: self.rewrite_set(b, step, &inner) }
            }
            SetOp::Ring { relation, of, steps } => SetOp::Ring {
                relation,
                of: self.rewrite_set(b, of, scope),
                steps: self.rewrite_int(b, steps, scope),
            },
            SetOp::Line { steps, of, length } => SetOp::Line {
                steps,
                of: self.rewrite_set(b, of, scope),
                length: self.rewrite_int(b, length, scope),
            },
            SetOp::Filter { local, domain, cond } => {
                let domain = self.rewrite_set(b, domain, scope);
                if let Some(sites) = b.dealt_sites(local, cond) {
                    let sites = self.rewrite_set(b, sites, scope);
                    return b.set(SetOp::And(domain, sites));
                }
                let cond = self.rewrite_int(b, cond, &Self::within(scope, local));
                SetOp::Filter { local, domain, cond }
            }
            SetOp::Union { local, domain, body } => {
                let domain = self.domain(b, domain, scope);
                let body = self.rewrite_set(b, body, &Self::within(scope, local));
                SetOp::Union { local, domain, body }
            }
            SetOp::LetSet { local, value, body } => {
                let value = self.rewrite_set(b, value, scope);
                let body = self.rewrite_set(b, body, &Self::within(scope, local | SET_LOCAL));
                SetOp::LetSet { local, value, body }
            }
            SetOp::LetInt { local, value, body } => {
                let value = self.rewrite_int(b, value, scope);
                let (inner, bind) = Self::named(b, scope, local, value);
                let body = self.rewrite_set(b, body, &inner);
                if !bind {
                    return body;
                }
                SetOp::LetInt { local, value, body }
            }
            SetOp::After(block, value) => {
                // Another position: nothing of this one is the same there.
                let inner = Scope { bound: BTreeMap::new(), ..scope.clone() };
                let block = self.loud_block(b, block, &inner);
                SetOp::After(block, self.rewrite_set(b, value, &inner))
            }
        };
        b.guarded(op)
    }

    fn inside_int(&mut self, b: &mut Builder, id: IntId, scope: &Scope) -> IntId {
        let two = |s: &mut Self, b: &mut Builder, x: IntId, y: IntId| {
            let x = s.rewrite_int(b, x, scope);
            (x, s.rewrite_int(b, y, scope))
        };
        let op = match b.int_op(id).clone() {
            IntOp::Local(local) => return scope.names.get(&local).copied().unwrap_or(id),
            op @ (IntOp::Const(_) | IntOp::Slot(_)) => op,
            IntOp::SlotRow { base, count, index, missing } => {
                IntOp::SlotRow { base, count, index: self.rewrite_int(b, index, scope), missing }
            }
            IntOp::Dealt { base, count, index, missing } => {
                IntOp::Dealt { base, count, index: self.rewrite_int(b, index, scope), missing }
            }
            IntOp::Lookup { table, index, missing } => {
                IntOp::Lookup { table, index: self.rewrite_int(b, index, scope), missing }
            }
            IntOp::Abs(x) => IntOp::Abs(self.rewrite_int(b, x, scope)),
            IntOp::Bit(x) => IntOp::Bit(self.rewrite_int(b, x, scope)),
            IntOp::BitCount(x) => IntOp::BitCount(self.rewrite_int(b, x, scope)),
            IntOp::BitFirst(x) => IntOp::BitFirst(self.rewrite_int(b, x, scope)),
            IntOp::Not(x) => IntOp::Not(self.rewrite_int(b, x, scope)),
            IntOp::KindAt(x) => IntOp::KindAt(self.rewrite_int(b, x, scope)),
            IntOp::OwnerAt(x) => IntOp::OwnerAt(self.rewrite_int(b, x, scope)),
            IntOp::HeightAt(x) => IntOp::HeightAt(self.rewrite_int(b, x, scope)),
            IntOp::Add(x, y) => pair(two(self, b, x, y), IntOp::Add),
            IntOp::Sub(x, y) => pair(two(self, b, x, y), IntOp::Sub),
            IntOp::Mul(x, y) => pair(two(self, b, x, y), IntOp::Mul),
            IntOp::Div(x, y) => pair(two(self, b, x, y), IntOp::Div),
            IntOp::Rem(x, y) => pair(two(self, b, x, y), IntOp::Rem),
            IntOp::Min(x, y) => pair(two(self, b, x, y), IntOp::Min),
            IntOp::Max(x, y) => pair(two(self, b, x, y), IntOp::Max),
            IntOp::BitAnd(x, y) => pair(two(self, b, x, y), IntOp::BitAnd),
            IntOp::BitOr(x, y) => pair(two(self, b, x, y), IntOp::BitOr),
            IntOp::BitSub(x, y) => pair(two(self, b, x, y), IntOp::BitSub),
            IntOp::Eq(x, y) => pair(two(self, b, x, y), IntOp::Eq),
            IntOp::Lt(x, y) => pair(two(self, b, x, y), IntOp::Lt),
            IntOp::Le(x, y) => pair(two(self, b, x, y), IntOp::Le),
            IntOp::And(x, y) => pair(two(self, b, x, y), IntOp::And),
            IntOp::Or(x, y) => pair(two(self, b, x, y), IntOp::Or),
            IntOp::Distance { relation, from, to } => {
                let (from, to) = two(self, b, from, to);
                IntOp::Distance { relation, from, to }
            }
            IntOp::If(c, x, y) => {
                let c = self.rewrite_int(b, c, scope);
                let x = self.rewrite_int(b, x, scope);
                IntOp::If(c, x, self.rewrite_int(b, y, scope))
            }
            IntOp::Switch(c, cases, missing) => {
                let c = self.rewrite_int(b, c, scope);
                IntOp::Switch(c, cases.iter().map(|x| self.rewrite_int(b, *x, scope)).collect(), missing)
            }
            IntOp::Count(s) => IntOp::Count(self.rewrite_set(b, s, scope)),
            IntOp::Some(s) => IntOp::Some(self.rewrite_set(b, s, scope)),
            IntOp::First(s) => IntOp::First(self.rewrite_set(b, s, scope)),
            IntOp::Only(s) => IntOp::Only(self.rewrite_set(b, s, scope)),
            IntOp::Meets(x, y) => IntOp::Meets(self.rewrite_set(b, x, scope), self.rewrite_set(b, y, scope)),
            IntOp::Same(x, y) => IntOp::Same(self.rewrite_set(b, x, scope), self.rewrite_set(b, y, scope)),
            IntOp::Has(s, x) => IntOp::Has(self.rewrite_set(b, s, scope), self.rewrite_int(b, x, scope)),
            IntOp::Any { local, domain, cond } => {
                let domain = self.domain(b, domain, scope);
                IntOp::Any { local, domain, cond: self.rewrite_int(b, cond, &Self::within(scope, local)) }
            }
            IntOp::Sum { local, domain, body } => {
                let domain = self.domain(b, domain, scope);
                IntOp::Sum { local, domain, body: self.rewrite_int(b, body, &Self::within(scope, local)) }
            }
            IntOp::LetSet { local, value, body } => {
                let value = self.rewrite_set(b, value, scope);
                let body = self.rewrite_int(b, body, &Self::within(scope, local | SET_LOCAL));
                IntOp::LetSet { local, value, body }
            }
            IntOp::LetInt { local, value, body } => {
                let value = self.rewrite_int(b, value, scope);
                let (inner, bind) = Self::named(b, scope, local, value);
                let body = self.rewrite_int(b, body, &inner);
                if !bind {
                    return body;
                }
                IntOp::LetInt { local, value, body }
            }
            IntOp::After(block, value) => {
                let inner = Scope { bound: BTreeMap::new(), ..scope.clone() };
                let block = self.loud_block(b, block, &inner);
                IntOp::After(block, self.rewrite_int(b, value, &inner))
            }
        };
        b.int(op)
    }

    /// Statements that change nothing of the position: shared among each other.
    fn quiet_block(&mut self, b: &mut Builder, block: &Block, scope: &Scope) -> Block {
        let all = children_of_block(b, block, true);
        let wanted = self.wanted(b, &all, scope);
        let (lets, mut scope) = self.bind(b, &wanted, scope);
        let mut out: Block = lets.into_iter().map(|(l, v)| Stmt::LetSet(l, v)).collect();
        for s in block {
            let done = match s {
                Stmt::LetSet(l, v) => {
                    let v = self.rewrite_set(b, *v, &scope);
                    scope.locals.insert(l | SET_LOCAL);
                    Stmt::LetSet(*l, v)
                }
                Stmt::LetInt(l, v) => {
                    let v = self.rewrite_int(b, *v, &scope);
                    scope.locals.insert(*l);
                    Stmt::LetInt(*l, v)
                }
                Stmt::Emit { set, base, multiplier } => Stmt::Emit {
                    set: self.rewrite_set(b, *set, &scope),
                    base: self.rewrite_int(b, *base, &scope),
                    multiplier: *multiplier,
                },
                Stmt::EmitOne(n) => Stmt::EmitOne(self.rewrite_int(b, *n, &scope)),
                Stmt::If(c, x, y) => {
                    let c = self.rewrite_int(b, *c, &scope);
                    let x = self.quiet_inner(b, *x, &scope);
                    let y = y.map(|y| self.quiet_inner(b, y, &scope));
                    Stmt::If(c, x, y)
                }
                Stmt::For { .. } => self.quiet_loop(b, s, &mut scope, &mut out),
                other => other.clone(),
            };
            out.push(done);
        }
        out
    }

    /// A loop with what is computed once for it. Where that is much, it is asked first whether the loop runs.
    fn quiet_loop(&mut self, b: &mut Builder, s: &Stmt, scope: &mut Scope, before: &mut Block) -> Stmt {
        let Stmt::For { local, domain, body } = s else { return s.clone() };
        let parts = children_of_block(b, std::slice::from_ref(s), false);
        let own = self.wanted(b, &parts, scope);
        let asked = if own.len() < MUCH { Vec::new() } else { domains(b, s, scope) };
        let held: Vec<SetId> =
            asked.iter().copied().filter(|d| own.contains(d) || worth_binding(b, *d)).collect();
        let (lets, inner) = self.bind(b, &held, scope);
        before.extend(lets.into_iter().map(|(l, v)| Stmt::LetSet(l, v)));
        *scope = inner;
        let mut runs = b.num(1);
        for domain in asked {
            let domain = self.rewrite_set(b, domain, scope);
            let some = b.int(IntOp::Some(domain));
            runs = b.int(IntOp::And(runs, some));
        }
        let own: Vec<SetId> = own.into_iter().filter(|s| !held.contains(s)).collect();
        let (lets, inner) = self.bind(b, &own, scope);
        let lets = lets.into_iter().map(|(l, v)| Stmt::LetSet(l, v));
        let domain = self.domain(b, *domain, &inner);
        let body = self.quiet_inner(b, *body, &Self::within(&inner, *local));
        let run = Stmt::For { local: *local, domain, body };
        if b.const_of(runs).is_some() {
            before.extend(lets);
            *scope = inner;
            return run;
        }
        let block = b.block(lets.chain([run]).collect());
        Stmt::If(runs, block, None)
    }

    fn quiet_inner(&mut self, b: &mut Builder, id: BlockId, scope: &Scope) -> BlockId {
        let block = b.block_of(id).clone();
        let block = self.quiet_block(b, &block, scope);
        b.block(block)
    }

    /// Statements that change the position: each on its own.
    fn loud_block(&mut self, b: &mut Builder, id: BlockId, scope: &Scope) -> BlockId {
        if let Some(done) = self.done.get(&id) {
            return *done;
        }
        let block = b.block_of(id).clone();
        let mut scope = Scope { bound: BTreeMap::new(), ..scope.clone() };
        let mut out = Vec::new();
        for s in &block {
            out.push(self.loud(b, s, &mut scope));
        }
        let new = b.block(out);
        self.done.insert(id, new);
        new
    }

    fn loud(&mut self, b: &mut Builder, s: &Stmt, scope: &mut Scope) -> Stmt {
        match s {
            Stmt::SetLayer(l, v) => Stmt::SetLayer(*l, self.rewrite_set(b, *v, scope)),
            Stmt::SetLayerRow { base, count, index, value } => Stmt::SetLayerRow {
                base: *base,
                count: *count,
                index: self.rewrite_int(b, *index, scope),
                value: self.rewrite_set(b, *value, scope),
            },
            Stmt::SetSlot(l, v) => Stmt::SetSlot(*l, self.rewrite_int(b, *v, scope)),
            Stmt::SetSlotRow { base, count, index, value } => Stmt::SetSlotRow {
                base: *base,
                count: *count,
                index: self.rewrite_int(b, *index, scope),
                value: self.rewrite_int(b, *value, scope),
            },
            Stmt::LetSet(l, v) => {
                let v = self.rewrite_set(b, *v, scope);
                scope.locals.insert(l | SET_LOCAL);
                Stmt::LetSet(*l, v)
            }
            Stmt::LetInt(l, v) => {
                let v = self.rewrite_int(b, *v, scope);
                scope.locals.insert(*l);
                Stmt::LetInt(*l, v)
            }
            Stmt::Put { at, owner, kind, height, vacant } => Stmt::Put {
                at: self.rewrite_set(b, *at, scope),
                owner: self.rewrite_int(b, *owner, scope),
                kind: self.rewrite_int(b, *kind, scope),
                height: *height,
                vacant: *vacant,
            },
            Stmt::Move { from, to, owner, kind, vacant } => Stmt::Move {
                from: self.rewrite_int(b, *from, scope),
                to: self.rewrite_int(b, *to, scope),
                owner: owner.map(|owner| self.rewrite_int(b, owner, scope)),
                kind: *kind,
                vacant: *vacant,
            },
            Stmt::Remove(s) => {
                let at = self.rewrite_set(b, *s, scope);
                b.removed(at)
            }
            Stmt::Lift(s) => Stmt::Lift(self.rewrite_set(b, *s, scope)),
            Stmt::Turn { at, owner, kind } => Stmt::Turn {
                at: self.rewrite_set(b, *at, scope),
                owner: owner.map(|o| self.rewrite_int(b, o, scope)),
                kind: kind.map(|k| self.rewrite_int(b, k, scope)),
            },
            Stmt::Carry { at, relation } => {
                Stmt::Carry { at: self.rewrite_set(b, *at, scope), relation: *relation }
            }
            Stmt::SwapSides => Stmt::SwapSides,
            Stmt::If(c, x, y) => {
                let c = self.rewrite_int(b, *c, scope);
                let x = self.loud_block(b, *x, scope);
                Stmt::If(c, x, y.map(|y| self.loud_block(b, y, scope)))
            }
            Stmt::For { local, domain, body } => {
                let domain = self.domain(b, *domain, scope);
                let body = self.loud_block(b, *body, &Self::within(scope, *local));
                Stmt::For { local: *local, domain, body }
            }
            Stmt::Emit { .. } | Stmt::EmitOne(_) => s.clone(),
        }
    }
}

fn pair((x, y): (IntId, IntId), op: fn(IntId, IntId) -> IntOp) -> IntOp {
    op(x, y)
}

/// Whether computing a set costs more than reading a local.
fn worth_binding(b: &Builder, id: SetId) -> bool {
    !matches!(
        b.op(id),
        SetOp::Const(_)
            | SetOp::Layer(_)
            | SetOp::LayerRow { .. }
            | SetOp::Local(_)
            | SetOp::Site(_)
            | SetOp::Row { .. }
    )
}
