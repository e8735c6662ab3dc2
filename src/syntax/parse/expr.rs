//! Expressions and choices.

use pest::iterators::Pair;

use super::CODE;
use super::grammar::Rule;
use super::parts::{Builder, Parts};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Choice, Choose, Compare, Domain, Expr, ExprKind, Name, Op, Quantifier};

type Node<'t> = Pair<'t, Rule>;

impl<'t> Builder<'t> {
    /// Any rule of the ladder from `expr` down to `unary`.
    pub(super) fn expr(self, node: Node<'t>) -> Result<Expr, Diagnostic> {
        match node.as_rule() {
            Rule::expr | Rule::conj | Rule::value | Rule::sum | Rule::product => {
                let mut parts = self.inside(node);
                let first = self.expr(parts.must()?)?;
                self.chain(first, parts)
            }
            Rule::test => self.test(node),
            Rule::unary => self.unary(node),
            other => Err(self.fault(Some(other))),
        }
    }

    /// `first OP b OP c`, from the left; all the operators of one rule bind alike.
    fn chain(self, first: Expr, mut parts: Parts<'t>) -> Result<Expr, Diagnostic> {
        let mut left = first;
        while let Some(mark) = parts.next() {
            let op = match mark.as_rule() {
                Rule::kw_or => Op::Or,
                Rule::kw_and => Op::And,
                Rule::kw_otherwise => Op::Otherwise,
                Rule::pipe => Op::Union,
                Rule::plus => Op::Plus,
                Rule::minus => Op::Minus,
                Rule::meet => Op::Meet,
                Rule::times => Op::Times,
                Rule::divide => Op::Divide,
                Rule::modulo => Op::Modulo,
                other => return Err(self.fault(Some(other))),
            };
            let right = self.expr(parts.must()?)?;
            left = Expr {
                span: left.span.to(right.span),
                kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            };
        }
        Ok(left)
    }

    pub(super) fn test(self, node: Node<'t>) -> Result<Expr, Diagnostic> {
        let form = self.inside(node).must()?;
        let rule = form.as_rule();
        let mut parts = self.inside(form);
        match rule {
            Rule::comparison => self.comparison(parts),
            Rule::presence => {
                let word = parts.must()?;
                let value = self.expr(parts.must()?)?;
                let span = self.span(&word).to(value.span);
                let kind = match word.as_rule() {
                    Rule::kw_some => ExprKind::Some(Box::new(value)),
                    _ => ExprKind::No(Box::new(value)),
                };
                Ok(Expr { kind, span })
            }
            Rule::conditional => {
                let start = self.span(&parts.must()?);
                let condition = self.expr(parts.to(Rule::expr)?)?;
                let then = self.expr(parts.to(Rule::expr)?)?;
                let otherwise = self.expr(parts.to(Rule::expr)?)?;
                let span = start.to(otherwise.span);
                let kind = ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
                Ok(Expr { kind, span })
            }
            Rule::quantified => {
                let word = parts.must()?;
                let quantifier = match word.as_rule() {
                    Rule::kw_some => Quantifier::Some,
                    Rule::kw_no => Quantifier::No,
                    Rule::kw_every => Quantifier::Every,
                    Rule::kw_count => Quantifier::Count,
                    Rule::kw_sum => Quantifier::Sum,
                    Rule::kw_union => Quantifier::Union,
                    other => return Err(self.fault(Some(other))),
                };
                let (name, domain) = self.binder(parts.to(Rule::binder)?)?;
                let body = self.expr(parts.to(Rule::expr)?)?;
                let span = self.span(&word).to(body.span);
                let kind = ExprKind::Quantified(quantifier, name, Box::new(domain), Box::new(body));
                Ok(Expr { kind, span })
            }
            Rule::named => {
                let start = self.span(&parts.must()?);
                let name = self.name(&parts.to(Rule::name)?);
                let value = self.expr(parts.to(Rule::expr)?)?;
                let body = self.expr(parts.to(Rule::expr)?)?;
                let span = start.to(body.span);
                let kind = ExprKind::Let(name, Box::new(value), Box::new(body));
                Ok(Expr { kind, span })
            }
            Rule::after => {
                let start = self.span(&parts.must()?);
                let effects = self.effects(parts.to(Rule::effects)?)?;
                let body = self.expr(parts.to(Rule::expr)?)?;
                let span = start.to(body.span);
                let kind = ExprKind::After(effects, Box::new(body));
                Ok(Expr { kind, span })
            }
            other => Err(self.fault(Some(other))),
        }
    }

