//! The table of metrics: what is measured of a game, and how that is said.
//!
//! Lead changes and drama follow C. Browne, *Automatic generation and evaluation of recombination games*
//! (PhD thesis, Queensland University of Technology, 2008), who measures both from an evaluation of each
//! position: a *lead change* is a move after which another player leads than before, and the *drama* of a
//! game is the average, over the positions in which the eventual winner was behind, of the square root of
//! how far. He divides lead changes by the number of moves; here they are counted by game, since the length
//! stands beside them. In place of his evaluation stand, where the game counts a score, each player's share
//! of all points after each ply; else what the agents expect at each of their choices, if they expect
//! anything. Without either both are absent. *Settled* is in the spirit of his "decisiveness": how much of
//! the game is played after it is, as the same figures have it, over.

use super::model::{Metric, MetricKind};
use super::record::GameRecord;

/// A metric and how it is read from a game.
pub(super) struct Row {
    /// See [`Metric`].
    pub key: &'static str,
    name: &'static str,
    unit: &'static str,
    definition: &'static str,
    /// See [`Metric`].
    pub kind: MetricKind,
    /// Its value in a game, 1 or 0 for a share; none where the game does not count. Nothing here for what
    /// is made of all games together.
    pub of: Option<fn(&GameRecord, &About) -> Option<f64>>,
}

/// What a metric must know of the variant.
#[derive(Clone, Debug, Default)]
pub(super) struct About {
    /// The first player's name.
    pub first: String,
    /// The players' names.
    pub players: Vec<String>,
    /// How many sites the board has.
    pub sites: usize,
}

/// The key of the metric of the strength games.
pub(super) const STRENGTH: &str = "strength";
/// The key of the diversity of openings.
pub(super) const OPENING: &str = "opening";
/// The keys of metrics that cost looks ahead.
pub const LOOKS: [&str; 2] = ["only-wins", "last-defence"];

