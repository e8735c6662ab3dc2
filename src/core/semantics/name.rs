//! Names and indexed names in expressions.

use super::builtins::{self, Means, Row};
use super::check::{Checker, unknown_name};
use super::expr::{per_example, per_words};
use super::scope::Entity;
use super::tree::{Builtin, Expr, ExprKind, Per, TraitValues};
use super::types::Type;
use crate::definition::OptionValue;
use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;
use crate::syntax::ast::{self, Name};
use crate::syntax::parse::{DECISION_KEYS, VERBS, minus_hint};

/// At most so many parts of a name are tried as names.
const MAX_TRIED_PARTS: usize = 16;

/// What bars a position that was there before.
pub(super) const NO_REPEATS: &str =
    "write `repeats = false` in the decision: none of its choices then brings a position back";

impl Checker<'_> {
    pub(super) fn name(&mut self, name: &str, span: Span) -> Expr {
        if let Some(id) = self.names.local(name) {
            return Expr::new(ExprKind::Local(id), self.local_type(id), span);
        }
        let Some(entity) = self.names.entity(name) else {
            if let Some(site) = self.board.site(name) {
                return Expr::new(ExprKind::Site(site), Type::Site, span);
            }
            if let Some(direction) = self.direction_value(name, span) {
                return direction;
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
                let message = format!("`{name}` names effects; it has no value");
                let found = Diagnostic::error("type", span, message).here("an expression is wanted here");
                self.refuse(span, found)
            }
            Entity::Define(d) => {
                let params = self.function_params(d).len();
                if params == 0 {
                    let ty = self.function_type(d);
                    return Expr::new(ExprKind::Call(d, None, Vec::new()), ty, span);
                }
                self.needs_arguments(name, &format!("({})", vec!["..."; params].join(", ")), span)
            }
            Entity::State(s) => {
                let Some(var) = self.state.get(s) else { return Expr::error(span) };
                if var.per.is_empty() {
                    Expr::new(ExprKind::State(s, Vec::new()), var.ty, span)
                } else {
                    let per = per_words(&var.per);
                    let message = format!("`{name}` has an entry for each {per}");
                    let found = Diagnostic::error("type", span, message)
                        .here("which entry?")
                        .help(format!("write `{name}[...]`, such as `{name}[{}]`", per_example(&var.per)));
                    self.refuse(span, found)
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
                    let d = Diagnostic::error("arguments", span, format!("`{name}` needs arguments"))
                        .here(signature);
                    let found = match self.board.site(name) {
                        Some(_) => {
                            d.help("the built-in hides the site of that name: call the site otherwise")
                        }
                        None => d,
                    };
                    return self.refuse(span, found);
                };
                self.builtin_value(row, span)
            }
        }
    }

    pub(super) fn builtin_value(&mut self, row: &Row, span: Span) -> Expr {
        let kind = match row.means {
            Means::True => ExprKind::Bool(true),
            Means::False => ExprKind::Bool(false),
            Means::None => ExprKind::None,
            Means::All => ExprKind::All,
            Means::Me => ExprKind::Me,
            Means::Plain(Builtin::Opponent, ..) if self.def.players.len() != 2 => {
                let message =
                    format!("`opponent` needs two players, this game has {}", self.def.players.len());
                return self.refuse(span, Diagnostic::error("players", span, message));
            }
            Means::Plain(b, ..) => ExprKind::Builtin(b, Vec::new()),
            _ => {
                let found =
                    Diagnostic::error("type", span, format!("`{}` is no value", row.name)).here(row.doc);
                return self.refuse(span, found);
            }
        };
        Expr::new(kind, row.result, span)
    }

    pub(super) fn needs_arguments(&mut self, name: &str, shape: &str, span: Span) -> Expr {
        let found = Diagnostic::error("arguments", span, format!("`{name}` needs arguments"))
            .here(format!("write `{name}{shape}`"));
        self.refuse(span, found)
    }

    /// The mistake that no such thing has a name.
    pub(super) fn no_such(&self, what: &str, name: &Name, is: fn(Entity) -> bool) -> Diagnostic {
        let message = format!("there is no {what} `{name}`");
        let near = self.names.entities_where(is);
        Diagnostic::error("unknown-name", name.span, message).suggest(&name.text, near)
    }

    /// Reports a name that stands for nothing.
    pub(super) fn unknown(&mut self, name: &str, span: Span) {
        let looks_like_site = name.len() <= 4
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.ends_with(|c: char| c.is_ascii_digit())
            && !name.contains('-')
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
            let d =
                Diagnostic::error("unknown-name", span, unknown_name(name)).here("stands for nothing here");
            match self.minus(name).or_else(|| self.nearly(name)).or_else(|| minus_hint(name)) {
                Some(help) => d.help(help),
                None => d,
            }
        };
        self.out.push(d);
    }

    /// Advice for a name without a meaning.
    fn nearly(&self, name: &str) -> Option<String> {
        if VERBS.contains(&name) {
            return Some(format!(
                "`{name}` begins an effect: before it stands `;`, and an expression has none"
            ));
        }
        if DECISION_KEYS.contains(&name) {
            return Some(format!("`{name}` is a key of a decision, with a string of its own"));
        }
        let near = nearest(name, self.names.all()).map(|near| format!("did you mean `{near}`?"));
        near.or_else(|| nearest(name, ["repeats"]).map(|_| NO_REPEATS.to_owned()))
    }

    /// `n-1` is one name: how it is written as a difference of names that are known.
    fn minus(&self, name: &str) -> Option<String> {
        let known = |part: &str| {
            let number = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            let named = || self.names.peek(part).is_some() || self.names.local(part).is_some();
            number || named() || self.board.site(part).is_some()
        };
        let mut parts = Vec::new();
        let mut rest = name;
        while !rest.is_empty() {
            // The longest part goes first: names have hyphens too.
            let ends = rest.match_indices('-').map(|(at, _)| at).take(MAX_TRIED_PARTS).chain([rest.len()]);
            let end = ends.filter(|end| known(&rest[..*end])).last()?;
            parts.push(&rest[..end]);
            rest = rest[end..].trim_start_matches('-');
        }
        let parts = (parts.len() > 1).then(|| parts.join(" - "))?;
        Some(format!("a hyphen inside a name belongs to it; for minus write `{parts}`"))
    }

    pub(super) fn index(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Expr {
        match self.names.entity(&name.text) {
            Some(Entity::State(s)) => {
                let Some(index) = self.state_index(s, args, name) else { return Expr::error(span) };
                let ty = self.state.get(s).map_or(Type::Error, |v| v.ty);
                Expr::new(ExprKind::State(s, index), ty, span)
            }
            Some(Entity::Define(d)) if self.function_params(d).is_empty() && args.len() == 1 => {
                let ty = self.function_type(d);
                let who = args.first().map(|a| Box::new(self.want(a, Type::Player)));
                Expr::new(ExprKind::Call(d, who, Vec::new()), ty, span)
            }
            Some(Entity::Builtin | Entity::Define(_) | Entity::Relation(_)) => {
                let message = format!("`{0}` takes arguments in round brackets: `{0}(...)`", name.text);
                self.refuse(span, Diagnostic::error("arguments", span, message))
            }
            Some(other) => {
                let message = format!(
                    "`{}` is {}; only state variables and definitions by player have entries",
                    name.text,
                    other.word()
                );
                self.refuse(span, Diagnostic::error("type", name.span, message))
            }
            None if self.names.local(&name.text).is_some() => self.refuse(
                span,
                Diagnostic::error("type", name.span, format!("`{}` has no entries", name.text)),
            ),
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
            // What its entries are may be the mistake that was reported.
            if per.is_empty() && self.def.flawed {
                return None;
            }
            let wanted = if per.is_empty() {
                "no index".to_owned()
            } else {
                format!("one index for each {}", per_words(&per))
            };
            let message = format!("`{}` takes {wanted}, found {}", name.text, args.len());
            let mut found = Diagnostic::error("arguments", name.span, message);
            if !per.is_empty() {
                found = found.help(format!("write `{}[{}]`", name.text, per_example(&per)));
            }
            self.out.push(found);
            return None;
        }
        let mut index = Vec::new();
        for (p, a) in per.iter().zip(args) {
            let ty = match p {
                Per::Player => Type::Player,
                Per::Site => Type::SiteOpt,
                Per::Kind => Type::KindOpt,
                Per::Direction => Type::Direction,
            };
            index.push(self.want(a, ty));
        }
        Some(index)
    }
}
