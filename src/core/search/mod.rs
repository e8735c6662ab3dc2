//! Agents choose moves.
//!
//! An [`Agent`] is given a [`Situation`] (a position with its history and legal moves), a [`Machine`] to try things
//! on, and a [`Thought`]: random numbers, its [`Limit`], and a listener for its findings so far
//! ([`Found`]). It gives back a move, or why it gives up. The same question with the same random numbers and a limit
//! in nodes has the same answer on one thread; an agent forgets its memory of former choices by
//! [`Agent::forget`]. Chance is no agent's business: at a chance node the game is asked ([`draw`]). Nor is it an
//! agent's to say who is ahead, or each would be believed in its own case: [`Playouts`] says that, for all alike.
//!
//! ```text
//! word (`mcts:1s`) -> AgentSpec -> Seat: an Agent with its Budget for each choice
//!
//! random, flat                   no memory, no tree
//! uct, mcts, rave, looker, ubfm  a tree of simulations                              tree
//! alphabeta                      depth first, with a table of positions             alphabeta
//! auto, level                    whichever of these suits the game                  auto
//! static evaluation              used by looker, ubfm, alphabeta; fitted, else guessed evaluation
//! proofs of results              beside the agents, for `farrier solve`             proof
//! ```
//!
//! A new agent is one new file and one row of [`AGENTS`].

mod alphabeta;
mod auto;
mod draw;
pub mod evaluation;
mod flat;
mod limit;
mod memory;
pub mod proof;
mod random;
mod seat;
mod spec;
mod tree;
mod value;

pub use alphabeta::MEMORY;
// For tests, which open a game to try it out: see `tests/source/names.rs`.
#[doc(hidden)]
pub use alphabeta::was_loud;
pub(crate) use auto::likely;
pub use auto::{CHOICE, LEVELS};
pub use draw::{draw, play_out};
pub use limit::{Budget, Clock, Limit, OnClocks};
pub use seat::{Guess, Making, Outside, Seat};
pub use spec::{AGENTS, AgentError, AgentRow, AgentSpec};
pub use value::{Playouts, points};

use std::sync::Arc;

use self::evaluation::{Evaluation, guess};
use crate::play::{History, Machine, Move, Moves, Position, Rng};
use crate::program::{Layout, slot};

/// The input of a decision.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The position, resolved: a player is to decide.
    pub pos: &'a Position,
    /// The turn starts before it.
    pub history: &'a History,
    /// The legal moves, at least one, no chance.
    pub moves: &'a Moves,
    /// The moves made since the game began, chance included. Agents outside of Farrier are told the position by
    /// them, and trees find by them what they know of it since the last choice; without them they begin anew.
    pub played: &'a [Move],
}

impl Situation<'_> {
    /// An evaluation that is guessed from here, within the time of a choice.
    fn guess(&self, machine: &mut Machine, limit: &Limit<'_>) -> Arc<Evaluation> {
        let starts = [(self.pos.clone(), self.history.clone())];
        Arc::new(guess(machine, &starts, &Limit { nodes: u64::MAX, ..*limit }))
    }
}

/// The resources of an agent for one choice.
pub struct Thought<'a> {
    /// All chance in its choice.
    pub rng: &'a mut Rng,
    /// Its limit.
    pub limit: Limit<'a>,
    /// The listener for its findings, again and again while it thinks.
    pub tell: Option<&'a mut dyn FnMut(&Found)>,
    /// How many of the best moves are told, each with its value: 1 is usual.
    pub lines: u32,
}

impl<'a> Thought<'a> {
    /// A thought that nobody listens to.
    pub fn new(rng: &'a mut Rng, limit: Limit<'a>) -> Thought<'a> {
        Thought { rng, limit, tell: None, lines: 1 }
    }

    /// Reports a finding.
    pub fn tell(&mut self, found: &Found) {
        if let Some(tell) = &mut self.tell {
            tell(found);
        }
    }
}

/// A finding of an agent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Found {
    /// How many plies deep it has looked.
    pub depth: u32,
    /// Nodes visited: positions, or playouts where it plays these.
    pub nodes: u64,
    /// The expected points of the mover: from 0, lost, to 1, won.
    pub value: f64,
    /// Whether that is proved, in so many plies to the end.
    pub proved: Option<u32>,
    /// The principal variation: the expected moves, its own move first.
    pub line: Vec<Move>,
    /// Which of the best moves this is, from 1.
    pub rank: u32,
}

/// An agent gives the game up: it has no move to make. Farrier's own agents never do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    /// Why, in one sentence.
    pub reason: String,
}

impl std::fmt::Display for Forfeit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Forfeit {}

/// Something that chooses moves.
///
/// ```
/// use farrier::play::{History, Machine, Move, Moves, Rng};
/// use farrier::search::{Agent, AgentSpec, Forfeit, Limit, Making, Situation, Thought};
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// /// Plays the first move that it sees.
/// struct First;
///
/// impl Agent for First {
///     fn choose(&mut self, _: &mut Machine, at: Situation<'_>, _: &mut Thought<'_>) -> Result<Move, Forfeit> {
///         at.moves.nth(0).ok_or(Forfeit { reason: "there is no move".into() })
///     }
/// }
///
/// let game = "connect-four".parse::<Variant>()?.open(&Shipped)?;
/// let mut machine = game.machine()?;
/// let (mut history, mut moves, mut rng) = (History::new(), Moves::new(), Rng::new(1));
/// let pos = machine.start(1, &mut history);
/// machine.moves(&pos, &mut moves);
/// let at = Situation { pos: &pos, history: &history, moves: &moves, played: &[] };
/// let first = First.choose(&mut machine, at, &mut Thought::new(&mut rng, Limit::nodes(1)))?;
/// assert_eq!(Some(first), moves.nth(0));
/// // One of those that come with Farrier, by its name.
/// let mut flat = "flat:20".parse::<AgentSpec>()?.seat(&Making::default())?;
/// assert!(moves.contains(flat.choose(&mut machine, at, &mut rng)?));
/// # Ok(())
/// # }
/// ```
pub trait Agent: Send {
    /// Chooses one of the legal moves.
    fn choose(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        thought: &mut Thought<'_>,
    ) -> Result<Move, Forfeit>;

    /// Clears its memory: another game begins.
    fn forget(&mut self) {}
}

/// The hash of a position for who looks ahead. Rules do not tell positions apart by which person plays which player;
/// their value for a person does depend on it.
fn key(layout: &Layout, pos: &Position) -> u64 {
    match pos.slot(layout, slot::SIDES) {
        0 => pos.hash(),
        _ => !pos.hash(),
    }
}

/// The only move, where nobody wants to hear more of it.
fn forced(at: Situation<'_>, thought: &Thought<'_>) -> Result<Option<Move>, Forfeit> {
    let first = at.moves.nth(0).ok_or_else(no_move)?;
    Ok((at.moves.len() == 1 && thought.tell.is_none()).then_some(first))
}

/// The answer of an agent that was asked for a move where there is none.
fn no_move() -> Forfeit {
    Forfeit { reason: "there is no legal move".to_owned() }
}
