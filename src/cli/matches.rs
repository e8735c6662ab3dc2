//! `farrier match`

mod log;
mod tell;

use std::collections::BTreeSet;
use std::io::Write;

use indicatif::ProgressBar;

use super::agents::{self, agent};
use super::files::draft::{self, Draft};
use super::files::{self, name};
use super::load::{self, ChoiceArgs, StartArgs};
use super::{Done, Exit, Format, Stop, selfplay, text};
use crate::matches::stats::{Sprt, Verdict};
use crate::matches::{Match, MatchError, Played, Rules, Standings};
use crate::search::AgentSpec;
use crate::session::TimeControl;

#[derive(clap::Args, Debug)]
#[command(after_help = agents::known())]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    game: String,
    /// The agents; with two players each meets each, else there is one for each player
    #[arg(long, value_name = "AGENT", num_args = 2.., required = true, value_parser = agent)]
    players: Vec<AgentSpec>,
    /// How many games of each pairing; made up to whole rounds, in which each agent has each seat once
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = load::within::<u64>(1..=1_000_000))]
    games: u64,
    /// Begin each round with so many random plies
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = load::within::<u32>(0..=1000))]
    opening_plies: u32,
    /// Begin the rounds with the openings of a file: a line of moves each
    #[arg(long, value_name = "FILE", conflicts_with = "opening_plies")]
    openings: Option<String>,
    /// Stop as soon as one of two Elo differences is far likelier than the other (for two agents)
    #[arg(long, value_names = ["ELO0", "ELO1"], num_args = 2, value_parser = elo)]
    sprt: Vec<f64>,
    /// End a game when its result is proved: by an agent of Farrier, or by the engines of all sides alike
    #[arg(long)]
    adjudicate: bool,
    /// The time of each player for a game, and what each turn adds to it: `1m`, `10s+100ms`; it takes the place of
    /// budgets of time [default: no clock]
    #[arg(long, value_name = "TIME[+TIME]", value_parser = super::play::clock)]
    clock: Option<TimeControl>,
    /// Cut a game after so many plies: it counts as a draw
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = load::within::<u32>(1..=1_000_000))]
    plies: u32,
    /// Play so many games at once; with budgets of time leave a core for each, or all become weaker
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = load::within::<u16>(1..=256))]
    threads: u16,
    /// Write the records of all games (JSON Lines), which `farrier replay` verifies
    #[arg(long, value_name = "FILE")]
    records: Option<String>,
    /// Keep the games in a file, and go on with those that are in it
    #[arg(long, value_name = "FILE")]
    resume: Option<String>,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    start: StartArgs,
}

/// The most bytes of a file of openings.
const MAX_OPENINGS_BYTES: u64 = 16 << 20;

fn elo(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|elo: &f64| elo.abs() <= 1000.0);
    number.ok_or_else(|| "an Elo difference from -1000 to 1000 is expected".to_owned())
}

/// Plays a match.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    let sprt = match args.sprt[..] {
        [elo0, elo1] if elo0 < elo1 => Some(Sprt { elo0, elo1 }),
        [] => None,
        _ => return Err(Stop::usage("--sprt takes two Elo differences, the lower first")),
    };
    if sprt.is_some() && args.players.len() != 2 {
        return Err(Stop::usage("--sprt is for a match of two agents"));
    }
    let game = load::load(&args.game, &args.choices.choices())?.game;
    if sprt.is_some() && game.rules.players.len() != 2 {
        return Err(Stop::usage("--sprt is for a game of two players"));
    }
    let rules = Rules {
        seed: args.start.seed(),
        setup: args.start.setup.clone(),
        opening_plies: args.opening_plies,
        openings: args.openings.as_deref().map(openings).transpose()?.unwrap_or_default(),
        plies: args.plies,
        adjudicate: args.adjudicate,
        clock: args.clock,
        ..Rules::new(args.players.clone())
    };
    let found = Match::new(game, rules, args.games).map_err(stop)?;
    let results = || args.records.iter().chain(&args.resume);
    draft::apart(results())?;
    // A file that cannot be written is reported before the games, not after them.
    args.records.iter().try_for_each(|path| Draft::begin(path).map(drop))?;
    let kept = args.resume.as_deref().map(|path| log::open(path, &found)).transpose()?;
    let (mut log, before) = kept.map_or((None, Vec::new()), |(log, games)| (Some(log), games));
    let mut table = Standings::new(found.schedule(), args.players.len());
    let known: BTreeSet<u64> = before.iter().map(|played| played.game).collect();
    // Records are few beside the thought that they cost: all are kept, and written in order.
    let mut records: Vec<(u64, String)> = Vec::new();
    let mut add = |played: Played, table: &mut Standings| {
        if args.records.is_some() {
            records.push((played.game, played.record.clone()));
        }
        table.add(played);
        sprt.is_none_or(|sprt| table.verdict(&sprt) == Verdict::GoOn)
    };
    let mut goes_on = true;
    for played in before {
        goes_on &= add(played, &mut table);
    }
    if goes_on {
        let bar = ProgressBar::new(found.schedule().games()).with_style(selfplay::style());
        bar.set_position(known.len() as u64);
        let making = agents::making_for(found.game(), args.start.setup.as_deref());
        let mut taker = |played: Played| -> Result<bool, Stop> {
            if let Some(log) = &mut log {
                log.add(&played)?;
            }
            let goes_on = add(played, &mut table);
            bar.inc(1);
            if let Some(score) = table.rows().first().and_then(|row| row.score()) {
                bar.set_message(format!("{:.1} %", 100.0 * score.value));
            }
            Ok(goes_on)
        };
        found.run(&known, usize::from(args.threads), &making, &mut taker).map_err(stop)?;
        bar.finish_and_clear();
    }
    if let Some(path) = &args.records {
        records.sort_by_key(|(number, _)| *number);
        let mut draft = Draft::begin(path)?;
        records.iter().try_for_each(|(_, record)| draft.add(record.as_bytes()))?;
        draft.keep()?;
    }
    match format {
        Format::Json => writeln!(out, "{}", tell::json(&found, &table, sprt))?,
        Format::Text => write!(out, "{}", text::plain(&tell::text(&found, &table, sprt)))?,
    }
    Ok(Exit::Fine)
}

/// Reads openings: a line each, blank lines and those that begin with `#` left out.
fn openings(path: &str) -> Result<Vec<Vec<String>>, Stop> {
    let text = files::text(&name::path(path), MAX_OPENINGS_BYTES)
        .map_err(|why| Stop::input(format!("`{path}` cannot be read: {why}")))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let found: Vec<Vec<String>> =
        lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect();
    if found.is_empty() {
        return Err(Stop::advised(format!("`{path}` has no opening"), "write a line of moves for each"));
    }
    Ok(found)
}

pub(super) fn stop(error: MatchError<Stop>) -> Stop {
    match error {
        MatchError::Rules(message, help) => Stop::Input(message, help),
        MatchError::Agent(error) => error.into(),
        MatchError::Taker(stop) => stop,
    }
}
