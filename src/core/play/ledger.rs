//! Who asked for the work of a machine that counts.

use std::collections::BTreeMap;

use super::code::Thunk;
use super::frame::Frame;

/// A rule that a turn asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Asker {
    /// A decision, by its place in the definition: its choices and what they do.
    Decision(usize),
    /// An end, by its place.
    End(usize),
    /// The effects at the end of a turn.
    Finish,
    /// The conditions of the flow, who is skipped, and what becomes of a player who is stuck.
    Turn,
}

/// The operations by who asked first. What an end asks of a decision is the end's.
#[derive(Clone, Default, Debug)]
pub(super) struct Ledger {
    pub by: BTreeMap<Asker, u64>,
    /// Whether somebody has asked and waits.
    open: bool,
}

/// The code of a rule that enters its work.
pub(super) struct Entered<T> {
    pub asker: Asker,
    pub code: Thunk<T>,
}

impl<T> super::code::Code<T> for Entered<T> {
    fn run(&self, frame: &mut Frame) -> T {
        if std::mem::replace(&mut frame.ledger.open, true) {
            return self.code.run(frame);
        }
        let before = frame.work;
        let value = self.code.run(frame);
        frame.ledger.open = false;
        *frame.ledger.by.entry(self.asker).or_default() += frame.work - before;
        value
    }
}
