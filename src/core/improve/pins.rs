//! Conditions on the position after a move, asked of the positions before.
//!
//! A filter `{to in D : after (move from -> to) : C}` makes every move to see whether `C` holds after it. Most moves
//! do not change `C`; [`change`](super::change) finds those that may. A move is two changes of one site each. First the
//! piece is lifted from `from`, which gives a position `L` that does not depend on `to`. Then it is put on `to`. Let
//! `C_L` be the value of `C` in `L`. Let `more` be the sites where putting the piece may make `C` true in `L`, and
//! `less` those where it may make `C` false. Then
//!
//! ```text
//! {to in D : after (move from -> to) : C}
//!   = if C_L then D - less     no move there makes C false
//!     | {to in D & (if C_L then less else more) : after (move from -> to) : C}
//! ```
//!
//! because outside `less` a true `C` stays true, and outside `more` a false `C` stays false.
//! Where `more` and `less` are larger than necessary, more ends are tested, as before.
//!
//! A piece that is put on the board and comes from nowhere is lifted from nowhere: then `L` is the position at hand. A
//! piece that turns to another kind as it arrives is put as that kind.
//!
//! The same holds for lifting. Let `more'` and `less'` be those sets of the lift, in the position at hand. `C` is asked
//! once for all origins; only for origins in `more'` and `less'` the piece is lifted and `C` is asked again:
//!
//! ```text
//! settled = if C then all - less' else nothing
//! open    = if C then less' else more'
//! {from : C_L} = settled | {from in open : after (lift from) : C}
//! ```
//!
//! (Where `C` is "the royal piece is not attacked", `open` are the pieces next on the lines to it, `more` is
//! where an attack can be answered, and `{from : C_L}` are the pieces that are not pinned, if it is not
//! attacked.)
//!
//! If there is no answer for a condition as a whole, its parts are asked one after the other. A part may hold unless
//! `to` is in a set `S`, as `not (to in S and c)` or `no k in (if to in S then K else none) : c`. It is tested only for
//! ends that may come to be in `S`.
//!
//! # Preconditions, which are checked
//!
//! - Pieces do not stack, so that a move is a lift and a put.
//! - A piece stands on `from`: the loop that binds it runs over a set within a layer of owners or of kinds,
//!   of the position in which the filter is evaluated. From that set its owner and kind are known, too.
//! - `C` names no local, so it is the same question for every move.
//! - Before the move locals may be bound. The only other effects are `remove`s of sets that are empty unless `to` is in
//!   a set `P`: the moves to `P` are tested as before.

use std::collections::HashMap;

use super::Pass;
use super::builder::Builder;
use super::change::{Act, Change, Piece};
use super::fits::ALL_KINDS;
use super::open::Opened;
use crate::program::{Binary, BlockId, Domain, IntId, IntOp, Local, Part, SetId, SetOp, Stmt, Unary};

/// A move, and the condition that is asked after it.
struct Moving {
    block: BlockId,
    after: IntId,
    /// Where it comes from; none for a piece that is put on the board.
    from: Option<Origin>,
    /// The piece as it lands.
    lands: Piece,
    /// The ends for which the block has other effects too.
    special: SetId,
}

/// Where a piece that moves comes from.
#[derive(Clone, Copy)]
struct Origin {
    /// Its site.
    site: IntId,
    /// The piece before it moves.
    piece: Piece,
    /// A set that it stands in.
    standing: SetId,
}

