//! The course of a game: doing a move, ending a turn, beginning the next, ends.

use super::code::{Builder, Do, Thunk};
use super::frame::Frame;
use super::history::History;
use super::moves::Move;
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
    pub decision: Option<usize>,
    /// The number of its first move.
    pub base: u32,
    /// The state that is left after it.
    next: i32,
}

impl Leaf {
    pub fn new(leaf: &program::Leaf) -> Leaf {
        Leaf { decision: leaf.decision, base: leaf.base, next: leaf.next.0 as i32 }
    }
}

/// A decision: what it does.
pub(super) struct Decision {
    pub when: Option<Thunk<i32>>,
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
}

impl Decision {
    pub fn new<const W: usize>(code: &mut Builder<W>, decision: &DecisionCode) -> Decision {
        let var = |var: &program::Var| Var {
            local: var.local as usize,
            offset: var.offset,
            multiplier: var.multiplier,
        };
        Decision {
            when: decision.when.map(|when| code.int(when)),
            generate: code.block(decision.generate),
            apply: code.block(decision.apply),
            vars: decision.vars.iter().map(var).collect(),
            size: decision.size,
            weight: decision.weight.map(|weight| code.int(weight)),
        }
    }

    /// Binds what a move chose, given its number among those of the decision.
    #[inline]
    fn bind(&self, frame: &mut Frame, choice: u32) {
        let mut rest = if choice < self.size { choice } else { choice % self.size.max(1) };
        for var in &self.vars {
            let value = if var.multiplier == 1 { rest } else { rest / var.multiplier };
            rest -= value * var.multiplier;
            frame.set_int(var.local, (value as i32).saturating_add(var.offset));
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
        End { when: code.int(end.when), result, perft: end.perft }
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
                Outcomes::If(code.int(*cond), Box::new(both))
            }
            OutcomeCode::Pass => Outcomes::Fixed(0),
            OutcomeCode::Draw => Outcomes::Fixed(DRAW),
            OutcomeCode::Score => Outcomes::Fixed(SCORE),
            OutcomeCode::Wins(player) => Outcomes::Wins(code.int(*player)),
        }
    }
}

impl<const W: usize> Interpreter<W> {
    /// The leaf that offers a move.
    fn leaf_of(&self, number: Move) -> Option<&Leaf> {
        let after = self.leaves.partition_point(|leaf| leaf.base <= number.0);
        self.leaves.get(after.checked_sub(1)?)
    }

    /// Does a move with the player in slot `MOVER`, then looks at the ends after a ply. Keeps no hash.
    #[inline]
    pub fn make_move(&self, frame: &mut Frame, pos: &mut [u64], number: Move) {
        if self.act(frame, pos, number) {
            self.look_at_ends(frame, pos, false);
        }
    }

    /// Does a move with the player in slot `MOVER`; says whether there is such a move. Ends are not looked at.
    #[inline]
    pub fn act(&self, frame: &mut Frame, pos: &mut [u64], number: Move) -> bool {
        let Some(leaf) = self.leaf_of(number) else {
            return false;
        };
        if self.slot(pos, slot::RESULT) != 0 {
            return false;
        }
        if let Some(decision) = leaf.decision.and_then(|decision| self.decisions.get(decision)) {
            decision.bind(frame, number.0 - leaf.base);
            (decision.apply)(frame, pos);
            self.board.count_up(pos, slot::TURN_ACTS);
            self.set_slot(pos, slot::PASSES, 0);
        } else if self.slot(pos, slot::TURN_PLIES) == 0 {
            // A turn that is only a pass so far; whatever else is done in it takes that back.
            self.board.count_up(pos, slot::PASSES);
        }
        self.board.count_up(pos, slot::PLY);
        self.board.count_up(pos, slot::TURN_PLIES);
        self.set_slot(pos, slot::STATE, leaf.next);
        true
    }

    /// Remembers a position for [`Interpreter::rehash`].
    fn note(&self, frame: &mut Frame, pos: &[u64]) {
        if frame.hashing {
            frame.before.copy_from_slice(pos);
        }
    }

