//! Where the value of a key stands, and which option says it.

use toml::de::{DeTable, DeValue};

use super::keys::{Key, name_span};
use crate::definition::{Definition, Part};
use crate::source::{FileId, Sources, Span};

/// Where a value stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, as reports show it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The option whose overlay says so, where one does.
    pub option: Option<String>,
}

/// Places of the values of one definition.
pub(super) struct Places<'a> {
    pub definition: &'a Definition,
    pub sources: &'a Sources,
}

impl Places<'_> {
    /// The values that a key is made of.
    fn parts(&self, key: &Key) -> Vec<Part> {
        if !key.parts.is_empty() {
            return key.parts.clone();
        }
        let found = self.find(&key.path);
        let named = || name_span(self.definition, &key.path).map(|span| Part { span, origin: usize::MAX });
        found.or_else(named).into_iter().collect()
    }

    /// The last overlay that sets a key, looked up in the files.
    fn find(&self, path: &[String]) -> Option<Part> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let files: Vec<&str> =
            self.definition.origins.iter().filter(|o| o.option.is_none()).map(|o| o.name.as_str()).collect();
        for (origin, overlay) in self.definition.origins.iter().enumerate().rev() {
            let option = overlay.option.as_deref();
            let state = option.and_then(|n| self.definition.options.iter().find(|o| o.name.text == n));
            for (file, source) in self.sources.iter().collect::<Vec<_>>().into_iter().rev() {
                let within: Vec<Vec<&str>> = match (option, state) {
                    _ if source.name == overlay.name => vec![Vec::new()],
                    (Some(name), Some(state)) if files.contains(&source.name.as_str()) => {
                        let value = match &state.value {
                            crate::definition::OptionValue::Word(word) => word.as_str(),
                            _ => "",
                        };
                        vec![vec!["options", name, "is", value], vec!["options", name]]
                    }
                    _ => continue,
                };
                let (root, _) = DeTable::parse_recoverable(&source.text);
                for above in within {
                    let whole: Vec<&str> = above.iter().chain(&path).copied().collect();
                    if let Some(span) = look(root.get_ref(), &whole, file) {
                        return Some(Part { span, origin });
                    }
                }
            }
        }
        None
    }

    fn place(&self, part: &Part, at: u32) -> Place {
        let span = Span { start: at, end: part.span.end.max(at), ..part.span };
        let found = self.sources.line_column(span);
        Place {
            file: self.sources.get(span.file).map_or_else(String::new, |s| s.name.clone()),
            line: found.line,
            column: found.column,
            option: self.definition.origins.get(part.origin).and_then(|o| o.option.clone()),
        }
    }

    /// Where a key is said, each place once.
    pub fn all(&self, key: &Key) -> Vec<Place> {
        let mut out: Vec<Place> = Vec::new();
        for part in self.parts(key) {
            let place = self.place(&part, part.span.start);
            if !out.iter().any(|p| p.file == place.file && p.line == place.line) {
                out.push(place);
            }
        }
        out
    }
}

/// Where two definitions begin to say something different of a key: the first word of the files in which
/// they differ. None where both say the same in the same words (an option's value is another one).
pub(super) fn apart(a: (&Places<'_>, &Key), b: (&Places<'_>, &Key)) -> Option<(Place, Place)> {
    let (first, second) = (a.0.parts(a.1), b.0.parts(b.1));
    for (i, (p, q)) in first.iter().zip(&second).enumerate() {
        let (x, y) = (words(a.0.sources.slice(p.span)), words(b.0.sources.slice(q.span)));
        let same = x.iter().zip(&y).take_while(|(x, y)| x.1 == y.1).count();
        if same == x.len() && same == y.len() {
            continue;
        }
        let at = |part: &Part, words: &[(usize, &str)]| {
            let last = words.last().map_or(0, |w| w.0);
            part.span.start.saturating_add(words.get(same).map_or(last, |w| w.0) as u32)
        };
        // A value of one only stands where its overlay says so, not where the texts begin to differ.
        let whole = i > 0 && first.len() != second.len();
        let at = |part: &Part, words: &[(usize, &str)]| if whole { part.span.start } else { at(part, words) };
        return Some((a.0.place(p, at(p, &x)), b.0.place(q, at(q, &y))));
    }
    let extra = |places: &Places<'_>, parts: &[Part], other: &[Part]| {
        parts.get(other.len()).or(parts.last()).map(|p| places.place(p, p.span.start))
    };
    (first.len() != second.len())
        .then(|| Some((extra(a.0, &first, &second)?, extra(b.0, &second, &first)?)))
        .flatten()
}

/// The words of a value as it stands in its file, with their offsets; comments and quotes left out.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or("");
        let mut from = None;
        for (i, c) in code.char_indices().chain([(code.len(), ' ')]) {
            let inside = c.is_alphanumeric() || c == '-';
            match (inside, from) {
                (true, None) => from = Some(i),
                (false, Some(start)) => {
                    out.push((at + start, &code[start..i]));
                    from = None;
                }
                _ => {}
            }
            if !inside && !c.is_whitespace() && !matches!(c, '"' | '\'' | '\\') {
                out.push((at + i, &code[i..i + c.len_utf8()]));
            }
        }
        at += line.len();
    }
    out
}

/// The value at a path; heads with parameters go by their names.
fn look(table: &DeTable<'_>, path: &[&str], file: FileId) -> Option<Span> {
    let (first, rest) = path.split_first()?;
    let (_, value) = table.iter().find(|(key, _)| {
        let key: &str = key.get_ref();
        key.split('(').next().unwrap_or("").trim() == *first
    })?;
    if rest.is_empty() {
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        return Some(Span { file, start: clip(value.span().start), end: clip(value.span().end) });
    }
    match value.get_ref() {
        DeValue::Table(inner) => look(inner, rest, file),
        _ => None,
    }
}
