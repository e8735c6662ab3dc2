//! The table on a terminal: the board at the left, a panel beside it, the prompt below.
//!
//! ```text
//! board        | players, scores, state, thoughts
//!              | moves
//! what is due
//! choices that are no sites, or a message
//! what is typed
//! ```

use ratatui::Frame;
use ratatui::buffer::Cell;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use super::board::{self, Looks};
use super::model::{Asked, Over, Table};
use crate::cli::{playing, text};
use crate::drawing;
use crate::ids::{Player, Site};

/// The smallest terminal on which anything is drawn.
const MIN_SIZE: (u16, u16) = (24, 10);

/// The least width of the panel beside the board; narrower terminals have the board alone.
const MIN_PANEL_WIDTH: u16 = 26;

/// Where something can be clicked.
#[derive(Clone, Default, Debug)]
pub(super) struct Spots {
    pub sites: Vec<(Rect, Site)>,
    pub entries: Vec<(Rect, usize)>,
}

const HELP: &str = "\
cursor keys   walk over the sites
space, enter  choose the site, or the entry of the list
mouse         click from, click to, click an entry
tab, 1..9     the entries of the list
esc           take the last choice back
letters       type a move, then enter: g1f3 or G1F3, or a site

F2 undo   F3 redo   F4 hint   F5 resign   F6 options
PgUp, PgDn    scroll the moves
F10, Ctrl-C   leave

words: moves c1, undo, redo, hint, resign, next,
       position, save FILE, options, threats, quit

[x] the cursor   <x> chosen   (x) can be chosen
 x! threatened: the word threats shows or hides it";

/// Draws the table.
pub(super) fn draw(frame: &mut Frame<'_>, table: &mut Table, looks: Looks) -> Spots {
    let spots = drawn(frame, table, looks);
    if !looks.figures {
        frame.buffer_mut().content.iter_mut().for_each(as_ascii);
    }
    spots
}

/// Puts a character of ASCII in the place of another, that of a frame or of a text.
fn as_ascii(cell: &mut Cell) {
    let plain = match cell.symbol() {
        symbol if symbol.is_ascii() => return,
        "\u{2502}" => "|",
        "\u{2500}" => "-",
        "\u{250c}" | "\u{2510}" | "\u{2514}" | "\u{2518}" => "+",
        "\u{2026}" => "~",
        _ => "?",
    };
    cell.set_symbol(plain);
}

fn drawn(frame: &mut Frame<'_>, table: &mut Table, looks: Looks) -> Spots {
    let area = frame.area();
    let mut spots = Spots::default();
    if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
        let what =
            format!("{}x{} is too small: {}x{} is needed", area.width, area.height, MIN_SIZE.0, MIN_SIZE.1);
        frame.render_widget(Paragraph::new(what).wrap(Wrap { trim: true }), area);
        return spots;
    }
    let beside = if area.width >= 60 { MIN_PANEL_WIDTH.max(area.width / 3) } else { 0 };
    let upper = area.height - 3;
    let room = Rect::new(area.x, area.y, area.width - beside, upper);
    spots.sites = board::draw(table, looks, room, frame.buffer_mut());
    if beside > 0 {
        let side = Rect::new(area.x + room.width + 1, area.y, beside - 1, upper);
        panel(frame, table, looks, side);
    }
    let line = |n: u16| Rect::new(area.x, area.y + upper + n, area.width, 1);
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let due = table.prompt();
    frame.render_widget(Line::styled(due, bold), line(0));
    match table.standing() {
        Some(standing) => frame.render_widget(Line::raw(standing), line(1)),
        None => entries(frame, table, line(1), &mut spots),
    }
    let typed = format!("> {}", text::plain(&table.typed));
    let hint = if table.typed.is_empty() { said(table) } else { String::new() };
    let wide = usize::from(area.width);
    let typed = if hint.is_empty() { typed } else { format!("{typed} {hint}") };
    frame.render_widget(Line::raw(text::cut(&typed, wide.saturating_sub(1))), line(2));
    if !table.typed.is_empty() {
        let column = 2 + table.typed.chars().count() as u16;
        frame.set_cursor_position((area.x + column.min(area.width - 1), area.y + upper + 2));
    }
    match table.over {
        Over::Nothing => {}
        Over::Help => over(frame, " keys and words ", HELP.lines().map(str::to_owned).collect()),
        Over::Options => over(frame, " options ", options(table)),
    }
    if table.message.chars().count() + 4 > wide {
        over(frame, " message ", vec![table.message.clone()]);
    }
    spots
}

/// The message, or the site under the cursor.
fn said(table: &Table) -> String {
    if !table.message.is_empty() {
        return table.message.clone();
    }
    let board = &table.playing.session.game().rules.board;
    text::plain(&format!("   [{}]  F1: help", board.name(table.cursor)))
}

