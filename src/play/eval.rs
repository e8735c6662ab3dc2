//! Expressions of sets.

use super::frame::Frame;
use super::hash::Keys;
use super::{relation, slide};
use crate::program::{BlockId, Domain, IntId, Pieces, Program, Relation, SetId, SetOp, slot};
use crate::siteset::{Bits, BitsIter};

/// A program at work on positions of one game, with sets of `W` words.
///
/// A position is passed as its words. Indices into the program and into positions are not checked for
/// sense: [`crate::program::verify`] did.
pub(super) struct Eval<'a, const W: usize> {
    pub program: &'a Program,
    pub frame: &'a mut Frame,
    pub keys: &'a Keys,
    pub deal: &'a [i32],
    /// The sites that exist.
    pub all: Bits<W>,
    /// The word where the slots start.
    pub slots_at: usize,
}

/// What a loop runs over, fixed.
pub(super) enum Members<const W: usize> {
    Sites(BitsIter<W>),
    Numbers { next: i64, last: i64 },
    Mask(u32),
}

/// The most numbers a loop over a range runs through.
const LONGEST_RANGE: i64 = 65_536;

impl<const W: usize> Iterator for Members<W> {
    type Item = i32;

    #[inline]
    fn next(&mut self) -> Option<i32> {
        match self {
            Members::Sites(sites) => sites.next().map(|site| site as i32),
            Members::Numbers { next, last } => {
                let number = *next;
                *next += 1;
                (number <= *last).then_some(number as i32)
            }
            Members::Mask(0) => None,
            Members::Mask(mask) => {
                let bit = mask.trailing_zeros() as i32;
                *mask &= *mask - 1;
                Some(bit)
            }
        }
    }
}

impl<'a, const W: usize> Eval<'a, W> {
    pub fn new(program: &'a Program, frame: &'a mut Frame, keys: &'a Keys, deal: &'a [i32]) -> Self {
        Eval {
            program,
            frame,
            keys,
            deal,
            all: Bits::load(&program.all),
            slots_at: program.layout.slots_at(),
        }
    }

    /// A layer's members.
    #[inline]
    pub fn layer(&self, pos: &[u64], layer: usize) -> Bits<W> {
        Bits::load(&pos[1 + layer * W..])
    }

    #[inline]
    pub fn set_layer(&self, pos: &mut [u64], layer: usize, members: Bits<W>) {
        pos[1 + layer * W..][..W].copy_from_slice(&members.0);
    }

    /// A slot's value.
    #[inline]
    pub fn slot(&self, pos: &[u64], slot: usize) -> i32 {
        bytemuck::cast_slice::<u64, i32>(&pos[self.slots_at..])[slot]
    }

    #[inline]
    pub fn set_slot(&self, pos: &mut [u64], slot: usize, value: i32) {
        bytemuck::cast_slice_mut::<u64, i32>(&mut pos[self.slots_at..])[slot] = value;
    }

    #[inline]
    pub fn set_mover(&self, pos: &mut [u64], player: i32) {
        self.set_slot(pos, slot::MOVER, player);
    }

    #[inline]
    pub fn set_local(&mut self, local: u32, value: Bits<W>) {
        self.frame.sets[local as usize * W..][..W].copy_from_slice(&value.0);
    }

    #[inline]
    pub fn int_local(&mut self, local: u32, value: i32) {
        self.frame.ints[local as usize] = value;
    }

    /// A number as a site that exists.
    #[inline]
    pub fn site(&self, number: i32) -> Option<usize> {
        usize::try_from(number).ok().filter(|site| self.all.contains(*site))
    }

