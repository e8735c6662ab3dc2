//! The parts of each piece of code, to look at and to replace. Code that walks a program names only the forms that it
//! treats specially.

use super::{Binary, BlockId, Domain, IntId, IntOp, SetId, SetOp, Stmt, Unary, slot};

/// A part of a piece of code, in the order in which it is evaluated. Where a piece binds a local, the last part is
/// where it is bound.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Part<S = SetId, I = IntId, B = BlockId> {
    Set(S),
    Int(I),
    /// A block run in the same position.
    Block(B),
    /// A block run in a copy; the part after it is evaluated there.
    After(B),
}

impl Part<&SetId, &IntId, &BlockId> {
    fn copied(self) -> Part {
        match self {
            Part::Set(set) => Part::Set(*set),
            Part::Int(int) => Part::Int(*int),
            Part::Block(block) => Part::Block(*block),
            Part::After(block) => Part::After(*block),
        }
    }
}

/// A part that may be replaced.
pub(crate) type Hole<'a> = Part<&'a mut SetId, &'a mut IntId, &'a mut BlockId>;

/// A local.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Local {
    Set(u32),
    Int(u32),
}

/// A number by which a piece of code refers to something other than its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Const(u32),
    /// So many layers from the first.
    Layers(u32, u32),
    /// So many slots from the first.
    Slots(u32, u32),
    /// So many dealt numbers from the first.
    Dealt(u32, u32),
    Local(Local),
    Relation(u32),
    Ray(u32),
    Table(u32),
}

// Each walk stands once and is made twice, for `&self` and for `&mut self`.

macro_rules! tell_all {
    ($tell:ident: $($kind:ident($part:expr)),+) => {{ $($tell(Part::$kind($part));)+ }};
}

macro_rules! parts_of_domain {
    ($domain:expr, $tell:ident) => {
        match $domain {
            Domain::Set(set) => $tell(Part::Set(set)),
            Domain::Range(low, high) => tell_all!($tell: Int(low), Int(high)),
            Domain::Mask(mask) => $tell(Part::Int(mask)),
        }
    };
}

macro_rules! parts_of_set {
    ($op:expr, $tell:ident) => {
        match $op {
            SetOp::Const(_) | SetOp::Layer(_) | SetOp::Local(_) => {}
            SetOp::LayerRow { index: x, .. } | SetOp::Site(x) | SetOp::Row { site: x, .. } => tell_all!($tell: Int(x)),
            SetOp::Not(a) | SetOp::Image { of: a, .. } => $tell(Part::Set(a)),
            SetOp::And(a, b)
            | SetOp::Or(a, b)
            | SetOp::Sub(a, b)
            | SetOp::Otherwise(a, b)
            | SetOp::Between { from: a, to: b, .. }
            | SetOp::Flood { seed: a, within: b, .. }
            | SetOp::Sieve { domain: a, passing: b, .. } => tell_all!($tell: Set(a), Set(b)),
            SetOp::If(cond, a, b) => tell_all!($tell: Int(cond), Set(a), Set(b)),
            SetOp::Switch(index, cases) => {
                $tell(Part::Int(index));
                for case in cases {
                    $tell(Part::Set(case));
                }
            }
            SetOp::Slide { from, through, over, .. } => {
                tell_all!($tell: Set(from), Set(through));
                if let Some(over) = over {
                    $tell(Part::Set(over));
                }
            }
            SetOp::Fix { seed: a, within: b, step: c, .. } | SetOp::Path { from: a, within: b, to: c, .. } => {
                tell_all!($tell: Set(a), Set(b), Set(c));
            }
            SetOp::Times { of, times, step, .. } => tell_all!($tell: Set(of), Int(times), Set(step)),
            SetOp::Ring { of: set, steps: x, .. }
            | SetOp::Line { of: set, length: x, .. }
            | SetOp::Filter { domain: set, cond: x, .. } => tell_all!($tell: Set(set), Int(x)),
            SetOp::Union { domain, body, .. } => {
                parts_of_domain!(domain, $tell);
                $tell(Part::Set(body));
            }
            SetOp::LetSet { value, body, .. } => tell_all!($tell: Set(value), Set(body)),
            SetOp::LetInt { value, body, .. } => tell_all!($tell: Int(value), Set(body)),
            SetOp::After(block, value) => tell_all!($tell: After(block), Set(value)),
        }
    };
}

