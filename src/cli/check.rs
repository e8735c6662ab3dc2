//! `farrier check`

use std::io::Write;

use serde_json::{Value, json};

use super::files::{Disk, is_path};
use super::{Done, Exit, Format, Stop, load, report, test, text};
use crate::analysis::check::{self, ASIDE, Checked, Effort};
use crate::analysis::seen::{Thing, Times, What};
use crate::definition;
use crate::diagnostic::Severity;
use crate::source::Sources;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Paths of definitions or extensions, or names of shipped games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Extension files that take part like options of the game
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    with: Vec<String>,
    /// Random games with the options at their defaults; 0 plays none at all
    #[arg(long, value_name = "N", default_value_t = Effort::default().games, value_parser = load::within::<u32>(0..=u64::from(u32::MAX)))]
    games: u32,
    /// Tell every note with its place, what random games touched, and how each test went
    #[arg(long)]
    verbose: bool,
}

/// Looks for mistakes.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    if let Some(option) = args.with.iter().find(|w| !is_path(w)) {
        return Err(Stop::Usage(format!(
            "`check` tries every option by itself: `--with` takes extension files here, and `{option}` is no path"
        )));
    }
    let usual = Effort::default();
    let others = if args.games == 0 { 0 } else { usual.others };
    let effort = Effort { games: args.games, others, ..usual };
    let mut exit = Exit::Fine;
    for file in &args.files {
        let mut sources = Sources::default();
        // An extension is checked with its game.
        let game = definition::game_of(file, &Disk);
        let alone = game.iter().map(|_| file);
        let with: Vec<String> = alone.chain(args.with.iter().filter(|w| *w != file)).cloned().collect();
        let checked = check::check(game.as_ref().unwrap_or(file), &with, &Disk, &mut sources, &effort);
        if checked.has_errors() {
            exit = Exit::Wrong;
        }
        match format {
            Format::Text => {
                let of = game.map_or_else(String::new, |game| format!(" for {game}"));
                tell(&format!("{file}{of}"), &checked, &sources, args.verbose, out)?;
            }
            Format::Json => {
                let shown = json!({
                    "file": file,
                    "ok": !checked.has_errors(),
                    "options": checked.options,
                    "combinations": checked.combinations,
                    "left_out": checked.left_out,
                    "games": checked.seen.games,
                    "plies": checked.seen.plies,
                    "ended": checked.seen.ended,
                    "stuck": checked.seen.stuck,
                    "cut": checked.seen.cut,
                    "untested": checked.untested,
                    "seen": seen_json(&checked, &sources),
                    "tests": checked.tests.iter().map(|v| test::json(v, &sources)).collect::<Vec<_>>(),
                    "diagnostics": report::list(&checked.findings, &sources),
                    "notes": report::list(&checked.notes, &sources),
                });
                writeln!(out, "{shown}")?;
            }
        }
    }
    Ok(exit)
}

/// The most characters of a name that are written.
const MAX_NAME_LETTERS: usize = 200;

/// The things that random games touched, each with its number of games.
fn seen_json(checked: &Checked, sources: &Sources) -> Vec<Value> {
    let one = |(thing, times): (&Thing, &Times)| {
        json!({
            "what": thing.what.name(),
            "name": text::cut(&thing.name, MAX_NAME_LETTERS),
            "file": sources.get(thing.span.file).map(|s| s.name.as_str()),
            "line": sources.line_column(thing.span).line,
            "seen": times.seen,
            "games": times.games,
        })
    };
    checked.seen.things.iter().map(one).collect()
}

fn tell(
    file: &str,
    checked: &Checked,
    sources: &Sources,
    verbose: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let told = checked.notes.iter().filter(|_| verbose);
    for d in checked.findings.iter().chain(told) {
        writeln!(out, "{}", report::draw(d, sources))?;
    }
    let count = |s| checked.findings.iter().filter(|d| d.severity == s).count() as u64;
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let mut verdict = if errors == 0 { "ok".to_owned() } else { text::many(errors, "error") };
    if warnings > 0 {
        verdict += &format!(", {}", text::many(warnings, "warning"));
    }
    let mut tried = vec![text::many(checked.combinations as u64, "combination") + " of options"];
    if checked.left_out > 0 {
        tried.push(format!("{} more left out", text::count(checked.left_out as u64)));
    }
    let seen = &checked.seen;
    if seen.games > 0 {
        tried.push(text::many(seen.games, "random game"));
        if seen.ended < seen.games {
            tried.push(format!("{} of them cut short", text::count(seen.games - seen.ended)));
        }
        tried.push(text::many(seen.plies, "ply"));
    }
    if !checked.tests.is_empty() {
        tried.push(text::many(checked.tests.len() as u64, "test"));
    }
    let left_out: usize = checked.tests.iter().map(|v| v.left_out).sum();
    if left_out > 0 {
        tried.push(format!("{} left out", text::many(left_out as u64, "perft count")));
    }
    if checked.untested > 0 {
        tried.push(format!("{} not run", text::many(checked.untested as u64, "test")));
    }
    writeln!(out, "{}: {verdict} ({})", text::plain(file), tried.join(", "))?;
    if verbose {
        return touched(checked, out);
    }
    let (aside, notes): (Vec<_>, Vec<_>) = checked.notes.iter().partition(|d| ASIDE.contains(&d.code));
    for d in notes {
        let at = d.span();
        let place = sources.get(at.file).map_or("", |s| s.name.as_str());
        let line = sources.line_column(at).line;
        writeln!(out, "  note: {} ({}:{line})", text::plain(&d.message), text::plain(place))?;
    }
    match aside.len() as u64 {
        0 => Ok(()),
        n => writeln!(out, "  {} with --verbose", text::many(n, "lesser note")),
    }
}

/// The things that random games touched, and the tests.
fn touched(checked: &Checked, out: &mut dyn Write) -> std::io::Result<()> {
    let seen = &checked.seen;
    let mut rows = Vec::new();
    for (thing, times) in seen.things.iter().filter(|(t, _)| t.what != What::Site) {
        let games = format!("{} of {}", text::count(times.seen), text::count(times.games));
        rows.push(vec![thing.what.name().to_owned(), thing.name.clone(), games]);
    }
    for (what, n) in [("stuck", seen.stuck), ("cut", seen.cut)] {
        let games = format!("{} of {}", text::count(n), text::count(seen.games));
        rows.push(vec![what.to_owned(), String::new(), games]);
    }
    if seen.games > 0 {
        writeln!(out, "\n{}\n", text::table(&["what", "name", "in random games"], rows))?;
    }
    checked.tests.iter().try_for_each(|verdict| writeln!(out, "{}", test::line(verdict)))
}
