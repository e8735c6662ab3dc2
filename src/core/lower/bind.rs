//! Definitions with arguments, and values that are bound to locals so that they are computed once.

use super::layout::missing;
use super::state::{Lowerer, Source, View};
use crate::board::DirGroup;
use crate::ids::Dir;
use crate::improve::Node;
use crate::program::{Binary, IntId, IntOp};
use crate::semantics::{Builtin, Expr, ExprKind, Function, LocalId};
use crate::source::Span;

impl Lowerer<'_> {
    /// A definition with arguments.
    pub(super) fn call(&mut self, f: usize, who: Option<&Expr>, args: &[Expr], view: View) -> Node {
        let Some(function) = self.rules.defines.get(f) else { return Node::Int(view.me) };
        let me = who.map_or(view.me, |w| self.int(w, view));
        let real = who.and_then(|who| self.is_player(who, me));
        let mut bound = Vec::new();
        for (param, arg) in function.params.iter().zip(args) {
            let value = self.value(arg, view);
            bound.push((*param, self.b.hold(value)));
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
        let body = match real {
            None => body,
            Some(real) => {
                let nothing = self.nothing(function.ty);
                self.b.choose(real, body, nothing)
            }
        };
        self.b.wrap(body, lets)
    }

    /// A body with a value bound around it.
    pub(super) fn bound(
        &mut self,
        local: LocalId,
        value: &Expr,
        view: View,
        body: impl FnOnce(&mut Self) -> Node,
    ) -> Node {
        let value = self.value(value, view);
        let (value, held) = self.b.hold(value);
        self.values.insert(local, value);
        let body = body(self);
        self.b.wrap(body, held)
    }

    /// A label of the board, as me sees it.
    pub(super) fn direction(&mut self, group: &DirGroup, view: View) -> IntId {
        let number = |dirs: &[Dir]| dirs.first().map_or(-1, |d| i32::from(d.0));
        self.of_group(group, view, |_, dirs| number(dirs))
    }

    /// A mask of labels, as me sees them.
    pub(super) fn directions(&mut self, group: &DirGroup, view: View) -> IntId {
        self.of_group(group, view, |l, dirs| {
            if let Some(far) = dirs.iter().find(|d| d.0 > 30) {
                let name = l.rules.board.directions().get(far.index()).map_or("", |d| d.name.as_str());
                let message =
                    format!("a name can range over the first 31 labels of a board, not over `{name}`");
                l.limit(Span::default(), message);
            }
            dirs.iter().filter(|d| d.0 <= 30).fold(0, |mask, d| mask | 1 << d.0)
        })
    }

    /// A number made from the labels of a group, which may differ by player.
    fn of_group(&mut self, group: &DirGroup, view: View, number: impl Fn(&mut Self, &[Dir]) -> i32) -> IntId {
        match group {
            DirGroup::Fixed(dirs) => {
                let n = number(self, dirs);
                self.b.num(n)
            }
            DirGroup::PerPlayer(each) => {
                let mut cases = Vec::new();
                for dirs in each {
                    let n = number(self, dirs);
                    cases.push(self.b.num(n));
                }
                self.b.int(IntOp::Switch(view.me, cases.into_boxed_slice(), 0))
            }
        }
    }

    /// The value of a definition whose parameters are bound.
    fn body(&mut self, function: &Function, view: View) -> Node {
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
            self.b.switch(me, values, missing(function.ty))
        }
    }

    /// The test whether an expression is a player; none if it certainly is one. Code seen by no player is empty.
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
}
