//! Random programs: whatever a verified program does, compiled code does the same as the interpreter.
#![cfg(feature = "jit")]

use std::sync::Arc;

use crate::cases::cases;
use crate::kit::{Kit, NEAR, NEAR_ROWS};
use farrier::jit;
use farrier::play::{Backend, History, Machine, Move, Moves, Native, Rng};
use farrier::program::*;
use proptest::prelude::*;

/// The most loops that stand inside each other.
const LOOPS: u32 = 2;

/// Writes random code. Locals are read only where they are bound.
struct Writer<'k> {
    k: &'k mut Kit,
    rng: Rng,
    sets: Vec<u32>,
    ints: Vec<u32>,
    loops: u32,
    copies: u32,
}

impl Writer<'_> {
    fn pick(&mut self, n: usize) -> usize {
        self.rng.pick(n)
    }

    fn sites(&mut self) -> Vec<usize> {
        let all: Vec<usize> =
            (0..self.k.p.layout.sites).filter(|s| self.k.p.all[s / 64] >> (s % 64) & 1 == 1).collect();
        let one_in = 1 + self.pick(5);
        all.into_iter().filter(|_| self.rng.pick(one_in) == 0).collect()
    }

    fn relation(&mut self) -> u32 {
        self.pick(10) as u32
    }

    fn rays(&mut self) -> Box<[u32]> {
        (0..1 + self.pick(3)).map(|_| self.rng.pick(16) as u32).collect()
    }

    fn domain(&mut self, deep: u32) -> Domain {
        match self.pick(5) {
            0 => {
                let (low, high) = (self.pick(5) as i32 - 3, self.pick(6) as i32 - 1);
                Domain::Range(self.k.num(low), self.k.num(high))
            }
            1 => Domain::Mask(self.int(deep)),
            _ => Domain::Set(self.set(deep)),
        }
    }

    /// Code inside a loop, with its local bound.
    fn looped<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> (u32, T) {
        let local = self.k.p.int_locals as u32;
        self.k.p.int_locals += 1;
        self.loops += 1;
        self.ints.push(local);
        let body = write(self);
        self.ints.pop();
        self.loops -= 1;
        (local, body)
    }

    fn with_set<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> (u32, T) {
        let local = self.k.p.set_locals as u32;
        self.k.p.set_locals += 1;
        self.sets.push(local);
        let body = write(self);
        self.sets.pop();
        (local, body)
    }

    fn copied<T>(&mut self, deep: u32, write: impl FnOnce(&mut Self) -> T) -> (BlockId, T) {
        self.copies += 1;
        let marks = (self.sets.len(), self.ints.len());
        let block = self.statements(deep);
        let value = write(self);
        self.sets.truncate(marks.0);
        self.ints.truncate(marks.1);
        self.copies -= 1;
        (block, value)
    }

    fn set(&mut self, deep: u32) -> SetId {
        let Some(deep) = deep.checked_sub(1) else {
            let op = match self.pick(4) {
                0 if !self.sets.is_empty() => SetOp::Local(self.sets[self.rng.pick(self.sets.len())]),
                1 => {
                    let site = self.int(0);
                    SetOp::Site(site)
                }
                2 => {
                    let sites = self.sites();
                    return self.k.constant(&sites);
                }
                _ => SetOp::Layer(self.rng.pick(self.k.p.layout.layers.len()) as u32),
            };
            return self.k.set(op);
        };
        let layers = self.k.p.layout.layers.len() as u32;
        let op = match self.pick(if self.loops < LOOPS { 24 } else { 15 }) {
            0 | 1 => SetOp::And(self.set(deep), self.set(deep)),
            2 | 3 => SetOp::Or(self.set(deep), self.set(deep)),
            4 | 5 => SetOp::Sub(self.set(deep), self.set(deep)),
            6 => SetOp::Not(self.set(deep)),
            7 => SetOp::Otherwise(self.set(deep), self.set(deep)),
            8 => SetOp::If(self.int(deep), self.set(deep), self.set(deep)),
            9 => {
                let cases = (0..1 + self.pick(9)).map(|_| self.set(deep.min(1))).collect();
                SetOp::Switch(self.int(deep), cases)
            }
            10 => SetOp::Image { relation: self.relation(), of: self.set(deep) },
            11 => SetOp::Row { relation: self.relation(), site: self.int(deep) },
            12 => SetOp::LayerRow { base: 0, count: layers.min(3), index: self.int(deep) },
            13 => {
                let value = self.set(deep);
                let (local, body) = self.with_set(|w| w.set(deep));
                SetOp::LetSet { local, value, body }
            }
            14 => return self.set(0),
            15 | 16 => {
                let over = (self.pick(2) == 0).then(|| self.set(deep));
                SetOp::Slide { rays: self.rays(), from: self.set(deep), through: self.set(deep), over }
            }
            17 => SetOp::Between { rays: self.rays(), from: self.set(deep), to: self.set(deep) },
            18 => match (self.relation(), self.set(deep), self.set(deep)) {
                (relation @ (NEAR | NEAR_ROWS), from, within) if within.0 % 2 == 0 => {
                    SetOp::Path { relation, from, within, to: self.set(deep) }
                }
                (relation, seed, within) => SetOp::Flood { relation, seed, within },
            },
            19 => {
                let steps = self.pick(5) as i32 - 1;
                let steps = self.k.num(steps);
                SetOp::Ring { relation: [NEAR, NEAR_ROWS][self.pick(2)], of: self.set(deep), steps }
            }
            20 => {
                let length = match self.pick(4) {
                    0 => self.int(0),
                    n => self.k.num(n as i32 + 1),
                };
                let steps = (0..1 + self.pick(3)).map(|_| self.rng.pick(8) as u32).collect();
                SetOp::Line { steps, of: self.set(deep), length }
            }
            21 => {
                let domain = self.set(deep);
                let (local, cond) = self.looped(|w| w.int(deep));
                SetOp::Filter { local, domain, cond }
            }
            22 => {
                let domain = self.domain(deep);
                match (domain, self.looped(|w| w.set(deep))) {
                    (Domain::Set(domain), (local, passing)) if local % 2 == 0 => {
                        SetOp::Sieve { local, domain, passing }
                    }
                    (domain, (local, body)) => SetOp::Union { local, domain, body },
                }
            }
            _ if self.copies < 2 => {
                let (block, value) = self.copied(deep, |w| w.set(deep));
                SetOp::After(block, value)
            }
            _ => return self.set(0),
        };
        self.k.set(op)
    }

    fn int(&mut self, deep: u32) -> IntId {
        let Some(deep) = deep.checked_sub(1) else {
            let slots = self.k.p.layout.slots.len();
            let extreme = [i32::MIN, i32::MAX, -1, 64, 1 << 20];
            let op = match self.pick(6) {
                0 | 1 if !self.ints.is_empty() => IntOp::Local(self.ints[self.rng.pick(self.ints.len())]),
                2 => IntOp::Slot(slot::MOVER as u32),
                3 => IntOp::Slot((slots - 1 - self.rng.pick(3)) as u32),
                4 if self.pick(4) == 0 => IntOp::Const(extreme[self.rng.pick(extreme.len())]),
                _ => IntOp::Const(self.rng.pick(self.k.p.layout.sites + 6) as i32 - 3),
            };
            return self.k.int(op);
        };
        let own = slot::COUNT as u32;
        let slots = self.k.p.layout.slots.len() as u32 - own;
        let op = match self.pick(if self.loops < LOOPS { 39 } else { 35 }) {
            0 => IntOp::Binary(Binary::Add, self.int(deep), self.int(deep)),
            1 => IntOp::Binary(Binary::Sub, self.int(deep), self.int(deep)),
            2 => IntOp::Binary(Binary::Mul, self.int(deep), self.int(deep)),
            3 => IntOp::Binary(Binary::Div, self.int(deep), self.int(deep)),
            4 => IntOp::Binary(Binary::Rem, self.int(deep), self.int(deep)),
            5 => IntOp::Binary(Binary::Min, self.int(deep), self.int(deep)),
            6 => IntOp::Binary(Binary::Max, self.int(deep), self.int(deep)),
            7 => IntOp::Unary(Unary::Abs, self.int(deep)),
            8 => IntOp::Binary(Binary::BitAnd, self.int(deep), self.int(deep)),
            9 => IntOp::Binary(Binary::BitOr, self.int(deep), self.int(deep)),
            10 => IntOp::Binary(Binary::BitSub, self.int(deep), self.int(deep)),
            11 => IntOp::Unary(Unary::Bit, self.int(deep)),
            12 => IntOp::Unary(Unary::BitCount, self.int(deep)),
            13 => IntOp::Unary(Unary::BitFirst, self.int(deep)),
            14 => IntOp::Binary(Binary::Eq, self.int(deep), self.int(deep)),
            15 => IntOp::Binary(Binary::Lt, self.int(deep), self.int(deep)),
            16 => IntOp::Binary(Binary::Le, self.int(deep), self.int(deep)),
            17 => IntOp::And(self.int(deep), self.int(deep)),
            18 => IntOp::Or(self.int(deep), self.int(deep)),
            19 => IntOp::Unary(Unary::Not, self.int(deep)),
            20 => IntOp::If(self.int(deep), self.int(deep), self.int(deep)),
            21 => {
                let cases = (0..1 + self.pick(10)).map(|_| self.int(deep.min(1))).collect();
                IntOp::Switch(self.int(deep), cases, -7)
            }
            22 => IntOp::OfSet(OfSet::Count, self.set(deep)),
            23 => IntOp::Some(self.set(deep)),
            24 => IntOp::Meets(self.set(deep), self.set(deep)),
            25 => IntOp::Same(self.set(deep), self.set(deep)),
            26 => IntOp::OfSet(OfSet::First, self.set(deep)),
            27 => IntOp::OfSet(OfSet::Only, self.set(deep)),
            28 => IntOp::Has(self.set(deep), self.int(deep)),
            29 => IntOp::KindAt(self.int(deep)),
            30 => IntOp::OwnerAt(self.int(deep)),
            31 => IntOp::HeightAt(self.int(deep)),
            32 => IntOp::SlotRow { base: own, count: slots, index: self.int(deep), missing: -9 },
            33 => match self.pick(2) {
                0 => IntOp::Lookup { table: 0, index: self.int(deep), missing: 5 },
                _ => IntOp::Dealt { base: 2, count: 9, index: self.int(deep), missing: -4 },
            },
            34 => {
                let value = self.set(deep);
                let (local, body) = self.with_set(|w| w.int(deep));
                IntOp::LetSet { local, value, body }
            }
            35 if deep == 0 => IntOp::Distance { relation: NEAR, from: self.int(deep), to: self.int(deep) },
            35 => {
                let (from, to) = (self.set(deep), self.set(deep));
                self.loops += 1;
                let (local, step) = self.with_set(|w| w.set(deep));
                self.loops -= 1;
                IntOp::Steps { local, from, to, step }
            }
            36 => {
                let domain = self.domain(deep);
                let (local, cond) = self.looped(|w| w.int(deep));
                IntOp::Any { local, domain, cond }
            }
            37 => {
                let domain = self.domain(deep);
                let (local, body) = self.looped(|w| w.int(deep));
                IntOp::Sum { local, domain, body }
            }
            _ if self.copies < 2 => {
                let (block, value) = self.copied(deep, |w| w.int(deep));
                IntOp::After(block, value)
            }
            _ => return self.int(0),
        };
        self.k.int(op)
    }

    fn statements(&mut self, deep: u32) -> BlockId {
        let block = (0..1 + self.pick(3)).map(|_| self.statement(deep)).collect();
        self.k.block(block)
    }

    fn statement(&mut self, deep: u32) -> Stmt {
        let deep = deep.saturating_sub(1);
        let own = slot::COUNT as u32;
        let slots = self.k.p.layout.slots.len() as u32 - own;
        let layout = &self.k.p.layout;
        // The last layer is no piece's: pieces keep their invariant.
        let free = layout.layers.len() as u32 - 1;
        let kinds = layout.pieces.kinds;
        let owners = layout.players + 1;
        match self.pick(14) {
            0 => Stmt::SetLayer(free, self.set(deep)),
            1 => Stmt::SetLayerRow { base: free, count: 1, index: self.int(deep), value: self.set(deep) },
            2 => Stmt::SetSlot(own + self.rng.pick(slots as usize) as u32, self.int(deep)),
            3 => Stmt::SetSlotRow { base: own, count: slots, index: self.int(deep), value: self.int(deep) },
            4 | 5 => {
                let (owner, kind) = match self.pick(3) {
                    0 => (self.int(deep), self.int(deep)),
                    1 => (self.k.slot_of(slot::MOVER), self.k.num(self.rng.pick(kinds) as i32)),
                    _ => (self.k.num(self.rng.pick(owners) as i32), self.int(deep)),
                };
                Stmt::Put {
                    at: self.set(deep),
                    owner,
                    kind,
                    height: 1 + self.rng.pick(3) as u32,
                    vacant: false,
                }
            }
            6 | 7 => Stmt::Move {
                from: self.int(deep),
                to: self.int(deep),
                owner: None,
                kind: None,
                vacant: false,
            },
            8 => Stmt::Remove(self.set(deep)),
            9 => Stmt::Lift(self.set(deep)),
            10 => {
                let owner = (self.pick(2) == 0).then(|| self.int(deep));
                let kind = (self.pick(2) == 0).then(|| self.int(deep));
                Stmt::Turn { at: self.set(deep), owner, kind }
            }
            11 => Stmt::Carry { at: self.set(deep), relation: self.rng.pick(8) as u32 },
            12 => {
                let marks = (self.sets.len(), self.ints.len());
                let cond = self.int(deep);
                let yes = self.statements(deep);
                let no = (self.pick(2) == 0).then(|| self.statements(deep));
                self.sets.truncate(marks.0);
                self.ints.truncate(marks.1);
                Stmt::If(cond, yes, no)
            }
            _ if self.loops < LOOPS => {
                let domain = self.domain(deep);
                let (local, body) = self.looped(|w| w.statements(deep.min(1)));
                Stmt::For { local, domain, body }
            }
            _ => Stmt::SwapSides,
        }
    }
}

