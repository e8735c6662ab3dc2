//! Matches: games between agents, and the strength of the agents by their results.
//!
//! ```text
//! Schedule: who sits where -> game: one after the other, on several threads -> Played -> Standings -> stats
//! ```
//!
//! 1. [`Schedule`] deals the agents to the seats. The games of a *round* have one opening, and each agent has each
//!    seat of it once: who begins, and an opening that is better for one side, are worth the same to all.
//! 2. [`Match::run`] plays the games that are not known yet, and hands each to a taker that may stop it. It does not
//!    know of files; a game that was [`Played`] is all that is kept, and the same whichever run it comes from.
//! 3. [`Standings`] adds whole rounds up; [`stats`] has their statistics.
//!
//! A game goes on until its rules end it, it is cut, an agent gives up or has no time left, or its result is proved (and
//! the rules of the match say that this is enough). The points of a game are 1 for the winner; a draw and a game that was
//! cut are shared; of a game that was given up, or lost by time, all others share the point.
//!
//! ```
//! use std::collections::BTreeSet;
//! use std::convert::Infallible;
//!
//! use farrier::matches::{Match, Rules, Standings};
//! use farrier::search::{AgentSpec, Making};
//! use farrier::shipped::Shipped;
//! use farrier::variant::Variant;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = "tic-tac-toe".parse::<Variant>()?.open(&Shipped)?;
//! let agents = vec!["flat:20".parse::<AgentSpec>()?, "random".parse()?];
//! let found = Match::new::<Infallible>(game, Rules::new(agents), 10)?;
//! let mut standings = Standings::new(found.schedule(), 2);
//! found.run(&BTreeSet::new(), 1, &Making::default(), &mut |played| -> Result<bool, Infallible> {
//!     standings.add(played);
//!     Ok(true)
//! })?;
//! let score = standings.rows()[0].score().ok_or("no game was played")?;
//! assert!(standings.games() == 10 && score.low <= score.value && score.value <= score.high);
//! # Ok(())
//! # }
//! ```

mod game;
mod schedule;
pub mod standings;
pub mod stats;
mod table;

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

pub use game::{Ending, Played};
pub use schedule::{Fixture, Schedule};
pub use standings::{Row, Standings};
pub use table::Table;

use crate::game::Game;
use crate::search::{AgentError, AgentSpec, Making, Seat};
use crate::session::TimeControl;

/// An agent that takes part.
#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    /// Its word; an agent that takes part twice is called `NAME #2` the second time.
    pub name: String,
    /// The agent itself.
    pub spec: AgentSpec,
    /// Whether it is Farrier's own: then its proofs are proofs.
    pub own: bool,
}

/// How the games of a match are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Rules {
    /// The agents.
    pub agents: Vec<Player>,
    /// The seed.
    pub seed: u64,
    /// A set-up or position to begin with.
    pub setup: Option<String>,
    /// How many random plies an opening has.
    pub opening_plies: u32,
    /// Openings as words, instead of random ones.
    pub openings: Vec<Vec<String>>,
    /// A game is cut after so many plies.
    pub plies: u32,
    /// Whether a proof of the result ends a game.
    pub adjudicate: bool,
    /// The time that each person has for a game. Agents then think for a [`share`](crate::session::share) of what is
    /// left, whatever time their budgets say, and whose time is over has lost.
    pub clock: Option<TimeControl>,
}

impl Rules {
    /// The rules for some agents, with the defaults of the command line.
    pub fn new(agents: Vec<AgentSpec>) -> Rules {
        let mut named: Vec<Player> = Vec::new();
        for spec in agents {
            let text = spec.to_string();
            let before = named.iter().filter(|player| player.spec == spec).count();
            let name = if before == 0 { text.clone() } else { format!("{text} #{}", before + 1) };
            named.push(Player { name, spec, own: !text.starts_with("engine:") });
        }
        Rules {
            agents: named,
            seed: 1,
            setup: None,
            opening_plies: 2,
            openings: Vec::new(),
            plies: 2000,
            adjudicate: false,
            clock: None,
        }
    }
}

/// Why a match cannot be played.
#[derive(Debug)]
pub enum MatchError<E> {
    /// There is no such match, or its games cannot begin: a message, and what to do about it.
    Rules(String, Option<String>),
    /// An agent cannot be made.
    Agent(AgentError),
    /// The taker of the games failed.
    Taker(E),
}

