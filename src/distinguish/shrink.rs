//! A line of a random game made short.
//!
//! Two things are tried in turn until neither helps:
//!
//! - *Plies are left out*: stretches of the line, long ones first, then one ply of each of two players. Each
//!   player makes the plies that are left of their own in order; what is then no longer legal is left out too.
//! - *Another way is sought*: from positions on the line breadth-first looks for any difference that is nearer
//!   than the end of the line. It does not know the plies before, so what it finds is played from the start.
//!
//! A line with fewer plies that leads to a difference replaces the line. The result is short; it is not proved to
//! be the shortest.

use std::collections::BTreeMap;

use super::breadth::{self, Limits, Workers};
use super::pair::{Both, Lockstep};
use crate::ids::Player;
use crate::play::Move;

/// How many plies are played at most.
const MAX_PLIES: u64 = 300_000;

/// How many pairs of positions are compared from one position on the line.
const AROUND: u64 = 500;

/// Two plies are left out together if they are at most so far apart.
const APART: usize = 16;

/// A ply: who made it (none: the seed), and the move.
type Ply = (Option<Player>, Move);

/// A line that is no longer and leads to a difference too. At most `positions` pairs are compared for it.
pub(super) fn shrink(
    workers: &Workers<'_>,
    pair: &mut Lockstep,
    start: &Both,
    line: &[Move],
    positions: u64,
) -> Vec<Move> {
    let mut shrink = Shrink { pair, start, plies: 0, positions };
    let all = line.iter().map(|m| (None, *m)).collect::<Vec<Ply>>();
    // Who makes each ply is seen when the line is played.
    let Some(mut best) = shrink.retrace(&all, false) else { return line.to_vec() };
    loop {
        shrink.leave_out(&mut best);
        match shrink.other_way(workers, &best) {
            Some(shorter) => best = shorter,
            None => return best.into_iter().map(|(_, m)| m).collect(),
        }
    }
}

struct Shrink<'a> {
    pair: &'a mut Lockstep,
    start: &'a Both,
    plies: u64,
    positions: u64,
}

impl Shrink<'_> {
    fn leave_out(&mut self, best: &mut Vec<Ply>) {
        let mut size = best.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            let before = best.len();
            while at < best.len() {
                if !self.without(best, |i| (at..at + size).contains(&i)) {
                    at += if size > 8 { size / 2 } else { 1 };
                }
            }
            // A stretch that was needed before may be needed no more.
            size = if best.len() < before { size.min(best.len()) } else { size / 2 };
        }
        let mut at = 0;
        while at < best.len() {
            let others = (at + 1..best.len().min(at + APART)).filter(|j| best[*j].0 != best[at].0);
            let others: Vec<usize> = others.collect();
            let found = others.into_iter().any(|other| self.without(best, |i| i == at || i == other));
            at = if found { 0 } else { at + 1 };
        }
    }

    /// Leaves some plies out, if what is left leads to a difference too.
    fn without(&mut self, best: &mut Vec<Ply>, out: impl Fn(usize) -> bool) -> bool {
        if self.plies > MAX_PLIES {
            return false;
        }
        let rest: Vec<Ply> = best.iter().enumerate().filter(|(i, _)| !out(*i)).map(|(_, ply)| *ply).collect();
        let shorter = self.retrace(&rest, true).filter(|shorter| shorter.len() < best.len());
        shorter.map(|shorter| *best = shorter).is_some()
    }

    /// A shorter line that leaves this one somewhere.
    fn other_way(&mut self, workers: &Workers<'_>, best: &[Ply]) -> Option<Vec<Ply>> {
        let mut at = self.start.clone();
        self.pair.begin(&at);
        for (i, (_, m)) in best.iter().enumerate() {
            // The last ply but one leads to no line that is shorter than the rest.
            let left = best.len() - i;
            if left < 2 || self.positions == 0 {
                return None;
            }
            let depth = u32::try_from(left - 1).unwrap_or(u32::MAX);
            let limits = Limits { positions: AROUND.min(self.positions), depth, seen: None };
            let found = breadth::search(workers, &at, limits, &|_, _| true);
            self.positions = self.positions.saturating_sub(found.positions);
            if let Some(line) = found.line {
                let plies: Vec<Ply> =
                    best[..i].iter().copied().chain(line.into_iter().map(|m| (None, m))).collect();
                if let Some(shorter) = self.retrace(&plies, false).filter(|line| line.len() < best.len()) {
                    return Some(shorter);
                }
                self.go(&best[..i], &mut at)?;
            }
            self.pair.agree(&at);
            self.pair.follow(&mut at, *m)?;
        }
        None
    }

    /// Plays the plies of a line from the start.
    fn go(&mut self, line: &[Ply], at: &mut Both) -> Option<()> {
        *at = self.start.clone();
        self.pair.begin(at);
        for (_, m) in line {
            self.pair.agree(at);
            self.pair.follow(at, *m)?;
        }
        Some(())
    }

    /// Plays the legal plies of a line, up to the first difference. With `own` each player makes their own plies,
    /// else the player to move makes the next one.
    fn retrace(&mut self, line: &[Ply], own: bool) -> Option<Vec<Ply>> {
        let mut at = self.start.clone();
        let mut played = Vec::with_capacity(line.len());
        // How far each player is in the line.
        let mut done: BTreeMap<Option<u8>, usize> = BTreeMap::new();
        self.pair.begin(&at);
        while self.pair.agree(&at) {
            let moves = &self.pair.a.moves;
            let who = (!moves.is_chance()).then(|| moves.mover());
            let from = done.entry(who.filter(|_| own).map(|player| player.0)).or_default();
            let fits = |(by, m): &Ply| (!own || *by == who) && moves.contains(*m);
            let next = *from + line.get(*from..)?.iter().position(fits)?;
            *from = next + 1;
            let m = line[next].1;
            self.pair.follow(&mut at, m)?;
            played.push((who, m));
            self.plies += 1;
        }
        Some(played)
    }
}
