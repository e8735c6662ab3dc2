//! What each piece of code refers to, so that whoever walks a program need not know every form.

use super::{BlockId, Domain, IntId, IntOp, SetId, SetOp, Stmt};

/// A reference from code to something numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Set(SetId),
    Int(IntId),
    /// A block run in the same position.
    Block(BlockId),
    /// A block run in a copy; the [`Use::Set`] or [`Use::Int`] after it is evaluated there.
    After(BlockId),
    Const(u32),
    /// So many layers from the first.
    Layers(u32, u32),
    /// So many slots from the first.
    Slots(u32, u32),
    /// So many dealt numbers from the first.
    Dealt(u32, u32),
    SetLocal(u32),
    IntLocal(u32),
    Relation(u32),
    Ray(u32),
    Table(u32),
}

use Use::{Int, IntLocal, Set, SetLocal};

fn domain(domain: &Domain, tell: &mut dyn FnMut(Use)) {
    match domain {
        Domain::Set(set) => tell(Set(*set)),
        Domain::Range(low, high) => {
            tell(Int(*low));
            tell(Int(*high));
        }
        Domain::Mask(mask) => tell(Int(*mask)),
    }
}

impl SetOp {
    /// Tells everything that it refers to.
    pub(crate) fn uses(&self, tell: &mut dyn FnMut(Use)) {
        match self {
            SetOp::Const(number) => tell(Use::Const(*number)),
            SetOp::Layer(layer) => tell(Use::Layers(*layer, 1)),
            SetOp::LayerRow { base, count, index } => {
                tell(Use::Layers(*base, *count));
                tell(Int(*index));
            }
            SetOp::Local(local) => tell(SetLocal(*local)),
            SetOp::Site(site) => tell(Int(*site)),
            SetOp::And(a, b) | SetOp::Or(a, b) | SetOp::Sub(a, b) | SetOp::Otherwise(a, b) => {
                tell(Set(*a));
                tell(Set(*b));
            }
            SetOp::Not(a) => tell(Set(*a)),
            SetOp::If(cond, a, b) => {
                tell(Int(*cond));
                tell(Set(*a));
                tell(Set(*b));
            }
            SetOp::Switch(index, cases) => {
                tell(Int(*index));
                cases.iter().for_each(|case| tell(Set(*case)));
            }
            SetOp::Image { relation, of } => {
                tell(Use::Relation(*relation));
                tell(Set(*of));
            }
            SetOp::Row { relation, site } => {
                tell(Use::Relation(*relation));
                tell(Int(*site));
            }
            SetOp::Slide { rays, from, through, over } => {
                rays.iter().for_each(|ray| tell(Use::Ray(*ray)));
                tell(Set(*from));
                tell(Set(*through));
                over.iter().for_each(|over| tell(Set(*over)));
            }
            SetOp::Between { rays, from, to } => {
                rays.iter().for_each(|ray| tell(Use::Ray(*ray)));
                tell(Set(*from));
                tell(Set(*to));
            }
            SetOp::Flood { relation, seed, within } => {
                tell(Use::Relation(*relation));
                tell(Set(*seed));
                tell(Set(*within));
            }
            SetOp::Fix { local, seed, within, step } => {
                tell(SetLocal(*local));
                tell(Set(*seed));
                tell(Set(*within));
                tell(Set(*step));
            }
            SetOp::Ring { relation, of, steps } => {
                tell(Use::Relation(*relation));
                tell(Set(*of));
                tell(Int(*steps));
            }
            SetOp::Line { steps, of, length } => {
                steps.iter().for_each(|step| tell(Use::Relation(*step)));
                tell(Set(*of));
                tell(Int(*length));
            }
            SetOp::Filter { local, domain, cond } => {
                tell(IntLocal(*local));
                tell(Set(*domain));
                tell(Int(*cond));
            }
            SetOp::Union { local, domain: over, body } => {
                tell(IntLocal(*local));
                domain(over, tell);
                tell(Set(*body));
            }
            SetOp::LetSet { local, value, body } => {
                tell(SetLocal(*local));
                tell(Set(*value));
                tell(Set(*body));
            }
            SetOp::LetInt { local, value, body } => {
                tell(IntLocal(*local));
                tell(Int(*value));
                tell(Set(*body));
            }
            SetOp::After(block, value) => {
                tell(Use::After(*block));
                tell(Set(*value));
            }
        }
    }
}

