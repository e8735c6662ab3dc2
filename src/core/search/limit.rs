//! How much an agent may spend on a choice.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time since some moment that stays the same. The library reads no clock: a caller that gives agents
/// time hands one in.
pub type Clock = fn() -> Duration;

/// The cost limit of one choice, as it is written: `200`, `50k`, `2M` nodes, `500ms` or `1.5s` of time.
///
/// A *node* is a position that is visited, or a playout where the agent plays these: each kind of agent says which.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Budget {
    /// So many nodes: the choice is the same on every machine.
    Nodes(u64),
    /// So much time.
    Time(Duration),
}

/// The most nodes of a choice.
const MAX_NODES: u64 = 1_000_000_000_000;

/// The longest time of a choice, in seconds: a day.
const MAX_SECONDS: f64 = 86_400.0;

impl Budget {
    /// Reads a budget; none where it is none.
    pub fn parse(text: &str) -> Option<Budget> {
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let seconds = |number: &str, unit: f64| {
            let seconds = number.parse::<f64>().ok()? * unit;
            (seconds > 0.0 && seconds <= MAX_SECONDS).then(|| Budget::Time(Duration::from_secs_f64(seconds)))
        };
        let nodes = |number: &str, unit: u64| {
            let nodes = number.parse::<u64>().ok()?.checked_mul(unit)?;
            (1..=MAX_NODES).contains(&nodes).then_some(Budget::Nodes(nodes))
        };
        match unit {
            "" => nodes(number, 1),
            "k" => nodes(number, 1000),
            "M" => nodes(number, 1_000_000),
            "ms" => seconds(number, 0.001),
            "s" => seconds(number, 1.0),
            _ => None,
        }
    }

    /// The limit from now on. Without a clock time is not limited.
    pub fn limit<'a>(self, clock: Option<Clock>) -> Limit<'a> {
        match self {
            Budget::Nodes(nodes) => Limit::nodes(nodes),
            Budget::Time(time) => {
                let until = clock.map(|clock| (clock, clock().saturating_add(time)));
                Limit { until, ..Limit::nodes(u64::MAX) }
            }
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Budget::Nodes(nodes) if nodes.is_multiple_of(1_000_000) => write!(f, "{}M", nodes / 1_000_000),
            Budget::Nodes(nodes) if nodes.is_multiple_of(1000) => write!(f, "{}k", nodes / 1000),
            Budget::Nodes(nodes) => write!(f, "{nodes}"),
            Budget::Time(time) if time < Duration::from_secs(1) => {
                write!(f, "{}ms", time.as_secs_f64() * 1000.0)
            }
            Budget::Time(time) => write!(f, "{}s", time.as_secs_f64()),
        }
    }
}

/// The limits of one choice: the first that is reached ends it.
#[derive(Clone, Copy, Debug)]
pub struct Limit<'a> {
    /// Nodes.
    pub nodes: u64,
    /// Plies that are looked ahead.
    pub depth: u32,
    /// The time on a clock at which the choice is to be made.
    pub until: Option<(Clock, Duration)>,
    /// Somebody else may end it.
    pub stop: Option<&'a AtomicBool>,
    /// The clocks of the game, where there are some. An agent of one's own needs only `until`; engines of others share
    /// out their time themselves.
    pub clocks: Option<OnClocks<'a>>,
}

/// What stands on the clocks of a game when a choice begins.
#[derive(Clone, Copy, Debug)]
pub struct OnClocks<'a> {
    /// What is left, by player.
    pub left: &'a [Duration],
    /// What each turn adds.
    pub more: Duration,
}

impl Limit<'_> {
    /// So many nodes, and nothing else.
    pub fn nodes(nodes: u64) -> Limit<'static> {
        Limit { nodes, depth: u32::MAX, until: None, stop: None, clocks: None }
    }

    /// Whether the choice is to be made now, after so many nodes.
    pub fn is_over(&self, nodes: u64) -> bool {
        nodes >= self.nodes
            || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.until.is_some_and(|(clock, until)| clock() >= until)
    }

    /// The same, to be asked after each node: the clock is looked at once in so many nodes.
    #[inline]
    pub fn is_over_at(&self, nodes: u64, every: u64) -> bool {
        nodes >= self.nodes || nodes.is_multiple_of(every) && self.is_over(nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_and_written() {
        for text in ["1", "200", "50k", "1500", "2M", "500ms", "1s", "1.5s", "86400s"] {
            assert_eq!(Budget::parse(text).map(|b| b.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Budget::parse("1000"), Budget::parse("1k"));
        assert_eq!(Budget::parse("0.5s"), Budget::parse("500ms"));
        for text in
            ["", "0", "k", "-1", "1.5", "1.2.3s", "0s", "1h", "86401s", "1000001M", "99999999999999999999"]
        {
            assert_eq!(Budget::parse(text), None, "{text}");
        }
    }
}
