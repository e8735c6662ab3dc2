//! The folder that is served: the only files that a page reads and writes.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Component, Path, PathBuf};

use crate::cli::files::{self, MAX_DEFINITION_BYTES, draft, is_path, name};
use crate::shipped::Shipped;
use crate::source::{FileError, Files};

/// How many folders deep a file may lie.
const MAX_DEPTH: usize = 8;

/// How many files are listed.
const MAX_LISTED_FILES: usize = 500;

/// A folder with definitions.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    /// Where it really lies.
    root: PathBuf,
}

/// A file of the folder with a text that is not saved yet.
#[derive(Clone, Debug, serde::Deserialize)]
pub(super) struct Unsaved {
    /// Its name: `./NAME.toml`.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// The folder as a definition sees it, with the text that is not saved yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub folder: &'a Folder,
    pub unsaved: Option<&'a Unsaved>,
}

impl Folder {
    pub(super) fn open(path: &Path) -> std::io::Result<Folder> {
        Ok(Folder { root: path.canonicalize()? })
    }

    /// Where a file lies; an error where that is not the folder or below.
    fn place(&self, word: &str) -> Result<PathBuf, FileError> {
        let refused = |why: &str| Err(FileError::Unreadable(why.to_owned()));
        let path = name::path(word);
        if path.to_string_lossy().contains(char::is_control) {
            return refused("names with control characters, such as a new line, are not served");
        }
        let mut parts = Vec::new();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::Normal(part) => parts.push(part),
                _ => return refused("it does not lie in the folder that is served"),
            }
        }
        if parts.len() > MAX_DEPTH || parts.iter().any(|part| part.as_encoded_bytes().starts_with(b".")) {
            return refused("files that are hidden or deeper than eight folders are not served");
        }
        if parts.last().is_none_or(|last| !last.as_encoded_bytes().ends_with(b".toml")) {
            return refused("only files whose names end in `.toml` are served");
        }
        let place: PathBuf = parts.iter().collect();
        let place = self.root.join(place);
        // The file itself may be new; its folder may not, and neither may lead out of the folder by a link.
        let really = match std::fs::symlink_metadata(&place) {
            Ok(_) => place.canonicalize(),
            Err(_) => place.parent().unwrap_or(&self.root).canonicalize(),
        };
        match really {
            Ok(really) if really.starts_with(&self.root) => Ok(place),
            Ok(_) => refused("with links followed, it does not lie in the folder that is served"),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(FileError::Missing),
            Err(error) => Err(FileError::Unreadable(error.to_string())),
        }
    }

    /// The text of a file.
    pub(super) fn text(&self, word: &str) -> Result<String, FileError> {
        files::text(&self.place(word)?, MAX_DEFINITION_BYTES)
    }

    /// Writes a file, whole or not at all.
    pub(super) fn write(&self, word: &str, text: &str) -> Result<(), String> {
        let place = self.place(word).map_err(|error| match error {
            FileError::Missing => "its folder does not exist: make the folder first".to_owned(),
            FileError::Unreadable(why) => why,
        })?;
        draft::write(&name::word(place.as_os_str()), text).map_err(|stop| stop.message())
    }

    /// The definitions in it, not those in folders below: their names and when they were written.
    pub(super) fn list(&self) -> Vec<(String, std::time::SystemTime)> {
        let Ok(entries) = std::fs::read_dir(&self.root) else { return Vec::new() };
        let mut found: Vec<_> = entries
            .flatten()
            .filter_map(|entry| {
                let word = format!("./{}", name::word(&entry.file_name()));
                let place = self.place(&word).ok()?;
                let about = std::fs::metadata(place).ok().filter(|about| about.is_file())?;
                Some((word, about.modified().ok()?))
            })
            .take(MAX_LISTED_FILES)
            .collect();
        found.sort();
        found
    }
}

impl Files for View<'_> {
    fn read(&self, path: &str) -> Result<String, FileError> {
        if !is_path(path) {
            return Shipped.read(path);
        }
        let same = |file: &str| file.trim_start_matches("./") == path.trim_start_matches("./");
        match self.unsaved.filter(|unsaved| same(&unsaved.file)) {
            Some(unsaved) if unsaved.text.len() as u64 <= MAX_DEFINITION_BYTES => Ok(unsaved.text.clone()),
            Some(_) => {
                Err(FileError::Unreadable("it is larger than 1 MiB, the most that is read".to_owned()))
            }
            None => self.folder.text(path),
        }
    }

    fn names(&self) -> Vec<String> {
        Shipped::list()
    }
}

/// A hash of a text.
pub(super) fn seal(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}-{}", hasher.finish(), text.len())
}
