//! Directions: their names, directions as values, and relations that go in a direction.
//!
//! A relation with a direction as parameter is one relation for each label of the board, made here. Where the direction
//! is known, `push[n](S)` is one of them; else it is a choice among all by the number of the label. So later
//! phases know relations without parameters only.

use super::check::Checker;
use super::scope::Entity;
use super::tree::{BinaryOp, Effect, EffectKind, Expr, ExprKind, LocalId, NamedPattern, Pattern, Relation};
use super::types::Type;
use crate::board::DirGroup;
use crate::diagnostic::Diagnostic;
use crate::ids::Dir;
use crate::source::Span;
use crate::syntax::ast::{self, Name};

/// The meaning of a name of a relation.
pub(super) enum Way {
    /// One relation.
    One(Relation),
    /// The relation of a direction, by the number of the label.
    Each(Expr, Vec<usize>),
}

impl Checker<'_> {
    /// The meaning of a name of directions.
    pub(super) fn resolved(&self, name: &str) -> Option<DirGroup> {
        match &self.heading {
            Some((heading, dir)) if heading == name => Some(DirGroup::Fixed(vec![*dir])),
            _ => self.board.resolve(name),
        }
    }

    /// Directions by their names, joined.
    pub(super) fn directions(&mut self, names: &[Name]) -> Option<DirGroup> {
        let found: Vec<Option<DirGroup>> = names.iter().map(|name| self.direction(name)).collect();
        let groups = found.into_iter().collect::<Option<Vec<_>>>()?;
        Some(DirGroup::join(&groups.iter().collect::<Vec<_>>(), self.def.players.len()))
    }

    /// Directions by their name; a mistake if there are none.
    fn direction(&mut self, name: &Name) -> Option<DirGroup> {
        let found = self.resolved(&name.text);
        if found.is_none() {
            let known = self.board.direction_names();
            let message = format!("this board has no direction `{name}`");
            let mistake = Diagnostic::error("unknown-name", name.span, message)
                .here("unknown direction")
                .help(format!("it has {}", known.join(", ")))
                .suggest(&name.text, known);
            self.out.push(mistake);
        }
        found
    }

    /// The directions that words name which have no other meaning here.
    pub(super) fn direction_words(&mut self, e: &ast::Expr) -> Option<DirGroup> {
        let words = match &e.kind {
            ast::ExprKind::Phrase(words) => words.as_slice(),
            _ => std::slice::from_ref(e),
        };
        let mut names = Vec::new();
        for word in words {
            let ast::ExprKind::Name(text) = &word.kind else { return None };
            let other = self.names.local(text).is_some()
                || self.names.peek(text).is_some()
                || self.board.site(text).is_some();
            if other || self.resolved(text).is_none() {
                return None;
            }
            names.push(Name { text: text.clone(), span: word.span });
        }
        self.directions(&names)
    }

    /// One direction by its name; none if the name is no name of directions.
    pub(super) fn direction_value(&mut self, name: &str, span: Span) -> Option<Expr> {
        let group = self.resolved(name)?;
        if (0..self.def.players.len()).any(|player| group.of(player).len() != 1) {
            let found = Diagnostic::error("type", span, format!("`{name}` is not one direction"))
                .help(format!("a name can range over them: `d in {name}`"));
            self.out.push(found);
            return Some(Expr::error(span));
        }
        Some(Expr::new(ExprKind::Direction(group), Type::Direction, span))
    }

    /// Whether a direction is one of some: an `or` of comparisons.
    pub(super) fn direction_in(&mut self, d: Expr, group: &DirGroup, span: Span) -> Expr {
        let mut lets = Vec::new();
        let d = self.held(d, &mut lets);
        let mut found = Expr::new(ExprKind::Bool(false), Type::Bool, span);
        for i in 0..group.most() {
            // For a player with fewer of them the last one is compared again.
            let at = |dirs: &[Dir]| dirs.get(i).or(dirs.last()).map(|d| vec![*d]).unwrap_or_default();
            let one = match group {
                DirGroup::Fixed(dirs) => DirGroup::Fixed(at(dirs)),
                DirGroup::PerPlayer(each) => DirGroup::PerPlayer(each.iter().map(|d| at(d)).collect()),
            };
            let one = Expr::new(ExprKind::Direction(one), Type::Direction, span);
            let same = Expr::binary(BinaryOp::Equal, d.clone(), one, Type::Bool, span);
            found = Expr::binary(BinaryOp::Or, found, same, Type::Bool, span);
        }
        bound(lets, found)
    }

    /// A relation: of one with a direction as parameter, one for each label.
    pub(super) fn relation(&mut self, i: usize) {
        let def = self.def;
        let Some(relation) = def.relations.get(i) else { return };
        let (name, span) = (&relation.name.text, relation.name.span);
        let named = |name: String, pattern| Some(NamedPattern { name, pattern, span });
        let Some(param) = relation.params.first() else {
            let pattern = self.pattern(&relation.body.tree);
            self.relations[i] = named(name.clone(), pattern);
            return;
        };
        let is_direction = |ty: &Name| ty.text == "direction";
        if relation.params.len() > 1 || !param.ty.as_ref().is_some_and(is_direction) {
            let message = "a relation has one parameter at most, which is a direction";
            let help = format!("write `\"{name}({}: direction)\"`", param.name);
            self.out.push(Diagnostic::error("arguments", param.name.span, message).help(help));
            return;
        }
        self.scoped(|this| this.bind(&param.name, Type::Direction));
        let errors = self.out.0.len();
        let mut told = None;
        let mut each = Vec::new();
        for dir in self.board.named_labels() {
            self.heading = Some((param.name.text.clone(), dir));
            let pattern = self.pattern(&relation.body.tree);
            self.heading = None;
            if self.out.0.len() > errors {
                // The others have the same mistakes.
                return;
            }
            each.push(self.relations.len());
            let pattern = named(format!("{name}[{}]", self.board.label(dir)), pattern);
            self.relations.push(pattern);
            // Doubts are reported for the first label only.
            let most = *told.get_or_insert(self.doubts.len());
            self.doubts.truncate(most);
        }
        self.relations[i] = named(name.clone(), Pattern::default());
        self.headed.insert(i, each);
    }

    /// The meaning of the name of a relation or of a pattern trait, with the direction in square brackets behind it.
    /// Reports mistakes; none, too, if the name is neither.
    pub(super) fn way(&mut self, name: &Name, by: &[ast::Expr]) -> Option<Way> {
        let relation = match self.names.entity(&name.text)? {
            Entity::Relation(r) => Relation::Named(r),
            Entity::Trait(t) if self.is_pattern_trait(t) => Relation::Trait(t),
            Entity::Builtin if name.text == "near" => Relation::Near,
            _ => return None,
        };
        let headed = match relation {
            Relation::Named(r) => {
                self.def.relations.get(r).is_some_and(|r| !r.params.is_empty()).then_some(r)
            }
            _ => None,
        };
        match (headed, by) {
            (None, []) => Some(Way::One(relation)),
            (None, [first, ..]) => {
                let message = format!("`{}` has no direction as parameter", name.text);
                let found = Diagnostic::error("arguments", first.span, message).help(format!(
                    "a relation that has one is `\"{}(d: direction)\"` where it is defined",
                    name.text
                ));
                self.out.push(found);
                None
            }
            (Some(r), [d]) => {
                let d = self.want(d, Type::Direction);
                let each = self.headed.get(&r)?.clone();
                match &d.kind {
                    ExprKind::Direction(DirGroup::Fixed(dirs)) => {
                        let one = dirs.first().and_then(|dir| each.get(dir.index()))?;
                        Some(Way::One(Relation::Named(*one)))
                    }
                    _ if d.ty == Type::Error => None,
                    _ => Some(Way::Each(d, each)),
                }
            }
            (Some(_), _) => {
                let message = format!("`{}` goes in a direction", name.text);
                let found = Diagnostic::error("arguments", name.span, message)
                    .help(format!("say which one, such as `{}[d]`", name.text));
                self.out.push(found);
                None
            }
        }
    }

    /// An expression on a relation and some values: where the direction is not known, one for each.
    pub(super) fn on_way(
        &mut self,
        way: Way,
        args: Vec<Expr>,
        ty: Type,
        span: Span,
        make: impl Fn(Relation, Vec<Expr>) -> ExprKind,
    ) -> Expr {
        let (d, each) = match way {
            Way::One(relation) => return Expr::new(make(relation, args), ty, span),
            Way::Each(d, each) => (d, each),
        };
        let mut lets = Vec::new();
        let args: Vec<Expr> = args.into_iter().map(|arg| self.held(arg, &mut lets)).collect();
        let case = |r: usize| Expr::new(make(Relation::Named(r), args.clone()), ty, span);
        let cases = each.into_iter().map(case).collect();
        bound(lets, Expr::new(ExprKind::ByDirection(Box::new(d), cases), ty, span))
    }

    /// An effect on a relation and a value: where the direction is not known, one for each.
    pub(super) fn effect_on_way(
        &mut self,
        way: Way,
        arg: Expr,
        span: Span,
        make: impl Fn(Relation, Expr) -> EffectKind,
    ) -> EffectKind {
        let (d, each) = match way {
            Way::One(relation) => return make(relation, arg),
            Way::Each(d, each) => (d, each),
        };
        let mut lets = Vec::new();
        let (d, arg) = (self.held(d, &mut lets), self.held(arg, &mut lets));
        let mut list: Vec<Effect> =
            lets.into_iter().map(|(id, value)| Effect { kind: EffectKind::Let(id, value), span }).collect();
        let mut chain: Option<Box<Effect>> = None;
        for (i, r) in each.into_iter().enumerate().rev() {
            let dir = ExprKind::Direction(DirGroup::Fixed(vec![Dir(i as u16)]));
            let dir = Expr::new(dir, Type::Direction, span);
            let same = Expr::binary(BinaryOp::Equal, d.clone(), dir, Type::Bool, span);
            let one = Box::new(Effect { kind: make(Relation::Named(r), arg.clone()), span });
            chain = Some(Box::new(Effect { kind: EffectKind::If(same, one, chain), span }));
        }
        list.extend(chain.map(|effect| *effect));
        EffectKind::Block(list)
    }

    /// A value that is used several times and evaluated once.
    fn held(&mut self, e: Expr, lets: &mut Vec<(LocalId, Expr)>) -> Expr {
        if matches!(e.kind, ExprKind::Local(_) | ExprKind::Direction(_)) || e.ty == Type::Error {
            return e;
        }
        let (ty, span) = (e.ty, e.span);
        let local = self.names.hidden(ty);
        lets.push((local, e));
        Expr::new(ExprKind::Local(local), ty, span)
    }
}

/// An expression with values bound around it.
fn bound(lets: Vec<(LocalId, Expr)>, body: Expr) -> Expr {
    lets.into_iter().rev().fold(body, |body, (local, value)| {
        let (ty, span) = (body.ty, body.span);
        Expr::new(ExprKind::Let(local, Box::new(value), Box::new(body)), ty, span)
    })
}
