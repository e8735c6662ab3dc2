//! Relations at the width of the sets.

use crate::program::Relation;
use crate::siteset::Bits;

/// The steps of a relation.
pub(super) struct Steps<const W: usize> {
    /// The sites reached from each site; none from one that does not exist.
    rows: Box<[Bits<W>]>,
    /// The same as moves of whole sets, up and down; see [`Relation::shifts`].
    up: Box<[Shift<W>]>,
    down: Box<[Shift<W>]>,
    /// From so many origins on whole sets are moved.
    many: u32,
}

/// Members of the mask move by so many bits.
#[derive(Clone, Copy)]
pub(super) struct Shift<const W: usize> {
    pub mask: Bits<W>,
    pub by: u32,
}

impl<const W: usize> Steps<W> {
    /// `all` are the sites that exist.
    pub fn new(relation: &Relation, all: Bits<W>) -> Steps<W> {
        let shifts = |up: bool| {
            let side = relation.shifts.iter().filter(|(by, _)| (*by >= 0) == up);
            side.map(|(by, mask)| Shift { mask: Bits::load(mask), by: by.unsigned_abs() }).collect()
        };
        // A move of the whole set costs about as much as one row.
        let many = match relation.shifts.len() {
            0 => u32::MAX,
            shifts => shifts as u32,
        };
        let row = |(site, row)| if all.contains(site) { Bits::load(row) } else { Bits::EMPTY };
        Steps {
            rows: relation.rows.chunks_exact(W).enumerate().map(row).collect(),
            up: shifts(true),
            down: shifts(false),
            many,
        }
    }

    /// The sites reached from one site; none where the number is no site.
    #[inline(always)]
    pub fn row(&self, site: i32) -> Bits<W> {
        self.rows.get(site as u32 as usize).copied().unwrap_or(Bits::EMPTY)
    }

    /// The one move of whole sets that these steps are, and whether it goes up.
    pub fn single(&self) -> Option<(bool, Shift<W>)> {
        match (&*self.up, &*self.down) {
            ([one], []) => Some((true, *one)),
            ([], [one]) => Some((false, *one)),
            _ => None,
        }
    }

    /// The sites reached from a set.
    #[inline]
    pub fn image(&self, of: Bits<W>) -> Bits<W> {
        let mut out = Bits::EMPTY;
        if of.count() < self.many {
            for site in of.iter() {
                out = out | self.row(site as i32);
            }
            return out;
        }
        for shift in &self.up {
            out = out | (of & shift.mask).up(shift.by);
        }
        for shift in &self.down {
            out = out | (of & shift.mask).down(shift.by);
        }
        out
    }

    /// The sites reached from `seed & within` by any number of steps inside `within`.
    pub fn flood(&self, seed: Bits<W>, within: Bits<W>) -> Bits<W> {
        let mut reached = seed & within;
        let mut edge = reached;
        while !edge.is_empty() {
            edge = (self.image(edge) & within) - reached;
            reached = reached | edge;
        }
        reached
    }

    /// The sites of a shortest way; see [`crate::program::SetOp::Path`].
    ///
    /// The sites related to one are a step nearer, a step farther, or as near as itself. So of the sites that are
    /// reached it is enough to know how near they are modulo 3.
    pub fn path(&self, from: Bits<W>, within: Bits<W>, to: Bits<W>) -> Bits<W> {
        let mut edge = from & within;
        let mut reached = edge;
        let mut rings = [Bits::EMPTY; 3];
        let mut steps = 0;
        let mut site = loop {
            if edge.is_empty() {
                return edge;
            }
            if let Some(end) = (edge & to).first() {
                break end;
            }
            rings[steps % 3] = rings[steps % 3] | edge;
            edge = (self.image(edge) & within) - reached;
            reached = reached | edge;
            steps += 1;
        };
        let mut way = Bits::one(site);
        for ring in (0..steps).rev().map(|step| rings[step % 3]) {
            let Some(before) = (self.row(site as i32) & ring).first() else { break };
            site = before;
            way.insert(site);
        }
        way
    }
}
