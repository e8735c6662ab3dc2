//! Shorthands to write a typed tree by hand.

use std::sync::Arc;

use farrier::board::{Board, BoardSpec, DirGroup, Shape};
use farrier::ids::{Kind, Site};
use farrier::semantics::*;
use farrier::source::Span;

pub fn board(shape: Shape) -> Board {
    let spec = BoardSpec {
        shape,
        remove: Vec::new(),
        wrap_columns: false,
        wrap_rows: false,
        directions: Vec::new(),
        players: 2,
    };
    Board::build(&spec).unwrap()
}

/// Rules with nothing to decide, for white and black.
pub fn rules(shape: Shape, kinds: &[(&str, &str, u32)]) -> Rules {
    Rules {
        title: "test".to_owned(),
        players: vec!["white".to_owned(), "black".to_owned()],
        teams: Vec::new(),
        board: Arc::new(board(shape)),
        kinds: kinds
            .iter()
            .map(|(name, letter, stack)| KindInfo {
                name: (*name).to_owned(),
                letter: (*letter).to_owned(),
                stack: *stack,
                span: Span::default(),
            })
            .collect(),
        traits: Vec::new(),
        relations: Vec::new(),
        defines: Vec::new(),
        effects: Vec::new(),
        state: Vec::new(),
        owners: Owners::default(),
        locals: Vec::new(),
        mixed: None,
        start_sites: vec![Vec::new(); 2],
        setup: Setup::default(),
        position: None,
        decisions: Vec::new(),
        turn: Turn {
            opening: Vec::new(),
            main: Flow::Pass,
            finish: Vec::new(),
            skip: None,
            stuck: Outcome::Draw,
        },
        ends: Vec::new(),
        score: None,
        match_: None,
    }
}

pub fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: Span::default() }
}

pub fn int(n: i32) -> Expr {
    expr(ExprKind::Int(n), Type::Int)
}

pub fn me() -> Expr {
    expr(ExprKind::Me, Type::Player)
}

pub fn kind(k: u8) -> Expr {
    expr(ExprKind::Kind(Kind(k)), Type::Kind)
}

/// The sites with pieces of a kind.
pub fn with(k: u8) -> Expr {
    sites(kind(k))
}

pub fn site(board: &Board, name: &str) -> Site {
    board.site(name).unwrap()
}

/// Named sites as a set.
pub fn at(board: &Board, names: &str) -> Expr {
    let one = |name| sites(expr(ExprKind::Site(site(board, name)), Type::Site));
    let all = names.split_whitespace().map(one);
    all.reduce(or).unwrap_or_else(|| expr(ExprKind::None, Type::Sites))
}

/// A local that holds a site.
pub fn local(n: u32) -> Expr {
    expr(ExprKind::Local(LocalId(n)), Type::Site)
}

/// Anything as a set of sites.
pub fn sites(e: Expr) -> Expr {
    match e.ty {
        Type::Sites => e,
        _ => expr(ExprKind::Widen(Box::new(e)), Type::Sites),
    }
}

pub fn all() -> Expr {
    expr(ExprKind::All, Type::Sites)
}

/// A built-in set.
pub fn set(builtin: Builtin) -> Expr {
    expr(ExprKind::Builtin(builtin, Vec::new()), Type::Sites)
}

/// A built-in function of a type.
pub fn call(builtin: Builtin, args: Vec<Expr>, ty: Type) -> Expr {
    expr(ExprKind::Builtin(builtin, args), ty)
}

pub fn opponent() -> Expr {
    expr(ExprKind::Builtin(Builtin::Opponent, Vec::new()), Type::Player)
}

pub fn binary(op: BinaryOp, a: Expr, b: Expr, ty: Type) -> Expr {
    expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
}

pub fn and(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Meet, sites(a), sites(b), Type::Sites)
}

pub fn or(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Union, sites(a), sites(b), Type::Sites)
}

pub fn minus(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Minus, sites(a), sites(b), Type::Sites)
}

pub fn otherwise(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Otherwise, sites(a), sites(b), Type::Sites)
}

