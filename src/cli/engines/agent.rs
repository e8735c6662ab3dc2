//! The agent that asks an engine.

use std::time::{Duration, Instant};

use super::Start;
use super::command::Command;
use super::process::{Heard, Process};
use super::words::{self, Info, Protocol, Score};
use crate::cli::text;
use crate::game::Game;
use crate::notation::moves::PASS;
use crate::play::{Machine, Move, Moves};
use crate::search::{Agent, Forfeit, Found, Situation, Thought};

/// The times that an engine is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Until it has said which protocol it speaks. It is asked for UCI first, for UGI too after `second`.
    pub greeting: Duration,
    pub second: Duration,
    /// Until it is ready.
    pub ready: Duration,
    /// After its time, until it has given its move.
    pub late: Duration,
    /// From one line to the next, where its time is not limited.
    pub silent: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            greeting: Duration::from_secs(20),
            second: Duration::from_secs(2),
            ready: Duration::from_secs(20),
            late: Duration::from_secs(2),
            silent: Duration::from_secs(60),
        }
    }
}

/// The delay behind its time after which an engine is told to stop.
const STOP_DELAY: Duration = Duration::from_millis(50);

/// The most lines that are taken for one answer.
const MAX_LINES: u64 = 1_000_000;

/// The time between two looks at the sign to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(5);

/// The most plies of a line that are told.
const MAX_TOLD_PLIES: usize = 64;

/// An engine that plays.
pub struct Engine {
    game: Game,
    start: Start,
    command: Command,
    patience: Patience,
    process: Option<(Process, Protocol)>,
    /// Whether a new game is to be announced.
    fresh: bool,
}

impl Engine {
    /// Starts an engine; or says why it does not go.
    pub(super) fn start(
        game: Game,
        start: Start,
        command: Command,
        patience: Patience,
    ) -> Result<Engine, String> {
        let mut engine = Engine { game, start, command, patience, process: None, fresh: true };
        engine.process()?;
        Ok(engine)
    }

    /// A sentence about it.
    fn fault(&self, what: &str) -> String {
        let name = self.command.words.first().map_or("", String::as_str);
        format!("the engine `{name}` {what}")
    }

    /// Runs it, if it does not run.
    fn process(&mut self) -> Result<(), String> {
        if self.process.is_some() {
            return Ok(());
        }
        let mut process = Process::start(&self.command.words)
            .map_err(|e| self.fault(&format!("cannot be started: {e}")))?;
        let protocol = self.greet(&mut process)?;
        for (name, value) in &self.command.options {
            process.say(&match value {
                Some(value) => format!("setoption name {name} value {value}"),
                None => format!("setoption name {name}"),
            });
        }
        self.ready(&mut process)?;
        self.process = Some((process, protocol));
        self.fresh = true;
        Ok(())
    }

    /// The next line; none where the program is silent until a time. Or why it says no more.
    fn hear(&self, process: &mut Process, until: Instant, gone: &str) -> Result<Option<String>, String> {
        match process.hear(until) {
            Heard::Line(line) => Ok(Some(line)),
            Heard::Silence => Ok(None),
            Heard::Endless => Err(self.fault("prints a line without an end")),
            Heard::End => Err(self.fault(&format!("{gone}: {}", process.end()))),
        }
    }

    fn greet(&self, process: &mut Process) -> Result<Protocol, String> {
        process.say("uci");
        let until = Instant::now() + self.patience.greeting;
        let second = Instant::now() + self.patience.second;
        let mut asked = false;
        for _ in 0..MAX_LINES {
            let line =
                self.hear(process, if asked { until } else { second }, "speaks neither UCI nor UGI")?;
            match line.as_deref().map(str::trim) {
                Some("uciok") => return Ok(Protocol::Uci),
                Some("ugiok") => return Ok(Protocol::Ugi),
                Some(_) => {}
                None if asked => {
                    return Err(self.fault("speaks neither UCI nor UGI: it did not answer in time"));
                }
                None => {
                    process.say("ugi");
                    asked = true;
                }
            }
            if Instant::now() >= until {
                break;
            }
        }
        Err(self.fault("speaks neither UCI nor UGI: it prints other things"))
    }

    fn ready(&self, process: &mut Process) -> Result<(), String> {
        process.say("isready");
        let until = Instant::now() + self.patience.ready;
        for _ in 0..MAX_LINES {
            match self.hear(process, until, "is gone")? {
                Some(line) if line.trim() == "readyok" => return Ok(()),
                Some(_) if Instant::now() < until => {}
                _ => {
                    let seconds = self.patience.ready.as_secs();
                    return Err(self.fault(&format!("was not ready within {seconds} s")));
                }
            }
        }
        Err(self.fault("prints without end"))
    }

    /// The command that sets the position.
    fn position(&self, machine: &mut Machine, at: Situation<'_>) -> String {
        let (mut text, played) = match &self.start {
            Start::Own => ("position startpos".to_owned(), at.played),
            Start::Text(text) => (format!("position fen {text}"), at.played),
            Start::Any => (format!("position fen {}", self.game.texts().write(machine, at.pos)), &[][..]),
        };
        if !played.is_empty() {
            text += " moves";
            for number in played {
                text.push(' ');
                text += &self.game.move_text(*number);
            }
        }
        text
    }

