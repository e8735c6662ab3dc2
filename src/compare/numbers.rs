//! How figures are written: everything that is printed of a comparison is rounded here.
//!
//! - A figure and its interval have the same decimals: as many as half the interval's width is worth, which is
//!   two digits of it up to 3.54, one from there to 9.49 (the rule of the Particle Data Group).
//! - All figures of one metric have the decimals that the narrowest of their intervals is worth: estimates,
//!   differences and effects stand beside each other and are subtracted by who reads them.
//! - So a difference is the difference *of what is printed*: 101.5 less 95.9 is 5.6.
//! - A figure that was the same in all games has no interval; a note stands in its place.
//! - A lower bound is rounded down and says that it is one.

use super::model::{Comparison, Difference, Effect, Estimate, Metric};
use crate::wording::grouped;

/// The most decimals.
const MAX_DECIMALS: i32 = 6;

/// The scale in which a unit is shown: shares as per cent.
pub fn scale(unit: &str) -> f64 {
    if unit == "share" { 100.0 } else { 1.0 }
}

/// How the figures of a metric are written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Digits {
    scale: f64,
    decimals: usize,
}

impl Digits {
    /// For figures that stand together.
    pub fn of<'e>(unit: &str, all: impl Iterator<Item = &'e Estimate> + Clone) -> Digits {
        let scale = scale(unit);
        let halves = all.clone().map(|e| (e.high - e.low) / 2.0 * scale);
        let narrowest = halves.filter(|half| *half > 0.0 && half.is_finite()).min_by(f64::total_cmp);
        let whole = || all.clone().all(|e| (e.value * scale).fract() == 0.0);
        let decimals = match narrowest {
            Some(half) => worth(half),
            None if whole() => 0,
            None if unit == "share" || all.clone().any(|e| e.at_least) => 1,
            None => 2,
        };
        Digits { scale, decimals }
    }

    /// For all figures of a metric.
    pub fn metric(c: &Comparison, m: &Metric) -> Digits {
        let estimates = c.variants.iter().filter_map(|v| v.estimates.get(&m.key));
        let differences = c.differences.iter().filter(|d| d.metric == m.key).map(|d| &d.estimate);
        let effects = c.matrix.iter().flat_map(|x| &x.effects).filter(|e| e.metric == m.key);
        Digits::of(&m.unit, estimates.chain(differences).chain(effects.map(|e| &e.estimate)))
    }

    /// A size, rounded up.
    pub fn size(&self, value: f64) -> String {
        let ten = 10f64.powi(self.decimals as i32);
        fixed((value * self.scale * ten).ceil() / ten, self.decimals)
    }

    /// An estimate.
    pub fn told(&self, e: &Estimate) -> Told {
        let value = if e.at_least { self.floor(e.value) } else { self.round(e.value) };
        self.write([value, self.round(e.low), self.round(e.high)], e, false)
    }

    fn floor(&self, value: f64) -> f64 {
        let ten = 10f64.powi(self.decimals as i32);
        (value * self.scale * ten).floor() / ten
    }

    /// As it is shown.
    fn round(&self, value: f64) -> f64 {
        let value = value * self.scale;
        format!("{value:.*}", self.decimals).parse().unwrap_or(value)
    }

    fn write(&self, shown: [f64; 3], e: &Estimate, signed: bool) -> Told {
        let [value, low, high] = shown.map(|value| {
            let text = fixed(value, self.decimals);
            let some = text.chars().any(|c| ('1'..='9').contains(&c));
            if signed && value > 0.0 && some { format!("+{text}") } else { text }
        });
        let why = match (e.at_least, e.is_alike(), e.n) {
            (true, ..) => Some("or more"),
            (_, true, 0..=1) => Some("of one game"),
            (_, true, _) => Some("in all games"),
            _ => None,
        };
        Told { value, low, high, why, at_least: e.at_least }
    }
}

/// How many decimals half an interval's width is worth.
fn worth(half: f64) -> usize {
    let place = half.log10().floor();
    let lead = half / 10f64.powf(place);
    let wanted = if lead < 3.55 { 1.0 - place } else { -place };
    (wanted as i32).clamp(0, MAX_DECIMALS) as usize
}

/// A figure in texts, without its unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The value.
    pub value: String,
    /// The lower end.
    pub low: String,
    /// The upper end.
    pub high: String,
    /// Why there is no interval.
    why: Option<&'static str>,
    at_least: bool,
}

impl Told {
    /// `10 to 14`, or why there is no interval.
    pub fn interval(&self) -> String {
        self.why.map_or_else(|| format!("{} to {}", self.low, self.high), str::to_owned)
    }

    /// `12 %`, `at least 12.3`; the unit as it stands behind the value.
    pub fn figure(&self, unit: &str) -> String {
        let least = if self.at_least { "at least " } else { "" };
        format!("{least}{}{unit}", self.value)
    }

    /// `12 % (10 to 14)`, `at least 12.3`.
    pub fn whole(&self, unit: &str) -> String {
        let figure = self.figure(unit);
        if self.at_least { figure } else { format!("{figure} ({})", self.interval()) }
    }
}

