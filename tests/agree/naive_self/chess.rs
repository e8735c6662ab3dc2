//! Chess as a typed tree, written by hand: patterns by owner, converse relations, `keeps`, texts.

use farrier::board::Shape;
use farrier::semantics::*;

use super::build::*;

const KING: u8 = 0;
const PAWN: u8 = 5;

const GOES: Relation = Relation::Trait(0);
const TAKES: Relation = Relation::Trait(1);
const BACK: Relation = Relation::Named(0);

/// `row(a)` for white, `row(b)` for black.
fn rows(a: i32, b: i32) -> Function {
    let row = |i| call(Builtin::RowSites, vec![int(i)], Type::Sites);
    function(&[], vec![row(a), row(b)])
}

fn own() -> Expr {
    set(Builtin::Own)
}

fn vacant() -> Expr {
    set(Builtin::Vacant)
}

/// `enemy & ~takes(S)`
fn threats(of: Expr) -> Expr {
    and(set(Builtin::Enemy), back(TAKES, of))
}

fn checkers() -> Expr {
    threats(and(own(), with(KING)))
}

fn rights() -> Expr {
    state(0, vec![], Type::Sites)
}

fn passed() -> Expr {
    state(1, vec![], Type::Sites)
}

fn no(e: Expr) -> Expr {
    not(some(e))
}

