//! Advice on rule strings that cannot be read.

use super::effect::VERBS;
use super::grammar::Rule;
use super::parts::short;
use super::pattern::WALKS;
use super::report::{Stop, minus_hint};
use super::slip::MAX_SHOWN_LETTERS;
use super::token::{Token, hyphenated};
use crate::diagnostic::nearest;

impl Stop<'_> {
    /// Advice for the mistakes that are often made.
    pub(super) fn help(&self) -> Option<String> {
        let found = self.found();
        let previous = self.before(1);
        let mark = found.map_or("", |token| token.text);
        self.help_part(mark)
            .or_else(|| self.help_walk(mark))
            .or_else(|| self.help_mark(mark))
            .or_else(|| self.help_word(mark))
            .or_else(|| self.help_call(found?, previous?))
            .or_else(|| hyphenated(mark).map(|name| format!("names have hyphens: write `{}`", short(&name))))
            .or_else(|| self.help_form())
            .or_else(|| [found, previous].into_iter().flatten().find_map(|token| minus_hint(token.text)))
            .or_else(|| {
                let word = found.filter(|token| token.is_reserved() && self.wants_name())?.text;
                Some(format!("rules have this word for themselves; a name that is free is `{word}2`"))
            })
    }

    /// The part of a form that is said with another word or mark here.
    fn help_part(&self, mark: &str) -> Option<String> {
        let wants = |rule: Rule| self.rules.contains(&rule);
        let previous = self.before(1)?.text;
        let before = self.before(2).map_or("", |token| token.text);
        match mark {
            "=" if wants(Rule::kw_in) && !self.goes_on() => self.help_in(),
            ":" if wants(Rule::kw_then) => Some("write `then` for `:`".to_string()),
            "{" if wants(Rule::kw_then) => Some("write `then`, and round brackets: `then (...)`".to_string()),
            "if" if wants(Rule::semicolon) => Some("the condition comes first: `if c then ...`".to_string()),
            "and" | "or" if wants(Rule::dots) && self.goes_on() => self.help_join(mark),
            "{" if previous == "count" => {
                Some(size_of(self.shown(self.index, self.closing(self.index)? + 1)))
            }
            _ if self.whole == Rule::whole_pattern && before == "betza" => self.help_betza(),
            _ if wants(Rule::kw_in) && before == "count" => self.help_count(),
            _ if wants(Rule::comma) && previous != "leap" && before == "leap" => self.help_leap(),
            _ if wants(Rule::int) && previous == "leap" => self.help_leap(),
            _ if wants(Rule::colon)
                && (mark == "then" || self.tokens.iter().take(self.index).any(|t| t.text == "do")) =>
            {
                let word = if mark == "then" { "then" } else { "do" };
                Some(format!("write `:` for `{word}`: `for x in S : ...`"))
            }
            _ => None,
        }
    }

    /// A misspelt word at the place of a walk.
    fn help_walk(&self, word: &str) -> Option<String> {
        let wanted = self.rules.contains(&Rule::pattern) || self.rules.contains(&Rule::walk);
        let near = nearest(word, WALKS).filter(|_| wanted)?;
        Some(format!("did you mean `{near}`?"))
    }

    /// `betza` and two words.
    fn help_betza(&self) -> Option<String> {
        let more = |token: &&Token<'_>| {
            let word = token.is_word() && !token.is_reserved() && !WALKS.contains(&token.text);
            word || token.is_number()
        };
        let rest: String =
            self.tokens.iter().skip(self.index).take_while(more).map(|token| token.text).collect();
        let word = short(&format!("{}{rest}", self.before(1)?.text));
        (!rest.is_empty()).then(|| format!("this notation is one word: write `betza {word}`"))
    }

    /// `S and T` where a set has to stand, or a condition behind a set.
    fn help_join(&self, mark: &str) -> Option<String> {
        let at = |i: usize| self.tokens.get(i).map_or("", |token| token.text);
        // What is further away is not shown, and a long rule is not read again and again for it.
        let near = self.index.saturating_sub(MAX_SHOWN_LETTERS)..self.index + MAX_SHOWN_LETTERS;
        let inside = |i: &usize| self.bracket(*i) == self.bracket(self.index);
        let level: Vec<usize> = near.filter(|i| *i < self.tokens.len()).filter(inside).collect();
        let before = |i: &&usize| **i < self.index && at(**i) == "in";
        let start = level.iter().rev().find(before)? + 1;
        let behind = |i: &&usize| {
            let ends = matches!(at(**i), "," | ";" | ":" | ")" | "}" | "]" | "and" | "or" | "then");
            **i > self.index && ends
        };
        let first = self.index + 1;
        let end = level.iter().find(behind).copied().unwrap_or(self.tokens.len());
        let has = |words: &[&str], from: usize, to: usize| {
            level.iter().any(|i| (from..to).contains(i) && words.contains(&at(*i)))
        };
        let [left, right] = [self.shown(start, self.index), self.shown(first, end)];
        let chosen = self.whole == Rule::whole_choose && self.bracket(self.index).is_none();
        if chosen && at(first + 1) == "in" {
            return Some(format!("choices are separated by `,`: write `{left}, {right}`"));
        }
        if has(&["in", "is", "=", "!=", "<", "<=", ">", ">="], first, end)
            || matches!(at(first), "some" | "no" | "every")
        {
            let what = "what stands behind `in` is a set";
            return Some(match chosen {
                true if mark == "and" => {
                    format!("{what}; a condition has a key of its own: write `where = \"{right}\"` below")
                }
                true => format!("{what}; a condition has a key of its own, `where`"),
                false => format!("`{mark}` joins conditions, and {what}"),
            });
        }
        let (sign, what, weaker): (_, _, &[&str]) = match mark {
            "and" => ("&", "in both sets", &["|", "+", "-", "otherwise"]),
            _ => ("|", "in one set or the other", &["otherwise"]),
        };
        let side = |text: &str, from: usize, to: usize| match has(weaker, from, to) {
            true => format!("({text})"),
            false => text.to_string(),
        };
        let (left, right) = (side(left, start, self.index), side(right, first, end));
        Some(format!("`{mark}` joins conditions; for what is {what} write `{left} {sign} {right}`"))
    }

    /// The text of the tokens of a range; three dots for a long one.
    fn shown(&self, from: usize, to: usize) -> &str {
        let tokens = self.tokens.get(from..to).unwrap_or_default();
        let text = match tokens {
            [first, .., last] => self.text.text().get(first.start..last.end()),
            [one] => Some(one.text),
            [] => None,
        };
        text.filter(|text| text.len() <= MAX_SHOWN_LETTERS && !text.contains(['\n', '"'])).unwrap_or("...")
    }

    /// `x = S` for `x in S`.
    fn help_in(&self) -> Option<String> {
        let (name, found) = (short(self.before(1)?.text), self.found()?);
        let near = |(_, token): &(usize, &Token<'_>)| token.start <= found.end() + MAX_SHOWN_LETTERS;
        let end = self.tokens.iter().enumerate().skip(self.index).take_while(near).find(|(i, token)| {
            matches!(token.text, "," | ":") && self.bracket(*i) == self.bracket(self.index)
        });
        let end = end.map_or(self.text.text().len(), |(_, token)| token.start);
        let set = self.text.text().get(found.end()..end)?.trim();
        let set =
            if set.is_empty() || set.len() > MAX_SHOWN_LETTERS || set.contains('\n') { "..." } else { set };
        Some(format!("what a name is chosen from stands after `in`: write `{name} in {set}`"))
    }

    /// `count S > n`: a set that is counted stands in brackets.
    fn help_count(&self) -> Option<String> {
        let ends = |text: &str| {
            matches!(
                text,
                "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | ")" | "," | ";" | ":" | "and" | "or" | "then"
            )
        };
        let (first, rest) = (self.before(1)?, self.tokens.iter().skip(self.index));
        let counted =
            rest.take_while(|token| !ends(token.text)).last().map_or(first.end(), |token| token.end());
        let counted =
            self.text.text().get(first.start..counted).filter(|text| text.len() <= MAX_SHOWN_LETTERS)?;
        Some(size_of(counted))
    }

    /// `leap (1,2)`: the numbers that are there, as they are written.
    fn help_leap(&self) -> Option<String> {
        let leap = (0..=self.index).rev().find(|i| self.tokens.get(*i).is_some_and(|t| t.text == "leap"))?;
        let mut numbers = self.tokens.iter().skip(leap + 1).filter(|t| t.is_number()).map(|t| t.text);
        let (a, b) = (numbers.next().unwrap_or("1"), numbers.next().unwrap_or("2"));
        Some(format!("a leap is two numbers with a comma between: `leap {},{}`", short(a), short(b)))
    }

    /// Marks of other languages.
    fn help_mark(&self, mark: &str) -> Option<String> {
        let advice = match mark {
            _ if mark.starts_with(|c: char| c.is_whitespace() || c.is_control()) => {
                "rules know only the plain blank, the tab and the line end: replace this character"
            }
            "==" => "one `=` compares: write `=`",
            "<>" => "write `!=`",
            "=>" => "write `>=`, or `->` for where something goes",
            "&&" => "write `and` for conditions, `&` for sets",
            "||" => "write `or` for conditions, `|` for sets",
            "!" => "write `not`",
            "**" => "write the product out: `n * n`",
            "++" => "write `+= 1`",
            ":=" => "write `=`",
            "\"" | "'" | "`" | "“" | "”" | "‘" | "’" => "names stand without quotes",
            "–" | "—" | "−" => "write `-` with blanks around it",
            "=" | "!=" | "<" | "<=" | ">" | ">="
                if self.goes_on() && !self.rules.contains(&mark_rule(mark)) =>
            {
                "comparisons do not chain: put one in brackets, or join two with `and`"
            }
            "~" => "`~` turns a relation round and needs a call: `~reach(S)`",
            "->" => "only `move` and `turn` have `->`",
            ";" if self.whole == Rule::whole_flow => "the parts of a flow are separated by `,`",
            ";" | "in" if self.whole == Rule::whole_choose && self.rules.contains(&Rule::comma) => {
                "choices are separated by `,`"
            }
            "," if self.whole == Rule::whole_effects && self.bracket(self.index).is_none() => {
                "effects are separated by `;`"
            }
            _ if self.before(1).is_some_and(|token| token.text == "-")
                && self.found().is_some_and(|token| !token.is_malformed())
                && self.rules == [Rule::int] =>
            {
                "only numbers have a sign; to negate a value, write `0 - n`"
            }
            _ => return None,
        };
        Some(advice.to_string())
    }

    /// Words at the wrong place.
    fn help_word(&self, word: &str) -> Option<String> {
        let seen = |word: &str| {
            let before = self.tokens.iter().take(self.index);
            before.filter(|token| token.text == word).count()
        };
        match word {
            "else" if seen("then") > seen("else") => self.help_else(),
            "else" => Some(
                "without `if` there is no `else`: the first set that is not empty is \
                 `a otherwise b`"
                    .to_string(),
            ),
            "and" | "or" if self.whole == Rule::whole_flow && self.goes_on() => {
                Some(format!("put the condition in brackets: `if (a {word} b)`"))
            }
            "and" | "or" if self.whole == Rule::whole_effects && self.goes_on() => {
                Some("put the expression in brackets".to_string())
            }
            "or" if self.whole == Rule::whole_flow => {
                Some("a choice begins with `either`: `either a or b`".to_string())
            }
            "if" if self.whole == Rule::whole_flow => {
                Some("in a flow the condition comes last: `a if condition`".to_string())
            }
            _ if self.rules.contains(&Rule::colon) && self.whole != Rule::whole_head => Some(
                "a name that ranges over a set needs `:` and what is said of it: \
                 `some x in S : condition`"
                    .to_string(),
            ),
            _ => None,
        }
    }

    /// `if a then b; else c` and `if a then b; c else d`: a `;` ends the whole `if`.
    fn help_else(&self) -> Option<String> {
        let then = self.tokens.iter().take(self.index).rposition(|token| token.text == "then")?;
        let inside = self.tokens.get(then + 1..self.index)?;
        if self.whole != Rule::whole_effects || inside.iter().all(|token| token.text != ";") {
            return None;
        }
        let (first, last) = (inside.first()?, inside.last()?);
        let end = if last.text == ";" { last.start } else { last.end() };
        let inner = self.text.text().get(first.start..end)?.trim();
        let told = match (inner.contains(';'), inner.len() <= MAX_SHOWN_LETTERS && !inner.contains('\n')) {
            (true, true) => format!("then ({inner}) else"),
            (false, true) => format!("then {inner} else"),
            (true, false) => "then (...) else".to_string(),
            (false, false) => "then ... else".to_string(),
        };
        Some(format!("`;` ends the whole `if`: write `{told}`"))
    }

    /// How the form that was begun goes on.
    fn help_form(&self) -> Option<String> {
        let wants = |rule: Rule| self.rules.contains(&rule);
        let advice = if self.found().is_some_and(|token| token.is_malformed()) {
            "names begin with a letter and have letters and digits, with hyphens between: `last-row`"
        } else if wants(Rule::into) {
            "write `move x -> y`, or `turn S -> PIECE`"
        } else if wants(Rule::kw_at) {
            "write `put PIECE at S`"
        } else if wants(Rule::kw_by) && self.whole == Rule::whole_effects {
            "write `carry S by RELATION`"
        } else if wants(Rule::kw_sides) {
            "write `swap sides`"
        } else if wants(Rule::add) && !self.wants_expression() && !wants(Rule::piece) {
            let verbs = VERBS.map(|verb| format!("`{verb}`")).join(", ");
            return Some(format!(
                "an effect is `v = e`, a call `name(...)`, or begins with {verbs}, `if`, `for` or `let`"
            ));
        } else if wants(Rule::kw_wins) && !wants(Rule::kw_else) && !wants(Rule::EOI) {
            "an outcome is `P wins`, `P loses`, `draw`, `score`, `places by N`, `pass` or `if c then .. else ..`"
        } else if wants(Rule::chain) {
            "a chain has at least two sites and no blanks: `a1-b1-c1`"
        } else if wants(Rule::semicolon) && self.found().is_some() {
            "effects are separated by `;`"
        } else {
            return None;
        };
        Some(advice.to_string())
    }

    /// Brackets after a word.
    fn help_call(&self, found: Token<'_>, previous: Token<'_>) -> Option<String> {
        let name = short(previous.text);
        match found.text {
            "(" | "[" if !previous.is_word() => None,
            "(" if matches!(previous.text, "sum" | "union" | "every") => {
                Some(format!("`{name}` speaks of the members of a set: `{name} x in S : ...`"))
            }
            "(" if previous.is_reserved() && previous.text != "count" => None,
            "(" if previous.end() < found.start && self.goes_on() => Some(format!(
                "a call has its bracket at once after the name: `{name}(`; for what is in both, \
                 write `{name} & (`"
            )),
            "(" if previous.end() < found.start => {
                Some(format!("a call has its bracket at once after the name: `{name}(`"))
            }
            "[" if previous.end() < found.start && !previous.is_reserved() => {
                Some(format!("an index has its bracket at once after the name: `{name}[`"))
            }
            _ => None,
        }
    }
}

/// How the size of a set is written.
fn size_of(set: &str) -> String {
    format!("the size of a set is written with brackets: `count({set})`")
}

/// The rule of a mark that compares.
fn mark_rule(mark: &str) -> Rule {
    match mark {
        "=" => Rule::equal,
        "!=" => Rule::unequal,
        "<" => Rule::less,
        "<=" => Rule::at_most,
        ">" => Rule::greater,
        _ => Rule::at_least,
    }
}
