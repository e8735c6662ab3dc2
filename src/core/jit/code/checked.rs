//! Compiled code that tests its indices.

use std::sync::Arc;

use super::Compiled;
use super::faults::{Fault, Faults};
use crate::jit::Uncompiled;
use crate::play::{Backend, Native};
use crate::program::Program;

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
