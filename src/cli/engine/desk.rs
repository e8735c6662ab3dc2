//! The answers to commands: a state machine.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use super::loaded::Loaded;
use super::options::{self, Own, Set};
use super::thinker::{Question, Task};
use super::time::Go;

use crate::cli::agents;
use crate::cli::engines::words::{self, Protocol};
use crate::cli::engines::{self, Start};
use crate::cli::text;
use crate::matches::Table;
use crate::play::{Move, Outcome, Rng};
use crate::program::ProgramError;
use crate::search::{AgentSpec, Budget, Found, Making, draw};

/// A search that is running.
struct Thinking {
    number: u64,
    began: Duration,
    /// The time by which the client wants its answer.
    until: Option<Duration>,
    stop: Arc<AtomicBool>,
    /// The answer is held back until `stop`, as `go infinite` asks.
    infinite: bool,
    held: Option<Result<Move, String>>,
    /// The last result for the best line.
    best: Option<Found>,
    /// The time and depth of the last `info` line, and whether it told `best`.
    last: (Duration, u32, bool),
}

/// The desk at which commands are answered.
pub(super) struct Desk {
    loaded: Loaded,
    own: Own,
    protocol: Protocol,
    /// The set-up with which games begin unless the client says otherwise.
    setup: Option<String>,
    seed: u64,
    table: Table,
    /// The start of the position on the table, and the moves behind it.
    placed: (Option<String>, Vec<String>),
    /// The mistake in the last position.
    broken: Option<String>,
    thinking: Option<Thinking>,
    questions: u64,
    /// Whether the agent has begun a thought in this game.
    is_prepared: bool,
    /// Commands that came while the agent thinks.
    waiting: VecDeque<String>,
    tasks: Sender<Task>,
    replies: Vec<String>,
    chance: Rng,
    /// The time to stop waiting for the agent, once no more commands come.
    leaving: Option<Duration>,
    ended: bool,
}

/// The shortest time between two `info` lines of one depth.
const INFO_INTERVAL: Duration = Duration::from_millis(100);

/// The delay after which the best move so far is the answer, if the agent gives none.
const ANSWER_DELAY: Duration = Duration::from_millis(5);

/// The time that an agent may take to stop.
pub(super) const STOPPING: Duration = Duration::from_secs(3);

/// The most commands that wait for a thought to end.
const MAX_WAITING_COMMANDS: usize = 64;

/// The most characters of a message that are shown of a word.
const MAX_WORD_LETTERS: usize = 80;

impl Desk {
    /// A desk for a game.
    pub(super) fn new(
        loaded: Loaded,
        agent: AgentSpec,
        setup: Option<String>,
        seed: u64,
        tasks: Sender<Task>,
    ) -> Result<Desk, ProgramError> {
        let table = Table::new(loaded.game.clone())?;
        let own =
            Own { agent, level: None, lines: 1, overhead: Duration::from_millis(5), threads: 1, hash: None };
        let mut desk = Desk {
            loaded,
            own,
            protocol: Protocol::Uci,
            setup,
            seed,
            table,
            placed: (None, Vec::new()),
            broken: None,
            thinking: None,
            questions: 0,
            is_prepared: false,
            waiting: VecDeque::new(),
            tasks,
            replies: Vec::new(),
            chance: Rng::new(seed),
            leaving: None,
            ended: false,
        };
        desk.place(None, &[]);
        desk.hire();
        Ok(desk)
    }

    /// The lines to be printed.
    pub(super) fn replies(&mut self) -> Vec<String> {
        std::mem::take(&mut self.replies)
    }

    /// Whether nothing more is to be done.
    pub(super) fn is_done(&self, now: Duration) -> bool {
        self.leaving.is_some_and(|until| self.thinking.is_none() || now >= until)
    }

