//! The course of a game: doing a move, ending a turn, beginning the next, ends.

use std::sync::Arc;

use super::board::Core;
use super::code::{Builder, Do, Thunk};
use super::frame::Frame;
use super::history::History;
use super::ledger::Asker;
use super::moves::{Move, Moves};
use super::run::Interpreter;
use crate::limits::PLAYERS;
use crate::program::{self, DecisionCode, EndCode, OutcomeCode, Slots, count_ply, result, slot};

/// The built-in slots, for the course of turns.
struct Counters<'a> {
    core: &'a mut Core,
    players: usize,
}

impl Slots for Counters<'_> {
    type Int = i32;
    type Truth = bool;

    #[inline(always)]
    fn constant(&mut self, value: i32) -> i32 {
        value
    }

    #[inline(always)]
    fn slot(&mut self, slot: usize) -> i32 {
        self.core[slot]
    }

    #[inline(always)]
    fn set_slot(&mut self, slot: usize, value: i32) {
        self.core[slot] = value;
    }

    #[inline(always)]
    fn successor(&mut self, number: i32) -> i32 {
        number.wrapping_add(1)
    }

    #[inline(always)]
    fn is_zero(&mut self, number: i32) -> bool {
        number == 0
    }

    #[inline(always)]
    fn is_at_most(&mut self, a: i32, b: i32) -> bool {
        a <= b
    }

    #[inline(always)]
    fn is_player(&mut self, number: i32) -> bool {
        (number as u32 as usize) < self.players
    }

    #[inline(always)]
    fn select(&mut self, truth: bool, yes: i32, no: i32) -> i32 {
        if truth { yes } else { no }
    }

    #[inline(always)]
    fn when(&mut self, truth: bool, then: impl FnOnce(&mut Self)) {
        if truth {
            then(self);
        }
    }

    #[inline(always)]
    fn either(
        &mut self,
        truth: bool,
        yes: impl FnOnce(&mut Self) -> i32,
        no: impl FnOnce(&mut Self) -> i32,
    ) -> i32 {
        if truth { yes(self) } else { no(self) }
    }

    #[inline(always)]
    fn entry<T: Copy + PartialEq>(
        &mut self,
        number: i32,
        table: &[T],
        each: impl Fn(&mut Self, Option<T>) -> i32,
    ) -> i32 {
        each(self, table.get(number.max(0) as usize).copied())
    }
}

/// A decision (none: a pass) at its place in the flow.
pub(super) struct Leaf {
    pub decision: Option<Arc<Decision>>,
    /// The number of its first move.
    pub base: u32,
    /// The state that is left after it.
    pub next: i32,
}

impl Leaf {
    pub fn new(leaf: &program::Leaf, decisions: &[Arc<Decision>]) -> Leaf {
        let decision = leaf.decision.and_then(|decision| decisions.get(decision)).cloned();
        Leaf { decision, base: leaf.base, next: leaf.next.0 as i32 }
    }
}

/// A decision as code.
pub(super) struct Decision {
    pub generate: Do,
    apply: Do,
    /// The choices, outermost first.
    vars: Box<[Var]>,
    /// How many numbers the moves take.
    size: u32,
    weight: Option<Thunk<i32>>,
}

/// Something that is chosen.
struct Var {
    local: usize,
    offset: i32,
    multiplier: u32,
    /// `2^63 / multiplier`, rounded up: its product with a number of 32 bits, moved down as many bits, is the
    /// quotient (Lemire, Kaser and Kurz, Faster remainder by direct computation, 2019; their argument holds for 63
    /// bits where number times multiplier is less than `2^63`, and both are `2^31` at most: moves have no more
    /// numbers).
    inverse: u64,
}

impl Decision {
    pub fn new<const W: usize>(code: &mut Builder<W>, number: usize, decision: &DecisionCode) -> Decision {
        let asker = Asker::Decision(number);
        let var = |var: &program::Var| Var {
            local: var.local as usize,
            offset: var.offset,
            multiplier: var.multiplier,
            inverse: (1u64 << 63).div_ceil(u64::from(var.multiplier.max(1))),
        };
        Decision {
            generate: code.done(asker, decision.generate),
            apply: code.done(asker, decision.apply),
            vars: decision.vars.iter().map(var).collect(),
            size: decision.size,
            weight: decision.weight.map(|weight| code.asked(asker, weight)),
        }
    }

