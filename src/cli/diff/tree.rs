//! Differences as a tree: section by section, a sentence and the places of each.

use super::{BOLD, DIM, PLAIN, Shown, colour, place, program, verdict};
use crate::cli::text::{plain, wrapped};
use crate::diff::{Change, Difference, Section};

/// From so many on, whole things that are new or gone are listed by name only.
const LISTED_FROM: usize = 4;

/// Draws the tree; with `all` nothing is shortened.
pub(super) fn draw(shown: &Shown<'_>, all: bool, width: usize) -> String {
    let mut out = format!("{BOLD}{} against {}{PLAIN}\n", plain(shown.right), plain(shown.left));
    sections(&shown.diff.differences, all, width, &mut out);
    if !shown.diff.notes.is_empty() {
        out += &format!("\n{DIM}No effect on play{PLAIN}\n");
        for note in &shown.diff.notes {
            one(note, width, &mut out);
        }
    }
    out += &format!("\n{}\n{}\n", plain(&verdict(shown)), program(shown).join("\n"));
    out
}

fn sections(differences: &[Difference], all: bool, width: usize, out: &mut String) {
    let mut last: Option<Section> = None;
    let mut listed: Vec<(Section, Change)> = Vec::new();
    for d in differences {
        if last.replace(d.section) != Some(d.section) {
            *out += &format!("\n{BOLD}{}{PLAIN}\n", d.section.title());
        }
        let whole =
            |other: &&Difference| other.section == d.section && other.change == d.change && other.whole;
        let like: Vec<&Difference> = differences.iter().filter(whole).collect();
        if all || !d.whole || like.len() < LISTED_FROM {
            one(d, width, out);
        } else if !listed.contains(&(d.section, d.change)) {
            listed.push((d.section, d.change));
            list(&like, width, out);
        }
    }
}

/// Whole things by name.
fn list(like: &[&Difference], width: usize, out: &mut String) {
    let Some(first) = like.first() else { return };
    let change = if first.change == Change::Added { "are new" } else { "are gone" };
    let mut words: Vec<String> = like.iter().map(|d| plain(name(&d.subject)) + ",").collect();
    if let Some(last) = words.last_mut() {
        last.pop();
    }
    words.push(change.to_owned());
    let (colour, mark) = (colour(first.change), first.change.mark());
    let text = wrapped(&words, "    ", width);
    *out += &format!("  {colour}{mark}{PLAIN} {}\n", text.trim_start());
}

/// The name of a subject without its sort, which the section says.
fn name(subject: &str) -> &str {
    subject.find('`').map_or(subject, |at| &subject[at..])
}

fn one(d: &Difference, width: usize, out: &mut String) {
    let text = wrapped(plain(&d.sentence).split(' '), "    ", width);
    *out += &format!("  {}{}{PLAIN} {}\n", colour(d.change), d.change.mark(), text.trim_start());
    let left = d.left.as_ref().map(|side| place(&side.place));
    let right = d.right.as_ref().map(|side| place(&side.place));
    let places = match (left, right) {
        (Some(left), Some(right)) if left == right => left,
        (Some(left), Some(right)) => match left.chars().count() + right.chars().count() + 12 > width {
            true => format!("{left}\n      -> {right}"),
            false => format!("{left} -> {right}"),
        },
        (left, right) => left.or(right).unwrap_or_default(),
    };
    if !places.is_empty() {
        *out += &format!("      {DIM}{places}{PLAIN}\n");
    }
}
