//! In which order moves are looked at: the better the first ones are, the less there is to look at.

use crate::play::Move;

/// A move that is to be looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub number: Move,
    /// The higher, the earlier.
    pub promise: i32,
    /// See [`super::gain`].
    pub class: usize,
    /// How much the evaluation is expected to rise.
    pub rise: i32,
    /// Whether it is expected to be loud.
    pub loud: bool,
}

/// Brings the best of those from `from` on to that place.
pub(super) fn next(picks: &mut [Pick], from: usize) -> Option<Pick> {
    let rest = picks.get_mut(from..)?;
    let mut best = 0;
    for (i, pick) in rest.iter().enumerate().skip(1) {
        if rest.get(best).is_some_and(|known| pick.promise > known.promise) {
            best = i;
        }
    }
    rest.swap(0, best);
    rest.first().copied()
}

/// Numbers of moves fall on so many places.
const PLACES: usize = 1 << 14;

/// A history value reaches no further than this.
const HIGHEST: i32 = 1 << 13;

const BEST: i32 = 1 << 30;
const LOUD: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;

/// What was good elsewhere: killers at the same distance from the root, history for each side.
#[derive(Clone, Debug)]
pub(super) struct Orders {
    killers: Vec<[Option<Move>; 2]>,
    history: [Vec<i32>; 2],
    /// How long the history of turn starts was before a move, by ply.
    lengths: Vec<usize>,
}

fn place(number: Move) -> usize {
    number.0.wrapping_mul(0x9e37_79b1) as usize >> (32 - 14)
}

impl Orders {
    pub fn new() -> Orders {
        let none = || vec![0; PLACES];
        Orders { killers: Vec::new(), history: [none(), none()], lengths: Vec::new() }
    }

    /// A new search begins: what was good counts half.
    pub fn grow_older(&mut self) {
        self.killers.clear();
        self.history.iter_mut().flatten().for_each(|value| *value /= 2);
    }

    /// What a move promises.
    pub fn promise(
        &self,
        ply: usize,
        side: usize,
        number: Move,
        rise: i32,
        loud: bool,
        best: Option<Move>,
    ) -> i32 {
        if best == Some(number) {
            return BEST;
        }
        let rise = rise.clamp(-(1 << 20), 1 << 20);
        if loud && rise >= 0 {
            return LOUD + rise;
        }
        if self.killers.get(ply).is_some_and(|pair| pair.contains(&Some(number))) {
            return KILLER;
        }
        let history = self.history.get(side).and_then(|h| h.get(place(number))).copied().unwrap_or(0);
        history + rise / 4
    }

    /// A move was too good to look further: it is remembered, and those before it that were not are too.
    pub fn reward(&mut self, ply: usize, side: usize, good: Pick, depth: i32, before: Option<&[Pick]>) {
        let bonus = (depth.max(1) * depth.max(1) * 8).min(HIGHEST / 4);
        let Some(history) = self.history.get_mut(side) else { return };
        let mut add = |number: Move, bonus: i32| {
            if let Some(value) = history.get_mut(place(number)) {
                // The nearer the bound, the less is added.
                *value += bonus - *value * bonus.abs() / HIGHEST;
            }
        };
        add(good.number, bonus);
        before.unwrap_or(&[]).iter().for_each(|pick| add(pick.number, -bonus));
        if good.loud {
            return;
        }
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        if let Some(pair) = self.killers.get_mut(ply)
            && pair[0] != Some(good.number)
        {
            *pair = [Some(good.number), pair[0]];
        }
    }

    /// Notes how long the history is before the move of a ply.
    pub fn note(&mut self, ply: usize, length: usize) {
        if self.lengths.len() <= ply {
            self.lengths.resize(ply + 1, 0);
        }
        if let Some(to) = self.lengths.get_mut(ply) {
            *to = length;
        }
    }

    /// What was noted.
    pub fn noted(&self, ply: usize) -> usize {
        self.lengths.get(ply).copied().unwrap_or(0)
    }
}
