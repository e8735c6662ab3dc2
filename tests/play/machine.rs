//! The play side on hand-built programs, against slow references.

use std::sync::Arc;

use crate::kit::*;
use farrier::ids::Player;
use farrier::play::{Asker, History, Machine, Move, Moves, Outcome, Position, Rng};
use farrier::program::*;

fn machine(p: Program) -> Machine {
    Machine::new(Arc::new(p)).unwrap()
}

fn perft(m: &mut Machine, pos: &Position, depth: u32, ends: &mut [u64; 3]) -> u64 {
    let mut moves = Moves::new();
    m.moves(pos, &mut moves);
    if let Some(outcome) = m.outcome(pos) {
        assert!(moves.is_empty());
        match outcome {
            Outcome::Win(Player(p)) => ends[usize::from(p)] += 1,
            _ => ends[2] += 1,
        }
    }
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    let mut given = Moves::new();
    for (k, number) in moves.iter().enumerate() {
        assert_eq!(moves.nth(k), Some(number));
        assert!(moves.contains(number));
        let mut next = pos.clone();
        let mut history = History::new();
        m.play(&mut next, number, &mut history, &mut given);
        assert_eq!(next.hash(), m.full_hash(&next));
        let mut again = Moves::new();
        m.moves(&next, &mut again);
        assert_eq!(given, again, "resolve and moves agree");
        nodes += perft(m, &next, depth - 1, ends);
    }
    nodes
}

#[test]
fn rows_of_three_are_counted_right() {
    let mut m = machine(rows());
    m.set_hashing(true);
    let start = m.start(0, &mut History::new());
    for (depth, count) in [(1, 9), (2, 72), (3, 504), (5, 15_120), (6, 54_720)] {
        assert_eq!(perft(&mut m, &start, depth, &mut [0; 3]), count);
    }
    let mut ends = [0; 3];
    perft(&mut m, &start, 10, &mut ends);
    assert_eq!(ends, [131_184, 77_904, 46_080]);
}

#[test]
fn a_counting_machine_plays_the_same_and_tells_more_work() {
    let (mut plain, mut counting) = (machine(rows()), Machine::counting(Arc::new(rows())).unwrap());
    plain.set_hashing(true);
    counting.set_hashing(true);
    let start = plain.start(0, &mut History::new());
    let mut done = Vec::new();
    for m in [&mut plain, &mut counting] {
        assert_eq!(perft(m, &start, 4, &mut [0; 3]), 3024);
        done.push(m.work());
    }
    let nodes = 1 + 9 + 72 + 504 + 3024;
    assert!(done[0] < nodes && done[1] > nodes, "{done:?}");
    perft(&mut counting, &start, 4, &mut [0; 3]);
    assert_eq!(counting.work(), 2 * done[1], "the same work counts the same");
    let by: Vec<(Asker, u64)> = counting.work_by().collect();
    let entered: u64 = by.iter().map(|(_, work)| work).sum();
    assert!(entered <= counting.work() && 2 * entered > counting.work(), "{by:?} of {}", counting.work());
    assert!(by.iter().any(|(asker, work)| *asker == Asker::Decision(0) && *work > 0), "{by:?}");
    assert_eq!(plain.work_by().count(), 0, "only who counts knows");
}

#[test]
fn repetition_is_seen_and_the_hash_is_right() {
    let mut m = machine(walks());
    let mut history = History::new();
    let mut pos = m.start(3, &mut history);
    let mut moves = Moves::new();
    m.moves(&pos, &mut moves);
    // 0-1, 11-10, 1-0, 10-11 and so on: the start comes back after four plies and after eight.
    for (ply, to) in [1, 10, 0, 11, 1, 10, 0, 11].into_iter().enumerate() {
        assert_eq!(pos.outcome(m.layout()), None, "ply {ply}");
        assert!(moves.contains(Move(to)));
        m.play(&mut pos, Move(to), &mut history, &mut moves);
        assert_eq!(pos.hash(), m.full_hash(&pos));
    }
    assert_eq!(pos.outcome(m.layout()), Some(Outcome::Draw));
    assert!(moves.is_empty());
    assert_eq!(pos.slot(m.layout(), slot::SEEN), 3);
    assert_eq!(pos.slot(m.layout(), slot::ROUND), 5);
    assert_eq!((pos.ply(m.layout()), history.len()), (8, 9));
    m.set_perft(true);
    let mut pos = m.start(3, &mut history);
    for to in [1, 10, 0, 11, 1, 10, 0, 11] {
        m.play(&mut pos, Move(to), &mut history, &mut moves);
    }
    assert_eq!(pos.outcome(m.layout()), None);
    assert!(history.is_empty());
}

