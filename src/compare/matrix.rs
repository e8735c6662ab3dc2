//! The design of a matrix: which combinations of options are played, and the effect of each option.
//!
//! Up to 64 combinations all are played. Of more than six options a regular fraction of 64 is: the first six options
//! in all combinations, each further one on where an odd number of certain three or five of the first six (or, for
//! seven and eight options, other words) are on. That is a design of resolution IV at least: every three options occur
//! in all their states, and no option's own effect is mixed up with that of a pair (Box, Hunter and Hunter,
//! *Statistics for Experimenters*). Combinations that `requires` and `conflicts` forbid are left out, and pairs of
//! states that are lost by that are covered by further combinations where there are any.
//!
//! Effects are those of the linear model with every option and every pair, fitted by least squares to the
//! means of the combinations. Its errors come from the spread within each combination, which need not be the
//! same everywhere; degrees of freedom after Satterthwaite. A share's spread is taken with one more yes and one
//! more no, so that a share of 0 is not taken for certain. Terms that the combinations do not tell apart are
//! not told at all but listed.

use super::model::{Effect, Estimate, MetricKind, Settings};
use super::tally::Tally;
use crate::statistics::{Moments, holm, needed, next_level, satterthwaite, seen, t_quantile, t_tails};

/// The most options.
pub const MAX_OPTIONS: usize = 32;

/// How many options are played in all combinations.
const FULL: usize = 6;

/// Combinations beyond all of [`FULL`] options that cover lost pairs, at most.
const EXTRA: usize = 64;

/// The combinations to be tried of so many options, and whether these are all.
pub fn design(options: usize) -> (Vec<Vec<bool>>, bool) {
    let base = options.min(FULL);
    let words = generators(options.saturating_sub(FULL));
    let all = (0..1u32 << base).map(|number| {
        let mut on: Vec<bool> = (0..base).map(|i| number >> i & 1 == 1).collect();
        on.extend(words.iter().map(|word| (number & word).count_ones() % 2 == 1));
        on
    });
    (all.collect(), options <= FULL)
}

/// The same of options that have several other values, by how many each has, where these are columns of their own of
/// which at most one is on: all combinations of values where there are no more than of [`FULL`] options.
pub fn design_of(values: &[usize]) -> (Vec<Vec<bool>>, bool) {
    let columns = values.iter().sum();
    let product = values.iter().try_fold(1usize, |all, n| all.checked_mul(n + 1)).unwrap_or(usize::MAX);
    if product > 1 << FULL || values.iter().all(|n| *n == 1) {
        return design(columns);
    }
    ((0..product as u64).map(|number| combination(values, number)).collect(), true)
}

/// The combination of a number, from 0 below the product of how many values each option has, its own counted too.
pub fn combination(values: &[usize], mut number: u64) -> Vec<bool> {
    let mut on = Vec::new();
    for n in values {
        let all = *n as u64 + 1;
        on.extend((1..all).map(|other| other == number % all));
        number /= all;
    }
    on
}

/// For each further option the first six that it depends on, as bits.
fn generators(more: usize) -> Vec<u32> {
    match more {
        0 => Vec::new(),
        1 => vec![0b11_1111],
        2 => vec![0b00_1111, 0b11_0011],
        // Words of odd length: no product of two of them is an option or a pair with an option.
        _ => {
            let mut words: Vec<u32> = (0..64).filter(|w: &u32| matches!(w.count_ones(), 3 | 5)).collect();
            words.sort_by_key(|w| (w.count_ones(), *w));
            words.truncate(more);
            words
        }
    }
}

