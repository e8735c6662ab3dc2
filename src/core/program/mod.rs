//! The program: the compiled form of a definition for one board, one choice of options and so many players.
//! Inert data: nothing here runs it, and nothing in it knows of syntax.
//!
//! # The position it works on
//!
//! A position is one plain array of words: a hash, then [`Layout::layers`] (sets of `width` words), then
//! [`Layout::slots`] (32-bit integers, two a word). Numbers that are dealt at the set-up and never change lie outside,
//! shared by all positions of a game: [`Layout::dealt`].
//!
//! Pieces are layers: one for each kind, one for each owner, and one for each level of stacks; see [`Pieces`] for which
//! of them are left out where they would say nothing. Where any pieces may stand on each other these are the top ones;
//! [`Stacks`] says where those below are.
//!
//! # The code
//!
//! Expressions are typed trees in two arenas: [`SetOp`] yields a set, [`IntOp`] a 32-bit integer. Every
//! other type of the language is an integer here: a bool is 0 or 1; a site, a kind or a player its
//! number, -1 for none; a set of kinds a bit mask. Statements ([`Stmt`]) stand in blocks. Bound names are
//! *locals*: numbered places of a frame, each bound in one place only, so no name is ever looked up.
//!
//! An expression never changes the position. [`SetOp::After`] and [`IntOp::After`] run a block on a copy
//! and evaluate there. Every loop runs over a set, a range or a mask that is fixed when it starts, or of
//! which members are only taken off, so every evaluation ends.
//!
//! # Decisions and moves
//!
//! A *move* is one number: the `base` of the [`Leaf`] (a decision at its place in the turn flow) that
//! offers it, plus a mixed-radix number of what was chosen. A generator block yields *segments*: a set,
//! a base and a multiplier, standing for the moves `base + multiplier * site`. Moves are counted by
//! popcount, the k-th is found by selecting a bit; no list is needed.
//!
//! # The flow
//!
//! The rest of a turn after each leaf is fixed by the leaf's place in the flow, so the turn flow is a
//! finite list of states ([`FlowState`]), each a small tree that is resolved in the current position.
//!
//! # Who `mover` is
//!
//! All code reads the player it is written from in slot [`slot::MOVER`]; the play side sets it before it
//! runs a block (see the fields for who it is).

mod code;
mod course;
mod fingerprint;
mod flow;
mod layout;
mod listing;
mod operator;
mod reads;
mod same;
mod stacks;
mod verify;
mod walk;

pub use code::{Block, BlockId, Domain, IntId, IntOp, MAX_WRITTEN_LINE, SetId, SetOp, Stmt};
pub(crate) use course::{Course, Slots, count_ply};
pub use fingerprint::Fingerprint;
pub use flow::{
    DecisionCode, EndCode, FlowNode, FlowState, Leaf, MatchCode, OutcomeCode, StateId, Var, VarKind, result,
};
pub use layout::{Deal, DealTo, Layer, Layout, Order, Pieces, Placement, RayTable, Relation, Slot, slot};
pub use operator::{Binary, OfSet, Unary};

pub use listing::{Listing, listing};
pub use stacks::Stacks;
pub use verify::{ProgramError, WIDTHS, verify, width_for};
pub(crate) use walk::{Hole, Local, Part, Use};

use serde::Serialize;

