//! Ends that ask for a line look only at the site where a line can be new.
//!
//! An end `some line(own, n)` is asked after every ply, of nearly the same board. Let `S(p)` be the sites of player
//! `p`'s pieces. Suppose that only plies of `p` add to `S(p)`, that each adds one site, and that the game ends if
//! `S(p)` has a line after it. Then `S(p)` has no line before such a ply, so every line after it goes through the site
//! that was added:
//!
//! ```text
//! some line(S, n)   is   site in line(S, n)
//! ```
//!
//! That is a question about a few sites beside that one. A position that was set up may have a line already, so a slot
//! for each player remembers the state of the search ([`Slot::memo`]):
//!
//! ```text
//! NEVER   p has put nothing yet: the whole board is looked at
//! FIRST   p has put one piece: the same, now for all that was set up
//! site    where p put the last piece, S(p) having had no line before
//! ```
//!
//! After a ply of `p` that puts nothing, `S(p)` still has no line, and both questions say no.
//! The pass checks these preconditions in the program:
//!
//! - after every ply the end is looked at or the game is over: it is looked at in perft too, and its result is
//!   never a pass;
//! - the end's set is the mover's layer, and no statement sets the mover or swaps sides;
//! - each decision puts on one site at most, always a piece of the mover's, and then remembers it; the site
//!   is that of a choice or a constant;
//! - all other effects of decisions and of the end of a turn take pieces away: nothing moves, turns, is carried or
//!   sets these layers.
//!
//! The sites beside that one are read where the layer lies, so the layout gets a margin as wide as a line reaches.
//!
//! For sets of one or two words the whole board is searched as fast. For wider sets the pass pays, for lines of any
//! length.

use super::Pass;
use super::builder::{Builder, shifts};
use crate::program::{
    Binary, Block, BlockId, DecisionCode, EndCode, IntId, IntOp, Layout, MAX_WRITTEN_LINE, OutcomeCode,
    SetId, SetOp, Slot, Stmt, slot,
};

const NEVER: i32 = -2;
const FIRST: i32 = -1;

/// The least words of a set for which the pass pays.
const MIN_WORDS: usize = 3;

/// How a decision changes the layers of owners.
enum Growth {
    /// They lose sites at most.
    None,
    /// One site, put by the statement of that number.
    Site(usize, IntId),
}

impl Builder {
    /// Rewrites the first end that asks for a line of the mover's pieces.
    pub(crate) fn new_lines(
        &mut self,
        layout: &mut Layout,
        decisions: &mut [DecisionCode],
        ends: &mut [EndCode],
        turn_end: BlockId,
    ) {
        let wide = self.passes.has(Pass::Lines) && layout.width >= MIN_WORDS;
        let Some(base) = layout.pieces.owner_base.filter(|_| wide) else { return };
        let owners = base as u32..(base + layout.players) as u32;
        let Some((end, lines)) = ends.iter().enumerate().find_map(|(i, e)| {
            let asked = !e.at_turn && e.perft && decides(&e.result);
            self.lines_of_mover(e.when, base).filter(|_| asked).map(|lines| (i, lines))
        }) else {
            return;
        };
        if self.block_of(turn_end).iter().any(|s| self.may_grow(s, &owners)) {
            return;
        }
        let growths: Option<Vec<Growth>> = decisions.iter().map(|d| self.growth(d.apply, &owners)).collect();
        let Some(growths) = growths else { return };

        let SetOp::Line { steps, length, .. } = self.op(lines).clone() else { return };
        let axes: Vec<&str> = steps
            .iter()
            .filter_map(|step| self.relations.get(*step as usize))
            .map(|relation| relation.0.as_str())
            .collect();
        let name = format!("line of {} {}", self.const_of(length).unwrap_or(0), axes.join(" "));
        layout.margin = self.reach(&steps, length).div_ceil(64).saturating_sub(1);
        let memo = layout.slots.len() as u32;
        layout.slots.extend((0..layout.players).map(|player| Slot {
            name: format!("{name}, player {}", player + 1),
            identity: false,
            start: NEVER,
            memo: true,
        }));
        let count = layout.players as u32;
        let index = self.raw_int(IntOp::Slot(slot::MOVER as u32));
        let known = self.raw_int(IntOp::SlotRow { base: memo, count, index, missing: NEVER });

        for (d, growth) in decisions.iter_mut().zip(growths) {
            let Growth::Site(at, site) = growth else { continue };
            let (never, first) = (self.num(NEVER), self.num(FIRST));
            let fresh = self.raw_int(IntOp::Binary(Binary::Eq, known, never));
            let value = self.raw_int(IntOp::If(fresh, first, site));
            let mut block: Block = self.block_of(d.apply).clone();
            block.insert(at + 1, Stmt::SetSlotRow { base: memo, count, index, value });
            d.apply = self.block(block);
        }
        let local = self.int_local();
        let site = self.raw_int(IntOp::Local(local));
        let none = self.num(0);
        let is_site = self.raw_int(IntOp::Binary(Binary::Le, none, site));
        let (through, some) = (self.raw_int(IntOp::Has(lines, site)), self.raw_int(IntOp::Some(lines)));
        let body = self.raw_int(IntOp::If(is_site, through, some));
        if let Some(end) = ends.get_mut(end) {
            end.when = self.raw_int(IntOp::LetInt { local, value: known, body });
        }
    }

