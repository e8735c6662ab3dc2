//! Resolving the rest of a turn: what is due and what is offered.

use super::eval::Eval;
use super::frame::Step;
use super::moves::Move;
use crate::program::{FlowNode, StateId, slot};

impl<'a, const W: usize> Eval<'a, W> {
    /// Resolves a state of the flow with the player in slot `MOVER` as mover; offers go to the sink.
    /// None: done. Else it is due, and this is who decides.
    pub fn state(&mut self, pos: &mut [u64], state: i32) -> Option<i32> {
        let rest = self.rest(state)?;
        self.node(pos, rest)
    }

    fn rest(&self, state: i32) -> Option<&'a FlowNode> {
        let state = usize::try_from(state).ok()?;
        self.program.states.get(state).map(|state| &state.rest)
    }

    /// The bound of repetitions: four plies for each site.
    fn most_plies(&self) -> u32 {
        4 * self.all.count()
    }

    fn node(&mut self, pos: &mut [u64], node: &'a FlowNode) -> Option<i32> {
        match node {
            FlowNode::Done => None,
            FlowNode::Leaf(leaf) => self.leaf(pos, *leaf),
            FlowNode::Sequence(nodes) => nodes.iter().find_map(|node| self.node(pos, node)),
            FlowNode::Either(nodes) => {
                let mut due = None;
                let mut offered = false;
                for node in nodes {
                    let mark = self.frame.sink.mark();
                    let mover = self.node(pos, node);
                    let offers = self.frame.sink.len_from(mark) > 0;
                    if mover.is_some() && (due.is_none() || (offers && !offered)) {
                        due = mover;
                    }
                    offered |= offers;
                }
                due
            }
            FlowNode::If(cond, node) => {
                if self.int(pos, *cond) == 0 {
                    return None;
                }
                self.node(pos, node)
            }
            FlowNode::By(player, node) => {
                let player = self.int(pos, *player);
                self.by(pos, player, |eval, pos| eval.node(pos, node))
            }
            FlowNode::Try(node) => self.offered(pos, node),
            FlowNode::May(node, pass) => {
                let mover = self.offered(pos, node)?;
                let base = self.program.leaves[*pass].base;
                self.frame.sink.push_one::<W>(base);
                Some(mover)
            }
            FlowNode::Repeat(node) => {
                let plies = self.slot(pos, slot::TURN_PLIES);
                if u32::try_from(plies).is_ok_and(|plies| plies >= self.most_plies()) {
                    return None;
                }
                self.offered(pos, node)
            }
            FlowNode::Longest { node, inside } => {
                let mark = self.frame.sink.mark();
                let mover = self.node(pos, node)?;
                self.keep_longest(pos, mark, inside);
                Some(mover)
            }
        }
    }

    /// Something with another mover; no player is no change.
    fn by<T>(&mut self, pos: &mut [u64], player: i32, then: impl FnOnce(&mut Self, &mut [u64]) -> T) -> T {
        let mover = self.slot(pos, slot::MOVER);
        if self.is_player(player) {
            self.set_mover(pos, player);
        }
        let value = then(self, pos);
        self.set_mover(pos, mover);
        value
    }

    /// Whether a number is a player's.
    pub fn is_player(&self, number: i32) -> bool {
        usize::try_from(number).is_ok_and(|player| player < self.program.layout.players)
    }

    /// A node that is done where it has no offer.
    fn offered(&mut self, pos: &mut [u64], node: &'a FlowNode) -> Option<i32> {
        let mark = self.frame.sink.mark();
        let mover = self.node(pos, node)?;
        (self.frame.sink.len_from(mark) > 0).then_some(mover)
    }

    fn leaf(&mut self, pos: &mut [u64], number: usize) -> Option<i32> {
        let leaf = &self.program.leaves[number];
        match leaf.decision {
            None => self.frame.sink.push_one::<W>(leaf.base),
            Some(decision) => {
                let decision = &self.program.decisions[decision];
                if let Some(when) = decision.when
                    && self.int(pos, when) == 0
                {
                    return None;
                }
                self.int_local(0, leaf.base as i32);
                self.run(pos, decision.generate);
            }
        }
        Some(self.slot(pos, slot::MOVER))
    }

    /// Of the offers from a mark those stay that begin a longest path.
    fn keep_longest(&mut self, pos: &[u64], mark: usize, inside: &[StateId]) {
        let offers = self.frame.sink.len_from(mark);
        if offers < 2 {
            return;
        }
        let bottom = self.frame.lengths.len();
        let mut most = 0;
        for k in 0..offers {
            let length = match self.frame.sink.nth_from(mark, k) {
                Some(offer) => self.path_length(pos, offer, inside),
                None => 0,
            };
            most = most.max(length);
            self.frame.lengths.push(length);
        }
        let lengths = &self.frame.lengths;
        self.frame.sink.retain_from(mark, |k| lengths[bottom + k] == most);
        self.frame.lengths.truncate(bottom);
    }

    /// The plies of the longest path that begins with an offer and stays inside a `longest`.
    ///
    /// A search of the turn's tree with a stack of its own: paths may be long, the thread's stack is not.
    fn path_length(&mut self, pos: &[u64], offer: Move, inside: &[StateId]) -> u32 {
        let bottom = self.frame.steps;
        let limit = self.most_plies() as usize;
        self.step(pos, offer, inside, limit > 1);
        let mut longest = 1;
        while self.frame.steps > bottom {
            let top = self.frame.steps - 1;
            let step = &mut self.frame.path[top];
            if step.next == step.total {
                self.frame.sink.truncate(step.mark);
                self.frame.steps = top;
                continue;
            }
            step.next += 1;
            let Some(offer) = self.frame.sink.nth_from(step.mark, step.next - 1) else {
                continue;
            };
            let words = std::mem::take(&mut step.words);
            let plies = top + 2 - bottom;
            self.step(&words, offer, inside, plies < limit);
            self.frame.path[top].words = words;
            longest = longest.max(plies as u32);
        }
        longest
    }

    /// Makes a move on a copy and lays that on the path, with its offers if the path may go on.
    fn step(&mut self, from: &[u64], offer: Move, inside: &[StateId], on: bool) {
        let at = self.frame.steps;
        if at == self.frame.path.len() {
            self.frame.path.push(Step {
                words: vec![0; from.len()].into_boxed_slice(),
                mark: 0,
                total: 0,
                next: 0,
            });
        }
        let mut words = std::mem::take(&mut self.frame.path[at].words);
        words.copy_from_slice(from);
        self.frame.steps = at + 1;
        self.make(&mut words, offer);
        let mark = self.frame.sink.mark();
        let state = self.slot(&words, slot::STATE);
        if on
            && self.slot(&words, slot::RESULT) == 0
            && inside.iter().any(|s| i64::from(s.0) == i64::from(state))
            && let Some(rest) = self.rest(state)
        {
            let turn = self.slot(&words, slot::TURN);
            self.set_mover(&mut words, turn);
            self.unfiltered(&mut words, rest);
        }
        self.frame.path[at] = Step { words, mark, total: self.frame.sink.len_from(mark), next: 0 };
    }

    /// Resolves what is within the first `longest` of a node, without its choice of the longest. Says
    /// whether there is one.
    fn unfiltered(&mut self, pos: &mut [u64], node: &'a FlowNode) -> bool {
        match node {
            FlowNode::Longest { node, .. } => {
                self.node(pos, node);
                true
            }
            FlowNode::By(player, node) => {
                let player = self.int(pos, *player);
                self.by(pos, player, |eval, pos| eval.unfiltered(pos, node))
            }
            FlowNode::Sequence(nodes) | FlowNode::Either(nodes) => {
                nodes.iter().any(|node| self.unfiltered(pos, node))
            }
            FlowNode::If(_, node) | FlowNode::Try(node) | FlowNode::May(node, _) | FlowNode::Repeat(node) => {
                self.unfiltered(pos, node)
            }
            FlowNode::Done | FlowNode::Leaf(_) => false,
        }
    }
}
