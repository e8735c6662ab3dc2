//! `farrier replay`

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};

use serde_json::{Value, json};

use super::files::{self, name};
use super::playing::{self, Playing};
use super::{Done, Exit, Format, Stop, draw, export, load, text};
use crate::analysis::replay;
use crate::definition::Choices;
use crate::game::Game;
use crate::notation::record::{Record, RecordError};
use crate::session::{ResumeError, Session};
use crate::source::FileError;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Files of records (JSON Lines), each with one record or several
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Extension files that the recorded games were played with
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    with: Vec<String>,
    /// Step through a game with its boards: with keys in a terminal, else all boards are printed
    #[arg(long)]
    step: bool,
    /// Which of several records to step through in a terminal
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = load::within::<usize>(1..=u64::from(u32::MAX)))]
    nth: usize,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

/// The most bytes that a file of records may have.
const MAX_RECORDS_BYTES: u64 = 256 << 20;

/// A mistake in a record.
pub(super) struct Wrong {
    pub line: usize,
    ply: Option<u32>,
    pub message: String,
}

impl Wrong {
    /// The mistake in the text of a record that begins in that line.
    pub(super) fn at(first: usize, error: RecordError) -> Wrong {
        Wrong { line: first + error.line - 1, ply: None, message: error.message }
    }
}

/// How many games are remembered: records may name any number.
const MAX_KEPT_GAMES: usize = 100;

/// Games that were loaded for records before.
type Known = HashMap<(String, Choices), Result<Game, String>>;

/// Verifies records.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    if args.step {
        return step(args, format, out);
    }
    let (mut records, mut plies, mut wrong, mut unread) = (0, 0, 0, 0);
    let mut games: Known = HashMap::new();
    for file in &args.files {
        let text = match read(file) {
            Ok(text) => text,
            Err(message) => {
                unread += 1;
                match format {
                    Format::Json => writeln!(
                        out,
                        "{}",
                        json!({ "file": file, "ok": false, "message": text::brief(&message) })
                    )?,
                    Format::Text => writeln!(out, "{}", super::said(&format!("{file}: {message}")))?,
                }
                continue;
            }
        };
        for (first, part) in split(&text) {
            let result = verify(args, &mut games, first, part);
            records += 1;
            match &result {
                Ok(n) => plies += u64::from(*n),
                Err(_) => wrong += 1,
            }
            match (format, result) {
                (Format::Json, Ok(n)) => {
                    writeln!(out, "{}", json!({ "file": file, "line": first, "ok": true, "plies": n }))?;
                }
                (Format::Json, Err(e)) => {
                    let shown = json!({
                        "file": file, "line": e.line, "ok": false, "ply": e.ply, "message": text::brief(&e.message),
                    });
                    writeln!(out, "{shown}")?;
                }
                (Format::Text, Ok(_)) => {}
                (Format::Text, Err(e)) => {
                    let ply = e.ply.map_or(String::new(), |p| format!("ply {p}: "));
                    let said = format!("{file}:{}: {ply}{}", e.line, e.message);
                    writeln!(out, "{}", super::said(&said))?;
                }
            }
        }
    }
    if format == Format::Text {
        let verdict = match (wrong, records) {
            (0, 0) => None,
            (0, _) => Some("all as recorded".to_owned()),
            (n, _) => Some(format!("{} not as recorded", text::count(n))),
        };
        let unread = (unread > 0).then(|| format!("{} not read", text::many(unread, "file")));
        let verdict = verdict.into_iter().chain(unread).collect::<Vec<_>>().join(", ");
        let (records, plies) = (text::many(records, "record"), text::many(plies, "ply"));
        writeln!(out, "{records}, {plies} verified: {verdict}")?;
    }
    Ok(if wrong + unread == 0 { Exit::Fine } else { Exit::Wrong })
}

