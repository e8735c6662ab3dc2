//! A file of lines that one process at a time reads and adds to.
//!
//! The lock is the system's: it ends with the process, however that ends. A process that is killed leaves at
//! most one line that is not whole, the last, for each line is written at once.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom, Write};

use serde_json::{Map, Value};

use super::draft::unwritten;
use super::lines::{self, Line};
use super::{failed, name, open};
use crate::cli::Stop;
use crate::source::FileError;

/// A file of lines, locked.
pub(in crate::cli) struct Log {
    /// The name that the user gave.
    word: String,
    file: File,
    /// How many bytes are of whole lines.
    whole: u64,
    /// Whether the last of them has no line end: an editor took it away.
    unended: bool,
}

impl Log {
    /// Opens a file and locks it; makes it where there is none.
    pub(in crate::cli) fn open(word: &str) -> Result<Log, Stop> {
        let unread = |error| match error {
            FileError::Missing => unwritten(word, error),
            FileError::Unreadable(why) => Stop::input(format!("`{word}` cannot be read and added to: {why}")),
        };
        let path = name::path(word);
        let mut how = OpenOptions::new();
        how.read(true).write(true).create(true).truncate(false);
        let file = open(&path, &mut how).map_err(unread)?;
        match file.try_lock() {
            Ok(()) => Ok(Log { word: word.to_owned(), file, whole: 0, unended: false }),
            Err(TryLockError::WouldBlock) => Err(Stop::advised(
                format!("`{word}` is in use: another run adds to it"),
                "wait until that run has ended, or give another file",
            )),
            Err(TryLockError::Error(error)) => Err(Stop::advised(
                format!("`{word}` cannot be locked against other runs: {error}"),
                "give a file on another disk",
            )),
        }
    }

    /// Gives each whole line with its number, from 1. Lines are JSON objects, so a last one without an end is known to be
    /// whole; one that is not comes back with its number.
    pub(in crate::cli) fn read(
        &mut self,
        most: usize,
        mut taker: impl FnMut(u64, &[u8]) -> Result<(), Stop>,
    ) -> Result<Option<(u64, Vec<u8>)>, Stop> {
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        let mut line = Vec::new();
        for number in 1.. {
            let word = &self.word;
            match lines::next(&mut reader, most, &mut line) {
                Err(error) => return Err(Stop::input(format!("`{word}` cannot be read: {error}"))),
                Ok(Line::None) => break,
                Ok(Line::Torn) if serde_json::from_slice::<Map<String, Value>>(&line).is_ok() => {
                    taker(number, &line)?;
                    self.whole += line.len() as u64;
                    self.unended = true;
                    break;
                }
                Ok(Line::Torn) => return Ok(Some((number, line))),
                Ok(Line::Long) => {
                    let most = most >> 20;
                    let what =
                        format!("`{word}`, line {number} is longer than {most} MiB: nothing here wrote it");
                    return Err(Stop::advised(what, "give another file"));
                }
                Ok(Line::Whole) => taker(number, &line)?,
            }
            self.whole += line.len() as u64 + 1;
        }
        Ok(None)
    }

    /// Cuts the file off behind the whole lines that were read, each of which has an end then, and goes on there.
    pub(in crate::cli) fn cut(&mut self) -> Result<(), Stop> {
        let cut = self.file.set_len(self.whole).and_then(|()| self.file.seek(SeekFrom::Start(self.whole)));
        cut.map_err(|error| self.unwritten(error))?;
        match std::mem::take(&mut self.unended) {
            true => self.add(""),
            false => Ok(()),
        }
    }

    /// How many bytes are of whole lines.
    pub(in crate::cli) fn length(&self) -> u64 {
        self.whole
    }

    /// Cuts the file off behind so many bytes of whole lines, at one moment, and goes on there.
    pub(in crate::cli) fn cut_at(&mut self, bytes: u64) -> Result<(), Stop> {
        self.whole = self.whole.min(bytes);
        self.cut()
    }

    /// Adds a line.
    pub(in crate::cli) fn add(&mut self, line: &str) -> Result<(), Stop> {
        let line = format!("{line}\n");
        self.file.write_all(line.as_bytes()).map_err(|error| self.unwritten(error))?;
        self.whole += line.len() as u64;
        Ok(())
    }

    fn unwritten(&self, error: io::Error) -> Stop {
        unwritten(&self.word, failed(error))
    }
}