impl Builder {
    /// The members of a set for which a condition on the position after a move holds, with few moves made; none if the
    /// condition is of another form.
    pub(crate) fn unpinned(&mut self, to: u32, domain: SetId, cond: IntId) -> Option<SetId> {
        if !self.passes.has(Pass::Pins) || !self.walk(Part::Int(cond)) || !self.walk(Part::Set(domain)) {
            return None;
        }
        let asked = self.moving(to, cond)?;
        if let Some(q) = self.question(&asked) {
            let found = self.by_changes(to, domain, cond, &asked, q);
            return found.or_else(|| self.by_arrival(to, domain, cond, &asked, q));
        }
        // Of several conditions, each that has an answer.
        let IntOp::And(one, other) = *self.int_op(asked.after) else { return None };
        if !matches!(self.int_op(cond), IntOp::After(..)) {
            return None;
        }
        let cond = self.after_int(asked.block, one);
        let first = self.unpinned(to, domain, cond)?;
        let rest = self.after_int(asked.block, other);
        let mut put = Change::new(Act::Put, Piece { from: None, ..asked.lands });
        let Some(open) = self.settled_outside(&mut put, asked.from, to, other, true) else {
            return Some(self.sift(to, first, rest));
        };
        let open = self.set(SetOp::Or(open, asked.special));
        let local = self.set_local();
        let all = self.set(SetOp::Local(local));
        let (done, some) = (self.set(SetOp::Sub(all, open)), self.set(SetOp::And(all, open)));
        let tested = self.set(SetOp::Filter { local: to, domain: some, cond: rest });
        let body = self.set(SetOp::Or(done, tested));
        Some(self.set(SetOp::LetSet { local, value: first, body }))
    }

    /// A set of sites. After the piece is put on any other site the condition holds, or, without `holds`, does not.
    fn settled_outside(
        &mut self,
        put: &mut Change,
        from: Option<Origin>,
        to: u32,
        cond: IntId,
        holds: bool,
    ) -> Option<SetId> {
        match *self.int_op(cond) {
            IntOp::Unary(Unary::Not, a) => self.settled_outside(put, from, to, a, !holds),
            IntOp::And(a, b) | IntOp::Or(a, b) => {
                let either = matches!(self.int_op(cond), IntOp::Or(..)) == holds;
                match (
                    self.settled_outside(put, from, to, a, holds),
                    self.settled_outside(put, from, to, b, holds),
                ) {
                    (Some(one), Some(other)) if !either => Some(self.set(SetOp::Or(one, other))),
                    (one, other) if either => one.or(other),
                    _ => None,
                }
            }
            // A mask does not hold where it has no members, and then none of them has a property.
            IntOp::Any { domain: Domain::Mask(mask), .. } if !holds => {
                self.settled_outside(put, from, to, mask, holds)
            }
            IntOp::If(test, _, none) if !holds && self.const_of(none) == Some(0) => {
                self.settled_outside(put, from, to, test, holds)
            }
            IntOp::Has(set, site) if !holds && *self.int_op(site) == IntOp::Local(to) => {
                let set = self.open_set(set, &mut Opened::new())?;
                if !self.info(set).free.is_empty() || self.info(set).runs {
                    return None;
                }
                let may = self.may_hold(put, set)?;
                // A set of the position in which the piece is lifted must be one of the position at hand, too.
                from.is_none_or(|from| self.stays(&mut Change::new(Act::Lift, from.piece), may))
                    .then_some(may)
            }
            _ => None,
        }
    }

