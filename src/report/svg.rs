//! Pictures that `plotters` draws, with the colours taken out and classes put in, so that the style of the page
//! says how they look in light, in dark and on paper.
//!
//! plotters draws in whole pixels; a picture is drawn [`FINE`] times as large and shown smaller. Each [`Paint`]
//! is drawn in a colour of its own, which [`classed`] then finds and replaces. Texts stay texts.

use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::html::{Html, escape, set};
use crate::compare::numbers::fixed;
use crate::html::is_allowed;

/// How much finer than shown a picture is drawn.
pub(super) const FINE: u32 = 4;

/// The width of a picture as it is shown, in pixels.
pub(super) const WIDTH: u32 = 460;

/// How many variants have a colour and a mark of their own.
pub(super) const SERIES: usize = 6;

pub(super) type Root<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Error = Box<dyn std::error::Error>;
/// The class of a painted thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Paint {
    /// Lines behind the data.
    Grid,
    /// The axis itself.
    Axis,
    /// Text.
    Text,
    /// Text that stands back.
    Soft,
    /// A line to compare with, such as no difference.
    Zero,
    /// A line of a series.
    Line(usize),
    /// A thin line of a series that stands back.
    Thin(usize),
    /// A mark of a series.
    Fill(usize),
    /// A mark of a series that is not filled.
    Open(usize),
    /// An area of a series.
    Band(usize),
    /// A stripe behind a row.
    Stripe,
}

impl Paint {
    fn code(self) -> (u8, usize) {
        match self {
            Paint::Grid => (0, 0),
            Paint::Axis => (1, 0),
            Paint::Text => (2, 0),
            Paint::Soft => (3, 0),
            Paint::Zero => (4, 0),
            Paint::Line(i) => (5, i),
            Paint::Thin(i) => (6, i),
            Paint::Fill(i) => (7, i),
            Paint::Open(i) => (8, i),
            Paint::Band(i) => (9, i),
            Paint::Stripe => (10, 0),
        }
    }

    /// The class for the first byte of a code.
    fn class(kind: u8) -> Option<&'static str> {
        let all = ["grid", "axis", "ink", "soft", "zero", "line", "thin", "fill", "open", "band", "stripe"];
        all.get(usize::from(kind)).copied()
    }

    fn color(self) -> RGBColor {
        let (kind, series) = self.code();
        RGBColor(1, kind, u8::try_from(series % SERIES).unwrap_or(0))
    }

    /// The style of a line.
    pub(super) fn line(self, width: u32) -> ShapeStyle {
        self.color().stroke_width(width * FINE)
    }

    /// The style of an area.
    pub(super) fn filled(self) -> ShapeStyle {
        self.color().filled()
    }

    /// The style of a text of a size in pixels, with the anchor at its place.
    pub(super) fn text(self, size: u32, across: HPos, along: VPos) -> TextStyle<'static> {
        // plotters writes the size of the font divided by 1.24.
        let size = f64::from(size * FINE) * 1.24;
        ("sans-serif", size).into_font().color(&self.color()).pos(Pos::new(across, along))
    }
}

/// How the numbers of an axis are written: with the decimals that its span needs.
pub(super) fn axis(span: f64) -> impl Fn(&f64) -> String {
    let step = span / 5.0;
    let decimals = if step > 0.0 { (1.0 - step.log10().floor()).clamp(0.0, 5.0) as usize } else { 0 };
    move |value| {
        let text = set(&fixed(*value, decimals));
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    }
}

/// How the axes of all pictures look.
pub(super) fn mesh<'m, 'a, 'b, 's>(
    mesh: &'m mut MeshStyle<'a, 'b, RangedCoordf64, RangedCoordf64, SVGBackend<'s>>,
) -> &'m mut MeshStyle<'a, 'b, RangedCoordf64, RangedCoordf64, SVGBackend<'s>> {
    mesh.max_light_lines(0)
        .bold_line_style(Paint::Grid.line(1))
        .axis_style(Paint::Axis.line(1))
        .set_all_tick_mark_size(px(3))
        .label_style(Paint::Soft.text(11, HPos::Center, VPos::Top))
        .axis_desc_style(Paint::Soft.text(11, HPos::Center, VPos::Top))
}

/// A length in pixels as it is drawn.
pub(super) fn px(pixels: u32) -> i32 {
    i32::try_from(pixels * FINE).unwrap_or(i32::MAX)
}

