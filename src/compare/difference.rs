//! Which differences between two variants are more than chance.
//!
//! All tests of a comparison are one family for Holm's correction, also those of whether moving first is an
//! advantage. A metric that is the same in all games of both variants (no draws at all, say) can never show
//! anything and does not count as a test (Tarone 1990).

use super::metric::{FIRST_POINTS, FIRST_WINS, TIME};
use super::model::{Difference, Estimate, Evenness, MetricKind, RestrictedPlay, Settings};
use super::summary::openness;
use super::sums::Sum;
use super::tally::Tally;
use crate::statistics::entropy::entropy_test;
use crate::statistics::{
    Moments, Tested, apart, coin, holm, needed, next_level, proportions, seen, welch, z_quantile,
};

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
    let cut = a.main.cut() + b.main.cut() > 0;
    let drawn = a.main.drawn() + b.main.drawn() > 0;
    let others = b.measured();
    let mut out = Vec::new();
    for (key, row, x, games) in a.measured().into_iter().filter(|(key, ..)| keys.contains(key)) {
        let Some((.., y, more)) = others.iter().find(|(other, ..)| *other == key) else { continue };
        let games = games.min(*more);
        let found = match row.of.kind {
            // These metrics repeat others.
            _ if key == "decisive" && !cut || key == FIRST_POINTS && !drawn || row.key == TIME => None,
            MetricKind::Share => shares(&x, y, settings),
            MetricKind::Mean => means(&x, y, row.is_share(), settings),
            MetricKind::Whole => entropies(a, b, settings),
        };
        let Some((tested, alive, variances, values)) = found else { continue };
        let games_a_value = games as f64 / values.max(1) as f64;
        out.push(Raw { metric: key, pair, tested, alive, variances, games_a_value, games });
    }
    out
}

/// A test, whether anything varies at all, the sum of the variances, and of how many values each.
type Found = Option<(Tested, bool, f64, u64)>;

fn means(x: &Sum, y: &Sum, share: bool, settings: &Settings) -> Found {
    let (a, b) = (x.moments()?, y.moments()?);
    let mut tested = welch(&a, &b, settings.confidence);
    // Where all values of one are alike its error is more than the none that Welch sees.
    if share && (a.variance == 0.0 || b.variance == 0.0) {
        tested.estimate =
            apart(&a.estimate_share(settings.confidence), &b.estimate_share(settings.confidence));
    }
    let alive = a.variance > 0.0 || b.variance > 0.0 || a.mean != b.mean;
    Some((tested, alive, a.variance + b.variance, x.n.min(y.n)))
}

fn shares(x: &Sum, y: &Sum, settings: &Settings) -> Found {
    let (a, b) = ((x.ones(), x.n), (y.ones(), y.n));
    let tested = proportions(a, b, settings.confidence)?;
    let alive = (a.0 + b.0) > 0 && (a.0 + b.0) < a.1 + b.1;
    let spread = |(yes, n): (u64, u64)| Moments::of_share(yes, n).map_or(0.0, |m| m.variance);
    Some((tested, alive, spread(a) + spread(b), x.n.min(y.n)))
}

/// The difference of two entropies. There is none if one of them is only a lower bound.
fn entropies(a: &Tally, b: &Tally, settings: &Settings) -> Found {
    let known = |tally| openness(tally, settings).filter(|e| !e.at_least);
    let (ea, eb) = (known(a)?, known(b)?);
    let (x, y, kinds) = a.kinds_with(b);
    let p = entropy_test(&x, &y, kinds, settings.seed);
    let spread = |e: Estimate| ((e.value - e.low) / z_quantile(settings.confidence)).powi(2) * e.n as f64;
    let tested = Tested { estimate: apart(&ea, &eb), p, effect: None, test: "Hutcheson t and permutation" };
    Some((tested, kinds > 1, spread(ea) + spread(eb), x.len().min(y.len()) as u64))
}

/// The chance that each variant's first player wins so far from one half of the decided games, or farther, if
/// beginning is nothing; none where it cannot be said.
pub(super) fn first_moves(tallies: &[Tally], keys: &[String]) -> Vec<Option<f64>> {
    let wanted = keys.iter().any(|k| k == FIRST_WINS);
    let of = |t: &Tally| {
        let (_, sum) = t.sum(FIRST_WINS).filter(|_| wanted && t.about.players.len() == 2)?;
        Some(coin(sum.ones(), sum.n))
    };
    tallies.iter().map(of).collect()
}

/// Corrects all tests of a comparison together, those of first moves and of the worth of rules too; `names` are the
/// variants'.
pub(super) fn correct(
    all: Vec<Raw>,
    first_moves: &[Option<f64>],
    worths: Vec<&mut RestrictedPlay>,
    names: &[String],
    settings: &Settings,
) -> (Vec<Difference>, Vec<Option<Evenness>>) {
    let mut chances: Vec<f64> = first_moves.iter().copied().flatten().collect();
    chances.extend(worths.iter().map(|worth| worth.p));
    chances.extend(all.iter().filter(|r| r.alive).map(|r| r.tested.p));
    let adjusted = holm(&chances);
    let level = next_level(&adjusted, settings.alpha);
    let mut adjusted = adjusted.into_iter().map(|p| (p, p <= settings.alpha));
    let mut next = || adjusted.next().unwrap_or((1.0, false));
    let mut even = |p: f64| {
        let (p_adjusted, significant) = next();
        Evenness { p, p_adjusted, significant }
    };
    let first_moves = first_moves.iter().map(|p| p.map(&mut even)).collect();
    for worth in worths {
        (worth.p_adjusted, worth.significant) = next();
        let half = (worth.points.high - worth.points.low) / 2.0;
        let error = half / z_quantile(settings.confidence);
        worth.seen = (!worth.significant).then(|| seen(error * error, level, settings.power));
    }
    let name = |i: usize| names.get(i).cloned().unwrap_or_default();
    let differences = all
        .into_iter()
        .map(|raw| {
            let (p_adjusted, significant) = if raw.alive { next() } else { (1.0, false) };
            let needed = needed(raw.tested.estimate.value, raw.variances, level, settings.power)
                .map(|values| (values as f64 * raw.games_a_value).ceil() as u64)
                // A difference that was not found with these games needs more of them.
                .map(|games| games.max(raw.games + 1))
                .filter(|_| !significant && raw.alive && raw.variances > 0.0);
            let error = raw.games_a_value * raw.variances / raw.games.max(1) as f64;
            Difference {
                seen: Some(seen(error, level, settings.power))
                    .filter(|_| !significant && raw.variances > 0.0),
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
        .collect();
    (differences, first_moves)
}
