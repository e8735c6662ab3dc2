//! Words of the command line as text, and text as names of files.
//!
//! Names of files are bytes, and Farrier's words are UTF-8. A byte that is part of no character becomes a
//! character of its own for private use, `U+10FE00` plus the byte. Where a name holds such characters already,
//! their bytes become characters too: so each name has a text of its own, and [`path`] undoes what [`word`] does.
//! A text can be taken apart, put together and compared like any other; printed texts show such a character
//! as one that is unknown. Where names are not bytes, the parts that are no text are lost.

use std::ffi::OsStr;
use std::path::PathBuf;

/// The character for the byte 0.
const FIRST: u32 = 0x10_fe00;

/// A word of the command line as text.
#[cfg(unix)]
pub(in crate::cli) fn word(raw: &OsStr) -> String {
    let mut out = String::new();
    let push = |out: &mut String, byte: &u8| out.extend(char::from_u32(FIRST + u32::from(*byte)));
    for chunk in std::os::unix::ffi::OsStrExt::as_bytes(raw).utf8_chunks() {
        for c in chunk.valid().chars() {
            match byte(c) {
                None => out.push(c),
                Some(_) => c.encode_utf8(&mut [0; 4]).as_bytes().iter().for_each(|b| push(&mut out, b)),
            }
        }
        chunk.invalid().iter().for_each(|b| push(&mut out, b));
    }
    out
}

#[cfg(not(unix))]
pub(in crate::cli) fn word(raw: &OsStr) -> String {
    raw.to_string_lossy().into_owned()
}

/// The path that a text stands for.
#[cfg(unix)]
pub(in crate::cli) fn path(word: &str) -> PathBuf {
    let mut bytes = Vec::new();
    for c in word.chars() {
        match byte(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes))
}

#[cfg(not(unix))]
pub(in crate::cli) fn path(word: &str) -> PathBuf {
    PathBuf::from(word)
}

/// The byte that a character stands for, if it stands for one.
pub(in crate::cli) fn byte(c: char) -> Option<u8> {
    u8::try_from(u32::from(c).checked_sub(FIRST)?).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn every_name_has_a_text_of_its_own() {
        let names: [&[u8]; 7] = [
            b"plain",
            b"caf\xc3\xa9",
            b"caf\xe9",
            b"\xff\xfe/\x80.toml",
            "\u{10fee9}".as_bytes(),
            b"\xe2\x82",
            b"",
        ];
        let mut texts = Vec::new();
        for name in names {
            let text = word(OsStr::from_bytes(name));
            assert_eq!(path(&text).as_os_str().as_bytes(), name, "{text:?}");
            assert!(!texts.contains(&text), "{text:?}");
            texts.push(text);
        }
        assert_eq!(texts[..2], ["plain", "café"]);
    }
}