/// Further combinations that cover pairs of states that none of the allowed ones has. `allowed` says whether
/// a combination may be played.
pub fn cover(options: usize, have: &[Vec<bool>], mut allowed: impl FnMut(&[bool]) -> bool) -> Vec<Vec<bool>> {
    let mut all = have.to_vec();
    for a in 0..options {
        for b in a + 1..options {
            for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
                let has = all.iter().any(|on| on.get(a) == Some(&x) && on.get(b) == Some(&y));
                if has || all.len() >= have.len() + EXTRA {
                    continue;
                }
                // Nothing else on, or everything else: a rule about options mostly forbids only one of the two.
                let found = [false, true].into_iter().find_map(|rest| {
                    let mut on = vec![rest; options];
                    on[a] = x;
                    on[b] = y;
                    allowed(&on).then_some(on)
                });
                all.extend(found);
            }
        }
    }
    all.split_off(have.len())
}

/// A column of the model: one option, or two.
type Term = Vec<usize>;

/// The terms that can be told, each with the weight of each combination's mean in its effect; and those
/// that cannot.
pub fn contrasts(combinations: &[Vec<bool>]) -> (Vec<(Term, Vec<f64>)>, Vec<Term>) {
    let options = combinations.first().map_or(0, Vec::len);
    let mut terms: Vec<Term> = vec![Vec::new()];
    terms.extend((0..options).map(|a| vec![a]));
    terms.extend((0..options).flat_map(|a| (a + 1..options).map(move |b| vec![a, b])));
    let half = |on: &[bool], i: usize| if on.get(i) == Some(&true) { 0.5 } else { -0.5 };
    let column = |term: &Term| -> Vec<f64> {
        combinations.iter().map(|on| term.iter().map(|i| half(on, *i)).product()).collect()
    };
    // Gram-Schmidt: the residual of a column after those before it is its own part.
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut upper: Vec<Vec<f64>> = Vec::new();
    let mut kept: Vec<Term> = Vec::new();
    let mut mixed: Vec<Term> = Vec::new();
    for term in terms {
        // Where two options never meet in one of their four states there is no such thing as their pair, and
        // the model does without.
        if let [a, b] = term[..]
            && !meet(combinations, a, b)
        {
            mixed.push(term);
            continue;
        }
        let mut own = column(&term);
        let size = dot(&own, &own);
        let mut shares = vec![0.0; basis.len()];
        // Twice is enough against rounding.
        for _ in 0..2 {
            for (share, q) in shares.iter_mut().zip(&basis) {
                let s = dot(&own, q);
                *share += s;
                own.iter_mut().zip(q).for_each(|(o, q)| *o -= s * q);
            }
        }
        let left = dot(&own, &own);
        if left > 1e-9 * size.max(1e-9) {
            let norm = left.sqrt();
            basis.push(own.iter().map(|o| o / norm).collect());
            shares.push(norm);
            upper.push(shares);
            kept.push(term);
            continue;
        }
        // It is a sum of terms before it: none of those can be told from it.
        let weights = solve(&upper, &shares);
        for (other, weight) in kept.iter().zip(weights) {
            if weight.abs() > 1e-6 && !other.is_empty() && !mixed.contains(other) {
                mixed.push(other.clone());
            }
        }
        mixed.push(term);
    }
    let told = kept.iter().enumerate().filter(|(_, term)| !term.is_empty() && !mixed.contains(term));
    let told = told.map(|(i, term)| {
        // Row i of the inverse of the upper triangle, times the basis.
        let rows = inverse_row(&upper, i);
        let mut weights = vec![0.0; combinations.len()];
        for (r, q) in rows.iter().zip(&basis) {
            weights.iter_mut().zip(q).for_each(|(w, q)| *w += r * q);
        }
        (term.clone(), weights)
    });
    (told.collect(), mixed)
}

