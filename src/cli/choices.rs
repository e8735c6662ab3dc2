//! The choices that a person has next, in words: for the board in the terminal and the page.

use super::text;
use crate::game::Game;
use crate::ids::Site;
use crate::notation::parts::{Choosing, Part};
use crate::play::{Move, Position};
use crate::session::Session;
use crate::siteset::SiteSet;
use crate::wording::distinct;

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

/// The choices that are no sites of the board.
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

/// The sites that can be chosen next, each with the part that it stands for: itself, or the direction in which it lies
/// from the last site that was chosen.
pub(super) fn targets(game: &Game, choosing: &Choosing) -> Vec<(Site, Part)> {
    let next = choosing.next();
    let from = choosing.chosen().iter().rev().find_map(|part| part.site());
    let mut targets: Vec<(Site, Part)> = Vec::new();
    for part in &next {
        let site = match (*part, from) {
            (Part::Site(site), _) => Some(site),
            (Part::Direction(dir), Some(from)) => game.rules.board.step(dir, from),
            _ => None,
        };
        // A site means one thing: itself before a direction.
        if let Some(site) = site
            && !targets.iter().any(|(other, _)| *other == site)
        {
            targets.push((site, *part));
        }
    }
    targets
}

/// Chooses a site, or the direction in which it lies; whether it may be chosen.
pub(super) fn choose(game: &Game, choosing: &mut Choosing, site: Site) -> bool {
    let found = targets(game, choosing).into_iter().find(|(target, _)| *target == site);
    found.is_some_and(|(_, part)| choosing.choose(part))
}

/// The decision that is due, the parts chosen so far, and the part to choose next: `white, move: g1 to? an empty site`.
pub(super) fn prompt(session: &Session, choosing: &Choosing) -> String {
    let game = session.game();
    let mover = session.moves().mover().index();
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
    let decisions = if decisions.is_empty() { "pass".to_owned() } else { decisions.join(" or ") };
    let mut said = vec![format!("{}, {decisions}:", game.player(mover))];
    said.extend(choosing.chosen().iter().map(|part| word(game, *part)));
    let wanted = if wanted.is_empty() { "which move".to_owned() } else { wanted.join(" or ") };
    said.push(format!("{wanted}?"));
    let what = in_words(game, session.position(), mover, &choosing.next());
    said.extend((!what.is_empty()).then(|| what.join(" or ")));
    text::plain(&said.join(" "))
}

/// The parts that can be chosen, in words. Sites are described by the piece that stands there.
fn in_words(game: &Game, pos: &Position, mover: usize, next: &[Part]) -> Vec<&'static str> {
    let layout = &game.program.layout;
    let layers = |range: std::ops::Range<usize>| {
        range.fold(SiteSet::default(), |all, layer| all | SiteSet::load(pos.layer(layout, layer)))
    };
    let pieces = &layout.pieces;
    let owned = pieces.owner_base.map_or(0..0, |base| base..base + layout.players);
    let own = layers(pieces.owner_base.map_or(0..0, |base| base + mover..base + mover + 1));
    let others = layers(owned) - own;
    let occupied =
        layers(pieces.kind_layers().unwrap_or_default()) | layers(pieces.owner_layers(layout.players));
    let of_others = if layout.players == 2 { "an enemy piece" } else { "another player's piece" };
    let what = |part: &Part| match part {
        Part::Site(site) if own.contains(site.index()) => "one of your pieces",
        Part::Site(site) if others.contains(site.index()) => of_others,
        Part::Site(site) if occupied.contains(site.index()) => "a piece",
        Part::Site(_) => "an empty site",
        Part::Kind(_) => "a kind of piece",
        Part::Player(_) => "a player",
        Part::Direction(_) => "a direction",
        Part::Number(_) => "a number",
        Part::None => "none",
    };
    distinct(next.iter().map(what))
}
