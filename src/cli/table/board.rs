//! The board on a terminal.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::model::Table;
use super::places::Places;
use crate::cli::text;
use crate::drawing::plan::SiteForm;
use crate::drawing::{self, Cell};
use crate::game::Game;
use crate::ids::Site;
use crate::siteset::SiteSet;

/// The abilities of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Looks {
    /// Characters beyond ASCII.
    pub figures: bool,
    pub colours: bool,
}

/// Figures of letters that have one, hollow and filled.
const FIGURES: [(&str, &str, &str); 6] = [
    ("k", "\u{2654}", "\u{265a}"),
    ("q", "\u{2655}", "\u{265b}"),
    ("r", "\u{2656}", "\u{265c}"),
    ("b", "\u{2657}", "\u{265d}"),
    ("n", "\u{2658}", "\u{265e}"),
    ("p", "\u{2659}", "\u{265f}"),
];

/// Circles of two players, where there is one kind of piece.
const CIRCLES: [&str; 2] = ["\u{25cf}", "\u{25cb}"];

impl Looks {
    /// An empty site.
    fn vacant(self) -> String {
        if self.figures { "\u{b7}" } else { "." }.to_owned()
    }

    /// How a piece is shown. Figures stand where every letter of the game has one, circles where there is one kind.
    pub(super) fn token(self, game: &Game, pieces: &[(u8, u8)]) -> String {
        let plain = text::plain(&drawing::token(game, pieces));
        let (kinds, players) = (&game.rules.kinds, game.rules.players.len());
        let Some((owner, kind)) = pieces.last().map(|top| (usize::from(top.0), usize::from(top.1))) else {
            return plain;
        };
        let height = pieces.len();
        if !self.figures || players > 2 || game.rules.stack().is_some() {
            return plain;
        }
        let figure = |letter: &str| FIGURES.iter().find(|(l, ..)| *l == letter.to_lowercase());
        let all = kinds.iter().all(|k| figure(&k.letter).is_some());
        match kinds.get(kind).and_then(|k| figure(&k.letter)).filter(|_| all) {
            Some((_, hollow, _)) if owner == 0 => hollow.repeat(height),
            Some((.., filled)) if owner == 1 => filled.repeat(height),
            // Where all pieces are nobody's there is nothing to tell apart.
            Some((.., filled)) if game.program.layout.pieces.owner_base.is_none() => filled.repeat(height),
            _ if kinds.len() == 1 && owner < 2 => circle(game, owner).repeat(height),
            _ => plain,
        }
    }
}

/// The circle of a player: a player who is called white has the hollow one.
fn circle(game: &Game, owner: usize) -> String {
    let turned = game.rules.players.first().is_some_and(|name| name == "white");
    CIRCLES[(owner + usize::from(turned)) % 2].to_owned()
}

/// The colour of a player's pieces.
pub(super) fn colour(game: &Game, owner: usize) -> Color {
    Color::Indexed([231, 16, 203, 75, 227, 114, 213, 215][drawing::hue(game, owner)])
}