/// Whether two options occur in all four states.
fn meet(combinations: &[Vec<bool>], a: usize, b: usize) -> bool {
    let mut seen = [false; 4];
    for on in combinations {
        let state = |i: usize| usize::from(on.get(i) == Some(&true));
        seen[state(a) * 2 + state(b)] = true;
    }
    seen.iter().all(|s| *s)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// An entry of the upper triangle whose columns are kept.
fn entry(upper: &[Vec<f64>], row: usize, column: usize) -> f64 {
    upper.get(column).and_then(|c| c.get(row)).copied().unwrap_or(0.0)
}

/// `x` with `upper x = right`.
fn solve(upper: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut x = vec![0.0; n];
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|c| entry(upper, row, c) * x[c]).sum();
        x[row] = (right[row] - known) / entry(upper, row, row);
    }
    x
}

/// Row `i` of the inverse of the upper triangle.
fn inverse_row(upper: &[Vec<f64>], i: usize) -> Vec<f64> {
    let n = upper.len();
    let mut row = vec![0.0; n];
    for c in i..n {
        let known: f64 = (i..c).map(|k| row[k] * entry(upper, k, c)).sum();
        row[c] = (f64::from(u8::from(c == i)) - known) / entry(upper, c, c);
    }
    row
}

/// The effects of all terms on all metrics that every combination has.
pub(super) fn effects(
    tallies: &[Tally],
    names: &[String],
    told: &[(Term, Vec<f64>)],
    keys: &[String],
    settings: &Settings,
) -> Vec<Effect> {
    let mut out = Vec::new();
    let mut games = Vec::new();
    for key in keys {
        let Some(moments) = tallies.iter().map(|t| moments(t, key)).collect::<Option<Vec<Moments>>>() else {
            continue;
        };
        let constant = moments.windows(2).all(|w| w[0].mean == w[1].mean);
        if constant && moments.iter().all(|m| m.variance == 0.0 || m.mean == 0.0 || m.mean == 1.0) {
            continue;
        }
        let n: u64 = moments.iter().map(|m| m.n).sum();
        for (term, weights) in told {
            let value: f64 = weights.iter().zip(&moments).map(|(w, m)| w * m.mean).sum();
            // A rest that comes from rounding counts as 0.
            let size = moments.iter().map(|m| m.mean.abs()).fold(0.0, f64::max);
            let value = if value.abs() <= 1e-9 * size { 0.0 } else { value };
            let parts: Vec<(f64, u64)> =
                weights.iter().zip(&moments).map(|(w, m)| (w * w * m.error2(), m.n)).collect();
            let error2: f64 = parts.iter().map(|(e, _)| e).sum();
            let (freedom, error) = (satterthwaite(&parts), error2.sqrt());
            let (half, p) = match error2 > 0.0 {
                true => (t_quantile(settings.confidence, freedom) * error, t_tails(value / error, freedom)),
                // Every combination always gives the same value, so a difference is certain.
                false => (0.0, f64::from(u8::from(value == 0.0))),
            };
            out.push(Effect {
                metric: key.clone(),
                options: term.iter().filter_map(|i| names.get(*i).cloned()).collect(),
                estimate: Estimate::new(value, value - half, value + half, n),
                p,
                ..Effect::default()
            });
            games.push((error2, settings.games_of(key)));
        }
    }
    let chances: Vec<f64> = out.iter().map(|e| e.p).collect();
    let adjusted = holm(&chances);
    let level = next_level(&adjusted, settings.alpha);
    for ((effect, p), (error2, n)) in out.iter_mut().zip(adjusted).zip(games) {
        effect.p_adjusted = p;
        effect.significant = p <= settings.alpha;
        if !effect.significant && error2 > 0.0 {
            effect.seen = Some(seen(error2, level, settings.power));
            let more = needed(effect.estimate.value, error2 * n as f64, level, settings.power);
            effect.games_needed = more.map(|games| games.max(n + 1));
        }
    }
    out.sort_by_key(|e| e.options.len());
    out
}

