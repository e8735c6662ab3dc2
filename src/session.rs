//! A game in progress: moves made one after the other, taken back and made again, resignation, why it ended; and
//! several games in a row.
//!
//! ```text
//! Session   start, plies made, plies taken back -> position, legal moves, outcome, why
//! Question  a position for an agent, apart from the session: it may think on a thread of its own
//! Series    points of the games of a `[match]`, and which options the next one has
//! ```

use crate::definition::{OptionDef, OptionKind, OptionValue};
use crate::game::Game;
use crate::ids::Player;
use crate::notation::moves::MoveError;
use crate::notation::parts::Choosing;
use crate::notation::position::TextError;
use crate::notation::record::{End, Header, Ply, RESIGNED, Record, STUCK};
use crate::notation::turns;
use crate::play::{EndedBy, History, Machine, Move, Moves, Outcome, Position, Rng};
use crate::program::{ProgramError, slot};
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
}

impl std::fmt::Display for ResumeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ResumeError::Start(error) => write!(f, "{error}"),
            ResumeError::Move(ply, text, error) => write!(f, "move {ply}, `{text}`: {error}"),
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
    /// The position before each ply that was made, and the length of the history there.
    before: Vec<(Position, usize)>,
    played: Vec<Move>,
    /// The moves that were taken back, the next to be made again last.
    undone: Vec<Move>,
    history: History,
    moves: Moves,
    resigned: Option<Player>,
    /// The header of its records.
    header: Header,
    /// The plies as records have them.
    plies: Vec<Ply>,
}

/// Why a game is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The end of that name, a table `[end.NAME]` of the definition.
    End(String),
    /// The mover had no move: the rule `stuck` ended the game.
    Stuck,
    /// A player resigned.
    Resigned(Player),
}

/// A position for an agent, apart from the session that goes on meanwhile.
#[derive(Clone, Debug)]
pub struct Question {
    pos: Position,
    history: History,
    moves: Moves,
    played: Vec<Move>,
}

impl Question {
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
            history,
            moves,
            resigned: None,
            header,
            plies: Vec::new(),
        })
    }

    /// Goes on with the game of a record, an unfinished one or not.
    pub fn resume(game: Game, record: &Record) -> Result<Session, ResumeError> {
        let header = &record.header;
        let mut session = Session::new(game, header.setup.as_deref(), header.seed.unwrap_or(0))?;
        session.header = header.clone();
        for (ply, text) in record.plies.iter().enumerate().map(|(i, ply)| (i + 1, &ply.text)) {
            let m = session.game.read_move(&session.moves, text);
            session.play(m.map_err(|error| ResumeError::Move(ply, text.clone(), error))?);
        }
        if let Some(who) = &record.end.resigned
            && let Some(player) = session.game.rules.players.iter().position(|player| player == who)
        {
            session.resign(Player(player as u8));
        }
        Ok(session)
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
                Reason::Resigned(_) => RESIGNED.to_owned(),
            }),
            resigned: self.resigned.map(|player| self.game.player(player.index()).to_owned()),
        };
        Record { header: self.header.clone(), plies: self.plies.clone(), end }
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
        self.before.first().map_or(&self.pos, |(start, _)| start)
    }

    /// The plies as records have them.
    pub fn written(&self) -> &[Ply] {
        &self.plies
    }

    /// The position before each ply that was made, with the move.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = (&Position, Move)> + ExactSizeIterator {
        self.before.iter().map(|(pos, _)| pos).zip(self.played.iter().copied())
    }

    /// The legal moves; none once somebody has resigned.
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
        self.undone.iter().rev().copied()
    }

    /// How the game ended; none while it goes on. Where one of two resigned the other one has won; of more players
    /// nobody has.
    pub fn outcome(&mut self) -> Option<Outcome> {
        if let Some(loser) = self.resigned {
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
        if let Some(player) = self.resigned {
            return Some(Reason::Resigned(player));
        }
        let last = self.before.last().map(|(pos, _)| pos).zip(self.played.last().copied());
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
        })
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
        let limit = seat.limit();
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
        self.position().person(&self.game.program.layout, self.moves.mover())
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
            if turns.is_empty() || pos.slot(layout, slot::TURN_PLIES) == 0 {
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
        self.make(m);
    }

    fn make(&mut self, m: Move) {
        let mover = self.moves.mover().index();
        self.plies.push(Ply {
            ply: self.pos.ply(&self.game.program.layout).saturating_add(1),
            by: if self.moves.is_chance() { "chance" } else { self.game.player(mover) }.to_owned(),
            legal: self.moves.len() as u64,
            text: self.game.move_text(m),
        });
        self.before.push((self.pos.clone(), self.history.len()));
        self.machine.play(&mut self.pos, m, &mut self.history, &mut self.moves);
        self.played.push(m);
    }

    /// A player gives up; whether there was a game to give up.
    pub fn resign(&mut self, player: Player) -> bool {
        let resigns = !self.is_over() && player.index() < self.game.rules.players.len();
        if resigns {
            self.resigned = Some(player);
            self.moves.clear();
        }
        resigns
    }

    /// Takes the last move back, or a resignation; whether there was one.
    pub fn undo(&mut self) -> bool {
        let length = match self.resigned.take() {
            Some(_) => self.history.len(),
            None => {
                let (Some(m), Some((before, length))) = (self.played.pop(), self.before.pop()) else {
                    return false;
                };
                self.undone.push(m);
                self.pos = before;
                self.plies.pop();
                length
            }
        };
        self.history.truncate(length);
        self.machine.moves(&self.pos, &mut self.moves);
        true
    }

    /// Makes the move again that was taken back last; whether there was one.
    pub fn redo(&mut self) -> bool {
        if self.resigned.is_some() {
            return false;
        }
        let Some(m) = self.undone.pop() else { return false };
        self.make(m);
        true
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
        let layout = &self.game.program.layout;
        self.position().slot(layout, slot::TURN_PLIES) == 0
    }

    /// The text of the position.
    pub fn position_text(&mut self) -> String {
        self.game.texts().write(&mut self.machine, &self.pos)
    }
}

