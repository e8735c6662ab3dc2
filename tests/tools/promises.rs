//! What the statistics of a comparison promise, in simulation and in play: alarms are as rare, intervals hold as often,
//! and effects are found as often as is said.

use farrier::compare::matrix::{contrasts, design};
use farrier::compare::model::{Comparison, VariantResult};
use farrier::compare::run::Plan;
use farrier::compare::{self, Pairs, Played};
use farrier::play::Rng;
use farrier::statistics::entropy::{diversity, entropy_test};
use farrier::statistics::{Moments, coin, needed, proportions, welch, wilson};
use std::collections::BTreeMap;

use crate::cases::cases;
use crate::compare::{compared, load, plan, play};

/// The most and the least successes out of `n` of chance `p` that happen but once in about ten thousand.
fn bounds(n: u64, p: f64) -> (f64, f64) {
    let (mean, deviation) = (n as f64 * p, (n as f64 * p * (1.0 - p)).sqrt());
    (mean - 4.0 * deviation, mean + 4.0 * deviation)
}

#[test]
fn a_game_does_not_differ_from_itself() {
    let runs = u64::from(cases(100));
    let mut alarms = 0;
    let mut by_metric: BTreeMap<String, u64> = BTreeMap::new();
    let all = load(&["tic-tac-toe", "tic-tac-toe"]);
    assert_eq!([&all[0].name, &all[1].name], ["tic-tac-toe", "tic-tac-toe #2"]);
    for seed in 0..runs {
        let plan = plan(60, seed);
        let found = compare::compare(&all, &play(&all, &plan), &plan, &[], Pairs::WithFirst);
        assert!(found.differences.len() >= 10);
        alarms += u64::from(found.differences.iter().any(|d| d.significant));
        for d in &found.differences {
            *by_metric.entry(d.metric.clone()).or_default() += u64::from(d.p <= 0.05);
            assert!(d.p_adjusted >= d.p && (0.0..=1.0).contains(&d.p), "{d:?}");
        }
    }
    let (_, most) = bounds(runs, 0.05);
    assert!(alarms as f64 <= most, "{alarms} false alarms of {runs}: {by_metric:?}");
    for (metric, n) in &by_metric {
        assert!(*n as f64 <= most, "{metric}: {n} of {runs} below 5 %");
    }
    // Tests that never speak would pass all that: a mean over games must reach 5 % about as often as promised.
    assert!(by_metric["length"] >= 2 && by_metric["branching"] >= 2, "{by_metric:?}");
}

/// How often intervals cover a truth.
fn coverage(rounds: u64, truth: f64, mut interval: impl FnMut(&mut Rng) -> (f64, f64)) -> f64 {
    let mut rng = Rng::new(99);
    let covered = (0..rounds).filter(|_| {
        let (low, high) = interval(&mut rng);
        low <= truth && truth <= high
    });
    covered.count() as f64 / rounds as f64
}

/// Evenly between 0 and 1, never 0.
fn even(rng: &mut Rng) -> f64 {
    (rng.bits() >> 11) as f64 / (1u64 << 53) as f64 + f64::EPSILON
}

#[test]
fn intervals_cover_what_they_promise() {
    let share = |n: u64, p: f64| {
        coverage(4000, p, |rng| {
            let yes = (0..n).filter(|_| even(rng) < p).count() as u64;
            let e = wilson(yes, n, 0.95).unwrap();
            (e.low, e.high)
        })
    };
    // Wilson's coverage swings about 95 % with n and p; with few it is known to reach down to about 92 %.
    for (n, p, least) in [(10, 0.5, 0.92), (20, 0.1, 0.92), (200, 0.02, 0.92), (1000, 0.5, 0.935)] {
        let found = share(n, p);
        assert!((least..=0.985).contains(&found), "Wilson {n} {p}: {found}");
    }
    let mean = |n: usize, truth: f64, draw: fn(&mut Rng) -> f64| {
        coverage(4000, truth, |rng| {
            let values: Vec<f64> = (0..n).map(|_| draw(rng)).collect();
            let e = Moments::of(&values).unwrap().estimate(0.95);
            (e.low, e.high)
        })
    };
    // Nearly normal: a sum of twelve. Few values are no matter.
    let bell = |rng: &mut Rng| (0..12).map(|_| even(rng)).sum::<f64>();
    for n in [3, 5, 30] {
        let found = mean(n, 6.0, bell);
        assert!((0.935..=0.965).contains(&found), "t, normal, {n}: {found}");
    }
    // Skewed: an exponential. What `stats` says of it is what is found.
    let skewed = |rng: &mut Rng| -even(rng).ln();
    for (n, least, most) in [(20, 0.90, 0.94), (100, 0.93, 0.955), (400, 0.935, 0.965)] {
        let found = mean(n, 1.0, skewed);
        assert!((least..=most).contains(&found), "t, exponential, {n}: {found}");
    }
}

