//! Relations and patterns: tables where they are the same in every position, set operations where not.

use std::rc::Rc;

use super::facts::Fact;
use super::state::{At, Lowerer, Source, View};
use crate::board::{DirGroup, RayOrder, Relation as Board};
use crate::ids::{Dir, Site};
use crate::limits::LOAD_STEPS;
use crate::program::{IntOp, Order, SetId, SetOp};
use crate::semantics::{Expr, ExprKind, Pattern, Relation, Steps, TraitValues, Type, Walk, WalkKind};
use crate::siteset::SiteSet;
use crate::syntax::ast::ClauseKind;

/// A relation's table: the same for all players, or one for each.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Tables {
    /// The same for all.
    One(u32),
    /// One for each player.
    Each(Vec<u32>),
}

impl<'r> Lowerer<'r> {
    /// A table, made once.
    fn table(&mut self, name: &str, relation: &Board) -> u32 {
        let rows: Vec<SiteSet> = (0..self.b.sites).map(|s| relation.of(Site(s as u16))).collect();
        self.b.relation_of_rows(name, rows)
    }

    /// The table of one step in a direction.
    pub(super) fn step_table(&mut self, dir: Dir) -> u32 {
        let board = self.rules.board.clone();
        let name = board.directions().get(dir.index()).map_or("step", |d| d.name.as_str());
        self.table(name, &board.steps(&[dir]))
    }

    /// The table of one step in any of some directions, or of one back.
    fn steps_table(&mut self, dirs: &[Dir], converse: bool) -> u32 {
        let step = self.rules.board.steps(dirs);
        let step = if converse { step.converse() } else { step };
        self.table("step", &step)
    }

    /// The rays in a direction, cut to so many steps.
    pub(super) fn ray_table(&mut self, dir: Dir, upto: Option<u32>) -> u32 {
        let key = format!("ray {} {upto:?}", dir.0);
        if let Some(t) = self.tables.get(&key) {
            return *t;
        }
        let board = self.rules.board.clone();
        let rays = board.rays(dir);
        let order = match rays.order() {
            RayOrder::Ascending => Order::Ascending,
            RayOrder::Descending => Order::Descending,
            RayOrder::Mixed => Order::Mixed,
        };
        let most = upto.map_or(usize::MAX, |n| n as usize);
        let each = || (0..board.len()).map(|s| Site(s as u16));
        let beyond: Vec<SiteSet> = each().map(|s| rays.mask(s)).collect();
        let lengths = each().map(|s| 1 + rays.ray(s).len() as u64);
        self.b.work.take(lengths.sum());
        let reach = each().map(|s| rays.ray(s).iter().copied().take(most).collect()).collect();
        let lists = if order == Order::Mixed {
            each().map(|s| rays.ray(s).iter().take(most).map(|s| s.0).collect()).collect()
        } else {
            Vec::new()
        };
        let mut name = board.directions().get(dir.index()).map_or_else(String::new, |d| d.name.clone());
        if let Some(n) = upto {
            name += &format!(" upto {n}");
        }
        self.b.rays.push(crate::improve::Rays { name, order, reach, beyond, lists });
        let t = self.b.rays.len() as u32 - 1;
        self.tables.insert(key, t);
        t
    }

    /// The pattern that stands somewhere, and its name.
    fn pattern_at(&self, at: At) -> Option<(&'r str, &'r Pattern)> {
        let rules = self.rules;
        match at {
            At::Relation(r) => rules.relations.get(r).map(|r| (r.name.as_str(), &r.pattern)),
            At::Trait(t, k) => {
                let t = rules.traits.get(t)?;
                let TraitValues::Patterns(list) = &t.values else { return None };
                Some((t.name.as_str(), list.get(k)?.as_ref()?))
            }
        }
    }

    /// Whether a relation is the same in every position.
    pub(super) fn relation_is_fixed(&mut self, relation: Relation) -> bool {
        match relation {
            Relation::Near => true,
            Relation::Trait(_) => false,
            Relation::Named(r) => {
                let Some((_, pattern)) = self.pattern_at(At::Relation(r)) else { return false };
                let walks = 0..pattern.walks.len();
                let mut of = (0..self.rules.players.len()).flat_map(|p| walks.clone().map(move |i| (i, p)));
                of.all(|(i, player)| self.fixed_walk(At::Relation(r), i, player).is_some())
            }
        }
    }

    /// The tables of a relation that is the same in every position; walks that are not are left out.
    pub(super) fn relation_table(&mut self, Steps { relation, converse }: Steps) -> Tables {
        if let Relation::Named(r) = relation
            && let Some((name, pattern)) = self.pattern_at(At::Relation(r))
        {
            let walks: Vec<usize> = (0..pattern.walks.len()).collect();
            return self.tables_of(At::Relation(r), name, &walks, converse);
        }
        let near = self.rules.board.near();
        let near = if converse { near.converse() } else { near };
        Tables::One(self.table("near", &near))
    }

