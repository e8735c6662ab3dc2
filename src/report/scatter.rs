//! Two figures of each of many things: points. Some points stand out.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::svg::{self, Paint, axis, mark, mesh, px};

/// The height of a picture in pixels.
const HEIGHT: u32 = 300;

/// A point.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub at: (f64, f64),
    /// The text beside it; points without one stand back.
    pub label: Option<String>,
}

/// A picture of points.
#[derive(Clone, Default, Debug)]
pub(super) struct Scatter {
    pub title: String,
    /// The description for people who do not see the picture.
    pub says: String,
    pub across: String,
    pub along: String,
    pub points: Vec<Point>,
    /// The goal of each figure.
    pub wanted: (f64, f64),
}

/// The ends of an axis, with some room.
fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) =
        values.filter(|v| v.is_finite()).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
    let room = if high > low { (high - low) * 0.08 } else { high.abs().max(1.0) * 0.1 };
    (low <= high).then_some((low - room, high + room))
}

impl Scatter {
    /// The picture; nothing where there is nothing to draw.
    pub(super) fn draw(&self) -> String {
        let points = || self.points.iter().map(|point| point.at);
        let across = ends(points().map(|at| at.0).chain([self.wanted.0]));
        let along = ends(points().map(|at| at.1).chain([self.wanted.1]));
        let (false, Some((left, right)), Some((low, high))) = (self.points.is_empty(), across, along) else {
            return String::new();
        };
        svg::draw(&self.title, &self.says, HEIGHT, |root| {
            let mut chart = ChartBuilder::on(root)
                .margin_top(px(8))
                .margin_right(px(14))
                .x_label_area_size(px(42))
                .y_label_area_size(px(58))
                .build_cartesian_2d(left..right, low..high)?;
            mesh(&mut chart.configure_mesh())
                .x_labels(6)
                .y_labels(6)
                .x_label_formatter(&axis(right - left))
                .y_label_formatter(&axis(high - low))
                .x_desc(self.across.as_str())
                .y_desc(self.along.as_str())
                .draw()?;
            let place = |x: f64, y: f64| chart.as_coord_spec().translate(&(x, y));
            let (x, y) = self.wanted;
            for line in [vec![place(x, low), place(x, high)], vec![place(left, y), place(right, y)]] {
                root.draw(&PathElement::new(line, Paint::Zero.line(1)))?;
            }
            // Those that stand out are drawn over the others.
            for point in self.points.iter().filter(|p| p.label.is_none()) {
                mark(root, place(point.at.0, point.at.1), 5, false)?;
            }
            for point in &self.points {
                let Some(label) = &point.label else { continue };
                let (x, y) = place(point.at.0, point.at.1);
                mark(root, (x, y), 0, true)?;
                let style = Paint::Text.text(12, HPos::Left, VPos::Bottom);
                root.draw(&Text::new(label.as_str(), (x + px(5), y - px(3)), style))?;
            }
            Ok(())
        })
    }
}
