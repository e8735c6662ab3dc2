//! Which trees texts give, and where these stand.

use farrier::source::FileId;
use farrier::syntax::ast::{Compare, EffectKind, ExprKind, FlowKind, Op, OutcomeKind, WalkKind};
use farrier::syntax::parse;
use farrier::syntax::text::RuleText;

use super::{plain, said};

/// The canonical text of an expression.
fn printed(text: &str) -> String {
    parse::expr(&plain(text)).unwrap_or_else(|d| panic!("{text}\n{d:#?}")).to_string()
}

#[test]
fn expressions_keep_only_the_brackets_they_need() {
    for (text, canonical) in [
        ("((a))|((b)&c)", "a | b & c"),
        ("(a|b)&c", "(a | b) & c"),
        ("a-(b - c)", "a - (b - c)"),
        ("(a - b) - c", "a - b - c"),
        ("own   single\n stone # words", "own single stone"),
        ("x  not   in S", "x not in S"),
        ("(not x) in S", "(not x) in S"),
        ("not (x in S)", "not (x in S)"),
        ("(a and b) or c", "a and b or c"),
        ("a and (b or c)", "a and (b or c)"),
        ("a and some x in S : b or c", "a and some x in S : b or c"),
        ("(some x in S : b) and c", "(some x in S : b) and c"),
        ("(if a then b else c) - 1", "(if a then b else c) - 1"),
        ("some (S otherwise T)", "some S otherwise T"),
        ("some (x in S)", "some (x in S)"),
        ("- 3 - -3", "-3 - -3"),
        ("count i in 1..n+1:i>2", "count i in 1..n + 1 : i > 2"),
        ("{s in (a|b):~f(s)}", "{s in a | b : ~f(s)}"),
        ("after ((a = 1; b = 2)) : c", "after ((a = 1; b = 2)) : c"),
        ("f( )", "f()"),
    ] {
        assert_eq!(printed(text), canonical);
    }
}

#[test]
fn expressions_bind_as_the_grammar_says() {
    let kind = |text: &str| parse::expr(&plain(text)).unwrap().kind;
    assert!(matches!(kind("own"), ExprKind::Name(_)));
    assert!(matches!(kind("own stone"), ExprKind::Phrase(w) if w.len() == 2));
    assert!(matches!(kind("-3"), ExprKind::Int(-3)));
    assert!(matches!(kind("-2147483648"), ExprKind::Int(i32::MIN)));
    assert!(matches!(kind("not e"), ExprKind::Not(_)));
    assert!(matches!(kind("n-1"), ExprKind::Name(n) if n == "n-1"));
    assert!(matches!(kind("a not in S"), ExprKind::Compare(Compare::NotIn, ..)));
    assert!(matches!(kind("mode is quick"), ExprKind::Is(..)));
    assert!(matches!(kind("count(x)"), ExprKind::Call { .. }));
    assert!(matches!(kind("count x in S : c"), ExprKind::Quantified(..)));
    let ExprKind::Binary(Op::Otherwise, left, _) = kind("e otherwise f otherwise g") else {
        panic!();
    };
    assert!(matches!(left.kind, ExprKind::Binary(Op::Otherwise, ..)));
}

#[test]
fn effects_bind_as_the_grammar_says() {
    let one = |text: &str| {
        let mut effects = parse::effects(&plain(text)).unwrap_or_else(|d| panic!("{text} {d:#?}"));
        assert_eq!(effects.0.len(), 1, "{text}");
        effects.0.remove(0).kind
    };
    assert!(matches!(one("(a = 1; b = 2)"), EffectKind::Block(e) if e.0.len() == 2));
    assert!(matches!(one("((a = 1))"), EffectKind::Assign { .. }));
    assert!(matches!(one("(let a = 1)"), EffectKind::Block(_)));
    assert!(matches!(one("remove(x)"), EffectKind::Remove(_)));
    assert!(matches!(one("move(x) -> y"), EffectKind::Move { under: false, upto: None, .. }));
    // `under` is a name where no value stands behind it.
    assert!(matches!(one("move x -> under"), EffectKind::Move { under: false, .. }));
    assert!(matches!(
        one("move x -> under & y upto 2"),
        EffectKind::Move { under: false, upto: Some(_), .. }
    ));
    assert!(matches!(one("move x -> under(y)"), EffectKind::Move { under: false, .. }));
    assert!(matches!(one("move x -> under y"), EffectKind::Move { under: true, upto: None, .. }));
    assert!(matches!(
        one("move x -> under (y) upto n + 1"),
        EffectKind::Move { under: true, upto: Some(_), .. }
    ));
    assert!(matches!(one("move = 3"), EffectKind::Assign { .. }));
    assert!(matches!(one("turn[x] += 3"), EffectKind::Assign { .. }));
    assert!(matches!(one("go(x, y);"), EffectKind::Call(..)));
    assert!(matches!(one("swap sides"), EffectKind::SwapSides));
    assert!(matches!(one("carry own by ~r"), EffectKind::Carry { converse: true, .. }));
    let EffectKind::If(_, then, None) = one("if a then if b then c = 1 else c = 2") else {
        panic!();
    };
    assert!(matches!(then.kind, EffectKind::If(_, _, Some(_))));
    let text = "if a then (if b then c = 1) else c = 2";
    assert_eq!(parse::effects(&plain(text)).unwrap().to_string(), text);
}

