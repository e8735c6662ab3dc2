//! Which differences between two variants are more than chance.
//!
//! All tests of a comparison are one family for Holm's correction. A metric in which no game of either
//! variant differs from any other (no draws at all, say) can never show anything and is not counted as a
//! test (Tarone 1990).

use super::metric::{METRICS, OPENING, STRENGTH};
use super::model::{Difference, MetricKind, Settings};
use super::stats::{
    Moments, Tested, entropy_error, entropy_test, holm, miller_madow, needed, normal, proportions, welch,
};
use super::summary::yes;
use super::tally::Tally;

/// A difference before it is corrected.
pub(super) struct Raw {
    metric: String,
    pair: (usize, usize),
    tested: Tested,
    /// Whether anything varies at all.
    alive: bool,
    /// The sum of the variances of the two variants, of one value each.
    variances: f64,
    /// Games for each value that counts, at least 1.
    games_a_value: f64,
    games: u64,
}

/// Tests one metric after the other.
pub(super) fn raw(tallies: &[Tally], pair: (usize, usize), keys: &[String], settings: &Settings) -> Vec<Raw> {
    let (Some(a), Some(b)) = (tallies.get(pair.0), tallies.get(pair.1)) else { return Vec::new() };
    let games = a.games.min(b.games);
    let cut = a.outcomes.contains_key("unfinished") || b.outcomes.contains_key("unfinished");
    let wanted = |key: &str| keys.iter().any(|k| k == key);
    let mut out = Vec::new();
    for (i, row) in METRICS.iter().enumerate().filter(|(_, row)| wanted(row.key)) {
        let (Some(x), Some(y)) = (a.values.get(i), b.values.get(i)) else { continue };
        let found = match row.kind {
            MetricKind::Share if row.key == "decisive" && !cut => None,
            MetricKind::Share => shares(x, y, settings),
            MetricKind::Mean => means(x, y, settings),
            MetricKind::Whole => entropies(a, b, settings),
        };
        let Some((tested, alive, variances)) = found else { continue };
        let values = if row.key == OPENING { a.kinds.len().min(b.kinds.len()) } else { x.len().min(y.len()) };
        let games_a_value = games as f64 / values.max(1) as f64;
        let metric = row.key.to_owned();
        out.push(Raw { metric, pair, tested, alive, variances, games_a_value, games });
    }
    if wanted(STRENGTH) {
        let points = |t: &Tally| t.strength.iter().map(|(_, p)| *p).collect::<Vec<_>>();
        let (x, y) = (points(a), points(b));
        if let Some((tested, alive, variances)) = means(&x, &y, settings) {
            let games = x.len().min(y.len()) as u64;
            let metric = STRENGTH.to_owned();
            out.push(Raw { metric, pair, tested, alive, variances, games_a_value: 1.0, games });
        }
    }
    out
}

type Found = Option<(Tested, bool, f64)>;

fn means(x: &[f64], y: &[f64], settings: &Settings) -> Found {
    let (a, b) = (Moments::of(x)?, Moments::of(y)?);
    let tested = welch(&a, &b, settings.confidence);
    let alive = a.variance > 0.0 || b.variance > 0.0 || a.mean != b.mean;
    Some((tested, alive, a.variance + b.variance))
}

fn shares(x: &[f64], y: &[f64], settings: &Settings) -> Found {
    let (a, b) = ((yes(x), x.len() as u64), (yes(y), y.len() as u64));
    let tested = proportions(a, b, settings.confidence)?;
    let alive = (a.0 + b.0) > 0 && (a.0 + b.0) < a.1 + b.1;
    let spread = |(yes, n): (u64, u64)| Moments::of_share(yes, n).map_or(0.0, |m| m.variance);
    Some((tested, alive, spread(a) + spread(b)))
}

fn entropies(a: &Tally, b: &Tally, settings: &Settings) -> Found {
    let (x, y, kinds) = a.kinds_with(b);
    if x.is_empty() || y.is_empty() {
        return None;
    }
    let of = |list: &[u32], seed: u64| {
        let mut counts = vec![0; kinds];
        for kind in list {
            if let Some(n) = counts.get_mut(*kind as usize) {
                *n += 1;
            }
        }
        (miller_madow(&counts), entropy_error(list, kinds, seed))
    };
    let (va, ea) = of(&x, settings.seed);
    let (vb, eb) = of(&y, settings.seed ^ 1);
    let n = (x.len() + y.len()) as u64;
    let estimate = normal(vb - va, ea.hypot(eb), settings.confidence, n);
    let p = entropy_test(&x, &y, kinds, settings.seed);
    let spread = ea * ea * x.len() as f64 + eb * eb * y.len() as f64;
    let tested = Tested { estimate, p, effect: None, test: "Hutcheson t and permutation" };
    Some((tested, kinds > 1, spread))
}

/// Corrects all tests of a comparison together; `names` are the variants'.
pub(super) fn correct(all: Vec<Raw>, names: &[String], settings: &Settings) -> Vec<Difference> {
    let chances: Vec<f64> = all.iter().filter(|r| r.alive).map(|r| r.tested.p).collect();
    let mut adjusted = holm(&chances).into_iter();
    let found: Vec<f64> =
        all.iter().map(|r| if r.alive { adjusted.next().unwrap_or(1.0) } else { 1.0 }).collect();
    let hits = found.iter().filter(|p| **p <= settings.alpha).count();
    let level = settings.alpha / (chances.len() - hits.min(chances.len())).max(1) as f64;
    let name = |i: usize| names.get(i).cloned().unwrap_or_default();
    all.into_iter()
        .zip(found)
        .map(|(raw, p_adjusted)| {
            let significant = p_adjusted <= settings.alpha;
            let needed = needed(raw.tested.estimate.value, raw.variances, level, settings.power)
                .map(|values| (values as f64 * raw.games_a_value).ceil() as u64)
                // What was not found with these games needs more than these.
                .map(|games| games.max(raw.games + 1))
                .filter(|_| !significant && raw.alive && raw.variances > 0.0);
            Difference {
                metric: raw.metric,
                a: name(raw.pair.0),
                b: name(raw.pair.1),
                estimate: raw.tested.estimate,
                effect: raw.tested.effect,
                test: raw.tested.test.to_owned(),
                p: raw.tested.p,
                p_adjusted,
                significant,
                games_needed: needed,
            }
        })
        .collect()
}