    /// Binds the choices of a move, given its number among those of the decision.
    #[inline]
    fn bind(&self, frame: &mut Frame, choice: u32) {
        let mut rest = if choice < self.size { choice } else { choice % self.size.max(1) };
        for var in &self.vars {
            let value = ((u128::from(var.inverse) * u128::from(rest)) >> 63) as u32;
            rest = rest.wrapping_sub(value.wrapping_mul(var.multiplier));
            frame.set_int(var.local, (value as i32).wrapping_add(var.offset));
        }
    }
}

/// An end of the game.
pub(super) struct End {
    when: Thunk<i32>,
    result: Outcomes,
    perft: bool,
}

impl End {
    pub fn new<const W: usize>(code: &mut Builder<W>, number: usize, end: &EndCode) -> End {
        let asker = Asker::End(number);
        let result = Outcomes::new(code, asker, &end.result);
        End { when: code.asked(asker, end.when), result, perft: end.perft }
    }
}

/// How something ends.
pub(super) enum Outcomes {
    If(Thunk<i32>, Box<(Outcomes, Outcomes)>),
    /// The value for slot `RESULT`; 0 for a pass.
    Fixed(i32),
    Wins(Thunk<i32>),
    /// The side and the number of each player.
    Places(Box<[(usize, Thunk<i32>)]>),
}

impl Outcomes {
    pub fn new<const W: usize>(code: &mut Builder<W>, asker: Asker, outcome: &OutcomeCode) -> Outcomes {
        match outcome {
            OutcomeCode::If(cond, then, otherwise) => {
                let both = (Outcomes::new(code, asker, then), Outcomes::new(code, asker, otherwise));
                Outcomes::If(code.asked(asker, *cond), Box::new(both))
            }
            OutcomeCode::Pass => Outcomes::Fixed(0),
            OutcomeCode::Draw => Outcomes::Fixed(result::DRAW),
            OutcomeCode::Score => Outcomes::Fixed(result::SCORE),
            OutcomeCode::Wins(player) => Outcomes::Wins(code.asked(asker, *player)),
            OutcomeCode::Places(numbers) => {
                let each = numbers.iter().enumerate();
                Outcomes::Places(
                    each.map(|(player, number)| (code.program.side(player), code.asked(asker, *number)))
                        .collect(),
                )
            }
        }
    }
}