    /// The tables of some walks of a pattern.
    fn tables_of(&mut self, at: At, name: &str, walks: &[usize], converse: bool) -> Tables {
        self.table_for_each(name, converse, |l, player| {
            let mut whole = Board::empty(l.b.sites);
            for i in walks {
                if let Some(r) = l.fixed_walk(at, *i, player) {
                    whole = whole.union(&r);
                }
            }
            whole
        })
    }

    fn table_for_each(
        &mut self,
        name: &str,
        converse: bool,
        of: impl Fn(&mut Self, usize) -> Board,
    ) -> Tables {
        let mut list: Vec<u32> = Vec::new();
        for p in 0..self.rules.players.len() {
            let whole = of(self, p);
            let whole = if converse { whole.converse() } else { whole };
            list.push(self.table(name, &whole));
        }
        match list.first() {
            Some(first) if list.iter().all(|t| t == first) => Tables::One(*first),
            _ => Tables::Each(list),
        }
    }

    /// The set of a clause of a walk.
    pub(super) fn clause(&mut self, at: (At, usize, ClauseKind), e: &Expr, view: View) -> SetId {
        let value = self.once(Source::Clause(at), Vec::new(), view, |l| l.set(e, view).into());
        self.b.set_of(value)
    }

    /// A walk as seen by a player, if it is the same in every position. Found once: clauses follow relations
    /// whose clauses follow others.
    fn fixed_walk(&mut self, at: At, i: usize, player: usize) -> Option<Rc<Board>> {
        if let Some(known) = self.walks.get(&(at, i, player)) {
            return known.clone();
        }
        let found = self.find_walk(at, i, player).map(Rc::new);
        self.walks.insert((at, i, player), found.clone());
        found
    }

    fn find_walk(&mut self, at: At, i: usize, player: usize) -> Option<Board> {
        let board = self.rules.board.clone();
        let walk = self.pattern_at(at)?.1.walks.get(i)?;
        self.b.work.take(board.len() as u64);
        let me = self.b.num(player as i32);
        let view = View { me, fresh: false };
        let mut clause = |kind: ClauseKind, e: &Option<Expr>| -> Option<Option<SiteSet>> {
            match e {
                None => Some(None),
                Some(e) => {
                    let set = self.clause((at, i, kind), e, view);
                    self.b.set_const_of(set).map(Some)
                }
            }
        };
        let through = clause(ClauseKind::Through, &walk.through)?;
        let over = clause(ClauseKind::Over, &walk.over)?;
        let (onto, leaving) =
            (clause(ClauseKind::Onto, &walk.onto)?, clause(ClauseKind::Leaving, &walk.leaving)?);
        if over.is_some() {
            return None;
        }
        let mut relation = match &walk.kind {
            WalkKind::Slide(dirs) => {
                let through = through?;
                let mut r = Board::empty(board.len());
                for d in dirs.of(player) {
                    let rays = board.rays(*d);
                    for s in board.sites() {
                        for t in rays.slide(s, &through, walk.upto).iter() {
                            r.insert(s, Site(t as u16));
                        }
                    }
                }
                r
            }
            WalkKind::Walk(groups) if walk.through.is_some() => {
                let through = through?;
                let steps: Vec<Board> = groups.iter().map(|g| board.steps(g.of(player))).collect();
                let ends = |s: Site| {
                    let mut at = SiteSet::one(s.index());
                    for (i, step) in steps.iter().enumerate() {
                        at = step.image(&if i == 0 { at } else { at & through });
                    }
                    at
                };
                let pairs = board
                    .sites()
                    .flat_map(|s| ends(s).iter().map(move |t| (s, Site(t as u16))).collect::<Vec<_>>());
                Board::from_pairs(board.len(), pairs)
            }
            _ => self.walk_table(walk, player)?,
        };
        if onto.is_some() || leaving.is_some() {
            let keep = |(f, t): &(Site, Site)| {
                leaving.is_none_or(|l| l.contains(f.index())) && onto.is_none_or(|o| o.contains(t.index()))
            };
            relation = Board::from_pairs(board.len(), relation.pairs().filter(keep).collect::<Vec<_>>());
        }
        Some(relation)
    }

