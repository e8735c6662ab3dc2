//! Hostile texts: deep, long, odd. All must end, soon, in a tree or a diagnostic.

use std::fmt::Write;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::plain;
use farrier::syntax::parse;

/// Reads a text as everything.
fn read_all(text: &str) -> [bool; 9] {
    let text = plain(text);
    [
        parse::expr(&text).is_ok(),
        parse::choose(&text).is_ok(),
        parse::effects(&text).is_ok(),
        parse::flow(&text).is_ok(),
        parse::outcome(&text).is_ok(),
        parse::pattern(&text).is_ok(),
        parse::params(&text).is_ok(),
        parse::names(&text).is_ok(),
        parse::chains(&text).is_ok(),
    ]
}

fn nested(before: &str, middle: &str, after: &str, times: usize) -> String {
    format!("{}{middle}{}", before.repeat(times), after.repeat(times))
}

/// The forms that nest, as expressions.
const FORMS: [(&str, &str, &str); 12] = [
    ("(", "1", ")"),
    ("f(", "1", ")"),
    ("v[", "1", "]"),
    ("{x in ", "S", " : c}"),
    ("{x in S : ", "c", "}"),
    ("not ", "c", ""),
    ("some x in S : ", "c", ""),
    ("some (", "S", ")"),
    ("if ", "a", " then b else c"),
    ("if a then b else ", "c", ""),
    ("after (remove ", "a", ") : b"),
    ("after (if a then move (", "a", ") -> b) : b"),
];

#[test]
fn sixty_levels_parse_at_once() {
    let start = Instant::now();
    for (before, middle, after) in FORMS {
        let times = match before {
            "after (remove " => 45,
            "after (if a then move (" => 25,
            _ => 60,
        };
        let text = nested(before, middle, after, times);
        parse::expr(&plain(&text)).unwrap_or_else(|d| panic!("{text}\n{d:#?}"));
        // The same with an error in the middle, which nothing may try to mend many times.
        let text = nested(before, "a ? b", after, times);
        assert!(parse::expr(&plain(&text)).is_err());
    }
    for (before, middle, after) in
        [("(", "remove x", ")"), ("if a then ", "x = 1", " else x = 2"), ("for x in S : ", "x = 1", "")]
    {
        parse::effects(&plain(&nested(before, middle, after, 60))).unwrap();
    }
    for (before, middle, after) in [("(", "a", ")"), ("try ", "a", ""), ("either a or ", "b", "")] {
        parse::flow(&plain(&nested(before, middle, after, 60))).unwrap();
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn too_deep_is_refused() {
    for times in [200, 5000] {
        for (before, middle, after) in FORMS {
            let text = nested(before, middle, after, times);
            let found = parse::expr(&plain(&text)).unwrap_err();
            let expected = text.len() > 64 * 1024
                || found.message == "this rule is nested more than 100 levels deep here";
            assert!(expected, "{found:#?}");
            read_all(&text);
            read_all(&before.repeat(times));
        }
    }
}

#[test]
fn too_long_is_refused() {
    let chain = |times: usize| format!("a{}", " | a".repeat(times));
    parse::expr(&plain(&chain(450))).unwrap();
    let found = parse::expr(&plain(&chain(600))).unwrap_err();
    assert_eq!(found.message, "this rule is chained more than 500 levels deep here");
    // What no rule has ends the text, however often it is there.
    for letter in ["\u{1f600}", "\u{e9} "] {
        let found = parse::expr(&plain(&letter.repeat(1000))).unwrap_err();
        assert!(!found.message.contains("chained"), "{}", found.message);
    }
    // The height counts through brackets: (((a | a ..) | a ..) ...
    let tower = format!("{}a{}", "(".repeat(20), format!("{})", " | a".repeat(30)).repeat(20));
    assert!(parse::expr(&plain(&tower)).is_err());
    // Long lists are no tower.
    let list: String = (0..3000).fold(String::new(), |mut s, i| {
        let _ = write!(s, "v = {i} + 1; ");
        s
    });
    parse::effects(&plain(&list)).unwrap();
    let found = parse::expr(&plain(&"a ".repeat(40_000))).unwrap_err();
    assert!(found.message.contains("at most 65536"), "{}", found.message);
}

#[test]
fn deepest_trees_fit_a_small_stack() {
    let texts: Vec<String> = FORMS
        .iter()
        .map(|(before, middle, after)| {
            let mut times = 100;
            while parse::expr(&plain(&nested(before, middle, after, times))).is_err() {
                times -= 1;
            }
            assert!(times >= 25, "{before}");
            nested(before, middle, after, times)
        })
        .chain([format!("a{}", " | a".repeat(499))])
        .collect();
    std::thread::Builder::new()
        .stack_size(1536 * 1024)
        .spawn(move || {
            for text in texts {
                let tree = parse::expr(&plain(&text)).unwrap();
                assert_eq!(parse::expr(&plain(&tree.to_string())).unwrap().to_string(), tree.to_string());
            }
        })
        .unwrap()
        .join()
        .unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(text in "\\PC{0,60}") {
        read_all(&text);
    }

    #[test]
    fn any_words_are_answered(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..24)) {
        read_all(&words.join(" "));
        read_all(&words.concat());
    }
}

/// What rule strings are made of.
const WORDS: [&str; 64] = [
    "a",
    "b",
    "x-1",
    "1",
    "99999999999",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "..",
    "->",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    "+=",
    "-=",
    "|",
    "&",
    "+",
    "-",
    "*",
    "/",
    "%",
    "~",
    "?",
    "!",
    "#\n",
    "é",
    "and",
    "or",
    "not",
    "in",
    "is",
    "no",
    "some",
    "every",
    "count",
    "if",
    "then",
    "else",
    "otherwise",
    "after",
    "at",
    "by",
    "f(",
    "v[",
    "let",
    "for",
    "put",
    "move",
    "turn",
    "either",
    "try",
    "step",
    "leap",
    "onto",
    "wins",
];

#[test]
fn long_rules_are_read_in_no_time() {
    let start = Instant::now();
    for part in ["a ", "f(x) ", "a = 1; ", "if a then f(x); ", "a, ", "x in own, ", "a1-b1 "] {
        let text = part.repeat(60_000 / part.len());
        read_all(&text);
        read_all(text.trim_end_matches([' ', ',', ';']));
        read_all(&format!("{text} ?"));
    }
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
}
