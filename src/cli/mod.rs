//! The command line: one file for each subcommand, and the code that they share.
//!
//! This is the only place that reads files ([`files`]), the clock and the terminal. Every subcommand writes to one
//! stream and gives back an [`Exit`] or the reason why it [stopped](Stop); [`main`] turns both into the
//! exit code: 0 fine, 1 the input is wrong, a check failed or variants differ, 2 wrong usage.

mod agents;
mod bench;
mod check;
#[cfg(any(feature = "terminal", feature = "serve"))]
mod choices;
mod compare;
mod compared;
mod describe;
mod diff;
mod distinguish;
mod draw;
mod engine;
pub mod engines;
mod export;
mod files;
mod help;
mod keep;
mod list;
mod load;
mod matches;
mod matrix;
mod merge;
mod perft;
mod plain;
mod play;
mod playing;
mod playout;
mod replay;
mod report;
mod screen;
mod seats;
mod selfplay;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod solve;
#[cfg(feature = "terminal")]
mod table;
mod test;
mod text;
mod train;
mod tune;
mod usual;

#[cfg(feature = "terminal")]
#[doc(hidden)]
pub use table::shown;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use self::screen::Screen;
use crate::diagnostic::Diagnostics;
use crate::program::ProgramError;
use crate::search::AgentError;
use crate::source::Sources;

/// Write, check, play and compare board games that are TOML definitions.
#[derive(Parser, Debug)]
#[command(
    name = "farrier",
    version,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    after_help = "GAME is the name of a shipped game (`farrier list` shows them) or the path of a definition, \
                  such as ./my-game.toml.\n`farrier help language` prints the reference of the language."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// How to print: `text` for people, `json` for programs (`farrier help json` tells what is printed)
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// List the games that come with Farrier
    List,
    /// Show a game: its board at the start, players and options
    Show(show::Args),
    /// Look for mistakes in definitions, with every option and pair of options
    Check(check::Args),
    /// Run the tests that definitions carry
    Test(test::Args),
    /// Play a game in the terminal
    Play(play::Args),
    /// Play matches between agents: who is stronger, by how much
    Match(matches::Args),
    /// Speak UCI or UGI: an engine for programs that show, judge or analyse games
    Engine(engine::Args),
    /// Count the sequences of moves of each length
    Perft(perft::Args),
    /// Play games of random moves
    Playout(playout::Args),
    /// Measure how fast a game is played
    Bench(bench::Args),
    /// Play records again and verify every ply
    Replay(replay::Args),
    /// Write records as lists of moves, or as PGN
    Export(export::Args),
    /// Compare variants by games of self-play: which differences are more than chance
    Compare(compare::Args),
    /// Add up the parts of a comparison that were played one by one
    Merge(merge::Args),
    /// Play combinations of options: what each option does, and each pair
    Matrix(matrix::Args),
    /// Find the settings of a game that come nearest to what is wanted of it
    Tune(tune::Args),
    /// Prove who wins, or that nobody does
    Solve(solve::Args),
    /// Learn what positions are worth, by self-play: agents play better with it
    Train(train::Args),
    /// Show games in a browser: play them, toggle their options, edit and compare them
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    /// Show what a definition means: decisions, options and the program that is run
    Describe(describe::Args),
    /// Show how two variants differ in meaning
    Diff(diff::Args),
    /// Find where two variants behave differently, and which rule it is
    Distinguish(distinguish::Args),
    /// Print help: of a command, `language` for the reference of the language, or `json`
    Help(help::Args),
}

/// How a command ended that did its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exit {
    /// All is well.
    Fine,
    /// A check failed or variants differ; the reason was printed.
    Wrong,
}

