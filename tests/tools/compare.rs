//! Comparing variants: the figures are right, the same on one thread and on many, and the statistics keep
//! what they promise.

use std::collections::BTreeMap;

use farrier::compare::entropy::{diversity, entropy_test};
use farrier::compare::lead::LEAST;
use farrier::compare::matrix::{contrasts, design};
use farrier::compare::model::{Comparison, FORMAT, HeatKind, Histogram, PuzzleKind, VariantResult};
use farrier::compare::record::GameRecord;
use farrier::compare::run::{self, Archive, Plan, Taker};
use farrier::compare::stats::{Moments, coin, needed, proportions, welch, wilson};
use farrier::compare::{self, Contestant, Pairs, Played, Rules, Tally};
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::play::{History, Moves, Rng};
use farrier::search::{AgentSpec, Playouts, Situation};
use farrier::shipped::Shipped;
use farrier::source::{FileError, Files, Sources};
use farrier::variant::Variant;

/// A game that begins in a position.
const ENDING: &str = "name = \"Ending\"\nextends = \"chess\"\n[position]\nstart = \"START\"\n";

/// Shipped games, and those of the tests.
struct Library;

impl Files for Library {
    fn read(&self, path: &str) -> Result<String, FileError> {
        match path {
            "./twice.toml" => Ok(include_str!("../compare/twice.toml").to_owned()),
            "./rook.toml" => Ok(ENDING.replace("START", "4k3/8/8/8/8/8/8/R3K3 w - -")),
            "./queen.toml" => Ok(ENDING.replace("START", "4k3/8/8/8/8/8/8/Q3K3 w - -")),
            _ => Shipped.read(path),
        }
    }

    fn names(&self) -> Vec<String> {
        Shipped::list()
    }
}

fn load(words: &[&str]) -> Vec<Contestant> {
    let variants: Vec<Variant> = words.iter().map(|w| Variant::parse(w).unwrap()).collect();
    match Contestant::load_all(&variants, &Library, &mut Sources::default()) {
        Ok(all) => all,
        Err(_) => panic!("{words:?} load"),
    }
}

fn plan(games: u64, seed: u64) -> Plan {
    let rules = Rules {
        agents: vec![AgentSpec::parse("random").unwrap()],
        strength: Vec::new(),
        seed,
        plies: 2000,
        opening: 2,
        looks: true,
        leads: 0,
        level_leads: 0,
        level_watch: 100,
        ..Rules::default()
    };
    Plan { rules, games, strength_games: 0, ..Plan::default() }
}

/// The tallies and all games.
fn play_with(
    all: &[Contestant],
    plan: &Plan,
    archive: &mut Archive,
) -> (Vec<Tally>, Vec<(GameRecord, bool)>) {
    let mut games = Vec::new();
    let mut taker = |game: &GameRecord, new: bool| -> Result<(), ()> {
        games.push((game.clone(), new));
        Ok(())
    };
    let tallies =
        all.iter().map(|c| run::play(c, plan, archive, Taker::Games(&mut taker)).expect("it plays"));
    (tallies.collect(), games)
}

fn play(all: &[Contestant], plan: &Plan) -> Vec<Tally> {
    play_with(all, plan, &mut Archive::default()).0
}