/// Statements that lay down moves: `base + site`, in loops and branches, before and after each other.
fn offers(writer: &mut Writer<'_>, base: IntId, deep: u32) -> Block {
    let mut block = Vec::new();
    for _ in 0..1 + writer.pick(3) {
        block.push(match writer.pick(5) {
            0 if writer.loops < LOOPS && deep > 0 => {
                let domain = writer.domain(1);
                let (local, body) = writer.looped(|w| {
                    let inner = offers(w, base, deep - 1);
                    w.k.block(inner)
                });
                Stmt::For { local, domain, body }
            }
            1 if deep > 0 => {
                let cond = writer.int(1);
                let [yes, no] = [0, 1].map(|_| {
                    let inner = offers(writer, base, deep - 1);
                    writer.k.block(inner)
                });
                Stmt::If(cond, yes, Some(no))
            }
            2 => Stmt::EmitOne(base),
            _ => Stmt::Emit { set: writer.set(1), base, multiplier: 1 },
        });
    }
    block
}

/// The choice of the longest paths of a node, which stay in state 1.
fn longest(node: FlowNode) -> FlowNode {
    FlowNode::Longest { node: Box::new(node), inside: vec![StateId(1)] }
}

/// A program: one or two decisions in a random turn, ends, scores, everything random.
fn program(seed: u64, deep: u32) -> Program {
    let mut rng = Rng::new(seed);
    let (w, h) = [(5, 5), (8, 8), (9, 9), (12, 12), (15, 14), (19, 17)][rng.pick(6)];
    let holes: Vec<usize> = (0..(w * h) as usize).filter(|_| rng.pick(8) == 0).collect();
    let holes = if rng.pick(2) == 0 { holes } else { Vec::new() };
    let players = 1 + rng.pick(3);
    let mut k = Kit::with_holes(w, h, players, &holes);
    let stacks: &[&[u32]] = &[&[1], &[3], &[1, 1, 1], &[1, 2], &[3, 1, 4]];
    let stack = stacks[rng.pick(stacks.len())];
    let owned = rng.pick(4) > 0;
    k.pieces(stack, owned, !owned || stack.len() > 1, true);
    let _ = k.layer("free");
    for name in ["a", "b", "c"] {
        let _ = k.slot(name, rng.pick(5) as i32);
    }
    k.p.layout.dealt = 12;
    k.p.tables.push((0..20).map(|_| rng.pick(40) as i32 - 9).collect());
    let sites = k.p.layout.sites as u32;
    let mut writer = Writer { k: &mut k, rng, sets: vec![], ints: vec![], loops: 0, copies: 0 };
    let mut leaves = Vec::new();
    for name in ["first", "second"] {
        let set = writer.set(deep);
        let base = writer.k.local(0);
        let mut generate = vec![Stmt::Emit { set, base, multiplier: 1 }];
        if writer.pick(2) == 0 {
            generate.extend(offers(&mut writer, base, 2));
        }
        writer.ints.push(1);
        let apply = writer.statements(deep);
        writer.ints.clear();
        writer.sets.clear();
        let apply = writer.k.p.blocks[apply.0 as usize].clone();
        let when = (writer.pick(3) == 0).then(|| writer.int(deep));
        let decision = writer.k.decision(name, sites, when, generate, apply);
        let next = writer.pick(2) as u32;
        leaves.push(writer.k.leaf(Some(decision), next));
    }
    let pass = writer.k.leaf(None, 0);
    // Numbers between the moves of two leaves are no moves.
    for leaf in &mut writer.k.p.leaves[1 + seed as usize % 3..] {
        leaf.base += 9;
    }
    let (a, b) = (FlowNode::Leaf(leaves[0]), FlowNode::Leaf(leaves[1]));
    let by = writer.int(1);
    let cond = writer.int(deep);
    let rest = match writer.pick(6) {
        0 => FlowNode::Either(vec![a, b]),
        1 => FlowNode::Sequence(vec![FlowNode::Try(Box::new(a)), b]),
        2 => FlowNode::Sequence(vec![FlowNode::May(Box::new(a), pass), b]),
        3 => FlowNode::By(by, Box::new(FlowNode::Either(vec![a, b]))),
        4 => FlowNode::Sequence(vec![FlowNode::If(cond, Box::new(a)), FlowNode::Repeat(Box::new(b))]),
        _ => FlowNode::Either(vec![FlowNode::Try(Box::new(a)), FlowNode::By(by, Box::new(b))]),
    };
    // State 1 is the rest after some leaves, and where turns begin.
    let rest = match seed % 5 {
        // Where it has a `by`, that stands inside or around.
        3 => match rest {
            FlowNode::By(by, node) if seed.is_multiple_of(2) => FlowNode::By(by, Box::new(longest(*node))),
            rest => longest(rest),
        },
        _ => rest,
    };
    writer.k.p.states.push(FlowState { rest });
    writer.k.p.main = StateId(1);
    writer.k.p.turn_end = writer.statements(deep);
    if writer.pick(3) == 0 {
        writer.k.p.next = Some(writer.int(deep));
    }
    for (name, at_turn) in [("ply", false), ("turn", true)] {
        let (when, who) = (writer.int(deep), writer.int(1));
        let result = match writer.pick(3) {
            0 => OutcomeCode::If(who, Box::new(OutcomeCode::Pass), Box::new(OutcomeCode::Score)),
            _ => OutcomeCode::Wins(who),
        };
        let rare = writer.k.num(17);
        let modulo = writer.k.int(IntOp::Binary(Binary::Rem, when, rare));
        let sixteen = writer.k.num(16);
        let when = writer.k.int(IntOp::Binary(Binary::Eq, modulo, sixteen));
        let perft = writer.pick(2) == 0;
        writer.k.p.ends.push(EndCode { name: name.to_owned(), when, result, at_turn, perft });
    }
    writer.k.p.stuck = OutcomeCode::Pass;
    writer.k.p.score = Some(writer.int(deep));
    writer.k.p.setup = writer.statements(deep);
    k.p.reads_seen = seed.is_multiple_of(2);
    k.p
}

