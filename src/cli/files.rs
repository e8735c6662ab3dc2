//! Files of the disk, and the shipped games.

use std::fs::File;
use std::io::{ErrorKind, Read};

use crate::shipped::Shipped;
use crate::source::{FileError, Files};

/// The most bytes that a definition may have.
const MOST: u64 = 1 << 20;

/// Paths are read from the disk, names are shipped games.
///
/// What a user names on the command line is read wherever it lies. What a *file* names (`extends`) the
/// loader keeps inside the file's folder; a symbolic link in that folder is followed all the same: whoever
/// can make one there can as well copy the file, and what is read is only ever parsed as a definition.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Disk;

/// Whether a word is a path, not the name of a shipped game.
pub(super) fn is_path(word: &str) -> bool {
    word.contains(['/', '\\']) || word.ends_with(".toml")
}

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, FileError> {
        if is_path(path) { text(path, MOST) } else { Shipped.read(path) }
    }

    fn names(&self) -> Vec<String> {
        Shipped::list()
    }
}

/// The text of a file of at most so many bytes.
pub(super) fn text(path: &str, most: u64) -> Result<String, FileError> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => FileError::Missing,
        ErrorKind::IsADirectory => FileError::Unreadable("it is a folder".to_owned()),
        _ => FileError::Unreadable(error.to_string()),
    };
    let file = File::open(path).map_err(failed)?;
    if file.metadata().is_ok_and(|m| m.is_dir()) {
        return Err(FileError::Unreadable("it is a folder".to_owned()));
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most {
        return Err(FileError::Unreadable(format!("it is larger than {} MiB", most >> 20)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let line =
            error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count();
        FileError::Unreadable(format!("it is no UTF-8 text (line {})", line + 1))
    })
}
