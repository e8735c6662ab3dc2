//! Pieces: what stands where, and how it lands, goes and changes.
//!
//! Everything works on whole sets of sites. "At least `m` pieces" is the set of occupied sites for
//! `m = 1` and a level layer from 2 on; see [`crate::program::Pieces`].

use super::eval::Eval;
use super::relation;
use crate::siteset::Bits;

impl<const W: usize> Eval<'_, W> {
    /// How many layers of owners there are.
    fn owners(&self) -> usize {
        self.program.layout.players + usize::from(self.pieces().neutral)
    }

    /// The layers of kinds and owners: every piece is in one of each that is there.
    fn base_layers(&self) -> impl Iterator<Item = usize> + use<W> {
        let pieces = self.pieces();
        let kinds = pieces.kind_base.map_or(0..0, |at| at..at + pieces.kinds);
        let owners = pieces.owner_base.map_or(0..0, |at| at..at + self.owners());
        kinds.chain(owners)
    }

    /// The layers of levels, lowest first.
    fn level_layers(&self) -> std::ops::Range<usize> {
        let pieces = self.pieces();
        pieces.level_base..pieces.level_base + pieces.levels
    }

    #[inline]
    fn on_layer(&self, pos: &[u64], layer: usize, site: usize) -> bool {
        pos[1 + layer * W + site / 64] >> (site % 64) & 1 == 1
    }

    /// The sites with pieces.
    pub fn occupied(&self, pos: &[u64]) -> Bits<W> {
        let pieces = self.pieces();
        let layers = match (pieces.owner_base, pieces.kind_base) {
            (Some(owners), _) => owners..owners + self.owners(),
            (None, Some(kinds)) => kinds..kinds + pieces.kinds,
            (None, None) => 0..0,
        };
        layers.fold(Bits::EMPTY, |out, layer| out | self.layer(pos, layer))
    }

    /// The sites with at least so many pieces; `none` is the value for no piece.
    fn at_least(&self, pos: &[u64], height: u32, occupied: Bits<W>, none: Bits<W>) -> Bits<W> {
        match height {
            0 => none,
            1 => occupied,
            _ => {
                let level = height as usize - 2;
                if level < self.pieces().levels {
                    self.layer(pos, self.pieces().level_base + level)
                } else {
                    Bits::EMPTY
                }
            }
        }
    }

    /// The kind on a site that exists, -1 if it is vacant.
    pub fn kind_at(&self, pos: &[u64], site: usize) -> i32 {
        let pieces = self.pieces();
        match pieces.kind_base {
            Some(base) => (0..pieces.kinds)
                .find(|kind| self.on_layer(pos, base + kind, site))
                .map_or(-1, |kind| kind as i32),
            None if self.occupied(pos).contains(site) => 0,
            None => -1,
        }
    }

    /// The owner on a site that exists: the number of players for neutral, -1 if it is vacant.
    pub fn owner_at(&self, pos: &[u64], site: usize) -> i32 {
        match self.pieces().owner_base {
            Some(base) => (0..self.owners())
                .find(|owner| self.on_layer(pos, base + owner, site))
                .map_or(-1, |owner| owner as i32),
            None if self.occupied(pos).contains(site) => self.program.layout.players as i32,
            None => -1,
        }
    }

    /// How many pieces are on a site that exists.
    pub fn height_at(&self, pos: &[u64], site: usize) -> i32 {
        let full = self.level_layers().rev().find(|layer| self.on_layer(pos, *layer, site));
        match full {
            Some(layer) => (layer - self.pieces().level_base + 2) as i32,
            None => i32::from(self.occupied(pos).contains(site)),
        }
    }

    /// The layer of an owner. `Ok(None)`: owners are not stored. An error: no such owner.
    fn owner_layer(&self, owner: i32) -> Result<Option<usize>, ()> {
        let owner = usize::try_from(owner).map_err(drop)?;
        match self.pieces().owner_base {
            Some(base) if owner < self.owners() => Ok(Some(base + owner)),
            None if owner == self.program.layout.players => Ok(None),
            _ => Err(()),
        }
    }

    /// The layer of a kind. `Ok(None)`: kinds are not stored. An error: no such kind.
    fn kind_layer(&self, kind: i32) -> Result<Option<usize>, ()> {
        let kind = usize::try_from(kind).map_err(drop)?;
        if kind >= self.pieces().kinds {
            return Err(());
        }
        Ok(self.pieces().kind_base.map(|base| base + kind))
    }

    /// The `stack` of a kind.
    fn stack(&self, kind: i32) -> u32 {
        usize::try_from(kind)
            .ok()
            .and_then(|kind| self.pieces().stack.get(kind))
            .map_or(1, |stack| (*stack).max(1))
    }

    /// Pieces land on each site: on top of their like where all fit, else they replace what is there.
    pub fn put(&mut self, pos: &mut [u64], at: Bits<W>, owner: i32, kind: i32, height: u32) {
        let (Ok(owner_layer), Ok(kind_layer)) = (self.owner_layer(owner), self.kind_layer(kind)) else {
            return;
        };
        if at.is_empty() || height == 0 {
            return;
        }
        let stack = self.stack(kind);
        let mut top = Bits::EMPTY;
        if height < stack {
            let occupied = self.occupied(pos);
            top = at & occupied;
            for layer in [owner_layer, kind_layer].into_iter().flatten() {
                top = top & self.layer(pos, layer);
            }
            top = top - self.at_least(pos, stack - height + 1, occupied, self.all);
            if !top.is_empty() {
                // From the highest level down: each looks at lower ones as they were.
                for (level, layer) in self.level_layers().enumerate().rev() {
                    let below = (level as u32 + 2).saturating_sub(height);
                    let more = top & self.at_least(pos, below, occupied, self.all);
                    let now = self.layer(pos, layer) | more;
                    self.set_layer(pos, layer, now);
                }
            }
        }
        let fresh = at - top;
        if fresh.is_empty() {
            return;
        }
        self.remove(pos, fresh);
        for layer in [owner_layer, kind_layer].into_iter().flatten() {
            let now = self.layer(pos, layer) | fresh;
            self.set_layer(pos, layer, now);
        }
        let levels = (height.min(stack) - 1) as usize;
        for layer in self.level_layers().take(levels) {
            let now = self.layer(pos, layer) | fresh;
            self.set_layer(pos, layer, now);
        }
    }

    /// The top piece of a site lands on another.
    pub fn move_piece(&mut self, pos: &mut [u64], from: usize, to: usize) {
        let (owner, kind) = (self.owner_at(pos, from), self.kind_at(pos, from));
        if owner < 0 || kind < 0 {
            return;
        }
        self.lift(pos, Bits::one(from));
        self.put(pos, Bits::one(to), owner, kind, 1);
    }

    /// All pieces of the sites go.
    pub fn remove(&mut self, pos: &mut [u64], at: Bits<W>) {
        for layer in self.base_layers().chain(self.level_layers()) {
            let left = self.layer(pos, layer) - at;
            self.set_layer(pos, layer, left);
        }
    }

    /// The top piece of each site goes.
    pub fn lift(&mut self, pos: &mut [u64], at: Bits<W>) {
        if at.is_empty() {
            return;
        }
        let levels = self.level_layers();
        let stacked = match levels.clone().next() {
            Some(first) => at & self.layer(pos, first),
            None => Bits::EMPTY,
        };
        let last = at - stacked;
        for layer in self.base_layers() {
            let left = self.layer(pos, layer) - last;
            self.set_layer(pos, layer, left);
        }
        if stacked.is_empty() {
            return;
        }
        for layer in levels.clone() {
            let above = if layer + 1 < levels.end { self.layer(pos, layer + 1) } else { Bits::EMPTY };
            let left = (self.layer(pos, layer) - stacked) | (stacked & above);
            self.set_layer(pos, layer, left);
        }
    }

    /// The pieces of the sites change owner, kind or both.
    pub fn turn_pieces(&mut self, pos: &mut [u64], at: Bits<W>, owner: Option<i32>, kind: Option<i32>) {
        // Both are looked at before anything is done: a statement is done wholly or not at all.
        let (Ok(owner_layer), Ok(kind_layer)) = (
            owner.map_or(Ok(None), |owner| self.owner_layer(owner)),
            kind.map_or(Ok(None), |kind| self.kind_layer(kind)),
        ) else {
            return;
        };
        let at = at & self.occupied(pos);
        if at.is_empty() {
            return;
        }
        let pieces = self.pieces();
        if let (Some(to), Some(base)) = (owner_layer, pieces.owner_base) {
            self.change_layer(pos, base..base + self.owners(), to, at);
        }
        if let (Some(to), Some(base)) = (kind_layer, pieces.kind_base) {
            self.change_layer(pos, base..base + pieces.kinds, to, at);
        }
        if let Some(kind) = kind {
            let kept = self.stack(kind) as usize - 1;
            for layer in self.level_layers().skip(kept) {
                let left = self.layer(pos, layer) - at;
                self.set_layer(pos, layer, left);
            }
        }
    }

    /// Sites leave all layers of a range for one of them.
    fn change_layer(&mut self, pos: &mut [u64], layers: std::ops::Range<usize>, to: usize, at: Bits<W>) {
        for layer in layers {
            let old = self.layer(pos, layer);
            let new = if layer == to { old | at } else { old - at };
            self.set_layer(pos, layer, new);
        }
    }

    /// Whole stacks go at once along a one-to-one relation.
    pub fn carry(&mut self, pos: &mut [u64], at: Bits<W>, relation: u32) {
        let relation = self.relation(relation);
        let mut going = at & self.occupied(pos);
        for site in going.iter() {
            if relation::row::<W>(relation, site).is_empty() {
                going.remove(site);
            }
        }
        if going.is_empty() {
            return;
        }
        let ends = relation::image(relation, going);
        for layer in self.base_layers().chain(self.level_layers()) {
            let old = self.layer(pos, layer);
            let gone = relation::image(relation, old & going);
            self.set_layer(pos, layer, ((old - going) - ends) | gone);
        }
    }
}
