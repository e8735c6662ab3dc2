//! Which start is the best to learn from.
//!
//! ```text
//! the guess, and games at random of several seeds -> rounds of each -> games of each two -> the winners go on -> ...
//! ```
//!
//! Where self-play settles depends on where it begins: players who do not know a plan never see what it does. So several
//! trainings begin, and half of them leave after each stage (*successive halving*: Karnin, Koren, Somekh, *Almost Optimal
//! Exploration in Multi-Armed Bandits*, ICML 2013).

use std::ops::ControlFlow;

use super::{Gauge, Plan, Round, Trainer};
use crate::game::Game;
use crate::notation::position::TextError;
use crate::search::evaluation::Weights;

/// How many trainings begin where no weights are known.
const STARTS: usize = 4;

/// A stage has no more than so many rounds of each.
const STAGE: u64 = 6;

/// Nor does it take more than this share of the time.
const SHARE: f64 = 0.25;

/// The pairs of games that decide who goes on.
const PAIRS: u64 = 50;

/// Trainings of one game that begin differently, until one is left.
pub struct Contest {
    /// With the numbers of their starts.
    left: Vec<(usize, Trainer)>,
    /// How many rounds there were in this stage, and the number of the stage, from 1.
    turns: usize,
    stage: u64,
}

/// Games of the training that goes on against the one that leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Duel {
    /// The number of the start that goes on, from 1.
    pub winner: usize,
    /// That of the other.
    pub loser: usize,
    /// The games of the first.
    pub gauge: Gauge,
}

impl Contest {
    /// Begins with weights that are known, and nothing else; else with a guess, and with games at random.
    ///
    /// # Errors
    /// Where the game cannot be set up.
    pub fn new(game: Game, plan: Plan, known: Option<&Weights>) -> Result<Contest, TextError> {
        let starts = if known.is_some() { 1 } else { STARTS };
        let mut left = vec![(1, Trainer::new(game, plan, known)?)];
        for number in 2..=starts {
            let other = left.first_mut().map(|(_, first)| first.otherwise(number as u64)).transpose()?;
            left.extend(other.map(|other| (number, other)));
        }
        Ok(Contest { left, turns: 0, stage: 1 })
    }

    /// The one that is left, or the first of them.
    pub fn best(&mut self) -> &mut Trainer {
        // INVARIANT: one is always left.
        &mut self.left[0].1
    }

    /// Plays a round of the one whose turn it is; the number of its start comes with it.
    pub fn round(&mut self, go_on: &(dyn Fn() -> ControlFlow<()> + Sync)) -> ControlFlow<(), (usize, Round)> {
        let next = self.turns % self.left.len();
        self.turns += 1;
        // INVARIANT: one is always left.
        let (number, trainer) = &mut self.left[next];
        trainer.round(go_on).map_continue(|round| (*number, round))
    }

    /// Ends a stage if it is over: every two play, and the loser leaves. The share is that of the time that is gone.
    pub fn settle(&mut self, share: f64, go_on: &(dyn Fn() -> ControlFlow<()> + Sync)) -> Vec<Duel> {
        let is_whole = self.left.iter().all(|(_, trainer)| trainer.rounds >= STAGE * self.stage);
        if self.left.len() == 1 || !is_whole && share < SHARE * self.stage as f64 {
            return Vec::new();
        }
        self.stage += 1;
        self.turns = 0;
        // Those that had no turn yet have learned nothing: their rounds take too long for the time there is.
        let learned = self.left.iter().filter(|(_, trainer)| trainer.rounds > 0).count();
        self.left.truncate(learned.max(1));
        let (mut duels, mut waiting) = (Vec::new(), std::mem::take(&mut self.left).into_iter());
        while let Some(first) = waiting.next() {
            let Some(second) = waiting.next() else {
                self.left.push(first);
                break;
            };
            let gauge = first.1.pairs(&first.1.evaluation(), &second.1.evaluation(), PAIRS, go_on);
            let Gauge { wins, draws, losses } = gauge;
            let (winner, loser, gauge) = match wins >= losses {
                true => (first, second, gauge),
                false => (second, first, Gauge { wins: losses, draws, losses: wins }),
            };
            duels.push(Duel { winner: winner.0, loser: loser.0, gauge });
            self.left.push(winner);
        }
        duels
    }
}
