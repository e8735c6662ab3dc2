//! Whether a decision has a legal choice.

use super::decision::{Plan, tests};
use super::facts::Fact;
use super::pairs::MAX_PLAYERS_WRITTEN_OUT;
use super::state::{Lowerer, View};
use crate::improve::Node;
use crate::improve::children;
use crate::program::{self as prog, IntId, IntOp, Part, SetOp, Unary};
use crate::semantics::Domain;

impl<'r> Lowerer<'r> {
    /// Whether a decision has a legal choice for me.
    pub(super) fn can(&mut self, d: usize, view: View) -> IntId {
        let Some(d) = self.rules.decisions.get(d) else { return self.b.num(0) };
        let vars = self.vars(d);
        let plan = Plan { d, tests: tests(d), vars, view };
        self.bind_vars(&plan);
        let found = self.exists(&plan, 0);
        self.for_each_mover(&plan, found)
    }

    /// The same for each player on its own, if no loop is left then. Code that differs by player does not become set
    /// algebra as long as the player is unknown.
    fn for_each_mover(&mut self, plan: &Plan<'r>, found: IntId) -> IntId {
        let players = self.rules.players.len();
        let unknown = self.b.const_of(plan.view.me).is_none();
        if !self.b.walk(Part::Int(found))
            || !unknown
            || !(2..=MAX_PLAYERS_WRITTEN_OUT).contains(&players)
            || !self.loops(Node::Int(found))
        {
            return found;
        }
        let mut cases = Vec::new();
        for p in 0..players {
            let me = self.b.num(p as i32);
            let plan = Plan { view: View { me, ..plan.view }, ..plan.clone() };
            let one = self.exists(&plan, 0);
            if !self.b.walk(Part::Int(one)) || self.loops(Node::Int(one)) {
                return found;
            }
            cases.push(one);
        }
        self.b.int(IntOp::Switch(plan.view.me, cases.into_boxed_slice(), 0))
    }

    /// Whether something in a node is evaluated for each member of a domain, or in a copy of the position.
    fn loops(&self, node: Node) -> bool {
        let runs = self.b.node_info(node).runs;
        runs || children(&self.b, node).into_iter().any(|c| c.looped || self.loops(c.node))
    }

    /// Whether there is a choice, from var `i` inwards.
    fn exists(&mut self, plan: &Plan<'r>, i: usize) -> IntId {
        let cond = if i == 0 { self.test(plan, 0) } else { self.b.num(1) };
        let (Some(var), Some(chosen)) = (plan.vars.get(i), plan.d.vars.get(i)) else { return cond };
        let domain = self.domain(&chosen.domain, plan.view);
        if let Some(directions) = self.each_direction(plan, i, &domain) {
            let mut found = self.b.num(0);
            for d in directions {
                let d = self.b.num(d);
                let one = self.holds_for(plan, i, d);
                found = self.b.int(IntOp::Or(found, one));
            }
            return self.b.int(IntOp::And(cond, found));
        }
        let bound = self.b.int(IntOp::Local(var.local));
        let fact = match &chosen.domain {
            Domain::Sites(e) if !chosen.optional => self.known.of_set(e),
            _ => Fact::NONE,
        };
        // Each kind on its own, as where the choices are made.
        let kinds = if plan.view.fresh { self.each_kind_of(plan, i, fact) } else { None };
        if let (Some(kinds), prog::Domain::Set(set)) = (kinds, domain) {
            let mut found = self.b.num(0);
            for k in kinds {
                let kind = self.b.num(k as i32);
                let of_kind = self.kind_set(kind);
                let part = self.b.set(SetOp::And(set, of_kind));
                self.facts.insert(bound, Fact { kinds: 1 << k, ..fact });
                let one = self.some_choice(plan, i, prog::Domain::Set(part), bound);
                found = self.b.int(IntOp::Or(found, one));
            }
            self.facts.remove(&bound);
            return self.b.int(IntOp::And(cond, found));
        }
        if plan.view.fresh {
            self.facts.insert(bound, fact);
        }
        let mut found = self.some_choice(plan, i, domain, bound);
        self.facts.remove(&bound);
        if chosen.optional {
            let none = self.b.num(-1);
            let without = self.holds_for(plan, i, none);
            let empty = match domain {
                prog::Domain::Set(s) => self.b.int(IntOp::Some(s)),
                prog::Domain::Mask(m) => m,
                prog::Domain::Range(..) => self.b.num(1),
            };
            let empty = self.b.int(IntOp::Unary(Unary::Not, empty));
            let without = self.b.int(IntOp::And(empty, without));
            found = self.b.int(IntOp::Or(found, without));
        }
        self.b.int(IntOp::And(cond, found))
    }

    /// Whether var `i` having a value leads to a choice.
    fn holds_for(&mut self, plan: &Plan<'r>, i: usize, value: IntId) -> IntId {
        if let Some(chosen) = plan.d.vars.get(i) {
            self.values.insert(chosen.local, Node::Int(value));
        }
        let here = self.test(plan, i + 1);
        let rest = self.exists(plan, i + 1);
        self.b.int(IntOp::And(here, rest))
    }

    /// Whether some value of a domain leads to a choice.
    fn some_choice(&mut self, plan: &Plan<'r>, i: usize, domain: prog::Domain, bound: IntId) -> IntId {
        let Some(var) = plan.vars.get(i) else { return self.b.num(0) };
        let body = self.holds_for(plan, i, bound);
        let prog::Domain::Set(set) = domain else {
            return self.b.int(IntOp::Any { local: var.local, domain, cond: body });
        };
        let passing = self.filter(var.local, set, body);
        match self.b.filter_of(passing) {
            Some((local, domain, cond)) => {
                self.b.int(IntOp::Any { local, domain: prog::Domain::Set(domain), cond })
            }
            None => self.b.int(IntOp::Some(passing)),
        }
    }
}
