//! A position as an SVG picture.
//!
//! ```text
//! <svg class="board square">
//!   <g class="lines">                       only between dots: who is whose neighbour
//!   <g class="site" data-site="e4">         one for each site: its ground, then what it shows
//!     <title>e4: white man</title>         what it shows in words
//!     <rect/> or <polygon/> or <circle/>    the ground
//!     <g class="piece" data-owner="0">      a piece; or <text class="number">, or the cross of a site that is gone
//!     <text class="note">                   what variables of the state say of the site
//!   <g class="labels">                      names at the edge of squares
//! ```
//!
//! All that it looks like is in attributes, which a style sheet overrides: the picture is whole by itself, and a page
//! may show it in its own colours. Kinds of pieces that have a picture among the games are drawn by it; others are
//! circles with their letter, or with a mark of the player where one kind needs no letter.

use std::fmt::Write;

use super::plan::{Plan, SiteForm};
use super::{Cell, cells, hue, notes};
use crate::board::Board;
use crate::game::Game;
use crate::html::escape;
use crate::ids::{Kind, Site};
use crate::play::Position;
use crate::semantics::picture;
use crate::shipped::Shipped;

/// How far neighbours are apart, in the units of the drawing.
pub const UNIT: f64 = 40.0;

/// The room around the sites.
const EDGE: f64 = UNIT * 0.65;

/// The most letters of a note that a site has room for.
const MAX_NOTE_LETTERS: usize = 7;

/// The most pieces of a stack that are drawn above each other.
const MAX_DRAWN_PIECES: usize = 4;

/// How far the pieces of a stack may be apart, so that all stay on their site.
const STACK_SPREAD: f64 = UNIT * 0.23;

/// Text that is read on light and on dark pieces: its edge is light.
const ON_ANY: &str =
    r##"fill="#7a2e12" stroke="#fdfdfb" stroke-width="2.5" stroke-linejoin="round" paint-order="stroke""##;

/// The colours of a player's pieces: inside, the line around, and the marks on it.
struct Ink {
    fill: &'static str,
    line: &'static str,
    on: &'static str,
}

/// The inks of [`hue`].
const INKS: [Ink; 8] = [
    Ink { fill: "#fdfdfb", line: "#222222", on: "#222222" },
    Ink { fill: "#2b2b2b", line: "#0e0e0e", on: "#f2f2f2" },
    Ink { fill: "#d8402c", line: "#6d140a", on: "#ffffff" },
    Ink { fill: "#2f6bd0", line: "#0f2c63", on: "#ffffff" },
    Ink { fill: "#f2c530", line: "#6b5200", on: "#3a2d00" },
    Ink { fill: "#3f9d52", line: "#123f1c", on: "#ffffff" },
    Ink { fill: "#8b52b8", line: "#3a1954", on: "#ffffff" },
    Ink { fill: "#e8862a", line: "#67360a", on: "#2b1500" },
];
const NOBODY: Ink = Ink { fill: "#9a968c", line: "#3c3a35", on: "#ffffff" };

/// The form of a site around a point.
pub fn form(form: SiteForm, x: f64, y: f64) -> String {
    match form {
        SiteForm::Square => {
            let half = UNIT / 2.0;
            format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{UNIT}\" height=\"{UNIT}\"/>", x - half, y - half)
        }
        SiteForm::Hexagon => {
            // Corners up and down: neighbours at distance 1 share an edge.
            let radius = UNIT / 3f64.sqrt();
            let corners = (0..6).map(|i| {
                let angle = (f64::from(i) * 60.0 + 30.0).to_radians();
                format!("{:.1},{:.1}", x + radius * angle.cos(), y + radius * angle.sin())
            });
            format!("<polygon points=\"{}\"/>", corners.collect::<Vec<_>>().join(" "))
        }
        SiteForm::Dot => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{}\"/>", UNIT * 0.36),
    }
}

/// Where the sites of a plan are drawn, and how wide and high all is.
pub struct Frame {
    left: f32,
    top: f32,
    /// Room at the left side and below, for names.
    names: f64,
    /// Width and height.
    pub size: (f64, f64),
}

