//! Perft: the number of sequences of exactly so many plies from a position. A finished game has no
//! continuation, a pass is a ply, a forced effect is none. Ends marked `perft = false` are not looked at.

use crate::play::{History, Machine, Move, Moves, Position};
use crate::program::{FlowNode, Leaf, slot};

/// How the leaves are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaves {
    /// The legal moves of the last ply are counted, not made.
    #[default]
    Counted,
    /// Each is made, one by one.
    Made,
}

/// Perft with its working space: a position, moves and history for each depth.
pub struct Perft<'m> {
    machine: &'m mut Machine,
    leaves: Leaves,
    levels: Vec<Level>,
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
}

impl<'m> Perft<'m> {
    /// For a machine, which is set to perft.
    pub fn new(machine: &'m mut Machine, leaves: Leaves) -> Perft<'m> {
        machine.set_perft(true);
        Perft { machine, leaves, levels: Vec::new(), past: History::new(), history: History::new() }
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
        let level = || Level { moves: Moves::new(), next: pos.clone() };
        self.levels.resize_with(self.levels.len().max(depth as usize), level);
        let Some(level) = self.levels.first_mut() else { return 0 };
        self.machine.moves(pos, &mut level.moves);
        let levels = self.levels.get_mut(..depth as usize).unwrap_or(&mut []);
        below(self.machine, self.leaves, levels, pos, &mut self.history)
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

    /// The number of sequences of `turns` whole turns; a turn is a maximal run of one player's decisions.
    pub fn count_turns(&mut self, pos: &Position, turns: u32) -> u64 {
        if turns == 0 {
            return 1;
        }
        let mut moves = Moves::new();
        self.begin(pos);
        self.machine.moves(pos, &mut moves);
        // Leaves behind which nothing is left of the turn: such a move ends the turn, or the game.
        let program = self.machine.program();
        let is_last = |leaf: &Leaf| {
            let state = program.states.get(leaf.next.0 as usize);
            state.is_none_or(|state| matches!(state.rest, FlowNode::Done))
        };
        let last: Vec<bool> = program.leaves.iter().map(is_last).collect();
        self.turns_below(pos, &moves, turns, &last)
    }

    /// The same below a position with known moves.
    fn turns_below(&mut self, pos: &Position, moves: &Moves, turns: u32, last: &[bool]) -> u64 {
        let mover = pos.mover(self.machine.layout());
        let space = || Level { moves: Moves::new(), next: pos.clone() };
        let mut level = self.levels.pop().unwrap_or_else(space);
        let Level { moves: below, next } = &mut level;
        let mut nodes = 0;
        for m in moves.iter() {
            let leaf = self.machine.program().leaf_of(m.0);
            // What comes after the last turn need not be known.
            if turns == 1 && leaf.and_then(|leaf| last.get(leaf)) == Some(&true) {
                nodes += 1;
                continue;
            }
            let past = self.history.len();
            next.copy_from(pos);
            self.machine.play(next, m, &mut self.history, below);
            let layout = self.machine.layout();
            let over = next.slot(layout, slot::RESULT) != 0;
            let same = !over && next.mover(layout) == mover && next.slot(layout, slot::TURN_PLIES) > 0;
            if same {
                nodes += self.turns_below(next, below, turns, last);
            } else if turns == 1 {
                nodes += 1;
            } else if !over {
                nodes += self.turns_below(next, below, turns - 1, last);
            }
            self.history.truncate(past);
        }
        self.levels.push(level);
        nodes
    }
}

/// Counts below a position whose moves stand in the first of the levels, as many plies deep as there are
/// levels.
fn below(
    machine: &mut Machine,
    leaves: Leaves,
    levels: &mut [Level],
    pos: &Position,
    history: &mut History,
) -> u64 {
    let Some((Level { moves, next }, deeper)) = levels.split_first_mut() else { return 1 };
    if deeper.is_empty() {
        return match leaves {
            Leaves::Counted => moves.len() as u64,
            Leaves::Made => machine.make_each(pos, moves, next),
        };
    }
    let (mut nodes, past) = (0, history.len());
    for number in moves.iter() {
        let Some(after) = deeper.first_mut() else { break };
        next.copy_from(pos);
        machine.play(next, number, history, &mut after.moves);
        nodes += below(machine, leaves, deeper, next, history);
        history.truncate(past);
    }
    nodes
}

impl Drop for Perft<'_> {
    fn drop(&mut self) {
        self.machine.set_perft(false);
    }
}
