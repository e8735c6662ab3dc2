//! Comparing variants: self-play, its metrics, and the meaning of differences.
//!
//! ```text
//! Variant -> Contestant -> games (selfplay, watched by heat, lead, look, beside) -> GameRecord -> Tally
//!                                      Tallies -> estimates, differences, effects, words -> Comparison
//! ```
//!
//! 1. A [`Contestant`] is a loaded variant, with the games that lie beside it: for each option that is not at
//!    its default the game in which only that one is, and those in which a player goes without a rule (`restrict`).
//! 2. [`run::play`] plays its games on all threads, each from a seed of its own, and hands on one
//!    [`record::GameRecord`] after the other, in order; games of an earlier run come from an
//!    [`run::Archive`].
//! 3. A [`Tally`] adds the records up exactly, in any order and in any number of parts that are merged. All results are
//!    made of tallies, so the origin of a record does not matter.
//! 4. [`compare`] and [`compare_matrix`] make the [`model::Comparison`]: estimates with intervals ([`stats`]),
//!    tests corrected together, the use of rules, heat maps, openings, and a verdict in words.
//!
//! Where one machine is too few, each plays a [`shard`], and the [parts](shard::Part) are merged.
//!
//! Games of different variants are independent: nothing is paired. The metrics are one table, `metric`.

mod archive;
mod beside;
mod contestant;
mod difference;
#[doc(hidden)]
mod heat;
#[doc(hidden)]
pub mod lead;
mod look;
mod lookup;
#[doc(hidden)]
pub mod matrix;
mod metric;
pub mod model;
mod notes;
#[doc(hidden)]
pub mod numbers;
mod ratio;
pub mod record;
mod restrict;
pub mod run;
#[doc(hidden)]
pub mod seal;
mod selfplay;
pub mod shard;
#[doc(hidden)]
mod summary;
#[doc(hidden)]
pub mod sums;
mod tally;
pub mod tune;
#[doc(hidden)]
pub mod words;
mod worth;

pub use contestant::{Contestant, LoadError, Restricted};
pub use metric::{LEADS, LOOKS, is_levelled, is_watched, keys, metric_of};
pub use run::{Plan, Shard, Taker, play_all};
pub use selfplay::{MAX_WATCHED, Rules};
pub use tally::Tally;

use metric::METRICS;
use model::{
    Combination, Comparison, Design, Difference, FORMAT, Matrix, MatrixOption, Metric, STRENGTH, Settings,
};

/// The level of intervals.
const CONFIDENCE: f64 = 0.95;
/// The greatest chance of a false "significant" in a comparison.
const ALPHA: f64 = 0.05;
/// The chance of a find that sample sizes are for.
const POWER: f64 = 0.8;

/// Which variants are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pairs {
    /// Each with the first.
    #[default]
    WithFirst,
    /// Each with each.
    All,
}

/// The options of a matrix and the part of its design that was played.
pub struct Played {
    /// The game.
    pub game: String,
    /// The options: name, and their values off and on as text.
    pub options: Vec<(String, String, String)>,
    /// For each contestant which options are on.
    pub combinations: Vec<Vec<bool>>,
    /// Combinations that the game does not allow, with the reason.
    pub left_out: Vec<(String, String)>,
    /// Whether all combinations were to be played.
    pub full: bool,
}

fn settings(plan: &Plan) -> Settings {
    let rules = &plan.rules;
    Settings {
        games: plan.games,
        agents: selfplay::words(&rules.agents),
        strength: selfplay::words(&rules.strength),
        strength_games: if rules.strength.is_empty() { 0 } else { plan.strength_games },
        levels: selfplay::words(&rules.levels),
        level_games: if rules.levels.is_empty() { 0 } else { plan.level_games },
        watch: rules.watch,
        seed: rules.seed,
        plies: rules.plies,
        opening: rules.opening,
        leads: rules.leads,
        level_leads: rules.level_leads,
        level_watch: rules.level_watch,
        confidence: CONFIDENCE,
        alpha: ALPHA,
        power: POWER,
    }
}

