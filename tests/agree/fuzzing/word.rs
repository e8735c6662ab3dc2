//! Plies that are written as one word: the word is read as these plies.

use farrier::game::Game;
use farrier::notation::moves::MoveError;
use farrier::play::{History, Machine, Move, Moves, Position};
use farrier::program::slot;

use super::caught::Finding;

/// The word that a turn has come to.
#[derive(Default)]
pub struct Word {
    text: String,
    plies: Vec<Move>,
    /// How many words of several plies were read.
    pub read: u32,
    /// Where its first ply was made; none where it is not read again.
    from: Option<(Position, History, Moves)>,
}

impl Word {
    /// A ply goes on with the word, or ends it and begins the next one.
    pub fn ply(
        &mut self,
        game: &Game,
        machine: &mut Machine,
        at: (&Position, &History, &Moves),
        number: Move,
    ) -> Result<(), Finding> {
        let (pos, history, moves) = at;
        let goes_on = pos.slot(&game.program.layout, slot::TURN_PLIES) > 0 && !self.plies.is_empty();
        match game.joined_text(number).filter(|_| goes_on) {
            // What chance does is typed by nobody, and what is written by nothing cannot be read.
            Some(text) if moves.is_chance() || text.is_empty() => self.from = None,
            Some(_) => {}
            None => {
                self.end(game, machine)?;
                let read = !moves.is_chance() && !game.move_text(number).is_empty();
                self.from = read.then(|| (pos.clone(), history.clone(), moves.clone()));
            }
        }
        game.join_text(&mut self.text, number);
        self.plies.push(number);
        Ok(())
    }

    /// Reads the word, which is complete.
    pub fn end(&mut self, game: &Game, machine: &mut Machine) -> Result<(), Finding> {
        let (text, plies) = (std::mem::take(&mut self.text), std::mem::take(&mut self.plies));
        let Some((pos, history, moves)) = self.from.take() else { return Ok(()) };
        self.read += u32::from(plies.len() > 1);
        match game.read_plies(machine, &pos, &history, &moves, &text) {
            Ok(read) if read == plies => Ok(()),
            // What one choice is written like is that choice, and two ways to read a word are none.
            Ok(read) if read.len() == 1 && game.move_text(read[0]) == text => Ok(()),
            Err(MoveError::Ambiguous) => Ok(()),
            other => {
                let texts: Vec<String> = plies.iter().map(|m| game.move_text(*m)).collect();
                let report = format!("`{text}`, which is {texts:?}, is {other:?}");
                Err(Finding::new("a word of several plies is not read", report))
            }
        }
    }
}
