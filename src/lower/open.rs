//! Code without local names, so that equal values are equal nodes.
//!
//! A definition that is used twice binds other locals each time. With the values put in their places both
//! are one node of the arena; [`share`](super::share) then binds what stands in several places anew.

use std::collections::HashMap;

use super::builder::{Builder, Info, SET_LOCAL};
use crate::program::{IntId, IntOp, SetId, SetOp};

/// How many nodes may be visited: put in their places, values may become many.
const MOST: u32 = 600;

/// The values of the locals in sight.
pub(super) struct Opened {
    sets: HashMap<u32, SetId>,
    ints: HashMap<u32, IntId>,
    left: u32,
}

impl Opened {
    /// With no local in sight.
    pub(super) fn new() -> Opened {
        Opened { sets: HashMap::new(), ints: HashMap::new(), left: MOST }
    }

    /// Whether a node names a local whose value is known.
    fn names(&self, info: &Info) -> bool {
        info.free.iter().any(|l| {
            if l & SET_LOCAL == 0 {
                self.ints.contains_key(l)
            } else {
                self.sets.contains_key(&(l ^ SET_LOCAL))
            }
        })
    }
}

impl Builder {
    /// A set without the locals that are bound in it; none where that is too much.
    pub(super) fn open_set(&mut self, id: SetId, o: &mut Opened) -> Option<SetId> {
        o.left = o.left.checked_sub(1)?;
        let op = match self.op(id).clone() {
            SetOp::Local(l) => return Some(o.sets.get(&l).copied().unwrap_or(id)),
            SetOp::LayerRow { base, count, index } => {
                SetOp::LayerRow { base, count, index: self.open_int(index, o)? }
            }
            SetOp::Site(x) => SetOp::Site(self.open_int(x, o)?),
            SetOp::Row { relation, site } => SetOp::Row { relation, site: self.open_int(site, o)? },
            SetOp::And(x, y) => SetOp::And(self.open_set(x, o)?, self.open_set(y, o)?),
            SetOp::Or(x, y) => SetOp::Or(self.open_set(x, o)?, self.open_set(y, o)?),
            SetOp::Sub(x, y) => SetOp::Sub(self.open_set(x, o)?, self.open_set(y, o)?),
            SetOp::Otherwise(x, y) => SetOp::Otherwise(self.open_set(x, o)?, self.open_set(y, o)?),
            SetOp::Not(x) => SetOp::Not(self.open_set(x, o)?),
            SetOp::If(c, x, y) => SetOp::If(self.open_int(c, o)?, self.open_set(x, o)?, self.open_set(y, o)?),
            SetOp::Switch(c, cases) => {
                let c = self.open_int(c, o)?;
                SetOp::Switch(c, cases.iter().map(|s| self.open_set(*s, o)).collect::<Option<_>>()?)
            }
            SetOp::Image { relation, of } => SetOp::Image { relation, of: self.open_set(of, o)? },
            SetOp::Slide { rays, from, through, over } => SetOp::Slide {
                rays,
                from: self.open_set(from, o)?,
                through: self.open_set(through, o)?,
                over: match over {
                    Some(over) => Some(self.open_set(over, o)?),
                    None => None,
                },
            },
            SetOp::Between { rays, from, to } => {
                SetOp::Between { rays, from: self.open_set(from, o)?, to: self.open_set(to, o)? }
            }
            SetOp::LetSet { local, value, body } => {
                let value = self.open_set(value, o)?;
                o.sets.insert(local, value);
                return self.open_set(body, o);
            }
            SetOp::LetInt { local, value, body } => {
                let value = self.open_int(value, o)?;
                o.ints.insert(local, value);
                return self.open_set(body, o);
            }
            _ if o.names(self.info(id)) => return None,
            _ => return Some(id),
        };
        Some(self.set(op))
    }

    /// An integer without the locals that are bound in it; none where that is too much.
    pub(super) fn open_int(&mut self, id: IntId, o: &mut Opened) -> Option<IntId> {
        o.left = o.left.checked_sub(1)?;
        let op = match self.int_op(id).clone() {
            IntOp::Local(l) => return Some(o.ints.get(&l).copied().unwrap_or(id)),
            IntOp::Add(x, y) => IntOp::Add(self.open_int(x, o)?, self.open_int(y, o)?),
            IntOp::Sub(x, y) => IntOp::Sub(self.open_int(x, o)?, self.open_int(y, o)?),
            IntOp::Eq(x, y) => IntOp::Eq(self.open_int(x, o)?, self.open_int(y, o)?),
            IntOp::Lt(x, y) => IntOp::Lt(self.open_int(x, o)?, self.open_int(y, o)?),
            IntOp::Le(x, y) => IntOp::Le(self.open_int(x, o)?, self.open_int(y, o)?),
            IntOp::And(x, y) => IntOp::And(self.open_int(x, o)?, self.open_int(y, o)?),
            IntOp::Or(x, y) => IntOp::Or(self.open_int(x, o)?, self.open_int(y, o)?),
            IntOp::Not(x) => IntOp::Not(self.open_int(x, o)?),
            IntOp::Count(s) => IntOp::Count(self.open_set(s, o)?),
            IntOp::Some(s) => IntOp::Some(self.open_set(s, o)?),
            IntOp::Meets(x, y) => IntOp::Meets(self.open_set(x, o)?, self.open_set(y, o)?),
            IntOp::Has(s, x) => IntOp::Has(self.open_set(s, o)?, self.open_int(x, o)?),
            IntOp::LetSet { local, value, body } => {
                let value = self.open_set(value, o)?;
                o.sets.insert(local, value);
                return self.open_int(body, o);
            }
            IntOp::LetInt { local, value, body } => {
                let value = self.open_int(value, o)?;
                o.ints.insert(local, value);
                return self.open_int(body, o);
            }
            _ if o.names(self.int_info(id)) => return None,
            _ => return Some(id),
        };
        Some(self.int(op))
    }
}
