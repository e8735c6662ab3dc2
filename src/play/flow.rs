//! Resolving the rest of a turn: what is due and what is offered.

use super::code::{Builder, Thunk};
use super::frame::{Frame, Step};
use super::moves::Move;
use super::run::Interpreter;
use crate::program::{FlowNode, Program, StateId, slot};

/// A [`FlowNode`] with its code.
pub(super) enum Node {
    Done,
    Leaf(usize),
    Sequence(Box<[Node]>),
    Either(Box<[Node]>),
    If(Thunk<i32>, Box<Node>),
    By(Thunk<i32>, Box<Node>),
    Try(Box<Node>),
    /// With the number of the pass.
    May(Box<Node>, u32),
    Repeat(Box<Node>),
    Longest(Box<Node>, Box<[StateId]>),
}

impl Node {
    pub fn new<const W: usize>(code: &mut Builder<W>, program: &Program, node: &FlowNode) -> Node {
        let mut inner = |node: &FlowNode| Node::new(code, program, node);
        match node {
            FlowNode::Done => Node::Done,
            FlowNode::Leaf(leaf) => {
                let decision = program.leaves[*leaf].decision.map(|number| &program.decisions[number]);
                match decision.and_then(|decision| decision.when) {
                    Some(when) => Node::If(code.asked(when), Box::new(Node::Leaf(*leaf))),
                    None => Node::Leaf(*leaf),
                }
            }
            FlowNode::Sequence(nodes) => Node::Sequence(nodes.iter().map(inner).collect()),
            FlowNode::Either(nodes) => Node::Either(nodes.iter().map(inner).collect()),
            FlowNode::If(cond, node) => {
                let node = Box::new(inner(node));
                Node::If(code.asked(*cond), node)
            }
            FlowNode::By(player, node) => {
                let node = Box::new(inner(node));
                Node::By(code.asked(*player), node)
            }
            FlowNode::Try(node) => inner(node).around(Node::Try),
            FlowNode::May(node, pass) => {
                let pass = program.leaves[*pass].base;
                inner(node).around(|node| Node::May(node, pass))
            }
            FlowNode::Repeat(node) => Node::Repeat(Box::new(inner(node))),
            FlowNode::Longest { node, inside } => {
                Node::Longest(Box::new(inner(node)), inside.as_slice().into())
            }
        }
    }
}

impl Node {
    /// A node around this one that is done where this one is: conditions stay outside, where they are asked first.
    fn around(self, node: impl FnOnce(Box<Node>) -> Node) -> Node {
        match self {
            Node::If(cond, inner) => Node::If(cond, Box::new(inner.around(node))),
            inner => node(Box::new(inner)),
        }
    }
}

impl<const W: usize> Interpreter<W> {
    /// Resolves a state of the flow with the player in slot `MOVER` as mover; offers go to the sink.
    /// None: done. Else it is due, and this is who decides.
    #[inline]
    pub fn state(&self, frame: &mut Frame, state: i32) -> Option<i32> {
        self.node(frame, self.rest(state)?)
    }

    fn rest(&self, state: i32) -> Option<&Node> {
        self.states.get(usize::try_from(state).ok()?)
    }

    /// The bound of repetitions: four plies for each site.
    fn most_plies(&self) -> u32 {
        4 * self.board.all.count()
    }

    fn node(&self, frame: &mut Frame, node: &Node) -> Option<i32> {
        match node {
            Node::Done => None,
            Node::Leaf(leaf) => self.leaf(frame, *leaf),
            Node::Sequence(nodes) => nodes.iter().find_map(|node| self.node(frame, node)),
            Node::Either(nodes) => {
                let mut due = None;
                let mut offered = false;
                for node in nodes {
                    let before = frame.sink.len();
                    let mover = self.node(frame, node);
                    let offers = frame.sink.len() > before;
                    if mover.is_some() && (due.is_none() || (offers && !offered)) {
                        due = mover;
                    }
                    offered |= offers;
                }
                due
            }
            Node::If(cond, node) => {
                if cond(frame) == 0 {
                    return None;
                }
                self.node(frame, node)
            }
            Node::Try(node) => self.offered(frame, node),
            Node::May(node, pass) => {
                let mover = self.offered(frame, node)?;
                frame.sink.push_one::<W>(*pass);
                Some(mover)
            }
            Node::Repeat(node) => {
                let plies = self.slot(frame, slot::TURN_PLIES);
                if u32::try_from(plies).is_ok_and(|plies| plies >= self.most_plies()) {
                    return None;
                }
                self.offered(frame, node)
            }
            Node::By(..) | Node::Longest(..) => self.rare_node(frame, node),
        }
    }

    /// What few games have: apart, so that the rest is short.
    #[inline(never)]
    fn rare_node(&self, frame: &mut Frame, node: &Node) -> Option<i32> {
        match node {
            Node::By(player, node) => {
                let player = player(frame);
                self.by(frame, player, |run, frame| run.node(frame, node))
            }
            Node::Longest(node, inside) => {
                let mark = frame.sink.mark();
                let mover = self.node(frame, node)?;
                self.keep_longest(frame, mark, inside);
                Some(mover)
            }
            _ => None,
        }
    }