/// Steps through a game.
fn step(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    if format == Format::Json {
        return Err(Stop::usage("`--step` is for people; a record is JSON already"));
    }
    let records = export::records(&args.files)?;
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    #[cfg(feature = "terminal")]
    if terminal {
        let count = records.len();
        let Some((_, _, record)) = records.into_iter().nth(args.nth - 1) else {
            return Err(Stop::input(format!("there is no record {}: there are {count}", args.nth)));
        };
        let (session, _) = playing::recorded(&record, &args.with)?;
        return super::table::run(Playing::of(session), true, args.ascii);
    }
    let _ = (terminal, args.ascii, args.nth, Playing::of);
    for (_, _, record) in records {
        let (mut session, _) = playing::recorded(&record, &args.with)?;
        let end = (playing::why(&mut session), playing::result(&mut session));
        while session.undo() {}
        writeln!(out, "{}\n\n{}", text::plain(&session.game().definition.title), board(&mut session))?;
        for ply in &record.plies {
            if session.play_text(&ply.text).is_err() {
                break;
            }
            writeln!(out, "{}. {} plays {}\n", ply.ply, text::plain(&ply.by), text::plain(&ply.text))?;
            writeln!(out, "{}", board(&mut session))?;
        }
        if let Some(why) = end.0 {
            writeln!(out, "{why}")?;
        }
        writeln!(out, "{}", end.1)?;
    }
    Ok(Exit::Fine)
}

/// The board, and the state that it does not show.
fn board(session: &mut Session) -> String {
    let (game, _, pos) = session.parts();
    let board = draw::board(game, pos);
    board + &draw::wrapped_state(game, pos).map_or(String::new(), |state| state + "\n")
}

/// The text of a file of records.
pub(super) fn read(file: &str) -> Result<String, String> {
    files::text(&name::path(file), MAX_RECORDS_BYTES).map_err(|error| match error {
        FileError::Missing => "there is no such file".to_owned(),
        FileError::Unreadable(why) => format!("it cannot be read: {why}"),
    })
}

/// The records of a file, each with the number of its first line. A record begins with its header.
pub(super) fn split(text: &str) -> Vec<(usize, &str)> {
    let mut starts: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for (i, line) in text.split_inclusive('\n').enumerate() {
        // Only a header names the game; a line that is no JSON belongs to the record that it stands in.
        let is_header = line.contains("\"game\"")
            && serde_json::from_str::<Value>(line).is_ok_and(|v| v.get("game").is_some());
        if is_header || starts.is_empty() && !line.trim().is_empty() {
            starts.push((i + 1, at));
        }
        at += line.len();
    }
    if starts.is_empty() {
        return vec![(1, text)];
    }
    let ends = starts.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    starts.iter().zip(ends).map(|((line, at), end)| (*line, text.get(*at..end).unwrap_or(""))).collect()
}

fn verify(args: &Args, games: &mut Known, first: usize, part: &str) -> Result<u32, Wrong> {
    let wrong = |line: usize, message: String| Wrong { line: first + line - 1, ply: None, message };
    let record = Record::read(part).map_err(|e| Wrong::at(first, e))?;
    let choices =
        Choices { with: args.with.clone(), set: replay::choices(&record.header), ..Choices::default() };
    if games.len() >= MAX_KEPT_GAMES {
        games.clear();
    }
    let known = games.entry((record.header.game.clone(), choices.clone()));
    let game = known.or_insert_with(|| load::recorded(&record.header.game, &choices));
    let game = game.as_ref().map_err(|message| wrong(1, message.clone()))?;
    // Header, plies and result stand one a line, blank lines apart.
    let line = |row: usize| {
        let mut lines = part.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()).map(|(_, at)| at);
        let last = lines.clone().last();
        lines.nth(row).or(last).unwrap_or(1)
    };
    let plies = replay::verify(game, &record)
        .map_err(|d| Wrong { ply: Some(d.ply), ..wrong(line(d.row), d.message) })?;
    if record.header.clock.is_some() {
        Session::resume(game.clone(), &record).map_err(|error| {
            let row = if let ResumeError::Time(ply) = error { ply } else { 0 };
            wrong(line(row), error.to_string())
        })?;
    }
    Ok(plies)
}
