//! Definitions with arguments, and values that are bound to locals so that they are computed once.

use super::layout::missing;
use super::once::Source;
use super::{Lowerer, Value, View};
use crate::program::{Binary, IntId, IntOp, SetOp, slot};
use crate::semantics::{Builtin, Expr, ExprKind, Function, Type};

impl Lowerer<'_> {
    /// A definition with arguments.
    pub(super) fn call(&mut self, f: usize, who: Option<&Expr>, args: &[Expr], view: View) -> Value {
        let Some(function) = self.rules.defines.get(f) else { return Value::Int(view.me) };
        let me = who.map_or(view.me, |w| self.int(w, view));
        let real = who.and_then(|who| self.is_player(who, me));
        let mut bound = Vec::new();
        for (param, arg) in function.params.iter().zip(args) {
            let value = self.value(arg, view);
            bound.push((*param, self.hold(value)));
        }
        let (mut lets, mut args) = (Vec::new(), Vec::new());
        for (param, (value, held)) in bound {
            self.values.insert(param, value);
            args.push(value);
            lets.extend(held);
        }
        // Facts are told from me's view; another player's would have to be turned round.
        let view = View { me, fresh: view.fresh && who.is_none() };
        let body = self.once(Source::Define(f), args, view, |l| l.body(function, view));
        let body = match (real, body) {
            (None, body) => body,
            (Some(real), Value::Set(set)) => {
                let empty = self.b.empty();
                Value::Set(self.b.set(SetOp::If(real, set, empty)))
            }
            (Some(real), Value::Int(int)) => {
                let none = self.b.num(missing(function.ty));
                Value::Int(self.b.int(IntOp::If(real, int, none)))
            }
        };
        self.wrap(body, lets)
    }

    /// The value of a definition whose parameters are bound.
    fn body(&mut self, function: &Function, view: View) -> Value {
        let me = view.me;
        if let [body] = function.bodies.as_slice() {
            self.value(body, view)
        } else if let Some(body) =
            self.b.const_of(me).and_then(|p| usize::try_from(p).ok()).and_then(|p| function.bodies.get(p))
        {
            self.value(body, view)
        } else {
            let mut values = Vec::new();
            for (p, body) in function.bodies.iter().enumerate() {
                // In the body of a player, me is that player.
                let me = self.b.num(p as i32);
                values.push(self.value(body, View { me, fresh: false }));
            }
            if function.ty == Type::Sites {
                let cases = values
                    .iter()
                    .filter_map(|v| if let Value::Set(s) = v { Some(*s) } else { None })
                    .collect();
                Value::Set(self.b.set(SetOp::Switch(me, cases)))
            } else {
                let cases = values
                    .iter()
                    .filter_map(|v| if let Value::Int(i) = v { Some(*i) } else { None })
                    .collect();
                Value::Int(self.b.int(IntOp::Switch(me, cases, missing(function.ty))))
            }
        }
    }

    /// Whether an expression is a player, for it may be none: what nobody sees is empty. None where it certainly is.
    pub(super) fn is_player(&mut self, who: &Expr, value: IntId) -> Option<IntId> {
        let certain = match &who.kind {
            ExprKind::Player(_) | ExprKind::Me => true,
            ExprKind::Builtin(builtin, _) => matches!(builtin, Builtin::Opponent | Builtin::Next),
            _ => self.b.const_of(value).is_some_and(|player| player >= 0),
        };
        if certain {
            return None;
        }
        let zero = self.b.num(0);
        Some(self.b.int(IntOp::Binary(Binary::Le, zero, value)))
    }

    /// A value that may be written several times: itself if it costs nothing, else a local to be bound.
    pub(super) fn hold(&mut self, value: Value) -> (Value, Option<(u32, Value)>) {
        match value {
            Value::Int(i) => {
                let mover = IntOp::Slot(slot::MOVER as u32);
                if matches!(self.b.int_op(i), IntOp::Const(_) | IntOp::Local(_)) || *self.b.int_op(i) == mover
                {
                    return (value, None);
                }
                let local = self.b.int_local();
                (Value::Int(self.b.int(IntOp::Local(local))), Some((local, value)))
            }
            Value::Set(s) => {
                if matches!(self.b.op(s), SetOp::Const(_) | SetOp::Local(_)) {
                    return (value, None);
                }
                if let SetOp::Site(x) = self.b.op(s)
                    && matches!(self.b.int_op(*x), IntOp::Const(_) | IntOp::Local(_))
                {
                    return (value, None);
                }
                let local = self.b.set_local();
                (Value::Set(self.b.set(SetOp::Local(local))), Some((local, value)))
            }
        }
    }

    /// A value with locals bound around it, the first outermost.
    pub(super) fn wrap(&mut self, body: Value, lets: Vec<(u32, Value)>) -> Value {
        let mut body = body;
        for (local, value) in lets.into_iter().rev() {
            body = match (body, value) {
                (Value::Int(body), Value::Int(value)) => {
                    Value::Int(self.b.int(IntOp::LetInt { local, value, body }))
                }
                (Value::Int(body), Value::Set(value)) => {
                    Value::Int(self.b.int(IntOp::LetSet { local, value, body }))
                }
                (Value::Set(body), Value::Int(value)) => {
                    Value::Set(self.b.set(SetOp::LetInt { local, value, body }))
                }
                (Value::Set(body), Value::Set(value)) => {
                    Value::Set(self.b.set(SetOp::LetSet { local, value, body }))
                }
            };
        }
        body
    }
}
