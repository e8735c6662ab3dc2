//! A game that is played by people and agents: its seats, its match, its clocks, its record, and its texts.

use std::time::Duration;

use super::keep::Keeper;
use super::seats::Who;
use super::{Stop, agents, load, text};
use crate::analysis::replay;
use crate::definition::Choices;
use crate::game::Game;
use crate::ids::Player;
use crate::notation::record::{self, Record};
use crate::play::{Move, Rng};
use crate::search::{Found, Seat};
use crate::session::{Clocks, Reason, Series, Session};

/// The most plies of a line that a hint tells.
const MAX_HINTED_PLIES: usize = 8;

/// A game that is played.
pub(super) struct Playing {
    pub session: Session,
    pub seats: Vec<Who>,
    /// The match that the game is part of, without this game.
    pub series: Option<Series>,
    pub keeper: Option<Keeper>,
    /// Where the game comes from, with its options.
    name: String,
    choices: Choices,
    pub seed: u64,
    /// The time until which the clock at hand has run; none before it runs: what is made ready takes nobody's time.
    ticked: Option<Duration>,
}

/// The session of a record. Every ply of it is verified.
pub(super) fn recorded(record: &Record, with: &[String]) -> Result<(Session, Choices), Stop> {
    let choices = Choices { with: with.to_vec(), set: replay::choices(&record.header), ..Choices::default() };
    let game = load::recorded(&record.header.game, &choices).map_err(Stop::input)?;
    let differs = |message: String| {
        let help = "`farrier replay` verifies records; extension files are given by --with";
        Stop::advised(format!("the record is not of this game: {message}"), help)
    };
    replay::verify(&game, record).map_err(|error| differs(error.to_string()))?;
    let session = Session::resume(game, record).map_err(|error| differs(error.to_string()))?;
    Ok((session, choices))
}

/// The session with who sits where in its record.
fn seated(mut session: Session, seats: &[Who]) -> Session {
    let players = session.game().rules.players.clone();
    session.set_seats(players.into_iter().zip(seats.iter().map(ToString::to_string)));
    session
}

impl Playing {
    pub(super) fn new(
        session: Session,
        seats: Vec<Who>,
        series: Option<Series>,
        keeper: Option<Keeper>,
        name: String,
        choices: Choices,
        seed: u64,
    ) -> Playing {
        let session = seated(session, &seats);
        Playing { session, seats, series, keeper, name, choices, seed, ticked: None }
    }

    /// A game that people play, kept nowhere.
    pub(super) fn of(session: Session) -> Playing {
        let seats = vec![Who::Human; session.game().rules.players.len()];
        let (series, name) = (Series::of(session.game()), session.game().name.clone());
        Playing::new(session, seats, series, None, name, Choices::default(), load::SEED)
    }

    /// The person or agent that decides; none where chance decides or nobody does.
    pub(super) fn who(&self) -> Option<&Who> {
        let moves = self.session.moves();
        if moves.is_chance() || moves.is_empty() {
            return None;
        }
        self.seats.get(self.session.person())
    }

    /// The time since the last call; none at the first.
    pub(super) fn passed(&mut self) -> Duration {
        let now = agents::clock();
        now.saturating_sub(self.ticked.replace(now).unwrap_or(now))
    }

    /// Lets that time pass on the clock at hand; whether the game is lost by it.
    pub(super) fn tick(&mut self) -> bool {
        let passed = self.passed();
        self.session.pass_time(passed)
    }

    /// Brings the record to where the game is.
    pub(super) fn keep(&mut self) -> Result<(), Stop> {
        self.keeper.as_mut().map_or(Ok(()), |keeper| keeper.sync(&mut self.session))
    }

    /// Begins to keep a record in a new file.
    pub(super) fn save(&mut self, file: &str) -> Result<(), Stop> {
        let mut keeper = Keeper::begin(file)?;
        keeper.sync(&mut self.session)?;
        self.keeper = Some(keeper);
        Ok(())
    }

