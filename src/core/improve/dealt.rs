//! Sites chosen by their dealt number: lookups instead of loops.
//!
//! Each number that is dealt and never assigned lies on one site, and an inverse table tells which. So the site with
//! number `n` is one lookup. The sites whose number has some property are one lookup for each number that has it.
//!
//! Other expressions that depend on one dealt number alone become lookups in a table.
//!
//! The pass runs last, because before that a membership test of one site is made directly on its number.

use std::collections::BTreeMap;

use super::Pass;
use super::builder::Builder;
use super::children::{Node, each_child};
use crate::program::{Binary, DealTo, IntId, IntOp, SetId, SetOp};

/// The most numbers that are listed; for more a loop over the sites is as good.
const MAX_LISTED_NUMBERS: usize = 24;

impl Builder {
    /// The sites for which a condition holds, if it depends on the site's dealt number alone.
    pub(crate) fn dealt_sites(&mut self, local: u32, cond: IntId) -> Option<SetId> {
        if !self.passes.has(Pass::Dealt) {
            return None;
        }
        match self.site_of_number(local, cond) {
            Some(site) => Some(self.set(SetOp::Site(site))),
            None => self.sites_of_numbers(local, cond),
        }
    }

    /// The site for a condition that its number equals a value.
    fn site_of_number(&mut self, local: u32, cond: IntId) -> Option<IntId> {
        let IntOp::Binary(Binary::Eq, a, b) = *self.int_op(cond) else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(of, number)| {
            let IntOp::Dealt { base, index, .. } = *self.int_op(of) else { return None };
            let info = self.int_info(number);
            if *self.int_op(index) != IntOp::Local(local) || info.free.contains(&local) || info.runs {
                return None;
            }
            self.where_dealt(base, number)
        })
    }

    /// The site on which a number of a deal lies.
    fn where_dealt(&mut self, base: u32, number: IntId) -> Option<IntId> {
        let deal = self.deals.iter().find(|deal| deal.to == DealTo::Dealt(base as usize))?;
        let (inverse, count, low) = (deal.inverse? as u32, deal.sites.len() as u32, deal.low);
        let low = self.num(low);
        let index = self.int(IntOp::Binary(Binary::Sub, number, low));
        Some(self.int(IntOp::Dealt { base: inverse, count, index, missing: -1 }))
    }

    /// The sites of all numbers that have a property.
    fn sites_of_numbers(&mut self, local: u32, cond: IntId) -> Option<SetId> {
        let deals = self.deals.iter().filter_map(|deal| match (deal.to, deal.inverse) {
            (DealTo::Dealt(base), Some(_)) => Some((base as u32, deal.low, deal.high)),
            _ => None,
        });
        let deals: Vec<(u32, i32, i32)> = deals.collect();
        // A condition that reads another deal, or more than the number, has no answer.
        let mut of_this =
            |(base, low, _): &(u32, i32, i32)| self.eval_dealt(cond, local, *base, *low).is_some();
        let (base, low, high) = deals.into_iter().find(&mut of_this)?;
        let mut fitting = Vec::new();
        for number in low..=high {
            if self.eval_dealt(cond, local, base, number)? != 0 {
                fitting.push(number);
            }
            if fitting.len() > MAX_LISTED_NUMBERS {
                return None;
            }
        }
        let mut out = self.empty();
        for number in fitting {
            let number = self.num(number);
            let site = self.where_dealt(base, number)?;
            let site = self.set(SetOp::Site(site));
            out = self.set(SetOp::Or(out, site));
        }
        Some(out)
    }

    /// An expression that depends on one dealt number alone, as a lookup in a table of its values. `known` maps the
    /// locals that are bound to dealt numbers to those numbers.
    pub(crate) fn by_dealt_number(&mut self, id: IntId, known: &BTreeMap<u32, IntId>) -> Option<IntId> {
        let info = self.int_info(id);
        if !self.passes.has(Pass::Dealt) || info.runs || info.free.len() != 1 || !self.computes(id) {
            return None;
        }
        let local = *info.free.first()?;
        let dealt = match known.get(&local) {
            Some(value) => *value,
            None => self.dealt_within(id, local)?,
        };
        let IntOp::Dealt { base, missing, .. } = *self.int_op(dealt) else { return None };
        let deal = self.deals.iter().find(|deal| deal.to == DealTo::Dealt(base as usize))?;
        // Numbers that some rule assigns may differ from the dealt ones.
        deal.inverse?;
        let (low, high) = (deal.low, deal.high);
        let mut found = |number: i32| match known.contains_key(&local) {
            true => self.eval_with(id, &[(local, number)]),
            false => self.eval_dealt(id, local, base, number),
        };
        // The value for a site without a number.
        let missing = found(missing)?;
        let values = (low..=high).map(found).collect::<Option<Vec<i32>>>()?;
        let number = match known.contains_key(&local) {
            true => self.int(IntOp::Local(local)),
            false => dealt,
        };
        let low = self.num(low);
        let index = self.int(IntOp::Binary(Binary::Sub, number, low));
        let table = self.table(values);
        Some(self.int(IntOp::Lookup { table, index, missing }))
    }

    /// Whether a node is arithmetic on more than two values: simpler nodes cost no more than a lookup.
    fn computes(&self, id: IntId) -> bool {
        let inner =
            |id: IntId| !matches!(self.int_op(id), IntOp::Const(_) | IntOp::Local(_) | IntOp::Dealt { .. });
        match *self.int_op(id) {
            // These cost no more than a lookup.
            IntOp::Binary(
                Binary::Min | Binary::Max | Binary::BitAnd | Binary::BitOr | Binary::BitSub,
                ..,
            ) => false,
            IntOp::Binary(_, a, b) | IntOp::And(a, b) | IntOp::Or(a, b) => inner(a) || inner(b),
            _ => false,
        }
    }

    /// The dealt number of a local's site within a node: the only one of its deal.
    fn dealt_within(&self, id: IntId, local: u32) -> Option<IntId> {
        let (mut found, mut rest) = (None, vec![Node::Int(id)]);
        while let Some(node) = rest.pop() {
            if let Node::Int(id) = node
                && let IntOp::Dealt { index, .. } = self.int_op(id)
            {
                if *self.int_op(*index) != IntOp::Local(local) || found.is_some_and(|found| found != id) {
                    return None;
                }
                found = Some(id);
                continue;
            }
            each_child(self, node, &mut |child| rest.push(child));
        }
        found
    }
}
