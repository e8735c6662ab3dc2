//! The table of metrics: how each is measured and how its changes are phrased.

use std::collections::BTreeMap;

use super::contestant::Contestant;
use super::lead;
use super::model::{Metric, MetricKind, STRENGTH};
use super::record::GameRecord;

/// A metric and how it is read from a game.
pub(super) struct Row {
    /// See [`Metric`].
    pub key: &'static str,
    name: &'static str,
    unit: &'static str,
    definition: &'static str,
    /// How a change by `{}` is told. Of the two words in brackets the first is for more, the second for less.
    says: &'static str,
    /// How it is measured.
    pub of: Measure,
}

/// How a metric is measured.
pub(super) struct Measure {
    /// See [`Metric`].
    pub kind: MetricKind,
    /// Of which games it is told.
    pub games: OfGames,
    /// None for a metric of all games together.
    pub value: Option<Value>,
}

/// The value of a metric in a game, 1 or 0 for a share; none where the game does not count.
type Value = fn(&GameRecord, &About) -> Option<f64>;

const fn mean(games: OfGames, value: Value) -> Measure {
    Measure { kind: MetricKind::Mean, games, value: Some(value) }
}

const fn share(games: OfGames, value: Value) -> Measure {
    Measure { kind: MetricKind::Share, games, value: Some(value) }
}

/// The games that a metric is told of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OfGames {
    /// Those that are watched move by move.
    Watched,
    /// The same, and those that are watched at the strongest level.
    WatchedLevels,
    /// All that are compared.
    All,
    /// All, and those at each level of thought.
    Levels,
}

use OfGames::{All, Levels, Watched, WatchedLevels};

impl OfGames {
    /// Whether games at levels of thought are among them.
    pub fn has_levels(self) -> bool {
        matches!(self, OfGames::Levels | OfGames::WatchedLevels)
    }
}

/// The facts about a variant that metrics need.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    /// The players' names.
    pub players: Vec<String>,
    /// How many sides play against each other: teams, or players.
    pub sides: usize,
    /// How many sites the board has.
    pub sites: usize,
    /// The binary logarithm of a number of openings that there are at most.
    pub openings: f64,
    /// The decisions that an option adds, for each that is not at its default and adds any.
    pub adds: BTreeMap<String, Vec<String>>,
}

impl About {
    /// The facts about a contestant.
    pub fn of(contestant: &Contestant, opening: u32) -> About {
        let game = &contestant.game;
        let decisions = || game.definition.decisions.iter().map(|d| &d.name.text);
        let adds = game.changed_options().into_iter().map(|(option, _)| {
            let own = decisions().filter(|d| contestant.added_by(d) == Some(option));
            (option.to_owned(), own.cloned().collect::<Vec<_>>())
        });
        About {
            players: game.rules.players.clone(),
            sides: game.program.sides(),
            sites: game.rules.board.sites().count(),
            openings: f64::from(opening) * game.program.moves().max(1.0).log2(),
            adds: adds.filter(|(_, own)| !own.is_empty()).collect(),
        }
    }
}

/// The key of the first player's points.
pub(super) const FIRST_POINTS: &str = "first-points";
/// The key of the time that people take.
pub(super) const TIME: &str = "time";
/// The key of the first player's wins.
pub(super) const FIRST_WINS: &str = "first-wins";
/// The key of the diversity of openings.
pub(super) const OPENING: &str = "opening";
/// The keys of metrics that ask who is ahead.
pub const LEADS: [&str; 3] = ["lead-changes", "drama", "settled"];
/// The keys of metrics that cost looks ahead.
pub const LOOKS: [&str; 2] = ["only-wins", "last-defence"];

fn yes(yes: bool) -> Option<f64> {
    Some(f64::from(u8::from(yes)))
}

fn mean_of(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0u32);
    for value in values {
        sum += value;
        n += 1;
    }
    (n > 0).then(|| sum / f64::from(n))
}

/// How many legal moves there were where a player decided.
fn choices(g: &GameRecord) -> impl Iterator<Item = f64> + '_ {
    g.legal.iter().filter(|n| **n > 0).map(|n| f64::from(*n))
}

