//! The state of a lowering, which all files of the translation share.

use std::collections::HashMap;
use std::rc::Rc;

use super::facts::{Fact, Known};
use super::storage::Storage;
use crate::board::Relation as Board;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::improve::{Builder, Node};
use crate::program::{IntId, IntOp, SetId, slot};
use crate::semantics::{LocalId, Rules};
use crate::source::Span;
use crate::syntax::ast::ClauseKind;

/// Whose view code is lowered from.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The player that is me.
    pub(super) me: IntId,
    /// Whether the position is still the one in which the choices are made, so that facts hold.
    pub(super) fresh: bool,
}

/// The state of a lowering.
pub(super) struct Lowerer<'r> {
    pub(super) rules: &'r Rules,
    pub(super) b: Builder,
    pub(super) storage: Storage,
    /// The value of each local in scope. A local is bound in one place, so later bindings may replace earlier ones.
    pub(super) values: HashMap<LocalId, Node>,
    /// The facts about the site that an expression yields.
    pub(super) facts: HashMap<IntId, Fact>,
    /// The facts about sets as they are written.
    pub(super) known: Known<'r>,
    /// The cache of code that took long to lower.
    pub(super) made: HashMap<Asked, Node>,
    /// The walks of patterns that have been looked into, as each player sees them.
    pub(super) walks: HashMap<(At, usize, usize), Option<Rc<Board>>>,
    /// The tables made of rays so far, by direction and length.
    pub(super) tables: HashMap<String, u32>,
    /// All steps, when all is done.
    pub(super) steps: u64,
    pub(super) out: Diagnostics,
}

/// Where a pattern of the definition stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum At {
    /// A relation.
    Relation(usize),
    /// A trait, and the kind.
    Trait(usize, usize),
}

/// The source of the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Source {
    /// A definition.
    Define(usize),
    /// A clause of a walk.
    Clause((At, usize, ClauseKind)),
}

/// An argument: its value, and the facts about that.
pub(super) type Argument = (Node, Option<Fact>, Option<SetId>);

/// Everything that the code depends on: the key of the cache.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct Asked {
    pub(super) source: Source,
    pub(super) args: Vec<Argument>,
    pub(super) me: IntId,
    pub(super) fresh: bool,
    pub(super) copied: bool,
}

impl Lowerer<'_> {
    /// The view of the mover, before any effect.
    pub(super) fn mover(&mut self) -> View {
        View { me: self.b.int(IntOp::Slot(slot::MOVER as u32)), fresh: true }
    }

    pub(super) fn limit(&mut self, span: Span, message: impl Into<String>) {
        self.out.push(Diagnostic::error("limit", span, message));
    }

    /// Lowers a rule, and notes how many steps that takes.
    pub(super) fn of_rule<T>(&mut self, span: Span, what: &str, lower: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.b.work.steps();
        let lowered = lower(self);
        self.b.work.of_rule(span, what, before);
        lowered
    }
}
