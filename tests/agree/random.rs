//! Random options of a game.

use farrier::definition::{Choices, OptionKind};
use farrier::game::Game;
use farrier::play::Rng;

/// Random options; requirements that they break make the load fail, then others are to be drawn.
pub fn choices(game: &Game, rng: &mut Rng) -> Choices {
    let mut choices = Choices::default();
    for o in &game.definition.options {
        let name = o.name.text.clone();
        match &o.kind {
            OptionKind::Flag if rng.pick(2) == 0 => choices.with.push(name),
            OptionKind::Flag => choices.without.push(name),
            OptionKind::Words(list) => choices.set.push((name, list[rng.pick(list.len())].clone())),
            OptionKind::Numbers(list) => choices.set.push((name, list[rng.pick(list.len())].to_string())),
            // Large boards say no more than small ones, and the naive way is slow.
            OptionKind::Range(low, high) => {
                let high = (*high).min(low + 4);
                let n = low + rng.pick((high - low + 1) as usize) as i32;
                choices.set.push((name, n.to_string()));
            }
        }
    }
    choices
}
