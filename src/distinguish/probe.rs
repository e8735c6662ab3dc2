//! Random games in lockstep: they reach positions that breadth-first does not.
//!
//! Uniformly random moves seldom come to where a rare rule works. So games take turns in how they draw: see
//! [`Way`](super::habits::Way). Drawing by decision or by effect makes moves of a rare kind whenever they are
//! there, and decisions that read a changed key count more than the others. Moves back and forth bring
//! positions again; few pieces and few moves are where games end.
//!
//! Most games are cut early: many of the things that happen once in a game happen in its first part, and long
//! games cost most of the time. Some go on to the end, for counters that rise slowly.
//!
//! Once a game differs, others leave its line somewhere and go on in its way, for a shorter line, until
//! [`MORE`] of them in a row found none. Each game has its own seed, for what is dealt and for what is drawn,
//! and only whole batches of games pass on what they found: the answer is the same on any number of threads.

use rayon::prelude::*;

use super::breadth::Workers;
use super::habits::{Habits, WAYS, Way};
use super::pair::{Both, Lockstep};
use crate::play::{Move, Rng};

/// How many games are played between two looks at the results.
const AT_ONCE: u64 = 64;

/// The search stops after so many games in a row without a shorter line.
const MORE: u64 = 128;

/// How many lines are kept.
const MAX_LINES: usize = 4;

/// Plies of a short game.
const SHORT: u32 = 60;

/// The result of the games.
#[derive(Default)]
pub(super) struct Probe {
    /// The games with the shortest lines that tell the two apart.
    pub found: Vec<Played>,
    /// Games played.
    pub games: u64,
    /// Plies played.
    pub plies: u64,
    /// Games that came to their end.
    pub ended: u64,
}

/// One game.
pub(super) struct Played {
    /// The moves of the first of the two games.
    pub line: Vec<Move>,
    /// The seed of its deal.
    pub seed: u64,
    way: Way,
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
    aims: &[bool],
    tell: &(dyn Fn(u64, u64) -> bool + Sync),
) -> Probe {
    let mut out = Probe::default();
    let mut idle = 0;
    let start_differs = |out: &Probe| out.found.first().is_some_and(|found| found.line.is_empty());
    while out.games < games && idle < MORE && !start_differs(&out) {
        let some: Vec<u64> = (out.games..games.min(out.games + AT_ONCE)).collect();
        let found = &out.found;
        let played: Vec<Option<Played>> = some
            .par_iter()
            .map(|game| {
                workers.with(|pair| {
                    let mut rng = Rng::new(seed.wrapping_add(*game));
                    let from = found.get(rng.pick(found.len().max(1)));
                    let seed = from.map_or(seed.wrapping_add(*game), |from| from.seed);
                    let at = start(pair, seed)?;
                    Some(play(pair, at, (&mut rng, seed), depth, *game, aims, from))
                })
            })
            .collect();
        out.games += some.len() as u64;
        let shortest = |found: &[Played]| found.first().map_or(usize::MAX, |found| found.line.len());
        let before = shortest(&out.found);
        for game in played.into_iter().flatten() {
            out.plies += game.line.len() as u64;
            out.ended += u64::from(game.ended);
            out.found.extend(Some(game).filter(|game| game.differs));
        }
        out.found.sort_by_key(|found| found.line.len());
        out.found.truncate(MAX_LINES);
        let after = shortest(&out.found);
        idle = if after < before || out.found.is_empty() { 0 } else { idle + AT_ONCE };
        depth = depth.min(u32::try_from(after.saturating_sub(1)).unwrap_or(u32::MAX));
        if !tell(out.games, out.plies) {
            break;
        }
    }
    out
}

fn play(
    pair: &mut Lockstep,
    mut at: Both,
    (rng, seed): (&mut Rng, u64),
    depth: u32,
    game: u64,
    aims: &[bool],
    from: Option<&Played>,
) -> Played {
    let ways = WAYS.len() as u64;
    let way = from.map_or(WAYS[(game % ways) as usize], |from| from.way);
    let before = from.map_or(&[][..], |from| &from.line[..rng.pick(from.line.len())]);
    let mut out = Played { line: Vec::new(), seed, way, differs: false, ended: false };
    pair.begin(&at);
    let mut habits = Habits::new(pair, &at.a, aims, game);
    let depth = match game / ways % 4 {
        _ if from.is_some() => depth,
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
        let known = before.get(out.line.len()).copied();
        let Some(m) = known.or_else(|| habits.draw(pair, &at, way, rng)) else {
            out.ended = true;
            return out;
        };
        if pair.follow(&mut at, m).is_none() {
            return out;
        }
        out.line.push(m);
    }
}
