//! How a change of one site changes sets and conditions.
//!
//! A position is changed on one site `v` only: its piece is lifted, or a piece is put there and replaces the pieces
//! that stood there. For an expression this module finds sets of the position *before* the change. If `v` lies outside
//! such a set, nothing happens:
//!
//! ```text
//! more   v not in more(S):  S after is within S before      v not in more(c):  c does not become true
//! less   v not in less(S):  S before is within S after      v not in less(c):  c does not become false
//! ```
//!
//! The sets may be larger than necessary, never smaller. They are found bottom up:
//!
//! - A *pointwise* set (layers and constants combined by `&`, `|`, `-`, `not`) changes at `v` at most. For it two sets
//!   are computed: where `v` may be a member afterwards, and where it must be one. Then
//!   `more = may - S` and `less = S - must`. A layer of the piece's own owner or kind gains `v` when it is
//!   put, all others of owners or kinds lose it, and none has it once it is lifted. A kind that is not known is
//!   looked up where the piece stands before the move. Where it is not known whether a layer is of that
//!   owner or kind, `v` may be there but need not.
//! - The image of a pointwise set grows and shrinks with that set, by the sites related to `v`.
//! - A slide from `F` through `T` stops at the first site outside `T`. `T` matters at `v` only if `v` lies on the
//!   slide: `more = more(F) | more(T) & slide`, and `less` in the same way. A slide with a new origin has no answer.
//!   Of a slide over one site of `V`, through `T - V`, the way up to the first stop matters as well: there the slide
//!   grows if `v` joins `T - V` or `V`, and shrinks if `v` leaves one of them.
//! - An intersection gains or loses a member only if one of its parts does. Its pointwise parts count as one part; if
//!   that changes at `v`, then `v` must be in the others. An image grows by sites related to `v`. If no other part
//!   grows, `v` is among the sites from which the relation leads into the intersection of the others. A slide that
//!   stops at `v` grows by sites behind `v`. If no other part grows, one of these is in the intersection of the others,
//!   and `v` lies between it and an origin. One slide that passes all such `v` at once finds them; it goes at least as
//!   far as a slide that passes one of them.
//! - A union, a complement, a choice by a condition that does not change: part by part.
//!
//! Code that reads no piece does not change. For all other code that reads pieces there is no answer.

use std::collections::{BTreeMap, HashMap};

use super::builder::Builder;
use super::children::{Node, children};
use super::fits::Fits;
use crate::program::{IntId, IntOp, SetId, SetOp, Unary};

/// The change of the site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    /// The piece that stands there goes.
    Lift,
    /// The piece lands there and replaces the pieces that stand there.
    Put,
}

/// A piece, and the change.
pub(crate) struct Change {
    act: Act,
    piece: Piece,
    effects: HashMap<SetId, Option<Effect>>,
    touched: HashMap<Node, bool>,
    /// The integer locals that say whether the piece stands in a layer of a kind, before the move.
    kinds: BTreeMap<usize, u32>,
}

/// The known facts about a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    /// The number of the player that owns it.
    pub(crate) owner: Option<IntId>,
    /// The kinds that it may be of, as a mask.
    pub(crate) kinds: u32,
    /// Where it stands before the move, if that is named.
    pub(crate) from: Option<IntId>,
}

/// How a change changes a set.
#[derive(Clone, Copy)]
enum Effect {
    /// Nothing.
    None,
    /// It changes at the site at most.
    Here {
        /// Where the site may be a member afterwards.
        may: SetId,
        /// Where it must be one.
        must: SetId,
    },
    /// It changes elsewhere too.
    Spread {
        /// Outside of these sites it does not grow.
        more: SetId,
        /// Outside of these it does not shrink.
        less: SetId,
        /// The members that come and go are related to the site by this relation.
        by: Option<u32>,
    },
}

impl Change {
    /// Of a piece.
    pub(crate) fn new(act: Act, piece: Piece) -> Change {
        Change { act, piece, effects: HashMap::new(), touched: HashMap::new(), kinds: BTreeMap::new() }
    }

    /// The locals that the found sets use: each is to be bound to whether the piece is in that layer.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.kinds.iter().map(|(layer, local)| (*layer, *local))
    }
}

