//! Diagnostics for rule strings that cannot be read.

use std::collections::BTreeSet;

use pest::error::{Error, ErrorVariant, InputLocation};

use super::CODE;
use super::grammar::Rule;
use super::parts::short;
use super::pattern::WALKS;
use super::token::{Token, tokens};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::text::RuleText;
use crate::wording::either;

/// At most so many things are named as expected: longer lists do not help.
const MAX_EXPECTED_WORDS: usize = 4;

/// The point at which reading stopped, with the text around it.
pub(super) struct Stop<'t> {
    /// The text.
    pub text: &'t RuleText,
    /// Which kind of rule string it is.
    pub whole: Rule,
    /// All tokens of the text.
    pub tokens: Vec<Token<'t>>,
    /// The one that could not be read; past the last at the end.
    pub index: usize,
    /// The rules of the grammar that could have stood there.
    pub rules: &'t [Rule],
}

/// Makes the diagnostic of an error of pest.
pub(super) fn report(text: &RuleText, whole: Rule, error: &Error<Rule>) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let rules: &[Rule] = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives,
        ErrorVariant::CustomError { .. } => &[],
    };
    let tokens: Vec<Token<'_>> = tokens(text.text()).collect();
    let index = tokens.partition_point(|token| token.end() <= at);
    let place = Stop { text, whole, tokens, index, rules };
    if let Some(slip) = place.slip() {
        return slip;
    }
    let expected = place.expected();
    let Some(found) = place.found() else { return place.at_end(&expected) };
    let span = place.span(found);
    let shown = visible(&short(found.text));
    let mut code = CODE;
    let message = if matches!(found.text, ")" | "]" | "}") && place.bracket(index).is_none() {
        format!("nothing opened this `{shown}`")
    } else if found.is_malformed() {
        format!("`{shown}` is neither a name nor a number")
    } else if found.is_reserved() && place.wants_name() {
        code = "reserved-name";
        format!("expected {expected}, but `{shown}` is a reserved word")
    } else {
        format!("expected {expected}, found `{shown}`")
    };
    let mut diagnostic = Diagnostic::error(code, span, message);
    if let Some(open) = place.bracket(index)
        && place.closing(open).is_none_or(|close| close == index)
        && let Some(open) = place.tokens.get(open)
        && closing_mark(open.text) != found.text
    {
        diagnostic = diagnostic.and(place.span(*open), format!("this `{}` is not closed", open.text));
    }
    match place.help() {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// Advice for a name such as `n-1`, which reads as one word: write `n - 1`. For the phase that looks
/// names up as well as for this one.
pub fn minus_hint(name: &str) -> Option<String> {
    let (left, right) = name.rsplit_once('-')?;
    (!left.is_empty() && !right.is_empty() && right.bytes().all(|b| b.is_ascii_digit()))
        .then(|| format!("a hyphen inside a name belongs to it; to subtract, write `{left} - {right}`"))
}

/// A text in which characters that cannot be seen are written out.
fn visible(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        if c.is_whitespace() || c.is_control() {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
        out
    })
}

