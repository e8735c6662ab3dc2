//! `farrier test`

use std::io::Write;

use serde_json::{Map, Value, json};

use super::files::Disk;
use super::load::{self, ChoiceArgs, Loaded};
use super::{Done, Exit, Format, Stop, report, text};
use crate::analysis::own_tests::{self, Run, Verdict};
use crate::definition;
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

/// Runs the tests that definitions carry, each with the options that it names and those given; extension files
/// given by `--with` bring tests of their own.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let how = Run::with(args.choices.choices());
    for name in &args.games {
        // The tests of an extension are run on its game.
        let base = definition::game_of(name, &Disk);
        let mut how = Run::with(how.given.clone());
        how.given.with.extend(base.iter().map(|_| name.clone()));
        let base = base.as_ref().unwrap_or(name);
        let Loaded { game, mut sources } = match load::load(base, &how.given) {
            Ok(loaded) => loaded,
            // The other games are tested all the same.
            Err(Stop::Diagnostics(found, sources)) => {
                failed += 1;
                broken(name, &found, &sources, format, out)?;
                continue;
            }
            Err(stop) => return Err(stop),
        };
        let verdicts = own_tests::run(base, &game.definition, &how, &Disk, &mut sources);
        if verdicts.is_empty() && format == Format::Text {
            writeln!(out, "{}: no tests", text::plain(name))?;
        }
        for verdict in verdicts {
            *match (&verdict.skipped, verdict.passed()) {
                (Some(_), _) => &mut skipped,
                (None, true) => &mut passed,
                (None, false) => &mut failed,
            } += 1;
            if format == Format::Json {
                let mut shown = json(&verdict, &sources);
                shown["game"] = Value::from(name.as_str());
                writeln!(out, "{shown}")?;
                continue;
            }
            let (word, told) = (word(&verdict), told(&verdict));
            writeln!(out, "{word:<7} {}: {told}", text::plain(name))?;
            for d in &verdict.failures {
                writeln!(out, "{}", report::draw(d, &sources))?;
            }
        }
    }
    if format == Format::Text {
        let mut sums = vec![(passed, "passed"), (failed, "failed")];
        sums.extend((skipped > 0).then_some((skipped, "skipped")));
        let sums: Vec<String> = sums.iter().map(|(n, word)| format!("{} {word}", text::count(*n))).collect();
        writeln!(out, "{}", sums.join(", "))?;
    }
    Ok(if failed == 0 { Exit::Fine } else { Exit::Wrong })
}

/// How a test went.
fn word(verdict: &Verdict) -> &'static str {
    match (&verdict.skipped, verdict.passed()) {
        (Some(_), _) => "skipped",
        (None, true) => "ok",
        (None, false) => "FAILED",
    }
}

/// A test's name, the options that it ran with, and the counts that were left out.
fn told(verdict: &Verdict) -> String {
    let mut out = text::plain(&verdict.name);
    if let Some(options) = verdict.choices.told() {
        out += &format!(" ({})", text::plain(&options));
    }
    if let Some(why) = &verdict.skipped {
        out += &format!(": {}", text::plain(why));
    }
    if verdict.left_out > 0 {
        out += &format!(": {} left out, too great", text::many(verdict.left_out as u64, "perft count"));
    }
    out
}

/// A line on a test.
pub(super) fn line(verdict: &Verdict) -> String {
    format!("{:<7} {}", word(verdict), told(verdict))
}

/// A test as JSON.
pub(super) fn json(verdict: &Verdict, sources: &Sources) -> Value {
    let choices = &verdict.choices;
    let set: Map<String, Value> =
        choices.set.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
    json!({
        "test": verdict.name,
        "line": sources.line_column(verdict.span).line,
        "ok": verdict.passed(),
        "options": { "with": choices.with, "without": choices.without, "set": set },
        "skipped": verdict.skipped,
        "left_out": verdict.left_out,
        "failures": report::list(&verdict.failures, sources),
    })
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
        let list = report::list(&found.0, sources);
        return writeln!(out, "{}", json!({ "game": name, "test": null, "ok": false, "failures": list }));
    }
    writeln!(out, "FAILED  {}: it cannot be loaded", text::plain(name))?;
    found.0.iter().try_for_each(|d| writeln!(out, "{}", report::draw(d, sources)))
}