fn compared(words: &[&str], plan: &Plan) -> Comparison {
    let all = load(words);
    compare::compare(&all, &play(&all, plan), plan, &[], Pairs::WithFirst)
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Made-up figures of every kind: what draws comparisons can be tried on them.
fn sample() -> Comparison {
    serde_json::from_str(include_str!("../compare/sample.json")).expect("the sample has the form of today")
}

#[test]
fn a_comparison_is_written_and_read() {
    let sample = sample();
    assert_eq!(sample.format, FORMAT);
    for comparison in [sample, compared(&["tic-tac-toe", "tic-tac-toe"], &plan(20, 1))] {
        let text = serde_json::to_string(&comparison).unwrap();
        assert!(!text.contains("null,null"), "no figure is a NaN: {text}");
        assert_eq!(serde_json::from_str::<Comparison>(&text).unwrap(), comparison);
    }
}

#[test]
fn a_seed_gives_the_same_figures_on_one_thread_and_on_many() {
    let words = ["knights-and-pawns", "knights-and-pawns+switch-move"];
    let mut plan = plan(30, 7);
    plan.rules.strength = ["flat:2", "random"].map(|a| AgentSpec::parse(a).unwrap()).to_vec();
    plan.strength_games = 2;
    let one = on_threads(1, || compared(&words, &plan));
    let many = on_threads(3, || compared(&words, &plan));
    assert_eq!(one, many);
    plan.rules.seed = 8;
    assert_ne!(compared(&words, &plan).variants, one.variants);
}

#[test]
fn a_run_that_was_stopped_goes_on() {
    let all = load(&["tic-tac-toe", "knights-and-pawns+switch-move"]);
    let plan = plan(12, 3);
    let (whole, games) = play_with(&all, &plan, &mut Archive::default());
    let wanted = compare::compare(&all, &whole, &plan, &[], Pairs::WithFirst);

    let mut first = Archive::default();
    let mut file = first.admit(&all, &plan.rules).unwrap();
    // The first variant is whole, of the second every other game is there, the last first.
    let kept = games.iter().rev().filter(|(g, _)| g.variant == "tic-tac-toe" || g.game % 2 == 0);
    let mut keeper = first.keeper();
    file.extend(kept.map(|(g, _)| keeper.line(g)));
    let read = |file: &[String]| {
        let mut archive = Archive::default();
        file.iter().for_each(|line| archive.read(line, &plan.rules).unwrap());
        archive
    };
    let mut archive = read(&file);
    assert!(archive.admit(&all, &plan.rules).unwrap().is_empty(), "all lines are there");
    let (again, games) = play_with(&all, &plan, &mut archive);
    assert_eq!(games.iter().filter(|(_, new)| *new).count(), 6);
    assert_eq!(compare::compare(&all, &again, &plan, &[], Pairs::WithFirst), wanted);

    // Other settings and another definition are refused.
    let mut other = plan.rules.clone();
    other.seed = 4;
    let error = Archive::default().read(&file[0], &other).unwrap_err();
    assert!(error.message.contains("--seed was 3, is 4"), "{}", error.message);
    let mut changed = load(&["tic-tac-toe"]);
    changed[0].game = load(&["gomoku"]).remove(0).game;
    let error = read(&file).admit(&changed, &plan.rules).unwrap_err();
    assert!(error.message.contains("`tic-tac-toe` has changed"), "{}", error.message);
    // More games go on from fewer; a further variant may join.
    let mut more = read(&file);
    assert_eq!(more.admit(&load(&["tic-tac-toe", "breakthrough"]), &plan.rules).unwrap().len(), 1);
    assert!(Archive::default().read("{\"ply\":1}", &plan.rules).is_err());
}

#[test]
fn another_start_is_another_game() {
    let all = load(&["./rook.toml", "./queen.toml"]);
    assert_eq!(all[0].game.program, all[1].game.program, "only the start differs");
    assert_ne!(all[0].fingerprint(), all[1].fingerprint());
    assert!(!all[0].game.is_same_as(&all[1].game));
}

/// One definition, and the shipped ones.
struct Text(String);

impl Files for Text {
    fn read(&self, path: &str) -> Result<String, FileError> {
        if path.starts_with("./") { Ok(self.0.clone()) } else { Shipped.read(path) }
    }

    fn names(&self) -> Vec<String> {
        Shipped::list()
    }
}

#[test]
fn whatever_is_run_or_written_makes_another_game() {
    const FILL: &str = include_str!("../compare/twice.toml");
    let shipped = |name: &str| Shipped.read(name).unwrap();
    let set_up = format!("{FILL}\n[setup]\nboard = \"D.....d.\"\n");
    let game = |text: String, path: &str| {
        let (game, found) = Game::load(path, &Text(text), &Choices::default(), &mut Sources::default());
        game.unwrap_or_else(|| panic!("{found:?}"))
    };
    for (text, from, to) in [
        // The directions of a line, set-up squares, a picture, a table of many sites.
        (shipped("tic-tac-toe"), "line(own, 3)", "line(own, 3, orthogonal)"),
        (shipped("breakthrough"), "\"row(1) | row(2)\"", "\"row(1) | row(3)\""),
        (shipped("reversi"), "black disc at d5 | e4", "black disc at d5 | e3"),
        (set_up.clone(), "D.....d.", "D....d.."),
        (set_up.clone(), "D.....d.", "d.....D."),
        (shipped("breakthrough"), "step forward\"", "step forward backward\""),
        // Names and texts of moves and positions.
        (set_up.clone(), "\"{to}\"", "\"x{to}\""),
        (set_up.clone(), "\"red\"", "\"rot\""),
        (FILL.to_owned(), "letter = \"d\"", "letter = \"e\""),
        (shipped("chess"), "RNBQKBNR w", "RNBQKBRN w"),
    ] {
        assert!(text.contains(from), "{from}");
        let before = game(text.clone(), "./game.toml");
        let after = game(text.replace(from, to), "./game.toml");
        assert_ne!(before.fingerprint(), after.fingerprint(), "{from} and {to}");
        // How the file is called and written is no part of it.
        let same = game(format!("# a comment\n{text}").replace('\n', "\n\n"), "./other.toml");
        assert_eq!(before.fingerprint(), same.fingerprint(), "{from}");
    }
    // The same on every machine and in every run.
    let game = game(FILL.to_owned(), "./game.toml");
    assert_eq!(game.fingerprint().to_string(), FILLED, "a change here makes old files of games useless");
    // What a game is held against is a part of what is recorded.
    let with = |text: &str| {
        let variant = Variant::parse("./game.toml+twice").unwrap();
        let loaded = Contestant::load(&variant, &Text(text.to_owned()), &mut Sources::default());
        loaded.ok().unwrap().fingerprint()
    };
    let other = FILL.replace("end.full.when = \"no vacant\"", "end.full.when = \"no  vacant\"");
    assert_eq!(with(FILL), with(&other));
    let other = FILL
        .replace("(no vacant) and not again\"\nresult", "(no vacant) and (not again) or d1 in own\"\nresult");
    assert_ne!(other, FILL);
    assert_ne!(with(FILL), with(&other), "the game without the option is another one");
}

/// The fingerprint of `compare/twice.toml`.
const FILLED: &str = "badae99e88a707ff";

#[test]
fn a_position_is_worth_what_random_games_from_it_bring() {
    // Noughts and crosses at random: the first player wins 58.5 %, 12.7 % are drawn. The agents' best hope would be
    // far above that.
    let game = load(&["tic-tac-toe"]).remove(0).game;
    let mut machine = game.machine().unwrap();
    let pos = game.start(&mut machine, None, 1).unwrap();
    let mut moves = Moves::new();
    machine.moves(&pos, &mut moves);
    let mut history = History::new();
    history.push(machine.full_hash(&pos));
    let at = Situation { pos: &pos, history: &history, moves: &moves, played: &[] };
    let mut values = Vec::new();
    Playouts::default().value(&mut machine, at, 10_000, &mut Rng::new(5), &mut values);
    // Four standard errors.
    assert!((values[0] - 0.6485).abs() < 0.019, "{values:?}");
    assert!((values[0] + values[1] - 1.0).abs() < 1e-9, "{values:?}");
}

#[test]
fn who_is_ahead_does_not_depend_on_how_often_it_is_asked() {
    let all = load(&["hex:size=4"]);
    let mut plan = plan(40, 1);
    plan.rules.looks = false;
    plan.rules.agents = vec![AgentSpec::parse("flat:20").unwrap()];
    let mut games_of = Vec::new();
    let mut found = Vec::new();
    for leads in [0, LEAST, 4 * LEAST] {
        plan.rules.leads = leads;
        let (tallies, games) = play_with(&all, &plan, &mut Archive::default());
        games_of.push(games.into_iter().map(|(g, _)| (g.result, g.plies, g.opening)).collect::<Vec<_>>());
        found.push(compare::compare(&all, &tallies, &plan, &[], Pairs::WithFirst).variants.remove(0));
    }
    // The games are the same, whether it is asked or not.
    assert!(games_of.windows(2).all(|w| w[0] == w[1]));
    assert!(!found[0].estimates.contains_key("drama") && found[0].leads.is_empty());
    for key in ["lead-changes", "drama", "settled"] {
        let [few, many] = [&found[1].estimates[key], &found[2].estimates[key]];
        let inside = |value: f64, e: &farrier::compare::model::Estimate| e.low <= value && value <= e.high;
        assert!(inside(few.value, many) && inside(many.value, few), "{key}: {few:?} and {many:?}");
    }
    // A game of some ten plies in which the lead changed at nearly every one, before.
    assert!(found[1].estimates["lead-changes"].value < 2.0, "{:?}", found[1].estimates["lead-changes"]);
}

#[test]
fn who_begins_is_taken_from_play() {
    // In Knightcap the player who is named second empties a square before the first leap; with the option the other
    // one. Both are the same game with colours exchanged.
    let words = ["knightcap", "knightcap:first=black"];
    let all = load(&words);
    let mut plan = plan(400, 1);
    plan.rules.looks = false;
    let (tallies, games) = play_with(&all, &plan, &mut Archive::default());
    let found = compare::compare(&all, &tallies, &plan, &[], Pairs::WithFirst);
    for (word, who, number) in [(words[0], "black", 1), (words[1], "white", 0)] {
        assert!(games.iter().filter(|(g, _)| g.variant == word).all(|(g, _)| g.first == Some(number)));
        let v = found.variants.iter().find(|v| v.variant == word).unwrap();
        assert_eq!(v.first.as_deref(), Some(who));
        let wins = v.outcomes.iter().find(|o| o.outcome == who).unwrap().games;
        let decided: u64 = v.outcomes.iter().filter(|o| o.outcome != "draw").map(|o| o.games).sum();
        assert!((v.estimates["first-wins"].value - wins as f64 / decided as f64).abs() < 1e-12);
    }
    let d = found.differences.iter().find(|d| d.metric == "first-wins").unwrap();
    assert!(d.p > 0.01 && d.estimate.value.abs() < 0.07, "{d:?}");
    // Where chance makes the first plies, who begins is who decides first.
    let found = compared(&["knightcap"], &plan);
    assert!(found.verdict.iter().any(|s| s.contains("black wins")), "{:?}", found.verdict);
}

#[test]
fn sites_that_no_piece_ever_comes_to_are_told() {
    let said = |word: &str| {
        let notes = compared(&[word], &plan(60, 1)).notes;
        notes.into_iter().find(|note| note.contains("no piece ever came to"))
    };
    // Hounds and fox walk over the dark squares only.
    let note = said("fox-and-hounds").unwrap();
    assert_eq!(note, "In `fox-and-hounds` no piece ever came to b1, d1, f1 and 29 more in 60 watched games.");
    assert_eq!(said("knights-and-pawns"), None);
}

#[test]
fn a_game_against_itself_is_said_to_be_the_same() {
    let words = ["hex:size=4", "hex:size=4+pie-rule", "hex:size=4~pie-rule"];
    let found = compared(&words, &plan(40, 1));
    assert_eq!(found.same, [[words[0].to_owned(), words[1].to_owned()]]);
    assert!(found.verdict[0].starts_with(&format!("`{}` is the same game as `{}`", words[1], words[0])));
    let of = |b: &str| found.differences.iter().filter(move |d| d.b == b).collect::<Vec<_>>();
    assert!(of(words[1]).iter().all(|d| d.games_needed.is_none()));
    assert!(of(words[2]).iter().any(|d| d.games_needed.is_some()));
}

#[test]
fn histograms_of_all_variants_have_the_same_bins() {
    // Games of 8, of 16 and of about a hundred plies: each by itself would have bins of its own.
    let words = ["./twice.toml", "./twice.toml+twice", "knights-and-pawns"];
    let found = compared(&words, &plan(30, 1));
    let alone = compared(&words[..1], &plan(30, 1));
    let edges = |h: &Histogram| -> Vec<(i64, i64)> { h.bins.iter().map(|b| (b.from, b.to)).collect() };
    for of in [|v: &VariantResult| v.lengths.clone(), |v: &VariantResult| v.turns.clone()] {
        let first = edges(&of(&found.variants[0]));
        assert!(first.len() > 1 && first.len() <= 40, "{first:?}");
        assert!(first.windows(2).all(|w| w[0].1 + 1 == w[1].0), "no gaps: {first:?}");
        assert!(first.iter().all(|(from, to)| to - from == first[0].1 - first[0].0), "{first:?}");
        for v in &found.variants {
            assert_eq!(edges(&of(v)), first, "{}", v.variant);
            assert_eq!(of(v).bins.iter().map(|b| b.count).sum::<u64>(), 30, "{}", v.variant);
        }
        assert_ne!(edges(&of(&alone.variants[0])), first);
    }
}

/// The most and the least successes out of `n` of chance `p` that happen but once in about ten thousand.
fn bounds(n: u64, p: f64) -> (f64, f64) {
    let (mean, deviation) = (n as f64 * p, (n as f64 * p * (1.0 - p)).sqrt());
    (mean - 4.0 * deviation, mean + 4.0 * deviation)
}

#[test]
fn a_game_does_not_differ_from_itself() {
    const RUNS: u64 = 200;
    let mut alarms = 0;
    let mut by_metric: BTreeMap<String, u64> = BTreeMap::new();
    let all = load(&["tic-tac-toe", "tic-tac-toe"]);
    assert_eq!([&all[0].name, &all[1].name], ["tic-tac-toe", "tic-tac-toe #2"]);
    for seed in 0..RUNS {
        let plan = plan(60, seed);
        let found = compare::compare(&all, &play(&all, &plan), &plan, &[], Pairs::WithFirst);
        assert!(found.differences.len() >= 10);
        alarms += u64::from(found.differences.iter().any(|d| d.significant));
        for d in &found.differences {
            *by_metric.entry(d.metric.clone()).or_default() += u64::from(d.p <= 0.05);
            assert!(d.p_adjusted >= d.p && (0.0..=1.0).contains(&d.p), "{d:?}");
        }
    }
    let (_, most) = bounds(RUNS, 0.05);
    assert!(alarms as f64 <= most, "{alarms} false alarms of {RUNS}: {by_metric:?}");
    for (metric, n) in &by_metric {
        assert!(*n as f64 <= most, "{metric}: {n} of {RUNS} below 5 %");
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
    const ROUNDS: u64 = 30;
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
        let found = coverage(ROUNDS, truth, |rng| {
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
        assert_eq!(given, if interval { ROUNDS } else { 0 }, "{what}: intervals");
        let (least, _) = bounds(ROUNDS, 0.95);
        assert!(found * ROUNDS as f64 >= least, "{what}: {found}");
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
    let alarms = |n, a: &[f64], b: &[f64]| {
        entropy_chances(60, n, [a, b]).iter().filter(|p| **p <= 0.05).count() as f64
    };
    let (_, most) = bounds(60, 0.05);
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

#[test]
fn every_game_of_the_measured_kinds_has_its_figures() {
    // Chance, scores, a graph of numbers, hexagons, passes, no owners: whatever the shipped games have.
    for name in Shipped::list() {
        let mut plan = plan(2, 1);
        plan.rules.plies = 60;
        plan.rules.looks = false;
        let found = compared(&[&name], &plan);
        let v = &found.variants[0];
        assert_eq!(v.games, 2, "{name}");
        assert_eq!(v.outcomes.iter().map(|o| o.games).sum::<u64>(), 2, "{name}");
        assert!(v.estimates["length"].value > 0.0, "{name}");
        assert_eq!(v.lengths.bins.iter().map(|b| b.count).sum::<u64>(), 2, "{name}");
        assert!(v.heat.iter().all(|h| h.values.len() == v.board.sites.len()), "{name}");
        let occupied = v.heat.iter().find(|h| h.kind == HeatKind::Occupied && h.player.is_none()).unwrap();
        assert!(occupied.values.iter().all(|share| (0.0..=1.0).contains(share)), "{name}");
        let used: u64 = v.decisions.iter().map(|d| d.used).sum();
        assert_eq!(used as f64, v.estimates["length"].value * 2.0, "{name}: every ply is of a decision");
        assert!(v.margins.is_some() == v.estimates.contains_key("margin"), "{name}");
    }
}

#[test]
fn a_game_is_counted_right() {
    // Every game is told by its record; the record can be held against the game played again.
    let all = load(&["tic-tac-toe"]);
    let plan = plan(40, 11);
    let (_, games) = play_with(&all, &plan, &mut Archive::default());
    let (game, _) = Game::load("tic-tac-toe", &Library, &Default::default(), &mut Sources::default());
    let game = game.unwrap();
    for (record, _) in &games {
        let mut machine = game.machine().unwrap();
        let start = game.start(&mut machine, None, record.seed).unwrap();
        let played = farrier::analysis::playout::record(&game, &mut machine, &start, record.seed, 100);
        // Random agents play what a playout of the same seed plays.
        assert_eq!(played.end.result, record.result);
        assert_eq!(played.plies.len(), record.plies as usize);
        let texts: Vec<&str> = played.plies.iter().map(|p| p.text.as_str()).collect();
        assert_eq!(record.opening, texts[..6.min(texts.len())]);
        let legal: Vec<u32> = (0..record.plies).map(|ply| 9 - ply).collect();
        assert_eq!(record.legal, legal);
        // Each stone lands once, where it stays.
        assert_eq!(record.landed.iter().flatten().map(|(_, n)| n).sum::<u32>(), record.plies);
        assert_eq!(record.decisions["place"], [record.plies, record.plies]);
        // A look ahead of everything: lines of three that want one stone.
        assert_eq!(record.only_wins, Some(only_wins(&texts)), "{texts:?}");
    }
    assert!(games.iter().any(|(g, _)| g.puzzles.iter().any(|p| p.kind == PuzzleKind::OnlyDefence)));
}

/// Plies of a game of noughts and crosses at which exactly one of several vacant sites completes a line.
fn only_wins(moves: &[&str]) -> u32 {
    let site = |text: &str| {
        let bytes = text.as_bytes();
        usize::from(bytes[0] - b'a') + 3 * usize::from(bytes[1] - b'1')
    };
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let mut owner = [2; 9];
    let mut found = 0;
    for (ply, text) in moves.iter().enumerate() {
        let me = ply % 2;
        let vacant: Vec<usize> = (0..9).filter(|s| owner[*s] == 2).collect();
        let wins = |s: usize| {
            lines.iter().any(|l| l.contains(&s) && l.iter().all(|other| *other == s || owner[*other] == me))
        };
        let winning = vacant.iter().filter(|s| wins(**s)).count();
        found += u32::from(vacant.len() > 1 && winning == 1);
        owner[site(text)] = me;
    }
    found
}

#[test]
fn more_thought_wins_more() {
    let all = load(&["tic-tac-toe"]);
    let mut plan = plan(1, 1);
    plan.rules.strength = ["flat:60", "flat:6", "random"].map(|a| AgentSpec::parse(a).unwrap()).to_vec();
    plan.strength_games = 60;
    let found = compare::compare(&all, &play(&all, &plan), &plan, &[], Pairs::WithFirst);
    let strength = found.variants[0].strength.as_ref().unwrap();
    for step in &strength.steps {
        assert_eq!([step.games, step.wins + step.draws + step.losses], [60, 60]);
        assert!(step.score.low > 0.55, "{step:?}");
    }
    let agents: Vec<&str> = strength.steps.iter().map(|step| step.stronger.as_str()).collect();
    assert_eq!(agents, ["flat:60", "flat:6"]);
    assert!(strength.score.high <= 1.0 && strength.score.n == 120);
    assert!(strength.score.low > 0.7, "{strength:?}");
    // Two that play the main games say the same, and playouts tell who leads.
    let mut pair = self::plan(40, 1);
    pair.rules.agents = ["flat:60", "random"].map(|a| AgentSpec::parse(a).unwrap()).to_vec();
    pair.rules.leads = LEAST;
    let found = compare::compare(&all, &play(&all, &pair), &pair, &[], Pairs::WithFirst);
    let strength = found.variants[0].strength.as_ref().unwrap();
    assert!(strength.score.low > 0.6 && strength.steps[0].games == 40, "{strength:?}");
    let [first, second] = strength.by_seat.map(Option::unwrap);
    assert_eq!((first.n, second.n), (20, 20));
    assert!(found.variants[0].estimates.contains_key("drama"));
}

#[test]
#[ignore = "a quarter of a minute in a debug build"]
fn four_thousand_games_are_soon_played() {
    let words = ["knights-and-pawns", "knights-and-pawns+switch-move"];
    let began = std::time::Instant::now();
    let found = compared(&words, &plan(2000, 1));
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
    let differs: Vec<&str> =
        found.differences.iter().filter(|d| d.significant).map(|d| d.metric.as_str()).collect();
    assert!(differs.contains(&"turns") && differs.contains(&"opening"), "{differs:?}");
}
