//! Doing a move, and the ends of the game.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::code::context;
use super::emit::Emit;
use crate::program::{DecisionCode, OutcomeCode, slot};

/// What slot `RESULT` says: as the interpreter has it.
const DRAW: i32 = 1;
const SCORE: i32 = 2;
const WIN: i64 = 3;

impl Emit<'_> {
    /// The body of the function that does a move with the player in slot `MOVER`.
    pub fn apply(&mut self, number: Value) {
        let program = self.program;
        let (go, done, exit) = (self.block(), self.block(), self.block());
        let result = self.slot(slot::RESULT);
        self.brif(result, exit, go);
        self.at(go);
        let choice = self.b.declare_var(types::I32);
        let next = self.b.declare_var(types::I32);
        // Each decision is written once, whatever number of leaves it has.
        let decisions: Vec<Block> = program.decisions.iter().map(|_| self.block()).collect();
        let leaves: Vec<Block> = program.leaves.iter().map(|_| self.block()).collect();
        self.dispatch(number, &leaves, 0, exit);
        for (leaf, block) in program.leaves.iter().zip(leaves) {
            self.at(block);
            let state = self.i32(leaf.next.0 as i32);
            self.put(next, state);
            let Some(decision) = leaf.decision else {
                // A turn that is only a pass so far; whatever else is done in it takes that back.
                let plies = self.slot(slot::TURN_PLIES);
                let first = self.cmp_to(IntCC::Equal, plies, 0);
                self.when(first, |e| e.count_up(slot::PASSES));
                self.jump(done);
                continue;
            };
            let chosen = self.b.ins().iadd_imm_s(number, -i64::from(leaf.base));
            self.put(choice, chosen);
            self.jump(decisions[decision]);
        }
        for (code, block) in program.decisions.iter().zip(decisions) {
            self.at(block);
            self.bind_choice(code, choice, exit);
            self.run(code.apply);
            self.count_up(slot::TURN_ACTS);
            let none = self.i32(0);
            self.set_slot(slot::PASSES, none);
            self.jump(done);
        }
        self.at(done);
        self.count_up(slot::PLY);
        self.count_up(slot::TURN_PLIES);
        let state = self.get(next);
        self.set_slot(slot::STATE, state);
        self.ends(false, exit);
        self.jump(exit);
        self.at(exit);
        self.b.ins().return_(&[]);
    }

    /// Goes to the block of the leaf that offers a move, one of some that follow each other.
    fn dispatch(&mut self, number: Value, leaves: &[Block], first: usize, exit: Block) {
        match leaves {
            [] => self.jump(exit),
            [only] => self.jump(*only),
            _ => {
                let half = leaves.len() / 2;
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

    /// Binds what a move chose. A number that is no move goes to `exit`.
    fn bind_choice(&mut self, code: &DecisionCode, choice: Variable, exit: Block) {
        let number = self.get(choice);
        let legal = self.cmp_to(IntCC::UnsignedLessThan, number, i64::from(code.size));
        let go = self.block();
        self.brif(legal, go, exit);
        self.at(go);
        for var in &code.vars {
            let mut value = match var.multiplier {
                1 => number,
                by => self.b.ins().udiv_imm_s(number, i64::from(by)),
            };
            // The outermost is what is left.
            if u64::from(var.multiplier) * u64::from(var.radix) < u64::from(code.size) {
                value = self.b.ins().urem_imm_s(value, i64::from(var.radix));
            }
            value = self.b.ins().iadd_imm_s(value, i64::from(var.offset));
            let low = i64::from(var.offset);
            self.bind_int(var.local, value, (low, low + i64::from(var.radix) - 1));
        }
    }

    /// One more in a slot.
    pub fn count_up(&mut self, slot: usize) {
        let now = self.slot(slot);
        let more = self.b.ins().iadd_imm_s(now, 1);
        self.set_slot(slot, more);
    }

    /// Looks at the ends after a ply or at a turn's start; a game that is over goes to `over`.
    pub fn ends(&mut self, at_turn: bool, over: Block) {
        let program = self.program;
        for end in program.ends.iter().filter(|end| end.at_turn == at_turn) {
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
    }

    /// What slot `RESULT` becomes; 0 for a pass.
    pub fn outcome(&mut self, code: &OutcomeCode) -> Value {
        match code {
            OutcomeCode::If(cond, a, b) => {
                let result = self.b.declare_var(types::I32);
                let (yes, no, after) = (self.block(), self.block(), self.block());
                self.branch(*cond, yes, no);
                for (block, code) in [(yes, a), (no, b)] {
                    self.at(block);
                    let value = self.outcome(code);
                    self.put(result, value);
                    self.jump(after);
                }
                self.at(after);
                self.get(result)
            }
            OutcomeCode::Pass => self.i32(0),
            OutcomeCode::Draw => self.i32(DRAW),
            OutcomeCode::Score => self.i32(SCORE),
            OutcomeCode::Wins(player) => {
                let player = self.int(*player);
                let is_player = self.is_player(player);
                let win = self.b.ins().iadd_imm_s(player, WIN);
                let draw = self.i32(DRAW);
                self.select(is_player, win, draw)
            }
        }
    }

    /// Whether a number is a player's.
    pub fn is_player(&mut self, number: Value) -> Value {
        let players = self.program.layout.players as i64;
        self.cmp_to(IntCC::UnsignedLessThan, number, players)
    }
}
