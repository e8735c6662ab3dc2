//! A game in progress: moves made one after the other, taken back and made again, resignation, clocks, why it ended;
//! and several games in a row.
//!
//! ```text
//! Session   start, plies made, plies taken back -> position, legal moves, outcome, why
//! Clocks    what is left of its time to each person
//! Question  a position for an agent, apart from the session: it may think on a thread of its own
//! Series    points of the games of a `[match]`, and which options the next one has
//! ```

mod clock;
mod series;

pub use clock::{Clocks, TimeControl, share};
pub use series::Series;

use std::time::Duration;

use crate::game::Game;
use crate::ids::Player;
use crate::notation::moves::MoveError;
use crate::notation::parts::Choosing;
use crate::notation::position::TextError;
use crate::notation::record::{End, Header, Lost, Ply, Record, STUCK};
use crate::notation::turns;
use crate::play::{EndedBy, History, Machine, Move, Moves, Outcome, Position, Rng};
use crate::program::ProgramError;
use crate::search::{Forfeit, Found, Seat, Situation, Thought, draw};
use crate::siteset::SiteSet;

/// Why a session cannot begin.
#[derive(Clone, PartialEq, Debug)]
pub enum StartError {
    /// The set-up's text is wrong.
    Text(TextError),
    /// The program is not sound: a mistake of Farrier itself.
    Program(ProgramError),
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StartError::Text(error) => write!(f, "{error}"),
            StartError::Program(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for StartError {}

impl From<TextError> for StartError {
    fn from(error: TextError) -> StartError {
        StartError::Text(error)
    }
}

impl From<ProgramError> for StartError {
    fn from(error: ProgramError) -> StartError {
        StartError::Program(error)
    }
}

/// Why a record cannot be gone on with.
#[derive(Clone, PartialEq, Debug)]
pub enum ResumeError {
    /// Its start.
    Start(StartError),
    /// A ply, by its place in the record, and its text.
    Move(usize, String, MoveError),
    /// The text of its clock.
    Clock(String),
    /// A ply, by its place in the record, that leaves more time than there was.
    Time(usize),
}

impl std::fmt::Display for ResumeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ResumeError::Start(error) => write!(f, "{error}"),
            ResumeError::Move(ply, text, error) => write!(f, "move {ply}, `{text}`: {error}"),
            ResumeError::Clock(text) => write!(f, "`{text}` is no clock"),
            ResumeError::Time(ply) => write!(f, "move {ply} leaves more time on the clock than there was"),
        }
    }
}

impl std::error::Error for ResumeError {}

impl From<StartError> for ResumeError {
    fn from(error: StartError) -> ResumeError {
        ResumeError::Start(error)
    }
}

/// A game in progress.
///
/// ```
/// use farrier::session::Session;
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = "tic-tac-toe".parse::<Variant>()?.open(&Shipped)?;
/// let mut session = Session::new(game, None, 1)?;
/// for text in ["a1", "b1", "a2", "b2"] {
///     session.play_text(text)?;
/// }
/// assert!(session.outcome().is_none() && session.play_text("a1").is_err());
/// session.play_text("a3")?;
/// assert!(session.outcome().is_some());
/// session.undo();
/// assert_eq!(session.played().len(), 4);
/// # Ok(())
/// # }
/// ```
pub struct Session {
    game: Game,
    machine: Machine,
    pos: Position,
    before: Vec<Before>,
    played: Vec<Move>,
    /// The moves that were taken back, the next to be made again last, each with what its ply left on the clock.
    undone: Vec<(Move, Option<Duration>)>,
    /// How it was lost behind the moves that were taken back.
    undone_loss: Option<(Player, Lost)>,
    history: History,
    moves: Moves,
    /// Who has lost the game beside its rules, and how.
    lost: Option<(Player, Lost)>,
    clocks: Option<Clocks>,
    /// The header of its records.
    header: Header,
    /// The plies as records have them.
    plies: Vec<Ply>,
}

/// What a ply changes, as it was before.
#[derive(Clone, Debug)]
struct Before {
    pos: Position,
    /// The length of the history.
    length: usize,
    /// What was left on the clock of who made it.
    left: Option<Duration>,
}

/// Why a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The end of that name, a table `[end.NAME]` of the definition.
    End(String),
    /// The mover had no move: the rule `stuck` ended the game.
    Stuck,
    /// A player has lost it beside its rules.
    Lost(Player, Lost),
}

/// A position for an agent, apart from the session that goes on meanwhile.
#[derive(Clone, Debug)]
pub struct Question {
    pos: Position,
    history: History,
    moves: Moves,
    played: Vec<Move>,
    time: Option<Duration>,
}