#[test]
fn diversity_covers_what_it_promises_or_says_that_it_is_a_bound() {
    let rounds = u64::from(cases(10));
    let even = |n: usize| vec![1.0; n];
    let zipf = |n: usize, by: f64| (1..=n).map(|k| (k as f64).powf(-by)).collect::<Vec<f64>>();
    let geometric: Vec<f64> = (1..50).map(|k| 0.5f64.powi(k)).collect();
    // Four that are frequent, and a long tail that hardly ever is seen.
    let tail = [vec![0.98 / 4.0; 4], vec![0.02 / 1e5; 100_000]].concat();
    for (what, weights, games, interval) in [
        ("8 even ones", even(8), 500, true),
        ("150 even ones", even(150), 2000, true),
        ("150 even ones of few games", even(150), 300, false),
        // Gomoku's of two plies: a thousand games show ten bits of the seventeen.
        ("130,000 even ones", even(129_960), 1000, false),
        ("Zipf's of 100", zipf(100, 1.0), 2000, true),
        ("Zipf's of 100,000", zipf(100_000, 1.0), 1000, false),
        ("Zipf's of 100,000, steep", zipf(100_000, 2.0), 3000, true),
        ("geometric ones", geometric, 1000, true),
        ("four and a tail", tail, 2000, true),
    ] {
        let all: f64 = weights.iter().sum();
        let truth: f64 = -weights.iter().map(|w| w / all * (w / all).log2()).sum::<f64>();
        let mut sum = 0.0;
        let sums: Vec<f64> = weights
            .iter()
            .map(|w| {
                sum += w / all;
                sum
            })
            .collect();
        let mut given = 0;
        let found = coverage(rounds, truth, |rng| {
            let mut counts = BTreeMap::new();
            for _ in 0..games {
                let at = even_below(rng);
                *counts.entry(sums.partition_point(|s| *s <= at)).or_insert(0u64) += 1;
            }
            let counts: Vec<u64> = counts.into_values().collect();
            let e = diversity(&counts, 20.0, 0.95, rng.bits()).unwrap();
            given += u64::from(!e.at_least);
            if e.at_least { (e.low, f64::INFINITY) } else { (e.low, e.high) }
        });
        assert_eq!(given, if interval { rounds } else { 0 }, "{what}: intervals");
        let (least, _) = bounds(rounds, 0.95);
        assert!(found * rounds as f64 >= least, "{what}: {found}");
    }
    // A bound is worth something: of gomoku nearly what there is.
    let mut rng = Rng::new(1);
    let mut counts = BTreeMap::new();
    (0..2000).for_each(|_| *counts.entry(rng.pick(129_960)).or_insert(0u64) += 1);
    let e = diversity(&counts.into_values().collect::<Vec<_>>(), 17.0, 0.95, 1).unwrap();
    assert!(e.at_least && e.value > 14.0, "{e:?}");
}

/// Evenly between 0 and 1, never 1.
fn even_below(rng: &mut Rng) -> f64 {
    (rng.bits() >> 11) as f64 / (1u64 << 53) as f64
}

#[test]
fn openings_that_are_too_many_are_not_compared() {
    let found = compared(&["gomoku", "gomoku+exact-five"], &plan(30, 1));
    for v in &found.variants {
        let e = v.estimates["opening"];
        assert!(e.at_least && e.value < 17.0, "{e:?}");
    }
    assert!(found.differences.iter().all(|d| d.metric != "opening"));
    assert!(found.notes.iter().any(|n| n.contains("at least")), "{:?}", found.notes);
    let found = compared(&["./twice.toml", "./twice.toml+idle"], &plan(2000, 1));
    let e = found.variants[0].estimates["opening"];
    // Eight sites, then seven: 56 openings.
    assert!(!e.at_least && e.low < 56f64.log2() && 56f64.log2() < e.high, "{e:?}");
    assert!(found.differences.iter().any(|d| d.metric == "opening"));
}