fn settled(g: &GameRecord, about: &About) -> Option<f64> {
    let winner = about.players.iter().position(|p| *p == g.result)?;
    (!g.ahead.is_empty()).then(|| lead::settled(&g.ahead, i8::try_from(winner).unwrap_or(-1)))
}

fn first_wins(g: &GameRecord, _: &About) -> Option<f64> {
    yes(g.has_won(g.first?)?)
}

fn first_points(g: &GameRecord, about: &About) -> Option<f64> {
    let first = g.first.filter(|_| g.is_finished())?;
    Some(g.has_won(first).map_or(1.0 / about.sides as f64, |won| f64::from(u8::from(won))))
}

/// All metrics, in the order in which they are shown.
pub(super) static METRICS: [Row; 19] = [
    Row {
        key: "length",
        name: "length",
        unit: "plies",
        definition: "Plies of a game; a cut game counts with the plies that were played.",
        says: "games are {} plies [longer|shorter]",
        of: mean(Levels, |g, _| Some(f64::from(g.plies))),
    },
    Row {
        key: "turns",
        name: "turns",
        unit: "turns",
        definition: "Turns begun in a game, of all players together.",
        says: "games have {} [more|fewer] turns",
        of: mean(Watched, |g, _| g.is_watched().then(|| f64::from(g.turns))),
    },
    Row {
        key: "branching",
        name: "branching factor",
        unit: "moves",
        definition: "Legal moves at a ply that a player decides: the mean of each game, averaged over games.",
        says: "there are {} [more|fewer] moves to choose from",
        of: mean(Watched, |g, _| mean_of(choices(g))),
    },
    Row {
        key: "forced",
        name: "forced plies",
        unit: "share",
        definition: "Of the plies that a player decides, the share with exactly one legal move, by game.",
        says: "the share of forced plies is {} [greater|smaller]",
        of: mean(Watched, |g, _| mean_of(choices(g).map(|n| f64::from(u8::from(n == 1.0))))),
    },
    Row {
        key: "tree",
        name: "size of the game tree",
        unit: "digits",
        definition: "The decimal logarithm of how many games there would be if each ply had as many moves as those of \
                     the game: their product. The mean over games (after Allis 1994).",
        says: "the game tree has {} digits [more|fewer]",
        of: mean(Watched, |g, _| g.is_watched().then(|| choices(g).map(f64::log10).sum())),
    },
    Row {
        key: TIME,
        name: "time that people take",
        unit: "minutes",
        definition: "A guess, good for comparing: five seconds for each bit of choice, the binary logarithm of the legal \
                     moves and one more at each ply that a player decides (Hick 1952). A game of 80 plies with 35 moves \
                     each would take 34 minutes. Not tested for differences: it says what plies and \
                     moves say.",
        says: "people take {} minutes [more|less] for a game",
        of: mean(WatchedLevels, |g, _| {
            g.is_watched().then(|| choices(g).map(|n| (n + 1.0).log2() * 5.0 / 60.0).sum())
        }),
    },
    Row {
        key: FIRST_POINTS,
        name: "first player's points",
        unit: "share",
        definition: "What who made the first ply, plies of chance left out, gets of a game that was not cut: 1 for a \
                     win, an equal share for a draw. With two players 0.5 is even.",
        says: "the first player's share of points is {} [greater|smaller]",
        of: mean(Levels, first_points),
    },
    Row {
        key: FIRST_WINS,
        name: "first player's wins",
        unit: "share",
        definition: "Of the games that somebody won, the share that the player won who made the first ply, plies \
                     of chance left out. With two players 0.5 is even.",
        says: "the first player's share of wins is {} [greater|smaller]",
        of: share(All, first_wins),
    },
    Row {
        key: "draws",
        name: "draws",
        unit: "share",
        definition: "Of the games that were not cut, the share that nobody won.",
        says: "the share of draws is {} [greater|smaller]",
        of: share(Levels, |g, _| yes(g.result == "draw").filter(|_| g.is_finished())),
    },
    Row {
        key: "decisive",
        name: "decisive games",
        unit: "share",
        definition: "Of all games, cut ones too, the share that somebody won. Not tested for differences \
                     where no game was cut: then it says what the draws say.",
        says: "the share of games with a winner is {} [greater|smaller]",
        of: share(All, |g, _| yes(g.is_decided())),
    },
    Row {
        key: "cut",
        name: "cut games",
        unit: "share",
        definition: "Of all games, the share that was cut at the most plies allowed.",
        says: "the share of games that do not end in time is {} [greater|smaller]",
        of: share(All, |g, _| yes(!g.is_finished())),
    },
    Row {
        key: "margin",
        name: "score margin",
        unit: "points",
        definition: "The best score less the second best at the end of a game that was not cut.",
        says: "scores are {} points [further apart|closer]",
        of: mean(All, |g, _| g.margin().map(|margin| margin as f64)),
    },
    Row {
        key: LEADS[0],
        name: "lead changes",
        unit: "times",
        definition: "How often in a game another player is ahead than the one who was last ahead: by score, or by \
                     random games from each position, of which a player must be expected to win at least 0.3 \
                     points more than any other (after Browne 2008, who divides by the number of moves).",
        says: "the lead changes {} times [more|less] in a game",
        of: mean(WatchedLevels, |g, _| (!g.ahead.is_empty()).then(|| f64::from(lead::changes(&g.ahead)))),
    },
    Row {
        key: LEADS[1],
        name: "drama",
        unit: "ratio",
        definition: "In games that somebody won: how far the winner was behind (in shares of all points, or in \
                     points of 1 expected from random games), the mean over all plies, 0 where the winner was not \
                     behind (after Browne 2008, without his square root, which would count noise as drama).",
        says: "drama is {} [greater|smaller]",
        of: mean(WatchedLevels, |g, _| g.drama),
    },
    Row {
        key: LEADS[2],
        name: "settled part",
        unit: "share",
        definition: "In games that somebody won: the part of the game from where the winner was ahead, and no \
                     other player was after that.",
        says: "the part of a game after it is settled is {} [greater|smaller]",
        of: mean(WatchedLevels, settled),
    },
    Row {
        key: "coverage",
        name: "board used",
        unit: "share",
        definition: "The share of the sites on which a piece landed in a game.",
        says: "the part of the board that is used is {} [greater|smaller]",
        of: mean(Watched, |g, about| {
            let mut sites: Vec<u16> = g.landed.iter().flatten().map(|(site, _)| *site).collect();
            sites.sort_unstable();
            sites.dedup();
            (about.sites > 0 && !g.landed.is_empty()).then(|| sites.len() as f64 / about.sites as f64)
        }),
    },
    Row {
        key: LOOKS[0],
        name: "only wins",
        unit: "times",
        definition: "How often in a game a player decides among several moves of which exactly one ends the \
                     game at once with a win for that player.",
        says: "there are {} [more|fewer] only wins in a game",
        of: mean(WatchedLevels, |g, _| g.only_wins.map(f64::from)),
    },
    Row {
        key: LOOKS[1],
        name: "only defences",
        unit: "share",
        definition: "Of the won games in which the last ply of a player who did not win was a choice, the \
                     share in which exactly one move there would have left no next player a win at once.",
        says: "the share of losses with one last defence is {} [greater|smaller]",
        of: share(WatchedLevels, |g, _| g.defences.filter(|d| d[1] > 1).and_then(|d| yes(d[0] == 1))),
    },
    Row {
        key: OPENING,
        name: "opening diversity",
        unit: "bits",
        definition: "Shannon's entropy of the first plies, with what was not seen estimated after Chao, Wang and \
                     Jost (2013); games that end sooner do not count. `At least` where too many openings are \
                     unseen to tell.",
        says: "openings are {} bits [more|less] diverse",
        of: Measure { kind: MetricKind::Whole, games: Watched, value: None },
    },
];

