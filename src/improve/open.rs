//! Code without local names, so that equal values are equal nodes.
//!
//! A definition that is used twice binds other locals each time. With the values put in their places both
//! are one node of the arena; [`share`](super::share) then binds what stands in several places anew.

use std::collections::HashMap;

use super::builder::{Builder, Info, SET_LOCAL};
use crate::program::{Hole, IntId, IntOp, Part, SetId, SetOp};

/// How many nodes may be visited: put in their places, values may become many.
const MOST: u32 = 600;

/// The values of the locals in sight.
pub(crate) struct Opened {
    sets: HashMap<u32, SetId>,
    ints: HashMap<u32, IntId>,
    left: u32,
}

impl Opened {
    /// With no local in sight.
    pub(crate) fn new() -> Opened {
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
    pub(crate) fn open_set(&mut self, id: SetId, o: &mut Opened) -> Option<SetId> {
        o.left = o.left.checked_sub(1)?;
        let mut op = self.op(id).clone();
        match op {
            SetOp::Local(l) => return Some(o.sets.get(&l).copied().unwrap_or(id)),
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
            _ if op.binds().is_some() || matches!(op, SetOp::After(..)) => {
                return (!o.names(self.info(id))).then_some(id);
            }
            _ => {}
        }
        let mut opened = Some(());
        op.each_mut(&mut |hole| opened = opened.and_then(|()| self.open_hole(hole, o)));
        opened.map(|()| self.set(op))
    }

    /// An integer without the locals that are bound in it; none where that is too much.
    pub(crate) fn open_int(&mut self, id: IntId, o: &mut Opened) -> Option<IntId> {
        o.left = o.left.checked_sub(1)?;
        let mut op = self.int_op(id).clone();
        match op {
            IntOp::Local(l) => return Some(o.ints.get(&l).copied().unwrap_or(id)),
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
            _ if op.binds().is_some() || matches!(op, IntOp::After(..)) => {
                return (!o.names(self.int_info(id))).then_some(id);
            }
            _ => {}
        }
        let mut opened = Some(());
        op.each_mut(&mut |hole| opened = opened.and_then(|()| self.open_hole(hole, o)));
        opened.map(|()| self.int(op))
    }

    fn open_hole(&mut self, hole: Hole<'_>, o: &mut Opened) -> Option<()> {
        match hole {
            Part::Set(set) => *set = self.open_set(*set, o)?,
            Part::Int(int) => *int = self.open_int(*int, o)?,
            Part::Block(_) | Part::After(_) => return None,
        }
        Some(())
    }
}