#[test]
fn moving_first_is_tested_with_everything_else() {
    // The first player of noughts and crosses wins two of three decided games at random; a few games show it only as
    // long as nothing else is asked.
    let words = ["tic-tac-toe", "tic-tac-toe"];
    let plan = plan(60, 3);
    let all = load(&words);
    let tallies = play(&all, &plan);
    let found = compare::compare(&all, &tallies, &plan, &[], Pairs::WithFirst);
    let chances = |found: &Comparison| -> Vec<f64> {
        let tests = found.variants.iter().filter_map(|v| v.first_move.map(|e| e.p));
        tests.chain(found.differences.iter().map(|d| d.p)).collect()
    };
    assert_eq!(chances(&found).len(), 2 + found.differences.len());
    let alone = ["first-wins".to_owned()];
    let only = compare::compare(&all, &tallies, &plan, &alone, Pairs::WithFirst);
    assert_eq!(chances(&only).len(), 3);
    for (v, w) in found.variants.iter().zip(&only.variants) {
        let (many, few) = (v.first_move.unwrap(), w.first_move.unwrap());
        assert_eq!(many.p, few.p);
        assert!(many.p_adjusted > few.p_adjusted && few.p_adjusted > few.p, "{many:?} {few:?}");
        let e = v.estimates["first-wins"];
        assert_eq!(few.p, coin((e.value * e.n as f64).round() as u64, e.n));
    }
    // A coin.
    assert!((coin(60, 100) - 0.0569).abs() < 1e-4 && coin(50, 100) == 1.0 && coin(0, 0) == 1.0);
    // Alone it needs no correction.
    let one = load(&words[..1]);
    let only = compare::compare(&one, &tallies[..1], &plan, &alone, Pairs::WithFirst);
    let e = only.variants[0].first_move.unwrap();
    assert_eq!(e.p, e.p_adjusted);
}

#[test]
fn shares_that_are_alike_in_all_games_are_not_certain() {
    let e = Moments::of(&[1.0; 60]).unwrap().estimate_share(0.95);
    assert!(e.value == 1.0 && e.low > 0.9 && e.low < 0.97 && e.high == 1.0, "{e:?}");
    let e = Moments::of(&[0.25; 60]).unwrap().estimate_share(0.95);
    assert!(e.low < 0.25 && 0.25 < e.high && e.high - e.low < 0.07, "{e:?}");
    // And so are their differences.
    let found = compared(&["./twice.toml", "./twice.toml+twice"], &plan(60, 5));
    let d = found.differences.iter().find(|d| d.metric == "coverage").unwrap();
    assert!(d.estimate.low < 0.0 && d.estimate.high > 0.0, "{d:?}");
}

#[test]
fn differences_cover_what_they_promise_and_are_found_as_often() {
    let shares = |n: (u64, u64), p: (f64, f64)| {
        coverage(3000, p.1 - p.0, |rng| {
            let mut yes = |n: u64, p: f64| (0..n).filter(|_| even(rng) < p).count() as u64;
            let e = proportions((yes(n.0, p.0), n.0), (yes(n.1, p.1), n.1), 0.95).unwrap().estimate;
            (e.low, e.high)
        })
    };
    for (n, p) in [((40, 40), (0.3, 0.5)), ((60, 20), (0.1, 0.2)), ((200, 200), (0.02, 0.01))] {
        let found = shares(n, p);
        assert!((0.93..=0.99).contains(&found), "shares {n:?} {p:?}: {found}");
    }
    // Lengths that are spread three times as widely in one variant as in the other.
    let bell = |rng: &mut Rng| (0..12).map(|_| even(rng)).sum::<f64>() - 6.0;
    let sample = |rng: &mut Rng, n: u64, mean: f64, spread: f64| {
        let values: Vec<f64> = (0..n).map(|_| mean + spread * bell(rng)).collect();
        Moments::of(&values).unwrap()
    };
    let found = coverage(3000, 2.0, |rng| {
        let e = welch(&sample(rng, 10, 5.0, 1.0), &sample(rng, 25, 7.0, 3.0), 0.95).estimate;
        (e.low, e.high)
    });
    assert!((0.935..=0.965).contains(&found), "means: {found}");
    // So many games find such a difference with the chance they are for, at any level.
    for (level, power) in [(0.05, 0.8), (0.05 / 17.0, 0.8), (0.05, 0.5)] {
        let n = needed(1.0, 1.0 + 9.0, level, power).unwrap();
        let mut rng = Rng::new(5);
        let hits = (0..1000)
            .filter(|_| {
                welch(&sample(&mut rng, n, 0.0, 1.0), &sample(&mut rng, n, 1.0, 3.0), 0.95).p <= level
            })
            .count();
        assert!((hits as f64 / 1000.0 - power).abs() < 0.05, "{level} {power}: {n} games, {hits} of 1000");
    }
}