    #[inline]
    pub fn relation(&self, number: u32) -> &'a Relation {
        &self.program.relations[number as usize]
    }

    #[inline]
    pub fn pieces(&self) -> &'a Pieces {
        &self.program.layout.pieces
    }

    /// What a loop runs over.
    #[inline]
    pub fn members(&mut self, pos: &[u64], domain: Domain) -> Members<W> {
        match domain {
            Domain::Set(set) => Members::Sites(self.set(pos, set).iter()),
            Domain::Range(low, high) => {
                let next = i64::from(self.int(pos, low));
                let last = i64::from(self.int(pos, high)).min(next + LONGEST_RANGE - 1);
                Members::Numbers { next, last }
            }
            Domain::Mask(mask) => Members::Mask(self.int(pos, mask) as u32),
        }
    }

    /// Something evaluated in a copy on which a block was run.
    pub fn after<T>(&mut self, pos: &[u64], block: BlockId, then: impl FnOnce(&mut Self, &[u64]) -> T) -> T {
        let level = self.frame.level;
        let mut copy = std::mem::take(&mut self.frame.copies[level]);
        copy.copy_from_slice(pos);
        self.frame.level = level + 1;
        self.run(&mut copy, block);
        let value = then(self, &copy);
        self.frame.level = level;
        self.frame.copies[level] = copy;
        value
    }

    /// An index below a count.
    #[inline]
    pub fn index(&mut self, pos: &[u64], index: IntId, count: u32) -> Option<usize> {
        u32::try_from(self.int(pos, index)).ok().filter(|index| *index < count).map(|index| index as usize)
    }

    /// The value of an expression of a set.
    pub fn set(&mut self, pos: &[u64], id: SetId) -> Bits<W> {
        let program = self.program;
        match &program.sets[id.0 as usize] {
            SetOp::Const(number) => Bits::load(&program.consts[*number as usize * W..]),
            SetOp::Layer(layer) => self.layer(pos, *layer as usize),
            SetOp::LayerRow { base, count, index } => match self.index(pos, *index, *count) {
                Some(index) => self.layer(pos, *base as usize + index),
                None => Bits::EMPTY,
            },
            SetOp::Local(local) => Bits::load(&self.frame.sets[*local as usize * W..]),
            SetOp::Site(site) => {
                let site = self.int(pos, *site);
                self.site(site).map_or(Bits::EMPTY, Bits::one)
            }
            SetOp::And(a, b) => {
                let first = self.set(pos, *a);
                if first.is_empty() {
                    return first;
                }
                first & self.set(pos, *b)
            }
            SetOp::Or(a, b) => self.set(pos, *a) | self.set(pos, *b),
            SetOp::Sub(a, b) => {
                let first = self.set(pos, *a);
                if first.is_empty() {
                    return first;
                }
                first - self.set(pos, *b)
            }
            SetOp::Not(a) => self.all - self.set(pos, *a),
            SetOp::Otherwise(a, b) => {
                let first = self.set(pos, *a);
                if first.is_empty() { self.set(pos, *b) } else { first }
            }
            SetOp::If(cond, a, b) => {
                let chosen = if self.int(pos, *cond) != 0 { *a } else { *b };
                self.set(pos, chosen)
            }
            SetOp::Switch(index, cases) => match self.index(pos, *index, cases.len() as u32) {
                Some(index) => self.set(pos, cases[index]),
                None => Bits::EMPTY,
            },
            SetOp::Image { relation, of } => {
                let of = self.set(pos, *of);
                relation::image(self.relation(*relation), of)
            }
            SetOp::Row { relation, site } => {
                let site = self.int(pos, *site);
                match self.site(site) {
                    Some(site) => relation::row(self.relation(*relation), site),
                    None => Bits::EMPTY,
                }
            }
            SetOp::Slide { rays, from, through, over } => self.slide(pos, rays, *from, *through, *over),
            SetOp::Between { rays, from, to } => self.between(pos, rays, *from, *to),
            SetOp::Flood { relation, seed, within } => {
                let within = self.set(pos, *within);
                if within.is_empty() {
                    return within;
                }
                let seed = self.set(pos, *seed);
                relation::flood(self.relation(*relation), seed, within)
            }
            SetOp::Fix { local, seed, within, step } => self.fix(pos, *local, *seed, *within, *step),
            SetOp::Ring { relation, of, steps } => {
                let of = self.set(pos, *of);
                let steps = self.int(pos, *steps);
                relation::ring(self.relation(*relation), of, steps)
            }
            SetOp::Line { steps, of, length } => {
                let of = self.set(pos, *of);
                let length = self.int(pos, *length);
                if length <= 1 {
                    return of;
                }
                steps
                    .iter()
                    .fold(Bits::EMPTY, |out, step| out | relation::line(self.relation(*step), of, length))
            }
            SetOp::Filter { local, domain, cond } => {
                let domain = self.set(pos, *domain);
                let mut out = domain;
                for site in domain.iter() {
                    self.int_local(*local, site as i32);
                    if self.int(pos, *cond) == 0 {
                        out.remove(site);
                    }
                }
                out
            }
            SetOp::Union { local, domain, body } => {
                let mut out = Bits::EMPTY;
                for member in self.members(pos, *domain) {
                    self.int_local(*local, member);
                    out = out | self.set(pos, *body);
                }
                out
            }
            SetOp::LetSet { local, value, body } => {
                let value = self.set(pos, *value);
                self.set_local(*local, value);
                self.set(pos, *body)
            }
            SetOp::LetInt { local, value, body } => {
                let value = self.int(pos, *value);
                self.int_local(*local, value);
                self.set(pos, *body)
            }
            SetOp::After(block, value) => self.after(pos, *block, |eval, copy| eval.set(copy, *value)),
        }
    }

    fn slide(
        &mut self,
        pos: &[u64],
        rays: &[u32],
        from: SetId,
        through: SetId,
        over: Option<SetId>,
    ) -> Bits<W> {
        let from = self.set(pos, from);
        let mut out = Bits::EMPTY;
        if from.is_empty() {
            return out;
        }
        let through = self.set(pos, through);
        let tables = &self.program.rays;
        match over {
            None => {
                for origin in from.iter() {
                    for ray in rays {
                        out = out | slide::slide(&tables[*ray as usize], origin, through);
                    }
                }
            }
            Some(over) => {
                let over = self.set(pos, over);
                if over.is_empty() {
                    return out;
                }
                for origin in from.iter() {
                    for ray in rays {
                        let ray = &tables[*ray as usize];
                        out = out | slide::slide_over(ray, origin, through, over);
                    }
                }
            }
        }
        out
    }

    fn between(&mut self, pos: &[u64], rays: &[u32], from: SetId, to: SetId) -> Bits<W> {
        let from = self.set(pos, from);
        let mut out = Bits::EMPTY;
        if from.is_empty() {
            return out;
        }
        let to = self.set(pos, to);
        for origin in from.iter() {
            for ray in rays {
                out = out | slide::between(&self.program.rays[*ray as usize], origin, to);
            }
        }
        out
    }

    fn fix(&mut self, pos: &[u64], local: u32, seed: SetId, within: SetId, step: SetId) -> Bits<W> {
        let within = self.set(pos, within);
        let mut reached = self.set(pos, seed) & within;
        loop {
            self.set_local(local, reached);
            let more = (self.set(pos, step) & within) - reached;
            if more.is_empty() {
                return reached;
            }
            reached = reached | more;
        }
    }
}
