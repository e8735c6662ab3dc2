//! The typed tree.

use std::sync::Arc;

use serde::Serialize;

pub use super::code::*;
use super::types::Type;
use crate::board::{Board, DirGroup};
use crate::ids::{Dir, Kind, Player, Site};
use crate::source::Span;
use crate::wording::words;

/// A checked definition: every name resolved, every expression typed.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The game's name.
    pub title: String,
    /// The players, in order of play.
    pub players: Vec<String>,
    /// The team of each player; empty where each plays alone.
    pub teams: Vec<usize>,
    /// The board.
    pub board: Arc<Board>,
    /// The kinds of pieces.
    pub kinds: Vec<KindInfo>,
    /// How many pieces of any kinds and owners may stand on a site, one on another, if the board has such stacks; and
    /// where that is said.
    pub mixed: Option<(u32, Span)>,
    /// Whose pieces effects make, wherever they are run: `after` asks of pieces that never stand on the board.
    pub owners: Owners,
    /// The traits.
    pub traits: Vec<Trait>,
    /// The relations.
    pub relations: Vec<NamedPattern>,
    /// The definitions and regions.
    pub defines: Vec<Function>,
    /// The named effects.
    pub effects: Vec<EffectFunction>,
    /// The state variables.
    pub state: Vec<StateVar>,
    /// Every local of every rule; a [`LocalId`] is unique in the whole game.
    pub locals: Vec<LocalInfo>,
    /// Where each player's pieces stand in the picture of the start.
    pub start_sites: Vec<Vec<Site>>,
    /// How a game starts.
    pub setup: Setup,
    /// How positions are written, if the definition says so.
    pub position: Option<PositionText>,
    /// The decisions.
    pub decisions: Vec<Decision>,
    /// The turn.
    pub turn: Turn,
    /// The ends, in the order of evaluation.
    pub ends: Vec<End>,
    /// The score of a player (as me): an int.
    pub score: Option<Expr>,
    /// Several games in a row.
    pub match_: Option<Match>,
}

impl Rules {
    /// Whether two players play together. Each does with itself.
    pub fn together(&self, a: usize, b: usize) -> bool {
        a == b || self.teams.get(a).is_some_and(|team| self.teams.get(b) == Some(team))
    }

    /// How many pieces of any kinds and owners may stand on a site; none where no two may.
    pub fn stack(&self) -> Option<u32> {
        self.mixed.map(|(stack, _)| stack)
    }

    /// How many indices there are of a sort, those of holes included.
    pub fn indices(&self, per: Per) -> usize {
        match per {
            Per::Player => self.players.len(),
            Per::Site => self.board.len(),
            Per::Kind => self.kinds.len(),
            Per::Direction => self.board.named_labels().count(),
        }
    }

    /// The name of an index.
    pub fn index_name(&self, per: Per, i: usize) -> &str {
        match per {
            Per::Player => self.players.get(i).map_or("", String::as_str),
            Per::Site => self.board.name(Site(i as u16)),
            Per::Kind => self.kinds.get(i).map_or("", |k| k.name.as_str()),
            Per::Direction => self.board.label(Dir(i as u16)),
        }
    }

    /// The name of an entry of a state variable: `taken[white]`. `per` are the indices that are told, all of them or
    /// the first, and `entry` counts the values that these have.
    pub fn entry_name(&self, var: &StateVar, per: &[Per], entry: usize, comma: &str) -> String {
        let mut parts = Vec::new();
        let mut rest = entry;
        for per in per.iter().rev() {
            let n = self.indices(*per).max(1);
            parts.push(self.index_name(*per, rest % n));
            rest /= n;
        }
        parts.reverse();
        if parts.is_empty() { var.name.clone() } else { format!("{}[{}]", var.name, parts.join(comma)) }
    }
}

/// Who may own pieces.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Owners {
    /// Players.
    pub owned: bool,
    /// Nobody.
    pub neutral: bool,
}

impl Owners {
    /// Notes an owner of pieces.
    pub fn note(&mut self, owner: &Owner) {
        match owner {
            Owner::Player(_) => self.owned = true,
            Owner::Neutral => self.neutral = true,
        }
    }
}

/// A kind of piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KindInfo {
    /// Its name.
    pub name: String,
    /// How texts print it.
    pub letter: String,
    /// How many of one player may share a site.
    pub stack: u32,
    /// Where it is defined.
    pub span: Span,
}

/// A trait: its values for the kinds, in the kinds' order.
#[derive(Clone, Debug)]
pub struct Trait {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: TraitValues,
}

impl Trait {
    /// Its patterns, if it has some.
    pub fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        let patterns = match &self.values {
            TraitValues::Patterns(patterns) => &patterns[..],
            _ => &[],
        };
        patterns.iter().flatten()
    }
}

/// The values of a trait.
#[derive(Clone, Debug)]
pub enum TraitValues {
    /// How pieces go: `goes(S)`; each pattern is seen by the piece's owner. None: nowhere.
    Patterns(Vec<Option<Pattern>>),
    /// A group of kinds.
    Group(Vec<bool>),
    /// A number, 0 without.
    Ints(Vec<i32>),
    /// A kind, none without.
    Kinds(Vec<Option<Kind>>),
}

