//! Expressions, straight from their definitions.

use farrier::ids::Site;
use farrier::semantics::{BinaryOp, Builtin, Domain, Expr, ExprKind, Quantifier, Steps, TraitValues, Type};
use farrier::siteset::SiteSet;

use super::Naive;
use super::position::NaivePosition;
use super::set::Set;
use super::value::{Env, Value};

/// A position as one player sees it.
#[derive(Clone, Copy)]
pub struct View<'p> {
    /// The position.
    pub pos: &'p NaivePosition,
    /// Who looks.
    pub me: usize,
}

impl View<'_> {
    /// The same position, seen by another player.
    pub fn by(self, me: usize) -> Self {
        Self { me, ..self }
    }
}

/// The sites of a board's set.
pub fn members(set: SiteSet) -> Set {
    set.iter().collect()
}

impl Naive<'_> {
    /// All sites that exist.
    pub fn all(&self) -> Set {
        self.all.clone()
    }

    /// The sites whose pieces (none: vacant) pass a test.
    pub fn sites_where(
        &self,
        pos: &NaivePosition,
        test: impl Fn(Option<super::position::Piece>) -> bool,
    ) -> Set {
        self.all.iter().filter(|s| test(self.piece(pos, *s))).collect()
    }

    /// Any value as a set of sites: kinds and players stand for their pieces.
    fn as_sites(&self, pos: &NaivePosition, value: Value) -> Set {
        match value {
            Value::Sites(set) => set,
            Value::Site(x) => x.into_iter().collect(),
            Value::Kind(k) => self.sites_where(pos, |p| p.is_some_and(|p| Some(p.kind) == k)),
            Value::Kinds(kinds) => self.sites_where(pos, |p| p.is_some_and(|p| kinds.contains(p.kind))),
            Value::Player(None) => Set::new(),
            Value::Player(who) => self.sites_where(pos, |p| p.is_some_and(|p| p.owner == who)),
            other => panic!("{other:?} are no sites"),
        }
    }

    /// The same value as a wider type.
    fn widen(&self, pos: &NaivePosition, value: Value, to: Type) -> Value {
        match (to, value) {
            (Type::Sites, value) => Value::Sites(self.as_sites(pos, value)),
            (Type::Kinds, value) => Value::Kinds(value.kinds()),
            (_, value) => value,
        }
    }

    /// An expression's value as a bool.
    pub fn bool(&self, view: View<'_>, env: &mut Env, e: &Expr) -> bool {
        self.eval(view, env, e).bool()
    }

    /// An expression's value as an int.
    pub fn int(&self, view: View<'_>, env: &mut Env, e: &Expr) -> i32 {
        self.eval(view, env, e).int()
    }

    /// An expression's value as a site or none.
    pub fn site(&self, view: View<'_>, env: &mut Env, e: &Expr) -> Option<usize> {
        self.eval(view, env, e).site()
    }

    /// An expression's value as a set of sites.
    pub fn sites(&self, view: View<'_>, env: &mut Env, e: &Expr) -> Set {
        let value = self.eval(view, env, e);
        self.as_sites(view.pos, value)
    }

    /// An expression's value as a player or none.
    pub fn player(&self, view: View<'_>, env: &mut Env, e: &Expr) -> Option<usize> {
        self.eval(view, env, e).player()
    }

    /// What a bound name ranges over, in order.
    pub fn domain(&self, view: View<'_>, env: &mut Env, domain: &Domain) -> Vec<Value> {
        match domain {
            Domain::Range(low, high) => {
                let (low, high) = (self.int(view, env, low), self.int(view, env, high));
                (low..=high).map(Value::Int).collect()
            }
            Domain::Sites(set) => {
                let set = self.sites(view, env, set);
                set.iter().map(|s| Value::Site(Some(s))).collect()
            }
            Domain::Kinds(set) => {
                let set = self.eval(view, env, set).kinds();
                set.iter().map(|k| Value::Kind(Some(k))).collect()
            }
            Domain::Directions(group) => {
                let mut dirs: Vec<usize> = group.of(view.me).iter().map(|d| d.index()).collect();
                dirs.sort_unstable();
                dirs.into_iter().map(|d| Value::Direction(Some(d))).collect()
            }
            Domain::Players => (0..self.rules.players.len()).map(|p| Value::Player(Some(p))).collect(),
        }
    }

    /// Counts some steps of work.
    pub fn burn(&self, steps: usize) {
        match self.fuel.get().checked_sub(steps as u64) {
            Some(left) => self.fuel.set(left),
            None => std::panic::panic_any(super::OutOfFuel),
        }
    }

    /// The value of an expression in a position, as me sees it.
    pub fn eval(&self, view: View<'_>, env: &mut Env, e: &Expr) -> Value {
        // Sets take longer on larger boards.
        self.burn(1 + self.all.len() / 32);
        match &e.kind {
            ExprKind::Bool(b) => Value::Bool(*b),
            ExprKind::Int(n) => Value::Int(*n),
            ExprKind::None => Value::empty(e.ty),
            ExprKind::All => Value::Sites(self.all()),
            ExprKind::Site(s) => Value::Site(Some(s.index())),
            ExprKind::Kind(k) => Value::Kind(Some(k.index())),
            ExprKind::Kinds(kinds) => Value::Kinds(kinds.iter().map(|k| k.index()).collect()),
            ExprKind::Player(p) => Value::Player(Some(p.index())),
            ExprKind::Direction(group) => Value::Direction(group.of(view.me).first().map(|d| d.index())),
            ExprKind::Local(id) => env[id].clone(),
            ExprKind::Me => Value::Player(Some(view.me)),
            ExprKind::Builtin(builtin, args) => self.builtin(view, env, *builtin, args),
            ExprKind::State(var, index) => match self.entry(view, env, *var, index) {
                Some(i) => view.pos.state[*var][i].value.clone(),
                None => Value::empty(e.ty),
            },
            ExprKind::Call(f, who, args) => self.call(view, env, *f, who.as_deref(), args),
            ExprKind::Follow { relation, converse, of } => {
                let of = self.sites(view, env, of);
                let steps = Steps { relation: *relation, converse: *converse };
                Value::Sites(self.follow(view, env, steps, &of))
            }
            ExprKind::Distance(along, from, to) => {
                let (from, to) = (self.site(view, env, from), self.site(view, env, to));
                Value::Int(self.distance(view, env, *along, from, to))
            }
            ExprKind::Ring(along, of, steps) => {
                let of = self.sites(view, env, of);
                let steps = self.int(view, env, steps);
                Value::Sites(self.ring(view, env, *along, of, steps))
            }
            ExprKind::FollowTimes(steps, of, times) => {
                let mut reached = self.sites(view, env, of);
                for _ in 0..self.int(view, env, times).min(farrier::limits::FOLLOWED) {
                    if reached.is_empty() {
                        break;
                    }
                    self.burn(1 + reached.len());
                    reached = self.follow(view, env, *steps, &reached);
                }
                Value::Sites(reached)
            }
            ExprKind::Flood(steps, seed, within) => {
                let seed = self.sites(view, env, seed);
                let within = self.sites(view, env, within);
                Value::Sites(self.flood(view, env, *steps, &seed, &within))
            }
            ExprKind::Line(dirs, of, length) => {
                let of = self.sites(view, env, of);
                let length = self.int(view, env, length);
                Value::Sites(self.line(dirs.of(view.me), &of, length))
            }
            ExprKind::TraitOf(number, of) => self.trait_of(view, env, *number, of),
            ExprKind::Can(decision, who) => {
                let who = match who {
                    Some(who) => self.player(view, env, who),
                    None => Some(view.me),
                };
                Value::Bool(who.is_some_and(|who| !self.choices(view.by(who), *decision).is_empty()))
            }
            ExprKind::Binary(op, a, b) => self.binary(view, env, e.ty, *op, a, b),
            ExprKind::Not(inner) => match self.eval(view, env, inner) {
                Value::Bool(b) => Value::Bool(!b),
                Value::Kinds(set) => {
                    Value::Kinds((0..self.rules.kinds.len()).filter(|k| !set.contains(*k)).collect())
                }
                other => {
                    let set = self.as_sites(view.pos, other);
                    Value::Sites(&self.all() - &set)
                }
            },
            ExprKind::Some(inner) => Value::Bool(!self.eval(view, env, inner).is_empty()),
            ExprKind::If(cond, yes, no) => {
                let branch = if self.bool(view, env, cond) { yes } else { no };
                self.eval(view, env, branch)
            }
            ExprKind::ByDirection(d, cases) => match self.eval(view, env, d) {
                Value::Direction(Some(d)) => self.eval(view, env, &cases[d]),
                _ => Value::empty(e.ty),
            },
            ExprKind::Let(local, value, body) => {
                let value = self.eval(view, env, value);
                env.insert(*local, value);
                self.eval(view, env, body)
            }
            ExprKind::Quantified(quantifier, local, domain, body) => {
                let values = self.domain(view, env, domain);
                let bodies = values.into_iter().map(|value| {
                    env.insert(*local, value);
                    self.eval(view, env, body)
                });
                let bodies: Vec<Value> = bodies.collect();
                self.quantified(view, e.ty, *quantifier, bodies)
            }
            ExprKind::Where(local, domain, cond) => {
                let mut set = Set::new();
                for value in self.domain(view, env, domain) {
                    env.insert(*local, value.clone());
                    if self.bool(view, env, cond) {
                        set.extend(match value {
                            Value::Site(x) | Value::Kind(x) => x,
                            other => panic!("a set of {other:?}"),
                        });
                    }
                }
                match &**domain {
                    Domain::Kinds(_) => Value::Kinds(set),
                    _ => Value::Sites(set),
                }
            }
            ExprKind::After(effects, body) => {
                let mut copy = view.pos.clone();
                self.run(&mut copy, view.me, env, effects);
                let after = View { pos: &copy, me: view.me };
                self.eval(after, env, body)
            }
            ExprKind::Widen(inner) => {
                let value = self.eval(view, env, inner);
                self.widen(view.pos, value, e.ty)
            }
        }
    }

    fn quantified(&self, view: View<'_>, ty: Type, quantifier: Quantifier, bodies: Vec<Value>) -> Value {
        let holds = |value: &Value| value.bool();
        match quantifier {
            Quantifier::Some => Value::Bool(bodies.iter().any(holds)),
            Quantifier::No => Value::Bool(!bodies.iter().any(holds)),
            Quantifier::Every => Value::Bool(bodies.iter().all(holds)),
            Quantifier::Count => Value::Int(bodies.iter().filter(|value| holds(value)).count() as i32),
            Quantifier::Sum => {
                Value::Int(bodies.iter().fold(0, |sum: i32, value| sum.saturating_add(value.int())))
            }
            Quantifier::Union if ty == Type::Kinds => {
                Value::Kinds(bodies.into_iter().fold(Set::new(), |all, value| &all | &value.kinds()))
            }
            Quantifier::Union => {
                let sets = bodies.into_iter().map(|value| self.as_sites(view.pos, value));
                Value::Sites(sets.fold(Set::new(), |all, set| &all | &set))
            }
        }
    }

    fn binary(&self, view: View<'_>, env: &mut Env, ty: Type, op: BinaryOp, a: &Expr, b: &Expr) -> Value {
        let first = self.eval(view, env, a);
        // What need not be evaluated is not: it could cost a search.
        match op {
            BinaryOp::And if !first.bool() => return Value::Bool(false),
            BinaryOp::Or if first.bool() => return Value::Bool(true),
            BinaryOp::Otherwise if !first.is_empty() => return first,
            _ => {}
        }
        let second = self.eval(view, env, b);
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Otherwise => second,
            BinaryOp::Union | BinaryOp::Meet | BinaryOp::Minus => match ty {
                Type::Site | Type::SiteOpt => {
                    let among = self.as_sites(view.pos, second);
                    let wanted = op == BinaryOp::Meet;
                    Value::Site(first.site().filter(|x| among.contains(*x) == wanted))
                }
                Type::Kinds => Value::Kinds(combine(op, &first.kinds(), &second.kinds())),
                _ => {
                    let first = self.as_sites(view.pos, first);
                    let second = self.as_sites(view.pos, second);
                    Value::Sites(combine(op, &first, &second))
                }
            },
            BinaryOp::Add => Value::Int(first.int().saturating_add(second.int())),
            BinaryOp::Subtract => Value::Int(first.int().saturating_sub(second.int())),
            BinaryOp::Multiply => Value::Int(first.int().saturating_mul(second.int())),
            BinaryOp::Divide => Value::Int(match second.int() {
                0 => 0,
                by => first.int().saturating_div(by),
            }),
            BinaryOp::Modulo => Value::Int(match second.int() {
                0 => 0,
                by => first.int().wrapping_rem(by),
            }),
            BinaryOp::Equal => Value::Bool(first == second),
            BinaryOp::Less => Value::Bool(first.int() < second.int()),
            BinaryOp::LessOrEqual => Value::Bool(first.int() <= second.int()),
            BinaryOp::In => Value::Bool(match (first, second) {
                (Value::Kind(k), Value::Kinds(set)) => k.is_some_and(|k| set.contains(k)),
                (first, second) => {
                    let set = self.as_sites(view.pos, second);
                    first.site().is_some_and(|x| set.contains(x))
                }
            }),
        }
    }

    fn call(&self, view: View<'_>, env: &mut Env, number: usize, who: Option<&Expr>, args: &[Expr]) -> Value {
        let function = &self.rules.defines[number];
        let values: Vec<Value> = args.iter().map(|arg| self.eval(view, env, arg)).collect();
        let me = match who {
            Some(who) => self.player(view, env, who),
            None => Some(view.me),
        };
        let body = me.and_then(|me| Some((me, function.body(me)?)));
        let Some((me, body)) = body else {
            return Value::empty(function.ty);
        };
        env.extend(function.params.iter().copied().zip(values));
        self.eval(view.by(me), env, body)
    }

    fn trait_of(&self, view: View<'_>, env: &mut Env, number: usize, of: &Expr) -> Value {
        let kind = match self.eval(view, env, of) {
            Value::Site(x) => x.and_then(|x| view.pos.pieces[x]).map(|p| p.kind),
            Value::Kind(k) => k,
            other => panic!("a trait of {other:?}"),
        };
        match &self.rules.traits[number].values {
            TraitValues::Ints(values) => Value::Int(kind.map_or(0, |k| values[k])),
            TraitValues::Kinds(values) => Value::Kind(kind.and_then(|k| values[k]).map(|k| k.index())),
            other => panic!("the value of {other:?}"),
        }
    }

    fn builtin(&self, view: View<'_>, env: &mut Env, builtin: Builtin, args: &[Expr]) -> Value {
        let View { pos, me } = view;
        let board = self.board();
        let args: Vec<Value> = args.iter().map(|arg| self.eval(view, env, arg)).collect();
        let piece = |x: &Value| x.site().and_then(|x| self.piece(pos, x));
        let nth = |x: &Value, n: &Value| {
            let from_top = usize::try_from(n.int()).ok()?.checked_sub(1)?;
            pos.stack(x.site()?).into_iter().rev().nth(from_top)
        };
        let place = |x: &Value| x.site().map(|x| Site(x as u16));
        match (builtin, args.as_slice()) {
            (Builtin::Opponent, []) => Value::Player(Some((me + 1) % self.rules.players.len())),
            (Builtin::Next, []) => Value::Player(Some(self.next_player(pos, me))),
            (Builtin::Own, []) => {
                Value::Sites(self.sites_where(pos, |p| p.is_some_and(|p| p.owner == Some(me))))
            }
            (Builtin::Enemy, []) => {
                Value::Sites(self.sites_where(pos, |p| {
                    p.and_then(|p| p.owner).is_some_and(|p| !self.rules.together(p, me))
                }))
            }
            (Builtin::Ally, []) => Value::Sites(self.sites_where(pos, |p| {
                p.and_then(|p| p.owner).is_some_and(|p| p != me && self.rules.together(p, me))
            })),
            (Builtin::Neutral, []) => {
                Value::Sites(self.sites_where(pos, |p| p.is_some_and(|p| p.owner.is_none())))
            }
            (Builtin::Vacant, []) => Value::Sites(self.sites_where(pos, |p| p.is_none())),
            (Builtin::Occupied, []) => Value::Sites(self.sites_where(pos, |p| p.is_some())),
            (Builtin::Single, []) => {
                Value::Sites(self.sites_where(pos, |p| p.is_some_and(|p| p.height == 1)))
            }
            (Builtin::Double, []) => {
                Value::Sites(self.sites_where(pos, |p| p.is_some_and(|p| p.height == 2)))
            }
            (Builtin::Edge, []) => Value::Sites(members(board.edge())),
            (Builtin::StartSites, []) => {
                Value::Sites(self.rules.start_sites[me].iter().map(|s| s.index()).collect())
            }
            (Builtin::Corners, []) => Value::Sites(members(board.corners())),
            (Builtin::Centre, []) => Value::Sites(members(board.centre())),
            (Builtin::Side, [i]) => Value::Sites(members(board.side(i.int()))),
            (Builtin::RowSites, [i]) => Value::Sites(members(board.row_set(i.int()))),
            (Builtin::ColumnSites, [i]) => Value::Sites(members(board.column_set(i.int()))),
            (Builtin::RowOf, [x]) => Value::Int(place(x).map_or(0, |x| board.row(x))),
            (Builtin::ColumnOf, [x]) => Value::Int(place(x).map_or(0, |x| board.column(x))),
            (Builtin::Between, [from, to]) => {
                let from = self.as_sites(pos, from.clone());
                let to = self.as_sites(pos, to.clone());
                Value::Sites(self.between(&from, &to))
            }
            (Builtin::First, [set]) => Value::Site(self.as_sites(pos, set.clone()).iter().next()),
            (Builtin::Only, [set]) => {
                let set = self.as_sites(pos, set.clone());
                Value::Site(set.iter().next().filter(|_| set.len() == 1))
            }
            (Builtin::Count, [Value::Kinds(kinds)]) => Value::Int(kinds.len() as i32),
            (Builtin::Count, [set]) => Value::Int(self.as_sites(pos, set.clone()).len() as i32),
            (Builtin::Height, [x]) => Value::Int(piece(x).map_or(0, |p| p.height as i32)),
            (Builtin::Min, [a, b]) => Value::Int(a.int().min(b.int())),
            (Builtin::Max, [a, b]) => Value::Int(a.int().max(b.int())),
            (Builtin::Abs, [a]) => Value::Int(a.int().saturating_abs()),
            (Builtin::Opposite, [d]) => {
                let back = |d: usize| self.board().directions()[d].opposite.map(|d| d.index());
                Value::Direction(d.direction().and_then(back))
            }
            (Builtin::Passes, []) => Value::Int(pos.passes),
            (Builtin::Seen, []) => Value::Int(pos.seen),
            (Builtin::Ply, []) => Value::Int(pos.ply),
            (Builtin::Round, []) => Value::Int(pos.round),
            (Builtin::KindOn, [x]) => Value::Kind(piece(x).map(|p| p.kind)),
            (Builtin::OwnerOn, [x]) => Value::Player(piece(x).and_then(|p| p.owner)),
            (Builtin::KindDown, [x, n]) => Value::Kind(nth(x, n).map(|(_, kind)| kind)),
            (Builtin::OwnerDown, [x, n]) => Value::Player(nth(x, n).and_then(|(owner, _)| owner)),
            (builtin, args) => panic!("{builtin:?} of {args:?}"),
        }
    }
}

/// Set algebra.
fn combine(op: BinaryOp, a: &Set, b: &Set) -> Set {
    match op {
        BinaryOp::Union => a | b,
        BinaryOp::Meet => a & b,
        BinaryOp::Minus => a - b,
        other => panic!("{other:?} of sets"),
    }
}
