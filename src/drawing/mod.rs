//! A position as people see it: the contents of each site, the state beside the board, the places of the sites in the
//! plane, and a picture of it all.
//!
//! ```text
//! Game, Position -> cells, notes, state, legend     the contents; the terminal draws them with characters
//! Board          -> plan::Plan                      where sites stand and which form they have
//! both           -> svg::board                      one picture, for `farrier show --svg`, reports and the page
//! ```
//!
//! Nothing here says more than the definition does: numbers on sites, sites that are gone and marks are read off the
//! variables of its state.

pub mod plan;
pub mod svg;

use serde::Serialize;

use crate::game::Game;
use crate::ids::{Kind, Player, Site};
use crate::notation::parts::Parted;
use crate::play::{Move, Position};
use crate::program::{DealTo, slot};
use crate::semantics::{Per, StateVar, Type, picture};
use crate::siteset::SiteSet;

/// How many sites of a set are told.
const MAX_TOLD_SITES: usize = 24;

/// The tallest stack of any pieces that is written out in its cell.
const TALLEST_WRITTEN: usize = 3;

/// The contents of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Owner and kind of each piece, the lowest first.
    Pieces(Vec<(u8, u8)>),
    /// The site is out of the game: see [`gone`].
    Gone,
    /// Its number.
    Number(i32),
    /// Nothing.
    Vacant,
}

/// The contents of each site.
pub fn cells(game: &Game, pos: &Position) -> Vec<Cell> {
    let (numbers, gone) = (numbers(game), gone(game, pos));
    (0..game.rules.board.len())
        .map(|site| match (pos.stack(&game.program.layout, site), numbers) {
            (pieces, _) if !pieces.is_empty() => Cell::Pieces(pieces),
            _ if gone.contains(site) => Cell::Gone,
            (_, Some((base, dealt))) => Cell::Number(number(game, pos, base + site, dealt)),
            (_, None) => Cell::Vacant,
        })
        .collect()
}

/// The sites that are out of the game: a set of the state that begins with all sites and lost them.
fn gone(game: &Game, pos: &Position) -> SiteSet {
    let all = game.rules.board.all();
    let lost = |at: usize| all - SiteSet::load(pos.layer(&game.program.layout, at));
    erased(game).fold(SiteSet::default(), |gone, at| gone | lost(at))
}

/// The layers of the sets that begin with all sites and last.
fn erased(game: &Game) -> impl Iterator<Item = usize> {
    let all = game.rules.board.all();
    let layers = game.program.layout.layers.iter().enumerate();
    layers.filter_map(move |(at, layer)| {
        let var = game.rules.state.iter().find(|var| var.name == layer.name)?;
        let lasts = var.per.is_empty() && var.lasts.is_none();
        (lasts && SiteSet::load(&layer.start) == all).then_some(at)
    })
}

/// The sites that a move chooses, but for those that its text leaves out: these follow from the others.
pub fn chosen(game: &Game, m: Move) -> Vec<Site> {
    Parted::new(&game.rules, &game.program, m).shown().iter().filter_map(|part| part.site()).collect()
}

/// The pieces of a site as they are drawn: nobody's without a star where all are nobody's. Of a tall stack of any
/// pieces it is how high it is, and the top one; [`state`] tells them all.
pub fn token(game: &Game, pieces: &[(u8, u8)]) -> String {
    match pieces {
        [.., top] if game.rules.stack().is_some() && pieces.len() > TALLEST_WRITTEN => {
            format!("{}{}", pieces.len(), written(game, &[*top]))
        }
        _ => written(game, pieces),
    }
}

/// All pieces of a site.
fn written(game: &Game, pieces: &[(u8, u8)]) -> String {
    let players = game.rules.players.len();
    let sort =
        |(owner, kind): &(u8, u8)| ((usize::from(*owner) < players).then_some(Player(*owner)), Kind(*kind));
    let sorts: Vec<picture::Sort> = pieces.iter().map(sort).collect();
    let token = picture::token(&game.rules.kinds, players, game.rules.stack(), &sorts);
    match game.program.layout.pieces.owner_base {
        None => token.replace('*', ""),
        Some(_) => token,
    }
}

/// Which of eight colours a player has: white, black, red, blue, yellow, green, and two more. A player who is called by
/// one of the six has it, the others have one by their place.
pub(crate) fn hue(game: &Game, owner: usize) -> usize {
    let names = ["white", "black", "red", "blue", "yellow", "green"];
    names.iter().position(|name| *name == game.player(owner)).unwrap_or(owner % 8)
}