macro_rules! parts_of_int {
    ($op:expr, $tell:ident) => {
        match $op {
            IntOp::Const(_) | IntOp::Local(_) | IntOp::Slot(_) => {}
            IntOp::SlotRow { index: x, .. }
            | IntOp::Dealt { index: x, .. }
            | IntOp::Lookup { index: x, .. }
            | IntOp::Unary(_, x)
            | IntOp::KindAt(x)
            | IntOp::OwnerAt(x)
            | IntOp::HeightAt(x) => $tell(Part::Int(x)),
            IntOp::Binary(_, a, b)
            | IntOp::And(a, b)
            | IntOp::Or(a, b)
            | IntOp::Distance { from: a, to: b, .. } => tell_all!($tell: Int(a), Int(b)),
            IntOp::If(cond, a, b) => tell_all!($tell: Int(cond), Int(a), Int(b)),
            IntOp::Switch(index, cases, _) => {
                $tell(Part::Int(index));
                for case in cases {
                    $tell(Part::Int(case));
                }
            }
            IntOp::OfSet(_, set) | IntOp::Some(set) => tell_all!($tell: Set(set)),
            IntOp::Meets(a, b) | IntOp::Same(a, b) => tell_all!($tell: Set(a), Set(b)),
            IntOp::Has(set, site) => tell_all!($tell: Set(set), Int(site)),
            IntOp::Any { domain, cond: body, .. } | IntOp::Sum { domain, body, .. } => {
                parts_of_domain!(domain, $tell);
                $tell(Part::Int(body));
            }
            IntOp::LetSet { value, body, .. } => tell_all!($tell: Set(value), Int(body)),
            IntOp::LetInt { value, body, .. } => tell_all!($tell: Int(value), Int(body)),
            IntOp::After(block, value) => tell_all!($tell: After(block), Int(value)),
            IntOp::Steps { from, to, step, .. } => tell_all!($tell: Set(from), Set(to), Set(step)),
        }
    };
}

macro_rules! parts_of_statement {
    ($statement:expr, $tell:ident) => {
        match $statement {
            Stmt::SetLayer(_, set)
            | Stmt::LetSet(_, set)
            | Stmt::Remove(set)
            | Stmt::Lift(set)
            | Stmt::Carry { at: set, .. } => $tell(Part::Set(set)),
            Stmt::SetSlot(_, x) | Stmt::LetInt(_, x) | Stmt::EmitOne(x) => $tell(Part::Int(x)),
            Stmt::SetLayerRow { index, value, .. } => tell_all!($tell: Int(index), Set(value)),
            Stmt::SetSlotRow { index, value, .. } => tell_all!($tell: Int(index), Int(value)),
            Stmt::Put { at, owner, kind, .. } => tell_all!($tell: Set(at), Int(owner), Int(kind)),
            Stmt::Move { from, to, owner, .. } => {
                tell_all!($tell: Int(from), Int(to));
                if let Some(owner) = owner {
                    $tell(Part::Int(owner));
                }
            }
            Stmt::Turn { at, owner, kind } => {
                $tell(Part::Set(at));
                if let Some(owner) = owner {
                    $tell(Part::Int(owner));
                }
                if let Some(kind) = kind {
                    $tell(Part::Int(kind));
                }
            }
            Stmt::SwapSides => {}
            Stmt::If(cond, then, otherwise) => {
                tell_all!($tell: Int(cond), Block(then));
                if let Some(otherwise) = otherwise {
                    $tell(Part::Block(otherwise));
                }
            }
            Stmt::For { domain, body, .. } => {
                parts_of_domain!(domain, $tell);
                $tell(Part::Block(body));
            }
            Stmt::Emit { set, base, .. } => tell_all!($tell: Set(set), Int(base)),
        }
    };
}

