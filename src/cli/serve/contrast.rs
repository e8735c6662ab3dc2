//! Two variants beside each other: how their rules differ, a line that tells them apart, and games of both.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::folder::View;
use super::route::Sent;
use super::stream::{self, Speaker};
use super::work::{Answer, App, Refusal};
use crate::cli::agents;
use crate::cli::compared::sign;
use crate::cli::selfplay::LEVELS;
use crate::compare::model::{Comparison, Metric};
use crate::compare::numbers::{Digits, chance};
use crate::compare::run::{self, Archive, Plan, RunError, Taker};
use crate::compare::{self, Contestant, Pairs, Rules, words};
use crate::diff;
use crate::distinguish::{self, Progress, Search, Side};
use crate::game::Game;
use crate::search::AgentSpec;
use crate::source::Sources;
use crate::variant::Variant;
use crate::wording::many;

/// The most random games of each variant, and at each level of thought.
const MAX_GAMES: u64 = 20_000;
const MAX_LEVEL_GAMES: u64 = 1_000;

/// How many pairs of positions and random games are looked at for a line that tells two variants apart.
const MAX_POSITIONS: u64 = 40_000;
const MAX_PROBE_GAMES: u64 = 1_000;

/// How long it is looked for: less than a request may take, so that the rules are told in any case.
const MAX_SEARCH: Duration = Duration::from_secs(20);

/// Which variants, and how long.
#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    variants: [String; 2],
    #[serde(default = "games")]
    games: u64,
    #[serde(default = "level_games")]
    level_games: u64,
    #[serde(default = "crate::cli::serve::table::seed")]
    seed: u64,
}

fn games() -> u64 {
    1000
}

fn level_games() -> u64 {
    100
}

fn variants(words: &[String; 2]) -> Answer<[Variant; 2]> {
    let parse = |word: &String| Variant::parse(word).map_err(|error| Refusal::wrong(error.message));
    Ok([parse(&words[0])?, parse(&words[1])?])
}

/// Plays both and reports. The answer has lines with `progress`, and ends with one line `done` or `error`.
pub(super) fn compare(app: Arc<App>, asked: Sent<Asked>) -> Answer<Response> {
    let variants = variants(&asked.variants)?;
    let (speaker, answer) = stream::open();
    app.slowly(move |app: &App| {
        match played(app, &asked, &variants, &speaker) {
            Ok(Some(found)) => speaker.say(&json!({ "done": found })),
            // Nobody listens any more.
            Ok(None) => {}
            Err(Refusal(_, why)) => speaker.say(&json!({ "error": why })),
        }
    })?;
    Ok(answer)
}

fn played(app: &App, asked: &Asked, variants: &[Variant; 2], speaker: &Speaker) -> Answer<Option<Value>> {
    let files = View { folder: &app.folder, unsaved: None };
    let all = Contestant::load_all(variants, &files, &mut Sources::default());
    let mut all = all.map_err(|error| Refusal::wrong(error.to_string()))?;
    for (one, variant) in all.iter_mut().zip(variants) {
        one.restrict(variant, &files, None).map_err(Refusal::wrong)?;
    }
    let levels = LEVELS.iter().map(|word| word.parse::<AgentSpec>().unwrap_or_default()).collect();
    let rules = Rules { seed: asked.seed, levels, ..Rules::default() };
    let plan = Plan {
        rules,
        games: asked.games.clamp(10, MAX_GAMES),
        level_games: asked.level_games.min(MAX_LEVEL_GAMES),
        making: agents::making(),
        ..Plan::default()
    };
    let of: u64 = all.iter().map(|one| plan.here(one)).sum();
    let mut done = 0;
    let progress = |done: u64| speaker.hint(&json!({ "progress": { "done": done, "of": of } }));
    // The first games may take a while: the page shows at once that they are played.
    progress(done);
    let mut tallies = Vec::new();
    for one in &all {
        let mut count = |more: u64| -> Result<(), ()> {
            done += more;
            progress(done);
            if speaker.gone.load(Ordering::Relaxed) { Err(()) } else { Ok(()) }
        };
        match run::play(one, &plan, &mut Archive::default(), Taker::Count(&mut count)) {
            Ok(tally) => tallies.push(tally),
            Err(RunError::Taker(())) => return Ok(None),
            Err(RunError::Agent(error)) => return Err(Refusal::wrong(error.to_string())),
            Err(RunError::Start(error)) => {
                return Err(Refusal::wrong(format!("`{}` cannot be set up: {}", one.name, error.message)));
            }
        }
    }
    let comparison = compare::compare(&all, &tallies, &plan, &[], Pairs::WithFirst);
    let report = app.reports.keep(crate::report::page(&comparison, None));
    let rows: Vec<Value> = comparison.metrics.iter().filter_map(|m| row(&comparison, m)).collect();
    let (verdict, notes) = (&comparison.verdict, &comparison.notes);
    Ok(Some(json!({ "report": report, "verdict": verdict, "rows": rows, "notes": notes })))
}