/// Whether sites have numbers of their own.
pub fn has_numbers(game: &Game) -> bool {
    numbers(game).is_some()
}

/// Where the numbers of the sites are kept, and whether they are dealt once for all.
fn numbers(game: &Game) -> Option<(usize, bool)> {
    let layout = &game.program.layout;
    let var = game.rules.state.iter().find(|v| on_sites(v))?;
    match layout.deals.iter().find(|d| d.name == var.name).map(|d| d.to) {
        Some(DealTo::Dealt(base) | DealTo::Lots(base)) => Some((base, true)),
        Some(DealTo::Slots(base)) => Some((base, false)),
        None => {
            let first = format!("{}[{}]", var.name, game.rules.board.name(Site(0)));
            layout.slots.iter().rposition(|s| s.name == first).map(|base| (base, false))
        }
    }
}

/// Whether a variable is a number on each site.
fn on_sites(var: &StateVar) -> bool {
    var.ty == Type::Int && var.per == [Per::Site] && !var.drawn
}

fn number(game: &Game, pos: &Position, at: usize, dealt: bool) -> i32 {
    if dealt { pos.dealt().get(at).copied().unwrap_or(0) } else { pos.slot(&game.program.layout, at) }
}

/// The meaning of the letters; none where there are no pieces.
pub fn legend(game: &Game) -> Option<String> {
    let rules = &game.rules;
    let pieces = &game.program.layout.pieces;
    let kinds: Vec<String> =
        rules.kinds.iter().map(|k| format!("{} {}", k.letter.to_lowercase(), k.name)).collect();
    if kinds.is_empty() {
        return None;
    }
    let mut whose = match (&rules.players[..], pieces.owner_base) {
        ([first, second], Some(_)) => format!("; {first} has capital letters, {second} small ones"),
        ([_, _, ..], Some(_)) => "; the number before a letter is the player's".to_owned(),
        _ => String::new(),
    };
    if pieces.owner_base.is_some() && pieces.neutral {
        whose += ", a star marks nobody's";
    }
    Some(format!("{}{whose}", kinds.join(", ")))
}

/// A variable of the state, or an entry of one, as it is told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Variable {
    /// The name of the variable.
    pub name: String,
    /// The player whose entry it is; none where entries are not by player.
    pub player: Option<usize>,
    /// The rest of the entry's key, such as a kind; empty where there is one entry for all.
    pub of: String,
    /// Its present value.
    pub value: String,
    /// All of it in one text: `hand[white, KIND] = 2`.
    #[serde(skip)]
    pub text: String,
}

impl Variable {
    fn new(game: &Game, var: &StateVar, name: &str, value: String) -> Variable {
        let entry = name.split_once('[').map_or("", |(_, entry)| entry.trim_end_matches(']'));
        let (mut player, mut of) = (None, Vec::new());
        for (per, word) in var.per.iter().zip(entry.split(", ")) {
            match per {
                Per::Player => player = game.rules.players.iter().position(|p| p == word),
                _ => of.push(word),
            }
        }
        let text = format!("{name} = {value}");
        Variable { name: var.name.clone(), player, of: of.join(" "), value, text }
    }
}

/// The variable that an entry, such as `hand[white]`, is of.
fn variable<'g>(game: &'g Game, entry: &str) -> Option<&'g StateVar> {
    let name = entry.split('[').next().unwrap_or(entry);
    game.rules.state.iter().find(|var| var.name == name)
}

/// The state that the board does not show and that differs from the start; tall stacks, too.
pub fn state(game: &Game, pos: &Position) -> Vec<Variable> {
    let layout = &game.program.layout;
    let var = |name: &str| variable(game, name).filter(|var| !on_sites(var));
    let mut out = Vec::new();
    for (at, slot) in layout.slots.iter().enumerate().skip(slot::COUNT) {
        let value = pos.slot(layout, at);
        let age = slot.name.ends_with(" left");
        if let Some(var) = var(&slot.name).filter(|_| value != slot.start && !age) {
            out.push(Variable::new(game, var, &slot.name, word(game, var, value)));
        }
    }
    for (at, layer) in layout.layers.iter().enumerate() {
        let members = pos.layer(layout, at);
        if let Some(var) = var(&layer.name).filter(|_| members != layer.start) {
            out.push(Variable::new(game, var, &layer.name, sites(game, &SiteSet::load(members))));
        }
    }
    for site in game.rules.board.sites().filter(|_| game.rules.stack().is_some()) {
        let pieces = pos.stack(layout, site.index());
        if pieces.len() > TALLEST_WRITTEN {
            let (name, value) = (game.rules.board.name(site).to_owned(), written(game, &pieces));
            let text = format!("{name} = {value}, the top last");
            out.push(Variable { name, player: None, of: String::new(), value, text });
        }
    }
    out
}