/// A kind of games, as an index below the number of weights.
fn weighed(rng: &mut Rng, weights: &[f64]) -> u32 {
    let at = even(rng) * weights.iter().sum::<f64>();
    let mut sum = 0.0;
    let found = weights.iter().position(|w| {
        sum += w;
        at < sum
    });
    found.unwrap_or(weights.len() - 1) as u32
}

/// The chances that the test of two entropies gives, over and over.
fn entropy_chances(rounds: u32, n: [usize; 2], weights: [&[f64]; 2]) -> Vec<f64> {
    let mut rng = Rng::new(7);
    (0..rounds)
        .map(|_| {
            let [a, b] =
                [0, 1].map(|i| (0..n[i]).map(|_| weighed(&mut rng, weights[i])).collect::<Vec<u32>>());
            entropy_test(&a, &b, weights[0].len(), rng.bits())
        })
        .collect()
}

#[test]
fn other_openings_are_not_more_diverse_ones() {
    let tried = cases(20);
    let alarms = |n, a: &[f64], b: &[f64]| {
        entropy_chances(tried, n, [a, b]).iter().filter(|p| **p <= 0.05).count() as f64
    };
    let (_, most) = bounds(u64::from(tried), 0.05);
    // As diverse in both, but what is frequent in the one is rare in the other.
    assert!(alarms([100, 100], &[0.9, 0.1], &[0.1, 0.9]) <= most);
    assert!(alarms([50, 150], &[0.7, 0.2, 0.1, 0.0], &[0.0, 0.1, 0.2, 0.7]) <= most);
    // The very same, with many kinds and few games; the fewer, the less of the kinds is seen.
    let flat = [1.0; 60];
    assert!(alarms([60, 60], &flat, &flat) <= most);
    assert!(alarms([30, 120], &flat, &flat) <= most);
    // Four kinds instead of two are found, and however many tests there are beside it: the chance goes
    // below what a few thousand deals can tell.
    let found = entropy_chances(5, [1000, 1000], [&[9.0, 1.0, 0.0, 0.0], &[1.0; 4]]);
    assert!(found.iter().all(|p| *p < 1e-9), "{found:?}");
}

#[test]
fn a_known_effect_is_found() {
    let words = ["./twice.toml", "./twice.toml+twice", "./twice.toml+idle", "./twice.toml+turned"];
    let found = compared(&words, &plan(60, 5));
    let of = |b: &str| -> Vec<&str> {
        let list = found.differences.iter().filter(|d| d.b == b && d.significant);
        list.map(|d| d.metric.as_str()).collect()
    };
    assert_eq!(of("./twice.toml+twice"), ["length", "turns", "tree"]);
    assert!(of("./twice.toml+idle").is_empty());
    let length = found.differences.iter().find(|d| d.metric == "length").unwrap();
    assert_eq!((length.estimate.low, length.estimate.high), (8.0, 8.0));
    let [_, twice, idle, turned] = &found.variants[..] else { panic!("four variants") };
    // The game with the option goes on where the other is over; the first eight plies are the same.
    let beside = twice.option_uses[0].beside.as_ref().unwrap();
    assert_eq!((beside.differs.value, beside.used.value, beside.first), (1.0, 1.0, Some(8)));
    let beside = idle.option_uses[0].beside.as_ref().unwrap();
    assert_eq!((beside.differs.value, beside.used.value, beside.first), (0.0, 0.0, None));
    // Where only the outcome differs it is seen at the end; the other half of the games are drawn in both.
    let beside = turned.option_uses[0].beside.as_ref().unwrap();
    assert_eq!((beside.used.value, beside.first), (0.0, Some(8)));
    assert!(beside.differs.low > 0.2 && beside.differs.high < 0.8, "{beside:?}");
    assert_eq!(of("./twice.toml+turned"), ["first-points", "first-wins"]);
    assert_eq!(idle.decisions[0].changed_by, ["idle"]);
    // Games of 8 and of 16 plies in the same bins.
    assert_eq!(twice.lengths.quantiles.unwrap().median, 16);
    let full = |v: &VariantResult| -> Vec<i64> {
        v.lengths.bins.iter().filter(|b| b.count > 0).map(|b| b.from).collect()
    };
    assert_eq!((full(&found.variants[0]), full(twice)), (vec![8], vec![16]));
}

