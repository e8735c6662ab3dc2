//! Statements.

use std::sync::Arc;

use super::arg::{Arg, CondArg, IntArg, SetArg, closure, pick};
use super::{Builder, Do};
use crate::play::board::{load, set_slot, slot, store};
use crate::program::{Binary, BlockId, Domain, IntId, IntOp, SetId, SetOp, Stmt, slot as core};

impl<const W: usize> Builder<W> {
    /// A block, built.
    pub(super) fn block_code(&mut self, id: BlockId) -> Do {
        let program = Arc::clone(&self.program);
        let statements = &program.blocks[id.0 as usize];
        let code = statements.iter().map(|statement| self.statement(statement)).collect::<Vec<_>>();
        // Pieces that stack lie in a layer for each height.
        let heights = program.layout.pieces.levels as u64;
        let work = statements.iter().map(|s| if s.moves_pieces() { 1 + heights } else { 1 }).sum::<u64>();
        let (count, code) = (work * W as u64, in_order(code));
        match self.counting {
            true => closure(move |frame| {
                frame.work += count;
                code.run(frame);
            }),
            false => code,
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Do {
        let slots_at = self.board.slots_at;
        let board = Arc::clone(&self.board);
        let layer_at = |layer: u32| self.program.layout.layer_at(layer as usize);
        match statement {
            Stmt::SetLayer(layer, value) => self.set_layer(*layer, *value),
            Stmt::SetLayerRow { base, count, index, value } => {
                let (at, count) = (layer_at(*base), *count);
                let (index, value) = (self.int(*index), self.set(*value));
                closure(move |frame| {
                    let index = index.run(frame) as u32;
                    if index < count {
                        let value = value.run(frame);
                        store(&mut frame.pos, at + index as usize * W, value);
                    }
                })
            }
            Stmt::SetSlot(slot, value) => {
                let at = slots_at + *slot as usize;
                pick!(int value = self.int_arg(*value) => closure(move |frame| {
                    let value = value.get(frame);
                    set_slot(&mut frame.pos, at, value);
                }))
            }
            Stmt::SetSlotRow { base, count, index, value } => {
                let program = Arc::clone(&self.program);
                let row = |id: IntId| match program.ints[id.0 as usize] {
                    IntOp::SlotRow { base: b, count: c, index: i, .. } => {
                        (b, c, i) == (*base, *count, *index)
                    }
                    _ => false,
                };
                let sum = match program.ints[value.0 as usize] {
                    IntOp::Binary(Binary::Add, a, b) if row(a) => Some(b),
                    IntOp::Binary(Binary::Add, a, b) if row(b) => Some(a),
                    _ => None,
                };
                let (base, count) = (slots_at + *base as usize, *count);
                if let Some(more) = sum {
                    let more = self.int(more);
                    return pick!(int index = self.int_arg(*index) => closure(move |frame| {
                        let index = index.get(frame) as u32;
                        if index < count {
                            let (at, more) = (base + index as usize, more.run(frame));
                            let sum = slot(&frame.pos, at).saturating_add(more);
                            set_slot(&mut frame.pos, at, sum);
                        }
                    }));
                }
                let value = self.int(*value);
                pick!(int index = self.int_arg(*index) => closure(move |frame| {
                    let index = index.get(frame) as u32;
                    if index < count {
                        let value = value.run(frame);
                        set_slot(&mut frame.pos, base + index as usize, value);
                    }
                }))
            }
            Stmt::LetSet(local, value) => {
                let (local, value) = (Self::set_local(*local), self.set(*value));
                closure(move |frame| {
                    let value = value.run(frame);
                    frame.set_set(local, value);
                })
            }
            Stmt::LetInt(local, value) => {
                let (local, value) = (*local as usize, self.int(*value));
                closure(move |frame| {
                    let value = value.run(frame);
                    frame.set_int(local, value);
                })
            }
            Stmt::Put { at, owner, kind, height: 1, vacant: true }
                if let SetOp::Site(site) = self.program.sets[at.0 as usize] =>
            {
                let (owner, kind) = (self.int(*owner), self.int(*kind));
                pick!(int site = self.int_arg(site) => closure(move |frame| {
                    let (site, owner, kind) = (site.get(frame), owner.run(frame), kind.run(frame));
                    if let Some(site) = board.site(site) {
                        board.land_on_vacant(&mut frame.pos, site, owner, kind);
                    }
                }))
            }
            Stmt::Put { at, owner, kind, height, .. } => {
                let (at, owner, kind, height) = (self.set(*at), self.int(*owner), self.int(*kind), *height);
                closure(move |frame| {
                    let at = at.run(frame);
                    let owner = owner.run(frame);
                    let kind = kind.run(frame);
                    board.put(&mut frame.pos, at, owner, kind, height);
                })
            }
            Stmt::Move { from, to, owner: Some(owner), kind, vacant: true }
                if let Some(kind) = board.known_kind(*kind) =>
            {
                let (from, to) = (self.int(*from), self.int(*to));
                pick!(int owner = self.int_arg(*owner) => closure(move |frame| {
                    let (from, to, owner) = (from.run(frame), to.run(frame), owner.get(frame));
                    if let (Some(from), Some(to)) = (board.site(from), board.site(to)) {
                        board.go_to_vacant(&mut frame.pos, from, to, owner, kind);
                    }
                }))
            }
            Stmt::Move { from, to, .. } => {
                pick!(int from = self.int_arg(*from), int to = self.int_arg(*to) => {
                    closure(move |frame| {
                        let (from, to) = (from.get(frame), to.get(frame));
                        if let (Some(from), Some(to)) = (board.site(from), board.site(to)) {
                            board.move_piece(&mut frame.pos, from, to);
                        }
                    })
                })
            }
            Stmt::Remove(at) => {
                let at = self.set(*at);
                closure(move |frame| {
                    let at = at.run(frame);
                    board.remove(&mut frame.pos, at);
                })
            }
            Stmt::Lift(at) => {
                let at = self.set(*at);
                closure(move |frame| {
                    let at = at.run(frame);
                    board.lift(&mut frame.pos, at);
                })
            }
            Stmt::Turn { at, owner, kind } => {
                let at = self.set(*at);
                let (owner, kind) = (owner.map(|owner| self.int(owner)), kind.map(|kind| self.int(kind)));
                closure(move |frame| {
                    let at = at.run(frame);
                    let owner = owner.as_ref().map(|owner| owner.run(frame));
                    let kind = kind.as_ref().map(|kind| kind.run(frame));
                    board.turn_pieces(&mut frame.pos, at, owner, kind);
                })
            }
            Stmt::Carry { at, relation } => {
                let at = self.set(*at);
                let (program, relation) = (Arc::clone(&self.program), *relation as usize);
                closure(move |frame| {
                    let at = at.run(frame);
                    board.carry(&mut frame.pos, at, &program.relations[relation]);
                })
            }
            Stmt::SwapSides => closure(move |frame| {
                let swap = board.slot(&frame.pos, core::SWAP);
                board.set_slot(&mut frame.pos, core::SWAP, i32::from(swap == 0));
            }),
            Stmt::If(cond, then, otherwise) => {
                let (cond, then) = (self.cond(*cond), self.block(*then));
                match otherwise.map(|otherwise| self.block(otherwise)) {
                    None => pick!(cond cond = cond => closure(move |frame| {
                        if cond.get(frame) != 0 {
                            then.run(frame);
                        }
                    })),
                    Some(otherwise) => pick!(cond cond = cond => closure(move |frame| {
                        let chosen = if cond.get(frame) != 0 { &then } else { &otherwise };
                        chosen.run(frame);
                    })),
                }
            }
            Stmt::For { local, domain: Domain::Set(domain), body } => {
                let (local, body) = (*local as usize, self.block(*body));
                pick!(set domain = self.set_arg(*domain) => closure(move |frame| {
                    for site in domain.get(frame).iter() {
                        frame.work += 1;
                        frame.set_int(local, site as i32);
                        body.run(frame);
                    }
                }))
            }
            Stmt::For { local, domain, body } => {
                let (local, domain, body) = (*local as usize, self.members(*domain), self.block(*body));
                closure(move |frame| {
                    for member in domain.get(frame) {
                        frame.work += 1;
                        frame.set_int(local, member);
                        body.run(frame);
                    }
                })
            }
            Stmt::Emit { set, base, multiplier } => {
                let multiplier = *multiplier;
                let set = self.set(*set);
                pick!(int base = self.int_arg(*base) => closure(move |frame| {
                    let set = set.run(frame);
                    // The base alone may lie below 0: with a member's part added it is a move's number.
                    let base = base.get(frame) as u32;
                    frame.sink.push(set, base, multiplier);
                }))
            }
            Stmt::EmitOne(number) => {
                let number = self.int(*number);
                closure(move |frame| {
                    if let Ok(number) = u32::try_from(number.run(frame)) {
                        frame.sink.push_one::<W>(number);
                    }
                })
            }
        }
    }
}

impl<const W: usize> Builder<W> {
    /// A layer is set. Mostly it gains or loses some sites, or one: that is done in place.
    fn set_layer(&mut self, layer: u32, value: SetId) -> Do {
        let at = self.program.layout.layer_at(layer as usize);
        let program = Arc::clone(&self.program);
        let op = |id: SetId| &program.sets[id.0 as usize];
        let itself = |id: SetId| matches!(op(id), SetOp::Layer(other) if *other == layer);
        let (change, gains) = match *op(value) {
            SetOp::Sub(a, b) if itself(a) => (b, false),
            SetOp::Or(a, b) if itself(a) => (b, true),
            SetOp::Or(a, b) if itself(b) => (a, true),
            _ => {
                let value = self.set(value);
                return closure(move |frame| {
                    let value = value.run(frame);
                    store(&mut frame.pos, at, value);
                });
            }
        };
        // Changes of more than single sites go first: they may ask for the layer.
        let (mut sites, mut rest, mut queue) = (Vec::new(), None, vec![change]);
        while let Some(part) = queue.pop() {
            match *op(part) {
                SetOp::Site(site) if part == change || self.at_hand(site) => sites.push(site),
                SetOp::Or(a, b) if rest.is_none() => queue.extend([a, b]),
                _ if rest.is_none() => rest = Some(part),
                _ => {
                    (sites, rest) = (Vec::new(), Some(change));
                    break;
                }
            }
        }
        let mut code: Vec<Do> = Vec::new();
        if let Some(rest) = rest {
            let change = self.set(rest);
            code.push(closure(move |frame| {
                let change = change.run(frame);
                let old = load::<W>(&frame.pos, at);
                store(&mut frame.pos, at, if gains { old | change } else { old - change });
            }));
        }
        for site in sites {
            let board = Arc::clone(&self.board);
            code.push(pick!(int site = self.int_arg(site) => closure(move |frame| {
                let Some(site) = board.site(site.get(frame)) else { return };
                if let Some(word) = frame.pos.get_mut(at + site / 64) {
                    let bit = 1 << (site % 64);
                    *word = if gains { *word | bit } else { *word & !bit };
                }
            })));
        }
        in_order(code)
    }

    /// Whether a change of layers leaves a number as it is.
    fn at_hand(&self, id: IntId) -> bool {
        matches!(self.program.ints[id.0 as usize], IntOp::Local(_) | IntOp::Const(_) | IntOp::Slot(_))
    }
}

/// One after the other.
fn in_order(mut code: Vec<Do>) -> Do {
    fn fixed<const N: usize>(code: Vec<Do>) -> Do {
        match <[Do; N]>::try_from(code) {
            Ok(code) => closure(move |frame| code.iter().for_each(|code| code.run(frame))),
            // INVARIANT: it is called with so many only.
            Err(code) => closure(move |frame| code.iter().for_each(|code| code.run(frame))),
        }
    }
    // Where their number is known there is no loop: that would cost more than the calls.
    if code.len() > 8 {
        let rest = in_order(code.split_off(7));
        code.push(rest);
    }
    match code.len() {
        0 => closure(|_| {}),
        1 => code.remove(0),
        2 => fixed::<2>(code),
        3 => fixed::<3>(code),
        4 => fixed::<4>(code),
        5 => fixed::<5>(code),
        6 => fixed::<6>(code),
        7 => fixed::<7>(code),
        _ => fixed::<8>(code),
    }
}
