//! Which layers a piece is in, by its known owner and kind.

use super::builder::Builder;
use super::change::Piece;
use crate::program::{Binary, IntId, IntOp, SetId, SetOp};

/// Nothing is known of a kind.
pub(crate) const ALL_KINDS: u32 = u32::MAX;

/// Whether a layer is that of the piece.
pub(crate) enum Fits {
    Yes,
    No,
    Unknown,
}

impl Builder {
    /// Whether a layer is one of pieces of some owner or kind, whichever of a row it is.
    pub(crate) fn of_pieces(&self, set: SetId) -> bool {
        let kinds = self.pieces.kind_layers();
        let (first, count) = match self.op(set) {
            SetOp::Layer(l) => (*l as usize, 1),
            SetOp::LayerRow { base, count, .. } => (*base as usize, *count as usize),
            _ => return false,
        };
        [Some(self.pieces.owner_layers(self.players)), kinds]
            .into_iter()
            .flatten()
            .any(|r| r.start <= first && first + count <= r.end)
    }

    /// Whether a layer is that of the piece's owner or kind; none for layers of neither.
    pub(crate) fn layer_fits(&self, piece: Piece, layer: SetId) -> Option<Fits> {
        let fits = match self.op(layer) {
            SetOp::Layer(l) => {
                let pieces = &self.pieces;
                let l = *l as usize;
                let kind =
                    pieces.kind_base.and_then(|base| l.checked_sub(base)).filter(|k| *k < pieces.kinds);
                let owners = self.pieces.owner_layers(self.players);
                match (kind, owners.contains(&l)) {
                    (Some(k), _) => match piece.kinds {
                        kinds if kinds >> k & 1 == 0 => Fits::No,
                        kinds if kinds == 1 << k => Fits::Yes,
                        _ => Fits::Unknown,
                    },
                    (None, true) => self.owner_fits(piece, l - owners.start),
                    (None, false) => return None,
                }
            }
            SetOp::LayerRow { base, count, index } => {
                let pieces = &self.pieces;
                let (base, end) = (*base as usize, (*base + *count) as usize);
                let (owners, first) = (self.pieces.owner_layers(self.players), pieces.kind_base);
                let of_kinds = first.is_some_and(|first| base < first + pieces.kinds && first < end);
                let of_owners = base < owners.end && owners.start < end;
                match (of_kinds, of_owners) {
                    (false, false) => return None,
                    (false, true) if base == owners.start => match piece.owner {
                        Some(owner) => self.same(owner, *index),
                        None => Fits::Unknown,
                    },
                    _ => Fits::Unknown,
                }
            }
            _ => return None,
        };
        Some(fits)
    }

    /// Whether the piece is of the owner of that number.
    fn owner_fits(&self, piece: Piece, owner: usize) -> Fits {
        match piece.owner {
            // Owners that are known are players.
            Some(_) if owner >= self.players => Fits::No,
            Some(known) => match self.const_of(known) {
                Some(n) => Fits::of(usize::try_from(n) == Ok(owner)),
                None => Fits::Unknown,
            },
            None => Fits::Unknown,
        }
    }

    /// The kinds that a number may name, as a mask. A number that is no kind's counts as any kind: nothing lands or
    /// turns then, so the mask is larger than need be.
    pub(crate) fn kinds_of(&self, kind: IntId) -> u32 {
        let one = |k: i32| if (0..32).contains(&k) { 1 << k } else { ALL_KINDS };
        match *self.int_op(kind) {
            IntOp::Const(k) => one(k),
            IntOp::Lookup { table, missing, .. } => {
                let table = self.tables.get(table as usize).into_iter().flatten();
                table.chain([&missing]).fold(0, |kinds, k| kinds | one(*k))
            }
            IntOp::If(_, a, b) => self.kinds_of(a) | self.kinds_of(b),
            IntOp::Local(local) => {
                let mask = self.masks.get(&local).and_then(|mask| self.const_of(*mask));
                mask.map_or(ALL_KINDS, |mask| mask as u32)
            }
            _ => ALL_KINDS,
        }
    }

    /// Whether two numbers are the same.
    fn same(&self, a: IntId, b: IntId) -> Fits {
        if a == b {
            return Fits::Yes;
        }
        if let (Some(a), Some(b)) = (self.const_of(a), self.const_of(b)) {
            return Fits::of(a == b);
        }
        // n - x is not x where n is odd.
        let opposite = |a: IntId, b: IntId| match self.int_op(a) {
            IntOp::Binary(Binary::Sub, n, x) => *x == b && self.const_of(*n).is_some_and(|n| n % 2 != 0),
            _ => false,
        };
        if opposite(a, b) || opposite(b, a) { Fits::No } else { Fits::Unknown }
    }

    /// Whether a union is that of all owners' layers, or of all kinds': the sites with pieces.
    pub(crate) fn is_occupied(&self, set: SetId) -> bool {
        let mut layers = Vec::new();
        let mut queue = vec![set];
        while let Some(s) = queue.pop() {
            match self.op(s) {
                SetOp::Or(a, b) => queue.extend([*a, *b]),
                SetOp::Layer(l) => layers.push(*l as usize),
                _ => return false,
            }
        }
        let owners = self.pieces.owner_layers(self.players);
        let kinds = self.pieces.kind_layers();
        [Some(owners), kinds]
            .into_iter()
            .flatten()
            .any(|mut all| !all.is_empty() && all.all(|l| layers.contains(&l)))
    }
}

impl Fits {
    fn of(yes: bool) -> Fits {
        if yes { Fits::Yes } else { Fits::No }
    }
}
