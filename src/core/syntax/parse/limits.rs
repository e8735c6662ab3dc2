//! Limits that are checked before a text is read, so that no recursion (of the parser, of the trees' readers, of
//! dropping a tree) can run out of stack.

use super::CODE;
use super::token::{Token, tokens};
use crate::diagnostic::Diagnostic;
use crate::syntax::text::RuleText;

/// The longest rule string in bytes.
const MAX_RULE_BYTES: usize = 64 * 1024;

/// How many brackets and words such as `if` may be open at one place: the recursion of the parser.
const MAX_NESTING: usize = 100;

/// How much of that any thread's stack bears: a level takes the parser up to 10 KiB, and 60 without
/// optimization.
const MAX_SHALLOW_NESTING: usize = 24;

/// The stack for more: 100 levels without optimization need 6 MiB.
const DEEP_STACK_BYTES: usize = 16 * 1024 * 1024;

/// How high a tree may be: besides brackets, each operator of a chain `a | b | c` adds a level, since
/// chains group to the left.
const MAX_TREE_HEIGHT: usize = 500;

/// Advice for a rule that is too deep.
const ADVICE: &str = "name parts of it as definitions of their own";

/// One open bracket, or the whole text.
#[derive(Default)]
struct Level {
    /// Words since the last separator that nest what follows them.
    prefixes: usize,
    /// Operators since the last separator.
    operators: usize,
    /// The highest tree in brackets since the last separator.
    inner: usize,
    /// The height of the highest item before the last separator.
    highest: usize,
}

impl Level {
    fn height(&self) -> usize {
        self.highest.max(self.prefixes + self.operators + self.inner)
    }

    /// `,` and `;` end all that was open inside these brackets.
    fn separate(&mut self) {
        *self = Level { highest: self.height(), ..Level::default() };
    }
}

/// Refuses a text that is too long.
pub(super) fn check_length(text: &RuleText) -> Result<(), Diagnostic> {
    let length = text.text().len();
    if length > MAX_RULE_BYTES {
        return Err(Diagnostic::error(
            CODE,
            text.whole(),
            format!("this rule has {length} bytes; at most {MAX_RULE_BYTES} are read"),
        )
        .help("split it into definitions"));
    }
    Ok(())
}

/// Refuses a text that is nested or chained too deeply. Both are estimated from above, by its tokens. Gives the
/// nesting.
pub(super) fn check_depth(text: &RuleText) -> Result<usize, Diagnostic> {
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::default();
    let mut nesting = 0;
    let mut deepest = 0;
    // `not not x` nests, `not a and not b` does not.
    let mut nots = 0;
    let mut all = tokens(text.text()).peekable();
    while let Some(token) = all.next() {
        // No rule has such a letter: the parser comes no farther.
        if !token.text.is_ascii() {
            break;
        }
        nots = if token.text == "not" { nots + 1 } else { 0 };
        match token.text {
            "(" | "[" | "{" => {
                nesting += 1 + level.prefixes;
                outer.push(std::mem::take(&mut level));
            }
            ")" | "]" | "}" => {
                if let Some(mut around) = outer.pop() {
                    around.inner = around.inner.max(level.height() + 1);
                    nesting -= 1 + around.prefixes;
                    level = around;
                }
            }
            "," | ";" => level.separate(),
            word if nests(word, all.peek()) => level.prefixes += 1,
            _ if !token.is_word() && !token.is_number() || token.is_reserved() => level.operators += 1,
            _ => {}
        }
        deepest = deepest.max(nesting + level.prefixes + nots);
        if deepest > MAX_NESTING {
            return Err(too_much(text, token, "nested", MAX_NESTING));
        }
        if nesting + level.height() > MAX_TREE_HEIGHT {
            return Err(too_much(text, token, "chained", MAX_TREE_HEIGHT));
        }
    }
    Ok(deepest)
}

/// Reads a text that nests so deeply: hardly ever, on a thread of its own with a large stack.
pub(super) fn with_stack<T: Send>(
    text: &RuleText,
    nesting: usize,
    read: impl FnOnce() -> Result<T, Diagnostic> + Send,
) -> Result<T, Diagnostic> {
    if nesting <= MAX_SHALLOW_NESTING {
        return read();
    }
    let answer = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(DEEP_STACK_BYTES);
        thread.spawn_scoped(scope, read).ok()?.join().ok()
    });
    // If no thread can be had, a text that needs one is too deep.
    answer.unwrap_or_else(|| {
        let message = format!("this rule is nested more than {MAX_SHALLOW_NESTING} levels deep");
        Err(Diagnostic::error(CODE, text.whole(), message).help(ADVICE))
    })
}

/// Whether a word makes all that follows a part of itself. `some` and `no` do so only with a name
/// that ranges over a domain; the next token tells well enough.
fn nests(word: &str, next: Option<&Token<'_>>) -> bool {
    match word {
        "if" | "let" | "every" | "sum" | "count" | "union" | "after" | "for" | "either" | "try" | "may"
        | "repeat" | "longest" => next.is_none_or(|n| n.text != "="),
        "some" | "no" => next.is_some_and(|n| n.is_word() && !n.is_reserved()),
        _ => false,
    }
}

fn too_much(text: &RuleText, token: Token<'_>, how: &str, most: usize) -> Diagnostic {
    Diagnostic::error(
        CODE,
        text.span(token.start, token.end()),
        format!("this rule is {how} more than {most} levels deep here"),
    )
    .help(ADVICE)
}
