//! Expressions of integers.

use super::eval::Eval;
use super::relation;
use crate::program::{IntId, IntOp};

impl<const W: usize> Eval<'_, W> {
    /// The value of an expression of an integer. Never fails: arithmetic saturates, what lies outside
    /// has the value that the program states.
    pub fn int(&mut self, pos: &[u64], id: IntId) -> i32 {
        let program = self.program;
        match &program.ints[id.0 as usize] {
            IntOp::Const(value) => *value,
            IntOp::Local(local) => self.frame.ints[*local as usize],
            IntOp::Slot(slot) => self.slot(pos, *slot as usize),
            IntOp::SlotRow { base, count, index, missing } => match self.index(pos, *index, *count) {
                Some(index) => self.slot(pos, *base as usize + index),
                None => *missing,
            },
            IntOp::Dealt { base, count, index, missing } => self
                .index(pos, *index, *count)
                .and_then(|index| self.deal.get(*base as usize + index))
                .copied()
                .unwrap_or(*missing),
            IntOp::Lookup { table, index, missing } => {
                let index = self.int(pos, *index);
                usize::try_from(index)
                    .ok()
                    .and_then(|index| program.tables[*table as usize].get(index))
                    .copied()
                    .unwrap_or(*missing)
            }
            IntOp::Add(a, b) => self.int(pos, *a).saturating_add(self.int(pos, *b)),
            IntOp::Sub(a, b) => self.int(pos, *a).saturating_sub(self.int(pos, *b)),
            IntOp::Mul(a, b) => self.int(pos, *a).saturating_mul(self.int(pos, *b)),
            IntOp::Div(a, b) => match (self.int(pos, *a), self.int(pos, *b)) {
                (_, 0) => 0,
                (a, b) => a.saturating_div(b),
            },
            IntOp::Rem(a, b) => match (self.int(pos, *a), self.int(pos, *b)) {
                (_, 0) => 0,
                (a, b) => a.wrapping_rem(b),
            },
            IntOp::Min(a, b) => self.int(pos, *a).min(self.int(pos, *b)),
            IntOp::Max(a, b) => self.int(pos, *a).max(self.int(pos, *b)),
            IntOp::Abs(a) => self.int(pos, *a).saturating_abs(),
            IntOp::BitAnd(a, b) => self.int(pos, *a) & self.int(pos, *b),
            IntOp::BitOr(a, b) => self.int(pos, *a) | self.int(pos, *b),
            IntOp::BitSub(a, b) => self.int(pos, *a) & !self.int(pos, *b),
            IntOp::Bit(a) => {
                u32::try_from(self.int(pos, *a)).ok().and_then(|bit| 1i32.checked_shl(bit)).unwrap_or(0)
            }
            IntOp::BitCount(a) => self.int(pos, *a).count_ones() as i32,
            IntOp::BitFirst(a) => match self.int(pos, *a) {
                0 => -1,
                mask => mask.trailing_zeros() as i32,
            },
            IntOp::Eq(a, b) => i32::from(self.int(pos, *a) == self.int(pos, *b)),
            IntOp::Lt(a, b) => i32::from(self.int(pos, *a) < self.int(pos, *b)),
            IntOp::Le(a, b) => i32::from(self.int(pos, *a) <= self.int(pos, *b)),
            IntOp::And(a, b) => i32::from(self.int(pos, *a) != 0 && self.int(pos, *b) != 0),
            IntOp::Or(a, b) => i32::from(self.int(pos, *a) != 0 || self.int(pos, *b) != 0),
            IntOp::Not(a) => i32::from(self.int(pos, *a) == 0),
            IntOp::If(cond, a, b) => {
                let chosen = if self.int(pos, *cond) != 0 { *a } else { *b };
                self.int(pos, chosen)
            }
            IntOp::Switch(index, cases, missing) => match self.index(pos, *index, cases.len() as u32) {
                Some(index) => self.int(pos, cases[index]),
                None => *missing,
            },
            IntOp::Count(set) => self.set(pos, *set).count() as i32,
            IntOp::Some(set) => i32::from(!self.set(pos, *set).is_empty()),
            IntOp::Meets(a, b) => {
                let first = self.set(pos, *a);
                i32::from(!first.is_empty() && !(first & self.set(pos, *b)).is_empty())
            }
            IntOp::Same(a, b) => i32::from(self.set(pos, *a) == self.set(pos, *b)),
            IntOp::First(set) => self.set(pos, *set).first().map_or(-1, |site| site as i32),
            IntOp::Only(set) => {
                let set = self.set(pos, *set);
                match set.first() {
                    Some(site) if set.count() == 1 => site as i32,
                    _ => -1,
                }
            }
            IntOp::Has(set, site) => {
                let site = self.int(pos, *site);
                match self.site(site) {
                    Some(site) => i32::from(self.set(pos, *set).contains(site)),
                    None => 0,
                }
            }
            IntOp::KindAt(site) => {
                let site = self.int(pos, *site);
                self.site(site).map_or(-1, |site| self.kind_at(pos, site))
            }
            IntOp::OwnerAt(site) => {
                let site = self.int(pos, *site);
                self.site(site).map_or(-1, |site| self.owner_at(pos, site))
            }
            IntOp::HeightAt(site) => {
                let site = self.int(pos, *site);
                self.site(site).map_or(0, |site| self.height_at(pos, site))
            }
            IntOp::Distance { relation, from, to } => {
                let ends = (self.int(pos, *from), self.int(pos, *to));
                match (self.site(ends.0), self.site(ends.1)) {
                    (Some(from), Some(to)) => relation::distance::<W>(self.relation(*relation), from, to),
                    _ => None,
                }
                .unwrap_or_else(|| self.all.count() as i32)
            }
            IntOp::Any { local, domain, cond } => {
                for member in self.members(pos, *domain) {
                    self.int_local(*local, member);
                    if self.int(pos, *cond) != 0 {
                        return 1;
                    }
                }
                0
            }
            IntOp::Sum { local, domain, body } => {
                let mut sum = 0i32;
                for member in self.members(pos, *domain) {
                    self.int_local(*local, member);
                    sum = sum.saturating_add(self.int(pos, *body));
                }
                sum
            }
            IntOp::LetSet { local, value, body } => {
                let value = self.set(pos, *value);
                self.set_local(*local, value);
                self.int(pos, *body)
            }
            IntOp::LetInt { local, value, body } => {
                let value = self.int(pos, *value);
                self.int_local(*local, value);
                self.int(pos, *body)
            }
            IntOp::After(block, value) => self.after(pos, *block, |eval, copy| eval.int(copy, *value)),
        }
    }
}
