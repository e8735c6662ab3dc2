//! Which parts of two lists belong together.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::term::{Env, Label, Many, Term};

/// Two terms that have at least so much in common are one term that was changed.
const ALIKE: f64 = 0.5;

/// How two lists of terms belong together.
#[derive(Default, Debug)]
pub struct Alignment {
    /// Places on the left and right with the same meaning.
    pub equal: Vec<(usize, usize)>,
    /// The same, but at another place of the order.
    pub moved: Vec<(usize, usize)>,
    /// Alike, and different.
    pub changed: Vec<(usize, usize)>,
    /// Only on the left.
    pub left: Vec<usize>,
    /// Only on the right.
    pub right: Vec<usize>,
}

/// Which places of both lists belong to another already.
type Used = [Vec<bool>; 2];

/// Aligns the kids of two terms with one sign.
pub fn align(env: &Env<'_>, sign: Many, left: &[&Term], right: &[&Term]) -> Alignment {
    let keys = |terms: &[&Term]| -> Vec<String> { terms.iter().map(|term| env.key(term)).collect() };
    let (lefts, rights) = (keys(left), keys(right));
    let mut out = Alignment::default();
    let mut used: Used = [vec![false; left.len()], vec![false; right.len()]];
    if sign.ordered() {
        // Which of several alignments of one length is taken must not depend on which list is the left one. So the
        // printed text decides: in keys the left one's numbers and names stand for both.
        let there = common(&lefts, &rights);
        let back: Vec<_> = common(&rights, &lefts).into_iter().map(|(r, l)| (l, r)).collect();
        out.equal = match shown(left).cmp(&shown(right)) {
            Ordering::Less => there,
            Ordering::Greater => back,
            // The rest has moved, then, on either side.
            Ordering::Equal => there.into_iter().filter(|pair| back.contains(pair)).collect(),
        };
    } else {
        out.equal = same(&lefts, &rights, &used);
    }
    let take = |pairs: &[(usize, usize)], used: &mut Used| {
        pairs.iter().for_each(|(l, r)| (used[0][*l], used[1][*r]) = (true, true));
    };
    take(&out.equal, &mut used);
    out.moved = same(&lefts, &rights, &used);
    take(&out.moved, &mut used);
    out.changed = alike(env, left, right, &mut used);
    [out.left, out.right] = used.map(|used| (0..used.len()).filter(|i| !used[*i]).collect());
    if let ([l], [r]) = (&out.left[..], &out.right[..]) {
        out.changed.push((*l, *r));
        (out.left, out.right) = (Vec::new(), Vec::new());
    }
    out.changed.sort_unstable();
    out
}

/// How terms are printed.
fn shown<'t>(terms: &[&'t Term]) -> Vec<&'t str> {
    terms.iter().map(|term| term.shown.as_str()).collect()
}

/// A longest common subsequence, as pairs of places.
fn common(left: &[String], right: &[String]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, left, right) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            pairs.extend((0..len).map(|i| (old_index + i, new_index + i)));
        }
    }
    pairs
}

/// Equal keys at any places that are not used yet.
fn same(left: &[String], right: &[String], used: &Used) -> Vec<(usize, usize)> {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, key) in right.iter().enumerate().rev().filter(|(i, _)| !used[1][*i]) {
        places.entry(key).or_default().push(i);
    }
    let unused = left.iter().enumerate().filter(|(i, _)| !used[0][*i]);
    unused.filter_map(|(i, key)| Some((i, places.get_mut(key.as_str())?.pop()?))).collect()
}

/// Pairs that have much in common, the best first.
fn alike(env: &Env<'_>, left: &[&Term], right: &[&Term], used: &mut Used) -> Vec<(usize, usize)> {
    let count = |terms: &[&Term], used: &[bool]| -> Vec<Option<Labels>> {
        let labels = |(i, term): (usize, &&Term)| (!used[i]).then(|| Labels::of(env, term));
        terms.iter().enumerate().map(labels).collect()
    };
    let (lefts, rights) = (count(left, &used[0]), count(right, &used[1]));
    let mut scored = Vec::new();
    for (l, a) in lefts.iter().enumerate() {
        for (r, b) in rights.iter().enumerate() {
            let (Some(a), Some(b)) = (a, b) else { continue };
            let score = if belong(env, left[l], right[r]) { 0.95 } else { a.alike(b) };
            if score >= ALIKE {
                // The order of the two must not depend on which is the left one.
                let (a, b) = (left[l].shown.as_str(), right[r].shown.as_str());
                let (least, most) = (a.min(b), a.max(b));
                scored.push((score, l.abs_diff(r), least, most, l, r));
            }
        }
    }
    scored.sort_by(|a, b| {
        b.0.total_cmp(&a.0).then_with(|| (a.1, a.2, a.3, a.4 + a.5).cmp(&(b.1, b.2, b.3, b.4 + b.5)))
    });
    let mut pairs = Vec::new();
    for (_, _, _, _, l, r) in scored {
        if !used[0][l] && !used[1][r] {
            (used[0][l], used[1][r]) = (true, true);
            pairs.push((l, r));
        }
    }
    pairs
}

/// Whether two terms speak of one thing, even if they differ much: they bind one local, or the same
/// sort of piece stands somewhere.
fn belong(env: &Env<'_>, left: &Term, right: &Term) -> bool {
    if let (Some((_, l)), Some((_, r))) = (&left.binds, &right.binds) {
        let pair = |id: &u32| env.locals.get(id);
        return pair(l).is_some() && pair(l) == pair(r);
    }
    let stands = |term: &Term| matches!(&term.label, Label::Form(name) if name == "stand");
    stands(left)
        && stands(right)
        && left.kids.iter().zip(&right.kids).take(3).all(|(l, r)| env.key(l) == env.key(r))
}

/// How much two terms have in common: 0 for nothing, 1 for all words.
pub fn alike_terms(env: &Env<'_>, left: &Term, right: &Term) -> f64 {
    Labels::of(env, left).alike(&Labels::of(env, right))
}

/// How often each label occurs in a term.
struct Labels {
    counts: BTreeMap<String, usize>,
    all: usize,
}

impl Labels {
    fn of(env: &Env<'_>, term: &Term) -> Labels {
        let mut counts = BTreeMap::new();
        let mut all = 0;
        term.each(&mut |term| {
            let label = match &term.label {
                Label::Local(id) => format!("={}", env.locals.get(id).unwrap_or(id)),
                label => format!("{label:?}"),
            };
            *counts.entry(label).or_insert(0) += 1;
            all += 1;
        });
        Labels { counts, all }
    }

    /// The share of labels that both have (the coefficient of Dice).
    fn alike(&self, other: &Labels) -> f64 {
        let both = |(label, n): (&String, &usize)| other.counts.get(label).map_or(0, |m| *n.min(m));
        let shared: usize = self.counts.iter().map(both).sum();
        2.0 * shared as f64 / (self.all + other.all).max(1) as f64
    }
}
