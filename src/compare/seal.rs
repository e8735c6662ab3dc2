//! Lines of JSON with a checksum, so that changes to them are found.
//!
//! ```text
//! {"variant":"name","game":0,...}  ->  {"variant":"name","game":0,...,"sum":"5b0e6f2c9a7d1c33"}
//! ```
//!
//! The sum is taken over the line and all lines before it: a line that was changed, taken out, put in or moved
//! is seen at the first line that is not what it was, and so are two files that were put together. One byte
//! exchanged for another always changes the sum; any other damage goes unseen once in 2^64 times. It is no
//! protection from those who mean to deceive.

use super::record::hashed;

/// The message for a file of another form than this version writes.
pub(super) fn other_form(found: u32, own: u32) -> String {
    format!("another version of Farrier wrote it: its form is {found}, this one's is {own}")
}

/// The sum so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seal(u64);

/// The length of a sum with the text around it.
const TAIL: usize = r#","sum":"0123456789abcdef"}"#.len();

impl Default for Seal {
    fn default() -> Seal {
        Seal(super::record::HASH)
    }
}

impl Seal {
    /// The line to be written for an object in JSON.
    pub fn seal(&mut self, json: &str) -> String {
        self.0 = hashed(self.0, json.bytes());
        json.strip_suffix('}').unwrap_or(json).to_owned() + &self.tail()
    }

    /// The object of a line that was written; none if this is not the next one.
    pub fn open(&mut self, line: &str) -> Option<String> {
        let (body, tail) = line.split_at_checked(line.len().checked_sub(TAIL)?)?;
        let json = format!("{body}}}");
        let sum = Seal(hashed(self.0, json.bytes()));
        (tail == sum.tail()).then(|| {
            *self = sum;
            json
        })
    }

    fn tail(self) -> String {
        format!(r#","sum":"{:016x}"}}"#, self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_is_opened() {
        let mut seal = Seal::default();
        let written = [r#"{"a":1}"#, r#"{"b":"é"}"#, r#"{"a":1}"#].map(|json| (json, seal.seal(json)));
        let open = |lines: &[&str]| {
            let mut seal = Seal::default();
            lines.iter().map(|line| seal.open(line)).collect::<Option<Vec<String>>>()
        };
        let [first, second, third] = written.each_ref().map(|(_, line)| line.as_str());
        assert_eq!(open(&[first, second, third]).unwrap(), written.each_ref().map(|(json, _)| *json));
        assert_eq!(open(&[first, second]).unwrap().len(), 2);
        for wrong in
            [&[second][..], &[first, third], &[first, first], &[first, second, second], &[third], &[""]]
        {
            assert_eq!(open(wrong), None);
        }
        for at in 0..first.len() {
            for bit in 0..7 {
                let mut bytes = first.as_bytes().to_vec();
                bytes[at] ^= 1 << bit;
                assert_eq!(open(&[std::str::from_utf8(&bytes).unwrap()]), None);
            }
        }
    }
}