/// An estimate that stands alone.
pub fn alone(e: &Estimate, unit: &str) -> Told {
    Digits::of(unit, [e].into_iter()).told(e)
}

/// A change: of a difference or of an effect.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Change {
    digits: Digits,
    /// As shown.
    shown: [f64; 3],
    estimate: Estimate,
}

impl Change {
    /// The change of a difference: the figure printed for one variant less the figure printed for the other.
    pub fn of(c: &Comparison, m: &Metric, d: &Difference) -> Change {
        let mut change = Change::alone(c, m, &d.estimate);
        let shown = |variant: &str| Some(change.digits.round(c.estimate(variant, m)?.value));
        if let (Some(a), Some(b)) = (shown(&d.a), shown(&d.b)) {
            change.shown[0] = b - a;
        }
        change
    }

    /// The change of an effect.
    pub fn effect(c: &Comparison, m: &Metric, e: &Effect) -> Change {
        Change::alone(c, m, &e.estimate)
    }

    fn alone(c: &Comparison, m: &Metric, e: &Estimate) -> Change {
        let digits = Digits::metric(c, m);
        Change { digits, shown: [e.value, e.low, e.high].map(|v| digits.round(v)), estimate: *e }
    }

    /// Whether nothing changed at all.
    pub fn is_none(&self) -> bool {
        self.estimate.value == 0.0
    }

    /// Whether there is more.
    pub fn grows(&self) -> bool {
        self.estimate.value > 0.0
    }

    /// With a sign: `+5.6 (+2.1 to +9.1)`.
    pub fn signed(&self) -> Told {
        self.digits.write(self.shown, &self.estimate, true)
    }

    /// How much more, or how much less: `5.6`.
    pub fn size(&self) -> Told {
        let [value, low, high] = self.shown;
        let shown = if self.grows() { [value, low, high] } else { [-value, -high, -low] };
        self.digits.write(shown, &self.estimate, false)
    }
}

/// A number with fixed decimals, its thousands apart; no minus before a zero.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{:.*}", decimals, value.abs());
    let zero = text.chars().all(|c| c == '0' || c == '.');
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let point = if part.is_empty() { "" } else { "." };
    let sign = if value < 0.0 && !zero { "-" } else { "" };
    format!("{sign}{}{point}{part}", grouped(whole))
}

/// The unit behind a figure, with a blank before.
pub fn unit(unit: &str) -> String {
    match unit {
        "share" => " %".to_owned(),
        "times" | "ratio" => String::new(),
        other => format!(" {other}"),
    }
}

/// The unit behind a change.
pub fn unit_of_change(m: &Metric) -> String {
    match m.unit.as_str() {
        "share" => " percentage points".to_owned(),
        other => unit(other),
    }
}

/// The name of a metric with its unit; `share` stands behind that of a share.
pub fn name(m: &Metric, share: &str) -> String {
    match m.unit.as_str() {
        "times" => format!("{} a game", m.name),
        "share" => m.name.clone() + share,
        unit if unit == "ratio" || unit == m.name => m.name.clone(),
        unit => format!("{} ({unit})", m.name),
    }
}

/// A chance.
pub fn chance(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

/// A share as per cent, with so many decimals.
pub fn percent(share: f64, decimals: usize) -> String {
    fixed(share * 100.0, decimals) + " %"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(value: f64, low: f64, high: f64, unit: &str) -> String {
        alone(&Estimate::new(value, low, high, 9), unit).whole("")
    }

    #[test]
    fn a_figure_and_its_interval_have_the_digits_that_it_is_worth() {
        for (value, low, high, unit, wanted) in [
            (0.009, 0.0031, 0.01, "times", "0.0090 (0.0031 to 0.0100)"),
            (95.87, 93.53, 98.21, "plies", "95.9 (93.5 to 98.2)"),
            (0.4844, 0.462, 0.506, "share", "48.4 (46.2 to 50.6)"),
            (12345.6, 12000.0, 12700.0, "plies", "12,346 (12,000 to 12,700)"),
            (5.0, 0.4, 9.6, "plies", "5 (0 to 10)"),
            (0.5, 0.405, 0.595, "ratio", "0.50 (0.41 to 0.59)"),
            (8.0, 8.0, 8.0, "plies", "8 (in all games)"),
            (8.25, 8.25, 8.25, "moves", "8.25 (in all games)"),
            (-0.001, -0.01, 0.008, "ratio", "-0.001 (-0.010 to 0.008)"),
        ] {
            assert_eq!(told(value, low, high, unit), wanted);
        }
        assert_eq!(alone(&Estimate::new(8.0, 8.0, 8.0, 1), "plies").whole(""), "8 (of one game)");
        let bound = Estimate { at_least: true, ..Estimate::new(15.99, 15.99, 15.99, 9) };
        assert_eq!(alone(&bound, "bits").whole(" bits"), "at least 15.9 bits");
    }
}
