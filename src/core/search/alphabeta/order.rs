//! In which order moves are looked at: the better the first ones are, the less there is to look at.

use super::gain::Hope;
use crate::play::{Move, Run};

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

/// Moves of one class, not listed one by one yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The number of the move of site 0, and how much further that of the next site is.
    base: u32,
    step: u32,
    /// 64 sites from this one on, and which of them are meant.
    from: u32,
    bits: u64,
    class: u16,
    pub hope: Hope,
}

impl Group {
    /// Moves of a run, with the class that they are of.
    #[inline]
    pub fn new(run: Run<'_>, word: usize, bits: u64, class: usize, hope: Hope) -> Group {
        let Run { base, step, .. } = run;
        Group { base, step, from: 64 * word as u32, bits, class: class as u16, hope }
    }

    /// Lists the moves with their promises, but for the one that was looked at first.
    #[inline]
    pub fn list(self, picks: &mut Vec<Pick>, first: Option<Move>, promise: impl Fn(Move) -> i32) {
        let Group { base, step, from, mut bits, class, hope } = self;
        while bits != 0 {
            let site = from + bits.trailing_zeros();
            let number = Move(base.wrapping_add(step.wrapping_mul(site)));
            bits &= bits - 1;
            if first != Some(number) {
                picks.push(Pick { number, promise: promise(number), class, hope });
            }
        }
    }
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
pub(super) const HIGHEST: i32 = 1 << 13;

/// Stands for no move: no program has so many moves.
const NONE: Move = Move(u32::MAX);

/// Moves that take something and do not lose it again come before all others.
pub(super) const LOUD: i32 = 1 << 24;
const KILLER: i32 = 1 << 22;

/// Moves that were good elsewhere: killers at the same distance from the root, history for each side.
#[derive(Clone, Debug)]
pub(super) struct Orders {
    killers: Vec<[Move; 2]>,
    history: [Vec<i16>; 2],
}

#[inline]
fn place(number: Move) -> usize {
    number.0.wrapping_mul(0x9e37_79b1) as usize >> (32 - 14)
}

/// The killers and the history for the side that decides at a ply.
#[derive(Clone, Copy)]
pub(super) struct Custom<'a> {
    killers: [Move; 2],
    history: &'a [i16],
}

impl Custom<'_> {
    /// The promise of a move that does not lead, from its expected gain.
    #[inline]
    pub fn promise(&self, number: Move, hope: Hope) -> i32 {
        if hope.loud && hope.is_bad() {
            return hope.promise();
        }
        if self.killers[0] == number || self.killers[1] == number {
            return KILLER;
        }
        i32::from(self.history.get(place(number)).copied().unwrap_or(0)) + i32::from(hope.rise) / 4
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
            killers: self.killers.get(ply).copied().unwrap_or([NONE; 2]),
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
                let old = i32::from(*value);
                *value = (old + bonus - old * bonus.abs() / HIGHEST) as i16;
            }
        }
        if good.hope.loud {
            return;
        }
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [NONE; 2]);
        }
        if let Some(pair) = self.killers.get_mut(ply)
            && pair[0] != good.number
        {
            *pair = [good.number, pair[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_good_comes_earlier() {
        let mut orders = Orders::new();
        let [good, bad] = [3, 4].map(Move);
        let pick = |number| Pick { number, promise: 0, class: 0, hope: Hope::default() };
        (0..20).for_each(|_| orders.reward(5, 0, 4, &[pick(bad), pick(good)]));
        let promise =
            |orders: &Orders, ply, side, number| orders.custom(ply, side).promise(number, Hope::default());
        let first = promise(&orders, 7, 0, good);
        assert!((1..=HIGHEST).contains(&first) && (-HIGHEST..0).contains(&promise(&orders, 7, 0, bad)));
        // History is of a side, a killer of a ply.
        assert_eq!((promise(&orders, 7, 1, good), promise(&orders, 5, 1, good)), (0, KILLER));
        // The next search believes half of it.
        orders.grow_older();
        assert_eq!(promise(&orders, 5, 0, good), first / 2);
    }
}
