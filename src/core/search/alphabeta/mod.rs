//! Alpha-beta: looks every line so many plies deep, but for those that cannot matter, and values the positions there.
//!
//! ```text
//! choose: depth 1, 2, 3, ... until the limit, within a window around the last value
//!   search: chance -> the mean over its moves                                                     search
//!           the value as it stands is enough, whatever moves there are -> that                    settle
//!           the table knows -> that                                                               table
//!           the static value is far from the bound, or a pass reaches it -> the bound             cut
//!           else each move, best first: the first in the whole window, the others in one of no width
//!             no depth left -> settle: loud moves only, or the value as it stands                 settle
//! ```
//!
//! Values are whole numbers as the *side* sees them that decides: of two sides, persons or teams, each is one; of more
//! the one who thinks, with partners, against all others (*paranoid* search: Sturtevant and Korf, AAAI 2000). A side
//! that decides twice in a row keeps its sign, so turns of several plies need no care. A win in `n` plies is
//! [`WIN`]` - n`. Moves are listed when they are needed, for most positions are done with before ([`cut`]). They are
//! ordered by the table, by their expected gain ([`class`], [`gain`]), by killers and by history ([`order`]). Nothing
//! of this knows what is good in a game: it is learned while the search goes on.

mod class;
mod cut;
mod gain;
mod order;
mod search;
mod settle;
mod table;

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use self::class::Classes;
use self::cut::{Passes, Trust, Waits};
use self::gain::Gains;
pub use self::gain::was_loud;
use self::order::{Group, Orders, Pick};
use self::table::Table;
use super::evaluation::{Accumulator, Evaluation, MAX_SUM, share, sum_worth};
use super::{Agent, Forfeit, Found, Limit, Situation, Thought, forced, key, no_move};
use crate::ids::Player;
use crate::play::{History, Machine, Move, Moves, Outcome, Position, Rng};
use crate::program::slot;

/// The value of a game that is won now.
const WIN: i32 = 1 << 24;

/// Values beyond this are wins, within it are guesses.
const SURE: i32 = WIN - 4096;

/// The deepest line.
const DEEPEST: usize = 200;

/// The most plies of a quiet search.
const LOUDEST: usize = 12;

/// How much memory of the table a node of the limit is worth: many games are played by agents that look at a few
/// positions, whose tables must not take longer to clear than they take to think.
const TABLE_A_NODE: u64 = 2048;

/// How many bytes the table has at the most, unless it is told otherwise.
pub const MEMORY: usize = 64 << 20;

/// The clock is looked at once in so many nodes.
const OFTEN: u64 = 64;

/// One in so many things is done although its result is as good as known.
const DOUBT: u64 = 32;

/// A position of the line that is looked at.
#[derive(Clone, Debug)]
struct Level {
    pos: Position,
    moves: Moves,
    /// Who decides: 0 or 1.
    side: usize,
    /// How many moves there are; while they are not listed how many there were two plies before.
    choices: usize,
    /// Whether the moves had to wait.
    waited: bool,
    picks: Vec<Pick>,
    /// Moves that are to be listed when the others were not good enough.
    rest: Vec<Group>,
    /// The part of the evaluation that the sets decide.
    sets: Accumulator,
    /// The whole of it, and for how many choices.
    looked: Option<(usize, i32)>,
    /// The move that was made here last, and how many turn starts there were before it.
    made: Move,
    length: usize,
    /// Whether the result of a pass is being verified.
    doubted: bool,
    /// The principal variation from here.
    line: Vec<Move>,
}

/// The agent.
pub(super) struct AlphaBeta {
    /// The weights that were fitted for the game; guessed at the first choice where there are none.
    known: Option<Arc<Evaluation>>,
    threads: usize,
    memory: usize,
    /// One for each thread. The first chooses; the others leave their results in the table (*lazy SMP*).
    minds: Vec<Mind>,
}

