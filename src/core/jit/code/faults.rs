//! The report of checked compiled code where a test fails.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// An index that was not below its bound: a mistake of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The operation that failed.
    pub operation: &'static str,
    /// The index.
    pub index: u64,
    /// The bound that it must be below.
    pub bound: u64,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "compiled code: {}: {} is not below {}", self.operation, self.index, self.bound)
    }
}

impl std::error::Error for Fault {}

/// The first test that failed.
#[derive(Debug, Default)]
pub(in crate::jit) struct Faults(Mutex<Option<Fault>>);

impl Faults {
    pub(super) fn note(&self, fault: Fault) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
    }

    pub(super) fn first(&self) -> Option<Fault> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