    /// The answer, where it is known what a move changes.
    fn by_changes(&mut self, to: u32, domain: SetId, cond: IntId, asked: &Moving, q: IntId) -> Option<SetId> {
        let lifted = match asked.from {
            Some(from) => {
                let mut lift = Change::new(Act::Lift, from.piece);
                let swayed = self.swayed(&mut lift, q)?;
                Some((from, lift, swayed))
            }
            None => None,
        };
        let mut put = Change::new(Act::Put, asked.lands);
        let (mut more, mut less) = self.swayed(&mut put, q)?;
        let holds = match lifted {
            Some((from, mut lift, (begins, ends))) => {
                let holds = self.lifted_holds(q, from.standing, begins, ends);
                let holds = self.int(IntOp::Has(holds, from.site));
                more = self.in_lifted(&mut lift, more, from.site);
                less = self.in_lifted(&mut lift, less, from.site);
                holds
            }
            None => {
                let now = self.where_all(q);
                self.int(IntOp::Some(now))
            }
        };
        let local = self.set_local();
        let all = self.set(SetOp::Local(local));
        let body = if self.is_empty(asked.special) && self.is_empty(less) {
            let some = self.set(SetOp::And(all, more));
            let tested = self.set(SetOp::Filter { local: to, domain: some, cond });
            self.set(SetOp::If(holds, all, tested))
        } else {
            let open = self.set(SetOp::If(holds, less, more));
            let open = self.set(SetOp::Or(open, asked.special));
            let (open, held) = self.hold(open.into());
            let open = self.set_of(open);
            let some = self.set(SetOp::And(all, open));
            let tested = self.set(SetOp::Filter { local: to, domain: some, cond });
            let free = self.set(SetOp::Sub(all, open));
            let empty = self.empty();
            let free = self.set(SetOp::If(holds, free, empty));
            let body = self.set(SetOp::Or(free, tested));
            let body = self.wrap(body.into(), held);
            self.set_of(body)
        };
        let found = self.set(SetOp::LetSet { local, value: domain, body });
        let Some(from) = asked.from else { return Some(found) };
        Some(put.kinds().fold(found, |body, (layer, local)| {
            let layer = self.set(SetOp::Layer(layer as u32));
            let value = self.int(IntOp::Has(layer, from.site));
            self.set(SetOp::LetInt { local, value, body })
        }))
    }

    /// The answer, where the condition is about the piece that moves.
    fn by_arrival(&mut self, to: u32, domain: SetId, cond: IntId, asked: &Moving, q: IntId) -> Option<SetId> {
        let Origin { site: from, piece, .. } = asked.from?;
        let lands = Piece { from: None, ..asked.lands };
        let ends = self.arrivals(&mut Change::new(Act::Put, lands), q)?;
        let mut lift = Change::new(Act::Lift, piece);
        let met = self.in_lifted(&mut lift, ends.met, from);
        let open = self.in_lifted(&mut lift, ends.open, from);
        let open = self.set(SetOp::Or(open, asked.special));
        let others = self.in_lifted(&mut lift, ends.others, from);
        let others = self.int(IntOp::Some(others));
        let local = self.set_local();
        let all = self.set(SetOp::Local(local));
        let (known, unknown) = (self.set(SetOp::Sub(all, open)), self.set(SetOp::And(all, open)));
        let empty = self.empty();
        let free = self.set(SetOp::Sub(known, met));
        let free = self.set(SetOp::If(others, empty, free));
        let some = self.set(SetOp::If(others, all, unknown));
        let tested = self.set(SetOp::Filter { local: to, domain: some, cond });
        let body = self.set(SetOp::Or(free, tested));
        Some(self.set(SetOp::LetSet { local, value: domain, body }))
    }

    /// The move after which a condition is asked, if it goes from a piece's site, or from nowhere, to that of the
    /// local.
    fn moving(&mut self, to: u32, cond: IntId) -> Option<Moving> {
        // In a copy the facts that loops give about pieces need not hold any more.
        let pieces = &self.pieces;
        if self.depth > 0 || pieces.levels > 0 {
            return None;
        }
        let mut inner = cond;
        while let IntOp::LetSet { body, .. } | IntOp::LetInt { body, .. } = self.int_op(inner) {
            inner = *body;
        }
        let IntOp::After(block, after) = *self.int_op(inner) else { return None };
        let mut stmts = self.block_of(block).clone();
        let mut last = stmts.pop()?;
        let mut turned = None;
        if let Stmt::Turn { at, owner: None, kind: Some(kind) } = last
            && self.is_site_of(at, to)
        {
            turned = Some(kind);
            last = stmts.pop()?;
        }
        let (from, mut lands) = match last {
            Stmt::Move { from, to: end, .. } if *self.int_op(end) == IntOp::Local(to) => {
                let IntOp::Local(local) = *self.int_op(from) else { return None };
                let (piece, standing) = self.piece_in(*self.ranges.get(&local)?)?;
                (Some(Origin { site: from, piece, standing }), Piece { from: Some(from), ..piece })
            }
            Stmt::Put { at, owner, kind, height: 1.., .. } if self.is_site_of(at, to) => {
                let owner = Some(owner).filter(|owner| self.is_one_of(*owner, self.players));
                (None, Piece { owner, kinds: self.kinds_of(kind), from: None })
            }
            _ => return None,
        };
        if let Some(kind) = turned {
            // A kind that was found before the move.
            let bound = stmts.iter().find_map(|s| match s {
                Stmt::LetInt(local, value) if *self.int_op(kind) == IntOp::Local(*local) => Some(*value),
                _ => None,
            });
            lands = Piece { kinds: self.kinds_of(bound.unwrap_or(kind)), from: None, ..lands };
        }
        let mut special = self.empty();
        for s in &stmts {
            let at = match s {
                Stmt::Remove(at) => at,
                Stmt::LetInt(..) => continue,
                _ => return None,
            };
            let unless = self.empty_unless(*at, to, &mut HashMap::new())?;
            special = self.set(SetOp::Or(special, unless));
        }
        Some(Moving { block, after, from, lands, special })
    }

