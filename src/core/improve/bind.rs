//! Values held in locals, and the code around which those are bound.

use super::Node;
use super::builder::Builder;
use crate::program::{IntOp, SetOp, slot};

impl Builder {
    /// A value that may be written several times: itself if it costs nothing, else a local to be bound.
    pub(crate) fn hold(&mut self, value: Node) -> (Node, Option<(u32, Node)>) {
        match value {
            Node::Int(i) => {
                let mover = IntOp::Slot(slot::MOVER as u32);
                if matches!(self.int_op(i), IntOp::Const(_) | IntOp::Local(_)) || *self.int_op(i) == mover {
                    return (value, None);
                }
                let local = self.int_local();
                (Node::Int(self.int(IntOp::Local(local))), Some((local, value)))
            }
            Node::Set(s) => {
                if matches!(self.op(s), SetOp::Const(_) | SetOp::Local(_)) {
                    return (value, None);
                }
                // A site on its own is held by its number: what relations lead to is then looked up, not looked for.
                if let SetOp::Site(x) = *self.op(s) {
                    let (held, lets) = self.hold(x.into());
                    let x = self.int_of(held);
                    return (Node::Set(self.set(SetOp::Site(x))), lets);
                }
                let local = self.set_local();
                (Node::Set(self.set(SetOp::Local(local))), Some((local, value)))
            }
        }
    }

    /// A value with locals bound around it, the first outermost.
    pub(crate) fn wrap(
        &mut self,
        body: Node,
        lets: impl IntoIterator<Item = (u32, Node), IntoIter: DoubleEndedIterator>,
    ) -> Node {
        let mut body = body;
        for (local, value) in lets.into_iter().rev() {
            body = match (body, value) {
                (Node::Int(body), Node::Int(value)) => {
                    Node::Int(self.int(IntOp::LetInt { local, value, body }))
                }
                (Node::Int(body), Node::Set(value)) => {
                    Node::Int(self.int(IntOp::LetSet { local, value, body }))
                }
                (Node::Set(body), Node::Int(value)) => {
                    Node::Set(self.set(SetOp::LetInt { local, value, body }))
                }
                (Node::Set(body), Node::Set(value)) => {
                    Node::Set(self.set(SetOp::LetSet { local, value, body }))
                }
            };
        }
        body
    }
}
