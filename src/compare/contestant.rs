//! A variant that takes part: its game, and for each option that is not at its default the game without it.

use std::collections::BTreeSet;

use crate::definition::{Choices, Definition, Part};
use crate::diagnostic::Diagnostics;
use crate::game::Game;
use crate::notation::position::TextError;
use crate::play::Machine;
use crate::program::ProgramError;
use crate::source::{Files, Sources};
use crate::variant::Variant;

/// A game without an option and its machine, or why there is none to play beside.
pub type Without = Result<(Game, Machine), &'static str>;

/// Stands between a variant and its start in a name.
const FROM: &str = " from ";

/// A variant that takes part.
pub struct Contestant {
    /// Its name: the variant's text, made unique where it takes part twice.
    pub name: String,
    /// Its game.
    pub game: Game,
    /// A machine for it, to be cloned.
    pub machine: Machine,
    /// Where its games start, as [`Game::start`] takes it; none: where the game says.
    pub setup: Option<String>,
    /// For each option that is not at its default the game in which only that one is, and its machine. Where
    /// the two cannot be played beside each other, why: there may be no such game, since another option
    /// requires this one; and moves on another board, or of other players, are others from the start, which
    /// would say nothing of play.
    pub without: Vec<(String, Without)>,
    /// The games in which one player goes without a rule; see [`Contestant::restrict`].
    pub restricted: Vec<Restricted>,
}

/// A variant in which one player may not use a rule.
pub struct Restricted {
    /// The decision, or the kind of piece.
    pub what: String,
    /// The player's number.
    pub player: usize,
    /// The variant so changed.
    pub contestant: Contestant,
}

