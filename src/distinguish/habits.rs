//! How random games draw their moves.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use super::pair::{Both, Lockstep};
use crate::analysis::playout;
use crate::play::{Move, Position, Rng};
use crate::program::{Layout, slot};

/// The move with the rarest effect is taken from so many.
const EFFECTS_TRIED: usize = 4;

/// How many moves are tried in both games, to see what they leave.
const MOVES_TRIED: usize = 16;

/// How many answers to each are tried.
const REPLIES_TRIED: usize = 6;

/// How many moves are made at most to see how the pieces stand after them.
const MAX_LOOKED_AT: usize = 64;

/// How a game draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Every legal move is as likely.
    Evenly,
    /// A decision first, one that was seldom taken in this game before the others, then one of its moves.
    ByDecision,
    /// As before, then of some moves the one whose kind of effect this game saw least.
    ByEffect,
    /// A move after which the mover's own pieces stand as they stood before, the more often the rather.
    BackAndForth,
    /// A move that leaves the fewest pieces.
    FewPieces,
    /// Of some moves the one that leaves one player, the same in all of a game, the fewest moves: all help to
    /// bring that about. One that tells the games apart goes before all.
    FewMoves,
}

/// The games' ways, in turn.
pub(super) const WAYS: [Way; 8] = [
    Way::Evenly,
    Way::ByDecision,
    Way::ByEffect,
    Way::ByEffect,
    Way::BackAndForth,
    Way::FewPieces,
    Way::FewMoves,
    Way::ByDecision,
];

/// What one game did so far.
pub(super) struct Habits<'a> {
    /// Whether each decision reads a key that differs between the two games; empty where all do.
    aims: &'a [bool],
    /// How often each decision was taken; the last is the pass.
    taken: Vec<u32>,
    /// How often each kind of effect was seen.
    effects: HashMap<u64, u32>,
    /// For each legal move its decision.
    of: Vec<(usize, Move)>,
    /// How often the pieces of a player stood so, by player and pieces.
    stood: HashMap<u64, u32>,
    /// Who is to have few moves.
    player: usize,
    scratch: Option<Position>,
}

