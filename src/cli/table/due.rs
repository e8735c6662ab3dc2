//! The prompt of the table.

use super::model::Table;
use crate::cli::{choices, playing, text};

impl Table {
    /// The decision that is due, and the part to choose next.
    pub(super) fn prompt(&mut self) -> String {
        if self.playing.session.is_over() {
            let why = playing::why(&mut self.playing.session);
            let result = playing::result(&mut self.playing.session);
            return [why, Some(result)].into_iter().flatten().collect::<Vec<_>>().join(". ");
        }
        let session = &self.playing.session;
        let game = session.game();
        let moves = session.moves();
        let mover = if moves.is_chance() { "chance" } else { game.player(moves.mover().index()) };
        if self.stepping {
            let known = session.played().len() + session.undone().len();
            return text::plain(&format!("ply {} of {known}, {mover} to move", session.played().len()));
        }
        if !self.is_human() {
            return text::plain(&format!("{mover} thinks"));
        }
        choices::prompt(session, &self.choosing)
    }

    /// How the match stands, once a game of it is over.
    pub(super) fn standing(&mut self) -> Option<String> {
        if self.stepping || !self.playing.session.is_over() {
            return None;
        }
        let series = self.playing.standing()?;
        let next = if series.is_over() { "" } else { "; type next" };
        Some(format!("{}{next}", playing::match_line(self.playing.session.game(), &series)))
    }
}
