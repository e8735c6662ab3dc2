//! Zobrist hashing of the layers and slots that tell positions apart.

use crate::program::{Layout, Program};

/// The keys of a program: of each site in each layer with identity, of each slot with identity.
///
/// They come from splitmix64 of fixed numbers, so a hash is the same in every run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Keys {
    slots_at: usize,
    /// The words of a position that tell positions apart, each with a key for each of its bits.
    words: Vec<(usize, Box<[u64; 64]>)>,
    slots: Vec<SlotKey>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SlotKey {
    slot: usize,
    seed: u64,
}

impl SlotKey {
    #[inline]
    fn of(self, value: i32) -> u64 {
        mix(self.seed ^ u64::from(value as u32))
    }
}

/// The output function of splitmix64.
#[inline]
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Tells keys of slots from keys of layers.
const SLOTS: u64 = 1 << 48;

impl Keys {
    pub fn new(program: &Program) -> Keys {
        let layout: &Layout = &program.layout;
        let slots = layout.slots.iter().enumerate();
        let mut words = Vec::new();
        for (number, _) in layout.layers.iter().enumerate().filter(|(_, layer)| layer.identity) {
            for word in 0..layout.width {
                let key = |bit| mix(mix(number as u64) ^ (64 * word + bit) as u64);
                words.push((layout.layer_at(number) + word, Box::new(std::array::from_fn(key))));
            }
        }
        Keys {
            slots_at: layout.slots_at(),
            words,
            slots: slots
                .filter(|(_, slot)| slot.identity)
                .map(|(slot, _)| SlotKey { slot, seed: mix(SLOTS | slot as u64) })
                .collect(),
        }
    }

    /// The hash of a position from nothing.
    pub fn full(&self, pos: &[u64]) -> u64 {
        let mut hash = 0;
        for (word, keys) in &self.words {
            hash ^= of_bits(keys, pos[*word]);
        }
        let slots = bytemuck::cast_slice::<u64, i32>(&pos[self.slots_at..]);
        for key in &self.slots {
            hash ^= key.of(slots[key.slot]);
        }
        hash
    }

    /// The hash of a position from that of another. A 0 means that the other's was not kept.
    pub fn update(&self, hash: u64, before: &[u64], pos: &[u64]) -> u64 {
        if hash == 0 {
            return self.full(pos);
        }
        let mut hash = hash;
        let (before, old) = before.split_at(self.slots_at);
        let (pos, new) = pos.split_at(self.slots_at);
        for (word, keys) in &self.words {
            let changed = before[*word] ^ pos[*word];
            if changed != 0 {
                hash ^= of_bits(keys, changed);
            }
        }
        let (old, new) = (bytemuck::cast_slice::<u64, i32>(old), bytemuck::cast_slice::<u64, i32>(new));
        for key in &self.slots {
            if old[key.slot] != new[key.slot] {
                hash ^= key.of(old[key.slot]) ^ key.of(new[key.slot]);
            }
        }
        hash
    }
}

/// What the members of a word add to a hash.
#[inline]
fn of_bits(keys: &[u64; 64], mut bits: u64) -> u64 {
    let mut hash = 0;
    while bits != 0 {
        hash ^= keys[bits.trailing_zeros() as usize];
        bits &= bits - 1;
    }
    hash
}
