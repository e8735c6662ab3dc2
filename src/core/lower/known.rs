//! Facts about the sites that a decision chose, while the choices are made.

use super::facts::{Fact, Whose};
use super::state::{Lowerer, View};
use crate::program::{Binary, IntId, IntOp, Var};
use crate::semantics::{ChosenVar, Domain};

impl Lowerer<'_> {
    /// Notes the facts about the sites that a legal move chose.
    pub(super) fn know_choice(&mut self, chosen: &[ChosenVar], vars: &[Var]) {
        for (chosen, var) in chosen.iter().zip(vars) {
            if let (Domain::Sites(e), false) = (&chosen.domain, chosen.optional) {
                let bound = self.b.int(IntOp::Local(var.local));
                let fact = self.known.of_set(e);
                self.facts.insert(bound, fact);
            }
        }
    }

    /// The kind of the pieces on a site: a number where facts tell it.
    pub(super) fn kind_at(&mut self, x: IntId, view: View) -> IntId {
        let known = self.facts.get(&x).filter(|_| view.fresh).and_then(|fact| fact.kind());
        match known {
            Some(kind) => self.b.num(kind as i32),
            None => self.b.int(IntOp::KindAt(x)),
        }
    }

    /// The number of the owner, if it is known.
    pub(super) fn owner_of(&mut self, fact: Fact, view: View) -> Option<IntId> {
        match fact.whose? {
            Whose::Mine => Some(view.me),
            // Known only where there are two players.
            Whose::Theirs => {
                let one = self.b.num(1);
                Some(self.b.int(IntOp::Binary(Binary::Sub, one, view.me)))
            }
        }
    }
}
