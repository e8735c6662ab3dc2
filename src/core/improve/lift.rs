//! Conditions on a site turned into sets: `{x in S : c}` without a loop.
//!
//! A condition is *lifted* over a local `x` by asking for the set of all sites for which it holds. Sets that
//! depend on `x` are seen as unions of terms `A & R(x)`: `A` does not depend on `x`, `R` is a relation that
//! is the same in every position. Then
//!
//! ```text
//! some (A & R(x))   holds for   ~R(A)           a few shifts of A
//! x in S            holds for   S
//! c(x) and d(x)     holds for   both
//! ```
//!
//! Runs along rays are lifted too (`runs`).
//!
//! A second relation `T` may follow, over sites of `A` only: where at most one site leads to each, the site
//! before `y` is known from `y`, so `T(A & R(x))` is the term `T(A) & T(R(x))`. A jump over the piece between is two
//! steps of this kind.
//!
//! A second local `y` may always be at the same distance from `x` (one translation of a leap, say). Then a condition
//! on `y` is one on `x` too, so a rule about both ends of a move becomes set algebra on its origins. A condition that
//! cannot be lifted stays a loop.

use std::collections::HashMap;

use super::builder::{Builder, Info, MAX_SHIFTS, SET_LOCAL, key, shifts};
use super::{Node, Pass};
use crate::ids::Site;
use crate::program::{Binary, Domain, IntId, IntOp, SetId, SetOp, Unary};
use crate::siteset::SiteSet;

/// The most steps of lifting one condition.
const MAX_STEPS: u32 = 400;

/// The most terms of a union that still beat a loop.
const MAX_TERMS: usize = 6;

/// `A & R(x)`.
#[derive(Clone)]
struct Term {
    /// The part that does not depend on `x`; none for all sites.
    fixed: Option<SetId>,
    /// The sites related to each site; none to a hole of the board.
    rows: Vec<SiteSet>,
}

/// The locals over which a condition is lifted.
pub(crate) struct Over {
    /// The local `x`.
    pub(crate) x: u32,
    /// Locals at a fixed difference of site numbers from `x`.
    pub(crate) shifted: Vec<(u32, i32)>,
    /// The locals bound around that depend on `x`, by their [`key`].
    values: HashMap<u32, Node>,
    /// The steps that are left.
    left: u32,
}

impl Over {
    /// Over `x` alone, or with others at fixed differences from it.
    pub(crate) fn new(x: u32, shifted: Vec<(u32, i32)>) -> Over {
        Over { x, shifted, values: HashMap::new(), left: MAX_STEPS }
    }
}

impl Builder {
    fn sites(&self) -> Vec<Site> {
        self.all.iter().map(|s| Site(s as u16)).collect()
    }

    /// Whether a node depends on the locals over which it is lifted.
    pub(super) fn depends(&self, info: &Info, over: &Over) -> bool {
        info.runs
            || info.free.contains(&over.x)
            || over.shifted.iter().any(|(l, _)| info.free.contains(l))
            || over.values.keys().any(|l| info.free.contains(l))
    }

