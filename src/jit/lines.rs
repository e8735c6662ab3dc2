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

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::emit::Emit;
use super::memory::{Index, Row};
use super::values::Words;
use crate::program::{IntId, IntOp, Relation, SetId};

/// The longest run for which code is written out; helpers find longer ones.
const MAX_LENGTH: i32 = 16;

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
        let IntOp::Const(length @ 2..=MAX_LENGTH) = program.ints[length.0 as usize] else { return None };
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
        let mut all = self.empty();
        for axis in axes {
            let ends = self.ends_of_runs(axis, &of, length);
            all = self.either(&all, &ends);
        }
        self.some(&all)
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
            let at = self.pointer(words);
            self.call(self.shared.helpers.line, &[relation, at, length], None);
            let run = self.reload(words);
            out = self.either(&out, &run);
        }
        out
    }

    /// Whether a site lies in a run of at least `length` members along one of the axes.
    pub fn in_line(&mut self, steps: &[u32], of: SetId, length: IntId, site: IntId) -> Value {
        let site = self.bounded(site);
        let (site, exists) = self.site(site);
        let site = site.value;
        let Some((axes, length)) = self.axes(steps, length).filter(|_| cfg!(target_endian = "little")) else {
            let lines = self.line(steps, of, length);
            let inside = self.has(&lines, site);
            return exists.map_or(inside, |exists| self.and(exists, inside));
        };
        let of = self.set(of);
        let mut maybe = self.beside(&axes, &of, length, site);
        if let Some(exists) = exists {
            maybe = self.and(maybe, exists);
        }
        let no = self.b.ins().iconst(types::I8, 0);
        let found = self.variable(types::I8, no);
        let (look, after) = (self.block(), self.block());
        self.b.set_cold_block(look);
        self.brif(maybe, look, after);
        self.at(look);
        let none = self.empty();
        let out = self.set_variable(&none);
        for axis in axes {
            self.runs(axis, &of, length, &out);
        }
        let lines = self.get_set(&out);
        let inside = self.has(&lines, site);
        self.put(found, inside);
        self.jump(after);
        self.at(after);
        self.get(found)
    }

    /// Whether there may be a run through a site: a cheap test before the exact one. If a run of `n` goes through
    /// `s`, then for each `k` of `1 ..= n - 1` one of `s + k * d` and `s + (k - n) * d` is a member: they are `n`
    /// steps apart, and the run has `n` sites in a row of which `s` is one. The test seldom says yes where there is
    /// no run, because it does not see gaps and edges.
    ///
    /// The words lie in memory between empty ones. So the neighbours of every site are bits at the same distances from
    /// its own. They are read a word at a time, at the byte in which the site's bit is.
    fn beside(&mut self, axes: &[Axis<'_>], of: &Words, length: i32, site: Value) -> Value {
        let reach = axes.iter().map(|axis| (length - 1) * axis.by.abs()).max().unwrap_or(0);
        let before = (reach as usize).div_ceil(64);
        let space = self.scratch(before + self.w + before + 1);
        let none = self.i64(0);
        let words = std::iter::repeat_n(none, before).chain(of.0.iter().copied());
        for (i, word) in words.chain(std::iter::repeat_n(none, before + 1)).enumerate() {
            self.store(word, space, 8 * i);
        }
        let wide = self.wide(site);
        let byte = self.b.ins().ushr_imm_u(wide, 3);
        let low = self.b.ins().band_imm_s(wide, 7);
        // All that is read lies around the set's bytes.
        let bytes = Row { name: "the byte of a site", at: space, count: 8 * self.w, size: 1 };
        let at = self.entry(bytes, Index::here(byte));
        // The bits from so far beside the site on, still moved up by the site's place in its byte.
        let read = |e: &mut Self, beside: i32| {
            let bit = 64 * before as i32 + beside;
            let word = e.load_beside(at, bit / 8);
            match i64::from(bit % 8) {
                0 => word,
                more => e.b.ins().ushr_imm_u(word, more),
            }
        };
        let mut any = self.b.ins().iconst(types::I8, 0);
        for axis in axes {
            let by = axis.by.abs();
            // A read has 64 bits less those of both places in a byte.
            let most = (64 - 14 - 1) / by + 1;
            let mut missing = none;
            for first in (1..length).step_by(most as usize) {
                let count = most.min(length - first);
                let (ahead, behind) = (read(self, first * by), read(self, (first - length) * by));
                let either = self.or(ahead, behind);
                let either = self.b.ins().ushr(either, low);
                let all = (0..count).fold(0_u64, |all, k| all | 1 << (k * by));
                let all = self.i64(all as i64);
                let here = self.b.ins().band_not(all, either);
                missing = self.or(missing, here);
            }
            let full = self.cmp_to(IntCC::Equal, missing, 0);
            any = self.or(any, full);
        }
        any
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