    /// The time of the next deadline.
    pub(super) fn until(&self) -> Option<Duration> {
        let answer = self.thinking.as_ref().filter(|t| t.best.is_some() && t.held.is_none());
        let answer = answer.and_then(|t| t.until).map(|until| until + ANSWER_DELAY);
        answer.into_iter().chain(self.leaving).min()
    }

    /// Tells the client something.
    pub(super) fn note(&mut self, message: &str) {
        let message = text::brief(&message.replace(['\n', '\r'], " "));
        self.replies.push(format!("info string {message}"));
    }

    /// No more commands come. Commands that came are still answered.
    pub(super) fn end(&mut self, now: Duration) {
        self.ended = true;
        if self.thinking.as_ref().is_none_or(|thinking| thinking.infinite) {
            self.leave(now);
        }
    }

    /// Does the commands that waited for the end of a thought.
    pub(super) fn go_on(&mut self, now: Duration) {
        while self.thinking.is_none()
            && let Some(line) = self.waiting.pop_front()
        {
            self.command(&line, now);
        }
        if self.ended && self.thinking.is_none() && self.leaving.is_none() {
            self.leave(now);
        }
    }

    fn leave(&mut self, now: Duration) {
        self.waiting.clear();
        self.stop(now);
        self.leaving = Some(now + STOPPING);
    }