    /// The sites `x` for which a condition holds; none if it cannot be said without a loop.
    pub(crate) fn lift(&mut self, cond: IntId, over: &mut Over) -> Option<SetId> {
        over.left = over.left.checked_sub(1).filter(|_| self.passes.has(Pass::Lift))?;
        if !self.depends(self.int_info(cond), over) {
            let (all, empty) = (self.all_sites(), self.empty());
            return Some(self.set(SetOp::If(cond, all, empty)));
        }
        if let Some(set) = self.known_beforehand(cond, over).or_else(|| self.before_runs(cond, over)) {
            return Some(set);
        }
        match self.int_op(cond).clone() {
            IntOp::And(a, b) => {
                let (a, b) = (self.lift(a, over)?, self.lift(b, over)?);
                Some(self.set(SetOp::And(a, b)))
            }
            IntOp::Or(a, b) => {
                let (a, b) = (self.lift(a, over)?, self.lift(b, over)?);
                Some(self.set(SetOp::Or(a, b)))
            }
            IntOp::Unary(Unary::Not, a) => {
                let a = self.lift(a, over)?;
                Some(self.set(SetOp::Not(a)))
            }
            IntOp::Some(s) => {
                let terms = self.terms(s, over)?;
                self.hit(&terms)
            }
            IntOp::Meets(a, b) => {
                let (a, b) = (self.terms(a, over)?, self.terms(b, over)?);
                let both = self.product(&a, &b)?;
                self.hit(&both)
            }
            IntOp::Has(s, y) => {
                let at = self.place(y, over)?;
                let terms = self.terms(s, over)?;
                let mut out = self.empty();
                for t in &terms {
                    // The sites whose place is related to them, and those whose place lies in the set.
                    let related: SiteSet = self
                        .sites()
                        .iter()
                        .filter(|x| at(x.index()).is_some_and(|y| t.rows[x.index()].contains(y)))
                        .copied()
                        .collect();
                    let related = self.constant(related);
                    let part = match t.fixed {
                        None => related,
                        Some(fixed) => {
                            let rows = self.rows_of(|x| at(x).map_or(SiteSet::EMPTY, SiteSet::one));
                            let within = self.preimage(&rows, fixed)?;
                            self.set(SetOp::And(within, related))
                        }
                    };
                    out = self.set(SetOp::Or(out, part));
                }
                Some(out)
            }
            IntOp::Binary(Binary::Eq, a, b) => {
                // The one site that it is compared with.
                let x = self.int(IntOp::Local(over.x));
                let other = if a == x { b } else { a };
                let alone = (a == x || b == x) && !self.depends(self.int_info(other), over);
                alone.then(|| self.set(SetOp::Site(other)))
            }
            IntOp::Any { local, domain: Domain::Set(d), cond } => {
                // Some member of `D(x)` that passes a test of its own.
                if self.depends(self.int_info(cond), over) {
                    return None;
                }
                let test = self.lift(cond, &mut Over::new(local, Vec::new()))?;
                let terms = self.terms(d, over)?;
                let test = vec![Term { fixed: Some(test), rows: self.alike(self.all) }];
                let both = self.product(&terms, &test)?;
                self.hit(&both)
            }
            IntOp::LetSet { local, body, .. } | IntOp::LetInt { local, body, .. } => {
                let (bound, value, _) = self.let_of(cond.into())?;
                if self.depends(self.node_info(value), over) {
                    over.values.insert(key(bound), value);
                    return self.lift(body, over);
                }
                let body = self.lift(body, over)?;
                let wrapped = self.wrap(body.into(), [(local, value)]);
                Some(self.set_of(wrapped))
            }
            _ => None,
        }
    }

    /// The sites for which a condition on places alone holds.
    fn known_beforehand(&mut self, cond: IntId, over: &Over) -> Option<SetId> {
        let info = self.int_info(cond);
        let known = |l: &u32| *l == over.x || over.shifted.iter().any(|(s, _)| s == l);
        if info.reads || info.runs || !info.free.iter().all(known) {
            return None;
        }
        let mut sites = SiteSet::EMPTY;
        for x in self.sites() {
            let mut locals = vec![(over.x, x.0 as i32)];
            for (l, d) in &over.shifted {
                let y = x.0 as i32 + d;
                let there = usize::try_from(y).is_ok_and(|y| self.all.contains(y));
                locals.push((*l, if there { y } else { -1 }));
            }
            if self.eval_with(cond, &locals)? != 0 {
                sites.insert(x.index());
            }
        }
        Some(self.constant(sites))
    }

    /// The place that an integer is for each `x`.
    fn place(&self, y: IntId, over: &Over) -> Option<impl Fn(usize) -> Option<usize> + use<>> {
        let by = match self.int_op(y) {
            IntOp::Local(l) if *l == over.x => 0,
            IntOp::Local(l) => match over.shifted.iter().find(|(s, _)| s == l) {
                Some((_, d)) => *d,
                None => match over.values.get(l)? {
                    Node::Int(value) => match self.int_op(*value) {
                        IntOp::Local(l) if *l == over.x => 0,
                        IntOp::Local(l) => over.shifted.iter().find(|(s, _)| s == l)?.1,
                        _ => return None,
                    },
                    Node::Set(_) => return None,
                },
            },
            _ => return None,
        };
        let all = self.all;
        Some(move |x: usize| {
            let y = usize::try_from(x as i32 + by).ok()?;
            all.contains(y).then_some(y)
        })
    }

