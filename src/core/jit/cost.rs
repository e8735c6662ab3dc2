//! The cost of code: its size inlined, and whether a value is worth skipping.

use super::Uncompiled;
use super::asked::Asked;
use crate::program::{
    Binary, BlockId, FlowNode, IntId, IntOp, OutcomeCode, Part, Program, SetId, SetOp, Stmt,
};

/// The most instructions, roughly, of a program that is compiled.
const MAX_SIZE: u64 = 60_000;

/// A value that takes more instructions is skipped where it cannot matter.
const MAX_LIGHT_TIME: u64 = 24;

/// What an operation costs that is a call of a helper. It is taken for those that say nothing of their own.
const CALL: u64 = 40;

/// The size of a filter whose condition is a function.
const ASK: u64 = 30;

/// How often a loop is estimated to run.
const LOOP_TURNS: u64 = 6;

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
        Cost {
            size: self.size.saturating_add(8),
            time: self.time.saturating_add(4).saturating_mul(LOOP_TURNS),
        }
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
        self.sets[id.0 as usize].time > MAX_LIGHT_TIME
    }

    /// Whether an integer is worth skipping.
    pub fn heavy_int(&self, id: IntId) -> bool {
        self.ints[id.0 as usize].time > MAX_LIGHT_TIME
    }

    /// Measures a program; an error if it is too large.
    pub fn new(program: &Program, asked: &Asked) -> Result<Costs, Uncompiled> {
        let mut meter = Meter {
            program,
            asked,
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
        if size > MAX_SIZE {
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
    asked: &'p Asked,
    sets: Vec<Option<Cost>>,
    ints: Vec<Option<Cost>>,
    blocks: Vec<Option<Cost>>,
}

impl Meter<'_> {
    fn width(&self) -> u64 {
        self.program.layout.words_in_use() as u64
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
        for condition in &self.asked.conditions {
            add(self.int(condition.id));
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
        let own = match node {
            FlowNode::Done => Cost::of(1),
            FlowNode::Leaf(_) => Cost::of(20),
            FlowNode::Sequence(_) | FlowNode::Either(_) => Cost::of(4),
            FlowNode::If(test, _) | FlowNode::By(test, _) => self.int(*test),
            FlowNode::Try(_) | FlowNode::May(..) | FlowNode::Repeat(_) => Cost::of(6),
            FlowNode::Longest { .. } => Cost::default(),
        };
        node.parts().iter().fold(own, |sum, part| sum.and(self.node(part)))
    }

    fn outcome(&mut self, code: &OutcomeCode) -> Cost {
        match code {
            OutcomeCode::If(cond, a, b) => self.int(*cond).and(self.outcome(a)).and(self.outcome(b)),
            OutcomeCode::Wins(player) => self.int(*player).and(Cost::of(4)),
            OutcomeCode::Places(numbers) => {
                let own = Cost::of(3 * (numbers.len() * numbers.len()) as u64);
                numbers.iter().fold(own, |sum, number| sum.and(self.int(*number)))
            }
            OutcomeCode::Pass | OutcomeCode::Draw | OutcomeCode::Score => Cost::of(2),
        }
    }

    fn relation(&self, relation: u32) -> Cost {
        let shifts = self.program.relations[relation as usize].shifts.len() as u64;
        match shifts {
            0 => Cost::of(self.width() * 2).looped(),
            n => Cost::of(n * self.width() * if self.width() == 1 { 3 } else { 5 }),
        }
    }

    /// The cost of a piece of code: its own and that of its parts. If the last part repeats, its own cost does too.
    fn with_parts(&mut self, own: Cost, parts: &[Part], repeats: bool) -> Cost {
        let Some((last, others)) = parts.split_last() else { return own };
        let last = self.part(*last);
        let sum = if repeats { last.and(own).looped() } else { last.and(own) };
        others.iter().fold(sum, |sum, part| sum.and(self.part(*part)))
    }

    fn part(&mut self, part: Part) -> Cost {
        match part {
            Part::Set(set) => self.set(set),
            Part::Int(int) => self.int(int),
            Part::Block(block) | Part::After(block) => self.block(block),
        }
    }

    fn set(&mut self, id: SetId) -> Cost {
        if let Some(cost) = self.sets[id.0 as usize] {
            return cost;
        }
        let w = self.width();
        let op = &self.program.sets[id.0 as usize];
        let own = match op {
            SetOp::LetSet { .. } | SetOp::LetInt { .. } | SetOp::After(..) => Cost::default(),
            SetOp::LayerRow { .. } => Cost::of(2 * w + 2),
            SetOp::Site(_) | SetOp::Otherwise(..) => Cost::of(2 * w + 1),
            SetOp::Switch(_, cases) => Cost::of(w * cases.len() as u64),
            SetOp::Image { relation, .. } => self.relation(*relation),
            SetOp::Row { .. } => Cost::of(w + 4),
            SetOp::Slide { rays, over, .. } => {
                Cost::of(rays.len() as u64 * w * if over.is_some() { 18 } else { 9 }).looped()
            }
            SetOp::Between { rays, .. } => Cost::of(rays.len() as u64 * w * 9).looped(),
            SetOp::Flood { relation, .. } => self.relation(*relation).and(Cost::of(5 * w)).looped(),
            SetOp::Fix { .. } => Cost::of(5 * w),
            SetOp::Times { .. } => Cost::of(5 * w),
            SetOp::Path { relation, .. } => self.relation(*relation).and(Cost::of(40 * w)).looped(),
            SetOp::Line { steps, .. } => steps.iter().fold(Cost::default(), |sum, step| {
                let one = self.relation(*step);
                sum.and(Cost { size: one.size * 8, time: one.time * 8 })
            }),
            SetOp::Filter { .. } => Cost::of(2),
            SetOp::Sieve { .. } => Cost::of(8 * w),
            SetOp::Const(_)
            | SetOp::Layer(_)
            | SetOp::Local(_)
            | SetOp::And(..)
            | SetOp::Or(..)
            | SetOp::Sub(..)
            | SetOp::Not(_)
            | SetOp::If(..)
            | SetOp::Union { .. } => Cost::of(w),
            _ => Cost::of(CALL),
        };
        let mut parts = Vec::new();
        op.each(&mut |part| parts.push(part));
        let mut cost = self.with_parts(own, &parts, op.repeats());
        if let SetOp::Filter { domain, cond, .. } = op
            && self.asked.number(*cond).is_some()
        {
            cost.size = self.set(*domain).size + ASK;
        }
        self.sets[id.0 as usize] = Some(cost);
        cost
    }

    fn int(&mut self, id: IntId) -> Cost {
        if let Some(cost) = self.ints[id.0 as usize] {
            return cost;
        }
        let w = self.width();
        let layout = &self.program.layout;
        let op = &self.program.ints[id.0 as usize];
        let own = match op {
            IntOp::LetSet { .. } | IntOp::LetInt { .. } | IntOp::After(..) => 0,
            IntOp::Any { .. } | IntOp::Sum { .. } => 0,
            IntOp::Const(_) | IntOp::Local(_) | IntOp::Slot(_) | IntOp::If(..) => 1,
            IntOp::SlotRow { .. } | IntOp::Dealt { .. } | IntOp::Lookup { .. } => 4,
            IntOp::Binary(Binary::Div | Binary::Rem, ..) => 10,
            IntOp::Binary(..) | IntOp::Unary(..) | IntOp::And(..) | IntOp::Or(..) => 2,
            IntOp::Switch(_, cases, _) => 2 * cases.len() as u64,
            IntOp::OfSet(..) | IntOp::Some(_) => 3 * w,
            IntOp::Meets(..) | IntOp::Same(..) => 2 * w,
            IntOp::Has(..) => 3 + w,
            IntOp::KindAt(_) => 5 * layout.pieces.kinds as u64,
            IntOp::OwnerAt(_) => 5 * layout.players as u64,
            IntOp::HeightAt(_) => 5 + 5 * layout.pieces.levels as u64,
            IntOp::Steps { .. } => 8 * w,
            _ => CALL,
        };
        let mut parts = Vec::new();
        op.each(&mut |part| parts.push(part));
        let cost = self.with_parts(Cost::of(own), &parts, op.repeats());
        self.ints[id.0 as usize] = Some(cost);
        cost
    }

    fn block(&mut self, id: BlockId) -> Cost {
        if let Some(cost) = self.blocks[id.0 as usize] {
            return cost;
        }
        let statements = &self.program.blocks[id.0 as usize];
        let cost = statements.iter().fold(Cost::default(), |sum, s| sum.and(self.statement(s)));
        self.blocks[id.0 as usize] = Some(cost);
        cost
    }

    fn statement(&mut self, statement: &Stmt) -> Cost {
        let w = self.width();
        let pieces = &self.program.layout.pieces;
        let layers = (pieces.kinds + self.program.layout.players + pieces.levels + 1) as u64;
        let all = 6 * w * layers;
        let own = match statement {
            Stmt::If(..) | Stmt::For { .. } => Cost::default(),
            Stmt::SetLayer(..) | Stmt::LetSet(..) => Cost::of(w),
            Stmt::SetLayerRow { .. } => Cost::of(w + 4),
            Stmt::SetSlot(..) | Stmt::LetInt(..) => Cost::of(1),
            Stmt::SetSlotRow { .. } => Cost::of(4),
            Stmt::Put { .. } | Stmt::Remove(_) | Stmt::Lift(_) | Stmt::Turn { .. } => Cost::of(all),
            Stmt::Move { .. } => Cost::of(2 * all),
            Stmt::Carry { relation, .. } => {
                let one = self.relation(*relation);
                Cost::of(all).and(Cost { size: one.size * layers, time: one.time * layers })
            }
            Stmt::SwapSides => Cost::of(3),
            Stmt::Emit { .. } => Cost::of(14 + 3 * w),
            Stmt::EmitOne(_) => Cost::of(16),
        };
        let mut parts = Vec::new();
        statement.each(&mut |part| parts.push(part));
        self.with_parts(own, &parts, matches!(statement, Stmt::For { .. }))
    }
}
