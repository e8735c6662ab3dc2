//! The worth of a rule: games in which one player may not use it.
//!
//! *Restricted play* (Jaffe, Miller, Andersen, Liu, Karlin and Popović 2012): an agent plays against itself, and one
//! of the seats goes without a decision or a kind of piece. The rule is worth to a player the points that this seat
//! lacks to an even share. Each seat goes without it in as many games, so who begins does not matter.
//!
//! Without a decision a restricted game is the variant with one extension more, which says `where.and = "mover !=
//! PLAYER"`; without an option its [definition is made of both](aside). So it is a game like any other: both agents
//! know of the ban, and programs, games and records know nothing of it.

use super::contestant::{Contestant, Restricted};
use crate::definition::{Definition, aside};
use crate::game::Game;
use crate::semantics::{Decision, Domain};
use crate::source::{Files, MemoryFiles, Sources};
use crate::variant::Variant;

impl Contestant {
    /// Loads the games in which one player goes without a rule: each of those that are named, by decision, kind of
    /// piece or option, and that this variant has; or what its options add and change. `variant` is the contestant's
    /// own.
    ///
    /// # Errors
    /// Where such a game cannot be had: a sentence.
    pub fn restrict(
        &mut self,
        variant: &Variant,
        files: &dyn Files,
        named: Option<&[String]>,
    ) -> Result<(), String> {
        // Where players can swap sides a ban on a side is none on a player.
        if self.game.program.swaps_sides() {
            return Ok(());
        }
        let what: Vec<String> = match named {
            None => self.without.iter().flat_map(|(option, _)| self.parts_of(option)).collect(),
            Some(named) => named.iter().filter(|name| self.can_restrict(name)).cloned().collect(),
        };
        for what in what {
            // It may be named twice.
            if self.restricted.iter().any(|known| known.what == what) {
                continue;
            }
            let mut seats = Vec::new();
            for player in 0..self.game.rules.players.len() {
                let found = match self.without(&what) {
                    Some(Ok((without, _))) => self.aside(&without.definition, &what, player),
                    Some(Err(why)) => Err(format!("{why} without it")),
                    None => restricted(&self.game, &self.name, variant, files, &what, player),
                };
                match (found, named) {
                    (Ok(contestant), _) => seats.push(Restricted { what: what.clone(), player, contestant }),
                    (Err(why), Some(_)) => {
                        let player = self.game.player(player);
                        return Err(format!("`{what}` cannot be kept from {player}: {why}"));
                    }
                    // Nobody asked for it.
                    (Err(_), None) => {}
                }
            }
            let whole = seats.len() == self.game.rules.players.len();
            self.restricted.extend(seats.into_iter().filter(|_| whole));
        }
        Ok(())
    }

    /// The parts of an option that a player can go without: the decisions that it adds, else all that it changes.
    fn parts_of(&self, option: &str) -> Vec<String> {
        let decisions = self.game.rules.decisions.iter().filter(|d| !d.chance).map(|d| &d.name);
        let added: Vec<String> =
            decisions.filter(|name| self.added_by(name) == Some(option)).cloned().collect();
        if added.is_empty() { vec![option.to_owned()] } else { added }
    }

    /// Whether there is something of a name that a player can go without.
    fn can_restrict(&self, name: &str) -> bool {
        let rules = &self.game.rules;
        rules.decisions.iter().any(|d| !d.chance && d.name == name)
            || rules.kinds.iter().any(|k| k.name == name)
            || self.without(name).is_some()
    }

    /// The game in which a player has the rules of the game without an option.
    fn aside(&self, without: &Definition, option: &str, player: usize) -> Result<Contestant, String> {
        let definition = aside(&self.game.definition, without, player)
            .map_err(|what| format!("it changes {what}, which is the same for all players"))?;
        let game = Game::of(self.game.name.clone(), definition)
            .ok_or("its rules cannot be those of one player only")?;
        let machine = game.machine().map_err(|error| error.to_string())?;
        let name = format!("{}~{option}@{}", self.name, game.player(player));
        Ok(Contestant::of(name, game, machine))
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
    let found = Contestant::alone(name, &variant, &files, &mut Sources::default());
    let mut found = found.map_err(|error| error.to_string())?;
    found.game = found.game.with_weights_of([game]).unwrap_or(found.game);
    Ok(found)
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

/// The condition under which a choice does not use a kind of piece: none of the mover's pieces of this kind stands on
/// its first site, and no chosen kind is this one.
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