    /// Brings the hash up to date from the position that was noted.
    fn rehash(&self, frame: &Frame, pos: &mut [u64]) {
        pos[0] = if frame.hashing { self.keys.update(frame.before[0], &frame.before, pos) } else { 0 };
    }

    /// Looks at the ends after a ply or at a turn's start, for the player in slot `MOVER`.
    #[inline]
    fn look_at_ends(&self, frame: &mut Frame, pos: &mut [u64], at_turn: bool) {
        for end in &self.ends[usize::from(at_turn)] {
            if (frame.perft && !end.perft) || (end.when)(frame, pos) == 0 {
                continue;
            }
            let result = self.outcome(frame, pos, &end.result);
            if result != 0 {
                self.set_slot(pos, slot::RESULT, result);
                return;
            }
        }
    }

    /// What slot `RESULT` becomes; 0 for a pass.
    fn outcome(&self, frame: &mut Frame, pos: &[u64], outcome: &Outcomes) -> i32 {
        match outcome {
            Outcomes::If(cond, both) => {
                let chosen = if cond(frame, pos) != 0 { &both.0 } else { &both.1 };
                self.outcome(frame, pos, chosen)
            }
            Outcomes::Fixed(result) => *result,
            Outcomes::Wins(player) => {
                let player = player(frame, pos);
                if self.board.is_player(player) { WIN + player } else { DRAW }
            }
        }
    }

    /// What happens to a player who is due and has no offer.
    fn stuck(&self, frame: &mut Frame, pos: &mut [u64], mover: i32) {
        self.set_mover(pos, mover);
        let result = self.outcome(frame, pos, &self.stuck);
        if result == 0 {
            frame.sink.push_one::<W>(self.stuck_pass);
        } else {
            self.set_slot(pos, slot::RESULT, result);
        }
    }

    /// Offers the legal moves of a resolved position.
    pub fn offer_moves(&self, frame: &mut Frame, pos: &mut [u64]) {
        if self.slot(pos, slot::RESULT) != 0 {
            return;
        }
        let turn = self.slot(pos, slot::TURN);
        self.set_mover(pos, turn);
        let state = self.slot(pos, slot::STATE);
        let mover = self.state(frame, pos, state).unwrap_or(turn);
        self.set_mover(pos, mover);
        if frame.sink.is_empty() && self.outcome(frame, pos, &self.stuck) == 0 {
            frame.sink.push_one::<W>(self.stuck_pass);
        }
    }

    /// Goes on after a ply.
    pub fn go_on(&self, frame: &mut Frame, pos: &mut [u64], history: &mut History) {
        if self.slot(pos, slot::RESULT) != 0 {
            return;
        }
        let made = self.slot(pos, slot::MOVER);
        let turn = self.slot(pos, slot::TURN);
        self.set_mover(pos, turn);
        let state = self.slot(pos, slot::STATE);
        if let Some(mover) = self.state(frame, pos, state) {
            self.due(frame, pos, mover);
        } else if self.slot(pos, slot::TURN_PLIES) == 0 {
            // A turn that ended before any ply: reached only when a position is resolved twice.
            self.stuck(frame, pos, turn);
        } else {
            (self.turn_end)(frame, pos);
            self.choose_next(frame, pos);
            self.start_turn(frame, pos, history);
            if self.slot(pos, slot::RESULT) == 0 && !self.ends[1].is_empty() {
                let mover = self.slot(pos, slot::MOVER);
                self.set_mover(pos, made);
                self.look_at_ends(frame, pos, true);
                self.set_mover(pos, mover);
            }
            if self.slot(pos, slot::RESULT) != 0 {
                frame.sink.truncate(0);
            }
        }
    }

    /// Begins the turn of the player in slot `TURN`; ends at turn starts are not looked at.
    pub fn begin_turn(&self, frame: &mut Frame, pos: &mut [u64], history: &mut History) {
        // The position may come from anywhere, with any hash.
        pos[0] = 0;
        self.note(frame, pos);
        if self.slot(pos, slot::RESULT) == 0 {
            self.start_turn(frame, pos, history);
        }
        self.rehash(frame, pos);
    }

