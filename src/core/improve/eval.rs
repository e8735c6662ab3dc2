//! Facts about nodes (dependencies, size), and constant folding.

use std::collections::{BTreeSet, HashMap};

use super::builder::{Builder, Extent, Info, SET_LOCAL, key};
use crate::limits::LONGEST_RANGE;
use crate::program::{BlockId, Domain, IntId, IntOp, Local, Part, SetId, SetOp};
use crate::siteset::SiteSet;

/// The most steps that folding one node may take; a node that needs more is evaluated during play.
const MAX_FOLD_STEPS: u32 = 2_000_000;

/// Locals while a node is folded.
#[derive(Default)]
struct Frame {
    ints: HashMap<u32, i32>,
    sets: HashMap<u32, SiteSet>,
    dealt: Option<Dealt>,
    left: u32,
}

/// A site of which only its dealt number is known.
struct Dealt {
    /// Which deal: where its numbers begin.
    base: u32,
    number: i32,
    /// The locals that are the site.
    names: Vec<u32>,
}

impl Frame {
    fn step(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }
}

impl Builder {
    pub(crate) fn info_of_set(&self, op: &SetOp) -> Info {
        let mut parts = Vec::new();
        op.each(&mut |part| parts.push(part));
        let mut info = self.info_of(&parts, op.binds());
        info.plain = match op {
            SetOp::Const(_) | SetOp::Layer(_) | SetOp::LayerRow { .. } | SetOp::Local(_) => true,
            SetOp::And(a, b) | SetOp::Or(a, b) | SetOp::Sub(a, b) => self.is_plain(*a) && self.is_plain(*b),
            SetOp::Not(a) => self.is_plain(*a),
            _ => false,
        };
        match op {
            SetOp::Layer(_) | SetOp::LayerRow { .. } => info.reads = true,
            SetOp::Local(l) => drop(info.free.insert(l | SET_LOCAL)),
            _ => {}
        }
        info
    }

    pub(crate) fn info_of_int(&self, op: &IntOp) -> Info {
        let mut parts = Vec::new();
        op.each(&mut |part| parts.push(part));
        let mut info = self.info_of(&parts, op.binds());
        match op {
            IntOp::Slot(_)
            | IntOp::SlotRow { .. }
            | IntOp::Dealt { .. }
            | IntOp::KindAt(_)
            | IntOp::OwnerAt(_)
            | IntOp::HeightAt(_) => info.reads = true,
            IntOp::Local(l) => drop(info.free.insert(*l)),
            _ => {}
        }
        info
    }

    /// The facts about a node, from those of its parts. A local that the node binds is in scope of the last part.
    fn info_of(&self, parts: &[Part], binds: Option<Local>) -> Info {
        let mut info = Info { extent: Extent { parts: 1, ..Extent::default() }, ..Info::default() };
        for (i, part) in parts.iter().rev().enumerate() {
            match part {
                Part::Set(s) => info.add(self.info(*s)),
                Part::Int(x) => info.add(self.int_info(*x)),
                Part::Block(block) | Part::After(block) => {
                    self.add_block(&mut info, *block);
                    info.extent.copies += 1;
                }
            }
            if let (0, Some(local)) = (i, binds) {
                info.free.remove(&key(local));
            }
        }
        info
    }

    /// Adds the facts about a block that runs before a value, without the locals that the block binds.
    fn add_block(&self, info: &mut Info, block: BlockId) {
        (info.reads, info.runs) = (true, true);
        info.extent.around(self.extent(Part::Block(block)));
        let extent = info.extent;
        let mut bound = BTreeSet::new();
        let mut queue = vec![block];
        while let Some(block) = queue.pop() {
            for s in self.block_of(block) {
                bound.extend(s.binds().map(key));
                s.each(&mut |part| match part {
                    Part::Set(s) => info.add(self.info(s)),
                    Part::Int(i) => info.add(self.int_info(i)),
                    Part::Block(b) | Part::After(b) => queue.push(b),
                });
            }
        }
        info.free.retain(|l| !bound.contains(l));
        info.extent = extent;
    }

    /// The value of a node that depends on nothing; none if it takes too long.
    pub(crate) fn eval(&mut self, id: SetId) -> Option<SiteSet> {
        self.working(Frame { left: MAX_FOLD_STEPS, ..Frame::default() }, |b, f| b.set_in(id, f))
    }

    /// The value of a node that depends on nothing; none if it takes too long.
    pub(crate) fn eval_int(&mut self, id: IntId) -> Option<i32> {
        self.working(Frame { left: MAX_FOLD_STEPS, ..Frame::default() }, |b, f| b.int_in(id, f))
    }

    /// The value of an integer node for given locals.
    pub(crate) fn eval_with(&mut self, id: IntId, locals: &[(u32, i32)]) -> Option<i32> {
        let ints = locals.iter().copied().collect();
        self.working(Frame { ints, left: 10_000, ..Frame::default() }, |b, f| b.int_in(id, f))
    }

