//! Stacks of any pieces, as effects and questions of the top pieces and of the numbers that say what is below them.
//!
//! [`Stacks`] says how they are kept. A piece that lands covers the top one, whose sort is added as a digit; a top
//! piece that goes uncovers the one below it. To go beneath moves each digit up by one place, row by row. Nothing of
//! this is an operation of programs: all is written as sums, quotients and stores of slots, on one site at a time.
//!
//! What finds no room is left where it is: no piece is lost without an effect that says so.

use super::state::Lowerer;
use crate::improve::Node;
use crate::program::{Binary, Block, Domain, IntId, IntOp, SetId, SetOp, Stacks, Stmt, Unary};

/// A move from one site to another.
pub(super) struct Moved {
    pub(super) from: IntId,
    pub(super) to: IntId,
    /// Beneath what stands there.
    pub(super) under: bool,
    /// How many pieces at most; one if that is not said.
    pub(super) upto: Option<IntId>,
    /// Owner and kind of the piece and that it lands where none is, as far as they are known.
    pub(super) owner: Option<IntId>,
    pub(super) kind: Option<u32>,
    pub(super) vacant: bool,
}

impl Lowerer<'_> {
    fn two(&mut self, op: Binary, a: IntId, b: IntId) -> IntId {
        self.b.int(IntOp::Binary(op, a, b))
    }

    fn with(&mut self, op: Binary, a: IntId, b: i32) -> IntId {
        let b = self.b.num(b);
        self.two(op, a, b)
    }

    fn held(&mut self, value: IntId, block: &mut Block) -> IntId {
        let value = self.keep(value.into(), block);
        self.b.int_of(value)
    }

    fn all_of(&mut self, conditions: &[IntId]) -> IntId {
        let yes = self.b.num(1);
        conditions.iter().rev().fold(yes, |all, one| self.b.int(IntOp::And(*one, all)))
    }

    fn one(&mut self, site: IntId) -> SetId {
        self.b.set(SetOp::Site(site))
    }

    fn is_occupied(&mut self, site: IntId) -> IntId {
        let occupied = self.occupied();
        self.b.int(IntOp::Has(occupied, site))
    }

    /// How many pieces are below the top one of a site; 0 for none.
    pub(super) fn below(&mut self, stacks: Stacks, site: IntId) -> IntId {
        let (base, count) = (stacks.heights as u32, stacks.sites as u32);
        self.b.int(IntOp::SlotRow { base, count, index: site, missing: 0 })
    }

    /// How many pieces are on a site.
    pub(super) fn height(&mut self, stacks: Stacks, site: IntId) -> IntId {
        let (top, below) = (self.is_occupied(site), self.below(stacks, site));
        self.two(Binary::Add, below, top)
    }

    fn set_below(&mut self, stacks: Stacks, site: IntId, value: IntId) -> Stmt {
        Stmt::SetSlotRow { base: stacks.heights as u32, count: stacks.sites as u32, index: site, value }
    }

    /// The slots of the digits of all sites.
    fn digits(&mut self, stacks: Stacks) -> (u32, u32) {
        (stacks.digits as u32, (stacks.rows() * stacks.sites) as u32)
    }

    /// The digits of a row of a site.
    fn row(&mut self, stacks: Stacks, row: usize, site: IntId) -> (IntId, impl Fn(IntId) -> Stmt + use<>) {
        let (base, count) = ((stacks.digits + row * stacks.sites) as u32, stacks.sites as u32);
        let value = self.b.int(IntOp::SlotRow { base, count, index: site, missing: 0 });
        (value, move |value| Stmt::SetSlotRow { base, count, index: site, value })
    }

    /// The powers of the base, by their number.
    fn worth(&mut self, stacks: Stacks, number: IntId) -> IntId {
        let table = self.b.table((0..=stacks.each).map(|digit| stacks.worth(digit)).collect());
        self.b.int(IntOp::Lookup { table, index: number, missing: i32::MAX })
    }

    /// Where a piece of a site is, by its number from the lowest: which of the digits' slots, and the worth of 1 there.
    fn place(&mut self, stacks: Stacks, site: IntId, number: IntId) -> (IntId, IntId) {
        let each = stacks.each as i32;
        if stacks.rows() == 1 {
            return (site, self.worth(stacks, number));
        }
        let (row, digit) = (self.with(Binary::Div, number, each), self.with(Binary::Rem, number, each));
        let row = self.with(Binary::Mul, row, stacks.sites as i32);
        (self.two(Binary::Add, row, site), self.worth(stacks, digit))
    }

    /// The sort of a piece below the top one, by its number from the lowest. There must be one.
    fn sort_below(&mut self, stacks: Stacks, site: IntId, number: IntId) -> IntId {
        let (base, count) = self.digits(stacks);
        let (index, worth) = self.place(stacks, site, number);
        let value = self.b.int(IntOp::SlotRow { base, count, index, missing: 0 });
        let above = self.two(Binary::Div, value, worth);
        self.with(Binary::Rem, above, stacks.sorts as i32)
    }

    fn owner_count(&self) -> usize {
        self.b.pieces.owner_layers(self.rules.players.len()).len()
    }

    /// The sort of the top piece of a site. There must be one.
    fn sort_of_top(&mut self, site: IntId) -> IntId {
        let kind = self.b.int(IntOp::KindAt(site));
        let owner = self.b.int(IntOp::OwnerAt(site));
        match (self.owner_count(), self.b.pieces.kinds) {
            (0 | 1, _) => kind,
            (_, 1) => owner,
            (owners, _) => {
                let kind = self.with(Binary::Mul, kind, owners as i32);
                self.two(Binary::Add, kind, owner)
            }
        }
    }

    /// Owner (the number of players for neutral) and kind of a sort.
    fn of_sort(&mut self, sort: IntId) -> (IntId, IntId) {
        match (self.owner_count(), self.b.pieces.kinds) {
            (0, _) => (self.b.num(self.rules.players.len() as i32), sort),
            (1, _) => (self.b.num(0), sort),
            (_, 1) => (sort, self.b.num(0)),
            (owners, _) => {
                (self.with(Binary::Rem, sort, owners as i32), self.with(Binary::Div, sort, owners as i32))
            }
        }
    }

    /// A piece is added above those below the top one of a site.
    fn push(&mut self, stacks: Stacks, site: IntId, sort: IntId, block: &mut Block) {
        let (base, count) = self.digits(stacks);
        let height = self.below(stacks, site);
        let height = self.held(height, block);
        let (index, worth) = self.place(stacks, site, height);
        let old = self.b.int(IntOp::SlotRow { base, count, index, missing: 0 });
        let more = self.two(Binary::Mul, sort, worth);
        let value = self.two(Binary::Add, old, more);
        block.push(Stmt::SetSlotRow { base, count, index, value });
        let height = self.with(Binary::Add, height, 1);
        block.push(self.set_below(stacks, site, height));
    }

    /// The top piece of a site is covered, if there is one.
    fn cover(&mut self, stacks: Stacks, site: IntId, block: &mut Block) {
        let mut inner = Vec::new();
        let sort = self.sort_of_top(site);
        self.push(stacks, site, sort, &mut inner);
        let there = self.is_occupied(site);
        self.guarded(there, inner, block);
    }

    /// After the top piece of a site has gone, the next one is the top, if there is one.
    fn uncover(&mut self, stacks: Stacks, site: IntId, block: &mut Block) {
        let (base, count) = self.digits(stacks);
        let mut inner = Vec::new();
        let below = self.below(stacks, site);
        let number = self.with(Binary::Sub, below, 1);
        let number = self.held(number, &mut inner);
        let sort = self.sort_below(stacks, site, number);
        let sort = self.held(sort, &mut inner);
        let (index, worth) = self.place(stacks, site, number);
        let old = self.b.int(IntOp::SlotRow { base, count, index, missing: 0 });
        let less = self.two(Binary::Mul, sort, worth);
        let value = self.two(Binary::Sub, old, less);
        inner.push(Stmt::SetSlotRow { base, count, index, value });
        inner.push(self.set_below(stacks, site, number));
        self.put_top(site, sort, &mut inner);
        let zero = self.b.num(0);
        let some = self.two(Binary::Lt, zero, below);
        self.guarded(some, inner, block);
    }

    /// A piece of a sort becomes the top piece of a site from which it has gone.
    fn put_top(&mut self, site: IntId, sort: IntId, block: &mut Block) {
        let ((owner, kind), at) = (self.of_sort(sort), self.one(site));
        block.push(Stmt::Put { at, owner, kind, height: 1, vacant: true });
    }

    /// So many pieces below the top one of a site stay, the lowest.
    fn cut(&mut self, stacks: Stacks, site: IntId, height: IntId, block: &mut Block) {
        for row in 0..stacks.rows() {
            let (old, set) = self.row(stacks, row, site);
            let here = self.with(Binary::Sub, height, (row * stacks.each) as i32);
            let here = self.with(Binary::Max, here, 0);
            let worth = self.worth(stacks, here);
            block.push(set(self.two(Binary::Rem, old, worth)));
        }
        block.push(self.set_below(stacks, site, height));
    }

    /// A piece is added beneath all of a site, on which there is one.
    fn push_under(&mut self, stacks: Stacks, site: IntId, sort: IntId, block: &mut Block) {
        let most = stacks.worth(stacks.each - 1);
        let mut lowest = sort;
        for row in 0..stacks.rows() {
            let (old, set) = self.row(stacks, row, site);
            let old = self.held(old, block);
            let kept = self.with(Binary::Rem, old, most);
            let raised = self.with(Binary::Mul, kept, stacks.sorts as i32);
            block.push(set(self.two(Binary::Add, raised, lowest)));
            lowest = self.with(Binary::Div, old, most);
        }
        let height = self.below(stacks, site);
        let height = self.with(Binary::Add, height, 1);
        block.push(self.set_below(stacks, site, height));
    }

    /// Pieces of a site go to another, on top or beneath.
    pub(super) fn move_stacked(&mut self, stacks: Stacks, moved: Moved, block: &mut Block) {
        let x = self.held(moved.from, block);
        let y = self.held(moved.to, block);
        let most = moved.upto.map(|most| {
            let there = self.height(stacks, x);
            let most = self.two(Binary::Min, most, there);
            self.held(most, block)
        });
        let one = self.b.num(1);
        let count = most.unwrap_or(one);
        let zero = self.b.num(0);
        let ends = [self.two(Binary::Le, zero, x), self.two(Binary::Le, zero, y)];
        let same = self.two(Binary::Eq, x, y);
        let apart = self.b.int(IntOp::Unary(Unary::Not, same));
        let some = match most {
            Some(count) => self.two(Binary::Lt, zero, count),
            None => self.is_occupied(x),
        };
        let there = self.height(stacks, y);
        let all = self.two(Binary::Add, there, count);
        let fits = match moved.vacant && most.is_none() {
            true => one,
            false => self.with(Binary::Le, all, stacks.most as i32),
        };
        let known = moved.owner.is_some() || moved.kind.is_some();
        let some = if known && most.is_none() { one } else { some };
        let cond = self.all_of(&[ends[0], ends[1], apart, some, fits]);
        let step = Stmt::Move { from: x, to: y, owner: moved.owner, kind: moved.kind, vacant: moved.vacant };
        let mut inner = Vec::new();
        match (moved.under, most) {
            (true, None) => self.tuck(stacks, (x, y), step, &mut inner),
            (true, Some(count)) => {
                let mut body = Vec::new();
                // After the first piece another one is on top, and one is where they go.
                let step = Stmt::Move { from: x, to: y, owner: None, kind: None, vacant: false };
                self.tuck(stacks, (x, y), step, &mut body);
                let (local, body) = (self.b.int_local(), self.b.block(body));
                inner.push(Stmt::For { local, domain: Domain::Range(one, count), body });
            }
            (false, None) => {
                if !moved.vacant {
                    self.cover(stacks, y, &mut inner);
                }
                inner.push(step);
                self.uncover(stacks, x, &mut inner);
            }
            (false, Some(count)) => {
                if !moved.vacant {
                    self.cover(stacks, y, &mut inner);
                }
                self.move_top(stacks, (x, y), count, step, &mut inner);
            }
        }
        self.guarded(cond, inner, block);
    }

    /// So many pieces from the top of a site go onto what is on another, in their order.
    fn move_top(
        &mut self,
        stacks: Stacks,
        (x, y): (IntId, IntId),
        count: IntId,
        step: Stmt,
        block: &mut Block,
    ) {
        let below = self.below(stacks, x);
        let below = self.held(below, block);
        let whole = self.with(Binary::Add, below, 1);
        let left = self.two(Binary::Sub, whole, count);
        let left = self.held(left, block);
        let mut body = Vec::new();
        let local = self.b.int_local();
        let number = self.b.int(IntOp::Local(local));
        let sort = self.sort_below(stacks, x, number);
        self.push(stacks, y, sort, &mut body);
        let body = self.b.block(body);
        let last = self.with(Binary::Sub, below, 1);
        block.push(Stmt::For { local, domain: Domain::Range(left, last), body });
        block.push(step);
        // Of those that are left the highest is the top.
        let top = self.with(Binary::Sub, left, 1);
        let top = self.with(Binary::Max, top, 0);
        let top = self.held(top, block);
        let sort = self.sort_below(stacks, x, top);
        let sort = self.held(sort, block);
        self.cut(stacks, x, top, block);
        let mut uncovered = Vec::new();
        self.put_top(x, sort, &mut uncovered);
        let zero = self.b.num(0);
        let some = self.two(Binary::Lt, zero, left);
        self.guarded(some, uncovered, block);
    }

    /// The top piece of a site goes beneath what is on another.
    fn tuck(&mut self, stacks: Stacks, (x, y): (IntId, IntId), step: Stmt, block: &mut Block) {
        let mut beneath = Vec::new();
        let sort = self.sort_of_top(x);
        let sort = self.held(sort, &mut beneath);
        self.push_under(stacks, y, sort, &mut beneath);
        beneath.push(Stmt::Lift(self.one(x)));
        let there = self.is_occupied(y);
        match self.b.const_of(there) {
            Some(0) => block.push(step),
            _ => {
                let (beneath, alone) = (self.b.block(beneath), self.b.block(vec![step]));
                block.push(Stmt::If(there, beneath, Some(alone)));
            }
        }
        self.uncover(stacks, x, block);
    }

    /// For each site of a set with pieces.
    fn each_occupied(
        &mut self,
        at: SetId,
        block: &mut Block,
        code: impl FnOnce(&mut Self, IntId, &mut Block),
    ) {
        let occupied = self.occupied();
        let at = self.b.set(SetOp::And(at, occupied));
        if self.b.is_empty(at) {
            return;
        }
        let local = self.b.int_local();
        let site = self.b.int(IntOp::Local(local));
        let mut body = Vec::new();
        code(self, site, &mut body);
        let body = self.b.block(body);
        block.push(Stmt::For { local, domain: Domain::Set(at), body });
    }

    fn held_set(&mut self, at: SetId, block: &mut Block) -> SetId {
        let at = self.keep(Node::Set(at), block);
        self.b.set_of(at)
    }

    /// Pieces land on the sites of a set, on top of what is there.
    pub(super) fn put_stacked(
        &mut self,
        stacks: Stacks,
        at: SetId,
        (owner, kind): (IntId, IntId),
        block: &mut Block,
    ) {
        let at = self.held_set(at, block);
        let (owner, kind) = (self.held(owner, block), self.held(kind, block));
        self.each_occupied(at, block, |l, site, body| {
            let below = l.below(stacks, site);
            let whole = l.with(Binary::Add, below, 2);
            let fits = l.with(Binary::Le, whole, stacks.most as i32);
            let zero = l.b.num(0);
            let real = [l.two(Binary::Le, zero, owner), l.two(Binary::Le, zero, kind)];
            let mut inner = Vec::new();
            let sort = l.sort_of_top(site);
            l.push(stacks, site, sort, &mut inner);
            let at = l.one(site);
            inner.push(Stmt::Put { at, owner, kind, height: 1, vacant: false });
            let cond = l.all_of(&[fits, real[0], real[1]]);
            l.guarded(cond, inner, body);
        });
        let occupied = self.occupied();
        let at = self.b.set(SetOp::Sub(at, occupied));
        block.push(Stmt::Put { at, owner, kind, height: 1, vacant: false });
    }

    /// All pieces of the sites go.
    pub(super) fn remove_stacked(&mut self, stacks: Stacks, at: SetId, block: &mut Block) {
        let at = self.held_set(at, block);
        self.each_occupied(at, block, |l, site, body| {
            let zero = l.b.num(0);
            for row in 0..stacks.rows() {
                let (_, set) = l.row(stacks, row, site);
                body.push(set(zero));
            }
            body.push(l.set_below(stacks, site, zero));
        });
        block.push(Stmt::Remove(at));
    }

    /// The top pieces of the sites go.
    pub(super) fn lift_stacked(&mut self, stacks: Stacks, at: SetId, block: &mut Block) {
        self.each_occupied(at, block, |l, site, body| {
            body.push(Stmt::Lift(l.one(site)));
            l.uncover(stacks, site, body);
        });
    }

    /// Sites with pieces of which so many are below the top one.
    pub(super) fn with_below(&mut self, stacks: Stacks, many: i32) -> SetId {
        let local = self.b.int_local();
        let site = self.b.int(IntOp::Local(local));
        let below = self.below(stacks, site);
        let (occupied, cond) = (self.occupied(), self.with(Binary::Eq, below, many));
        self.filter(local, occupied, cond)
    }

    /// A part of the nth piece from the top of a site, by what is asked of the top one and of a sort; -1 if there is no
    /// such piece.
    pub(super) fn nth(
        &mut self,
        (site, n): (IntId, IntId),
        of_top: impl FnOnce(&mut Self, IntId) -> IntId,
        of_sort: impl FnOnce(&mut Self, IntId) -> IntId,
    ) -> IntId {
        let top = of_top(self, site);
        let (none, one) = (self.b.num(-1), self.b.num(1));
        let Some(stacks) = self.b.pieces.stacks else {
            // All pieces of the site are equal.
            let height = self.b.int(IntOp::HeightAt(site));
            let there = [self.two(Binary::Le, one, n), self.two(Binary::Le, n, height)];
            let there = self.all_of(&there);
            return self.b.int(IntOp::If(there, top, none));
        };
        let below = self.below(stacks, site);
        let above = self.two(Binary::Sub, below, n);
        let number = self.with(Binary::Add, above, 1);
        let sort = self.sort_below(stacks, site, number);
        let deep = of_sort(self, sort);
        let zero = self.b.num(0);
        let there = [self.two(Binary::Lt, one, n), self.two(Binary::Le, zero, number)];
        let there = self.all_of(&there);
        let deep = self.b.int(IntOp::If(there, deep, none));
        let is_top = self.two(Binary::Eq, n, one);
        self.b.int(IntOp::If(is_top, top, deep))
    }

    /// The kind of the nth piece from the top.
    pub(super) fn nth_kind(&mut self, at: (IntId, IntId)) -> IntId {
        self.nth(at, |l, site| l.b.int(IntOp::KindAt(site)), |l, sort| l.of_sort(sort).1)
    }

    /// The owner of the nth piece from the top, -1 for nobody.
    pub(super) fn nth_owner(&mut self, at: (IntId, IntId)) -> IntId {
        self.nth(
            at,
            |l, site| {
                let owner = l.b.int(IntOp::OwnerAt(site));
                l.player(owner)
            },
            |l, sort| {
                let owner = l.of_sort(sort).0;
                l.player(owner)
            },
        )
    }

    /// An owner as a player, -1 for nobody.
    pub(super) fn player(&mut self, owner: IntId) -> IntId {
        let (players, none) = (self.b.num(self.rules.players.len() as i32), self.b.num(-1));
        let real = self.two(Binary::Lt, owner, players);
        self.b.int(IntOp::If(real, owner, none))
    }
}
