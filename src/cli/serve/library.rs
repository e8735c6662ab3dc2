//! The games that can be played.

use std::sync::Arc;

use serde_json::{Value, json};

use super::folder::{Unsaved, View};
use super::kept::Known;
use super::work::{Answer, App, Refusal};
use crate::cli::files::is_path;
use crate::definition::{self, Choices};
use crate::diagnostic::{Diagnostics, Severity};
use crate::drawing::svg;
use crate::shipped::Shipped;
use crate::source::{Files, Sources};
use crate::variant::Variant;

/// The games that can be played.
pub(super) fn games(app: &App) -> Vec<Value> {
    let files = View { folder: &app.folder, unsaved: None };
    let own = app.folder.list().into_iter().map(|(name, _)| name);
    let all = own.map(|name| (name, false)).chain(Shipped::list().into_iter().map(|name| (name, true)));
    all.filter_map(|(name, shipped)| entry(&name, shipped, &files)).collect()
}

fn entry(name: &str, shipped: bool, files: &View<'_>) -> Option<Value> {
    let text = files.read(name).ok()?;
    let (game, wrong) = definition::load(name, files, &Choices::default(), &mut Sources::default());
    let Some(game) = game else {
        // A file of another program is no game with mistakes; an extension is no game.
        return (shipped || looks_like_a_game(&text)).then(|| {
            let title = name.trim_start_matches("./").trim_end_matches(".toml");
            json!({
                "name": name, "title": title, "author": null, "summary": null, "players": [], "options": 0,
                "shipped": shipped, "wrong": wrong.0.first().map(|d| &d.message),
            })
        });
    };
    let players: Vec<&str> = game.players.iter().map(|p| p.text.as_str()).collect();
    Some(json!({
        "name": name, "title": game.title, "author": game.author, "summary": game.summary, "players": players,
        "options": game.options.len(), "shipped": shipped, "wrong": null,
    }))
}

/// Whether a text has the keys that only definitions of games have.
fn looks_like_a_game(text: &str) -> bool {
    text.lines().any(|line| {
        let key = line.split('=').next().unwrap_or("").trim();
        key == "extends" || key == "players" || line.trim() == "[board]"
    })
}

/// The game of a variant, or the mistake in it.
pub(super) fn open(app: &App, word: &str, unsaved: Option<&Unsaved>) -> Answer<Arc<Known>> {
    let files = View { folder: &app.folder, unsaved };
    let fresh = |known: &Known| {
        let same = |(name, text): &(String, Arc<str>)| files.read(name).is_ok_and(|now| *now == **text);
        known.word == word && known.files.iter().all(same)
    };
    if let Some(known) = app.loaded.find(fresh) {
        return Ok(known);
    }
    let variant = Variant::parse(word).map_err(|error| Refusal::wrong(error.message))?;
    let mut sources = Sources::default();
    let (game, found) = variant.load(&files, &mut sources);
    let game = game.ok_or_else(|| Refusal::wrong(wrong(&found, &sources)))?;
    // Shipped games never change.
    let own = sources.iter().filter(|(_, source)| is_path(&source.name) && source.name.contains('/'));
    let files = own.map(|(_, source)| (source.name.clone(), source.text.clone())).collect();
    let known = Arc::new(Known { word: word.to_owned(), files, game });
    app.loaded.add(known.clone());
    Ok(known)
}

/// The first error, with its place and its cure.
fn wrong(found: &Diagnostics, sources: &Sources) -> String {
    let Some(first) = found.0.iter().find(|d| d.severity == Severity::Error) else {
        return "the definition is wrong".to_owned();
    };
    let place = first.labels.first().and_then(|label| {
        let source = sources.get(label.span.file)?;
        let at = sources.line_column(label.span);
        Some(format!(" ({}, line {}, column {})", source.name, at.line, at.column))
    });
    let help = first.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
    format!("{}{}{help}", first.message, place.unwrap_or_default())
}

/// The board of a variant at its start.
pub(super) fn picture(app: &App, word: &str) -> Answer<String> {
    let known = open(app, word, None)?;
    let game = &known.game;
    let mut machine = game.machine().map_err(|error| Refusal::wrong(error.to_string()))?;
    let start = game.start(&mut machine, None, crate::cli::load::SEED);
    let start = start.map_err(|error| Refusal::wrong(error.to_string()))?;
    Ok(svg::board(game, &start, &[]))
}