    /// Something with another mover; no player is no change.
    fn by<T>(&self, frame: &mut Frame, player: i32, then: impl FnOnce(&Self, &mut Frame) -> T) -> T {
        let mover = self.slot(frame, slot::MOVER);
        if self.board.is_player(player) {
            self.set_mover(frame, player);
        }
        let value = then(self, frame);
        self.set_mover(frame, mover);
        value
    }

    /// A node that is done where it has no offer.
    fn offered(&self, frame: &mut Frame, node: &Node) -> Option<i32> {
        let before = frame.sink.len();
        let mover = self.node(frame, node)?;
        (frame.sink.len() > before).then_some(mover)
    }

    #[inline]
    fn leaf(&self, frame: &mut Frame, number: usize) -> Option<i32> {
        let leaf = self.leaves.get(number)?;
        match &leaf.decision {
            None => frame.sink.push_one::<W>(leaf.base),
            Some(decision) => {
                frame.set_int(0, leaf.base as i32);
                (decision.generate)(frame);
            }
        }
        Some(self.slot(frame, slot::MOVER))
    }

    /// Of the offers from a mark those stay that begin a longest path.
    fn keep_longest(&self, frame: &mut Frame, mark: usize, inside: &[StateId]) {
        let offers = frame.sink.len_from(mark);
        if offers < 2 {
            return;
        }
        let bottom = frame.lengths.len();
        let mut most = 0;
        for k in 0..offers {
            let length = match frame.sink.nth_from(mark, k) {
                Some(offer) => self.path_length(frame, offer, inside),
                None => 0,
            };
            most = most.max(length);
            frame.lengths.push(length);
        }
        let lengths = &frame.lengths;
        frame.sink.retain_from(mark, |k| lengths[bottom + k] == most);
        frame.lengths.truncate(bottom);
    }

    /// The plies of the longest path that begins with an offer and stays inside a `longest`.
    ///
    /// A search of the turn's tree with a stack of its own: paths may be long, the thread's stack is not.
    fn path_length(&self, frame: &mut Frame, offer: Move, inside: &[StateId]) -> u32 {
        let bottom = frame.steps;
        let limit = self.most_plies() as usize;
        let root = std::mem::take(&mut frame.pos);
        self.step(frame, &root, offer, inside, limit > 1);
        let mut longest = 1;
        while frame.steps > bottom {
            let top = frame.steps - 1;
            let step = &mut frame.path[top];
            if step.next == step.total {
                frame.sink.truncate(step.mark);
                frame.steps = top;
                continue;
            }
            step.next += 1;
            let Some(offer) = frame.sink.nth_from(step.mark, step.next - 1) else {
                continue;
            };
            let words = std::mem::take(&mut step.words);
            let plies = top + 2 - bottom;
            self.step(frame, &words, offer, inside, plies < limit);
            frame.path[top].words = words;
            longest = longest.max(plies as u32);
        }
        frame.pos = root;
        longest
    }

    /// Makes a move on a copy and lays that on the path, with its offers if the path may go on. No position is
    /// at hand before and after.
    fn step(&self, frame: &mut Frame, from: &[u64], offer: Move, inside: &[StateId], on: bool) {
        let at = frame.steps;
        if at == frame.path.len() {
            frame.path.push(Step {
                words: vec![0; from.len()].into_boxed_slice(),
                mark: 0,
                total: 0,
                next: 0,
            });
        }
        frame.pos = std::mem::take(&mut frame.path[at].words);
        frame.pos.copy_from_slice(from);
        frame.steps = at + 1;
        self.make_move(frame, offer);
        let mark = frame.sink.mark();
        let state = self.slot(frame, slot::STATE);
        if on
            && self.slot(frame, slot::RESULT) == 0
            && inside.iter().any(|s| i64::from(s.0) == i64::from(state))
            && let Some(rest) = self.rest(state)
        {
            let turn = self.slot(frame, slot::TURN);
            self.set_mover(frame, turn);
            self.unfiltered(frame, rest);
        }
        let words = std::mem::take(&mut frame.pos);
        frame.path[at] = Step { words, mark, total: frame.sink.len_from(mark), next: 0 };
    }

    /// Resolves what is within the first `longest` of a node, without its choice of the longest. Says
    /// whether there is one.
    fn unfiltered(&self, frame: &mut Frame, node: &Node) -> bool {
        match node {
            Node::Longest(node, _) => {
                self.node(frame, node);
                true
            }
            Node::By(player, node) => {
                let player = player(frame);
                self.by(frame, player, |run, frame| run.unfiltered(frame, node))
            }
            Node::Sequence(nodes) | Node::Either(nodes) => {
                nodes.iter().any(|node| self.unfiltered(frame, node))
            }
            Node::If(_, node) | Node::Try(node) | Node::May(node, _) | Node::Repeat(node) => {
                self.unfiltered(frame, node)
            }
            Node::Done | Node::Leaf(_) => false,
        }
    }
}
