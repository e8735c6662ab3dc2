//! The arenas of a program in the making. Equal nodes are one node (hash consing).

use std::collections::{BTreeSet, HashMap};

use super::work::Work;
use super::{Node, Passes};
use crate::board::Board;
use crate::limits::{CODE_LEVELS, CODE_PARTS};
use crate::program::{
    Binary, Block, BlockId, Deal, Hole, IntId, IntOp, Layout, Local, Part, Pieces, RayTable,
    Relation as Table, SetId, SetOp, Stmt, slot,
};
use crate::siteset::SiteSet;

/// The most distinct shifts with which a relation is still stored as shifts.
pub(super) const MAX_SHIFTS: usize = 16;

/// How large code is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    /// How deeply it is nested; 0 for code without parts.
    pub(crate) levels: u32,
    /// How many parts it has, written out.
    pub(crate) parts: u32,
    /// How deeply copies of the position are nested in it.
    pub(crate) copies: u32,
}

impl Extent {
    /// Extends it to code that contains this.
    pub(crate) fn around(&mut self, inner: Extent) {
        self.levels = self.levels.max(inner.levels + 1);
        self.parts = self.parts.saturating_add(inner.parts);
        self.copies = self.copies.max(inner.copies);
    }
}

/// Facts about a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Info {
    /// How large it is.
    pub(crate) extent: Extent,
    /// Whether it is made of layers and constants alone: cheap to compute.
    pub(crate) plain: bool,
    /// Whether its value depends on the position.
    pub(crate) reads: bool,
    /// The locals that it uses and does not bind: integers as they are, sets with the high bit.
    pub(crate) free: BTreeSet<u32>,
    /// Whether it runs a block.
    pub(crate) runs: bool,
}

impl Info {
    /// Takes in the facts about a part.
    pub(crate) fn add(&mut self, other: &Info) {
        self.reads |= other.reads;
        self.runs |= other.runs;
        self.free.extend(&other.free);
        self.extent.around(other.extent);
    }
}

/// Marks a set local among [`Info::free`].
pub(crate) const SET_LOCAL: u32 = 1 << 31;

/// A local as it stands among [`Info::free`].
pub(crate) fn key(local: Local) -> u32 {
    match local {
        Local::Set(l) => l | SET_LOCAL,
        Local::Int(l) => l,
    }
}

/// The arenas of a program in the making.
#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) all: SiteSet,
    pub(crate) sites: usize,
    pub(crate) players: usize,
    pub(crate) pieces: Pieces,
    pub(crate) passes: Passes,
    sets: Vec<SetOp>,
    ints: Vec<IntOp>,
    set_info: Vec<Info>,
    int_info: Vec<Info>,
    set_index: HashMap<SetOp, SetId>,
    int_index: HashMap<IntOp, IntId>,
    blocks: Vec<Block>,
    extents: Vec<Extent>,
    /// The work so far.
    pub(crate) work: Work,
    consts: Vec<SiteSet>,
    const_index: HashMap<SiteSet, u32>,
    pub(crate) relations: Vec<(String, Vec<SiteSet>)>,
    pub(crate) rays: Vec<Rays>,
    pub(crate) tables: Vec<Vec<i32>>,
    pub(crate) deals: Vec<Deal>,
    /// The domains of the loops around the code being made, by their locals: loops over sites, in the position in which
    /// the choices are made.
    pub(crate) ranges: HashMap<u32, SetId>,
    /// The masks whose bits locals are bound to by loops around the code that is made.
    pub(crate) masks: HashMap<u32, IntId>,
    /// The sites from which a piece can be lifted so that a condition holds; a cache by the question.
    pub(crate) lifted: HashMap<(IntId, SetId, SetId, SetId), SetId>,
    /// How deeply the code being made is nested in copies of the position.
    pub(crate) depth: usize,
    set_locals: u32,
    int_locals: u32,
}

/// A ray table in the making.
pub(crate) struct Rays {
    pub(crate) name: String,
    pub(crate) order: crate::program::Order,
    pub(crate) reach: Vec<SiteSet>,
    pub(crate) beyond: Vec<SiteSet>,
    pub(crate) lists: Vec<Vec<u16>>,
}

/// The finished arenas.
pub(crate) struct Parts {
    pub(crate) consts: Vec<u64>,
    pub(crate) relations: Vec<Table>,
    pub(crate) rays: Vec<RayTable>,
    pub(crate) tables: Vec<Vec<i32>>,
    pub(crate) sets: Vec<SetOp>,
    pub(crate) ints: Vec<IntOp>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) set_locals: usize,
    pub(crate) int_locals: usize,
}

