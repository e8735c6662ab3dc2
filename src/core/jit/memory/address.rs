//! Where something lies. Only the module around can make an address of an address.

use cranelift_codegen::ir::Value;

use super::region::Region;

/// Where something lies.
#[derive(Clone, Copy, Debug)]
pub(in crate::jit) struct Address {
    pub(super) value: Value,
    /// Bytes that are added.
    pub(super) offset: usize,
    /// Whether the address is valid wherever it is computed, not only where it is used.
    pub(super) anywhere: bool,
    pub(super) region: Region,
}

impl Address {
    /// The start of memory that is there as long as the function runs, and longer than any constant that is added.
    pub fn of(start: Value) -> Address {
        Address { value: start, offset: 0, anywhere: true, region: Region::OWN }
    }

    /// The same address, where what lies there is of a region.
    pub fn within(self, region: Region) -> Address {
        Address { region, ..self }
    }

    /// So many bytes further on.
    pub fn plus(self, bytes: usize) -> Address {
        Address { offset: self.offset + bytes, ..self }
    }
}

/// The number of an entry of a row: below the count of the row's entries.
#[derive(Clone, Copy, Debug)]
pub(in crate::jit) struct Index {
    pub value: Value,
    /// Whether it is below the count wherever it is worked out.
    pub(super) anywhere: bool,
}

impl Index {
    /// A number that is below the count where it is used: a test or a loop around says so.
    pub fn here(value: Value) -> Index {
        Index { value, anywhere: false }
    }
}

/// Things of one size, one behind the other.
#[derive(Clone, Copy, Debug)]
pub(in crate::jit) struct Row {
    /// The operation on them, for reports.
    pub name: &'static str,
    pub at: Address,
    /// How many there are.
    pub count: usize,
    /// Bytes of each.
    pub size: usize,
}
