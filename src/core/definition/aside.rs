//! A game in which one player goes without an option. The rules without the option hold for that player, the rules with
//! the option for all others.
//!
//! Only rules for the player who decides can differ so: choices, conditions, effects, definitions, flows. The board,
//! the start, the moves of pieces and the ends are the same for all players. If the option changes them there is no
//! such game.

use super::model::{DecisionDef, Define, Definition, EffectDef, Param, PerPlayer, Rule};
use crate::source::Span;
use crate::syntax::ast::{
    self, Choice, Choose, Compare, Domain, Effect, EffectKind, Effects, Expr, ExprKind, Flow, FlowKind, Name,
    Op,
};

/// The game `with` an option in which one player has the rules of the game `without` it. Both are of the same files.
///
/// # Errors
/// The option changes something that is the same for all players; the error names it.
pub fn aside(with: &Definition, without: &Definition, player: usize) -> Result<Definition, &'static str> {
    let name = with.players.get(player).ok_or("the players")?.text.clone();
    let both = Both { name, player, players: with.players.len() };
    let same = [
        (with.players == without.players, "the players"),
        (with.teams == without.teams, "the teams"),
        (with.board == without.board, "the board"),
        (with.setup == without.setup, "the start"),
        (with.position == without.position, "the texts of positions"),
        (with.ends == without.ends, "how games end"),
        (with.score == without.score && with.match_ == without.match_, "the score"),
        (with.turn.opening == without.turn.opening, "the opening"),
        (with.turn.stuck == without.turn.stuck, "what happens without a move"),
        (with.turn.skip == without.turn.skip, "whose turn it is"),
        (agree(&with.pieces, &without.pieces, |piece| &piece.name), "how pieces go"),
        (agree(&with.relations, &without.relations, |relation| &relation.name), "relations"),
        (agree(&with.state, &without.state, |state| &state.name), "what the game remembers"),
    ];
    if let Some((_, what)) = same.iter().find(|(same, _)| !same) {
        return Err(what);
    }
    let mut out = with.clone();
    out.defines = all(&with.defines, &without.defines, |d| &d.name, |a, b| both.define(a, b))?;
    out.effects = all(&with.effects, &without.effects, |e| &e.name, |a, b| both.effect(a, b))?;
    out.flows = all(
        &with.flows,
        &without.flows,
        |(name, _)| name,
        |(name, a), (_, b)| Ok((name.clone(), both.rule(a, b, |a, b| both.flow(a, b)))),
    )?;
    let main = either(with.turn.main.as_ref(), without.turn.main.as_ref(), "the turn")?;
    out.turn.main = main.map(|(a, b)| both.rule(a, b, |a, b| both.flow(a, b)));
    out.turn.finish = both.effects(with.turn.finish.as_ref(), without.turn.finish.as_ref());
    let known = |d: &&DecisionDef| with.decisions.iter().any(|own| own.name.text == d.name.text);
    if !without.decisions.iter().all(|d| known(&d)) {
        return Err("which decisions there are");
    }
    for decision in &mut out.decisions {
        match without.decisions.iter().find(|d| d.name.text == decision.name.text) {
            Some(other) => *decision = both.decision(decision, other)?,
            None => decision.where_ = Some(both.banned(decision)),
        }
    }
    Ok(out)
}

/// Whether things of the same name are the same.
fn agree<T: PartialEq>(a: &[T], b: &[T], name: impl Fn(&T) -> &Name) -> bool {
    b.iter().all(|b| a.iter().all(|a| name(a).text != name(b).text || a == b))
}

