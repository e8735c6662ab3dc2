//! Movement patterns, heads of definitions, lists of names and of chains.

use super::Head;
use super::grammar::Rule;
use super::parts::{Builder, Node, Parts};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Clause, ClauseKind, Name, Pattern, Walk, WalkKind};

/// The words that begin a walk.
pub(super) const WALKS: [&str; 8] = ["step", "slide", "leap", "ride", "walk", "pairs", "betza", "none"];

impl<'t> Builder<'t> {
    pub(super) fn pattern(self, node: Node<'t>) -> Result<Pattern, Diagnostic> {
        let mut walks = Vec::new();
        for walk in self.inside(node).of(Rule::walk) {
            self.walk(walk, &mut walks)?;
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
        let span = self.span(&node);
        let mut parts = self.inside(node);
        let word = parts.must()?;
        let kind = match word.as_rule() {
            Rule::kw_betza => {
                walks.extend(self.betza(&parts.must()?)?);
                return Ok(());
            }
            Rule::kw_none => WalkKind::None,
            Rule::kw_pairs => WalkKind::Pairs(self.chains(&mut parts)),
            Rule::kw_leap => {
                let (a, b) = self.leap(&mut parts)?;
                WalkKind::Leap(a, b)
            }
            Rule::kw_ride if parts.ahead() == Some(Rule::int) => {
                let (a, b) = self.leap(&mut parts)?;
                WalkKind::RideLeap(a, b)
            }
            rule => {
                let names = std::iter::from_fn(|| parts.eat(Rule::name)).map(|name| self.name(&name));
                let names = names.collect();
                match rule {
                    Rule::kw_step => WalkKind::Step(names),
                    Rule::kw_slide => WalkKind::Slide(names),
                    Rule::kw_walk => WalkKind::Walk(names),
                    Rule::kw_ride => WalkKind::Ride(names),
                    other => return Err(self.fault(Some(other))),
                }
            }
        };
        let clauses = parts.map(|clause| self.clause(clause)).collect::<Result<_, _>>()?;
        walks.push(Walk { kind, clauses, span });
        Ok(())
    }

    /// The two numbers of a leap.
    fn leap(self, parts: &mut Parts<'t>) -> Result<(i32, i32), Diagnostic> {
        Ok((self.int(&parts.must()?, false)?, self.int(&parts.to(Rule::int)?, false)?))
    }

    fn clause(self, node: Node<'t>) -> Result<Clause, Diagnostic> {
        let span = self.span(&node);
        let mut parts = self.inside(node);
        let word = parts.must()?;
        let kind = ClauseKind::of(word.as_str()).ok_or_else(|| self.fault(Some(word.as_rule())))?;
        Ok(Clause { kind, value: self.expr(parts.must()?)?, span })
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
        parts.of(Rule::name).map(|name| self.name(&name)).collect()
    }

    pub(super) fn head(self, node: Node<'t>) -> Result<Head, Diagnostic> {
        let mut parts = self.inside(node);
        let name = self.name(&parts.must()?);
        let params = parts.of(Rule::param).map(|param| {
            let mut parts = self.inside(param);
            let param = self.name(&parts.must()?);
            Ok((param, parts.to(Rule::type_name).ok().map(|written| self.name(&written))))
        });
        Ok((name, params.collect::<Result<_, _>>()?))
    }
}
