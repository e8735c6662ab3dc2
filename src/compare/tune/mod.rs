//! The search among many variants for those nearest to their maker's goals.
//!
//! Successive halving (Jamieson and Talwalkar 2016): all candidates play a few games, the better half of them goes on
//! and plays as many again, until few are left; these go on until each has played the most games. Variants far off are
//! dropped after little play, near ones are looked at closely.
//!
//! A [`Goal`] is a figure that is 0 where it is met. With several goals a candidate is the better the fewer others are
//! nearer to all of them; at the end the *front* is told: the candidates that no other surpasses in all goals (Pareto).

pub mod words;

use super::contestant::Contestant;
use super::metric::{FIRST_POINTS, at_level};
use super::model::Estimate;
use super::run::{Archive, Plan, RunError, Taker, play};
use super::summary::estimates;
use super::tally::Tally;
use super::{model::Settings, settings};

/// A goal for a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Goal {
    /// Who begins gets half of the points.
    Balance,
    /// Somebody wins.
    Decisive,
    /// Games take so many plies.
    Length(f64),
}

impl Goal {
    /// Reads one: `balance`, `decisive`, `length=60`.
    pub fn parse(text: &str) -> Option<Goal> {
        match text.split_once('=') {
            None if text == "balance" => Some(Goal::Balance),
            None if text == "decisive" => Some(Goal::Decisive),
            Some(("length", plies)) => {
                plies.parse().ok().filter(|plies| (1.0..=1e6).contains(plies)).map(Goal::Length)
            }
            _ => None,
        }
    }

    /// The metric that it looks at.
    pub fn key(self, agent: &str) -> String {
        let key = match self {
            Goal::Balance => FIRST_POINTS,
            Goal::Decisive => "draws",
            Goal::Length(_) => "length",
        };
        at_level(key, agent)
    }

    /// The figure that meets it.
    pub fn wanted(self) -> f64 {
        match self {
            Goal::Balance => 0.5,
            Goal::Decisive => 0.0,
            Goal::Length(plies) => plies,
        }
    }

    /// How far a figure is from it.
    fn off(self, value: f64) -> f64 {
        match self {
            Goal::Balance | Goal::Decisive => (value - self.wanted()).abs(),
            Goal::Length(plies) => (value - plies).abs() / plies,
        }
    }
}

impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Goal::Balance => f.write_str("balance"),
            Goal::Decisive => f.write_str("decisive"),
            Goal::Length(plies) => write!(f, "length={plies}"),
        }
    }
}

/// A candidate and its figures so far.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its place in the list of contestants.
    pub place: usize,
    /// How many games it played.
    pub games: u64,
    /// The figure of each goal's metric; none where no game has one.
    pub figures: Vec<Option<Estimate>>,
    /// How far each goal is, the nearer the better.
    pub off: Vec<f64>,
    /// In how many rounds it was.
    pub rounds: u32,
}

impl Candidate {
    /// Whether it is nearer than another to all goals, or as near and nearer to one.
    fn surpasses(&self, other: &Candidate) -> bool {
        let pairs = || self.off.iter().zip(&other.off);
        pairs().all(|(a, b)| a <= b) && pairs().any(|(a, b)| a < b)
    }
}

/// The result of a race.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// All candidates: the front, the nearest to the first goal first; then those that ran longest, the nearest first.
    pub candidates: Vec<Candidate>,
    /// How many of them are the front.
    pub front: usize,
    /// How many games were played in all.
    pub games: u64,
}

/// How a race is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// Games of each candidate in the first round.
    pub first: u64,
    /// The most games of one candidate.
    pub most: u64,
    /// So many candidates play the most games.
    pub left: usize,
}

impl Race {
    /// The rounds of so many candidates: how many are left, and from which of their games to which they play.
    fn rounds(self, candidates: usize) -> Vec<(usize, u64, u64)> {
        let (mut running, mut from, mut rounds) = (candidates, 0, Vec::new());
        loop {
            let to = if from == 0 { self.first } else { from * 2 }.min(self.most);
            rounds.push((running, from, to));
            // One alone is the best already.
            if to >= self.most || running <= 1 {
                return rounds;
            }
            from = to;
            running = running.div_ceil(2).max(self.left.min(running));
        }
    }

    /// How many games a race of so many candidates has.
    pub fn games(&self, candidates: usize) -> u64 {
        self.rounds(candidates).into_iter().map(|(running, from, to)| (to - from) * running as u64).sum()
    }
}

