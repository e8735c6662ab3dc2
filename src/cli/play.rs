//! `farrier play`: the game, its players and its record. The game itself is led by [`super::plain`], line
//! by line, or by `super::table`, on a whole terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use super::keep::Keeper;
use super::load::{self, ChoiceArgs, StartArgs};
use super::playing::{Playing, recorded};
use super::seats::{self, Who};
use super::{Done, Format, Stop, plain};
use crate::session::{Series, Session, StartError, TimeControl};

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
    /// The time of each player for the game, and what each turn adds to it: `10m`, `5m+3s` [default: no clock]
    #[arg(long, value_name = "TIME[+TIME]", conflicts_with = "resume", value_parser = clock)]
    clock: Option<TimeControl>,
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

/// Reads the time that each player has for a game.
pub(super) fn clock(text: &str) -> Result<TimeControl, String> {
    TimeControl::parse(text).ok_or_else(|| {
        "a time for the game is written as `10m`, with what each turn adds as `5m+3s` (h, m, s, ms)"
            .to_owned()
    })
}

/// Plays a game.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    if format == Format::Json {
        let message = "`play` is for people; `farrier playout --record` gives records for programs";
        return Err(Stop::usage(message));
    }
    let mut playing = match (&args.resume, &args.game) {
        (Some(file), _) => resume(args, file)?,
        (None, Some(name)) => begin(args, name)?,
        (None, None) => return Err(Stop::usage("which game?")),
    };
    playing.keep()?;
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    #[cfg(feature = "terminal")]
    if terminal && !dumb && !args.plain {
        return super::table::run(playing, false, args.ascii);
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
    let mut session = session.map_err(|error| match error {
        StartError::Program(error) => error.into(),
        StartError::Text(error) => load::setup_error(&game, args.start.setup.as_deref(), error),
    })?;
    if let Some(control) = args.clock {
        session.set_clock(control);
    }
    let keeper = args.record.as_deref().map(Keeper::begin).transpose()?;
    let series = Series::of(&game);
    Ok(Playing::new(session, seats, series, keeper, name.to_owned(), choices, seed))
}

fn resume(args: &Args, file: &str) -> Result<Playing, Stop> {
    // A word that names no file makes none.
    super::replay::read(file).map_err(|why| Stop::input(format!("`{file}`: {why}")))?;
    let (keeper, records) = Keeper::resume(file)?;
    let with = args.choices.choices().with;
    let mut series: Option<Series> = None;
    let Some((last, before)) = records.split_last() else { return Err(Keeper::empty(file)) };
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
