//! Common subexpressions and loop invariants are computed once.
//!
//! Equal nodes are one node of the arena, but a program computes a node at each place where it stands. This pass binds
//! a set to a local if the set stands in several branches of a node, or inside a loop that it does not depend on. The
//! local is bound as deep as possible, so that a branch that is not taken costs nothing; and so is a local that the
//! rules bind (`sink`). Conditions without which nothing is left to compute are asked first (`guard`).
//!
//! An expression has the same value everywhere between two changes of the position. So a generator, which changes
//! nothing, is shared as a whole. Effects are shared statement by statement. Code that runs in a copy of the position
//! is shared on its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::Pass;
use super::builder::{Builder, SET_LOCAL, key};
use super::children::{Child, Node, children, children_of_block};
use crate::program::{Block, BlockId, Domain, Hole, IntId, IntOp, Local, Part, SetId, SetOp, Stmt};

/// The domains of a loop and of the loops directly inside it, as far as they are known before the loop. If one of them
/// is empty the whole nest does nothing.
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

/// If at least so many sets are computed before a loop, a test asks first whether the loop runs at all.
const MIN_SETS_TO_ASK: usize = 4;

/// The locals in scope, and the sets that are bound to one already.
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
pub(crate) struct Sharing {
    contained: HashMap<Node, Rc<BTreeSet<SetId>>>,
    done: HashMap<BlockId, BlockId>,
}

impl Sharing {
    /// An expression that is evaluated on its own, with these integer locals in sight.
    pub(crate) fn int(&mut self, b: &mut Builder, id: IntId, locals: &[u32]) -> IntId {
        let scope = Scope { locals: locals.iter().copied().collect(), ..Scope::default() };
        self.rewrite_int(b, id, &scope)
    }

    /// A generator.
    pub(crate) fn generator(&mut self, b: &mut Builder, id: BlockId) -> BlockId {
        let scope = Scope { locals: BTreeSet::from([0]), ..Scope::default() };
        self.quiet_inner(b, id, &scope)
    }

    /// A block of effects, with these integer locals in sight.
    pub(crate) fn effects(&mut self, b: &mut Builder, id: BlockId, locals: &[u32]) -> BlockId {
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

    /// The sets to be bound around some children: those that stand in two of them, or in a loop.
    fn wanted(&mut self, b: &mut Builder, parts: &[Child], scope: &Scope) -> Vec<SetId> {
        if !b.passes.has(Pass::Share) {
            return Vec::new();
        }
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
        // A set that stands only inside another bound set needs no local of its own. Operands have lower numbers.
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
            let value = self.inside(b, (*s).into(), &scope);
            let value = b.set_of(value);
            let local = b.set_local();
            lets.push((local, value));
            scope.bound.insert(*s, local);
            scope.locals.insert(local | SET_LOCAL);
        }
        (lets, scope)
    }

    fn rewrite_set(&mut self, b: &mut Builder, id: SetId, scope: &Scope) -> SetId {
        let out = self.rewrite(b, id.into(), scope);
        b.set_of(out)
    }

    fn rewrite_int(&mut self, b: &mut Builder, id: IntId, scope: &Scope) -> IntId {
        let out = self.rewrite(b, id.into(), scope);
        b.int_of(out)
    }

    fn rewrite(&mut self, b: &mut Builder, node: Node, scope: &Scope) -> Node {
        if !b.work.take(1) {
            return node;
        }
        let node = match node {
            Node::Set(id) => match scope.bound.get(&id) {
                Some(local) => return b.set(SetOp::Local(*local)).into(),
                None => node,
            },
            Node::Int(id) => b.by_dealt_number(id, &scope.dealt).unwrap_or(id).into(),
        };
        let node = if b.passes.has(Pass::Share) { b.settled(node) } else { node };
        let parts = children(b, node);
        let wanted = self.wanted(b, &parts, scope);
        let (lets, inner) = self.bind(b, &wanted, scope);
        let out = self.inside(b, node, &inner);
        b.wrap(out, lets.into_iter().map(|(local, value)| (local, value.into())))
    }

    /// The rewritten body of a local that is bound to a rewritten number, with the local bound around it if need be.
    fn bound(&mut self, b: &mut Builder, local: u32, value: IntId, body: Node, scope: &Scope) -> Node {
        let (inner, bind) = Self::named(b, scope, local, value);
        let body = self.rewrite(b, body, &inner);
        if bind { b.wrap(body, [(local, value.into())]) } else { body }
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
        // Facts about an outer local of that number do not hold for this one.
        inner.names.remove(&local);
        inner.dealt.remove(&local);
        inner
    }

    /// Rewrites a part. The caller rewrites blocks.
    fn part(&mut self, b: &mut Builder, hole: Hole<'_>, scope: &Scope) {
        match hole {
            Part::Set(set) => *set = self.rewrite_set(b, *set, scope),
            Part::Int(int) => *int = self.rewrite_int(b, *int, scope),
            Part::Block(_) | Part::After(_) => {}
        }
    }

