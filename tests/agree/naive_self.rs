//! The naive evaluator by itself: small rules made by hand.

mod build;
mod chess;
mod games;

use build::*;
use farrier::board::Shape;
use farrier::ids::Player;
use farrier::semantics::*;
use farrier::source::Span;
use naive::Naive;
use naive::eval::View;
use naive::position::{NaivePosition, Piece};
use naive::set::Set;
use naive::value::{Env, Value};

fn perft(rules: &Rules, depths: u32) -> Vec<u64> {
    let naive = Naive::new(rules);
    let start = naive.start(&[]);
    (1..=depths).map(|depth| naive.perft(&start, depth)).collect()
}

#[test]
fn chains_of_leaps() {
    assert_eq!(perft(&games::knightcap(), 3), [64, 336, 3844]);
}

#[test]
#[ignore = "takes many seconds"]
fn chains_of_leaps_deeper() {
    assert_eq!(perft(&games::knightcap(), 4)[3], 62436);
}

#[test]
fn turns_of_three_decisions() {
    assert_eq!(perft(&games::knights_and_pawns(), 5), [4, 8, 1160, 4640, 9280]);
}

#[test]
fn chess_with_castling_and_pins() {
    let rules = chess::chess();
    assert_eq!(perft(&rules, 3), [20, 400, 8902]);
    let naive = Naive::new(&rules);
    for (fen, counts) in [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191]),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486]),
    ] {
        let pos = naive.read(fen).unwrap();
        assert_eq!([1, 2].map(|depth| naive.perft(&pos, depth)), counts, "{fen}");
    }
    let pos = played(&naive, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(naive.result(&pos).as_deref(), Some("black"));
}

/// A square board with men of both players.
fn men(size: usize, white: &str, black: &str) -> Rules {
    let shape = Shape::Square { columns: size, rows: size };
    let mut rules = rules(shape, &[("man", "m", 2), ("king", "k", 1)]);
    for (owner, names) in [(0, white), (1, black)] {
        let pieces = names.split_whitespace().map(|name| PieceOn {
            site: site(&rules.board, name),
            owner: Some(Player(owner)),
            kind: farrier::ids::Kind(0),
            height: 1,
        });
        let pieces: Vec<PieceOn> = pieces.collect();
        rules.setup.pieces.extend(pieces);
    }
    rules
}

fn value(rules: &Rules, e: &Expr) -> Value {
    let naive = Naive::new(rules);
    let pos = naive.start(&[]);
    naive.eval(View { pos: &pos, me: 0 }, &mut Env::new(), e)
}

