//! Moves with several choices, chance, and input that no caller should give.

use std::sync::Arc;

use crate::kit::*;
use farrier::play::{Dealing, History, Machine, Move, Moves, Rng};
use farrier::program::*;

/// From an own stone to a site near it, on a board of two words; the sum is drawn by chance after it.
fn steps() -> Program {
    let mut k = Kit::new(9, 9, 2);
    k.pieces(&[1], true, false, false);
    let mover = k.slot_of(slot::MOVER);
    let own = k.set(SetOp::LayerRow { base: 0, count: 2, index: mover });
    let (base, x, y) = (k.local(0), k.local(1), k.local(2));
    let near = k.set(SetOp::Row { relation: NEAR, site: x });
    let free = k.set(SetOp::Sub(near, own));
    let wide = k.num(81);
    let scaled = k.int(IntOp::Binary(Binary::Mul, x, wide));
    let from = k.int(IntOp::Binary(Binary::Add, base, scaled));
    let emit = k.block(vec![Stmt::Emit { set: free, base: from, multiplier: 1 }]);
    let go = k.decision(
        "go",
        81 * 81,
        None,
        vec![Stmt::For { local: 1, domain: Domain::Set(own), body: emit }],
        vec![Stmt::Move { from: x, to: y, owner: None, kind: None, vacant: false }],
    );
    let var = |local, multiplier| Var {
        name: format!("x{local}"),
        kind: VarKind::Site,
        local,
        offset: 0,
        radix: 81,
        multiplier,
    };
    k.p.decisions[go].vars = vec![var(1, 81), var(2, 1)];
    let drawn = k.slot("drawn", -9);
    let (five, low) = (k.num(5), k.num(0));
    let i = k.local(3);
    let number = k.int(IntOp::Binary(Binary::Add, base, i));
    let each = k.block(vec![Stmt::EmitOne(number)]);
    let chance = k.decision(
        "draw",
        6,
        None,
        vec![Stmt::For { local: 3, domain: Domain::Range(low, five), body: each }],
        vec![Stmt::SetSlot(drawn, x)],
    );
    let less = k.num(2);
    let weight = k.int(IntOp::Binary(Binary::Sub, x, less));
    k.p.decisions[chance].chance = true;
    k.p.decisions[chance].weight = Some(weight);
    k.p.decisions[chance].vars[0].offset = -1;
    let draw = k.leaf(Some(chance), 0);
    let then = k.state(FlowNode::Leaf(draw));
    let leaf = k.leaf(Some(go), then);
    k.p.main = StateId(k.state(FlowNode::Leaf(leaf)));
    for (site, owner) in [(0, 0), (40, 0), (62, 0), (80, 1), (63, 1), (64, 1)] {
        k.p.placements.push(Placement { site, owner, kind: 0, height: 1 });
    }
    k.p
}

#[test]
fn moves_of_two_sites_are_those_of_a_slow_list() {
    let program = steps();
    let mut m = Machine::new(Arc::new(program.clone())).unwrap();
    let mut history = History::new();
    let mut pos = m.start(0, &mut history);
    let mut moves = Moves::new();
    let mut rng = Rng::new(4);
    let go = program.leaves[1].base;
    for _ in 0..500 {
        m.moves(&pos, &mut moves);
        assert!(!moves.is_chance());
        let mover = moves.mover().0;
        let owner: Vec<_> = (0..81).map(|s| m.piece(&pos, s).map(|p| p.0)).collect();
        let mut slow = vec![];
        for from in 0..81usize {
            let near = |to: &usize| {
                let (dx, dy) = (from % 9, from / 9);
                dx.abs_diff(to % 9) + dy.abs_diff(to / 9) == 1 && owner[*to] != Some(mover)
            };
            if owner[from] == Some(mover) {
                slow.extend((0..81).filter(near).map(|to| go + (from * 81 + to) as u32));
            }
        }
        let fast: Vec<u32> = moves.iter().map(|m| m.0).collect();
        assert_eq!(fast, slow);
        assert_eq!(moves.len(), slow.len());
        for number in (go..go + 81 * 81).step_by(7).chain(slow.iter().copied()) {
            assert_eq!(moves.contains(Move(number)), slow.contains(&number));
        }
        let Some(number) = moves.nth(rng.pick(moves.len())) else {
            return;
        };
        m.play(&mut pos, number, &mut history, &mut moves);
        assert!(moves.is_chance() && moves.len() == 6);
        let weights: Vec<i32> = moves.iter().map(|n| m.chance_weight(&pos, n)).collect();
        assert_eq!(weights, [0, 0, 0, 0, 1, 2]);
        let drawn = moves.nth(rng.pick(6)).unwrap();
        m.play(&mut pos, drawn, &mut history, &mut moves);
        let layout = &program.layout;
        assert_eq!(pos.slot(layout, slot::COUNT), drawn.0 as i32 - 1);
    }
}

