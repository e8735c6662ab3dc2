//! Tools with which the tree builders walk over pest's pairs.

use pest::iterators::{Pair, Pairs};

use super::CODE;
use super::grammar::Rule;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::Name;
use crate::syntax::text::RuleText;

/// A pair of the grammar: a token, or a rule with its parts.
pub(super) type Node<'t> = Pair<'t, Rule>;

/// Makes trees of one rule string's pairs.
#[derive(Clone, Copy)]
pub(super) struct Builder<'t> {
    text: &'t RuleText,
}

/// The children of a pair, taken one after the other.
pub(super) struct Parts<'t> {
    pub builder: Builder<'t>,
    pairs: Pairs<'t, Rule>,
}

impl<'t> Builder<'t> {
    pub(super) fn new(text: &'t RuleText) -> Builder<'t> {
        Builder { text }
    }

    /// The children of a pair.
    pub(super) fn inside(self, pair: Node<'t>) -> Parts<'t> {
        Parts { builder: self, pairs: pair.into_inner() }
    }

    /// The place of a pair. A pair of several tokens may end in blanks and comments, so it ends with its last token.
    pub(super) fn span(self, pair: &Node<'t>) -> Span {
        let mut last = pair.clone();
        while let Some(inner) = last.clone().into_inner().next_back() {
            last = inner;
        }
        self.text.span(pair.as_span().start(), last.as_span().end())
    }

    /// The place of a stretch of the text.
    pub(super) fn stretch(self, start: usize, end: usize) -> Span {
        self.text.span(start, end)
    }

    /// The name that a token is; of `reach(`, `~reach(` and `count[` the name alone.
    pub(super) fn name(self, pair: &Node<'t>) -> Name {
        let span = pair.as_span();
        let text = span.as_str();
        let before = text.len() - text.trim_start_matches('~').len();
        let letters = text[before..].trim_end_matches(['(', '[']);
        let start = span.start() + before;
        Name { text: letters.to_string(), span: self.text.span(start, start + letters.len()) }
    }

    /// The value of a number; the sign stands before it.
    pub(super) fn int(self, pair: &Node<'t>, negative: bool) -> Result<i32, Diagnostic> {
        let sign = if negative { "-" } else { "" };
        format!("{sign}{}", pair.as_str()).parse().map_err(|_| {
            Diagnostic::error(
                CODE,
                self.span(pair),
                format!("the number {sign}{} does not fit into 32 bits", short(pair.as_str())),
            )
            .help(format!("numbers go from {} to {}", i32::MIN, i32::MAX))
        })
    }

    /// For a pair that the grammar cannot give here: a fault of grammar and builder, not of the text.
    pub(super) fn fault(self, rule: Option<Rule>) -> Diagnostic {
        Diagnostic::error(
            CODE,
            self.text.whole(),
            format!("cannot make a tree of this rule ({rule:?}); this is a fault in Farrier"),
        )
    }
}

/// A long run of letters, cut so that a message stays readable.
pub(super) fn short(text: &str) -> String {
    const MAX_SHORT_LETTERS: usize = 24;
    if text.chars().count() <= MAX_SHORT_LETTERS {
        return text.to_string();
    }
    text.chars().take(MAX_SHORT_LETTERS - 3).chain("...".chars()).collect()
}

impl<'t> Parts<'t> {
    /// The next child, which the grammar says must be there.
    pub(super) fn must(&mut self) -> Result<Node<'t>, Diagnostic> {
        self.pairs.next().ok_or_else(|| self.builder.fault(None))
    }

    /// All children of this rule that are left.
    pub(super) fn of(self, rule: Rule) -> impl Iterator<Item = Node<'t>> {
        self.pairs.filter(move |pair| pair.as_rule() == rule)
    }

    /// Which rule the next child is of.
    pub(super) fn ahead(&self) -> Option<Rule> {
        self.pairs.peek().map(|pair| pair.as_rule())
    }

    /// Takes the next child if it is of this rule.
    pub(super) fn eat(&mut self, rule: Rule) -> Option<Node<'t>> {
        if self.ahead() == Some(rule) { self.pairs.next() } else { None }
    }

    /// The next child of this rule, which the grammar says must come; marks before it are skipped.
    pub(super) fn to(&mut self, rule: Rule) -> Result<Node<'t>, Diagnostic> {
        self.pairs.find(|pair| pair.as_rule() == rule).ok_or_else(|| self.builder.fault(Some(rule)))
    }
}

impl<'t> Iterator for Parts<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        self.pairs.next()
    }
}
