//! Ways that most choices leave open.
//!
//! A filter `{x in D : after (put wall at T(x)) : some flood(S, W) & G}` floods the board for each `x`, though one way
//! from `S` to `G` is enough, and most walls do not stand in it. So once a way `P` is found for one `x`, it answers for
//! others. Let `T(x)` be a set of sites outside of which the layers that the condition reads are those of the position
//! at hand. Whether a site is in `S`, `W` or `G` depends on the layers on that site alone (they are *pointwise*). Then
//!
//! ```text
//! P is a way after the change of x, T(x) has no member in P:  P is one now
//! P is a way now, T(y) has no member in P:                    P is one after the change of y
//! ```
//!
//! So if `T(x)` has no member in `P`, all `y` pass for which `T(y)` has none either; else `x` passes alone. Those `y`
//! are found at once, as filters are [lifted](super::lift). The `x` are taken one after the other until each is
//! settled: [`SetOp::Sieve`]. As each new way avoids the wall that stood in the last one, few are taken.
//!
//! The same holds where there is no change, but `x` stands in a set that is taken off, as in `flood(S, W - T(x))`: each
//! such set is a part of `T(x)`.
//!
//! Several conditions are asked one after the other, each with ways of its own.
//!
//! # Preconditions, which are checked
//!
//! - The relation of the flood leads back wherever it leads: so is a [`SetOp::Path`] found.
//! - `S`, `W` and `G` are layers, sets that do not change, and sets of `x` that are taken off, combined by `&`, `|`,
//!   `-`, `not`, and choices by conditions that do not change.
//! - Each statement of the change puts, moves, turns or removes pieces, or sets a layer, on sites that are known before
//!   it. A slot that it sets is not read by the condition.
//! - The condition `T(x) meets P` can be lifted over `x`.

use std::collections::BTreeSet;

use super::builder::{Builder, key};
use super::lift::Over;
use super::open::Opened;
use super::{Node, Pass};
use crate::program::{BlockId, IntId, IntOp, Local, Part, SetId, SetOp, Stmt, Use};

/// What depends on the member that is tested.
struct Tested {
    /// Its local, and those that are bound to values that depend on it, by their [`key`].
    own: BTreeSet<u32>,
    /// The values of the locals that are bound before the condition is asked.
    opened: Opened,
    /// The block after which it is asked.
    block: Option<BlockId>,
    /// Whether a statement has changed something already.
    changed: bool,
    /// The slots that are written: the first, and how many.
    slots: Vec<(u32, u32)>,
    /// The sites on which something may depend on the member.
    at: SetId,
}

impl Builder {
    /// The members of a set for which conditions hold that ask for a way, with few ways looked for; none if the
    /// condition is of another form.
    pub(crate) fn witnessed(&mut self, x: u32, domain: SetId, cond: IntId) -> Option<SetId> {
        if !self.passes.has(Pass::Witness) || !self.walk(Part::Int(cond)) || !self.floods(Part::Int(cond)) {
            return None;
        }
        let at = self.empty();
        let (own, opened) = (BTreeSet::from([x]), Opened::new());
        let mut t = Tested { own, opened, block: None, changed: false, slots: Vec::new(), at };
        let (mut asked, mut lets) = (cond, Vec::new());
        while let Some((local, value, body)) = self.let_of(asked.into()) {
            self.bound(local, value, &mut t)?;
            lets.push((local, value));
            asked = self.int_of(body);
        }
        if let IntOp::After(block, value) = *self.int_op(asked) {
            t.block = Some(block);
            self.changes(block, &mut t)?;
            asked = value;
        }
        let question = self.open_int(asked, &mut Opened::new())?;
        let (changed, mut rest, mut sieves) = (t.at, self.num(1), Vec::new());
        for part in self.conjuncts(question) {
            t.at = changed;
            match self.way(part, &mut t).and_then(|way| self.passing(x, way, &t)) {
                Some(passing) => sieves.push(passing),
                None => rest = self.int(IntOp::And(rest, part)),
            }
        }
        if sieves.is_empty() {
            return None;
        }
        let lets = lets.into_iter().map(|(local, value)| match local {
            Local::Set(local) | Local::Int(local) => (local, value),
        });
        let first = match self.const_of(rest) {
            Some(1) => domain,
            _ => {
                let rest = self.asked_after(rest.into(), &t);
                let rest = self.wrap(rest, lets.clone());
                let rest = self.int_of(rest);
                self.sift(x, domain, rest)
            }
        };
        Some(sieves.into_iter().fold(first, |domain, passing| {
            let passing = self.wrap(passing.into(), lets.clone());
            let passing = self.set_of(passing);
            self.set(SetOp::Sieve { local: x, domain, passing })
        }))
    }

