//! Definitions that stand for their bodies.

use crate::game::Game;
use crate::outline::{Class, Env, Item, Term};
use crate::semantics::Type;

/// The most parts that a definition has, with all definitions in it inlined, to be inlined itself. Definitions that
/// name others twice would grow without bound.
const MAX_PARTS: usize = 400;

/// Finds the definitions that only `items` have and that can be inlined: without parameters, the same for all
/// players, and not of kinds, since the range of a name depends on how kinds are written.
pub(super) fn definitions<'a>(items: &'a [Item], others: &[Item], game: &Game, env: &mut Env<'a>) {
    let mut found: Vec<(&'a str, &'a Term)> = Vec::new();
    for item in items.iter().filter(|item| item.class == Some(Class::Definition)) {
        let [field] = &item.fields[..] else { continue };
        let known = others.iter().any(|other| other.class == item.class && other.id == item.id);
        let function = game.rules.defines.iter().find(|function| function.name == item.name);
        let kinds = |ty| matches!(ty, Type::Kind | Type::KindOpt | Type::Kinds | Type::Nothing | Type::Error);
        if !known && field.id.is_empty() && function.is_some_and(|function| !kinds(function.ty)) {
            found.push((&item.id, &field.term));
        }
    }
    let own = Env { bodies: found.iter().copied().collect(), ..Env::default() };
    let small = found.into_iter().filter(|(_, body)| size(&own, body) <= MAX_PARTS);
    env.bodies.extend(small);
}

/// How many parts a term has with all definitions put in; no more than a few above [`MAX_PARTS`].
fn size(env: &Env<'_>, term: &Term) -> usize {
    let term = env.see(term);
    let mut size = 1;
    for kid in &term.kids {
        if size > MAX_PARTS {
            break;
        }
        size += self::size(env, kid);
    }
    size
}
