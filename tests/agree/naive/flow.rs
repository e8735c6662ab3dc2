//! The turn flow: what is left of a turn, resolved to *done* or to offers.

use farrier::ids::Player;
use farrier::limits::LONGEST_PATHS;
use farrier::semantics::{Expr, ExprKind, Flow, Type};
use farrier::source::Span;

use super::Naive;
use super::decision::Choice;
use super::eval::View;
use super::position::NaivePosition;
use super::turn::Ends;
use super::value::Env;

/// A choice that is offered.
#[derive(Clone, PartialEq, Debug)]
pub struct Offer {
    /// The choice.
    pub choice: Choice,
    /// What is left of what offered it.
    pub rest: Vec<Flow>,
    /// Who decides.
    pub mover: usize,
}

/// What a piece of flow comes to in a position.
#[derive(Clone, PartialEq, Debug)]
pub enum Resolved {
    /// There is nothing to decide.
    Done,
    /// There is: with these offers, maybe none.
    Due {
        /// The offers.
        offers: Vec<Offer>,
        /// Who is to decide; of several, the first.
        mover: usize,
    },
}

impl Resolved {
    /// Puts what is left of each offer into something.
    fn map_rest(mut self, wrap: impl Fn(Vec<Flow>) -> Vec<Flow>) -> Resolved {
        if let Resolved::Due { offers, .. } = &mut self {
            for offer in offers {
                offer.rest = wrap(std::mem::take(&mut offer.rest));
            }
        }
        self
    }

    /// Done where there is no offer.
    fn or_done(self) -> Resolved {
        match self {
            Resolved::Due { offers, .. } if offers.is_empty() => Resolved::Done,
            other => other,
        }
    }
}

