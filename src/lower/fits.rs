//! Which layers a piece stands in, by what is known of it.

use super::Lowerer;
use super::change::Piece;
use crate::program::{Binary, IntId, IntOp, SetId, SetOp};

/// Whether a layer is that of the piece.
pub(super) enum Fits {
    Yes,
    No,
    Unknown,
}

impl Lowerer<'_> {
    /// Whether a layer is one of pieces of some owner or kind, whichever of a row it is.
    pub(super) fn of_pieces(&self, set: SetId) -> bool {
        let kinds = self.storage.pieces.as_ref().and_then(|p| p.kind_base.map(|at| at..at + p.kinds));
        let (first, count) = match self.b.op(set) {
            SetOp::Layer(l) => (*l as usize, 1),
            SetOp::LayerRow { base, count, .. } => (*base as usize, *count as usize),
            _ => return false,
        };
        [Some(self.owner_layers()), kinds]
            .into_iter()
            .flatten()
            .any(|r| r.start <= first && first + count <= r.end)
    }

    /// Whether a layer is that of the piece's owner or kind; none for layers of neither.
    pub(super) fn layer_fits(&self, piece: Piece, layer: SetId) -> Option<Fits> {
        let fits = match self.b.op(layer) {
            SetOp::Layer(l) => {
                let pieces = self.storage.pieces.as_ref()?;
                let l = *l as usize;
                let kind =
                    pieces.kind_base.and_then(|base| l.checked_sub(base)).filter(|k| *k < pieces.kinds);
                let owners = self.owner_layers();
                match (kind, owners.contains(&l)) {
                    (Some(k), _) => piece.kind.map_or(Fits::Unknown, |kind| Fits::of(kind == k)),
                    (None, true) => self.owner_fits(piece, l - owners.start),
                    (None, false) => return None,
                }
            }
            SetOp::LayerRow { base, count, index } => {
                let pieces = self.storage.pieces.as_ref()?;
                let (base, end) = (*base as usize, (*base + *count) as usize);
                let (owners, first) = (self.owner_layers(), pieces.kind_base);
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

    /// The layers of owners, that of neutral pieces included.
    pub(super) fn owner_layers(&self) -> std::ops::Range<usize> {
        match self.storage.pieces.as_ref() {
            Some(p) => {
                p.owner_base.map_or(0..0, |at| at..at + self.rules.players.len() + usize::from(p.neutral))
            }
            None => 0..0,
        }
    }

    /// Whether the piece is of the owner of that number.
    fn owner_fits(&self, piece: Piece, owner: usize) -> Fits {
        match piece.owner {
            // Owners that are known are players.
            Some(_) if owner >= self.rules.players.len() => Fits::No,
            Some(known) => match self.b.const_of(known) {
                Some(n) => Fits::of(usize::try_from(n) == Ok(owner)),
                None => Fits::Unknown,
            },
            None => Fits::Unknown,
        }
    }

    /// Whether two numbers are the same.
    fn same(&self, a: IntId, b: IntId) -> Fits {
        if a == b {
            return Fits::Yes;
        }
        if let (Some(a), Some(b)) = (self.b.const_of(a), self.b.const_of(b)) {
            return Fits::of(a == b);
        }
        // n - x is not x where n is odd.
        let opposite = |a: IntId, b: IntId| match self.b.int_op(a) {
            IntOp::Binary(Binary::Sub, n, x) => *x == b && self.b.const_of(*n).is_some_and(|n| n % 2 != 0),
            _ => false,
        };
        if opposite(a, b) || opposite(b, a) { Fits::No } else { Fits::Unknown }
    }

    /// Whether a union is that of all owners' layers, or of all kinds': the sites with pieces.
    pub(super) fn is_occupied(&self, set: SetId) -> bool {
        let mut layers = Vec::new();
        let mut queue = vec![set];
        while let Some(s) = queue.pop() {
            match self.b.op(s) {
                SetOp::Or(a, b) => queue.extend([*a, *b]),
                SetOp::Layer(l) => layers.push(*l as usize),
                _ => return false,
            }
        }
        let owners = self.owner_layers();
        let kinds = self.storage.pieces.as_ref().and_then(|p| p.kind_base.map(|at| at..at + p.kinds));
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