    /// Obeys a command that came at a time.
    pub(super) fn command(&mut self, line: &str, at: Duration) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { return };
        match *first {
            "uci" | "ugi" => {
                self.protocol = if *first == "ugi" { Protocol::Ugi } else { Protocol::Uci };
                let lines = options::greeting(&self.own, &self.loaded, self.protocol);
                self.replies.extend(lines);
            }
            "isready" => {
                if self.thinking.is_none() {
                    self.prepare();
                }
                self.replies.push("readyok".to_owned());
            }
            "stop" | "ponderhit" => self.stop(at),
            "quit" => self.leave(at),
            "debug" | "register" => {}
            // Clients that wait for each answer never see this; commands from a pipe may come at once.
            _ if self.thinking.is_some() => match &self.thinking {
                Some(thinking) if !thinking.infinite && self.waiting.len() < MAX_WAITING_COMMANDS => {
                    self.waiting.push_back(line.to_owned());
                }
                _ => self.note(&format!(
                    "`{}` is not done while the agent thinks: say `stop` first",
                    shown(first)
                )),
            },
            "query" => self.query(rest),
            "ucinewgame" | "uginewgame" => {
                self.table.machine.warm_up();
                self.is_prepared = false;
                self.task(Task::Forget);
            }
            "setoption" => self.set_option(line),
            "position" => self.position(line),
            "go" => self.go(rest, at),
            other => self.note(&format!("`{}` is no command of UCI or UGI", shown(other))),
        }
    }

    fn task(&mut self, task: Task) {
        if self.tasks.send(task).is_err() {
            self.note("the agent is gone: this is a mistake of Farrier itself");
        }
    }

    /// Waits until no time of a move goes into what is done once: the game is compiled, the agent knows what it learns
    /// of a game with its first thought, and has its memory. A program says itself when it is ready.
    fn prepare(&mut self) {
        self.table.machine.warm_up();
        let decides = self.broken.is_none() && self.table.mover().is_some();
        if self.is_prepared || !decides || self.own.chooser().is_program() {
            return;
        }
        self.is_prepared = true;
        let (ready, waits) = mpsc::channel();
        self.task(Task::Prepare(self.question(), ready));
        // A thread that is gone has told why.
        let _ = waits.recv();
    }

    /// The position on the table as a question, without a limit.
    fn question(&self) -> Box<Question> {
        let Table { pos, history, moves, played, .. } = &self.table;
        Box::new(Question {
            number: self.questions,
            pos: pos.clone(),
            history: history.clone(),
            moves: moves.clone(),
            played: played.clone(),
            nodes: u64::MAX,
            depth: u32::MAX,
            until: None,
            lines: self.own.lines,
            stop: Arc::new(AtomicBool::new(false)),
        })
    }

    /// Seats the agent.
    fn hire(&mut self) {
        self.is_prepared = false;
        let making = Box::new(Making {
            threads: self.own.threads,
            memory: self.own.hash.map(|megabytes| megabytes << 20),
            outside: Some(engines::outside(&self.loaded.game, Start::Any)),
            ..agents::making_for(&self.loaded.game, None)
        });
        self.task(Task::Seat(self.own.chooser().clone(), self.loaded.game.clone(), making));
    }

    fn set_option(&mut self, line: &str) {
        let rest = line.trim_start_matches("setoption").trim_start();
        let Some(rest) = rest.strip_prefix("name ") else {
            return self.note("write `setoption name NAME value VALUE`");
        };
        let (name, value) = match rest.split_once(" value ") {
            Some((name, value)) => (name.trim(), value.trim()),
            None => (rest.trim_end_matches(" value").trim(), ""),
        };
        match self.own.set(&self.loaded, name, value) {
            Ok(Set::Done) => {}
            Ok(Set::Agent) => self.hire(),
            Ok(Set::Game(choices)) => match self.loaded.with(choices) {
                Ok(loaded) => match Table::new(loaded.game.clone()) {
                    Ok(table) => {
                        loaded.prepare();
                        (self.loaded, self.table) = (loaded, table);
                        self.place(None, &[]);
                        self.hire();
                    }
                    Err(error) => self.note(&error.to_string()),
                },
                Err(why) => {
                    self.note(&format!("`{}` is not set to `{}`: {why}", shown(name), shown(value)));
                }
            },
            Err(why) => self.note(&why),
        }
    }

    fn position(&mut self, line: &str) {
        let rest = line.trim_start_matches("position").trim();
        // A text may hold any word: the last is the one that means something.
        let (start, moves) = match rest.rsplit_once(" moves") {
            Some((start, moves)) if moves.is_empty() || moves.starts_with(char::is_whitespace) => {
                (start.trim(), moves)
            }
            _ => (rest, ""),
        };
        let moves: Vec<&str> = moves.split_whitespace().collect();
        match start.split_once(char::is_whitespace) {
            None if start == "startpos" => self.place(None, &moves),
            Some(("fen", text)) => self.place(Some(text.trim()), &moves),
            _ => {
                let what = "write `position startpos moves ...` or `position fen TEXT moves ...`";
                self.broken = Some(what.to_owned());
                self.note(what);
            }
        }
    }

    /// Puts a position on the table.
    fn place(&mut self, text: Option<&str>, moves: &[&str]) {
        let known = &self.placed.1;
        let goes_on = self.broken.is_none()
            && !self.table.moves.is_empty()
            && self.placed.0.as_deref() == text
            && !known.is_empty()
            && known.len() <= moves.len()
            && known.iter().zip(moves).all(|(a, b)| a == b);
        let mut done = known.len();
        if !goes_on {
            done = 0;
            let setup = text.or(self.setup.as_deref());
            if let Err(error) = self.table.begin(setup, self.seed) {
                let advice = error.advice(setup.unwrap_or(""));
                let help = advice.map_or(String::new(), |help| format!("; {help}"));
                return self.broken(format!("the position cannot be read: {}{help}", error.message));
            }
        }
        for (place, word) in moves.iter().enumerate().skip(done) {
            self.pass_over(text);
            if let Err(error) = self.table.play_text(word) {
                return self.broken(format!("move {}, `{}`: {error}", place + 1, shown(word)));
            }
        }
        self.broken = None;
        self.placed = (text.map(str::to_owned), moves.iter().map(|&word| word.to_owned()).collect());
    }

    /// A client that goes on has not claimed the draw that it might have.
    fn pass_over(&mut self, text: Option<&str>) {
        // INVARIANT: this set-up was read before.
        let _ = self.table.pass_over(text.or(self.setup.as_deref()), self.seed);
    }

    fn broken(&mut self, what: String) {
        self.note(&format!("{what}: there is no position until one is sent that can be read"));
        self.broken = Some(what);
    }

    fn query(&mut self, words: &[&str]) {
        let answer = match (words, &self.broken) {
            (_, Some(_)) => "none".to_owned(),
            (["gameover"], _) => self.table.moves.is_empty().to_string(),
            (["p1turn"], _) => (self.table.person() == Some(0)).to_string(),
            (["result"], _) => match self.table.machine.outcome(&self.table.pos) {
                None => "none".to_owned(),
                Some(Outcome::Win(player)) => format!("p{}win", player.index() + 1),
                Some(_) => "draw".to_owned(),
            },
            (["fen"], _) => {
                let Table { game, machine, pos, .. } = &mut self.table;
                game.texts().write(machine, pos)
            }
            _ => return self.note("`query` asks for gameover, p1turn, result or fen"),
        };
        self.replies.push(format!("response {answer}"));
    }

    fn go(&mut self, words: &[&str], at: Duration) {
        let go = Go::read(words);
        if !go.unknown.is_empty() {
            let words: Vec<String> =
                go.unknown.iter().take(5).map(|word| format!("`{}`", shown(word))).collect();
            self.note(&format!("`go` knows nothing of {}", words.join(", ")));
        }
        if let Some(broken) = &self.broken {
            let message = format!("no move is sought: {broken}");
            self.note(&message);
            return self.replies.push("bestmove (none)".to_owned());
        }
        let text = self.placed.0.clone();
        self.pass_over(text.as_deref());
        if self.table.moves.is_empty() {
            self.note("the game is over");
            return self.replies.push("bestmove (none)".to_owned());
        }
        let Some(mover) = self.table.person() else {
            let Table { machine, pos, moves, .. } = &mut self.table;
            if let Some(number) = draw(machine, pos, moves, &mut self.chance) {
                self.note("chance decides: this move is drawn");
                self.replies.push(format!("bestmove {}", self.table.game.move_text(number)));
            }
            return;
        };
        let plies = self.table.pos.plies_a_turn(self.table.machine.layout());
        let time = go.time(mover, plies, self.own.overhead);
        let (mut nodes, mut time_limit) = (go.nodes.unwrap_or(u64::MAX), time);
        // Without another limit the agent has its own; so has one that is limited by depth, which not all heed.
        let bare = go.nodes.is_none() && time.is_none() && !go.infinite;
        if bare || !go.is_limited() {
            match self.own.chooser().budget() {
                Budget::Nodes(n) => nodes = n,
                Budget::Time(time) => time_limit = Some(time.saturating_sub(self.own.overhead)),
            }
        }
        // A level is held back however much time there is.
        if let (Some(_), Budget::Nodes(most)) = (self.own.chooser().level(), self.own.chooser().budget()) {
            nodes = nodes.min(most);
        }
        let until = time_limit.map(|time| at.saturating_add(time));
        self.questions += 1;
        let depth = go.depth.unwrap_or(u32::MAX);
        let question = Box::new(Question { nodes, depth, until, ..*self.question() });
        self.thinking = Some(Thinking {
            number: self.questions,
            began: at,
            until: until.map(|until| until + self.own.overhead),
            stop: question.stop.clone(),
            infinite: go.infinite,
            held: None,
            best: None,
            last: (at, 0, true),
        });
        self.task(Task::Think(question));
    }

    /// Ends a thought: its answer comes soon.
    fn stop(&mut self, now: Duration) {
        let Some(thinking) = &mut self.thinking else { return };
        thinking.stop.store(true, Ordering::Relaxed);
        thinking.infinite = false;
        if let Some(chosen) = thinking.held.take() {
            self.answer(chosen, now);
        }
    }

    /// The agent has found something.
    pub(super) fn told(&mut self, number: u64, found: Found, now: Duration) {
        let Some(thinking) = self.thinking.as_mut().filter(|t| t.number == number) else { return };
        let (last, depth, _) = thinking.last;
        let best = found.rank <= 1;
        let news = found.depth > depth || found.proved.is_some() || now >= last + INFO_INTERVAL || !best;
        let began = thinking.began;
        if best {
            thinking.best = Some(found.clone());
            thinking.last.2 = news;
        }
        if news {
            (thinking.last.0, thinking.last.1) = (now, found.depth);
            let line = self.info(&found, now.saturating_sub(began));
            self.replies.push(line);
        }
    }

    /// A result of the search, as an `info` line.
    fn info(&self, found: &Found, time: Duration) -> String {
        let nps = (found.nodes as f64 / time.as_secs_f64().max(0.001)) as u64;
        let mut out = format!("info depth {}", found.depth);
        if self.own.lines > 1 {
            out += &format!(" multipv {}", found.rank.max(1));
        }
        match found.proved {
            Some(plies) if found.value != 0.5 => {
                let count = match self.protocol {
                    Protocol::Ugi => plies,
                    Protocol::Uci => plies.div_ceil(2),
                };
                let sign = if found.value > 0.5 { "" } else { "-" };
                out += &format!(" score mate {sign}{count}");
            }
            _ => out += &format!(" score cp {}", words::points(found.value)),
        }
        out += &format!(" nodes {} nps {nps} time {}", found.nodes, time.as_millis());
        if !found.line.is_empty() {
            out += " pv";
            for number in &found.line {
                out.push(' ');
                out += &self.table.game.move_text(*number);
            }
        }
        out
    }

    /// The agent has chosen.
    pub(super) fn chosen(&mut self, number: u64, chosen: Result<Move, String>, now: Duration) {
        let Some(thinking) = self.thinking.as_mut().filter(|t| t.number == number) else { return };
        if thinking.infinite { thinking.held = Some(chosen) } else { self.answer(chosen, now) }
    }

    /// The agent broke off: the best that it has told is the answer, or else any move.
    pub(super) fn agent_broke(&mut self, number: u64, now: Duration) {
        self.note("the agent broke off and begins anew: this is a mistake of Farrier itself");
        if let Some(best) = self.best().or_else(|| self.table.moves.iter().next()) {
            self.chosen(number, Ok(best), now);
        }
    }

    /// The best move that the agent has told.
    fn best(&self) -> Option<Move> {
        let best = self.thinking.as_ref()?.best.as_ref()?.line.first().copied()?;
        self.table.moves.contains(best).then_some(best)
    }

    /// The time is over and the agent has not chosen: the best that it has told is the answer.
    pub(super) fn late(&mut self, now: Duration) {
        let Some(thinking) = &self.thinking else { return };
        if thinking.until.is_none_or(|until| now < until + ANSWER_DELAY) || thinking.held.is_some() {
            return;
        }
        if let Some(best) = self.best() {
            thinking.stop.store(true, Ordering::Relaxed);
            self.answer(Ok(best), now);
        } else if let Some(thinking) = &mut self.thinking {
            // Nothing can be done but to wait.
            thinking.until = None;
        }
    }

    /// Answers a question.
    fn answer(&mut self, chosen: Result<Move, String>, now: Duration) {
        let Some(thinking) = self.thinking.take() else { return };
        let time = now.saturating_sub(thinking.began);
        match (&thinking.best, thinking.last.2) {
            (Some(found), false) => self.replies.push(self.info(found, time)),
            (None, _) => self.replies.push(format!("info time {}", time.as_millis())),
            _ => {}
        }
        let word = match chosen {
            Ok(number) => self.table.game.move_text(number),
            Err(why) => {
                self.note(&why);
                "(none)".to_owned()
            }
        };
        self.replies.push(format!("bestmove {word}"));
    }
}

/// A word of a client, in a message.
fn shown(word: &str) -> String {
    text::cut(word, MAX_WORD_LETTERS)
}