/// The numbers of a position's moves, and its mover.
fn offers(moves: &Moves) -> (u8, Vec<u32>) {
    (moves.mover().0, moves.iter().map(|m| m.0).collect())
}

/// Takes 1 to 3 stones from a heap of slot `heap`; who takes the last wins, who cannot take is stuck.
#[test]
fn taking_stones_plays_as_counted() {
    let mut k = Kit::new(2, 2, 2);
    let heap = k.slot("heap", 7);
    let left = k.slot_of(heap as usize);
    let base = k.local(0);
    let (one, three) = (k.num(1), k.num(3));
    let most = k.int(IntOp::Binary(Binary::Min, left, three));
    let i = k.local(2);
    let number = k.int(IntOp::Binary(Binary::Add, base, i));
    let emit = k.block(vec![Stmt::EmitOne(number)]);
    let x = k.local(1);
    let rest = k.int(IntOp::Binary(Binary::Sub, left, x));
    let take = k.decision(
        "take",
        4,
        None,
        vec![Stmt::For { local: 2, domain: Domain::Range(one, most), body: emit }],
        vec![Stmt::SetSlot(heap, rest)],
    );
    let leaf = k.leaf(Some(take), 0);
    k.p.main = StateId(k.state(FlowNode::Leaf(leaf)));
    let mover = k.slot_of(slot::MOVER);
    let other = k.int(IntOp::Binary(Binary::Sub, one, mover));
    k.p.stuck = OutcomeCode::Wins(other);
    let mut m = machine(k.p);
    m.set_hashing(true);
    let start = m.start(0, &mut History::new());
    fn slow(heap: i32, mover: usize, ends: &mut [u64; 3]) {
        if heap == 0 {
            ends[1 - mover] += 1;
        }
        for take in 1..=heap.min(3) {
            slow(heap - take, 1 - mover, ends);
        }
    }
    let (mut ends, mut counted) = ([0; 3], [0; 3]);
    slow(7, 0, &mut counted);
    perft(&mut m, &start, 10, &mut ends);
    assert_eq!(ends, counted);
}

/// A game of marks: each decision adds its digit to the log.
struct Marks {
    m: Machine,
    pos: Position,
    moves: Moves,
    history: History,
    log: usize,
}

impl Marks {
    fn new(p: Program, log: u32) -> Marks {
        let mut m = machine(p);
        m.set_hashing(true);
        let mut history = History::new();
        let pos = m.start(0, &mut history);
        let mut moves = Moves::new();
        m.moves(&pos, &mut moves);
        Marks { m, pos, moves, history, log: log as usize }
    }
    fn go(&mut self, number: u32) -> (u8, Vec<u32>) {
        assert!(self.moves.contains(Move(number)), "{number} is no offer");
        self.m.play(&mut self.pos, Move(number), &mut self.history, &mut self.moves);
        assert_eq!(self.pos.hash(), self.m.full_hash(&self.pos));
        offers(&self.moves)
    }
    fn slot(&self, slot: usize) -> i32 {
        self.pos.slot(self.m.layout(), slot)
    }
}