    fn comparison(self, mut parts: Parts<'t>) -> Result<Expr, Diagnostic> {
        let first = parts.must()?;
        let begins_with_not = !first.as_str().starts_with('(');
        let left = self.expr(first)?;
        let Some(mark) = parts.next() else {
            return Ok(left);
        };
        let compare = match mark.as_rule() {
            Rule::kw_in => Compare::In,
            Rule::not_in => Compare::NotIn,
            Rule::equal => Compare::Equal,
            Rule::unequal => Compare::NotEqual,
            Rule::less => Compare::Less,
            Rule::at_most => Compare::LessOrEqual,
            Rule::greater => Compare::Greater,
            Rule::at_least => Compare::GreaterOrEqual,
            Rule::kw_is => {
                let word = self.name(&parts.must()?);
                return Ok(Expr { span: left.span.to(word.span), kind: ExprKind::Is(Box::new(left), word) });
            }
            other => return Err(self.fault(Some(other))),
        };
        let right = self.expr(parts.must()?)?;
        let span = left.span.to(right.span);
        if let (Compare::In | Compare::NotIn, ExprKind::Not(inner), true) =
            (compare, &left.kind, begins_with_not)
        {
            return Err(self.complement_in(compare, inner, &right, span));
        }
        let kind = ExprKind::Compare(compare, Box::new(left), Box::new(right));
        Ok(Expr { kind, span })
    }

    /// `not x in S` would ask whether the complement of `x` is in `S`, which nobody means.
    fn complement_in(self, compare: Compare, left: &Expr, right: &Expr, span: Span) -> Diagnostic {
        let (found, meant) = match compare {
            Compare::NotIn => ("not in", "in"),
            _ => ("in", "not in"),
        };
        Diagnostic::error(
            CODE,
            span,
            format!("`not` binds tighter than `{found}`: this asks about everything but `{left}`"),
        )
        .help(format!("write `{left} {meant} {right}`"))
    }

    fn unary(self, node: Node<'t>) -> Result<Expr, Diagnostic> {
        let mut parts = self.inside(node);
        let first = parts.must()?;
        let start = self.span(&first);
        match first.as_rule() {
            Rule::kw_not => {
                let inner = self.expr(parts.must()?)?;
                let span = start.to(inner.span);
                let kind = ExprKind::Not(Box::new(inner));
                Ok(Expr { kind, span })
            }
            Rule::minus => {
                let number = parts.must()?;
                let span = start.to(self.span(&number));
                let kind = ExprKind::Int(self.int(&number, true)?);
                Ok(Expr { kind, span })
            }
            Rule::int => {
                let kind = ExprKind::Int(self.int(&first, false)?);
                Ok(Expr { kind, span: start })
            }
            Rule::filtered => {
                let mut parts = self.inside(first);
                let open = self.span(&parts.must()?);
                let (name, domain) = self.binder(parts.to(Rule::binder)?)?;
                let body = self.expr(parts.to(Rule::expr)?)?;
                let span = open.to(self.span(&parts.must()?));
                let kind = ExprKind::Where(name, Box::new(domain), Box::new(body));
                Ok(Expr { kind, span })
            }
            Rule::bracketed => {
                let mut parts = self.inside(first);
                let open = self.span(&parts.must()?);
                let inner = self.expr(parts.must()?)?;
                let span = open.to(self.span(&parts.must()?));
                let kind = inner.kind;
                Ok(Expr { kind, span })
            }
            Rule::phrase => self.phrase(first),
            other => Err(self.fault(Some(other))),
        }
    }

