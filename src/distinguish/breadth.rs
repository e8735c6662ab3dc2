//! Breadth-first: every line of play, the shortest first.
//!
//! A pair of positions that was met before is not gone on from again. Where no rule asks how often a
//! position was seen that is exact: the continuations depend on the pair alone. Where one does, it depends
//! on the turn starts before, too. Let `k` be the least count that a rule tells from the counts below it
//! (`seen >= 3` gives 3). As long as no turn start lies on `k` levels of the search, no line of play can
//! come to the same turn start `k` times, whatever its history: merging is exact as well. The first level
//! on which that fails ends the search, which then begins anew with the history as a part of each pair.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rayon::prelude::*;

use super::pair::{Both, Lockstep};
use crate::play::Move;

/// How many pairs are expanded between two looks at the results.
const AT_ONCE: usize = 128;

/// The result of the search.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Breadth {
    /// The shortest line after which the two differ, as moves of the first game.
    pub line: Option<Vec<Move>>,
    /// Every line of at most so many plies was compared; none where not even the starts agree.
    pub depth: Option<u32>,
    /// Whether there are no longer lines.
    pub complete: bool,
    /// How many pairs of positions were compared.
    pub positions: u64,
}

/// How far to go.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Pairs of positions to compare.
    pub positions: u64,
    /// Plies of the longest line.
    pub depth: u32,
    /// The least count of a turn start that a rule tells from those below it; none where none asks.
    pub seen: Option<u32>,
}

/// A pair of machines for each thread.
pub(super) type Workers<'m> = crate::analysis::workers::Workers<'m, Lockstep>;

/// A pair to go on from.
struct Open {
    at: Both,
    /// Its place among all pairs that can be expanded.
    number: u32,
    /// The turn starts before, where they belong to the pair.
    before: [Vec<u64>; 2],
}

/// A pair that a move leads to, before the rest of its turn is looked at.
struct Child {
    by: Move,
    at: Both,
    print: u128,
}

/// The observable state of a pair.
struct Seen {
    agrees: bool,
    over: bool,
    /// A turn start, if one is.
    turn: Option<Turn>,
}

/// The hashes of a turn start in both games.
type Turn = [u64; 2];

/// Compares line by line.
pub(super) fn search(
    workers: &Workers<'_>,
    start: &Both,
    limits: Limits,
    tell: &(dyn Fn(u32, u64) -> bool + Sync),
) -> Breadth {
    let merged = run(workers, start, limits, false, tell);
    match merged {
        Ok(done) => done,
        Err(first) => match run(workers, start, limits, true, tell) {
            Ok(exact) if exact.line.is_some() || exact.depth >= first.depth => exact,
            _ => first,
        },
    }
}

