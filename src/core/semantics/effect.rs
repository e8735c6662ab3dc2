//! Effects, piece phrases.

use std::collections::BTreeSet;

use super::check::Checker;
use super::direction::Way;
use super::expr::article;
use super::scope::Entity;
use super::tree::{
    BinaryOp, Effect, EffectFunction, EffectKind, Expr, ExprKind, Owner, Relation, TraitValues,
};
use super::types::Type;
use super::walk::Part;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{self, Assign, Name};

impl Checker<'_> {
    /// A list of effects; its `let`s stay in sight until the caller closes its scope.
    pub(super) fn effects(&mut self, effects: &ast::Effects) -> Vec<Effect> {
        effects.0.iter().filter_map(|e| self.effect(e)).collect()
    }

    fn block(&mut self, effect: &ast::Effect) -> Option<Box<Effect>> {
        self.scoped(|this| this.effect(effect)).map(Box::new)
    }

    fn effect(&mut self, effect: &ast::Effect) -> Option<Effect> {
        let before = self.out.0.len();
        let done = self.one_effect(effect);
        if self.out.0.len() > before
            && let Some(two) = self.two_effects(effect)
        {
            self.out.0.truncate(before);
            self.out.push(two);
        }
        done
    }

    fn one_effect(&mut self, effect: &ast::Effect) -> Option<Effect> {
        let span = effect.span;
        let kind = match &effect.kind {
            ast::EffectKind::Block(inner) => EffectKind::Block(self.scoped(|this| this.effects(inner))),
            ast::EffectKind::If(c, a, b) => {
                let c = self.want(c, Type::Bool);
                let a = self.block(a);
                let b = b.as_ref().and_then(|b| self.block(b));
                EffectKind::If(c, a?, b)
            }
            ast::EffectKind::For(name, domain, body) => {
                let domain = self.domain(domain);
                let (local, body) = self.scoped(|this| {
                    let local = this.bind(name, super::expr::member_type(&domain));
                    (local, this.effect(body))
                });
                EffectKind::For(local, domain, Box::new(body?))
            }
            ast::EffectKind::Let(name, value) => {
                let (local, value) = self.let_be(name, value);
                EffectKind::Let(local, value)
            }
            ast::EffectKind::Put(piece, at) => {
                let at = self.want(at, Type::Sites);
                let phrase = self.piece(piece)?;
                let Some(kind) = phrase.kind.or_else(|| self.only_kind(piece.span)) else {
                    let names: Vec<String> = self.def.pieces.iter().map(|p| p.name.text.clone()).collect();
                    let found = Diagnostic::error("piece", piece.span, "which kind of piece?")
                        .here("names no kind")
                        .help(format!("the kinds are {}", names.join(", ")));
                    self.out.push(found);
                    return None;
                };
                if phrase.height.is_some_and(|height| height > 1) && self.def.stack.is_some() {
                    let message = "`double` is for stacks of equal pieces";
                    let found = Diagnostic::error("stack", piece.span, message)
                        .help("the board has a `stack`: put the pieces one after the other");
                    self.out.push(found);
                }
                let owner = phrase.owner.unwrap_or(Owner::Neutral);
                self.owners.note(&owner);
                EffectKind::Put { at, owner, kind, height: phrase.height.unwrap_or(1) }
            }
            ast::EffectKind::Move { from, to, under, upto } => {
                let (from, to) = (self.want(from, Type::SiteOpt), self.want(to, Type::SiteOpt));
                let upto = upto.as_ref().map(|most| self.want(most, Type::Int));
                if (*under || upto.is_some()) && self.def.stack.is_none() {
                    let word = if *under { "under" } else { "upto" };
                    let message = format!("`{word}` is for boards on which any pieces stand on each other");
                    let found = Diagnostic::error("stack", span, message)
                        .help("say how high: `stack = 12` in `[board]`");
                    self.out.push(found);
                }
                EffectKind::Move { from, to, under: *under, upto }
            }
            ast::EffectKind::Turn(at, piece) => {
                let at = self.want(at, Type::Sites);
                let phrase = self.piece(piece)?;
                if phrase.height.is_some() {
                    let message = "`turn` changes owner and kind, not how many pieces there are";
                    self.out.push(Diagnostic::error("piece", piece.span, message));
                }
                phrase.owner.iter().for_each(|owner| self.owners.note(owner));
                EffectKind::Turn { at, owner: phrase.owner, kind: phrase.kind }
            }
            ast::EffectKind::Remove(at) => EffectKind::Remove(self.want(at, Type::Sites)),
            ast::EffectKind::Lift(at) => EffectKind::Lift(self.want(at, Type::Sites)),
            ast::EffectKind::Carry { what, converse, relation, by } => {
                let what = self.want(what, Type::Sites);
                if self.def.stack.is_some() {
                    let message = "`carry` does not go with a `stack` of the board";
                    let found = Diagnostic::error("stack", span, message).help(
                        "move the stacks one by one: `for s in S : move s -> only(R(s)) upto height(s)`",
                    );
                    self.out.push(found);
                }
                let way = self.carried(relation, by)?;
                let converse = *converse;
                self.effect_on_way(way, what, span, |relation, what| EffectKind::Carry {
                    what,
                    relation,
                    converse,
                })
            }
            ast::EffectKind::SwapSides => {
                if self.def.players.len() != 2 {
                    self.out.push(Diagnostic::error("players", span, "`swap sides` needs two players"));
                }
                EffectKind::SwapSides
            }
            ast::EffectKind::Call(name, args) => {
                let Some(Entity::Effect(e)) = self.names.entity(&name.text) else {
                    let near = self.names.entities_where(|e| matches!(e, Entity::Effect(_)));
                    let d = Diagnostic::error(
                        "unknown-name",
                        name.span,
                        format!("there are no effects named `{}`", name.text),
                    )
                    .suggest(&name.text, near);
                    self.out.push(d);
                    return None;
                };
                let params = self.effect_params.get(e).cloned().unwrap_or_default();
                EffectKind::Call(e, self.arguments(name, args, params)?)
            }
            ast::EffectKind::Assign { name, index, how, value } => {
                return self.assign(name, index, *how, value, span);
            }
        };
        Some(Effect { kind, span })
    }

    fn assign(
        &mut self,
        name: &Name,
        index: &[ast::Expr],
        how: Assign,
        value: &ast::Expr,
        span: Span,
    ) -> Option<Effect> {
        let Some(Entity::State(s)) = self.names.entity(&name.text) else {
            let mut d = self.no_such("state variable", name, |e| matches!(e, Entity::State(_)));
            d = d.here("only state variables can be assigned");
            let unknown = d.help.is_none();
            d = match (self.names.peek(&name.text), self.names.local(&name.text)) {
                (Some(e), _) => d.help(format!("`{}` is {}", name.text, e.word())),
                (_, Some(_)) => d.help("a bound name keeps its value"),
                _ => d,
            };
            let index: Vec<Expr> = index.iter().map(|i| self.infer(i)).collect();
            let value = self.infer(value);
            if unknown && self.names.peek(&name.text).is_none() && self.names.local(&name.text).is_none() {
                if self.undeclared.contains(&name.text) {
                    return None;
                }
                self.undeclared.push(name.text.clone());
                d = d.help(self.declaration(name, &index, value.ty));
            }
            self.out.push(d);
            return None;
        };
        let index = self.state_index(s, index, name);
        let ty = self.state.get(s).map_or(Type::Error, |v| v.ty);
        if !self.in_setup
            && let Some(var) = self.state.get_mut(s)
        {
            var.assigned = true;
        }
        let value = self.infer(value);
        let index = index?;
        if value.ty == Type::Error || ty == Type::Error {
            return None;
        }
        let op = match (how, ty) {
            (Assign::Set, _) => None,
            (Assign::Add, Type::Int) => Some(BinaryOp::Add),
            (Assign::Subtract, Type::Int) => Some(BinaryOp::Subtract),
            (Assign::Subtract, Type::Sites | Type::Kinds) => Some(BinaryOp::Minus),
            (Assign::Unite, Type::Sites | Type::Kinds) => Some(BinaryOp::Union),
            (Assign::Meet, Type::Sites | Type::Kinds) => Some(BinaryOp::Meet),
            _ => {
                let message = format!("`{how}` does not go with {}", article(ty));
                let mut d = Diagnostic::error("type", span, message);
                if how == Assign::Add && ty.is_setlike() {
                    d = d.help("sets are joined by `|=`");
                }
                self.out.push(d);
                return None;
            }
        };
        let mut value = self.coerce(value, ty);
        if let Some(op) = op {
            let old = Expr::new(ExprKind::State(s, index.clone()), ty, name.span);
            value = Expr::binary(op, old, value, ty, span);
        }
        Some(Effect { kind: EffectKind::Assign { state: s, index, value }, span })
    }

    /// The only kind of the game, if there is one only.
    fn only_kind(&self, span: Span) -> Option<Expr> {
        (self.def.pieces.len() == 1).then(|| Expr::new(ExprKind::Kind(crate::ids::Kind(0)), Type::Kind, span))
    }

    fn piece(&mut self, piece: &ast::Piece) -> Option<Phrase> {
        let mut phrase = Phrase::default();
        let mut good = true;
        for word in &piece.words {
            let span = word.span;
            let twice = match word.text.as_str() {
                "own" => {
                    phrase.owner.replace(Owner::Player(Expr::new(ExprKind::Me, Type::Player, span))).is_some()
                }
                "enemy" => phrase.owner.replace(Owner::Player(self.name("opponent", span))).is_some(),
                "neutral" => phrase.owner.replace(Owner::Neutral).is_some(),
                "single" => phrase.height.replace(1).is_some(),
                "double" => phrase.height.replace(2).is_some(),
                _ => {
                    let e = self.name(&word.text, span);
                    match e.ty {
                        Type::Player => phrase.owner.replace(Owner::Player(e)).is_some(),
                        Type::Kind | Type::KindOpt => phrase.kind.replace(e).is_some(),
                        Type::Error => {
                            good = false;
                            false
                        }
                        ty => {
                            let message = format!("`{}` is {}, no word of a piece", word.text, article(ty));
                            let found = Diagnostic::error("piece", span, message)
                                    .help("a piece is named by its owner (`own`, `neutral`, a player), `double`, and its kind");
                            self.out.push(found);
                            good = false;
                            false
                        }
                    }
                }
            };
            if twice {
                let message = format!("`{}` says again what was said before", word.text);
                self.out.push(Diagnostic::error("piece", span, message));
                good = false;
            }
        }
        good.then_some(phrase)
    }

    /// The relation by which pieces are carried.
    fn carried(&mut self, name: &Name, by: &[ast::Expr]) -> Option<Way> {
        if !matches!(self.names.peek(&name.text), Some(Entity::Relation(_))) {
            self.out.push(self.no_such("relation", name, |e| matches!(e, Entity::Relation(_))));
            return None;
        }
        let way = self.way(name, by)?;
        let fixed = match &way {
            Way::One(relation) => self.relation_fixed(*relation),
            Way::Each(_, each) => each.iter().all(|r| self.relation_fixed(Relation::Named(*r))),
        };
        if !fixed {
            let message = "`carry` needs a relation that is the same in every position";
            let found = Diagnostic::error("not-fixed", name.span, message)
                .help("use a relation of steps, walks or pairs");
            self.out.push(found);
            return None;
        }
        Some(way)
    }

    /// Whether a trait has patterns.
    pub(super) fn is_pattern_trait(&self, t: usize) -> bool {
        matches!(self.traits.get(t).map(|t| &t.values), Some(TraitValues::Patterns(_)))
    }

    /// Reports assignments before the first turn to numbers that are dealt, in named effects too. A text of the set-up
    /// gives the numbers that were dealt, so the game must begin with them.
    pub(super) fn refuse_dealt(&mut self, effects: &[Effect], named: &[Option<EffectFunction>]) {
        let mut known = BTreeSet::new();
        // Each effect with the place of the call of the named effect that it is a part of.
        let mut todo: Vec<(&Effect, Option<Span>)> = effects.iter().map(|effect| (effect, None)).collect();
        while let Some((effect, asked)) = todo.pop() {
            let place = asked.unwrap_or(effect.span);
            match &effect.kind {
                EffectKind::Assign { state, .. } => {
                    let dealt = self.state.get(*state).filter(|var| var.shuffle.is_some());
                    if let Some(name) = dealt.map(|var| var.name.clone()) {
                        let message = format!(
                            "`{name}` is dealt by the seed: nothing changes it before the first turn"
                        );
                        let help = "change it in a turn, or leave `shuffle` out and set every entry";
                        self.out.push(Diagnostic::error("state", place, message).help(help));
                    }
                }
                EffectKind::Call(effect, _) if known.insert(*effect) => {
                    let body = named.get(*effect).and_then(Option::as_ref).map_or(&[][..], |e| &e.body);
                    todo.extend(body.iter().map(|effect| (effect, Some(place))));
                }
                _ => {}
            }
            Part::Effect(effect).each(&mut |part| {
                if let Part::Effect(inner) = part {
                    todo.push((inner, asked));
                }
            });
        }
    }
}

/// The words of a piece phrase, resolved.
#[derive(Default)]
struct Phrase {
    owner: Option<Owner>,
    kind: Option<Expr>,
    height: Option<u32>,
}
