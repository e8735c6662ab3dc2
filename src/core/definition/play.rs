//! Reads set-up, position, decisions, turns, ends and matches.

use super::join::{is_broken, list, players_of, rule};
use super::merge::{Placed, Slot};
use super::model::{
    DecisionDef, EndDef, MatchDef, Part, PositionDef, Rule, SetupDef, Template, TemplatePart, Text, TurnDef,
};
use super::options::unknown_option;
use super::read::Reader;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{self, Name};

/// How fields are kept apart.
const BLANKS: &str = "each field is a word of its own, with blanks around it";

impl Reader<'_> {
    /// `[setup]`.
    pub(super) fn setup(&mut self) -> SetupDef {
        let Some(slot) = self.root.get("setup") else { return SetupDef::default() };
        let mut named = Vec::new();
        for (name, slot) in self.section(&["setup", "named"]) {
            named.extend(slot.held::<Text>().map(|text| (name, text.clone())));
        }
        SetupDef {
            board: slot.value("board").cloned(),
            effects: rule(slot.get("do"), false, self.out),
            text: self.words(slot.get("text")),
            named,
        }
    }

    /// `[position]`.
    pub(super) fn position(&mut self) -> Option<PositionDef> {
        let slot = self.root.get("position")?;
        let mut spellings = Vec::new();
        for (name, slot) in self.section(&["position"]) {
            let known = ["text", "turn", "empty", "start", "tidy"];
            if known.contains(&name.text.as_str()) {
                continue;
            }
            let Some(letters) = slot.held::<Vec<(Name, Text)>>() else { continue };
            let variables = self.section(&["state"]);
            if !variables.iter().any(|(v, _)| v.text == name.text) {
                let names = variables.iter().map(|(v, _)| v.text.as_str());
                let message = format!("there is no state variable `{}`", name.text);
                let found = Diagnostic::error("unknown-name", name.span, message)
                    .help("a table in `[position]` spells a set of sites")
                    .suggest(&name.text, names.chain(known));
                self.out.push(found);
            }
            for (i, (_, text)) in letters.iter().enumerate() {
                self.one_word("a letter", text);
                let clash = |(_, other): &&(Name, Text)| {
                    let (a, b) = (text.text.as_str(), other.text.as_str());
                    a.starts_with(b) || b.starts_with(a)
                };
                if let Some((_, other)) = letters[..i].iter().find(clash) {
                    let message = format!("`{}` cannot be told from `{}`", text.text, other.text);
                    let found = Diagnostic::error("wrong-value", text.span, message)
                        .help("letters stand side by side: none is the beginning of another");
                    self.out.push(found);
                }
            }
            let spelled = letters.iter().map(|(site, text)| (site.clone(), text.text.clone())).collect();
            spellings.push((name, spelled));
        }
        let turn = self.turn_letters(slot);
        let text = slot.get("text").filter(|slot| slot.is_said());
        if text.is_none() {
            self.missing("position.text", self.table_span(&["position"]));
        }
        let template = self.words(text);
        if let (Some(template), Some(slot)) = (&template, text) {
            self.whole(template, slot.span());
        }
        let empty = slot.value::<Text>("empty").cloned();
        let empty = empty.unwrap_or_else(|| Text { text: "-".to_owned(), span: slot.span() });
        self.one_word("what is empty", &empty);
        Some(PositionDef {
            text: template.unwrap_or_default(),
            turn,
            spellings,
            empty,
            start: slot.value("start").cloned(),
            tidy: rule(slot.get("tidy"), false, self.out),
        })
    }

    /// A text that is read word by word: each field is a word of its own, or several.
    fn words(&mut self, slot: Option<&Slot>) -> Option<Template> {
        let slot = slot?;
        let template = slot.held::<Template>()?.clone();
        let mut says = |span: Span, message: String| {
            self.out.push(Diagnostic::error("bad-template", span, message).help(BLANKS));
        };
        let mut open = false;
        for part in &template.parts {
            match part {
                TemplatePart::Literal(text) => {
                    if open && !text.starts_with(char::is_whitespace) {
                        says(slot.span(), format!("`{text}` follows a field without a blank"));
                    }
                    open = !text.ends_with(char::is_whitespace);
                }
                TemplatePart::Field { name, .. } => {
                    if open {
                        says(name.span, format!("no blank is before `{}`", name.text));
                    }
                    open = true;
                }
            }
        }
        Some(template)
    }

    /// Checks that a text of positions has the board, and leaves `&` to the part that its fields do not say.
    fn whole(&mut self, template: &Template, span: Span) {
        let mut says = |message: &str, help: &str| {
            self.out.push(Diagnostic::error("bad-template", span, message).help(help));
        };
        let mut board = false;
        for part in &template.parts {
            match part {
                TemplatePart::Literal(text) if text.split_whitespace().any(|word| word == "&") => {
                    says("`&` stands in the text", "behind ` & ` stands what the fields do not say");
                }
                TemplatePart::Literal(_) => {}
                TemplatePart::Field { name, .. } => board |= name.text == "board",
            }
        }
        if !board {
            says("the text leaves the pieces out", "a text of positions has the field `{board}`");
        }
    }

    /// Checks a text that stands between blanks, and may stand in a list.
    fn one_word(&mut self, what: &str, text: &Text) {
        let apart = |c: char| c.is_whitespace() || c == ',';
        if text.text.is_empty() || text.text == "&" || text.text.contains(apart) {
            let message =
                format!("{what} is written as one word: it has no blank and no comma, and is not `&`");
            self.out.push(Diagnostic::error("wrong-value", text.span, message));
        }
    }

    /// How players are written: by their names if nothing is given.
    fn turn_letters(&mut self, slot: &Slot) -> Vec<String> {
        let mut letters: Vec<String> = self.players.iter().map(|p| p.text.clone()).collect();
        let slot = slot.get("turn");
        let Some(table) = slot.and_then(Slot::held::<Vec<(Name, Text)>>) else { return letters };
        let names = table.iter().map(|(name, _)| name);
        let all = slot.map(Slot::span);
        if let Some(order) = players_of(names, &self.players, all, self.out) {
            for (i, ((_, text), player)) in table.iter().zip(order).enumerate() {
                self.one_word("a player", text);
                if table[..i].iter().any(|(_, other)| other.text == text.text) {
                    let message = format!("two players are written `{}`", text.text);
                    self.out.push(Diagnostic::error("wrong-value", text.span, message));
                }
                letters[player] = text.text.clone();
            }
        }
        letters
    }

    /// `[decisions]`.
    pub(super) fn decisions(&mut self) -> Vec<DecisionDef> {
        let mut found = Vec::new();
        for (name, slot) in self.section(&["decisions"]) {
            let mut lets = Vec::new();
            let table = slot.get("let").into_iter().flat_map(Slot::children);
            for (key, slot) in table {
                match rule(Some(slot), false, self.out) {
                    Some(rule) => lets.push((super::value::key_name(key), rule)),
                    None => self.lost.push(key.text.clone()),
                }
            }
            let unread = slot.get("choose").filter(|choose| is_broken(choose));
            self.lose_chosen(unread);
            let choose: Option<Rule<ast::Choose>> = rule(slot.get("choose"), false, self.out);
            if unread.is_none() && !slot.get("text").is_some_and(Slot::is_said) {
                let names = choose.iter().flat_map(|rule| &rule.tree.choices);
                let example: String = names.map(|choice| format!("{{{}}}", choice.name)).collect();
                let example = if example.is_empty() { name.text.clone() } else { example };
                let message = format!("decision `{name}` has no `text`");
                let found = Diagnostic::error("missing-key", name.span, message)
                    .here("how is such a move written?")
                    .help(format!("add `text = \"{example}\"`"));
                self.out.push(found);
            }
            found.push(DecisionDef {
                when: rule(slot.get("when"), true, self.out),
                choose,
                lets,
                where_: rule(slot.get("where"), true, self.out),
                effects: rule(slot.get("do"), false, self.out),
                keeps: rule(slot.get("keeps"), true, self.out),
                repeats: slot.value("repeats").copied().unwrap_or(true),
                text: slot.value("text").cloned(),
                joined: slot.value("joined").cloned(),
                chance: slot.value::<Name>("by").is_some(),
                weight: rule(slot.get("weight"), false, self.out),
                name,
            });
        }
        found
    }

    /// The names that a `choose` which cannot be read would have bound.
    fn lose_chosen(&mut self, slot: Option<&Slot>) {
        let Some(placed) = slot.and_then(|slot| slot.set.as_ref()) else { return };
        let words = placed.entry.print.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let names = words.filter(|word| crate::wording::is_identifier(word));
        self.lost.extend(names.map(str::to_string));
    }

    /// `[turn]`.
    pub(super) fn turn(&mut self) -> TurnDef {
        let span = self.table_span(&["turn"]);
        let slot = self.root.get("turn");
        let get = |key: &str| slot.and_then(|slot| slot.get(key));
        let main = rule(get("main"), false, self.out);
        if main.is_none() && !get("main").is_some_and(is_broken) {
            self.missing("turn.main", span);
        }
        TurnDef {
            span,
            opening: get("opening")
                .map(|slot| list(slot, |flows: &Vec<_>, placed| opening(flows, placed)))
                .unwrap_or_default(),
            main,
            finish: rule(get("finish"), false, self.out),
            skip: rule(get("skip"), true, self.out),
            stuck: rule(get("stuck"), false, self.out),
        }
    }

    /// `[end]`.
    pub(super) fn ends(&mut self) -> Vec<EndDef> {
        let mut found = Vec::new();
        for (name, slot) in self.section(&["end"]) {
            let when = rule(slot.get("when"), true, self.out);
            let result = rule(slot.get("result"), false, self.out);
            for (key, there) in [("when", when.is_some()), ("result", result.is_some())] {
                if !there && !slot.get(key).is_some_and(is_broken) {
                    self.missing(&format!("end.{}.{key}", name.text), name.span);
                }
            }
            let at_turn = slot.value::<Name>("at").is_some_and(|at| at.text == "turn");
            let perft = slot.value("perft").copied().unwrap_or(true);
            if let (Some(when), Some(result)) = (when, result) {
                found.push(EndDef { name, when, result, at_turn, perft });
            }
        }
        found
    }

    /// `[match]`.
    pub(super) fn match_(&mut self) -> Option<MatchDef> {
        let slot = self.root.get("match")?;
        let place = self.table_span(&["match"]);
        for key in ["target", "points"] {
            if !slot.get(key).is_some_and(Slot::is_said) {
                self.missing(&format!("match.{key}"), place);
            }
        }
        let alternate: Option<Name> = slot.value("alternate").cloned();
        if let Some(name) = &alternate
            && !self.options.iter().any(|o| o.name.text == name.text)
        {
            self.out.push(unknown_option(name, self.options.iter().map(|o| &o.name)));
        }
        let points = rule(slot.get("points"), false, self.out)?;
        let target = *slot.value("target")?;
        Some(MatchDef { target, points, alternate })
    }
}

fn opening(flows: &[(ast::Flow, Span)], placed: &Placed) -> Vec<Rule<ast::Flow>> {
    let part = |span| Part { span, origin: placed.origin };
    let rule = |(flow, span): &(ast::Flow, Span)| Rule { tree: flow.clone(), parts: vec![part(*span)] };
    flows.iter().map(rule).collect()
}
