//! Rule strings to trees and back: those of whole games, random ones, and mistaken ones.

use farrier::diagnostic::Diagnostic;
use farrier::source::FileId;
use farrier::syntax::spans::Spans;
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

/// Reads each text, prints it, reads that, and finds the same tree and the same text.
fn round_trip<T: Spans + std::fmt::Display + std::fmt::Debug>(read: Reader<T>, texts: &[&str]) {
    assert!(!texts.is_empty());
    for text in texts {
        let tree = read(&plain(text)).unwrap_or_else(|d| panic!("{text}\n{d:#?}"));
        let printed = tree.to_string();
        let again = read(&plain(&printed)).unwrap_or_else(|d| panic!("{printed}\n{d:#?}"));
        assert_eq!(again.clone().strip(), tree.strip(), "{text}\n{printed}");
        assert_eq!(again.to_string(), printed);
    }
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
