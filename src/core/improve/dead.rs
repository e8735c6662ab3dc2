//! Dead stores: a store into a copy of the position is left out if nothing reads it there.
//!
//! `keeps` and `after` ask one question of a copy of the position, and the copy is then thrown away. A counter that
//! the question does not read need not be counted in the copy, nor a local be bound that only that counting named.

use std::collections::BTreeSet;

use super::builder::{Builder, key};
use super::{Node, Pass};
use crate::program::{Block, BlockId, IntId, IntOp, Part, SetOp, Stmt, Unary, Use};

/// The layers, slots and locals that code reads.
#[derive(Clone, Default, PartialEq, Eq)]
struct Reads {
    layers: BTreeSet<u32>,
    slots: BTreeSet<u32>,
    /// By their [`key`].
    locals: BTreeSet<u32>,
}

impl Reads {
    /// Whether any of the layers or slots that are written is read; none if it is neither a layer nor a slot.
    fn touched(&self, written: Use) -> Option<bool> {
        match written {
            Use::Layers(base, count) => Some((base..base + count).any(|l| self.layers.contains(&l))),
            Use::Slots(base, count) => Some((base..base + count).any(|l| self.slots.contains(&l))),
            Use::Const(_)
            | Use::Dealt(..)
            | Use::Local(_)
            | Use::Relation(_)
            | Use::Ray(_)
            | Use::Table(_) => None,
        }
    }
}

impl Builder {
    /// The value in a copy on which the block was run.
    pub(crate) fn after(&mut self, block: BlockId, value: Node) -> Node {
        match value {
            Node::Set(set) => match self.before(block, Part::Set(set)) {
                None => value,
                Some(block) => self.set(SetOp::After(block, set)).into(),
            },
            Node::Int(int) => match self.before(block, Part::Int(int)) {
                None => value,
                Some(block) => self.int(IntOp::After(block, int)).into(),
            },
        }
    }

    /// The same of an integer.
    pub(crate) fn after_int(&mut self, block: BlockId, value: IntId) -> IntId {
        let value = self.after(block, value.into());
        self.int_of(value)
    }

    /// The part of a block that must run before a value is evaluated; none if no statement is needed.
    fn before(&mut self, block: BlockId, value: Part) -> Option<BlockId> {
        if !self.walk(value) || !self.walk(Part::Block(block)) {
            return None;
        }
        let mut reads = Reads::default();
        self.read(value, &mut reads);
        self.needed(block, &mut reads)
    }

    /// The block without its dead stores; none if nothing is left. `reads` becomes the reads from the block's start on
    /// (liveness, backwards).
    fn needed(&mut self, id: BlockId, reads: &mut Reads) -> Option<BlockId> {
        let block = self.block_of(id).clone();
        let kept = if self.passes.has(Pass::Dead) { self.needed_block(&block, reads) } else { block.clone() };
        if kept.is_empty() {
            return None;
        }
        if kept == block { Some(id) } else { Some(self.block(kept)) }
    }

    fn needed_block(&mut self, block: &Block, reads: &mut Reads) -> Block {
        let mut kept = Vec::new();
        for s in block.iter().rev() {
            let mut needed = match s {
                Stmt::LetSet(..) | Stmt::LetInt(..) => {
                    s.binds().map(|local| reads.locals.contains(&key(local)))
                }
                _ => None,
            };
            s.uses(&mut |used| {
                if let Some(read) = reads.touched(used) {
                    needed = Some(read || needed == Some(true));
                }
            });
            if needed == Some(false) {
                continue;
            }
            let s = match s {
                Stmt::If(c, a, b) => {
                    let (mut then, mut other) = (reads.clone(), reads.clone());
                    let a = self.needed(*a, &mut then);
                    let b = b.and_then(|b| self.needed(b, &mut other));
                    for branch in [then, other] {
                        reads.layers.extend(branch.layers);
                        reads.slots.extend(branch.slots);
                        reads.locals.extend(branch.locals);
                    }
                    match (a, b) {
                        (None, None) => continue,
                        (Some(a), b) => Stmt::If(*c, a, b),
                        (None, Some(b)) => {
                            let not = self.int(IntOp::Unary(Unary::Not, *c));
                            Stmt::If(not, b, None)
                        }
                    }
                }
                other => other.clone(),
            };
            s.each(&mut |part| self.read(part, reads));
            kept.push(s);
        }
        kept.reverse();
        kept
    }

    /// Adds the layers, slots and locals that some code and the blocks in it read. A store does not end the liveness of
    /// its target: that errs on the safe side. Effects on pieces read layers of pieces too; those are not counted,
    /// because such effects are never left out.
    fn read(&self, part: Part, reads: &mut Reads) {
        let mut used = |used| match used {
            Use::Layers(base, count) => reads.layers.extend(base..base + count),
            Use::Slots(base, count) => reads.slots.extend(base..base + count),
            Use::Local(local) => drop(reads.locals.insert(key(local))),
            _ => {}
        };
        match part {
            Part::Set(id) => {
                self.op(id).uses(&mut used);
                self.op(id).each(&mut |part| self.read(part, reads));
            }
            Part::Int(id) => {
                self.int_op(id).uses(&mut used);
                self.int_op(id).each(&mut |part| self.read(part, reads));
            }
            Part::Block(id) | Part::After(id) => {
                let statements = self.block_of(id).iter();
                statements.for_each(|s| s.each(&mut |part| self.read(part, reads)));
            }
        }
    }
}
