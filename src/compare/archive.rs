//! Games of an earlier run: a file of JSON Lines.
//!
//! The first line has the settings; before the games of a variant a line has its name and the fingerprint of its
//! definition. A game names its variant by the place of that line. Its seed and its players follow from the settings
//! and are left out. Each line ends with a [sum](super::seal), so that damaged lines are refused:
//!
//! ```text
//! {"farrier":"comparison","format":4,"agents":["random"],"seed":1,...,"sum":"..."}
//! {"definition":"5b0e6f2c9a7d1c33","variant":"name+option","sum":"..."}
//! {"of":0,"game":0,"result":"draw",...,"sum":"..."}
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::contestant::Contestant;
use super::record::{GameRecord, Series};
use super::seal::{Seal, other_form};
use super::selfplay::{Rules, head, words};

/// The version of the archive's form.
pub const FORMAT: u32 = 4;

/// The first line of an archive: the settings that all its games share.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    farrier: String,
    format: u32,
    #[serde(flatten)]
    pub rules: Rules,
}

impl Header {
    pub fn of(rules: &Rules) -> Header {
        Header { farrier: "comparison".to_owned(), format: FORMAT, rules: rules.clone() }
    }

    /// The first setting that differs: its name, its value there, and its value here.
    pub fn difference(&self, other: &Header) -> Option<(&'static str, String, String)> {
        let all = |Header { rules, .. }: &Header| {
            [
                ("--agents", words(&rules.agents).join(",")),
                ("--strength", words(&rules.strength).join(",")),
                ("--levels", words(&rules.levels).join(",")),
                ("--watch", rules.watch.to_string()),
                ("--seed", rules.seed.to_string()),
                ("--plies", rules.plies.to_string()),
                ("--opening", rules.opening.to_string()),
                ("looking ahead", rules.looks.to_string()),
                ("--leads", rules.leads.to_string()),
                ("--leads at the strongest level", rules.level_leads.to_string()),
                ("--watch at the strongest level", rules.level_watch.to_string()),
            ]
        };
        let pairs = all(self).into_iter().zip(all(other));
        let all = pairs.map(|((what, there), (_, here))| (what, there, here));
        all.into_iter().find(|(_, there, here)| there != here)
    }
}

/// The part of the first line that every form has.
#[derive(Deserialize)]
struct Kind {
    format: u32,
}

#[derive(Serialize, Deserialize)]
struct DefinitionLine {
    definition: String,
    variant: String,
}

/// A game as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// The place of its variant among those of the file.
    of: usize,
    #[serde(flatten)]
    game: GameRecord,
}

/// Games that were played before.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    begun: bool,
    seal: Seal,
    /// The variants in the order of the file, each with its definition's fingerprint.
    variants: Vec<(String, String)>,
    games: BTreeMap<(usize, Series, u64), GameRecord>,
}

/// Writes games behind those of an archive.
#[derive(Clone, Debug)]
pub struct Keeper {
    seal: Seal,
    places: BTreeMap<String, usize>,
}

impl Keeper {
    /// A game as a line, without the line's end.
    pub fn line(&mut self, game: &GameRecord) -> String {
        let of = self.places.get(&game.variant).copied().unwrap_or(usize::MAX);
        let game = GameRecord { variant: String::new(), seed: 0, agents: Vec::new(), ..game.clone() };
        // Names and numbers always have a form in JSON.
        self.seal.seal(&serde_json::to_string(&Kept { of, game }).unwrap_or_default())
    }
}

/// Why an archive cannot be gone on with.
pub type ArchiveError = crate::diagnostic::Refusal;

