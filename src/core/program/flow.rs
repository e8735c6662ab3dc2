//! Decisions, the turn flow and the ends.

use serde::Serialize;

use super::code::{BlockId, IntId};

/// A decision: how its moves are found and done.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DecisionCode {
    /// For listings and reports.
    pub name: String,
    /// Whether it is due; none: always.
    pub when: Option<IntId>,
    /// Yields the legal moves; integer local 0 is the base of the leaf.
    pub generate: BlockId,
    /// Does a move: the vars' locals are bound before.
    pub apply: BlockId,
    /// The choices, outermost first. A move is the leaf's base plus the sum of
    /// `(value - offset) * multiplier`.
    pub vars: Vec<Var>,
    /// How many numbers the moves take.
    pub size: u32,
    /// Whether a move may bring back a position in which a turn began. Where all may it is not written down, so that
    /// such programs keep the fingerprints that they have always had.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub repeats: bool,
    /// Drawn by the seed instead of decided by a player.
    pub chance: bool,
    /// The weight of a chance move, the vars' locals bound; none: all alike. Negative counts as 0.
    pub weight: Option<IntId>,
}

/// Something that is chosen.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Var {
    /// Its name, for texts.
    pub name: String,
    /// The kind of value.
    pub kind: VarKind,
    /// The integer local that holds it.
    pub local: u32,
    /// The least value it can have: -1 where it may be none, the low end of a range.
    pub offset: i32,
    /// How many values it can have.
    pub radix: u32,
    /// The product of the radixes of the vars after it.
    pub multiplier: u32,
}

impl Var {
    /// The value that a move of the decision chose, given the move's number among the decision's.
    pub fn value(&self, choice: u32) -> i32 {
        (choice / self.multiplier % self.radix) as i32 + self.offset
    }
}

/// The kind of value that is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum VarKind {
    /// A site.
    Site,
    /// A kind.
    Kind,
    /// A number.
    Int,
    /// A player.
    Player,
    /// A label of the board.
    Direction,
}

/// A state of the flow: an index of [`super::Program::states`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct StateId(pub u32);

/// The rest of a turn.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FlowState {
    /// The rest of the turn; resolved with the turn's player as mover, which is the mover again afterwards.
    pub rest: FlowNode,
}

/// A piece of flow. Resolved in a position it is *done*, or *due* with its offers (maybe none).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub enum FlowNode {
    /// Done at once.
    Done,
    /// Done if its decision's `when` is 0; else its moves are offered. A pass is always offered.
    Leaf(usize),
    /// The first that is not done; done if all are.
    Sequence(Vec<FlowNode>),
    /// The offers of all that are not done; done if all are. All are of one player, the first who has any: others'
    /// are left out.
    Either(Vec<FlowNode>),
    /// Done if the condition is 0, else the node.
    If(IntId, Box<FlowNode>),
    /// With another mover; a number that is no player changes nothing. The player is evaluated with the mover around
    /// it.
    By(IntId, Box<FlowNode>),
    /// Done where the node has no offer.
    Try(Box<FlowNode>),
    /// The node's offers and the pass of that leaf; done where the node has no offer.
    May(Box<FlowNode>, usize),
    /// Done where the turn has had [`super::Program::most_repeated`] plies, or the node has no offer; else the node.
    /// The states after the node's leaves come back to it.
    Repeat(Box<FlowNode>),
    /// Of the node's offers those that begin a path with the most plies. The plies of a path are those
    /// that stay in states of `inside`.
    Longest {
        /// The node.
        node: Box<FlowNode>,
        /// The states in which the path is still inside the node.
        inside: Vec<StateId>,
    },
}

// The walk stands once and is made twice, for `&self` and for `&mut self`.
macro_rules! parts_of_flow {
    ($node:expr, $one:path) => {
        match $node {
            FlowNode::Done | FlowNode::Leaf(_) => Default::default(),
            FlowNode::Sequence(nodes) | FlowNode::Either(nodes) => nodes,
            FlowNode::If(_, node)
            | FlowNode::By(_, node)
            | FlowNode::Try(node)
            | FlowNode::May(node, _)
            | FlowNode::Repeat(node)
            | FlowNode::Longest { node, .. } => $one(node),
        }
    };
}

impl super::Program {
    /// Whether the player of the turn is due in a state, whatever the position: then it is known who decides before the
    /// moves are listed.
    #[cfg(feature = "jit")]
    pub(crate) fn is_due(&self, state: StateId) -> bool {
        let rest = self.states.get(state.0 as usize).map(|state| &state.rest);
        rest.is_some_and(|rest| self.is_of_turn(rest) && self.is_node_due(rest))
    }

