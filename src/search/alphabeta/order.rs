//! In which order moves are looked at: the better the first ones are, the less there is to look at.

use super::gain::Hope;
use crate::play::Move;

/// A move that is to be looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub number: Move,
    /// The higher, the earlier.
    pub promise: i32,
    /// See [`super::class`].
    pub class: u16,
    pub hope: Hope,
}

/// Brings the best of those from `from` on to that place.
pub(super) fn next(picks: &mut [Pick], from: usize) -> Option<Pick> {
    let rest = picks.get_mut(from..)?;
    let (mut best, mut highest) = (0, i32::MIN);
    for (i, pick) in rest.iter().enumerate() {
        if pick.promise > highest {
            (best, highest) = (i, pick.promise);
        }
    }
    if best > 0 {
        rest.swap(0, best);
    }
    rest.first().copied()
}

/// Numbers of moves fall on so many places.
const PLACES: usize = 1 << 14;

/// A history value reaches no further than this.
const HIGHEST: i32 = 1 << 13;

const LOUD: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;

/// Moves that were good elsewhere: killers at the same distance from the root, history for each side.
#[derive(Clone, Debug)]
pub(super) struct Orders {
    killers: Vec<[Option<Move>; 2]>,
    history: [Vec<i32>; 2],
}

#[inline]
fn place(number: Move) -> usize {
    number.0.wrapping_mul(0x9e37_79b1) as usize >> (32 - 14)
}

/// The killers and the history for the side that decides at a ply.
#[derive(Clone, Copy)]
pub(super) struct Custom<'a> {
    killers: [Option<Move>; 2],
    history: &'a [i32],
}

impl Custom<'_> {
    /// The promise of a move, from its expected gain.
    #[inline]
    pub fn promise(&self, number: Move, hope: Hope) -> i32 {
        if hope.loud && hope.is_bad() {
            return hope.promise();
        }
        if hope.loud && hope.rise >= 0 {
            return LOUD + hope.promise();
        }
        if self.killers.contains(&Some(number)) {
            return KILLER;
        }
        self.history.get(place(number)).copied().unwrap_or(0) + i32::from(hope.rise) / 4
    }
}

impl Orders {
    pub fn new() -> Orders {
        let none = || vec![0; PLACES];
        Orders { killers: Vec::new(), history: [none(), none()] }
    }

    /// A new search begins: the old history counts half.
    pub fn grow_older(&mut self) {
        self.killers.clear();
        self.history.iter_mut().flatten().for_each(|value| *value /= 2);
    }

    /// The killers and the history of a ply.
    pub fn custom(&self, ply: usize, side: usize) -> Custom<'_> {
        Custom {
            killers: self.killers.get(ply).copied().unwrap_or_default(),
            history: self.history.get(side).map_or(&[], |history| history),
        }
    }

    /// The last of these was too good to look further: it is remembered, and those before it that were not are too.
    pub fn reward(&mut self, ply: usize, side: usize, depth: i32, picks: &[Pick]) {
        let Some((good, others)) = picks.split_last() else { return };
        let bonus = (depth.max(1) * depth.max(1) * 8).min(HIGHEST / 4);
        let Some(history) = self.history.get_mut(side) else { return };
        for (pick, bonus) in others.iter().map(|pick| (pick, -bonus)).chain([(good, bonus)]) {
            if let Some(value) = history.get_mut(place(pick.number)) {
                // The nearer the bound, the less is added.
                *value += bonus - *value * bonus.abs() / HIGHEST;
            }
        }
        if good.hope.loud {
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
}
