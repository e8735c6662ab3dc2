//! The one table of keys: which keys a definition may have, the type of their values, their joins.
//!
//! Reading, merging, the reports on unknown keys and wrong values, and the reference page all go by
//! this table.

use crate::wording::words;

words! {
    /// A word that adds to a key instead of replacing it.
    pub enum Join {
        Or = "or",
        Plus = "plus",
        And = "and",
        Without = "without",
        First = "first",
        Then = "then",
    }
}

impl Join {
    /// In which round it is made: widening, narrowing, lists.
    pub(super) fn round(self) -> u8 {
        match self {
            Join::Or | Join::Plus => 0,
            Join::And | Join::Without => 1,
            Join::First | Join::Then => 2,
        }
    }
}

/// The type of the value of a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holds {
    /// A plain string.
    Text,
    /// A list of plain strings.
    Texts,
    /// An integer.
    Int,
    /// A list of integers, or one.
    Ints,
    /// `true` or `false`.
    Bool,
    /// A name.
    Name,
    /// A list of names.
    Names,
    /// A type: a name, perhaps with `?`.
    Type,
    /// One word of a fixed list.
    OneOf(&'static [&'static str]),
    /// Some words of a fixed list, or one.
    SomeOf(&'static [&'static str]),
    /// A size: an integer or an int expression over options.
    Size,
    /// Two sizes: columns and rows.
    Sizes,
    /// Names of sites.
    Sites,
    /// Chains of sites.
    Chains,
    /// A direction: labels, a table by player, or `pairs`.
    Direction,
    /// An expression of any type.
    Expr,
    /// An expression of any type, or a table of them by player.
    ExprByPlayer,
    /// A start value: like `ExprByPlayer`, integers and booleans too.
    Start,
    /// A condition.
    Condition,
    /// An int expression; integers too.
    IntExpr,
    /// A movement pattern.
    Pattern,
    /// A trait: a pattern, `true`, an integer or the name of a kind.
    Trait,
    /// Effects.
    Effects,
    /// A turn flow.
    Flow,
    /// A list of turn flows.
    Flows,
    /// An outcome.
    Outcome,
    /// The choices of a decision.
    Choose,
    /// A text with `{fields}`.
    Template,
    /// A picture of the pieces on the board.
    Picture,
    /// A table of texts by player.
    TextByPlayer,
    /// A table of letters by site.
    Letters,
    /// `lo..hi`.
    Range,
    /// Two integers: the ends of a range.
    Ends,
    /// The values of an option: words or integers.
    Values,
    /// One value of an option.
    Value,
    /// A table of option values.
    ValueTable,
    /// A table of integers by player, or a list.
    Scores,
    /// An integer of at most 64 bits.
    Seed,
    /// An overlay: any keys of a definition but those of a file.
    Overlay,
}

impl Holds {
    /// For people: `a condition`.
    pub fn describe(self) -> String {
        match self {
            Holds::Text => "a string",
            Holds::Texts => "a list of strings",
            Holds::Int => "an integer",
            Holds::Ints => "an integer or a list of integers",
            Holds::Bool => "`true` or `false`",
            Holds::Name => "a string with a name",
            Holds::Names => "a list of names",
            Holds::Type => "a string with a type",
            Holds::OneOf(list) => return one_of(list),
            Holds::SomeOf(list) => return format!("{}, or a list of them", one_of(list)),
            Holds::Size => "an integer or a string with an int expression over options",
            Holds::Sizes => {
                "a list of two sizes, each an integer or a string with an int expression over options"
            }
            Holds::Sites => "a string or a list with names of sites",
            Holds::Chains => "a string with chains of sites such as `a1-b1-c1`",
            Holds::Direction => "a string with labels, a table of them by player, or a string with `pairs`",
            Holds::Expr => "a string with an expression",
            Holds::ExprByPlayer => "a string with an expression, or a table of them by player",
            Holds::Start => {
                "a string with an expression, an integer, a boolean, or a table of them by player"
            }
            Holds::Condition => "a string with a condition",
            Holds::IntExpr => "an integer or a string with an int expression",
            Holds::Pattern => "a string with a movement pattern",
            Holds::Trait => "a string with a movement pattern or a kind of piece, `true`, or an integer",
            Holds::Effects => "a string with effects",
            Holds::Flow => "a string with a turn flow",
            Holds::Flows => "a list of strings with turn flows",
            Holds::Outcome => "a string with an outcome",
            Holds::Choose => "a string such as `x in own, y in vacant`",
            Holds::Picture => "a string with a picture of the board",
            Holds::Template => "a string, with `{name}` where a value goes",
            Holds::TextByPlayer => "a table of strings by player",
            Holds::Letters => "a table of letters by site",
            Holds::Range => "a string such as `0..99`",
            Holds::Ends => "a list of two integers",
            Holds::Values => "a list of words or a list of integers",
            Holds::Value => "a word, an integer or a boolean",
            Holds::ValueTable => "a table of option values",
            Holds::Scores => "a table of integers by player, or a list in the players' order",
            Holds::Seed => "an integer that is not negative",
            Holds::Overlay => "a table of keys of a definition",
        }
        .to_string()
    }