/// The comparison of variants; `wanted` are the keys of metrics, all if empty.
///
/// ```
/// use farrier::compare::{Contestant, Pairs, Plan, compare, play_all};
/// use farrier::shipped::Shipped;
/// use farrier::source::Sources;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let variants: Vec<Variant> = vec!["hex:size=3".parse()?, "hex:size=5".parse()?];
/// let contestants = Contestant::load_all(&variants, &Shipped, &mut Sources::default())?;
/// let plan = Plan { games: 100, ..Plan::default() };
/// let tallies = play_all(&contestants, &plan)?;
/// let found = compare(&contestants, &tallies, &plan, &["length".to_owned()], Pairs::WithFirst);
/// assert_eq!(found.differences.len(), 1);
/// # Ok(())
/// # }
/// ```
pub fn compare(
    contestants: &[Contestant],
    tallies: &[Tally],
    plan: &Plan,
    wanted: &[String],
    pairs: Pairs,
) -> Comparison {
    let mut out = shared(contestants, tallies, plan, wanted);
    let keys: Vec<String> = out.metrics.iter().map(|m| m.key.clone()).collect();
    let names: Vec<String> = contestants.iter().map(|c| c.name.clone()).collect();
    let n = tallies.len();
    let all: Vec<(usize, usize)> = match pairs {
        Pairs::WithFirst => (1..n).map(|b| (0, b)).collect(),
        Pairs::All => (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect(),
    };
    let same = |(a, b): &(usize, usize)| match (contestants.get(*a), contestants.get(*b)) {
        (Some(a), Some(b)) => a.game.is_same_as(&b.game).then(|| [a.name.clone(), b.name.clone()]),
        _ => None,
    };
    out.same = all.iter().filter_map(same).collect();
    let raw = all.into_iter().flat_map(|p| difference::raw(tallies, p, &keys, &out.settings)).collect();
    let first_moves = difference::first_moves(tallies, &keys);
    let worths = out.variants.iter_mut().flat_map(|v| &mut v.restricted).collect();
    let (differences, first_moves) = difference::correct(raw, &first_moves, worths, &names, &out.settings);
    out.differences = differences;
    out.variants.iter_mut().zip(first_moves).for_each(|(v, even)| v.first_move = even);
    let same = |d: &Difference| out.same.iter().any(|[a, b]| d.a == *a && d.b == *b);
    out.differences.iter_mut().filter(|d| same(d)).for_each(|d| d.games_needed = None);
    out.verdict = words::verdict(&out);
    out
}

/// The effects of options, from the combinations that were played.
pub fn compare_matrix(
    contestants: &[Contestant],
    tallies: &[Tally],
    plan: &Plan,
    wanted: &[String],
    played: &Played,
) -> Comparison {
    let mut out = shared(contestants, tallies, plan, wanted);
    let keys: Vec<String> = out.metrics.iter().map(|m| m.key.clone()).collect();
    let names: Vec<String> = played.options.iter().map(|(name, ..)| name.clone()).collect();
    let (told, mixed) = matrix::contrasts(&played.combinations);
    let name = |i: &usize| names.get(*i).cloned().unwrap_or_default();
    let summary = |name: &str| {
        let options = contestants.iter().flat_map(|c| &c.game.definition.options);
        let name = words::option_named(name);
        options.into_iter().find(|o| o.name.text == name).map(|o| o.summary.clone()).unwrap_or_default()
    };
    let options = played.options.iter().map(|(name, off, on)| MatrixOption {
        name: name.clone(),
        summary: summary(name),
        off: off.clone(),
        on: on.clone(),
    });
    let combinations = contestants.iter().zip(&played.combinations);
    out.matrix = Some(Matrix {
        game: played.game.clone(),
        options: options.collect(),
        design: if played.full { Design::Full } else { Design::Pairwise },
        combinations: combinations
            .map(|(c, on)| Combination { variant: c.name.clone(), on: on.clone() })
            .collect(),
        left_out: played.left_out.clone(),
        effects: matrix::effects(tallies, &names, &told, &keys, &out.settings),
        aliased: mixed
            .iter()
            .filter_map(|term| match &term[..] {
                [a, b] => Some([name(a), name(b)]),
                _ => None,
            })
            // Two values of one option never meet.
            .filter(|[a, b]| a.split_once('=').is_none_or(|(a, _)| !b.starts_with(&format!("{a}="))))
            .collect(),
    });
    for term in mixed.iter().filter(|t| t.len() == 1) {
        let names: Vec<String> = term.iter().map(name).collect();
        out.notes.push(format!("What {} does cannot be told from these combinations.", names.join(", ")));
    }
    if !played.full {
        out.notes.push(
            "These are not all combinations: effects assume that three options together do nothing that \
             their pairs do not."
                .to_owned(),
        );
    }
    out.verdict = words::verdict(&out);
    out
}

/// The part that `compare` and `compare_matrix` share: all but differences, effects and verdict.
fn shared(contestants: &[Contestant], tallies: &[Tally], plan: &Plan, wanted: &[String]) -> Comparison {
    let settings = settings(plan);
    let widths = summary::widths(tallies);
    // A metric that is wanted is wanted at each level.
    let is_wanted = |key: &str| {
        let base = key.split_once('@').map_or(key, |(base, _)| base);
        wanted.is_empty() || wanted.iter().any(|w| w == base)
    };
    let variants: Vec<_> =
        contestants.iter().zip(tallies).map(|(c, t)| summary::summary(c, t, &settings, &widths)).collect();
    let some = |key: &str| is_wanted(key) && variants.iter().any(|v| v.estimates.contains_key(key));
    let mut metrics: Vec<Metric> =
        METRICS.iter().filter(|row| some(row.key)).map(metric::Row::metric).collect();
    for agent in &settings.levels {
        let told =
            METRICS.iter().filter(|row| row.of.games.has_levels() && some(&metric::at_level(row.key, agent)));
        metrics.extend(told.map(|row| row.at(agent)));
    }
    if some(STRENGTH) {
        metrics.push(metric::strength(settings.ladder()));
    }
    let mut out = Comparison { format: FORMAT, settings, metrics, variants, ..Comparison::default() };
    for variant in &mut out.variants {
        variant.estimates.retain(|key, _| is_wanted(key));
    }
    let unlooked: Vec<u64> = tallies.iter().map(Tally::unlooked).collect();
    let leads = LEADS.iter().any(|key| is_wanted(key));
    out.notes = notes::notes(&out, &unlooked, leads);
    out
}