    /// The value of an integer node for a site of which only the number dealt to it is known; none where more
    /// decides.
    pub(crate) fn eval_dealt(&mut self, id: IntId, site: u32, base: u32, number: i32) -> Option<i32> {
        let dealt = Some(Dealt { base, number, names: vec![site] });
        self.working(Frame { dealt, left: 10_000, ..Frame::default() }, |b, f| b.int_in(id, f))
    }

    /// Works something out and counts the steps.
    fn working<T>(
        &mut self,
        mut f: Frame,
        work: impl FnOnce(&Builder, &mut Frame) -> Option<T>,
    ) -> Option<T> {
        let most = f.left;
        let found = work(self, &mut f);
        self.work.take(u64::from(most - f.left));
        found
    }

    fn row(&self, relation: u32, site: usize) -> SiteSet {
        let rows = self.relations.get(relation as usize).map_or(&[][..], |(_, rows)| rows);
        rows.get(site).copied().unwrap_or(SiteSet::EMPTY)
    }

    fn image(&self, relation: u32, of: &SiteSet) -> SiteSet {
        of.iter().fold(SiteSet::EMPTY, |out, s| out | self.row(relation, s))
    }

    fn set_in(&self, id: SetId, f: &mut Frame) -> Option<SiteSet> {
        f.step()?;
        Some(match self.op(id) {
            SetOp::Const(_) => self.set_const_of(id)?,
            SetOp::Local(l) => *f.sets.get(l)?,
            SetOp::Site(x) => {
                let site = usize::try_from(self.int_in(*x, f)?);
                site.map_or(SiteSet::EMPTY, |site| SiteSet::one(site) & self.all)
            }
            SetOp::And(a, b) => self.set_in(*a, f)? & self.set_in(*b, f)?,
            SetOp::Or(a, b) => self.set_in(*a, f)? | self.set_in(*b, f)?,
            SetOp::Sub(a, b) => self.set_in(*a, f)? - self.set_in(*b, f)?,
            SetOp::Not(a) => self.all - self.set_in(*a, f)?,
            SetOp::Otherwise(a, b) => {
                let a = self.set_in(*a, f)?;
                if a.is_empty() { self.set_in(*b, f)? } else { a }
            }
            SetOp::If(c, a, b) => {
                let chosen = if self.int_in(*c, f)? != 0 { a } else { b };
                self.set_in(*chosen, f)?
            }
            SetOp::Switch(c, cases) => {
                let case = usize::try_from(self.int_in(*c, f)?).ok().and_then(|c| cases.get(c));
                case.map_or(Some(SiteSet::EMPTY), |case| self.set_in(*case, f))?
            }
            SetOp::Image { relation, of } => self.image(*relation, &self.set_in(*of, f)?),
            SetOp::Row { relation, site } => {
                let site = usize::try_from(self.int_in(*site, f)?);
                site.map_or(SiteSet::EMPTY, |site| self.row(*relation, site))
            }
            SetOp::Flood { relation, seed, within } => {
                let (seed, within) = (self.set_in(*seed, f)?, self.set_in(*within, f)?);
                let mut reached = seed & within;
                loop {
                    f.step()?;
                    let next = reached | (self.image(*relation, &reached) & within);
                    if next == reached {
                        break reached;
                    }
                    reached = next;
                }
            }
            SetOp::Ring { relation, of, steps } => {
                let (of, steps) = (self.set_in(*of, f)?, self.int_in(*steps, f)?);
                if steps < 0 {
                    return Some(SiteSet::EMPTY);
                }
                let (mut seen, mut ring) = (of, of);
                for _ in 0..steps {
                    f.step()?;
                    ring = self.image(*relation, &ring) - seen;
                    seen = seen | ring;
                    if ring.is_empty() {
                        break;
                    }
                }
                ring
            }
            SetOp::Filter { local, domain, cond } => {
                let mut out = SiteSet::EMPTY;
                for s in self.set_in(*domain, f)?.iter() {
                    f.ints.insert(*local, s as i32);
                    if self.int_in(*cond, f)? != 0 {
                        out.insert(s);
                    }
                }
                out
            }
            SetOp::Union { local, domain, body } => {
                let mut out = SiteSet::EMPTY;
                for n in self.members(domain, f)? {
                    f.ints.insert(*local, n);
                    out = out | self.set_in(*body, f)?;
                }
                out
            }
            SetOp::LetSet { local, value, body } => {
                let value = self.set_in(*value, f)?;
                f.sets.insert(*local, value);
                self.set_in(*body, f)?
            }
            SetOp::LetInt { local, value, body } => {
                let value = self.int_in(*value, f)?;
                f.ints.insert(*local, value);
                self.set_in(*body, f)?
            }
            // Left to play: they read the position, or are rarely constant.
            _ => return None,
        })
    }

