//! The values that emitted code works on: sets as words, positions, integers with bounds.

use std::collections::BTreeMap;
use std::rc::Rc;

use cranelift_codegen::ir::Value;
use cranelift_frontend::Variable;

use super::memory::Address;

/// The words of a set, lowest first.
#[derive(Clone, Debug)]
pub(super) struct Words(pub Vec<Value>);

/// The bounds of any integer.
pub(super) const ANY: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

/// An integer, and the least and the greatest value that it can have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub value: Value,
    pub bounds: (i64, i64),
}

/// The position that code works on.
#[derive(Clone, Debug)]
pub(super) enum WorkingPosition {
    /// Words at an address.
    Memory(Address),
    /// Words at an address that nobody writes as long as the function runs: a read of them need not be repeated after
    /// writes elsewhere.
    Still(Address),
    /// A copy.
    Copy(Rc<Copy>),
}

/// A copy of a position.
#[derive(Debug)]
pub(super) struct Copy {
    pub layers: BTreeMap<usize, Vec<Variable>>,
    pub slots: BTreeMap<usize, Variable>,
    pub below: WorkingPosition,
}