impl Builder {
    /// Where the change may make a condition true, and where it may make it false.
    pub(crate) fn swayed(&mut self, c: &mut Change, cond: IntId) -> Option<(SetId, SetId)> {
        if !self.touches(c, Node::Int(cond)) {
            let empty = self.empty();
            return Some((empty, empty));
        }
        match self.int_op(cond).clone() {
            IntOp::Unary(Unary::Not, a) => {
                let (more, less) = self.swayed(c, a)?;
                Some((less, more))
            }
            IntOp::And(a, b) | IntOp::Or(a, b) => {
                let (a, b) = (self.swayed(c, a)?, self.swayed(c, b)?);
                Some((self.set(SetOp::Or(a.0, b.0)), self.set(SetOp::Or(a.1, b.1))))
            }
            IntOp::Some(s) => self.regions(c, &[s]),
            IntOp::Meets(a, b) => self.regions(c, &[a, b]),
            _ => None,
        }
    }

    /// Where the site may be a member of a set after the change.
    pub(crate) fn may_hold(&mut self, c: &mut Change, set: SetId) -> Option<SetId> {
        let effect = self.effect_on(c, set)?;
        Some(Self::here(set, effect)?.0)
    }

    /// Whether the change leaves a set as it is, wherever it happens.
    pub(crate) fn stays(&mut self, c: &mut Change, set: SetId) -> bool {
        !self.touches(c, Node::Set(set))
    }

    /// Whether the change leaves a number as it is.
    pub(crate) fn int_stays(&mut self, c: &mut Change, x: IntId) -> bool {
        !self.touches(c, Node::Int(x))
    }

    /// Whether a set changes at the site at most.
    pub(crate) fn is_pointwise(&mut self, c: &mut Change, set: SetId) -> bool {
        matches!(self.effect_on(c, set), Some(Effect::None | Effect::Here { .. }))
    }

    /// Whether the site is certainly in a set after the change, and no other site changes there.
    pub(crate) fn joins(&mut self, c: &mut Change, set: SetId) -> bool {
        match self.effect_on(c, set) {
            Some(Effect::Here { may, must }) => self.is_all(may) && self.is_all(must),
            _ => false,
        }
    }

    /// Two sets. If the changed site lies outside the first, the set gains no other site; outside the second, it loses
    /// no other.
    pub(crate) fn elsewhere(&mut self, c: &mut Change, set: SetId) -> Option<(SetId, SetId)> {
        match self.effect_on(c, set)? {
            Effect::None | Effect::Here { .. } => Some((self.empty(), self.empty())),
            Effect::Spread { more, less, .. } => Some((more, less)),
        }
    }

    /// Whether the change leaves a set as it is, as far as is known.
    pub(crate) fn remains(&mut self, c: &mut Change, set: SetId) -> bool {
        self.stays(c, set) || matches!(self.effect_on(c, set), Some(Effect::None))
    }

    /// Where the intersection of some sets may get its first member, and where it may lose its last one.
    fn regions(&mut self, c: &mut Change, sets: &[SetId]) -> Option<(SetId, SetId)> {
        let mut parts = Vec::new();
        sets.iter().for_each(|s| self.parts(*s, &mut parts));
        let effect = self.meet_of(c, &parts)?;
        let whole = self.all_of(&parts);
        Some((self.more(whole, effect), self.less(whole, effect)))
    }

    /// Adds the sets of which a set is the intersection.
    pub(crate) fn parts(&mut self, set: SetId, out: &mut Vec<SetId>) {
        match *self.op(set) {
            SetOp::And(a, b) => {
                self.parts(a, out);
                self.parts(b, out);
            }
            SetOp::Sub(a, b) => {
                self.parts(a, out);
                let not = self.set(SetOp::Not(b));
                self.parts(not, out);
            }
            _ => out.push(set),
        }
    }

    pub(crate) fn all_of(&mut self, sets: &[SetId]) -> SetId {
        let all = self.all_sites();
        sets.iter().fold(all, |out, s| self.set(SetOp::And(out, *s)))
    }

    pub(crate) fn any_of(&mut self, sets: impl IntoIterator<Item = SetId>) -> SetId {
        let empty = self.empty();
        sets.into_iter().fold(empty, |out, s| self.set(SetOp::Or(out, s)))
    }

