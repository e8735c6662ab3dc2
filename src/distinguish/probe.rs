//! Random games in lockstep: what breadth-first does not reach.
//!
//! Uniformly random moves seldom come to where a rare rule works. So games take turns in how they draw:
//!
//! - *evenly*: every legal move is as likely;
//! - *by decision*: a decision first, one that was seldom taken in this game before the others, then one
//!   of its moves: moves of a rare kind are made whenever they are there;
//! - *by effect*: a decision in the same way, then of some of its moves the one whose kind of effect this
//!   game saw least: which of the position's variables, beside the pieces, it changes.
//!
//! In the last two, decisions that read what differs count more than the others. Most games are cut early:
//! many of the things that happen once in a game happen in its first part, and long games cost most of the
//! time. Some go on to the end, for what counts up slowly. Each game has its own seed, for what is dealt and for what is drawn, and nothing passes from one
//! to another: the answer is the same on any number of threads.

use rayon::prelude::*;

use super::breadth::Workers;
use super::pair::{Both, Lockstep};
use crate::analysis::playout;
use crate::play::{Move, Position, Rng};
use crate::program::{Layout, slot};

/// How many games are played between two looks at what came out.
const AT_ONCE: u64 = 64;

/// Plies of a short game.
const SHORT: u32 = 60;

/// Of how many moves the one with the rarest effect is taken.
const DRAWN: usize = 4;

/// What the differing keys have to do with.
#[derive(Clone, Default, Debug)]
pub(super) struct Aims {
    /// Decisions of the first game, by number.
    pub decisions: Vec<bool>,
}

/// What the games gave.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Probe {
    /// The shortest line that was found, as moves of the first game, and its game's seed.
    pub found: Option<(Vec<Move>, u64)>,
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

/// Plays games until some differ, at most so many of at most so many plies. `start` makes the start of a
/// seed; where it has none, that game is left out.
pub(super) fn search(
    workers: &Workers<'_>,
    start: &(dyn Fn(&mut Lockstep, u64) -> Option<Both> + Sync),
    (games, depth): (u64, u32),
    seed: u64,
    aims: &Aims,
    tell: &(dyn Fn(u64, u64) + Sync),
) -> Probe {
    let mut out = Probe::default();
    while out.games < games && out.found.is_none() {
        let some: Vec<u64> = (out.games..games.min(out.games + AT_ONCE)).collect();
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
        for (i, game) in some.iter().zip(played) {
            let Some(game) = game else { continue };
            out.plies += game.line.len() as u64;
            out.ended += u64::from(game.ended);
            let shorter = out.found.as_ref().is_none_or(|(line, _)| game.line.len() < line.len());
            if game.differs && shorter {
                out.found = Some((game.line, seed.wrapping_add(*i)));
            }
        }
        tell(out.games, out.plies);
    }
    out
}

fn play(pair: &mut Lockstep, mut at: Both, rng: &mut Rng, depth: u32, game: u64, aims: &Aims) -> Played {
    let mut out = Played { line: Vec::new(), differs: false, ended: false };
    pair.begin(&at);
    let mut habits = Habits::new(pair, aims);
    let depth = match game / 4 % 4 {
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
        let m = match (pair.a.moves.is_chance(), game % 4) {
            (true, _) | (_, 0) => playout::draw(&mut pair.a.machine, &at.a, &pair.a.moves, rng),
            (_, 1) => habits.by_decision(pair, rng),
            _ => habits.by_effect(pair, &at.a, rng),
        };
        let Some(m) = m else {
            out.ended = true;
            return out;
        };
        let Some(other) = pair.partner(m) else { return out };
        out.line.push(m);
        pair.play(&mut at, (m, other));
    }
}

/// What one game did so far.
struct Habits<'a> {
    aims: &'a Aims,
    /// How often each decision was taken; the last is the pass.
    taken: Vec<u32>,
    /// How often each kind of effect was seen.
    effects: std::collections::HashMap<u64, u32>,
    /// For each legal move its decision.
    of: Vec<(usize, Move)>,
    scratch: Option<Position>,
}

