//! Expressions and statements.

use serde::{Serialize, Serializer};

use super::operator::{Binary, OfSet, Unary};

/// An expression of a set: an index of [`super::Program::sets`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct SetId(pub u32);

/// An expression of an integer: an index of [`super::Program::ints`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct IntId(pub u32);

/// A block of statements: an index of [`super::Program::blocks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct BlockId(pub u32);

/// The domain of a loop, fixed when the loop starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum Domain {
    /// The sites of a set, lowest first.
    Set(SetId),
    /// The numbers from the first to the second, both included.
    Range(IntId, IntId),
    /// The numbers of the bits of a mask, lowest first.
    Mask(IntId),
}

/// The longest line for which code is written out; longer ones are followed step by step.
pub const MAX_WRITTEN_LINE: i32 = 16;

/// Expressions of sets. Sites that do not exist are never members.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum SetOp {
    /// A constant, by number.
    Const(u32),
    /// A layer of the position.
    Layer(u32),
    /// Layer `base + index`; empty unless `0 <= index < count`.
    LayerRow {
        /// The first layer.
        base: u32,
        /// How many there are.
        count: u32,
        /// Which.
        index: IntId,
    },
    /// A set local.
    Local(u32),
    /// The site alone; empty for a negative number.
    Site(IntId),
    /// Members of both.
    And(SetId, SetId),
    /// Members of either.
    Or(SetId, SetId),
    /// Members of the first that are not in the second.
    Sub(SetId, SetId),
    /// Sites that are no members.
    Not(SetId),
    /// The first unless it is empty, else the second.
    Otherwise(SetId, SetId),
    /// The second if the condition is not 0, else the third. Only that one is evaluated.
    If(IntId, SetId, SetId),
    /// The case of that number, empty where there is none. Only that one is evaluated.
    Switch(IntId, Box<[SetId]>),
    /// The sites that the relation reaches from the members.
    Image {
        /// Which of [`super::Program::relations`].
        relation: u32,
        /// The origins.
        of: SetId,
    },
    /// The sites that the relation reaches from one site; empty for a negative number.
    Row {
        /// Which of [`super::Program::relations`].
        relation: u32,
        /// The origin.
        site: IntId,
    },
    /// The sites that slides along the rays reach: on each ray the sites up to and with the first one outside
    /// `through`. With `over`, of each ray the sites behind the first one outside `through - over`, if
    /// that one is in `over`, up to and with the next one outside `through - over`.
    Slide {
        /// Which of [`super::Program::rays`].
        rays: Box<[u32]>,
        /// The origins.
        from: SetId,
        /// The sites that can be passed.
        through: SetId,
        /// The sites of which exactly one must be passed.
        over: Option<SetId>,
    },
    /// The sites strictly between a member of the first and a member of the second, along the rays.
    Between {
        /// Which of [`super::Program::rays`].
        rays: Box<[u32]>,
        /// Origins.
        from: SetId,
        /// Ends.
        to: SetId,
    },
    /// The sites that `seed & within` reaches by any number of steps inside `within`.
    Flood {
        /// The steps: which of [`super::Program::relations`].
        relation: u32,
        /// Where it starts.
        seed: SetId,
        /// Where it may go.
        within: SetId,
    },
    /// The sites of a shortest way from a member of `from & within` to one of `to`, inside `within` and both ends
    /// included; none where there is no way. The relation leads back wherever it leads. Of several ways it is the one
    /// whose last site is the lowest, then the site before that one, and so on.
    Path {
        /// The steps: which of [`super::Program::relations`].
        relation: u32,
        /// Where it starts.
        from: SetId,
        /// Where it may go.
        within: SetId,
        /// Where it ends.
        to: SetId,
    },
    /// As [`SetOp::Flood`] with a step of any kind: `step` is evaluated with `local` bound to the sites
    /// reached so far, until nothing is added.
    Fix {
        /// The set local that is bound.
        local: u32,
        /// Where it starts.
        seed: SetId,
        /// Where it may go.
        within: SetId,
        /// The sites that are reached next.
        step: SetId,
    },
    /// The set after so many steps, at most [`crate::limits::FOLLOWED`]. In each, `step` is evaluated with `local`
    /// bound to the sites reached before.
    Times {
        /// The set local that is bound.
        local: u32,
        /// Where it starts.
        of: SetId,
        /// How often; none for 0 and less.
        times: IntId,
        /// The sites that are reached next.
        step: SetId,
    },
    /// The sites at exactly `steps` steps from the nearest member of `of`.
    Ring {
        /// The steps: which of [`super::Program::relations`].
        relation: u32,
        /// Distance 0.
        of: SetId,
        /// How far.
        steps: IntId,
    },
    /// The members that lie in a straight run of at least `length` members.
    Line {
        /// For each axis, the relation of one step along it. A run follows that relation.
        steps: Box<[u32]>,
        /// The set.
        of: SetId,
        /// The least length; 1 and less means every member.
        length: IntId,
    },
    /// The members of the domain for which the condition is not 0.
    Filter {
        /// The integer local that is bound to the member.
        local: u32,
        /// The set.
        domain: SetId,
        /// The condition.
        cond: IntId,
    },
    /// The members of the domain that pass. They are taken one after the other, the lowest first. With `local` bound to
    /// the one that is taken, `passing` holds members that pass, which need not be taken any more. If the one that is
    /// taken is not among them it does not pass.
    Sieve {
        /// The integer local that is bound to the member that is taken.
        local: u32,
        /// The set.
        domain: SetId,
        /// Members that pass, the one that is taken among them if it does.
        passing: SetId,
    },
    /// The union of the body over a domain.
    Union {
        /// The integer local that is bound.
        local: u32,
        /// The domain.
        domain: Domain,
        /// The body.
        body: SetId,
    },
    /// The body with a set local bound.
    LetSet {
        /// The set local.
        local: u32,
        /// Its value.
        value: SetId,
        /// The body.
        body: SetId,
    },
    /// The body with an integer local bound.
    LetInt {
        /// The integer local.
        local: u32,
        /// Its value.
        value: IntId,
        /// The body.
        body: SetId,
    },
    /// The value in a copy of the position on which the block was run. The frame's locals are shared.
    After(BlockId, SetId),
}

