//! Where pieces land and stand, site by site.
//!
//! Read from the layers of a position: after each ply the layers of a player are compared with those before
//! it. A piece *landed* on a site if the site became the player's, or was and now holds another kind or more
//! pieces.

use crate::play::Position;
use crate::program::Layout;
use crate::siteset::Bits;

/// The counts of one game.
pub(super) struct Heat {
    /// The layer of each player's pieces, then of neutral ones; where nobody owns any, all kinds together.
    owners: Vec<Vec<usize>>,
    /// Layers that tell whether a site's pieces are others than before: kinds and levels.
    marks: Vec<usize>,
    width: usize,
    before: Option<Position>,
    landed: Vec<Vec<u32>>,
    occupied: Vec<Vec<u32>>,
}

impl Heat {
    /// For positions of a layout.
    pub fn new(layout: &Layout) -> Heat {
        let pieces = &layout.pieces;
        let kinds = |base: usize| base..base + pieces.kinds;
        let owners = match pieces.owner_base {
            Some(base) => {
                (base..base + layout.players + usize::from(pieces.neutral)).map(|l| vec![l]).collect()
            }
            None => {
                let mut all = vec![Vec::new(); layout.players];
                all.push(pieces.kind_base.map(kinds).into_iter().flatten().collect());
                all
            }
        };
        let levels = pieces.level_base..pieces.level_base + pieces.levels;
        let marks = pieces.kind_base.map(kinds).into_iter().flatten().chain(levels).collect();
        let empty = |owners: &Vec<Vec<usize>>| vec![vec![0; layout.sites]; owners.len()];
        let (landed, occupied) = (empty(&owners), empty(&owners));
        Heat { owners, marks, width: layout.width, before: None, landed, occupied }
    }

    /// A new game begins.
    pub fn begin(&mut self, pos: &Position) {
        for list in self.landed.iter_mut().chain(&mut self.occupied) {
            list.fill(0);
        }
        self.before.get_or_insert_with(|| pos.clone()).copy_from(pos);
    }

    /// A ply was made.
    pub fn after(&mut self, pos: &Position, layout: &Layout) {
        let Some(before) = &mut self.before else { return };
        let word =
            |pos: &Position, layer: usize, w: usize| pos.layer(layout, layer).get(w).copied().unwrap_or(0);
        for w in 0..self.width {
            let mut other = 0;
            for mark in &self.marks {
                other |= word(pos, *mark, w) & !word(before, *mark, w);
            }
            for (owner, layers) in self.owners.iter().enumerate() {
                let (mut now, mut then) = (0, 0);
                for layer in layers {
                    now |= word(pos, *layer, w);
                    then |= word(before, *layer, w);
                }
                add(&mut self.occupied, owner, w, now);
                add(&mut self.landed, owner, w, now & (!then | other));
            }
        }
        before.copy_from(pos);
    }

    /// The counts: sites with their numbers, for each owner.
    pub fn end(&self) -> [Vec<Vec<(u16, u32)>>; 2] {
        [&self.landed, &self.occupied].map(|all| {
            let sparse = |list: &Vec<u32>| {
                let used = list.iter().enumerate().filter(|(_, n)| **n > 0);
                used.map(|(site, n)| (site as u16, *n)).collect()
            };
            all.iter().map(sparse).collect()
        })
    }
}

fn add(all: &mut [Vec<u32>], owner: usize, w: usize, set: u64) {
    let Some(list) = all.get_mut(owner) else { return };
    for site in Bits([set]).iter() {
        if let Some(n) = list.get_mut(w * 64 + site) {
            *n += 1;
        }
    }
}