    /// Takes plies back to the last one that a person decided; whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        let mut undone = 0;
        while self.session.undo() {
            undone += 1;
            if self.who() == Some(&Who::Human) {
                return true;
            }
        }
        // All of these moves were not the user's to take back.
        for _ in 0..undone {
            self.session.redo();
        }
        false
    }

    /// Makes plies again to where a person decides, or to the last one; whether there was one.
    pub(super) fn redo(&mut self) -> bool {
        let any = self.session.redo();
        while any && self.who() != Some(&Who::Human) && self.session.redo() {}
        any
    }

    /// The match with the points of this game added.
    pub(super) fn standing(&mut self) -> Option<Series> {
        let mut series = self.series.clone()?;
        if let Some(points) = self.session.match_points() {
            series.add(&points);
        }
        Some(series)
    }

    /// Begins the next game of the match; whether there is one.
    pub(super) fn next_game(&mut self) -> Result<bool, Stop> {
        if !self.session.is_over() {
            return Ok(false);
        }
        let Some(series) = self.standing().filter(|series| !series.is_over()) else { return Ok(false) };
        if let Some((option, value)) = series.next_option() {
            load::choose(&mut self.choices, &option, value);
        }
        let game = load::load(&self.name, &self.choices)?.game;
        self.seed = self.seed.wrapping_add(1);
        let clocks = self.session.clocks().map(Clocks::control);
        let session = Session::new(game, None, self.seed);
        self.session = seated(session.map_err(|error| Stop::input(error.to_string()))?, &self.seats);
        if let Some(control) = clocks {
            self.session.set_clock(control);
        }
        self.series = Some(series);
        if let Some(keeper) = &mut self.keeper {
            keeper.next();
        }
        self.keep()?;
        Ok(true)
    }

    /// The agents in their seats.
    pub(super) fn agents(&self) -> Result<Vec<Option<Seat>>, Stop> {
        let making = agents::making_for(self.session.game(), self.session.setup());
        let made = self.seats.iter().map(|who| who.agent().map(|spec| spec.seat(&making)).transpose());
        Ok(made.collect::<Result<_, _>>()?)
    }
}

/// The legal moves whose texts begin with a text, in capital or small letters; where there are none, those that
/// contain it.
pub(super) fn moves_with(session: &Session, begun: &str) -> Vec<Move> {
    let (game, small) = (session.game(), begun.to_lowercase());
    let text_of = |m: &Move| game.move_text(*m).to_lowercase();
    let mut list: Vec<Move> = session.moves().iter().collect();
    list.sort_unstable();
    let begins = list.iter().any(|m| text_of(m).starts_with(&small));
    list.retain(|m| if begins { text_of(m).starts_with(&small) } else { text_of(m).contains(&small) });
    list
}

/// Asks an agent for a hint: its move in words, or why it gives none.
pub(super) fn hint(session: &mut Session, rng: &mut Rng) -> Result<Option<String>, String> {
    let strongest = Who::strongest();
    let spec = strongest.agent().cloned().unwrap_or_default();
    let mut seat =
        spec.seat(&agents::making_for(session.game(), session.setup())).map_err(|error| error.to_string())?;
    let mut found = None;
    let advised = session.advise(&mut seat, rng, &mut |new| found = Some(new.clone()));
    let chosen = advised.transpose().map_err(|forfeit| forfeit.reason)?;
    Ok(chosen.map(|m| hinted(session.game(), m, found.as_ref())))
}

/// A hint in words: the move, and what was found of it.
pub(super) fn hinted(game: &Game, m: Move, found: Option<&Found>) -> String {
    let mut said = format!("an agent would play {}", game.move_text(m));
    // What was told last may be of another move, where thought was cut short.
    if let Some(found) = found.filter(|found| found.line.first() == Some(&m)) {
        let line: Vec<String> =
            found.line.iter().take(MAX_HINTED_PLIES).map(|m| game.move_text(*m)).collect();
        said += &format!(" ({}: {})", value(found), line.join(" "));
    }
    text::plain(&said)
}

