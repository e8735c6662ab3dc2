//! Syntax trees to terms: names looked up, locals numbered, one normal form for equivalent texts.

use super::names::Names;
use super::term::{Class, Label, Local, Many, NOW, Term};
use crate::definition::{OptionValue, Param, Template, TemplatePart};
use crate::source::Span;
use crate::syntax::ast::{
    Assign, Choice, Choose, Clause, ClauseKind, Compare, Domain, Effect, EffectKind, Effects, Expr, ExprKind,
    Flow, FlowKind, Name, Op, Outcome, OutcomeKind, Pattern, Piece, Walk, WalkKind,
};

/// Makes the terms of one definition.
pub struct Build<'n> {
    /// Its names.
    pub names: &'n Names<'n>,
    /// The locals that are bound where it is just now, the innermost last.
    pub locals: Vec<Local>,
    /// The number of the next local.
    next: u32,
}

impl<'n> Build<'n> {
    /// A builder whose locals are numbered from `first`.
    pub fn new(names: &'n Names<'n>, first: u32) -> Build<'n> {
        Build { names, locals: Vec::new(), next: first }
    }

    /// Binds a local.
    pub fn bind(&mut self, name: &str) -> Local {
        let local = (name.to_owned(), self.next);
        self.next += 1;
        self.locals.push(local.clone());
        local
    }

    /// Runs a builder whose locals go out of scope at its end.
    pub fn scope<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let bound = self.locals.len();
        let out = inside(self);
        self.locals.truncate(bound);
        out
    }

    /// A name in a rule.
    fn name(&self, name: &str, span: Span) -> Term {
        let local = self.locals.iter().rev().find(|(local, _)| local == name);
        let label = match (local, self.names.thing(name)) {
            (Some((_, id)), _) => Label::Local(*id),
            (None, Some(Class::Player)) => {
                Label::Ref(Class::Player, self.names.player(name).unwrap_or_default().to_string())
            }
            (None, Some(Class::Option)) => match self.names.option(name) {
                Some(OptionValue::Flag(on)) => Label::Word(on.to_string()),
                Some(OptionValue::Number(number)) => Label::Word(number.to_string()),
                _ => Label::Ref(Class::Option, name.to_owned()),
            },
            (None, Some(class)) => Label::Ref(class, name.to_owned()),
            (None, None) => Label::Word(name.to_owned()),
        };
        let shown = match (local, &label) {
            // Two variants may give it two values.
            (None, Label::Word(value)) if self.names.option(name).is_some() => now(name, value),
            _ => name.to_owned(),
        };
        Term::leaf(label, span, shown)
    }

    /// A call or an index, with its arguments.
    fn call(&self, form: &str, name: &Name, args: Vec<Term>, span: Span, shown: String) -> Term {
        let called = match self.names.thing(&name.text) {
            // An option may share its name with a built-in that is called.
            Some(Class::Option) => Term::word(&name.text, name.span),
            _ => self.word(name),
        };
        let mut kids = vec![called];
        kids.extend(args);
        Term::form(form, kids, span, shown)
    }

    /// An expression.
    pub fn expr(&mut self, expr: &Expr) -> Term {
        let (span, shown) = (expr.span, expr.to_string());
        match &expr.kind {
            ExprKind::Int(number) => Term::word(number.to_string(), span),
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Call { converse, name, by, args } => {
                let call = if *converse { "~()" } else { "()" };
                // The decision that `can` asks for has the other name space.
                let kids = match (name.text.as_str(), &args[..]) {
                    ("can", [Expr { kind: ExprKind::Name(decision), span, .. }, rest @ ..])
                        if self.names.thing("can").is_none_or(|class| class == Class::Option) =>
                    {
                        let label = Label::Ref(Class::Decision, decision.clone());
                        let mut kids = vec![Term::leaf(label, *span, decision.clone())];
                        kids.extend(rest.iter().map(|arg| self.expr(arg)));
                        kids
                    }
                    _ => self.exprs(args),
                };
                match &by[..] {
                    [] => self.call(call, name, kids, span, shown),
                    by => {
                        let form = format!("[{}]{call}", by.len());
                        let kids = self.exprs(by).into_iter().chain(kids).collect();
                        self.call(&form, name, kids, span, shown)
                    }
                }
            }
            ExprKind::Index { name, args } => {
                let kids = self.exprs(args);
                self.call("[]", name, kids, span, shown)
            }
            ExprKind::Converse { name, by } => {
                let kids = self.exprs(by);
                self.call("~", name, kids, span, shown)
            }
            ExprKind::Phrase(words) => Term::many(Many::Meet, self.exprs(words), span, shown),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span, shown),
            ExprKind::Compare(compare, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                compared(*compare, left, right, span, shown)
            }
            ExprKind::Is(value, word) => {
                // Known when the game is loaded, as all options are.
                let known = match &value.kind {
                    ExprKind::Name(name) => self.names.option(name),
                    _ => None,
                };
                match known {
                    Some(OptionValue::Word(known)) => {
                        let holds = (*known == word.text).to_string();
                        let shown = now(&shown, &holds);
                        Term::leaf(Label::Word(holds), span, shown)
                    }
                    _ => {
                        let kids = vec![self.expr(value), Term::word(&word.text, word.span)];
                        Term::form("is", kids, span, shown)
                    }
                }
            }
            ExprKind::Some(inner) => Term::form("some", vec![self.expr(inner)], span, shown),
            ExprKind::No(inner) => {
                let some = Term::form("some", vec![self.expr(inner)], span, shown.clone());
                Term::form("not", vec![some], span, shown)
            }
            ExprKind::Not(inner) => Term::form("not", vec![self.expr(inner)], span, shown),
            ExprKind::If(test, yes, no) => {
                let kids = vec![self.expr(test), self.expr(yes), self.expr(no)];
                Term::form("if", kids, span, shown)
            }
            ExprKind::Quantified(quantifier, name, domain, body) => {
                self.bound(quantifier.to_string(), name, domain, span, shown, |b| b.expr(body))
            }
            ExprKind::Where(name, domain, body) => {
                self.bound("where".to_owned(), name, domain, span, shown, |b| b.expr(body))
            }
            ExprKind::Let(name, value, body) => {
                let value = self.expr(value);
                self.scope(|b| {
                    let binds = Some(b.bind(&name.text));
                    let body = b.expr(body);
                    Term { binds, ..Term::form("let in", vec![value, body], span, shown) }
                })
            }
            ExprKind::After(effects, body) => self.scope(|b| {
                let kids = vec![b.effect_list(&effects.0, span), b.expr(body)];
                Term::form("after", kids, span, shown)
            }),
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Vec<Term> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn binary(&mut self, op: Op, left: &Expr, right: &Expr, span: Span, shown: String) -> Term {
        let (left, right) = (self.expr(left), self.expr(right));
        let sign = match op {
            Op::Or => Many::Or,
            Op::And => Many::And,
            Op::Union => Many::Union,
            Op::Meet => Many::Meet,
            Op::Plus => Many::Sides("+"),
            Op::Times => Many::Sides("*"),
            Op::Otherwise => Many::Otherwise,
            Op::Divide | Op::Modulo => {
                return Term::form(op.to_string(), vec![left, right], span, shown);
            }
            Op::Minus => {
                // `(a - b) - c` takes out both `b` and `c`.
                let mut kids = match left {
                    Term { label: Label::Many(Many::Minus), kids, .. } => kids,
                    left => vec![left],
                };
                kids.push(right);
                return Term::many(Many::Minus, kids, span, shown);
            }
        };
        Term::many(sign, vec![left, right], span, shown)
    }

    /// A form that binds a name: its domain does not see it.
    fn bound(
        &mut self,
        form: String,
        name: &Name,
        domain: &Domain,
        span: Span,
        shown: String,
        body: impl FnOnce(&mut Self) -> Term,
    ) -> Term {
        let domain = self.domain(domain);
        self.scope(|b| {
            let binds = Some(b.bind(&name.text));
            let body = body(b);
            Term { binds, ..Term::form(form, vec![domain, body], span, shown) }
        })
    }

    fn domain(&mut self, domain: &Domain) -> Term {
        match domain {
            Domain::Set(set) => self.expr(set),
            Domain::Range(first, last) => {
                let span = first.span.to(last.span);
                let shown = domain.to_string();
                Term::form("..", vec![self.expr(first), self.expr(last)], span, shown)
            }
        }
    }

    /// The choices of a decision; their names stay bound.
    pub fn choose(&mut self, choose: &Choose) -> Term {
        let kids = choose.choices.iter().map(|choice| self.choice(choice)).collect();
        Term::many(Many::Choices, kids, choose.span, choose.to_string())
    }

    fn choice(&mut self, choice: &Choice) -> Term {
        let shown = choice.to_string();
        let domain = self.domain(&choice.domain);
        let span = choice.name.span.to(domain.span);
        let mark = Term::word(if choice.optional { "?" } else { "" }, choice.name.span);
        let binds = Some(self.bind(&choice.name.text));
        Term { binds, ..Term::form("choice", vec![mark, domain], span, shown) }
    }

    /// Effects; their names are bound in them only.
    pub fn effects(&mut self, effects: &Effects) -> Term {
        let first = effects.0.first().map(|e| e.span).unwrap_or_default();
        let span = effects.0.last().map_or(first, |last| first.to(last.span));
        self.scope(|b| b.effect_list(&effects.0, span))
    }

    fn effect_list(&mut self, effects: &[Effect], span: Span) -> Term {
        let shown = Effects(effects.to_vec()).to_string();
        let kids = effects.iter().map(|effect| self.effect(effect)).collect();
        Term::many(Many::Effects, kids, span, shown)
    }

    /// One effect as a list of effects.
    fn branch(&mut self, effect: Option<&Effect>, span: Span) -> Term {
        let list: Vec<Effect> = effect.into_iter().cloned().collect();
        let span = effect.map_or(span, |effect| effect.span);
        self.scope(|b| b.effect_list(&list, span))
    }

    fn effect(&mut self, effect: &Effect) -> Term {
        let (span, shown) = (effect.span, effect.to_string());
        let form = |name: &str, kids: Vec<Term>| Term::form(name, kids, span, shown.clone());
        match &effect.kind {
            EffectKind::Block(effects) => self.scope(|b| b.effect_list(&effects.0, span)),
            EffectKind::If(test, yes, no) => {
                let end = Span { start: span.end, ..span };
                let kids =
                    vec![self.expr(test), self.branch(Some(yes), span), self.branch(no.as_deref(), end)];
                form("if", kids)
            }
            EffectKind::For(name, domain, body) => {
                self.bound("for".to_owned(), name, domain, span, shown, |b| b.branch(Some(body), span))
            }
            EffectKind::Let(name, value) => {
                let kids = vec![self.expr(value)];
                let binds = Some(self.bind(&name.text));
                Term { binds, ..form("let", kids) }
            }
            EffectKind::Put(piece, place) => form("put", vec![self.piece(piece), self.expr(place)]),
            EffectKind::Move { from, to, under, upto } => {
                let mut kids = vec![self.expr(from), self.expr(to)];
                kids.extend(upto.as_ref().map(|most| self.expr(most)));
                form(if *under { "move under" } else { "move" }, kids)
            }
            EffectKind::Turn(what, piece) => form("turn", vec![self.expr(what), self.piece(piece)]),
            EffectKind::Remove(what) => form("remove", vec![self.expr(what)]),
            EffectKind::Lift(what) => form("lift", vec![self.expr(what)]),
            EffectKind::Carry { what, converse, relation, by } => {
                let name = if *converse { "carry ~" } else { "carry" };
                let mut kids = vec![self.expr(what), self.word(relation)];
                kids.extend(self.exprs(by));
                form(name, kids)
            }
            EffectKind::SwapSides => form("swap sides", Vec::new()),
            EffectKind::Call(name, args) => {
                let kids = self.exprs(args);
                self.call("()", name, kids, span, shown)
            }
            EffectKind::Assign { name, index, value, how } => {
                let mut kids = vec![self.word(name)];
                kids.extend(self.exprs(index));
                kids.push(self.expr(value));
                let sign = match how {
                    Assign::Set => "set =",
                    Assign::Add => "set +=",
                    Assign::Subtract => "set -=",
                    Assign::Unite => "set |=",
                    Assign::Meet => "set &=",
                };
                form(sign, kids)
            }
        }
    }

    /// The course of a turn.
    pub fn flow(&mut self, flow: &Flow) -> Term {
        let (span, shown) = (flow.span, flow.to_string());
        match &flow.kind {
            FlowKind::Sequence(parts) => {
                Term::many(Many::Steps, parts.iter().map(|part| self.flow(part)).collect(), span, shown)
            }
            FlowKind::Either(parts) => {
                Term::many(Many::Either, parts.iter().map(|part| self.flow(part)).collect(), span, shown)
            }
            FlowKind::Try(inner) => Term::form("try", vec![self.flow(inner)], span, shown),
            FlowKind::May(inner) => Term::form("may", vec![self.flow(inner)], span, shown),
            FlowKind::Repeat(inner) => Term::form("repeat", vec![self.flow(inner)], span, shown),
            FlowKind::Longest(inner) => Term::form("longest", vec![self.flow(inner)], span, shown),
            FlowKind::If(inner, test) => {
                Term::form("flow if", vec![self.flow(inner), self.expr(test)], span, shown)
            }
            FlowKind::By(inner, player) => {
                Term::form("flow by", vec![self.flow(inner), self.word(player)], span, shown)
            }
            FlowKind::Name(name) => match self.names.flow(name) {
                Some(class) => Term::leaf(Label::Ref(class, name.to_owned()), span, name),
                None => Term::word(name, span),
            },
        }
    }

    /// How a game ends, or a turn without a move.
    pub fn outcome(&mut self, outcome: &Outcome) -> Term {
        let (span, shown) = (outcome.span, outcome.to_string());
        match &outcome.kind {
            OutcomeKind::If(test, yes, no) => {
                let kids = vec![self.expr(test), self.outcome(yes), self.outcome(no)];
                Term::form("if", kids, span, shown)
            }
            OutcomeKind::Pass | OutcomeKind::Draw | OutcomeKind::Score => Term::word(shown, span),
            OutcomeKind::Places(value) => Term::form("places", vec![self.expr(value)], span, shown),
            OutcomeKind::Wins(player) => Term::form("wins", vec![self.word(player)], span, shown),
            OutcomeKind::Loses(player) => Term::form("loses", vec![self.word(player)], span, shown),
        }
    }

    /// A name that is used without being called.
    pub fn word(&self, name: &Name) -> Term {
        self.name(&name.text, name.span)
    }

    fn piece(&self, piece: &Piece) -> Term {
        let kids = piece.words.iter().map(|word| self.word(word)).collect();
        Term::many(Many::Words, kids, piece.span, piece.to_string())
    }

    /// A movement pattern.
    pub fn pattern(&mut self, pattern: &Pattern) -> Term {
        let ways = pattern.walks.iter().filter(|walk| walk.kind != WalkKind::None);
        let kids = ways.map(|walk| self.walk(walk)).collect();
        Term::many(Many::Ways, kids, pattern.span, pattern.to_string())
    }

    fn walk(&mut self, walk: &Walk) -> Term {
        let bare = Walk { clauses: Vec::new(), ..walk.clone() };
        let last = walk.clauses.first().map_or(walk.span.end, |clause| clause.span.start);
        let span = Span { end: last.max(walk.span.start), ..walk.span };
        let kind = match &walk.kind {
            WalkKind::None => Term::form("none", Vec::new(), span, "none"),
            // Both ways round give the same sites, on squares and on hexagons.
            WalkKind::Leap(a, b) if walk.clauses.iter().all(|c| c.kind != ClauseKind::Through) => {
                let (least, most) = (a.min(b), a.max(b));
                Term::form(format!("leap {least},{most}"), Vec::new(), span, bare.to_string())
            }
            WalkKind::Leap(..) | WalkKind::RideLeap(..) => {
                Term::form(bare.to_string(), Vec::new(), span, bare.to_string())
            }
            WalkKind::Pairs(chains) => {
                let links = chains.iter().flat_map(|chain| chain.windows(2));
                let link = |pair: &[Name]| {
                    let span = pair[0].span.to(pair[1].span);
                    Term::word(format!("{}-{}", pair[0], pair[1]), span)
                };
                Term::many(Many::Pairs, links.map(link).collect(), span, bare.to_string())
            }
            WalkKind::Step(names) | WalkKind::Slide(names) => {
                let kids = names.iter().map(|name| self.word(name)).collect();
                let way = if matches!(walk.kind, WalkKind::Step(_)) { "step" } else { "slide" };
                let shown = bare.to_string();
                Term::form(way, vec![Term::many(Many::Directions, kids, span, &shown)], span, &shown)
            }
            WalkKind::Walk(names) | WalkKind::Ride(names) => {
                let kids = names.iter().map(|name| self.word(name)).collect();
                let way = if matches!(walk.kind, WalkKind::Walk(_)) { "walk" } else { "ride" };
                Term::form(way, vec![Term::many(Many::List, kids, span, "")], span, bare.to_string())
            }
        };
        let clauses: Vec<Term> = walk.clauses.iter().map(|clause| self.clause(clause)).collect();
        let ends = Span { start: span.end.min(walk.span.end), ..walk.span };
        let clauses =
            Term::many(Many::Clauses, clauses, if walk.clauses.is_empty() { walk.span } else { ends }, "");
        Term::form("way", vec![kind, clauses], walk.span, walk.to_string())
    }

    fn clause(&mut self, clause: &Clause) -> Term {
        let word = match clause.kind {
            ClauseKind::Through => "through",
            ClauseKind::Over => "over",
            ClauseKind::Onto => "onto",
            ClauseKind::Upto => "upto",
            ClauseKind::Leaving => "leaving",
        };
        let value = self.expr(&clause.value);
        let shown = format!("{word} {}", value.shown);
        Term::form(word, vec![value], clause.span, shown)
    }

    /// Parameters; their names stay bound.
    pub fn params(&mut self, params: &[Param]) -> Vec<Term> {
        let one = |param: &Param, b: &mut Self| {
            let ty = param.ty.as_ref().map_or("site", |ty| ty.text.as_str());
            b.bind(&param.name.text);
            let shown = match &param.ty {
                Some(ty) => format!("{}: {ty}", param.name),
                None => param.name.text.clone(),
            };
            Term::leaf(Label::Word(ty.to_owned()), param.name.span, shown)
        };
        params.iter().map(|param| one(param, self)).collect()
    }

    /// A text with fields.
    pub fn template(&self, template: &Template) -> Term {
        let mut shown = String::new();
        let mut kids = Vec::new();
        for part in &template.parts {
            match part {
                TemplatePart::Literal(text) => {
                    shown += text;
                    kids.push(Term::word(text.clone(), template.span));
                }
                TemplatePart::Field { name, width } => {
                    let field = match width {
                        0 => format!("{{{name}}}"),
                        _ => format!("{{{name}:0{width}}}"),
                    };
                    shown += &field;
                    let inner = vec![self.word(name)];
                    kids.push(Term::form(format!("field {width}"), inner, name.span, field));
                }
            }
        }
        Term::many(Many::Text, kids, template.span, shown)
    }
}

/// The name of an option in a rule, with its value.
fn now(shown: &str, value: &str) -> String {
    format!("{shown}{NOW}{value})")
}

/// A comparison in its one form: `<` and `<=` only, `not` apart, the sides of `=` without order.
fn compared(compare: Compare, left: Term, right: Term, span: Span, shown: String) -> Term {
    let (form, kids, negated) = match compare {
        Compare::In => ("in", vec![left, right], false),
        Compare::NotIn => ("in", vec![left, right], true),
        Compare::Less => ("<", vec![left, right], false),
        Compare::LessOrEqual => ("<=", vec![left, right], false),
        Compare::Greater => ("<", vec![right, left], false),
        Compare::GreaterOrEqual => ("<=", vec![right, left], false),
        Compare::Equal => ("=", vec![left, right], false),
        Compare::NotEqual => ("=", vec![left, right], true),
    };
    let test = match form {
        "=" => Term::many(Many::Sides("="), kids, span, shown.clone()),
        _ => Term::form(form, kids, span, shown.clone()),
    };
    if negated { Term::form("not", vec![test], span, shown) } else { test }
}
