//! Hand-built programs for the tests of the play side.
#![allow(dead_code, reason = "each test file uses a part of the kit")]
#![allow(missing_docs, reason = "a test kit")]

use farrier::program::*;

/// A program under construction on a `w` by `h` board.
pub struct Kit {
    pub p: Program,
    pub w: i32,
    pub h: i32,
}

pub const EAST: u32 = 0;
pub const NORTH: u32 = 1;
pub const NORTH_EAST: u32 = 2;
pub const NORTH_WEST: u32 = 3;
/// The union of the four orthogonal steps.
pub const NEAR: u32 = 8;
/// `NEAR` without shifts.
pub const NEAR_ROWS: u32 = 9;
const DIRS: [(i32, i32); 8] = [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)];

fn bits(width: usize, sites: impl IntoIterator<Item = usize>) -> Vec<u64> {
    let mut words = vec![0; width];
    for site in sites {
        words[site / 64] |= 1 << (site % 64);
    }
    words
}

impl Kit {
    pub fn new(w: i32, h: i32, players: usize) -> Kit {
        Kit::with_holes(w, h, players, &[])
    }

    /// Relations 0..8 are the steps of `DIRS`, rays 0..8 the same ones, 8..16 the same as lists.
    pub fn with_holes(w: i32, h: i32, players: usize, holes: &[usize]) -> Kit {
        let sites = (w * h) as usize;
        let width = width_for(sites);
        let there = |s: &usize| !holes.contains(s);
        let all = bits(width, (0..sites).filter(there));
        let go = |s: usize, d: (i32, i32)| {
            let (x, y) = (s as i32 % w + d.0, s as i32 / w + d.1);
            ((0..w).contains(&x) && (0..h).contains(&y))
                .then_some((y * w + x) as usize)
                .filter(there)
                .filter(|_| there(&s))
        };
        let relation = |name: &str, dirs: &[(i32, i32)], shifted: bool| Relation {
            name: name.to_owned(),
            rows: (0..sites).flat_map(|s| bits(width, dirs.iter().filter_map(|d| go(s, *d)))).collect(),
            shifts: dirs
                .iter()
                .filter(|_| shifted)
                .map(|d| {
                    let mask = bits(width, (0..sites).filter(|s| go(*s, *d).is_some()));
                    (d.1 * w + d.0, mask)
                })
                .collect(),
        };
        let mut relations: Vec<_> =
            DIRS.iter().enumerate().map(|(i, d)| relation(&format!("step{i}"), &[*d], true)).collect();
        let orthogonal = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        relations.push(relation("near", &orthogonal, true));
        relations.push(relation("near-rows", &orthogonal, false));
        let ray =
            |s: usize, d: (i32, i32)| std::iter::successors(go(s, d), |s| go(*s, d)).collect::<Vec<_>>();
        let table = |i: usize, listed: bool| {
            let d = DIRS[i];
            let rows: Vec<u64> = (0..sites).flat_map(|s| bits(width, ray(s, d))).collect();
            RayTable {
                name: format!("ray{i}"),
                order: match (listed, d.1 * w + d.0 > 0) {
                    (true, _) => Order::Mixed,
                    (false, true) => Order::Ascending,
                    (false, false) => Order::Descending,
                },
                reach: rows.clone(),
                beyond: rows,
                lists: (0..sites)
                    .filter(|_| listed)
                    .map(|s| ray(s, d).into_iter().map(|s| s as u16).collect())
                    .collect(),
            }
        };
        let rays = (0..8).map(|i| table(i, false)).chain((0..8).map(|i| table(i, true))).collect();
        let slots = slot::NAMES
            .iter()
            .enumerate()
            .map(|(i, name)| Slot {
                name: (*name).to_owned(),
                identity: [slot::TURN, slot::STATE, slot::OPENED].contains(&i),
                start: i32::from(i == slot::ROUND),
                memo: false,
            })
            .collect();
        let mut kit = Kit {
            w,
            h,
            p: Program {
                layout: Layout {
                    width,
                    sites,
                    players,
                    layers: vec![],
                    slots,
                    pieces: Pieces {
                        kinds: 0,
                        kind_base: None,
                        owner_base: None,
                        neutral: false,
                        level_base: 0,
                        levels: 0,
                        stack: vec![],
                        stacks: None,
                    },
                    dealt: 0,
                    deals: vec![],
                    margin: 1,
                },
                all,
                consts: vec![],
                relations,
                rays,
                tables: vec![],
                sets: vec![],
                ints: vec![],
                blocks: vec![vec![]],
                set_locals: 4,
                int_locals: 8,
                copies: 2,
                decisions: vec![],
                leaves: vec![],
                states: vec![FlowState { rest: FlowNode::Done }],
                opening: vec![],
                main: StateId(0),
                stuck_pass: 0,
                placements: vec![],
                setup: BlockId(0),
                tidy: BlockId(0),
                turn_end: BlockId(0),
                next: None,
                stuck: OutcomeCode::Draw,
                ends: vec![],
                score: None,
                match_: None,
                reads_seen: false,
                teams: Vec::new(),
            },
        };
        // The pass that a stuck mover may be offered; it stays the leaf with the highest base.
        kit.p.leaves.push(Leaf { decision: None, base: 0, next: StateId(0) });
        kit
    }

