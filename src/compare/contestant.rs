//! A variant that takes part: its game, and for each option that is not at its default the game without it.

use std::collections::BTreeSet;

use crate::definition::{Choices, DecisionDef, Definition, Part};
use crate::diagnostic::Diagnostics;
use crate::game::Game;
use crate::play::Machine;
use crate::program::{self, ProgramError};
use crate::source::{Files, Sources};
use crate::variant::Variant;

/// A variant that takes part.
pub struct Contestant {
    /// What it is called: the variant's text, made unique where it takes part twice.
    pub name: String,
    /// Its game.
    pub game: Game,
    /// A machine for it, to be cloned.
    pub machine: Machine,
    /// For each option that is not at its default the game in which only that one is, and its machine.
    /// None where there is no such game: another option may require this one.
    pub without: Vec<(String, Option<(Game, Machine)>)>,
}

/// Why a variant cannot take part.
pub enum LoadError {
    /// Its definition is wrong.
    Diagnostics(Diagnostics),
    /// Its program is not sound, which is a mistake of Farrier itself.
    Program(ProgramError),
}

impl Contestant {
    /// Loads a variant and what is beside it.
    pub fn load(
        variant: &Variant,
        files: &dyn Files,
        sources: &mut Sources,
    ) -> Result<Contestant, LoadError> {
        let (game, found) = variant.load(files, sources);
        let Some(game) = game else { return Err(LoadError::Diagnostics(found)) };
        let machine = game.machine().map_err(LoadError::Program)?;
        let changed: Vec<String> = game.changed_options().into_iter().map(|(n, _)| n.to_owned()).collect();
        let without = changed
            .into_iter()
            .map(|option| {
                let choices = choices_without(&variant.choices, &option);
                let (other, _) = Game::load(&variant.game, files, &choices, &mut Sources::default());
                let other = other.and_then(|game| game.machine().ok().map(|machine| (game, machine)));
                (option, other)
            })
            .collect();
        Ok(Contestant { name: variant.text.clone(), game, machine, without })
    }

    /// Loads several; what occurs twice is called `NAME #2` the second time.
    pub fn load_all(
        variants: &[Variant],
        files: &dyn Files,
        sources: &mut Sources,
    ) -> Result<Vec<Contestant>, LoadError> {
        let mut taken = BTreeSet::new();
        variants
            .iter()
            .map(|variant| {
                let mut one = Contestant::load(variant, files, sources)?;
                let mut number = 2;
                while !taken.insert(one.name.clone()) {
                    one.name = format!("{} #{number}", variant.text);
                    number += 1;
                }
                Ok(one)
            })
            .collect()
    }

    /// A number that changes when anything changes that games or their records depend on: the program, the
    /// start, the names of sites, kinds and players, the texts of moves.
    pub fn fingerprint(&self) -> String {
        let rules = &self.game.rules;
        let mut text = program::listing(&self.game.program).to_string();
        text += &rules.players.join("\n");
        text += rules.position.as_ref().and_then(|p| p.start.as_deref()).unwrap_or_default();
        for kind in &rules.kinds {
            text += &format!("\n{} {}", kind.name, kind.letter);
        }
        for site in rules.board.sites() {
            text += &format!("\n{}", rules.board.name(site));
        }
        for decision in &rules.decisions {
            text += &format!("\n{} {:?}", decision.name, decision.text);
        }
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in text.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        format!("{hash:016x}")
    }

    /// The option that adds a decision: all of it is said there.
    pub fn added_by(&self, decision: &str) -> Option<&str> {
        let def = &self.game.definition;
        let decision = def.decisions.iter().find(|d| d.name.text == decision)?;
        option_of(def, rules_of(decision).first()?.first()?)
    }

    /// The options that change a decision that they do not add, in the order of their overlays.
    pub fn changed_by(&self, decision: &str) -> Vec<&str> {
        let def = &self.game.definition;
        let mut out = Vec::new();
        let Some(found) = def.decisions.iter().find(|d| d.name.text == decision) else { return out };
        let adder = self.added_by(decision);
        for part in rules_of(found).into_iter().flatten() {
            match option_of(def, part) {
                Some(option) if Some(option) != adder && !out.contains(&option) => out.push(option),
                _ => {}
            }
        }
        out
    }
}

/// Choices without a word about an option.
fn choices_without(choices: &Choices, option: &str) -> Choices {
    let stem = |word: &str| {
        let file = word.rsplit(['/', '\\']).next().unwrap_or(word);
        file.strip_suffix(".toml").unwrap_or(file).to_owned()
    };
    let mut out = choices.clone();
    out.with.retain(|word| stem(word) != option);
    out.without.retain(|word| word != option);
    out.set.retain(|(name, _)| name != option);
    out
}

fn option_of<'d>(def: &'d Definition, part: &Part) -> Option<&'d str> {
    def.origins.get(part.origin)?.option.as_deref()
}

/// The parts of each rule of a decision, what is chosen first.
fn rules_of(d: &DecisionDef) -> Vec<&[Part]> {
    let mut out: Vec<&[Part]> = Vec::new();
    out.extend(d.choose.as_ref().map(|r| &r.parts[..]));
    out.extend(d.effects.as_ref().map(|r| &r.parts[..]));
    out.extend(d.when.as_ref().map(|r| &r.parts[..]));
    out.extend(d.where_.as_ref().map(|r| &r.parts[..]));
    out.extend(d.keeps.as_ref().map(|r| &r.parts[..]));
    out.extend(d.weight.as_ref().map(|r| &r.parts[..]));
    out.extend(d.lets.iter().map(|(_, r)| &r.parts[..]));
    out
}
