//! Sets.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::emit::Emit;
use super::memory::{Address, Index, Row};
use super::values::{Number, Words};
use crate::limits::FOLLOWED;
use crate::program::{Domain, IntId, SetId, SetOp};

impl Emit<'_> {
    /// The members of an expression.
    pub fn set(&mut self, id: SetId) -> Words {
        if let Some(held) = self.held.get(&id) {
            return Words(held.iter().map(|word| self.b.use_var(*word)).collect());
        }
        let program = self.program;
        match &program.sets[id.0 as usize] {
            SetOp::Const(number) => {
                let at = *number as usize * program.layout.width;
                self.constant(&program.consts[at..])
            }
            SetOp::Layer(layer) => self.layer(*layer as usize),
            SetOp::LayerRow { base, count, index } => {
                let index = self.bounded(*index);
                self.layer_row(*base as usize, *count, index)
            }
            SetOp::Local(local) => match self.set_locals[*local as usize].clone() {
                Some(variables) => self.get_set(&variables),
                // Bound nowhere: reached only by code that never runs.
                None => self.empty(),
            },
            SetOp::Site(site) => {
                let site = self.bounded(*site);
                self.site_set(site)
            }
            SetOp::And(a, b) => self.if_some(*a, *b, |e, a, b| e.both(a, b)),
            SetOp::Sub(a, b) => self.if_some(*a, *b, |e, a, b| e.less(a, b)),
            SetOp::Or(a, b) => {
                let (a, b) = (self.set(*a), self.set(*b));
                self.either(&a, &b)
            }
            SetOp::Not(a) => {
                let (all, a) = (self.all(), self.set(*a));
                self.less(&all, &a)
            }
            SetOp::Otherwise(a, b) => {
                let first = self.set(*a);
                let some = self.some(&first);
                if !self.shared.costs.heavy_set(*b) {
                    let second = self.set(*b);
                    return self.choose(some, &first, &second);
                }
                let out = self.set_variable(&first);
                let none = self.none(&first);
                let b = *b;
                self.when(none, |e| {
                    let second = e.set(b);
                    e.put_set(&out, &second);
                });
                self.get_set(&out)
            }
            SetOp::If(cond, a, b) => {
                if !self.shared.costs.heavy_set(*a) && !self.shared.costs.heavy_set(*b) {
                    let cond = self.test(*cond);
                    let (a, b) = (self.set(*a), self.set(*b));
                    return self.choose(cond, &a, &b);
                }
                let out: Vec<_> = (0..self.w).map(|_| self.b.declare_var(types::I64)).collect();
                self.fork(*cond, [*a, *b], |e, id| {
                    let value = e.set(id);
                    e.put_set(&out, &value);
                });
                self.get_set(&out)
            }
            SetOp::Switch(index, cases) => self.switch_set(*index, cases),
            SetOp::Image { relation, of } => {
                let of = self.set(*of);
                self.image(*relation, &of)
            }
            SetOp::Row { relation, site } => {
                let site = self.bounded(*site);
                self.row(*relation, site)
            }
            SetOp::Slide { rays, from, through, over } => self.slide(rays, *from, *through, *over),
            SetOp::Between { rays, from, to } => self.between(rays, *from, *to),
            SetOp::Flood { relation, seed, within } => {
                let (within, seed) = (self.set(*within), self.set(*seed));
                let start = self.both(&seed, &within);
                self.flood(*relation, &start, &within)
            }
            SetOp::Path { relation, from, within, to } => {
                let (from, within, to) = (self.set(*from), self.set(*within), self.set(*to));
                let start = self.both(&from, &within);
                self.path(*relation, &start, &within, &to)
            }
            SetOp::Fix { local, seed, within, step } => {
                let (local, step) = (*local, *step);
                let (within, seed) = (self.set(*within), self.set(*seed));
                let start = self.both(&seed, &within);
                self.grow(&start, &within, |e, reached, _| {
                    e.bind_set(local, reached);
                    e.set(step)
                })
            }
            SetOp::Times { local, of, times, step } => {
                let (local, step) = (*local, *step);
                let start = self.set(*of);
                let reached = self.set_variable(&start);
                let times = self.int(*times);
                let times = self.signed(times);
                let most = self.b.ins().iconst(types::I64, i64::from(FOLLOWED));
                let times = self.b.ins().smin(times, most);
                let left = self.variable(types::I64, times);
                let more = |e: &mut Self| {
                    let left = e.get(left);
                    e.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0)
                };
                self.repeat(more, |e, after| {
                    let now = e.get_set(&reached);
                    let some = e.some(&now);
                    let on = e.block();
                    e.brif(some, on, after);
                    e.at(on);
                    e.bind_set(local, &now);
                    let next = e.set(step);
                    e.put_set(&reached, &next);
                    let less = e.get(left);
                    let less = e.b.ins().iadd_imm_s(less, -1);
                    e.put(left, less);
                });
                self.get_set(&reached)
            }
            SetOp::Ring { relation, of, steps } => {
                let of = self.set(*of);
                let steps = self.int(*steps);
                self.ring(*relation, &of, steps)
            }
            SetOp::Line { steps, of, length } => self.line(steps, *of, *length),
            SetOp::Filter { local, domain, cond } => self.filter(*local, *domain, *cond),
            SetOp::Sieve { local, domain, passing } => self.sieve(*local, *domain, *passing),
            SetOp::Union { local, domain, body } => self.union(*local, *domain, *body),
            SetOp::LetSet { local, value, body } => {
                self.let_set(*local, *value);
                self.set(*body)
            }
            SetOp::LetInt { local, value, body } => {
                let value = self.bounded(*value);
                self.bind_int(*local, value);
                self.set(*body)
            }
            SetOp::After(block, value) => {
                let value = *value;
                self.after(*block, |e| e.set(value))
            }
        }
    }

    /// Binds a set local to the members of an expression.
    pub fn let_set(&mut self, local: u32, value: SetId) {
        let site = self.only(value);
        let members = match site {
            Some(site) => self.site_set(site),
            None => self.set(value),
        };
        self.bind_set(local, &members);
        self.only[local as usize] =
            site.map(|Number { value, bounds }| (self.variable(types::I32, value), bounds));
    }

    /// The number of a set that is one site, if that is how it is written.
    pub fn only(&mut self, set: SetId) -> Option<Number> {
        match &self.program.sets[set.0 as usize] {
            SetOp::Site(site) => Some(self.bounded(*site)),
            SetOp::Local(local) => {
                let (site, bounds) = self.only[*local as usize]?;
                Some(Number { value: self.get(site), bounds })
            }
            _ => None,
        }
    }

    /// The set of one site; empty where there is no such site.
    pub fn site_set(&mut self, site: Number) -> Words {
        let (site, exists) = self.site(site);
        let one = self.one(site);
        self.only_certain(exists, one)
    }

    /// Two sets joined, the second left out if it is costly and the first is empty.
    fn if_some(&mut self, a: SetId, b: SetId, join: impl Fn(&mut Self, &Words, &Words) -> Words) -> Words {
        let first = self.set(a);
        if !self.shared.costs.heavy_set(b) {
            let second = self.set(b);
            return join(self, &first, &second);
        }
        let out = self.set_variable(&first);
        let some = self.some(&first);
        self.when(some, |e| {
            let second = e.set(b);
            let both = join(e, &first, &second);
            e.put_set(&out, &both);
        });
        self.get_set(&out)
    }

    fn switch_set(&mut self, number: IntId, cases: &[SetId]) -> Words {
        let index = self.int(number);
        let sure = self.has_case(number, cases.len());
        if let Some((mut tables, site)) = self.rows_of_one_site(cases).filter(|_| sure)
            && let Some(last) = tables.pop()
        {
            // Which table it is does not depend on the site: in a loop that is found once.
            let last = self.i64(last);
            let at = self.chosen(index, &tables, last, |e, here, table, other| {
                let table = e.i64(*table);
                e.select(here, table, other)
            });
            let table = Row { at: Address::of(at), ..self.table_of_sites("a row of a relation", 0) };
            let site = self.bounded(site);
            return self.site_row(table, site);
        }
        let heavy = cases.iter().any(|case| self.shared.costs.heavy_set(*case));
        let none = self.empty();
        if !heavy && cases.len() <= 6 {
            let (cases, last) = match cases.split_last() {
                Some((last, cases)) if sure => (cases, self.set(*last)),
                _ => (cases, none),
            };
            return self.chosen(index, cases, last, |e, here, case, other| {
                let value = e.set(*case);
                e.choose(here, &value, &other)
            });
        }
        let out = self.set_variable(&none);
        self.switch(index, cases.len(), |e, i| {
            let value = e.set(cases[i]);
            e.put_set(&out, &value);
        });
        self.get_set(&out)
    }

    /// The tables of rows of the cases, if all cases are rows of the same site.
    fn rows_of_one_site(&self, cases: &[SetId]) -> Option<(Vec<i64>, IntId)> {
        let mut of = None;
        let rows = cases.iter().map(|case| match &self.program.sets[case.0 as usize] {
            SetOp::Row { relation, site } if *of.get_or_insert(*site) == *site => {
                Some(self.program.relations[*relation as usize].rows.as_ptr() as i64)
            }
            _ => None,
        });
        let rows = rows.collect::<Option<Vec<i64>>>()?;
        Some((rows, of?))
    }

    fn filter(&mut self, local: u32, domain: SetId, cond: IntId) -> Words {
        if let Some(site) = self.only(domain) {
            let one = self.site_set(site);
            let out = self.set_variable(&one);
            let some = self.some(&one);
            self.when(some, |e| {
                e.bind_site(local, site.value);
                let holds = e.test(cond);
                let kept = e.only_if(holds, &one);
                e.put_set(&out, &kept);
            });
            return self.get_set(&out);
        }
        let domain = self.set(domain);
        self.each_word(&domain, |e, site, bit, kept| {
            e.bind_site(local, site);
            let (yes, after) = (e.block(), e.block());
            match e.asked(cond) {
                Some(holds) => e.brif(holds, yes, after),
                None => e.branch(cond, yes, after),
            }
            e.at(yes);
            let word = e.get(kept);
            let word = e.or(word, bit);
            e.put(kept, word);
            e.jump(after);
            e.at(after);
        })
    }

    fn sieve(&mut self, local: u32, domain: SetId, passing: SetId) -> Words {
        let (domain, none) = (self.set(domain), self.empty());
        let (rest, out) = (self.set_variable(&domain), self.set_variable(&none));
        let more = |e: &mut Self| {
            let left = e.get_set(&rest);
            e.some(&left)
        };
        self.repeat(more, |e, _| {
            let left = e.get_set(&rest);
            let site = e.first(&left);
            e.bind_site(local, site);
            let passed = e.set(passing);
            let passed = e.both(&passed, &left);
            let before = e.get_set(&out);
            let all = e.either(&before, &passed);
            e.put_set(&out, &all);
            let taken = e.one(Index::here(site));
            let taken = e.either(&taken, &passed);
            let left = e.less(&left, &taken);
            e.put_set(&rest, &left);
        });
        self.get_set(&out)
    }

    fn union(&mut self, local: u32, domain: Domain, body: SetId) -> Words {
        let none = self.empty();
        let out = self.set_variable(&none);
        self.each(domain, local, |e, _| {
            let more = e.set(body);
            let before = e.get_set(&out);
            let after = e.either(&before, &more);
            e.put_set(&out, &after);
        });
        self.get_set(&out)
    }

    /// Grows a set by steps, given the sites reached so far and those reached last, until nothing is added.
    pub fn grow(
        &mut self,
        start: &Words,
        within: &Words,
        step: impl Fn(&mut Self, &Words, &Words) -> Words,
    ) -> Words {
        let (reached, edge) = (self.set_variable(start), self.set_variable(start));
        let more = |e: &mut Self| {
            let last = e.get_set(&edge);
            e.some(&last)
        };
        self.repeat(more, |e, _| {
            let (so_far, last) = (e.get_set(&reached), e.get_set(&edge));
            let next = step(e, &so_far, &last);
            let next = e.both(&next, within);
            let more = e.less(&next, &so_far);
            let all = e.either(&so_far, &more);
            e.put_set(&edge, &more);
            e.put_set(&reached, &all);
        });
        self.get_set(&reached)
    }

    /// The word of an expression in which a site lies. Of the other words as little as can be is computed.
    pub fn word_of(&mut self, id: SetId, site: Value) -> Value {
        let program = self.program;
        if self.w == 1 {
            return self.set(id).0[0];
        }
        match &program.sets[id.0 as usize] {
            SetOp::And(a, b) => {
                let (a, b) = (self.word_of(*a, site), self.word_of(*b, site));
                self.and(a, b)
            }
            SetOp::Or(a, b) => {
                let (a, b) = (self.word_of(*a, site), self.word_of(*b, site));
                self.or(a, b)
            }
            SetOp::Sub(a, b) => {
                let (a, b) = (self.word_of(*a, site), self.word_of(*b, site));
                self.b.ins().band_not(a, b)
            }
            SetOp::Not(a) => {
                let all = self.all();
                let (all, a) = (self.word_at(&all, site), self.word_of(*a, site));
                self.b.ins().band_not(all, a)
            }
            _ => {
                let set = self.set(id);
                self.word_at(&set, site)
            }
        }
    }

    /// Whether a site below `64 * W` is in a set.
    pub fn has(&mut self, set: &Words, site: Value) -> Value {
        let word = self.word_at(set, site);
        let bit = self.bit(word, site);
        self.cmp_to(IntCC::NotEqual, bit, 0)
    }
}
