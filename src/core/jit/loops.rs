//! Loops over sets, ranges and masks.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::emit::Emit;
use super::memory::{Address, Index, Row};
use super::values::{Number, Words};
use crate::limits::LONGEST_RANGE;
use crate::program::Domain;

impl Emit<'_> {
    /// Runs the body for each member of a domain, bound to a local. The body is given the block behind the
    /// loop, where it may go to leave it.
    pub fn each(&mut self, domain: Domain, local: u32, body: impl FnOnce(&mut Self, Block)) {
        let bounds = self.domain_bounds(domain);
        match domain {
            Domain::Set(set) => {
                if let Some(site) = self.only(set) {
                    let (run, after) = (self.block(), self.block());
                    match self.exists(site) {
                        Some(exists) => self.brif(exists, run, after),
                        None => self.jump(run),
                    }
                    self.at(run);
                    self.bind_site(local, site.value);
                    body(self, after);
                    self.jump(after);
                    self.at(after);
                    return;
                }
                let set = self.set(set);
                let after = self.block();
                self.members(&set, |e, site, _| {
                    e.bind_site(local, site);
                    body(e, after);
                });
                self.jump(after);
                self.at(after);
            }
            Domain::Range(low, high) => {
                let (low, high) = (self.int(low), self.int(high));
                let low = self.signed(low);
                let high = self.signed(high);
                let most = self.b.ins().iadd_imm_s(low, i64::from(LONGEST_RANGE) - 1);
                let last = self.b.ins().smin(high, most);
                let next = self.variable(types::I64, low);
                let more = |e: &mut Self| {
                    let number = e.get(next);
                    e.cmp(IntCC::SignedLessThanOrEqual, number, last)
                };
                self.repeat(more, |e, after| {
                    let number = e.get(next);
                    let step = e.b.ins().iadd_imm_s(number, 1);
                    e.put(next, step);
                    let value = e.narrow(number);
                    e.bind_int(local, Number { value, bounds });
                    body(e, after);
                });
            }
            Domain::Mask(mask) => {
                let mask = self.int(mask);
                let rest = self.variable(types::I32, mask);
                self.repeat(
                    |e| e.get(rest),
                    |e, after| {
                        let left = e.get(rest);
                        let (value, less) = e.lowest(left);
                        e.put(rest, less);
                        e.bind_int(local, Number { value, bounds });
                        body(e, after);
                    },
                );
            }
        }
    }

    /// Runs the body as long as a condition holds, which is asked before each time. The body is given the block
    /// behind the loop, where it may go to leave it.
    pub fn repeat(&mut self, more: impl FnOnce(&mut Self) -> Value, body: impl FnOnce(&mut Self, Block)) {
        let (head, run, after) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.at(head);
        let more = more(self);
        self.run_or_leave(more, run, after);
        body(self, after);
        self.jump(head);
        self.at(after);
    }

    /// Goes on in a loop's body where a value is not 0, else behind the loop. The way out is the first of the branch:
    /// of two blocks Cranelift visits the second first, and it moves invariants out of a loop only as long as it has
    /// not left it. Written the other way round, it moves none.
    pub fn run_or_leave(&mut self, more: Value, run: Block, after: Block) {
        let none = self.cmp_to(IntCC::Equal, more, 0);
        self.brif(none, after, run);
        self.at(run);
    }

    /// The number of a word's lowest bit, and the word without it.
    fn lowest(&mut self, word: Value) -> (Value, Value) {
        let number = self.b.ins().ctz(word);
        let less = self.b.ins().iadd_imm_s(word, -1);
        (number, self.and(word, less))
    }

    /// Runs the body for each member, given its number and its bit.
    pub fn members(&mut self, set: &Words, body: impl FnOnce(&mut Self, Value, Value)) {
        if self.w == 1 {
            let rest = self.variable(types::I64, set.0[0]);
            self.bits(rest, None, body);
            return;
        }
        if let [low, high] = *set.0 {
            self.members_of_two(low, high, body);
            return;
        }
        let words = self.spill(set);
        self.words(|e, at| {
            let rest = e.load_word(words, at);
            e.bits(rest, Some(at), body);
        });
    }

    /// Runs the body for each word of a set, given a variable with the word's number.
    fn words(&mut self, body: impl FnOnce(&mut Self, Variable)) {
        let none = self.i64(0);
        let at = self.variable(types::I64, none);
        let more = |e: &mut Self| {
            let i = e.get(at);
            e.cmp_to(IntCC::UnsignedLessThan, i, e.w as i64)
        };
        self.repeat(more, |e, _| {
            body(e, at);
            let i = e.get(at);
            let next = e.b.ins().iadd_imm_s(i, 1);
            e.put(at, next);
        });
    }

    /// A word of a set in memory, in a variable of its own.
    fn load_word(&mut self, set: Address, at: Variable) -> Variable {
        let i = self.get(at);
        let word = self.word_of_set(set, i);
        let word = self.load(types::I64, word, 0);
        self.variable(types::I64, word)
    }

    /// A word of a set in memory, by its number.
    fn word_of_set(&mut self, set: Address, number: Value) -> Address {
        let row = Row { name: "a word of a set", at: set, count: self.w, size: 8 };
        self.entry(row, Index::here(number))
    }

    /// The same for two words, in one loop. A branch on which word has the next member would often be mispredicted, so
    /// the word is selected.
    fn members_of_two(&mut self, low: Value, high: Value, body: impl FnOnce(&mut Self, Value, Value)) {
        let (low, high) = (self.variable(types::I64, low), self.variable(types::I64, high));
        let more = |e: &mut Self| {
            let (a, b) = (e.get(low), e.get(high));
            e.or(a, b)
        };
        self.repeat(more, |e, _| {
            let (a, b) = (e.get(low), e.get(high));
            let below = e.cmp_to(IntCC::NotEqual, a, 0);
            let word = e.select(below, a, b);
            let (number, less) = e.lowest(word);
            let (none, far) = (e.i64(0), e.i64(64));
            let first = e.select(below, none, far);
            let number = e.b.ins().iadd(first, number);
            let bit = e.b.ins().bxor(word, less);
            let rest = e.select(below, less, none);
            e.put(low, rest);
            let rest = e.select(below, b, less);
            e.put(high, rest);
            let number = e.narrow(number);
            body(e, number, bit);
        });
    }

    /// Runs the body for each bit of a word, which is used up. `at` is the word's number.
    fn bits(&mut self, rest: Variable, at: Option<Variable>, body: impl FnOnce(&mut Self, Value, Value)) {
        self.repeat(
            |e| e.get(rest),
            |e, _| {
                let left = e.get(rest);
                let (mut number, less) = e.lowest(left);
                e.put(rest, less);
                let bit = e.b.ins().bxor(left, less);
                if let Some(at) = at {
                    let i = e.get(at);
                    let first = e.b.ins().ishl_imm_s(i, 6);
                    number = e.b.ins().iadd(first, number);
                }
                let number = e.narrow(number);
                body(e, number, bit);
            },
        );
    }

    /// Runs the body for each member, given its number, its bit in its word, and a variable in which that
    /// word of the result grows.
    pub fn each_word(&mut self, set: &Words, body: impl FnOnce(&mut Self, Value, Value, Variable)) -> Words {
        let none = self.i64(0);
        let kept = self.variable(types::I64, none);
        if self.w == 1 {
            let rest = self.variable(types::I64, set.0[0]);
            self.bits(rest, None, |e, site, bit| body(e, site, bit, kept));
            return Words(vec![self.get(kept)]);
        }
        let words = self.spill(set);
        let out = self.scratch(self.w);
        self.words(|e, at| {
            e.put(kept, none);
            let rest = e.load_word(words, at);
            e.bits(rest, Some(at), |e, site, bit| body(e, site, bit, kept));
            let i = e.get(at);
            let address = e.word_of_set(out, i);
            let word = e.get(kept);
            e.store(word, address, 0);
        });
        self.reload(out)
    }
}
