//! Expressions as text.

use std::fmt::{self, Debug, Display, Formatter};

use super::{Listing, MAX_DEPTH};
use crate::program::walk::{Local, Part, Use};
use crate::program::{Binary, BlockId, Domain, IntId, IntOp, SetId, SetOp, Stmt, Unary};
use crate::wording::many;

/// Things one after the other.
pub(super) fn joined(items: impl Iterator<Item = impl Display>, joint: &str) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(joint)
}

impl Listing<'_> {
    pub(super) fn layer_name(&self, layer: &u32) -> &str {
        self.0.layout.layers.get(*layer as usize).map_or("?", |layer| &layer.name)
    }

    pub(super) fn slot_name(&self, slot: &u32) -> &str {
        self.0.layout.slots.get(*slot as usize).map_or("?", |slot| &slot.name)
    }

    pub(super) fn relation_name(&self, relation: &u32) -> &str {
        self.0.relations.get(*relation as usize).map_or("?", |relation| &relation.name)
    }

    fn ray_names(&self, rays: &[u32]) -> String {
        let name = |ray: &u32| self.0.rays.get(*ray as usize).map_or("?", |ray| &ray.name);
        joined(rays.iter().map(name), " ")
    }

    /// The domain of a loop, as text.
    pub(super) fn domain(&self, domain: &Domain, depth: usize) -> impl Display {
        fmt::from_fn(move |out| match domain {
            Domain::Set(set) => self.set_at(*set, depth).fmt(out),
            Domain::Range(low, high) => {
                write!(out, "{}..{}", self.int_at(*low, depth), self.int_at(*high, depth))
            }
            Domain::Mask(mask) => write!(out, "bits of {}", self.int_at(*mask, depth)),
        })
    }

    /// A constant set: how many sites there are, and which if they are few.
    fn write_const(&self, out: &mut Formatter<'_>, number: u32) -> fmt::Result {
        let width = self.0.layout.width;
        let Some(words) = self.0.consts.chunks_exact(width.max(1)).nth(number as usize) else {
            return write!(out, "?");
        };
        if words == self.0.all {
            return write!(out, "all");
        }
        let sites = (0..words.len() * 64).filter(|site| words[site / 64] >> (site % 64) & 1 == 1);
        match sites.clone().count() {
            count @ 13.. => write!(out, "const#{number}({})", many(count as u64, "site")),
            _ => write!(out, "{{{}}}", joined(sites, " ")),
        }
    }

    /// A block that is run in a copy, before a value that is evaluated there.
    fn after(&self, block: BlockId) -> impl Display {
        fmt::from_fn(move |out| {
            let statements = self.0.blocks.get(block.0 as usize).into_iter().flatten();
            let statements = statements.map(|statement| {
                fmt::from_fn(move |out| match statement {
                    Stmt::If(cond, then, _) => write!(out, "if {} ... #{}", self.int(*cond), then.0),
                    plain => self.write_statement(out, plain),
                })
            });
            write!(out, "after ({}) : ", joined(statements, "; "))
        })
    }

    /// A set as text, so deep within others.
    pub(super) fn set_at(&self, id: SetId, depth: usize) -> impl Display {
        fmt::from_fn(move |out| self.write_set(out, id, depth + 1))
    }

    /// An integer as text, so deep within others.
    pub(super) fn int_at(&self, id: IntId, depth: usize) -> impl Display {
        fmt::from_fn(move |out| self.write_int(out, id, depth + 1))
    }

    fn write_set(&self, out: &mut Formatter<'_>, id: SetId, depth: usize) -> fmt::Result {
        let Some(op) = self.0.sets.get(id.0 as usize) else {
            return write!(out, "?");
        };
        if depth > MAX_DEPTH {
            return write!(out, "...");
        }
        let set = |id: &SetId| self.set_at(*id, depth);
        let int = |id: &IntId| self.int_at(*id, depth);
        match op {
            SetOp::Const(number) => self.write_const(out, *number),
            SetOp::Layer(layer) => write!(out, "layer[{}]", self.layer_name(layer)),
            SetOp::LayerRow { base, index, .. } => {
                write!(out, "layer[{} + {}]", self.layer_name(base), int(index))
            }
            SetOp::Local(local) => write!(out, "s{local}"),
            SetOp::And(a, b) => write!(out, "({} & {})", set(a), set(b)),
            SetOp::Or(a, b) => write!(out, "({} | {})", set(a), set(b)),
            SetOp::Sub(a, b) => write!(out, "({} - {})", set(a), set(b)),
            SetOp::Not(a) => write!(out, "not {}", set(a)),
            SetOp::Otherwise(a, b) => write!(out, "({} otherwise {})", set(a), set(b)),
            SetOp::If(cond, a, b) => write!(out, "(if {} then {} else {})", int(cond), set(a), set(b)),
            SetOp::Switch(index, cases) => {
                write!(out, "case {} of ({})", int(index), joined(cases.iter().map(set), ", "))
            }
            SetOp::Image { relation, of } => write!(out, "{}({})", self.relation_name(relation), set(of)),
            SetOp::Row { relation, site } => write!(out, "{}({})", self.relation_name(relation), int(site)),
            SetOp::Slide { rays, from, through, over } => {
                write!(out, "slide[{}]({} through {}", self.ray_names(rays), set(from), set(through))?;
                if let Some(over) = over {
                    write!(out, " over {}", set(over))?;
                }
                write!(out, ")")
            }
            SetOp::Filter { local, domain, cond } => {
                write!(out, "{{i{local} in {} : {}}}", set(domain), int(cond))
            }
            SetOp::Sieve { local, domain, passing } => {
                write!(out, "{{sieve i{local} in {} : {}}}", set(domain), set(passing))
            }
            SetOp::Union { local, domain, body } => {
                write!(out, "(union i{local} in {} : {})", self.domain(domain, depth), set(body))
            }
            SetOp::LetSet { local, value, body } => {
                write!(out, "(let s{local} = {} : {})", set(value), set(body))
            }
            SetOp::LetInt { local, value, body } => {
                write!(out, "(let i{local} = {} : {})", int(value), set(body))
            }
            SetOp::After(block, value) => write!(out, "({}{})", self.after(*block), set(value)),
            call => self.write_call(out, call, SetOp::uses, SetOp::each, depth),
        }
    }

    fn write_int(&self, out: &mut Formatter<'_>, id: IntId, depth: usize) -> fmt::Result {
        let Some(op) = self.0.ints.get(id.0 as usize) else {
            return write!(out, "?");
        };
        if depth > MAX_DEPTH {
            return write!(out, "...");
        }
        let set = |id: &SetId| self.set_at(*id, depth);
        let int = |id: &IntId| self.int_at(*id, depth);
        match op {
            IntOp::Const(value) => write!(out, "{value}"),
            IntOp::Local(local) => write!(out, "i{local}"),
            IntOp::Slot(slot) => write!(out, "{}", self.slot_name(slot)),
            IntOp::SlotRow { base, index, .. } => write!(out, "{}[{}]", self.slot_name(base), int(index)),
            IntOp::Dealt { base, index, .. } => write!(out, "dealt[{base} + {}]", int(index)),
            IntOp::Lookup { table, index, .. } => write!(out, "table{table}[{}]", int(index)),
            IntOp::Binary(op @ (Binary::Min | Binary::Max), a, b) => {
                write!(out, "{}({}, {})", op.symbol(), int(a), int(b))
            }
            IntOp::Binary(op, a, b) => write!(out, "({} {} {})", int(a), op.symbol(), int(b)),
            IntOp::Unary(Unary::Not, a) => write!(out, "not {}", int(a)),
            IntOp::Unary(op, a) => write!(out, "{}({})", op.symbol(), int(a)),
            IntOp::And(a, b) => write!(out, "({} and {})", int(a), int(b)),
            IntOp::Or(a, b) => write!(out, "({} or {})", int(a), int(b)),
            IntOp::If(cond, a, b) => write!(out, "(if {} then {} else {})", int(cond), int(a), int(b)),
            IntOp::Switch(index, cases, missing) => {
                let cases = joined(cases.iter().map(int), ", ");
                write!(out, "case {} of ({cases}) else {missing}", int(index))
            }
            IntOp::OfSet(op, of) => write!(out, "{}({})", op.symbol(), set(of)),
            IntOp::Has(of, site) => write!(out, "({} in {})", int(site), set(of)),
            IntOp::KindAt(site) => write!(out, "kind({})", int(site)),
            IntOp::OwnerAt(site) => write!(out, "owner({})", int(site)),
            IntOp::HeightAt(site) => write!(out, "height({})", int(site)),
            IntOp::Any { local, domain, cond } => {
                write!(out, "(some i{local} in {} : {})", self.domain(domain, depth), int(cond))
            }
            IntOp::Sum { local, domain, body } => {
                write!(out, "(sum i{local} in {} : {})", self.domain(domain, depth), int(body))
            }
            IntOp::LetSet { local, value, body } => {
                write!(out, "(let s{local} = {} : {})", set(value), int(body))
            }
            IntOp::LetInt { local, value, body } => {
                write!(out, "(let i{local} = {} : {})", int(value), int(body))
            }
            IntOp::After(block, value) => write!(out, "({}{})", self.after(*block), int(value)),
            call => self.write_call(out, call, IntOp::uses, IntOp::each, depth),
        }
    }

    /// An operation that has no text of its own, written as a call: `name[what it names](its parts)`.
    fn write_call<Op: Debug>(
        &self,
        out: &mut Formatter<'_>,
        op: &Op,
        uses: fn(&Op, &mut dyn FnMut(Use)),
        each: fn(&Op, &mut dyn FnMut(Part)),
        depth: usize,
    ) -> fmt::Result {
        let (mut names, mut parts) = (Vec::new(), Vec::new());
        uses(op, &mut |used| names.push(self.used(used)));
        each(op, &mut |part| {
            parts.push(match part {
                Part::Set(set) => self.set_at(set, depth).to_string(),
                Part::Int(int) => self.int_at(int, depth).to_string(),
                Part::Block(block) | Part::After(block) => format!("#{}", block.0),
            });
        });
        let debug = format!("{op:?}");
        let name = debug.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
        write!(out, "{name}")?;
        if !names.is_empty() {
            write!(out, "[{}]", names.join(" "))?;
        }
        write!(out, "({})", parts.join(", "))
    }

    fn used(&self, used: Use) -> String {
        match used {
            Use::Relation(relation) => self.relation_name(&relation).to_owned(),
            Use::Ray(ray) => self.ray_names(&[ray]),
            Use::Layers(first, _) => self.layer_name(&first).to_owned(),
            Use::Slots(first, _) => self.slot_name(&first).to_owned(),
            Use::Local(Local::Set(local)) => format!("s{local}"),
            Use::Local(Local::Int(local)) => format!("i{local}"),
            Use::Const(number) => format!("const#{number}"),
            Use::Dealt(first, _) => format!("dealt#{first}"),
            Use::Table(number) => format!("table#{number}"),
        }
    }
}
