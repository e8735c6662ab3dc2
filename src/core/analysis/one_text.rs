//! Legal moves that cannot be told apart by their texts.

use crate::diagnostic::Diagnostic;
use crate::play::Move;
use crate::program::{Program, Var};
use crate::source::Span;

/// How many moves a report repeats.
const MAX_QUOTED_MOVES: usize = 40;

/// The names of the values in which two moves of one leaf differ.
pub(super) fn differing(program: &Program, a: Move, b: Move) -> Vec<String> {
    let leaves = (program.leaf_of(a.0), program.leaf_of(b.0));
    let (Some(leaf), true) = (leaves.0, leaves.0 == leaves.1) else { return Vec::new() };
    let leaf = &program.leaves[leaf];
    let Some(decision) = leaf.decision.and_then(|decision| program.decisions.get(decision)) else {
        return Vec::new();
    };
    let differs = |var: &&Var| var.value(a.0 - leaf.base) != var.value(b.0 - leaf.base);
    decision.vars.iter().filter(differs).map(|var| format!("`{{{}}}`", var.name)).collect()
}

/// Two legal moves with one text.
pub(super) fn one_text(
    text: &str,
    decisions: [Option<&str>; 2],
    spans: (Span, Span),
    differing: &[String],
    before: &[String],
    position: &str,
) -> Diagnostic {
    let way = match before.len() {
        0 => "at the start".to_owned(),
        n if n <= MAX_QUOTED_MOVES => format!("after `{}`", before.join(" ")),
        n => format!("after {n} moves, in the position `{position}`"),
    };
    let d = Diagnostic::error("one-text", spans.0, String::new());
    let name = |d: Option<&str>| d.map_or("a pass".to_owned(), |d| format!("decision `{d}`"));
    let (d, what) = match decisions {
        [None, None] => {
            let d = d.here("of this flow").help("leave one `may` out: each of them offers a pass");
            (d, format!("two passes, `{text}`, are offered at once"))
        }
        [a, b] if a == b => {
            let names = match differing {
                [] => "all that tells its choices apart".to_owned(),
                names => format!("{}: these choices differ in that", names.join(" and ")),
            };
            let d = d.here("both are of this decision").help(format!("its `text` must name {names}"));
            (d, format!("two legal moves, of {}, have one text, `{text}`", name(a)))
        }
        [a, b] => {
            let d = d
                .here("one is of this decision")
                .and(spans.1, "the other is of this one")
                .help("let their `text` differ, by a letter before it for instance");
            (d, format!("two legal moves, of {} and {}, have one text, `{text}`", name(a), name(b)))
        }
    };
    Diagnostic { message: format!("{what}, {way}"), ..d }
}
