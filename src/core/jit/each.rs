//! Making each of some moves, one after the other, in one position: the last ply of a perft.

use std::collections::HashMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::code::context;
use super::emit::Emit;
use super::longest::states_inside;
use super::memory::{Address, Index, Row};
use super::place::Writes;
use super::turn::var_bounds;
use super::values::{Number, WorkingPosition};
use crate::program::{BlockId, DecisionCode, Part, Program, SetId, SetOp, Stmt, Var, count_ply, slot};

/// Positions of so many words are copied word by word, longer ones in a loop.
const MAX_UNROLLED_WORDS: usize = 64;

/// The choice that the site of a record is, where records are long. Then it pays to do once for a whole record what
/// its moves share, the other choices first of all (*loop-invariant code motion*). Where few moves are in each, that
/// costs more than it saves. None as well where a record's site is two choices.
///
/// A record's moves are `base + multiplier * site`, and the base has no share of the choice that the site is.
fn varying<'p>(program: &Program, code: &'p DecisionCode) -> Option<&'p Var> {
    let mut listing = Listing { program, lets: HashMap::new(), records: Vec::new() };
    listing.block(code.generate);
    let (_, multiplier) = *listing.records.first()?;
    let long = code.vars.len() > 1
        && listing.records.iter().all(|(set, other)| *other == multiplier && !listing.is_near(*set));
    code.vars.iter().find(|var| long && var.multiplier == multiplier)
}

/// What a block lays down.
struct Listing<'p> {
    program: &'p Program,
    /// The set locals that it binds.
    lets: HashMap<u32, SetId>,
    /// The sets of its records, and their multipliers. Records of one move, which need none, are left out.
    records: Vec<(SetId, u32)>,
}

impl Listing<'_> {
    fn block(&mut self, block: BlockId) {
        for statement in &self.program.blocks[block.0 as usize] {
            match statement {
                Stmt::Emit { set, multiplier, .. } => self.records.push((*set, *multiplier)),
                Stmt::LetSet(local, set) => drop(self.lets.insert(*local, *set)),
                _ => {}
            }
            statement.each(&mut |part| {
                if let Part::Block(block) = part {
                    self.block(block);
                }
            });
        }
    }

    /// Whether all of a set is to be reached from other sites: then it is small.
    fn is_near(&self, set: SetId) -> bool {
        let near = |set: SetId| self.is_near(set);
        match &self.program.sets[set.0 as usize] {
            SetOp::Site(_) | SetOp::Row { .. } | SetOp::Image { .. } => true,
            SetOp::Slide { .. } | SetOp::Between { .. } => true,
            SetOp::And(a, b) => near(*a) || near(*b),
            SetOp::Or(a, b) | SetOp::Otherwise(a, b) | SetOp::If(_, a, b) => near(*a) && near(*b),
            SetOp::Sub(of, _) | SetOp::Filter { domain: of, .. } | SetOp::Sieve { domain: of, .. } => {
                near(*of)
            }
            SetOp::LetSet { body, .. } => near(*body),
            SetOp::Local(local) => self.lets.get(local).is_none_or(|set| near(*set)),
            _ => false,
        }
    }
}

