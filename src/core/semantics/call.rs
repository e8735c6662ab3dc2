//! Calls: definitions, relations, traits, built-ins.

use super::builtins::{self, Means, Row, Takes};
use super::check::Checker;
use super::direction::Way;
use super::scope::Entity;
use super::tree::{Expr, ExprKind, LocalId, Relation, Steps, TraitValues};
use super::types::Type;
use crate::board::DirGroup;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{self, Name};
use crate::wording::many;

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        converse: bool,
        name: &Name,
        by: &[ast::Expr],
        args: &[ast::Expr],
        span: Span,
    ) -> Expr {
        if self.names.local(&name.text).is_some() {
            let message = format!("`{}` is a value and takes no arguments", name.text);
            return self.refuse(span, Diagnostic::error("type", name.span, message));
        }
        let Some(entity) = self.names.entity(&name.text) else {
            self.unknown(&name.text, name.span);
            args.iter().for_each(|a| drop(self.infer(a)));
            return Expr::error(span);
        };
        let entity = match entity {
            Entity::Option(_) if builtins::named(&name.text).next().is_some() => Entity::Builtin,
            other => other,
        };
        let followed = match entity {
            Entity::Relation(_) => true,
            Entity::Trait(t) => self.is_pattern_trait(t),
            Entity::Builtin => name.text == "near",
            _ => false,
        };
        if followed {
            let [arg] = args else { return self.arity(name, 1, args.len(), span) };
            let Some(way) = self.way(name, by) else { return Expr::error(span) };
            let of = self.want(arg, Type::Sites);
            return self.on_way(way, vec![of], Type::Sites, span, |relation, args| {
                let of = args.into_iter().next().unwrap_or_else(|| Expr::error(span));
                ExprKind::Follow { relation, converse, of: Box::new(of) }
            });
        }
        if converse {
            let message = format!(
                "`~` goes before a relation or a pattern trait; `{}` is {}",
                name.text,
                entity.word()
            );
            return self.refuse(span, Diagnostic::error("type", name.span, message));
        }
        if let (Some(first), false) = (by.first(), matches!(entity, Entity::Define(_)) && by.len() == 1) {
            let message = format!("`{}` takes nothing in square brackets", name.text);
            return self.refuse(span, Diagnostic::error("arguments", first.span, message));
        }
        match entity {
            Entity::Define(d) => {
                let who = by.first().map(|who| Box::new(self.want(who, Type::Player)));
                let params = self.function_params(d);
                let Some(args) = self.arguments(name, args, params) else { return Expr::error(span) };
                let ty = self.function_type(d);
                Expr::new(ExprKind::Call(d, who, args), ty, span)
            }
            Entity::Trait(t) => {
                let ty = match self.traits.get(t).map(|t| &t.values) {
                    Some(TraitValues::Ints(_)) => Type::Int,
                    Some(TraitValues::Kinds(_)) => Type::KindOpt,
                    _ => {
                        let message = format!("`{}` is a group of kinds; it takes no argument", name.text);
                        let found = Diagnostic::error("type", name.span, message)
                            .help(format!("`x in {}` tests a site or a kind", name.text));
                        return self.refuse(span, found);
                    }
                };
                let [arg] = args else { return self.arity(name, 1, args.len(), span) };
                let of = self.infer(arg);
                let of = if of.ty.widens_to(Type::KindOpt) {
                    self.coerce(of, Type::KindOpt)
                } else {
                    self.coerce(of, Type::SiteOpt)
                };
                Expr::new(ExprKind::TraitOf(t, Box::new(of)), ty, span)
            }
            Entity::Builtin => self.builtin_call(name, args, span),
            other => {
                let message = format!("`{}` is {}; it takes no arguments", name.text, other.word());
                self.refuse(span, Diagnostic::error("type", name.span, message))
            }
        }
    }

    /// The arguments of a call with such parameters.
    pub(super) fn arguments(
        &mut self,
        name: &Name,
        args: &[ast::Expr],
        params: Vec<LocalId>,
    ) -> Option<Vec<Expr>> {
        if params.len() != args.len() {
            self.arity(name, params.len(), args.len(), name.span);
            return None;
        }
        Some(args.iter().zip(params).map(|(arg, param)| self.want(arg, self.local_type(param))).collect())
    }

    fn arity(&mut self, name: &Name, wanted: usize, found: usize, span: Span) -> Expr {
        let wanted = many(wanted as u64, "argument");
        let mut d = Diagnostic::error(
            "arguments",
            name.span,
            format!("`{}` takes {wanted}, found {found}", name.text),
        );
        if let Some(place) = self.names.place(&name.text) {
            d = d.and(place, "defined here");
        }
        self.refuse(span, d)
    }

    fn builtin_call(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Expr {
        let rows: Vec<&Row> = builtins::named(&name.text).collect();
        let fits = |r: &&&Row| r.least() <= args.len() && args.len() <= r.params.len();
        let forms = || rows.iter().map(|r| format!("`{}`", r.signature())).collect::<Vec<_>>().join(" or ");
        if !rows.iter().any(|r| fits(&r)) {
            let message = format!("`{}` does not take {}", name.text, many(args.len() as u64, "argument"));
            let found =
                Diagnostic::error("arguments", name.span, message).help(format!("its form is {}", forms()));
            return self.refuse(span, found);
        }
        // Values are inferred once, then the first row that takes them is chosen.
        let values: Vec<Option<Expr>> = (0..args.len())
            .map(|i| {
                let named = rows.iter().all(|r| {
                    !matches!(
                        r.params.get(i),
                        Some((_, Takes::A(_) | Takes::SitesOrKinds | Takes::MaybePlayer))
                    )
                });
                args.get(i).filter(|_| !named).map(|a| self.infer(a))
            })
            .collect();
        if values.iter().flatten().any(|v| v.ty == Type::Error) {
            return Expr::error(span);
        }
        let takes = |r: &Row| {
            r.params.iter().zip(&values).all(|((_, t), v)| match (t, v) {
                (Takes::A(ty), Some(v)) => v.ty.widens_to(*ty),
                (Takes::SitesOrKinds, Some(v)) => v.ty.is_setlike(),
                (Takes::MaybePlayer, Some(v)) => v.ty == Type::Player,
                _ => true,
            })
        };
        let Some(row) = rows.iter().filter(fits).find(|r| takes(r)) else {
            let found: Vec<String> =
                values.iter().map(|v| v.as_ref().map_or("...".to_owned(), |v| v.ty.to_string())).collect();
            let message = format!("`{}` does not take ({})", name.text, found.join(", "));
            let found = Diagnostic::error("type", span, message).help(format!("its form is {}", forms()));
            return self.refuse(span, found);
        };
        let mut values: Vec<Expr> = values
            .into_iter()
            .zip(row.params)
            .filter_map(|(v, (_, t))| {
                let v = v?;
                Some(match t {
                    Takes::A(ty) => self.coerce(v, *ty),
                    Takes::SitesOrKinds
                        if v.ty.widens_to(Type::Kinds)
                            && v.ty != Type::Nothing
                            && !super::expr::names_kinds(&v) =>
                    {
                        self.coerce(v, Type::Kinds)
                    }
                    Takes::SitesOrKinds => self.coerce(v, Type::Sites),
                    _ => v,
                })
            })
            .collect();
        let kind = match row.means {
            Means::Plain(b, ..) => {
                values.iter().for_each(|value| self.doubt_number(b, value, span));
                ExprKind::Builtin(b, values)
            }
            Means::Can => {
                let Some(decision) = args.first().and_then(|a| self.decision_name(a)) else {
                    return Expr::error(span);
                };
                ExprKind::Can(decision, values.pop().map(Box::new))
            }
            Means::Drawn => {
                let Some(from) = values.pop() else { return Expr::error(span) };
                return self.drawn(from, name.span, span);
            }
            Means::Line => {
                let Some(dirs) = self.direction_argument(args.get(2)) else { return Expr::error(span) };
                let (Some(k), Some(s)) = (values.pop(), values.pop()) else { return Expr::error(span) };
                ExprKind::Line(dirs, Box::new(s), Box::new(k))
            }
            Means::Distance | Means::Ring | Means::Flood | Means::Follow => {
                let Some((way, converse)) = self.relation_argument(args.get(2)) else {
                    return Expr::error(span);
                };
                return self.on_way(way, values, row.result, span, |relation, args| {
                    let steps = Steps { relation, converse };
                    let mut args = args.into_iter().map(Box::new);
                    let (Some(a), Some(b)) = (args.next(), args.next()) else { return ExprKind::None };
                    match row.means {
                        Means::Distance => ExprKind::Distance(steps, a, b),
                        Means::Ring => ExprKind::Ring(steps, a, b),
                        Means::Follow => ExprKind::FollowTimes(steps, a, b),
                        _ => ExprKind::Flood(steps, a, b),
                    }
                });
            }
            _ => return Expr::error(span),
        };
        Expr::new(kind, row.result, span)
    }

    fn decision_name(&mut self, arg: &ast::Expr) -> Option<usize> {
        if let ast::ExprKind::Name(n) = &arg.kind {
            if let Some(super::scope::Act::Decision(d)) = self.names.peek_act(n) {
                return Some(d);
            }
            let names = self.def.decisions.iter().map(|d| d.name.text.as_str());
            let found = Diagnostic::error("unknown-name", arg.span, format!("there is no decision `{n}`"))
                .suggest(n, names);
            self.out.push(found);
        } else {
            self.out.push(Diagnostic::error("type", arg.span, "`can` takes the name of a decision"));
        }
        None
    }

    /// A relation, and whether it goes backwards.
    fn relation_argument(&mut self, arg: Option<&ast::Expr>) -> Option<(Way, bool)> {
        let Some(arg) = arg else { return Some((Way::One(Relation::Near), false)) };
        let (name, by, converse) = match &arg.kind {
            ast::ExprKind::Name(text) => (Name { text: text.clone(), span: arg.span }, &[][..], false),
            ast::ExprKind::Index { name, args } => (name.clone(), args.as_slice(), false),
            ast::ExprKind::Converse { name, by } => (name.clone(), by.as_slice(), true),
            _ => {
                let found = Diagnostic::error("type", arg.span, "the name of a relation is wanted here");
                self.out.push(found.help(named_relation("step orthogonal")));
                return None;
            }
        };
        let reported = self.out.0.len();
        let way = self.way(&name, by);
        if way.is_none() && self.out.0.len() == reported {
            let mut found =
                self.no_such("relation", &name, |e| matches!(e, Entity::Relation(_) | Entity::Trait(_)));
            if found.help.is_none() {
                let directions = self.resolved(&name.text).map_or("orthogonal", |_| &name.text);
                found = found.help(named_relation(&format!("step {directions}")));
            }
            if let Some(entity) = self.names.peek(&name.text) {
                found = found.here(entity.word());
            }
            self.out.push(found);
        }
        way.map(|way| (way, converse))
    }

    fn direction_argument(&mut self, arg: Option<&ast::Expr>) -> Option<DirGroup> {
        let Some(arg) = arg else { return Some(DirGroup::Fixed(self.board.lines())) };
        let words: Vec<&ast::Expr> = match &arg.kind {
            ast::ExprKind::Phrase(words) => words.iter().collect(),
            _ => vec![arg],
        };
        let mut names = Vec::new();
        for w in words {
            let ast::ExprKind::Name(n) = &w.kind else {
                self.out.push(Diagnostic::error("type", w.span, "names of directions are wanted here"));
                return None;
            };
            names.push(Name { text: n.clone(), span: w.span });
        }
        self.directions(&names)
    }
}

/// The advice where something else than the name of a relation stands.
fn named_relation(pattern: &str) -> String {
    format!("what is followed has a name: write `way = \"{pattern}\"` in `[relations]`, and `way` here")
}
