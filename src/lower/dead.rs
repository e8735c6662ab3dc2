//! What is done in a copy of the position and never looked at there is not done.
//!
//! `keeps` and `after` ask one question of a position that is then thrown away. A counter that the question
//! does not read need not be counted up for it.

use std::collections::BTreeSet;

use super::builder::Builder;
use super::children::Part;
use crate::program::{Block, BlockId, Domain, IntId, IntOp, SetId, SetOp, Stmt, slot};

/// What of a position is read.
#[derive(Clone, Default, PartialEq, Eq)]
struct Reads {
    layers: BTreeSet<u32>,
    slots: BTreeSet<u32>,
}

impl Builder {
    /// The value in a copy on which the block was run.
    pub(super) fn after_int(&mut self, block: BlockId, value: IntId) -> IntId {
        if !self.walk(&Part::Int(value)) || !self.walk(&Part::Block(block)) {
            return value;
        }
        let mut reads = Reads::default();
        self.read_int(value, &mut reads);
        match self.needed(block, &mut reads) {
            None => value,
            Some(block) => self.int(IntOp::After(block, value)),
        }
    }

    /// The value in a copy on which the block was run.
    pub(super) fn after_set(&mut self, block: BlockId, value: SetId) -> SetId {
        if !self.walk(&Part::Set(value)) || !self.walk(&Part::Block(block)) {
            return value;
        }
        let mut reads = Reads::default();
        self.read_set(value, &mut reads);
        match self.needed(block, &mut reads) {
            None => value,
            Some(block) => self.set(SetOp::After(block, value)),
        }
    }

    /// The block without what is not read after it; none if nothing is left. `reads` becomes what is read
    /// from its start on.
    fn needed(&mut self, id: BlockId, reads: &mut Reads) -> Option<BlockId> {
        let block = self.block_of(id).clone();
        let kept = self.needed_block(&block, reads);
        if kept.is_empty() {
            return None;
        }
        if kept == block { Some(id) } else { Some(self.block(kept)) }
    }

    fn needed_block(&mut self, block: &Block, reads: &mut Reads) -> Block {
        let mut kept = Vec::new();
        for s in block.iter().rev() {
            let needed = match s {
                Stmt::SetLayer(l, _) => reads.layers.contains(l),
                Stmt::SetSlot(l, _) => reads.slots.contains(l),
                Stmt::SetLayerRow { base, count, .. } => {
                    (*base..base + count).any(|l| reads.layers.contains(&l))
                }
                Stmt::SetSlotRow { base, count, .. } => {
                    (*base..base + count).any(|l| reads.slots.contains(&l))
                }
                Stmt::SwapSides => {
                    reads.slots.contains(&(slot::SWAP as u32)) || reads.slots.contains(&(slot::SIDES as u32))
                }
                _ => true,
            };
            if !needed {
                continue;
            }
            let s = match s {
                Stmt::If(c, a, b) => {
                    let (mut then, mut other) = (reads.clone(), reads.clone());
                    let a = self.needed(*a, &mut then);
                    let b = b.and_then(|b| self.needed(b, &mut other));
                    reads.layers.extend(then.layers);
                    reads.layers.extend(other.layers);
                    reads.slots.extend(then.slots);
                    reads.slots.extend(other.slots);
                    match (a, b) {
                        (None, None) => continue,
                        (Some(a), b) => Stmt::If(*c, a, b),
                        (None, Some(b)) => {
                            let not = self.int(IntOp::Not(*c));
                            Stmt::If(not, b, None)
                        }
                    }
                }
                other => other.clone(),
            };
            self.read_stmt(&s, reads);
            kept.push(s);
        }
        kept.reverse();
        kept
    }

    /// What a statement reads. What it overwrites is still counted as read: that errs on the safe side.
    fn read_stmt(&self, s: &Stmt, reads: &mut Reads) {
        match s {
            Stmt::SetLayer(_, v) | Stmt::LetSet(_, v) => self.read_set(*v, reads),
            Stmt::SetLayerRow { index, value, .. } => {
                self.read_int(*index, reads);
                self.read_set(*value, reads);
            }
            Stmt::SetSlot(_, v) | Stmt::LetInt(_, v) | Stmt::EmitOne(v) => self.read_int(*v, reads),
            Stmt::SetSlotRow { index, value, .. } => {
                self.read_int(*index, reads);
                self.read_int(*value, reads);
            }
            Stmt::Put { at, owner, kind, .. } => {
                self.read_set(*at, reads);
                self.read_int(*owner, reads);
                self.read_int(*kind, reads);
            }
            Stmt::Move { from, to, owner, .. } => {
                self.read_int(*from, reads);
                self.read_int(*to, reads);
                owner.iter().for_each(|i| self.read_int(*i, reads));
            }
            Stmt::Remove(s) | Stmt::Lift(s) => self.read_set(*s, reads),
            Stmt::Turn { at, owner, kind } => {
                self.read_set(*at, reads);
                owner.iter().chain(kind).for_each(|i| self.read_int(*i, reads));
            }
            Stmt::Carry { at, .. } => self.read_set(*at, reads),
            Stmt::SwapSides => {}
            Stmt::If(c, a, b) => {
                self.read_int(*c, reads);
                for block in std::iter::once(a).chain(b) {
                    self.block_of(*block).iter().for_each(|s| self.read_stmt(s, reads));
                }
            }
            Stmt::For { domain, body, .. } => {
                self.read_domain(domain, reads);
                self.block_of(*body).iter().for_each(|s| self.read_stmt(s, reads));
            }
            Stmt::Emit { set, base, .. } => {
                self.read_set(*set, reads);
                self.read_int(*base, reads);
            }
        }
    }

    fn read_domain(&self, d: &Domain, reads: &mut Reads) {
        match d {
            Domain::Set(s) => self.read_set(*s, reads),
            Domain::Range(a, b) => {
                self.read_int(*a, reads);
                self.read_int(*b, reads);
            }
            Domain::Mask(m) => self.read_int(*m, reads),
        }
    }

    /// The layers and slots that an expression names; those of the pieces are not counted, for effects on
    /// pieces are never left out.
    fn read_set(&self, id: SetId, reads: &mut Reads) {
        match self.op(id) {
            SetOp::Layer(l) => drop(reads.layers.insert(*l)),
            SetOp::LayerRow { base, count, .. } => reads.layers.extend(*base..base + count),
            SetOp::After(block, value) => {
                self.block_of(*block).iter().for_each(|s| self.read_stmt(s, reads));
                self.read_set(*value, reads);
            }
            _ => {}
        }
        super::children::each_child(self, super::children::Node::Set(id), &mut |n| self.read_node(n, reads));
    }

    fn read_int(&self, id: IntId, reads: &mut Reads) {
        match self.int_op(id) {
            IntOp::Slot(s) => drop(reads.slots.insert(*s)),
            IntOp::SlotRow { base, count, .. } => reads.slots.extend(*base..base + count),
            IntOp::After(block, value) => {
                self.block_of(*block).iter().for_each(|s| self.read_stmt(s, reads));
                self.read_int(*value, reads);
            }
            _ => {}
        }
        super::children::each_child(self, super::children::Node::Int(id), &mut |n| self.read_node(n, reads));
    }

    fn read_node(&self, n: super::children::Node, reads: &mut Reads) {
        match n {
            super::children::Node::Set(s) => self.read_set(s, reads),
            super::children::Node::Int(i) => self.read_int(i, reads),
        }
    }
}
