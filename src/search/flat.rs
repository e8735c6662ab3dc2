//! Flat Monte-Carlo: every move is tried in equally many random games, the best average is played.
//!
//! A budget of `n` playouts is dealt to the moves one by one, in random order, round after round; with more
//! moves than playouts a random `n` of them are tried. A playout gives the winner 1 point, in a draw all
//! share it, and a playout that has not ended after [`PLIES`] plies counts as a draw. Among equal averages
//! the choice is even.

use super::{Agent, Choice, Situation, play_out};
use crate::play::{History, Machine, Move, Moves, Outcome, Position, Rng};

/// The most plies of a playout.
const PLIES: u32 = 2000;

/// Flat Monte-Carlo with its working space.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    playouts: u32,
    pos: Option<Position>,
    history: History,
    moves: Moves,
    tried: Vec<Tried>,
}

/// A move and the points of the player who decides, over its playouts.
#[derive(Clone, Copy, Debug)]
struct Tried {
    number: Move,
    points: f64,
    playouts: u32,
}

impl Flat {
    /// With a budget of playouts a move.
    pub fn new(playouts: u32) -> Flat {
        Flat { playouts, pos: None, history: History::new(), moves: Moves::new(), tried: Vec::new() }
    }

    /// Plays a move and then at random to the end.
    fn playout(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        number: Move,
        rng: &mut Rng,
    ) -> Option<Outcome> {
        let mut pos = self.pos.take().unwrap_or_else(|| at.pos.clone());
        pos.copy_from(at.pos);
        self.history.copy_from(at.history);
        machine.play(&mut pos, number, &mut self.history, &mut self.moves);
        play_out(machine, &mut pos, &mut self.history, &mut self.moves, rng, PLIES);
        let outcome = machine.outcome(&pos);
        self.pos = Some(pos);
        outcome
    }
}

impl Agent for Flat {
    fn choose(&mut self, machine: &mut Machine, at: Situation<'_>, rng: &mut Rng) -> Option<Choice> {
        let players = machine.layout().players.max(1);
        let mover = at.moves.mover().index();
        let mut tried = std::mem::take(&mut self.tried);
        tried.clear();
        tried.extend(at.moves.iter().map(|number| Tried { number, points: 0.0, playouts: 0 }));
        rng.shuffle(&mut tried);
        let mut totals = vec![0.0; players];
        for one in 0..self.playouts as usize {
            let place = one % tried.len().max(1);
            let Some(trial) = tried.get_mut(place) else { break };
            let outcome = self.playout(machine, at, trial.number, rng);
            trial.playouts += 1;
            for (player, total) in totals.iter_mut().enumerate() {
                let points = match outcome {
                    Some(Outcome::Win(winner)) => f64::from(u8::from(winner.index() == player)),
                    _ => 1.0 / players as f64,
                };
                *total += points;
                if player == mover {
                    trial.points += points;
                }
            }
        }
        // The order is random already: the first of equals is as good as any.
        let average = |t: &Tried| t.points / f64::from(t.playouts.max(1));
        let mut best = tried.first().copied();
        for trial in tried.iter().take_while(|t| t.playouts > 0) {
            if best.is_some_and(|best| average(trial) > average(&best)) {
                best = Some(*trial);
            }
        }
        self.tried = tried;
        let best = best?;
        let playouts = f64::from(self.playouts.max(1));
        let mut expects: Vec<f64> = totals.iter().map(|points| points / playouts).collect();
        // The player who decides will choose the best move, so the average over all is too low; the
        // others share what is left in proportion.
        if players > 1 {
            let rest = 1.0 - average(&best);
            let others: f64 = expects.iter().enumerate().filter(|(p, _)| *p != mover).map(|(_, e)| e).sum();
            for (player, e) in expects.iter_mut().enumerate() {
                *e = match player == mover {
                    true => average(&best),
                    false if others > 0.0 => rest * *e / others,
                    false => rest / (players - 1) as f64,
                };
            }
        }
        Some(Choice { number: best.number, expects })
    }
}