pub fn chess() -> Rules {
    let kinds = [
        ("king", "k", 1),
        ("queen", "q", 1),
        ("rook", "r", 1),
        ("bishop", "b", 1),
        ("knight", "n", 1),
        ("pawn", "p", 1),
    ];
    let mut rules = rules(Shape::Square { columns: 8, rows: 8 }, &kinds);
    let board = rules.board.clone();
    let step = |name| walk(WalkKind::Step(dirs(&board, name)));
    let slide = |name| walk(WalkKind::Slide(dirs(&board, name)));
    let pairs = |text: &str| {
        let words = text.split_whitespace();
        let pair = |word: &str| (site(&board, &word[..2]), site(&board, &word[3..]));
        named(walk(WalkKind::Pairs(words.map(pair).collect())))
    };
    let starts = 0;
    let last_rank = || define(1, vec![]);
    rules.defines = vec![rows(2, 7), rows(8, 1)];
    let double = Walk { upto: Some(2), leaving: Some(define(starts, vec![])), ..slide("forward") };
    let officers =
        [step("any"), slide("any"), slide("orthogonal"), slide("diagonal"), walk(WalkKind::Leap(1, 2))];
    let patterns = |name: &str, pawn: Vec<Walk>| Trait {
        name: name.to_owned(),
        values: TraitValues::Patterns(
            officers
                .iter()
                .map(|walk| vec![walk.clone()])
                .chain([pawn])
                .map(|walks| Some(Pattern { walks }))
                .collect(),
        ),
    };
    rules.traits = vec![
        patterns("goes", vec![step("forward"), double]),
        patterns("takes", vec![step("forward-left"), step("forward-right")]),
    ];
    rules.relations = vec![
        named(step("backward")),
        pairs("e1-a1 e1-h1 e8-a8 e8-h8"),
        pairs("a1-c1 h1-g1 a8-c8 h8-g8"),
        pairs("a1-d1 h1-f1 a8-d8 h8-f8"),
    ];
    let (wings, king_to, rook_to) = (Relation::Named(1), Relation::Named(2), Relation::Named(3));
    rules.state = vec![
        var("rights", Type::Sites, &[], None),
        var("passed", Type::Sites, &[], Some(1)),
        var("quiet", Type::Int, &[], None),
    ];
    let pawns = |of: Builtin| follow(TAKES, and(set(of), with(PAWN)));
    let corners = [("h1", "K"), ("a1", "Q"), ("h8", "k"), ("a8", "q")];
    let letters = corners.map(|(name, letter)| (site(&board, name), letter.to_owned()));
    let blank = || TextField::Literal(" ".to_owned());
    rules.position = Some(PositionText {
        text: vec![
            TextField::Board,
            blank(),
            TextField::Turn,
            blank(),
            TextField::State(0, 0),
            blank(),
            TextField::State(1, 0),
            blank(),
            TextField::State(2, 0),
            blank(),
            TextField::Round,
        ],
        turn: vec!["w".to_owned(), "b".to_owned()],
        spellings: vec![(0, letters.to_vec())],
        empty: "-".to_owned(),
        start: Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned()),
        tidy: vec![assign(1, vec![], and(passed(), pawns(Builtin::Own)))],
    });
    // Locals: 0 from, 1 to, 2 k, 3 skipped; 4 from, 5 rook, 6 stop, 7 to.
    let (from, to) = (|| local(0), || local(1));
    let by_pawn = follow(TAKES, and(from(), with(PAWN)));
    let targets = or(
        or(and(follow(GOES, from()), vacant()), and(follow(TAKES, from()), set(Builtin::Enemy))),
        and(by_pawn, passed()),
    );
    let crowned = binary(BinaryOp::And, is_in(from(), with(PAWN)), is_in(to(), last_rank()), Type::Bool);
    let kinds = |kind| Box::new(expr(kind, Type::Kinds));
    let officer = ExprKind::Kinds((1..PAWN).map(farrier::ids::Kind).collect());
    let crowns = ExprKind::If(Box::new(crowned), kinds(officer), kinds(ExprKind::None));
    let k = || expr(ExprKind::Local(LocalId(2)), Type::KindOpt);
    let skipped = expr(ExprKind::Local(LocalId(3)), Type::Sites);
    let off = |of: Expr| assign(0, vec![], minus(rights(), of));
    let mut moving = decision(
        "move",
        vec![(0, own()), (1, targets)],
        vec![
            when(is_in(from(), with(PAWN)), remove(follow(BACK, and(to(), passed())))),
            off(or(or(from(), to()), follow(wings, from()))),
            shift(from(), to()),
            assign(1, vec![], and(skipped, pawns(Builtin::Enemy))),
            when(some(k()), effect(EffectKind::Turn { at: sites(to()), owner: None, kind: Some(k()) })),
        ],
    );
    moving.vars.push(ChosenVar {
        local: LocalId(2),
        optional: true,
        domain: Domain::Kinds(expr(crowns, Type::Kinds)),
    });
    moving.text.push(MovePart::Var(2, 0));
    let between = |a, b| call(Builtin::Between, vec![sites(a), sites(b)], Type::Sites);
    moving.lets = vec![(LocalId(3), between(and(from(), with(PAWN)), to()))];
    moving.keeps = Some(no(checkers()));
    let (king, rook, stop, end) = (|| local(4), || local(5), || local(6), || local(7));
    let mut castle = decision(
        "castle",
        vec![
            (4, and(own(), with(KING))),
            (5, and(rights(), own())),
            (7, follow(king_to, rook())),
            (6, follow(rook_to, rook())),
        ],
        vec![off(follow(wings, king())), shift(king(), end()), shift(rook(), stop())],
    );
    castle.text = vec![MovePart::Var(0, 0), MovePart::Var(2, 0)];
    castle.where_ = Some(binary(
        BinaryOp::And,
        no(and(between(king(), rook()), set(Builtin::Occupied))),
        no(threats(or(or(king(), stop()), end()))),
        Type::Bool,
    ));
    castle.keeps = Some(no(checkers()));
    rules.decisions = vec![moving, castle];
    rules.turn.main = Flow::Either(vec![Flow::Decision(0), Flow::Decision(1)]);
    let mate = Box::new(Outcome::Wins(opponent()));
    rules.turn.stuck = Outcome::If(some(checkers()), mate, Box::new(Outcome::Draw));
    rules
}
