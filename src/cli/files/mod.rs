//! The one room in which files are read and written; nothing else of the front end opens one.
//!
//! ```text
//! definitions   Disk            read once for a run   at most 1 MiB      what a file names lies in its folder
//! records       text            read whole            at most 256 MiB
//! games kept    log::Log        line by line          a bound on a line  one process at a time, only added to
//! results       draft           written whole         -                  there whole or not at all
//! typed lines   lines::next     line by line          a bound on a line
//! ```
//!
//! Laws:
//!
//! - **Only files.** A folder, a pipe, a socket, a device is refused, and looking at it never waits: what a path
//!   leads to is asked before it is opened, for opening a device can be a deed, and again of what was opened,
//!   for it may have been exchanged. In between nothing blocks.
//! - **No more than has a use.** Each purpose has a bound on what is read. A file that grows while it is read is
//!   cut off there too.
//! - **Once.** A definition is read once in a run: everything that is loaded from it is of one text, whatever
//!   happens to the file meanwhile.
//! - **In the folder.** Users name files wherever they lie. What a *file* names (`extends`) lies in its folder or
//!   below, with all links followed in both paths; of anything else no line is read, so none is shown.
//! - **Whole or not at all.** A result is written beside its place, brought to the disk, and then takes its
//!   place. A run that is stopped leaves the old file there.
//! - **Any name.** Names need not be UTF-8; see [`name`].

pub(super) mod draft;
pub(super) mod lines;
pub(super) mod log;
pub(super) mod name;

use std::collections::BTreeMap;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::shipped::Shipped;
use crate::source::{FileError, Files};

/// The most bytes that a definition may have.
pub(super) const MAX_DEFINITION_BYTES: u64 = 1 << 20;

/// How many definitions are remembered. A run has a few; records from elsewhere could name any number.
const MAX_REMEMBERED: usize = 100;

/// Paths are read from the disk, names are shipped games.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Disk;

/// A file that was asked for: the file that names it, if one does, and its path.
type Asked = (Option<String>, String);

/// The definitions that were read in this run.
static READ: Mutex<BTreeMap<Asked, Result<String, FileError>>> = Mutex::new(BTreeMap::new());

/// Whether a word is a path, not the name of a shipped game.
pub(super) fn is_path(word: &str) -> bool {
    word.contains(['/', '\\']) || word.ends_with(".toml")
}

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, FileError> {
        definition(None, path)
    }

    fn read_for(&self, from: &str, path: &str) -> Result<String, FileError> {
        definition(Some(from), path)
    }

    fn names(&self) -> Vec<String> {
        Shipped::list()
    }
}

/// The text of a definition, which the file `from` may name.
fn definition(from: Option<&str>, path: &str) -> Result<String, FileError> {
    if !is_path(path) {
        return Shipped.read(path);
    }
    let asked = (from.map(str::to_owned), path.to_owned());
    // A thread that panicked with the lock in hand left a whole map behind.
    let read = || READ.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(known) = read().get(&asked) {
        return known.clone();
    }
    let path = name::path(path);
    let found = match from {
        None => text(&path, MAX_DEFINITION_BYTES),
        Some(from) => within(&name::path(from), &path).and_then(|path| text(&path, MAX_DEFINITION_BYTES)),
    };
    let mut read = read();
    if read.len() < MAX_REMEMBERED {
        read.insert(asked, found.clone());
    }
    found
}

/// Where a path really leads that the file `from` names: into the folder in which that file really lies, or
/// below.
fn within(from: &Path, path: &Path) -> Result<PathBuf, FileError> {
    let from = from.canonicalize().map_err(failed)?;
    let real = path.canonicalize().map_err(failed)?;
    match from.parent() {
        Some(folder) if real.starts_with(folder) => Ok(real),
        _ => {
            let why = "with links followed, it does not lie in the folder of the file that names it";
            Err(FileError::Unreadable(why.to_owned()))
        }
    }
}

/// The text of a file of at most so many bytes, without the mark that some editors begin a text with.
pub(super) fn text(path: &Path, most: u64) -> Result<String, FileError> {
    let file = open(path, OpenOptions::new().read(true))?;
    let mut bytes = Vec::new();
    let long = file.metadata().is_ok_and(|m| m.len() > most);
    if !long {
        file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    if long || bytes.len() as u64 > most {
        let why = format!("it is larger than {} MiB, the most that is read", most >> 20);
        return Err(FileError::Unreadable(why));
    }
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..'\u{feff}'.len_utf8());
    }
    String::from_utf8(bytes).map_err(|error| {
        let line =
            error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count();
        FileError::Unreadable(format!("it is no UTF-8 text (line {})", line + 1))
    })
}

/// Opens a file that is one, without waiting for anybody.
fn open(path: &Path, how: &mut OpenOptions) -> Result<File, FileError> {
    match std::fs::metadata(path) {
        Ok(found) => regular(&found)?,
        // Opening a path may create a file.
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    #[cfg(unix)]
    {
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        std::os::unix::fs::OpenOptionsExt::custom_flags(how, flags.bits().cast_signed());
    }
    let file = how.open(path).map_err(failed)?;
    regular(&file.metadata().map_err(failed)?)?;
    Ok(file)
}

/// An error if a path leads to no file.
fn regular(found: &Metadata) -> Result<(), FileError> {
    let kind = found.file_type();
    let mut what = if kind.is_dir() { "a folder" } else { "something else" };
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            what = "a pipe";
        } else if kind.is_socket() {
            what = "a socket";
        } else if kind.is_char_device() || kind.is_block_device() {
            what = "a device";
        }
    }
    if kind.is_file() { Ok(()) } else { Err(FileError::Unreadable(format!("it is {what}, not a file"))) }
}

fn failed(error: io::Error) -> FileError {
    match error.kind() {
        ErrorKind::NotFound => FileError::Missing,
        _ => FileError::Unreadable(error.to_string()),
    }
}
