//! The value of a position: the points of each player in random games from it.
//!
//! In such a game, a *playout*, the winner gets 1 point, in a draw all share it (see [`Outcome::points`]), and one that
//! has not ended after [`PLIES`] plies counts as a draw. The mean of several is an estimate without bias of what the
//! position is worth in random play, for any mover; good choices of a player are not in it.

use super::{Situation, play_out};
use crate::ids::Player;
use crate::play::{History, Machine, Move, Moves, Outcome, Position, Rng};

/// The most plies of a playout.
pub(super) const PLIES: u32 = 2000;

/// Plays playouts, with the space to do so.
#[derive(Clone, Debug, Default)]
pub struct Playouts {
    pos: Option<Position>,
    history: History,
    moves: Moves,
}

impl Playouts {
    /// Plays from a position to the end: a first move if one is given, all else at random.
    pub fn play(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        first: Option<Move>,
        rng: &mut Rng,
    ) -> Option<Outcome> {
        let mut pos = self.pos.take().unwrap_or_else(|| at.pos.clone());
        pos.copy_from(at.pos);
        self.history.copy_from(at.history);
        match first {
            Some(number) => machine.play(&mut pos, number, &mut self.history, &mut self.moves),
            None => self.moves.clone_from(at.moves),
        }
        play_out(machine, &mut pos, &mut self.history, &mut self.moves, rng, PLIES);
        let outcome = machine.outcome(&pos);
        self.pos = Some(pos);
        outcome
    }

    /// Adds to `out` the mean points of each player over so many playouts from the position itself.
    pub fn value(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        playouts: u32,
        rng: &mut Rng,
        out: &mut Vec<f64>,
    ) {
        let (players, sides) = (machine.layout().players, machine.program().sides());
        let from = out.len();
        out.resize(from + players, 0.0);
        for _ in 0..playouts {
            let outcome = self.play(machine, at, None, rng);
            for (player, sum) in out.iter_mut().skip(from).enumerate() {
                *sum += points(outcome, player, sides);
            }
        }
        out.iter_mut().skip(from).for_each(|sum| *sum /= f64::from(playouts.max(1)));
    }
}

/// The points of a player for an outcome of so many sides; none is a game that was cut.
pub fn points(outcome: Option<Outcome>, player: usize, sides: usize) -> f64 {
    outcome.unwrap_or(Outcome::Draw).points(Player(player as u8), sides)
}
