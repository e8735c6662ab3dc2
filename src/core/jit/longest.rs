//! The choice of the longest paths, where code asks for it.
//!
//! Code lays down all offers; then a helper takes those out that begin no longest path. Its search is that of
//! [`crate::play`], so it stands once. It makes the plies of paths by two functions of the program: the one that does a
//! move, and one that finds what can follow inside, which is the rest of the turn without the choice. A choice does not
//! stand inside another (verified), so neither of them calls the helper.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable;

use super::code::context;
use super::emit::Emit;
use super::values::WorkingPosition;
use crate::program::{FlowNode, IntId, Program, StateId, slot};

/// The states in which paths are followed; none where no path can be longer than a ply.
pub(super) fn states_inside(program: &Program) -> Vec<StateId> {
    fn within(program: &Program, node: &FlowNode, states: &mut Vec<StateId>) {
        match node {
            FlowNode::Longest { node, inside } if program.leads_on(node, inside) => states.extend(inside),
            node => node.parts().iter().for_each(|part| within(program, part, states)),
        }
    }
    let mut states = Vec::new();
    for state in &program.states {
        within(program, &state.rest, &mut states);
    }
    states.sort_unstable();
    states.dedup();
    states
}

/// The node inside the first choice of the longest in a node, and whose it is: the players of each `by` around it.
pub(super) fn inside_of(node: &FlowNode) -> Option<(Vec<IntId>, &FlowNode)> {
    match node {
        FlowNode::Longest { node, .. } => Some((Vec::new(), node)),
        FlowNode::By(player, node) => {
            let (mut players, inside) = inside_of(node)?;
            players.insert(0, *player);
            Some((players, inside))
        }
        node => node.parts().iter().find_map(inside_of),
    }
}

impl Emit<'_> {
    /// The body of the function that finds what can follow a ply inside. Offers are laid down behind those that are
    /// there. Who decides becomes the mover.
    pub fn inside(&mut self) {
        let program = self.program;
        self.margin = context::MARGIN;
        let sink = self.load(types::I64, self.context, context::SINK);
        self.put(self.sink, sink);
        let total = self.load(types::I64, self.context, context::TOTAL);
        self.put(self.total, total);
        let turn = self.slot(slot::TURN);
        let mover = self.variable(types::I32, turn);
        let (go, done, due, over) = (self.block(), self.block(), self.block(), self.block());
        let result = self.slot(slot::RESULT);
        self.brif(result, over, go);
        self.at(go);
        let state = self.slot(slot::STATE);
        self.states(&states_inside(program), state, Some(over), |e, state| {
            e.set_slot(slot::MOVER, turn);
            let Some((players, node)) = inside_of(&program.states[state.0 as usize].rest) else {
                return e.jump(done);
            };
            for player in players {
                e.let_move(player);
            }
            e.node(node, done, due, mover);
        });
        self.at(done);
        self.set_slot(slot::MOVER, turn);
        self.jump(over);
        self.at(due);
        let who = self.get(mover);
        self.set_slot(slot::MOVER, who);
        self.jump(over);
        self.at(over);
        self.say_laid();
        self.b.ins().return_(&[]);
    }

    /// The node of a choice of the longest: see [`Emit::node`].
    pub fn longest(
        &mut self,
        node: &FlowNode,
        inside: &Vec<StateId>,
        done: Block,
        due: Block,
        mover: Variable,
    ) {
        let WorkingPosition::Memory(pos) = self.place.clone() else { return self.jump(done) };
        if !self.program.leads_on(node, inside) {
            return self.node(node, done, due, mover);
        }
        let laid = self.laid();
        let before = self.get(self.total);
        let (asked, choose) = (self.block(), self.block());
        self.node(node, done, asked, mover);
        self.at(asked);
        let now = self.get(self.total);
        let offers = self.b.ins().isub(now, before);
        let several = self.cmp_to(IntCC::UnsignedGreaterThan, offers, 1);
        self.brif(several, choose, due);
        self.at(choose);
        let around = self.slot(slot::MOVER);
        let who = self.get(mover);
        self.set_slot(slot::MOVER, who);
        let [context, pos] = [self.context, pos].map(|at| self.pointer(at));
        let states = self.i64(std::ptr::from_ref(inside).addr() as i64);
        let from = self.laid_at(laid);
        let sink = self.get(self.sink);
        let args = [context, pos, states, from, sink];
        let taken = self.call_int(self.shared.helpers.longest, &args, types::I64);
        let left = self.b.ins().isub(now, taken);
        self.put(self.total, left);
        self.set_slot(slot::MOVER, around);
        self.jump(due);
    }
}
