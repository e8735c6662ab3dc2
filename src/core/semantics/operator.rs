//! Operators, comparisons, quantifiers.

use super::check::Checker;
use super::expr::{article, member_type, names_kinds, negate};
use super::tree::{BinaryOp, Expr, ExprKind, Quantifier};
use super::types::Type;
use crate::definition::{OptionKind, OptionValue};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{self, Compare, Name, Op};

impl Checker<'_> {
    pub(super) fn binary(&mut self, op: Op, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let logic = match op {
            Op::And => Some(BinaryOp::And),
            Op::Or => Some(BinaryOp::Or),
            _ => None,
        };
        if let Some(op) = logic {
            let (left, right) = (self.infer(a), self.infer(b));
            let known = left.ty != Type::Error && right.ty != Type::Error;
            if left.ty.is_setlike() && right.ty.is_setlike() {
                // An unknown side was reported, and the other side says that sets are meant.
                return match known {
                    true => self.sets_as_conditions(op, [a, b], [left.ty, right.ty], span),
                    false => Expr::error(span),
                };
            }
            let (a, b) = (self.coerce(left, Type::Bool), self.coerce(right, Type::Bool));
            return Expr::binary(op, a, b, Type::Bool, span);
        }
        let trees = (a, b);
        let (a, b) = (self.infer(a), self.infer(b));
        if a.ty == Type::Error || b.ty == Type::Error {
            return Expr::error(span);
        }
        let ints = a.ty == Type::Int && b.ty == Type::Int;
        let bools = a.ty == Type::Bool && b.ty == Type::Bool;
        let sets = a.ty.is_setlike() && b.ty.is_setlike();
        let number = |op, a, b| Expr::binary(op, a, b, Type::Int, span);
        let logic = |op, a, b| Expr::binary(op, a, b, Type::Bool, span);
        match op {
            Op::Plus if ints => number(BinaryOp::Add, a, b),
            Op::Minus if ints => number(BinaryOp::Subtract, a, b),
            Op::Times if ints => number(BinaryOp::Multiply, a, b),
            Op::Divide if ints => number(BinaryOp::Divide, a, b),
            Op::Modulo if ints => number(BinaryOp::Modulo, a, b),
            // Joins of overlays say `|`, `&` and `-` of conditions too.
            Op::Union if bools => logic(BinaryOp::Or, a, b),
            Op::Meet if bools => logic(BinaryOp::And, a, b),
            Op::Minus if bools => logic(BinaryOp::And, a, negate(b)),
            Op::Union if sets => {
                let ty = match a.ty.join(b.ty) {
                    Some(Type::Kind | Type::KindOpt | Type::Kinds) => Type::Kinds,
                    _ => Type::Sites,
                };
                let (a, b) = (self.coerce(a, ty), self.coerce(b, ty));
                Expr::binary(BinaryOp::Union, a, b, ty, span)
            }
            Op::Meet if sets => self.meet(BinaryOp::Meet, a, b, span),
            Op::Minus if sets => {
                self.doubt_order(trees.0, trees.1, span);
                self.meet(BinaryOp::Minus, a, b, span)
            }
            Op::Otherwise if a.ty != Type::Bool && a.ty != Type::Int => {
                let Some((a, b)) = self.same(a, b) else { return Expr::error(span) };
                let ty = a.ty;
                Expr::binary(BinaryOp::Otherwise, a, b, ty, span)
            }
            _ => {
                let message = format!("`{op}` does not join {} and {}", article(a.ty), article(b.ty));
                let d = Diagnostic::error("type", span, message);
                let d = match op {
                    Op::Otherwise => d.here("`otherwise` takes what can be empty"),
                    Op::Plus if sets => d.help("sets are joined by `|`"),
                    Op::Union if ints => d.help("numbers are added by `+`"),
                    Op::Meet if ints => d.help("`&` is for sets; conditions are joined by `and`"),
                    _ => d,
                };
                self.refuse(span, d)
            }
        }
    }

    /// `and` or `or` between two sets.
    fn sets_as_conditions(
        &mut self,
        op: BinaryOp,
        sets: [&ast::Expr; 2],
        types: [Type; 2],
        span: Span,
    ) -> Expr {
        let (word, sign) = match op {
            BinaryOp::And => ("and", "&"),
            _ => ("or", "|"),
        };
        let [a, b] = sets.map(ToString::to_string);
        let what = article(if types[0] == types[1] { types[0] } else { Type::Sites });
        let d = Diagnostic::error("type", span, format!("`{word}` joins conditions, and these are sets"))
            .here(format!("each side is {what}"));
        let found = match a.len() + b.len() > 80 {
            true => d.help(format!("sets are joined by `{sign}`")),
            false => d.help(format!("sets are joined by `{sign}`: write `{a} {sign} {b}`")),
        };
        self.refuse(span, found)
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
        Expr::binary(op, a, b, ty, span)
    }

    /// Both as the narrowest type that they have in common.
    pub(super) fn same(&mut self, a: Expr, b: Expr) -> Option<(Expr, Expr)> {
        if a.ty == Type::Error || b.ty == Type::Error {
            return None;
        }
        let Some(ty) = a.ty.join(b.ty) else {
            let message = format!("{} and {} have no type in common", article(a.ty), article(b.ty));
            let found = Diagnostic::error("type", b.span, message)
                .here(format!("this is {}", article(b.ty)))
                .and(a.span, format!("this is {}", article(a.ty)));
            self.out.push(found);
            return None;
        };
        Some((self.coerce(a, ty), self.coerce(b, ty)))
    }

    pub(super) fn compare(&mut self, op: Compare, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let a = self.infer(a);
        let negated = matches!(op, Compare::NotIn | Compare::NotEqual);
        let result = |found| if negated { negate(found) } else { found };
        if let (Type::Direction, Compare::In | Compare::NotIn, Some(group)) =
            (a.ty, op, self.direction_words(b))
        {
            return result(self.direction_in(a, &group, span));
        }
        let b = self.infer(b);
        if a.ty == Type::Error || b.ty == Type::Error {
            return Expr::error(span);
        }
        let test = |op, a, b| Expr::binary(op, a, b, Type::Bool, span);
        match op {
            Compare::In | Compare::NotIn => {
                let (one, set) = match a.ty {
                    Type::Site | Type::SiteOpt => (Type::SiteOpt, Type::Sites),
                    Type::Kind | Type::KindOpt => (Type::KindOpt, Type::Kinds),
                    t => {
                        let mut d = Diagnostic::error(
                            "type",
                            a.span,
                            format!("`in` asks for one site or kind, this is {}", article(t)),
                        );
                        if t.is_setlike() {
                            d = d.help("for sets say `some A & B` (they meet) or `no A - B` (the first lies in the second)");
                        }
                        return self.refuse(span, d);
                    }
                };
                result(test(BinaryOp::In, self.coerce(a, one), self.coerce(b, set)))
            }
            Compare::Equal | Compare::NotEqual => {
                if let (Type::Word(_), _) | (_, Type::Word(_)) = (a.ty, b.ty) {
                    let message = "an option of words is tested with `is`: `option is word`";
                    return self.refuse(span, Diagnostic::error("type", span, message));
                }
                let Some((a, b)) = self.same(a, b) else { return Expr::error(span) };
                if a.ty == Type::Nothing {
                    let found = Diagnostic::error("type", span, "`none` of what? neither side has a type")
                        .help(
                            "`no S` asks whether a set is empty, `x = none` whether a site or kind is none",
                        );
                    return self.refuse(span, found);
                }
                result(test(BinaryOp::Equal, a, b))
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

    pub(super) fn is(&mut self, e: &ast::Expr, word: &Name, span: Span) -> Expr {
        let value = self.infer(e);
        let Type::Word(o) = value.ty else {
            if value.ty != Type::Error {
                let found = Diagnostic::error("type", value.span, "`is` tests an option of words")
                    .help("values are compared by `=`, membership by `in`");
                self.out.push(found);
            }
            return Expr::error(span);
        };
        let Some(option) = self.def.options.get(o) else { return Expr::error(span) };
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
            return self.refuse(span, d);
        }
        let on = option.value == OptionValue::Word(word.text.clone());
        Expr::new(ExprKind::Bool(on), Type::Bool, span)
    }

    pub(super) fn some(&mut self, e: &ast::Expr, span: Span) -> Expr {
        let inner = self.infer(e);
        match inner.ty {
            Type::Error => Expr::error(span),
            // A player means its pieces, always.
            Type::Kind | Type::Kinds | Type::Player if inner.ty == Type::Player || names_kinds(&inner) => {
                let pieces = self.coerce(inner, Type::Sites);
                Expr::new(ExprKind::Some(Box::new(pieces)), Type::Bool, span)
            }
            t if t.is_setlike() && t != Type::Nothing => {
                Expr::new(ExprKind::Some(Box::new(inner)), Type::Bool, span)
            }
            t => {
                let message =
                    format!("`some` and `no` ask whether a set is empty, but this is {}", article(t));
                self.refuse(span, Diagnostic::error("type", inner.span, message))
            }
        }
    }

    pub(super) fn quantified(
        &mut self,
        q: Quantifier,
        name: &Name,
        domain: &ast::Domain,
        body: &ast::Expr,
        span: Span,
    ) -> Expr {
        let domain = self.domain(domain);
        let (local, body) = self.scoped(|this| (this.bind(name, member_type(&domain)), this.infer(body)));
        let wanted = match q {
            Quantifier::Sum => Type::Int,
            Quantifier::Union if body.ty.widens_to(Type::Kinds) && body.ty != Type::Nothing => Type::Kinds,
            Quantifier::Union => Type::Sites,
            _ => Type::Bool,
        };
        let body = self.coerce(body, wanted);
        let ty = match q {
            Quantifier::Sum | Quantifier::Count => Type::Int,
            Quantifier::Union => body.ty,
            _ => Type::Bool,
        };
        Expr::new(ExprKind::Quantified(q, local, Box::new(domain), Box::new(body)), ty, span)
    }
}
