//! Effects: one after the other, each seeing what the former did.

use farrier::semantics::{Effect, EffectKind, Expr, Owner, Per, Steps};

use super::Naive;
use super::eval::View;
use super::position::{NaivePosition, Piece};
use super::set::Set;
use super::value::{Env, Value};

impl Naive<'_> {
    /// Does effects, as me.
    pub fn run(&self, pos: &mut NaivePosition, me: usize, env: &mut Env, effects: &[Effect]) {
        for effect in effects {
            self.run_one(pos, me, env, effect);
        }
    }

    fn run_one(&self, pos: &mut NaivePosition, me: usize, env: &mut Env, effect: &Effect) {
        let view = View { pos, me };
        match &effect.kind {
            EffectKind::Block(effects) => self.run(pos, me, env, effects),
            EffectKind::If(cond, yes, no) => {
                if self.bool(view, env, cond) {
                    self.run_one(pos, me, env, yes);
                } else if let Some(no) = no {
                    self.run_one(pos, me, env, no);
                }
            }
            EffectKind::For(local, domain, body) => {
                for value in self.domain(view, env, domain) {
                    env.insert(*local, value);
                    self.run_one(pos, me, env, body);
                }
            }
            EffectKind::Let(local, value) => {
                let value = self.eval(view, env, value);
                env.insert(*local, value);
            }
            EffectKind::Put { at, owner, kind, height } => {
                let at = self.sites(view, env, at);
                let owner = self.owner(view, env, owner);
                let kind = self.eval(view, env, kind).kind();
                if let (Some(owner), Some(kind)) = (owner, kind) {
                    let piece = Piece { owner, kind, height: *height };
                    for site in at.iter() {
                        match self.rules.stack() {
                            None => pos.land(site, piece, self.rules.kinds[kind].stack),
                            Some(most) => {
                                let mut stack = pos.stack(site);
                                if stack.len() < most as usize {
                                    stack.push((owner, kind));
                                }
                                pos.set_stack(site, stack);
                            }
                        }
                    }
                }
            }
            EffectKind::Move { from, to, under, upto } => {
                let (from, to) = (self.site(view, env, from), self.site(view, env, to));
                let upto = upto.as_ref().map_or(1, |most| self.eval(view, env, most).int());
                if let (Some(from), Some(to), Some(most)) = (from, to, self.rules.stack()) {
                    pos.shift(from, to, upto, *under, most as usize);
                } else if let (Some(from), Some(to)) = (from, to)
                    && let Some(piece) = pos.lift(from)
                {
                    pos.land(to, piece, self.rules.kinds[piece.kind].stack);
                }
            }
            EffectKind::Remove(at) => {
                for site in self.sites(view, env, at).iter() {
                    pos.set_stack(site, Vec::new());
                }
            }
            EffectKind::Lift(at) => {
                for site in self.sites(view, env, at).iter() {
                    pos.lift(site);
                }
            }
            EffectKind::Turn { at, owner, kind } => {
                let at = self.sites(view, env, at);
                let owner = owner.as_ref().map(|owner| self.owner(view, env, owner));
                let kind = kind.as_ref().map(|kind| self.eval(view, env, kind).kind());
                // A player or kind that is named but is none: nothing happens.
                if owner == Some(None) || kind == Some(None) {
                    return;
                }
                for site in at.iter() {
                    if let Some(piece) = &mut pos.pieces[site] {
                        piece.owner = owner.flatten().unwrap_or(piece.owner);
                        piece.kind = kind.flatten().unwrap_or(piece.kind);
                        piece.height = piece.height.min(self.rules.kinds[piece.kind].stack);
                    }
                }
            }
            EffectKind::Carry { what, relation, converse } => {
                let steps = Steps { relation: *relation, converse: *converse };
                let mut carried = Vec::new();
                for from in self.sites(view, env, what).iter() {
                    let Some(piece) = view.pos.pieces[from] else {
                        continue;
                    };
                    let ends = self.follow(view, env, steps, &Set::from_iter([from]));
                    // A relation that forks is refused where it is run. A `let` that nobody uses is not run but here.
                    carried.extend(ends.iter().next().map(|to| (from, to, piece)));
                }
                for (from, _, _) in &carried {
                    pos.pieces[*from] = None;
                }
                for (_, to, piece) in carried {
                    pos.pieces[to] = Some(piece);
                }
            }
            EffectKind::SwapSides => {
                pos.swap = !pos.swap;
                pos.sides = !pos.sides;
            }
            EffectKind::Call(number, args) => {
                let called = &self.rules.effects[*number];
                let values: Vec<Value> = args.iter().map(|arg| self.eval(view, env, arg)).collect();
                env.extend(called.params.iter().copied().zip(values));
                self.run(pos, me, env, &called.body);
            }
            EffectKind::Assign { state, index, value } => {
                let value = self.eval(view, env, value);
                if let Some(i) = self.entry(view, env, *state, index) {
                    let now = pos.turn_number;
                    let entry = &mut pos.state[*state][i];
                    entry.value = value;
                    entry.assigned = Some(now);
                }
            }
        }
    }

    /// Whose a piece shall be: none if the named player is none, else a player or nobody.
    fn owner(&self, view: View<'_>, env: &mut Env, owner: &Owner) -> Option<Option<usize>> {
        match owner {
            Owner::Player(who) => self.player(view, env, who).map(Some),
            Owner::Neutral => Some(None),
        }
    }

    /// The place of a variable's entry; none if an index is none.
    pub fn entry(&self, view: View<'_>, env: &mut Env, var: usize, index: &[Expr]) -> Option<usize> {
        let mut place = 0;
        for (per, e) in self.rules.state[var].per.iter().zip(index) {
            let i = match (per, self.eval(view, env, e)) {
                (Per::Player, Value::Player(i))
                | (Per::Site, Value::Site(i))
                | (Per::Kind, Value::Kind(i))
                | (Per::Direction, Value::Direction(i)) => i?,
                (per, other) => panic!("{other:?} for {per:?}"),
            };
            place = place * self.indices(*per) + i;
        }
        Some(place)
    }

    /// How many indices there are.
    pub fn indices(&self, per: Per) -> usize {
        match per {
            Per::Player => self.rules.players.len(),
            Per::Site => self.board().len(),
            Per::Kind => self.rules.kinds.len(),
            Per::Direction => self.board().named_labels().count(),
        }
    }
}
