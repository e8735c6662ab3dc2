//! What takes long to be lowered is lowered once for each view.
//!
//! Definitions are put in where they are named, and relations where they are followed. Where those name others
//! in turn, their code would double with each that names one twice, for two players or two kinds. Lowered from
//! the same view, with the same arguments of which the same is known, an expression becomes the same code. So
//! what took many steps is kept, and taken where it is asked for again.

use super::state::{Argument, Asked, Lowerer, Source, View};
use crate::improve::Node;
use crate::program::IntOp;

/// What takes fewer steps is lowered wherever it stands: it costs little, and shares what is equal anyway.
const LONG: u64 = 5_000;

impl Lowerer<'_> {
    /// The code of something, made now or before.
    pub(super) fn once(
        &mut self,
        source: Source,
        args: Vec<Node>,
        view: View,
        make: impl FnOnce(&mut Self) -> Node,
    ) -> Node {
        let args = args.into_iter().map(|v| self.argument(v)).collect();
        let asked = Asked { source, args, me: view.me, fresh: view.fresh, copied: self.b.depth > 0 };
        if let Some(value) = self.made.get(&asked) {
            return *value;
        }
        let steps = self.b.work.steps();
        let value = make(self);
        if self.b.work.steps() - steps > LONG {
            self.made.insert(asked, value);
        }
        value
    }

    fn argument(&self, value: Node) -> Argument {
        let Node::Int(i) = value else { return (value, None, None) };
        let range = match self.b.int_op(i) {
            IntOp::Local(l) => self.b.ranges.get(l).copied(),
            _ => None,
        };
        (value, self.facts.get(&i).copied(), range)
    }
}
