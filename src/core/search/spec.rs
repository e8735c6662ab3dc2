//! Agents by word: `random`, `flat:200`, `mcts:1s`, `engine:stockfish`.

use std::fmt;
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::alphabeta::AlphaBeta;
use super::auto::{self, Auto, LEVELS};
use super::flat::Flat;
use super::random::Random;
use super::tree;
use super::{Agent, Budget, Making, Seat};
use crate::diagnostic::nearest;
use crate::program::Program;

/// A kind of agent.
pub struct AgentRow {
    /// Its name.
    pub name: &'static str,
    /// The meaning of one node of its budget; none where it needs no budget.
    pub node: Option<&'static str>,
    /// How it chooses.
    pub summary: &'static str,
    /// Whether several threads can think about one choice.
    threads: bool,
    node_cost: NodeCost,
    make: Make,
}

/// The cost of a node, in plies of random games: as measured over the shipped games, within a factor of three.
#[derive(Clone, Copy)]
enum NodeCost {
    /// A position is looked at.
    Look(f64),
    /// Half a random game is played and its position looked at; each ply of it costs so much.
    Playout(f64),
}

/// The cost of a look at a position.
const LOOK: f64 = 4.0;

/// How an agent of a kind is made.
type Make = fn(&AgentSpec, &Making) -> Result<Box<dyn Agent>, AgentError>;

/// Every kind of agent.
pub const AGENTS: [AgentRow; 11] = [
    AgentRow {
        name: "random",
        node: None,
        summary: "every legal move is as likely",
        threads: false,
        node_cost: NodeCost::Playout(1.0),
        make: |_, _| Ok(Box::new(Random)),
    },
    AgentRow {
        name: "flat",
        node: Some("playouts, shared out among the legal moves"),
        summary: "flat Monte-Carlo: tries each move in random games and plays the best",
        threads: false,
        node_cost: NodeCost::Playout(1.0),
        make: |_, _| Ok(Box::new(Flat::default())),
    },
    AgentRow {
        name: "uct",
        node: Some("playouts"),
        summary: "a tree of playouts, plain: UCB1 and nothing else",
        threads: true,
        node_cost: NodeCost::Playout(1.0),
        make: |_, making| Ok(auto::tree(tree::UCT, making)),
    },
    AgentRow {
        name: "mcts",
        node: Some("simulations"),
        summary: "a tree of playouts that proves results and is kept from choice to choice",
        threads: true,
        node_cost: NodeCost::Playout(1.0),
        make: |_, making| Ok(auto::tree(tree::MCTS, making)),
    },
    AgentRow {
        name: "rave",
        node: Some("simulations"),
        summary: "mcts that believes first in moves that did well later in the playouts, which learn good replies",
        threads: true,
        // Its playouts are made ply by ply.
        node_cost: NodeCost::Playout(2.0),
        make: |_, making| Ok(auto::tree(tree::RAVE, making)),
    },
    AgentRow {
        name: "looker",
        node: Some("simulations"),
        summary: "mcts whose playouts end after a few plies: positions are valued by what they look worth",
        threads: true,
        node_cost: NodeCost::Look(LOOK + 6.0),
        make: |_, making| Ok(auto::tree(tree::LOOKER, making)),
    },
    AgentRow {
        name: "ubfm",
        node: Some("leaves"),
        summary: "best-first minimax: grows the best line, looking at all positions after its last one",
        threads: true,
        node_cost: NodeCost::Look(30.0 * LOOK),
        make: |_, making| Ok(auto::tree(tree::UBFM, making)),
    },
    AgentRow {
        name: "alphabeta",
        node: Some("positions"),
        summary: "looks every line deeper and deeper, and values where it ends",
        threads: true,
        node_cost: NodeCost::Look(LOOK),
        make: |_, making| Ok(Box::new(AlphaBeta::new(making.known(), making.threads, making.memory))),
    },
    AgentRow {
        name: AUTO,
        node: Some("positions, or simulations"),
        summary: "whichever of alphabeta, mcts, rave and looker suits the game: measured where it was trained, else guessed",
        threads: true,
        // Of the kind that it chooses.
        node_cost: NodeCost::Look(LOOK),
        make: |_, making| Ok(Box::new(Auto::new(making))),
    },
    AgentRow {
        name: LEVEL,
        node: Some("of auto"),
        summary: "auto held back, level:1 to level:10: each has four times the nodes of the one below",
        threads: false,
        node_cost: NodeCost::Look(LOOK),
        make: |_, making| Ok(Box::new(Auto::new(making))),
    },
    AgentRow {
        name: ENGINE,
        node: Some("nodes of the engine"),
        summary: "a program that speaks UCI or UGI: engine:COMMAND or engine:BUDGET:COMMAND",
        threads: false,
        node_cost: NodeCost::Playout(1.0),
        make: outside,
    },
];

