//! Monte-Carlo tree search: a tree that grows where play is good, its leaves valued by playouts.
//!
//! ```text
//! a simulation:  from the root down the tree: at each node the edge with the highest bound   [Walker::select]
//!                (several from a node that was visited often, one after the other            [stands])
//!                a leaf that was visited before gets edges                                   [Walker::expand]
//!                a playout from there, to the end or to the evaluation                       [Walker::evaluate]
//!                back up: points, proved bounds, proof numbers                               [Walker::back_up]
//! threads:       each walks the same tree (arena) with a machine of its own                  [Work::run]
//!                and tells the visits of nodes that are visited often together               [pending]
//! ```
//!
//! Each edge counts the points of its node's person, so games of several players and turns of several plies need no
//! care (max^n: Luckhardt and Irani, AAAI 1986). At chance nodes the game draws. `uct` is the plain form (UCB1: Kocsis
//! and Szepesvari, ECML 2006); `mcts` proves results on the way, prefers moves that are near to a proof and keeps its
//! tree from choice to choice; `rave` believes first in moves that did well later in the playouts, which reply as did
//! well last; `looker` cuts playouts early and values where they end by the evaluation; `ubfm` plays none: it values
//! all positions after a leaf, and the value of a node is that of its best edge. [`Settings`] says how they differ from
//! `uct`.

mod arena;
mod choice;
mod edge;
mod pending;
mod replies;
mod report;
mod stands;
mod transpositions;
mod walk;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use self::arena::Arena;
use self::edge::Edge;
use self::report::{Report, tell};
use self::walk::{Notes, Walker};
use super::evaluation::Evaluation;
use super::{Agent, Forfeit, Limit, Situation, Thought, forced, no_move};
use crate::play::{History, Machine, Move, Moves, Position, Rng};

/// The parameters of a tree search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Settings {
    /// The weight of moves that were seldom tried.
    pub explore: f32,
    /// The prior of a move that was never tried: as good as one that was tried twice and got so much of the point
    /// (*first-play urgency*: Gelly and Wang, 2006); none: all are tried before one is tried again.
    pub urgency: Option<f32>,
    /// Whether results are proved (*MCTS-Solver*: Winands, Bjornsson, Saito, CG 2008; score bounds), and the tree is
    /// kept from choice to choice.
    pub solve: bool,
    /// How much more a move is worth the fewer proofs are missing of a win by it, beside the move of the fewest
    /// (*PN-MCTS*: Kowalski, Doe, Winands, Gorski, Soemers, IEEE Transactions on Games 2024, who tell moves apart by
    /// rank; proof numbers for each person: Kowalski, Soemers, Kosakowski, Winands, *GPN-MCTS*, 2025).
    pub proofs: f32,
    /// After how many plies at random leaves are valued by the evaluation (*early playout termination*: Lorentz, CG
    /// 2008); none: they are valued by playouts to the end.
    pub looks: Option<u32>,
    /// For how many visits of an edge the points of its move later count as much as the points of the edge (*RAVE*:
    /// Gelly and Silver, ICML 2007); 0: it does not count. Where it does, playouts make the replies that did well last
    /// ([`replies`]).
    pub later: f32,
    /// Whether the value of a node is that of its best edge, not the mean of all simulations, and the best edge is
    /// followed (*best-first minimax*: Korf and Chickering, Artificial Intelligence 1996; unbounded, with proved
    /// results and ties broken by visits: Cohen-Solal, *Learning to Play Two-Player Perfect-Information Games without
    /// Knowledge*, 2020). In a game of more than two players all others are against the one who thinks. Lines that lead
    /// to one position share what is known of its moves ([`transpositions`]).
    pub minimax: bool,
}

/// Plain UCT with `c = sqrt 2`.
pub(super) const UCT: Settings = Settings {
    explore: std::f32::consts::SQRT_2,
    urgency: None,
    solve: false,
    proofs: 0.0,
    looks: None,
    later: 0.0,
    minimax: false,
};

/// The search that proves results on the way, and keeps its tree.
pub(super) const MCTS: Settings =
    Settings { explore: 0.5, urgency: Some(0.2), solve: true, proofs: 0.2, ..UCT };

