//! Loops over sets, ranges and masks.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::emit::Emit;
use super::memory::{Address, Index, Row};
use super::values::Words;
use crate::limits::LONGEST_RANGE;
use crate::program::Domain;

impl Emit<'_> {
    /// Runs the body for each member of a domain, bound to a local. The body is given the block behind the
    /// loop, where it may go to leave it.
    pub fn each(&mut self, domain: Domain, local: u32, body: impl FnOnce(&mut Self, Block)) {
        let bounds = self.domain_bounds(domain);
        match domain {
            Domain::Set(set) => {
                let sites = bounds;
                if let Some(site) = self.single(set) {
                    let given = self.bounds(site);
                    let site = self.int(site);
                    let (run, after) = (self.block(), self.block());
                    match self.exists(site, given) {
                        Some(exists) => self.brif(exists, run, after),
                        None => self.jump(run),
                    }
                    self.at(run);
                    self.bind_int(local, site, sites);
                    body(self, after);
                    self.jump(after);
                    self.at(after);
                    return;
                }
                let set = self.set(set);
                let after = self.block();
                self.members(&set, |e, site, _| {
                    e.bind_int(local, site, sites);
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
                let (head, run, after) = (self.block(), self.block(), self.block());
                self.jump(head);
                self.at(head);
                let number = self.get(next);
                let more = self.cmp(IntCC::SignedLessThanOrEqual, number, last);
                self.brif(more, run, after);
                self.at(run);
                let number = self.get(next);
                let step = self.b.ins().iadd_imm_s(number, 1);
                self.put(next, step);
                let number = self.narrow(number);
                self.bind_int(local, number, bounds);
                body(self, after);
                self.jump(head);
                self.at(after);
            }
            Domain::Mask(mask) => {
                let mask = self.int(mask);
                let rest = self.variable(types::I32, mask);
                let (head, run, after) = (self.block(), self.block(), self.block());
                self.jump(head);
                self.at(head);
                let left = self.get(rest);
                self.brif(left, run, after);
                self.at(run);
                let left = self.get(rest);
                let number = self.b.ins().ctz(left);
                let less = self.b.ins().iadd_imm_s(left, -1);
                let less = self.and(left, less);
                self.put(rest, less);
                self.bind_int(local, number, bounds);
                body(self, after);
                self.jump(head);
                self.at(after);
            }
        }
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
        let none = self.i64(0);
        let at = self.variable(types::I64, none);
        let (head, run, after) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.at(head);
        let i = self.get(at);
        let more = self.cmp_to(IntCC::UnsignedLessThan, i, self.w as i64);
        self.brif(more, run, after);
        self.at(run);
        let i = self.get(at);
        let word = self.word_of_set(words, i);
        let word = self.load(types::I64, word, 0);
        let rest = self.variable(types::I64, word);
        self.bits(rest, Some(at), body);
        let i = self.get(at);
        let next = self.b.ins().iadd_imm_s(i, 1);
        self.put(at, next);
        self.jump(head);
        self.at(after);
    }

    /// A word of a set in memory, by its number.
    fn word_of_set(&mut self, set: Address, number: Value) -> Address {
        let row = Row { name: "a word of a set", at: set, count: self.w, size: 8 };
        self.entry(row, Index::here(number))
    }

    /// The same for two words, in one loop: in which of them a member is, is seldom foreseen, so it is no branch.
    fn members_of_two(&mut self, low: Value, high: Value, body: impl FnOnce(&mut Self, Value, Value)) {
        let (low, high) = (self.variable(types::I64, low), self.variable(types::I64, high));
        let (head, run, after) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.at(head);
        let (a, b) = (self.get(low), self.get(high));
        let left = self.or(a, b);
        self.brif(left, run, after);
        self.at(run);
        let (a, b) = (self.get(low), self.get(high));
        let below = self.cmp_to(IntCC::NotEqual, a, 0);
        let word = self.select(below, a, b);
        let number = self.b.ins().ctz(word);
        let (none, far) = (self.i64(0), self.i64(64));
        let first = self.select(below, none, far);
        let number = self.b.ins().iadd(first, number);
        let less = self.b.ins().iadd_imm_s(word, -1);
        let less = self.and(word, less);
        let bit = self.b.ins().bxor(word, less);
        let rest = self.select(below, less, none);
        self.put(low, rest);
        let rest = self.select(below, b, less);
        self.put(high, rest);
        let number = self.narrow(number);
        body(self, number, bit);
        self.jump(head);
        self.at(after);
    }

    /// Runs the body for each bit of a word, which is used up. `at` is the word's number.
    fn bits(&mut self, rest: Variable, at: Option<Variable>, body: impl FnOnce(&mut Self, Value, Value)) {
        let (head, run, after) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.at(head);
        let left = self.get(rest);
        self.brif(left, run, after);
        self.at(run);
        let left = self.get(rest);
        let number = self.b.ins().ctz(left);
        let less = self.b.ins().iadd_imm_s(left, -1);
        let less = self.and(left, less);
        self.put(rest, less);
        let bit = self.b.ins().bxor(left, less);
        let number = match at {
            None => number,
            Some(at) => {
                let i = self.get(at);
                let first = self.b.ins().ishl_imm_s(i, 6);
                self.b.ins().iadd(first, number)
            }
        };
        let number = self.narrow(number);
        body(self, number, bit);
        self.jump(head);
        self.at(after);
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
        let at = self.variable(types::I64, none);
        let (head, run, after) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.at(head);
        let i = self.get(at);
        let more = self.cmp_to(IntCC::UnsignedLessThan, i, self.w as i64);
        self.brif(more, run, after);
        self.at(run);
        self.put(kept, none);
        let i = self.get(at);
        let word = self.word_of_set(words, i);
        let word = self.load(types::I64, word, 0);
        let rest = self.variable(types::I64, word);
        self.bits(rest, Some(at), |e, site, bit| body(e, site, bit, kept));
        let i = self.get(at);
        let address = self.word_of_set(out, i);
        let word = self.get(kept);
        self.store(word, address, 0);
        let next = self.b.ins().iadd_imm_s(i, 1);
        self.put(at, next);
        self.jump(head);
        self.at(after);
        self.reload(out)
    }
}