/// The kind that is another program.
const ENGINE: &str = "engine";

/// The kind whose number is no budget.
const LEVEL: &str = "level";

/// The kind that is whichever suits.
const AUTO: &str = "auto";

/// The work of a second, in plies of random games: as measured over the shipped games, within a factor of three.
const A_SECOND: f64 = 5e6;

/// How many threads can think about one choice at the most.
const THREADS: usize = 256;

/// The default budget of a choice.
const USUAL: Budget = Budget::Time(Duration::from_secs(1));

/// The row of [`ENGINE`]: asks the front end to run a program.
fn outside(spec: &AgentSpec, making: &Making) -> Result<Box<dyn Agent>, AgentError> {
    match &making.outside {
        Some(make) => make(&spec.command),
        None => Err(AgentError {
            message: format!("`{spec}` cannot be used here: no program is run"),
            help: "`farrier match` and `farrier play` run engines".to_owned(),
        }),
    }
}

/// An agent as it is written; by default the random one.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentSpec {
    /// Which of [`AGENTS`].
    row: usize,
    budget: Budget,
    /// The command of an engine; empty for all others.
    command: String,
    /// How many threads think about one choice; 0: as many as it is made with.
    threads: usize,
}

impl Default for AgentSpec {
    fn default() -> AgentSpec {
        AgentSpec { row: 0, budget: USUAL, command: String::new(), threads: 0 }
    }
}

/// Why a word is no agent, or an agent cannot be had here.
pub type AgentError = crate::diagnostic::Refusal;

impl AgentSpec {
    /// Reads an agent: a name, then a budget after a colon; an engine's command stands last.
    pub fn parse(text: &str) -> Result<AgentSpec, AgentError> {
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let wrong = |why: String, help: String| {
            Err(AgentError { message: format!("`{text}` is no agent: {why}"), help })
        };
        let Some(row) = AGENTS.iter().position(|row| row.name == name) else {
            let known = AGENTS.iter().map(form).collect::<Vec<_>>().join(", ");
            let help = match nearest(name, AGENTS.iter().map(|row| row.name)) {
                Some(near) => format!("did you mean `{near}`? The agents are {known}"),
                None => format!("the agents are {known}"),
            };
            return Err(AgentError { message: format!("there is no agent `{name}`"), help });
        };
        let spec = AgentSpec { row, ..AgentSpec::default() };
        let Some(node) = AGENTS[row].node else {
            return match rest {
                None => Ok(spec),
                Some(_) => wrong(format!("`{name}` takes no budget"), format!("write `{name}`")),
            };
        };
        if name == LEVEL {
            return match rest.map(str::parse::<u32>) {
                Some(Ok(n)) if (1..=LEVELS).contains(&n) => Ok(AgentSpec { budget: auto::level(n), ..spec }),
                _ => wrong(format!("there are levels 1 to {LEVELS}"), "write `level:5`".to_owned()),
            };
        }
        if name == ENGINE {
            let both = rest.and_then(|rest| {
                let (budget, command) = rest.split_once(':')?;
                Some((Budget::parse(budget)?, command))
            });
            let (budget, command) = both.unwrap_or((USUAL, rest.unwrap_or_default()));
            let command = command.trim().to_owned();
            if command.is_empty() {
                let help = "write `engine:COMMAND` or `engine:500ms:COMMAND`".to_owned();
                return wrong("the command of the engine is missing".to_owned(), help);
            }
            return Ok(AgentSpec { budget, command, ..spec });
        }
        let (rest, threads) = match rest.and_then(|rest| rest.rsplit_once('@')) {
            Some((rest, threads)) => (Some(rest), threads.parse().ok().filter(|n| (1..=THREADS).contains(n))),
            None => (rest, Some(0)),
        };
        match (rest.map(Budget::parse), threads) {
            (None, _) => Ok(spec),
            (Some(Some(budget)), Some(threads)) if threads == 0 || AGENTS[row].threads => {
                Ok(AgentSpec { budget, threads, ..spec })
            }
            (Some(Some(_)), _) => {
                let why = format!("what follows `@` is no number of threads that `{name}` can have");
                let all: Vec<&str> = AGENTS.iter().filter(|row| row.threads).map(|row| row.name).collect();
                let all = all.join(", ");
                wrong(
                    why,
                    format!(
                        "write `{AUTO}:1s@2`; up to {THREADS} threads of {all} can think about one choice"
                    ),
                )
            }
            _ => {
                let times = format!("a time as in `{name}:500ms` or `{name}:2s`");
                let help = format!("a budget is {times}, or nodes as in `{name}:20k` ({node})");
                wrong(format!("what follows `{name}:` is no budget"), help)
            }
        }
    }