pub fn plus(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Add, a, b, Type::Int)
}

pub fn less(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Less, a, b, Type::Bool)
}

pub fn is_in(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::In, a, sites(b), Type::Bool)
}

pub fn not(e: Expr) -> Expr {
    let ty = e.ty;
    expr(ExprKind::Not(Box::new(e)), ty)
}

pub fn some(e: Expr) -> Expr {
    expr(ExprKind::Some(Box::new(e)), Type::Bool)
}

pub fn follow(relation: Relation, of: Expr) -> Expr {
    let of = Box::new(sites(of));
    expr(ExprKind::Follow { relation, converse: false, of }, Type::Sites)
}

pub fn back(relation: Relation, of: Expr) -> Expr {
    let of = Box::new(sites(of));
    expr(ExprKind::Follow { relation, converse: true, of }, Type::Sites)
}

pub fn state(n: usize, index: Vec<Expr>, ty: Type) -> Expr {
    expr(ExprKind::State(n, index), ty)
}

pub fn define(n: usize, args: Vec<Expr>) -> Expr {
    expr(ExprKind::Call(n, None, args), Type::Sites)
}

pub fn function(params: &[u32], bodies: Vec<Expr>) -> Function {
    Function {
        name: "f".to_owned(),
        params: params.iter().map(|p| LocalId(*p)).collect(),
        ty: bodies[0].ty,
        bodies,
        fixed: false,
        span: Span::default(),
    }
}

pub fn var(name: &str, ty: Type, per: &[Per], lasts: Option<u32>) -> StateVar {
    StateVar {
        name: name.to_owned(),
        ty,
        per: per.to_vec(),
        start: Vec::new(),
        shuffle: None,
        lasts,
        identity: true,
        assigned: true,
        drawn: false,
        span: Span::default(),
    }
}

pub fn walk(kind: WalkKind) -> Walk {
    Walk { kind, through: None, over: None, onto: None, leaving: None, upto: None, span: Span::default() }
}

pub fn named(walk: Walk) -> NamedPattern {
    NamedPattern { name: "r".to_owned(), pattern: Pattern { walks: vec![walk] }, span: Span::default() }
}

pub fn dirs(board: &Board, name: &str) -> DirGroup {
    board.resolve(name).unwrap()
}

pub fn effect(kind: EffectKind) -> Effect {
    Effect { kind, span: Span::default() }
}

pub fn put(owner: Owner, k: u8, height: u32, at: Expr) -> Effect {
    let (at, kind) = (sites(at), kind(k));
    effect(EffectKind::Put { at, owner, kind, height })
}

pub fn shift(from: Expr, to: Expr) -> Effect {
    effect(EffectKind::Move { from, to, under: false, upto: None })
}

pub fn remove(at: Expr) -> Effect {
    effect(EffectKind::Remove(sites(at)))
}

pub fn assign(state: usize, index: Vec<Expr>, value: Expr) -> Effect {
    effect(EffectKind::Assign { state, index, value })
}

pub fn when(cond: Expr, yes: Effect) -> Effect {
    effect(EffectKind::If(cond, Box::new(yes), None))
}

/// A decision over sites; its text is all of them.
pub fn decision(name: &str, vars: Vec<(u32, Expr)>, effects: Vec<Effect>) -> Decision {
    let text = match vars.len() {
        0 => vec![MovePart::Literal(name.to_owned())],
        n => (0..n).map(|i| MovePart::Var(i, 0)).collect(),
    };
    Decision {
        name: name.to_owned(),
        when: None,
        vars: vars
            .into_iter()
            .map(|(n, domain)| ChosenVar {
                local: LocalId(n),
                optional: false,
                domain: Domain::Sites(domain),
            })
            .collect(),
        lets: Vec::new(),
        where_: None,
        effects,
        keeps: None,
        text,
        joined: None,
        repeats: true,
        chance: false,
        weight: None,
        span: Span::default(),
    }
}

pub fn end(when: Expr, result: Outcome) -> End {
    End { name: "end".to_owned(), when, result, at_turn: false, perft: true, span: Span::default() }
}
