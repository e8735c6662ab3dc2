//! A local that is bound where its value is needed, and not before.
//!
//! `let x = v : (a and b)` is `a and (let x = v : b)` where only `b` names `x`: if `a` fails, `v` is not computed. So a
//! `let` goes into the only part of a condition that names it, and into that part's only part, if it comes to stand where
//! it may be left out. If it ends up around a node that names it once, as an operand, the value stands there itself.

use super::Node;
use super::builder::Builder;
use crate::program::{IntOp, Local, Part, SetOp};

impl Builder {
    /// A node with the locals that are bound around it bound as deep as possible, the innermost first.
    pub(super) fn settled(&mut self, node: Node) -> Node {
        let Some((local, value, body)) = self.let_of(node) else { return node };
        let body = self.settled(body);
        self.sunk(local, value, body).unwrap_or_else(|| self.around(local, value, body))
    }

    fn around(&mut self, local: Local, value: Node, body: Node) -> Node {
        let (Local::Int(number) | Local::Set(number)) = local;
        self.written_out(local, value, body).unwrap_or_else(|| self.wrap(body, [(number, value)]))
    }

    /// The body with the value in place of the local, which is one of its operands and stands nowhere else in it.
    fn written_out(&mut self, local: Local, value: Node, body: Node) -> Option<Node> {
        let (parts, binds, _) = self.anatomy(body);
        if binds.is_some() || parts.iter().filter(|part| self.names_in(**part, local)).count() != 1 {
            return None;
        }
        self.replaced(body, |b, hole| {
            match (hole, value, local) {
                (Part::Set(set), Node::Set(value), Local::Set(name)) if *b.op(*set) == SetOp::Local(name) => {
                    *set = value;
                }
                (Part::Int(int), Node::Int(value), Local::Int(name))
                    if *b.int_op(*int) == IntOp::Local(name) =>
                {
                    *int = value;
                }
                (Part::Set(set), ..) if !b.names(*set, Some(local)) => {}
                (Part::Int(int), ..) if !b.names(*int, Some(local)) => {}
                _ => return None,
            }
            Some(())
        })
    }

    /// Whether a part names a local. Blocks are not looked into: they count as if they did.
    fn names_in(&self, part: Part, local: Local) -> bool {
        match part {
            Part::Set(set) => self.names(set, Some(local)),
            Part::Int(int) => self.names(int, Some(local)),
            Part::Block(_) | Part::After(_) => true,
        }
    }

    /// The body with a local bound in it, as deep as that is possible without binding it twice or in a loop; none if the
    /// value is needed wherever the body is.
    fn sunk(&mut self, local: Local, value: Node, body: Node) -> Option<Node> {
        let chooses = match body {
            Node::Int(id) => {
                matches!(self.int_op(id), IntOp::And(..) | IntOp::Or(..) | IntOp::If(..) | IntOp::Switch(..))
            }
            Node::Set(id) => matches!(self.op(id), SetOp::If(..) | SetOp::Switch(..)),
        };
        let inner = self.let_of(body).map(|(inner, ..)| inner);
        // What the value names is not what an inner `let` calls the same.
        let hides = inner.is_some_and(|inner| inner == local || self.names(value, Some(inner)));
        if !(chooses || inner.is_some()) || hides || !self.work.take(1) {
            return None;
        }
        let (parts, ..) = self.anatomy(body);
        let mut places = parts.iter().enumerate().filter(|(_, part)| self.names_in(**part, local));
        let (Some((only, _)), None) = (places.next(), places.next()) else { return None };
        drop(places);
        // The first part of a choice is always evaluated, and so are those of a `let`.
        let may_be_left_out = chooses && only > 0;
        let mut at = 0;
        self.replaced(body, |b, hole| {
            let here = at == only;
            at += 1;
            let mut inside = |part: Node| match b.sunk(local, value, part) {
                None if may_be_left_out => Some(b.around(local, value, part)),
                sunk => sunk,
            };
            match hole {
                Part::Set(set) if here => {
                    let node = inside((*set).into())?;
                    *set = b.set_of(node);
                }
                Part::Int(int) if here => {
                    let node = inside((*int).into())?;
                    *int = b.int_of(node);
                }
                _ => {}
            }
            Some(())
        })
    }
}
