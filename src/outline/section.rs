//! The parts of a definition.

use serde::Serialize;

/// The parts of a definition, in the order in which they are reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
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
