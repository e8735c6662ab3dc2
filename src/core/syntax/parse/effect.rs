//! Effects.

use super::grammar::Rule;
use super::parts::{Builder, Node};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Assign, Effect, EffectKind, Effects, Piece};

/// The words with which an effect begins, though they may be names elsewhere.
pub const VERBS: [&str; 7] = ["put", "move", "turn", "remove", "lift", "carry", "swap"];

impl<'t> Builder<'t> {
    pub(super) fn effects(self, node: Node<'t>) -> Result<Effects, Diagnostic> {
        let effects = self.inside(node).of(Rule::effect).map(|effect| self.effect(effect));
        effects.collect::<Result<_, _>>().map(Effects)
    }

    fn effect(self, node: Node<'t>) -> Result<Effect, Diagnostic> {
        let span = self.span(&node);
        let form = self.inside(node).must()?;
        let rule = form.as_rule();
        let mut parts = self.inside(form);
        let kind = match rule {
            Rule::block => return Ok(block(self.effects(parts.to(Rule::effects)?)?, span)),
            Rule::branch => {
                let condition = parts.expr()?;
                let then = Box::new(self.effect(parts.to(Rule::effect)?)?);
                let otherwise = match parts.eat(Rule::kw_else) {
                    Some(_) => Some(Box::new(self.effect(parts.must()?)?)),
                    None => None,
                };
                EffectKind::If(condition, then, otherwise)
            }
            Rule::r#loop => {
                let (name, domain) = self.binder(parts.to(Rule::binder)?)?;
                let body = self.effect(parts.to(Rule::effect)?)?;
                EffectKind::For(name, Box::new(domain), Box::new(body))
            }
            Rule::binding => EffectKind::Let(self.name(&parts.to(Rule::name)?), parts.expr()?),
            Rule::put => EffectKind::Put(self.piece(parts.to(Rule::piece)?), parts.expr()?),
            Rule::shift => {
                let from = self.expr(parts.to(Rule::value)?)?;
                parts.to(Rule::into)?;
                let under = parts.eat(Rule::kw_under).is_some();
                let to = self.expr(parts.to(Rule::value)?)?;
                let upto = match parts.eat(Rule::kw_upto) {
                    Some(_) => Some(self.expr(parts.to(Rule::value)?)?),
                    None => None,
                };
                EffectKind::Move { from, to, under, upto }
            }
            Rule::turn => {
                let what = self.expr(parts.to(Rule::value)?)?;
                EffectKind::Turn(what, self.piece(parts.to(Rule::piece)?))
            }
            Rule::remove => EffectKind::Remove(parts.expr()?),
            Rule::lift => EffectKind::Lift(parts.expr()?),
            Rule::carry => {
                let what = self.expr(parts.to(Rule::value)?)?;
                parts.to(Rule::kw_by)?;
                let converse = parts.eat(Rule::tilde).is_some();
                let (relation, by) = self.entry(parts.must()?)?;
                EffectKind::Carry { what, converse, relation, by }
            }
            Rule::swap => EffectKind::SwapSides,
            Rule::statement => {
                let name = self.name(&parts.must()?);
                EffectKind::Call(name, self.args(&mut parts)?.0)
            }
            Rule::assign => {
                let (name, index) = self.entry(parts.must()?)?;
                let mark = parts.must()?;
                let how = Assign::of(mark.as_str()).ok_or_else(|| self.fault(Some(mark.as_rule())))?;
                EffectKind::Assign { name, index, how, value: parts.expr()? }
            }
            other => return Err(self.fault(Some(other))),
        };
        Ok(Effect { kind, span })
    }

    fn piece(self, node: Node<'t>) -> Piece {
        let span = self.span(&node);
        Piece { words: self.names(self.inside(node)), span }
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
