//! The page of a race: which variant comes nearest to the goals, and how near.

use super::dots::{Dot, Dots, Row};
use super::html::{Cell, Html, figure, folded, list, section, table};
use super::scatter::{Point, Scatter};
use super::{finding, shell};
use crate::compare::model::{Metric, Tuned, TunedVariant};
use crate::compare::numbers::{alone, name, scale};
use crate::compare::tune::words;
use crate::wording::count;

/// How many variants have a row in a picture.
const MAX_DRAWN_VARIANTS: usize = 20;

/// The page; `command` is the command line.
pub fn tuned(t: &Tuned, command: &str) -> String {
    let title = format!("{} tuned for {}", t.game, t.goals.join(" and "));
    let subtitle = format!("played by {} against itself, seed {}", t.agent, t.seed);
    let lead = format!("<p class=\"lead\">{}</p>\n", finding(&words::lead(t)));
    let picture = match (&t.metrics[..], &t.wanted[..]) {
        ([x, y, ..], [a, b, ..]) => two(t, [x, y], [*a, *b]),
        ([one, ..], [wanted, ..]) => near(t, one, *wanted),
        _ => String::new(),
    };
    let front: Vec<&TunedVariant> = t.front().collect();
    let others: Vec<&TunedVariant> = t.others().collect();
    let all: Vec<&TunedVariant> = t.candidates.iter().collect();
    let method = [
        Html::text(&format!("Command: {command}")),
        Html::sentence(&words::raced(t)),
        Html::text(
            "Successive halving (Jamieson and Talwalkar 2016): all play a few games, the better half goes on and plays \
             as many again. Figures of who was dropped early are of few games.",
        ),
    ];
    let body = section(
        "found",
        "What was found",
        &(lead + &picture + &rows(t, "Nearest to what is wanted", &front)),
    ) + &folded("others", "As closely looked at", &rows(t, "As closely looked at", &others))
        + &folded("all", "All that took part", &rows(t, "All that took part", &all))
        + &folded("method", "How it was measured", &list("notes", &method));
    shell(&title, &subtitle, &body)
}

/// A table of variants with their figures and how they are played.
fn rows(t: &Tuned, title: &str, all: &[&TunedVariant]) -> String {
    let mut head = vec![Cell::text("variant"), Cell::number("games")];
    head.extend(t.metrics.iter().map(|m| Cell::number(&name(m, " (%)"))));
    head.push(Cell::text("play it"));
    let row = |one: &&TunedVariant| {
        let mut row = vec![Cell::text(&one.name()), Cell::number(&count(one.games))];
        row.extend(t.metrics.iter().zip(&one.figures).map(|(m, figure)| {
            figure.map_or_else(|| Cell::number("-"), |e| Cell::interval(&alone(&e, &m.unit)))
        }));
        row.push(Cell::html(Html::code(&one.command())).class("wide"));
        row
    };
    table(title, &head, all.iter().map(row))
}

/// The nearest variants in one figure.
fn near(t: &Tuned, m: &Metric, wanted: f64) -> String {
    let row = |one: &TunedVariant| {
        let at = one.figures.first().copied().flatten()?;
        // The game is in the title.
        let name = one.name();
        let short = name.strip_prefix(&t.game).map(str::trim_start).filter(|short| !short.is_empty());
        Some(Row::of(short.unwrap_or(&name), vec![Dot { series: 0, at, full: one.front }]))
    };
    let picture = Dots {
        title: m.name.clone(),
        says: words::lead(t),
        axis: name(m, " (%)"),
        rows: t.candidates.iter().take(MAX_DRAWN_VARIANTS).filter_map(row).collect(),
        scale: scale(&m.unit),
        zero: Some(wanted),
    };
    let says = "The nearest first, with 95 % intervals. The line is what is wanted.";
    figure(&m.name, "", &picture.draw(), says)
}

/// Two figures of all variants: the front stands out.
fn two(t: &Tuned, metrics: [&Metric; 2], wanted: [f64; 2]) -> String {
    let [a, b] = metrics.map(|m| scale(&m.unit));
    let mut front = 0;
    let point = |one: &TunedVariant| {
        let [Some(x), Some(y), ..] = one.figures[..] else { return None };
        front += u64::from(one.front);
        let label = one.front.then(|| count(front));
        Some(Point { at: (x.value * a, y.value * b), label })
    };
    let points = t.candidates.iter().filter_map(point).collect();
    let title = "What can be had together";
    let [across, along] = metrics.map(|m| name(m, " (%)"));
    let picture = Scatter {
        title: title.to_owned(),
        says: words::lead(t),
        across,
        along,
        points,
        wanted: (wanted[0] * a, wanted[1] * b),
    };
    let says = "Each variant is a point; those with a number nobody surpasses, in the order of the table. The lines are \
                what is wanted.";
    figure(title, "", &picture.draw(), says)
}