/// A picture of a height in pixels.
pub(super) fn draw(
    title: &str,
    says: &str,
    height: u32,
    paint: impl FnOnce(&Root<'_>) -> Result<(), Error>,
) -> String {
    let size = (WIDTH * FINE, height * FINE);
    match painted(size, paint) {
        Ok(inner) => frame("plot", title, says, (f64::from(size.0), f64::from(size.1)), &inner),
        Err(error) => format!("<p>This picture cannot be drawn: {}</p>", escape(&error.to_string())),
    }
}

/// The inside of a picture of a size in drawn pixels.
fn painted(size: (u32, u32), paint: impl FnOnce(&Root<'_>) -> Result<(), Error>) -> Result<String, Error> {
    let mut drawn = String::new();
    let root = SVGBackend::with_string(&mut drawn, size).into_drawing_area();
    paint(&root)?;
    root.present()?;
    drop(root);
    Ok(classed(&drawn))
}

/// An element `svg` with its title and description.
pub(super) fn frame(class: &str, title: &str, says: &str, size: (f64, f64), inner: &str) -> String {
    format!(
        "<svg class=\"{class}\" role=\"img\" viewBox=\"0 0 {} {}\">\n<title>{}</title>\n<desc>{}</desc>\n{inner}</svg>",
        size.0,
        size.1,
        escape(title),
        Html::text(says)
    )
}

/// The inside of a picture, with classes for the colours of [`Paint`] and without default attributes.
fn classed(drawn: &str) -> String {
    let mut out = String::with_capacity(drawn.len());
    let inner = drawn.split_once(">\n").map_or("", |(_, rest)| rest);
    let mut rest = inner.trim_end().strip_suffix("</svg>").unwrap_or(inner);
    // In texts a quotation mark is escaped: this is always an attribute.
    while let Some(at) = rest.find("=\"#01") {
        let (before, after) = rest.split_at(at);
        let hex = |from: usize| after.get(from..from + 2).and_then(|h| u8::from_str_radix(h, 16).ok());
        let attribute = before.rsplit(' ').next().unwrap_or_default();
        out += before.strip_suffix(attribute).unwrap_or(before);
        let class = hex(5).and_then(Paint::class).unwrap_or("ink");
        out += &format!("class=\"{class} s{}\"", hex(7).unwrap_or(0));
        rest = after.get(10..).unwrap_or_default();
    }
    out += rest;
    // plotters escapes texts, but lets through characters that no XML may have.
    out.retain(|c| c == '\n' || is_allowed(c));
    let out = out.replace(" opacity=\"1\"", "").replace(" font-family=\"sans-serif\"", "");
    out.replace(" stroke=\"none\"", "").replace(" fill=\"none\"", "")
}

/// A mark of a series: each has a form of its own, so that no colour must be seen. `at` in drawn pixels.
pub(super) fn mark(root: &Root<'_>, at: (i32, i32), series: usize, full: bool) -> Result<(), Error> {
    let style = if full { Paint::Fill(series).filled() } else { Paint::Open(series).filled() };
    let (x, y) = at;
    let (r, wide) = (px(4), px(5));
    let corners: Vec<(i32, i32)> = match series % SERIES {
        0 => return Ok(root.draw(&Circle::new(at, r, style))?),
        1 => vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)],
        2 => vec![(x, y - wide), (x + wide, y), (x, y + wide), (x - wide, y)],
        3 => vec![(x, y - wide), (x + wide, y + r), (x - wide, y + r)],
        4 => vec![(x, y + wide), (x + wide, y - r), (x - wide, y - r)],
        _ => vec![(x - wide, y - r / 2), (x + wide, y - r / 2), (x + wide, y + r / 2), (x - wide, y + r / 2)],
    };
    Ok(root.draw(&Polygon::new(corners, style))?)
}

/// The key of the series: their marks and names.
pub(super) fn key(names: &[String]) -> String {
    if names.len() < 2 {
        return String::new();
    }
    let items = names.iter().enumerate().map(|(i, name)| {
        let size = (WIDTH_OF_KEY * FINE, HEIGHT_OF_KEY * FINE);
        let middle = px(HEIGHT_OF_KEY) / 2;
        let line = PathElement::new(vec![(0, middle), (px(WIDTH_OF_KEY), middle)], Paint::Line(i).line(2));
        let sample = painted(size, |root| {
            root.draw(&line)?;
            mark(root, (px(WIDTH_OF_KEY) / 2, middle), i, true)
        });
        format!(
            "<li><svg class=\"sample\" aria-hidden=\"true\" viewBox=\"0 0 {} {}\">{}</svg> {}</li>\n",
            size.0,
            size.1,
            // Writing to a text cannot fail.
            sample.unwrap_or_default(),
            escape(name)
        )
    });
    format!("<ul class=\"key\">\n{}</ul>\n", items.collect::<String>())
}

const WIDTH_OF_KEY: u32 = 26;
const HEIGHT_OF_KEY: u32 = 12;