impl AlphaBeta {
    /// With the weights of the game, if there are some, on so many threads, with so many bytes for its table if they
    /// are told.
    pub fn new(known: Option<Arc<Evaluation>>, threads: usize, memory: Option<usize>) -> AlphaBeta {
        AlphaBeta { known, threads: threads.max(1), memory: memory.unwrap_or(MEMORY), minds: Vec::new() }
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
            self.minds.first().is_some_and(|mind| Arc::ptr_eq(mind.machine.program(), machine.program()));
        if !same {
            self.minds.clear();
        }
        while self.minds.len() < self.threads {
            let known = self.minds.first().map(|mind| mind.evaluation.clone());
            self.minds.push(Mind::new(machine, at, known.or(self.known.clone()), &thought.limit));
        }
        let (first, helpers) = self.minds.split_first_mut().ok_or_else(no_move)?;
        first.begin(at, &thought.limit, self.memory);
        if helpers.is_empty() {
            return first.think(at, thought, 1, &AtomicU64::new(0)).ok_or_else(no_move);
        }
        let (done, others) = (AtomicBool::new(false), AtomicU64::new(0));
        thought.limit.nodes = (thought.limit.nodes / self.threads as u64).max(1);
        let chosen = std::thread::scope(|scope| {
            for (number, helper) in helpers.iter_mut().enumerate() {
                helper.follow(first);
                let limit = Limit { stop: Some(&done), ..thought.limit };
                let (mut rng, others) = (Rng::new(thought.rng.bits()), &others);
                // They begin with other depths, so that they do not all do the same.
                let from = 1 + (number + 1) % 2;
                scope.spawn(move || helper.think(at, &mut Thought::new(&mut rng, limit), from, others));
            }
            let chosen = first.think(at, thought, 1, &others);
            done.store(true, Ordering::Relaxed);
            chosen
        });
        chosen.ok_or_else(no_move)
    }

    fn forget(&mut self) {
        self.minds.iter_mut().for_each(Mind::empty);
    }
}

/// All that a search works with, for one program.
struct Mind {
    machine: Machine,
    evaluation: Arc<Evaluation>,
    table: Arc<Table>,
    /// How many searches the table has seen.
    age: u8,
    classes: Classes,
    gains: Gains,
    orders: Orders,
    trust: Trust,
    passes: Passes,
    waits: Waits,
    /// The natural logarithms of small numbers.
    logs: Vec<f64>,
    levels: Vec<Level>,
    history: History,
    /// Whose sum is looked at: in a game of more than two sides the one's who thinks.
    view: usize,
    sides: usize,
    width: usize,
    nodes: u64,
    /// How deep the root is looked at.
    depth: i32,
    /// Set when the limit is reached: everything returns at once.
    over: bool,
}

impl Mind {
    fn new(machine: &Machine, at: Situation<'_>, known: Option<Arc<Evaluation>>, limit: &Limit<'_>) -> Mind {
        let mut machine = machine.clone();
        machine.warm_up();
        let evaluation = known.unwrap_or_else(|| at.guess(&mut machine, limit));
        machine.set_hashing(true);
        let classes = Classes::new(machine.program());
        let passes = Passes::new(machine.pass());
        let (sides, width) = (machine.program().sides(), machine.layout().width);
        Mind {
            machine,
            evaluation,
            table: Arc::new(Table::new(0)),
            age: 0,
            classes,
            gains: Gains::new(),
            orders: Orders::new(),
            trust: Trust::new(),
            passes,
            waits: Waits::default(),
            logs: (0..256).map(|n| f64::from(n).ln()).collect(),
            levels: Vec::new(),
            history: History::new(),
            view: 0,
            sides,
            width,
            nodes: 0,
            depth: 0,
            over: false,
        }
    }

    /// Clears all that was learned.
    fn empty(&mut self) {
        self.table = Arc::new(Table::new(0));
        self.gains = Gains::new();
        self.orders = Orders::new();
        self.trust = Trust::new();
        self.passes = Passes::new(self.machine.pass());
        self.waits = Waits::default();
    }

    /// A choice begins: makes the table as large as it is worth, at most so many bytes.
    fn begin(&mut self, at: Situation<'_>, limit: &Limit<'_>, most: usize) {
        let person = at.pos.person(self.machine.layout(), at.moves.mover());
        let view = if self.sides > 2 { person } else { 0 };
        if view != self.view {
            // Values are of another player's sight.
            (self.view, self.table) = (view, Arc::new(Table::new(0)));
        }
        let bytes = usize::try_from(limit.nodes.saturating_mul(TABLE_A_NODE)).unwrap_or(most).min(most);
        // A larger one begins with nothing.
        if self.table.asked() < bytes / 2 {
            self.table = Arc::new(Table::new(bytes));
        }
        self.age = self.age.wrapping_add(1);
    }

