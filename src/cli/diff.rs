//! `farrier diff`

mod columns;
mod html;
mod tree;

use std::io::Write;

use serde_json::json;

use super::files::{Disk, draft};
use super::{Done, Exit, Format, Stop, load, text};
use crate::diagnostic::Diagnostics;
use crate::diff::{self, Change, Diff, FilePlace, Toggled};
use crate::game::Game;
use crate::source::Sources;
use crate::variant::Variant;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
A variant is one word: a game and what is chosen of its options, such as ./mine.toml, a-game+an-option,
a-game+one~another, a-game:size=9 or a-game+./extension.toml.

Equal by meaning: exit code 0; different: 1. Blanks, comments, the order of keys, the names of what is
chosen or defined, and the order of `and`, `or`, `|`, `&` and the like make no difference. That two
variants are built differently does not prove that they play differently. A line at the end says whether
both mean the same program: then they play alike. Options that two files have in common are toggled one by one,
and told where that makes a difference.")]
pub(super) struct Args {
    /// The variant to compare with
    #[arg(value_name = "A")]
    left: String,
    /// The variant that is compared
    #[arg(value_name = "B")]
    right: String,
    /// Show the rules that differ beside each other
    #[arg(long)]
    side_by_side: bool,
    /// Write a page for browsers too
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
    /// Things and players that have one name in A and another in B (several by commas)
    #[arg(long, value_name = "A=B", value_delimiter = ',', value_parser = names)]
    map: Vec<(String, String)>,
    /// List each thing that is new or gone, however many there are
    #[arg(long)]
    all: bool,
    /// How wide to print, in characters; the terminal's width if left out
    #[arg(long, value_name = "N", value_parser = load::within::<u16>(40..=1000))]
    width: Option<u16>,
}

fn names(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((a, b)) if !a.is_empty() && !b.is_empty() => Ok((a.trim().to_owned(), b.trim().to_owned())),
        _ => Err("two names are written A=B".to_owned()),
    }
}

/// The input of the views.
struct Shown<'a> {
    left: &'a str,
    right: &'a str,
    diff: &'a Diff,
    toggled: &'a [Toggled],
}

/// Shows how two variants differ.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let mut sources = Sources::default();
    let [left, right] = load(args, &mut sources)?;
    let diff = diff::diff(&left.1, &right.1, &args.map, &sources)
        .map_err(|error| Stop::Input(error.message, error.help))?;
    let sides = [&left, &right].map(|(variant, game)| (variant, game));
    let toggled = diff::toggled(sides, &diff, &args.map, &Disk, &mut sources);
    let shown = Shown { left: &args.left, right: &args.right, diff: &diff, toggled: &toggled };
    if let Some(file) = &args.html {
        draft::write(file, html::page(&shown))?;
    }
    match format {
        // The keys are stable: the help of the command tells them.
        Format::Json => {
            let whole = json!({
                "left": shown.left,
                "right": shown.right,
                "equal": diff.is_equal(),
                "same_rules": diff.same_rules(),
                "same_program": diff.same_program,
                "differences": diff.differences,
                "notes": diff.notes,
                "toggled": toggled.iter().map(|with| json!({
                    "left": with.words[0], "right": with.words[1], "differences": with.more,
                })).collect::<Vec<_>>(),
            });
            writeln!(out, "{whole}")?;
        }
        Format::Text => {
            let text = match args.side_by_side {
                true => columns::draw(&shown, width(args.width)),
                false => tree::draw(&shown, args.all, width(args.width)),
            };
            write!(out, "{text}")?;
            if let Some(file) = &args.html {
                writeln!(out, "written to {}", text::plain(file))?;
            }
        }
    }
    Ok(if diff.is_equal() { Exit::Fine } else { Exit::Wrong })
}

/// Both variants, or the mistakes of both.
fn load(args: &Args, sources: &mut Sources) -> Result<[(Variant, Game); 2], Stop> {
    let mut found = Diagnostics::default();
    let mut game = |word: &str| -> Result<Option<(Variant, Game)>, Stop> {
        let variant = Variant::parse(word).map_err(|error| Stop::Usage(error.message))?;
        let (game, more) = variant.load(&Disk, sources);
        if game.is_none() {
            found.append(more);
        }
        Ok(game.map(|game| (variant, game)))
    };
    match (game(&args.left)?, game(&args.right)?) {
        (Some(left), Some(right)) => Ok([left, right]),
        _ => Err(Stop::Diagnostics(found, std::mem::take(sources))),
    }
}

/// How wide to draw: as asked for, as the terminal is, or as a page.
fn width(asked: Option<u16>) -> usize {
    usize::from(asked.or(comfy_table::Table::new().width()).unwrap_or(100)).max(40)
}

const GREEN: &str = "\u{1b}[32m";
const RED: &str = "\u{1b}[31m";
const YELLOW: &str = "\u{1b}[33m";
const BOLD: &str = "\u{1b}[1m";
const DIM: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// The colour of a change; the stream takes it out where nobody sees it.
fn colour(change: Change) -> &'static str {
    match change {
        Change::Added => GREEN,
        Change::Removed => RED,
        _ => YELLOW,
    }
}

/// `games/a.toml:3:9 (option fast)`.
fn place(place: &FilePlace) -> String {
    text::plain(&place.to_string())
}

/// The result of the comparison, in one line.
fn verdict(shown: &Shown<'_>) -> String {
    let diff = shown.diff;
    if diff.is_equal() {
        return format!("{} and {} are equal by meaning", shown.left, shown.right);
    }
    let of = |change: &dyn Fn(Change) -> bool| diff.differences.iter().filter(|d| change(d.change)).count();
    let counts = [
        (of(&|c| c == Change::Added), "new"),
        (of(&|c| c == Change::Removed), "gone"),
        (of(&|c| !matches!(c, Change::Added | Change::Removed)), "changed"),
    ];
    let counts = counts.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let all = text::many(diff.differences.len() as u64, "difference");
    let only = if diff.same_rules() { "; the rules as they are now are the same" } else { "" };
    format!("{all}: {counts}{only}")
}

/// Whether both are one program, then where they differ besides with an option toggled, a line each.
fn program(shown: &Shown<'_>) -> Vec<String> {
    let same = match shown.diff.same_program {
        true => "Both are the same program: no line of play tells them apart.",
        false if shown.diff.is_equal() => {
            "They mean the same, built in another order: moves are listed in another order, too."
        }
        false => "Their programs are not the same: `farrier distinguish` looks for where it shows in play.",
    };
    let more = shown.toggled.iter().map(|Toggled { words: [left, right], more }| {
        let more = text::many(*more as u64, "more difference");
        text::plain(&format!("{more} with an option toggled: `farrier diff {left} {right}`"))
    });
    std::iter::once(same.to_owned()).chain(more).collect()
}
