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
//! notes           what has no meaning for play, like the differences
//! ```

use serde_json::{Map, Value, json};

use super::Shown;
use crate::diff::{Difference, Excerpt, Place, Side};

/// The whole comparison.
pub(super) fn of(shown: &Shown<'_>) -> Value {
    let list = |list: &[Difference]| list.iter().map(difference).collect::<Vec<_>>();
    json!({
        "left": shown.left,
        "right": shown.right,
        "equal": shown.diff.is_equal(),
        "same_rules": shown.diff.same_rules(),
        "same_program": shown.diff.same_program,
        "differences": list(&shown.diff.differences),
        "notes": list(&shown.diff.notes),
    })
}

fn difference(d: &Difference) -> Value {
    json!({
        "section": d.section.word(),
        "path": d.path,
        "change": d.change.word(),
        "whole": d.whole,
        "sentence": d.sentence,
        "left": d.left.as_ref().map(side),
        "right": d.right.as_ref().map(side),
    })
}

fn side(side: &Side) -> Value {
    let mut out = place(&side.place);
    out.insert("text".to_owned(), json!(side.text));
    out.insert("written".to_owned(), side.written.iter().map(excerpt).collect());
    Value::Object(out)
}

fn excerpt(excerpt: &Excerpt) -> Value {
    let mut out = Map::from_iter([("key".to_owned(), json!(excerpt.key))]);
    out.extend(place(&excerpt.place));
    out.insert("text".to_owned(), json!(excerpt.text));
    let marks: Vec<Value> = excerpt.marks.iter().map(|mark| json!([mark.start, mark.end])).collect();
    out.insert("marks".to_owned(), json!(marks));
    Value::Object(out)
}

fn place(place: &Place) -> Map<String, Value> {
    Map::from_iter([
        ("file".to_owned(), json!(place.file)),
        ("line".to_owned(), json!(place.line)),
        ("column".to_owned(), json!(place.column)),
        ("option".to_owned(), json!(place.option)),
    ])
}
