//! The course of a game: doing a move, ending a turn, beginning the next, ends.

use std::sync::Arc;

use super::board::Core;
use super::code::{Builder, Do, Thunk};
use super::frame::Frame;
use super::history::History;
use super::moves::{Move, Moves};
use super::run::Interpreter;
use crate::program::{self, DecisionCode, EndCode, OutcomeCode, slot};

/// A drawn game in slot `RESULT`.
const DRAW: i32 = 1;
/// A game decided by the scores.
const SCORE: i32 = 2;
/// A game that player 0 won; the other players follow.
const WIN: i32 = 3;

/// A decision (none: a pass) at its place in the flow.
pub(super) struct Leaf {
    pub decision: Option<Arc<Decision>>,
    /// The number of its first move.
    pub base: u32,
    /// The state that is left after it.
    next: i32,
}

impl Leaf {
    pub fn new(leaf: &program::Leaf, decisions: &[Arc<Decision>]) -> Leaf {
        let decision = leaf.decision.and_then(|decision| decisions.get(decision)).cloned();
        Leaf { decision, base: leaf.base, next: leaf.next.0 as i32 }
    }

    /// What is counted when its decision was acted on.
    #[inline(always)]
    fn count_act(&self, core: &mut Core) {
        core[slot::TURN_ACTS] = core[slot::TURN_ACTS].wrapping_add(1);
        core[slot::PASSES] = 0;
        self.count_ply(core);
    }

    /// What is counted when its move was made.
    #[inline(always)]
    fn count_ply(&self, core: &mut Core) {
        core[slot::PLY] = core[slot::PLY].wrapping_add(1);
        core[slot::TURN_PLIES] = core[slot::TURN_PLIES].wrapping_add(1);
        core[slot::STATE] = self.next;
    }
}

/// A decision: what it does.
pub(super) struct Decision {
    pub generate: Do,
    apply: Do,
    /// What is chosen, outermost first.
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
    pub fn new<const W: usize>(code: &mut Builder<W>, decision: &DecisionCode) -> Decision {
        let var = |var: &program::Var| Var {
            local: var.local as usize,
            offset: var.offset,
            multiplier: var.multiplier,
            inverse: (1u64 << 63).div_ceil(u64::from(var.multiplier.max(1))),
        };
        Decision {
            generate: code.block(decision.generate),
            apply: code.block(decision.apply),
            vars: decision.vars.iter().map(var).collect(),
            size: decision.size,
            weight: decision.weight.map(|weight| code.asked(weight)),
        }
    }

    /// Binds what a move chose, given its number among those of the decision.
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
    pub fn new<const W: usize>(code: &mut Builder<W>, end: &EndCode) -> End {
        let result = Outcomes::new(code, &end.result);
        End { when: code.asked(end.when), result, perft: end.perft }
    }
}

/// How something ends.
pub(super) enum Outcomes {
    If(Thunk<i32>, Box<(Outcomes, Outcomes)>),
    /// What slot `RESULT` becomes; 0 for a pass.
    Fixed(i32),
    Wins(Thunk<i32>),
}

impl Outcomes {
    pub fn new<const W: usize>(code: &mut Builder<W>, outcome: &OutcomeCode) -> Outcomes {
        match outcome {
            OutcomeCode::If(cond, then, otherwise) => {
                let both = (Outcomes::new(code, then), Outcomes::new(code, otherwise));
                Outcomes::If(code.asked(*cond), Box::new(both))
            }
            OutcomeCode::Pass => Outcomes::Fixed(0),
            OutcomeCode::Draw => Outcomes::Fixed(DRAW),
            OutcomeCode::Score => Outcomes::Fixed(SCORE),
            OutcomeCode::Wins(player) => Outcomes::Wins(code.asked(*player)),
        }
    }
}