#[derive(Debug)]
struct Ready(Arc<dyn Native>);

impl Backend for Ready {
    fn native(&self) -> Option<Arc<dyn Native>> {
        Some(self.0.clone())
    }
}

/// Plays a program on both machines; says whether it was compiled.
fn agree(seed: u64, deep: u32) -> Result<bool, TestCaseError> {
    let program = Arc::new(program(seed, deep));
    let mut slow = Machine::new(program.clone()).expect("a sound program");
    let native = match jit::compile(&program) {
        Ok(native) => native,
        Err(jit::Uncompiled::TooLarge) => return Ok(false),
        Err(error) => return Err(TestCaseError::fail(format!("{error}"))),
    };
    let checked = jit::compile_checked(&program).expect("what is compiled is compiled with tests");
    let backends: [Arc<dyn Backend>; 2] = [Arc::new(Ready(native)), checked.clone()];
    let [mut fast, mut tested] =
        backends.map(|backend| Machine::new(program.clone()).expect("a sound program").with_backend(backend));
    prop_assert!(fast.warm_up() && tested.warm_up());
    let mut history = History::new();
    let start = slow.start(seed, &mut history);
    let mut first = Moves::new();
    slow.moves(&start, &mut first);
    let (mut histories, mut moves) = ([0; 3].map(|_| history.clone()), [0; 3].map(|_| first.clone()));
    let mut positions = [0; 3].map(|_| start.clone());
    let mut rng = Rng::new(seed);
    for ply in 0..24 {
        if moves[0].is_empty() {
            break;
        }
        let number = moves[0].nth(rng.pick(moves[0].len())).expect("a move");
        // Each of the moves in a copy of its own.
        let made = [&mut slow, &mut fast, &mut tested].map(|machine| {
            let mut next = start.clone();
            (machine.make_each(&positions[0], &moves[0], &mut next), next)
        });
        prop_assert_eq!(&made[0], &made[1], "made after {} plies", ply);
        prop_assert_eq!(&made[0], &made[2], "made with tests after {} plies", ply);
        let [a, b, c] = &mut positions;
        // A number that is no legal move does something or nothing, but harms no memory. In compiled code one that is
        // no move at all does nothing.
        let mut wild = Move(rng.bits() as u32 >> rng.pick(32));
        if ply % 3 > 0 {
            wild.0 %= program.leaves.last().map_or(1, |leaf| leaf.base + 9);
        }
        let no_move = program.leaves.windows(2).any(|leaves| {
            let end = leaves[0].decision.map(|decision| leaves[0].base + program.decisions[decision].size);
            end.is_some_and(|end| (end..leaves[1].base).contains(&wild.0))
        });
        for machine in [&mut fast, &mut tested] {
            let mut same = b.clone();
            if no_move {
                machine.apply(&mut same, wild);
                prop_assert_eq!(&same.words()[1..], &b.words()[1..], "no move, done after {} plies", ply);
            }
            machine.play(&mut b.clone(), wild, &mut History::new(), &mut Moves::new());
        }
        slow.play(a, number, &mut histories[0], &mut moves[0]);
        let others = [(&mut fast, &mut *b), (&mut tested, &mut *c)];
        for ((machine, pos), (history, moves)) in
            others.into_iter().zip(histories[1..].iter_mut().zip(&mut moves[1..]))
        {
            if ply % 2 == 0 {
                machine.play(pos, number, history, moves);
            } else {
                machine.play_on(pos, number, history, moves);
                machine.list(pos, moves);
            }
        }
        prop_assert_eq!(checked.fault(), None, "a test failed after ply {}", ply);
        prop_assert_eq!(a.words(), c.words(), "position with tests after ply {} ({:?})", ply, number);
        prop_assert_eq!(&moves[0], &moves[2], "moves with tests after ply {}", ply);
        prop_assert_eq!(a.words(), b.words(), "position after ply {} ({:?})", ply, number);
        prop_assert_eq!(&moves[0], &moves[1], "moves after ply {}", ply);
        for player in 0..program.layout.players {
            prop_assert_eq!(slow.score(a, player), fast.score(b, player), "score after ply {}", ply);
        }
    }
    Ok(true)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn compiled_code_agrees_on_random_programs(seed in any::<u64>(), deep in 1u32..4) {
        agree(seed, deep)?;
    }
}

/// Seeds that once found something, and how deep the programs were.
const FOUND: &[(u64, u32)] = &[
    // A move from a vacant site, of pieces that have one kind and no owner.
    (16_756_111_956_033_923_201, 1),
    // A record whose moves are all shorter than the longest.
    (6_014_411_605_318_424_623, 3),
];

#[test]
fn compiled_code_agrees_where_it_once_did_not() {
    for (seed, deep) in FOUND {
        agree(*seed, *deep).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}

#[test]
fn most_random_programs_are_compiled() {
    let compiled = (0..40).filter(|seed| agree(*seed, 2).expect("agreement")).count();
    assert!(compiled > 30, "{compiled} of 40");
}

#[test]
#[ignore = "the same for many programs: minutes"]
fn compiled_code_agrees_on_many_random_programs() {
    for seed in 1_000..6_000 {
        agree(seed, 2 + seed as u32 % 3).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}
