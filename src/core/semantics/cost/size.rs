//! How many members domains have at most.

use super::super::tree::{
    BinaryOp, Builtin, Domain, Expr, ExprKind, LocalId, Pattern, Relation, Rules, TraitValues, WalkKind,
};
use super::super::types::Type;
use super::work::Loop;
use crate::board::DirGroup;
use crate::limits::LONGEST_RANGE;
use crate::source::Span;

/// Stands for the size of a range that may be longer than that.
pub(super) const UNBOUNDED: u64 = 1 << 33;

/// The least and the greatest value of a number, if they are known.
type Bounds = Option<(i64, i64)>;

/// Bounds of domains and numbers. The results for definitions are cached: without that, definitions that name others
/// twice would take exponential work.
pub(super) struct Sizes<'r> {
    rules: &'r Rules,
    /// How far a slide goes at most, about: a row or a column of a grid.
    pub longest: u64,
    members: Vec<Option<u64>>,
    bounds: Vec<Option<Bounds>>,
}

impl<'r> Sizes<'r> {
    pub fn new(rules: &'r Rules) -> Sizes<'r> {
        let longest = match rules.board.is_grid() {
            false => rules.board.len(),
            true => {
                let rows = rules.board.picture_rows();
                rows.iter().map(Vec::len).max().unwrap_or(0).max(rows.len())
            }
        };
        Sizes {
            rules,
            longest: longest as u64,
            members: vec![None; rules.defines.len()],
            bounds: vec![None; rules.defines.len()],
        }
    }

    pub fn sites(&self) -> u64 {
        (self.rules.board.len() as u64).max(1)
    }

    /// A loop over a domain.
    pub fn loop_of(&mut self, local: LocalId, domain: &Domain, span: Span) -> Loop {
        let name = self.rules.locals.get(local.0 as usize).map(|l| l.name.clone()).unwrap_or_default();
        let (size, span) = match domain {
            Domain::Range(a, b) => (self.range(a, b), a.span.to(b.span)),
            Domain::Sites(e) => (self.members(e), e.span),
            Domain::Kinds(e) => match &e.kind {
                ExprKind::Kinds(list) => (list.len() as u64, e.span),
                _ => (self.rules.kinds.len() as u64, e.span),
            },
            Domain::Players => (self.rules.players.len() as u64, span),
            Domain::Directions(group) => (group.most() as u64, span),
        };
        Loop { name, size: size.max(1), span }
    }

    fn range(&mut self, a: &Expr, b: &Expr) -> u64 {
        match (self.bounds(a), self.bounds(b)) {
            (Some((low, _)), Some((_, high))) => match u64::try_from(high - low + 1).unwrap_or(0) {
                n if n > u64::from(LONGEST_RANGE) => UNBOUNDED,
                n => n,
            },
            _ => UNBOUNDED,
        }
    }

    /// How large a number is at most, as far as that is less than some most.
    pub fn at_most(&mut self, e: &Expr, most: i64) -> u64 {
        self.bounds(e).map_or(most, |(_, high)| high.clamp(0, most)) as u64
    }

    /// The least and the greatest value of a number, if they are known.
    fn bounds(&mut self, e: &Expr) -> Bounds {
        let sites = self.sites() as i64;
        let clip = |n: i64| n.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
        Some(match &e.kind {
            ExprKind::Int(n) => (i64::from(*n), i64::from(*n)),
            ExprKind::Builtin(b, args) => match (b, &args[..]) {
                (Builtin::Count, _) => (0, sites.max(self.rules.kinds.len() as i64)),
                (Builtin::RowOf | Builtin::ColumnOf, _) => (0, sites),
                (Builtin::Height, _) => {
                    let kinds = self.rules.kinds.iter().map(|k| k.stack);
                    (0, kinds.chain(self.rules.stack()).max().map_or(1, i64::from))
                }
                (Builtin::Min, [a, b]) => match (self.bounds(a), self.bounds(b)) {
                    (Some(a), Some(b)) => (a.0.min(b.0), a.1.min(b.1)),
                    // The upper end is enough for a range up to it.
                    (Some(one), None) | (None, Some(one)) => (i64::from(i32::MIN), one.1),
                    (None, None) => return None,
                },
                (Builtin::Max, [a, b]) => match (self.bounds(a), self.bounds(b)) {
                    (Some(a), Some(b)) => (a.0.max(b.0), a.1.max(b.1)),
                    (Some(one), None) | (None, Some(one)) => (one.0, i64::from(i32::MAX)),
                    (None, None) => return None,
                },
                _ => return None,
            },
            ExprKind::Distance(..) => (0, sites),
            ExprKind::TraitOf(t, _) => match &self.rules.traits.get(*t)?.values {
                TraitValues::Ints(list) => {
                    let all = || list.iter().map(|n| i64::from(*n)).chain([0]);
                    (all().min()?, all().max()?)
                }
                _ => return None,
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                match op {
                    BinaryOp::Add => (clip(a.0 + b.0), clip(a.1 + b.1)),
                    BinaryOp::Subtract => (clip(a.0 - b.1), clip(a.1 - b.0)),
                    BinaryOp::Multiply => {
                        let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1].map(clip);
                        (all.into_iter().min()?, all.into_iter().max()?)
                    }
                    BinaryOp::Divide => {
                        let most = a.0.abs().max(a.1.abs());
                        (-most, most)
                    }
                    BinaryOp::Modulo => {
                        let most = b.0.abs().max(b.1.abs());
                        (if a.0 < 0 { -most } else { 0 }, most)
                    }
                    _ => return None,
                }
            }
            ExprKind::If(_, a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                (a.0.min(b.0), a.1.max(b.1))
            }
            ExprKind::State(s, _) => {
                let var = self.rules.state.get(*s)?;
                match var.shuffle {
                    Some((low, high)) if !var.assigned => (i64::from(low), i64::from(high)),
                    _ => return None,
                }
            }
            ExprKind::Call(f, _, _) => return self.bounds_of(*f),
            _ => return None,
        })
    }