    /// Whether some code floods in the position in which it is asked, or in copies.
    fn floods(&self, part: Part) -> bool {
        let node = match part {
            Part::Set(set) if matches!(self.op(set), SetOp::Flood { .. }) => return true,
            Part::Set(set) => Node::Set(set),
            Part::Int(int) => Node::Int(int),
            Part::Block(_) | Part::After(_) => return false,
        };
        self.anatomy(node).0.into_iter().any(|part| self.floods(part))
    }

    /// The conditions that must hold together.
    fn conjuncts(&self, cond: IntId) -> Vec<IntId> {
        match *self.int_op(cond) {
            IntOp::And(a, b) => [self.conjuncts(a), self.conjuncts(b)].concat(),
            _ => vec![cond],
        }
    }

    /// Notes the value of a local; none where it is not known before the change.
    fn bound(&mut self, local: Local, value: Node, t: &mut Tested) -> Option<()> {
        let value = self.before_change(value, t)?;
        if self.node_info(value).free.iter().any(|free| t.own.contains(free)) {
            t.own.insert(key(local));
        }
        t.opened.bind(local, value);
        Some(())
    }

    /// A value of before the change, with the locals substituted; none where it may be another one.
    fn before_change(&mut self, value: Node, t: &mut Tested) -> Option<Node> {
        let value = self.open(value, &mut t.opened)?;
        (!t.changed || !self.node_info(value).reads).then_some(value)
    }

    /// Notes what a block changes, and where; none where that is not known.
    fn changes(&mut self, block: BlockId, t: &mut Tested) -> Option<()> {
        for s in self.block_of(block).clone() {
            let sites = match s {
                Stmt::LetSet(local, value) => {
                    self.bound(Local::Set(local), value.into(), t)?;
                    continue;
                }
                Stmt::LetInt(local, value) => {
                    self.bound(Local::Int(local), value.into(), t)?;
                    continue;
                }
                Stmt::If(_, yes, no) => {
                    self.changes(yes, t)?;
                    if let Some(no) = no {
                        self.changes(no, t)?;
                    }
                    continue;
                }
                Stmt::SetSlot(..) | Stmt::SetSlotRow { .. } => Vec::new(),
                Stmt::SetLayer(layer, value) => {
                    let layer = self.set(SetOp::Layer(layer));
                    vec![self.difference(layer, value)?]
                }
                Stmt::SetLayerRow { base, count, index, value } => {
                    let layer = self.set(SetOp::LayerRow { base, count, index });
                    vec![self.difference(layer, value)?]
                }
                Stmt::Put { at, .. } | Stmt::Remove(at) | Stmt::Lift(at) | Stmt::Turn { at, .. } => vec![at],
                Stmt::Move { from, to, .. } => {
                    [from, to].into_iter().map(|site| self.set(SetOp::Site(site))).collect()
                }
                Stmt::Carry { .. }
                | Stmt::SwapSides
                | Stmt::For { .. }
                | Stmt::Emit { .. }
                | Stmt::EmitOne(_) => return None,
            };
            for sites in sites {
                let sites = self.before_change(sites.into(), t)?;
                let sites = self.set_of(sites);
                t.at = self.set(SetOp::Or(t.at, sites));
            }
            s.uses(&mut |written| {
                if let Use::Slots(base, count) = written {
                    t.slots.push((base, count));
                }
            });
            t.changed = true;
        }
        Some(())
    }

    /// Sites outside of which a layer and its new value are the same; none if the value is not that of the layer with
    /// sites added or taken off.
    fn difference(&mut self, layer: SetId, value: SetId) -> Option<SetId> {
        if value == layer {
            return Some(self.empty());
        }
        let (inner, sites) = match *self.op(value) {
            SetOp::Sub(a, sites) => (self.difference(layer, a)?, sites),
            SetOp::Or(a, b) => match self.difference(layer, a) {
                Some(inner) => (inner, b),
                None => (self.difference(layer, b)?, a),
            },
            _ => return None,
        };
        Some(self.set(SetOp::Or(inner, sites)))
    }

    /// The sites of a way, empty if a condition does not hold; none if it does not ask for a way.
    fn way(&mut self, cond: IntId, t: &mut Tested) -> Option<SetId> {
        let mut parts = Vec::new();
        match *self.int_op(cond) {
            IntOp::Some(a) => self.parts(a, &mut parts),
            IntOp::Meets(a, b) => [a, b].into_iter().for_each(|set| self.parts(set, &mut parts)),
            IntOp::Has(a, site) => {
                let site = self.set(SetOp::Site(site));
                [a, site].into_iter().for_each(|set| self.parts(set, &mut parts));
            }
            IntOp::Or(a, b) => {
                let (a, b) = (self.way(a, t)?, self.way(b, t)?);
                return Some(self.set(SetOp::Otherwise(a, b)));
            }
            _ => return None,
        }
        let flood = parts.iter().position(|part| matches!(self.op(*part), SetOp::Flood { .. }))?;
        let SetOp::Flood { relation, seed: from, within } = *self.op(parts.swap_remove(flood)) else {
            return None;
        };
        let to = self.all_of(&parts);
        let known = self.leads_both_ways(relation)
            && [from, within, to].into_iter().all(|set| self.is_by_site(set, true, t));
        known.then(|| self.set(SetOp::Path { relation, from, within, to }))
    }