impl<'a> Habits<'a> {
    /// The habits of a game that starts at a position; `game` is its number.
    pub fn new(pair: &Lockstep, at: &Position, aims: &'a [bool], game: u64) -> Habits<'a> {
        let program = &pair.a.game.program;
        let layout = &program.layout;
        Habits {
            aims,
            taken: vec![0; program.decisions.len() + 1],
            effects: HashMap::new(),
            of: Vec::new(),
            stood: (0..layout.players).map(|player| (stand(layout, at, player), 1)).collect(),
            player: (game / WAYS.len() as u64) as usize % layout.players.max(1),
            scratch: None,
        }
    }

    /// Draws one of the legal moves, which are filled in and agree; none if there is none.
    pub fn draw(&mut self, pair: &mut Lockstep, at: &Both, way: Way, rng: &mut Rng) -> Option<Move> {
        // The seed draws moves of chance by their odds.
        let way = if pair.a.moves.is_chance() { Way::Evenly } else { way };
        match way {
            Way::Evenly => playout::draw(&mut pair.a.machine, &at.a, &pair.a.moves, rng),
            Way::ByDecision => self.by_decision(pair, rng),
            Way::ByEffect => self.by_effect(pair, &at.a, rng),
            Way::BackAndForth => self.back_and_forth(pair, &at.a, rng),
            Way::FewPieces => {
                let left = self.after(pair, &at.a, some(pair, MAX_LOOKED_AT, rng), pieces);
                left.into_iter().min_by_key(|(pieces, _)| *pieces).map(|(_, m)| m)
            }
            Way::FewMoves => few_moves(pair, at, self.player, rng),
        }
    }

    /// A number for what each of some moves leaves, before the rest of its turn.
    fn after<T>(
        &mut self,
        pair: &mut Lockstep,
        at: &Position,
        moves: Vec<Move>,
        number: impl Fn(&Layout, &Position) -> T,
    ) -> Vec<(T, Move)> {
        let after = self.scratch.get_or_insert_with(|| at.clone());
        let mut one = |m: Move| {
            after.copy_from(at);
            pair.a.machine.apply(after, m);
            (number(pair.a.machine.layout(), after), m)
        };
        moves.into_iter().map(&mut one).collect()
    }

    fn back_and_forth(&mut self, pair: &mut Lockstep, at: &Position, rng: &mut Rng) -> Option<Move> {
        let mover = pair.a.moves.mover().index();
        let list = some(pair, MAX_LOOKED_AT, rng);
        let list = self.after(pair, at, list, |layout, after| stand(layout, after, mover));
        let often = |how: &u64| self.stood.get(how).copied().unwrap_or(0);
        let (how, m) = list.into_iter().min_by_key(|(how, _)| Reverse(often(how)))?;
        *self.stood.entry(how).or_default() += 1;
        Some(m)
    }

    fn decision(&self, pair: &Lockstep, m: Move) -> usize {
        let program = &pair.a.game.program;
        let leaf = program.leaf_of(m.0).and_then(|leaf| program.leaves.get(leaf));
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
            let aimed = self.aims.get(*decision).copied().unwrap_or(false);
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
        let draw = |_| self.of.get(rng.pick(self.of.len())).map(|(_, m)| *m);
        let drawn = (0..EFFECTS_TRIED.min(self.of.len())).filter_map(draw).collect();
        let kinds = self.after(pair, at, drawn, |layout, after| effect(layout, at, after));
        let seen = |kind: &u64| self.effects.get(kind).copied().unwrap_or(0);
        let (kind, m) = kinds.into_iter().min_by_key(|(kind, _)| seen(kind))?;
        *self.effects.entry(kind).or_default() += 1;
        Some(m)
    }
}

/// So many of the legal moves at most, in no order.
fn some(pair: &Lockstep, most: usize, rng: &mut Rng) -> Vec<Move> {
    let mut list: Vec<Move> = pair.a.moves.iter().collect();
    for i in 0..most.min(list.len()) {
        let other = i + rng.pick(list.len() - i);
        list.swap(i, other);
    }
    list.truncate(most);
    list
}

/// Of some moves the one that leaves a player the fewest moves, without ending the game; one that tells the
/// games apart before all. The moves of the position are filled in again.
fn few_moves(pair: &mut Lockstep, at: &Both, player: usize, rng: &mut Rng) -> Option<Move> {
    let best = least(pair, at, MOVES_TRIED, rng, &mut |pair, next, rng| {
        if pair.a.moves.mover().index() == player {
            return pair.a.moves.len();
        }
        // Somebody else comes first, and helps.
        let after = least(pair, next, REPLIES_TRIED, rng, &mut |pair, _, _| pair.a.moves.len());
        after.map_or(usize::MAX, |(left, _)| left)
    });
    pair.look(at);
    pair.agree(at);
    best.map(|(_, m)| m)
}

/// What some moves are worth: a number for what they leave, which is made of a position that agrees and goes
/// on.
type Worth<'w> = dyn FnMut(&mut Lockstep, &Both, &mut Rng) -> usize + 'w;

/// The least worth of some moves, with its move.
fn least(
    pair: &mut Lockstep,
    at: &Both,
    most: usize,
    rng: &mut Rng,
    worth: &mut Worth<'_>,
) -> Option<(usize, Move)> {
    let list = some(pair, most, rng);
    let both: Vec<(Move, Move)> = list.into_iter().filter_map(|m| Some((m, pair.partner(m)?))).collect();
    let held = (pair.a.history.len(), pair.b.history.len());
    let mut best: Option<(usize, Move)> = None;
    for (m, other) in both {
        let mut next = at.clone();
        pair.play(&mut next, (m, other));
        let left = match pair.agree(&next) {
            false => 0,
            true if pair.a.moves.is_empty() => usize::MAX,
            true => worth(pair, &next, rng),
        };
        pair.a.history.truncate(held.0);
        pair.b.history.truncate(held.1);
        if best.is_none_or(|(least, _)| left < least) {
            best = Some((left, m));
        }
    }
    best
}

/// How the pieces of a player stand, as a number.
fn stand(layout: &Layout, at: &Position, player: usize) -> u64 {
    let pieces = &layout.pieces;
    let own = pieces.owner_base.map(|base| at.layer(layout, base + player));
    let kinds = pieces.kind_base.map_or(0..0, |base| base..base + pieces.kinds);
    let mut hasher = DefaultHasher::new();
    hasher.write_usize(player);
    own.into_iter().flatten().for_each(|word| hasher.write_u64(*word));
    for layer in kinds.chain(pieces.level_base..pieces.level_base + pieces.levels) {
        for (i, word) in at.layer(layout, layer).iter().enumerate() {
            hasher.write_u64(word & own.and_then(|own| own.get(i)).unwrap_or(&u64::MAX));
        }
    }
    hasher.finish()
}

/// How many pieces there are.
fn pieces(layout: &Layout, at: &Position) -> u32 {
    let pieces = &layout.pieces;
    let owners = layout.players + usize::from(pieces.neutral);
    let first = match (pieces.owner_base, pieces.kind_base) {
        (Some(base), _) => base..base + owners,
        (None, base) => base.map_or(0..0, |base| base..base + pieces.kinds),
    };
    let layers = first.chain(pieces.level_base..pieces.level_base + pieces.levels);
    layers.flat_map(|layer| at.layer(layout, layer)).map(|word| word.count_ones()).sum()
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
        // A set that is emptied is another kind of effect than one that is not empty afterwards.
        note(old != new && new.iter().any(|w| *w != 0), 2 * layer + 1);
    }
    for at in slot::COUNT..layout.slots.len() {
        note(before.slot(layout, at) != after.slot(layout, at), 4096 + at);
    }
    out
}