    /// Begins the same choice as another.
    fn follow(&mut self, other: &Mind) {
        (self.view, self.age, self.table) = (other.view, other.age, Arc::clone(&other.table));
    }

    /// Looks from a depth on deeper and deeper. `others` counts the nodes of all who are not listened to.
    fn think(
        &mut self,
        at: Situation<'_>,
        thought: &mut Thought<'_>,
        from: usize,
        others: &AtomicU64,
    ) -> Option<Move> {
        (self.nodes, self.over) = (0, false);
        self.orders.grow_older();
        self.history.copy_from(at.history);
        self.put_root(at);
        let new = |number| Root { number, line: Vec::new(), value: 0 };
        let mut roots: Vec<Root> = at.moves.iter().map(new).collect();
        thought.rng.shuffle(&mut roots);
        let most = usize::try_from(thought.limit.depth).unwrap_or(DEEPEST).clamp(1, DEEPEST - LOUDEST - 2);
        // The second best is the best of all but the best, and so on.
        let lines = (thought.lines.max(1) as usize).min(roots.len());
        let listened = thought.tell.is_some();
        let (mut counted, mut last, mut whole) = (0, None, None);
        for depth in from.min(most)..=most {
            let mut done = 0;
            while done < lines {
                let Some(rest) = roots.get_mut(done..) else { break };
                self.depth = depth as i32;
                let before = rest.first().map_or(0, |root| root.value);
                self.deepen(rest, depth as i32, before, &thought.limit);
                if self.over && (depth > from || done > 0) {
                    break;
                }
                done += 1;
            }
            // Of several lines only those of a whole depth can be told apart.
            if done == 0 || done < lines && whole.is_some() {
                break;
            }
            let Some(best) = roots.get_mut(..done) else { break };
            // A later line knows more of the table, and may be found better.
            best.sort_by_key(|root| Reverse(root.value));
            for (rank, Root { value, line, .. }) in best.iter().enumerate() {
                let proved = (value.abs() > SURE).then(|| (WIN - value.abs()).unsigned_abs());
                let found = Found {
                    depth: depth as u32,
                    nodes: self.nodes + others.load(Ordering::Relaxed),
                    value: told(*value),
                    proved,
                    line: line.clone(),
                    rank: rank as u32 + 1,
                };
                thought.tell(&found);
                last = Some(found);
            }
            whole = best.first().map(|root| root.number);
            if !listened {
                others.fetch_add(self.nodes - counted, Ordering::Relaxed);
                counted = self.nodes;
            }
            // Reductions may hide a shorter win, though hardly from a search twice as deep; one move needs no thought.
            let sure = |root: &Root| root.value.abs() >= WIN - depth as i32 / 2;
            if best.iter().all(sure) || roots.len() == 1 && depth >= 4 || self.over {
                break;
            }
        }
        let best = roots.first()?;
        if lines > 1 {
            return whole.or(Some(best.number));
        }
        // The cost of an unfinished depth is told too, and its better move; that this one loses proves nothing.
        if let Some(last) = last.filter(|_| self.over) {
            let nodes = self.nodes + others.load(Ordering::Relaxed);
            let sure = best.value > SURE || best.value < -SURE && last.proved.is_some();
            let proved = sure.then(|| (WIN - best.value.abs()).unsigned_abs());
            thought.tell(&Found { nodes, value: told(best.value), proved, line: best.line.clone(), ..last });
        }
        Some(best.number)
    }

    /// Puts the position at the root of the line.
    fn put_root(&mut self, at: Situation<'_>) {
        let mut pos = at.pos.clone();
        self.machine.settle_hash(&mut pos);
        let side = side_in(&self.machine, self.view, &pos);
        let sets = self.evaluation.of_sets(pos.words(), self.width, self.view);
        if self.levels.is_empty() {
            self.levels = vec![Level::new(&pos)];
        }
        let Some(root) = self.levels.first_mut() else { return };
        root.pos = pos;
        root.moves.copy_from(at.moves);
        root.choices = at.moves.len();
        root.sets = sets;
        root.looked = None;
        root.side = side;
    }

