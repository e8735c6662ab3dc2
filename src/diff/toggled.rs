//! Where two variants differ only once an option of both is toggled.
//!
//! Two files may mean the same as they are, and still say other things of an option that is off in both.

use std::collections::BTreeSet;

use super::model::Diff;
use super::report::diff;
use crate::definition::model::OptionDef;
use crate::game::Game;
use crate::source::{Files, Sources};
use crate::variant::Variant;

/// The most values of options that are tried.
const MAX_TRIED: usize = 64;

/// Two variants with an option toggled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Toggled {
    /// The words of both.
    pub words: [String; 2],
    /// In how many places they differ where they did not before.
    pub more: usize,
}

/// The options of two variants, toggled one by one in both, that make them differ where they do not as they are (`now`,
/// with the same `map`). Variants of one file have no others. Options that one of the words chooses, that
/// have not the same value in both, or with which one of the two cannot be loaded, are left as they are.
pub fn toggled(
    [left, right]: [(&Variant, &Game); 2],
    now: &Diff,
    map: &[(String, String)],
    files: &dyn Files,
    sources: &mut Sources,
) -> Vec<Toggled> {
    let mut found = Vec::new();
    if left.0.game == right.0.game {
        return found;
    }
    let places = |diff: &Diff| -> BTreeSet<String> {
        diff.differences.iter().map(|difference| difference.path.clone()).collect()
    };
    let before = places(now);
    let suffixes = left.1.definition.options.iter().filter(|option| is_open(option, [left, right]));
    for (suffix, _) in suffixes.flat_map(OptionDef::others).take(MAX_TRIED) {
        let words = [left, right].map(|(variant, _)| format!("{}{suffix}", variant.text));
        let [Some(a), Some(b)] =
            words.each_ref().map(|word| Variant::parse(word).ok()?.load(files, sources).0)
        else {
            continue;
        };
        let toggled = diff(&a, &b, map, sources).unwrap_or_default();
        let more = places(&toggled).difference(&before).count();
        if more > 0 {
            found.push(Toggled { words, more });
        }
    }
    found
}

/// Whether both have an option with the same values, have it at the same value, and neither chooses it.
fn is_open(option: &OptionDef, sides: [(&Variant, &Game); 2]) -> bool {
    let name = &option.name.text;
    sides.iter().all(|(variant, game)| {
        let choices = &variant.choices;
        let chosen =
            choices.with.iter().chain(&choices.without).chain(choices.set.iter().map(|(set, _)| set));
        let alike = |other: &OptionDef| {
            other.name.text == *name && (&other.kind, &other.value) == (&option.kind, &option.value)
        };
        !chosen.into_iter().any(|chosen| chosen == name) && game.definition.options.iter().any(alike)
    })
}