/// A metric of both variants in words and numbers, and whether they differ in it.
fn row(c: &Comparison, m: &Metric) -> Option<Value> {
    let of = |v: usize| {
        let e = c.variants.get(v)?.estimates.get(&m.key)?;
        let told = Digits::metric(c, m).told(e);
        Some(json!({
            "figure": told.figure(sign(m)),
            "interval": (!e.at_least).then(|| told.interval()),
            "at": [e.value, e.low, e.high],
        }))
    };
    let test = c.differences.iter().find(|d| d.metric == m.key).map(|d| {
        let differs = d.significant && !d.is_trivial() && !c.is_same(&d.a, &d.b);
        json!({ "p": chance(d.p_adjusted), "differs": differs, "says": words::outcome(c, m, d) })
    });
    let (name, unit, definition) = (&m.name, &m.unit, &m.definition);
    Some(json!({
        "name": name, "unit": unit, "definition": definition, "values": [of(0)?, of(1)?], "test": test,
    }))
}

/// Which variants.
#[derive(Debug, Deserialize)]
pub(super) struct Pair {
    variants: [String; 2],
}

/// How two variants differ in their rules, and a line of play that tells them apart; until `gone`.
pub(super) fn differ(app: &App, pair: &Pair, gone: &AtomicBool) -> Answer<Value> {
    let variants = variants(&pair.variants)?;
    let files = View { folder: &app.folder, unsaved: None };
    let mut sources = Sources::default();
    let mut open = |variant: &Variant| -> Answer<Game> {
        let (game, found) = variant.load(&files, &mut sources);
        game.ok_or_else(|| {
            Refusal::wrong(found.0.first().map_or("the definition is wrong", |d| &d.message).to_owned())
        })
    };
    let games = [open(&variants[0])?, open(&variants[1])?];
    let found =
        diff::diff(&games[0], &games[1], &[], &sources).map_err(|error| Refusal::wrong(error.message))?;
    let rules = found.differences.iter().map(|d| {
        let [left, right] = [&d.left, &d.right].map(|side| side.as_ref().map(|said| &said.text));
        json!({ "section": d.section.title(), "sentence": d.sentence, "left": left, "right": right })
    });
    let rules: Vec<Value> = rules.collect();
    let side = |n: usize| Side { variant: &variants[n], game: &games[n], sources: &sources };
    let (line, says) = match found.same_program {
        true => (None, NEVER.to_owned()),
        false => line(&side(0), &side(1), &files, gone),
    };
    Ok(json!({ "rules": rules, "same_program": found.same_program, "line": line, "says": says }))
}

const NEVER: &str = "they never differ in play";

/// A line of play that tells two variants apart, and what is known of it in words.
fn line(a: &Side<'_>, b: &Side<'_>, files: &View<'_>, gone: &AtomicBool) -> (Option<Vec<String>>, String) {
    let search = Search { positions: MAX_POSITIONS, games: MAX_PROBE_GAMES, ..Search::default() };
    let latest = agents::clock().saturating_add(MAX_SEARCH);
    let late = AtomicBool::new(false);
    let goes_on = |at: Progress| {
        // What is found is told, however late.
        late.fetch_or(at != Progress::Cause && agents::clock() > latest, Ordering::Relaxed);
        !gone.load(Ordering::Relaxed) && (at == Progress::Cause || !late.load(Ordering::Relaxed))
    };
    let report = match distinguish::distinguish(a, b, files, &search, &goes_on) {
        Ok(report) => report,
        Err(error) => return (None, error.to_string()),
    };
    if let Some(found) = report.difference {
        let says = match found.line.len() {
            0 => "they differ at the start".to_owned(),
            n => format!("they differ after {}", many(n as u64, "ply")),
        };
        return (Some(found.line), says);
    }
    if report.complete {
        return (None, NEVER.to_owned());
    }
    let plies = many(u64::from(report.depth.unwrap_or(0)), "ply");
    let end = match late.into_inner() {
        true => format!("; the search was stopped after {} seconds", MAX_SEARCH.as_secs()),
        false => ", none in random games".to_owned(),
    };
    (None, format!("no difference was found: none within {plies}{end}"))
}
