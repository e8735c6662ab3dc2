//! Pattern traits: pieces that go each by its own kind's pattern, seen by its owner.

use super::facts::{Fact, Whose};
use super::state::{At, Lowerer, View};
use crate::board::DirGroup;
use crate::program::{IntId, IntOp, SetId, SetOp};
use crate::semantics::{Pattern, TraitValues, WalkKind};
use crate::syntax::ast::ClauseKind;

impl Lowerer<'_> {
    /// Pieces by their own patterns, each seen by its owner.
    pub(super) fn trait_(&mut self, t: usize, converse: bool, set: SetId, known: Fact, view: View) -> SetId {
        let rules = self.rules;
        let Some(TraitValues::Patterns(patterns)) = rules.traits.get(t).map(|t| &t.values) else {
            return self.b.empty();
        };
        let single = match self.b.op(set) {
            SetOp::Site(x) if !converse => Some(*x),
            _ => None,
        };
        let mut cases: Vec<(usize, SetId)> = Vec::new();
        let mut backwards: Vec<(SetId, SetId)> = Vec::new();
        for (k, pattern) in patterns.iter().enumerate() {
            let Some(pattern) = pattern.as_ref().filter(|p| !p.walks.is_empty()) else { continue };
            if known.kinds & 1 << k == 0 {
                continue;
            }
            let kind = self.b.num(k as i32);
            let of_kind = self.kind_set(kind);
            // On one site the kind is asked once, below.
            let kind_known = single.is_some() || known.kinds == 1 << k;
            let at = At::Trait(t, k);
            let mut part = self.b.empty();
            for (owner, of_owner) in self.owners(at, pattern, known, view) {
                let owner = View { me: owner, fresh: false };
                let here = if kind_known {
                    of_owner
                } else {
                    match of_owner {
                        Some(o) => Some(self.b.set(SetOp::And(of_kind, o))),
                        None => Some(of_kind),
                    }
                };
                let one = match (converse, here) {
                    (true, _) => {
                        let reached = self.pattern(at, true, set, owner);
                        let pieces = match of_owner {
                            Some(o) => self.b.set(SetOp::And(of_kind, o)),
                            None => of_kind,
                        };
                        backwards.push((pieces, reached));
                        continue;
                    }
                    (false, None) => self.pattern(at, false, set, owner),
                    (false, Some(here)) if single.is_some() => {
                        let reached = self.pattern(at, false, set, owner);
                        let (some, empty) = (self.b.int(IntOp::Meets(set, here)), self.b.empty());
                        self.b.set(SetOp::If(some, reached, empty))
                    }
                    (false, Some(here)) => {
                        let from = self.b.set(SetOp::And(set, here));
                        self.pattern(at, false, from, owner)
                    }
                };
                part = self.b.set(SetOp::Or(part, one));
            }
            cases.push((k, part));
        }
        if converse {
            return self.by_ray(backwards);
        }
        let Some(x) = single else {
            return self.b.any_of(cases.into_iter().map(|(_, part)| part));
        };
        // One site has one kind: only that kind's pattern is looked at.
        if known.kinds.count_ones() == 1 {
            return cases.first().map_or_else(|| self.b.empty(), |(_, part)| *part);
        }
        let kind = self.b.int(IntOp::KindAt(x));
        let empty = self.b.empty();
        let list = (0..rules.kinds.len())
            .map(|k| cases.iter().find(|(c, _)| *c == k).map_or(empty, |(_, part)| *part))
            .collect();
        self.b.set(SetOp::Switch(kind, list))
    }

    /// The pieces that reach a set, given the pieces of each way to reach it. Slides are taken apart by ray
    /// and put together again by the pieces that use them, so that no ray is followed twice.
    fn by_ray(&mut self, ways: Vec<(SetId, SetId)>) -> SetId {
        type Way = (SetId, SetId, Option<SetId>);
        let mut plain: Vec<SetId> = Vec::new();
        let mut by_ray: Vec<(u32, Way, SetId)> = Vec::new();
        let mut queue = ways;
        while let Some((pieces, reached)) = queue.pop() {
            if !self.b.work.take(1) {
                break;
            }
            match self.b.op(reached).clone() {
                SetOp::Or(a, b) => queue.extend([(pieces, a), (pieces, b)]),
                SetOp::Slide { rays, from, through, over } => {
                    for ray in rays {
                        let way = (from, through, over);
                        match by_ray.iter_mut().find(|(r, w, _)| *r == ray && *w == way) {
                            Some((_, _, all)) => *all = self.b.set(SetOp::Or(*all, pieces)),
                            None => by_ray.push((ray, way, pieces)),
                        }
                    }
                }
                _ => plain.push(self.b.set(SetOp::And(pieces, reached))),
            }
        }
        let mut groups: Vec<(Vec<u32>, Way, SetId)> = Vec::new();
        by_ray.sort_by_key(|(ray, ..)| *ray);
        for (ray, way, pieces) in by_ray {
            match groups.iter_mut().find(|(_, w, p)| *w == way && *p == pieces) {
                Some((rays, _, _)) => rays.push(ray),
                None => groups.push((vec![ray], way, pieces)),
            }
        }
        // Tables first: they are cheaper than slides, and a test may stop at the first hit.
        let mut parts = plain;
        for (rays, (from, through, over), pieces) in groups {
            let reached = self.b.set(SetOp::Slide { rays: rays.into_boxed_slice(), from, through, over });
            parts.push(self.b.set(SetOp::And(pieces, reached)));
        }
        self.b.any_of(parts)
    }

    /// The owners from whose view a pattern is to be followed, and the set of their pieces where it must be
    /// asked for.
    fn owners(&mut self, at: At, pattern: &Pattern, known: Fact, view: View) -> Vec<(IntId, Option<SetId>)> {
        let players = self.rules.players.len();
        let owned = self.b.pieces.owner_base.is_some();
        let neutral = self.b.pieces.neutral;
        if !owned {
            return vec![(view.me, None)];
        }
        match known.whose {
            Some(Whose::Mine) => return vec![(view.me, None)],
            Some(Whose::Theirs) => return vec![(self.opponent(view.me), None)],
            None => {}
        }
        if !self.depends_on_view(at, pattern) {
            return vec![(view.me, None)];
        }
        let mut list = Vec::new();
        if players == 2 {
            let other = self.opponent(view.me);
            for p in [view.me, other] {
                list.push((p, Some(self.pieces_of(p))));
            }
        } else {
            for p in 0..players {
                let p = self.b.num(p as i32);
                list.push((p, Some(self.pieces_of(p))));
            }
        }
        if neutral {
            let base = self.b.pieces.owner_base.unwrap_or(0);
            list.push((view.me, Some(self.b.set(SetOp::Layer((base + players) as u32)))));
        }
        list
    }

    /// Whether a pattern looks different to different players; yes in doubt.
    fn depends_on_view(&mut self, at: At, pattern: &Pattern) -> bool {
        let players = self.rules.players.len();
        pattern.walks.iter().enumerate().any(|(i, w)| {
            let dirs = match &w.kind {
                WalkKind::Step(d) | WalkKind::Slide(d) => matches!(d, DirGroup::PerPlayer(_)),
                WalkKind::Walk(list) => list.iter().any(|d| matches!(d, DirGroup::PerPlayer(_))),
                WalkKind::Leap(..) | WalkKind::Pairs(_) => false,
            };
            let clauses = [
                (ClauseKind::Through, &w.through),
                (ClauseKind::Over, &w.over),
                (ClauseKind::Onto, &w.onto),
                (ClauseKind::Leaving, &w.leaving),
            ];
            dirs || clauses.into_iter().filter_map(|(kind, e)| Some((kind, e.as_ref()?))).any(|(kind, e)| {
                let mut seen = (0..players).map(|p| {
                    let me = self.b.num(p as i32);
                    self.clause((at, i, kind), e, View { me, fresh: false })
                });
                let first = seen.next();
                seen.any(|s| Some(s) != first)
            })
        })
    }
}
