//! The agent that suits a game: `auto`, and weaker forms of it by `level`.

use super::alphabeta::AlphaBeta;
use super::tree::{self, Settings, Tree};
use super::{Agent, Budget, Forfeit, Making, Situation, Thought};
use crate::play::{Machine, Move};
use crate::program::{Program, VarKind};

/// The kinds that `auto` chooses among, by name.
pub const CHOICE: [&str; 4] = ["alphabeta", "mcts", "rave", "looker"];

/// Whichever suits the game.
pub(super) struct Auto {
    making: Making,
    agent: Option<Box<dyn Agent>>,
}

impl Auto {
    pub fn new(making: &Making) -> Auto {
        // Known now, so that a guess takes no time of a choice.
        let agent = making.best.as_deref().map(|best| named(best, making));
        Auto { making: making.clone(), agent }
    }

    /// The agent that suits the game.
    fn suited(&mut self, machine: &Machine) -> &mut Box<dyn Agent> {
        let making = &self.making;
        self.agent.get_or_insert_with(|| named(suits(making, machine.program()), making))
    }
}

/// The agent of a name in [`CHOICE`].
fn named(name: &str, making: &Making) -> Box<dyn Agent> {
    match name {
        "mcts" => tree(tree::MCTS, making),
        "rave" => tree(tree::RAVE, making),
        "looker" => tree(tree::LOOKER, making),
        _ => Box::new(AlphaBeta::new(making.known(), making.threads, making.memory)),
    }
}

/// A tree search.
pub(super) fn tree(settings: Settings, making: &Making) -> Box<dyn Agent> {
    let known = settings.looks.and_then(|_| making.known());
    Box::new(Tree::new(settings, known, making.threads, making.of_tree()))
}

/// The name of the agent that suits a game.
pub(super) fn suits<'m>(making: &'m Making, program: &Program) -> &'m str {
    making.best.as_deref().unwrap_or_else(|| likely(program))
}

/// The name of the agent that is likely to suit a game that was never measured.
pub fn likely(program: &Program) -> &'static str {
    if moves_pieces(program) { "alphabeta" } else { "rave" }
}

/// Whether some decision chooses two sites, as one does who moves a piece: there the pieces on the board are a guide,
/// where pieces are only placed it rarely is.
fn moves_pieces(program: &Program) -> bool {
    program.decisions.iter().any(|d| d.vars.iter().filter(|var| var.kind == VarKind::Site).count() >= 2)
}

impl Agent for Auto {
    fn choose(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        thought: &mut Thought<'_>,
    ) -> Result<Move, Forfeit> {
        self.suited(machine).choose(machine, at, thought)
    }

    fn forget(&mut self) {
        self.agent.as_mut().into_iter().for_each(|agent| agent.forget());
    }
}

/// The highest level.
pub const LEVELS: u32 = 10;

/// The nodes of a level: four times those of the one below.
pub(super) fn level(level: u32) -> Budget {
    Budget::Nodes(8 << (2 * level.clamp(1, LEVELS)))
}

/// The level of a budget, if it is one's.
pub(super) fn level_of(budget: Budget) -> Option<u32> {
    (1..=LEVELS).find(|n| level(*n) == budget)
}
