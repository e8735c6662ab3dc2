//! The content of a definition once its overlays are resolved: items (a piece, a decision, an end ...) with
//! fields, each field one [term](Term), and each with its places in the files.
//!
//! ```text
//! Game -> items -> fields -> terms
//!           |        `- parts: the values in the files, and the overlays that say them
//!           `- path: the key in the files
//! two terms -> walk -> the smallest parts in which they differ
//! ```
//!
//! Terms are trees with one shape for every grammar of the language, made from the syntax trees of rules, so
//! one comparison does for all. A term knows where it stands in its file and how it is printed. Its *key* is
//! its meaning as text: two terms are equal by meaning if their keys are equal.
//!
//! `diff` compares two outlines as wholes. `distinguish` takes their fields as the units when it
//! mixes two definitions. Both tell [places](FilePlaces) in the same way.

mod align;
mod build;
mod names;
mod places;
mod play;
mod section;
mod term;
mod things;
mod walk;

pub use places::{FilePlace, FilePlaces};
pub use section::Section;
pub use term::{Class, Env, Label, Term, hash};
pub use walk::{Change, Found, Spot, pair_items, walk};

use build::Build;
use names::Names;
use term::{Local, Many};

use crate::definition::{Definition, Part, PerPlayer, Rule};
use crate::game::Game;
use crate::source::Span;
use crate::syntax::ast::Expr;

/// Something that a definition has: a piece, a decision, the board.
#[derive(Clone, Debug)]
pub struct Item {
    /// Where it is reported.
    pub section: Section,
    /// Its class for rules that name it.
    pub class: Option<Class>,
    /// Its noun for designers: `decision`, `the board`.
    pub noun: &'static str,
    /// Its name in the file; empty where there is only one such item.
    pub name: String,
    /// The id that it is matched by: its name, or the left one's if it was found to be renamed.
    pub id: String,
    /// Its key as a path: `decisions.move`.
    pub path: String,
    /// Its fields.
    pub fields: Vec<Field>,
    /// The locals that several fields share (chosen, parameters), in order.
    pub locals: Vec<Local>,
    /// Whether it is only said about the game.
    pub note: bool,
}

/// One thing that an item says.
#[derive(Clone, Debug)]
pub struct Field {
    /// The id that it is matched by.
    pub id: String,
    /// Its key below the item's: `where`; empty for the item's own value.
    pub key: String,
    /// Its noun for designers: ``the condition `where` ``; empty for the item's own value.
    pub title: String,
    /// Its value.
    pub term: Term,
    /// The values in the files that it is made of; empty for a default.
    pub parts: Vec<Part>,
    /// The local that it gives a value to.
    pub local: Option<Local>,
    /// Whether it is only said about the game.
    pub note: bool,
}

impl Item {
    /// ``decision `move` ``.
    pub fn called(&self) -> String {
        if self.name.is_empty() { self.noun.to_owned() } else { format!("{} `{}`", self.noun, self.name) }
    }

    /// The key of a field, as a path.
    pub fn path(&self, field: &Field) -> String {
        match field.key.is_empty() || field.key == self.path {
            true => self.path.clone(),
            false => format!("{}.{}", self.path, field.key),
        }
    }

    /// The terms of all fields.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.fields.iter().map(|field| &field.term)
    }
}

/// The outlines of two games. Their locals have different numbers.
pub fn both(left: &Game, right: &Game) -> (Vec<Item>, Vec<Item>) {
    (outline(left, 0), outline(right, 1 << 30))
}

/// All items of a definition, by section.
fn outline(game: &Game, first_local: u32) -> Vec<Item> {
    let names = Names::of(&game.definition);
    let mut out =
        Outline { game, def: &game.definition, build: Build::new(&names, first_local), items: Vec::new() };
    out.about();
    out.options();
    out.players();
    out.board();
    out.pieces();
    out.relations();
    out.defines();
    out.effects();
    out.state();
    out.setup();
    out.decisions();
    out.turn();
    out.ends();
    out.score();
    out.match_();
    out.position();
    out.items
}

/// Makes the outline of one game.
struct Outline<'a> {
    game: &'a Game,
    def: &'a Definition,
    build: Build<'a>,
    items: Vec<Item>,
}

impl<'a> Outline<'a> {
    /// Adds an item without fields.
    fn item(&mut self, section: Section, class: Option<Class>, noun: &'static str, path: &str, name: &str) {
        self.items.push(Item {
            section,
            class,
            noun,
            name: name.to_owned(),
            id: name.to_owned(),
            path: path.to_owned(),
            fields: Vec::new(),
            locals: Vec::new(),
            note: false,
        });
    }

    /// Adds an item without fields that has a name in a table, and gives back its path.
    fn named(
        &mut self,
        section: Section,
        class: Class,
        noun: &'static str,
        table: &str,
        name: &str,
    ) -> String {
        let path = format!("{table}.{name}");
        self.item(section, Some(class), noun, &path, name);
        path
    }

    /// Adds a field to the last item.
    fn field(&mut self, key: &str, title: &str, term: Term, parts: Vec<Part>) -> Option<&mut Field> {
        let item = self.items.last_mut()?;
        item.fields.push(Field {
            id: key.to_owned(),
            key: key.to_owned(),
            title: title.to_owned(),
            term,
            parts,
            local: None,
            note: false,
        });
        item.fields.last_mut()
    }

    /// Adds a field that is a plain word; where the files say nothing of it, it is a default.
    fn word(&mut self, path: &str, key: &str, title: &str, text: impl Into<String>) -> Option<&mut Field> {
        let parts = self.said(path);
        let term = Term::word(text, spot(&parts));
        self.field(key, title, term, parts)
    }

    /// Adds a field that only some have.
    fn maybe<T>(
        &mut self,
        key: &str,
        title: &str,
        rule: Option<&Rule<T>>,
        term: impl FnOnce(&mut Build<'a>, &T) -> Term,
    ) {
        if let Some(rule) = rule {
            let term = term(&mut self.build, &rule.tree);
            self.field(key, title, term, rule.parts.clone());
        }
    }

    /// The places of a key.
    fn said(&self, path: &str) -> Vec<Part> {
        self.def.said.keys.get(path).cloned().unwrap_or_default()
    }

    /// Adds an expression that may differ by player: one field where all players have the same.
    fn by_player(&mut self, title: &str, key: &str, body: &PerPlayer<Rule<Expr>>) {
        match body {
            PerPlayer::All(rule) => self.maybe(key, title, Some(rule), Build::expr),
            PerPlayer::Each(rules) => {
                for (i, (rule, player)) in rules.iter().zip(&self.def.players).enumerate() {
                    let term = self.build.expr(&rule.tree);
                    let sub = if key.is_empty() { player.text.clone() } else { format!("{key}.{player}") };
                    let called = if title.is_empty() { String::new() } else { format!("{title} ") };
                    let called = format!("{called}of {player}");
                    if let Some(field) = self.field(&sub, &called, term, rule.parts.clone()) {
                        field.id = format!("{key}@{i}");
                    }
                }
            }
        }
    }
}

/// Where the first of some parts stands.
fn spot(parts: &[Part]) -> Span {
    parts.first().map(|part| part.span).unwrap_or_default()
}

/// Names joined without order.
fn set(kids: Vec<Term>, span: Span) -> Term {
    Term::list(Many::Names, kids, span, " ")
}

/// A name of something that the definition defines.
fn refer(class: Class, name: &str, span: Span) -> Term {
    Term::leaf(Label::Ref(class, name.to_owned()), span, name)
}
