//! A value of the tree to what its key holds.

use std::sync::Arc;

use super::model::{OptionValue, Template, Text};
use super::names;
use super::rules;
use super::schema::{Holds, Join};
use super::tree::{Kind, Node};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{FileId, Span};
use crate::syntax::ast::{self, Expr, ExprKind, Name};
use crate::syntax::text::RuleText;

/// What a key holds, parsed; names of players and of anything else are not looked up yet.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// A table of keys that was written down, perhaps an empty one.
    Table,
    /// It could not be read; that was reported.
    Broken,
    Text(Text),
    Texts(Vec<Text>),
    Int(i32),
    Count(u64),
    Counts(Vec<u64>),
    Bool(bool),
    Name(Name),
    Names(Vec<Name>),
    Sizes(Vec<Expr>),
    Chains(Vec<Vec<String>>),
    /// The labels of a walk.
    Walk(Vec<String>),
    Labels(Vec<String>),
    LabelsBy(Vec<(Name, Vec<String>)>),
    Expr(Expr),
    ExprBy(Vec<(Name, Expr, Span)>),
    Pattern(ast::Pattern),
    Effects(ast::Effects),
    Flow(ast::Flow),
    Flows(Vec<(ast::Flow, Span)>),
    Outcome(ast::Outcome),
    Choose(ast::Choose),
    Template(Template),
    Picture(RuleText),
    TextBy(Vec<(Name, Text)>),
    Pair(i32, i32),
    Values(Vec<(OptionValue, Span)>),
    Options(Vec<(Name, OptionValue)>),
    Scores(Vec<(Option<Name>, i32)>),
}

/// Reads values of one file.
pub(super) struct Values<'a> {
    /// The file's text.
    pub source: Arc<str>,
    /// The file.
    pub file: FileId,
    /// Where mistakes go.
    pub out: &'a mut Diagnostics,
}

impl Value {
    /// A rule as its parts, each printed: effects one by one, the walks of a pattern, else the whole. What can
    /// be lost if it is replaced: none where it is no rule, or says no more than a constant.
    pub fn parts(&self) -> Vec<String> {
        let mut parts: Vec<String> = match self {
            Value::Expr(e) => vec![e.to_string()],
            Value::ExprBy(list) => list.iter().map(|(_, e, _)| e.to_string()).collect(),
            Value::Pattern(p) => p.walks.iter().map(ToString::to_string).collect(),
            Value::Effects(e) => e.0.iter().map(ToString::to_string).collect(),
            Value::Flow(f) => vec![f.to_string()],
            Value::Flows(list) => list.iter().map(|(f, _)| f.to_string()).collect(),
            _ => Vec::new(),
        };
        let constant =
            |t: &str| !t.contains(char::is_alphabetic) || ["true", "false", "none", "all"].contains(&t);
        parts.retain(|text| !constant(text));
        parts
    }

    /// The names that a rule says, and some other words of the language.
    pub fn words(&self) -> Vec<String> {
        let text = match self {
            Value::Expr(e) => e.to_string(),
            Value::ExprBy(list) => list.iter().map(|(_, e, _)| format!("{e} ")).collect(),
            Value::Pattern(p) => p.to_string(),
            Value::Effects(e) => e.to_string(),
            Value::Flow(f) => f.to_string(),
            Value::Flows(list) => list.iter().map(|(f, _)| format!("{f} ")).collect(),
            Value::Outcome(o) => o.to_string(),
            Value::Choose(c) => c.to_string(),
            Value::Name(n) => n.text.clone(),
            _ => String::new(),
        };
        let word = |c: char| c.is_alphanumeric() || c == '-';
        let words = text.split(|c: char| !word(c)).filter(|w| !w.is_empty());
        words.map(str::to_string).collect()
    }
}

