//! A definition after all overlays: the data on which names and types are checked.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter, Result};
use std::sync::Arc;

use super::schema::Holds;
use crate::board::BoardSpec;
use crate::source::{FileId, Span};
use crate::syntax::ast::{self, Name};
use crate::syntax::text::RuleText;

/// A text that lies beside a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beside {
    /// Its file.
    pub file: FileId,
    /// The whole text.
    pub text: Arc<str>,
}

/// A whole definition, for one choice of options.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// `name`.
    pub title: String,
    /// `author`.
    pub author: Option<String>,
    /// `source`: where the rules are published.
    pub source: Option<String>,
    /// `summary`: one sentence.
    pub summary: Option<String>,
    /// `group`: the heading under which lists of games put it.
    pub group: Option<String>,
    /// `players`, in order of play.
    pub players: Vec<Name>,
    /// `teams`: the team of each player by number; empty where each plays alone.
    pub teams: Vec<usize>,
    /// `[board]` and `[directions]`, with options resolved.
    pub board: BoardSpec,
    /// Where the board is described.
    pub board_span: Span,
    /// `board.stack`: how many pieces of any kinds and owners may stand on a site, and where that is said.
    pub stack: Option<(u32, Span)>,
    /// `[pieces]`.
    pub pieces: Vec<PieceDef>,
    /// `[relations]`.
    pub relations: Vec<RelationDef>,
    /// `[regions]` and `[define]`.
    pub defines: Vec<Define>,
    /// `[effects]`.
    pub effects: Vec<EffectDef>,
    /// `[state]`.
    pub state: Vec<StateDef>,
    /// `[setup]`.
    pub setup: SetupDef,
    /// `[position]`.
    pub position: Option<PositionDef>,
    /// `[decisions]`.
    pub decisions: Vec<DecisionDef>,
    /// `[flow]`.
    pub flows: Vec<(Name, Rule<ast::Flow>)>,
    /// `[turn]`.
    pub turn: TurnDef,
    /// `[end]`, in the order of evaluation.
    pub ends: Vec<EndDef>,
    /// `[score] value`.
    pub score: Option<Rule<ast::Expr>>,
    /// `[match]`.
    pub match_: Option<MatchDef>,
    /// `[options]` with the state each is in, the built-in ones first, then extension files.
    pub options: Vec<OptionDef>,
    /// `[[tests]]` of the file itself (a parent's are not inherited).
    pub tests: Vec<TestDef>,
    /// Every overlay that took part, the base file first. Index of [`Part::origin`].
    pub origins: Vec<Origin>,
    /// Names whose values could not be read, which was reported: that they are not there is no
    /// second mistake. Empty if there are no errors.
    pub lost: Vec<String>,
    /// Whether errors were reported: rules may look unused or unreachable because of them.
    pub flawed: bool,
    /// The game's own file and the extensions; rules of other files are inherited.
    pub own: Vec<FileId>,
    /// Names that some overlay took out, with the place of the `drop`.
    pub dropped: Vec<Name>,
    /// The overlays that each key comes from.
    pub said: Said,
    /// The evaluation weights in the file beside the game's file, or beside one that it extends; none for shipped
    /// games.
    pub weights: Option<Beside>,
    /// Names that rules say which do not take part: of options that are off, or replaced. Sorted.
    pub elsewhere: Vec<String>,
}

/// An overlay that took part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// For people: `base.toml`, `option wide`, `option style = fast`, `my-rule.toml`.
    pub name: String,
    /// The option, if it is one.
    pub option: Option<String>,
}

/// A rule after all joins, with the places it is made of. Two are equal if they say the same.
#[derive(Clone, Debug)]
pub struct Rule<T> {
    /// The syntax tree, joins included.
    pub tree: T,
    /// The base value first, then the joins.
    pub parts: Vec<Part>,
}

impl<T: PartialEq> PartialEq for Rule<T> {
    fn eq(&self, other: &Rule<T>) -> bool {
        self.tree == other.tree
    }
}

impl<T> Rule<T> {
    /// Where its base value stands.
    pub fn span(&self) -> Span {
        self.parts.first().map(|p| p.span).unwrap_or_default()
    }
}

