//! Slides along rays.
//!
//! Where bit numbers rise along a ray, the sites up to and with the first blocker are those of
//! `x ^ (x - 1)`, `x` being the blockers; where they fall, those from the highest blocker on.

use cranelift_codegen::ir::Value;
use cranelift_frontend::Variable;

use super::emit::Emit;
use super::memory::Index;
use super::values::Words;
use crate::program::{Order, RayTable, SetId};

impl Emit<'_> {
    /// The sites that slides reach: see [`crate::program::SetOp::Slide`].
    pub fn slide(&mut self, rays: &[u32], from: SetId, through: SetId, over: Option<SetId>) -> Words {
        let none = self.empty();
        let out = self.set_variable(&none);
        self.origins(from, |e| {
            let through = e.set(through);
            let over = over.map(|over| e.set(over));
            let all = e.all();
            let free = match &over {
                Some(over) => e.less(&through, over),
                None => through,
            };
            let closed = e.less(&all, &free);
            let out = &out;
            move |e: &mut Self, site: Value| {
                for ray in rays {
                    let one = e.slide_from(*ray, site, &free, &closed, over.as_ref());
                    e.gather(out, &one);
                }
            }
        });
        self.get_set(&out)
    }

    /// The sites between: see [`crate::program::SetOp::Between`].
    pub fn between(&mut self, rays: &[u32], from: SetId, to: SetId) -> Words {
        let none = self.empty();
        let out = self.set_variable(&none);
        self.origins(from, |e| {
            let to = e.set(to);
            let out = &out;
            move |e: &mut Self, site: Value| {
                // Often there is no end.
                let some = e.some(&to);
                e.when(some, |e| {
                    for ray in rays {
                        let one = e.between_from(*ray, site, &to);
                        e.gather(out, &one);
                    }
                });
            }
        });
        self.get_set(&out)
    }

    fn gather(&mut self, out: &[Variable], more: &Words) {
        let before = self.get_set(out);
        let after = self.either(&before, more);
        self.put_set(out, &after);
    }

    /// Runs code for each origin, after other code that is run once if there is any.
    fn origins<F: FnOnce(&mut Self, Value)>(&mut self, from: SetId, first: impl FnOnce(&mut Self) -> F) {
        if let Some(site) = self.only(from) {
            let exists = self.exists(site);
            return self.when_certain(exists, |e| {
                let each = first(e);
                each(e, site.value);
            });
        }
        let from = self.set(from);
        let some = self.some(&from);
        self.when(some, |e| {
            let each = first(e);
            e.members(&from, |e, site, _| each(e, site));
        });
    }

    fn ray(&self, number: u32) -> &RayTable {
        &self.shared.program.rays[number as usize]
    }

    /// The row of a site in a table of rays.
    fn ray_row(&mut self, table: &[u64], site: Value) -> Words {
        let rows = self.table_of_sites("a row of a ray", table.as_ptr() as usize);
        let at = self.entry(rows, Index::here(site));
        self.load_words(at)
    }

    fn slide_from(
        &mut self,
        ray: u32,
        site: Value,
        free: &Words,
        closed: &Words,
        over: Option<&Words>,
    ) -> Words {
        let program = self.program;
        let table = &program.rays[ray as usize];
        if table.order == Order::Mixed {
            return self.walk(ray, site, free, over);
        }
        let reach = self.ray_row(&table.reach, site);
        let stops = self.both(&reach, closed);
        let upto = self.upto(table.order, &stops);
        let Some(over) = over else {
            return self.both(&reach, &upto);
        };
        // Of the stops only the first one is passed.
        let hurdle = self.both(&stops, &upto);
        let jumped = self.both(&hurdle, over);
        let jumps = self.some(&jumped);
        let behind = self.less(&reach, &upto);
        let stops = self.both(&behind, closed);
        let upto = self.upto(table.order, &stops);
        let behind = self.both(&behind, &upto);
        self.only_if(jumps, &behind)
    }

    /// All bits that a ray passes up to and with the first of some stops; all bits where there is none.
    fn upto(&mut self, order: Order, stops: &Words) -> Words {
        match order {
            Order::Descending => self.down_to_highest(stops),
            _ => self.upto_lowest(stops),
        }
    }

    fn between_from(&mut self, ray: u32, site: Value, to: &Words) -> Words {
        let program = self.program;
        let table = &program.rays[ray as usize];
        if table.order == Order::Mixed {
            let table = self.i64(std::ptr::from_ref(self.ray(ray)) as i64);
            let words = self.spill(to);
            let site = self.checked("between along a ray", site, program.layout.sites);
            let at = self.pointer(words);
            self.call(self.shared.helpers.between, &[table, site, at], None);
            return self.reload(words);
        }
        let reach = self.ray_row(&table.reach, site);
        let ends = self.both(&reach, to);
        let some = self.some(&ends);
        // The sites strictly before the farthest end.
        let passed = match table.order {
            Order::Descending => {
                let upto = self.upto_lowest(&ends);
                self.less(&reach, &upto)
            }
            _ => {
                let from = self.down_to_highest(&ends);
                self.less(&reach, &from)
            }
        };
        self.only_if(some, &passed)
    }

    /// A ray whose bit numbers neither rise nor fall is walked by a helper.
    fn walk(&mut self, ray: u32, site: Value, free: &Words, over: Option<&Words>) -> Words {
        let table = self.i64(std::ptr::from_ref(self.ray(ray)) as i64);
        let words = self.spill(free);
        let site = self.checked("a slide along a ray", site, self.program.layout.sites);
        let at = self.pointer(words);
        match over {
            None => {
                self.call(self.shared.helpers.slide, &[table, site, at], None);
            }
            Some(over) => {
                let over = self.spill(over);
                let over = self.pointer(over);
                self.call(self.shared.helpers.slide_over, &[table, site, at, over], None);
            }
        }
        self.reload(words)
    }
}
