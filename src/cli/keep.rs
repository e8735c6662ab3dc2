//! The record of a game that is being played, kept in a file as it grows.
//!
//! Every ply is one line that is written at once, and plies that are taken back are cut off at one moment: a process
//! that is killed loses at most the ply that it was writing. The file is locked while the game is played.

use serde_json::{Map, Value};

use super::Stop;
use super::files::log::Log;
use crate::notation::record::{self, Ply, Record};
use crate::session::Session;

/// The longest line of a record.
const MAX_LINE_BYTES: usize = 16 << 20;

/// A file with the records of games. The last game is being played.
pub(super) struct Keeper {
    log: Log,
    /// Where each line of the last record begins: its header, then its plies.
    begins: Vec<u64>,
    plies: Vec<Ply>,
    /// Who decides for each player in it.
    seats: Map<String, Value>,
    /// Its last line, once it has one, and where that begins.
    end: Option<(u64, String)>,
}

impl Keeper {
    /// A file for a new game. A file that has something in it is left alone.
    pub(super) fn begin(word: &str) -> Result<Keeper, Stop> {
        let (keeper, records) = Keeper::open(word)?;
        match keeper.log.length() == 0 && records.is_empty() {
            true => Ok(keeper),
            false => Err(Stop::advised(
                format!("`{word}` is there already"),
                format!("give another file, or go on with its game: `farrier play --resume {word}`"),
            )),
        }
    }

    /// A file with records, to go on with the last one. A last line that is not whole is left out.
    pub(super) fn resume(word: &str) -> Result<(Keeper, Vec<Record>), Stop> {
        let (mut keeper, records) = Keeper::open(word)?;
        if records.is_empty() {
            return Err(Keeper::empty(word));
        }
        keeper.log.cut()?;
        Ok((keeper, records))
    }

    pub(super) fn empty(word: &str) -> Stop {
        Stop::input(format!("`{word}` has no record of a game"))
    }

    fn open(word: &str) -> Result<(Keeper, Vec<Record>), Stop> {
        if word.is_empty() {
            return Err(Stop::usage("a record needs the name of a file"));
        }
        let log = Log::open(word)?;
        let mut keeper = Keeper { log, begins: Vec::new(), plies: Vec::new(), seats: Map::new(), end: None };
        let mut texts: Vec<(u64, String)> = Vec::new();
        let mut at = 0;
        keeper.log.read(MAX_LINE_BYTES, |number, line| {
            let wrong = |why: String| Stop::input(format!("`{word}`, line {number}: {why}"));
            let text = std::str::from_utf8(line).map_err(|_| wrong("it is no UTF-8 text".to_owned()))?;
            // The mark that some editors begin a text with.
            let text = text.strip_prefix('\u{feff}').filter(|_| number == 1).unwrap_or(text);
            if !text.trim().is_empty() {
                let value: Value =
                    serde_json::from_str(text).map_err(|error| wrong(format!("it is no record: {error}")))?;
                if value.get("game").is_some() || texts.is_empty() {
                    texts.push((number, String::new()));
                    keeper.begins.clear();
                    keeper.end = None;
                }
                match value.get("result") {
                    Some(_) => keeper.end = Some((at, text.to_owned())),
                    None => keeper.begins.push(at),
                }
                if let Some((_, record)) = texts.last_mut() {
                    record.push_str(text);
                    record.push('\n');
                }
            }
            at += line.len() as u64 + 1;
            Ok(())
        })?;
        let mut records = Vec::new();
        for (first, text) in texts {
            records.push(Record::read(&text).map_err(|error| {
                let line = first + error.line.saturating_sub(1) as u64;
                Stop::input(format!("`{word}`, line {line}: {}", error.message))
            })?);
        }
        if let Some(Record { header, plies, .. }) = records.last() {
            (keeper.seats, keeper.plies) = (header.seats.clone(), plies.clone());
        }
        Ok((keeper, records))
    }

    /// The next record begins: another game.
    pub(super) fn next(&mut self) {
        self.begins.clear();
        self.plies.clear();
        self.end = None;
    }

    /// Brings the record to where the game is. Where others go on with it the game as it was stays in the file, and a
    /// record of its own begins.
    pub(super) fn sync(&mut self, session: &mut Session) -> Result<(), Stop> {
        let record = session.record();
        if self.end.is_none() && record.header.seats != self.seats && record.plies.len() > self.plies.len() {
            self.next();
        }
        let same = self.plies.iter().zip(&record.plies).take_while(|(a, b)| a == b).count();
        let end =
            record.end.filter(|_| session.is_over()).map(|end| record::line(&end).trim_end().to_owned());
        if self.begins.is_empty() {
            self.add(record::line(&record.header))?;
            self.seats = record.header.seats;
        }
        if same < self.plies.len() || self.end.as_ref().is_some_and(|(_, old)| Some(old) != end.as_ref()) {
            // The place behind the plies that stay: where the next one begins, or else the end.
            let place = match self.begins.get(same + 1) {
                Some(place) => *place,
                None => self.end.as_ref().map_or(self.log.length(), |(at, _)| *at),
            };
            self.log.cut_at(place)?;
            self.begins.truncate(same + 1);
            self.plies.truncate(same);
            self.end = None;
        }
        for ply in &record.plies[same..] {
            self.add(record::line(ply))?;
            self.plies.push(ply.clone());
        }
        if let Some(end) = end.filter(|_| self.end.is_none()) {
            self.end = Some((self.log.length(), end.clone()));
            self.log.add(&end)?;
        }
        Ok(())
    }

    fn add(&mut self, line: String) -> Result<(), Stop> {
        self.begins.push(self.log.length());
        self.log.add(line.trim_end())
    }
}