/// The board drawn into an area: the places of the sites on the screen.
pub(super) fn draw(table: &mut Table, looks: Looks, area: Rect, buffer: &mut Buffer) -> Vec<(Rect, Site)> {
    let (targets, chosen, last) = (table.targets(), table.chosen(), table.last());
    let cursor = table.cursor;
    let threatened = if table.threats { table.playing.session.threatened() } else { SiteSet::default() };
    let (game, _, pos) = table.playing.session.parts();
    let board = game.rules.board.clone();
    let cells = drawing::cells(game, pos);
    let mut notes: BTreeMap<Site, String> = BTreeMap::new();
    for (site, note) in drawing::notes(game, pos) {
        notes.entry(site).or_default().push_str(&text::plain(&note));
    }
    let shown: Vec<(String, Option<usize>)> = cells.iter().map(|cell| shown(game, looks, cell)).collect();
    let widest = board.sites().map(|s| shown[s.index()].0.chars().count()).max().unwrap_or(1).max(1);
    let places = Places::fit(&board, widest as u16, (area.width, area.height));
    // A board that is larger than its room follows the cursor.
    let at = |site: Site| places.at.get(site.index()).copied().flatten().unwrap_or_default();
    let follow = |at: u16, all: u16, room: u16| match all > room {
        true => at.saturating_sub(room / 2).min(all - room),
        false => 0,
    };
    let origin =
        (follow(at(cursor).0, places.size.0, area.width), follow(at(cursor).1, places.size.1, area.height));
    let mut put = |x: u16, y: u16, text: &str, style: Style| {
        let (Some(x), Some(y)) = (x.checked_sub(origin.0), y.checked_sub(origin.1)) else { return };
        if x < area.width && y < area.height {
            buffer.set_stringn(area.x + x, area.y + y, text, usize::from(area.width - x), style);
        }
    };
    for (x, y, label) in &places.labels {
        put(*x, *y, &text::plain(label), Style::new().add_modifier(Modifier::DIM));
    }
    let mut found = Vec::new();
    let (w, h) = places.cell;
    // Where a choice begins colour tells what can be chosen; without colour signs do, unless nearly all can be.
    let few = 2 * targets.len() < board.len();
    let signs = !chosen.is_empty() || places.form == SiteForm::Dot || !looks.colours && few;
    for site in board.sites() {
        let (x, y) = at(site);
        let (token, owner) = &shown[site.index()];
        let vacant = cells[site.index()] == Cell::Vacant;
        let mut style = ground(game, looks, places.form, site, &cells[site.index()]);
        if looks.colours && last.contains(&site) {
            style = style.bg(Color::Indexed(65));
        }
        if looks.colours && targets.contains(&site) {
            style = style.bg(Color::Indexed(if chosen.is_empty() { 24 } else { 94 }));
        }
        if looks.colours && chosen.contains(&site) {
            style = style.bg(Color::Indexed(130));
        }
        let mut inner = style;
        if let Some(owner) = owner {
            inner = inner.add_modifier(Modifier::BOLD);
            if looks.colours {
                let ink = colour(game, *owner);
                // Black ink needs a ground.
                let dark = ink == Color::Indexed(16) && inner.bg.is_none();
                inner = inner.fg(if dark { Color::Indexed(245) } else { ink });
            }
        }
        if last.contains(&site) {
            inner = inner.add_modifier(Modifier::UNDERLINED);
        }
        let mut marks = match (site == cursor, chosen.contains(&site), targets.contains(&site)) {
            (true, ..) => ('[', ']'),
            (_, true, _) => ('<', '>'),
            (.., true) if signs => ('(', ')'),
            _ => (' ', ' '),
        };
        if threatened.contains(site.index()) {
            marks.1 = '!';
        }
        let mut token = token.clone();
        let name = text::plain(board.name(site));
        let needs = name.chars().count() as u16;
        if places.form == SiteForm::Dot {
            token = if vacant { name } else { format!("{name}:{token}") };
        } else if vacant && places.form == SiteForm::Hexagon && needs < w {
            // Colour alone tells what can be chosen, where there is no room for signs beside the name.
            if looks.colours && marks.0 == '(' && needs + 2 > w {
                marks = (' ', ' ');
            }
            token = if marks == (' ', ' ') || needs + 2 <= w { name } else { looks.vacant() };
            if inner.bg.is_some() {
                inner = inner.fg(Color::Indexed(254));
            }
        } else if vacant && (!looks.colours || places.form != SiteForm::Square) {
            token = looks.vacant();
        }
        let mut marked = style.add_modifier(Modifier::BOLD);
        if looks.colours && marks.1 != ' ' {
            marked = marked.fg(Color::Indexed(226));
        }
        if token.is_empty() {
            token.push(' ');
        }
        let middle = (h - 1) / 2;
        for row in 0..h {
            put(x, y + row, &" ".repeat(usize::from(w)), style);
        }
        let width = token.chars().count() as u16;
        let left = (w.saturating_sub(width)).div_ceil(2).min(w.saturating_sub(width));
        put(x + left, y + middle, &token, inner);
        if marks.1 != ' ' {
            put(x + left.saturating_sub(1), y + middle, &marks.0.to_string(), marked);
            if left + width < w {
                put(x + left + width, y + middle, &marks.1.to_string(), marked);
            }
        }
        if h > 1
            && let Some(note) = notes.get(&site)
        {
            let note: String = note.chars().take(usize::from(w)).collect();
            put(x, y + h - 1, &note, style.add_modifier(Modifier::DIM));
        }
        let rect =
            Rect::new((area.x + x).saturating_sub(origin.0), (area.y + y).saturating_sub(origin.1), w, h);
        if x >= origin.0 && y >= origin.1 {
            found.push((rect.intersection(area), site));
        }
    }
    found
}

/// The text of a site, and the owner of the piece on it.
fn shown(game: &Game, looks: Looks, cell: &Cell) -> (String, Option<usize>) {
    match cell {
        Cell::Pieces(pieces) => {
            let owner = pieces.last().map(|top| usize::from(top.0));
            (looks.token(game, pieces), owner.filter(|owner| *owner < game.rules.players.len()))
        }
        Cell::Gone => (if looks.figures { "\u{d7}" } else { "-" }.to_owned(), None),
        Cell::Number(number) => (number.to_string(), None),
        Cell::Vacant => (String::new(), None),
    }
}

/// The ground of a site: squares change their colour like those of a chessboard.
fn ground(game: &Game, looks: Looks, form: SiteForm, site: Site, cell: &Cell) -> Style {
    let board = &game.rules.board;
    let dim = Style::new().add_modifier(Modifier::DIM);
    if !looks.colours {
        return if matches!(cell, Cell::Gone | Cell::Vacant) { dim } else { Style::new() };
    }
    if form != SiteForm::Square {
        return if *cell == Cell::Vacant { Style::new().fg(Color::Indexed(245)) } else { Style::new() };
    }
    if *cell == Cell::Gone {
        return Style::new().bg(Color::Indexed(235)).fg(Color::Indexed(240));
    }
    let light = (board.row(site) + board.column(site)) % 2 == 1;
    Style::new().bg(Color::Indexed(if light { 103 } else { 60 })).fg(Color::Indexed(254))
}