impl Builder {
    /// An empty builder for a board and positions; integer local 0 is the leaf's base.
    pub(crate) fn new(board: &Board, layout: &Layout, passes: Passes) -> Builder {
        Builder {
            all: board.all(),
            sites: board.len(),
            players: layout.players,
            pieces: layout.pieces.clone(),
            deals: layout.deals.clone(),
            passes,
            int_locals: 1,
            ..Builder::default()
        }
    }

    /// A fresh integer local.
    pub(crate) fn int_local(&mut self) -> u32 {
        self.int_locals += 1;
        self.int_locals - 1
    }

    /// A fresh set local.
    pub(crate) fn set_local(&mut self) -> u32 {
        self.set_locals += 1;
        self.set_locals - 1
    }

    /// A table of numbers.
    pub(crate) fn table(&mut self, table: Vec<i32>) -> u32 {
        if let Some(i) = self.tables.iter().position(|t| *t == table) {
            return i as u32;
        }
        self.tables.push(table);
        self.tables.len() as u32 - 1
    }

    /// A block; an empty one where that is too large.
    pub(crate) fn block(&mut self, block: Block) -> BlockId {
        let mut extent = Extent { parts: 1, ..Extent::default() };
        for s in &block {
            s.each(&mut |part| extent.around(self.extent(part)));
        }
        self.work.take(1 + block.len() as u64);
        let fits = self.fits(extent);
        self.blocks.push(if fits { block } else { Block::new() });
        self.extents.push(if fits { extent } else { Extent { parts: 1, ..Extent::default() } });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// How large a part is.
    pub(crate) fn extent(&self, part: Part) -> Extent {
        match part {
            Part::Set(s) => self.info(s).extent,
            Part::Int(i) => self.int_info(i).extent,
            Part::Block(b) | Part::After(b) => self.extents.get(b.0 as usize).copied().unwrap_or_default(),
        }
    }

    /// How many parts the blocks in a statement have.
    pub(crate) fn parts_of(&self, s: &Stmt) -> u64 {
        let mut parts = 0;
        s.each(&mut |part| {
            if let Part::Block(_) = part {
                parts += u64::from(self.extent(part).parts);
            }
        });
        parts
    }

    /// Counts the steps of a walk over some code, one for each part; says whether more are allowed.
    pub(crate) fn walk(&mut self, part: Part) -> bool {
        let parts = self.extent(part).parts;
        self.work.take(u64::from(parts))
    }

    /// How deeply copies of the position nest in all that was made.
    pub(crate) fn copies(&self) -> usize {
        let nodes = self.set_info.iter().chain(&self.int_info).map(|info| info.extent);
        nodes.chain(self.extents.iter().copied()).map(|extent| extent.copies).max().unwrap_or(0) as usize
    }

    /// Whether code of that size is allowed; notes it if not.
    fn fits(&mut self, extent: Extent) -> bool {
        if extent.levels > CODE_LEVELS {
            self.work.deep();
        } else if extent.parts > CODE_PARTS {
            self.work.large();
        }
        extent.levels <= CODE_LEVELS && extent.parts <= CODE_PARTS
    }

    /// The statements of a block.
    pub(crate) fn block_of(&self, id: BlockId) -> &Block {
        // INVARIANT: ids come from this builder only.
        &self.blocks[id.0 as usize]
    }

    /// Notes that a constant node takes too long to fold: it and all nodes made of it are evaluated during play.
    pub(crate) fn leave_set(&mut self, id: SetId) {
        if let Some(info) = self.set_info.get_mut(id.0 as usize) {
            info.reads = true;
        }
    }

    /// The same of an integer.
    pub(crate) fn leave_int(&mut self, id: IntId) {
        if let Some(info) = self.int_info.get_mut(id.0 as usize) {
            info.reads = true;
        }
    }

    /// The operation of a set.
    pub(crate) fn op(&self, id: SetId) -> &SetOp {
        // INVARIANT: ids come from this builder only.
        &self.sets[id.0 as usize]
    }

    /// The operation of an integer.
    pub(crate) fn int_op(&self, id: IntId) -> &IntOp {
        &self.ints[id.0 as usize]
    }

    /// The facts about a set.
    pub(crate) fn info(&self, id: SetId) -> &Info {
        &self.set_info[id.0 as usize]
    }

    /// The facts about an integer.
    pub(crate) fn int_info(&self, id: IntId) -> &Info {
        &self.int_info[id.0 as usize]
    }

    /// The facts about a node of either arena.
    pub(crate) fn node_info(&self, node: Node) -> &Info {
        match node {
            Node::Set(id) => self.info(id),
            Node::Int(id) => self.int_info(id),
        }
    }

    /// The set that a value is. The types of rules say that it is one.
    pub(crate) fn set_of(&mut self, value: Node) -> SetId {
        match value {
            Node::Set(set) => set,
            Node::Int(_) => self.empty(),
        }
    }

    /// The integer that a value is, likewise.
    pub(crate) fn int_of(&mut self, value: Node) -> IntId {
        match value {
            Node::Int(int) => int,
            Node::Set(_) => self.num(0),
        }
    }

    /// The one value where a condition holds, else the other, which is of the same sort.
    pub(crate) fn choose(&mut self, cond: IntId, yes: Node, no: Node) -> Node {
        match yes {
            Node::Set(yes) => {
                let no = self.set_of(no);
                self.set(SetOp::If(cond, yes, no)).into()
            }
            Node::Int(yes) => {
                let no = self.int_of(no);
                self.int(IntOp::If(cond, yes, no)).into()
            }
        }
    }

    /// The value of that number among some of one sort; an integer where there is none is `missing`.
    pub(crate) fn switch(&mut self, index: IntId, cases: Vec<Node>, missing: i32) -> Node {
        if let Some(Node::Set(_)) = cases.first() {
            let cases = cases.into_iter().map(|case| self.set_of(case)).collect();
            self.set(SetOp::Switch(index, cases)).into()
        } else {
            let cases = cases.into_iter().map(|case| self.int_of(case)).collect();
            self.int(IntOp::Switch(index, cases, missing)).into()
        }
    }

    /// The parts of a node, the local that it binds for the last of them, and whether that one may be evaluated many
    /// times.
    pub(crate) fn anatomy(&self, node: Node) -> (Vec<Part>, Option<Local>, bool) {
        let mut parts = Vec::new();
        let mut tell = |part| parts.push(part);
        let (binds, repeats) = match node {
            Node::Set(id) => {
                let op = self.op(id);
                op.each(&mut tell);
                (op.binds(), op.repeats())
            }
            Node::Int(id) => {
                let op = self.int_op(id);
                op.each(&mut tell);
                (op.binds(), op.repeats())
            }
        };
        (parts, binds, repeats)
    }

    /// Of a `let` its local, the value and the body.
    pub(crate) fn let_of(&self, node: Node) -> Option<(Local, Node, Node)> {
        match node {
            Node::Set(id) => match *self.op(id) {
                SetOp::LetSet { local, value, body } => Some((Local::Set(local), value.into(), body.into())),
                SetOp::LetInt { local, value, body } => Some((Local::Int(local), value.into(), body.into())),
                _ => None,
            },
            Node::Int(id) => match *self.int_op(id) {
                IntOp::LetSet { local, value, body } => Some((Local::Set(local), value.into(), body.into())),
                IntOp::LetInt { local, value, body } => Some((Local::Int(local), value.into(), body.into())),
                _ => None,
            },
        }
    }

    /// Of members of a set that pass a test the local that is bound to each, the set and the test.
    pub(crate) fn filter_of(&mut self, id: SetId) -> Option<(u32, SetId, IntId)> {
        match *self.op(id) {
            SetOp::Filter { local, domain, cond } => Some((local, domain, cond)),
            SetOp::Sieve { local, domain, passing } => {
                let member = self.int(IntOp::Local(local));
                Some((local, domain, self.int(IntOp::Has(passing, member))))
            }
            _ => None,
        }
    }

    /// The node with each of its parts replaced; none where one cannot be.
    pub(crate) fn replaced(
        &mut self,
        node: Node,
        mut replace: impl FnMut(&mut Builder, Hole<'_>) -> Option<()>,
    ) -> Option<Node> {
        let mut all = Some(());
        match node {
            Node::Set(id) => {
                let mut op = self.op(id).clone();
                op.each_mut(&mut |hole| all = all.and_then(|()| replace(self, hole)));
                all.map(|()| self.set(op).into())
            }
            Node::Int(id) => {
                let mut op = self.int_op(id).clone();
                op.each_mut(&mut |hole| all = all.and_then(|()| replace(self, hole)));
                all.map(|()| self.int(op).into())
            }
        }
    }

    /// The constant set that a node is.
    pub(crate) fn set_const_of(&self, id: SetId) -> Option<SiteSet> {
        match self.op(id) {
            SetOp::Const(c) => self.consts.get(*c as usize).copied(),
            _ => None,
        }
    }

    /// The number that a node is.
    pub(crate) fn const_of(&self, id: IntId) -> Option<i32> {
        match self.int_op(id) {
            IntOp::Const(c) => Some(*c),
            _ => None,
        }
    }

    /// Whether a number is always below so many, the number of players, and never missing: the mover, the turn's
    /// player, and the other one of two. A piece's kind or owner is missing where no piece stands.
    pub(crate) fn is_one_of(&self, id: IntId, many: usize) -> bool {
        let one = |c: &IntId| self.const_of(*c) == Some(1);
        many == self.players
            && match self.int_op(id) {
                IntOp::Slot(s) => [slot::MOVER, slot::TURN].contains(&(*s as usize)),
                IntOp::Binary(Binary::Sub, c, x) => many == 2 && one(c) && self.is_one_of(*x, many),
                _ => false,
            }
    }

    /// Whether any node reads a slot.
    pub(crate) fn reads_slot(&self, slot: usize) -> bool {
        self.ints.iter().any(|op| matches!(op, IntOp::Slot(s) if *s as usize == slot))
    }

    /// A constant number.
    pub(crate) fn num(&mut self, n: i32) -> IntId {
        self.raw_int(IntOp::Const(n))
    }

    /// A constant set.
    pub(crate) fn constant(&mut self, set: SiteSet) -> SetId {
        let next = self.consts.len() as u32;
        let at = *self.const_index.entry(set).or_insert(next);
        if at == next {
            self.consts.push(set);
        }
        self.raw_set(SetOp::Const(at))
    }

    /// All sites.
    pub(crate) fn all_sites(&mut self) -> SetId {
        self.constant(self.all)
    }

    /// The empty set.
    pub(crate) fn empty(&mut self) -> SetId {
        self.constant(SiteSet::EMPTY)
    }

    /// Whether a node is the empty set in every position.
    pub(crate) fn is_empty(&self, id: SetId) -> bool {
        self.set_const_of(id).is_some_and(|s| s.is_empty())
    }

    /// Whether a node is all sites in every position.
    pub(crate) fn is_all(&self, id: SetId) -> bool {
        self.set_const_of(id) == Some(self.all)
    }

    /// A set, not simplified.
    pub(crate) fn raw_set(&mut self, op: SetOp) -> SetId {
        if let Some(id) = self.set_index.get(&op) {
            return *id;
        }
        let info = self.info_of_set(&op);
        self.work.take(1 + info.free.len() as u64);
        if !self.fits(info.extent) {
            return self.empty();
        }
        let id = SetId(self.sets.len() as u32);
        self.sets.push(op.clone());
        self.set_info.push(info);
        self.set_index.insert(op, id);
        id
    }

    /// An integer, not simplified.
    pub(crate) fn raw_int(&mut self, op: IntOp) -> IntId {
        if let Some(id) = self.int_index.get(&op) {
            return *id;
        }
        let info = self.info_of_int(&op);
        self.work.take(1 + info.free.len() as u64);
        if !self.fits(info.extent) {
            return self.num(0);
        }
        let id = IntId(self.ints.len() as u32);
        self.ints.push(op.clone());
        self.int_info.push(info);
        self.int_index.insert(op, id);
        id
    }

    /// A table of given rows, made once.
    pub(crate) fn relation_of_rows(&mut self, name: &str, rows: Vec<SiteSet>) -> u32 {
        if let Some(i) = self.relations.iter().position(|(_, r)| *r == rows) {
            return i as u32;
        }
        self.relations.push((name.to_owned(), rows));
        self.relations.len() as u32 - 1
    }

    /// Hands over the arenas, sets cut to so many words.
    pub(crate) fn finish(self, width: usize) -> Parts {
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
                    .unwrap_or_default()
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

/// The relation as moves of whole sets; none where there would be too many.
pub(super) fn shifts(rows: &[SiteSet]) -> Option<Vec<(i32, SiteSet)>> {
    let mut found: Vec<(i32, SiteSet)> = Vec::new();
    for (from, row) in rows.iter().enumerate() {
        for to in row.iter() {
            let by = to as i32 - from as i32;
            if let Some((_, mask)) = found.iter_mut().find(|(d, _)| *d == by) {
                mask.insert(from);
            } else if found.len() == MAX_SHIFTS {
                return None;
            } else {
                found.push((by, SiteSet::one(from)));
            }
        }
    }
    Some(found)
}
