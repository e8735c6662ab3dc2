//! Replays: a record is played ply by ply, and every difference is said.

use serde_json::Value;

use crate::analysis::playout::outcome_name;
use crate::game::Game;
use crate::notation::moves::MoveError;
use crate::notation::record::{Header, Record, UNFINISHED};
use crate::play::{History, Moves};
use crate::wording::many;

/// Where and how a record differs from the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The line of the record: 0 for the header, then one for each ply, the last for the result.
    pub row: usize,
    /// The number of the ply in the game; at the header the plies before the record.
    pub ply: u32,
    /// The difference.
    pub message: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ply {}: {}", self.ply, self.message)
    }
}

impl std::error::Error for Difference {}

/// The options of a header for `--set`: name and value.
pub fn choices(header: &Header) -> Vec<(String, String)> {
    header
        .options
        .iter()
        .map(|(name, value)| {
            let value = match value {
                Value::String(s) => s.clone(),
                other => other.to_string(),
            };
            (name.clone(), value)
        })
        .collect()
}

/// Plays a record and verifies mover, number of legal moves, legality, result and scores of each ply; the
/// first difference ends it.
pub fn verify(game: &Game, record: &Record) -> Result<u32, Difference> {
    let unplayed = |message: String| Err(Difference { row: 0, ply: 0, message });
    let mut machine = match game.machine() {
        Ok(machine) => machine,
        Err(e) => return unplayed(e.to_string()),
    };
    let seed = record.header.seed.unwrap_or(0);
    let mut pos = match game.start(&mut machine, record.header.setup.as_deref(), seed) {
        Ok(pos) => pos,
        Err(e) => return unplayed(e.message),
    };
    // Plies are counted as the game does, which may have begun before the record.
    let first = pos.ply(&game.program.layout);
    let differ = |row: usize, message: String| {
        Err(Difference { row, ply: first.saturating_add(u32::try_from(row).unwrap_or(u32::MAX)), message })
    };
    let mut history = History::new();
    history.push(machine.full_hash(&pos));
    let mut moves = Moves::new();
    machine.moves(&pos, &mut moves);
    let mut last = None;
    for (ply, row) in record.plies.iter().zip(1..) {
        let number = pos.ply(&game.program.layout).saturating_add(1);
        if ply.ply != number {
            return differ(row, format!("this is ply {number}, the record says {}", ply.ply));
        }
        if moves.is_empty() {
            let result = outcome_name(game, machine.outcome(&pos));
            return differ(row, format!("the game was over ({result}), the record plays `{}`", ply.text));
        }
        let by = if moves.is_chance() { "chance" } else { game.player(moves.mover().index()) };
        if by != ply.by {
            return differ(row, format!("{by} is to decide, the record says {}", ply.by));
        }
        if moves.len() as u64 != ply.legal {
            let legal = many(moves.len() as u64, "legal move");
            return differ(row, format!("the position has {legal}, the record says {}", ply.legal));
        }
        match game.read_move(&moves, &ply.text) {
            Ok(m) => {
                if row == record.plies.len() {
                    last = Some((pos.clone(), m));
                }
                machine.play(&mut pos, m, &mut history, &mut moves);
            }
            Err(MoveError::Ambiguous) => {
                return differ(row, format!("`{}` is the text of two moves", ply.text));
            }
            Err(MoveError::NotLegal(_)) => return differ(row, format!("`{}` is not legal", ply.text)),
        }
    }
    let plies = u32::try_from(record.plies.len()).unwrap_or(u32::MAX);
    let row = record.plies.len() + 1;
    let Some(end) = &record.end else { return Ok(plies) };
    let mut result = outcome_name(game, machine.outcome(&pos));
    let mut reason =
        machine.ended_by(last.as_ref().map(|(p, m)| (p, *m)), &pos).map(|by| game.ended_name(by));
    if let Some((who, how)) = end.lost() {
        let Some(place) = game.rules.players.iter().position(|player| player == who) else {
            return differ(row, format!("there is no player `{who}`, who {} as the record says", how.said()));
        };
        if result != UNFINISHED {
            let said = how.said();
            return differ(row, format!("the game was over ({result}), the record says that {who} {said}"));
        }
        result = game.outcome_name(Some(game.resigned(place)));
        reason = Some(how.reason().to_owned());
    }
    if result != end.result {
        return differ(row, format!("the result is {result}, the record says {}", end.result));
    }
    if end.reason.is_some() && reason != end.reason {
        let [here, there] = [&reason, &end.reason].map(|reason| reason.as_deref().unwrap_or("none"));
        return differ(row, format!("the reason is {here}, the record says {there}"));
    }
    let scores = game.score_map(&mut machine, &pos);
    if scores != end.scores {
        let [here, there] = [scores, end.scores.clone()]
            .map(|scores| scores.map_or("none".to_owned(), |scores| Value::Object(scores).to_string()));
        return differ(row, format!("the scores are {here}, the record says {there}"));
    }
    Ok(plies)
}
