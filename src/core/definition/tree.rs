//! TOML text to a tree of keys and values that know their places.

use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{FileId, Span};

/// The largest file that is read, in bytes.
pub(super) const MAX_FILE_BYTES: usize = 1 << 20;

/// How deep tables and lists may lie in each other.
const MAX_VALUE_DEPTH: usize = 16;

/// How many keys and list entries one file may have.
const MAX_NODES: usize = 5_000;

/// How many syntax errors of one file are reported.
const MAX_SYNTAX_ERRORS: usize = 50;

/// A key and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Key {
    /// The letters, without quotes.
    pub text: String,
    /// Where, quotes included.
    pub span: Span,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Where; of a string with its quotes.
    pub span: Span,
    /// Its value.
    pub kind: Kind,
}

/// The forms of values.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// A string.
    Text(String),
    /// An integer; none if it has more than 64 bits.
    Int(Option<i64>),
    /// `true` or `false`.
    Bool(bool),
    /// A list.
    List(Vec<Node>),
    /// A table, in the order of the file.
    Table(Vec<(Key, Node)>),
    /// A value that no key of a definition has: `a float`, `a date`.
    Other(&'static str),
}

impl Node {
    /// Its form, for messages: `a string`.
    pub fn what(&self) -> &'static str {
        match self.kind {
            Kind::Text(_) => "a string",
            Kind::Int(_) => "an integer",
            Kind::Bool(_) => "a boolean",
            Kind::List(_) => "a list",
            Kind::Table(_) => "a table",
            Kind::Other(what) => what,
        }
    }

    /// A text that two values share exactly if they are the same.
    pub fn print(&self) -> String {
        let list = |inner: Vec<String>| inner.join("\u{1}");
        match &self.kind {
            Kind::Text(text) => {
                let words: Vec<&str> = text.split_whitespace().collect();
                format!("\"{}\"", words.join(" "))
            }
            Kind::Int(number) => format!("{number:?}"),
            Kind::Bool(value) => value.to_string(),
            Kind::Other(what) => (*what).to_string(),
            Kind::List(nodes) => {
                format!("[{}]", list(nodes.iter().map(Node::print).collect()))
            }
            Kind::Table(entries) => {
                let mut inner: Vec<String> =
                    entries.iter().map(|(key, node)| format!("{}={}", key.text, node.print())).collect();
                inner.sort();
                format!("{{{}}}", list(inner))
            }
        }
    }
}

/// A place in a file.
pub(super) fn span(file: FileId, range: std::ops::Range<usize>) -> Span {
    let clip = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span { file, start: clip(range.start), end: clip(range.end.max(range.start)) }
}

/// Reads TOML. Syntax errors are reported; the tree has the parts that could be read.
pub(super) fn parse(text: &str, file: FileId, out: &mut Diagnostics) -> Option<Node> {
    if let Some(offset) = deep_line(text) {
        out.push(
            Diagnostic::error(
                "toml",
                span(file, offset..offset),
                "this line has too many nested keys or brackets",
            )
            .help("no key of a definition lies deeper than a few levels"),
        );
        return None;
    }
    let (root, errors) = DeTable::parse_recoverable(text);
    let open = [unclosed(text), curly_text(text)].into_iter().flatten().min().filter(|_| !errors.is_empty());
    if let Some(at) = open {
        let sign = text.get(at..at + 1).unwrap_or_default();
        out.push(mistake(text, file, at..at + 1, &format!("this `{sign}` is not closed")));
    }
    let mut last_line = usize::MAX;
    for error in errors.into_iter().take(MAX_SYNTAX_ERRORS) {
        let range = error.span().unwrap_or(0..0);
        let line = text.as_bytes().iter().take(range.start).filter(|b| **b == b'\n').count();
        // Behind a bracket or a text that is not closed no place can be trusted. In a line that cannot be read only the
        // first mistake counts.
        if line == last_line || open.is_some_and(|at| range.end > at) {
            continue;
        }
        last_line = line;
        let mut found = mistake(text, file, range, error.message());
        // Whoever pasted one line of printed text has pasted more: that is one mistake in several places.
        let is_curly = |d: &Diagnostic| d.message.ends_with(NO_QUOTE);
        match out.0.iter_mut().find(|told| is_curly(told) && is_curly(&found) && told.span().file == file) {
            Some(told) => {
                if found.span().start < told.span().start {
                    std::mem::swap(told, &mut found);
                }
                told.labels.extend(found.labels);
                told.labels.sort_by_key(|label| label.span.start);
                told.labels.dedup_by_key(|label| label.span);
            }
            None => out.push(found),
        }
    }
    let line_end = |at: usize| text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |n| at + n);
    let mut reader = Reader { file, end: open.map_or(text.len(), line_end), nodes: 0, out };
    let span = Span { file, start: 0, end: 0 };
    Some(Node { span, kind: reader.table(root.get_ref(), 0) })
}

