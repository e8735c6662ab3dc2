//! Expressions and choices.

use super::CODE;
use super::grammar::Rule;
use super::parts::{Builder, Node, Parts};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Choice, Choose, Compare, Domain, Expr, ExprKind, Name, Op, Quantifier};

impl Parts<'_> {
    /// The expression that the grammar says must come; marks before it are skipped.
    pub(super) fn expr(&mut self) -> Result<Expr, Diagnostic> {
        let node = self.to(Rule::expr)?;
        self.builder.expr(node)
    }

    fn boxed(&mut self) -> Result<Box<Expr>, Diagnostic> {
        self.expr().map(Box::new)
    }
}

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
            let op = Op::of(mark.as_str()).ok_or_else(|| self.fault(Some(mark.as_rule())))?;
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
        if form.as_rule() == Rule::comparison {
            return self.comparison(self.inside(form));
        }
        let (rule, span) = (form.as_rule(), self.span(&form));
        let mut parts = self.inside(form);
        let kind = match rule {
            Rule::presence => {
                let word = parts.must()?;
                let value = Box::new(self.expr(parts.must()?)?);
                match word.as_rule() {
                    Rule::kw_some => ExprKind::Some(value),
                    _ => ExprKind::No(value),
                }
            }
            Rule::conditional => ExprKind::If(parts.boxed()?, parts.boxed()?, parts.boxed()?),
            Rule::quantified => {
                let word = parts.must()?;
                let quantifier =
                    Quantifier::of(word.as_str()).ok_or_else(|| self.fault(Some(word.as_rule())))?;
                let (name, domain) = self.binder(parts.to(Rule::binder)?)?;
                ExprKind::Quantified(quantifier, name, Box::new(domain), parts.boxed()?)
            }
            Rule::named => {
                let name = self.name(&parts.to(Rule::name)?);
                ExprKind::Let(name, parts.boxed()?, parts.boxed()?)
            }
            Rule::after => ExprKind::After(self.effects(parts.to(Rule::effects)?)?, parts.boxed()?),
            other => return Err(self.fault(Some(other))),
        };
        Ok(Expr { kind, span })
    }

    fn comparison(self, mut parts: Parts<'t>) -> Result<Expr, Diagnostic> {
        let first = parts.must()?;
        let begins_with_not = !first.as_str().starts_with('(');
        let left = self.expr(first)?;
        let Some(mark) = parts.next() else { return Ok(left) };
        let compare = match mark.as_rule() {
            Rule::kw_is => {
                let word = self.name(&parts.must()?);
                return Ok(Expr { span: left.span.to(word.span), kind: ExprKind::Is(Box::new(left), word) });
            }
            Rule::not_in => Compare::NotIn,
            rule => Compare::of(mark.as_str()).ok_or_else(|| self.fault(Some(rule)))?,
        };
        let right = self.expr(parts.must()?)?;
        let span = left.span.to(right.span);
        if let (Compare::In | Compare::NotIn, ExprKind::Not(inner), true) =
            (compare, &left.kind, begins_with_not)
        {
            return Err(self.complement_in(compare, inner, &right, span));
        }
        Ok(Expr { kind: ExprKind::Compare(compare, Box::new(left), Box::new(right)), span })
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
        let mut parts = self.inside(node.clone());
        let first = parts.must()?;
        if first.as_rule() == Rule::phrase {
            return self.phrase(first);
        }
        let span = self.span(&node);
        let kind = match first.as_rule() {
            Rule::kw_not => ExprKind::Not(Box::new(self.expr(parts.must()?)?)),
            Rule::minus => ExprKind::Int(self.int(&parts.must()?, true)?),
            Rule::int => ExprKind::Int(self.int(&first, false)?),
            Rule::filtered => {
                let mut parts = self.inside(first);
                let (name, domain) = self.binder(parts.to(Rule::binder)?)?;
                ExprKind::Where(name, Box::new(domain), parts.boxed()?)
            }
            Rule::bracketed => self.inside(first).expr()?.kind,
            other => return Err(self.fault(Some(other))),
        };
        Ok(Expr { kind, span })
    }

    fn phrase(self, node: Node<'t>) -> Result<Expr, Diagnostic> {
        let mut words: Vec<Expr> = self.inside(node).map(|word| self.word(word)).collect::<Result<_, _>>()?;
        match (words.pop(), words.first()) {
            (Some(only), None) => Ok(only),
            (Some(last), Some(first)) => {
                let span = first.span.to(last.span);
                words.push(last);
                Ok(Expr { kind: ExprKind::Phrase(words), span })
            }
            (None, _) => Err(self.fault(Some(Rule::phrase))),
        }
    }

    fn word(self, node: Node<'t>) -> Result<Expr, Diagnostic> {
        let span = self.span(&node);
        if node.as_rule() == Rule::name {
            return Ok(Expr { kind: ExprKind::Name(self.name(&node).text), span });
        }
        if node.as_rule() == Rule::converse {
            return Ok(Expr { kind: ExprKind::Converse { name: self.name(&node), by: Vec::new() }, span });
        }
        let mut parts = self.inside(node);
        let open = parts.must()?;
        let (name, converse) = (self.name(&open), open.as_str().starts_with('~'));
        let (args, end) = self.args(&mut parts)?;
        let kind = match end.as_rule() {
            Rule::paren_end => ExprKind::Call { converse, name, by: Vec::new(), args },
            Rule::index_call => ExprKind::Call { converse, name, by: args, args: self.args(&mut parts)?.0 },
            _ if converse => ExprKind::Converse { name, by: args },
            _ => ExprKind::Index { name, args },
        };
        Ok(Expr { kind, span })
    }

    /// `name[i, j]` or a name alone: the name and the indices.
    pub(super) fn entry(self, node: Node<'t>) -> Result<(Name, Vec<Expr>), Diagnostic> {
        if node.as_rule() != Rule::entry {
            return Ok((self.name(&node), Vec::new()));
        }
        let mut parts = self.inside(node);
        let open = parts.must()?;
        Ok((self.name(&open), self.args(&mut parts)?.0))
    }

    /// The arguments of a call or an index after its opening, and the closing bracket.
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
        let span = self.span(&node);
        let choices = self.inside(node).of(Rule::choice).map(|choice| {
            let mut parts = self.inside(choice);
            let name = self.name(&parts.must()?);
            let optional = parts.eat(Rule::question).is_some();
            Ok(Choice { name, optional, domain: self.domain(parts.to(Rule::domain)?)? })
        });
        Ok(Choose { choices: choices.collect::<Result<_, _>>()?, span })
    }
}
