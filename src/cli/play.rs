//! `farrier play`: what is played, by whom, and where it is recorded. The game itself is led by [`super::plain`], line
//! by line, or by `super::table`, on a whole terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use super::keep::Keeper;
use super::load::{self, ChoiceArgs, StartArgs};
use super::seats::{self, Who};
use super::{Done, Format, Stop, agents, plain, text};
use crate::analysis::replay;
use crate::definition::Choices;
use crate::game::Game;
use crate::notation::record::Record;
use crate::play::{Move, Rng};
use crate::search::{AgentError, Seat};
use crate::session::{Reason, Series, Session, StartError};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    #[arg(required_unless_present = "resume")]
    game: Option<String>,
    /// Who plays whom: `human`, or an agent such as `random`, `flat:200` or `flat:1s` [default: the first player is
    /// you, the others are the strongest agent that needs no setting]
    #[arg(long = "as", value_name = "PLAYER=WHO", value_delimiter = ',', value_parser = seats::seat)]
    seats: Vec<(String, Who)>,
    /// Keep a record of the game in a new file, ply by ply; `farrier replay` verifies it [default: none]
    #[arg(long, value_name = "FILE")]
    record: Option<String>,
    /// Go on with the last game of a file of records, and keep it there
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "record", "without", "set", "setup"])]
    resume: Option<String>,
    /// Type moves line by line, without drawing on the whole terminal
    #[arg(long)]
    plain: bool,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    start: StartArgs,
}

/// A game that is played.
pub(super) struct Playing {
    pub session: Session,
    pub seats: Vec<Who>,
    /// The match that it is part of, without it.
    pub series: Option<Series>,
    pub keeper: Option<Keeper>,
    /// Where the game comes from, with its options.
    name: String,
    choices: Choices,
    pub seed: u64,
}

/// Plays a game.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    if format == Format::Json {
        let message = "`play` is for people; `farrier playout --record` gives records for programs";
        return Err(Stop::Usage(message.to_owned()));
    }
    let mut playing = match (&args.resume, &args.game) {
        (Some(file), _) => resume(args, file)?,
        (None, Some(name)) => begin(args, name)?,
        (None, None) => return Err(Stop::Usage("which game?".to_owned())),
    };
    playing.keep()?;
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    #[cfg(feature = "terminal")]
    if terminal && !dumb && !args.plain {
        return super::table::run(playing, args.ascii);
    }
    let _ = (terminal, dumb, args.plain, args.ascii);
    plain::run(playing, out)
}

fn begin(args: &Args, name: &str) -> Result<Playing, Stop> {
    let choices = args.choices.choices();
    let game = load::load(name, &choices)?.game;
    let seats = seats::seats(&game.rules.players, &args.seats)?;
    let seed = args.start.seed.unwrap_or_else(new_seed);
    let session = Session::new(game.clone(), args.start.setup.as_deref(), seed);
    let session = session.map_err(|error| match error {
        StartError::Program(error) => load::unsound(error),
        StartError::Text(error) => load::setup_error(&game, &args.start, error),
    })?;
    let keeper = args.record.as_deref().map(Keeper::begin).transpose()?;
    let series = Series::of(&game);
    Ok(Playing::new(session, seats, series, keeper, name.to_owned(), choices, seed))
}

/// The session of a record. Every ply of it is verified.
pub(super) fn recorded(record: &Record, with: &[String]) -> Result<(Session, Choices), Stop> {
    let choices = Choices { with: with.to_vec(), set: replay::choices(&record.header), ..Choices::default() };
    let game = load::load(&record.header.game, &choices)?.game;
    let differs = |message: String| {
        let help = "`farrier replay` verifies records; extension files are given by --with";
        Stop::Input(format!("the record is not of this game: {message}"), Some(help.to_owned()))
    };
    replay::verify(&game, record).map_err(|error| differs(error.to_string()))?;
    let session = Session::resume(game, record).map_err(|error| differs(error.to_string()))?;
    Ok((session, choices))
}

