//! Effects.

use pest::iterators::Pair;

use super::grammar::Rule;
use super::parts::Builder;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Assign, Effect, EffectKind, Effects, Expr, Name, Piece};

type Node<'t> = Pair<'t, Rule>;

impl<'t> Builder<'t> {
    pub(super) fn effects(self, node: Node<'t>) -> Result<Effects, Diagnostic> {
        let mut effects = Vec::new();
        for part in self.inside(node) {
            if part.as_rule() == Rule::effect {
                effects.push(self.effect(part)?);
            }
        }
        Ok(Effects(effects))
    }

    fn effect(self, node: Node<'t>) -> Result<Effect, Diagnostic> {
        let form = self.inside(node).must()?;
        let rule = form.as_rule();
        let mut parts = self.inside(form);
        let first = parts.must()?;
        let start = self.span(&first);
        let (kind, end) = match rule {
            Rule::block => {
                let effects = self.effects(parts.must()?)?;
                let end = self.span(&parts.must()?);
                return Ok(block(effects, start.to(end)));
            }
            Rule::branch => {
                let condition = self.expr(parts.to(Rule::expr)?)?;
                let then = self.effect(parts.to(Rule::effect)?)?;
                let otherwise = match parts.eat(Rule::kw_else) {
                    Some(_) => Some(Box::new(self.effect(parts.must()?)?)),
                    None => None,
                };
                let end = otherwise.as_ref().map_or(then.span, |e| e.span);
                let kind = EffectKind::If(condition, Box::new(then), otherwise);
                (kind, end)
            }
            Rule::r#loop => {
                let (name, domain) = self.binder(parts.to(Rule::binder)?)?;
                let body = self.effect(parts.to(Rule::effect)?)?;
                let end = body.span;
                (EffectKind::For(name, Box::new(domain), Box::new(body)), end)
            }
            Rule::binding => {
                let name = self.name(&parts.must()?);
                let value = self.expr(parts.to(Rule::expr)?)?;
                let end = value.span;
                (EffectKind::Let(name, value), end)
            }
            Rule::put => {
                let piece = self.piece(parts.must()?)?;
                let place = self.expr(parts.to(Rule::expr)?)?;
                let end = place.span;
                (EffectKind::Put(piece, place), end)
            }
            Rule::shift => {
                let from = self.expr(parts.to(Rule::value)?)?;
                let to = self.expr(parts.to(Rule::value)?)?;
                let end = to.span;
                (EffectKind::Move(from, to), end)
            }
            Rule::turn => {
                let what = self.expr(parts.to(Rule::value)?)?;
                let piece = self.piece(parts.to(Rule::piece)?)?;
                let end = piece.span;
                (EffectKind::Turn(what, piece), end)
            }
            Rule::remove | Rule::lift => {
                let what = self.expr(parts.must()?)?;
                let end = what.span;
                let kind = match rule {
                    Rule::remove => EffectKind::Remove(what),
                    _ => EffectKind::Lift(what),
                };
                (kind, end)
            }
            Rule::carry => {
                let what = self.expr(parts.to(Rule::value)?)?;
                parts.to(Rule::kw_by)?;
                let converse = parts.eat(Rule::tilde).is_some();
                let (relation, by, end) = match parts.must()? {
                    node if node.as_rule() == Rule::entry => {
                        let (name, index, end) = self.entry(node)?;
                        (name, index, end)
                    }
                    node => {
                        let name = self.name(&node);
                        let end = name.span;
                        (name, Vec::new(), end)
                    }
                };
                let kind = EffectKind::Carry { what, converse, relation, by };
                (kind, end)
            }
            Rule::swap => (EffectKind::SwapSides, self.span(&parts.must()?)),
            Rule::statement => {
                let (args, end) = self.args(&mut parts)?;
                (EffectKind::Call(self.name(&first), args), self.span(&end))
            }
            Rule::assign => {
                let (name, index) = self.target(first)?;
                let mark = parts.must()?;
                let how = match mark.as_rule() {
                    Rule::equal => Assign::Set,
                    Rule::add => Assign::Add,
                    Rule::subtract => Assign::Subtract,
                    Rule::unite => Assign::Unite,
                    Rule::intersect => Assign::Meet,
                    other => return Err(self.fault(Some(other))),
                };
                let value = self.expr(parts.must()?)?;
                let end = value.span;
                let kind = EffectKind::Assign { name, index, how, value };
                (kind, end)
            }
            other => return Err(self.fault(Some(other))),
        };
        let span = start.to(end);
        Ok(Effect { kind, span })
    }

    /// What an assignment assigns to.
    fn target(self, node: Node<'t>) -> Result<(Name, Vec<Expr>), Diagnostic> {
        match node.as_rule() {
            Rule::entry => {
                let (name, index, _) = self.entry(node)?;
                Ok((name, index))
            }
            _ => Ok((self.name(&node), Vec::new())),
        }
    }

    fn piece(self, node: Node<'t>) -> Result<Piece, Diagnostic> {
        let words = self.names(self.inside(node));
        match (words.first(), words.last()) {
            (Some(first), Some(last)) => {
                let span = first.span.to(last.span);
                Ok(Piece { words, span })
            }
            _ => Err(self.fault(Some(Rule::piece))),
        }
    }
}

/// Brackets around one effect group nothing and leave no trace, so that with them and without is the
/// same rule; only around a `let` they say how far it reaches.
fn block(mut effects: Effects, span: Span) -> Effect {
    let alone = effects.0.len() == 1;
    match effects.0.pop() {
        Some(only) if alone && !matches!(only.kind, EffectKind::Let(..)) => Effect { kind: only.kind, span },
        last => {
            effects.0.extend(last);
            Effect { kind: EffectKind::Block(effects), span }
        }
    }
}
