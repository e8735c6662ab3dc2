//! Reads a [`Definition`] from the merged tree: pieces, rules, state.

use super::file::File;
use super::join::{Joined, by_player, is_broken, list, rule};
use super::merge::Slot;
use super::model::{
    Define, Definition, Named, OptionDef, Origin, Param, PieceDef, Rule, Said, StateDef, Text, TraitValue,
};
use super::schema::{Join, Rows};
use super::value::Value;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::limits::PLAYERS;
use crate::source::Span;
use crate::syntax::ast::{self, Name};
use crate::syntax::text::RuleText;

/// Reads the merged tree.
pub(super) struct Reader<'a> {
    /// The tree.
    pub root: &'a Slot,
    /// The file that was asked for.
    pub file: &'a File,
    /// The extension files.
    pub extensions: &'a [File],
    /// All options and their values.
    pub options: &'a [OptionDef],
    /// The players, once they are known.
    pub players: Vec<Name>,
    /// Names whose values could not be read.
    pub lost: Vec<String>,
    /// Where mistakes go.
    pub out: &'a mut Diagnostics,
}

impl<'a> Reader<'a> {
    /// The whole definition. None if there is not even a board or a piece.
    pub fn definition(mut self, origins: Vec<Origin>) -> Option<Definition> {
        self.players = self.players();
        let teams = self.teams();
        let title = self.title();
        let own = |key: &str| self.file.own.text(key).map(|text| text.text.clone());
        let (author, source, summary, group) = (own("author"), own("source"), own("summary"), own("group"));
        let board = self.board();
        let board_span = self.table_span(&["board"]);
        let stack = self.mixed_stack();
        let pieces = self.pieces();
        let relations = self.rules("relations");
        let mut defines = self.defines("regions");
        defines.extend(self.defines("define"));
        let effects = self.rules("effects");
        let state = self.state();
        let setup = self.setup();
        let position = self.position();
        let decisions = self.decisions();
        let flows = self.rules("flow").into_iter().map(|flow| (flow.name, flow.body)).collect();
        let turn = self.turn();
        let ends = self.ends();
        let score = rule(self.root.at(&["score", "value"]), false, self.out);
        let match_ = self.match_();
        let tests = self.tests();
        let mut lost = std::mem::take(&mut self.lost);
        lost.sort();
        lost.dedup();
        // Without pieces no rule can be checked.
        if pieces.is_empty() && !self.is_on_paper() {
            return None;
        }
        Some(Definition {
            title,
            author,
            source,
            summary,
            group,
            players: self.players,
            teams,
            board: board?,
            board_span,
            stack,
            pieces,
            relations,
            defines,
            effects,
            state,
            setup,
            position,
            decisions,
            flows,
            turn,
            ends,
            score,
            match_,
            options: self.options.to_vec(),
            tests,
            origins,
            lost,
            flawed: false,
            own: Vec::new(),
            dropped: Vec::new(),
            said: Said::default(),
            weights: None,
            elsewhere: Vec::new(),
        })
    }

    /// The file's start: the place of reports on keys that are missing altogether.
    pub fn start(&self) -> Span {
        Span { file: self.file.id, start: 0, end: 0 }
    }

    /// Reports a key that must be there.
    pub fn missing(&mut self, path: &str, place: Span) {
        let message = format!("the key `{path}` is missing");
        let words: Vec<&str> = path.split('.').collect();
        let mut rows = Some(Rows::all());
        for word in &words {
            rows = rows.and_then(|rows| rows.under(word));
        }
        let mut found = Diagnostic::error("missing-key", place, message);
        if let (Some(row), Some(key)) = (rows.and_then(|rows| rows.leaf()), words.last()) {
            let doc = row.doc.trim_end_matches('.');
            let (first, rest) = doc.split_at(doc.chars().next().map_or(0, char::len_utf8));
            let doc = first.to_lowercase() + rest;
            found = found.help(format!("add `{key}`, {}: {doc}", row.holds.describe()));
        }
        self.out.push(found);
    }

