//! A position drawn with characters.

use super::text;
use crate::drawing::plan::SiteForm;
use crate::drawing::{self, Cell, has_numbers, token};
use crate::game::Game;
use crate::ids::Site;
use crate::play::Position;

/// The widest a list of words is drawn.
pub(super) const WIDTH: usize = 78;

/// The board with its pieces: a grid for squares, staggered rows for hexagons, a list for a graph. On a
/// board whose sites have numbers the vacant ones show theirs, and sites that are [gone] show dashes.
pub(super) fn board(game: &Game, pos: &Position) -> String {
    let board = &game.rules.board;
    let cells = drawing::cells(game, pos);
    let dashes = if has_numbers(game) { "--" } else { "-" };
    let cell = |cell: &Cell| match cell {
        Cell::Pieces(pieces) => token(game, pieces),
        Cell::Gone => dashes.to_owned(),
        Cell::Number(number) => number.to_string(),
        Cell::Vacant => ".".to_owned(),
    };
    let cells: Vec<String> = cells.iter().map(|c| text::plain(&cell(c))).collect();
    let cell = |site: Site| cells.get(site.index()).map_or("", String::as_str);
    let wide = board.sites().map(|s| cell(s).chars().count()).max().unwrap_or(1);
    match SiteForm::of(board) {
        SiteForm::Square => squares(game, wide, cell),
        SiteForm::Hexagon => hexagons(game, wide, cell),
        SiteForm::Dot => list(game, cell),
    }
}

fn squares<'a>(game: &Game, wide: usize, cell: impl Fn(Site) -> &'a str) -> String {
    let board = &game.rules.board;
    let rows = board.picture_rows();
    // The name of a column is its letters, that of a row its number.
    let head = |c: usize| board.name(Site(c as u16)).trim_end_matches(|c: char| c.is_ascii_digit());
    let heads: Vec<&str> = (0..rows.first().map_or(0, Vec::len)).map(head).collect();
    let wide = heads.iter().map(|head| head.len()).max().unwrap_or(1).max(wide);
    let edge = rows.len().to_string().len();
    let head: Vec<String> = heads.iter().map(|h| format!("{h:>wide$}")).collect();
    let head = format!("{:edge$}  {}\n", "", head.join(" "));
    let mut out = head.clone();
    for (i, row) in rows.iter().enumerate() {
        let number = rows.len() - i;
        let cells: Vec<String> =
            row.iter().map(|site| format!("{:>wide$}", site.map_or(" ", &cell))).collect();
        out += &format!("{number:>edge$}  {}  {number}\n", cells.join(" "));
    }
    out + &head
}

fn hexagons<'a>(game: &Game, wide: usize, cell: impl Fn(Site) -> &'a str) -> String {
    let board = &game.rules.board;
    // Rows are shifted by half a cell against each other: a cell has an even width.
    let half = (wide + 2) / 2;
    let column = |site: Site| (board.place(site).0 * 2.0).round() as usize * half;
    let edge = board.sites().map(|s| board.name(s).len()).max().unwrap_or(1);
    let mut out = String::new();
    for row in board.picture_rows() {
        let sites: Vec<Site> = row.into_iter().flatten().collect();
        let (Some(first), Some(last)) = (sites.first(), sites.last()) else { continue };
        let start = edge + 2;
        let name = board.name(*first);
        let mut line = format!("{:>width$}  ", name, width = (start + column(*first)).saturating_sub(2));
        for site in &sites {
            let gap = (start + column(*site)).saturating_sub(line.chars().count());
            line += &format!("{:gap$}{}", "", cell(*site));
        }
        out += &format!("{line}  {}\n", board.name(*last));
    }
    out
}

fn list<'a>(game: &Game, cell: impl Fn(Site) -> &'a str) -> String {
    let board = &game.rules.board;
    let words: Vec<String> =
        board.sites().map(|site| format!("{}:{}", text::plain(board.name(site)), cell(site))).collect();
    let wide = words.iter().map(|w| w.chars().count()).max().unwrap_or(1);
    let words: Vec<String> = words.into_iter().map(|w| format!("{w:wide$} ")).collect();
    text::wrapped(&words, "  ", WIDTH) + "\n"
}

/// The meaning of the letters; none where there are no pieces.
pub(super) fn legend(game: &Game) -> Option<String> {
    drawing::legend(game).map(|legend| text::plain(&legend))
}

/// The state in lines that are as wide as a list of words; none where it is as at the start.
pub(super) fn wrapped_state(game: &Game, pos: &Position) -> Option<String> {
    let words: Vec<String> = state(game, pos).into_iter().map(|line| format!("{line} ")).collect();
    (!words.is_empty()).then(|| text::wrapped(words, "", WIDTH))
}

/// The state that the board does not show and that differs from the start, a line each.
pub(super) fn state(game: &Game, pos: &Position) -> Vec<String> {
    drawing::state(game, pos).iter().map(|variable| text::plain(&variable.text)).collect()
}