    /// Whether it thinks at all.
    pub fn thinks(&self) -> bool {
        AGENTS[self.row].node.is_some()
    }

    /// Whether it is another program.
    pub fn is_program(&self) -> bool {
        !self.command.is_empty()
    }

    /// Its level, where it is one.
    pub fn level(&self) -> Option<u32> {
        auto::level_of(self.budget).filter(|_| AGENTS[self.row].name == LEVEL)
    }

    /// Its budget for each choice; of no meaning where it does not think.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The approximate cost of a choice, in plies of random games: a node is half a random game, of `length` plies,
    /// where it is a playout, and a few plies where a position is looked at.
    pub fn work(&self, making: &Making, program: &Program, length: f64) -> f64 {
        let kind = match AGENTS[self.row].name {
            AUTO | LEVEL => auto::suits(making, program),
            name => name,
        };
        let row = AGENTS.iter().find(|row| row.name == kind).unwrap_or(&AGENTS[self.row]);
        match (self.budget, row.node_cost) {
            _ if !self.thinks() => 0.0,
            (Budget::Time(time), _) => time.as_secs_f64() * A_SECOND,
            (Budget::Nodes(nodes), NodeCost::Look(look)) => nodes as f64 * look,
            (Budget::Nodes(nodes), NodeCost::Playout(ply)) => nodes as f64 * (length / 2.0 * ply + LOOK),
        }
    }

    /// A new agent of this kind, with its budget.
    ///
    /// # Errors
    /// Where it needs a clock, or a program to be run, and there is no such thing.
    pub fn seat(&self, making: &Making) -> Result<Seat, AgentError> {
        if making.clock.is_none() && self.thinks() && matches!(self.budget, Budget::Time(_)) {
            return Err(AgentError {
                message: format!("`{self}` cannot be used here: there is no clock"),
                help: format!("give it a budget of nodes: `{}:1000`", AGENTS[self.row].name),
            });
        }
        let threads = if self.threads == 0 { making.threads } else { self.threads };
        let agent = (AGENTS[self.row].make)(self, &Making { threads, ..making.clone() })?;
        Ok(Seat::new(agent, self.budget, making.clock))
    }
}

impl std::str::FromStr for AgentSpec {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<AgentSpec, AgentError> {
        AgentSpec::parse(text)
    }
}

/// In files an agent is its word.
impl Serialize for AgentSpec {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AgentSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<AgentSpec, D::Error> {
        AgentSpec::parse(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// How a kind is written.
fn form(row: &AgentRow) -> String {
    match row.node {
        Some(_) if row.name == ENGINE => format!("`{ENGINE}:COMMAND`"),
        Some(_) if row.name == LEVEL => format!("`{LEVEL}:N`"),
        Some(_) => format!("`{}:BUDGET`", row.name),
        None => format!("`{}`", row.name),
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(AGENTS[self.row].name)?;
        match self.level() {
            Some(level) => write!(f, ":{level}")?,
            None if self.thinks() => write!(f, ":{}", self.budget)?,
            None => {}
        }
        if self.threads > 0 {
            write!(f, "@{}", self.threads)?;
        }
        if !self.command.is_empty() {
            write!(f, ":{}", self.command)?;
        }
        Ok(())
    }
}
