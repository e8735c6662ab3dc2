//! Zobrist hashing of the layers and slots that tell positions apart.

use crate::program::{Layout, Program};

/// The keys of a program: of each site in each layer with identity, of each slot with identity.
///
/// They come from splitmix64 of fixed numbers, so a hash is the same in every run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Keys {
    slots_at: usize,
    words: Vec<WordKeys>,
    slots: Vec<SlotKey>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct WordKeys {
    /// Which word of a position, one of a layer.
    at: usize,
    /// One for each bit.
    keys: Box<[u64; 64]>,
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
        let layers = layout.layers.iter().enumerate();
        let slots = layout.slots.iter().enumerate();
        Keys {
            slots_at: layout.slots_at(),
            words: layers
                .filter(|(_, layer)| layer.identity)
                .flat_map(|(number, _)| {
                    (0..layout.width).map(move |word| WordKeys {
                        at: layout.layer_at(number) + word,
                        keys: Box::new(std::array::from_fn(|bit| {
                            mix(mix(number as u64) ^ (64 * word + bit) as u64)
                        })),
                    })
                })
                .collect(),
            slots: slots
                .filter(|(_, slot)| slot.identity)
                .map(|(slot, _)| SlotKey { slot, seed: mix(SLOTS | slot as u64) })
                .collect(),
        }
    }

    /// The hash of a position from nothing.
    pub fn full(&self, pos: &[u64]) -> u64 {
        let mut hash = 0;
        for word in &self.words {
            hash ^= word.of_bits(pos[word.at]);
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
        for word in &self.words {
            hash ^= word.of_bits(before[word.at] ^ pos[word.at]);
        }
        let old = bytemuck::cast_slice::<u64, i32>(&before[self.slots_at..]);
        let new = bytemuck::cast_slice::<u64, i32>(&pos[self.slots_at..]);
        for key in &self.slots {
            if old[key.slot] != new[key.slot] {
                hash ^= key.of(old[key.slot]) ^ key.of(new[key.slot]);
            }
        }
        hash
    }
}

impl WordKeys {
    #[inline]
    fn of_bits(&self, mut bits: u64) -> u64 {
        let mut hash = 0;
        while bits != 0 {
            hash ^= self.keys[bits.trailing_zeros() as usize];
            bits &= bits - 1;
        }
        hash
    }
}
