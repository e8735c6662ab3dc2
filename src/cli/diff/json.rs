//! Differences as JSON. The keys are stable:
//!
//! ```text
//! left, right     the variants as they were written
//! equal           whether they are equal by meaning
//! same_rules      whether the rules are the same as the options are now
//! same_program    whether both mean the same program
//! differences     a list, by section: section, path, change, whole, sentence, left, right
//!   change        "added", "removed", "changed" or "moved"; of notes also "renamed"
//!   whole         whether it is a whole thing that only one of the two has: a piece, a decision
//!   left, right   null, or: file, line, column, option, text (the part that differs), written
//!     written     the values that the rule is made of: key, file, line, column, option, text, and
//!                 marks, a list of [start, end) in bytes of the text
//! notes           what has no effect on play, like the differences
//! ```

use serde_json::{Value, json};

use super::Shown;

/// The whole comparison.
pub(super) fn of(shown: &Shown<'_>) -> Value {
    json!({
        "left": shown.left,
        "right": shown.right,
        "equal": shown.diff.is_equal(),
        "same_rules": shown.diff.same_rules(),
        "same_program": shown.diff.same_program,
        "differences": shown.diff.differences,
        "notes": shown.diff.notes,
    })
}
