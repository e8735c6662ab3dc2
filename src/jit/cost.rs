//! What code costs: how large it is written out, and whether a value is worth skipping.

use super::Uncompiled;
use crate::program::{BlockId, Domain, FlowNode, IntId, IntOp, OutcomeCode, Program, SetId, SetOp, Stmt};

/// The most instructions, roughly, that are compiled.
const LARGEST: u64 = 60_000;

/// From so many instructions on a value is skipped where it cannot matter.
const HEAVY: u64 = 24;

/// How often a loop is thought to run.
const TURNS: u64 = 6;

/// Size written out, and time taken, in instructions.
#[derive(Clone, Copy, Default, Debug)]
struct Cost {
    size: u64,
    time: u64,
}

impl Cost {
    fn of(n: u64) -> Cost {
        Cost { size: n, time: n }
    }

    fn and(self, other: Cost) -> Cost {
        Cost { size: self.size.saturating_add(other.size), time: self.time.saturating_add(other.time) }
    }

    /// Inside a loop.
    fn looped(self) -> Cost {
        Cost { size: self.size.saturating_add(8), time: self.time.saturating_add(4).saturating_mul(TURNS) }
    }
}

/// The costs of all code of a program.
pub(super) struct Costs {
    sets: Vec<Cost>,
    ints: Vec<Cost>,
    blocks: Vec<Option<Cost>>,
}

impl Costs {
    /// Whether a set is worth skipping.
    pub fn heavy_set(&self, id: SetId) -> bool {
        self.sets[id.0 as usize].time > HEAVY
    }

    /// Whether an integer is worth skipping.
    pub fn heavy_int(&self, id: IntId) -> bool {
        self.ints[id.0 as usize].time > HEAVY
    }

    /// Measures a program; an error if it is too large.
    pub fn new(program: &Program) -> Result<Costs, Uncompiled> {
        let mut meter = Meter {
            program,
            sets: vec![None; program.sets.len()],
            ints: vec![None; program.ints.len()],
            blocks: vec![None; program.blocks.len()],
        };
        // Operands have lower numbers, so going up nothing nests deeply.
        for i in 0..program.sets.len().max(program.ints.len()) {
            if i < program.ints.len() {
                meter.int(IntId(i as u32));
            }
            if i < program.sets.len() {
                meter.set(SetId(i as u32));
            }
        }
        let size = meter.whole();
        if size > LARGEST {
            return Err(Uncompiled::TooLarge);
        }
        let flat = |costs: Vec<Option<Cost>>| costs.into_iter().map(Option::unwrap_or_default).collect();
        Ok(Costs { sets: flat(meter.sets), ints: flat(meter.ints), blocks: meter.blocks })
    }

    /// The size of a block.
    pub fn block(&self, id: BlockId) -> u64 {
        self.blocks[id.0 as usize].map_or(0, |cost| cost.size)
    }
}

struct Meter<'p> {
    program: &'p Program,
    sets: Vec<Option<Cost>>,
    ints: Vec<Option<Cost>>,
    blocks: Vec<Option<Cost>>,
}

