//! Dots with intervals, a row for each thing: pictures of estimates, differences and effects.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::html::set;
use super::svg::{self, Error, Paint, WIDTH, axis, mark, mesh, px};
use crate::compare::model::Estimate;

/// A dot with its interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dot {
    /// Whose.
    pub series: usize,
    /// Where.
    pub at: Estimate,
    /// Whether the mark is filled.
    pub full: bool,
}

/// A row of dots.
#[derive(Clone, Default, Debug)]
pub(super) struct Row {
    /// The thing that it shows.
    pub name: String,
    /// Its dots.
    pub dots: Vec<Dot>,
    /// The text at the right, if any.
    pub told: String,
}

impl Row {
    /// With nothing at the right.
    pub(super) fn of(name: &str, dots: Vec<Dot>) -> Row {
        Row { name: name.to_owned(), dots, told: String::new() }
    }
}

/// A picture of rows of dots.
#[derive(Clone, Default, Debug)]
pub(super) struct Dots {
    pub title: String,
    /// The description for people who do not see the picture.
    pub says: String,
    /// The unit of the numbers.
    pub axis: String,
    pub rows: Vec<Row>,
    /// The factor of the values.
    pub scale: f64,
    /// A value to compare with.
    pub zero: Option<f64>,
}

/// The longest name of a row, in letters; the rest is left out.
const MAX_NAME_LETTERS: usize = 30;

impl Dots {
    fn range(&self) -> Option<(f64, f64)> {
        let dots = self.rows.iter().flat_map(|r| &r.dots);
        let all = dots.flat_map(|d| [d.at.low, d.at.value, d.at.high]).chain(self.zero);
        let (low, high) =
            all.filter(|v| v.is_finite()).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            return None;
        }
        // Where all are the same there is still something to draw.
        let room = if high > low { (high - low) * 0.05 } else { high.abs().max(1.0 / self.scale) * 0.1 };
        Some(((low - room) * self.scale, (high + room) * self.scale))
    }

    /// The picture; nothing where there is nothing to draw.
    pub(super) fn draw(&self) -> String {
        let Some((low, high)) = self.range() else { return String::new() };
        let most = self.rows.iter().map(|r| r.dots.len()).max().unwrap_or(1).max(1);
        let tall = self.rows.iter().any(|r| lines(&r.name).len() > 1);
        let row_height = if most > 1 { 12 * most + 10 } else { 22 }.max(if tall { 34 } else { 0 });
        let inner = u32::try_from(row_height * self.rows.len()).unwrap_or(u32::MAX / 8);
        let letters = |text: &str| text.chars().count();
        let names = self.rows.iter().flat_map(|r| lines(&r.name));
        let longest = names.map(|name| letters(&name)).max().unwrap_or(0);
        let names = u32::try_from(longest * 7 + 10).unwrap_or(0).max(30);
        let longest = self.rows.iter().map(|r| letters(&r.told)).max().unwrap_or(0);
        let told = u32::try_from(longest * 6 + 6).unwrap_or(0).max(10);
        let height = inner + 50;
        svg::draw(&self.title, &self.says, height, |root| {
            let rows = self.rows.len() as f64;
            let mut chart = ChartBuilder::on(root)
                .margin_top(px(4))
                .margin_bottom(px(4))
                .margin_right(px(told))
                .margin_left(px(names))
                .x_label_area_size(px(42))
                .build_cartesian_2d(low..high, 0.0..rows)?;
            let place = |x: f64, y: f64| chart.as_coord_spec().translate(&(x, y));
            for i in (0..self.rows.len()).step_by(2) {
                let top = place(low, rows - i as f64).1;
                let bottom = place(low, rows - i as f64 - 1.0).1;
                let stripe = [(0, top), (px(WIDTH), bottom)];
                root.draw(&Rectangle::new(stripe, Paint::Stripe.filled()))?;
            }
            let ticks = if WIDTH.saturating_sub(names + told) < 240 { 4 } else { 6 };
            mesh(&mut chart.configure_mesh())
                .disable_y_mesh()
                .disable_y_axis()
                .x_labels(ticks)
                .x_label_formatter(&axis(high - low))
                .x_desc(self.axis.as_str())
                .draw()?;
            let place = |x: f64, y: f64| chart.as_coord_spec().translate(&(x, y));
            if let Some(zero) = self.zero {
                let line = vec![place(zero * self.scale, 0.0), place(zero * self.scale, rows)];
                root.draw(&PathElement::new(line, Paint::Zero.line(1)))?;
            }
            for (i, row) in self.rows.iter().enumerate() {
                let middle = rows - i as f64 - 0.5;
                let at = (px(names - 8), place(low, middle).1);
                let lines = lines(&row.name);
                for (k, line) in lines.iter().enumerate() {
                    let down = px(13) * (2 * k as i32 + 1 - lines.len() as i32) / 2;
                    let style = Paint::Text.text(12, HPos::Right, VPos::Center);
                    root.draw(&Text::new(line.as_str(), (at.0, at.1 + down), style))?;
                }
                let at = (px(WIDTH - 4), at.1);
                let told = Text::new(set(&row.told), at, Paint::Soft.text(11, HPos::Right, VPos::Center));
                root.draw(&told)?;
                self.row(root, row, middle, &place)?;
            }
            Ok(())
        })
    }

    fn row(
        &self,
        root: &svg::Root<'_>,
        row: &Row,
        middle: f64,
        place: &dyn Fn(f64, f64) -> (i32, i32),
    ) -> Result<(), Error> {
        let most = row.dots.len();
        for (k, dot) in row.dots.iter().enumerate() {
            let down = (k as f64 - (most as f64 - 1.0) / 2.0) * f64::from(px(12));
            let at = |value: f64| {
                let (x, y) = place(value * self.scale, middle);
                (x, y + down.round() as i32)
            };
            let line = vec![at(dot.at.low), at(dot.at.high)];
            // Never dashed, however the lines of the series are: it would look shorter than it is.
            root.draw(&PathElement::new(line, Paint::Line(dot.series).line(2)))?;
            mark(root, at(dot.at.value), dot.series, dot.full)?;
        }
        Ok(())
    }
}

/// The lines on which a name is written: two options that go together on two, if they are long.
fn lines(name: &str) -> Vec<String> {
    match name.split_once(" & ") {
        Some((a, b)) if name.chars().count() > MAX_NAME_LETTERS - 6 => {
            vec![shortened(&format!("{a} &"), MAX_NAME_LETTERS), shortened(b, MAX_NAME_LETTERS)]
        }
        _ => vec![shortened(name, MAX_NAME_LETTERS)],
    }
}

/// A text that is not longer than so many letters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['\u{2026}']).collect(),
        false => text.to_owned(),
    }
}
