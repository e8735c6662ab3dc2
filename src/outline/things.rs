//! The things of a game: the words about it, options, players, board, pieces, names for rules, state.

use super::Section;
use super::build::Build;
use super::term::{Class, Many, Term};
use super::{Outline, refer, set, spot};
use crate::board::{DirectionTable, Shape};
use crate::definition::{OptionDef, Param, Part, TraitValue};
use crate::source::Span;
use crate::syntax::ast::Name;

impl Outline<'_> {
    pub(super) fn about(&mut self) {
        let def = self.def;
        let about = [
            ("name", "the title", Some(&def.title)),
            ("author", "the author", def.author.as_ref()),
            ("source", "the source", def.source.as_ref()),
            ("summary", "the summary", def.summary.as_ref()),
            ("group", "the group", def.group.as_ref()),
        ];
        for (key, noun, text) in about {
            let Some(text) = text else { continue };
            self.item(Section::About, None, noun, key, "");
            self.items.iter_mut().rev().take(1).for_each(|item| item.note = true);
            self.word(key, "", "", text);
        }
        for (i, player) in def.players.iter().enumerate() {
            self.item(Section::About, None, "the name of a player", "players", "");
            for item in self.items.iter_mut().rev().take(1) {
                item.note = true;
                item.id = i.to_string();
            }
            let parts = self.at(player.span, "players");
            self.field("", "", Term::word(&player.text, player.span), parts);
        }
    }

    /// A place, with the overlay that says the key.
    fn at(&self, span: Span, path: &str) -> Vec<Part> {
        let said = self.said(path);
        let origin = said.iter().find(|part| part.span.file == span.file).or(said.first());
        origin.map(|part| Part { span, origin: part.origin }).into_iter().collect()
    }

    pub(super) fn options(&mut self) {
        for option in &self.def.options {
            self.named(Section::Options, Class::Option, "option", "options", &option.name.text);
            self.option(option);
        }
    }

    fn option(&mut self, option: &OptionDef) {
        let span = option.name.span;
        // An option stands where its name stands.
        let parts = Vec::new;
        let word = |text: String| Term::word(text, span);
        self.field("is", "its value", word(option.value.to_string()), parts());
        self.field("values", "what it can be", word(option.kind.to_string()), parts());
        self.field("default", "its default", word(option.default.to_string()), parts());
        for (key, list) in [("requires", &option.requires), ("conflicts", &option.conflicts)] {
            if !list.is_empty() {
                let kids = list.iter().map(|n| refer(Class::Option, &n.text, n.span)).collect();
                self.field(key, &format!("`{key}`"), set(kids, span), parts());
            }
        }
        if let Some(field) = self.field("summary", "its summary", word(option.summary.clone()), parts()) {
            field.note = true;
        }
    }

    pub(super) fn players(&mut self) {
        self.item(Section::Players, None, "the number of players", "players", "");
        self.word("players", "", "", self.def.players.len().to_string());
        self.teams();
    }

    /// Who plays with whom. The order of the teams makes no difference.
    fn teams(&mut self) {
        let def = self.def;
        let parts = self.said("teams");
        let span = spot(&parts);
        let team = |number: &usize| {
            let members = def.players.iter().zip(&def.teams).filter(|(_, team)| *team == number);
            set(members.map(|(player, _)| refer(Class::Player, &player.text, span)).collect(), span)
        };
        let mut numbers = def.teams.clone();
        numbers.sort_unstable();
        numbers.dedup();
        if !numbers.is_empty() {
            self.item(Section::About, None, "who plays with whom", "teams", "");
            let teams = numbers.iter().map(team).collect();
            self.field("", "", Term::list(Many::Names, teams, span, ", "), parts);
        }
    }

    pub(super) fn board(&mut self) {
        self.item(Section::Board, None, "the board", "board", "");
        let board = &self.def.board;
        let key = board.shape.key();
        if let Some(field) = self.word(&format!("board.{key}"), key, "", board.shape.to_string()) {
            field.id = "shape".to_owned();
        }
        if let Shape::Graph { edges } = &board.shape {
            for (forwards, backwards, chains) in edges {
                let label = backwards.as_ref().map_or(forwards.clone(), |back| format!("{forwards} {back}"));
                let key = format!("graph.edges.{label}");
                let parts = self.said(&format!("board.{key}"));
                let chain = |chain: &Vec<String>| Term::word(chain.join("-"), spot(&parts));
                let term = Term::list(Many::List, chains.iter().map(chain).collect(), spot(&parts), " ");
                self.field(&key, &format!("the list of edges `{label}`"), term, parts);
            }
            // The first of some sites is the one that the file names first.
            let sites = &self.game.rules.board;
            let order: Vec<&str> = sites.sites().map(|site| sites.name(site)).collect();
            self.word("board.graph", "graph", "the order of the sites", order.join(" "));
        }
        if !board.remove.is_empty() {
            let parts = self.said("board.remove");
            let sites = board.remove.iter().map(|site| Term::word(site, spot(&parts))).collect();
            self.field("remove", "the set of removed sites", set(sites, spot(&parts)), parts);
        }
        let wrap = match (board.wrap_columns, board.wrap_rows) {
            (false, false) => "nothing",
            (true, false) => "columns",
            (false, true) => "rows",
            (true, true) => "both",
        };
        self.word("board.wrap", "wrap", "what wraps around", wrap);
        if let Some((stack, _)) = self.def.stack {
            self.word("board.stack", "stack", "the most pieces on a site", stack.to_string());
        }
        for direction in &board.directions {
            let name = &direction.name;
            let path = self.named(Section::Board, Class::Direction, "direction", "directions", name);
            let parts = self.said(&path);
            let span = spot(&parts);
            let group = |this: &Self, labels: &[String]| {
                let name = |text: &String| this.build.word(&Name { text: text.clone(), span });
                let kids: Vec<Term> = labels.iter().map(name).collect();
                Term::many(Many::Directions, kids, span, labels.join(" "))
            };
            let term = match &direction.table {
                DirectionTable::Group(labels) => group(self, labels),
                DirectionTable::PerPlayer(each) => {
                    for (i, (labels, player)) in each.iter().zip(&self.def.players).enumerate() {
                        let term = group(self, labels);
                        let field = self.field(&player.text, &format!("of {player}"), term, parts.clone());
                        if let Some(field) = field {
                            field.id = format!("@{i}");
                        }
                    }
                    continue;
                }
                DirectionTable::Walk(labels) => {
                    let kids = labels.iter().map(|text| Term::word(text.clone(), span)).collect();
                    Term::many(Many::List, kids, span, format!("walk {}", labels.join(" ")))
                }
                DirectionTable::Pairs(chains) => {
                    let links = chains.iter().flat_map(|chain| chain.windows(2));
                    let kids: Vec<Term> =
                        links.map(|pair| Term::word(format!("{}-{}", pair[0], pair[1]), span)).collect();
                    let shown: Vec<String> = chains.iter().map(|chain| chain.join("-")).collect();
                    Term::many(Many::Pairs, kids, span, format!("pairs {}", shown.join(" ")))
                }
            };
            self.field("", "", term, parts);
        }
    }

    pub(super) fn pieces(&mut self) {
        for piece in &self.def.pieces {
            let path = self.named(Section::Pieces, Class::Piece, "piece", "pieces", &piece.name.text);
            self.word(&format!("{path}.letter"), "letter", "its letter", &piece.letter);
            self.word(&format!("{path}.stack"), "stack", "`stack`", piece.stack.to_string());
            for (name, value) in &piece.traits {
                let key = &name.text;
                let parts = self.said(&format!("{path}.{key}"));
                let span = spot(&parts);
                let (term, parts) = match value {
                    TraitValue::Pattern(rule) => (self.build.pattern(&rule.tree), rule.parts.clone()),
                    TraitValue::Group(is, _) => (Term::word(is.to_string(), span), parts),
                    TraitValue::Int(number, _) => (Term::word(number.to_string(), span), parts),
                    TraitValue::Kind(kind) => (refer(Class::Piece, &kind.text, kind.span), parts),
                };
                self.field(key, &format!("`{key}`"), term, parts);
            }
        }
    }

    pub(super) fn relations(&mut self) {
        for relation in &self.def.relations {
            self.named(Section::Relations, Class::Relation, "relation", "relations", &relation.name.text);
            self.with_params(&relation.params, relation.name.span);
            self.maybe("", "", Some(&relation.body), Build::pattern);
            self.build.locals.clear();
        }
    }

    pub(super) fn defines(&mut self) {
        for define in &self.def.defines {
            let (noun, table) = if define.region { ("region", "regions") } else { ("definition", "define") };
            self.named(Section::Definitions, Class::Definition, noun, table, &define.name.text);
            self.with_params(&define.params, define.name.span);
            self.by_player("", "", &define.body);
            self.build.locals.clear();
        }
    }

    pub(super) fn effects(&mut self) {
        for effect in &self.def.effects {
            self.named(Section::Effects, Class::Effect, "effect", "effects", &effect.name.text);
            self.with_params(&effect.params, effect.name.span);
            self.maybe("", "", Some(&effect.body), Build::effects);
            self.build.locals.clear();
        }
    }

    /// Parameters: the locals of the item's own value.
    fn with_params(&mut self, params: &[Param], span: Span) {
        if params.is_empty() {
            return;
        }
        let kids = self.build.params(params);
        let locals = self.build.locals.clone();
        self.field("params", "the list of parameters", Term::list(Many::List, kids, span, ", "), Vec::new());
        if let Some(item) = self.items.last_mut() {
            item.locals = locals;
        }
    }

    pub(super) fn state(&mut self) {
        for state in &self.def.state {
            let path = self.named(Section::State, Class::State, "state variable", "state", &state.name.text);
            self.word(&format!("{path}.type"), "type", "its type", &state.ty.text);
            if !state.per.is_empty() {
                let per: Vec<&str> = state.per.iter().map(|per| per.text.as_str()).collect();
                self.word(&format!("{path}.per"), "per", "what it has an entry for each of", per.join(", "));
            }
            if let Some(start) = &state.start {
                self.by_player("its start", "start", start);
            }
            if let Some((low, high, _)) = state.shuffle {
                self.word(&format!("{path}.shuffle"), "shuffle", "`shuffle`", format!("{low}..{high}"));
            }
            if let Some(lasts) = state.lasts {
                self.word(&format!("{path}.lasts"), "lasts", "how many turns it lasts", lasts.to_string());
            }
            let identity = state.identity.to_string();
            self.word(&format!("{path}.identity"), "identity", "whether it tells positions apart", identity);
        }
    }
}
