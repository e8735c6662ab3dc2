//! Where two variants behave differently: a line of play, as short as can be found, after which one offers
//! other moves than the other, or somebody else decides, or one is over and the other is not, or they end
//! otherwise.
//!
//! ```text
//! two games -> lockstep (pair) -> breadth-first (breadth) -> line, or depth that is proved
//!                              -> random games (probe, habits, aims) -> lines, made short (shrink)
//! line -> mixtures of the two definitions (outline, keys, cause) -> the keys and options responsible
//! ```
//!
//! Both games are played in lockstep: the same moves, told by their texts, in both. Who decides, wins or
//! scores is told by the players' names, or by their order where the two name them otherwise. Breadth-first
//! compares all lines, the shortest first, so what it finds is shortest, and a depth that it finished is
//! proved. Past its budget random games look for rarer things; the line of one that differs is made short,
//! but a shorter one may exist: [`Difference::shortest`] says whether there is none. Nothing here depends on
//! the number of threads.

mod aims;
mod breadth;
mod cause;
mod habits;
mod keys;
mod pair;
mod probe;
mod shrink;

use std::collections::BTreeMap;

pub use crate::outline::FilePlace;
pub use cause::{Cause, OptionCause};
pub use keys::{KeyCause, Said};

use crate::diagnostic::nearest;
use crate::game::Game;
use crate::notation::position::TextError;
use crate::outline;
use crate::play::{Move, Position};
use crate::program::ProgramError;
use crate::source::{Files, Sources};
use crate::variant::Variant;
use aims::Reads;
use breadth::{Limits, Workers};
use cause::{Line, Shown};
use keys::{Change, Key};
use pair::{Both, Half, Lockstep, WordMap};

/// One of two variants.
pub struct Side<'a> {
    /// How it was asked for.
    pub variant: &'a Variant,
    /// The loaded game.
    pub game: &'a Game,
    /// Its files.
    pub sources: &'a Sources,
}

/// How far to search.
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    /// How many pairs of positions breadth-first compares; at most as many again to make a line short.
    pub positions: u64,
    /// How many random games are played.
    pub games: u64,
    /// The longest line, in plies.
    pub depth: u32,
    /// The seed of deals and draws.
    pub seed: u64,
    /// The name or text of a set-up, or a position's text, for both.
    pub setup: Option<String>,
    /// Words of the first's moves and its players, with the words of the second for them.
    pub map: Vec<(String, String)>,
}

/// The defaults of the command line.
impl Default for Search {
    fn default() -> Search {
        Search { positions: 150_000, games: 4_000, depth: 400, seed: 1, setup: None, map: Vec::new() }
    }
}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Breadth-first: at this depth, so many pairs of positions compared.
    Breadth {
        /// Plies.
        depth: u32,
        /// Pairs.
        positions: u64,
    },
    /// Random games: so many, of so many plies in all.
    Probe {
        /// Games.
        games: u64,
        /// Plies.
        plies: u64,
    },
    /// A difference was found; its cause is looked for.
    Cause,
}

/// The result of the search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Where they differ; none where no difference was found.
    pub difference: Option<Difference>,
    /// Every line of at most so many plies was compared and is the same in both, up to the difference;
    /// none where not even the starts are.
    pub depth: Option<u32>,
    /// Whether there are no longer lines: the two never differ (from this start).
    pub complete: bool,
    /// Whether both definitions mean the same program: the two never differ (from any start).
    pub same: bool,
    /// Pairs of positions compared.
    pub positions: u64,
    /// Random games played in lockstep.
    pub games: u64,
    /// Plies of these games.
    pub plies: u64,
    /// How many of these games came to their end.
    pub ended: u64,
}

/// The kind of difference after the line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The legal moves.
    Moves,
    /// Who decides.
    Mover,
    /// Whether the game is over.
    Over,
    /// Who won.
    Result,
    /// The scores of the finished game.
    Scores,
    /// The match points of the finished game.
    Points,
    /// How likely the moves of chance are.
    Odds,
}

