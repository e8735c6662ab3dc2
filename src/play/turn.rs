//! The course of a game: doing a move, ending a turn, beginning the next, ends.

use super::eval::Eval;
use super::history::History;
use super::moves::Move;
use crate::program::{IntId, Leaf, OutcomeCode, slot};

/// A drawn game in slot `RESULT`.
const DRAW: i32 = 1;
/// A game decided by the scores.
const SCORE: i32 = 2;
/// A game that player 0 won; the other players follow.
const WIN: i32 = 3;

impl<'a, const W: usize> Eval<'a, W> {
    /// The leaf that offers a move.
    pub fn leaf_of(&self, number: Move) -> Option<&'a Leaf> {
        let leaves = &self.program.leaves;
        let after = leaves.partition_point(|leaf| leaf.base <= number.0);
        leaves.get(after.checked_sub(1)?)
    }

    /// Binds what a move chose.
    fn bind(&mut self, number: Move, leaf: &Leaf, decision: usize) {
        let choice = number.0.saturating_sub(leaf.base);
        for var in &self.program.decisions[decision].vars {
            let value = choice / var.multiplier % var.radix;
            self.int_local(var.local, (value as i32).saturating_add(var.offset));
        }
    }

    /// Does a move with the player in slot `MOVER`, then looks at the ends after a ply. Keeps no hash.
    pub fn make(&mut self, pos: &mut [u64], number: Move) {
        if self.act(pos, number) {
            self.ends(pos, false);
        }
    }

    /// Does a move with the player in slot `MOVER`; says whether there is such a move. Ends are not looked at.
    pub fn act(&mut self, pos: &mut [u64], number: Move) -> bool {
        let Some(leaf) = self.leaf_of(number) else {
            return false;
        };
        if self.slot(pos, slot::RESULT) != 0 {
            return false;
        }
        if let Some(decision) = leaf.decision {
            self.bind(number, leaf, decision);
            self.run(pos, self.program.decisions[decision].apply);
            self.count_up(pos, slot::TURN_ACTS);
            self.set_slot(pos, slot::PASSES, 0);
        } else if self.slot(pos, slot::TURN_PLIES) == 0 {
            // A turn that is only a pass so far; whatever else is done in it takes that back.
            self.count_up(pos, slot::PASSES);
        }
        self.count_up(pos, slot::PLY);
        self.count_up(pos, slot::TURN_PLIES);
        self.set_slot(pos, slot::STATE, leaf.next.0 as i32);
        true
    }

    /// Remembers a position for [`Eval::rehash`].
    fn note(&mut self, pos: &[u64]) {
        if self.frame.hashing {
            self.frame.before.copy_from_slice(pos);
        }
    }

    /// Brings the hash up to date from the position that was noted.
    fn rehash(&mut self, pos: &mut [u64]) {
        pos[0] = if self.frame.hashing {
            let before = &self.frame.before;
            self.keys.update(before[0], before, pos)
        } else {
            0
        };
    }

    fn count_up(&mut self, pos: &mut [u64], slot: usize) {
        let now = self.slot(pos, slot).wrapping_add(1);
        self.set_slot(pos, slot, now);
    }

    /// Looks at the ends after a ply or at a turn's start, for the player in slot `MOVER`.
    fn ends(&mut self, pos: &mut [u64], at_turn: bool) {
        for end in &self.program.ends {
            if end.at_turn != at_turn || (self.frame.perft && !end.perft) {
                continue;
            }
            if self.int(pos, end.when) == 0 {
                continue;
            }
            let result = self.outcome(pos, &end.result);
            if result != 0 {
                self.set_slot(pos, slot::RESULT, result);
                return;
            }
        }
    }

    /// What slot `RESULT` becomes; 0 for a pass.
    fn outcome(&mut self, pos: &[u64], code: &OutcomeCode) -> i32 {
        match code {
            OutcomeCode::If(cond, then, otherwise) => {
                if self.int(pos, *cond) != 0 {
                    self.outcome(pos, then)
                } else {
                    self.outcome(pos, otherwise)
                }
            }
            OutcomeCode::Pass => 0,
            OutcomeCode::Draw => DRAW,
            OutcomeCode::Score => SCORE,
            OutcomeCode::Wins(player) => {
                let player = self.int(pos, *player);
                if self.is_player(player) { WIN + player } else { DRAW }
            }
        }
    }

    /// What happens to a player who is due and has no offer.
    fn stuck(&mut self, pos: &mut [u64], mover: i32) {
        self.set_mover(pos, mover);
        let result = self.outcome(pos, &self.program.stuck);
        if result == 0 {
            self.offer_pass();
        } else {
            self.set_slot(pos, slot::RESULT, result);
        }
    }

    fn offer_pass(&mut self) {
        let base = self.program.leaves[self.program.stuck_pass].base;
        self.frame.sink.push_one::<W>(base);
    }

    /// Offers the legal moves of a resolved position. The position is the caller's scratch copy: only
    /// its mover is changed.
    pub fn offer(&mut self, pos: &mut [u64]) {
        if self.slot(pos, slot::RESULT) != 0 {
            return;
        }
        let turn = self.slot(pos, slot::TURN);
        self.set_mover(pos, turn);
        let state = self.slot(pos, slot::STATE);
        let mover = self.state(pos, state).unwrap_or(turn);
        self.set_mover(pos, mover);
        if self.frame.sink.is_empty() && self.outcome(pos, &self.program.stuck) == 0 {
            self.offer_pass();
        }
    }

    /// Goes on after a ply: the rest of the turn, or the next turn and the ends at its start. The hash is
    /// brought up to date only where a turn starts, from the position that was noted.
    pub fn resolve(&mut self, pos: &mut [u64], history: &mut History) {
        if self.slot(pos, slot::RESULT) != 0 {
            return;
        }
        let made = self.slot(pos, slot::MOVER);
        let turn = self.slot(pos, slot::TURN);
        self.set_mover(pos, turn);
        let state = self.slot(pos, slot::STATE);
        if let Some(mover) = self.state(pos, state) {
            self.due(pos, mover);
        } else if self.slot(pos, slot::TURN_PLIES) == 0 {
            // A turn that ended before any ply: reached only when a position is resolved twice.
            self.stuck(pos, turn);
        } else {
            self.finish(pos);
            self.choose_next(pos);
            self.start_turn(pos, history);
            if self.slot(pos, slot::RESULT) == 0 {
                let mover = self.slot(pos, slot::MOVER);
                self.set_mover(pos, made);
                self.ends(pos, true);
                self.set_mover(pos, mover);
            }
            if self.slot(pos, slot::RESULT) != 0 {
                self.frame.sink.truncate(0);
            }
        }
    }

    /// Begins the turn of the player in slot `TURN`; ends at turn starts are not looked at.
    pub fn begin(&mut self, pos: &mut [u64], history: &mut History) {
        // The position may come from anywhere, with any hash.
        pos[0] = 0;
        self.note(pos);
        if self.slot(pos, slot::RESULT) == 0 {
            self.start_turn(pos, history);
        }
        self.rehash(pos);
    }

    /// Something is due: the mover decides, or is stuck.
    fn due(&mut self, pos: &mut [u64], mover: i32) {
        if self.frame.sink.is_empty() {
            self.stuck(pos, mover);
        } else {
            self.set_mover(pos, mover);
        }
    }

    /// Ends the turn of the player in slot `TURN`, who is the mover.
    fn finish(&mut self, pos: &mut [u64]) {
        self.run(pos, self.program.turn_end);
    }

    /// Sets slot `TURN` to whom the next turn belongs, and what goes with it.
    fn choose_next(&mut self, pos: &mut [u64]) {
        let players = self.program.layout.players.max(1) as i32;
        let last = self.slot(pos, slot::TURN).rem_euclid(players);
        let opened = usize::try_from(self.slot(pos, slot::OPENED)).unwrap_or(0);
        let owner = self.program.opening.get(opened).and_then(|turn| turn.1);
        let swapped = self.slot(pos, slot::SWAP) != 0;
        if swapped {
            let sides = self.slot(pos, slot::SIDES);
            self.set_slot(pos, slot::SIDES, i32::from(sides == 0));
        }
        let (next, round) = match owner {
            Some(owner) => (i32::from(owner), i32::from(owner) < last),
            None if swapped => (last, false),
            None => {
                let steps = self.steps_to_next(pos, last, players);
                ((last + steps) % players, last + steps >= players)
            }
        };
        if round {
            self.count_up(pos, slot::ROUND);
        }
        self.set_slot(pos, slot::TURN, next);
    }

    /// How many players further the next is who is not skipped; the next in order if all are.
    fn steps_to_next(&mut self, pos: &mut [u64], last: i32, players: i32) -> i32 {
        let Some(skip) = self.program.skip else {
            return 1;
        };
        for steps in 1..=players {
            self.set_mover(pos, (last + steps) % players);
            if self.int(pos, skip) == 0 {
                return steps;
            }
        }
        1
    }

    /// Begins a turn: its state, how often its position was seen, what it offers.
    fn start_turn(&mut self, pos: &mut [u64], history: &mut History) {
        let turn = self.slot(pos, slot::TURN);
        self.set_mover(pos, turn);
        for counter in [slot::TURN_PLIES, slot::TURN_ACTS, slot::SWAP] {
            self.set_slot(pos, counter, 0);
        }
        let opened = usize::try_from(self.slot(pos, slot::OPENED)).unwrap_or(0);
        let state = match self.program.opening.get(opened) {
            Some((state, _)) => {
                self.count_up(pos, slot::OPENED);
                *state
            }
            None => self.program.main,
        };
        self.set_slot(pos, slot::STATE, state.0 as i32);
        // Before anything is resolved: a decision may ask how often the position was seen.
        let mut seen = 1;
        if self.frame.keeping {
            let hash = self.turn_hash(pos);
            history.push(hash);
            seen = i32::try_from(history.count(hash)).unwrap_or(i32::MAX);
        }
        self.set_slot(pos, slot::SEEN, seen);
        match self.state(pos, state.0 as i32) {
            Some(mover) => self.due(pos, mover),
            None => self.stuck(pos, turn),
        }
    }

    /// The hash of a turn's start.
    fn turn_hash(&mut self, pos: &mut [u64]) -> u64 {
        if self.frame.hashing {
            self.rehash(pos);
            self.note(pos);
            pos[0]
        } else {
            self.keys.full(pos)
        }
    }

    /// What a player scores; 0 where there is no score.
    pub fn score(&mut self, pos: &mut [u64], player: usize) -> i32 {
        match self.program.score {
            Some(score) => self.seen_by(pos, player, score),
            None => 0,
        }
    }

    fn seen_by(&mut self, pos: &mut [u64], player: usize, value: IntId) -> i32 {
        self.set_mover(pos, player as i32);
        self.int(pos, value)
    }

    /// What a finished game is worth to a player in a match; none where there is no match.
    pub fn points(&mut self, pos: &mut [u64], player: usize, won: bool) -> Option<i32> {
        let code = self.program.match_.as_ref()?;
        let score = self.score(pos, player);
        self.int_local(code.won, i32::from(won));
        self.int_local(code.score, score);
        Some(self.seen_by(pos, player, code.points))
    }

    /// The weight of a chance move.
    pub fn weight(&mut self, pos: &[u64], number: Move) -> i32 {
        let Some((leaf, decision)) = self.leaf_of(number).and_then(|leaf| Some((leaf, leaf.decision?)))
        else {
            return 1;
        };
        let Some(weight) = self.program.decisions[decision].weight else {
            return 1;
        };
        self.bind(number, leaf, decision);
        self.int(pos, weight).max(0)
    }
}
