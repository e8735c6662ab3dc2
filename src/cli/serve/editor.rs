//! Definitions as they are written: their mistakes, completion, and the meaning of words.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::folder::{self, Unsaved, View};
use super::stream;
use super::work::{Answer, App, Refusal};
use crate::analysis::check::{self, Effort};
use crate::cli::describe::Described;
use crate::cli::{files, report, test};
use crate::definition::{self, Choices};
use crate::game::Game;
use crate::hints;
use crate::shipped::Shipped;
use crate::source::{FileError, Files, Sources};

/// How often the folder is looked at while somebody watches it.
const LOOK: Duration = Duration::from_millis(500);

/// Random games of a check that somebody waits for.
const EFFORT: Effort = Effort {
    games: 10,
    others: 1,
    plies: 300,
    moves: 500_000,
    combinations: 64,
    perft: 100_000,
    loads: 10_000_000,
};

/// A file by its name.
#[derive(Debug, Deserialize)]
pub(super) struct Named {
    name: String,
}

/// A text as the page gets it. Its seal tells whether the file has changed since.
fn sealed(text: &str, writable: bool) -> Value {
    json!({ "text": text, "seal": folder::seal(text), "writable": writable })
}

/// The text of a file of the folder or of a shipped game.
pub(super) fn read(app: &App, named: &Named) -> Answer<Value> {
    let files = View { folder: &app.folder, unsaved: None };
    let text = files.read(&named.name).map_err(|error| match error {
        FileError::Missing => {
            Refusal(StatusCode::NOT_FOUND, format!("there is no file or game `{}`", named.name))
        }
        FileError::Unreadable(why) => Refusal::wrong(why),
    })?;
    let writable = !app.read_only && !Shipped::list().contains(&named.name);
    Ok(sealed(&text, writable))
}

/// A file to be written.
#[derive(Debug, Deserialize)]
pub(super) struct Written {
    name: String,
    text: String,
    /// The word of the text that it takes the place of; none for a new file.
    seal: Option<String>,
}

/// Writes a file, if nobody else has changed it meanwhile.
pub(super) fn write(app: &App, file: &Written) -> Answer<Value> {
    let conflict = |message: &str| Err(Refusal(StatusCode::CONFLICT, message.to_owned()));
    if app.read_only {
        return Err(Refusal(StatusCode::FORBIDDEN, "files are only shown here, not written".to_owned()));
    }
    if file.text.len() as u64 > files::MAX_DEFINITION_BYTES {
        return Err(Refusal::wrong("a definition has at most 1 MiB"));
    }
    match (app.folder.text(&file.name), &file.seal) {
        (Ok(now), Some(seal)) if folder::seal(&now) != *seal => {
            return conflict("the file was changed by another program meanwhile");
        }
        (Ok(_), None) => return conflict("there is a file of that name already"),
        (Err(FileError::Missing), Some(_)) => return conflict("the file is gone"),
        (Err(FileError::Unreadable(why)), _) => return Err(Refusal::wrong(why)),
        _ => {}
    }
    app.folder.write(&file.name, &file.text).map_err(Refusal::wrong)?;
    Ok(sealed(&file.text, true))
}

/// A definition to be looked at.
#[derive(Debug, Deserialize)]
pub(super) struct Draft {
    #[serde(flatten)]
    unsaved: Unsaved,
    /// Whether random games and its tests are played too.
    #[serde(default)]
    pub deep: bool,
}

/// The mistakes of a definition, its meaning, and how its random games and tests went.
pub(super) fn check(app: &App, draft: &Draft) -> Answer<Value> {
    let files = View { folder: &app.folder, unsaved: Some(&draft.unsaved) };
    let file = &draft.unsaved.file;
    // An extension is checked with its game.
    let base = definition::game_of(file, &files);
    let with: Vec<String> = base.iter().map(|_| file.clone()).collect();
    // The variant to play: the definition itself, or the game of an extension with the extension.
    let variant = base.as_ref().map_or_else(|| file.clone(), |base| format!("{base}+{file}"));
    let name = base.as_ref().unwrap_or(file);
    let mut sources = Sources::default();
    let choices = Choices { with: with.clone(), ..Choices::default() };
    let (game, found) = Game::load(name, &files, &choices, &mut sources);
    let mut out = json!({
        "playable": game.is_some(),
        "variant": variant,
        "diagnostics": report::list(&found.0, &sources),
        "notes": [],
        "tests": [],
        "seen": null,
        "described": game.as_ref().map(Described::of),
    });
    if !draft.deep || game.is_none() {
        return Ok(out);
    }
    let mut sources = Sources::default();
    let checked = check::check(name, &with, &files, &mut sources, &EFFORT);
    let seen = &checked.seen;
    out["seen"] = format!("{} random games, {} of them ended", seen.games, seen.ended).into();
    out["diagnostics"] = report::list(&checked.findings, &sources);
    out["notes"] = report::list(&checked.notes, &sources);
    out["tests"] = checked.tests.iter().map(|verdict| test::json(verdict, &sources)).collect();
    Ok(out)
}

/// Tells which files change, until nobody listens.
pub(super) fn watch(app: Arc<App>) -> Answer<Response> {
    let busy = || Refusal(StatusCode::SERVICE_UNAVAILABLE, "too many pages watch the folder".to_owned());
    let place = app.watchers.clone().try_acquire_owned().map_err(|_| busy())?;
    let (speaker, answer) = stream::open();
    tokio::spawn(async move {
        let _place = place;
        let list = |app: &App| app.folder.list();
        let mut before = list(&app);
        let mut quiet = 0u32;
        loop {
            tokio::time::sleep(LOOK).await;
            let looking = app.clone();
            let Ok(now) = tokio::task::spawn_blocking(move || looking.folder.list()).await else { return };
            let told = now.iter().filter(|file| !before.contains(file));
            let gone = before.iter().filter(|(name, _)| !now.iter().any(|(other, _)| other == name));
            for (name, _) in told.chain(gone) {
                speaker.hint(&json!({ "changed": name }));
            }
            before = now;
            quiet += 1;
            // An empty name now and then shows whether somebody still listens.
            if quiet.is_multiple_of(20) {
                speaker.hint(&json!({ "changed": "" }));
            }
            if speaker.gone.load(std::sync::atomic::Ordering::Relaxed) {
                return;
            }
        }
    });
    Ok(answer)
}

/// A place in a definition.
#[derive(Debug, Deserialize)]
pub(super) struct TextPlace {
    #[serde(flatten)]
    unsaved: Unsaved,
    /// Characters before it, counted as a browser does: in units of UTF-16.
    at: usize,
}

impl TextPlace {
    /// The byte of the text.
    fn byte(&self) -> usize {
        let mut units = 0;
        let text = &self.unsaved.text;
        let after = text.char_indices().find(|(_, c)| {
            units += c.len_utf16();
            units > self.at
        });
        after.map_or(text.len(), |(byte, _)| byte)
    }
}

/// The words that fit, and the place at which the word begins that they replace.
pub(super) fn complete(place: &TextPlace) -> Value {
    let (from, words) = hints::complete(&place.unsaved.text, place.byte());
    let before = place.unsaved.text.get(..from).unwrap_or("");
    json!({ "from": before.encode_utf16().count(), "words": words })
}

/// The meaning of the word at a place.
pub(super) fn hover(place: &TextPlace) -> Value {
    json!(hints::explain(&place.unsaved.text, place.byte()))
}
