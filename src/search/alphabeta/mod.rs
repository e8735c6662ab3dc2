//! Alpha-beta: looks every line so many plies deep, but for those that cannot matter, and values what is there.
//!
//! ```text
//! choose: depth 1, 2, 3, ... until the limit, within a window around the last value
//!   search: chance -> the mean of what follows
//!           the table knows -> that
//!           else each move, best first: the first in the whole window, the others in one of no width
//!             no depth left -> settle: loud moves only, or the value as it stands
//! ```
//!
//! Values are whole numbers as the *side* sees them that decides: in a game of two the persons, in a game of more the
//! one who thinks against all others (*paranoid* search: Sturtevant and Korf, AAAI 2000). A side that decides twice in
//! a row keeps its sign, so turns of several plies need no care. A win in `n` plies is [`WIN`]` - n`. Moves are
//! ordered by the table, by what they are expected to bring ([`gain`]), by killers and by history.

mod gain;
mod order;
mod table;

use std::sync::Arc;

use self::gain::{Gains, Sorts, was_loud};
use self::order::{Orders, Pick};
use self::table::{Bound, Table};
use super::evaluation::{Evaluation, MOST, guess, share};
use super::{Agent, Forfeit, Found, Limit, Situation, Thought, forced, key, no_move};
use crate::play::{History, Machine, Move, Moves, Outcome, Position};
use crate::program::slot;

/// The value of a game that is won now.
const WIN: i32 = 1 << 24;

/// Values beyond this are wins, within it are guesses.
const SURE: i32 = WIN - 4096;

/// The deepest line.
const DEEPEST: usize = 200;

/// The most plies of a quiet search.
const LOUDEST: usize = 12;

/// The most memory of the table, and how much of it a node of the limit is worth: as many games are played by agents
/// that look at a few positions, whose tables must not take longer to clear than they take to think.
const TABLE: usize = 64 << 20;
const TABLE_A_NODE: u64 = 2048;

/// The clock is looked at once in so many nodes.
const OFTEN: u64 = 64;

/// A position of the line that is looked at.
#[derive(Clone, Debug)]
struct Level {
    pos: Position,
    moves: Moves,
    picks: Vec<Pick>,
    sorts: Sorts,
    /// The part of the evaluation that the sets decide.
    sets: i32,
    /// What is expected from here.
    line: Vec<Move>,
}

/// The agent.
pub(super) struct AlphaBeta {
    /// The weights that were fitted for the game; guessed at the first choice where there are none.
    known: Option<Arc<Evaluation>>,
    mind: Option<Mind>,
}

impl AlphaBeta {
    /// With the weights of the game, if there are some.
    pub fn new(known: Option<Arc<Evaluation>>) -> AlphaBeta {
        AlphaBeta { known, mind: None }
    }
}

impl Agent for AlphaBeta {
    fn choose(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        thought: &mut Thought<'_>,
    ) -> Result<Move, Forfeit> {
        if let Some(only) = forced(at, thought)? {
            return Ok(only);
        }
        let same =
            self.mind.as_ref().is_some_and(|mind| Arc::ptr_eq(mind.machine.program(), machine.program()));
        if !same {
            self.mind = Some(Mind::new(machine, at, self.known.clone()));
        }
        let mind = self.mind.as_mut().ok_or_else(no_move)?;
        mind.think(at, thought).ok_or_else(no_move)
    }

    fn forget(&mut self) {
        self.mind = self.mind.take().map(Mind::emptied);
    }
}

/// All that a search works with, for one program.
struct Mind {
    machine: Machine,
    evaluation: Arc<Evaluation>,
    table: Table,
    gains: Gains,
    orders: Orders,
    levels: Vec<Level>,
    history: History,
    /// Whose sum is looked at: in a game of more than two the one who thinks.
    view: usize,
    players: usize,
    width: usize,
    nodes: u64,
    /// Set when the limit is reached: everything returns at once.
    over: bool,
}

