//! Rule strings to trees and back: those of whole games, random ones, and mistaken ones.

use farrier::diagnostic::Diagnostic;
use farrier::source::FileId;
use farrier::syntax::text::RuleText;

mod limits;
mod mistakes;
mod random;
mod rules;
mod trees;

use farrier::syntax::parse;

fn plain(text: &str) -> RuleText {
    RuleText::plain(FileId(0), 0, text)
}

type Reader<T> = fn(&RuleText) -> Result<T, Diagnostic>;

/// A tree as text, without the places of its nodes: equal for trees that say the same, wherever they stand.
fn said(tree: &impl std::fmt::Debug) -> String {
    let text = format!("{tree:?}");
    let parts = text.split("Span { file: ").enumerate();
    parts.map(|(i, part)| if i == 0 { part } else { part.split_once('}').unwrap().1 }).collect()
}

/// Reads each text, prints it, reads that, and finds the same tree and the same text.
fn round_trip<T: std::fmt::Display + std::fmt::Debug>(read: Reader<T>, texts: &[&str]) {
    assert!(!texts.is_empty());
    for text in texts {
        let tree = read(&plain(text)).unwrap_or_else(|d| panic!("{text}\n{d:#?}"));
        let printed = tree.to_string();
        let again = read(&plain(&printed)).unwrap_or_else(|d| panic!("{printed}\n{d:#?}"));
        assert_eq!(said(&again), said(&tree), "{text}\n{printed}");
        assert_eq!(again.to_string(), printed);
    }
}

#[test]
fn only_places_are_left_unsaid() {
    let tree = |text: &str| parse::expr(&plain(text)).unwrap();
    assert_ne!(tree("a + b").span, tree("a  +  b").span);
    assert_eq!(said(&tree("a + b")), said(&tree("(a) + b")));
    let others = ["a - b", "b + b", "a + 1", "a + (b + c)"];
    others.into_iter().for_each(|other| assert_ne!(said(&tree("a + b")), said(&tree(other))));
}

#[test]
fn rules_of_games_parse_and_print() {
    round_trip(parse::expr, rules::EXPR);
    round_trip(parse::choose, rules::CHOOSE);
    round_trip(parse::effects, rules::EFFECTS);
    round_trip(parse::flow, rules::FLOW);
    round_trip(parse::outcome, rules::OUTCOME);
    round_trip(parse::pattern, rules::PATTERN);
    for head in rules::HEAD {
        parse::params(&plain(head)).unwrap();
    }
}
