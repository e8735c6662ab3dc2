//! What checked code says where a test fails.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::Compiled;
use crate::jit::Uncompiled;
use crate::play::{Backend, Native};
use crate::program::Program;

/// An index that was not below its bound: a mistake of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What was read or written.
    pub operation: &'static str,
    /// The index.
    pub index: u64,
    /// What it is to be below.
    pub bound: u64,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "compiled code: {}: {} is not below {}", self.operation, self.index, self.bound)
    }
}

/// The first test that failed.
#[derive(Debug, Default)]
pub(in crate::jit) struct Faults(Mutex<Option<Fault>>);

impl Faults {
    pub(super) fn note(&self, fault: Fault) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
    }

    fn first(&self) -> Option<Fault> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Compiled code that tests every computed index before it reads or writes. It never leaves its memory: where a
/// test fails it takes the first entry instead, and the failure is kept.
#[derive(Debug)]
pub struct Checked(Arc<Compiled>);

impl Checked {
    pub(in crate::jit) fn new(program: &Arc<Program>) -> Result<Checked, Uncompiled> {
        let faults = Some(Arc::new(Faults::default()));
        Ok(Checked(Arc::new(Compiled::new(program.clone(), faults)?)))
    }

    /// The first test that failed since the code was made.
    pub fn fault(&self) -> Option<Fault> {
        self.0.faults.as_ref().and_then(|faults| faults.first())
    }
}

impl Backend for Checked {
    fn native(&self) -> Option<Arc<dyn Native>> {
        Some(self.0.clone())
    }
}
