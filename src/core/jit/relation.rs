//! Relations: images, rows, distances, rings.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::emit::Emit;
use super::memory::{Index, Row};
use super::values::{Number, Words};
use crate::program::{IntId, Relation, SetId};

/// With at least so many shifts of several words, a test asks first whether the set is a single site.
const MIN_SHIFTS_TO_ASK: usize = 5;

impl Emit<'_> {
    fn relation(&self, number: u32) -> &'_ Relation {
        &self.shared.program.relations[number as usize]
    }

    /// The sites that a relation reaches from a set.
    pub fn image(&mut self, number: u32, of: &Words) -> Words {
        let program = self.program;
        let relation = &program.relations[number as usize];
        let none = self.empty();
        if relation.shifts.is_empty() {
            let out = self.set_variable(&none);
            let rows = self.rows_of(relation);
            self.members(of, |e, site, _| {
                let at = e.entry(rows, Index::here(site));
                let row = e.load_words(at);
                let before = e.get_set(&out);
                let after = e.either(&before, &row);
                e.put_set(&out, &after);
            });
            return self.get_set(&out);
        }
        if self.w == 1 || relation.shifts.len() < MIN_SHIFTS_TO_ASK {
            return self.image_by_shifts(relation, of);
        }
        // Of a single site the row is known, and sets often are single sites.
        let out = self.set_variable(&none);
        let (one, several, after) = (self.block(), self.block(), self.block());
        let count = self.count(of);
        let single = self.cmp_to(IntCC::Equal, count, 1);
        self.brif(single, one, several);
        self.at(one);
        let site = self.first(of);
        let rows = self.rows_of(relation);
        let at = self.entry(rows, Index::here(site));
        let row = self.load_words(at);
        self.put_set(&out, &row);
        self.jump(after);
        self.at(several);
        let reached = self.image_by_shifts(relation, of);
        self.put_set(&out, &reached);
        self.jump(after);
        self.at(after);
        self.get_set(&out)
    }

    fn image_by_shifts(&mut self, relation: &Relation, of: &Words) -> Words {
        let program = self.program;
        let mut out = self.empty();
        for (by, mask) in &relation.shifts {
            // A mask that removes only sites that would leave the board anyway costs an instruction for nothing.
            let part = match self.w == 1 && leaves(mask[0], *by, program.all[0]) {
                true => of.clone(),
                false => {
                    let mask = self.constant(mask);
                    self.both(of, &mask)
                }
            };
            let moved = self.shifted(&part, *by);
            out = self.either(&out, &moved);
        }
        out
    }

    /// The sites reached from a start by any number of steps within a set.
    ///
    /// Each direction goes on from the sites that the one before it has reached: that takes far fewer rounds than steps
    /// of all directions at once, and ends in the same set.
    pub fn flood(&mut self, number: u32, start: &Words, within: &Words) -> Words {
        let program = self.program;
        let relation = &program.relations[number as usize];
        if relation.shifts.is_empty() {
            return self.grow(start, within, |e, _, edge| e.image(number, edge));
        }
        let reached = self.set_variable(start);
        let (head, after) = (self.block(), self.block());
        let some = self.some(start);
        self.brif(some, head, after);
        self.at(head);
        let before = self.get_set(&reached);
        let mut now = before.clone();
        for (by, mask) in &relation.shifts {
            let mask = self.constant(mask);
            let part = self.both(&now, &mask);
            let moved = self.shifted(&part, *by);
            let moved = self.both(&moved, within);
            now = self.either(&now, &moved);
        }
        self.put_set(&reached, &now);
        let (more, left) = (self.less(&now, &before), self.less(within, &now));
        let (more, left) = (self.some(&more), self.some(&left));
        let go_on = self.and(more, left);
        self.brif(go_on, head, after);
        self.at(after);
        self.get_set(&reached)
    }

    /// The sites that a relation reaches from one site; empty where there is no such site.
    pub fn row(&mut self, number: u32, site: Number) -> Words {
        let program = self.program;
        let rows = self.rows_of(&program.relations[number as usize]);
        self.site_row(rows, site)
    }

    /// The rows of a relation: the sites that it reaches from each site.
    pub fn rows_of(&mut self, relation: &Relation) -> Row {
        self.table_of_sites("a row of a relation", relation.rows.as_ptr() as usize)
    }

    /// A table with a set for each site.
    pub fn table_of_sites(&mut self, name: &'static str, at: usize) -> Row {
        self.table(name, at, self.program.layout.sites, self.set_size())
    }

    /// The entry of a site in a table of sets; empty where there is no such site.
    pub fn site_row(&mut self, table: Row, site: Number) -> Words {
        // The tables have empty rows for holes.
        let (index, exists) = self.index(site, table.count);
        let at = self.entry(table, index);
        let row = self.load_words(at);
        self.only_certain(exists, row)
    }

    /// The sites at exactly so many steps.
    pub fn ring(&mut self, number: u32, of: &Words, steps: Value) -> Words {
        let relation = self.i64(std::ptr::from_ref(self.relation(number)) as i64);
        let words = self.spill(of);
        let at = self.pointer(words);
        self.call(self.shared.helpers.ring, &[relation, at, steps], None);
        self.reload(words)
    }

    /// The sites of a shortest way. The interpreter says how it is found.
    pub fn path(&mut self, number: u32, start: &Words, within: &Words, to: &Words) -> Words {
        let (none, zero) = (self.empty(), self.i32(0));
        let rings = Row {
            name: "a ring",
            at: self.scratch(3 * self.program.layout.width),
            count: 3,
            size: self.set_size(),
        };
        (0..3).for_each(|ring| self.write(&none, rings.at.plus(ring * rings.size)));
        let [edge, reached, way] = [start, start, &none].map(|set| self.set_variable(set));
        let [steps, ring] = [zero, zero].map(|number| self.variable(types::I32, number));
        let more = |e: &mut Self| {
            let last = e.get_set(&edge);
            e.some(&last)
        };
        self.repeat(more, |e, after| {
            let last = e.get_set(&edge);
            let ends = e.both(&last, to);
            let met = e.some(&ends);
            let (there, on) = (e.block(), e.block());
            e.brif(met, there, on);
            e.at(there);
            e.trace(number, &ends, (rings, ring, steps), &way);
            e.jump(after);
            e.at(on);
            let here = e.get(ring);
            let at = e.entry(rings, Index::here(here));
            let nearer = e.reload(at);
            let nearer = e.either(&nearer, &last);
            e.write(&nearer, at);
            e.turn(ring, 1);
            let taken = e.get(steps);
            let taken = e.b.ins().iadd_imm_s(taken, 1);
            e.put(steps, taken);
            let next = e.image(number, &last);
            let (next, so_far) = (e.both(&next, within), e.get_set(&reached));
            let next = e.less(&next, &so_far);
            let all = e.either(&so_far, &next);
            e.put_set(&edge, &next);
            e.put_set(&reached, &all);
        });
        self.get_set(&way)
    }

    /// Follows a way back from its end by the rings that it went through.
    fn trace(
        &mut self,
        number: u32,
        ends: &Words,
        (rings, ring, steps): (Row, Variable, Variable),
        way: &[Variable],
    ) {
        let end = self.first(ends);
        let site = self.variable(types::I32, end);
        let rows = self.rows_of(&self.program.relations[number as usize]);
        self.repeat(
            |e| {
                let here = e.get(site);
                e.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, here, 0)
            },
            |e, after| {
                let here = e.get(site);
                let (so_far, one) = (e.get_set(way), e.one(Index::here(here)));
                let all = e.either(&so_far, &one);
                e.put_set(way, &all);
                let left = e.get(steps);
                let on = e.block();
                e.brif(left, on, after);
                e.at(on);
                let left = e.b.ins().iadd_imm_s(left, -1);
                e.put(steps, left);
                e.turn(ring, -1);
                let last = e.get(ring);
                let nearer = e.entry(rings, Index::here(last));
                let nearer = e.reload(nearer);
                let row = e.entry(rows, Index::here(here));
                let row = e.load_words(row);
                let before = e.both(&row, &nearer);
                let before = e.first(&before);
                e.put(site, before);
            },
        );
    }

    /// One ring on, or back, of three.
    fn turn(&mut self, ring: Variable, by: i64) {
        let here = self.get(ring);
        let next = self.b.ins().iadd_imm_s(here, by);
        let (end, first) = if by > 0 { (3, 0) } else { (-1, 2) };
        let (out, first) = (self.cmp_to(IntCC::Equal, next, end), self.i32(first));
        let next = self.select(out, first, next);
        self.put(ring, next);
    }

    /// How often a step is taken from one set until another is reached.
    pub fn steps(&mut self, local: u32, from: SetId, to: SetId, step: SetId) -> Value {
        let (from, to) = (self.set(from), self.set(to));
        let (reached, edge) = (self.set_variable(&from), self.set_variable(&from));
        let (none, far) = (self.i32(0), self.i32(self.sites_there()));
        let (taken, result) = (self.variable(types::I32, none), self.variable(types::I32, far));
        let more = |e: &mut Self| {
            let last = e.get_set(&edge);
            e.some(&last)
        };
        self.repeat(more, |e, after| {
            let so_far = e.get_set(&reached);
            let met = e.both(&so_far, &to);
            let met = e.some(&met);
            let (there, on) = (e.block(), e.block());
            e.brif(met, there, on);
            e.at(there);
            let steps = e.get(taken);
            e.put(result, steps);
            e.jump(after);
            e.at(on);
            e.bind_set(local, &so_far);
            let next = e.set(step);
            let more = e.less(&next, &so_far);
            let all = e.either(&so_far, &more);
            e.put_set(&edge, &more);
            e.put_set(&reached, &all);
            let steps = e.get(taken);
            let steps = e.b.ins().iadd_imm_s(steps, 1);
            e.put(taken, steps);
        });
        self.get(result)
    }

    /// How many sites there are.
    fn sites_there(&self) -> i32 {
        self.program.all.iter().map(|word| word.count_ones()).sum::<u32>() as i32
    }

    /// Steps from one site to another.
    pub fn distance(&mut self, number: u32, from: IntId, to: IntId) -> Value {
        let none = self.i32(self.sites_there());
        let result = self.variable(types::I32, none);
        let (from, to) = (self.bounded(from), self.bounded(to));
        let relation = std::ptr::from_ref(self.relation(number)) as i64;
        let ask = |e: &mut Self| {
            let relation = e.i64(relation);
            let sites = e.program.layout.sites;
            let [from, to] = [from.value, to.value].map(|site| e.checked("a distance", site, sites));
            let steps = e.call_int(e.shared.helpers.distance, &[relation, from, to, none], types::I32);
            e.put(result, steps);
        };
        let (is_from, is_to) = (self.exists(from), self.exists(to));
        let exist = self.and_certain(is_from, is_to);
        self.when_certain(exist, ask);
        self.get(result)
    }
}

/// Whether a shift without the mask would lose exactly the sites that the mask leaves out.
fn leaves(mask: u64, by: i32, all: u64) -> bool {
    let shift = |set: u64| match by {
        0.. => set.checked_shl(by.unsigned_abs()).unwrap_or(0),
        _ => set.checked_shr(by.unsigned_abs()).unwrap_or(0),
    };
    shift(all & !mask) == 0
}