/// One value that a rule is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The value's place.
    pub span: Span,
    /// Which overlay said so: an index of [`Definition::origins`].
    pub origin: usize,
}

/// One value for all, or one for each player.
#[derive(Clone, PartialEq, Debug)]
pub enum PerPlayer<T> {
    /// The same for everybody.
    All(T),
    /// One for each player, in the players' order.
    Each(Vec<T>),
}

impl<T> PerPlayer<T> {
    /// The one for all, or each of them.
    pub fn all(&self) -> &[T] {
        match self {
            PerPlayer::All(one) => std::slice::from_ref(one),
            PerPlayer::Each(all) => all,
        }
    }

    /// The one for a player.
    pub fn of(&self, player: usize) -> Option<&T> {
        match self {
            PerPlayer::All(one) => Some(one),
            PerPlayer::Each(all) => all.get(player),
        }
    }
}

/// A kind of piece.
#[derive(Clone, PartialEq, Debug)]
pub struct PieceDef {
    /// Its name.
    pub name: Name,
    /// `letter`: its letter in texts; by default the name's first letter.
    pub letter: String,
    /// `stack`: how many of one player may share a site.
    pub stack: u32,
    /// Every other key.
    pub traits: Vec<(Name, TraitValue)>,
}

/// The value of a trait.
#[derive(Clone, PartialEq, Debug)]
pub enum TraitValue {
    /// A movement pattern.
    Pattern(Rule<ast::Pattern>),
    /// `true`: a member of the group. (`false` leaves the kind out, but the group exists.)
    Group(bool, Span),
    /// A number.
    Int(i32, Span),
    /// The name of a kind.
    Kind(Name),
}

/// A rule that has a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Named<T> {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The rule.
    pub body: Rule<T>,
}

/// A named movement pattern, perhaps one for each direction.
pub type RelationDef = Named<ast::Pattern>;

/// A named list of effects.
pub type EffectDef = Named<ast::Effects>;

/// A named expression, perhaps with parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Define {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its body.
    pub body: PerPlayer<Rule<ast::Expr>>,
    /// Written in `[regions]`: must not depend on the position.
    pub region: bool,
}

/// A parameter; without a type it is a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// The type's name as written: `sites`, `int`.
    pub ty: Option<Name>,
}

/// A state variable.
#[derive(Clone, PartialEq, Debug)]
pub struct StateDef {
    /// Its name.
    pub name: Name,
    /// `type`: `int`, `sites`, `site?`, ...
    pub ty: Name,
    /// `per`: `player`, `site`, `kind`, at most three.
    pub per: Vec<Name>,
    /// `start`.
    pub start: Option<PerPlayer<Rule<ast::Expr>>>,
    /// `shuffle = "0..99"`: these numbers are dealt to the sites by the seed.
    pub shuffle: Option<(i32, i32, Span)>,
    /// `lasts`: turns after which it is reset; none for ever.
    pub lasts: Option<u32>,
    /// `identity`: whether it tells positions apart.
    pub identity: bool,
}

/// How a game starts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SetupDef {
    /// `board`: a picture.
    pub board: Option<RuleText>,
    /// `do`: effects, after the picture.
    pub effects: Option<Rule<ast::Effects>>,
    /// `text`: the template of the set-up's text.
    pub text: Option<Template>,
    /// `[setup.named]`: texts that `--setup NAME` stands for.
    pub named: Vec<(Name, Text)>,
}

/// A plain string and its place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    /// The string.
    pub text: String,
    /// Where.
    pub span: Span,
}

impl Text {
    /// The place of some of its bytes: that of the whole where the file writes it with escapes or over several lines.
    pub fn part(&self, place: Option<(usize, usize)>) -> Span {
        let Span { file, start, end } = self.span;
        // Every escape is longer than its letter. So there is no escape, and one quote at each end.
        let plain = (end.saturating_sub(start)) as usize == self.text.len() + 2;
        match place.filter(|_| plain) {
            Some((from, to)) if from < to && to <= self.text.len() => {
                Span { file, start: start + 1 + from as u32, end: start + 1 + to as u32 }
            }
            _ => self.span,
        }
    }
}

/// A text with `{names}` in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Template {
    /// Its pieces in order.
    pub parts: Vec<TemplatePart>,
    /// Where.
    pub span: Span,
}

