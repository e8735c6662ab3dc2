//! Expressions: names resolved, types found.

use super::check::Checker;
use super::scope::Entity;
use super::tree::{BinaryOp, Domain, Expr, ExprKind, LocalId};
use super::types::Type;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{self, Name};

impl Checker<'_> {
    /// Reports a mistake. Returns an expression of type `Error` in place of the wrong one.
    pub(super) fn refuse(&mut self, span: Span, mistake: Diagnostic) -> Expr {
        self.out.push(mistake);
        Expr::error(span)
    }

    /// Runs a check in a scope of its own: locals that it binds are out of sight afterwards.
    pub(super) fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.names.open();
        let found = inner(self);
        self.names.close(mark);
        found
    }

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
            return self.refuse(span, d.here(format!("this is {}", article(expr.ty))));
        }
        if expr.ty == Type::Nothing {
            return Expr { kind: ExprKind::None, ty, span };
        }
        if let (ExprKind::Not(_), Type::Kinds, Type::Sites) = (&expr.kind, expr.ty, ty) {
            self.doubt_not(&expr);
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
            ast::ExprKind::Call { converse, name, by, args } => self.call(*converse, name, by, args, span),
            ast::ExprKind::Index { name, args } => self.index(name, args, span),
            ast::ExprKind::Converse { name, .. } => {
                let message = format!("`~{}` is a relation backwards and has no value", name.text);
                let found = Diagnostic::error("type", span, message).help(format!(
                    "follow it, as in `~{}(own)`, or name it where a relation is wanted, as in \
                     `flood(own, all, ~{})`",
                    name.text, name.text
                ));
                self.refuse(span, found)
            }
            ast::ExprKind::Phrase(words) => {
                let mut whole: Option<Expr> = None;
                for word in words {
                    let next = self.infer(word);
                    if next.ty != Type::Error && !next.ty.is_setlike() {
                        let message = format!(
                            "words side by side are sets that meet, but this is {}",
                            article(next.ty)
                        );
                        let found = Diagnostic::error("type", next.span, message).here("not a set");
                        return self.refuse(span, found);
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
                        let message = format!("`not` takes a bool or a set, not {}", article(t));
                        return self.refuse(span, Diagnostic::error("type", inner.span, message));
                    }
                };
                let inner = self.coerce(inner, ty);
                Expr::new(ExprKind::Not(Box::new(inner)), ty, span)
            }
            ast::ExprKind::If(c, a, b) => {
                let c = self.want(c, Type::Bool);
                let (a, b) = (self.infer(a), self.infer(b));
                let Some((a, b)) = self.same(a, b) else { return Expr::error(span) };
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
                        let message = "`{x in ... : ...}` picks from sites or kinds";
                        return self.refuse(span, Diagnostic::error("type", name.span, message));
                    }
                };
                let (local, cond) = self.scoped(|this| (this.bind(name, of), this.want(cond, Type::Bool)));
                Expr::new(ExprKind::Where(local, Box::new(domain), Box::new(cond)), ty, span)
            }
            ast::ExprKind::Let(name, value, body) => {
                let ((local, value), body) = self.scoped(|this| (this.let_be(name, value), this.infer(body)));
                let ty = body.ty;
                Expr::new(ExprKind::Let(local, Box::new(value), Box::new(body)), ty, span)
            }
            ast::ExprKind::After(effects, body) => {
                let (effects, body) = self.scoped(|this| (this.effects(effects), this.infer(body)));
                self.refuse_seen(&body, false);
                let ty = body.ty;
                Expr::new(ExprKind::After(effects, Box::new(body)), ty, span)
            }
        }
    }

    /// A domain; its form gives the type of its members.
    pub(super) fn domain(&mut self, domain: &ast::Domain) -> Domain {
        match domain {
            ast::Domain::Range(a, b) => Domain::Range(self.want(a, Type::Int), self.want(b, Type::Int)),
            ast::Domain::Set(e) => {
                if matches!(&e.kind, ast::ExprKind::Name(n) if n == "players" && self.names.local(n).is_none())
                {
                    return Domain::Players;
                }
                if let Some(dirs) = self.direction_words(e) {
                    return Domain::Directions(dirs);
                }
                let set = self.infer(e);
                match set.ty {
                    // One kind alone means its pieces. A domain of kinds is a group.
                    Type::KindOpt | Type::Kinds => Domain::Kinds(self.coerce(set, Type::Kinds)),
                    Type::Int => {
                        let message = "a name ranges over a set, `players` or numbers such as `1..6`";
                        let found = Diagnostic::error("type", set.span, message).here("this is one number");
                        self.out.push(found);
                        Domain::Sites(Expr::error(set.span))
                    }
                    _ => Domain::Sites(self.coerce(set, Type::Sites)),
                }
            }
        }
    }

    /// Binds a name to a value.
    pub(super) fn let_be(&mut self, name: &Name, value: &ast::Expr) -> (LocalId, Expr) {
        let value = self.infer(value);
        if value.ty == Type::Nothing {
            let message = "`none` of what? give the name a value with a type";
            self.out.push(Diagnostic::error("type", value.span, message));
        }
        (self.bind(name, value.ty), value)
    }

    /// Binds a name. It may hide the name of a site or of a player, nothing else: players may be called by letters.
    pub(super) fn bind(&mut self, name: &Name, ty: Type) -> LocalId {
        let hidden = self.names.peek(&name.text).filter(|entity| !matches!(entity, Entity::Player(_)));
        if let Some(entity) = hidden {
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
            let message = format!("`{}` is bound already around this", name.text);
            self.out.push(Diagnostic::error("hidden-name", name.span, message).here("choose another name"));
        }
        self.names.bind(&name.text, ty)
    }
}