/// Why a command could not do its work.
enum Stop {
    /// The definition is wrong.
    Diagnostics(Diagnostics, Sources),
    /// Other input is wrong: a message, and what to do about it.
    Input(String, Option<String>),
    /// The command was called wrongly.
    Usage(String),
    /// A stream broke.
    Io(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

impl From<AgentError> for Stop {
    fn from(error: AgentError) -> Stop {
        Stop::advised(error.message, error.help)
    }
}

impl From<ProgramError> for Stop {
    fn from(error: ProgramError) -> Stop {
        Stop::advised(error.to_string(), "this is a mistake of Farrier itself: please report it")
    }
}

impl Stop {
    /// Input is wrong, and nothing more can be said.
    fn input(message: impl Into<String>) -> Stop {
        Stop::Input(message.into(), None)
    }

    /// Input is wrong: a message, and what to do about it.
    fn advised(message: impl Into<String>, help: impl Into<String>) -> Stop {
        Stop::Input(message.into(), Some(help.into()))
    }

    /// The command was called wrongly.
    fn usage(message: impl Into<String>) -> Stop {
        Stop::Usage(message.into())
    }

    /// The reason in one line.
    fn message(&self) -> String {
        match self {
            Stop::Diagnostics(found, _) => {
                found.0.first().map_or("the definition is wrong".to_owned(), |d| d.message.clone())
            }
            Stop::Input(message, None) | Stop::Usage(message) => message.clone(),
            Stop::Input(message, Some(help)) => format!("{message}; {help}"),
            Stop::Io(error) => error.to_string(),
        }
    }
}

type Done = Result<Exit, Stop>;

impl Command {
    /// Whether it prints JSON in every format.
    fn prints_records(&self) -> bool {
        matches!(self, Command::Playout(args) if args.prints_records())
    }
}

/// The command line. A negative number is a wrong value, not an unknown option.
fn command() -> clap::Command {
    let lenient = |arg: clap::Arg| match arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    Cli::command().mut_subcommands(|command| command.mut_args(lenient))
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let words = std::env::args_os().map(|word| files::name::word(&word));
    let parsed = command().try_get_matches_from(words).and_then(|found| Cli::from_arg_matches(&found));
    let stdout = |json| Screen::new(anstream::stdout().lock(), json);
    let args = match parsed {
        Ok(args) => args,
        Err(error) => {
            let message = error.render();
            // If even this cannot be printed nobody is listening. Messages of errors hold words of the user.
            let _ = match error.use_stderr() {
                true => write!(screen::err(), "{}", said(&message.to_string())),
                false => write!(stdout(false), "{}", message.ansi()),
            };
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let mut out = stdout(args.format == Format::Json || args.command.prints_records());
    let done = run(&args, &mut out).and_then(|exit| {
        out.flush()?;
        Ok(exit)
    });
    engines::end_all();
    let stopped = match done {
        Ok(Exit::Fine) => return ExitCode::SUCCESS,
        Ok(Exit::Wrong) => return ExitCode::from(1),
        Err(stop) => stop,
    };
    let code = if matches!(stopped, Stop::Usage(_)) { 2 } else { 1 };
    match say(&stopped, args.format, &mut out) {
        // The reader went away, as `head` does: nothing is wrong.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        _ => ExitCode::from(code),
    }
}

fn run(args: &Cli, out: &mut dyn Write) -> Done {
    let format = args.format;
    match &args.command {
        Command::List => list::run(format, out),
        Command::Show(args) => show::run(args, format, out),
        Command::Check(args) => check::run(args, format, out),
        Command::Test(args) => test::run(args, format, out),
        Command::Play(args) => play::run(args, format, out),
        Command::Match(args) => matches::run(args, format, out),
        Command::Engine(args) => engine::run(args, format, out),
        Command::Perft(args) => perft::run(args, format, out),
        Command::Playout(args) => playout::run(args, format, out),
        Command::Bench(args) => bench::run(args, format, out),
        Command::Replay(args) => replay::run(args, format, out),
        Command::Export(args) => export::run(args, format, out),
        Command::Compare(args) => compare::run(args, format, out),
        Command::Matrix(args) => matrix::run(args, format, out),
        Command::Merge(args) => merge::run(args, format, out),
        Command::Tune(args) => tune::run(args, format, out),
        Command::Solve(args) => solve::run(args, format, out),
        Command::Train(args) => train::run(args, format, out),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(args, format, out),
        Command::Describe(args) => describe::run(args, format, out),
        Command::Diff(args) => diff::run(args, format, out),
        Command::Distinguish(args) => distinguish::run(args, format, out),
        Command::Help(args) => help::run(args, format, out),
    }
}

/// A message that quotes texts from outside.
fn said(message: &str) -> String {
    text::brief(&text::plain(message))
}

/// Says why a command stopped.
fn say(stop: &Stop, format: Format, out: &mut dyn Write) -> io::Result<()> {
    let mut err = screen::err();
    match (stop, format) {
        (Stop::Io(error), _) if error.kind() == io::ErrorKind::BrokenPipe => {
            Err(io::Error::from(io::ErrorKind::BrokenPipe))
        }
        (Stop::Io(error), _) => writeln!(err, "error: {error}"),
        (Stop::Usage(message), _) => {
            writeln!(err, "error: {}\n\nFor more information, try '--help'.", said(message))
        }
        (Stop::Diagnostics(found, sources), Format::Text) => {
            for d in &found.0 {
                writeln!(err, "{}", report::draw(d, sources))?;
            }
            Ok(())
        }
        (Stop::Diagnostics(found, sources), Format::Json) => {
            writeln!(out, "{}", serde_json::json!({ "diagnostics": report::list(&found.0, sources) }))
        }
        (Stop::Input(message, help), Format::Text) => {
            writeln!(err, "error: {}", said(message))?;
            help.as_ref().map_or(Ok(()), |help| writeln!(err, "help: {}", said(help)))
        }
        (Stop::Input(message, help), Format::Json) => {
            let (message, help) = (text::brief(message), help.as_deref().map(text::brief));
            let d =
                serde_json::json!({ "severity": "error", "code": "input", "message": message, "help": help });
            writeln!(out, "{}", serde_json::json!({ "diagnostics": [d] }))
        }
    }
}
