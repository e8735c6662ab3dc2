//! Expressions: names resolved, types found.

use super::builtins::{self, Means, Row, Takes};
use super::check::Checker;
use super::scope::Entity;
use super::tree::{BinaryOp, Builtin, Domain, Expr, ExprKind, LocalId, Quantifier, Relation, TraitValues};
use super::types::Type;
use crate::board::DirGroup;
use crate::definition::{OptionKind, OptionValue};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{self, Compare, Name, Op};

impl Checker<'_> {
    /// An expression of a given type; a mistake if it is of another that does not widen to it.
    pub(super) fn want(&mut self, expr: &ast::Expr, ty: Type) -> Expr {
        let found = self.infer(expr);
        self.coerce(found, ty)
    }

    /// The same value as a wider type; a mistake if there is no way.
    pub(super) fn coerce(&mut self, expr: Expr, ty: Type) -> Expr {
        if expr.ty == ty || expr.ty == Type::Error {
            return expr;
        }
        if ty == Type::Error {
            return expr;
        }
        let span = expr.span;
        if !expr.ty.widens_to(ty) {
            let mut d = Diagnostic::error(
                "type",
                span,
                format!("expected {}, found {}", article(ty), article(expr.ty)),
            );
            d = match (ty, expr.ty) {
                (Type::Bool, t) if t.is_setlike() => {
                    d.help("a condition on a set says `some ...`, `no ...` or `x in ...`")
                }
                (Type::Site, Type::SiteOpt) => {
                    d.help("this may be no site; where the parameter is declared, `x: site?` would take it")
                }
                (Type::Site | Type::SiteOpt, Type::Sites) => {
                    d.help("`only(...)` makes a site of a set with one member, `first(...)` takes the lowest")
                }
                (Type::Int, Type::Sites | Type::Kinds) => d.help("`count(...)` says how many there are"),
                (t, Type::Int) if t.is_setlike() => d.help("`row(i)` and `column(i)` make sets of numbers"),
                _ => d,
            };
            self.out.push(d.here(format!("this is {}", article(expr.ty))));
            return Expr::error(span);
        }
        if expr.ty == Type::Nothing {
            return Expr { kind: ExprKind::None, ty, span };
        }
        // A player or kind as sites passes no narrower type on the way.
        Expr { kind: ExprKind::Widen(Box::new(expr)), ty, span }
    }

    /// An expression and its type.
    pub(super) fn infer(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Int(i) => Expr::new(ExprKind::Int(*i), Type::Int, span),
            ast::ExprKind::Name(name) => self.name(name, span),
            ast::ExprKind::Call { converse, name, args } => self.call(*converse, name, args, span),
            ast::ExprKind::Index { name, args } => self.index(name, args, span),
            ast::ExprKind::Phrase(words) => {
                let mut whole: Option<Expr> = None;
                for word in words {
                    let next = self.infer(word);
                    if next.ty != Type::Error && !next.ty.is_setlike() {
                        self.out.push(
                            Diagnostic::error(
                                "type",
                                next.span,
                                format!(
                                    "words side by side are sets that meet, but this is {}",
                                    article(next.ty)
                                ),
                            )
                            .here("not a set"),
                        );
                        return Expr::error(span);
                    }
                    whole = Some(match whole {
                        None => next,
                        Some(before) => self.meet(BinaryOp::Meet, before, next, span),
                    });
                }
                whole.unwrap_or_else(|| Expr::error(span))
            }
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ast::ExprKind::Compare(op, a, b) => self.compare(*op, a, b, span),
            ast::ExprKind::Is(e, word) => self.is(e, word, span),
            ast::ExprKind::Some(e) => self.some(e, span),
            ast::ExprKind::No(e) => negate(self.some(e, span)),
            ast::ExprKind::Not(e) => {
                let inner = self.infer(e);
                let ty = match inner.ty {
                    Type::Error => return inner,
                    Type::Bool => Type::Bool,
                    Type::Kind | Type::KindOpt | Type::Kinds => Type::Kinds,
                    t if t.is_setlike() => Type::Sites,
                    t => {
                        self.out.push(Diagnostic::error(
                            "type",
                            inner.span,
                            format!("`not` takes a bool or a set, not {}", article(t)),
                        ));
                        return Expr::error(span);
                    }
                };
                let inner = self.coerce(inner, ty);
                Expr::new(ExprKind::Not(Box::new(inner)), ty, span)
            }
            ast::ExprKind::If(c, a, b) => {
                let c = self.want(c, Type::Bool);
                let (a, b) = (self.infer(a), self.infer(b));
                let Some((a, b)) = self.same(a, b) else {
                    return Expr::error(span);
                };
                let ty = a.ty;
                Expr::new(ExprKind::If(Box::new(c), Box::new(a), Box::new(b)), ty, span)
            }
            ast::ExprKind::Quantified(q, name, domain, body) => self.quantified(*q, name, domain, body, span),
            ast::ExprKind::Where(name, domain, cond) => {
                let domain = self.domain(domain);
                let (of, ty) = match &domain {
                    Domain::Sites(_) => (Type::Site, Type::Sites),
                    Domain::Kinds(_) => (Type::Kind, Type::Kinds),
                    _ => {
                        self.out.push(Diagnostic::error(
                            "type",
                            name.span,
                            "`{x in ... : ...}` picks from sites or kinds",
                        ));
                        return Expr::error(span);
                    }
                };
                let mark = self.names.open();
                let local = self.bind(name, of);
                let cond = self.want(cond, Type::Bool);
                self.names.close(mark);
                Expr::new(ExprKind::Where(local, Box::new(domain), Box::new(cond)), ty, span)
            }
            ast::ExprKind::After(effects, body) => {
                let mark = self.names.open();
                let effects = self.effects(effects);
                let body = self.infer(body);
                self.names.close(mark);
                let ty = body.ty;
                Expr::new(ExprKind::After(effects, Box::new(body)), ty, span)
            }
        }
    }

    /// A domain; its members' type is told by its form.
    pub(super) fn domain(&mut self, domain: &ast::Domain) -> Domain {
        match domain {
            ast::Domain::Range(a, b) => Domain::Range(self.want(a, Type::Int), self.want(b, Type::Int)),
            ast::Domain::Set(e) => {
                if matches!(&e.kind, ast::ExprKind::Name(n) if n == "players" && self.names.local(n).is_none())
                {
                    return Domain::Players;
                }
                let set = self.infer(e);
                match set.ty {
                    // One kind alone means its pieces. Groups are what kinds are chosen from.
                    Type::KindOpt | Type::Kinds => Domain::Kinds(self.coerce(set, Type::Kinds)),
                    Type::Int => {
                        self.out.push(
                            Diagnostic::error(
                                "type",
                                set.span,
                                "a name ranges over a set, `players` or numbers such as `1..6`",
                            )
                            .here("this is one number"),
                        );
                        Domain::Sites(Expr::error(set.span))
                    }
                    _ => Domain::Sites(self.coerce(set, Type::Sites)),
                }
            }
        }
    }

    /// Binds a name. It may hide a site's name, nothing else.
    pub(super) fn bind(&mut self, name: &Name, ty: Type) -> LocalId {
        if let Some(entity) = self.names.peek(&name.text) {
            let mut d = Diagnostic::error(
                "hidden-name",
                name.span,
                format!("`{}` is {} already", name.text, entity.word()),
            )
            .here("choose another name here");
            if let Some(place) = self.names.place(&name.text) {
                d = d.and(place, "defined here");
            }
            self.out.push(d);
        } else if self.names.local(&name.text).is_some() {
            self.out.push(
                Diagnostic::error(
                    "hidden-name",
                    name.span,
                    format!("`{}` is bound already around this", name.text),
                )
                .here("choose another name"),
            );
        }
        self.names.bind(&name.text, ty)
    }

    fn name(&mut self, name: &str, span: Span) -> Expr {
        if let Some(id) = self.names.local(name) {
            let ty = self.names.locals.get(id.0 as usize).map_or(Type::Error, |l| l.ty);
            return Expr::new(ExprKind::Local(id), ty, span);
        }
        let Some(entity) = self.names.entity(name) else {
            if let Some(site) = self.board.site(name) {
                return Expr::new(ExprKind::Site(site), Type::Site, span);
            }
            self.unknown(name, span);
            return Expr::error(span);
        };
        match entity {
            Entity::Kind(k) => Expr::new(ExprKind::Kind(k), Type::Kind, span),
            Entity::Player(p) => Expr::new(ExprKind::Player(p), Type::Player, span),
            Entity::Trait(t) => match self.traits.get(t).map(|t| &t.values) {
                Some(TraitValues::Group(members)) => {
                    let kinds =
                        (0u8..).zip(members).filter(|(_, m)| **m).map(|(k, _)| crate::ids::Kind(k)).collect();
                    Expr::new(ExprKind::Kinds(kinds), Type::Kinds, span)
                }
                _ => self.needs_arguments(name, "(x)", span),
            },
            Entity::Relation(_) => self.needs_arguments(name, "(x)", span),
            Entity::Effect(_) => {
                self.out.push(
                    Diagnostic::error("type", span, format!("`{name}` names effects; it has no value"))
                        .here("an expression is wanted here"),
                );
                Expr::error(span)
            }
            Entity::Define(d) => {
                if self.function_params(d).is_empty() {
                    let ty = self.function_type(d);
                    Expr::new(ExprKind::Call(d, None, Vec::new()), ty, span)
                } else {
                    let n = self.function_params(d).len();
                    self.needs_arguments(name, &format!("({})", vec!["..."; n].join(", ")), span)
                }
            }
            Entity::State(s) => {
                let Some(var) = self.state.get(s) else {
                    return Expr::error(span);
                };
                if var.per.is_empty() {
                    Expr::new(ExprKind::State(s, Vec::new()), var.ty, span)
                } else {
                    let per = per_words(&var.per);
                    self.out.push(
                        Diagnostic::error("type", span, format!("`{name}` has an entry for each {per}"))
                            .here("which entry?")
                            .help(format!(
                                "write `{name}[...]`, such as `{name}[{}]`",
                                per_example(&var.per)
                            )),
                    );
                    Expr::error(span)
                }
            }
            Entity::Option(o) => match self.def.options.get(o).map(|o| &o.value) {
                Some(OptionValue::Flag(on)) => Expr::new(ExprKind::Bool(*on), Type::Bool, span),
                Some(OptionValue::Number(n)) => Expr::new(ExprKind::Int(*n), Type::Int, span),
                Some(OptionValue::Word(_)) => Expr::new(ExprKind::None, Type::Word(o), span),
                None => Expr::error(span),
            },
            Entity::Builtin => {
                let Some(row) = builtins::named(name).find(|r| r.least() == 0 && r.params.is_empty()) else {
                    let signature = builtins::named(name).next().map(Row::signature).unwrap_or_default();
                    self.out.push(
                        Diagnostic::error("arguments", span, format!("`{name}` needs arguments"))
                            .here(signature),
                    );
                    return Expr::error(span);
                };
                self.builtin_value(row, span)
            }
        }
    }

    fn builtin_value(&mut self, row: &Row, span: Span) -> Expr {
        let kind = match row.means {
            Means::True => ExprKind::Bool(true),
            Means::False => ExprKind::Bool(false),
            Means::None => ExprKind::None,
            Means::All => ExprKind::All,
            Means::Me => ExprKind::Me,
            Means::Plain(Builtin::Opponent) if self.def.players.len() != 2 => {
                self.out.push(Diagnostic::error(
                    "players",
                    span,
                    format!("`opponent` needs two players, this game has {}", self.def.players.len()),
                ));
                return Expr::error(span);
            }
            Means::Plain(b) => ExprKind::Builtin(b, Vec::new()),
            _ => {
                self.out.push(
                    Diagnostic::error("type", span, format!("`{}` is no value", row.name)).here(row.doc),
                );
                return Expr::error(span);
            }
        };
        Expr::new(kind, row.result, span)
    }

    fn needs_arguments(&mut self, name: &str, shape: &str, span: Span) -> Expr {
        self.out.push(
            Diagnostic::error("arguments", span, format!("`{name}` needs arguments"))
                .here(format!("write `{name}{shape}`")),
        );
        Expr::error(span)
    }

    /// Reports a name that stands for nothing.
    pub(super) fn unknown(&mut self, name: &str, span: Span) {
        let looks_like_site = name.len() <= 4
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.ends_with(|c: char| c.is_ascii_digit())
            && self.board.is_grid();
        let dropped = self.def.dropped.iter().find(|n| n.text == name);
        let d = if let Some(place) = dropped {
            Diagnostic::error("unknown-name", span, format!("`{name}` was taken out, but this names it"))
                .here("stands for nothing now")
                .and(place.span, "taken out here")
        } else if looks_like_site {
            let last = self.board.sites().last().map(|s| self.board.name(s).to_owned()).unwrap_or_default();
            Diagnostic::error("unknown-name", span, format!("there is no site `{name}` on this board"))
                .here("unknown site")
                .help(format!("the sites run up to `{last}`"))
        } else {
            let d = Diagnostic::error("unknown-name", span, format!("unknown name `{name}`"))
                .here("stands for nothing here");
            match name.split_once('-') {
                // `n-1`: a hyphen inside a name belongs to it.
                Some((before, after))
                    if self.names.peek(before).is_some() || self.names.local(before).is_some() =>
                {
                    d.help(format!(
                        "a hyphen inside a name belongs to it; for minus write `{before} - {after}`"
                    ))
                }
                _ => {
                    let near = crate::diagnostic::nearest(name, self.names.all()).map(str::to_owned);
                    match near {
                        Some(n) => d.help(format!("did you mean `{n}`?")),
                        None => d,
                    }
                }
            }
        };
        self.out.push(d);
    }

    fn index(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Expr {
        match self.names.entity(&name.text) {
            Some(Entity::State(s)) => {
                let Some(index) = self.state_index(s, args, name) else {
                    return Expr::error(span);
                };
                let ty = self.state.get(s).map_or(Type::Error, |v| v.ty);
                Expr::new(ExprKind::State(s, index), ty, span)
            }
            Some(Entity::Define(d)) if self.function_params(d).is_empty() && args.len() == 1 => {
                let ty = self.function_type(d);
                let who = args.first().map(|a| Box::new(self.want(a, Type::Player)));
                Expr::new(ExprKind::Call(d, who, Vec::new()), ty, span)
            }
            Some(Entity::Builtin | Entity::Define(_) | Entity::Relation(_)) => {
                self.out.push(Diagnostic::error(
                    "arguments",
                    span,
                    format!("`{0}` takes arguments in round brackets: `{0}(...)`", name.text),
                ));
                Expr::error(span)
            }
            Some(other) => {
                self.out.push(Diagnostic::error(
                    "type",
                    name.span,
                    format!(
                        "`{}` is {}; only state variables and definitions by player have entries",
                        name.text,
                        other.word()
                    ),
                ));
                Expr::error(span)
            }
            None if self.names.local(&name.text).is_some() => {
                self.out.push(Diagnostic::error(
                    "type",
                    name.span,
                    format!("`{}` has no entries", name.text),
                ));
                Expr::error(span)
            }
            None => {
                self.unknown(&name.text, name.span);
                Expr::error(span)
            }
        }
    }

    /// The indices of a state variable's entry.
    pub(super) fn state_index(&mut self, s: usize, args: &[ast::Expr], name: &Name) -> Option<Vec<Expr>> {
        let per = self.state.get(s)?.per.clone();
        if per.len() != args.len() {
            let wanted = if per.is_empty() {
                "no index".to_owned()
            } else {
                format!("one index for each {}", per_words(&per))
            };
            self.out.push(Diagnostic::error(
                "arguments",
                name.span,
                format!("`{}` takes {wanted}, found {}", name.text, args.len()),
            ));
            return None;
        }
        let mut index = Vec::new();
        for (p, a) in per.iter().zip(args) {
            index.push(self.want(
                a,
                match p {
                    super::tree::Per::Player => Type::Player,
                    super::tree::Per::Site => Type::SiteOpt,
                    super::tree::Per::Kind => Type::KindOpt,
                },
            ));
        }
        Some(index)
    }

    fn call(&mut self, converse: bool, name: &Name, args: &[ast::Expr], span: Span) -> Expr {
        if self.names.local(&name.text).is_some() {
            self.out.push(Diagnostic::error(
                "type",
                name.span,
                format!("`{}` is a value and takes no arguments", name.text),
            ));
            return Expr::error(span);
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
            Entity::Relation(r) => Some(Relation::Named(r)),
            Entity::Trait(t)
                if matches!(self.traits.get(t).map(|t| &t.values), Some(TraitValues::Patterns(_))) =>
            {
                Some(Relation::Trait(t))
            }
            Entity::Builtin if name.text == "near" => Some(Relation::Near),
            _ => None,
        };
        if let Some(relation) = followed {
            let [arg] = args else {
                return self.arity(name, 1, args.len(), span);
            };
            let of = self.want(arg, Type::Sites);
            return Expr::new(ExprKind::Follow { relation, converse, of: Box::new(of) }, Type::Sites, span);
        }
        if converse {
            self.out.push(Diagnostic::error(
                "type",
                name.span,
                format!(
                    "`~` goes before a relation or a pattern trait; `{}` is {}",
                    name.text,
                    entity.word()
                ),
            ));
            return Expr::error(span);
        }
        match entity {
            Entity::Define(d) => {
                let params = self.function_params(d);
                if params.len() != args.len() {
                    return self.arity(name, params.len(), args.len(), span);
                }
                let args = args
                    .iter()
                    .zip(params)
                    .map(|(a, p)| {
                        let ty = self.local_type(p);
                        self.want(a, ty)
                    })
                    .collect();
                let ty = self.function_type(d);
                Expr::new(ExprKind::Call(d, None, args), ty, span)
            }
            Entity::Trait(t) => {
                let ty = match self.traits.get(t).map(|t| &t.values) {
                    Some(TraitValues::Ints(_)) => Type::Int,
                    Some(TraitValues::Kinds(_)) => Type::KindOpt,
                    _ => {
                        self.out.push(
                            Diagnostic::error(
                                "type",
                                name.span,
                                format!("`{}` is a group of kinds; it takes no argument", name.text),
                            )
                            .help(format!("`x in {}` tests a site or a kind", name.text)),
                        );
                        return Expr::error(span);
                    }
                };
                let [arg] = args else {
                    return self.arity(name, 1, args.len(), span);
                };
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
                self.out.push(Diagnostic::error(
                    "type",
                    name.span,
                    format!("`{}` is {}; it takes no arguments", name.text, other.word()),
                ));
                Expr::error(span)
            }
        }
    }

    pub(super) fn arity(&mut self, name: &Name, wanted: usize, found: usize, span: Span) -> Expr {
        let s = if wanted == 1 { "" } else { "s" };
        let mut d = Diagnostic::error(
            "arguments",
            name.span,
            format!("`{}` takes {wanted} argument{s}, found {found}", name.text),
        );
        if let Some(place) = self.names.place(&name.text) {
            d = d.and(place, "defined here");
        }
        self.out.push(d);
        Expr::error(span)
    }

    fn builtin_call(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Expr {
        let rows: Vec<&Row> = builtins::named(&name.text).collect();
        let fits = |r: &&&Row| r.least() <= args.len() && args.len() <= r.params.len();
        if !rows.iter().any(|r| fits(&r)) {
            let help: Vec<String> = rows.iter().map(|r| format!("`{}`", r.signature())).collect();
            self.out.push(
                Diagnostic::error(
                    "arguments",
                    name.span,
                    format!(
                        "`{}` does not take {} argument{}",
                        name.text,
                        args.len(),
                        if args.len() == 1 { "" } else { "s" }
                    ),
                )
                .help(format!("its form is {}", help.join(" or "))),
            );
            return Expr::error(span);
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
            let help: Vec<String> = rows.iter().map(|r| format!("`{}`", r.signature())).collect();
            self.out.push(
                Diagnostic::error(
                    "type",
                    span,
                    format!("`{}` does not take ({})", name.text, found.join(", ")),
                )
                .help(format!("its form is {}", help.join(" or "))),
            );
            return Expr::error(span);
        };
        let mut values: Vec<Expr> = values
            .into_iter()
            .zip(row.params)
            .filter_map(|(v, (_, t))| {
                let v = v?;
                Some(match t {
                    Takes::A(ty) => self.coerce(v, *ty),
                    Takes::SitesOrKinds if v.ty.widens_to(Type::Kinds) && v.ty != Type::Nothing => {
                        self.coerce(v, Type::Kinds)
                    }
                    Takes::SitesOrKinds => self.coerce(v, Type::Sites),
                    _ => v,
                })
            })
            .collect();
        let kind = match row.means {
            Means::Plain(b) => ExprKind::Builtin(b, values),
            Means::Can => {
                let Some(decision) = args.first().and_then(|a| self.decision_name(a)) else {
                    return Expr::error(span);
                };
                ExprKind::Can(decision, values.pop().map(Box::new))
            }
            Means::Line => {
                let Some(dirs) = self.direction_argument(args.get(2)) else {
                    return Expr::error(span);
                };
                let (Some(k), Some(s)) = (values.pop(), values.pop()) else {
                    return Expr::error(span);
                };
                ExprKind::Line(dirs, Box::new(s), Box::new(k))
            }
            Means::Distance | Means::Ring | Means::Flood => {
                let Some(relation) = self.relation_argument(args.get(2)) else {
                    return Expr::error(span);
                };
                let (Some(b), Some(a)) = (values.pop(), values.pop()) else {
                    return Expr::error(span);
                };
                let (a, b) = (Box::new(a), Box::new(b));
                if row.means != Means::Flood && !self.relation_fixed(relation) {
                    self.out.push(Diagnostic::error("not-fixed", span, format!("`{}` measures along a relation that is the same in every position", name.text)).help("use a relation of leaps, steps, walks or pairs without `through`, `over`, `onto` or `leaving`"));
                    return Expr::error(span);
                }
                match row.means {
                    Means::Distance => ExprKind::Distance(relation, a, b),
                    Means::Ring => ExprKind::Ring(relation, a, b),
                    _ => ExprKind::Flood(relation, a, b),
                }
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
            let names: Vec<String> = self.def.decisions.iter().map(|d| d.name.text.clone()).collect();
            self.out.push(
                Diagnostic::error("unknown-name", arg.span, format!("there is no decision `{n}`"))
                    .suggest(n, names.iter().map(String::as_str)),
            );
        } else {
            self.out.push(Diagnostic::error("type", arg.span, "`can` takes the name of a decision"));
        }
        None
    }

    fn relation_argument(&mut self, arg: Option<&ast::Expr>) -> Option<Relation> {
        let Some(arg) = arg else {
            return Some(Relation::Near);
        };
        let ast::ExprKind::Name(n) = &arg.kind else {
            self.out.push(Diagnostic::error("type", arg.span, "the name of a relation is wanted here"));
            return None;
        };
        match self.names.entity(n) {
            Some(Entity::Relation(r)) => Some(Relation::Named(r)),
            Some(Entity::Trait(t))
                if matches!(self.traits.get(t).map(|t| &t.values), Some(TraitValues::Patterns(_))) =>
            {
                Some(Relation::Trait(t))
            }
            Some(Entity::Builtin) if n == "near" => Some(Relation::Near),
            _ => {
                let near = self.names.entities_where(|e| matches!(e, Entity::Relation(_)));
                let d = Diagnostic::error("unknown-name", arg.span, format!("there is no relation `{n}`"))
                    .suggest(n, near);
                self.out.push(d);
                None
            }
        }
    }

    fn direction_argument(&mut self, arg: Option<&ast::Expr>) -> Option<DirGroup> {
        let Some(arg) = arg else {
            return Some(DirGroup::Fixed(self.board.lines()));
        };
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

    fn binary(&mut self, op: Op, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let logic = match op {
            Op::And => Some(BinaryOp::And),
            Op::Or => Some(BinaryOp::Or),
            _ => None,
        };
        if let Some(op) = logic {
            let (a, b) = (self.want(a, Type::Bool), self.want(b, Type::Bool));
            return Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), Type::Bool, span);
        }
        let (a, b) = (self.infer(a), self.infer(b));
        if a.ty == Type::Error || b.ty == Type::Error {
            return Expr::error(span);
        }
        let ints = a.ty == Type::Int && b.ty == Type::Int;
        let bools = a.ty == Type::Bool && b.ty == Type::Bool;
        let sets = a.ty.is_setlike() && b.ty.is_setlike();
        let number =
            |op| Expr::new(ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone())), Type::Int, span);
        let logic =
            |op, b: Expr| Expr::new(ExprKind::Binary(op, Box::new(a.clone()), Box::new(b)), Type::Bool, span);
        match op {
            Op::Plus if ints => number(BinaryOp::Add),
            Op::Minus if ints => number(BinaryOp::Subtract),
            Op::Times if ints => number(BinaryOp::Multiply),
            Op::Divide if ints => number(BinaryOp::Divide),
            Op::Modulo if ints => number(BinaryOp::Modulo),
            // Joins of overlays say `|`, `&` and `-` of conditions too.
            Op::Union if bools => logic(BinaryOp::Or, b),
            Op::Meet if bools => logic(BinaryOp::And, b),
            Op::Minus if bools => logic(BinaryOp::And, negate(b)),
            Op::Union if sets => {
                let ty = match a.ty.join(b.ty) {
                    Some(Type::Kind | Type::KindOpt | Type::Kinds) => Type::Kinds,
                    _ => Type::Sites,
                };
                let (a, b) = (self.coerce(a, ty), self.coerce(b, ty));
                Expr::new(ExprKind::Binary(BinaryOp::Union, Box::new(a), Box::new(b)), ty, span)
            }
            Op::Meet if sets => self.meet(BinaryOp::Meet, a, b, span),
            Op::Minus if sets => self.meet(BinaryOp::Minus, a, b, span),
            Op::Otherwise if a.ty != Type::Bool && a.ty != Type::Int => {
                let Some((a, b)) = self.same(a, b) else {
                    return Expr::error(span);
                };
                let ty = a.ty;
                Expr::new(ExprKind::Binary(BinaryOp::Otherwise, Box::new(a), Box::new(b)), ty, span)
            }
            _ => {
                let sign = op_sign(op);
                let mut d = Diagnostic::error(
                    "type",
                    span,
                    format!("`{sign}` does not join {} and {}", article(a.ty), article(b.ty)),
                )
                .here(if op == Op::Otherwise {
                    "`otherwise` takes what can be empty"
                } else {
                    ""
                });
                d = match op {
                    Op::Plus if sets => d.help("sets are joined by `|`"),
                    Op::Union if ints => d.help("numbers are added by `+`"),
                    Op::Meet if ints => d.help("`&` is for sets; conditions are joined by `and`"),
                    _ => d,
                };
                self.out.push(d);
                Expr::error(span)
            }
        }
    }

    /// Intersection or difference: of kinds where both are, a site where the first is one, else sites.
    pub(super) fn meet(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        if a.ty == Type::Error || b.ty == Type::Error {
            return Expr::error(span);
        }
        let is_site = |t| matches!(t, Type::Site | Type::SiteOpt);
        let is_kinds = |t| matches!(t, Type::Kind | Type::KindOpt | Type::Kinds);
        let (a, b) = if op == BinaryOp::Meet && is_site(b.ty) && !is_site(a.ty) { (b, a) } else { (a, b) };
        let (left, right, ty) = if is_kinds(a.ty) && is_kinds(b.ty) {
            (Type::Kinds, Type::Kinds, Type::Kinds)
        } else if is_site(a.ty) {
            (Type::SiteOpt, Type::Sites, Type::SiteOpt)
        } else {
            (Type::Sites, Type::Sites, Type::Sites)
        };
        let (a, b) = (self.coerce(a, left), self.coerce(b, right));
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
    }

    /// Both as the narrowest type that they have in common.
    fn same(&mut self, a: Expr, b: Expr) -> Option<(Expr, Expr)> {
        if a.ty == Type::Error || b.ty == Type::Error {
            return None;
        }
        let Some(ty) = a.ty.join(b.ty) else {
            self.out.push(
                Diagnostic::error(
                    "type",
                    b.span,
                    format!("{} and {} have no type in common", article(a.ty), article(b.ty)),
                )
                .here(format!("this is {}", article(b.ty)))
                .and(a.span, format!("this is {}", article(a.ty))),
            );
            return None;
        };
        Some((self.coerce(a, ty), self.coerce(b, ty)))
    }

    fn compare(&mut self, op: Compare, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let (a, b) = (self.infer(a), self.infer(b));
        if a.ty == Type::Error || b.ty == Type::Error {
            return Expr::error(span);
        }
        let test = |op, a: Expr, b: Expr| {
            Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), Type::Bool, span)
        };
        match op {
            Compare::In | Compare::NotIn => {
                let found = match a.ty {
                    Type::Site | Type::SiteOpt => {
                        let (a, b) = (self.coerce(a, Type::SiteOpt), self.coerce(b, Type::Sites));
                        test(BinaryOp::In, a, b)
                    }
                    Type::Kind | Type::KindOpt => {
                        let (a, b) = (self.coerce(a, Type::KindOpt), self.coerce(b, Type::Kinds));
                        test(BinaryOp::In, a, b)
                    }
                    t => {
                        let mut d = Diagnostic::error(
                            "type",
                            a.span,
                            format!("`in` asks for one site or kind, this is {}", article(t)),
                        );
                        if t.is_setlike() {
                            d = d.help("for sets say `some A & B` (they meet) or `no A - B` (the first lies in the second)");
                        }
                        self.out.push(d);
                        return Expr::error(span);
                    }
                };
                if op == Compare::NotIn { negate(found) } else { found }
            }
            Compare::Equal | Compare::NotEqual => {
                if let (Type::Word(_), _) | (_, Type::Word(_)) = (a.ty, b.ty) {
                    self.out.push(Diagnostic::error(
                        "type",
                        span,
                        "an option of words is tested with `is`: `option is word`",
                    ));
                    return Expr::error(span);
                }
                let Some((a, b)) = self.same(a, b) else {
                    return Expr::error(span);
                };
                let found = test(BinaryOp::Equal, a, b);
                if op == Compare::NotEqual { negate(found) } else { found }
            }
            _ => {
                let (a, b) = (self.coerce(a, Type::Int), self.coerce(b, Type::Int));
                match op {
                    Compare::Less => test(BinaryOp::Less, a, b),
                    Compare::LessOrEqual => test(BinaryOp::LessOrEqual, a, b),
                    Compare::Greater => test(BinaryOp::Less, b, a),
                    _ => test(BinaryOp::LessOrEqual, b, a),
                }
            }
        }
    }

    fn is(&mut self, e: &ast::Expr, word: &Name, span: Span) -> Expr {
        let value = self.infer(e);
        let Type::Word(o) = value.ty else {
            if value.ty != Type::Error {
                self.out.push(
                    Diagnostic::error("type", value.span, "`is` tests an option of words")
                        .help("values are compared by `=`, membership by `in`"),
                );
            }
            return Expr::error(span);
        };
        let Some(option) = self.def.options.get(o) else {
            return Expr::error(span);
        };
        if let OptionKind::Words(words) = &option.kind
            && !words.contains(&word.text)
        {
            let d = Diagnostic::error(
                "unknown-name",
                word.span,
                format!("option `{}` has no value `{}`", option.name.text, word.text),
            )
            .here(format!("one of {}", words.join(", ")))
            .suggest(&word.text, words.iter().map(String::as_str));
            self.out.push(d);
            return Expr::error(span);
        }
        let on = option.value == OptionValue::Word(word.text.clone());
        Expr::new(ExprKind::Bool(on), Type::Bool, span)
    }

    fn some(&mut self, e: &ast::Expr, span: Span) -> Expr {
        let inner = self.infer(e);
        match inner.ty {
            Type::Error => Expr::error(span),
            t if t.is_setlike() && t != Type::Nothing => {
                Expr::new(ExprKind::Some(Box::new(inner)), Type::Bool, span)
            }
            t => {
                self.out.push(Diagnostic::error(
                    "type",
                    inner.span,
                    format!("`some` and `no` ask whether a set is empty, but this is {}", article(t)),
                ));
                Expr::error(span)
            }
        }
    }

    fn quantified(
        &mut self,
        q: Quantifier,
        name: &Name,
        domain: &ast::Domain,
        body: &ast::Expr,
        span: Span,
    ) -> Expr {
        let domain = self.domain(domain);
        let mark = self.names.open();
        let local = self.bind(name, member_type(&domain));
        let body = match q {
            Quantifier::Sum => self.want(body, Type::Int),
            Quantifier::Union => {
                let body = self.infer(body);
                if body.ty.widens_to(Type::Kinds) && body.ty != Type::Nothing {
                    self.coerce(body, Type::Kinds)
                } else {
                    self.coerce(body, Type::Sites)
                }
            }
            _ => self.want(body, Type::Bool),
        };
        self.names.close(mark);
        let ty = match q {
            Quantifier::Sum | Quantifier::Count => Type::Int,
            Quantifier::Union => body.ty,
            _ => Type::Bool,
        };
        Expr::new(ExprKind::Quantified(q, local, Box::new(domain), Box::new(body)), ty, span)
    }
}

