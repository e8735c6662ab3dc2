//! The options of the engine: its own, then those of the game.

use std::time::Duration;

use super::loaded::Loaded;
use crate::cli::engines::words::Protocol;
use crate::cli::{agents, load};
use crate::definition::{Choices, OptionKind};
use crate::search::{AgentSpec, LEVELS};

/// The options that are not the game's.
#[derive(Clone, Debug)]
pub(super) struct Own {
    /// Who chooses the moves where no level is set.
    pub agent: AgentSpec,
    /// The level of play; none: as the agent is.
    pub level: Option<AgentSpec>,
    pub lines: u32,
    pub overhead: Duration,
    /// How many threads think about one choice.
    pub threads: usize,
    /// The size of an agent's transposition table in megabytes; none: the default.
    pub hash: Option<usize>,
}

/// The most lines that are told of one position.
const MAX_LINES: u32 = 64;

/// The longest time that is taken off for answering, in milliseconds.
const MAX_OVERHEAD_MS: u64 = 5000;

/// The most threads, and the most megabytes.
const MAX_THREADS: u64 = 256;
const MAX_HASH_MB: u64 = 65_536;

/// Whether clients commonly set an option that this engine has no use for.
fn is_usual(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("uci_") || matches!(&name[..], "ponder" | "ownbook" | "clear hash")
}

/// The effect of setting an option.
pub(super) enum Set {
    /// It was set, or it means nothing here, which is no mistake.
    Done,
    /// The agent is another one, or is to be made anew.
    Agent,
    /// The game is to be loaded with these choices.
    Game(Choices),
}

impl Own {
    /// Who chooses the moves.
    pub(super) fn chooser(&self) -> &AgentSpec {
        self.level.as_ref().unwrap_or(&self.agent)
    }

    /// Sets an option, or says why it cannot be.
    pub(super) fn set(&mut self, loaded: &Loaded, name: &str, value: &str) -> Result<Set, String> {
        let number = |most: u64| {
            let number = value.parse::<u64>().ok().filter(|n| *n <= most);
            number.ok_or_else(|| format!("`{name}` takes a whole number up to {most}"))
        };
        match &name.to_ascii_lowercase()[..] {
            "agent" => {
                self.agent = agents::agent(value)?;
                return Ok(Set::Agent);
            }
            // Clients set all options in any order: the level is heeded whatever the agent is.
            "level" => {
                let level = number(u64::from(LEVELS))?;
                self.level = (level > 0).then(|| agents::agent(&format!("level:{level}"))).transpose()?;
                return Ok(Set::Agent);
            }
            "multipv" => self.lines = number(u64::from(MAX_LINES))?.max(1) as u32,
            "threads" => {
                self.threads = number(MAX_THREADS)?.max(1) as usize;
                return Ok(Set::Agent);
            }
            "hash" => {
                self.hash = Some(number(MAX_HASH_MB)?.max(1) as usize);
                return Ok(Set::Agent);
            }
            "move overhead" => self.overhead = Duration::from_millis(number(MAX_OVERHEAD_MS)?),
            _ => return game_option(loaded, name, value),
        }
        Ok(Set::Done)
    }

    /// All options, as they are told.
    pub(super) fn list(&self, loaded: &Loaded) -> Vec<String> {
        let mut out = vec![
            format!("option name Agent type string default {}", self.agent),
            format!("option name Level type spin default 0 min 0 max {LEVELS}"),
            format!("option name Threads type spin default {} min 1 max {MAX_THREADS}", self.threads),
            format!(
                "option name Hash type spin default {} min 1 max {MAX_HASH_MB}",
                self.hash.unwrap_or(crate::search::MEMORY >> 20)
            ),
            format!("option name MultiPV type spin default {} min 1 max {MAX_LINES}", self.lines),
            format!(
                "option name Move Overhead type spin default {} min 0 max {MAX_OVERHEAD_MS}",
                self.overhead.as_millis()
            ),
        ];
        out.extend(loaded.game.definition.options.iter().map(|option| {
            let (name, value) = (&option.name.text, &option.value);
            let vars = |values: Vec<String>| values.iter().map(|v| format!(" var {v}")).collect::<String>();
            match &option.kind {
                OptionKind::Flag => {
                    let on = *value == crate::definition::OptionValue::Flag(true);
                    format!("option name {name} type check default {on}")
                }
                OptionKind::Words(words) => {
                    format!("option name {name} type combo default {value}{}", vars(words.clone()))
                }
                OptionKind::Numbers(numbers) => {
                    let numbers = numbers.iter().map(ToString::to_string).collect();
                    format!("option name {name} type combo default {value}{}", vars(numbers))
                }
                OptionKind::Range(low, high) => {
                    format!("option name {name} type spin default {value} min {low} max {high}")
                }
            }
        }));
        out
    }
}

fn game_option(loaded: &Loaded, name: &str, value: &str) -> Result<Set, String> {
    let options = &loaded.game.definition.options;
    let Some(option) = options.iter().find(|o| o.name.text.eq_ignore_ascii_case(name)) else {
        if is_usual(name) {
            return Ok(Set::Done);
        }
        let near = crate::diagnostic::nearest(name, options.iter().map(|o| o.name.text.as_str()));
        let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(format!("there is no option `{name}`{near}"));
    };
    let name = &option.name.text;
    let mut choices = loaded.choices.clone();
    load::choose(&mut choices, name, value.to_owned());
    Ok(Set::Game(choices))
}

/// The name of the engine, and all options.
pub(super) fn greeting(own: &Own, loaded: &Loaded, protocol: Protocol) -> Vec<String> {
    let title = &loaded.game.definition.title;
    let mut out = vec![
        format!("id name Farrier {} {title}", env!("CARGO_PKG_VERSION")),
        "id author the authors of Farrier".to_owned(),
    ];
    out.extend(own.list(loaded));
    out.push(if protocol == Protocol::Ugi { "ugiok" } else { "uciok" }.to_owned());
    out
}
