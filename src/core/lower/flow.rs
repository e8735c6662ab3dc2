//! The turn flow to states.
//!
//! A leaf is a decision at its place in the flow. The place fixes the rest of the turn after it:
//! the rests of the sequences around it, from the inside out, under the movers they are under. Those rests
//! are the states.

use super::state::Lowerer;
use crate::program::{DecisionCode, FlowNode, FlowState, IntId, Leaf, StateId};
use crate::semantics::Flow;

/// The lowered flow.
pub(super) struct Turns {
    pub(super) leaves: Vec<Leaf>,
    pub(super) states: Vec<FlowState>,
    pub(super) opening: Vec<(StateId, Option<u8>)>,
    pub(super) main: StateId,
    pub(super) stuck_pass: usize,
}

/// The nodes around a place in the flow, and the nodes that follow there.
#[derive(Clone)]
struct Around {
    wrap: Wrap,
    after: Vec<FlowNode>,
}

#[derive(Clone)]
enum Wrap {
    By(IntId),
    Longest(u32),
}

/// A flow in the making. Repeats come back to themselves, and longest paths know their states only at the
/// end, so both are numbered and put in when all is built.
#[derive(Default)]
struct Maker {
    leaves: Vec<Leaf>,
    states: Vec<FlowState>,
    repeats: Vec<FlowNode>,
    inside: Vec<Vec<StateId>>,
    next_base: u64,
}

/// Leaf numbers from here on stand for repeats while a flow is made.
const FIRST_REPEAT: usize = usize::MAX / 2;

impl Lowerer<'_> {
    /// The flow of the openings and of every later turn.
    pub(super) fn turns(&mut self, decisions: &[DecisionCode]) -> Turns {
        let rules = self.rules;
        let mut m = Maker::default();
        m.states.push(FlowState { rest: FlowNode::Done });
        let mut opening = Vec::new();
        for (flow, owner) in &rules.turn.opening {
            let node = self.flow(flow, Vec::new(), &mut Vec::new(), &mut m);
            opening.push((m.state(vec![node]), owner.map(|p| p.0)));
        }
        let node = self.flow(&rules.turn.main, Vec::new(), &mut Vec::new(), &mut m);
        let mut main = m.state(vec![node]);
        // A turn of the opening is another position than a later turn, even if both are made of the same.
        if opening.iter().any(|(state, _)| *state == main) {
            m.states.push(m.states[main.0 as usize].clone());
            main = StateId(m.states.len() as u32 - 1);
        }
        m.leaves.push(Leaf { decision: None, base: 0, next: StateId(0) });
        let stuck_pass = m.leaves.len() - 1;
        for leaf in &mut m.leaves {
            leaf.base = u32::try_from(m.next_base).unwrap_or(0);
            let size = leaf.decision.and_then(|d| decisions.get(d)).map_or(1, |d| d.size);
            m.next_base += u64::from(size);
        }
        if m.next_base > i32::MAX as u64 {
            let span = rules.decisions.first().map(|d| d.span).unwrap_or_default();
            self.limit(
                span,
                "the moves of this game cannot be numbered: there are too many conceivable ones",
            );
        }
        let (repeats, inside) = (std::mem::take(&mut m.repeats), std::mem::take(&mut m.inside));
        for s in &mut m.states {
            settle(&mut s.rest, &repeats, &inside);
        }
        Turns { leaves: m.leaves, states: m.states, opening, main, stuck_pass }
    }

    fn flow(
        &mut self,
        flow: &Flow,
        rest: Vec<FlowNode>,
        around: &mut Vec<Around>,
        m: &mut Maker,
    ) -> FlowNode {
        match flow {
            Flow::Decision(d) => FlowNode::Leaf(m.leaf(Some(*d), rest, around)),
            Flow::Pass => FlowNode::Leaf(m.leaf(None, rest, around)),
            Flow::Sequence(list) => {
                let mut nodes: Vec<FlowNode> = Vec::new();
                let mut after = rest;
                for f in list.iter().rev() {
                    let node = self.flow(f, after.clone(), around, m);
                    after.insert(0, node.clone());
                    nodes.insert(0, node);
                }
                FlowNode::Sequence(nodes)
            }
            Flow::Either(list) => {
                FlowNode::Either(list.iter().map(|f| self.flow(f, rest.clone(), around, m)).collect())
            }
            Flow::Try(f) => FlowNode::Try(Box::new(self.flow(f, rest, around, m))),
            Flow::May(f) => {
                let node = self.flow(f, rest.clone(), around, m);
                let pass = m.leaf(None, rest, around);
                FlowNode::May(Box::new(node), pass)
            }
            Flow::Repeat(f) => {
                let number = m.repeats.len();
                m.repeats.push(FlowNode::Done);
                let mut again = rest.clone();
                again.insert(0, FlowNode::Leaf(FIRST_REPEAT + number));
                let node = match &**f {
                    // A pass ends all repetitions.
                    Flow::May(f) => {
                        let node = self.flow(f, again, around, m);
                        FlowNode::May(Box::new(node), m.leaf(None, rest, around))
                    }
                    f => self.flow(f, again, around, m),
                };
                let node = FlowNode::Repeat(Box::new(node));
                if let Some(place) = m.repeats.get_mut(number) {
                    *place = node.clone();
                }
                node
            }
            Flow::Longest(f) => {
                let number = m.inside.len() as u32;
                m.inside.push(Vec::new());
                around.push(Around { wrap: Wrap::Longest(number), after: rest });
                let node = self.flow(f, Vec::new(), around, m);
                around.pop();
                FlowNode::Longest { node: Box::new(node), inside: vec![marker(number)] }
            }
            Flow::If(f, c) => {
                let view = self.mover();
                let c = self.of_rule(c.span, "this condition of a flow", |l| l.int(c, view));
                let node = self.flow(f, rest, around, m);
                match self.b.const_of(c) {
                    Some(0) => FlowNode::Done,
                    Some(_) => node,
                    None => FlowNode::If(c, Box::new(node)),
                }
            }
            Flow::By(f, p) => {
                let view = self.mover();
                let p = self.int(p, view);
                around.push(Around { wrap: Wrap::By(p), after: rest });
                let node = self.flow(f, Vec::new(), around, m);
                around.pop();
                FlowNode::By(p, Box::new(node))
            }
        }
    }
}