impl<const W: usize> Interpreter<W> {
    /// The leaf that offers a move.
    fn leaf_of(&self, number: Move) -> Option<&Leaf> {
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
            (decision.apply)(frame);
        }
        let Some(core) = self.board.core(&mut frame.pos) else { return };
        if leaf.decision.is_some() {
            return leaf.count_act(core);
        }
        if core[slot::TURN_PLIES] == 0 {
            // A turn that is only a pass so far; whatever else is done in it takes that back.
            core[slot::PASSES] = core[slot::PASSES].wrapping_add(1);
        }
        leaf.count_ply(core);
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
                (decision.apply)(frame);
                if let Some(core) = self.board.core(&mut frame.pos) {
                    leaf.count_act(core);
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
    /// among those ends, and what slot `RESULT` becomes.
    #[inline]
    pub fn first_end(&self, frame: &mut Frame, at_turn: bool) -> Option<(usize, i32)> {
        self.ends[usize::from(at_turn)].iter().enumerate().find_map(|(place, end)| {
            if (frame.perft && !end.perft) || (end.when)(frame) == 0 {
                return None;
            }
            let result = self.outcome(frame, &end.result);
            (result != 0).then_some((place, result))
        })
    }

    /// What slot `RESULT` becomes; 0 for a pass.
    fn outcome(&self, frame: &mut Frame, outcome: &Outcomes) -> i32 {
        match outcome {
            Outcomes::If(cond, both) => {
                let chosen = if cond(frame) != 0 { &both.0 } else { &both.1 };
                self.outcome(frame, chosen)
            }
            Outcomes::Fixed(result) => *result,
            Outcomes::Wins(player) => {
                let player = player(frame);
                if self.board.is_player(player) { WIN + player } else { DRAW }
            }
        }
    }

    /// What happens to a player who is due and has no offer.
    fn stuck(&self, frame: &mut Frame, mover: i32) {
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
            self.stuck(frame, turn);
        } else {
            (self.turn_end)(frame);
            self.choose_next(frame);
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
            self.stuck(frame, mover);
        } else {
            self.set_mover(frame, mover);
        }
    }

    /// Sets slot `TURN` to whom the next turn belongs, and what goes with it.
    #[inline]
    fn choose_next(&self, frame: &mut Frame) {
        let players = self.board.players as i32;
        let Some(core) = self.board.core(&mut frame.pos) else { return };
        let last = match core[slot::TURN] {
            turn if self.board.is_player(turn) => turn,
            turn => turn.rem_euclid(players.max(1)),
        };
        let owner = self.opening.get(core[slot::OPENED].max(0) as usize).and_then(|turn| turn.1);
        let swapped = core[slot::SWAP] != 0;
        if swapped {
            core[slot::SIDES] = i32::from(core[slot::SIDES] == 0);
        }
        let next = match (owner, &self.next) {
            (Some(owner), _) => i32::from(owner),
            (None, _) if swapped => last,
            (None, next) => match next.as_ref().map(|next| next(frame)) {
                Some(next) if self.board.is_player(next) => next,
                _ if last + 1 < players => last + 1,
                _ => 0,
            },
        };
        let round = next <= last && (owner.is_some() || !swapped);
        let Some(core) = self.board.core(&mut frame.pos) else { return };
        core[slot::ROUND] = core[slot::ROUND].wrapping_add(i32::from(round));
        core[slot::TURN] = next;
    }

    /// Begins a turn: its state, how often its position was seen, what it offers.
    fn start_turn(&self, frame: &mut Frame, history: &mut History) {
        let Some(core) = self.board.core(&mut frame.pos) else { return };
        let turn = core[slot::TURN];
        core[slot::MOVER] = turn;
        core[slot::TURN_PLIES] = 0;
        core[slot::TURN_ACTS] = 0;
        core[slot::SWAP] = 0;
        let state = match self.opening.get(core[slot::OPENED].max(0) as usize) {
            Some((state, _)) => {
                core[slot::OPENED] = core[slot::OPENED].wrapping_add(1);
                *state
            }
            None => self.main,
        };
        core[slot::STATE] = state.0 as i32;
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
        match self.state(frame, state.0 as i32) {
            Some(mover) => self.due(frame, mover),
            None => self.stuck(frame, turn),
        }
    }

    /// The weight of a move; none where moves are alike.
    pub fn weight_of(&self, frame: &mut Frame, number: Move) -> Option<i32> {
        let leaf = self.leaf_of(number)?;
        let decision = leaf.decision.as_ref()?;
        let weight = decision.weight.as_ref()?;
        decision.bind(frame, number.0 - leaf.base);
        Some(weight(frame).max(0))
    }
}