/// The type of a domain's members.
pub(super) fn member_type(domain: &Domain) -> Type {
    match domain {
        Domain::Range(..) => Type::Int,
        Domain::Sites(_) => Type::Site,
        Domain::Kinds(_) => Type::Kind,
        Domain::Players => Type::Player,
    }
}

/// Not that condition.
pub(super) fn negate(e: Expr) -> Expr {
    let (ty, span) = (e.ty, e.span);
    if ty == Type::Error {
        return e;
    }
    Expr::new(ExprKind::Not(Box::new(e)), ty, span)
}

impl Expr {
    /// An expression.
    pub(super) fn new(kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr { kind, ty, span }
    }

    /// Stands for what was reported already.
    pub(super) fn error(span: Span) -> Expr {
        Expr::new(ExprKind::None, Type::Error, span)
    }
}

fn op_sign(op: Op) -> &'static str {
    match op {
        Op::Or => "or",
        Op::And => "and",
        Op::Union => "|",
        Op::Plus => "+",
        Op::Minus => "-",
        Op::Meet => "&",
        Op::Times => "*",
        Op::Divide => "/",
        Op::Modulo => "%",
        Op::Otherwise => "otherwise",
    }
}

/// The type with its article.
pub(super) fn article(ty: Type) -> String {
    match ty {
        Type::Bool => "a condition".to_owned(),
        Type::Int => "a number".to_owned(),
        Type::Site => "a site".to_owned(),
        Type::SiteOpt => "a site or none".to_owned(),
        Type::Sites => "a set of sites".to_owned(),
        Type::Kind => "a kind".to_owned(),
        Type::KindOpt => "a kind or none".to_owned(),
        Type::Kinds => "a set of kinds".to_owned(),
        Type::Player => "a player".to_owned(),
        Type::Word(_) => "an option of words".to_owned(),
        Type::Nothing => "`none`".to_owned(),
        Type::Error => "something unknown".to_owned(),
    }
}

fn per_words(per: &[super::tree::Per]) -> String {
    use super::tree::Per;
    let words: Vec<&str> = per
        .iter()
        .map(|p| match p {
            Per::Player => "player",
            Per::Site => "site",
            Per::Kind => "kind",
        })
        .collect();
    words.join(" and ")
}

fn per_example(per: &[super::tree::Per]) -> String {
    use super::tree::Per;
    let words: Vec<&str> = per
        .iter()
        .map(|p| match p {
            Per::Player => "mover",
            Per::Site => "x",
            Per::Kind => "k",
        })
        .collect();
    words.join(", ")
}