impl Mind {
    fn new(machine: &Machine, at: Situation<'_>, known: Option<Arc<Evaluation>>) -> Mind {
        let mut machine = machine.clone();
        machine.warm_up();
        let evaluation = known.unwrap_or_else(|| Arc::new(guess(&mut machine, at.pos, at.history)));
        machine.set_hashing(true);
        let (players, width) = (machine.layout().players, machine.layout().width);
        Mind {
            machine,
            evaluation,
            table: Table::new(0),
            gains: Gains::new(),
            orders: Orders::new(),
            levels: Vec::new(),
            history: History::new(),
            view: 0,
            players,
            width,
            nodes: 0,
            over: false,
        }
    }

    /// The same, nothing learned.
    fn emptied(mut self) -> Mind {
        self.table = Table::new(0);
        self.gains = Gains::new();
        self.orders = Orders::new();
        self
    }

    fn think(&mut self, at: Situation<'_>, thought: &mut Thought<'_>) -> Option<Move> {
        let layout = self.machine.layout();
        let person = at.pos.person(layout, at.moves.mover());
        let view = if self.players > 2 { person } else { 0 };
        if view != self.view {
            // Values are of another player's sight.
            (self.view, self.table) = (view, Table::new(0));
        }
        (self.nodes, self.over) = (0, false);
        let bytes = thought.limit.nodes.saturating_mul(TABLE_A_NODE);
        self.table.reach(usize::try_from(bytes).unwrap_or(TABLE).min(TABLE));
        self.table.grow_older();
        self.orders.grow_older();
        self.history.copy_from(at.history);
        self.begin(at);
        let mut roots: Vec<Root> = at.moves.iter().map(|number| Root { number, line: Vec::new() }).collect();
        thought.rng.shuffle(&mut roots);
        let most = usize::try_from(thought.limit.depth).unwrap_or(DEEPEST).clamp(1, DEEPEST - LOUDEST - 2);
        // The second best is the best of all but the best, and so on.
        let mut values = vec![0; (thought.lines.max(1) as usize).min(roots.len())];
        'all: for depth in 1..=most {
            for (rank, value) in values.iter_mut().enumerate() {
                let Some(rest) = roots.get_mut(rank..) else { break };
                *value = self.deepen(rest, depth as i32, *value, &thought.limit);
                if self.over && (depth > 1 || rank > 0) {
                    break 'all;
                }
                let proved = (value.abs() > SURE).then(|| (WIN - value.abs()).unsigned_abs());
                thought.tell(&Found {
                    depth: depth as u32,
                    nodes: self.nodes,
                    value: told(*value),
                    proved,
                    line: rest.first().map(|root| root.line.clone()).unwrap_or_default(),
                    rank: rank as u32 + 1,
                });
            }
            // A proved result does not change, and one move needs no thought.
            let sure = |value: &i32| value.abs() > SURE && (WIN - value.abs()) as usize <= depth;
            if values.iter().all(sure) || roots.len() == 1 && depth >= 4 || self.over {
                break;
            }
        }
        roots.first().map(|root| root.number)
    }

    /// Puts the position at the root of the line.
    fn begin(&mut self, at: Situation<'_>) {
        let mut pos = at.pos.clone();
        self.machine.settle_hash(&mut pos);
        let sets = self.evaluation.of_sets(pos.words(), self.width, self.view);
        if self.levels.is_empty() {
            self.levels = vec![Level::new(&pos)];
        }
        let Some(root) = self.levels.first_mut() else { return };
        root.pos = pos;
        root.moves.copy_from(at.moves);
        root.sets = sets;
    }

    /// Searches the moves of the root, the best of the last time first; they come back ordered.
    fn deepen(&mut self, roots: &mut [Root], depth: i32, last: i32, limit: &Limit<'_>) -> i32 {
        let mut reach = if depth < 4 || last.abs() > SURE { 2 * WIN } else { MOST / 2048 };
        loop {
            let (low, high) = ((last - reach).max(-WIN), (last.saturating_add(reach)).min(WIN));
            let value = self.root(roots, depth, low, high, limit);
            if self.over || (value > low || low <= -WIN) && (value < high || high >= WIN) {
                return value;
            }
            reach = reach.saturating_mul(8);
        }
    }

    fn root(&mut self, roots: &mut [Root], depth: i32, low: i32, high: i32, limit: &Limit<'_>) -> i32 {
        let (mut best, mut alpha) = (-WIN, low);
        for i in 0..roots.len() {
            let Some(number) = roots.get(i).map(|root| root.number) else { break };
            self.make(0, number);
            let mut value;
            if i == 0 {
                value = self.below(0, depth - 1, alpha, high, limit);
            } else {
                value = self.below(0, depth - 1, alpha, alpha + 1, limit);
                if value > alpha && value < high && !self.over {
                    value = self.below(0, depth - 1, alpha, high, limit);
                }
            }
            self.unmake(0);
            if self.over && (i > 0 || depth > 1) {
                break;
            }
            best = best.max(value);
            // A value within the bound says only that the move is no better: it keeps its place.
            if i == 0 || value > alpha {
                let mut line = vec![number];
                line.extend(self.levels.get(1).map(|l| &l.line[..]).unwrap_or(&[]));
                if let Some(root) = roots.get_mut(i) {
                    root.line = line;
                }
                // The best stands first for the next time; the others keep their order.
                if let Some(front) = roots.get_mut(..=i) {
                    front.rotate_right(1);
                }
                alpha = alpha.max(value);
            }
            if alpha >= high {
                break;
            }
        }
        best
    }

    /// Makes a move at a level; the next level holds what follows.
    fn make(&mut self, ply: usize, number: Move) {
        if self.levels.len() < ply + 2
            && let Some(last) = self.levels.last()
        {
            let level = Level::new(&last.pos);
            self.levels.push(level);
        }
        let Some((from, to)) = self.levels.get_mut(ply..).and_then(|l| l.split_first_mut()) else { return };
        let Some(to) = to.first_mut() else { return };
        self.orders.note(ply, self.history.len());
        to.pos.copy_from(&from.pos);
        self.machine.play(&mut to.pos, number, &mut self.history, &mut to.moves);
        to.line.clear();
        let change = self.evaluation.change(from.pos.words(), to.pos.words(), self.width, self.view);
        to.sets = from.sets.saturating_add(change);
        self.nodes += 1;
    }

    fn unmake(&mut self, ply: usize) {
        self.history.truncate(self.orders.noted(ply));
    }

    /// Who decides at a level: 0 or 1.
    fn side(&self, ply: usize) -> usize {
        let layout = self.machine.layout();
        let Some(level) = self.levels.get(ply) else { return 0 };
        let person = level.pos.person(layout, level.pos.mover(layout));
        if self.players > 2 { usize::from(person != self.view) } else { person }
    }

    /// The value of what follows a move, as who made it sees it.
    fn below(&mut self, ply: usize, depth: i32, alpha: i32, beta: i32, limit: &Limit<'_>) -> i32 {
        match self.side(ply) == self.side(ply + 1) {
            true => self.search(ply + 1, depth, alpha, beta, limit),
            false => -self.search(ply + 1, depth, -beta, -alpha, limit),
        }
    }

    /// The value of a level's position, as who decides there sees it.
    fn search(&mut self, ply: usize, depth: i32, mut alpha: i32, mut beta: i32, limit: &Limit<'_>) -> i32 {
        if self.over || limit.is_over_at(self.nodes, OFTEN) {
            self.over = true;
            return 0;
        }
        let Some(level) = self.levels.get(ply) else { return 0 };
        if level.moves.is_empty() {
            return self.end(ply);
        }
        if ply + 2 >= DEEPEST {
            return self.looks(ply);
        }
        if level.moves.is_chance() {
            return self.expect(ply, depth, limit);
        }
        let only = level.moves.len() == 1;
        if depth <= 0 && !(only && ply < 3 * LOUDEST) {
            return self.settle(ply, 0, alpha, beta, limit);
        }
        // No line is worth more than to win with the next ply.
        let far = WIN - ply as i32;
        (alpha, beta) = (alpha.max(-far), beta.min(far - 1));
        if alpha >= beta {
            return alpha;
        }
        let hash = key(self.machine.layout(), &level.pos);
        let known = self.table.get(hash);
        if let Some(entry) = known
            && i32::from(entry.depth) >= depth
        {
            let value = from_table(entry.value, ply);
            let cut = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if cut && beta - alpha == 1 {
                return value;
            }
        }
        self.order(ply, known.and_then(|entry| entry.best));
        let (began, mut best, mut good) = (alpha, -WIN, None);
        let count = self.levels.get(ply).map_or(0, |l| l.picks.len());
        let next = if only { depth } else { depth - 1 };
        for i in 0..count {
            let Some(pick) = self.levels.get_mut(ply).and_then(|level| order::next(&mut level.picks, i))
            else {
                break;
            };
            self.make(ply, pick.number);
            self.learn(ply, pick);
            let mut value;
            if i == 0 {
                value = self.below(ply, next, alpha, beta, limit);
            } else {
                // Late quiet moves are looked at less deep first.
                let less = if depth >= 3 && i >= 3 && !pick.loud { reduction(depth, i) } else { 0 };
                value = self.below(ply, next - less, alpha, alpha + 1, limit);
                if less > 0 && value > alpha && !self.over {
                    value = self.below(ply, next, alpha, alpha + 1, limit);
                }
                if value > alpha && value < beta && !self.over {
                    value = self.below(ply, next, alpha, beta, limit);
                }
            }
            self.unmake(ply);
            if self.over {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    good = Some(pick.number);
                    self.keep_line(ply, pick.number);
                }
            }
            if alpha >= beta {
                self.orders.reward(
                    ply,
                    self.side(ply),
                    pick,
                    depth,
                    self.levels.get(ply).map(|l| &l.picks[..i]),
                );
                break;
            }
        }
        let bound = match () {
            _ if best >= beta => Bound::Lower,
            _ if best > began => Bound::Exact,
            _ => Bound::Upper,
        };
        self.table.put(hash, to_table(best, ply), good, depth, bound);
        best
    }

    /// The mean of what chance may give, as the side sees it that chance is asked for.
    fn expect(&mut self, ply: usize, depth: i32, limit: &Limit<'_>) -> i32 {
        let Some(level) = self.levels.get(ply) else { return 0 };
        let moves: Vec<Move> = level.moves.iter().collect();
        let mut weights: Vec<f64> = Vec::with_capacity(moves.len());
        for number in &moves {
            weights.push(f64::from(self.machine.chance_weight(&level.pos, *number)));
        }
        if weights.iter().all(|w| *w == 0.0) {
            weights.fill(1.0);
        }
        let total: f64 = weights.iter().sum();
        let mut mean = 0.0;
        for (number, weight) in moves.iter().zip(weights).filter(|(_, w)| *w > 0.0) {
            self.make(ply, *number);
            let value = self.below(ply, depth - 1, -WIN, WIN, limit);
            self.unmake(ply);
            if self.over {
                return 0;
            }
            // A win counts as the surest guess: means of wins in 3 and in 30 plies say nothing.
            mean += weight / total * f64::from(value.clamp(-MOST, MOST));
        }
        mean as i32
    }

    /// A quiet search: the value as it stands, or what loud moves make of it.
    fn settle(&mut self, ply: usize, deep: usize, mut alpha: i32, beta: i32, limit: &Limit<'_>) -> i32 {
        let Some(level) = self.levels.get(ply) else { return 0 };
        if level.moves.is_empty() {
            return self.end(ply);
        }
        let chance = level.moves.is_chance();
        let stand = self.looks(ply);
        if deep >= LOUDEST || ply + 2 >= DEEPEST || chance || self.gains.all_loud() {
            return stand;
        }
        self.order(ply, None);
        let Some(level) = self.levels.get_mut(ply) else { return stand };
        let all = level.picks.len();
        level.picks.retain(|pick| pick.loud);
        let count = level.picks.len();
        // Where nothing quiet can be done, to stand still is no choice.
        let mut best = if count == all { -WIN } else { stand };
        if best >= beta || count == 0 {
            return best;
        }
        alpha = alpha.max(best);
        for i in 0..count {
            let Some(pick) = self.levels.get_mut(ply).and_then(|level| order::next(&mut level.picks, i))
            else {
                break;
            };
            if limit.is_over_at(self.nodes, OFTEN) {
                self.over = true;
                return 0;
            }
            // What cannot reach the window even if it brings twice what is expected is left out.
            if count != all && stand.saturating_add(2 * pick.rise.max(0) + QUIET) <= alpha {
                continue;
            }
            self.make(ply, pick.number);
            self.learn(ply, pick);
            let value = match self.side(ply) == self.side(ply + 1) {
                true => self.settle(ply + 1, deep + 1, alpha, beta, limit),
                false => -self.settle(ply + 1, deep + 1, -beta, -alpha, limit),
            };
            self.unmake(ply);
            if self.over {
                return 0;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// What a finished game is worth to who decided last.
    fn end(&mut self, ply: usize) -> i32 {
        let side = self.side(ply);
        let Some(level) = self.levels.get(ply) else { return 0 };
        let Some(Outcome::Win(winner)) = self.machine.outcome(&level.pos) else { return 0 };
        let person = level.pos.person(self.machine.layout(), winner);
        let winner = if self.players > 2 { usize::from(person != self.view) } else { person };
        if winner == side { WIN - ply as i32 } else { ply as i32 - WIN }
    }

    /// What a position looks worth to who decides.
    fn looks(&mut self, ply: usize) -> i32 {
        let side = self.side(ply);
        let Some(level) = self.levels.get(ply) else { return 0 };
        let rest = self.evaluation.of_rest(&mut self.machine, &level.pos, &level.moves, self.view);
        let sum = level.sets.saturating_add(rest).clamp(-MOST, MOST);
        // The sum is the first player's, or the one's who thinks: the side 0, unless the persons changed places.
        let swapped = self.players <= 2 && level.pos.slot(self.machine.layout(), slot::SIDES) != 0;
        if (side == 1) != swapped { -sum } else { sum }
    }

    /// Lists the moves of a level with what they promise.
    fn order(&mut self, ply: usize, best: Option<Move>) {
        let side = self.side(ply);
        let Some(level) = self.levels.get_mut(ply) else { return };
        let program = self.machine.program();
        let state = level.pos.slot(&program.layout, slot::STATE);
        level.sorts.look(program, &level.pos);
        level.picks.clear();
        for number in level.moves.iter() {
            let class = level.sorts.class(program, state, number);
            let (rise, loud) = (self.gains.rise(class), self.gains.is_loud(class));
            let promise = self.orders.promise(ply, side, number, rise, loud, best);
            level.picks.push(Pick { number, promise, class, rise, loud });
        }
    }

    /// Learns from a move that was just made.
    fn learn(&mut self, ply: usize, pick: Pick) {
        // All is learned at first, later every so often.
        if self.nodes > 20_000 && !self.nodes.is_multiple_of(8) {
            return;
        }
        let side = self.side(ply);
        let (Some(from), Some(to)) = (self.levels.get(ply), self.levels.get(ply + 1)) else { return };
        let swapped = self.players <= 2 && from.pos.slot(self.machine.layout(), slot::SIDES) != 0;
        let change = to.sets.saturating_sub(from.sets);
        let rise = if (side == 1) != swapped { -change } else { change };
        self.gains.learn(pick.class, rise, was_loud(self.machine.program(), &from.pos, &to.pos));
    }

    fn keep_line(&mut self, ply: usize, number: Move) {
        let Some((level, rest)) = self.levels.get_mut(ply..).and_then(|l| l.split_first_mut()) else {
            return;
        };
        level.line.clear();
        level.line.push(number);
        level.line.extend(rest.first().map(|next| &next.line[..]).unwrap_or(&[]));
    }
}

/// A move of the root.
struct Root {
    number: Move,
    line: Vec<Move>,
}

/// What a quiet move may bring at the most: a quarter of a logit.
const QUIET: i32 = 256;

/// How many plies less a late move is looked at.
fn reduction(depth: i32, place: usize) -> i32 {
    let product = f64::from(depth).ln() * (place as f64).ln();
    ((product / 2.0) as i32).clamp(1, depth - 2)
}

impl Level {
    fn new(pos: &Position) -> Level {
        Level {
            pos: pos.clone(),
            moves: Moves::new(),
            picks: Vec::new(),
            sorts: Sorts::default(),
            sets: 0,
            line: Vec::new(),
        }
    }
}

/// A value as a share of the point.
fn told(value: i32) -> f64 {
    match value {
        value if value > SURE => 1.0,
        value if value < -SURE => 0.0,
        value => share(value),
    }
}

/// Wins are stored by their distance from the position, not from the root.
fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        value if value > SURE => value + ply as i32,
        value if value < -SURE => value - ply as i32,
        value => value,
    }
}

fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        value if value > SURE => value - ply as i32,
        value if value < -SURE => value + ply as i32,
        value => value,
    }
}
