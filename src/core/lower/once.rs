//! A cache of code that takes long to lower.
//!
//! Definitions are inlined where they are named, and relations where they are followed. If each names the next one
//! twice, for two players or two kinds, the work doubles with each level. An expression becomes the same code if the
//! view, the arguments and the facts about them are the same. So code that took many steps is cached by these.

use super::state::{Argument, Asked, Lowerer, Source, View};
use crate::improve::Node;
use crate::program::IntOp;

/// Code that takes fewer steps is not cached: it costs little, and equal nodes are one node anyway.
const MIN_CACHED_STEPS: u64 = 5_000;

impl Lowerer<'_> {
    /// The code of a source, made now or taken from the cache.
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
        if self.b.work.steps() - steps > MIN_CACHED_STEPS {
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
