//! Monte-Carlo tree search: a tree that grows where play is good, its leaves valued by playouts.
//!
//! ```text
//! a simulation:  from the root down the tree: at each node the edge with the highest bound   [Tree::select]
//!                a leaf that was visited before gets edges                                   [Tree::expand]
//!                a playout from there, or the evaluation                                     [Tree::value]
//!                back up: visits, points, proved bounds                                      [Tree::back_up]
//! ```
//!
//! Each edge counts the points of its node's person, so games of several players and turns of several plies need no care
//! (max^n: Luckhardt and Irani, AAAI 1986). At chance nodes the game draws. `uct` is the plain form (UCB1: Kocsis and
//! Szepesvari, ECML 2006); `mcts` proves results on the way and keeps its tree from choice to choice; `rave` believes
//! first in moves that did well later in the playouts, which reply as did well last; `looker` values leaves by the
//! evaluation, without playouts.
//! [`Settings`] says how they differ from `uct`.

mod arena;
mod replies;
mod walk;

use std::sync::Arc;

use self::arena::{Arena, Edge};
use self::walk::Walker;
use super::evaluation::{Evaluation, guess};
use super::{Agent, Forfeit, Found, Situation, Thought, forced, no_move};
use crate::play::{History, Machine, Move, Moves, Position};

/// The parameters of a tree search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Settings {
    /// The weight of moves that were seldom tried.
    pub explore: f32,
    /// The prior of a move that was never tried: as good as one that was tried twice and got so much of the point
    /// (*first-play urgency*: Gelly and Wang, 2006); none: all are tried before one is tried again.
    pub urgency: Option<f32>,
    /// Whether results are proved (*MCTS-Solver*: Winands, Bjornsson, Saito, CG 2008; score bounds), and the tree is kept
    /// from choice to choice.
    pub solve: bool,
    /// Whether leaves are valued by the evaluation, else by a playout.
    pub looks: bool,
    /// For how many visits of an edge the points of its move later count as much as the points of the edge (*RAVE*:
    /// Gelly and Silver, ICML 2007); 0: it does not count. Where it does, playouts make the replies that did well last
    /// ([`replies`]).
    pub later: f32,
}

/// Plain UCT with `c = sqrt 2`.
pub(super) const UCT: Settings =
    Settings { explore: std::f32::consts::SQRT_2, urgency: None, solve: false, looks: false, later: 0.0 };

/// The search that proves results on the way, and keeps its tree.
pub(super) const MCTS: Settings = Settings { explore: 0.5, urgency: Some(0.2), solve: true, ..UCT };

/// The same, believing first in moves that did well later in playouts that learn good replies. Nothing is tried for its
/// own sake then: the later points are known of every move.
pub(super) const RAVE: Settings = Settings { explore: 0.0, urgency: None, later: 1000.0, ..MCTS };

/// The same as `mcts`, leaves valued by the evaluation alone.
pub(super) const LOOKER: Settings = Settings { explore: 0.3, urgency: None, looks: true, ..MCTS };

/// Memory of the tree.
const MEMORY: usize = 512 << 20;

/// The clock is looked at once in so many simulations.
const OFTEN: u64 = 8;

/// The agent.
pub(super) struct Tree {
    settings: Settings,
    known: Option<Arc<Evaluation>>,
    mind: Option<Mind>,
}

impl Tree {
    /// With the weights of the game, if there are some.
    pub fn new(settings: Settings, known: Option<Arc<Evaluation>>) -> Tree {
        Tree { settings, known, mind: None }
    }
}

/// The state that is kept from choice to choice.
struct Mind {
    machine: Machine,
    evaluation: Option<Arc<Evaluation>>,
    arena: Arena,
    /// The position of the root, and the turn starts before it.
    root: Option<(Position, History)>,
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
        let same =
            self.mind.as_ref().is_some_and(|mind| Arc::ptr_eq(mind.machine.program(), machine.program()));
        if !same {
            let mut machine = machine.clone();
            machine.warm_up();
            let evaluation = self.settings.looks.then(|| {
                let known = self.known.clone();
                known.unwrap_or_else(|| Arc::new(guess(&mut machine, at.pos, at.history)))
            });
            self.mind = Some(Mind { machine, evaluation, arena: Arena::new(MEMORY), root: None });
        }
        let mind = self.mind.as_mut().ok_or_else(no_move)?;
        mind.find_root(at, self.settings);
        let Mind { machine, evaluation, arena, .. } = mind;
        let mut walker = Walker::new(machine, evaluation.as_deref(), self.settings, arena, at);
        let mut nodes = 0;
        let mut told = 1 << 10;
        while nodes == 0 || !thought.limit.is_over_at(nodes, OFTEN) {
            walker.simulate(thought.rng);
            nodes += 1;
            if walker.is_proved() {
                break;
            }
            if nodes == told {
                told *= 2;
                tell(walker.arena, nodes, thought);
            }
        }
        tell(walker.arena, nodes, thought);
        best(walker.arena, 0, 0).map(|edge| edge.number).ok_or_else(no_move)
    }

    fn forget(&mut self) {
        if let Some(mind) = &mut self.mind {
            mind.arena.clear();
            mind.root = None;
        }
    }
}