    /// Whether a set is the site that a local is bound to.
    fn is_site_of(&self, set: SetId, local: u32) -> bool {
        matches!(self.op(set), SetOp::Site(site) if *self.int_op(*site) == IntOp::Local(local))
    }

    /// The condition, if it is the same for every move.
    fn question(&mut self, asked: &Moving) -> Option<IntId> {
        let cond = self.open_int(asked.after, &mut Opened::new())?;
        let info = self.int_info(cond);
        (info.free.is_empty() && !info.runs).then_some(cond)
    }

    /// Owner and kind of the pieces of a set, and a set around it that does not depend on the kind.
    fn piece_in(&mut self, set: SetId) -> Option<(Piece, SetId)> {
        let pieces = self.pieces.clone();
        let mut piece = Piece { owner: None, kinds: ALL_KINDS, from: None };
        let (mut of_kind, mut wide) = (None, Vec::new());
        let mut queue = vec![set];
        while let Some(s) = queue.pop() {
            match *self.op(s) {
                SetOp::And(a, b) => queue.extend([a, b]),
                SetOp::Sub(a, _) => queue.push(a),
                SetOp::LayerRow { base, count, index }
                    if pieces.owner_base == Some(base as usize)
                        && count as usize == self.players
                        && self.is_slot(index) =>
                {
                    piece.owner = Some(index);
                    wide.push(s);
                }
                SetOp::Layer(l) => {
                    let kind = pieces.kind_base.and_then(|base| (l as usize).checked_sub(base));
                    match kind.filter(|k| *k < pieces.kinds) {
                        Some(kind) => {
                            piece.kinds = 1 << kind;
                            of_kind = Some(s);
                        }
                        None => wide.push(s),
                    }
                }
                _ if self.info(s).free.is_empty() && !self.info(s).runs => wide.push(s),
                _ => {}
            }
        }
        if piece.owner.is_none() {
            wide.push(of_kind?);
        }
        wide.sort();
        let all = self.all_sites();
        let wide = wide.into_iter().fold(all, |out, s| self.set(SetOp::And(out, s)));
        Some((piece, wide))
    }

    /// Whether a number is a slot's, or the opposite of one: moves of pieces leave it as it is.
    fn is_slot(&self, index: IntId) -> bool {
        match self.int_op(index) {
            IntOp::Slot(_) | IntOp::Const(_) => true,
            IntOp::Binary(Binary::Sub, a, b) => self.is_slot(*a) && self.is_slot(*b),
            _ => false,
        }
    }

