//! Resolving the rest of a turn: is a node due, and which moves are offered.
//!
//! The mover is the turn's player outside a `by`: it is that when a state is resolved, and a `by` puts it back.
//! Resolving gives the player who decides.

use super::code::{Builder, Thunk};
use super::frame::Frame;
use super::ledger::Asker;
use super::longest::Plies;
use super::moves::{Move, Moves};
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
    /// With the bound of repetitions.
    Repeat(Box<Node>, i32),
    /// With the states inside, where a path may be longer than a ply.
    Longest(Box<Node>, Box<[StateId]>),
}

impl Node {
    pub fn new<const W: usize>(code: &mut Builder<W>, program: &Program, node: &FlowNode) -> Node {
        let mut inner = |node: &FlowNode| Node::new(code, program, node);
        match node {
            FlowNode::Done => Node::Done,
            FlowNode::Leaf(leaf) => {
                let decision = program.leaves[*leaf].decision;
                let due = decision.and_then(|number| Some((number, program.decisions[number].when?)));
                match due {
                    Some((number, when)) => {
                        Node::If(code.asked(Asker::Decision(number), when), Box::new(Node::Leaf(*leaf)))
                    }
                    None => Node::Leaf(*leaf),
                }
            }
            FlowNode::Sequence(nodes) => Node::Sequence(nodes.iter().map(inner).collect()),
            FlowNode::Either(nodes) => Node::Either(nodes.iter().map(inner).collect()),
            FlowNode::If(cond, node) => {
                let node = Box::new(inner(node));
                Node::If(code.asked(Asker::Turn, *cond), node)
            }
            FlowNode::By(player, node) => {
                let node = Box::new(inner(node));
                Node::By(code.asked(Asker::Turn, *player), node)
            }
            FlowNode::Try(node) => inner(node).around(Node::Try),
            FlowNode::May(node, pass) => {
                let pass = program.leaves[*pass].base;
                inner(node).around(|node| Node::May(node, pass))
            }
            FlowNode::Repeat(node) => Node::Repeat(Box::new(inner(node)), program.most_repeated()),
            FlowNode::Longest { node, inside } => {
                let inside = if program.leads_on(node, inside) { inside.as_slice() } else { &[] };
                Node::Longest(Box::new(inner(node)), inside.into())
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

    fn node(&self, frame: &mut Frame, node: &Node) -> Option<i32> {
        match node {
            Node::Done => None,
            Node::Leaf(leaf) => self.leaf(frame, *leaf),
            Node::Sequence(nodes) => nodes.iter().find_map(|node| self.node(frame, node)),
            Node::Either(nodes) => {
                let mut due = None;
                let mut offered = false;
                for node in nodes {
                    let (mark, before) = (frame.sink.mark(), frame.sink.len());
                    let mover = self.node(frame, node);
                    if offered && mover != due {
                        // All that is on offer is one player's.
                        frame.sink.truncate(mark);
                        continue;
                    }
                    let offers = frame.sink.len() > before;
                    if mover.is_some() && (due.is_none() || (offers && !offered)) {
                        due = mover;
                    }
                    offered |= offers;
                }
                due
            }
            Node::If(cond, node) => {
                if cond.run(frame) == 0 {
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
            Node::Repeat(node, most) => {
                if self.slot(frame, slot::TURN_PLIES) >= *most {
                    return None;
                }
                self.offered(frame, node)
            }
            Node::By(..) | Node::Longest(..) => self.rare_node(frame, node),
        }
    }

    /// Nodes that few games have: a function of its own, so that the other one is short.
    #[inline(never)]
    fn rare_node(&self, frame: &mut Frame, node: &Node) -> Option<i32> {
        match node {
            Node::By(player, node) => {
                let player = player.run(frame);
                self.by(frame, player, |run, frame| run.node(frame, node))
            }
            Node::Longest(node, inside) => {
                let mark = frame.sink.mark();
                let mover = self.node(frame, node)?;
                if !inside.is_empty() {
                    self.keep_longest(frame, mark, mover, inside);
                }
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
                decision.generate.run(frame);
            }
        }
        Some(self.slot(frame, slot::MOVER))
    }

    /// Keeps those of a mover's offers from a mark that begin a longest path. No position is at hand meanwhile.
    fn keep_longest(&self, frame: &mut Frame, mark: usize, mover: i32, inside: &[StateId]) {
        let around = self.slot(frame, slot::MOVER);
        self.set_mover(frame, mover);
        let mut paths = frame.paths.take().unwrap_or_default();
        let root = std::mem::take(&mut frame.pos);
        let mut sink = std::mem::replace(&mut frame.sink, Moves::roomless());
        let mut plies = Interpreted { run: self, frame, inside };
        sink.thin(mark, |records, width| paths.choose(&root, records, width, &mut plies));
        (frame.pos, frame.sink, frame.paths) = (root, sink, Some(paths));
        self.set_mover(frame, around);
    }

    /// Resolves the position at hand, inside a choice of the longest, without that choice. Who decides becomes the
    /// mover.
    fn go_on_inside(&self, frame: &mut Frame) {
        let state = self.slot(frame, slot::STATE);
        if self.slot(frame, slot::RESULT) == 0
            && let Some(rest) = self.rest(state)
        {
            let turn = self.slot(frame, slot::TURN);
            self.set_mover(frame, turn);
            let mover = self.unfiltered(frame, rest).flatten();
            self.set_mover(frame, mover.unwrap_or(turn));
        }
    }

    /// Resolves the node inside the first `longest` of a node, without its choice of the longest. None if there is
    /// none.
    fn unfiltered(&self, frame: &mut Frame, node: &Node) -> Option<Option<i32>> {
        match node {
            Node::Longest(node, _) => Some(self.node(frame, node)),
            Node::By(player, node) => {
                let player = player.run(frame);
                self.by(frame, player, |run, frame| run.unfiltered(frame, node))
            }
            Node::Sequence(nodes) | Node::Either(nodes) => {
                nodes.iter().find_map(|node| self.unfiltered(frame, node))
            }
            Node::If(_, node) | Node::Try(node) | Node::May(node, _) | Node::Repeat(node, _) => {
                self.unfiltered(frame, node)
            }
            Node::Done | Node::Leaf(_) => None,
        }
    }
}

/// Plies of longest paths.
struct Interpreted<'r, const W: usize> {
    run: &'r Interpreter<W>,
    frame: &'r mut Frame,
    inside: &'r [StateId],
}

impl<const W: usize> Plies for Interpreted<'_, W> {
    fn lead_on(&self, number: Move) -> bool {
        let next = self.run.leaf_of(number).map(|leaf| i64::from(leaf.next));
        self.inside.iter().any(|state| next == Some(i64::from(state.0)))
    }

    fn make(&mut self, words: &mut Box<[u64]>, number: Move, offers: &mut Moves) {
        let Interpreted { run, frame, .. } = self;
        std::mem::swap(&mut frame.pos, words);
        std::mem::swap(&mut frame.sink, offers);
        run.make_move(frame, number);
        run.go_on_inside(frame);
        std::mem::swap(&mut frame.pos, words);
        std::mem::swap(&mut frame.sink, offers);
    }
}
