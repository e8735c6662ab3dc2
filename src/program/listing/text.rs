//! Expressions as text.

use std::fmt::{self, Write};

use super::{DEEPEST, Listing};
use crate::program::{Binary, BlockId, Domain, IntId, IntOp, SetId, SetOp, Stmt, Unary};
use crate::wording::many;

impl Listing<'_> {
    pub(super) fn layer_name(&self, layer: u32) -> &str {
        let layer = self.0.layout.layers.get(layer as usize);
        layer.map_or("?", |layer| layer.name.as_str())
    }

    pub(super) fn slot_name(&self, slot: u32) -> &str {
        let slot = self.0.layout.slots.get(slot as usize);
        slot.map_or("?", |slot| slot.name.as_str())
    }

    pub(super) fn relation_name(&self, relation: u32) -> &str {
        let relation = self.0.relations.get(relation as usize);
        relation.map_or("?", |relation| relation.name.as_str())
    }

    fn ray_names(&self, rays: &[u32]) -> String {
        let names = rays.iter().map(|ray| {
            let ray = self.0.rays.get(*ray as usize);
            ray.map_or("?", |ray| ray.name.as_str())
        });
        names.collect::<Vec<_>>().join(" ")
    }

    pub(super) fn write_domain(&self, out: &mut dyn Write, domain: &Domain, depth: usize) -> fmt::Result {
        match domain {
            Domain::Set(set) => self.write_set(out, *set, depth),
            Domain::Range(low, high) => {
                self.write_int(out, *low, depth)?;
                write!(out, "..")?;
                self.write_int(out, *high, depth)
            }
            Domain::Mask(mask) => {
                write!(out, "bits of ")?;
                self.write_int(out, *mask, depth)
            }
        }
    }

    /// A constant set: how many sites there are, and which if they are few.
    fn write_const(&self, out: &mut dyn Write, number: u32) -> fmt::Result {
        let width = self.0.layout.width;
        let Some(words) = self.0.consts.chunks_exact(width.max(1)).nth(number as usize) else {
            return write!(out, "?");
        };
        if words == self.0.all {
            return write!(out, "all");
        }
        let sites: Vec<String> = (0..words.len() * 64)
            .filter(|site| words[site / 64] >> (site % 64) & 1 == 1)
            .map(|site| site.to_string())
            .collect();
        if sites.len() > 12 {
            write!(out, "const#{number}({})", many(sites.len() as u64, "site"))
        } else {
            write!(out, "{{{}}}", sites.join(" "))
        }
    }

    fn set_pair(&self, out: &mut dyn Write, sets: (SetId, SetId), joint: &str, depth: usize) -> fmt::Result {
        write!(out, "(")?;
        self.write_set(out, sets.0, depth)?;
        write!(out, " {joint} ")?;
        self.write_set(out, sets.1, depth)?;
        write!(out, ")")
    }

    fn int_pair(&self, out: &mut dyn Write, ints: (IntId, IntId), joint: &str, depth: usize) -> fmt::Result {
        write!(out, "(")?;
        self.write_int(out, ints.0, depth)?;
        write!(out, " {joint} ")?;
        self.write_int(out, ints.1, depth)?;
        write!(out, ")")
    }

    /// `name(set, ...)`.
    fn call_sets(&self, out: &mut dyn Write, name: &str, sets: &[SetId], depth: usize) -> fmt::Result {
        write!(out, "{name}(")?;
        for (number, set) in sets.iter().enumerate() {
            if number > 0 {
                write!(out, ", ")?;
            }
            self.write_set(out, *set, depth)?;
        }
        write!(out, ")")
    }

    /// `name(int, ...)`.
    fn call_ints(&self, out: &mut dyn Write, name: &str, ints: &[IntId], depth: usize) -> fmt::Result {
        write!(out, "{name}(")?;
        for (number, int) in ints.iter().enumerate() {
            if number > 0 {
                write!(out, ", ")?;
            }
            self.write_int(out, *int, depth)?;
        }
        write!(out, ")")
    }

    /// A block within an expression.
    fn write_after(&self, out: &mut dyn Write, block: BlockId, depth: usize) -> fmt::Result {
        write!(out, "after (")?;
        if depth > DEEPEST {
            return write!(out, "...) : ");
        }
        let block = self.0.blocks.get(block.0 as usize);
        for (number, statement) in block.into_iter().flatten().enumerate() {
            if number > 0 {
                write!(out, "; ")?;
            }
            match statement {
                Stmt::If(cond, then, _) => {
                    write!(out, "if {} ... #{}", self.int(*cond), then.0)?;
                }
                plain => self.write_statement(out, plain)?,
            }
        }
        write!(out, ") : ")
    }

    pub(super) fn write_set(&self, out: &mut dyn Write, id: SetId, depth: usize) -> fmt::Result {
        let depth = depth + 1;
        let Some(op) = self.0.sets.get(id.0 as usize) else {
            return write!(out, "?");
        };
        if depth > DEEPEST {
            return write!(out, "...");
        }
        match op {
            SetOp::Const(number) => self.write_const(out, *number),
            SetOp::Layer(layer) => write!(out, "layer[{}]", self.layer_name(*layer)),
            SetOp::LayerRow { base, index, .. } => {
                write!(out, "layer[{} + ", self.layer_name(*base))?;
                self.write_int(out, *index, depth)?;
                write!(out, "]")
            }
            SetOp::Local(local) => write!(out, "s{local}"),
            SetOp::Site(site) => self.call_ints(out, "site", &[*site], depth),
            SetOp::And(a, b) => self.set_pair(out, (*a, *b), "&", depth),
            SetOp::Or(a, b) => self.set_pair(out, (*a, *b), "|", depth),
            SetOp::Sub(a, b) => self.set_pair(out, (*a, *b), "-", depth),
            SetOp::Not(a) => {
                write!(out, "not ")?;
                self.write_set(out, *a, depth)
            }
            SetOp::Otherwise(a, b) => self.set_pair(out, (*a, *b), "otherwise", depth),
            SetOp::If(cond, a, b) => {
                write!(out, "(if ")?;
                self.write_int(out, *cond, depth)?;
                write!(out, " then ")?;
                self.write_set(out, *a, depth)?;
                write!(out, " else ")?;
                self.write_set(out, *b, depth)?;
                write!(out, ")")
            }
            SetOp::Switch(index, cases) => {
                write!(out, "case ")?;
                self.write_int(out, *index, depth)?;
                self.call_sets(out, " of ", cases, depth)
            }
            SetOp::Image { relation, of } => {
                self.call_sets(out, self.relation_name(*relation), &[*of], depth)
            }
            SetOp::Row { relation, site } => {
                self.call_ints(out, self.relation_name(*relation), &[*site], depth)
            }
            SetOp::Slide { rays, from, through, over } => {
                write!(out, "slide[{}](", self.ray_names(rays))?;
                self.write_set(out, *from, depth)?;
                write!(out, " through ")?;
                self.write_set(out, *through, depth)?;
                if let Some(over) = over {
                    write!(out, " over ")?;
                    self.write_set(out, *over, depth)?;
                }
                write!(out, ")")
            }
            SetOp::Between { rays, from, to } => {
                let name = format!("between[{}]", self.ray_names(rays));
                self.call_sets(out, &name, &[*from, *to], depth)
            }
            SetOp::Flood { relation, seed, within } => {
                let name = format!("flood[{}]", self.relation_name(*relation));
                self.call_sets(out, &name, &[*seed, *within], depth)
            }
            SetOp::Fix { local, seed, within, step } => {
                let name = format!("flood[s{local}]");
                self.call_sets(out, &name, &[*seed, *within, *step], depth)
            }
            SetOp::Times { local, of, times, step } => {
                write!(out, "times[s{local}](")?;
                self.write_set(out, *of, depth)?;
                write!(out, ", ")?;
                self.write_int(out, *times, depth)?;
                write!(out, ", ")?;
                self.write_set(out, *step, depth)?;
                write!(out, ")")
            }
            SetOp::Ring { relation, of, steps } => {
                write!(out, "ring[{}](", self.relation_name(*relation))?;
                self.write_set(out, *of, depth)?;
                write!(out, ", ")?;
                self.write_int(out, *steps, depth)?;
                write!(out, ")")
            }
            SetOp::Line { steps, of, length } => {
                let names: Vec<&str> = steps.iter().map(|step| self.relation_name(*step)).collect();
                write!(out, "line[{}](", names.join(" "))?;
                self.write_set(out, *of, depth)?;
                write!(out, ", ")?;
                self.write_int(out, *length, depth)?;
                write!(out, ")")
            }
            SetOp::Filter { local, domain, cond } => {
                write!(out, "{{i{local} in ")?;
                self.write_set(out, *domain, depth)?;
                write!(out, " : ")?;
                self.write_int(out, *cond, depth)?;
                write!(out, "}}")
            }
            SetOp::Union { local, domain, body } => {
                write!(out, "(union i{local} in ")?;
                self.write_domain(out, domain, depth)?;
                write!(out, " : ")?;
                self.write_set(out, *body, depth)?;
                write!(out, ")")
            }
            SetOp::LetSet { local, value, body } => {
                write!(out, "(let s{local} = ")?;
                self.write_set(out, *value, depth)?;
                write!(out, " : ")?;
                self.write_set(out, *body, depth)?;
                write!(out, ")")
            }
            SetOp::LetInt { local, value, body } => {
                write!(out, "(let i{local} = ")?;
                self.write_int(out, *value, depth)?;
                write!(out, " : ")?;
                self.write_set(out, *body, depth)?;
                write!(out, ")")
            }
            SetOp::After(block, value) => {
                write!(out, "(")?;
                self.write_after(out, *block, depth)?;
                self.write_set(out, *value, depth)?;
                write!(out, ")")
            }
        }
    }

    /// A loop: `(word iN in DOMAIN : BODY)`.
    fn write_loop(
        &self,
        out: &mut dyn Write,
        head: (&str, u32),
        domain: &Domain,
        body: IntId,
        depth: usize,
    ) -> fmt::Result {
        write!(out, "({} i{} in ", head.0, head.1)?;
        self.write_domain(out, domain, depth)?;
        write!(out, " : ")?;
        self.write_int(out, body, depth)?;
        write!(out, ")")
    }

    pub(super) fn write_int(&self, out: &mut dyn Write, id: IntId, depth: usize) -> fmt::Result {
        let depth = depth + 1;
        let Some(op) = self.0.ints.get(id.0 as usize) else {
            return write!(out, "?");
        };
        if depth > DEEPEST {
            return write!(out, "...");
        }
        match op {
            IntOp::Const(value) => write!(out, "{value}"),
            IntOp::Local(local) => write!(out, "i{local}"),
            IntOp::Slot(slot) => write!(out, "{}", self.slot_name(*slot)),
            IntOp::SlotRow { base, index, .. } => {
                write!(out, "{}[", self.slot_name(*base))?;
                self.write_int(out, *index, depth)?;
                write!(out, "]")
            }
            IntOp::Dealt { base, index, .. } => {
                write!(out, "dealt[{base} + ")?;
                self.write_int(out, *index, depth)?;
                write!(out, "]")
            }
            IntOp::Lookup { table, index, .. } => {
                write!(out, "table{table}[")?;
                self.write_int(out, *index, depth)?;
                write!(out, "]")
            }
            IntOp::Binary(op @ (Binary::Min | Binary::Max), a, b) => {
                self.call_ints(out, op.symbol(), &[*a, *b], depth)
            }
            IntOp::Binary(op, a, b) => self.int_pair(out, (*a, *b), op.symbol(), depth),
            IntOp::Unary(Unary::Not, a) => {
                write!(out, "not ")?;
                self.write_int(out, *a, depth)
            }
            IntOp::Unary(op, a) => self.call_ints(out, op.symbol(), &[*a], depth),
            IntOp::And(a, b) => self.int_pair(out, (*a, *b), "and", depth),
            IntOp::Or(a, b) => self.int_pair(out, (*a, *b), "or", depth),
            IntOp::If(cond, a, b) => {
                write!(out, "(if ")?;
                self.write_int(out, *cond, depth)?;
                write!(out, " then ")?;
                self.write_int(out, *a, depth)?;
                write!(out, " else ")?;
                self.write_int(out, *b, depth)?;
                write!(out, ")")
            }
            IntOp::Switch(index, cases, missing) => {
                write!(out, "case ")?;
                self.write_int(out, *index, depth)?;
                self.call_ints(out, " of ", cases, depth)?;
                write!(out, " else {missing}")
            }
            IntOp::Count(set) => self.call_sets(out, "count", &[*set], depth),
            IntOp::Some(set) => self.call_sets(out, "some", &[*set], depth),
            IntOp::Meets(a, b) => self.call_sets(out, "meets", &[*a, *b], depth),
            IntOp::Same(a, b) => self.call_sets(out, "same", &[*a, *b], depth),
            IntOp::First(set) => self.call_sets(out, "first", &[*set], depth),
            IntOp::Only(set) => self.call_sets(out, "only", &[*set], depth),
            IntOp::Has(set, site) => {
                write!(out, "(")?;
                self.write_int(out, *site, depth)?;
                write!(out, " in ")?;
                self.write_set(out, *set, depth)?;
                write!(out, ")")
            }
            IntOp::KindAt(site) => self.call_ints(out, "kind", &[*site], depth),
            IntOp::OwnerAt(site) => self.call_ints(out, "owner", &[*site], depth),
            IntOp::HeightAt(site) => self.call_ints(out, "height", &[*site], depth),
            IntOp::Distance { relation, from, to } => {
                let name = format!("distance[{}]", self.relation_name(*relation));
                self.call_ints(out, &name, &[*from, *to], depth)
            }
            IntOp::Any { local, domain, cond } => {
                self.write_loop(out, ("some", *local), domain, *cond, depth)
            }
            IntOp::Sum { local, domain, body } => self.write_loop(out, ("sum", *local), domain, *body, depth),
            IntOp::LetSet { local, value, body } => {
                write!(out, "(let s{local} = ")?;
                self.write_set(out, *value, depth)?;
                write!(out, " : ")?;
                self.write_int(out, *body, depth)?;
                write!(out, ")")
            }
            IntOp::LetInt { local, value, body } => {
                write!(out, "(let i{local} = ")?;
                self.write_int(out, *value, depth)?;
                write!(out, " : ")?;
                self.write_int(out, *body, depth)?;
                write!(out, ")")
            }
            IntOp::After(block, value) => {
                write!(out, "(")?;
                self.write_after(out, *block, depth)?;
                self.write_int(out, *value, depth)?;
                write!(out, ")")
            }
        }
    }
}