#[test]
fn flows_resolve_in_order() {
    // (a, may b), c by the other, either d or e; a try of something impossible in between.
    let mut k = Kit::new(2, 2, 2);
    let log = k.slot("log", 0);
    let never = k.num(0);
    let decisions: Vec<_> = (1..=5).map(|d| k.mark(log, d, None, None)).collect();
    let barred = k.mark(log, 9, None, Some(never));
    let not_due = k.mark(log, 8, Some(never), None);
    let s_end = 0;
    let e = k.leaf(Some(decisions[4]), s_end);
    let d = k.leaf(Some(decisions[3]), s_end);
    let de = k.state(FlowNode::Either(vec![FlowNode::Leaf(d), FlowNode::Leaf(e)]));
    let c = k.leaf(Some(decisions[2]), de);
    let x = k.leaf(Some(barred), de);
    let y = k.leaf(Some(not_due), de);
    let one = k.num(1);
    let mover = k.slot_of(slot::MOVER);
    let other = k.int(IntOp::Binary(Binary::Sub, one, mover));
    let rest = k.p.states[de as usize].rest.clone();
    let tail = FlowNode::Sequence(vec![
        FlowNode::Try(Box::new(FlowNode::Leaf(x))),
        FlowNode::Leaf(y),
        FlowNode::If(never, Box::new(FlowNode::Leaf(x))),
        FlowNode::By(other, Box::new(FlowNode::Leaf(c))),
        rest,
    ]);
    let after_b = k.state(tail.clone());
    let b = k.leaf(Some(decisions[1]), after_b);
    let pass = k.leaf(None, after_b);
    let after_a = k.state(FlowNode::Sequence(vec![FlowNode::May(Box::new(FlowNode::Leaf(b)), pass), tail]));
    let a = k.leaf(Some(decisions[0]), after_a);
    k.p.main = StateId(k.state(FlowNode::Leaf(a)));
    let base: Vec<u32> = k.p.leaves.iter().map(|l| l.base).collect();
    let of = |leaf: usize| base[leaf];
    let mut g = Marks::new(k.p, log);
    assert_eq!(offers(&g.moves), (0, vec![of(a)]));
    assert_eq!(g.go(of(a)), (0, vec![of(b), of(pass)]));
    assert_eq!(g.go(of(pass)), (1, vec![of(c)]));
    assert_eq!((g.slot(slot::TURN), g.slot(slot::MOVER)), (0, 1));
    assert_eq!(g.go(of(c)), (0, vec![of(d), of(e)]));
    assert_eq!(g.slot(slot::TURN_PLIES), 3);
    assert_eq!(g.slot(slot::TURN_ACTS), 2);
    assert_eq!(g.go(of(e)), (1, vec![of(a)]));
    assert_eq!(g.slot(g.log), 135);
    assert_eq!(g.slot(slot::TURN_PLIES), 0);
    g.go(of(a));
    assert_eq!(g.go(of(b)), (0, vec![of(c)]));
}

#[test]
fn repeats_and_longest_paths() {
    // Counters: `big` allows two plies of the long kind, the short kind ends the chain at once.
    let mut k = Kit::new(2, 2, 2);
    let log = k.slot("log", 0);
    let seen = k.slot_of(log as usize);
    let (zero, hundred) = (k.num(0), k.num(100));
    let fresh = k.int(IntOp::Binary(Binary::Eq, seen, zero));
    let short = k.int(IntOp::Binary(Binary::Lt, seen, hundred));
    // 1 goes on while the log is below 100, 2 only from the start, and leads nowhere.
    let two_then = k.num(2);
    let dead = k.int(IntOp::Binary(Binary::Eq, seen, two_then));
    let alive = k.int(IntOp::Unary(Unary::Not, dead));
    let goes = k.int(IntOp::And(short, alive));
    let long = k.mark(log, 1, None, Some(goes));
    let stub = k.mark(log, 2, None, Some(fresh));
    let state = k.p.states.len() as u32;
    let l = k.leaf(Some(long), state);
    let s = k.leaf(Some(stub), state);
    let chain = FlowNode::Repeat(Box::new(FlowNode::Either(vec![FlowNode::Leaf(l), FlowNode::Leaf(s)])));
    assert_eq!(
        k.state(FlowNode::Longest { node: Box::new(chain.clone()), inside: vec![StateId(state)] }),
        state
    );
    k.p.main = StateId(state);
    let mut plain = k.p.clone();
    plain.states[state as usize].rest = chain;
    let mut g = Marks::new(plain, log);
    assert_eq!(offers(&g.moves).1.len(), 2);
    let stub_at = offers(&g.moves).1[1];
    // The stub leads nowhere, so the turn ends; the next player is stuck at once: a draw.
    assert_eq!(g.go(stub_at).1, Vec::<u32>::new());
    assert_eq!(g.pos.outcome(g.m.layout()), Some(Outcome::Draw));
    // The search does not call itself.
    let mut nested = k.p.clone();
    let inner = nested.states[state as usize].rest.clone();
    nested.states[state as usize].rest = FlowNode::Longest { node: Box::new(inner), inside: vec![] };
    assert_eq!(verify(&nested).unwrap_err().message, "a choice of the longest inside another");
    let mut g = Marks::new(k.p, log);
    let (mover, left) = offers(&g.moves);
    assert_eq!((mover, left.len()), (0, 1));
    assert_eq!(g.go(left[0]), (0, left.clone()));
    assert_eq!(g.go(left[0]), (0, left.clone()));
    g.go(left[0]);
    assert_eq!(g.slot(g.log), 111);
    assert_eq!(g.pos.outcome(g.m.layout()), Some(Outcome::Draw));
}

#[test]
fn a_repeat_stops_after_four_plies_a_site() {
    let mut k = Kit::new(2, 2, 2);
    let log = k.slot("log", 0);
    let again = k.mark(log, 1, None, None);
    let state = k.p.states.len() as u32;
    let leaf = k.leaf(Some(again), state);
    k.state(FlowNode::Repeat(Box::new(FlowNode::Leaf(leaf))));
    k.p.main = StateId(state);
    let mut g = Marks::new(k.p, log);
    for _ in 0..15 {
        assert_eq!(g.go(0).0, 0);
    }
    assert_eq!(g.go(0).0, 1);
}

