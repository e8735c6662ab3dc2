//! Makes the nodes of a program: equal nodes are one node, and what is constant is folded.

use std::collections::{BTreeSet, HashMap};

use crate::board::Board;
use crate::program::{Block, BlockId, Domain, IntId, IntOp, RayTable, Relation as Table, SetId, SetOp};
use crate::siteset::{MAX_WORDS, SiteSet};

/// The most distinct shifts with which a relation is still stored as shifts.
const MAX_SHIFTS: usize = 16;

/// What is known of a node.
#[derive(Clone, Debug, Default)]
pub(super) struct Info {
    /// Whether its value depends on the position.
    pub(super) reads: bool,
    /// The locals that it uses and does not bind: integers as they are, sets with the high bit.
    pub(super) free: BTreeSet<u32>,
    /// Whether it runs a block, whose locals are not among the free ones.
    pub(super) runs: bool,
}

/// Marks a set local among [`Info::free`].
pub(super) const SET_LOCAL: u32 = 1 << 31;

/// The arenas of a program in the making.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) all: SiteSet,
    pub(super) sites: usize,
    pub(super) players: usize,
    sets: Vec<SetOp>,
    ints: Vec<IntOp>,
    set_info: Vec<Info>,
    int_info: Vec<Info>,
    set_index: HashMap<SetOp, SetId>,
    int_index: HashMap<IntOp, IntId>,
    blocks: Vec<Block>,
    consts: Vec<SiteSet>,
    const_index: HashMap<SiteSet, u32>,
    pub(super) relations: Vec<(String, Vec<SiteSet>)>,
    pub(super) rays: Vec<Rays>,
    pub(super) tables: Vec<Vec<i32>>,
    set_locals: u32,
    int_locals: u32,
}

/// A ray table in the making.
pub(super) struct Rays {
    pub(super) name: String,
    pub(super) order: crate::program::Order,
    pub(super) reach: Vec<SiteSet>,
    pub(super) beyond: Vec<SiteSet>,
    pub(super) lists: Vec<Vec<u16>>,
}

/// The finished arenas.
pub(super) struct Parts {
    pub(super) consts: Vec<u64>,
    pub(super) relations: Vec<Table>,
    pub(super) rays: Vec<RayTable>,
    pub(super) tables: Vec<Vec<i32>>,
    pub(super) sets: Vec<SetOp>,
    pub(super) ints: Vec<IntOp>,
    pub(super) blocks: Vec<Block>,
    pub(super) set_locals: usize,
    pub(super) int_locals: usize,
}

impl Builder {
    /// An empty builder for a board; integer local 0 is the leaf's base.
    pub(super) fn new(board: &Board, players: usize) -> Builder {
        Builder { all: board.all(), sites: board.len(), players, int_locals: 1, ..Builder::default() }
    }

    /// A fresh integer local.
    pub(super) fn int_local(&mut self) -> u32 {
        self.int_locals += 1;
        self.int_locals - 1
    }

    /// A fresh set local.
    pub(super) fn set_local(&mut self) -> u32 {
        self.set_locals += 1;
        self.set_locals - 1
    }

