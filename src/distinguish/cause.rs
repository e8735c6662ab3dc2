//! Which rule a difference comes from: found by building games that are partly one and partly the other.
//!
//! A mixture is the first definition with some keys of the second. With all differing keys it *is* the
//! second; keys are taken back one by one as long as the mixture still behaves after the line exactly as
//! the second does. The remaining keys cannot be left out: they make the difference, and no others are
//! needed. Options are tried in the same way, by loading the game with some of them as the second has them.

use super::keys::{self, Change, KeyCause};
use super::pair::{self, Half, WordMap};
use super::{Rules, Side};
use crate::definition::{Choices, Definition, OptionDef, OptionValue};
use crate::game::Game;
use crate::outline::FilePlaces;
use crate::play::{Move, Position};
use crate::source::{Files, Sources};

/// How many mixtures are built at most.
const MAX_MIXTURES: usize = 600;

/// Where a difference comes from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cause {
    /// The options that must be as the second has them.
    pub options: Vec<OptionCause>,
    /// The keys that must be as the second has them.
    pub keys: Vec<KeyCause>,
    /// Whether mixtures showed that; else these are the differing keys that the decisions read.
    pub proved: bool,
    /// How many keys differ in all.
    pub differing: usize,
}

/// An option that makes a difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionCause {
    /// Its name, or the path of an extension.
    pub name: String,
    /// Its value in the first; none where that has no such option.
    pub a: Option<OptionValue>,
    /// Its value in the second.
    pub b: Option<OptionValue>,
    /// Whether it makes the first behave differently after the line by itself.
    pub alone: bool,
}

/// The observable state of a position. Players are counted as the first game counts them.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Shown {
    pub texts: Vec<String>,
    pub weights: Vec<i32>,
    pub mover: Option<usize>,
    pub chance: bool,
    /// None while the game goes on; then the place of each player.
    pub over: Option<Vec<i32>>,
    pub scores: Vec<i32>,
    pub points: Option<Vec<i32>>,
}

/// How a line is played again.
pub(super) struct Line<'a> {
    pub setup: Option<&'a str>,
    pub seed: u64,
    /// The texts of its moves, as both have them.
    pub texts: &'a [String],
}

/// Plays a line of a game whose players are counted so; none where it cannot be played.
pub(super) fn play(
    game: &Game,
    map: &WordMap,
    players: Vec<usize>,
    line: &Line<'_>,
) -> Option<(Half, Position)> {
    // Hundreds of mixtures play one line each: none is worth compiling.
    let mut half = Half::new(game, game.interpreter().ok()?, players);
    let mut pos = game.start(&mut half.machine, line.setup, line.seed).ok()?;
    half.begin(&pos);
    for wanted in line.texts {
        let m = half.moves.iter().find(|m| pair::text(game, map, *m) == *wanted)?;
        half.play(&mut pos, m);
    }
    Some((half, pos))
}

impl Half {
    /// The observable state of a position whose legal moves are filled in.
    pub fn shown(&mut self, map: &WordMap, pos: &Position) -> Shown {
        let over = self.outcome(pos);
        let chance = over.is_none() && self.moves.is_chance();
        let mut texts: Vec<(String, Move)> =
            self.moves.iter().map(|m| (pair::text(&self.game, map, m), m)).collect();
        texts.sort();
        let weights = match chance {
            true => texts.iter().map(|(_, m)| self.machine.chance_weight(pos, *m)).collect(),
            false => Vec::new(),
        };
        let (scores, points) = (self.machine.scores(pos), self.machine.match_points(pos));
        Shown {
            texts: texts.into_iter().map(|(t, _)| t).collect(),
            weights,
            mover: if over.is_none() { self.mover() } else { None },
            chance,
            scores: if over.is_some() { self.sorted(scores) } else { Vec::new() },
            points: points.map(|points| self.sorted(points)),
            over,
        }
    }
}

