//! Agents by name: `random`, `flat:200`.

use std::fmt;

use super::Agent;
use super::flat::Flat;
use super::random::Random;
use crate::diagnostic::nearest;

/// A kind of agent.
pub struct AgentRow {
    /// Its name.
    pub name: &'static str,
    /// What the number after the colon is; none where there is no number.
    pub number: Option<&'static str>,
    /// How it chooses.
    pub summary: &'static str,
    /// Whether it thinks at all.
    pub thinks: bool,
    make: fn(u32) -> Box<dyn Agent + Send>,
}

/// Every kind of agent.
pub const AGENTS: [AgentRow; 2] = [
    AgentRow {
        name: "random",
        number: None,
        summary: "every legal move is as likely",
        thinks: false,
        make: |_| Box::new(Random),
    },
    AgentRow {
        name: "flat",
        number: Some("playouts for each choice"),
        summary: "flat Monte-Carlo: tries each move in random games and plays the best",
        thinks: true,
        make: |playouts| Box::new(Flat::new(playouts)),
    },
];

/// The greatest number that may follow a name: a bound of the work for one choice.
const MOST: u32 = 1_000_000;

/// An agent as it is written; by default the random one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AgentSpec {
    /// Which of [`AGENTS`].
    row: usize,
    number: u32,
}

/// Why a word is no agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentError {
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl std::fmt::Display for AgentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        crate::diagnostic::with_help(f, &self.message, Some(&self.help))
    }
}

impl std::error::Error for AgentError {}

impl AgentSpec {
    /// Reads an agent: a name, and a number after a colon where the kind has one.
    pub fn parse(text: &str) -> Result<AgentSpec, AgentError> {
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let known = AGENTS.iter().map(form).collect::<Vec<_>>().join(" and ");
        let wrong = |message: String, help: String| Err(AgentError { message, help });
        let Some(row) = AGENTS.iter().position(|row| row.name == name) else {
            let help = match nearest(name, AGENTS.iter().map(|row| row.name)) {
                Some(near) => format!("did you mean `{near}`? The agents are {known}"),
                None => format!("the agents are {known}"),
            };
            return wrong(format!("there is no agent `{name}`"), help);
        };
        match (AGENTS[row].number, number) {
            (None, None) => Ok(AgentSpec { row, number: 0 }),
            (None, Some(_)) => {
                wrong(format!("`{text}` is no agent: `{name}` takes no number"), format!("write `{name}`"))
            }
            (Some(what), number) => match number.map(str::parse::<u32>) {
                Some(Ok(number)) if (1..=MOST).contains(&number) => Ok(AgentSpec { row, number }),
                _ => wrong(
                    format!("`{text}` is no agent: after `{name}:` stands a number from 1 to {MOST}"),
                    format!("it is the number of {what}: `{name}:100`"),
                ),
            },
        }
    }

    /// Whether it thinks at all.
    pub fn thinks(self) -> bool {
        AGENTS[self.row].thinks
    }

    /// A new agent of this kind.
    pub fn agent(self) -> Box<dyn Agent + Send> {
        (AGENTS[self.row].make)(self.number)
    }
}

impl std::str::FromStr for AgentSpec {
    type Err = AgentError;

    fn from_str(text: &str) -> Result<AgentSpec, AgentError> {
        AgentSpec::parse(text)
    }
}

/// How a kind is written.
fn form(row: &AgentRow) -> String {
    match row.number {
        Some(_) => format!("`{}:N`", row.name),
        None => format!("`{}`", row.name),
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match AGENTS[self.row].number {
            Some(_) => write!(f, "{}:{}", AGENTS[self.row].name, self.number),
            None => f.write_str(AGENTS[self.row].name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_read_and_written() {
        for text in ["random", "flat:1", "flat:200"] {
            assert_eq!(AgentSpec::parse(text).map(|a| a.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "flat", "flat:", "flat:0", "flat:-1", "flat:1000001", "random:3", "best"] {
            assert!(AgentSpec::parse(text).is_err(), "{text}");
        }
        assert!(AgentSpec::parse("flatt:3").is_err_and(|e| e.help.starts_with("did you mean `flat`?")));
    }
}
