//! A game on the table: the position with its history, the legal moves, and the moves made so far.

use crate::game::Game;
use crate::notation::moves::{MoveError, PASS};
use crate::notation::position::TextError;
use crate::play::{EndedBy, History, Machine, Move, Moves, Outcome, Position};
use crate::program::ProgramError;
use crate::search::Situation;

/// A game in progress, with all that agents are asked with.
pub struct Table {
    /// The game.
    pub game: Game,
    /// The machine on which it is played.
    pub machine: Machine,
    /// The position.
    pub pos: Position,
    /// The turn starts before it.
    pub history: History,
    /// The legal moves.
    pub moves: Moves,
    /// The moves made.
    pub played: Vec<Move>,
    before: Position,
}

impl Table {
    /// A game that begins as usual.
    ///
    /// # Errors
    /// If the program is not sound, which is a mistake of Farrier itself.
    pub fn new(game: Game) -> Result<Table, ProgramError> {
        let mut machine = game.machine()?;
        let pos = machine.start(0, &mut History::new());
        let before = pos.clone();
        let (history, moves) = (History::new(), Moves::new());
        Ok(Table { game, machine, pos, history, moves, played: Vec::new(), before })
    }

    /// Begins again: with a set-up or a position, or as the seed deals.
    pub fn begin(&mut self, setup: Option<&str>, seed: u64) -> Result<(), TextError> {
        self.pos = self.game.start(&mut self.machine, setup, seed)?;
        self.history.clear();
        self.history.push(self.machine.full_hash(&self.pos));
        self.machine.moves(&self.pos, &mut self.moves);
        self.played.clear();
        Ok(())
    }

    /// Makes a legal move.
    pub fn play(&mut self, number: Move) {
        self.before.copy_from(&self.pos);
        self.machine.play(&mut self.pos, number, &mut self.history, &mut self.moves);
        self.played.push(number);
    }

    /// Goes on where the game is a draw only by an end that perft passes over: what may be claimed (a repetition, fifty
    /// moves) need not be. It began with this set-up or position, and this seed.
    ///
    /// # Errors
    /// As [`Table::begin`], which was asked for the same before.
    pub fn pass_over(&mut self, setup: Option<&str>, seed: u64) -> Result<(), TextError> {
        if self.pos.outcome(self.machine.layout()) != Some(Outcome::Draw) {
            return Ok(());
        }
        self.machine.set_perft(true);
        let done = match self.played.last() {
            None => self.begin(setup, seed),
            Some(last) => {
                self.pos.copy_from(&self.before);
                // The position is in the history already.
                let mut history = self.history.clone();
                self.machine.play(&mut self.pos, *last, &mut history, &mut self.moves);
                Ok(())
            }
        };
        self.machine.set_perft(false);
        done
    }

    /// Makes the legal move of a text, or the plies of a turn that are written as one word; `0000` is a pass too.
    pub fn play_text(&mut self, text: &str) -> Result<(), MoveError> {
        let Table { game, machine, pos, history, moves, .. } = self;
        let plies = game.read_plies(machine, pos, history, moves, text).or_else(|error| match text {
            "0000" => game.read_move(moves, PASS).map(|number| vec![number]),
            _ => Err(error),
        })?;
        plies.into_iter().for_each(|number| self.play(number));
        Ok(())
    }

    /// The situation for an agent, and the machine.
    pub fn ask(&mut self) -> (&mut Machine, Situation<'_>) {
        let Table { machine, pos, history, moves, played, .. } = self;
        (machine, Situation { pos, history, moves, played })
    }

    /// The player who is to decide; none where it is chance or nobody.
    pub fn mover(&self) -> Option<usize> {
        (!self.moves.is_empty() && !self.moves.is_chance()).then(|| self.moves.mover().index())
    }

    /// The person who is to decide: after `swap sides` another one than the player's.
    pub fn person(&self) -> Option<usize> {
        self.mover().map(|mover| self.person_of(mover))
    }

    /// The person who plays for a player; of two persons the same asked the other way round.
    pub fn person_of(&self, player: usize) -> usize {
        let player = crate::ids::Player(u8::try_from(player).unwrap_or(u8::MAX));
        self.pos.person(self.machine.layout(), player)
    }

    /// The cause of the game's end: the name of an end, `stuck`, or none while it goes on.
    pub fn ended_by(&mut self) -> Option<String> {
        let last = self.played.last().map(|number| (&self.before, *number));
        match self.machine.ended_by(last, &self.pos)? {
            EndedBy::End(end) => Some(self.game.rules.ends.get(end)?.name.clone()),
            EndedBy::Stuck => Some("stuck".to_owned()),
        }
    }
}
