//! Records: games as files.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::library;
use super::table::{self, Table};
use super::work::{Answer, App, Refusal};
use crate::notation::record::{Lost, Record};

/// The record of a table.
pub(super) fn write(app: &App, table: &Table) -> Answer<String> {
    let known = library::open(app, &table.variant, table.unsaved.as_ref())?;
    Ok(table::legal(&known, table)?.record().write())
}

/// A record that was sent.
#[derive(Debug, Deserialize)]
pub(super) struct Sent {
    record: String,
}

/// The table of a record. Whether its moves are legal is seen when it is asked for.
pub(super) fn read(app: &App, sent: &Sent) -> Answer<Value> {
    let record = Record::read(&sent.record).map_err(|error| Refusal::wrong(error.to_string()))?;
    let header = &record.header;
    let moves: Vec<&str> = record.plies.iter().map(|ply| ply.text.as_str()).collect();
    let variant = format!("{}{}", header.game, options(&header.options));
    let lost = record.end.as_ref().and_then(|end| end.lost());
    let resigned = lost.and_then(|(who, _)| {
        // Where there is no such game that is said when the table is asked for.
        let known = library::open(app, &variant, None).ok()?;
        known.game.rules.players.iter().position(|player| player == who)
    });
    Ok(json!({
        "variant": variant,
        "setup": header.setup,
        "seed": header.seed.unwrap_or(crate::cli::load::SEED).to_string(),
        "moves": moves,
        "resigned": resigned,
        "late": lost.is_some_and(|(_, how)| how == Lost::Late),
    }))
}

/// Options as a variant says them.
fn options(options: &Map<String, Value>) -> String {
    let word = |(name, value): (&String, &Value)| match value {
        Value::Bool(true) => format!("+{name}"),
        Value::Bool(false) => format!("~{name}"),
        Value::String(word) => format!(":{name}={word}"),
        value => format!(":{name}={value}"),
    };
    options.iter().map(word).collect()
}
