//! Turn flows and outcomes.

use super::grammar::Rule;
use super::parts::{Builder, Node};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Flow, FlowKind, Outcome, OutcomeKind};

impl<'t> Builder<'t> {
    pub(super) fn flow(self, node: Node<'t>) -> Result<Flow, Diagnostic> {
        self.joined(node, FlowKind::Sequence)
    }

    /// The steps of a pair: one is itself, more are joined.
    fn joined(self, node: Node<'t>, join: fn(Vec<Flow>) -> FlowKind) -> Result<Flow, Diagnostic> {
        let span = self.span(&node);
        let steps = self.inside(node).of(Rule::step).map(|step| self.step(step));
        let mut steps: Vec<Flow> = steps.collect::<Result<_, _>>()?;
        let last = steps.pop().ok_or_else(|| self.fault(Some(Rule::step)))?;
        if steps.is_empty() {
            return Ok(last);
        }
        steps.push(last);
        Ok(Flow { kind: join(steps), span })
    }

    fn step(self, node: Node<'t>) -> Result<Flow, Diagnostic> {
        let mut parts = self.inside(node);
        let mut flow = self.unit(parts.must()?)?;
        if parts.eat(Rule::kw_if).is_some() {
            let condition = self.test(parts.must()?)?;
            let span = flow.span.to(condition.span);
            let kind = FlowKind::If(Box::new(flow), condition);
            flow = Flow { kind, span };
        }
        if parts.eat(Rule::kw_by).is_some() {
            let player = self.name(&parts.must()?);
            let span = flow.span.to(player.span);
            let kind = FlowKind::By(Box::new(flow), player);
            flow = Flow { kind, span };
        }
        Ok(flow)
    }

    fn unit(self, node: Node<'t>) -> Result<Flow, Diagnostic> {
        let span = self.span(&node);
        let form = self.inside(node).must()?;
        let kind = match form.as_rule() {
            Rule::flow_name => FlowKind::Name(self.name(&form).text),
            Rule::grouped => self.flow(self.inside(form).to(Rule::flow)?)?.kind,
            Rule::prefixed => {
                let mut parts = self.inside(form);
                let word = parts.must()?;
                let inner = Box::new(self.unit(parts.must()?)?);
                match word.as_rule() {
                    Rule::kw_try => FlowKind::Try(inner),
                    Rule::kw_may => FlowKind::May(inner),
                    Rule::kw_repeat => FlowKind::Repeat(inner),
                    Rule::kw_longest => FlowKind::Longest(inner),
                    other => return Err(self.fault(Some(other))),
                }
            }
            Rule::either => self.joined(form, FlowKind::Either)?.kind,
            other => return Err(self.fault(Some(other))),
        };
        Ok(Flow { kind, span })
    }

    pub(super) fn outcome(self, node: Node<'t>) -> Result<Outcome, Diagnostic> {
        let span = self.span(&node);
        let form = self.inside(node).must()?;
        let kind = match form.as_rule() {
            Rule::kw_pass => OutcomeKind::Pass,
            Rule::kw_draw => OutcomeKind::Draw,
            Rule::kw_score => OutcomeKind::Score,
            Rule::places => OutcomeKind::Places(self.inside(form).expr()?),
            Rule::verdict => {
                let mut parts = self.inside(form);
                let player = self.name(&parts.must()?);
                match parts.must()?.as_rule() {
                    Rule::kw_wins => OutcomeKind::Wins(player),
                    _ => OutcomeKind::Loses(player),
                }
            }
            Rule::outcome_if => {
                let mut parts = self.inside(form);
                let condition = parts.expr()?;
                let then = self.outcome(parts.to(Rule::outcome)?)?;
                let otherwise = self.outcome(parts.to(Rule::outcome)?)?;
                OutcomeKind::If(condition, Box::new(then), Box::new(otherwise))
            }
            other => return Err(self.fault(Some(other))),
        };
        Ok(Outcome { kind, span })
    }
}