    /// The place of a table, or of its key.
    pub fn table_span(&self, path: &[&str]) -> Span {
        let slot = self.root.at(path);
        slot.map_or(self.start(), |slot| slot.table.unwrap_or(slot.key_span()))
    }

    /// The keys of a section.
    pub fn section(&self, path: &[&str]) -> Vec<(Name, &'a Slot)> {
        let slot = self.root.at(path);
        let children = slot.into_iter().flat_map(Slot::children);
        children.map(|(key, slot)| (super::value::key_name(key), slot)).collect()
    }

    fn title(&mut self) -> String {
        if self.file.own.get("name").is_none() {
            self.missing("name", self.start());
        }
        let title = self.file.own.text("name");
        title.map(|text| text.text.clone()).unwrap_or_default()
    }

    fn players(&mut self) -> Vec<Name> {
        let Some(slot) = self.root.get("players").filter(|slot| slot.is_said()) else {
            let span = self.start();
            let name = |text: &str| Name { text: text.to_string(), span };
            return vec![name("white"), name("black")];
        };
        let names: Vec<Name> = list(slot, |names: &Vec<Name>, _| names.clone());
        for (i, name) in names.iter().enumerate() {
            if let Some(first) = names[..i].iter().find(|other| other.text == name.text) {
                let message = format!("two players are called `{}`", name.text);
                let found =
                    Diagnostic::error("double-name", name.span, message).and(first.span, "the first one");
                self.out.push(found);
            }
            let taken = match name.text.as_str() {
                text if Join::of(text).is_some() => Some("joins overlays"),
                "draw" | "unfinished" => Some("is a result by itself"),
                _ => None,
            };
            if let Some(why) = taken {
                let message = format!("a player cannot be called `{}`: that word {why}", name.text);
                self.out.push(Diagnostic::error("reserved-name", name.span, message));
            }
        }
        if (names.is_empty() || names.len() > PLAYERS) && !is_broken(slot) {
            let message = format!("a game has 1 to {PLAYERS} players, not {}", names.len());
            self.out.push(Diagnostic::error("players", slot.span(), message));
        }
        let mut kept: Vec<Name> = Vec::new();
        for name in names.into_iter().take(PLAYERS) {
            if !kept.iter().any(|other| other.text == name.text) {
                kept.push(name);
            }
        }
        kept
    }

    /// The team of each player. Only the first mistake is told: the others may follow from it.
    fn teams(&mut self) -> Vec<usize> {
        let Some(slot) = self.root.get("teams").filter(|slot| slot.is_said()) else { return Vec::new() };
        let texts: Vec<Text> = list(slot, |texts: &Vec<Text>, _| texts.clone());
        let mut teams: Vec<Option<usize>> = vec![None; self.players.len()];
        let mut wrong = None;
        let words =
            texts.iter().flat_map(|text| text.text.split_whitespace().map(move |word| (text.span, word)));
        let mut number = 0;
        let mut last = None;
        for (span, word) in words {
            number += usize::from(last.replace(span).is_some_and(|last| last != span));
            let place = self.players.iter().position(|player| player.text == word);
            let found = match place.and_then(|place| teams.get_mut(place)) {
                None => Some(
                    Diagnostic::error("unknown-name", span, format!("there is no player `{word}`"))
                        .help("a team is the names of its players with blanks between them")
                        .suggest(word, self.players.iter().map(|player| player.text.as_str())),
                ),
                Some(team) => team.replace(number).map(|_| {
                    let message = format!("`{word}` is in two teams, or twice in one");
                    Diagnostic::error("players", span, message)
                }),
            };
            wrong = wrong.or(found);
        }
        let alone = self.players.iter().zip(&teams).find(|(_, team)| team.is_none());
        let alone = alone.map(|(player, _)| {
            Diagnostic::error("players", slot.span(), format!("`{player}` is in no team"))
                .help("name every player once: who plays alone is a team of one")
        });
        let teams: Vec<usize> = teams.into_iter().flatten().collect();
        let one = (number == 0).then(|| {
            let message = "all players are in one team: nobody is there to be beaten";
            Diagnostic::error("players", slot.span(), message)
        });
        if is_broken(slot) {
            return Vec::new();
        }
        if let Some(wrong) = wrong.or(alone).or(one) {
            self.out.push(wrong);
            return Vec::new();
        }
        // Teams of one are none.
        let paired =
            teams.iter().enumerate().any(|(i, team)| teams.get(..i).is_some_and(|t| t.contains(team)));
        if paired { teams } else { Vec::new() }
    }

