//! The figures that are drawn of a variant, or of several put together. All combinations with an option on, and
//! all with it off, are drawn like two variants.

use crate::compare::model::{HeatMap, Histogram, PlyBand, VariantResult};
use crate::drawing::plan::Plan;

/// Distributions and heat maps under one name.
#[derive(Clone, Default, Debug)]
pub(super) struct View {
    pub name: String,
    pub lengths: Histogram,
    pub branching: Vec<PlyBand>,
    pub board: Plan,
    pub heat: Vec<HeatMap>,
    /// Plies of a round: so many of a turn, for each player.
    pub round: usize,
}

impl View {
    /// One variant.
    pub(super) fn one(name: &str, v: &VariantResult) -> View {
        View::all(name, &[v])
    }

    /// Several variants together: games count alike, heat maps of each combination count alike. Heat maps
    /// only where all have the same board.
    pub(super) fn all(name: &str, all: &[&VariantResult]) -> View {
        let Some(first) = all.first() else { return View { name: name.to_owned(), ..View::default() } };
        let mut lengths = first.lengths.clone();
        if all.len() > 1 {
            // Quantiles of a mixture cannot be made of quantiles.
            lengths.quantiles = None;
        }
        for v in all.iter().skip(1) {
            for (sum, bin) in lengths.bins.iter_mut().zip(&v.lengths.bins) {
                sum.count += bin.count;
            }
        }
        let same = all.iter().all(|v| v.board.sites == first.board.sites);
        View {
            name: name.to_owned(),
            lengths,
            branching: branching(all),
            board: first.board.clone(),
            heat: if same { heat(all) } else { Vec::new() },
            round: round(all),
        }
    }
}

/// The means of each ply, and of its quantiles, over games.
fn branching(all: &[&VariantResult]) -> Vec<PlyBand> {
    if let [one] = all {
        return one.branching.clone();
    }
    let mut sums: std::collections::BTreeMap<u32, PlyBand> = std::collections::BTreeMap::new();
    for band in all.iter().flat_map(|v| &v.branching) {
        let sum = sums.entry(band.ply).or_insert(PlyBand { ply: band.ply, ..PlyBand::default() });
        let games = band.games as f64;
        sum.games += band.games;
        sum.mean += band.mean * games;
        sum.p10 += band.p10 * games;
        sum.median += band.median * games;
        sum.p90 += band.p90 * games;
    }
    let mean = |s: PlyBand| {
        let games = s.games.max(1) as f64;
        let [mean, p10, median, p90] = [s.mean, s.p10, s.median, s.p90].map(|v| v / games);
        PlyBand { mean, p10, median, p90, ..s }
    };
    sums.into_values().map(mean).collect()
}

fn heat(all: &[&VariantResult]) -> Vec<HeatMap> {
    let Some(first) = all.first() else { return Vec::new() };
    let one = |map: &HeatMap| {
        let same = |h: &&HeatMap| h.kind == map.kind && h.player == map.player;
        let maps: Vec<&HeatMap> = all.iter().filter_map(|v| v.heat.iter().find(same)).collect();
        let mean =
            |i: usize| maps.iter().filter_map(|m| m.values.get(i)).sum::<f64>() / maps.len().max(1) as f64;
        let error = |i: usize| {
            let squares = maps.iter().filter_map(|m| m.errors.get(i)).map(|e| e * e).sum::<f64>();
            squares.sqrt() / maps.len().max(1) as f64
        };
        let values = (0..map.values.len()).map(mean).collect();
        HeatMap { values, errors: (0..map.errors.len()).map(error).collect(), ..map.clone() }
    };
    first.heat.iter().map(one).collect()
}

/// How many plies a round has: plies of a turn times players; 1 where it is not known.
fn round(all: &[&VariantResult]) -> usize {
    let rounds = all.iter().filter_map(|v| {
        let (plies, turns) = (v.estimates.get("length")?.value, v.estimates.get("turns")?.value);
        (turns > 0.0).then(|| plies / turns * v.players.len() as f64)
    });
    let (sum, n) = rounds.fold((0.0, 0.0), |(s, n), r| (s + r, n + 1.0));
    if n > 0.0 { ((sum / n).round().clamp(1.0, 16.0)) as usize } else { 1 }
}

/// Names that are short and tell the variants apart: without the game where all have the same.
pub(super) fn short_names(variants: &[VariantResult]) -> Vec<String> {
    let base = |word: &str| {
        // A path may have a colon or a tilde of its own; the part behind the last slash may not.
        let from = word.rfind('/').map_or(0, |at| at + 1);
        let at =
            word.get(from..).and_then(|rest| rest.find(['+', '~', ':'])).map_or(word.len(), |a| a + from);
        word.get(..at).unwrap_or(word).to_owned()
    };
    let bases: Vec<String> = variants.iter().map(|v| base(&v.variant)).collect();
    let same = bases.iter().all(|b| Some(b) == bases.first());
    let name = |(v, base): (&VariantResult, &String)| match v.variant.strip_prefix(base.as_str()) {
        Some(rest) if same && !rest.is_empty() => rest.to_owned(),
        _ => v.variant.clone(),
    };
    let mut names: Vec<String> = variants.iter().zip(&bases).map(name).collect();
    // A game that is the same twice is still two variants.
    for i in 0..names.len() {
        let times = names.iter().take(i).filter(|n| Some(*n) == names.get(i)).count();
        if let (true, Some(name)) = (times > 0, names.get_mut(i)) {
            *name += &format!(" ({})", times + 1);
        }
    }
    names
}
