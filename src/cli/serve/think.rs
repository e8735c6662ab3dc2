//! Agents that play, give hints and judge positions, for as long as somebody listens.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use serde::Deserialize;
use serde_json::json;

use super::route::Sent;
use super::stream::{self, Speaker};
use super::table::{self, Table};
use super::work::{Answer, App, Refusal};
use super::{library, work};
use crate::cli::agents;
use crate::play::Rng;
use crate::search::{AGENTS, AgentSpec, Found, Limit, Making, Thought};

/// The longest thought about one choice.
const MAX_THOUGHT: Duration = Duration::from_secs(60);

/// The most lines of play that are told.
const MAX_LINES: u32 = 5;

/// The most plies of a line of play that are told.
const MAX_TOLD_PLIES: usize = 12;

/// A request to think.
#[derive(Debug, Deserialize)]
pub(super) struct Question {
    #[serde(flatten)]
    table: Table,
    /// An agent in a word, as `level:3` or `auto:1s`.
    agent: String,
    /// How many of the best moves are told.
    #[serde(default = "one")]
    lines: u32,
}

fn one() -> u32 {
    1
}

/// The agents that may be asked, each with its summary.
pub(super) fn known() -> Vec<(&'static str, &'static str)> {
    AGENTS.iter().filter(|row| is_ours(row.name)).map(|row| (row.name, row.summary)).collect()
}

/// Whether an agent runs no command.
fn is_ours(name: &str) -> bool {
    name != "engine"
}

/// Thinks. The answer has lines with `found`, as the search goes on, and ends with one line `move` or `error`.
pub(super) fn think(app: Arc<App>, question: Sent<Question>) -> Answer<Response> {
    let name = question.agent.split(':').next().unwrap_or("");
    if !is_ours(name) {
        return Err(Refusal::wrong("commands of engines are not run here"));
    }
    let spec = AgentSpec::parse(&question.agent)
        .map_err(|error| Refusal::wrong(format!("{}; {}", error.message, error.help)))?;
    let (speaker, answer) = stream::open();
    app.slowly(move |app: &App| {
        if let Err(Refusal(_, why)) = answer_to(app, &question, &spec, &speaker) {
            speaker.say(&json!({ "error": why }));
        }
    })?;
    Ok(answer)
}

fn answer_to(app: &App, question: &Question, spec: &AgentSpec, speaker: &Speaker) -> Answer<()> {
    let table = &question.table;
    let known = library::open(app, &table.variant, table.unsaved.as_ref())?;
    let game = &known.game;
    let session = table::legal(&known, table)?;
    let asked = session.question().ok_or_else(|| Refusal::wrong("no player is to move here"))?;
    let making = Making { clock: Some(agents::clock), sharing: work::MAX_THOUGHTS, ..game.making() };
    let mut seat =
        spec.seat(&making).map_err(|error| Refusal::wrong(format!("{}; {}", error.message, error.help)))?;
    let mut machine = game.machine().map_err(|error| Refusal::wrong(error.to_string()))?;
    let latest = agents::clock().saturating_add(MAX_THOUGHT);
    let own = seat.limit();
    let until = own.until.map_or(latest, |(_, until)| until.min(latest));
    let limit = Limit { stop: Some(&speaker.gone), until: Some((agents::clock, until)), ..own };
    let mut tell = |found: &Found| {
        let line: Vec<String> = found.line.iter().take(MAX_TOLD_PLIES).map(|m| game.move_text(*m)).collect();
        speaker.hint(&json!({ "found": {
            "rank": found.rank.max(1), "depth": found.depth, "nodes": found.nodes, "value": found.value,
            "proved": found.proved, "line": line,
        } }));
    };
    let mut rng = Rng::new(table.seed ^ table.moves.len() as u64);
    let lines = question.lines.clamp(1, MAX_LINES);
    let mut thought = Thought { tell: Some(&mut tell), lines, ..Thought::new(&mut rng, limit) };
    let chosen = seat.think(&mut machine, asked.situation(), &mut thought);
    match chosen {
        Ok(m) => speaker.say(&json!({ "move": game.move_text(m) })),
        Err(forfeit) => speaker.say(&json!({ "error": forfeit.reason })),
    }
    Ok(())
}