/// A whole game, ready to run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Program {
    /// The layout of a position.
    pub layout: Layout,
    /// The sites that exist.
    pub all: Vec<u64>,
    /// Constant sets, `width` words each; [`SetOp::Const`] gives the number of the set.
    pub consts: Vec<u64>,
    /// Relations from site to sites that do not depend on the position.
    pub relations: Vec<Relation>,
    /// Rays: the sites in one direction from each site.
    pub rays: Vec<RayTable>,
    /// Tables of integers, for [`IntOp::Lookup`].
    pub tables: Vec<Vec<i32>>,
    /// Expressions of sets; an operand always has a lower number than its user.
    pub sets: Vec<SetOp>,
    /// Expressions of integers; operands within this arena likewise.
    pub ints: Vec<IntOp>,
    /// Blocks of statements.
    pub blocks: Vec<Block>,
    /// How many set locals a frame has.
    pub set_locals: usize,
    /// How many integer locals a frame has; local 0 is the base of the leaf that generates.
    pub int_locals: usize,
    /// How deeply copies of the position nest ([`SetOp::After`], [`IntOp::After`]).
    pub copies: usize,
    /// The decisions.
    pub decisions: Vec<DecisionCode>,
    /// Decisions (and passes) at their places in the flow; `base` ascending.
    pub leaves: Vec<Leaf>,
    /// The rests of turns. State 0 is the end of the turn: nothing left to do.
    pub states: Vec<FlowState>,
    /// The states in which the opening turns start, and whom each belongs to (none: the next in order).
    pub opening: Vec<(StateId, Option<u8>)>,
    /// The state in which every later turn starts.
    pub main: StateId,
    /// The leaf of the pass that `stuck = "pass"` offers; its rest is the end of the turn.
    pub stuck_pass: usize,
    /// Pieces on the board before `setup`.
    pub placements: Vec<Placement>,
    /// Run once at the start, mover `players[0]`.
    pub setup: BlockId,
    /// Run after a position was read from text, mover the player to move: ages of the entries that were read, then
    /// the definition's own tidying.
    pub tidy: BlockId,
    /// Run when a turn ends, mover the turn's player: `finish`, then the resets of entries that expire.
    pub turn_end: BlockId,
    /// Who has the turn after the mover's. None, and a number that is no player: the next in order.
    pub next: Option<IntId>,
    /// The result for a mover without a legal decision.
    pub stuck: OutcomeCode,
    /// Ends, in the order in which they are looked at; mover is who made the ply.
    pub ends: Vec<EndCode>,
    /// The score of a player (as mover).
    pub score: Option<IntId>,
    /// Several games in a row.
    pub match_: Option<MatchCode>,
    /// Whether anything reads [`slot::SEEN`], so that hashes and their history are kept.
    pub reads_seen: bool,
    /// The team of each player; empty where each plays alone. Then it is not written down, so that such programs keep
    /// the fingerprints that they have always had.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<usize>,
}

impl Program {
    /// How many sides play against each other: teams, or players who play alone.
    pub fn sides(&self) -> usize {
        self.teams.iter().max().map_or(self.layout.players, |last| last + 1)
    }

    /// The side of a player: the team, or the player alone.
    pub fn side(&self, player: usize) -> usize {
        self.teams.get(player).copied().unwrap_or(player)
    }

    /// Whether two players play together. Each does with itself.
    pub fn together(&self, a: usize, b: usize) -> bool {
        self.side(a) == self.side(b)
    }

    /// Whether players may get places, so that who wins is not all there is to win.
    pub fn has_places(&self) -> bool {
        self.stuck.has_places() || self.ends.iter().any(|end| end.result.has_places())
    }

    /// How many numbers the moves of all leaves take: no position has more moves.
    pub fn moves(&self) -> f64 {
        let size = |leaf: &Leaf| leaf.decision.map_or(Some(1), |d| self.decisions.get(d).map(|d| d.size));
        self.leaves.iter().filter_map(size).map(f64::from).sum()
    }

    /// How many plies of one turn repetitions may have ([`FlowNode::Repeat`]): four for each site.
    pub fn most_repeated(&self) -> i32 {
        4 * self.all.iter().map(|word| word.count_ones() as i32).sum::<i32>()
    }

    /// Whether an offer of a node may lead to one of some states.
    pub(crate) fn leads_on(&self, node: &FlowNode, states: &[StateId]) -> bool {
        let leads = |leaf: &usize| self.leaves.get(*leaf).is_some_and(|leaf| states.contains(&leaf.next));
        match node {
            FlowNode::Leaf(leaf) => leads(leaf),
            FlowNode::May(node, pass) => leads(pass) || self.leads_on(node, states),
            node => node.parts().iter().any(|part| self.leads_on(part, states)),
        }
    }

    /// Whether some decision is nobody's.
    pub fn has_chance(&self) -> bool {
        self.decisions.iter().any(|decision| decision.chance)
    }

    /// Whether some decision may not bring back a position.
    pub fn bars_repeats(&self) -> bool {
        self.decisions.iter().any(|decision| !decision.repeats)
    }

    /// Whether the history of turn starts is kept.
    pub fn keeps_history(&self) -> bool {
        self.reads_seen || self.bars_repeats()
    }

    /// Whether the move of a number may bring back a position.
    pub fn may_repeat(&self, number: u32) -> bool {
        let leaf = self.leaf_of(number).and_then(|leaf| self.leaves.get(leaf));
        let decision = leaf.and_then(|leaf| self.decisions.get(leaf.decision?));
        decision.is_none_or(|decision| decision.repeats)
    }

    /// The leaf that offers the move of a number.
    pub fn leaf_of(&self, number: u32) -> Option<usize> {
        self.leaves.partition_point(|leaf| leaf.base <= number).checked_sub(1)
    }
}