/// Expressions of 32-bit integers. Arithmetic saturates.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum IntOp {
    /// A constant.
    Const(i32),
    /// An integer local.
    Local(u32),
    /// A slot of the position.
    Slot(u32),
    /// Slot `base + index`; `missing` unless `0 <= index < count`.
    SlotRow {
        /// The first slot.
        base: u32,
        /// How many there are.
        count: u32,
        /// Which.
        index: IntId,
        /// The value for an index outside.
        missing: i32,
    },
    /// Dealt number `base + index`; `missing` unless `0 <= index < count`.
    Dealt {
        /// The first.
        base: u32,
        /// How many there are.
        count: u32,
        /// Which.
        index: IntId,
        /// The value for an index outside.
        missing: i32,
    },
    /// Entry `index` of a table; `missing` where there is none.
    Lookup {
        /// Which of [`super::Program::tables`].
        table: u32,
        /// Which entry.
        index: IntId,
        /// The value for an index outside.
        missing: i32,
    },
    /// Both are evaluated, in order.
    Binary(Binary, IntId, IntId),
    /// Of one operand.
    Unary(Unary, IntId),
    /// Neither is 0; the second is evaluated only if the first is not 0.
    And(IntId, IntId),
    /// Not both are 0; the second is evaluated only if the first is 0.
    Or(IntId, IntId),
    /// The second if the first is not 0, else the third. Only that one is evaluated.
    If(IntId, IntId, IntId),
    /// The case of that number, `missing` where there is none. Only that one is evaluated.
    Switch(IntId, Box<[IntId]>, i32),
    /// 1 if there is a member.
    Some(SetId),
    /// 1 if the sets have a member in common; the second is not evaluated if the first is empty.
    Meets(SetId, SetId),
    /// 1 if both have the same members.
    Same(SetId, SetId),
    /// 1 if the site is a member; 0 for a negative number.
    Has(SetId, IntId),
    /// The kind of the pieces on a site; -1 if it is vacant or no site.
    KindAt(IntId),
    /// The owner of the pieces on a site; the number of players if neutral, -1 if it is vacant or no site.
    OwnerAt(IntId),
    /// How many pieces are on a site.
    HeightAt(IntId),
    /// Steps from one site to the other along the relation; the board's number of sites where there is no
    /// way or one is no site.
    Distance {
        /// Which of [`super::Program::relations`].
        relation: u32,
        /// From.
        from: IntId,
        /// To.
        to: IntId,
    },
    /// 1 if the condition holds for some member of the domain; stops at the first.
    Any {
        /// The integer local that is bound.
        local: u32,
        /// The domain.
        domain: Domain,
        /// The condition.
        cond: IntId,
    },
    /// The sum of the body over a domain. With a condition as body: for how many.
    Sum {
        /// The integer local that is bound.
        local: u32,
        /// The domain.
        domain: Domain,
        /// The body.
        body: IntId,
    },
    /// The body with a set local bound.
    LetSet {
        /// The set local.
        local: u32,
        /// Its value.
        value: SetId,
        /// The body.
        body: IntId,
    },
    /// The body with an integer local bound.
    LetInt {
        /// The integer local.
        local: u32,
        /// Its value.
        value: IntId,
        /// The body.
        body: IntId,
    },
    /// The value in a copy of the position on which the block was run. The frame's locals are shared.
    After(BlockId, IntId),
    /// How often `step` is taken, from the members of `from` until a member of `to` is reached: it is evaluated with
    /// `local` bound to the sites reached so far. The board's number of sites where there is no way, or no beginning.
    Steps {
        /// The set local that is bound.
        local: u32,
        /// From.
        from: SetId,
        /// To.
        to: SetId,
        /// The sites that are reached next.
        step: SetId,
    },
    /// A number of one set.
    #[serde(untagged, serialize_with = "as_own_operation")]
    OfSet(OfSet, SetId),
}

