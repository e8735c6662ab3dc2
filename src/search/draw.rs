//! Drawing: a move by chance alone.

use crate::play::{Machine, Move, Moves, Position, Rng};

/// Draws a move: at a chance node by the weights, else evenly.
pub fn draw(machine: &mut Machine, pos: &Position, moves: &Moves, rng: &mut Rng) -> Option<Move> {
    if moves.is_empty() {
        return None;
    }
    if !moves.is_chance() {
        return moves.nth(rng.pick(moves.len()));
    }
    let mut total: usize = 0;
    for m in moves.iter() {
        total = total.saturating_add(machine.chance_weight(pos, m).max(0) as usize);
    }
    if total == 0 {
        return moves.nth(rng.pick(moves.len()));
    }
    let mut left = rng.pick(total);
    for m in moves.iter() {
        let weight = machine.chance_weight(pos, m).max(0) as usize;
        if left < weight {
            return Some(m);
        }
        left -= weight;
    }
    None
}