/// The names of the sites of a set.
fn names(rules: &Rules, e: &Expr) -> String {
    let Value::Sites(set) = value(rules, e) else {
        panic!("no set");
    };
    let name = |s: usize| rules.board.name(farrier::ids::Site(s as u16)).to_owned();
    set.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn texts(naive: &Naive<'_>, pos: &NaivePosition) -> Vec<String> {
    naive.legal(pos).into_iter().map(|(text, _)| text).collect()
}

fn played(naive: &Naive<'_>, texts: &str) -> NaivePosition {
    let play = |pos: NaivePosition, text: &str| {
        naive.play(&pos, text).unwrap_or_else(|| panic!("`{text}` is not legal"))
    };
    texts.split_whitespace().fold(naive.start(&[]), play)
}

#[test]
fn slides_stop_where_the_page_says() {
    let mut rules = men(8, "a1 a6", "d1 f1");
    let east = dirs(&rules.board, "e");
    let slide = || walk(WalkKind::Slide(east.clone()));
    let far = Walk { upto: Some(2), ..slide() };
    let over = Walk { over: Some(set(Builtin::Enemy)), ..slide() };
    let landing = Walk { onto: Some(set(Builtin::Vacant)), ..over.clone() };
    let through = Walk { through: Some(all()), over: Some(set(Builtin::Enemy)), ..slide() };
    let step = Walk { over: Some(set(Builtin::Enemy)), ..walk(WalkKind::Step(east.clone())) };
    let leaving = Walk { leaving: Some(set(Builtin::Enemy)), ..slide() };
    rules.relations = [slide(), far, over, landing, through, step, leaving].map(named).into();
    let from = |i: usize, name: &str| names(&rules, &follow(Relation::Named(i), at(&rules.board, name)));
    assert_eq!(from(0, "a1"), "b1 c1 d1");
    assert_eq!(from(1, "a1"), "b1 c1");
    assert_eq!(from(2, "a1"), "e1 f1");
    assert_eq!(from(3, "a1"), "e1");
    assert_eq!(from(4, "a1"), "e1 f1");
    assert_eq!(from(5, "a1"), "");
    assert_eq!(from(5, "c1"), "e1");
    assert_eq!(from(6, "a1 d1"), "e1 f1");
    let into = |i: usize, name: &str| names(&rules, &back(Relation::Named(i), at(&rules.board, name)));
    assert_eq!(into(0, "d1"), "a1 b1 c1");
    assert_eq!(into(2, "f1"), "a1 b1 c1");
}

#[test]
fn traits_are_seen_by_the_owner() {
    let mut rules = men(4, "b2", "c3");
    let forward = dirs(&rules.board, "forward");
    let step = Walk { onto: Some(set(Builtin::Vacant)), ..walk(WalkKind::Step(forward)) };
    let pattern = Pattern { walks: vec![step] };
    rules.traits =
        vec![Trait { name: "goes".to_owned(), values: TraitValues::Patterns(vec![Some(pattern), None]) }];
    assert_eq!(names(&rules, &follow(Relation::Trait(0), all())), "c2 b3");
    assert_eq!(names(&rules, &back(Relation::Trait(0), at(&rules.board, "c2"))), "c3");
}

#[test]
fn lines_floods_and_distances() {
    let rules = men(5, "a1 b1 c1 e1 a2 c3 d4", "");
    let own = || Box::new(set(Builtin::Own));
    let line = |k: i32| {
        let any = dirs(&rules.board, "any");
        expr(ExprKind::Line(any, own(), Box::new(int(k))), Type::Sites)
    };
    assert_eq!(names(&rules, &line(3)), "a1 b1 c1");
    assert_eq!(names(&rules, &line(2)), "a1 b1 c1 a2 c3 d4");
    assert_eq!(names(&rules, &line(0)), "a1 b1 c1 e1 a2 c3 d4");
    let near = Steps { relation: Relation::Near, converse: false };
    let seed = Box::new(at(&rules.board, "a2 e5"));
    let flood = expr(ExprKind::Flood(near, seed, own()), Type::Sites);
    assert_eq!(names(&rules, &flood), "a1 b1 c1 a2");
    let corner = || Box::new(at(&rules.board, "a1"));
    let ring = |k| expr(ExprKind::Ring(near, corner(), Box::new(int(k))), Type::Sites);
    assert_eq!(names(&rules, &ring(0)), "a1");
    assert_eq!(names(&rules, &ring(2)), "c1 b2 a3");
    assert_eq!(names(&rules, &ring(-1)), "");
    let one = |name| Box::new(expr(ExprKind::Site(site(&rules.board, name)), Type::Site));
    let far = |a, b| expr(ExprKind::Distance(near, one(a), one(b)), Type::Int);
    assert_eq!(value(&rules, &far("a1", "c4")), Value::Int(5));
    let between =
        call(Builtin::Between, vec![at(&rules.board, "a1"), at(&rules.board, "d4 b4")], Type::Sites);
    assert_eq!(names(&rules, &between), "b2 c3");
}

#[test]
fn arithmetic_never_fails() {
    let rules = men(2, "", "");
    let sum = |op, a, b| value(&rules, &binary(op, int(a), int(b), Type::Int)).int();
    assert_eq!(sum(BinaryOp::Add, i32::MAX, 1), i32::MAX);
    assert_eq!(sum(BinaryOp::Multiply, i32::MIN, 2), i32::MIN);
    assert_eq!(sum(BinaryOp::Divide, -7, 2), -3);
    assert_eq!(sum(BinaryOp::Divide, i32::MIN, -1), i32::MAX);
    assert_eq!(sum(BinaryOp::Divide, 7, 0), 0);
    assert_eq!(sum(BinaryOp::Modulo, -7, 2), -1);
    assert_eq!(sum(BinaryOp::Modulo, i32::MIN, -1), 0);
    assert_eq!(sum(BinaryOp::Modulo, 7, 0), 0);
}

#[test]
fn pieces_land_turn_and_are_carried() {
    let mut rules = men(3, "a1 b1", "c1");
    let east = dirs(&rules.board, "e");
    rules.relations = vec![named(walk(WalkKind::Step(east)))];
    let after = |effects: Vec<Effect>| {
        let mut rules = rules.clone();
        rules.setup.effects = effects;
        let naive = Naive::new(&rules);
        let pos = naive.start(&[]);
        let shown = |site: farrier::ids::Site| match naive.piece(&pos, site.index()) {
            None => ".".to_owned(),
            Some(Piece { owner, kind, height }) => format!("{}{kind}{height}", owner.map_or(9, |o| o)),
        };
        rules.board.sites().take(3).map(shown).collect::<Vec<_>>().join(" ")
    };
    let one = |name| expr(ExprKind::Site(site(&rules.board, name)), Type::Site);
    let mine = || Owner::Player(me());
    assert_eq!(after(vec![put(mine(), 0, 1, all())]), "002 002 001");
    assert_eq!(after(vec![put(mine(), 0, 2, all())]), "002 002 002");
    assert_eq!(after(vec![put(Owner::Neutral, 0, 1, one("a1"))]), "901 001 101");
    assert_eq!(after(vec![shift(one("a1"), one("b1"))]), ". 002 101");
    assert_eq!(after(vec![shift(one("a1"), one("c1")), shift(one("a1"), one("c1"))]), ". 001 001");
    assert_eq!(after(vec![shift(one("a1"), one("a1"))]), "001 001 101");
    let turn = |owner, kind| effect(EffectKind::Turn { at: all(), owner, kind });
    assert_eq!(after(vec![turn(Some(mine()), None)]), "001 001 001");
    let stacked = put(mine(), 0, 1, one("a1"));
    assert_eq!(after(vec![stacked.clone(), turn(None, Some(kind(1)))]), "011 011 111");
    let none = expr(ExprKind::None, Type::KindOpt);
    assert_eq!(after(vec![turn(Some(mine()), Some(none))]), "001 001 101");
    let carry = effect(EffectKind::Carry { what: all(), relation: Relation::Named(0), converse: false });
    assert_eq!(after(vec![stacked, carry]), ". 002 001");
}

#[test]
fn mixed_stacks_keep_their_order() {
    let mut rules = men(3, "a1 b1", "c1");
    rules.mixed = Some((4, Span::default()));
    let after = |effects: Vec<Effect>| {
        let mut rules = rules.clone();
        rules.setup.effects = effects;
        let pos = Naive::new(&rules).start(&[]);
        let one = |(owner, kind): &(Option<usize>, usize)| format!("{}{kind}", owner.map_or(9, |o| o));
        let shown = |site: farrier::ids::Site| match &pos.stack(site.index())[..] {
            [] => ".".to_owned(),
            stack => stack.iter().map(one).collect(),
        };
        rules.board.sites().take(3).map(shown).collect::<Vec<_>>().join(" ")
    };
    let at = |name| expr(ExprKind::Site(site(&rules.board, name)), Type::Site);
    let go = |from, to, under, upto: Option<i32>| {
        let upto = upto.map(|n| expr(ExprKind::Int(n), Type::Int));
        effect(EffectKind::Move { from: at(from), to: at(to), under, upto })
    };
    let king = || put(Owner::Player(me()), 1, 1, at("a1"));
    let built = || vec![king(), go("c1", "a1", false, None)];
    let then = |more: Effect| after([built(), vec![more]].concat());
    assert_eq!(after(built()), "000110 00 .");
    assert_eq!(then(go("a1", "b1", false, None)), "0001 0010 .");
    assert_eq!(then(go("a1", "b1", false, Some(2))), "00 000110 .");
    assert_eq!(then(go("a1", "b1", true, Some(2))), "00 011000 .");
    assert_eq!(then(go("a1", "c1", true, Some(9))), ". 00 000110");
    assert_eq!(then(go("a1", "a1", true, Some(2))), "000110 00 .");
    assert_eq!(then(go("a1", "b1", false, Some(0))), "000110 00 .");
    // A fifth piece finds no room, all or none.
    let full = || [built(), vec![king()]].concat();
    assert_eq!(after([full(), vec![go("b1", "a1", true, None)]].concat()), "00011001 00 .");
    assert_eq!(after([full(), vec![king()]].concat()), "00011001 00 .");
    assert_eq!(then(effect(EffectKind::Lift(sites(all())))), "0001 . .");
    assert_eq!(then(remove(at("a1"))), ". 00 .");
}

/// A man steps east; `hop` two at a time.
fn runners() -> Rules {
    let mut rules = men(5, "a1", "a5");
    let east = dirs(&rules.board, "e");
    rules.relations = vec![
        named(walk(WalkKind::Step(east.clone()))),
        named(walk(WalkKind::Walk(vec![east.clone(), east]))),
    ];
    let own = || set(Builtin::Own);
    let go = |name, from, to, relation| {
        let targets = follow(Relation::Named(relation), local(from));
        decision(name, vec![(from, own()), (to, targets)], vec![shift(local(from), local(to))])
    };
    rules.decisions = vec![go("step", 0, 1, 0), go("hop", 2, 3, 1)];
    rules.decisions.push(decision("swap", vec![], vec![effect(EffectKind::SwapSides)]));
    rules.turn.main = Flow::Decision(0);
    rules
}

#[test]
fn longest_keeps_the_longest_paths() {
    let mut rules = runners();
    let either = Flow::Either(vec![Flow::Decision(0), Flow::Decision(1)]);
    rules.turn.main = Flow::Longest(Box::new(Flow::Repeat(Box::new(either))));
    let naive = Naive::new(&rules);
    assert_eq!(texts(&naive, &naive.start(&[])), ["a1b1"]);
    let pos = played(&naive, "a1b1 b1c1");
    assert_eq!(texts(&naive, &pos), ["c1d1"]);
    let pos = played(&naive, "a1b1 b1c1 c1d1 d1e1");
    assert_eq!((texts(&naive, &pos), pos.turn), (vec!["a5b5".to_owned()], 1));
}

#[test]
fn may_try_by_and_pass() {
    let mut rules = runners();
    let step = || Box::new(Flow::Decision(0));
    let hop = || Box::new(Flow::Decision(1));
    let by = Flow::By(step(), opponent());
    rules.turn.main = Flow::Sequence(vec![Flow::May(step()), Flow::Try(hop()), by]);
    let naive = Naive::new(&rules);
    let pos = naive.start(&[]);
    assert_eq!(texts(&naive, &pos), ["a1b1", "pass"]);
    let pos = naive.play(&pos, "pass").unwrap();
    assert_eq!((texts(&naive, &pos), pos.passes), (vec!["a1c1".to_owned()], 1));
    let pos = naive.play(&pos, "a1c1").unwrap();
    assert_eq!((texts(&naive, &pos), pos.passes), (vec!["a5b5".to_owned()], 0));
    assert_eq!((naive.mover(&pos), pos.turn), (Some(1), 0));
    let pos = naive.play(&pos, "a5b5").unwrap();
    assert_eq!((pos.turn, pos.ply, pos.round), (1, 3, 1));
    assert_eq!(texts(&naive, &pos), ["b5c5", "pass"]);
}

#[test]
fn swapped_sides_move_again() {
    let mut rules = runners();
    let swap = Flow::Either(vec![Flow::Decision(0), Flow::Decision(2)]);
    rules.turn.opening = vec![(Flow::Decision(0), None), (swap, None)];
    let naive = Naive::new(&rules);
    let pos = played(&naive, "a1b1 swap");
    assert_eq!((pos.turn, pos.sides, pos.swap, pos.round), (1, true, false, 1));
    assert_eq!(texts(&naive, &pos), ["a5b5"]);
}

#[test]
fn stuck_movers_pass_until_both_are() {
    let mut rules = runners();
    let can = expr(ExprKind::Can(0, Some(Box::new(opponent()))), Type::Bool);
    rules.turn.stuck = Outcome::If(can, Box::new(Outcome::Pass), Box::new(Outcome::Score));
    rules.score = Some(call(Builtin::Count, vec![set(Builtin::Own)], Type::Int));
    rules.setup.effects = vec![put(Owner::Player(me()), 1, 1, at(&rules.board, "e5 d1"))];
    rules.decisions[0].vars[0].domain = Domain::Sites(and(set(Builtin::Own), with(0)));
    let naive = Naive::new(&rules);
    // The last white step takes the own king on d1; black's take the one on e5.
    let pos = played(&naive, "a1b1 a5b5 b1c1 b5c5 c1d1 c5d5 d1e1");
    assert_eq!(naive.result(&pos), None);
    let pos = naive.play(&pos, "d5e5").unwrap();
    assert_eq!(naive.result(&pos).as_deref(), Some("draw"));
    assert_eq!(naive.scores(&pos), Some(vec![1, 1]));
    // Black is a step ahead, so that white has to pass in between.
    rules.setup.effects.push(shift(
        expr(ExprKind::Site(site(&rules.board, "a1")), Type::Site),
        expr(ExprKind::Site(site(&rules.board, "d1")), Type::Site),
    ));
    let naive = Naive::new(&rules);
    let pos = played(&naive, "d1e1 a5b5");
    assert_eq!((texts(&naive, &pos), pos.passes), (vec!["pass".to_owned()], 0));
    let pos = naive.play(&pos, "pass").unwrap();
    assert_eq!((pos.turn, pos.passes, texts(&naive, &pos)), (1, 1, vec!["b5c5".to_owned()]));
}

#[test]
fn entries_expire_by_turns() {
    let mut rules = runners();
    let lasting = |lasts| var("v", Type::Int, &[], lasts);
    rules.state = vec![lasting(Some(0)), lasting(Some(1)), lasting(Some(2)), lasting(None)];
    let set_all = |n: i32| (0..4).map(move |v| assign(v, vec![], int(n)));
    rules.setup.effects = set_all(9).collect();
    let first = less(call(Builtin::Ply, vec![], Type::Int), int(1));
    let set_now = set_all(5).map(|e| when(first.clone(), e));
    rules.decisions[0].effects.extend(set_now);
    let naive = Naive::new(&rules);
    let values = |texts: &str| -> Vec<i32> {
        let pos = played(&naive, texts);
        pos.state.iter().map(|entries| entries[0].value.int()).collect()
    };
    assert_eq!(values(""), [9, 9, 9, 9]);
    assert_eq!(values("a1b1"), [0, 5, 5, 5]);
    assert_eq!(values("a1b1 a5b5"), [0, 0, 5, 5]);
    assert_eq!(values("a1b1 a5b5 b1c1"), [0, 0, 0, 5]);
}

#[test]
fn seen_counts_turn_starts() {
    let mut rules = runners();
    rules.turn.main = Flow::Pass;
    let seen = call(Builtin::Seen, vec![], Type::Int);
    let mut repeated = end(less(int(2), seen), Outcome::Draw);
    repeated.at_turn = true;
    repeated.perft = false;
    rules.ends = vec![repeated];
    let naive = Naive::new(&rules);
    let pos = played(&naive, "pass pass pass");
    assert_eq!((pos.seen, pos.passes, naive.result(&pos)), (2, 3, None));
    let pos = naive.play(&pos, "pass").unwrap();
    assert_eq!((pos.seen, naive.result(&pos).as_deref()), (3, Some("draw")));
    assert!(naive.legal(&pos).is_empty());
    assert_eq!(naive.perft(&naive.start(&[]), 6), 1);
}

#[test]
fn optional_vars_and_keeps() {
    let mut rules = men(3, "a1 b1", "c1");
    let none_or_kind = expr(
        ExprKind::If(
            Box::new(is_in(local(0), at(&rules.board, "b1"))),
            Box::new(expr(ExprKind::Kinds(vec![farrier::ids::Kind(0), farrier::ids::Kind(1)]), Type::Kinds)),
            Box::new(expr(ExprKind::None, Type::Kinds)),
        ),
        Type::Kinds,
    );
    let mut take = decision("take", vec![(0, all())], vec![remove(local(0))]);
    take.vars.push(ChosenVar { local: LocalId(1), optional: true, domain: Domain::Kinds(none_or_kind) });
    take.text = vec![MovePart::Var(0, 0), MovePart::Literal("=".to_owned()), MovePart::Var(1, 0)];
    take.where_ = Some(is_in(local(0), set(Builtin::Own)));
    take.keeps = Some(some(set(Builtin::Own)));
    rules.decisions = vec![take];
    rules.turn.main = Flow::Decision(0);
    rules.turn.stuck = Outcome::Wins(opponent());
    let naive = Naive::new(&rules);
    assert_eq!(texts(&naive, &naive.start(&[])), ["a1=", "b1=m", "b1=k"]);
    let pos = played(&naive, "b1=k");
    // Black has one man and may not take it away: stuck.
    assert_eq!(naive.result(&pos).as_deref(), Some("white"));
    let sites: Set = naive.sites_where(&pos, |p| p.is_some());
    assert_eq!(sites.len(), 2);
}
