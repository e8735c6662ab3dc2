//! `farrier merge`

use std::io::Write;

use super::files::draft;
use super::files::{self, name};
use super::selfplay::{self, ResultArgs};
use super::{Done, Exit, Format, Stop, screen, text};
use crate::compare::shard::Part;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// What `compare --shard` wrote, or `merge --out`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Write the parts as one, in place of the result: they need not be all
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "report"])]
    out: Option<String>,
    #[command(flatten)]
    results: ResultArgs,
}

/// The largest file that is read.
const MAX_PART_BYTES: u64 = 1 << 30;

/// How many shards that are missing are told.
const MAX_TOLD_SHARDS: usize = 10;

fn read(word: &str) -> Result<Part, Stop> {
    let wrong = |why: String| {
        let help = "give files that `farrier compare --shard K/N --out FILE` wrote";
        Stop::advised(format!("`{word}`: {why}"), help)
    };
    let text = files::text(&name::path(word), MAX_PART_BYTES).map_err(|error| wrong(error.to_string()))?;
    Part::read(&text).map_err(wrong)
}

/// Adds parts of a comparison up, and tells the result once all are there.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let mut all: Option<Part> = None;
    for word in &args.files {
        let part = read(word)?;
        match &mut all {
            None => all = Some(part),
            Some(all) => all.merge(&part).map_err(|why| Stop::input(format!("`{word}`: {why}")))?,
        }
    }
    let Some(all) = all else { return Ok(Exit::Fine) };
    let (missing, of) = all.missing();
    if let Some(path) = &args.out {
        draft::write(path, all.write().into_bytes())?;
        screen::note(&format!(
            "{} of {} are in `{path}`",
            of - missing.len() as u64,
            text::many(of, "shard")
        ));
        return Ok(Exit::Fine);
    }
    if !missing.is_empty() {
        let told: Vec<String> =
            missing.iter().take(MAX_TOLD_SHARDS).map(|number| format!("{number}/{of}")).collect();
        let more = missing.len().saturating_sub(MAX_TOLD_SHARDS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        return Err(Stop::advised(
            format!("not all games are there: {}{more} missing", told.join(", ")),
            "play them with `farrier compare --shard`, or write what is there with `--out FILE`",
        ));
    }
    let variants = all.words().into_iter().map(selfplay::variant).collect::<Result<Vec<_>, _>>()?;
    let mut contestants = selfplay::contestants(&variants)?;
    if let Some(named) = all.restrict() {
        selfplay::restrict(&mut contestants, &variants, named)?;
    }
    let found = all.finish(&contestants).map_err(|why| {
        Stop::advised(why, "give `merge` the definitions that were played, by the same names")
    })?;
    args.results.tell(&found, format, out)?;
    Ok(Exit::Fine)
}
