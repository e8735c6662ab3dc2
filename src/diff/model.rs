//! The result of a comparison.

use std::ops::Range;

use serde::{Serialize, Serializer};

use super::sentence;
use crate::outline::{Change, FilePlace, Section};

/// How two variants differ.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Diff {
    /// The differences in meaning, by section.
    pub differences: Vec<Difference>,
    /// Differences without an effect on play: texts about the game, and names.
    pub notes: Vec<Difference>,
    /// Whether both mean the same program: then no line of play tells them apart.
    pub same_program: bool,
}

impl Diff {
    /// Whether the two are equal by meaning; see the [module](crate::diff) for what that covers.
    pub fn is_equal(&self) -> bool {
        self.differences.is_empty()
    }

    /// Whether the rules are the same with the present options: at most the possible values of options differ.
    pub fn same_rules(&self) -> bool {
        self.differences.iter().all(|d| d.section == Section::Options)
    }

    /// The same with left and right changed over.
    #[must_use]
    pub fn mirrored(self) -> Diff {
        let mirror = |list: Vec<Difference>| list.into_iter().map(Difference::mirrored).collect();
        Diff { differences: mirror(self.differences), notes: mirror(self.notes), ..self }
    }
}

/// One difference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The part of the definition.
    pub section: Section,
    /// The key, as a path: `decisions.move.where`.
    pub path: String,
    /// In what way it differs.
    pub change: Change,
    /// Whether it is a whole thing that only one of the two has: a piece, a decision, an end.
    pub whole: bool,
    /// The part that differs, for people: ``decision `move`, what happens (`do`) ``.
    #[serde(skip)]
    pub subject: String,
    /// The right one's path and subject, where something there has another name.
    #[serde(skip)]
    pub also: Option<(String, String)>,
    /// The name of the part that is new or gone: `the effect`. Empty where it is the subject itself.
    #[serde(skip)]
    pub noun: String,
    /// One sentence.
    pub sentence: String,
    /// In the left variant. A part that is new within a rule has the place here where it would stand; none if
    /// there is no such place.
    pub left: Option<Side>,
    /// In the right variant.
    pub right: Option<Side>,
}

impl Difference {
    /// The same with left and right changed over.
    #[must_use]
    pub fn mirrored(mut self) -> Difference {
        self.change = self.change.mirrored();
        std::mem::swap(&mut self.left, &mut self.right);
        if let Some((path, subject)) = &mut self.also {
            std::mem::swap(&mut self.path, path);
            std::mem::swap(&mut self.subject, subject);
        }
        self.sentence = sentence::of(&self);
        self
    }
}

/// One side of a difference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Side {
    /// Where the part stands.
    #[serde(flatten)]
    pub place: FilePlace,
    /// The part in the language's canonical form, empty if this side has none.
    pub text: String,
    /// The text around it, where that helps and is short.
    #[serde(skip)]
    pub context: Option<String>,
    /// The whole rule as it is written, in the pieces that overlays made it of.
    pub written: Vec<Excerpt>,
}

impl Side {
    /// A side that has nothing there.
    pub(super) fn at(place: FilePlace) -> Side {
        Side { place, text: String::new(), context: None, written: Vec::new() }
    }
}

/// A value as it stands in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Excerpt {
    /// Its key, as a path.
    pub key: String,
    /// Where its text begins.
    #[serde(flatten)]
    pub place: FilePlace,
    /// The text, without quotes.
    pub text: String,
    /// The parts that differ: byte ranges of the text.
    #[serde(serialize_with = "pairs")]
    pub marks: Vec<Range<usize>>,
}

/// Ranges as lists of begin and end.
fn pairs<S: Serializer>(marks: &[Range<usize>], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(marks.iter().map(|mark| [mark.start, mark.end]))
}
