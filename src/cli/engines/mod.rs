//! Engines: other programs that play, asked in UCI or UGI.
//!
//! ```text
//! engine:BUDGET:COMMAND ; OPTION=VALUE  ->  command: words, options  ->  process  <-> agent, by words
//! ```
//!
//! The caller always gets a legal move or one sentence that says what went wrong;
//! an engine that went wrong is ended, and started again for the next game.

mod agent;
mod command;
mod group;
mod process;
pub(super) mod words;

pub use agent::{Engine, Patience};
pub(super) use group::end_all;
#[cfg(feature = "terminal")]
pub(super) use group::heeded;

use std::sync::Arc;

use crate::game::Game;
use crate::search::{AgentError, Outside};

/// The start of a game, as engines are told it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The usual start: `position startpos`.
    Own,
    /// The text of a position: `position fen TEXT`.
    Text(String),
    /// Games have different starts: engines get each position as a text, without the moves before it.
    Any,
}

impl Start {
    /// The start of a game that begins with a set-up or position, if one is given.
    pub(super) fn of(game: &Game, setup: Option<&str>) -> Start {
        match setup {
            None if !game.program.layout.is_dealt() => Start::Own,
            None => Start::Any,
            Some(setup) => {
                let written = || {
                    let mut machine = game.machine().ok()?;
                    let pos = game.start(&mut machine, Some(setup), 0).ok()?;
                    Some(game.texts().write(&mut machine, &pos))
                };
                Start::Text(written().unwrap_or_else(|| setup.to_owned()))
            }
        }
    }
}

/// Starts the engine of a command, or says why it does not go.
pub fn start(game: &Game, start: &Start, command: &str, patience: Patience) -> Result<Engine, AgentError> {
    let command = command::parse(command)?;
    Engine::start(game.clone(), start.clone(), command, patience).map_err(|message| AgentError {
        message,
        help: "an engine is a program that speaks UCI or UGI: try to run its command by hand".to_owned(),
    })
}

/// Makes agents of commands, for a game.
pub(super) fn outside(game: &Game, begin: Start) -> Outside {
    let game = game.clone();
    Arc::new(move |command| Ok(Box::new(start(&game, &begin, command, Patience::default())?)))
}
