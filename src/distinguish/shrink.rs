//! A line of a random game made short.
//!
//! Stretches of the line are left out, long ones first, and what is then no longer legal is left out as
//! well. Whatever still leads to a difference by fewer plies takes the place of the line. What comes out
//! is short, not proved shortest.

use super::pair::{Both, Lockstep};
use crate::play::Move;

/// How many plies are played at most.
const MOST: u64 = 300_000;

/// A line that is no longer and leads to a difference too.
pub(super) fn shrink(pair: &mut Lockstep, start: &Both, line: &[Move]) -> Vec<Move> {
    let mut best = line.to_vec();
    let mut plies = 0;
    let mut size = best.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        let before = best.len();
        while at < best.len() {
            if plies > MOST {
                return best;
            }
            let end = (at + size).min(best.len());
            let rest: Vec<Move> = best[..at].iter().chain(&best[end..]).copied().collect();
            match retrace(pair, start, &rest, &mut plies) {
                Some(shorter) if shorter.len() < best.len() => best = shorter,
                _ => at += if size > 8 { size / 2 } else { 1 },
            }
        }
        // What could not be left out before may go now.
        size = if best.len() < before { size.min(best.len()) } else { size / 2 };
    }
    best
}

/// Plays of a line what is legal, up to the first difference.
fn retrace(pair: &mut Lockstep, start: &Both, line: &[Move], plies: &mut u64) -> Option<Vec<Move>> {
    let mut at = start.clone();
    let mut played = Vec::with_capacity(line.len());
    pair.begin(&at);
    for m in line {
        if !pair.agree(&at) {
            return Some(played);
        }
        if !pair.a.moves.contains(*m) {
            continue;
        }
        let other = pair.partner(*m)?;
        pair.play(&mut at, (*m, other));
        played.push(*m);
        *plies += 1;
    }
    (!pair.agree(&at)).then_some(played)
}
