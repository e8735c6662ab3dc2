//! What rules are worth to who goes without them: against exact truth.

use std::collections::BTreeMap;

use farrier::compare::model::Comparison;
use farrier::compare::run::Plan;
use farrier::compare::{self, Contestant, Pairs, Rules};
use farrier::search::AgentSpec;
use farrier::shipped::Shipped;
use farrier::source::{Files, MemoryFiles, Sources};
use farrier::variant::Variant;

const WORTH: &str = include_str!("../compare/worth.toml");

/// Games of agents against themselves in which a player goes without a rule.
fn played(word: &str, files: &dyn Files, agent: &str, without: &[&str], games: u64, seed: u64) -> Comparison {
    let variant: Variant = word.parse().unwrap();
    let mut all = Contestant::load_all(std::slice::from_ref(&variant), files, &mut Sources::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let without: Vec<String> = without.iter().map(|name| (*name).to_owned()).collect();
    all[0].restrict(&variant, files, Some(&without)).unwrap();
    let levels = vec![AgentSpec::parse(agent).unwrap()];
    let rules = Rules { levels, watch: 0, seed, ..Rules::default() };
    let plan = Plan { rules, games: 1, level_games: games, ..Plan::default() };
    let tallies = compare::play_all(&all, &plan).unwrap();
    compare::compare(&all, &tallies, &plan, &[], Pairs::WithFirst)
}

#[test]
fn points_are_what_counting_says_and_intervals_hold_them_as_often_as_they_promise() {
    let files = MemoryFiles::default().with("./worth.toml", WORTH);
    let truth = BTreeMap::from([("high", 1.0 / 3.0), ("low", 5.0 / 6.0), ("pebble", 7.0 / 12.0)]);
    let names: Vec<&str> = truth.keys().copied().collect();
    let mut held: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..60 {
        let found = played("./worth.toml", &files, "random", &names, 300, seed);
        assert_eq!(found.variants[0].restricted.len(), 3);
        for r in &found.variants[0].restricted {
            let (name, truth) = truth.get_key_value(r.what.as_str()).unwrap();
            *held.entry(name).or_default() += u32::from((r.points.low..=r.points.high).contains(truth));
            assert!((r.points.value - truth).abs() < 0.12 && r.points.n == 300, "{r:?}");
            assert_eq!(r.worth().value > 0.0, *name == "high", "{r:?}");
            assert!(r.significant || *name == "pebble", "{r:?}");
            assert_eq!(r.by_player.iter().map(|e| e.n).collect::<Vec<_>>(), [150, 150]);
        }
    }
    // Of 60 intervals of 95 % fewer than 51 hold with a chance of one in a thousand.
    assert!(held.values().all(|n| *n >= 51), "{held:?}");
}

#[test]
fn a_rule_that_is_worth_nothing_is_seldom_found_to_be_worth_something() {
    // Matching pennies: white wins where both put a crown or none does, so one player's choice alone says nothing.
    let pennies = WORTH
        .replace("a1 in crown and b1 not in crown", "(a1 in crown) = (b1 in crown)")
        .replace("b1 in crown and a1 not in crown", "(a1 in crown) != (b1 in crown)")
        .replace("stone | pebble", "{q in stone | pebble : q = stone}");
    let files = MemoryFiles::default().with("./pennies.toml", pennies);
    let alarm = |seed| {
        let found = played("./pennies.toml", &files, "random", &["high"], 60, seed);
        let high = &found.variants[0].restricted[0];
        assert!(high.points.low > 0.0 && high.points.high < 1.0, "{high:?}");
        u32::from(high.p <= 0.05)
    };
    // At most one in twenty; of 200 more than 20 with a chance of one in a thousand.
    let alarms: u32 = (0..200).map(alarm).sum();
    assert!((1..=20).contains(&alarms), "{alarms}");
}

#[test]
fn who_thinks_knows_what_the_other_may_not_do() {
    // Where white's queen stays where it is, Black wins.
    let found = played("chess", &Shipped, "level:1", &["queen"], 40, 1);
    let queen = &found.variants[0].restricted[0];
    assert!(queen.worth().low > 0.0, "{queen:?}");
    assert!(found.verdict.iter().any(|s| s.contains("who may not use queen gets")), "{:?}", found.verdict);
}