    /// A node with its parts rewritten. The local that the node binds is in scope of the last part only.
    fn inside(&mut self, b: &mut Builder, node: Node, scope: &Scope) -> Node {
        if let Some((Local::Int(local), Node::Int(value), body)) = b.let_of(node) {
            let value = self.rewrite_int(b, value, scope);
            if let Some((cond, number, settled)) = b.settled_case(local, value, body) {
                let other = self.bound(b, local, number, body, scope);
                return b.choose(cond, other, settled);
            }
            return self.bound(b, local, value, body, scope);
        }
        if let Node::Int(id) = node
            && let IntOp::Local(local) = b.int_op(id)
        {
            return scope.names.get(local).map_or(node, |name| (*name).into());
        }
        if let Node::Set(id) = node
            && let SetOp::Filter { local, domain, cond } = *b.op(id)
        {
            let domain = self.rewrite_set(b, domain, scope);
            if let Some(sites) = b.dealt_sites(local, cond) {
                let sites = self.rewrite_set(b, sites, scope);
                return b.set(SetOp::And(domain, sites)).into();
            }
            let cond = self.rewrite_int(b, cond, &Self::within(scope, local));
            return b.set(SetOp::Filter { local, domain, cond }).into();
        }
        let (parts, binds, _) = b.anatomy(node);
        let mut inner = binds.map(|local| Self::within(scope, key(local)));
        let mut left = parts.len();
        let rewritten = b.replaced(node, |b, hole| {
            left -= 1;
            let scope = inner.as_ref().filter(|_| left == 0).unwrap_or(scope);
            match hole {
                // The copy is another position: no set bound outside has the same value there.
                Part::After(block) => {
                    let copied = Scope { bound: BTreeMap::new(), ..scope.clone() };
                    *block = self.loud_block(b, *block, &copied);
                    inner = Some(copied);
                }
                hole => self.part(b, hole, scope),
            }
            Some(())
        });
        match rewritten.unwrap_or(node) {
            Node::Set(set) if b.passes.has(Pass::Guard) => b.asked_first(set).into(),
            node => node,
        }
    }

    /// Statements that change nothing of the position: shared among each other.
    fn quiet_block(&mut self, b: &mut Builder, block: &Block, scope: &Scope) -> Block {
        let all = children_of_block(b, block, true);
        let wanted = self.wanted(b, &all, scope);
        let (lets, mut scope) = self.bind(b, &wanted, scope);
        let mut out: Block = lets.into_iter().map(|(l, v)| Stmt::LetSet(l, v)).collect();
        for s in block {
            let done = match s {
                Stmt::If(c, x, y) => {
                    let c = self.rewrite_int(b, *c, &scope);
                    let x = self.quiet_inner(b, *x, &scope);
                    let y = y.map(|y| self.quiet_inner(b, y, &scope));
                    Stmt::If(c, x, y)
                }
                Stmt::For { .. } => self.quiet_loop(b, s, &mut scope, &mut out),
                s => self.statement(b, s, &mut scope),
            };
            out.push(done);
        }
        out
    }

    /// A loop with its invariants before it. If these are many, a test asks first whether the loop runs.
    fn quiet_loop(&mut self, b: &mut Builder, s: &Stmt, scope: &mut Scope, before: &mut Block) -> Stmt {
        let Stmt::For { local, domain, body } = s else { return s.clone() };
        let parts = children_of_block(b, std::slice::from_ref(s), false);
        let own = self.wanted(b, &parts, scope);
        let asked = if own.len() < MIN_SETS_TO_ASK { Vec::new() } else { domains(b, s, scope) };
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
        let mut domain = *domain;
        domain.each_mut(&mut |hole| self.part(b, hole, &inner));
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
        match self.statement(b, s, scope) {
            Stmt::Remove(at) => b.removal(at),
            Stmt::If(c, x, y) => {
                let x = self.loud_block(b, x, scope);
                Stmt::If(c, x, y.map(|y| self.loud_block(b, y, scope)))
            }
            Stmt::For { local, domain, body } => {
                let body = self.loud_block(b, body, &Self::within(scope, local));
                Stmt::For { local, domain, body }
            }
            s => s,
        }
    }

    /// A statement with its expressions rewritten. The local that it binds is in scope afterwards.
    fn statement(&mut self, b: &mut Builder, s: &Stmt, scope: &mut Scope) -> Stmt {
        let mut s = s.clone();
        s.each_mut(&mut |hole| self.part(b, hole, scope));
        if let Stmt::LetSet(..) | Stmt::LetInt(..) = s {
            scope.locals.extend(s.binds().map(key));
        }
        s
    }
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
