//! Files and places in them.
//!
//! [`Files`] is the one door to files: front ends give one for the disk, tests one in memory, and the
//! shipped games are one too. [`Sources`] keeps the text of every file that was read, so that a
//! [`Span`] can be shown long after.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A file among [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// A stretch of a file: byte offsets, the end excluded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that holds both; of two files, the first one's.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One file that was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name that reports show: the path as the user gave it, or `knightly.toml` for a shipped one.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
}

/// A place as people count it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Every file that was read, in order.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Keeps a file and gives its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        self.files.push(Source { name: name.into(), text: text.into() });
        FileId(self.files.len() as u32 - 1)
    }

    /// The file of an id.
    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize)
    }

    /// All files, in the order in which they were read.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(i, source)| (FileId(i as u32), source))
    }

    /// The text under a span, empty if it lies outside.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).and_then(|s| s.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// Line and column of the first byte of a span.
    pub fn line_column(&self, span: Span) -> LineColumn {
        let text = self.get(span.file).map_or("", |s| &s.text);
        let mut at = (span.start as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        LineColumn {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// Why a file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileError {
    /// There is no such file.
    Missing,
    /// There is one, but it cannot be read as text; the reason follows.
    Unreadable(String),
}

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FileError::Missing => f.write_str("there is no such file"),
            FileError::Unreadable(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for FileError {}

/// The one door to files.
pub trait Files {
    /// The text of the file at `path`, as the user or a definition spelled it.
    fn read(&self, path: &str) -> Result<String, FileError>;

    /// The text of a file that the file `from` names. As a text, `path` is in the folder of `from` or below; a
    /// door to a disk with links refuses files that do not really lie there.
    fn read_for(&self, from: &str, path: &str) -> Result<String, FileError> {
        let _ = from;
        self.read(path)
    }

    /// Names that could have been meant, for "did you mean".
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A door that is lent.
impl<F: Files + ?Sized> Files for &F {
    fn read(&self, path: &str) -> Result<String, FileError> {
        (**self).read(path)
    }

    fn read_for(&self, from: &str, path: &str) -> Result<String, FileError> {
        (**self).read_for(from, path)
    }

    fn names(&self) -> Vec<String> {
        (**self).names()
    }
}

/// Two doors as one, such as `(memory, Shipped)`: files that the first does not have are read from the second.
impl<A: Files, B: Files> Files for (A, B) {
    fn read(&self, path: &str) -> Result<String, FileError> {
        match self.0.read(path) {
            Err(FileError::Missing) => self.1.read(path),
            found => found,
        }
    }

    fn read_for(&self, from: &str, path: &str) -> Result<String, FileError> {
        match self.0.read_for(from, path) {
            Err(FileError::Missing) => self.1.read_for(from, path),
            found => found,
        }
    }

    fn names(&self) -> Vec<String> {
        self.0.names().into_iter().chain(self.1.names()).collect()
    }
}

/// Files in memory, for tests and embedding.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles(pub BTreeMap<String, String>);

impl MemoryFiles {
    /// These, and one more: its path and its text.
    #[must_use]
    pub fn with(mut self, path: impl Into<String>, text: impl Into<String>) -> MemoryFiles {
        self.0.insert(path.into(), text.into());
        self
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &str) -> Result<String, FileError> {
        self.0.get(path).cloned().ok_or(FileError::Missing)
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}