/// Stands for the states inside a longest path until they are known.
fn marker(number: u32) -> StateId {
    StateId(u32::MAX - number)
}

impl Maker {
    fn state(&mut self, nodes: Vec<FlowNode>) -> StateId {
        let nodes: Vec<FlowNode> = nodes.into_iter().filter(|n| *n != FlowNode::Done).collect();
        let rest = match nodes.len() {
            0 => return StateId(0),
            1 => nodes.into_iter().next().unwrap_or(FlowNode::Done),
            _ => FlowNode::Sequence(nodes),
        };
        if let Some(i) = self.states.iter().position(|s| s.rest == rest) {
            return StateId(i as u32);
        }
        self.states.push(FlowState { rest });
        StateId(self.states.len() as u32 - 1)
    }

    fn leaf(&mut self, decision: Option<usize>, rest: Vec<FlowNode>, around: &[Around]) -> usize {
        let mut nodes = rest;
        // Where nothing is left of a longest path, the rest of the turn is no part of it, even if it begins a new one.
        let mut paths = Vec::new();
        for a in around.iter().rev() {
            if !nodes.is_empty() {
                if let Wrap::Longest(n) = a.wrap {
                    paths.push(n as usize);
                }
                let inner = if nodes.len() == 1 {
                    nodes.remove(0)
                } else {
                    FlowNode::Sequence(std::mem::take(&mut nodes))
                };
                nodes = vec![match a.wrap {
                    Wrap::By(p) => FlowNode::By(p, Box::new(inner)),
                    Wrap::Longest(n) => FlowNode::Longest { node: Box::new(inner), inside: vec![marker(n)] },
                }];
            }
            nodes.extend(a.after.iter().cloned());
        }
        let next = self.state(nodes);
        for n in paths {
            if let Some(list) = self.inside.get_mut(n)
                && !list.contains(&next)
            {
                list.push(next);
            }
        }
        self.leaves.push(Leaf { decision, base: 0, next });
        self.leaves.len() - 1
    }
}

/// Puts repeats and the states of longest paths in their places.
fn settle(node: &mut FlowNode, repeats: &[FlowNode], inside: &[Vec<StateId>]) {
    match node {
        FlowNode::Leaf(l) if *l >= FIRST_REPEAT => {
            *node = repeats.get(*l - FIRST_REPEAT).cloned().unwrap_or(FlowNode::Done);
            return settle(node, repeats, inside);
        }
        FlowNode::Longest { inside: states, .. } => {
            if let [StateId(n)] = states.as_slice()
                && let Some(list) = inside.get((u32::MAX - n) as usize)
            {
                *states = list.clone();
            }
        }
        _ => {}
    }
    node.parts_mut().iter_mut().for_each(|part| settle(part, repeats, inside));
}