/// A piece of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplatePart {
    /// Letters that stand for themselves.
    Literal(String),
    /// `{name}`, `{name:02}`.
    Field {
        /// The name.
        name: Name,
        /// The least number of digits, filled up by zeros.
        width: usize,
    },
}

/// How positions are written.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionDef {
    /// `text`: the fields.
    pub text: Template,
    /// `turn = { white = "w" }`: the text of each player, in the players' order.
    pub turn: Vec<String>,
    /// How sets of sites are spelled: the variable, then site and letter, in order.
    pub spellings: Vec<(Name, Vec<(Name, String)>)>,
    /// `empty`: how an empty value is written.
    pub empty: Text,
    /// `start`: the position at the start.
    pub start: Option<Text>,
    /// `tidy`: effects after reading.
    pub tidy: Option<Rule<ast::Effects>>,
}

/// A decision.
#[derive(Clone, PartialEq, Debug)]
pub struct DecisionDef {
    /// Its name.
    pub name: Name,
    /// `when`: whether it is due.
    pub when: Option<Rule<ast::Expr>>,
    /// `choose`.
    pub choose: Option<Rule<ast::Choose>>,
    /// `let`.
    pub lets: Vec<(Name, Rule<ast::Expr>)>,
    /// `where`: which choices are legal, seen before.
    pub where_: Option<Rule<ast::Expr>>,
    /// `do`.
    pub effects: Option<Rule<ast::Effects>>,
    /// `keeps`: which choices are legal, seen after.
    pub keeps: Option<Rule<ast::Expr>>,
    /// `repeats = false` makes this false: no choice may bring back a position in which a turn began.
    pub repeats: bool,
    /// `text`.
    pub text: Option<Template>,
    /// `joined`: how it is written right behind the ply before it in the turn.
    pub joined: Option<Template>,
    /// `by = "chance"`.
    pub chance: bool,
    /// `weight` of a chance decision.
    pub weight: Option<Rule<ast::Expr>>,
}

/// The turn.
#[derive(Clone, PartialEq, Debug)]
pub struct TurnDef {
    /// Where `[turn]` stands.
    pub span: Span,
    /// `opening`: the first turns.
    pub opening: Vec<Rule<ast::Flow>>,
    /// `main`.
    pub main: Option<Rule<ast::Flow>>,
    /// `finish`: effects at a turn's end.
    pub finish: Option<Rule<ast::Effects>>,
    /// `skip`: whether a player (as mover) is passed over.
    pub skip: Option<Rule<ast::Expr>>,
    /// `stuck`: the outcome for a mover without a legal decision.
    pub stuck: Option<Rule<ast::Outcome>>,
}

/// An end.
#[derive(Clone, PartialEq, Debug)]
pub struct EndDef {
    /// Its name.
    pub name: Name,
    /// `when`.
    pub when: Rule<ast::Expr>,
    /// `result`.
    pub result: Rule<ast::Outcome>,
    /// `at = "turn"`: evaluated when a turn starts, not after each ply.
    pub at_turn: bool,
    /// `perft = false`: not evaluated by perft.
    pub perft: bool,
}

/// Several games in a row.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchDef {
    /// `target`: the score that wins the match.
    pub target: i32,
    /// `points`: the points that a player gets for a game; `won` and `score` are bound.
    pub points: Rule<ast::Expr>,
    /// `alternate`: the option whose values the games run through.
    pub alternate: Option<Name>,
}

/// An option and its state.
#[derive(Clone, PartialEq, Debug)]
pub struct OptionDef {
    /// Its name.
    pub name: Name,
    /// `summary`.
    pub summary: String,
    /// Its possible values.
    pub kind: OptionKind,
    /// Its value without being set.
    pub default: OptionValue,
    /// Its value.
    pub value: OptionValue,
    /// `requires`: options that must be on.
    pub requires: Vec<Name>,
    /// `conflicts`: options that must be off.
    pub conflicts: Vec<Name>,
    /// The extension file it comes from, if it is one.
    pub extension: Option<String>,
}

/// The most values of a range that are tried.
const MAX_TRIED_VALUES: i64 = 5;

