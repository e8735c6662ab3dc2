//! Positions from texts, by the template of `[position]`.

use super::Naive;
use super::position::NaivePosition;

impl Naive<'_> {
    /// Fills in what a text says; false if it cannot be read.
    pub fn fill_in(&self, _pos: &mut NaivePosition, _text: &str) -> bool {
        false
    }
}