impl Frame {
    /// Around all sites; none where there is none.
    pub fn of(plan: &Plan, names: f64) -> Option<Frame> {
        let span = |of: fn(&super::plan::SitePlace) -> f32| {
            let all = plan.sites.iter().map(of).filter(|v| v.is_finite());
            all.fold((f32::MAX, f32::MIN), |(l, h), v| (l.min(v), h.max(v)))
        };
        let ((left, right), (top, bottom)) = (span(|s| s.x), span(|s| s.y));
        if left > right || top > bottom {
            return None;
        }
        let across = |low: f32, high: f32| f64::from(high - low) * UNIT + 2.0 * EDGE + names;
        Some(Frame { left, top, names, size: (across(left, right), across(top, bottom)) })
    }

    /// Lines between neighbours.
    pub fn edges(&self, plan: &Plan) -> impl Iterator<Item = String> {
        plan.edges.iter().filter_map(|(a, b)| {
            let (a, b) = (plan.sites.get(*a)?, plan.sites.get(*b)?);
            let ((x1, y1), (x2, y2)) = (self.at(a.x, a.y), self.at(b.x, b.y));
            Some(format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"))
        })
    }

    /// The middle of a site.
    pub fn at(&self, x: f32, y: f32) -> (f64, f64) {
        (f64::from(x - self.left) * UNIT + EDGE + self.names, f64::from(y - self.top) * UNIT + EDGE)
    }
}

/// The contents of a site in words: a player and a kind, `3`, `gone`; nothing where it is vacant.
pub fn says(game: &Game, cell: &Cell) -> String {
    match cell {
        Cell::Pieces(pieces) => {
            let alike = |alike: &[(u8, u8)]| {
                let (owner, kind) = *alike.first()?;
                let kind = game.rules.kinds.get(usize::from(kind)).map_or("", |k| &k.name);
                let whose = [game.player(usize::from(owner)), kind].join(" ").trim().to_owned();
                Some(if alike.len() > 1 { format!("{} times {whose}", alike.len()) } else { whose })
            };
            let runs: Vec<String> = pieces.chunk_by(PartialEq::eq).rev().filter_map(alike).collect();
            runs.join(" on ")
        }
        Cell::Gone => "gone".to_owned(),
        Cell::Number(number) => number.to_string(),
        Cell::Vacant => String::new(),
    }
}

/// A position; `last` are the sites of the last move.
pub fn board(game: &Game, pos: &Position, last: &[Site]) -> String {
    let board = &game.rules.board;
    let plan = Plan::of(board);
    let named = if plan.form == SiteForm::Square { UNIT * 0.3 } else { 0.0 };
    let Some(frame) = Frame::of(&plan, named) else { return String::new() };
    let cells = cells(game, pos);
    let notes = notes(game, pos);
    let mut out = String::new();
    let (wide, high) = frame.size;
    let class = match plan.form {
        SiteForm::Square => "square",
        SiteForm::Hexagon => "hexagon",
        SiteForm::Dot => "dot",
    };
    let title = escape(&game.definition.title);
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board {class}\" viewBox=\"0 0 {wide:.1} {high:.1}\" \
         font-family=\"system-ui, sans-serif\" text-anchor=\"middle\" aria-label=\"{title}\">"
    );
    if plan.form == SiteForm::Dot {
        out += "<g class=\"lines\" stroke=\"#8d887b\" stroke-width=\"2\">";
        out.extend(frame.edges(&plan));
        out += "</g>\n";
    }
    for (site, place) in board.sites().zip(&plan.sites) {
        let (x, y) = frame.at(place.x, place.y);
        let cell = cells.get(site.index()).unwrap_or(&Cell::Vacant);
        let noted: Vec<&str> = notes.iter().filter(|(s, _)| *s == site).map(|(_, note)| &note[..]).collect();
        out += &site_at(game, plan.form, (site, x, y), cell, last.contains(&site), &noted);
    }
    if plan.form == SiteForm::Square {
        out += &labels(board, &plan, &frame);
    }
    out + "</svg>\n"
}

