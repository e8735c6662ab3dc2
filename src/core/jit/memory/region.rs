//! Memory that Cranelift tells apart.
//!
//! A write to one region leaves all that was read from another. So a value that was read or written is read again only
//! where its own region may have changed. Two accesses that may meet are of one region: layers or slots that an index
//! chooses among share theirs, each other one has its own. What code reads beside a layer may be of another region, and
//! so out of date: such code relies on nothing that lies there.

use std::ops::Range;

use crate::program::{Program, Use};

/// A part of memory. All that its addresses reach lies in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::jit) struct Region(pub(super) u32);

impl Region {
    /// What never changes as long as a function runs.
    pub(super) const STILL: Region = Region(0);
    /// The context of a call.
    pub(in crate::jit) const CONTEXT: Region = Region(1);
    /// Records of moves.
    pub(super) const RECORDS: Region = Region(2);
    /// What the function has of its own, but for copies of the position.
    pub(in crate::jit) const OWN: Region = Region(3);
    /// The first that belongs to positions.
    const OF_POSITIONS: u32 = 4;
}

/// The regions of positions: one for all that lies there, whichever position it is.
pub(in crate::jit) struct Regions {
    /// By layer.
    layers: Vec<Region>,
    /// By slot.
    slots: Vec<Region>,
}

impl Regions {
    pub fn of(program: &Program) -> Regions {
        let layout = &program.layout;
        let pieces = &layout.pieces;
        let levels = pieces.level_base..pieces.level_base + pieces.levels;
        let mut layers = vec![levels, pieces.owner_layers(layout.players)];
        layers.extend(pieces.kind_layers());
        let mut slots = Vec::new();
        let mut tell = |used| match used {
            Use::Layers(base, count) => layers.push(base as usize..(base + count) as usize),
            Use::Slots(base, count) => slots.push(base as usize..(base + count) as usize),
            _ => {}
        };
        program.sets.iter().for_each(|op| op.uses(&mut tell));
        program.ints.iter().for_each(|op| op.uses(&mut tell));
        program.blocks.iter().flatten().for_each(|statement| statement.uses(&mut tell));
        let mut next = Region::OF_POSITIONS;
        layers.push(0..layout.layers.len());
        let layers = regions(layout.layers.len(), layers, &mut next);
        let slots = regions(layout.slots.len(), slots, &mut next);
        Regions { layers, slots }
    }

    /// The region of some layers in a row.
    pub fn layers(&self, range: Range<usize>) -> Option<Region> {
        common(&self.layers, range)
    }

    /// The region of some slots in a row.
    pub fn slots(&self, range: Range<usize>) -> Option<Region> {
        common(&self.slots, range)
    }
}

/// A region for each of so many things. Things of one range share one.
fn regions(count: usize, mut together: Vec<Range<usize>>, next: &mut u32) -> Vec<Region> {
    together.sort_unstable_by_key(|range| range.start);
    let mut out = Vec::new();
    let mut end = 0;
    let mut ranges = together.into_iter().peekable();
    for thing in 0..count {
        if thing >= end {
            *next += 1;
        }
        while let Some(range) = ranges.next_if(|range| range.start <= thing) {
            end = end.max(range.end);
        }
        out.push(Region(*next - 1));
    }
    out
}

/// The region of a range of things; none if they have several.
fn common(regions: &[Region], range: Range<usize>) -> Option<Region> {
    let (first, others) = regions.get(range)?.split_first()?;
    others.iter().all(|other| other == first).then_some(*first)
}