/// Things of both games: those of one name together.
fn all<T: Clone + PartialEq>(
    with: &[T],
    without: &[T],
    name: impl Fn(&T) -> &Name,
    join: impl Fn(&T, &T) -> Result<T, &'static str>,
) -> Result<Vec<T>, &'static str> {
    let named = |list: &'_ [T], wanted: &T| list.iter().position(|t| name(t).text == name(wanted).text);
    let mut out = Vec::new();
    for own in with {
        out.push(match named(without, own).and_then(|at| without.get(at)) {
            Some(other) if other != own => join(own, other)?,
            _ => own.clone(),
        });
    }
    out.extend(without.iter().filter(|other| named(with, other).is_none()).cloned());
    Ok(out)
}

/// The rules of both games, or none if neither has one.
fn either<'r, T>(
    with: Option<&'r T>,
    without: Option<&'r T>,
    what: &'static str,
) -> Result<Option<(&'r T, &'r T)>, &'static str> {
    match (with, without) {
        (Some(a), Some(b)) => Ok(Some((a, b))),
        (None, None) => Ok(None),
        _ => Err(what),
    }
}

/// Whether parameters are called alike and are of one type.
fn alike(a: &[Param], b: &[Param]) -> bool {
    let words = |param: &Param| (param.name.text.clone(), param.ty.as_ref().map(|ty| ty.text.clone()));
    a.iter().map(words).eq(b.iter().map(words))
}

/// Who goes without the option.
struct Both {
    name: String,
    player: usize,
    players: usize,
}

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

impl Both {
    /// `mover = PLAYER`, or `!=`.
    fn mover(&self, how: Compare) -> Expr {
        let name = |name: &str| Box::new(expr(ExprKind::Name(name.to_owned())));
        expr(ExprKind::Compare(how, name("mover"), name(&self.name)))
    }

    /// A rule that differs, made of both.
    fn rule<T: Clone + PartialEq>(
        &self,
        with: &Rule<T>,
        without: &Rule<T>,
        join: impl Fn(&T, &T) -> T,
    ) -> Rule<T> {
        match with.tree == without.tree {
            true => with.clone(),
            false => Rule { tree: join(&with.tree, &without.tree), parts: with.parts.clone() },
        }
    }

    fn expr(&self, with: &Expr, without: &Expr) -> Expr {
        let [mover, without, with] =
            [self.mover(Compare::Equal), without.clone(), with.clone()].map(Box::new);
        expr(ExprKind::If(mover, without, with))
    }

    /// A condition; if there is none it holds.
    fn condition(&self, with: Option<&Rule<Expr>>, without: Option<&Rule<Expr>>) -> Option<Rule<Expr>> {
        let holds = Rule { tree: expr(ExprKind::Name("true".to_owned())), parts: Vec::new() };
        match (with, without) {
            (None, None) => None,
            (a, b) => Some(self.rule(a.unwrap_or(&holds), b.unwrap_or(&holds), |a, b| self.expr(a, b))),
        }
    }

    fn effects(
        &self,
        with: Option<&Rule<Effects>>,
        without: Option<&Rule<Effects>>,
    ) -> Option<Rule<Effects>> {
        let nothing = Rule { tree: Effects::default(), parts: Vec::new() };
        match (with, without) {
            (None, None) => None,
            (a, b) => Some(self.rule(a.unwrap_or(&nothing), b.unwrap_or(&nothing), |a, b| self.block(a, b))),
        }
    }

    fn block(&self, with: &Effects, without: &Effects) -> Effects {
        let effect = |kind| Effect { kind, span: Span::default() };
        let block = |list: &Effects| Box::new(effect(EffectKind::Block(list.clone())));
        // An empty block is not written.
        let kind = match (with.0.is_empty(), without.0.is_empty()) {
            (true, _) => EffectKind::If(self.mover(Compare::Equal), block(without), None),
            (_, true) => EffectKind::If(self.mover(Compare::NotEqual), block(with), None),
            _ => EffectKind::If(self.mover(Compare::Equal), block(without), Some(block(with))),
        };
        Effects(vec![effect(kind)])
    }

