//! The two sides of a difference: places, and rules as they are written.

use super::super::model::{Excerpt, Side};
use crate::definition::Part;
use crate::outline::{Field, FilePlace, FilePlaces, Item, Section, Spot, Term};
use crate::source::Span;

/// The longest text around a part that is told with it, in characters.
const AROUND: usize = 60;

/// Makes the sides of one variant.
pub(super) struct Sides<'g>(pub FilePlaces<'g>);

impl Sides<'_> {
    fn of(&self, item: &Item) -> FilePlace {
        self.0.place(&self.0.item(item))
    }

    /// The side of a part of a field.
    pub fn part(&self, item: &Item, field: &Field, spot: Spot<'_>) -> Side {
        let shown = |term: Option<&Term>| term.map(|term| term.shown.clone()).unwrap_or_default();
        let (text, around) = (shown(spot.term), shown(spot.around));
        let helps = spot.term.is_some_and(|term| !term.says().is_empty() && !term.says().contains(' '))
            && !around.is_empty()
            && around != text
            && around.chars().count() <= AROUND;
        Side {
            place: self.0.place(&self.0.spot(item, field, spot)),
            text,
            context: helps.then_some(around),
            written: self.written(item, field, spot.term.and_then(Term::place)),
        }
    }

    /// The side that does not have a field.
    pub fn lacking(&self, item: &Item, path: &str) -> Side {
        let dropped = self.dropped(path);
        dropped.unwrap_or_else(|| Side::at(self.of(item)))
    }

    /// The side that took a key out, if it did.
    pub fn dropped(&self, path: &str) -> Option<Side> {
        let (_, part) = self.0.def.said.drops.iter().find(|(dropped, _)| dropped == path)?;
        Some(Side::at(self.0.place(part)))
    }

    /// The side of a whole item.
    pub fn whole(&self, item: &Item) -> Side {
        let says = |field: &&Field| !field.parts.is_empty() || item.section == Section::Options;
        let told = item.fields.iter().filter(says).filter(|field| !field.note);
        let mut texts = Vec::new();
        let mut written = Vec::new();
        for field in told {
            if field.id != "params" {
                let key = if field.key.is_empty() { String::new() } else { format!("{} ", field.key) };
                texts.push(format!("{key}{}", field.term.shown));
            }
            written.extend(self.written(item, field, None));
        }
        Side { text: texts.join("; "), written, ..Side::at(self.of(item)) }
    }

    /// The values of a field as they stand in the files.
    fn written(&self, item: &Item, field: &Field, mark: Option<Span>) -> Vec<Excerpt> {
        let mut out = Vec::new();
        for part in &field.parts {
            let raw = self.0.sources.slice(part.span);
            let quotes = ["\"\"\"", "'''", "\"", "'"]
                .into_iter()
                .find(|q| raw.len() >= 2 * q.len() && raw.starts_with(q) && raw.ends_with(q));
            let quotes = quotes.map_or(0, str::len);
            let text = raw.get(quotes..raw.len() - quotes).unwrap_or(raw);
            let start = part.span.start as usize + quotes;
            let marks = mark.filter(|mark| mark.file == part.span.file).and_then(|mark| {
                let inside = |at: u32| (at as usize).saturating_sub(start).min(text.len());
                let marked = inside(mark.start)..inside(mark.end);
                (!marked.is_empty() && text.get(marked.clone()).is_some()).then_some(marked)
            });
            out.push(Excerpt {
                key: item.path(field),
                place: self.0.place(&Part {
                    span: Span { start: part.span.start + quotes as u32, ..part.span },
                    origin: part.origin,
                }),
                text: text.to_owned(),
                marks: marks.into_iter().collect(),
            });
        }
        out
    }
}
