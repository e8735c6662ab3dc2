//! Pieces that land where none is: they join the layers of their owner and their kind, and nothing is to be cleared.
//! Which layers those are is mostly known, or is a number that is certainly below their count.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::emit::Emit;
use super::memory::{Address, Index};
use super::values::{Words, WorkingPosition};
use crate::program::{IntId, IntOp, SetId};

/// A layer that a piece is in.
#[derive(Clone, Copy)]
enum Layer {
    /// This one.
    Known(usize),
    /// Of so many from a layer on, that of a number below their count.
    Among { base: usize, count: usize, number: Value },
}

/// A site that is left or landed on. A mask of zeros where that is not done.
#[derive(Clone, Copy)]
struct Spot {
    site: Index,
    done: Option<Value>,
    lands: bool,
}

/// With at least so many words, only the word of a layer in which a site lies is written.
const MIN_WORDS: usize = 3;

impl Emit<'_> {
    /// A piece lands on a vacant site. Does nothing and says so where its layers are not known.
    pub fn land_on_vacant(&mut self, at: SetId, owner: IntId, kind: IntId) -> bool {
        let pieces = &self.program.layout.pieces;
        let Some(site) = self.single(at) else { return false };
        let owner = match pieces.owner_base {
            Some(base) => self.layer_among(owner, base, self.owners()).map(Some),
            None => None,
        };
        let kind = match pieces.kind_base {
            Some(base) => self.layer_among(kind, base, pieces.kinds).map(Some),
            None => self.has_case(kind, pieces.kinds).then_some(None),
        };
        let (Some(owner), Some(kind)) = (owner, kind) else { return false };
        let lands = self.spot(site, true);
        self.change(&owner.into_iter().chain(kind).collect::<Vec<_>>(), &[lands]);
        true
    }

    /// A piece that is certainly there goes to a vacant site. Does nothing and says so where its layers are not
    /// known.
    pub fn go_to_vacant(&mut self, from: IntId, to: IntId, owner: Option<IntId>, kind: Option<u32>) -> bool {
        let pieces = &self.program.layout.pieces;
        if (owner.is_none() && kind.is_none()) || pieces.levels > 0 {
            return false;
        }
        let owner = match (pieces.owner_base, owner) {
            (Some(base), Some(owner)) => self.layer_among(owner, base, self.owners()).map(Some),
            (Some(_), None) => None,
            (None, _) => Some(None),
        };
        let only = if pieces.kinds == 1 { Some(0) } else { kind };
        let kind = match (pieces.kind_base, only) {
            (Some(base), Some(kind)) => Some(Some(Layer::Known(base + kind as usize))),
            (Some(_), None) => None,
            (None, _) => Some(None),
        };
        let (Some(owner), Some(kind)) = (owner, kind) else { return false };
        let mut spots = [self.spot(from, false), self.spot(to, true)];
        let done = self.and_certain(spots[0].done, spots[1].done);
        spots.iter_mut().for_each(|spot| spot.done = done);
        self.change(&owner.into_iter().chain(kind).collect::<Vec<_>>(), &spots);
        true
    }

    /// The layer with a number among some, if the number is certainly that of one.
    fn layer_among(&mut self, number: IntId, base: usize, count: usize) -> Option<Layer> {
        if !self.has_case(number, count) {
            return None;
        }
        Some(match self.program.ints[number.0 as usize] {
            IntOp::Const(number) => Layer::Known(base + number as usize),
            _ => Layer::Among { base, count, number: self.int(number) },
        })
    }

    fn spot(&mut self, site: IntId, lands: bool) -> Spot {
        let site = self.bounded(site);
        let (site, exists) = self.site(site);
        Spot { site, done: exists.map(|truth| self.mask(truth)), lands }
    }

    /// Takes sites out of layers and puts others into them.
    fn change(&mut self, layers: &[Layer], spots: &[Spot]) {
        if let (WorkingPosition::Memory(pos), MIN_WORDS..) = (self.place.clone(), self.w) {
            for spot in spots {
                self.change_word(pos, layers, *spot);
            }
            return;
        }
        let spots: Vec<(Words, bool)> = spots
            .iter()
            .map(|spot| {
                let one = self.one(spot.site);
                (spot.done.map_or(one.clone(), |done| self.masked(done, &one)), spot.lands)
            })
            .collect();
        let changed = |e: &mut Self, old: Words| {
            spots.iter().fold(old, |old, (set, lands)| match lands {
                true => e.either(&old, set),
                false => e.less(&old, set),
            })
        };
        for layer in layers {
            match (*layer, self.place.clone()) {
                (Layer::Known(layer), _) => {
                    self.update(layer, |e, old| changed(e, old));
                }
                (Layer::Among { base, count, number }, WorkingPosition::Memory(pos)) => {
                    let layers = self.layers(pos, base, count);
                    let at = self.entry(layers, Index::here(number));
                    let old = self.reload(at);
                    let new = changed(self, old);
                    self.write(&new, at);
                }
                (Layer::Among { base, count, number }, _) => {
                    for i in 0..count {
                        let here = self.cmp_to(IntCC::Equal, number, i as i64);
                        self.update(base + i, |e, old| {
                            let new = changed(e, old.clone());
                            e.choose(here, &new, &old)
                        });
                    }
                }
            }
        }
    }

    /// Takes a site out of layers in memory or puts it into them, by the word in which it lies.
    fn change_word(&mut self, pos: Address, layers: &[Layer], spot: Spot) {
        let (one, wide) = (self.i64(1), self.wide(spot.site.value));
        let mut bit = self.b.ins().ishl(one, wide);
        if let Some(done) = spot.done {
            bit = self.and(bit, done);
        }
        let at = self.word_of_site(pos, spot.site);
        for layer in layers {
            let at = match *layer {
                Layer::Known(layer) => self.layers(at, layer, 1).at,
                Layer::Among { base, count, number } => {
                    let layers = self.layers(at, base, count);
                    self.entry(layers, Index::here(number))
                }
            };
            let old = self.load(types::I64, at, 0);
            let new = match spot.lands {
                true => self.or(old, bit),
                false => self.b.ins().band_not(old, bit),
            };
            self.store(new, at, 0);
        }
    }
}