/// The games of a `[match]`: up to so many points, options alternating.
///
/// ```
/// use farrier::session::Series;
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = "knightcap".parse::<Variant>()?.open(&Shipped)?;
/// let mut series = Series::of(&game).ok_or("there is a match")?;
/// assert_eq!(series.next_option(), Some(("first".to_owned(), "white".to_owned())));
/// series.add(&[4, 0]);
/// assert_eq!(series.next_option(), Some(("first".to_owned(), "black".to_owned())));
/// series.add(&[6, 0]);
/// assert_eq!((series.points(), series.leader()), (&[10, 0][..], Some(0)));
/// assert!(series.is_over());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Series {
    target: i32,
    points: Vec<i32>,
    games: usize,
    option: Option<(String, Vec<String>)>,
    /// Which value of the option the first game has.
    first: usize,
}

/// The most games of a match that an option of numbers tells apart.
const MAX_VALUES: i32 = 100;

impl Series {
    /// The match of a game that is played as its first one; none where the definition has no match.
    pub fn of(game: &Game) -> Option<Series> {
        let rules = game.rules.match_.as_ref()?;
        let mut options = game.definition.options.iter();
        let option = options.find(|option| Some(&option.name.text) == rules.alternate.as_ref());
        let values = |option: &OptionDef| -> Vec<String> {
            match &option.kind {
                OptionKind::Flag => [false, true].map(|on| OptionValue::Flag(on).to_string()).to_vec(),
                OptionKind::Words(words) => words.clone(),
                OptionKind::Numbers(numbers) => numbers.iter().map(ToString::to_string).collect(),
                OptionKind::Range(low, high) => {
                    (*low..=*high.min(&low.saturating_add(MAX_VALUES))).map(|n| n.to_string()).collect()
                }
            }
        };
        let first = option.and_then(|o| values(o).iter().position(|value| *value == o.value.to_string()));
        Some(Series {
            target: rules.target,
            points: vec![0; game.rules.players.len()],
            games: 0,
            option: option.map(|option| (option.name.text.clone(), values(option))),
            first: first.unwrap_or(0),
        })
    }

    /// The points that win the match.
    pub fn target(&self) -> i32 {
        self.target
    }

    /// The points of each player.
    pub fn points(&self) -> &[i32] {
        &self.points
    }

    /// How many games are finished.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The option and its value in the next game; none where all games are alike.
    pub fn next_option(&self) -> Option<(String, String)> {
        let (name, values) = self.option.as_ref()?;
        let value = values.get((self.first + self.games) % values.len().max(1))?;
        Some((name.clone(), value.clone()))
    }

    /// Adds the points of a game.
    pub fn add(&mut self, points: &[i32]) {
        self.games += 1;
        self.points.iter_mut().zip(points).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
    }

    /// Whether a player has reached the target.
    pub fn is_over(&self) -> bool {
        self.points.iter().any(|points| *points >= self.target)
    }

    /// The player with more points than all others.
    pub fn leader(&self) -> Option<usize> {
        let most = self.points.iter().max()?;
        let mut with = self.points.iter().enumerate().filter(|(_, points)| *points == most).map(|(p, _)| p);
        with.next().filter(|_| with.next().is_none())
    }
}
