//! Reads the value of a key from the tree.

use std::sync::Arc;

use super::model::{OptionValue, Template, Text};
use super::names;
use super::schema::{Holds, Join, one_of};
use super::tree::{Key, Kind, Node};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::{FileId, Span};
use crate::syntax::ast::{self, Expr, ExprKind, Name};
use crate::syntax::parse;
use crate::syntax::text::RuleText;
use crate::wording::{is_identifier, is_site};

/// The value of a key, parsed. Names in it are not looked up yet.
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
    Pair((i32, i32)),
    Values(Vec<(OptionValue, Span)>),
    Options(Vec<(Name, OptionValue)>),
    Scores(Vec<(Option<Name>, i32)>),
}

/// The content of one form of [`Value`].
pub(super) trait Held: Sized {
    /// The content of a value, if it is of that form.
    fn of(value: &Value) -> Option<&Self>;
}

/// Declares the contents of the forms of values.
macro_rules! held {
    ($($form:ident: $of:ty,)*) => {
        $(impl Held for $of {
            fn of(value: &Value) -> Option<&$of> {
                match value {
                    Value::$form(held) => Some(held),
                    _ => None,
                }
            }
        })*
    };
}

held! {
    Text: Text,
    Texts: Vec<Text>,
    Int: i32,
    Count: u64,
    Counts: Vec<u64>,
    Bool: bool,
    Name: Name,
    Names: Vec<Name>,
    Sizes: Vec<Expr>,
    Chains: Vec<Vec<String>>,
    Labels: Vec<String>,
    Expr: Expr,
    Pattern: ast::Pattern,
    Effects: ast::Effects,
    Flow: ast::Flow,
    Flows: Vec<(ast::Flow, Span)>,
    Outcome: ast::Outcome,
    Choose: ast::Choose,
    Template: Template,
    Picture: RuleText,
    TextBy: Vec<(Name, Text)>,
    Pair: (i32, i32),
    Values: Vec<(OptionValue, Span)>,
    Options: Vec<(Name, OptionValue)>,
    Scores: Vec<(Option<Name>, i32)>,
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
    /// The parts of a rule that are lost if it is replaced, each printed: effects one by one, the walks of a
    /// pattern, else the whole. Constants do not count; a value that is no rule has no parts.
    pub fn parts(&self) -> Vec<String> {
        let mut parts = self.printed();
        let constant =
            |t: &str| !t.contains(char::is_alphabetic) || ["true", "false", "none", "all"].contains(&t);
        parts.retain(|text| !constant(text));
        parts
    }

    /// The names in a rule, and some other words of the language.
    pub fn words(&self) -> Vec<String> {
        let texts = match self {
            Value::Outcome(o) => vec![o.to_string()],
            Value::Choose(c) => vec![c.to_string()],
            Value::Name(n) => vec![n.text.clone()],
            _ => self.printed(),
        };
        let word = |c: char| c.is_alphanumeric() || c == '-';
        let words = texts.iter().flat_map(|text| text.split(|c: char| !word(c))).filter(|w| !w.is_empty());
        words.map(str::to_string).collect()
    }

    /// The parts of a rule that can be joined, each printed.
    fn printed(&self) -> Vec<String> {
        match self {
            Value::Expr(e) => vec![e.to_string()],
            Value::ExprBy(list) => list.iter().map(|(_, e, _)| e.to_string()).collect(),
            Value::Pattern(p) => p.walks.iter().map(ToString::to_string).collect(),
            Value::Effects(e) => e.0.iter().map(ToString::to_string).collect(),
            Value::Flow(f) => vec![f.to_string()],
            Value::Flows(list) => list.iter().map(|(f, _)| f.to_string()).collect(),
            _ => Vec::new(),
        }
    }
}