/// A line after which two variants differ.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// What differs first, in the order of [`What`]: over, result, scores, points, mover, moves, odds.
    pub what: What,
    /// The moves of the line, as the first writes them.
    pub line: Vec<String>,
    /// As the second writes them.
    pub line_b: Vec<String>,
    /// Whether it is proved that no shorter line differs (from this start, and with the deal of its seed).
    pub shortest: bool,
    /// The seed of the deal.
    pub seed: u64,
    /// The first after the line.
    pub a: View,
    /// The second after the line.
    pub b: View,
    /// Which rule it comes from.
    pub cause: Cause,
}

/// A variant in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct View {
    /// The position.
    pub position: Position,
    /// Its text.
    pub text: String,
    /// Who decides, by name; `chance` where the seed does, none where the game is over.
    pub mover: Option<String>,
    /// Who won, by name, or `draw`; none where the game goes on.
    pub result: Option<String>,
    /// The score of each player, by name; empty unless a finished game has scores.
    pub scores: Vec<(String, i32)>,
    /// The match points of the finished game for each player, by name; empty where there is no match.
    pub points: Vec<(String, i32)>,
    /// How many moves are legal.
    pub legal: usize,
    /// The moves that only this one offers, by decision (`pass` for a pass), as it writes them.
    pub only: Vec<(String, Vec<String>)>,
}

/// Why two variants cannot be compared.
#[derive(Clone, PartialEq, Debug)]
pub enum Failure {
    /// A program is not sound: a mistake of Farrier itself.
    Program(ProgramError),
    /// The set-up cannot be read; the variant, as it was asked for, and why.
    Setup(String, TextError),
    /// A word is replaced twice.
    Map(String),
    /// A word to be replaced is in no move of the first variant; the nearest that is.
    NoWord(String, Option<String>),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Program(error) => write!(f, "{error}"),
            Failure::Setup(variant, error) => write!(f, "`{variant}` cannot be set up: {error}"),
            Failure::Map(word) => write!(f, "`{word}` is replaced twice"),
            Failure::NoWord(word, near) => {
                let help = near.as_ref().map(|near| format!("did you mean `{near}`?"));
                let message = format!("no move of the first variant has the word `{word}`");
                crate::diagnostic::with_help(f, &message, help.as_deref())
            }
        }
    }
}

impl std::error::Error for Failure {}