fn moments(tally: &Tally, key: &str) -> Option<Moments> {
    let (row, sum) = tally.sum(key)?;
    match row.of.kind {
        MetricKind::Mean => sum.moments(),
        MetricKind::Share => {
            let plain = Moments::of_share(sum.ones(), sum.n)?;
            Moments::of_share(sum.ones() + 1, sum.n + 2)
                .map(|wider| Moments { variance: wider.variance, ..plain })
        }
        MetricKind::Whole => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_design_covers_every_three_options() {
        for options in 1..=MAX_OPTIONS {
            let (all, full) = design(options);
            assert_eq!(full, options <= 6);
            assert_eq!(all.len(), 1 << options.min(6));
            for a in 0..options {
                for b in 0..a {
                    for c in 0..b {
                        let mut seen = [false; 8];
                        for on in &all {
                            seen[usize::from(on[a]) * 4 + usize::from(on[b]) * 2 + usize::from(on[c])] = true;
                        }
                        assert!(seen.iter().all(|s| *s), "{options} options: {a} {b} {c}");
                    }
                }
            }
        }
    }

    #[test]
    fn values_of_one_option_are_tried_one_by_one() {
        let (all, full) = design_of(&[3, 1]);
        assert!(full && all.len() == 8);
        assert!(all.iter().all(|on| on[..3].iter().filter(|on| **on).count() <= 1));
        let (told, mixed) = contrasts(&all);
        // Each value against none of them, the other option, and what this does with each value.
        assert_eq!(told.iter().filter(|(term, _)| term.len() == 1).count(), 4);
        assert_eq!(told.iter().filter(|(term, _)| term.len() == 2).count(), 3);
        assert_eq!(mixed, [vec![0, 1], vec![0, 2], vec![1, 2]]);
        assert_eq!(design_of(&[1, 1, 1]), design(3));
        assert!(!design_of(&[9, 9]).1);
    }

    #[test]
    fn effects_are_differences_of_means() {
        let (all, _) = design(2);
        let (told, mixed) = contrasts(&all);
        assert!(mixed.is_empty());
        // off off, on off, off on, on on.
        let means = [10.0, 14.0, 11.0, 21.0];
        let value = |i: usize| dot(&told[i].1, &means);
        assert!((value(0) - 7.0).abs() < 1e-9, "the mean of 4 and 10");
        assert!((value(1) - 4.0).abs() < 1e-9, "the mean of 1 and 7");
        assert!((value(2) - 6.0).abs() < 1e-9, "10 less 4");
    }

    #[test]
    fn what_is_mixed_up_is_not_told() {
        for (options, main, pairs) in [(6, 6, 15), (7, 7, 21), (8, 8, 28), (9, 9, 0), (12, 12, 0)] {
            let (all, _) = design(options);
            let (told, mixed) = contrasts(&all);
            let of = |n: usize| told.iter().filter(|(t, _)| t.len() == n).count();
            assert_eq!(of(1), main, "{options}");
            assert!(of(2) >= pairs, "{options}: {}", of(2));
            assert!(mixed.iter().all(|t| t.len() == 2));
        }
        // The second option is never on without the first: its pair with the first cannot be told.
        let all = [[false, false], [true, false], [true, true]].map(Vec::from);
        let (told, mixed) = contrasts(&all);
        assert_eq!(told.len(), 2, "{told:?}");
        assert_eq!(mixed, [vec![0, 1]]);
        assert!((dot(&told[1].1, &[5.0, 7.0, 10.0]) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn lost_pairs_are_covered_where_they_may() {
        // Nothing but the first combination is left; the two options exclude each other.
        let have = vec![vec![false; 3]];
        let extra = cover(3, &have, |on| !(on[0] && on[1]));
        let both: Vec<Vec<bool>> = have.into_iter().chain(extra).collect();
        let has = |a: usize, b: usize, x: bool, y: bool| both.iter().any(|on| on[a] == x && on[b] == y);
        assert!(has(0, 2, true, true) && has(1, 2, true, true) && has(0, 1, true, false));
        assert!(!has(0, 1, true, true));
    }
}