impl Values<'_> {
    /// The value of a key, or of a join of it.
    pub fn read(&mut self, node: &Node, holds: Holds, join: Option<Join>) -> Value {
        match self.try_read(node, holds, join) {
            Ok(value) => value,
            Err(diagnostic) => {
                self.out.push(*diagnostic);
                Value::Broken
            }
        }
    }

    fn try_read(&mut self, node: &Node, holds: Holds, join: Option<Join>) -> Found<Value> {
        let expected = &*holds.describe();
        let string = "a string";
        Ok(match holds {
            Holds::Text => Value::Text(self.text(node, expected)?),
            Holds::Texts => Value::Texts(self.list(node, expected, string, false, Self::text)?),
            Holds::Int => Value::Int(self.int(node, expected)?),
            Holds::Seed => Value::Count(self.count(node, expected)?),
            Holds::Ints => Value::Counts(self.list(node, expected, "an integer", true, Self::count)?),
            Holds::Bool => match node.kind {
                Kind::Bool(value) => Value::Bool(value),
                _ => return Err(wrong(node, expected)),
            },
            Holds::Name => Value::Name(self.name(node, expected)?),
            // A join of a list may be a single entry.
            Holds::Names => Value::Names(self.list(node, expected, "a name", join.is_some(), Self::name)?),
            Holds::Type => {
                let name = self.word(node, expected)?;
                if !is_identifier(name.text.strip_suffix('?').unwrap_or(&name.text)) {
                    let message = format!("`{name}` is not the name of a type");
                    return Err(Box::new(Diagnostic::error("bad-name", name.span, message)));
                }
                Value::Name(name)
            }
            Holds::OneOf(words) => Value::Name(self.one_of(node, words, expected)?),
            Holds::SomeOf(words) => {
                Value::Names(self.list(node, expected, string, true, |this, n, e| this.one_of(n, words, e))?)
            }
            Holds::Size => Value::Sizes(vec![self.number(node, expected)?]),
            Holds::Sizes => match &node.kind {
                Kind::List(nodes) if nodes.len() == 2 => {
                    let size = Holds::Size.describe();
                    match self.each(nodes, |this, n| this.number(n, &size)) {
                        sizes if sizes.len() == 2 => Value::Sizes(sizes),
                        _ => Value::Broken,
                    }
                }
                _ => return Err(wrong(node, expected)),
            },
            Holds::Sites => Value::Labels(self.sites(node, expected)?),
            Holds::Chains => Value::Chains(self.chains(node, expected)?),
            Holds::Direction => self.direction(node, expected)?,
            Holds::Expr | Holds::Condition => Value::Expr(self.rule(node, parse::expr, expected)?),
            Holds::IntExpr => Value::Expr(self.number(node, expected)?),
            Holds::ExprByPlayer | Holds::Start => {
                let read = match holds {
                    Holds::Start => Self::start,
                    _ => |this: &Self, n: &Node, e: &str| this.rule(n, parse::expr, e),
                };
                match &node.kind {
                    Kind::Table(entries) if !entries.is_empty() => {
                        let found = self.each(entries, |this, (key, n)| {
                            Ok((key_name(key), read(this, n, "a string with an expression")?, n.span))
                        });
                        match found.len() == entries.len() {
                            true => Value::ExprBy(found),
                            false => Value::Broken,
                        }
                    }
                    _ => Value::Expr(read(self, node, expected)?),
                }
            }
            Holds::Pattern => Value::Pattern(self.rule(node, parse::pattern, expected)?),
            Holds::Trait => match &node.kind {
                Kind::Bool(value) if join.is_none() => Value::Bool(*value),
                Kind::Int(_) if join.is_none() => Value::Int(self.int(node, expected)?),
                Kind::Text(text) if join.is_none() && text != "none" && is_identifier(text) => {
                    Value::Name(self.word(node, expected)?)
                }
                _ => Value::Pattern(self.rule(node, parse::pattern, expected)?),
            },
            Holds::Picture => match &node.kind {
                Kind::Text(_) => Value::Picture(self.rule_text(node)),
                _ => return Err(wrong(node, expected)),
            },
            Holds::Effects => Value::Effects(self.rule(node, parse::effects, expected)?),
            Holds::Flow => Value::Flow(self.rule(node, parse::flow, expected)?),
            Holds::Flows => {
                let flow = Holds::Flow.describe();
                let read = |this: &Self, n: &Node, e: &str| Ok((this.rule(n, parse::flow, e)?, n.span));
                let flows = self.list(node, expected, &flow, join.is_some(), read)?;
                match &node.kind {
                    Kind::List(nodes) if flows.len() != nodes.len() => Value::Broken,
                    _ => Value::Flows(flows),
                }
            }
            Holds::Outcome => Value::Outcome(self.rule(node, parse::outcome, expected)?),
            Holds::Choose => Value::Choose(self.rule(node, parse::choose, expected)?),
            Holds::Template => Value::Template(self.template(node, expected)?),
            Holds::TextByPlayer | Holds::Letters => {
                Value::TextBy(self.table(node, expected, |this, n| this.text(n, string))?)
            }
            Holds::Range => {
                let text = self.text(node, expected)?;
                let ends = text.text.split_once("..");
                let ends = ends.and_then(|(lo, hi)| Some((lo.trim().parse().ok()?, hi.trim().parse().ok()?)));
                let Some(ends) = ends.filter(|(lo, hi)| lo <= hi) else {
                    let message = format!("`{}` is not a range such as `0..99`", text.text);
                    return Err(Box::new(Diagnostic::error("bad-range", node.span, message)));
                };
                Value::Pair(ends)
            }
            Holds::Ends => match &node.kind {
                Kind::List(nodes) if nodes.len() == 2 => {
                    match self.each(nodes, |this, n| this.int(n, "an integer"))[..] {
                        [lo, hi] if lo <= hi => Value::Pair((lo, hi)),
                        [lo, hi] => {
                            let message = format!("{lo} is greater than {hi}");
                            let found = Diagnostic::error("bad-range", node.span, message);
                            return Err(Box::new(found.help("write the least value first")));
                        }
                        _ => Value::Broken,
                    }
                }
                _ => return Err(wrong(node, expected)),
            },
            Holds::Value => Value::Values(vec![(self.option_value(node, expected)?, node.span)]),
            Holds::Values => match &node.kind {
                Kind::List(nodes) if nodes.is_empty() => {
                    let message = "this list is empty";
                    return Err(Box::new(
                        Diagnostic::error("option", node.span, message)
                            .help("an option has at least one value"),
                    ));
                }
                Kind::List(nodes) => Value::Values(
                    self.each(nodes, |this, n| Ok((this.option_value(n, "a word or an integer")?, n.span))),
                ),
                _ => return Err(wrong(node, expected)),
            },
            Holds::ValueTable => {
                let value = Holds::Value.describe();
                Value::Options(self.table(node, expected, |this, n| this.option_value(n, &value))?)
            }
            Holds::Scores => Value::Scores(match &node.kind {
                Kind::List(nodes) => self.each(nodes, |this, n| Ok((None, this.int(n, "an integer")?))),
                _ => {
                    let scores = self.table(node, expected, |this, n| this.int(n, "an integer"))?;
                    scores.into_iter().map(|(name, score)| (Some(name), score)).collect()
                }
            }),
            Holds::Overlay => return Err(wrong(node, expected)),
        })
    }

    /// All items that can be read; the others are reported.
    fn each<I, T>(&mut self, items: &[I], read: impl Fn(&Self, &I) -> Found<T>) -> Vec<T> {
        let mut found = Vec::new();
        for item in items {
            match read(self, item) {
                Ok(value) => found.push(value),
                Err(diagnostic) => self.out.push(*diagnostic),
            }
        }
        found
    }

    /// The entries of a list; with `single`, one entry may stand for a list.
    fn list<T>(
        &mut self,
        node: &Node,
        expected: &str,
        entry: &str,
        single: bool,
        read: impl Fn(&Self, &Node, &str) -> Found<T>,
    ) -> Found<Vec<T>> {
        match &node.kind {
            Kind::List(nodes) => Ok(self.each(nodes, |this, node| read(this, node, entry))),
            _ if single => Ok(vec![read(self, node, expected)?]),
            _ => Err(wrong(node, expected)),
        }
    }

    /// The entries of a table.
    fn table<T>(
        &mut self,
        node: &Node,
        expected: &str,
        read: impl Fn(&Self, &Node) -> Found<T>,
    ) -> Found<Vec<(Name, T)>> {
        match &node.kind {
            Kind::Table(entries) => {
                Ok(self.each(entries, |this, (key, node)| Ok((key_name(key), read(this, node)?))))
            }
            _ => Err(wrong(node, expected)),
        }
    }

    /// A rule string.
    fn rule<T>(
        &self,
        node: &Node,
        parse: fn(&RuleText) -> Result<T, Diagnostic>,
        expected: &str,
    ) -> Found<T> {
        let Kind::Text(text) = &node.kind else { return Err(wrong(node, expected)) };
        if text.trim().is_empty() {
            let found = Diagnostic::error("empty-rule", node.span, "this string is empty")
                .help("leave the key out, or take it out with `drop`");
            return Err(Box::new(found));
        }
        parse(&self.rule_text(node)).map_err(Box::new)
    }

    /// An expression, an integer or a boolean.
    fn start(&self, node: &Node, expected: &str) -> Found<Expr> {
        let kind = match node.kind {
            Kind::Int(_) => ExprKind::Int(self.int(node, expected)?),
            Kind::Bool(value) => ExprKind::Name(value.to_string()),
            _ => return self.rule(node, parse::expr, expected),
        };
        Ok(Expr { kind, span: node.span })
    }

    /// An expression or an integer.
    fn number(&self, node: &Node, expected: &str) -> Found<Expr> {
        match node.kind {
            Kind::Bool(_) => Err(wrong(node, expected)),
            _ => self.start(node, expected),
        }
    }

    pub(super) fn text(&self, node: &Node, expected: &str) -> Found<Text> {
        match &node.kind {
            Kind::Text(text) => Ok(Text { text: text.clone(), span: node.span }),
            _ => Err(wrong(node, expected)),
        }
    }

    /// A string that is one word, with the place of its letters.
    fn word(&self, node: &Node, expected: &str) -> Found<Name> {
        let text = self.text(node, expected)?.text;
        let span = self.inside(node, 0..text.len());
        Ok(Name { text, span })
    }

    fn name(&self, node: &Node, expected: &str) -> Found<Name> {
        let name = self.word(node, expected)?;
        names::check(&name.text, name.span, "anything")?;
        Ok(name)
    }

    fn one_of(&self, node: &Node, words: &[&str], expected: &str) -> Found<Name> {
        let name = self.word(node, expected)?;
        if words.contains(&name.text.as_str()) {
            return Ok(name);
        }
        let message = format!("expected {}, found `\"{name}\"`", one_of(words));
        let found = Diagnostic::error("wrong-value", name.span, message);
        Err(Box::new(found.suggest(&name.text, words.iter().copied())))
    }

    fn int(&self, node: &Node, expected: &str) -> Found<i32> {
        let Kind::Int(number) = node.kind else { return Err(wrong(node, expected)) };
        number.and_then(|n| i32::try_from(n).ok()).ok_or_else(|| {
            let message = "this integer has more than 32 bits";
            Box::new(Diagnostic::error("too-large", node.span, message))
        })
    }

    fn count(&self, node: &Node, expected: &str) -> Found<u64> {
        let Kind::Int(number) = node.kind else { return Err(wrong(node, expected)) };
        number.and_then(|n| u64::try_from(n).ok()).ok_or_else(|| {
            let message = "expected an integer that is not negative and has at most 63 bits";
            Box::new(Diagnostic::error("wrong-value", node.span, message))
        })
    }

    fn option_value(&self, node: &Node, expected: &str) -> Found<OptionValue> {
        match &node.kind {
            Kind::Text(word) => {
                names::check(word, node.span, "a value")?;
                Ok(OptionValue::Word(word.clone()))
            }
            Kind::Bool(value) => Ok(OptionValue::Flag(*value)),
            _ => self.int(node, expected).map(OptionValue::Number),
        }
    }

    /// The words of a string, or of a list of strings, each with its string's place.
    fn words(&mut self, node: &Node, expected: &str) -> Found<Vec<(String, Span)>> {
        let texts = self.list(node, expected, "a string", true, Self::text)?;
        let words = |text: &Text| {
            let words = text.text.split_whitespace().map(str::to_string);
            words.map(|word| (word, text.span)).collect::<Vec<_>>()
        };
        Ok(texts.iter().flat_map(words).collect())
    }

    fn sites(&mut self, node: &Node, expected: &str) -> Found<Vec<String>> {
        let words = self.words(node, expected)?;
        Ok(self.each(&words, |_, (word, span)| match is_site(word) {
            true => Ok(word.clone()),
            false => {
                let message = format!("`{word}` is not the name of a site");
                Err(Box::new(Diagnostic::error("bad-name", *span, message)))
            }
        }))
    }

    /// `a1-b1-c1 d1-e1`, or a list of such strings.
    fn chains(&mut self, node: &Node, expected: &str) -> Found<Vec<Vec<String>>> {
        let words = self.words(node, expected)?;
        Ok(self.each(&words, |_, (word, span)| {
            let chain: Vec<String> = word.split('-').map(str::to_string).collect();
            if chain.len() > 1 && chain.iter().all(|site| is_site(site)) {
                return Ok(chain);
            }
            let message = format!("`{word}` is not a chain of sites such as `a1-b1-c1`");
            Err(Box::new(Diagnostic::error("bad-chain", *span, message)))
        }))
    }

    fn direction(&mut self, node: &Node, expected: &str) -> Found<Value> {
        let texts = |names: &[Name]| names.iter().map(|name| name.text.clone()).collect();
        let bad = |span, message: &str| Err(Box::new(Diagnostic::error("bad-direction", span, message)));
        match &node.kind {
            Kind::Text(text) if matches!(text.split_whitespace().next(), Some("pairs" | "walk")) => {
                let pattern = self.rule(node, parse::pattern, expected)?;
                let [walk] = &pattern.walks[..] else {
                    return bad(node.span, "a direction is one list of pairs, or one walk");
                };
                match &walk.kind {
                    ast::WalkKind::Pairs(chains) if walk.clauses.is_empty() => {
                        Ok(Value::Chains(chains.iter().map(|chain| texts(chain)).collect()))
                    }
                    ast::WalkKind::Walk(names) if walk.clauses.is_empty() => Ok(Value::Walk(texts(names))),
                    _ => bad(walk.span, "a direction of pairs or of a walk has no conditions"),
                }
            }
            Kind::Text(_) => self.labels(node).map(Value::Labels),
            Kind::Table(entries) if !entries.is_empty() => match self.table(node, expected, Self::labels)? {
                found if found.len() == entries.len() => Ok(Value::LabelsBy(found)),
                _ => Ok(Value::Broken),
            },
            _ => Err(wrong(node, expected)),
        }
    }

    fn labels(&self, node: &Node) -> Found<Vec<String>> {
        let text = self.text(node, "a string with labels")?;
        let labels: Vec<String> = text.text.split_whitespace().map(str::to_string).collect();
        let (code, message) = match labels.iter().find(|label| !is_identifier(label)) {
            _ if labels.is_empty() => {
                ("bad-direction", "expected at least one label, found an empty string".to_string())
            }
            Some(label) => ("bad-name", format!("`{label}` is not the name of a direction")),
            None => return Ok(labels),
        };
        Err(Box::new(Diagnostic::error(code, node.span, message)))
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

/// The value that was read, or the mistake.
pub(super) type Found<T> = Result<T, Box<Diagnostic>>;

/// `expected a string, found an integer`.
pub(super) fn wrong_type(node: &Node, expected: &str) -> Diagnostic {
    let message = format!("expected {expected}, found {}", node.what());
    Diagnostic::error("wrong-type", node.span, message)
}

/// A key as a name.
pub(super) fn key_name(key: &Key) -> Name {
    Name { text: key.text.clone(), span: key.span }
}

fn wrong(node: &Node, expected: &str) -> Box<Diagnostic> {
    Box::new(wrong_type(node, expected))
}