    /// Whether all that is on the board is state, as where it is drawn on paper.
    fn is_on_paper(&self) -> bool {
        self.root.get("pieces").is_none()
            && !self.section(&["state"]).is_empty()
            && self.picture().is_none_or(|(letter, _)| letter.is_none())
    }

    /// The first letter of the picture of the set-up, and the picture's place.
    fn picture(&self) -> Option<(Option<char>, Span)> {
        let slot = self.root.at(&["setup", "board"])?;
        let text = slot.held::<RuleText>()?;
        Some((text.text().chars().find(|c| c.is_alphabetic()), slot.span()))
    }

    fn pieces(&mut self) -> Vec<PieceDef> {
        let section = self.section(&["pieces"]);
        if section.is_empty() && !self.is_on_paper() {
            let found = match (self.root.get("pieces"), self.picture()) {
                (None, Some((Some(letter), place))) => {
                    let message = "the set-up has pieces, but the table `[pieces]` is missing";
                    let letter = letter.to_lowercase();
                    Diagnostic::error("missing-key", place, message).help(format!(
                        "each kind of piece is a key of `[pieces]`, such as `piece = {{ letter = \"{letter}\" }}`"
                    ))
                }
                _ => Diagnostic::error("missing-key", self.table_span(&["pieces"]), "there are no pieces")
                    .help("`[pieces]` needs at least one kind, such as `piece = { letter = \"p\" }`; a game without pieces leaves it out and has `[state]`"),
            };
            self.out.push(found);
        }
        let mut found: Vec<PieceDef> = Vec::new();
        for (name, slot) in section {
            let letter = self.letter(&name, slot);
            let lower = letter.to_lowercase();
            if let Some(other) = found.iter().find(|p| p.letter.to_lowercase() == lower) {
                let message =
                    format!("`{}` and `{}` have the same letter `{letter}`", other.name.text, name.text);
                let place = slot.get("letter").map_or(name.span, Slot::span);
                let found = Diagnostic::error("double-letter", place, message)
                    .and(other.name.span, "the other kind")
                    .help("give one of them another `letter`");
                self.out.push(found);
            }
            let stack = self.int_in(slot.get("stack"), 1, super::board::MAX_STACK).unwrap_or(1);
            let mut traits = Vec::new();
            for (key, slot) in slot.children() {
                if matches!(key.text.as_str(), "letter" | "stack") || !slot.is_said() {
                    continue;
                }
                match self.trait_value(slot) {
                    Some(value) => traits.push((super::value::key_name(key), value)),
                    None => self.lost.push(key.text.clone()),
                }
            }
            found.push(PieceDef { name, letter, stack, traits });
        }
        found
    }

    fn letter(&mut self, name: &Name, slot: &Slot) -> String {
        let first: String = name.text.chars().take(1).collect();
        let Some(text) = slot.value::<Text>("letter") else { return first };
        let mut letters = text.text.chars();
        let found = match (letters.next(), letters.next()) {
            (Some(letter), None) if letter.is_alphabetic() => {
                // Of two players the capital says whose the piece is; else a number does.
                if self.players.len() != 2 || has_capital(letter) {
                    return text.text.clone();
                }
                let message = format!(
                    "`{letter}` has no capital, which tells the first player's pieces from the second's"
                );
                Diagnostic::error("wrong-value", text.span, message).help("give another `letter`")
            }
            _ => Diagnostic::error("wrong-value", text.span, format!("`{}` is not one letter", text.text)),
        };
        self.out.push(found);
        first
    }