    /// The sites from which a piece can be lifted so that the condition holds then.
    fn lifted_holds(&mut self, cond: IntId, standing: SetId, begins: SetId, ends: SetId) -> SetId {
        let key = (cond, standing, begins, ends);
        if let Some(known) = self.lifted.get(&key) {
            return *known;
        }
        let now = self.where_all(cond);
        let settled = self.set(SetOp::Sub(now, ends));
        let ending = self.set(SetOp::And(now, ends));
        let beginning = self.set(SetOp::Sub(begins, now));
        let open = self.set(SetOp::Or(ending, beginning));
        let open = self.set(SetOp::And(standing, open));
        let local = self.int_local();
        let site = self.int(IntOp::Local(local));
        let site = self.set(SetOp::Site(site));
        let block = self.block(vec![Stmt::Lift(site)]);
        let cond = self.after_int(block, cond);
        let tested = self.set(SetOp::Filter { local, domain: open, cond });
        let holds = self.set(SetOp::Or(settled, tested));
        self.lifted.insert(key, holds);
        holds
    }

    /// All sites where a condition holds, which names none; else no site.
    fn where_all(&mut self, cond: IntId) -> SetId {
        let (all, empty) = (self.all_sites(), self.empty());
        self.set(SetOp::If(cond, all, empty))
    }

    /// A set of the position in which the piece is lifted.
    fn in_lifted(&mut self, lift: &mut Change, set: SetId, from: IntId) -> SetId {
        if let Some(set) = self.without(lift, set, from) {
            return set;
        }
        let site = self.set(SetOp::Site(from));
        let block = self.block(vec![Stmt::Lift(site)]);
        let lifted = self.after(block, set.into());
        self.set_of(lifted)
    }

    /// A set of sites: if `to` lies outside it, `set` is empty.
    fn empty_unless(
        &mut self,
        set: SetId,
        to: u32,
        locals: &mut HashMap<Local, Option<SetId>>,
    ) -> Option<SetId> {
        match self.op(set).clone() {
            SetOp::Local(l) => locals.get(&Local::Set(l)).copied().flatten(),
            SetOp::Site(x) | SetOp::Row { site: x, .. } => self.none_unless(x, to, locals),
            SetOp::Image { of: a, .. } | SetOp::Slide { from: a, .. } | SetOp::Sub(a, _) => {
                self.empty_unless(a, to, locals)
            }
            SetOp::And(a, b) => match self.empty_unless(a, to, locals) {
                Some(found) => Some(found),
                None => self.empty_unless(b, to, locals),
            },
            SetOp::Or(a, b) | SetOp::If(_, a, b) => {
                let (a, b) = (self.empty_unless(a, to, locals)?, self.empty_unless(b, to, locals)?);
                Some(self.set(SetOp::Or(a, b)))
            }
            SetOp::Switch(_, cases) => {
                let mut out = self.empty();
                for case in cases {
                    let part = self.empty_unless(case, to, locals)?;
                    out = self.set(SetOp::Or(out, part));
                }
                Some(out)
            }
            SetOp::LetSet { local, value, body } => {
                let value = self.empty_unless(value, to, locals);
                locals.insert(Local::Set(local), value);
                self.empty_unless(body, to, locals)
            }
            SetOp::LetInt { local, value, body } => {
                let value = self.none_unless(value, to, locals);
                locals.insert(Local::Int(local), value);
                self.empty_unless(body, to, locals)
            }
            _ => self.is_empty(set).then_some(set),
        }
    }

    /// The same of a number: if `to` lies outside the set, it is no site.
    fn none_unless(&self, x: IntId, to: u32, locals: &HashMap<Local, Option<SetId>>) -> Option<SetId> {
        match *self.int_op(x) {
            IntOp::Local(l) => locals.get(&Local::Int(l)).copied().flatten(),
            IntOp::If(test, _, other) => {
                let IntOp::Has(within, site) = *self.int_op(test) else { return None };
                let none = self.const_of(other).is_some_and(|n| n < 0);
                let fixed = self.info(within).free.is_empty() && !self.info(within).runs;
                (none && fixed && *self.int_op(site) == IntOp::Local(to)).then_some(within)
            }
            _ => None,
        }
    }
}