    /// The words that join such a key.
    pub fn joins(self) -> &'static [Join] {
        match self {
            Holds::Expr | Holds::ExprByPlayer | Holds::Start => {
                &[Join::Or, Join::And, Join::Without, Join::Plus]
            }
            Holds::Condition => &[Join::Or, Join::And],
            Holds::IntExpr => &[Join::Plus],
            Holds::Pattern | Holds::Trait => &[Join::Or],
            Holds::Effects | Holds::Flows | Holds::Names | Holds::Sites => &[Join::First, Join::Then],
            Holds::Flow => &[Join::Or, Join::First, Join::Then],
            _ => &[],
        }
    }
}

/// For people: one of some words.
pub(super) fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
    quoted.join(" or ")
}

/// One key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyDoc {
    /// Its path; `*` stands for a name.
    pub path: &'static str,
    /// The type of its value.
    pub holds: Holds,
    /// Its meaning, in one line.
    pub doc: &'static str,
}

impl KeyDoc {
    /// The words that join it.
    pub fn joins(&self) -> &'static [Join] {
        self.holds.joins()
    }

    /// Whether it may stand in an overlay that is not a file.
    pub fn in_overlay(&self) -> bool {
        let first = self.path.split('.').next().unwrap_or_default();
        !OWN.contains(&first) && !["drop", "options", "tests"].contains(&first)
    }
}

/// Keys with one value that belong to a file as such.
pub(super) const OWN: &[&str] =
    &["name", "author", "source", "summary", "group", "extends", "for", "requires", "conflicts", "over"];

/// Every key, in the order of the reference page.
pub fn schema() -> &'static [KeyDoc] {
    SCHEMA
}

const fn row(path: &'static str, holds: Holds, doc: &'static str) -> KeyDoc {
    KeyDoc { path, holds, doc }
}

