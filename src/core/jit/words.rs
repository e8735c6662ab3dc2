//! Sets as words: algebra, shifts, single bits.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Value, ValueDef, types};

use super::emit::Emit;
use super::memory::Index;
use super::values::Words;

impl Emit<'_> {
    /// A constant set.
    pub fn constant(&mut self, words: &[u64]) -> Words {
        Words((0..self.w).map(|i| self.i64(words.get(i).copied().unwrap_or(0) as i64)).collect())
    }

    pub fn empty(&mut self) -> Words {
        self.constant(&[])
    }

    /// All sites.
    pub fn all(&mut self) -> Words {
        let program = self.program;
        self.constant(&program.all)
    }

    /// Joins two sets word by word.
    pub fn zip(&mut self, a: &Words, b: &Words, join: impl Fn(&mut Self, Value, Value) -> Value) -> Words {
        Words(a.0.iter().zip(&b.0).map(|(a, b)| join(self, *a, *b)).collect())
    }

    pub fn both(&mut self, a: &Words, b: &Words) -> Words {
        self.zip(a, b, |e, a, b| e.b.ins().band(a, b))
    }

    pub fn either(&mut self, a: &Words, b: &Words) -> Words {
        self.zip(a, b, |e, a, b| e.b.ins().bor(a, b))
    }

    /// Members of the first that are not in the second.
    pub fn less(&mut self, a: &Words, b: &Words) -> Words {
        self.zip(a, b, |e, a, b| e.b.ins().band_not(a, b))
    }

    /// The first where a truth holds, else the second.
    pub fn choose(&mut self, truth: Value, a: &Words, b: &Words) -> Words {
        self.zip(a, b, |e, a, b| e.b.ins().select(truth, a, b))
    }

    /// The set where a truth holds, else nothing.
    pub fn only_if(&mut self, truth: Value, a: &Words) -> Words {
        let none = self.i64(0);
        Words(a.0.iter().map(|a| self.b.ins().select(truth, *a, none)).collect())
    }

    /// The same; without a truth it certainly holds.
    pub fn only_certain(&mut self, truth: Option<Value>, a: Words) -> Words {
        match truth {
            Some(truth) => self.only_if(truth, &a),
            None => a,
        }
    }

    /// The set cut to a mask of ones or zeros.
    pub fn masked(&mut self, mask: Value, a: &Words) -> Words {
        Words(a.0.iter().map(|a| self.b.ins().band(*a, mask)).collect())
    }

    /// All words in one: not 0 where there is a member.
    fn merged(&mut self, a: &Words) -> Value {
        let (first, rest) = (a.0[0], &a.0[1..]);
        rest.iter().fold(first, |out, word| self.b.ins().bor(out, *word))
    }

    /// Whether there is a member.
    pub fn some(&mut self, a: &Words) -> Value {
        let merged = self.merged(a);
        self.cmp_to(IntCC::NotEqual, merged, 0)
    }

    pub fn none(&mut self, a: &Words) -> Value {
        let merged = self.merged(a);
        self.cmp_to(IntCC::Equal, merged, 0)
    }

    /// How many members, as a word.
    pub fn count(&mut self, a: &Words) -> Value {
        let known: Option<u32> = a.0.iter().map(|word| self.known(*word).map(u64::count_ones)).sum();
        if let Some(count) = known {
            return self.i64(i64::from(count));
        }
        let first = self.b.ins().popcnt(a.0[0]);
        a.0[1..].iter().fold(first, |sum, word| {
            let here = self.b.ins().popcnt(*word);
            self.b.ins().iadd(sum, here)
        })
    }

    /// A word that is a constant.
    fn known(&self, word: Value) -> Option<u64> {
        let dfg = &self.b.func.dfg;
        let ValueDef::Result(made, _) = dfg.value_def(word) else { return None };
        match dfg.insts[made] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits() as u64),
            _ => None,
        }
    }

    /// The lowest member; -1 for none.
    pub fn first(&mut self, a: &Words) -> Value {
        let mut out = self.i32(-1);
        for (i, word) in a.0.iter().enumerate().rev() {
            let bit = self.b.ins().ctz(*word);
            let bit = self.narrow(bit);
            let site = self.b.ins().iadd_imm_s(bit, 64 * i as i64);
            let here = self.cmp_to(IntCC::NotEqual, *word, 0);
            out = self.select(here, site, out);
        }
        out
    }

    /// The set of one site, a number that is below `64 * W`.
    pub fn one(&mut self, site: Index) -> Words {
        if let Some(table) = self.shared.helpers.bits {
            let table = self.table("the set of a site", table, 64 * self.w, self.set_size());
            let at = self.entry(table, site);
            return self.load_words(at);
        }
        let site = site.value;
        let one = self.i64(1);
        let wide = self.wide(site);
        let bit = self.b.ins().ishl(one, wide);
        if self.w == 1 {
            return Words(vec![bit]);
        }
        let at = self.b.ins().ushr_imm_s(site, 6);
        let none = self.i64(0);
        Words(
            (0..self.w)
                .map(|i| {
                    let here = self.cmp_to(IntCC::Equal, at, i as i64);
                    self.select(here, bit, none)
                })
                .collect(),
        )
    }

    /// The word of a set in which a site below `64 * W` lies.
    pub fn word_at(&mut self, a: &Words, site: Value) -> Value {
        let mut out = a.0[0];
        if self.w > 1 {
            let at = self.b.ins().ushr_imm_s(site, 6);
            for (i, word) in a.0.iter().enumerate().skip(1) {
                let here = self.cmp_to(IntCC::Equal, at, i as i64);
                out = self.select(here, *word, out);
            }
        }
        out
    }

    /// The bit of a site in its word, as a word of 0 or 1.
    pub fn bit(&mut self, word: Value, site: Value) -> Value {
        let wide = self.wide(site);
        let down = self.b.ins().ushr(word, wide);
        self.b.ins().band_imm_s(down, 1)
    }

    /// All members moved up by so many bits; down where negative. Bits that leave the width are lost.
    pub fn shifted(&mut self, a: &Words, by: i32) -> Words {
        let far = (by.unsigned_abs() / 64) as usize;
        let near = i64::from(by.unsigned_abs() % 64);
        let up = by >= 0;
        let word = |i: Option<usize>| i.and_then(|i| a.0.get(i)).copied();
        let mut out = Vec::with_capacity(self.w);
        for i in 0..self.w {
            let (main, other) = match up {
                true => (word(i.checked_sub(far)), word(i.checked_sub(far + 1))),
                false => (word(Some(i + far)), word(Some(i + far + 1))),
            };
            let main = main.map(|v| match (near, up) {
                (0, _) => v,
                (_, true) => self.b.ins().ishl_imm_s(v, near),
                (_, false) => self.b.ins().ushr_imm_s(v, near),
            });
            let other = other.filter(|_| near != 0).map(|v| match up {
                true => self.b.ins().ushr_imm_s(v, 64 - near),
                false => self.b.ins().ishl_imm_s(v, 64 - near),
            });
            out.push(match (main, other) {
                (Some(a), Some(b)) => self.b.ins().bor(a, b),
                (Some(a), None) | (None, Some(a)) => a,
                (None, None) => self.b.ins().iconst(types::I64, 0),
            });
        }
        Words(out)
    }

    /// All bits up to and with the lowest member; all bits for an empty set.
    pub fn upto_lowest(&mut self, a: &Words) -> Words {
        // `x ^ (x - 1)`, the borrow going on through empty words.
        let mut out = Vec::with_capacity(self.w);
        let mut borrow: Option<Value> = None;
        for (i, word) in a.0.iter().enumerate() {
            let below = match borrow {
                None => self.b.ins().iadd_imm_s(*word, -1),
                Some(borrow) => self.b.ins().isub(*word, borrow),
            };
            out.push(self.b.ins().bxor(*word, below));
            if i + 1 < self.w {
                let empty = self.cmp_to(IntCC::Equal, *word, 0);
                let empty = self.b.ins().uextend(types::I64, empty);
                borrow = Some(match borrow {
                    None => empty,
                    Some(borrow) => self.and(borrow, empty),
                });
            }
        }
        Words(out)
    }

    /// All bits from the highest member on, itself included; all bits for an empty set.
    pub fn down_to_highest(&mut self, a: &Words) -> Words {
        let ones = self.i64(-1);
        let mut out = vec![ones; self.w];
        // Whether some higher word has a member: then nothing of this word belongs.
        let mut above: Option<Value> = None;
        for i in (0..self.w).rev() {
            let word = a.0[i];
            // With bit 0 as a stop an empty word gives all ones.
            let stop = self.b.ins().bor_imm_s(word, 1);
            let zeros = self.b.ins().clz(stop);
            let last = self.i64(63);
            let top = self.b.ins().isub(last, zeros);
            let mut mask = self.b.ins().ishl(ones, top);
            if let Some(above) = above {
                let none = self.i64(0);
                mask = self.select(above, none, mask);
            }
            out[i] = mask;
            let here = self.cmp_to(IntCC::NotEqual, word, 0);
            above = Some(match above {
                None => here,
                Some(above) => self.or(above, here),
            });
        }
        Words(out)
    }
}