/// The state that neither the board nor the scores show: without sets whose sites are drawn as gone, and without
/// numbers that are the scores.
pub fn unseen(game: &Game, pos: &Position, scores: &[i32]) -> Vec<Variable> {
    let layers = &game.program.layout.layers;
    let drawn: Vec<&str> = erased(game).filter_map(|at| Some(layers.get(at)?.name.as_str())).collect();
    let is_score = |variable: &Variable| {
        let score = variable.player.filter(|_| variable.of.is_empty()).and_then(|player| scores.get(player));
        score.is_some_and(|score| score.to_string() == variable.value)
    };
    let mut state = state(game, pos);
    state.retain(|variable| !drawn.contains(&&*variable.name) && !is_score(variable));
    state
}

/// The sites that variables of the state name now and did not at the start, each with the variable.
pub fn notes(game: &Game, pos: &Position) -> Vec<(Site, String)> {
    let layout = &game.program.layout;
    let mut out = Vec::new();
    for (at, slot) in layout.slots.iter().enumerate().skip(slot::COUNT) {
        let value = pos.slot(layout, at);
        let is_site = variable(game, &slot.name).is_some_and(|v| matches!(v.ty, Type::Site | Type::SiteOpt));
        if is_site && value != slot.start && !slot.name.ends_with(" left") {
            out.extend(u16::try_from(value).ok().map(|site| (Site(site), slot.name.clone())));
        }
    }
    for (at, layer) in layout.layers.iter().enumerate() {
        if variable(game, &layer.name).is_some() && SiteSet::load(&layer.start).is_empty() {
            let members = SiteSet::load(pos.layer(layout, at));
            let inside = game.rules.board.sites().filter(|s| members.contains(s.index()));
            out.extend(inside.map(|site| (site, layer.name.clone())));
        }
    }
    out
}

fn word(game: &Game, var: &StateVar, value: i32) -> String {
    let rules = &game.rules;
    let index = usize::try_from(value).ok();
    let name = match var.ty {
        Type::Bool => Some(if value == 0 { "no" } else { "yes" }.to_owned()),
        Type::Site | Type::SiteOpt => index.map(|i| rules.board.name(Site(i as u16)).to_owned()),
        Type::Kind | Type::KindOpt => index.and_then(|i| rules.kinds.get(i)).map(|k| k.name.clone()),
        Type::Player => index.and_then(|i| rules.players.get(i)).cloned(),
        Type::Direction => index.map(|i| rules.board.label(crate::ids::Dir(i as u16)).to_owned()),
        Type::Kinds => {
            let kinds = rules.kinds.iter().enumerate().filter(|(k, _)| value >> k & 1 == 1);
            let names: Vec<&str> = kinds.map(|(_, k)| k.name.as_str()).collect();
            (!names.is_empty()).then(|| names.join(" "))
        }
        _ => Some(value.to_string()),
    };
    name.unwrap_or_else(|| "none".to_owned())
}

fn sites(game: &Game, set: &SiteSet) -> String {
    let board = &game.rules.board;
    let (inside, outside): (Vec<Site>, Vec<Site>) = board.sites().partition(|s| set.contains(s.index()));
    let told = |list: &[Site]| {
        let names: Vec<&str> = list.iter().take(MAX_TOLD_SITES).map(|s| board.name(*s)).collect();
        match list.len().saturating_sub(MAX_TOLD_SITES) {
            0 => names.join(" "),
            more => format!("{} and {more} more", names.join(" ")),
        }
    };
    match (inside.len(), outside.len()) {
        (0, _) => "none".to_owned(),
        (_, 0) => "all".to_owned(),
        (i, o) if o < i => format!("all but {}", told(&outside)),
        _ => told(&inside),
    }
}