fn yes(yes: bool) -> Option<f64> {
    Some(f64::from(u8::from(yes)))
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
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

fn margin(g: &GameRecord) -> Option<f64> {
    let mut scores = g.scores.clone();
    scores.sort_unstable_by(|a, b| b.cmp(a));
    match scores[..] {
        [best, second, ..] if g.is_finished() => Some(f64::from(best) - f64::from(second)),
        _ => None,
    }
}

fn lead_changes(g: &GameRecord) -> Option<f64> {
    let mut changes = 0;
    let mut leader = None;
    for now in g.ahead.iter().filter(|p| **p >= 0) {
        changes += u32::from(leader.is_some_and(|before| before != now));
        leader = Some(now);
    }
    (!g.ahead.is_empty()).then(|| f64::from(changes))
}

fn settled(g: &GameRecord, about: &About) -> Option<f64> {
    let winner = about.players.iter().position(|p| *p == g.result)?;
    let winner = i8::try_from(winner).ok()?;
    let open = g.ahead.iter().rposition(|p| *p != winner).map_or(0, |at| at + 1);
    (!g.ahead.is_empty()).then(|| 1.0 - open as f64 / g.ahead.len() as f64)
}

/// All metrics, in the order in which they are shown.
pub(super) const METRICS: [Row; 16] = [
    Row {
        key: "length",
        name: "length",
        unit: "plies",
        definition: "Plies of a game; a cut game counts with the plies that were played.",
        kind: MetricKind::Mean,
        of: Some(|g, _| Some(f64::from(g.plies))),
    },
    Row {
        key: "turns",
        name: "turns",
        unit: "turns",
        definition: "Turns begun in a game, of all players together.",
        kind: MetricKind::Mean,
        of: Some(|g, _| Some(f64::from(g.turns))),
    },
    Row {
        key: "branching",
        name: "branching factor",
        unit: "moves",
        definition: "Legal moves at a ply that a player decides: the mean of each game, averaged over games.",
        kind: MetricKind::Mean,
        of: Some(|g, _| mean(choices(g))),
    },
    Row {
        key: "forced",
        name: "forced plies",
        unit: "share",
        definition: "Of the plies that a player decides, the share with exactly one legal move, by game.",
        kind: MetricKind::Mean,
        of: Some(|g, _| mean(choices(g).map(|n| f64::from(u8::from(n == 1.0))))),
    },
    Row {
        key: "first-wins",
        name: "first player's wins",
        unit: "share",
        definition: "Of the games that somebody won, the share that the first player won. With two players \
                     0.5 is even.",
        kind: MetricKind::Share,
        of: Some(|g, about| yes(g.result == about.first).filter(|_| g.is_decided())),
    },
    Row {
        key: "draws",
        name: "draws",
        unit: "share",
        definition: "Of the games that were not cut, the share that nobody won.",
        kind: MetricKind::Share,
        of: Some(|g, _| yes(g.result == "draw").filter(|_| g.is_finished())),
    },
    Row {
        key: "decisive",
        name: "decisive games",
        unit: "share",
        definition: "Of all games, cut ones too, the share that somebody won. Not tested for differences \
                     where no game was cut: then it says what the draws say.",
        kind: MetricKind::Share,
        of: Some(|g, _| yes(g.is_decided())),
    },
    Row {
        key: "cut",
        name: "cut games",
        unit: "share",
        definition: "Of all games, the share that was cut at the most plies allowed.",
        kind: MetricKind::Share,
        of: Some(|g, _| yes(!g.is_finished())),
    },
    Row {
        key: "margin",
        name: "score margin",
        unit: "points",
        definition: "The best score less the second best at the end of a game that was not cut.",
        kind: MetricKind::Mean,
        of: Some(|g, _| margin(g)),
    },
    Row {
        key: "lead-changes",
        name: "lead changes",
        unit: "times",
        definition: "How often in a game another player is ahead alone than the one who was last ahead \
                     alone, by score or by what the agents expect (after Browne 2008, who divides by the \
                     number of moves).",
        kind: MetricKind::Mean,
        of: Some(|g, _| lead_changes(g)),
    },
    Row {
        key: "drama",
        name: "drama",
        unit: "ratio",
        definition: "In games that somebody won: the mean, over the plies at which the winner was behind, of \
                     the square root of how far (of all points, or of what the agents expect, 0 to 1); 0 \
                     where the winner was never behind (after Browne 2008).",
        kind: MetricKind::Mean,
        of: Some(|g, _| g.drama),
    },
    Row {
        key: "settled",
        name: "settled part",
        unit: "share",
        definition: "In games that somebody won: the part of the game from where the winner was ahead alone \
                     for good.",
        kind: MetricKind::Mean,
        of: Some(settled),
    },
    Row {
        key: "coverage",
        name: "board used",
        unit: "share",
        definition: "The share of the sites on which a piece landed in a game.",
        kind: MetricKind::Mean,
        of: Some(|g, about| {
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
        kind: MetricKind::Mean,
        of: Some(|g, _| g.only_wins.map(f64::from)),
    },
    Row {
        key: LOOKS[1],
        name: "only defences",
        unit: "share",
        definition: "Of the won games in which the last ply of a player who did not win was a choice, the \
                     share in which exactly one move there would have left no next player a win at once.",
        kind: MetricKind::Share,
        of: Some(|g, _| g.defences.filter(|d| d[1] > 1).and_then(|d| yes(d[0] == 1))),
    },
    Row {
        key: OPENING,
        name: "opening diversity",
        unit: "bits",
        definition: "Shannon's entropy of the first plies, corrected after Miller and Madow; games that end \
                     sooner do not count.",
        kind: MetricKind::Whole,
        of: None,
    },
];

/// The metric of the strength games.
pub(super) fn strength(stronger: &str, weaker: &str) -> Metric {
    Metric {
        key: STRENGTH.to_owned(),
        name: format!("{stronger} against {weaker}"),
        unit: "share".to_owned(),
        definition: format!(
            "Points a game of {stronger} against {weaker}, each in every seat as often: 1 for a win, one \
             half for a draw or a cut game. 0.5: more thought does not help."
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

    /// As data.
    pub fn metric(&self) -> Metric {
        let (interval, test) = match self.kind {
            MetricKind::Mean => ("Student t", "Welch t"),
            MetricKind::Share => ("Wilson", "two proportions"),
            MetricKind::Whole => ("normal, bootstrap error", "Hutcheson t and permutation"),
        };
        Metric {
            key: self.key.to_owned(),
            name: self.name.to_owned(),
            unit: self.unit.to_owned(),
            definition: self.definition.to_owned(),
            kind: self.kind,
            interval: interval.to_owned(),
            test: test.to_owned(),
        }
    }
}

/// The keys of all metrics.
pub fn keys() -> Vec<&'static str> {
    METRICS.iter().map(|row| row.key).chain([STRENGTH]).collect()
}