#[test]
fn nothing_that_a_caller_gives_makes_it_panic() {
    let mut rng = Rng::new(11);
    for program in [rows(), walks(), steps()] {
        let layout = program.layout.clone();
        let mut m = Machine::new(Arc::new(program)).unwrap();
        m.set_hashing(true);
        let mut history = History::new();
        let mut moves = Moves::new();
        for _ in 0..2000 {
            let mut pos = m.blank(Dealing::Given(&[vec![7, i32::MAX, i32::MIN]]));
            for slot in 0..layout.slots.len() + 2 {
                let value = [i32::MIN, -1, 0, 1, 2, 3, 99, i32::MAX][rng.pick(8)];
                // Mostly unfinished games, for little happens in others.
                if slot != slot::RESULT || rng.pick(9) == 0 {
                    pos.set_slot(&layout, slot, value);
                }
            }
            for layer in 0..layout.layers.len() + 1 {
                // Not one owner and kind a site, and bits beyond the board.
                pos.set_layer(&layout, layer, &[rng.bits(), rng.bits()]);
            }
            m.tidy(&mut pos);
            m.moves(&pos, &mut moves);
            let wild = Move(rng.bits() as u32);
            let any = moves.nth(rng.pick(moves.len() + 1)).unwrap_or(wild);
            m.apply(&mut pos, any);
            m.resolve(&mut pos, &mut history, &mut moves);
            m.begin(&mut pos, &mut history, &mut moves);
            m.outcome(&pos);
            m.match_points(&pos);
            m.clear_site(&mut pos, rng.pick(2000));
            history.clear();
        }
    }
}

#[test]
fn the_deepest_code_fits_a_thread_and_deeper_code_is_refused() {
    // The widest sets, several forms of nesting in turn, on a test's thread of 2 MiB.
    let deep = |levels: u32| {
        let mut k = Kit::new(32, 32, 1);
        let layer = k.layer("a");
        k.p.copies = 400;
        let none = k.constant(&[]);
        let mut set = k.constant(&[0, 1023]);
        for level in 0..levels {
            set = match level % 3 {
                0 => {
                    let block = k.block(vec![Stmt::SetLayer(layer, set)]);
                    let read = k.layer_of(layer);
                    k.set(SetOp::After(block, read))
                }
                1 => k.set(SetOp::Or(none, set)),
                _ => {
                    let held = k.set(SetOp::Local(0));
                    let some = k.int(IntOp::Some(held));
                    let chosen = k.set(SetOp::If(some, held, none));
                    k.set(SetOp::LetSet { local: 0, value: set, body: chosen })
                }
            };
        }
        k.p.tidy = k.block(vec![Stmt::SetLayer(layer, set)]);
        k.p
    };
    assert!(verify(&deep(400)).is_err());
    let program = deep(370);
    let layout = program.layout.clone();
    let mut m = Machine::new(Arc::new(program)).unwrap();
    let mut pos = m.blank(Dealing::InOrder);
    m.tidy(&mut pos);
    let words = pos.layer(&layout, 0);
    assert_eq!((words[0], words[15]), (1, 1 << 63));
}