    fn more(&mut self, set: SetId, effect: Effect) -> SetId {
        match effect {
            Effect::None => self.empty(),
            Effect::Here { may, .. } => self.set(SetOp::Sub(may, set)),
            Effect::Spread { more, .. } => more,
        }
    }

    fn less(&mut self, set: SetId, effect: Effect) -> SetId {
        match effect {
            Effect::None => self.empty(),
            Effect::Here { must, .. } => self.set(SetOp::Sub(set, must)),
            Effect::Spread { less, .. } => less,
        }
    }

    /// Where the site may and must be a member afterwards, of a set that changes nowhere else.
    fn here(set: SetId, effect: Effect) -> Option<(SetId, SetId)> {
        match effect {
            Effect::None => Some((set, set)),
            Effect::Here { may, must } => Some((may, must)),
            Effect::Spread { .. } => None,
        }
    }

    /// How the change changes a set; none if that is not known.
    fn effect_on(&mut self, c: &mut Change, set: SetId) -> Option<Effect> {
        if let Some(known) = c.effects.get(&set) {
            return *known;
        }
        let effect =
            if self.touches(c, Node::Set(set)) { self.find_effect(c, set) } else { Some(Effect::None) };
        c.effects.insert(set, effect);
        effect
    }

    fn find_effect(&mut self, c: &mut Change, set: SetId) -> Option<Effect> {
        match self.op(set).clone() {
            SetOp::Layer(_) | SetOp::LayerRow { .. } => {
                let (may, must) = self.afterwards(c, set)?;
                if may
                    && !must
                    && let Some(of_kind) = self.of_that_kind(c, set)
                {
                    return Some(Effect::Here { may: of_kind, must: of_kind });
                }
                Some(Effect::Here { may: self.everywhere(may), must: self.everywhere(must) })
            }
            SetOp::Not(a) => Some(match self.effect_on(c, a)? {
                Effect::None => Effect::None,
                Effect::Here { may, must } => {
                    Effect::Here { may: self.set(SetOp::Not(must)), must: self.set(SetOp::Not(may)) }
                }
                Effect::Spread { more, less, by } => Effect::Spread { more: less, less: more, by },
            }),
            SetOp::And(..) | SetOp::Sub(..) => {
                let mut parts = Vec::new();
                self.parts(set, &mut parts);
                self.meet_of(c, &parts)
            }
            SetOp::Or(a, b) => {
                if c.act == Act::Put && self.is_occupied(set) {
                    let all = self.everywhere(true);
                    return Some(Effect::Here { may: all, must: all });
                }
                let (x, y) = (self.effect_on(c, a)?, self.effect_on(c, b)?);
                if let (Some(x), Some(y)) = (Self::here(a, x), Self::here(b, y)) {
                    let may = self.set(SetOp::Or(x.0, y.0));
                    return Some(Effect::Here { may, must: self.set(SetOp::Or(x.1, y.1)) });
                }
                let more = [self.more(a, x), self.more(b, y)];
                let less = [self.less(a, x), self.less(b, y)];
                Some(Effect::Spread { more: self.any_of(more), less: self.any_of(less), by: None })
            }
            SetOp::If(cond, a, b) => {
                if self.touches(c, Node::Int(cond)) {
                    return None;
                }
                self.chosen(c, &[a, b], &|cases| SetOp::If(cond, cases[0], cases[1]))
            }
            SetOp::Switch(index, cases) => {
                if self.touches(c, Node::Int(index)) {
                    return None;
                }
                self.chosen(c, &cases, &|cases| SetOp::Switch(index, cases.into()))
            }
            SetOp::Image { relation, of } => {
                let effect = self.effect_on(c, of)?;
                let by = matches!(effect, Effect::Here { .. }).then_some(relation);
                Some(Effect::Spread { more: self.more(of, effect), less: self.less(of, effect), by })
            }
            SetOp::Slide { rays, from, through, over } => {
                let free = over.map_or(through, |over| self.set(SetOp::Sub(through, over)));
                let (f, t) = (self.effect_on(c, from)?, self.effect_on(c, free)?);
                Self::here(free, t)?;
                let more = self.more(from, f);
                if !self.is_empty(more) {
                    return None;
                }
                let (opens, shuts) = (self.more(free, t), self.less(free, t));
                let mut more = self.set(SetOp::And(opens, set));
                let mut less = self.set(SetOp::And(shuts, set));
                if let Some(over) = over {
                    let o = self.effect_on(c, over)?;
                    Self::here(over, o)?;
                    let upto = self.set(SetOp::Slide { rays, from, through: free, over: None });
                    let comes = [opens, self.more(over, o)];
                    let comes = self.any_of(comes);
                    let comes = self.set(SetOp::And(comes, upto));
                    let goes = [shuts, self.less(over, o)];
                    let goes = self.any_of(goes);
                    let goes = self.set(SetOp::And(goes, upto));
                    more = self.set(SetOp::Or(more, comes));
                    less = self.set(SetOp::Or(less, goes));
                }
                let gone = self.less(from, f);
                Some(Effect::Spread { more, less: self.set(SetOp::Or(gone, less)), by: None })
            }
            _ => None,
        }
    }

