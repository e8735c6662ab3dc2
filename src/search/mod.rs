//! Agents: what chooses moves.
//!
//! An [`Agent`] is given a position with its history and legal moves, a [`Machine`] to try things on, and
//! random numbers, and gives back a move. It keeps no memory that matters between two choices: the same
//! question with the same random numbers has the same answer, so games can be played again one by one. Chance
//! is no agent's business: at a chance node the game is asked ([`draw`]). Nor is it an agent's to say who is
//! ahead, or each would be believed in its own case: [`Playouts`] says that, for all alike.
//!
//! A new agent is one new file and one row of [`AGENTS`].

mod draw;
mod flat;
mod random;
mod spec;
mod value;

pub use draw::{draw, play_out};
pub use spec::{AGENTS, AgentError, AgentRow, AgentSpec};
pub use value::Playouts;

use crate::play::{History, Machine, Move, Moves, Position, Rng};

/// What an agent decides on.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The position, resolved: a player is to decide.
    pub pos: &'a Position,
    /// The turn starts before it.
    pub history: &'a History,
    /// The legal moves, at least one, no chance.
    pub moves: &'a Moves,
}

/// Something that chooses moves.
///
/// ```
/// use farrier::play::{History, Machine, Move, Moves, Rng};
/// use farrier::search::{Agent, AgentSpec, Situation};
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// /// Plays the first move that it sees.
/// struct First;
///
/// impl Agent for First {
///     fn choose(&mut self, _: &mut Machine, at: Situation<'_>, _: &mut Rng) -> Option<Move> {
///         at.moves.nth(0)
///     }
/// }
///
/// let game = "connect-four".parse::<Variant>()?.open(&Shipped)?;
/// let mut machine = game.machine()?;
/// let (mut history, mut moves, mut rng) = (History::new(), Moves::new(), Rng::new(1));
/// let pos = machine.start(1, &mut history);
/// machine.moves(&pos, &mut moves);
/// let at = Situation { pos: &pos, history: &history, moves: &moves };
/// assert_eq!(First.choose(&mut machine, at, &mut rng), moves.nth(0));
/// // One of those that come with Farrier, by its name.
/// let mut flat = "flat:20".parse::<AgentSpec>()?.agent();
/// assert!(flat.choose(&mut machine, at, &mut rng).is_some_and(|number| moves.contains(number)));
/// # Ok(())
/// # }
/// ```
pub trait Agent {
    /// Chooses one of the legal moves; none only where there is none.
    fn choose(&mut self, machine: &mut Machine, at: Situation<'_>, rng: &mut Rng) -> Option<Move>;
}
