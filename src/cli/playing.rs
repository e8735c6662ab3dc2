//! A game that is played by people and agents: its seats, its match, its record, and its texts.

use super::keep::Keeper;
use super::seats::Who;
use super::{Stop, agents, load, text};
use crate::analysis::replay;
use crate::definition::Choices;
use crate::game::Game;
use crate::notation::record::{self, Record};
use crate::play::{Move, Rng};
use crate::search::Seat;
use crate::session::{Reason, Series, Session};

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
}

/// The session of a record. Every ply of it is verified.
pub(super) fn recorded(record: &Record, with: &[String]) -> Result<(Session, Choices), Stop> {
    let choices = Choices { with: with.to_vec(), set: replay::choices(&record.header), ..Choices::default() };
    let game = load::load(&record.header.game, &choices)?.game;
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
        Playing { session: seated(session, &seats), seats, series, keeper, name, choices, seed }
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
        let session = Session::new(game, None, self.seed);
        self.session = seated(session.map_err(|error| Stop::input(error.to_string()))?, &self.seats);
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

/// Asks an agent for a hint: its move, or why it gives none.
pub(super) fn hint(session: &mut Session, rng: &mut Rng) -> Result<Option<Move>, String> {
    let strongest = Who::strongest();
    let spec = strongest.agent().cloned().unwrap_or_default();
    let mut seat =
        spec.seat(&agents::making_for(session.game(), session.setup())).map_err(|error| error.to_string())?;
    session.advise(&mut seat, rng, &mut |_| {}).transpose().map_err(|forfeit| forfeit.reason)
}

/// The seats in one line.
pub(super) fn told(game: &Game, seats: &[Who]) -> String {
    let one = |(player, who): (&String, &Who)| match who {
        Who::Human => format!("{player} is you"),
        Who::Agent(spec) => format!("{player} is {spec}"),
    };
    text::plain(&game.rules.players.iter().zip(seats).map(one).collect::<Vec<_>>().join(", "))
}

/// Why a game is over, in one sentence.
pub(super) fn why(session: &mut Session) -> Option<String> {
    let game = session.game().clone();
    let why = match session.reason()? {
        Reason::End(name) => format!("the game is over by [end.{name}]"),
        Reason::Stuck => "the game is over: there is no move to make".to_owned(),
        Reason::Resigned(player) => format!("{} resigned", game.player(player.index())),
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