/// Looks for a shortest line of play after which two variants behave differently. `progress` says whether to go on:
/// once it does not, the report has what is known by then.
///
/// ```
/// use farrier::distinguish::{Search, Side, distinguish};
/// use farrier::shipped::Shipped;
/// use farrier::source::Sources;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let variants: [Variant; 2] = ["knights-and-pawns".parse()?, "knights-and-pawns+doubled-free-pawn".parse()?];
/// let mut sources = Sources::default();
/// let (a, found) = variants[0].load(&Shipped, &mut sources);
/// let a = a.ok_or(found)?;
/// let (b, found) = variants[1].load(&Shipped, &mut sources);
/// let b = b.ok_or(found)?;
/// let a = Side { variant: &variants[0], game: &a, sources: &sources };
/// let b = Side { variant: &variants[1], game: &b, sources: &sources };
/// let report = distinguish(&a, &b, &Shipped, &Search::default(), &|_| true)?;
/// assert_eq!(report.difference.map(|found| found.line.len()), Some(3));
/// # Ok(())
/// # }
/// ```
pub fn distinguish(
    a: &Side<'_>,
    b: &Side<'_>,
    files: &dyn Files,
    search: &Search,
    progress: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Report, Failure> {
    let mut map = WordMap::new();
    for (from, to) in &search.map {
        if map.insert(from.clone(), to.clone()).is_some() {
            return Err(Failure::Map(from.clone()));
        }
    }
    let words = pair::vocabulary(a.game);
    for (from, _) in &search.map {
        if !words.contains(from) {
            let near = nearest(from, words.iter().map(String::as_str)).map(str::to_owned);
            return Err(Failure::NoWord(from.clone(), near));
        }
    }
    let machines = (a.game.machine().map_err(Failure::Program)?, b.game.machine().map_err(Failure::Program)?);
    let mut pair = Lockstep::new((a.game, machines.0), (b.game, machines.1), map.clone());
    let setup = search.setup.as_deref();
    let first = start(&mut pair, a, b, setup, search.seed)?;
    let items = outline::both(a.game, b.game);
    let (of_a, of_b) = (keys::keys(a.game, &items.0), keys::keys(b.game, &items.1));
    let rules = Rules::new((a.game, &of_a), (b.game, &of_b));
    let one = pair.clone();
    let workers = Workers::new(|_| one.clone());
    let seen = rules.reads.iter().filter_map(Reads::seen).min();
    let limits = Limits { positions: search.positions, depth: search.depth, seen };
    let tell = |depth, positions| progress(Progress::Breadth { depth, positions });
    let breadth = breadth::search(&workers, &first, limits, &tell);
    let mut report = Report {
        depth: breadth.depth,
        complete: breadth.complete,
        same: map.is_empty() && a.game.is_same_as(b.game),
        positions: breadth.positions,
        ..Report::default()
    };
    let dealt = |game: &Game| game.program.layout.is_dealt();
    let mut found = breadth.line.map(|line| (line, search.seed, true));
    // Games that never differ from one start may differ from another that the seed deals.
    let more = !breadth.complete || dealt(a.game) || dealt(b.game);
    if found.is_none() && more {
        let begin = |pair: &mut Lockstep, seed: u64| start(pair, a, b, setup, seed).ok();
        let tell = |games, plies| progress(Progress::Probe { games, plies });
        let aims = rules.aims(a.game);
        let probe = probe::search(&workers, &begin, (search.games, search.depth), search.seed, &aims, &tell);
        (report.games, report.plies, report.ended) = (probe.games, probe.plies, probe.ended);
        let lines = probe.found.len().max(1) as u64;
        let short = probe.found.into_iter().map(|probe::Played { line, seed, .. }| {
            let positions = search.positions / lines;
            let at = begin(&mut pair, seed);
            let short = at.map(|at| shrink::shrink(&workers, &mut pair, &at, &line, positions));
            (short.unwrap_or(line), seed)
        });
        found = short.min_by_key(|(line, _)| line.len()).map(|(line, seed)| {
            let same_start = seed == search.seed || !dealt(a.game) && !dealt(b.game);
            let shortest = same_start && report.depth.is_some_and(|d| line.len() <= d as usize + 1);
            (line, seed, shortest)
        });
    }
    if let Some((line, seed, shortest)) = found
        && progress(Progress::Cause)
    {
        report.difference = difference((a, b), files, &map, setup, (line, seed, shortest), &rules);
    }
    Ok(report)
}

fn start(
    pair: &mut Lockstep,
    a: &Side<'_>,
    b: &Side<'_>,
    setup: Option<&str>,
    seed: u64,
) -> Result<Both, Failure> {
    let wrong = |side: &Side<'_>| {
        let name = side.variant.text.clone();
        move |error| Failure::Setup(name, error)
    };
    Ok(Both {
        a: a.game.start(&mut pair.a.machine, setup, seed).map_err(wrong(a))?,
        b: b.game.start(&mut pair.b.machine, setup, seed).map_err(wrong(b))?,
    })
}

/// The changes between two definitions, and which of their keys read which.
struct Rules<'o> {
    changes: Vec<Change<'o>>,
    reads: [Reads<'o>; 2],
}

impl<'o> Rules<'o> {
    fn new(a: (&Game, &'o [Key<'o>]), b: (&Game, &'o [Key<'o>])) -> Rules<'o> {
        let changes = keys::changes((&a.0.definition, a.1), (&b.0.definition, b.1));
        Rules { changes, reads: [Reads::new(a.1), Reads::new(b.1)] }
    }

    /// Whether each decision of the first game reads a changed key; empty where all do.
    fn aims(&self, game: &Game) -> Vec<bool> {
        let [reads, _] = &self.reads;
        let decisions: Vec<bool> = (game.rules.decisions.iter())
            .map(|d| {
                let root = ["decisions".to_owned(), d.name.clone()];
                self.changes.iter().any(|change| reads.distance(&root, change, false).is_some())
            })
            .collect();
        if decisions.iter().all(|d| *d) { Vec::new() } else { decisions }
    }
}

