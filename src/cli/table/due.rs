//! What is due at the table, in words.

use super::model::Table;
use crate::cli::{playing, text};
use crate::notation::parts::Part;

impl Table {
    /// Which decision is due, and what is chosen next.
    pub(super) fn prompt(&mut self) -> String {
        if self.playing.session.is_over() {
            let why = playing::why(&mut self.playing.session);
            let result = playing::result(&mut self.playing.session);
            return [why, Some(result)].into_iter().flatten().collect::<Vec<_>>().join(". ");
        }
        let session = &self.playing.session;
        let game = session.game();
        let moves = session.moves();
        let mover = match moves.is_chance() {
            true => "chance",
            false => game.player(moves.mover().index()),
        };
        if self.stepping {
            let known = session.played().len() + session.undone().len();
            return text::plain(&format!("ply {} of {known}, {mover} to move", session.played().len()));
        }
        if !self.is_human() {
            return text::plain(&format!("{mover} thinks"));
        }
        let mut decisions: Vec<&str> = Vec::new();
        let mut wanted: Vec<&str> = Vec::new();
        for parted in self.choosing.left() {
            let Some(d) = parted.decision else { continue };
            let name = game.rules.decisions.get(d).map_or("", |d| d.name.as_str());
            let place = parted.vars.get(self.choosing.chosen().len());
            let var = place.and_then(|var| game.program.decisions.get(d)?.vars.get(*var));
            decisions.extend((!decisions.contains(&name)).then_some(name));
            wanted.extend(var.map(|var| var.name.as_str()).filter(|name| !wanted.contains(name)));
        }
        let site = |part: &Part| match part {
            Part::Site(site) => game.rules.board.name(*site).to_owned(),
            Part::Kind(kind) => game.rules.kinds.get(kind.index()).map_or("", |k| &k.letter).to_owned(),
            Part::Player(player) => game.player(player.index()).to_owned(),
            Part::Number(number) => number.to_string(),
            Part::None => "none".to_owned(),
        };
        let chosen: Vec<String> = self.choosing.chosen().iter().map(site).collect();
        let chosen = if chosen.is_empty() { String::new() } else { format!("{} ", chosen.join(" ")) };
        let wanted = if wanted.is_empty() { "?".to_owned() } else { format!("{}?", wanted.join(" or ")) };
        text::plain(&format!("{mover}, {}: {chosen}{wanted}", decisions.join(" or ")))
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
