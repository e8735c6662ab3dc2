//! Where things stand in the files.

use std::fmt::{Display, Formatter, Result};

use serde::Serialize;

use super::{Field, Item, Spot, Term};
use crate::definition::{Definition, Part};
use crate::source::{Sources, Span};

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FilePlace {
    /// The file, as reports name it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The option or extension whose overlay says it; none for the game's files.
    pub option: Option<String>,
}

/// `games/a.toml:3:9 (option fast)`.
impl Display for FilePlace {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)?;
        self.option.iter().try_for_each(|option| write!(f, " (option {option})"))
    }
}

/// Finds the places of one definition.
pub struct FilePlaces<'g> {
    /// The definition.
    pub def: &'g Definition,
    /// Its files.
    pub sources: &'g Sources,
}

impl FilePlaces<'_> {
    /// Where a value begins.
    pub fn place(&self, part: &Part) -> FilePlace {
        let at = self.sources.line_column(part.span);
        let option = self.def.origins.get(part.origin).and_then(|origin| origin.option.clone());
        let file = self.sources.get(part.span.file).map_or(String::new(), |source| source.name.clone());
        FilePlace { file, line: at.line, column: at.column, option }
    }

    /// The key of an item, or that of the table in which it would stand.
    pub fn item(&self, item: &Item) -> Part {
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

    /// Where a part of a field stands, or would stand.
    pub fn spot(&self, item: &Item, field: &Field, spot: Spot<'_>) -> Part {
        let first = field.parts.first();
        let span = spot.term.and_then(Term::place).or(spot.around.and_then(Term::place));
        match span.or(first.map(|part| part.span)) {
            Some(span) => {
                let holds = |part: &&Part| {
                    let own = part.span;
                    own.file == span.file && own.start <= span.start && span.end <= own.end
                };
                let part = field.parts.iter().find(holds).or(first);
                Part { span, origin: part.map_or(usize::MAX, |part| part.origin) }
            }
            None => self.item(item),
        }
    }
}