/// Points of the stronger agent in the strength games.
pub(super) static STRENGTH_ROW: Row = Row {
    key: STRENGTH,
    name: "strength",
    unit: "share",
    definition: "",
    says: "the stronger player's share of points is {} [greater|smaller]",
    of: Measure { kind: MetricKind::Mean, games: All, value: None },
};

/// The key of a metric of the games of an agent.
pub(super) fn at_level(key: &str, agent: &str) -> String {
    format!("{key}@{agent}")
}

/// The row of a key.
pub(super) fn row(key: &str) -> Option<&'static Row> {
    let key = key.split_once('@').map_or(key, |(key, _)| key);
    METRICS.iter().chain([&STRENGTH_ROW]).find(|row| row.key == key)
}

/// The metric of the strength games of some agents, the strongest first.
pub(super) fn strength(agents: &[String]) -> Metric {
    let (name, whose) = match agents {
        [stronger, weaker] => {
            (format!("{stronger} against {weaker}"), format!("{stronger} against {weaker}"))
        }
        _ => (
            "more thought against less".to_owned(),
            format!("each of {} against the next", agents.join(", ")),
        ),
    };
    Metric {
        key: STRENGTH.to_owned(),
        name,
        unit: "share".to_owned(),
        definition: format!(
            "Points a game of {whose}, each in every seat as often: 1 for a win, one half for a draw or a cut \
             game. 0.5: more thought does not help."
        ),
        kind: MetricKind::Mean,
        interval: "Student t".to_owned(),
        test: "Welch t".to_owned(),
    }
}

