//! The course of a game: set-up, decisions, turn, ends, score, matches, and the texts of positions.

use super::Section;
use super::build::Build;
use super::term::{Class, Label, Local, Many, Term};
use super::{Outline, refer, spot};
use crate::definition::{Part, Template};
use crate::semantics::PieceOn;
use crate::source::Span;

impl Outline<'_> {
    pub(super) fn setup(&mut self) {
        self.item(Section::Setup, None, "the set-up", "setup", "");
        let setup = &self.def.setup;
        if let Some(picture) = &setup.board {
            let parts = self.said("setup.board");
            let term = self.picture(picture.whole());
            self.field("board", "the picture", term, parts);
        }
        self.maybe("do", "what happens at the start (`do`)", setup.effects.as_ref(), Build::effects);
        self.template("setup.text", "text", "the text", setup.text.as_ref());
        for (name, text) in &setup.named {
            let path = format!("setup.named.{name}");
            let key = format!("named.{name}");
            self.word(&path, &key, &format!("the set-up called `{name}`"), &text.text);
        }
        if let Some(start) = self.def.position.as_ref().and_then(|p| p.start.as_ref()) {
            self.item(Section::Setup, None, "the position at the start", "position.start", "");
            self.word("position.start", "", "", &start.text);
        }
    }

    /// Where the pieces stand, one term for each sort of piece.
    fn picture(&self, span: Span) -> Term {
        let rules = &self.game.rules;
        // The pieces of one site follow each other.
        let sort = |piece: &PieceOn| (piece.owner, piece.kind, piece.height);
        let mut sorts: Vec<(&[PieceOn], Vec<String>)> = Vec::new();
        for pieces in rules.setup.pieces.chunk_by(|a, b| a.site == b.site) {
            let site = pieces.iter().take(1).map(|piece| rules.board.name(piece.site).to_owned());
            let same =
                |(p, _): &&mut (&[PieceOn], Vec<String>)| p.iter().map(sort).eq(pieces.iter().map(sort));
            match sorts.iter_mut().find(same) {
                Some((_, sites)) => sites.extend(site),
                None => sorts.push((pieces, site.collect())),
            }
        }
        let one = |piece: &PieceOn| {
            let kind = rules.kinds.get(usize::from(piece.kind.0)).map_or("", |kind| kind.name.as_str());
            let owner = piece.owner.map(|p| usize::from(p.0));
            let owned = owner.and_then(|p| rules.players.get(p)).map_or("neutral", String::as_str);
            let owner = match owner {
                Some(player) => Label::Ref(Class::Player, player.to_string()),
                None => Label::Word("neutral".to_owned()),
            };
            let many = if piece.height > 1 { format!(" x {}", piece.height) } else { String::new() };
            let kids = [
                Term::leaf(owner, span, owned),
                refer(Class::Piece, kind, span),
                Term::word(piece.height.to_string(), span),
            ];
            (format!("{owned} {kind}{many}"), kids)
        };
        let term = |(pieces, mut sites): (&[PieceOn], Vec<String>)| {
            sites.sort_by_key(|site| (site.len(), site.clone()));
            let (words, kids): (Vec<String>, Vec<_>) = pieces.iter().rev().map(one).unzip();
            let shown = format!("{} on {}", words.join(" over "), sites.join(" "));
            let sites = sites.iter().map(|site| Term::word(site, span)).collect();
            let mut kids: Vec<Term> = kids.into_iter().flatten().collect();
            kids.push(Term::many(Many::Sites, sites, span, &shown));
            Term::form("stand", kids, span, shown)
        };
        Term::list(Many::Pieces, sorts.into_iter().map(term).collect(), span, "; ")
    }

    fn template(&mut self, path: &str, key: &str, title: &str, template: Option<&Template>) {
        if let Some(template) = template {
            let term = self.build.template(template);
            let parts = self.said(path);
            self.field(key, title, term, parts);
        }
    }

    pub(super) fn decisions(&mut self) {
        for decision in &self.def.decisions {
            let name = &decision.name.text;
            let path = self.named(Section::Decisions, Class::Decision, "decision", "decisions", name);
            self.maybe("when", "the condition `when`", decision.when.as_ref(), Build::expr);
            self.maybe("choose", "what is chosen (`choose`)", decision.choose.as_ref(), Build::choose);
            let chosen = self.build.locals.clone();
            let lets: Vec<Local> =
                decision.lets.iter().map(|(name, _)| self.build.bind(&name.text)).collect();
            for ((name, rule), local) in decision.lets.iter().zip(lets) {
                let term = self.build.expr(&rule.tree);
                let (key, title) = (format!("let.{name}"), format!("the value `{name}`"));
                if let Some(field) = self.field(&key, &title, term, rule.parts.clone()) {
                    field.local = Some(local);
                }
            }
            self.maybe("where", "the condition `where`", decision.where_.as_ref(), Build::expr);
            self.maybe("do", "what happens (`do`)", decision.effects.as_ref(), Build::effects);
            self.maybe("keeps", "the condition `keeps`", decision.keeps.as_ref(), Build::expr);
            let repeats = if decision.repeats { "yes" } else { "no" };
            self.word(&format!("{path}.repeats"), "repeats", "whether it may repeat a position", repeats);
            self.template(&format!("{path}.text"), "text", "the text", decision.text.as_ref());
            let joined = "the text behind another ply (`joined`)";
            self.template(&format!("{path}.joined"), "joined", joined, decision.joined.as_ref());
            let by = if decision.chance { "chance" } else { "a player" };
            self.word(&format!("{path}.by"), "by", "who decides", by);
            self.maybe("weight", "the weight", decision.weight.as_ref(), Build::expr);
            self.build.locals.clear();
            if let Some(item) = self.items.last_mut() {
                item.locals = chosen;
            }
        }
    }

    pub(super) fn turn(&mut self) {
        let turn = &self.def.turn;
        self.item(Section::Turn, None, "the turn", "turn", "");
        if !turn.opening.is_empty() {
            let kids: Vec<Term> = turn.opening.iter().map(|rule| self.build.flow(&rule.tree)).collect();
            let parts: Vec<Part> = turn.opening.iter().flat_map(|rule| rule.parts.clone()).collect();
            let term = Term::list(Many::Openings, kids, spot(&parts), "; ");
            self.field("opening", "the course of the first turns (`opening`)", term, parts);
        }
        self.maybe("main", "its course (`main`)", turn.main.as_ref(), Build::flow);
        self.maybe("finish", "what happens at its end (`finish`)", turn.finish.as_ref(), Build::effects);
        self.maybe("skip", "who is passed over (`skip`)", turn.skip.as_ref(), Build::expr);
        self.maybe("stuck", "what happens without a move (`stuck`)", turn.stuck.as_ref(), Build::outcome);
        for (name, rule) in &self.def.flows {
            self.named(Section::Turn, Class::Flow, "part of the turn", "flow", &name.text);
            self.maybe("", "", Some(rule), Build::flow);
        }
    }

    pub(super) fn ends(&mut self) {
        for end in &self.def.ends {
            let path = self.named(Section::Ends, Class::End, "end", "end", &end.name.text);
            self.maybe("when", "the condition `when`", Some(&end.when), Build::expr);
            self.maybe("result", "the result", Some(&end.result), Build::outcome);
            let at = if end.at_turn { "turn" } else { "ply" };
            self.word(&format!("{path}.at"), "at", "when it is looked at (`at`)", at);
            let perft = end.perft.to_string();
            self.word(&format!("{path}.perft"), "perft", "whether perft looks at it", perft);
        }
    }

    pub(super) fn score(&mut self) {
        if let Some(rule) = &self.def.score {
            self.item(Section::Score, None, "the score", "score.value", "");
            self.maybe("", "", Some(rule), Build::expr);
        }
    }

    pub(super) fn match_(&mut self) {
        if let Some(found) = &self.def.match_ {
            self.item(Section::Match, None, "the match", "match", "");
            self.word("match.target", "target", "the score that wins it", found.target.to_string());
            self.maybe("points", "what a game is worth", Some(&found.points), Build::expr);
            if let Some(name) = &found.alternate {
                let term = refer(Class::Option, &name.text, name.span);
                let parts = self.said("match.alternate");
                self.field("alternate", "the option that alternates", term, parts);
            }
        }
    }

    pub(super) fn position(&mut self) {
        let Some(position) = &self.def.position else { return };
        self.item(Section::Texts, None, "the text of a position", "position", "");
        let parts = self.said("position.text");
        let term = self.build.template(&position.text);
        self.field("text", "the list of its fields", term, parts);
        for (i, (text, player)) in position.turn.iter().zip(&self.def.players).enumerate() {
            let title = format!("how {player} is written");
            if let Some(field) = self.word("position.turn", &format!("turn.{player}"), &title, text) {
                field.id = format!("turn@{i}");
            }
        }
        self.word("position.empty", "empty", "how nothing is written", &position.empty.text);
        for (name, letters) in &position.spellings {
            let parts = self.said(&format!("position.{name}"));
            let kids: Vec<Term> =
                letters.iter().map(|(site, text)| Term::word(format!("{site}={text}"), site.span)).collect();
            let inner = Term::list(Many::List, kids, spot(&parts), " ");
            let (of, shown) = (refer(Class::State, &name.text, name.span), inner.shown.clone());
            let term = Term::form("spelled", vec![of, inner], spot(&parts), shown);
            self.field(&name.text, &format!("how `{name}` is spelled"), term, parts);
        }
        self.maybe("tidy", "what happens after reading (`tidy`)", position.tidy.as_ref(), Build::effects);
    }
}