    /// Whether no other player, and no chance, decides in a node.
    #[cfg(feature = "jit")]
    fn is_of_turn(&self, node: &FlowNode) -> bool {
        let decided = match node {
            FlowNode::By(..) => false,
            FlowNode::Leaf(leaf) => self.leaves[*leaf].decision.is_none_or(|d| !self.decisions[d].chance),
            _ => true,
        };
        decided && node.parts().iter().all(|part| self.is_of_turn(part))
    }

    #[cfg(feature = "jit")]
    fn is_node_due(&self, node: &FlowNode) -> bool {
        match node {
            FlowNode::Leaf(leaf) => {
                self.leaves[*leaf].decision.is_none_or(|d| self.decisions[d].when.is_none())
            }
            FlowNode::Sequence(nodes) | FlowNode::Either(nodes) => {
                nodes.iter().any(|node| self.is_node_due(node))
            }
            FlowNode::Longest { node, .. } => self.is_node_due(node),
            FlowNode::Done
            | FlowNode::If(..)
            | FlowNode::By(..)
            | FlowNode::Try(_)
            | FlowNode::May(..)
            | FlowNode::Repeat(_) => false,
        }
    }
}

impl FlowNode {
    /// The nodes that it is made of.
    pub(crate) fn parts(&self) -> &[FlowNode] {
        parts_of_flow!(self, std::slice::from_ref::<FlowNode>)
    }

    /// The nodes that it is made of, to be replaced.
    pub(crate) fn parts_mut(&mut self) -> &mut [FlowNode] {
        parts_of_flow!(self, std::slice::from_mut::<FlowNode>)
    }
}

/// A decision at its place in the flow.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Leaf {
    /// Which of [`super::Program::decisions`]; none for a pass.
    pub decision: Option<usize>,
    /// The number of its first move.
    pub base: u32,
    /// The state after it.
    pub next: StateId,
}

/// An end of the game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EndCode {
    /// Its name.
    pub name: String,
    /// The condition.
    pub when: IntId,
    /// The result.
    pub result: OutcomeCode,
    /// Looked at when a turn has started, not after each ply.
    pub at_turn: bool,
    /// Whether perft looks at it.
    pub perft: bool,
}

/// The values of [`super::slot::RESULT`]; 0 while the game goes on.
pub mod result {
    /// Nobody won.
    pub const DRAW: i32 = 1;
    /// The scores decide.
    pub const SCORE: i32 = 2;
    /// Player 0 won; the other players follow.
    pub const WIN: i32 = 3;
    /// Each player has a place: [`PLACE_BITS`] bits for each, player 0 lowest. It is the number of players before it.
    pub const PLACES: i32 = 1 << 24;
    /// See [`PLACES`]. There are [`crate::limits::PLAYERS`] at most.
    pub const PLACE_BITS: u32 = 3;

    /// The value for places by a number of each player, the greatest first.
    pub fn places(numbers: &[i64]) -> i32 {
        let before = |number: &i64| numbers.iter().filter(|other| *other > number).count() as i32;
        let each = numbers.iter().zip(0..);
        each.fold(PLACES, |code, (number, player)| code | (before(number) << (PLACE_BITS * player)))
    }

    /// Whether a value says how a game of so many players ended, or that it goes on.
    pub fn is_known(value: i32, players: usize) -> bool {
        let place = |player: usize| (value >> (PLACE_BITS as usize * player)) & 7;
        let fits = |player: usize| {
            if player < players { (place(player) as usize) < players } else { place(player) == 0 }
        };
        (0..WIN + players as i32).contains(&value)
            || value & !(PLACES - 1) == PLACES && (0..crate::limits::PLAYERS).all(fits)
    }
}

/// How a game or a turn without a move ends.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub enum OutcomeCode {
    /// One or the other.
    If(IntId, Box<OutcomeCode>, Box<OutcomeCode>),
    /// The one offer is a pass (only for a stuck mover; as an end it is nothing).
    Pass,
    /// Nobody wins.
    Draw,
    /// The highest score wins, equal scores draw.
    Score,
    /// A player wins; nobody if the number is no player.
    Wins(IntId),
    /// The places go by a number of each player, see [`result::places`]. A side has the sum of its players.
    Places(Vec<IntId>),
}

impl OutcomeCode {
    /// Whether players may get places.
    pub fn has_places(&self) -> bool {
        match self {
            OutcomeCode::If(_, a, b) => a.has_places() || b.has_places(),
            OutcomeCode::Places(_) => true,
            _ => false,
        }
    }
}

/// Several games in a row.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchCode {
    /// The score that wins the match.
    pub target: i32,
    /// The worth of a game to the mover.
    pub points: IntId,
    /// The integer local that is 1 if the mover won.
    pub won: u32,
    /// The integer local that is the mover's score.
    pub score: u32,
    /// The option whose values the games run through.
    pub alternate: Option<String>,
}