impl Naive<'_> {
    /// The first of a list that is not done, for a turn's player.
    pub fn resolve_list(&self, view: View<'_>, list: &[Flow]) -> Resolved {
        self.list(view, &[], list)
    }

    /// The same inside some `by`s, the outermost first.
    fn list(&self, view: View<'_>, around: &[&Expr], list: &[Flow]) -> Resolved {
        for (i, flow) in list.iter().enumerate() {
            let resolved = self.resolve(view, around, flow);
            if let Resolved::Due { offers, .. } = &resolved {
                let behind = &list[i + 1..];
                // Each offer gets a copy of what comes behind it.
                self.burn(offers.len() * parts(behind));
                return resolved.map_rest(|mut rest| {
                    rest.extend_from_slice(behind);
                    rest
                });
            }
        }
        Resolved::Done
    }

    fn resolve(&self, view: View<'_>, around: &[&Expr], flow: &Flow) -> Resolved {
        let View { pos, me } = view;
        let due = |choices: Vec<Choice>| Resolved::Due {
            offers: choices.into_iter().map(|choice| Offer { choice, rest: Vec::new(), mover: me }).collect(),
            mover: me,
        };
        match flow {
            Flow::Decision(number) => match &self.rules.decisions[*number].when {
                Some(when) if !self.bool(view, &mut Env::new(), when) => Resolved::Done,
                _ => due(self.choices(view, *number)),
            },
            Flow::Pass => due(vec![Choice::Pass]),
            Flow::Sequence(list) => self.list(view, around, list),
            Flow::Either(list) => {
                let mut all: Option<(Vec<Offer>, usize)> = None;
                for flow in list {
                    if let Resolved::Due { offers, mover } = self.resolve(view, around, flow) {
                        match &mut all {
                            // So far there was nothing on offer, if it was due.
                            None => all = Some((offers, mover)),
                            Some((sum, _)) if sum.is_empty() && !offers.is_empty() => {
                                all = Some((offers, mover))
                            }
                            // All that is on offer is one player's.
                            Some((sum, first)) if *first == mover => sum.extend(offers),
                            Some(_) => {}
                        }
                    }
                }
                match all {
                    Some((offers, mover)) => Resolved::Due { offers, mover },
                    None => Resolved::Done,
                }
            }
            Flow::Try(inner) => self.resolve(view, around, inner).or_done(),
            Flow::May(inner) => match self.resolve(view, around, inner).or_done() {
                Resolved::Due { mut offers, mover } => {
                    offers.push(Offer { choice: Choice::Pass, rest: Vec::new(), mover });
                    Resolved::Due { offers, mover }
                }
                Resolved::Done => Resolved::Done,
            },
            Flow::Repeat(_) if pos.turn_plies >= 4 * self.board().all().count() as usize => Resolved::Done,
            Flow::Repeat(inner) => {
                let (inner, ends) = match &**inner {
                    Flow::May(inner) => (inner, true),
                    _ => (inner, false),
                };
                let again = self.resolve(view, around, inner).or_done();
                let mut again = again.map_rest(|mut rest| {
                    self.burn(parts(&rest) + 1);
                    rest.push(flow.clone());
                    rest
                });
                // To decline is to have done with all of it.
                if let (Resolved::Due { offers, mover }, true) = (&mut again, ends) {
                    offers.push(Offer { choice: Choice::Pass, rest: Vec::new(), mover: *mover });
                }
                again
            }
            Flow::Longest(inner) => self.longest(view, around, inner),
            Flow::If(inner, cond) => {
                if self.bool(view, &mut Env::new(), cond) {
                    self.resolve(view, around, inner)
                } else {
                    Resolved::Done
                }
            }
            Flow::By(inner, who) => {
                let mover = self.player(view, &mut Env::new(), who).unwrap_or(me);
                let resolved = self.resolve(view.by(mover), &[around, &[who]].concat(), inner);
                resolved.map_rest(|rest| wrapped(rest, |f| Flow::By(f, who.clone())))
            }
        }
    }

    /// Of a flow's offers those that begin a path with the most plies of it; and so on along the path.
    fn longest(&self, view: View<'_>, around: &[&Expr], inner: &Flow) -> Resolved {
        let Resolved::Due { offers, mover } = self.resolve(view, around, inner) else {
            return Resolved::Done;
        };
        let lengths = self.lengths(view.pos, around, &offers);
        let most = lengths.iter().max().copied();
        let best = offers.into_iter().zip(lengths).filter(|(_, length)| Some(*length) == most);
        let offers = best.map(|(offer, _)| offer).collect();
        Resolved::Due { offers, mover }.map_rest(|rest| wrapped(rest, Flow::Longest))
    }

    /// For each offer the most plies of a path that begins with it, as far as there are few paths in all. Before
    /// each ply the `by`s around are asked anew whose it is, as they are in the turn.
    fn lengths(&self, pos: &NaivePosition, around: &[&Expr], offers: &[Offer]) -> Vec<usize> {
        let mut lengths = vec![1; offers.len()];
        let start = |(first, offer): (usize, &Offer)| (first, pos.clone(), offer.clone());
        let mut paths: Vec<(usize, NaivePosition, Offer)> = offers.iter().enumerate().map(start).collect();
        let mut sum = paths.len();
        for plies in 2.. {
            let mut longer = Vec::new();
            if sum <= LONGEST_PATHS {
                for (first, pos, offer) in &paths {
                    self.burn(self.all.len() / 8);
                    let mut after = self.after_ply(pos, offer);
                    if self.ends(&mut after, offer.mover, false, Ends::All) {
                        continue;
                    }
                    let next = around.iter().fold(View { pos: &after, me: after.turn }, |view, who| {
                        view.by(self.player(view, &mut Env::new(), who).unwrap_or(view.me))
                    });
                    if let Resolved::Due { offers, .. } = self.list(next, around, &offer.rest) {
                        // Each offer of the next ply has copies of the position and of what is left.
                        self.burn(offers.len() * (self.all.len() / 8 + parts(&offer.rest)));
                        longer.extend(offers.into_iter().map(|offer| (*first, after.clone(), offer)));
                    }
                }
            }
            sum += longer.len();
            if longer.is_empty() || sum > LONGEST_PATHS {
                break;
            }
            longer.iter().for_each(|(first, ..)| lengths[*first] = plies);
            paths = longer;
        }
        lengths
    }

    /// The position after an offer's effects, the ply counted; nothing is looked at yet.
    pub fn after_ply(&self, pos: &NaivePosition, offer: &Offer) -> NaivePosition {
        let view = View { pos, me: offer.mover };
        let mut after = self.done(view, &offer.choice);
        match offer.choice {
            Choice::Pass if pos.turn_plies == 0 => after.passes = pos.passes.saturating_add(1),
            Choice::Pass => {}
            Choice::Decision(..) => {
                after.passes = 0;
                after.turn_acts += 1;
            }
        }
        after.turn_plies += 1;
        after.ply = after.ply.saturating_add(1);
        after
    }
}

/// How many parts flows have: so much work is a copy of them.
fn parts(list: &[Flow]) -> usize {
    let inside = |flow: &Flow| match flow {
        Flow::Sequence(list) | Flow::Either(list) => parts(list),
        Flow::Try(inner) | Flow::May(inner) | Flow::Repeat(inner) | Flow::Longest(inner) => {
            parts(std::slice::from_ref(inner))
        }
        Flow::If(inner, _) | Flow::By(inner, _) => parts(std::slice::from_ref(inner)),
        Flow::Decision(_) | Flow::Pass => 0,
    };
    list.iter().map(|flow| 1 + inside(flow)).sum()
}

/// What is left, inside another node; nothing stays nothing.
fn wrapped(mut rest: Vec<Flow>, wrap: impl Fn(Box<Flow>) -> Flow) -> Vec<Flow> {
    match rest.len() {
        0 => Vec::new(),
        1 => vec![wrap(Box::new(rest.remove(0)))],
        _ => vec![wrap(Box::new(Flow::Sequence(rest)))],
    }
}

/// The one offer of a stuck mover: a pass, which ends the turn.
pub fn forced_pass(mover: usize) -> Vec<Flow> {
    let who = Expr { kind: ExprKind::Player(Player(mover as u8)), ty: Type::Player, span: Span::default() };
    vec![Flow::By(Box::new(Flow::Pass), who)]
}
