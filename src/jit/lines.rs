//! Straight runs of members.

use super::emit::Emit;
use super::words::Words;
use crate::program::{IntId, IntOp, SetId};

/// The longest run that is written out.
const LONGEST: i32 = 16;

impl Emit<'_> {
    /// The members that lie in a run of at least `length` members along one of the axes.
    pub fn line(&mut self, steps: &[u32], of: SetId, length: IntId) -> Words {
        let program = self.program;
        let of = self.set(of);
        let constant = match program.ints[length.0 as usize] {
            IntOp::Const(length) if length <= 1 => return of,
            IntOp::Const(length) => (length <= LONGEST).then_some(length),
            _ => None,
        };
        let straight = |step: &u32| {
            let relation = &program.relations[*step as usize];
            // One step along an axis that is a translation: nothing meets itself again.
            !relation.shifts.is_empty() && relation.shifts.iter().all(|(by, _)| *by > 0)
                || !relation.shifts.is_empty() && relation.shifts.iter().all(|(by, _)| *by < 0)
        };
        if let Some(length) = constant
            && steps.iter().all(straight)
        {
            let none = self.empty();
            let out = self.set_variable(&none);
            for step in steps {
                self.runs(*step, &of, length, &out);
            }
            return self.get_set(&out);
        }
        let length = self.int(length);
        let none = self.empty();
        let mut out = none;
        for step in steps {
            let relation = self.i64(std::ptr::from_ref(&program.relations[*step as usize]) as i64);
            let words = self.spill(&of);
            self.call(self.shared.helpers.line, &[relation, words, length], None);
            let run = self.reload(words);
            out = self.either(&out, &run);
        }
        out
    }

    /// Adds the runs along one axis.
    fn runs(&mut self, step: u32, of: &Words, length: i32, out: &[cranelift_frontend::Variable]) {
        // The last members of runs that are long enough: each has `length - 1` members behind it.
        let mut ends = of.clone();
        for _ in 1..length {
            let moved = self.image(step, &ends);
            ends = self.both(of, &moved);
        }
        let found = self.some(&ends);
        // Most positions have no run that long.
        self.when(found, |e| {
            let mut all = ends.clone();
            let mut last = ends.clone();
            for _ in 1..length {
                last = e.image_back(step, &last);
                all = e.either(&all, &last);
            }
            let before = e.get_set(out);
            let after = e.either(&before, &all);
            e.put_set(out, &after);
        });
    }

    /// From where a relation of shifts reaches a set.
    fn image_back(&mut self, number: u32, of: &Words) -> Words {
        let program = self.program;
        let mut out = self.empty();
        for (by, mask) in &program.relations[number as usize].shifts {
            let moved = self.shifted(of, -by);
            let mask = self.constant(mask);
            let part = self.both(&moved, &mask);
            out = self.either(&out, &part);
        }
        out
    }
}
