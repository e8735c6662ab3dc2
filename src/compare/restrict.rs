//! What a rule is worth: games in which one player may not use it.
//!
//! *Restricted play* (Jaffe, Miller, Andersen, Liu, Karlin and Popović 2012): an agent plays against itself, and one of
//! the seats goes without a decision or a kind of piece. What that seat gets less than an even share of the points is
//! what the rule is worth to a player. Each seat goes without it in as many games, so who begins does not matter.
//!
//! A restricted game is the variant with one extension more, which says `where.and = "mover != PLAYER"`. So it is a
//! game like any other: both agents know of the ban, and programs, games and records know nothing of it.

use super::contestant::{Contestant, Restricted};
use crate::definition::Definition;
use crate::game::Game;
use crate::semantics::{Decision, Domain};
use crate::source::{Files, MemoryFiles, Sources};
use crate::variant::Variant;

impl Contestant {
    /// Loads the games in which one player goes without a rule: each of those that are named by decision or kind of
    /// piece and that this variant has, or each decision that an option adds. `variant` is the contestant's own.
    ///
    /// # Errors
    /// Where such a game cannot be had: a sentence.
    pub fn restrict(
        &mut self,
        variant: &Variant,
        files: &dyn Files,
        named: Option<&[String]>,
    ) -> Result<(), String> {
        let rules = &self.game.rules;
        let decisions = rules.decisions.iter().filter(|d| !d.chance).map(|d| &d.name);
        let what: Vec<String> = match named {
            None => decisions.filter(|name| self.added_by(name).is_some()).cloned().collect(),
            Some(named) => {
                let known: Vec<&String> = decisions.chain(rules.kinds.iter().map(|k| &k.name)).collect();
                named.iter().filter(|name| known.contains(name)).cloned().collect()
            }
        };
        // Where players can swap sides a ban on a side is none on a player.
        if self.game.program.swaps_sides() {
            return Ok(());
        }
        for what in what {
            for player in 0..self.game.rules.players.len() {
                let contestant = restricted(&self.game, &self.name, variant, files, &what, player)?;
                self.restricted.push(Restricted { what: what.clone(), player, contestant });
            }
        }
        Ok(())
    }
}

/// The game in which a player may not use a rule.
fn restricted(
    game: &Game,
    name: &str,
    variant: &Variant,
    files: &dyn Files,
    what: &str,
    player: usize,
) -> Result<Contestant, String> {
    let player = game.player(player);
    // An extension is called by its file.
    let path = format!("./{player}-without-{what}.toml");
    let text = ban(game, &variant.game, what, player);
    let mut variant = variant.clone();
    variant.choices.with.push(path.clone());
    let files = (MemoryFiles::default().with(path, text), files);
    let name = format!("{name}~{what}@{player}");
    Contestant::alone(name, &variant, &files, &mut Sources::default())
        .map_err(|error| format!("there is no game without `{what}` for {player}: {error}"))
}

/// The text of the extension.
fn ban(game: &Game, of: &str, what: &str, player: &str) -> String {
    let mut text = format!("for = {}\n", toml::Value::from(of));
    for decision in &game.rules.decisions {
        let banned = match decision.name == what {
            true => Some("false".to_owned()),
            false if game.rules.decisions.iter().any(|d| d.name == what) => None,
            false => piece(&game.definition, decision, what),
        };
        if let Some(allowed) = banned {
            let rule = toml::Value::from(format!("mover != {player} or {allowed}"));
            text += &format!("[decisions.{}]\nwhere.and = {rule}\n", toml::Value::from(&*decision.name));
        }
    }
    text
}

/// What a choice must be so that it does not use a kind of piece: its first site is where none of the mover's stands,
/// and no kind is this one.
fn piece(definition: &Definition, decision: &Decision, kind: &str) -> Option<String> {
    let written = definition.decisions.iter().find(|d| d.name.text == decision.name)?;
    let names = written.choose.iter().flat_map(|rule| &rule.tree.choices).map(|choice| &choice.name.text);
    let chosen: Vec<_> = names.zip(&decision.vars).collect();
    let site = chosen.iter().find(|(_, var)| matches!(var.domain, Domain::Sites(_)));
    let kinds = chosen.iter().filter(|(_, var)| matches!(var.domain, Domain::Kinds(_)));
    let tests = (site.iter().map(|(name, _)| format!("{name} not in own {kind}")))
        .chain(kinds.map(|(name, _)| format!("{name} != {kind}")));
    let tests: Vec<String> = tests.collect();
    (!decision.chance && !tests.is_empty()).then(|| format!("({})", tests.join(" and ")))
}