    pub fn layer(&mut self, name: &str) -> u32 {
        self.p.layout.layers.push(Layer {
            name: name.to_owned(),
            identity: true,
            start: vec![0; self.p.layout.width],
        });
        self.p.layout.layers.len() as u32 - 1
    }

    pub fn slot(&mut self, name: &str, start: i32) -> u32 {
        self.p.layout.slots.push(Slot { name: name.to_owned(), identity: true, start, memo: false });
        self.p.layout.slots.len() as u32 - 1
    }

    /// Layers for pieces: owners and, for more than one kind, kinds; levels as the stacks need.
    pub fn pieces(&mut self, stack: &[u32], owners: bool, kinds: bool, neutral: bool) {
        let levels = stack.iter().max().map_or(0, |s| *s as usize - 1);
        let mut p = Pieces {
            kinds: stack.len(),
            kind_base: None,
            owner_base: None,
            neutral,
            level_base: 0,
            levels,
            stack: stack.to_vec(),
            stacks: None,
        };
        if kinds {
            p.kind_base = Some(self.p.layout.layers.len());
            (0..stack.len()).for_each(|k| {
                let _ = self.layer(&format!("kind{k}"));
            });
        }
        if owners {
            p.owner_base = Some(self.p.layout.layers.len());
            let count = self.p.layout.players + usize::from(neutral);
            (0..count).for_each(|o| {
                let _ = self.layer(&format!("owner{o}"));
            });
        }
        p.level_base = self.p.layout.layers.len();
        (0..levels).for_each(|l| {
            let _ = self.layer(&format!("level{l}"));
        });
        self.p.layout.pieces = p;
    }

    pub fn set(&mut self, op: SetOp) -> SetId {
        self.p.sets.push(op);
        SetId(self.p.sets.len() as u32 - 1)
    }

    pub fn int(&mut self, op: IntOp) -> IntId {
        self.p.ints.push(op);
        IntId(self.p.ints.len() as u32 - 1)
    }

    pub fn num(&mut self, n: i32) -> IntId {
        self.int(IntOp::Const(n))
    }

    pub fn slot_of(&mut self, slot: usize) -> IntId {
        self.int(IntOp::Slot(slot as u32))
    }

    pub fn local(&mut self, local: u32) -> IntId {
        self.int(IntOp::Local(local))
    }

    pub fn layer_of(&mut self, layer: u32) -> SetId {
        self.set(SetOp::Layer(layer))
    }

    pub fn constant(&mut self, sites: &[usize]) -> SetId {
        let width = self.p.layout.width;
        let number = self.p.consts.len() / width;
        self.p.consts.extend(bits(width, sites.iter().copied()));
        self.set(SetOp::Const(number as u32))
    }

    pub fn block(&mut self, block: Block) -> BlockId {
        self.p.blocks.push(block);
        BlockId(self.p.blocks.len() as u32 - 1)
    }

    /// A decision with at most one var, in integer local 1.
    pub fn decision(
        &mut self,
        name: &str,
        radix: u32,
        when: Option<IntId>,
        generate: Block,
        apply: Block,
    ) -> usize {
        let generate = self.block(generate);
        let apply = self.block(apply);
        self.p.decisions.push(DecisionCode {
            name: name.to_owned(),
            when,
            generate,
            apply,
            vars: vec![Var {
                name: "x".to_owned(),
                kind: VarKind::Site,
                local: 1,
                offset: 0,
                radix,
                multiplier: 1,
            }],
            size: radix,
            repeats: true,
            chance: false,
            weight: None,
        });
        self.p.decisions.len() - 1
    }