/// Looks at both ends of a line, and for the cause.
fn difference(
    (a, b): (&Side<'_>, &Side<'_>),
    files: &dyn Files,
    map: &WordMap,
    setup: Option<&str>,
    (moves, seed, shortest): (Vec<Move>, u64, bool),
    rules: &Rules<'_>,
) -> Option<Difference> {
    let texts: Vec<String> = moves.iter().map(|m| pair::text(a.game, map, *m)).collect();
    let line = Line { setup, seed, texts: &texts };
    let none = WordMap::new();
    let players = pair::players(a.game, b.game, map);
    let own: Vec<usize> = (0..a.game.rules.players.len()).collect();
    let (mut half_a, pos_a) = cause::play(a.game, map, own, &line)?;
    let (mut half_b, pos_b) = cause::play(b.game, &none, players, &line)?;
    let (shown_a, shown_b) = (half_a.shown(map, &pos_a), half_b.shown(&none, &pos_b));
    let what = what(&shown_a, &shown_b);
    let a_view = view(&mut half_a, pos_a, map, &shown_a, &shown_b);
    let b_view = view(&mut half_b, pos_b, &none, &shown_b, &shown_a);
    let roots: Vec<Vec<String>> = match what {
        What::Over | What::Result => {
            vec![vec!["end".to_owned()], vec!["turn".to_owned(), "stuck".to_owned()]]
        }
        What::Scores => vec![vec!["score".to_owned()]],
        What::Points => vec![vec!["match".to_owned()]],
        What::Moves | What::Mover | What::Odds => [&a_view, &b_view]
            .into_iter()
            .flat_map(|v| v.only.iter().map(|(d, _)| vec!["decisions".to_owned(), d.clone()]))
            .collect(),
    };
    Some(Difference {
        what,
        line: moves.iter().map(|m| a.game.move_text(*m)).collect(),
        cause: cause::find(a, b, files, map, &line, (&roots, rules)),
        line_b: texts,
        shortest,
        seed,
        a: a_view,
        b: b_view,
    })
}

fn what(a: &Shown, b: &Shown) -> What {
    match () {
        () if a.over.is_some() != b.over.is_some() => What::Over,
        () if a.over != b.over => What::Result,
        () if a.over.is_some() && a.scores != b.scores => What::Scores,
        () if a.over.is_some() && a.points != b.points => What::Points,
        () if a.mover != b.mover || a.chance != b.chance => What::Mover,
        () if a.texts != b.texts => What::Moves,
        () => What::Odds,
    }
}

/// The view of one game, in its own words.
fn view(half: &mut Half, position: Position, map: &WordMap, shown: &Shown, other: &Shown) -> View {
    let game = &half.game;
    let mut only: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut left = other.texts.clone();
    let mut moves: Vec<Move> = half.moves.iter().collect();
    moves.sort_unstable();
    for m in moves {
        let text = pair::text(game, map, m);
        match left.binary_search(&text) {
            // Each text of the other's stands for one move.
            Ok(at) => drop(left.remove(at)),
            Err(_) => {
                let decision = game.decision_of(m).unwrap_or(crate::notation::moves::PASS);
                only.entry(decision.to_owned()).or_default().push(game.move_text(m));
            }
        }
    }
    let named = |numbers: Vec<i32>| -> Vec<(String, i32)> {
        numbers.into_iter().enumerate().map(|(p, n)| (game.player(p).to_owned(), n)).collect()
    };
    let over = shown.over.is_some();
    let outcome = half.machine.outcome(&position);
    let mover =
        if shown.chance { "chance".to_owned() } else { game.player(half.moves.mover().index()).to_owned() };
    View {
        text: game.texts().write(&mut half.machine, &position),
        mover: (!over).then_some(mover),
        result: over.then(|| game.outcome_name(outcome)),
        scores: if over { named(half.machine.scores(&position)) } else { Vec::new() },
        points: named(half.machine.match_points(&position).unwrap_or_default()),
        legal: half.moves.len(),
        position,
        only: only.into_iter().collect(),
    }
}