macro_rules! walked {
    ($($type:ident by $parts:ident)+) => {$(
        impl $type {
            /// Tells its parts.
            pub(crate) fn each(&self, tell: &mut dyn FnMut(Part)) {
                let mut tell = |part: Part<_, _, _>| tell(Part::copied(part));
                $parts!(self, tell);
            }

            /// Gives each of its parts to be replaced.
            pub(crate) fn each_mut(&mut self, tell: &mut dyn FnMut(Hole<'_>)) {
                $parts!(self, tell);
            }
        }
    )+};
}

walked! {
    SetOp by parts_of_set
    IntOp by parts_of_int
    Stmt by parts_of_statement
}

impl Domain {
    /// Gives each of its parts to be replaced.
    pub(crate) fn each_mut(&mut self, tell: &mut dyn FnMut(Hole<'_>)) {
        parts_of_domain!(self, tell);
    }
}

impl SetOp {
    /// The local that is bound where its last part is evaluated.
    pub(crate) fn binds(&self) -> Option<Local> {
        match self {
            SetOp::Fix { local, .. } | SetOp::Times { local, .. } | SetOp::LetSet { local, .. } => {
                Some(Local::Set(*local))
            }
            SetOp::Filter { local, .. }
            | SetOp::Sieve { local, .. }
            | SetOp::Union { local, .. }
            | SetOp::LetInt { local, .. } => Some(Local::Int(*local)),
            _ => None,
        }
    }

    /// Whether its last part may be evaluated many times.
    pub(crate) fn repeats(&self) -> bool {
        matches!(
            self,
            SetOp::Fix { .. }
                | SetOp::Times { .. }
                | SetOp::Filter { .. }
                | SetOp::Sieve { .. }
                | SetOp::Union { .. }
        )
    }

    /// Tells the numbers by which it refers to other things.
    pub(crate) fn uses(&self, tell: &mut dyn FnMut(Use)) {
        match self {
            SetOp::Const(number) => tell(Use::Const(*number)),
            SetOp::Layer(layer) => tell(Use::Layers(*layer, 1)),
            SetOp::LayerRow { base, count, .. } => tell(Use::Layers(*base, *count)),
            SetOp::Local(local) => tell(Use::Local(Local::Set(*local))),
            SetOp::Image { relation, .. }
            | SetOp::Row { relation, .. }
            | SetOp::Flood { relation, .. }
            | SetOp::Path { relation, .. }
            | SetOp::Ring { relation, .. } => tell(Use::Relation(*relation)),
            SetOp::Slide { rays, .. } | SetOp::Between { rays, .. } => {
                rays.iter().for_each(|ray| tell(Use::Ray(*ray)));
            }
            SetOp::Line { steps, .. } => steps.iter().for_each(|step| tell(Use::Relation(*step))),
            SetOp::Site(_)
            | SetOp::And(..)
            | SetOp::Or(..)
            | SetOp::Sub(..)
            | SetOp::Not(_)
            | SetOp::Otherwise(..)
            | SetOp::If(..)
            | SetOp::Switch(..)
            | SetOp::Fix { .. }
            | SetOp::Times { .. }
            | SetOp::Filter { .. }
            | SetOp::Sieve { .. }
            | SetOp::Union { .. }
            | SetOp::LetSet { .. }
            | SetOp::LetInt { .. }
            | SetOp::After(..) => self.binds().into_iter().for_each(|local| tell(Use::Local(local))),
        }
    }
}

impl IntOp {
    /// The local that is bound where its last part is evaluated.
    pub(crate) fn binds(&self) -> Option<Local> {
        match self {
            IntOp::LetSet { local, .. } | IntOp::Steps { local, .. } => Some(Local::Set(*local)),
            IntOp::Any { local, .. } | IntOp::Sum { local, .. } | IntOp::LetInt { local, .. } => {
                Some(Local::Int(*local))
            }
            _ => None,
        }
    }

    /// Whether it is a condition: 0 or 1.
    pub(crate) fn is_condition(&self) -> bool {
        matches!(
            self,
            IntOp::Binary(Binary::Eq | Binary::Lt | Binary::Le, ..)
                | IntOp::Unary(Unary::Not, _)
                | IntOp::And(..)
                | IntOp::Or(..)
                | IntOp::Some(_)
                | IntOp::Meets(..)
                | IntOp::Same(..)
                | IntOp::Has(..)
                | IntOp::Any { .. }
        )
    }

    /// Whether its last part may be evaluated many times.
    pub(crate) fn repeats(&self) -> bool {
        matches!(self, IntOp::Any { .. } | IntOp::Sum { .. } | IntOp::Steps { .. })
    }

    /// Tells the numbers by which it refers to other things.
    pub(crate) fn uses(&self, tell: &mut dyn FnMut(Use)) {
        match self {
            IntOp::Local(local) => tell(Use::Local(Local::Int(*local))),
            IntOp::Slot(slot) => tell(Use::Slots(*slot, 1)),
            IntOp::SlotRow { base, count, .. } => tell(Use::Slots(*base, *count)),
            IntOp::Dealt { base, count, .. } => tell(Use::Dealt(*base, *count)),
            IntOp::Lookup { table, .. } => tell(Use::Table(*table)),
            IntOp::Distance { relation, .. } => tell(Use::Relation(*relation)),
            IntOp::Const(_)
            | IntOp::Binary(..)
            | IntOp::Unary(..)
            | IntOp::And(..)
            | IntOp::Or(..)
            | IntOp::If(..)
            | IntOp::Switch(..)
            | IntOp::OfSet(..)
            | IntOp::Some(_)
            | IntOp::Meets(..)
            | IntOp::Same(..)
            | IntOp::Has(..)
            | IntOp::KindAt(_)
            | IntOp::OwnerAt(_)
            | IntOp::HeightAt(_)
            | IntOp::Any { .. }
            | IntOp::Sum { .. }
            | IntOp::LetSet { .. }
            | IntOp::LetInt { .. }
            | IntOp::Steps { .. }
            | IntOp::After(..) => self.binds().into_iter().for_each(|local| tell(Use::Local(local))),
        }
    }
}

impl Stmt {
    /// The local that it binds: a `let` for the statements after it, a loop for its body.
    pub(crate) fn binds(&self) -> Option<Local> {
        match self {
            Stmt::LetSet(local, _) => Some(Local::Set(*local)),
            Stmt::LetInt(local, _) | Stmt::For { local, .. } => Some(Local::Int(*local)),
            _ => None,
        }
    }

    /// Tells the numbers by which it refers to other things. Its layers and slots are those that it writes; effects on
    /// pieces tell none (see [`Stmt::moves_pieces`]).
    pub(crate) fn uses(&self, tell: &mut dyn FnMut(Use)) {
        match self {
            Stmt::SetLayer(layer, _) => tell(Use::Layers(*layer, 1)),
            Stmt::SetLayerRow { base, count, .. } => tell(Use::Layers(*base, *count)),
            Stmt::SetSlot(slot, _) => tell(Use::Slots(*slot, 1)),
            Stmt::SetSlotRow { base, count, .. } => tell(Use::Slots(*base, *count)),
            Stmt::SwapSides => tell(Use::Slots(slot::SWAP as u32, 1)),
            Stmt::Carry { relation, .. } => tell(Use::Relation(*relation)),
            Stmt::LetSet(..) | Stmt::LetInt(..) | Stmt::For { .. } => {
                self.binds().into_iter().for_each(|local| tell(Use::Local(local)));
            }
            Stmt::Put { .. }
            | Stmt::Move { .. }
            | Stmt::Remove(_)
            | Stmt::Lift(_)
            | Stmt::Turn { .. }
            | Stmt::If(..)
            | Stmt::Emit { .. }
            | Stmt::EmitOne(_) => {}
        }
    }

    /// Whether it changes pieces by itself.
    pub(crate) fn moves_pieces(&self) -> bool {
        match self {
            Stmt::Put { .. }
            | Stmt::Move { .. }
            | Stmt::Remove(_)
            | Stmt::Lift(_)
            | Stmt::Turn { .. }
            | Stmt::Carry { .. } => true,
            Stmt::SetLayer(..)
            | Stmt::SetLayerRow { .. }
            | Stmt::SetSlot(..)
            | Stmt::SetSlotRow { .. }
            | Stmt::LetSet(..)
            | Stmt::LetInt(..)
            | Stmt::SwapSides
            | Stmt::If(..)
            | Stmt::For { .. }
            | Stmt::Emit { .. }
            | Stmt::EmitOne(_) => false,
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
    pub(crate) fn emits(&self) -> bool {
        matches!(self, Stmt::Emit { .. } | Stmt::EmitOne(_))
    }
}
