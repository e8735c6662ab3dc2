//! Turn flows and outcomes.

use pest::iterators::Pair;

use super::grammar::Rule;
use super::parts::Builder;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Flow, FlowKind, Outcome, OutcomeKind};

type Node<'t> = Pair<'t, Rule>;

impl<'t> Builder<'t> {
    pub(super) fn flow(self, node: Node<'t>) -> Result<Flow, Diagnostic> {
        let steps = self.steps(node)?;
        self.joined(steps, FlowKind::Sequence)
    }

    /// The steps among the children of a pair.
    fn steps(self, node: Node<'t>) -> Result<Vec<Flow>, Diagnostic> {
        let mut steps = Vec::new();
        for part in self.inside(node) {
            if part.as_rule() == Rule::step {
                steps.push(self.step(part)?);
            }
        }
        Ok(steps)
    }

    /// One flow is itself, more are joined.
    fn joined(self, mut flows: Vec<Flow>, join: fn(Vec<Flow>) -> FlowKind) -> Result<Flow, Diagnostic> {
        let last = flows.pop().ok_or_else(|| self.fault(Some(Rule::step)))?;
        let Some(first) = flows.first() else {
            return Ok(last);
        };
        let span = first.span.to(last.span);
        flows.push(last);
        Ok(Flow { kind: join(flows), span })
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
        let form = self.inside(node).must()?;
        match form.as_rule() {
            Rule::flow_name => {
                let name = self.name(&form);
                Ok(Flow { kind: FlowKind::Name(name.text), span: name.span })
            }
            Rule::grouped => {
                let mut parts = self.inside(form);
                let open = self.span(&parts.must()?);
                let inner = self.flow(parts.must()?)?;
                let span = open.to(self.span(&parts.must()?));
                let kind = inner.kind;
                Ok(Flow { kind, span })
            }
            Rule::prefixed => {
                let mut parts = self.inside(form);
                let word = parts.must()?;
                let inner = self.unit(parts.must()?)?;
                let span = self.span(&word).to(inner.span);
                let inner = Box::new(inner);
                let kind = match word.as_rule() {
                    Rule::kw_try => FlowKind::Try(inner),
                    Rule::kw_may => FlowKind::May(inner),
                    Rule::kw_repeat => FlowKind::Repeat(inner),
                    Rule::kw_longest => FlowKind::Longest(inner),
                    other => return Err(self.fault(Some(other))),
                };
                Ok(Flow { kind, span })
            }
            Rule::either => {
                let start = self.span(&self.inside(form.clone()).must()?);
                let steps = self.steps(form)?;
                let mut flow = self.joined(steps, FlowKind::Either)?;
                flow.span = start.to(flow.span);
                Ok(flow)
            }
            other => Err(self.fault(Some(other))),
        }
    }

    pub(super) fn outcome(self, node: Node<'t>) -> Result<Outcome, Diagnostic> {
        let form = self.inside(node).must()?;
        let span = self.span(&form);
        let simple = |kind: OutcomeKind, span: Span| Ok(Outcome { kind, span });
        match form.as_rule() {
            Rule::kw_pass => simple(OutcomeKind::Pass, span),
            Rule::kw_draw => simple(OutcomeKind::Draw, span),
            Rule::kw_score => simple(OutcomeKind::Score, span),
            Rule::verdict => {
                let mut parts = self.inside(form);
                let player = self.name(&parts.must()?);
                let word = parts.must()?;
                let span = player.span.to(self.span(&word));
                match word.as_rule() {
                    Rule::kw_wins => simple(OutcomeKind::Wins(player), span),
                    _ => simple(OutcomeKind::Loses(player), span),
                }
            }
            Rule::outcome_if => {
                let mut parts = self.inside(form);
                let start = self.span(&parts.must()?);
                let condition = self.expr(parts.to(Rule::expr)?)?;
                let then = self.outcome(parts.to(Rule::outcome)?)?;
                let otherwise = self.outcome(parts.to(Rule::outcome)?)?;
                let span = start.to(otherwise.span);
                let kind = OutcomeKind::If(condition, Box::new(then), Box::new(otherwise));
                Ok(Outcome { kind, span })
            }
            other => Err(self.fault(Some(other))),
        }
    }
}
