//! Movement patterns and what is built on relations, walked site by site.

use farrier::ids::{Dir, Site};
use farrier::semantics::{Expr, Pattern, Relation, Steps, TraitValues, Walk, WalkKind};

use super::Naive;
use super::eval::{View, members};
use super::set::Set;
use super::value::Env;

impl Naive<'_> {
    /// One step from a site.
    fn step(&self, dir: Dir, from: usize) -> Option<usize> {
        let to = self.board().step(dir, Site(from as u16))?;
        Some(to.index())
    }

    /// The sites in a direction from a site, nearest first. Where a board wraps, the ray ends before it
    /// comes to a site for the second time.
    fn ray(&self, dir: Dir, from: usize) -> Vec<usize> {
        let mut ray = Vec::new();
        let mut at = from;
        while let Some(to) = self.step(dir, at) {
            if to == from || ray.contains(&to) {
                break;
            }
            ray.push(to);
            at = to;
        }
        // Each step looks through the sites before it.
        self.burn(1 + ray.len() * ray.len() / 16);
        ray
    }

    /// What a pattern reaches from a site.
    fn reach(&self, view: View<'_>, env: &mut Env, pattern: &Pattern, from: usize) -> Set {
        let walks = pattern.walks.iter();
        walks.fold(Set::new(), |ends, walk| &ends | &self.reach_by(view, env, walk, from))
    }

    /// What a walk reaches from a site.
    fn reach_by(&self, view: View<'_>, env: &mut Env, walk: &Walk, from: usize) -> Set {
        let mut clause = |e: &Option<Expr>| e.as_ref().map(|e| self.sites(view, env, e));
        let (through, over) = (clause(&walk.through), clause(&walk.over));
        let (onto, leaving) = (clause(&walk.onto), clause(&walk.leaving));
        if leaving.is_some_and(|leaving| !leaving.contains(from)) {
            return Set::new();
        }
        let ends: Set = match &walk.kind {
            WalkKind::Leap(a, b) => members(self.leap(*a, *b).of(Site(from as u16))),
            WalkKind::Step(dirs) => {
                let dirs = dirs.of(view.me).iter();
                dirs.filter_map(|dir| {
                    let next = self.step(*dir, from)?;
                    match &over {
                        None => Some(next),
                        Some(over) if over.contains(next) => self.step(*dir, next),
                        Some(_) => None,
                    }
                })
                .collect()
            }
            WalkKind::Slide(dirs) => {
                let vacant = || self.sites_where(view.pos, |p| p.is_none());
                let through = through.unwrap_or_else(vacant);
                let upto = walk.upto.map_or(usize::MAX, |n| n as usize);
                let mut ends = Set::new();
                for dir in dirs.of(view.me) {
                    let ray = self.ray(*dir, from);
                    for (steps_less_one, end) in ray.iter().enumerate() {
                        let between = &ray[..steps_less_one];
                        if steps_less_one < upto && passes(between, &through, over.as_ref()) {
                            ends.insert(*end);
                        }
                    }
                }
                ends
            }
            WalkKind::Walk(groups) => {
                let mut walks: Vec<Vec<Dir>> = vec![Vec::new()];
                for group in groups {
                    let longer = walks.iter().flat_map(|walk| {
                        let dirs = group.of(view.me).iter();
                        dirs.map(move |dir| walk.iter().copied().chain([*dir]).collect())
                    });
                    walks = longer.collect();
                }
                match &through {
                    None => {
                        let ends = |dirs| members(self.walk(dirs).of(Site(from as u16)));
                        walks.iter().fold(Set::new(), |all, dirs: &Vec<Dir>| &all | &ends(dirs))
                    }
                    Some(through) => {
                        let end = |dirs: &Vec<Dir>| {
                            let mut at = from;
                            for (i, dir) in dirs.iter().enumerate() {
                                at = self
                                    .step(*dir, at)
                                    .filter(|to| i + 1 == dirs.len() || through.contains(*to))?;
                            }
                            Some(at)
                        };
                        walks.iter().filter_map(end).collect()
                    }
                }
            }
            WalkKind::Pairs(pairs) => {
                let here = pairs.iter().filter(|(a, _)| a.index() == from);
                here.map(|(_, b)| b.index()).collect()
            }
        };
        match onto {
            Some(onto) => &ends & &onto,
            None => ends,
        }
    }

    /// What a relation reaches from one site.
    fn reach_from(&self, view: View<'_>, env: &mut Env, relation: Relation, from: usize) -> Set {
        match relation {
            Relation::Near => members(self.near().of(Site(from as u16))),
            Relation::Named(i) => self.reach(view, env, &self.rules.relations[i].pattern, from),
            Relation::Trait(i) => {
                let TraitValues::Patterns(patterns) = &self.rules.traits[i].values else {
                    panic!("trait {i} is no pattern");
                };
                let Some(piece) = view.pos.pieces[from] else {
                    return Set::new();
                };
                // A neutral piece has no owner to see it: me does.
                let owner = piece.owner.unwrap_or(view.me);
                match &patterns[piece.kind] {
                    Some(pattern) => self.reach(view.by(owner), env, pattern, from),
                    None => Set::new(),
                }
            }
        }
    }

    /// `R(S)` or `~R(S)`.
    pub fn follow(&self, view: View<'_>, env: &mut Env, steps: Steps, of: &Set) -> Set {
        let Steps { relation, converse } = steps;
        if converse {
            let mut origins = Set::new();
            for from in self.all().iter() {
                let ends = self.reach_from(view, env, relation, from);
                if !(&ends & of).is_empty() {
                    origins.insert(from);
                }
            }
            origins
        } else {
            let mut ends = Set::new();
            for from in of.iter() {
                ends = &ends | &self.reach_from(view, env, relation, from);
            }
            ends
        }
    }

    /// The sites at each distance from a set, nearest first, until there are no more.
    fn layers(&self, view: View<'_>, env: &mut Env, steps: Steps, of: Set) -> Vec<Set> {
        let mut known = of.clone();
        let mut layers = vec![of];
        loop {
            let last = layers.last().unwrap();
            let next = &self.follow(view, env, steps, last) - &known;
            if next.is_empty() {
                return layers;
            }
            known = &known | &next;
            layers.push(next);
        }
    }

    /// `distance(x, y, R)`
    pub fn distance(
        &self,
        view: View<'_>,
        env: &mut Env,
        along: Steps,
        from: Option<usize>,
        to: Option<usize>,
    ) -> i32 {
        let far = self.board().all().count() as i32;
        let (Some(from), Some(to)) = (from, to) else {
            return far;
        };
        let layers = self.layers(view, env, along, Set::from_iter([from]));
        let steps = layers.iter().position(|layer| layer.contains(to));
        steps.map_or(far, |steps| steps as i32)
    }

    /// `distance(S, k, R)`
    pub fn ring(&self, view: View<'_>, env: &mut Env, along: Steps, of: Set, steps: i32) -> Set {
        let Ok(steps) = usize::try_from(steps) else {
            return Set::new();
        };
        let layers = self.layers(view, env, along, of);
        layers.get(steps).cloned().unwrap_or_default()
    }

    /// `flood(seed, within, R)`
    pub fn flood(&self, view: View<'_>, env: &mut Env, steps: Steps, seed: &Set, within: &Set) -> Set {
        let mut reached = seed & within;
        loop {
            let next = self.follow(view, env, steps, &reached);
            let more = &reached | &(&next & within);
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// `line(S, k, directions)`: from each member every run of k sites is tried.
    pub fn line(&self, dirs: &[Dir], of: &Set, length: i32) -> Set {
        if length <= 1 {
            return of.clone();
        }
        let mut found = Set::new();
        for start in of.iter() {
            for dir in dirs {
                let mut run = vec![start];
                run.extend(self.ray(*dir, start));
                run.truncate(length as usize);
                if run.len() == length as usize && run.iter().all(|s| of.contains(*s)) {
                    found.extend(run);
                }
            }
        }
        found
    }

    /// `between(S, T)`
    pub fn between(&self, from: &Set, to: &Set) -> Set {
        let mut found = Set::new();
        for start in from.iter() {
            for dir in self.board().lines() {
                let ray = self.ray(dir, start);
                for (i, end) in ray.iter().enumerate() {
                    if to.contains(*end) {
                        found.extend(ray[..i].iter().copied());
                    }
                }
            }
        }
        found
    }
}

/// Whether a slide can pass these sites: all in `through`; or with `over` exactly one in `over` and the
/// others in `through`.
fn passes(between: &[usize], through: &Set, over: Option<&Set>) -> bool {
    match over {
        None => between.iter().all(|s| through.contains(*s)),
        Some(over) => {
            let (jumped, others): (Vec<usize>, Vec<usize>) = between.iter().partition(|s| over.contains(**s));
            jumped.len() == 1 && others.iter().all(|s| through.contains(*s))
        }
    }
}
