//! The seats of a game: people and agents, by player.

use super::{Stop, agents};
use crate::diagnostic::nearest;
use crate::search::AgentSpec;

/// The strongest agent that needs no setting: it plays by default, and gives hints.
pub(super) const STRONGEST: &str = "auto:1s";

/// A person or an agent in a seat.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Who {
    /// The person at the terminal.
    Human,
    /// A program.
    Agent(AgentSpec),
}

/// The word for a person.
const HUMAN: &str = "human";

impl Who {
    fn parse(text: &str) -> Result<Who, String> {
        match text {
            HUMAN => Ok(Who::Human),
            text => agents::agent(text).map(Who::Agent),
        }
    }

    /// The strongest agent.
    pub(super) fn strongest() -> Who {
        Who::Agent(AgentSpec::parse(STRONGEST).unwrap_or_default())
    }

    /// The agent, if it is one.
    pub(super) fn agent(&self) -> Option<&AgentSpec> {
        match self {
            Who::Human => None,
            Who::Agent(spec) => Some(spec),
        }
    }
}

impl std::fmt::Display for Who {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Who::Human => f.write_str(HUMAN),
            Who::Agent(spec) => write!(f, "{spec}"),
        }
    }
}

/// A player and who plays it, `PLAYER=WHO`.
pub(super) fn seat(text: &str) -> Result<(String, Who), String> {
    match text.split_once('=') {
        Some((player, who)) => Ok((player.to_owned(), Who::parse(who)?)),
        None => Err("a player and who plays it are written PLAYER=human or PLAYER=AGENT".to_owned()),
    }
}

/// The seats of a game. By default the first player is human, the others are the strongest agent.
pub(super) fn seats(players: &[String], given: &[(String, Who)]) -> Result<Vec<Who>, Stop> {
    let usual = |player: usize| if player == 0 { Who::Human } else { Who::strongest() };
    let mut seats: Vec<Who> = (0..players.len()).map(usual).collect();
    for (name, who) in given {
        let Some(place) = players.iter().position(|p| p == name).and_then(|p| seats.get_mut(p)) else {
            let near = nearest(name, players.iter().map(String::as_str));
            let near = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
            let message =
                format!("there is no player `{name}`{near} (the players are {})", players.join(", "));
            return Err(Stop::Usage(message));
        };
        *place = who.clone();
    }
    Ok(seats)
}