impl OptionDef {
    /// The values that it does not have now, of a range some, each as it is written behind a variant and by itself.
    pub fn others(&self) -> Vec<(String, String)> {
        let name = &self.name.text;
        let values: Vec<String> = match &self.kind {
            OptionKind::Flag if self.value == OptionValue::Flag(true) => {
                return vec![(format!("~{name}"), "off".to_owned())];
            }
            OptionKind::Flag => return vec![(format!("+{name}"), "on".to_owned())],
            OptionKind::Words(words) => words.clone(),
            OptionKind::Numbers(numbers) => numbers.iter().map(i32::to_string).collect(),
            OptionKind::Range(low, high) => {
                let wide = i64::from(*high) - i64::from(*low);
                let tried = MAX_TRIED_VALUES.min(wide + 1);
                (0..tried).map(|i| (i64::from(*low) + wide * i / (tried - 1).max(1)).to_string()).collect()
            }
        };
        let now = self.value.to_string();
        let other = values.into_iter().filter(|value| *value != now);
        other.map(|value| (format!(":{name}={value}"), value)).collect()
    }
}

/// The possible values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// On or off.
    Flag,
    /// One of some words.
    Words(Vec<String>),
    /// One of some numbers.
    Numbers(Vec<i32>),
    /// A number of a range, ends included.
    Range(i32, i32),
}

/// For people: `on, off`, `fast, slow`, `3 to 26`.
impl Display for OptionKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            OptionKind::Flag => f.write_str("on, off"),
            OptionKind::Words(words) => f.write_str(&words.join(", ")),
            OptionKind::Numbers(numbers) => {
                f.write_str(&numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(", "))
            }
            OptionKind::Range(low, high) => write!(f, "{low} to {high}"),
        }
    }
}

/// The value of an option.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OptionValue {
    /// Of a flag.
    Flag(bool),
    /// Of a list of words.
    Word(String),
    /// Of numbers.
    Number(i32),
}

/// For people: `on`, `fast`, `7`.
impl Display for OptionValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            OptionValue::Flag(on) => f.write_str(if *on { "on" } else { "off" }),
            OptionValue::Word(word) => f.write_str(word),
            OptionValue::Number(number) => number.fmt(f),
        }
    }
}

/// A test that a definition carries.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TestDef {
    /// `name`.
    pub name: String,
    /// Where.
    pub span: Span,
    /// `options`.
    pub options: Vec<(Name, OptionValue)>,
    /// `setup`: the text of a set-up or a position.
    pub setup: Option<Text>,
    /// `seed`.
    pub seed: u64,
    /// `after`: moves played first, separated by blanks.
    pub after: Option<Text>,
    /// `legal`: exactly these moves, in any order.
    pub legal: Option<Vec<Text>>,
    /// `includes`: these among others.
    pub includes: Vec<Text>,
    /// `excludes`: none of these.
    pub excludes: Vec<Text>,
    /// `count`: how many legal moves, and where that is said.
    pub count: Option<(u64, Span)>,
    /// `perft`: counts for depth 1, 2, ..., and where.
    pub perft: Option<(Vec<u64>, Span)>,
    /// `result`: `white`, `draw`, `unfinished`.
    pub result: Option<Text>,
    /// `score`: of each player, in the players' order, and where.
    pub score: Option<(Vec<i32>, Span)>,
    /// `position`: its text.
    pub position: Option<Text>,
    /// `mover`: who is to decide.
    pub mover: Option<Text>,
}

/// The overlays that the keys of a definition come from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Said {
    /// By path, such as `decisions.move.where`: the value that sets the key, then its joins. For
    /// a table: its key, with the overlay of its first entry.
    pub keys: BTreeMap<String, Vec<Part>>,
    /// Paths that were taken out, with the place of the `drop`.
    pub drops: Vec<(String, Part)>,
    /// Rules that were replaced although a join could have added to them.
    pub replaced: Vec<Replaced>,
}

/// A rule that an overlay replaced, although a joining word could have added to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Replaced {
    /// Its path.
    pub path: String,
    /// The type of its value.
    pub holds: Holds,
    /// The rule that is gone; `new` is the rule in its place.
    pub old: Part,
    /// See `old`.
    pub new: Part,
    /// Those parts of the old rule that the new one does not have.
    pub lost: Vec<String>,
}
