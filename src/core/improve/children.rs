//! The children of a node, and how often each is evaluated.

use super::builder::Builder;
use crate::program::{IntId, Part, SetId, Stmt};

/// A node of either arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Node {
    /// A set.
    Set(SetId),
    /// An integer.
    Int(IntId),
}

impl From<SetId> for Node {
    fn from(id: SetId) -> Node {
        Node::Set(id)
    }
}

impl From<IntId> for Node {
    fn from(id: IntId) -> Node {
        Node::Int(id)
    }
}

/// A child of a node, and how often it is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    /// The node.
    pub(crate) node: Node,
    /// Once for each member of a domain.
    pub(crate) looped: bool,
    /// The branch of the statements in which it stands. A set that stands in one branch only is shared inside it.
    pub(crate) branch: Option<usize>,
}

impl Child {
    fn once(node: Node) -> Child {
        Child { node, looped: false, branch: None }
    }

    /// As how many evaluations it counts: in a loop as two. Loops of a branch are handled inside the branch.
    pub(crate) fn times(self) -> u32 {
        if self.looped && self.branch.is_none() { 2 } else { 1 }
    }
}

/// Visits the children of a node that are evaluated in the same position.
pub(crate) fn each_child(b: &Builder, node: Node, f: &mut dyn FnMut(Node)) {
    children(b, node).into_iter().for_each(|c| f(c.node));
}

/// The children of a node that are evaluated in the same position.
pub(crate) fn children(b: &Builder, node: Node) -> Vec<Child> {
    let (parts, _, repeats) = b.anatomy(node);
    let mut out = Vec::new();
    for part in parts {
        match part {
            Part::Set(s) => out.push(Child::once(Node::Set(s))),
            Part::Int(i) => out.push(Child::once(Node::Int(i))),
            Part::Block(_) | Part::After(_) => return Vec::new(),
        }
    }
    if let Some(last) = out.last_mut() {
        last.looped = repeats;
    }
    out
}

/// The expressions of a statement of a generator, and of the blocks in it.
fn children_of_stmt(b: &Builder, s: &Stmt, at: Child, out: &mut Vec<Child>) {
    s.each(&mut |part| match part {
        Part::Set(s) => out.push(Child { node: Node::Set(s), ..at }),
        Part::Int(i) => out.push(Child { node: Node::Int(i), ..at }),
        Part::Block(block) | Part::After(block) => {
            let at = match s {
                Stmt::For { .. } => Child { looped: true, ..at },
                // In a loop nothing is a branch's own: outside the loop it is computed once.
                _ => Child { branch: at.branch.or((!at.looped).then_some(out.len())), ..at },
            };
            b.block_of(block).iter().for_each(|s| children_of_stmt(b, s, at, out));
        }
    });
}

/// The expressions of statements of a generator. A loop may count as a branch of its own.
pub(crate) fn children_of_block(b: &Builder, block: &[Stmt], split: bool) -> Vec<Child> {
    let mut all = Vec::new();
    for s in block {
        let branch = (split && matches!(s, Stmt::For { .. })).then_some(all.len());
        // The node is a placeholder.
        let at = Child { branch, ..Child::once(Node::Int(IntId(0))) };
        children_of_stmt(b, s, at, &mut all);
    }
    all
}
