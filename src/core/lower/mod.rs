//! Rules to program.
//!
//! The typed tree is lowered for one board, one choice of options and so many players. Definitions are
//! inlined; players' views become an index ([`View`]); patterns become relation tables, rays and a few set
//! operations; state variables become layers and slots; the turn flow becomes states.
//!
//! Lowering and simplifying are one step: every node is made by the [`Builder`], which folds what is
//! constant, so geometry, options and whole regions vanish into constants, and equal nodes are one node.
//!
//! # Facts
//!
//! A piece's own pattern depends on its kind and owner. Where a site is chosen from `own`, or the loop runs
//! over one kind, that is known while the choices are made, and [`facts`](facts::Fact) keep it: patterns of
//! other kinds and owners are not even written. That a site is chosen among vacant ones is such a fact too: a piece
//! that lands there need not clear anything. Facts hold for the position before any effect only.

mod bind;
mod builtin;
mod decision;
mod effect;
mod exists;
mod expr;
mod facts;
mod flow;
mod known;
mod layout;
mod once;
mod pairs;
mod relation;
mod set;
mod stacks;
mod state;
mod storage;
mod traits;

use crate::diagnostic::Diagnostics;
use crate::improve::{Builder, Node, Passes, Sharing};
use crate::program::{Binary, EndCode, IntId, IntOp, MatchCode, OutcomeCode, Placement, Program, slot};
use crate::semantics::{Effect, Expr, Outcome, Rules};
use facts::Known;
use state::{Lowerer, View};
use std::collections::HashMap;

/// Lowers rules: the program, and how many steps it took. Diagnostics where they are too large.
pub fn lower(rules: &Rules, passes: Passes) -> Result<(Program, u64), Diagnostics> {
    let mut out = Diagnostics::default();
    let Some((layout, storage)) = layout::plan(rules, &mut out) else { return Err(out) };
    let b = Builder::new(&rules.board, &layout, passes);
    let mut l = Lowerer {
        rules,
        b,
        storage,
        values: HashMap::new(),
        facts: HashMap::new(),
        known: Known::new(rules),
        made: HashMap::new(),
        walks: HashMap::new(),
        tables: HashMap::new(),
        steps: 0,
        out,
    };
    let program = l.program(layout);
    if l.out.has_errors() { Err(l.out) } else { Ok((program, l.steps)) }
}

