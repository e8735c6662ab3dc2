//! Straight runs of members.
//!
//! Where one step along an axis is a shift by `d` bits, the last members of runs of `n` are
//!
//! ```text
//! E(1) = S    E(n + m) = E(n) & (E(n) << m * d), m <= n    and in the end the sites that have n - 1 sites behind them
//! ```
//!
//! so the length is doubled with each shift. A shift that wraps around the board's edge ends on a site that
//! has not enough sites behind it, for these lie at the same differences of bits: one mask at the end is
//! enough.

use cranelift_codegen::ir::{Value, types};
use cranelift_frontend::Variable;

use super::emit::Emit;
use super::words::Words;
use crate::program::{IntId, IntOp, Relation, SetId};

/// The longest run that is written out.
const LONGEST: i32 = 16;

/// An axis whose steps are one shift.
#[derive(Clone, Copy)]
struct Axis<'p> {
    /// One step.
    by: i32,
    /// The sites from which there is one.
    from: &'p [u64],
}

impl Axis<'_> {
    /// The sites that have `length - 1` sites behind them.
    fn ends(self, length: i32) -> Vec<u64> {
        let has = |site: i64| {
            usize::try_from(site)
                .is_ok_and(|site| self.from.get(site / 64).is_some_and(|w| w >> (site % 64) & 1 == 1))
        };
        let mut ends = vec![0; self.from.len()];
        for site in 0..64 * ends.len() {
            let back = |steps: i64| site as i64 - steps * i64::from(self.by);
            if (1..i64::from(length)).all(|steps| has(back(steps))) {
                ends[site / 64] |= 1 << (site % 64);
            }
        }
        ends
    }
}

/// The axis of a relation of one step.
fn axis(relation: &Relation) -> Option<Axis<'_>> {
    match relation.shifts.as_slice() {
        [(by, from)] => Some(Axis { by: *by, from }),
        _ => None,
    }
}

impl<'p> Emit<'p> {
    /// The axes and the length of runs that are written out; none where a helper finds them.
    fn axes(&self, steps: &[u32], length: IntId) -> Option<(Vec<Axis<'p>>, i32)> {
        let program = self.program;
        let IntOp::Const(length @ 2..=LONGEST) = program.ints[length.0 as usize] else { return None };
        let axes = steps.iter().map(|step| axis(&program.relations[*step as usize])).collect::<Option<_>>();
        Some((axes?, length))
    }

    /// Whether there is a run of at least `length` members along one of the axes.
    pub fn some_line(&mut self, steps: &[u32], of: SetId, length: IntId) -> Value {
        let Some((axes, length)) = self.axes(steps, length) else {
            let lines = self.line(steps, of, length);
            return self.some(&lines);
        };
        let of = self.set(of);
        let any = |e: &mut Self, length| {
            let mut all = e.empty();
            for axis in &axes {
                let ends = e.ends_of_runs(*axis, &of, length);
                all = e.either(&all, &ends);
            }
            e.some(&all)
        };
        // What doubling alone reaches is looked for first: where no run is that long, none is longer.
        let doubled = 1 << length.ilog2();
        let first = any(self, doubled);
        if doubled == length {
            return first;
        }
        let found = self.variable(types::I8, first);
        self.when(first, |e| {
            let all = any(e, length);
            e.put(found, all);
        });
        self.get(found)
    }

    /// The members that lie in a run of at least `length` members along one of the axes.
    pub fn line(&mut self, steps: &[u32], of: SetId, length: IntId) -> Words {
        let program = self.program;
        let of = self.set(of);
        if matches!(program.ints[length.0 as usize], IntOp::Const(length) if length <= 1) {
            return of;
        }
        if let Some((axes, length)) = self.axes(steps, length) {
            let none = self.empty();
            let out = self.set_variable(&none);
            for axis in axes {
                self.runs(axis, &of, length, &out);
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

    /// The last members of the runs along one axis.
    fn ends_of_runs(&mut self, axis: Axis<'_>, of: &Words, length: i32) -> Words {
        let (mut ends, mut long) = (of.clone(), 1);
        while long < length {
            let more = long.min(length - long);
            let moved = self.shifted(&ends, more * axis.by);
            ends = self.both(&ends, &moved);
            long += more;
        }
        let mask = self.constant(&axis.ends(length));
        self.both(&ends, &mask)
    }

    /// Adds the runs along one axis.
    fn runs(&mut self, axis: Axis<'_>, of: &Words, length: i32, out: &[Variable]) {
        let ends = self.ends_of_runs(axis, of, length);
        let found = self.some(&ends);
        // Most positions have no run that long.
        self.when(found, |e| {
            // Back from the ends every site exists, so nothing wraps.
            let (mut all, mut long) = (ends.clone(), 1);
            while long < length {
                let more = long.min(length - long);
                let moved = e.shifted(&all, -more * axis.by);
                all = e.either(&all, &moved);
                long += more;
            }
            let before = e.get_set(out);
            let after = e.either(&before, &all);
            e.put_set(out, &after);
        });
    }
}
