//! Effects to statements.

use super::relation::Tables;
use super::stacks::Moved;
use super::state::{Lowerer, View};
use crate::improve::Node;
use crate::program::{Binary, Block, IntOp, Part, SetOp, Stmt};
use crate::semantics::{Effect, EffectKind, Owner, Steps};

impl Lowerer<'_> {
    /// Effects, one after the other.
    pub(super) fn effects(&mut self, effects: &[Effect], view: View, block: &mut Block) {
        let mut view = view;
        for e in effects {
            let before = block.len();
            self.effect(e, view, block);
            let parts = block.iter().skip(before).map(|s| self.b.parts_of(s)).fold(0, u64::saturating_add);
            self.b.work.take(parts);
            // Facts about pieces hold until some of them change.
            view.fresh &= !block.iter().skip(before).any(|s| self.moves_pieces(s));
        }
    }

    /// Whether a statement may change pieces.
    fn moves_pieces(&self, s: &Stmt) -> bool {
        let mut moves = s.moves_pieces();
        s.each(&mut |part| {
            if let Part::Block(b) = part {
                moves |= self.b.block_of(b).iter().any(|s| self.moves_pieces(s));
            }
        });
        moves
    }

    fn effect(&mut self, effect: &Effect, view: View, block: &mut Block) {
        if !self.b.work.take(1) {
            return;
        }
        match &effect.kind {
            EffectKind::Block(list) => self.effects(list, view, block),
            EffectKind::If(c, a, b) => {
                let c = self.int(c, view);
                match self.b.const_of(c) {
                    Some(0) => {
                        if let Some(b) = b {
                            self.effect(b, view, block);
                        }
                    }
                    Some(_) => self.effect(a, view, block),
                    None => {
                        let then = self.inner(a, view);
                        let other = b.as_ref().map(|b| self.inner(b, view));
                        block.push(Stmt::If(c, then, other));
                    }
                }
            }
            EffectKind::For(local, of, body) => {
                let domain = self.domain(of, view);
                if let Some(list) = self.written_out(&domain, of) {
                    for n in list {
                        let n = self.b.num(n);
                        self.values.insert(*local, Node::Int(n));
                        self.effect(body, View { fresh: false, ..view }, block);
                    }
                    return;
                }
                let slot = self.b.int_local();
                let bound = self.b.int(IntOp::Local(slot));
                self.values.insert(*local, Node::Int(bound));
                // The second time round, pieces may have changed.
                let body = self.inner(body, View { fresh: false, ..view });
                block.push(Stmt::For { local: slot, domain, body });
            }
            EffectKind::Let(local, value) => {
                let value = self.value(value, view);
                let value = self.keep(value, block);
                self.values.insert(*local, value);
            }
            EffectKind::Put { at, owner, kind, height } => {
                let at = self.set(at, view);
                let owner = self.owner(owner, view);
                let kind = self.int(kind, view);
                let vacant = match self.b.op(at) {
                    SetOp::Site(site) if view.fresh => self.facts.get(site).is_some_and(|fact| fact.vacant),
                    _ => false,
                };
                match self.b.pieces.stacks {
                    Some(stacks) if !vacant => self.put_stacked(stacks, at, (owner, kind), block),
                    _ => block.push(Stmt::Put { at, owner, kind, height: *height, vacant }),
                }
            }
            EffectKind::Move { from, to, under, upto } => {
                let (from, to) = (self.int(from, view), self.int(to, view));
                let upto = upto.as_ref().map(|most| self.int(most, view));
                let known = if view.fresh { self.facts.get(&from).copied() } else { None };
                let (owner, kind) =
                    known.map_or((None, None), |fact| (self.owner_of(fact, view), fact.kind()));
                let vacant = view.fresh && self.facts.get(&to).is_some_and(|fact| fact.vacant);
                match self.b.pieces.stacks {
                    None => block.push(Stmt::Move { from, to, owner, kind, vacant }),
                    Some(stacks) => {
                        let moved = Moved { from, to, under: *under, upto, owner, kind, vacant };
                        self.move_stacked(stacks, moved, block);
                    }
                }
            }
            EffectKind::Remove(at) => {
                let at = self.set(at, view);
                match self.b.pieces.stacks {
                    None => block.push(Stmt::Remove(at)),
                    Some(stacks) => self.remove_stacked(stacks, at, block),
                }
            }
            EffectKind::Lift(at) => {
                let at = self.set(at, view);
                match self.b.pieces.stacks {
                    None => block.push(Stmt::Lift(at)),
                    Some(stacks) => self.lift_stacked(stacks, at, block),
                }
            }
            EffectKind::Turn { at, owner, kind } => {
                let at = self.set(at, view);
                let owner = owner.as_ref().map(|o| self.owner(o, view));
                let kind = kind.as_ref().map(|k| self.int(k, view));
                block.push(Stmt::Turn { at, owner, kind });
            }
            EffectKind::Carry { what, relation, converse } => {
                let at = self.set(what, view);
                let tables = self.relation_table(Steps { relation: *relation, converse: *converse });
                let lists = match tables {
                    Tables::One(t) => vec![(None, t)],
                    Tables::Each(each) => each.into_iter().enumerate().map(|(p, t)| (Some(p), t)).collect(),
                };
                for (player, relation) in lists {
                    let many = self.b.relations.get(relation as usize).is_some_and(|(_, rows)| {
                        let mut ends = crate::siteset::SiteSet::EMPTY;
                        rows.iter().any(|r| {
                            let twice = r.count() > 1 || !(ends & *r).is_empty();
                            ends = ends | *r;
                            twice
                        })
                    });
                    if many {
                        self.out.push(
                            crate::diagnostic::Diagnostic::error("not-one-to-one", effect.span, "`carry` needs a relation that leads each site to one site, and no two to the same")
                                .here("this one leads some sites to several, or several to one"),
                        );
                        return;
                    }
                    let carry = Stmt::Carry { at, relation };
                    match player {
                        None => block.push(carry),
                        Some(p) => {
                            let p = self.b.num(p as i32);
                            let mine = self.b.int(IntOp::Binary(Binary::Eq, view.me, p));
                            self.guarded(mine, vec![carry], block);
                        }
                    }
                }
            }
            EffectKind::SwapSides => block.push(Stmt::SwapSides),
            EffectKind::Call(f, args) => {
                let Some(function) = self.rules.effects.get(*f) else { return };
                let mut bound = Vec::new();
                for (param, arg) in function.params.iter().zip(args) {
                    let value = self.value(arg, view);
                    bound.push((*param, self.keep(value, block)));
                }
                self.values.extend(bound);
                self.effects(&function.body, view, block);
            }
            EffectKind::Assign { state, index, value } => self.assign(*state, index, value, view, block),
        }
    }

    fn assign(
        &mut self,
        state: usize,
        index: &[crate::semantics::Expr],
        value: &crate::semantics::Expr,
        view: View,
        block: &mut Block,
    ) {
        let Some(var) = self.rules.state.get(state) else { return };
        let Some(v) = self.storage.vars.get(state).cloned() else { return };
        let entry = self.entry(state, index, view);
        // The index is that of before the assignment, for the age too.
        let entry = self.keep(entry.into(), block);
        let entry = self.b.int_of(entry);
        let value = self.value_of_type(var.ty, value, view);
        block.extend(self.store(&v, entry, value));
        self.set_age(state, entry, block);
    }

    fn inner(&mut self, effect: &Effect, view: View) -> crate::program::BlockId {
        let mut block = Vec::new();
        self.effect(effect, view, &mut block);
        self.b.block(block)
    }

    fn owner(&mut self, owner: &Owner, view: View) -> crate::program::IntId {
        match owner {
            Owner::Player(e) => self.int(e, view),
            Owner::Neutral => self.b.num(self.rules.players.len() as i32),
        }
    }

    /// A value as it is now: later effects do not change it.
    pub(super) fn keep(&mut self, value: Node, block: &mut Block) -> Node {
        let (value, held) = self.b.hold(value);
        match held {
            Some((local, Node::Int(i))) => block.push(Stmt::LetInt(local, i)),
            Some((local, Node::Set(s))) => block.push(Stmt::LetSet(local, s)),
            None => {}
        }
        value
    }
}
