//! Rules that differ beside each other, the parts that differ marked: `[-old-]`, `{+new+}`.

use super::{BOLD, DIM, GREEN, PLAIN, RED, Shown, colour, place, program, verdict};
use crate::cli::text::{plain, wrapped};
use crate::diff::{Difference, Excerpt, Section, Side};

/// The text between the columns.
const GAP: &str = " | ";

/// One letter, and whether it is of a part that differs.
type Letter = (char, bool);

/// Draws two columns that fit into a width.
pub(super) fn draw(shown: &Shown<'_>, width: usize) -> String {
    let column = (width.saturating_sub(GAP.len())) / 2;
    let mut out = row(&bold(shown.left), &bold(shown.right), column);
    let mut last: Option<Section> = None;
    let one_rule = |a: &Difference, b: &Difference| (a.section, &a.path) == (b.section, &b.path);
    for group in shown.diff.differences.chunk_by(one_rule) {
        for d in group {
            if last.replace(d.section) != Some(d.section) {
                out += &format!("\n{BOLD}{}{PLAIN}\n", d.section.title());
            }
            let text = wrapped(plain(&d.sentence).split(' '), "  ", width);
            out += &format!("{}{}{PLAIN} {}\n", colour(d.change), d.change.mark(), text.trim_start());
        }
        let left = side(group.iter().filter_map(|d| d.left.as_ref()), ("[-", "-]"), RED, column);
        let right = side(group.iter().filter_map(|d| d.right.as_ref()), ("{+", "+}"), GREEN, column);
        for i in 0..left.len().max(right.len()) {
            let empty = (String::new(), 0);
            out += &row(left.get(i).unwrap_or(&empty), right.get(i).unwrap_or(&empty), column);
        }
    }
    for note in &shown.diff.notes {
        out += &format!("{DIM}note: {}{PLAIN}\n", plain(&note.sentence));
    }
    out + &format!("\n{}\n{}\n", plain(&verdict(shown)), program(shown).join("\n"))
}

/// A text with its escapes, and how many letters it shows.
type Cell = (String, usize);

fn bold(text: &str) -> Cell {
    let text = plain(text);
    (format!("{BOLD}{text}{PLAIN}"), text.chars().count())
}

fn row(left: &Cell, right: &Cell, column: usize) -> String {
    let blanks = " ".repeat(column.saturating_sub(left.1));
    format!("{}{blanks}{GAP}{}", left.0, right.0).trim_end().to_owned() + "\n"
}

/// The lines of one side: each value with its place.
fn side<'d>(
    sides: impl Iterator<Item = &'d Side>,
    (open, close): (&str, &str),
    colour: &str,
    column: usize,
) -> Vec<Cell> {
    let mut excerpts: Vec<Excerpt> = Vec::new();
    let mut where_: Option<String> = None;
    for side in sides {
        where_.get_or_insert_with(|| place(&side.place));
        for excerpt in &side.written {
            match excerpts.iter_mut().find(|e| e.place == excerpt.place && e.key == excerpt.key) {
                Some(known) => known.marks.extend(excerpt.marks.iter().cloned()),
                None => excerpts.push(excerpt.clone()),
            }
        }
    }
    let dim = |text: &str| -> Vec<Cell> {
        let letters: Vec<Letter> = text.chars().map(|c| (c, false)).collect();
        let lines = broken(&letters, column).into_iter();
        lines.map(|line| cell(&line, DIM, true)).collect()
    };
    if excerpts.is_empty() {
        return where_.map(|text| dim(&text)).unwrap_or_default();
    }
    let mut out = Vec::new();
    for excerpt in excerpts {
        out.extend(dim(&format!("{}  {}", excerpt.key, place(&excerpt.place))));
        for line in marked(&excerpt, open, close) {
            out.extend(broken(&line, column).iter().map(|line| cell(line, colour, false)));
        }
    }
    out
}

/// The lines of a value, without their common indent, with marks around the parts that differ.
fn marked(excerpt: &Excerpt, open: &str, close: &str) -> Vec<Vec<Letter>> {
    let mut letters: Vec<Letter> = Vec::new();
    let sign = |text: &str, letters: &mut Vec<Letter>| letters.extend(text.chars().map(|c| (c, true)));
    let inside = |at: usize| excerpt.marks.iter().any(|mark| mark.contains(&at));
    let mut before = false;
    for (at, c) in excerpt.text.char_indices() {
        let now = inside(at);
        if now != before {
            sign(if now { open } else { close }, &mut letters);
        }
        before = now;
        let c = if c.is_control() && c != '\n' { ' ' } else { c };
        letters.push((c, now));
    }
    if before {
        sign(close, &mut letters);
    }
    let lines: Vec<Vec<Letter>> = letters.split(|(c, _)| *c == '\n').map(<[Letter]>::to_vec).collect();
    let blank = |line: &[Letter]| line.iter().all(|(c, _)| *c == ' ');
    let lines: Vec<Vec<Letter>> = lines.into_iter().filter(|line| !blank(line)).collect();
    let indent = |line: &Vec<Letter>| line.iter().take_while(|(c, _)| *c == ' ').count();
    let common = lines.iter().map(indent).min().unwrap_or(0);
    lines.into_iter().map(|line| line[common..].to_vec()).collect()
}

/// A line in pieces of at most so many letters, broken at blanks where there are some.
fn broken(line: &[Letter], width: usize) -> Vec<Vec<Letter>> {
    let width = width.max(8);
    let mut out = Vec::new();
    let mut rest = line;
    while rest.len() > width {
        let blank = rest[..=width].iter().rposition(|(c, _)| *c == ' ').filter(|at| *at > width / 3);
        let (end, next) = blank.map_or((width, width), |at| (at, at + 1));
        let blanks = rest[..end].iter().rev().take_while(|(c, _)| *c == ' ').count();
        out.push(rest[..end - blanks].to_vec());
        rest = &rest[next..];
    }
    out.push(rest.to_vec());
    out
}

/// Letters with their colour.
fn cell(line: &[Letter], colour: &str, all: bool) -> Cell {
    let mut out = String::new();
    let mut before = false;
    for (c, marked) in line {
        let now = all || *marked;
        if now != before {
            out += if now { colour } else { PLAIN };
        }
        before = now;
        out.push(*c);
    }
    if before {
        out += PLAIN;
    }
    (out, line.len())
}