impl Values<'_> {
    /// The value of a key, or of what joins it.
    pub fn read(&mut self, node: &Node, holds: Holds, join: Option<Join>) -> Value {
        match self.try_read(node, holds, join) {
            Ok(value) => value,
            Err(diagnostic) => {
                self.out.push(*diagnostic);
                Value::Broken
            }
        }
    }

    fn try_read(&mut self, node: &Node, holds: Holds, join: Option<Join>) -> Result<Value, Box<Diagnostic>> {
        let wrong = || Box::new(wrong_type(node, &holds.describe()));
        let value = match holds {
            Holds::Text => Value::Text(text(node).ok_or_else(wrong)?),
            Holds::Texts => Value::Texts(self.texts(node, holds)?),
            Holds::Int => Value::Int(int(node).ok_or_else(wrong)??),
            Holds::Seed => Value::Count(count(node).ok_or_else(wrong)??),
            Holds::Ints => Value::Counts(match &node.kind {
                Kind::List(nodes) => self.each(nodes, |_, n| {
                    count(n).unwrap_or_else(|| Err(Box::new(wrong_type(n, "an integer"))))
                }),
                _ => vec![count(node).ok_or_else(wrong)??],
            }),
            Holds::Bool => match node.kind {
                Kind::Bool(value) => Value::Bool(value),
                _ => return Err(wrong()),
            },
            Holds::Name => Value::Name(self.name(node, "anything").ok_or_else(wrong)??),
            Holds::Names => match &node.kind {
                Kind::List(nodes) => Value::Names(self.each(nodes, |this, n| {
                    this.name(n, "anything").unwrap_or_else(|| Err(Box::new(wrong_type(n, "a name"))))
                })),
                // What joins a list may be a single entry.
                _ if join.is_some() => Value::Names(vec![self.name(node, "anything").ok_or_else(wrong)??]),
                _ => return Err(wrong()),
            },
            Holds::Type => {
                let text = text(node).ok_or_else(wrong)?;
                let bare = text.text.strip_suffix('?').unwrap_or(&text.text);
                let span = self.inside(node, 0..text.text.len());
                if !names::is_identifier(bare) {
                    let message = format!("`{}` is not the name of a type", text.text);
                    return Err(Box::new(Diagnostic::error("bad-name", span, message)));
                }
                Value::Name(Name { text: text.text, span })
            }
            Holds::OneOf(words) => Value::Name(self.one_of(node, words).ok_or_else(wrong)??),
            Holds::SomeOf(words) => Value::Names(match &node.kind {
                Kind::List(nodes) => self.each(nodes, |this, n| {
                    this.one_of(n, words).unwrap_or_else(|| Err(Box::new(wrong_type(n, "a string"))))
                }),
                _ => vec![self.one_of(node, words).ok_or_else(wrong)??],
            }),
            Holds::Size => Value::Sizes(vec![self.size(node).ok_or_else(wrong)??]),
            Holds::Sizes => match &node.kind {
                Kind::List(nodes) if nodes.len() == 2 => {
                    let sizes = self.each(nodes, |this, n| {
                        let expected = Holds::Size.describe();
                        this.size(n).unwrap_or_else(|| Err(Box::new(wrong_type(n, &expected))))
                    });
                    if sizes.len() != 2 {
                        return Ok(Value::Broken);
                    }
                    Value::Sizes(sizes)
                }
                _ => return Err(wrong()),
            },
            Holds::Sites => Value::Labels(self.sites(node, holds)?),
            Holds::Chains => Value::Chains(self.chains(node, holds)?),
            Holds::Direction => self.direction(node).ok_or_else(wrong)??,
            Holds::Expr | Holds::Condition => Value::Expr(self.expr(node, false).ok_or_else(wrong)??),
            Holds::IntExpr => match node.kind {
                Kind::Bool(_) => return Err(wrong()),
                _ => Value::Expr(self.expr(node, true).ok_or_else(wrong)??),
            },
            Holds::ExprByPlayer | Holds::Start => {
                let loose = holds == Holds::Start;
                match &node.kind {
                    Kind::Table(entries) if !entries.is_empty() => {
                        let mut found = Vec::new();
                        for (key, node) in entries {
                            let expected = "a string with an expression";
                            let read = self
                                .expr(node, loose)
                                .unwrap_or_else(|| Err(Box::new(wrong_type(node, expected))));
                            match read {
                                Ok(expr) => found.push((key_name(key), expr, node.span)),
                                Err(diagnostic) => self.out.push(*diagnostic),
                            }
                        }
                        if found.len() != entries.len() {
                            return Ok(Value::Broken);
                        }
                        Value::ExprBy(found)
                    }
                    _ => Value::Expr(self.expr(node, loose).ok_or_else(wrong)??),
                }
            }
            Holds::Pattern => Value::Pattern(self.rule(node, rules::pattern).ok_or_else(wrong)??),
            Holds::Trait => match &node.kind {
                Kind::Bool(value) if join.is_none() => Value::Bool(*value),
                Kind::Int(_) if join.is_none() => Value::Int(int(node).ok_or_else(wrong)??),
                Kind::Text(text) if join.is_none() && text != "none" && names::is_identifier(text) => {
                    let span = self.inside(node, 0..text.len());
                    Value::Name(Name { text: text.clone(), span })
                }
                _ => Value::Pattern(self.rule(node, rules::pattern).ok_or_else(wrong)??),
            },
            Holds::Picture => match &node.kind {
                Kind::Text(_) => Value::Picture(self.rule_text(node)),
                _ => return Err(wrong()),
            },
            Holds::Effects => Value::Effects(self.rule(node, rules::effects).ok_or_else(wrong)??),
            Holds::Flow => Value::Flow(self.rule(node, rules::flow).ok_or_else(wrong)??),
            Holds::Flows => Value::Flows(match &node.kind {
                Kind::List(nodes) => {
                    let flows = self.each(nodes, |this, n| {
                        let expected = Holds::Flow.describe();
                        let flow = this
                            .rule(n, rules::flow)
                            .unwrap_or_else(|| Err(Box::new(wrong_type(n, &expected))))?;
                        Ok((flow, n.span))
                    });
                    if flows.len() != nodes.len() {
                        return Ok(Value::Broken);
                    }
                    flows
                }
                _ if join.is_some() => {
                    vec![(self.rule(node, rules::flow).ok_or_else(wrong)??, node.span)]
                }
                _ => return Err(wrong()),
            }),
            Holds::Outcome => Value::Outcome(self.rule(node, rules::outcome).ok_or_else(wrong)??),
            Holds::Choose => Value::Choose(self.rule(node, rules::choose).ok_or_else(wrong)??),
            Holds::Template => Value::Template(self.template(node).ok_or_else(wrong)??),
            Holds::TextByPlayer | Holds::Letters => match &node.kind {
                Kind::Table(entries) => {
                    let mut found = Vec::new();
                    for (key, node) in entries {
                        match text(node) {
                            Some(text) => found.push((key_name(key), text)),
                            None => self.out.push(wrong_type(node, "a string")),
                        }
                    }
                    Value::TextBy(found)
                }
                _ => return Err(wrong()),
            },
            Holds::Range => {
                let text = text(node).ok_or_else(wrong)?;
                let ends = text
                    .text
                    .split_once("..")
                    .and_then(|(lo, hi)| Some((lo.trim().parse::<i32>().ok()?, hi.trim().parse().ok()?)));
                match ends {
                    Some((lo, hi)) if lo <= hi => Value::Pair(lo, hi),
                    _ => {
                        let message = format!("`{}` is not a range such as `0..99`", text.text);
                        let found = Diagnostic::error("bad-range", node.span, message);
                        return Err(Box::new(found));
                    }
                }
            }
            Holds::Ends => match &node.kind {
                Kind::List(nodes) if nodes.len() == 2 => {
                    let ends = self.each(nodes, |_, n| {
                        int(n).unwrap_or_else(|| Err(Box::new(wrong_type(n, "an integer"))))
                    });
                    match ends[..] {
                        [lo, hi] if lo <= hi => Value::Pair(lo, hi),
                        [lo, hi] => {
                            let message = format!("{lo} is greater than {hi}");
                            let found = Diagnostic::error("bad-range", node.span, message)
                                .help("write the least value first");
                            return Err(Box::new(found));
                        }
                        _ => Value::Broken,
                    }
                }
                _ => return Err(wrong()),
            },
            Holds::Value => Value::Values(vec![(option_value(node).ok_or_else(wrong)??, node.span)]),
            Holds::Values => match &node.kind {
                Kind::List(nodes) if !nodes.is_empty() => Value::Values(self.each(nodes, |_, n| {
                    let expected = "a word or an integer";
                    let value = option_value(n).unwrap_or_else(|| Err(Box::new(wrong_type(n, expected))))?;
                    Ok((value, n.span))
                })),
                _ => return Err(wrong()),
            },
            Holds::ValueTable => match &node.kind {
                Kind::Table(entries) => {
                    let mut found = Vec::new();
                    for (key, node) in entries {
                        match option_value(node) {
                            Some(Ok(value)) => found.push((key_name(key), value)),
                            Some(Err(diagnostic)) => self.out.push(*diagnostic),
                            None => self.out.push(wrong_type(node, &Holds::Value.describe())),
                        }
                    }
                    Value::Options(found)
                }
                _ => return Err(wrong()),
            },
            Holds::Scores => {
                let entries: Vec<(Option<Name>, &Node)> = match &node.kind {
                    Kind::List(nodes) => nodes.iter().map(|n| (None, n)).collect(),
                    Kind::Table(entries) => entries.iter().map(|(key, n)| (Some(key_name(key)), n)).collect(),
                    _ => return Err(wrong()),
                };
                let mut found = Vec::new();
                for (name, node) in entries {
                    match int(node) {
                        Some(Ok(number)) => found.push((name, number)),
                        Some(Err(diagnostic)) => self.out.push(*diagnostic),
                        None => self.out.push(wrong_type(node, "an integer")),
                    }
                }
                Value::Scores(found)
            }
            Holds::Overlay => return Err(wrong()),
        };
        Ok(value)
    }

    /// All entries of a list that can be read; the others are reported.
    fn each<T>(
        &mut self,
        nodes: &[Node],
        mut read: impl FnMut(&mut Self, &Node) -> Result<T, Box<Diagnostic>>,
    ) -> Vec<T> {
        let mut found = Vec::new();
        for node in nodes {
            match read(self, node) {
                Ok(value) => found.push(value),
                Err(diagnostic) => self.out.push(*diagnostic),
            }
        }
        found
    }

    /// A rule string, or none where there is no string.
    fn rule<T>(&mut self, node: &Node, parse: rules::Parser<T>) -> Option<Found<T>> {
        let Kind::Text(text) = &node.kind else {
            return None;
        };
        if text.trim().is_empty() {
            let found = Diagnostic::error("empty-rule", node.span, "this string is empty")
                .help("leave the key out, or take it out with `drop`");
            return Some(Err(Box::new(found)));
        }
        Some(parse(&self.source, self.file, node.span).map_err(Box::new))
    }

    /// An expression; `loose`: integers and booleans too.
    fn expr(&mut self, node: &Node, loose: bool) -> Option<Found<Expr>> {
        let kind = match node.kind {
            Kind::Int(_) if loose => match int(node)? {
                Ok(number) => ExprKind::Int(number),
                Err(diagnostic) => return Some(Err(diagnostic)),
            },
            Kind::Bool(value) if loose => ExprKind::Name(value.to_string()),
            _ => return self.rule(node, rules::expr),
        };
        Some(Ok(Expr { kind, span: node.span }))
    }

    fn size(&mut self, node: &Node) -> Option<Found<Expr>> {
        match node.kind {
            Kind::Int(_) | Kind::Text(_) => self.expr(node, true),
            _ => None,
        }
    }

    fn name(&mut self, node: &Node, what: &str) -> Option<Found<Name>> {
        let text = text(node)?;
        let span = self.inside(node, 0..text.text.len());
        Some(match names::check(&text.text, span, what) {
            Ok(()) => Ok(Name { text: text.text, span }),
            Err(diagnostic) => Err(Box::new(diagnostic)),
        })
    }

    fn one_of(&mut self, node: &Node, words: &'static [&'static str]) -> Option<Found<Name>> {
        let text = text(node)?;
        let span = self.inside(node, 0..text.text.len());
        if words.contains(&text.text.as_str()) {
            return Some(Ok(Name { text: text.text, span }));
        }
        let expected = Holds::OneOf(words).describe();
        let message = format!("expected {expected}, found `\"{}\"`", text.text);
        let found = Diagnostic::error("wrong-value", span, message);
        Some(Err(Box::new(found.suggest(&text.text, words.iter().copied()))))
    }

    fn texts(&mut self, node: &Node, holds: Holds) -> Found<Vec<Text>> {
        let Kind::List(nodes) = &node.kind else {
            return Err(Box::new(wrong_type(node, &holds.describe())));
        };
        Ok(self.each(nodes, |_, n| text(n).ok_or_else(|| Box::new(wrong_type(n, "a string")))))
    }

    fn sites(&mut self, node: &Node, holds: Holds) -> Found<Vec<String>> {
        let texts = match &node.kind {
            Kind::List(_) => self.texts(node, holds)?,
            _ => vec![text(node).ok_or_else(|| Box::new(wrong_type(node, &holds.describe())))?],
        };
        let mut found = Vec::new();
        for text in texts {
            for word in text.text.split_whitespace() {
                if word.bytes().all(|b| b.is_ascii_alphanumeric()) {
                    found.push(word.to_string());
                } else {
                    let message = format!("`{word}` is not the name of a site");
                    self.out.push(Diagnostic::error("bad-name", text.span, message));
                }
            }
        }
        Ok(found)
    }

    /// `a1-b1-c1 d1-e1`, or a list of such strings.
    fn chains(&mut self, node: &Node, holds: Holds) -> Found<Vec<Vec<String>>> {
        let texts = match &node.kind {
            Kind::List(_) => self.texts(node, holds)?,
            _ => vec![text(node).ok_or_else(|| Box::new(wrong_type(node, &holds.describe())))?],
        };
        let mut found = Vec::new();
        for text in texts {
            for word in text.text.split_whitespace() {
                let chain: Vec<String> = word.split('-').map(str::to_string).collect();
                let good =
                    |site: &String| !site.is_empty() && site.bytes().all(|b| b.is_ascii_alphanumeric());
                if chain.len() > 1 && chain.iter().all(good) {
                    found.push(chain);
                } else {
                    let message = format!("`{word}` is not a chain of sites such as `a1-b1-c1`");
                    self.out.push(Diagnostic::error("bad-chain", text.span, message));
                }
            }
        }
        Ok(found)
    }

    fn direction(&mut self, node: &Node) -> Option<Found<Value>> {
        match &node.kind {
            Kind::Text(text) if matches!(text.split_whitespace().next(), Some("pairs" | "walk")) => {
                let pattern = match self.rule(node, rules::pattern)? {
                    Ok(pattern) => pattern,
                    Err(diagnostic) => return Some(Err(diagnostic)),
                };
                let [walk] = &pattern.walks[..] else {
                    let message = "a direction is one list of pairs, or one walk";
                    let found = Diagnostic::error("bad-direction", node.span, message);
                    return Some(Err(Box::new(found)));
                };
                match &walk.kind {
                    ast::WalkKind::Pairs(chains) if walk.clauses.is_empty() => {
                        let plain = |chain: &Vec<Name>| chain.iter().map(|site| site.text.clone()).collect();
                        Some(Ok(Value::Chains(chains.iter().map(plain).collect())))
                    }
                    ast::WalkKind::Walk(names) if walk.clauses.is_empty() => {
                        Some(Ok(Value::Walk(names.iter().map(|name| name.text.clone()).collect())))
                    }
                    _ => {
                        let message = "a direction of pairs or of a walk has no conditions";
                        let found = Diagnostic::error("bad-direction", walk.span, message);
                        Some(Err(Box::new(found)))
                    }
                }
            }
            Kind::Text(_) => Some(self.labels(node).map(Value::Labels)),
            Kind::Table(entries) if !entries.is_empty() => {
                let mut found = Vec::new();
                for (key, node) in entries {
                    match self.labels(node) {
                        Ok(labels) => found.push((key_name(key), labels)),
                        Err(diagnostic) => self.out.push(*diagnostic),
                    }
                }
                if found.len() != entries.len() {
                    return Some(Ok(Value::Broken));
                }
                Some(Ok(Value::LabelsBy(found)))
            }
            _ => None,
        }
    }

    fn labels(&mut self, node: &Node) -> Found<Vec<String>> {
        let text = text(node).ok_or_else(|| Box::new(wrong_type(node, "a string with labels")))?;
        let labels: Vec<String> = text.text.split_whitespace().map(str::to_string).collect();
        if labels.is_empty() {
            let message = "expected at least one label, found an empty string";
            return Err(Box::new(Diagnostic::error("bad-direction", node.span, message)));
        }
        match labels.iter().find(|label| !names::is_identifier(label)) {
            Some(label) => Err(Box::new(Diagnostic::error(
                "bad-name",
                node.span,
                format!("`{label}` is not the name of a direction"),
            ))),
            None => Ok(labels),
        }
    }

    /// The place of a stretch of a string's letters.
    pub(super) fn inside(&self, node: &Node, range: std::ops::Range<usize>) -> Span {
        self.rule_text(node).span(range.start, range.end)
    }

    /// A string with the places of its letters.
    fn rule_text(&self, node: &Node) -> RuleText {
        let raw = node.span.start as usize..node.span.end as usize;
        RuleText::from_toml(&self.source, self.file, raw)
    }
}

