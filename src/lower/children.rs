//! What a node of a program is made of.

use super::builder::Builder;
use crate::program::{BlockId, Domain, IntId, IntOp, SetId, SetOp, Stmt};

/// A node of either arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Node {
    /// A set.
    Set(SetId),
    /// An integer.
    Int(IntId),
}

/// A child of a node, and how often it is evaluated.
#[derive(Clone, Copy)]
pub(super) struct Child {
    /// The node.
    pub(super) node: Node,
    /// Once for each member of a domain.
    pub(super) looped: bool,
    /// In which branch of the statements at hand it stands: what stands only in one is that one's own matter.
    pub(super) branch: Option<usize>,
}

impl Child {
    fn once(node: Node) -> Child {
        Child { node, looped: false, branch: None }
    }

    /// As how many evaluations it counts: in a loop as more than one, but a branch's loops are its own matter.
    pub(super) fn times(self) -> u32 {
        if self.looped && self.branch.is_none() { 2 } else { 1 }
    }
}

/// Visits the children of a node that are evaluated in the same position.
pub(super) fn each_child(b: &Builder, node: Node, f: &mut dyn FnMut(Node)) {
    children(b, node).into_iter().for_each(|c| f(c.node));
}

/// The children of a node that are evaluated in the same position.
pub(super) fn children(b: &Builder, node: Node) -> Vec<Child> {
    let mut out = Vec::new();
    let once = Child::once;
    let looped = |node| Child { looped: true, ..Child::once(node) };
    let (set, int) = (Node::Set, Node::Int);
    match node {
        Node::Set(id) => match b.op(id) {
            SetOp::Const(_) | SetOp::Layer(_) | SetOp::Local(_) | SetOp::After(..) => {}
            SetOp::LayerRow { index: x, .. } | SetOp::Site(x) | SetOp::Row { site: x, .. } => {
                out.push(once(int(*x)))
            }
            SetOp::And(x, y) | SetOp::Or(x, y) | SetOp::Sub(x, y) | SetOp::Otherwise(x, y) => {
                out.extend([once(set(*x)), once(set(*y))]);
            }
            SetOp::Not(x) | SetOp::Image { of: x, .. } => out.push(once(set(*x))),
            SetOp::If(c, x, y) => out.extend([once(int(*c)), once(set(*x)), once(set(*y))]),
            SetOp::Switch(c, cases) => {
                out.push(once(int(*c)));
                out.extend(cases.iter().map(|s| once(set(*s))));
            }
            SetOp::Slide { from, through, over, .. } => {
                out.extend([once(set(*from)), once(set(*through))]);
                out.extend(over.iter().map(|o| once(set(*o))));
            }
            SetOp::Between { from, to, .. } => out.extend([once(set(*from)), once(set(*to))]),
            SetOp::Flood { seed, within, .. } => out.extend([once(set(*seed)), once(set(*within))]),
            SetOp::Fix { seed, within, step, .. } => {
                out.extend([once(set(*seed)), once(set(*within)), looped(set(*step))]);
            }
            SetOp::Ring { of, steps, .. } => out.extend([once(set(*of)), once(int(*steps))]),
            SetOp::Line { of, length, .. } => out.extend([once(set(*of)), once(int(*length))]),
            SetOp::Filter { domain, cond, .. } => {
                out.extend([once(set(*domain)), looped(int(*cond))]);
            }
            SetOp::Union { domain, body, .. } => {
                domain_children(domain, &mut out);
                out.push(looped(set(*body)));
            }
            SetOp::LetSet { value, body, .. } => out.extend([once(set(*value)), once(set(*body))]),
            SetOp::LetInt { value, body, .. } => out.extend([once(int(*value)), once(set(*body))]),
        },
        Node::Int(id) => match b.int_op(id) {
            IntOp::Const(_) | IntOp::Local(_) | IntOp::Slot(_) | IntOp::After(..) => {}
            IntOp::SlotRow { index: x, .. }
            | IntOp::Dealt { index: x, .. }
            | IntOp::Lookup { index: x, .. }
            | IntOp::Abs(x)
            | IntOp::Bit(x)
            | IntOp::BitCount(x)
            | IntOp::BitFirst(x)
            | IntOp::Not(x)
            | IntOp::KindAt(x)
            | IntOp::OwnerAt(x)
            | IntOp::HeightAt(x) => out.push(once(int(*x))),
            IntOp::Add(x, y)
            | IntOp::Sub(x, y)
            | IntOp::Mul(x, y)
            | IntOp::Div(x, y)
            | IntOp::Rem(x, y)
            | IntOp::Min(x, y)
            | IntOp::Max(x, y)
            | IntOp::BitAnd(x, y)
            | IntOp::BitOr(x, y)
            | IntOp::BitSub(x, y)
            | IntOp::Eq(x, y)
            | IntOp::Lt(x, y)
            | IntOp::Le(x, y)
            | IntOp::And(x, y)
            | IntOp::Or(x, y)
            | IntOp::Distance { from: x, to: y, .. } => out.extend([once(int(*x)), once(int(*y))]),
            IntOp::If(c, x, y) => out.extend([once(int(*c)), once(int(*x)), once(int(*y))]),
            IntOp::Switch(c, cases, _) => {
                out.push(once(int(*c)));
                out.extend(cases.iter().map(|x| once(int(*x))));
            }
            IntOp::Count(s) | IntOp::Some(s) | IntOp::First(s) | IntOp::Only(s) => out.push(once(set(*s))),
            IntOp::Meets(x, y) | IntOp::Same(x, y) => out.extend([once(set(*x)), once(set(*y))]),
            IntOp::Has(s, x) => out.extend([once(set(*s)), once(int(*x))]),
            IntOp::Any { domain, cond: body, .. } | IntOp::Sum { domain, body, .. } => {
                domain_children(domain, &mut out);
                out.push(looped(int(*body)));
            }
            IntOp::LetSet { value, body, .. } => out.extend([once(set(*value)), once(int(*body))]),
            IntOp::LetInt { value, body, .. } => out.extend([once(int(*value)), once(int(*body))]),
        },
    }
    out
}

