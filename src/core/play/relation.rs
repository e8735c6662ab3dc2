//! Relations at work: images, rings, runs, distances.

use crate::program::Relation;
use crate::siteset::Bits;

/// The sites that a relation reaches from one site that exists.
#[inline]
pub(super) fn row<const W: usize>(relation: &Relation, site: usize) -> Bits<W> {
    Bits::load(&relation.rows[site * W..])
}

/// The sites that a relation reaches from a set.
#[inline]
pub(super) fn image<const W: usize>(relation: &Relation, of: Bits<W>) -> Bits<W> {
    // Lifted conditions are images under one translation.
    if let [(by, mask)] = relation.shifts.as_slice() {
        return (of & Bits::load(mask)).shift(*by);
    }
    let mut out = Bits::EMPTY;
    // A translation of the whole set costs about as much as one row.
    if relation.shifts.is_empty() || (of.count() as usize) < relation.shifts.len() {
        for site in of.iter() {
            out = out | row(relation, site);
        }
    } else {
        for (by, mask) in &relation.shifts {
            out = out | (of & Bits::load(mask)).shift(*by);
        }
    }
    out
}

/// The sites exactly `steps` steps from the nearest member.
pub(crate) fn ring<const W: usize>(relation: &Relation, of: Bits<W>, steps: i32) -> Bits<W> {
    if steps < 0 {
        return Bits::EMPTY;
    }
    let mut reached = of;
    let mut edge = of;
    for _ in 0..steps {
        edge = image(relation, edge) - reached;
        if edge.is_empty() {
            break;
        }
        reached = reached | edge;
    }
    edge
}

/// Steps from one site to another; none where there is no way.
pub(crate) fn distance<const W: usize>(relation: &Relation, from: usize, to: usize) -> Option<i32> {
    let mut reached: Bits<W> = Bits::one(from);
    let mut edge = reached;
    let mut steps = 0;
    while !edge.is_empty() {
        if edge.contains(to) {
            return Some(steps);
        }
        edge = image(relation, edge) - reached;
        reached = reached | edge;
        steps += 1;
    }
    None
}

/// The members that lie in a run of at least `length` members along one axis.
pub(crate) fn line<const W: usize>(step: &Relation, of: Bits<W>, length: i32) -> Bits<W> {
    let length = u32::try_from(length).unwrap_or(0);
    if length <= 1 {
        return of;
    }
    if of.count() < length {
        return Bits::EMPTY;
    }
    // Most positions have no run that long: keep only members with ever more members before them.
    if !step.shifts.is_empty() {
        let mut ends = of;
        for _ in 1..length {
            ends = of & image(step, ends);
            if ends.is_empty() {
                return Bits::EMPTY;
            }
        }
    }
    let mut out = Bits::EMPTY;
    let mut rest = of;
    let mut starts = of - image(step, of);
    loop {
        // Where an axis closes on itself a run has no start: any member will do.
        let Some(start) = starts.first().or_else(|| rest.first()) else {
            return out;
        };
        let mut run = Bits::one(start);
        let mut at = start;
        while let Some(next) = row::<W>(step, at).first() {
            if !of.contains(next) || run.contains(next) {
                break;
            }
            run.insert(next);
            at = next;
        }
        starts = starts - run;
        rest = rest - run;
        if run.count() >= length {
            out = out | run;
        }
    }
}
