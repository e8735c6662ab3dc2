//! Two known games as typed trees, written by hand.

use farrier::board::Shape;
use farrier::ids::Player;
use farrier::semantics::*;

use super::build::*;

/// The capturing game of the neutral knights: chains of leaps, passes, scores.
pub fn knightcap() -> Rules {
    let shape = Shape::Square { columns: 8, rows: 8 };
    let mut rules = rules(shape, &[("knight", "n", 1)]);
    let any = dirs(&rules.board, "any");
    rules.relations = vec![named(walk(WalkKind::Leap(1, 2))), named(walk(WalkKind::Step(any)))];
    let (leap, around) = (Relation::Named(0), Relation::Named(1));
    // {s in all : (column(s) + row(s)) % 2 = 0}
    let sum = plus(
        call(Builtin::ColumnOf, vec![local(5)], Type::Int),
        call(Builtin::RowOf, vec![local(5)], Type::Int),
    );
    let even = binary(BinaryOp::Equal, binary(BinaryOp::Modulo, sum, int(2), Type::Int), int(0), Type::Bool);
    let dark = expr(ExprKind::Where(LocalId(5), Box::new(Domain::Sites(all())), Box::new(even)), Type::Sites);
    let passed = and(follow(around, local(3)), follow(around, local(4)));
    rules.defines = vec![
        function(&[], vec![dark]),
        function(&[], vec![minus(all(), define(0, vec![])), define(0, vec![])]),
        function(&[3, 4], vec![and(and(with(0), define(1, vec![])), passed)]),
    ];
    let victims = || define(2, vec![local(1), local(2)]);
    rules.state =
        vec![var("taken", Type::Int, &[Per::Player], None), var("runner", Type::SiteOpt, &[], Some(0))];
    let taken = || state(0, vec![me()], Type::Int);
    rules.setup.effects = vec![put(Owner::Neutral, 0, 1, all())];
    let from = otherwise(state(1, vec![], Type::SiteOpt), with(0));
    let mut leaping = decision(
        "leap",
        vec![(1, from), (2, and(follow(leap, local(1)), set(Builtin::Vacant)))],
        vec![
            remove(victims()),
            assign(0, vec![me()], plus(taken(), int(1))),
            shift(local(1), local(2)),
            assign(1, vec![], local(2)),
        ],
    );
    leaping.where_ = Some(some(victims()));
    rules.decisions = vec![decision("clear", vec![(0, with(0))], vec![remove(local(0))]), leaping];
    let can = expr(ExprKind::Can(1, Some(Box::new(opponent()))), Type::Bool);
    let leap = || Flow::Decision(1);
    rules.turn.opening = vec![(Flow::Decision(0), Some(Player(1)))];
    rules.turn.main = Flow::Sequence(vec![leap(), Flow::Repeat(Box::new(leap()))]);
    rules.turn.stuck = Outcome::If(can, Box::new(Outcome::Pass), Box::new(Outcome::Score));
    let left = and(with(0), define(1, vec![]));
    rules.score = Some(plus(taken(), call(Builtin::Count, vec![left], Type::Int)));
    rules
}

/// The 6x6 game of knights, pawns and reserves: three decisions a turn, stacks, state that lasts a turn.
pub fn knights_and_pawns() -> Rules {
    let shape = Shape::Square { columns: 6, rows: 6 };
    let mut rules = rules(shape, &[("knight", "n", 1), ("pawn", "p", 2)]);
    let (n, p) = (0, 1);
    rules.relations = vec![named(walk(WalkKind::Leap(1, 2)))];
    let leap = Relation::Named(0);
    rules.state = vec![
        var("reserve", Type::Int, &[Per::Player], None),
        var("hole", Type::SiteOpt, &[], Some(0)),
        var("quiet", Type::Bool, &[], Some(0)),
    ];
    let own = || set(Builtin::Own);
    let vacant = || set(Builtin::Vacant);
    let single = || set(Builtin::Single);
    let hole = || state(1, vec![], Type::SiteOpt);
    let reserve = |who: Expr| state(0, vec![who], Type::Int);
    let rank = |row: usize, owner: u8, text: &str| -> Vec<PieceOn> {
        let board = &rules.board;
        let words = text.split_whitespace().enumerate();
        let piece = |(column, word): (usize, &str)| {
            let name = format!("{}{row}", (b'a' + column as u8) as char);
            (word != ".").then(|| PieceOn {
                site: site(board, &name),
                owner: Some(Player(owner)),
                kind: farrier::ids::Kind(if word == "n" { n } else { p }),
                height: word.len() as u32,
            })
        };
        words.filter_map(piece).collect()
    };
    rules.setup.pieces = [
        rank(1, 0, "p n pp pp n p"),
        rank(2, 0, ". . p p . ."),
        rank(5, 1, ". . p p . ."),
        rank(6, 1, "p n pp pp n p"),
    ]
    .concat();
    let enemy = |e: Expr| and(set(Builtin::Enemy), e);
    let open = or(vacant(), or(enemy(with(n)), enemy(and(single(), with(p)))));
    let knight = decision(
        "knight",
        vec![(0, and(own(), with(n))), (1, and(follow(leap, local(0)), open))],
        vec![
            assign(2, vec![], not(is_in(local(1), with(p)))),
            when(is_in(local(1), with(p)), assign(0, vec![opponent()], plus(reserve(opponent()), int(1)))),
            shift(local(0), local(1)),
            assign(1, vec![], local(0)),
            when(
                less(int(0), reserve(me())),
                effect(EffectKind::Block(vec![
                    put(Owner::Player(me()), p, 1, hole()),
                    assign(0, vec![me()], plus(reserve(me()), int(-1))),
                ])),
            ),
        ],
    );
    let double = and(set(Builtin::Double), with(p));
    let mut fill = decision(
        "fill",
        vec![(2, otherwise(and(own(), double), and(own(), with(p))))],
        vec![shift(local(2), hole())],
    );
    fill.when = Some(some(and(hole(), vacant())));
    let free = decision(
        "free",
        vec![
            (3, minus(and(own(), with(p)), and(hole(), single()))),
            (4, minus(or(vacant(), and(own(), and(single(), with(p)))), local(3))),
        ],
        vec![shift(local(3), local(4))],
    );
    rules.decisions = vec![knight, fill, free];
    let quiet = state(2, vec![], Type::Bool);
    let free = Flow::Try(Box::new(Flow::Decision(2)));
    rules.turn.main =
        Flow::Sequence(vec![Flow::Decision(0), Flow::Decision(1), Flow::If(Box::new(free), quiet)]);
    rules.turn.stuck = Outcome::Wins(opponent());
    rules.ends = vec![end(not(some(enemy(with(n)))), Outcome::Wins(me()))];
    rules
}