/// One search; an error where merging ceased to be exact, with the depth proved before.
fn run(
    workers: &Workers<'_>,
    start: &Both,
    limits: Limits,
    exact: bool,
    tell: &(dyn Fn(u32, u64) -> bool + Sync),
) -> Result<Breadth, Breadth> {
    let mut done = Breadth { line: None, depth: None, complete: false, positions: 1 };
    let (first, agrees, over) = workers.with(|pair| {
        pair.look(start);
        let agrees = pair.agree(start);
        (pair.print(start), agrees, pair.a.moves.is_empty())
    });
    if !agrees {
        done.line = Some(Vec::new());
        return Ok(done);
    }
    done.depth = Some(0);
    // How each pair was reached: from which, by which move.
    let mut came: Vec<(u32, Move)> = vec![(0, Move(0))];
    // The positions that were met, with their turn start if they are one.
    let mut known: HashMap<u128, Option<Turn>> = HashMap::from([(first, None)]);
    // On how many levels each turn start was met, and on which last.
    let mut levels: HashMap<Turn, (u32, u32)> = HashMap::new();
    let starts =
        workers.with(|pair| [pair.a.machine.full_hash(&start.a), pair.b.machine.full_hash(&start.b)]);
    levels.insert(starts, (1, 0));
    let mut frontier = vec![Open { at: start.clone(), number: 0, before: starts.map(|hash| vec![hash]) }];
    if over {
        frontier.clear();
    }
    let keep = exact && limits.seen.is_some();
    while !frontier.is_empty() {
        let depth = done.depth.unwrap_or(0) + 1;
        if depth > limits.depth {
            return Ok(done);
        }
        let mut next: Vec<Open> = Vec::new();
        let mut again = false;
        // Whether a turn start is met on so many levels that a rule may tell.
        let mut meet = |turn: Option<Turn>| match (turn, limits.seen) {
            (Some(turn), Some(least)) if !exact => {
                let met = levels.entry(turn).or_insert((0, u32::MAX));
                if met.1 != depth {
                    *met = (met.0 + 1, depth);
                }
                met.0 >= least
            }
            _ => false,
        };
        for some in frontier.chunks(AT_ONCE) {
            let grown: Vec<Vec<Child>> =
                some.par_iter().map(|open| workers.with(|pair| children(pair, open, keep))).collect();
            let mut fresh: Vec<(&Open, Child)> = Vec::new();
            for (open, children) in some.iter().zip(grown) {
                for child in children {
                    match known.entry(child.print) {
                        Entry::Occupied(old) => again |= meet(*old.get()),
                        Entry::Vacant(free) => {
                            free.insert(None);
                            fresh.push((open, child));
                        }
                    }
                }
            }
            let seen: Vec<(Both, Seen)> = fresh
                .par_iter()
                .map(|(open, child)| workers.with(|pair| resolve(pair, open, child, keep)))
                .collect();
            for ((open, child), (at, seen)) in fresh.into_iter().zip(seen) {
                done.positions += 1;
                if !seen.agrees {
                    done.line = Some(line(&came, open.number, child.by));
                    return Ok(done);
                }
                again |= meet(seen.turn);
                known.insert(child.print, seen.turn);
                if seen.over {
                    continue;
                }
                let number = came.len() as u32;
                came.push((open.number, child.by));
                let mut before = if keep { open.before.clone() } else { Default::default() };
                if let Some(turn) = seen.turn.filter(|_| keep) {
                    before.iter_mut().zip(turn).for_each(|(before, hash)| before.push(hash));
                }
                next.push(Open { at, number, before });
            }
            if again {
                return Err(done);
            }
            if done.positions >= limits.positions || !tell(depth, done.positions) {
                return Ok(done);
            }
        }
        done.depth = Some(depth);
        frontier = next;
    }
    done.complete = true;
    Ok(done)
}

/// Makes all moves without resolving the turns after them: a pair that was met before need not be expanded again.
fn children(pair: &mut Lockstep, open: &Open, keep: bool) -> Vec<Child> {
    pair.look(&open.at);
    pair.agree(&open.at);
    let list: Vec<Move> = pair.a.moves.iter().collect();
    // The turn starts before, in any order.
    let sum = |list: &[u64]| {
        const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        list.iter().fold(0_u128, |s, h| s.wrapping_add((u128::from(*h) | 1 << 64).wrapping_mul(ODD)))
    };
    let before =
        if keep { sum(&open.before[0]).wrapping_add(sum(&open.before[1]).rotate_left(64)) } else { 0 };
    let mut out = Vec::with_capacity(list.len());
    for m in list {
        let Some(other) = pair.partner(m) else { continue };
        let mut at = open.at.clone();
        pair.a.machine.apply(&mut at.a, m);
        pair.b.machine.apply(&mut at.b, other);
        let print = pair.print(&at).wrapping_add(before);
        out.push(Child { by: m, at, print });
    }
    out
}

/// Goes on after a move and compares.
fn resolve(pair: &mut Lockstep, open: &Open, child: &Child, keep: bool) -> (Both, Seen) {
    let mut at = child.at.clone();
    for (half, before) in pair.halves().into_iter().zip(&open.before) {
        half.history.clear();
        before.iter().filter(|_| keep).for_each(|hash| half.history.push(*hash));
    }
    let held = pair.a.history.len();
    pair.resolve(&mut at);
    let agrees = pair.agree(&at);
    let turn =
        (pair.a.history.len() > held).then(|| pair.halves().map(|half| half.history.pop().unwrap_or(0)));
    (at, Seen { agrees, over: pair.a.moves.is_empty(), turn })
}

/// The moves that led to a pair, and one more.
fn line(came: &[(u32, Move)], mut at: u32, last: Move) -> Vec<Move> {
    let mut out = vec![last];
    while at != 0 {
        let (from, by) = came[at as usize];
        out.push(by);
        at = from;
    }
    out.reverse();
    out
}
