//! From ply to ply: ends, the turn's end, the next player, stuck movers, scores.

use std::rc::Rc;

use farrier::semantics::{Expr, Outcome};

use super::Naive;
use super::decision::Choice;
use super::eval::View;
use super::flow::{Offer, Resolved, forced_pass};
use super::position::{Ended, Entry, Identity, NaivePosition};
use super::value::{Env, Value};

/// Which ends are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// All.
    All,
    /// Those that perft looks at.
    Perft,
}

impl Naive<'_> {
    /// The position after an offer was taken.
    pub fn take(&self, pos: &NaivePosition, offer: &Offer, ends: Ends) -> NaivePosition {
        let (mut pos, begins) = self.until_next_turn(pos, offer, ends);
        if begins {
            self.open_turn(&mut pos);
            // (5)
            if pos.result.is_none() {
                self.ends(&mut pos, offer.mover, true, ends);
            }
        }
        self.bar(&mut pos);
        pos
    }

    /// Stuck is also who could only bring back a position and may not.
    pub fn bar(&self, pos: &mut NaivePosition) {
        if pos.result.is_none()
            && self.rules.decisions.iter().any(|d| !d.repeats)
            && self.offers(pos).is_empty()
            && let Resolved::Due { mover, .. } = self.resolve_list(View { pos, me: pos.turn }, &pos.rest)
        {
            self.stuck(pos, mover);
        }
    }

    /// Whether an offer may not be taken, because the next turn would begin as an earlier one did.
    pub fn is_barred(&self, pos: &NaivePosition, offer: &Offer) -> bool {
        let Choice::Decision(number, _) = offer.choice else { return false };
        if self.rules.decisions[number].repeats {
            return false;
        }
        let (next, begins) = self.until_next_turn(pos, offer, Ends::All);
        begins && pos.history.iter().any(|old| **old == self.identity(&next))
    }

    /// What follows an offer up to the next turn's start; whether there is one.
    fn until_next_turn(&self, pos: &NaivePosition, offer: &Offer, ends: Ends) -> (NaivePosition, bool) {
        let maker = offer.mover;
        let mut pos = self.after_ply(pos, offer);
        pos.rest.clone_from(&offer.rest);
        // (1)
        if self.ends(&mut pos, maker, false, ends) {
            return (pos, false);
        }
        // (2)
        let view = View { pos: &pos, me: pos.turn };
        match self.resolve_list(view, &pos.rest) {
            Resolved::Due { offers, mover } => {
                if offers.is_empty() {
                    self.stuck(&mut pos, mover);
                }
                return (pos, false);
            }
            Resolved::Done => {}
        }
        // (3)
        let turn = pos.turn;
        self.run(&mut pos, turn, &mut Env::new(), &self.rules.turn.finish);
        self.expire(&mut pos);
        let swapped = std::mem::take(&mut pos.swap);
        let next = if swapped { turn } else { self.next_player(&pos, turn) };
        pos.turn_number += 1;
        // (4)
        let named = self.rules.turn.opening.get(pos.opened).is_some_and(|(_, owner)| owner.is_some());
        self.begin_turn(&mut pos, next);
        // Who moves again because sides were swapped is still in the same place of the order.
        if pos.turn <= turn && (named || !swapped) {
            pos.round = pos.round.saturating_add(1);
        }
        (pos, true)
    }

    /// The turn of an opening or the main turn; a player that the opening names goes before `next`.
    pub fn begin_turn(&self, pos: &mut NaivePosition, next: usize) {
        let turn = &self.rules.turn;
        pos.turn = next;
        match turn.opening.get(pos.opened) {
            Some((flow, owner)) => {
                pos.turn = owner.map_or(next, |p| p.index());
                pos.rest = vec![flow.clone()];
                pos.opened += 1;
                pos.opening = true;
            }
            None => {
                pos.rest = vec![turn.main.clone()];
                pos.opening = false;
            }
        }
        pos.turn_plies = 0;
        pos.turn_acts = 0;
    }

    /// What there is at a turn's start: the position is noted, and a mover without a decision is stuck.
    pub fn open_turn(&self, pos: &mut NaivePosition) {
        let identity = self.identity(pos);
        pos.history.push(Rc::new(identity));
        let now = pos.history.last();
        let times = pos.history.iter().filter(|old| Some(*old) == now).count();
        pos.seen = times as i32;
        let view = View { pos, me: pos.turn };
        match self.resolve_list(view, &pos.rest) {
            Resolved::Done => self.stuck(pos, pos.turn),
            Resolved::Due { offers, mover } if offers.is_empty() => self.stuck(pos, mover),
            Resolved::Due { .. } => {}
        }
    }

    /// What tells this position apart.
    fn identity(&self, pos: &NaivePosition) -> Identity {
        let vars = self.rules.state.iter().zip(pos.state.iter().zip(&self.starts));
        let ago = |entry: &Entry| entry.assigned.map(|then| pos.turn_number - then);
        Identity {
            pieces: pos.pieces.clone(),
            under: pos.under.clone(),
            state: vars
                .filter(|(var, _)| var.identity)
                .map(|(var, (entries, starts))| {
                    let each = entries.iter().zip(starts).map(|(entry, start)| {
                        let ends = var.lasts.is_some() && entry.value != *start;
                        (entry.value.clone(), ago(entry).filter(|_| ends))
                    });
                    each.collect()
                })
                .collect(),
            turn: pos.turn,
            opening: pos.opening.then_some(pos.opened),
        }
    }

    /// Entries that were last assigned at least `lasts` turns ago get their start value again.
    fn expire(&self, pos: &mut NaivePosition) {
        let now = pos.turn_number;
        for (i, var) in self.rules.state.iter().enumerate() {
            let Some(lasts) = var.lasts else {
                continue;
            };
            for (entry, start) in pos.state[i].iter_mut().zip(&self.starts[i]) {
                if entry.assigned.is_some_and(|then| now - then >= i64::from(lasts)) {
                    entry.value = start.clone();
                    entry.assigned = None;
                }
            }
        }
    }

    /// The player after one in order, skipped ones left out. If all are skipped, none is.
    pub fn next_player(&self, pos: &NaivePosition, after: usize) -> usize {
        let players = self.rules.players.len();
        let in_order = (1..=players).map(|i| (after + i) % players);
        let skipped = |me: usize| {
            let view = View { pos, me };
            let skip = self.rules.turn.skip.as_ref();
            skip.is_some_and(|skip| self.bool(view, &mut Env::new(), skip))
        };
        let free = in_order.into_iter().find(|p| !skipped(*p));
        free.unwrap_or((after + 1) % players)
    }

    /// Looks at the ends; whether the game is over.
    pub fn ends(&self, pos: &mut NaivePosition, me: usize, at_turn: bool, which: Ends) -> bool {
        for end in &self.rules.ends {
            if end.at_turn != at_turn || (which == Ends::Perft && !end.perft) {
                continue;
            }
            if self.bool(View { pos, me }, &mut Env::new(), &end.when)
                && let Some(ended) = self.outcome(View { pos, me }, &end.result)
            {
                pos.result = Some(ended);
                return true;
            }
        }
        false
    }

    /// What happens to a mover without a legal decision.
    fn stuck(&self, pos: &mut NaivePosition, mover: usize) {
        match self.outcome(View { pos, me: mover }, &self.rules.turn.stuck) {
            Some(ended) => pos.result = Some(ended),
            None => pos.rest = forced_pass(mover),
        }
    }

    /// How an outcome ends the game; not at all by a pass.
    fn outcome(&self, view: View<'_>, outcome: &Outcome) -> Option<Ended> {
        let players = self.rules.players.len();
        let ended = |numbers: &[i64]| Ended { places: placed(numbers), alone: false, scores: None };
        let with = |who: &Expr, number: fn(bool) -> i64| {
            let who = self.player(view, &mut Env::new(), who);
            let is = |p: usize| who.is_some_and(|who| self.rules.together(who, p));
            let numbers: Vec<i64> = (0..players).map(|p| number(is(p))).collect();
            Ended { alone: players == 1 && who.is_some(), ..ended(&numbers) }
        };
        let each = |value: &Expr| -> Vec<i32> {
            (0..players).map(|me| self.int(view.by(me), &mut Env::new(), value)).collect()
        };
        match outcome {
            Outcome::If(cond, yes, no) => {
                let yes_or_no = if self.bool(view, &mut Env::new(), cond) { yes } else { no };
                self.outcome(view, yes_or_no)
            }
            Outcome::Pass => None,
            Outcome::Draw => Some(ended(&vec![0; players])),
            Outcome::Wins(who) => Some(with(who, i64::from)),
            Outcome::Loses(who) => Some(with(who, |is| i64::from(!is))),
            Outcome::Score => {
                let scores = self.rules.score.as_ref().map_or(vec![0; players], each);
                let mut ended = Ended { alone: players == 1, ..ended(&self.summed(&scores)) };
                // Without teams several who have most have not won together.
                if self.rules.teams.is_empty() {
                    let best = ended.places.iter().filter(|place| **place == 0).count();
                    ended.places.iter_mut().for_each(|place| *place = usize::from(best == 1 && *place > 0));
                }
                Some(Ended { scores: Some(scores), ..ended })
            }
            Outcome::Places(value) => Some(ended(&self.summed(&each(value)))),
        }
    }

    /// Numbers of the players, those of each team together.
    fn summed(&self, numbers: &[i32]) -> Vec<i64> {
        let team = |p: usize| (0..numbers.len()).filter(move |other| self.rules.together(p, *other));
        let sum = |p: usize| team(p).map(|other| i64::from(numbers[other])).sum();
        (0..numbers.len()).map(sum).collect()
    }

    /// The start values of every variable's entries: seen by the entry's player where it has one, else by
    /// the first.
    pub fn start_values(&self, empty: &NaivePosition) -> Vec<Vec<Value>> {
        let vars = self.rules.state.iter();
        vars.map(|var| {
            let entries: usize = var.per.iter().map(|per| self.indices(*per)).product();
            let players = match var.per.first() {
                Some(farrier::semantics::Per::Player) => self.rules.players.len(),
                _ => 1,
            };
            let entry = |i: usize| {
                let me = i / (entries / players).max(1);
                let start = match var.start.len() {
                    0 => return Value::empty(var.ty),
                    1 => &var.start[0],
                    _ => &var.start[me],
                };
                self.eval(View { pos: empty, me }, &mut Env::new(), start)
            };
            (0..entries).map(entry).collect()
        })
        .collect()
    }
}

/// The place of each player by a number: how many have a greater one.
fn placed(numbers: &[i64]) -> Vec<usize> {
    numbers.iter().map(|own| numbers.iter().filter(|other| *other > own).count()).collect()
}