/// What is said of a quotation mark of printed text.
const NO_QUOTE: &str = " is no quotation mark of TOML";

/// Quotation marks of printed text.
const CURLY: [char; 5] = ['“', '”', '„', '‘', '’'];

/// A quotation mark of printed text in a line where a straight one has to stand: outside strings, or at the end of
/// one that nothing closes.
fn curly_quote(line: &str) -> Option<(usize, char)> {
    let (mut open, mut inside) = (false, None);
    for (at, c) in line.char_indices() {
        match c {
            '"' => open = !open,
            '#' if !open => break,
            _ if !CURLY.contains(&c) => {}
            _ if !open => return Some((at, c)),
            _ => inside = Some((at, c)),
        }
    }
    inside.filter(|_| open)
}

/// Three quotation marks of printed text outside strings, where a text of several lines was to begin.
fn curly_text(text: &str) -> Option<usize> {
    let three = |rest: &str| rest.chars().take_while(|c| CURLY.contains(c)).nth(2).is_some();
    signs(text).map(|(at, _)| at).find(|at| text.get(*at..).is_some_and(three))
}

/// A mistake of TOML, with advice for mistakes that are often made.
fn mistake(text: &str, file: FileId, range: std::ops::Range<usize>, message: &str) -> Diagnostic {
    let cut = |at: usize| text.get(..at).map_or(0, |before| before.rfind('\n').map_or(0, |end| end + 1));
    let start = cut(range.start.min(text.len()));
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
    if let Some((at, c)) = curly_quote(line) {
        let at = start + at;
        let message = format!("`{c}`{NO_QUOTE}");
        let straight: String =
            line.trim().chars().map(|c| if CURLY.contains(&c) { '"' } else { c }).collect();
        return Diagnostic::error("toml", span(file, at..at + c.len_utf8()), message)
            .help(format!("strings stand between straight quotes: `{straight}`"));
    }
    let found = Diagnostic::error("toml", span(file, range.clone()), message);
    let (key, value) = line.split_once('=').unwrap_or((line, ""));
    let key = key.trim();
    if key.contains('(') && !key.contains(['"', '\'']) && range.start < start + line.find('=').unwrap_or(0) {
        return found.help(format!("a key with brackets stands in quotes: `\"{key}\" ={value}`"));
    }
    if message.starts_with("cannot extend value") {
        return found.help("the key has its value above: say all of it there");
    }
    found
}

/// The start of a line outside strings with more dots and brackets than any definition needs: each
/// of them can be a level of the tree, and trees are built and freed by recursion.
fn deep_line(text: &str) -> Option<usize> {
    const MAX_LINE_NESTING: usize = 64;
    let (mut start, mut dots, mut open) = (0, 0usize, 0usize);
    for (at, sign) in signs(text) {
        match sign {
            b'\n' => (start, dots) = (at + 1, 0),
            b'.' => dots += 1,
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            b',' => dots = 0,
            _ => {}
        }
        if dots > MAX_LINE_NESTING || open > MAX_LINE_NESTING {
            return Some(start);
        }
    }
    None
}