    /// Whether a relation leads back wherever it leads.
    fn leads_both_ways(&self, relation: u32) -> bool {
        let rows = self.relations.get(relation as usize).map_or(&[][..], |(_, rows)| rows);
        let leads = |from: usize, to: usize| rows.get(from).is_some_and(|row| row.contains(to));
        rows.iter().enumerate().all(|(from, row)| row.iter().all(|to| leads(to, from)))
    }

    /// Whether a node has the same value whichever member is tested; if it may depend on the member, whether it has the
    /// same before and after the change.
    fn is_steady(&self, node: Node, may_depend: bool, t: &Tested) -> bool {
        let info = self.node_info(node);
        if !may_depend && info.free.iter().any(|free| t.own.contains(free)) {
            return false;
        }
        if t.block.is_none() || !info.reads {
            return true;
        }
        let mut steady = true;
        let mut used = |used| match used {
            Use::Layers(..) => steady = false,
            Use::Slots(base, count) => {
                steady &= !t.slots.iter().any(|(first, many)| *first < base + count && base < first + many);
            }
            _ => {}
        };
        match node {
            Node::Set(set) => self.op(set).uses(&mut used),
            Node::Int(int) => {
                let op = self.int_op(int);
                op.uses(&mut used);
                steady &= !matches!(op, IntOp::KindAt(_) | IntOp::OwnerAt(_) | IntOp::HeightAt(_));
            }
        }
        steady
            && self.anatomy(node).0.into_iter().all(|part| match part {
                Part::Set(set) => self.is_steady(set.into(), may_depend, t),
                Part::Int(int) => self.is_steady(int.into(), may_depend, t),
                Part::Block(_) | Part::After(_) => false,
            })
    }

    /// Whether the membership of a site depends on the member that is tested only on the sites that are noted: sets
    /// that are taken off are noted too.
    fn is_by_site(&mut self, set: SetId, positive: bool, t: &mut Tested) -> bool {
        if self.is_steady(set.into(), false, t) {
            return true;
        }
        match self.op(set).clone() {
            SetOp::Layer(_) => true,
            SetOp::LayerRow { index, .. } => self.is_steady(index.into(), false, t),
            SetOp::Not(a) => self.is_by_site(a, !positive, t),
            SetOp::And(a, b) | SetOp::Or(a, b) => {
                self.is_by_site(a, positive, t) && self.is_by_site(b, positive, t)
            }
            SetOp::Sub(a, b) => self.is_by_site(a, positive, t) && self.is_by_site(b, !positive, t),
            SetOp::If(cond, a, b) if self.is_steady(cond.into(), false, t) => {
                self.is_by_site(a, positive, t) && self.is_by_site(b, positive, t)
            }
            SetOp::Switch(index, cases) if self.is_steady(index.into(), false, t) => {
                cases.into_iter().all(|case| self.is_by_site(case, positive, t))
            }
            // A way that must go over a site of the member's own is no way for another member.
            _ if positive || !self.is_steady(set.into(), true, t) => false,
            _ => match self.open_set(set, &mut t.opened) {
                Some(off) => {
                    t.at = self.set(SetOp::Or(t.at, off));
                    true
                }
                None => false,
            },
        }
    }

    /// The members for which a way is open that is found for one of them, given the sites of that way.
    fn passing(&mut self, x: u32, way: SetId, t: &Tested) -> Option<SetId> {
        let (found, shut) = (self.set_local(), self.set_local());
        let (way_found, shutting) = (self.set(SetOp::Local(found)), self.set(SetOp::Local(shut)));
        let meets = self.int(IntOp::Meets(t.at, way_found));
        let meeting = self.lift(meets, &mut Over::new(x, Vec::new()))?;
        let member = self.int(IntOp::Local(x));
        let (all, empty) = (self.all_sites(), self.empty());
        let (alone, in_way) = (self.set(SetOp::Site(member)), self.int(IntOp::Has(shutting, member)));
        let others = self.set(SetOp::Sub(all, shutting));
        let pass = self.set(SetOp::If(in_way, alone, others));
        let pass = self.set(SetOp::LetSet { local: shut, value: meeting, body: pass });
        let some = self.int(IntOp::Some(way_found));
        let pass = self.set(SetOp::If(some, pass, empty));
        let way = self.asked_after(way.into(), t);
        let value = self.set_of(way);
        Some(self.set(SetOp::LetSet { local: found, value, body: pass }))
    }

    /// A value in the position in which the condition is asked.
    fn asked_after(&mut self, value: Node, t: &Tested) -> Node {
        match t.block {
            Some(block) => self.after(block, value),
            None => value,
        }
    }
}
