//! Built-ins as code.

use super::state::{Lowerer, View};
use crate::ids::Site;
use crate::improve::Node;
use crate::program::{Binary, IntId, IntOp, OfSet, SetId, SetOp, Unary, slot};
use crate::semantics::{Builtin, Expr, Type};
use crate::siteset::SiteSet;

impl Lowerer<'_> {
    /// A built-in of some arguments: a set where its type is `sites`, else an integer.
    pub(super) fn builtin(&mut self, b: Builtin, args: &[Expr], view: View) -> Node {
        let board = self.rules.board.clone();
        match b {
            Builtin::Opponent => Node::Int(self.opponent(view.me)),
            Builtin::Next => Node::Int(self.next(view)),
            Builtin::Own => Node::Set(self.pieces_of(view.me)),
            Builtin::Enemy => Node::Set(self.enemy(view)),
            Builtin::Ally => Node::Set(self.allies(view)),
            Builtin::Neutral => Node::Set(self.neutral()),
            Builtin::Vacant => {
                let occupied = self.occupied();
                Node::Set(self.b.set(SetOp::Not(occupied)))
            }
            Builtin::Occupied => Node::Set(self.occupied()),
            Builtin::Single => {
                if let Some(stacks) = self.b.pieces.stacks {
                    return Node::Set(self.with_below(stacks, 0));
                }
                let (occupied, two) = (self.occupied(), self.level(0));
                Node::Set(self.b.set(SetOp::Sub(occupied, two)))
            }
            Builtin::Double => {
                if let Some(stacks) = self.b.pieces.stacks {
                    return Node::Set(self.with_below(stacks, 1));
                }
                let (two, three) = (self.level(0), self.level(1));
                Node::Set(self.b.set(SetOp::Sub(two, three)))
            }
            Builtin::Edge => Node::Set(self.b.constant(board.edge())),
            Builtin::StartSites => {
                let of = |l: &mut Self, sites: &[Site]| l.b.constant(sites.iter().copied().collect());
                let cases = self.rules.start_sites.iter().map(|sites| of(self, sites)).collect();
                Node::Set(self.b.set(SetOp::Switch(view.me, cases)))
            }
            Builtin::Corners => Node::Set(self.b.constant(board.corners())),
            Builtin::Centre => Node::Set(self.b.constant(board.centre())),
            Builtin::Side => self.numbered(args, board.sides(), |i| board.side(i), view),
            Builtin::RowSites => self.numbered(args, board.rows(), |i| board.row_set(i), view),
            Builtin::ColumnSites => self.numbered(args, board.columns(), |i| board.column_set(i), view),
            Builtin::RowOf => self.by_site(args, |s| board.row(s), view),
            Builtin::ColumnOf => self.by_site(args, |s| board.column(s), view),
            Builtin::Between => {
                let (from, to) = (self.set_at(args, 0, view), self.set_at(args, 1, view));
                let rays = board.lines().iter().map(|d| self.ray_table(*d, None)).collect();
                Node::Set(self.b.set(SetOp::Between { rays, from, to }))
            }
            Builtin::First => self.of_set(OfSet::First, args, view),
            Builtin::Only => self.of_set(OfSet::Only, args, view),
            Builtin::Count if args.first().is_some_and(|e| e.ty != Type::Sites) => {
                self.of_int(|mask| IntOp::Unary(Unary::BitCount, mask), args, view)
            }
            Builtin::Count => self.of_set(OfSet::Count, args, view),
            Builtin::Height => match self.b.pieces.stacks {
                None => self.of_int(IntOp::HeightAt, args, view),
                Some(stacks) => {
                    let site = self.int_at(args, 0, view);
                    Node::Int(self.height(stacks, site))
                }
            },
            Builtin::Min => self.of_two(Binary::Min, args, view),
            Builtin::Max => self.of_two(Binary::Max, args, view),
            Builtin::Abs => self.of_int(|x| IntOp::Unary(Unary::Abs, x), args, view),
            Builtin::Opposite => {
                let opposite = |d: &crate::board::Direction| d.opposite.map_or(-1, |o| i32::from(o.0));
                let table = self.b.table(board.directions().iter().map(opposite).collect());
                let index = self.int_at(args, 0, view);
                Node::Int(self.b.int(IntOp::Lookup { table, index, missing: -1 }))
            }
            Builtin::Passes => self.slot(slot::PASSES),
            Builtin::Seen => self.slot(slot::SEEN),
            Builtin::Ply => self.slot(slot::PLY),
            Builtin::Round => self.slot(slot::ROUND),
            Builtin::KindOn => {
                let x = self.int_at(args, 0, view);
                Node::Int(self.kind_at(x, view))
            }
            Builtin::OwnerOn => {
                let x = self.int_at(args, 0, view);
                let owner = self.b.int(IntOp::OwnerAt(x));
                Node::Int(self.player(owner))
            }
            Builtin::KindDown => {
                let at = (self.int_at(args, 0, view), self.int_at(args, 1, view));
                Node::Int(self.nth_kind(at))
            }
            Builtin::OwnerDown => {
                let at = (self.int_at(args, 0, view), self.int_at(args, 1, view));
                Node::Int(self.nth_owner(at))
            }
        }
    }

    /// An argument that is an integer. The checker has seen that it is there.
    fn int_at(&mut self, args: &[Expr], i: usize, view: View) -> IntId {
        match args.get(i) {
            Some(e) => self.int(e, view),
            None => self.b.num(0),
        }
    }

    /// An argument that is a set. The checker has seen that it is there.
    fn set_at(&mut self, args: &[Expr], i: usize, view: View) -> SetId {
        match args.get(i) {
            Some(e) => self.set(e, view),
            None => self.b.empty(),
        }
    }

    fn slot(&mut self, slot: usize) -> Node {
        Node::Int(self.b.int(IntOp::Slot(slot as u32)))
    }

    fn of_set(&mut self, op: OfSet, args: &[Expr], view: View) -> Node {
        let set = self.set_at(args, 0, view);
        self.b.int(IntOp::OfSet(op, set)).into()
    }

    fn of_int(&mut self, op: fn(IntId) -> IntOp, args: &[Expr], view: View) -> Node {
        let x = self.int_at(args, 0, view);
        self.b.int(op(x)).into()
    }

    fn of_two(&mut self, op: Binary, args: &[Expr], view: View) -> Node {
        let (x, y) = (self.int_at(args, 0, view), self.int_at(args, 1, view));
        Node::Int(self.b.int(IntOp::Binary(op, x, y)))
    }

    /// A number that belongs to a site; 0 for none.
    fn by_site(&mut self, args: &[Expr], of: impl Fn(Site) -> i32, view: View) -> Node {
        let table = (0..self.rules.board.len()).map(|s| of(Site(s as u16))).collect();
        let table = self.b.table(table);
        let index = self.int_at(args, 0, view);
        Node::Int(self.b.int(IntOp::Lookup { table, index, missing: 0 }))
    }

    /// A region by number from 1; empty outside.
    fn numbered(&mut self, args: &[Expr], count: i32, of: impl Fn(i32) -> SiteSet, view: View) -> Node {
        let index = self.int_at(args, 0, view);
        if let Some(i) = self.b.const_of(index) {
            return Node::Set(self.b.constant(of(i)));
        }
        let cases = (0..=count).map(|i| self.b.constant(of(i))).collect();
        Node::Set(self.b.set(SetOp::Switch(index, cases)))
    }

    /// Sites with more than so many pieces, and one.
    fn level(&mut self, j: usize) -> SetId {
        let (base, levels) = (self.b.pieces.level_base, self.b.pieces.levels);
        match j < levels {
            true => self.b.set(SetOp::Layer((base + j) as u32)),
            false => self.b.empty(),
        }
    }

    fn enemy(&mut self, view: View) -> SetId {
        if self.rules.players.len() == 2 {
            let other = self.opponent(view.me);
            return self.pieces_of(other);
        }
        let mut all = self.b.empty();
        for p in 0..self.rules.players.len() {
            let p = self.b.num(p as i32);
            let part = self.pieces_of(p);
            all = self.b.set(SetOp::Or(all, part));
        }
        let mut friends = self.pieces_of(view.me);
        if !self.rules.teams.is_empty() {
            let allies = self.allies(view);
            friends = self.b.set(SetOp::Or(friends, allies));
        }
        self.b.set(SetOp::Sub(all, friends))
    }

    /// The pieces of the others in me's team.
    fn allies(&mut self, view: View) -> SetId {
        let rules = self.rules;
        let players = 0..rules.players.len();
        let of = |l: &mut Self, me: usize| {
            let others = players.clone().filter(|p| *p != me && rules.together(*p, me));
            others.fold(l.b.empty(), |all, p| {
                let p = l.b.num(p as i32);
                let part = l.pieces_of(p);
                l.b.set(SetOp::Or(all, part))
            })
        };
        let cases = players.clone().map(|me| of(self, me)).collect();
        self.b.set(SetOp::Switch(view.me, cases))
    }

    fn neutral(&mut self) -> SetId {
        match (self.b.pieces.owner_base, self.b.pieces.neutral) {
            (Some(base), true) => self.b.set(SetOp::Layer((base + self.rules.players.len()) as u32)),
            (None, _) => self.occupied(),
            (Some(_), false) => self.b.empty(),
        }
    }
}
