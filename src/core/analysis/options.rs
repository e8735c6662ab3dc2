//! Which options change nothing.
//!
//! Two combinations that differ in one option only are compared: first their meanings, as a hash of all that
//! is ever played or written, then the moves of their random games. An option of which each such pair is one
//! game does nothing: that is certain. Where only the games were alike, it may be rare.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hasher};

use crate::definition::{Choices, OptionDef};
use crate::diagnostic::Diagnostic;
use crate::game::Game;
use crate::wording::many;

/// A combination that was loaded.
pub(super) struct Tried {
    /// Its game, as a number.
    pub game: u64,
    /// Its random games, each as a number; that of one seed has one place.
    pub traces: Vec<u64>,
}

/// A game as a number: games in which everything that is ever played or written is the same have the same one.
pub(super) fn number(game: &Game) -> u64 {
    struct Hashed(DefaultHasher);
    impl Write for Hashed {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.write(text.as_bytes());
            Ok(())
        }
    }
    let rules = &game.rules;
    let sites: Vec<&str> = rules.board.sites().map(|s| rules.board.name(s)).collect();
    let letters: Vec<&str> = rules.kinds.iter().map(|k| k.letter.as_str()).collect();
    let texts: Vec<_> = rules.decisions.iter().map(|d| &d.text).collect();
    let position = rules.position.as_ref().map(|p| (&p.text, &p.turn, &p.spellings, &p.empty, &p.start));
    let setup = (&rules.setup.text, &rules.setup.named);
    let all = (&game.program, sites, letters, &rules.players, texts, position, setup);
    let mut hashed = Hashed(DefaultHasher::new());
    // Writing into a hash cannot fail.
    let _ = write!(hashed, "{all:?}");
    hashed.0.finish()
}

/// The effect of an option or one of its values in all pairs of combinations.
#[derive(Default)]
struct Effect {
    pairs: usize,
    /// Pairs that are one game.
    same: usize,
    /// Random games, and those that were not alike.
    games: usize,
    other: usize,
}

/// The notes on options, given all combinations that were loaded; `all` says whether none was left out.
pub(super) fn notes(
    options: &[OptionDef],
    tried: &BTreeMap<Choices, Tried>,
    all: bool,
    own: impl Fn(&OptionDef) -> bool,
) -> Vec<Diagnostic> {
    let mut effects: BTreeMap<(usize, String), Effect> = BTreeMap::new();
    for (choices, with) in tried {
        for (word, value, without) in smaller(choices) {
            let named = |o: &OptionDef| o.name.text == word || o.extension.as_deref() == Some(word);
            let (Some(option), Some(without)) = (options.iter().position(named), tried.get(&without)) else {
                continue;
            };
            let effect = effects.entry((option, value.to_owned())).or_default();
            effect.pairs += 1;
            effect.same += usize::from(with.game == without.game);
            let pairs = with.traces.iter().zip(&without.traces);
            effect.games += pairs.len();
            effect.other += pairs.filter(|(a, b)| a != b).count();
        }
    }
    let mut out = Vec::new();
    for (number, option) in options.iter().enumerate().filter(|(_, o)| own(o)) {
        let of: Vec<(&str, &Effect)> =
            effects.iter().filter(|((o, _), _)| *o == number).map(|((_, v), e)| (v.as_str(), e)).collect();
        let (name, span) = (&option.name.text, option.name.span);
        let idle = |e: &Effect| e.same == e.pairs;
        if of.is_empty() {
            continue;
        }
        if of.iter().all(|(_, e)| idle(e)) {
            let message = format!("option `{name}` changes nothing");
            let found = match all {
                true => Diagnostic::warning("idle-option", span, message),
                false => Diagnostic::note("idle-option", span, message),
            };
            out.push(
                found
                    .here("the game is the same with it and without it, also beside each other option")
                    .help(
                        "perhaps what it adds is never used, or a rule was meant that another one replaces",
                    ),
            );
            continue;
        }
        for (value, _) in of.iter().filter(|(_, e)| idle(e)) {
            let message = format!("`{value}` of option `{name}` is the same game as its default");
            out.push(Diagnostic::note("idle-option", span, message).help("one of the two could be left out"));
        }
        let games: usize = of.iter().map(|(_, e)| e.games).sum();
        if games > 0 && of.iter().all(|(_, e)| e.other == 0) {
            let games = many(games as u64, "random game");
            let message = format!("option `{name}` made no difference to moves or results of {games}");
            out.push(
                Diagnostic::note("no-difference", span, message)
                    .help("`farrier distinguish` finds where it shows, a test would keep that"),
            );
        }
    }
    out
}

/// A combination without each of its choices: the choice's name and value, and the rest.
fn smaller(choices: &Choices) -> Vec<(&str, &str, Choices)> {
    let mut out = Vec::new();
    for (i, name) in choices.with.iter().enumerate() {
        let mut rest = choices.clone();
        rest.with.remove(i);
        out.push((name.as_str(), "on", rest));
    }
    for (i, name) in choices.without.iter().enumerate() {
        let mut rest = choices.clone();
        rest.without.remove(i);
        out.push((name.as_str(), "off", rest));
    }
    for (i, (name, value)) in choices.set.iter().enumerate() {
        let mut rest = choices.clone();
        rest.set.remove(i);
        out.push((name.as_str(), value.as_str(), rest));
    }
    out
}
