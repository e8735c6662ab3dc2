//! Random games in lockstep: what breadth-first does not reach.
//!
//! Uniformly random moves seldom come to where a rare rule works. So games take turns in how they draw: see
//! [`Way`](super::habits::Way). Drawing by decision or by effect makes moves of a rare kind whenever they are
//! there, and decisions that read what differs count more than the others. Moves back and forth bring
//! positions again; few pieces and few moves are where games end.
//!
//! Most games are cut early: many of the things that happen once in a game happen in its first part, and long
//! games cost most of the time. Some go on to the end, for what counts up slowly. Once a game differs, some
//! more are played for a shorter line. Each game has its own seed, for what is dealt and for what is drawn,
//! and nothing passes from one to another: the answer is the same on any number of threads.

use rayon::prelude::*;

use super::breadth::Workers;
use super::habits::{Habits, WAYS};
use super::pair::{Both, Lockstep};
use crate::play::{Move, Rng};

/// How many games are played between two looks at what came out.
const AT_ONCE: u64 = 64;

/// How many games more are played for a shorter line, at least.
const MORE: u64 = 128;

/// How many lines are kept.
const KEPT: usize = 4;

/// Plies of a short game.
const SHORT: u32 = 60;

/// What the differing keys have to do with.
#[derive(Clone, Default, Debug)]
pub(super) struct Aims {
    /// Decisions of the first game, by number.
    pub decisions: Vec<bool>,
}

/// What the games gave.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Probe {
    /// The shortest lines that were found, as moves of the first game, each with its game's seed.
    pub found: Vec<(Vec<Move>, u64)>,
    /// Games played.
    pub games: u64,
    /// Plies played.
    pub plies: u64,
    /// Games that came to their end.
    pub ended: u64,
}

/// One game.
struct Played {
    line: Vec<Move>,
    differs: bool,
    ended: bool,
}

/// Plays games until some differ, at most so many of at most so many plies, then some more of fewer plies.
/// `start` makes the start of a seed; where it has none, that game is left out.
pub(super) fn search(
    workers: &Workers<'_>,
    start: &(dyn Fn(&mut Lockstep, u64) -> Option<Both> + Sync),
    (games, mut depth): (u64, u32),
    seed: u64,
    aims: &Aims,
    tell: &(dyn Fn(u64, u64) + Sync),
) -> Probe {
    let mut out = Probe::default();
    let mut last = games;
    while out.games < last {
        let some: Vec<u64> = (out.games..last.min(out.games + AT_ONCE)).collect();
        out.games += some.len() as u64;
        let played: Vec<Option<Played>> = some
            .par_iter()
            .map(|i| {
                workers.with(|pair| {
                    let seed = seed.wrapping_add(*i);
                    let at = start(pair, seed)?;
                    Some(play(pair, at, &mut Rng::new(seed), depth, *i, aims))
                })
            })
            .collect();
        let first = out.found.is_empty();
        for (i, game) in some.iter().zip(played) {
            let Some(game) = game else { continue };
            out.plies += game.line.len() as u64;
            out.ended += u64::from(game.ended);
            if game.differs {
                out.found.push((game.line, seed.wrapping_add(*i)));
            }
        }
        out.found.sort_by_key(|(line, _)| line.len());
        out.found.truncate(KEPT);
        if let Some((line, _)) = out.found.first() {
            depth = depth.min(line.len() as u32);
            if first {
                last = games.min(out.games + out.games.max(MORE));
            }
        }
        tell(out.games, out.plies);
    }
    out
}

fn play(pair: &mut Lockstep, mut at: Both, rng: &mut Rng, depth: u32, game: u64, aims: &Aims) -> Played {
    let mut out = Played { line: Vec::new(), differs: false, ended: false };
    pair.begin(&at);
    let mut habits = Habits::new(pair, &at.a, aims, game);
    let ways = WAYS.len() as u64;
    let way = WAYS[(game % ways) as usize];
    let depth = match game / ways % 4 {
        0 => depth,
        1 => depth.min(2 * SHORT),
        _ => depth.min(SHORT),
    };
    loop {
        if !pair.agree(&at) {
            out.differs = true;
            return out;
        }
        if out.line.len() as u64 >= u64::from(depth) {
            return out;
        }
        let Some(m) = habits.draw(pair, &at, way, rng) else {
            out.ended = true;
            return out;
        };
        let Some(other) = pair.partner(m) else { return out };
        out.line.push(m);
        pair.play(&mut at, (m, other));
    }
}