    fn trait_value(&mut self, slot: &Slot) -> Option<TraitValue> {
        let set = slot.set.as_ref().map(|placed| &placed.entry);
        let plain = match set.map(|entry| (&entry.value, entry.span)) {
            Some((Value::Bool(value), span)) => TraitValue::Group(*value, span),
            Some((Value::Int(number), span)) => TraitValue::Int(*number, span),
            Some((Value::Name(name), _)) => TraitValue::Kind(name.clone()),
            Some((Value::Broken, _)) => return None,
            _ => {
                let rule: Rule<ast::Pattern> = rule(Some(slot), false, self.out)?;
                return Some(TraitValue::Pattern(rule));
            }
        };
        if let Some(join) = slot.joins.first() {
            let message =
                format!("`{}` is no movement pattern: nothing can be added to it", join.entry.path_text());
            let found =
                Diagnostic::error("wrong-join", join.entry.span, message).and(slot.span(), "it is set here");
            self.out.push(found);
        }
        Some(plain)
    }

    /// The rules of a section.
    pub fn rules<T: Joined>(&mut self, section: &str) -> Vec<Named<T>> {
        let mut found = Vec::new();
        for (name, slot) in self.section(&[section]) {
            match rule(Some(slot), false, self.out) {
                Some(body) => found.push(Named { params: params(slot), body, name }),
                None => self.lost.push(name.text),
            }
        }
        found
    }

    fn defines(&mut self, section: &str) -> Vec<Define> {
        let mut found = Vec::new();
        for (name, slot) in self.section(&[section]) {
            match by_player(slot, &self.players, self.out) {
                Some(body) => {
                    found.push(Define { params: params(slot), body, region: section == "regions", name })
                }
                None => self.lost.push(name.text),
            }
        }
        found
    }

    fn state(&mut self) -> Vec<StateDef> {
        let mut found = Vec::new();
        for (name, slot) in self.section(&["state"]) {
            let Some(ty) = slot.value::<Name>("type").cloned() else {
                if !slot.get("type").is_some_and(is_broken) {
                    let path = format!("state.{}.type", name.text);
                    self.missing(&path, name.span);
                }
                self.lost.push(name.text);
                continue;
            };
            let per: Vec<Name> = slot.value("per").cloned().unwrap_or_default();
            for (i, one) in per.iter().enumerate() {
                if per[..i].iter().any(|other| other.text == one.text) {
                    let message = format!("`{}` is said twice", one.text);
                    self.out.push(Diagnostic::error("double-name", one.span, message));
                }
            }
            let start = slot.get("start").and_then(|slot| by_player(slot, &self.players, self.out));
            let shuffle = slot.get("shuffle").and_then(|s| {
                let (low, high) = *s.held::<(i32, i32)>()?;
                Some((low, high, s.span()))
            });
            let lasts = self.int_in(slot.get("lasts"), 0, 1_000_000);
            let identity = slot.value("identity").copied().unwrap_or(true);
            found.push(StateDef { name, ty, per, start, shuffle, lasts, identity });
        }
        found
    }

    /// The integer of a slot, within bounds.
    pub fn int_in(&mut self, slot: Option<&Slot>, least: u32, most: u32) -> Option<u32> {
        let number = *slot?.held::<i32>()?;
        match u32::try_from(number) {
            Ok(number) if (least..=most).contains(&number) => Some(number),
            _ => {
                let place = slot.map(Slot::span).unwrap_or_default();
                let message = format!("expected a number from {least} to {most}, found {number}");
                self.out.push(Diagnostic::error("wrong-value", place, message));
                None
            }
        }
    }
}

fn params(slot: &Slot) -> Vec<Param> {
    slot.params.clone().unwrap_or_default()
}

/// Whether a letter has a small form and a capital, one letter each, each of which is made of the other.
fn has_capital(letter: char) -> bool {
    let small = letter.to_lowercase().to_string();
    let capital = small.to_uppercase();
    small != capital && capital.chars().count() == 1 && capital.to_lowercase() == small
}
