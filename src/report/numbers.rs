//! How figures are set: as [`numbers`] rounds them, with a true minus.

use crate::compare::model::{Comparison, Difference, Effect, Estimate, Metric};
use crate::compare::numbers::{self, Change, Digits, Told};

pub(super) use crate::compare::numbers::scale;

/// With a true minus.
pub(super) fn set(text: String) -> String {
    text.replace('-', "\u{2212}")
}

/// A number with fixed decimals and its thousands apart.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    set(numbers::fixed(value, decimals))
}

/// An estimate that stands alone, without its unit.
pub(super) fn told(e: &Estimate, unit: &str) -> Told {
    numbers::alone(e, unit).map(set)
}

/// An estimate of a metric.
pub(super) fn figure(c: &Comparison, m: &Metric, e: &Estimate) -> Told {
    Digits::metric(c, m).told(e).map(set)
}

/// A difference, with its sign.
pub(super) fn difference(c: &Comparison, m: &Metric, d: &Difference) -> Told {
    Change::of(c, m, d).signed().map(set)
}

/// An effect, with its sign.
pub(super) fn effect(c: &Comparison, m: &Metric, e: &Effect) -> Told {
    Change::effect(c, m, e).signed().map(set)
}

/// A number of things.
pub(super) fn count(n: u64) -> String {
    numbers::grouped(&n.to_string())
}

/// `1 game`, `2 games`.
pub(super) fn many(n: u64, one: &str) -> String {
    let plural = match one.strip_suffix('y') {
        Some(stem) if one.ends_with("ly") => format!("{stem}ies"),
        _ => format!("{one}s"),
    };
    format!("{} {}", count(n), if n == 1 { one } else { &plural })
}

/// The unit behind a figure, with a blank before it.
pub(super) fn unit(unit: &str) -> String {
    match unit {
        "share" => "\u{a0}%".to_owned(),
        "times" | "ratio" => String::new(),
        other => format!(" {other}"),
    }
}

/// The unit behind a difference.
pub(super) fn unit_of_change(metric: &Metric) -> String {
    match metric.unit.as_str() {
        "share" => " percentage points".to_owned(),
        other => unit(other),
    }
}

/// A chance, as it is told.
pub(super) fn chance(p: f64) -> String {
    if p < 0.001 { "<\u{a0}0.001".to_owned() } else { format!("{p:.3}") }
}

/// A share as per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{}\u{a0}%", fixed(share * 100.0, 1))
}

/// The name of a metric with its unit, as the head of a row or an axis.
pub(super) fn name(m: &Metric) -> String {
    match m.unit.as_str() {
        "times" => format!("{} a game", m.name),
        "ratio" => m.name.clone(),
        "share" => format!("{} (%)", m.name),
        unit if unit == m.name => m.name.clone(),
        unit => format!("{} ({unit})", m.name),
    }
}

/// How the numbers of an axis are written: with the decimals that its span needs.
pub(super) fn axis(span: f64) -> impl Fn(&f64) -> String {
    let step = span / 5.0;
    let decimals = if step > 0.0 { (1.0 - step.log10().floor()).clamp(0.0, 5.0) as usize } else { 0 };
    move |value| {
        let text = fixed(*value, decimals);
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    }
}