/// The type of a domain's members.
pub(super) fn member_type(domain: &Domain) -> Type {
    match domain {
        Domain::Range(..) => Type::Int,
        Domain::Sites(_) => Type::Site,
        Domain::Kinds(_) => Type::Kind,
        Domain::Players => Type::Player,
        Domain::Directions(_) => Type::Direction,
    }
}

/// Names of kinds and groups alone. After `some`, `no` and `count` they mean the pieces on the board.
pub(super) fn names_kinds(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Kind(_) | ExprKind::Kinds(_) => true,
        ExprKind::Local(_) => e.ty == Type::Kind,
        ExprKind::Widen(inner) | ExprKind::Not(inner) => names_kinds(inner),
        ExprKind::Binary(BinaryOp::Union | BinaryOp::Meet | BinaryOp::Minus, a, b) => {
            names_kinds(a) && names_kinds(b)
        }
        _ => false,
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

    /// Two values joined.
    pub(super) fn binary(op: BinaryOp, a: Expr, b: Expr, ty: Type, span: Span) -> Expr {
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
    }

    /// Stands for an expression with a mistake that was reported already.
    pub(super) fn error(span: Span) -> Expr {
        Expr::new(ExprKind::None, Type::Error, span)
    }
}

/// The type with its article.
pub(super) fn article(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "a condition",
        Type::Int => "a number",
        Type::Site => "a site",
        Type::SiteOpt => "a site or none",
        Type::Sites => "a set of sites",
        Type::Kind => "a kind",
        Type::KindOpt => "a kind or none",
        Type::Kinds => "a set of kinds",
        Type::Player => "a player",
        Type::Direction => "a direction",
        Type::Word(_) => "an option of words",
        Type::Nothing => "`none`",
        Type::Error => "something unknown",
    }
}

pub(super) fn per_words(per: &[super::tree::Per]) -> String {
    let words: Vec<&str> = per.iter().map(|p| p.word()).collect();
    words.join(" and ")
}

pub(super) fn per_example(per: &[super::tree::Per]) -> String {
    use super::tree::Per;
    let words: Vec<&str> = per
        .iter()
        .map(|p| match p {
            Per::Player => "mover",
            Per::Site => "x",
            Per::Kind => "k",
            Per::Direction => "d",
        })
        .collect();
    words.join(", ")
}