/// The same, believing first in moves that did well later in playouts that learn good replies. Nothing is tried for its
/// own sake then: the later points are known of every move.
pub(super) const RAVE: Settings =
    Settings { explore: 0.0, urgency: None, proofs: 0.0, later: 1000.0, ..MCTS };

/// The same as `mcts`, leaves valued by the evaluation soon.
pub(super) const LOOKER: Settings = Settings { explore: 0.2, urgency: None, looks: Some(6), ..MCTS };

/// Unbounded best-first minimax.
pub(super) const UBFM: Settings =
    Settings { explore: 0.0, urgency: None, proofs: 0.0, looks: Some(0), minimax: true, ..MCTS };

/// Simulations in a thread's first batch: limits are looked at between batches.
const BATCH: u64 = 8;
/// How long a batch may take by a clock: its size is doubled below half of this and halved above it.
const BATCH_TIME: Duration = Duration::from_micros(100);
/// The largest batch.
const LARGEST_BATCH: u64 = 64;

/// The agent.
pub(super) struct Tree {
    settings: Settings,
    known: Option<Arc<Evaluation>>,
    threads: usize,
    memory: usize,
    /// One for each thread.
    minds: Vec<Mind>,
    arena: Option<Arena>,
    /// Where what is kept is copied to.
    spare: Option<Arena>,
    root: Option<Root>,
}

/// What the root of the tree stands for.
struct Root {
    pos: Position,
    /// The turn starts before it.
    history: History,
    /// The moves that led to it.
    played: Vec<Move>,
}

/// What a thread works with.
struct Mind {
    machine: Machine,
    evaluation: Option<Arc<Evaluation>>,
    notes: Notes,
}

impl Tree {
    /// With the weights of the game, if there are some, on so many threads, with so many bytes. Half of them are for
    /// the copy of what is kept from choice to choice.
    pub fn new(settings: Settings, known: Option<Arc<Evaluation>>, threads: usize, memory: usize) -> Tree {
        Tree {
            settings,
            known,
            threads: threads.max(1),
            memory,
            minds: Vec::new(),
            arena: None,
            spare: None,
            root: None,
        }
    }
}

impl Agent for Tree {
    fn choose(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        thought: &mut Thought<'_>,
    ) -> Result<Move, Forfeit> {
        if let Some(only) = forced(at, thought)? {
            return Ok(only);
        }
        self.meet(machine, at, &thought.limit);
        self.find_root(at, &thought.limit);
        let (Some(arena), Some((first, helpers))) = (&self.arena, self.minds.split_first_mut()) else {
            return Err(no_move());
        };
        let (settings, limit) = (self.settings, thought.limit);
        let work = Work::default();
        let alone = helpers.is_empty();
        std::thread::scope(|scope| {
            for helper in helpers {
                let (mut rng, work) = (Rng::new(thought.rng.bits()), &work);
                let limit = Limit { stop: Some(&work.done), ..limit };
                scope.spawn(move || {
                    let walker = Walker::new(helper, settings, arena, at, limit, alone);
                    work.run(walker, &mut Thought::new(&mut rng, limit));
                });
            }
            work.run(Walker::new(first, settings, arena, at, limit, alone), thought);
        });
        tell(arena, work.made.load(Relaxed), thought);
        Report::new(arena).best(&arena.root, 0).map(Edge::number).or(at.moves.nth(0)).ok_or_else(no_move)
    }

    fn forget(&mut self) {
        self.arena.iter_mut().for_each(Arena::clear);
        self.root = None;
        self.minds.iter_mut().for_each(|mind| mind.notes.forget());
    }
}

/// The simulations of a choice, which several threads make.
#[derive(Default)]
struct Work {
    /// How many are taken by a thread, and how many are made.
    taken: AtomicU64,
    made: AtomicU64,
    /// Set when there is no more to do.
    done: AtomicBool,
}