    /// Where a leap, step, walk or list of pairs leads, its clauses left aside.
    fn walk_table(&mut self, walk: &Walk, player: usize) -> Option<Board> {
        let board = &self.rules.board;
        self.b.work.take(board.len() as u64);
        Some(match &walk.kind {
            WalkKind::Leap(a, b) => board.leap(*a, *b).ok()?,
            WalkKind::Step(dirs) => board.steps(dirs.of(player)),
            WalkKind::Walk(groups) => {
                let groups: Vec<&[Dir]> = groups.iter().map(|g| g.of(player)).collect();
                let (ends, steps) = board.walks(&groups, LOAD_STEPS as usize);
                self.b.work.take(steps as u64);
                ends
            }
            WalkKind::Pairs(pairs) => Board::from_pairs(board.len(), pairs.iter().copied()),
            WalkKind::Slide(_) => return None,
        })
    }

    /// `R(S)` or `~R(S)`; of a trait, `known` are the facts about the wanted pieces.
    pub(super) fn follow(
        &mut self,
        relation: Relation,
        converse: bool,
        of: &Expr,
        known: Fact,
        view: View,
    ) -> SetId {
        let mut known = known;
        if !converse {
            known = self.known.of_set(of);
            if let ExprKind::Widen(inner) = &of.kind
                && matches!(inner.ty, Type::Site | Type::SiteOpt)
                && view.fresh
            {
                known = known.and(self.site_fact(inner, view));
            }
        }
        let set = self.set(of, view);
        self.follow_set(relation, converse, set, known, view)
    }

    /// The facts about a site that is written as an expression.
    fn site_fact(&mut self, e: &Expr, view: View) -> Fact {
        let own = self.known.of_set(e);
        let inner = match &e.kind {
            ExprKind::Widen(inner) => return self.site_fact(inner, view),
            ExprKind::Binary(crate::semantics::BinaryOp::Meet | crate::semantics::BinaryOp::Minus, a, _)
                if e.ty == Type::SiteOpt =>
            {
                self.site_fact(a, view)
            }
            _ => {
                let x = self.int(e, view);
                self.facts.get(&x).copied().unwrap_or(Fact::NONE)
            }
        };
        own.and(inner)
    }

    /// The same of a set that is lowered already.
    pub(super) fn follow_set(
        &mut self,
        relation: Relation,
        converse: bool,
        set: SetId,
        known: Fact,
        view: View,
    ) -> SetId {
        if let Relation::Near = relation {
            let tables = self.relation_table(Steps { relation, converse });
            return self.per_table(tables, view, |l, relation| l.b.set(SetOp::Image { relation, of: set }));
        }
        let (held, lets) = self.b.hold(set.into());
        let held = self.b.set_of(held);
        let out = match relation {
            Relation::Near => held,
            Relation::Named(r) => self.pattern(At::Relation(r), converse, held, view),
            Relation::Trait(t) => self.trait_(t, converse, held, known, view),
        };
        let out = self.b.wrap(out.into(), lets);
        self.b.set_of(out)
    }

    /// The sites that a pattern reaches from a set; backwards, the sites from which it reaches into the set.
    pub(super) fn pattern(&mut self, at: At, converse: bool, set: SetId, view: View) -> SetId {
        let Some((name, pattern)) = self.pattern_at(at) else { return self.b.empty() };
        let players = 0..self.rules.players.len();
        let walks = 0..pattern.walks.len();
        let (fixed, other): (Vec<usize>, Vec<usize>) =
            walks.partition(|i| players.clone().all(|p| self.fixed_walk(at, *i, p).is_some()));
        let mut out = self.b.empty();
        if !fixed.is_empty() {
            let tables = self.tables_of(at, name, &fixed, converse);
            out = self.per_table(tables, view, |l, relation| l.b.set(SetOp::Image { relation, of: set }));
        }
        for i in other {
            let part = self.walk(at, i, converse, set, view);
            out = self.b.set(SetOp::Or(out, part));
        }
        out
    }