fn closing_mark(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

impl Stop<'_> {
    pub(super) fn found(&self) -> Option<Token<'_>> {
        self.tokens.get(self.index).copied()
    }

    /// The place of a token in the file.
    pub(super) fn span(&self, token: Token<'_>) -> Span {
        self.text.span(token.start, token.end())
    }

    /// The text of the token so many before the place.
    pub(super) fn before(&self, back: usize) -> Option<Token<'_>> {
        self.tokens.get(self.index.checked_sub(back)?).copied()
    }

    /// Whether an expression could begin here.
    pub(super) fn wants_expression(&self) -> bool {
        self.rules.iter().any(|rule| begins_expression(*rule))
    }

    /// Whether a new name has to stand here.
    pub(super) fn wants_name(&self) -> bool {
        let named = [Rule::name, Rule::head, Rule::param, Rule::choice];
        self.rules.iter().any(|rule| named.contains(rule)) && !self.wants_expression() && !self.goes_on()
    }

    /// Whether an expression ends here and could go on with an operator.
    pub(super) fn goes_on(&self) -> bool {
        self.rules.contains(&Rule::pipe) || self.rules.contains(&Rule::meet)
    }

    /// The expected words, the certain ones first.
    fn expected(&self) -> String {
        let words: BTreeSet<(u8, String)> = self.rules.iter().filter_map(|rule| self.word(*rule)).collect();
        let words: Vec<String> = words.into_iter().take(MAX_EXPECTED_WORDS).map(|(_, word)| word).collect();
        if words.is_empty() { "something else".to_string() } else { either(&words) }
    }

    /// How a rule is called, and how early it is named.
    fn word(&self, rule: Rule) -> Option<(u8, String)> {
        let goes_on = self.goes_on();
        let wants_expression = self.wants_expression();
        let named = |order: u8, text: &str| Some((order, text.to_string()));
        match rule {
            rule if begins_expression(rule) => named(0, "an expression"),
            Rule::EOI => named(9, "the end of the rule"),
            // Operators are one thing to say, however many they are.
            Rule::pipe | Rule::plus | Rule::meet | Rule::times | Rule::divide | Rule::modulo => {
                named(5, "an operator")
            }
            Rule::minus | Rule::not_in | Rule::kw_not | Rule::kw_in | Rule::kw_is if goes_on => None,
            Rule::at_most | Rule::at_least | Rule::unequal | Rule::less | Rule::greater => None,
            Rule::equal if goes_on => None,
            Rule::kw_and | Rule::kw_or | Rule::kw_otherwise if goes_on => named(5, "an operator"),
            // Words side by side may always go on.
            Rule::name | Rule::call_open | Rule::index_open | Rule::call | Rule::index if goes_on => None,
            // Verbs read as names until the word after them.
            Rule::equal | Rule::add | Rule::subtract | Rule::unite | Rule::intersect
                if wants_expression
                    || self.rules.contains(&Rule::piece)
                    || self.rules.contains(&Rule::kw_sides) =>
            {
                None
            }
            Rule::equal if self.rules.contains(&Rule::add) => named(1, "an assignment"),
            Rule::add | Rule::subtract | Rule::unite | Rule::intersect => named(1, "an assignment"),
            // `draw` could be a player, but no verb is missing after it.
            Rule::kw_wins | Rule::kw_loses
                if self.before(1).is_some_and(|t| matches!(t.text, "draw" | "score" | "pass")) =>
            {
                None
            }
            Rule::int if wants_expression => None,
            // What a move says besides is seldom what is missing.
            Rule::kw_under => None,
            Rule::kw_upto if self.whole != Rule::whole_pattern => None,
            Rule::name if self.whole == Rule::whole_pattern => named(2, "a direction"),
            Rule::name | Rule::flow_name | Rule::statement_open => named(2, "a name"),
            Rule::int => named(1, "a number"),
            Rule::piece => named(1, "a piece"),
            Rule::param => named(1, "a parameter"),
            Rule::type_name => named(1, "a type"),
            Rule::choice | Rule::choose => named(1, "a choice such as `x in own`"),
            Rule::binder => named(1, "`name in SET`"),
            Rule::domain => named(1, "a set or a range"),
            Rule::effect | Rule::effects | Rule::block => named(1, "an effect"),
            Rule::flow | Rule::step | Rule::unit => named(1, "a decision or a flow"),
            Rule::outcome => {
                named(1, "an outcome (`P wins`, `P loses`, `draw`, `score`, `places by N`, `pass` or `if`)")
            }
            Rule::pattern | Rule::walk => {
                let words = WALKS.map(|word| format!("`{word}`"));
                named(1, &format!("a walk ({})", either(&words)))
            }
            Rule::clause => named(3, "a condition such as `onto`"),
            Rule::chain => named(1, "sites joined by hyphens such as `a1-b1`"),
            Rule::head => named(1, "a name, with or without parameters"),
            Rule::into => named(1, "`->`"),
            Rule::dots => named(4, "`..`"),
            Rule::colon => named(1, "`:`"),
            Rule::comma => named(4, "`,`"),
            Rule::semicolon => named(2, "`;`"),
            Rule::question => named(4, "`?`"),
            Rule::tilde => named(4, "`~`"),
            Rule::paren => named(1, "`(`"),
            Rule::paren_end => named(3, "`)`"),
            Rule::brace => named(3, "`{`"),
            Rule::brace_end => named(3, "`}`"),
            Rule::index_end => named(3, "`]`"),
            Rule::equal => named(1, "`=`"),
            keyword => {
                let name = format!("{keyword:?}");
                name.strip_prefix("kw_").map(|word| (1, format!("`{word}`")))
            }
        }
    }

    /// The innermost bracket that is open before the token of an index.
    pub(super) fn bracket(&self, index: usize) -> Option<usize> {
        let mut open = Vec::new();
        for (i, token) in self.tokens.iter().enumerate().take(index) {
            match token.text {
                "(" | "[" | "{" => open.push(i),
                ")" | "]" | "}" => {
                    open.pop();
                }
                _ => {}
            }
        }
        open.pop()
    }

    /// The token that closes the bracket at `open`, of the right shape or not.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (i, token) in self.tokens.iter().enumerate().skip(open) {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Some(i);
            }
        }
        None
    }

    /// An error at the end points at the last character that is not blank.
    fn at_end(&self, expected: &str) -> Diagnostic {
        let Some(last) = self.tokens.last() else {
            return Diagnostic::error(
                CODE,
                self.text.whole(),
                format!("expected {expected}, but there is nothing"),
            );
        };
        let width = last.text.chars().next_back().map_or(1, char::len_utf8);
        let span = self.text.span(last.end() - width, last.end());
        let open = self.bracket(self.tokens.len()).and_then(|open| self.tokens.get(open));
        let mut diagnostic =
            Diagnostic::error(CODE, span, format!("expected {expected}, but the rule ends here"));
        if let Some(open) = open {
            diagnostic = diagnostic.and(self.span(*open), format!("this `{}` is not closed", open.text));
        }
        match self.help() {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

/// The rules that begin where an expression could begin.
fn begins_expression(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::expr
            | Rule::conj
            | Rule::test
            | Rule::comparison
            | Rule::presence
            | Rule::value
            | Rule::sum
            | Rule::product
            | Rule::unary
            | Rule::phrase
    )
}