impl Work {
    /// Makes simulations until a limit is reached or the result is proved; the first is made in any case.
    fn run(&self, mut walker: Walker<'_>, thought: &mut Thought<'_>) {
        let limit = thought.limit;
        let mut told = 1 << 10;
        let mut batch = if limit.until.is_some() { 1 } else { BATCH };
        let mut before = limit.until.map(|(clock, _)| clock());
        loop {
            let from = self.taken.fetch_add(batch, Relaxed);
            let here = batch.min(limit.nodes.saturating_sub(from)).max(u64::from(from == 0));
            // The others make those that they took.
            if here == 0 {
                return;
            }
            if from > 0 && limit.is_over(0) {
                break;
            }
            let mut made = 0;
            while made < here && (made == 0 || !walker.is_proved()) {
                walker.simulate(thought.rng);
                made += 1;
            }
            let all = self.made.fetch_add(made, Relaxed) + made;
            if walker.is_proved() || self.done.load(Relaxed) {
                break;
            }
            if all >= told {
                told *= 2;
                tell(walker.arena, all, thought);
            }
            if let (Some((clock, _)), Some(before)) = (limit.until, &mut before) {
                let now = clock();
                match now.saturating_sub(*before) {
                    spent if spent < BATCH_TIME / 2 => batch = (2 * batch).min(LARGEST_BATCH),
                    spent if spent > BATCH_TIME => batch = (batch / 2).max(1),
                    _ => {}
                }
                *before = now;
            }
        }
        self.done.store(true, Relaxed);
    }
}

impl Tree {
    /// Gets ready for a game.
    fn meet(&mut self, machine: &Machine, at: Situation<'_>, limit: &Limit<'_>) {
        let same =
            self.minds.first().is_some_and(|mind| Arc::ptr_eq(mind.machine.program(), machine.program()));
        if !same {
            self.minds.clear();
            self.root = None;
        }
        while self.minds.len() < self.threads {
            let mut machine = machine.clone();
            machine.warm_up();
            let known = self.minds.first().and_then(|mind| mind.evaluation.clone());
            let evaluation = self.settings.looks.map(|_| {
                let known = known.or_else(|| self.known.clone());
                known.unwrap_or_else(|| at.guess(&mut machine, limit))
            });
            self.minds.push(Mind { machine, evaluation, notes: Notes::default() });
        }
    }

    /// Makes the given position the root of the tree and keeps its subtree.
    fn find_root(&mut self, at: Situation<'_>, limit: &Limit<'_>) {
        let moves = at.moves.len();
        let fits = |arena: &Arena| arena.can_hold(moves);
        let (memory, later) = (self.memory, self.settings.later > 0.0);
        let new = || Arena::new(memory / 2, moves, later);
        let mut arena = self.arena.take().filter(fits).unwrap_or_else(new);
        // Values for one person's side say nothing to another's.
        let layout = self.minds.first().map(|mind| mind.machine.layout());
        let one_sided = self.settings.minimax && layout.is_some_and(|layout| layout.players > 2);
        let found = match (&self.root, self.minds.first_mut()) {
            (Some(root), Some(mind)) if self.settings.solve => follow(&mut mind.machine, &arena, root, at)
                .filter(|node| !one_sided || node.person() == arena.root.person()),
            _ => None,
        };
        match found {
            Some(node) if std::ptr::eq(node, &raw const arena.root) => {}
            Some(node) => {
                let mut kept = self.spare.take().filter(fits).unwrap_or_else(new);
                kept.take_over(&arena, node, limit);
                self.spare = Some(std::mem::replace(&mut arena, kept));
            }
            None => arena.clear(),
        }
        self.arena = Some(arena);
        let (pos, history) = (at.pos.clone(), at.history.clone());
        self.root = Some(Root { pos, history, played: at.played.to_vec() });
    }
}

/// The node of a position to which plies lead from the root of the tree; none where it was not visited.
fn follow<'a>(machine: &mut Machine, arena: &'a Arena, root: &Root, at: Situation<'_>) -> Option<&'a Edge> {
    let (mut pos, mut history, mut moves) = (root.pos.clone(), root.history.clone(), Moves::new());
    let mut node = &arena.root;
    for number in at.played.strip_prefix(&root.played[..])? {
        node = arena.edges(node).find(|edge| edge.visits() > 0 && edge.number() == *number)?;
        machine.play(&mut pos, *number, &mut history, &mut moves);
    }
    // The game may be another one that began with the same plies.
    (pos.words().get(1..) == at.pos.words().get(1..) && pos.dealt() == at.pos.dealt()).then_some(node)
}