    /// Searches the moves of the root, the best of the last time first; they come back ordered.
    fn deepen(&mut self, roots: &mut [Root], depth: i32, before: i32, limit: &Limit<'_>) {
        let reach = if depth < 4 || before.abs() > SURE { 2 * WIN } else { MAX_SUM / 2048 };
        let (mut down, mut up) = (reach, reach);
        loop {
            let (low, high) = (before.saturating_sub(down).max(-WIN), before.saturating_add(up).min(WIN));
            let value = self.root(roots, depth, low, high, limit);
            // Only the bound that was reached is in doubt.
            match () {
                _ if self.over => return,
                _ if value <= low && low > -WIN => down = down.saturating_mul(8),
                _ if value >= high && high < WIN => up = up.saturating_mul(8),
                _ => return,
            }
        }
    }

    fn root(&mut self, roots: &mut [Root], depth: i32, low: i32, high: i32, limit: &Limit<'_>) -> i32 {
        let (mut best, mut alpha) = (-WIN, low);
        for i in 0..roots.len() {
            let Some(number) = roots.get(i).map(|root| root.number) else { break };
            self.make(0, number, depth - 1);
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
            // A value below the window says only that the move is no better: it keeps its place. One above has no line.
            if value > alpha {
                let line = self.levels.get(1).map_or(&[][..], |level| &level.line);
                if let Some(root) = roots.get_mut(i).filter(|root| value < high || root.line.is_empty()) {
                    (root.value, root.line) = (value, [&[number], line].concat());
                }
                // The best stands first for the next time; the others keep their order.
                if let Some(front) = roots.get_mut(..=i) {
                    front.rotate_right(1);
                }
                alpha = value;
            }
            if alpha >= high {
                break;
            }
        }
        best
    }

    /// Makes a move at a level; the next level holds the position after it, which will be searched so deep.
    fn make(&mut self, ply: usize, number: Move, depth: i32) {
        if self.levels.len() < ply + 2
            && let Some(last) = self.levels.last()
        {
            let level = Level::new(&last.pos);
            self.levels.push(level);
        }
        let Some((before, rest)) = self.levels.split_at_mut_checked(ply) else { return };
        let [from, to, ..] = rest else { return };
        (from.made, from.length) = (number, self.history.len());
        if to.waited {
            self.waits.end(!to.moves.are_listed());
        }
        to.pos.copy_from(&from.pos);
        let like = before.last().filter(|_| self.waits.is_worth(self.nodes));
        match like {
            Some(_) => self.machine.play_on(&mut to.pos, number, &mut self.history, &mut to.moves),
            None => self.machine.play(&mut to.pos, number, &mut self.history, &mut to.moves),
        }
        // Positions without depth are seldom looked up, and a prefetch waits until the page of its bucket is found.
        if depth > 0 {
            self.table.fetch(key(self.machine.layout(), &to.pos));
        }
        to.line.clear();
        to.looked = None;
        to.sets = from.sets;
        self.evaluation.change([from.pos.words(), to.pos.words()], self.width, self.view, &mut to.sets);
        self.nodes += 1;
        to.side = side_in(&self.machine, self.view, &to.pos);
        to.choices = to.moves.len();
        to.waited = false;
        if let Some(like) = like.filter(|_| !to.moves.are_listed()) {
            to.choices = like.choices;
            let layout = self.machine.layout();
            let same = like.pos.mover(layout) == to.pos.mover(layout);
            to.waited = same && self.waits.is_sure() && !self.nodes.is_multiple_of(DOUBT);
            if !to.waited {
                self.list(ply + 1);
            }
        }
    }

    /// Lists the moves of a level if they are not; says whether there are some.
    fn list(&mut self, ply: usize) -> bool {
        if self.levels.get(ply).is_some_and(|level| !level.moves.are_listed()) {
            let believed = self.looks(ply);
            let Some(level) = self.levels.get_mut(ply) else { return false };
            self.machine.list(&mut level.pos, &mut level.moves);
            level.choices = level.moves.len();
            let alike = level.choices > 1 && !self.is_tight(ply);
            let error = self.looks(ply) - believed;
            self.waits.learn(alike, error.abs());
        }
        self.levels.get(ply).is_some_and(|level| !level.moves.is_empty())
    }

    fn unmake(&mut self, ply: usize) {
        self.history.truncate(self.levels.get(ply).map_or(0, |level| level.length));
    }

    /// Who decides at a level: 0 or 1.
    fn side(&self, ply: usize) -> usize {
        self.levels.get(ply).map_or(0, |level| level.side)
    }

