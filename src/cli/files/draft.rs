//! Files that are there whole or not at all.
//!
//! A [`Draft`] is written into a new file in the folder of its place, with a name of its own. Once all is
//! written it is brought to the disk and renamed, which happens at one moment. A draft that is given up takes
//! its file away; only a process that is killed leaves it (`.farrier-NUMBER-NUMBER`).

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::{failed, name, open};
use crate::cli::Stop;
use crate::source::FileError;

/// A file that is being written.
pub(in crate::cli) struct Draft {
    /// The name that the user gave.
    word: String,
    /// The path of the result.
    place: PathBuf,
    /// The path of the draft.
    draft: PathBuf,
    file: BufWriter<File>,
    kept: bool,
}

impl Draft {
    /// Begins a file.
    pub(in crate::cli) fn begin(word: &str) -> Result<Draft, Stop> {
        let unwritten = |error| unwritten(word, error);
        if word.ends_with(std::path::is_separator) {
            return Err(unwritten(FileError::Unreadable("it names a folder, not a file".to_owned())));
        }
        let place = real(&name::path(word));
        // A file is only replaced if it could be written to.
        let before = match open(&place, OpenOptions::new().write(true)) {
            Ok(file) => file.metadata().ok(),
            Err(FileError::Missing) => None,
            Err(error) => return Err(unwritten(error)),
        };
        let (draft, file) = create(&place).map_err(|error| unwritten(failed(error)))?;
        let draft = Draft { word: word.to_owned(), place, draft, file: BufWriter::new(file), kept: false };
        if let Some(before) = before {
            draft.file.get_ref().set_permissions(before.permissions()).map_err(|e| unwritten(failed(e)))?;
        }
        Ok(draft)
    }

    /// Adds to it.
    pub(in crate::cli) fn add(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.file.write_all(bytes).map_err(|error| unwritten(&self.word, failed(error)))
    }

    /// Puts it in its place.
    pub(in crate::cli) fn keep(mut self) -> Result<(), Stop> {
        let mut done = || -> std::io::Result<()> {
            self.file.flush()?;
            self.file.get_ref().sync_all()?;
            fs::rename(&self.draft, &self.place)?;
            self.kept = true;
            Ok(())
        };
        done().map_err(|error| unwritten(&self.word, failed(error)))?;
        // If the folder is not synchronised nothing is lost: until then the old file is there.
        if let Some(folder) = self.place.parent().and_then(|folder| File::open(folder).ok()) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            // A draft that cannot be removed stays.
            let _ = fs::remove_file(&self.draft);
        }
    }
}

/// Writes a whole file.
pub(in crate::cli) fn write(word: &str, bytes: impl AsRef<[u8]>) -> Result<(), Stop> {
    let mut draft = Draft::begin(word)?;
    draft.add(bytes.as_ref())?;
    draft.keep()
}

/// No two results may go to one file.
pub(in crate::cli) fn apart<'w>(words: impl Iterator<Item = &'w String>) -> Result<(), Stop> {
    let mut places: Vec<PathBuf> = Vec::new();
    for word in words {
        let place = real(&name::path(word));
        if places.contains(&place) {
            return Err(Stop::Usage(format!("two results are to be written to `{word}`: one would be lost")));
        }
        places.push(place);
    }
    Ok(())
}

/// Where a path leads: through links if there is something, into its real folder if not.
fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let placed = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(placed).unwrap_or_else(|| path.to_owned())
}

/// A new file beside a place.
fn create(place: &Path) -> std::io::Result<(PathBuf, File)> {
    let mut number = 0u32;
    loop {
        let draft = place.with_file_name(format!(".farrier-{}-{number}", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&draft) {
            Ok(file) => return Ok((draft, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Why a file cannot be written.
pub(super) fn unwritten(word: &str, error: FileError) -> Stop {
    let why = match error {
        FileError::Missing => "there is no such folder".to_owned(),
        FileError::Unreadable(why) => why,
    };
    Stop::input(format!("`{word}` cannot be written: {why}"))
}