    /// A row for each site that exists; where the board has a hole nothing is related.
    fn rows_of(&self, row: impl Fn(usize) -> SiteSet) -> Vec<SiteSet> {
        (0..self.sites).map(|x| if self.all.contains(x) { row(x) } else { SiteSet::EMPTY }).collect()
    }

    /// The same row for each site.
    fn alike(&self, row: SiteSet) -> Vec<SiteSet> {
        self.rows_of(|_| row)
    }

    /// A set that depends on `x`, as a union of terms.
    fn terms(&mut self, set: SetId, over: &mut Over) -> Option<Vec<Term>> {
        over.left = over.left.checked_sub(1)?;
        if !self.depends(self.info(set), over) {
            return Some(match self.set_const_of(set) {
                Some(s) => vec![Term { fixed: None, rows: self.alike(s) }],
                None => vec![Term { fixed: Some(set), rows: self.alike(self.all) }],
            });
        }
        match self.op(set).clone() {
            SetOp::Site(y) => {
                let at = self.place(y, over)?;
                Some(vec![Term {
                    fixed: None,
                    rows: self.rows_of(|x| at(x).map_or(SiteSet::EMPTY, SiteSet::one)),
                }])
            }
            SetOp::Row { relation, site } => {
                let at = self.place(site, over)?;
                let table = self.relations.get(relation as usize)?.1.clone();
                let rows =
                    self.rows_of(|x| at(x).and_then(|y| table.get(y)).copied().unwrap_or(SiteSet::EMPTY));
                Some(vec![Term { fixed: None, rows }])
            }
            SetOp::Image { relation, of } => {
                let table = self.relations.get(relation as usize)?.1.clone();
                let mut terms = self.terms(of, over)?;
                let one_way = one_way(&table);
                for t in &mut terms {
                    // Where at most one site leads to each, `S(A & R(x))` is `S(A) & S(R(x))`.
                    if let Some(fixed) = t.fixed {
                        if !one_way {
                            return None;
                        }
                        t.fixed = Some(self.set(SetOp::Image { relation, of: fixed }));
                    }
                    t.rows = t
                        .rows
                        .iter()
                        .map(|r| {
                            r.iter().fold(SiteSet::EMPTY, |out, s| {
                                out | table.get(s).copied().unwrap_or(SiteSet::EMPTY)
                            })
                        })
                        .collect();
                }
                Some(terms)
            }
            SetOp::And(a, b) => {
                let (a, b) = (self.terms(a, over)?, self.terms(b, over)?);
                self.product(&a, &b)
            }
            SetOp::Or(a, b) => {
                let (mut a, b) = (self.terms(a, over)?, self.terms(b, over)?);
                a.extend(b);
                (a.len() <= MAX_TERMS).then_some(a)
            }
            SetOp::Sub(a, b) => {
                let mut terms = self.terms(a, over)?;
                if !self.depends(self.info(b), over) {
                    for t in &mut terms {
                        let fixed = t.fixed.unwrap_or_else(|| self.all_sites());
                        t.fixed = Some(self.set(SetOp::Sub(fixed, b)));
                    }
                    return Some(terms);
                }
                self.less_terms(terms, b, over)
            }
            SetOp::Not(a) => {
                let all = Term { fixed: None, rows: self.alike(self.all) };
                self.less_terms(vec![all], a, over)
            }
            SetOp::Local(l) => match *over.values.get(&(l | SET_LOCAL))? {
                Node::Set(value) => self.terms(value, over),
                Node::Int(_) => None,
            },
            SetOp::LetSet { local, value, body } if self.depends(self.info(value), over) => {
                over.values.insert(local | SET_LOCAL, value.into());
                self.terms(body, over)
            }
            _ => None,
        }
    }

    /// Some terms less those of a set, which must be the same in every position.
    fn less_terms(&mut self, mut terms: Vec<Term>, set: SetId, over: &mut Over) -> Option<Vec<Term>> {
        for less in self.terms(set, over)? {
            if less.fixed.is_some() {
                return None;
            }
            for t in &mut terms {
                t.rows = t.rows.iter().zip(&less.rows).map(|(a, b)| *a - *b).collect();
            }
        }
        Some(terms)
    }

