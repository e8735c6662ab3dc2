//! Lines of a stream, none longer than has a use.

use std::io::{self, BufRead, Read};

/// How a line ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum Line {
    /// It ended with a line feed.
    Whole,
    /// It ended with the stream.
    Torn,
    /// It is longer than allowed; the rest of it was not read.
    Long,
    /// The stream has no more lines.
    None,
}

/// Reads the next line, without its end, into `line`.
pub(in crate::cli) fn next(input: &mut dyn BufRead, most: usize, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    Read::take(input, most as u64 + 1).read_until(b'\n', line)?;
    Ok(match line.last() {
        None => Line::None,
        Some(b'\n') => {
            line.pop();
            Line::Whole
        }
        Some(_) if line.len() > most => Line::Long,
        Some(_) => Line::Torn,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded() {
        let mut input = &b"abc\n\nabcd\nab"[..];
        let mut line = Vec::new();
        let mut read = |most| (next(&mut input, most, &mut line).unwrap(), line.clone());
        assert_eq!(read(3), (Line::Whole, b"abc".to_vec()));
        assert_eq!(read(3), (Line::Whole, Vec::new()));
        assert_eq!(read(3), (Line::Long, b"abcd".to_vec()));
        assert_eq!(read(3), (Line::Whole, Vec::new()));
        assert_eq!(read(3), (Line::Torn, b"ab".to_vec()));
        assert_eq!(read(3), (Line::None, Vec::new()));
    }
}
