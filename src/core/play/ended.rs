//! Why a game is over. A position says only how it ended, so this looks again: at the ends after the last
//! ply, whether somebody is stuck, and at the ends of a turn's start, in the order in which play does.

use super::machine::Machine;
use super::moves::{Move, Moves};
use super::position::Position;
use crate::program::slot;

/// The cause of a game's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndedBy {
    /// One of [`crate::program::Program::ends`].
    End(usize),
    /// The mover had no move.
    Stuck,
}

impl Machine {
    /// The cause of the end of a resolved position's game; none if it goes on. `last` is the position before the last
    /// ply and the move that was made there, none at the start of a game.
    pub fn ended_by(&mut self, last: Option<(&Position, Move)>, over: &Position) -> Option<EndedBy> {
        over.outcome(self.layout())?;
        let Some((before, number)) = last else { return Some(EndedBy::Stuck) };
        let mut pos = before.clone();
        self.apply(&mut pos, number);
        let at_turn = pos.outcome(self.layout()).is_none();
        if at_turn {
            let made = pos.slot(self.layout(), slot::MOVER);
            pos.copy_from(over);
            pos.set_slot(self.layout(), slot::RESULT, 0);
            let mut moves = Moves::new();
            self.moves(&pos, &mut moves);
            if moves.is_empty() {
                return Some(EndedBy::Stuck);
            }
            pos.set_slot(self.layout(), slot::MOVER, made);
        }
        let probe = self.probe(&pos);
        let place = probe.run.end(probe.frame, at_turn)?;
        let ends = self.program().ends.iter().enumerate().filter(|(_, end)| end.at_turn == at_turn);
        ends.map(|(i, _)| EndedBy::End(i)).nth(place)
    }
}
