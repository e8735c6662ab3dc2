//! Perft: the number of sequences of exactly so many plies from a position. A finished game has no
//! continuation, a pass is a ply, a forced effect is none. Ends marked `perft = false` are not looked at.

use std::ops::Range;

use crate::ids::Player;
use crate::play::{History, Machine, Move, Moves, Position};
use crate::program::{FlowNode, slot};

/// How the leaves are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaves {
    /// The legal moves of the last ply are counted, not made.
    #[default]
    Counted,
    /// Each is made, one by one.
    Made,
}

/// Perft with its working space: a position and moves for each depth, and a history.
pub struct Perft<'m> {
    machine: &'m mut Machine,
    leaves: Leaves,
    space: Option<Box<Level>>,
    /// The turn starts before the position, and those of the plies made.
    past: History,
    history: History,
}

/// The working space of a depth.
struct Level {
    /// The moves of the position there.
    moves: Moves,
    /// Where they are made.
    next: Position,
    deeper: Option<Box<Level>>,
}

impl Level {
    fn new(pos: &Position) -> Box<Level> {
        Box::new(Level { moves: Moves::new(), next: pos.clone(), deeper: None })
    }
}

/// The numbers of moves behind which nothing is left of the turn.
type Last = Vec<Range<u32>>;

impl<'m> Perft<'m> {
    /// For a machine, which is set to perft.
    pub fn new(machine: &'m mut Machine, leaves: Leaves) -> Perft<'m> {
        machine.set_perft(true);
        Perft { machine, leaves, space: None, past: History::new(), history: History::new() }
    }

    /// With the turn starts that led to the positions, their own among them. Without it a position counts as the
    /// first of its game.
    #[must_use]
    pub fn after(mut self, past: &History) -> Perft<'m> {
        self.past.copy_from(past);
        self
    }

    /// The history of a position from which counting begins.
    fn begin(&mut self, pos: &Position) {
        self.history.copy_from(&self.past);
        if self.past.is_empty() && self.machine.keeps_history() {
            self.history.push(self.machine.full_hash(pos));
        }
    }

    /// The number of sequences of `depth` plies.
    pub fn count(&mut self, pos: &Position, depth: u32) -> u64 {
        self.begin(pos);
        self.count_on(pos, depth)
    }

    /// The same, going on with the history.
    fn count_on(&mut self, pos: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.with_moves(pos, |perft, level| perft.plies_below(level, pos, depth))
    }

    /// Counts below a position, given its moves in a level.
    fn with_moves(&mut self, pos: &Position, count: impl FnOnce(&mut Self, &mut Level) -> u64) -> u64 {
        let mut level = self.space.take().unwrap_or_else(|| Level::new(pos));
        self.machine.moves(pos, &mut level.moves);
        let nodes = count(self, &mut level);
        self.space = Some(level);
        nodes
    }

    /// The count below each legal move.
    pub fn divide(&mut self, pos: &Position, depth: u32) -> Vec<(Move, u64)> {
        let mut moves = Moves::new();
        self.machine.moves(pos, &mut moves);
        let mut list: Vec<Move> = moves.iter().collect();
        list.sort_unstable();
        let mut out = Vec::new();
        for m in list {
            let mut next = pos.clone();
            let mut below = Moves::new();
            self.begin(pos);
            self.machine.play(&mut next, m, &mut self.history, &mut below);
            let n = match depth {
                0 | 1 => 1,
                _ => self.count_on(&next, depth - 1),
            };
            out.push((m, n));
        }
        out
    }

    /// Counts below a position whose moves stand in its level.
    fn plies_below(&mut self, level: &mut Level, pos: &Position, depth: u32) -> u64 {
        let Level { moves, next, deeper } = level;
        if depth == 1 {
            return match self.leaves {
                Leaves::Counted => moves.len() as u64,
                Leaves::Made => self.machine.make_each(pos, moves, next),
            };
        }
        let deeper = deeper.get_or_insert_with(|| Level::new(pos));
        let (mut nodes, past) = (0, self.history.len());
        for number in moves.iter() {
            next.copy_from(pos);
            self.machine.play(next, number, &mut self.history, &mut deeper.moves);
            nodes += self.plies_below(deeper, next, depth - 1);
            self.history.truncate(past);
        }
        nodes
    }

    /// The number of sequences of `turns` whole turns; a turn is a maximal run of one player's decisions.
    pub fn count_turns(&mut self, pos: &Position, turns: u32) -> u64 {
        if turns == 0 {
            return 1;
        }
        self.begin(pos);
        let last = self.last();
        self.with_moves(pos, |perft, level| perft.turns_below(level, pos, turns, &last))
    }

    /// The moves that end the turn, or the game, wherever they are made.
    fn last(&self) -> Last {
        let program = self.machine.program();
        let ends = program.leaves.iter().skip(1).map(|leaf| leaf.base).chain([u32::MAX]);
        let mut last = Last::new();
        for (leaf, end) in program.leaves.iter().zip(ends) {
            let state = program.states.get(leaf.next.0 as usize);
            if !state.is_none_or(|state| matches!(state.rest, FlowNode::Done)) {
                continue;
            }
            match last.last_mut() {
                Some(before) if before.end == leaf.base => before.end = end,
                _ => last.push(leaf.base..end),
            }
        }
        last
    }

    /// Counts below a position whose moves stand in its level.
    fn turns_below(&mut self, level: &mut Level, pos: &Position, turns: u32, last: &Last) -> u64 {
        let Level { moves, next, deeper } = level;
        // What comes after the last turn need not be known.
        let ends_all = |number: Move| turns == 1 && last.iter().any(|numbers| numbers.contains(&number.0));
        // All moves of a run are of one leaf.
        if moves.runs().all(|run| run.lowest().is_none_or(|site| ends_all(run.of(site)))) {
            return moves.len() as u64;
        }
        let deeper = deeper.get_or_insert_with(|| Level::new(pos));
        let mover = pos.mover(self.machine.layout());
        let (mut nodes, past) = (0, self.history.len());
        for number in moves.iter() {
            if ends_all(number) {
                nodes += 1;
                continue;
            }
            next.copy_from(pos);
            if turns == 1 {
                self.machine.play_on(next, number, &mut self.history, &mut deeper.moves);
            } else {
                self.machine.play(next, number, &mut self.history, &mut deeper.moves);
            }
            if self.goes_on(next, mover) {
                self.machine.list(next, &mut deeper.moves);
            }
            // Who is stuck in the middle of a turn may have lost. A game that is over has no moves.
            nodes += if self.goes_on(next, mover) {
                self.turns_below(deeper, next, turns, last)
            } else if turns == 1 {
                1
            } else {
                self.turns_below(deeper, next, turns - 1, last)
            };
            self.history.truncate(past);
        }
        nodes
    }

    /// Whether the turn of a player goes on.
    fn goes_on(&self, pos: &Position, mover: Player) -> bool {
        let layout = self.machine.layout();
        let over = pos.slot(layout, slot::RESULT) != 0;
        !over && pos.mover(layout) == mover && pos.slot(layout, slot::TURN_PLIES) > 0
    }
}

impl Drop for Perft<'_> {
    fn drop(&mut self) {
        self.machine.set_perft(false);
    }
}