impl Question {
    /// The most time that its answer should take, where a clock runs.
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// The question as agents take it.
    pub fn situation(&self) -> Situation<'_> {
        Situation { pos: &self.pos, history: &self.history, moves: &self.moves, played: &self.played }
    }
}

impl Session {
    /// Begins a game, with the name or text of a set-up or a position, or the seed.
    pub fn new(game: Game, setup: Option<&str>, seed: u64) -> Result<Session, StartError> {
        let mut machine = game.machine()?;
        let pos = game.start(&mut machine, setup, seed)?;
        let mut history = History::new();
        history.push(machine.full_hash(&pos));
        let mut moves = Moves::new();
        machine.moves(&pos, &mut moves);
        let mut header = game.header();
        header.setup = setup.map(str::to_owned).or_else(|| game.texts().write_setup(&pos));
        if header.setup.is_none() && game.program.layout.is_dealt() {
            header.seed = Some(seed);
        }
        Ok(Session {
            game,
            machine,
            pos,
            before: Vec::new(),
            played: Vec::new(),
            undone: Vec::new(),
            undone_loss: None,
            history,
            moves,
            lost: None,
            clocks: None,
            header,
            plies: Vec::new(),
        })
    }

    /// Goes on with the game of a record, an unfinished one or not.
    pub fn resume(game: Game, record: &Record) -> Result<Session, ResumeError> {
        let header = &record.header;
        let mut session = Session::new(game, header.setup.as_deref(), header.seed.unwrap_or(0))?;
        session.header = header.clone();
        if let Some(text) = &header.clock {
            let control = TimeControl::parse(text).ok_or_else(|| ResumeError::Clock(text.clone()))?;
            session.set_clock(control);
        }
        for (place, ply) in record.plies.iter().enumerate() {
            let m = session.game.read_move(&session.moves, &ply.text);
            let m = m.map_err(|error| ResumeError::Move(place + 1, ply.text.clone(), error))?;
            session.make(m, ply.clock.map(Duration::from_millis));
            let left = session.plies.last().and_then(|made| made.clock);
            if left.zip(ply.clock).is_some_and(|(left, said)| left < said) {
                return Err(ResumeError::Time(place + 1));
            }
        }
        if let Some((who, how)) = record.end.as_ref().and_then(End::lost)
            && let Some(player) = session.game.rules.players.iter().position(|player| player == who)
        {
            session.lose(Player(player as u8), how);
        }
        Ok(session)
    }

    /// Gives each person a clock, with all of its time.
    pub fn set_clock(&mut self, control: TimeControl) {
        self.header.clock = Some(control.to_string());
        self.clocks = Some(Clocks::new(control, self.game.rules.players.len()));
    }

    /// The clocks, if there are any.
    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// Lets time pass on the clock of who is to decide; whether the game is lost by it. Chance has all the time.
    pub fn pass_time(&mut self, time: Duration) -> bool {
        if self.moves.is_empty() || self.moves.is_chance() {
            return false;
        }
        let person = self.person();
        let Some(clocks) = &mut self.clocks else { return false };
        clocks.pass(time);
        let late = clocks.left(person, true).is_zero();
        late && self.lose(self.moves.mover(), Lost::Late)
    }

    /// What is left on the clock of a person.
    pub fn time_left(&self, person: usize) -> Option<Duration> {
        let runs = !self.moves.is_empty() && !self.moves.is_chance() && self.person() == person;
        Some(self.clocks.as_ref()?.left(person, runs))
    }

    /// Notes who sits where, for records.
    pub fn set_seats(&mut self, seats: impl IntoIterator<Item = (String, String)>) {
        self.header.seats = seats.into_iter().map(|(player, who)| (player, who.into())).collect();
    }

    /// The record so far. While the game goes on its end says so.
    pub fn record(&mut self) -> Record {
        let outcome = self.outcome();
        let end = End {
            result: self.game.outcome_name(outcome),
            scores: self.game.score_map(&mut self.machine, &self.pos),
            reason: self.reason().map(|reason| match reason {
                Reason::End(name) => format!("end.{name}"),
                Reason::Stuck => STUCK.to_owned(),
                Reason::Lost(_, how) => how.reason().to_owned(),
            }),
            ..End::default()
        };
        let end = match self.lost {
            Some((player, how)) => end.with_lost(self.game.player(player.index()), how),
            None => end,
        };
        Record { header: self.header.clone(), plies: self.plies.clone(), end: Some(end) }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.pos
    }

    /// The position at the start.
    pub fn start(&self) -> &Position {
        self.before.first().map_or(&self.pos, |before| &before.pos)
    }

    /// The plies as records have them.
    pub fn written(&self) -> &[Ply] {
        &self.plies
    }