/// Writes a number of a set as if each was an operation by itself: fingerprints, by which weights are named, need not
/// know how the operations are grouped.
fn as_own_operation<S: Serializer>(number: &OfSet, set: &SetId, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map([(number, set)])
}

/// Statements, one after the other.
pub type Block = Vec<Stmt>;

/// Statements: they change the position or yield moves. A site set that is empty, or a site or player or
/// kind that is negative, makes a statement do nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum Stmt {
    /// A layer's new members.
    SetLayer(u32, SetId),
    /// The new members of layer `base + index`, if `0 <= index < count`.
    SetLayerRow {
        /// The first layer.
        base: u32,
        /// How many there are.
        count: u32,
        /// Which.
        index: IntId,
        /// The members.
        value: SetId,
    },
    /// A slot's new value.
    SetSlot(u32, IntId),
    /// The new value of slot `base + index`, if `0 <= index < count`.
    SetSlotRow {
        /// The first slot.
        base: u32,
        /// How many there are.
        count: u32,
        /// Which.
        index: IntId,
        /// The value.
        value: IntId,
    },
    /// Binds a set local.
    LetSet(u32, SetId),
    /// Binds an integer local.
    LetInt(u32, IntId),
    /// `height` pieces of a kind and owner (the number of players for neutral) land on each site. They go
    /// on top where the same owner's same kind stands, up to the kind's `stack`, if they all fit; else they
    /// replace everything there.
    Put {
        /// Where.
        at: SetId,
        /// Whose.
        owner: IntId,
        /// Of which kind.
        kind: IntId,
        /// How many on each site.
        height: u32,
        /// Whether no piece is there in any legal move. Says nothing new: code may be shorter for it.
        vacant: bool,
    },
    /// The top piece of a site lands on another: on top where the same owner's same kind stands below its
    /// `stack`, else it replaces everything there.
    Move {
        /// From.
        from: IntId,
        /// To.
        to: IntId,
        /// The piece's owner, where it is known in every legal move. Says nothing new: code may be shorter
        /// for it.
        owner: Option<IntId>,
        /// Its kind, likewise.
        kind: Option<u32>,
        /// Whether no piece is at the end, likewise.
        vacant: bool,
    },
    /// All pieces of the sites go.
    Remove(SetId),
    /// The top piece of each site goes.
    Lift(SetId),
    /// The pieces of the sites change owner, kind or both, in place; a height above the new kind's `stack`
    /// is cut down to it. Vacant sites stay vacant.
    Turn {
        /// Where.
        at: SetId,
        /// The new owner.
        owner: Option<IntId>,
        /// The new kind.
        kind: Option<IntId>,
    },
    /// All pieces of the sites go at once along a one-to-one relation, whole stacks, replacing the pieces
    /// at the ends (unless those go too). Pieces without a way stay.
    Carry {
        /// Which.
        at: SetId,
        /// Which of [`super::Program::relations`]; each row has at most one member.
        relation: u32,
    },
    /// The players swap sides: [`super::slot::SWAP`] becomes `1 - SWAP`.
    SwapSides,
    /// One block if the condition is not 0, else the other.
    If(IntId, BlockId, Option<BlockId>),
    /// The block for each member of the domain.
    For {
        /// The integer local that is bound.
        local: u32,
        /// The domain.
        domain: Domain,
        /// The body.
        body: BlockId,
    },
    /// Yields the moves `base + multiplier * site` for the members of a set. Generators only.
    Emit {
        /// The sites.
        set: SetId,
        /// The base.
        base: IntId,
        /// The multiplier.
        multiplier: u32,
    },
    /// Yields one move. Generators only.
    EmitOne(IntId),
}
