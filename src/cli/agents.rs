//! The clock and the engines for agents: the library itself runs no program and reads no clock.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::engines::{self, Start};
use crate::game::Game;
use crate::search::{AGENTS, AgentError, AgentSpec, Making};

/// The time since this was first asked.
pub(super) fn clock() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// The settings for agents of any game.
pub(super) fn making() -> Making {
    Making { clock: Some(clock), ..Making::default() }
}

/// The settings for agents of a game. Engines are told the set-up or position that it begins with.
pub(super) fn making_for(game: &Game, setup: Option<&str>) -> Making {
    Making {
        outside: Some(engines::outside(game, Start::of(game, setup))),
        clock: Some(clock),
        ..game.making()
    }
}

/// An agent from a word of the command line.
pub(super) fn agent(text: &str) -> Result<AgentSpec, String> {
    AgentSpec::parse(text).map_err(|AgentError { message, help }| format!("{message}; {help}"))
}

/// All kinds of agents, for help.
pub(super) fn known() -> String {
    let agents = AGENTS.iter().map(|a| match (a.node, a.name) {
        (Some(node), "engine") => format!("  engine:BUDGET:COMMAND  {} (a node: {node})", a.summary),
        (Some(node), name) => format!("  {name}:BUDGET  {} (a node: {node})", a.summary),
        (None, name) => format!("  {name}  {}", a.summary),
    });
    format!(
        "Agents:\n{}\nA budget is for each choice: a time as 500ms or 2s, or nodes as 200 or 50k; `alphabeta:1s@2` \
         thinks on two threads. Options of an engine follow its command: 'engine:1s:stockfish ; \
         UCI_LimitStrength=true ; UCI_Elo=1500'.",
        agents.collect::<Vec<_>>().join("\n")
    )
}
