//! Drawing: moves by chance alone.

use crate::play::{History, Machine, Move, Moves, Position, Rng, Roamed};

/// Draws a move: at a chance node by the weights, else evenly.
pub fn draw(machine: &mut Machine, pos: &Position, moves: &Moves, rng: &mut Rng) -> Option<Move> {
    if moves.is_empty() {
        return None;
    }
    if !moves.is_chance() {
        return moves.nth(rng.pick(moves.len()));
    }
    let weights = machine.chance_weights(pos, moves.iter());
    let total = weights.iter().fold(0_usize, |sum, weight| sum.saturating_add(*weight as usize));
    if total == 0 {
        return moves.nth(rng.pick(moves.len()));
    }
    let mut left = rng.pick(total);
    let drawn = weights.iter().position(|weight| {
        let here = left < *weight as usize;
        left = left.saturating_sub(*weight as usize);
        here
    });
    moves.nth(drawn?)
}

/// Plays moves drawn by chance from a resolved position whose moves are given, until the game is over or so
/// many plies were made.
pub fn play_out(
    machine: &mut Machine,
    pos: &mut Position,
    history: &mut History,
    moves: &mut Moves,
    rng: &mut Rng,
    most: u32,
) -> Roamed {
    let mut all = Roamed::default();
    while all.plies < most {
        let some = machine.roam(pos, history, moves, rng, most - all.plies);
        all.plies += some.plies;
        all.choices += some.choices;
        // The other plies are made one by one.
        if some.plies == 0 {
            let Some(number) = draw(machine, pos, moves, rng) else { break };
            all.plies += 1;
            all.choices += moves.len() as u64;
            machine.play(pos, number, history, moves);
        }
    }
    all
}