/// Why a variant cannot take part.
#[derive(Debug)]
pub enum LoadError {
    /// Its definition is wrong.
    Diagnostics(Diagnostics),
    /// Its program is not sound, which is a mistake of Farrier itself.
    Program(ProgramError),
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LoadError::Diagnostics(found) => write!(f, "{found}"),
            LoadError::Program(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for LoadError {}

impl Contestant {
    /// Loads a variant and the games beside it.
    pub fn load(
        variant: &Variant,
        files: &dyn Files,
        sources: &mut Sources,
    ) -> Result<Contestant, LoadError> {
        let mut one = Contestant::alone(variant.text.clone(), variant, files, sources)?;
        let game = &one.game;
        let changed: Vec<String> = game.changed_options().into_iter().map(|(n, _)| n.to_owned()).collect();
        one.without = changed
            .into_iter()
            .map(|option| {
                let choices = choices_without(&variant.choices, &option);
                let (other, _) = Game::load(&variant.game, files, &choices, &mut Sources::default());
                let other = other.and_then(|game| game.machine().ok().map(|machine| (game, machine)));
                let other = other.ok_or("there is no such game");
                (option, other.and_then(|other| apart(game, &other.0).map_or(Ok(other), Err)))
            })
            .collect();
        Ok(one)
    }

    /// Loads a variant by itself.
    pub(super) fn alone(
        name: String,
        variant: &Variant,
        files: &dyn Files,
        sources: &mut Sources,
    ) -> Result<Contestant, LoadError> {
        let (game, found) = variant.load(files, sources);
        let Some(game) = game else { return Err(LoadError::Diagnostics(found)) };
        let machine = game.machine().map_err(LoadError::Program)?;
        Ok(Contestant::of(name, game, machine))
    }

    /// A game with nothing beside it.
    pub(super) fn of(name: String, game: Game, machine: Machine) -> Contestant {
        Contestant { name, game, machine, setup: None, without: Vec::new(), restricted: Vec::new() }
    }

    /// Loads several; a variant that occurs twice is called `NAME #2` the second time. One that has no weights plays by
    /// those of another [that fit](Game::with_weights_of): else a difference in how well agents play would count as one
    /// of the rules.
    pub fn load_all(
        variants: &[Variant],
        files: &dyn Files,
        sources: &mut Sources,
    ) -> Result<Vec<Contestant>, LoadError> {
        let mut taken = BTreeSet::new();
        let mut all: Vec<Contestant> = Vec::new();
        for variant in variants {
            let mut one = Contestant::load(variant, files, sources)?;
            let mut number = 2;
            while !taken.insert(one.name.clone()) {
                one.name = format!("{} #{number}", variant.text);
                number += 1;
            }
            all.push(one);
        }
        for place in 0..all.len() {
            if let Some(game) = all[place].game.with_weights_of(all.iter().map(|other| &other.game)) {
                all[place].game = game;
            }
        }
        Ok(all)
    }

    /// The same by itself, from a start as [`Game::start`] takes it.
    ///
    /// # Errors
    /// Where the game cannot start so.
    pub fn from(&self, setup: Option<&str>) -> Result<Contestant, TextError> {
        let mut machine = self.machine.clone();
        self.game.start(&mut machine, setup, 0)?;
        let name = setup.map_or(self.name.clone(), |setup| format!("{}{FROM}{setup}", self.name));
        let setup = setup.map(str::to_owned);
        Ok(Contestant { setup, ..Contestant::of(name, self.game.clone(), machine) })
    }

    /// The game beside it without an option, or why there is none; nothing for an option at its default.
    pub(super) fn without(&self, option: &str) -> Option<&Without> {
        self.without.iter().find(|(known, _)| known == option).map(|(_, other)| other)
    }

    /// Its variant's text, without where it starts.
    pub fn variant(&self) -> &str {
        let start = self.setup.as_ref().map(|setup| format!("{FROM}{setup}"));
        start.and_then(|start| self.name.strip_suffix(&start)).unwrap_or(&self.name)
    }

    /// A number that is another one when anything changes that games or their records depend on: the game, where it
    /// starts, the games beside it, and its own weights.
    pub fn fingerprint(&self) -> String {
        let beside = self.without.iter().map(|(option, other)| {
            (option, other.as_ref().ok().map(|(game, _)| game.fingerprint().to_string()))
        });
        let own = self.game.fingerprint().with(&beside.collect::<Vec<_>>());
        let own = if self.setup.is_some() { own.with(&self.setup) } else { own };
        // Agents play by the weights beside the definition.
        let weights = self.game.definition.weights.as_ref();
        weights.map_or(own, |beside| own.with(&&*beside.text)).to_string()
    }

    /// The option that adds a decision: all of it is said there.
    pub fn added_by(&self, decision: &str) -> Option<&str> {
        option_of(&self.game.definition, self.rules_of(decision).first()?.first()?)
    }

    /// The options that change a decision that they do not add, in the order of their overlays.
    pub fn changed_by(&self, decision: &str) -> Vec<&str> {
        let mut out = Vec::new();
        let adder = self.added_by(decision);
        for part in self.rules_of(decision).into_iter().flatten() {
            match option_of(&self.game.definition, part) {
                Some(option) if Some(option) != adder && !out.contains(&option) => out.push(option),
                _ => {}
            }
        }
        out
    }

    /// The parts of each rule of a decision, those of `choose` first.
    fn rules_of(&self, decision: &str) -> Vec<&[Part]> {
        let decisions = &self.game.definition.decisions;
        let Some(d) = decisions.iter().find(|d| d.name.text == decision) else { return Vec::new() };
        let rules = [
            d.choose.as_ref().map(|r| &r.parts),
            d.effects.as_ref().map(|r| &r.parts),
            d.when.as_ref().map(|r| &r.parts),
            d.where_.as_ref().map(|r| &r.parts),
            d.keeps.as_ref().map(|r| &r.parts),
            d.weight.as_ref().map(|r| &r.parts),
        ];
        rules.into_iter().flatten().chain(d.lets.iter().map(|(_, r)| &r.parts)).map(Vec::as_slice).collect()
    }
}

/// Why two games cannot be played beside each other, if they cannot.
fn apart(a: &Game, b: &Game) -> Option<&'static str> {
    fn sites(game: &Game) -> BTreeSet<&str> {
        let board = &game.rules.board;
        board.sites().map(|site| board.name(site)).collect()
    }
    if sites(a) != sites(b) {
        return Some("the board is another one");
    }
    (a.rules.players != b.rules.players).then_some("the players are others")
}

/// Choices without a word about an option.
fn choices_without(choices: &Choices, option: &str) -> Choices {
    let is_it = |word: &String| {
        let file = word.rsplit(['/', '\\']).next().unwrap_or(word);
        file.strip_suffix(".toml").unwrap_or(file) == option
    };
    let mut out = choices.clone();
    out.with.retain(|word| !is_it(word));
    out.without.retain(|word| word != option);
    out.set.retain(|(name, _)| name != option);
    out
}

fn option_of<'d>(def: &'d Definition, part: &Part) -> Option<&'d str> {
    def.origins.get(part.origin)?.option.as_deref()
}