/// The choices that are no sites.
fn entries(frame: &mut Frame<'_>, table: &Table, area: Rect, spots: &mut Spots) {
    let mut x = area.x;
    for (place, entry) in table.entries().into_iter().enumerate() {
        let key = if place < 9 { format!("{} ", place + 1) } else { String::new() };
        let shown = format!("{key}{}", entry.text);
        let width = shown.chars().count() as u16;
        if x + width > area.right() {
            frame.render_widget("\u{2026}", Rect::new(area.right() - 1, area.y, 1, 1));
            break;
        }
        let here = table.entry == Some(place);
        let style = if here { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        let rect = Rect::new(x, area.y, width, 1);
        frame.render_widget(Span::styled(shown, style), rect);
        spots.entries.push((rect, place));
        x += width + 3;
    }
}

/// Players, scores, state, thoughts, moves.
fn panel(frame: &mut Frame<'_>, table: &mut Table, looks: Looks, area: Rect) {
    let wide = usize::from(area.width);
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let scores = table.playing.session.scores();
    let over = table.playing.session.is_over();
    let session = &table.playing.session;
    let game = session.game();
    let mut lines: Vec<Line<'_>> = vec![Line::styled(text::plain(&game.definition.title), bold)];
    let moves = session.moves();
    let times = table.times();
    for (place, player) in game.rules.players.iter().enumerate() {
        let person = session.person_of(Player(u8::try_from(place).unwrap_or(u8::MAX)));
        let mark = if !over && !moves.is_chance() && moves.mover().index() == place { '>' } else { ' ' };
        let score = scores.get(place).map_or(String::new(), |score| format!("  {score}"));
        let points = table.playing.series.as_ref().filter(|series| series.games() > 0);
        let points = points.and_then(|series| series.points().get(place));
        let points = points.map_or(String::new(), |points| format!("  match {points}"));
        let sign = sign(game, looks, place);
        let who = table.playing.seats.get(person).filter(|_| !table.stepping);
        let who = who.map_or(String::new(), |who| format!(" ({who})"));
        let time = times.get(place).map_or(String::new(), |time| format!(" {time}"));
        // Who plays may be long, as the command of an engine; what changes is seen all the same.
        let (name, rest) = (format!("{mark}{sign} {player}{who}"), format!("{time}{score}{points}"));
        let room = wide.saturating_sub(rest.chars().count());
        let most = if name.chars().count() > room { room.saturating_sub(1) } else { room };
        let name = text::cut(&text::plain(&name), most);
        lines.push(Line::raw(text::plain(&format!("{name}{rest}"))));
    }
    for variable in drawing::unseen(game, session.position(), &scores) {
        let told = text::plain(&variable.text);
        lines.extend(text::wrapped(told.split(' '), "", wide).lines().map(|l| Line::raw(l.to_owned())));
    }
    if let Some(thinking) = &table.thinking {
        let what = if thinking.who == Asked::Hint { "a hint: " } else { "thinks" };
        let mut told = vec![what.to_owned()];
        if let Some(found) = &thinking.found {
            told.push(format!("depth {} nodes {}", found.depth, text::count(found.nodes)));
            told.push(playing::value(found));
            let line: Vec<String> = found.line.iter().take(6).map(|m| game.move_text(*m)).collect();
            told.push(text::plain(&line.join(" ")));
        }
        lines.extend(
            told.into_iter().map(|l| Line::styled(text::cut(&l, wide), Style::new().fg(Color::Cyan))),
        );
    }
    lines.push(Line::raw(""));
    let used = (lines.len() as u16).min(area.height);
    if !looks.colours {
        lines = lines.into_iter().map(|l| l.style(Style::new())).collect();
    }
    frame.render_widget(Paragraph::new(lines), Rect { height: used, ..area });
    let rest = Rect { y: area.y + used, height: area.height - used, ..area };
    list(frame, table, rest);
}

/// The sign of a player's pieces, where there is one.
fn sign(game: &crate::game::Game, looks: Looks, player: usize) -> String {
    match game.program.layout.pieces.owner_base {
        Some(_) if !game.rules.kinds.is_empty() => looks.token(game, &[(player as u8, 0)]),
        _ => String::new(),
    }
}

/// The moves so far, the last ones lowest, in lines that turns fill.
fn list(frame: &mut Frame<'_>, table: &mut Table, area: Rect) {
    let wide = usize::from(area.width).saturating_sub(1);
    let session = &table.playing.session;
    let turns = session.turns().into_iter();
    let told = turns.map(|(first, turn)| format!("{}.{}", first + 1, text::plain(&turn).replace(' ', ",")));
    let words: Vec<String> = told.collect();
    let lines = text::wrapped(&words, "", wide);
    let lines: Vec<&str> = lines.lines().collect();
    let height = usize::from(area.height);
    // It is scrolled no further than to its begin.
    table.scrolled = table.scrolled.min(lines.len().saturating_sub(height));
    let end = lines.len() - table.scrolled;
    let start = end.saturating_sub(height);
    let shown: Vec<Line<'_>> = lines[start..end].iter().map(|l| Line::raw(*l)).collect();
    frame.render_widget(Paragraph::new(shown), area);
}

/// All options with their values.
fn options(table: &Table) -> Vec<String> {
    let game = table.playing.session.game();
    let mut lines: Vec<String> = Vec::new();
    for option in &game.definition.options {
        let mark = if option.value == option.default { ' ' } else { '*' };
        lines
            .push(text::plain(&format!("{mark} {} = {}  ({})", option.name.text, option.value, option.kind)));
        lines.push(text::plain(&format!("    {}", option.summary)));
    }
    if lines.is_empty() { vec!["this game has no options".to_owned()] } else { lines }
}

/// Lines in a frame over the board.
fn over(frame: &mut Frame<'_>, title: &str, lines: Vec<String>) {
    let area = frame.area();
    let most = usize::from(area.width).saturating_sub(4).max(1);
    let widest = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0).clamp(title.len(), most);
    let broken: usize = lines.iter().map(|l| l.chars().count().div_ceil(widest.max(1)).max(1) + 1).sum();
    let height = if lines.iter().any(|l| l.chars().count() > widest) { broken } else { lines.len() };
    let width = (widest as u16 + 4).min(area.width);
    let height = (height as u16 + 2).min(area.height);
    let rect =
        Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    frame.render_widget(Clear, rect);
    let block = Block::bordered().title(title.to_owned()).title_bottom(" esc ");
    let text: Vec<Line<'_>> = lines.into_iter().map(Line::raw).collect();
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: false }).block(block), rect);
}
