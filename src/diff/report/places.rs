//! Where things stand: places in files, and rules as they are written.

use super::super::build::NOW;
use super::super::model::{Excerpt, Place, Section, Side};
use super::super::outline::{Field, Item};
use super::super::walk::Spot;
use crate::definition::{Definition, Part};
use crate::source::{Sources, Span};

/// The longest text around a part that is told with it, in characters.
const AROUND: usize = 60;

/// Finds places of one variant.
pub(super) struct Places<'g> {
    /// What it says.
    pub def: &'g Definition,
    /// The files.
    pub sources: &'g Sources,
}

impl Places<'_> {
    fn place(&self, span: Span, origin: usize) -> Place {
        let at = self.sources.line_column(span);
        let option = self.def.origins.get(origin).and_then(|origin| origin.option.clone());
        let file = self.sources.get(span.file).map_or(String::new(), |source| source.name.clone());
        Place { file, line: at.line, column: at.column, option }
    }

    /// The place of an item: its key, or that of the table in which it would stand.
    fn item(&self, item: &Item) -> Part {
        let said = &self.def.said.keys;
        let mut path = item.path.as_str();
        loop {
            if let Some(part) = said.get(path).and_then(|parts| parts.first()) {
                return part.clone();
            }
            if let Some(part) = item.fields.iter().find_map(|field| field.parts.first()) {
                return part.clone();
            }
            if let Some(field) = item.fields.iter().find(|field| field.term.span.end > 0) {
                return Part { span: field.term.span, origin: usize::MAX };
            }
            match path.rsplit_once('.') {
                Some((above, _)) => path = above,
                None => {
                    let start = self.def.own.first().copied().unwrap_or_default();
                    return Part { span: Span { file: start, start: 0, end: 0 }, origin: 0 };
                }
            }
        }
    }

    /// The side of a part of a field.
    pub fn part(&self, item: &Item, field: &Field, spot: Spot<'_>) -> Side {
        let somewhere = |span: &Span| span.end > 0;
        let of = |term: Option<&super::super::term::Term>| term.map(|term| term.span).filter(somewhere);
        let span = of(spot.term).or(of(spot.around)).or(field.parts.first().map(|part| part.span));
        let around = spot.around.map(|term| term.shown.clone()).unwrap_or_default();
        let text = spot.term.map(|term| term.shown.clone()).unwrap_or_default();
        let helps = !text.is_empty()
            && !text.split(NOW).next().is_some_and(|text| text.contains(' '))
            && !around.is_empty()
            && around != text
            && around.chars().count() <= AROUND;
        let place = match span {
            Some(span) => self.place(span, origin(&field.parts, span)),
            None => {
                let part = self.item(item);
                self.place(part.span, part.origin)
            }
        };
        let mark = of(spot.term);
        Side { place, text, context: helps.then_some(around), written: self.written(item, field, mark) }
    }

    /// The side that does not have a field.
    pub fn lacking(&self, item: &Item, path: &str) -> Side {
        let dropped = self.dropped(path);
        dropped.unwrap_or_else(|| {
            let part = self.item(item);
            let place = self.place(part.span, part.origin);
            Side { place, text: String::new(), context: None, written: Vec::new() }
        })
    }

    /// The side that took a key out, if it did.
    pub fn dropped(&self, path: &str) -> Option<Side> {
        let (_, part) = self.def.said.drops.iter().find(|(dropped, _)| dropped == path)?;
        let place = self.place(part.span, part.origin);
        Some(Side { place, text: String::new(), context: None, written: Vec::new() })
    }

    /// The side of a whole item.
    pub fn whole(&self, item: &Item) -> Side {
        let part = self.item(item);
        let place = self.place(part.span, part.origin);
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
        Side { place, text: texts.join("; "), context: None, written }
    }

    /// The values of a field as they stand in the files.
    fn written(&self, item: &Item, field: &Field, mark: Option<Span>) -> Vec<Excerpt> {
        let key = super::path(item, field);
        let mut out = Vec::new();
        for part in &field.parts {
            let raw = self.sources.slice(part.span);
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
                key: key.clone(),
                place: self.place(Span { start: part.span.start + quotes as u32, ..part.span }, part.origin),
                text: text.to_owned(),
                marks: marks.into_iter().collect(),
            });
        }
        out
    }
}

/// The overlay that says what stands at a place.
fn origin(parts: &[Part], span: Span) -> usize {
    let holds = |part: &&Part| {
        part.span.file == span.file && part.span.start <= span.start && span.end <= part.span.end
    };
    let first = parts.first();
    parts.iter().find(holds).or(first).map_or(usize::MAX, |part| part.origin)
}