    fn members(&self, domain: &Domain, f: &mut Frame) -> Option<Vec<i32>> {
        Some(match domain {
            Domain::Set(s) => self.set_in(*s, f)?.iter().map(|s| s as i32).collect(),
            Domain::Range(a, b) => {
                let (a, b) = (self.int_in(*a, f)?, self.int_in(*b, f)?);
                if i64::from(b) - i64::from(a) >= i64::from(LONGEST_RANGE) {
                    return None;
                }
                (a..=b).collect()
            }
            Domain::Mask(m) => {
                let m = self.int_in(*m, f)?;
                (0..32).filter(|k| m >> k & 1 == 1).collect()
            }
        })
    }

    fn int_in(&self, id: IntId, f: &mut Frame) -> Option<i32> {
        f.step()?;
        Some(match self.int_op(id) {
            IntOp::Const(n) => *n,
            IntOp::Local(l) => *f.ints.get(l)?,
            IntOp::Lookup { table, index, missing } => {
                let index = self.int_in(*index, f)?;
                let table = self.tables.get(*table as usize)?;
                usize::try_from(index).ok().and_then(|i| table.get(i)).copied().unwrap_or(*missing)
            }
            IntOp::Binary(op, a, b) => op.of(self.int_in(*a, f)?, self.int_in(*b, f)?),
            IntOp::Unary(op, a) => op.of(self.int_in(*a, f)?),
            IntOp::And(a, b) => i32::from(self.int_in(*a, f)? != 0 && self.int_in(*b, f)? != 0),
            IntOp::Or(a, b) => i32::from(self.int_in(*a, f)? != 0 || self.int_in(*b, f)? != 0),
            IntOp::If(c, a, b) => {
                let chosen = if self.int_in(*c, f)? != 0 { a } else { b };
                self.int_in(*chosen, f)?
            }
            IntOp::Switch(c, cases, missing) => {
                let case = usize::try_from(self.int_in(*c, f)?).ok().and_then(|c| cases.get(c));
                case.map_or(Some(*missing), |case| self.int_in(*case, f))?
            }
            IntOp::OfSet(op, s) => op.of(&self.set_in(*s, f)?),
            IntOp::Some(s) => i32::from(!self.set_in(*s, f)?.is_empty()),
            IntOp::Meets(a, b) => i32::from(!(self.set_in(*a, f)? & self.set_in(*b, f)?).is_empty()),
            IntOp::Same(a, b) => i32::from(self.set_in(*a, f)? == self.set_in(*b, f)?),
            IntOp::Has(s, x) => {
                let (s, x) = (self.set_in(*s, f)?, self.int_in(*x, f)?);
                i32::from(usize::try_from(x).is_ok_and(|x| s.contains(x)))
            }
            IntOp::Distance { relation, from, to } => {
                let (from, to) = (self.int_in(*from, f)?, self.int_in(*to, f)?);
                let far = self.all.count() as i32;
                let (Ok(from), Ok(to)) = (usize::try_from(from), usize::try_from(to)) else {
                    return Some(far);
                };
                let (mut seen, mut ring) = (SiteSet::one(from), SiteSet::one(from));
                let mut steps = 0;
                while !ring.contains(to) {
                    f.step()?;
                    ring = self.image(*relation, &ring) - seen;
                    seen = seen | ring;
                    steps += 1;
                    if ring.is_empty() {
                        return Some(far);
                    }
                }
                steps
            }
            IntOp::Any { local, domain, cond } => {
                for n in self.members(domain, f)? {
                    f.ints.insert(*local, n);
                    if self.int_in(*cond, f)? != 0 {
                        return Some(1);
                    }
                }
                0
            }
            IntOp::Sum { local, domain, body } => {
                let mut sum = 0i32;
                for n in self.members(domain, f)? {
                    f.ints.insert(*local, n);
                    sum = sum.saturating_add(self.int_in(*body, f)?);
                }
                sum
            }
            IntOp::LetSet { local, value, body } => {
                let value = self.set_in(*value, f)?;
                f.sets.insert(*local, value);
                self.int_in(*body, f)?
            }
            IntOp::LetInt { local, value, body } => {
                match (&mut f.dealt, self.int_op(*value)) {
                    (Some(dealt), IntOp::Local(of)) if dealt.names.contains(of) => dealt.names.push(*local),
                    _ => {
                        let value = self.int_in(*value, f)?;
                        f.ints.insert(*local, value);
                    }
                }
                self.int_in(*body, f)?
            }
            IntOp::Dealt { base, index, .. } => match (&f.dealt, self.int_op(*index)) {
                (Some(dealt), IntOp::Local(of)) if dealt.base == *base && dealt.names.contains(of) => {
                    dealt.number
                }
                _ => return None,
            },
            // Left to play, as above.
            _ => return None,
        })
    }
}
