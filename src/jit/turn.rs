//! Doing a move, and the ends of the game.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::code::context;
use super::emit::Emit;
use super::longest::states_inside;
use super::memory::{Address, Index, Row};
use super::place::Writes;
use super::values::{Number, WorkingPosition};
use crate::program::{DecisionCode, IntId, OutcomeCode, Slots, count_ply, result, slot};

/// Positions of so many words are copied word by word, longer ones in a loop.
const MAX_UNROLLED_WORDS: usize = 64;

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
        let leaves: Vec<Block> = program.leaves.iter().map(|_| self.block()).collect();
        self.dispatch(number, &leaves, 0, exit);
        for (leaf, block) in program.leaves.iter().zip(leaves) {
            self.at(block);
            let state = self.i32(leaf.next.0 as i32);
            self.put(next, state);
            let Some(decision) = leaf.decision else {
                self.jump(passed);
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

    /// Counts a ply made in the position at hand, which stays as it is, in a copy of it in memory.
    fn count_acts(&mut self, act: bool, next: Variable, to: Address) {
        let slots = [slot::TURN_ACTS, slot::PASSES, slot::PLY, slot::TURN_PLIES, slot::STATE];
        let below = self.place.clone();
        self.place = self.held(&Writes { slots: slots.into(), ..Writes::default() });
        let state = self.get(next);
        count_ply(self, act, state);
        self.write_held(to);
        self.place = below;
    }

    /// The body of the function that makes each of some moves in the position at `to`. The context has the records
    /// of the moves. The position at hand stays as it is. All that the decision of a move may change is held in
    /// variables: the move is made there, and the variables are written to `to`. The rest is copied to `to` once for
    /// all records in a row that are of one decision. Ends are not looked at.
    pub fn make_each(&mut self, to: Value) {
        let to = Address::of(to);
        let program = self.program;
        let WorkingPosition::Memory(from) = self.place else { return };
        let from = WorkingPosition::Still(from);
        self.place = from.clone();
        let start = self.load(types::I64, self.context, context::START);
        let end = self.load(types::I64, self.context, context::SINK);
        let (zero, none) = (self.i64(0), self.i32(-1));
        let record = self.variable(types::I64, start);
        let made = self.variable(types::I64, zero);
        let last = self.variable(types::I32, none);
        let choice_base = self.b.declare_var(types::I32);
        let choice = self.b.declare_var(types::I32);
        let next = self.b.declare_var(types::I32);
        let (head, go, behind, exit) = (self.block(), self.block(), self.block(), self.block());
        let result = self.slot(slot::RESULT);
        self.brif(result, exit, head);

        self.at(head);
        let at = self.get(record);
        let more = self.cmp(IntCC::UnsignedLessThan, at, end);
        self.brif(more, go, exit);
        self.at(go);
        let lies = self.record_at("a record of moves", at, context::SINK);
        let first = self.load(types::I64, lies, 0);
        let (base, high) = (self.narrow(first), self.b.ins().ushr_imm_u(first, 32));
        let multiplier = self.narrow(high);
        // The base alone may be below that of the leaf.
        let members = self.reload(lies.plus(8));
        let lowest = self.first(&members);
        // The choice of the longest may have left no move of a record.
        let may_be_empty = !states_inside(program).is_empty();
        if may_be_empty {
            let left = self.cmp_to(IntCC::SignedGreaterThanOrEqual, lowest, 0);
            let some = self.block();
            self.brif(left, some, behind);
            self.at(some);
        }
        let distance = self.b.ins().imul(lowest, multiplier);
        let lowest = self.b.ins().iadd(base, distance);
        // One place for each decision, and one for passes.
        let acts: Vec<Block> = (0..=program.decisions.len()).map(|_| self.block()).collect();
        let leaves: Vec<Block> = program.leaves.iter().map(|_| self.block()).collect();
        self.dispatch(lowest, &leaves, 0, exit);
        for (leaf, block) in program.leaves.iter().zip(leaves) {
            self.at(block);
            let state = self.i32(leaf.next.0 as i32);
            self.put(next, state);
            let chosen = self.b.ins().iadd_imm_s(base, -i64::from(leaf.base));
            self.put(choice_base, chosen);
            self.jump(acts[leaf.decision.unwrap_or(program.decisions.len())]);
        }
        for (number, block) in acts.into_iter().enumerate() {
            self.at(block);
            let code = program.decisions.get(number);
            let writes = code.map(|code| Writes::of(program, code.apply)).unwrap_or_default();
            let number = self.i32(number as i32);
            let before = self.get(last);
            let other = self.cmp(IntCC::NotEqual, before, number);
            self.when(other, |e| e.copy_words(to));
            self.put(last, number);
            // The counters are the same after each of the moves: no decision assigns them.
            if !writes.long {
                self.count_acts(code.is_some(), next, to);
            }
            self.each_number(lies, multiplier, choice_base, choice, |e| {
                e.place = match writes.long {
                    true => {
                        e.copy_words(to);
                        WorkingPosition::Memory(to)
                    }
                    false => e.held(&writes),
                };
                if let Some(code) = code {
                    e.bind_choice(code, choice, exit);
                    e.run(code.apply);
                }
                if writes.long {
                    e.place = from.clone();
                    e.count_acts(code.is_some(), next, to);
                }
                e.write_held(to);
                e.place = from.clone();
                let one_more = e.get(made);
                let one_more = e.b.ins().iadd_imm_s(one_more, 1);
                e.put(made, one_more);
            });
            self.following(record, head);
        }
        if may_be_empty {
            self.at(behind);
            self.following(record, head);
        }
        self.at(exit);
        let made = self.get(made);
        self.b.ins().return_(&[made]);
    }

    /// Goes on with the record behind this one.
    fn following(&mut self, record: Variable, head: Block) {
        let at = self.get(record);
        let size = self.record_size() as i64;
        let following = self.b.ins().iadd_imm_s(at, size);
        self.put(record, following);
        self.jump(head);
    }

    /// Code for each move of the record at an address, with `base + multiplier * site` in a variable.
    fn each_number(
        &mut self,
        record: Address,
        multiplier: Value,
        base: Variable,
        number: Variable,
        each: impl FnOnce(&mut Self),
    ) {
        let words = Row { name: "a word of a record", at: record.plus(8), count: self.w, size: 8 };
        let zero = self.i32(0);
        let at = self.variable(types::I32, zero);
        let rest = self.b.declare_var(types::I64);
        let (word, bits, inside, on, done) =
            (self.block(), self.block(), self.block(), self.block(), self.block());
        self.jump(word);
        self.at(word);
        let i = self.get(at);
        let address = self.entry(words, Index::here(i));
        let members = self.load(types::I64, address, 0);
        self.put(rest, members);
        self.jump(bits);
        self.at(bits);
        let members = self.get(rest);
        self.brif(members, inside, on);
        self.at(inside);
        let lowest = self.b.ins().ctz(members);
        let lowest = self.narrow(lowest);
        let i = self.get(at);
        let below = self.b.ins().ishl_imm_s(i, 6);
        let site = self.b.ins().iadd(below, lowest);
        let distance = self.b.ins().imul(site, multiplier);
        let first = self.get(base);
        let value = self.b.ins().iadd(first, distance);
        self.put(number, value);
        let less = self.b.ins().iadd_imm_s(members, -1);
        let left = self.and(members, less);
        self.put(rest, left);
        each(self);
        self.jump(bits);
        self.at(on);
        let i = self.get(at);
        let next = self.b.ins().iadd_imm_s(i, 1);
        self.put(at, next);
        let more = self.cmp_to(IntCC::UnsignedLessThan, next, self.w as i64);
        self.brif(more, word, done);
        self.at(done);
    }

    /// Copies all words of the position at hand to another.
    fn copy_words(&mut self, to: Address) {
        let WorkingPosition::Still(from) = self.place else { return };
        let words = self.program.layout.words();
        if words <= MAX_UNROLLED_WORDS {
            for word in 0..words {
                let value = self.load(types::I64, from, 8 * word);
                self.store(value, to, 8 * word);
            }
            return;
        }
        let none = self.i64(0);
        let at = self.variable(types::I64, none);
        let (copy, done) = (self.block(), self.block());
        self.jump(copy);
        self.at(copy);
        let i = self.get(at);
        let [source, target] = [from, to].map(|at| {
            let row = Row { name: "a word of a position", at, count: words, size: 8 };
            self.entry(row, Index::here(i))
        });
        let value = self.load(types::I64, source, 0);
        self.store(value, target, 0);
        let next = self.b.ins().iadd_imm_s(i, 1);
        self.put(at, next);
        let more = self.cmp_to(IntCC::UnsignedLessThan, next, words as i64);
        self.brif(more, copy, done);
        self.at(done);
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

    /// Binds the choices of a move. A number that is no move goes to `exit`.
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
            // The outermost choice is the rest.
            if u64::from(var.multiplier) * u64::from(var.radix) < u64::from(code.size) {
                value = self.b.ins().urem_imm_s(value, i64::from(var.radix));
            }
            value = self.b.ins().iadd_imm_s(value, i64::from(var.offset));
            let low = i64::from(var.offset);
            let bounds = (low, low + i64::from(var.radix) - 1);
            self.bind_int(var.local, Number { value, bounds });
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
                // Players of one team have one number.
                let mut known: Vec<(IntId, Value)> = Vec::new();
                for id in numbers {
                    if known.iter().all(|(other, _)| other != id) {
                        let value = self.int(*id);
                        known.push((*id, value));
                    }
                }
                let number_of =
                    |id: IntId| known.iter().find(|(other, _)| *other == id).map(|(_, value)| *value);
                let mut code = self.i32(result::PLACES);
                for (player, own) in numbers.iter().enumerate() {
                    for other in numbers.iter().filter(|other| *other != own) {
                        let (Some(own), Some(other)) = (number_of(*own), number_of(*other)) else { continue };
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