impl<E: fmt::Display> fmt::Display for MatchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Rules(message, help) => crate::diagnostic::with_help(f, message, help.as_deref()),
            MatchError::Agent(error) => write!(f, "{error}"),
            MatchError::Taker(error) => write!(f, "{error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for MatchError<E> {}

/// A match that can be played.
#[derive(Debug)]
pub struct Match {
    game: Game,
    rules: Rules,
    schedule: Schedule,
}

impl Match {
    /// A match of at least so many games of each pairing.
    ///
    /// # Errors
    /// Where the agents do not fit the game, or a start or an opening is wrong.
    pub fn new<E>(game: Game, rules: Rules, games: u64) -> Result<Match, MatchError<E>> {
        let wrong = |message: String| MatchError::Rules(message, None);
        let schedule = Schedule::new(game.rules.players.len(), rules.agents.len(), games).map_err(wrong)?;
        let mut table = Table::new(game.clone()).map_err(|error| wrong(error.to_string()))?;
        let start = |error: crate::notation::position::TextError| {
            MatchError::Rules(format!("the game cannot be set up: {}", error.message), error.help)
        };
        table.begin(rules.setup.as_deref(), rules.seed).map_err(start)?;
        if table.moves.is_empty() {
            return Err(wrong("the game is over before the first move".to_owned()));
        }
        for (line, opening) in rules.openings.iter().enumerate() {
            table.begin(rules.setup.as_deref(), rules.seed).map_err(start)?;
            for word in opening {
                table.play_text(word).map_err(|error| {
                    MatchError::Rules(format!("opening {}: `{word}`: {error}", line + 1), None)
                })?;
            }
            if table.moves.is_empty() {
                return Err(wrong(format!("opening {}: the game is over after it", line + 1)));
            }
        }
        Ok(Match { game, rules, schedule })
    }

    /// The order of its games.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// How its games are played.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Its game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Plays all games but those that are known, so many at once. `taker` is given each when it ends, not
    /// always in order, and says whether to go on. Games that are not over when it says no are given up.
    pub fn run<E>(
        &self,
        known: &BTreeSet<u64>,
        threads: usize,
        making: &Making,
        taker: &mut dyn FnMut(Played) -> Result<bool, E>,
    ) -> Result<(), MatchError<E>> {
        if self.rules.clock.is_some() && making.clock.is_none() {
            return Err(MatchError::Rules(
                "a game with clocks needs somebody who tells the time".to_owned(),
                None,
            ));
        }
        let stop = AtomicBool::new(false);
        let next = AtomicU64::new(0);
        let sharing = threads.max(1) * self.rules.agents.len();
        let making = &Making { sharing, ..making.clone() };
        let mut done = Ok(());
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..threads.max(1) {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                scope.spawn(move || {
                    if let Err(wrong) = self.work(known, next, stop, making, &sender) {
                        // Nobody listens any more where the match was stopped.
                        let _ = sender.send(Err(wrong));
                    }
                });
            }
            drop(sender);
            for played in receiver {
                if stop.load(Ordering::Relaxed) {
                    continue;
                }
                let goes_on = match played {
                    Ok(played) => taker(played).map_err(MatchError::Taker),
                    Err(Wrong::Rules(message, help)) => Err(MatchError::Rules(message, help)),
                    Err(Wrong::Agent(error)) => Err(MatchError::Agent(error)),
                    Err(Wrong::Taker(never)) => match never {},
                };
                match goes_on {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(error) => done = Err(error),
                }
                stop.store(true, Ordering::Relaxed);
            }
        });
        done
    }

    /// Plays games one after the other, on one thread.
    fn work(
        &self,
        known: &BTreeSet<u64>,
        next: &AtomicU64,
        stop: &AtomicBool,
        making: &Making,
        sender: &mpsc::Sender<Result<Played, Wrong>>,
    ) -> Result<(), Wrong> {
        let unsound = |error: crate::program::ProgramError| Wrong::Rules(error.to_string(), None);
        let mut table = Table::new(self.game.clone()).map_err(unsound)?;
        // Compiling is nobody's time to think.
        table.machine.warm_up();
        let seat = |player: &Player| player.spec.seat(making).map_err(Wrong::Agent);
        let mut seats: Option<Vec<Seat>> = None;
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.schedule.games() {
                break;
            }
            if known.contains(&number) {
                continue;
            }
            let seats = match &mut seats {
                Some(seats) => seats,
                none => none.insert(self.rules.agents.iter().map(seat).collect::<Result<_, _>>()?),
            };
            let fixture = self.schedule.game(number);
            let played = game::play(&mut table, &self.rules, &fixture, seats, making.clock, stop)
                .map_err(|error| Wrong::Rules(error.message, error.help))?;
            let Some(played) = played else { break };
            if sender.send(Ok(played)).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// Why a thread cannot go on.
type Wrong = MatchError<Infallible>;
