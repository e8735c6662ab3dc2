//! Flows, outcomes, decisions, ends.

use std::collections::BTreeSet;

use super::check::Checker;
use super::scope::{Act, Entity};
use super::tree::{
    BinaryOp, Builtin, ChosenVar, Decision, Domain, End, Expr, ExprKind, Flow, Match, MovePart, Outcome, Turn,
};
use super::types::Type;
use super::uses::Uses;
use crate::definition::{DecisionDef, Rule, Template, TemplatePart};
use crate::diagnostic::Diagnostic;
use crate::ids::Player;
use crate::syntax::ast::{self, FlowKind, Name, OutcomeKind};

/// Whose choices are on offer, as far as the definition tells.
#[derive(Clone, Copy, PartialEq)]
enum Whose {
    Mover,
    /// The player after the mover.
    Next,
    Player(Player),
}

impl Whose {
    /// Whether two are never the same player.
    fn differs(self, other: Whose) -> bool {
        // Who moves may be any of the players.
        let known = |whose| matches!(whose, Whose::Player(_));
        self != other && known(self) == known(other)
    }

    fn text(self, players: &[Name]) -> String {
        match self {
            Whose::Mover => "the mover's".to_owned(),
            Whose::Next => "the next player's".to_owned(),
            Whose::Player(p) => format!("{}'s", players.get(p.index()).map_or("", |p| p.text.as_str())),
        }
    }
}

/// Whether a flow has a `longest` in it.
fn searches(flow: &Flow) -> bool {
    matches!(flow, Flow::Longest(_)) || flow.parts().iter().any(searches)
}