    fn product(&mut self, a: &[Term], b: &[Term]) -> Option<Vec<Term>> {
        if a.len() * b.len() > MAX_TERMS {
            return None;
        }
        let mut out = Vec::new();
        for s in a {
            for t in b {
                let fixed = match (s.fixed, t.fixed) {
                    (Some(x), Some(y)) => Some(self.set(SetOp::And(x, y))),
                    (x, y) => x.or(y),
                };
                let rows = s.rows.iter().zip(&t.rows).map(|(x, y)| *x & *y).collect();
                out.push(Term { fixed, rows });
            }
        }
        Some(out)
    }

    /// The sites `x` for which some term has a member.
    fn hit(&mut self, terms: &[Term]) -> Option<SetId> {
        let mut out = self.empty();
        for t in terms {
            let part = match t.fixed {
                None => {
                    let sites = self.sites().into_iter().filter(|x| !t.rows[x.index()].is_empty()).collect();
                    self.constant(sites)
                }
                Some(fixed) => self.preimage(&t.rows, fixed)?,
            };
            out = self.set(SetOp::Or(out, part));
        }
        Some(out)
    }

    /// The sites `x` whose row meets a set: the set followed backwards, if that is a few shifts.
    pub(crate) fn preimage(&mut self, rows: &[SiteSet], set: SetId) -> Option<SetId> {
        let mut back = vec![SiteSet::EMPTY; self.sites];
        for (x, row) in rows.iter().enumerate() {
            for y in row.iter() {
                if let Some(r) = back.get_mut(y) {
                    r.insert(x);
                }
            }
        }
        let identity = back.iter().enumerate().all(|(x, r)| *r == (SiteSet::one(x) & self.all));
        if identity {
            return Some(set);
        }
        shifts(&back)?;
        let relation = self.relation_of_rows("lifted", back);
        Some(self.set(SetOp::Image { relation, of: set }))
    }

    /// The differences of site numbers over which a set that depends on `x` reaches, each with the part of
    /// the set that lies there: `y` is in the set if and only if, for `d = y - x`, `x` is in the part of `d`.
    pub(crate) fn by_difference(&mut self, set: SetId, x: u32) -> Option<Vec<(i32, SetId)>> {
        let mut over = Over::new(x, Vec::new());
        let mut out: Vec<(i32, SetId)> = Vec::new();
        for term in self.terms(set, &mut over)? {
            for (by, part) in self.differences(&term)? {
                match out.iter_mut().find(|(d, _)| *d == by) {
                    Some((_, parts)) => *parts = self.set(SetOp::Or(*parts, part)),
                    None => out.push((by, part)),
                }
            }
        }
        (out.len() <= MAX_SHIFTS).then_some(out)
    }

    /// The same of one term.
    fn differences(&mut self, term: &Term) -> Option<Vec<(i32, SetId)>> {
        let mut out = Vec::new();
        for (by, from) in shifts(&term.rows)? {
            let part = match term.fixed {
                None => self.constant(from),
                Some(fixed) => {
                    let end = |x: usize| SiteSet::one((x as i32 + by) as usize);
                    let rows = self.rows_of(|x| if from.contains(x) { end(x) } else { SiteSet::EMPTY });
                    self.preimage(&rows, fixed)?
                }
            };
            out.push((by, part));
        }
        Some(out)
    }

    /// Members of a set whose condition is lifted as far as it can be.
    pub(crate) fn sift(&mut self, local: u32, domain: SetId, cond: IntId) -> SetId {
        if let IntOp::And(a, b) = *self.int_op(cond) {
            let first = self.sift(local, domain, a);
            return self.sift(local, first, b);
        }
        match self.lift(cond, &mut Over::new(local, Vec::new())) {
            Some(set) => self.set(SetOp::And(domain, set)),
            None => self
                .unpinned(local, domain, cond)
                .or_else(|| self.witnessed(local, domain, cond))
                .unwrap_or_else(|| self.set(SetOp::Filter { local, domain, cond })),
        }
    }
}

/// Whether at most one site leads to each.
fn one_way(rows: &[SiteSet]) -> bool {
    let mut reached = SiteSet::EMPTY;
    rows.iter().all(|row| {
        let new = (reached & *row).is_empty();
        reached = reached | *row;
        new
    })
}