#[test]
fn flows_bind_as_the_grammar_says() {
    let kind = |text: &str| parse::flow(&plain(text)).unwrap().kind;
    assert!(matches!(kind("either a or b or c"), FlowKind::Either(f) if f.len() == 3));
    assert!(matches!(kind("(a)"), FlowKind::Name(_)));
    assert!(matches!(kind("pass"), FlowKind::Name(n) if n == "pass"));
    let FlowKind::By(inner, _) = kind("f if c by P") else {
        panic!();
    };
    assert!(matches!(inner.kind, FlowKind::If(..)));
    for text in [
        "move, draw, swap if (a and b)",
        "either (either a or b) or c",
        "either (a, b) or c if (some x in S : d), e",
        "try (a if c)",
        "(either a or b) if c",
        "((a by P) if c) if d",
        "longest repeat jump",
    ] {
        let tree = parse::flow(&plain(text)).unwrap();
        let again = parse::flow(&plain(&tree.to_string())).unwrap();
        assert_eq!(said(&again), said(&tree), "{text} / {tree}");
    }
}

#[test]
fn outcomes_and_patterns() {
    let outcome = |text: &str| parse::outcome(&plain(text)).unwrap().kind;
    assert!(matches!(outcome("draw"), OutcomeKind::Draw));
    assert!(matches!(outcome("draw wins"), OutcomeKind::Wins(_)));
    let pattern = |text: &str| parse::pattern(&plain(text)).unwrap();
    assert!(pattern("none").walks.is_empty());
    assert_eq!(pattern("none").to_string(), "none");
    assert_eq!(pattern("none or step any").walks.len(), 2);
    assert!(
        matches!(pattern("pairs a1-b2-c3 d4-e5").walks[0].kind, WalkKind::Pairs(ref c) if c[0].len() == 3)
    );
    let text = "slide any through vacant | own onto (a or b) upto (n - 1) or leap 1,2 leaving starts";
    assert_eq!(pattern(text).to_string(), text);
}

#[test]
fn heads_names_and_chains() {
    let head = |text: &str| {
        let (name, params) = parse::params(&plain(text)).unwrap();
        let params: Vec<String> =
            params.iter().map(|(p, t)| t.as_ref().map_or(p.text.clone(), |t| format!("{p}: {t}"))).collect();
        format!("{name}/{}", params.join("/"))
    };
    assert_eq!(head("last-row"), "last-row/");
    assert_eq!(head("reach(x, S: sites , k :kind?)"), "reach/x/S: sites/k: kind?");
    let names = parse::names(&plain(" n  ne forward-left ")).unwrap();
    assert_eq!(names.len(), 3);
    assert_eq!((names[1].span.start, names[1].span.end), (4, 6));
    let chains = parse::chains(&plain("a1-b1-c1 d1-e1")).unwrap();
    assert_eq!((chains.len(), chains[0].len()), (2, 3));
    assert_eq!((chains[1][1].span.start, chains[1][1].span.end), (12, 14));
}

#[test]
fn trees_stand_where_their_text_stands() {
    let file = "do = \"\"\"\n  remove \\\n    (a |\\tb) ; # why\n  v[ x ] += f( y )  \"\"\"";
    let text = RuleText::from_toml(file, FileId(3), 5..file.len());
    let effects = parse::effects(&text).unwrap();
    let at = |span: farrier::source::Span| {
        assert_eq!(span.file, FileId(3));
        &file[span.start as usize..span.end as usize]
    };
    assert_eq!(at(effects.0[0].span), "remove \\\n    (a |\\tb)");
    let EffectKind::Remove(what) = &effects.0[0].kind else {
        panic!();
    };
    assert_eq!(at(what.span), "(a |\\tb)");
    assert_eq!(at(effects.0[1].span), "v[ x ] += f( y )");
    let EffectKind::Assign { name, index, value, .. } = &effects.0[1].kind else {
        panic!();
    };
    assert_eq!((at(name.span), at(index[0].span), at(value.span)), ("v", "x", "f( y )"));
}

/// The texts that the TOML parser gives, and those decoded from the places it gives, are the same.
#[test]
fn decoding_agrees_with_the_toml_parser() {
    let file = r####"
basic = "a \"b\" \t \\ \u00e9"
literal = 'a \n "b"'
empty = ""
lines = """
  a ""b"" \
     c\
  
   d
e \\
f"""
quoted = """a"""""
raw = '''
a \
'b'''''
"####;
    let table: std::collections::BTreeMap<String, toml::Spanned<String>> = toml::from_str(file).unwrap();
    assert_eq!(table.len(), 6);
    for file in [file.to_string(), file.replace('\n', "\r\n")] {
        let table: std::collections::BTreeMap<String, toml::Spanned<String>> = toml::from_str(&file).unwrap();
        for (key, value) in table {
            let text = RuleText::from_toml(&file, FileId(0), value.span());
            let plain = |text: &str| text.replace("\r\n", "\n");
            assert_eq!(plain(text.text()), plain(value.get_ref()), "{key}");
        }
    }
}

#[test]
fn every_verb_of_the_grammar_is_known() {
    let grammar = include_str!("../../../grammar/rules.pest");
    let rule = grammar.lines().find(|line| line.starts_with("verb ")).expect("the rule `verb`");
    let words: Vec<&str> = rule.split('"').skip(1).step_by(2).collect();
    assert!(words.iter().all(|word| parse::VERBS.contains(word)), "{words:?}");
    for verb in parse::VERBS {
        assert!(grammar.contains(&format!("@{{ \"{verb}\" ~ end")), "`{verb}` is a keyword");
    }
}
