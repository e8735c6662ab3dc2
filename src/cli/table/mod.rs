//! A game on a whole terminal: the board is drawn, moves are chosen with keys and the mouse, agents think meanwhile.
//!
//! ```text
//! keys, mouse, signals -> Event -> model::Table -> view -> screen
//!                           ^            | wants
//!                           +-- thinker::Thinker, a thread
//! ```
//!
//! The terminal is given back however the game ends: by the last key, an error, a signal or a panic.

mod board;
mod due;
mod model;
mod places;
mod thinker;
mod view;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
    MouseButton, MouseEventKind,
};
use ratatui::crossterm::execute;
use ratatui::layout::Position;
use ratatui::{DefaultTerminal, Terminal};

use self::board::Looks;
use self::model::{Deed, Event, Table};
use self::thinker::Thinker;
use self::view::Spots;
use super::playing::Playing;
use super::{Done, Exit, Stop, agents, engines};
use crate::ids::Site;

/// How long input is waited for before answers of agents are looked at.
const WAIT: Duration = Duration::from_millis(30);

/// Plays a game on the terminal, or steps through a game that was played.
pub(super) fn run(mut playing: Playing, stepping: bool, ascii: bool) -> Done {
    while stepping && playing.session.undo() {}
    engines::heeded();
    let table = Table::new(playing, stepping);
    let session = &table.playing.session;
    let making = agents::making_for(session.game(), session.setup());
    let thinker = Thinker::new(table.playing.agents()?, &making, table.playing.seed)?;
    let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let looks = Looks { figures: !ascii && is_utf8(), colours };
    let stop = stopped()?;
    let mut terminal = ratatui::try_init()?;
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let _ = execute!(io::stdout(), DisableMouseCapture);
        hook(info);
    }));
    let _ = execute!(io::stdout(), EnableMouseCapture);
    let done = lead(table, thinker, looks, &stop, &mut terminal);
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
    done
}

/// Is set once somebody wants the program to end.
fn stopped() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
        signal_hook::flag::register(signal, stop.clone())?;
    }
    // The terminal is gone: there is nothing to restore, the record has every ply, and waiting for input would never
    // end.
    #[cfg(unix)]
    signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGHUP,
        129,
        Arc::new(AtomicBool::new(true)),
    )?;
    Ok(stop)
}

