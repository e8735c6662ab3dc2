//! Sites chosen by the number that was dealt to them: looked up, not looked for.
//!
//! Numbers that are dealt and never assigned lie on one site each, and where each lies is kept beside them. So
//! the sites whose number is `n` are one lookup, and those whose number has a property that nothing else
//! decides are a few: one for each number that has it.
//!
//! This is done when all else is: whether one site is among them is asked of its number at once.

use super::builder::Builder;
use crate::program::{DealTo, IntId, IntOp, SetId, SetOp};

/// From so many numbers on a loop over the sites is as good.
const FEW: usize = 24;

impl Builder {
    /// The sites, chosen by a local, for which a condition holds, where it depends on the local by its dealt
    /// number alone.
    pub(super) fn dealt_sites(&mut self, local: u32, cond: IntId) -> Option<SetId> {
        match self.site_of_number(local, cond) {
            Some(site) => Some(self.set(SetOp::Site(site))),
            None => self.sites_of_numbers(local, cond),
        }
    }

    /// The site with a number that is given.
    fn site_of_number(&mut self, local: u32, cond: IntId) -> Option<IntId> {
        let IntOp::Eq(a, b) = *self.int_op(cond) else { return None };
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
        let index = self.int(IntOp::Sub(number, low));
        Some(self.int(IntOp::Dealt { base: inverse, count, index, missing: -1 }))
    }

    /// The sites of all numbers that have a property.
    fn sites_of_numbers(&mut self, local: u32, cond: IntId) -> Option<SetId> {
        let (base, low, high) = self.deals.iter().find_map(|deal| match (deal.to, deal.inverse) {
            (DealTo::Dealt(base), Some(_)) => {
                let base = base as u32;
                // Another deal, or more than a number, and there is no answer.
                self.eval_dealt(cond, local, base, deal.low)?;
                Some((base, deal.low, deal.high))
            }
            _ => None,
        })?;
        let mut fitting = Vec::new();
        for number in low..=high {
            if self.eval_dealt(cond, local, base, number)? != 0 {
                fitting.push(number);
            }
            if fitting.len() > FEW {
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
}
