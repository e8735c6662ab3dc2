//! What a person may choose next, in words: for the board in the terminal and the page.

use super::text;
use crate::game::Game;
use crate::notation::parts::{Choosing, Part};
use crate::play::{Move, Moves};

/// Something to choose that is no site.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entry {
    pub text: String,
    pub what: Choice,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Choice {
    Part(Part),
    Move(Move),
}

/// A part of a move in a word.
pub(super) fn word(game: &Game, part: Part) -> String {
    match part {
        Part::Site(site) => game.rules.board.name(site).to_owned(),
        Part::Kind(kind) => game.rules.kinds.get(kind.index()).map_or("", |k| &k.letter).to_owned(),
        Part::Player(player) => game.player(player.index()).to_owned(),
        Part::Direction(dir) => game.rules.board.label(dir).to_owned(),
        Part::Number(number) => number.to_string(),
        Part::None => "none".to_owned(),
    }
}

/// What can be chosen next that is no site on the board.
pub(super) fn entries(game: &Game, choosing: &Choosing) -> Vec<Entry> {
    let parts = choosing.next().into_iter().filter_map(|part| {
        let text = match part {
            Part::Site(_) => return None,
            Part::Kind(kind) => {
                let name = game.rules.kinds.get(kind.index()).map_or("", |k| &k.name);
                format!("{} {name}", word(game, part))
            }
            _ => word(game, part),
        };
        Some(Entry { text: text::plain(&text), what: Choice::Part(part) })
    });
    let whole = choosing.whole().into_iter().map(|m| {
        let text = text::plain(&game.move_text(m.number));
        Entry { text, what: Choice::Move(m.number) }
    });
    parts.chain(whole).collect()
}

/// Which decision is due, what is chosen of it, and what is to be chosen next.
pub(super) fn prompt(game: &Game, moves: &Moves, choosing: &Choosing) -> String {
    let mover = game.player(moves.mover().index());
    let mut decisions: Vec<&str> = Vec::new();
    let mut wanted: Vec<&str> = Vec::new();
    for parted in choosing.left() {
        let Some(d) = parted.decision else { continue };
        let name = game.rules.decisions.get(d).map_or("", |d| d.name.as_str());
        let place = parted.vars.get(choosing.chosen().len());
        let var = place.and_then(|var| game.program.decisions.get(d)?.vars.get(*var));
        decisions.extend((!decisions.contains(&name)).then_some(name));
        wanted.extend(var.map(|var| var.name.as_str()).filter(|name| !wanted.contains(name)));
    }
    let chosen: Vec<String> = choosing.chosen().iter().map(|part| word(game, *part)).collect();
    let chosen = if chosen.is_empty() { String::new() } else { format!("{} ", chosen.join(" ")) };
    let wanted = if wanted.is_empty() { "?".to_owned() } else { format!("{}?", wanted.join(" or ")) };
    text::plain(&format!("{mover}, {}: {chosen}{wanted}", decisions.join(" or ")))
}
