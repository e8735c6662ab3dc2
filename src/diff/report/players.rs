//! The players: who is who in two variants.

use crate::game::Game;
use crate::outline::{Class, Item, Section};

/// The noun of a player's name where it has no effect on play.
const NAME: &str = "the name of a player";

/// The ways in which the right one's players can be the left one's, each with the noun for the difference. Where
/// both have the same names in other places, either the rules go with the names or with the order.
pub(super) fn ways(left: &Game, seats: Vec<usize>) -> Vec<(Vec<usize>, Option<&'static str>)> {
    let order: Vec<usize> = (0..left.rules.players.len()).collect();
    match seats.len() == order.len() && seats != order {
        true => vec![(seats, Some("the order of the players")), (order, Some("the names of the players"))],
        false => vec![(seats, None)],
    }
}

/// Makes the names of the players a part of the rules, as they are where moves print them. Those of which
/// `--map` says that they are one stay notes.
pub(super) fn print(items: &mut [Item], mapped: &dyn Fn(usize) -> bool) {
    for item in items.iter_mut().filter(|item| item.noun == NAME) {
        if !item.id.parse().is_ok_and(mapped) {
            item.note = false;
            item.section = Section::Players;
            item.noun = "the name of a player, which texts of moves print";
        }
    }
}

/// An outline in which the players have other numbers: each that of `seats`, or their own. Where it is told
/// who was `exchanged`, the names are not told again.
pub(super) fn seated(items: &[Item], seats: &[usize], exchanged: Option<&str>) -> Vec<Item> {
    let seat = |number: &str| -> Option<String> {
        number.parse().ok().and_then(|number: usize| seats.get(number)).map(usize::to_string)
    };
    let is_name = |item: &Item| item.path == "players" && !item.id.is_empty();
    let mut out = items.to_vec();
    if exchanged.is_some() {
        out.retain(|item| !is_name(item));
    }
    for item in &mut out {
        if let Some(new) = Some(&item.id).filter(|_| item.path == "players").and_then(|id| seat(id)) {
            item.id = new;
        }
        for field in &mut item.fields {
            if let Some((key, number)) = field.id.split_once('@')
                && let Some(new) = seat(number)
            {
                field.id = format!("{key}@{new}");
            }
            field.term.rename(&|class, name| if class == Class::Player { seat(name) } else { None });
        }
    }
    out
}
