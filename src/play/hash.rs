//! Zobrist hashing of what tells positions apart.

use crate::program::{Layout, Program};

/// The keys of a program: of each site in each layer with identity, of each slot with identity.
///
/// They come from splitmix64 of fixed numbers, so a hash is the same in every run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Keys {
    width: usize,
    slots_at: usize,
    layers: Vec<LayerKeys>,
    slots: Vec<SlotKey>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct LayerKeys {
    /// Its first word in a position.
    at: usize,
    /// One for each bit.
    keys: Vec<u64>,
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
            width: layout.width,
            slots_at: layout.slots_at(),
            layers: layers
                .filter(|(_, layer)| layer.identity)
                .map(|(number, _)| LayerKeys {
                    at: layout.layer_at(number),
                    keys: (0..layout.width as u64 * 64).map(|site| mix(mix(number as u64) ^ site)).collect(),
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
        for layer in &self.layers {
            for (w, word) in pos[layer.at..][..self.width].iter().enumerate() {
                hash ^= layer.of_bits(w, *word);
            }
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
        for layer in &self.layers {
            let old = &before[layer.at..][..self.width];
            let new = &pos[layer.at..][..self.width];
            for (w, (old, new)) in old.iter().zip(new).enumerate() {
                hash ^= layer.of_bits(w, old ^ new);
            }
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

impl LayerKeys {
    #[inline]
    fn of_bits(&self, word: usize, mut bits: u64) -> u64 {
        let mut hash = 0;
        while bits != 0 {
            hash ^= self.keys[word * 64 + bits.trailing_zeros() as usize];
            bits &= bits - 1;
        }
        hash
    }
}