impl<const W: usize> Interpreter<W> {
    /// The built-in slots of the position at hand.
    #[inline(always)]
    fn counters<'f>(&self, frame: &'f mut Frame) -> Option<Counters<'f>> {
        let players = self.board.players;
        self.board.core(&mut frame.pos).map(|core| Counters { core, players })
    }

    /// The leaf that offers a move.
    pub fn leaf_of(&self, number: Move) -> Option<&Leaf> {
        // There are few, and those of most moves come late.
        self.leaves.iter().rfind(|leaf| leaf.base <= number.0)
    }

    /// Does a move with the player in slot `MOVER`, then looks at the ends after a ply. Keeps no hash.
    #[inline]
    pub fn make_move(&self, frame: &mut Frame, number: Move) {
        if self.act(frame, number) {
            self.look_at_ends(frame, false);
        }
    }

    /// Does a move with the player in slot `MOVER`; says whether there is such a move. Ends are not looked at.
    #[inline]
    pub fn act(&self, frame: &mut Frame, number: Move) -> bool {
        let Some(leaf) = self.leaf_of(number).filter(|_| self.slot(frame, slot::RESULT) == 0) else {
            return false;
        };
        self.act_at(frame, leaf, number);
        true
    }

    /// The same for a move of a leaf that is known, in a game that is not over.
    #[inline]
    fn act_at(&self, frame: &mut Frame, leaf: &Leaf, number: Move) {
        if let Some(decision) = &leaf.decision {
            decision.bind(frame, number.0 - leaf.base);
            decision.apply.run(frame);
        }
        if let Some(mut counters) = self.counters(frame) {
            count_ply(&mut counters, leaf.decision.is_some(), leaf.next);
        }
    }

    /// Makes each of some moves of a position, which is copied to the frame for each; says how many.
    pub fn act_each(&self, frame: &mut Frame, from: &[u64], moves: &Moves) -> u64 {
        let mut made = 0;
        frame.pos.copy_from_slice(from);
        if self.slot(frame, slot::RESULT) != 0 {
            return made;
        }
        for segment in moves.segments::<W>() {
            // All moves of a segment are of one leaf.
            let Some(leaf) = segment.clone().next().and_then(|number| self.leaf_of(number)) else { continue };
            let Some(decision) = &leaf.decision else {
                frame.pos.copy_from_slice(from);
                self.act_at(frame, leaf, Move(leaf.base));
                made += 1;
                continue;
            };
            for number in segment {
                frame.pos.copy_from_slice(from);
                decision.bind(frame, number.0 - leaf.base);
                decision.apply.run(frame);
                if let Some(mut counters) = self.counters(frame) {
                    count_ply(&mut counters, true, leaf.next);
                }
                made += 1;
            }
        }
        made
    }

    /// Remembers a position for [`Interpreter::rehash`].
    fn note(&self, frame: &mut Frame) {
        if frame.hashing {
            frame.before.copy_from_slice(&frame.pos);
        }
    }

    /// Brings the hash up to date from the position that was noted.
    fn rehash(&self, frame: &mut Frame) {
        let hash =
            if frame.hashing { self.keys.update(frame.before[0], &frame.before, &frame.pos) } else { 0 };
        frame.pos[0] = hash;
    }

    /// Looks at the ends after a ply or at a turn's start, for the player in slot `MOVER`.
    #[inline]
    fn look_at_ends(&self, frame: &mut Frame, at_turn: bool) {
        if let Some((_, result)) = self.first_end(frame, at_turn) {
            self.set_slot(frame, slot::RESULT, result);
        }
    }

    /// The first end after a ply or at a turn's start that holds for the player in slot `MOVER`: its place
    /// among those ends, and the value for slot `RESULT`.
    #[inline]
    pub fn first_end(&self, frame: &mut Frame, at_turn: bool) -> Option<(usize, i32)> {
        self.ends[usize::from(at_turn)].iter().enumerate().find_map(|(place, end)| {
            if (frame.perft && !end.perft) || end.when.run(frame) == 0 {
                return None;
            }
            let result = self.outcome(frame, &end.result);
            (result != 0).then_some((place, result))
        })
    }

    /// The value for slot `RESULT`; 0 for a pass.
    fn outcome(&self, frame: &mut Frame, outcome: &Outcomes) -> i32 {
        match outcome {
            Outcomes::If(cond, both) => {
                let chosen = if cond.run(frame) != 0 { &both.0 } else { &both.1 };
                self.outcome(frame, chosen)
            }
            Outcomes::Fixed(result) => *result,
            Outcomes::Wins(player) => {
                let player = player.run(frame);
                if self.board.is_player(player) { result::WIN + player } else { result::DRAW }
            }
            Outcomes::Places(numbers) => {
                // The sums of a team need more than 32 bits.
                let mut sums = [0i64; PLAYERS];
                for (side, number) in numbers {
                    sums[*side] += i64::from(number.run(frame));
                }
                let mut each = [0; PLAYERS];
                let places = each.iter_mut().zip(numbers).map(|(to, (side, _))| *to = sums[*side]).count();
                result::places(&each[..places])
            }
        }
    }

    /// The result for a player who is due and has no offer.
    pub fn no_offer(&self, frame: &mut Frame, mover: i32) {
        self.set_mover(frame, mover);
        let result = self.outcome(frame, &self.stuck);
        if result == 0 {
            frame.sink.push_one::<W>(self.stuck_pass);
        } else {
            self.set_slot(frame, slot::RESULT, result);
        }
    }

    /// Offers the legal moves of a resolved position.
    pub fn offer_moves(&self, frame: &mut Frame) {
        if self.slot(frame, slot::RESULT) != 0 {
            return;
        }
        let turn = self.slot(frame, slot::TURN);
        self.set_mover(frame, turn);
        let state = self.slot(frame, slot::STATE);
        let mover = self.state(frame, state).unwrap_or(turn);
        self.set_mover(frame, mover);
        if frame.sink.is_empty() && self.outcome(frame, &self.stuck) == 0 {
            frame.sink.push_one::<W>(self.stuck_pass);
        }
    }

    /// Goes on after a ply.
    pub fn go_on(&self, frame: &mut Frame, history: &mut History) {
        let Some(core) = self.board.core(&mut frame.pos) else { return };
        if core[slot::RESULT] != 0 {
            return;
        }
        let (made, turn, state) = (core[slot::MOVER], core[slot::TURN], core[slot::STATE]);
        core[slot::MOVER] = turn;
        if let Some(mover) = self.state(frame, state) {
            self.due(frame, mover);
        } else if self.slot(frame, slot::TURN_PLIES) == 0 {
            // A turn that ended before any ply: reached only when a position is resolved twice.
            self.no_offer(frame, turn);
        } else {
            self.end_turn(frame);
            self.start_turn(frame, history);
            if self.slot(frame, slot::RESULT) == 0 && !self.ends[1].is_empty() {
                let mover = self.slot(frame, slot::MOVER);
                self.set_mover(frame, made);
                self.look_at_ends(frame, true);
                self.set_mover(frame, mover);
            }
            if self.slot(frame, slot::RESULT) != 0 {
                frame.sink.truncate(0);
            }
        }
    }

    /// Ends a turn: `finish`, and who is next.
    fn end_turn(&self, frame: &mut Frame) {
        self.turn_end.run(frame);
        let next = self.next.as_ref().map(|next| next.run(frame));
        if let Some(mut counters) = self.counters(frame) {
            self.course.choose_next(&mut counters, next);
        }
    }

    /// The hash of the next turn's start, if a ply ended the turn and not the game.
    pub fn hash_of_next(&self, frame: &mut Frame) -> Option<u64> {
        let core = self.board.core(&mut frame.pos)?;
        let state = core[slot::STATE];
        core[slot::MOVER] = core[slot::TURN];
        if core[slot::RESULT] != 0 || self.state(frame, state).is_some() {
            return None;
        }
        self.end_turn(frame);
        self.course.begin(&mut self.counters(frame)?);
        Some(self.keys.full(&frame.pos))
    }

    /// Begins the turn of the player in slot `TURN`; ends at turn starts are not looked at.
    pub fn begin_turn(&self, frame: &mut Frame, history: &mut History) {
        // The position may come from anywhere, with any hash.
        frame.pos[0] = 0;
        self.note(frame);
        if self.slot(frame, slot::RESULT) == 0 {
            self.start_turn(frame, history);
        }
        self.rehash(frame);
    }

    /// Something is due: the mover decides, or is stuck.
    #[inline]
    fn due(&self, frame: &mut Frame, mover: i32) {
        if frame.sink.is_empty() {
            self.no_offer(frame, mover);
        } else {
            self.set_mover(frame, mover);
        }
    }

    /// Begins a turn: its state, how often its position was seen, its offers.
    fn start_turn(&self, frame: &mut Frame, history: &mut History) {
        let Some(mut counters) = self.counters(frame) else { return };
        let state = self.course.begin(&mut counters);
        let turn = counters.slot(slot::TURN);
        // Before anything is resolved: a decision may ask how often the position was seen.
        let mut seen = 1;
        if frame.keeping {
            self.rehash(frame);
            self.note(frame);
            let hash = frame.pos[0];
            history.push(hash);
            seen = i32::try_from(history.count(hash)).unwrap_or(i32::MAX);
        }
        self.set_slot(frame, slot::SEEN, seen);
        match self.state(frame, state) {
            Some(mover) => self.due(frame, mover),
            None => self.no_offer(frame, turn),
        }
    }

    /// The weight of a move; none where moves are alike.
    pub fn weight_of(&self, frame: &mut Frame, number: Move) -> Option<i32> {
        let leaf = self.leaf_of(number)?;
        let decision = leaf.decision.as_ref()?;
        let weight = decision.weight.as_ref()?;
        decision.bind(frame, number.0 - leaf.base);
        Some(weight.run(frame).max(0))
    }
}
