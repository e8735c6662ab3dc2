//! The game on the table, and how events change it. No input, no drawing, no clock.
//!
//! ```text
//! Table + Event -> Table, Deed      keys, clicks and answers of agents change it; files and threads are others' work
//! Table -> wants                    an agent that has to be asked
//! ```
//!
//! Which choices there are is read off the legal moves, part by part: see [`Choosing`].

use std::time::Duration;

use super::places;
use crate::cli::choices::{self, Choice, Entry};
use crate::cli::playing::{self, Playing};
use crate::cli::seats::Who;
use crate::cli::text;
use crate::drawing;
use crate::ids::{Player, Site};
use crate::notation::moves::MoveError;
use crate::notation::parts::{Choosing, Part};
use crate::play::{Move, Rng};
use crate::search::Found;

/// An event at the table.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// The cursor goes to the next site in a direction.
    Walk(i32, i32),
    /// A site is clicked.
    Click(Site),
    /// An entry of the list is clicked.
    Pick(usize),
    /// The typed line is done, or the site under the cursor or the entry at hand is chosen.
    Enter,
    /// The same without the typed line.
    Space,
    /// The last choice is taken back, or the typed line, or the window over the board.
    Back,
    /// The next entry of the list is at hand, or the one before.
    Turn(bool),
    /// A letter is typed.
    Type(char),
    /// The last letter is taken away.
    Erase,
    /// The last move of a person is taken back.
    Undo,
    /// The move that was taken back is made again.
    Redo,
    /// The game goes to its start, or to its last known move.
    Far(bool),
    /// An agent is asked for a hint.
    Hint,
    /// The mover gives up: the word is typed, and not entered, for a key is soon pressed by mistake.
    Resign,
    /// Keys and words are explained.
    Help,
    /// The options of the game are shown.
    Options,
    /// The list of moves is scrolled by so many lines.
    Scroll(i32),
    /// The game is left.
    Quit,
    /// An agent has found something.
    Found(u64, Found),
    /// An agent has chosen, or gives up.
    Chosen(u64, Result<Move, String>),
}

/// Work for the caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Deed {
    Nothing,
    Quit,
    /// Keep a record in a file from now on.
    Save(String),
    /// Begin the next game of the match.
    Next,
}

/// The agent that is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    Seat(usize),
    Hint,
}

/// The window over the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Over {
    Nothing,
    Help,
    Options,
}

/// An agent that thinks.
#[derive(Clone, Debug)]
pub(super) struct Thinking {
    pub number: u64,
    pub who: Asked,
    /// Whether the thread has the task.
    pub begun: bool,
    pub found: Option<Found>,
}

/// The game on the table.
pub(super) struct Table {
    pub playing: Playing,
    pub choosing: Choosing,
    pub cursor: Site,
    /// The entry at hand.
    pub entry: Option<usize>,
    pub typed: String,
    pub message: String,
    pub over: Over,
    /// Whether threatened pieces are marked.
    pub threats: bool,
    /// How many lines the list of moves is scrolled up from its end.
    pub scrolled: usize,
    pub thinking: Option<Thinking>,
    /// A record is looked at: nobody plays.
    pub stepping: bool,
    /// The clocks as they were shown last.
    shown: Vec<String>,
    asked: u64,
    rng: Rng,
}

/// Agents stop after so many plies against each other.
const MAX_AGENT_PLIES: usize = 10_000;

impl Table {
    pub(super) fn new(playing: Playing, stepping: bool) -> Table {
        let rng = Rng::new(playing.seed);
        let board = playing.session.game().rules.board.clone();
        let message = match stepping {
            true => "Right: the next move. Left: back. Home, End. F1: help.",
            false => "F1: help",
        };
        let mut table = Table {
            choosing: playing.session.choosing(),
            playing,
            cursor: board.sites().next().unwrap_or(Site(0)),
            entry: None,
            typed: String::new(),
            message: message.to_owned(),
            over: Over::Nothing,
            threats: true,
            scrolled: 0,
            thinking: None,
            stepping,
            shown: Vec::new(),
            asked: 0,
            rng,
        };
        table.settle();
        table
    }

    /// Another game begins at this table.
    pub(super) fn begin(&mut self) {
        self.message = format!("the next game: {}", playing::options(self.playing.session.game()));
        self.settle();
    }

    /// Whether a person decides now.
    pub(super) fn is_human(&self) -> bool {
        !self.stepping && self.playing.who() == Some(&Who::Human)
    }