#[test]
fn a_matrix_finds_what_options_do() {
    let words: Vec<String> =
        design(2).0.iter().map(|on| word("./twice.toml", &["twice", "idle"], on)).collect();
    let found = matrix(&words, &["twice", "idle"], design(2).0, &plan(80, 2));
    let of = |options: &[&str], metric: &str| {
        let all = &found.matrix.as_ref().unwrap().effects;
        all.iter().find(|e| e.options == options && e.metric == metric).unwrap().clone()
    };
    assert_eq!(of(&["twice"], "length").estimate.value, 8.0);
    assert!(of(&["twice"], "length").significant && of(&["twice"], "turns").significant);
    assert!(!of(&["idle"], "length").significant && !of(&["twice", "idle"], "length").significant);
    let draws = of(&["idle"], "draws");
    assert!(!draws.significant && draws.estimate.low < 0.0 && draws.estimate.high > 0.0, "{draws:?}");
    assert!(
        found.verdict.iter().any(|s| s.contains("With twice games are 8 plies longer")),
        "{:?}",
        found.verdict
    );

    // One option makes the other matter: without the first nothing can be nudged.
    let all = [[false, false], [true, false], [true, true]].map(Vec::from).to_vec();
    let words: Vec<String> = all.iter().map(|on| word("./twice.toml", &["twice", "shift"], on)).collect();
    let found = matrix(&words, &["twice", "shift"], all, &plan(80, 2));
    let effects = &found.matrix.as_ref().unwrap().effects;
    let shift = effects.iter().find(|e| e.options == ["shift"] && e.metric == "length").unwrap();
    assert!(shift.significant && shift.estimate.value > 0.0 && shift.estimate.value <= 3.0, "{shift:?}");
    assert_eq!(found.matrix.as_ref().unwrap().aliased, [["twice", "shift"]]);
}

fn word(game: &str, options: &[&str], on: &[bool]) -> String {
    let on = options.iter().zip(on).filter(|(_, on)| **on);
    on.fold(game.to_owned(), |word, (option, _)| word + "+" + option)
}

fn matrix(words: &[String], options: &[&str], combinations: Vec<Vec<bool>>, plan: &Plan) -> Comparison {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let all = load(&words);
    let played = Played {
        game: words[0].to_owned(),
        options: options.iter().map(|o| ((*o).to_owned(), "off".to_owned(), "on".to_owned())).collect(),
        combinations,
        left_out: Vec::new(),
        full: true,
    };
    compare::compare_matrix(&all, &play(&all, plan), plan, &[], &played)
}

#[test]
fn effects_are_unbiased_and_their_intervals_cover() {
    // Means of combinations with a known model: 10 + 2a - 1b + 3ab, in the units of the effects.
    let (all, _) = design(3);
    let (told, _) = contrasts(&all);
    let truth = |on: &[bool]| {
        let half = |i: usize| if on[i] { 0.5 } else { -0.5 };
        10.0 + 2.0 * half(0) - half(1) + 3.0 * half(0) * half(1)
    };
    for (term, weights) in &told {
        let value: f64 = weights.iter().zip(&all).map(|(w, on)| w * truth(on)).sum();
        let wanted = match term[..] {
            [0] => 2.0,
            [1] => -1.0,
            [0, 1] => 3.0,
            _ => 0.0,
        };
        assert!((value - wanted).abs() < 1e-9, "{term:?}: {value}");
    }
}