/// The rule responsible for the difference after a line. Keys near to `roots` come first: these are paths, such
/// as those of the decisions whose moves only one variant offers.
pub(super) fn find(
    a: &Side<'_>,
    b: &Side<'_>,
    files: &dyn Files,
    map: &WordMap,
    line: &Line<'_>,
    (roots, rules): (&[Vec<String>], &Rules<'_>),
) -> Cause {
    let none = WordMap::new();
    // Mixtures have the words of the first, `map` makes those of the second of them.
    let shown = |game: &Game, words: &WordMap, players: &WordMap| {
        let players = pair::players(a.game, game, players);
        play(game, words, players, line).map(|(mut half, pos)| half.shown(words, &pos))
    };
    let (Some(first), Some(wanted)) = (shown(a.game, map, &none), shown(b.game, &none, map)) else {
        return Cause::default();
    };
    let shown = |game: &Game| shown(game, map, &none);
    let changed = &rules.changes;
    let mut out = Cause { differing: changed.len(), ..Cause::default() };
    out.options = options(a, b, files, shown, &first, &wanted);
    let mut built = 0;
    let base = &*a.game.definition;
    let kept = minimise(changed.len(), |chosen| {
        built += 1;
        built <= MAX_MIXTURES
            && mixture(base, &b.game.definition, chosen.iter().map(|i| &changed[*i]))
                .is_some_and(|game| shown(&game).as_ref() == Some(&wanted))
    });
    out.proved = kept.is_some();
    let near = |change: &Change<'_>| {
        let far = |root: &Vec<String>| {
            rules.reads.iter().filter_map(|reads| reads.distance(root, change, true)).min()
        };
        roots.iter().filter_map(far).min()
    };
    let mut blamed: Vec<(u32, &Change<'_>)> = match kept {
        Some(kept) => kept.iter().map(|i| (near(&changed[*i]).unwrap_or(u32::MAX), &changed[*i])).collect(),
        None => changed.iter().filter_map(|c| Some((near(c)?, c))).collect(),
    };
    blamed.sort_by_key(|(far, _)| *far);
    let [first, second] = [a, b].map(|side| FilePlaces { def: &side.game.definition, sources: side.sources });
    out.keys = blamed.into_iter().map(|(_, change)| change.cause(&first, &second)).collect();
    out
}

/// A game that is the first but for some keys; none where they make no game.
fn mixture<'c>(
    a: &Definition,
    b: &Definition,
    changes: impl Iterator<Item = &'c Change<'c>>,
) -> Option<Game> {
    let mut mixed = a.clone();
    changes.for_each(|change| keys::graft(&mut mixed, b, &change.path));
    Game::of(String::new(), mixed)
}

/// As few of the numbers below `count` as possible with which the test still holds; none where it does not
/// hold with all of them. No single number can be left out of the answer.
fn minimise(count: usize, mut holds: impl FnMut(&[usize]) -> bool) -> Option<Vec<usize>> {
    let mut kept: Vec<usize> = (0..count).collect();
    if !holds(&kept) {
        return None;
    }
    let mut size = (count / 2).max(1);
    loop {
        let before = kept.len();
        let mut at = 0;
        while at < kept.len() {
            let end = (at + size).min(kept.len());
            let rest: Vec<usize> = kept[..at].iter().chain(&kept[end..]).copied().collect();
            if holds(&rest) { kept = rest } else { at = end }
        }
        match size {
            1 if kept.len() == before => return Some(kept),
            1 => {}
            _ => size /= 2,
        }
    }
}

/// The options of one game that make the difference.
fn options(
    a: &Side<'_>,
    b: &Side<'_>,
    files: &dyn Files,
    shown: impl Fn(&Game) -> Option<Shown>,
    first: &Shown,
    wanted: &Shown,
) -> Vec<OptionCause> {
    if a.variant.game != b.variant.game {
        return Vec::new();
    }
    let (of_a, of_b) = (&a.game.definition.options, &b.game.definition.options);
    let name = |o: &OptionDef| o.extension.clone().unwrap_or_else(|| o.name.text.clone());
    let value = |list: &[OptionDef], wanted: &str| -> Option<OptionValue> {
        list.iter().find(|o| name(o) == wanted).map(|o| o.value.clone())
    };
    let mut names: Vec<String> = of_a.iter().chain(of_b).map(name).collect();
    let mut seen = std::collections::HashSet::new();
    names.retain(|n| seen.insert(n.clone()));
    let differing: Vec<&String> = names.iter().filter(|n| value(of_a, n) != value(of_b, n)).collect();
    let load = |chosen: &[usize]| -> Option<Shown> {
        let mut choices = Choices::default();
        for name in &names {
            let of = match differing.iter().position(|d| *d == name) {
                Some(at) if chosen.contains(&at) => of_b,
                _ => of_a,
            };
            match value(of, name) {
                Some(OptionValue::Flag(true)) => choices.with.push(name.clone()),
                Some(OptionValue::Flag(false)) if !name.ends_with(".toml") => {
                    choices.without.push(name.clone())
                }
                Some(OptionValue::Word(word)) => choices.set.push((name.clone(), word)),
                Some(OptionValue::Number(number)) => choices.set.push((name.clone(), number.to_string())),
                _ => {}
            }
        }
        let (game, _) = Game::load(&a.variant.game, files, &choices, &mut Sources::default());
        shown(&game?)
    };
    let kept = minimise(differing.len(), |chosen| load(chosen).as_ref() == Some(wanted));
    let one = |i: usize| OptionCause {
        name: differing[i].clone(),
        a: value(of_a, differing[i]),
        b: value(of_b, differing[i]),
        alone: load(&[i]).is_some_and(|shown| shown != *first),
    };
    kept.unwrap_or_default().into_iter().map(one).collect()
}
