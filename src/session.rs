//! A game in progress: moves made one after the other, and taken back.

use crate::game::Game;
use crate::notation::moves::MoveError;
use crate::notation::position::TextError;
use crate::play::{History, Machine, Move, Moves, Outcome, Position};
use crate::program::ProgramError;

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
    positions: Vec<Position>,
    played: Vec<Move>,
    history: History,
    lengths: Vec<usize>,
    moves: Moves,
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
        Ok(Session {
            game,
            machine,
            positions: vec![pos],
            played: Vec::new(),
            history,
            lengths: Vec::new(),
            moves,
        })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position.
    pub fn position(&self) -> &Position {
        // INVARIANT: the first position is never taken away.
        &self.positions[self.positions.len() - 1]
    }

    /// The legal moves.
    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    /// The moves made so far.
    pub fn played(&self) -> &[Move] {
        &self.played
    }

    /// How the game ended; none while it goes on.
    pub fn outcome(&mut self) -> Option<Outcome> {
        let pos = &self.positions[self.positions.len() - 1];
        self.machine.outcome(pos)
    }

    /// What each player scores.
    pub fn scores(&mut self) -> Vec<i32> {
        let pos = &self.positions[self.positions.len() - 1];
        self.machine.scores(pos)
    }

    /// The machine and the position, for questions.
    pub fn parts(&mut self) -> (&Game, &mut Machine, &Position) {
        let pos = &self.positions[self.positions.len() - 1];
        (&self.game, &mut self.machine, pos)
    }

    /// Makes a move by its text.
    pub fn play_text(&mut self, text: &str) -> Result<Move, MoveError> {
        let m = self.game.read_move(&self.moves, text)?;
        self.play(m);
        Ok(m)
    }

    /// Makes a legal move.
    pub fn play(&mut self, m: Move) {
        let mut pos = self.position().clone();
        self.lengths.push(self.history.len());
        self.machine.play(&mut pos, m, &mut self.history, &mut self.moves);
        self.positions.push(pos);
        self.played.push(m);
    }

    /// Takes the last move back; whether there was one.
    pub fn undo(&mut self) -> bool {
        let (Some(_), Some(length)) = (self.played.pop(), self.lengths.pop()) else { return false };
        self.positions.pop();
        self.history.truncate(length);
        let pos = &self.positions[self.positions.len() - 1];
        self.machine.moves(pos, &mut self.moves);
        true
    }

    /// The text of the position.
    pub fn position_text(&mut self) -> String {
        let pos = &self.positions[self.positions.len() - 1];
        self.game.texts().write(&mut self.machine, pos)
    }
}