impl Emit<'_> {
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
        let lowest_site = self.first(&members);
        // The choice of the longest may have left no move of a record.
        let may_be_empty = !states_inside(program).is_empty();
        if may_be_empty {
            let left = self.cmp_to(IntCC::SignedGreaterThanOrEqual, lowest_site, 0);
            let some = self.block();
            self.brif(left, some, behind);
            self.at(some);
        }
        let distance = self.b.ins().imul(lowest_site, multiplier);
        let lowest = self.b.ins().iadd(base, distance);
        // One place for each decision, and one for passes.
        let acts: Vec<Block> = (0..=program.decisions.len()).map(|_| self.block()).collect();
        self.leaves(lowest, next, exit, |e, leaf| {
            let chosen = e.b.ins().iadd_imm_s(base, -i64::from(leaf.base));
            e.put(choice_base, chosen);
            acts[leaf.decision.unwrap_or(program.decisions.len())]
        });
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
            // Choices that are the same for the whole record are bound once.
            let site_is = code.and_then(|code| {
                let var = varying(program, code)?;
                let first = self.get(choice_base);
                let chosen = self.b.ins().iadd(first, distance);
                self.put(choice, chosen);
                self.bind_choice(code, choice, Some(exit));
                let value = self.int_local(var.local);
                Some((var, self.b.ins().isub(value, lowest_site)))
            });
            self.each_site(lies, made, site_is.is_some(), |e, site| {
                e.place = match writes.long {
                    true => {
                        e.copy_words(to);
                        WorkingPosition::Memory(to)
                    }
                    false => e.held(&writes),
                };
                match (code, site_is) {
                    (None, _) => {}
                    (_, Some((var, shift))) => e.bind_shifted(var, site, shift, exit),
                    (Some(code), None) => {
                        let distance = e.b.ins().imul(site, multiplier);
                        let first = e.get(choice_base);
                        let chosen = e.b.ins().iadd(first, distance);
                        e.put(choice, chosen);
                        e.bind_choice(code, choice, Some(exit));
                    }
                }
                code.into_iter().for_each(|code| e.run(code.apply));
                if writes.long {
                    e.place = from.clone();
                    e.count_acts(code.is_some(), next, to);
                }
                e.write_held(to);
                e.place = from.clone();
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

    /// Binds a choice that is the site, but for a shift: the record of a lone move has site 0, whatever was chosen. A
    /// value that is none goes to `exit`.
    fn bind_shifted(&mut self, var: &Var, site: Value, shift: Value, exit: Block) {
        let value = self.b.ins().iadd(site, shift);
        let digit = self.b.ins().iadd_imm_s(value, -i64::from(var.offset));
        let legal = self.cmp_to(IntCC::UnsignedLessThan, digit, i64::from(var.radix));
        let go = self.block();
        self.brif(legal, go, exit);
        self.at(go);
        self.bind_int(var.local, Number { value, bounds: var_bounds(var) });
    }

    /// Code for each site of the record at an address, which are added to those that were made. With `shares`, what is
    /// the same for all sites is done before.
    fn each_site(
        &mut self,
        record: Address,
        made: Variable,
        shares: bool,
        each: impl FnOnce(&mut Self, Value),
    ) {
        let words = Row { name: "a word of a record", at: record.plus(8), count: self.w, size: 8 };
        let zero = self.i32(0);
        let at = (self.w > 1).then(|| self.variable(types::I32, zero));
        let rest = self.b.declare_var(types::I64);
        let (word, bits, inside, on, done) =
            (self.block(), self.block(), self.block(), self.block(), self.block());
        self.jump(word);
        self.at(word);
        let i = at.map_or(zero, |at| self.get(at));
        let address = self.entry(words, Index::here(i));
        let members = self.load(types::I64, address, 0);
        self.put(rest, members);
        // Of several words most have few sites or none: there each site is counted by itself.
        let one = self.i64(1);
        let count = |e: &mut Self, more: Value| {
            let before = e.get(made);
            let all = e.b.ins().iadd(before, more);
            e.put(made, all);
        };
        if at.is_none() {
            let here = self.b.ins().popcnt(members);
            count(self, here);
        }
        self.jump(bits);
        self.at(bits);
        let members = self.get(rest);
        if shares {
            self.run_or_leave(members, inside, on);
        } else {
            self.brif(members, inside, on);
            self.at(inside);
        }
        let lowest = self.b.ins().ctz(members);
        let lowest = self.narrow(lowest);
        let site = match at {
            Some(at) => {
                let i = self.get(at);
                let below = self.b.ins().ishl_imm_s(i, 6);
                self.b.ins().iadd(below, lowest)
            }
            None => lowest,
        };
        let less = self.b.ins().iadd_imm_s(members, -1);
        let left = self.and(members, less);
        self.put(rest, left);
        each(self, site);
        if at.is_some() {
            count(self, one);
        }
        self.jump(bits);
        self.at(on);
        if let Some(at) = at {
            let i = self.get(at);
            let next = self.b.ins().iadd_imm_s(i, 1);
            self.put(at, next);
            let more = self.cmp_to(IntCC::UnsignedLessThan, next, self.w as i64);
            self.brif(more, word, done);
        } else {
            self.jump(done);
        }
        self.at(done);
    }

    /// Copies all words of the position at hand to another.
    fn copy_words(&mut self, to: Address) {
        let WorkingPosition::Still(from) = self.place else { return };
        let words = self.program.layout.words();
        if words <= MAX_UNROLLED_WORDS {
            for word in 0..words {
                self.copy_word(from, to, 8 * word);
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
        self.copy_word(source, target, 0);
        let next = self.b.ins().iadd_imm_s(i, 1);
        self.put(at, next);
        let more = self.cmp_to(IntCC::UnsignedLessThan, next, words as i64);
        self.brif(more, copy, done);
        self.at(done);
    }
}