/// A relation of `[relations]`.
#[derive(Clone, Debug)]
pub struct NamedPattern {
    /// Its name.
    pub name: String,
    /// Where it leads; seen by me.
    pub pattern: Pattern,
    /// Where it is defined.
    pub span: Span,
}

/// A movement pattern: the sites that any of its walks reaches.
#[derive(Clone, Debug, Default)]
pub struct Pattern {
    /// The walks.
    pub walks: Vec<Walk>,
}

/// One way to go. `f` reaches `t` if `f` is in `leaving`, `t` in `onto`, and the walk leads from `f` to `t`.
#[derive(Clone, Debug)]
pub struct Walk {
    /// How.
    pub kind: WalkKind,
    /// Of a slide: all sites strictly between must be in it (vacant ones by default, filled in).
    /// With `over`: all but one of them.
    pub through: Option<Expr>,
    /// Of a slide: exactly one site strictly between is in it, the others in `through`. Of a step: two
    /// steps in one direction, the site between in it.
    pub over: Option<Expr>,
    /// The end is in it.
    pub onto: Option<Expr>,
    /// The origin is in it.
    pub leaving: Option<Expr>,
    /// Of a slide: at most so many steps.
    pub upto: Option<u32>,
    /// Where.
    pub span: Span,
}

/// The forms of walks.
#[derive(Clone, Debug)]
pub enum WalkKind {
    /// Every image of the leap under the grid's symmetry.
    Leap(i32, i32),
    /// One step in one of the directions.
    Step(DirGroup),
    /// Any number of steps, at least one, in one of the directions.
    Slide(DirGroup),
    /// The end of a walk of one step in a direction of each group in turn.
    Walk(Vec<DirGroup>),
    /// From the first to the second.
    Pairs(Vec<(Site, Site)>),
}

/// A relation from site to site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// One step on the board (`near`).
    Near,
    /// One of [`Rules::relations`].
    Named(usize),
    /// A pattern trait, one of [`Rules::traits`]: each piece by its own kind's pattern, seen by its owner.
    Trait(usize),
}

/// A relation as an argument, forwards or backwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    /// The relation.
    pub relation: Relation,
    /// From where it leads to where it leads from.
    pub converse: bool,
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<LocalId>,
    /// The type of its value.
    pub ty: Type,
    /// One body for all players, or one for each (me selects).
    pub bodies: Vec<Expr>,
    /// Whether it is static: the same in every position (regions, geometry).
    pub fixed: bool,
    /// Where it is defined.
    pub span: Span,
}

impl Function {
    /// The body that a player's view selects.
    pub fn body(&self, me: usize) -> Option<&Expr> {
        if self.bodies.len() == 1 { self.bodies.first() } else { self.bodies.get(me) }
    }
}

/// Named effects.
#[derive(Clone, Debug)]
pub struct EffectFunction {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<LocalId>,
    /// Its effects.
    pub body: Vec<Effect>,
    /// Where it is defined.
    pub span: Span,
}

/// A state variable.
#[derive(Clone, Debug)]
pub struct StateVar {
    /// Its name.
    pub name: String,
    /// The type of an entry: never `Nothing`, `Error` or `Word`.
    pub ty: Type,
    /// The indices of its entries.
    pub per: Vec<Per>,
    /// The start value of an entry: an expression that is the same in every position; one for all or one
    /// for each player (only where `per` begins with the player).
    pub start: Vec<Expr>,
    /// `low..high`, dealt to the sites by the seed.
    pub shuffle: Option<(i32, i32)>,
    /// Turns after which an entry is reset; none for ever.
    pub lasts: Option<u32>,
    /// Whether it tells positions apart.
    pub identity: bool,
    /// Whether anything after the set-up assigns it.
    pub assigned: bool,
    /// Whether it is the lot of a `drawn`, for which only the set-up asks: no text tells it.
    pub drawn: bool,
    /// Where it is defined.
    pub span: Span,
}

impl StateVar {
    /// The indices before the last one where it is a bit for each site: those that agree in them are a set of sites.
    pub fn sets_per(&self) -> Option<&[Per]> {
        match self.per.split_last() {
            Some((Per::Site, first)) if self.ty == Type::Bool => Some(first),
            _ => None,
        }
    }
}

words! {
    /// An index of a state variable.
    #[derive(Serialize)]
    pub enum Per {
        Player = "player",
        Site = "site",
        Kind = "kind",
        Direction = "direction",
    }
}

/// How a game starts.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The picture.
    pub pieces: Vec<PieceOn>,
    /// Effects after the picture; me is the first player.
    pub effects: Vec<Effect>,
    /// The fields of the set-up's text, if it has one.
    pub text: Option<Vec<TextField>>,
    /// Texts that names stand for.
    pub named: Vec<(String, String)>,
}

/// Pieces on a site. In a stack of several sorts each has one of these, from the lowest to the top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceOn {
    /// Where.
    pub site: Site,
    /// Whose; nobody's for none.
    pub owner: Option<Player>,
    /// Their kind.
    pub kind: Kind,
    /// How many.
    pub height: u32,
}