    fn walk(&mut self, at: At, i: usize, converse: bool, set: SetId, view: View) -> SetId {
        let Some((name, pattern)) = self.pattern_at(at) else { return self.b.empty() };
        let Some(walk) = pattern.walks.get(i) else { return self.b.empty() };
        let mut clause =
            |kind: ClauseKind, e: &Option<Expr>| e.as_ref().map(|e| self.clause((at, i, kind), e, view));
        let (through, over) =
            (clause(ClauseKind::Through, &walk.through), clause(ClauseKind::Over, &walk.over));
        let (onto, leaving) =
            (clause(ClauseKind::Onto, &walk.onto), clause(ClauseKind::Leaving, &walk.leaving));
        // Backwards, the walk starts where it ends.
        let (first, last) = if converse { (onto, leaving) } else { (leaving, onto) };
        let from = match first {
            Some(f) => self.b.set(SetOp::And(set, f)),
            None => set,
        };
        let reached = match &walk.kind {
            WalkKind::Slide(dirs) => {
                let through = through.unwrap_or_else(|| self.b.empty());
                self.by_player(dirs, view, |l, dirs| l.slide(dirs, walk.upto, converse, from, through, over))
            }
            WalkKind::Step(dirs) if over.is_some() => {
                let over = over.unwrap_or_else(|| self.b.empty());
                self.by_player(dirs, view, |l, dirs| l.jump(dirs, converse, from, over))
            }
            WalkKind::Walk(groups) if through.is_some() => {
                let through = through.unwrap_or_else(|| self.b.empty());
                self.paces(groups, converse, from, through, view)
            }
            _ => {
                let empty = Board::empty(self.b.sites);
                let tables = self.table_for_each(name, converse, |l, player| {
                    l.walk_table(walk, player).unwrap_or_else(|| empty.clone())
                });
                self.per_table(tables, view, |l, relation| l.b.set(SetOp::Image { relation, of: from }))
            }
        };
        match last {
            Some(s) => self.b.set(SetOp::And(reached, s)),
            None => reached,
        }
    }

    fn by_player(
        &mut self,
        dirs: &DirGroup,
        view: View,
        mut of: impl FnMut(&mut Self, &[Dir]) -> SetId,
    ) -> SetId {
        match dirs {
            DirGroup::Fixed(list) => of(self, list),
            DirGroup::PerPlayer(each) => {
                if let Some(list) =
                    self.b.const_of(view.me).and_then(|p| usize::try_from(p).ok()).and_then(|p| each.get(p))
                {
                    return of(self, list);
                }
                let cases = each.iter().map(|list| of(self, list)).collect();
                self.b.set(SetOp::Switch(view.me, cases))
            }
        }
    }

    /// Step after step, each of a group of directions, over sites between that are all in a set.
    fn paces(
        &mut self,
        groups: &[DirGroup],
        converse: bool,
        from: SetId,
        through: SetId,
        view: View,
    ) -> SetId {
        let mut groups: Vec<&DirGroup> = groups.iter().collect();
        if converse {
            groups.reverse();
        }
        let mut at = from;
        for (i, group) in groups.into_iter().enumerate() {
            let of = if i == 0 { at } else { self.b.set(SetOp::And(at, through)) };
            at = self.by_player(group, view, |l, dirs| {
                let relation = l.steps_table(dirs, converse);
                l.b.set(SetOp::Image { relation, of })
            });
        }
        at
    }

    /// Two steps in one direction, over a site between.
    fn jump(&mut self, dirs: &[Dir], converse: bool, from: SetId, over: SetId) -> SetId {
        let mut out = self.b.empty();
        for d in dirs {
            let relation = self.steps_table(&[*d], converse);
            let first = self.b.set(SetOp::Image { relation, of: from });
            let between = self.b.set(SetOp::And(first, over));
            let second = self.b.set(SetOp::Image { relation, of: between });
            out = self.b.set(SetOp::Or(out, second));
        }
        out
    }

    fn slide(
        &mut self,
        dirs: &[Dir],
        upto: Option<u32>,
        converse: bool,
        from: SetId,
        through: SetId,
        over: Option<SetId>,
    ) -> SetId {
        let board = self.rules.board.clone();
        let turned: Vec<Option<Dir>> =
            dirs.iter()
                .map(|d| {
                    if converse {
                        board.directions().get(d.index()).and_then(|d| d.opposite)
                    } else {
                        Some(*d)
                    }
                })
                .collect();
        let mut rays: Vec<u32> = Vec::new();
        let mut oneway: Vec<u32> = Vec::new();
        for (d, t) in dirs.iter().zip(turned) {
            match t {
                Some(t) => rays.push(self.ray_table(t, upto)),
                None => oneway.push(self.ray_table(*d, upto)),
            }
        }
        let mut out = self.b.empty();
        if !rays.is_empty() {
            out = self.b.set(SetOp::Slide { rays: rays.into_boxed_slice(), from, through, over });
        }
        if !oneway.is_empty() {
            // A direction without an opposite: every site from which a slide reaches into the set.
            let local = self.b.int_local();
            let x = self.b.int(IntOp::Local(local));
            let x = self.b.set(SetOp::Site(x));
            let slide = SetOp::Slide { rays: oneway.into_boxed_slice(), from: x, through, over };
            let slide = self.b.set(slide);
            let cond = self.b.int(IntOp::Meets(slide, from));
            let all = self.b.all_sites();
            let part = self.b.set(SetOp::Filter { local, domain: all, cond });
            out = self.b.set(SetOp::Or(out, part));
        }
        out
    }
}
