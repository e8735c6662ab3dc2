//! Movement patterns: walks with their clauses, and which of them are the same in every position.
//!
//! Some forms are short for others. A ride is a slide along labels that are added to the board; each leads as far as
//! the repeated walk. A leap `through` a set is one walk for each of its images, step by step.

use super::check::Checker;
use super::tree::{Builtin, Expr, ExprKind, Pattern, Relation, Walk, WalkKind};
use super::types::Type;
use crate::board::DirGroup;
use crate::diagnostic::Diagnostic;
use crate::ids::Dir;
use crate::source::Span;
use crate::syntax::ast::{self, ClauseKind, Name};

/// The most walks that one ride repeats, for one player.
const MAX_RIDE_WALKS: usize = 64;

/// The clauses of a walk, found.
#[derive(Default)]
struct Clauses {
    through: Option<Expr>,
    over: Option<Expr>,
    onto: Option<Expr>,
    leaving: Option<Expr>,
    upto: Option<u32>,
}

impl Checker<'_> {
    /// A movement pattern.
    pub(super) fn pattern(&mut self, pattern: &ast::Pattern) -> Pattern {
        Pattern { walks: pattern.walks.iter().flat_map(|w| self.walk(w)).collect() }
    }

    /// A walk, or the walks that it stands for; none if it is wrong.
    fn walk(&mut self, walk: &ast::Walk) -> Vec<Walk> {
        let kinds = self.walk_kinds(walk);
        let Clauses { through, over, onto, leaving, upto } = self.clauses(walk);
        let slides = matches!(kinds.first(), Some(WalkKind::Slide(_)));
        let vacant = || Expr::new(ExprKind::Builtin(Builtin::Vacant, Vec::new()), Type::Sites, walk.span);
        let through = if slides { through.or_else(|| Some(vacant())) } else { through };
        let clauses = |kind| Walk {
            kind,
            through: through.clone(),
            over: over.clone(),
            onto: onto.clone(),
            leaving: leaving.clone(),
            upto,
            span: walk.span,
        };
        kinds.into_iter().map(clauses).collect()
    }

    /// How a walk goes, its clauses left aside.
    fn walk_kinds(&mut self, walk: &ast::Walk) -> Vec<WalkKind> {
        let lame = walk.clauses.iter().any(|c| c.kind == ClauseKind::Through);
        let one = |kind: Option<WalkKind>| kind.into_iter().collect();
        match &walk.kind {
            ast::WalkKind::None => Vec::new(),
            ast::WalkKind::Leap(a, b) if !lame => {
                let leap = self.board.leap(*a, *b);
                one(self.on_board(leap, walk.span).map(|_| WalkKind::Leap(*a, *b)))
            }
            ast::WalkKind::Leap(a, b) => {
                let ways = self.board.leap_ways(*a, *b);
                let ways = self.on_board(ways, walk.span).unwrap_or_default();
                let step = |dir| DirGroup::Fixed(vec![dir]);
                ways.into_iter().map(|way| WalkKind::Walk(way.into_iter().map(step).collect())).collect()
            }
            ast::WalkKind::Step(names) => one(self.directions(names).map(WalkKind::Step)),
            ast::WalkKind::Slide(names) => one(self.directions(names).map(WalkKind::Slide)),
            ast::WalkKind::Walk(names) => one(self.groups(names).map(WalkKind::Walk)),
            ast::WalkKind::RideLeap(a, b) => {
                let ways = self.board.leap_ways(*a, *b);
                let ways = self.on_board(ways, walk.span);
                one(ways.map(|ways| WalkKind::Slide(DirGroup::Fixed(self.labels(&ways)))))
            }
            ast::WalkKind::Ride(names) => {
                let Some(groups) = self.groups(names) else { return Vec::new() };
                one(self.ride(&groups, walk.span).map(WalkKind::Slide))
            }
            ast::WalkKind::Pairs(chains) => {
                let mut pairs = Vec::new();
                for chain in chains {
                    let sites: Vec<_> = chain
                        .iter()
                        .filter_map(|n| {
                            let site = self.board.site(&n.text);
                            if site.is_none() {
                                self.unknown(&n.text, n.span);
                            }
                            site
                        })
                        .collect();
                    if sites.len() == chain.len() {
                        pairs.extend(sites.windows(2).filter_map(|w| Some((*w.first()?, *w.get(1)?))));
                    }
                }
                vec![WalkKind::Pairs(pairs)]
            }
        }
    }

    /// The answer of the board; a mistake if it has none.
    fn on_board<T>(&mut self, answer: Result<T, crate::board::BoardError>, span: Span) -> Option<T> {
        answer.map_err(|e| self.out.push(Diagnostic::error("board", span, e.to_string()))).ok()
    }

    /// One group of directions for each name.
    fn groups(&mut self, names: &[Name]) -> Option<Vec<DirGroup>> {
        let groups: Vec<Option<DirGroup>> =
            names.iter().map(|n| self.directions(std::slice::from_ref(n))).collect();
        groups.into_iter().collect()
    }

    /// The labels that lead as far as a walk each, a direction of each group in turn.
    fn ride(&mut self, groups: &[DirGroup], span: Span) -> Option<DirGroup> {
        let fixed = groups.iter().all(|g| matches!(g, DirGroup::Fixed(_)));
        let players = if fixed { 1 } else { self.def.players.len() };
        let mut each: Vec<Vec<Dir>> = Vec::new();
        for player in 0..players {
            let mut ways: Vec<Vec<Dir>> = vec![Vec::new()];
            for group in groups {
                let longer = |way: &Vec<Dir>| {
                    let way = way.clone();
                    group.of(player).iter().map(move |dir| way.iter().copied().chain([*dir]).collect())
                };
                ways = ways.iter().flat_map(longer).collect();
                if ways.len() > MAX_RIDE_WALKS {
                    let message = format!("this ride repeats more than {MAX_RIDE_WALKS} walks");
                    let found =
                        Diagnostic::error("limit", span, message).help("name single directions, not groups");
                    self.out.push(found);
                    return None;
                }
            }
            each.push(self.labels(&ways));
        }
        match fixed {
            true => each.pop().map(DirGroup::Fixed),
            false => Some(DirGroup::PerPlayer(each)),
        }
    }

    /// The labels of some ways; missing ones are added to the board.
    fn labels(&mut self, ways: &[Vec<Dir>]) -> Vec<Dir> {
        let board = std::sync::Arc::make_mut(&mut self.board);
        let mut labels: Vec<Dir> = Vec::new();
        for way in ways {
            let label = board.label_of(way);
            labels.extend(label.filter(|label| !labels.contains(label)));
        }
        labels
    }

    fn clauses(&mut self, walk: &ast::Walk) -> Clauses {
        let mut found = Clauses::default();
        let slides = matches!(
            walk.kind,
            ast::WalkKind::Slide(_) | ast::WalkKind::Ride(_) | ast::WalkKind::RideLeap(..)
        );
        let steps = matches!(walk.kind, ast::WalkKind::Step(_));
        let paces = matches!(walk.kind, ast::WalkKind::Leap(..) | ast::WalkKind::Walk(_));
        for clause in &walk.clauses {
            let refused = match clause.kind {
                ClauseKind::Through if !slides && !paces => {
                    Some("`through` goes with slides, rides, walks and leaps, which have sites between")
                }
                ClauseKind::Upto if !slides => {
                    Some("`upto` goes with slides and rides, which are of any length")
                }
                ClauseKind::Over if !slides && !steps => {
                    Some("`over` goes with slides, rides and steps, which pass over sites in one direction")
                }
                _ => None,
            };
            if let Some(message) = refused {
                let help = "say `slide`, or name sites by `onto` and `leaving`";
                self.out.push(Diagnostic::error("pattern", clause.span, message).help(help));
                continue;
            }
            let place = match clause.kind {
                ClauseKind::Upto => {
                    let n = self.want(&clause.value, Type::Int);
                    let number = super::fold::int(&n);
                    if number.is_none() && n.ty != Type::Error {
                        let message = "`upto` takes a number that is known when the game is loaded";
                        self.out.push(Diagnostic::error("not-fixed", n.span, message));
                    }
                    let Some(number) = number else { continue };
                    let twice = found.upto.replace(u32::try_from(number).unwrap_or(0)).is_some();
                    self.once(twice, clause.span);
                    continue;
                }
                ClauseKind::Through => &mut found.through,
                ClauseKind::Over => &mut found.over,
                ClauseKind::Onto => &mut found.onto,
                ClauseKind::Leaving => &mut found.leaving,
            };
            let twice = place.replace(self.want(&clause.value, Type::Sites)).is_some();
            self.once(twice, clause.span);
        }
        found
    }

    /// Reports a clause that was given before.
    fn once(&mut self, twice: bool, span: Span) {
        if twice {
            let found = Diagnostic::error("pattern", span, "this was said before in the same walk")
                .help("join the sets by `&` or `|` in one clause");
            self.out.push(found);
        }
    }

    /// Whether a relation is the same in every position.
    pub(super) fn relation_fixed(&self, relation: Relation) -> bool {
        match relation {
            Relation::Near => true,
            Relation::Trait(_) => false,
            Relation::Named(r) => {
                self.relations.get(r).and_then(Option::as_ref).is_some_and(|p| self.pattern_fixed(&p.pattern))
            }
        }
    }

    /// Whether a pattern reaches the same in every position.
    pub(super) fn pattern_fixed(&self, pattern: &Pattern) -> bool {
        pattern.walks.iter().all(|w| {
            [&w.through, &w.over, &w.onto, &w.leaving].into_iter().flatten().all(|e| self.is_fixed(e))
        })
    }
}