/// What was read, or why not.
pub(super) type Found<T> = Result<T, Box<Diagnostic>>;

/// `expected a string, found an integer`.
pub(super) fn wrong_type(node: &Node, expected: &str) -> Diagnostic {
    let message = format!("expected {expected}, found {}", node.what());
    Diagnostic::error("wrong-type", node.span, message)
}

/// A key as a name.
pub(super) fn key_name(key: &super::tree::Key) -> Name {
    Name { text: key.text.clone(), span: key.span }
}

fn text(node: &Node) -> Option<Text> {
    match &node.kind {
        Kind::Text(text) => Some(Text { text: text.clone(), span: node.span }),
        _ => None,
    }
}

fn int(node: &Node) -> Option<Found<i32>> {
    let Kind::Int(number) = node.kind else {
        return None;
    };
    let small = number.and_then(|n| i32::try_from(n).ok());
    Some(small.ok_or_else(|| {
        let message = "this integer has more than 32 bits";
        Box::new(Diagnostic::error("too-large", node.span, message))
    }))
}

fn count(node: &Node) -> Option<Found<u64>> {
    let Kind::Int(number) = node.kind else {
        return None;
    };
    let found = number.and_then(|n| u64::try_from(n).ok());
    Some(found.ok_or_else(|| {
        let message = "expected an integer that is not negative and has at most 63 bits";
        Box::new(Diagnostic::error("wrong-value", node.span, message))
    }))
}

fn option_value(node: &Node) -> Option<Found<OptionValue>> {
    Some(match &node.kind {
        Kind::Text(word) => names::check(word, node.span, "a value")
            .map(|()| OptionValue::Word(word.clone()))
            .map_err(Box::new),
        Kind::Bool(value) => Ok(OptionValue::Flag(*value)),
        Kind::Int(_) => int(node)?.map(OptionValue::Number),
        _ => return None,
    })
}
