//! `farrier engine`: a game as an engine that speaks UCI and UGI.
//!
//! ```text
//! standard input -> reader ---Line--->
//!                                      this thread: Desk -> replies -> standard output
//!               thinker ---Told, Chosen--->   |
//!                  ^-----------Task-----------+
//! ```
//!
//! The [`Desk`] reads no clock and does no input or output: a command with its time goes in, lines come out. All
//! queues are bounded, so a client that floods waits; a line without an end is passed over.

mod desk;
mod event;
mod loaded;
mod options;
mod thinker;
mod time;

use std::io::Write;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::Duration;

use super::agents::{self, agent};
use super::files::lines::{self, Line};
use super::load::{self, ChoiceArgs, StartArgs};
use super::{Done, Exit, Format, Stop};
use crate::search::AgentSpec;
use desk::{Desk, STOPPING};
use event::Event;
use loaded::Loaded;

#[derive(clap::Args, Debug)]
#[command(after_help = agents::known())]
pub(super) struct Args {
    /// A shipped game's name, or the path of a definition
    game: String,
    /// Who chooses the moves; the option `Agent` changes it
    #[arg(long, value_name = "AGENT", default_value = "auto:1s", value_parser = agent)]
    agent: AgentSpec,
    #[command(flatten)]
    choices: ChoiceArgs,
    #[command(flatten)]
    start: StartArgs,
}

/// The longest line: a game of a hundred thousand plies has a shorter one.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The most events that wait.
const MAX_WAITING_EVENTS: usize = 64;

/// Speaks to a client until it leaves.
pub(super) fn run(args: &Args, format: Format, out: &mut dyn Write) -> Done {
    if format == Format::Json {
        return Err(Stop::usage("`engine` speaks UCI and UGI, no JSON"));
    }
    let choices = args.choices.choices();
    let game = load::load(&args.game, &choices)?.game;
    // A start that cannot be set up is said before anybody listens.
    args.start.start(&game, &mut game.machine()?, args.start.seed())?;
    let loaded = Loaded { name: args.game.clone(), game, choices };
    loaded.prepare();
    let (sender, events) = mpsc::sync_channel(MAX_WAITING_EVENTS);
    let (tasks, to_do) = mpsc::channel();
    let (seed, from_thinker) = (args.start.seed(), sender.clone());
    let thinker = std::thread::spawn(move || thinker::work(&to_do, &from_thinker, seed));
    std::thread::spawn(move || read(&sender));
    let mut desk = Desk::new(loaded, args.agent.clone(), args.start.setup.clone(), seed, tasks)?;
    while !desk.is_done(agents::clock()) {
        let event = match desk.until() {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => events.recv_timeout(until.saturating_sub(agents::clock())),
        };
        match event {
            Ok(Event::Line(line, at)) => desk.command(&line, at),
            Ok(Event::Long) => desk.note("a line of more than a megabyte is no command: it is passed over"),
            Ok(Event::End) => desk.end(agents::clock()),
            Ok(Event::Told(number, found)) => desk.told(number, *found, agents::clock()),
            Ok(Event::Chosen(number, chosen)) => desk.chosen(number, chosen, agents::clock()),
            Ok(Event::Broken(number)) => desk.agent_broke(number, agents::clock()),
            Ok(Event::Note(note)) => desk.note(&note),
            Err(RecvTimeoutError::Timeout) => desk.late(agents::clock()),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        desk.go_on(agents::clock());
        for line in desk.replies() {
            writeln!(out, "{line}")?;
        }
        out.flush()?;
    }
    // Agents may be programs: they are ended before this one is, if they let themselves be.
    drop((desk, events));
    let until = agents::clock() + STOPPING;
    while !thinker.is_finished() && agents::clock() < until {
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(Exit::Fine)
}

/// Reads commands.
fn read(events: &SyncSender<Event>) {
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    // Whether this is the rest of a line that was too long.
    let mut rest = false;
    loop {
        let event = match lines::next(&mut input, MAX_LINE_BYTES, &mut line) {
            Err(_) | Ok(Line::None) => Event::End,
            Ok(Line::Long) if rest => continue,
            Ok(Line::Long) => {
                rest = true;
                Event::Long
            }
            Ok(Line::Whole | Line::Torn) if std::mem::take(&mut rest) => continue,
            Ok(Line::Whole | Line::Torn) => {
                Event::Line(String::from_utf8_lossy(&line).trim().to_owned(), agents::clock())
            }
        };
        let last = matches!(event, Event::End);
        if events.send(event).is_err() || last {
            return;
        }
    }
}
