//! Random trees print to text that parses to the same tree.

use proptest::prelude::*;

use super::{plain, said};
use farrier::source::Span;
use farrier::syntax::ast::*;
use farrier::syntax::parse;

fn name() -> impl Strategy<Value = Name> {
    // Words of other grammars are names here.
    prop::sample::select(vec!["a", "b", "last-row", "x1", "sides", "step", "none", "n-1", "wide"])
        .prop_map(|text| Name { text: text.to_string(), span: Span::default() })
}

fn expr_of(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

fn words(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = Expr> {
    prop_oneof![
        name().prop_map(|n| ExprKind::Name(n.text)),
        (
            any::<bool>(),
            name(),
            prop::collection::vec(inner.clone(), 0..2),
            prop::collection::vec(inner.clone(), 0..3)
        )
            .prop_map(|(converse, name, by, args)| ExprKind::Call { converse, name, by, args }),
        (name(), prop::collection::vec(inner.clone(), 1..3))
            .prop_map(|(name, args)| ExprKind::Index { name, args }),
        (name(), prop::collection::vec(inner, 0..2)).prop_map(|(name, by)| ExprKind::Converse { name, by }),
    ]
    .prop_map(expr_of)
}

fn domain(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = Domain> {
    prop_oneof![
        inner.clone().prop_map(Domain::Set),
        (inner.clone(), inner).prop_map(|(a, b)| Domain::Range(a, b)),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    use Op::*;
    prop::sample::select(vec![Or, And, Union, Plus, Minus, Meet, Times, Divide, Modulo, Otherwise])
}

fn compare() -> impl Strategy<Value = Compare> {
    use Compare::*;
    prop::sample::select(vec![In, NotIn, Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual])
}

fn quantifier() -> impl Strategy<Value = Quantifier> {
    use Quantifier::*;
    prop::sample::select(vec![Some, No, Every, Count, Sum, Union])
}

fn expr() -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        any::<i32>().prop_map(ExprKind::Int),
        (0..9).prop_map(ExprKind::Int),
        name().prop_map(|n| ExprKind::Name(n.text)),
    ]
    .prop_map(expr_of);
    leaf.prop_recursive(5, 40, 3, |inner| {
        let b = || inner.clone().prop_map(Box::new);
        let d = || domain(inner.clone().boxed()).prop_map(Box::new);
        prop_oneof![
            words(inner.clone().boxed()),
            prop::collection::vec(words(inner.clone().boxed()), 2..4)
                .prop_map(|w| expr_of(ExprKind::Phrase(w))),
            (op(), b(), b()).prop_map(|(o, x, y)| expr_of(ExprKind::Binary(o, x, y))),
            (op(), b(), b()).prop_map(|(o, x, y)| expr_of(ExprKind::Binary(o, x, y))),
            (compare(), b(), b()).prop_map(|(o, x, y)| expr_of(ExprKind::Compare(o, x, y))),
            (b(), name()).prop_map(|(x, n)| expr_of(ExprKind::Is(x, n))),
            b().prop_map(|x| expr_of(ExprKind::Some(x))),
            b().prop_map(|x| expr_of(ExprKind::No(x))),
            b().prop_map(|x| expr_of(ExprKind::Not(x))),
            (b(), b(), b()).prop_map(|(x, y, z)| expr_of(ExprKind::If(x, y, z))),
            (quantifier(), name(), d(), b())
                .prop_map(|(q, n, d, x)| expr_of(ExprKind::Quantified(q, n, d, x))),
            (name(), d(), b()).prop_map(|(n, d, x)| expr_of(ExprKind::Where(n, d, x))),
            (name(), b(), b()).prop_map(|(n, v, x)| expr_of(ExprKind::Let(n, v, x))),
            (effects_of(inner.clone().boxed()), b()).prop_map(|(e, x)| expr_of(ExprKind::After(e, x))),
        ]
    })
    .boxed()
}

fn effect_of(kind: EffectKind) -> Effect {
    Effect { kind, span: Span::default() }
}

fn piece() -> impl Strategy<Value = Piece> {
    prop::collection::vec(name(), 1..4).prop_map(|words| Piece { words, span: Span::default() })
}

fn assign() -> impl Strategy<Value = Assign> {
    use Assign::*;
    prop::sample::select(vec![Set, Add, Subtract, Unite, Meet])
}

fn effects_of(e: BoxedStrategy<Expr>) -> impl Strategy<Value = Effects> {
    let leaf = prop_oneof![
        (name(), e.clone()).prop_map(|(n, x)| EffectKind::Let(n, x)),
        (piece(), e.clone()).prop_map(|(p, x)| EffectKind::Put(p, x)),
        (e.clone(), e.clone(), any::<bool>(), prop::option::of(e.clone()))
            .prop_map(|(from, to, under, upto)| EffectKind::Move { from, to, under, upto }),
        (e.clone(), piece()).prop_map(|(x, p)| EffectKind::Turn(x, p)),
        e.clone().prop_map(EffectKind::Remove),
        e.clone().prop_map(EffectKind::Lift),
        (e.clone(), any::<bool>(), name(), prop::collection::vec(e.clone(), 0..2))
            .prop_map(|(what, converse, relation, by)| EffectKind::Carry { what, converse, relation, by }),
        Just(EffectKind::SwapSides),
        (name(), prop::collection::vec(e.clone(), 0..3)).prop_map(|(n, a)| EffectKind::Call(n, a)),
        (name(), prop::collection::vec(e.clone(), 0..3), assign(), e.clone())
            .prop_map(|(name, index, how, value)| EffectKind::Assign { name, index, how, value }),
    ]
    .prop_map(effect_of);
    let one = leaf.prop_recursive(3, 10, 3, move |inner| {
        let b = || inner.clone().prop_map(Box::new);
        let d = domain(e.clone()).prop_map(Box::new);
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|v| effect_of(EffectKind::Block(Effects(v)))),
            (e.clone(), b(), prop::option::of(b())).prop_map(|(c, t, o)| effect_of(EffectKind::If(c, t, o))),
            (name(), d, b()).prop_map(|(n, d, x)| effect_of(EffectKind::For(n, d, x))),
        ]
    });
    prop::collection::vec(one, 1..3).prop_map(Effects)
}

