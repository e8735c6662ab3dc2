//! The lines of UCI and UGI, as both sides of Farrier read and write them.

use std::time::Duration;

use crate::matches::stats;
use crate::search::{Limit, OnClocks};

/// The protocol that is spoken. They differ in a few words, and in the unit of mates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::cli) enum Protocol {
    /// UCI: mates are counted in moves.
    #[default]
    Uci,
    /// UGI, the Universal Game Interface: mates are counted in plies.
    Ugi,
}

/// A score, from the view of who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::cli) enum Score {
    /// In hundredths.
    Points(i32),
    /// A win within so many, a loss where it is negative or 0.
    Mate(i32),
}

/// The greatest score that is no mate.
const MAX_POINTS: f64 = 10_000.0;

/// The score of an expected value: `400 log10(v / (1 - v))`, as Elo does it.
pub(in crate::cli) fn points(value: f64) -> i32 {
    let points = stats::elo(value);
    if points.is_nan() { 0 } else { points.clamp(-MAX_POINTS, MAX_POINTS).round() as i32 }
}

/// The expected value of a score.
pub(super) fn value(points: i32) -> f64 {
    stats::score(f64::from(points))
}

/// The contents of an `info` line.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Info<'a> {
    pub depth: u32,
    pub nodes: u64,
    pub rank: u32,
    pub score: Option<Score>,
    /// The moves of the principal variation.
    pub line: &'a str,
}

/// Reads an `info` line; none where it is another line or has no score.
pub(super) fn info(line: &str) -> Option<Info<'_>> {
    let rest = line.trim().strip_prefix("info ")?;
    let (head, moves) = match rest.split_once(" pv ") {
        Some((head, moves)) => (head, moves),
        None => (rest, ""),
    };
    let mut found = Info { depth: 0, nodes: 0, rank: 1, score: None, line: moves };
    let mut words = head.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "string" => return None,
            "depth" => found.depth = words.next()?.parse().ok()?,
            "nodes" => found.nodes = words.next()?.parse().ok()?,
            "multipv" => found.rank = words.next()?.parse().ok()?,
            "score" => {
                found.score = match (words.next()?, words.next()?.parse().ok()?) {
                    ("cp", cp) => Some(Score::Points(cp)),
                    ("mate", mate) => Some(Score::Mate(mate)),
                    _ => None,
                }
            }
            // A bound is no value.
            "lowerbound" | "upperbound" => return None,
            _ => {}
        }
    }
    found.score.is_some().then_some(found)
}

/// The move of a `bestmove` line.
pub(super) fn best(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    (words.next()? == "bestmove").then(|| words.next().unwrap_or(""))
}

/// The command to think, with a limit: what is left on the clocks, or else the time of the choice.
pub(super) fn go(limit: &Limit<'_>, left: Option<Duration>) -> String {
    let Limit { nodes, depth, .. } = *limit;
    let mut out = "go".to_owned();
    if nodes != u64::MAX {
        out += &format!(" nodes {nodes}");
    }
    if depth != u32::MAX {
        out += &format!(" depth {depth}");
    }
    if let Some(OnClocks { left, more }) = limit.clocks {
        let name = |player: usize| match (left.len(), player) {
            (..=2, 0) => "w".to_owned(),
            (..=2, _) => "b".to_owned(),
            _ => format!("p{}", player + 1),
        };
        for (player, left) in left.iter().enumerate() {
            out += &format!(" {}time {}", name(player), left.as_millis().max(1));
        }
        for player in (0..left.len()).filter(|_| !more.is_zero()) {
            out += &format!(" {}inc {}", name(player), more.as_millis());
        }
    } else if let Some(left) = left {
        out += &format!(" movetime {}", left.as_millis().max(1));
    }
    if out == "go" { "go infinite".to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_values_are_inverse() {
        assert_eq!([points(0.5), points(0.0), points(1.0), points(f64::NAN)], [0, -10_000, 10_000, 0]);
        assert_eq!(points(10.0 / 11.0), 400);
        for cp in [-800, -3, 0, 120, 1500] {
            assert_eq!(points(value(cp)), cp);
        }
    }

    #[test]
    fn lines_of_engines_are_read() {
        let line = "info depth 12 seldepth 3 multipv 2 score cp -31 nodes 4242 nps 9 time 3 pv e2e4 e7e5";
        let expected =
            Info { depth: 12, nodes: 4242, rank: 2, score: Some(Score::Points(-31)), line: "e2e4 e7e5" };
        assert_eq!(info(line), Some(expected));
        assert_eq!(info("info score mate -3").map(|i| i.score), Some(Some(Score::Mate(-3))));
        for other in [
            "info string depth 3 score cp 1",
            "info depth 3 score cp 1 lowerbound nodes 3",
            "info depth x score cp 1",
            "info score",
            "info depth 3 currmove e2e4",
            "readyok",
            "",
        ] {
            assert_eq!(info(other), None, "{other}");
        }
        assert_eq!(best("bestmove e1g1 ponder e8g8"), Some("e1g1"));
        assert_eq!((best("bestmove"), best("bestmoves e2e4")), (Some(""), None));
        let all = Limit::nodes(u64::MAX);
        assert_eq!(go(&all, None), "go infinite");
        assert_eq!(
            go(&Limit { depth: 3, ..Limit::nodes(9) }, Some(Duration::ZERO)),
            "go nodes 9 depth 3 movetime 1"
        );
        let (left, more) = ([Duration::from_secs(9), Duration::from_micros(1)], Duration::from_millis(100));
        let on = |left| Limit { clocks: Some(OnClocks { left, more }), ..all };
        let two = "go wtime 9000 btime 1 winc 100 binc 100";
        assert_eq!(go(&on(&left), Some(Duration::ZERO)), two);
        let three = [left[0]; 3];
        let more = " p1inc 100 p2inc 100 p3inc 100";
        assert_eq!(go(&on(&three), None), format!("go p1time 9000 p2time 9000 p3time 9000{more}"));
    }
}