/// How positions are written.
#[derive(Clone, Debug)]
pub struct PositionText {
    /// The fields and the text between them.
    pub text: Vec<TextField>,
    /// The text of each player.
    pub turn: Vec<String>,
    /// For a set of sites: site and letter, in order.
    pub spellings: Vec<(usize, Vec<(Site, String)>)>,
    /// How an empty value is written.
    pub empty: String,
    /// The position at the start.
    pub start: Option<String>,
    /// Effects after reading; me is the player to move.
    pub tidy: Vec<Effect>,
}

/// A piece of a position's or set-up's text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub enum TextField {
    /// Letters that stand for themselves.
    Literal(String),
    /// `{board}`: the pieces as a picture.
    Board,
    /// `{turn}`: the player to move.
    Turn,
    /// `{round}`.
    Round,
    /// A state variable, at least so many digits.
    State(usize, usize),
}

/// A decision.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Its name.
    pub name: String,
    /// Whether it is due: a bool.
    pub when: Option<Expr>,
    /// The choices, outermost first.
    pub vars: Vec<ChosenVar>,
    /// Evaluated after choosing and before any effect, each seeing the former.
    pub lets: Vec<(LocalId, Expr)>,
    /// Whether a choice is legal, seen before: a bool.
    pub where_: Option<Expr>,
    /// Its effects.
    pub effects: Vec<Effect>,
    /// Whether a choice is legal, seen after: a bool.
    pub keeps: Option<Expr>,
    /// Whether a choice may bring back a position in which a turn began.
    pub repeats: bool,
    /// Its text.
    pub text: Vec<MovePart>,
    /// Its text right behind the ply before it in the turn; none where a blank and its own text stand there.
    pub joined: Option<Vec<MovePart>>,
    /// Drawn by the seed.
    pub chance: bool,
    /// The weight of a chance: an int.
    pub weight: Option<Expr>,
    /// Where it is defined.
    pub span: Span,
}

/// Something that is chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct ChosenVar {
    /// The local: a site, kind, `kind?`, `site?`, int or player.
    pub local: LocalId,
    /// Where the domain is empty, one choice with none.
    pub optional: bool,
    /// The values to choose from; sees the vars before it.
    pub domain: Domain,
}

/// A piece of a move's text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub enum MovePart {
    /// Letters that stand for themselves.
    Literal(String),
    /// The var of that place: a site or number by name, a kind by letter, none as nothing; at least so
    /// many digits.
    Var(usize, usize),
}

/// The turn.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The first turns, each with its player (none: the next in order).
    pub opening: Vec<(Flow, Option<Player>)>,
    /// Every later turn.
    pub main: Flow,
    /// Effects at a turn's end.
    pub finish: Vec<Effect>,
    /// Whether me is passed over: a bool.
    pub skip: Option<Expr>,
    /// The outcome for a mover without a legal decision.
    pub stuck: Outcome,
}

/// A flow, named flows inlined.
#[derive(Clone, PartialEq, Debug)]
pub enum Flow {
    /// A decision.
    Decision(usize),
    /// The offered pass.
    Pass,
    /// One after the other.
    Sequence(Vec<Flow>),
    /// One of them.
    Either(Vec<Flow>),
    /// If it has an offer.
    Try(Box<Flow>),
    /// Or `pass`.
    May(Box<Flow>),
    /// As often as it has an offer.
    Repeat(Box<Flow>),
    /// Its longest paths.
    Longest(Box<Flow>),
    /// Unless the condition is false when it is reached.
    If(Box<Flow>, Expr),
    /// With another mover (an expression of a player).
    By(Box<Flow>, Expr),
}

/// How a game or a turn without a move ends.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// One or the other.
    If(Expr, Box<Outcome>, Box<Outcome>),
    /// The one offer is a pass, which ends the turn.
    Pass,
    /// Nobody wins.
    Draw,
    /// The highest score wins; equal scores draw.
    Score,
    /// The player and who plays with them win.
    Wins(Expr),
    /// The player and who plays with them come last, all others first. Of more than two players.
    Loses(Expr),
    /// The places go by an int, seen by each player: the greatest comes first. A team has the sum of its players.
    Places(Expr),
}

/// An end.
#[derive(Clone, Debug)]
pub struct End {
    /// Its name.
    pub name: String,
    /// The condition; me is who made the ply.
    pub when: Expr,
    /// The outcome.
    pub result: Outcome,
    /// Evaluated when a turn has started, not after each ply.
    pub at_turn: bool,
    /// Whether perft evaluates it.
    pub perft: bool,
    /// Where it is defined.
    pub span: Span,
}

/// Several games in a row.
#[derive(Clone, Debug)]
pub struct Match {
    /// The score that wins the match.
    pub target: i32,
    /// The points that I get for a game: an int.
    pub points: Expr,
    /// The local `won`: a bool.
    pub won: LocalId,
    /// The local `score`: an int.
    pub score: LocalId,
    /// The option whose values the games run through.
    pub alternate: Option<String>,
}
