//! Statements.

use std::sync::Arc;

use super::arg::{Arg, IntArg, pick};
use super::{Builder, Do};
use crate::play::board::{set_slot, store};
use crate::program::{BlockId, Stmt, slot};

impl<const W: usize> Builder<W> {
    /// A block, built.
    pub(super) fn block_code(&mut self, id: BlockId) -> Do {
        let program = Arc::clone(&self.program);
        let statements = &program.blocks[id.0 as usize];
        let mut code: Vec<Do> = statements.iter().map(|statement| self.statement(statement)).collect();
        match (code.pop(), code.pop(), code.is_empty()) {
            (Some(only), None, _) => only,
            (Some(second), Some(first), true) => Box::new(move |frame, pos| {
                first(frame, pos);
                second(frame, pos);
            }),
            (last, before, _) => {
                code.extend(before);
                code.extend(last);
                let code = code.into_boxed_slice();
                Box::new(move |frame, pos| code.iter().for_each(|statement| statement(frame, pos)))
            }
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Do {
        let slots_at = self.board.slots_at;
        let board = Arc::clone(&self.board);
        let layer_at = |layer: u32| self.program.layout.layer_at(layer as usize);
        match statement {
            Stmt::SetLayer(layer, value) => {
                let at = layer_at(*layer);
                let value = self.set(*value);
                Box::new(move |frame, pos| {
                    let value = value(frame, pos);
                    store(pos, at, value);
                })
            }
            Stmt::SetLayerRow { base, count, index, value } => {
                let (at, count) = (layer_at(*base), *count);
                let (index, value) = (self.int(*index), self.set(*value));
                Box::new(move |frame, pos| {
                    let index = index(frame, pos) as u32;
                    if index < count {
                        let value = value(frame, pos);
                        store(pos, at + index as usize * W, value);
                    }
                })
            }
            Stmt::SetSlot(slot, value) => {
                let at = slots_at + *slot as usize;
                pick!(int value = self.int_arg(*value) => Box::new(move |frame, pos| {
                    let value = value.get(frame, pos);
                    set_slot(pos, at, value);
                }))
            }
            Stmt::SetSlotRow { base, count, index, value } => {
                let (base, count) = (slots_at + *base as usize, *count);
                let value = self.int(*value);
                pick!(int index = self.int_arg(*index) => Box::new(move |frame, pos| {
                    let index = index.get(frame, pos) as u32;
                    if index < count {
                        let value = value(frame, pos);
                        set_slot(pos, base + index as usize, value);
                    }
                }))
            }
            Stmt::LetSet(local, value) => {
                let (local, value) = (Self::set_local(*local), self.set(*value));
                Box::new(move |frame, pos| {
                    let value = value(frame, pos);
                    frame.set_set(local, value);
                })
            }
            Stmt::LetInt(local, value) => {
                let (local, value) = (*local as usize, self.int(*value));
                Box::new(move |frame, pos| {
                    let value = value(frame, pos);
                    frame.set_int(local, value);
                })
            }
            Stmt::Put { at, owner, kind, height } => {
                let (at, owner, kind, height) = (self.set(*at), self.int(*owner), self.int(*kind), *height);
                Box::new(move |frame, pos| {
                    let at = at(frame, pos);
                    let owner = owner(frame, pos);
                    let kind = kind(frame, pos);
                    board.put(pos, at, owner, kind, height);
                })
            }
            Stmt::Move { from, to, .. } => {
                pick!(int from = self.int_arg(*from), int to = self.int_arg(*to) => {
                    Box::new(move |frame, pos| {
                        let (from, to) = (from.get(frame, pos), to.get(frame, pos));
                        if let (Some(from), Some(to)) = (board.site(from), board.site(to)) {
                            board.move_piece(pos, from, to);
                        }
                    })
                })
            }
            Stmt::Remove(at) => {
                let at = self.set(*at);
                Box::new(move |frame, pos| {
                    let at = at(frame, pos);
                    board.remove(pos, at);
                })
            }
            Stmt::Lift(at) => {
                let at = self.set(*at);
                Box::new(move |frame, pos| {
                    let at = at(frame, pos);
                    board.lift(pos, at);
                })
            }
            Stmt::Turn { at, owner, kind } => {
                let at = self.set(*at);
                let (owner, kind) = (owner.map(|owner| self.int(owner)), kind.map(|kind| self.int(kind)));
                Box::new(move |frame, pos| {
                    let at = at(frame, pos);
                    let owner = owner.as_ref().map(|owner| owner(frame, pos));
                    let kind = kind.as_ref().map(|kind| kind(frame, pos));
                    board.turn_pieces(pos, at, owner, kind);
                })
            }
            Stmt::Carry { at, relation } => {
                let at = self.set(*at);
                let (program, relation) = (Arc::clone(&self.program), *relation as usize);
                Box::new(move |frame, pos| {
                    let at = at(frame, pos);
                    board.carry(pos, at, &program.relations[relation]);
                })
            }
            Stmt::SwapSides => Box::new(move |_, pos| {
                let swap = board.slot(pos, slot::SWAP);
                board.set_slot(pos, slot::SWAP, i32::from(swap == 0));
            }),
            Stmt::If(cond, then, otherwise) => {
                let (cond, then) = (self.int_arg(*cond), self.block(*then));
                match otherwise.map(|otherwise| self.block(otherwise)) {
                    None => pick!(int cond = cond => Box::new(move |frame, pos| {
                        if cond.get(frame, pos) != 0 {
                            then(frame, pos);
                        }
                    })),
                    Some(otherwise) => pick!(int cond = cond => Box::new(move |frame, pos| {
                        let chosen = if cond.get(frame, pos) != 0 { &then } else { &otherwise };
                        chosen(frame, pos);
                    })),
                }
            }
            Stmt::For { local, domain, body } => {
                let (local, domain, body) = (*local as usize, self.members(*domain), self.block(*body));
                Box::new(move |frame, pos| {
                    for member in domain.get(frame, pos) {
                        frame.set_int(local, member);
                        body(frame, pos);
                    }
                })
            }
            Stmt::Emit { set, base, multiplier } => {
                let multiplier = *multiplier;
                let set = self.set(*set);
                pick!(int base = self.int_arg(*base) => Box::new(move |frame, pos| {
                    let set = set(frame, pos);
                    // The base alone may lie below 0: with a member's part added it is a move's number.
                    let base = base.get(frame, pos) as u32;
                    frame.sink.push(set, base, multiplier);
                }))
            }
            Stmt::EmitOne(number) => {
                let number = self.int(*number);
                Box::new(move |frame, pos| {
                    if let Ok(number) = u32::try_from(number(frame, pos)) {
                        frame.sink.push_one::<W>(number);
                    }
                })
            }
        }
    }
}
