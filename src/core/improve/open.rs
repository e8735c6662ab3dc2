//! Code with its locals substituted by their values, so that equal values are equal nodes.
//!
//! A definition that is used twice binds different locals each time. After substitution both uses are one node of the
//! arena. The pass [`share`](super::share) binds sets that stand in several places again.

use std::collections::HashMap;

use super::Node;
use super::builder::{Builder, key};
use crate::program::{IntId, IntOp, Local, Part, SetId, SetOp};

/// How many nodes may be visited: substitution may copy values many times.
const MAX_VISITS: u32 = 600;

/// The values of the locals in sight, by their [`key`].
pub(crate) struct Opened {
    values: HashMap<u32, Node>,
    left: u32,
}

impl Opened {
    /// With no local in sight.
    pub(crate) fn new() -> Opened {
        Opened { values: HashMap::new(), left: MAX_VISITS }
    }

    /// Puts a local in sight.
    pub(crate) fn bind(&mut self, local: Local, value: Node) {
        self.values.insert(key(local), value);
    }
}

impl Builder {
    /// A set with the locals that are bound in it substituted; none where that takes too many steps.
    pub(crate) fn open_set(&mut self, id: SetId, o: &mut Opened) -> Option<SetId> {
        let opened = self.open(id.into(), o)?;
        Some(self.set_of(opened))
    }

    /// An integer with the locals that are bound in it substituted; none where that takes too many steps.
    pub(crate) fn open_int(&mut self, id: IntId, o: &mut Opened) -> Option<IntId> {
        let opened = self.open(id.into(), o)?;
        Some(self.int_of(opened))
    }

    /// The same of a node of either arena.
    pub(crate) fn open(&mut self, node: Node, o: &mut Opened) -> Option<Node> {
        o.left = o.left.checked_sub(1)?;
        if let Some((local, value, body)) = self.let_of(node) {
            let value = self.open(value, o)?;
            o.bind(local, value);
            return self.open(body, o);
        }
        let local = match node {
            Node::Set(id) => matches!(self.op(id), SetOp::Local(_)),
            Node::Int(id) => matches!(self.int_op(id), IntOp::Local(_)),
        };
        if local {
            let value = self.node_info(node).free.first().and_then(|local| o.values.get(local));
            return Some(value.copied().unwrap_or(node));
        }
        let (parts, binds, _) = self.anatomy(node);
        if binds.is_some() || parts.iter().any(|part| matches!(part, Part::After(_))) {
            let names = self.node_info(node).free.iter().any(|local| o.values.contains_key(local));
            return (!names).then_some(node);
        }
        self.replaced(node, |b, hole| {
            match hole {
                Part::Set(set) => *set = b.open_set(*set, o)?,
                Part::Int(int) => *int = b.open_int(*int, o)?,
                Part::Block(_) | Part::After(_) => return None,
            }
            Some(())
        })
    }
}