/// Whether characters beyond ASCII can be shown, as the environment says.
fn is_utf8() -> bool {
    let said =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os).find(|v| !v.is_empty());
    said.is_some_and(|locale| {
        let locale = locale.to_string_lossy().to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

fn lead(
    mut table: Table,
    mut thinker: Thinker,
    looks: Looks,
    stop: &AtomicBool,
    terminal: &mut DefaultTerminal,
) -> Done {
    let mut spots = Spots::default();
    let mut changed = true;
    while !stop.load(Ordering::Relaxed) {
        if let Some((number, who)) = table.wants()
            && let Some(question) = table.playing.session.question()
        {
            thinker.ask(number, who, table.playing.session.game().clone(), question);
        }
        if changed {
            terminal.draw(|frame| spots = view::draw(frame, &mut table, looks))?;
            changed = false;
        }
        let mut events = Vec::new();
        if event::poll(WAIT)? {
            // All that has come already is taken before the board is drawn again.
            loop {
                match event::read()? {
                    event::Event::Resize(..) => changed = true,
                    input => events.extend(read(&input, &spots)),
                }
                if !events.is_empty() || !event::poll(Duration::ZERO)? {
                    break;
                }
            }
        }
        events.extend(std::iter::from_fn(|| thinker.answer()));
        let passed = table.playing.passed();
        if table.pass(passed) {
            changed = true;
            if table.playing.session.is_over() {
                thinker.stop();
                table.playing.keep()?;
            }
        }
        for event in events {
            changed = true;
            match table.take(event) {
                Deed::Nothing => {}
                Deed::Quit => {
                    thinker.stop();
                    return Ok(Exit::Fine);
                }
                Deed::Save(file) => {
                    table.message = match table.playing.save(&file) {
                        Ok(()) => super::text::plain(&format!("the game is recorded in {file}")),
                        Err(stop) => super::said(&Stop::message(&stop)),
                    };
                }
                Deed::Next => match table.playing.next_game() {
                    Ok(true) => table.begin(),
                    Ok(false) => table.message = "no other game follows now".to_owned(),
                    Err(stop) => table.message = super::said(&stop.message()),
                },
            }
            if !table.stepping {
                table.playing.keep()?;
            }
            if table.thinking.is_none() {
                thinker.stop();
            }
        }
    }
    thinker.stop();
    Ok(Exit::Fine)
}

/// The event of an input.
fn read(input: &event::Event, spots: &Spots) -> Option<Event> {
    match input {
        event::Event::Key(key) if key.kind != KeyEventKind::Release => read_key(key),
        event::Event::Mouse(mouse) => {
            let at = Position::new(mouse.column, mouse.row);
            match mouse.kind {
                MouseEventKind::ScrollUp => Some(Event::Scroll(1)),
                MouseEventKind::ScrollDown => Some(Event::Scroll(-1)),
                MouseEventKind::Down(MouseButton::Left) => {
                    let site = spots.sites.iter().find(|(rect, _)| rect.contains(at));
                    let entry = spots.entries.iter().find(|(rect, _)| rect.contains(at));
                    site.map(|(_, s)| Event::Click(*s)).or_else(|| entry.map(|(_, e)| Event::Pick(*e)))
                }
                MouseEventKind::Down(MouseButton::Right) => Some(Event::Back),
                _ => None,
            }
        }
        _ => None,
    }
}

fn read_key(key: &KeyEvent) -> Option<Event> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c' | 'd') => Some(Event::Quit),
            KeyCode::Char('z') => Some(Event::Undo),
            KeyCode::Char('y') => Some(Event::Redo),
            _ => None,
        };
    }
    Some(match key.code {
        KeyCode::Left => Event::Walk(-1, 0),
        KeyCode::Right => Event::Walk(1, 0),
        KeyCode::Up => Event::Walk(0, -1),
        KeyCode::Down => Event::Walk(0, 1),
        KeyCode::Enter => Event::Enter,
        KeyCode::Char(' ') => Event::Space,
        KeyCode::Char(c) => Event::Type(c),
        KeyCode::Backspace => Event::Erase,
        KeyCode::Esc => Event::Back,
        KeyCode::Tab => Event::Turn(true),
        KeyCode::BackTab => Event::Turn(false),
        KeyCode::Home => Event::Far(false),
        KeyCode::End => Event::Far(true),
        KeyCode::PageUp => Event::Scroll(5),
        KeyCode::PageDown => Event::Scroll(-5),
        KeyCode::F(1) => Event::Help,
        KeyCode::F(2) => Event::Undo,
        KeyCode::F(3) => Event::Redo,
        KeyCode::F(4) => Event::Hint,
        KeyCode::F(5) => Event::Resign,
        KeyCode::F(6) => Event::Options,
        KeyCode::F(10) => Event::Quit,
        _ => return None,
    })
}

/// The screen of a terminal without colours after some keys, for tests: `@e2` clicks a site, `#1` an entry of the list,
/// `!esc` `!enter` `!undo` `!redo` `!resign` `!help` `!options` are keys, `!ascii` wants no other characters, `~9` lets
/// nine seconds pass, all else is typed and entered. People sit at all seats.
#[doc(hidden)]
pub fn shown(session: crate::session::Session, keys: &str, (width, height): (u16, u16)) -> Option<String> {
    let board = session.game().rules.board.clone();
    let mut table = Table::new(Playing::of(session), false);
    let mut looks = Looks { figures: true, colours: false };
    for key in keys.split_whitespace() {
        let site = |name: &str| board.site(name).unwrap_or(Site(0));
        let events = match (key, key.split_at(1)) {
            ("!esc", _) => vec![Event::Back],
            ("!enter", _) => vec![Event::Enter],
            ("!resign", _) => vec![Event::Resign],
            ("!undo", _) => vec![Event::Undo],
            ("!redo", _) => vec![Event::Redo],
            ("!help", _) => vec![Event::Help],
            ("!options", _) => vec![Event::Options],
            ("!ascii", _) => {
                looks.figures = false;
                Vec::new()
            }
            (_, ("@", name)) => vec![Event::Click(site(name))],
            (_, ("~", seconds)) => {
                table.pass(Duration::from_secs(seconds.parse().unwrap_or(0)));
                Vec::new()
            }
            (_, ("#", number)) => vec![Event::Pick(number.parse().unwrap_or(1) - 1)],
            (word, _) => word.chars().map(Event::Type).chain([Event::Enter]).collect(),
        };
        for event in events {
            table.take(event);
        }
    }
    let mut terminal = Terminal::new(TestBackend::new(width, height)).ok()?;
    terminal.draw(|frame| drop(view::draw(frame, &mut table, looks))).ok()?;
    let buffer = terminal.backend().buffer();
    let line = |y: u16| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    Some((0..height).map(line).collect::<Vec<_>>().join("\n"))
}