    /// A block.
    pub(super) fn block(&mut self, block: Block) -> BlockId {
        self.blocks.push(block);
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// The node.
    pub(super) fn op(&self, id: SetId) -> &SetOp {
        // INVARIANT: ids come from this builder only.
        &self.sets[id.0 as usize]
    }

    /// The node.
    pub(super) fn int_op(&self, id: IntId) -> &IntOp {
        &self.ints[id.0 as usize]
    }

    /// What is known of a node.
    pub(super) fn info(&self, id: SetId) -> &Info {
        &self.set_info[id.0 as usize]
    }

    /// What is known of a node.
    pub(super) fn int_info(&self, id: IntId) -> &Info {
        &self.int_info[id.0 as usize]
    }

    /// The constant set that a node is.
    pub(super) fn set_const_of(&self, id: SetId) -> Option<SiteSet> {
        match self.op(id) {
            SetOp::Const(c) => self.consts.get(*c as usize).copied(),
            _ => None,
        }
    }

    /// The number that a node is.
    pub(super) fn const_of(&self, id: IntId) -> Option<i32> {
        match self.int_op(id) {
            IntOp::Const(c) => Some(*c),
            _ => None,
        }
    }

    /// Whether any node reads a slot.
    pub(super) fn reads_slot(&self, slot: usize) -> bool {
        self.ints.iter().any(|op| matches!(op, IntOp::Slot(s) if *s as usize == slot))
    }

    /// A constant number.
    pub(super) fn num(&mut self, n: i32) -> IntId {
        self.raw_int(IntOp::Const(n))
    }

    /// A constant set.
    pub(super) fn constant(&mut self, set: SiteSet) -> SetId {
        let next = self.consts.len() as u32;
        let at = *self.const_index.entry(set).or_insert(next);
        if at == next {
            self.consts.push(set);
        }
        self.raw_set(SetOp::Const(at))
    }

    /// The empty set.
    pub(super) fn empty(&mut self) -> SetId {
        self.constant(SiteSet::EMPTY)
    }

    /// Whether a node is the empty set in every position.
    pub(super) fn is_empty(&self, id: SetId) -> bool {
        self.set_const_of(id).is_some_and(|s| s.is_empty())
    }

    fn is_all(&self, id: SetId) -> bool {
        self.set_const_of(id) == Some(self.all)
    }

    /// A set, simplified.
    pub(super) fn set(&mut self, op: SetOp) -> SetId {
        match &op {
            SetOp::And(a, b) => {
                let (a, b) = (*a, *b);
                if a == b || self.is_all(b) || self.is_empty(a) {
                    return a;
                }
                if self.is_all(a) || self.is_empty(b) {
                    return b;
                }
                if a > b {
                    return self.set(SetOp::And(b, a));
                }
            }
            SetOp::Or(a, b) => {
                let (a, b) = (*a, *b);
                if a == b || self.is_empty(b) || self.is_all(a) {
                    return a;
                }
                if self.is_empty(a) || self.is_all(b) {
                    return b;
                }
                if a > b {
                    return self.set(SetOp::Or(b, a));
                }
            }
            SetOp::Sub(a, b) => {
                let (a, b) = (*a, *b);
                if self.is_empty(b) || self.is_empty(a) {
                    return a;
                }
                if a == b || self.is_all(b) {
                    return self.empty();
                }
                if let SetOp::Not(inner) = self.op(b) {
                    let inner = *inner;
                    return self.set(SetOp::And(a, inner));
                }
                if self.is_all(a) {
                    return self.set(SetOp::Not(b));
                }
            }
            SetOp::Not(a) => {
                if let SetOp::Not(inner) = self.op(*a) {
                    return *inner;
                }
            }
            SetOp::If(c, a, b) => {
                if let Some(n) = self.const_of(*c) {
                    return if n != 0 { *a } else { *b };
                }
                if a == b {
                    return *a;
                }
            }
            SetOp::Otherwise(a, b) => {
                if self.is_empty(*a) {
                    return *b;
                }
                if self.is_empty(*b) {
                    return *a;
                }
                if self.set_const_of(*a).is_some() {
                    return *a;
                }
            }
            SetOp::Switch(index, cases) => {
                if let Some(n) = self.const_of(*index) {
                    let chosen = usize::try_from(n).ok().and_then(|n| cases.get(n)).copied();
                    return match chosen {
                        Some(case) => case,
                        None => self.empty(),
                    };
                }
                // A player is always one of the players, so equal cases need no switch.
                if cases.len() == self.players
                    && let Some(first) = cases.first()
                    && cases.iter().all(|c| c == first)
                {
                    return *first;
                }
            }
            SetOp::LayerRow { base, count, index } => {
                if let Some(n) = self.const_of(*index) {
                    let inside = n >= 0 && (n as u32) < *count;
                    return if inside { self.set(SetOp::Layer(base + n as u32)) } else { self.empty() };
                }
            }
            SetOp::Image { relation, of } => {
                if self.is_empty(*of) {
                    return *of;
                }
                if let SetOp::Site(site) = self.op(*of) {
                    let (relation, site) = (*relation, *site);
                    return self.set(SetOp::Row { relation, site });
                }
            }
            SetOp::Flood { seed, within, .. } if self.is_empty(*seed) || self.is_empty(*within) => {
                return self.empty();
            }
            SetOp::Slide { from, .. } if self.is_empty(*from) => return *from,
            SetOp::Between { from, to, .. } if self.is_empty(*from) || self.is_empty(*to) => {
                return self.empty();
            }
            SetOp::Filter { domain, cond, .. } => {
                if self.is_empty(*domain) {
                    return *domain;
                }
                match self.const_of(*cond) {
                    Some(0) => return self.empty(),
                    Some(_) => return *domain,
                    None => {}
                }
            }
            SetOp::Union { domain: Domain::Set(s), .. } if self.is_empty(*s) => return *s,
            SetOp::Union { body, .. } if self.is_empty(*body) => return *body,
            SetOp::LetSet { local, value, body } => {
                let free = &self.info(*body);
                if !free.runs && !free.free.contains(&(local | SET_LOCAL)) {
                    return *body;
                }
                if let SetOp::Local(l) = self.op(*body)
                    && l == local
                {
                    return *value;
                }
            }
            SetOp::LetInt { local, body, .. } => {
                let free = &self.info(*body);
                if !free.runs && !free.free.contains(local) {
                    return *body;
                }
            }
            _ => {}
        }
        let id = self.raw_set(op);
        let info = self.info(id);
        if !info.reads
            && info.free.is_empty()
            && !matches!(self.op(id), SetOp::Const(_))
            && let Some(value) = self.eval(id)
        {
            return self.constant(value);
        }
        id
    }

    /// An integer, simplified.
    pub(super) fn int(&mut self, op: IntOp) -> IntId {
        let value = |b: &Builder, id: &IntId| b.const_of(*id);
        match &op {
            IntOp::And(a, b) => match (value(self, a), value(self, b)) {
                (Some(0), _) => return *a,
                (Some(_), _) => return *b,
                (_, Some(0)) => return *b,
                (_, Some(_)) => return *a,
                _ if a == b => return *a,
                _ => {}
            },
            IntOp::Or(a, b) => match (value(self, a), value(self, b)) {
                (Some(0), _) => return *b,
                (Some(_), _) => return *a,
                (_, Some(0)) => return *a,
                (_, Some(_)) => return *b,
                _ if a == b => return *a,
                _ => {}
            },
            IntOp::Not(a) => {
                if let IntOp::Not(inner) = self.int_op(*a)
                    && self.is_bool(*inner)
                {
                    return *inner;
                }
            }
            IntOp::If(c, a, b) => {
                if let Some(n) = value(self, c) {
                    return if n != 0 { *a } else { *b };
                }
                if a == b {
                    return *a;
                }
            }
            IntOp::Switch(index, cases, missing) => {
                if let Some(n) = value(self, index) {
                    let missing = *missing;
                    return match usize::try_from(n).ok().and_then(|n| cases.get(n)).copied() {
                        Some(case) => case,
                        None => self.num(missing),
                    };
                }
                if cases.len() == self.players
                    && let Some(first) = cases.first()
                    && cases.iter().all(|c| c == first)
                {
                    return *first;
                }
            }
            IntOp::SlotRow { base, count, index, missing } => {
                if let Some(n) = value(self, index) {
                    let inside = n >= 0 && (n as u32) < *count;
                    let (base, missing) = (*base, *missing);
                    return if inside { self.int(IntOp::Slot(base + n as u32)) } else { self.num(missing) };
                }
            }
            IntOp::Add(a, b) => match (value(self, a), value(self, b)) {
                (Some(0), _) => return *b,
                (_, Some(0)) => return *a,
                _ => {}
            },
            IntOp::Sub(a, b) => {
                if value(self, b) == Some(0) {
                    return *a;
                }
                // 1 - (1 - x): the opponent's opponent.
                if let (Some(n), IntOp::Sub(c, x)) = (value(self, a), self.int_op(*b))
                    && value(self, c) == Some(n)
                {
                    return *x;
                }
            }
            IntOp::Mul(a, b) => match (value(self, a), value(self, b)) {
                (Some(1), _) => return *b,
                (_, Some(1)) => return *a,
                _ => {}
            },
            IntOp::Some(s) => {
                if let SetOp::And(a, b) = self.op(*s) {
                    let (a, b) = (*a, *b);
                    return self.int(IntOp::Meets(a, b));
                }
                // A site alone is empty only if it is none.
                if let SetOp::Site(x) = self.op(*s) {
                    let (x, zero) = (*x, self.num(0));
                    return self.int(IntOp::Le(zero, x));
                }
            }
            IntOp::Meets(a, b) => {
                let (a, b) = (*a, *b);
                if self.is_empty(a) || self.is_empty(b) {
                    return self.num(0);
                }
                for (one, other) in [(a, b), (b, a)] {
                    if let SetOp::Site(x) = self.op(one) {
                        let x = *x;
                        return self.int(IntOp::Has(other, x));
                    }
                }
            }
            IntOp::Has(set, x) => {
                if self.is_empty(*set) || value(self, x).is_some_and(|n| n < 0) {
                    return self.num(0);
                }
                if let SetOp::Site(y) = self.op(*set) {
                    // Both may be none, which is in no set.
                    let (x, y, zero) = (*x, *y, self.num(0));
                    let same = self.int(IntOp::Eq(x, y));
                    let real = self.int(IntOp::Le(zero, x));
                    return self.int(IntOp::And(real, same));
                }
            }
            IntOp::Any { domain, cond, .. } => {
                if value(self, cond) == Some(0) {
                    return *cond;
                }
                if let Domain::Set(s) = domain {
                    let s = *s;
                    if self.is_empty(s) {
                        return self.num(0);
                    }
                    if value(self, cond).is_some() {
                        return self.int(IntOp::Some(s));
                    }
                }
            }
            IntOp::Sum { domain: Domain::Set(s), body, .. } => {
                let s = *s;
                if value(self, body) == Some(1) {
                    return self.int(IntOp::Count(s));
                }
            }
            IntOp::LetSet { local, body, .. } => {
                let free = &self.int_info(*body);
                if !free.runs && !free.free.contains(&(local | SET_LOCAL)) {
                    return *body;
                }
            }
            IntOp::LetInt { local, body, .. } => {
                let free = &self.int_info(*body);
                if !free.runs && !free.free.contains(local) {
                    return *body;
                }
            }
            _ => {}
        }
        let id = self.raw_int(op);
        let info = self.int_info(id);
        if !info.reads
            && info.free.is_empty()
            && !matches!(self.int_op(id), IntOp::Const(_))
            && let Some(n) = self.eval_int(id)
        {
            return self.num(n);
        }
        id
    }

    /// Whether a node is 0 or 1 always.
    fn is_bool(&self, id: IntId) -> bool {
        matches!(
            self.int_op(id),
            IntOp::Const(0 | 1)
                | IntOp::Eq(..)
                | IntOp::Lt(..)
                | IntOp::Le(..)
                | IntOp::Not(_)
                | IntOp::Some(_)
                | IntOp::Meets(..)
                | IntOp::Same(..)
                | IntOp::Has(..)
                | IntOp::Any { .. }
        )
    }

    fn raw_set(&mut self, op: SetOp) -> SetId {
        if let Some(id) = self.set_index.get(&op) {
            return *id;
        }
        let info = self.info_of_set(&op);
        let id = SetId(self.sets.len() as u32);
        self.sets.push(op.clone());
        self.set_info.push(info);
        self.set_index.insert(op, id);
        id
    }

    fn raw_int(&mut self, op: IntOp) -> IntId {
        if let Some(id) = self.int_index.get(&op) {
            return *id;
        }
        let info = self.info_of_int(&op);
        let id = IntId(self.ints.len() as u32);
        self.ints.push(op.clone());
        self.int_info.push(info);
        self.int_index.insert(op, id);
        id
    }

    /// Hands over the arenas, sets cut to so many words.
    pub(super) fn finish(self, width: usize) -> Parts {
        let cut = |rows: &[SiteSet]| -> Vec<u64> {
            rows.iter().flat_map(|s| s.0.iter().copied().take(width)).collect()
        };
        let relations = self
            .relations
            .iter()
            .map(|(name, rows)| Table {
                name: name.clone(),
                rows: cut(rows),
                shifts: shifts(rows)
                    .into_iter()
                    .map(|(by, mask)| (by, cut(std::slice::from_ref(&mask))))
                    .collect(),
            })
            .collect();
        let rays = self
            .rays
            .iter()
            .map(|r| RayTable {
                name: r.name.clone(),
                order: r.order,
                reach: cut(&r.reach),
                beyond: cut(&r.beyond),
                lists: r.lists.clone(),
            })
            .collect();
        debug_assert!(width <= MAX_WORDS);
        Parts {
            consts: cut(&self.consts),
            relations,
            rays,
            tables: self.tables,
            sets: self.sets,
            ints: self.ints,
            blocks: self.blocks,
            set_locals: self.set_locals as usize,
            int_locals: self.int_locals as usize,
        }
    }
}

/// The relation as moves of whole sets; empty where there would be too many.
fn shifts(rows: &[SiteSet]) -> Vec<(i32, SiteSet)> {
    let mut found: Vec<(i32, SiteSet)> = Vec::new();
    for (from, row) in rows.iter().enumerate() {
        for to in row.iter() {
            let by = to as i32 - from as i32;
            if let Some((_, mask)) = found.iter_mut().find(|(d, _)| *d == by) {
                mask.insert(from);
            } else if found.len() == MAX_SHIFTS {
                return Vec::new();
            } else {
                found.push((by, SiteSet::one(from)));
            }
        }
    }
    found
}
