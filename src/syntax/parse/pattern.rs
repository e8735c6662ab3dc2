//! Movement patterns, heads of definitions, lists of names and of chains.

use pest::iterators::Pair;

use super::Head;
use super::grammar::Rule;
use super::parts::{Builder, Parts};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Clause, ClauseKind, Name, Pattern, Walk, WalkKind};

type Node<'t> = Pair<'t, Rule>;

impl<'t> Builder<'t> {
    pub(super) fn pattern(self, node: Node<'t>) -> Result<Pattern, Diagnostic> {
        let mut walks = Vec::new();
        for part in self.inside(node) {
            if part.as_rule() == Rule::walk {
                self.walk(part, &mut walks)?;
            }
        }
        let (Some(first), Some(last)) = (walks.first(), walks.last()) else {
            return Err(self.fault(Some(Rule::walk)));
        };
        let span = first.span.to(last.span);
        // `none` alone is the pattern without walks.
        if let [walk] = walks.as_slice()
            && walk.kind == WalkKind::None
        {
            walks.clear();
        }
        Ok(Pattern { walks, span })
    }

    fn walk(self, node: Node<'t>, walks: &mut Vec<Walk>) -> Result<(), Diagnostic> {
        let mut parts = self.inside(node);
        let word = parts.must()?;
        if word.as_rule() == Rule::kw_betza {
            walks.extend(self.betza(&parts.must()?)?);
            return Ok(());
        }
        let mut span = self.span(&word);
        let kind = match word.as_rule() {
            Rule::kw_none => WalkKind::None,
            Rule::kw_pairs => {
                let chains = self.chains(&mut parts);
                if let Some(last) = chains.last().and_then(|chain| chain.last()) {
                    span = span.to(last.span);
                }
                WalkKind::Pairs(chains)
            }
            Rule::kw_leap => {
                let first = parts.must()?;
                let second = parts.to(Rule::int)?;
                span = span.to(self.span(&second));
                WalkKind::Leap(self.int(&first, false)?, self.int(&second, false)?)
            }
            Rule::kw_ride if parts.ahead() == Some(Rule::int) => {
                let first = parts.must()?;
                let second = parts.to(Rule::int)?;
                span = span.to(self.span(&second));
                WalkKind::RideLeap(self.int(&first, false)?, self.int(&second, false)?)
            }
            rule => {
                let mut names = Vec::new();
                while let Some(name) = parts.eat(Rule::name) {
                    names.push(self.name(&name));
                }
                if let Some(last) = names.last() {
                    span = span.to(last.span);
                }
                match rule {
                    Rule::kw_step => WalkKind::Step(names),
                    Rule::kw_slide => WalkKind::Slide(names),
                    Rule::kw_walk => WalkKind::Walk(names),
                    Rule::kw_ride => WalkKind::Ride(names),
                    other => return Err(self.fault(Some(other))),
                }
            }
        };
        let mut clauses = Vec::new();
        for part in parts {
            let clause = self.clause(part)?;
            span = span.to(clause.span);
            clauses.push(clause);
        }
        walks.push(Walk { kind, clauses, span });
        Ok(())
    }

    fn clause(self, node: Node<'t>) -> Result<Clause, Diagnostic> {
        let mut parts = self.inside(node);
        let word = parts.must()?;
        let kind = match word.as_rule() {
            Rule::kw_through => ClauseKind::Through,
            Rule::kw_over => ClauseKind::Over,
            Rule::kw_onto => ClauseKind::Onto,
            Rule::kw_upto => ClauseKind::Upto,
            Rule::kw_leaving => ClauseKind::Leaving,
            other => return Err(self.fault(Some(other))),
        };
        let value = self.expr(parts.must()?)?;
        let span = self.span(&word).to(value.span);
        Ok(Clause { kind, value, span })
    }

    /// All the chains among these pairs.
    pub(super) fn chains(self, parts: impl Iterator<Item = Node<'t>>) -> Vec<Vec<Name>> {
        parts.filter(|part| part.as_rule() == Rule::chain).map(|chain| self.chain_sites(&chain)).collect()
    }

    fn chain_sites(self, chain: &Node<'t>) -> Vec<Name> {
        let mut at = chain.as_span().start();
        let mut sites = Vec::new();
        for site in chain.as_str().split('-') {
            sites.push(Name { text: site.to_string(), span: self.stretch(at, at + site.len()) });
            at += site.len() + 1;
        }
        sites
    }

    /// All the names among these pairs.
    pub(super) fn names(self, parts: Parts<'t>) -> Vec<Name> {
        parts.filter(|part| part.as_rule() == Rule::name).map(|part| self.name(&part)).collect()
    }

    pub(super) fn head(self, node: Node<'t>) -> Result<Head, Diagnostic> {
        let mut parts = self.inside(node);
        let name = self.name(&parts.must()?);
        let mut params = Vec::new();
        for part in parts {
            if part.as_rule() != Rule::param {
                continue;
            }
            let mut parts = self.inside(part);
            let param = self.name(&parts.must()?);
            let written = match parts.eat(Rule::colon) {
                Some(_) => Some(self.name(&parts.must()?)),
                None => None,
            };
            params.push((param, written));
        }
        Ok((name, params))
    }
}