/// The first bracket outside strings that no bracket closes.
fn unclosed(text: &str) -> Option<usize> {
    let mut open: Vec<(usize, u8)> = Vec::new();
    for (at, sign) in signs(text) {
        match (sign, open.last()) {
            (b'[', _) => open.push((at, b']')),
            (b'{', _) => open.push((at, b'}')),
            (b']' | b'}', Some((_, wanted))) if *wanted == sign => drop(open.pop()),
            (b']' | b'}', Some((at, _))) => return Some(*at),
            _ => {}
        }
    }
    open.first().map(|(at, _)| *at)
}

/// The bytes outside strings and comments, with their offsets.
fn signs(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let mut quote: Option<&str> = None;
    let mut i = 0;
    std::iter::from_fn(move || {
        while let Some(rest) = text.as_bytes().get(i..).filter(|r| !r.is_empty()) {
            let at = i;
            if let Some(end) = quote {
                if rest.starts_with(end.as_bytes()) {
                    quote = None;
                    i += end.len();
                } else if rest[0] == b'\\' && end.starts_with('"') {
                    i += 2;
                } else if rest[0] == b'\n' && end.len() == 1 {
                    // A string of one line ends with its line, closed or not.
                    quote = None;
                } else {
                    i += 1;
                }
                continue;
            }
            let opened = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|q| rest.starts_with(q.as_bytes()));
            if let Some(found) = opened {
                quote = Some(found);
                i += found.len();
                continue;
            }
            if rest[0] == b'#' {
                i += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                continue;
            }
            i += 1;
            return Some((at, rest[0]));
        }
        None
    })
}

struct Reader<'a> {
    file: FileId,
    /// What begins behind this byte is not read: it may belong elsewhere.
    end: usize,
    nodes: usize,
    out: &'a mut Diagnostics,
}

impl Reader<'_> {
    /// Whether one more value may be kept.
    fn admit(&mut self, place: &std::ops::Range<usize>, depth: usize) -> bool {
        if place.start > self.end {
            return false;
        }
        self.nodes += 1;
        if self.nodes == MAX_NODES {
            let message = format!("this file has more than {MAX_NODES} keys and values");
            let at = span(self.file, place.clone());
            self.out.push(Diagnostic::error("too-large", at, message));
        }
        if depth > MAX_VALUE_DEPTH {
            let message = format!("tables and lists lie deeper than {MAX_VALUE_DEPTH} levels here");
            let at = span(self.file, place.clone());
            self.out.push(Diagnostic::error("too-deep", at, message));
        }
        self.nodes < MAX_NODES && depth <= MAX_VALUE_DEPTH
    }

    fn table(&mut self, table: &DeTable<'_>, depth: usize) -> Kind {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut found = Vec::new();
        for (key, value) in entries {
            let place = key.span();
            if !self.admit(&place, depth) {
                break;
            }
            let key = Key { text: key.get_ref().to_string(), span: span(self.file, place) };
            let node = self.value(value.get_ref(), value.span(), depth + 1);
            found.push((key, node));
        }
        Kind::Table(found)
    }

    fn value(&mut self, value: &DeValue<'_>, place: std::ops::Range<usize>, depth: usize) -> Node {
        let kind = match value {
            DeValue::String(text) => Kind::Text(text.to_string()),
            DeValue::Integer(number) => Kind::Int(i64::from_str_radix(number.as_str(), number.radix()).ok()),
            DeValue::Float(_) => Kind::Other("a float"),
            DeValue::Boolean(value) => Kind::Bool(*value),
            DeValue::Datetime(_) => Kind::Other("a date"),
            DeValue::Array(array) => {
                let mut nodes = Vec::new();
                for entry in array.iter() {
                    if !self.admit(&entry.span(), depth) {
                        break;
                    }
                    nodes.push(self.value(entry.get_ref(), entry.span(), depth + 1));
                }
                Kind::List(nodes)
            }
            DeValue::Table(table) => self.table(table, depth),
        };
        Node { span: span(self.file, place), kind }
    }
}