/// Lets contestants race. `plan` has the agent that plays as its only level; `play` plays what a round's plan asks of
/// one of them.
///
/// # Errors
/// As `play` has them.
pub fn race<E>(
    contestants: &[Contestant],
    plan: &Plan,
    goals: &[Goal],
    race: Race,
    mut play: impl FnMut(&Contestant, &Plan) -> Result<Tally, E>,
) -> Result<Found, E> {
    let agent = plan.rules.levels.first().map(ToString::to_string).unwrap_or_default();
    let settings = settings(plan);
    let mut tallies: Vec<Tally> = contestants.iter().map(|one| Tally::new(one, &plan.rules)).collect();
    let mut running: Vec<Candidate> = (0..contestants.len()).map(Candidate::new).collect();
    let mut dropped: Vec<Candidate> = Vec::new();
    for (left, from, to) in race.rounds(contestants.len()) {
        let mut out = running.split_off(left);
        out.append(&mut dropped);
        dropped = out;
        let part = Plan { games: 0, from, level_games: to, ..plan.clone() };
        for candidate in &mut running {
            let (Some(one), Some(tally)) =
                (contestants.get(candidate.place), tallies.get_mut(candidate.place))
            else {
                continue;
            };
            tally.merge(&play(one, &part)?);
            candidate.look(tally, &settings, goals, &agent, to);
        }
        running = order(&running);
    }
    let is_front = |one: &Candidate| !running.iter().any(|other| other.surpasses(one));
    let (mut front, rest): (Vec<Candidate>, Vec<Candidate>) = running.iter().cloned().partition(is_front);
    front.sort_by(|a, b| a.off.first().unwrap_or(&0.0).total_cmp(b.off.first().unwrap_or(&0.0)));
    let found = front.len();
    front.extend(rest);
    front.extend(dropped);
    Ok(Found { candidates: front, front: found, games: race.games(contestants.len()) })
}

/// The same, where nobody wants to hear of single games.
pub fn race_all(
    contestants: &[Contestant],
    plan: &Plan,
    goals: &[Goal],
    how: Race,
) -> Result<Found, RunError<std::convert::Infallible>> {
    race(contestants, plan, goals, how, |one, plan| {
        play(one, plan, &mut Archive::default(), Taker::Count(&mut |_| Ok(())))
    })
}

impl Candidate {
    fn new(place: usize) -> Candidate {
        Candidate { place, games: 0, figures: Vec::new(), off: Vec::new(), rounds: 0 }
    }

    /// Updates its figures from its games.
    fn look(&mut self, tally: &Tally, settings: &Settings, goals: &[Goal], agent: &str, games: u64) {
        let known = estimates(tally, settings);
        self.games = games;
        self.rounds += 1;
        self.figures = goals.iter().map(|goal| known.get(&goal.key(agent)).copied()).collect();
        let off = |(goal, figure): (&Goal, &Option<Estimate>)| figure.map_or(1e9, |e| goal.off(e.value));
        self.off = goals.iter().zip(&self.figures).map(off).collect();
    }
}

/// The best first: whom the fewest surpass, then who is nearest in all, goal by goal counted in places.
fn order(all: &[Candidate]) -> Vec<Candidate> {
    let surpassed = |one: &Candidate| all.iter().filter(|other| other.surpasses(one)).count();
    let nearer = |(goal, off): (usize, &f64)| {
        all.iter().filter(|other| other.off.get(goal).is_some_and(|near| near < off)).count()
    };
    let places = |one: &Candidate| one.off.iter().enumerate().map(nearer).sum::<usize>();
    let mut sorted = all.to_vec();
    sorted.sort_by_cached_key(|one| (surpassed(one), places(one), one.place));
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_as_they_are_written() {
        for goal in [Goal::Balance, Goal::Decisive, Goal::Length(60.0)] {
            assert_eq!(Goal::parse(&goal.to_string()), Some(goal));
        }
        for wrong in ["", "length", "length=0", "length=x", "balance=1", "Balance"] {
            assert_eq!(Goal::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn who_is_surpassed_by_nobody_stands_first() {
        let of = |place, off: [f64; 2]| Candidate { off: off.to_vec(), ..Candidate::new(place) };
        let all = vec![
            of(0, [0.3, 0.3]),
            of(1, [0.1, 0.4]),
            of(2, [0.2, 0.2]),
            of(3, [0.5, 0.5]),
            of(4, [0.4, 0.1]),
        ];
        let places: Vec<usize> = order(&all).iter().map(|one| one.place).collect();
        assert_eq!(places[0], 2);
        assert_eq!(&places[3..], [0, 3]);
    }

    #[test]
    fn games_are_counted_before_they_are_played() {
        let race = Race { first: 16, most: 1024, left: 1 };
        // 64 of 16 games, 32 of 16 more, 16 of 32, 8 of 64, 4 of 128, 2 of 256, 1 of 512.
        assert_eq!(race.games(64), 1024 + 512 * 6);
        assert_eq!(Race { first: 16, most: 16, left: 1 }.games(64), 1024);
        // Those that are left play on, also where there are no more from the start.
        let race = Race { first: 16, most: 100, left: 4 };
        assert_eq!((race.games(3), race.games(4), race.games(6)), (300, 400, 400 + 2 * 16));
    }
}