    fn phrase(self, node: Node<'t>) -> Result<Expr, Diagnostic> {
        let mut words = Vec::new();
        for word in self.inside(node) {
            words.push(self.word(word)?);
        }
        match (words.pop(), words.first()) {
            (Some(only), None) => Ok(only),
            (Some(last), Some(first)) => {
                let span = first.span.to(last.span);
                words.push(last);
                let kind = ExprKind::Phrase(words);
                Ok(Expr { kind, span })
            }
            (None, _) => Err(self.fault(Some(Rule::phrase))),
        }
    }

    fn word(self, node: Node<'t>) -> Result<Expr, Diagnostic> {
        match node.as_rule() {
            Rule::name => {
                let name = self.name(&node);
                Ok(Expr { kind: ExprKind::Name(name.text), span: name.span })
            }
            Rule::call => {
                let mut parts = self.inside(node);
                let open = parts.must()?;
                let converse = open.as_str().starts_with('~');
                let (args, end) = self.args(&mut parts)?;
                let kind = ExprKind::Call { converse, name: self.name(&open), by: Vec::new(), args };
                let span = self.span(&open).to(self.span(&end));
                Ok(Expr { kind, span })
            }
            Rule::index | Rule::backward => {
                let converse = node.as_rule() == Rule::backward;
                let mut parts = self.inside(node);
                let open = parts.must()?;
                let (name, start) = (self.name(&open), self.span(&open));
                let (index, end) = self.args(&mut parts)?;
                if end.as_rule() != Rule::index_call {
                    let kind = ExprKind::Index { name, args: index };
                    return Ok(Expr { kind, span: start.to(self.span(&end)) });
                }
                let (args, end) = self.args(&mut parts)?;
                let kind = ExprKind::Call { converse, name, by: index, args };
                Ok(Expr { kind, span: start.to(self.span(&end)) })
            }
            other => Err(self.fault(Some(other))),
        }
    }

    /// `name[i, j]`: the name, the indices, and the place of the closing bracket.
    pub(super) fn entry(self, node: Node<'t>) -> Result<(Name, Vec<Expr>, Span), Diagnostic> {
        let mut parts = self.inside(node);
        let open = parts.must()?;
        let (index, end) = self.args(&mut parts)?;
        Ok((self.name(&open), index, self.span(&end)))
    }

    /// What follows the opening of a call or an index: the arguments, and the closing bracket.
    pub(super) fn args(self, parts: &mut Parts<'t>) -> Result<(Vec<Expr>, Node<'t>), Diagnostic> {
        let mut args = Vec::new();
        for part in parts {
            match part.as_rule() {
                Rule::expr => args.push(self.expr(part)?),
                Rule::comma => {}
                _ => return Ok((args, part)),
            }
        }
        Err(self.fault(Some(Rule::paren_end)))
    }

    /// `name in DOMAIN`.
    pub(super) fn binder(self, node: Node<'t>) -> Result<(Name, Domain), Diagnostic> {
        let mut parts = self.inside(node);
        let name = self.name(&parts.must()?);
        let domain = self.domain(parts.to(Rule::domain)?)?;
        Ok((name, domain))
    }

    fn domain(self, node: Node<'t>) -> Result<Domain, Diagnostic> {
        let mut parts = self.inside(node);
        let first = self.expr(parts.must()?)?;
        if parts.eat(Rule::dots).is_some() {
            return Ok(Domain::Range(first, self.expr(parts.must()?)?));
        }
        Ok(Domain::Set(self.chain(first, parts)?))
    }

    pub(super) fn choose(self, node: Node<'t>) -> Result<Choose, Diagnostic> {
        let mut choices = Vec::new();
        let mut span: Option<Span> = None;
        for part in self.inside(node) {
            if part.as_rule() != Rule::choice {
                continue;
            }
            let mut parts = self.inside(part);
            let name = self.name(&parts.must()?);
            let optional = parts.eat(Rule::question).is_some();
            let domain = self.domain(parts.to(Rule::domain)?)?;
            let end = match &domain {
                Domain::Range(_, last) | Domain::Set(last) => last.span,
            };
            span = Some(span.unwrap_or(name.span).to(end));
            choices.push(Choice { name, optional, domain });
        }
        let span = span.ok_or_else(|| self.fault(Some(Rule::choice)))?;
        Ok(Choose { choices, span })
    }
}