    /// Something is due: the mover decides, or is stuck.
    #[inline]
    fn due(&self, frame: &mut Frame, pos: &mut [u64], mover: i32) {
        if frame.sink.is_empty() {
            self.stuck(frame, pos, mover);
        } else {
            self.set_mover(pos, mover);
        }
    }

    /// Sets slot `TURN` to whom the next turn belongs, and what goes with it.
    #[inline]
    fn choose_next(&self, frame: &mut Frame, pos: &mut [u64]) {
        let players = self.board.players as i32;
        let last = match self.slot(pos, slot::TURN) {
            turn if self.board.is_player(turn) => turn,
            turn => turn.rem_euclid(players.max(1)),
        };
        let owner = self.opening_turn(pos).and_then(|turn| turn.1);
        let swapped = self.slot(pos, slot::SWAP) != 0;
        if swapped {
            let sides = self.slot(pos, slot::SIDES);
            self.set_slot(pos, slot::SIDES, i32::from(sides == 0));
        }
        let (next, round) = match owner {
            Some(owner) => (i32::from(owner), i32::from(owner) < last),
            None if swapped => (last, false),
            None => {
                let next = last + self.steps_to_next(frame, pos, last, players);
                if next < players { (next, false) } else { (next - players, true) }
            }
        };
        if round {
            self.board.count_up(pos, slot::ROUND);
        }
        self.set_slot(pos, slot::TURN, next);
    }

    /// The opening turn that begins next, if one does.
    #[inline]
    fn opening_turn(&self, pos: &[u64]) -> Option<(program::StateId, Option<u8>)> {
        self.opening.get(self.slot(pos, slot::OPENED).max(0) as usize).copied()
    }

    /// How many players further the next is who is not skipped; the next in order if all are.
    #[inline]
    fn steps_to_next(&self, frame: &mut Frame, pos: &mut [u64], last: i32, players: i32) -> i32 {
        let Some(skip) = &self.skip else {
            return 1;
        };
        for steps in 1..=players {
            self.set_mover(pos, (last + steps) % players);
            if skip(frame, pos) == 0 {
                return steps;
            }
        }
        1
    }

    /// Begins a turn: its state, how often its position was seen, what it offers.
    fn start_turn(&self, frame: &mut Frame, pos: &mut [u64], history: &mut History) {
        let turn = self.slot(pos, slot::TURN);
        self.set_mover(pos, turn);
        for counter in [slot::TURN_PLIES, slot::TURN_ACTS, slot::SWAP] {
            self.set_slot(pos, counter, 0);
        }
        let state = match self.opening_turn(pos) {
            Some((state, _)) => {
                self.board.count_up(pos, slot::OPENED);
                state
            }
            None => self.main,
        };
        self.set_slot(pos, slot::STATE, state.0 as i32);
        // Before anything is resolved: a decision may ask how often the position was seen.
        let mut seen = 1;
        if frame.keeping {
            self.rehash(frame, pos);
            self.note(frame, pos);
            history.push(pos[0]);
            seen = i32::try_from(history.count(pos[0])).unwrap_or(i32::MAX);
        }
        self.set_slot(pos, slot::SEEN, seen);
        match self.state(frame, pos, state.0 as i32) {
            Some(mover) => self.due(frame, pos, mover),
            None => self.stuck(frame, pos, turn),
        }
    }

    /// The weight of a move; none where moves are alike.
    pub fn weight_of(&self, frame: &mut Frame, pos: &[u64], number: Move) -> Option<i32> {
        let leaf = self.leaf_of(number)?;
        let decision = self.decisions.get(leaf.decision?)?;
        let weight = decision.weight.as_ref()?;
        decision.bind(frame, number.0 - leaf.base);
        Some(weight(frame, pos).max(0))
    }
}