fn flow() -> impl Strategy<Value = Flow> {
    let of = |kind| Flow { kind, span: Span::default() };
    let leaf = name().prop_map(move |n| of(FlowKind::Name(n.text)));
    leaf.prop_recursive(5, 30, 3, move |inner| {
        let b = || inner.clone().prop_map(Box::new);
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(FlowKind::Sequence),
            prop::collection::vec(inner.clone(), 2..4).prop_map(FlowKind::Either),
            b().prop_map(FlowKind::Try),
            b().prop_map(FlowKind::May),
            b().prop_map(FlowKind::Repeat),
            b().prop_map(FlowKind::Longest),
            (b(), expr()).prop_map(|(f, c)| FlowKind::If(f, c)),
            (b(), name()).prop_map(|(f, p)| FlowKind::By(f, p)),
        ]
        .prop_map(of)
    })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let of = |kind| Outcome { kind, span: Span::default() };
    let leaf = prop_oneof![
        Just(OutcomeKind::Pass),
        Just(OutcomeKind::Draw),
        Just(OutcomeKind::Score),
        name().prop_map(OutcomeKind::Wins),
        name().prop_map(OutcomeKind::Loses),
    ]
    .prop_map(of);
    leaf.prop_recursive(3, 8, 2, move |inner| {
        let b = || inner.clone().prop_map(Box::new);
        (expr(), b(), b()).prop_map(move |(c, x, y)| of(OutcomeKind::If(c, x, y)))
    })
}

fn pattern() -> impl Strategy<Value = Pattern> {
    use ClauseKind::*;
    let names = || prop::collection::vec(name(), 1..4);
    let site = prop::sample::select(vec!["a1", "b12", "7"])
        .prop_map(|text| Name { text: text.to_string(), span: Span::default() });
    let clause = (prop::sample::select(vec![Through, Over, Onto, Upto, Leaving]), expr())
        .prop_map(|(kind, value)| Clause { kind, value, span: Span::default() });
    let clauses = prop::collection::vec(clause, 0..3);
    let with = prop_oneof![
        (0..9, 0..9).prop_map(|(a, b)| WalkKind::Leap(a, b)),
        names().prop_map(WalkKind::Step),
        names().prop_map(WalkKind::Slide),
        names().prop_map(WalkKind::Walk),
    ];
    let chain = prop::collection::vec(site, 2..4);
    let walk = prop_oneof![
        4 => (with, clauses),
        1 => prop::collection::vec(chain, 1..3).prop_map(|c| (WalkKind::Pairs(c), Vec::new())),
    ]
    .prop_map(|(kind, clauses)| Walk { kind, clauses, span: Span::default() });
    prop::collection::vec(walk, 0..3).prop_map(|walks| Pattern { walks, span: Span::default() })
}

fn choose() -> impl Strategy<Value = Choose> {
    let choice = (name(), any::<bool>(), domain(expr())).prop_map(|(name, optional, domain)| Choice {
        name,
        optional,
        domain,
    });
    prop::collection::vec(choice, 1..4).prop_map(|choices| Choose { choices, span: Span::default() })
}

/// Prints a tree, reads the text and compares.
macro_rules! comes_back {
    ($tree:expr, $read:path) => {{
        let tree = $tree;
        let text = tree.to_string();
        match $read(&plain(&text)) {
            Ok(again) => prop_assert_eq!(said(&again), said(&tree), "{}", text),
            Err(found) => prop_assert!(false, "{}\n{:#?}", text, found),
        }
    }};
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn expressions(tree in expr()) { comes_back!(tree, parse::expr) }

    #[test]
    fn choices(tree in choose()) { comes_back!(tree, parse::choose) }

    #[test]
    fn effects(tree in effects_of(expr())) { comes_back!(tree, parse::effects) }

    #[test]
    fn flows(tree in flow()) { comes_back!(tree, parse::flow) }

    #[test]
    fn outcomes(tree in outcome()) { comes_back!(tree, parse::outcome) }

    #[test]
    fn patterns(tree in pattern()) { comes_back!(tree, parse::pattern) }
}