    /// A choice among sets by a value that the change leaves as it is.
    fn chosen(
        &mut self,
        c: &mut Change,
        cases: &[SetId],
        choice: &dyn Fn(Vec<SetId>) -> SetOp,
    ) -> Option<Effect> {
        let effects = cases.iter().map(|s| self.effect_on(c, *s)).collect::<Option<Vec<_>>>()?;
        let pairs = || cases.iter().copied().zip(effects.iter().copied());
        if let Some(here) = pairs().map(|(s, e)| Self::here(s, e)).collect::<Option<Vec<_>>>() {
            let (may, must): (Vec<_>, Vec<_>) = here.into_iter().unzip();
            let may = self.set(choice(may));
            return Some(Effect::Here { may, must: self.set(choice(must)) });
        }
        let more = pairs().map(|(s, e)| self.more(s, e)).collect();
        let less = pairs().map(|(s, e)| self.less(s, e)).collect();
        let more = self.set(choice(more));
        Some(Effect::Spread { more, less: self.set(choice(less)), by: None })
    }

    /// How the change changes the intersection of some sets.
    fn meet_of(&mut self, c: &mut Change, parts: &[SetId]) -> Option<Effect> {
        let mut effects = parts.iter().map(|s| self.effect_on(c, *s)).collect::<Option<Vec<_>>>()?;
        if c.act == Act::Lift && parts.iter().any(|s| self.lacks(c, *s)) {
            // The site is in one of the parts neither before nor after.
            for e in &mut effects {
                if matches!(e, Effect::Here { .. }) {
                    *e = Effect::None;
                }
            }
        }
        if effects.iter().all(|e| matches!(e, Effect::None)) {
            return Some(Effect::None);
        }
        // The pointwise parts count as one part.
        let (mut point, mut may, mut must) = (Vec::new(), Vec::new(), Vec::new());
        let mut spread = Vec::new();
        for (s, e) in parts.iter().copied().zip(effects) {
            match (Self::here(s, e), e) {
                (Some(here), _) => {
                    point.push(s);
                    may.push(here.0);
                    must.push(here.1);
                }
                (None, Effect::Spread { more, less, by }) => spread.push((s, more, less, by)),
                (None, _) => {}
            }
        }
        let (point, may, must) = (self.all_of(&point), self.all_of(&may), self.all_of(&must));
        if spread.is_empty() {
            return Some(Effect::Here { may, must });
        }
        let (comes, goes) = (self.set(SetOp::Sub(may, point)), self.set(SetOp::Sub(point, must)));
        let still = self.is_empty(comes);
        // A change at the site counts only if all other parts have the site.
        let before: Vec<SetId> = spread.iter().map(|(s, ..)| *s).collect();
        let (mut more, mut less) = (vec![comes], vec![goes]);
        for (s, grows, ..) in &spread {
            more.push(self.set(SetOp::Or(*s, *grows)));
        }
        less.extend(&before);
        let (mut more, mut less) = (vec![self.all_of(&more)], vec![self.all_of(&less)]);
        for (i, (_, grows, shrinks, by)) in spread.iter().enumerate() {
            let others = |j: &usize| *j != i;
            let still = still && (0..spread.len()).filter(others).all(|j| self.is_empty(spread[j].1));
            let mut comes = *grows;
            if still && !self.is_empty(comes) {
                let others: Vec<SetId> = (0..spread.len()).filter(others).map(|j| before[j]).collect();
                let others = self.all_of(&others);
                let others = self.set(SetOp::And(point, others));
                let near = match by {
                    Some(relation) => self.origins(*relation, others),
                    None => self.opening(before[i], comes, others),
                };
                if let Some(near) = near {
                    comes = self.set(SetOp::And(comes, near));
                }
            }
            more.push(comes);
            less.push(*shrinks);
        }
        Some(Effect::Spread { more: self.any_of(more), less: self.any_of(less), by: None })
    }