#[rustfmt::skip]
const SCHEMA: &[KeyDoc] = &[
    row("name", Holds::Text, "The game's name; each file has its own."),
    row("author", Holds::Text, "Who invented it."),
    row("source", Holds::Text, "Where the rules are published."),
    row("summary", Holds::Text, "The game, or an extension, in one sentence."),
    row("group", Holds::Text, "The heading under which lists of games put it."),
    row("players", Holds::Names, "The players in order of play; `white` and `black` if left out."),
    row("teams", Holds::Texts, "Who plays with whom, such as `[\"north south\", \"east west\"]`."),
    row("extends", Holds::Text, "The game that this file is an overlay of."),
    row("for", Holds::Text, "In an extension file: the game that it can be added to."),
    row("drop", Holds::Texts, "Paths of what is taken out, such as `end.draw`."),
    row("requires", Holds::Names, "In an extension file: options that must be on with it."),
    row("conflicts", Holds::Names, "In an extension file: options that must be off with it."),
    row("over", Holds::Names, "In an extension file: options whose replacements it overrules."),

    row("board.square", Holds::Sizes, "Squares: columns, rows."),
    row("board.hex", Holds::Sizes, "A rhombus of hexagons: columns, rows."),
    row("board.hexhex", Holds::Size, "A hexagon of hexagons: cells an edge."),
    row("board.triangle", Holds::Size, "A triangle of hexagons: cells an edge."),
    row("board.graph.edges.*", Holds::Chains, "Any graph: the key is one label or two (forwards, backwards), the value chains of sites."),
    row("board.remove", Holds::Sites, "Sites that are taken out."),
    row("board.wrap", Holds::OneOf(&["columns", "rows", "both"]), "What wraps around; grids only."),
    row("board.stack", Holds::Size, "How many pieces of any kinds and owners may stand on a site, one on another."),
    row("directions.*", Holds::Direction, "A named direction or group of directions."),

    row("pieces.*.letter", Holds::Text, "How texts print the kind; its name's first letter if left out."),
    row("pieces.*.stack", Holds::Int, "How many of one player may share a site; 1 if left out."),
    row("pieces.*.*", Holds::Trait, "A trait: a movement pattern, `true` for a group, an integer, or a kind of piece."),
    row("relations.*", Holds::Pattern, "A named movement pattern, perhaps with a direction as parameter."),
    row("regions.*", Holds::ExprByPlayer, "A named expression that does not depend on the position."),
    row("define.*", Holds::ExprByPlayer, "A named expression, perhaps with parameters."),
    row("effects.*", Holds::Effects, "A named list of effects, perhaps with parameters."),

    row("state.*.type", Holds::Type, "The type of a state variable."),
    row("state.*.per", Holds::SomeOf(&["player", "site", "kind", "direction"]), "What it has a value for each of."),
    row("state.*.start", Holds::Start, "Its value at the start; 0, false or none if left out."),
    row("state.*.shuffle", Holds::Range, "These numbers are dealt to the sites by the seed."),
    row("state.*.lasts", Holds::Int, "After how many turns it is reset; for ever if left out."),
    row("state.*.identity", Holds::Bool, "Whether it tells positions apart; `true` if left out."),

    row("setup.board", Holds::Picture, "A picture of the start: rows from the last to the first."),
    row("setup.do", Holds::Effects, "Effects that set up the board, after the picture."),
    row("setup.text", Holds::Template, "How the text of a set-up is written."),
    row("setup.named.*", Holds::Text, "A set-up or position that has a name."),
    row("position.text", Holds::Template, "How a position is written: board, turn, round and state."),
    row("position.turn", Holds::TextByPlayer, "How each player is written."),
    row("position.empty", Holds::Text, "How an empty value is written; `-` if left out."),
    row("position.start", Holds::Text, "The position at the start."),
    row("position.tidy", Holds::Effects, "Effects after a position was read."),
    row("position.*", Holds::Letters, "How a set of sites is spelled: a letter for each site, in order."),

    row("decisions.*.when", Holds::Condition, "Whether the decision is due."),
    row("decisions.*.choose", Holds::Choose, "What is chosen, from what."),
    row("decisions.*.let.*", Holds::Expr, "A value that is named before any effect."),
    row("decisions.*.where", Holds::Condition, "Which choices are legal, seen before the effects."),
    row("decisions.*.do", Holds::Effects, "What happens."),
    row("decisions.*.keeps", Holds::Condition, "Which choices are legal, seen after the effects."),
    row("decisions.*.repeats", Holds::Bool, "`false`: no choice may bring back a position in which a turn began."),
    row("decisions.*.text", Holds::Template, "How a choice is written."),
    row("decisions.*.joined", Holds::Template, "How it is written right behind the ply before it in the turn."),
    row("decisions.*.by", Holds::OneOf(&["chance"]), "Drawn by the seed, not decided by a player."),
    row("decisions.*.weight", Holds::IntExpr, "How likely a choice of chance is; all alike if left out."),
    row("flow.*", Holds::Flow, "A named part of a turn."),
    row("turn.opening", Holds::Flows, "The first turns."),
    row("turn.main", Holds::Flow, "Every later turn."),
    row("turn.finish", Holds::Effects, "Effects at a turn's end."),
    row("turn.skip", Holds::Condition, "Whether a player is passed over."),
    row("turn.stuck", Holds::Outcome, "What happens to a player without a legal decision."),
    row("end.*.when", Holds::Condition, "When the game ends."),
    row("end.*.result", Holds::Outcome, "How it ends."),
    row("end.*.at", Holds::OneOf(&["ply", "turn"]), "When it is looked at: after each ply, or when a turn starts."),
    row("end.*.perft", Holds::Bool, "Whether perft looks at it; `true` if left out."),
    row("score.value", Holds::IntExpr, "The score of the player who is `mover`."),
    row("match.target", Holds::Int, "The score that wins a match of several games."),
    row("match.points", Holds::IntExpr, "What a game is worth to a player; `won` and `score` are bound."),
    row("match.alternate", Holds::Name, "The option whose values the games run through."),

    row("options.*.summary", Holds::Text, "The option in one sentence."),
    row("options.*.default", Holds::Value, "Its value without being set; off, or the first value, if left out."),
    row("options.*.values", Holds::Values, "Its values; on or off if left out."),
    row("options.*.range", Holds::Ends, "The least and the greatest of its values."),
    row("options.*.requires", Holds::Names, "Options that must be on with it."),
    row("options.*.conflicts", Holds::Names, "Options that must be off with it."),
    row("options.*.over", Holds::Names, "Options whose replacements it overrules."),
    row("options.*.drop", Holds::Texts, "Paths of what it takes out."),
    row("options.*.is.*", Holds::Overlay, "The overlay of one of its values; of a flag it stands beside these keys."),

    row("tests.*.name", Holds::Text, "What the test shows."),
    row("tests.*.options", Holds::ValueTable, "Options that it is run with."),
    row("tests.*.setup", Holds::Text, "The set-up or position that it starts from."),
    row("tests.*.seed", Holds::Seed, "The seed of the game."),
    row("tests.*.after", Holds::Text, "Moves that are played first."),
    row("tests.*.legal", Holds::Texts, "Exactly the legal moves, in any order."),
    row("tests.*.includes", Holds::Texts, "Moves that are legal."),
    row("tests.*.excludes", Holds::Texts, "Moves that are not legal."),
    row("tests.*.count", Holds::Seed, "How many moves are legal."),
    row("tests.*.perft", Holds::Ints, "Numbers of sequences of 1, 2, ... plies."),
    row("tests.*.result", Holds::Text, "Who has won: a player, several (`a & b`), places (`a > b & c > d`), `draw` or `unfinished`."),
    row("tests.*.score", Holds::Scores, "The score of each player."),
    row("tests.*.position", Holds::Text, "The position's text."),
    row("tests.*.mover", Holds::Name, "Who is to decide."),
];

