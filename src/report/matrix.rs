//! The pictures of a matrix: effects as dots, effects of pairs as a table of colours, and for each option the
//! games with it beside those without.

use super::board;
use super::dots::{Dot, Row};
use super::html::{Cell, escape, grid, paragraph, table};
use super::panels;
use super::view::View;
use crate::compare::model::{Comparison, Effect, Matrix, Metric, VariantResult};
use crate::compare::numbers::{Change, name, unit_of_change};
use crate::compare::words;
use crate::wording::distinct;

/// The most rows of a picture of pairs; of more pairs only the significant ones are drawn.
const MAX_PAIR_ROWS: usize = 15;

fn row(c: &Comparison, e: &Effect, m: &Metric) -> Row {
    let dots = vec![Dot { series: 0, at: e.estimate, full: e.significant }];
    Row { name: e.options.join(" & "), dots, told: Change::effect(c, m, e).signed().value }
}

fn panel(m: &Metric, rows: Vec<Row>) -> String {
    let unit = unit_of_change(m);
    let axis = if unit.is_empty() { "change".to_owned() } else { format!("change,{unit}") };
    panels::panel(&m.name, &axis, rows, &m.unit, Some(0.0), "", "")
}

/// The effect of each option by itself: a picture for each metric.
pub(super) fn main_effects(c: &Comparison, matrix: &Matrix) -> String {
    let one = |m: &Metric| {
        let mine = matrix.effects.iter().filter(|e| e.metric == m.key && e.options.len() == 1);
        let rows: Vec<Row> = mine.map(|e| row(c, e, m)).collect();
        // Where nothing ever happens (no draws in any game) there is nothing to see.
        let moves = rows.iter().flat_map(|r| &r.dots).any(|d| d.at.value != 0.0);
        if moves { panel(m, rows) } else { String::new() }
    };
    let figures: String = c.metrics.iter().map(one).collect();
    if figures.is_empty() {
        return figures;
    }
    let percent = c.settings.confidence * 100.0;
    paragraph(&format!(
        "The metric with what is tried less the metric without it, averaged over the other options, with its {percent:.0}\u{a0}% \
         interval, each by itself. Filled: significant, after correction for all effects on this page."
    )) + &grid(&figures)
}

/// How options change each other's effects: pictures of the metrics in which that was found.
pub(super) fn pairs(c: &Comparison, matrix: &Matrix) -> String {
    let one = |m: &Metric| {
        let mine: Vec<&Effect> =
            matrix.effects.iter().filter(|e| e.metric == m.key && e.options.len() == 2).collect();
        if !mine.iter().any(|e| e.significant) {
            return String::new();
        }
        let all = mine.len() <= MAX_PAIR_ROWS;
        let rows: Vec<Row> =
            mine.into_iter().filter(|e| all || e.significant).map(|e| row(c, e, m)).collect();
        panel(m, rows)
    };
    let figures: String = c.metrics.iter().map(one).collect();
    if matrix.options.len() < 2 {
        return String::new();
    }
    let says = if figures.is_empty() {
        "No two options were found to change each other's effects.".to_owned()
    } else {
        format!(
            "How much greater the effect of the one option is with the other on than with it off, with its {:.0}\u{a0}% \
             interval, each by itself. Filled: significant, after correction. Only metrics in which a pair was found \
             significant.",
            c.settings.confidence * 100.0
        )
    };
    paragraph(&says) + &grid(&figures)
}

/// All effects at once: a row for each option and pair, a column for each metric.
pub(super) fn colours(c: &Comparison, matrix: &Matrix) -> String {
    let mut rows = distinct(matrix.effects.iter().map(|e| e.options.as_slice()));
    rows.sort_by_key(|options| options.len());
    let top = |m: &Metric| {
        let sizes = matrix.effects.iter().filter(|e| e.metric == m.key).map(|e| e.estimate.value.abs());
        sizes.fold(0.0f64, f64::max)
    };
    let metrics: Vec<&Metric> = c.metrics.iter().filter(|m| top(m) > 0.0).collect();
    let mut head = vec![Cell::text("options")];
    head.extend(metrics.iter().map(|m| Cell::number(&name(m, " (%)"))));
    let cell = |options: &[String], m: &Metric| {
        let found = matrix.effects.iter().find(|e| e.metric == m.key && e.options == options);
        let Some(e) = found else { return Cell::number("\u{2013}") };
        let text = Cell::number(&Change::effect(c, m, e).signed().value);
        if !e.significant {
            return text.class("unsure");
        }
        let step = ((e.estimate.value.abs() / top(m) * 5.0).ceil() as usize).clamp(1, 5);
        let way = if e.estimate.value < 0.0 { "m" } else { "p" };
        text.class(&format!("heat {way}{step}"))
    };
    let rows = rows.into_iter().map(|options| {
        let mut row = vec![Cell::text(&options.join(" & "))];
        row.extend(metrics.iter().map(|m| cell(options, m)));
        row
    });
    let caption = "All effects. Coloured: significant; blue is more, orange is less; the deeper, the larger among those of \
                   the metric";
    table(caption, &head, rows)
}

/// For each option the games with it beside the games without it.
pub(super) fn with_and_without(c: &Comparison, matrix: &Matrix) -> String {
    let mut out = String::new();
    for (i, option) in matrix.options.iter().enumerate() {
        let of = |on: bool| -> Vec<&VariantResult> {
            let all = c.variants.iter().zip(&matrix.combinations);
            all.filter(|(_, k)| k.on.get(i) == Some(&on)).map(|(v, _)| v).collect()
        };
        let name = words::option_named(&option.name);
        let label = |value: &str| match value {
            "on" => format!("with {name}"),
            "off" => format!("without {name}"),
            value => format!("{name} {value}"),
        };
        let views = [View::all(&label(&option.off), &of(false)), View::all(&label(&option.on), &of(true))];
        let lengths: Vec<_> = views.iter().map(|v| (v.name.clone(), &v.lengths)).collect();
        let figures =
            panels::distribution("How long games are", "plies", &lengths) + &panels::branching(&views);
        out += &format!("<article>\n<h3 class=\"option\">{}</h3>\n", escape(&option.name));
        if !option.summary.is_empty() {
            out += &paragraph(&option.summary);
        }
        out += &grid(&figures);
        out += &board::boards(&views, true);
        out += "</article>\n";
    }
    out
}