/// What a position is worth for who is to decide, in words.
pub(super) fn value(found: &Found) -> String {
    let proved = if found.proved.is_some() { ", proved" } else { "" };
    format!("worth {:.0} %{proved}", 100.0 * found.value)
}

/// What is left on a clock: `1:05:00`, `4:58`, `0:09.3`.
pub(super) fn clock(left: Duration) -> String {
    // A second that has begun is shown: 0:00 is said of nobody who still has time.
    let tenths = left.as_millis().div_ceil(100);
    let seconds = if tenths < 100 { tenths / 10 } else { tenths.div_ceil(10) };
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, tenths < 100) {
        (0, true) => format!("0:{rest:02}.{}", tenths % 10),
        (0, false) => format!("{minutes}:{rest:02}"),
        (hours, _) => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// The seats in one line: who plays which player now.
pub(super) fn told(session: &Session, seats: &[Who]) -> String {
    let players = &session.game().rules.players;
    let one = |(place, player): (u8, &String)| match seats.get(session.person_of(Player(place)))? {
        Who::Human => Some(format!("{player} is you")),
        Who::Agent(spec) => Some(format!("{player} is {spec}")),
    };
    text::plain(&(0..).zip(players).filter_map(one).collect::<Vec<_>>().join(", "))
}

/// Why a game is over, in one sentence.
pub(super) fn why(session: &mut Session) -> Option<String> {
    let game = session.game().clone();
    let why = match session.reason()? {
        Reason::End(name) => format!("the game is over by [end.{name}]"),
        Reason::Stuck => "the game is over: there is no move to make".to_owned(),
        Reason::Lost(player, how) => format!("{} {}", game.player(player.index()), how.said()),
    };
    Some(text::plain(&why))
}

/// A result that somebody has won, as a sentence.
pub(super) fn won(result: &str) -> String {
    match result.split_once(record::BEFORE) {
        Some(_) => format!("the places are {result}"),
        None if result.contains(record::TOGETHER) => {
            format!("{} win", result.replace(record::TOGETHER, " and "))
        }
        None => format!("{result} wins"),
    }
}

/// How a game ended, with the scores.
pub(super) fn result(session: &mut Session) -> String {
    let outcome = session.outcome();
    let scores = session.scores();
    let game = session.game();
    let name = game.outcome_name(outcome);
    let result = match &name[..] {
        "draw" => "the game is a draw".to_owned(),
        "unfinished" => "the game is unfinished".to_owned(),
        winners => won(winners),
    };
    let scores: Vec<String> =
        game.rules.players.iter().zip(scores).map(|(p, s)| format!("{p} {s}")).collect();
    let scores = if scores.is_empty() { String::new() } else { format!(" ({})", scores.join(", ")) };
    text::plain(&format!("{result}{scores}"))
}

/// How a match stands, in one line.
pub(super) fn match_line(game: &Game, series: &Series) -> String {
    let points: Vec<String> =
        game.rules.players.iter().zip(series.points()).map(|(p, n)| format!("{p} {n}")).collect();
    let games = text::many(series.games() as u64, "game");
    let end = match (series.is_over(), series.leader()) {
        (true, Some(player)) => format!("{} wins the match", game.player(player)),
        (true, None) => "the match is a draw".to_owned(),
        (false, _) => format!("the match goes to {}", series.target()),
    };
    text::plain(&format!("{games}: {}; {end}", points.join(", ")))
}

/// The options that are not at their defaults, in one line.
pub(super) fn options(game: &Game) -> String {
    let changed: Vec<String> =
        game.changed_options().into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if changed.is_empty() { "all options are as usual".to_owned() } else { text::plain(&changed.join(", ")) }
}
