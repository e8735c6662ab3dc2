//! How long to think where a clock runs.
//!
//! A [`share`] of what is left, as for everybody who plays with a clock. The time for answering (`Move Overhead`) is
//! taken off; the rest is at least 1 ms.

use std::time::Duration;

use crate::session::share;

/// The arguments of `go`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Go {
    /// Milliseconds left, for each player.
    pub times: Vec<Option<u64>>,
    /// Milliseconds added by each move, for each player.
    pub increments: Vec<u64>,
    /// Moves to the next control.
    pub moves_to_go: Option<u64>,
    /// Milliseconds for this move.
    pub move_time: Option<u64>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Think until `stop`, or `ponderhit`.
    pub infinite: bool,
    /// Unknown words.
    pub unknown: Vec<String>,
}

/// The most players whose clocks are read.
const MAX_PLAYERS: usize = 16;

impl Go {
    /// Reads the words behind `go`.
    pub(super) fn read(words: &[&str]) -> Go {
        let mut go = Go { times: vec![None; MAX_PLAYERS], increments: vec![0; MAX_PLAYERS], ..Go::default() };
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            // A clock that has run out may be negative.
            let mut number = || {
                let number = words.peek()?.parse::<i64>().ok()?;
                words.next();
                Some(number.max(0).unsigned_abs())
            };
            match *word {
                "movestogo" => go.moves_to_go = number().or(go.moves_to_go),
                "movetime" => go.move_time = number().or(go.move_time),
                "depth" => {
                    go.depth = number().map(|n| u32::try_from(n).unwrap_or(u32::MAX).max(1)).or(go.depth)
                }
                "nodes" => go.nodes = number().map(|n| n.max(1)).or(go.nodes),
                // There is no pondering; a client that asks for it gets its answer when it says that it wants one.
                "infinite" | "ponder" => go.infinite = true,
                word => match clock(word) {
                    Some((player, true)) => go.times[player] = number().or(go.times[player]),
                    Some((player, false)) => {
                        go.increments[player] = number().unwrap_or(go.increments[player])
                    }
                    None => go.unknown.push(word.to_owned()),
                },
            }
        }
        go
    }

    /// How long a player may think, whose turn takes so many plies; none where no time is said.
    pub(super) fn time(&self, player: usize, plies: u32, overhead: Duration) -> Option<Duration> {
        let least = Duration::from_millis(1);
        if let Some(time) = self.move_time {
            return Some(Duration::from_millis(time).saturating_sub(overhead).max(least));
        }
        let left = Duration::from_millis((*self.times.get(player)?)?);
        let more = Duration::from_millis(self.increments.get(player).copied().unwrap_or(0));
        Some(share(left, more, self.moves_to_go, plies).saturating_sub(overhead).max(least))
    }

    /// Whether anything limits the thought.
    pub(super) fn is_limited(&self) -> bool {
        self.infinite
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.move_time.is_some()
            || self.times.iter().any(Option::is_some)
    }
}

/// The player whose clock a word means, and whether it is the time left, not the increment: `wtime`, `binc`, `p1time`.
fn clock(word: &str) -> Option<(usize, bool)> {
    let (who, left) = match (word.strip_suffix("time"), word.strip_suffix("inc")) {
        (Some(who), _) => (who, true),
        (_, Some(who)) => (who, false),
        _ => return None,
    };
    let player = match who {
        "w" => 0,
        "b" => 1,
        who => who.strip_prefix('p')?.parse::<usize>().ok()?.checked_sub(1)?,
    };
    (player < MAX_PLAYERS).then_some((player, left))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str, player: usize) -> Option<u128> {
        let go = Go::read(&text.split_whitespace().collect::<Vec<_>>());
        go.time(player, 1, Duration::from_millis(5)).map(|time| time.as_millis())
    }

    #[test]
    fn time_is_shared_out() {
        assert_eq!(time("movetime 100", 1), Some(95));
        assert_eq!(time("movetime 2", 0), Some(1));
        assert_eq!(time("wtime 60000 btime 30000 winc 1000 binc 0", 0), Some(2000 + 750 - 5));
        assert_eq!(time("wtime 60000 btime 30000 winc 1000 binc 0", 1), Some(1000 - 5));
        assert_eq!(time("p1time 1000 p2time 900 p1inc 10 p2inc 10", 0), Some(33 + 7 - 5));
        assert_eq!(time("wtime 1000 movestogo 1", 0), Some(795));
        assert_eq!(time("wtime 100 winc 5000", 0), Some(75));
        for nothing in ["wtime 0 btime 10", "wtime -300 btime 5"] {
            assert_eq!(time(nothing, 0), Some(1), "{nothing}");
        }
        for other in ["infinite", "nodes 100", "depth 3", "", "btime 100", "wtime", "wtime x"] {
            assert_eq!(time(other, 0), None, "{other}");
        }
        assert!(time(&format!("wtime {0} winc {0}", i64::MAX), 0).is_some());
    }

    #[test]
    fn words_without_a_meaning_are_told() {
        let go = Go::read(&["nodes", "x", "depth", "4", "p17time", "3", "infinite"]);
        assert_eq!((go.nodes, go.depth, go.infinite), (None, Some(4), true));
        assert_eq!(go.unknown, ["x", "p17time", "3"]);
    }
}