/// A site: its ground, its contents, and the variables of the state that name it.
fn site_at(
    game: &Game,
    form: SiteForm,
    (site, x, y): (Site, f64, f64),
    cell: &Cell,
    is_last: bool,
    notes: &[&str],
) -> String {
    let mut out = String::new();
    let board = &game.rules.board;
    let name = escape(board.name(site));
    let light = (board.row(site) + board.column(site)) % 2 == 1;
    let (ground, shade) = match (form, cell, is_last) {
        (_, Cell::Gone, _) => ("gone", "#5d5a52"),
        (_, _, true) => ("last", "#e6cf6a"),
        (SiteForm::Square, ..) if light => ("light", "#ece7da"),
        (SiteForm::Square, ..) => ("dark", "#a9b39c"),
        _ => ("light", "#ece7da"),
    };
    let line = match form {
        SiteForm::Square => "none",
        _ => "#8d887b",
    };
    let says = says(game, cell);
    let words: Vec<&str> =
        [&says[..]].iter().chain(notes).copied().filter(|words| !words.is_empty()).collect();
    let words = if words.is_empty() { String::new() } else { format!(": {}", escape(&words.join(", "))) };
    let _ = write!(
        out,
        "<g class=\"site {ground}\" data-site=\"{name}\"><title>{name}{words}</title>\
         <g class=\"ground\" fill=\"{shade}\" stroke=\"{line}\">{}</g>",
        self::form(form, x, y)
    );
    match cell {
        Cell::Pieces(pieces) => stack(game, pieces, (x, y), &mut out),
        Cell::Gone => {
            let (a, b) = (UNIT * 0.2, UNIT * 0.4);
            let _ = write!(
                out,
                "<path class=\"cross\" d=\"M{:.1} {:.1}l{b:.1} {b:.1}m0 -{b:.1}l-{b:.1} {b:.1}\" stroke=\"#8d887b\" \
                 stroke-width=\"2\"/>",
                x - a,
                y - a
            );
        }
        Cell::Number(number) => {
            let style = r##"font-size="16" fill="#222222""##;
            out += &text("number", (x, y + UNIT * 0.14), style, &number.to_string());
        }
        // A dot shows its name: no edge of the board has it.
        Cell::Vacant if form == SiteForm::Dot => {
            out += &text("name", (x, y + UNIT * 0.08), r##"font-size="9" fill="#6a665c""##, &name);
        }
        Cell::Vacant if form == SiteForm::Hexagon => {
            out += &text("name", (x, y + UNIT * 0.08), r##"font-size="8" fill="#a39d8e""##, &name);
        }
        Cell::Vacant => {}
    }
    if let Some(note) = notes.first() {
        let note: String = note.chars().take(MAX_NOTE_LETTERS).collect();
        let style = format!("font-size=\"7.5\" {ON_ANY}");
        out += &text("note", (x, y + UNIT * 0.46), &style, &escape(&note));
    }
    out + "</g>\n"
}

/// A text that is escaped already.
fn text(class: &str, (x, y): (f64, f64), style: &str, text: &str) -> String {
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" {style}>{text}</text>")
}

/// The pieces on a site, above each other; of a tall stack the upper ones.
fn stack(game: &Game, pieces: &[(u8, u8)], (x, y): (f64, f64), out: &mut String) {
    let Some((top, _)) = pieces.last() else { return };
    let whose = |owner: u8| Some(usize::from(owner)).filter(|owner| *owner < game.rules.players.len());
    let ink = |owner: u8| {
        let Ink { fill, line, on } = whose(owner).map_or(&NOBODY, |owner| &INKS[hue(game, owner)]);
        format!("fill=\"{fill}\" stroke=\"{line}\" color=\"{on}\"")
    };
    let number = whose(*top).map_or(String::new(), |owner| owner.to_string());
    let _ = write!(
        out,
        "<g class=\"piece\" data-owner=\"{number}\" {} stroke-width=\"1.5\" \
         stroke-linejoin=\"round\" stroke-linecap=\"round\">",
        ink(*top)
    );
    let height = pieces.len();
    let shown = height.min(MAX_DRAWN_PIECES);
    // Equal pieces lie beside each other and a little above. Any pieces stand upright: the edges of lower ones are
    // seen.
    let step = STACK_SPREAD / (shown.max(2) - 1) as f64;
    let (aside, above) =
        if game.rules.stack().is_some() { (0.0, -step.min(3.5)) } else { (-step.min(8.0), step.min(3.0)) };
    for (up, (owner, kind)) in pieces.iter().skip(height - shown).enumerate() {
        let off = up as f64 - (shown - 1) as f64 / 2.0;
        let (before, after) =
            if owner == top { (String::new(), "") } else { (format!("<g {}>", ink(*owner)), "</g>") };
        *out += &before;
        figure(game, whose(*owner), Kind(*kind), (x + aside * off, y + above * off), out);
        *out += after;
    }
    if height > 1 {
        let at = (x + UNIT * 0.33, y - UNIT * 0.26);
        *out += &text("height", at, &format!("font-size=\"10\" {ON_ANY}"), &height.to_string());
    }
    *out += "</g>";
}

/// One piece.
fn figure(game: &Game, owner: Option<usize>, kind: Kind, (x, y): (f64, f64), out: &mut String) {
    let Some(info) = game.rules.kinds.get(kind.index()) else { return };
    if let Some(drawn) = Shipped::picture(&info.name) {
        let (left, top) = (x - UNIT / 2.0, y - UNIT / 2.0);
        let _ = write!(out, "<g transform=\"translate({left:.1} {top:.1})\">{drawn}</g>");
        return;
    }
    let circle = |radius: f64| format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>");
    *out += &circle(UNIT * 0.36);
    let only = game.rules.kinds.len() == 1;
    if !only {
        let letter = picture::token(&game.rules.kinds, game.rules.players.len(), None, &[(None, kind)]);
        let letter = escape(letter.trim_start_matches('*'));
        let style = r#"font-size="16" font-weight="600" fill="currentColor" stroke="none""#;
        *out += &text("letter", (x, y + UNIT * 0.14), style, &letter);
    }
    // Not by colour alone: each player but the first has a mark.
    let mark = match owner {
        Some(1) => circle(UNIT * if only { 0.18 } else { 0.3 }),
        Some(2) => format!("<path d=\"M{:.1} {:.1}h12\"/>", x - 6.0, y + 9.0),
        Some(3) => format!("<path d=\"M{:.1} {:.1}h12m-12 3h12\"/>", x - 6.0, y + 8.0),
        Some(4) => format!("<path d=\"M{:.1} {:.1}l6 -5l6 5\"/>", x - 6.0, y - 6.0),
        Some(5) => format!("<path d=\"M{:.1} {:.1}h12\"/>", x - 6.0, y - 9.0),
        _ => return,
    };
    let _ = write!(out, "<g class=\"mark\" fill=\"none\" stroke=\"currentColor\">{mark}</g>");
}

/// The names of columns and rows.
fn labels(board: &Board, plan: &Plan, frame: &Frame) -> String {
    let mut out = "<g class=\"labels\" font-size=\"10\" fill=\"#6a665c\">".to_owned();
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    for (site, place) in board.sites().zip(&plan.sites) {
        let name = board.name(site);
        let (x, y) = frame.at(place.x, place.y);
        let at = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
        let (column, row) = name.split_at(at);
        if !columns.contains(&place.x.to_bits()) {
            columns.push(place.x.to_bits());
            let low = frame.size.1 - UNIT * 0.12;
            let _ = write!(out, "<text x=\"{x:.1}\" y=\"{low:.1}\">{}</text>", escape(column));
        }
        if !rows.contains(&place.y.to_bits()) {
            rows.push(place.y.to_bits());
            let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", UNIT * 0.2, y + 3.5, escape(row));
        }
    }
    out + "</g>\n"
}
