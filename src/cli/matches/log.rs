//! The file in which the games of a match are kept: JSON Lines, each with a sum, the settings first.
//!
//! ```text
//! {"farrier":"match","format":1,"game":"name","definition":"5b0e6f2c9a7d1c33","agents":[...],...,"sum":"..."}
//! {"game":0,"seats":[0,1],"result":"red","points":[1.0,0.0],"end":{"rule":"line"},"record":"...","sum":"..."}
//! ```

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::cli::files::log::Log;
use crate::cli::{Stop, screen};
use crate::compare::seal::Seal;
use crate::matches::{Match, Played};

/// The longest line: a game of the most plies has a third of this.
const MAX_LINE_BYTES: usize = 256 << 20;

/// The version of the form.
const FORMAT: u32 = 1;

/// A file of games that is added to.
pub(super) struct GameLog {
    log: Log,
    seal: Seal,
}

impl GameLog {
    /// Adds a game.
    pub(super) fn add(&mut self, played: &Played) -> Result<(), Stop> {
        let line = serde_json::to_string(played).map_err(std::io::Error::other)?;
        self.log.add(&self.seal.seal(&line))
    }
}

/// The settings in which games must agree to go together.
fn settings(found: &Match) -> Value {
    let rules = found.rules();
    let agents: Vec<&str> = rules.agents.iter().map(|agent| agent.name.as_str()).collect();
    json!({
        "farrier": "match",
        "format": FORMAT,
        "game": found.game().name,
        "definition": found.game().fingerprint().to_string(),
        "agents": agents,
        "seed": rules.seed,
        "setup": rules.setup,
        "opening-plies": rules.opening_plies,
        "openings": rules.openings,
        "plies": rules.plies,
        "adjudicate": rules.adjudicate,
        "clock": rules.clock.map(|control| control.to_string()),
    })
}

/// Opens a file and reads its games.
pub(super) fn open(path: &str, found: &Match) -> Result<(GameLog, Vec<Played>), Stop> {
    let mut log = Log::open(path)?;
    let mut seal = Seal::default();
    let here = settings(found);
    let mut begun = false;
    let mut games: Vec<Played> = Vec::new();
    let mut numbers = BTreeSet::new();
    let mut read = |number: u64, line: &[u8]| -> Result<(), Stop> {
        let wrong = |message: &str, help: &str| {
            Err(Stop::advised(format!("`{path}`, line {number}: {message}"), help))
        };
        let line = String::from_utf8_lossy(line);
        let of_match =
            begun || serde_json::from_str(&line).is_ok_and(|value: Value| value["farrier"] == "match");
        if !of_match {
            return wrong(
                "it is no file of a match",
                "give the name of a new file, or of one that `match --resume` wrote",
            );
        }
        let Some(whole) = seal.open(&line) else {
            let help = "take this line and all behind it out of the file: the games in them are played again";
            return wrong("it is damaged: this is not what was written", help);
        };
        if !begun {
            begun = true;
            let there: Value = serde_json::from_str(&whole).unwrap_or_default();
            return match difference(&there, &here) {
                None => Ok(()),
                Some(what) => wrong(
                    &format!("its games are of another match: {what}"),
                    "use the same settings, or another file",
                ),
            };
        }
        match serde_json::from_str::<Played>(&whole) {
            Ok(played) => {
                // More games than are wanted now are no mistake; they are left where they are.
                let fits = played.game < found.schedule().games()
                    && played.seats == found.schedule().game(played.game).seats;
                if fits && numbers.insert(played.game) {
                    games.push(played);
                }
                Ok(())
            }
            Err(error) => wrong(&format!("it is no game: {error}"), "give another file"),
        }
    };
    let torn = log.read(MAX_LINE_BYTES, &mut read)?;
    if let Some((number, line)) = &torn {
        let begins: &[u8] = if begun { b"{\"game\":" } else { b"{\"farrier\":\"match\"" };
        if !(line.starts_with(begins) || begins.starts_with(line)) {
            // A text that this program did not begin to write must not be lost.
            let message = format!("`{path}`, line {number}: it is no file of a match");
            return Err(Stop::advised(message, "give the name of a new file"));
        }
        screen::note(&format!(
            "the last line of `{path}` is not whole, as when a match is stopped: its game is played again"
        ));
    }
    log.cut()?;
    let mut kept = GameLog { log, seal };
    if !begun {
        let line = kept.seal.seal(&here.to_string());
        kept.log.add(&line)?;
    }
    Ok((kept, games))
}

/// The first setting that differs.
fn difference(there: &Value, here: &Value) -> Option<String> {
    let key = here.as_object()?.keys().find(|key| there[key.as_str()] != here[key.as_str()])?;
    Some(match key.as_str() {
        "definition" => "the definition has changed".to_owned(),
        "openings" => "the openings are others".to_owned(),
        key => format!("{key} was {}, is {}", there[key], here[key]),
    })
}
