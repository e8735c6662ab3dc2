//! `farrier test`

use std::io::Write;

use serde_json::json;

use super::files::Disk;
use super::load::{self, ChoiceArgs, Loaded};
use super::{Done, Exit, Format, Stop, report, text};
use crate::analysis::own_tests;
use crate::diagnostic::Diagnostics;
use crate::source::Sources;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Names of shipped games, or paths of definitions
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    choices: ChoiceArgs,
}

/// Runs the tests that definitions carry, each with the options that it names; extension files given by
/// `--with` bring tests of their own.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let (mut passed, mut failed) = (0, 0);
    let choices = args.choices.choices();
    for name in &args.games {
        let Loaded { game, mut sources } = match load::load(name, &choices) {
            Ok(loaded) => loaded,
            // The other games are tested all the same.
            Err(Stop::Diagnostics(found, sources)) => {
                failed += 1;
                broken(name, &found, &sources, format, out)?;
                continue;
            }
            Err(stop) => return Err(stop),
        };
        let verdicts = own_tests::run(&game, &Disk, &mut sources);
        if verdicts.is_empty() && format == Format::Text {
            writeln!(out, "{}: no tests", text::plain(name))?;
        }
        for verdict in verdicts {
            let fine = verdict.failures.is_empty();
            *(if fine { &mut passed } else { &mut failed }) += 1;
            if format == Format::Json {
                let shown = json!({
                    "game": name,
                    "test": verdict.name,
                    "line": sources.line_column(verdict.span).line,
                    "ok": fine,
                    "failures":
                        verdict.failures.iter().map(|d| report::json(d, &sources)).collect::<Vec<_>>(),
                });
                writeln!(out, "{shown}")?;
                continue;
            }
            let word = if fine { "ok    " } else { "FAILED" };
            writeln!(out, "{word}  {}: {}", text::plain(name), text::plain(&verdict.name))?;
            for d in &verdict.failures {
                writeln!(out, "{}", report::draw(d, &sources))?;
            }
        }
    }
    if format == Format::Text {
        writeln!(out, "{} passed, {} failed", text::grouped(passed), text::grouped(failed))?;
    }
    Ok(if failed == 0 { Exit::Fine } else { Exit::Wrong })
}

/// A game that cannot be loaded.
fn broken(
    name: &str,
    found: &Diagnostics,
    sources: &Sources,
    format: Format,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    if format == Format::Json {
        let list: Vec<_> = found.0.iter().map(|d| report::json(d, sources)).collect();
        return writeln!(out, "{}", json!({ "game": name, "test": null, "ok": false, "failures": list }));
    }
    writeln!(out, "FAILED  {}: it cannot be loaded", text::plain(name))?;
    found.0.iter().try_for_each(|d| writeln!(out, "{}", report::draw(d, sources)))
}