#[test]
fn sides_are_swapped_and_passes_counted() {
    let mut k = Kit::new(2, 2, 2);
    let log = k.slot("log", 0);
    let a = k.mark(log, 1, None, None);
    let base = k.local(0);
    let swap = k.decision("swap", 1, None, vec![Stmt::EmitOne(base)], vec![Stmt::SwapSides]);
    let (first, again, swaps) = (k.leaf(Some(a), 0), k.leaf(Some(a), 0), k.leaf(Some(swap), 0));
    let pass = k.leaf(None, 0);
    let open = k.state(FlowNode::Leaf(first));
    let answer = k.state(FlowNode::Either(vec![FlowNode::Leaf(again), FlowNode::Leaf(swaps)]));
    k.p.opening = vec![(StateId(open), None), (StateId(answer), Some(1))];
    k.p.main = StateId(k.state(FlowNode::Leaf(pass)));
    let passes = k.slot_of(slot::PASSES);
    let two = k.num(2);
    let both = k.int(IntOp::Binary(Binary::Eq, passes, two));
    k.p.ends.push(EndCode {
        name: "both".to_owned(),
        when: both,
        result: OutcomeCode::Score,
        at_turn: true,
        perft: true,
    });
    let mover = k.slot_of(slot::MOVER);
    k.p.score = Some(mover);
    let points = k.local(3);
    let score = k.local(4);
    let sum = k.int(IntOp::Binary(Binary::Add, points, score));
    k.p.match_ = Some(MatchCode { target: 3, points: sum, won: 3, score: 4, alternate: None });
    let bases: Vec<u32> = k.p.leaves.iter().map(|l| l.base).collect();
    let mut g = Marks::new(k.p, log);
    assert_eq!(g.slot(slot::OPENED), 1);
    assert_eq!(g.go(bases[first]), (1, vec![bases[again], bases[swaps]]));
    assert_eq!(g.slot(slot::OPENED), 2);
    assert_eq!(g.go(bases[swaps]), (1, vec![bases[pass]]));
    assert_eq!((g.slot(slot::SIDES), g.slot(slot::SWAP)), (1, 0));
    assert_eq!((g.slot(slot::ROUND), g.slot(slot::PASSES)), (1, 0));
    assert_eq!(g.go(bases[pass]), (0, vec![bases[pass]]));
    assert_eq!((g.slot(slot::ROUND), g.slot(slot::PASSES)), (2, 1));
    assert!(g.go(bases[pass]).1.is_empty());
    assert_eq!(g.pos.outcome(g.m.layout()), Some(Outcome::Score));
    assert_eq!(g.m.outcome(&g.pos), Some(Outcome::Win(Player(1))));
    assert_eq!(g.m.scores(&g.pos), [0, 1]);
    assert_eq!(g.m.match_points(&g.pos), Some(vec![0, 2]));
}

#[test]
fn a_stuck_mover_may_pass_and_skipped_players_are_passed_over() {
    let mut k = Kit::new(2, 2, 3);
    let log = k.slot("log", 0);
    let mover = k.slot_of(slot::MOVER);
    let able = k.int(IntOp::Unary(Unary::Not, mover));
    let (two, none) = (k.num(2), k.num(0));
    let next = k.int(IntOp::If(able, two, none));
    let a = k.mark(log, 1, None, Some(able));
    let leaf = k.leaf(Some(a), 0);
    k.p.main = StateId(k.state(FlowNode::Leaf(leaf)));
    k.p.next = Some(next);
    k.p.stuck = OutcomeCode::Pass;
    let pass = k.p.leaves[k.p.stuck_pass].base;
    let mut g = Marks::new(k.p, log);
    assert_eq!(g.go(0), (2, vec![pass]));
    assert_eq!(g.go(pass), (0, vec![0]));
    assert_eq!((g.slot(slot::PASSES), g.slot(slot::ROUND)), (1, 2));
}