impl IntOp {
    /// Tells everything that it refers to.
    pub(crate) fn uses(&self, tell: &mut dyn FnMut(Use)) {
        match self {
            IntOp::Const(_) => {}
            IntOp::Local(local) => tell(IntLocal(*local)),
            IntOp::Slot(slot) => tell(Use::Slots(*slot, 1)),
            IntOp::SlotRow { base, count, index, .. } => {
                tell(Use::Slots(*base, *count));
                tell(Int(*index));
            }
            IntOp::Dealt { base, count, index, .. } => {
                tell(Use::Dealt(*base, *count));
                tell(Int(*index));
            }
            IntOp::Lookup { table, index, .. } => {
                tell(Use::Table(*table));
                tell(Int(*index));
            }
            IntOp::Add(a, b)
            | IntOp::Sub(a, b)
            | IntOp::Mul(a, b)
            | IntOp::Div(a, b)
            | IntOp::Rem(a, b)
            | IntOp::Min(a, b)
            | IntOp::Max(a, b)
            | IntOp::BitAnd(a, b)
            | IntOp::BitOr(a, b)
            | IntOp::BitSub(a, b)
            | IntOp::Eq(a, b)
            | IntOp::Lt(a, b)
            | IntOp::Le(a, b)
            | IntOp::And(a, b)
            | IntOp::Or(a, b) => {
                tell(Int(*a));
                tell(Int(*b));
            }
            IntOp::Abs(a)
            | IntOp::Bit(a)
            | IntOp::BitCount(a)
            | IntOp::BitFirst(a)
            | IntOp::Not(a)
            | IntOp::KindAt(a)
            | IntOp::OwnerAt(a)
            | IntOp::HeightAt(a) => tell(Int(*a)),
            IntOp::If(cond, a, b) => {
                tell(Int(*cond));
                tell(Int(*a));
                tell(Int(*b));
            }
            IntOp::Switch(index, cases, _) => {
                tell(Int(*index));
                cases.iter().for_each(|case| tell(Int(*case)));
            }
            IntOp::Count(set) | IntOp::Some(set) | IntOp::First(set) | IntOp::Only(set) => {
                tell(Set(*set));
            }
            IntOp::Meets(a, b) | IntOp::Same(a, b) => {
                tell(Set(*a));
                tell(Set(*b));
            }
            IntOp::Has(set, site) => {
                tell(Set(*set));
                tell(Int(*site));
            }
            IntOp::Distance { relation, from, to } => {
                tell(Use::Relation(*relation));
                tell(Int(*from));
                tell(Int(*to));
            }
            IntOp::Any { local, domain: over, cond: body } | IntOp::Sum { local, domain: over, body } => {
                tell(IntLocal(*local));
                domain(over, tell);
                tell(Int(*body));
            }
            IntOp::LetSet { local, value, body } => {
                tell(SetLocal(*local));
                tell(Set(*value));
                tell(Int(*body));
            }
            IntOp::LetInt { local, value, body } => {
                tell(IntLocal(*local));
                tell(Int(*value));
                tell(Int(*body));
            }
            IntOp::After(block, value) => {
                tell(Use::After(*block));
                tell(Int(*value));
            }
        }
    }
}

impl Stmt {
    /// Tells everything that it refers to.
    pub(crate) fn uses(&self, tell: &mut dyn FnMut(Use)) {
        match self {
            Stmt::SetLayer(layer, value) => {
                tell(Use::Layers(*layer, 1));
                tell(Set(*value));
            }
            Stmt::SetLayerRow { base, count, index, value } => {
                tell(Use::Layers(*base, *count));
                tell(Int(*index));
                tell(Set(*value));
            }
            Stmt::SetSlot(slot, value) => {
                tell(Use::Slots(*slot, 1));
                tell(Int(*value));
            }
            Stmt::SetSlotRow { base, count, index, value } => {
                tell(Use::Slots(*base, *count));
                tell(Int(*index));
                tell(Int(*value));
            }
            Stmt::LetSet(local, value) => {
                tell(SetLocal(*local));
                tell(Set(*value));
            }
            Stmt::LetInt(local, value) => {
                tell(IntLocal(*local));
                tell(Int(*value));
            }
            Stmt::Put { at, owner, kind, .. } => {
                tell(Set(*at));
                tell(Int(*owner));
                tell(Int(*kind));
            }
            Stmt::Move { from, to, owner, .. } => {
                tell(Int(*from));
                tell(Int(*to));
                owner.iter().for_each(|owner| tell(Int(*owner)));
            }
            Stmt::Remove(at) | Stmt::Lift(at) => tell(Set(*at)),
            Stmt::Turn { at, owner, kind } => {
                tell(Set(*at));
                owner.iter().for_each(|owner| tell(Int(*owner)));
                kind.iter().for_each(|kind| tell(Int(*kind)));
            }
            Stmt::Carry { at, relation } => {
                tell(Set(*at));
                tell(Use::Relation(*relation));
            }
            Stmt::SwapSides => {}
            Stmt::If(cond, then, otherwise) => {
                tell(Int(*cond));
                tell(Use::Block(*then));
                otherwise.iter().for_each(|block| tell(Use::Block(*block)));
            }
            Stmt::For { local, domain: over, body } => {
                tell(IntLocal(*local));
                domain(over, tell);
                tell(Use::Block(*body));
            }
            Stmt::Emit { set, base, .. } => {
                tell(Set(*set));
                tell(Int(*base));
            }
            Stmt::EmitOne(number) => tell(Int(*number)),
        }
    }

    /// Whether it changes the position by itself.
    pub(super) fn changes(&self) -> bool {
        !matches!(
            self,
            Stmt::LetSet(..)
                | Stmt::LetInt(..)
                | Stmt::If(..)
                | Stmt::For { .. }
                | Stmt::Emit { .. }
                | Stmt::EmitOne(_)
        )
    }

    /// Whether it yields moves by itself.
    pub(super) fn emits(&self) -> bool {
        matches!(self, Stmt::Emit { .. } | Stmt::EmitOne(_))
    }
}