    fn flow(&self, with: &Flow, without: &Flow) -> Flow {
        let flow = |kind| Flow { kind, span: Span::default() };
        let only = |inner: &Flow, how| flow(FlowKind::If(Box::new(inner.clone()), self.mover(how)));
        flow(FlowKind::Sequence(vec![only(without, Compare::Equal), only(with, Compare::NotEqual)]))
    }

    fn define(&self, with: &Define, without: &Define) -> Result<Define, &'static str> {
        if !alike(&with.params, &without.params) || with.region != without.region {
            return Err("what a definition is given");
        }
        if with.body.all() == without.body.all() {
            return Ok(with.clone());
        }
        let body = |player| if player == self.player { &without.body } else { &with.body };
        let each = (0..self.players).map(|player| body(player).of(player).cloned());
        let body = each.collect::<Option<Vec<_>>>().ok_or("the players")?;
        Ok(Define { body: PerPlayer::Each(body), ..with.clone() })
    }

    fn effect(&self, with: &EffectDef, without: &EffectDef) -> Result<EffectDef, &'static str> {
        match alike(&with.params, &without.params) {
            true => {
                let body = self.rule(&with.body, &without.body, |a, b| self.block(a, b));
                Ok(EffectDef { body, ..with.clone() })
            }
            false => Err("what an effect is given"),
        }
    }

    fn decision(&self, with: &DecisionDef, without: &DecisionDef) -> Result<DecisionDef, &'static str> {
        let said = with.text == without.text
            && with.repeats == without.repeats
            && with.chance == without.chance
            && with.weight == without.weight;
        let lets = || with.lets.iter().zip(&without.lets);
        if !said || with.lets.len() != without.lets.len() || lets().any(|((a, _), (b, _))| a.text != b.text) {
            return Err("what is chosen");
        }
        let choose = match either(with.choose.as_ref(), without.choose.as_ref(), "what is chosen")? {
            Some((a, b)) => Some(Rule { tree: self.choose(&a.tree, &b.tree)?, parts: a.parts.clone() }),
            None => None,
        };
        let joined =
            lets().map(|((name, a), (_, b))| (name.clone(), self.rule(a, b, |a, b| self.expr(a, b))));
        Ok(DecisionDef {
            when: self.condition(with.when.as_ref(), without.when.as_ref()),
            choose,
            lets: joined.collect(),
            where_: self.condition(with.where_.as_ref(), without.where_.as_ref()),
            effects: self.effects(with.effects.as_ref(), without.effects.as_ref()),
            keeps: self.condition(with.keeps.as_ref(), without.keeps.as_ref()),
            ..with.clone()
        })
    }

    fn choose(&self, with: &Choose, without: &Choose) -> Result<Choose, &'static str> {
        let same = |a: &Choice, b: &Choice| a.name.text == b.name.text && a.optional == b.optional;
        let pairs = || with.choices.iter().zip(&without.choices);
        if with.choices.len() != without.choices.len() || !pairs().all(|(a, b)| same(a, b)) {
            return Err("what is chosen");
        }
        let choices = pairs().map(|(a, b)| match (&a.domain, &b.domain) {
            (x, y) if x == y => Ok(a.clone()),
            (Domain::Set(x), Domain::Set(y)) => {
                Ok(Choice { domain: Domain::Set(self.expr(x, y)), ..a.clone() })
            }
            _ => Err("what is chosen"),
        });
        Ok(Choose { choices: choices.collect::<Result<_, _>>()?, span: with.span })
    }

    /// The condition of a decision that only the others have.
    fn banned(&self, decision: &DecisionDef) -> Rule<ast::Expr> {
        let others = self.mover(Compare::NotEqual);
        match &decision.where_ {
            None => Rule { tree: others, parts: Vec::new() },
            Some(rule) => {
                let tree = ExprKind::Binary(Op::And, Box::new(others), Box::new(rule.tree.clone()));
                Rule { tree: expr(tree), parts: rule.parts.clone() }
            }
        }
    }
}