    /// Asks for a move, and for its text.
    fn ask(
        &self,
        talk: (&mut Process, Protocol),
        machine: &mut Machine,
        at: Situation<'_>,
        thought: &mut Thought<'_>,
    ) -> Result<Move, String> {
        let (process, protocol) = talk;
        let position = self.position(machine, at);
        process.say(&position);
        self.ready(process)?;
        let limit = thought.limit;
        let own = limit.until.map(|(clock, until)| until.saturating_sub(clock()));
        let left = match limit.clocks {
            Some(clocks) => clocks.left.get(at.moves.mover().index()).copied(),
            None => own,
        };
        process.say(&words::go(&limit, own));
        let began = Instant::now();
        let mut heard_last = began;
        let mut nudged = None;
        let mut lines = 0;
        // The last `info string` may say why its move is illegal.
        let mut note = String::new();
        loop {
            let now = Instant::now();
            let over = left.is_some_and(|left| now >= began + left + STOP_DELAY)
                || limit.stop.is_some_and(|stop| stop.load(std::sync::atomic::Ordering::Relaxed));
            if over && nudged.is_none() {
                process.say("stop");
                nudged = Some(now);
            }
            if nudged.is_some_and(|nudged| now >= nudged + self.patience.late) {
                let seconds = self.patience.late.as_secs();
                return Err(self.fault(&format!("gave no move {seconds} s after its time")));
            }
            let open = left.is_none() && limit.nodes == u64::MAX && limit.depth == u32::MAX;
            if left.is_none() && !open && now >= heard_last + self.patience.silent {
                return Err(self.fault(&format!("said nothing for {} s", self.patience.silent.as_secs())));
            }
            let Some(line) = self.hear(process, now + STOP_INTERVAL, "is gone")? else { continue };
            heard_last = now;
            lines += 1;
            if lines > MAX_LINES {
                return Err(self.fault("prints without end"));
            }
            if let Some(word) = words::best(&line) {
                return self.legal(at.moves, word).map_err(|why| why + &note);
            }
            if let Some(said) = line.trim().strip_prefix("info string ") {
                note = format!(" (it said: {})", text::cut(&text::plain(said), 200));
            }
            if thought.tell.is_some()
                && let Some(info) = words::info(&line)
            {
                thought.tell(&self.found(&info, protocol, machine, at));
            }
        }
    }

    /// The move of a word.
    fn legal(&self, moves: &Moves, word: &str) -> Result<Move, String> {
        let read = |word: &str| self.game.read_move(moves, word);
        let found = read(word).or_else(|error| if word == "0000" { read(PASS) } else { Err(error) });
        found.map_err(|_| {
            let word = text::cut(&text::plain(word), 40);
            self.fault(&format!("gave the move `{word}`, which is not legal"))
        })
    }

    /// The result in an `info` line, with its moves read as far as they are legal.
    fn found(&self, info: &Info<'_>, protocol: Protocol, machine: &mut Machine, at: Situation<'_>) -> Found {
        let (value, proved) = match info.score {
            None => (0.5, None),
            Some(Score::Points(cp)) => (words::value(cp), None),
            Some(Score::Mate(mate)) => {
                let plies = match protocol {
                    Protocol::Ugi => mate.unsigned_abs(),
                    Protocol::Uci => {
                        mate.unsigned_abs().saturating_mul(2).saturating_sub(u32::from(mate > 0))
                    }
                };
                (if mate > 0 { 1.0 } else { 0.0 }, Some(plies))
            }
        };
        let (mut pos, mut history, mut moves) = (at.pos.clone(), at.history.clone(), at.moves.clone());
        let mut line = Vec::new();
        for word in info.line.split_whitespace().take(MAX_TOLD_PLIES) {
            let Ok(number) = self.legal(&moves, word) else { break };
            line.push(number);
            machine.play(&mut pos, number, &mut history, &mut moves);
        }
        Found { depth: info.depth, nodes: info.nodes, value, proved, line, rank: info.rank }
    }
}

impl Agent for Engine {
    fn choose(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        thought: &mut Thought<'_>,
    ) -> Result<Move, Forfeit> {
        let give_up = |reason: String| Forfeit { reason };
        self.process().map_err(give_up)?;
        // After a mistake this process is not asked again: dropping it ends it.
        let Some((mut process, protocol)) = self.process.take() else {
            return Err(give_up(self.fault("does not run")));
        };
        if std::mem::take(&mut self.fresh) {
            process.say(if protocol == Protocol::Ugi { "uginewgame" } else { "ucinewgame" });
        }
        let found = self.ask((&mut process, protocol), machine, at, thought).map_err(give_up)?;
        self.process = Some((process, protocol));
        Ok(found)
    }

    fn forget(&mut self) {
        self.fresh = true;
    }
}