impl<'a> Habits<'a> {
    fn new(pair: &Lockstep, aims: &'a Aims) -> Habits<'a> {
        let decisions = pair.a.game.program.decisions.len();
        Habits {
            aims,
            taken: vec![0; decisions + 1],
            effects: std::collections::HashMap::new(),
            of: Vec::new(),
            scratch: None,
        }
    }

    fn decision(&self, pair: &Lockstep, m: Move) -> usize {
        let leaves = &pair.a.game.program.leaves;
        let at = leaves.partition_point(|leaf| leaf.base <= m.0);
        let leaf = at.checked_sub(1).and_then(|i| leaves.get(i));
        leaf.and_then(|leaf| leaf.decision).unwrap_or(self.taken.len() - 1)
    }

    /// Fills in the legal moves of a decision that was seldom taken.
    fn rare(&mut self, pair: &Lockstep, rng: &mut Rng) {
        let mut of = std::mem::take(&mut self.of);
        of.clear();
        of.extend(pair.a.moves.iter().map(|m| (self.decision(pair, m), m)));
        // A share for each decision that is there, the less the more often it was taken.
        let mut shares = vec![0_usize; self.taken.len()];
        for (decision, _) in &of {
            let aimed = self.aims.decisions.get(*decision).copied().unwrap_or(false);
            shares[*decision] = (1 << 16) * if aimed { 4 } else { 1 } / (1 + self.taken[*decision] as usize);
        }
        let mut left = rng.pick(shares.iter().sum());
        let chosen = shares.iter().position(|share| {
            let here = left < *share;
            left = left.saturating_sub(*share);
            here
        });
        if let Some(chosen) = chosen {
            self.taken[chosen] += 1;
            of.retain(|(decision, _)| *decision == chosen);
        }
        self.of = of;
    }

    fn by_decision(&mut self, pair: &Lockstep, rng: &mut Rng) -> Option<Move> {
        self.rare(pair, rng);
        self.of.get(rng.pick(self.of.len())).map(|(_, m)| *m)
    }

    fn by_effect(&mut self, pair: &mut Lockstep, at: &Position, rng: &mut Rng) -> Option<Move> {
        self.rare(pair, rng);
        let mut best: Option<(u32, u64, Move)> = None;
        for _ in 0..DRAWN.min(self.of.len()) {
            let (_, m) = *self.of.get(rng.pick(self.of.len()))?;
            let mut after = self.scratch.take().unwrap_or_else(|| at.clone());
            after.copy_from(at);
            pair.a.machine.apply(&mut after, m);
            let kind = effect(pair.a.machine.layout(), at, &after);
            self.scratch = Some(after);
            let seen = self.effects.get(&kind).copied().unwrap_or(0);
            if best.is_none_or(|(least, ..)| seen < least) {
                best = Some((seen, kind, m));
            }
        }
        let (_, kind, m) = best?;
        *self.effects.entry(kind).or_default() += 1;
        Some(m)
    }
}

/// Which variables beside the pieces a move changes, as a number: those of a definition's own.
fn effect(layout: &Layout, before: &Position, after: &Position) -> u64 {
    let pieces = &layout.pieces;
    let owners = layout.players + usize::from(pieces.neutral);
    let of_pieces = |layer: usize| {
        let within =
            |base: Option<usize>, count: usize| base.is_some_and(|b| (b..b + count).contains(&layer));
        within(pieces.kind_base, pieces.kinds)
            || within(pieces.owner_base, owners)
            || within(Some(pieces.level_base), pieces.levels)
    };
    let mut out = 0_u64;
    let mut note = |changed: bool, at: usize| {
        if changed {
            out ^= 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(at as u64 + 1).rotate_left(at as u32);
        }
    };
    for layer in (0..layout.layers.len()).filter(|l| !of_pieces(*l)) {
        let (old, new) = (before.layer(layout, layer), after.layer(layout, layer));
        note(old != new, 2 * layer);
        // What is there afterwards is another kind of effect than that it is gone.
        note(old != new && new.iter().any(|w| *w != 0), 2 * layer + 1);
    }
    for at in slot::COUNT..layout.slots.len() {
        note(before.slot(layout, at) != after.slot(layout, at), 4096 + at);
    }
    out
}
