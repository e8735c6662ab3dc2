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
use super::memory::{Address, Index, Row};
use super::values::Words;
use crate::program::{IntId, IntOp, MAX_WRITTEN_LINE, Relation, SetId, SetOp};

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
        let IntOp::Const(length @ 2..=MAX_WRITTEN_LINE) = program.ints[length.0 as usize] else {
            return None;
        };
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
        let Some((axes, length)) = self.axes(steps, length) else {
            let lines = self.line(steps, of, length);
            let inside = self.has(&lines, site);
            return exists.map_or(inside, |exists| self.and(exists, inside));
        };
        let mut maybe = self.beside(&axes, of, length, site);
        if let Some(exists) = exists {
            maybe = self.and(maybe, exists);
        }
        let no = self.b.ins().iconst(types::I8, 0);
        let found = self.variable(types::I8, no);
        let (look, after) = (self.block(), self.block());
        self.b.set_cold_block(look);
        self.brif(maybe, look, after);
        self.at(look);
        let of = self.set(of);
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
    /// The neighbours of every site are bits at the same distances from its own. So the bits around the site are brought
    /// to fixed places first, all axes read them there. A layer is read where it lies in the position, and what lies
    /// beside it may make the test say yes once more; other sets are laid down between empty words.
    fn beside(&mut self, axes: &[Axis<'_>], of: SetId, length: i32, site: Value) -> Value {
        let reach = axes.iter().map(|axis| (length - 1) * axis.by.abs()).max().unwrap_or(0);
        let room = (reach as usize).div_ceil(64);
        let at = self.layer_with_room(of, room).unwrap_or_else(|| {
            let (of, none) = (self.set(of), self.i64(0));
            let space = self.scratch(room + self.w + room);
            let words = std::iter::repeat_n(none, room).chain(of.0.iter().copied());
            for (i, word) in words.chain(std::iter::repeat_n(none, room)).enumerate() {
                self.store(word, space, 8 * i);
            }
            space.plus(8 * room)
        });
        let (word, wide) = (self.b.ins().ushr_imm_u(site, 6), self.wide(site));
        let bit = self.b.ins().band_imm_s(wide, 63);
        let other = self.b.ins().bxor_imm_u(bit, 63);
        // All that is read lies around the set's words.
        let at =
            self.entry(Row { name: "the word of a site", at, count: self.w, size: 8 }, Index::here(word));
        let words: Vec<Value> =
            (0..=2 * room).map(|i| self.load_beside(at, 8 * (i as i32 - room as i32))).collect();
        // 64 bits each: from the bit after the site's on, and up to the one before it.
        let mut ahead = Vec::new();
        for pair in words[room..].windows(2) {
            let low = self.b.ins().ushr(pair[0], bit);
            let (low, high) = (self.b.ins().ushr_imm_u(low, 1), self.b.ins().ishl(pair[1], other));
            ahead.push(self.or(low, high));
        }
        let mut behind = Vec::new();
        for pair in words[..=room].windows(2).rev() {
            let high = self.b.ins().ishl_imm_u(pair[1], 1);
            let (low, high) = (self.b.ins().ushr(pair[0], bit), self.b.ins().ishl(high, other));
            behind.push(self.or(low, high));
        }
        let mut any = self.b.ins().iconst(types::I8, 0);
        for axis in axes {
            let by = axis.by.unsigned_abs() as usize;
            let length = length as usize;
            let most = 63 / by + 1;
            let mut missing = self.i64(0);
            for first in (1..length).step_by(most) {
                let count = most.min(length - first);
                let span = (count - 1) * by + 1;
                let from = first * by - 1;
                let after = self.bits_from(ahead[from / 64], ahead.get(from / 64 + 1), from % 64, span);
                let from = (length - first) * by;
                let place = (from - 1) / 64;
                let next = place.checked_sub(1).and_then(|place| behind.get(place));
                let before = self.bits_from(behind[place], next, 64 * (place + 1) - from, span);
                let either = self.or(after, before);
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

    /// So many bits of a word and the next one, from a place on; others may come along.
    fn bits_from(&mut self, word: Value, next: Option<&Value>, from: usize, count: usize) -> Value {
        if from == 0 {
            return word;
        }
        let low = self.b.ins().ushr_imm_u(word, from as i64);
        match next.filter(|_| from + count > 64) {
            Some(next) => {
                let high = self.b.ins().ishl_imm_u(*next, 64 - from as i64);
                self.or(low, high)
            }
            None => low,
        }
    }

    /// Where the layer that a set is lies in memory, if so many words lie before and after it in the position.
    fn layer_with_room(&mut self, of: SetId, room: usize) -> Option<Address> {
        let program = self.program;
        let (base, count, index) = match program.sets[of.0 as usize] {
            SetOp::Layer(layer) => (layer as usize, 1, None),
            SetOp::LayerRow { base, count, index } => (base as usize, count as usize, Some(index)),
            _ => return None,
        };
        let layout = &program.layout;
        if layout.layer_at(base) < room || layout.words() - layout.layer_at(base + count) < room {
            return None;
        }
        let (row, _) = self.layers_in_memory(base, count)?;
        let Some(index) = index else { return Some(row.at) };
        let index = self.bounded(index);
        match self.index(index, count) {
            (index, None) => Some(self.entry(row, index)),
            _ => None,
        }
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
