//! Curves over plies, scores or lengths: distributions as steps, averages as lines with bands.

use plotters::prelude::*;

use super::svg::{self, Paint, axis, mesh, px};
use crate::compare::model::{Histogram, PlyBand};

/// The height of a picture in pixels.
const HEIGHT: u32 = 260;

/// One curve.
#[derive(Clone, Default, Debug)]
pub(super) struct Curve {
    pub series: usize,
    pub line: Vec<(f64, f64)>,
    /// The same, not smoothed; drawn thin.
    pub raw: Vec<(f64, f64)>,
    /// An area around or below it: its corners in order.
    pub area: Vec<(f64, f64)>,
    /// Values on the axis below that are marked, such as the median.
    pub marked: Option<f64>,
}

/// A picture of curves.
#[derive(Clone, Default, Debug)]
pub(super) struct Curves {
    pub title: String,
    /// The description for people who do not see the picture.
    pub says: String,
    pub across: String,
    pub along: String,
    pub curves: Vec<Curve>,
    /// A height to compare with.
    pub level: Option<f64>,
}

impl Curves {
    /// The picture; nothing where there is nothing to draw.
    pub(super) fn draw(&self) -> String {
        let points = self.curves.iter().flat_map(|c| c.line.iter().chain(&c.area).chain(&c.raw));
        let points: Vec<(f64, f64)> = points.copied().collect();
        let span = |of: fn(&(f64, f64)) -> f64| {
            points.iter().map(of).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)))
        };
        let (left, right) = span(|p| p.0);
        let (_, high) = span(|p| p.1);
        let high = high.max(self.level.unwrap_or(high));
        if points.is_empty() || left >= right || high <= 0.0 {
            return String::new();
        }
        let high = high * 1.06;
        svg::draw(&self.title, &self.says, HEIGHT, |root| {
            let mut chart = ChartBuilder::on(root)
                .margin_top(px(8))
                .margin_right(px(14))
                .x_label_area_size(px(42))
                .y_label_area_size(px(58))
                .build_cartesian_2d(left..right, 0.0..high)?;
            mesh(&mut chart.configure_mesh())
                .disable_x_mesh()
                .x_labels(7)
                .y_labels(6)
                .x_label_formatter(&axis(right - left))
                .y_label_formatter(&axis(high))
                .x_desc(self.across.as_str())
                .y_desc(self.along.as_str())
                .draw()?;
            let area = |c: &Curve| Polygon::new(c.area.clone(), Paint::Band(c.series).filled());
            chart.draw_series(self.curves.iter().map(area))?;
            if let Some(level) = self.level {
                let line = PathElement::new(vec![(left, level), (right, level)], Paint::Zero.line(1));
                chart.draw_series([line])?;
            }
            let raw = |c: &Curve| PathElement::new(c.raw.clone(), Paint::Thin(c.series).line(1));
            chart.draw_series(self.curves.iter().map(raw))?;
            let line = |c: &Curve| PathElement::new(c.line.clone(), Paint::Line(c.series).line(2));
            chart.draw_series(self.curves.iter().map(line))?;
            for curve in &self.curves {
                let Some(at) = curve.marked else { continue };
                let place = chart.as_coord_spec().translate(&(at, 0.0));
                svg::mark(root, place, curve.series, true)?;
            }
            Ok(())
        })
    }
}

/// The last value that is drawn, so that a few stragglers do not press the rest together: beyond it lies at
/// most one in two hundred of each distribution.
pub(super) fn end(all: &[&Histogram]) -> Option<i64> {
    let ends = all.iter().filter_map(|h| {
        let games: u64 = h.bins.iter().map(|b| b.count).sum();
        let mut left = games / 200;
        let full = h.bins.iter().rev().find(|b| {
            let beyond = b.count > left;
            left = left.saturating_sub(b.count);
            beyond
        });
        full.map(|b| b.to)
    });
    ends.max()
}

/// A distribution as steps: the share of games in each range.
pub(super) fn steps(series: usize, h: &Histogram, end: i64) -> Curve {
    let games: u64 = h.bins.iter().map(|b| b.count).sum();
    let mut line = Vec::new();
    for bin in h.bins.iter().filter(|b| b.from <= end) {
        let share = bin.count as f64 * 100.0 / games.max(1) as f64;
        // A range of whole numbers is drawn from half below to half above.
        line.extend([(bin.from as f64 - 0.5, share), (bin.to as f64 + 0.5, share)]);
    }
    let mut area = line.clone();
    if let (Some(first), Some(last)) = (line.first(), line.last()) {
        area.extend([(last.0, 0.0), (first.0, 0.0)]);
    }
    let marked = h.quantiles.map(|q| q.median as f64).filter(|m| *m <= end as f64);
    Curve { series, line, area, marked, raw: Vec::new() }
}

impl Curve {
    /// A line averaged over `round` plies, with each ply by itself behind it.
    pub(super) fn averaged(series: usize, line: Vec<(f64, f64)>, round: usize) -> Curve {
        let smoothed = smooth(&line, round);
        let raw = if round > 1 { line } else { Vec::new() };
        Curve { series, line: smoothed, raw, ..Curve::default() }
    }
}

/// Legal moves by ply: the mean and the middle four fifths, averaged over `round` plies.
pub(super) fn bands(series: usize, all: &[PlyBand], round: usize) -> Curve {
    let of = |what: fn(&PlyBand) -> f64| -> Vec<(f64, f64)> {
        all.iter().map(|b| (f64::from(b.ply) + 1.0, what(b))).collect()
    };
    let raw = of(|b| b.mean);
    let mut area = smooth(&of(|b| b.p90), round);
    area.extend(smooth(&of(|b| b.p10), round).into_iter().rev());
    Curve { area, ..Curve::averaged(series, raw, round) }
}

/// A running mean over so many neighbours, twice: this removes patterns that repeat with every round, even if the
/// rounds of the games are not all as long.
fn smooth(line: &[(f64, f64)], over: usize) -> Vec<(f64, f64)> {
    if over > 1 { mean(&mean(line, over), over + 1) } else { line.to_vec() }
}

/// A running mean; at the ends over the neighbours that there are.
fn mean(line: &[(f64, f64)], over: usize) -> Vec<(f64, f64)> {
    let (back, ahead) = (over.saturating_sub(1) / 2, over / 2);
    let mean = |(i, p): (usize, &(f64, f64))| {
        let near = line.get(i.saturating_sub(back)..(i + ahead + 1).min(line.len())).unwrap_or_default();
        (p.0, near.iter().map(|p| p.1).sum::<f64>() / near.len().max(1) as f64)
    };
    line.iter().enumerate().map(mean).collect()
}

/// Whether a line jumps up and down so much that it hides where it goes.
pub(super) fn is_jagged(line: &[(f64, f64)]) -> bool {
    let way: f64 = line.windows(2).map(|w| (w[1].1 - w[0].1).abs()).sum();
    let (low, high) = line.iter().fold((f64::MAX, f64::MIN), |(l, h), p| (l.min(p.1), h.max(p.1)));
    way > 4.0 * (high - low)
}
