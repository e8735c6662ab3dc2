//! An agent in its seat, with its budget for each choice.

use std::sync::Arc;
use std::time::Duration;

use super::evaluation::Evaluation;
use super::{Agent, AgentError, Budget, Clock, Forfeit, Limit, Situation, Thought};
use crate::play::{Machine, Move, Rng};

/// Makes an agent of a command that is run: front ends can, the library cannot.
pub type Outside = Arc<dyn Fn(&str) -> Result<Box<dyn Agent>, AgentError> + Send + Sync>;

/// Guesses the evaluation of a game, once for all who ask. The clock ends what takes too long.
pub type Guess = Arc<dyn Fn(Option<Clock>) -> Option<Arc<Evaluation>> + Send + Sync>;

/// The means to make agents, beside their own words.
#[derive(Clone, Default)]
pub struct Making {
    /// The time; without it budgets of time are refused.
    pub clock: Option<Clock>,
    /// The fitted evaluation of the game.
    pub evaluation: Option<Arc<Evaluation>>,
    /// How it is guessed where none was fitted; without it each agent guesses from the first position that it meets.
    pub guess: Option<Guess>,
    /// The kind of agent that was measured to play the game best, else the one that is likely to.
    pub best: Option<String>,
    /// How a command becomes an agent; without it those are refused.
    pub outside: Option<Outside>,
    /// How many threads think about one choice; 0 is one, too. With more than one the same question may have another
    /// answer.
    pub threads: usize,
    /// How many bytes the table or the tree of an agent may have; none: [`super::MEMORY`] for a table, 512 MB for all
    /// trees.
    pub memory: Option<usize>,
    /// How many agents play at once and share the memory of trees, where none is told; 0 is one, too.
    pub sharing: usize,
}

/// Memory of trees, unless it is told otherwise.
const FOR_TREES: usize = 512 << 20;

impl Making {
    /// The evaluation of the game: as it was fitted, else as it is guessed, which takes its time once.
    pub fn known(&self) -> Option<Arc<Evaluation>> {
        self.evaluation.clone().or_else(|| self.guess.as_ref()?(self.clock))
    }

    /// How many bytes a tree may have.
    pub(super) fn of_tree(&self) -> usize {
        self.memory.unwrap_or(FOR_TREES / self.sharing.max(1))
    }
}

/// An agent with its budget.
pub struct Seat {
    agent: Box<dyn Agent>,
    budget: Budget,
    clock: Option<Clock>,
}

impl Seat {
    /// An agent of one's own. A budget of time needs a clock.
    pub fn new(agent: Box<dyn Agent>, budget: Budget, clock: Option<Clock>) -> Seat {
        Seat { agent, budget, clock }
    }

    /// Its limit for the choice that begins now.
    pub fn limit(&self) -> Limit<'static> {
        self.budget.limit(self.clock)
    }

    /// The same, and within a time that somebody else sets, if it can read a clock.
    pub fn limit_within(&self, most: Option<Duration>) -> Limit<'static> {
        let limit = self.limit();
        let Some((clock, most)) = self.clock.zip(most) else { return limit };
        let most = clock().saturating_add(most);
        Limit { until: Some((clock, limit.until.map_or(most, |(_, until)| until.min(most)))), ..limit }
    }

    /// Its limit for the choice that begins now where a clock runs: its nodes, and so much time instead of its own.
    pub fn limit_on_clock(&self, time: Duration) -> Limit<'static> {
        let limit = match self.budget {
            Budget::Nodes(nodes) => Limit::nodes(nodes),
            Budget::Time(_) => Limit::nodes(u64::MAX),
        };
        Limit { until: self.clock.map(|clock| (clock, clock().saturating_add(time))), ..limit }
    }

    /// Chooses one of the legal moves within its budget.
    pub fn choose(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        rng: &mut Rng,
    ) -> Result<Move, Forfeit> {
        let limit = self.limit();
        self.agent.choose(machine, at, &mut Thought::new(rng, limit))
    }

    /// Chooses one of the legal moves within a limit that somebody else sets, and reports its findings.
    pub fn think(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        thought: &mut Thought<'_>,
    ) -> Result<Move, Forfeit> {
        self.agent.choose(machine, at, thought)
    }

    /// Clears its memory: another game begins.
    pub fn forget(&mut self) {
        self.agent.forget();
    }
}