    /// Of the sites `shut`, at which a slide stops, those behind which it would reach `from`. May hold more: the slide
    /// that passes all of them at once goes at least as far as one that passes a single one. Where a slide goes over a
    /// site, that site may be held too.
    fn opening(&mut self, slides: SetId, shut: SetId, from: SetId) -> Option<SetId> {
        let SetOp::Slide { rays, from: origins, through, over } = self.op(slides).clone() else {
            return None;
        };
        let free = over.map_or(through, |over| self.set(SetOp::Sub(through, over)));
        let through = self.set(SetOp::Or(free, shut));
        let far = |over| SetOp::Slide { rays: rays.clone(), from: origins, through, over };
        let mut reached = self.set(far(None));
        if let Some(over) = over {
            let over = self.set(SetOp::Sub(over, shut));
            let behind = self.set(far(Some(over)));
            reached = self.set(SetOp::Or(reached, behind));
        }
        let to = self.set(SetOp::And(from, reached));
        Some(self.set(SetOp::Between { rays, from: origins, to }))
    }

    /// Whether the piece that is lifted stands on no site of a layer.
    fn lacks(&self, c: &Change, set: SetId) -> bool {
        matches!(self.op(set), SetOp::Layer(_) | SetOp::LayerRow { .. })
            && matches!(self.layer_fits(c.piece, set), Some(Fits::No))
    }

    /// The sites from which a relation leads into a set, if that is cheap.
    pub(crate) fn origins(&mut self, relation: u32, set: SetId) -> Option<SetId> {
        let rows = self.relations.get(relation as usize)?.1.clone();
        self.preimage(&rows, set)
    }

    fn everywhere(&mut self, yes: bool) -> SetId {
        if yes { self.all_sites() } else { self.empty() }
    }

    /// Whether a node may have another value after the change: it reads a layer that changes, or reads pieces in
    /// another way.
    fn touches(&self, c: &mut Change, node: Node) -> bool {
        if let Some(known) = c.touched.get(&node) {
            return *known;
        }
        let itself = match node {
            Node::Set(s) => match self.op(s) {
                SetOp::Layer(_) | SetOp::LayerRow { .. } => self.afterwards(c, s).is_some(),
                SetOp::After(..) => true,
                _ => false,
            },
            Node::Int(i) => matches!(
                self.int_op(i),
                IntOp::KindAt(_) | IntOp::OwnerAt(_) | IntOp::HeightAt(_) | IntOp::After(..)
            ),
        };
        let touched = itself || children(self, node).into_iter().any(|n| self.touches(c, n.node));
        c.touched.insert(node, touched);
        touched
    }

    /// Whether the site may and must be in a layer after the change; none if the layer does not change.
    fn afterwards(&self, c: &Change, layer: SetId) -> Option<(bool, bool)> {
        match (c.act, self.layer_fits(c.piece, layer)?) {
            // It does not stand there before either.
            (Act::Lift, Fits::No) => None,
            (Act::Lift, _) | (Act::Put, Fits::No) => Some((false, false)),
            (Act::Put, Fits::Yes) => Some((true, true)),
            (Act::Put, Fits::Unknown) => Some((true, false)),
        }
    }

    /// All sites if the piece is of the kind of a layer, else none; if it is known where it stood.
    fn of_that_kind(&mut self, c: &mut Change, set: SetId) -> Option<SetId> {
        let SetOp::Layer(layer) = *self.op(set) else { return None };
        let kinds = self.pieces.kind_layers()?;
        if c.piece.from.is_none() || !kinds.contains(&(layer as usize)) {
            return None;
        }
        let local = *c.kinds.entry(layer as usize).or_insert_with(|| self.int_local());
        let is = self.int(IntOp::Local(local));
        let (all, empty) = (self.everywhere(true), self.everywhere(false));
        Some(self.set(SetOp::If(is, all, empty)))
    }
}