impl Archive {
    /// Reads the next whole line of a file.
    pub fn read(&mut self, line: &str, rules: &Rules) -> Result<(), ArchiveError> {
        let other = |what: &str| ArchiveError {
            message: format!("it is no file of games: {what}"),
            help: "give the name of a new file, or of one that `--resume` wrote".to_owned(),
        };
        let opened = self.seal.open(line);
        let whole = opened.as_deref().ok_or_else(|| ArchiveError {
            message: "it is damaged: this is not what was written".to_owned(),
            help: "take this line and all behind it out of the file: the games in them are played again"
                .to_owned(),
        });
        if !self.begun {
            // The first line of an archive in another format may have no seal, and other settings.
            let first = |e: serde_json::Error| other(&format!("its first line: {e}"));
            let kind: Kind = serde_json::from_str(line).map_err(first)?;
            if kind.format != FORMAT {
                let help = "play the games again, into another file".to_owned();
                return Err(ArchiveError { message: other_form(kind.format, FORMAT), help });
            }
            let header: Header = serde_json::from_str(whole?).map_err(first)?;
            if let Some((what, there, here)) = header.difference(&Header::of(rules)) {
                let named = |value: String| if value.is_empty() { "none".to_owned() } else { value };
                let (there, here) = (named(there), named(here));
                return Err(ArchiveError {
                    message: format!(
                        "its games were played with other settings: {what} was {there}, is {here}"
                    ),
                    help: "use the same settings, or another file".to_owned(),
                });
            }
            self.begun = true;
            return Ok(());
        }
        let line = whole?;
        if line.starts_with("{\"definition\"") {
            let line: DefinitionLine = serde_json::from_str(line).map_err(|e| other(&e.to_string()))?;
            self.variants.push((line.variant, line.definition));
        } else {
            let Kept { of, game } = serde_json::from_str(line).map_err(|e| other(&e.to_string()))?;
            self.games.insert((of, game.series, game.game), game);
        }
        Ok(())
    }

    /// Whether a line that is not whole may be the beginning of the next one.
    pub fn may_go_on(&self, line: &str) -> bool {
        let begins: &[&str] = match self.begun {
            false => &["{\"farrier\":\"comparison\""],
            true => &["{\"definition\":\"", "{\"of\":"],
        };
        begins.iter().any(|begin| line.starts_with(begin) || begin.starts_with(line))
    }

    /// The lines that must be written before games of these contestants, sealed, and a mistake if one has changed
    /// since its games were played.
    pub fn admit(&mut self, all: &[Contestant], rules: &Rules) -> Result<Vec<String>, ArchiveError> {
        let mut lines = Vec::new();
        if !self.begun {
            lines.extend(serde_json::to_string(&Header::of(rules)));
            self.begun = true;
        }
        let each = |one: &'_ Contestant| (one.name.clone(), one.fingerprint());
        for (name, definition) in all
            .iter()
            .flat_map(|one| [each(one)].into_iter().chain(one.restricted.iter().map(|r| each(&r.contestant))))
        {
            match self.variants.iter().find(|(known, _)| *known == name) {
                Some((_, known)) if *known == definition => {}
                Some(_) => {
                    return Err(ArchiveError {
                        message: format!("`{name}` has changed since its games were played"),
                        help: "use another file: games of two definitions cannot be added up".to_owned(),
                    });
                }
                None => {
                    self.variants.push((name.clone(), definition.clone()));
                    lines.extend(serde_json::to_string(&DefinitionLine { definition, variant: name }));
                }
            }
        }
        Ok(lines.iter().map(|line| self.seal.seal(line)).collect())
    }

    /// The writer of further games, once their contestants are admitted.
    pub fn keeper(&self) -> Keeper {
        let places = self.variants.iter().enumerate().map(|(place, (name, _))| (name.clone(), place));
        Keeper { seal: self.seal, places: places.collect() }
    }

    /// Gives a game away, if it is here.
    pub(super) fn take(
        &mut self,
        contestant: &Contestant,
        rules: &Rules,
        series: Series,
        number: u64,
    ) -> Option<GameRecord> {
        if self.games.is_empty() {
            return None;
        }
        let of = self.variants.iter().position(|(name, _)| *name == contestant.name)?;
        let game = self.games.remove(&(of, series, number))?;
        let (seed, agents) = head(contestant, rules, series, number);
        Some(GameRecord { variant: contestant.name.clone(), seed, agents, ..game })
    }
}