fn resume(args: &Args, file: &str) -> Result<Playing, Stop> {
    // A word that names no file makes none.
    super::files::text(&super::files::name::path(file), u64::MAX).map_err(|error| match error {
        crate::source::FileError::Missing => Stop::Input(format!("there is no file `{file}`"), None),
        crate::source::FileError::Unreadable(why) => {
            Stop::Input(format!("`{file}` cannot be read: {why}"), None)
        }
    })?;
    let (keeper, records) = Keeper::resume(file)?;
    let with = args.choices.choices().with;
    let mut series: Option<Series> = None;
    let (last, before) = match records.split_last() {
        Some((last, before)) => (last, before),
        None => return Err(Stop::Input(format!("`{file}` has no record of a game"), None)),
    };
    for record in before {
        let (mut session, _) = recorded(record, &with)?;
        let series = series.get_or_insert(match Series::of(session.game()) {
            Some(series) => series,
            None => break,
        });
        if let Some(points) = session.match_points() {
            series.add(&points);
        }
    }
    let (session, choices) = recorded(last, &with)?;
    let players = &session.game().rules.players;
    let mut given: Vec<(String, Who)> = Vec::new();
    for (player, who) in &last.header.seats {
        // A seat that this Farrier cannot fill gets the usual agent.
        given.extend(seats::seat(&format!("{player}={}", who.as_str().unwrap_or_default())));
    }
    given.retain(|(player, _)| players.contains(player));
    given.extend(args.seats.iter().cloned());
    let seats = seats::seats(players, &given)?;
    let series = series.or_else(|| Series::of(session.game()));
    let seed = args.start.seed.unwrap_or_else(new_seed);
    let name = last.header.game.clone();
    Ok(Playing::new(session, seats, series, Some(keeper), name, choices, seed))
}

/// A seed from the clock: a new game is another one than the last.
fn new_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(load::SEED, |d| d.as_millis() as u64 % 1_000_000)
}

impl Playing {
    fn new(
        mut session: Session,
        seats: Vec<Who>,
        series: Option<Series>,
        keeper: Option<Keeper>,
        name: String,
        choices: Choices,
        seed: u64,
    ) -> Playing {
        let players = session.game().rules.players.clone();
        session.set_seats(players.into_iter().zip(seats.iter().map(ToString::to_string)));
        Playing { session, seats, series, keeper, name, choices, seed }
    }

    /// Who decides; none where it is chance or nobody.
    pub(super) fn who(&self) -> Option<&Who> {
        let moves = self.session.moves();
        if moves.is_chance() || moves.is_empty() {
            return None;
        }
        self.seats.get(moves.mover().index())
    }

    /// Brings the record to where the game is.
    pub(super) fn keep(&mut self) -> Result<(), Stop> {
        match &mut self.keeper {
            Some(keeper) => keeper.sync(&mut self.session),
            None => Ok(()),
        }
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

    /// What the game is worth in its match: points of all games with this one, and whether another one follows.
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
            self.choices.with.retain(|with| *with != option);
            self.choices.without.retain(|without| *without != option);
            self.choices.set.retain(|(name, _)| *name != option);
            self.choices.set.push((option, value));
        }
        let game = load::load(&self.name, &self.choices)?.game;
        self.seed = self.seed.wrapping_add(1);
        let session = Session::new(game, None, self.seed);
        let mut session = session.map_err(|error| Stop::Input(error.to_string(), None))?;
        let players = session.game().rules.players.clone();
        session.set_seats(players.into_iter().zip(self.seats.iter().map(ToString::to_string)));
        self.session = session;
        self.series = Some(series);
        if let Some(keeper) = &mut self.keeper {
            keeper.next();
        }
        self.keep()?;
        Ok(true)
    }

    /// The agents in their seats.
    pub(super) fn agents(&self) -> Result<Vec<Option<Seat>>, Stop> {
        let making = agents::making();
        let made = self.seats.iter().map(|who| who.agent().map(|spec| spec.seat(&making)).transpose());
        made.collect::<Result<_, _>>()
            .map_err(|AgentError { message, help }| Stop::Input(message, Some(help)))
    }
}

/// Asks an agent that gives hints; what it says, or why it does not.
pub(super) fn hint(session: &mut Session, rng: &mut Rng) -> Result<Option<Move>, String> {
    let strongest = Who::strongest();
    let spec = strongest.agent().cloned().unwrap_or_default();
    let mut seat = spec.seat(&agents::making()).map_err(|error| error.to_string())?;
    session.advise(&mut seat, rng, &mut |_| {}).transpose().map_err(|forfeit| forfeit.reason)
}

/// Who plays whom, in one line.
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

/// How a game ended, with the scores.
pub(super) fn result(session: &mut Session) -> String {
    let outcome = session.outcome();
    let scores = session.scores();
    let game = session.game();
    let name = game.outcome_name(outcome);
    let result = match &name[..] {
        "draw" => "the game is a draw".to_owned(),
        "unfinished" => "the game is unfinished".to_owned(),
        player => format!("{player} wins"),
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

/// The options that are not as usual, in one line.
pub(super) fn options(game: &Game) -> String {
    let changed: Vec<String> =
        game.changed_options().into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
    match changed.is_empty() {
        true => "all options are as usual".to_owned(),
        false => text::plain(&changed.join(", ")),
    }
}