#[test]
fn dealing_is_a_permutation_fixed_by_the_seed() {
    let mut k = Kit::new(4, 3, 2);
    let log = k.slot("log", 0);
    let a = k.mark(log, 1, None, None);
    let leaf = k.leaf(Some(a), 0);
    k.p.main = StateId(k.state(FlowNode::Leaf(leaf)));
    k.p.layout.dealt = 12;
    k.p.layout.deals.push(Deal {
        name: "number".to_owned(),
        sites: (0..12).collect(),
        low: 3,
        high: 14,
        to: DealTo::Dealt(0),
        inverse: None,
    });
    let mut m = machine(k.p);
    let mut history = History::new();
    let mut numbers = m.start(9, &mut history).dealt().to_vec();
    assert_eq!(numbers, m.start(9, &mut history).dealt());
    assert_ne!(numbers, m.start(10, &mut history).dealt());
    let mut expected: Vec<i32> = (3..=14).collect();
    Rng::new(9).shuffle(&mut expected);
    assert_eq!(numbers, expected);
    numbers.sort_unstable();
    assert_eq!(numbers, (3..=14).collect::<Vec<_>>());
}

#[test]
fn bad_programs_are_refused() {
    type Spoil = fn(&mut Program);
    let spoils: [(&str, Spoil); 14] = [
        ("width", |p| p.layout.width = 5),
        ("layer", |p| p.sets.push(SetOp::Layer(99))),
        ("slot", |p| p.ints.push(IntOp::Slot(99))),
        ("order", |p| p.sets.push(SetOp::Not(SetId(p.sets.len() as u32)))),
        ("relation", |p| {
            p.sets.push(SetOp::Image { relation: 99, of: SetId(0) });
        }),
        ("circle", |p| {
            let block = BlockId(p.blocks.len() as u32);
            p.blocks.push(vec![Stmt::If(IntId(0), block, None)]);
        }),
        ("circle through a copy", |p| {
            let block = BlockId(p.blocks.len() as u32);
            p.sets.push(SetOp::After(block, SetId(0)));
            let set = SetId(p.sets.len() as u32 - 1);
            p.blocks.push(vec![Stmt::Remove(set)]);
        }),
        ("copies", |p| {
            p.copies = 0;
            p.sets.push(SetOp::After(BlockId(0), SetId(0)));
        }),
        ("emit", |p| p.blocks[p.setup.0 as usize].push(Stmt::EmitOne(IntId(0)))),
        ("change", |p| {
            let generate = p.decisions[0].generate;
            p.blocks[generate.0 as usize].push(Stmt::SwapSides);
        }),
        ("shift", |p| p.relations[0].shifts[0].0 = -5),
        ("leaf", |p| p.leaves[1].base = 3),
        ("numbers of moves", |p| p.decisions[0].vars[0].multiplier += 1),
        ("size", |p| p.decisions[0].size += 1),
    ];
    assert_eq!(verify(&rows()), Ok(()));
    for (what, spoil) in spoils {
        let mut p = rows();
        spoil(&mut p);
        assert!(Machine::new(Arc::new(p)).is_err(), "{what}");
    }
}

#[test]
fn a_listing_reads_as_text() {
    let text = listing(&rows()).to_string();
    for part in [
        "9 sites in 1 word, 2 players, ",
        "layer owner0",
        "decision place: 9 numbers",
        "emit i0 + 1 * site in not (layer[owner0] | layer[owner1])",
        "put 1 of kind 0 of mover at site(i1)",
        "state 1: place#0",
        "row at ply: mover wins when some(line[step0 step1 step2 step3](layer[owner0 + mover], 3))",
    ] {
        assert!(text.contains(part), "{part} not in\n{text}");
    }
}

#[test]
fn places_are_worth_points() {
    let of = |numbers: &[i64]| Outcome::of(result::places(numbers), numbers.len()).unwrap();
    let points = |numbers: &[i64], sides| -> Vec<f64> {
        (0..numbers.len()).map(|p| of(numbers).points(Player(p as u8), sides)).collect()
    };
    assert_eq!(points(&[9, 1, 5, 1], 4), [1.0, 0.0, 0.5, 0.0]);
    assert_eq!(points(&[1, 1, 0, 0], 2), [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(points(&[4, 4, 4, 4], 2), [0.5; 4]);
    assert_eq!((of(&[2, 2, 2]), of(&[0, 1, 0])), (Outcome::Draw, Outcome::Win(Player(1))));
    let lost = of(&[1, 0, 1]);
    assert!(lost.has_won(Player(0)) && lost.has_won(Player(2)) && !lost.has_won(Player(1)));
    assert!(!Outcome::Draw.has_won(Player(0)) && Outcome::Draw.place(Player(0)) == 0);
    // Texts of positions may say anything.
    let places = result::places(&[1, 0, 1]);
    assert!(result::is_known(places, 3) && !result::is_known(places, 1));
    assert!(!result::is_known(result::PLACES | 3, 3) && !result::is_known(2 * result::PLACES, 8));
}
