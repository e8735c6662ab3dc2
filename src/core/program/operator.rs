//! The operators of integers, and what each gives.

use serde::Serialize;

use crate::siteset::Bits;

/// An operation on two integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum Binary {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient, cut off towards 0; `x / 0` is 0.
    Div,
    /// Remainder, with the sign of the first; `x % 0` is 0.
    Rem,
    /// The lesser.
    Min,
    /// The greater.
    Max,
    /// Bits in both (sets of kinds).
    BitAnd,
    /// Bits in either.
    BitOr,
    /// Bits of the first that are not in the second.
    BitSub,
    /// 1 if equal, else 0; likewise the following.
    Eq,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
}

impl Binary {
    /// The value. Folding, the interpreter and the bounds of compiled code all ask here.
    #[inline(always)]
    pub fn of(self, a: i32, b: i32) -> i32 {
        match self {
            Binary::Add => a.saturating_add(b),
            Binary::Sub => a.saturating_sub(b),
            Binary::Mul => a.saturating_mul(b),
            Binary::Div if b == 0 => 0,
            Binary::Div => a.saturating_div(b),
            Binary::Rem if b == 0 => 0,
            Binary::Rem => a.wrapping_rem(b),
            Binary::Min => a.min(b),
            Binary::Max => a.max(b),
            Binary::BitAnd => a & b,
            Binary::BitOr => a | b,
            Binary::BitSub => a & !b,
            Binary::Eq => i32::from(a == b),
            Binary::Lt => i32::from(a < b),
            Binary::Le => i32::from(a <= b),
        }
    }

    /// How listings write it.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Rem => "%",
            Binary::Min => "min",
            Binary::Max => "max",
            Binary::BitAnd => "&",
            Binary::BitOr => "|",
            Binary::BitSub => "&~",
            Binary::Eq => "=",
            Binary::Lt => "<",
            Binary::Le => "<=",
        }
    }
}

/// An operation on one integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum Unary {
    /// Without its sign.
    Abs,
    /// `1 << k`; 0 for a number that is no bit's.
    Bit,
    /// How many bits.
    BitCount,
    /// The lowest bit's number; -1 for none.
    BitFirst,
    /// 1 for 0, else 0.
    Not,
}

impl Unary {
    /// The value.
    #[inline(always)]
    pub fn of(self, a: i32) -> i32 {
        match self {
            Unary::Abs => a.saturating_abs(),
            Unary::Bit => u32::try_from(a).ok().and_then(|bit| 1i32.checked_shl(bit)).unwrap_or(0),
            Unary::BitCount => a.count_ones() as i32,
            Unary::BitFirst if a == 0 => -1,
            Unary::BitFirst => a.trailing_zeros() as i32,
            Unary::Not => i32::from(a == 0),
        }
    }

    /// How listings write it.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Unary::Abs => "abs",
            Unary::Bit => "bit",
            Unary::BitCount => "bits",
            Unary::BitFirst => "first-bit",
            Unary::Not => "not",
        }
    }
}

/// A number of one set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum OfSet {
    /// How many members.
    Count,
    /// The lowest member; -1 for none.
    First,
    /// The member, if there is exactly one; else -1.
    Only,
}

impl OfSet {
    /// The value.
    #[inline(always)]
    pub fn of<const W: usize>(self, set: &Bits<W>) -> i32 {
        let first = || set.first().map_or(-1, |site| site as i32);
        match self {
            OfSet::Count => set.count() as i32,
            OfSet::First => first(),
            OfSet::Only if set.count() == 1 => first(),
            OfSet::Only => -1,
        }
    }

    /// The least and the greatest value, on so many sites.
    #[cfg(feature = "jit")]
    pub(crate) fn bounds(self, sites: i64) -> (i64, i64) {
        match self {
            OfSet::Count => (0, sites),
            OfSet::First | OfSet::Only => (-1, sites - 1),
        }
    }

    /// How listings write it.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            OfSet::Count => "count",
            OfSet::First => "first",
            OfSet::Only => "only",
        }
    }
}