impl Lowerer<'_> {
    fn program(&mut self, mut layout: crate::program::Layout) -> Program {
        let rules = self.rules;
        self.starts(&mut layout);
        let view = self.mover();
        let mut decisions: Vec<_> = rules
            .decisions
            .iter()
            .map(|d| self.of_rule(d.span, &format!("decision `{}`", d.name), |l| l.decision(d)))
            .collect();
        let flow = self.turns(&decisions);
        let after = View { fresh: false, ..view };
        let first = |effects: &[Effect]| effects.first().map(|e| e.span).unwrap_or_default();
        let setup = self.of_rule(first(&rules.setup.effects), "the set-up", |l| {
            let mut block = Vec::new();
            l.effects(&rules.setup.effects, after, &mut block);
            l.settle_ages(&mut block);
            l.b.block(block)
        });
        let tidy = rules.position.as_ref().map_or(&[][..], |p| &p.tidy);
        let tidy = self.of_rule(first(tidy), "`tidy`", |l| {
            let mut block = Vec::new();
            l.refresh_ages(&mut block);
            l.effects(tidy, after, &mut block);
            l.settle_ages(&mut block);
            l.b.block(block)
        });
        let turn_end = self.of_rule(first(&rules.turn.finish), "`finish`", |l| {
            let mut block = Vec::new();
            l.effects(&rules.turn.finish, after, &mut block);
            l.expire(&mut block);
            l.b.block(block)
        });
        let skip = rules.turn.skip.as_ref();
        let next = skip.map(|e| self.of_rule(e.span, "`skip`", |l| l.next(view)));
        let stuck = self.outcome(&rules.turn.stuck, view);
        let ends = rules
            .ends
            .iter()
            .map(|e| EndCode {
                name: e.name.clone(),
                when: self.of_rule(e.span, &format!("end `{}`", e.name), |l| l.int(&e.when, view)),
                result: self.outcome(&e.result, view),
                at_turn: e.at_turn,
                perft: e.perft,
            })
            .collect();
        let score = rules.score.as_ref();
        let score = score.map(|e| self.of_rule(e.span, "the score", |l| l.int(e, view)));
        let match_ = rules.match_.as_ref().map(|m| {
            let (won, score) = (self.b.int_local(), self.b.int_local());
            for (id, local) in [(m.won, won), (m.score, score)] {
                let value = self.b.int(IntOp::Local(local));
                self.values.insert(id, Node::Int(value));
            }
            let points = self.of_rule(m.points.span, "`points`", |l| l.int(&m.points, view));
            MatchCode { target: m.target, points, won, score, alternate: m.alternate.clone() }
        });
        let placements = rules
            .setup
            .pieces
            .iter()
            .map(|p| Placement {
                site: p.site.0,
                owner: p.owner.map_or(layout.players as u8, |o| o.0),
                kind: p.kind.0,
                height: p.height,
            })
            .collect();
        let mut program_ends: Vec<EndCode> = ends;
        let mut sharing = Sharing::default();
        for (d, rule) in decisions.iter_mut().zip(&rules.decisions) {
            let vars: Vec<u32> = d.vars.iter().map(|v| v.local).collect();
            self.of_rule(rule.span, &format!("decision `{}`", rule.name), |l| {
                d.generate = sharing.generator(&mut l.b, d.generate);
                d.apply = sharing.effects(&mut l.b, d.apply, &vars);
                d.when = d.when.map(|e| sharing.int(&mut l.b, e, &[]));
            });
        }
        for (e, rule) in program_ends.iter_mut().zip(&rules.ends) {
            let what = format!("end `{}`", rule.name);
            e.when = self.of_rule(rule.span, &what, |l| sharing.int(&mut l.b, e.when, &[]));
        }
        let setup = sharing.effects(&mut self.b, setup, &[]);
        let tidy = sharing.effects(&mut self.b, tidy, &[]);
        let turn_end = sharing.effects(&mut self.b, turn_end, &[]);
        let score = score.map(|e| sharing.int(&mut self.b, e, &[]));
        if let Some(found) = self.b.work.report() {
            self.out.push(found);
        }
        self.b.new_lines(&mut layout, &mut decisions, &mut program_ends, turn_end);
        let width = layout.width;
        let reads_seen = self.b.reads_slot(slot::SEEN);
        let b = std::mem::take(&mut self.b);
        self.steps = b.work.steps();
        let copies = b.copies();
        let all = b.all.0.iter().copied().take(width).collect();
        let parts = b.finish(width);
        Program {
            layout,
            all,
            consts: parts.consts,
            relations: parts.relations,
            rays: parts.rays,
            tables: parts.tables,
            sets: parts.sets,
            ints: parts.ints,
            blocks: parts.blocks,
            set_locals: parts.set_locals,
            int_locals: parts.int_locals,
            copies,
            decisions,
            leaves: flow.leaves,
            states: flow.states,
            opening: flow.opening,
            main: flow.main,
            stuck_pass: flow.stuck_pass,
            placements,
            setup,
            tidy,
            turn_end,
            next,
            stuck,
            ends: program_ends,
            score,
            match_,
            reads_seen,
            teams: rules.teams.clone(),
        }
    }

    fn outcome(&mut self, outcome: &Outcome, view: View) -> OutcomeCode {
        match outcome {
            Outcome::If(c, a, b) => {
                let c = self.int(c, view);
                let (a, b) = (self.outcome(a, view), self.outcome(b, view));
                match self.b.const_of(c) {
                    Some(0) => b,
                    Some(_) => a,
                    None => OutcomeCode::If(c, Box::new(a), Box::new(b)),
                }
            }
            Outcome::Pass => OutcomeCode::Pass,
            Outcome::Draw => OutcomeCode::Draw,
            Outcome::Score => match (&self.rules.score, self.rules.teams.is_empty()) {
                (Some(score), false) => self.places_by(score),
                _ => OutcomeCode::Score,
            },
            Outcome::Wins(p) if self.rules.teams.is_empty() => OutcomeCode::Wins(self.int(p, view)),
            Outcome::Wins(p) => self.places_of(p, 1, view),
            Outcome::Loses(p) => self.places_of(p, -1, view),
            Outcome::Places(e) => self.places_by(e),
        }
    }

    fn each_player(&mut self, mut of: impl FnMut(&mut Self, usize) -> IntId) -> Vec<IntId> {
        (0..self.rules.players.len()).map(|player| of(self, player)).collect()
    }

    /// The places go by a number that each player sees.
    fn places_by(&mut self, number: &Expr) -> OutcomeCode {
        OutcomeCode::Places(self.each_player(|l, player| {
            let me = l.b.num(player as i32);
            l.int(number, View { me, fresh: false })
        }))
    }

    /// One player has a number, all others have 0.
    fn places_of(&mut self, player: &Expr, number: i32, view: View) -> OutcomeCode {
        let who = self.int(player, view);
        OutcomeCode::Places(self.each_player(|l, player| {
            let player = l.b.num(player as i32);
            let same = l.b.int(IntOp::Binary(Binary::Eq, who, player));
            let number = l.b.num(number);
            l.b.int(IntOp::Binary(Binary::Mul, same, number))
        }))
    }
}