    /// The agent to ask, once for each question.
    pub(super) fn wants(&mut self) -> Option<(u64, Asked)> {
        let thinking = self.thinking.as_mut().filter(|thinking| !thinking.begun)?;
        thinking.begun = true;
        Some((thinking.number, thinking.who))
    }

    /// The choices that are no sites of the board.
    pub(super) fn entries(&self) -> Vec<Entry> {
        if !self.is_human() {
            return Vec::new();
        }
        choices::entries(self.playing.session.game(), &self.choosing)
    }

    /// The sites that can be chosen next.
    pub(super) fn targets(&self) -> Vec<Site> {
        if !self.is_human() {
            return Vec::new();
        }
        let targets = choices::targets(self.playing.session.game(), &self.choosing);
        targets.into_iter().map(|(site, _)| site).collect()
    }

    /// The sites that are chosen.
    pub(super) fn chosen(&self) -> Vec<Site> {
        self.choosing.chosen().iter().filter_map(|part| part.site()).collect()
    }

    /// The sites of the last move.
    pub(super) fn last(&self) -> Vec<Site> {
        let session = &self.playing.session;
        session.played().last().map_or(Vec::new(), |m| drawing::chosen(session.game(), *m))
    }

    /// Changes the table by an event.
    pub(super) fn take(&mut self, event: Event) -> Deed {
        let calm = matches!(event, Event::Found(..) | Event::Chosen(..) | Event::Scroll(_));
        if !calm {
            self.message.clear();
        }
        match event {
            // What lies over the board takes the click.
            Event::Click(_) | Event::Pick(_) if self.over != Over::Nothing => self.over = Over::Nothing,
            Event::Walk(1, 0) if self.stepping => self.step(true),
            Event::Walk(-1, 0) if self.stepping => self.step(false),
            Event::Walk(x, y) => {
                let board = self.playing.session.game().rules.board.clone();
                self.cursor = places::walk(&board, self.cursor, (x, y));
            }
            Event::Click(site) => {
                self.cursor = site;
                self.choose(site);
            }
            Event::Pick(entry) => self.pick(entry),
            Event::Enter if !self.typed.is_empty() => {
                let typed = std::mem::take(&mut self.typed);
                return self.say(typed.trim());
            }
            Event::Space if !self.typed.is_empty() => return self.letter(' '),
            Event::Enter | Event::Space if self.stepping => self.step(true),
            Event::Enter | Event::Space => match self.entry {
                Some(entry) => self.pick(entry),
                None => self.choose(self.cursor),
            },
            Event::Back => {
                if self.over != Over::Nothing {
                    self.over = Over::Nothing;
                } else if !self.typed.is_empty() {
                    self.typed.clear();
                } else if self.entry.is_some() {
                    self.entry = None;
                } else {
                    self.choosing.back();
                }
            }
            Event::Turn(on) => {
                let count = self.entries().len();
                let next = match (self.entry, on) {
                    (None, true) => 0,
                    (None, false) => count.saturating_sub(1),
                    (Some(at), true) => (at + 1) % count.max(1),
                    (Some(at), false) => (at + count.max(1) - 1) % count.max(1),
                };
                self.entry = (count > 0).then_some(next);
            }
            Event::Type(c) => return self.letter(c),
            Event::Erase => drop(self.typed.pop()),
            Event::Undo => self.retrace(false),
            Event::Redo => self.retrace(true),
            Event::Far(on) => self.far(on),
            Event::Hint => self.hint(),
            Event::Resign if self.is_human() => self.typed = "resign".to_owned(),
            Event::Resign => self.message = "it is not your move".to_owned(),
            Event::Help => self.lay(Over::Help),
            Event::Options => self.lay(Over::Options),
            Event::Scroll(lines) => {
                let most = self.playing.session.played().len();
                self.scrolled = self.scrolled.saturating_add_signed(lines as isize).min(most);
            }
            Event::Quit => return Deed::Quit,
            Event::Found(number, found) => {
                if let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.number == number) {
                    thinking.found = Some(found);
                }
            }
            Event::Chosen(number, chosen) => self.answered(number, chosen),
        }
        Deed::Nothing
    }

    fn lay(&mut self, over: Over) {
        self.over = if self.over == over { Over::Nothing } else { over };
    }

    /// A letter: while nothing is typed a digit takes an entry, if no move begins with one.
    fn letter(&mut self, c: char) -> Deed {
        if self.stepping && self.typed.is_empty() {
            match c {
                'n' => self.step(true),
                'p' | 'b' => self.step(false),
                'g' => self.far(false),
                'G' => self.far(true),
                'q' => return Deed::Quit,
                _ => {}
            }
            return Deed::Nothing;
        }
        if self.typed.is_empty() && c == '?' {
            self.lay(Over::Help);
            return Deed::Nothing;
        }
        if let Some(digit) = c.to_digit(10).filter(|_| self.typed.is_empty()) {
            let game = self.playing.session.game();
            let mut texts = game.move_texts(self.playing.session.moves()).into_iter();
            let place = (digit as usize).wrapping_sub(1);
            if place < self.entries().len() && !texts.any(|t| t.starts_with(|c: char| c.is_ascii_digit())) {
                self.pick(place);
                return Deed::Nothing;
            }
        }
        // No move is longer.
        if self.typed.chars().count() < 200 {
            self.typed.push(c);
        }
        Deed::Nothing
    }

    /// A whole line: a word, a move, or a part of one.
    fn say(&mut self, line: &str) -> Deed {
        match line.split_once(char::is_whitespace).unwrap_or((line, "")) {
            ("", _) => {}
            ("quit" | "exit" | "q", "") => return Deed::Quit,
            ("undo", "") => self.retrace(false),
            ("redo", "") => self.retrace(true),
            ("hint", "") => self.hint(),
            ("resign", "") => self.resign(),
            ("help", "") => self.lay(Over::Help),
            ("threats", "") => self.threats = !self.threats,
            ("options", "") => self.lay(Over::Options),
            ("next", "") => return Deed::Next,
            ("save", file) if !file.trim().is_empty() => return Deed::Save(file.trim().to_owned()),
            ("save", _) => self.message = "which file? save FILE".to_owned(),
            ("moves", begun) => self.moves(begun.trim()),
            ("position", "") => self.message = text::plain(&self.playing.session.position_text()),
            _ if !self.is_human() => self.message = "it is not your move".to_owned(),
            _ => self.typed_move(line),
        }
        Deed::Nothing
    }

    fn typed_move(&mut self, line: &str) {
        let game = self.playing.session.game().clone();
        match self.playing.session.read_typed(line) {
            Ok(plies) => plies.into_iter().for_each(|m| self.play(m)),
            Err(error) => {
                let board = &game.rules.board;
                let named = board.site(line).or_else(|| board.site(&line.to_lowercase()));
                if let Some(site) = named {
                    self.cursor = site;
                    return self.choose(site);
                }
                let line = text::cut(&text::plain(line), 60);
                self.message = match error {
                    MoveError::NotLegal(Some(near)) => {
                        format!("`{line}` is not legal; did you mean `{}`?", text::plain(&near))
                    }
                    MoveError::NotLegal(None) => format!("`{line}` is not legal"),
                    MoveError::Ambiguous => format!("`{line}` is the text of two moves"),
                };
            }
        }
    }

    fn moves(&mut self, begun: &str) {
        let session = &self.playing.session;
        let moves = playing::moves_with(session, begun).into_iter();
        let texts: Vec<String> = moves.map(|m| session.game().move_text(m)).collect();
        let count = text::many(texts.len() as u64, "move");
        self.message = text::cut(&text::plain(&format!("{count}: {}", texts.join(" "))), 1000);
    }

    /// Chooses a site: the next part, or else a new beginning.
    fn choose(&mut self, site: Site) {
        if !self.is_human() {
            if !self.stepping && !self.playing.session.is_over() {
                self.message = "it is not your move".to_owned();
            }
            return;
        }
        self.entry = None;
        let game = self.playing.session.game();
        if !choices::choose(game, &mut self.choosing, site) {
            let before = self.choosing.clone();
            self.choosing.clear();
            if !self.choosing.choose(Part::Site(site)) {
                self.choosing = before;
                let goes = if self.choosing.chosen().is_empty() { "begins" } else { "goes on" };
                let name = game.rules.board.name(site);
                self.message = text::plain(&format!("no move {goes} with {name}"));
            }
        }
        self.decide();
    }

    fn pick(&mut self, entry: usize) {
        let Some(entry) = self.entries().into_iter().nth(entry) else { return };
        self.entry = None;
        match entry.what {
            Choice::Move(m) => self.play(m),
            Choice::Part(part) => {
                self.choosing.choose(part);
                self.decide();
            }
        }
    }

    /// Plays the move if all of it is chosen.
    fn decide(&mut self) {
        if let Some(m) = self.choosing.decided() {
            self.play(m);
        }
    }

    fn play(&mut self, m: Move) {
        self.playing.session.play(m);
        self.settle();
    }

    /// Takes the last move of a person back, or makes it again.
    fn retrace(&mut self, on: bool) {
        if self.stepping {
            return self.step(on);
        }
        if on && !self.playing.redo() {
            self.message = "there is no move to make again".to_owned();
        } else if !on && !self.playing.undo() {
            self.message = "there is no move of yours to take back".to_owned();
        }
        self.settle();
    }

    fn step(&mut self, on: bool) {
        let any = if on { self.playing.session.redo() } else { self.playing.session.undo() };
        if !any {
            self.message = if on { "this is the end" } else { "this is the start" }.to_owned();
        }
        self.settle();
    }

    fn far(&mut self, on: bool) {
        let session = &mut self.playing.session;
        if self.stepping {
            while if on { session.redo() } else { session.undo() } {}
            self.settle();
        }
    }

    fn hint(&mut self) {
        if self.is_human() && self.thinking.is_none() {
            self.think(Asked::Hint);
            self.message = "an agent thinks about a hint".to_owned();
        }
    }

    fn resign(&mut self) {
        let mover = self.playing.session.moves().mover();
        match self.is_human() {
            true => drop(self.playing.session.resign(mover)),
            false => self.message = "it is not your move".to_owned(),
        }
        self.settle();
    }

    fn think(&mut self, who: Asked) {
        self.asked += 1;
        self.thinking = Some(Thinking { number: self.asked, who, begun: false, found: None });
    }

    fn answered(&mut self, number: u64, chosen: Result<Move, String>) {
        let Some(thinking) = self.thinking.take_if(|thinking| thinking.number == number) else { return };
        let game = self.playing.session.game().clone();
        match (thinking.who, chosen) {
            (Asked::Hint, Ok(m)) => {
                self.message = playing::hinted(&game, m, thinking.found.as_ref());
            }
            (Asked::Hint, Err(why)) => self.message = text::plain(&format!("there is no hint: {why}")),
            (Asked::Seat(_), Ok(m)) if self.playing.session.moves().contains(m) => self.play(m),
            (Asked::Seat(_), chosen) => {
                let player = self.playing.session.moves().mover();
                let why = chosen.err().unwrap_or_else(|| "its move is not legal".to_owned());
                self.playing.session.resign(player);
                self.settle();
                self.message = text::plain(&format!("{} gives up: {why}", game.player(player.index())));
            }
        }
    }

    /// Time passes; whether that changes what is shown.
    pub(super) fn pass(&mut self, time: Duration) -> bool {
        if self.stepping {
            return false;
        }
        let lost = self.playing.session.pass_time(time);
        if lost {
            self.settle();
        }
        let times = self.times();
        lost | (std::mem::replace(&mut self.shown, times.clone()) != times)
    }

    /// What is left on the clocks of the players, as it is shown; empty without clocks.
    pub(super) fn times(&self) -> Vec<String> {
        let session = &self.playing.session;
        let left = |player: usize| {
            let player = Player(u8::try_from(player).unwrap_or(u8::MAX));
            session.time_left(session.person_of(player)).map(playing::clock)
        };
        (0..session.game().rules.players.len()).filter_map(left).collect()
    }

    /// After each change of the position: chance decides, an agent is to be asked, or a person begins to choose.
    fn settle(&mut self) {
        self.thinking = None;
        self.typed.clear();
        self.entry = None;
        self.scrolled = 0;
        while !self.stepping && self.playing.session.moves().is_chance() {
            let Some(m) = self.playing.session.chance(&mut self.rng) else { break };
            self.playing.session.play(m);
        }
        self.choosing = self.playing.session.choosing();
        if self.stepping || self.playing.session.is_over() {
            return;
        }
        let person = self.playing.session.person();
        if matches!(self.playing.who(), Some(Who::Agent(_))) {
            match self.playing.session.played().len() < MAX_AGENT_PLIES {
                true => self.think(Asked::Seat(person)),
                false => self.message = format!("{MAX_AGENT_PLIES} moves are enough: the agents stop"),
            }
        }
    }
}
