//! A definition as a list of statements, and rule strings as words: what can be cut, moved and replaced without
//! knowing what it means.

use std::ops::Range;

/// A definition: headers of tables and keys with their values, without comments between them.
#[derive(Clone, PartialEq)]
pub struct Doc(pub Vec<String>);

impl Doc {
    /// Splits a definition into statements.
    pub fn read(text: &str) -> Doc {
        let mut statements = Vec::new();
        let mut now = String::new();
        for line in text.lines() {
            if now.is_empty() && (line.trim().is_empty() || line.trim_start().starts_with('#')) {
                continue;
            }
            now += line;
            if is_whole(&now) {
                statements.push(std::mem::take(&mut now));
            } else {
                now.push('\n');
            }
        }
        statements.extend((!now.is_empty()).then_some(now));
        Doc(statements)
    }

    /// The text again.
    pub fn write(&self) -> String {
        self.0.iter().map(|s| format!("{s}\n")).collect()
    }

    /// Each table: its header and its keys.
    pub fn tables(&self) -> Vec<Range<usize>> {
        let mut starts: Vec<usize> = (0..self.0.len()).filter(|i| is_header(&self.0[*i])).collect();
        starts.push(self.0.len());
        starts.windows(2).map(|two| two[0]..two[1]).collect()
    }

    /// The same without the tables of a name.
    pub fn without(&self, name: &str) -> Doc {
        let gone: Vec<Range<usize>> =
            self.tables().into_iter().filter(|t| self.0[t.start].contains(name)).collect();
        let kept = (0..self.0.len()).filter(|i| !gone.iter().any(|t| t.contains(i)));
        Doc(kept.map(|i| self.0[i].clone()).collect())
    }

    /// The same with a stretch of a statement replaced.
    pub fn with(&self, statement: usize, place: &Range<usize>, by: &str) -> Doc {
        let mut doc = self.clone();
        doc.0[statement].replace_range(place.clone(), by);
        doc
    }
}

/// Whether a statement begins a table.
pub fn is_header(statement: &str) -> bool {
    statement.starts_with('[')
}

/// What each byte of TOML is part of: outside of strings, inside, or in a comment.
fn parts(text: &str) -> (Vec<Range<usize>>, i32, bool) {
    let bytes = text.as_bytes();
    let (mut strings, mut depth, mut i) = (Vec::new(), 0, 0);
    while i < bytes.len() {
        match bytes[i] {
            b'#' => i = text[i..].find('\n').map_or(bytes.len(), |n| i + n),
            b'"' => {
                let long = text[i..].starts_with("\"\"\"");
                let mark = if long { 3 } else { 1 };
                let start = i + mark;
                let mut end = start;
                while end < bytes.len() && !text.as_bytes()[end..].starts_with(&b"\"\"\""[..mark]) {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                if end >= bytes.len() {
                    return (strings, depth, true);
                }
                strings.push(start..end);
                i = end + mark;
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        i += 1;
    }
    (strings, depth, false)
}

fn is_whole(text: &str) -> bool {
    let (_, depth, open) = parts(text);
    depth <= 0 && !open
}

/// The insides of a statement's strings.
pub fn strings(statement: &str) -> Vec<Range<usize>> {
    if is_header(statement) { Vec::new() } else { parts(statement).0 }
}

/// The places of the words and marks of a stretch of text: names with their hyphens, numbers, marks.
pub fn words(text: &str, within: &Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut i = within.start;
    while i < within.end {
        let start = i;
        let of_name = |i: usize| i < within.end && bytes[i].is_ascii_alphanumeric();
        if of_name(i) {
            while of_name(i) || (i < within.end && bytes[i] == b'-' && of_name(i + 1)) {
                i += 1;
            }
            // What a bracket opens at once is a call or an index: they stay together.
        } else if bytes[i].is_ascii_whitespace() {
            i += 1;
            continue;
        } else if bytes[i] == b'#' {
            i = text[i..within.end].find('\n').map_or(within.end, |n| i + n);
            continue;
        } else {
            let two = text.get(i..i + 2).unwrap_or("");
            i += if ["->", "+=", "-=", "|=", "&=", "!=", "<=", ">=", ".."].contains(&two) { 2 } else { 1 };
            while !text.is_char_boundary(i) {
                i += 1;
            }
        }
        found.push(start..i.min(within.end));
    }
    found
}

/// Whether brackets match within a run of words.
pub fn is_balanced(text: &str, words: &[Range<usize>]) -> bool {
    let mut depth = 0;
    for word in words {
        match &text[word.clone()] {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// The entries of a statement's inline tables and lists, each with the comma that goes with it.
pub fn entries(statement: &str) -> Vec<Range<usize>> {
    let inside = strings(statement);
    let value = statement.find('=').map_or(statement.len(), |i| i + 1);
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (i, c) in statement.char_indices().skip_while(|(i, _)| *i < value) {
        if inside.iter().any(|s| s.contains(&i)) {
            continue;
        }
        match c {
            '[' | '{' => open.push(i + 1),
            ']' | '}' => found.extend(open.pop().map(|start| start..i)),
            ',' => {
                if let Some(start) = open.last_mut() {
                    found.push(*start..i + 1);
                    *start = i + 1;
                }
            }
            _ => {}
        }
    }
    found
}