    /// The lines that a condition asks for, if it is `some line(own, n)`.
    fn lines_of_mover(&self, when: IntId, base: usize) -> Option<SetId> {
        let IntOp::Some(lines) = self.int_op(when) else { return None };
        let SetOp::Line { of, length, .. } = self.op(*lines) else { return None };
        self.const_of(*length)?;
        match self.op(*of) {
            SetOp::LayerRow { base: at, index, .. } if *at as usize == base && self.is_mover(*index) => {
                Some(*lines)
            }
            _ => None,
        }
    }

    /// How many bits beside a site its lines reach, where each step is one shift; 0 where lines are followed.
    fn reach(&self, steps: &[u32], length: IntId) -> usize {
        let one = |step: &u32| match &shifts(&self.relations.get(*step as usize)?.1)?[..] {
            [(by, _)] => Some(by.unsigned_abs()),
            _ => None,
        };
        let farthest: Option<Vec<u32>> = steps.iter().map(one).collect();
        let farthest = farthest.and_then(|all| all.into_iter().max()).unwrap_or(0);
        match self.const_of(length) {
            Some(length @ 2..=MAX_WRITTEN_LINE) => (length as u32 - 1) as usize * farthest as usize,
            _ => 0,
        }
    }

    fn is_mover(&self, player: IntId) -> bool {
        matches!(self.int_op(player), IntOp::Slot(s) if *s as usize == slot::MOVER)
    }

    /// The sites that a decision adds; none if there may be more than one.
    fn growth(&self, apply: BlockId, owners: &std::ops::Range<u32>) -> Option<Growth> {
        let mut found = Growth::None;
        for (i, s) in self.block_of(apply).iter().enumerate() {
            match s {
                Stmt::Put { at, owner, .. } if matches!(found, Growth::None) && self.is_mover(*owner) => {
                    let SetOp::Site(site) = self.op(*at) else { return None };
                    if self.int_info(*site).reads {
                        return None;
                    }
                    found = Growth::Site(i, *site);
                }
                _ if self.may_grow(s, owners) => return None,
                _ => {}
            }
        }
        Some(found)
    }

    /// Whether a statement may add to the layers of owners, or change whose turn is seen.
    fn may_grow(&self, s: &Stmt, owners: &std::ops::Range<u32>) -> bool {
        let block = |id: &BlockId| self.block_of(*id).iter().any(|s| self.may_grow(s, owners));
        match s {
            Stmt::SetLayer(layer, _) => owners.contains(layer),
            Stmt::SetLayerRow { base, count, .. } => *base < owners.end && owners.start < base + count,
            Stmt::SetSlot(at, _) => *at as usize == slot::MOVER,
            Stmt::SetSlotRow { base, .. } => *base as usize <= slot::MOVER,
            Stmt::Put { .. }
            | Stmt::Move { .. }
            | Stmt::Turn { .. }
            | Stmt::Carry { .. }
            | Stmt::SwapSides => true,
            Stmt::If(_, yes, no) => block(yes) || no.as_ref().is_some_and(block),
            Stmt::For { body, .. } => block(body),
            Stmt::LetSet(..)
            | Stmt::LetInt(..)
            | Stmt::Remove(_)
            | Stmt::Lift(_)
            | Stmt::Emit { .. }
            | Stmt::EmitOne(_) => false,
        }
    }
}

/// Whether a result always ends the game.
fn decides(result: &OutcomeCode) -> bool {
    match result {
        OutcomeCode::If(_, a, b) => decides(a) && decides(b),
        OutcomeCode::Pass => false,
        OutcomeCode::Draw | OutcomeCode::Score | OutcomeCode::Wins(_) | OutcomeCode::Places(_) => true,
    }
}
