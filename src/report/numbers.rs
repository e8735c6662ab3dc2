//! How figures are written: as many digits as their interval is worth, a true minus, groups of three.

use crate::compare::model::{Estimate, Metric};

/// The scale in which a unit is shown: shares as per cent.
pub(super) fn scale(unit: &str) -> f64 {
    if unit == "share" { 100.0 } else { 1.0 }
}

/// How many decimals tell as much as an interval of this half width allows: two digits of it, one from 2 on.
fn decimals(half: f64) -> usize {
    if !half.is_finite() || half <= 0.0 {
        return 2;
    }
    let place = half.log10().floor();
    let lead = half / 10f64.powf(place);
    let wanted = if lead < 2.0 { 1.0 - place } else { -place };
    // Between 0 and 4: fits.
    wanted.clamp(0.0, 4.0) as usize
}

/// The decimals that the interval of `e` is worth to a value; a whole number without an interval needs none.
fn digits(value: f64, e: &Estimate, scale: f64) -> usize {
    let half = (e.high - e.low) / 2.0 * scale;
    let whole = half == 0.0 && (value * scale).fract() == 0.0;
    if whole { 0 } else { decimals(half) }
}

/// A number with fixed decimals and a true minus; no minus before a zero.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.*}", decimals, value.abs());
    let zero = text.chars().all(|c| c == '0' || c == '.');
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let point = if part.is_empty() { "" } else { "." };
    let sign = if value < 0.0 && !zero { "\u{2212}" } else { "" };
    format!("{sign}{}{point}{part}", grouped(whole))
}

/// Digits in groups of three.
fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A number of things.
pub(super) fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// `1 game`, `2 games`.
pub(super) fn many(n: u64, one: &str) -> String {
    let plural = match one.strip_suffix('y') {
        Some(stem) if one.ends_with("ly") => format!("{stem}ies"),
        _ => format!("{one}s"),
    };
    format!("{} {}", count(n), if n == 1 { one } else { &plural })
}

/// An estimate in three texts: value, low, high, all with the same decimals.
pub(super) struct Told {
    pub value: String,
    pub low: String,
    pub high: String,
}

impl Told {
    /// `10 to 14`
    pub(super) fn interval(&self) -> String {
        format!("{} to {}", self.low, self.high)
    }
}

/// An estimate as people read it, without its unit; `signed` puts a plus where there is no minus.
pub(super) fn told(e: &Estimate, unit: &str, signed: bool) -> Told {
    let scale = scale(unit);
    let decimals = digits(e.value, e, scale);
    let text = |value: f64| {
        let text = fixed(value * scale, decimals);
        let plus = signed && value > 0.0 && text.chars().any(|c| c.is_ascii_digit() && c != '0');
        if plus { format!("+{text}") } else { text }
    };
    Told { value: text(e.value), low: text(e.low), high: text(e.high) }
}

/// A value with the decimals that the interval of `like` is worth: so that two values and their difference
/// go together.
pub(super) fn alike(value: f64, like: &Estimate, unit: &str) -> String {
    let scale = scale(unit);
    fixed(value * scale, digits(value, like, scale))
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