    fn bounds_of(&mut self, f: usize) -> Bounds {
        if let Some(known) = self.bounds.get(f)? {
            return *known;
        }
        let bodies = &self.rules.defines.get(f)?.bodies;
        let all: Option<Vec<_>> = bodies.iter().map(|b| self.bounds(b)).collect();
        let found =
            all.and_then(|all| Some((all.iter().map(|b| b.0).min()?, all.iter().map(|b| b.1).max()?)));
        if let Some(place) = self.bounds.get_mut(f) {
            *place = Some(found);
        }
        found
    }

    fn members_of(&mut self, f: usize) -> u64 {
        if let Some(Some(known)) = self.members.get(f) {
            return *known;
        }
        let bodies = self.rules.defines.get(f).map(|f| &f.bodies[..]).unwrap_or_default();
        let found = bodies.iter().map(|b| self.members(b)).max().unwrap_or(self.sites());
        if let Some(place) = self.members.get_mut(f) {
            *place = Some(found);
        }
        found
    }

    /// How many sites a set has at most.
    fn members(&mut self, e: &Expr) -> u64 {
        let sites = self.sites();
        let found = match &e.kind {
            _ if matches!(e.ty, Type::Site | Type::SiteOpt) => 1,
            ExprKind::None => 0,
            ExprKind::Widen(inner) => match inner.ty {
                Type::Site | Type::SiteOpt => 1,
                _ => sites,
            },
            ExprKind::Binary(BinaryOp::Meet, a, b) => self.members(a).min(self.members(b)),
            ExprKind::Binary(BinaryOp::Minus, a, _) => self.members(a),
            ExprKind::Binary(BinaryOp::Union, a, b) => self.members(a) + self.members(b),
            ExprKind::Binary(BinaryOp::Otherwise, a, b) | ExprKind::If(_, a, b) => {
                self.members(a).max(self.members(b))
            }
            ExprKind::Where(_, domain, _) => match &**domain {
                Domain::Sites(e) => self.members(e),
                _ => sites,
            },
            ExprKind::Call(f, _, _) => self.members_of(*f),
            ExprKind::Follow { relation, converse: false, of } => {
                self.members(of).saturating_mul(self.reach(*relation))
            }
            _ => sites,
        };
        found.min(sites)
    }

    /// How many sites a relation reaches from one at most.
    fn reach(&self, relation: Relation) -> u64 {
        let sites = self.sites();
        match relation {
            Relation::Near if self.rules.board.is_grid() => 6,
            Relation::Near => sites,
            Relation::Named(r) => self.rules.relations.get(r).map_or(sites, |p| self.ends(&p.pattern)),
            Relation::Trait(t) => match self.rules.traits.get(t) {
                Some(of) if matches!(of.values, TraitValues::Patterns(_)) => {
                    of.patterns().map(|p| self.ends(p)).max().unwrap_or(0)
                }
                _ => sites,
            },
        }
    }

    fn ends(&self, pattern: &Pattern) -> u64 {
        let sites = self.sites();
        let dirs = |group: &DirGroup| group.most() as u64;
        let walk = |kind: &WalkKind, upto: Option<u32>| match kind {
            WalkKind::Leap(..) => 12,
            WalkKind::Step(group) => dirs(group),
            WalkKind::Slide(group) => dirs(group).saturating_mul(upto.map_or(self.longest, u64::from)),
            WalkKind::Walk(groups) => groups.iter().fold(1, |n: u64, g| n.saturating_mul(dirs(g))),
            WalkKind::Pairs(pairs) => pairs.len() as u64,
        };
        pattern.walks.iter().fold(0u64, |n, w| n.saturating_add(walk(&w.kind, w.upto))).min(sites)
    }
}
