//! Statements about pieces against a map from site to pieces.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::kit::*;
use farrier::play::{Dealing, Machine, Rng};
use farrier::program::*;

/// Owner, kind and height by site.
type Board = BTreeMap<usize, (i32, i32, u32)>;

fn land(board: &mut Board, stacks: &[u32], at: usize, (owner, kind, height): (i32, i32, u32)) {
    let stack = stacks[kind as usize];
    match board.get_mut(&at) {
        Some(there) if (there.0, there.1) == (owner, kind) && there.2 + height <= stack => {
            there.2 += height;
        }
        _ => {
            board.insert(at, (owner, kind, height.min(stack)));
        }
    }
}

fn lift(board: &mut Board, at: usize) {
    if let Some(there) = board.get_mut(&at) {
        there.2 -= 1;
        if there.2 == 0 {
            board.remove(&at);
        }
    }
}

const OPERATIONS: i32 = 10;

fn check(stacks: &[u32], owners: bool, kinds: bool, neutral: bool) {
    let mut k = Kit::new(5, 4, 2);
    let chosen = k.layer("chosen");
    k.pieces(stacks, owners, kinds, neutral);
    let slots: Vec<u32> = ["op", "owner", "kind", "from", "to"].iter().map(|name| k.slot(name, 0)).collect();
    let at = k.layer_of(chosen);
    let read: Vec<IntId> = slots.iter().map(|s| k.slot_of(*s as usize)).collect();
    let [op, owner, kind, from, to] = read[..] else { unreachable!() };
    let put = |height| Stmt::Put { at, owner, kind, height, vacant: false };
    let turn = |owner, kind| Stmt::Turn { at, owner, kind };
    let statements = [
        put(1),
        put(2),
        put(3),
        Stmt::Move { from, to, owner: None, kind: None, vacant: false },
        Stmt::Remove(at),
        Stmt::Lift(at),
        turn(Some(owner), None),
        turn(None, Some(kind)),
        turn(Some(owner), Some(kind)),
        Stmt::Carry { at, relation: EAST },
    ];
    let mut tidy = vec![];
    for (number, statement) in statements.into_iter().enumerate() {
        let number = k.num(number as i32);
        let is = k.int(IntOp::Binary(Binary::Eq, op, number));
        let block = k.block(vec![statement]);
        tidy.push(Stmt::If(is, block, None));
    }
    let queries = [IntOp::OwnerAt(to), IntOp::KindAt(to), IntOp::HeightAt(to)];
    let answers: Vec<u32> = queries
        .into_iter()
        .map(|q| {
            let answer = k.slot("answer", 0);
            let q = k.int(q);
            tidy.push(Stmt::SetSlot(answer, q));
            answer
        })
        .collect();
    k.p.tidy = k.block(tidy);
    let mut m = Machine::new(Arc::new(k.p.clone())).unwrap();
    let layout = k.p.layout;
    let mut pos = m.blank(Dealing::InOrder);
    let mut board = Board::new();
    let mut rng = Rng::new(stacks.len() as u64);
    // With no owners stored all are neutral; with owners the neutral one may not be stored.
    let real = |owner: i32| (0..2 + i32::from(neutral)).contains(&owner) && owners || !owners && owner == 2;
    for _ in 0..3000 {
        let set: Vec<usize> = (0..20).filter(|_| rng.pick(4) == 0).collect();
        let op = rng.pick(OPERATIONS as usize) as i32;
        let owner = if owners { rng.pick(5) as i32 - 1 } else { 2 };
        let kind = rng.pick(stacks.len() + 2) as i32 - 1;
        let (from, to) = (rng.pick(22) as i32 - 1, rng.pick(22) as i32 - 1);
        let words = set.iter().fold(0u64, |w, s| w | 1 << s);
        pos.set_layer(&layout, chosen as usize, &[words]);
        for (slot, value) in slots.iter().zip([op, owner, kind, from, to]) {
            pos.set_slot(&layout, *slot as usize, value);
        }
        m.tidy(&mut pos);
        let fits = real(owner) && (0..stacks.len() as i32).contains(&kind);
        match op {
            0..=2 if fits => {
                for s in &set {
                    land(&mut board, stacks, *s, (owner, kind, op as u32 + 1));
                }
            }
            3 if (0..20).contains(&from) && (0..20).contains(&to) => {
                if let Some((o, kd, _)) = board.get(&(from as usize)).copied() {
                    lift(&mut board, from as usize);
                    land(&mut board, stacks, to as usize, (o, kd, 1));
                }
            }
            4 => board.retain(|s, _| !set.contains(s)),
            5 => set.iter().for_each(|s| lift(&mut board, *s)),
            6 if real(owner) => {
                for (_, there) in board.iter_mut().filter(|(s, _)| set.contains(s)) {
                    there.0 = owner;
                }
            }
            7 if (0..stacks.len() as i32).contains(&kind) => {
                for (_, there) in board.iter_mut().filter(|(s, _)| set.contains(s)) {
                    *there = (there.0, kind, there.2.min(stacks[kind as usize]));
                }
            }
            8 if fits => {
                for (_, there) in board.iter_mut().filter(|(s, _)| set.contains(s)) {
                    *there = (owner, kind, there.2.min(stacks[kind as usize]));
                }
            }
            9 => {
                let going: Board = board
                    .iter()
                    .filter(|(s, _)| set.contains(s) && *s % 5 < 4)
                    .map(|(s, p)| (*s, *p))
                    .collect();
                board.retain(|s, _| !going.contains_key(s));
                board.extend(going.into_iter().map(|(s, p)| (s + 1, p)));
            }
            _ => {}
        }
        for s in 0..20 {
            let there = m.piece(&pos, s).map(|(o, kd, h)| (i32::from(o), i32::from(kd), h));
            assert_eq!(there, board.get(&s).copied(), "operation {op}, site {s}");
        }
        let asked = usize::try_from(to).ok().and_then(|s| board.get(&s));
        let (o, kd, h) = asked.copied().unwrap_or((-1, -1, 0));
        let told: Vec<i32> = answers.iter().map(|a| pos.slot(&layout, *a as usize)).collect();
        assert_eq!(told, [o, kd, h as i32]);
    }
}

#[test]
fn pieces_of_two_kinds_and_stacks() {
    check(&[1, 3], true, true, true);
}

#[test]
fn pieces_of_one_kind_without_its_layer() {
    check(&[2], true, false, false);
}

#[test]
fn neutral_pieces_without_owner_layers() {
    check(&[4, 2, 1], false, true, false);
}

#[test]
fn pieces_that_never_stack() {
    check(&[1, 1], true, true, false);
}
