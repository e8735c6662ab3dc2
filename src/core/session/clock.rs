//! Clocks: how much time each person has for a game.
//!
//! ```text
//! TimeControl   5m+3s: so much for the game, and so much more after each turn
//! Clocks        what is left to each person, and what the ply at hand has taken so far
//! ```
//!
//! Nothing here reads a clock: who lets people play tells how much time has passed. A person whose time is over has
//! lost. A ply that is made is paid for, and what it leaves stands in the record; what a ply has taken that is not made
//! is forgotten with it.

use std::fmt;
use std::time::Duration;

/// So much time for a game, and so much more after each turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// For the whole game.
    pub main: Duration,
    /// Added after each turn.
    pub more: Duration,
}

/// The longest time on a clock.
const MAX_TIME: Duration = Duration::from_secs(7 * 24 * 3600);

/// The units of times, the longest first, in milliseconds.
const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)];

impl TimeControl {
    /// Reads `5m`, `5m+3s`, `90s+500ms`, `1.5h`; none where it is something else.
    pub fn parse(text: &str) -> Option<TimeControl> {
        let (main, more) = match text.split_once('+') {
            Some((main, more)) => (time(main)?, time(more)?),
            None => (time(text)?, Duration::ZERO),
        };
        (!main.is_zero()).then_some(TimeControl { main, more })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&word(self.main))?;
        if self.more.is_zero() { Ok(()) } else { write!(f, "+{}", word(self.more)) }
    }
}

/// Reads a time: a number and its unit.
fn time(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(digits);
    let (_, ms) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let ms = (number.parse::<f64>().ok()? * *ms as f64).round();
    (ms <= MAX_TIME.as_millis() as f64).then(|| Duration::from_millis(ms as u64))
}

/// A time in the longest unit that tells it in whole numbers.
fn word(time: Duration) -> String {
    let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let unit = UNITS.iter().find(|(_, unit)| ms.is_multiple_of(*unit) && ms > 0);
    let (name, unit) = unit.copied().unwrap_or(("s", 1000));
    format!("{}{name}", ms / unit)
}

/// The most time that a choice should take of what is `left`, where each turn adds `more` and so many moves (30 where
/// that is not known, never more than 40) have to be made with it. The `plies` of a turn share `left / moves + 3/4 more`,
/// at most 4/5 of `left`.
pub fn share(left: Duration, more: Duration, moves: Option<u64>, plies: u32) -> Duration {
    let moves = u32::try_from(moves.unwrap_or(30).clamp(1, 40)).unwrap_or(40);
    let share = (left / moves).saturating_add((more / 4).saturating_mul(3));
    share.min((left / 5).saturating_mul(4)) / plies.max(1)
}

/// What is left on the clocks of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: Vec<Duration>,
    /// What the ply at hand has taken so far.
    taken: Duration,
}

impl Clocks {
    /// Clocks that have not run yet.
    pub fn new(control: TimeControl, persons: usize) -> Clocks {
        Clocks { control, left: vec![control.main; persons], taken: Duration::ZERO }
    }

    /// How much time there is.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// What is left to a person, with the ply at hand or without.
    pub fn left(&self, person: usize, with_this: bool) -> Duration {
        let left = self.left.get(person).copied().unwrap_or_default();
        if with_this { left.saturating_sub(self.taken) } else { left }
    }

    /// The ply at hand takes so much more.
    pub fn pass(&mut self, time: Duration) {
        self.taken = self.taken.saturating_add(time);
    }

    /// The ply at hand is made; gives back what it leaves, in whole milliseconds as records have it. What is `known` of
    /// that counts, but no ply leaves more than there was.
    pub fn press(&mut self, person: usize, ends_turn: bool, known: Option<Duration>) -> Duration {
        let more = if ends_turn { self.control.more } else { Duration::ZERO };
        let most = self.left(person, known.is_none()).saturating_add(more);
        let left = known.map_or(most, |known| known.min(most));
        let left = Duration::from_millis(u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
        self.put_back(person, Some(left));
        left
    }

    /// Another ply is at hand, and so much is left to a person.
    pub(super) fn put_back(&mut self, person: usize, left: Option<Duration>) {
        self.taken = Duration::ZERO;
        if let (Some(left), Some(of)) = (left, self.left.get_mut(person)) {
            *of = left;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["5m", "5m+3s", "90s+500ms", "1h", "1500ms", "2m+1s", "168h"] {
            assert_eq!(TimeControl::parse(text).map(|c| c.to_string()).as_deref(), Some(text));
        }
        let said = |text: &str| TimeControl::parse(text).map(|c| c.to_string());
        assert_eq!(said("1.5h+0s").as_deref(), Some("90m"));
        assert_eq!(said("60s+1000ms").as_deref(), Some("1m+1s"));
        for text in [
            "", "5", "5+3", "m", "5m+", "+3s", "5m+3", "5d", "0s", "0s+3s", "169h", "-5m", "1..2m",
            "5m+3s+1s",
        ] {
            assert_eq!(said(text), None, "{text}");
        }
    }

    #[test]
    fn a_share_never_takes_all() {
        let ms = Duration::from_millis;
        assert_eq!(share(ms(60_000), ms(1000), None, 1), ms(2750));
        assert_eq!(share(ms(60_000), ms(1000), None, 4), ms(2750) / 4);
        assert_eq!(share(ms(1000), ms(0), Some(1), 1), ms(800));
        assert_eq!(share(ms(100), ms(5000), None, 1), ms(80));
        assert_eq!(share(ms(0), ms(5000), Some(0), 0), ms(0));
        assert!(share(Duration::MAX, Duration::MAX, Some(u64::MAX), 1) < Duration::MAX);
    }
}
