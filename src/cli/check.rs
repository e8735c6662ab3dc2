//! `farrier check`

use std::io::Write;

use serde_json::json;

use super::files::{Disk, is_path};
use super::{Done, Exit, Format, Stop, load, report, text};
use crate::analysis::check::{self, Checked, Effort};
use crate::diagnostic::Severity;
use crate::source::Sources;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Paths of definitions, or names of shipped games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Extension files that take part like options of the game
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    with: Vec<String>,
    /// Random games with the options at their defaults; 0 plays none at all
    #[arg(long, value_name = "N", default_value_t = Effort::default().games, value_parser = load::within::<u32>(0..=u64::from(u32::MAX)))]
    games: u32,
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
        let checked = check::check(file, &args.with, &Disk, &mut sources, &effort);
        if checked.has_errors() {
            exit = Exit::Wrong;
        }
        match format {
            Format::Text => tell(file, &checked, &sources, out)?,
            Format::Json => {
                let shown = json!({
                    "file": file,
                    "ok": !checked.has_errors(),
                    "options": checked.options,
                    "combinations": checked.combinations,
                    "left_out": checked.left_out,
                    "games": checked.games,
                    "plies": checked.plies,
                    "diagnostics":
                        checked.findings.iter().map(|d| report::json(d, &sources)).collect::<Vec<_>>(),
                    "notes": checked.notes.iter().map(|d| report::json(d, &sources)).collect::<Vec<_>>(),
                });
                writeln!(out, "{shown}")?;
            }
        }
    }
    Ok(exit)
}

fn tell(file: &str, checked: &Checked, sources: &Sources, out: &mut dyn Write) -> std::io::Result<()> {
    for d in &checked.findings {
        writeln!(out, "{}", report::draw(d, sources))?;
    }
    for d in &checked.notes {
        writeln!(out, "{}", report::draw_note(d, sources))?;
    }
    let count = |s| checked.findings.iter().filter(|d| d.severity == s).count() as u64;
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let verdict = match (errors, warnings) {
        (0, 0) => "ok".to_owned(),
        (0, w) => format!("ok, {}", text::many(w, "warning")),
        (e, 0) => text::many(e, "error"),
        (e, w) => format!("{}, {}", text::many(e, "error"), text::many(w, "warning")),
    };
    let mut tried = vec![text::many(checked.combinations as u64, "combination") + " of options"];
    if checked.left_out > 0 {
        tried.push(format!("{} more left out", text::grouped(checked.left_out as u64)));
    }
    if checked.games > 0 {
        tried.push(text::many(checked.games, "random game"));
        tried.push(match checked.plies {
            1 => "1 ply".to_owned(),
            n => format!("{} plies", text::grouped(n)),
        });
    }
    writeln!(out, "{}: {verdict} ({})", text::plain(file), tried.join(", "))
}