    /// The position before each ply that was made, with the move.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = (&Position, Move)> + ExactSizeIterator {
        self.before.iter().map(|before| &before.pos).zip(self.played.iter().copied())
    }

    /// The legal moves; none once somebody has resigned or has no time left.
    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    /// The legal moves part by part.
    pub fn choosing(&self) -> Choosing {
        Choosing::new(&self.game.rules, &self.game.program, &self.moves)
    }

    /// The moves made so far.
    pub fn played(&self) -> &[Move] {
        &self.played
    }

    /// The moves that were taken back and can be made again, the next one first.
    pub fn undone(&self) -> impl ExactSizeIterator<Item = Move> {
        self.undone.iter().rev().map(|(m, _)| *m)
    }

    /// How the game ended; none while it goes on. Where one of two resigned or has no time left the other one has won;
    /// of more players nobody has.
    pub fn outcome(&mut self) -> Option<Outcome> {
        if let Some((loser, _)) = self.lost {
            return Some(self.game.resigned(loser.index()));
        }
        self.machine.outcome(&self.pos)
    }

    /// Whether nothing more can be played.
    pub fn is_over(&mut self) -> bool {
        self.moves.is_empty() || self.outcome().is_some()
    }

    /// Why the game is over; none while it goes on.
    pub fn reason(&mut self) -> Option<Reason> {
        if let Some((player, how)) = self.lost {
            return Some(Reason::Lost(player, how));
        }
        let last = self.before.last().map(|before| &before.pos).zip(self.played.last().copied());
        match self.machine.ended_by(last, &self.pos)? {
            EndedBy::End(end) => self.game.program.ends.get(end).map(|end| Reason::End(end.name.clone())),
            EndedBy::Stuck => Some(Reason::Stuck),
        }
    }

    /// The score of each player.
    pub fn scores(&mut self) -> Vec<i32> {
        self.machine.scores(&self.pos)
    }

    /// The points of the finished game in a match; none if it goes on, was resigned, or there is no
    /// match.
    pub fn match_points(&mut self) -> Option<Vec<i32>> {
        self.machine.match_points(&self.pos)
    }

    /// The machine and the position, for questions.
    pub fn parts(&mut self) -> (&Game, &mut Machine, &Position) {
        (&self.game, &mut self.machine, &self.pos)
    }

    /// The sites of the mover's pieces that the next player threatens: see [`Machine::threatened`]. None once the game
    /// is over.
    pub fn threatened(&mut self) -> SiteSet {
        if self.moves.is_empty() {
            return SiteSet::default();
        }
        self.machine.threatened(&self.pos, &self.history)
    }

    /// The question for an agent; none at a chance node and where there is no move.
    pub fn question(&self) -> Option<Question> {
        if self.moves.is_empty() || self.moves.is_chance() {
            return None;
        }
        Some(Question {
            pos: self.position().clone(),
            history: self.history.clone(),
            moves: self.moves.clone(),
            played: self.played.clone(),
            time: self.share(),
        })
    }

    /// The most time that an agent should take for the choice at hand, where a clock runs.
    fn share(&self) -> Option<Duration> {
        let clocks = self.clocks.as_ref()?;
        let plies = self.position().plies_a_turn(self.machine.layout());
        Some(share(clocks.left(self.person(), true), clocks.control().more, None, plies))
    }

    /// The move of an agent here, within its budget; `tell` hears its results. None where no player is to
    /// decide.
    pub fn advise(
        &mut self,
        seat: &mut Seat,
        rng: &mut Rng,
        tell: &mut dyn FnMut(&Found),
    ) -> Option<Result<Move, Forfeit>> {
        if self.moves.is_empty() || self.moves.is_chance() {
            return None;
        }
        let limit = seat.limit_within(self.share());
        let mut thought = Thought { tell: Some(tell), ..Thought::new(rng, limit) };
        let at =
            Situation { pos: &self.pos, history: &self.history, moves: &self.moves, played: &self.played };
        Some(seat.think(&mut self.machine, at, &mut thought))
    }

    /// Draws a move of chance; none where chance is not to decide.
    pub fn chance(&mut self, rng: &mut Rng) -> Option<Move> {
        if !self.moves.is_chance() {
            return None;
        }
        draw(&mut self.machine, &self.pos, &self.moves, rng)
    }

    /// The set-up or position that it began with, where that was given or dealt.
    pub fn setup(&self) -> Option<&str> {
        self.header.setup.as_deref()
    }

    /// The person who decides: the player's number, or the other's after `swap sides`.
    pub fn person(&self) -> usize {
        self.person_of(self.moves.mover())
    }

    /// The person who plays for a player.
    pub fn person_of(&self, player: Player) -> usize {
        self.position().person(&self.game.program.layout, player)
    }

    /// Makes a move by its text, in capital or small letters, or the plies of a turn that are written as one word.
    pub fn play_text(&mut self, text: &str) -> Result<(), MoveError> {
        self.read_typed(text)?.into_iter().for_each(|m| self.play(m));
        Ok(())
    }

    /// The plies that somebody typed as one word.
    pub fn read_typed(&mut self, text: &str) -> Result<Vec<Move>, MoveError> {
        let at = (&self.pos, &self.history, &self.moves);
        turns::read(&self.game.rules, &mut self.machine, at, text, true)
    }

    /// The turns so far: the number of the first ply of each, from 0, and its text.
    pub fn turns(&self) -> Vec<(usize, String)> {
        let layout = &self.game.program.layout;
        let mut turns: Vec<(usize, String)> = Vec::new();
        for (place, (pos, m)) in self.plies().enumerate() {
            if turns.is_empty() || pos.begins_turn(layout) {
                turns.push((place, String::new()));
            }
            if let Some((_, text)) = turns.last_mut() {
                self.game.join_text(text, m);
            }
        }
        turns
    }

    /// Makes a legal move. Moves that were taken back are forgotten.
    pub fn play(&mut self, m: Move) {
        self.undone.clear();
        self.undone_loss = None;
        self.make(m, None);
    }

    /// Makes a legal move, which leaves so much on the clock if that is known already.
    fn make(&mut self, m: Move, known: Option<Duration>) {
        let mover = self.moves.mover().index();
        let person = (!self.moves.is_chance()).then(|| self.person());
        self.plies.push(Ply {
            ply: self.pos.ply(&self.game.program.layout).saturating_add(1),
            by: if self.moves.is_chance() { "chance" } else { self.game.player(mover) }.to_owned(),
            legal: self.moves.len() as u64,
            text: self.game.move_text(m),
            clock: None,
        });
        let left = self.clocks.as_ref().zip(person).map(|(clocks, person)| clocks.left(person, false));
        self.before.push(Before { pos: self.pos.clone(), length: self.history.len(), left });
        self.machine.play(&mut self.pos, m, &mut self.history, &mut self.moves);
        self.played.push(m);
        let ends_turn = self.begins_turn();
        if let (Some(clocks), Some(person)) = (&mut self.clocks, person) {
            let left = clocks.press(person, ends_turn, known);
            if let Some(ply) = self.plies.last_mut() {
                ply.clock = Some(u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
            }
        }
    }

    /// A player gives up; whether there was a game to give up.
    pub fn resign(&mut self, player: Player) -> bool {
        self.lose(player, Lost::Resigned)
    }

    /// A player gives up or has no time left; whether there was a game to lose.
    pub fn lose(&mut self, player: Player, how: Lost) -> bool {
        let loses = !self.is_over() && player.index() < self.game.rules.players.len();
        if loses {
            self.lost = Some((player, how));
            self.undone.clear();
            self.undone_loss = None;
            self.moves.clear();
        }
        loses
    }

    /// Takes the last move back, or a resignation, or that time was over; whether there was one. The clocks are as they
    /// were when the ply began that is due then.
    pub fn undo(&mut self) -> bool {
        let (length, left) = match self.lost.take() {
            Some(lost) => {
                self.undone_loss = Some(lost);
                (self.history.len(), None)
            }
            None => {
                let (Some(m), Some(before)) = (self.played.pop(), self.before.pop()) else {
                    return false;
                };
                let known = self.plies.pop().and_then(|ply| ply.clock).map(Duration::from_millis);
                self.undone.push((m, known));
                self.pos = before.pos;
                (before.length, before.left)
            }
        };
        self.history.truncate(length);
        self.machine.moves(&self.pos, &mut self.moves);
        let person = self.person();
        if let Some(clocks) = &mut self.clocks {
            clocks.put_back(person, left);
        }
        true
    }

    /// Makes the move again that was taken back last, or the game is lost again as it was; whether there was one.
    pub fn redo(&mut self) -> bool {
        if self.lost.is_some() {
            return false;
        }
        if let Some((m, known)) = self.undone.pop() {
            self.make(m, known);
            return true;
        }
        self.undone_loss.take().is_some_and(|(player, how)| self.lose(player, how))
    }

    /// Takes plies back to where a turn begins: this one, or the last one where none of it is played. Whether there
    /// was a ply.
    pub fn undo_turn(&mut self) -> bool {
        let any = self.undo();
        while any && !self.begins_turn() && self.undo() {}
        any
    }

    /// Makes plies again to where a turn begins; whether there was one.
    pub fn redo_turn(&mut self) -> bool {
        let any = self.redo();
        while any && !self.begins_turn() && self.redo() {}
        any
    }

    /// Whether no ply of this turn is played.
    pub fn begins_turn(&self) -> bool {
        self.position().begins_turn(&self.game.program.layout)
    }

    /// The text of the position.
    pub fn position_text(&mut self) -> String {
        self.game.texts().write(&mut self.machine, &self.pos)
    }
}