impl Meter<'_> {
    fn width(&self) -> u64 {
        self.program.layout.width as u64
    }

    /// All that is compiled.
    fn whole(&mut self) -> u64 {
        let program = self.program;
        let mut sum = Cost::default();
        let mut add = |cost: Cost| sum = sum.and(cost);
        for decision in &program.decisions {
            add(self.block(decision.apply));
            // Once as a function, or once in place.
            add(self.block(decision.generate));
            if let Some(when) = decision.when {
                add(self.int(when));
            }
        }
        for state in &program.states {
            add(self.node(&state.rest));
        }
        add(self.block(program.turn_end));
        for id in program.next.into_iter().chain(program.score) {
            add(self.int(id));
        }
        for end in &program.ends {
            add(self.int(end.when));
            add(self.outcome(&end.result));
        }
        // A stuck mover is looked at in three places.
        for _ in 0..3 {
            add(self.outcome(&program.stuck));
        }
        sum.size
    }

    fn node(&mut self, node: &FlowNode) -> Cost {
        match node {
            FlowNode::Done => Cost::of(1),
            FlowNode::Leaf(_) => Cost::of(20),
            FlowNode::Sequence(nodes) | FlowNode::Either(nodes) => {
                nodes.iter().fold(Cost::of(4), |sum, node| sum.and(self.node(node)))
            }
            FlowNode::If(cond, node) | FlowNode::By(cond, node) => self.int(*cond).and(self.node(node)),
            FlowNode::Try(node) | FlowNode::May(node, _) | FlowNode::Repeat(node) => {
                Cost::of(6).and(self.node(node))
            }
            FlowNode::Longest { node, .. } => self.node(node),
        }
    }

    fn outcome(&mut self, code: &OutcomeCode) -> Cost {
        match code {
            OutcomeCode::If(cond, a, b) => self.int(*cond).and(self.outcome(a)).and(self.outcome(b)),
            OutcomeCode::Wins(player) => self.int(*player).and(Cost::of(4)),
            OutcomeCode::Pass | OutcomeCode::Draw | OutcomeCode::Score => Cost::of(2),
        }
    }

    fn domain(&mut self, domain: &Domain) -> Cost {
        match domain {
            Domain::Set(set) => self.set(*set),
            Domain::Range(low, high) => self.int(*low).and(self.int(*high)),
            Domain::Mask(mask) => self.int(*mask),
        }
    }

    fn relation(&self, relation: u32) -> Cost {
        let shifts = self.program.relations[relation as usize].shifts.len() as u64;
        match shifts {
            0 => Cost::of(self.width() * 2).looped(),
            n => Cost::of(n * self.width() * if self.width() == 1 { 3 } else { 5 }),
        }
    }

    fn set(&mut self, id: SetId) -> Cost {
        if let Some(cost) = self.sets[id.0 as usize] {
            return cost;
        }
        let w = self.width();
        let program = self.program;
        let word = Cost::of(w);
        let cost = match &program.sets[id.0 as usize] {
            SetOp::Const(_) | SetOp::Layer(_) | SetOp::Local(_) => word,
            SetOp::LayerRow { index, .. } => Cost::of(2 * w + 2).and(self.int(*index)),
            SetOp::Site(site) => Cost::of(2 * w + 1).and(self.int(*site)),
            SetOp::And(a, b) | SetOp::Or(a, b) | SetOp::Sub(a, b) => word.and(self.set(*a)).and(self.set(*b)),
            SetOp::Otherwise(a, b) => Cost::of(2 * w + 1).and(self.set(*a)).and(self.set(*b)),
            SetOp::Not(a) => word.and(self.set(*a)),
            SetOp::If(cond, a, b) => word.and(self.int(*cond)).and(self.set(*a)).and(self.set(*b)),
            SetOp::Switch(index, cases) => {
                cases.iter().fold(self.int(*index), |sum, case| sum.and(word).and(self.set(*case)))
            }
            SetOp::Image { relation, of } => self.relation(*relation).and(self.set(*of)),
            SetOp::Row { site, .. } => Cost::of(w + 4).and(self.int(*site)),
            SetOp::Slide { rays, from, through, over } => {
                let ray = Cost::of(rays.len() as u64 * w * if over.is_some() { 18 } else { 9 }).looped();
                let sum = ray.and(self.set(*from)).and(self.set(*through));
                over.map_or(sum, |over| sum.and(self.set(over)))
            }
            SetOp::Between { rays, from, to } => {
                let ray = Cost::of(rays.len() as u64 * w * 9).looped();
                ray.and(self.set(*from)).and(self.set(*to))
            }
            SetOp::Flood { relation, seed, within } => {
                let step = self.relation(*relation).and(Cost::of(5 * w)).looped();
                step.and(self.set(*seed)).and(self.set(*within))
            }
            SetOp::Fix { seed, within, step, .. } => {
                let step = self.set(*step).and(Cost::of(5 * w)).looped();
                step.and(self.set(*seed)).and(self.set(*within))
            }
            SetOp::Ring { of, steps, .. } => Cost::of(40).and(self.set(*of)).and(self.int(*steps)),
            SetOp::Line { steps, of, length } => {
                let axes = steps.iter().fold(Cost::default(), |sum, step| {
                    let one = self.relation(*step);
                    sum.and(Cost { size: one.size * 8, time: one.time * 8 })
                });
                axes.and(self.set(*of)).and(self.int(*length))
            }
            SetOp::Filter { domain, cond, .. } => {
                self.int(*cond).and(Cost::of(2)).looped().and(self.set(*domain))
            }
            SetOp::Union { domain, body, .. } => self.set(*body).and(word).looped().and(self.domain(domain)),
            SetOp::LetSet { value, body, .. } => self.set(*value).and(self.set(*body)),
            SetOp::LetInt { value, body, .. } => self.int(*value).and(self.set(*body)),
            SetOp::After(block, value) => self.block(*block).and(self.set(*value)),
        };
        self.sets[id.0 as usize] = Some(cost);
        cost
    }

    fn int(&mut self, id: IntId) -> Cost {
        if let Some(cost) = self.ints[id.0 as usize] {
            return cost;
        }
        let w = self.width();
        let program = self.program;
        let cost = match &program.ints[id.0 as usize] {
            IntOp::Const(_) | IntOp::Local(_) | IntOp::Slot(_) => Cost::of(1),
            IntOp::SlotRow { index: a, .. }
            | IntOp::Dealt { index: a, .. }
            | IntOp::Lookup { index: a, .. } => Cost::of(4).and(self.int(*a)),
            IntOp::Abs(a) | IntOp::Bit(a) | IntOp::BitCount(a) | IntOp::BitFirst(a) | IntOp::Not(a) => {
                Cost::of(2).and(self.int(*a))
            }
            IntOp::Add(a, b)
            | IntOp::Sub(a, b)
            | IntOp::Mul(a, b)
            | IntOp::Min(a, b)
            | IntOp::Max(a, b)
            | IntOp::BitAnd(a, b)
            | IntOp::BitOr(a, b)
            | IntOp::BitSub(a, b)
            | IntOp::Eq(a, b)
            | IntOp::Lt(a, b)
            | IntOp::Le(a, b)
            | IntOp::And(a, b)
            | IntOp::Or(a, b) => Cost::of(2).and(self.int(*a)).and(self.int(*b)),
            IntOp::Div(a, b) | IntOp::Rem(a, b) => Cost::of(10).and(self.int(*a)).and(self.int(*b)),
            IntOp::If(c, a, b) => Cost::of(1).and(self.int(*c)).and(self.int(*a)).and(self.int(*b)),
            IntOp::Switch(index, cases, _) => {
                cases.iter().fold(self.int(*index), |sum, case| sum.and(Cost::of(2)).and(self.int(*case)))
            }
            IntOp::Count(a) | IntOp::Some(a) | IntOp::First(a) | IntOp::Only(a) => {
                Cost::of(3 * w).and(self.set(*a))
            }
            IntOp::Meets(a, b) | IntOp::Same(a, b) => Cost::of(2 * w).and(self.set(*a)).and(self.set(*b)),
            IntOp::Has(set, site) => Cost::of(3 + w).and(self.set(*set)).and(self.int(*site)),
            IntOp::KindAt(site) => Cost::of(5 * program.layout.pieces.kinds as u64).and(self.int(*site)),
            IntOp::OwnerAt(site) => Cost::of(5 * program.layout.players as u64).and(self.int(*site)),
            IntOp::HeightAt(site) => {
                Cost::of(5 + 5 * program.layout.pieces.levels as u64).and(self.int(*site))
            }
            IntOp::Distance { from, to, .. } => Cost::of(60).and(self.int(*from)).and(self.int(*to)),
            IntOp::Any { domain, cond: body, .. } | IntOp::Sum { domain, body, .. } => {
                self.int(*body).looped().and(self.domain(domain))
            }
            IntOp::LetSet { value, body, .. } => self.set(*value).and(self.int(*body)),
            IntOp::LetInt { value, body, .. } => self.int(*value).and(self.int(*body)),
            IntOp::After(block, value) => self.block(*block).and(self.int(*value)),
        };
        self.ints[id.0 as usize] = Some(cost);
        cost
    }

    fn block(&mut self, id: BlockId) -> Cost {
        if let Some(cost) = self.blocks[id.0 as usize] {
            return cost;
        }
        let program = self.program;
        let cost = program.blocks[id.0 as usize]
            .iter()
            .fold(Cost::default(), |sum, statement| sum.and(self.statement(statement)));
        self.blocks[id.0 as usize] = Some(cost);
        cost
    }

    fn statement(&mut self, statement: &Stmt) -> Cost {
        let program = self.program;
        let w = self.width();
        let pieces = &program.layout.pieces;
        let layers = (pieces.kinds + program.layout.players + pieces.levels + 1) as u64;
        let all = Cost::of(6 * w * layers);
        match statement {
            Stmt::SetLayer(_, value) | Stmt::LetSet(_, value) => Cost::of(w).and(self.set(*value)),
            Stmt::SetLayerRow { index, value, .. } => {
                Cost::of(w + 4).and(self.int(*index)).and(self.set(*value))
            }
            Stmt::SetSlot(_, value) | Stmt::LetInt(_, value) => Cost::of(1).and(self.int(*value)),
            Stmt::SetSlotRow { index, value, .. } => Cost::of(4).and(self.int(*index)).and(self.int(*value)),
            Stmt::Put { at, owner, kind, .. } => {
                all.and(self.set(*at)).and(self.int(*owner)).and(self.int(*kind))
            }
            Stmt::Move { from, to, .. } => all.and(all).and(self.int(*from)).and(self.int(*to)),
            Stmt::Remove(at) | Stmt::Lift(at) => all.and(self.set(*at)),
            Stmt::Turn { at, owner, kind } => {
                let sum = all.and(self.set(*at));
                owner.iter().chain(kind).fold(sum, |sum, id| sum.and(self.int(*id)))
            }
            Stmt::Carry { at, relation } => {
                let one = self.relation(*relation);
                let each = Cost { size: one.size * layers, time: one.time * layers };
                all.and(each).and(self.set(*at))
            }
            Stmt::SwapSides => Cost::of(3),
            Stmt::If(cond, a, b) => {
                let sum = self.int(*cond).and(self.block(*a));
                b.map_or(sum, |b| sum.and(self.block(b)))
            }
            Stmt::For { domain, body, .. } => self.block(*body).looped().and(self.domain(domain)),
            Stmt::Emit { set, base, .. } => Cost::of(14 + 3 * w).and(self.set(*set)).and(self.int(*base)),
            Stmt::EmitOne(number) => Cost::of(16).and(self.int(*number)),
        }
    }
}