impl Row {
    /// Whether its values lie between 0 and 1.
    pub fn is_share(&self) -> bool {
        self.unit == "share"
    }

    /// As data, for the games of an agent.
    pub fn at(&self, agent: &str) -> Metric {
        let Metric { key, name, definition, .. } = self.metric();
        Metric {
            key: at_level(&key, agent),
            name: format!("{name}, {agent}"),
            definition: format!("{definition} In games of {agent} against itself."),
            ..self.metric()
        }
    }

    /// As data.
    pub fn metric(&self) -> Metric {
        let (interval, test) = match self.of.kind {
            MetricKind::Mean => ("Student t", "Welch t"),
            MetricKind::Share => ("Wilson", "two proportions"),
            MetricKind::Whole => ("bootstrap, widened for the unseen", "Hutcheson t and permutation"),
        };
        Metric {
            key: self.key.to_owned(),
            name: self.name.to_owned(),
            unit: self.unit.to_owned(),
            definition: self.definition.to_owned(),
            kind: self.of.kind,
            interval: interval.to_owned(),
            test: test.to_owned(),
        }
    }
}

/// The phrase for a metric that grew, or shrank, by an amount. The amount of a share has its unit.
pub(super) fn phrase(m: &Metric, grows: bool, amount: &str) -> String {
    let unknown = || format!("{} is {{}} [greater|smaller]", m.name);
    let at = m.key.split_once('@').map_or(String::new(), |(_, agent)| format!(" in play by {agent}"));
    let says = row(&m.key).map_or_else(unknown, |row| row.says.to_owned()) + &at;
    let (before, rest) = says.split_once('[').unwrap_or((&says, ""));
    let (words, after) = rest.split_once(']').unwrap_or_default();
    let (more, less) = words.split_once('|').unwrap_or_default();
    format!("{before}{}{after}", if grows { more } else { less }).replace("{}", amount)
}

/// The metric of a key; none where there is no such metric.
pub fn metric_of(key: &str) -> Option<Metric> {
    match key.split_once('@') {
        Some((key, agent)) => Some(row(key)?.at(agent)),
        None => Some(row(key)?.metric()),
    }
}

/// Whether a metric is told of the games at each level of thought.
pub fn is_levelled(key: &str) -> bool {
    row(key).is_some_and(|row| row.of.games.has_levels())
}

/// Whether a metric is found only in games that are watched move by move.
pub fn is_watched(key: &str) -> bool {
    row(key).is_some_and(|row| matches!(row.of.games, Watched | WatchedLevels))
}

/// The keys of all metrics.
pub fn keys() -> Vec<&'static str> {
    METRICS.iter().map(|row| row.key).chain([STRENGTH]).collect()
}