pub(super) fn domain_children(domain: &Domain, out: &mut Vec<Child>) {
    let once = Child::once;
    match domain {
        Domain::Set(s) => out.push(once(Node::Set(*s))),
        Domain::Range(x, y) => out.extend([once(Node::Int(*x)), once(Node::Int(*y))]),
        Domain::Mask(m) => out.push(once(Node::Int(*m))),
    }
}

/// The expressions of a statement of a generator, and of the blocks in it.
fn children_of_stmt(b: &Builder, s: &Stmt, at: Child, out: &mut Vec<Child>) {
    let child = |node| Child { node, ..at };
    match s {
        Stmt::LetSet(_, v) => out.push(child(Node::Set(*v))),
        Stmt::LetInt(_, v) | Stmt::EmitOne(v) => out.push(child(Node::Int(*v))),
        Stmt::Emit { set, base, .. } => out.extend([child(Node::Set(*set)), child(Node::Int(*base))]),
        Stmt::If(c, x, y) => {
            out.push(child(Node::Int(*c)));
            for block in std::iter::once(x).chain(y) {
                // In a loop nothing is a branch's own: outside the loop it is computed once.
                let branch = at.branch.or((!at.looped).then_some(out.len()));
                let at = Child { branch, ..at };
                b.block_of(*block).iter().for_each(|s| children_of_stmt(b, s, at, out));
            }
        }
        Stmt::For { domain, body, .. } => {
            let mut of = Vec::new();
            domain_children(domain, &mut of);
            out.extend(of.into_iter().map(|c| Child { node: c.node, ..at }));
            let at = Child { looped: true, ..at };
            b.block_of(*body).iter().for_each(|s| children_of_stmt(b, s, at, out));
        }
        _ => {}
    }
}

/// The expressions of statements of a generator. A loop may count as a branch of its own.
pub(super) fn children_of_block(b: &Builder, block: &[Stmt], split: bool) -> Vec<Child> {
    let mut all = Vec::new();
    for s in block {
        let branch = (split && matches!(s, Stmt::For { .. })).then_some(all.len());
        // The node is a placeholder.
        let at = Child { branch, ..Child::once(Node::Int(IntId(0))) };
        children_of_stmt(b, s, at, &mut all);
    }
    all
}

/// A part of a statement.
pub(super) enum Part {
    /// A set.
    Set(SetId),
    /// An integer.
    Int(IntId),
    /// A block in it.
    Block(BlockId),
}

/// Visits what a statement is made of.
pub(super) fn each_part(s: &Stmt, f: &mut dyn FnMut(Part)) {
    use Part::{Block, Int, Set};
    match s {
        Stmt::SetLayer(_, v) | Stmt::LetSet(_, v) | Stmt::Remove(v) | Stmt::Lift(v) => f(Set(*v)),
        Stmt::Carry { at, .. } => f(Set(*at)),
        Stmt::SetLayerRow { index, value, .. } => {
            f(Int(*index));
            f(Set(*value));
        }
        Stmt::SetSlot(_, v) | Stmt::LetInt(_, v) | Stmt::EmitOne(v) => f(Int(*v)),
        Stmt::SetSlotRow { index: x, value: y, .. } | Stmt::Move { from: x, to: y, .. } => {
            f(Int(*x));
            f(Int(*y));
        }
        Stmt::Put { at, owner, kind, .. } => {
            f(Set(*at));
            f(Int(*owner));
            f(Int(*kind));
        }
        Stmt::Turn { at, owner, kind } => {
            f(Set(*at));
            owner.iter().chain(kind).for_each(|x| f(Int(*x)));
        }
        Stmt::SwapSides => {}
        Stmt::If(c, x, y) => {
            f(Int(*c));
            f(Block(*x));
            y.iter().for_each(|y| f(Block(*y)));
        }
        Stmt::For { domain, body, .. } => {
            let mut parts = Vec::new();
            domain_children(domain, &mut parts);
            for part in parts {
                match part.node {
                    Node::Set(s) => f(Set(s)),
                    Node::Int(i) => f(Int(i)),
                }
            }
            f(Block(*body));
        }
        Stmt::Emit { set, base, .. } => {
            f(Set(*set));
            f(Int(*base));
        }
    }
}
