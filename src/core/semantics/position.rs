//! The texts of positions: their fields, and how values are spelled.

use super::check::Checker;
use super::scope::Entity;
use super::tree::{PositionText, TextField};
use super::types::Type;
use crate::definition::{Template, TemplatePart};
use crate::diagnostic::Diagnostic;

/// The fields of texts of positions besides state variables.
const OF_POSITION: [(&str, TextField); 3] =
    [("board", TextField::Board), ("turn", TextField::Turn), ("round", TextField::Round)];

impl Checker<'_> {
    /// How positions are written.
    pub(super) fn position(&mut self) -> Option<PositionText> {
        let def = self.def;
        let p = def.position.as_ref()?;
        let text = self.fields(&p.text, &OF_POSITION);
        let mut spellings = Vec::new();
        for (name, letters) in &p.spellings {
            let Some(Entity::State(s)) = self.names.entity(&name.text) else {
                self.out.push(self.no_such("state variable", name, |e| matches!(e, Entity::State(_))));
                continue;
            };
            if self.state.get(s).is_some_and(|v| v.ty != Type::Sites) {
                let message = format!("`{}` is no set of sites, so its sites have no letters", name.text);
                self.out.push(Diagnostic::error("type", name.span, message));
            }
            let mut list = Vec::new();
            for (site, letter) in letters {
                match self.board.site(&site.text) {
                    Some(found) => list.push((found, letter.clone())),
                    None => self.unknown(&site.text, site.span),
                }
            }
            spellings.push((s, list));
        }
        let tidy = self.setup_effects(p.tidy.as_ref());
        Some(PositionText {
            text,
            turn: p.turn.clone(),
            spellings,
            empty: self.empty_word(),
            start: p.start.as_ref().map(|t| t.text.clone()),
            tidy,
        })
    }

    /// The word for an empty value. It must differ from all other words.
    fn empty_word(&mut self) -> String {
        let Some(empty) = self.def.position.as_ref().map(|p| &p.empty) else { return String::new() };
        let names = self.def.players.iter().chain(self.def.pieces.iter().map(|p| &p.name));
        let taken = self.board.site(&empty.text).is_some() || names.into_iter().any(|n| n.text == empty.text);
        let spelled = self.def.position.iter().flat_map(|p| &p.spellings).flat_map(|(_, letters)| letters);
        if taken || spelled.clone().any(|(_, letter)| empty.text.starts_with(letter.as_str())) {
            let message = format!("`{}` is written for something else", empty.text);
            let d = Diagnostic::error("wrong-value", empty.span, message);
            self.out.push(d.help("an empty value needs a word that no site, kind, player or letter begins"));
        }
        empty.text.clone()
    }

    /// The fields of a text: state variables and the fields `besides`.
    pub(super) fn fields(
        &mut self,
        template: &Template,
        besides: &[(&'static str, TextField)],
    ) -> Vec<TextField> {
        let mut fields = Vec::new();
        for part in &template.parts {
            let (name, width) = match part {
                TemplatePart::Literal(t) => {
                    fields.push(TextField::Literal(t.clone()));
                    continue;
                }
                TemplatePart::Field { name, width } => (name, *width),
            };
            if let Some((_, field)) = besides.iter().find(|(word, _)| *word == name.text) {
                fields.push(field.clone());
            } else if let Some(Entity::State(s)) = self.names.entity(&name.text) {
                fields.push(TextField::State(s, width));
            } else {
                let mut near = self.names.entities_where(|e| matches!(e, Entity::State(_)));
                near.extend(besides.iter().map(|(word, _)| *word));
                let here = match besides {
                    [] => "only state variables stand here",
                    _ => "`board`, `turn`, `round` or a state variable",
                };
                let message = format!("there is no field `{}`", name.text);
                let d = Diagnostic::error("unknown-name", name.span, message)
                    .here(here)
                    .suggest(&name.text, near);
                self.out.push(d);
            }
        }
        fields
    }
}
