//! A number that tells one program from another.
//!
//! A value is written down whole, as serde derives it from its type, and the text is hashed. So no field can
//! be forgotten: a field that is added to a type is in the text. The text is JSON, which is the same on every machine,
//! and the hash is FNV-1a of 64 bits, which asks for no seed; `std::hash` promises neither.

use std::fmt;
use std::io;

use serde::Serialize;

use super::Program;

/// The hash of the text so far. Displays as 16 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Fingerprint {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// With a further value, whole.
    #[must_use]
    pub fn with(mut self, value: &impl Serialize) -> Fingerprint {
        // Hashing never fails, and names and numbers always have a form in JSON.
        let _ = serde_json::to_writer(&mut self, value);
        self.byte(b'\n');
        self
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}

impl io::Write for Fingerprint {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        bytes.iter().for_each(|byte| self.byte(*byte));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Program {
    /// A number that is another one for every other program: for all that is run (code, tables, constants,
    /// what is set up, what positions are made of) and all names in it. The same on every machine.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::default().with(self)
    }
}
