//! How near a game that nobody has won is to what its ends ask for.
//!
//! Where no game of beginners is ever decided, their results say nothing. The ends do: who has three of the six points
//! that win is nearer to winning than who has one. What a condition *misses* is a number, 0 where it holds:
//!
//! | condition | misses |
//! | --- | --- |
//! | `a <= b` | how much `a` is too large |
//! | `a = b` | the difference |
//! | `x and y` | what both miss |
//! | `x or y` | what the nearer of them misses |
//! | any other | 1 |
//!
//! A player misses what the nearest of the ends misses that he would win; the shares of the point go by
//! `1 / (1 + missing)`. (Ends that hold to a degree: Schiffel, Thielscher, *Fluxplayer*, AAAI 2007.)

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::play::{Machine, Position};
use crate::program::{Binary, IntId, IntOp, OutcomeCode, Program, Unary};

/// What a condition misses is told with who wins by it, in one number: times this, plus the player. There are fewer
/// players.
const WINNERS: i32 = 16;

/// Nobody misses more.
const MOST_MISSED: i32 = 1 << 20;

/// The ends of a game that somebody wins.
pub struct Nearness {
    /// For each a machine of which the score, for each mover, says what the end misses and who wins by it.
    ends: Vec<Machine>,
    /// The side of each player.
    sides: Vec<usize>,
}

impl Nearness {
    /// The ends of a program.
    pub fn new(program: &Program) -> Nearness {
        let ends = program.ends.iter().filter_map(|end| match end.result {
            OutcomeCode::Wins(winner) => telling(program, end.when, winner),
            _ => None,
        });
        let sides = (0..program.layout.players).map(|player| program.side(player));
        Nearness { ends: ends.collect(), sides: sides.collect() }
    }

    /// The points of each player, as many for all where there is a side without an end to win by.
    pub fn points(&mut self, pos: &Position) -> Vec<f32> {
        let players = self.sides.len();
        let sides = self.sides.iter().max().map_or(0, |last| last + 1);
        let mut near = vec![0.0_f32; sides];
        for end in &mut self.ends {
            for mover in 0..players {
                let told = end.score(pos, mover);
                let winner = told.rem_euclid(WINNERS) as usize;
                if let Some(near) = self.sides.get(winner).and_then(|side| near.get_mut(*side)) {
                    *near = near.max(1.0 / (1.0 + told.div_euclid(WINNERS) as f32));
                }
            }
        }
        if near.contains(&0.0) {
            near.fill(1.0);
        }
        let all: f32 = near.iter().sum();
        self.sides.iter().map(|side| near.get(*side).map_or(0.0, |near| near / all)).collect()
    }
}

/// A machine whose score is what the condition misses, times [`WINNERS`], plus the winner.
fn telling(program: &Program, when: IntId, winner: IntId) -> Option<Machine> {
    let mut program = program.clone();
    let mut missing = Missing { ints: std::mem::take(&mut program.ints), known: BTreeMap::new() };
    let much = missing.of(when, true);
    let [most, times, nobody] = [MOST_MISSED, WINNERS, WINNERS - 1].map(|number| missing.number(number));
    let much = missing.both(Binary::Min, much, most);
    let much = missing.both(Binary::Mul, much, times);
    // A number that is no player's is nobody.
    let winner = missing.both(Binary::BitAnd, winner, nobody);
    program.score = Some(missing.both(Binary::Add, much, winner));
    program.ints = missing.ints;
    Machine::new(Arc::new(program)).ok()
}

/// Adds to a program what conditions miss.
struct Missing {
    ints: Vec<IntOp>,
    /// What was added, by condition and whether it is to hold: conditions may share parts many times.
    known: BTreeMap<(IntId, bool), IntId>,
}

impl Missing {
    /// What a condition misses to be as it is wanted: to hold, or not to.
    fn of(&mut self, condition: IntId, wanted: bool) -> IntId {
        if let Some(known) = self.known.get(&(condition, wanted)) {
            return *known;
        }
        let op = self.ints.get(condition.0 as usize).cloned().unwrap_or(IntOp::Const(0));
        let much = match (op, wanted) {
            (IntOp::Unary(Unary::Not, of), _) => self.of(of, !wanted),
            (IntOp::And(a, b), true) | (IntOp::Or(a, b), false) => self.joined(Binary::Add, [a, b], wanted),
            (IntOp::Or(a, b), true) | (IntOp::And(a, b), false) => self.joined(Binary::Min, [a, b], wanted),
            (IntOp::Binary(Binary::Le, a, b), true) | (IntOp::Binary(Binary::Lt, b, a), false) => {
                self.beyond(a, b, 0)
            }
            (IntOp::Binary(Binary::Lt, a, b), true) | (IntOp::Binary(Binary::Le, b, a), false) => {
                self.beyond(a, b, 1)
            }
            (IntOp::Binary(Binary::Eq, a, b), true) => {
                let difference = self.both(Binary::Sub, a, b);
                self.push(IntOp::Unary(Unary::Abs, difference))
            }
            _ => {
                let not = self.push(IntOp::Unary(Unary::Not, condition));
                if wanted { not } else { self.push(IntOp::Unary(Unary::Not, not)) }
            }
        };
        self.known.insert((condition, wanted), much);
        much
    }

    /// What two conditions miss, joined.
    fn joined(&mut self, join: Binary, of: [IntId; 2], wanted: bool) -> IntId {
        let [a, b] = of.map(|of| self.of(of, wanted));
        self.both(join, a, b)
    }

    /// How much the first and so much more are larger than the second.
    fn beyond(&mut self, a: IntId, b: IntId, more: i32) -> IntId {
        let [more, zero] = [more, 0].map(|number| self.number(number));
        let difference = self.both(Binary::Sub, a, b);
        let difference = self.both(Binary::Add, difference, more);
        self.both(Binary::Max, difference, zero)
    }

    fn both(&mut self, op: Binary, a: IntId, b: IntId) -> IntId {
        self.push(IntOp::Binary(op, a, b))
    }

    fn number(&mut self, number: i32) -> IntId {
        self.push(IntOp::Const(number))
    }

    fn push(&mut self, op: IntOp) -> IntId {
        self.ints.push(op);
        IntId(self.ints.len() as u32 - 1)
    }
}
