//! What a comparison gives.

use std::ops::Range;

use super::sentence;

/// How two variants differ.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Diff {
    /// The differences in meaning, by section.
    pub differences: Vec<Difference>,
    /// What differs without a meaning for play: what is said about the game, and names.
    pub notes: Vec<Difference>,
    /// Whether both mean the same program: then no line of play tells them apart.
    pub same_program: bool,
}

impl Diff {
    /// Whether the two are equal by meaning; see the [module](crate::diff) for what that covers.
    pub fn is_equal(&self) -> bool {
        self.differences.is_empty()
    }

    /// Whether the rules are the same as the options are now: if anything, only what the options can be
    /// differs.
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

/// The parts of a definition, in the order in which they are reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Section {
    /// Title, author, source, summaries, names.
    About,
    /// `[options]`
    Options,
    /// How many players there are.
    Players,
    /// `[board]` and `[directions]`
    Board,
    /// `[pieces]`
    Pieces,
    /// `[relations]`
    Relations,
    /// `[regions]` and `[define]`
    Definitions,
    /// `[effects]`
    Effects,
    /// `[state]`
    State,
    /// `[setup]`, and the start of `[position]`
    Setup,
    /// `[decisions]`
    Decisions,
    /// `[turn]` and `[flow]`
    Turn,
    /// `[end]`
    Ends,
    /// `[score]`
    Score,
    /// `[match]`
    Match,
    /// `[position]`: how positions are written.
    Texts,
}

impl Section {
    /// Its word for programs: `decisions`.
    pub fn word(self) -> &'static str {
        match self {
            Section::About => "about",
            Section::Options => "options",
            Section::Players => "players",
            Section::Board => "board",
            Section::Pieces => "pieces",
            Section::Relations => "relations",
            Section::Definitions => "definitions",
            Section::Effects => "effects",
            Section::State => "state",
            Section::Setup => "setup",
            Section::Decisions => "decisions",
            Section::Turn => "turn",
            Section::Ends => "ends",
            Section::Score => "score",
            Section::Match => "match",
            Section::Texts => "texts",
        }
    }

    /// Its heading for people.
    pub fn title(self) -> &'static str {
        match self {
            Section::About => "About the game",
            Section::Options => "Options",
            Section::Players => "Players",
            Section::Board => "Board",
            Section::Pieces => "Pieces",
            Section::Relations => "Relations",
            Section::Definitions => "Definitions",
            Section::Effects => "Effects",
            Section::State => "State",
            Section::Setup => "Set-up",
            Section::Decisions => "Decisions",
            Section::Turn => "Turn",
            Section::Ends => "Ends",
            Section::Score => "Score",
            Section::Match => "Match",
            Section::Texts => "Texts of positions",
        }
    }
}

/// In what way something differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Change {
    /// Only the right one has it.
    Added,
    /// Only the left one has it.
    Removed,
    /// Both have it, with different meanings.
    Changed,
    /// Both have it, at different places of an order that has a meaning.
    Moved,
    /// Both have it, with the same meaning and different names.
    Renamed,
}

impl Change {
    /// Its word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed => "changed",
            Change::Moved => "moved",
            Change::Renamed => "renamed",
        }
    }

    /// Its mark: `+`, `-` or `~`.
    pub fn mark(self) -> char {
        match self {
            Change::Added => '+',
            Change::Removed => '-',
            _ => '~',
        }
    }

    /// The change from the other side.
    fn mirrored(self) -> Change {
        match self {
            Change::Added => Change::Removed,
            Change::Removed => Change::Added,
            other => other,
        }
    }
}

/// One difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The part of the definition.
    pub section: Section,
    /// The key, as a path: `decisions.move.where`.
    pub path: String,
    /// In what way it differs.
    pub change: Change,
    /// Whether it is a whole thing that only one of the two has: a piece, a decision, an end.
    pub whole: bool,
    /// What it is in, for people: ``decision `move`, what happens (`do`) ``.
    pub subject: String,
    /// The right one's path and subject, where something there has another name.
    pub also: Option<(String, String)>,
    /// What the part of the subject is called that is new or gone: `the effect`; empty for the subject.
    pub noun: String,
    /// One sentence.
    pub sentence: String,
    /// In the left variant. Of something new within a rule the place that it would have there; none if
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// Where the part stands.
    pub place: Place,
    /// The part in the language's canonical form, empty if this side has none.
    pub text: String,
    /// What it is a part of, where that helps and is short.
    pub context: Option<String>,
    /// The whole rule as it is written, in the pieces that overlays made it of.
    pub written: Vec<Excerpt>,
}

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The file, as reports name it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The option or extension whose overlay says it; none for the game's files.
    pub option: Option<String>,
}

/// A value as it stands in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// Its key, as a path.
    pub key: String,
    /// Where its text begins.
    pub place: Place,
    /// The text, without quotes.
    pub text: String,
    /// The parts that differ: byte ranges of the text.
    pub marks: Vec<Range<usize>>,
}