    /// A leaf; its number. The pass of stuck movers moves behind it.
    pub fn leaf(&mut self, decision: Option<usize>, next: u32) -> usize {
        let stuck = self.p.leaves.pop().unwrap();
        let size = decision.map_or(1, |d| self.p.decisions[d].size);
        self.p.leaves.push(Leaf { decision, base: stuck.base, next: StateId(next) });
        self.p.leaves.push(Leaf { base: stuck.base + size, ..stuck });
        self.p.stuck_pass = self.p.leaves.len() - 1;
        self.p.leaves.len() - 2
    }

    pub fn state(&mut self, rest: FlowNode) -> u32 {
        self.p.states.push(FlowState { rest });
        self.p.states.len() as u32 - 1
    }

    /// A decision of one choice that adds 10 * slot + `digit` to a log slot.
    pub fn mark(&mut self, log: u32, digit: i32, when: Option<IntId>, possible: Option<IntId>) -> usize {
        let base = self.local(0);
        let emit = Stmt::EmitOne(base);
        let generate = match possible {
            None => vec![emit],
            Some(cond) => {
                let inner = self.block(vec![emit]);
                vec![Stmt::If(cond, inner, None)]
            }
        };
        let old = self.slot_of(log as usize);
        let ten = self.num(10);
        let scaled = self.int(IntOp::Binary(Binary::Mul, old, ten));
        let digit_of = self.num(digit);
        let new = self.int(IntOp::Binary(Binary::Add, scaled, digit_of));
        self.decision(&format!("mark{digit}"), 1, when, generate, vec![Stmt::SetSlot(log, new)])
    }
}

/// Three in a row on 3 by 3: put a stone on a vacant site.
pub fn rows() -> Program {
    let mut k = Kit::new(3, 3, 2);
    k.pieces(&[1], true, false, false);
    let (a, b) = (k.layer_of(0), k.layer_of(1));
    let taken = k.set(SetOp::Or(a, b));
    let vacant = k.set(SetOp::Not(taken));
    let base = k.local(0);
    let x = k.local(1);
    let at = k.set(SetOp::Site(x));
    let mover = k.slot_of(slot::MOVER);
    let zero = k.num(0);
    let place = k.decision(
        "place",
        9,
        None,
        vec![Stmt::Emit { set: vacant, base, multiplier: 1 }],
        vec![Stmt::Put { at, owner: mover, kind: zero, height: 1, vacant: false }],
    );
    let leaf = k.leaf(Some(place), 0);
    let main = k.state(FlowNode::Leaf(leaf));
    k.p.main = StateId(main);
    let own = k.set(SetOp::LayerRow { base: 0, count: 2, index: mover });
    let three = k.num(3);
    let line =
        k.set(SetOp::Line { steps: [EAST, NORTH, NORTH_EAST, NORTH_WEST].into(), of: own, length: three });
    let won = k.int(IntOp::Some(line));
    k.p.ends.push(EndCode {
        name: "row".to_owned(),
        when: won,
        result: OutcomeCode::Wins(mover),
        at_turn: false,
        perft: true,
    });
    k.p
}

/// Two players step one stone each round a small board; the same position three times is a draw.
pub fn walks() -> Program {
    let mut k = Kit::new(4, 3, 2);
    k.pieces(&[2, 1], true, true, false);
    let mover = k.slot_of(slot::MOVER);
    let own = k.set(SetOp::LayerRow { base: 2, count: 2, index: mover });
    let near = k.set(SetOp::Image { relation: NEAR, of: own });
    let two = k.layer_of(2);
    let three = k.layer_of(3);
    let taken = k.set(SetOp::Or(two, three));
    let free = k.set(SetOp::Sub(near, taken));
    let base = k.local(0);
    let from = k.int(IntOp::OfSet(OfSet::First, own));
    let to = k.local(1);
    let step = k.decision(
        "step",
        12,
        None,
        vec![Stmt::Emit { set: free, base, multiplier: 1 }],
        vec![Stmt::Move { from, to, owner: None, kind: None, vacant: false }],
    );
    let leaf = k.leaf(Some(step), 0);
    let main = k.state(FlowNode::Leaf(leaf));
    k.p.main = StateId(main);
    k.p.placements = vec![
        Placement { site: 0, owner: 0, kind: 0, height: 1 },
        Placement { site: 11, owner: 1, kind: 1, height: 1 },
    ];
    let seen = k.slot_of(slot::SEEN);
    let limit = k.num(3);
    let often = k.int(IntOp::Binary(Binary::Le, limit, seen));
    k.p.ends.push(EndCode {
        name: "thrice".to_owned(),
        when: often,
        result: OutcomeCode::Draw,
        at_turn: true,
        perft: false,
    });
    k.p.reads_seen = true;
    k.p
}