impl Checker<'_> {
    /// A flow, named flows inlined.
    pub(super) fn flow(&mut self, flow: &ast::Flow) -> Option<Flow> {
        Some(match &flow.kind {
            FlowKind::Sequence(steps) => Flow::Sequence(self.flow_list(steps)?),
            FlowKind::Either(steps) => {
                let parts = self.flow_list(steps)?;
                self.one_player(steps, &parts);
                Flow::Either(parts)
            }
            FlowKind::Try(f) => Flow::Try(Box::new(self.flow(f)?)),
            FlowKind::May(f) => Flow::May(Box::new(self.flow(f)?)),
            FlowKind::Repeat(f) => Flow::Repeat(Box::new(self.flow(f)?)),
            FlowKind::Longest(f) => {
                let inner = self.flow(f)?;
                if searches(&inner) {
                    // Each path of the outer one would be a search, so the work would grow with each level.
                    let d = Diagnostic::error("flow", flow.span, "`longest` stands inside another `longest`");
                    self.out.push(d.help("one `longest` around all of it compares whole paths"));
                    return None;
                }
                Flow::Longest(Box::new(inner))
            }
            FlowKind::If(f, c) => {
                let c = self.want(c, Type::Bool);
                Flow::If(Box::new(self.flow(f)?), c)
            }
            FlowKind::By(f, p) => {
                let p = self.player(p);
                Flow::By(Box::new(self.flow(f)?), p)
            }
            FlowKind::Name(name) => match self.names.act(name) {
                Some(Act::Decision(d)) => Flow::Decision(d),
                Some(Act::Flow(i)) => {
                    let (_, rule) = self.def.flows.get(i)?;
                    if self.circular.contains(&i) {
                        return None;
                    }
                    self.flow(&rule.tree)?
                }
                None if name == "pass" => Flow::Pass,
                None => {
                    let mut known: Vec<&str> = self.names.act_names().collect();
                    known.push("pass");
                    known.sort_unstable();
                    let d = Diagnostic::error(
                        "unknown-name",
                        flow.span,
                        format!("there is no decision or flow `{name}`"),
                    )
                    .here("unknown decision");
                    let dropped = self.def.dropped.iter().find(|n| n.text == *name);
                    self.out.push(match dropped {
                        Some(dropped) => d.and(dropped.span, "taken out here"),
                        None => d.help(format!("there are {}", known.join(", "))).suggest(name, known),
                    });
                    return None;
                }
            },
        })
    }

    /// All choices on offer at one time are one player's: reports the parts of an `either` that always belong to
    /// different players.
    fn one_player(&mut self, steps: &[ast::Flow], parts: &[Flow]) {
        let mut first: Option<(&ast::Flow, Whose)> = None;
        for (step, part) in steps.iter().zip(parts) {
            let Some(whose) = self.whose(part, Whose::Mover) else { continue };
            match first {
                None => first = Some((step, whose)),
                Some((other, known)) if known.differs(whose) => {
                    let message = "the parts of `either` are offered to one player, and these belong to two";
                    let found = Diagnostic::error("flow", step.span, message)
                        .here(whose.text(&self.def.players))
                        .and(other.span, known.text(&self.def.players))
                        .help("put the `by` around the whole `either`, or let one part follow the other");
                    self.out.push(found);
                    return;
                }
                Some(_) => {}
            }
        }
    }

    /// The player whose choices a flow offers, relative to the mover around it; none if that is unknown, or if the
    /// flow may end before anything is offered.
    fn whose(&self, flow: &Flow, mover: Whose) -> Option<Whose> {
        match flow {
            Flow::Decision(d) => {
                let due = self.def.decisions.get(*d).is_some_and(|d| d.when.is_none());
                due.then_some(mover)
            }
            Flow::Pass => Some(mover),
            Flow::Sequence(list) => self.whose(list.first()?, mover),
            Flow::Either(list) => {
                let mut all = list.iter().map(|f| self.whose(f, mover));
                let first = all.next()??;
                all.all(|other| other == Some(first)).then_some(first)
            }
            Flow::Try(f) | Flow::May(f) | Flow::Repeat(f) | Flow::Longest(f) => self.whose(f, mover),
            Flow::If(..) => None,
            Flow::By(f, who) => {
                let players = self.def.players.len();
                let by = match &who.kind {
                    ExprKind::Player(p) => Whose::Player(*p),
                    ExprKind::Me => mover,
                    ExprKind::Builtin(Builtin::Next, _) if self.def.turn.skip.is_some() => return None,
                    ExprKind::Builtin(Builtin::Next, _) if players == 1 => mover,
                    ExprKind::Builtin(Builtin::Next | Builtin::Opponent, _) => match mover {
                        Whose::Player(p) => Whose::Player(Player((p.0 + 1) % players as u8)),
                        Whose::Mover => Whose::Next,
                        Whose::Next if players == 2 => Whose::Mover,
                        Whose::Next => return None,
                    },
                    _ => return None,
                };
                self.whose(f, by)
            }
        }
    }

    fn flow_list(&mut self, steps: &[ast::Flow]) -> Option<Vec<Flow>> {
        let list: Vec<Option<Flow>> = steps.iter().map(|s| self.flow(s)).collect();
        list.into_iter().collect()
    }

    /// A player by name.
    fn player(&mut self, name: &Name) -> Expr {
        let found = self.name(&name.text, name.span);
        self.coerce(found, Type::Player)
    }

    /// `[turn]`.
    pub(super) fn turn(&mut self) -> Option<Turn> {
        let turn = &self.def.turn;
        let mut opening = Vec::new();
        for rule in &turn.opening {
            let Some(flow) = self.flow(&rule.tree) else { continue };
            // `f by P` as a whole opening turn makes it P's turn.
            opening.push(match flow {
                Flow::By(f, Expr { kind: ExprKind::Player(p), .. }) => (*f, Some(p)),
                Flow::By(f, who) => match &who.kind {
                    ExprKind::Me => (*f, None),
                    _ => (Flow::By(f, who), None),
                },
                flow => (flow, None),
            });
        }
        let main = turn.main.as_ref().and_then(|r| self.flow(&r.tree));
        let mark = self.names.open();
        // Flows that nothing names are checked too, without making the names in them reachable.
        let reached = self.names.used_acts.clone();
        for (i, (_, rule)) in self.def.flows.iter().enumerate() {
            if !reached.contains(&Act::Flow(i)) {
                let _ = self.flow(&rule.tree);
            }
        }
        self.names.used_acts = reached;
        let finish = turn.finish.as_ref().map(|r| self.effects(&r.tree)).unwrap_or_default();
        self.names.close(mark);
        let skip = turn.skip.as_ref().map(|r| self.want(&r.tree, Type::Bool));
        let stuck = match &turn.stuck {
            Some(r) => self.outcome(&r.tree)?,
            None => Outcome::Draw,
        };
        Some(Turn { opening, main: main?, finish, skip, stuck })
    }

    fn outcome(&mut self, outcome: &ast::Outcome) -> Option<Outcome> {
        Some(match &outcome.kind {
            OutcomeKind::If(c, a, b) => {
                let c = self.want(c, Type::Bool);
                let (a, b) = (self.outcome(a), self.outcome(b));
                Outcome::If(c, Box::new(a?), Box::new(b?))
            }
            OutcomeKind::Pass => Outcome::Pass,
            OutcomeKind::Draw => Outcome::Draw,
            OutcomeKind::Score => {
                if self.def.score.is_none() {
                    let message = "the outcome is `score`, but there is no score";
                    let found = Diagnostic::error("missing-key", outcome.span, message)
                        .here("who has more of what?")
                        .help("add `[score]` with `value = \"...\"`, a number for each player as mover");
                    self.out.push(found);
                }
                Outcome::Score
            }
            OutcomeKind::Places(e) => Outcome::Places(self.want(e, Type::Int)),
            OutcomeKind::Wins(p) => Outcome::Wins(self.player(p)),
            OutcomeKind::Loses(p) => {
                let who = self.player(p);
                match self.def.players.len() {
                    2 => Outcome::Wins(self.other(who)),
                    3.. => Outcome::Loses(who),
                    _ => {
                        let message = "nobody is there to win when the only player loses";
                        let found = Diagnostic::error("players", outcome.span, message).help("say `draw`");
                        self.out.push(found);
                        return None;
                    }
                }
            }
        })
    }

    /// The other one of two players.
    fn other(&self, who: Expr) -> Expr {
        let (ty, span) = (who.ty, who.span);
        let kind = match who.kind {
            ExprKind::Me => ExprKind::Builtin(Builtin::Opponent, Vec::new()),
            ExprKind::Builtin(Builtin::Opponent, _) => ExprKind::Me,
            ExprKind::Player(p) => ExprKind::Player(Player(1 - p.0.min(1))),
            kind => {
                let player = |p| Box::new(Expr::new(ExprKind::Player(Player(p)), ty, span));
                let is = |p| {
                    let who = Expr::new(kind.clone(), ty, span);
                    Box::new(Expr::binary(BinaryOp::Equal, who, *player(p), Type::Bool, span))
                };
                // Nobody has no other.
                let nobody = Box::new(Expr::new(ExprKind::None, ty, span));
                let second = Expr::new(ExprKind::If(is(1), player(0), nobody), ty, span);
                ExprKind::If(is(0), player(1), Box::new(second))
            }
        };
        Expr::new(kind, ty, span)
    }

    /// A decision.
    pub(super) fn decision(&mut self, d: &DecisionDef) -> Decision {
        let when = d.when.as_ref().map(|r| self.want(&r.tree, Type::Bool));
        let mark = self.names.open();
        let mut vars = Vec::new();
        for choice in d.choose.iter().flat_map(|r| &r.tree.choices) {
            let domain = self.domain(&choice.domain);
            let ty = match (super::expr::member_type(&domain), choice.optional) {
                (Type::Site, true) => Type::SiteOpt,
                (Type::Kind, true) => Type::KindOpt,
                (ty, true) => {
                    let message = format!(
                        "`{}?` may be none, but {} cannot",
                        choice.name.text,
                        super::expr::article(ty)
                    );
                    self.out.push(Diagnostic::error("type", choice.name.span, message));
                    ty
                }
                (ty, false) => ty,
            };
            if let Domain::Range(a, b) = &domain
                && (super::fold::int(a).is_none() || super::fold::int(b).is_none())
            {
                let message = "a number is chosen between bounds that are known when the game is loaded";
                let found = Diagnostic::error("not-fixed", choice.name.span, message)
                    .help("narrow it down by `where`");
                self.out.push(found);
            }
            let local = self.bind(&choice.name, ty);
            vars.push(ChosenVar { local, optional: choice.optional, domain });
        }
        let lets = self.lets(&d.lets);
        let where_ = d.where_.as_ref().map(|r| self.want(&r.tree, Type::Bool));
        let weight = d.weight.as_ref().map(|r| self.want(&r.tree, Type::Int));
        let inner = self.names.open();
        let effects = d.effects.as_ref().map(|r| self.effects(&r.tree)).unwrap_or_default();
        self.names.close(inner);
        let keeps = d.keeps.as_ref().map(|r| self.want(&r.tree, Type::Bool));
        if let Some(keeps) = &keeps {
            self.refuse_seen(keeps, true);
        }
        let text = d.text.as_ref().map(|t| self.move_text(t, d)).unwrap_or_default();
        let joined = d.joined.as_ref().map(|t| self.move_text(t, d));
        if let Some(t) = d.joined.as_ref().filter(|t| t.parts.is_empty()) {
            let found = Diagnostic::error("bad-template", t.span, "an empty text cannot be told from none")
                .help("say what is written behind the ply before it, such as the site that is reached");
            self.out.push(found);
        }
        self.names.close(mark);
        // A name that is not known may be meant for one that is left out.
        if let Some(t) = d.text.as_ref().filter(|t| t.parts.len() == text.len()) {
            self.printed(d, t, &vars);
        }
        Decision {
            name: d.name.text.clone(),
            when,
            vars,
            lets,
            where_,
            effects,
            keeps,
            repeats: d.repeats,
            text,
            joined,
            chance: d.chance,
            weight,
            span: d.name.span,
        }
    }

    /// A chosen name that the text leaves out gives several moves one text, unless there is one choice of it.
    /// Conditions that name it may leave one choice; whether they do shows in play.
    fn printed(&mut self, d: &DecisionDef, text: &Template, vars: &[ChosenVar]) {
        let choices = d.choose.iter().flat_map(|r| &r.tree.choices);
        for (choice, var) in choices.zip(vars) {
            let printed = text
                .parts
                .iter()
                .any(|p| matches!(p, TemplatePart::Field { name, .. } if name.text == choice.name.text));
            let many = matches!(&var.domain, Domain::Range(..) | Domain::Players)
                || matches!(&var.domain, Domain::Sites(e) if matches!(e.kind, ExprKind::All | ExprKind::Builtin(..)));
            if !printed && many && !narrowed(d, &choice.name.text) {
                let message = format!(
                    "the text leaves out `{}`: choices that differ in it have one text",
                    choice.name.text
                );
                let found = Diagnostic::error("one-text", text.span, message)
                    .here(format!("put `{{{}}}` in", choice.name.text))
                    .and(choice.name.span, "chosen here");
                self.out.push(found);
            }
        }
    }

    /// The `let`s in order of dependence: each after those that it uses.
    fn lets(&mut self, lets: &[(Name, Rule<ast::Expr>)]) -> Vec<(super::tree::LocalId, Expr)> {
        let names = |rule: &Rule<ast::Expr>| -> BTreeSet<String> {
            let mut uses = Uses::default();
            uses.expr(&rule.tree);
            uses.list.into_iter().map(|u| u.name).collect()
        };
        let mut left: Vec<_> = lets.iter().map(|l| (l, names(&l.1))).collect();
        let mut done = Vec::new();
        while !left.is_empty() {
            let ready = left
                .iter()
                .position(|(_, names)| !left.iter().any(|((other, _), _)| names.contains(&other.text)));
            let Some(i) = ready else {
                if let Some(((name, _), _)) = left.first() {
                    let all: Vec<String> = left.iter().map(|((n, _), _)| format!("`{}`", n.text)).collect();
                    let message = match left.len() {
                        1 => format!("`{}` is defined by itself", name.text),
                        _ => format!("{} are defined by each other", all.join(", ")),
                    };
                    let mut d = Diagnostic::error("cycle", name.span, message);
                    for ((other, _), _) in left.iter().skip(1) {
                        d = d.and(other.span, "and this");
                    }
                    self.out.push(d.help("each `let` can name those that can be evaluated before it"));
                }
                // Rules that name them get no second report.
                for ((name, _), _) in left {
                    self.bind(name, Type::Error);
                }
                break;
            };
            let ((name, rule), _) = left.remove(i);
            done.push(self.let_be(name, &rule.tree));
        }
        done
    }

    fn move_text(&mut self, text: &Template, d: &DecisionDef) -> Vec<MovePart> {
        let names: Vec<&str> =
            d.choose.iter().flat_map(|r| &r.tree.choices).map(|c| c.name.text.as_str()).collect();
        text.parts
            .iter()
            .filter_map(|p| match p {
                TemplatePart::Literal(t) => {
                    if t.contains(|c: char| c.is_whitespace() || c == ',') {
                        let message =
                            "a move is written without blanks and commas, which stand between moves";
                        self.out.push(
                            Diagnostic::error("bad-template", text.span, message).help("join words with `-`"),
                        );
                    }
                    Some(MovePart::Literal(t.clone()))
                }
                TemplatePart::Field { name, width } => match names.iter().position(|n| *n == name.text) {
                    Some(i) => Some(MovePart::Var(i, *width)),
                    None => {
                        let known = if names.is_empty() {
                            "nothing is chosen".to_owned()
                        } else {
                            format!("chosen are {}", names.join(", "))
                        };
                        let d = Diagnostic::error(
                            "unknown-name",
                            name.span,
                            format!("the text names `{}`, which is not chosen", name.text),
                        )
                        .help(known)
                        .suggest(&name.text, names.iter().copied());
                        self.out.push(d);
                        None
                    }
                },
            })
            .collect()
    }

    /// The ends.
    pub(super) fn ends(&mut self) -> Vec<End> {
        let def = self.def;
        let mut ends = Vec::new();
        for e in &def.ends {
            let when = self.want(&e.when.tree, Type::Bool);
            if let Some(span) = super::uses::pass_in(&e.result.tree) {
                let found = Diagnostic::error("type", span, "an end cannot be a pass")
                    .help("`pass` is for `stuck`: what a mover without a move does");
                self.out.push(found);
                continue;
            }
            let Some(result) = self.outcome(&e.result.tree) else { continue };
            ends.push(End {
                name: e.name.text.clone(),
                when,
                result,
                at_turn: e.at_turn,
                perft: e.perft,
                span: e.name.span,
            });
        }
        ends
    }

    /// `[match]`.
    pub(super) fn match_(&mut self) -> Option<Match> {
        let m = self.def.match_.as_ref()?;
        let (won, score, points) = self.scoped(|this| {
            let won = this.names.bind("won", Type::Bool);
            let score = this.names.bind("score", Type::Int);
            (won, score, this.want(&m.points.tree, Type::Int))
        });
        if let Some(name) = &m.alternate
            && !matches!(self.names.entity(&name.text), Some(Entity::Option(_)))
        {
            self.out.push(self.no_such("option", name, |e| matches!(e, Entity::Option(_))));
        }
        Some(Match {
            target: m.target,
            points,
            won,
            score,
            alternate: m.alternate.as_ref().map(|n| n.text.clone()),
        })
    }
}

/// Whether something that can rule choices out names a chosen name: another choice, `where`, or `keeps`, which sees
/// the position after the effects.
fn narrowed(d: &DecisionDef, name: &str) -> bool {
    let effects = d.effects.clone().filter(|_| d.keeps.is_some() || !d.repeats);
    let mut uses = Uses::default();
    uses.decision(&DecisionDef { effects, weight: None, ..d.clone() });
    uses.list.iter().any(|u| u.name == name)
}
