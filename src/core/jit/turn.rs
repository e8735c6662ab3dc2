//! Doing a move, and the ends of the game.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::emit::Emit;
use super::values::Number;
use crate::program::{DecisionCode, Leaf, OutcomeCode, Slots, Var, count_ply, result, slot};

/// The least and the greatest value of a choice.
pub(super) fn var_bounds(var: &Var) -> (i64, i64) {
    let low = i64::from(var.offset);
    (low, low + i64::from(var.radix) - 1)
}

impl Emit<'_> {
    /// The body of the function that does a move with the player in slot `MOVER`.
    pub fn apply(&mut self, number: Value) {
        let (go, exit) = (self.block(), self.block());
        let result = self.slot(slot::RESULT);
        self.brif(result, exit, go);
        self.at(go);
        self.act(number, exit);
        self.jump(exit);
        self.at(exit);
        self.b.ins().return_(&[]);
    }

    /// Does a move of a game that is not over, and looks at the ends after it; gives back the state that is to be
    /// resolved. Where the game is over then, or the number is no move's, it goes to `exit`.
    pub fn act(&mut self, number: Value, exit: Block) -> Value {
        let program = self.program;
        let (acted, passed, done) = (self.block(), self.block(), self.block());
        let choice = self.b.declare_var(types::I32);
        let next = self.b.declare_var(types::I32);
        // Each decision is written once, however many leaves it has.
        let decisions: Vec<Block> = program.decisions.iter().map(|_| self.block()).collect();
        self.leaves(number, next, exit, |e, leaf| {
            let chosen = e.b.ins().iadd_imm_s(number, -i64::from(leaf.base));
            e.put(choice, chosen);
            leaf.decision.map_or(passed, |decision| decisions[decision])
        });
        for (number, (code, block)) in program.decisions.iter().zip(decisions).enumerate() {
            self.at(block);
            self.bind_choice(code, choice, (!self.has_no_gap(number)).then_some(exit));
            self.run(code.apply);
            self.jump(acted);
        }
        self.at(acted);
        let state = self.get(next);
        count_ply(self, true, state);
        self.jump(done);
        self.at(passed);
        let state = self.get(next);
        count_ply(self, false, state);
        self.jump(done);
        self.at(done);
        self.ends(false, exit);
        self.get(next)
    }

    /// Finds the leaf that offers a move, puts the state after it into a variable, and goes where `each` says.
    pub fn leaves(
        &mut self,
        number: Value,
        next: Variable,
        exit: Block,
        each: impl Fn(&mut Self, &Leaf) -> Block,
    ) {
        let leaves = &self.program.leaves;
        let blocks: Vec<Block> = leaves.iter().map(|_| self.block()).collect();
        self.dispatch(number, &blocks, 0, exit);
        for (leaf, block) in leaves.iter().zip(blocks) {
            self.at(block);
            let state = self.i32(leaf.next.0 as i32);
            self.put(next, state);
            let to = each(self, leaf);
            self.jump(to);
        }
    }

    /// Whether right behind the moves of each leaf of a decision are those of another leaf. Then every number that leads
    /// to one of these leaves is a move's.
    fn has_no_gap(&self, decision: usize) -> bool {
        let (leaves, size) = (&self.program.leaves, self.program.decisions[decision].size);
        let mut places = leaves.iter().enumerate().filter(|(_, leaf)| leaf.decision == Some(decision));
        places.all(|(at, leaf)| leaves.get(at + 1).is_some_and(|next| next.base == leaf.base + size))
    }

    /// Goes to the block of the leaf that offers a move, by a binary search among leaves in order. The more moves a
    /// leaf has, the fewer comparisons lead to it.
    fn dispatch(&mut self, number: Value, leaves: &[Block], first: usize, exit: Block) {
        match leaves {
            [] => self.jump(exit),
            [only] => self.jump(*only),
            _ => {
                let half = self.middle(first, leaves.len());
                let (low, high) = (self.block(), self.block());
                let base = i64::from(self.program.leaves[first + half].base);
                let below = self.cmp_to(IntCC::UnsignedLessThan, number, base);
                self.brif(below, low, high);
                self.at(low);
                self.dispatch(number, &leaves[..half], first, exit);
                self.at(high);
                self.dispatch(number, &leaves[half..], first + half, exit);
            }
        }
    }

    /// Where to split a row of leaves so that both parts have about as many moves. No part is empty.
    fn middle(&self, first: usize, count: usize) -> usize {
        let program = self.program;
        let leaves = &program.leaves[first..first + count];
        let moves = leaves
            .iter()
            .map(|leaf| leaf.decision.map_or(1, |decision| u64::from(program.decisions[decision].size)));
        let all: u64 = moves.clone().sum();
        let mut below = 0;
        let upto: Vec<u64> = moves
            .map(|moves| {
                below += moves;
                below
            })
            .collect();
        (1..count).min_by_key(|half| upto[half - 1].max(all - upto[half - 1])).unwrap_or(1)
    }

    /// Binds the choices of a move. A number that is no move goes to `exit`; without one it certainly is a move's.
    pub fn bind_choice(&mut self, code: &DecisionCode, choice: Variable, exit: Option<Block>) {
        let number = self.get(choice);
        if let Some(exit) = exit {
            let legal = self.cmp_to(IntCC::UnsignedLessThan, number, i64::from(code.size));
            let go = self.block();
            self.brif(legal, go, exit);
            self.at(go);
        }
        for var in &code.vars {
            let mut value = match var.multiplier {
                1 => number,
                by => self.b.ins().udiv_imm_s(number, i64::from(by)),
            };
            // The outermost choice is the rest.
            if u64::from(var.multiplier) * u64::from(var.radix) < u64::from(code.size) {
                value = self.b.ins().urem_imm_s(value, i64::from(var.radix));
            }
            value = self.b.ins().iadd_imm_s(value, i64::from(var.offset));
            self.bind_int(var.local, Number { value, bounds: var_bounds(var) });
        }
    }

    /// The value for slot `RESULT`; 0 for a pass.
    pub fn outcome(&mut self, code: &OutcomeCode) -> Value {
        match code {
            OutcomeCode::If(cond, a, b) => {
                let result = self.b.declare_var(types::I32);
                self.fork(*cond, [a, b], |e, code| {
                    let value = e.outcome(code);
                    e.put(result, value);
                });
                self.get(result)
            }
            OutcomeCode::Pass => self.i32(0),
            OutcomeCode::Draw => self.i32(result::DRAW),
            OutcomeCode::Score => self.i32(result::SCORE),
            OutcomeCode::Wins(player) => {
                let player = self.int(*player);
                let is_player = self.is_player(player);
                let win = self.b.ins().iadd_imm_s(player, i64::from(result::WIN));
                let draw = self.i32(result::DRAW);
                self.select(is_player, win, draw)
            }
            OutcomeCode::Places(numbers) => {
                // By side. The sums of a team need more than 32 bits.
                let mut sums: Vec<Option<Value>> = vec![None; self.program.sides()];
                for (player, id) in numbers.iter().enumerate() {
                    let number = self.int(*id);
                    let number = self.b.ins().sextend(types::I64, number);
                    let sum = &mut sums[self.program.side(player)];
                    *sum = Some(sum.map_or(number, |sum| self.b.ins().iadd(sum, number)));
                }
                let each: Vec<Option<Value>> =
                    (0..numbers.len()).map(|player| sums[self.program.side(player)]).collect();
                let mut code = self.i32(result::PLACES);
                for (player, own) in each.iter().enumerate() {
                    for other in each.iter().filter(|other| *other != own) {
                        let (Some(own), Some(other)) = (*own, *other) else { continue };
                        let before = self.cmp(IntCC::SignedGreaterThan, other, own);
                        let before = self.b.ins().uextend(types::I32, before);
                        let before =
                            self.b.ins().ishl_imm_s(before, i64::from(result::PLACE_BITS) * player as i64);
                        code = self.b.ins().iadd(code, before);
                    }
                }
                code
            }
        }
    }
}