impl Mind {
    /// Makes the given position the root of the tree and keeps its subtree.
    fn find_root(&mut self, at: Situation<'_>, settings: Settings) {
        let found = match (&self.root, settings.solve) {
            (Some((root, before)), true) => search(&mut self.machine, &self.arena, root, before, at),
            _ => None,
        };
        match found {
            Some(node) => self.arena = self.arena.rooted_at(node),
            None => self.arena.clear(),
        }
        self.root = Some((at.pos.clone(), at.history.clone()));
    }
}

/// How many plies below the root the position is looked for, and how many positions.
const BELOW: usize = 6;
const LOOKED: usize = 1000;

/// The node of a position that is at most [`BELOW`] plies below the root of the tree.
fn search(
    machine: &mut Machine,
    arena: &Arena,
    root: &Position,
    before: &History,
    at: Situation<'_>,
) -> Option<u32> {
    let mut level = vec![(0, root.clone(), before.clone())];
    let (mut looked, mut moves) = (0, Moves::new());
    let layout = machine.layout().clone();
    let wanted = at.pos.ply(&layout);
    for _ in 0..BELOW {
        let mut next = Vec::new();
        for (node, pos, history) in &level {
            if pos.words().get(1..) == at.pos.words().get(1..) && pos.dealt() == at.pos.dealt() {
                return Some(*node);
            }
            if pos.ply(&layout) >= wanted {
                continue;
            }
            let edges = arena.node(*node).map(|n| arena.edges_of(n)).unwrap_or(&[]);
            for edge in edges.iter().filter(|edge| edge.child != 0) {
                looked += 1;
                if looked > LOOKED {
                    return None;
                }
                let (mut after, mut starts) = (pos.clone(), history.clone());
                machine.play(&mut after, edge.number, &mut starts, &mut moves);
                next.push((edge.child, after, starts));
            }
        }
        level = next;
    }
    None
}

/// The edge that a node's person would choose, or the so many-th after it: won for sure, else the one tried most, none
/// that is lost for sure.
fn best(arena: &Arena, at: u32, after: usize) -> Option<&Edge> {
    let node = arena.node(at)?;
    let rank = |edge: &Edge| {
        let range = edge.range.seen_by(node.person);
        let sure = match (range.low, range.high) {
            (2, _) => 3,
            (_, 0) => 1,
            _ => 2,
        };
        (sure, if sure == 2 { edge.visits } else { 0 }, edge.mean().unwrap_or(0.0))
    };
    let order = |a: &Edge, b: &Edge| {
        let (a, b) = (rank(a), rank(b));
        (b.0, b.1).cmp(&(a.0, a.1)).then(b.2.total_cmp(&a.2))
    };
    let edges = arena.edges_of(node);
    if after == 0 {
        return edges.iter().min_by(|a, b| order(a, b));
    }
    let mut sorted: Vec<&Edge> = edges.iter().collect();
    sorted.sort_by(|a, b| order(a, b));
    sorted.get(after).copied()
}

/// Reports the best moves of the root, as many as are wanted.
fn tell(arena: &Arena, nodes: u64, thought: &mut Thought<'_>) {
    for rank in 1..=thought.lines {
        if let Some(found) = found(arena, nodes, rank) {
            thought.tell(&found);
        }
    }
}

/// The report on the move of a rank, from 1; none if that was never tried.
fn found(arena: &Arena, nodes: u64, rank: u32) -> Option<Found> {
    let root = arena.node(0)?;
    let first = best(arena, 0, rank as usize - 1).filter(|edge| edge.visits > 0)?;
    let mut line = vec![first.number];
    let mut at = first.child;
    while at != 0
        && line.len() < 64
        && let Some(edge) = best(arena, at, 0).filter(|edge| edge.visits > 0)
    {
        line.push(edge.number);
        at = edge.child;
    }
    let depth = line.len() as u32;
    // The value of the root is that of its best move.
    let range = if rank == 1 { root.range } else { first.range }.seen_by(root.person);
    let proved = range.is_known().then_some(depth);
    let value = if range.is_known() { f32::from(range.low) / 2.0 } else { first.mean().unwrap_or(0.5) };
    Some(Found { depth, nodes, value: f64::from(value), proved, line, rank })
}
