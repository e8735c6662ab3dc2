//! Ends of the game.
//!
//! An end is looked at where those before it do not hold. So what each of them asks whatever the position is known from
//! then on, and what several ask for is found once.

use std::collections::BTreeSet;

use cranelift_codegen::ir::{Block, types};

use super::code::context;
use super::emit::Emit;
use crate::program::{EndCode, IntId, IntOp, Part, Program, SetId, SetOp, slot};

/// The sets that stand in some code outside copies of the position: all, or those that are evaluated whatever the
/// position.
fn sets_in(program: &Program, part: Part, all: bool, out: &mut BTreeSet<SetId>) {
    let mut parts = Vec::new();
    let (chooses, binds) = match part {
        Part::Set(id) => {
            if !out.insert(id) {
                return;
            }
            let op = &program.sets[id.0 as usize];
            op.each(&mut |part| parts.push(part));
            let chooses = matches!(
                op,
                SetOp::And(..) | SetOp::Sub(..) | SetOp::Otherwise(..) | SetOp::If(..) | SetOp::Switch(..)
            );
            (chooses, op.binds().is_some())
        }
        Part::Int(id) => {
            let op = &program.ints[id.0 as usize];
            op.each(&mut |part| parts.push(part));
            let chooses = matches!(op, IntOp::And(..) | IntOp::Or(..) | IntOp::If(..) | IntOp::Switch(..));
            (chooses, op.binds().is_some())
        }
        Part::Block(_) | Part::After(_) => return,
    };
    if parts.iter().any(|part| matches!(part, Part::After(_))) {
        return;
    }
    match all {
        false if chooses => parts.truncate(1),
        // Where a local is bound.
        false if binds => drop(parts.pop()),
        _ => {}
    }
    parts.into_iter().for_each(|part| sets_in(program, part, all, out));
}

impl Emit<'_> {
    /// Finds what an end is about to ask for whatever the position, if later ends ask for it too.
    fn hold(&mut self, when: IntId, later: &[&EndCode]) {
        let (mut first, mut others) = (BTreeSet::new(), BTreeSet::new());
        sets_in(self.program, Part::Int(when), false, &mut first);
        later.iter().for_each(|end| sets_in(self.program, Part::Int(end.when), true, &mut others));
        // Operands have lower numbers.
        for set in first.intersection(&others) {
            if self.shared.costs.heavy_set(*set) && !self.held.contains_key(set) {
                let members = self.set(*set);
                let members = self.set_variable(&members);
                self.held.insert(*set, members);
            }
        }
    }

    /// Looks at the ends after a ply or at a turn's start; a game that is over goes to `over`.
    pub fn ends(&mut self, at_turn: bool, over: Block) {
        let program = self.program;
        let ends: Vec<&EndCode> = program.ends.iter().filter(|end| end.at_turn == at_turn).collect();
        for (place, end) in ends.iter().enumerate() {
            if end.perft {
                self.hold(end.when, &ends[place + 1..]);
            }
            let on = self.block();
            if !end.perft {
                let look = self.block();
                let perft = self.load(types::I32, self.context, context::PERFT);
                self.brif(perft, on, look);
                self.at(look);
            }
            let holds = self.block();
            self.branch(end.when, holds, on);
            self.at(holds);
            let result = self.outcome(&end.result);
            let decided = self.block();
            self.brif(result, decided, on);
            self.at(decided);
            self.set_slot(slot::RESULT, result);
            self.jump(over);
            self.at(on);
        }
        self.held.clear();
    }
}