/// The rows that a path leads to: exact words before `*`.
pub(super) struct Rows {
    rows: Vec<(&'static KeyDoc, Vec<&'static str>)>,
    depth: usize,
}

impl Rows {
    /// All rows.
    pub fn all() -> Rows {
        let split = |row: &'static KeyDoc| (row, row.path.split('.').collect());
        Rows { rows: SCHEMA.iter().map(split).collect(), depth: 0 }
    }

    /// The rows of overlays that are not files.
    pub fn overlay() -> Rows {
        let mut rows = Rows::all();
        rows.rows.retain(|(row, _)| row.in_overlay());
        rows
    }

    /// The row that ends here.
    pub fn leaf(&self) -> Option<&'static KeyDoc> {
        let ends = |(_, path): &&(_, Vec<&str>)| path.len() == self.depth;
        self.rows.iter().find(ends).map(|(row, _)| *row)
    }

    /// The rows under a key.
    pub fn under(&self, key: &str) -> Option<Rows> {
        let pick = |word: &str| -> Vec<_> {
            let fits = |(_, path): &&(_, Vec<&'static str>)| path.get(self.depth) == Some(&word);
            self.rows.iter().filter(fits).cloned().collect()
        };
        let mut rows = pick(key);
        if rows.is_empty() {
            rows = pick("*");
        }
        (!rows.is_empty()).then_some(Rows { rows, depth: self.depth + 1 })
    }

    /// The words that may stand here.
    pub fn words(&self) -> Vec<&'static str> {
        let mut words: Vec<&str> = Vec::new();
        for (_, path) in &self.rows {
            if let Some(word) = path.get(self.depth)
                && *word != "*"
                && !words.contains(word)
            {
                words.push(word);
            }
        }
        words
    }

    /// Whether any name may stand here.
    pub fn free(&self) -> bool {
        let star = |(_, path): &(_, Vec<&str>)| path.get(self.depth) == Some(&"*");
        self.rows.iter().any(star)
    }
}
