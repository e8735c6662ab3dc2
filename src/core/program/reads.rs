//! What the code that is run in a game reads.

use std::collections::HashSet;

use super::walk::{Part, Use};
use super::{FlowNode, OutcomeCode, Program, slot};

impl Program {
    /// Whether what perft counts may depend on how often a position was seen. Ends that perft passes over do not count,
    /// nor do the result of an end and the weight of a choice: neither changes what is legal.
    pub fn perft_reads_seen(&self) -> bool {
        let mut open = vec![Part::Block(self.turn_end)];
        for decision in &self.decisions {
            open.extend(decision.when.map(Part::Int));
            open.extend([decision.generate, decision.apply].map(Part::Block));
        }
        self.states.iter().for_each(|state| conditions(&state.rest, &mut open));
        open.extend(self.next.map(Part::Int));
        choices(&self.stuck, &mut open);
        open.extend(self.ends.iter().filter(|end| end.perft).map(|end| Part::Int(end.when)));
        self.reads_seen && self.reads(open, slot::SEEN as u32)
    }

    /// Whether some code, or what it is made of, reads a slot.
    fn reads(&self, mut open: Vec<Part>, slot: u32) -> bool {
        let (mut known, mut found) = (HashSet::new(), false);
        while let (Some(code), false) = (open.pop(), found) {
            if !known.insert(code) {
                continue;
            }
            let mut used = |used| {
                found |= matches!(used, Use::Slots(base, count) if (base..base + count).contains(&slot));
            };
            let mut part = |part| open.push(part);
            match code {
                Part::Set(id) => {
                    let op = &self.sets[id.0 as usize];
                    op.uses(&mut used);
                    op.each(&mut part);
                }
                Part::Int(id) => {
                    let op = &self.ints[id.0 as usize];
                    op.uses(&mut used);
                    op.each(&mut part);
                }
                // The slots that a statement uses are those that it writes.
                Part::Block(id) | Part::After(id) => {
                    self.blocks[id.0 as usize].iter().for_each(|statement| statement.each(&mut part));
                }
            }
        }
        found
    }
}

/// The conditions and the players of a piece of flow.
fn conditions(node: &FlowNode, open: &mut Vec<Part>) {
    if let FlowNode::If(asked, _) | FlowNode::By(asked, _) = node {
        open.push(Part::Int(*asked));
    }
    node.parts().iter().for_each(|part| conditions(part, open));
}

/// What decides among outcomes.
fn choices(outcome: &OutcomeCode, open: &mut Vec<Part>) {
    if let OutcomeCode::If(test, yes, no) = outcome {
        open.push(Part::Int(*test));
        choices(yes, open);
        choices(no, open);
    }
}