    /// A sum as a side sees it. The sum is the first player's, or the one's who thinks: the side 0, unless the persons
    /// changed places.
    fn seen_by(&self, side: usize, pos: &Position, sum: i32) -> i32 {
        let swapped = pos.slot(self.machine.layout(), slot::SIDES) != 0;
        if (side == 1) != swapped { -sum } else { sum }
    }

    /// The value after a move, as the side sees it that made it.
    fn below(&mut self, ply: usize, depth: i32, alpha: i32, beta: i32, limit: &Limit<'_>) -> i32 {
        match self.side(ply) == self.side(ply + 1) {
            true => self.search(ply + 1, depth, alpha, beta, limit),
            false => -self.search(ply + 1, depth, -beta, -alpha, limit),
        }
    }

    /// The value of a finished game for the side that decided last.
    fn end(&mut self, ply: usize) -> i32 {
        let side = self.side(ply);
        let Some(level) = self.levels.get(ply) else { return 0 };
        let won = match self.machine.outcome(&level.pos) {
            Some(Outcome::Win(winner)) => side_of(&self.machine, self.view, &level.pos, winner) == side,
            Some(outcome @ Outcome::Places(_)) => {
                let points = outcome.points(Player(self.view as u8), self.machine.program().sides());
                if points > 0.0 && points < 1.0 {
                    let seen = sum_worth(points);
                    return if side == 0 { seen } else { -seen };
                }
                (points == 1.0) == (side == 0)
            }
            _ => return 0,
        };
        if won { WIN - ply as i32 } else { ply as i32 - WIN }
    }

    /// The static value of a position for the side that decides.
    fn looks(&mut self, ply: usize) -> i32 {
        let side = self.side(ply);
        let Some(Level { pos, choices, sets, looked, .. }) = self.levels.get_mut(ply) else { return 0 };
        let sum = match looked {
            Some((of, sum)) if of == choices => *sum,
            _ => self.evaluation.sum_of(&mut self.machine, pos, *choices, self.view, sets),
        };
        *looked = Some((*choices, sum));
        let Some(level) = self.levels.get(ply) else { return 0 };
        self.seen_by(side, &level.pos, sum)
    }

    /// The least and the greatest that the static value of a position whose moves wait may well be.
    fn looks_between(&mut self, ply: usize) -> (i32, i32) {
        let (value, doubt) = (self.looks(ply), self.waits.doubt());
        (value.saturating_sub(doubt), value.saturating_add(doubt))
    }

    /// Learns from a move that was just made.
    fn learn(&mut self, ply: usize, pick: Pick) {
        // All is learned at first, later every so often.
        if self.nodes > 20_000 && !self.nodes.is_multiple_of(8) {
            return;
        }
        let side = self.side(ply);
        let (Some(from), Some(to)) = (self.levels.get(ply), self.levels.get(ply + 1)) else { return };
        let rise = self.seen_by(side, &from.pos, to.sets.linear().saturating_sub(from.sets.linear()));
        self.gains.learn(usize::from(pick.class), rise, was_loud(self.machine.program(), &from.pos, &to.pos));
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
    /// What it was worth when it was the best of those that were looked at.
    value: i32,
}

impl Level {
    fn new(pos: &Position) -> Level {
        Level {
            pos: pos.clone(),
            moves: Moves::new(),
            side: 0,
            choices: 0,
            waited: false,
            picks: Vec::new(),
            rest: Vec::new(),
            sets: Accumulator::default(),
            looked: None,
            made: Move(0),
            length: 0,
            doubted: false,
            line: Vec::new(),
        }
    }
}

/// Which side a player of a position is of: 0 where it plays together with the one whose sum is looked at.
#[inline]
fn side_of(machine: &Machine, view: usize, pos: &Position, player: Player) -> usize {
    usize::from(!machine.program().together(pos.person(machine.layout(), player), view))
}

/// The side that decides in a position.
#[inline]
fn side_in(machine: &Machine, view: usize, pos: &Position) -> usize {
    side_of(machine, view, pos, pos.mover(machine.layout()))
}

/// A value as a share of the point.
fn told(value: i32) -> f64 {
    match value {
        value if value > SURE => 1.0,
        value if value < -SURE => 0.0,
        value => share(value),
    }
}

/// A value with wins so many plies nearer. The table stores wins by their distance from the position, not from the
/// root.
fn nearer(value: i32, plies: i32) -> i32 {
    match value {
        value if value > SURE => value + plies,
        value if value < -SURE => value - plies,
        value => value,
    }
}
